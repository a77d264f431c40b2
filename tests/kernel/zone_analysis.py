"""Zones as a domain of the one engine: a network of timed automata is explored by ``engine`` with any frontier.

A state is a discrete state with a zone, its partition the discrete part, covering is inclusion of zones, and the
precision says up to which constants clocks are told apart (``kernel/bounds``). A target is never spurious, because
the extrapolation preserves reachability; so the refiner only makes a run of the trace. The native search
(``kernel/search``) finds the same and exists because it is three orders of magnitude faster.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

from argosy.engine.protocols import Feasible
from argosy.engine.reached import Node, Reached
from argosy.kernel.bounds import Bounds, analyse
from argosy.kernel.concretise import concretise
from argosy.kernel.graph import SymbolicState, ZoneGraph
from argosy.kernel.ranges import Ranges
from argosy.models.network import Network, TimedEdge
from argosy.models.network_queries import Goal

Edges = tuple[TimedEdge, ...]


class ZoneAnalysis:
    """The analysis of one network for the goals of one query."""

    def __init__(self, network: Network, goals: Iterable[Goal]) -> None:
        self.network = network
        self.goals = tuple(goals)
        self._graph = ZoneGraph(network)

    def precision(self) -> Bounds:
        """The coarsest bounds that the static analysis allows."""
        return analyse(self.network, self.goals, Ranges(self.network, self.goals))

    def initial(self, precision: Bounds) -> Iterable[SymbolicState]:
        return self._graph.abstracted(self._graph.start(), precision)

    def successors(self, state: SymbolicState, precision: Bounds) -> Iterator[tuple[Edges, SymbolicState]]:
        for step in self._graph.exact_successors(state):
            for part in self._graph.split(step.target, precision):
                yield step.action.edges, part

    def adjust(self, state: SymbolicState, precision: Bounds) -> SymbolicState | None:
        return self._graph.extrapolated(state, precision)

    def merges(self, state: SymbolicState) -> bool:
        return False

    def merge(self, new: SymbolicState, old: SymbolicState) -> SymbolicState:
        """The union of two zones is no zone: they stay apart."""
        return old

    def covers(self, old: SymbolicState, new: SymbolicState) -> bool:
        return old.discrete == new.discrete and old.zone.includes(new.zone)

    def partition(self, state: SymbolicState) -> Hashable:
        return state.discrete

    def shelters(self, state: SymbolicState) -> Iterable[Hashable]:
        return (state.discrete,)

    def is_target(self, state: SymbolicState) -> bool:
        return self.met(state) is not None

    def met(self, state: SymbolicState) -> Goal | None:
        """The first goal that a valuation of the state meets."""
        return next((goal for goal in self.goals if self._graph.met(state, goal)), None)


class ZoneRefiner:
    """Every target is real: nothing is refined, and the counterexample's model is a run with exact time stamps."""

    def __init__(self, analysis: ZoneAnalysis) -> None:
        self._analysis = analysis

    def refine(self, reached: Reached, targets: Sequence[Node], precision: Bounds) -> Feasible:
        node = min(targets, key=lambda target: (target.depth, target.id))
        goal = self._analysis.met(node.state)
        trace = node.trace()
        return Feasible(trace, concretise(self._analysis.network, trace, goal))
