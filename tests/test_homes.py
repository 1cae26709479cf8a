"""One home for everything: a game's name stands nowhere in the package but in the game's own folder."""

import re
from collections.abc import Iterable
from pathlib import Path

import menagerie
from menagerie.games import find, names
from menagerie.kernel.cache import LAYERS

PACKAGE = Path(menagerie.__file__).parent


PAGES = PACKAGE.parents[1] / "web"


def named(files: Iterable[Path], words: Iterable[str]) -> list[str]:
    """The lines that hold any of these words."""
    pattern = re.compile("|".join(rf"\b{re.escape(word)}\b" for word in words), re.IGNORECASE)
    return [
        f"{file}:{number}: {line.strip()}"
        for file in files
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line)
    ]


def games() -> set[str]:
    """What games are called."""
    return {word for name in names() for word in (name, find(name).title)}


def test_games_are_named_only_in_their_folders() -> None:
    assert not named((file for file in PACKAGE.rglob("*.py") if file.parent.parent != PACKAGE / "games"), games())


def test_pages_name_no_game_and_do_not_count_them() -> None:
    sources = [*(PAGES / "src").rglob("*.ts"), *(PAGES / "src").rglob("*.svelte"), PAGES / "index.html"]
    assert len(sources) > 50
    assert not named(sources, games() | {"five games", "five board games"})


def test_code_is_compiled_only_where_the_cache_looks() -> None:
    """What is compiled elsewhere would be taken from the cache after it has changed."""
    homes = [PACKAGE / layer for layer in LAYERS]
    strays = [
        file.relative_to(PACKAGE)
        for file in PACKAGE.rglob("*.py")
        if not any(file.is_relative_to(home) for home in homes)
        and re.search(r"^@(compiled|template)\b", file.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert not strays


def test_every_source_file_says_what_it_is() -> None:
    for file in PACKAGE.rglob("*.py"):
        assert file.read_text(encoding="utf-8").startswith('"""'), file
