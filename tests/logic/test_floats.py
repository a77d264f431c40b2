"""Floats are computed as the machine does: exactly, then rounded once; every form of an operator means the same."""

from __future__ import annotations

import math
import struct
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.certify.plain import Assert, Declare, Instance, Names, Printer, Statement
from argosy.logic import floating
from argosy.logic.float_meanings import FloatMeanings, without_floats
from argosy.logic.floating import DOUBLE, EXACT, FLOAT_OPERATORS, SINGLE, FloatFormat, Payload, rounded
from argosy.logic.semantics import apply
from argosy.logic.smtlib import parse_term, to_smtlib
from argosy.logic.solver import Counters, Satisfiability
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate, postorder
from tests.logic.floats import FORMATS, SMALL, argument_sorts, operations, patterns

Operation = tuple[str, Payload, tuple[Any, ...]]


def variables(terms: Terms, op: str, payload: Payload) -> tuple[Term, ...]:
    return tuple(terms.var(f"x{number}", sort) for number, sort in enumerate(argument_sorts(op, payload)))


def symbolic(terms: Terms, operation: Operation) -> tuple[Term, dict[Term, Any]]:
    op, payload, values = operation
    args = variables(terms, op, payload)
    return terms.floating(op, payload, *args), dict(zip(args, values, strict=True))


@given(st.sampled_from(sorted(EXACT)), st.sampled_from((SINGLE, DOUBLE)), st.data())
def test_the_host_computes_what_exact_arithmetic_gives(op: str, format_: FloatFormat, data: st.DataObject) -> None:
    a, b = data.draw(patterns(format_)), data.draw(patterns(format_))
    sorts = (format_.sort, format_.sort)
    assert apply(op, format_.payload, sorts, (a, b)) == EXACT[op](format_, a, b)


@given(st.floats(), st.floats())
def test_doubles_are_those_of_python(x: float, y: float) -> None:
    a, b = (floating.from_host(DOUBLE, v) for v in (x, y))
    total = floating.EXACT["fp.add"](DOUBLE, a, b)
    assert total == floating.from_host(DOUBLE, x + y)
    assert apply("fp.lt", DOUBLE.payload, (), (a, b)) == (x < y)
    assert apply("fp.leq", DOUBLE.payload, (), (a, b)) == (x <= y)
    assert apply("fp.eq", DOUBLE.payload, (), (a, b)) == (x == y)
    if x >= 0:
        assert apply("fp.sqrt", DOUBLE.payload, (), (a,)) == floating.from_host(DOUBLE, math.sqrt(x))
    if math.isfinite(x):
        assert floating.exact(DOUBLE, a) == Fraction(x)
        assert floating.to_integer(DOUBLE, a) == int(x)
        try:
            single = struct.unpack("<I", struct.pack("<f", x))[0]
        except OverflowError:
            single = SINGLE.infinity | (SINGLE.sign if x < 0 else 0)
        assert floating.convert(DOUBLE, SINGLE, a) == single


@given(st.fractions(), st.sampled_from(FORMATS))
def test_rounding_takes_the_nearest(number: Fraction, format_: FloatFormat) -> None:
    value = rounded(format_, number)
    if floating.is_infinite(format_, value):
        return
    error = abs(floating.exact(format_, value) - number)
    size = floating.magnitude(format_, value)
    for other in (size - 1, size + 1):
        if 0 <= other < format_.infinity:
            sign = value & format_.sign
            distance = abs(floating.exact(format_, other | sign) - number)
            assert error < distance or (error == distance and size % 2 == 0)


@settings(max_examples=150)
@given(operations())
def test_operators_mean_their_circuits(operation: Operation) -> None:
    terms = Terms()
    term, valuation = symbolic(terms, operation)
    value = evaluate(term, valuation)
    assert evaluate(FloatMeanings(terms).meaning(term) if term.op in FLOAT_OPERATORS else term, valuation) == value
    constants = [terms.const(v, arg.sort) for arg, v in valuation.items()]
    assert terms.floating(operation[0], operation[1], *constants).value == value


