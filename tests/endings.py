"""Golden endings: what is known of tables from elsewhere, in `golden/endings.txt`, and how a table compares.

Blocks parted by blank lines, each with its `rules`:

- totals of a `part`, or several, or of all `until` one: positions, wins, wins at once, losses, draws; the plies of the
  longest win and loss, and how many positions have the longest win;
- the same of those of its positions that have just these `pieces`, by their letters (`all`: any), with the first player
  to move, mirror images counted both, `without` those that are over for some reason;
- a `position` with its `value`, the `only` best turn, the worth of some `turns`;
- with the counter at 0, how many positions end `late`, after the `limit` of the draw for want of progress, and how many
  of them are `won in time` all the same. `python -m bench.limits` compares these;
- `beside` other rules: how many positions that do not win at once go from which value to which, `win to loss`, and have
  `fewer turns`. `python -m bench.beside` compares these.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

import numpy as np

from menagerie.game import Game
from menagerie.kernel.endgame import Part
from menagerie.kernel.state import copy
from menagerie.position import Position
from menagerie.solve.cells import Verdict
from menagerie.solve.solver import endgame_of, parts_until
from menagerie.solve.tablebase import Tablebase
from menagerie.variant import Variant

Block = dict[str, str]
PIECE = re.compile(r"\+?[A-Za-z]")


def blocks(game: Game) -> list[Block]:
    """The blocks of a game's file; none where it has no such file."""
    file = game.folder / "golden" / "endings.txt"
    if not file.is_file():
        return []
    text = "\n".join(line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    parted = (block.strip().splitlines() for block in text.split("\n\n"))
    return [
        {key: value.strip() for key, _, value in (line.partition(":") for line in lines)} for lines in parted if lines
    ]


def variants(game: Game) -> list[Variant]:
    """The rules that the blocks are about."""
    return [Variant(game, game.agreed(rules)) for rules in dict.fromkeys(block["rules"] for block in blocks(game))]


def differences(base: Tablebase) -> Iterator[str]:
    """What a table says otherwise than the blocks that are about it alone."""
    game, options = base.variant.game, base.variant.options
    for block in blocks(game):
        if game.agreed(block["rules"]) != options or "beside" in block or "limit" in block:
            continue
        if "part" in block or "until" in block:
            yield from totals_apart(base, block)
        elif (verdict := base.get(base.variant.position(block["position"]))) is not None:
            yield from position_apart(base, block, verdict)


def totals_apart(base: Tablebase, block: Block) -> Iterator[str]:
    """The totals of a part, or of some positions in it, that differ."""
    parts = parts_of(base.variant, block)
    if parts[-1].last > base.table.facts.places:
        return
    verdicts = Counter[Verdict]()
    for part in parts:
        if "pieces" in block:
            wanted = block["pieces"]
            for (pieces, reason, verdict), count in unfolded(base, part).items():
                is_meant = wanted in ("all", pieces) and reason not in block.get("without", "").split()
                verdicts[verdict] += count if is_meant else 0
        else:
            verdicts.update({Verdict.of(cell): count for cell, count in base.counts(part).items()})
    found = totals(+verdicts)
    for what, number in found.items():
        if what in block and int(block[what]) != number:
            label = " ".join(block[word] for word in ("part", "until", "pieces") if word in block)
            yield f"{label}: {what} {number:,}, and should be {int(block[what]):,}"


def parts_of(variant: Variant, block: Block) -> list[Part]:
    """The parts that a block is about; all up to one are as good as a part of their own."""
    if "until" in block:
        last = parts_until(endgame_of(variant), block["until"])[-1]
        return [Part(f"until {last.name}", 0, last.last)]
    parts = [part for part in endgame_of(variant).parts() if part.name in block["part"].split()]
    assert len(parts) == len(block["part"].split()), f"there is no part {block['part']}"
    return parts


def totals(verdicts: Counter[Verdict]) -> dict[str, int]:
    """What blocks tell of a part, by their words."""
    longest = max((verdict.plies for verdict in verdicts if verdict.value > 0), default=0)
    return {
        "positions": sum(verdicts.values()),
        "wins at once": verdicts.get(Verdict(1, 1), 0),
        "wins": sum(count for verdict, count in verdicts.items() if verdict.value > 0),
        "losses": sum(count for verdict, count in verdicts.items() if verdict.value < 0),
        "draws": verdicts.get(Verdict(0, 0), 0),
        "longest": longest,
        "longest wins": verdicts[Verdict(1, longest)],
        "longest loss": max((verdict.plies for verdict in verdicts if verdict.value < 0), default=0),
    }


@cache
def unfolded(base: Tablebase, part: Part) -> Counter[tuple[str, str, Verdict]]:
    """How many positions of a part, the first player to move, have which pieces, reason to be over (if any) and value.

    Mirror images count both.
    """
    game, endgame = base.variant.game, endgame_of(base.variant)
    states = []
    for number in range(part.first, part.last):
        state = game.state(base.variant.options)
        if endgame.set_up(number, state):
            assert state.player == 0
            image = copy(state)
            if game.mirror:
                game.mirror(image)
            states += [state] if image.tobytes() == state.tobytes() else [state, image]
    found = Counter[tuple[str, str, Verdict]]()
    for state, row in zip(states, base.probe_states(np.array(states, game.rules.STATE)), strict=True):
        position, verdict = Position(game, state), Verdict(*map(int, row))
        pieces = PIECE.findall(str(position).split()[0])
        reason = position.outcome.reason if position.outcome else ""
        found[" ".join(sorted(pieces)), reason, verdict] += 1
    return found


def position_apart(base: Tablebase, block: Block, verdict: Verdict) -> Iterator[str]:
    """What a position's value and turns should be and are not."""
    position = base.variant.position(block["position"])
    if str(verdict) != block["value"]:
        yield f"{position}: {verdict}, and should be {block['value']}"
    choices = base.choices(position)
    worth = {choice.turn.code: str(choice.verdict) for choice in choices}
    for turn, value in (pair.split(" = ") for pair in block.get("turns", "").split(", ") if pair):
        if worth[turn] != value:
            yield f"{position}: {turn} {worth[turn]}, and should be {value}"
    best = [choice.turn.code for choice in choices if choice.verdict.value == choices[0].verdict.value]
    if "only" in block and best != [block["only"]]:
        yield f"{position}: {' '.join(best)} keep the value, and only {block['only']} should"
