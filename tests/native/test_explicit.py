"""Explicit values explored by the kernel: node by node the graph of the loop in Python, its twin."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.backends.contract import Deaf
from argosy.backends.stages import Observation
from argosy.basics.budget import Budget, OutOfBudget
from argosy.domains.explicit import ExplicitAnalysis
from argosy.domains.precision import GRANULARITIES, Precision
from argosy.engine import engine
from argosy.engine.frontier import reopen
from argosy.engine.outcome import Outcome, Safe, Unknown, Unsafe
from argosy.engine.protocols import Silent, Strategy
from argosy.engine.reached import Node, Reached
from argosy.frontends.c.load import load
from argosy.logic.semantics import BIT_OPERATORS, Value
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import BOOL, INT, Sort, bits
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Cfa, Havoc, Reading, Relation
from argosy.models.reduce import reduce
from argosy.native.explicit import KernelExplorer, explores
from argosy.options.values import parse_search
from argosy.strategies import configure
from argosy.strategies.explicit import kernel_of
from argosy.strategies.search import cost_order, explicit_order
from argosy.strategies.setting import Setting
from tests.fuzz.generator import generate
from tests.fuzz.statements import TINY
from tests.models.automata import Sketch, automata

SEARCHES = ["bfs", "dfs", "err", "dfs-err", "topological", "scc", "1,2", "-1,2"]
Row = tuple[Any, ...]


def rows(reached: Reached) -> list[Row]:
    """All that a graph says."""
    return [
        (
            node.id,
            node.state,
            None if node.derivation is None else (node.derivation[0].id, node.derivation[1]),
            None if node.coverer is None else node.coverer.id,
            node.expanded,
            node.target,
            node.depth,
        )
        for node in reached
    ]


class Recording(Silent):
    """Writes down the graph after every step, while it is small; then the numbers of nodes."""

    def __init__(self, most: int = 2_000) -> None:
        self.seen: list[Any] = []
        self._most = most

    def expanded(self, node: Node, reached: Reached) -> None:
        self.seen.append((node.id, node.state, reached.created, len(reached)))
        if len(reached) < 40:
            self.seen.append(rows(reached))
        if reached.created > self._most:
            raise OutOfBudget("enough")

    def refined(self, reached: Reached, precision: Precision) -> None:
        self.seen.append((rows(reached), precision.terms()))


def strategy_of(cfa: Cfa, reading: Reading, name: str = "explicit", **options: str) -> Strategy[Any, Any, Any]:
    chosen = configure(name, {option.replace("_", "-"): value for option, value in options.items()})
    return chosen.build(Setting(cfa, Solvers(cfa.terms, Counters()), reading, "bits"))


def compared(cfa: Cfa, reading: Reading, name: str = "explicit", **options: str) -> Outcome:
    """The outcome, which is that of the twin, as is everything before it."""
    found = []
    for native in (True, False):
        strategy = strategy_of(cfa, reading, name, **options)
        assert strategy.explorer is not None
        strategy = strategy if native else _twin(strategy)
        recording = Recording()
        found.append((engine.check(strategy, recording), recording.seen))
    (outcome, seen), (expected, twin_seen) = found
    assert seen == twin_seen
    assert type(outcome) is type(expected)
    match outcome, expected:
        case Safe(reached, _) | Unknown(_, reached, _), Safe(other, _) | Unknown(_, other, _):
            assert rows(reached) == rows(other)
            assert list(reached.states()) == list(other.states())
            some = cfa.locations[::2]
            assert list(reached.states(some)) == list(other.states(some))
            analysis = strategy.analysis
            assert isinstance(analysis, ExplicitAnalysis)
            assert analysis.diverges(reached.all_states()) is analysis.diverges(other.all_states())
        case Unsafe(trace), Unsafe(other_trace):
            assert trace == other_trace
    return outcome


def _twin(strategy: Strategy[Any, Any, Any]) -> Strategy[Any, Any, Any]:
    return Strategy(
        strategy.analysis, strategy.frontier, strategy.refiner, strategy.precision, strategy.targets, explorer=None
    )


@pytest.mark.parametrize("search", SEARCHES)
@given(cfa=automata(), reading=st.sampled_from(Reading), granularity=st.sampled_from(GRANULARITIES), data=st.data())
@settings(max_examples=20, deadline=None)
def test_random_automata(search: str, cfa: Cfa, reading: Reading, granularity: str, data: st.DataObject) -> None:
    prune = data.draw(st.sampled_from(["lazy", "full", "adaptive"]))
    compared(cfa, reading, search=search, granularity=granularity, prune=prune)


@pytest.mark.parametrize("limit", ["0", "1", "3"])
@given(cfa=automata(), reading=st.sampled_from(Reading), search=st.sampled_from(["bfs", "err"]))
@settings(max_examples=10, deadline=None)
def test_a_solver_enumerates_for_the_kernel(limit: str, cfa: Cfa, reading: Reading, search: str) -> None:
    compared(cfa, reading, "theta-expl-multiseq", max_enum=limit, search=search)


@given(cfa=automata(), reading=st.sampled_from(Reading), search=st.sampled_from(SEARCHES), data=st.data())
@settings(max_examples=40, deadline=None)
def test_anything_may_be_pruned_at_any_time(cfa: Cfa, reading: Reading, search: str, data: st.DataObject) -> None:
    """While the precision grows as well."""
    analysis = ExplicitAnalysis(cfa, reading)
    order = parse_search(search)
    explorer, frontier = KernelExplorer(analysis, cost_order(order, cfa)), explicit_order(order, cfa)
    twin = Reached(analysis.partition)
    precision = Precision("local")
    for _ in range(6):
        variables = st.lists(st.sampled_from(analysis.variables), unique=True)
        at = data.draw(st.sampled_from(cfa.locations))
        precision = precision.join([(at, data.draw(variables))])
        steps = data.draw(st.integers(1, 30))
        with suppress(OutOfBudget):
            explorer.explore(precision, 0, _After(steps))
        with suppress(OutOfBudget):
            engine.explore(analysis, twin, frontier, precision, 0, _After(steps))
        assert rows(explorer.reached) == rows(twin)
        twin.validate()
        ids = data.draw(st.lists(st.sampled_from([node.id for node in twin]), max_size=3, unique=True))
        # A root takes everything with it, which is seldom what one wants to see.
        ids = [i for i in ids if i != next(iter(twin)).id or data.draw(st.booleans())]
        explorer.reached.prune([node for node in explorer.reached if node.id in ids])
        reopen(frontier, twin.prune([node for node in twin if node.id in ids]))
        assert rows(explorer.reached) == rows(twin)
        assert all(node in explorer.reached for node in explorer.reached)


class _After(Silent):
    def __init__(self, steps: int) -> None:
        self._left = steps

    def expanded(self, node: Node, reached: Reached) -> None:
        self._left -= 1
        if not self._left:
            raise OutOfBudget("enough")


@pytest.mark.parametrize("seed", range(1, 13))
def test_random_programs(seed: int, tmp_path: Path) -> None:
    """All variables of C programs are tracked from the beginning, and then only those that are found."""
    program = generate(seed, TINY, ("ILP32", "LP64"))
    source = program.source()
    path = tmp_path / "program.c"
    path.write_text(source.text, encoding="utf-8")
    cfa = reduce(load(str(path), terms=Terms(), data_model=program.data_model).cfa, reading=Reading.WRAP).cfa
    if not explores(ExplicitAnalysis(cfa, Reading.WRAP)):
        pytest.skip("not all of it is about words")
    compared(cfa, Reading.WRAP, initial_precision="all-variables")
    compared(cfa, Reading.WRAP, search="dfs", prune="lazy")


# ---- operators --------------------------------------------------------------------------------------------------


def _terms(a: Term, b: Term, p: Term, terms: Terms) -> Iterator[Term]:
    for op in BIT_OPERATORS:
        yield terms.bit(op, a) if op in ("bvneg", "bvnot") else terms.bit(op, a, b)
    width = a.sort.width
    yield terms.extract(a, width - 1, width // 2)
    yield terms.sign_extend(a, min(5, 64 - width))
    yield terms.zero_extend(a, min(5, 64 - width))
    if width <= 32:
        yield terms.concat(a, b)
    yield terms.eq(a, b)
    yield terms.ite(p, a, b)
    yield terms.ite(terms.eq(a, b), terms.bit("bvadd", a, b), a)
    yield terms.ite(p, terms.const(1, a.sort), terms.const(0, a.sort))
    yield terms.bit("bvadd", terms.ite(p, a, b), b)
    yield terms.and_(p, terms.eq(a, terms.const(1, a.sort)))
    yield terms.or_(p, terms.not_(terms.eq(a, terms.const(1, a.sort))), terms.bit("bvult", a, b))
    yield a


@pytest.mark.parametrize("width", [1, 8, 32, 64])
@given(data=st.data())
@settings(max_examples=3, deadline=None)
def test_operators(width: int, data: st.DataObject) -> None:
    """Each variable is known, unknown, or known not to be one value; the result is a new value, or a condition."""
    sort = bits(width)
    number = st.integers(0, (1 << width) - 1) | st.sampled_from([0, 1, (1 << width) - 1, 1 << (width - 1)])
    kinds = st.sampled_from(["known", "unknown", "other"])
    start = [(data.draw(kinds), data.draw(number)) for _ in range(2)]
    flag = data.draw(st.sampled_from([None, True, False]))
    for number_of, _ in enumerate(_terms(*_fresh(sort))):
        sketch = Sketch(7, a=sort, b=sort, p=BOOL, r=BOOL)
        terms = sketch.terms
        term = list(_terms(sketch.a, sketch.b, sketch.p, terms))[number_of]
        if term.sort is not BOOL:
            sketch.variables["r"] = terms.var("result", term.sort)
        for at, (variable, (kind, value)) in enumerate(zip((sketch.a, sketch.b), start, strict=True)):
            equal = terms.eq(variable, terms.const(value, sort))
            if kind == "unknown":
                sketch.step(at, at + 1, Havoc(variable))
            else:
                sketch.assume(at, at + 1, equal if kind == "known" else terms.not_(equal))
        _start(sketch, flag)
        result = sketch.variables["r"]
        sketch.assign(3, 4, result, term)
        if term.sort is BOOL:
            sketch.branch(3, term, 5, 4)
        sketch.assume(4, 6, terms.eq(result, terms.const(0 if term.sort.is_bits else False, result.sort)))
        sketch.assign(5, 6, sketch.a, sketch.b)
        compared(sketch.cfa(), Reading.WRAP, initial_precision="all-variables")


def _fresh(sort: Sort) -> tuple[Term, Term, Term, Terms]:
    terms = Terms()
    return terms.var("a", sort), terms.var("b", sort), terms.var("p", BOOL), terms


def _start(sketch: Sketch, flag: bool | None) -> None:
    if flag is None:
        sketch.step(2, 3, Havoc(sketch.p))
    else:
        sketch.assign(2, 3, sketch.p, sketch.terms.true if flag else sketch.terms.false)


def test_old_values_are_read_where_several_change_at_once() -> None:
    """Two variables are exchanged in one step, under an assumption that fixes one of them."""
    sketch = Sketch(5, a=bits(8), b=bits(8))
    terms = sketch.terms
    sketch.assign(0, 1, sketch.a, sketch.number(1, sketch.a))
    sketch.assign(1, 2, sketch.b, sketch.number(2, sketch.b))
    primed = terms.var("a'", bits(8)), terms.var("b'", bits(8))
    formula = terms.and_(terms.eq(primed[0], sketch.b), terms.eq(primed[1], sketch.a))
    sketch.step(2, 3, Relation(formula, ((sketch.a, primed[0]), (sketch.b, primed[1]))))
    sketch.assume(3, 4, terms.and_(sketch.is_(sketch.a, 1), sketch.is_(sketch.b, 1)))
    outcome = compared(sketch.cfa(), Reading.WRAP, initial_precision="all-variables")
    assert isinstance(outcome, Safe)
    assert {tuple(state.values) for state in outcome.reached.states([sketch.locations[3]])} == {(2, 1)}


# ---- what the kernel does not do --------------------------------------------------------------------------------


@pytest.mark.parametrize("sort", [INT, bits(65)])
def test_other_numbers_are_for_the_twin(sort: Sort) -> None:
    sketch = Sketch(3, x=sort)
    sketch.assign(0, 1, sketch.x, sketch.terms.const(1, sort))
    sketch.assume(1, 2, sketch.terms.eq(sketch.x, sketch.terms.const(2, sort)))
    analysis = ExplicitAnalysis(sketch.cfa(), Reading.WRAP)
    assert not explores(analysis) and kernel_of(analysis, parse_search("bfs")) is None


def test_without_the_kernel_there_is_the_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("argosy.strategies.explicit.find_spec", lambda name: None)
    strategy = strategy_of(_counting(4), Reading.WRAP)
    assert strategy.explorer is None
    assert isinstance(engine.check(strategy), Safe)


def test_a_graph_of_the_kernel_is_not_changed_from_outside() -> None:
    cfa = _counting(4)
    reached = strategy_of(cfa, Reading.WRAP).explorer().reached  # type: ignore[misc]
    for change in (lambda: reached.add(None), lambda: reached.cover(None, None), lambda: reached.mark_target(None)):  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="kernel"):
            change()


# ---- limits -----------------------------------------------------------------------------------------------------


def _counting(width: int) -> Cfa:
    """A counter that goes round and round, and an error that values exclude."""
    sketch = Sketch(5, i=bits(width), j=bits(width))
    sketch.assign(0, 1, sketch.i, sketch.number(0, sketch.i))
    sketch.assign(1, 2, sketch.j, sketch.number(0, sketch.j))
    sketch.branch(2, sketch.terms.and_(sketch.is_(sketch.i, 3), sketch.is_(sketch.j, 9)), 4, 3)
    sketch.assign(3, 2, sketch.i, sketch.plus(sketch.i, 1))
    return sketch.cfa()


def _observed(expansions: int = 0, budget: Budget | None = None, native: bool = True) -> tuple[Outcome, Observation]:
    strategy = strategy_of(_counting(32), Reading.WRAP)
    observation = Observation(Deaf(), Counters())
    # The kernel has no more nodes than the loop in Python would have.
    observation.begin("explicit", budget or Budget(), expansions, _twin(strategy))
    return engine.check(strategy if native else _twin(strategy), observation), observation


@pytest.mark.parametrize("expansions", [1, 77, 1_000, 50_000])
def test_expansions_are_counted_as_the_twin_counts_them(expansions: int) -> None:
    """The last number is more than what a look at the values allows."""
    counts = []
    for native in (True, False):
        outcome, observation = _observed(expansions, native=native)
        assert isinstance(outcome, Unknown) and outcome.reason == "time limit"
        counts.append(observation.counts())
    assert counts[0] == counts[1]


def test_time_limits_hold() -> None:
    began = time.process_time()
    outcome, observation = _observed(budget=Budget.of(0.3))
    assert isinstance(outcome, Unknown) and outcome.reason == "time limit"
    assert time.process_time() - began < 2 and observation.created > 1_000


def test_an_interrupt_is_seen_at_once() -> None:
    """The kernel comes back for it."""
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        _observed()
    assert time.process_time() - began < 5


def test_a_node_takes_a_hundred_bytes() -> None:
    """Its state included."""
    outcome, _ = _observed(100_000)
    assert isinstance(outcome, Unknown) and isinstance(outcome.reached, Reached)
    kernel = outcome.reached.kernel  # type: ignore[attr-defined]
    assert kernel.alive > 10_000 and kernel.bytes / kernel.alive < 150


def test_values_are_those_of_their_sorts() -> None:
    sketch = Sketch(4, p=BOOL, x=bits(64))
    sketch.assign(0, 1, sketch.p, sketch.terms.true)
    sketch.assign(1, 2, sketch.x, sketch.number((1 << 64) - 1, sketch.x))
    sketch.assume(2, 3, sketch.terms.and_(sketch.terms.not_(sketch.p), sketch.is_(sketch.x, 1)))
    outcome = compared(sketch.cfa(), Reading.WRAP, initial_precision="all-variables")
    assert isinstance(outcome, Safe)
    known: list[Value] = [v for state in outcome.reached.states() for v in state.values if v is not None]
    assert {type(v) for v in known} <= {bool, int} and (1 << 64) - 1 in known
