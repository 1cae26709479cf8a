"""What Python calls becomes machine code; what only compiled code calls is a part of it until Python calls it too."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from menagerie.kernel.compiled import PLAIN
from menagerie.kernel.function import Function, Part

pytestmark = pytest.mark.skipif(PLAIN, reason="nothing is compiled in plain mode")


def tower() -> tuple[Any, Any, Any]:
    """Three functions, each called by the next."""

    def low(x: int) -> int:
        return 3 * x

    low = Function(low)

    def middle(x: int) -> int:
        return low(x) + 1

    middle = Function(middle)

    def high(x: int) -> int:
        return middle(x) * low(x)

    return low, middle, Function(high)


def is_part(function: Any) -> bool:
    """Whether all that was compiled of a function is a part of others."""
    return all(isinstance(result.entry_point, Part) for result in function.overloads.values())


def test_what_is_called_is_a_part_until_python_calls_it() -> None:
    low, middle, high = tower()
    assert high(5) == 240
    assert is_part(low) and is_part(middle) and not is_part(high)
    assert middle(5) == 16
    assert is_part(low) and not is_part(middle)
    assert low(5) == 15 and not is_part(low)
    assert high(5) == 240


def test_what_python_called_first_is_taken_as_it_is() -> None:
    low, middle, high = tower()
    assert low(5) == 15
    before = list(low.overloads.values())
    assert high(5) == 240
    assert list(low.overloads.values()) == before and is_part(middle)


def test_every_combination_of_types_is_compiled_by_itself() -> None:
    low, _, high = tower()
    assert high(5) == 240
    assert low(0.5) == 1.5
    assert not is_part(low) and len(low.overloads) == 2
    assert low(5) == 15
    assert high(0.5) == 2.5 * 1.5


def test_functions_that_call_themselves() -> None:
    def count(n: int) -> int:
        return 0 if n == 0 else 1 + count(n - 1)

    count = Function(count)

    def twice(n: int) -> int:
        return count(n) + count(2 * n)

    assert Function(twice)(5) == 15
    assert is_part(count)
    assert count(7) == 7


def test_errors_of_parts_reach_python() -> None:
    def checked(x: int) -> int:
        if x < 0:
            raise ValueError("below zero", x)
        return x

    checked = Function(checked)

    def caller(x: int) -> int:
        return checked(x) + 1

    caller = Function(caller)
    assert caller(1) == 2
    with pytest.raises(ValueError, match="below zero"):
        caller(-1)
    with pytest.raises(ValueError, match="below zero"):
        checked(-1)


def test_constant_arrays_of_parts() -> None:
    table = np.arange(10) ** 2

    def look_up(i: int) -> int:
        return table[i]

    look_up = Function(look_up)

    def total(n: int) -> int:
        result = 0
        for i in range(n):
            result += look_up(i)
        return result

    assert Function(total)(10) == 285
    assert look_up(9) == 81


def test_threads_that_call_a_part_while_another_compiles() -> None:
    for _ in range(3):
        low, middle, high = tower()
        ready = threading.Barrier(6)

        def call(function: Any, ready: threading.Barrier = ready) -> int:
            ready.wait()
            return function(5)

        with ThreadPoolExecutor(6) as pool:
            assert list(pool.map(call, [high, middle, low, low, middle, high])) == [240, 16, 15, 15, 16, 240]
