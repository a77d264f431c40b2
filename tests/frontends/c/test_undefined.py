"""What C leaves undefined: each condition holds exactly where the operation is defined."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.basics.position import Position
from argosy.frontends.c.elaborate.arithmetic import Arithmetic
from argosy.frontends.c.lower.graph import FlowGraph
from argosy.frontends.c.lower.operators import bounds
from argosy.frontends.c.lower.values import TermValues
from argosy.frontends.c.original import Original
from argosy.frontends.c.symbols import Object, Unit
from argosy.frontends.c.tokens import Lexed
from argosy.frontends.c.typed import Contents, Expression, IntegerConstant, ObjectPlace
from argosy.frontends.c.types import Integer, data_model
from argosy.logic.semantics import signed, truncated_div
from argosy.logic.sorts import bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate
from argosy.models.cfa import Reading, Undefined

from .running import final, read

_HERE = Position("here", 1)
_MODEL = data_model("ILP32")
_INTEGERS = [_MODEL[name] for name in ("int", "unsigned int", "long long", "signed char", "unsigned short")]

_edges = st.sampled_from(
    [0, 1, -1, 2, -2, 3, 31, 32, 46340, 46341, 65535, 65536, 2**30, 2**31 - 1, -(2**31), 2**31 - 2]
)
_numbers = _edges | st.integers(-(2**63), 2**63 - 1)


_ORIGINAL = Original.said(_HERE, "here")


class _Reader:
    """Types an operation on variables and constants, and makes a term of it."""

    def __init__(self) -> None:
        self.unit = Unit("", Terms(), _MODEL, Lexed())
        self.graph = FlowGraph(self.unit.terms)
        self.valuation: dict[Term, int] = {}

    def operand(self, name: str, type_: Integer, number: int, constant: bool) -> Expression:
        if constant:
            return IntegerConstant(number, type_, _ORIGINAL)
        symbol = Object(name, type_, _HERE)
        (term,) = self.unit.all_parts(symbol)
        self.valuation[term] = number % (1 << type_.width)
        return Contents(ObjectPlace(symbol, _ORIGINAL), type_, _ORIGINAL)

    def result(self, operation: Expression) -> tuple[Integer, int, set[Undefined]]:
        value = TermValues(self.unit, self.graph, "").value(operation)
        assert isinstance(value.type, Integer)
        assert value.type == operation.type
        assert value.term is not None
        violated = {p.kind for p in self.graph.pending if not evaluate(p.condition, self.valuation)}
        return value.type, evaluate(value.term, self.valuation), violated


def _within(type_: Integer, value: int) -> int:
    residue = value % (1 << type_.width)
    return signed(residue, type_.width) if type_.signed else residue


def _exact(op: str, type_: Integer, a: int, b: int) -> tuple[int | None, set[Undefined]]:
    """The mathematical result and what is undefined about it, by the words of the standard."""
    if op in ("/", "%"):
        if b == 0:
            return None, {Undefined.DIVISION}
        quotient = truncated_div(a, b)
        if not type_.minimum <= quotient <= type_.maximum:
            return None, {Undefined.QUOTIENT}
        return (quotient if op == "/" else a - b * quotient), set()
    if op in ("<<", ">>"):
        if not 0 <= b < type_.width:
            return None, {Undefined.SHIFT}
        if op == ">>":
            return a >> b, set()
        exact = a << b
        bad = type_.signed and (a < 0 or exact > type_.maximum)
        return exact, ({Undefined.SIGNED_OVERFLOW} if bad else set())
    exact = {"+": a + b, "-": a - b, "*": a * b}[op]
    bad = type_.signed and not type_.minimum <= exact <= type_.maximum
    return exact, ({Undefined.SIGNED_OVERFLOW} if bad else set())


@settings(deadline=None)
@given(
    op=st.sampled_from(["+", "-", "*", "/", "%", "<<", ">>"]),
    left=st.sampled_from(_INTEGERS),
    right=st.sampled_from(_INTEGERS),
    a=_numbers,
    b=_numbers,
    constant=st.sampled_from(["neither", "left", "right", "both"]),
)
def test_binary_operators(op: str, left: Integer, right: Integer, a: int, b: int, constant: str) -> None:
    a, b = _within(left, a), _within(right, b)
    reader = _Reader()
    operands = [
        reader.operand(name, type_, number, constant in (name, "both"))
        for name, type_, number in (("left", left, a), ("right", right, b))
    ]
    type_, value, violated = reader.result(Arithmetic(_MODEL).binary(op, operands[0], operands[1], _ORIGINAL))
    if op in ("<<", ">>"):
        x, y = a, b
    else:
        x, y = _within(type_, a), _within(type_, b)
    exact, undefined = _exact(op, type_, x, y)
    assert violated == undefined
    if exact is not None:
        assert value == exact % (1 << type_.width)


@settings(deadline=None)
@given(type_=st.sampled_from(_INTEGERS), a=_numbers)
def test_negation(type_: Integer, a: int) -> None:
    a = _within(type_, a)
    reader = _Reader()
    operand = reader.operand("x", type_, a, False)
    found, value, violated = reader.result(Arithmetic(_MODEL).unary("-", operand, _ORIGINAL))
    assert bool(violated) == (found.signed and a == found.minimum)
    assert value == -_within(found, a) % (1 << found.width)


@settings(deadline=None)
@given(st.data())
def test_bounds_hold(data: st.DataObject) -> None:
    terms = Terms()
    variables = [terms.var("x", bits(8)), terms.var("y", bits(8))]

    def build(depth: int) -> Term:
        if depth == 0:
            return (
                data.draw(st.sampled_from(variables)) if data.draw(st.booleans()) else terms.bv(data.draw(_numbers), 8)
            )
        a, b = build(depth - 1), build(depth - 1)
        op = data.draw(
            st.sampled_from(["bvadd", "bvsub", "bvmul", "bvand", "bvsrem", "bvurem", "bvlshr", "ite", "narrow", "low"])
        )
        if op == "ite":
            return terms.ite(terms.bit("bvult", variables[0], variables[1]), a, b)
        if op in ("narrow", "low"):
            extend = terms.sign_extend if op == "narrow" else terms.zero_extend
            return extend(terms.extract(a, 4, 0), 3)
        return terms.bit(op, a, b)

    term = build(3)
    low, high = bounds(term)
    valuation = {v: data.draw(st.integers(0, 255)) for v in variables}
    assert low <= signed(evaluate(term, valuation), 8) <= high


def test_checks_stand_on_the_edge_that_evaluates() -> None:
    outcome = final("x = 2147483647; x = x + 1; x = 0;", "int x;")
    assert outcome.undefined is not None
    assert outcome.undefined.kind is Undefined.SIGNED_OVERFLOW
    assert outcome["x"] == 2147483647


@pytest.mark.parametrize(
    "statement",
    [
        "x = x + 1;",
        "x += 1;",
        "x++;",
        "++x;",
        "if (x + 1 > 0) y = 1;",
        "f(x + 1);",
        "while (x + 1) y = 1;",
        "switch (x + 1) { default: y = 1; }",
        "y = a[x + 1];",
        "a[x + 1] = 3;",
        "return x + 1;",
    ],
)
def test_every_place_where_an_expression_is_evaluated(statement: str) -> None:
    before = "int x = 2147483647, y; int a[2]; void f(int z) {}"
    assert final(statement, before).undefined is not None
    assert final(statement + " return 0;", before.replace("2147483647", "-1")).undefined is None


def test_wrap_goes_on_after_an_overflow_but_not_after_a_division() -> None:
    assert final("x = x + 1; y = 1;", "int x = 2147483647, y;", reading=Reading.WRAP)["x"] == -(2**31)
    assert final("x = x << 1; y = 1;", "int x = -3, y;", reading=Reading.WRAP)["x"] == -6
    for body in ("x = 1 / y;", "x = 1 % y;", "x = 1 << (y - 1);", "x = 1 >> 32;", "x = (-2147483647 - 1) / (y - 1);"):
        assert final(body, "int x, y;", reading=Reading.WRAP).undefined is not None, body


def test_operations_that_cannot_overflow_have_no_check() -> None:
    program = read("""int r; int main(void) {
        unsigned char c = 1; short s = 2; _Bool b = 1;
        r = c + s * b - (c & 7) + r % 10; r = c * s;
    }""")
    assert not any(edge.checks for edge in program.cfa.edges)
