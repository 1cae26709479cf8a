"""A whole random game written out move by move, so that any change of rules, keys or notation shows.

python tests/playthrough.py   writes golden/playthrough.txt of every game anew; read the difference before you keep it.
"""

from pathlib import Path

import menagerie
from menagerie.games import find, names

HEAD = "# A game played by a fixed rule: each position, its key and legal moves. Written by tests/playthrough.py.\n"
LONGEST = 150


def playthrough(name: str) -> str:
    """The game that always plays the legal action whose number the key of the position picks."""
    match = menagerie.Match(menagerie.game(name))
    lines = [HEAD]
    while not match.outcome and len(match.actions) < LONGEST:
        position = match.position
        actions = position.actions()
        chosen = actions[position.key % len(actions)]
        lines.append(f"position: {position}\nkey: {position.key:016x}\nlegal: {' '.join(a.code for a in actions)}\n")
        lines.append(f"play: {chosen.code} = {chosen}\n\n")
        match.play(chosen)
    return "".join([*lines, f"position: {match.position}\noutcome: {match.outcome}\n"])


if __name__ == "__main__":
    for game in names():
        Path(str(find(game).folder / "golden" / "playthrough.txt")).write_text(playthrough(game), encoding="utf-8")
