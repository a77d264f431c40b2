"""Which type two values meet in, and what becomes of a value that is given to another type.

Untyped literals take the type of what they meet (``UNTYPED``); two types meet in the smaller one that holds both
(IEC 61131-3, figure 11); what the standard would want to be converted explicitly is converted, with a note.
"""

from __future__ import annotations

import math

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.frontends.plc.code import (
    PlcConstant,
    TypedExpression,
)
from argosy.frontends.plc.emission import EmittedCode
from argosy.frontends.plc.types import (
    ELEMENTARY,
    PlcScalar,
    rounded,
)

UNTYPED = PlcScalar("a whole number", "integer", 128, True)
UNTYPED_REAL = PlcScalar("a real number", "real", 64)


class Conversions(EmittedCode):
    """Code that knows types."""

    def convert(self, value: TypedExpression, type: PlcScalar, position: Position) -> TypedExpression:
        """What happens in an assignment, or where a parameter is given."""
        source = value.type
        if isinstance(value, PlcConstant) and source in (UNTYPED, UNTYPED_REAL):
            return self._literal(value, type, position)
        if source.kind == type.kind == "string":
            return value if source.length <= type.length else self.operate("convert", value, type=type, at=position)
        if (source.kind, source.width, source.signed) == (type.kind, type.width, type.signed):
            if type.kind == "enumeration" and source.names != type.names:
                raise InputError(position, f"{source.name} is not {type.name}")
            return value
        words = ("integer", "bits", "enumeration")
        if source.kind in words and type.kind in words:
            if not _holds(type, source):
                self.scopes.note(
                    f"{position.line}: {source.name} becomes {type.name} without a conversion: the low bits are kept"
                )
        elif not ((source.kind in ("integer", "real") and type.kind == "real") or (source.kind == type.kind == "time")):
            hint = f": write {source.name}_TO_{type.name}(...)" if source.name in ELEMENTARY else ""
            raise InputError(position, f"{source.name} cannot be given to {type.name}{hint}")
        return self.operate("convert", value, type=type, at=position)

    def _literal(self, value: PlcConstant, type: PlcScalar, position: Position) -> PlcConstant:
        if type.kind == "real":
            number = rounded(type, float(value.value))
            if math.isinf(number):
                raise InputError(position, f"{type.name} has no number that is so large")
            return PlcConstant(number, type)
        if value.type == UNTYPED and type.kind == "bool" and value.value in (0, 1):
            return PlcConstant(bool(value.value), type)
        if value.type == UNTYPED and type.kind in ("integer", "bits", "enumeration"):
            if type.fits(value.value):
                return PlcConstant(value.value, type)
            if type.signed and 0 <= value.value < 1 << type.width and type.kind == "integer":
                # 16#FFFF is how people write -1.
                meant = type.wrapped(value.value)
                self.scopes.note(f"{position.line}: {value.value} is read as {meant} of {type.name}")
                return PlcConstant(meant, type)
            raise InputError(position, f"{value.value} is not a value of {type.name} ({_range(type)})")
        raise InputError(position, f"{value.type.name} cannot be given to {type.name}")

    def meet(
        self, left: TypedExpression, right: TypedExpression, position: Position
    ) -> tuple[TypedExpression, TypedExpression, PlcScalar]:
        """Both with the type in which they are compared or combined."""
        a, b = left.type, right.type
        if a == b:
            return left, right, a
        type = self._common(left, right, position)
        return self._into(left, type, position), self._into(right, type, position), type

    def _into(self, value: TypedExpression, type: PlcScalar, position: Position) -> TypedExpression:
        same = value.type.kind == type.kind == "enumeration"
        if value.type == type or same:
            return value
        if isinstance(value, PlcConstant) and value.type in (UNTYPED, UNTYPED_REAL) and type is not UNTYPED:
            return self._literal(value, type, position)
        if value.type.kind in ("enumeration", "bits") and type.kind == "integer":
            return self.operate("convert", value, type=type, at=position)
        if value.type.kind == type.kind == "string":
            return value
        return self.operate("convert", value, type=type, at=position)

    def _common(self, left: TypedExpression, right: TypedExpression, position: Position) -> PlcScalar:
        a, b = left.type, right.type
        if UNTYPED in (a, b) or UNTYPED_REAL in (a, b):
            if a in (UNTYPED, UNTYPED_REAL) and b in (UNTYPED, UNTYPED_REAL):
                return UNTYPED_REAL
            literal, typed = (left, b) if a in (UNTYPED, UNTYPED_REAL) else (right, a)
            return self._beside(literal, typed, position)
        if "real" in (a.kind, b.kind):
            reals = [type for type in (a, b) if type.kind == "real"]
            others = [type for type in (a, b) if type.kind != "real"]
            if any(other.kind != "integer" for other in others):
                raise InputError(position, f"{a.name} and {b.name} do not go together")
            return max(reals, key=lambda type: type.width)
        words = ("integer", "bits", "enumeration")
        if a.kind in words and b.kind in words:
            if a.kind == b.kind == "enumeration":
                if a.names != b.names:
                    raise InputError(position, f"{a.name} and {b.name} are different enumerations")
                return a
            found = _wider(_plain(a), _plain(b))
            if found is None:
                raise InputError(position, f"no type holds {a.name} and {b.name}: convert one of them")
            return found
        if a.kind == b.kind and a.kind in ("time", "date", "string", "bool"):
            return a if a.width >= b.width else b
        raise InputError(position, f"{a.name} and {b.name} do not go together")

    def _beside(self, literal: TypedExpression, typed: PlcScalar, position: Position) -> PlcScalar:
        """The type in which a literal and a typed value meet."""
        if literal.type == UNTYPED_REAL:
            if typed.kind == "integer":
                return ELEMENTARY["LREAL" if typed.width > 16 else "REAL"]
            if typed.kind != "real":
                raise InputError(position, f"a real number and {typed.name} do not go together")
            return typed
        if not isinstance(literal, PlcConstant) or not typed.is_word or typed.kind in ("time", "date"):
            if typed.kind in ("time", "date", "string"):
                raise InputError(position, f"a number and {typed.name} do not go together")
            return typed
        plain = _plain(typed)
        if typed.fits(literal.value):
            return plain if typed.kind != "bits" else typed
        larger = [t for t in _INTEGERS if t.fits(literal.value) and _holds(t, plain)]
        if not larger:
            raise InputError(position, f"{literal.value} is too large for any type")
        return larger[0]


_INTEGERS = tuple(
    sorted(
        (type for type in ELEMENTARY.values() if type.kind == "integer"),
        key=lambda type: (type.width, not type.signed),
    )
)


def _plain(type: PlcScalar) -> PlcScalar:
    """The integer type of the same bits."""
    for each in _INTEGERS:
        if (each.width, each.signed) == (type.width, type.signed):
            return each
    return type


def _holds(type: PlcScalar, other: PlcScalar) -> bool:
    """Whether all values of the other type are values of this one."""
    low, high = other.range
    return type.fits(low) and type.fits(high)


def _wider(a: PlcScalar, b: PlcScalar) -> PlcScalar | None:
    """The smallest integer type that holds both; for LINT and ULINT there is none."""
    return next((type for type in _INTEGERS if _holds(type, a) and _holds(type, b)), None)


def _range(type: PlcScalar) -> str:
    low, high = type.range
    return f"{low}..{high}"
