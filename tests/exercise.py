"""Runs everything that is compiled and prints what came of it; the same in every mode. Also checks the machine code.

python tests/exercise.py GAME            a digest of walks, counts and playouts
python tests/exercise.py GAME --inspect  the same, then one signature and no reference counting per rules function
"""

import hashlib
import random
import sys
from types import ModuleType

import menagerie
from menagerie import Match
from menagerie.games import find
from menagerie.kernel.bits import I
from menagerie.kernel.compiled import PLAIN
from menagerie.kernel.endgame import room_type
from menagerie.kernel.state import new


def main() -> None:
    name = sys.argv[1]
    digest = hashlib.sha256()
    for variant in (menagerie.game(name), *(menagerie.game(name, **chosen) for chosen in other_rules(name))):
        for line in exercise(variant):
            digest.update(line.encode())
    print(f"{name} {digest.hexdigest()}")
    if "--inspect" in sys.argv:
        inspect(find(name).rules, {"initial", "legal", "play", "outcome"})
        if find(name).endgame:
            inspect(find(name).endgame, {"place", "set_up"})


def other_rules(name: str) -> list[dict[str, str]]:
    """Each option once at each of its other values."""
    options = find(name).options
    return [{option: value} for option in options.names() for value in options.values(option)[1:]]


def exercise(variant: menagerie.Variant) -> list[str]:
    """Every rules function, the walks, the path and the notation, in one list of texts."""
    chance = random.Random(2)
    lines = []
    for _ in range(2):
        match = Match(variant)
        while not match.outcome and len(match.actions) < 60:
            position = match.position
            lines.append(f"{position} {position.key} {position.indices} {position.check}")
            lines.append(exercise_judgement(position))
            match.play(chance.choice(position.actions()))
        lines += [str(match.position), str(match.outcome), match.record()]
        last = next(action for action in reversed(match.actions) if action.after.player != action.position.player)
        lines.append(" ".join(turn.code for turn in last.position.turns()))
        for change in (variant.game.exchange, variant.game.mirror):
            if change:
                state = match.position.state
                change(state)
                lines.append(str(menagerie.Position(variant.game, state)))
    lines += exercise_places(variant)
    start = variant.start()
    lines += [str(start.perft(2)), str(start.perft_played(2))]
    return [*lines, str(start.playouts(3, seed=5))]


def exercise_judgement(position: menagerie.Position) -> str:
    """What a game's judgement says of a position and of its actions, and the actions it calls forcing."""
    judgement, state = position.game.judgement, position.state
    gains = [int(judgement.gain(state, index)) for index in position.indices]
    forcing = new(position.game.rules.ACTIONS)
    if hasattr(judgement, "forcing"):
        judgement.forcing(state, forcing)
    said = (judgement.danger(state), judgement.wins_at_once(state), judgement.may_pass(state))
    return f"{gains} {list(map(int, said))} {forcing.list[: forcing.n]}"


def exercise_places(variant: menagerie.Variant) -> list[str]:
    """Every function of the places, where a game has them."""
    endgame, game, chance = variant.game.endgame, variant.game, random.Random(3)
    lines: list[str] = []
    while endgame and len(lines) < 40:
        part, state, room = chance.choice(endgame.parts()), game.state(variant.options), new(room_type(game.rules))
        if endgame.set_up(I(chance.randrange(part.first, part.last)), state):
            lines.append(f"{part} {game.notation.write(state)} {endgame.place(state)}")
            if hasattr(endgame, "predecessors"):
                before = new(endgame.BEFORE)
                endgame.predecessors(state, before)
                lines.append(str(before.list[: before.n]))
            if hasattr(endgame, "foresee"):
                room.states[0] = state
                lines.append(str(endgame.foresee(room)))
    return lines


def inspect(rules: object, least: set[str]) -> None:
    """One signature per compiled function of a module, and no reference counting in its code."""
    assert isinstance(rules, ModuleType) and not PLAIN
    compiled = {name: part for name, part in vars(rules).items() if hasattr(part, "py_func")}
    own = {name: part for name, part in compiled.items() if part.py_func.__module__ == rules.__name__}
    assert least <= own.keys()
    for name, function in own.items():
        assert len(function.signatures) == 1, f"{name} was compiled for {function.signatures}"
        code = function.inspect_llvm(function.signatures[0])
        assert "NRT_incref" not in code and "NRT_decref" not in code, f"{name} counts references"
    print(f"{len(own)} functions inspected")


if __name__ == "__main__":
    main()
