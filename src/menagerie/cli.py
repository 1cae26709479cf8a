"""One command, `menagerie`."""

import json
import os
import random
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from io import TextIOWrapper
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.live import Live
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from menagerie import terminal
from menagerie.arena import contest, ladder, report
from menagerie.arena.contest import Contest, Score
from menagerie.arena.elo import Sprt
from menagerie.arena.players import random_turn, read_player
from menagerie.arena.referee import LONGEST, Control, read_clock
from menagerie.errors import MenagerieError, RecordError
from menagerie.games import find, names
from menagerie.kernel import cache
from menagerie.kernel.judgement import digest, read_weights
from menagerie.learn import tune
from menagerie.learn.selfplay import Practice
from menagerie.match.match import Match, read_all, read_leniently
from menagerie.match.record import decode
from menagerie.position import Action, Playouts, Position, Turn
from menagerie.protocols import CONVERSATIONS, conversation
from menagerie.search.engine import Settings, engine
from menagerie.search.limits import Limit, strength
from menagerie.solve import check as checking
from menagerie.solve import checkpoint, table, tablebase
from menagerie.solve.solver import Progress as SolverProgress
from menagerie.solve.solver import Solver, endgame_of
from menagerie.solve.tablebase import Tablebase
from menagerie.variant import Variant, variants

