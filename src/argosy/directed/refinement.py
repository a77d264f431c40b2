"""Predicates by the engine's own refinement of one part ([Directed], 5), stopped whenever it is enough.

``engine.check`` explores the part from the goal backwards (``backwards``) up to a moment that may be initial, and asks
``SpuriousPaths`` about the shortest abstract path: it is regressed exactly. If that fails, the path is spurious: the
fewest variables and clocks are looked for that make it fail alone, and what the exact regression says about them along
the path becomes predicates, so that the path is gone in the next round. ``every`` does this for all shortest paths (up
to a number), as the paper suggests. ``growing`` gives up when the length of the shortest spurious path does not grow;
the predicates of the round before are then the ones to take.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.records import dataclass
from argosy.directed.abstraction import Formula, Predicates
from argosy.directed.backwards import STATES, Backwards, LimitedExploration, loop
from argosy.directed.parts import Condition, ConditionReader, NetworkPart, PartAction, PartGoal
from argosy.directed.regression import Regression
from argosy.engine.outcome import Safe, Unsafe
from argosy.engine.protocols import Feasible, Refined, Stuck
from argosy.engine.reached import Node, Reached
from argosy.kernel.dbm import INFINITY

MOST_PATHS = 32
"""Of the shortest paths, where all are to be excluded."""

MOST_ROUNDS = 30


@dataclass(frozen=True, slots=True)
class Round:
    """``length`` of the shortest abstract path (infinite: there is none), and whether it is real in the part."""

    predicates: Predicates
    length: float
    feasible: bool


class Refinement:
    """Of one part for one goal. ``rounds`` tells afterwards how it went."""

    def __init__(
        self,
        part: NetworkPart,
        reader: ConditionReader,
        goal: PartGoal,
        states: int = STATES,
        budget: Budget = UNLIMITED,
        every: bool = False,
    ) -> None:
        self._part = part
        self._reader = reader
        self._goal = goal
        self._states = states
        self._budget = budget
        self._every = every
        self.rounds: list[Round] = []

    def predicates(self, rounds: int | None) -> Predicates:
        """After ``rounds`` rounds (0: locations only); None: as long as the shortest spurious path grows."""
        start = Predicates(self._part, self._reader, ())
        if rounds == 0:
            return start
        refiner = SpuriousPaths(self._part, self._reader, self._goal, self._every, growing=rounds is None)
        # Each exploration may take half of what is left, so that later rounds and parts have some.
        most = MOST_ROUNDS if rounds is None else min(rounds, MOST_ROUNDS)
        limited = LimitedExploration(self._states, self._budget, 0.5, most)
        analysis = Backwards(self._part, self._reader, self._goal, seeking=True)
        outcome = loop(analysis, refiner, start, limited, targets=0 if self._every else 1)
        self.rounds = refiner.rounds
        if isinstance(outcome, Safe):
            self.rounds.append(Round(outcome.precision, inf, False))
        if refiner.stagnated:
            return self.rounds[-2].predicates
        return self.rounds[-1].predicates if isinstance(outcome, Unsafe) else outcome.precision


class SpuriousPaths:
    """The refiner: why the shortest paths from where the part begins to the goal cannot be taken."""

    def __init__(self, part: NetworkPart, reader: ConditionReader, goal: PartGoal, every: bool, growing: bool) -> None:
        self._part = part
        self._reader = reader
        self._goal = goal
        self._every = every
        self._growing = growing
        self.rounds: list[Round] = []

    @property
    def stagnated(self) -> bool:
        """The last round's path is no longer than that of the round before."""
        return self._growing and len(self.rounds) > 1 and self.rounds[-1].length <= self.rounds[-2].length

    def refine(
        self, reached: Reached, targets: Sequence[Node], precision: Predicates
    ) -> Feasible | Refined[Predicates] | Stuck:
        regression = Regression(self._part, self._reader, precision)
        length, paths = self._shortest(targets)
        actions = self._part.actions
        found = [
            said
            for path in paths
            if (said := self._spurious(regression, [actions[number] for number in path])) is not None
        ]
        self.rounds.append(Round(precision, length, feasible=len(found) < len(paths)))
        if self.stagnated:
            return Stuck("the shortest spurious path does not grow")
        if not found:
            return Feasible(paths[0])
        fresh = dict.fromkeys(condition for said in found for condition in said if condition not in precision.given)
        if not fresh:
            return Stuck("no further predicate was found")
        return Refined(Predicates(self._part, self._reader, (*precision.given, *fresh)))

    def _shortest(self, targets: Sequence[Node]) -> tuple[float, list[tuple[int, ...]]]:
        """Shortest abstract paths, as numbers of actions: the first that was found, or several."""
        length = min(node.state.distance for node in targets)
        nearest = [node for node in targets if node.state.distance == length]
        if not self._every:
            return length, [tuple(reversed(nearest[0].trace()))]
        paths: list[tuple[int, ...]] = []
        for node in nearest:
            for path in _shortest_ways(node):
                paths.append(path)
                if len(paths) >= MOST_PATHS:
                    return length, paths
        return length, paths

    # ---- why a path is spurious ---------------------------------------------------------------------------

    def _spurious(self, regression: Regression, path: Sequence[PartAction]) -> list[Condition] | None:
        """What the exact regression says along the path about as little as makes it fail; None if it does not."""
        tracked = [*((False, slot) for slot in self._part.slots), *((True, clock) for clock in self._part.clocks)]
        if self._fails(regression, path, frozenset(tracked)) is None:
            return None
        needed = frozenset(tracked)
        for item in tracked:
            if self._fails(regression, path, needed - {item}) is not None:
                needed -= {item}
        formulas = self._fails(regression, path, needed)
        assert formulas is not None
        return [condition for formula in formulas for condition in self._said(regression, formula)]

    def _fails(
        self, regression: Regression, path: Sequence[PartAction], tracked: frozenset[tuple[bool, int]]
    ) -> list[Formula] | None:
        """The formulas from the goal back to where nothing is left, as far as they concern what is tracked; None if
        the path can be taken."""
        formulas: list[Formula] = []
        for start in regression.exact_starts(self._goal):
            formula: Formula | None = self._only(regression, start, tracked)
            for action in reversed(path):
                assert formula is not None
                formulas.append(formula)
                formula = regression.before(formula, action)
                if formula is None:
                    break
                formula = self._only(regression, formula, tracked)
            if formula is not None:
                if regression.begins(formula):
                    return None
                formulas.append(formula)
        return formulas

    def _only(self, regression: Regression, formula: Formula, tracked: frozenset[tuple[bool, int]]) -> Formula:
        zone = formula.zone
        for clock in self._part.clocks:
            if (True, clock) not in tracked:
                zone = zone.freed(regression.predicates.row(clock))
        return Formula(
            formula.locations,
            tuple((slot, mask) for slot, mask in formula.masks if (False, slot) in tracked),
            tuple(
                r for r in formula.relations if all((False, s) in tracked for s in regression.predicates.slots_of(r))
            ),
            zone,
        )

    def _said(self, regression: Regression, formula: Formula) -> Iterator[Condition]:
        for slot, mask in formula.masks:
            if mask != self._reader.full(slot):
                yield Condition(((slot, mask),))
        for relation in formula.relations:
            yield Condition(relations=(relation,))
        clocks = (0, *self._part.clocks)
        universe = regression.predicates.universe
        for i, left in enumerate(clocks):
            for j, right in enumerate(clocks):
                bound = formula.zone[i, j]
                if i != j and bound not in (INFINITY, universe[i, j]):
                    yield Condition(bounds=((left, right, bound),))


def _shortest_ways(node: Node) -> Iterator[tuple[int, ...]]:
    """The shortest paths from a node's moment to the goal, along all edges of the graph."""
    stack: list[tuple[Node, tuple[int, ...]]] = [(node, ())]
    while stack:
        here, path = stack.pop()
        nearer = [(p, a) for p, a in here.parents if p.state.distance < here.state.distance]
        if not nearer:
            yield path
        stack += [(parent, (*path, action)) for parent, action in reversed(nearer)]
