"""TChecker's models: what is read, what is refused, and that networks written as ``.tck`` and ``.xta`` are the same
when they are read again."""

from __future__ import annotations

from pathlib import Path

import pytest

from argosy.basics.errors import InputError, UnsupportedError
from argosy.cli.main import main
from argosy.frontends.uppaal import load, read
from argosy.frontends.uppaal.lexer import PlacedText
from argosy.models.network import Network
from argosy.models.network_queries import Query, goals
from argosy.models.network_semantics import Semantics
from argosy.problem.problem import Problem
from argosy.report.network_texts import tck, xta
from tests.kernel.random_networks import Generator

HEAD = "system:s\nevent:a\nevent:b\nclock:1:x\nint:1:0:9:3:n\nint:2:-1:4:0:v\nprocess:P\nlocation:P:l0{initial:}\n"
SECOND = "process:Q\nlocation:Q:m0{initial:}\nlocation:Q:m1\n"


def network(text: str) -> Network:
    return read("model.tck", text.encode())[0]


def test_declarations_guards_and_statements() -> None:
    text = HEAD + (
        "location:P:l1{invariant: x <= 5 && n < 9 : labels: goal, other}  # a comment\n"
        "location:P:l2{committed: : urgent:}\n\n"
        "edge:P:l0:l1:a{provided: x > 2 && n == 3 : do: x = 0; v[1] = n - 1; nop; n = v[1] + 2;}\n"
    )
    made, queries = read("model.tck", text.encode(), PlacedText("q", "E<> goal && v[1] == 2 && n == 4\nA[] !other"))
    assert [(v.name, v.low, v.high, v.initial) for v in made.variables] == [
        ("n", 0, 9, 3), ("v[0]", -1, 4, 0), ("v[1]", -1, 4, 0)
    ]  # fmt: skip
    [process] = made.processes
    assert (process.name, [location.name for location in process.locations]) == ("P", ["l0", "l1", "l2"])
    assert process.locations[2].committed and process.locations[2].urgent and not process.locations[1].urgent
    [edge] = process.edges
    assert edge.position.line == 12 and edge.guard.atoms[0].position.column == 28
    semantics = Semantics(made)
    [(action, window)] = semantics.windows(semantics.initial())
    assert window.low == 2 and window.low_open
    state = semantics.fire(semantics.delay(semantics.initial(), window.low + 1), action)
    goal, invariant = queries
    assert isinstance(goal, Query) and semantics.satisfies(state, goal.formula)
    assert isinstance(invariant, Query) and not semantics.satisfies(state, invariant.formula)


def actions(text: str) -> set[tuple[str, ...]]:
    """Who moves together from the initial state, as process and target."""
    made = network(text)
    semantics = Semantics(made)
    return {
        tuple(f"{made.processes[e.process].name}.{e.target}" for e in action.edges)
        for action in semantics.enabled(semantics.initial())
    }


def test_synchronisation() -> None:
    edges = "location:P:l1\nedge:P:l0:l1:a\nedge:P:l0:l0:b\n"
    other = SECOND + "edge:Q:m0:m1:b\n"
    assert actions(HEAD + edges + other) == {("P.1",), ("P.0",), ("Q.1",)}
    assert actions(HEAD + edges + other + "sync:P@a:Q@b\n") == {("P.1", "Q.1"), ("P.0",)}
    assert actions(HEAD + edges + other + "sync:Q@b:P@a\nsync:P@b:Q@b\n") == {("P.1", "Q.1"), ("P.0", "Q.1")}
    assert actions(HEAD + edges + other + "sync:P@a:Q@b?\n") == {("P.1", "Q.1"), ("P.0",)}
    # A weak partner without an edge is left out, a strong one forbids the action.
    stuck = SECOND + "edge:Q:m1:m0:b\n"
    assert actions(HEAD + edges + stuck + "sync:P@a:Q@b?\n") == {("P.1",), ("P.0",)}
    assert actions(HEAD + edges + stuck + "sync:P@a:Q@b\n") == {("P.0",)}


