"""One command, `menagerie`."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from menagerie import terminal
from menagerie.errors import MenagerieError
from menagerie.games import find, names
from menagerie.kernel import cache
from menagerie.match.match import Match, read_all, read_leniently
from menagerie.position import Action, Playouts, Position, Turn
from menagerie.variant import Variant, variants

app = typer.Typer(add_completion=False)
console = Console(highlight=False)
notes = Console(stderr=True, highlight=False)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's name; `menagerie games` lists them.")]
PositionText = Annotated[str | None, typer.Argument(metavar="[POSITION]", help="A position's text; the start if none.")]
RulesText = Annotated[str, typer.Option("--rules", help="Rule options: name=value,... or the name of a rule set.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]

UsageError: Any = typer.BadParameter.__base__
"""Whatever is wrong with the words of a command; typer exports only this kind of it."""

CHUNK = 500
"""Playouts between two looks at the progress bar."""


def main() -> None:
    """Run the command; whatever is wrong with the input is one sentence on stderr and exit code 2."""
    cache.watchers.append(say_compiling)
    try:
        app(standalone_mode=False)
    except typer.Exit as stop:
        sys.exit(stop.exit_code)
    except UsageError as error:
        fail(error.format_message())
    except MenagerieError as error:
        fail(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except UnicodeDecodeError as error:
        fail(f"the file is not text in UTF-8: byte {error.start + 1}")
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(130)


def fail(message: str) -> None:
    """One sentence on stderr, and exit code 2."""
    print(f"menagerie: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(2)


@app.callback(invoke_without_command=True)
def help_if_alone(context: typer.Context) -> None:
    """Five board games: rules, boards, counts and play."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def games() -> None:
    """List the games, their players and rule options."""
    table = Table(box=None, pad_edge=False)
    for heading in ("name", "title", "players", "rule options (default first)"):
        table.add_column(heading)
    for variant in variants():
        game = variant.game
        options = [f"{name} = {' | '.join(game.options.values(name))}" for name in game.options.names()]
        options += [f"rule set {name}" for name in game.rule_sets]
        table.add_row(game.name, game.title, " and ".join(game.players), "\n".join(options) or "none")
    console.print(table)


@app.command()
def show(
    game: GameName,
    position: PositionText = None,
    rules: RulesText = "",
    svg: Annotated[Path | None, typer.Option(help="Write a picture to this file instead.")] = None,
    quarter_turns: Annotated[int, typer.Option(help="Turn the picture clockwise by quarters.")] = 0,
    view: Annotated[str, typer.Option(help="A view of the game's own, for the picture.")] = "",
) -> None:
    """Show a position."""
    shown = find_position(game, position, rules)
    if svg:
        svg.write_text(shown.svg(quarter_turns, view=view), encoding="utf-8")
    else:
        terminal.show(shown, console)


@app.command()
def moves(
    game: GameName,
    position: PositionText = None,
    rules: RulesText = "",
    people: Annotated[bool, typer.Option("--people", help="As people write them.")] = False,
) -> None:
    """Print the legal turns, one per line."""
    for turn in find_position(game, position, rules).turns():
        print(str(turn) if people else turn.code)


@app.command()
def perft(
    game: GameName,
    depth: Annotated[int, typer.Argument(help="How many actions (or turns) deep.")],
    position: Annotated[str | None, typer.Option(help="A position's text; the start if none.")] = None,
    rules: RulesText = "",
    turns: Annotated[bool, typer.Option("--turns", help="Count distinct turns, not actions.")] = False,
    divide: Annotated[bool, typer.Option("--divide", help="Also count by the first move.")] = False,
    as_json: AsJson = False,
) -> None:
    """Count the lines that lead on from a position."""
    root = find_position(game, position, rules)
    root.perft(min(depth, 1), turns)  # Compiled, and the depth refused, before the clock starts.
    begun = time.perf_counter()
    counts = [] if depth == 0 else count_by_first(root, depth, turns)
    nodes = 1 if depth == 0 else sum(count for _, count in counts)
    seconds = time.perf_counter() - begun
    speed = nodes / max(seconds, 1e-9)
    if as_json:
        result: dict[str, object] = {
            "game": game,
            "rules": root.options.in_full(),
            "position": str(root),
            "depth": depth,
            "turns": turns,
        }
        result |= {"nodes": nodes, "seconds": round(seconds, 6), "nodes_per_second": round(speed)}
        print(json.dumps(result | ({"divide": {first.code: count for first, count in counts}} if divide else {})))
        return
    for first, count in counts if divide else ():
        print(f"{first.code}: {count}")
    print(f"{nodes} nodes in {seconds:.3f} s, {speed / 1e6:.1f} M nodes/s")


def count_by_first(root: Position, depth: int, turns: bool) -> list[tuple[Action | Turn, int]]:
    """Each first move with the lines it begins; a bar shows how far it is."""
    counts = []
    with progress_bar(f"perft {depth}", len(root.turns() if turns else root.indices)) as advance:
        for first, count in root.divide(depth, turns):
            counts.append((first, count))
            advance(1)
    return counts


