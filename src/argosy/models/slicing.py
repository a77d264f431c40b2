"""The slice for the property: the part of every operation that can decide whether the error is reached.

Three rules, applied until nothing changes (Weiser, *Program slicing*, 1984; as a closure over control and data
dependence, Ottenstein and Ottenstein, 1984):

* the error depends on a branch, or something relevant does: the branch is relevant and its conditions are read;
* a value is read: it is live back to where it is written, and what it is computed from is read there;
* a value is written while it is live: this is relevant.

Live variables are tracked location by location, so a value that is overwritten before it is read is dead even if
the variable matters elsewhere. A location that need not go on (its conditions do not exhaust all cases, because
the other cases cannot reach the error or do not exist) is a branch too. Loops are assumed to end, except where the
only way out of a loop is the error: there going round for ever is what avoids it.

What is left of the edges then is told by ``residue``: irrelevant conditions become true, together with the checks of
their edges, dead values are forgotten, and a variable that is live nowhere disappears.

Law: whatever an execution does to the variables that are left, an execution of the slice does, so SAFE carries over.
The converse holds up to loops that do not end and undefined operations that do not matter otherwise; a counterexample
has to be replayed on the automaton as read. With ``exact`` no condition and no check is left out and the converse
holds as well.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from argosy.basics.records import dataclass
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts
from argosy.models.cfa import Edge, Location
from argosy.models.dependence import control_dependence
from argosy.models.flow import Numbering, Worklist, chains, grouped, source, target
from argosy.models.residue import Left, Residue, part_of


@dataclass(frozen=True, slots=True)
class Slice:
    """What is left of each edge, the variables that are left, and how many conditions and values are not."""

    edges: Mapping[Edge, Left]
    variables: frozenset[Term]
    conditions_dropped: int
    values_dropped: int


class _Slicer:
    def __init__(
        self,
        terms: Terms,
        initial: Location,
        error: Location,
        edges: Sequence[Edge],
        rank: Mapping[Location, int],
        numbering: Numbering,
        exact: bool,
    ) -> None:
        self._terms = terms
        self._numbering = numbering
        self._exact = exact
        self._edges = edges
        self._leaving = grouped(edges, source)
        self._entering = grouped(edges, target)
        self.parts = {edge: part_of(terms, numbering, edge, exact=exact) for edge in edges}
        self.live: dict[Location, int] = {}
        self._waiting = Worklist(rank, self._entering, descending=True)
        # Nodes of the graph in which dependence is decided: heads, then chains, then the sink.
        self._depends: list[list[int]] = []
        self._relevant = bytearray()
        self._heads: list[Location] = []
        self._node_of: dict[Edge, int] = {}
        if not exact:
            self._find_dependence(initial, error, rank)

    # ---- control dependence -------------------------------------------------------------------------------

    def _find_dependence(self, initial: Location, error: Location, rank: Mapping[Location, int]) -> None:
        chains_of = chains(initial, error, self._edges, lambda edge: self.parts[edge].blocks)
        chains_of.setdefault(error, [])
        node_of_head = {head: i for i, head in enumerate(chains_of)}
        self._heads = list(chains_of)
        sink = len(self._heads) + sum(len(leaving) for leaving in chains_of.values())
        stops = {head for head in self._heads if self._may_stop(head)}
        avoidable = self._avoidable(stops)
        successors: list[list[int]] = [[] for _ in range(sink + 1)]
        successors[node_of_head[error]].append(sink)
        node = len(self._heads)
        for head, leaving in chains_of.items():
            after = successors[node_of_head[head]]
            if head in stops:
                after.append(sink)
            for chain in leaving:
                after.append(node)
                successors[node].append(node_of_head[chain.target])
                for edge in chain.edges:
                    self._node_of[edge] = node
                    if edge.source not in avoidable and rank[edge.target] <= rank[edge.source]:
                        successors[node].append(sink)
                node += 1
        self._depends = control_dependence(successors, sink)
        self._relevant = bytearray(sink + 1)
        self._mark(node_of_head[error])

    def _may_stop(self, location: Location) -> bool:
        """Whether some state may be left without a way on: the conditions of the edges are not seen to exhaust."""
        effects = [self.parts[edge].effect for edge in self._leaving.get(location, ())]
        if not all(effect.guards or effect.ties for effect in effects):
            return False
        conditions = {self._terms.conjunction(effect.guards) for effect in effects if not effect.ties}
        negate = self._terms.not_
        return bool(effects) and not any(
            all(negate(part) in conditions for part in conjuncts(condition)) for condition in conditions
        )

    def _avoidable(self, stops: set[Location]) -> set[Location]:
        """Locations from which an execution that goes on as long as it can may end without an error."""
        seen = set(stops)
        stack = list(stops)
        while stack:
            for edge in self._entering.get(stack.pop(), ()):
                if edge.source not in seen:
                    seen.add(edge.source)
                    stack.append(edge.source)
        return seen

    def _mark(self, node: int) -> None:
        """``node`` is relevant, and so is every branch that it depends on, directly or not."""
        if self._relevant[node]:
            return
        self._relevant[node] = 1
        stack = [node]
        while stack:
            for branch in self._depends[stack.pop()]:
                if self._relevant[branch]:
                    continue
                self._relevant[branch] = 1
                stack.append(branch)
                if branch < len(self._heads):
                    for edge in self._leaving[self._heads[branch]]:
                        self.parts[edge].decided = True
                        self._waiting.push(edge.target)

    # ---- data dependence ----------------------------------------------------------------------------------

    def run(self) -> None:
        while self._waiting:
            location = self._waiting.pop()
            after = self.live.get(location, 0)
            for edge in self._entering[location]:
                part = self.parts[edge]
                if not self._exact and after & part.written:
                    self._mark(self._node_of[edge])
                before = self.live.get(edge.source, 0)
                now = before | after & ~part.written | part.operands(after)
                if now != before:
                    self.live[edge.source] = now
                    if edge.source in self._entering:
                        self._waiting.push(edge.source)


def slice_edges(
    terms: Terms,
    initial: Location,
    error: Location,
    edges: Sequence[Edge],
    *,
    cuts: Collection[Location],
    rank: Mapping[Location, int],
    numbering: Numbering,
    exact: bool,
) -> Slice:
    """The slice of ``edges``, all of which lie on paths from ``initial`` to ``error``; ``rank`` orders the locations so
    that an edge that does not go up ends in one of the ``cuts``, where claims are made."""
    slicer = _Slicer(terms, initial, error, edges, rank, numbering, exact)
    slicer.run()
    parts, live = slicer.parts, slicer.live
    residue = Residue(terms, numbering, initial, parts, live, cuts=cuts, rank=rank)
    conditions = sum(part.blocks and not part.decided for part in parts.values())
    values = sum((part.written & ~live.get(edge.target, 0)).bit_count() for edge, part in parts.items())
    return Slice(residue.edges, residue.variables, conditions, values)
