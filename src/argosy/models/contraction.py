"""Contraction: edges that do nothing disappear, and the locations they join become one.

An edge that neither restricts nor changes a state (a *skip*) joins two locations. Where it is the only way out of
its source or the only way into its target, the two locations have the same states as far as the error is concerned
and one of them goes. Edges that thereby coincide are one edge, and a loop that changes nothing is no edge at all, so
an empty diamond and an empty loop vanish. Edges that follow each other and only make variables arbitrary become one
such edge. No two other operations are ever put on one edge.

Law: the error is reachable after contraction iff it was before, and state sets that are inductive at the locations
that stay are inductive from cut to cut when each cut takes those of the location that represents it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence

from argosy.basics.records import dataclass
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Assume, Check, Edge, Havoc, Location, Operation, Relation

# A skip's trail is copied to each edge that moves across it. Where many edges would move across a long one, the
# copies outweigh the location.
_COPIES = 64


@dataclass(frozen=True, slots=True, eq=False)
class _Trail:
    """A sequence of edges that is concatenated in constant time."""

    length: int
    edges: tuple[Edge, ...] = ()
    parts: tuple[_Trail, ...] = ()

    def flat(self) -> tuple[Edge, ...]:
        found: list[Edge] = []
        stack = [self]
        while stack:
            top = stack.pop()
            found.extend(top.edges)
            stack.extend(reversed(top.parts))
        return tuple(found)


@dataclass(slots=True, eq=False)
class _OpenStep:
    """An edge under way; ``shown`` is the edge whose position and text it will have."""

    source: Location
    target: Location
    operation: Operation
    checks: tuple[Check, ...]
    shown: Edge
    trail: _Trail
    number: int

    @property
    def key(self) -> tuple[Location, Operation, tuple[Check, ...]]:
        return self.target, self.operation, self.checks


class _Graph:
    def __init__(
        self, terms: Terms, fixed: Sequence[Location], edges: Iterable[Edge], cuts: Collection[Location]
    ) -> None:
        self._terms = terms
        self._claiming = set(cuts).union(fixed)
        self._nothing = Assume(terms.true)
        self._fixed = frozenset(fixed)
        self._out: dict[Location, dict[object, _OpenStep]] = {location: {} for location in fixed}
        self._into: dict[Location, dict[_OpenStep, None]] = {location: {} for location in fixed}
        self._ready: deque[_OpenStep] = deque()
        self._costly: deque[_OpenStep] = deque()
        self._parent: dict[Location, Location] = {}
        for number, edge in enumerate(edges):
            for location in (edge.source, edge.target):
                self._out.setdefault(location, {})
                self._into.setdefault(location, {})
            trail = _Trail(len(edge.as_read), edge.as_read)
            self._add(_OpenStep(edge.source, edge.target, edge.operation, edge.checks, edge, trail, number))

    def _is_skip(self, step: _OpenStep) -> bool:
        return step.operation == self._nothing and not step.checks

    def _add(self, step: _OpenStep) -> None:
        if step.source is step.target and isinstance(step.operation, Assume):
            self._settle(step.source)
            return
        out = self._out[step.source]
        if step.key in out:
            self._settle(step.source)
            return
        out[step.key] = step
        self._into[step.target][step] = None
        if self._is_skip(step):
            self._ready.append(step)

    def _remove(self, step: _OpenStep) -> None:
        del self._out[step.source][step.key]
        del self._into[step.target][step]

    def _settle(self, location: Location) -> None:
        """Fewer edges meet at ``location``: the last one may be contracted now."""
        for steps in (self._out[location].values(), self._into[location]):
            if len(steps) == 1:
                only = next(iter(steps))
                if self._is_skip(only):
                    self._ready.append(only)

    def _present(self, step: _OpenStep) -> bool:
        return step.source in self._out and self._out[step.source].get(step.key) is step

    def contract(self) -> None:
        while self._ready or self._costly:
            if self._ready:
                step = self._ready.popleft()
                if self._present(step) and not self._contract(step, 1):
                    self._costly.append(step)
            else:
                step = self._costly.popleft()
                if self._present(step):
                    self._contract(step, max(1, _COPIES // step.trail.length))

    def _contract(self, skip: _OpenStep, most: int) -> bool:
        """Join the two ends of ``skip`` if at most ``most`` edges have to move for it."""
        source, target = skip.source, skip.target
        if target not in self._fixed and len(self._into[target]) == 1 and len(self._out[target]) <= most:
            moved = list(self._out[target].values())
            self._drop(skip, moved, target, source)
            for step in moved:
                shown = skip.shown if self._is_skip(step) else step.shown
                self._add_moved(step, source, step.target, shown, (skip.trail, step.trail))
        elif source not in self._fixed and len(self._out[source]) == 1 and len(self._into[source]) <= most:
            moved = list(self._into[source])
            self._drop(skip, moved, source, target)
            for step in moved:
                self._add_moved(step, step.source, target, step.shown, (step.trail, skip.trail))
        else:
            return False
        return True

    def _drop(self, skip: _OpenStep, moved: Iterable[_OpenStep], gone: Location, stays: Location) -> None:
        self._remove(skip)
        for step in moved:
            self._remove(step)
        del self._out[gone], self._into[gone]
        self._parent[gone] = stays
        if gone in self._claiming:
            self._claiming.add(stays)
        self._settle(stays)

    def _add_moved(
        self, step: _OpenStep, source: Location, target: Location, shown: Edge, trails: tuple[_Trail, _Trail]
    ) -> None:
        trail = _Trail(trails[0].length + trails[1].length, parts=trails)
        self._add(_OpenStep(source, target, step.operation, step.checks, shown, trail, step.number))
        self._settle(source)
        self._settle(target)

    def join_forgetting(self) -> None:
        """Let edges that only make variables arbitrary be one where nothing is claimed in between."""
        for location in list(self._out):
            if location in self._claiming or len(self._into[location]) != 1 or len(self._out[location]) != 1:
                continue
            (first,), (second,) = self._into[location], self._out[location].values()
            earlier, later = _forgotten(self._terms, first), _forgotten(self._terms, second)
            if not earlier or not later:
                continue
            forgotten = dict.fromkeys((*earlier, *later))
            self._remove(first)
            self._remove(second)
            del self._out[location], self._into[location]
            self._parent[location] = second.target
            primed = tuple((v, self._terms.var(f"{v.name}'", v.sort)) for v in forgotten)
            trail = _Trail(first.trail.length + second.trail.length, parts=(first.trail, second.trail))
            operation = Relation(self._terms.true, primed) if len(primed) > 1 else second.operation
            self._add(_OpenStep(first.source, second.target, operation, (), first.shown, trail, first.number))

    def edges(self) -> list[Edge]:
        steps = sorted((step for out in self._out.values() for step in out.values()), key=lambda step: step.number)
        return [_edge(step) for step in steps]

    def representative(self) -> dict[Location, Location]:
        found: dict[Location, Location] = {}
        for location in (*self._out, *self._parent):
            path = [location]
            while path[-1] in self._parent and path[-1] not in found:
                path.append(self._parent[path[-1]])
            root = found.get(path[-1], path[-1])
            found.update(dict.fromkeys(path, root))
        return found


def _forgotten(terms: Terms, step: _OpenStep) -> tuple[Term, ...]:
    """The variables that the edge makes arbitrary, if it does nothing else."""
    if not step.checks:
        match step.operation:
            case Havoc(variable):
                return (variable,)
            case Relation(formula, primed) if formula is terms.true:
                return tuple(variable for variable, _ in primed)
    return ()


def _edge(step: _OpenStep) -> Edge:
    shown = step.shown
    if not step.trail.parts:
        return shown
    trail = step.trail.flat()
    return Edge(step.source, step.target, step.operation, shown.position, shown.text, step.checks, shown.choice, trail)


def contract_edges(
    terms: Terms, fixed: Sequence[Location], edges: Iterable[Edge], *, cuts: Collection[Location]
) -> tuple[list[Edge], Mapping[Location, Location]]:
    """The contracted edges, and for every location of ``edges`` the one that represents it; the ``fixed`` locations
    represent themselves. Claims are made at the fixed locations and at the ``cuts``."""
    graph = _Graph(terms, fixed, edges, cuts)
    graph.contract()
    graph.join_forgetting()
    return graph.edges(), graph.representative()
