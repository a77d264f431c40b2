"""The operators of BTOR2 as terms (Niemetz, Preiner, Wolf, Biere, *BTOR2, BtorMC and Boolector 3.0*, CAV 2018).

A word of one bit is a boolean here: comparisons and connectives, of which hardware mostly consists, then are what
predicates and clauses speak of. Division by zero has SMT-LIB's value.

Law: an operator on constants gives the constant that the paper's semantics gives (``tests/frontends/btor2``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from argosy.basics.records import dataclass
from argosy.logic.sorts import BOOL, Sort, array, bits
from argosy.logic.terms import Term, Terms


@dataclass(frozen=True, slots=True)
class WordSort:
    width: int

    @property
    def of_variables(self) -> Sort:
        return BOOL if self.width == 1 else bits(self.width)

    @property
    def of_elements(self) -> Sort:
        return bits(self.width)

    def __str__(self) -> str:
        return f"bitvec {self.width}"


@dataclass(frozen=True, slots=True)
class ArraySort:
    index: WordSort
    element: WordSort

    @property
    def of_variables(self) -> Sort:
        return array(self.index.of_elements, self.element.of_elements)

    def __str__(self) -> str:
        return f"array of {self.element}"


BtorSort = WordSort | ArraySort


@dataclass(frozen=True, slots=True)
class SortedTerm:
    """A node: of one bit a boolean term."""

    sort: BtorSort
    term: Term

    @property
    def width(self) -> int:
        assert isinstance(self.sort, WordSort)
        return self.sort.width


class WordOperators:
    """``SortedTerm``s from ``SortedTerm``s whose sorts fit."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms

    def word(self, value: SortedTerm) -> Term:
        """As bits, also where it is one."""
        if value.term.sort is BOOL:
            return self.terms.ite(value.term, self.terms.bv(1, 1), self.terms.bv(0, 1))
        return value.term

    def truth(self, value: SortedTerm) -> Term:
        assert value.term.sort is BOOL
        return value.term

    def of_word(self, term: Term) -> SortedTerm:
        """A value of bits, or of a condition."""
        if term.sort is BOOL:
            return SortedTerm(WordSort(1), term)
        if term.sort.width == 1:
            return SortedTerm(WordSort(1), self.terms.eq(term, self.terms.bv(1, 1)))
        return SortedTerm(WordSort(term.sort.width), term)

    def constant(self, number: int, width: int) -> SortedTerm:
        return self.of_word(self.terms.bv(number, width))

    def negated(self, value: SortedTerm) -> SortedTerm:
        if value.term.sort is BOOL:
            return SortedTerm(value.sort, self.terms.not_(value.term))
        return self.of_word(self.terms.bit("bvnot", value.term))

    # ---- one operand --------------------------------------------------------------------------------------

    def unary(self, op: str, a: SortedTerm) -> SortedTerm:
        terms, width = self.terms, a.width
        match op:
            case "not":
                return self.negated(a)
            case "inc":
                return self.of_word(terms.bit("bvadd", self.word(a), terms.bv(1, width)))
            case "dec":
                return self.of_word(terms.bit("bvsub", self.word(a), terms.bv(1, width)))
            case "neg":
                return self.of_word(terms.bit("bvneg", self.word(a)))
            case "redand":
                return self.of_word(terms.eq(self.word(a), terms.bv(-1, width)))
            case "redor":
                return self.of_word(terms.ne(self.word(a), terms.bv(0, width)))
        parity = terms.false
        for place in range(width):
            parity = terms.xor(parity, self.of_word(terms.extract(self.word(a), place, place)).term)
        return self.of_word(parity)

    def extended(self, op: str, a: SortedTerm, by: int) -> SortedTerm:
        if by == 0:
            return a
        extend = self.terms.zero_extend if op == "uext" else self.terms.sign_extend
        return self.of_word(extend(self.word(a), by))

    def slice(self, a: SortedTerm, high: int, low: int) -> SortedTerm:
        return self.of_word(self.terms.extract(self.word(a), high, low))

    # ---- two operands -------------------------------------------------------------------------------------

    def binary(self, op: str, a: SortedTerm, b: SortedTerm) -> SortedTerm:
        terms = self.terms
        if op in ("eq", "neq", "ne", "iff"):
            same = terms.eq(a.term, b.term)
            return self.of_word(same if op in ("eq", "iff") else terms.not_(same))
        if op in _CONNECTIVES:
            connective, negated = _CONNECTIVES[op]
            if a.term.sort is BOOL:
                joined = SortedTerm(a.sort, _BOOLEAN[connective](terms, a.term, b.term))
            else:
                joined = self.of_word(terms.bit(connective, a.term, b.term))
            return self.negated(joined) if negated else joined
        if op == "implies":
            return self.of_word(terms.implies(self.truth(a), self.truth(b)))
        x, y = self.word(a), self.word(b)
        if op == "concat":
            return self.of_word(terms.concat(x, y))
        if op in _COMPARISONS:
            name, swapped = _COMPARISONS[op]
            return self.of_word(terms.bit(name, y, x) if swapped else terms.bit(name, x, y))
        if op in _ARITHMETIC:
            return self.of_word(terms.bit(_ARITHMETIC[op], x, y))
        return self.of_word(_OTHERS[op](terms, x, y))

    # ---- arrays and choice --------------------------------------------------------------------------------

    def read(self, a: SortedTerm, index: SortedTerm) -> SortedTerm:
        return self.of_word(self.terms.select(a.term, self.word(index)))

    def write(self, a: SortedTerm, index: SortedTerm, element: SortedTerm) -> SortedTerm:
        return SortedTerm(a.sort, self.terms.store(a.term, self.word(index), self.word(element)))

    def choice(self, condition: SortedTerm, a: SortedTerm, b: SortedTerm) -> SortedTerm:
        return SortedTerm(a.sort, self.terms.ite(self.truth(condition), a.term, b.term))

    def filled(self, sort: ArraySort, element: SortedTerm) -> SortedTerm:
        return SortedTerm(sort, self.terms.const_array(sort.of_variables, self.word(element)))


