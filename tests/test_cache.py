"""Machine code on disk: used when it fits, made anew when anything changed or is damaged."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import menagerie
from menagerie.games import names
from menagerie.kernel.cache import read_checked, write_checked

PACKAGE = Path(menagerie.__file__).parent
COUNT = """
import sys, menagerie
from menagerie.kernel import cache
compiled = []
cache.watchers.append(compiled.append)
print(menagerie.game(sys.argv[1]).start().perft(2), len(compiled), cache.folder())
"""


def count(folder: Path, **variables: str) -> tuple[int, int, Path]:
    """A small perft in a process of its own: the nodes, the functions that were compiled for it, the folder used."""
    command = [sys.executable, "-c", COUNT, names()[0]]
    environment = os.environ | {"MENAGERIE_CACHE": str(folder)} | variables
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    nodes, compiled, used = done.stdout.split()
    return int(nodes), int(compiled), Path(used)


def test_code_is_compiled_once_and_damaged_files_are_made_anew(tmp_path: Path) -> None:
    nodes, compiled, used = count(tmp_path)
    assert compiled > 0
    assert count(tmp_path) == (nodes, 0, used)
    files = sorted(used.glob("*.code"))
    assert files
    for number, file in enumerate(files):
        content = file.read_bytes()
        damaged = [content[: len(content) // 2], content[:-1] + bytes([content[-1] ^ 1]), b"", os.urandom(100)]
        file.write_bytes(damaged[number % 4])
    assert count(tmp_path)[:2] == (nodes, compiled)
    assert count(tmp_path) == (nodes, 0, used)


def test_flags_have_folders_of_their_own(tmp_path: Path) -> None:
    nodes, _, used = count(tmp_path)
    again, compiled, other = count(tmp_path, NUMBA_BOUNDSCHECK="1")
    assert again == nodes and compiled > 0 and other != used


def test_a_changed_source_has_a_folder_of_its_own(tmp_path: Path) -> None:
    copy = tmp_path / "src"
    shutil.copytree(PACKAGE, copy / "menagerie", ignore=shutil.ignore_patterns("__pycache__"))
    before = count(tmp_path / "cache", PYTHONPATH=str(copy))
    assert count(tmp_path / "cache", PYTHONPATH=str(copy)) == (before[0], 0, before[2])
    bits = copy / "menagerie" / "kernel" / "bits.py"
    bits.write_text(bits.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    nodes, compiled, used = count(tmp_path / "cache", PYTHONPATH=str(copy))
    assert (nodes, compiled) == before[:2] and used != before[2]


def test_a_folder_that_cannot_be_written_only_costs_time(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert count(blocked)[0] == count(tmp_path / "good")[0]


def test_what_is_written_is_read_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "one.code"
    assert read_checked(file) is None
    write_checked(file, b"some code")
    assert read_checked(file) == b"some code"
    assert list(tmp_path.iterdir()) == [file]
    content = file.read_bytes()
    for damage in (content[:-1], content + b"x", content[1:], b""):
        file.write_bytes(damage)
        assert read_checked(file) is None


@pytest.mark.parametrize("name", names())
def test_importing_compiles_nothing(name: str) -> None:
    code = f"""
from menagerie.kernel import cache
asked = []
cache.DiskCache.load_overload = lambda *arguments: asked.append(arguments)
import menagerie.cli
menagerie.game({name!r})
assert not asked
"""
    subprocess.run([sys.executable, "-c", code], check=True)
