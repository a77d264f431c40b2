"""Functions of integers that have one result: of ``stdlib.h`` and ``ctype.h``, and those that compilers know.

Law: the term has the value that the C library gives (the tests call it); what that leaves open is any value. The
functions of ``ctype.h`` are those of the C locale.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from argosy.basics.position import Position
from argosy.frontends.c.library import COMPUTED, PREFIX
from argosy.frontends.c.lower.operators import Operators, Value
from argosy.frontends.c.types import Integer, Type
from argosy.logic.terms import Term

_LONGS = ("", "l", "ll")
_CLASSES: dict[str, tuple[tuple[int, int], ...]] = {
    "isdigit": ((48, 57),),
    "isupper": ((65, 90),),
    "islower": ((97, 122),),
    "isalpha": ((65, 90), (97, 122)),
    "isalnum": ((48, 57), (65, 90), (97, 122)),
    "isxdigit": ((48, 57), (65, 70), (97, 102)),
    "isspace": ((9, 13), (32, 32)),
    "isblank": ((9, 9), (32, 32)),
    "iscntrl": ((0, 31), (127, 127)),
    "isprint": ((32, 126),),
    "isgraph": ((33, 126),),
    "ispunct": ((33, 47), (58, 64), (91, 96), (123, 126)),
}


class IntegerCalls:
    def __init__(self, operators: Operators) -> None:
        self._operators = operators
        self._terms = operators.terms
        self._bits: dict[str, Callable[[Term, str, Position], Term]] = {
            "clz": lambda x, name, at: self._zeros(x, True, name, at),
            "ctz": lambda x, name, at: self._zeros(x, False, name, at),
            "clrsb": lambda x, name, at: self._sign_bits(x),
            "ffs": lambda x, name, at: self._first(x),
            "popcount": lambda x, name, at: self._count(x),
            "parity": lambda x, name, at: self._terms.zero_extend(self._terms.extract(self._count(x), 0, 0), 31),
        }

    def value(self, name: str, values: Sequence[Value], position: Position) -> Value | None:
        """What a call gives; None where its arguments are not what the function takes."""
        stem = name.removeprefix(PREFIX)
        assert stem in COMPUTED
        if len(values) != 1 or not isinstance(values[0].type, Integer):
            return None
        if values[0].term is None:
            return Value(None, self._result(stem), values[0].refusal)
        value = self._operators.convert(values[0], self._parameter(stem), position)
        assert value.term is not None and isinstance(value.type, Integer)
        if stem in ("abs", "labs", "llabs"):
            return self._absolute(value, position)
        if stem.startswith("bswap"):
            return Value(self._swapped(value.term), value.type)
        if stem in _CLASSES:
            return Value(self._member(stem, value.term, position), self._operators.model.int_)
        if stem in ("toupper", "tolower"):
            return Value(self._other_case(stem, value.term), value.type)
        return Value(self._bits[stem.rstrip("l")](value.term, name, position), self._operators.model.int_)

    def _parameter(self, stem: str) -> Integer:
        model = self._operators.model
        if stem.startswith("bswap"):
            return model[{"16": "unsigned short", "32": "unsigned int", "64": "unsigned long long"}[stem[5:]]]
        if stem in ("abs", "labs", "llabs"):
            return model[{"abs": "int", "labs": "long", "llabs": "long long"}[stem]]
        if stem in _CLASSES or stem in ("toupper", "tolower"):
            return model.int_
        plain = ("int", "long", "long long")[len(stem) - len(stem.rstrip("l"))]
        return model[plain if stem.startswith(("ffs", "clrsb")) else f"unsigned {plain}"]

    def _result(self, stem: str) -> Type:
        own = stem.startswith("bswap") or stem in ("abs", "labs", "llabs", "toupper", "tolower")
        return self._parameter(stem) if own else self._operators.model.int_

    def _absolute(self, value: Value, position: Position) -> Value:
        """That of the least number is none of the type (7.22.6.1)."""
        negative = self._operators.negate(value, position)
        assert value.term is not None and negative.term is not None
        below = self._terms.bit("bvslt", value.term, self._terms.const(0, value.term.sort))
        return Value(self._terms.ite(below, negative.term, value.term), value.type)

    # ---- bits ---------------------------------------------------------------------------------------------

    def _bit(self, x: Term, index: int) -> Term:
        return self._terms.eq(self._terms.extract(x, index, index), self._terms.bv(1, 1))

    def _swapped(self, x: Term) -> Term:
        parts = [self._terms.extract(x, low + 7, low) for low in range(0, x.sort.width, 8)]
        whole = parts[0]
        for part in parts[1:]:
            whole = self._terms.concat(whole, part)
        return whole

    def _count(self, x: Term) -> Term:
        terms = self._terms
        sums = [terms.zero_extend(terms.extract(x, index, index), 31) for index in range(x.sort.width)]
        while len(sums) > 1:
            pairs = zip(sums[::2], sums[1::2], strict=False)
            rest = sums[-1:] if len(sums) % 2 else []
            sums = [*(terms.bit("bvadd", x, y) for x, y in pairs), *rest]
        return sums[0]

    def _chain(self, x: Term, order: Sequence[int], last: Term) -> Term:
        """The place of the first bit that is set, in an order of the bits."""
        result = last
        for place, index in reversed(list(enumerate(order))):
            result = self._terms.ite(self._bit(x, index), self._terms.bv(place, 32), result)
        return result

    def _zeros(self, x: Term, leading: bool, name: str, position: Position) -> Term:
        """How many bits are zero before the first that is not; compilers leave open what it is where all are."""
        order = range(x.sort.width)
        open_ = self._operators.any_value(self._operators.model.int_, f"{name}(0)", position)
        return self._chain(x, list(reversed(order)) if leading else list(order), open_)

    def _first(self, x: Term) -> Term:
        zero = self._terms.bv(-1, 32)
        return self._terms.bit("bvadd", self._chain(x, list(range(x.sort.width)), zero), self._terms.bv(1, 32))

    def _sign_bits(self, x: Term) -> Term:
        """How many bits behind the sign are like it."""
        terms, width = self._terms, x.sort.width
        sign = terms.extract(x, width - 1, width - 1)
        same = sign
        for _ in range(width - 2):
            same = terms.concat(same, sign)
        changed = terms.bit("bvxor", terms.extract(x, width - 2, 0), same)
        return self._chain(changed, list(reversed(range(width - 1))), terms.bv(width - 1, 32))

    # ---- characters ---------------------------------------------------------------------------------------

    def _between(self, x: Term, low: int, high: int) -> Term:
        terms = self._terms
        return terms.and_(
            terms.bit("bvsle", terms.const(low, x.sort), x), terms.bit("bvsle", x, terms.const(high, x.sort))
        )

    def _member(self, stem: str, x: Term, position: Position) -> Term:
        """Any number but 0 where the character is one (7.4.1)."""
        terms = self._terms
        some = self._operators.any_value(self._operators.model.int_, f"what {stem} gives", position)
        zero = terms.const(0, some.sort)
        true = terms.ite(terms.eq(some, zero), terms.const(1, some.sort), some)
        holds = terms.disjunction(self._between(x, low, high) for low, high in _CLASSES[stem])
        return terms.ite(holds, true, zero)

    def _other_case(self, stem: str, x: Term) -> Term:
        low, high, by = (97, 122, -32) if stem == "toupper" else (65, 90, 32)
        moved = self._terms.bit("bvadd", x, self._terms.const(by, x.sort))
        return self._terms.ite(self._between(x, low, high), moved, x)

    # ---- with a place for the result ------------------------------------------------------------------------

    def overflowing(self, op: str, a: Value, b: Value, target: Integer) -> tuple[Term, Term]:
        """``__builtin_add_overflow`` and its relatives: the result as the target has it, and whether the exact one is
        another number."""
        terms = self._terms
        assert isinstance(a.type, Integer) and isinstance(b.type, Integer) and a.term is not None and b.term is not None
        width = max(a.type.width + b.type.width, target.width) + 2
        x, y = (self._wide(v.term, v.type.signed, width) for v in (a, b) if isinstance(v.type, Integer) and v.term)
        whole = terms.bit({"add": "bvadd", "sub": "bvsub", "mul": "bvmul"}[op], x, y)
        result = terms.extract(whole, target.width - 1, 0)
        return result, terms.ne(self._wide(result, target.signed, width), whole)

    def _wide(self, x: Term, signed: bool, width: int) -> Term:
        extend = self._terms.sign_extend if signed else self._terms.zero_extend
        return extend(x, width - x.sort.width)
