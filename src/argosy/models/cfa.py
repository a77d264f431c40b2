"""Control-flow automata: locations, edges with operations, nothing that analyses them.

A program is a CFA ``(L, G)`` with an initial and an error location ([ABE], section II.A). Besides assume and
assign an edge may carry a havoc or a relation between old and new values (``x`` and ``x'``). Calls are already
inlined by the front ends, or go into a body that several calls share and come back by its return point: a location
knows the function it came from.

What C leaves undefined is kept on the edge as ``checks``: conditions under which the operation stays inside the
language. An execution that violates one has left the language; whoever reads the model decides (once, through
``Reading``) whether that execution is dropped or goes on with wrap-around. What a property may call an error is kept
as ``marks``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from functools import cached_property
from typing import Protocol

from argosy.basics.position import NOWHERE, Position
from argosy.basics.records import dataclass, field, replace
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import variables
from argosy.models.kinds import Marked as Marked
from argosy.models.kinds import Undefined as Undefined
from argosy.models.order import component_ends, weak_topological_order
from argosy.models.sources import ValueSource


@dataclass(frozen=True, slots=True, eq=False)
class Location:
    """A program counter. Identity is the location; ``index`` is dense in its CFA and orders deterministically.

    ``origin`` is the same for all inlined copies of one location of the source; ``depth`` is how many calls are active
    there besides the entry function's, at most where calls share a body. ``loops`` are the loops of the source whose
    head it is, as ``models.landmarks`` numbers them; ``~n`` is where a loop is tested that has its condition at its
    end.
    """

    index: int
    function: str = ""
    position: Position = NOWHERE
    label: str = ""
    origin: int = -1
    depth: int = 0
    loops: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"L{self.index}" + (f"[{self.label}]" if self.label else "")


@dataclass(frozen=True, slots=True)
class Assume:
    condition: Term


@dataclass(frozen=True, slots=True)
class Assign:
    variable: Term
    value: Term


@dataclass(frozen=True, slots=True)
class Havoc:
    """The variable takes any value of its sort (and, for a C type narrower than its sort, see ``checks``)."""

    variable: Term


@dataclass(frozen=True, slots=True)
class Relation:
    """Old and new values are related by ``formula``; ``primed`` maps each variable that changes to its new name."""

    formula: Term
    primed: tuple[tuple[Term, Term], ...]


Operation = Assume | Assign | Havoc | Relation


class Notation(Protocol):
    """How a language writes the values of a variable: a character, a name, what an address leads to."""

    def text(self, value: int) -> str | None:
        """None where a number is all there is to say."""
        ...


class PlaceNotation(Notation, Protocol):
    """How a language writes an address: what lies there."""

    def lifetime(self, value: int) -> str | None:
        """The variable that is 1 as long as that is allocated; None where there is none."""
        ...

    def object(self, value: int) -> tuple[int, str, int] | None:
        """Where the object begins that an address leads into, what it is, and the offset there."""
        ...

    def holder(self, variable: str) -> int | None:
        """Where the object begins that a variable of the model is a part of; None where it has no address."""
        ...


@dataclass(frozen=True, slots=True)
class Check:
    """``condition`` holds as long as the operation is defined; it is evaluated before the operation. Where it is not
    known whether the operation is defined if it does not hold, ``doubt`` is a bit that is not modelled: no violation is
    blamed on it, and nothing is proved. ``about`` is the address that is followed or freed, if it is one, ``size`` how
    many bytes there, ``what`` the operation in words, and ``places`` say what lies at addresses."""

    condition: Term
    kind: Undefined
    position: Position
    doubt: Term | None = None
    about: Term | None = None
    size: int = 0
    what: str = field(default="", compare=False)
    places: PlaceNotation | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Mark:
    """A property may call the step an error: it enters the function ``name``, passes the label ``name``, fails an
    assertion or, in an automaton made for a property, leaves the language. ``text`` is what a person sees; ``about``
    is the address that an access of ``size`` bytes follows, or that is freed."""

    kind: Marked | Undefined
    name: str
    position: Position
    text: str
    about: Term | None = field(default=None, compare=False)
    size: int = field(default=0, compare=False)
    places: PlaceNotation | None = field(default=None, compare=False, repr=False)


class Reading(Enum):
    """How undefined executions are read. Only a signed overflow has a value to go on with: both readings drop the
    others."""

    UNDEFINED = "undefined"
    WRAP = "wrap"

    def excludes(self, check: Check) -> bool:
        return self is Reading.UNDEFINED or check.kind is not Undefined.SIGNED_OVERFLOW


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """One step. ``text`` is what a person sees; ``choice`` is the source of a nondeterministic value.

    ``trail`` lists the edges of the model as read that this edge stands for, in order; an edge as read stands
    for itself. ``marks`` are there for ``models.errors``, which makes an automaton for a property.
    """

    source: Location
    target: Location
    operation: Operation
    position: Position = NOWHERE
    text: str = ""
    checks: tuple[Check, ...] = ()
    choice: ValueSource | None = None
    trail: tuple[Edge, ...] = ()
    marks: tuple[Mark, ...] = ()

    @property
    def as_read(self) -> tuple[Edge, ...]:
        return self.trail or (self,)

    def guard(self, terms: Terms, reading: Reading) -> Term:
        """Under which condition the operation stays inside the language, as ``reading`` has it."""
        return terms.conjunction(c.condition for c in self.checks if reading.excludes(c))

    def __repr__(self) -> str:
        return f"{self.source} -> {self.target}: {self.text or self.operation}"


@dataclass(frozen=True, slots=True)
class Variable:
    """A program variable. ``signed`` says how a bit-vector is meant to be read as a number (None: not a number,
    or not a bit-vector); ``name`` is the name in the source, ``function`` its scope ("" is global). A *return point* is
    not in the source: it says which call a function goes back to that is there once for several calls."""

    term: Term
    name: str
    function: str = ""
    signed: bool | None = None
    position: Position = NOWHERE
    notation: Notation | None = field(default=None, compare=False, repr=False)
    is_return_point: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a front end could not model, and where it stands. At a ``bound`` it stopped: what does not get there is
    modelled. An ``arbitrary`` value is one that the model chooses wherever it is read: it may be analysed, and only a
    counterexample that depends on it is none."""

    position: Position
    what: str
    bound: bool = False
    arbitrary: bool = False


