"""Terms are interned, keep their normal forms, and mean what the expression that built them means."""

from __future__ import annotations

import pickle
from copy import deepcopy
from fractions import Fraction
from itertools import cycle, product

import pytest
from hypothesis import assume, given, settings

from argosy.logic.semantics import (
    BIT_OPERATORS,
    BIT_PREDICATES,
    ArrayValue,
    apply,
    euclidean_div,
    signed,
    truncated_div,
    unsigned,
)
from argosy.logic.sorts import BOOL, INT, REAL, Sort, array, bits
from argosy.logic.terms import Terms
from argosy.logic.traverse import atoms, conjuncts, evaluate, postorder, substitute, variables
from tests.logic.expressions import (
    Expression,
    Valuation,
    applied,
    assignment,
    constant,
    expressions,
    name,
    valuations,
    variable,
)


@settings(max_examples=250, deadline=None)
@given(expressions(depth=4), valuations())
def test_simplification_preserves_the_value(expression: Expression, valuation: Valuation) -> None:
    terms = Terms()
    try:
        expected = expression.value(valuation)
    except ZeroDivisionError:
        assume(False)
    term = expression.term(terms)
    assert term.sort == expression.sort
    assert evaluate(term, assignment(terms, valuation)) == expected


PAIRS = ((0, 3), (1, 7), (2, 2), (3, 4), (4, 1), (5, 6), (6, 5), (7, 0), (4, 4), (7, 7))


def forms() -> list[Expression]:
    """What the rules for bit-vectors of three bits look at: constants, extensions, sums, choices, pieces."""
    sort, narrow = bits(3), variable(bits(2), 0)
    x, y, p = variable(sort, 0), variable(sort, 1), variable(BOOL, 0)

    def number(value: int) -> Expression:
        return constant(sort, value)

    simple = [x, *(number(value) for value in (0, 1, 2, 4, 5, 7))]
    compound = [
        y,
        *(applied(sort, op, (narrow,), 1) for op in ("zero_extend", "sign_extend")),
        *(applied(sort, op, (variable(bits(1), 0),), 2) for op in ("zero_extend", "sign_extend")),
        *(applied(sort, op, (x, number(value))) for op in ("bvadd", "bvsub") for value in (2, 5)),
        applied(sort, "bvadd", (number(3), x)),
        applied(sort, "bvsub", (number(3), x)),
        applied(sort, "ite", (p, number(2), number(5))),
        applied(sort, "ite", (p, x, number(5))),
        *(applied(sort, op, (x,)) for op in ("bvneg", "bvnot")),
        applied(sort, "concat", (variable(bits(1), 0), narrow)),
        applied(sort, "concat", (constant(bits(1), 0), narrow)),
        applied(sort, "extract", (applied(bits(5), "sign_extend", (x,), 2),), (3, 1)),
    ]
    return simple + compound


def composed() -> list[Expression]:
    """Every operator over every pair of forms of which one is simple or both are alike in kind."""
    all_forms = forms()
    simple, alike = all_forms[:7], [f for f in all_forms if f.sort == bits(3)]
    pairs = [(a, b) for a in alike for b in alike if a in simple or b in simple or a.build.__code__ is b.build.__code__]
    result = []
    for op in (*BIT_OPERATORS, "="):
        sort = BOOL if op in BIT_PREDICATES or op == "=" else bits(3)
        if op in ("bvneg", "bvnot"):
            result += [applied(sort, op, (a,)) for a in alike]
        else:
            result += [applied(sort, op, pair) for pair in pairs]
    for a in alike:
        result += [applied(bits(3 + by), op, (a,), by) for op in ("zero_extend", "sign_extend") for by in (0, 1, 2)]
        result += [applied(bits(n), "extract", (a,), (n + low - 1, low)) for low in range(3) for n in range(1, 4 - low)]
        for op in ("zero_extend", "sign_extend"):
            wide = applied(bits(5), op, (a,), 2)
            result += [
                applied(bits(n), "extract", (wide,), (n + low - 1, low)) for low in range(5) for n in range(1, 6 - low)
            ]
            result += [applied(bits(6), again, (wide,), 1) for again in ("zero_extend", "sign_extend")]
            edges = [constant(bits(5), value) for value in (0, 1, 3, 7, 8, 15, 16, 24, 28, 31)]
            for relation in ("=", "bvult", "bvslt", "bvule", "bvsle"):
                result += [applied(BOOL, relation, pair) for edge in edges for pair in ((wide, edge), (edge, wide))]
    return result