def _rotated(terms: Terms, a: Term, b: Term, left: bool) -> Term:
    width = a.sort.width
    size = terms.bv(width, width)
    by = terms.bit("bvurem", b, size)
    rest = terms.bit("bvsub", size, by)
    one, other = (by, rest) if left else (rest, by)
    return terms.bit("bvor", terms.bit("bvshl", a, one), terms.bit("bvlshr", a, other))


def _smod(terms: Terms, a: Term, b: Term) -> Term:
    """The sign of the result is that of ``b``."""
    width = a.sort.width
    zero = terms.bv(0, width)
    a_negative, b_negative = terms.bit("bvslt", a, zero), terms.bit("bvslt", b, zero)
    size_a = terms.ite(a_negative, terms.bit("bvneg", a), a)
    size_b = terms.ite(b_negative, terms.bit("bvneg", b), b)
    rest = terms.bit("bvurem", size_a, size_b)
    signed = terms.ite(a_negative, terms.bit("bvneg", rest), rest)
    shifted = terms.bit("bvadd", signed, b)
    same = terms.or_(terms.eq(rest, zero), terms.eq(a_negative, b_negative))
    return terms.ite(same, signed, shifted)


def _leaves_range(terms: Terms, op: str, a: Term, b: Term, by: int, signed: bool) -> Term:
    """Whether the result does not fit, when it is computed with ``by`` more bits."""
    width = a.sort.width
    extend = terms.sign_extend if signed else terms.zero_extend
    wide = terms.bit(op, extend(a, by), extend(b, by))
    return terms.ne(wide, extend(terms.extract(wide, width - 1, 0), by))


def _sdivo(terms: Terms, a: Term, b: Term) -> Term:
    width = a.sort.width
    return terms.and_(terms.eq(a, terms.bv(1 << (width - 1), width)), terms.eq(b, terms.bv(-1, width)))


_CONNECTIVES: Mapping[str, tuple[str, bool]] = {
    "and": ("bvand", False),
    "nand": ("bvand", True),
    "or": ("bvor", False),
    "nor": ("bvor", True),
    "xor": ("bvxor", False),
    "xnor": ("bvxor", True),
}
_BOOLEAN: Mapping[str, Callable[[Terms, Term, Term], Term]] = {
    "bvand": lambda terms, a, b: terms.and_(a, b),
    "bvor": lambda terms, a, b: terms.or_(a, b),
    "bvxor": lambda terms, a, b: terms.xor(a, b),
}
_COMPARISONS: Mapping[str, tuple[str, bool]] = {
    "ult": ("bvult", False),
    "ugt": ("bvult", True),
    "ulte": ("bvule", False),
    "ugte": ("bvule", True),
    "slt": ("bvslt", False),
    "sgt": ("bvslt", True),
    "slte": ("bvsle", False),
    "sgte": ("bvsle", True),
}
_ARITHMETIC: Mapping[str, str] = {
    "add": "bvadd",
    "sub": "bvsub",
    "mul": "bvmul",
    "udiv": "bvudiv",
    "urem": "bvurem",
    "sdiv": "bvsdiv",
    "srem": "bvsrem",
    "sll": "bvshl",
    "srl": "bvlshr",
    "sra": "bvashr",
}
_OTHERS: Mapping[str, Callable[[Terms, Term, Term], Term]] = {
    "rol": lambda terms, a, b: _rotated(terms, a, b, True),
    "ror": lambda terms, a, b: _rotated(terms, a, b, False),
    "smod": _smod,
    "uaddo": lambda terms, a, b: _leaves_range(terms, "bvadd", a, b, 1, False),
    "saddo": lambda terms, a, b: _leaves_range(terms, "bvadd", a, b, 1, True),
    "usubo": lambda terms, a, b: terms.bit("bvult", a, b),
    "ssubo": lambda terms, a, b: _leaves_range(terms, "bvsub", a, b, 1, True),
    "umulo": lambda terms, a, b: _leaves_range(terms, "bvmul", a, b, a.sort.width, False),
    "smulo": lambda terms, a, b: _leaves_range(terms, "bvmul", a, b, a.sort.width, True),
    "sdivo": _sdivo,
}

UNARY = frozenset({"not", "inc", "dec", "neg", "redand", "redor", "redxor"})
SAME_SORT = frozenset({*_CONNECTIVES, *_ARITHMETIC, "rol", "ror", "smod"})
"""Both operands and the result have one sort."""
OF_ONE_BIT = frozenset({*_COMPARISONS, *(name for name in _OTHERS if name.endswith("o"))})
"""Both operands have one sort, the result is a bit."""
EQUALITIES = frozenset({"eq", "neq", "ne"})
OF_BITS = frozenset({"iff", "implies"})
BINARY = SAME_SORT | OF_ONE_BIT | EQUALITIES | OF_BITS | {"concat", "read"}
