"""The board as a picture: squares, zones, coordinates, hands and tokens with the game's own art, in plain SVG."""

import math
import re
from dataclasses import dataclass
from functools import cache
from html import escape

from menagerie.game import Board, Game, Kind, Piece, View

CELL = 100
MARGIN = 44
HAND = 104
LIGHT, DARK, LINE, TEXT, MARK = "#f3e3c3", "#ecd7b0", "#8a6d46", "#5a452b", "#e9b44c"
TINTS = {
    "water": "#bcdcea",
    "stone": "#dcc9ae",
    "gold": "#f0c75e",
    "home": "#e6dcb8",
    "dark": "#b98a5a",
    "danger": "#d79c86",
}


@dataclass(frozen=True)
class Look:
    """How a board is shown: clockwise quarter turns, top and bottom exchanged, and the squares that are marked."""

    quarter_turns: int = 0
    mirrored: bool = False
    marked: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Frame:
    """Where things lie in the picture of a board."""

    board: Board
    turns: int
    mirrored: bool
    hands: bool

    @property
    def columns(self) -> int:
        """How many squares lie side by side."""
        return self.board.ranks if self.turns % 2 else self.board.files

    @property
    def rows(self) -> int:
        """How many squares lie one above the other."""
        return self.board.files if self.turns % 2 else self.board.ranks

    @property
    def top(self) -> int:
        """Where the squares begin, below the upper hand."""
        return MARGIN + (HAND if self.hands else 0)

    @property
    def width(self) -> int:
        """The picture's width."""
        return 2 * MARGIN + CELL * self.columns

    @property
    def height(self) -> int:
        """The picture's height."""
        return 2 * self.top + CELL * self.rows

    def corner(self, square: int) -> tuple[int, int]:
        """The upper left corner of a square."""
        column, row = square % self.board.files, self.board.ranks - 1 - square // self.board.files
        columns, rows = self.board.files, self.board.ranks
        for _ in range(self.turns):
            column, row = rows - 1 - row, column
            columns, rows = rows, columns
        if self.mirrored:
            row = rows - 1 - row
        return MARGIN + CELL * column, self.top + CELL * row


def draw(game: Game, view: View, look: Look) -> str:
    """The board of a game with pieces on it."""
    frame = Frame(game.board, look.quarter_turns, look.mirrored, game.hands)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {frame.width} {frame.height}" '
        f'width="{frame.width // 2}" height="{frame.height // 2}" role="img" aria-label="{escape(game.title)} board">',
        f'<rect width="{frame.width}" height="{frame.height}" rx="18" fill="#fbf5e6"/>',
        *squares(game, frame, look),
        *(token(game, piece, *frame.corner(square), look) for square, piece in sorted(view.board.items())),
        *coordinates(frame),
    ]
    if game.hands:
        parts += [part for player in range(2) for part in hand(game, view, player, (frame, look))]
    return "\n".join([*parts, "</svg>"])


