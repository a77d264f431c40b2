"""One small network per rule of the semantics, with the stored states counted by hand."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from argosy.kernel.bounds import Unsupported, analyse
from argosy.kernel.dbm import NO_BOUND
from argosy.kernel.ranges import Ranges
from argosy.kernel.search import Exhausted, Failed, GoalReached, ZoneSearch
from argosy.kernel.tables import compile_network
from argosy.models.network import Channel, Network, NetworkVariable
from argosy.models.network_expressions import TRUE, Binary, Constant, NetworkPlace, Reset, Subscript
from argosy.models.network_queries import Goal
from tests.kernel import twin
from tests.kernel.networks import Draft, at, atom, both, equals, network, put, read, reset, when

Vector = tuple[int, ...]


def reachable(made: Network, stored: int) -> set[tuple[Vector, Vector]]:
    """The reachable discrete states; ``stored`` is how many zones they need."""
    search = ZoneSearch(made, ())
    outcome = search.run()
    assert isinstance(outcome, Exhausted)
    states = set(search.states())
    oracle = twin.explore(made, ())
    assert states == {state for chain in oracle.stored.values() for state in chain}
    assert outcome.statistics.stored == stored == len(states)
    return {state.discrete for state in states}


def locations(made: Network, stored: int) -> set[Vector]:
    return {vector for vector, _ in reachable(made, stored)}


def two_steps(sync: tuple[int, str] | None = None, committed: bool = False) -> Draft:
    """Two locations, the first of them committed or not, and an edge."""
    draft = Draft()
    draft.location("first", committed=committed)
    draft.location("second")
    draft.edge(0, 1, sync=sync)
    return draft


def test_internal_edges_interleave() -> None:
    assert locations(network([two_steps(), two_steps()]), 4) == {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_binary_synchronisation_needs_both() -> None:
    channel = [Channel("c")]
    assert locations(network([two_steps((0, "!")), two_steps((0, "?"))], channels=channel), 2) == {(0, 0), (1, 1)}
    assert locations(network([two_steps((0, "!")), two_steps((0, "!"))], channels=channel), 1) == {(0, 0)}
    three = network([two_steps((0, "!")), two_steps((0, "?")), two_steps((0, "?"))], channels=channel)
    assert locations(three, 3) == {(0, 0, 0), (1, 1, 0), (1, 0, 1)}


def test_broadcast_takes_all_who_can_and_never_waits() -> None:
    channel = [Channel("c", broadcast=True)]
    assert locations(network([two_steps((0, "!"))], channels=channel), 2) == {(0,), (1,)}
    drafts = [two_steps((0, "!")), two_steps((0, "?")), two_steps((0, "?"))]
    assert locations(network(drafts, channels=channel), 2) == {(0, 0, 0), (1, 1, 1)}
    # A receiver with two edges chooses one; one whose guard fails stays out.
    choosing, absent = two_steps((0, "?")), Draft()
    choosing.location("third")
    choosing.edge(0, 2, sync=(0, "?"))
    absent.location("first")
    absent.location("second")
    absent.edge(0, 1, when(equals(0, 1)), sync=(0, "?"))
    made = network([two_steps((0, "!")), choosing, absent], [NetworkVariable("v", 0, 1, 0)], channels=channel)
    assert locations(made, 3) == {(0, 0, 0), (1, 1, 0), (1, 2, 0)}


def test_updates_of_the_sender_come_first() -> None:
    sender, receiver = Draft(), Draft()
    for draft in (sender, receiver):
        draft.location("first")
        draft.location("second")
    receiver.edge(0, 1, sync=(0, "?"), updates=[put(1, Binary("*", read(0), Constant(2)))])
    sender.edge(0, 1, sync=(0, "!"), updates=[put(0, 3)])
    variables = [NetworkVariable("a", 0, 9, 1), NetworkVariable("b", 0, 9, 0)]
    made = network([receiver, sender], variables, channels=[Channel("c")])
    assert reachable(made, 2) == {((0, 0), (1, 0)), ((1, 1), (3, 6))}


def test_committed_locations_go_first() -> None:
    assert locations(network([two_steps(committed=True), two_steps()]), 3) == {(0, 0), (1, 0), (1, 1)}
    # A process that cannot leave its committed location blocks the others.
    stuck = Draft()
    stuck.location("stuck", committed=True)
    assert locations(network([stuck, two_steps()]), 1) == {(0, 0)}
    # A synchronisation may start outside if a partner leaves a committed location.
    pair = [two_steps((0, "!")), two_steps((0, "?"), committed=True), two_steps()]
    assert locations(network(pair, channels=[Channel("c")]), 3) == {(0, 0, 0), (1, 1, 0), (1, 1, 1)}


def waiting(urgent: bool = False, committed: bool = False) -> Draft:
    draft = Draft()
    draft.location("first", urgent=urgent, committed=committed)
    draft.location("second")
    draft.edge(0, 1, when(TRUE, atom(1, ">=", 1)))
    return draft


def test_no_time_passes_in_urgent_and_committed_locations() -> None:
    assert locations(network([waiting()], clocks=1), 2) == {(0,), (1,)}
    assert locations(network([waiting(urgent=True)], clocks=1), 1) == {(0,)}
    assert locations(network([waiting(committed=True)], clocks=1), 1) == {(0,)}


def test_urgent_channels_stop_time_while_they_can_fire() -> None:
    observer = waiting()
    ready = [two_steps((0, "!")), two_steps((0, "?")), observer]
    assert locations(network(ready, clocks=1, channels=[Channel("c")]), 4) == {
        (0, 0, 0),
        (0, 0, 1),
        (1, 1, 0),
        (1, 1, 1),
    }
    assert locations(network(ready, clocks=1, channels=[Channel("c", urgent=True)]), 3) == {
        (0, 0, 0),
        (1, 1, 0),
        (1, 1, 1),
    }
    alone = [two_steps((0, "!")), observer]
    assert locations(network(alone, clocks=1, channels=[Channel("c", urgent=True)]), 2) == {(0, 0), (0, 1)}
    shouting = network(alone, clocks=1, channels=[Channel("c", urgent=True, broadcast=True)])
    assert locations(shouting, 3) == {(0, 0), (1, 0), (1, 1)}


def test_invariants_hold_on_entry_and_while_time_passes() -> None:
    draft = Draft()
    draft.location("first")
    draft.location("second", when(TRUE, atom(1, "<=", 2)))
    draft.location("third")
    draft.location("fourth", when(TRUE, atom(1, ">", 2)))
    draft.edge(0, 1)
    draft.edge(1, 2, when(TRUE, atom(1, ">=", 2)))
    draft.edge(1, 3)
    # The fourth location cannot be entered: x > 2 on entry contradicts x <= 2 before it.
    assert locations(network([draft], clocks=1), 3) == {(0,), (1,), (2,)}


def test_channel_priority_blocks_at_the_same_moment_only() -> None:
    draft = Draft()
    draft.location("first")
    draft.location("low")
    draft.location("high")
    draft.edge(0, 1)
    draft.edge(0, 2, when(TRUE, atom(1, ">=", 3)), sync=(0, "!"))
    channels = [Channel("c", broadcast=True, priority=1)]
    search = ZoneSearch(network([draft], clocks=1, channels=channels), (Goal(at(0, 1), (atom(1, ">=", 3),)),))
    assert isinstance(search.run(), GoalReached)  # leaves early, waits afterwards
    late = Draft()
    late.location("first")
    late.location("low")
    late.location("high")
    late.edge(0, 1, when(TRUE, atom(1, ">=", 3)))
    late.edge(0, 2, when(TRUE, atom(1, ">=", 3)), sync=(0, "!"))
    assert locations(network([late], clocks=1, channels=channels), 2) == {(0,), (2,)}
    assert locations(network([late], clocks=1, channels=[Channel("c", broadcast=True)]), 3) == {(0,), (1,), (2,)}


def test_process_priority() -> None:
    first, second = two_steps(), two_steps()
    second.priority = 1
    assert locations(network([first, second]), 3) == {(0, 0), (0, 1), (1, 1)}


def test_a_channel_chosen_at_run_time() -> None:
    place = NetworkPlace(0, (Subscript(read(0), 0, 2, 1),))
    sender = Draft()
    sender.location("first")
    sender.location("second")
    sender.edge(0, 0, when(equals(0, 0)), updates=[put(0, 1)])
    sender.edge(0, 1, sync=(place, "!"))
    made = network(
        [sender, two_steps((0, "?")), two_steps((1, "?"))],
        [NetworkVariable("v", 0, 1, 0)],
        channels=[Channel("c[0]"), Channel("c[1]")],
    )
    assert reachable(made, 4) == {
        ((0, 0, 0), (0,)),
        ((0, 0, 0), (1,)),
        ((1, 1, 0), (0,)),
        ((1, 0, 1), (1,)),
    }


def test_clock_bounds_may_be_variables() -> None:
    draft = Draft()
    draft.location("first")
    draft.location("second", when(TRUE, atom(1, "<=", read(0))))
    draft.location("third")
    draft.edge(0, 1, updates=[put(0, 2)])
    draft.edge(1, 2, when(TRUE, atom(1, ">=", Binary("+", read(0), Constant(1)))))
    assert locations(network([draft], [NetworkVariable("limit", 0, 5, 5)], 1), 2) == {(0,), (1,)}


def test_a_clock_nobody_reads_is_not_told_apart() -> None:
    draft = Draft()
    draft.location("loop")
    draft.edge(0, 0, when(TRUE, atom(1, ">=", 1)), updates=[reset(1)])
    draft.edge(0, 0, updates=[reset(2)])
    assert locations(network([draft], clocks=2), 1) == {(0,)}


def ping() -> Draft:
    """Time passes in steps of one; y is tested against x, so their difference must not be forgotten."""
    draft = Draft()
    draft.location("loop", when(TRUE, atom(1, "<=", 1)))
    draft.location("end")
    draft.edge(0, 0, when(TRUE, atom(1, "==", 1)), updates=[reset(1)])
    draft.edge(0, 1, when(TRUE, atom(2, "==", 3, 1)))
    return draft


def test_clock_differences_are_kept_apart() -> None:
    made = network([ping()], clocks=2)
    assert locations(made, 6) == {(0,), (1,)}  # y - x is 0, 1, 2, 3 or more than 3 in the loop, then the end
    with pytest.raises(Unsupported):
        wide = Draft()
        wide.location("first")
        wide.location("second")
        wide.edge(0, 1, when(TRUE, atom(2, "<", read(0), 1)), updates=[put(0, Binary("+", read(0), Constant(1)))])
        compile_network(network([wide], [NetworkVariable("n", 0, 1000, 0)], 2), ())


def test_extrapolation_without_splitting_would_be_wrong_here() -> None:
    """Bouyer's automaton (2004, Figure 3, in spirit): where zones are not split, the last location seems reachable."""
    x1, x2, x3, x4 = 1, 2, 3, 4
    draft = Draft()
    for index in range(9):
        draft.location(f"q{index}")
    draft.edge(0, 1, when(TRUE, atom(x3, "<=", 3)), updates=[reset(x1), reset(x3)])
    draft.edge(1, 2, when(TRUE, atom(x2, "==", 3)), updates=[reset(x2)])
    draft.edge(2, 3, when(TRUE, atom(x1, "==", 2)), updates=[reset(x1)])
    draft.edge(3, 4, when(TRUE, atom(x2, "==", 2)), updates=[reset(x2)])
    draft.edge(4, 3, when(TRUE, atom(x1, "==", 2)), updates=[reset(x1)])
    draft.edge(4, 5, when(TRUE, atom(x1, "==", 2)), updates=[reset(x1)])
    draft.edge(5, 6, when(TRUE, atom(x2, "==", 2)), updates=[reset(x2)])
    draft.edge(6, 7, when(TRUE, atom(x1, "==", 3)), updates=[reset(x1)])
    draft.edge(7, 8, when(TRUE, atom(x2, ">", 2, x1), atom(x4, "<", 2, x3)))
    made, error = network([draft], clocks=4), (Goal(at(0, 8)),)
    assert isinstance(ZoneSearch(made, error).run(), Exhausted)
    assert twin.explore(made, error).goal is None
    unsplit = analyse(made, error, Ranges(made, error))
    for facts in unsplit.locations[0]:
        facts.diagonals.clear()
    assert twin.explore(made, error, unsplit).goal is not None