@dataclass(frozen=True, eq=False)
class Cfa:
    """An immutable automaton. Every variable of every operation is in ``variables``; at ``initial`` all variables
    have arbitrary values (initialisers are edges).

    A value that the front end could not model is an ``opaque`` variable: the model may be analysed as long as no
    opaque variable influences the property (is left in the slice) but those that may be ``arbitrary``, and is refused
    otherwise."""

    terms: Terms
    initial: Location
    error: Location
    locations: tuple[Location, ...]
    edges: tuple[Edge, ...]
    variables: tuple[Variable, ...]
    opaque: Mapping[Term, Refusal] = field(default_factory=dict)
    name: str = ""

    @cached_property
    def leaving(self) -> Mapping[Location, tuple[Edge, ...]]:
        return _group(self.locations, ((e.source, e) for e in self.edges))

    @cached_property
    def entering(self) -> Mapping[Location, tuple[Edge, ...]]:
        return _group(self.locations, ((e.target, e) for e in self.edges))

    @cached_property
    def variable_of(self) -> Mapping[Term, Variable]:
        return {v.term: v for v in self.variables}

    @cached_property
    def _weak_order(self) -> tuple[list[Location], list[Location]]:
        leaving = self.leaving
        after = {location: tuple(edge.target for edge in leaving[location]) for location in self.locations}
        return weak_topological_order(self.initial, after.__getitem__)

    @cached_property
    def order(self) -> Mapping[Location, int]:
        """Position in a weak topological order from the initial location; unreachable locations are absent."""
        return {location: i for i, location in enumerate(self._weak_order[0])}

    @cached_property
    def loop_heads(self) -> frozenset[Location]:
        """The heads of the weak topological order: every cycle passes through one of them."""
        return frozenset(self._weak_order[1])

    @cached_property
    def loop_ends(self) -> Mapping[Location, int]:
        """For each loop head the last position in ``order`` of its loop."""
        entering = self.entering
        return component_ends(self.order, self.loop_heads, lambda at: [edge.source for edge in entering[at]])

    @cached_property
    def plain_loops(self) -> frozenset[Location]:
        """The heads of loops without a join: only the head has more than one entering edge, and two of these."""
        order, entering, heads = self.order, self.entering, self.loop_heads
        by_position = {position: location for location, position in order.items()}

        def joins(head: Location) -> list[Location]:
            body = (by_position[i] for i in range(order[head], self.loop_ends[head] + 1))
            return [location for location in body if len(entering[location]) > 1]

        return frozenset(head for head in heads if joins(head) in ([], [head]) and len(entering[head]) <= 2)

    @cached_property
    def function_borders(self) -> frozenset[Location]:
        """Locations that an edge enters from another function: where calls begin and end."""
        return frozenset(edge.target for edge in self.edges if edge.source.function != edge.target.function)

    @cached_property
    def error_distance(self) -> Mapping[Location, int]:
        """Edges to the error location, breadth-first; locations that cannot reach it are absent."""
        distance = {self.error: 0}
        queue = [self.error]
        for location in queue:
            for edge in self.entering[location]:
                if edge.source not in distance:
                    distance[edge.source] = distance[location] + 1
                    queue.append(edge.source)
        return distance


def _group(
    locations: Iterable[Location], pairs: Iterable[tuple[Location, Edge]]
) -> Mapping[Location, tuple[Edge, ...]]:
    groups: dict[Location, list[Edge]] = {location: [] for location in locations}
    for location, edge in pairs:
        groups[location].append(edge)
    return {location: tuple(edges) for location, edges in groups.items()}


def written(operation: Operation) -> tuple[Term, ...]:
    """The variables an operation changes."""
    match operation:
        case Assign(variable, _) | Havoc(variable):
            return (variable,)
        case Relation(_, primed):
            return tuple(variable for variable, _ in primed)
    return ()


def read(operation: Operation) -> frozenset[Term]:
    """The variables whose old values an operation looks at."""
    match operation:
        case Assume(condition):
            return variables(condition)
        case Assign(_, value):
            return variables(value)
        case Relation(formula, primed):
            return variables(formula) - {new for _, new in primed}
    return frozenset()


def within_bounds(cfa: Cfa) -> Cfa:
    """The automaton without the edges to what lies beyond a bound of the front end."""
    beyond = {term for term, refusal in cfa.opaque.items() if refusal.bound}
    return replace(cfa, edges=tuple(edge for edge in cfa.edges if beyond.isdisjoint(read(edge.operation))))
