"""Chak: places for endings with the royal pieces, any offerings, and one or two further pieces.

The player to move is below, and its royal piece not on the right half; where it stands on the middle file, the lesser
place of the two mirror images counts.

    place = material | royal piece of the mover, 45 squares | the other's, 81 | further pieces, 81 each

On which side of the river a royal piece or a pawn stands tells whether it is promoted. Two further pieces are of one
kind and side, and are counted as a pair of squares. Material changes only by captures, so a part is what two materials
have in common that are the same with the players exchanged.
"""

import numpy as np

from menagerie.games.chak.rules import (
    ALTAR,
    DIVINE_KING,
    EMPTY,
    JAGUAR,
    KING,
    OFFERING,
    OWNER,
    PAWN,
    QUETZAL,
    RIVER,
    SERPENT,
    SHAMAN,
    SIZE,
    SQUARES,
    VULTURE,
    WALKS,
    WARRIOR,
    add,
    attacked,
    on_altar,
    remove,
    targets,
)
from menagerie.kernel.bits import ZERO, I, lowest, without_lowest
from menagerie.kernel.compiled import compiled
from menagerie.kernel.endgame import OUTSIDE, Before, Part, before_type
from menagerie.kernel.state import State

BEFORE = before_type(160)

FURTHER = (JAGUAR, QUETZAL, SERPENT, VULTURE, SHAMAN, PAWN)
"""The kinds that a further piece can be; a pawn may be a warrior."""
LETTERS = "JQRVSP"
NUMBER = np.full(OFFERING + 1, -1, np.int64)
NUMBER[list(FURTHER)] = range(len(FURTHER))
NUMBER[WARRIOR] = FURTHER.index(PAWN)
SORTS = 2 * len(FURTHER)
"""A sort is the number of a kind, plus their number where the other player owns the piece."""
MIDDLE = SIZE // 2
HALF = SIZE * (MIDDLE + 1)
PAIRS_OF_SQUARES = SQUARES * (SQUARES - 1) // 2

Sorts = tuple[int, ...]
PAIRS: tuple[Sorts, ...] = ((4, 4),)
"""The pairs of further pieces that there are places for: two shamans, the fortress that the guide tells of."""


def exchanged(sorts: Sorts) -> Sorts:
    """The further pieces as the other player sees them."""
    return tuple(sorted((sort + len(FURTHER)) % SORTS for sort in sorts))


def code_of(sorts: Sorts) -> int:
    """A number for up to two sorts in order; the same as `place` has."""
    none = (SORTS, SORTS, *sorted(sorts))[-2:]
    low, high = min(none), max(none)
    return low * (SORTS + 1) + high


def squares_for(sorts: Sorts) -> int:
    """In how many ways further pieces are counted."""
    return (1, SQUARES, PAIRS_OF_SQUARES)[len(sorts)]


def name_of(sorts: Sorts, offerings: int) -> str:
    """A part's name, the side of the first piece in capitals: KJ-KO is a jaguar against an offering."""
    mine = "".join(LETTERS[sort] for sort in sorts if sort < len(FURTHER))
    theirs = "".join(LETTERS[sort - len(FURTHER)] for sort in sorts if sort >= len(FURTHER))
    return f"K{mine}{'O' * (offerings & 1)}-K{theirs}{'O' * (offerings >> 1)}"


def lay_out() -> tuple[tuple[Part, ...], np.ndarray, np.ndarray]:
    """The parts; for each code of further pieces and each offerings (1 mine, 2 theirs) where its places begin, or -1;
    and for each beginning the material, in order: first place, sorts, offerings, ways.
    """
    begins = np.full(((SORTS + 1) ** 2, 4), -1, np.int64)
    parts, blocks, end = [], [], 0
    further: list[Sorts] = [(), *((sort,) for sort in range(len(FURTHER))), *PAIRS]
    for sorts in further:
        for offerings in (0, 1, 2, 3):
            first = end
            for these, held in ((sorts, offerings), (exchanged(sorts), offerings >> 1 | (offerings & 1) << 1)):
                if begins[code_of(these), held] < 0:
                    begins[code_of(these), held] = end
                    pair = (*these, SORTS, SORTS)[:2]
                    blocks.append((end, *pair, held, squares_for(these)))
                    end += HALF * SQUARES * squares_for(these)
            if end > first:
                parts.append(Part(name_of(sorts, offerings), first, end))
    return tuple(parts), begins, np.array(blocks, np.int64)


