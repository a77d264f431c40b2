"""Answers about circuits, checked by plain means: invariants by three kinds of queries over the circuit as it is, and
property-directed reachability as in the textbook, to compare verdicts with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from argosy.kernel import _pdr
from argosy.models.circuit import ARBITRARY, Circuit

Cube = tuple[int, ...]


def gate_clauses(circuit: Circuit) -> list[list[int]]:
    clauses = [[1]]
    for index in range(circuit.gate_count):
        gate = 2 * (circuit.first_gate + index)
        left, right = circuit.gates[2 * index : 2 * index + 2]
        clauses += [[gate ^ 1, left], [gate ^ 1, right], [gate, left ^ 1, right ^ 1]]
    return clauses


def solver_for(circuit: Circuit, clauses: Iterable[Sequence[int]] = ()) -> _pdr.Solver:
    """One step of the circuit from a state of the clauses, the constraints included."""
    solver = _pdr.Solver(circuit.variables)
    for clause in (*gate_clauses(circuit), *([literal] for literal in circuit.constraints), *clauses):
        solver.add(clause)
    return solver


def next_literal(circuit: Circuit, latch: int) -> int:
    return circuit.next[(latch >> 1) - 1 - circuit.inputs] ^ (latch & 1)


def start_clauses(circuit: Circuit) -> list[list[int]]:
    return [
        [circuit.latch_literal(index) ^ reset ^ 1] for index, reset in enumerate(circuit.reset) if reset != ARBITRARY
    ]


def is_invariant(circuit: Circuit, bad: int, clauses: Sequence[Sequence[int]]) -> bool:
    """Whether the clauses hold at the start, are kept, and exclude the bad state."""
    start = _pdr.Solver(circuit.variables)
    for clause in start_clauses(circuit):
        start.add(clause)
    step = solver_for(circuit, clauses)
    return (
        not any(start.solve([literal ^ 1 for literal in clause]) for clause in clauses)
        and not any(step.solve([next_literal(circuit, literal) ^ 1 for literal in clause]) for clause in clauses)
        and not step.solve([circuit.bad[bad]])
    )


class Twin:
    """Whole states as obligations, one frame after the other, lemmas made smaller literal by literal."""

    def __init__(self, circuit: Circuit, bad: int) -> None:
        self.circuit = circuit
        self.bad = circuit.bad[bad]
        self.frames = [solver_for(circuit, start_clauses(circuit))]
        self.lemmas: list[set[Cube]] = [set()]
        self.latches = [circuit.latch_literal(index) for index in range(circuit.latches)]

    def is_safe(self) -> bool:
        if self.frames[0].solve([self.bad]):
            return False
        while True:
            self.frames.append(solver_for(self.circuit))
            self.lemmas.append(set())
            while self.frames[-1].solve([self.bad]):
                if not self.block(self.state(self.frames[-1]), len(self.frames) - 1):
                    return False
            for level in range(1, len(self.frames) - 1):
                for cube in list(self.lemmas[level]):
                    if not self.frames[level].solve([next_literal(self.circuit, latch) for latch in cube]):
                        self.add(cube, level + 1)
                if not self.lemmas[level]:
                    return True

    def state(self, solver: _pdr.Solver) -> Cube:
        return tuple(latch if solver.holds(latch) else latch ^ 1 for latch in self.latches)

    def excluded(self, cube: Cube) -> bool:
        """From every first state."""
        resets = {clause[0] ^ 1 for clause in start_clauses(self.circuit)}
        return any(latch in resets for latch in cube)

    def block(self, cube: Cube, level: int) -> bool:
        if level == 0 or not self.excluded(cube):
            return False
        while self.leads_into(cube, level):
            if not self.block(self.state(self.frames[level - 1]), level - 1):
                return False
        for latch in cube:
            smaller = tuple(other for other in cube if other != latch)
            if self.excluded(smaller) and not self.leads_into(smaller, level):
                cube = smaller
        self.add(cube, level)
        return True

    def leads_into(self, cube: Cube, level: int) -> bool:
        targets = [next_literal(self.circuit, latch) for latch in cube]
        return self.frames[level - 1].solve(targets, [latch ^ 1 for latch in cube])

    def add(self, cube: Cube, level: int) -> None:
        for below in range(1, level + 1):
            self.lemmas[below].discard(cube)
            self.frames[below].add([latch ^ 1 for latch in cube])
        self.lemmas[level].add(cube)
