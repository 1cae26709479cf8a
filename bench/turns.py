"""The large numbers of golden/turns.txt, which a test run does not bear: every line of steps, every second turn.

python -m bench.turns
"""

import sys
import time
from pathlib import Path

TESTS = Path(__file__).parents[1] / "tests"
sys.path.insert(0, str(TESTS))

from golden import first
from test_turns import COUNTED, check_lines, numbers

import menagerie


def main() -> None:
    for name, block in COUNTED:
        begun = time.perf_counter()
        position = menagerie.game(name).position(first(block, "position"))
        assert [position.perft(1, turns=True)] == numbers(block, "turns"), block
        check_lines(position, block)
        if first(block, "second turns"):
            assert [position.perft(2, turns=True)] == numbers(block, "second turns"), block
        print(f"{name} {position}: all numbers agree ({time.perf_counter() - begun:.1f} s)", flush=True)


if __name__ == "__main__":
    main()
