"""DAG interpolation: one Horn query explains all counterexamples that the abstract reachability graph has at once.

Sequence interpolation looks at one target; where many paths lead to targets, it is asked for each of them. Here every
abstraction point on the way to a target gets a relation, every block between two of them a clause (Rümmer, Hojjat,
Kuncak: *Disjunctive interpolants for Horn-clause verification*, CAV 2013; Albarghouthi, Gurfinkel, Chechik: *From
under-approximations to over-approximations and back*, TACAS 2012). Abstraction points form a tree ([ABE],
footnote 3); a point that is covered by another goes on as that one does, which makes the graph a DAG. A covering that
would close a circle asks for an invariant, not for interpolants, and is left out.

Law: along every trace to a target the interpretations are interpolants of its blocks. They are split into predicates
where their points are, and the graph is pruned at the first point of each branch whose interpretation says anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from graphlib import TopologicalSorter

from argosy.basics.records import dataclass, field
from argosy.domains.blocks import AbstractionPoint
from argosy.domains.paths import Paths
from argosy.domains.precision import Precision
from argosy.engine.protocols import Feasible, Refined, Stuck
from argosy.engine.reached import Node, Reached
from argosy.logic.interpolation import Clause, Horn
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Location
from argosy.models.liveness import live_variables
from argosy.refiners.invariants import node_of
from argosy.refiners.trace import SequenceRefiner, Trace


@dataclass(slots=True)
class PointGraph:
    """The abstraction points on the way to ``targets``, parents before children. ``joins`` lists, for a point that
    covers others, those that go on as it does; ``ends`` are the nodes at which branches end."""

    points: dict[AbstractionPoint, None] = field(default_factory=dict)
    targets: dict[AbstractionPoint, None] = field(default_factory=dict)
    joins: dict[AbstractionPoint, list[AbstractionPoint]] = field(default_factory=dict)
    ends: list[Node] = field(default_factory=list)

    def add_target(self, node: Node) -> None:
        self._add_branch(node)
        self.targets[node.state.abstraction] = None

    def add_coverings(self, reached: Reached) -> None:
        """Add what is covered by a point of the graph, and what is covered by that."""
        covered = [n for n in reached if n.coverer is not None and n.state.is_abstraction]
        grows = True
        while grows:
            grows = False
            for node in covered:
                assert node.coverer is not None
                point, by = node.state.abstraction, node.coverer.state.abstraction
                if by in self.points and point not in self.points and by not in self._origins(point):
                    self._add_branch(node)
                    self.joins.setdefault(by, []).append(point)
                    grows = True

    def _add_branch(self, node: Node) -> None:
        for point in node.state.abstraction.chain():
            self.points.setdefault(point)
        self.ends.append(node)

    def _origins(self, point: AbstractionPoint) -> set[AbstractionPoint]:
        """The points from which a path of the graph leads to ``point``."""
        found = {point}
        stack = [point]
        while stack:
            for before in self.sources(stack.pop()):
                if before not in found:
                    found.add(before)
                    stack.append(before)
        return found

    def vocabulary(self, paths: Paths) -> dict[AbstractionPoint, set[Term]]:
        """For each point the program variables that occur both before and after it."""
        order = list(TopologicalSorter({point: list(self.sources(point)) for point in self.points}).static_order())
        own = {
            point: {paths.plain(v)[0] for v in variables(point.block.formula)} if point.block is not None else set()
            for point in order
        }
        before = {point: set(own[point]) for point in order}
        for point in order:
            before[point].update(*(before[source] for source in self.sources(point)))
        after: dict[AbstractionPoint, set[Term]] = {point: set() for point in order}
        for point in reversed(order):
            if point.before is not None:
                after[point.before] |= own[point] | after[point]
            for other in self.joins.get(point, ()):
                after[other] |= after[point]
        return {point: before[point] & after[point] for point in order}

    def sources(self, point: AbstractionPoint) -> Iterator[AbstractionPoint]:
        if point.before is not None:
            yield point.before
        yield from self.joins.get(point, ())


@dataclass(frozen=True, slots=True)
class HornQuery:
    """The Horn clauses of a graph; ``points`` are those that have a relation, in the same order."""

    points: tuple[AbstractionPoint, ...]
    horn: Horn


class DagRefiner(SequenceRefiner):
    """Explains all targets at once; where Spacer has no answer, the first one by a sequence."""

    @cached_property
    def _live(self) -> Mapping[Location, frozenset[Term]]:
        return live_variables(self._analysis.cfa)

    def explain(
        self, reached: Reached, targets: Sequence[Node], trace: Trace, precision: Precision
    ) -> Feasible | Refined[Precision] | Stuck:
        graph = PointGraph()
        for target in targets:
            answer = None if target is targets[0] else self.feasible(self.trace(target.state))
            if isinstance(answer, Feasible):
                return answer
            if answer is None:
                graph.add_target(target)
        graph.add_coverings(reached)
        query = self._query(graph)
        found = self._interpolation.horn(query.horn)
        refined = None if found is None else self._refined_everywhere(graph, query, found, precision)
        return refined or super().explain(reached, targets, trace, precision)

    def _query(self, graph: PointGraph) -> HornQuery:
        paths = self._analysis.paths
        vocabulary = graph.vocabulary(paths)
        inner = [point for point in graph.points if point.before is not None and point not in graph.targets]
        relations = [
            tuple(sorted(vocabulary[point] & self._live[point.location], key=lambda v: v.id)) for point in inner
        ]
        number = {point: i for i, point in enumerate(inner)}
        clauses = []
        for point in graph.points:
            if point.before is not None and point.block is not None:
                head = number.get(point)
                arguments = None
                if head is not None:
                    indices = point.block.indices
                    arguments = tuple(paths.indexed(v, indices.get(v, 0)) for v in relations[head])
                clauses.append(Clause(number.get(point.before), point.block.formula, head, arguments))
            clauses.extend(
                Clause(number[other], self._terms.true, number[point]) for other in graph.joins.get(point, ())
            )
        return HornQuery(tuple(inner), Horn(tuple(relations), tuple(clauses)))

    def _refined_everywhere(
        self, graph: PointGraph, query: HornQuery, found: Sequence[Term], precision: Precision
    ) -> Refined[Precision] | None:
        """Precision and pivots from an interpretation; None where it excludes nothing that was not excluded."""
        said = {point: term for point, term in zip(query.points, found, strict=True) if not term.is_const}
        pivots: dict[Node, None] = {}
        for end in graph.ends:
            first = next((point for point in end.state.abstraction.chain() if point in said), None)
            if first is not None:
                pivots[node_of(end, first)] = None
            elif end.target:
                return None
        larger = precision.join((point.location, self._split(term)) for point, term in said.items())
        if larger is precision:
            formulas = tuple(clause.formula for clause in query.horn.clauses)
            if formulas in self._repeated:
                return None
            self._repeated.add(formulas)
        return Refined(larger, tuple(pivots))
