"""Interpolants obey their laws, whichever method finds them; a method that fails is followed by the next."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from argosy.basics.budget import UNLIMITED, Budget, ProcessorClock
from argosy.logic.interpolation import METHODS, Clause, Horn, Interpolation, sort_kind
from argosy.logic.projection import project
from argosy.logic.solver import Counters, Satisfiability
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import BOOL, INT, REAL, Sort, array, bits
from argosy.logic.spacer import Unanswered, Worker, path, shared_variables
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate, variables
from argosy.logic.weakening import weaken

TERMS = Terms()
SOLVERS = Solvers(TERMS, Counters())


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    worker = Worker(TERMS)
    yield worker
    worker.close()


class Sorted:
    """Constructors for one sort, so that a path reads the same over integers, rationals and bits."""

    def __init__(self, sort: Sort) -> None:
        self.sort = sort

    def var(self, name: str, index: int) -> Term:
        return TERMS.var(f"{name}@{index}", self.sort)

    def number(self, value: int) -> Term:
        return TERMS.const(value, self.sort)

    def add(self, a: Term, value: int) -> Term:
        other = self.number(value)
        return TERMS.bit("bvadd", a, other) if self.sort.is_bits else TERMS.add(a, other)

    def lt(self, a: Term, b: Term) -> Term:
        return TERMS.bit("bvslt", a, b) if self.sort.is_bits else TERMS.lt(a, b)


def counting(sort: Sort, steps: int, noise: bool = True) -> list[Term]:
    """x and y start at 0, x grows by one and y by two; in the end y is below x."""
    s = Sorted(sort)
    parts = [TERMS.and_(TERMS.eq(s.var("x", 0), s.number(0)), TERMS.eq(s.var("y", 0), s.number(0)))]
    for i in range(steps):
        step = [
            TERMS.eq(s.var("x", i + 1), s.add(s.var("x", i), 1)),
            TERMS.eq(s.var("y", i + 1), s.add(s.var("y", i), 2)),
        ]
        if noise:
            step.append(s.lt(s.var("x", i), s.number(100)))
            step.append(TERMS.eq(s.var("z", i + 1), s.add(s.var("z", i), 7)))
        parts.append(TERMS.conjunction(step))
        parts.append(s.lt(s.var("x", i + 1), s.number(99)) if noise else TERMS.true)
    parts.append(s.lt(s.var("y", steps), s.var("x", steps)))
    return parts


def branching(steps: int) -> list[Term]:
    """In each step x and y grow, or only y does; in the end y is below x."""
    s = Sorted(INT)
    parts = [TERMS.and_(TERMS.eq(s.var("x", 0), s.number(0)), TERMS.eq(s.var("y", 0), s.number(0)))]
    for i in range(steps):
        same = TERMS.eq(s.var("x", i + 1), s.var("x", i))
        grown = TERMS.eq(s.var("x", i + 1), s.add(s.var("x", i), 1))
        parts.append(TERMS.and_(TERMS.or_(same, grown), TERMS.eq(s.var("y", i + 1), s.add(s.var("y", i), 1))))
    parts.append(s.lt(s.var("y", steps), s.var("x", steps)))
    return parts


def check_laws(parts: Sequence[Term], found: Sequence[Term]) -> None:
    """By a solver that no method uses."""
    assert len(found) == len(parts) - 1
    for formula, shared in zip(found, shared_variables(parts), strict=True):
        assert variables(formula) <= shared
    before = [TERMS.true, *found]
    after = [*found, TERMS.false]
    solver = SOLVERS.create("second-opinion", sort_kind(parts))
    for left, part, right in zip(before, parts, after, strict=True):
        assert solver.check([left, part, TERMS.not_(right)]) is Satisfiability.UNSAT, (left, part, right)


CASES = [
    *((method, sort) for method in METHODS["int"] for sort in (INT, REAL)),
    ("newton", bits(8)),
    ("newton-wp", bits(8)),
    ("bitwuzla", bits(8)),
]


@pytest.mark.parametrize(("method", "sort"), CASES, ids=lambda value: str(value))
@pytest.mark.parametrize("weakened", [False, True])
def test_a_counting_path(method: str, sort: Sort, weakened: bool) -> None:
    parts = counting(sort, 4)
    with Interpolation(TERMS, SOLVERS, (method,), weaken=weakened) as interpolation:
        found = interpolation.sequence(parts)
        assert found is not None, interpolation.reasons
        assert interpolation.reasons == []
    check_laws(parts, found)
    assert TERMS.var("z@1", sort) not in frozenset().union(*(variables(t) for t in found))


@pytest.mark.parametrize("method", METHODS["int"])
def test_a_branching_path(method: str) -> None:
    parts = branching(4)
    with Interpolation(TERMS, SOLVERS, (method,)) as interpolation:
        found = interpolation.sequence(parts)
    assert found is not None
    check_laws(parts, found)


def test_weakening_finds_the_invariant_at_each_visit() -> None:
    with Interpolation(TERMS, SOLVERS, ("spacer",)) as interpolation:
        found = interpolation.sequence(counting(INT, 6))
    assert found is not None
    heads = [found[2 * i] for i in range(1, 7)]
    expected = [TERMS.le(TERMS.var(f"x@{i}", INT), TERMS.var(f"y@{i}", INT)) for i in range(1, 7)]
    assert heads == expected


def test_weakening_keeps_the_laws_and_only_weakens() -> None:
    s = Sorted(INT)
    parts = counting(INT, 5, noise=False)
    x = [s.var("x", (i + 1) // 2) for i in range(len(parts) - 1)]
    y = [s.var("y", (i + 1) // 2) for i in range(len(parts) - 1)]
    exact = [TERMS.and_(TERMS.eq(a, s.number((i + 1) // 2)), TERMS.eq(b, s.number((i + 1) // 2 * 2)))
             for i, (a, b) in enumerate(zip(x, y, strict=True))]  # fmt: skip
    check_laws(parts, exact)
    result = weaken(TERMS, SOLVERS.create("trace", "int"), parts, exact, UNLIMITED)
    check_laws(parts, result)
    assert weaken(TERMS, SOLVERS.create("trace", "int"), parts, exact, Budget.of(0.0)) == exact
    for strong, weak in zip(exact, result, strict=True):
        solver = SOLVERS.create("trace", "int")
        solver.add(strong)
        assert solver.check([TERMS.not_(weak)]) is Satisfiability.UNSAT


def test_irrelevant_parts() -> None:
    p, q = TERMS.var("p", BOOL), TERMS.var("q", BOOL)
    with Interpolation(TERMS, SOLVERS) as interpolation:
        parts = [q, p, TERMS.true, q, TERMS.not_(p), q]
        assert interpolation.sequence(parts) == [TERMS.true, p, p, p, TERMS.false]
        assert interpolation.unsat_core(parts) == [
            TERMS.true, p, TERMS.true, TERMS.true, TERMS.not_(p), TERMS.true,
        ]  # fmt: skip
        assert interpolation.sequence([q, TERMS.false, p]) == [TERMS.true, TERMS.false]
        assert interpolation.sequence([TERMS.and_(q, p), TERMS.not_(p)]) == [p]
        assert interpolation.binary(TERMS.not_(p), TERMS.and_(p, q)) is TERMS.not_(p)
        assert interpolation.sequence([TERMS.false]) == []


def test_no_contradiction_no_interpolants() -> None:
    p, q = TERMS.var("p", BOOL), TERMS.var("q", BOOL)
    with Interpolation(TERMS, SOLVERS) as interpolation:
        assert interpolation.sequence([p, q]) is None
        assert interpolation.reasons == ["core: the parts do not contradict one another"]
        assert interpolation.unsat_core([p, q]) is None
        assert interpolation.sequence([p, TERMS.not_(p)]) == [p]
        assert interpolation.reasons == []


def test_unknown_methods_are_refused() -> None:
    with pytest.raises(ValueError, match="no such interpolation method: magic"):
        Interpolation(TERMS, SOLVERS, ("magic",))


class Faulty(Interpolation):
    """Has a first method that answers with given formulas."""

    answer: Sequence[Term]

    def _by(self, method: str, parts: Sequence[Term], horn: Horn, budget: Budget) -> list[Term]:
        if method == "spacer":
            return list(self.answer)
        return super()._by(method, parts, horn, budget)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (TERMS.true, "not inductive"),
        (TERMS.false, "not inductive"),
        (TERMS.eq(TERMS.var("h@0", INT), TERMS.integer(1)), "foreign variables"),
    ],
)
def test_wrong_interpolants_are_caught_and_the_next_method_asked(wrong: Term, reason: str) -> None:
    s = Sorted(INT)
    hidden = TERMS.eq(s.var("h", 0), s.number(1))
    parts = [TERMS.and_(TERMS.eq(s.var("x", 1), s.var("h", 0)), hidden), s.lt(s.var("x", 1), s.number(0))]
    with Faulty(TERMS, SOLVERS, ("spacer", "newton")) as interpolation:
        interpolation.answer = [wrong]
        found = interpolation.sequence(parts)
        assert len(interpolation.reasons) == 1 and reason in interpolation.reasons[0]
    assert found is not None
    check_laws(parts, found)


# ---- random sequences -------------------------------------------------------------------------------------


@st.composite
def literals(draw: st.DrawFn, sort: Sort, low: int, high: int) -> Term:
    """A literal about the variables of cuts low..high."""
    s = Sorted(sort)

    def side() -> Term:
        if draw(st.integers(0, 3)) == 0:
            return s.number(draw(st.integers(-2, 3)))
        own = s.var(draw(st.sampled_from("xy")), draw(st.integers(low, high)))
        return s.add(own, draw(st.integers(-2, 2)))

    a, b = side(), side()
    atom = TERMS.eq(a, b) if draw(st.booleans()) else s.lt(a, b)
    return atom if draw(st.integers(0, 2)) else TERMS.not_(atom)


@st.composite
def sequences(draw: st.DrawFn, sort: Sort) -> list[Term]:
    parts = []
    for i in range(draw(st.integers(2, 4))):
        literal = literals(sort, i, i + 1)
        clause = st.lists(literal, min_size=1, max_size=2).map(TERMS.disjunction)
        parts.append(draw(st.lists(clause, min_size=1, max_size=4).map(TERMS.conjunction)))
    return parts


@pytest.mark.parametrize("methods", [(m,) for m in METHODS["int"]] + [METHODS["int"]], ids=str)
def test_random_sequences_of_integers(methods: tuple[str, ...]) -> None:
    _random(methods, INT)


@pytest.mark.parametrize("methods", [(m,) for m in METHODS["bits"]] + [METHODS["bits"]], ids=str)
def test_random_sequences_of_bits(methods: tuple[str, ...]) -> None:
    _random(methods, bits(4))


def _random(methods: tuple[str, ...], sort: Sort) -> None:
    """The laws hold for any sequence; how many are found is counted on the same ones each time."""
    with Interpolation(TERMS, SOLVERS, methods, seconds=2.0) as interpolation:
        outcomes = {"contradictory": 0, "found": 0}

        def run(parts: list[Term]) -> None:
            solver = SOLVERS.create("second-opinion", sort_kind(parts))
            for part in parts:
                solver.add(part)
            contradictory = solver.check() is Satisfiability.UNSAT
            found = interpolation.sequence(parts)
            assert contradictory or found is None
            outcomes["contradictory"] += contradictory
            outcomes["found"] += found is not None
            if found is not None:
                check_laws(parts, found)

        plain = settings(max_examples=30, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        plain(given(sequences(sort))(run))()
        outcomes.update(contradictory=0, found=0)
        settings(plain, max_examples=60, derandomize=True)(given(sequences(sort))(run))()
        assert outcomes["contradictory"] >= 5
        assert outcomes["found"] >= (0.9 if len(methods) == 1 else 1.0) * outcomes["contradictory"], outcomes


@pytest.mark.parametrize("method", METHODS["bits"])
@pytest.mark.parametrize("start", [5, 0x12, 0x0807_0000, 0x8000_0000])
def test_constants_of_any_length_come_back(method: str, start: int) -> None:
    """Bitwuzla writes hexadecimal numbers without the zeros in front, which is another sort."""
    s = Sorted(bits(32))
    x0, x1 = s.var("x", 0), s.var("x", 1)
    either = [s.number(start), s.number(start + 0x1_0000)]
    parts = [
        TERMS.disjunction(TERMS.eq(x0, value) for value in either),
        TERMS.eq(x1, x0),
        TERMS.conjunction(TERMS.ne(x1, value) for value in either),
    ]
    with Interpolation(TERMS, SOLVERS, (method,)) as interpolation:
        found = interpolation.sequence(parts)
    assert found is not None
    check_laws(parts, found)


# ---- Horn clauses -----------------------------------------------------------------------------------------


def test_a_diamond_of_clauses() -> None:
    """Two ways from the first to the last relation: the interpretation of the last holds for both."""
    s = Sorted(INT)
    x0, x1, x2 = s.var("x", 0), s.var("x", 1), s.var("x", 2)
    up, down = TERMS.eq(x1, s.add(x0, 1)), TERMS.eq(x1, s.add(x0, 2))
    horn = Horn(
        ((x0,), (x1,), (x1,), (x2,)),
        (
            Clause(None, TERMS.eq(x0, s.number(0)), 0),
            Clause(0, up, 1),
            Clause(0, down, 2),
            Clause(1, TERMS.eq(x2, s.add(x1, 2)), 3),
            Clause(2, TERMS.eq(x2, x1), 3),
            Clause(3, s.lt(x2, s.number(2)), None),
        ),
    )
    assert horn.levels == 4
    with Interpolation(TERMS, SOLVERS) as interpolation:
        found = interpolation.horn(horn)
        assert found is not None, interpolation.reasons
        for value, expected in ((2, True), (3, True), (1, False)):
            assert evaluate(found[3], {x2: value}) is expected
        reachable = Horn(horn.relations, (*horn.clauses[:-1], Clause(3, s.lt(x2, s.number(3)), None)))
        assert interpolation.horn(reachable) is None
        assert interpolation.reasons == ["spacer: spacer: sat"]


def test_clauses_that_go_round_give_an_invariant() -> None:
    s = Sorted(INT)
    x, new = s.var("x", 0), s.var("x", 1)
    step = TERMS.and_(s.lt(x, s.number(10)), TERMS.eq(new, s.add(x, 1)))
    entry, loop = Clause(None, TERMS.eq(x, s.number(0)), 0), Clause(0, step, 0, (new,))
    horn = Horn(((x,),), (entry, loop, Clause(0, s.lt(s.number(10), x), None)))
    assert horn.levels == 0
    with Interpolation(TERMS, SOLVERS) as interpolation:
        found = interpolation.horn(horn)
        assert found is not None, interpolation.reasons
        (invariant,) = found
        assert all(evaluate(invariant, {x: value}) for value in range(11))
        assert not evaluate(invariant, {x: 11})
        reached = Horn(horn.relations, (entry, loop, Clause(0, s.lt(s.number(9), x), None)))
        assert interpolation.horn(reached) is None


# ---- the worker -------------------------------------------------------------------------------------------


def test_the_worker_starts_again_after_its_death(worker: Worker) -> None:
    horn = path(branching(2))
    first = worker.interpret(horn, Budget.of(10.0))
    starts = worker.starts
    assert worker._process is not None
    worker._process.kill()
    worker._process.wait()
    assert worker.interpret(horn, Budget.of(10.0)) == first
    assert worker.starts == starts + 1


def test_the_worker_is_killed_when_it_is_late(worker: Worker) -> None:
    horn = path(branching(2))
    worker.interpret(horn, Budget.of(10.0))
    assert worker._process is not None
    worker._process.send_signal(signal.SIGSTOP)
    with pytest.raises(Unanswered, match="out of time"):
        worker.interpret(horn, Budget.of(0.1))
    assert worker._process is None
    assert len(worker.interpret(horn, Budget.of(10.0))) == 3


def test_a_worker_that_dies_while_it_works(worker: Worker) -> None:
    with pytest.raises(Unanswered, match="died"):
        worker._ask({"command": "no such command"}, Budget.of(5.0))
    assert len(worker.interpret(path(branching(2)), Budget.of(10.0))) == 3


def test_what_a_worker_takes_is_time_of_the_run(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also what it took when it had to be killed; nothing is charged twice."""
    clock = ProcessorClock(lambda: 0.0)
    monkeypatch.setattr("argosy.logic.spacer.CLOCK", clock)
    worker.interpret(path(branching(2)), Budget.of(10.0))
    first = clock()
    assert first > 0
    worker.interpret(path(branching(2)), UNLIMITED)
    second = clock()
    process = worker._process
    assert process is not None and first < second
    worker.close()
    assert process.returncode == -signal.SIGKILL
    assert second <= clock() < 2 * second + 1
    worker.close()


