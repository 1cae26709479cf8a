"""Hexapawn, slow and plain, for tests to compare with."""

from __future__ import annotations

from typing import NamedTuple

START = "ppp/3/PPP w 1"
PAWNS = "Pp"


class Twin(NamedTuple):
    """Rows from White's side, who moves, the number of the move, and what a stuck player gets."""

    rows: tuple[str, ...]
    player: int
    move: int
    stuck: str


def read(text: str, stuck: str = "loses") -> Twin:
    board, side, move = text.split()
    for digit in "123":
        board = board.replace(digit, "." * int(digit))
    return Twin(tuple(reversed(board.split("/"))), "wb".index(side), int(move), stuck)


def write(position: Twin) -> str:
    board = "/".join(reversed(position.rows))
    for size in (3, 2, 1):
        board = board.replace("." * size, str(size))
    return f"{board} {'wb'[position.player]} {position.move}"


def moves(position: Twin) -> list[str]:
    if is_through(position):
        return []
    found = []
    forward, mine, theirs = 1 - 2 * position.player, PAWNS[position.player], PAWNS[1 - position.player]
    for row in range(3):
        for file in range(3):
            if position.rows[row][file] != mine or not 0 <= row + forward < 3:
                continue
            for to in range(3):
                wanted = {0: ".", 1: theirs}.get(abs(to - file))
                if position.rows[row + forward][to] == wanted:
                    found.append(f"{'abc'[file]}{row + 1}{'abc'[to]}{row + forward + 1}")
    return found


def play(position: Twin, move: str) -> Twin:
    grid = [list(row) for row in position.rows]
    grid[int(move[1]) - 1]["abc".index(move[0])] = "."
    grid[int(move[3]) - 1]["abc".index(move[2])] = PAWNS[position.player]
    rows = tuple("".join(row) for row in grid)
    return Twin(rows, 1 - position.player, position.move + position.player, position.stuck)


def result(position: Twin) -> tuple[int | None, str] | None:
    other = 1 - position.player
    if is_through(position):
        return other, "through"
    if not moves(position):
        return (other if position.stuck == "loses" else position.player), "stuck"
    return None


def is_through(position: Twin) -> bool:
    """Whether the player who moved last stands on the far row."""
    return PAWNS[1 - position.player] in position.rows[0 if position.player == 0 else 2]
