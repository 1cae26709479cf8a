"""Positions and turns as facts: what a client without rules draws, says aloud and chooses from."""

from collections import Counter
from collections.abc import Iterable, Sequence

from menagerie.errors import IllegalMove
from menagerie.game import ORDINALS, Game, Outcome, Piece, View
from menagerie.match.match import Match
from menagerie.position import Action, Position, Turn
from menagerie.server.facts import (
    ActionFact,
    ChangeFact,
    ChoiceFact,
    CountFact,
    FollowsFact,
    OutcomeFact,
    PieceFact,
    PositionFact,
    ReadySetup,
    SetupFact,
    StepFact,
    TurnFact,
)
from menagerie.server.sentences import tell

Hands = list[list[CountFact]]


def key_text(key: int) -> str:
    """A position's key as it travels: JavaScript has no such numbers."""
    return f"{key:016x}"


def outcome_fact(outcome: Outcome | None) -> OutcomeFact | None:
    """How it ended."""
    return OutcomeFact(winner=outcome.winner, reason=outcome.reason, words=outcome.words) if outcome else None


def position_fact(position: Position, outcome: Outcome | None, most: Position | None = None) -> PositionFact:
    """A position, with the pieces that are gone since `most` of them were there."""
    game = position.game
    return PositionFact(
        text=str(position),
        key=key_text(position.key),
        ply=position.ply,
        player=position.player,
        pieces=[piece_fact(game, square, piece) for square, piece in position.view.board.items()],
        hands=hands(position.view),
        lost=lost(most, position) if most and not game.hands else [[], []],
        in_check=position.check,
        check_squares=check_squares(position),
        outcome=outcome_fact(outcome),
        words=outcome.words if outcome else f"{game.players[position.player]} to move",
    )


def piece_fact(game: Game, square: int, piece: Piece) -> PieceFact:
    """A piece on its square."""
    return PieceFact(square=game.board.name(square), player=piece.player, letter=piece.letter)


def hands(view: View) -> Hands:
    """What both players hold."""
    return [[CountFact(letter=letter, count=count) for letter, count in hand] for hand in view.hands]


def check_squares(position: Position) -> list[str]:
    """Where the threatened pieces of the player to move stand."""
    if not position.check:
        return []
    game = position.game
    return [
        game.board.name(square)
        for square, piece in position.view.board.items()
        if piece.player == position.player and game.kind[piece.letter].is_royal
    ]


def lost(before: Position, now: Position) -> Hands:
    """Each player's pieces that are gone; one that has become another kind is not."""
    gone: Hands = []
    for player in range(2):
        had, has = (army(position, player) for position in (before, now))
        promoted = (has - had).total()
        missing = had - has
        for letter in sorted(missing, key=lambda letter: -missing[letter]):
            fewer = min(promoted, missing[letter])
            missing[letter] -= fewer
            promoted -= fewer
        gone.append([CountFact(letter=letter, count=count) for letter, count in missing.items() if count > 0])
    return gone


def army(position: Position, player: int) -> Counter[str]:
    """How many pieces of each kind a player has on the board."""
    return Counter(piece.letter for piece in position.view.board.values() if piece.player == player)


def step_fact(action: Action, after: Position) -> StepFact:
    """An action as it is drawn."""
    game, before, now = after.game, action.position.view.board, after.view.board
    squares = [square for square in {**before, **now} if before.get(square) != now.get(square)]
    gesture = action.gesture
    return StepFact(
        touches=list(gesture.touches),
        does=gesture.does,
        changes=[
            ChangeFact(
                square=game.board.name(square),
                before=piece_fact(game, square, before[square]) if square in before else None,
                after=piece_fact(game, square, now[square]) if square in now else None,
            )
            for square in squares
        ],
        hands=hands(after.view),
    )