PARTS, BEGINS, BLOCKS = lay_out()
PLACES = PARTS[-1].last


def parts() -> tuple[Part, ...]:
    """Royal pieces alone, then with one further piece, then with two; fewer offerings first."""
    return PARTS


@compiled
def place(state: State) -> int:
    """The place of a position with at most two further pieces, of the sorts that there are places for."""
    me = I(state.player)
    offerings, n = I(0), I(0)
    first = second = I(SORTS)
    one = other = I(0)
    for player in range(2):
        for word in range(2):
            left = state.pieces[player, word]
            while left != ZERO:
                square = lowest(left) + (word << 6)
                left = without_lowest(left)
                kind = I(state.board[square]) & (OWNER - 1)
                is_other = I(player != me)
                if kind == OFFERING:
                    offerings |= 1 << is_other
                    continue
                if not is_in_its_half(kind, square, player):
                    return OUTSIDE
                if kind != KING and kind != DIVINE_KING:
                    sort = NUMBER[kind] + is_other * len(FURTHER)
                    if n == 0:
                        first, one = sort, square
                    elif n == 1:
                        second, other = sort, square
                    else:
                        return OUTSIDE
                    n += 1
    mine, theirs = I(state.royal[me]), I(state.royal[1 - me])
    if me == 1:
        turn = SQUARES - 1
        mine, theirs, one, other = turn - mine, turn - theirs, turn - one, turn - other
    begin = BEGINS[first * (SORTS + 1) + second, offerings]
    if begin < 0:
        return OUTSIDE
    here = count(mine, theirs, (first, second), one, other)
    if mine % SIZE >= MIDDLE:
        image = count(across(mine), across(theirs), (first, second), across(one), across(other))
        here = image if mine % SIZE > MIDDLE else min(here, image)
    return begin + here


@compiled
def is_in_its_half(kind: int, square: int, player: int) -> bool:
    """Whether a royal piece or a pawn is promoted exactly from the river on; other kinds may be anywhere."""
    beyond = square >= RIVER * SIZE if player == 0 else square < (RIVER + 1) * SIZE
    if kind == KING or kind == PAWN:
        return not beyond
    return beyond or (kind != DIVINE_KING and kind != WARRIOR)


@compiled
def across(square: int) -> int:
    """The square on the other side of the middle file."""
    return square + SIZE - 1 - 2 * (square % SIZE)


