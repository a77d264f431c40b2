"""Instantiation, selections, priorities, the old syntax."""

from __future__ import annotations

import pytest

from argosy.basics.errors import InputError, UnsupportedError
from argosy.models.network_expressions import Constant, NetworkPlace, Read
from argosy.models.network_semantics import Semantics
from tests.frontends.uppaal.reading import network, process, values

BODY = "{ state A, B; init A; trans A -> B { assign v = v + k; }; }"


def run(text: str) -> dict[str, int]:
    """The variables after every process has taken its first edge, in the order of the system line."""
    model = network(text)
    semantics = Semantics(model)
    state = semantics.initial()
    for index in range(len(model.processes)):
        (action,) = [a for a in semantics.enabled(state) if a.edges[0].process == index]
        state = semantics.fire(state, action)
    return values(model, state)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"int x, y; process P(int &v, const int k) {BODY} Q = P(x, 3); R = P(y, 4); system Q, R;", {"x": 3, "y": 4}),
        (f"int x; process P(int &v, const int k) {BODY} Q(const int n) = P(x, 2 * n); R = Q(5); system R;", {"x": 10}),
        (f"int x; process P(int &v, const int k) {BODY} Q(int[1,3] n) = P(x, n); system Q;", {"x": 6}),
        (f"int x[3]; process P(int &v, const int k) {BODY} Q(int[0,2] n) = P(x[n], n); system Q;",
         {"x[0]": 0, "x[1]": 1, "x[2]": 2}),
        (f"int v; process P(const int k) {BODY} Q = P(1); R = P(2); system R, Q;", {"v": 3}),
        ("const int d[2] = {7, 8}; int x; process P(int &v, const int c[2]) { state A, B; init A; "
         "trans A -> B { assign v = c[0] * c[1]; }; } Q = P(x, d); system Q;", {"x": 56}),
        ("int x; process P(int n) { state A, B; init A; trans A -> B { assign n++, x = n; }; } Q = P(4); system Q;",
         {"x": 5, "Q.n": 5}),
        ("int x; process P(int n; const k) { state A, B; init A; trans A -> B { guard n<9, k == 2; assign n := k; }; }"
         " Q := P(x, 2); system Q;", {"x": 2}),
        ("int x, y; process P(int a, b; const k, l) { state A, B; init A; trans A -> B { assign a := k, b := l; }; }"
         " Q := P(x, y, 1, 2); system Q;", {"x": 1, "y": 2}),
        ("const N 3; int x; process P(int n) { state A, B; init A; trans A -> B { assign n := N; }; } "
         "Q = P(x); system Q;", {"x": 3}),
    ],
)  # fmt: skip
def test_arguments(text: str, expected: dict[str, int]) -> None:
    assert run(text) == expected


def test_clocks_and_channels_are_references() -> None:
    model = network(
        "clock x; chan c[2]; process P(clock &y, chan &d) { state A, B; init A; "
        "trans A -> B { guard y > 2; sync d!; assign y = 0; }; } Q = P(x, c[1]); system Q;"
    )
    (edge,) = model.processes[0].edges
    assert edge.synchronisation is not None
    assert edge.synchronisation.channel == NetworkPlace(1)
    assert edge.guard.atoms[0].left == NetworkPlace(1)


def test_free_parameters_make_one_process_each() -> None:
    model = network("typedef int[1,2] a; typedef scalar[2] b; process P(a i, const b j) { state A; init A; } system P;")
    assert [p.name for p in model.processes] == ["P(1,0)", "P(1,1)", "P(2,0)", "P(2,1)"]
    assert model.variables == ()


def test_selections_make_one_edge_each() -> None:
    model = network(
        "chan c[3]; int v; process P() { state A, B; init A; "
        "trans A -> B { select i : int[0,2], b : bool; guard i != 1 || b; sync c[i]!; assign v = i; }; } system P;"
    )
    edges = model.processes[0].edges
    places = [edge.synchronisation.channel for edge in edges if edge.synchronisation is not None]
    assert places == [NetworkPlace(0), NetworkPlace(0), NetworkPlace(1), NetworkPlace(2), NetworkPlace(2)]
    assert {edge.origin for edge in edges} == {0}
    assert edges[2].text.select.startswith("i = 1, b = 1")


def test_an_edge_may_omit_its_source() -> None:
    model = network("process P() { state A, B; init A; trans A -> B { }, -> A { }, B -> A { }; } system P;")
    assert [(e.source, e.target) for e in model.processes[0].edges] == [(0, 1), (0, 0), (1, 0)]


def test_locations_have_flags() -> None:
    model = network("process P() { clock x; state A { x <= 3 }, B, C; commit B; urgent C; init C; } system P;")
    a, b, c = model.processes[0].locations
    assert (b.committed, b.urgent, c.committed, c.urgent, a.text) == (True, False, False, True, "x <= 3")
    assert model.processes[0].initial == 2