app = typer.Typer(add_completion=False)
console = Console(highlight=False, markup=False, emoji=False)
notes = Console(stderr=True, highlight=False, markup=False, emoji=False)
"""Text is printed as it is: people, files and other programs write brackets too."""

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's name; `menagerie games` lists them.")]
PositionText = Annotated[str | None, typer.Argument(metavar="[POSITION]", help="A position's text; the start if none.")]
RulesText = Annotated[str, typer.Option("--rules", help="Rule options: name=value,... or the name of a rule set.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
PlayerText = Annotated[
    str,
    typer.Argument(
        metavar="PLAYER", help="level=5, or nodes=10000,threads=2, or random, or uci:COMMAND;Option=value (usi:, aei:)."
    ),
]
Processes = Annotated[int, typer.Option(min=1, max=1024, help="How many games at a time, each in its own process.")]
Seed = Annotated[int, typer.Option(min=0, max=2**31, help="The same seed gives the same openings.")]
RecordsFile = Annotated[
    Path | None, typer.Option("--records", help="Add the games to this file; those already in it are not played again.")
]

UsageError: Any = typer.BadParameter.__base__
"""Whatever is wrong with the words of a command; typer exports only this kind of it."""

CHUNK = 500
"""Playouts between two looks at the progress bar."""


def about(setting: str) -> str:
    """What the engine says of one of its settings."""
    return f"{Settings.__dataclass_fields__[setting].metadata['about']}."


def main() -> None:
    """Run the command; whatever is wrong with the input is one sentence on stderr and exit code 2."""
    cache.watchers.append(say_compiling)
    warnings.formatwarning = lambda message, *_, **__: f"menagerie: {message}\n"
    try:
        if code := app(standalone_mode=False):  # What a typer.Exit says is returned; every command returns nothing.
            sys.exit(code)
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
    against: Annotated[
        str,
        typer.Option(
            help="Who sits opposite: a level from 1 (gentle) to 8 (the strongest), person, or a player as in "
            "`match`, like random or uci:fairy-stockfish."
        ),
    ] = "2",
    second: Annotated[bool, typer.Option("--second", help="Take the second player's side.")] = False,
    seed: Annotated[int | None, typer.Option(help="Makes the machine's choices repeatable.")] = None,
) -> None:
    """Play in the terminal."""
    take_any_bytes()
    start = find_position(game, position, rules)
    variant, human = Variant(start.game, start.options), terminal.person(console)
    match = Match(variant, start, automatic=against != "person")
    if against == "person":
        terminal.play(match, (human, human), (True, True), console)
        return
    if against.isdigit():
        strength(int(against))  # Settings know a level 0, which is none.
        against = f"level={against}"
    with closing(read_player(against).make(variant)) as machine:
        machine.new_game(time.time_ns() % 2**31 if seed is None else seed)
        match.tags[variant.game.players[int(not second)]] = machine.name
        rival = terminal.machine(machine)
        terminal.play(match, (rival, human) if second else (human, rival), (not second, second), console)


@app.command("engine")
def run_engine(
    game: GameName,
    protocol: Annotated[str, typer.Option(help=f"What it speaks: {', '.join(CONVERSATIONS)}.")] = "uci",
    rules: RulesText = "",
    level: Annotated[int, typer.Option(help=about("level"))] = Settings.level,
    threads: Annotated[int, typer.Option(help=about("threads"))] = Settings.threads,
    megabytes: Annotated[int, typer.Option(help=about("megabytes"))] = Settings.megabytes,
) -> None:
    """Run an engine that other programs talk to, line by line, over its input and output."""
    known = find(game)
    settings = Settings(threads=threads, megabytes=megabytes, level=level)
    talk = conversation(Variant(known, known.agreed(rules)), protocol, settings, write_line)
    take_any_bytes()
    raise typer.Exit(talk.hold(sys.stdin))


def take_any_bytes() -> None:
    """What is no text in UTF-8 is read as signs that stand for it, and refused with the line it stands in."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


def write_line(line: str) -> None:
    """Print a whole line at once; nobody may be there to read it any more."""
    try:
        print(line, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@app.command()
def records(
    file: Annotated[Path, typer.Argument(help="A file of game records.")],
    game: Annotated[str | None, typer.Option(help="The game, where the file does not name it.")] = None,
    rules: RulesText = "",
    lenient: Annotated[
        bool,
        typer.Option(
            "--lenient", help="Read a faulty record up to its fault, or leave it out if its tags are faulty; say so."
        ),
    ] = False,
) -> None:
    """Check the game records of a file and print them in their canonical form."""
    variant = Variant(find(game), find(game).agreed(rules)) if game else None
    content = file.read_bytes()
    if not lenient:
        for match in read_all(decode(content), variant):
            print(match.record())
        return
    for count, found in enumerate(read_leniently(content.decode("utf-8", errors="replace"), variant), 1):
        if isinstance(found, RecordError):
            print(f"menagerie: game {count} was left out: {found}", file=sys.stderr)
            continue
        print(found.record())
        if found.fault:
            print(f"menagerie: game {count} was read up to a fault: {found.fault}", file=sys.stderr)


@app.command("match")
def play_match(
    game: GameName,
    first: PlayerText,
    second: PlayerText,
    games: Annotated[int, typer.Option(min=2, max=10**6, help="How many, two for each opening.")] = 100,
    seconds: Annotated[float | None, typer.Option(help="Seconds for each turn.")] = None,
    clock: Annotated[
        str, typer.Option(help="Seconds for the game, and added after each turn: 60+1; or for 40 turns: 40/60+1.")
    ] = "",
    nodes: Annotated[int | None, typer.Option(help="Nodes for each turn.")] = None,
    depth: Annotated[int | None, typer.Option(help="Depth in actions for each turn.")] = None,
    openings: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=40,
            help="Random turns at the beginning, or turns of the book; as the game needs, or all of them.",
        ),
    ] = None,
    book: Annotated[
        str,
        typer.Option(
            help="A file that games begin with, instead of random turns: records, or .fen with a position on each line."
        ),
    ] = "",
    seed: Seed = 1,
    sprt: Annotated[
        str,
        typer.Option(
            help="Stop when it is clear which of two Elo differences is true: 0,30; with alpha and beta 0,30,0.05,0.1."
        ),
    ] = "",
    records: RecordsFile = None,
    processes: Processes = 2,
    longest: Annotated[int, typer.Option(min=1, max=10**5, help="Plies after which a game is a draw.")] = LONGEST,
    margin: Annotated[float, typer.Option(min=0, max=60, help="Seconds that an answer may come late.")] = 0.0,
    rules: RulesText = "",
    as_json: AsJson = False,
) -> None:
    """Play a match between two players: each opening twice with the colours swapped, Elo with error bars."""
    if seconds and clock:
        raise MenagerieError("--seconds and --clock do not go together")
    control = Control(Limit(depth, nodes, seconds), read_clock(clock) if clock else None, longest, margin)
    chosen = Contest(game, (first, second), rules, control, openings, seed, book)
    test = Sprt.read(sprt) if sprt else None
    pairs = pairs_of(games)
    score, failure = watch_contest(chosen, pairs, processes, test, records)
    if as_json:
        print(json.dumps(report.as_data(chosen, score, test)))
    else:
        console.print(report.table(chosen, pairs, score, test), soft_wrap=True)
    if failure:
        raise failure
    if score.games < 2 * pairs and not (test and test.verdict(score.tally)):
        print(f"menagerie: there are only {score.games // 2} different openings", file=sys.stderr)


@app.command("ladder")
def climb(
    game: GameName,
    games: Annotated[int, typer.Option(min=2, max=10**6, help="How many for each level, two for each opening.")] = 200,
    level: Annotated[
        list[int] | None, typer.Option(min=2, max=8, help="Only this level against the one below; may be repeated.")
    ] = None,
    seed: Seed = 1,
    records: RecordsFile = None,
    processes: Processes = 2,
    rules: RulesText = "",
    out: Annotated[Path | None, typer.Option(help="Where the results go; the game's folder if not given.")] = None,
) -> None:
    """Play each level against the one below it, and keep the results as data."""
    how = f"--games {games} --seed {seed}" + (f" --rules {rules}" if rules else "")
    file, pairs = out or ladder.place(find(game)), pairs_of(games)
    rungs = ladder.read(file)
    for rung in level or ladder.RUNGS:
        steps = ladder.contest(game, rules, rung, seed)
        score, failure = watch_contest(steps, pairs, processes, None, records)
        print(f"level {rung} against {rung - 1}, {score.games} games: Elo {report.strength(score.tally)}", flush=True)
        if failure:
            raise failure
        rungs[rung] = ladder.Rung.of(rung, score, f"menagerie ladder {game} --level {rung} {how}")
        ladder.write(file, rungs)
    print(f"written to {file}")


def pairs_of(games: int) -> int:
    """How many openings so many games are."""
    if games % 2:
        raise MenagerieError(f"each opening is played twice, so --games is an even number, not {games}")
    return games // 2


def watch_contest(
    chosen: Contest, pairs: int, processes: int, test: Sprt | None, records: Path | None
) -> tuple[Score, BaseException | None]:
    """Play a contest under people's eyes; how it stands, and what ended it before its end, once there is a result."""
    score = Score()
    try:
        with (
            Live(console=notes, transient=True, auto_refresh=False) as live,
            closing(contest.run(chosen, pairs, processes, test, records)) as scores,
            interruption() as interrupted,
        ):
            for score in scores:
                if interrupted():
                    return score, SystemExit(130)
                if notes.is_terminal:
                    live.update(report.table(chosen, pairs, score, test), refresh=True)
    except KeyboardInterrupt:
        return score, SystemExit(130)
    except Exception as failure:
        if not score.games:
            raise
        return score, failure
    return score, None


@contextmanager
def interruption() -> Iterator[Callable[[], bool]]:
    """Whether somebody typed Ctrl-C: Python drops the exception where it falls into a finalizer or a callback."""
    heard = []

    def hear(*_: object) -> NoReturn:
        heard.append(True)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, hear)
    try:
        yield lambda: bool(heard)
    finally:
        signal.signal(signal.SIGINT, before)


