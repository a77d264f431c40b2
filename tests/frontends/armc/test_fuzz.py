"""Random models of small numbers: what is verified agrees with trying out everything."""

from __future__ import annotations

import random
import re
from itertools import product
from pathlib import Path

import pytest

import argosy

LOCATIONS = ("a", "b", "c")
NUMBERS = range(4)


def comparison(randomness: random.Random, names: list[str]) -> str:
    factor = randomness.choice(["", "2*", "-"])
    left = f"{factor}{randomness.choice(names)}"
    right = randomness.choice([*names, "0", "1", "2"])
    offset = randomness.choice(["", " + 1", " - 1", " + 1/2"])
    return f"{left} {randomness.choice(['=', '=<', '>=', '<', '>', '=' + chr(92) + '='])} {right}{offset}"


def transition(randomness: random.Random) -> tuple[str, str, list[str], bool]:
    """Source, target, constraints, and whether the target is the error."""
    wrong = randomness.random() < 0.25
    constraints = [comparison(randomness, ["X", "Y"]) for _ in range(randomness.randint(0, 2))]
    if randomness.random() < 0.3:
        constraints.append(f"({comparison(randomness, ['X', 'Y'])} ; {comparison(randomness, ['X', 'Y'])})")
    for new, old in (("Xp", "X"), ("Yp", "Y")):
        kind = randomness.randrange(4)
        if kind == 0:
            constraints.append(f"{new} = {old} + {randomness.choice([-1, 1, 2])}")
        elif kind == 1:
            constraints.append(f"{new} = {randomness.choice(['X', 'Y', '0', '3'])}")
        elif kind == 2:
            constraints.append(comparison(randomness, [new, "X", "Y"]))
        else:
            constraints.append(f"{new} = {old}")
    # Whatever else is said, numbers stay small.
    constraints += ["Xp >= 0", "Xp =< 3", "Yp >= 0", "Yp =< 3"]
    return randomness.choice(LOCATIONS), "error" if wrong else randomness.choice(LOCATIONS), constraints, wrong


def holds(constraint: str, values: dict[str, int]) -> bool:
    python = constraint.replace("=\\=", "!=").replace(">=", "≥").replace("=<", "≤")
    python = re.sub(r"(?<![!<>])=(?!=)", "==", python).replace("≥", ">=").replace("≤", "<=")
    return bool(eval(python.replace(";", " or "), dict(values)))


def reaches_error(transitions: list[tuple[str, str, list[str], bool]]) -> bool:
    """Everything that can be reached from zero, one step after the other."""
    seen = {("a", 0, 0)}
    waiting = list(seen)
    for location, x, y in waiting:
        for source, target, constraints, wrong in transitions:
            for new_x, new_y in product(NUMBERS, NUMBERS) if source == location else ():
                if all(holds(c, {"X": x, "Y": y, "Xp": new_x, "Yp": new_y}) for c in constraints):
                    if wrong:
                        return True
                    if (target, new_x, new_y) not in seen:
                        seen.add((target, new_x, new_y))
                        waiting.append((target, new_x, new_y))
    return False


def text(transitions: list[tuple[str, str, list[str], bool]]) -> str:
    lines = ["start(pc(start)). error(pc(error))."]
    states = "r(p(pc({}), data(X, Y)), p(pc({}), data(Xp, Yp)), [], [{}], {})."
    lines.append(states.format("start", "a", "Xp = 0, Yp = 0", 0))
    for number, (source, target, constraints, _) in enumerate(transitions, 1):
        lines.append(states.format(source, target, ", ".join(constraints), number))
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(16))
def test_verdicts_of_random_models(seed: int, tmp_path: Path) -> None:
    randomness = random.Random(seed)
    transitions = [transition(randomness) for _ in range(randomness.randint(4, 7))]
    path = tmp_path / "random.armc"
    path.write_text(text(transitions))
    strategy = ("cartesian", "lbe", "sbe", "explicit")[seed % 4]
    result = argosy.verify(path, strategy, in_process=True, time_limit=60)
    if result.verdict != "unknown":
        assert result.verdict == ("unsafe" if reaches_error(transitions) else "safe")
        assert result.certified
    else:
        assert strategy == "explicit", result.reason
