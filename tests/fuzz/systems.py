"""Random circuits and systems of words, with constraints, arbitrary resets and several bad states, against exhaustive
search: ``python -m tests.fuzz.systems --count 2000 --seed 0 --strategy auto``.

A circuit is written as AIGER, text or binary, and read again; a system is decided as it is. Verdicts are certified,
so that a disagreement is a fault of the reader, of the model or of both an analysis and its certifier.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from random import Random

from argosy.backends.contract import Plan
from argosy.backends.system import decide
from argosy.basics.budget import UNLIMITED
from argosy.frontends.aiger.reader import read_aiger
from argosy.models.bits import CircuitModel
from argosy.models.transition import TransitionModel
from argosy.problem.problem import Problem, Subject
from tests.frontends.aiger.writing import binary, text
from tests.models.circuits import first_bad_steps, random_circuit
from tests.models.systems import random_system, reached_after

SECONDS = 5.0


def drawn(seed: int) -> tuple[TransitionModel, list[int | None]]:
    """A model, and for each bad state after how many steps it is reached."""
    if seed % 2:
        system = random_system(seed)
        return system, [reached_after(system, bad) for bad in system.bad]
    circuit = random_circuit(Random(seed))
    content = text(circuit) if seed % 4 else binary(circuit)
    return CircuitModel(read_aiger("random", content).circuit), first_bad_steps(circuit)


def verdicts(model: TransitionModel, strategy: str) -> list[str]:
    subjects = tuple(Subject("property", name, asked=number) for number, name in enumerate(model.bad_names))
    problem = Problem("system", "random", "random", model, subjects)
    return [answer.verdict for answer in decide(problem, Plan(strategy, budget=UNLIMITED.at_most(SECONDS)))]


def disagreements(first: int, count: int, strategy: str, counts: Counter[str]) -> Iterator[str]:
    for seed in range(first, first + count):
        model, steps = drawn(seed)
        for number, (verdict, step) in enumerate(zip(verdicts(model, strategy), steps, strict=True)):
            counts[verdict] += 1
            wanted = "safe" if step is None else "unsafe"
            if verdict not in (wanted, "unknown"):
                yield f"seed {seed}, bad state {number}: {verdict}, and it is {wanted}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--strategy", default="auto")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    wrong = 0
    for line in disagreements(options.seed, options.count, options.strategy, counts):
        wrong += 1
        print(line, flush=True)
    print(f"{options.count} models, {dict(counts)}, {wrong} disagreements")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
