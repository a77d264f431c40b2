"""Places: what lvalues designate, reading and writing them, assignment and increment (C11 6.3.2.1, 6.5.2.4, 6.5.16).

Integers and pointers in variables of their own are modelled. Parts of arrays and structures, and what a pointer leads
to, are not: reading them gives an unknown value, writing them through a pointer may change every variable whose
address is taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pycparser import c_ast as c

from argosy.frontends.c.declarations import decayed
from argosy.frontends.c.effects import Effects
from argosy.frontends.c.graph import WildWrite
from argosy.frontends.c.operators import Value
from argosy.frontends.c.render import render
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import FunctionName, Object, complain, position_of
from argosy.frontends.c.types import Array, Function, Integer, Pointer, Record, Type, Void
from argosy.models.cfa import Assign, Position, Refusal

if TYPE_CHECKING:
    from argosy.frontends.c.expressions import Expressions

INCREMENTS = {"++": "+", "p++": "+", "--": "-", "p--": "-"}
FIXED_UNKNOWN = "__BLAST_NONDET"


@dataclass(frozen=True, slots=True)
class Place:
    """What an lvalue designates: a variable, or (``object`` is None) a part of memory that is not modelled, which a
    pointer may reach or not. ``keeps`` is false where a value that is written may not be the value that is read
    back, as in a bit field."""

    type: Type
    object: Object | None
    through_pointer: bool
    what: str
    keeps: bool = True


class Places:
    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        self._unit = expressions.unit
        self._graph = expressions.graph
        self._terms = expressions.terms
        self._operators = expressions.operators

    def of_object(self, symbol: Object) -> Place:
        return Place(symbol.type, symbol, False, f"variable {symbol.name} of type {symbol.type}")

    def _fixed_unknown(self, node: Node) -> Object:
        symbol = Object(node.name, self._unit.model.int_, position_of(node), lasting=True, defined=False)
        self._unit.scopes.bind_global(node.name, symbol)
        return symbol

    def place(self, node: Node) -> Place:
        """What an lvalue designates; its parts are evaluated on the way."""
        match node:
            case c.ID():
                symbol = self._unit.scopes.find(node.name)
                if symbol is None and node.name == FIXED_UNKNOWN:
                    symbol = self._fixed_unknown(node)
                if isinstance(symbol, Object):
                    return self.of_object(symbol)
                if symbol is None:
                    raise complain(node, f"{node.name} is not declared")
            case c.UnaryOp(op="*", expr=c.UnaryOp(op="&")):
                return self.place(node.expr.expr)
            case c.UnaryOp(op="*"):
                type_ = self._expressions.value(node.expr).type
                if not isinstance(type_, Pointer):
                    raise complain(node, f"{render(node.expr)} is not a pointer")
                return Place(type_.target, None, True, f"dereference {render(node)}")
            case c.ArrayRef():
                return self._element(node)
            case c.StructRef():
                return self._member(node)
        type_ = self._expressions.value(node).type
        return Place(type_, None, False, f"{render(node)}, a {type_}")

    def _assignable(self, node: Node) -> Place:
        place = self.place(node)
        is_lvalue = place.object is not None or isinstance(
            node, c.UnaryOp | c.ArrayRef | c.StructRef | c.CompoundLiteral
        )
        if not is_lvalue or isinstance(place.type, Array | Function | Void):
            raise complain(node, f"{render(node)} cannot be assigned to")
        return place

    def _element(self, node: Node) -> Place:
        base, index = node.name, node.subscript
        if isinstance(self._expressions.typing.undecayed(base), Integer):
            base, index = index, base
        type_ = self._expressions.typing.undecayed(base)
        if isinstance(type_, Array):
            through = self.place(base).through_pointer
        elif isinstance(type_, Pointer):
            self._expressions.value(base)
            through = True
        else:
            raise complain(node, f"{render(base)} is neither an array nor a pointer")
        self._expressions.value(index)
        element = type_.element if isinstance(type_, Array) else type_.target
        return Place(element, None, through, f"array element {render(node)}")

    def _member(self, node: Node) -> Place:
        if node.type == "->":
            pointer = self._expressions.value(node.name).type
            record = pointer.target if isinstance(pointer, Pointer) else pointer
            through = True
        else:
            inner = self.place(node.name)
            record, through = inner.type, inner.through_pointer
        member = record.member(node.field.name) if isinstance(record, Record) else None
        if member is None:
            raise complain(node, f"no member {node.field.name} in {record}")
        exact = isinstance(record, Record) and record.exact_layout
        return Place(member, None, through, f"member {render(node)}", exact)

    def value(self, node: Node) -> Value:
        """What the lvalue holds."""
        return self.read(self.place(node), node)

    def read(self, place: Place, node: Node) -> Value:
        model = self._unit.model
        if place.object is not None:
            if isinstance(place.type, Array):
                return self._operators.number(self._unit.address(place.object), model.pointer(place.type.element))
            term = self._unit.object_term(place.object)
            if term is not None:
                return Value(term, place.type)
        type_ = decayed(self._unit, place.type)
        return self._operators.unknown(type_, position_of(node), place.what)

    def address(self, node: Node) -> Value:
        model = self._unit.model
        match node:
            case c.ID():
                symbol = self._unit.scopes.find(node.name)
                if isinstance(symbol, Object):
                    self._unit.object_term(symbol)
                    symbol.address_taken = True
                    return self._operators.number(self._unit.address(symbol), model.pointer(symbol.type))
                if isinstance(symbol, FunctionName):
                    return self._expressions.value(node)
            case c.UnaryOp(op="*"):
                return self._expressions.value(node.expr)
            case c.ArrayRef():
                return self._expressions.operation("+", node.name, node.subscript, position_of(node))
        place = self.place(node)
        return self._operators.unknown(model.pointer(place.type), position_of(node), f"address of {place.what}")

    def write(self, place: Place, value: Value, position: Position, text: str) -> None:
        """Assign a value that is already converted."""
        term = self._unit.object_term(place.object) if place.object is not None else None
        if term is not None:
            self._graph.emit(Assign(term, self._operators.term(value, position)), position, text)
        elif place.through_pointer:
            self._graph.emit(WildWrite(Refusal(position, f"write to {place.what}"), False), position, text)
        else:
            self._graph.flush(position, text)

    def store(self, place: Place, node: Node, position: Position, text: str) -> None:
        """Evaluate ``node`` and assign it; an arbitrary value goes directly where it is stored."""
        term = self._unit.object_term(place.object) if place.object is not None else None
        if term is None or not self._expressions.calls.choose_into(term, node, position, text):
            if isinstance(place.type, Array | Record) or isinstance(node, c.InitList):
                self._store_parts(place, node, position, text)
            else:
                value = self._operators.convert(self._expressions.value(node), place.type, position)
                self.write(place, value, position, text)

    def _store_parts(self, place: Place, node: Node, position: Position, text: str) -> None:
        if isinstance(place.type, Integer | Pointer):
            self.write(
                place, self._operators.convert(self._expressions.braced(node), place.type, position), position, text
            )
            return
        self._expressions.initialise_parts(node)
        self.write(place, Value(None, place.type), position, text)

    def assignment(self, node: Node, wanted: bool) -> Value:
        position = position_of(node)
        place = self._assignable(node.lvalue)
        if node.op == "=" and place.object is not None:
            self.store(place, node.rvalue, position, render(node))
            return self.read(place, node.lvalue)
        if node.op == "=":
            value = self._expressions.value(node.rvalue)
        else:
            value = self.read(place, node.lvalue)
            right_effects = self._expressions.effects.of(node.rvalue)
            if right_effects is not None:
                value = self._expressions.protect(value, right_effects, node.lvalue)
            value = self._operators.binary(node.op[:-1], value, self._expressions.value(node.rvalue), position)
        return self._assigned(place, self._operators.convert(value, place.type, position), node, wanted)

    def _assigned(self, place: Place, value: Value, node: Node, wanted: bool) -> Value:
        if wanted and place.through_pointer:
            value = self._expressions.protect(value, Effects(shared=True), node)
        self.write(place, value, position_of(node), render(node))
        if place.object is not None and place.object.term is not None:
            return self.read(place, node)
        return value if place.keeps else self._operators.unknown(place.type, position_of(node), place.what)

    def increment(self, node: Node, wanted: bool) -> Value:
        position = position_of(node)
        place = self._assignable(node.expr)
        old = self.read(place, node.expr)
        op = INCREMENTS[node.op]
        postfix = wanted and node.op[0] == "p"
        step = self._step_of(place.type)
        if postfix and step is None:
            old = self._expressions.save(old, node.expr)
        one = self._operators.number(1, self._unit.model.int_)
        new = self._operators.convert(self._operators.binary(op, old, one, position), place.type, position)
        new = self._assigned(place, new, node, wanted)
        if not postfix:
            return new
        if step is None or new.term is None:
            return old
        # Modulo two to the width, the old value is the new one with the step undone.
        undo = "bvsub" if op == "+" else "bvadd"
        return Value(self._terms.bit(undo, new.term, self._terms.const(step, new.term.sort)), place.type)

    def _step_of(self, type_: Type) -> int | None:
        """By how much ``++`` changes the bits of a value, where that can be undone."""
        if isinstance(type_, Integer) and not type_.is_bool:
            return 1
        return self._unit.model.size(type_.target) if isinstance(type_, Pointer) else None
