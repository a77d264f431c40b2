"""The integer model has every execution of the model as read in which nothing wraps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.basics.position import Position
from argosy.certify.interpreter import ConcreteState, Interpreter
from argosy.logic.semantics import Value, signed
from argosy.logic.sorts import BOOL, INT, array, bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate, postorder, variables
from argosy.models.cfa import (
    Assign,
    Assume,
    Cfa,
    Check,
    Edge,
    Havoc,
    Location,
    Operation,
    Reading,
    Relation,
    Undefined,
    Variable,
)
from argosy.models.integers import integers
from argosy.models.numbers import Numbers

TERMS = Terms()
SHAPES = {"a": (4, True), "b": (4, False), "c": (6, True), "d": (6, False), "e": (1, False)}
VARIABLES = {name: TERMS.var(name, bits(width)) for name, (width, _) in SHAPES.items()}
FLAG = TERMS.var("p", BOOL)
SIGNED = {VARIABLES[name]: s for name, (_, s) in SHAPES.items()}
NUMBERS = Numbers(TERMS, SIGNED)
ARITHMETIC = ("bvadd", "bvsub", "bvmul")
BINARY = (*ARITHMETIC, "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvand", "bvor", "bvxor")


@st.composite
def words(draw: st.DrawFn, width: int, depth: int = 3) -> Term:
    t = TERMS
    leaves = [v for v in VARIABLES.values() if v.sort.width == width]
    constant = st.integers(0, (1 << width) - 1).map(lambda k: t.bv(k, width))
    leaf = st.sampled_from(leaves) | constant if leaves else constant
    kind = draw(
        st.sampled_from(["leaf"] if depth == 0 else ["leaf", "leaf", "op", "op", "not", "ite", "size", "shift"])
    )
    match kind:
        case "op":
            return t.bit(draw(st.sampled_from(BINARY)), draw(words(width, depth - 1)), draw(words(width, depth - 1)))
        case "not":
            return t.bit(draw(st.sampled_from(["bvnot", "bvneg"])), draw(words(width, depth - 1)))
        case "ite":
            return t.ite(draw(truths(depth - 1)), draw(words(width, depth - 1)), draw(words(width, depth - 1)))
        case "shift":
            amount = t.bv(draw(st.integers(0, width - 1)), width)
            return t.bit(draw(st.sampled_from(["bvshl", "bvlshr", "bvashr"])), draw(words(width, depth - 1)), amount)
        case "size":
            other = draw(st.sampled_from([1, 4, 6]))
            inner = draw(words(other, depth - 1))
            if other < width:
                return t.app(draw(st.sampled_from(["zero_extend", "sign_extend"])), (inner,), width - other)
            low = draw(st.integers(0, other - width))
            return t.extract(inner, low + width - 1, low)
    return draw(leaf)


@st.composite
def truths(draw: st.DrawFn, depth: int = 3) -> Term:
    t = TERMS
    kind = draw(st.sampled_from(["bits", "p"] if depth == 0 else ["bits", "bits", "and", "or", "not", "="]))
    match kind:
        case "p":
            return FLAG
        case "bits":
            width = draw(st.sampled_from([1, 4, 4, 6, 6]))
            a, b = draw(words(width, max(0, depth - 1))), draw(words(width, max(0, depth - 1)))
            return t.app(draw(st.sampled_from(["=", "bvult", "bvslt", "bvule", "bvsle"])), (a, b))
        case "not":
            return t.not_(draw(truths(depth - 1)))
    return t.app(kind, (draw(truths(depth - 1)), draw(truths(depth - 1))))


STATES = st.fixed_dictionaries({**{v: st.integers(0, (1 << v.sort.width) - 1) for v in SIGNED}, FLAG: st.booleans()})


def number(variable: Term, value: Value) -> Value:
    return signed(value, variable.sort.width) if SIGNED.get(variable) else value


def as_numbers(state: dict[Term, Value]) -> dict[Term, Value]:
    return {NUMBERS.variable(v): number(v, value) for v, value in state.items()}


def ideal_of(op: str, args: Sequence[int], amount: int) -> int:
    """What an operator gives on numbers."""
    match op:
        case "bvadd":
            return args[0] + args[1]
        case "bvsub":
            return args[0] - args[1]
        case "bvmul":
            return args[0] * args[1]
        case "bvneg":
            return -args[0]
    return args[0] << amount


def residue(value: int, edge: Edge, variable: Term) -> int:
    """A choice of an interpreter: ``value`` as far as it fits."""
    return value % (1 << variable.sort.width)


def looked_up(values: Mapping[Term, Value], edge: Edge, variable: Term) -> Value:
    return values[variable]


def wraps(root: Term, state: dict[Term, Value]) -> bool:
    """Whether an operation inside wraps in its natural view, or divides by zero (which checks exclude)."""

    def seen(term: Term, view: bool) -> int:
        value = evaluate(term, state)
        return signed(value, term.sort.width) if view else int(value)

    def operand(term: Term, view: bool) -> int:
        width = term.sort.width
        small_negative = term.is_const and width > 1 and term.value >= 3 << (width - 2)
        return seen(term, view or small_negative)

    for term in postorder(root):
        if term.op in (*ARITHMETIC, "bvneg", "bvshl"):
            view = NUMBERS.view(term) is not False
            for candidate in (True, False) if NUMBERS.view(term) is None else (view,):
                args = [operand(a, candidate) for a in term.args]
                amount = evaluate(term.args[-1], state)
                ideal = ideal_of(term.op, args, amount)
                if ideal != seen(term, candidate):
                    return True
            if NUMBERS.view(term) is None and seen(term, True) < 0:
                return True
        elif term.op == "extract" and term.args[0].op in (*ARITHMETIC, "bvneg", "bvshl"):
            inner = seen(term.args[0], NUMBERS.view(term.args[0]) is not False)
            if not 0 <= inner < 1 << (term.sort.width - 1):
                return True
        elif term.op in ("bvudiv", "bvurem", "bvsdiv", "bvsrem"):
            a, b = (seen(x, True) for x in term.args)
            if b == 0 or (b == -1 and a == -(1 << (term.sort.width - 1))):
                return True
    return False


@settings(max_examples=200, deadline=None)
@given(words(4) | words(6), st.booleans(), st.lists(STATES, min_size=1, max_size=8))
def test_values_are_those_of_the_bits(term: Term, view: bool, states: list[dict[Term, Value]]) -> None:
    value = NUMBERS.value(term, view)
    if value is None:
        return
    assert not any(v.sort.is_bits for v in variables(value))
    for state in states:
        if not wraps(term, state):
            expected = evaluate(term, state)
            assert evaluate(value, as_numbers(state)) == (signed(expected, term.sort.width) if view else expected)


@settings(max_examples=200, deadline=None)
@given(truths(), st.lists(STATES, min_size=1, max_size=8))
def test_conditions_are_those_of_the_bits(term: Term, states: list[dict[Term, Value]]) -> None:
    exact, weaker = NUMBERS.condition(term), NUMBERS.weaker(term)
    for state in states:
        if not wraps(term, state):
            if exact is not None:
                assert evaluate(exact, as_numbers(state)) == evaluate(term, state)
            if evaluate(term, state):
                assert evaluate(weaker, as_numbers(state))


# ---- whole steps --------------------------------------------------------------------------------------------

LOCATIONS = [Location(i) for i in range(2)]
DECLARED = (*(Variable(v, n, signed=SIGNED[v]) for n, v in VARIABLES.items()), Variable(FLAG, "p"))


def automaton(*operations: Operation, checks: tuple[Check, ...] = ()) -> Cfa:
    edges = tuple(
        Edge(LOCATIONS[0], LOCATIONS[1], operation, Position("t.c", i + 1), f"step {i}", checks)
        for i, operation in enumerate(operations)
    )
    return Cfa(TERMS, LOCATIONS[0], LOCATIONS[1], tuple(LOCATIONS), edges, DECLARED)


@st.composite
def operations(draw: st.DrawFn) -> Operation:
    t = TERMS
    variable = draw(st.sampled_from(list(VARIABLES.values())))
    match draw(st.sampled_from(["assume", "assign", "assign", "assign", "havoc", "relation", "flag"])):
        case "assume":
            return Assume(draw(truths()))
        case "assign":
            return Assign(variable, draw(words(variable.sort.width)))
        case "flag":
            return Assign(FLAG, draw(truths()))
        case "havoc":
            return Havoc(variable)
    new = t.var(variable.name + "'", variable.sort)
    formula = t.app(draw(st.sampled_from(["bvult", "=", "bvsle"])), (new, draw(words(variable.sort.width, 2))))
    return Relation(formula, ((variable, new),))


def parts(operation: Operation) -> Term:
    match operation:
        case Assume(term) | Assign(_, term) | Relation(term, _):
            return term
        case _:
            return TERMS.true


@settings(max_examples=250, deadline=None)
@given(operations(), st.booleans(), st.lists(STATES, min_size=1, max_size=5), st.data())
def test_every_step_that_does_not_wrap_is_a_step_on_integers(
    operation: Operation, ranges: bool, states: list[dict[Term, Value]], data: st.DataObject
) -> None:
    cfa = automaton(operation)
    derived = integers(cfa, ranges=ranges).cfa
    concrete, ideal = Interpreter(cfa, Reading.WRAP), Interpreter(derived, Reading.WRAP)
    assert derived.edges[0].trail == (cfa.edges[0],)
    for state in states:
        chosen = data.draw(st.integers(0, 63))
        after = concrete.step(cfa.edges[0], concrete.start(state), partial(residue, chosen))
        extended = dict(state)
        if isinstance(operation, Relation):
            extended |= {new: chosen % (1 << new.sort.width) for _, new in operation.primed}
        if not isinstance(after, ConcreteState) or wraps(parts(operation), extended):
            continue
        expected = as_numbers(concrete.valuation(after))
        result = ideal.step(derived.edges[0], ideal.start(as_numbers(state)), partial(looked_up, expected))
        assert isinstance(result, ConcreteState), result
        assert ideal.valuation(result) == expected


# ---- forms that people read ---------------------------------------------------------------------------------


class TestForms:
    t = TERMS
    x, u = TERMS.var("x", bits(32)), TERMS.var("u", bits(32))
    c = TERMS.var("ch", bits(8))
    numbers = Numbers(TERMS, {x: True, u: False, c: True})

    def number(self, name: str) -> Term:
        return self.t.var(name, INT)

    def test_adding_minus_one_is_subtraction(self) -> None:
        t = self.t
        for variable in (self.x, self.u):
            term = t.bit("bvadd", variable, t.bv(-1, 32))
            view = self.numbers.view(term)
            assert view is not None
            assert self.numbers.value(term, view) is t.sub(self.number(variable.name), t.integer(1))

    def test_comparisons_are_linear(self) -> None:
        t = self.t
        less = t.bit("bvslt", t.bit("bvadd", self.x, t.bv(1, 32)), t.bv(10, 32))
        assert self.numbers.condition(less) is t.lt(t.add(self.number("x"), t.integer(1)), t.integer(10))
        assert self.numbers.condition(t.eq(self.x, t.bv(-3, 32))) is t.eq(self.number("x"), t.integer(-3))
        assert self.numbers.condition(t.eq(self.u, t.bv(-1, 32))) is t.eq(self.number("u"), t.integer(2**32 - 1))

    def test_a_character_is_incremented_without_remainder(self) -> None:
        t = self.t
        wide = t.bit("bvadd", t.sign_extend(self.c, 24), t.bv(1, 32))
        assert self.numbers.value(t.extract(wide, 7, 0), True) is t.add(self.number("ch"), t.integer(1))

    def test_other_truncations_are_exact(self) -> None:
        t = self.t
        truncated = self.numbers.value(t.extract(self.x, 7, 0), False)
        assert truncated is t.mod(self.number("x"), t.integer(256))

    @pytest.mark.parametrize(("mask", "modulus"), [(1, 2), (7, 8), (255, 256)])
    def test_a_mask_is_a_remainder(self, mask: int, modulus: int) -> None:
        t = self.t
        for variable in (self.x, self.u):
            for view in (True, False):
                value = self.numbers.value(t.bit("bvand", variable, t.bv(mask, 32)), view)
                assert value is t.mod(self.number(variable.name), t.integer(modulus))

    def test_parity_needs_no_case_distinction(self) -> None:
        t = self.t
        odd = t.eq(t.bit("bvand", self.u, t.bv(1, 32)), t.bv(1, 32))
        assert self.numbers.condition(odd) is t.eq(t.mod(self.number("u"), t.integer(2)), t.integer(1))

    def test_bytes_put_together_are_a_sum(self) -> None:
        t = self.t
        low, high = t.var("low", bits(8)), t.var("high", bits(8))
        numbers = Numbers(t, {low: False, high: False})
        word = t.bit("bvor", t.zero_extend(low, 24), t.bit("bvshl", t.zero_extend(high, 24), t.bv(8, 32)))
        expected = t.add(self.number("low"), t.mul(t.integer(256), self.number("high")))
        assert numbers.value(word, True) is expected and numbers.value(word, False) is expected
        close = t.bit("bvor", t.zero_extend(low, 24), t.bit("bvshl", t.zero_extend(high, 24), t.bv(7, 32)))
        assert numbers.value(close, True) is None

    def test_a_deep_term_does_not_exhaust_the_stack(self) -> None:
        t = self.t
        deep = self.x
        for i in range(5_000):
            deep = t.bit("bvsub" if i % 2 else "bvmul", deep, self.x)
        assert self.numbers.value(deep, True) is not None
        assert self.numbers.condition(t.bit("bvslt", deep, self.x)) is not None


class TestEdges:
    def test_what_cannot_be_said_is_havocked_and_listed(self) -> None:
        a, b = VARIABLES["a"], VARIABLES["b"]
        result = integers(automaton(Assign(b, TERMS.bit("bvxor", a, b)), Assume(TERMS.eq(TERMS.bit("bvor", a, b), a))))
        assert result.imprecise == ("t.c:1: step 0", "t.c:2: step 1")
        relation = result.cfa.edges[0].operation
        assert isinstance(relation, Relation)
        new = relation.primed[0][1]
        assert not evaluate(relation.formula, {new: -1} | as_numbers({a: 0, b: 0}))
        assert evaluate(relation.formula, {new: 9} | as_numbers({a: 0, b: 0}))

    def test_a_value_chosen_by_an_unsayable_condition_is_one_of_two(self) -> None:
        a, b, e = VARIABLES["a"], VARIABLES["b"], VARIABLES["e"]
        condition = TERMS.eq(TERMS.bit("bvand", a, b), TERMS.bv(0, 4))
        value = TERMS.ite(condition, TERMS.bv(1, 4), TERMS.bv(3, 4))
        relation = integers(automaton(Assign(b, value))).cfa.edges[0].operation
        assert isinstance(relation, Relation)
        new = relation.primed[0][1]
        start = as_numbers({a: 0, b: 0, e: 0, VARIABLES["c"]: 0, VARIABLES["d"]: 0})
        assert [k for k in range(16) if evaluate(relation.formula, start | {new: k})] == [1, 3]

    def test_checks_of_division_stay_and_those_of_overflow_go(self) -> None:
        a, c = VARIABLES["a"], VARIABLES["c"]
        division = Check(TERMS.ne(a, TERMS.bv(0, 4)), Undefined.DIVISION, Position("t.c", 1))
        wide = TERMS.bit("bvadd", TERMS.sign_extend(c, 1), TERMS.bv(1, 7))
        overflow = Check(TERMS.bit("bvslt", wide, TERMS.bv(32, 7)), Undefined.SIGNED_OVERFLOW, Position("t.c", 1))
        cfa = automaton(Assign(c, TERMS.bit("bvadd", c, TERMS.bv(1, 6))), checks=(division, overflow))
        kept = integers(cfa).cfa.edges[0].checks
        assert [k.condition for k in kept] == [TERMS.ne(TERMS.var("a", INT), TERMS.integer(0))]
        both = integers(cfa, overflow_checks=True).cfa.edges[0].checks
        assert both[1].condition is TERMS.lt(TERMS.var("c", INT), TERMS.integer(31))

    def test_wide_unsigned_values_are_not_negative_and_wide_signed_ones_are_free(self) -> None:
        t = Terms()
        x, u = t.var("x", bits(32)), t.var("u", bits(32))
        declared = (Variable(x, "x", signed=True), Variable(u, "u", signed=False))
        edges = tuple(Edge(LOCATIONS[0], LOCATIONS[1], Havoc(v)) for v in (x, u))
        cfa = Cfa(t, LOCATIONS[0], LOCATIONS[1], tuple(LOCATIONS), edges, declared)
        free, bounded = (e.operation for e in integers(cfa).cfa.edges)
        assert free == Havoc(t.var("x", INT))
        assert isinstance(bounded, Relation) and bounded.formula is t.ge(t.var("u'", INT), t.integer(0))
        full, _ = (e.operation for e in integers(cfa, ranges=True).cfa.edges)
        assert isinstance(full, Relation)

    def test_unsigned_variables_that_are_read_first_start_in_range(self) -> None:
        d = VARIABLES["d"]
        cfa = automaton(Assign(VARIABLES["c"], d))
        operation = integers(cfa).cfa.edges[0].operation
        assert isinstance(operation, Relation)
        new = operation.primed[0][1]
        assert not evaluate(operation.formula, as_numbers({d: -1}) | {new: -1})


@pytest.mark.parametrize("op", ["bvand", "bvor", "bvxor"])
@pytest.mark.parametrize("width", [1, 4])
def test_connectives_of_truth_values_are_exact(op: str, width: int) -> None:
    t = Terms()
    p, q = t.var("p", bits(1)), t.var("q", bits(1))
    term = t.bit(op, t.zero_extend(p, width - 1), t.zero_extend(q, width - 1))
    numbers = Numbers(t, {p: False, q: False})
    for view in (True, False) if width > 1 else (False,):
        value = numbers.value(term, view)
        assert value is not None
        for a in (0, 1):
            for b in (0, 1):
                expected = evaluate(term, {p: a, q: b})
                assert evaluate(value, {numbers.variable(p): a, numbers.variable(q): b}) == expected


def test_elements_of_arrays_have_no_number() -> None:
    t = Terms()
    a, i = t.var("a", array(bits(4), bits(8))), t.var("i", bits(4))
    numbers = Numbers(t, {i: False})
    element = t.select(a, i)
    assert numbers.value(element, True) is None and numbers.value(t.add(element, t.bv(1, 8)), False) is None
    assert numbers.condition(t.eq(element, t.bv(1, 8))) is None