def test_deadlock_is_exact() -> None:
    draft = Draft()
    draft.location("first", when(TRUE, atom(1, "<=", 5)))
    draft.location("second", when(TRUE, atom(1, "<=", 5)))
    draft.edge(0, 1)
    draft.edge(1, 0, when(TRUE, atom(1, "<", 3)), updates=[reset(1)])
    made = network([draft], clocks=1)
    stuck = ZoneSearch(made, (Goal(TRUE, deadlock=True),)).run()
    assert isinstance(stuck, GoalReached) and len(stuck.trace) == 1
    assert isinstance(ZoneSearch(made, (Goal(at(0, 1), (atom(1, "<", 3),), True),)).run(), Exhausted)
    assert isinstance(ZoneSearch(made, (Goal(at(0, 1), (atom(1, ">=", 3),), False),)).run(), Exhausted)
    assert isinstance(ZoneSearch(made, (Goal(at(0, 1), (atom(1, "<", 3),), False),)).run(), GoalReached)


@pytest.mark.parametrize(
    ("updates", "fault"),
    [
        ([put(0, Binary("+", read(0), Constant(9)))], "range"),
        ([put(0, Binary("/", Constant(1), read(0)))], "division"),
        ([put(0, Binary("<<", Constant(1), Constant(-1)))], "shift"),
        ([put(0, Binary("*", Constant(65536), Constant(65536)))], "overflow"),
        ([Reset(NetworkPlace(1), Binary("-", read(0), Constant(1)))], "negative clock"),
        ([Reset(NetworkPlace(1, (Subscript(Constant(2), 0, 2, 1),)), Constant(0))], "index"),
    ],
)
def test_model_errors_end_the_search_with_a_trace(updates: Iterable[object], fault: str) -> None:
    draft = two_steps()
    draft.location("third")
    draft.edge(1, 2, updates=updates)  # type: ignore[arg-type]
    made = network([draft], [NetworkVariable("v", 0, 5, 0)], 2)
    outcome = ZoneSearch(made, ()).run()
    assert isinstance(outcome, Failed)
    assert outcome.fault == fault
    assert [edges[0].index for edges in outcome.trace] == [0, 1]


