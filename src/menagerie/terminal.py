"""The board in a terminal, and a game played there by two people or against a machine."""

from collections.abc import Callable
from pathlib import Path

from rich.columns import Columns
from rich.console import Console
from rich.text import Text

from menagerie.arena.players import Player as MachinePlayer
from menagerie.errors import MenagerieError, Resignation
from menagerie.game import Game, View
from menagerie.match.match import Match
from menagerie.match.record import decode
from menagerie.position import Position
from menagerie.search.engine import engine
from menagerie.search.limits import Limit

BACKGROUND = {
    "water": "#9cc7dd",
    "stone": "#cdb795",
    "gold": "#eac24f",
    "home": "#d9cfa4",
    "dark": "#b98a5a",
    "danger": "#cf8f78",
}
LIGHT, DARK = "#efdfbf", "#e3cda4"
INK = ("#7a1f0e", "#0b3d6b")
NAME = "#6f5230"

HINT_SECONDS, MOST_SECONDS = 1.0, 4.0
"""How long a machine may think: about a hint, and about a turn of its own."""

MOST_LISTED = 500
"""Of more turns than these only the first actions are listed."""

Player = Callable[[Match], str | None]
"""Chooses a move in a match, as text; None to leave."""

HELP = """\
A move in people's form or machine form, or one of:
  moves      what may be played        undo       take back your last move
  board      show the board again      resign     give up
  hint       what the machine would play
  draw       agree on a draw           claim      claim a draw by repetition or the move limit
  save FILE  write the record          load FILE  go on with a record
  record     show the record           quit       leave"""


def show(position: Position, console: Console) -> None:
    """Print the board in colours, with hands and whose turn it is."""
    console.print(board(position.game, position.view), end="")
    for player in (1, 0):
        if position.game.hands:
            held = " ".join(letter * count for letter, count in position.view.hands[player]) or "nothing"
            console.print(f"{position.game.players[player]} holds {held}")
    console.print(str(position.outcome or f"{position.game.players[position.player]} to move"))


def board(game: Game, view: View) -> Text:
    """The board as coloured text, capitals and small letters as in the game's texts.

    Files and ranks are named at the edges; squares with names of their own show them where they are empty.
    """
    text = Text()
    names = dict(game.board.labels)
    for rank in reversed(range(game.board.ranks)):
        text.append("   " if names else f"{rank + 1:>2} ")
        for file in range(game.board.files):
            square = game.board.files * rank + file
            piece = view.board.get(square)
            shown, style = f"{names.get(square, ''):^3}", f"{NAME} on {background(game, square)}"
            if piece:
                letter = piece.letter if piece.player == game.capitals else piece.letter.lower()
                shown, style = f" {letter} ", f"bold {INK[piece.player]} on {background(game, square)}"
            text.append(shown, style=style)
        text.append("\n")
    if not names:
        files = "abcdefghijklmnopqrstuvwxyz"[: game.board.files]
        text.append("   " + "".join(f" {file} " for file in files) + "\n")
    return text


