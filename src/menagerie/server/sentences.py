"""What happens on the board in words, for people who listen instead of looking."""

from collections.abc import Sequence

from menagerie.game import Game, Outcome
from menagerie.position import Position
from menagerie.server.facts import ChangeFact, PieceFact, StepFact


def tell(before: Position, steps: Sequence[StepFact], after: Position, outcome: Outcome | None) -> str:
    """A turn in a sentence, with check and result."""
    game = before.game
    if len(steps) > 1 and all(step.does == "drop" for step in steps):
        clauses = [f"sets up {len(steps)} pieces"]
    else:
        clauses = [clause for step in steps for clause in step_clauses(game, before.player, step)]
    parts = [f"{game.players[before.player]}: {', '.join(clauses) or 'passes'}."]
    if outcome:
        parts.append(f"{outcome.words}.")
    elif after.check:
        parts.append("Check.")
    return " ".join(parts)


def step_clauses(game: Game, player: int, step: StepFact) -> list[str]:
    """What one action does: who goes where, what is pushed, taken, lost, and what a piece becomes."""
    arrived = [change for change in step.changes if change.after and change.after != change.before]
    if step.does == "drop" and arrived:
        clauses = [f"{name(game, arrived[0].after)} dropped on {arrived[0].square}"]
    elif step.does == "push":
        clauses = pushes(game, step)
    else:
        clauses = [walk(game, step, arrived)] if step.touches else []
    for change in step.changes:
        if change.before and not change.after and change.square not in step.touches:
            clauses.append(removal(game, player, step, change))
    return clauses


def removal(game: Game, player: int, step: StepFact, change: ChangeFact) -> str:
    """A piece that is taken, or lost by itself."""
    assert change.before
    text = f"{name(game, change.before)} on {change.square}"
    if step.does == "capture" and change.before.player != player:
        return f"takes {text}"
    whose = "" if change.before.player == player else f"{game.players[change.before.player]}'s "
    return f"{whose}{text} is lost"


def walk(game: Game, step: StepFact, arrived: Sequence[ChangeFact]) -> str:
    """A piece that goes from one square to another, takes what stands there, becomes another kind."""
    origin, target = step.touches[0], step.touches[-1]
    mover = next((change.before for change in step.changes if change.square == origin), None)
    there = next((change for change in arrived if change.square == target), None)
    text = f"{name(game, mover)} {origin} to {target}"
    if there and there.before:
        text += f", takes {name(game, there.before)}"
    if there and there.after and mover and there.after.letter != mover.letter:
        text += f", becomes {name(game, there.after)}"
    return text


def pushes(game: Game, step: StepFact) -> list[str]:
    """Who goes where, and who is pushed from where to where; the last two touches are the push."""
    before = {change.square: change.before for change in step.changes}
    *walked, origin, target = step.touches
    clauses = [f"{name(game, before[walked[0]])} {' to '.join(walked)}"] if len(walked) > 1 else []
    return [*clauses, f"{name(game, before.get(origin))} pushed from {origin} to {target}"]


def name(game: Game, piece: PieceFact | None) -> str:
    """What a piece is called."""
    return game.kind[piece.letter].name if piece else "a piece"