def test_statements_run_in_the_order_of_the_processes() -> None:
    text = HEAD + "edge:P:l0:l0:a{do: n = 5}\n" + SECOND + "edge:Q:m0:m1:b{do: v[0] = n - 2}\nsync:Q@b:P@a\n"
    semantics = Semantics(network(text))
    [action] = semantics.enabled(semantics.initial())
    assert semantics.fire(semantics.initial(), action).values == (5, 3, 0)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("process:P\n", 1, "begins with system"),
        (HEAD + "system:t\n", 9, "twice"),
        (HEAD + "edge:P:l0:nowhere:a\n", 9, "unknown location"),
        (HEAD + "edge:P:l0:l0:c\n", 9, "unknown event"),
        (HEAD + "edge:R:l0:l0:a\n", 9, "unknown process"),
        (HEAD + "edge:P:l0:l0\n", 9, "4 parts"),
        (HEAD + "edge:P:l0:l0:a{provided: x <}\n", 9, "expected"),
        (HEAD + "edge:P:l0:l0:a{provided: y < 3}\n", 9, "y"),
        (HEAD + "edge:P:l0:l0:a{do: x}\n", 9, "assignment"),
        (HEAD + "location:P:l0\n", 9, "twice"),
        (HEAD + "location:P:l9{invariant}\n", 9, "pairs"),
        (HEAD + "sync:P@a\n", 9, "two partners"),
        (HEAD + "sync:P@a:P@b\n", 9, "twice"),
        (HEAD + "sync:P:P@b\n", 9, "PROCESS@EVENT"),
        (HEAD + "int:1:a:3:0:k\n", 9, "number"),
        (HEAD + "nonsense:1\n", 9, "unknown declaration"),
        (HEAD + "???\n", 9, "syntax"),
        (HEAD + "process:Q\nlocation:Q:m\n", 9, "0 initial"),
    ],
)
def test_broken_models(text: str, line: int, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        network(text)
    assert error.value.position.line == line


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("location:P:l1{initial:}\n", "2 initial"),
        ("location:P:l1{colour:red}\n", "attribute"),
        ("edge:P:l0:l0:a{do: if n == 1 then n = 2 end}\n", "'if'"),
        ("edge:P:l0:l0:a{do: local k = 1}\n", "'local'"),
        (SECOND + "sync:P@a?:Q@b?\n", "weak partners only"),
        (SECOND + "process:R\nlocation:R:r{initial:}\nsync:P@a:Q@b:R@a\n", "more than two"),
        (SECOND + "edge:Q:m0:m1:b{provided: n == 1}\nsync:P@a:Q@b?\n", "guard"),
        (SECOND + "edge:P:l0:l0:a{do: n = 1}\nedge:Q:m0:m0:b{do: n = 2}\nsync:Q@b:P@a?\n", "weak partner before"),
        ("clock:1:u.v\nclock:1:u_v\n", "together"),
    ],
)
def test_refused_models(text: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        network(HEAD + text)


# ---- written and read again ----------------------------------------------------------------------------------------


def problem(made: Network) -> Problem:
    return Problem("network", "uppaal", "model", made, ())


def explored(made: Network) -> tuple[int, int, int, int]:
    from argosy.kernel.search import ZoneSearch

    search = ZoneSearch(made, ())
    its = search.run().statistics
    return its.stored, its.visited, its.transitions, its.discrete_states


@pytest.mark.parametrize(("writer", "suffix", "least"), [(xta, "xta", 35), (tck, "tck", 12)])
def test_random_networks_are_the_same_when_they_are_read_again(writer: object, suffix: str, least: int) -> None:
    pytest.importorskip("argosy.kernel._zones", reason="the native kernel is not built")
    compared = 0
    for seed in range(60):
        made = Generator(seed).case().network
        try:
            text = writer(problem(made), {})  # type: ignore[operator]
        except UnsupportedError:
            continue
        again = read(f"m.{suffix}", text.encode())[0]
        assert explored(again) == explored(made), (seed, text)
        compared += 1
    assert compared >= least


def test_examples_keep_their_verdicts(tmp_path: Path) -> None:
    pytest.importorskip("argosy.kernel._zones", reason="the native kernel is not built")
    from argosy.kernel.search import GoalReached, ZoneSearch

    examples = Path(__file__).parents[3] / "examples" / "ta"
    source, _ = load(str(examples / "fischer.xml"))
    for suffix in ("tck", "xta"):
        path = tmp_path / f"fischer.{suffix}"
        assert main(["convert", str(examples / "fischer.xml"), str(path)]) == 0
        made, [both, one] = load(str(path), "E<> P_1.critical && P_2.critical\nE<> P_1.critical && turn == 1")
        assert explored(made) == explored(source)
        assert isinstance(both, Query) and isinstance(one, Query)
        assert not isinstance(ZoneSearch(made, goals(both.target)).run(), GoalReached)
        assert isinstance(ZoneSearch(made, goals(one.target)).run(), GoalReached)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int f() { return 1; } process P() { state A; init A; trans A -> A { guard f(); }; } system P;", "function"),
        ("chan a; chan priority a < default; process P() { state A; init A; } system P;", "priorities"),
        ("int n; process P() { state A; init A; trans A -> A { guard n > 1 || n < 0; }; } system P;", "tck: operator"),
        ("urgent chan c; process P() { state A; init A; trans A -> A { sync c!; }; } system P;", "tck: urgent"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_is_refused(text: str, message: str) -> None:
    made = read("m.xta", text.encode())[0]
    if message.startswith("tck: "):
        xta(problem(made), {})
        message = message.removeprefix("tck: ")
    with pytest.raises(UnsupportedError, match=message):
        tck(problem(made), {})
