"""Random circuits, and what they reach, by looking at every state."""

from __future__ import annotations

from array import array
from itertools import product
from random import Random

from argosy.models.circuit import ARBITRARY, Circuit


def random_circuit(random: Random, latches: int = 5, inputs: int = 3, gates: int = 25) -> Circuit:
    """At most so many of each; one to three bad states, now and then constraints, resets of every kind."""
    latches, inputs, gates = random.randint(0, latches), random.randint(0, inputs), random.randint(1, gates)
    first = 1 + latches + inputs
    sides = array("I")
    for variable in range(first, first + gates):
        sides.extend(2 * random.randrange(variable) + random.randint(0, 1) for _ in range(2))

    def literal() -> int:
        """Deep gates more often than others: they depend on more."""
        variable = max(random.randrange(first + gates) for _ in range(random.choice((1, 2, 3))))
        return 2 * variable + random.randint(0, 1)

    return Circuit(
        inputs=inputs,
        next=array("I", (literal() for _ in range(latches))),
        reset=bytes(random.choice((0, 0, 1, ARBITRARY)) for _ in range(latches)),
        gates=sides,
        bad=tuple(literal() for _ in range(random.choice((1, 1, 2, 3)))),
        constraints=tuple(literal() for _ in range(random.choice((0, 0, 0, 1, 2)))),
    )


def first_bad_steps(circuit: Circuit) -> list[int | None]:
    """Per bad state the number of steps of the shortest stimulus, and None where there is none."""
    found: list[int | None] = [None] * len(circuit.bad)
    choices = [(0, 1) if reset == ARBITRARY else (reset,) for reset in circuit.reset]
    frontier = set(product(*choices))
    reached = set(frontier)
    steps = 0
    while frontier:
        steps += 1
        following: set[tuple[int, ...]] = set()
        for state in frontier:
            for inputs in product((0, 1), repeat=circuit.inputs):
                values = circuit.values(state, inputs)
                if not all(values[literal] for literal in circuit.constraints):
                    continue
                for index, literal in enumerate(circuit.bad):
                    if values[literal] and found[index] is None:
                        found[index] = steps
                following.add(tuple(circuit.successor(values)))
        frontier = following - reached
        reached |= frontier
    return found
