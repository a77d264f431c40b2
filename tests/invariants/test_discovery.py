"""Discovery on programs: each kind of relation where it is needed, and nothing where there is nothing to find."""

from __future__ import annotations

import pytest

from argosy.basics.budget import OutOfBudget
from argosy.domains.paths import Paths
from argosy.engine import engine
from argosy.engine.outcome import Safe, Unsafe
from argosy.engine.protocols import Silent
from argosy.engine.reached import Reached
from argosy.invariants import discovery
from argosy.invariants.discovery import Discovery, discover
from argosy.invariants.houdini import blocks_between
from argosy.invariants.sampling import sample
from argosy.logic.interpolation import Interpolation
from argosy.logic.solver import Counters, Satisfiability
from argosy.logic.solvers import Solvers
from argosy.logic.traverse import evaluate, variables
from argosy.models.cfa import Cfa, Reading
from argosy.options.declared import Options
from argosy.options.values import Tracking
from argosy.refiners.invariants import LoopInvariants
from argosy.strategies import configure
from argosy.strategies.setting import Setting
from tests.invariants.programs import bit_model, integer_model

N = "int n = __VERIFIER_nondet_int(); "

PROVED = {
    "equality of three variables": N + "int a = 0, b = n; while (a != 9999) { a++; b--; } check(b == n - 9999);",
    "congruence": N + "int x = 6; while (n--) x += 9; check(x % 3 == 0);",
    "bound of the program": "int x = 0; while (x < 123456) x++; check(x == 123456);",
    "bound of a difference": N + "int x = 0, y = 0; while (n--) { y += 2; if (n % 7) x++; } check(x <= y);",
    "equality under a condition": """int x = 0, y = 30; while (x < 9999) { x++; if (x > 30) y++; }
        check(y == 9999);""",
    "one condition or another": N + "int x = -7; while (x < 0) { x += n; n++; } check(n > 0);",
    "bound of three variables": """int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), i = 0, k = 0;
        if (a > 99999 || b > 99999) return 0;
        while (i < a) { i++; k++; } i = 0; while (i < b) { i++; k++; } check(k >= a + b);""",
    "polynomial": N
    + """if (n < 0 || n > 500) return 0; int s = 0, i = 0; while (i < n) { i++; s += 2 * i; }
        check(s == n * (n + 1));""",
    "values of a parameter": N
    + """if (n < 1 || n > 3) return 0; int x = 0; while (x < 600000 * n) x += n;
        check(x == 600000 * n);""",
    "a phase that is never executed": """unsigned x = 0; while (x < 80000000) { if (x < 20000000) x++; else x += 2; }
        check(x == 80000000);""",
    "all states": "int x = 0, y = 1; while (x < 5) { x++; y = y * 3 % 7; } check(y == 5);",
}


