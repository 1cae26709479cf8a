"""The same source in every mode: plain, compiled, with bounds checks; compiled once and without waste."""

import dis
import os
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest

from menagerie.games import find, names
from menagerie.solve.retrograde import analysis

CONSTANT_MEMORY = 1 << 16
"""Bytes on a CUDA device, for all functions of a kernel."""
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


@pytest.mark.parametrize("name", names())
def test_the_tables_of_a_kernel_fit_constant_memory(name: str) -> None:
    game = find(name)
    kernels = [game.walks.playouts]
    if game.endgame:
        code = analysis(game, game.endgame)
        kernels += [code.survey, code.survey_quickly, code.look_again, code.tell_found]
    for kernel in kernels:
        tables = table_bytes(kernel, {})
        assert sum(tables.values()) < CONSTANT_MEMORY, f"{kernel.__qualname__}: {tables}"


def table_bytes(function: object, found: dict[str, int]) -> dict[str, int]:
    """For each function that a compiled one calls, itself included, the bytes of the tables that it names.

    The CUDA compiler copies a table for every time that a function names it.
    """
    plain = getattr(function, "py_func", function)
    if not isinstance(plain, FunctionType) or plain.__qualname__ in found:
        return found
    loaded = [line.argval for line in dis.get_instructions(plain) if line.opname == "LOAD_GLOBAL"]
    named = [plain.__globals__.get(name) for name in loaded]
    found[plain.__qualname__] = sum(table.nbytes for table in named if isinstance(table, np.ndarray))
    for other in named:
        table_bytes(other, found)
    return found
