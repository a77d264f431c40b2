"""The native search: figures of a known model, orders, heuristics, limits, interruption, memory."""

from __future__ import annotations

import gc
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from math import inf

import pytest

from argosy.basics.budget import CLOCK, Budget
from argosy.certify import zones
from argosy.certify.timed_replay import TimedStep, replay
from argosy.kernel.concretise import InfeasibleTrace, concretise
from argosy.kernel.graph import SymbolicState
from argosy.kernel.heuristics import DatabasePart, FromPython, KernelHeuristic, LiteralDatabase, LocationDistances
from argosy.kernel.search import Exhausted, GoalReached, Order, Stopped, ZoneSearch
from argosy.models.network import Network, NetworkVariable
from argosy.models.network_expressions import TRUE, Binary, Constant, Statement
from argosy.models.network_queries import Goal
from tests.kernel.networks import Draft, at, atom, both, equals, fischer, network, put, read, reset, token_ring, when


@pytest.mark.parametrize(
    ("count", "stored", "visited", "transitions"),
    [(3, 65, 71, 126), (5, 727, 977, 2290), (7, 7737, 11951, 35266)],
)
def test_fischer_is_explored_as_elsewhere(count: int, stored: int, visited: int, transitions: int) -> None:
    """Breadth-first with Extra+LU and local bounds; TChecker has the same figures for seven processes."""
    outcome = ZoneSearch(*fischer(count)).run()
    assert isinstance(outcome, Exhausted)
    figures = outcome.statistics
    assert (figures.stored, figures.visited, figures.transitions) == (stored, visited, transitions)
    assert figures.discrete_states == stored


@pytest.mark.parametrize("order", list(Order))
def test_every_order_finds_the_flaw_and_proves_its_absence(order: Order) -> None:
    made, goals = fischer(3, mutual=False)
    outcome = ZoneSearch(made, goals, order, shortest=order is Order.BREADTH_FIRST).run()
    assert isinstance(outcome, GoalReached)
    timed = concretise(made, outcome.trace, outcome.goal)
    replay(made, [TimedStep(step.delay, step.edges) for step in timed])
    if order in (Order.BREADTH_FIRST, Order.A_STAR):
        assert len(outcome.trace) == 6
    if order is Order.FASTEST:
        assert sum(step.delay for step in timed) == 20  # both ask at once, and each waits for ten
    assert isinstance(ZoneSearch(*fischer(3), order).run(), Exhausted)


@pytest.mark.parametrize("order", list(Order))
def test_a_search_pauses_and_goes_on(order: Order) -> None:
    for mutual in (True, False):
        made, goals = fischer(4, mutual=mutual)
        whole = ZoneSearch(made, goals, order, seed=3).run()
        search = ZoneSearch(made, goals, order, seed=3)
        pause = 7
        while isinstance(outcome := search.run(None, pause), Stopped):
            assert (outcome.reason, outcome.statistics.visited) == ("visits", pause)
            pause += 7
        assert replace(outcome.statistics, seconds=0, overhead=0) == replace(whole.statistics, seconds=0, overhead=0)
        assert type(outcome) is type(whole) and pause > 7
        if isinstance(outcome, GoalReached):
            assert isinstance(whole, GoalReached) and outcome.trace == whole.trace


def test_large_zones_first_stores_the_same_states_and_visits_fewer() -> None:
    for count in (4, 5, 6):
        broad = ZoneSearch(*fischer(count))
        large = ZoneSearch(*fischer(count), Order.LARGEST_FIRST)
        first, second = broad.run().statistics, large.run().statistics
        assert set(broad.states()) == set(large.states())
        assert second.visited == second.stored == first.stored < first.visited


def test_a_deeper_zone_does_not_cover_a_shallower_one_where_depth_is_promised() -> None:
    """A* stores x at depth 3 (through a and b, whose estimates are too low) before it gets there at depth 2."""
    draft = Draft()
    start, a, b, c, x, goal = (draft.location(name) for name in ("start", "a", "b", "c", "x", "goal"))
    for source, target in ((start, a), (a, b), (b, x), (start, c), (c, x), (x, goal)):
        draft.edge(source, target)
    distances = LocationDistances(((0.0, 0.0, 0.0, 2.0, 1.0, 0.0),))
    outcome = ZoneSearch(network([draft]), (Goal(at(0, goal)),), Order.A_STAR, heuristic=distances).run()
    assert isinstance(outcome, GoalReached) and len(outcome.trace) == 3


