"""What people type first: games by name, options, errors, boards."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from walks import turn_starts

import menagerie
from menagerie import MenagerieError, OptionError, UnknownGame, Variant
from menagerie.game import Game, Piece
from menagerie.games import find, names

SVG = "{http://www.w3.org/2000/svg}"


def test_games_are_found_by_name_and_options_checked(usual: Variant) -> None:
    name = usual.game.name
    assert menagerie.game(name) == usual
    assert usual.start() == menagerie.game(name).start()
    with pytest.raises(UnknownGame, match="the games are"):
        menagerie.game("no such game")
    with pytest.raises(OptionError, match="no rule option 'bogus'"):
        menagerie.game(name, bogus="1")
    for option in usual.game.options.names():
        assert usual.game.options.about(option)
        with pytest.raises(OptionError, match=f"{option} cannot be 'bogus'"):
            menagerie.game(name, **{option: "bogus"})


def test_options_are_part_of_the_position(usual: Variant) -> None:
    options = usual.game.options
    for option in options.names():
        for value in options.values(option):
            variant = menagerie.game(usual.game.name, **{option: value})
            position = variant.start()
            assert getattr(position.options, option) == value
            assert (position == usual.start()) == (position.key == usual.start().key) == (variant == usual)
            assert usual.game.agreed(variant.options.in_full()) == variant.options


def test_rule_sets_have_names(usual: Variant) -> None:
    for name, chosen in usual.game.rule_sets.items():
        assert usual.game.agreed(name) == usual.game.options.of(chosen)
    with pytest.raises(OptionError, match="no rule set"):
        usual.game.agreed("bogus")


def test_pieces_are_found_by_square(usual: Variant) -> None:
    position = turn_starts(usual, seed=63)[-1]
    for name, square in usual.game.board.squares.items():
        assert position.piece_at(name) == position.view.board.get(square)
    assert len(position.view.board) > 0
    with pytest.raises(MenagerieError, match="has no square 'z99'"):
        position.piece_at("z99")


def test_perft_refuses_impossible_depths(usual: Variant) -> None:
    for depth in (-1, 33):
        with pytest.raises(MenagerieError, match="depth of perft"):
            usual.start().perft(depth)


@pytest.mark.parametrize("quarter_turns", range(4))
def test_boards_are_pictures_of_the_position(usual: Variant, quarter_turns: int) -> None:
    position = turn_starts(usual, seed=64)[-1]
    picture = ElementTree.fromstring(position.svg(quarter_turns, marked=["a1"]))
    titles = [title.text for title in picture.iter(f"{SVG}title")]
    game = usual.game
    pieces = [*position.view.board.values()]
    pieces += [Piece(player, letter) for player in range(2) for letter, _ in position.view.hands[player]]
    expected = [f"{game.players[piece.player]} {game.kind[piece.letter].name}" for piece in pieces]
    assert sorted(map(str, titles)) == sorted(expected)
    _, _, width, height = map(float, picture.attrib["viewBox"].split())
    for group in picture.iter(f"{SVG}g"):
        shift = group.attrib.get("transform", "")
        if shift.startswith("translate"):
            x, y = map(float, shift[len("translate(") : -1].split())
            assert 0 <= x <= width - 100 and 0 <= y <= height - 100
    assert position._repr_svg_() == position.svg()
    for view in game.views:
        assert ElementTree.fromstring(position.svg(view=view)).tag == f"{SVG}svg"
    with pytest.raises(MenagerieError, match="has no view"):
        position.svg(view="bogus")


def test_every_kind_has_its_own_picture(usual: Variant) -> None:
    pictures = set()
    for kind in usual.game.kinds:
        text = (usual.game.folder / "art" / f"{kind.art}.svg").read_text(encoding="utf-8")
        root = ElementTree.fromstring(text)
        assert root.attrib["viewBox"] == "0 0 100 100"
        paints = {e.attrib[a] for e in root.iter() for a in ("fill", "stroke") if a in e.attrib}
        assert paints <= {"currentColor", "var(--token)", "none"}
        assert not any(word in text for word in ("<script", "<style", "href", "<image", "<text"))
        pictures.add(text)
    assert len(pictures) == len(usual.game.kinds) == len(usual.game.kind)


def test_every_game_explains_itself() -> None:
    for name in names():
        game = find(name)
        assert game.goal.endswith(".")
        text = (game.folder / "README.md").read_text(encoding="utf-8")
        assert len(text) > (500 if is_example(game) else 5000)
        for option in game.options.names():
            usual, *others = game.options.values(option)
            row = f"| `{option}` | **{usual}**, {', '.join(others)} |"
            assert (f"`{option}`" if is_example(game) else row) in text
        assert all(kind.about for kind in game.kinds)


def is_example(game: Game) -> bool:
    """Whether a game lives with the tests and not in the package."""
    return not Path(str(game.folder)).is_relative_to(Path(menagerie.__file__).parent)
