"""The games as facts: boards, pieces, options, rules in words and pictures, all from the games' own folders."""

import re
from functools import cache
from html import escape

from markdown_it import MarkdownIt

from menagerie import drawing
from menagerie.errors import MenagerieError
from menagerie.game import Board, Game, Kind, Piece
from menagerie.games import find, names
from menagerie.position import Position
from menagerie.search.limits import LEVELS
from menagerie.server.facts import (
    BoardFact,
    GameFact,
    KindFact,
    OptionFact,
    RuleSetFact,
    RulesFact,
    RulesSection,
    SquareFact,
    ViewFact,
)
from menagerie.server.portrait import sentence, title
from menagerie.server.refusals import NotFound
from menagerie.variant import Variant

LEVEL_WORDS = (
    "Blunders often and sees little: for a first game",
    "Sees the next turn, and is often wrong",
    "A friendly opponent who still errs",
    "Plays soundly, with lapses",
    "Plans a little ahead",
    "Errs no more than it must",
    "Looks far ahead",
    "Plays as well as it can",
)
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
NOT_FOR_PLAYERS = re.compile(r"(?i)^(sources|counts|aei|what is known)\b")
"""Chapters of a game's README that are for programmers."""


@cache
def game_fact(name: str) -> GameFact:
    """A game."""
    game = known(name)
    return GameFact(
        name=game.name,
        title=game.title,
        goal=game.goal,
        players=list(game.players),
        colours=[(colours.token, colours.ink) for colours in game.colours],
        board=board_fact(game.board),
        kinds=[kind_fact(game, kind) for kind in game.kinds],
        options=[
            OptionFact(
                name=option,
                title=title(option),
                about=sentence(game.options.about(option)),
                values=list(game.options.values(option)),
            )
            for option in game.options.names()
        ],
        rule_sets=[RuleSetFact(name=name, options=dict(options)) for name, options in game.rule_sets.items()],
        views=[
            ViewFact(name=name, quarter_turns=turns, mirrored=mirrored)
            for name, (turns, mirrored) in game.views.items()
        ],
        has_hands=game.hands,
        has_long_turns=game.long_turns,
        can_draw=game.draws_by_agreement,
        picture=f"/api/games/{game.name}/board.svg",
        levels=len(LEVELS),
        minutes=game.minutes,
        difficulty=game.difficulty,
    )


def known(name: str) -> Game:
    """The game of that name; a NotFound where there is none."""
    if name not in names():
        raise NotFound(f"there is no game {name[:40]!r}; the games are: {', '.join(names())}")
    return find(name)


def all_games() -> list[GameFact]:
    """Every game, the shortest first: whoever is new here begins there."""
    return sorted(map(game_fact, names()), key=lambda game: game.minutes)


def board_fact(board: Board) -> BoardFact:
    """A board with its squares."""
    return BoardFact(
        files=board.files,
        ranks=board.ranks,
        names_inside=bool(board.labels),
        squares=[
            SquareFact(
                name=board.names.get(square, ""),
                file=square % board.files,
                rank=square // board.files,
                is_dark=(square % board.files + square // board.files) % 2 == 0,
                tint=next((zone.tint for zone in reversed(board.zones) if square in zone.squares), None),
                zones=[zone.name for zone in board.zones if square in zone.squares],
            )
            for square in range(len(board))
        ],
    )


def kind_fact(game: Game, kind: Kind) -> KindFact:
    """A kind of piece with its pictures."""
    return KindFact(
        letter=kind.letter,
        name=kind.name,
        about=sentence(kind.about),
        art=[f"/api/games/{game.name}/art/{kind.letter}/{player}.svg" for player in range(2)],
        dots=list(kind.dots),
        is_royal=kind.is_royal,
    )


@cache
def token_picture(name: str, letter: str, player: int) -> str:
    """A token as a picture of its own, without the dots on its rim: they point elsewhere when a board is turned."""
    game = known(name)
    if letter not in game.kind or player not in (0, 1):
        raise NotFound(f"{game.title} has no such piece")
    inside = drawing.token(game, Piece(player, letter), 0, 0, None)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{inside}</svg>'


def board_picture(variant: Variant, text: str | None, marked: list[str]) -> str:
    """A position as a picture; the start, or the start with the armies set up, if no text is given."""
    position = variant.position(text) if text else with_armies(variant.start())
    return position.svg(marked=marked)


def with_armies(position: Position) -> Position:
    """The position after both sides have set up as usual, where that is how a game begins."""
    game = position.game
    for _ in range(2 if game.setups else 0):
        for letter in next(iter(game.setups.values())):
            action = next(action for action in position.actions() if action.gesture.touches[0] == letter)
            position = action.after
    return position


@cache
def rules_fact(name: str) -> RulesFact:
    """The rules in words, chapter by chapter."""
    game = known(name)
    text = (game.folder / "README.md").read_text(encoding="utf-8")
    head, *chapters = re.split(r"(?m)^## +", text)
    sections = []
    for chapter in chapters:
        heading, _, body = chapter.partition("\n")
        if not NOT_FOR_PLAYERS.match(heading):
            sections.append(RulesSection(id=slug(heading), title=heading.strip(), html=html(body)))
    return RulesFact(game=name, title=game.title, intro=html(re.sub(r"(?m)\A# .*$", "", head)), sections=sections)


@cache
def plain_rules(name: str | None) -> str:
    """For pages without a script: the way to every game's rules, and the rules of one."""
    links = "".join(f'<li><a href="/rules/{game.name}">{escape(game.title)}</a></li>' for game in all_games())
    parts = [f"<h2>Rules</h2><ul>{links}</ul>"]
    if name in names():
        rules = rules_fact(name)
        parts.append(f"<h1>{escape(rules.title)}</h1>{rules.intro}")
        parts += [f"<h2>{escape(section.title)}</h2>{section.html}" for section in rules.sections]
    return "".join(parts)


def html(text: str) -> str:
    """Markdown as safe HTML: whatever looks like HTML in it is shown as text."""
    return str(MARKDOWN.render(text))


def slug(heading: str) -> str:
    """A heading as an anchor."""
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def variant_of(name: str, rules: str) -> Variant:
    """A game under rules given as text."""
    game = known(name)
    if len(rules) > 1000:
        raise MenagerieError("the rules are too long")
    return Variant(game, game.agreed(rules))