def test_a_larger_but_deeper_zone_does_not_remove_a_waiting_one_where_depth_is_promised() -> None:
    """x is entered with y = 0 at depth 1, and with any y at depth 2 before the first one's turn comes."""
    draft = Draft()
    start = draft.location("start", urgent=True)
    a = draft.location("a")
    x = draft.location("x", urgent=True)
    goal = draft.location("goal")
    draft.edge(start, a)
    draft.edge(start, x)
    draft.edge(a, x)
    draft.edge(x, goal, when(TRUE, atom(1, "<=", 5)))
    draft.edge(x, a, when(TRUE, atom(1, ">=", 3)))
    made = network([draft], clocks=1)
    promised = ZoneSearch(made, (Goal(at(0, goal)),), shortest=True).run()
    assert isinstance(promised, GoalReached) and len(promised.trace) == 2
    any_trace = ZoneSearch(made, (Goal(at(0, goal)),)).run()
    assert isinstance(any_trace, GoalReached) and len(any_trace.trace) == 3


def test_random_order_depends_on_the_seed_only() -> None:
    runs = [ZoneSearch(*fischer(4, mutual=False), Order.RANDOM_DEPTH_FIRST, seed=seed).run() for seed in (1, 1, 2, 3)]
    traces = [run.trace for run in runs if isinstance(run, GoalReached)]
    assert len(traces) == 4 and traces[0] == traces[1] and len(set(map(len, traces))) > 1


# Heuristics


def line(length: int, dead_ends: int) -> tuple[Network, Goal]:
    """A path to the goal, with a counter that can be driven up instead at every place."""
    draft = Draft()
    for index in range(length):
        draft.location(f"l{index}")
    for index in range(length):
        draft.edge(index, index, when(Binary("<", read(0), Constant(dead_ends))), updates=[increase()])
        if index + 1 < length:
            draft.edge(index, index + 1)
    return network([draft], [NetworkVariable("n", 0, dead_ends, 0)], 1), Goal(at(0, length - 1))


def increase() -> Statement:
    return put(0, Binary("+", read(0), Constant(1)))


@pytest.mark.parametrize(
    "heuristic",
    [
        LocationDistances((tuple(float(9 - index) for index in range(10)),)),
        FromPython(lambda state: 9 - state.locations[0]),
        LiteralDatabase(
            tuple(when(at(0, index)) for index in range(10)),
            (DatabasePart(tuple(((index,), float(9 - index)) for index in range(10)), inf),),
        ),
    ],
)
def test_heuristics_lead_straight_to_the_goal(heuristic: KernelHeuristic) -> None:
    made, goal = line(10, 50)
    blind = ZoneSearch(made, (goal,)).run()
    guided = ZoneSearch(made, (goal,), Order.GREEDY, heuristic=heuristic).run()
    best = ZoneSearch(made, (goal,), Order.A_STAR, heuristic=heuristic).run()
    assert isinstance(blind, GoalReached) and isinstance(guided, GoalReached) and isinstance(best, GoalReached)
    assert guided.statistics.visited == 9 < blind.statistics.visited
    assert len(best.trace) == 9 and best.statistics.visited == 9


def test_the_database_sees_what_a_zone_leaves_open() -> None:
    """Literals on clocks hold if some valuation satisfies them; the smallest set that fits counts."""
    seen: list[float] = []
    draft = Draft()
    draft.location("first", when(TRUE, atom(1, "<=", 3)))
    draft.location("second")
    draft.edge(0, 1, when(TRUE, atom(1, ">=", 2)))
    made = network([draft], clocks=1)
    literals = (when(at(0, 0)), when(TRUE, atom(1, "<", 2)), when(TRUE, atom(1, ">", 3)))
    parts = (DatabasePart((((0, 2), 1.0), ((0, 1), 5.0), ((0,), 7.0)), 100.0), DatabasePart((((1, 2), 1.0),), 20.0))
    database = LiteralDatabase(literals, parts)

    def compare(state: SymbolicState) -> float:
        seen.append(state.locations[0])
        return 0.0

    # In the first location x < 2 may hold and x > 3 may not: 5, and 20 as the second part knows no set that fits.
    outcome = ZoneSearch(made, (Goal(at(0, 1)),), Order.GREEDY, heuristic=database).run()
    assert isinstance(outcome, GoalReached)
    assert isinstance(
        ZoneSearch(made, (Goal(at(0, 1)),), Order.GREEDY, heuristic=FromPython(compare)).run(), GoalReached
    )
    assert seen == [0, 1]


def test_dead_ends_come_last_but_are_not_lost() -> None:
    made, goal = line(4, 3)
    wrong = LocationDistances(((0.0, inf, inf, inf),))
    assert isinstance(ZoneSearch(made, (goal,), Order.GREEDY, heuristic=wrong).run(), GoalReached)