@app.command("tune")
def tune_weights(
    game: GameName,
    games: Annotated[int, typer.Option(min=10, max=10**7, help="How many games of self-play a round.")] = 2000,
    nodes: Annotated[int, typer.Option(min=10, max=10**8, help="Nodes for each turn, more or less.")] = 2000,
    rounds: Annotated[int, typer.Option(min=1, max=100, help="Self-play with what the round before has found.")] = 1,
    seed: Seed = 1,
    processes: Processes = 2,
    rules: RulesText = "",
    doubt: Annotated[
        float | None,
        typer.Option(min=0.001, max=100, help="How much to doubt the old weights; as fits best if not given."),
    ] = None,
    scale_only: Annotated[bool, typer.Option("--scale-only", help="Only make win chances true again.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Only say how true win chances are; write nothing.")] = False,
    start: Annotated[Path | None, typer.Option(help="The weights to start from; the game's own if not given.")] = None,
    out: Annotated[Path | None, typer.Option(help="Where the weights go; the game's folder if not given.")] = None,
) -> None:
    """Tune a game's judgement on the results of self-play: its weights, and the scale of win chances."""
    chosen = find(game)
    tune.refuse_without_terms(chosen)
    words = [f"menagerie tune {game} --games {games} --nodes {nodes} --seed {seed}"]
    words += ["--scale-only"] if scale_only else [f"--rounds {rounds}"]
    words += [f"--doubt {doubt}"] if doubt else []
    words += [f"--rules {rules}"] if rules else []
    practice, doubts = Practice(game, rules, nodes, seed), (doubt,) if doubt else tune.DOUBTS
    tuning = tune.Tuning(practice, games, processes, progress_bar, console.print, doubts)
    old = read_weights(start, chosen.judgement.TERMS) if start else chosen.weights
    words += [f"--start {start.name}"] if start else []
    words += [f"# from {digest(old)}"]
    if check:
        tune.check(tuning, old)
        return
    new = tune.calibrate(tuning, old, 0, games) if scale_only else tune.tune(tuning, old, rounds)
    for line in tune.changes(chosen, old, new) if not scale_only else ():
        print(line)
    file = out or tune.place(chosen)
    tune.write(new, chosen, file, " ".join(words))
    print(f"written to {file}")