@app.command()
def playouts(
    game: GameName,
    position: PositionText = None,
    rules: RulesText = "",
    count: Annotated[int, typer.Option(min=1, max=10**9, help="How many games.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="The same seed gives the same games.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Play random games and say how they ended."""
    root = find_position(game, position, rules)
    root.playouts(1, seed)
    begun = time.perf_counter()
    total = root.playouts(0, seed)
    with progress_bar("playouts", count) as advance:
        for first in range(0, count, CHUNK):
            games = min(CHUNK, count - first)
            total += root.playouts(games, seed, first)
            advance(games)
    seconds = time.perf_counter() - begun
    report_playouts(root, total, seconds, as_json)


def report_playouts(root: Position, total: Playouts, seconds: float, as_json: bool) -> None:
    """Print what came of random games."""
    speed = total.steps / max(seconds, 1e-9)
    if as_json:
        ends = [{"reason": reason, "winner": winner, "games": games} for reason, winner, games in total.ends]
        result: dict[str, object] = {"game": root.game.name, "rules": root.options.in_full(), "position": str(root)}
        result |= {"games": total.games, "steps": total.steps, "turns": total.turns, "longest": total.longest}
        print(json.dumps(result | {"ends": ends, "seconds": round(seconds, 6), "steps_per_second": round(speed)}))
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("winner", "reason", "games", "share"):
        table.add_column(heading, justify="right" if heading in ("games", "share") else "left")
    for reason, winner, games in sorted(total.ends, key=lambda end: -end[2]):
        name = "nobody" if winner is None else root.game.players[winner]
        table.add_row(name, reason, str(games), f"{games / total.games:.1%}")
    console.print(table)
    mean = total.turns / total.games
    print(f"{total.games} games, {mean:.1f} turns on average, {total.longest} at most")
    print(f"{total.steps} steps in {seconds:.3f} s, {speed / 1e6:.2f} M steps/s")


@app.command()
def play(
    game: GameName,
    position: PositionText = None,
    rules: RulesText = "",
    against: Annotated[str, typer.Option(help="Who sits opposite: random or person.")] = "random",
    second: Annotated[bool, typer.Option("--second", help="Take the second player's side.")] = False,
    seed: Annotated[int | None, typer.Option(help="Makes the machine's choices repeatable.")] = None,
) -> None:
    """Play in the terminal."""
    if against not in ("random", "person"):
        raise MenagerieError(f"--against is random or person, not {against!r}")
    start = find_position(game, position, rules)
    human = terminal.person(console)
    rival = human if against == "person" else terminal.random_mover(time.time_ns() if seed is None else seed)
    players = (rival, human) if second else (human, rival)
    people = (against == "person" or not second, against == "person" or second)
    match = Match(Variant(start.game, start.options), start, automatic=against != "person")
    terminal.play(match, players, people, console)


@app.command()
def records(
    file: Annotated[Path, typer.Argument(help="A file of game records.")],
    game: Annotated[str | None, typer.Option(help="The game, where the file does not name it.")] = None,
    rules: RulesText = "",
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Read a faulty record up to its fault, and say so.")
    ] = False,
) -> None:
    """Check the game records of a file and print them in their canonical form."""
    variant = Variant(find(game), find(game).agreed(rules)) if game else None
    text = file.read_bytes().decode("utf-8", errors="replace" if lenient else "strict")
    for count, match in enumerate((read_leniently if lenient else read_all)(text, variant), 1):
        print(match.record())
        if match.fault:
            print(f"menagerie: game {count} was read up to a fault: {match.fault}", file=sys.stderr)


@app.command()
def warm() -> None:
    """Compile everything now, so that nothing has to be compiled later."""
    begun = time.perf_counter()
    with progress_bar("compiling", len(names()), at_once=True) as advance:
        for name in names():
            warm_game(name)
            advance(1)
    print(f"{len(names())} games ready in {time.perf_counter() - begun:.1f} s: {cache.folder()}")


def warm_game(name: str) -> None:
    """Go through everything of a game that is compiled."""
    root = find_position(name, None, "")
    root.perft(1)
    root.perft_played(1)
    root.playouts(1)
    match = Match(Variant(root.game, root.options))
    mover = terminal.random_mover(seed=0)
    for _ in range(3):
        match.play(mover(match) or "")
    Match.read(match.record())
    find_position(name, str(match.position), "").turns()
    root.game.rules.outcome(root.state)
    _ = match.position.check


def find_position(name: str, text: str | None, rules: str) -> Position:
    """The position that the arguments name."""
    game = find(name)
    variant = Variant(game, game.agreed(rules))
    return variant.start() if text is None else variant.position(text)


@contextmanager
def progress_bar(what: str, total: int, at_once: bool = False) -> Iterator[Callable[[int], None]]:
    """A bar on stderr for work that takes long; nothing where nobody looks."""
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
    with Progress(*columns, TimeRemainingColumn(), console=notes, transient=True, disable=True) as progress:
        task = progress.add_task(what, total=total)
        begun = time.perf_counter()

        def advance(amount: int) -> None:
            if progress.disable and notes.is_terminal and (at_once or time.perf_counter() - begun > 1):
                progress.disable = False
                progress.start()
            progress.advance(task, amount)

        yield advance


def say_compiling(_: str) -> None:
    """Tell a person, once, why the first run takes a moment."""
    cache.watchers.remove(say_compiling)
    if notes.is_terminal:
        notes.print("[dim]compiling the rules, once for this version …[/]")


if __name__ == "__main__":
    main()
