"""A path that goes round and round: the part that repeats is written once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from argosy.basics.records import dataclass, field
from argosy.logic.semantics import Value
from argosy.logic.terms import Term
from argosy.models.cfa import Edge, written


@dataclass(frozen=True, slots=True)
class Rounds:
    """``edges``, a cycle, ``times`` times in a row. Nothing is chosen on the way."""

    edges: tuple[Edge, ...]
    times: int

    @property
    def as_read(self) -> tuple[Rounds]:
        return (Rounds(tuple(edge for step in self.edges for edge in step.as_read), self.times),)


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
