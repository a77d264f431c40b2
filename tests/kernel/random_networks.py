"""Random small networks. Every second one uses every rule of the semantics; the others are about clocks alone, with
larger constants and few resets, because there a wrong bound of the static analysis shows."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from argosy.models.network import Channel, Network, NetworkVariable
from argosy.models.network_expressions import (
    TRUE,
    Binary,
    ClockAtom,
    ClockRelation,
    Constant,
    Constraint,
    Expression,
    If,
    NetworkPlace,
    Read,
    Reset,
    Statement,
    Subscript,
)
from argosy.models.network_queries import And, ClockTest, Deadlock, Holds, StateFormula
from tests.kernel.networks import Draft, at, atom, network, put, read, reset, when

LARGEST_RESET = 1
RELATIONS: list[ClockRelation] = ["<", "<=", "==", ">=", ">"]


@dataclass
class Case:
    network: Network
    formulas: list[StateFormula]
    largest: int
    """No clock or difference needs to be told apart beyond this."""


class Generator:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.timed = seed % 2 == 1
        self.largest = 4 if self.timed else 2
        self.clocks = 2 if self.timed else self.random.choice([1, 2, 2, 2, 3])
        count = self.random.choice([0, 0, 0, 1]) if self.timed else self.random.choice([0, 1, 2])
        self.variables = [NetworkVariable(f"v{k}", 0, self.random.choice([1, 2]), 0) for k in range(count)]
        self.channels = [
            Channel(f"c{k}", self.chance(0.2), self.chance(0.4), self.random.randrange(2) if self.priority else 0)
            for k in range(0 if self.timed else self.random.choice([0, 1, 2]))
        ]
        self.diagonals = self.clocks > 1 and self.chance(0.4)

    @property
    def priority(self) -> bool:
        return self.chance(0.1)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def case(self) -> Case:
        drafts = [self.path()] if self.timed else [self.process() for _ in range(self.random.choice([1, 2, 2, 3]))]
        made = network(drafts, self.variables, self.clocks, self.channels)
        return Case(made, [self.formula(made) for _ in range(4)], self.largest + LARGEST_RESET + 1)

    def path(self) -> Draft:
        """Locations in a row, each with an edge to the next, and some back."""
        draft = Draft()
        count = 6
        for index in range(count):
            draft.location(f"L{index}", self.invariant() if self.chance(0.2) else None)
        for index in range(count - 1):
            draft.edge(index, index + 1, self.guard(True), updates=self.updates())
        for _ in range(self.random.choice([0, 1, 2])):
            source = self.random.randrange(count)
            draft.edge(source, self.random.randrange(source + 1), self.guard(True), updates=self.updates())
        return draft

    def process(self) -> Draft:
        draft = Draft(priority=1 if self.priority else 0)
        count = self.random.choice([2, 2, 3])
        for index in range(count):
            draft.location(
                f"L{index}", self.invariant() if self.chance(0.4) else None, self.chance(0.1), self.chance(0.1)
            )
        for _ in range(self.random.choice([2, 3, 4])):
            self.edge(draft, self.random.randrange(count), self.random.randrange(count))
        return draft

    def edge(self, draft: Draft, source: int, target: int) -> None:
        sync = None
        urgent = False
        if self.channels and self.chance(0.5):
            channel = self.random.randrange(len(self.channels))
            same = len({(c.urgent, c.broadcast, c.priority) for c in self.channels}) == 1
            place: int | NetworkPlace = channel
            if same and len(self.channels) == 2 and self.variables and self.chance(0.3):
                place = NetworkPlace(0, (Subscript(read(0), 0, 2, 1),))
            sync = (place, self.random.choice("!?"))
            urgent = self.channels[channel].urgent
        guard = self.guard(not urgent) if self.chance(0.6) else None
        draft.edge(source, target, guard, sync, self.updates())

    def invariant(self) -> Constraint:
        atoms = [atom(self.clock(), self.random.choice(["<", "<="]), self.bound(1))]
        if self.diagonals and self.chance(0.2):
            atoms.append(self.difference())
        if self.chance(0.1):
            atoms.append(atom(self.clock(), ">=", self.constant()))
        if self.variables and self.chance(0.2):
            atoms[0] = ClockAtom(
                atoms[0].left, atoms[0].right, atoms[0].relation, atoms[0].bound, Binary("==", read(0), Constant(0))
            )
        return when(TRUE, *atoms)

    def guard(self, clocks: bool) -> Constraint:
        atoms = []
        for _ in range(self.random.choice([1, 1, 2]) if clocks and self.chance(0.8) else 0):
            atoms.append(atom(self.clock(), self.random.choice(RELATIONS), self.bound(0)))
        if clocks and self.diagonals and self.chance(0.5):
            atoms.append(self.difference())
        return when(self.condition(), *atoms)

    def difference(self) -> ClockAtom:
        left, right = self.random.sample(range(1, self.clocks + 1), 2)
        return atom(left, self.random.choice(RELATIONS), self.random.randint(-1, self.largest), right)

    def condition(self) -> Expression:
        if not self.variables or self.chance(0.5):
            return TRUE
        slot = self.random.randrange(len(self.variables))
        operator = self.random.choice(["==", "!=", "<", ">="])
        return Binary(operator, read(slot), Constant(self.random.randrange(3)))  # type: ignore[arg-type]

    def updates(self) -> list[Statement]:
        made: list[Statement] = []
        for clock in range(1, self.clocks + 1):
            if self.chance(0.25 if self.timed else 0.35):
                made.append(reset(clock, self.random.choice([0, 0, 0, LARGEST_RESET])))
        if self.clocks > 1 and self.variables and self.chance(0.1):
            # A clock that is chosen at run time: any of the first two, as the first variable says.
            index = Binary("<?", read(0), Constant(1))
            made.append(Reset(NetworkPlace(1, (Subscript(index, 0, 2, 1),)), Constant(0)))
        for slot, variable in enumerate(self.variables):
            if self.chance(0.4):
                made.append(self.assignment(slot, variable))
        if made and self.variables and self.chance(0.15):
            made = [If(Binary("==", read(0), Constant(0)), tuple(made))]
        return made

    def assignment(self, slot: int, variable: NetworkVariable) -> Statement:
        kind = self.random.random()
        if kind < 0.6:
            return put(slot, self.random.randint(0, variable.high))
        if kind < 0.95:
            return put(slot, Binary("%", Binary("+", read(slot), Constant(1)), Constant(variable.high + 1)))
        return put(slot, Binary("+", read(slot), Constant(1)))

    def clock(self) -> int:
        return self.random.randint(1, self.clocks)

    def constant(self) -> int:
        return self.random.randint(0, self.largest)

    def bound(self, least: int) -> int | Expression:
        if self.variables and self.variables[0].high <= self.largest and self.chance(0.15):
            return Read(NetworkPlace(0))
        return self.random.randint(least, self.largest)

    def formula(self, made: Network, deadlock: bool = True) -> StateFormula:
        process = self.random.choice(made.processes)
        parts: list[StateFormula] = [Holds(at(process.index, self.random.randrange(len(process.locations))))]
        kind = self.random.random()
        if kind < 0.4:
            parts.append(ClockTest(atom(self.clock(), self.random.choice(RELATIONS), self.constant())))
        if self.diagonals and kind < 0.2:
            parts.append(ClockTest(self.difference()))
        if kind > 0.75 and deadlock:
            parts.append(Deadlock())
        return And(tuple(parts))