def test_every_rule_for_bits_preserves_the_value() -> None:
    terms = Terms()
    valuations = [
        {
            (name(BOOL, 0), BOOL): p,
            **{(name(bits(w), i), bits(w)): v % 2**w for w in (1, 2, 3) for i, v in enumerate((x, y))},
        }
        for p, (x, y) in zip(cycle((False, True)), PAIRS, strict=False)
    ]
    assignments = [assignment(terms, valuation) for valuation in valuations]
    for expression in composed():
        term = expression.term(terms)
        for valuation, values in zip(valuations, assignments, strict=True):
            assert evaluate(term, values) == expression.value(valuation), (term, valuation)


@settings(max_examples=100, deadline=None)
@given(expressions(BOOL, depth=4), expressions(INT, depth=2))
def test_normal_forms(expression: Expression, number: Expression) -> None:
    terms = Terms()
    root = expression.term(terms)
    assert expression.term(terms) is root
    image = substitute(terms, root, {terms.var("x:Int", INT): number.term(terms)})
    for term in postorder(root, image):
        match term.op:
            case "and" | "or":
                assert len(term.args) > 1
                assert len(set(term.args)) == len(term.args)
                assert list(term.args) == sorted(term.args, key=lambda t: t.id)
                for arg in term.args:
                    assert arg.op not in (term.op, "const")
                    assert terms.not_(arg) not in term.args
            case "not":
                assert term.args[0].op not in ("not", "const")
            case "<=" | "<" | "=" if term.args[0].sort.is_numeric:
                assert term.args[1].is_const
                coefficients, constant = terms.linear(term.args[0])
                assert constant == 0
                assert not any(t.op == "+" or (t.op == "*" and t.args[0].is_const) for t in coefficients)
                assert coefficients[min(coefficients, key=lambda t: t.id)] > 0
                assert term.op != "<" or term.args[0].sort is REAL
            case "bvule" | "bvsle" | "bvuge":
                pytest.fail("the non-strict comparisons are negations")
            case _:
                if term.args and term.op not in ("store", "const-array", "div", "mod", "/"):
                    assert not all(arg.is_const for arg in term.args)


@settings(max_examples=80, deadline=None)
@given(expressions(depth=3), expressions(INT, depth=2), expressions(bits(3), depth=2), valuations())
def test_substitution_is_evaluation_of_the_images(
    expression: Expression, number: Expression, vector: Expression, valuation: Valuation
) -> None:
    terms = Terms()
    term, x, v = expression.term(terms), terms.var("x:Int", INT), terms.var("x:(_ BitVec 3)", bits(3))
    mapping = {x: number.term(terms), v: vector.term(terms)}
    before = assignment(terms, valuation)
    try:
        moved = before | {x: number.value(valuation), v: vector.value(valuation)}
        expected = evaluate(term, moved)
        actual = evaluate(substitute(terms, term, mapping), before)
    except ZeroDivisionError:
        assume(False)
    assert actual == expected


