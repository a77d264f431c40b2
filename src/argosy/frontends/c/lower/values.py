"""Values in the model: a typed expression becomes one term, with the conditions under which it is defined.

These wait for the next step of the graph; where an operand is evaluated only if another one does not decide, they are
guarded by that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from argosy.basics.position import Position
from argosy.basics.records import replace
from argosy.frontends.c.elaborate.folding import number
from argosy.frontends.c.elaborate.lasting import root
from argosy.frontends.c.literals import FLOAT_SUFFIX
from argosy.frontends.c.lower.graph import FlowGraph
from argosy.frontends.c.lower.operators import Operators, Value
from argosy.frontends.c.lower.places import CellPlaces
from argosy.frontends.c.memory import obstacle
from argosy.frontends.c.symbols import FunctionName, Object, Unit
from argosy.frontends.c.typed import (
    AddressOf,
    BinaryOperation,
    Cast,
    Comma,
    Contents,
    Expression,
    FloatConstant,
    FunctionAddress,
    IntegerConstant,
    NoValue,
    ObjectPlace,
    Selection,
    ShortCircuit,
    SizeOf,
    UnaryOperation,
)
from argosy.frontends.c.types import VOID, BinaryFloat, Integer, Pointer, Scalar, Type, Void, signedness
from argosy.frontends.c.unsupported import Construct, refusal
from argosy.logic.floating import EXTENDED, convert, read_decimal
from argosy.logic.terms import Term
from argosy.models.cfa import Refusal
from argosy.models.sources import SourceKind, ValueSource

# Of the suffixes of constants wider than double those of the type that x87 has.
_X87_SUFFIX = re.compile(r"(?:l|f64x)$", re.IGNORECASE)


def _pattern(expression: FloatConstant) -> int | None:
    """The bits of a constant; None where its type has none here."""
    type_ = expression.type
    digits = FLOAT_SUFFIX.sub("", expression.text)
    return read_decimal(type_.format, digits) if isinstance(type_, BinaryFloat) else None


def _from_extended(expression: Expression, type_: Type) -> int | None:
    """The bits of a constant of the type ``long double`` that is converted to another one, as ``<float.h>`` writes
    ``DBL_MAX``: it is rounded twice, to the 80 bits of x87 first. None of any other expression."""
    negative = False
    while isinstance(expression, UnaryOperation) and expression.op == "-":
        expression, negative = expression.operand, not negative
    if not isinstance(expression, FloatConstant) or not isinstance(type_, BinaryFloat):
        return None
    if expression.type.name != "long double" or not _X87_SUFFIX.search(expression.text):
        return None
    bits = read_decimal(EXTENDED, FLOAT_SUFFIX.sub("", expression.text))
    if bits is None:
        return None
    rounded_twice = convert(EXTENDED, type_.format, bits)
    return rounded_twice ^ type_.format.sign if negative else rounded_twice


class TermValues:
    """The expressions of one function. ``results`` are the values of temporary objects that need no variable;
    ``carried`` are the parts that are addresses as numbers at which nobody looks (``carriers``)."""

    def __init__(self, unit: Unit, graph: FlowGraph, function: str, carried: frozenset[int] = frozenset()) -> None:
        self._carried = carried
        self._unit = unit
        self._graph = graph
        self._terms = unit.terms
        self._function = function
        self.operators = Operators(unit, graph.pending.append, self._choose)
        self.places = CellPlaces(unit, graph, self.operators, function, self.value)
        self.results: dict[Object, Value] = {}
        self._held: dict[int, Value] = {}
        self._makers: dict[type, Callable[[Any], Value]] = {
            IntegerConstant: lambda e: self.operators.number(e.value, e.type),
            FloatConstant: self._float,
            SizeOf: self._size,
            Contents: self._contents,
            AddressOf: self._object_address,
            FunctionAddress: self._function_address,
            UnaryOperation: self._unary,
            BinaryOperation: self._binary,
            Cast: self._conversion,
            ShortCircuit: self._short_circuit,
            Selection: self._selection,
            Comma: self._comma,
            NoValue: lambda e: Value(None, VOID),
        }

    def _choose(self, type_: Scalar, what: str, position: Position, why: Refusal | None = None) -> Term:
        if why is not None:
            term = self._unit.opaque_term(type_.sort, why, signedness(type_))
            source = ValueSource(SourceKind.UNMODELLED, what)
            self._graph.choose_aside(term, position, f"unmodelled: {what}", source)
            return term
        term = self._unit.variable(self._function, "temp", type_, position)
        source = ValueSource(SourceKind.OPEN, what)
        self._graph.choose_aside(term, position, f"{term.name} = ?", source)
        return term

    def value(self, expression: Expression) -> Value:
        if self._held:
            held = self._held.get(id(expression))
            if held is not None:
                return held
        return self._makers[type(expression)](expression)

    def hold(self, expression: Expression) -> None:
        """Evaluate; the value is the same when it is used."""
        self._held[id(expression)] = self.value(expression)

    def truth(self, expression: Expression) -> Term:
        if not self._held:
            if type(expression) is ShortCircuit:
                return self._joined(expression)
            if type(expression) is UnaryOperation and expression.op == "!":
                return self._terms.not_(self.truth(expression.operand))
        return self.operators.truth(self.value(expression), expression.original.position)

    def _object_address(self, expression: AddressOf) -> Value:
        symbol = root(expression.place)
        missing = None if symbol is None else self._missing(symbol, expression)
        if missing is not None:
            return missing
        where = self.places.where(expression.place)
        return self.places.address_of(where, expression.type, expression.original.position)

    def _function_address(self, expression: FunctionAddress) -> Value:
        missing = self._missing(expression.function, expression)
        return missing or self.operators.number(self._unit.address(expression.function), expression.type)

    def _missing(self, symbol: Object | FunctionName, expression: AddressOf | FunctionAddress) -> Value | None:
        """The address of what is weak is null where nobody defines it."""
        if not self._unit.may_be_missing(symbol):
            return None
        why = refusal(expression.original.position, f"the address of {symbol.name}", Construct.WEAK)
        return Value(None, expression.type, why)

    def _float(self, expression: FloatConstant) -> Value:
        position, type_ = expression.original.position, expression.type
        value = _pattern(expression)
        if value is None or not isinstance(type_, BinaryFloat):
            return self.operators.unknown(type_, position, f"the number {expression.text}", Construct.FLOAT)
        return self.operators.number(value, type_)

    def _size(self, expression: SizeOf) -> Value:
        if expression.value is not None:
            return self.operators.number(expression.value, expression.type)
        return Value(None, expression.type, self._no_layout(expression))

    def _no_layout(self, expression: SizeOf) -> Refusal:
        position, type_ = expression.original.position, expression.of
        operator = expression.operator.partition(" ")[0]
        why = obstacle(self._unit.model, type_, str(type_), position)
        if why is None:
            return refusal(position, f"{operator} of {type_}", Construct.RESULT)
        return why.refusal(position, f"asks for {operator} of {type_}")

    def _contents(self, expression: Contents) -> Value:
        place = expression.place
        if isinstance(place, ObjectPlace):
            result = self.results.get(place.object)
            if result is not None:
                return result
        given = self._unit.given.get(place.object) if isinstance(place, ObjectPlace) else None
        known = None if given is None else number(self._unit.model, given)
        if known is not None and isinstance(expression.type, Scalar):
            return self.operators.number(known, expression.type)
        cell = self.places.plain(place.object) if isinstance(place, ObjectPlace) else None
        if cell is not None:
            return Value(cell, expression.type)
        return self.places.read(self.places.where(place), expression.original.position)

    def _unary(self, expression: UnaryOperation) -> Value:
        if expression.op == "!":
            return self.operators.truth_value(self._terms.not_(self.truth(expression.operand)))
        value, position = self.value(expression.operand), expression.original.position
        return (self.operators.negate if expression.op == "-" else self.operators.complement)(value, position)

    def _binary(self, expression: BinaryOperation) -> Value:
        op, position = expression.op, expression.original.position
        left, right = expression.left, expression.right
        if op in ("==", "!=") and (isinstance(left, Cast) or isinstance(right, Cast)):
            left, right = self._pointers_behind(left, right)
        a, b = self.value(left), self.value(right)
        if id(expression) in self._carried:
            address, amount = (b, a) if id(right) in self._carried else (a, b)
            return self.operators.moved(op, address, amount, position)
        if expression.exact:
            return self.operators.exact(op, a, b, expression.type, position)
        return self.operators.binary(op, a, b, expression.type, position)

    def _pointers_behind(self, left: Expression, right: Expression) -> tuple[Expression, Expression]:
        """The pointers of which two operands are the numbers, which are equal if those are. CIL likes it."""
        sides = (left, right)
        behind = [self._pointer_behind(side) for side in sides]
        others = [side for side, own in zip(sides, behind, strict=True) if own is None]
        if len(others) == 2 or any(number(self._unit.model, side) is None for side in others):
            return left, right
        pointers = [own for own in behind if own is not None]
        type_ = next((p.type for p in pointers), left.type)
        made = [
            own if own is not None else Cast(side, type_, side.original)
            for side, own in zip(sides, behind, strict=True)
        ]
        return made[0], made[1] if made[1].type == type_ else Cast(made[1], type_, made[1].original)

    def _pointer_behind(self, value: Expression) -> Expression | None:
        while isinstance(value, Cast):
            wide = isinstance(value.type, Integer) and value.type.width >= self._unit.model.pointer_width
            if not wide:
                return None
            if isinstance(value.operand.type, Pointer):
                return value.operand
            value = value.operand
        return None

    def _conversion(self, expression: Cast) -> Value:
        constant = _from_extended(expression.operand, expression.type)
        if constant is not None and isinstance(expression.type, BinaryFloat):
            return self.operators.number(constant, expression.type)
        value = self.value(expression.operand)
        if isinstance(expression.type, Void):
            return Value(None, VOID)
        if id(expression) in self._carried and value.term is not None:
            return Value(value.term, expression.type)
        return self.operators.convert(value, expression.type, expression.original.position)

    def _comma(self, expression: Comma) -> Value:
        self.value(expression.first)
        return self.value(expression.second)

    def _short_circuit(self, expression: ShortCircuit) -> Value:
        return self.operators.truth_value(self._joined(expression))

    def _joined(self, expression: ShortCircuit) -> Term:
        left = self.truth(expression.left)
        waiting = len(self._graph.pending)
        right = self.truth(expression.right)
        if expression.op == "&&":
            self._guard(waiting, left)
            return self._terms.and_(left, right)
        if len(self._graph.pending) > waiting:
            self._guard(waiting, self._terms.not_(left))
        return self._terms.or_(left, right)

    def _guard(self, waiting: int, condition: Term) -> None:
        """What was required since ``waiting`` is required only where ``condition`` holds."""
        pending = self._graph.pending
        for index in range(waiting, len(pending)):
            old = pending[index]
            pending[index] = replace(old, condition=self._terms.implies(condition, old.condition))

    def _selection(self, expression: Selection) -> Value:
        condition = self.truth(expression.condition)
        values = []
        for arm, guard in ((expression.yes, condition), (expression.no, self._terms.not_(condition))):
            waiting = len(self._graph.pending)
            values.append(self.value(arm))
            self._guard(waiting, guard)
        a, b = values
        if a.term is None or b.term is None:
            return Value(None, expression.type, a.refusal or b.refusal)
        return Value(self._terms.ite(condition, a.term, b.term), expression.type)
