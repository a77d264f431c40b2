"""Summaries: an edge stands for exactly the paths between two kept locations; verdicts are those of large blocks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import argosy
from argosy.domains.blocks import BlockAnalysis
from argosy.domains.paths import Paths
from argosy.domains.precision import Precision
from argosy.domains.predicate import PredicateAbstraction
from argosy.domains.summary import Summary, summarise
from argosy.engine import engine
from argosy.engine.outcome import Outcome, Safe, Unknown, Unsafe
from argosy.engine.protocols import Silent
from argosy.engine.reached import Reached
from argosy.invariants.discovery import Discovery, discover
from argosy.logic.bdd import Regions
from argosy.logic.semantics import Value
from argosy.logic.solver import Counters, Satisfiability
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import INT, bits
from argosy.logic.terms import Term
from argosy.models.cfa import Assume, Cfa, Edge, Location, Reading, Relation
from argosy.models.liveness import live_variables
from argosy.options.values import SearchOrder, parse_blocks
from argosy.strategies import configure
from argosy.strategies.blocks import block_operator, large_block_ends
from argosy.strategies.predicate import predicate, preprocessed
from argosy.strategies.search import block_order
from argosy.strategies.setting import Setting
from tests.domains.test_figures import figure_2
from tests.laws.test_blocks import predicates_of
from tests.models.automata import Sketch, Steps, automata, everything, reachable
from tests.strategies.test_bounded import feasible
from tests.strategies.test_predicate import counting

EXAMPLES = Path(__file__).parents[2] / "examples" / "c"

State = tuple[Value, ...]


def summary_of(cfa: Cfa, reading: Reading = Reading.WRAP) -> Summary:
    return summarise(cfa, large_block_ends(cfa), reading)


def run(cfa: Cfa, strategy: str, reading: Reading, arithmetic: str) -> Outcome:
    options = configure(
        strategy, {"interpolation": "newton+newton-wp+bitwuzla", "relations": "off", "values": "off"}
    ).options
    build = preprocessed if strategy == "lbe-preprocessed" else predicate
    return engine.check(build(Setting(cfa, Solvers(cfa.terms, Counters()), reading, arithmetic, options)))  # type: ignore[arg-type]


def first_met(cfa: Cfa, steps: Steps, start: Location, state: State, ends: frozenset[Location]) -> set[object]:
    """The (location, state) pairs at ``ends`` to which paths from ``state`` lead that meet no other end before."""
    met: set[object] = set()
    seen = {(start, state)}
    stack = [(start, state)]
    while stack:
        location, values = stack.pop()
        for edge in cfa.leaving[location]:
            for after in steps.after(edge, values):
                if edge.target in ends:
                    met.add((edge.target, after))
                elif (edge.target, after) not in seen:
                    seen.add((edge.target, after))
                    stack.append((edge.target, after))
    return met


def related(cfa: Cfa, edge: Edge, variables: list[Term], state: State) -> set[State]:
    """The new states to which an edge of a summary relates ``state``."""
    terms = cfa.terms
    match edge.operation:
        case Assume(condition):
            formula, primed = condition, {}
        case Relation(formula, pairs):
            primed = dict(pairs)
    new = [primed.get(v, v) for v in variables]
    solver = Solvers(terms, Counters()).create("trace", "bits")
    solver.add(formula)
    for variable, value in zip(variables, state, strict=True):
        solver.add(terms.eq(variable, terms.const(value, variable.sort)))
    found: set[State] = set()
    while solver.check() is Satisfiability.SAT:
        values = tuple(solver.value(v) for v in new)
        found.add(values)
        parts = (terms.eq(v, terms.const(x, v.sort)) for v, x in zip(new, values, strict=True))
        solver.add(terms.not_(terms.conjunction(parts)))
    return found


@given(cfa=automata(), reading=st.sampled_from(Reading), data=st.data())
@settings(max_examples=30, deadline=None)
def test_an_edge_relates_what_its_paths_relate(cfa: Cfa, reading: Reading, data: st.DataObject) -> None:
    summary = summary_of(cfa, reading)
    variables = [v.term for v in cfa.variables]
    steps = Steps(cfa, variables, reading)
    ends = frozenset(summary.cfa.locations)
    start = data.draw(st.sampled_from([location for location in cfa.order if location in ends]))
    state = data.draw(st.sampled_from(list(everything(variables))))
    if start is not cfa.error:
        found = {
            (edge.target, after)
            for edge in summary.cfa.leaving[start]
            for after in related(cfa, edge, variables, state)
        }
        assert found == first_met(cfa, steps, start, state, ends)


@given(cfa=automata(), reading=st.sampled_from(Reading))
@settings(max_examples=25, deadline=None)
def test_the_loop_agrees_with_brute_force(cfa: Cfa, reading: Reading) -> None:
    truth = bool(reachable(cfa, [v.term for v in cfa.variables], reading)[cfa.error])
    match run(cfa, "lbe-preprocessed", reading, "bits"):
        case Safe():
            assert not truth
        case Unsafe(trace, _):
            assert feasible(cfa, trace, reading)
        case Unknown(reason):
            assert "no interpolants" in reason or "trivial" in reason


def branching() -> Cfa:
    """x := 0; while (x < 2) { if (y = 0) x := x + 1; else { x := x + 2; x := x - 1; } } error if x != 2."""
    sketch = Sketch(9, x=INT, y=INT)
    terms, x, y = sketch.terms, sketch.x, sketch.y
    sketch.assign(0, 1, x, terms.integer(0))
    sketch.branch(1, terms.lt(x, terms.integer(2)), 2, 6)
    sketch.branch(2, terms.eq(y, terms.integer(0)), 3, 4)
    sketch.assign(3, 1, x, terms.add(x, terms.integer(1)))
    sketch.assign(4, 5, x, terms.add(x, terms.integer(2)))
    sketch.assign(5, 1, x, terms.sub(x, terms.integer(1)))
    sketch.assume(6, 8, terms.ne(x, terms.integer(2)))
    return sketch.cfa()


def test_only_block_ends_are_left_and_all_paths_between_two_of_them_are_one_edge() -> None:
    cfa = branching()
    summary = summary_of(cfa)
    assert [location.index for location in summary.cfa.locations] == [0, 1, 8]
    assert [(edge.source.index, edge.target.index) for edge in summary.cfa.edges] == [(0, 1), (1, 1), (1, 8)]
    assert set(summary.cfa.locations) <= set(cfa.locations)


def test_paths_that_contradict_themselves_are_no_edge() -> None:
    sketch = Sketch(3, x=bits(2))
    sketch.assume(0, 1, sketch.is_(sketch.x, 1))
    sketch.assume(1, 2, sketch.terms.not_(sketch.is_(sketch.x, 1)))
    assert summary_of(sketch.cfa()).cfa.edges == ()


def test_values_in_between_are_auxiliary_and_dead() -> None:
    cfa = branching()
    summary = summary_of(cfa)
    auxiliary = {v.term for v in summary.cfa.variables} - {v.term for v in cfa.variables}
    assert [v.name for v in auxiliary] == ["x!1"]
    assert not any(auxiliary & live for live in live_variables(summary.cfa).values())


def test_a_cycle_that_meets_no_kept_location_is_refused() -> None:
    cfa = branching()
    with pytest.raises(ValueError, match="cycle"):
        summarise(cfa, frozenset({cfa.locations[6]}), Reading.WRAP)


def test_an_edge_continues_no_block() -> None:
    summary = summary_of(branching())
    first, second, _ = summary.cfa.edges
    path = summary.paths.extend(summary.paths.empty, first)
    with pytest.raises(ValueError, match="whole block"):
        summary.paths.extend(path, second)


def test_a_counterexample_is_told_edge_by_edge() -> None:
    sketch = Sketch(6, x=bits(4), y=bits(4))
    sketch.assign(0, 1, sketch.x, sketch.number(0, sketch.x))
    sketch.branch(1, sketch.is_(sketch.y, 3), 2, 3)
    sketch.assign(2, 1, sketch.y, sketch.plus(sketch.y, 1))
    sketch.assign(3, 4, sketch.x, sketch.plus(sketch.x, 7))
    sketch.assume(4, 5, sketch.is_(sketch.y, 4))
    outcome = run(sketch.cfa(), "lbe-preprocessed", Reading.WRAP, "bits")
    assert isinstance(outcome, Unsafe)
    assert all(edge in sketch.edges for edge in outcome.trace)
    assert [e.source.index for e in outcome.trace] in ([0, 1, 3, 4], [0, 1, 2, 1, 3, 4])


def test_a_counterexample_that_was_executed_is_one_of_the_automaton_as_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops are executed edge by edge."""
    cfa = counting(40, 40)
    executed = []

    def spy(model: Cfa, *rest: Any) -> Discovery:
        executed.append(model)
        return discover(model, *rest)

    monkeypatch.setattr("argosy.strategies.predicate.discover", spy)
    chosen = configure("lbe-preprocessed", {"interpolation": "newton"})
    outcome = engine.check(chosen.build(Setting(cfa, Solvers(cfa.terms, Counters()), Reading.WRAP, "int")))
    assert executed == [cfa]
    assert isinstance(outcome, Unsafe)
    assert len(outcome.trace) == 1 + 40 * 2 + 2