@pytest.mark.parametrize("width", [1, 2, 3, 5])
def test_bit_operators_by_their_definition_in_the_standard(width: int) -> None:
    """Each operator against a definition through Python integers that looks different from the table's."""
    top = 2**width
    for a in range(top):
        x = a if a < top // 2 else a - top
        assert signed(a, width) == x
        assert apply("bvneg", None, (bits(width),), (a,)) == (top - a) % top
        assert apply("bvnot", None, (bits(width),), (a,)) == top - 1 - a
        for b in range(top):
            y = b if b < top // 2 else b - top
            expected = {
                "bvadd": (a + b) % top,
                "bvsub": (a - b) % top,
                "bvmul": (a * b) % top,
                "bvand": sum(1 << i for i in range(width) if a >> i & 1 and b >> i & 1),
                "bvor": sum(1 << i for i in range(width) if a >> i & 1 or b >> i & 1),
                "bvxor": sum(1 << i for i in range(width) if (a >> i & 1) != (b >> i & 1)),
                "bvshl": a * 2**b % top,
                "bvlshr": a // 2**b,
                "bvashr": x // 2**b % top,
                "bvudiv": a // b if b else top - 1,
                "bvurem": a % b if b else a,
                "bvsdiv": int(Fraction(x, y)) % top if y else (1 if x < 0 else top - 1),
                "bvsrem": (x - y * int(Fraction(x, y))) % top if y else a,
                "bvult": a < b,
                "bvule": a <= b,
                "bvslt": x < y,
                "bvsle": x <= y,
            }
            assert set(expected) | {"bvneg", "bvnot"} == set(BIT_OPERATORS)
            for op, value in expected.items():
                assert apply(op, None, (bits(width), bits(width)), (a, b)) == value, (op, a, b)


def test_integer_division() -> None:
    for a in range(-7, 8):
        for b in (-3, -2, -1, 1, 2, 3):
            quotient, rest = euclidean_div(a, b), apply("mod", None, (), (a, b))
            assert a == b * quotient + rest and 0 <= rest < abs(b)
            assert truncated_div(a, b) == int(Fraction(a, b))
    assert unsigned(-1, 8) == 255


def test_constants_fold_and_names_do_not_collide() -> None:
    terms = Terms()
    assert terms.const(1, INT) is not terms.const(1, REAL)
    assert terms.const(1, INT) is not terms.true
    assert terms.bv(-1, 8) is terms.bv(255, 8)
    assert terms.var("x", INT) is not terms.var("x", REAL)
    assert terms.bit("bvadd", terms.bv(200, 8), terms.bv(100, 8)) is terms.bv(44, 8)


def test_an_atom_and_its_complement_are_one_atom() -> None:
    terms = Terms()
    x, y = terms.var("x", INT), terms.var("y", INT)
    pairs = [
        (terms.le(x, y), terms.gt(x, y)),
        (terms.lt(terms.add(x, x), terms.integer(7)), terms.ge(x, terms.integer(4))),
        (terms.le(terms.sub(y, x), terms.integer(3)), terms.lt(x, terms.sub(y, terms.integer(3)))),
    ]
    p = terms.eq(y, terms.integer(1))
    for a, b in pairs:
        assert a is terms.not_(b)
        assert atoms(terms.or_(a, p)) == atoms(terms.or_(b, p))
    assert terms.and_(pairs[0][0], pairs[0][1]) is terms.false
    moved = substitute(terms, pairs[0][0], {x: terms.integer(3)})
    assert moved is terms.le(terms.integer(3), y)
    assert moved is terms.not_(terms.le(y, terms.integer(2)))
    assert terms.eq(terms.mul(terms.integer(2), x), terms.integer(3)) is terms.false


def test_array_values_have_one_form() -> None:
    terms = Terms()
    sort = array(INT, bits(3))
    value = terms.const(ArrayValue(0, {3: 1, -1: 2}), sort)
    again = terms.const(ArrayValue(0, {-1: 2, 3: 1}), sort)
    assert value is again
    assert terms.select(value, terms.integer(3)) is terms.bv(1, 3)
    assert terms.select(value, terms.integer(4)) is terms.bv(0, 3)


def test_array_values_are_equal_as_functions() -> None:
    same = apply("=", None, (array(bits(1), INT),) * 2, (ArrayValue(0, {0: 1}), ArrayValue(1, {1: 0})))
    assert same
    assert apply("=", None, (array(INT, INT),) * 2, (ArrayValue(0, {5: 0}), ArrayValue(0)))
    assert not apply("=", None, (array(INT, INT),) * 2, (ArrayValue(0, {5: 1}), ArrayValue(0)))
    assert not apply("=", None, (array(INT, INT),) * 2, (ArrayValue(1), ArrayValue(0)))


