"""Conversion functions (IEC 61131-3, tables 22 to 27): ``INT_TO_WORD``, ``TO_INT``, ``REAL_TRUNC_INT``,
``WORD_BCD_TO_UINT``, ``UINT_TO_BCD_WORD``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.plc.code import PlcConstant, TypedExpression
from argosy.frontends.plc.conversions import UNTYPED, UNTYPED_REAL
from argosy.frontends.plc.expressions import ExpressionCode
from argosy.frontends.plc.syntax import PlcCall
from argosy.frontends.plc.types import ELEMENTARY, PlcScalar

_CONVERSIONS = (
    (re.compile(r"(\w+?)_BCD_TO_(\w+)"), "FROM_BCD"),
    (re.compile(r"(\w+?)_TO_BCD_(\w+)"), "TO_BCD"),
    (re.compile(r"(?:(\w+?)_)?TRUNC_(\w+)"), "TRUNC"),
    (re.compile(r"(?:(\w+?)_)?TO_(\w+)"), "TO"),
)


class ConversionCode(ExpressionCode):
    """Expressions with conversions."""

    def is_conversion(self, key: str) -> bool:
        return self._plan(key) is not None

    def _plan(self, key: str) -> tuple[PlcScalar | None, str, PlcScalar] | None:
        """The types on both sides, and how: TO, TRUNC, FROM_BCD, TO_BCD."""
        for pattern, how in _CONVERSIONS:
            found = pattern.fullmatch(key)
            if found is None:
                continue
            source, target = (self.scopes.find_scalar(name) if name else None for name in found.groups())
            if target is not None and (source is not None or found[1] is None):
                return source, how, target
        return None

    def conversion(self, key: str, given: Sequence[TypedExpression], syntax: PlcCall) -> TypedExpression:
        at = syntax.position
        plan = self._plan(key)
        assert plan is not None
        if len(given) != 1:
            raise InputError(at, f"{key} with {len(given)} values")
        wanted, how, type = plan
        value = given[0]
        if wanted is not None:
            value = self.convert(value, wanted, at) if value.type in (UNTYPED, UNTYPED_REAL) else value
            if value.type.kind != wanted.kind or value.type.width > wanted.width:
                value = self.convert(value, wanted, at)
        if isinstance(value, PlcConstant) and value.type in (UNTYPED, UNTYPED_REAL):
            value = self.convert(value, ELEMENTARY["LINT" if value.type == UNTYPED else "LREAL"], at)
        kinds = {value.type.kind, type.kind}
        if "string" in kinds and not kinds <= {"string", "integer"}:
            raise UnsupportedError(at, f"the conversion from {value.type.name} to {type.name}")
        if value.type.kind == "string" != type.kind:
            self.scopes.note("a string that is no whole number becomes 0")
        if "BCD" in how:
            return self._decimal(how, value, type, at)
        if how == "TRUNC":
            return self.whole("trunc", value, type, at)
        if value.type.kind == "time" and type.kind in ("integer", "real") and value.type.width == 64:
            raise UnsupportedError(at, f"the conversion from LTIME to {type.name}")
        if {value.type.width, type.width} == {32, 64} and value.type.kind == type.kind == "time":
            raise UnsupportedError(at, "a conversion between TIME and LTIME")
        if kinds == {"real", "bits"}:
            return self._between_bits(value, type, at)
        return self.operate("convert", value, type=type, at=at)

    def _between_bits(self, value: TypedExpression, type: PlcScalar, at: Position) -> TypedExpression:
        dialect = self.scopes.dialect
        self.scopes.note(dialect.notes()["real bits"])
        if not dialect.real_bits:
            return self.operate("convert", value, type=type, at=at)
        if value.type.width != type.width:
            raise UnsupportedError(at, f"the bits of {value.type.name} as {type.name}, which has not as many")
        return self.operate("real of" if type.kind == "real" else "bits of", value, type=type, at=at)

    def whole(self, how: str, value: TypedExpression, type: PlcScalar, at: Position) -> TypedExpression:
        if value.type.kind != "real":
            raise InputError(at, f"{how.upper()} of {value.type.name}")
        wide = ELEMENTARY["LREAL"] if value.type == UNTYPED_REAL else value.type
        found = self.operate(how, self.convert(value, wide, at), type=wide, at=at)
        return self.operate("convert", found, type=type, at=at)

    def _decimal(self, how: str, value: TypedExpression, type: PlcScalar, at: Position) -> TypedExpression:
        """Digits of four bits each. More digits than there is room for are cut; what is no digit counts as it is."""
        bits, number = (value.type, type) if how == "FROM_BCD" else (type, value.type)
        if (bits.kind, number.kind, number.signed) != ("bits", "integer", False):
            raise InputError(at, "decimal digits are those of an unsigned number in a bit string")
        self.scopes.note(f"{at.line}: decimal digits: what does not fit is cut, what is no digit counts as it is")
        wide = ELEMENTARY["ULINT"]
        rest = self.operate("convert", value, type=wide, at=at)
        total: TypedExpression = PlcConstant(0, wide)
        base, step = (16, 10) if how == "FROM_BCD" else (10, 16)
        for place in range(bits.width // 4):
            above = self.operate("div", rest, PlcConstant(base**place, wide), type=wide, at=at)
            digit = self.operate("mod", above, PlcConstant(base, wide), type=wide, at=at)
            worth = self.operate("mul", digit, PlcConstant(wide.wrapped(step**place), wide), type=wide, at=at)
            total = self.operate("add", total, worth, type=wide, at=at)
        return self.operate("convert", total, type=type, at=at)
