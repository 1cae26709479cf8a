"""Tuning: known weights are found again, chances come true, and a file of weights is read as written or refused."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from menagerie.errors import MenagerieError, WeightsError
from menagerie.kernel.judgement import PHASES, Term, Weights, digest, places, read_weights, write_weights
from menagerie.learn import tune
from menagerie.learn.regression import Belief, calibration, chances, features, fit, fit_scale, loss, row_weights
from menagerie.learn.selfplay import Samples

TERMS = (Term("piece", "each piece"), Term("advance", "by rows", 4), Term("reach", "squares attacked"))
TRUTH = np.array([[100, 140], [-20, 0], [10, 5], [30, 40], [80, 160], [4, -6]])
SCALE = 180.0


def drawn(count: int, seed: int, truth: np.ndarray = TRUTH, draws: float = 0.0) -> Samples:
    """Positions by chance, each a game of its own, with results as these weights have it."""
    chance = np.random.default_rng(seed)
    amounts = chance.integers(-2, 3, (count, len(truth))).astype(np.int16)
    phases = chance.integers(0, PHASES + 1, count).astype(np.int16)
    blank = np.zeros(count)
    samples = Samples(amounts, phases, blank, np.ones(count, bool), blank, np.arange(count))
    values = features(samples) @ np.concatenate([truth[:, 0], truth[:, 1]])
    results = (chance.random(count) < chances(values / SCALE)).astype(float)
    results[chance.random(count) < draws] = 0.5
    return Samples(amounts, phases, np.rint(values), samples.quiet, results, samples.games)


def test_known_weights_are_found_again() -> None:
    samples = drawn(40_000, seed=1)
    start = np.full(2 * len(TRUTH), 30.0)
    found = fit(samples, Belief.around(start, doubt=10.0), SCALE)
    assert np.abs(found.reshape(2, -1).T - TRUTH).max() < 12


def test_the_scale_is_found_again_and_chances_come_true() -> None:
    samples = drawn(40_000, seed=2)
    scale = fit_scale(samples.values, samples.results, row_weights(samples.games))
    assert scale == pytest.approx(SCALE, rel=0.05)
    for foretold, actual, count in calibration(samples.values / scale, samples.results):
        assert count == 4000 and actual == pytest.approx(foretold, abs=0.03)


def test_exchanged_players_teach_the_same() -> None:
    samples = drawn(2000, seed=3, draws=0.2)
    exchanged = Samples(
        -samples.amounts, samples.phases, -samples.values, samples.quiet, 1 - samples.results, samples.games
    )
    belief = Belief.around(np.full(2 * len(TRUTH), 20.0), doubt=1.0)
    assert fit(samples, belief, SCALE) == pytest.approx(fit(exchanged, belief, SCALE), abs=1e-3)
    first, second = (fit_scale(s.values, s.results, row_weights(s.games)) for s in (samples, exchanged))
    assert first == pytest.approx(second, rel=1e-6)


def test_little_evidence_moves_weights_little_and_unseen_terms_not_at_all() -> None:
    samples = drawn(30, seed=4)
    samples.amounts[:, 5] = 0
    start = np.full(2 * len(TRUTH), 200.0)
    found = fit(samples, Belief.around(start, doubt=0.03), SCALE)
    assert np.abs(found - start).max() < 10
    assert found[5] == found[11] == 200


def test_one_long_game_does_not_outvote_many_short_ones() -> None:
    games = np.array([0] * 100 + [1, 2, 2])
    weights = row_weights(games)
    assert weights[:100].sum() == pytest.approx(5) and list(weights[100:]) == [1, 1, 1]


def test_loss_is_least_for_the_truth() -> None:
    samples = drawn(20_000, seed=5)
    even = np.ones(len(samples))
    true = loss(samples.values / SCALE, samples.results, even)
    assert true < loss(samples.values / (1.5 * SCALE), samples.results, even)
    assert true < loss(samples.values / (0.7 * SCALE), samples.results, even) and true < np.log(2)


def test_weights_improve_where_games_held_back_say_so_and_stay_otherwise() -> None:
    said: list[str] = []
    poor = Weights(np.full(TRUTH.shape, 50, np.int64), scale=SCALE)
    better = tune.improved(poor, drawn(8000, seed=6), tune.DOUBTS, said.append)
    assert np.abs(better.values - TRUTH).mean() < np.abs(poor.values - TRUTH).mean() / 2
    assert "games held back" in said[0] and better.scale == SCALE
    noise = drawn(8000, seed=7)
    np.random.default_rng(8).shuffle(noise.results)
    assert np.abs(tune.improved(Weights(TRUTH), noise, tune.DOUBTS, said.append).values).sum() <= np.abs(TRUTH).sum()


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    weights = Weights(TRUTH, 'menagerie tune x --rules "a\\b"', 97.5)
    file.write_text(write_weights(weights, TERMS), encoding="utf-8")
    again = read_weights(file, TERMS)
    assert (again.values == TRUTH).all() and (again.made_by, again.scale) == (weights.made_by, weights.scale)


DAMAGE = {
    "not text": b"\xff\xfe\x00",
    "not TOML": b"[weights\npiece = 3",
    "no weights": b"made_by = 'x'",
    "weights no table": b"weights = 3",
    "a term missing": b"[weights]\npiece = [1, 2]\nreach = [1, 2]",
    "a term too many": b"[weights]\npiece=[1,2]\nreach=[1,2]\nadvance=[[1,2],[1,2],[1,2],[1,2]]\nother=[1,2]",
    "too few places": b"[weights]\npiece=[1,2]\nreach=[1,2]\nadvance=[[1,2],[1,2],[1,2]]",
    "no pair": b"[weights]\npiece=1\nreach=[1,2]\nadvance=[[1,2],[1,2],[1,2],[1,2]]",
    "ragged": b"[weights]\npiece=[1,2]\nreach=[1,2]\nadvance=[[1,2],[1],[1,2],[1,2]]",
    "fractions": b"[weights]\npiece=[1.5,2]\nreach=[1,2]\nadvance=[[1,2],[1,2],[1,2],[1,2]]",
    "words": b"[weights]\npiece=['a','b']\nreach=[1,2]\nadvance=[[1,2],[1,2],[1,2],[1,2]]",
    "too large": b"[weights]\npiece=[99999999999999999999,2]\nreach=[1,2]\nadvance=[[1,2],[1,2],[1,2],[1,2]]",
    "a bad scale": b"scale=0\n[weights]\npiece=[1,2]\nreach=[1,2]\nadvance=[[1,2],[1,2],[1,2],[1,2]]",
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_file_of_weights_is_one_clear_error(damage: bytes, tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    file.write_bytes(damage)
    with pytest.raises(WeightsError) as refused:
        read_weights(file, TERMS)
    assert str(file) in str(refused.value) and "\n" not in str(refused.value)


JUDGEMENT = '''
"""A judgement to try out: how many pieces, and the steps they have before them."""

from menagerie.kernel.bits import I
from menagerie.kernel.compiled import template
from menagerie.kernel.judgement import USUAL_TURN, Term, add, danger, gain, may_pass, offsets, wins_at_once

TERMS = (Term("piece", "each piece"), Term("square", "by squares", 9))
PIECE, SQUARE = offsets(TERMS)


@template
def judge(state, tally):
    for square in range(9):
        piece = I(state.board[square])
        if piece > 0:
            sign = 3 - 2 * piece
            add(tally, I(PIECE), sign)
            add(tally, I(SQUARE) + (square if piece == 1 else 8 - square), sign)
'''


@pytest.fixture
def judged(tmp_path: Path) -> tuple[str, Path]:
    """The small example game with a judgement, in a folder of its own: its name, and the folder."""
    original = next(folder for folder in (Path(__file__).parent / "games").iterdir() if (folder / "rules.py").exists())
    game = tmp_path / "games" / original.name
    shutil.copytree(original, game, ignore=shutil.ignore_patterns("__pycache__"))
    (game / "evaluate.py").write_text(JUDGEMENT.lstrip(), encoding="utf-8")
    start = Weights(np.full((10, 2), 10, np.int64))
    terms = (Term("piece", ""), Term("square", "", 9))
    assert places(terms) == len(start.values)
    (game / "weights.toml").write_text(write_weights(start, terms), encoding="utf-8")
    source = (game / "__init__.py").read_text(encoding="utf-8")
    source = source.replace("GAME = Game(", "from . import evaluate\n\nGAME = Game(\n    judgement=evaluate,", 1)
    (game / "__init__.py").write_text(source, encoding="utf-8")
    return original.name, game


def menagerie_in(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command with the games of a folder, uncompiled: for a game this small that is faster."""
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "menagerie", *words],
        env=os.environ | {"MENAGERIE_GAMES": str(folder), "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_tuning_plays_learns_and_writes(judged: tuple[str, Path], tmp_path: Path) -> None:
    name, game = judged
    out = tmp_path / "new.toml"
    words = ("tune", name, "--games", "200", "--nodes", "10", "--seed", "3")
    done = menagerie_in(game.parent, *words, "--out", str(out))
    assert (done.returncode, done.stderr) == (0, "")
    assert "games held back" in done.stdout and "chance foretold" in done.stdout and f"written to {out}" in done.stdout
    terms = (Term("piece", ""), Term("square", "", 9))
    tuned = read_weights(out, terms)
    origin = digest(read_weights(game / "weights.toml", terms))
    assert tuned.made_by == f"menagerie tune {name} --games 200 --nodes 10 --seed 3 --rounds 1 # from {origin}"
    assert 1 < tuned.scale != 300
    unchanged = (game / "weights.toml").read_bytes()
    checked = menagerie_in(game.parent, *words, "--check")
    assert (checked.returncode, checked.stderr) == (0, "") and checked.stdout.startswith("scale 300: loss 0.")
    assert len(checked.stdout.splitlines()) == 12 and (game / "weights.toml").read_bytes() == unchanged
    scaled = menagerie_in(game.parent, *words, "--scale-only")
    assert scaled.returncode == 0, scaled.stderr
    again = read_weights(game / "weights.toml", terms)
    assert (again.values == 10).all() and again.made_by.endswith(f"--scale-only # from {origin}")
    on = menagerie_in(game.parent, *words, "--start", str(out), "--out", str(tmp_path / "next.toml"))
    assert on.returncode == 0, on.stderr
    assert read_weights(tmp_path / "next.toml", terms).made_by.endswith(f"--start new.toml # from {digest(tuned)}")
    played = menagerie_in(game.parent, "match", name, f"nodes=10,weights={out}", "nodes=10", "--games", "4")
    assert played.returncode == 0 and "4 of 4 games" in played.stdout, played.stderr
    out.write_text("nonsense", encoding="utf-8")
    refused = menagerie_in(game.parent, "match", name, f"nodes=10,weights={out}", "nodes=10", "--games", "4")
    assert refused.returncode == 2 and len(refused.stderr.splitlines()) == 1 and "new.toml" in refused.stderr


def test_a_game_without_judgement_is_not_tuned() -> None:
    bare = SimpleNamespace(title="Chess", judgement=SimpleNamespace(TERMS=()))
    with pytest.raises(MenagerieError, match="Chess has no judgement to tune"):
        tune.refuse_without_terms(bare)  # type: ignore[arg-type]
