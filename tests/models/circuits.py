"""Random circuits, and what they reach, by looking at every state."""

from __future__ import annotations

from array import array
from itertools import product
from random import Random

from argosy.models.circuit import ARBITRARY, Circuit


class _Drawing:
    """Gates over inputs and latches, drawn at random."""

    def __init__(self, random: Random, leaves: int) -> None:
        self.random = random
        self.variables = 1 + leaves
        self.sides = array("I")

    def gate(self, left: int, right: int) -> int:
        self.sides.extend((left, right))
        self.variables += 1
        return 2 * self.variables - 2

    def mux(self, condition: int, left: int, right: int) -> int:
        return self.gate(self.gate(condition, left) ^ 1, self.gate(condition ^ 1, right) ^ 1) ^ 1

    def literal(self) -> int:
        """Deep gates more often than others: they depend on more."""
        variable = max(self.random.randrange(self.variables) for _ in range(self.random.choice((1, 1, 2, 3))))
        return 2 * variable + self.random.randint(0, 1)

    def grow(self) -> int:
        if self.random.random() < 0.5:
            return self.gate(self.literal(), self.literal())
        left = self.literal()
        return self.mux(self.literal(), left, self.random.choice((left ^ 1, self.literal())))

    def all_of(self, count: int) -> int:
        made = self.literal()
        for _ in range(count - 1):
            made = self.gate(made, self.literal())
        return made


def random_circuit(random: Random, latches: int = 5, inputs: int = 3, gates: int = 12) -> Circuit:
    """At most so many latches and inputs; one to three bad states, now and then constraints, resets of every kind."""
    latches, inputs = random.randint(0, latches), random.randint(0, inputs)
    drawing = _Drawing(random, latches + inputs)
    for _ in range(random.randint(1, gates)):
        drawing.grow()
    following = []
    for index in range(latches):
        kept = 2 * (1 + inputs + index)
        choices = (drawing.literal, lambda kept=kept: drawing.mux(drawing.literal(), kept, drawing.literal()))
        following.append(random.choice(choices)())
    bad = tuple(drawing.all_of(random.choice((1, 2, 4, 6))) for _ in range(random.choice((1, 1, 2, 3))))
    constraints = tuple(drawing.all_of(random.choice((2, 3))) ^ 1 for _ in range(random.choice((0, 0, 0, 1, 2))))
    return Circuit(
        inputs=inputs,
        next=array("I", following),
        reset=bytes(random.choice((0, 0, 1, ARBITRARY)) for _ in range(latches)),
        gates=drawing.sides,
        bad=bad,
        constraints=constraints,
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
