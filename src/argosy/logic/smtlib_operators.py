"""The operators of SMT-LIB by name: what the parser applies to arguments it has read.

Each checks the number and the sorts of its arguments and builds the term from the few operators that ``Terms``
keeps; ``Mismatch`` says what is wrong and the parser adds where.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, pairwise

from argosy.logic.floating import FLOAT_OPERATORS, ROUNDINGS
from argosy.logic.sorts import BOOL, INT, REAL, Sort
from argosy.logic.terms import Term, Terms

# A word of so many bits is read; a wider one is taken for a mistake, before it takes the memory.
WIDEST = 1 << 20


class Mismatch(Exception):
    """Wrong number or sorts of arguments."""


class Unmodelled(Mismatch):
    """An operator that has a meaning, which is not modelled."""


def expect(condition: bool, message: str) -> None:
    if not condition:
        raise Mismatch(message)


Arguments = tuple[Term, ...]
Operator = Callable[[Terms, Arguments], Term]


def _count(args: Arguments, least: int, most: int | None = None) -> None:
    expect(least <= len(args) and (most is None or len(args) <= most), f"{len(args)} arguments are too many or too few")


def _all(args: Arguments, accept: Callable[[Sort], bool], wanted: str) -> None:
    for arg in args:
        expect(accept(arg.sort), f"expected {wanted}, not {arg.sort}")


def _booleans(args: Arguments) -> None:
    _all(args, lambda sort: sort is BOOL, "Bool")


def _vectors(args: Arguments) -> None:
    _all(args, lambda sort: sort.is_bits, "a bit-vector")


def _same(args: Arguments) -> None:
    for arg in args[1:]:
        expect(arg.sort == args[0].sort, f"sorts differ: {args[0].sort} and {arg.sort}")


def _numbers(terms: Terms, args: Arguments) -> Arguments:
    """Integers among rationals are converted, as solvers accept it."""
    _all(args, lambda sort: sort.is_numeric, "a number")
    if any(a.sort is REAL for a in args):
        return tuple(a if a.sort is REAL else terms.to_real(a) for a in args)
    return args


def _alike(terms: Terms, args: Arguments) -> Arguments:
    if args[0].sort.is_numeric:
        return _numbers(terms, args)
    _same(args)
    return args


def _junction(build: Callable[..., Term]) -> Operator:
    def apply(terms: Terms, args: Arguments) -> Term:
        _booleans(args)
        return build(terms, *args)

    return apply


def _not(terms: Terms, args: Arguments) -> Term:
    _count(args, 1, 1)
    _booleans(args)
    return terms.not_(args[0])


def _implies(terms: Terms, args: Arguments) -> Term:
    _count(args, 2)
    _booleans(args)
    return terms.or_(*(terms.not_(a) for a in args[:-1]), args[-1])


def _xor(terms: Terms, args: Arguments) -> Term:
    _count(args, 2)
    _booleans(args)
    return _left(terms.xor, args)


def _left(build: Callable[[Term, Term], Term], args: Arguments) -> Term:
    result = args[0]
    for arg in args[1:]:
        result = build(result, arg)
    return result


def _equal(terms: Terms, args: Arguments) -> Term:
    _count(args, 2)
    return terms.conjunction(terms.eq(a, b) for a, b in pairwise(_alike(terms, args)))


def _distinct(terms: Terms, args: Arguments) -> Term:
    _count(args, 2)
    return terms.conjunction(terms.ne(a, b) for a, b in combinations(_alike(terms, args), 2))


def _ite(terms: Terms, args: Arguments) -> Term:
    _count(args, 3, 3)
    _booleans(args[:1])
    return terms.ite(args[0], *_alike(terms, args[1:]))


def _comparison(build: Callable[[Terms, Term, Term], Term]) -> Operator:
    def apply(terms: Terms, args: Arguments) -> Term:
        _count(args, 2)
        return terms.conjunction(build(terms, a, b) for a, b in pairwise(_numbers(terms, args)))

    return apply


def _arithmetic(build: Callable[[Terms, Term, Term], Term]) -> Operator:
    def apply(terms: Terms, args: Arguments) -> Term:
        return _left(lambda a, b: build(terms, a, b), _numbers(terms, args))

    return apply


def _minus(terms: Terms, args: Arguments) -> Term:
    args = _numbers(terms, args)
    return terms.neg(args[0]) if len(args) == 1 else _left(terms.sub, args)


def _integers(build: Callable[[Terms, Term, Term], Term]) -> Operator:
    def apply(terms: Terms, args: Arguments) -> Term:
        _count(args, 2)
        _all(args, lambda sort: sort is INT, "Int")
        return _left(lambda a, b: build(terms, a, b), args)

    return apply


def _divide(terms: Terms, args: Arguments) -> Term:
    _count(args, 2)
    _numbers(terms, args)
    return _left(terms.divide, tuple(a if a.sort is REAL else terms.to_real(a) for a in args))


def _abs(terms: Terms, args: Arguments) -> Term:
    _count(args, 1, 1)
    _numbers(terms, args)
    return terms.ite(terms.lt(args[0], terms.const(0, args[0].sort)), terms.neg(args[0]), args[0])


def _to_real(terms: Terms, args: Arguments) -> Term:
    _count(args, 1, 1)
    return _numbers(terms, args)[0] if args[0].sort is REAL else terms.to_real(*_integer(args))


def _integer(args: Arguments) -> Arguments:
    _all(args, lambda sort: sort is INT, "Int")
    return args


def _rational(args: Arguments) -> Arguments:
    _count(args, 1, 1)
    _all(args, lambda sort: sort is REAL, "Real")
    return args


def _to_int(terms: Terms, args: Arguments) -> Term:
    return terms.to_int(*_rational(args))


def _is_int(terms: Terms, args: Arguments) -> Term:
    (a,) = _rational(args)
    return terms.eq(terms.to_real(terms.to_int(a)), a)


def _select(terms: Terms, args: Arguments) -> Term:
    _count(args, 2, 2)
    expect(args[0].sort.index == args[1].sort, f"{args[1].sort} is no index of {args[0].sort}")
    return terms.select(*args)


def _store(terms: Terms, args: Arguments) -> Term:
    _count(args, 3, 3)
    expect(args[0].sort.index == args[1].sort, f"{args[1].sort} is no index of {args[0].sort}")
    expect(args[0].sort.element == args[2].sort, f"{args[2].sort} is no element of {args[0].sort}")
    return terms.store(*args)


def _bits(build: Callable[[Terms, Term, Term], Term], most: int | None = 2) -> Operator:
    def apply(terms: Terms, args: Arguments) -> Term:
        _count(args, 2, most)
        _vectors(args)
        _same(args)
        return _left(lambda a, b: build(terms, a, b), args)

    return apply


def _named(op: str, most: int | None = 2) -> Operator:
    return _bits(lambda terms, a, b: terms.bit(op, a, b), most)


def _swapped(op: str) -> Operator:
    return _bits(lambda terms, a, b: terms.bit(op, b, a))


def _negated(op: str) -> Operator:
    return _bits(lambda terms, a, b: terms.bit("bvnot", terms.bit(op, a, b)))


def _unary(op: str) -> Operator:
    def apply(terms: Terms, args: Arguments) -> Term:
        _count(args, 1, 1)
        _vectors(args)
        return terms.bit(op, *args)

    return apply


def _concat(terms: Terms, args: Arguments) -> Term:
    _count(args, 2)
    _vectors(args)
    return _left(terms.concat, args)


def _bvcomp(terms: Terms, a: Term, b: Term) -> Term:
    return terms.ite(terms.eq(a, b), terms.bv(1, 1), terms.bv(0, 1))


def _bvsmod(terms: Terms, a: Term, b: Term) -> Term:
    """The remainder with the sign of the divisor: the one of ``bvsrem``, moved by the divisor if signs differ."""
    zero = terms.bv(0, a.sort.width)
    rest = terms.bit("bvsrem", a, b)
    moved = terms.and_(
        terms.ne(rest, zero), terms.xor(terms.bit("bvslt", rest, zero), terms.bit("bvslt", b, zero)), terms.ne(b, zero)
    )
    return terms.ite(moved, terms.bit("bvadd", rest, b), rest)


# Conversions between words and integers are spelled out bit by bit.
_WIDEST_CONVERSION = 64


def _bits_of(word: Term) -> int:
    expect(word.sort.width <= _WIDEST_CONVERSION, f"words of at most {_WIDEST_CONVERSION} bits are converted")
    return word.sort.width


def _to_natural(terms: Terms, args: Arguments) -> Term:
    _count(args, 1, 1)
    _vectors(args)
    (a,) = args
    one, zero = terms.bv(1, 1), terms.integer(0)
    bits = ((terms.eq(terms.extract(a, i, i), one), terms.integer(1 << i)) for i in range(_bits_of(a)))
    return terms.add(*(terms.ite(bit, value, zero) for bit, value in bits))


def _to_signed(terms: Terms, args: Arguments) -> Term:
    natural = _to_natural(terms, args)
    width = args[0].sort.width
    negative = terms.eq(terms.extract(args[0], width - 1, width - 1), terms.bv(1, 1))
    return terms.ite(negative, terms.sub(natural, terms.integer(1 << width)), natural)


def _from_integer(terms: Terms, width: int, a: Term) -> Term:
    """The word that is congruent to an integer, from its highest bit to its lowest."""
    expect(0 < width <= _WIDEST_CONVERSION, f"words of at most {_WIDEST_CONVERSION} bits are converted")
    two = terms.integer(2)
    rest = [a if i == 0 else terms.div(a, terms.integer(1 << i)) for i in range(width)]
    bits = [terms.ite(terms.eq(terms.mod(r, two), terms.integer(1)), terms.bv(1, 1), terms.bv(0, 1)) for r in rest]
    return _left(terms.concat, tuple(reversed(bits)))


def _ambiguous(terms: Terms, args: Arguments) -> Term:
    raise Unmodelled("bv2int is signed for some solvers and unsigned for others; ubv_to_int and sbv_to_int are read")


def _floating(terms: Terms, name: str, indices: Sequence[int], args: Arguments) -> Term:
    """As the printer writes the operators of ``floating``, on bit patterns."""
    _vectors(args)
    more = {"fp.to_fp": 2, "fp.to_sbv": 1, "fp.to_ubv": 1, "fp.round": 1}.get(name, 0)
    expect(len(indices) == 2 + more and min(indices[:2]) > 1, f"{name} needs {2 + more} indices")
    expect(name != "fp.to_fp" or min(indices) > 1, f"{name} needs formats")
    expect(name != "fp.round" or indices[2] < len(ROUNDINGS), "no such rounding")
    expect(name[:6] != "fp.to_" or 0 < sum(indices[2:]) <= WIDEST, f"a bit-vector has at most {WIDEST} bits here")
    one = more or name in ("fp.sqrt", "fp.from_sbv", "fp.from_ubv")
    _count(args, 1 if one else 2, 1 if one else 2)
    if not name.startswith("fp.from_"):
        expect(all(a.sort.width == sum(indices[:2]) for a in args), f"{name} does not fit {args[0].sort}")
    return terms.floating(name, tuple(indices), *args)


def indexed(terms: Terms, name: str, indices: Sequence[int], args: Arguments) -> Term:
    if name in FLOAT_OPERATORS:
        return _floating(terms, name, indices, args)
    _count(args, 1, 1)
    a = args[0]
    if name == "divisible":
        _integer(args)
        expect(len(indices) == 1 and indices[0] > 0, "divisible needs one positive index")
        return terms.eq(terms.mod(a, terms.integer(indices[0])), terms.integer(0))
    if name in ("int2bv", "nat2bv", "int_to_bv"):
        _integer(args)
        expect(len(indices) == 1, f"{name} needs one index")
        return _from_integer(terms, indices[0], a)
    _vectors(args)
    width = a.sort.width
    if name == "extract":
        expect(len(indices) == 2 and width > indices[0] >= indices[1], f"no such bits in {a.sort}")
        return terms.extract(a, *indices)
    expect(len(indices) == 1, f"{name} needs one index")
    if name in ("zero_extend", "sign_extend", "repeat"):
        wide = width * indices[0] if name == "repeat" else width + indices[0]
        expect(wide <= WIDEST, f"a bit-vector has at most {WIDEST} bits here")
    match name:
        case "bit2bool":  # as z3 writes a single bit
            expect(0 <= indices[0] < width, f"no such bit in {a.sort}")
            return terms.eq(terms.extract(a, indices[0], indices[0]), terms.bv(1, 1))
        case "zero_extend":
            return terms.zero_extend(a, indices[0])
        case "sign_extend":
            return terms.sign_extend(a, indices[0])
        case "repeat":
            expect(indices[0] > 0, "repeat needs a positive index")
            return _left(terms.concat, (a,) * indices[0])
        case "rotate_left" | "rotate_right":
            turn = (indices[0] if name == "rotate_left" else -indices[0]) % width
            if turn == 0:
                return a
            return terms.concat(terms.extract(a, width - turn - 1, 0), terms.extract(a, width - 1, width - turn))
    raise Mismatch(f"unknown operator {name}")


OPERATORS: Mapping[str, Operator] = {
    "not": _not,
    "and": _junction(Terms.and_),
    "or": _junction(Terms.or_),
    "=>": _implies,
    "xor": _xor,
    "=": _equal,
    "distinct": _distinct,
    "ite": _ite,
    "+": _arithmetic(Terms.add),
    "-": _minus,
    "*": _arithmetic(Terms.mul),
    "/": _divide,
    "div": _integers(Terms.div),
    "mod": _integers(Terms.mod),
    "abs": _abs,
    "<=": _comparison(Terms.le),
    "<": _comparison(Terms.lt),
    ">=": _comparison(Terms.ge),
    ">": _comparison(Terms.gt),
    "to_real": _to_real,
    "to_int": _to_int,
    "is_int": _is_int,
    "select": _select,
    "store": _store,
    "concat": _concat,
    "bvnot": _unary("bvnot"),
    "bvneg": _unary("bvneg"),
    **{op: _named(op, None) for op in ("bvadd", "bvmul", "bvand", "bvor", "bvxor")},
    **{op: _named(op) for op in ("bvsub", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvshl", "bvlshr", "bvashr")},
    **{op: _named(op) for op in ("bvult", "bvule", "bvslt", "bvsle")},
    "bvugt": _swapped("bvult"),
    "bvuge": _swapped("bvule"),
    "bvsgt": _swapped("bvslt"),
    "bvsge": _swapped("bvsle"),
    "bvnand": _negated("bvand"),
    "bvnor": _negated("bvor"),
    "bvxnor": _negated("bvxor"),
    "bvcomp": _bits(_bvcomp),
    "bvsmod": _bits(_bvsmod),
    "bv2nat": _to_natural,
    "ubv_to_int": _to_natural,
    "sbv_to_int": _to_signed,
    "bv2int": _ambiguous,
}