@pytest.mark.parametrize(("limit", "error_at", "verdict"), [(3, 4, Safe), (3, 3, Unsafe)])
@pytest.mark.parametrize("strategy", ["lbe", "lbe-preprocessed"])
def test_verdicts_are_those_of_large_blocks(strategy: str, limit: int, error_at: int, verdict: type) -> None:
    assert type(run(counting(limit, error_at), strategy, Reading.WRAP, "int")) is verdict


def fixed_point(cfa: Cfa, paths: Paths, block: str, predicates: list[Term]) -> tuple[dict[Location, Term], int]:
    """What is claimed at each location under a fixed global precision, and the number of abstractions."""
    kind = "int" if any(v.term.sort is INT for v in cfa.variables) else "bits"
    solvers = Solvers(cfa.terms, Counters())
    solver = solvers.create("abstraction", kind)  # type: ignore[arg-type]
    abstraction = PredicateAbstraction(cfa.terms, paths, Regions(cfa.terms), solver, solvers.counters, "boolean")
    analysis = BlockAnalysis(cfa, cfa.terms, paths, abstraction, block_operator(cfa, parse_blocks(block)))
    reached = Reached(analysis.partition)
    precision = Precision("global").join([(cfa.initial, predicates)])
    engine.explore(analysis, reached, block_order(SearchOrder.TOPOLOGICAL, cfa), precision, 0, Silent())
    claims: dict[Location, Term] = {}
    for node in reached:
        location, formula = analysis.claim(node.state)
        if formula is not None:
            claims[location] = cfa.terms.or_(claims.get(location, cfa.terms.false), formula)
    return claims, abstraction.counters.computed


