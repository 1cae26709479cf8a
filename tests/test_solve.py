"""Tables: places and their inverse, the analysis beside brute force, files, resuming, and perfect play."""

import ast
import errno
import json
import lzma
import os
import pty
import random
import re
import signal
import struct
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import cache
from importlib import import_module
from itertools import pairwise, product
from pathlib import Path
from threading import Event
from types import ModuleType

import endings
import fewer
import numpy as np
import perfection
import proof
import pytest
from fake_cuda import FakeCuda
from rule_sets import covering, every
from twins import backward

import menagerie
from menagerie import Match, Position, Variant, cli
from menagerie.errors import MenagerieError, TableError, UselessTable
from menagerie.game import Options
from menagerie.games import find, names
from menagerie.kernel.endgame import IS_OVER, WINS_AT_ONCE, room_type
from menagerie.kernel.state import copy, new
from menagerie.kernel.walk import after, legal_actions
from menagerie.protocols import conversation
from menagerie.protocols.dialect import spoken
from menagerie.search.engine import Settings
from menagerie.solve import check, checkpoint, retrograde, solver, table
from menagerie.solve.cells import MOST_PLIES, OPEN, Verdict
from menagerie.solve.solver import Progress, Solver, endgame_of
from menagerie.solve.tablebase import Tablebase, place_of

SOLVABLE = [name for name in names() if find(name).endgame is not None]
SAMPLES = 150
SMALL = 100_000
"""So many places are solved in a test."""


LARGER = 1_000_000
"""So many where it takes seconds."""


def small_part(name: str, most: int = SMALL) -> str:
    """The last part up to which a game is solved in a moment; none where even the first is large."""
    fitting = [part.name for part in endgame_of(menagerie.game(name)).parts() if part.last <= most]
    return fitting[-1] if fitting else ""


def twin_of(name: str) -> ModuleType:
    """A game's slow twin."""
    return import_module(f"twins.{name}")


SMALL_ONES = [name for name in SOLVABLE if small_part(name)]
LARGER_ONES = [name for name in SMALL_ONES if small_part(name, LARGER) != small_part(name)]
FEWER = fewer.names()
"""The others, whose positions with fewer pieces are solved in their place."""
REPEATING = [
    name for name in (*SMALL_ONES, *FEWER) if find(name).repetition.times and not find(name).repetition.is_illegal
]
"""Those in which repetition makes a draw."""


def solved(variant: Variant, threads: int = 2) -> Solver:
    """The small table of a variant."""
    solver = Solver(variant, small_part(variant.game.name), threads)
    for _ in solver.run():
        pass
    return solver


@cache
def cells_of(variant: Variant) -> np.ndarray:
    solver = solved(variant)
    return solver.cells[: solver.total]


@pytest.fixture(params=[*SMALL_ONES, *FEWER])
def small(request: pytest.FixtureRequest) -> Iterator[Variant]:
    """Each game that has a small table, or has one with fewer pieces, under its usual rules."""
    if request.param in SMALL_ONES:
        yield menagerie.game(request.param)
        return
    with fewer.installed(request.param):
        yield menagerie.game(request.param)


def test_every_game_that_can_be_solved_is() -> None:
    assert {*SMALL_ONES, *FEWER} == {*SOLVABLE}


@pytest.fixture
def base(small: Variant, tmp_path: Path) -> Tablebase:
    """Its table."""
    file = tmp_path / "small.table"
    table.write(file, small, small_part(small.game.name), cells_of(small))
    return Tablebase(small, file)


def some_states(variant: Variant, count: int, seed: int = 1, small: bool = False) -> list[np.record]:
    """States at places chosen by chance."""
    endgame, chance = endgame_of(variant), random.Random(seed)
    parts = [part for part in endgame.parts() if not small or part.last <= SMALL]
    states: list[np.record] = []
    while len(states) < count:
        part = chance.choice(parts)
        state = variant.game.state(variant.options)
        if endgame.set_up(chance.randrange(part.first, part.last), state):
            states.append(state)
    return states


@pytest.mark.parametrize("variant", [v for name in SOLVABLE for v in covering(name)], ids=str)
def test_places_and_positions_are_each_others_inverse(variant: Variant) -> None:
    endgame, game = endgame_of(variant), variant.game
    for state in some_states(variant, SAMPLES):
        there = endgame.place(state)
        again = game.state(variant.options)
        assert endgame.set_up(there, again)
        assert endgame.place(again) == there
        for change in filter(None, (game.exchange, game.mirror)):
            image = copy(state)
            change(image)
            same = endgame.place(image)
            twin = game.state(variant.options)
            assert endgame.set_up(same, twin)
            assert same == there or len(legal_actions(game.rules, twin)) == len(legal_actions(game.rules, state))
        assert str(Position(game, state)) == str(variant.position(str(Position(game, state))))


@pytest.mark.parametrize("name", [name for name in SOLVABLE if hasattr(find(name).endgame, "predecessors")])
def test_predecessors_are_where_turns_come_from(name: str) -> None:
    for variant in covering(name):
        for state in some_states(variant, 40, seed=3):
            here = endgame_of(variant).place(state)
            onward = following(variant, state)
            if onward is WON:
                continue
            for there, times in onward.items():
                assert preceding(variant, there)[here] == times, Position(variant.game, state)
            for there, times in preceding(variant, here).items():
                before = variant.game.state(variant.options)
                assert endgame_of(variant).set_up(there, before)
                onward = following(variant, before)
                assert onward is WON or onward[here] == times, (there, here)


WON: Counter[int] = Counter()


def following(variant: Variant, state: np.record) -> Counter[int]:
    """The places in the same part that turns lead to, counted as the solver does; WON where it wins at once."""
    endgame, game = endgame_of(variant), variant.game
    part = next(part for part in endgame.parts() if part.first <= endgame.place(state) < part.last)
    room, foresee = new(room_type(game.rules)), getattr(endgame, "foresee", None)
    room.states[0] = state
    if foresee and foresee(room) == WINS_AT_ONCE:
        return WON
    if foresee and foresee(room) == IS_OVER:
        assert not legal_actions(game.rules, state)
        return Counter()
    found: Counter[int] = Counter()
    for turn in Position(game, state).turns():
        there = int(endgame.place(turn.after.state))
        if part.first <= there < part.last:
            endgame.set_up(there, room.states[0])
            if not foresee or foresee(room) != WINS_AT_ONCE:
                found[there] += 1
    if not foresee:
        return Counter(dict.fromkeys(found, 1))
    room.states[0] = state
    assert foresee(room) == found.total()
    return found


def preceding(variant: Variant, there: int) -> Counter[int]:
    """The places that a game lists before one."""
    endgame = endgame_of(variant)
    state, before = variant.game.state(variant.options), new(endgame.BEFORE)
    assert endgame.set_up(there, state)
    untouched = state.tobytes()
    endgame.predecessors(state, before)  # type: ignore[attr-defined]
    assert state.tobytes() == untouched
    return Counter(int(place) for place in before.list[: before.n])


