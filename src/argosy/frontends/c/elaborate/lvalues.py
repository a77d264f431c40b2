"""Lvalues: what they designate, their values and addresses, assignment and increment (C11 6.3.2.1, 6.5.2, 6.5.16)."""

from __future__ import annotations

from pycparser import c_ast as c

from argosy.basics.errors import InputError
from argosy.basics.records import replace
from argosy.frontends.c import literals
from argosy.frontends.c.elaborate.declarations import take_addresses
from argosy.frontends.c.elaborate.effects import Effects
from argosy.frontends.c.elaborate.initialisers import InitialiserLists
from argosy.frontends.c.elaborate.lasting import is_direct, may_change
from argosy.frontends.c.elaborate.orders import Orders
from argosy.frontends.c.elaborate.rows import is_measured
from argosy.frontends.c.elaborate.whole import Elaborated
from argosy.frontends.c.original import Original
from argosy.frontends.c.render import render
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import FunctionName, Object, complain, position_of
from argosy.frontends.c.tokens import as_written
from argosy.frontends.c.typed import (
    AddressOf,
    Assigning,
    BinaryOperation,
    Cast,
    Clearing,
    Comma,
    Contents,
    Designation,
    ElementPlace,
    Expression,
    IntegerConstant,
    MemberPlace,
    NoValue,
    ObjectPlace,
    Place,
    TargetPlace,
)
from argosy.frontends.c.types import (
    CONSTANT,
    UNQUALIFIED,
    Array,
    Float,
    Function,
    Integer,
    Pointer,
    StructureType,
    Type,
    Vector,
    Void,
)
from argosy.frontends.c.unsupported import Construct, error

INCREMENTS = {"++": "+", "p++": "+", "--": "-", "p--": "-"}
FIXED_UNKNOWN = "__BLAST_NONDET"


