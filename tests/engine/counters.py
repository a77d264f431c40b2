"""A toy analysis for tests of the loop: a counter modulo n, abstracted to the residues that are tracked."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from argosy.engine.protocols import Feasible, Refined, Stuck
from argosy.engine.reached import Node, Reached

State = tuple[str, frozenset[int]]


@dataclass(frozen=True)
class Counter:
    """Locations with edges that map sets of values to sets of values. A state is a set of values at a location;
    ``adjust`` widens it to all values unless the location is in the precision (a frozenset of locations)."""

    edges: dict[str, tuple[tuple[str, str, dict[int, int]], ...]]  # location -> (action, target, map)
    values: frozenset[int]
    start: frozenset[int]
    error: str = "error"

    def initial(self, precision: frozenset[str]) -> Iterable[State]:
        yield "start", self.start

    def successors(self, state: State, precision: frozenset[str]) -> Iterable[tuple[str, State]]:
        for action, target, step in self.edges.get(state[0], ()):
            yield action, (target, frozenset(step[v] for v in state[1] if v in step))

    def adjust(self, state: State, precision: frozenset[str]) -> State | None:
        if not state[1]:
            return None
        return state if state[0] in precision else (state[0], self.values)

    def merges(self, state: State) -> bool:
        return False

    def merge(self, new: State, old: State) -> State:
        return old

    def covers(self, old: State, new: State) -> bool:
        return new[1] <= old[1]

    def partition(self, state: State) -> Hashable:
        return state[0]

    def shelters(self, state: State) -> Iterable[Hashable]:
        return (state[0],)

    def is_target(self, state: State) -> bool:
        return state[0] == self.error


@dataclass(frozen=True)
class Tracker:
    """Executes the trace concretely; tracks the locations along it, pruning from the first that is new."""

    analysis: Counter

    def refine(
        self, reached: Reached, targets: Sequence[Node], precision: frozenset[str]
    ) -> Feasible | Refined[frozenset[str]] | Stuck:
        nodes, trace = targets[0].ancestry(), targets[0].trace()
        values = self.analysis.start
        exact = [values]
        for node, action in zip(nodes, trace, strict=False):
            step = next(s for a, _, s in self.analysis.edges[node.state[0]] if a == action)
            values = frozenset(step[v] for v in values if v in step)
            exact.append(values)
        if values:
            return Feasible(trace)
        for node, precise in zip(nodes[1:], exact[1:], strict=True):
            if node.state[1] != precise:
                return Refined(precision | {n.state[0] for n in nodes}, (node,))
        return Stuck("nothing to track")