@app.command("solve")
def solve_game(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="The game; not with --check.")] = None,
    rules: RulesText = "",
    until: Annotated[str, typer.Option(help="Only the endings up to this part; `--parts` lists them.")] = "",
    parts: Annotated[bool, typer.Option("--parts", help="Only list the parts.")] = False,
    device: Annotated[str, typer.Option(help="Where to work: cpu or cuda.")] = "cpu",
    threads: Annotated[int, typer.Option(min=0, max=1024, help="Threads; 0: as many as there are cores.")] = 0,
    out: Annotated[Path | None, typer.Option(help="The table's file; where tables are kept if not given.")] = None,
    compress: Annotated[bool, typer.Option("--compress", help="Also write the download form, FILE.xz.")] = False,
    check: Annotated[Path | None, typer.Option(help="Derive every entry of this table again, nothing else.")] = None,
) -> None:
    """Work out what is proven of every position, and keep it as a table; a killed run goes on where it was."""
    if (game is None) == (check is None):
        raise MenagerieError("either name a game to solve, or a table with --check")
    if check:
        check_table(check, threads)
        return
    variant = Variant(find(game or ""), find(game or "").agreed(rules))
    if parts:
        for part in endgame_of(variant).parts():
            print(f"{part.name}: {part.last - part.first:,} places")
        return
    file = out or tablebase.place_of(variant)
    if not out:
        file.parent.mkdir(parents=True, exist_ok=True)
    seconds, on_device = solve_into(file, solver_on(device, variant, until, threads))
    facts = table.read_facts(file)[0]
    values = table.totals(facts)
    print(f"{sum(values.values()):,} positions: " + ", ".join(f"{n:,} {word}" for word, n in values.items()))
    print(f"longest win {table.longest(facts)} plies; {seconds:.1f} s; {file.stat().st_size / 1e6:.1f} MB in {file}")
    if on_device:
        print(f"{on_device:.3f} s of work on the device, compiling included")
    start = Tablebase(variant, file).get(variant.start())
    if start:
        print(f"the start: {start}")
    if compress:
        small = compress_table(file)
        print(f"{small.stat().st_size / 1e6:.1f} MB in {small}")


def solve_into(file: Path, solver: Solver) -> tuple[float, float]:
    """Make a table under people's eyes; the seconds it took, and those of work on a device of its own."""
    begun = time.perf_counter()
    with solving_bar() as show:
        for progress in checkpoint.make(solver, file, say=partial(notes.print, soft_wrap=True)):
            show(progress)
    return time.perf_counter() - begun, solver.device_seconds


def compress_table(file: Path) -> Path:
    """Write the download form of a table under people's eyes; where it is."""
    with progress_bar("compressing", file.stat().st_size) as advance:
        for size in table.compress(file):
            advance(size)
    return table.small(file)


def solver_on(device: str, variant: Variant, until: str, threads: int) -> Solver:
    """The solver for a device."""
    if device == "cpu":
        return Solver(variant, until, threads)
    if device != "cuda":
        raise MenagerieError(f"there is no device {device!r}; it is cpu or cuda")
    try:
        from menagerie.solve.cuda import CudaSolver  # noqa: PLC0415 - only where there is a device
    except ImportError as error:
        raise MenagerieError("CUDA devices need a recent numba-cuda, the extra `cuda` of this package") from error
    return CudaSolver(variant, until)


def check_table(file: Path, threads: int) -> None:
    """Check a table under people's eyes; exit code 1 where an entry is wrong."""
    with progress_bar("checking", table.read_facts(file)[0].places) as advance:
        seen = 0
        for checked in checking.check(file, threads):
            advance(checked.seen - seen)
            seen = checked.seen
    print(f"{checked.positions:,} positions derived again from their successors: {checked.wrong:,} entries are wrong")
    if checked.wrong:
        print(f"the first wrong one is at place {checked.first_wrong}")
        raise typer.Exit(1)


@contextmanager
def solving_bar() -> Iterator[Callable[[SolverProgress], None]]:
    """A bar on stderr: how much is done, how long it still takes; each round's line above it. Else only these lines."""
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
    with Progress(*columns, TimeRemainingColumn(), console=notes, disable=not notes.is_terminal) as bar:
        task = bar.add_task("solving", total=1.0)

        def show(progress: SolverProgress) -> None:
            what = "survey" if progress.plies < 0 else f"round {progress.plies}"
            words = f"{progress.part}: {what}, {progress.decided:,} decided"
            done = max(progress.share, bar.tasks[task].completed)
            bar.update(task, description=words, completed=done, refresh=progress.is_round)
            if progress.is_round:
                notes.print(str(progress), style="dim")

        yield show
        bar.update(task, completed=1)


