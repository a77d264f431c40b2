"""A part's abstraction as an analysis of the engine: exploration goes from the error back to where the part begins.

The engine's initial states are the moments at which the goal is met, its steps go back over one action each
(``regression``), its targets are the moments that may be initial: a trace of the engine is an abstract path, read
backwards. The precision is the set of predicates. ``space`` explores everything for a database ([Directed], 3.2), with
distances as costs; ``refinement`` explores up to a target, and counts actions.

Law: of every abstract state the first node that is expanded has the least distance, so states that come again with no
smaller one are covered at once (``Subsumption.APPEND``), and the graph has one node for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from typing import Any

from argosy.basics.budget import UNLIMITED, Budget, OutOfBudget
from argosy.basics.records import dataclass, field
from argosy.directed.abstraction import Abstract, Predicates
from argosy.directed.parts import ConditionReader, NetworkPart, PartGoal
from argosy.directed.regression import Regression
from argosy.engine.engine import check
from argosy.engine.frontier import BestFirst
from argosy.engine.outcome import Outcome, Safe, Unsafe
from argosy.engine.protocols import Refiner, Silent, Strategy, Stuck, Subsumption
from argosy.engine.reached import Node, Reached

STATES = 200_000
"""Abstract states of one exploration."""


@dataclass(frozen=True, slots=True)
class AbstractMoment:
    """An abstract state, the cost of the way from it to the goal, and whether the part may begin there."""

    literals: Abstract
    distance: float
    begins: bool = False


@dataclass
class Space:
    """Abstract states with their distances. ``otherwise``: a lower bound for everything else."""

    distances: dict[Abstract, float] = field(default_factory=dict)
    otherwise: float = inf

    @property
    def complete(self) -> bool:
        return self.otherwise == inf


class Backwards:
    """``seeking``: moments that may be initial are targets, and every action counts one."""

    def __init__(self, part: NetworkPart, reader: ConditionReader, goal: PartGoal, seeking: bool) -> None:
        self._part = part
        self._reader = reader
        self._goal = goal
        self._seeking = seeking
        self._regression: Regression | None = None
        self._begins: dict[Abstract, bool] = {}

    def regression(self, precision: Predicates) -> Regression:
        """That of the latest precision is kept: a refinement leaves the others behind."""
        if self._regression is None or self._regression.predicates is not precision:
            self._regression = Regression(self._part, self._reader, precision)
            self._begins = {}
        return self._regression

    def initial(self, precision: Predicates) -> Iterator[AbstractMoment]:
        for start in self.regression(precision).starts(self._goal):
            yield self._moment(start, 0)

    def successors(self, state: AbstractMoment, precision: Predicates) -> Iterator[tuple[int, AbstractMoment]]:
        """Actions are named by their numbers in the part."""
        for number, before in self.regression(precision).predecessors(state.literals):
            cost = 1 if self._seeking else self._part.actions[number].cost
            yield number, self._moment(before, state.distance + cost)

    def _moment(self, literals: Abstract, distance: float) -> AbstractMoment:
        if not self._seeking:
            return AbstractMoment(literals, distance)
        begins = self._begins.get(literals)
        if begins is None:
            assert self._regression is not None
            begins = self._begins[literals] = self._regression.may_begin(literals)
        return AbstractMoment(literals, distance, begins)

    def adjust(self, state: AbstractMoment, precision: Predicates) -> AbstractMoment:
        return state

    def merges(self, state: AbstractMoment) -> bool:
        return False

    def merge(self, new: AbstractMoment, old: AbstractMoment) -> AbstractMoment:
        return old

    def covers(self, old: AbstractMoment, new: AbstractMoment) -> bool:
        return old.literals == new.literals and old.distance <= new.distance

    def partition(self, state: AbstractMoment) -> Abstract:
        return state.literals

    def shelters(self, state: AbstractMoment) -> Iterable[Abstract]:
        return (state.literals,)

    def is_target(self, state: AbstractMoment) -> bool:
        return state.begins


class LimitedExploration(Silent):
    """Ends an exploration that has too many states or takes more than its ``share`` of the budget that is left, and the
    loop after a number of refinements. ``frontier`` is how far an exploration that came to a limit had got: all that is
    nearer was expanded."""

    def __init__(self, states: int, budget: Budget, share: float = 1.0, rounds: int | None = None) -> None:
        self._states = states
        self._budget = budget
        self._share = share
        self._rounds = rounds
        self._own = budget.share(share)
        self.frontier = 0.0

    def expanded(self, node: Node, reached: Reached) -> None:
        if len(reached) >= self._states or self._own.is_over:
            self.frontier = node.state.distance
            raise OutOfBudget("the abstract state space has more states than the limits allow")

    def refined(self, reached: Reached, precision: Predicates) -> None:
        self._own = self._budget.share(self._share)
        if self._rounds is not None:
            self._rounds -= 1
            if self._rounds == 0:
                raise OutOfBudget("the number of rounds is reached")


def nearest_first() -> BestFirst:
    return BestFirst(lambda node: node.state.distance)


def loop(
    analysis: Backwards, refiner: Refiner[Predicates], precision: Predicates, limited: LimitedExploration, targets: int
) -> Outcome:
    strategy = Strategy(analysis, nearest_first, refiner, precision, targets, Subsumption.APPEND)
    return check(strategy, limited)


class NoTargets:
    """Where nothing is sought there is nothing to refine."""

    def refine(self, reached: Reached, targets: Any, precision: Predicates) -> Stuck:
        return Stuck("nothing was sought")


def space(
    part: NetworkPart,
    reader: ConditionReader,
    predicates: Predicates,
    goal: PartGoal,
    states: int = STATES,
    budget: Budget = UNLIMITED,
) -> Space:
    """All abstract states from which the goal can be reached, as far as the limits go."""
    limited = LimitedExploration(states, budget)
    outcome = loop(Backwards(part, reader, goal, seeking=False), NoTargets(), predicates, limited, 0)
    assert not isinstance(outcome, Unsafe)
    found = Space()
    for node in outcome.reached:
        state = node.state
        found.distances[state.literals] = min(found.distances.get(state.literals, inf), state.distance)
    if not isinstance(outcome, Safe):
        # Whatever was not found lies behind something that waits, and is one action farther at least.
        found.otherwise = limited.frontier + min((action.cost for action in part.actions), default=0.0)
    return found