def squares(game: Game, frame: Frame, look: Look) -> list[str]:
    """The squares in the colours of their zones, and the lines between them."""
    parts = []
    for square in range(len(game.board)):
        x, y = frame.corner(square)
        fill = DARK if (square % game.board.files + square // game.board.files) % 2 == 0 else LIGHT
        for zone in game.board.zones:
            if square in zone.squares:
                fill = TINTS[zone.tint]
        parts.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="{LINE}"/>')
        if game.board.names.get(square) in look.marked:
            parts.append(
                f'<rect x="{x + 4}" y="{y + 4}" width="{CELL - 8}" height="{CELL - 8}" rx="10" '
                f'fill="{MARK}" fill-opacity=".45" stroke="{MARK}" stroke-width="5"/>'
            )
    outer = f'width="{CELL * frame.columns}" height="{CELL * frame.rows}"'
    parts.append(f'<rect x="{MARGIN}" y="{frame.top}" {outer} fill="none" stroke="{LINE}" stroke-width="4"/>')
    return parts


def coordinates(frame: Frame) -> list[str]:
    """The names of files and ranks along the left and lower edges, however the board is turned."""
    board = frame.board
    if board.labels:
        return [label(frame, square, name) for square, name in board.labels]
    labels: dict[tuple[str, int], str] = {}
    for square in range(len(board)):
        x, y = frame.corner(square)
        name = board.name(square)
        across, up = (name[1:], name[0]) if frame.turns % 2 else (name[0], name[1:])
        labels["x", x], labels["y", y] = across, up
    style = f'font-family="sans-serif" font-size="24" fill="{TEXT}" text-anchor="middle"'
    bottom = frame.top + CELL * frame.rows + 31
    return [
        f'<text x="{at + CELL // 2}" y="{bottom}" {style}>{label}</text>'
        if axis == "x"
        else f'<text x="{MARGIN // 2}" y="{at + CELL // 2 + 8}" {style}>{label}</text>'
        for (axis, at), label in labels.items()
    ]


def label(frame: Frame, square: int, name: str) -> str:
    """The name of a square in its corner, where squares are not named by files and ranks."""
    x, y = frame.corner(square)
    return f'<text x="{x + 6}" y="{y + 20}" font-family="sans-serif" font-size="17" fill="{TEXT}">{name}</text>'


def hand(game: Game, view: View, player: int, shown: tuple[Frame, Look]) -> list[str]:
    """The pieces a player holds, on that player's side of the board."""
    frame, look = shown
    is_lower = (player == 0) == (look.quarter_turns in (0, 1))
    y = frame.height - HAND - 6 if is_lower else 6
    parts = [f'<rect x="{MARGIN}" y="{y}" width="{CELL * frame.columns}" height="{HAND - 8}" rx="14" fill="#efe2c4"/>']
    for index, (letter, count) in enumerate(view.hands[player]):
        x = MARGIN + CELL * index
        parts.append(token(game, Piece(player, letter), x, y - 2, look))
        if count > 1:
            parts.append(
                f'<text x="{x + 84}" y="{y + 88}" font-family="sans-serif" font-size="30" font-weight="bold" '
                f'fill="{TEXT}">{count}</text>'
            )
    return parts


def token(game: Game, piece: Piece, x: int, y: int, look: Look | None) -> str:
    """One piece: a round token for the first player, a square one for the second, so that colour is not all.

    Art that faces one way is mirrored for nobody; the rim's dots point where the piece steps, if the look is known.
    """
    kind = game.kind[piece.letter]
    colours = game.colours[piece.player]
    style = f'fill="{colours.token}" stroke="{colours.ink}" stroke-width="3"'
    if piece.player == 0:
        outline = f'<circle cx="50" cy="50" r="43" {style}/>'
    else:
        outline = f'<rect x="9" y="9" width="82" height="82" rx="16" {style}/>'
    picture = art(game, kind).replace("currentColor", colours.ink).replace("var(--token)", colours.token)
    title = f"<title>{escape(game.players[piece.player])} {escape(kind.name)}</title>"
    rim = "".join(dots(kind, piece.player, look.quarter_turns, colours.ink)) if look else ""
    return f'<g transform="translate({x} {y})">{title}{outline}{picture}{rim}</g>'


def dots(kind: Kind, player: int, quarter_turns: int, ink: str) -> list[str]:
    """A dot on the token's rim for every step of a piece."""
    parts = []
    for files, ranks in kind.dots:
        angle = math.atan2(ranks, files) + math.pi * player - math.pi / 2 * quarter_turns
        radius = 39 if player == 0 else 36 / max(abs(math.cos(angle)), abs(math.sin(angle)))
        x, y = 50 + radius * math.cos(angle), 50 - radius * math.sin(angle)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{ink}"/>')
    return parts


@cache
def art(game: Game, kind: Kind) -> str:
    """What the picture of a kind contains, less its frame and title."""
    text = (game.folder / "art" / f"{kind.art}.svg").read_text(encoding="utf-8")
    inside = text[text.index(">", text.index("<svg")) + 1 : text.rindex("</svg>")]
    return re.sub(r"<title>.*?</title>", "", inside).strip()
