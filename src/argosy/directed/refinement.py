"""Predicates by counterexample-guided refinement of one part (paper 003, 5), stopped whenever it is enough.

A round: the abstract state space by regression; a shortest abstract path from the part's initial state to the goal;
the path regressed exactly. If that fails, the path is spurious: the fewest variables and clocks are looked for that
make it fail alone, and what the exact regression says about them along the path becomes predicates, so that the path
is gone in the next round. ``every`` does this for all shortest paths (up to a number), as the paper suggests. Without
a number of rounds the refinement ends when the length of the shortest spurious path does not grow, with the predicates
of the round before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from argosy.directed.abstraction import Abstract, Formula, Predicates
from argosy.directed.parts import Action, Condition, Part, PartGoal, Reader
from argosy.directed.regression import Limits, Regression, Space
from argosy.kernel.dbm import INFINITY, Zone

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
    def __init__(self, part: Part, reader: Reader, goal: PartGoal, limits: Limits, every: bool = False) -> None:
        self._part = part
        self._reader = reader
        self._goal = goal
        self._limits = limits
        self._every = every
        self.rounds: list[Round] = []

    def predicates(self, rounds: int | None) -> Predicates:
        """After ``rounds`` rounds (0: locations only); None: as long as the shortest spurious path grows."""
        conditions: list[Condition] = []
        while True:
            predicates = Predicates(self._part, self._reader, conditions)
            if rounds is not None and len(self.rounds) >= rounds:
                return predicates
            regression = Regression(self._part, self._reader, predicates)
            space = regression.explore(self._goal, self._limits, self._every)
            length, paths = self._shortest(predicates, space)
            found = [conditions_of for path in paths if (conditions_of := self._spurious(regression, path)) is not None]
            feasible = len(found) < len(paths)
            last = self.rounds[-1] if self.rounds else None
            self.rounds.append(Round(predicates, length, feasible))
            if rounds is None and last is not None and length <= last.length:
                return last.predicates
            if not found or not space.complete or len(self.rounds) >= MOST_ROUNDS:
                return predicates
            fresh = [condition for its in found for condition in its if condition not in conditions]
            if not fresh:
                return predicates
            conditions += dict.fromkeys(fresh)

    # ---- paths --------------------------------------------------------------------------------------------

    def _shortest(self, predicates: Predicates, space: Space) -> tuple[float, list[list[Action]]]:
        """Shortest abstract paths from the initial state; the lexicographically first one, or several."""
        meeting = [
            (distance, state) for state, distance in space.distances.items() if self._may_be_initial(predicates, state)
        ]
        if not meeting:
            return inf, []
        length = min(distance for distance, _ in meeting)
        starts = [state for distance, state in meeting if distance == length]
        paths: list[list[Action]] = []
        for start in starts if self._every else starts[:1]:
            for path in self._paths(space, start):
                paths.append(path)
                if len(paths) >= (MOST_PATHS if self._every else 1):
                    return length, paths
        return length, paths

    def _paths(self, space: Space, start: Abstract) -> Iterator[list[Action]]:
        stack: list[tuple[Abstract, list[Action]]] = [(start, [])]
        while stack:
            state, path = stack.pop()
            steps = space.towards.get(state)
            if not steps:
                yield path
                continue
            stack += [(following, [*path, action]) for action, following in reversed(steps)]

    def _may_be_initial(self, predicates: Predicates, state: Abstract) -> bool:
        formula = predicates.formula(state)
        return formula is not None and self._is_initial(predicates, formula)

    def _is_initial(self, predicates: Predicates, formula: Formula) -> bool:
        network = self._part.network
        for process, location in zip(self._part.processes, formula.locations, strict=True):
            if location not in (None, network.processes[process].initial):
                return False
        values = {slot: network.variables[slot].initial for slot in self._part.slots}
        for slot, mask in formula.masks:
            if not mask >> (network.variables[slot].initial - network.variables[slot].low) & 1:
                return False
        if not all(self._reader.value(relation, values) for relation in formula.relations):
            return False
        zone = Zone.zero(len(self._part.clocks) + 1).delayed()
        return formula.zone.intersected(zone) is not None

    # ---- why a path is spurious ---------------------------------------------------------------------------

    def _spurious(self, regression: Regression, path: Sequence[Action]) -> list[Condition] | None:
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
        self, regression: Regression, path: Sequence[Action], tracked: frozenset[tuple[bool, int]]
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
                if self._is_initial(regression.predicates, formula):
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
