"""The browser's message types are the server's."""

from pathlib import Path

from menagerie.server.typescript import generate

FILE = Path(__file__).parents[2] / "web" / "src" / "lib" / "messages.ts"


def test_the_committed_types_are_those_of_the_server() -> None:
    assert FILE.read_text(encoding="utf-8") == generate(), (
        "run: python -m menagerie.server.typescript web/src/lib/messages.ts"
    )