ORPHAN = """
import os, signal
from argosy.basics.budget import Budget
from argosy.logic.spacer import Worker, path
from argosy.logic.terms import Terms
terms = Terms()
p = terms.var("p", terms.true.sort)
worker = Worker(terms)
worker.interpret(path([p, terms.not_(p)]), Budget.of(10.0))
print(worker._process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_the_worker_does_not_outlive_its_owner() -> None:
    owner = subprocess.run([sys.executable, "-c", ORPHAN], capture_output=True, text=True, timeout=60, check=False)
    assert owner.returncode == -signal.SIGKILL, owner.stderr
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if not runs(int(owner.stdout)):
            return
        time.sleep(0.05)
    pytest.fail("the worker still runs")


def runs(process: int) -> bool:
    """A process that nobody waited for has ended all the same."""
    status = Path(f"/proc/{process}/stat")
    try:
        os.kill(process, 0)
        return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_quantifier_elimination(worker: Worker) -> None:
    x, y, z = (TERMS.var(n, INT) for n in "xyz")
    formula = TERMS.and_(TERMS.or_(TERMS.lt(x, y), TERMS.eq(y, TERMS.integer(3))), TERMS.lt(y, z), TERMS.lt(z, x))
    result = worker.eliminate((y,), formula, Budget.of(5.0))
    assert y not in variables(result)
    for a, b in product(range(-2, 8), repeat=2):
        truth = any(evaluate(formula, {x: a, z: b, y: c}) for c in range(-9, 9))
        assert evaluate(result, {x: a, z: b}) == truth
    divisible = worker.eliminate((y,), TERMS.eq(x, TERMS.mul(TERMS.integer(2), y)), Budget.of(5.0))
    assert [evaluate(divisible, {x: a}) for a in (-3, 0, 1, 2)] == [False, True, False, True]


# ---- projection -------------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_projection_is_implied_and_hides(data: st.DataObject) -> None:
    sort = data.draw(st.sampled_from((bits(2), bits(3), INT)))
    clause = st.lists(literals(sort, 0, 1), min_size=1, max_size=2).map(TERMS.disjunction)
    parts = data.draw(st.lists(clause, min_size=1, max_size=5))
    hidden = {TERMS.var(f"{n}@0", sort) for n in "xy"}
    result = TERMS.conjunction(project(TERMS, parts, hidden))
    assert not variables(result) & hidden
    names = [TERMS.var(f"{n}@{i}", sort) for n in "xy" for i in (0, 1)]
    span = range(-3, 5) if sort is INT else range(2**sort.width)
    rows = list(product(span, repeat=4))
    whole = TERMS.conjunction(parts)
    for values in rows if len(rows) < 300 else Random(0).sample(rows, 300):
        valuation = dict(zip(names, values, strict=True))
        if evaluate(whole, valuation):
            assert evaluate(result, valuation), (parts, result, valuation)


def test_projection_is_exact_where_operations_can_be_undone() -> None:
    sort = bits(4)
    v, x, y = (TERMS.var(n, sort) for n in "vxy")
    narrow = TERMS.var("n", bits(2))
    images = [
        TERMS.bit("bvsub", y, TERMS.bit("bvxor", v, TERMS.bv(5, 4))),
        TERMS.bit("bvneg", TERMS.bit("bvmul", v, TERMS.bv(7, 4))),
        TERMS.bit("bvnot", TERMS.bit("bvadd", v, y)),
        TERMS.zero_extend(narrow, 2),
        TERMS.sign_extend(narrow, 2),
        TERMS.concat(narrow, TERMS.extract(y, 1, 0)),
        TERMS.concat(TERMS.extract(y, 1, 0), narrow),
    ]
    for image in images:
        parts = [TERMS.eq(x, image), TERMS.bit("bvult", v, TERMS.bv(9, 4)), TERMS.ne(narrow, TERMS.bv(1, 2))]
        result = TERMS.conjunction(project(TERMS, parts, (v, narrow) if narrow in variables(image) else (v,)))
        if narrow not in variables(image):
            parts, inner = parts[:2], v
        else:
            parts, inner = [parts[0], parts[2]], narrow
        for a, b in product(range(16), repeat=2):
            truth = any(all(evaluate(p, {x: a, y: b, inner: c}) for p in parts) for c in range(2**inner.sort.width))
            valuation = {x: a, y: b, narrow: 0}
            assert evaluate(result, valuation) == truth, (image, result, a, b)


def test_projection_of_bounds_is_the_shadow() -> None:
    v, x, y = (TERMS.var(n, INT) for n in "vxy")
    two, three = TERMS.integer(2), TERMS.integer(3)
    parts = [TERMS.le(x, v), TERMS.lt(v, y)]
    assert project(TERMS, parts, (v,)) == [TERMS.lt(x, y)]
    assert project(TERMS, [TERMS.eq(TERMS.mul(two, v), x)], (v,)) == [TERMS.eq(TERMS.mod(x, two), TERMS.integer(0))]
    mixed = TERMS.conjunction(project(TERMS, [TERMS.eq(TERMS.mul(three, v), x), TERMS.le(y, v)], (v,)))
    for a, b in product(range(-6, 7), repeat=2):
        assert evaluate(mixed, {x: a, y: b}) == (a % 3 == 0 and 3 * b <= a)
    assert project(TERMS, [TERMS.ne(v, x)], (v,)) == []
    r, s, t = (TERMS.var(n, REAL) for n in "rst")
    assert project(TERMS, [TERMS.lt(s, r), TERMS.le(r, t)], (r,)) == [TERMS.lt(s, t)]


def test_sort_kinds() -> None:
    x, b = TERMS.var("x", INT), TERMS.var("b", bits(3))
    assert sort_kind([TERMS.eq(b, TERMS.bv(1, 3))]) == "bits"
    assert sort_kind(TERMS.eq(t, t2) for t, t2 in ((x, TERMS.integer(1)), (b, TERMS.bv(1, 3)))) == "int"
    a = TERMS.var("a", array(bits(3), INT))
    assert sort_kind([TERMS.eq(a, a), TERMS.eq(TERMS.select(a, b), x)]) == "int"
    assert sort_kind([TERMS.var("p", BOOL)]) == "int"
