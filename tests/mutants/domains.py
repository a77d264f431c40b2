"""Detectors for mistakes in domains, path formulas and refiners: the laws of tests/laws on automata drawn by hand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from argosy.domains.blocks import BlockAnalysis
from argosy.domains.explicit import ExplicitAnalysis, ExplicitState
from argosy.domains.paths import Paths
from argosy.domains.precision import Precision
from argosy.domains.predicate import Mode, PredicateAbstraction
from argosy.engine import engine
from argosy.engine.outcome import Safe, Unsafe
from argosy.logic.bdd import Regions
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import BOOL, bits
from argosy.logic.terms import Term
from argosy.models.cfa import Assign, Cfa, Havoc, Reading, Relation, Undefined
from argosy.options.values import parse_blocks
from argosy.strategies import configure
from argosy.strategies.blocks import block_operator
from argosy.strategies.setting import Setting
from tests.laws.laws import Laws
from tests.models.automata import Sketch, check, reachable

from .loops import Patient


def _any_value() -> Sketch:
    """x is 1, then anything."""
    s = Sketch(5, x=bits(2))
    s.assign(0, 1, s.x, s.number(1, s.x))
    s.branch(1, s.is_(s.x, 1), 2, 4)
    s.step(2, 3, Havoc(s.x))
    s.assume(3, 4, s.is_(s.x, 2))
    return s


def _relation() -> Sketch:
    """x is 1; then x and y change together."""
    s = Sketch(5, x=bits(2), y=bits(2))
    new_x, new_y = s.terms.var("x'", bits(2)), s.terms.var("y'", bits(2))
    s.assign(0, 1, s.x, s.number(1, s.x))
    s.branch(1, s.is_(s.x, 1), 2, 4)
    grown = s.terms.and_(s.terms.eq(new_x, s.plus(s.x, 1)), s.terms.eq(new_y, s.x))
    s.step(2, 3, Relation(grown, ((s.x, new_x), (s.y, new_y))))
    s.assume(3, 4, s.terms.and_(s.is_(s.x, 2), s.is_(s.y, 1)))
    return s


def _branches(bad: int) -> Sketch:
    """x is 1 or 2 where the ways meet; y is as it was."""
    s = Sketch(7, c=BOOL, x=bits(2), y=bits(2))
    s.assign(0, 1, s.y, s.number(3, s.y))
    s.branch(1, s.c, 2, 3)
    s.assign(2, 4, s.x, s.number(1, s.x))
    s.assign(3, 4, s.x, s.number(2, s.x))
    s.assign(4, 5, s.y, s.y)
    s.assume(5, 6, s.terms.and_(s.is_(s.x, bad), s.is_(s.y, 3)))
    return s


def _one_way_writes() -> Sketch:
    """x is 1, and 1 is added on one of two ways: it is not 3."""
    s = Sketch(6, c=BOOL, x=bits(3))
    s.assign(0, 1, s.x, s.number(1, s.x))
    s.branch(1, s.c, 2, 3)
    s.assign(2, 4, s.x, s.plus(s.x, 1))
    s.skip(3, 4)
    s.assume(4, 5, s.is_(s.x, 3))
    return s


def _loop() -> Sketch:
    """x goes round; the flag is up when x is 2."""
    s = Sketch(6, x=bits(2), up=BOOL)
    s.assign(0, 1, s.x, s.number(0, s.x))
    s.assume(1, 2, s.terms.true)
    s.assign(2, 3, s.x, s.plus(s.x, 1))
    s.step(3, 4, Assign(s.up, s.is_(s.x, 2)))
    s.assume(4, 5, s.terms.and_(s.up, s.is_(s.x, 2)))
    s.assume(4, 1, s.terms.not_(s.terms.and_(s.up, s.is_(s.x, 2))))
    return s


def _undefined() -> Sketch:
    """x + 1 is defined below 3 only: afterwards x is not 0."""
    s = Sketch(4, x=bits(2))
    s.step(0, 1, Havoc(s.x))
    s.assign(1, 2, s.x, s.plus(s.x, 1), check(s.below(s.x, 3), Undefined.SHIFT))
    s.assume(2, 3, s.is_(s.x, 0))
    return s


def _literals() -> Sketch:
    """A flag that is assumed down is down."""
    s = Sketch(5, b=BOOL, x=bits(2))
    s.assume(0, 1, s.terms.not_(s.b))
    s.branch(1, s.b, 4, 2)
    s.assume(2, 3, s.is_(s.x, 2))
    s.assume(3, 4, s.terms.not_(s.b))
    return s


def sketches() -> list[Cfa]:
    drawn = (
        _any_value(), _relation(), _branches(1), _branches(2), _branches(3), _one_way_writes(), _loop(), _undefined(),
        _literals(),
    )  # fmt: skip
    return [sketch.cfa() for sketch in drawn]


def _predicates(cfa: Cfa) -> Iterator[Term]:
    for variable in cfa.variables:
        term = variable.term
        if term.sort is BOOL:
            yield term
        else:
            yield from (cfa.terms.eq(term, cfa.terms.const(value, term.sort)) for value in (1, 2))


def explicit_laws() -> None:
    for cfa, reading in product(sketches(), Reading):
        analysis = ExplicitAnalysis(cfa, reading)
        precision = Precision("global").join([(cfa.initial, analysis.variables)])
        Laws(cfa, analysis, precision, reading).check()


def explicit_cover() -> None:
    """``covers`` asked directly: in the loop the index finds only states that are covered."""
    cfa = _relation().cfa()
    analysis = ExplicitAnalysis(cfa, Reading.WRAP)
    states = [ExplicitState(cfa.initial, pair) for pair in product((None, 0, 1), repeat=len(cfa.variables))]
    for old, new in product(states, repeat=2):
        included = all(o is None or o == n for o, n in zip(old.values, new.values, strict=True))
        assert analysis.covers(old, new) == included


def _block_laws(cartesian: bool, block: str) -> None:
    for cfa in sketches():
        paths = Paths(cfa.terms, Reading.WRAP)
        solver = Solvers(cfa.terms, Counters()).create("abstraction", "bits")
        mode: Mode = "cartesian" if cartesian else "boolean"
        abstraction = PredicateAbstraction(cfa.terms, paths, Regions(cfa.terms), solver, Counters(), mode)
        analysis = BlockAnalysis(cfa, cfa.terms, paths, abstraction, block_operator(cfa, parse_blocks(block)))
        Laws(cfa, analysis, Precision("global").join([(cfa.initial, _predicates(cfa))]), Reading.WRAP).check()


def single_block_laws() -> None:
    _block_laws(cartesian=False, block="sbe")


def cartesian_laws() -> None:
    _block_laws(cartesian=True, block="sbe")


def large_block_laws() -> None:
    _block_laws(cartesian=False, block="lbe")


def predicate_loop() -> None:
    """The verdicts of the whole loop, which refines from nothing."""
    for cfa, name in product(sketches(), ("lbe", "sbe")):
        truth = bool(reachable(cfa, [v.term for v in cfa.variables], Reading.WRAP)[cfa.error])
        chosen = configure(name, {"interpolation": "newton+bitwuzla"})
        strategy = chosen.build(Setting(cfa, Solvers(cfa.terms, Counters()), Reading.WRAP, "bits"))
        outcome = engine.check(strategy, Patient())
        assert not isinstance(outcome, Unsafe if not truth else Safe)
