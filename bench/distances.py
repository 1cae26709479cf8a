"""The plot of docs/solved.md: how many positions end in how many plies, under each set of rules, from their tables.

python -m bench.distances GAME --out docs/pictures/GAME-distances.svg
"""

import argparse
import math
from pathlib import Path

from menagerie.games import find
from menagerie.solve.cells import Verdict
from menagerie.solve.table import read_facts
from menagerie.solve.tablebase import place_of
from menagerie.variant import Variant

WIDTH, HEIGHT = 860, 420
LEFT, RIGHT, TOP, BOTTOM = 96, 20, 46, 48
COLOURS = ("#1b6ca8", "#c2571a")
STYLE = "font-family:sans-serif;font-size:12px;fill:#333"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    game = find(chosen.game)
    sets = {name or "usual rules": Variant(game, game.agreed(name)) for name in ("", *game.rule_sets)}
    curves = {name: counts(place_of(variant)) for name, variant in sets.items()}
    chosen.out.write_text(plot(f"{game.title}: positions that end in so many plies", curves), encoding="utf-8")


def counts(file: Path) -> dict[int, int]:
    """How many positions are decided in each number of plies: wins have odd ones, losses even ones."""
    cells = ((Verdict.of(int(cell)), count) for cell, count in read_facts(file)[0].counts.items())
    return {verdict.plies: count for verdict, count in cells if verdict.value}


def plot(title: str, curves: dict[str, dict[int, int]]) -> str:
    """An SVG with a logarithmic scale, wins as full dots and losses as rings."""
    longest = max(max(curve) for curve in curves.values())
    decades = math.ceil(math.log10(max(max(curve.values()) for curve in curves.values())))

    def across(plies: float) -> float:
        return LEFT + plies / longest * (WIDTH - LEFT - RIGHT)

    def up(count: float) -> float:
        return HEIGHT - BOTTOM - math.log10(count) / decades * (HEIGHT - TOP - BOTTOM)

    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>']
    parts.append(f'<text x="{LEFT}" y="22" style="{STYLE};font-size:15px;font-weight:bold">{title}</text>')
    for decade in range(decades + 1):
        y, label = up(10**decade), f"{10**decade:,}"
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end" style="{STYLE}">{label}</text>')
    for plies in range(0, longest + 1, 20):
        x, y = f"{across(plies):.1f}", HEIGHT - BOTTOM
        parts.append(f'<path d="M{x} {y}v5" stroke="#888"/>')
        parts.append(f'<text x="{x}" y="{y + 20}" text-anchor="middle" style="{STYLE}">{plies}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle" style="{STYLE}">plies to the end</text>')
    for row, ((name, curve), colour) in enumerate(zip(curves.items(), COLOURS, strict=False)):
        for plies, count in sorted(curve.items()):
            fill = colour if plies % 2 else "#fff"
            parts.append(
                f'<circle cx="{across(plies):.1f}" cy="{up(count):.1f}" r="2.4" fill="{fill}" stroke="{colour}"/>'
            )
        down, side = TOP + 20 + 18 * row, WIDTH - RIGHT - 290
        parts.append(f'<circle cx="{side}" cy="{down - 4}" r="4" fill="{colour}"/>')
        parts.append(f'<circle cx="{side + 12}" cy="{down - 4}" r="4" fill="#fff" stroke="{colour}"/>')
        parts.append(
            f'<text x="{side + 22}" y="{down}" style="{STYLE}">{name}: wins, losses of the player to move</text>'
        )
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n' + "\n".join(parts) + "\n</svg>\n"


if __name__ == "__main__":
    main()
