"""Golden files: blocks of `key: value` lines parted by blank lines, comments after #."""

from collections.abc import Iterator

from menagerie import Position, Variant
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


def variant_of(game: Game, block: Block) -> Variant:
    """The game under the rules of a block."""
    return Variant(game, game.agreed(first(block, "rules")))


def turns_of(game: Game, text: str) -> list[str]:
    """The turns that a value lists: words, or parted by ; where a turn can be several words."""
    return [turn.strip() for turn in text.split(";") if turn.strip()] if game.long_turns else text.split()


def case_positions(variant: Variant) -> list[Position]:
    """The positions of the golden cases, where there are pieces and places that random games hardly reach."""
    return [variant.position(first(block, "position")) for block in blocks(variant.game, "cases.txt")]


def tactics_positions(game: Game) -> list[Position]:
    """The positions of the golden tactics; none where a game has none."""
    if not (game.folder / "golden" / "tactics.txt").is_file():
        return []
    return [variant_of(game, block).position(first(block, "position")) for block in blocks(game, "tactics.txt")]