def walk(position: Position, indices: Iterable[int]) -> tuple[list[Action], list[Position]]:
    """The actions one by one and the positions after them; an IllegalMove at the first that is not legal."""
    actions: list[Action] = []
    positions: list[Position] = []
    now = position
    for index in indices:
        if now.player != position.player:
            raise IllegalMove(str(position), f"action {index}", "the turn is over before it")
        if index not in now.indices:
            raise IllegalMove(str(position), f"action {index}", "there is no such action here")
        actions.append(Action(now, index))
        now = actions[-1].after
        positions.append(now)
    return actions, positions


def turn_fact(turn: Turn, spent_ms: int | None, outcome: Outcome | None) -> TurnFact:
    """A turn that was played."""
    actions, positions = walk(turn.position, turn.indices)
    steps = [step_fact(action, after) for action, after in zip(actions, positions, strict=True)]
    return TurnFact(
        ply=turn.position.ply,
        player=turn.position.player,
        actions=list(turn.indices),
        code=turn.code,
        name=str(turn),
        sentence=tell(turn.position, steps, positions[-1], outcome),
        steps=steps,
        check_squares=check_squares(positions[-1]),
        spent_ms=spent_ms,
    )


def follows(match: Match, indices: Sequence[int]) -> FollowsFact:
    """What follows some actions of the turn that is to be made."""
    actions, positions = walk(match.position, indices)
    now = positions[-1] if positions else match.position
    outcome = match.outcome if not positions else now.outcome
    return FollowsFact(
        actions=list(indices),
        steps=[step_fact(action, after) for action, after in zip(actions, positions, strict=True)],
        position=position_fact(now, outcome),
        choice=choice(match, now),
    )


def choice(match: Match, now: Position) -> ChoiceFact:
    """What can be done in the middle of a turn of this match, and whether it may end there."""
    game, mover = match.variant.game, match.position.player
    if now.player != mover or now.outcome:
        problem, has_begun = repetition(match, now), now is not match.position
        none_left = 0 if has_begun and actions_left(match.position) is not None else None
        return ChoiceFact(actions=[], is_whole=has_begun and not problem, problem=problem, actions_left=none_left)
    actions = [action_fact(action) for action in now.actions()]
    ending = next((action.id for action in actions if action.does == "pass"), None)
    has_begun = now is not match.position
    problem = ""
    if ending is not None:
        problem = repetition(match, Action(now, ending).after)
    elif has_begun:
        problem = game.notation.refusal(now.state, "pass") or "the turn goes on"
    return ChoiceFact(
        actions=actions,
        is_whole=False,
        problem=problem,
        finish=None if ending is None or problem else [ending],
        actions_left=actions_left(now),
        setup=setup(now) if game.setups and not has_begun else None,
    )


def actions_left(position: Position) -> int | None:
    """How many more actions a turn may have, where that is counted."""
    game = position.game
    return game.turn_notation.actions_left(position.state) if game.turn_notation else None


def action_fact(action: Action) -> ActionFact:
    """A legal action."""
    gesture = action.gesture
    return ActionFact(id=action.index, touches=list(gesture.touches), does=gesture.does)


def repetition(match: Match, after: Position) -> str:
    """Why history forbids a turn that ends here; empty where it does not."""
    if match.allows(after):
        return ""
    return f"it would make the same position for the {ORDINALS[match.variant.game.repetition.times]} time"


def setup(position: Position) -> SetupFact | None:
    """How an army is set up, where that is what the turn is for."""
    game = position.game
    squares: list[str] = []
    numbers: dict[str, int] = {}
    now = position
    for letter in next(iter(game.setups.values())):
        placing = {action.gesture.touches[0]: action for action in now.actions() if action.gesture.does == "drop"}
        if letter not in placing:
            return None
        squares.append(placing[letter].gesture.touches[1])
        numbers[letter] = placing[letter].index
        now = placing[letter].after
    ready = [ReadySetup(name=name, letters=list(letters)) for name, letters in game.setups.items()]
    return SetupFact(squares=squares, actions=numbers, ready=ready)
