"""How a contest stands, for people and as JSON."""

from math import isfinite

from rich.console import Group, RenderableType
from rich.table import Table

from menagerie.arena.contest import Contest, Score
from menagerie.arena.elo import Sprt, Tally

MOST_FAULTS = 10
"""How many faults a table names."""


def table(contest: Contest, pairs: int, score: Score, sprt: Sprt | None = None) -> RenderableType:
    """Both players with their results, and what these say."""
    grid = Table(box=None, pad_edge=False)
    for heading in ("player", "wins", "draws", "losses", "points"):
        grid.add_column(heading, justify="left" if heading == "player" else "right")
    wins, draws, losses = score.points
    names = [recipe.name for recipe in contest.recipes]
    for name, won, lost in ((names[0], wins, losses), (names[1], losses, wins)):
        grid.add_row(name, str(won), str(draws), str(lost), f"{won + draws / 2:g}")
    return Group(grid, *words(pairs, score, sprt))


def words(pairs: int, score: Score, sprt: Sprt | None) -> list[str]:
    """What the results say, in lines."""
    tally = score.tally
    lines = [
        f"{score.games} of {2 * pairs} games; pairs by points 0 ½ 1 1½ 2: {' '.join(map(str, tally.pairs))}",
        f"Elo {strength(tally)}; the first is stronger with {tally.superiority:.1%}",
    ]
    if score.repeats:
        lines.append(f"{score.repeats} pairs were the same two games as another, and do not count")
    if sprt:
        verdict = {"": "undecided", "higher": f"{sprt.high:+g} it is", "lower": f"{sprt.low:+g} it is"}
        lines.append(
            f"sequential test of {sprt.low:+g} against {sprt.high:+g} Elo: {sprt.ratio(tally):+.2f}"
            f" from {sprt.bounds.low:.2f} to {sprt.bounds.high:+.2f}, {verdict[sprt.verdict(tally)]}"
        )
    if score.reasons:
        lines.append("ends: " + ", ".join(f"{reason} {count}" for reason, count in score.reasons.items()))
    faults = score.faults
    lines += faults[:MOST_FAULTS]
    if len(faults) > MOST_FAULTS:
        lines.append(f"and {len(faults) - MOST_FAULTS} faults more")
    return lines


def strength(tally: Tally) -> str:
    """The difference in strength with its error bar; a bound where one side has won almost everything."""
    low, high = tally.interval
    seen = f"{tally.elo:+.0f}, " if isfinite(tally.elo) else ""
    if isfinite(low) and isfinite(high):
        return f"{tally.elo:+.0f} ± {tally.margin:.0f}, from {low:+.0f} to {high:+.0f} with 95 %"
    if isfinite(low):
        return f"{seen}at least {low:+.0f} with 95 %"
    if isfinite(high):
        return f"{seen}at most {high:+.0f} with 95 %"
    return "unknown"


def as_data(contest: Contest, score: Score, sprt: Sprt | None = None) -> dict[str, object]:
    """The same for machines; None stands for what is not finite."""
    tally = score.tally
    wins, draws, losses = score.points
    data: dict[str, object] = {
        "game": contest.game,
        "rules": contest.variant.options.in_full(),
        "players": [recipe.name for recipe in contest.recipes],
        "event": contest.event,
        "games": score.games,
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "pairs": list(tally.pairs),
        "repeats": score.repeats,
        "score": round(tally.score, 4),
        "elo": finite(tally.elo),
        "low": finite(tally.interval.low),
        "high": finite(tally.interval.high),
        "superiority": round(tally.superiority, 4),
        "ends": score.reasons,
        "faults": score.faults,
    }
    if sprt:
        data["sprt"] = {
            "low": sprt.low,
            "high": sprt.high,
            "ratio": round(sprt.ratio(tally), 3),
            "alpha": sprt.alpha,
            "beta": sprt.beta,
            "bounds": [round(bound, 3) for bound in sprt.bounds],
            "verdict": sprt.verdict(tally),
        }
    return data


def finite(number: float) -> float | None:
    """A number as JSON can write it."""
    return round(number, 1) if isfinite(number) else None
