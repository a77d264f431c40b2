"""Projections by hand: each rule of the semantics that a dropped condition would make stricter."""

from __future__ import annotations

from argosy.directed.abstraction import Predicates
from argosy.directed.backwards import space
from argosy.directed.conditions import Dependencies, Items, StateItem, targets
from argosy.directed.parts import ConditionReader, part_of, target_in
from argosy.directed.projection import Projection, everything
from argosy.directed.splitting import Interactions
from argosy.kernel.search import GoalReached, ZoneSearch
from argosy.models.network import Channel, Network, NetworkVariable
from argosy.models.network_expressions import TRUE, Binary, Constant, Expression, NetworkPlace, Subscript
from argosy.models.network_queries import Goal
from tests.kernel.networks import Draft, at, atom, both, equals, network, put, read, reset, when


def process(index: int) -> StateItem:
    return StateItem("process", index)


def variable(index: int) -> StateItem:
    return StateItem("variable", index)


def depth(made: Network, goals: tuple[Goal, ...]) -> int | None:
    found = ZoneSearch(made, goals, shortest=True).run()
    return len(found.trace) if isinstance(found, GoalReached) else None


def depths(made: Network, condition: Expression, dropped: Items | set[StateItem]) -> tuple[int | None, int | None]:
    """Of the goal in the network, and in the projection."""
    goal = Goal(condition)
    projection = Projection(Dependencies(made), everything(made) - dropped)
    return depth(made, (goal,)), depth(projection.network(), projection.goals(targets([goal])))


def test_a_value_from_something_left_out_may_be_any() -> None:
    reader, writer = Draft(), Draft()
    here, there = reader.location("here"), reader.location("there")
    reader.edge(here, here, updates=[put(1, read(0))])
    reader.edge(here, there, when(equals(1, 2)))
    loop = writer.location("loop")
    writer.edge(loop, loop, updates=[put(0, 2)])
    made = network([reader, writer], [NetworkVariable("source", 0, 2, 0), NetworkVariable("copy", 0, 2, 0)])
    assert depths(made, at(0, 1), {variable(0)}) == (3, 2)
    # Without the copy nothing is left to wait for.
    assert depths(made, at(0, 1), {variable(0), variable(1)}) == (3, 1)


def test_what_cannot_be_chosen_freely_goes_as_well() -> None:
    draft = Draft()
    draft.edge(draft.location("here"), 0, updates=[put(1, read(0))])
    made = network([draft], [NetworkVariable("source", 0, 100, 0), NetworkVariable("copy", 0, 100, 0)])
    projection = Projection(Dependencies(made), everything(made) - {variable(0)})
    assert variable(1) not in projection.kept


def test_a_channel_is_not_urgent_because_of_a_dropped_guard() -> None:
    sender, receiver, timer = Draft(), Draft(), Draft()
    sender.edge(sender.location("here"), 0, when(equals(0, 1)), (0, "!"))
    receiver.location("here")
    receiver.location("there")
    receiver.edge(0, 1, sync=(0, "?"))
    here, late = timer.location("here"), timer.location("late")
    timer.edge(here, late, when(TRUE, atom(1, ">=", 1)))
    made = network([sender, receiver, timer], [NetworkVariable("ready", 0, 1, 0)], 1, [Channel("hurry", urgent=True)])
    assert depths(made, both(at(1, 0), at(2, 1)), {variable(0)}) == (1, 1)


def committed() -> Network:
    """One process waits in a committed location for ever; another one, committed too, takes a third one along."""
    waiting, leading, led = Draft(), Draft(), Draft()
    waiting.location("waiting", committed=True)
    leading.location("start", committed=True)
    leading.location("end")
    leading.edge(0, 1, sync=(0, "!"))
    led.location("start")
    led.location("end")
    led.edge(0, 1, sync=(0, "?"))
    return network([waiting, leading, led], channels=[Channel("come")])


def test_someone_left_out_may_be_the_committed_one() -> None:
    assert depths(committed(), both(at(0, 0), at(2, 1)), {process(1)}) == (1, 1)


def test_someone_outside_a_part_may_be_the_committed_one() -> None:
    made = committed()
    dependencies = Dependencies(made)
    reader, interactions = ConditionReader(dependencies), Interactions(dependencies)
    part = part_of(reader, interactions, (0, 2))
    (target,) = targets([Goal(both(at(0, 0), at(2, 1)))])
    goal = target_in(part, reader, interactions, target)
    assert goal is not None
    found = space(part, reader, Predicates(part, reader, []), goal)
    assert {state.locations: distance for state, distance in found.distances.items()} == {(0, 1): 0, (0, 0): 1}


def test_a_receiver_whose_guard_is_dropped_need_not_take_part() -> None:
    sender, receiver = Draft(), Draft()
    sender.location("here")
    sender.location("sent")
    sender.edge(0, 1, sync=(0, "!"))
    receiver.location("free")
    receiver.location("caught")
    receiver.edge(0, 1, when(equals(0, 1)), (0, "?"))
    made = network([sender, receiver], [NetworkVariable("listens", 0, 1, 0)], channels=[Channel("all", broadcast=True)])
    assert depths(made, both(at(0, 1), at(1, 0)), {variable(0)}) == (1, 1)


def test_a_process_left_out_is_always_ready() -> None:
    first, second = Draft(), Draft()
    first.location("here")
    first.location("there")
    first.edge(0, 1, sync=(0, "?"))
    for name in ("a", "b", "c"):
        second.location(name)
    second.edge(0, 1)
    second.edge(1, 2, sync=(0, "!"))
    made = network([first, second], channels=[Channel("go")])
    assert depths(made, at(0, 1), {process(1)}) == (2, 1)


def test_a_channel_chosen_by_something_left_out_may_be_any() -> None:
    first, second = Draft(), Draft()
    first.location("here")
    first.location("there")
    first.edge(0, 1, sync=(1, "?"))
    place = NetworkPlace(0, (Subscript(read(0), 0, 2, 1),))
    second.edge(second.location("here"), 0, sync=(place, "!"))
    second.edge(0, 0, updates=[put(0, 1)])
    made = network([first, second], [NetworkVariable("which", 0, 1, 0)], channels=[Channel("c0"), Channel("c1")])
    assert depths(made, at(0, 1), {variable(0)}) == (2, 1)


def test_a_range_that_a_dropped_guard_kept() -> None:
    draft = Draft()
    draft.location("here")
    draft.location("done")
    below = Binary("<", read(1), Constant(1))
    draft.edge(0, 0, when(below), updates=[put(0, Binary("+", read(0), Constant(1))), put(1, 1)])
    draft.edge(0, 1, when(equals(0, 1)))
    made = network([draft], [NetworkVariable("n", 0, 1, 0), NetworkVariable("once", 0, 1, 0)])
    assert depths(made, at(0, 1), {variable(1)}) == (2, 2)


def test_clocks_can_be_left_out() -> None:
    draft = Draft()
    draft.location("here", when(TRUE, atom(1, "<=", 3)))
    draft.location("there")
    draft.edge(0, 1, when(TRUE, atom(1, ">", 3)))
    draft.edge(0, 0, updates=[reset(1)])
    made = network([draft], clocks=1)
    assert depths(made, at(0, 1), {StateItem("clock", 1)}) == (None, 1)
