"""A program that plays the engine in a dialogue: it says what is written, and ends in a rage if it hears anything else.

Run as `python actor.py FILE`; the form of the file is in `dialogues.py`.
"""

import sys
from pathlib import Path

UNEXPECTED = 99


def main() -> None:
    for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
        kind, _, text = line.partition(" ")
        if kind == ">":
            heard = sys.stdin.readline().rstrip("\r\n")
            if heard != text:
                print(f"{text!r} was expected, and not {heard!r}", file=sys.stderr)
                sys.exit(UNEXPECTED)
        elif kind == "<":
            print(text, flush=True)
        elif kind == "!":
            print(text, file=sys.stderr)
        elif kind == "exit":
            sys.exit(int(text))


main()
