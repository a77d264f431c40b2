"""Types of operators and conversions: the rules of C11 6.3.1 and 6.5, and the only place that has them."""

from __future__ import annotations

from argosy.basics.errors import InputError
from argosy.basics.records import replace
from argosy.frontends.c.elaborate.folding import number
from argosy.frontends.c.elaborate.rows import is_measured, moved
from argosy.frontends.c.original import Original
from argosy.frontends.c.typed import (
    BinaryOperation,
    Cast,
    Expression,
    IntegerConstant,
    Selection,
    UnaryOperation,
)
from argosy.frontends.c.types import COMPLEX, VOID, WIDEST, DataModel, Float, Integer, Pointer, Type, Vector, Void
from argosy.frontends.c.unsupported import Construct, error

COMPARISONS = frozenset(("<", ">", "<=", ">=", "==", "!="))
SHIFTS = frozenset(("<<", ">>"))
_INTEGERS_ONLY = frozenset(("%", "&", "|", "^"))
_NUMBERS = (Integer, Pointer, Float)
_OPERATORS = frozenset(("+", "-", "*", "/", *_INTEGERS_ONLY))


class Arithmetic:
    def __init__(self, model: DataModel) -> None:
        self._model = model

    def integer(self, value: int, original: Original) -> IntegerConstant:
        return IntegerConstant(value, self._model.int_, original)

    # ---- conversions --------------------------------------------------------------------------------------

    def converted(self, value: Expression, type_: Type, by: Original | None = None) -> Expression:
        """As ``by`` assignment or a cast (6.3)."""
        own = value.type
        if own is type_ or (own == type_ and not is_bit_field_type(own)):
            return value
        if isinstance(own, Void):
            raise InputError((by or value.original).position, "a value is needed here, not void")
        return Cast(value, type_, value.original)

    def promoted(self, value: Expression) -> Expression:
        type_ = value.type
        return self.converted(value, self._model.promote(type_)) if isinstance(type_, Integer) else value

    def apart(self, value: Expression) -> Expression:
        """What was read from a bit field, and is given on as a value: it is promoted by the width of the field for gcc,
        and by its declared type for clang."""
        own = value.type
        if not isinstance(own, Integer) or not own.promotes_to:
            return value
        declared = replace(own, promotes_to="", wide=True)
        if self._model.promote(own) == self._model.promote(declared):
            return value
        return Cast(value, declared, value.original)

    def passed(self, value: Expression) -> Expression:
        """The default argument promotions (6.5.2.2, 6). Functions that compilers know give vectors for vectors."""
        _refuse_vector("argument", value)
        if isinstance(value.type, Float) and value.type.name == "float":
            return self.converted(value, self._model.floats["double"])
        return self.promoted(value)

    def common(self, a: Type, b: Type) -> Type:
        """The type that the usual arithmetic conversions give (6.3.1.8)."""
        if isinstance(a, Float) or isinstance(b, Float):
            floats = [t for t in (a, b) if isinstance(t, Float)]
            return max(floats, key=lambda t: (t.name.startswith(COMPLEX), t.name in WIDEST, t.size))
        if isinstance(a, Integer) and isinstance(b, Integer):
            type_ = self._model.common(a, b)
            return replace(type_, wide=False) if type_.wide and not (a.wide and b.wide) else type_
        return a if isinstance(a, Pointer) else b

    # ---- operators ----------------------------------------------------------------------------------------

    def unary(self, op: str, operand: Expression, original: Original) -> Expression:
        """``-``, ``+``, ``~`` and ``!``."""
        if not isinstance(operand.type, _NUMBERS):
            raise InputError(original.position, f"{op} needs a number, not {operand.type}")
        _refuse_vector(op, operand)
        if op == "!":
            return UnaryOperation(op, operand, self._model.int_, original)
        _refuse_wide(self._model, operand, None)
        operand = self.promoted(operand)
        return operand if op == "+" else UnaryOperation(op, operand, operand.type, original)

    def binary(self, op: str, left: Expression, right: Expression, original: Original) -> Expression:
        """Any binary operator but ``&&``, ``||``, assignment and the comma."""
        for side in (left, right):
            if not isinstance(side.type, _NUMBERS):
                raise InputError(original.position, f"{op} needs numbers, not {side.type}")
            _refuse_vector(op, side)
        self._check_widths(op, left, right)
        if op in COMPARISONS:
            type_ = self.common(left.type, right.type)
            left, right = self.converted(left, type_), self.converted(right, type_)
            return BinaryOperation(op, left, right, self._model.int_, original)
        if isinstance(left.type, Pointer) or isinstance(right.type, Pointer):
            return self._pointer(op, left, right, original)
        if op in SHIFTS:
            left, right = self.promoted(left), self.promoted(right)
            if not isinstance(left.type, Integer) or not isinstance(right.type, Integer):
                raise InputError(original.position, f"{op} needs integers")
            return BinaryOperation(op, left, right, left.type, original)
        if op not in _OPERATORS:
            raise InputError(original.position, f"no operator: {op}")
        type_ = self.common(left.type, right.type)
        return BinaryOperation(op, self.converted(left, type_), self.converted(right, type_), type_, original)

    def _check_widths(self, op: str, left: Expression, right: Expression) -> None:
        """Bit fields wider than ``int`` have the type of their width for gcc, and their declared one for clang: where
        that may matter they are refused."""
        for side, other in ((left, right), (right, left)):
            if not isinstance(side.type, Integer) or not side.type.wide:
                continue
            value = number(self._model, other) if op in COMPARISONS else None
            if (op in SHIFTS and side is right) or (value is not None and value >= 0):
                continue
            _refuse_wide(self._model, side, None if op in SHIFTS else other)

    def _pointer(self, op: str, left: Expression, right: Expression, original: Original) -> Expression:
        """Addition and subtraction (6.5.6)."""
        if isinstance(right.type, Pointer) and isinstance(left.type, Integer) and op == "+":
            left, right = right, left
        if not isinstance(left.type, Pointer) or op not in "+-" or isinstance(right.type, Float):
            raise InputError(original.position, f"{op} on a pointer")
        sides = (left, right) if isinstance(right.type, Pointer) else (left,)
        if all(isinstance(side.type, Pointer) and is_measured(side.type.target) for side in sides):
            return moved(self._model, op, left, right, original)
        if isinstance(right.type, Pointer):
            return BinaryOperation(op, left, right, self._model.difference_type, original)
        return BinaryOperation(op, left, right, left.type, original)

    # ---- the conditional operator -------------------------------------------------------------------------

    def selection(self, condition: Expression, yes: Expression, no: Expression, original: Original) -> Expression:
        type_ = self.selected_type(yes, no)
        if isinstance(type_, Void):
            yes, no = self.discarded(yes), self.discarded(no)
        else:
            yes, no = self.converted(yes, type_), self.converted(no, type_)
        return Selection(condition, yes, no, type_, original)

    def discarded(self, value: Expression) -> Expression:
        return value if isinstance(value.type, Void) else Cast(value, VOID, value.original)

    def selected_type(self, yes: Expression, no: Expression) -> Type:
        """The type of ``c ? yes : no``: a pointer to ``void`` wins, unless it is a null pointer constant (6.5.15)."""
        a, b = yes.type, no.type
        for value in (yes, no):
            _refuse_vector("?:", value)
        if isinstance(a, Integer | Float) and isinstance(b, Integer | Float):
            _refuse_wide(self._model, yes, no)
            _refuse_wide(self._model, no, yes)
            return self.common(a, b)
        if isinstance(a, Void) or isinstance(b, Void):
            return VOID
        if isinstance(a, Pointer) and isinstance(b, Pointer):
            qualifiers = a.qualifiers | b.qualifiers
            for own, value in ((a, yes), (b, no)):
                if isinstance(own.target, Void) and not self._is_null(value):
                    return self._model.pointer(VOID, qualifiers)
            own = b if isinstance(a.target, Void) else a
            return replace(own, qualifiers=qualifiers)
        return b if isinstance(b, Pointer) else a

    def _is_null(self, value: Expression) -> bool:
        """Is this a null pointer constant (6.3.2.3, 3)?"""
        plain = self._model.pointer(VOID)
        while isinstance(value, Cast) and value.type == plain:
            value = value.operand
        return isinstance(value.type, Integer) and number(self._model, value) == 0


def is_bit_field_type(type_: Type) -> bool:
    """Whether what has the type is promoted by the width of a bit field."""
    return isinstance(type_, Integer) and (bool(type_.promotes_to) or type_.wide)


def _refuse_vector(op: str, value: Expression) -> None:
    """What operators make of vectors has types of its own."""
    if isinstance(value.type, Vector):
        raise error(value.original.position, f"{op} of a vector", Construct.VECTOR)


def _refuse_wide(model: DataModel, value: Expression, other: Expression | None) -> None:
    """Unless the other operand decides the common type anyway, or is a pointer, which the value moves."""
    own = value.type
    if not isinstance(own, Integer) or not own.wide:
        return
    beside = None if other is None else other.type
    if isinstance(beside, Float | Pointer):
        return
    if isinstance(beside, Integer) and not beside.wide:
        beside = model.promote(beside)
        if model.common(own, beside) == beside:
            return
    raise error(value.original.position, f"arithmetic with bit field {value.original.text}", Construct.WIDE_BIT_FIELD)