@compiled
def count(mine: int, theirs: int, sorts: tuple[int, int], one: int, other: int) -> int:
    """The place within a material; the mover's royal piece is on the left half or in the middle."""
    royals = (mine // SIZE * (MIDDLE + 1) + mine % SIZE) * SQUARES + theirs
    first, second = sorts
    if first == SORTS:
        return royals
    if second == SORTS:
        return royals * SQUARES + one
    low, high = min(one, other), max(one, other)
    return royals * PAIRS_OF_SQUARES + high * (high - 1) // 2 + low


@compiled
def block_fact(block: int, number: int) -> int:
    """One of the numbers of a material. Asked for here only, so that CUDA's constant memory holds the table once."""
    return BLOCKS[block, number]


@compiled
def set_up(place: int, state: State) -> bool:
    """The position with this place, White to move, if play can lead there."""
    block = I(0)
    while block + 1 < len(BLOCKS) and place >= block_fact(block + 1, I(0)):
        block += 1
    first, second = block_fact(block, I(1)), block_fact(block, I(2))
    offerings, ways = block_fact(block, I(3)), block_fact(block, I(4))
    rest = place - block_fact(block, I(0))
    royals, further = rest // ways, rest % ways
    mine, theirs = royals // SQUARES, royals % SQUARES
    mine = mine // (MIDDLE + 1) * SIZE + mine % (MIDDLE + 1)
    clear(state)
    if not put(state, mine, I(0), I(KING)) or not put(state, theirs, I(1), I(KING)):
        return False
    if offerings & 1 != 0 and not put(state, I(ALTAR[0]), I(0), I(OFFERING)):
        return False
    if offerings & 2 != 0 and not put(state, I(ALTAR[1]), I(1), I(OFFERING)):
        return False
    one, other = further, I(-1)
    if second < SORTS:
        other = I(1)
        while (other + 1) * other // 2 <= further:
            other += 1
        one = further - other * (other - 1) // 2
    if first < SORTS and not put_sort(state, one, first):
        return False
    if second < SORTS and not put_sort(state, other, second):
        return False
    if on_altar(state, I(0)) or attacked(state, I(state.royal[1]), I(0)):
        return False
    sorts = (first, second)
    return mine % SIZE < MIDDLE or rest <= count(mine, across(theirs), sorts, across(one), across(other))


@compiled
def clear(state: State) -> None:
    """An empty board, White to move."""
    for square in range(SQUARES):
        state.board[square] = EMPTY
    for player in range(2):
        for word in range(2):
            state.pieces[player, word] = ZERO
            state.sliders[player, word] = ZERO
    state.player = 0
    state.quiet = 0
    state.ply = 0


@compiled
def put_sort(state: State, square: int, sort: int) -> bool:
    """Put a further piece on a square; whether it can be."""
    player = I(sort >= len(FURTHER))
    return put(state, square, player, kind_of(sort - player * len(FURTHER)))


@compiled
def kind_of(number: int) -> int:
    """The kind of a further piece, not promoted."""
    return FURTHER[number]


@compiled
def put(state: State, square: int, player: int, kind: int) -> bool:
    """Put a piece on a square, promoted where it must be; whether the square was empty."""
    if state.board[square] != EMPTY:
        return False
    if not is_in_its_half(kind, square, player):
        kind = I(DIVINE_KING) if kind == KING else I(WARRIOR)
    state.board[square] = kind + player * OWNER
    add(state, square, player, kind)
    return True


@compiled
def predecessors(state: State, before: Before) -> None:
    """The places from where Green comes here without taking anything."""
    before.n = 0
    for word in range(2):
        left = state.pieces[1, word]
        while left != ZERO:
            target = lowest(left) + (word << 6)
            left = without_lowest(left)
            kind = I(state.board[target]) & (OWNER - 1)
            if kind != OFFERING:
                move_back(state, before, kind, target)


@compiled
def move_back(state: State, before: Before, kind: int, target: int) -> None:
    """Green's piece goes back to where it may have come from."""
    low_empty = ~(state.pieces[0, 0] | state.pieces[1, 0])
    high_empty = ~(state.pieces[0, 1] | state.pieces[1, 1])
    low, high = WALKS[0, target, 0], WALKS[0, target, 1]
    if kind != PAWN:
        low, high = targets(state, target, I(1))
    unpromoted = unpromoted_from(kind, target)
    remove(state, target, I(1))
    for word in range(2):
        origins = low & low_empty if word == 0 else high & high_empty
        while origins != ZERO:
            origin = lowest(origins) + (word << 6)
            origins = without_lowest(origins)
            if is_in_its_half(kind, origin, I(1)):
                note(state, before, kind, origin)
    for step in range(-1, 2):
        origin = target + SIZE + step
        is_step = unpromoted == KING or (unpromoted == PAWN and step == 0)
        if is_step and abs(origin % SIZE - target % SIZE) <= 1 and state.board[origin] == EMPTY:
            note(state, before, unpromoted, origin)
    state.board[target] = kind + OWNER
    add(state, target, I(1), kind)


@compiled
def unpromoted_from(kind: int, target: int) -> int:
    """What a promoted piece of Green's on the river was before, if it has just come there; or EMPTY."""
    if target // SIZE != RIVER:
        return I(EMPTY)
    return I(KING) if kind == DIVINE_KING else I(PAWN) if kind == WARRIOR else I(EMPTY)


@compiled
def note(state: State, before: Before, kind: int, origin: int) -> None:
    """List the place with Green's piece on its origin, if Green had not won and could not take the king; each once."""
    state.board[origin] = kind + OWNER
    add(state, origin, I(1), kind)
    state.player = 1
    if not on_altar(state, I(1)) and not attacked(state, I(state.royal[0]), I(1)):
        here = place(state)
        is_new = here >= 0
        if I(state.royal[0]) % SIZE == MIDDLE:
            for number in range(before.n):
                is_new = is_new and before.list[number] != here
        if is_new:
            before.list[before.n] = here
            before.n += 1
    state.player = 0
    remove(state, origin, I(1))
