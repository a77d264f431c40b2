"""Random expressions of every operator and sort, as trees that know their meaning without ``Terms``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from argosy.logic import semantics
from argosy.logic.semantics import ArrayValue
from argosy.logic.sorts import BOOL, INT, REAL, Sort, array, bits
from argosy.logic.terms import Term, Terms

ARRAYS = (array(INT, bits(3)), array(bits(3), INT), array(bits(2), bits(3)))
VECTORS = (bits(1), bits(2), bits(3), bits(8))
SCALARS = (BOOL, INT, REAL, *VECTORS)


@dataclass(frozen=True)
class Expression:
    """``build`` makes the term from the terms of the parts, ``meaning`` the value from their values."""

    sort: Sort
    build: Callable[..., Term]
    meaning: Callable[..., Any]
    parts: tuple[Expression, ...] = ()
    variable: str | None = None

    def term(self, terms: Terms) -> Term:
        return self.build(terms, *(part.term(terms) for part in self.parts))

    def value(self, valuation: Valuation) -> Any:
        if self.variable is not None:
            return valuation[self.variable, self.sort]
        return self.meaning(*(part.value(valuation) for part in self.parts))


def values(sort: Sort) -> st.SearchStrategy[Any]:
    match sort.kind:
        case "bool":
            return st.booleans()
        case "int":
            return st.integers(-6, 6)
        case "real":
            return st.fractions(-4, 4, max_denominator=3)
        case "bits":
            return st.integers(0, 2**sort.width - 1)
    assert sort.index is not None and sort.element is not None
    stored = st.dictionaries(values(sort.index), values(sort.element), max_size=2)
    return st.builds(ArrayValue, values(sort.element), stored)


def name(sort: Sort, index: int) -> str:
    return f"{'xyz'[index]}:{sort}"


def variable(sort: Sort, index: int) -> Expression:
    own = name(sort, index)
    return Expression(sort, lambda terms: terms.var(own, sort), lambda: None, (), own)


def constant(sort: Sort, value: Any) -> Expression:
    return Expression(sort, lambda terms: terms.const(value, sort), lambda: value)


def applied(sort: Sort, op: str, parts: Sequence[Expression], payload: Any = None) -> Expression:
    """An operator of the semantics, built by its name."""
    sorts = tuple(part.sort for part in parts)
    return Expression(
        sort,
        lambda terms, *args: terms.app(op, args, payload, sort),
        lambda *args: semantics.apply(op, payload, sorts, args),
        tuple(parts),
    )


def leaves(sort: Sort) -> st.SearchStrategy[Expression]:
    return st.one_of(
        st.integers(0, 1).map(lambda index: variable(sort, index)),
        values(sort).map(lambda value: constant(sort, value)),
    )


Valuation = Mapping[tuple[str, Sort], Any]
WIDTHS = range(1, 16)


def valuations() -> st.SearchStrategy[Valuation]:
    """Values of all variables; those of bit-vectors agree on the bits they have in common."""
    named = [(name(sort, index), sort) for sort in (BOOL, INT, REAL, *ARRAYS) for index in range(2)]
    others = st.tuples(*(values(sort) for _, sort in named))
    return st.builds(
        lambda given, patterns: (
            dict(zip(named, given, strict=True))
            | {
                (name(bits(width), index), bits(width)): pattern % 2**width
                for width in WIDTHS
                for index, pattern in enumerate(patterns)
            }
        ),
        others,
        st.tuples(values(bits(max(WIDTHS))), values(bits(max(WIDTHS)))),
    )


def assignment(terms: Terms, valuation: Valuation) -> dict[Term, Any]:
    return {terms.var(own, sort): value for (own, sort), value in valuation.items()}


@st.composite
def expressions(draw: st.DrawFn, sort: Sort | None = None, depth: int = 3, arrays: bool = True) -> Expression:
    """An expression of ``sort`` (any scalar sort if None)."""
    if sort is None:
        sort = draw(st.sampled_from(SCALARS))
    if depth == 0 or draw(st.integers(0, 7)) == 0:
        return draw(leaves(sort))

    def below(wanted: Sort) -> Expression:
        return draw(expressions(wanted, depth - 1, arrays))

    def pair(wanted: Sort) -> tuple[Expression, Expression]:
        first = below(wanted)
        match draw(st.integers(0, 9)):
            case 0:
                return first, first
            case 1 if wanted.is_numeric or wanted.is_bits:
                op = "+" if wanted.is_numeric else "bvadd"
                return first, applied(wanted, op, (first, constant(wanted, draw(values(wanted)))))
        return first, below(wanted)

    if draw(st.integers(0, 5)) == 0:
        return applied(sort, "ite", (below(BOOL), *pair(sort)))
    selectable = [a for a in ARRAYS if a.element == sort]
    if arrays and selectable and draw(st.integers(0, 4)) == 0:
        of = draw(st.sampled_from(selectable))
        assert of.index is not None
        return applied(sort, "select", (below(of), below(of.index)))
    match sort.kind:
        case "bool":
            return _boolean(draw, below, pair)
        case "int":
            return _integer(draw, below, pair)
        case "real":
            return _rational(draw, below, pair)
        case "bits":
            return _vector(draw, sort, below, pair)
    assert sort.index is not None and sort.element is not None
    if draw(st.booleans()):
        return applied(sort, "const-array", (below(sort.element),))
    return applied(sort, "store", (below(sort), below(sort.index), below(sort.element)))


def _boolean(draw: st.DrawFn, below: Callable[[Sort], Expression], pair: Callable[..., Any]) -> Expression:
    match draw(st.sampled_from(("not", "junction", "=", "number", "bits", "sugar"))):
        case "not":
            return applied(BOOL, "not", (below(BOOL),))
        case "junction":
            count = draw(st.integers(1, 3))
            return applied(BOOL, draw(st.sampled_from(("and", "or"))), [below(BOOL) for _ in range(count)])
        case "=":
            return applied(BOOL, "=", pair(draw(st.sampled_from((*SCALARS, *ARRAYS)))))
        case "number":
            sort = draw(st.sampled_from((INT, REAL)))
            return applied(BOOL, draw(st.sampled_from(("<=", "<"))), pair(sort))
        case "bits":
            op = draw(st.sampled_from(sorted(semantics.BIT_PREDICATES)))
            return applied(BOOL, op, pair(draw(st.sampled_from(VECTORS))))
    return _sugar(draw, pair)


def _sugar(draw: st.DrawFn, pair: Callable[..., Any]) -> Expression:
    match draw(st.sampled_from(("implies", "xor", "ne", "ge", "gt"))):
        case "implies":
            return Expression(BOOL, Terms.implies, lambda a, b: not a or b, pair(BOOL))
        case "xor":
            return Expression(BOOL, Terms.xor, lambda a, b: a != b, pair(BOOL))
        case "ne":
            return Expression(BOOL, Terms.ne, lambda a, b: a != b, pair(draw(st.sampled_from(SCALARS))))
        case "ge":
            return Expression(BOOL, Terms.ge, lambda a, b: a >= b, pair(draw(st.sampled_from((INT, REAL)))))
    return Expression(BOOL, Terms.gt, lambda a, b: a > b, pair(draw(st.sampled_from((INT, REAL)))))


def _integer(draw: st.DrawFn, below: Callable[[Sort], Expression], pair: Callable[..., Any]) -> Expression:
    op = draw(st.sampled_from(("+", "+", "*", "scale", "sub", "neg", "div", "mod", "to_int")))
    match op:
        case "+":
            return applied(INT, "+", [below(INT) for _ in range(draw(st.integers(2, 3)))])
        case "scale":
            return applied(INT, "*", (constant(INT, draw(values(INT))), below(INT)))
        case "sub":
            return Expression(INT, Terms.sub, lambda a, b: a - b, pair(INT))
        case "neg":
            return Expression(INT, Terms.neg, lambda a: -a, (below(INT),))
        case "div" | "mod":
            divisor = draw(st.integers(-3, 3))
            return applied(INT, op, (below(INT), constant(INT, divisor) if divisor else below(INT)))
        case "to_int":
            return applied(INT, "to_int", (below(REAL),))
    return applied(INT, "*", pair(INT))


def _rational(draw: st.DrawFn, below: Callable[[Sort], Expression], pair: Callable[..., Any]) -> Expression:
    op = draw(st.sampled_from(("+", "+", "*", "scale", "sub", "/", "to_real")))
    match op:
        case "+":
            return applied(REAL, "+", [below(REAL) for _ in range(draw(st.integers(2, 3)))])
        case "scale":
            return applied(REAL, "*", (constant(REAL, draw(values(REAL))), below(REAL)))
        case "sub":
            return Expression(REAL, Terms.sub, lambda a, b: a - b, pair(REAL))
        case "/":
            divisor = draw(st.sampled_from((Fraction(-2, 3), Fraction(3), Fraction(0))))
            return applied(REAL, op, (below(REAL), constant(REAL, divisor) if divisor else below(REAL)))
        case "to_real":
            return applied(REAL, op, (below(INT),))
    return applied(REAL, "*", pair(REAL))


def _vector(draw: st.DrawFn, sort: Sort, below: Callable[[Sort], Expression], pair: Callable[..., Any]) -> Expression:
    width = sort.width
    kind = draw(st.sampled_from(("operator", "operator", "operator", "extract", "extend", "concat")))
    if kind == "extract":
        low = draw(st.integers(0, min(3, max(WIDTHS) - width)))
        wider = bits(min(width + low + draw(st.integers(0, 2)), max(WIDTHS)))
        return applied(sort, "extract", (below(wider),), (low + width - 1, low))
    if kind == "extend" and width > 1:
        by = draw(st.integers(0, width - 1))
        return applied(sort, draw(st.sampled_from(("zero_extend", "sign_extend"))), (below(bits(width - by)),), by)
    if kind == "concat" and width > 1:
        low = draw(st.integers(1, width - 1))
        return applied(sort, "concat", (below(bits(width - low)), below(bits(low))))
    op = draw(st.sampled_from(sorted(set(semantics.BIT_OPERATORS) - semantics.BIT_PREDICATES)))
    return applied(sort, op, (below(sort),) if op in ("bvneg", "bvnot") else pair(sort))