@given(cfa=automata(), reading=st.sampled_from(Reading))
@settings(max_examples=25, deadline=None)
def test_under_one_precision_the_claims_are_those_of_large_blocks(cfa: Cfa, reading: Reading) -> None:
    """The abstraction of all paths between two locations is what the abstractions of their parts are together."""
    terms, summary = cfa.terms, summary_of(cfa, reading)
    predicates = predicates_of(cfa)[:5]
    on_the_fly, _ = fixed_point(cfa, Paths(terms, reading), "lbe", predicates)
    beforehand, _ = fixed_point(summary.cfa, summary.paths, "sbe", predicates)
    assert on_the_fly.keys() == beforehand.keys()
    solver = Solvers(terms, Counters()).create("entailment", "bits")
    for location, claim in on_the_fly.items():
        assert solver.check([terms.not_(terms.eq(claim, beforehand[location]))]) is Satisfiability.UNSAT


def abstractions(cfa: Cfa, predicates: list[Term]) -> tuple[int, int]:
    """How many are computed on the fly, and how many after summarising."""
    summary = summary_of(cfa)
    on_the_fly = fixed_point(cfa, Paths(cfa.terms, Reading.WRAP), "lbe", predicates)[1]
    return on_the_fly, fixed_point(summary.cfa, summary.paths, "sbe", predicates)[1]


def test_under_one_precision_the_abstractions_are_those_of_large_blocks() -> None:
    """Where a block end has one entering edge each time, nothing is saved; otherwise paths are abstracted together."""
    cfa = figure_2()
    i = cfa.variables[0].term
    predicates = [cfa.terms.eq(i, cfa.terms.integer(n)) for n in range(3)]
    assert abstractions(cfa, predicates) == (4, 4)
    cfa = branching()
    x = cfa.variables[0].term
    predicates = [cfa.terms.eq(x, cfa.terms.integer(n)) for n in range(3)]
    assert abstractions(cfa, predicates) == (7, 4)


@pytest.mark.parametrize(
    ("example", "verdict"), [("lock", "safe"), ("lock_bug", "unsafe"), ("two_counters", "safe"), ("goto_retry", None)]
)
def test_examples_are_certified(example: str, verdict: str | None) -> None:
    results = [
        argosy.verify(EXAMPLES / f"{example}.c", strategy=name, time_limit=60) for name in ("lbe", "lbe-preprocessed")
    ]
    assert all(result.certified for result in results)
    assert {result.verdict for result in results} == {verdict or results[0].verdict}


def test_a_loop_inside_a_block_is_not_claimed_to_be_unreachable(tmp_path: Path) -> None:
    """The slice drops the loop, so that its head is no block end; the certificate is about the model as read."""
    program = tmp_path / "irrelevant.c"
    program.write_text(
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n"
        "int main(void) { int x = __VERIFIER_nondet_int(), big = 0, y = 0;\n"
        "  if (x > 5) big = 1;\n"
        "  while (__VERIFIER_nondet_int()) y = y + 2;\n"
        "  if (big == 1 && x < 0) reach_error();\n"
        "  return y; }\n"
    )
    result = argosy.verify(program, strategy="lbe-preprocessed", arithmetic="int", time_limit=60)
    assert (result.verdict, result.certified) == ("safe", True)