def test_traversals() -> None:
    terms = Terms()
    x, y, b = terms.var("x", INT), terms.var("y", INT), terms.var("b", BOOL)
    p, q = terms.le(x, y), terms.eq(x, terms.integer(2))
    formula = terms.and_(terms.or_(p, b), terms.not_(q), terms.eq(b, p))
    assert variables(formula) == {x, y, b}
    assert set(atoms(formula)) == {p, q, b}
    assert set(conjuncts(formula)) == {terms.or_(p, b), terms.not_(q), terms.eq(b, p)}
    order = list(postorder(formula))
    assert len(order) == len(set(order))
    assert all(order.index(arg) < order.index(term) for term in order for arg in term.args)


def test_deep_terms_do_not_recurse() -> None:
    terms = Terms()
    x = terms.var("x", bits(8))
    deep = x
    for i in range(20_000):
        deep = terms.bit("bvxor", terms.bit("bvmul", deep, terms.bv(3, 8)), terms.bv(i % 7 + 1, 8))
    assert variables(deep) == {x}
    image = substitute(terms, deep, {x: terms.bv(1, 8)})
    assert image.is_const and evaluate(deep, {x: 1}) == image.value


def test_there_is_one_object_for_each_sort() -> None:
    """However it is made, and after it has been sent to another process."""
    words = array(bits(32), bits(8))
    assert Sort("bits", 32) is bits(32) and Sort("array", 0, bits(32), bits(8)) is words
    assert bits(8) is not bits(32) and bits(8) != bits(32)
    for sort in (BOOL, INT, REAL, bits(5), words):
        assert pickle.loads(pickle.dumps(sort)) is sort and deepcopy(sort) is sort


def test_bits_of_multiples_are_those_of_what_was_multiplied() -> None:
    """For all words of few bits: parts of ``a * x + b * y - c`` are the bits that the number has there."""
    terms, width = Terms(), 6
    x, y = terms.var("x", bits(3)), terms.var("y", bits(width))
    wide = terms.sign_extend(x, width - 3)
    for a, b, c, low, high in ((4, 8, 12, 2, 4), (12, 4, 4, 1, 3), (4, 2, 8, 2, 4), (8, 16, 0, 3, 3), (6, 10, 2, 1, 4)):
        sums = [terms.bit("bvmul", t, terms.bv(by, width)) for t, by in ((wide, a), (terms.bit("bvsub", y, wide), b))]
        number = terms.bit("bvsub", terms.bit("bvadd", *sums), terms.bv(c, width))
        part = terms.extract(number, high, low)
        for one in range(8):
            for other in range(1 << width):
                whole = a * signed(one, 3) + b * (other - signed(one, 3)) - c
                assert evaluate(part, {x: one, y: other}) == (whole >> low) % (1 << high - low + 1)
    assert terms.extract(terms.bit("bvmul", wide, terms.bv(4, width)), 4, 2) is x


def test_remainders_of_narrow_numbers_are_narrow() -> None:
    """For all words of few bits, extended in one way or the other, and constants."""
    terms, width = Terms(), 8
    x, y = terms.var("x", bits(3)), terms.var("y", bits(2))
    ways = (terms.sign_extend, terms.zero_extend)
    left = [extend(x, width - 3) for extend in ways] + [terms.bv(k, width) for k in (0, 3, 130, 252)]
    right = [extend(y, width - 2) for extend in ways] + [terms.bv(k, width) for k in (0, 1, 3, 5, 128, 254)]
    for op in ("bvurem", "bvsrem"):
        for one, other in product(left, right):
            term = terms.bit(op, one, other)
            for at, by in product(range(8), range(4)):
                known = {x: at, y: by}
                whole = BIT_OPERATORS[op](evaluate(one, known), evaluate(other, known), width)
                assert evaluate(term, known) == whole
    narrow = terms.extract(terms.bit("bvsrem", left[0], right[0]), 2, 0)
    assert narrow is terms.bit("bvsrem", x, terms.sign_extend(y, 1))
