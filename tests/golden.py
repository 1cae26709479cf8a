"""Golden files: blocks of `key: value` lines parted by blank lines, comments after #."""

from collections.abc import Iterator

from menagerie.game import Game

Block = list[tuple[str, str]]


def blocks(game: Game, file: str) -> Iterator[Block]:
    """The blocks of one of a game's golden files."""
    text = (game.folder / "golden" / file).read_text(encoding="utf-8")
    for part in text.split("\n\n"):
        lines = [line for line in part.splitlines() if line and not line.startswith("#")]
        block = [(key.strip(), value.strip()) for key, _, value in (line.partition(":") for line in lines)]
        if block:
            yield block


def first(block: Block, key: str, default: str = "") -> str:
    """The first value of a key."""
    return next((value for name, value in block if name == key), default)