class Lvalues:
    def __init__(self, whole: Elaborated, orders: Orders) -> None:
        self._whole = whole
        self._orders = orders
        self._unit = whole.unit
        self._model = whole.unit.model
        self._arithmetic = whole.arithmetic
        self._initialisers = InitialiserLists(whole)
        self._lasting: dict[int, Object] = {}

    # ---- what is designated -------------------------------------------------------------------------------

    def place(self, node: Node) -> Place:
        """What an lvalue designates; its parts are evaluated on the way."""
        match node:
            case c.ID():
                symbol = self._unit.scopes.find(node.name)
                if symbol is None and node.name == FIXED_UNKNOWN:
                    symbol = self._fixed_unknown(node)
                if isinstance(symbol, Object):
                    return ObjectPlace(symbol, Original(node))
                if symbol is None and node.name in literals.FUNCTION_NAMES:
                    return self._own_name(node)
                if symbol is None:
                    raise complain(node, f"{node.name} is not declared")
            case c.UnaryOp(op="*", expr=c.UnaryOp(op="&")) if not self._names_function(node.expr.expr):
                return self.place(node.expr.expr)
            case c.UnaryOp(op="*"):
                return self._target(self._whole.value(node.expr), Original(node), node.expr)
            case c.ArrayRef():
                return self._element(node)
            case c.StructRef():
                return self._member(node)
            case c.CompoundLiteral():
                return self._literal(node)
            case c.Constant() if node.value.endswith('"'):
                return ObjectPlace(self._text(node), Original(node))
            case c.GenericSelection():
                return self.place(self._whole.selected(node))
        value = self._whole.value(node)
        while isinstance(value, Comma):
            self._whole.keep(value.first, node)
            value = value.second
        if isinstance(value, Contents):
            return value.place
        if isinstance(value, Cast) and isinstance(value.type, StructureType) and value.type.kind == "union":
            raise error(position_of(node), f"{render(node)}, a cast to a union", Construct.RESULT)
        raise complain(node, f"{render(node)} is a value, not a place")

    def _names_function(self, node: Node) -> bool:
        return isinstance(node, c.ID) and isinstance(self._unit.scopes.find(node.name), FunctionName)

    def _fixed_unknown(self, node: Node) -> Object:
        symbol = Object(node.name, self._model.int_, position_of(node), lasting=True, defined=False)
        self._unit.scopes.bind_global(node.name, symbol)
        return symbol

    def _text(self, node: Node, qualifiers: frozenset[str] = UNQUALIFIED) -> Object:
        """The array that a string literal is: one for all that say the same and are as qualified."""
        known = self._unit.texts.get((node.value, qualifiers))
        if known is None:
            type_ = literals.string_type(node, self._model)
            known = Object(f"text{len(self._unit.texts) + 1}", type_, position_of(node), lasting=True, constant=True)
            known.initialiser = node
            known.qualifiers = qualifiers
            self._unit.texts[node.value, qualifiers] = known
        return known

    def _own_name(self, node: Node) -> Place:
        """``__func__`` is an array of ``const`` characters (6.4.2.2)."""
        text = c.Constant("string", f'"{as_written(self._whole.function)}"', node.coord)
        return ObjectPlace(self._text(text, CONSTANT), Original(node))

    def _target(self, pointer: Expression, original: Original, node: Node) -> Place:
        """Where a pointer leads that is written as ``node``."""
        if not isinstance(pointer.type, Pointer):
            raise InputError(original.position, f"{render(node)} is not a pointer")
        return TargetPlace(pointer, pointer.type.target, pointer.type.qualifiers, original)

    def _element(self, node: Node) -> Place:
        whole = self._whole
        if self._orders.are_open(node):
            left, right = self._orders.values((node.name, node.subscript), node)
            return self._at(left, right, node) if isinstance(left.type, Pointer) else self._at(right, left, node)
        base, first, second = self._base(node.name), node.name, node.subscript
        effects = whole.effects.of(second)
        if isinstance(base, Place):
            array = self.protected(base, effects, first) if effects is not None else base
            return self._at(array, whole.value(second), node)
        value = whole.protect(base, effects, first)
        if not isinstance(value.type, Integer):
            return self._at(value, whole.value(second), node)
        return self._at(self._base(second), value, node)

    def _at(self, base: Place | Expression, index: Expression, node: Node) -> Place:
        original = Original(node)
        if isinstance(base, Place) and is_measured(base.type):
            base = self.contents(base, original)
        if isinstance(base, Place):
            index = self._arithmetic.promoted(index)
            if not isinstance(index.type, Integer):
                raise complain(node, f"{render(node)}: no index")
            assert isinstance(base.type, Array)
            return ElementPlace(base, index, base.type.element, base.qualifiers, original)
        if isinstance(base.type, Vector):
            raise error(position_of(node), f"element {render(node)} of a vector", Construct.VECTOR)
        if not isinstance(base.type, Pointer):
            raise complain(node, f"{render(node)}: neither an array nor a pointer")
        moved = self._arithmetic.binary("+", base, index, original)
        return self._target(moved, original, node)

    def _base(self, node: Node) -> Place | Expression:
        """What an index goes into: the place of an array, or a value."""
        node = self._whole.selected(node)
        lvalue = isinstance(node, c.ArrayRef | c.StructRef) or (isinstance(node, c.UnaryOp) and node.op == "*")
        if isinstance(node, c.ID):
            lvalue = isinstance(self._unit.scopes.find(node.name), Object)
        if not lvalue and not (isinstance(node, c.Constant) and node.value.endswith('"')):
            literal = isinstance(node, c.CompoundLiteral)
            if not (literal and isinstance(self._whole.declarations.type(node.type), Array)):
                return self._whole.value(node)
        place = self.place(node)
        return place if isinstance(place.type, Array) and not _is_open(place) else self.contents(place, Original(node))

    def _member(self, node: Node) -> Place:
        if node.type == "->":
            inner = self._target(self._whole.value(node.name), Original(node.name), node.name)
        else:
            inner = self.place(node.name)
        record, name = inner.type, node.field.name
        member = record.member(name) if isinstance(record, StructureType) else None
        if member is None or not isinstance(record, StructureType):
            raise complain(node, f"no member {name} in {record}")
        qualifiers = inner.qualifiers | record.qualifiers_of(name)
        return MemberPlace(inner, name, member, qualifiers, Original(node), record.is_bit_field(name))

    def _literal(self, node: Node) -> Place:
        """An object without a name (6.5.2.5)."""
        declarations = self._whole.declarations
        if self._whole.function and "static" in (node.storage or ()):
            raise error(position_of(node), "a static compound literal", Construct.STATIC)
        type_ = declarations.completed(declarations.type(node.type), node)
        own = declarations.qualifiers(node.type)
        if not self._whole.function:
            return ObjectPlace(self._lasting_literal(node, type_, own), Original(node))
        symbol = Object("literal", type_, position_of(node), self._whole.function, qualifiers=own)
        self._whole.literal(symbol)
        place = ObjectPlace(symbol, Original(node))
        self._store_parts(place, node.init, node, "literal = ")
        return place

    def _lasting_literal(self, node: Node, type_: Type, qualifiers: frozenset[str]) -> Object:
        """Outside of functions it lives as long as the program, and has its value before that starts."""
        known = self._lasting.get(id(node))
        if known is None:
            scopes = self._unit.scopes
            name = f"__argosy_literal{len(self._lasting) + 1}"
            known = Object(name, type_, position_of(node), lasting=True, qualifiers=qualifiers)
            known.initialiser, known.unit_file = node.init, scopes.file
            scopes.bind_global(name, known)
            self._lasting[id(node)] = known
            self._unit.mark_addressed(known)
            take_addresses(self._unit, node.init)
        return known

    def protected(self, place: Place, effects: Effects, node: Node) -> Place:
        """The place as it is now, whatever the effects, which come later, change."""
        fixed = self._fixed(place, effects, node)
        if not isinstance(fixed, ObjectPlace):
            self._whole.code.emit(Designation(fixed, Original(node)))
        return fixed

    def _fixed(self, place: Place, effects: Effects | None, node: Node) -> Place:
        """The place with its indices and pointers saved where effects, or they by themselves, change them."""
        match place:
            case ElementPlace():
                array = self._fixed(place.array, effects, node)
                index = self._saved(place.index, effects, node)
                return (
                    place if array is place.array and index is place.index else replace(place, array=array, index=index)
                )
            case MemberPlace():
                record = self._fixed(place.record, effects, node)
                return place if record is place.record else replace(place, record=record)
            case TargetPlace():
                pointer = self._saved(place.pointer, effects, node)
                return place if pointer is place.pointer else replace(place, pointer=pointer)
        return place

    def _saved(self, value: Expression, effects: Effects | None, node: Node) -> Expression:
        if effects is not None and may_change(self._unit, value, effects):
            return self._whole.save(value, node)
        return self._whole.steady(value, node)

    # ---- values and addresses -------------------------------------------------------------------------------

    def contents(self, place: Place, original: Original) -> Expression:
        """The value of an lvalue: arrays and functions become pointers (6.3.2.1, 2 to 4)."""
        type_ = place.type
        if isinstance(type_, Array):
            return AddressOf(place, self._model.pointer(type_.element, place.qualifiers), original)
        if isinstance(type_, Function):
            if not isinstance(place, TargetPlace):
                raise InputError(original.position, f"{original.text} is no value")
            return place.pointer
        return Contents(place, type_, original)

    def address(self, node: Node) -> Expression:
        """The operator ``&``."""
        operand = self._whole.selected(node.expr)
        match operand:
            case c.ID():
                if isinstance(self._unit.scopes.find(operand.name), FunctionName):
                    return self._whole.value(operand)
            case c.UnaryOp(op="*"):
                return self._whole.value(operand.expr)
            case c.ArrayRef():
                left = self._whole.value(operand.name)
                left = self._whole.protect(left, self._whole.effects.of(operand.subscript), operand.name)
                index = self._whole.value(operand.subscript)
                return self._arithmetic.binary("+", left, index, Original(operand))
        place = self.place(operand)
        if self._truncates(place):
            raise complain(node, f"a bit field has no address: {render(operand)}")
        return AddressOf(place, self._model.pointer(place.type, place.qualifiers), Original(node))

    # ---- storing --------------------------------------------------------------------------------------------

    def store(self, place: Place, node: Node, position: Node, before: str, initialises: bool = False) -> None:
        """Evaluate ``node`` and assign it."""
        node = self._whole.selected(node)
        if isinstance(node, c.InitList) or isinstance(place.type, Array):
            self._store_parts(place, node, position, before)
            return
        original = Original(position, node if before else None, before)
        value = self._arithmetic.converted(self._whole.value(node), place.type, original)
        self._whole.code.emit(Assigning(place, value, original, initialises))

    def _store_parts(self, place: Place, node: Node, position: Node, before: str) -> None:
        """An initialiser in braces, or a text."""
        if self._orders.are_open(node):
            self._orders.refuse(node)
        code = self._whole.code
        if isinstance(place.type, Vector):
            raise error(position_of(node), "the initialiser of a vector", Construct.VECTOR)
        if isinstance(place.type, Integer | Pointer | Float):
            value = self._arithmetic.converted(self._whole.value(node), place.type)
            code.emit(Assigning(place, value, Original(position, node, before), True))
            return
        items = list(self._initialisers.items(place, node))
        code.emit(Clearing(place, tuple(item.place() for item in items), Original(position, node, before)))
        name = before.removesuffix(" = ")
        for item in items:
            own = f"{name}{item.path_text()} = "
            if isinstance(item.value, int):
                assert isinstance(item.type, Integer)
                original = Original.said(position_of(position), f"{own}{item.value}")
                code.emit(Assigning(item.place(), IntegerConstant(item.value, item.type, original), original, True))
            else:
                self.store(item.place(), item.value, position, own, True)

    # ---- assignment ---------------------------------------------------------------------------------------

    def _assignable(self, node: Node) -> Place:
        node = self._whole.selected(node)
        place = self.place(node)
        lvalue = isinstance(node, c.UnaryOp | c.ArrayRef | c.StructRef | c.CompoundLiteral | c.ID)
        if not lvalue or isinstance(place.type, Array | Function | Void):
            raise complain(node, f"{render(node)} cannot be assigned to")
        return place

    def assignment(self, node: Node, wanted: bool) -> Expression:
        if not self._orders.are_open(node):
            return self._left_first(node, wanted)
        result: Object | None = None
        for number in self._orders.arms(2, node):
            value = self._right_first(node, wanted) if number else self._left_first(node, wanted)
            if wanted:
                result = result or self._whole.temporary(value.type, node)
                self._whole.code.emit(Assigning(ObjectPlace(result, Original(node)), value, Original(node)))
        if result is None:
            return NoValue(Original(node))
        return Contents(ObjectPlace(result, Original(node)), result.type, Original(node))

    def _right_first(self, node: Node, wanted: bool) -> Expression:
        value = self._whole.save(self._whole.value(node.rvalue), node.rvalue)
        place = self._fixed(self._assignable(node.lvalue), None, node.lvalue)
        if node.op != "=":
            old = Contents(place, place.type, Original(node.lvalue))
            value = self._arithmetic.binary(node.op[:-1], old, value, Original(node))
        return self._assigned(place, self._arithmetic.converted(value, place.type), node, wanted)

    def _left_first(self, node: Node, wanted: bool) -> Expression:
        whole, original = self._whole, Original(node)
        place = self._assignable(node.lvalue)
        right_effects = whole.effects.of(node.rvalue)
        if right_effects is not None:
            place = self.protected(place, right_effects, node.lvalue)
        if node.op == "=":
            if is_direct(place):
                self.store(place, node.rvalue, node, "")
                return Contents(place, place.type, Original(node.lvalue)) if wanted else NoValue(original)
            value = whole.value(node.rvalue)
        else:
            place = self._fixed(place, None, node.lvalue)
            old = whole.protect(Contents(place, place.type, Original(node.lvalue)), right_effects, node.lvalue)
            value = self._arithmetic.binary(node.op[:-1], old, whole.value(node.rvalue), original)
        return self._assigned(place, self._arithmetic.converted(value, place.type), node, wanted)

    def _assigned(self, place: Place, value: Expression, node: Node, wanted: bool) -> Expression:
        """Assign; the value of the expression is what the place holds then."""
        read_back = isinstance(place.type, StructureType) or is_direct(place) or self._truncates(place)
        if wanted and not read_back:
            value = self._whole.save(value, node)
        self._whole.code.emit(Assigning(place, value, Original(node)))
        if not wanted:
            return NoValue(Original(node))
        return Contents(place, place.type, Original(node)) if read_back else value

    def _truncates(self, place: Place) -> bool:
        return isinstance(place, MemberPlace) and place.is_bit_field

    def increment(self, node: Node, wanted: bool) -> Expression:
        whole, original = self._whole, Original(node)
        place = self._fixed(self._assignable(node.expr), None, node.expr)
        old: Expression = Contents(place, place.type, Original(node.expr))
        op = INCREMENTS[node.op]
        postfix = wanted and node.op[0] == "p"
        undone = self._can_be_undone(place)
        if postfix and not undone:
            old = whole.save(old, node.expr)
        one = self._arithmetic.integer(1, original)
        moved = old
        if isinstance(place.type, Integer) and place.type.wide and not place.type.signed:
            # One more or one less is the same, modulo two to the width of the field, in every type that is as wide.
            moved = Cast(old, replace(place.type, wide=False), original)
        new = self._arithmetic.converted(self._arithmetic.binary(op, moved, one, original), place.type)
        after = self._assigned(place, new, node, wanted and not (postfix and not undone))
        if not postfix:
            return after
        if not undone:
            return self._arithmetic.apart(old)
        # Modulo two to the width, the old value is the new one with the step undone.
        back = IntegerConstant(1, place.type, original) if isinstance(place.type, Integer) else one
        return BinaryOperation("-" if op == "+" else "+", after, back, place.type, original, exact=True)

    def _can_be_undone(self, place: Place) -> bool:
        type_: Type = place.type
        if isinstance(type_, Pointer):
            return self._model.size(type_.target) is not None
        return isinstance(type_, Integer) and not type_.is_bool and not self._truncates(place)


def _is_open(place: Place) -> bool:
    """Whether there may be more elements of an array than its type says: it is the last member of a structure that a
    pointer leads to (6.7.2.1, 18)."""
    if not isinstance(place, MemberPlace) or not isinstance(place.record.type, StructureType):
        return False
    record = place.record.type
    if record.open_end is None or (record.members or [])[-1][0] != place.name:
        return False
    return isinstance(place.record, TargetPlace) or record.open_end.length == 0
