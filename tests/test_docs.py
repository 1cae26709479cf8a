"""The examples of README and of the docs run as they are written, and say what is true."""

import re
import sys
from pathlib import Path

import pytest

import menagerie
from menagerie.protocols import controller
from menagerie.solve import checkpoint
from menagerie.solve.solver import Solver
from menagerie.solve.tablebase import place_of

ROOT = Path(__file__).parents[1]


def examples(file: str) -> list[str]:
    """The Python in a document."""
    return re.findall(r"```python\n(.*?)```", (ROOT / file).read_text(encoding="utf-8"), re.DOTALL)


def test_the_examples_of_readme_run_as_written(capsys: pytest.CaptureFixture[str]) -> None:
    first, second = examples("README.md")
    names: dict[str, object] = {}
    exec(first, names)
    assert isinstance(names["match"], menagerie.Match)
    printed = capsys.readouterr().out
    for comment in re.findall(r"^print\(.*\)  # (\[.*\])$", first, re.MULTILINE):
        assert comment in printed
    counts = re.findall(r"^(game\.start\(\)\.perft\(\d+\)) +# (\d+)$", first, re.MULTILINE)
    assert counts
    for code, comment in counts:
        assert eval(code, names) == int(comment)
    exec(second.replace("seconds=2", "seconds=0.2"), names)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 3 and re.fullmatch(r"-?\d+ 0\.\d+ [+-]\d+\.\d\d  .+", lines[0])


def test_the_examples_of_many_positions_of_a_table_run_as_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MENAGERIE_TABLES", str(tmp_path))
    chak = menagerie.game("chak")
    for _ in checkpoint.make(Solver(chak, "KO-K"), place_of(chak)):
        pass
    names: dict[str, object] = {}
    for example in examples("docs/solved.md")[1:]:
        exec(example, names)
    assert "rows" in names


def test_the_example_of_a_foreign_engine_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """With our own engine as the foreign one."""
    (example,) = examples("docs/protocols.md")
    start = controller.ForeignEngine.__init__
    ours = f"{sys.executable} -m menagerie engine dobutsu --rules official"

    def begin(self: controller.ForeignEngine, command: str, *rest: object) -> None:
        assert command == "fairy-stockfish"
        start(self, ours, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(controller.ForeignEngine, "__init__", begin)
    names: dict[str, object] = {}
    exec(example, names)
    match = names["match"]
    assert isinstance(match, menagerie.Match) and len(match.turns) == 1
