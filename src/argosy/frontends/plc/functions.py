"""Calls in expressions: the standard functions (IEC 61131-3, tables 22 to 36), conversions, and functions of the
program.

Functions of the program are inlined: their variables are one set of cells for each function, since nothing is
recursive; what they return is kept in a cell of the call.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise

from argosy.basics.choices import did_you_mean
from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.plc.code import PlcConstant, TypedExpression
from argosy.frontends.plc.conversion_functions import ConversionCode
from argosy.frontends.plc.conversions import UNTYPED, UNTYPED_REAL
from argosy.frontends.plc.frames import PlcFrame, Reference
from argosy.frontends.plc.syntax import PlcArgument, PlcCall, PlcExpression, PlcName, PlcUnit
from argosy.frontends.plc.types import ELEMENTARY, PlcScalar

_OPERATORS = {
    "ADD": "+",
    "MUL": "*",
    "SUB": "-",
    "DIV": "/",
    "MOD": "MOD",
    "AND": "AND",
    "OR": "OR",
    "XOR": "XOR",
    "GT": ">",
    "GE": ">=",
    "EQ": "=",
    "LE": "<=",
    "LT": "<",
    "NE": "<>",
    "EXPT": "**",
    "ADD_TIME": "+",
    "SUB_TIME": "-",
    "MUL_TIME": "*",
    "DIV_TIME": "/",
    "MULTIME": "*",
    "DIVTIME": "/",
}
_FLOATING = frozenset(["SQRT", "LN", "LOG", "EXP", "SIN", "COS", "TAN", "ASIN", "ACOS", "ATAN"])
_NAMES: Mapping[str, tuple[str, ...]] = {
    "LIMIT": ("MN", "IN", "MX"),
    "SEL": ("G", "IN0", "IN1"),
    "SHL": ("IN", "N"),
    "SHR": ("IN", "N"),
    "ROL": ("IN", "N"),
    "ROR": ("IN", "N"),
    "LEFT": ("IN", "L"),
    "RIGHT": ("IN", "L"),
    "MID": ("IN", "L", "P"),
    "FIND": ("IN1", "IN2"),
    "INSERT": ("IN1", "IN2", "P"),
    "DELETE": ("IN", "L", "P"),
    "REPLACE": ("IN1", "IN2", "L", "P"),
}
_COUNTS: Mapping[str, int] = dict.fromkeys(("ABS", "NOT", "MOVE", "TRUNC", "FLOOR", "CEIL", "ROUND", "SQR", "LEN"), 1)


class FunctionCode(ConversionCode):
    """Expressions with calls."""

    def call(self, syntax: PlcCall, frame: PlcFrame) -> TypedExpression:
        callee, at = syntax.callee, syntax.position
        if not isinstance(callee, PlcName):
            raise UnsupportedError(at, "a call of a method, or of a block inside an expression")
        unit = self.scopes.units.get(callee.key)
        if unit is not None and unit.kind == "FUNCTION":
            if any(argument.name.upper() in ("EN", "ENO") for argument in syntax.arguments):
                raise UnsupportedError(at, f"EN of {unit.name} inside an expression: assign its result first")
            found = self.call_function(unit, syntax.arguments, frame, at)
            if found is None:
                raise InputError(at, f"{unit.name} returns nothing")
            return self.temporary(self.load(found, at), at)
        if self.find(callee.key, frame) is not None or unit is not None:
            raise InputError(at, f"{callee.text} is not a function: a block is called in a statement of its own")
        return self._standard(callee.key, syntax, frame)

    @abstractmethod
    def call_function(
        self, unit: PlcUnit, arguments: Sequence[PlcArgument], frame: PlcFrame, at: Position
    ) -> Reference | None:
        """The body of a function, inlined; where its result is until it is called again."""

    # ---- standard functions -------------------------------------------------------------------------------

    def _standard(self, key: str, syntax: PlcCall, frame: PlcFrame) -> TypedExpression:
        at = syntax.position
        special: Mapping[str, Callable[[list[TypedExpression], Position], TypedExpression]] = {
            "LIMIT": self._limit,
            "SEL": self._sel,
            "MUX": self._mux,
            "MIN": lambda given, where: self._extreme("MIN", given, where),
            "MAX": lambda given, where: self._extreme("MAX", given, where),
            "ABS": self._abs,
            "NOT": self._not,
            "MOVE": lambda given, where: given[0],
            "TRUNC": lambda given, where: self.whole("trunc", given[0], ELEMENTARY["DINT"], where),
            "FLOOR": lambda given, where: self.whole("floor", given[0], ELEMENTARY["DINT"], where),
            "CEIL": lambda given, where: self.whole("ceil", given[0], ELEMENTARY["DINT"], where),
            "ROUND": lambda given, where: self.whole("round", given[0], ELEMENTARY["DINT"], where),
            "SQR": lambda given, where: self.binary("*", given[0], given[0], where),
            "CONCAT": self._concat,
            "LEN": partial(self._measured, "LEN"),
            "FIND": partial(self._measured, "FIND"),
            **{name: partial(self._edited, name) for name in ("LEFT", "RIGHT", "MID", "INSERT", "DELETE", "REPLACE")},
        }
        shift = key in ("SHL", "SHR", "ROL", "ROR")
        known = key in special or key in _OPERATORS or key in _FLOATING or shift
        if not known and not self.is_conversion(key):
            self._unknown(key, syntax)
        given = self._given(key, syntax, frame)
        if key in special:
            self._count(key, given, at)
            return special[key](given, at)
        if key in _OPERATORS:
            return self._chain(key, given, at)
        if key in _FLOATING:
            return self._floating(key, given, at)
        if shift:
            return self._shift(key, given, at)
        return self.conversion(key, given, syntax)

    def _unknown(self, key: str, syntax: PlcCall) -> None:
        refused = self.scopes.source.refused.get(key)
        if refused is not None:
            raise UnsupportedError(refused[1], refused[0])
        own = [unit.name for unit in self.scopes.units.values() if unit.kind == "FUNCTION"]
        close = did_you_mean(key, [*own, *_OPERATORS, *_NAMES, "ABS", "MIN", "MAX", "MUX"])
        raise InputError(syntax.position, f"no function is called {syntax.callee.text}{close}")  # type: ignore[union-attr]

    def _given(self, key: str, syntax: PlcCall, frame: PlcFrame) -> list[TypedExpression]:
        """The values in the order of the parameters."""
        named = {argument.name.upper(): argument for argument in syntax.arguments if argument.name}
        if {"EN", "ENO"} & named.keys():
            raise UnsupportedError(syntax.position, f"EN of {key} inside an expression: assign its result first")
        for argument in syntax.arguments:
            if argument.output:
                raise InputError(argument.position, f"{key} has no output {argument.name}")
        if not named:
            return [self.expression(argument.value, frame) for argument in syntax.arguments]
        order = _NAMES.get(key) or tuple(sorted(named, key=lambda name: (name[:2] != "K", len(name), name)))
        for name, argument in named.items():
            if name not in order:
                raise InputError(argument.position, f"{key} has no parameter {argument.name}")
        missing = [name for name in order if name not in named]
        if missing or len(named) < len(syntax.arguments):
            raise InputError(syntax.position, f"{key} needs {', '.join(missing) or 'its parameters all by name'}")
        return [self.expression(named[name].value, frame) for name in order]

    def _count(self, key: str, given: Sequence[TypedExpression], at: Position) -> None:
        wanted = _COUNTS.get(key) or (len(_NAMES[key]) if key in _NAMES else None)
        if (wanted is not None and len(given) != wanted) or not given or (key == "MUX" and len(given) < 2):
            raise InputError(at, f"{key} with {len(given)} values; it takes {wanted or 'more'}")

    def together(self, values: Sequence[TypedExpression], at: Position) -> tuple[list[TypedExpression], PlcScalar]:
        """All with one type."""
        found = list(values)
        for _ in range(2):
            for position in range(1, len(found)):
                found[0], found[position], _type = self.meet(found[0], found[position], at)
        return found, found[0].type

    def _limit(self, given: list[TypedExpression], at: Position) -> TypedExpression:
        (low, value, high), type = self.together(given, at)
        above = self.operate("if", self.truth("lt", value, low, at=at), low, value, type=type, at=at)
        return self.operate("if", self.truth("lt", high, above, at=at), high, above, type=type, at=at)

    def _sel(self, given: list[TypedExpression], at: Position) -> TypedExpression:
        if given[0].type.kind != "bool":
            raise InputError(at, "the first value of SEL is of type BOOL")
        (first, second), type = self.together(given[1:], at)
        return self.operate("if", given[0], second, first, type=type, at=at)

    def _mux(self, given: list[TypedExpression], at: Position) -> TypedExpression:
        """Outside of the values the last one is taken: the standard says that it is an error."""
        selector = given[0]
        values, type = self.together(given[1:], at)
        if isinstance(selector, PlcConstant):
            if not 0 <= selector.value < len(values):
                raise InputError(at, f"MUX has no value {selector.value}")
            return values[selector.value]
        self.scopes.note("MUX: a selector outside of the values takes the last one")
        found = values[-1]
        for number in reversed(range(len(values) - 1)):
            if selector.type.fits(number):
                here = self.truth("eq", selector, PlcConstant(number, selector.type), at=at)
                found = self.operate("if", here, values[number], found, type=type, at=at)
        return found

    def _extreme(self, key: str, given: list[TypedExpression], at: Position) -> TypedExpression:
        values, type = self.together(given, at)
        found = values[0]
        for value in values[1:]:
            less = self.truth("lt", value, found, at=at)
            first, second = (value, found) if key == "MIN" else (found, value)
            found = self.operate("if", less, first, second, type=type, at=at)
        return found

    def _abs(self, given: list[TypedExpression], at: Position) -> TypedExpression:
        if given[0].type.kind not in ("integer", "real"):
            raise InputError(at, f"ABS of {given[0].type.name}")
        return self.operate("abs", given[0], type=given[0].type, at=at)

    def _not(self, given: list[TypedExpression], at: Position) -> TypedExpression:
        return self.operate("not", given[0], type=given[0].type, at=at)

    def _edited(self, key: str, given: list[TypedExpression], at: Position) -> TypedExpression:
        """A string that another one becomes: strings first, then lengths and places."""
        texts = 2 if key in ("INSERT", "REPLACE") else 1
        for number, value in enumerate(given):
            wanted = "string" if number < texts else "integer"
            if value.type.kind != wanted:
                raise InputError(at, f"{key} of {value.type.name}")
        return self.operate(key.lower(), *given, type=given[0].type, at=at)

    def _measured(self, key: str, given: list[TypedExpression], at: Position) -> TypedExpression:
        for value in given:
            if value.type.kind != "string":
                raise InputError(at, f"{key} of {value.type.name}")
        return self.operate(key.lower(), *given, type=ELEMENTARY["INT"], at=at)

    def _concat(self, given: list[TypedExpression], at: Position) -> TypedExpression:
        for value in given:
            if value.type.kind != "string":
                raise InputError(at, f"CONCAT of {value.type.name}")
        return self.operate("concat", *given, type=ELEMENTARY["STRING"], at=at)

    def _chain(self, key: str, given: list[TypedExpression], at: Position) -> TypedExpression:
        if len(given) < 2:
            raise InputError(at, f"{key} with {len(given)} values")
        operator = _OPERATORS[key]
        if key in ("GT", "GE", "EQ", "LE", "LT"):
            pairs = [self.binary(operator, a, b, at) for a, b in pairwise(given)]
            found = pairs[0]
            for pair in pairs[1:]:
                found = self.truth("and", found, pair, at=at)
            return found
        found = given[0]
        for value in given[1:]:
            found = self.binary(operator, found, value, at)
        return found

    def _floating(self, key: str, given: list[TypedExpression], at: Position) -> TypedExpression:
        if len(given) != 1:
            raise InputError(at, f"{key} with {len(given)} values")
        type = given[0].type if given[0].type.kind == "real" else ELEMENTARY["REAL"]
        type = ELEMENTARY["REAL"] if type == UNTYPED_REAL else type
        return self.operate(key.lower(), self.convert(given[0], type, at), type=type, at=at)

    def _shift(self, key: str, given: list[TypedExpression], at: Position) -> TypedExpression:
        if len(given) != 2:
            raise InputError(at, f"{key} with {len(given)} values")
        value, by = given
        if value.type == UNTYPED or value.type.kind not in ("bits", "integer"):
            raise InputError(at, f"{key} of {value.type.name}")
        if isinstance(by, PlcConstant) and by.type == UNTYPED:
            if not 0 <= by.value < 65536:
                raise InputError(at, f"{key} by {by.value}")
            by = PlcConstant(by.value, ELEMENTARY["UINT"])
        elif by.type.kind not in ("bits", "integer"):
            raise InputError(at, f"{key} by {by.type.name}")
        # A number of places is not negative: as many as the bits of it say.
        unsigned = ELEMENTARY[{8: "USINT", 16: "UINT", 32: "UDINT", 64: "ULINT"}[by.type.width]]
        by = self.operate("convert", by, type=unsigned, at=at)
        return self.operate(key.lower(), value, by, type=value.type, at=at)


def is_nobody(syntax: PlcExpression) -> bool:
    """Whether nothing takes an output: ``Q =>``."""
    return isinstance(syntax, PlcName) and not syntax.text