def test_there_may_be_no_initial_state() -> None:
    draft = Draft()
    draft.location("first", when(TRUE, atom(1, "<", 0)))
    outcome = ZoneSearch(network([draft], clocks=1), ()).run()
    assert isinstance(outcome, Failed) and outcome.fault == "no initial state" and outcome.trace == ()


def test_bounds_are_local_and_stop_at_resets() -> None:
    draft = Draft()
    draft.location("first")
    draft.location("second")
    draft.edge(0, 1, updates=[reset(1)])
    draft.edge(1, 1, when(TRUE, atom(1, ">=", 7), atom(2, "<", 4)))
    bounds = compile_network(network([draft], clocks=2), ()).bounds
    first, second = bounds.locations[0]
    assert first.rows == [(2, NO_BOUND, 4)]
    assert second.rows == [(1, 7, NO_BOUND), (2, NO_BOUND, 4)]


def test_bounds_take_the_largest_value_that_a_variable_can_have() -> None:
    draft = Draft()
    draft.location("only", when(TRUE, atom(2, "<=", read(0))))
    draft.edge(0, 0, when(TRUE, atom(1, ">=", read(0))), updates=[put(0, 3)])
    draft.edge(0, 0, when(TRUE, atom(0, "<=", Binary("-", Constant(0), read(0)), 1)), updates=[put(0, 1)])
    bounds = compile_network(network([draft], [NetworkVariable("v", -100, 100, 2)], 2), ()).bounds
    assert bounds.locations[0][0].rows == [(1, 3, NO_BOUND), (2, NO_BOUND, 3)]


def test_unwritten_variables_take_no_room() -> None:
    draft = two_steps()
    many = [NetworkVariable(f"k{k}", -32768, 32767, k) for k in range(100)]
    assert compile_network(network([draft], many), ()).model.words == 1


def test_constants_beyond_the_kernel_are_refused() -> None:
    draft = Draft()
    draft.location("first", when(TRUE, atom(1, "<", 1 << 30)))
    with pytest.raises(Unsupported, match="too large"):
        compile_network(network([draft], clocks=1), ())


def test_goals_may_ask_about_clocks() -> None:
    made = network([two_steps()], clocks=1)
    assert isinstance(ZoneSearch(made, (Goal(both(at(0, 1)), (atom(1, "==", 0),)),)).run(), GoalReached)
    bounded = Draft()
    bounded.location("only", when(TRUE, atom(1, "<=", 3)))
    held = network([bounded], clocks=2)
    assert isinstance(ZoneSearch(held, (Goal(TRUE, (atom(2, ">", 3),)),)).run(), Exhausted)
    assert isinstance(ZoneSearch(held, (Goal(TRUE, (atom(2, ">", 2),)),)).run(), GoalReached)
