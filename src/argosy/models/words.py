"""Terms as words of literals: booleans, bit-vectors, and arrays that are small enough to have a word per element.

Law: a term has the same value as its word, under every valuation of the variables by the words given for them. What
cannot be said in bits, or would take too many, is refused by name (``UnsupportedError``).
"""

from __future__ import annotations

from collections.abc import Mapping

from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.errors import UnsupportedError
from argosy.basics.position import NOWHERE, Position
from argosy.logic.graph import postorder
from argosy.logic.semantics import Value
from argosy.logic.sorts import Sort
from argosy.logic.terms import Term
from argosy.models.circuit import FALSE
from argosy.models.gates import Gates, Word

MOST_BITS = 1 << 14
"""Of one array: its elements times their width."""

MOST_GATES = 4_000_000


def width_of(sort: Sort, position: Position = NOWHERE) -> int:
    """How many bits a value of this sort has, an array being its elements one after the other."""
    if sort.kind == "bool":
        return 1
    if sort.is_bits:
        return sort.width
    if sort.index is None or sort.element is None:
        raise UnsupportedError(position, f"values of sort {sort} are not of a fixed number of bits")
    if sort.index.kind not in ("bool", "bits") or sort.element.kind not in ("bool", "bits"):
        raise UnsupportedError(position, f"an array {sort} is not of words at places that are words")
    places, width = width_of(sort.index), width_of(sort.element)
    if places > MOST_BITS.bit_length() or width << places > MOST_BITS:
        raise UnsupportedError(position, f"an array of 2^{places} elements is too large for bit level")
    return width << places


def encoded(value: Value, sort: Sort) -> int:
    """The bits of a value, the least significant first."""
    if sort.index is None or sort.element is None:
        return int(value)
    width = width_of(sort.element)
    places = range(1 << width_of(sort.index))
    return sum(int(value.select(bool(k) if sort.index.kind == "bool" else k)) << (width * k) for k in places)


class Words:
    """Words for terms, over the words of their variables."""

    def __init__(self, gates: Gates, variables: Mapping[Term, Word], budget: Budget = UNLIMITED) -> None:
        self.gates = gates
        self._words: dict[Term, Word] = dict(variables)
        self._budget = budget

    def define(self, variable: Term, word: Word) -> None:
        self._words[variable] = word

    def literal(self, term: Term, position: Position = NOWHERE) -> int:
        """Of a boolean."""
        return self.word(term, position)[0]

    def word(self, term: Term, position: Position = NOWHERE) -> Word:
        words = self._words
        if term not in words:
            for sub in postorder(term):
                if sub not in words:
                    words[sub] = self._made(sub, position)
                    if len(self.gates) > MOST_GATES:
                        raise UnsupportedError(position, f"more than {MOST_GATES:,} gates at bit level")
                    self._budget.check()
        return words[term]

    def _made(self, term: Term, position: Position) -> Word:
        gates, words = self.gates, [self._words[arg] for arg in term.args]
        width = width_of(term.sort, position)
        match term.op:
            case "const":
                return gates.constant(encoded(term.value, term.sort), width)
            case "not" | "bvnot":
                return gates.negated(words[0])
            case "and":
                return (gates.all_of(word[0] for word in words),)
            case "or":
                return (gates.any_of(word[0] for word in words),)
            case "=":
                return (gates.equal(words[0], words[1]),)
            case "ite":
                return gates.select(words[0][0], words[1], words[2])
            case "concat":
                return words[1] + words[0]
            case "extract":
                high, low = term.payload
                return words[0][low : high + 1]
            case "zero_extend":
                return words[0] + (FALSE,) * int(term.payload)
            case "sign_extend":
                return words[0] + words[0][-1:] * int(term.payload)
            case "const-array":
                return words[0] * (width // len(words[0]))
            case "select":
                return self._selected(words[0], words[1], width)
            case "store":
                return self._stored(*words)
        return self._arithmetic(term, words, position)

    def _arithmetic(self, term: Term, words: list[Word], position: Position) -> Word:
        gates = self.gates
        match term.op, words:
            case "bvneg", [a]:
                return gates.opposite(a)
            case "bvadd", [a, b]:
                return gates.sum(a, b)
            case "bvsub", [a, b]:
                return gates.difference(a, b)
            case "bvmul", [a, b]:
                return gates.product(a, b)
            case "bvand", [a, b]:
                return tuple(map(gates.and_, a, b))
            case "bvor", [a, b]:
                return tuple(map(gates.or_, a, b))
            case "bvxor", [a, b]:
                return tuple(map(gates.xor, a, b))
            case "bvshl", [a, b]:
                return gates.shifted(a, b, left=True, fill=FALSE)
            case "bvlshr", [a, b]:
                return gates.shifted(a, b, left=False, fill=FALSE)
            case "bvashr", [a, b]:
                return gates.shifted(a, b, left=False, fill=a[-1])
            case "bvudiv", [a, b]:
                return gates.division(a, b)[0]
            case "bvurem", [a, b]:
                return gates.division(a, b)[1]
            case "bvsdiv", [a, b]:
                return gates.signed_division(a, b)[0]
            case "bvsrem", [a, b]:
                return gates.signed_division(a, b)[1]
            case "bvult", [a, b]:
                return (gates.less(a, b),)
            case "bvule", [a, b]:
                return (gates.less(b, a) ^ 1,)
            case "bvslt", [a, b]:
                return (gates.signed_less(a, b),)
            case "bvsle", [a, b]:
                return (gates.signed_less(b, a) ^ 1,)
        what = f"the variable {term.name}" if term.is_var else f"the operator {term.op}"
        raise UnsupportedError(position, f"{what} is not known at bit level")

    def _selected(self, array: Word, index: Word, width: int) -> Word:
        elements = [array[k : k + width] for k in range(0, len(array), width)]
        for literal in index:
            elements = [
                self.gates.select(literal, odd, even) for even, odd in zip(elements[::2], elements[1::2], strict=True)
            ]
        return elements[0]

    def _stored(self, array: Word, index: Word, value: Word) -> Word:
        gates, width = self.gates, len(value)
        made: list[int] = []
        for place in range(len(array) // width):
            hit = gates.equal(index, gates.constant(place, len(index)))
            made += gates.select(hit, value, array[place * width : (place + 1) * width])
        return tuple(made)
