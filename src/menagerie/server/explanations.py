"""Why something cannot be done, and what may have been meant instead."""

from collections import Counter
from collections.abc import Sequence
from difflib import get_close_matches

from menagerie.errors import IllegalMove, NotationError
from menagerie.game import Board
from menagerie.match.match import Match
from menagerie.position import Action, Position, Turn
from menagerie.server.scene import walk

NEAREST = 3
MOST_COMPARED = 400
"""Turns that a typed text is compared with; where there are more, its first action is."""


def why_not(match: Match, indices: Sequence[int], touches: Sequence[str]) -> str:
    """Why a hand cannot touch these, after some actions of the turn."""
    if match.outcome:
        return f"the match is over: {match.outcome}"
    _, positions = walk(match.position, indices)
    now = positions[-1] if positions else match.position
    game = match.variant.game
    if now.player != match.position.player:
        return "the turn is complete: it can be sent, or steps taken back"
    known = {*game.board.squares, *game.kind}
    if any(touch not in known for touch in touches):
        return "there is nothing to touch"
    if any(action.gesture.touches[: len(touches)] == tuple(touches) for action in now.actions()):
        return "that can be done"
    if len(touches) > 1:
        return reason(now, touches) or f"the piece on {touches[0]} does not go to {touches[-1]} in one move"
    if touches[0] not in game.board.squares:
        return f"there is no {game.kind[touches[0]].name} in hand that can be dropped"
    return lone_touch(now, touches[0])


def reason(position: Position, touches: Sequence[str]) -> str | None:
    """What the game says against such a move."""
    notation = position.game.notation
    text = notation.wish(position.state, touches)
    return notation.refusal(position.state, text) if text else None


def lone_touch(position: Position, square: str) -> str:
    """Why the piece on a square cannot move at all: what is said most often against its neighbouring squares."""
    game = position.game
    piece = position.piece_at(square)
    if piece is None:
        return f"there is no piece on {square}"
    if piece.player != position.player:
        return f"the {game.kind[piece.letter].name} on {square} is {game.players[piece.player]}'s"
    said = Counter(words for near in neighbours(game.board, square) if (words := reason(position, (square, near))))
    blocked = f"the {game.kind[piece.letter].name} on {square} has nowhere to go"
    return said.most_common(1)[0][0] if said else blocked


def neighbours(board: Board, square: str) -> list[str]:
    """The names of the squares around a square."""
    rank, file = divmod(board.squares[square], board.files)
    around = [(file + x, rank + y) for y in (1, 0, -1) for x in (-1, 0, 1) if x or y]
    inside = [(x, y) for x, y in around if 0 <= x < board.files and 0 <= y < board.ranks]
    return [board.names[board.files * y + x] for x, y in inside if board.files * y + x in board.names]


def read_typed(match: Match, text: str) -> Turn:
    """The turn that a text means; an IllegalMove or NotationError where it means none that may be played."""
    turn = match.position.find(" ".join(text.split()))
    if not match.allows(turn.after):
        raise IllegalMove(str(match.position), text, "it would repeat the position once too often")
    return turn


def nearest(match: Match, text: str) -> list[str]:
    """Legal turns, or first actions of turns, that are written nearly so."""
    position = match.position
    words = text.split()
    if not words or match.outcome:
        return []
    written = {str(action): action for action in position.actions()[:MOST_COMPARED]}
    prefix, wrong = sound_part(position, words)
    if prefix:
        written = {str(action): action for action in prefix[-1].after.actions()}
    close = get_close_matches(wrong, written, n=NEAREST, cutoff=0.4)
    return [" ".join([*map(str, prefix), name]) for name in close]


def sound_part(position: Position, words: Sequence[str]) -> tuple[list[Action], str]:
    """The actions at the beginning of a text that are legal, and the first word that is not."""
    actions: list[Action] = []
    now = position
    for word in words:
        try:
            action = now.find_action(word)
        except (IllegalMove, NotationError):
            return actions, word
        if action.after.player != position.player:
            break
        actions.append(action)
        now = action.after
    return actions, words[-1]
