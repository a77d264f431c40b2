"""Symmetry reduction: what may be exchanged, worked out by hand; representatives; certificates that are refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from argosy.certify.symmetry import NotSymmetric, exchanged, proved, refuted
from argosy.certify.timed_replay import TimedStep, replay
from argosy.certify.zones import Inductive, NotInductive, certify
from argosy.frontends.uppaal.load import read_text
from argosy.kernel.certifier import NativeCertifier
from argosy.kernel.concretise import concretise
from argosy.kernel.graph import SymbolicState
from argosy.kernel.search import Exhausted, GoalReached, Order, ZoneSearch, unpermuted
from argosy.kernel.symmetry import propose
from argosy.models.network import Network
from argosy.models.network_expressions import Constant
from argosy.models.network_queries import Goal, Query, goals
from argosy.models.network_symmetry import (
    AlikeFamily,
    NeighbourExchange,
    Symmetry,
    composed,
    exchanges_of,
    image,
    inverse,
)
from tests.kernel.symmetric_compare import check, is_inductive

FISCHER = """
const int N = {n};
typedef {type} id_t;
{variables}
process P(const id_t me) {{
    clock x;
    {local}
    state idle, asking {{ x <= {bound} }}, waiting, critical;
    init idle;
    trans
        idle -> asking {{ guard {free}; assign x = 0; }},
        asking -> waiting {{ assign x = 0, {take}; }},
        waiting -> asking {{ guard {free}; assign x = 0; }},
        waiting -> critical {{ guard x > 2 && {mine}; }},
        critical -> idle {{ assign {leave}; }};
}}
system P;
"""
SCALAR = {
    "type": "scalar[N]",
    "variables": "id_t turn; bool taken;",
    "free": "!taken",
    "take": "turn = me, taken = true",
    "mine": "turn == me && taken",
    "leave": "taken = false",
}
NUMBERS = {
    "type": "int[1, N]",
    "variables": "int[0, N] turn;",
    "free": "turn == 0",
    "take": "turn = me",
    "mine": "turn == me",
    "leave": "turn = 0",
}
MUTEX = "A[] forall (i : id_t) forall (j : id_t) P(i).critical && P(j).critical imply i == j"


def fischer(
    kind: dict[str, str] = NUMBERS, query: str = MUTEX, n: int = 3, changes: dict[str, str] | None = None
) -> tuple[Network, Query]:
    text = FISCHER.format(**{"n": n, "bound": 2, "local": "", **kind, **(changes or {})})
    return asked(text, query)


def asked(text: str, query: str) -> tuple[Network, Query]:
    network, queries = read_text("model", text, query)
    assert isinstance(queries[0], Query), queries[0]
    return network, queries[0]


def found(network: Network, query: Query) -> Symmetry:
    wanted = goals(query.target)
    return proved(network, wanted, propose(network, wanted))[0]


def members(network: Network, query: Query) -> list[list[str]]:
    families = found(network, query).families
    return [[network.processes[process].name for process in family.processes[0]] for family in families]


# ---- what may be exchanged ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [SCALAR, NUMBERS])
def test_all_processes_of_fischer_are_alike(kind: dict[str, str]) -> None:
    network, query = fischer(kind)
    first = 0 if kind is SCALAR else 1
    assert members(network, query) == [[f"P({first + k})" for k in range(3)]]
    (family,) = found(network, query).families
    turn = next(n for n, v in enumerate(network.variables) if v.name == "turn")
    assert (turn, tuple(range(first, first + 3))) in family.values
    assert len(family.clocks) == 1 and len(family.processes) == 1


def test_processes_that_are_written_one_by_one_are_alike() -> None:
    text = FISCHER.format(**{"n": 3, "bound": 2, "local": "", **NUMBERS}).replace(
        "system P;", "A = P(2); B = P(1); C = P(3); system A, B, C;"
    )
    network, query = asked(text, "E<> A.critical && B.critical || B.critical && C.critical || A.critical && C.critical")
    assert members(network, query) == [["A", "B", "C"]]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (MUTEX, [["P(1)", "P(2)", "P(3)", "P(4)"]]),
        ("A[] not deadlock", [["P(1)", "P(2)", "P(3)", "P(4)"]]),
        ("E<> P(1).critical", [["P(2)", "P(3)", "P(4)"]]),
        ("E<> P(1).critical && P(2).critical", [["P(1)", "P(2)"], ["P(3)", "P(4)"]]),
        ("E<> turn == 3", [["P(1)", "P(2)", "P(4)"]]),
        ("E<> turn == 0 && P(4).x > 1", [["P(1)", "P(2)", "P(3)"]]),
        ("E<> turn > 2", []),
    ],
)
def test_a_query_may_tell_some_of_them_apart(query: str, expected: list[list[str]]) -> None:
    assert members(*fischer(query=query, n=4)) == expected


@pytest.mark.parametrize(
    "changes",
    [
        {"free": "turn < 1"},
        {"take": "turn = turn + me"},
        {"mine": "turn >= me"},
        {"bound": "me"},
        {"leave": "turn = me == 2 ? 1 : 0"},
    ],
)
def test_what_is_done_with_numbers_tells_them_apart(changes: dict[str, str]) -> None:
    assert members(*fischer(changes=changes)) == []


def test_one_bound_that_differs_leaves_the_others_alike() -> None:
    network, query = fischer(n=4, changes={"bound": "(me == 4 ? 1 : 2)"})
    assert members(network, query) == [["P(1)", "P(2)", "P(3)"]]


ARRAYS = """
typedef {type} id_t;
bool flag[id_t]; clock y[id_t]; chan go[id_t]; int[0, 3] count;
process P(const id_t me) {{
    state a, b;
    init a;
    trans
        a -> b {{ guard y[me] >= 1 && forall (i : id_t) (i == me || !flag[i]); sync go[me]?; assign flag[me] = true; }},
        b -> a {{ guard y[me] < 3; assign flag[me] = false, {update}; }};
}}
process Q() {{
    {declaration}
    state c;
    init c;
    trans c -> c {{ select i : id_t; guard {guard}; sync go[i]!; assign y[i] = 0, {effect}; }};
}}
system P, Q;
"""


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, 3),
        ({"update": "count = 0, y[me] = 0"}, 3),
        ({"guard": "(sum (j : id_t) flag[j]) < 2"}, 3),
        ({"declaration": "void f(id_t who) { flag[who] = !flag[who]; }", "effect": "f(i)"}, 3),
        ({"declaration": "id_t f(id_t who) { return who; }", "effect": "flag[f(i)] = false"}, 3),
        ({"declaration": "void f() { for (k : id_t) flag[k] = false; }", "effect": "f()"}, 0),
        ({"declaration": "id_t last;", "effect": "last = i", "guard": "i != last"}, 3),
        ({"declaration": "id_t f() { id_t who; return who; }", "effect": "flag[f()] = false"}, 2),
    ],
)
@pytest.mark.parametrize("type_", ["scalar[3]", "int[0, 2]"])
def test_what_names_may_be_used_for(type_: str, changes: dict[str, str], expected: int) -> None:
    standard = {"update": "count = 1", "declaration": "", "guard": "!flag[i]", "effect": "count = 2"}
    text = ARRAYS.format(**{**standard, **changes, "type": type_})
    network, query = asked(text, "E<> exists (i : id_t) (P(i).b && y[i] > 2)")
    assert sum(len(family) for family in members(network, query)) == expected


def test_the_order_of_receivers_matters() -> None:
    text = """
    typedef scalar[3] id_t; id_t last; broadcast chan go;
    process P(const id_t me) {{ clock x; state a, b; init a; trans a -> b {{ sync go?; assign {update}; }}; }}
    process Q() {{ state c; init c; trans c -> c {{ sync go!; }}; }}
    system P, Q;
    """
    query = "E<> exists (i : id_t) P(i).b"
    assert members(*asked(text.format(update="x = 0"), query)) == [["P(0)", "P(1)", "P(2)"]]
    network, asks = asked(text.format(update="last = me"), query)
    assert members(network, asks) == []
    reasons = proved(network, goals(asks.target), propose(network, goals(asks.target)))[1]
    assert any("receive a broadcast" in reason for reason in reasons)


def test_an_operand_that_may_fail_keeps_its_place() -> None:
    """``flag[i] / flag[j]`` is a model error or not, as the order of the conjunction has it."""
    text = """
    typedef int[0, 2] id_t; int[0, 1] flag[id_t];
    process P(const id_t me) {{ state a, b; init a; trans a -> b {{ guard {guard}; assign flag[me] = 1; }}; }}
    system P;
    """
    query = "E<> forall (i : id_t) P(i).b"
    assert members(*asked(text.format(guard="forall (i : id_t) flag[i] < 1"), query)) == [["P(0)", "P(1)", "P(2)"]]
    assert members(*asked(text.format(guard="forall (i : id_t) 1 / flag[i] < 1"), query)) == []


# ---- permutations ----------------------------------------------------------------------------------------------


def test_permutations() -> None:
    family = AlikeFamily(((0, 1, 2),), ((1, 2, 3),), (), (), ((0, (5, 6, 7)), (4, (5, 6, 7))))
    assert image(family, (1, 2, 0), (10, 11, 12), (6, 20, 21, 22, 0)) == ((12, 10, 11), (7, 22, 20, 21, 0))
    for permutation in [(0, 1, 2), (1, 2, 0), (2, 1, 0), (2, 0, 1)]:
        state: tuple[tuple[int, ...], tuple[int, ...]] = (10, 11, 12), (6, 20, 21, 22, 5)
        for first in exchanges_of(permutation):
            swapped = [0, 1, 2]
            swapped[first], swapped[first + 1] = first + 1, first
            state = image(family, tuple(swapped), *state)
        assert state == image(family, permutation, (10, 11, 12), (6, 20, 21, 22, 5))
        assert composed(inverse(permutation), permutation) == (0, 1, 2)


def test_a_trace_of_representatives_is_taken_back() -> None:
    family = AlikeFamily(((0, 1, 2),))
    swaps = [
        NeighbourExchange({(k, 0): (k + 1, 0), (k + 1, 0): (k, 0)}, tuple([1, 0, 2] if k == 0 else [0, 2, 1]))
        for k in range(2)
    ]
    symmetry = Symmetry((family,), (tuple(swaps),))
    # First (1 0 2), then (1 2 0) on top of it: what is at place 2 in the end was member 0 all the time.
    orders = [[1, 0, 2], [1, 2, 0]]
    assert unpermuted(symmetry, [[(1, 0)]], orders, 2) == ([[(0, 0)]], 0)


# ---- the search --------------------------------------------------------------------------------------------------


def test_representatives_of_three_processes() -> None:
    """Without clocks, three processes that go from a to b one by one have 8 states, and 4 up to permutation."""
    text = """
    typedef scalar[3] id_t;
    process P(const id_t me) { state a, b; init a; trans a -> b { }; }
    system P;
    """
    network, query = asked(text, "E<> deadlock && exists (i : id_t) P(i).a")
    wanted = goals(query.target)
    plain, reduced = ZoneSearch(network, wanted), ZoneSearch(network, wanted, symmetry=found(network, query))
    assert (plain.run().statistics.stored, reduced.run().statistics.stored) == (8, 4)
    assert certify(reduced) == Inductive(4, 6, "native")


def test_clocks_decide_where_locations_do_not() -> None:
    """All three have left a at different times: the orders of their clocks are one order up to permutation."""
    text = """
    typedef scalar[3] id_t;
    process P(const id_t me) { clock x; state a, b, c; init a;
        trans a -> b { assign x = 0; }, b -> c { guard x >= 3; }; }
    system P;
    """
    network, query = asked(text, "E<> forall (i : id_t) P(i).c && P(i).x < 3")
    wanted = goals(query.target)
    reduced = ZoneSearch(network, wanted, Order.LARGEST_FIRST, symmetry=found(network, query))
    assert isinstance(reduced.run(), Exhausted) and isinstance(certify(reduced), Inductive)
    by_locations: dict[tuple[int, ...], int] = {}
    for state in reduced.states():
        by_locations[state.locations] = by_locations.get(state.locations, 0) + 1
    assert all(list(locations) == sorted(locations) for locations in by_locations)
    assert by_locations[1, 1, 1] == 1


@pytest.mark.parametrize("kind", [SCALAR, NUMBERS])
@pytest.mark.parametrize("by_simulation", [False, True])
def test_fischer_is_safe_with_fewer_states(kind: dict[str, str], by_simulation: bool) -> None:
    network, query = fischer(kind, n=5)
    wanted = goals(query.target)
    plain = ZoneSearch(network, wanted, by_simulation=by_simulation)
    reduced = ZoneSearch(network, wanted, by_simulation=by_simulation, symmetry=found(network, query))
    assert isinstance(plain.run(), Exhausted) and isinstance(reduced.run(), Exhausted)
    assert isinstance(certify(reduced), Inductive)
    assert 10 * reduced.run().statistics.stored < plain.run().statistics.stored


@pytest.mark.parametrize("order", [Order.BREADTH_FIRST, Order.DEPTH_FIRST, Order.RANDOM_DEPTH_FIRST, Order.FASTEST])
def test_a_run_of_the_network_is_found(order: Order) -> None:
    network, query = fischer(SCALAR, n=4, changes={"bound": "3"})
    search = ZoneSearch(network, goals(query.target), order, seed=7, symmetry=found(network, query))
    outcome = search.run()
    assert isinstance(outcome, GoalReached)
    steps = [TimedStep(step.delay, step.edges) for step in concretise(network, outcome.trace, outcome.goal)]
    replay(network, steps, query.target)


def test_without_it_nothing_changes() -> None:
    network, query = fischer(n=4)
    wanted = goals(query.target)
    counts = [ZoneSearch(network, wanted, symmetry=symmetry).run().statistics for symmetry in (None, Symmetry((), ()))]
    assert counts[0].stored == counts[1].stored and counts[0].transitions == counts[1].transitions


@pytest.mark.parametrize("first", range(0, 24, 8))
def test_random_networks_with_and_without_reduction(first: int) -> None:
    kinds = [check(seed) for seed in range(first, first + 8)]
    assert kinds.count("reduced") > 3


# ---- certificates that are refused -----------------------------------------------------------------------------


def searched(network: Network, query: Query) -> ZoneSearch:
    search = ZoneSearch(network, goals(query.target), symmetry=found(network, query))
    assert isinstance(search.run(), Exhausted)
    return search


def bound_of(network: Network, process: int, bound: int) -> Network:
    """One invariant of one process is another one."""
    its = network.processes[process]
    location = its.locations[1]
    atoms = tuple(replace(atom, bound=Constant(bound)) for atom in location.invariant.atoms)
    changed = replace(location, invariant=replace(location.invariant, atoms=atoms))
    locations = (its.locations[0], changed, *its.locations[2:])
    processes = list(network.processes)
    processes[process] = replace(its, locations=locations)
    return replace(network, processes=tuple(processes))


@pytest.mark.parametrize("bound", [1, 3])
def test_a_network_that_is_not_symmetric_is_refused(bound: int) -> None:
    """With a bound of 3 in one process mutual exclusion does not even hold."""
    network, query = fischer(n=3)
    search = searched(network, query)
    assert isinstance(certify(search), Inductive)
    search.network = bound_of(network, 1, bound)
    answer = certify(search)
    assert isinstance(answer, NotInductive) and "not symmetric" in answer.reason
    assert members(search.network, query) == [["P(1)", "P(3)"]]


def test_families_that_are_wrong_are_refused() -> None:
    network, query = fischer(n=3)
    wanted = goals(query.target)
    symmetry = found(network, query)
    (family,) = symmetry.families
    assert refuted(network, wanted, symmetry, None) is None
    turn, names = family.values[0]
    for wrong in [
        replace(family, clocks=()),
        replace(family, clocks=((1, 3, 2),)),
        replace(family, values=()),
        replace(family, values=((turn, (0, 1, 2)),)),
        replace(family, values=((turn, (names[1], names[0], names[2])),)),
        replace(family, values=((turn, (1, 1, 2)),)),
        replace(family, processes=((0, 2, 1),)),
        replace(family, processes=((0, 0, 1),)),
    ]:
        assert refuted(network, wanted, Symmetry((wrong,), symmetry.exchanges), None) is not None
        with pytest.raises(NotSymmetric):
            for member in range(2):
                exchanged(network, wanted, wrong, member)


def test_a_query_that_is_not_symmetric_refutes() -> None:
    network, query = fischer(n=3)
    other = fischer(n=3, query="E<> P(2).critical && turn == 1")[1]
    reason = refuted(network, goals(other.target), found(network, query), None)
    assert reason is not None and "the query tells them apart" in reason


def test_a_representative_that_is_missing_is_missed() -> None:
    """The native pass and one that tries every permutation agree about what remains."""
    network, query = fischer(n=3)
    wanted = goals(query.target)
    search = searched(network, query)
    families = found(network, query).families
    states = list(search.states())

    def native(kept: list[SymbolicState]) -> bool:
        certifier = NativeCertifier(network, wanted, None, families)
        for state in kept:
            certifier.add(state)
        return certifier.check() is None

    assert native(states) and is_inductive(network, wanted, families, states)
    for victim in range(len(states)):
        rest = [*states[:victim], *states[victim + 1 :]]
        assert native(rest) == is_inductive(network, wanted, families, rest)
    assert not native(states[1:])


def test_goals_are_looked_for_in_representatives() -> None:
    network, query = fischer(n=3, changes={"bound": "3"})
    wanted: tuple[Goal, ...] = goals(query.target)
    nothing = ZoneSearch(network, (), symmetry=found(network, query))
    assert isinstance(nothing.run(), Exhausted)
    certifier = NativeCertifier(network, wanted, None, found(network, query).families)
    certifier.add_all(nothing)
    assert certifier.check() == "a stored state meets a goal"


@pytest.mark.parametrize("free", ["turn < 1", "turn - 1 < 0", "!turn", "(turn ? 0 : 1) == 1", "turn * 2 == 0"])
def test_a_name_that_is_used_as_a_number_refutes(free: str) -> None:
    """All processes are written the same, and each of these tells a name from another one."""
    families = found(*fischer()).families
    network, query = fischer(changes={"free": free})
    reason = refuted(network, goals(query.target), Symmetry(families, ()), None)
    assert reason is not None and "used as a number" in reason


def test_elements_that_do_not_move_with_their_subscripts_refute() -> None:
    text = """
    typedef int[0, 2] id_t; int[0, 2] turn; bool flag[3];
    process P(const id_t me) { state a, b; init a; trans a -> b { assign turn = me; }; }
    process Q() { state c; init c; trans c -> c { guard flag[turn]; }; }
    system P, Q;
    """
    network, query = asked(text, "E<> forall (i : id_t) P(i).b")
    (family,) = found(network, query).families
    assert refuted(network, goals(query.target), Symmetry((family,), ()), None) is None
    for slots in [(), (family.slots[0][::-1],), ((family.slots[0][0], family.slots[0][2], family.slots[0][1]),)]:
        wrong = replace(family, slots=slots)
        reason = refuted(network, goals(query.target), Symmetry((wrong,), ()), None)
        assert reason is not None and "do not move as their subscripts do" in reason


@pytest.mark.parametrize(
    ("declaration", "reason"),
    [
        ("int[0, 1] u; int[0, 2] w; chan c, d;", "different ranges"),
        ("int u, w; chan c, d; chan priority c < default < d;", "channels"),
    ],
)
def test_things_of_different_kinds_are_not_exchanged(declaration: str, reason: str) -> None:
    text = f"""{declaration}
    process P(int &v, chan &s) {{ state a, b; init a; trans a -> b {{ sync s!; assign v = 1; }}; }}
    process Q() {{ state e; init e; trans e -> e {{ sync c?; }}, e -> e {{ sync d?; }}; }}
    A = P(u, c); B = P(w, d); C = Q();
    system A, B, C;
    """
    network, query = asked(text, "E<> A.b && B.b")
    family = AlikeFamily(((0, 1),), ((0, 1),), (), ((0, 1),))
    said = refuted(network, goals(query.target), Symmetry((family,), ()), None)
    assert said is not None and reason in said
    assert members(network, query) == []
