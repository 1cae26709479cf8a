"""What the guide to Chak claims of endings, decided by the table: the figures of docs/chak-endings.md, and its boards.

    python -m bench.claims [--pictures docs/pictures]

What it prints is compared with the golden file claims.txt of Chak, which is what it printed before: that shows when
something changes, and proves nothing. The exit code is 1 where a line differs. In the figures the defender is the side
with the further piece, White or Green; the attacker has a Divine King and at most its offering (D+O).
"""

import argparse
import difflib
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path

import numpy as np

import menagerie
from menagerie.games import find
from menagerie.games.chak import endgame, rules
from menagerie.kernel.state import copy, new
from menagerie.kernel.walk import after, legal_actions
from menagerie.solve.tablebase import Tablebase

LETTERS = endgame.LETTERS
TEMPLE = [9 * rank + file for rank in range(3) for file in (3, 4, 5)]
ALTAR_RANK, ALTAR_FILE = 1, 4
DIVINE_FROM = 36
WHO = ("defender", "attacker")


@dataclass
class Ending:
    """Every position of a part, as its defender sees the board; `value` is the defender's."""

    states: np.ndarray
    is_to_move: np.ndarray
    """Whether the defender is to move."""
    attacker: np.ndarray
    defender: np.ndarray
    piece: np.ndarray
    value: np.ndarray
    plies: np.ndarray

    @classmethod
    def of(cls, base: Tablebase, name: str) -> "Ending":
        """A part with one further piece."""
        part = next(part for part in endgame.parts() if part.name == name)
        states = np.zeros(part.last - part.first, rules.STATE)
        count = 0
        for index in range(part.first, part.last):
            count += bool(endgame.set_up(index, states[count]))
        states = states[:count]
        board = states["board"] % rules.OWNER
        is_further = ~np.isin(board, (rules.EMPTY, rules.KING, rules.DIVINE_KING, rules.OFFERING))
        piece = is_further.argmax(axis=1)
        is_mine = states["board"][np.arange(count), piece] < rules.OWNER
        royal = states["royal"].astype(np.int64)
        rows = base.probe_states(states)

        def seen(squares: np.ndarray) -> np.ndarray:
            return np.where(is_mine, squares, rules.SQUARES - 1 - squares)

        return cls(
            states=states,
            is_to_move=is_mine,
            attacker=seen(np.where(is_mine, royal[:, 1], royal[:, 0])),
            defender=seen(np.where(is_mine, royal[:, 0], royal[:, 1])),
            piece=seen(piece),
            value=np.where(is_mine, rows[:, 0], -rows[:, 0]),
            plies=rows[:, 1],
        )

    @property
    def is_attacked_by_divine(self) -> np.ndarray:
        """Whether the attacker has crossed the river."""
        return self.attacker < rules.SQUARES - DIVINE_FROM

    @property
    def is_king(self) -> np.ndarray:
        """Whether the defender's royal piece has not crossed it."""
        return self.defender < DIVINE_FROM

    @property
    def is_in_temple(self) -> np.ndarray:
        """Whether the defender's king stands in its temple."""
        return np.isin(self.defender, TEMPLE)

    @property
    def is_out_of_reach(self) -> np.ndarray:
        """Whether the piece stands where the attacker never comes."""
        return self.piece >= rules.SQUARES - DIVINE_FROM

    @property
    def is_protected(self) -> np.ndarray:
        """Whether the defender's king stands beside the piece."""
        files = np.abs(self.defender % 9 - self.piece % 9)
        ranks = np.abs(self.defender // 9 - self.piece // 9)
        return self.is_king & (np.maximum(files, ranks) == 1)

    def among(self, chosen: np.ndarray, fits: Callable[["Ending", int], bool]) -> np.ndarray:
        """Which of some positions fit, asked one by one."""
        found = np.zeros(len(self.states), bool)
        for number in np.flatnonzero(chosen):
            found[number] = fits(self, int(number))
        return found

    def can_move(self, number: int) -> bool:
        """Whether the piece has a legal move; its owner is to move."""
        actions = legal_actions(rules, self.states[number])
        return any(action // rules.SQUARES == self.piece[number] for action in actions)

    def is_over(self, number: int) -> bool:
        """Whether the player to move has no move at all."""
        return not legal_actions(rules, self.states[number])

    def defends_altar(self, number: int) -> bool:
        """Whether the piece stands on its altar or could take there, its king being only something to jump over."""
        state = copy(self.states[number])
        owner = int(not self.is_to_move[number])
        altar, piece = int(rules.ALTAR[0]), int(self.piece[number])
        state.board[state.royal[owner]] = rules.OFFERING + owner * rules.OWNER
        return piece == altar or bool(rules.attacked(state, int(rules.ALTAR[owner]), owner))

    @property
    def guards_altar(self) -> np.ndarray:
        """Whether the piece stands on the altar's rank with nothing between."""
        file = self.piece % 9
        low, high = np.minimum(file, ALTAR_FILE), np.maximum(file, ALTAR_FILE)

        def between(square: np.ndarray) -> np.ndarray:
            return (square // 9 == ALTAR_RANK) & (square % 9 > low) & (square % 9 < high)

        return (self.piece // 9 == ALTAR_RANK) & ~between(self.attacker) & ~between(self.defender)

    @property
    def is_near(self) -> np.ndarray:
        """Whether the attacker stands in line with the piece, at most two squares away."""
        files = np.abs(self.attacker % 9 - self.piece % 9)
        ranks = np.abs(self.attacker // 9 - self.piece // 9)
        in_line = (files == 0) | (ranks == 0) | (files == ranks)
        return in_line & (np.maximum(files, ranks) <= 2)

    def row(self, chosen: np.ndarray) -> str:
        """How many of some positions the defender wins, draws and loses; the longest win and loss."""
        return tally(self.value[chosen], self.plies[chosen])


def tally(value: np.ndarray, plies: np.ndarray) -> str:
    """How often somebody wins, draws and loses; the longest win and loss."""
    counts = [f"{int((value == wanted).sum()):,}" for wanted in (1, 0, -1)]
    longest = [str(int(plies[value == wanted].max(initial=0))) for wanted in (1, -1)]
    return " | ".join([f"{len(value):,}", *counts, *longest])


EXAMPLES = {
    "king": "9/9/9/2k6/+K8/9/9/9/9 w - - 0 1",
    "zugzwang": "4k4/4o4/4+K4/9/9/9/9/9/9 b - - 0 1",
    "offering": "9/9/9/9/+k8/9/3K5/4O4/9 w - - 0 1",
    "vulture": "9/9/9/3V5/9/9/9/3K5/6+k2 w - - 0 1",
    "vulture-holds": "9/9/9/2V6/9/9/9/9/+k3K4 w - - 0 1",
    "warrior": "9/9/9/5+P3/9/9/9/9/2+k1K4 w - - 0 1",
    "pawn-caught": "9/9/9/9/9/9/3K3P1/9/+k8 w - - 0 1",
    "shaman": "9/9/9/S8/9/9/9/4O4/+k2K5 w - - 0 1",
    "shaman-caught": "9/9/9/9/9/9/9/9/1+k1K4S w - - 0 1",
    "jaguar-caught": "9/9/9/7J1/9/+k8/9/9/K8 w - - 0 1",
    "jaguar-guide": "9/9/+K8/9/9/9/3J1+k3/9/9 w - - 0 1",
    "jaguar-race": "9/9/9/+K8/9/9/3J1+k3/9/9 w - - 0 1",
    "jaguar-manoeuvre": "9/4o2j1/k8/5+K3/9/9/9/9/9 b - - 0 1",
    "jaguar-offering": "J8/9/9/9/9/9/1+k1K5/4O4/9 w - - 0 1",
    "quetzal": "9/9/4Q4/9/9/9/9/9/+k3K4 w - - 0 1",
    "quetzal-mobile": "9/9/9/Q8/9/9/9/+k8/3K5 w - - 0 1",
    "jaguar-perpetual": "9/9/9/9/9/9/9/9/K2+k1J3 w - - 0 1",
    "jaguar-divine": "9/4J4/9/9/+K8/9/9/9/8+k w - - 0 1",
    "serpent": "9/9/9/9/9/9/2+k6/R8/K8 w - - 0 1",
    "serpent-guide": "9/r8/3+K5/9/+k8/9/9/9/9 b - - 0 1",
    "serpent-divine": "9/2r6/9/9/+K8/9/9/9/+k8 w - - 0 1",
    "fortress": "9/9/9/9/9/9/3S5/4S4/4K1+k2 w - - 0 1",
    "walled-in": "9/9/9/9/9/9/9/3SO4/3SK2+k1 b - - 0 1",
    "fortress-shaman": "9/9/9/9/9/9/9/4S4/+k2K5 w - - 0 1",
    "fortress-serpent": "9/9/9/9/9/9/1+k7/3RO4/3K5 w - - 0 1",
    "fortress-vulture": "9/9/9/9/9/9/9/4O4/1+kVK5 w - - 0 1",
    "fortress-pawn": "9/9/9/9/9/9/9/4O4/+k3KP3 w - - 0 1",
}
"""The positions of docs/chak-endings.md."""

GUIDE = "9/4ok3/9/1+K7/9/9/9/9/9 w - - 0 1"
"""Where the guide's line against a king with its offering begins."""
OFFERINGS = ("", "O"), ("", "O")
"""The defender's and the attacker's, gone or there."""
GOLDEN = find("chak").folder / "golden" / "claims.txt"
DOCUMENT = Path(__file__).parents[1] / "docs" / "chak-endings.md"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=Path, help="write the boards of the examples there")
    chosen = parser.parse_args()
    chak = menagerie.game("chak")
    base = Tablebase.find(chak)
    assert base, "there is no table of Chak: make it with `menagerie solve chak`"
    for label, text in EXAMPLES.items():
        if chosen.pictures:
            (chosen.pictures / f"chak-{label}.svg").write_text(chak.position(text).svg(), encoding="utf-8")
    said = []
    for line in lines(base):
        print(line, flush=True)
        said.append(line)
    known = GOLDEN.read_text(encoding="utf-8").splitlines()
    for line in difflib.unified_diff(known, said, "golden", "found", lineterm="", n=0):
        print(f"WRONG {line}")
    untold = [text for text in (GUIDE, *EXAMPLES.values()) if f"`{text.removesuffix(' - - 0 1')}`" not in document()]
    for text in untold:
        print(f"WRONG {text} is not in {DOCUMENT}")
    sys.exit(said != known or bool(untold))


def document() -> str:
    """The text that tells of all this."""
    return DOCUMENT.read_text(encoding="utf-8")


def lines(base: Tablebase) -> Iterator[str]:
    """All figures, then the examples."""
    yield "position, who moves | positions | the defender wins | draws | loses | longest win | longest loss"
    yield from royals(base)
    for letter, own, other in product(LETTERS, *OFFERINGS):
        yield from figures(Ending.of(base, f"K{letter}{own}-K{other}"), with_offering(letter, own), against(other))
    yield from fortresses(base)
    yield from manoeuvres(base)
    for label, text in EXAMPLES.items():
        position = base.variant.position(text)
        yield f"{label}: {text}: {base.probe(position)}: {' '.join(str(turn) for turn in base.line(position))}"
    choices = base.choices(base.variant.position(GUIDE))
    wins = [f"{choice.turn} {choice.verdict}" for choice in choices if choice.verdict.value > 0]
    yield f"the guide's line: {GUIDE}: {', '.join(wins)}"


def with_offering(men: str, offering: str) -> str:
    """Men and an offering, if there is one."""
    return "+".join([*men, *offering])


def against(offering: str) -> str:
    """The attacker."""
    return with_offering("D", offering)


def figures(ending: Ending, name: str, attacker: str) -> Iterator[str]:
    """The rows of one piece."""
    divine = ending.is_attacked_by_divine
    safe = divine & ending.is_in_temple & ending.is_out_of_reach
    fortress = ending.among(divine & ending.is_in_temple & ending.is_protected, Ending.defends_altar)
    walled = "king in the temple, the piece defends the altar and the king the piece"
    for who, moves in zip(WHO, (ending.is_to_move, ~ending.is_to_move), strict=True):
        yield f"K+{name} v {attacker}, {who} | {ending.row(moves & divine & ending.is_king)}"
        yield f"  king in the temple | {ending.row(moves & divine & ending.is_in_temple)}"
        yield f"  piece out of reach too | {ending.row(moves & safe)}"
        if name.startswith("Q") and who == "defender":
            yield from quetzals(ending, moves & safe)
        yield f"  {walled} | {ending.row(moves & fortress)}"
        yield f"D+{name} v {attacker}, {who} | {ending.row(moves & divine & ~ending.is_king)}"
        if name.startswith("R"):
            held = moves & divine & ending.guards_altar
            for royal, chosen in (("K", ending.is_king), ("D", ~ending.is_king)):
                yield f"  {royal}, on the altar's rank | {ending.row(held & chosen)}"
                yield f"  {royal}, and not in line with the attacker | {ending.row(held & chosen & ~ending.is_near)}"


def quetzals(ending: Ending, chosen: np.ndarray) -> Iterator[str]:
    """Some positions of a quetzal whose side is to move and not mated: those in which it can move, and the others."""
    playing = chosen & ~ending.among(chosen, Ending.is_over)
    mobile = ending.among(playing, Ending.can_move)
    yield f"    and it can move | {ending.row(mobile)}"
    yield f"    and it cannot, and the game is not over | {ending.row(playing & ~mobile)}"


def royals(base: Tablebase) -> Iterator[str]:
    """A lone King, perhaps with its offering, against a Divine King."""
    for own, other in product(*OFFERINGS):
        for player, who in enumerate(WHO):
            name = f"{with_offering('K', own)} v {against(other)}, {who}"
            for label, squares in ((name, range(DIVINE_FROM)), ("  king in the temple", TEMPLE)):
                yield row_of(base, label, set_ups(men_of(own, other), squares, player))


def fortresses(base: Tablebase) -> Iterator[str]:
    """Two shamans in White's half that protect each other, one of them also the altar, against a lone Divine King."""
    for own, other in product(*OFFERINGS):
        for squares, name in ((range(DIVINE_FROM, rules.SQUARES), "D"), (TEMPLE, "K in the temple")):
            for player, who in enumerate(WHO):
                states = (state for men in walls(own, other) for state in set_ups(men, squares, player))
                yield row_of(base, f"{name}+{with_offering('SS', own)} v {against(other)}, {who}", states)


def manoeuvres(base: Tablebase) -> Iterator[str]:
    """The guide's line with jaguar and offering, 1. Jf9 Df7 2. Je9+ Dg. 3. Jd9, from every position that it fits.

    And what it says of the jaguar on d9 and the Divine King on f9. Sides are exchanged: White has the jaguar.
    """
    f9, d9, d8 = seen_by_green("f9"), seen_by_green("d9"), seen_by_green("d8")
    origins = [square for square in range(rules.SQUARES) if is_step(rules.JAGUAR, square, f9)]
    for other in OFFERINGS[1]:
        for squares, name in ((range(DIVINE_FROM), "K"), (range(DIVINE_FROM, rules.SQUARES), "D")):
            states = [state for origin in origins for state in jaguars(origin, other, squares) if fits_guide(state)]
            label = f"{name}+{with_offering('J', 'O')} v {against(other)}, defender, the guide's Jf9"
            yield row_of(base, label, states)
        moves = [moved(state, d9, d8) for state in jaguars(d9, other, range(rules.SQUARES)) if enemy(state) == f9]
        legal = [state for state in moves if state is not None]
        quiet = sum(not hunts(state) for state in legal)
        label = f"J on d9, O, v {against(other)} on f9"
        yield f"{label} | {len(moves)} | Jd8 is legal in {len(legal)} | not hunted then in {quiet}"


def jaguars(square: int, other: str, squares: Iterable[int]) -> Iterator[np.record]:
    """White's jaguar on a square, its offering, its royal piece on one of the squares; White is to move."""
    if square != rules.ALTAR[0]:
        yield from set_ups({square: rules.JAGUAR} | men_of("O", other), squares, 0)


def fits_guide(state: np.record) -> bool:
    """Whether the jaguar is attacked, and the guide's line works, wherever on the g-file the attacker goes."""
    f9, f7, e9, d9 = (seen_by_green(name) for name in ("f9", "f7", "e9", "d9"))
    jaguar = int(np.flatnonzero(state.board == rules.JAGUAR)[0])
    fled = moved(state, jaguar, f9) if rules.attacked(state, jaguar, 1) else None
    if fled is None or rules.check(fled) or hunts(fled) != [f7]:
        return False
    hunted = moved(fled, enemy(fled), f7)
    checked = None if hunted is None else moved(hunted, f9, e9)
    if checked is None or not rules.check(checked):
        return False
    answers = [after(rules, checked, action) for action in legal_actions(rules, checked) if is_on_g_file(action)]
    fled_again = [moved(state, e9, d9) for state in answers]
    return bool(answers) and all(state is not None and not hunts(state) for state in fled_again)


def is_on_g_file(action: int) -> bool:
    """Whether an action goes to the g-file as Green sees it."""
    return action % rules.SQUARES % 9 == seen_by_green("g9") % 9


def hunts(state: np.record) -> list[int]:
    """Where Green's Divine King, to move, can go and then attacks the jaguar, or has taken it."""
    jaguar = int(np.flatnonzero(state.board == rules.JAGUAR)[0])
    actions = legal_actions(rules, state)
    ends = ((action % rules.SQUARES, after(rules, state, action)) for action in actions)
    return [target for target, end in ends if target == jaguar or rules.attacked(end, jaguar, 1)]


def moved(state: np.record, origin: int, target: int) -> np.record | None:
    """The state after a move, if that is legal."""
    action = origin * rules.SQUARES + target
    return after(rules, state, action) if action in legal_actions(rules, state) else None


def enemy(state: np.record) -> int:
    """Where Green's royal piece stands."""
    return int(state.royal[1])


def seen_by_green(name: str) -> int:
    """The square that Green sees where White sees the one of that name."""
    return rules.SQUARES - 1 - find("chak").board.squares[name]


def row_of(base: Tablebase, label: str, states: Iterable[np.record]) -> str:
    """How many of some positions White, the defender, wins, draws and loses; the longest win and loss."""
    found = np.array(list(states), rules.STATE)
    rows = base.probe_states(found)
    assert (rows[:, 0] != 2).all(), f"the table does not tell all of {label}"
    value, plies = rows[:, 0] * (1 - 2 * found["player"].astype(np.int64)), rows[:, 1]
    return f"{label} | {tally(value, plies)}"


Men = dict[int, int]
"""Pieces by their squares, Green's with `OWNER`."""


def men_of(own: str, other: str) -> Men:
    """White's offering and Green's, if they are there."""
    mine, theirs = map(int, rules.ALTAR)
    return ({mine: rules.OFFERING} if own else {}) | ({theirs: rules.OFFERING + rules.OWNER} if other else {})


def walls(own: str, other: str) -> Iterator[Men]:
    """The fortresses."""
    altar = int(rules.ALTAR[0])
    half = [square for square in range(DIVINE_FROM) if not (own and square == altar)]
    for first, second in combinations(half, 2):
        guards = altar in (first, second) or is_step(rules.SHAMAN, first, altar) or is_step(rules.SHAMAN, second, altar)
        if guards and is_step(rules.SHAMAN, first, second):
            yield {first: rules.SHAMAN, second: rules.SHAMAN} | men_of(own, other)


def set_ups(men: Men, squares: Iterable[int], player: int) -> Iterator[np.record]:
    """These men and White's royal piece, on one of the squares, against a Divine King wherever it can stand."""
    for attacker, defender in product(range(rules.SQUARES - DIVINE_FROM), squares):
        if len({*men, attacker, defender}) < len(men) + 2:
            continue
        state = new(rules.STATE)
        for square, piece in men.items():
            state.board[square] = piece
        state.board[attacker] = rules.DIVINE_KING + rules.OWNER
        state.board[defender] = rules.DIVINE_KING if defender >= DIVINE_FROM else rules.KING
        state.player = player
        rules.derive(state)
        is_over = rules.on_altar(state, 0) or rules.on_altar(state, 1)
        if not is_over and not rules.attacked(state, int(state.royal[1 - player]), player):
            yield state


def is_step(kind: int, origin: int, target: int) -> bool:
    """Whether White's piece of a kind steps from one square to another."""
    return (target % 9 - origin % 9, target // 9 - origin // 9) in rules.STEPS[kind]


if __name__ == "__main__":
    main()
