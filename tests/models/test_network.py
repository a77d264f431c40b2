"""The semantics of networks, rule by rule: one small model each, with what it must do worked out by hand.

The models are timed by integers and closed, so integer delays reach every discrete state; ``explore`` cuts clocks off
above the largest constant.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from argosy.certify.timed_replay import ReplayError, TimedStep, replay, replay_error
from argosy.frontends.uppaal import read
from argosy.frontends.uppaal.lexer import PlacedText
from argosy.models.network import Network
from argosy.models.network_evaluation import ModelError
from argosy.models.network_queries import Query
from argosy.models.network_semantics import Action, ImpossibleStep, Interval, NetworkState, Semantics

ONE = Fraction(1)


def network(text: str) -> Network:
    return read("m.xta", text.encode())[0]


def names(semantics: Semantics, state: NetworkState) -> str:
    processes = semantics.network.processes
    return " ".join(p.locations[at].name for p, at in zip(processes, state.locations, strict=True))


def explore(text: str, ceiling: int = 0) -> set[str]:
    """Locations and variables of all reachable states, as ``"A B / 0 1"``."""
    semantics = Semantics(network(text))
    hidden = [variable.meta for variable in semantics.network.variables]
    start = semantics.initial()
    seen, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        following = [semantics.fire(state, action) for action in semantics.enabled(state)]
        if ceiling and ONE in semantics.delays(state):
            later = semantics.delay(state, ONE)
            clocks = (Fraction(0), *(min(c, Fraction(ceiling + 1)) for c in later.clocks[1:]))
            following.append(NetworkState(later.locations, later.values, clocks))
        for successor in following:
            if successor not in seen:
                seen.add(successor)
                waiting.append(successor)
    found = set()
    for state in seen:
        shown = [str(value) for value, meta in zip(state.values, hidden, strict=True) if not meta]
        found.add(names(semantics, state) + (" / " + " ".join(shown) if shown else ""))
    return found


def enabled(text: str) -> list[str]:
    """The actions of the initial state, as the locations they lead to."""
    semantics = Semantics(network(text))
    state = semantics.initial()
    return [names(semantics, semantics.fire(state, action)) for action in semantics.enabled(state)]


def may_delay(text: str) -> bool:
    semantics = Semantics(network(text))
    return semantics.may_delay(semantics.initial())


def process(name: str, edges: str, states: str = "A, B", flags: str = "", init: str = "A") -> str:
    return f"process {name}() {{ state {states}; {flags} init {init}; trans {edges}; }}\n"


# Interleaving and synchronisation


def test_independent_processes_interleave() -> None:
    text = process("P", "A -> B { }") + process("Q", "A -> B { }") + "system P, Q;"
    assert explore(text) == {"A A", "A B", "B A", "B B"}


def test_binary_synchronisation_needs_two_different_processes() -> None:
    sender, receiver = process("P", "A -> B { sync c!; }"), process("Q", "A -> B { sync c?; }")
    assert enabled("chan c; " + sender + "system P;") == []
    assert enabled("chan c; " + sender + receiver + "system P, Q;") == ["B B"]
    assert enabled("chan c; " + process("P", "A -> B { sync c!; }, A -> B { sync c?; }") + "system P;") == []


def test_binary_synchronisation_takes_one_receiver() -> None:
    text = "chan c; " + process("P", "A -> B { sync c!; }") + process("Q", "A -> B { sync c?; }")
    text += "R = Q(); system P, Q, R;"
    assert sorted(enabled(text)) == ["B A B", "B B A"]
    assert explore(text) == {"A A A", "B A B", "B B A"}


def test_channels_of_an_array_are_different_and_may_be_computed() -> None:
    text = "chan c[3]; int[0,2] i = 2; " + process("P", "A -> B { sync c[i]!; }")
    text += "process Q(int[0,2] k) { state A, B; init A; trans A -> B { sync c[k]?; }; } system P, Q;"
    assert enabled(text) == ["B A A B"]


def test_sender_updates_before_receiver() -> None:
    text = "chan c; int x, y; " + process("P", "A -> B { sync c?; assign y = x; }")
    text += process("Q", "A -> B { sync c!; assign x = 7; }") + "system P, Q;"
    assert explore(text) == {"A A / 0 0", "B B / 7 7"}


def test_guards_are_evaluated_before_updates() -> None:
    text = "chan c; int x; " + process("P", "A -> B { guard x == 0; sync c?; }")
    text += process("Q", "A -> B { sync c!; assign x = 1; }") + "system P, Q;"
    assert explore(text) == {"A A / 0", "B B / 1"}


# Broadcast


def test_broadcast_takes_every_receiver_that_is_ready() -> None:
    text = "broadcast chan c; int x = 1; " + process("P", "A -> B { sync c!; }")
    text += process("Q", "A -> B { guard x == 1; sync c?; }") + process("R", "A -> B { guard x == 2; sync c?; }")
    assert enabled(text + "system P, Q, R;") == ["B B A"]
    assert enabled(text + "system P, R;") == ["B A"]
    assert enabled(text + "system Q, R;") == []


def test_broadcast_with_a_choice_of_receiving_edges() -> None:
    text = "broadcast chan c; " + process("P", "A -> B { sync c!; }")
    text += process("Q", "A -> B { sync c?; }, A -> C { sync c?; }", "A, B, C") + "R = Q(); system P, Q, R;"
    assert sorted(enabled(text)) == ["B B B", "B B C", "B C B", "B C C"]


def test_broadcast_updates_follow_the_system_line() -> None:
    text = "broadcast chan c; int x; " + process("P", "A -> B { sync c!; assign x = x * 10 + 1; }")
    text += process("Q", "A -> B { sync c?; assign x = x * 10 + 2; }")
    text += process("R", "A -> B { sync c?; assign x = x * 10 + 3; }")
    assert explore(text + "system Q, R, P;") == {"A A A / 0", "B B B / 123"}
    assert explore(text + "system R, P, Q;") == {"A A A / 0", "B B B / 132"}


def test_a_broadcast_is_not_possible_without_a_ready_receiver_whose_target_does_not_exist() -> None:
    text = "broadcast chan c; int x; " + process("P", "A -> B { sync c!; }")
    text += process("Q", "A -> B { sync c?; }", "A, B { x == 1 }") + "system P, Q;"
    assert enabled(text) == []


def test_receivers_with_clock_guards_take_part_when_these_hold() -> None:
    text = "broadcast chan c; clock x; " + process("P", "A -> B { sync c!; }")
    text += process("Q", "A -> B { guard x >= 2; sync c?; }") + "system P, Q;"
    assert enabled(text) == ["B A"]
    assert explore(text, 3) == {"A A", "B A", "B B"}
    semantics = Semantics(network(text))
    late = semantics.delay(semantics.initial(), Fraction(2))
    assert [names(semantics, semantics.fire(late, a)) for a in semantics.enabled(late)] == ["B B"]


def test_receivers_with_several_clock_guards() -> None:
    text = "broadcast chan c; clock x; int i; " + process("P", "A -> B { sync c!; }")
    text += process("Q", "A -> B { guard x == 2; sync c?; }, A -> C { guard i == 0 && x >= 2 && x <= 3; sync c?; }",
                    "A, B, C") + "system P, Q;"  # fmt: skip
    semantics = Semantics(network(text))
    found = []
    for half in range(9):
        state = semantics.delay(semantics.initial(), Fraction(half, 2))
        found.append(sorted({names(semantics, semantics.fire(state, a)) for a in semantics.enabled(state)}))
    idle, both, one = ["B A"], ["B B", "B C"], ["B C"]
    assert found == [idle, idle, idle, idle, both, one, one, idle, idle]


# Invariants, guards and delay


def test_invariants_bound_delay_and_guards_bound_actions() -> None:
    text = "process P() { clock x; state A { x <= 3 }, B; init A; trans A -> B { guard x >= 2; }; } system P;"
    semantics = Semantics(network(text))
    start = semantics.initial()
    assert semantics.delays(start) == Interval(Fraction(0), False, Fraction(3), False)
    assert [window for _, window in semantics.windows(start)] == [Interval(Fraction(2), False, Fraction(3), False)]
    assert semantics.enabled(start) == ()
    assert len(semantics.enabled(semantics.delay(start, Fraction(5, 2)))) == 1
    with pytest.raises(ImpossibleStep, match="invariant"):
        semantics.delay(start, Fraction(7, 2))
    with pytest.raises(ImpossibleStep, match="negative"):
        semantics.delay(start, Fraction(-1))


def test_strict_bounds() -> None:
    text = "process P() { clock x; state A { x < 3 }, B; init A; trans A -> B { guard x > 2; }; } system P;"
    semantics = Semantics(network(text))
    ((_, window),) = semantics.windows(semantics.initial())
    assert (Fraction(2) in window, Fraction(201, 100) in window, Fraction(3) in window) == (False, True, False)
    assert enabled(text.replace("x < 3", "x < 3 && x > 0").replace("init A", "init B")) == []


def test_differences_do_not_change_under_delay() -> None:
    text = "clock x, y; process P() { state A { x <= 2 }, B, C; init A; trans A -> B { guard x == 2; assign y = 0; },"
    text += " B -> C { guard x - y >= 2 && x - y <= 2; }, B -> A { guard x - y > 2; }; } system P;"
    assert explore(text, 4) == {"A", "B", "C"}
    semantics = Semantics(network(text))
    state = semantics.delay(semantics.initial(), Fraction(2))
    state = semantics.fire(state, semantics.enabled(state)[0])
    ((action, window),) = semantics.windows(state)
    assert action.edges[0].target == 2
    assert window == Interval()


def test_invariants_of_the_target_after_the_update() -> None:
    inner = "clock x; state A, B { x <= 0 }; init A; trans A -> B { UPDATE };"
    reset = "process P() { " + inner.replace("UPDATE", "assign x = 0;") + " } system P;"
    plain = "process P() { " + inner.replace("UPDATE", "") + " } system P;"
    for text, late in ((reset, 1), (plain, 0)):
        semantics = Semantics(network(text))
        state = semantics.delay(semantics.initial(), ONE)
        assert len(semantics.enabled(state)) == late


def test_invariants_of_all_processes_must_hold_after_an_action() -> None:
    text = "int v; " + process("P", "A -> B { assign v = 1; }") + process("Q", "A -> B { }", "A { v == 0 }, B")
    assert explore(text + "system P, Q;") == {"A A / 0", "A B / 0", "B B / 1"}


def test_an_invariant_under_a_condition() -> None:
    text = "int i; clock x; " + process("P", "A -> A { guard i == 0; assign i = 1; }", "A { i == 1 imply x <= 2 }")
    assert max_delay(text + "system P;") is None
    assert max_delay(text.replace("int i;", "int i = 1;") + "system P;") == 2


def max_delay(text: str) -> Fraction | None:
    semantics = Semantics(network(text))
    return semantics.delays(semantics.initial()).high


def test_a_violated_initial_invariant_is_a_model_error() -> None:
    for text in ("state A { v == 1 }; init A;", "clock x; state A { x >= 1 }; init A;"):
        with pytest.raises(ModelError, match=r"invariant of P\.A"):
            Semantics(network("int v; process P() { " + text + " } system P;")).initial()


def test_clock_arrays_with_computed_indices() -> None:
    text = "clock x[2]; int[0,1] i; process P() { state A { x[i] <= 2 }, B; init A; "
    text += "trans A -> B { guard x[1 - i] >= 1; assign i = 1, x[i] = 0; }; } system P;"
    semantics = Semantics(network(text))
    state = semantics.delay(semantics.initial(), ONE)
    state = semantics.fire(state, semantics.enabled(state)[0])
    assert list(state.clocks) == [0, 1, 0]


# Urgency


def test_urgent_and_committed_locations_stop_time() -> None:
    text = process("P", "A -> B { }", flags="FLAG") + "system P;"
    assert may_delay(text.replace("FLAG", ""))
    assert not may_delay(text.replace("FLAG", "urgent A;"))
    assert not may_delay(text.replace("FLAG", "commit A;"))


def test_urgent_channels_stop_time_when_both_sides_are_ready() -> None:
    text = "urgent chan c; int x; " + process("P", "A -> B { guard x == 0; sync c!; }")
    text += process("Q", "A -> B { sync c?; }", "A, B { x == 5 }")
    assert not may_delay(text + "system P, Q;")
    assert may_delay(text + "system P;")
    assert may_delay(text + "system Q;")
    assert may_delay(text.replace("int x;", "int x = 1;") + "system P, Q;")
    assert may_delay(text.replace("urgent chan", "chan") + "system P, Q;")


def test_an_urgent_broadcast_needs_only_its_sender() -> None:
    text = "urgent broadcast chan c; " + process("P", "A -> B { sync c!; }") + process("Q", "A -> B { sync c?; }")
    assert not may_delay(text + "system P;")
    assert may_delay(text + "system Q;")


def test_an_urgent_channel_of_an_array() -> None:
    text = "urgent chan c[2]; int[0,1] i; " + process("P", "A -> B { sync c[i]!; }")
    text += process("Q", "A -> B { sync c[1]?; }") + "system P, Q;"
    assert may_delay(text)
    assert not may_delay(text.replace("] i;", "] i = 1;"))


# Committed locations


def test_committed_locations_go_first() -> None:
    text = process("P", "A -> B { }, B -> C { }", "A, B, C", "commit B;") + process("Q", "A -> B { }") + "system P, Q;"
    assert explore(text) == {"A A", "A B", "B A", "B B", "C A", "C B"}
    start = text.replace("init A; trans A -> B { }, B", "init B; trans A -> B { }, B")
    assert enabled(start) == ["C A"]


def test_a_synchronisation_may_leave_a_committed_location_on_either_side() -> None:
    text = "chan c; " + process("P", "A -> B { sync c!; }") + process("Q", "A -> B { sync c?; }")
    text += process("R", "A -> B { }") + "system P, Q, R;"
    assert sorted(enabled(text)) == ["A A B", "B B A"]
    for committed in ("P", "Q"):
        flagged = text.replace(
            f"process {committed}() {{ state A, B; ", f"process {committed}() {{ state A, B; commit A;"
        )
        assert enabled(flagged) == ["B B A"]
    assert enabled(text.replace("process R() { state A, B; ", "process R() { state A, B; commit A; ")) == ["A A B"]


def test_a_broadcast_may_leave_a_committed_location_of_any_receiver() -> None:
    text = "broadcast chan c; " + process("P", "A -> B { sync c!; }") + process("Q", "A -> B { sync c?; }")
    text += process("R", "A -> B { sync c?; }", flags="commit A;") + process("S", "A -> B { }") + "system P, Q, R, S;"
    assert enabled(text) == ["B B B A"]


# Priorities


def test_channel_priorities() -> None:
    text = "chan a, b; PRIORITY " + process("P", "A -> B { sync a!; }, A -> C { sync b!; }, A -> D { }", "A, B, C, D")
    text += process("Q", "A -> B { sync a?; }, A -> B { sync b?; }") + "system P, Q;"
    assert sorted(enabled(text.replace("PRIORITY", ""))) == ["B B", "C B", "D A"]
    assert enabled(text.replace("PRIORITY", "chan priority default < a < b;")) == ["C B"]
    assert enabled(text.replace("PRIORITY", "chan priority a, b < default;")) == ["D A"]
    assert sorted(enabled(text.replace("PRIORITY", "chan priority default < a, b;"))) == ["B B", "C B"]
    assert sorted(enabled(text.replace("PRIORITY", "chan priority a < default;"))) == ["C B", "D A"]


def test_process_priorities() -> None:
    text = process("P", "A -> B { }") + process("Q", "A -> B { }")
    assert sorted(enabled(text + "system P, Q;")) == ["A B", "B A"]
    assert enabled(text + "system P < Q;") == ["A B"]
    assert enabled(text + "system Q < P;") == ["A B"]


def test_a_synchronisation_has_the_highest_priority_of_its_processes() -> None:
    text = "chan c; " + process("P", "A -> B { sync c!; }") + process("Q", "A -> B { sync c?; }")
    text += process("R", "A -> B { }") + "system P < R < Q;"
    assert enabled(text) == ["B A B"]


def test_channels_come_before_processes() -> None:
    text = "chan c; chan priority c < default; " + process("P", "A -> B { sync c!; }")
    text += process("Q", "A -> B { sync c?; }") + process("R", "A -> B { }") + "system R < P, Q;"
    assert enabled(text) == ["B A A"]


def test_an_action_without_a_target_state_blocks_nothing() -> None:
    text = "int v; " + process("P", "A -> B { }") + process("Q", "A -> B { }", "A, B { v == 1 }") + "system P < Q;"
    assert enabled(text) == ["B A"]


def test_priorities_hold_at_each_point_of_time() -> None:
    text = "clock x; " + process("P", "A -> B { }") + process("Q", "A -> B { guard x >= 2; }") + "system P < Q;"
    assert enabled(text) == ["B A"]
    semantics = Semantics(network(text))
    late = semantics.delay(semantics.initial(), Fraction(2))
    assert [names(semantics, semantics.fire(late, a)) for a in semantics.enabled(late)] == ["A B"]


# Selections, meta variables, errors, deadlock


def test_selections_are_choices() -> None:
    text = "int v; " + process("P", "A -> B { select i : int[1,3]; guard i != 2; assign v = i; }") + "system P;"
    assert explore(text) == {"A / 0", "B / 1", "B / 3"}


def test_meta_variables_carry_values_within_a_step() -> None:
    text = "chan c; meta int m; int v; " + process("P", "A -> A { sync c!; assign m = v + 1; }", "A")
    text += process("Q", "A -> A { guard v < 3; sync c?; assign v = m; }", "A") + "system P, Q;"
    assert explore(text) == {"A A / 0", "A A / 1", "A A / 2", "A A / 3"}


@pytest.mark.parametrize(
    "edge",
    [
        "guard a[i] == 0;",
        "sync c[i]!;",
        "assign v = 9;",
        "guard 1 / (i - 5) == 0;",
    ],
)
def test_errors_surface_in_the_state_where_they_happen(edge: str) -> None:
    text = f"int a[2]; int i = 5; int[0,3] v; chan c[2]; {process('P', f'A -> B {{ {edge} }}')} system P;"
    semantics = Semantics(network(text))
    with pytest.raises(ModelError) as error:
        semantics.enabled(semantics.initial())
    assert error.value.position.line == 1
    assert error.value.position.column > 1


def test_a_guard_is_not_evaluated_elsewhere() -> None:
    text = "int a[2]; int i = 5; " + process("P", "B -> A { guard a[i] == 0; }") + "system P;"
    assert enabled(text) == []
    assert enabled(text.replace("B -> A { guard", "A -> B { guard false &&")) == []


def test_deadlock_looks_at_all_permitted_delays() -> None:
    text = "process P() { clock x; state A { INVARIANT }, B; init A; trans A -> B { guard x >= 2; }; } system P;"
    for invariant, expected in (("x <= 5", False), ("x <= 1", True), ("x < 2", True), ("x <= 2", False)):
        semantics = Semantics(network(text.replace("INVARIANT", invariant)))
        assert semantics.deadlocked(semantics.initial()) is expected
    urgent = text.replace("INVARIANT", "x <= 5").replace("init A", "urgent A; init A")
    assert Semantics(network(urgent)).deadlocked(Semantics(network(urgent)).initial())


def test_deadlock_counts_target_invariants() -> None:
    text = "process P() { clock x, y; state A, B { y <= 1 }; init A; trans A -> B { guard x >= 2; UPDATE }; } system P;"
    for update, expected in (("", True), ("assign y = 0;", False), ("assign y = 3;", True)):
        semantics = Semantics(network(text.replace("UPDATE", update)))
        assert semantics.deadlocked(semantics.initial()) is expected


# Fischer's protocol: mutual exclusion with the right constants, none with the wrong ones.


@pytest.mark.parametrize(("wait", "reachable"), [(">= 2", False), (">= 1", True)])
def test_fischer(wait: str, reachable: bool) -> None:
    text = f"""
    int[0,2] id;
    process P(const int[1,2] i) {{
        clock x;
        state A, req {{ x <= 1 }}, wait, cs;
        init A;
        trans A -> req {{ guard id == 0; assign x = 0; }},
              req -> wait {{ assign x = 0, id = i; }},
              wait -> req {{ guard id == 0; assign x = 0; }},
              wait -> cs {{ guard x {wait} && id == i; }},
              cs -> A {{ assign id = 0; }};
    }}
    system P;"""
    assert any(state.startswith("cs cs") for state in explore(text, 2)) is reachable


# Replay

TRAIN = """
urgent chan go; int[0,1] done;
process P() { clock x; state A { x <= 3 }, B { x <= 1 }, C; init A;
    trans A -> B { guard x > 2; assign x = 0; }, B -> C { sync go!; assign done = 1; }; }