def test_priorities() -> None:
    model = network(
        "chan a, b[2], c; chan priority a, b[0] < default < c; process P() { state A; init A; } "
        "process Q() { state A; init A; } R = Q(); system P < Q, R;"
    )
    assert [channel.priority for channel in model.channels] == [0, 0, 1, 2]
    assert model.default_priority == 1
    assert [p.priority for p in model.processes] == [0, 1, 1]
    assert model.has_priorities
    assert not network("chan a; process P() { state A; init A; } system P;").has_priorities


def test_a_default_priority_that_is_not_mentioned_is_the_lowest() -> None:
    model = network("chan a, b, c;\nchan priority a < b; process P() { state A; init A; } system P;")
    assert [channel.priority for channel in model.channels] == [0, 1, 0] and model.default_priority == 0
    assert model.notes == ("model.xta:2:1: 'default' has no priority, it is taken to be on the lowest level",)
    assert not network("chan a; chan priority a, default; process P() { state A; init A; } system P;").notes


def test_constant_conditions_are_computed() -> None:
    model = network(
        "const int N = 3; bool b; process P(int[0,1] i) { state A, B; init A; "
        "trans A -> B { guard i == 0 && N > 2 && b; }, A -> B { guard i == 0 || b; }; } system P;"
    )
    assert [e.guard.condition for e in process(model, "P(0)").edges] == [Read(NetworkPlace(0)), Constant(1)]
    assert [e.guard.condition for e in process(model, "P(1)").edges] == [Read(NetworkPlace(0))]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Q = P(); system Q;", "P takes 2 arguments, found 0"),
        ("Q = P(x, 1, 2); system Q;", "takes 2 arguments, found 3"),
        ("Q = P(3, 1); system Q;", "a variable expected"),
        ("Q = P(x, x); system Q;", "depends on x"),
        ("Q = P(x, 9); system Q;", "outside the range"),
        ("Q = P(c, 1); system Q;", "an argument of type"),
        ("Q = R(x, 1); system Q;", "unknown template 'R'"),
        ("system P;", "needs an argument for 'v'"),
        ("system R;", "unknown process or template 'R'"),
        ("system x;", "a process or template expected"),
        ("Q = P(x, 1); system Q, Q;", "twice"),
        ("Q = P(x, 1); Q = P(x, 2); system Q;", "declared twice"),
        ("", "no system line"),
        ("system ;", "a name expected"),
        ("Q(int n) = P(x, n); system Q;", "too many"),
    ],
)
def test_wrong_instantiations(text: str, message: str) -> None:
    start = "int x; clock c;\nprocess P(int &v, const int[0,5] k) { state A; init A; }\n"
    with pytest.raises(InputError, match=message) as error:
        network(start + text)
    assert error.value.position.line == 3
    assert error.value.position.column > 0


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("state A; init B;", "initial location"),
        ("state A, A; init A;", "twice"),
        ("state A; init A; trans A -> C { };", "unknown location 'C'"),
        ("state A; commit C; init A;", "unknown location 'C'"),
        ("state A; init A; trans A -> A { sync x!; };", "a channel expected"),
        ("state A; init A; trans A -> A { sync c; };", "'!' or '\\?'"),
        ("state A; init A; trans A -> A { guard x = 1; };", "not allowed here"),
        ("state A; init A; trans A -> A { guard f(); };", "changes the state"),
        ("state A; init A; trans A -> A { guard c; };", "an integer expected"),
        ("state A; init A; trans A -> A { guard y; };", "an integer expected"),
        ("state A { y < 1 || y > 2 }; init A;", "conjunction"),
        ("state A; init A; trans A -> A { guard y + y < 3; };", "one clock"),
        ("state A; init A; trans A -> A { guard y < 1; guard y < 2; };", "one label"),
        ("state A; init A; trans A -> A { select i : int; };", "too many"),
        ("init A;", "found 'init'"),
        ("state A;", "'init' expected"),
    ],
)
def test_broken_processes(body: str, message: str) -> None:
    start = "int x; chan c; clock y; bool f() { x = 1; return true; }\n"
    with pytest.raises(InputError, match=message) as error:
        network(start + "process P() { " + body + " }\nsystem P;")
    assert error.value.position.line == 2


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("process P() { clock x; state A { x' <= 1 }; init A; } system P;", "clock rate"),
        ("process P() { state A { ; 3 }; init A; } system P;", "exponential"),
        ("process P() { state A; branchpoint B; init A; } system P;", "probabilistic"),
        ("process P() { state A; init A; trans A -> A { probability 3; }; } system P;", "probabilities"),
        ("clock x; urgent chan c; process P() { state A; init A; trans A -> A { guard x > 1; sync c!; }; } system P;",
         "urgent"),
        ("process P() { state A; init A; trans A -> A { assign spawn D(1); }; } system P;", "dynamic"),
    ],
)  # fmt: skip
def test_refused_models(text: str, what: str) -> None:
    with pytest.raises(UnsupportedError, match=what) as error:
        network(text)
    assert error.value.position.line == 1
    assert error.value.position.column > 1
