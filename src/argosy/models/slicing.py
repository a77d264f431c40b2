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

What is left out of a slice only ever removes conditions or makes values arbitrary:

* an irrelevant condition becomes true, together with the checks of its edge;
* a dead value of a variable that is live somewhere else becomes arbitrary, not unchanged: a claim about the
  variable that survived a skipped assignment would be wrong in the automaton as read;
* a variable that is live nowhere disappears, and its assignments with it.

Law: on the variables that are left, every step of the given edge is a step of its slice, so SAFE carries over and so
does any inductive invariant. The converse holds up to loops that do not end and undefined operations that do not
matter otherwise; a counterexample has to be replayed on the automaton as read. With ``exact`` no condition and no
check is left out and the converse holds as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts
from argosy.models.cfa import Edge, Location
from argosy.models.dependence import control_dependence
from argosy.models.effects import Effect, effect_of, rebuild
from argosy.models.flow import Numbering, Worklist, chains, grouped, source, standing_for, target


@dataclass(frozen=True, slots=True)
class Sliced:
    """``edge`` is what is left of an edge; ``reads`` whether it still depends on any value or check."""

    edge: Edge
    reads: bool


@dataclass(frozen=True, slots=True)
class Slice:
    """What is left of each edge, the variables that are left, and how many conditions and values are not."""

    edges: Mapping[Edge, Sliced]
    relevant: frozenset[Term]
    conditions_dropped: int
    values_dropped: int


@dataclass(slots=True, eq=False)
class _Part:
    """An edge's effect in bits. ``decided`` says that the branch it leaves is relevant."""

    effect: Effect
    guards: int
    definitions: tuple[tuple[int, int], ...]
    written: int
    tied: int
    checks: int
    decided: bool


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
        self._parts = {edge: self._part(edge) for edge in edges}
        self._live: dict[Location, int] = {}
        self._waiting = Worklist(rank, self._entering, descending=True)
        # Nodes of the graph in which dependence is decided: heads, then chains, then the sink.
        self._depends: list[list[int]] = []
        self._relevant = bytearray()
        self._heads: list[Location] = []
        self._node_of: dict[Edge, int] = {}
        if not exact:
            self._find_dependence(initial, error, rank)

    def _part(self, edge: Edge) -> _Part:
        numbering = self._numbering
        effect = effect_of(self._terms, edge.operation)
        definitions = tuple((numbering.bit(variable), numbering.read(value)) for variable, value in effect.definitions)
        guards = 0
        for guard in effect.guards:
            guards |= numbering.read(guard)
        tied = numbering.bits(effect.tied)
        if effect.ties:
            new = numbering.bits(name for _, name in effect.primed)
            for tie in effect.ties:
                guards |= numbering.read(tie) & ~new
        written = tied | numbering.bits(effect.havocs)
        for variable, _ in definitions:
            written |= variable
        checks = 0
        for check in edge.checks:
            checks |= numbering.read(check.condition)
        return _Part(effect, guards, definitions, written, tied, checks, self._exact)

    # ---- control dependence -------------------------------------------------------------------------------

    def _find_dependence(self, initial: Location, error: Location, rank: Mapping[Location, int]) -> None:
        def blocks(edge: Edge) -> bool:
            effect = self._parts[edge].effect
            return bool(effect.guards or effect.ties)

        chains_of = chains(initial, error, self._edges, blocks)
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
        effects = [self._parts[edge].effect for edge in self._leaving.get(location, ())]
        if not all(effect.guards or effect.ties for effect in effects):
            return False
        conditions = {self._terms.conjunction(effect.guards) for effect in effects if not effect.ties}
        negate = self._terms.not_
        return bool(effects) and not any(
            negate(condition) in conditions or all(negate(part) in conditions for part in conjuncts(condition))
            for condition in conditions
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
                        self._parts[edge].decided = True
                        self._waiting.push(edge.target)

    # ---- data dependence ----------------------------------------------------------------------------------

    def run(self) -> Slice:
        while self._waiting:
            location = self._waiting.pop()
            after = self._live.get(location, 0)
            for edge in self._entering[location]:
                part = self._parts[edge]
                if not self._exact and after & part.written:
                    self._mark(self._node_of[edge])
                before = self._live.get(edge.source, 0)
                now = before | self._read_before(edge, part, after)
                if now != before:
                    self._live[edge.source] = now
                    if edge.source in self._entering:
                        self._waiting.push(edge.source)
        return self._result()

    def _reads(self, edge: Edge, part: _Part, after: int) -> bool:
        effect = part.effect
        decides = part.decided and bool(effect.guards or effect.ties)
        return decides or bool(after & part.written) or (self._exact and bool(edge.checks))

    def _read_before(self, edge: Edge, part: _Part, after: int) -> int:
        live = after & ~part.written
        if part.decided:
            live |= part.guards
        for variable, value in part.definitions:
            if after & variable:
                live |= value
        if self._reads(edge, part, after):
            live |= part.checks
        return live

    def _result(self) -> Slice:
        left = 0
        for live in self._live.values():
            left |= live
        for part in self._parts.values():
            # A condition that stays speaks about the new values that it ties, read later or not.
            if part.decided:
                left |= part.tied
        edges = {edge: self._sliced(edge, part, left) for edge, part in self._parts.items()}
        conditions = values = 0
        for edge, part in self._parts.items():
            after = self._live.get(edge.target, 0)
            conditions += bool(part.effect.guards or part.effect.ties) and not part.decided
            values += (part.written & ~after).bit_count()
        return Slice(edges, frozenset(self._numbering.members(left)), conditions, values)

    def _sliced(self, edge: Edge, part: _Part, left: int) -> Sliced:
        effect = part.effect
        after = self._live.get(edge.target, 0)
        bit = self._numbering.bit
        holds = part.decided
        reads = self._reads(edge, part, after)
        arbitrary = [v for v in effect.havocs if left & bit(v)]
        arbitrary += [v for v, _ in effect.definitions if left & bit(v) and not after & bit(v)]
        if not holds:
            arbitrary += [v for v in effect.tied if left & bit(v)]
        rest = Effect(
            guards=effect.guards if holds else (),
            definitions=tuple(pair for pair in effect.definitions if after & bit(pair[0])),
            havocs=tuple(arbitrary),
            ties=effect.ties if holds else (),
            tied=effect.tied if holds else (),
            primed=effect.primed,
        )
        checks = edge.checks if reads else ()
        operation = rebuild(self._terms, rest)
        if operation == edge.operation and checks == edge.checks:
            return Sliced(edge, reads)
        return Sliced(standing_for(edge, operation, checks), reads)


def slice_edges(
    terms: Terms,
    initial: Location,
    error: Location,
    edges: Sequence[Edge],
    *,
    rank: Mapping[Location, int],
    numbering: Numbering,
    exact: bool,
) -> Slice:
    """The slice of ``edges``, all of which lie on paths from ``initial`` to ``error``; ``rank`` orders them so that
    every cycle has an edge that does not go up."""
    return _Slicer(terms, initial, error, edges, rank, numbering, exact).run()
