"""The README's first example runs, and says what is true."""

import re
from pathlib import Path

import menagerie

README = Path(__file__).parents[1] / "README.md"


def test_the_first_example_runs_as_written() -> None:
    found = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    names: dict[str, object] = {}
    exec(found[1], names)
    assert isinstance(names["match"], menagerie.Match)
    for code, comment in re.findall(r"^(game\.start\(\)\.perft\(\d+\)) +# (\d+)$", found[1], re.MULTILINE):
        assert eval(code, names) == int(comment)
