"""Words of literals have the values of their terms."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from argosy.basics.errors import UnsupportedError
from argosy.logic import semantics
from argosy.logic.semantics import ArrayValue, Value
from argosy.logic.sorts import BOOL, INT, array, bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate
from argosy.models.circuit import Circuit
from argosy.models.gates import Gates
from argosy.models.words import Words, encoded, width_of


class Blasted:
    """Terms over these variables, as a circuit without latches."""

    def __init__(self, variables: list[Term], results: list[Term]) -> None:
        gates = Gates()
        leaves = {variable: tuple(gates.leaf() for _ in range(width_of(variable.sort))) for variable in variables}
        words = Words(gates, leaves)
        made = [words.word(term) for term in results]
        self.variables = variables
        self.results = results
        self.circuit: Circuit = gates.circuit([k for word in leaves.values() for k in word], [], sum(made, ()), [])

    def agree(self, values: dict[Term, Value]) -> bool:
        inputs: list[int] = []
        for variable in self.variables:
            number = encoded(values[variable], variable.sort)
            inputs += (number >> place & 1 for place in range(width_of(variable.sort)))
        found = self.circuit.values((), inputs)
        bits_found = [found[literal] for literal in self.circuit.bad]
        for term in self.results:
            width = width_of(term.sort)
            number = sum(bit << place for place, bit in enumerate(bits_found[:width]))
            del bits_found[:width]
            if number != encoded(evaluate(term, values), term.sort):
                return False
        return True


@pytest.mark.parametrize("op", sorted(semantics.BIT_OPERATORS))
def test_operators_on_all_values(op: str) -> None:
    for width in (1, 2, 3, 4):
        terms = Terms()
        x, y = terms.var("x", bits(width)), terms.var("y", bits(width))
        blasted = Blasted([x, y], [terms.bit(op, x) if op in ("bvneg", "bvnot") else terms.bit(op, x, y)])
        for a, b in product(range(1 << width), repeat=2):
            assert blasted.agree({x: a, y: b}), (width, a, b)


@pytest.mark.parametrize("op", sorted(semantics.BIT_OPERATORS))
def test_operators_with_constants(op: str) -> None:
    terms = Terms()
    x = terms.var("x", bits(5))
    results = []
    for value in (0, 1, 2, 7, 16, 31):
        constant = terms.bv(value, 5)
        pairs = ((x, constant), (constant, x)) if op not in ("bvneg", "bvnot") else ((x,),)
        results += [terms.bit(op, *pair) for pair in pairs]
    blasted = Blasted([x], results)
    assert all(blasted.agree({x: value}) for value in range(32))


def test_pieces_of_words() -> None:
    terms = Terms()
    x, y, p = terms.var("x", bits(3)), terms.var("y", bits(2)), terms.var("p", BOOL)
    results = [
        terms.concat(x, y),
        terms.extract(terms.concat(x, y), 3, 1),
        terms.zero_extend(x, 2),
        terms.sign_extend(y, 3),
        terms.ite(p, x, terms.bit("bvnot", x)),
        terms.eq(x, terms.zero_extend(y, 1)),
        terms.or_(terms.and_(p, terms.eq(y, terms.bv(2, 2))), terms.not_(p)),
    ]
    blasted = Blasted([x, y, p], results)
    for a, b, c in product(range(8), range(4), (False, True)):
        assert blasted.agree({x: a, y: b, p: c})


def test_small_arrays_have_a_word_for_each_element() -> None:
    terms = Terms()
    random = Random(1)
    sort = array(bits(2), bits(3))
    a, i, v = terms.var("a", sort), terms.var("i", bits(2)), terms.var("v", bits(3))
    stored = terms.store(a, i, v)
    results = [
        terms.select(a, i),
        terms.select(stored, terms.bv(2, 2)),
        terms.eq(stored, a),
        terms.ite(terms.eq(v, terms.bv(0, 3)), stored, terms.const_array(sort, v)),
        terms.const(ArrayValue(5, {1: 2}), sort),
    ]
    blasted = Blasted([a, i, v], results)
    for _ in range(200):
        value = ArrayValue(random.randrange(8), {k: random.randrange(8) for k in range(4) if random.random() < 0.5})
        assert blasted.agree({a: value, i: random.randrange(4), v: random.randrange(8)})


def test_wide_words() -> None:
    terms = Terms()
    random = Random(2)
    x, y = terms.var("x", bits(70)), terms.var("y", bits(70))
    results = [terms.bit(op, x, y) for op in ("bvadd", "bvmul", "bvudiv", "bvsrem", "bvashr", "bvslt")]
    blasted = Blasted([x, y], results)
    for _ in range(20):
        assert blasted.agree({x: random.getrandbits(70), y: random.getrandbits(random.choice((6, 40, 70)))})


def test_what_has_no_bits_is_refused() -> None:
    terms = Terms()
    for sort, message in (
        (INT, "sort Int"),
        (array(bits(20), bits(8)), "too large for bit level"),
        (array(bits(400), bits(8)), "too large for bit level"),
        (array(bits(2), array(bits(2), bits(2))), "words at places"),
    ):
        with pytest.raises(UnsupportedError, match=message):
            width_of(sort)
    number = terms.var("n", INT)
    with pytest.raises(UnsupportedError, match="sort Int"):
        Words(Gates(), {}).word(terms.le(number, terms.integer(3)))
    with pytest.raises(UnsupportedError, match="variable x"):
        Words(Gates(), {}).word(terms.var("x", bits(3)))
