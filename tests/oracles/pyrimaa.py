"""pyrimaa (PyPI `aei`, 1.4.1) as a witness: where the turns of Arimaa end, in our notation.

Its generator (`Position.get_moves`) knows the rules. What it gets wrong is the check of a turn it is given
(`Position.do_move`): a turn may stop in the middle of a push. `unfinished` names what that lets through.
"""

import re
from collections.abc import Iterator

from pyrimaa.board import IllegalMove, Position, parse_short_pos

GAME = "arimaa"
SIDES = "gs"
SIZE = 8

Step = tuple[int, int]


def turns(text: str) -> set[str]:
    """Side to move and board, `s 8/...`, after every distinct legal turn; none when the game is over."""
    position = read(text)
    return set() if position.is_end_state() else {write(end) for end in position.get_moves()}


def unfinished(text: str) -> set[str]:
    """The ends, out of reach of every legal turn, of the unfinished pushes that pyrimaa accepts as turns."""
    position = read(text)
    if position.is_end_state():
        return set()
    return {write(end) for steps in list_halves(position) if (end := accept(position, steps))} - turns(text)


def read(text: str) -> Position:
    """The position of a canonical text between two turns; turn number and steps may be left out."""
    form = re.fullmatch(r"([gs]) (\S+)(?: (\d+) -)?", text)
    if form is None or form[3] == "1":
        raise ValueError(f"not a position between two turns of play: {text!r}")
    cells = re.sub(r"\d", lambda run: " " * int(run[0]), form[2].replace("/", ""))
    if len(cells) != SIZE * SIZE:
        raise ValueError(f"not a board of arimaa: {text!r}")
    return parse_short_pos(SIDES.index(form[1]), 4, f"[{cells}]")


def write(position: Position) -> str:
    """Side to move and board."""
    cells: str = position.board_to_str("short")[1:-1]
    ranks = [cells[start : start + SIZE] for start in range(0, len(cells), SIZE)]
    placed = "/".join(re.sub(" +", lambda run: str(len(run[0])), rank) for rank in ranks)
    return f"{SIDES[position.color]} {placed}"


def list_halves(position: Position) -> Iterator[tuple[Step, ...]]:
    """The distinct beginnings of a turn that stop in the middle of a push."""
    frontier: dict[Position, tuple[Step, ...]] = {position: ()}
    while frontier:
        deeper: dict[Position, tuple[Step, ...]] = {}
        for here, steps in frontier.items():
            if here.inpush:
                yield steps
            for step, after in here.get_steps():
                if after.color == position.color:
                    deeper.setdefault(after, (*steps, step))
        frontier = deeper


def accept(position: Position, steps: tuple[Step, ...]) -> Position | None:
    """The position after the steps as a turn, where pyrimaa lets them be one."""
    try:
        return position.do_move(steps)
    except IllegalMove:
        return None
