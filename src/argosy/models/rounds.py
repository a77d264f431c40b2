"""A path that goes round and round: the part that repeats is written once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from argosy.basics.records import dataclass, field, replace
from argosy.logic.semantics import Value
from argosy.logic.terms import Term
from argosy.models.cfa import Edge, written


@dataclass(frozen=True, slots=True)
class Progression:
    """What is chosen for a variable by the edge with this ``place`` in a cycle: ``first`` in the first round, and
    ``step`` more in each further one, modulo the width of a bit-vector. A boolean is the same in all rounds."""

    place: int
    variable: Term
    first: Value
    step: Value = 0

    def value(self, round: int) -> Value:
        if not self.step:
            return self.first
        value = self.first + round * self.step
        return value % (1 << self.variable.sort.width) if self.variable.sort.is_bits else value


@dataclass(frozen=True, slots=True)
class Rounds:
    """``edges``, a cycle, ``times`` times in a row, with what is ``chosen`` on the way; zero where nothing is said."""

    edges: tuple[Edge, ...]
    times: int
    chosen: tuple[Progression, ...] = ()

    @property
    def as_read(self) -> tuple[Rounds]:
        edges: list[Edge] = []
        found: list[Progression] = []
        for place, step in enumerate(self.edges):
            own = {each.variable: each for each in self.chosen if each.place == place}
            for edge in step.as_read:
                found += (replace(own[v], place=len(edges)) for v in written(edge.operation) if v in own)
                edges.append(edge)
        return (Rounds(tuple(edges), self.times, tuple(found)),)


Part = Edge | Rounds


def parts_as_read(path: Iterable[Part]) -> tuple[Part, ...]:
    """The same path of the model as read."""
    return tuple(part for step in path for part in step.as_read)


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is chosen for a path: the values that it starts with (all others are zero), and those on the way, by the
    number of the part and the variable."""

    start: Mapping[Term, Value] = field(default_factory=dict)
    on_the_way: Mapping[tuple[int, Term], Value] = field(default_factory=dict)

    def as_read(self, path: Sequence[Part]) -> Chosen:
        """The same for the path of the model as read. What a reduced model leaves to the start may be chosen there by
        the first operation that writes the variable."""
        found: dict[tuple[int, Term], Value] = {}
        waiting = dict(self.start)
        at = 0
        for number, step in enumerate(path):
            for part in step.as_read:
                for variable in written(part.operation) if isinstance(part, Edge) else ():
                    first = waiting.pop(variable, None)
                    value = self.on_the_way.get((number, variable), first)
                    if value is not None:
                        found[at, variable] = value
                at += 1
        return Chosen(self.start, found)