def test_a_heuristic_that_fails_is_not_hidden() -> None:
    def fails(state: SymbolicState) -> float:
        raise ZeroDivisionError

    made, goal = line(3, 2)
    with pytest.raises(ZeroDivisionError):
        ZoneSearch(made, (goal,), Order.GREEDY, heuristic=FromPython(fails)).run()


def test_tables_must_fit_the_network() -> None:
    made, goal = line(3, 2)
    with pytest.raises(ValueError, match="every location"):
        ZoneSearch(made, (goal,), Order.GREEDY, heuristic=LocationDistances(((1.0,),)))
    with pytest.raises(ValueError, match="does not exist"):
        ZoneSearch(made, (goal,), Order.GREEDY, heuristic=LiteralDatabase((), (DatabasePart((((3,), 1.0),), 0.0),)))


# Limits

PROMPT = 0.1
"""Seconds of this process, so that a machine that is busy with other tests does not count."""


def endless() -> tuple[Network, tuple[Goal, ...]]:
    """Far more states than any test will wait for."""
    drafts = []
    for slot in range(4):
        draft = Draft()
        draft.location("count")
        draft.edge(0, 0, updates=[put(slot, Binary("%", Binary("+", read(slot), Constant(1)), Constant(30_000)))])
        drafts.append(draft)
    return network(drafts, [NetworkVariable(f"v{k}", 0, 30_000, 0) for k in range(4)]), ()


@contextmanager
def limited_after(seconds: float, request: Callable[[], None]) -> Iterator[None]:
    """What runs inside ends soon after the request, which comes after some seconds."""
    spent: list[float] = []

    def ask() -> None:
        spent.append(time.process_time())
        request()

    timer = threading.Timer(seconds, ask)
    timer.start()
    try:
        yield
    finally:
        end = time.process_time()
        timer.join()
        assert end - spent[0] < PROMPT


STOPPABLE = [Order.BREADTH_FIRST, Order.DEPTH_FIRST, Order.GREEDY]


def made(order: Order, time_limit: float = 20) -> ZoneSearch:
    heuristic = LocationDistances(((0.0,),) * 4) if order is Order.GREEDY else None
    return ZoneSearch(*endless(), order, heuristic=heuristic, budget=Budget(CLOCK() + time_limit))


@pytest.mark.parametrize("order", STOPPABLE)
def test_time_limit(order: Order) -> None:
    begun = time.process_time()
    outcome = made(order, 0.2).run()
    assert 0.19 < time.process_time() - begun < 0.2 + PROMPT
    assert isinstance(outcome, Stopped) and outcome.reason == "time" and outcome.statistics.visited > 0


def test_the_clock_on_the_wall_ends_a_search_as_well() -> None:
    budget = Budget(CLOCK() + 1000, wall_end=time.monotonic() + 0.1)
    outcome = ZoneSearch(*endless(), budget=budget).run()
    assert isinstance(outcome, Stopped) and outcome.reason == "time"


def test_memory_limit() -> None:
    outcome = ZoneSearch(*endless(), store_bytes=20_000_000).run()
    assert isinstance(outcome, Stopped) and outcome.reason == "memory"
    assert outcome.statistics.peak_bytes < 24_000_000


@pytest.mark.parametrize("order", STOPPABLE)
def test_stop_from_another_thread_while_python_runs(order: Order) -> None:
    search = made(order)
    with limited_after(0.2, search.stop):
        outcome = search.run()
    assert isinstance(outcome, Stopped) and outcome.reason == "interrupted"
    assert outcome.statistics.stored > 0


@pytest.fixture
def keyboard() -> Iterator[Callable[[], None]]:
    """Ctrl-C. Hypothesis measures collections of garbage in a callback, and Python drops what is raised in one."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.disable()
    yield lambda: signal.raise_signal(signal.SIGINT)
    gc.enable()
    signal.signal(signal.SIGINT, handler)


@pytest.mark.parametrize("order", STOPPABLE)
def test_interrupt_from_the_keyboard(order: Order, keyboard: Callable[[], None]) -> None:
    with limited_after(0.2, keyboard):
        outcome = made(order).run()
    assert isinstance(outcome, Stopped) and outcome.reason == "interrupted"
    assert outcome.statistics.stored > 0


@pytest.mark.parametrize("limit", [0, 10**9])
def test_interrupt_while_states_are_certified(
    limit: int, keyboard: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Natively and by the twin."""
    monkeypatch.setattr(zones, "TWIN_LIMIT", limit)
    search = ZoneSearch(*fischer(9), Order.LARGEST_FIRST)
    assert isinstance(search.run(), Exhausted)
    with pytest.raises(KeyboardInterrupt), limited_after(0.1, keyboard):
        zones.certify(search)