@app.command()
def probe(
    game: GameName,
    position: PositionText = None,
    rules: RulesText = "",
    file: Annotated[Path | None, typer.Option("--table", help="The table; the one that is kept if not given.")] = None,
    line: Annotated[bool, typer.Option("--line", help="Also how the game goes on when both play perfectly.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say what is proven of a position, and what each turn is worth."""
    asked = find_position(game, position, rules)
    variant = Variant(asked.game, asked.options)
    base = Tablebase(variant, file) if file else Tablebase.find(variant)
    if base is None:
        endgame_of(variant)
        command = f"menagerie solve {game}" + (f" --rules {rules}" if rules else "")
        raise MenagerieError(f"there is no table of {variant}: make it with `{command}`")
    verdict, choices = base.probe(asked), base.choices(asked)
    turns = base.line(asked) if line else ()
    if as_json:
        moves = [{"turn": c.turn.code, "value": c.verdict.value, "plies": c.verdict.plies} for c in choices]
        result: dict[str, object] = {"position": str(asked), "value": verdict.value, "plies": verdict.plies}
        print(json.dumps(result | {"turns": moves} | ({"line": [turn.code for turn in turns]} if line else {})))
        return
    print(verdict)
    for choice in choices:
        print(f"  {choice.turn}  {choice.verdict}")
    if untold := len(asked.turns()) - len(choices):
        print(f"  {untold} more: the draw for want of progress may come before what the table says of them")
    if line:
        print(" ".join(str(turn) for turn in turns))


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8000,
    database: Annotated[str, typer.Option(help="sqlite:///FILE or postgresql://...; your own file if not given.")] = "",
    redis: Annotated[str, typer.Option(help="redis://... where several servers or machines share the load.")] = "",
    workers: Annotated[int, typer.Option(min=0, max=256, help="Engine processes of this server.")] = 1,
    pages: Annotated[Path | None, typer.Option(help="The built pages of the browser client.")] = None,
    proxies: Annotated[str, typer.Option(help="Addresses of trusted proxies, with commas.")] = "127.0.0.1",
    unlimited: Annotated[bool, typer.Option("--unlimited", help="No limits on rates, for measurements.")] = False,
) -> None:
    """Serve the site: games between people and against the machine, in a browser."""
    from menagerie.server import serving, settings  # noqa: PLC0415 - playing in a terminal needs none of it

    chosen = settings.Settings(
        host=host,
        port=port,
        database=database or settings.default_database(),
        redis=redis or None,
        workers=workers,
        pages=pages or settings.default_pages(),
        proxies=proxies,
        unlimited=unlimited,
    )
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0") else host
    notes.print(f"Menagerie is starting, and will be at http://{shown}:{port}/")
    serving.serve(chosen)


@app.command()
def work(
    redis: Annotated[str, typer.Option(help="redis://... where the servers put their jobs.")],
    workers: Annotated[int, typer.Option(min=1, max=256, help="Engine processes.")] = 1,
) -> None:
    """Find the machine's turns for servers elsewhere."""
    from menagerie.server import serving  # noqa: PLC0415 - playing in a terminal needs none of it

    serving.work(redis, workers)


@app.command()
def warm() -> None:
    """Compile everything now, so that nothing has to be compiled later."""
    begun = time.perf_counter()
    crew = ProcessPoolExecutor(min(len(names()), os.cpu_count() or 1), get_context("spawn"))
    with progress_bar("compiling", len(names()), at_once=True) as advance, crew:
        for _ in crew.map(warm_game, names()):
            advance(1)
    print(f"{len(names())} games ready in {time.perf_counter() - begun:.1f} s: {cache.folder()}")


def warm_game(name: str) -> None:
    """Go through everything of a game that is compiled."""
    root = find_position(name, None, "")
    root.perft(1)
    root.perft_played(1)
    root.playouts(1)
    match = Match(Variant(root.game, root.options))
    for _ in range(3):
        match.play(random_turn(match, random.Random(0)))
    Match.read(match.record())
    find_position(name, str(match.position), "").turns()
    root.game.rules.outcome(root.state)
    _ = match.position.check
    engine(match.variant, depth=1).choose(root)


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
        notes.print("compiling the rules, once for this version …", style="dim")


if __name__ == "__main__":
    main()
