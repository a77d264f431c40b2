"""From marks to errors: what is selected is the error, what is not goes on, and nothing else changes."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.basics.position import Position
from argosy.logic.semantics import Value
from argosy.logic.sorts import bits
from argosy.logic.traverse import evaluate
from argosy.models.cfa import Assume, Cfa, Check, Edge, Location, Mark, Reading
from argosy.models.errors import Site, entered, only, sites, with_errors
from argosy.models.kinds import Errors, Marked, Undefined

from .automata import Sketch, Steps, check, everything


def mark(kind: Marked, name: str, line: int = 1) -> Mark:
    return Mark(kind, name, Position("model.c", line), f"{kind.value} {name}")


def marked(sketch: Sketch, start: int, end: int, *marks: Mark, checks: tuple[Check, ...] = ()) -> None:
    edge = sketch.step(start, end, Assume(sketch.terms.true), *checks)
    sketch.edges[-1] = replace(edge, marks=marks)


def reaches(cfa: Cfa, reading: Reading = Reading.UNDEFINED) -> bool:
    """By exhaustive search."""
    terms = [variable.term for variable in cfa.variables]
    steps = Steps(cfa, terms, reading)
    seen: set[tuple[Location, tuple[Value, ...]]] = {(cfa.initial, state) for state in everything(terms)}
    work = list(seen)
    while work:
        at, state = work.pop()
        for edge in cfa.leaving[at]:
            for after in steps.after(edge, state):
                if (edge.target, after) not in seen:
                    seen.add((edge.target, after))
                    work.append((edge.target, after))
    return any(at is cfa.error for at, _ in seen)


def expected(cfa: Cfa, errors: Errors) -> bool:
    """The law, in its own words: walk the marked automaton, and look at marks and checks on the way."""
    terms = [variable.term for variable in cfa.variables]
    steps = Steps(cfa, terms, Reading.UNDEFINED)
    seen: set[tuple[Location, tuple[Value, ...]]] = {(cfa.initial, state) for state in everything(terms)}
    work = list(seen)
    while work:
        at, state = work.pop()
        if at is cfa.error:
            return True
        for edge in cfa.leaving[at]:
            old = dict(zip(terms, state, strict=True))
            failed = next((c for c in edge.checks if not evaluate(c.condition, old)), None)
            if failed is not None and errors.selects(failed.kind):
                return True
            for after in steps.after(edge, state):
                if any(errors.selects(m.kind, m.name) for m in edge.marks):
                    return True
                if (edge.target, after) not in seen:
                    seen.add((edge.target, after))
                    work.append((edge.target, after))
    return False


CALLED = Errors(calls=frozenset({"f"}))
LABELLED = Errors(labels=frozenset({"f"}))
ASSERTED = Errors(assertions=True)


def test_a_selected_mark_leads_to_the_error_and_another_does_not() -> None:
    for kind, right in ((Marked.CALL, CALLED), (Marked.LABEL, LABELLED), (Marked.ASSERTION, ASSERTED)):
        s = Sketch(3, x=bits(2))
        marked(s, 0, 1, mark(kind, "f"))
        for errors in (CALLED, LABELLED, ASSERTED, Errors()):
            assert reaches(with_errors(s.cfa(), errors)) == (errors is right), (kind, errors)


def test_names_are_compared() -> None:
    s = Sketch(3)
    marked(s, 0, 1, mark(Marked.CALL, "g"))
    assert not reaches(with_errors(s.cfa(), CALLED))


def test_of_several_marks_each_counts() -> None:
    s = Sketch(3)
    marked(s, 0, 1, mark(Marked.LABEL, "f"), mark(Marked.LABEL, "g"), mark(Marked.CALL, "f"))
    assert reaches(with_errors(s.cfa(), CALLED))
    assert reaches(with_errors(s.cfa(), LABELLED))
    assert reaches(with_errors(s.cfa(), Errors(labels=frozenset({"g"}))))
    assert [site.text for site in sites(with_errors(s.cfa(), CALLED))] == ["call f"]


def test_an_edge_that_bore_a_mark_and_nothing_else_goes() -> None:
    s = Sketch(5, x=bits(2))
    s.assign(0, 1, s.x, s.number(1, s.x))
    marked(s, 1, 2, mark(Marked.LABEL, "a"))
    marked(s, 2, 3, mark(Marked.LABEL, "b"))
    s.assign(3, 3, s.x, s.number(2, s.x))
    cfa = with_errors(s.cfa(), CALLED)
    assert (len(cfa.locations), len(cfa.edges)) == (3, 2)
    assert [location.index for location in cfa.locations] == [0, 1, 2]


def test_an_edge_with_a_mark_stays_where_another_leaves_its_source() -> None:
    s = Sketch(4, x=bits(2))
    marked(s, 0, 1, mark(Marked.LABEL, "a"))
    s.assume(0, 2, s.is_(s.x, 0))
    s.assume(1, 3, s.is_(s.x, 1))
    s.assume(1, 0, s.is_(s.x, 2))
    cfa = with_errors(s.cfa(), CALLED)
    assert len(cfa.edges) == 4


def test_a_circle_of_marks_is_an_end() -> None:
    s = Sketch(4)
    marked(s, 0, 1, mark(Marked.LABEL, "a"))
    marked(s, 1, 0, mark(Marked.LABEL, "b"))
    cfa = with_errors(s.cfa(), CALLED)
    assert cfa.edges == ()
    assert reaches(with_errors(s.cfa(), Errors(labels=frozenset({"b"}))))


def test_checks_go_on_to_the_edges_behind_and_only_there() -> None:
    s = Sketch(5, x=bits(2))
    marked(s, 0, 1, mark(Marked.CALL, "g"), checks=(check(s.is_(s.x, 1), Undefined.DIVISION),))
    s.assign(1, 2, s.x, s.number(0, s.x), check(s.below(s.x, 2), Undefined.SHIFT))
    cfa = with_errors(s.cfa(), CALLED)
    (edge,) = cfa.edges
    assert [c.kind for c in edge.checks] == [Undefined.DIVISION, Undefined.SHIFT]
    s.assume(2, 1, s.terms.true)
    assert len(with_errors(s.cfa(), CALLED).edges) == 3, "the second way to the edge is not checked"


def test_checks_before_an_end_stay() -> None:
    s = Sketch(3, x=bits(2))
    marked(s, 0, 1, mark(Marked.CALL, "g"), checks=(check(s.is_(s.x, 1), Undefined.DIVISION),))
    assert reaches(with_errors(s.cfa(), Errors(operations=frozenset({Undefined.DIVISION}))))


def test_checks_do_not_move_to_where_executions_begin() -> None:
    s = Sketch(3, x=bits(2))
    s.assign(0, 1, s.x, s.number(1, s.x))
    marked(s, 1, 0, mark(Marked.CALL, "g"), checks=(check(s.is_(s.x, 1), Undefined.DIVISION),))
    assert not reaches(with_errors(s.cfa(), Errors(operations=frozenset({Undefined.DIVISION}))))


def test_checks_move_along_a_chain_as_far_as_there_is_no_other_way_in() -> None:
    s = Sketch(6, x=bits(2))
    s.branch(0, s.is_(s.x, 0), 1, 2)
    marked(s, 2, 3, mark(Marked.CALL, "h"), checks=(check(s.terms.not_(s.is_(s.x, 3)), Undefined.SHIFT),))
    marked(s, 1, 2, mark(Marked.CALL, "g"), checks=(check(s.is_(s.x, 1), Undefined.DIVISION),))
    s.assume(3, 4, s.terms.true)
    cfa = with_errors(s.cfa(), CALLED)
    assert sorted(tuple(c.kind.name for c in edge.checks) for edge in cfa.edges if edge.checks) == [
        ("DIVISION",),
        ("SHIFT",),
    ]


def test_the_first_undefined_operation_decides() -> None:
    s = Sketch(3, x=bits(2))
    division = check(s.is_(s.x, 1), Undefined.DIVISION)
    shift = check(s.below(s.x, 2), Undefined.SHIFT)
    s.assume(0, 1, s.is_(s.x, 0), division, shift)
    for kind, when in ((Undefined.DIVISION, {0, 2, 3}), (Undefined.SHIFT, set[int]())):
        cfa = with_errors(s.cfa(), Errors(operations=frozenset({kind})))
        conditions = [edge.operation for edge in cfa.entering[cfa.error]]
        values = {v for v in range(4) for o in conditions if isinstance(o, Assume) and evaluate(o.condition, {s.x: v})}
        assert values == when, kind


def test_a_quotient_that_overflows_is_an_overflow_and_ends_under_both_readings() -> None:
    s = Sketch(3, x=bits(2))
    quotient = check(s.is_(s.x, 1), Undefined.QUOTIENT)
    s.assume(0, 1, s.terms.true, quotient)
    assert reaches(with_errors(s.cfa(), Errors(operations=frozenset({Undefined.SIGNED_OVERFLOW}))))
    assert not reaches(with_errors(s.cfa(), Errors(operations=frozenset({Undefined.DIVISION}))))
    assert all(reading.excludes(quotient) for reading in Reading)


def test_what_enters_the_error_without_a_mark_stays_and_is_no_site() -> None:
    s = Sketch(3, x=bits(2))
    marked(s, 0, 1, mark(Marked.CALL, "f"))
    s.assume(0, 2, s.is_(s.x, 1))
    for errors in (CALLED, LABELLED):
        cfa = with_errors(s.cfa(), errors)
        assert reaches(only(cfa, ()))
    assert len(sites(with_errors(s.cfa(), CALLED))) == 1


def test_copies_of_a_place_are_one_site_and_others_are_switched_off() -> None:
    s = Sketch(5, x=bits(2))
    s.branch(0, s.is_(s.x, 0), 1, 2)
    marked(s, 1, 3, mark(Marked.CALL, "f", 9))
    marked(s, 2, 3, mark(Marked.CALL, "f", 9))
    marked(s, 3, 3, mark(Marked.CALL, "f", 4))
    cfa = with_errors(s.cfa(), CALLED)
    assert sites(cfa) == (Site(Marked.CALL, Position("model.c", 9), "call f"),), "line 4 lies behind an error"
    assert not reaches(only(cfa, ()))
    assert only(cfa, sites(cfa)).locations is cfa.locations


def test_sites_stand_in_the_order_of_the_source() -> None:
    s = Sketch(4)
    marked(s, 0, 1, mark(Marked.CALL, "f", 9))
    marked(s, 0, 2, mark(Marked.CALL, "f", 4))
    assert [site.position.line for site in sites(with_errors(s.cfa(), CALLED))] == [4, 9]


def test_functions_are_entered_before_an_error_not_behind_it() -> None:
    s = Sketch(4)
    marked(s, 0, 1, mark(Marked.CALL, "f"))
    marked(s, 1, 2, mark(Marked.CALL, "g"))
    assert entered(s.cfa(), Errors()) == {"f", "g"}
    assert entered(s.cfa(), Errors(calls=frozenset({"g"}))) == {"f"}
    assert entered(s.cfa(), CALLED) == frozenset()


KINDS = (Undefined.SIGNED_OVERFLOW, Undefined.DIVISION, Undefined.QUOTIENT, Undefined.NULL)


@st.composite
def automata(draw: st.DrawFn) -> Cfa:
    size = draw(st.integers(3, 6))
    s = Sketch(size, x=bits(2))
    number = st.integers(0, 3)
    for _ in range(draw(st.integers(1, 9))):
        start, end = draw(st.integers(0, size - 2)), draw(st.integers(0, size - 1 if draw(st.booleans()) else size - 2))
        checks = tuple(
            check(s.terms.not_(s.is_(s.x, draw(number))), draw(st.sampled_from(KINDS)))
            for _ in range(draw(st.sampled_from((0, 0, 1, 2))))
        )
        shape = draw(st.sampled_from(("mark", "mark", "mark", "assume", "assign", "marked assign")))
        marks = tuple(
            mark(draw(st.sampled_from(list(Marked))), draw(st.sampled_from("fg")), draw(number))
            for _ in range(draw(st.integers(1, 2)))
        )
        match shape:
            case "mark":
                marked(s, start, end, *marks, checks=checks)
            case "assume":
                s.assume(start, end, s.is_(s.x, draw(number)), *checks)
            case _:
                edge = s.assign(start, end, s.x, s.number(draw(number), s.x), *checks)
                if shape != "assign":
                    s.edges[-1] = replace(edge, marks=marks)
    return s.cfa()


def names() -> st.SearchStrategy[frozenset[str]]:
    return st.frozensets(st.sampled_from("fgh"), max_size=2)


selections = st.builds(
    Errors,
    calls=names(),
    labels=names(),
    assertions=st.booleans(),
    operations=st.frozensets(st.sampled_from(KINDS), max_size=2),
)


@settings(deadline=None, max_examples=400)
@given(automata(), selections)
def test_the_error_is_reached_iff_something_selected_is_met(cfa: Cfa, errors: Errors) -> None:
    selected = with_errors(cfa, errors)
    assert reaches(selected) == expected(cfa, errors)
    assert reaches(only(selected, sites(selected))) == reaches(selected)
    known = set(selected.locations)
    assert all(edge.source in known and edge.target in known for edge in selected.edges)
    assert [location.index for location in selected.locations] == list(range(len(selected.locations)))


@settings(deadline=None, max_examples=200)
@given(automata(), selections)
def test_the_sites_one_by_one_are_the_whole(cfa: Cfa, errors: Errors) -> None:
    selected = with_errors(cfa, errors)
    rest = reaches(only(selected, ()))
    one_by_one = [reaches(only(selected, (site,))) for site in sites(selected)]
    assert reaches(selected) == (rest or any(one_by_one))


def _unmarked(edge: Edge) -> Edge:
    return replace(edge, marks=())


@settings(deadline=None, max_examples=200)
@given(automata(), selections)
def test_marks_that_nobody_selects_change_nothing(cfa: Cfa, errors: Errors) -> None:
    plain = replace(cfa, edges=tuple(map(_unmarked, cfa.edges)))
    kinds = Errors(operations=errors.operations)
    assert reaches(with_errors(cfa, kinds)) == reaches(with_errors(plain, kinds))