def test_out_of_time_while_states_are_certified() -> None:
    search = ZoneSearch(*fischer(8), Order.LARGEST_FIRST)
    search.run()
    asked: list[int] = []

    def tick() -> None:
        asked.append(len(asked))
        if len(asked) == 3:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        zones.certify(search, tick)
    assert len(asked) == 3, "nothing is asked after the end"


def test_memory_is_linear() -> None:
    costs = []
    for limit in (8_000_000, 64_000_000):
        outcome = ZoneSearch(*endless(), store_bytes=limit).run()
        costs.append(outcome.statistics.peak_bytes / outcome.statistics.stored)
    assert max(costs) < 8 + 100


@pytest.mark.parametrize("order", [Order.BREADTH_FIRST, Order.LARGEST_FIRST])
@pytest.mark.parametrize("model", [fischer(3), fischer(5), fischer(7), token_ring(2), token_ring(6), token_ring(10)])
def test_a_state_costs_less_than_200_bytes_beyond_its_vector_and_its_zone(
    model: tuple[Network, tuple[Goal, ...]], order: Order
) -> None:
    """Few states and many, zones of two clocks and of thirty-one, and twenty times more states visited than stored."""
    outcome = ZoneSearch(*model, order, shortest=order is Order.BREADTH_FIRST).run()
    assert isinstance(outcome, Exhausted)
    assert 40 < outcome.statistics.overhead < 200


KEEPING_ALL = {
    Order.BREADTH_FIRST: (2635, 47),
    Order.DEPTH_FIRST: (5389, 2898),
    Order.RANDOM_DEPTH_FIRST: (1592, 849),
    Order.GREEDY: (2635, 47),
    Order.A_STAR: (2635, 47),
    Order.FASTEST: (342, 47),
    Order.LARGEST_FIRST: (374, 47),
}
"""States visited, and length of the trace, by a search that keeps every node it ever had."""


@pytest.mark.parametrize("order", list(Order))
def test_nodes_that_no_trace_needs_are_forgotten(order: Order) -> None:
    made, goals = token_ring(8)
    visited, length = KEEPING_ALL[order]
    search = ZoneSearch(made, goals, order, shortest=order is Order.BREADTH_FIRST, seed=1)
    outcome = search.run()
    assert isinstance(outcome, Exhausted)
    assert (outcome.statistics.stored, outcome.statistics.visited) == (342, visited)
    assert len(search) < max(visited, 500)
    goal = Goal(both(equals(0, 7), at(7, 7), *(at(pid, 0) for pid in range(7))), (atom(2, "<=", 400),))
    reached = ZoneSearch(made, (goal,), order, shortest=order is Order.BREADTH_FIRST, seed=1).run()
    assert isinstance(reached, GoalReached) and len(reached.trace) == length
    if length < 100:
        timed = concretise(made, reached.trace, reached.goal)
        replay(made, [TimedStep(step.delay, step.edges) for step in timed])


# Traces


def test_times_are_exact_and_early() -> None:
    draft = Draft()
    draft.location("first", when(TRUE, atom(1, "<=", 5)))
    draft.location("second", urgent=True)
    draft.location("third")
    draft.edge(0, 1, when(TRUE, atom(1, ">", 2)), updates=[reset(2, 1)])
    draft.edge(1, 2, when(TRUE, atom(2, "<=", 1)))
    made = network([draft], clocks=2)
    goal = Goal(at(0, 2), (atom(2, ">=", 4),))
    outcome = ZoneSearch(made, (goal,)).run()
    assert isinstance(outcome, GoalReached)
    timed = concretise(made, outcome.trace, goal)
    assert [step.delay for step in timed] == [Fraction(5, 2), 0, 3]
    with pytest.raises(InfeasibleTrace):
        concretise(made, outcome.trace[1:], goal)
    with pytest.raises(InfeasibleTrace):
        concretise(made, outcome.trace, Goal(TRUE, (atom(1, "==", 5), atom(2, ">=", 4))))


def test_a_lower_bound_in_an_invariant_counts_at_the_moment_of_entry() -> None:
    draft = Draft()
    draft.location("first")
    draft.location("second", when(TRUE, atom(1, ">=", 3)))
    draft.location("third")
    draft.edge(0, 1)
    draft.edge(1, 2)
    made = network([draft], clocks=1)
    outcome = ZoneSearch(made, (Goal(at(0, 2)),)).run()
    assert isinstance(outcome, GoalReached)
    assert [step.delay for step in concretise(made, outcome.trace, outcome.goal)] == [3, 0, 0]
