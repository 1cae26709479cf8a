"""What compiled code runs for `bits.py`, `memory.py` and `state.word`: on a CPU here, on CUDA through `device.py`."""

from llvmlite import ir
from numba import types

from menagerie.kernel import bits, memory, state
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

    @intrinsic
    def load_at(typing_context, address):
        def build(context, builder, signature, arguments):
            place = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
            word = builder.load(place)
            word.volatile = True
            return word

        return types.uint64(types.uint64), build

    @intrinsic
    def store_at(typing_context, address, word):
        def build(context, builder, signature, arguments):
            place = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
            builder.store(arguments[1], place)
            return context.get_dummy_value()

        return types.void(types.uint64, types.uint64), build

    @intrinsic
    def prefetch_at(typing_context, address):
        def build(context, builder, signature, arguments):
            byte, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
            function = builder.module.declare_intrinsic(
                "llvm.prefetch", [byte], ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
            )
            place = builder.inttoptr(arguments[0], byte)
            builder.call(function, [place, flag(0), flag(3), flag(1)])
            return context.get_dummy_value()

        return types.void(types.uint64), build

    @intrinsic
    def load_short_at(typing_context, address):
        def build(context, builder, signature, arguments):
            short = builder.load(builder.inttoptr(arguments[0], ir.IntType(16).as_pointer()))
            short.volatile = True
            return builder.zext(short, ir.IntType(64))

        return types.int64(types.uint64), build

    @intrinsic
    def store_short_at(typing_context, address, number):
        def build(context, builder, signature, arguments):
            place = builder.inttoptr(arguments[0], ir.IntType(16).as_pointer())
            builder.store(builder.trunc(arguments[1], ir.IntType(16)), place)
            return context.get_dummy_value()

        return types.void(types.uint64, types.int64), build

    @intrinsic
    def add_at(typing_context, address, amount):
        def build(context, builder, signature, arguments):
            word = ir.IntType(32)
            place = builder.inttoptr(arguments[0], word.as_pointer())
            old = builder.atomic_rmw("add", place, builder.trunc(arguments[1], word), "monotonic")
            return builder.zext(old, ir.IntType(64))

        return types.uint64(types.uint64, types.uint64), build

    @overload(memory.load_short)
    def load_short(address):
        return lambda address: load_short_at(address)

    @overload(memory.store_short)
    def store_short(address, number):
        return lambda address, number: store_short_at(address, number)

    @overload(memory.take_one)
    def take_one(address):
        def taken(address):
            shift = (address & U64(2)) << U64(3)
            old = add_at(address & ~U64(2), ~((U64(1) << shift) - U64(1)))
            return I((old >> shift) & U64(0xFFFF))

        return taken

    @overload(memory.next_slot)
    def next_slot(address):
        return lambda address: I(add_at(address, U64(1)))

    @overload(memory.load)
    def load(address):
        return lambda address: load_at(address)

    @overload(memory.store)
    def store(address, word):
        return lambda address, word: store_at(address, word)

    @overload(memory.fetch_early)
    def fetch_early(address):
        return lambda address: prefetch_at(address)

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
