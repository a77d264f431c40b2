"""Operators on typed values: conversions, arithmetic, and the conditions under which they are defined (C11 6.3, 6.5).

Law: for operands that satisfy the conditions the term has the value that C gives; where a signed result would not be
representable it has the value modulo two to the width, which is what ``-fwrapv`` computes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.basics.records import dataclass, replace
from argosy.frontends.c.lower.floats import NOT_A_NUMBER, ROUNDED, FloatArithmetic
from argosy.frontends.c.lower.punning import matters
from argosy.frontends.c.memory import LARGE_OBJECTS, SLOT, SMALL_OBJECTS, Access, Index
from argosy.frontends.c.symbols import Object, SameObject, Unit
from argosy.frontends.c.typed import MemberPlace, ObjectPlace, Place, TargetPlace
from argosy.frontends.c.types import (
    BOOL,
    UNQUALIFIED,
    VOID,
    BinaryFloat,
    FieldRange,
    Float,
    Integer,
    Pointer,
    Scalar,
    StructureType,
    Type,
    Vector,
    Void,
    signedness,
)
from argosy.frontends.c.unsupported import Construct, Obstacle, refusal
from argosy.frontends.c.watching import Demand
from argosy.logic.floating import is_nan
from argosy.logic.semantics import signed as as_signed
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Check, Refusal, Undefined

_ARITHMETIC = {"+": "bvadd", "-": "bvsub", "*": "bvmul", "&": "bvand", "|": "bvor", "^": "bvxor"}
_COMPARISONS = frozenset(("<", ">", "<=", ">=", "==", "!="))


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where a place is in the model: something in an ``object``, or at an ``address`` (in a structure of type
    ``record``, where the pointer leads to one), from there at a constant ``offset`` and behind further ``indices``.
    With neither it is not modelled, ``through_pointer`` or not, and ``because`` says why. ``of`` is the place, and
    ``behind`` what follows it in the text; ``qualifiers`` are those of the lvalue. A bit field is at its storage, whose
    type is the first of ``bits``."""

    type: Type
    of: Place
    behind: str = ""
    object: Object | None = None
    address: Term | None = None
    record: StructureType | None = None
    offset: int = 0
    indices: tuple[Index, ...] = ()
    through_pointer: bool = False
    because: Obstacle | Refusal | None = None
    qualifiers: frozenset[str] = UNQUALIFIED
    bits: tuple[Integer, FieldRange] | None = None

    @property
    def is_direct(self) -> bool:
        return self.object is not None and not self.indices

    @property
    def what(self) -> str:
        """The place in words."""
        return described(self.of) + self.behind


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a C type. ``term`` is None for what is not modelled; ``refusal`` then says what that is, and an
    opaque variable takes its place only if the value is needed. A structure is at a ``place``."""

    term: Term | None
    type: Type
    refusal: Refusal | None = None
    place: Whereabouts | None = None


def described(place: Place) -> str:
    match place:
        case ObjectPlace(symbol):
            return f"variable {symbol.name} of type {symbol.type}"
        case TargetPlace() if place.pointer.original is not place.original:
            return f"dereference {place.original.text}"
        case MemberPlace():
            return f"member {place.original.text}"
    return f"array element {place.original.text}"


class Choose(Protocol):
    """Any value of a type, which the text names, anew each time; with a refusal no counterexample is made of it."""

    def __call__(self, type_: Scalar, what: str, position: Position, why: Refusal | None = None) -> Term: ...


class Operators:
    """``require`` receives every condition under which an operation is defined; ``choose`` gives any value of a type,
    anew each time."""

    def __init__(self, unit: Unit, require: Callable[[Check], None], choose: Choose) -> None:
        self.unit = unit
        self.terms = unit.terms
        self.model = unit.model
        self.floats = FloatArithmetic(unit.terms)
        self._require = require
        self.any_value = choose

    # ---- values -------------------------------------------------------------------------------------------

    def number(self, value: int, type_: Scalar) -> Value:
        """The number, or the bits of a float."""
        return Value(self.terms.const(value, type_.sort), type_)

    def truth_value(self, condition: Term) -> Value:
        """The ``int`` that a comparison or a logical operator gives."""
        return Value(self.terms.ite(condition, self.terms.bv(1, 32), self.terms.bv(0, 32)), self.model.int_)

    def unknown(self, type_: Type, position: Position, subject: str, construct: Construct) -> Value:
        return Value(None, type_, refusal(position, subject, construct))

    def arbitrary(self, type_: Scalar, position: Position, subject: str, construct: Construct) -> Term:
        """Any value, anew each time, of which no counterexample is made."""
        return self.any_value(type_, subject, position, refusal(position, subject, construct, arbitrary=True))

    def address_number(self, type_: Scalar, position: Position, pointer: Term | None = None) -> Value:
        """An address, or what is made of it, as a number: any; that of the null pointer alone is zero, where the type
        is wide enough for all addresses."""
        any_ = self.arbitrary(type_, position, "an address as a number", Construct.ADDRESS)
        if pointer is None or type_.sort.width < pointer.sort.width:
            return Value(any_, type_)
        zero, terms = self.terms.const(0, any_.sort), self.terms
        other = terms.ite(terms.eq(any_, zero), terms.const(1, any_.sort), any_)
        null = terms.eq(pointer, terms.const(0, pointer.sort))
        return Value(terms.ite(null, zero, other), type_)

    def term(self, value: Value, position: Position) -> Term:
        """The term of a scalar value; what is not modelled becomes an opaque variable here."""
        if value.term is not None:
            return value.term
        if not isinstance(value.type, Scalar):
            raise InputError(position, f"a number is needed here, not {value.type}")
        why = value.refusal or refusal(position, f"a {value.type}", Construct.RESULT)
        signed = signedness(value.type)
        return self.unit.opaque_term(value.type.sort, why, signed)

    def truth(self, value: Value, position: Position) -> Term:
        """The condition that a value is not zero."""
        if isinstance(value.type, BinaryFloat):
            return self.floats.nonzero(value.type, self.term(value, position))
        if isinstance(value.type, Float):
            value = Value(None, BOOL, value.refusal)
        term = self.term(value, position)
        if term.op == "ite":
            # What a comparison or a logical operator gave is nearly always asked for its truth again.
            condition, yes, no = term.args
            if yes.op == no.op == "const" and not (yes.payload and no.payload):
                return condition if yes.payload else self.terms.not_(condition) if no.payload else self.terms.false
        return self.terms.ne(term, self.terms.const(0, term.sort))

    # ---- conversions --------------------------------------------------------------------------------------

    def convert(self, value: Value, target: Type, position: Position) -> Value:
        """As by assignment or a cast (6.3)."""
        source = value.type
        if source is target or source == target:
            return value
        if isinstance(target, Void):
            return Value(None, VOID)
        if isinstance(source, Void):
            raise InputError(position, "a value is needed here, not void")
        if not isinstance(target, Scalar) or not isinstance(source, Scalar):
            return Value(None, target, value.refusal or _why(source, target, position))
        if {type(source), type(target)} == {Pointer, BinaryFloat}:
            raise InputError(position, f"a {source} cannot be converted to {target}")
        if target == BOOL:
            one, zero = self.terms.bv(1, 1), self.terms.bv(0, 1)
            return Value(self.terms.ite(self.truth(value, position), one, zero), BOOL)
        if value.term is None:
            return Value(None, target, value.refusal)
        if isinstance(source, BinaryFloat) or isinstance(target, BinaryFloat):
            return Value(self._float_converted(value.term, source, target, position), target)
        if isinstance(source, Pointer) and isinstance(target, Integer) and self.is_exposed(value.term):
            return self.address_number(target, position, value.term)
        if isinstance(source, Pointer) and isinstance(target, Pointer) and matters(source.target, target.target):
            self.unit.recasts[value.term, source.target, target.target] = None
        return Value(_resize(self.terms, value.term, source, target.sort.width), target)

    def _float_converted(self, term: Term, source: Scalar, target: Scalar, position: Position) -> Term:
        self._note_floats()
        match source, target:
            case BinaryFloat(), BinaryFloat():
                return self.computed(target, self.floats.resized(source, target, term), position)
            case Integer(), BinaryFloat():
                return self.floats.from_integer(source, target, term)
            case BinaryFloat(), Integer():
                self._check(self.floats.fits(source, target, term), Undefined.CONVERSION, position)
                return self.floats.to_integer(source, target, term)
        raise InputError(position, f"a {source} cannot be converted to {target}")

    def computed(self, type_: BinaryFloat, term: Term, position: Position) -> Term:
        """What an operation gives. The sign and the payload of a NaN are those of the machine (IEEE 754-2008, 6.2,
        6.3): any, where the program may look at them. From then on they stay as they are: copies, and operators on the
        sign alone, keep them."""
        if self.unit.one_nan or (term.op == "const" and not is_nan(type_.format, term.payload)):
            return term
        return self.floats.any_nan(type_, term, self.any_value(type_, "the bits of a NaN", position))

    def _note_floats(self) -> None:
        self.unit.note(ROUNDED)
        self.unit.note(NOT_A_NUMBER)

    def is_exposed(self, pointer: Term) -> bool:
        """A pointer is looked at as a number; whether the number is not known, because addresses are made up."""
        if self._is_plain_number(pointer):
            return False
        self.unit.pointers_as_numbers = True
        if not self.unit.exact_casts:
            self.unit.exposed.append(pointer)
        return not self.unit.exact_casts

    def _is_plain_number(self, term: Term) -> bool:
        return term.op == "const" and not self.unit.is_made_up(term.payload)

    # ---- unary operators ----------------------------------------------------------------------------------

    def negate(self, value: Value, position: Position) -> Value:
        if isinstance(value.type, BinaryFloat) and value.term is not None:
            return Value(self.floats.negated(value.type, value.term), value.type)
        if not isinstance(value.type, Integer) or value.term is None:
            return self._unmodelled(value.type, (value,), position)
        if value.type.signed:
            self._within(value.term, -value.type.maximum, None, value.type, position)
        return Value(self.terms.bit("bvneg", value.term), value.type)

    def complement(self, value: Value, position: Position) -> Value:
        if not isinstance(value.type, Integer) or value.term is None:
            return self._unmodelled(value.type, (value,), position)
        return Value(self.terms.bit("bvnot", value.term), value.type)

    # ---- binary operators ---------------------------------------------------------------------------------

    def binary(self, op: str, a: Value, b: Value, type_: Type, position: Position) -> Value:
        """Any binary operator but ``&&``, ``||`` and the comma, on operands of the types that it needs."""
        if op in _COMPARISONS:
            return self._compare(op, a, b, position)
        if isinstance(a.type, Pointer):
            return self._pointer(op, a, b, position)
        if op in ("<<", ">>"):
            return self._shift(op, a, b, position)
        if isinstance(type_, BinaryFloat):
            return self._float_binary(op, a, b, type_, position)
        if not isinstance(type_, Integer) or a.term is None or b.term is None:
            return self._unmodelled(type_, (a, b), position)
        if op in ("/", "%"):
            return self._divide(op, a.term, b.term, type_, position)
        if type_.signed and op in "+-*":
            self._no_overflow(op, a.term, b.term, type_, position)
        return Value(self.terms.bit(_ARITHMETIC[op], a.term, b.term), type_)

    def _float_binary(self, op: str, a: Value, b: Value, type_: BinaryFloat, position: Position) -> Value:
        if a.term is None or b.term is None:
            return self._unmodelled(type_, (a, b), position)
        self._note_floats()
        return Value(self.computed(type_, self.floats.binary(op, type_, a.term, b.term), position), type_)

    def exact(self, op: str, a: Value, b: Value, type_: Type, position: Position) -> Value:
        """``+`` or ``-`` of what is known to be defined, modulo two to the width."""
        if isinstance(type_, BinaryFloat):
            return self._float_binary(op, a, b, type_, position)
        if a.term is None or b.term is None or not isinstance(type_, Integer | Pointer):
            return self._unmodelled(type_, (a, b), position)
        if isinstance(type_, Pointer):
            by = (b.term.payload if b.term.op == "const" else 0) * (self.model.size(type_.target) or 0)
            return Value(self.terms.bit(_ARITHMETIC[op], a.term, self.terms.const(by, a.term.sort)), type_)
        return Value(self.terms.bit(_ARITHMETIC[op], a.term, b.term), type_)

    def _unmodelled(self, type_: Type, operands: tuple[Value, ...], position: Position) -> Value:
        known = next((v.refusal for v in operands if v.refusal is not None), None)
        if isinstance(type_, Pointer):
            return Value(None, type_, known or refusal(position, f"arithmetic with '{type_}'", Construct.LENGTH))
        return Value(None, type_, known or refusal(position, "arithmetic", Construct.FLOAT))

    def _compare(self, op: str, a: Value, b: Value, position: Position) -> Value:
        type_ = a.type
        if a.term is None or b.term is None:
            # One opaque bit for the comparison serves as well as an opaque operand.
            return self.truth_value(self.truth(self._unmodelled(BOOL, (a, b), position), position))
        terms = self.terms
        if isinstance(type_, BinaryFloat):
            return self.truth_value(self.floats.compare(op, type_, a.term, b.term))
        if op in ("==", "!="):
            equal = terms.eq(a.term, b.term)
            return self.truth_value(equal if op == "==" else terms.not_(equal))
        if isinstance(type_, Pointer):
            for one, other in ((a.term, b.term), (b.term, a.term)):
                number = self._is_plain_number(one) and one.payload
                if number and self.is_exposed(other):
                    return self.truth_value(self.truth(self.address_number(BOOL, position), position))
            self._in_one_object(a.term, b.term, position)
        x, y = (a.term, b.term) if op in ("<", ">=") else (b.term, a.term)
        less = terms.bit("bvslt" if isinstance(type_, Integer) and type_.signed else "bvult", x, y)
        return self.truth_value(less if op in ("<", ">") else terms.not_(less))

    def _pointer(self, op: str, a: Value, b: Value, position: Position) -> Value:
        """Addresses are numbers of bytes (6.5.6)."""
        assert isinstance(a.type, Pointer)
        size = self.model.size(a.type.target)
        if isinstance(b.type, Pointer):
            type_ = self.model.difference_type
            if a.term is None or b.term is None or size is None or size == 0:
                return self._unmodelled(type_, (a, b), position)
            if self._is_plain_number(b.term) and self.is_exposed(a.term):
                return self.address_number(type_, position)
            self._in_one_object(a.term, b.term, position)
            difference = self.terms.bit("bvsub", a.term, b.term)
            return Value(self.terms.bit("bvsdiv", difference, self.terms.const(size, difference.sort)), type_)
        if a.term is None or b.term is None or size is None:
            return self._unmodelled(a.type, (a, b), position)
        assert isinstance(b.type, Integer)
        amount = _resize(self.terms, b.term, b.type, a.type.width)
        step = self.terms.bit("bvmul", amount, self.terms.bv(size, a.type.width))
        result = self.terms.bit(_ARITHMETIC[op], a.term, step)
        self.note_base(result, a.term)
        self._stays_inside(a.term, amount if op == "+" else self.terms.bit("bvneg", amount), size, result, position)
        return Value(result, a.type)

    def moved(self, op: str, address: Value, amount: Value, position: Position) -> Value:
        """An address as a number, moved by so many bytes, as a pointer to characters is."""
        if address.term is None or amount.term is None:
            return self._unmodelled(address.type, (address, amount), position)
        result = self.terms.bit(_ARITHMETIC[op], address.term, amount.term)
        self.note_base(result, address.term)
        by = amount.term if op == "+" else self.terms.bit("bvneg", amount.term)
        self._stays_inside(address.term, by, 1, result, position)
        return Value(result, address.type)

    def note_base(self, result: Term, pointer: Term) -> None:
        """Arithmetic leads where its pointer leads, whatever is added."""
        if result is not pointer and result.op != "const":
            self.unit.bases.setdefault(result, pointer)

    def _stays_inside(self, pointer: Term, amount: Term, size: int, result: Term, position: Position) -> None:
        """Arithmetic does not leave the object (6.5.6, 8), one element behind its end included; what stays in its slot
        is followed where nobody asks."""
        if size == 0 or (amount.op == "const" and amount.payload == 0):
            return
        terms, width = self.terms, pointer.sort.width
        found = self.unit.object_at(pointer.payload) if pointer.op == "const" else None
        if self.unit.watched:
            self._stays_near(pointer, amount, size, result, position)
            if found is None and Undefined.POINTER in self.unit.watched:
                self._demand(Undefined.POINTER, result, 0, position, "pointer arithmetic", start=pointer)
        if self.unit.watched and (found is None or Undefined.POINTER not in self.unit.watched):
            return
        if found is not None:
            whole = self.model.size(found[0].type)
            if whole is not None and whole < SLOT and not self._misses_by_little(found[0], result):
                self.in_range(amount, -(found[1] // size), (whole - found[1]) // size, Undefined.POINTER, position)
            return
        # Where the object is not known: both addresses are in one slot, and the amount is one that may be.
        start = terms.bv(SMALL_OBJECTS, width)
        small = terms.bit("bvult", terms.bit("bvsub", pointer, start), terms.bv(LARGE_OBJECTS - SMALL_OBJECTS, width))
        high, low = width - 1, SLOT.bit_length() - 1
        same = terms.eq(terms.extract(pointer, high, low), terms.extract(result, high, low))
        short = [
            terms.bit("bvsle", terms.bv(-SLOT // size, width), amount),
            terms.bit("bvsle", amount, terms.bv(SLOT // size, width)),
        ]
        otherwise = terms.implies(small, terms.conjunction((same, *short)))
        self._in_same(SameObject(pointer, result, otherwise, amount, size), position)

    def _misses_by_little(self, symbol: Object, result: Term) -> bool:
        """Whether an address that is known lies in the slot of an object, where nothing else lies: compilers go on with
        it, and so do we, unless that is what is asked about."""
        if self.unit.watched or result.op != "const":
            return False
        found = self.unit.object_at(result.payload)
        return found is not None and found[0] is symbol

    def _stays_near(self, pointer: Term, amount: Term, size: int, result: Term, position: Position) -> None:
        """Arithmetic that leaves the slot of an object by far leads nobody knows where."""
        why = refusal(position, "pointer arithmetic", Construct.FAR, bound=True, arbitrary=True)
        demand = Demand(Undefined.FAR, result, size, why, pointer, amount)
        self._doubt(self.unit.demand(demand), Undefined.FAR, position, why)

    def _doubt(self, condition: Term, kind: Undefined, position: Position, why: Refusal) -> None:
        """Require a condition of which nobody knows whether what violates it is wrong."""
        if condition is not self.terms.true:
            self._require(Check(condition, kind, position, self.unit.opaque_term(BOOL.sort, why, False)))

    def unknown_access(self, position: Position, why: Refusal) -> None:
        """An access of which nothing is known; what is not modelled does not make it right."""
        if self.unit.watched:
            self._doubt(self.terms.false, Undefined.BOUNDS, position, replace(why, bound=True, arbitrary=True))

    def _demand(
        self, kind: Undefined, address: Term, size: int, position: Position, what: str, start: Term | None = None
    ) -> None:
        if kind in self.unit.watched:
            why = refusal(position, what, Construct.POINTER, bound=True, arbitrary=True)
            condition = self.unit.demand(Demand(kind, address, size, why, start))
            places = self.unit.places.addresses
            self._require(Check(condition, kind, position, about=address, size=size, what=what, places=places))

    def may_access(self, address: Term, size: int, writes: bool, position: Position, what: str) -> None:
        """Require that an address leads to so many bytes of an object that exists."""
        self.not_null(address, position, what)
        for kind in (Undefined.ENDED, Undefined.FREED, Undefined.BOUNDS):
            self._demand(kind, address, size, position, what)
        if writes:
            self._demand(Undefined.CONSTANT, address, size, position, what)

    def may_free(self, address: Term, position: Position, what: str) -> None:
        """Require that an address is null or the start of a block that can be freed."""
        self._demand(Undefined.FREE, address, 0, position, what)

    def _in_one_object(self, a: Term, b: Term, position: Position) -> None:
        """Only addresses in one object have an order and a difference (6.5.6, 9; 6.5.8, 5); null comes before all."""
        if any(self._is_plain_number(term) for term in (a, b)):
            return
        terms, width = self.terms, a.sort.width
        start, room = terms.bv(SMALL_OBJECTS, width), terms.bv(LARGE_OBJECTS - SMALL_OBJECTS, width)
        small = (terms.bit("bvult", terms.bit("bvsub", term, start), room) for term in (a, b))
        high, low = width - 1, SLOT.bit_length() - 1
        same = terms.eq(terms.extract(a, high, low), terms.extract(b, high, low))
        otherwise = terms.implies(terms.conjunction(small), same)
        self._in_same(SameObject(a, b, otherwise), position)

    def _in_same(self, claim: SameObject, position: Position) -> None:
        if claim.otherwise is not self.terms.true:
            self._check(self.unit.claim(claim), Undefined.POINTER, position)

    def in_range(self, term: Term, low: int, high: int, kind: Undefined, position: Position) -> None:
        """Require ``low <= term <= high`` of an index, read as a signed number."""
        terms, width = self.terms, term.sort.width
        least, most = bounds(term)
        conditions = []
        if low > least:
            conditions.append(terms.bit("bvsle", terms.bv(low, width), term))
        if high < most:
            conditions.append(terms.bit("bvsle", term, terms.bv(high, width)))
        self._check(terms.conjunction(conditions), kind, position)

    def not_null(self, address: Term, position: Position, what: str = "call") -> None:
        """Require that an address leads somewhere: nothing lies close to the null pointer."""
        first = self.terms.const(SLOT, address.sort)
        condition = self.terms.bit("bvule", first, address)
        if self.unit.watched and condition is not self.terms.true:
            self._demand(Undefined.NULL, address, 0, position, what)
        else:
            self._check(condition, Undefined.NULL, position)

    def claim(self, access: Access, position: Position) -> None:
        """Require that an access to a block is to one of its cells; to others, there is nothing to require."""
        if self.unit.watched:
            # That it may be accessed at all is demanded already; what is at no cell all the same is not modelled.
            why = refusal(position, "access", Construct.POINTER, bound=True, arbitrary=True)
            self._doubt(self.unit.claim(access), Undefined.FAR, position, why)
        else:
            self._check(self.unit.claim(access), Undefined.POINTER, position)

    def below(self, index: Term, length: Term, position: Position) -> None:
        """Require ``0 <= index < length`` of an index in an array of variable length, which has less than 2^31."""
        width = max(index.sort.width, length.sort.width)
        wide = self.terms.sign_extend(index, width - index.sort.width)
        most = self.terms.zero_extend(length, width - length.sort.width)
        self._check(self.terms.bit("bvult", wide, most), Undefined.BOUNDS, position)

    def require(self, condition: Term, kind: Undefined, position: Position) -> None:
        self._check(condition, kind, position)

    def never(self, kind: Undefined, position: Position) -> None:
        """What is always undefined."""
        self._check(self.terms.false, kind, position)

    # ---- what C leaves undefined --------------------------------------------------------------------------

    def _check(self, condition: Term, kind: Undefined, position: Position) -> None:
        if condition is not self.terms.true:
            self._require(Check(condition, kind, position))

    def _within(self, term: Term, low: int | None, high: int | None, type_: Integer, position: Position) -> None:
        """Require ``low <= term <= high`` of a signed term, as far as its width does not say it anyway."""
        terms = self.terms
        width = term.sort.width
        least, most = bounds(term)
        conditions = []
        if low is not None and low > least:
            conditions.append(terms.bit("bvsle", terms.bv(low, width), term))
        if high is not None and high < most:
            conditions.append(terms.bit("bvsle", term, terms.bv(high, width)))
        if (low is not None and low > most) or (high is not None and high < least):
            conditions = [terms.false]
        self._check(terms.conjunction(conditions), Undefined.SIGNED_OVERFLOW, position)

    def _no_overflow(self, op: str, a: Term, b: Term, type_: Integer, position: Position) -> None:
        """The exact result is representable. With a constant operand that is a bound on the other one; otherwise
        the operation is done in a width where it cannot overflow."""
        low, high = type_.minimum, type_.maximum
        if a.op == "const" and b.op != "const" and op != "-":
            a, b = b, a
        if b.op == "const":
            k = as_signed(b.payload, type_.width)
            if op == "+":
                self._within(a, low - k, high - k, type_, position)
            elif op == "-":
                self._within(a, low + k, high + k, type_, position)
            elif k > 0:
                self._within(a, -(-low // k), high // k, type_, position)
            elif k < 0:
                self._within(a, -(high // -k), low // k, type_, position)
            return
        if a.op == "const":
            k = as_signed(a.payload, type_.width)
            self._within(b, k - high, k - low, type_, position)
            return
        if _exact_bounds(op, bounds(a), bounds(b), low, high):
            return
        by = type_.width if op == "*" else 1
        wide = self.terms.bit(_ARITHMETIC[op], self.terms.sign_extend(a, by), self.terms.sign_extend(b, by))
        self._within(wide, low, high, type_, position)

    def _divide(self, op: str, a: Term, b: Term, type_: Integer, position: Position) -> Value:
        terms = self.terms
        self._check(terms.ne(b, terms.const(0, b.sort)), Undefined.DIVISION, position)
        if type_.signed:
            extreme = terms.and_(terms.eq(a, terms.const(type_.minimum, a.sort)), terms.eq(b, terms.const(-1, b.sort)))
            self._check(terms.not_(extreme), Undefined.QUOTIENT, position)
        names = {"/": ("bvudiv", "bvsdiv"), "%": ("bvurem", "bvsrem")}
        return Value(terms.bit(names[op][type_.signed], a, b), type_)

    def _shift(self, op: str, a: Value, b: Value, position: Position) -> Value:
        type_ = a.type
        if a.term is None or b.term is None:
            return self._unmodelled(type_, (a, b), position)
        assert isinstance(type_, Integer)
        terms, width = self.terms, type_.width
        inside = terms.bit("bvult", b.term, terms.const(width, b.term.sort))
        self._check(inside, Undefined.SHIFT, position)
        amount = _resize(terms, b.term, self.model["unsigned int"], width)
        if op == "<<":
            if type_.signed:
                # Not negative, and representable after the shift (6.5.7, 4).
                room = terms.bit("bvlshr", terms.const(type_.maximum, a.term.sort), amount)
                fits = terms.implies(inside, terms.bit("bvule", a.term, room))
                self._check(fits, Undefined.SIGNED_OVERFLOW, position)
            return Value(terms.bit("bvshl", a.term, amount), type_)
        return Value(terms.bit("bvashr" if type_.signed else "bvlshr", a.term, amount), type_)


def _why(source: Type, target: Type, position: Position) -> Refusal:
    if isinstance(source, Vector) or isinstance(target, Vector):
        return refusal(position, "a vector", Construct.VECTOR)
    if isinstance(source, Float) or isinstance(target, Float):
        return refusal(position, "a floating-point number", Construct.FLOAT)
    return refusal(position, f"a {source}", Construct.RESULT)


def _resize(terms: Terms, term: Term, source: Integer | Pointer, width: int) -> Term:
    """The residue of a number of type ``source`` in another width."""
    own = term.sort.width
    if width <= own:
        return terms.extract(term, width - 1, 0)
    extend = terms.sign_extend if isinstance(source, Integer) and source.signed else terms.zero_extend
    return extend(term, width - own)


def with_bits(terms: Terms, whole: Term, low: int, part: Term) -> Term:
    """The term with those bits replaced that start at ``low``."""
    width, high = whole.sort.width, low + max(8, part.sort.width)
    moved = terms.bit("bvshl", terms.zero_extend(part, width - part.sort.width), terms.bv(low, width))
    mask = terms.bv(~(((1 << high) - 1) ^ ((1 << low) - 1)), width)
    return terms.bit("bvor", terms.bit("bvand", whole, mask), moved)


def with_field(terms: Terms, whole: Term, low: int, part: Term) -> Term:
    """The term with exactly the bits of a part replaced, which start at ``low``."""
    above, made = low + part.sort.width, part
    if low > 0:
        made = terms.concat(made, terms.extract(whole, low - 1, 0))
    if above < whole.sort.width:
        made = terms.concat(terms.extract(whole, whole.sort.width - 1, above), made)
    return made


def bounds(term: Term, depth: int = 4) -> tuple[int, int]:
    """Bounds of a bit-vector read as a signed number, from the shape of the term alone."""
    width = term.sort.width
    half = 1 << (width - 1)
    everything = (-half, half - 1)
    if term.op == "const":
        value = as_signed(term.payload, width)
        return value, value
    if depth == 0 or not term.args:
        return everything
    first = term.args[0]
    match term.op:
        case "sign_extend":
            return bounds(first, depth - 1)
        case "zero_extend":
            return 0, (1 << first.sort.width) - 1
        case "ite":
            (a, b), (c, d) = bounds(term.args[1], depth - 1), bounds(term.args[2], depth - 1)
            return min(a, c), max(b, d)
        case "bvand":
            highs = [high for low, high in (bounds(x, depth - 1) for x in term.args) if low >= 0]
            return (0, min(highs)) if highs else everything
        case "bvadd" | "bvsub" | "bvmul":
            op = {"bvadd": "+", "bvsub": "-", "bvmul": "*"}[term.op]
            low, high = _combined(op, bounds(first, depth - 1), bounds(term.args[1], depth - 1))
            return (low, high) if -half <= low and high < half else everything
        case "bvsrem" | "bvurem" if term.args[1].op == "const":
            k = abs(as_signed(term.args[1].payload, width))
            if k and (term.op == "bvsrem" or term.args[1].payload < half):
                return (1 - k if term.op == "bvsrem" else 0), k - 1
        case "bvlshr" if term.args[1].op == "const" and 0 < term.args[1].payload < width:
            return 0, (1 << (width - term.args[1].payload)) - 1
    return everything


def _combined(op: str, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    if op == "+":
        return a[0] + b[0], a[1] + b[1]
    if op == "-":
        return a[0] - b[1], a[1] - b[0]
    products = [x * y for x in a for y in b]
    return min(products), max(products)


def _exact_bounds(op: str, a: tuple[int, int], b: tuple[int, int], low: int, high: int) -> bool:
    least, most = _combined(op, a, b)
    return low <= least and most <= high