def brute_force(position: Position, known: dict[int, Verdict]) -> Verdict:
    """The value of a position of a game without cycles."""
    if position.key not in known:
        if position.outcome:
            winner = position.outcome.winner
            known[position.key] = Verdict(0 if winner is None else 1 if winner == position.player else -1, 0)
        else:
            after = (brute_force(turn.after, known).before for turn in position.turns())
            known[position.key] = max(after, key=lambda verdict: verdict.rank)
    return known[position.key]


@pytest.mark.parametrize("variant", [v for n in SMALL_ONES if not find(n).repetition.times for v in every(n)], ids=str)
def test_the_analysis_is_brute_force(variant: Variant, tmp_path: Path) -> None:
    table.write(tmp_path / "table", variant, small_part(variant.game.name), cells_of(variant))
    base = Tablebase(variant, tmp_path / "table")
    known: dict[int, Verdict] = {}
    assert base.probe(variant.start()) == brute_force(variant.start(), known)
    for state in some_states(variant, 500):
        position = Position(variant.game, state)
        assert base.probe(position) == brute_force(position, known), position


@pytest.mark.parametrize(("name", "rules"), [(name, v.options) for name in FEWER for v in every(name)], ids=str)
def test_the_analysis_with_fewer_pieces_is_brute_force(name: str, rules: Options) -> None:
    with fewer.installed(name):
        variant = Variant(find(name), rules)
        cells = cells_of(variant)
        most = max(Verdict.of(int(cell)).plies for cell in cells if cell)
        for number in np.flatnonzero(cells).tolist():
            state, verdict = variant.game.state(rules), Verdict.of(int(cells[number]))
            assert endgame_of(variant).set_up(number, state)
            position = Position(variant.game, state)
            if verdict.value == 0:  # Nobody wins in two more than the most, so nobody ever does.
                assert not any(proof.forces(position, winner, most + 2) for winner in (0, 1)), position
            else:
                winner = position.player if verdict.value > 0 else 1 - position.player
                assert proof.forces(position, winner, verdict.plies), position
                assert verdict.plies == 0 or not proof.forces(position, winner, verdict.plies - 1), position


@pytest.mark.parametrize("name", LARGER_ONES)
def test_endings_with_a_further_piece_are_right(name: str, tmp_path: Path) -> None:
    """By their successors, by what others found, and, where they end soon, by trying everything."""
    variant, until = menagerie.game(name), small_part(name, LARGER)
    for _ in checkpoint.make(Solver(variant, until), tmp_path / "table"):
        pass
    base = Tablebase(variant, tmp_path / "table")
    *_, checked = check.check(base.table.file)
    assert checked.wrong == 0 and checked.positions == sum(base.table.facts.counts.values())
    assert not list(endings.differences(base))
    part = next(part for part in endgame_of(variant).parts() if part.name == until)
    chance, ends = random.Random(73), Counter[int]()
    for _ in range(1000):
        state = variant.game.state(variant.options)
        if endgame_of(variant).set_up(chance.randrange(part.first, part.last), state):
            position = Position(variant.game, state)
            verdict = base.probe(position)
            ends[verdict.value * min(verdict.plies, SOON + 1)] += 1
            for winner, value in ((position.player, 1), (1 - position.player, -1)):
                for plies in range(SOON + 1):
                    is_won = verdict.value == value and verdict.plies <= plies
                    assert proof.forces(position, winner, plies) == is_won, (position, verdict)
    assert {*range(-SOON, SOON + 1)} & {*ends} >= {-2, 0, 1, 3}


SOON = 4


def without_predecessors(small: Variant) -> Solver:
    """A solver that looks at every open place again in every round."""
    endgame = ModuleType("without_predecessors")
    for field in ("BEFORE", "parts", "place", "set_up"):
        setattr(endgame, field, getattr(endgame_of(small), field))
    solver = Solver(small, small_part(small.game.name))
    solver.has_predecessors, solver.is_foreseen, solver.first_round = False, False, 1
    solver.code = retrograde.analysis(small.game, endgame)
    return solver


def test_looking_again_finds_the_same(small: Variant) -> None:
    solver = without_predecessors(small)
    for _ in solver.run():
        pass
    assert np.array_equal(solver.cells[: solver.total], cells_of(small))


def test_threads_change_nothing(small: Variant) -> None:
    solver = solved(small, threads=1)
    assert np.array_equal(solver.cells[: solver.total], cells_of(small))


def test_every_entry_follows_from_its_successors(base: Tablebase) -> None:
    *_, checked = check.check(base.table.file)
    assert checked.wrong == 0 and checked.positions == sum(base.table.facts.counts.values())


def test_a_wrong_entry_is_found(small: Variant, tmp_path: Path) -> None:
    cells, chance = cells_of(small).copy(), random.Random(5)
    there = chance.choice(np.flatnonzero(cells > 1).tolist())
    cells[there] += 2
    table.write(tmp_path / "table", small, small_part(small.game.name), cells)
    *_, checked = check.check(tmp_path / "table")
    assert checked.wrong > 0
    done = command("solve", "--check", str(tmp_path / "table"))
    assert done.returncode == 1 and "the first wrong one is at place" in done.stdout


def test_the_table_holds_what_was_found(base: Tablebase) -> None:
    endgame, cells = endgame_of(base.variant), cells_of(base.variant)
    states = some_states(base.variant, 300, seed=7, small=True)
    rows = base.probe_states(np.array(states, base.variant.game.rules.STATE))
    for state, row in zip(states, rows, strict=True):
        verdict = Verdict.of(int(cells[endgame.place(state)]))
        assert base.probe(Position(base.variant.game, state)) == verdict == tuple(row)


def test_what_is_under_other_rules_is_not_told(base: Tablebase) -> None:
    game = base.variant.game
    for other in every(game.name)[1:]:
        states = some_states(base.variant, 20, seed=41, small=True)
        for state in states[::2]:
            other.options.into_state(state)
        rows = base.probe_states(np.array(states, game.rules.STATE))
        for number, (state, row) in enumerate(zip(states, rows, strict=True)):
            assert base.get(Position(game, state)) == (tuple(row) if number % 2 else None)
            assert (row[0] == 2) == (number % 2 == 0)


def test_many_positions_are_told_of_at_a_time(base: Tablebase) -> None:
    game, limit = base.variant.game, base.variant.game.repetition.under(base.variant.options).plies
    states = some_states(base.variant, 100, seed=89, small=True)
    for state in states[::2]:
        state.quiet = limit
    positions = [Position(game, state) for state in states]
    assert base.probe_all(positions) == base.probe_all(iter(positions)) == [base.get(each) for each in positions]
    assert base.probe_all([]) == []


def test_positions_that_another_table_is_for_are_refused_by_name(base: Tablebase) -> None:
    mine = Position(base.variant.game, some_states(base.variant, 1, small=True)[0])
    for other in names():
        if other != base.variant.game.name:
            with pytest.raises(TableError, match=f"table of {base.variant.game.name}, not of {other}"):
                base.probe_all([mine, menagerie.game(other).start()])
    for variant in every(base.variant.game.name)[1:]:
        with pytest.raises(TableError, match=f"other rules: .*, not {variant.options.in_full()}"):
            base.probe_all([mine, variant.start()])


