"""States as records: what a position is, how it is laid out in memory, and the key that stands for it.

    | identity: board, hands, options, player ... | counters: quiet, ply | derived: what the board already says |
    | word 0 | word 1 | ...                       |

The identity is what repetition and tables compare. Its key is a hash of its words, computed here when it is asked
for; no game keeps one, so none can be wrong.
"""

from collections.abc import Sequence

import numpy as np

from menagerie.kernel.bits import U64, ZERO, I, mix
from menagerie.kernel.compiled import compiled

Field = tuple[str, type] | tuple[str, type, int | tuple[int, ...]]
State = np.record
Actions = np.record
RecordType = np.dtype

WORD = 8


def record_type(*fields: Field | tuple[str, RecordType] | tuple[str, RecordType, int]) -> RecordType:
    """A record whose fields lie as C would lay them; elements of its arrays have their fields as attributes."""
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


def state_type(identity: Sequence[Field], options: Sequence[str], derived: Sequence[Field] = ()) -> RecordType:
    """The record of a game's state. The kernel adds the player, the options (small ints) and the counters."""
    same: list[Field] = [*identity, *((name, np.uint8) for name in options), ("player", np.uint8)]
    packed, aligned = np.dtype(same), np.dtype(same, align=True)
    if any(field_offset(packed, name) != field_offset(aligned, name) for name in packed.names or ()):
        raise TypeError("the identity has holes: let its wider fields come first")
    size = packed.itemsize
    if size % WORD:
        same.append(("padding", np.uint8, WORD - size % WORD))
    return record_type(*same, ("quiet", np.uint64), ("ply", np.uint64), *derived)


def actions_type(most: int) -> RecordType:
    """The record that `legal` fills: how many actions there are, and which."""
    return record_type(("n", np.int64), ("list", np.uint16, most))


def new(kind: RecordType) -> np.record:
    """A fresh record, all zero."""
    return np.zeros(1, kind)[0]


def copy(state: State) -> State:
    """Another record with the same content."""
    fresh = np.zeros(1, state.dtype)
    fresh[0] = state
    return fresh[0]


def field_offset(kind: RecordType, name: str) -> int:
    """Where a field begins in a record, in bytes."""
    return dict(kind.fields or {})[name][1]


def word_count(record: State) -> int:
    """How many words the identity has: it ends where the counters begin."""
    return I(field_offset(record.dtype, "quiet") // WORD)


def word(record: State, index: int) -> np.uint64:
    """Eight bytes of the identity."""
    return np.frombuffer(record.tobytes(), np.uint64)[index]


@compiled
def key(state: State) -> np.uint64:
    """The 64-bit name of the state's identity."""
    hashed = ZERO
    for index in range(word_count(state)):  # each word for itself, so that none waits for another
        part = word(state, index)
        hashed ^= mix(mix(ZERO, part ^ (part >> U64(32))), U64(index))
    hashed = mix(hashed, U64(word_count(state)))
    return hashed ^ (hashed >> U64(29))


@compiled
def end_turn(state: State) -> None:
    """The other player is to move, one ply later; a game sets `quiet` to 0 after what can never be undone."""
    state.player = 1 - state.player
    state.ply += U64(1)
    state.quiet += U64(1)