@pytest.mark.parametrize("op", ["fp.sqrt", "fp.round", "fp.to_sbv", "fp.to_ubv"])
def test_all_patterns_of_a_small_format(op: str) -> None:
    terms = Terms()
    own: dict[str, list[tuple[int, ...]]] = {"fp.round": [(r,) for r in range(5)], "fp.sqrt": [()]}
    more = own.get(op, [(3,), (6,)])
    for rest in more:
        payload = (*SMALL.payload, *rest)
        (x,) = variables(terms, op, payload)
        term = terms.floating(op, payload, x)
        meaning = without_floats(terms, term)
        assert not any(sub.op in FLOAT_OPERATORS for sub in postorder(meaning))
        for value in range(1 << SMALL.width):
            assert evaluate(meaning, {x: value}) == evaluate(term, {x: value}), (payload, value)


@given(operations(), st.sampled_from(("bvadd", "ite", "=")))
def test_text_reads_back(operation: Operation, around: str) -> None:
    terms = Terms()
    term, valuation = symbolic(terms, operation)
    if term.sort.is_bits and around == "bvadd":
        term = terms.bit("bvadd", term, terms.bv(1, term.sort.width))
    text = to_smtlib(term)
    again = parse_term(terms, text, {v.name: v for v in valuation})
    assert again is term


@settings(max_examples=40, deadline=None)
@given(operations((SMALL, SINGLE)))
def test_solvers_agree_with_the_semantics(operation: Operation) -> None:
    terms = Terms()
    term, valuation = symbolic(terms, operation)
    value = evaluate(term, valuation)
    known = terms.conjunction(terms.eq(v, terms.const(x, v.sort)) for v, x in valuation.items())
    solvers = Solvers(terms, Counters())
    for name in solvers.available():
        solver = solvers.create("trace", "bits", name=name)
        solver.add(known)
        assert solver.check() is Satisfiability.SAT
        assert solver.value(term) == value, name
        solver.add(terms.not_(terms.eq(term, terms.const(value, term.sort))))
        assert solver.check() is Satisfiability.UNSAT, name


@settings(max_examples=60, deadline=None)
@given(operations((SINGLE, DOUBLE)))
def test_z3_has_the_same_numbers(operation: Operation) -> None:
    """Z3's own theory of floating point, which knows nothing of circuits, on the text that certificates have."""
    z3 = pytest.importorskip("z3")
    terms = Terms()
    term, valuation = symbolic(terms, operation)
    value = evaluate(term, valuation)
    names = Names()
    own = {v: names.new("x", v.sort) for v in valuation}
    printer = Printer(names)
    same = terms.eq(term, terms.const(value, term.sort)) if term.sort.is_bits else term
    asserted = [terms.eq(v, terms.const(x, v.sort)) for v, x in valuation.items()]
    wanted = same if term.sort.is_bits or value else terms.not_(same)
    for formula, expected in ((wanted, z3.sat), (terms.not_(wanted), z3.unsat)):
        statements: list[Statement] = [
            *map(Declare, own.values()),
            *(Assert(Instance(t, own)) for t in (*asserted, formula)),
        ]
        solver = z3.Solver()
        solver.from_string("\n".join(line for statement in statements for line in printer.lines(statement)))
        assert solver.check() == expected


def test_what_is_no_number_equals_nothing() -> None:
    terms = Terms()
    x = terms.var("x", bits(32))
    one, nan, zero = (terms.bv(v, 32) for v in (0x3F800000, SINGLE.nan, 0x80000000))
    assert terms.floating("fp.eq", SINGLE.payload, x, one) is terms.eq(x, one)
    assert terms.floating("fp.eq", SINGLE.payload, nan, x) is terms.false
    both = terms.floating("fp.eq", SINGLE.payload, x, zero)
    assert [evaluate(both, {x: v}) for v in (0, 1 << 31, 1)] == [True, True, False]
