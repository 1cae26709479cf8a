"""The same source in every mode: plain, compiled, with bounds checks; compiled once and without waste."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from menagerie.games import names

HERE = Path(__file__).parent


def run(*arguments: str, **variables: str) -> str:
    """What `exercise.py` prints in a process of its own."""
    command = [sys.executable, str(HERE / "exercise.py"), *arguments]
    done = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", names())
def test_plain_equals_compiled(name: str) -> None:
    assert run(name, NUMBA_DISABLE_JIT="1") == run(name)


@pytest.mark.parametrize("name", names())
def test_bounds_checks_find_nothing(name: str) -> None:
    assert run(name, NUMBA_BOUNDSCHECK="1") == run(name)


@pytest.mark.parametrize("name", names())
def test_rules_are_compiled_once_and_count_no_references(name: str, tmp_path: Path) -> None:
    assert "functions inspected" in run(name, "--inspect", MENAGERIE_CACHE=str(tmp_path))
