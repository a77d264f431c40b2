"""Pattern databases from predicate abstraction ([Directed]): parts, predicates, regression, lookup.

Each part of the split network has a database for what each target says about it; the value of a state is the least,
over the targets, of the sum or maximum over the parts. A part whose abstraction comes to a limit keeps what was found
so far, with a bound for everything else; one that has too many actions is split again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.records import dataclass
from argosy.directed.abstraction import Predicates
from argosy.directed.backwards import Space, space
from argosy.directed.conditions import Dependencies, targets
from argosy.directed.parts import ConditionReader, NetworkPart, PartGoal, TooLarge, part_of, target_in
from argosy.directed.splitting import Interactions, split
from argosy.kernel import heuristics
from argosy.models.network import Network
from argosy.models.network_expressions import Constraint
from argosy.models.network_queries import Goal

STATES = 100_000
"""Abstract states of one database."""

Choose = Callable[[NetworkPart, ConditionReader, PartGoal], Predicates]
"""Which predicates a part gets."""


@dataclass(frozen=True, slots=True)
class PatternDatabase:
    """One database: of which processes, with which predicates, and what was found."""

    processes: tuple[int, ...]
    predicates: Predicates
    space: Space


def from_syntax(part: NetworkPart, reader: ConditionReader, goal: PartGoal) -> Predicates:
    """Every guard and invariant of the part, and the target ([Directed], 4)."""
    return Predicates(part, reader, [*part.conditions, goal[0]])


class Patterns:
    """Databases for a network and a query. ``shared`` costs make their sum admissible."""

    def __init__(
        self,
        network: Network,
        goals: Iterable[Goal],
        bound: int | None,
        choose: Choose = from_syntax,
        shared: bool = False,
        states: int = STATES,
        budget: Budget = UNLIMITED,
    ) -> None:
        dependencies = Dependencies(network)
        self._reader = ConditionReader(dependencies)
        self._interactions = Interactions(dependencies)
        self._choose = choose
        self._shared = shared
        self._states = states
        self._budget = budget
        self.patterns: list[PatternDatabase] = []
        self.alternatives: list[tuple[int, ...]] = []
        known: dict[tuple[tuple[int, ...], PartGoal], int] = {}
        asked = targets(goals)
        reads = [dependencies.reads(condition) for target in asked for condition in target.conditions]
        wanted = frozenset(item.index for items in reads for item in items if item.kind == "process")
        parts = [part for own in split(dependencies, bound, wanted) for part in self._parts(own)]
        self.dropped = [dropped for part in parts for dropped in self._interactions.dropped(part.processes)]
        """The conditions that the parts do without."""
        for target in asked:
            chosen = []
            for part in parts:
                goal = target_in(part, self._reader, self._interactions, target)
                if goal is None:
                    continue
                key = part.processes, goal
                if key not in known:
                    known[key] = len(self.patterns)
                    left = len(parts) - len(self.patterns)
                    self.patterns.append(self._pattern(part, goal, max(left, 1)))
                chosen.append(known[key])
            self.alternatives.append(tuple(chosen))

    def _parts(self, processes: tuple[int, ...]) -> list[NetworkPart]:
        try:
            return [part_of(self._reader, self._interactions, processes, self._shared)]
        except TooLarge:
            if len(processes) == 1:
                return []
            middle = len(processes) // 2
            return self._parts(processes[:middle]) + self._parts(processes[middle:])

    def _pattern(self, part: NetworkPart, goal: PartGoal, sharing: int) -> PatternDatabase:
        predicates = self._choose(part, self._reader, goal)
        budget = self._budget.share(1 / sharing)
        return PatternDatabase(
            part.processes, predicates, space(part, self._reader, predicates, goal, self._states, budget)
        )

    def heuristic(self, sums: bool = True) -> heuristics.LiteralDatabase:
        rows = [
            [(pattern.predicates.numbered(state), distance) for state, distance in pattern.space.distances.items()]
            for pattern in self.patterns
        ]
        # Locations first, clocks last: a state has one location per process, so the tree is entered where it fits.
        literals = dict.fromkeys(literal for pattern in self.patterns for literal in pattern.predicates.constraints)
        numbers = {literal: number for number, literal in enumerate(sorted(literals, key=_kind))}
        parts = []
        for pattern, row in zip(self.patterns, rows, strict=True):
            renumbered = [numbers[literal] for literal in pattern.predicates.constraints]
            sets = tuple((tuple(sorted(renumbered[k] for k in its)), distance) for its, distance in row)
            parts.append(heuristics.DatabasePart(sets, pattern.space.otherwise))
        return heuristics.LiteralDatabase(tuple(numbers), tuple(parts), tuple(self.alternatives), sums)


def _kind(literal: Constraint) -> int:
    if literal.atoms:
        return 2
    items = heuristics.mentioned(literal.condition)
    return 0 if items and all(kind == "process" for kind, _ in items) else 1
