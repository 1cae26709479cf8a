"""What compiled code runs in place of the bodies of `bits.py` and of `state.word`: CPU here, CUDA in `device.py`."""

from llvmlite import ir
from numba import types

from menagerie.kernel import bits, state
from menagerie.kernel.bits import MIX, U64, I


def register(overload, intrinsic):
    """Tell a compiler, by its own `overload` and `intrinsic`, how to build these functions."""

    @intrinsic
    def ctpop(typing_context, squares):
        def build(context, builder, signature, arguments):
            return builder.ctpop(arguments[0])

        return types.int64(types.uint64), build

    @intrinsic
    def cttz(typing_context, squares):
        def build(context, builder, signature, arguments):
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.uint64), build

    @intrinsic
    def load_word(typing_context, record, index):
        def build(context, builder, signature, arguments):
            words = builder.bitcast(arguments[0], ir.IntType(64).as_pointer())
            return builder.load(builder.gep(words, [arguments[1]]))

        return types.uint64(record, types.int64), build

    @overload(bits.bit)
    def bit(square):
        return lambda square: U64(1) << U64(square)

    @overload(bits.popcount)
    def popcount(squares):
        return lambda squares: ctpop(squares)

    @overload(bits.lowest)
    def lowest(squares):
        return lambda squares: cttz(squares)

    @overload(bits.without_lowest)
    def without_lowest(squares):
        return lambda squares: squares & (squares - U64(1))

    @overload(bits.mix)
    def mix(hashed, word):
        def mixed(hashed, word):
            word = word * MIX
            word = word ^ (word >> U64(32))
            word = word * MIX
            return (hashed ^ word) * MIX

        return mixed

    @overload(bits.next_random)
    def next_random(seed):
        def following(seed):
            seed = seed ^ (seed >> U64(12))
            seed = seed ^ (seed << U64(25))
            return seed ^ (seed >> U64(27))

        return following

    @overload(bits.below)
    def below(seed, n):
        return lambda seed, n: I(((seed >> U64(32)) * U64(n)) >> U64(32))

    @overload(state.word_count)
    def word_count(record):
        count = I(record.offset("quiet") // state.WORD)
        return lambda record: count

    @overload(state.word)
    def word(record, index):
        return lambda record, index: load_word(record, I(index))