@pytest.fixture(autouse=True)
def no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found is a matter of the program, not of how busy the machine is."""
    for limit in ("_SECONDS_FOR_A_CHECK", "_SECONDS"):
        monkeypatch.setattr(discovery, limit, 100 * getattr(discovery, limit))


def at_heads(cfa: Cfa, seed: int = 0) -> Discovery:
    solvers = Solvers(cfa.terms, Counters(), seed)
    return discover(cfa, Reading.UNDEFINED, solvers, Interpolation(cfa.terms, solvers), cfa.loop_heads)


@pytest.mark.parametrize("program", PROVED.values(), ids=PROVED)
@pytest.mark.parametrize("seed", [0, 1])
def test_relations_that_prove_a_program_are_found(program: str, seed: int) -> None:
    cfa = integer_model(program)
    found = at_heads(cfa, seed)
    assert found.complete and not found.path
    assert all(len(set(own)) == len(own) > 0 for own in found.invariants.values())
    samples = sample(cfa, Reading.UNDEFINED, seed=17)
    for head, invariants in found.invariants.items():
        for state in samples.states[head]:
            valuation = dict(zip(samples.live[head], state, strict=True))
            assert all(evaluate(invariant, valuation) for invariant in invariants)


def test_what_does_not_suffice_is_still_found() -> None:
    """No guess says that y is one of five powers of two."""
    found = at_heads(
        integer_model(
            """int i = 0, j = 5, y = 1;
            while (__VERIFIER_nondet_int()) { i++; j += 2; y = y * 2 % 31; } check(j == 2 * i + 5 && y != 3);"""
        )
    )
    (invariants,) = found.invariants.values()
    assert not found.complete
    assert any({v.name.split("::")[-1] for v in variables(i)} == {"i", "j"} for i in invariants)


def test_an_error_on_the_way_is_a_path() -> None:
    cfa = integer_model(N + "int x = 0; while (x < n) x += 5; check(x != 40);")
    found = at_heads(cfa)
    assert found.path[-1].target is cfa.error and not found.complete


def test_flags_are_not_looked_at() -> None:
    counters = Counters()
    cfa = integer_model(
        "int s = 0, t = 0; while (__VERIFIER_nondet_int()) { if (s) { s = 0; t = 1; } else s = 1; } check(t < 2);"
    )
    solvers = Solvers(cfa.terms, counters)
    found = discover(cfa, Reading.UNDEFINED, solvers, Interpolation(cfa.terms, solvers), cfa.loop_heads)
    assert found == Discovery()
    assert counters.checks == 0


CALLS = N + "int i = 0, k = 0; while (i < n) { i++; check(k < i); k++; } while (k > 0) { check(i > 0); i--; k--; }"


def test_formulas_between_invariants_are_found_at_the_other_cuts() -> None:
    cfa = integer_model(CALLS)
    cuts = cfa.loop_heads | cfa.function_borders
    assert cuts > cfa.loop_heads
    solvers = Solvers(cfa.terms, Counters())
    with Interpolation(cfa.terms, solvers) as interpolation:
        found = discover(cfa, Reading.UNDEFINED, solvers, interpolation, cuts)
    assert found.complete
    assert found.invariants.keys() > cfa.loop_heads
    paths = Paths(cfa.terms, Reading.UNDEFINED)
    solver = solvers.create("trace", "int")
    for block in blocks_between(cfa, paths, cuts):
        before = found.invariants.get(block.source, ()) if block.source is not None else ()
        goal = cfa.terms.conjunction(found.invariants.get(block.target, ()))
        after = cfa.terms.false if block.target is cfa.error else paths.instantiate(goal, block.path.indices)
        assert solver.check([*before, block.path.formula, cfa.terms.not_(after)]) is Satisfiability.UNSAT


def test_a_guess_that_was_dropped_is_tried_again_with_others() -> None:
    """That x stays below its bound follows from divisibility, which is guessed later."""
    cfa = integer_model(PROVED["values of a parameter"])
    (invariants,) = at_heads(cfa).invariants.values()
    names = [{v.name.split("::")[-1] for v in variables(i)} for i in invariants if i.op != "or"]
    assert {"x", "n"} in names


class Impatient(Silent):
    """Ends a loop that goes on and on."""

    def __init__(self) -> None:
        self.patience = 8

    def refined(self, reached: Reached, precision: object) -> None:
        self.patience -= 1
        if not self.patience:
            raise OutOfBudget("too many refinements")


def prove(cfa: Cfa, **options: str) -> None:
    setting = Setting(cfa, Solvers(cfa.terms, Counters()), Reading.UNDEFINED, "int", Options())
    outcome = engine.check(configure("lbe", options).build(setting), Impatient())
    assert isinstance(outcome, Safe)


@pytest.mark.parametrize("block", ["lbe", "sbe", "k=3"])
@pytest.mark.parametrize("domain", ["pred-bool", "pred-cart"])
def test_the_loop_needs_no_unwinding(block: str, domain: str) -> None:
    """No interpolation method but one that explains single paths, and the programs count to a million."""
    for program in (CALLS, PROVED["equality of three variables"]):
        prove(integer_model(program), block=block, domain=domain, interpolation="newton")


def test_what_integers_need_not_know_is_known_on_bits() -> None:
    """On integers the loop never ends; on bits x wraps and is even when it does."""
    cfa = bit_model("unsigned x = 10; while (x >= 10) x += 2; check(x % 2 == 0);")
    setting = Setting(cfa, Solvers(cfa.terms, Counters()), Reading.UNDEFINED, "bits", Options())
    strategy = configure("lbe", {"interpolation": "newton"}).build(setting)
    assert isinstance(engine.check(strategy, Impatient()), Safe)


def test_a_deep_error_is_found_by_executing() -> None:
    cfa = integer_model("int x = 0, y = 0; while (x < 700) { x++; y += 2; } check(y != 1400);")
    setting = Setting(cfa, Solvers(cfa.terms, Counters()), Reading.UNDEFINED, "int", Options())
    outcome = engine.check(configure("lbe").build(setting))
    assert isinstance(outcome, Unsafe)
    assert len(outcome.trace) > 2000


def test_invariants_are_asked_for_once_and_when_a_loop_is_gone_round() -> None:
    asked: list[int] = []

    def count() -> Discovery:
        asked.append(1)
        return Discovery()

    cfa = integer_model(CALLS)
    setting = Setting(cfa, Solvers(cfa.terms, Counters()), Reading.UNDEFINED, "int", Options())
    analysis = configure("lbe", {"relations": "off"}).build(setting).analysis
    (start,) = analysis.initial(setting.precision(Tracking.LOCAL))
    target = Reached(analysis.partition).add(start, None)
    loops = LoopInvariants(count)
    point = start.abstraction
    assert loops.refine(target, [point, point], setting.precision(Tracking.LOCAL)) is None and not asked
    for _ in range(2):
        assert loops.refine(target, [point, point, point], setting.precision(Tracking.LOCAL)) is None
    assert asked == [1]