def test_an_array_of_states_may_lie_anyhow_in_memory(base: Tablebase) -> None:
    kind = base.variant.game.rules.STATE
    states = np.array(some_states(base.variant, 100, seed=97, small=True), kind)
    rows = base.probe_states(states)
    assert np.array_equal(base.probe_states(states[::-2]), rows[::-2])
    states.flags.writeable = False
    assert np.array_equal(base.probe_states(states), rows)
    assert base.probe_states(states[:0]).shape == (0, 2)
    for wrong in ([], list(states), states[0], states.reshape(10, 10), np.zeros(3, np.int64), states["player"]):
        with pytest.raises(TableError, match=f"array of the STATE of {base.variant.game.name}'s rules"):
            base.probe_states(wrong)  # type: ignore[arg-type]  # that is the point


WRONG_FACTS: tuple[object, ...] = (None, 5, -5, 10**30, 1.5, True, "x", ["a"], [[]], {}, {"a": 1})


def altered(content: bytes, **facts: object) -> bytes:
    """A table with other facts, of which its checksum knows nothing."""
    begin = len(table.MAGIC) + 8
    whole = json.loads(content[begin : content.index(b"}}") + 2])
    text = json.dumps(whole | facts).encode()
    head = table.MAGIC + struct.pack("<II", table.VERSION, len(text)) + text
    return head.ljust(-(-len(head) // table.PAGE) * table.PAGE) + content[len(table.Facts(**whole).head) :]


def test_no_damage_to_the_facts_is_more_than_a_refusal(base: Tablebase, tmp_path: Path) -> None:
    whole, file = base.table.file.read_bytes(), tmp_path / "damaged.table"
    for field, value in product(asdict(base.table.facts), WRONG_FACTS):
        file.write_bytes(altered(whole, **{field: value}))
        for look in (lambda: Tablebase(base.variant, file), lambda: list(check.check(file))):
            with pytest.raises(TableError, match=r"damaged|cut off"):
                look()
    content = bytearray(whole)
    end = len(table.MAGIC) + 8 + struct.unpack_from("<II", whole, len(table.MAGIC))[1]
    for at in range(end):
        for sign in b'e-"':
            content[at] = sign
            file.write_bytes(content)
            if sign != whole[at]:
                with pytest.raises(TableError):
                    Tablebase(base.variant, file)
        content[at] = whole[at]


def test_an_engine_plays_on_with_altered_facts(
    small: Variant, base: Tablebase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MENAGERIE_TABLES", str(tmp_path))
    place_of(small).write_bytes(altered(base.table.file.read_bytes(), palette=None))
    with pytest.warns(UserWarning, match="damaged.* without this table"):
        assert menagerie.engine(small, nodes=50).analyse(small.start()).nodes > 0


def test_files_that_do_not_fit_are_refused_with_the_reason(base: Tablebase, tmp_path: Path) -> None:
    content = base.table.file.read_bytes()
    for damaged, reason in (
        (content[:-1], "cut off"),
        (content[:3000], "cut off"),
        (content[:20], "cut off"),
        (content[:5000] + bytes([content[5000] ^ 1]) + content[5001:], "checksum"),
        (content.replace(b'"places":', b'"plaices":'), "facts"),
        (content + b"x", "damaged"),
        (b"PNG" + content, "not a table$"),
        (lzma.compress(content), "xz -d"),
        (b"", "not a table"),
        (content[:16] + b"\x63" + content[17:], "version 99"),
    ):
        file = tmp_path / "damaged.table"
        file.write_bytes(damaged)
        with pytest.raises(TableError, match=reason):
            Tablebase(base.variant, file)
    with pytest.raises(TableError, match="cannot be read"):
        Tablebase(base.variant, tmp_path / "missing.table")
    for other in SOLVABLE:
        if other != base.variant.game.name:
            with pytest.raises(TableError, match="is a table of"):
                Tablebase(menagerie.game(other), base.table.file)
    for variant in every(base.variant.game.name)[1:2]:
        with pytest.raises(TableError, match="other rules"):
            Tablebase(variant, base.table.file)


def test_another_version_of_the_rules_is_refused(base: Tablebase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "sources", lambda _: "another")
    with pytest.raises(TableError, match="another version"):
        Tablebase(base.variant, base.table.file)


def test_comments_do_not_make_another_version() -> None:
    one = list(table.code_of('"""About."""\nx = 1\n\n# why\ndef f():\n    """Says."""\n    return "a"\n'))
    same = list(table.code_of('"""Other."""\n\nx = 1  # so\ndef f():\n    return "a"\n'))
    other = list(table.code_of('"""About."""\nx = 1\ndef f():\n    return "b"\n'))
    assert one == same != other


@pytest.mark.parametrize("name", SOLVABLE)
def test_whatever_decides_a_table_is_in_the_sources_it_is_bound_to(name: str) -> None:
    package = find(name).package
    for source in table.SOURCES:
        for node in ast.walk(ast.parse((find(name).folder / source).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and f"{node.module}.".startswith(f"{package}."):
                assert f"{node.module.removeprefix(f'{package}.')}.py" in table.SOURCES, node.module


PRELUDE = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import fewer
for name in fewer.names():
    fewer.install(name)
"""
"""What other processes begin with."""

KILLED = f"""{PRELUDE}
import os, signal
from contextlib import contextmanager
from pathlib import Path
import menagerie
from menagerie.solve import checkpoint, solver
solver.CHUNK = 1 << 12

def die():
    os.kill(os.getpid(), signal.SIGKILL)

class Dying:
    # Dies when two pieces of a checkpoint are written.
    def __init__(self, out):
        self.out, self.pieces = out, 0
    def write(self, piece):
        self.out.write(piece)
        self.out.flush()
        self.pieces += 1
        if self.pieces == 2:
            die()

whole = checkpoint.written_whole

@contextmanager
def half(file):
    with whole(file) as out:
        yield Dying(out)

steps = 0
for progress in checkpoint.make(
    solver.Solver(menagerie.game(sys.argv[1]), sys.argv[2]), Path(sys.argv[3]), every=0, say=lambda text: print(text)
):
    steps += 1
    if sys.argv[4:] == [str(steps)]:
        die()
    if sys.argv[4:] == ["saving", str(steps)]:
        checkpoint.written_whole = half
print(progress.decided)
"""


def test_a_killed_solver_goes_on_to_the_same_bytes(small: Variant, base: Tablebase, tmp_path: Path) -> None:
    file = tmp_path / "resumed.table"
    command = [sys.executable, "-c", KILLED, small.game.name, small_part(small.game.name), str(file)]
    for when in ("2",), ("7",), ("saving", "1"):
        done = subprocess.run([*command, *when], capture_output=True, text=True, check=False)
        assert done.returncode == -signal.SIGKILL, done.stderr
        assert file.with_name("resumed.table.unfinished").exists()
        assert when == ("2",) or "going on with" in done.stdout
    assert [*tmp_path.glob("resumed.table.unfinished.*.new")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert file.read_bytes() == base.table.file.read_bytes()
    assert [*tmp_path.glob("resumed.table*")] == [file]
    assert int(done.stdout.split()[-1]) == won_or_lost(cells_of(small))


def won_or_lost(cells: np.ndarray) -> int:
    """How many positions of a table are decided."""
    return sum(Verdict.of(cell).value != 0 for cell in cells[cells > 0].tolist())


@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_won_or_lost_counts_as_decided_once(
    small: Variant, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solver, "CHUNK", 1 << 10)
    seen, found = list[Progress](), 0
    for progress in Solver(small, small_part(small.game.name), threads).run():
        assert progress.decided >= (seen[-1].decided if seen else 0)
        found += progress.found if progress.is_round and progress.plies > 0 else 0
        seen.append(progress)
    assert seen[-1].decided == won_or_lost(cells_of(small)) >= found
    assert any(progress.decided for progress in seen if progress.plies < 0 and not progress.is_round)


def test_without_predecessors_as_many_count_as_decided(small: Variant) -> None:
    *_, progress = without_predecessors(small).run()
    assert progress.decided == won_or_lost(cells_of(small))


def test_what_was_decided_before_kills_in_the_survey_counts_once(
    small: Variant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solver, "CHUNK", 1 << 10)
    resumed = Solver(small, small_part(small.game.name))
    for _ in range(2):
        begun = next(resumed.run())
        assert begun.plies < 0
        checkpoint.save(checkpoint.taken(resumed, checkpoint.room_for(resumed)), tmp_path / "unfinished")
        resumed = Solver(small, small_part(small.game.name))
        checkpoint.resume(resumed, tmp_path / "unfinished")
    *_, progress = resumed.run()
    assert progress.decided == won_or_lost(cells_of(small))


def test_the_share_of_the_work_done_grows_to_the_whole(small: Variant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "CHUNK", 1 << 10)
    shares = [progress.share for progress in Solver(small, small_part(small.game.name)).run()]
    assert 0 <= shares[0] < 0.5 and 0.95 < shares[-1] <= 1
    assert all(later > earlier - 0.1 for earlier, later in pairwise(shares))


def test_a_checkpoint_stays_as_it_was_taken_while_the_solver_goes_on(
    small: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solver, "CHUNK", 1 << 10)
    going, kept = Solver(small, small_part(small.game.name)), list[tuple[list[checkpoint.Piece], bytes]]()
    for progress in going.run():
        if progress.is_safe and len(kept) < 20:
            pieces = checkpoint.taken(going, checkpoint.room_for(going))
            kept.append((pieces, b"".join(pieces)))
    assert all(b"".join(pieces) == before for pieces, before in kept)


def test_a_checkpoint_is_written_while_the_solver_goes_on(
    small: Variant, base: Tablebase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits for none but the last one, and begins no other meanwhile."""
    saving, going_on, begun = checkpoint.save, Event(), list[Path]()

    def slowly(pieces: list[checkpoint.Piece], file: Path) -> None:
        begun.append(file)
        assert going_on.wait(60)
        saving(pieces, file)

    monkeypatch.setattr(checkpoint, "save", slowly)
    file = tmp_path / "made.table"
    for progress in checkpoint.make(Solver(small, small_part(small.game.name)), file, every=1e-9):
        if progress.plies > 1:
            assert len(begun) == 1 or going_on.is_set()
            going_on.set()
    assert begun and file.read_bytes() == base.table.file.read_bytes() and [*tmp_path.glob("made.table*")] == [file]


def left_unfinished(solver: Solver, file: Path) -> bytes:
    """What a solver that is killed after the first survey or round of its last part leaves beside a table."""
    for progress in solver.run():
        if progress.is_round and solver.part == len(solver.parts) - 1:
            break
    unfinished = file.with_name(f"{file.name}.unfinished")
    checkpoint.save(checkpoint.taken(solver, checkpoint.room_for(solver)), unfinished)
    return unfinished.read_bytes()


def test_a_damaged_checkpoint_is_not_gone_on_with(small: Variant, base: Tablebase, tmp_path: Path) -> None:
    file, fresh = tmp_path / "made.table", Solver(small, small_part(small.game.name))
    content = left_unfinished(Solver(small, small_part(small.game.name)), file)
    unfinished = file.with_name("made.table.unfinished")
    for damaged in (content[:-1], content[:100], content[:-40] + b"\1" + content[-39:], content + b"x", b"", b"x\n"):
        unfinished.write_bytes(damaged)
        with pytest.raises(UselessTable, match="damaged"):
            checkpoint.resume(fresh, unfinished)
    assert fresh.surveyed == 0 and not fresh.cells.any()
    said = list[str]()
    for _ in checkpoint.make(fresh, file, say=said.append):
        pass
    assert said == [f"{unfinished} is damaged: its checksum does not fit; beginning anew"]
    assert file.read_bytes() == base.table.file.read_bytes() and not unfinished.exists()


def others_than(variant: Variant) -> Iterator[tuple[Variant, str, str]]:
    """What else the same file might be wanted for: variants, with parts, and how they are told of."""
    name, until = variant.game.name, small_part(variant.game.name)
    for other in SMALL_ONES:
        if other != name:
            yield menagerie.game(other), small_part(other), f"not on {other}"
    for same in every(name)[1:]:
        yield same, until, f"not on {name} with {same.options.in_full()} up to {until}"
    for part in endgame_of(variant).parts():
        if part.last <= SMALL and part.name != until:
            yield variant, part.name, f"up to {until}, not on .* up to {part.name};"


def test_unfinished_work_on_something_else_is_refused_and_stays(small: Variant, tmp_path: Path) -> None:
    file = tmp_path / "made.table"
    content = left_unfinished(Solver(small, small_part(small.game.name)), file)
    for other, until, reason in others_than(small):
        solver = Solver(other, until)
        for can_pause in (True, False):
            solver.can_pause = can_pause
            with pytest.raises(TableError, match=f"unfinished work on {small.game.name}.*{reason}.*--out"):
                next(checkpoint.make(solver, file))
        assert [*tmp_path.glob("made.table*")] == [file.with_name("made.table.unfinished")]
        assert file.with_name("made.table.unfinished").read_bytes() == content


def test_work_under_another_version_of_the_rules_is_begun_anew(
    small: Variant, base: Tablebase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, said = tmp_path / "made.table", list[str]()
    with monkeypatch.context() as old:
        old.setattr(checkpoint, "sources", lambda _: "another")
        left_unfinished(Solver(small, small_part(small.game.name)), file)
    for _ in checkpoint.make(Solver(small, small_part(small.game.name)), file, say=said.append):
        pass
    assert file.read_bytes() == base.table.file.read_bytes()
    assert len(said) == 1 and "another version of the rules" in said[0] and "beginning anew" in said[0]


def test_a_file_that_is_something_else_is_not_written_over(small: Variant, base: Tablebase, tmp_path: Path) -> None:
    file = tmp_path / "made.table"
    for other, until, _ in others_than(small):
        if (other.game, other.options) == (small.game, small.options):
            continue
        content = base.table.file.read_bytes()
        file.write_bytes(content)
        reason = f"for other rules: .*, not {other.options.in_full()}"
        if other.game is not small.game:
            reason = f"is a table of {small.game.name}, not of {other.game.name}"
        with pytest.raises(TableError, match=f"{reason}; .*--out"):
            next(checkpoint.make(Solver(other, until), file))
        assert file.read_bytes() == content
    for content in (b"my notes\n", b"", lzma.compress(base.table.file.read_bytes())):
        file.write_bytes(content)
        with pytest.raises(TableError, match=r"is not a table.*; .*--out"):
            next(checkpoint.make(Solver(small, small_part(small.game.name)), file))
        assert file.read_bytes() == content


def test_a_table_that_is_of_no_use_any_more_is_written_over(
    small: Variant, base: Tablebase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, whole = tmp_path / "made.table", base.table.file.read_bytes()
    with monkeypatch.context() as old:
        old.setattr(table, "sources", lambda _: "another")
        table.write(file, small, small_part(small.game.name), cells_of(small))
    for useless in (file.read_bytes(), whole[:-1], whole[:5000] + b"!" + whole[5001:]):
        file.write_bytes(useless)
        for _ in checkpoint.make(Solver(small, small_part(small.game.name)), file):
            pass
        assert file.read_bytes() == whole


def test_two_may_write_the_same_file(tmp_path: Path) -> None:
    """The last to be done counts."""
    file = tmp_path / "table"
    with table.written_whole(file) as first:
        first.write(b"first, ")
        with table.written_whole(file) as second:
            second.write(b"second")
        assert file.read_bytes() == b"second"
        first.write(b"and done last")
    assert file.read_bytes() == b"first, and done last" and [*tmp_path.iterdir()] == [file]


def test_what_killed_writers_left_is_removed_when_it_is_old(small: Variant, tmp_path: Path) -> None:
    file, other = tmp_path / "made.table", tmp_path / "another.table.01234567.new"
    old, young = tmp_path / "made.table.01234567.new", tmp_path / "made.table.76543210.new"
    for left in (old, young, other):
        left.write_bytes(b"half")
    for left in (old, other):
        os.utime(left, (0, 0))
    for _ in checkpoint.make(Solver(small, small_part(small.game.name)), file):
        pass
    assert {*tmp_path.iterdir()} - {tmp_path / "small.table"} == {file, young, other}


def test_a_table_that_cannot_be_written_in_the_end_is_told_of_and_leaves_nothing(
    small: Variant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(TableError, match=r"made\.table cannot be written: No space left on device"):
        for _ in checkpoint.make(Solver(small, small_part(small.game.name)), tmp_path / "made.table"):
            pass
    assert not [*tmp_path.glob("made.table*")]


def test_the_command_says_which_file_could_not_be_written(tmp_path: Path) -> None:
    name = SMALL_ONES[0]
    limited = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))"
    words = ("solve", name, "--until", small_part(name), "--out", str(tmp_path / "table"))
    line = [sys.executable, "-c", f"{PRELUDE}\nfrom menagerie.cli import main\n{limited}\nmain()", *words]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == f"menagerie: {tmp_path / 'table'} cannot be written: File too large"
    assert not [*tmp_path.iterdir()]


def test_the_download_form_is_the_table(base: Tablebase, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, shown = base.table.file.read_bytes(), list[tuple[str, int, list[int]]]()

    @contextmanager
    def bar(what: str, total: int) -> Iterator[Callable[[int], None]]:
        shown.append((what, total, []))
        yield shown[0][2].append

    monkeypatch.setattr(table, "MOUTHFUL", 1 << 12)
    monkeypatch.setattr(cli, "progress_bar", bar)
    assert lzma.decompress(cli.compress_table(base.table.file).read_bytes()) == whole
    assert shown[0][:2] == ("compressing", len(whole))
    assert sum(shown[0][2]) == len(whole) and len(shown[0][2]) == -(-len(whole) // table.MOUTHFUL)


def test_a_checkpoint_that_cannot_be_written_stops_nothing(
    small: Variant, base: Tablebase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: list[checkpoint.Piece], file: Path) -> None:
        raise TableError(f"{file} cannot be written: No space left on device")

    monkeypatch.setattr(checkpoint, "save", refuse)
    file, said = tmp_path / "made.table", set[str]()
    for _ in checkpoint.make(Solver(small, small_part(small.game.name)), file, every=0, say=said.add):
        pass
    assert file.read_bytes() == base.table.file.read_bytes()
    unfinished = f"{file}.unfinished cannot be written: No space left on device"
    assert said == {f"{unfinished}; a killed run could not be gone on with"}


def test_a_table_of_fewer_endings_does_not_take_the_place_of_one_of_more(small: Variant, base: Tablebase) -> None:
    whole = base.table.file.read_bytes()
    for part in endgame_of(small).parts():
        solver = Solver(small, part.name)
        if solver.total < base.table.facts.places:
            with pytest.raises(TableError, match=f"more than the endings up to {part.name}"):
                next(checkpoint.make(solver, base.table.file))
    assert base.table.file.read_bytes() == whole


def test_the_line_is_as_long_as_the_distance(base: Tablebase) -> None:
    for state in some_states(base.variant, 30, seed=11, small=True):
        position = Position(base.variant.game, state)
        verdict, line = base.probe(position), base.line(position)
        if verdict.value:
            assert len(line) == verdict.plies
            last = line[-1].after if line else position
            assert last.outcome and (last.outcome.winner == position.player) == (verdict.value > 0)


def test_repetition_cannot_change_a_proven_value(base: Tablebase) -> None:
    """Of a position that none came before. Whoever wins goes to positions ever nearer to the end, so that none of them
    comes again, whatever the other does.
    """
    chance, played = random.Random(13), 0
    for state in some_states(base.variant, 60, seed=17, small=True):
        position = Position(base.variant.game, state)
        verdict = base.probe(position)
        if verdict.value <= 0 or verdict.plies == 0:
            continue
        played += 1
        match, winner, left = Match(base.variant, position), position.player, verdict.plies
        seen = {position.key}
        while not match.outcome:
            choices = base.choices(match.position)
            if match.position.player == winner:
                match.play(choices[0].turn)
            else:
                match.play(chance.choice(choices).turn)
            now = base.probe(match.position)
            assert now.plies < left and match.position.key not in seen
            left = now.plies
            seen.add(match.position.key)
        assert match.outcome.winner == winner
    assert played >= 10


def test_repetition_cannot_change_a_proven_draw(base: Tablebase) -> None:
    """Whoever holds it always has a turn that does, and loses nothing by a repetition, which is a draw too."""
    chance, ends = random.Random(19), Counter[str]()
    for state in drawn_states(base)[:30]:
        match = Match(base.variant, Position(base.variant.game, state))
        while not match.outcome and len(match.turns) < 120:
            assert base.probe(match.position).value == 0
            match.play(chance.choice([c.turn for c in base.choices(match.position) if c.verdict.value == 0]))
        assert match.outcome is None or match.outcome.winner is None
        ends[match.outcome.reason if match.outcome else ""] += 1
    assert ends.total() == 30 or not has_draws(base)
    assert ends["repetition"] >= 10 or not (has_draws(base) and base.variant.game.repetition.times)


def drawn_states(base: Tablebase) -> list[np.record]:
    """States that the table says are drawn, and are not over."""
    states = some_states(base.variant, 1000 if has_draws(base) else 0, seed=83, small=True)
    positions = (Position(base.variant.game, state) for state in states)
    return [p.state for p in positions if base.probe(p).value == 0 and not p.outcome]


def has_draws(base: Tablebase) -> bool:
    """Whether anything is drawn at all."""
    return table.totals(base.table.facts)["draws"] > 0


def test_a_win_that_the_move_limit_may_come_before_is_not_told(base: Tablebase) -> None:
    game, limit = base.variant.game, base.variant.game.repetition.under(base.variant.options).plies
    states, seen = some_states(base.variant, 200, seed=53, small=True), Counter[bool]()
    for state in states:
        verdict = base.probe(Position(game, state))
        for late in range(-1, 3):
            state.quiet = max(0, limit - verdict.plies + late)
            is_told = late <= 0 or verdict.value == 0 or not limit
            position, row = Position(game, state), base.probe_states(np.array([state], game.rules.STATE))[0]
            assert base.get(position) == (verdict if is_told else None), position
            assert tuple(row) == (verdict if is_told else (2, 0))
            seen[is_told] += 1
            if not is_told:
                with pytest.raises(TableError, match=f"says {verdict} of .* drawn before that: {limit} plies"):
                    base.probe(position)
    assert seen[True] and (seen[False] or not limit)


def test_turns_are_told_where_a_position_is_however_near_the_move_limit_is(base: Tablebase) -> None:
    game, limit = base.variant.game, base.variant.game.repetition.under(base.variant.options).plies
    for state in some_states(base.variant, 100, seed=59, small=True):
        verdict = base.probe(Position(game, state))
        state.quiet = max(0, limit - verdict.plies)
        position = Position(game, state)
        if not position.outcome:
            choices = base.choices(position)
            assert choices[0].verdict == verdict
            assert len(base.line(position)) == verdict.plies or not verdict.value
            assert verdict.value >= 0 or len(choices) == len(position.turns())


def test_engines_and_commands_do_not_promise_what_the_move_limit_may_come_before(
    small: Variant, base: Tablebase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MENAGERIE_TABLES", str(tmp_path))
    base.table.file.rename(tmp_path / place_of(small).name)
    limit = small.game.repetition.under(small.options).plies
    states = some_states(small, 100, seed=61, small=True)
    state = next(state for state in states if base.probe(Position(small.game, state)).plies > 2)
    for quiet, is_told in ((0, True), (max(0, limit - 2), not limit)):
        state.quiet = quiet
        position = Position(small.game, state)
        assert (menagerie.engine(small, nodes=50).analyse(position).nodes == 0) == is_told
        done = command("probe", small.game.name, str(position), MENAGERIE_TABLES=str(tmp_path))
        assert done.returncode == (0 if is_told else 2) and ("drawn before" in done.stderr) != is_told, done.stderr


def after_dithering(base: Tablebase, start: Position, chance: random.Random) -> Match:
    """A match in which both have gone to and fro for a while, and the player to move could have won all the time."""
    match, seen = Match(base.variant, start), Counter([start.key])
    while len(match.turns) < 60 and not match.outcome:
        is_winner = base.probe(match.position).value > 0
        held = [
            choice.turn
            for choice in base.choices(match.position)
            if seen[choice.turn.after.key] < 2
            and (not is_winner or (choice.verdict.value > 0 and choice.verdict.plies > 6))
        ]
        if not held:
            break
        known = [turn for turn in held if seen[turn.after.key] == 1]
        match.play(chance.choice(known if known and chance.random() < 0.8 else held))
        seen[match.position.key] += 1
    return match


def test_repetition_does_not_take_a_won_game_from_an_engine(
    small: Variant, base: Tablebase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After any history: where it can, it goes where the other has no position to repeat for the last time."""
    monkeypatch.setenv("MENAGERIE_TABLES", str(tmp_path))
    base.table.file.rename(tmp_path / place_of(small).name)
    machine, chance, judged = menagerie.engine(small, nodes=50), random.Random(67), 0
    for state in some_states(small, 800, seed=71, small=True):
        start = Position(small.game, state)
        if base.probe(start).value >= 0 or base.probe(start).plies < 10:
            continue
        match = after_dithering(base, start, chance)
        winner = 1 - start.player
        if match.outcome or match.position.player != winner or machine.analyse(match).value <= 0:
            continue
        judged += 1
        while not match.outcome:
            turns = [choice.turn for choice in base.choices(match.position)]
            again = [turn for turn in turns if match.keys.count(turn.after.key) >= 2]
            match.play(machine.choose(match) if match.position.player == winner else [*again, *turns][0])
        assert match.outcome.winner == winner, match.record()
    assert judged or not small.game.repetition.times


def test_verdicts_order_as_players_wish() -> None:
    wished = [Verdict(1, 1), Verdict(1, 3), Verdict(0, 0), Verdict(-1, 8), Verdict(-1, 2), Verdict(-1, 0)]
    assert sorted(wished, key=lambda verdict: -verdict.rank) == wished
    assert all(Verdict.of(verdict.cell) == verdict and verdict.cell < OPEN for verdict in wished)
    assert Verdict.of(Verdict(1, MOST_PLIES).cell) == Verdict(1, MOST_PLIES)


def command(*words: str, typed: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """`menagerie`, typed."""
    line = [sys.executable, "-c", f"{PRELUDE}\nfrom menagerie.cli import main\nmain()", *words]
    return subprocess.run(line, env=os.environ | variables, input=typed, capture_output=True, text=True, check=False)


def test_the_command_solves_checks_and_probes(small: Variant, base: Tablebase, tmp_path: Path) -> None:
    name, until = small.game.name, small_part(small.game.name)
    done = command("solve", name, "--until", until, MENAGERIE_TABLES=str(tmp_path))
    assert done.returncode == 0, done.stderr
    made = tmp_path / place_of(small).name
    assert made.read_bytes() == base.table.file.read_bytes()
    assert "positions" in done.stdout and "longest win" in done.stdout and "round" in done.stderr
    done = command("solve", "--check", str(made))
    assert done.returncode == 0 and "0 entries are wrong" in done.stdout
    state = next(state for state in some_states(small, 50, small=True) if legal_actions(small.game.rules, state))
    position = Position(small.game, state)
    done = command("probe", name, str(position), "--json", "--line", MENAGERIE_TABLES=str(tmp_path))
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert (said["value"], said["plies"]) == base.probe(position)
    assert len(said["turns"]) == len(position.turns())
    done = command("solve", "--check", str(made.with_name("none")))
    assert done.returncode == 2 and "cannot be read" in done.stderr


def test_the_bar_shows_what_is_decided_from_the_survey_on_and_comes_to_its_end(small: Variant, tmp_path: Path) -> None:
    name, until = small.game.name, small_part(small.game.name)
    shown = seen_on_a_terminal("solve", name, "--until", until, "--out", str(tmp_path / "table"))
    percents = [int(percent) for percent in re.findall(r"(\d+) %", shown)]
    assert percents == sorted(percents) and percents[0] < 50 and percents[-1] == 100
    surveys = {int(number.replace(",", "")) for number in re.findall(r"survey, ([\d,]+) decided", shown)}
    assert max(surveys) > 0
    assert f"{won_or_lost(cells_of(small)):,} decided" in shown
    assert re.search(r"survey +[\d,]+ places ", shown) and re.search(r"round +\d+ +[\d,]+ positions ", shown)


def seen_on_a_terminal(*words: str) -> str:
    """All that `menagerie` writes to a terminal, line after line as they are drawn; solving in small chunks."""
    begin = f"{PRELUDE}\nfrom menagerie.cli import main\nfrom menagerie.solve import solver\nsolver.CHUNK = 1 << 10"
    controller, terminal = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "200"}
    line = [sys.executable, "-c", f"{begin}\nmain()", *words]
    shown = b""
    with subprocess.Popen(line, stdin=terminal, stdout=terminal, stderr=terminal, env=environment) as process:
        os.close(terminal)
        with suppress(OSError):  # On Linux a terminal that nobody writes to any more is an error to read.
            while piece := os.read(controller, 1 << 16):
                shown += piece
    os.close(controller)
    assert process.returncode == 0, shown
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())


def test_the_command_refuses_nonsense(tmp_path: Path) -> None:
    name = SMALL_ONES[0]
    for words, reason in (
        (("solve",), "either"),
        (("solve", name, "--device", "abacus"), "abacus"),
        (("solve", name, "--device", "cuda"), "CUDA"),
        (("solve", name, "--until", "nowhere"), "no part"),
        (("solve", name, "--out", str(tmp_path)), "is a folder"),
        (("solve", name, "--out", str(tmp_path / "missing" / "file")), "there is no folder"),
        (("solve", name, "--out", "/proc/file"), "cannot be written"),
        (("probe", name), "there is no table"),
        *((("probe", other), "cannot be solved") for other in names() if other not in SOLVABLE),
    ):
        done = command(*words, MENAGERIE_TABLES=str(tmp_path), CUDA_VISIBLE_DEVICES="-1")
        assert done.returncode == 2 and reason in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr
    assert not [*tmp_path.iterdir()]


def test_the_command_that_makes_a_missing_table_is_told(tmp_path: Path) -> None:
    for name in SOLVABLE:
        for rules in find(name).rule_sets:
            done = command("probe", name, "--rules", rules, MENAGERIE_TABLES=str(tmp_path))
            assert done.returncode == 2 and f"`menagerie solve {name} --rules {rules}`" in done.stderr


def test_tables_are_kept_in_a_folder_that_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "yet"
    done = command("solve", SMALL_ONES[0], "--until", small_part(SMALL_ONES[0]), MENAGERIE_TABLES=str(folder))
    assert done.returncode == 0 and len([*folder.iterdir()]) == 1


def test_positions_outside_follow_from_their_turns_or_are_not_told(base: Tablebase) -> None:
    game = base.variant.game
    for state in some_states(base.variant, 20, seed=23, small=True):
        for action in legal_actions(game.rules, state)[:3]:
            following = Position(game, after(game.rules, state, action))
            assert base.get(following) is not None or following.player == state.player
    start = base.variant.start()
    if endgame_of(base.variant).place(start.state) < 0:
        assert base.get(start) is None
        with pytest.raises(TableError, match="does not hold"):
            base.probe(start)


def test_engines_set_the_other_the_trickiest_of_draws(
    small: Variant, base: Tablebase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the turns that hold a draw, one after which the fewest of the answers hold it too."""
    monkeypatch.setenv("MENAGERIE_TABLES", str(tmp_path))
    base.table.file.rename(tmp_path / place_of(small).name)
    machine, judged = menagerie.engine(small, nodes=50), 0
    for state in drawn_states(base)[:60]:
        position = Position(small.game, state)
        held = {
            turn.code: holding_share(base, turn.after) for turn in position.turns() if not base.probe(turn.after).value
        }
        assert held[machine.choose(position).code] == min(held.values())
        judged += len({*held.values()}) > 1
    assert judged >= 10 or not has_draws(base)


def holding_share(base: Tablebase, position: Position) -> float:
    """The share of the turns that do not lose a drawn position."""
    after = [base.probe(turn.after).before.value for turn in position.turns()]
    return sum(value >= 0 for value in after) / max(len(after), 1)


def test_engines_play_perfectly_where_a_table_is_kept(
    small: Variant, base: Tablebase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MENAGERIE_TABLES", str(tmp_path))
    base.table.file.rename(tmp_path / place_of(small).name)
    chance = random.Random(29)
    machine = menagerie.engine(small, nodes=50)
    for state in some_states(small, 25, seed=31, small=True):
        match = Match(small, Position(small.game, state))
        if match.outcome:
            continue
        verdict, me = base.probe(match.position), match.position.player
        analysis = machine.analyse(match.position, lines=2)
        assert analysis.nodes == 0 and analysis.lines[0].turns[0] == analysis.best
        if verdict.value:
            assert analysis.lines[0].ends_in == verdict.value * -(-verdict.plies // 2)
        while not match.outcome and match.position.ply < 60:
            is_me = match.position.player == me
            match.play(machine.choose(match) if is_me else chance.choice(match.position.turns()))
        result = None if not match.outcome or match.outcome.winner is None else match.outcome.winner == me
        if verdict.value > 0:
            assert result is True and match.position.ply <= verdict.plies
        elif verdict.value == 0:
            assert result is not False
    assert menagerie.engine(small, level=2).analyse(match.position if not match.outcome else small.start()).nodes > 0


def test_imperfect_play_is_noticed(small: Variant, base: Tablebase) -> None:
    """Who has a win and does not make it is found out, at the latest by the end; so is who loses a draw."""
    chance, seen = random.Random(37), Counter[str]()
    for state in some_states(small, 100, seed=43, small=True):
        match = Match(small, Position(small.game, state))
        if match.outcome or base.probe(match.position).value < 0:
            continue
        while not match.outcome and len(match.turns) < 60:
            choices = base.choices(match.position)
            held = [choice for choice in choices if choice.verdict.value >= 0] or choices
            match.play(chance.choice(held if match.position.player == 0 else choices).turn)
        if not match.outcome:
            continue
        for seat in (0, 1):
            _, wrong = perfection.judge(match, base, 0, seat)
            what, is_fault = perfection.result(match, base, 0, seat)
            assert wrong or not is_fault, (match.record(), what)
            assert is_fault == (what in FAULTS), what
            seen[what] += 1
    assert seen.keys() & FAULTS and seen.keys() - FAULTS


FAULTS = {
    "won by the table, won in the game, late",
    "won by the table, drawn in the game",
    "won by the table, lost in the game",
    "drawn by the table, lost in the game",
}


@pytest.mark.parametrize("small", REPEATING, indirect=True)
def test_the_turn_that_throws_a_win_away_by_repetition_is_noticed(small: Variant, base: Tablebase) -> None:
    start, circle = lost_circle(small, base)
    match = Match(small, start)
    while not match.outcome:
        match.play(circle[len(match.turns) % len(circle)])
    _, wrong = perfection.judge(match, base, len(match.turns) - 1, 1 - start.player)
    assert len(wrong) == 1 and "is a draw, where there is a win" in wrong[0]


@pytest.mark.parametrize("small", REPEATING, indirect=True)
def test_a_lost_engine_takes_the_draw_by_repetition_and_calls_it_so(
    small: Variant, base: Tablebase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MENAGERIE_TABLES", str(tmp_path))
    base.table.file.rename(tmp_path / place_of(small).name)
    start, circle = lost_circle(small, base)
    match = Match(small, start.play(circle[0]))
    for turn in (circle * 2)[1:]:
        match.play(turn)
    analysis = menagerie.engine(small, nodes=50).analyse(match)
    assert base.probe(match.position).value < 0 and analysis.nodes == analysis.value == 0
    match.play(analysis.best)
    assert match.outcome and match.outcome.reason == "repetition"


def lost_circle(small: Variant, base: Tablebase) -> tuple[Position, list[str]]:
    """A lost position, and turns of both players back to it."""
    positions = (Position(small.game, state) for state in some_states(small, 2000, seed=47, small=True))
    lost = (position for position in positions if base.probe(position).value < 0 and not position.outcome)
    return next((position, circle) for position in lost if (circle := to_and_fro(position, base)))


def to_and_fro(position: Position, base: Tablebase) -> list[str]:
    """Turns of both players from a lost position back to it, the last by the winner, who keeps the win up to then."""
    for away in position.turns():
        for keeping in away.after.turns():
            if base.probe(keeping.after).value < 0:
                for again in keeping.after.turns():
                    for home in again.after.turns():
                        if home.after.key == position.key:
                            return [turn.code for turn in (away, keeping, again, home)]
    return []


@pytest.fixture
def spoilt(small: Variant, base: Tablebase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where tables are kept, with one that is cut off."""
    monkeypatch.setenv("MENAGERIE_TABLES", str(tmp_path))
    place_of(small).write_bytes(base.table.file.read_bytes()[:-1])
    return tmp_path


@pytest.mark.usefixtures("spoilt")
def test_an_engine_says_that_it_cannot_trust_a_table_and_plays_on(small: Variant) -> None:
    machine = menagerie.engine(small, nodes=50)
    with pytest.warns(UserWarning, match="cut off.* without this table"):
        assert machine.analyse(small.start()).nodes > 0


def test_an_old_table_does_not_stop_an_engine_either(
    small: Variant, base: Tablebase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MENAGERIE_TABLES", str(tmp_path))
    base.table.file.rename(place_of(small))
    monkeypatch.setattr(table, "sources", lambda _: "another")
    with pytest.warns(UserWarning, match="another version"):
        menagerie.engine(small, nodes=50).choose(small.start())


SPOKEN = [(name, protocol) for name in names() for protocol in spoken(find(name))]


@pytest.mark.parametrize(("name", "protocol"), SPOKEN)
def test_a_conversation_says_once_that_a_table_is_damaged(
    name: str, protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Variant) -> None:
        raise TableError("the table is damaged")

    monkeypatch.setattr(Tablebase, "find", refuse)
    said: list[str] = []
    talk = conversation(menagerie.game(name), protocol, Settings(megabytes=1), said.append)
    go = ["setoption name depth value 1", "go"] if protocol == "aei" else ["go depth 1"]
    for line in (protocol, "isready", *go, "setoption name level value 8", *go):
        talk.heed(line)
        if talk._errand:  # `errand` is over before its answer is said
            talk._errand.join()
    warnings = [line for line in said if "the table is damaged" in line]
    assert len(warnings) == 1 and warnings[0].startswith(("info string warning: ", "log Warning: "))
    assert sum(line.startswith("bestmove") for line in said) == 2 and not any("rror" in line for line in said)


@pytest.mark.usefixtures("spoilt")
def test_the_commands_say_that_a_table_is_damaged(small: Variant) -> None:
    done = command("play", small.game.name, "--against", "8", "--second", typed="quit\n")
    assert done.returncode == 0 and done.stderr.count("cut off") == 1 and len(done.stderr.splitlines()) == 1
    done = command("probe", small.game.name)
    assert done.returncode == 2 and "cut off" in done.stderr


@pytest.mark.parametrize("variant", [v for name in SMALL_ONES for v in endings.variants(find(name))], ids=str)
def test_totals_and_positions_are_as_others_found_them(variant: Variant, tmp_path: Path) -> None:
    table.write(tmp_path / "table", variant, small_part(variant.game.name), cells_of(variant))
    assert not list(endings.differences(Tablebase(variant, tmp_path / "table")))


@pytest.mark.parametrize("name", [name for name in SMALL_ONES if hasattr(twin_of(name), "list_ending")])
def test_a_slow_twin_finds_the_totals_of_the_first_endings(name: str) -> None:
    first = endgame_of(menagerie.game(name)).parts()[0].name
    block = next(block for block in endings.blocks(find(name)) if block.get("part") == first)
    found = backward.totals(twin_of(name), [first])
    assert found == {what: int(block[what]) for what in found}


def made_up(device: FakeCuda, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module of the solver on devices, with another device."""
    kernel = ModuleType("menagerie.kernel.device")
    kernel.cuda = device  # type: ignore[attr-defined]  # a module made up
    monkeypatch.setitem(sys.modules, "menagerie.kernel.device", kernel)
    monkeypatch.delitem(sys.modules, "menagerie.solve.cuda", raising=False)
    module = import_module("menagerie.solve.cuda")
    monkeypatch.delitem(sys.modules, "menagerie.solve.cuda")
    return module


def test_without_a_device_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    module = made_up(FakeCuda(is_there=False), monkeypatch)
    with pytest.raises(MenagerieError, match="no CUDA device"):
        module.CudaSolver(menagerie.game(SMALL_ONES[0]))


def test_the_solver_of_devices_finds_the_same(
    small: Variant, base: Tablebase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = made_up(FakeCuda(), monkeypatch)
    solver = module.CudaSolver(small, small_part(small.game.name), threads=5)
    for _ in checkpoint.make(solver, tmp_path / "device.table", every=0):
        pass
    assert (tmp_path / "device.table").read_bytes() == base.table.file.read_bytes()