process Q() { state S, T; init S; trans S -> T { sync go?; }; }
system P, Q;"""


def steps(model: Network, *parts: tuple[str, tuple[tuple[int, int], ...]]) -> list[TimedStep]:
    return [TimedStep(Fraction(d), tuple(model.processes[p].edges[e] for p, e in edges)) for d, edges in parts]


def test_replay_gives_states_with_time_stamps() -> None:
    model, (query,) = read("m.xta", TRAIN.encode(), PlacedText("q", "E<> P.C and done == 1 and P.x <= 0"))
    assert isinstance(query, Query)
    run = replay(model, steps(model, ("5/2", ((0, 0),)), ("0", ((0, 1), (1, 0)))), query.target)
    assert [moment.time for moment in run] == [0, Fraction(5, 2), Fraction(5, 2), Fraction(5, 2)]
    assert run[-1].action == Action((model.processes[0].edges[1], model.processes[1].edges[0]), 0)
    assert run[-1].state.locations == (2, 1)


@pytest.mark.parametrize(
    ("parts", "step", "reason"),
    [
        ([("2", ((0, 0),))], 0, "guard"),
        ([("4", ((0, 0),))], 0, "invariant"),
        ([("5/2", ((0, 1),))], 0, "not in B"),
        ([("5/2", ((0, 0),)), ("1/2", ((0, 1), (1, 0)))], 1, "time may not pass"),
        ([("5/2", ((0, 0),)), ("0", ((0, 1),))], 1, "do not make an action"),
        ([("5/2", ((0, 0),)), ("0", ((1, 0), (0, 1)))], 1, "do not make an action"),
        ([("5/2", ((0, 0),))], 1, "target"),
    ],
)
def test_replay_refuses_what_is_no_run(parts: list, step: int, reason: str) -> None:  # type: ignore[type-arg]
    model, (query,) = read("m.xta", TRAIN.encode(), PlacedText("q", "E<> P.C"))
    assert isinstance(query, Query)
    with pytest.raises(ReplayError, match=reason) as error:
        replay(model, steps(model, *parts), query.target)
    assert error.value.step == step


def test_replay_of_a_model_error() -> None:
    model = network(TRAIN.replace("done = 1", "done = 2"))
    trace = steps(model, ("5/2", ((0, 0),)), ("0", ((0, 1), (1, 0))))
    assert "outside the range" in replay_error(model, trace).what
    assert "outside the range" in replay_error(model, trace[:1]).what
    sound = network(TRAIN)
    with pytest.raises(ReplayError, match="does not end in a model error"):
        replay_error(sound, steps(sound, ("5/2", ((0, 0),)), ("0", ((0, 1), (1, 0)))))
