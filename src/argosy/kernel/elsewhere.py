"""Other runs into a goal, where the first trace into it is none.

With rates, zones contain more than what is reached: a trace of the search may have no run although others have one.
So other searches are asked for theirs, in orders of their own, and for each of the goals by itself: where a search
comes to several at once, it names one. What is left is unknown: the zones neither exclude the goal, nor does any of
their traces lead there.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from argosy.basics.budget import Budget
from argosy.kernel.concretise import BeyondZones, TimedAction, concretise
from argosy.kernel.search import GoalReached, Order, Trace, ZoneSearch
from argosy.models.network import Network
from argosy.models.network_queries import Goal

ORDERS = (
    (Order.BREADTH_FIRST, 1),
    (Order.DEPTH_FIRST, 1),
    (Order.LARGEST_FIRST, 1),
    (Order.RANDOM_DEPTH_FIRST, 30),
)
"""Orders, and how often each is asked, with another seed each time."""

VISITS = 1_000_000


def another_run(network: Network, goals: Sequence[Goal], budget: Budget) -> tuple[TimedAction, ...]:
    """Raises ``BeyondZones`` where nobody finds one."""
    tried: set[tuple[Trace, Goal]] = set()
    for order, times in ORDERS:
        for seed, asked in product(range(1, times + 1), [[goal] for goal in goals]):
            if budget.is_over:
                break
            outcome = ZoneSearch(network, asked, order, seed=seed, budget=budget).run(None, VISITS)
            if not isinstance(outcome, GoalReached) or (outcome.trace, outcome.goal) in tried:
                continue
            tried.add((outcome.trace, outcome.goal))
            try:
                return concretise(network, outcome.trace, outcome.goal)
            except BeyondZones:
                continue
    raise BeyondZones(
        f"not decided: zones contain more than what clocks with rates reach; {len(tried)} traces into the states in "
        "question have no run"
    )