def background(game: Game, square: int) -> str:
    """The colour of a square."""
    colour = DARK if (square % game.board.files + square // game.board.files) % 2 == 0 else LIGHT
    for zone in game.board.zones:
        if square in zone.squares:
            colour = BACKGROUND[zone.tint]
    return colour


def machine(opponent: MachinePlayer) -> Player:
    """Somebody who needs no keyboard."""
    return lambda match: opponent.choose(match, Limit(seconds=MOST_SECONDS)).code


def person(console: Console) -> Player:
    """A person at the keyboard; None at the end of input."""

    def choose(match: Match) -> str | None:
        try:
            asked = "over" if match.outcome else match.variant.game.players[match.position.player]
            return console.input(Text(f"{asked}> ", style="bold")).strip()
        except EOFError:
            return None

    return choose


def play(match: Match, players: tuple[Player, Player], people: tuple[bool, bool], console: Console) -> Match:
    """Play a match to its end, or until a person leaves; the match as it then is.

    Where a machine fails, the person goes on for both. When it is over it can still be saved or taken back.
    """
    console.print(f"{match.variant}: {match.variant.game.goal} Type help for help.\n")
    show(match.position, console)
    told = None
    while True:
        if match.outcome and match.outcome != told:
            console.print(f"{match.outcome}\nIt can be saved, or undone; quit leaves.", style="bold")
        told = match.outcome
        seat = people.index(True) if match.outcome else match.position.player
        if not people[seat]:
            try:
                reply(match, players[seat], console)
            except MenagerieError as error:
                console.print(f"{error}\nThe match goes on with you on both sides; save FILE keeps it.", style="red")
                players, people = (players[1 - seat], players[1 - seat]), (True, True)
            continue
        word = players[seat](match)
        if word is None or word == "quit":
            console.print("Goodbye.")
            return match
        match = obey(match, word, people, console)


def reply(match: Match, machine: Player, console: Console) -> None:
    """Let a machine play its turn, or give up."""
    name = match.variant.game.players[match.position.player]
    try:
        match.play(machine(match) or "")
    except Resignation:
        match.resign()
        return
    console.print(f"\n{name} plays {match.turns[-1]}")
    show(match.position, console)


def obey(match: Match, word: str, people: tuple[bool, bool], console: Console) -> Match:
    """Do what a person typed: a command or a move; say in words what is wrong with it."""
    command, _, rest = word.partition(" ")
    try:
        if command in COMMANDS:
            return COMMANDS[command](match, rest.strip(), people, console) or match
        if word:
            match.play(word)
            show(match.position, console)
    except (MenagerieError, OSError) as error:
        console.print(str(error), style="red")
    return match


Command = Callable[[Match, str, tuple[bool, bool], Console], Match | None]


def say_help(match: Match, rest: str, people: tuple[bool, bool], console: Console) -> None:
    console.print(HELP)


def say_moves(match: Match, rest: str, people: tuple[bool, bool], console: Console) -> None:
    turns = match.legal()
    if len(turns) <= MOST_LISTED:
        console.print(Columns(map(str, turns), padding=(0, 2)))
        return
    console.print(f"{len(turns)} turns, too many to list. They begin with:")
    first = (str(action) for action in match.position.actions())
    console.print(Columns(first, padding=(0, 2)))


def say_board(match: Match, rest: str, people: tuple[bool, bool], console: Console) -> None:
    show(match.position, console)


def say_record(match: Match, rest: str, people: tuple[bool, bool], console: Console) -> None:
    console.print(match.record())


def hint(match: Match, rest: str, people: tuple[bool, bool], console: Console) -> None:
    line = engine(match.variant, seconds=HINT_SECONDS).analyse(match).lines[0]
    console.print(f"{line.turns[0]}  ({line.verdict}, {line.chance:.0%} to win)")


def undo(match: Match, rest: str, people: tuple[bool, bool], console: Console) -> None:
    if not match.outcome and not any(people[turn.position.player] for turn in match.turns):
        raise MenagerieError("there is no turn of yours to take back")
    match.undo_turn()
    while match.actions and not people[match.position.player]:
        match.undo_turn()
    show(match.position, console)


def resign(match: Match, rest: str, people: tuple[bool, bool], console: Console) -> None:
    match.resign()


def draw(match: Match, rest: str, people: tuple[bool, bool], console: Console) -> None:
    if not all(people):
        raise MenagerieError("the machine does not agree on a draw")
    match.agree_draw()


def claim(match: Match, rest: str, people: tuple[bool, bool], console: Console) -> None:
    match.claim()


def save(match: Match, rest: str, people: tuple[bool, bool], console: Console) -> None:
    if not rest:
        raise MenagerieError("save needs the name of a file")
    Path(rest).expanduser().write_text(match.record(), encoding="utf-8")
    console.print(f"saved in {rest}")


def load(match: Match, rest: str, people: tuple[bool, bool], console: Console) -> Match:
    if not rest:
        raise MenagerieError("load needs the name of a file")
    loaded = Match.read(decode(Path(rest).expanduser().read_bytes()))
    if loaded.variant != match.variant:
        raise MenagerieError(f"{rest} is a match of {loaded.variant}, and this is one of {match.variant}")
    loaded.automatic = match.automatic
    show(loaded.position, console)
    return loaded


COMMANDS: dict[str, Command] = {
    "help": say_help,
    "moves": say_moves,
    "board": say_board,
    "record": say_record,
    "hint": hint,
    "undo": undo,
    "resign": resign,
    "draw": draw,
    "claim": claim,
    "save": save,
    "load": load,
}
