"""Queries: what is translated, what is refused, and that one does not touch the others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from argosy.basics.position import Position
from argosy.frontends.uppaal import load, read
from argosy.frontends.uppaal.lexer import PlacedText
from argosy.models.network_expressions import TRUE, AtLocation, NetworkPlace
from argosy.models.network_queries import (
    ClockMeasure,
    ClockTest,
    Deadlock,
    ExtremeQuery,
    Extremum,
    Goal,
    Holds,
    Not,
    Quantifier,
    Query,
    UnsupportedQuery,
)
from argosy.models.network_semantics import Semantics
from tests.frontends.uppaal.reading import holds, queries, xml

MODEL = """
int v[2] = {3, 4}; clock x; const int N = 2; typedef int[1,2] id;
bool even(int n) { return n % 2 == 0; }
process P(id i) { int w[2] = {i, 10 * i}; clock y; const int K = i; state A, B; init A; }
process Q() { state S; init S; }
system P, Q;
"""


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("P(1).A", True),
        ("P(1).B or Q.S", True),
        ("P(2).B", False),
        ("P(2).w[1] == 20 and v[N - 1] == 4", True),
        ("P(2).K == 2", True),
        ("forall (i : id) P(i).A", True),
        ("exists (i : id) P(i).w[0] == 2", True),
        ("(sum (i : id) P(i).A) == 2", True),
        ("P(1).A + P(2).A + Q.S == 3", True),
        ("x <= 0 and P(1).y == 0", True),
        ("x > 0", False),
        ("P(1).y - P(2).y < 0 || x - P(1).y >= 0", True),
        ("not deadlock", False),
        ("deadlock", True),
        ("deadlock and x > 0", False),
        ("even(v[1]) and !even(v[0])", True),
        ("P(1).B imply x > 5", True),
        ("(x < 1 ? P(1).A : P(1).B)", True),
        ("x != 0", False),
        ("true", True),
    ],
)
def test_formulas(formula: str, expected: bool) -> None:
    assert holds(MODEL, formula) is expected


def test_structure() -> None:
    location, clock, dead, both = queries(MODEL, "E<> P(2).B", "A[] x < 3", "A[] not deadlock", "E<>Q.S")
    assert isinstance(location, Query) and location.formula == Holds(AtLocation(1, 1))
    assert location.quantifier is Quantifier.POSSIBLY and location.target == location.formula
    assert isinstance(clock, Query) and isinstance(clock.formula, ClockTest) and clock.target == Not(clock.formula)
    assert isinstance(dead, Query) and dead.formula == Not(Deadlock())
    assert isinstance(both, Query) and both.text == "E<>Q.S"


def test_queries_that_are_not_supported_do_not_spoil_the_others() -> None:
    texts = [
        "sup: x + x", "inf{Q.S}: x + 1", "Pr[<=10](<> P(1).B)",
        "simulate [<=10] {x}", "control: A[] Q.S", "sat: Scenario", "strategy s = control: A[] Q.S", "A[] Q.S under s",
        "E<> P(1).x' == 1",
    ]  # fmt: skip
    found = queries(MODEL, *texts, "E<> P(1).B")
    assert [isinstance(q, UnsupportedQuery) and not q.malformed for q in found] == [True] * len(texts) + [False]
    assert isinstance(found[-1], Query)


def test_deadlocks_in_queries_about_whole_runs() -> None:
    found = queries(MODEL, "A<> deadlock", "E[] not deadlock", "P(1).A --> deadlock", "deadlock --> P(1).A")
    always, never, leads, led = (query.stay() for query in found if isinstance(query, Query))
    assert always.kept == never.kept == leads.kept == Not(Deadlock())
    assert always.dead_parts == () and always.parts == (Goal(TRUE),)
    assert led.premises == (Goal(TRUE, deadlock=True),) and led.dead_parts is None


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("E<> P(1).C", 9, "no location or variable 'C'"),
        ("E<> P(3).A", 5, r"no process P\(3\)"),
        ("E<> P.A", 6, "no member"),
        ("E<> R.A", 5, "unknown identifier 'R'"),
        ("E<> P(1).A and", 15, "expected"),
        ("E<> Q.S Q.S", 9, "end of text"),
        ("P(1).A", 1, "starts with"),
        ("E<> v", 5, "an integer expected"),
        ("E<> v[0] = 1", 10, "not allowed here"),
        ("E<> v[0]++", 9, "not allowed here"),
        ("A[] not Q.S == 1", 5, "parentheses"),
    ],
)
def test_malformed_queries(text: str, column: int, message: str) -> None:
    (found,) = queries(MODEL, text)
    assert isinstance(found, UnsupportedQuery) and found.malformed
    assert found.position == Position("model.q", 1, column)
    assert re.search(message, found.what)


def test_lines_comments_and_continuations() -> None:
    found = queries(MODEL, "// first", "/* two", "lines */ E<> Q.S", "", "A[] Q.S and \\", "  P(1).A // end", "E<> Q.T")
    assert [q.text for q in found] == ["E<> Q.S", "A[] Q.S and P(1).A", "E<> Q.T"]
    assert [q.position.line for q in found] == [3, 5, 7]
    assert isinstance(found[2], UnsupportedQuery) and found[2].position == Position("model.q", 7, 6)


def test_a_function_used_by_a_query_is_part_of_the_network() -> None:
    model, _ = read("m.xta", MODEL.encode())
    assert model.functions == ()
    model, found = read("m.xta", MODEL.encode(), PlacedText("q", "E<> missing(3)\nE<> even(v[1])\nE<> even(x)"))
    assert [function.name for function in model.functions] == ["even"]
    good = found[1]
    assert isinstance(good, Query)
    assert Semantics(model).satisfies(Semantics(model).initial(), good.target)


def test_queries_beside_inside_and_given(tmp_path: Path) -> None:
    template = '<location id="a"><name>A</name></location><init ref="a"/>'
    inside = "<query><formula>E&lt;&gt; T.A and\n T.A</formula><comment/></query><query><formula/></query>"
    path = tmp_path / "m.xml"
    path.write_bytes(xml(template, queries=inside))
    assert [q.text for q in load(str(path))[1]] == ["E<> T.A and T.A"]
    assert [q.text for q in load(str(path), "A[] T.A")[1]] == ["A[] T.A"]
    assert load(str(path), "")[1] == []
    (tmp_path / "m.q").write_text("E<> T.A\nA[] T.A\n")
    found = load(str(path))[1]
    assert [q.text for q in found] == ["E<> T.A", "A[] T.A"]
    assert found[1].position == Position(str(tmp_path / "m.q"), 2, 1)


def test_queries_of_a_family(tmp_path: Path) -> None:
    for name in ("ring-5-32.xta", "ring_6.xta", "ring7.xta", "ring-8.xta", "rin-9.xta", "ring-old.xta"):
        (tmp_path / name).write_text(MODEL)
    (tmp_path / "ring.q").write_text("E<> Q.S\n")
    (tmp_path / "ring-8.q").write_text("A[] Q.S\nE<> Q.S\n")
    asked = {path.stem: [q.text for q in load(str(path))[1]] for path in sorted(tmp_path.glob("*.xta"))}
    assert asked == {
        "ring-5-32": ["E<> Q.S"],
        "ring_6": ["E<> Q.S"],
        "ring7": [],
        "ring-8": ["A[] Q.S", "E<> Q.S"],
        "rin-9": [],
        "ring-old": [],
    }
    inside = tmp_path / "ring-11.xta"
    inside.write_text(MODEL + "query { A[] Q.S }")
    assert [q.text for q in load(str(inside))[1]] == ["A[] Q.S"]
    assert load(str(tmp_path / "ring_6.xta"))[1][0].position == Position(str(tmp_path / "ring.q"), 1, 1)


def test_queries_of_the_textual_format() -> None:
    _, found = read("m.xta", (MODEL + "query { E<> Q.S } progress { v[0]; }").encode())
    assert [q.text for q in found] == ["E<> Q.S"]


def test_a_query_says_which_verdict_satisfies_it_and_why_it_is_refused() -> None:
    possibly, invariantly, refused, broken = queries(MODEL, "E<> Q.S", "A[] Q.S", "sat: Scenario", "E<> Q.")
    assert (possibly.satisfied_by, invariantly.satisfied_by) == ("unsafe", "safe")
    assert isinstance(refused, UnsupportedQuery) and refused.satisfied_by is None
    assert refused.reason.startswith("unsupported: model.q:3:") and refused.reason.endswith("scenario query")
    assert isinstance(broken, UnsupportedQuery) and broken.reason.startswith("cannot be read: model.q:4:")


def test_queries_about_whole_runs() -> None:
    texts = ["A<> P(1).B", "E [] P(1).A", "P(1).A && x > 1 --> P(1).B", "A[] Q.S --> Q.S", "Q.S --> "]
    eventually, permanently, leads, mixed, broken = queries(MODEL, *texts)
    assert isinstance(eventually, Query) and eventually.stay().kept == Not(eventually.formula)
    assert isinstance(permanently, Query) and permanently.stay().kept == permanently.formula
    assert isinstance(leads, Query) and leads.premise is not None and leads.stay().kept == Not(leads.formula)
    assert (eventually.satisfied_by, permanently.satisfied_by, leads.satisfied_by) == ("safe", "unsafe", "safe")
    assert all(isinstance(query, UnsupportedQuery) and query.malformed for query in (mixed, broken))


def test_queries_for_extreme_values() -> None:
    texts = [
        "sup: x",
        "inf{P(1).A && x > 2}: v[0] + 1, P(2).y - x",
        "bounds: v[1]",
        "sup{Q.S}:",
        "sup{Q.S x",
        "inf: x <",
    ]
    one, integer, difference, low, high, *broken = queries(MODEL, *texts)
    assert isinstance(one, ExtremeQuery) and one.formula == Holds(TRUE)
    assert one.measured == ClockMeasure(NetworkPlace(1), NetworkPlace(0)) and one.text == "sup: x"
    assert isinstance(integer, ExtremeQuery) and integer.extremum is Extremum.INF
    assert integer.text == "inf{P(1).A && x > 2}: v[0] + 1" and integer.expression == "v[0] + 1"
    assert isinstance(difference, ExtremeQuery) and isinstance(difference.measured, ClockMeasure)
    assert difference.climbing == ClockMeasure(difference.measured.right, difference.measured.left)
    assert [query.text for query in (low, high)] == ["inf: v[1]", "sup: v[1]"]
    assert len(broken) == 3 and all(isinstance(query, UnsupportedQuery) and query.malformed for query in broken)
