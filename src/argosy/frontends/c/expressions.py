"""Expressions become terms and steps, in the order in which C evaluates them, left to right where C leaves it open.

An expression without effects is one term, with the conditions under which it is defined guarded by the operands that
short-circuit them. Effects become steps; ``&&``, ``||`` and ``?:`` with effects on the right become branches. A value
that was read before a later effect in the same expression may change it is saved in a temporary variable.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pycparser import c_ast as c

from argosy.frontends.c import literals
from argosy.frontends.c.calls import Calls
from argosy.frontends.c.declarations import Declarations, decayed
from argosy.frontends.c.effects import Effects, EffectTable
from argosy.frontends.c.graph import Graph, Pending, WildWrite
from argosy.frontends.c.operators import Operators, Value
from argosy.frontends.c.render import render
from argosy.frontends.c.source import Node, is_elvis
from argosy.frontends.c.symbols import RESULT, Enumerator, FunctionName, Object, Unit, complain, position_of
from argosy.frontends.c.types import VOID, Array, Function, Integer, Pointer, Record, Type, Void
from argosy.frontends.c.typing import Typing
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Assign, Check, Position, Refusal

_INCREMENTS = {"++": "+", "p++": "+", "--": "-", "p--": "-"}
_FIXED_UNKNOWN = "__BLAST_NONDET"


@dataclass(frozen=True, slots=True)
class Place:
    """What an lvalue designates: a variable, or (``object`` is None) a part of memory that is not modelled, which a
    pointer may reach or not."""

    type: Type
    object: Object | None
    through_pointer: bool
    what: str


class Expressions:
    """The expressions of one function. ``statement_expression`` is set by whoever reads statements."""

    def __init__(self, unit: Unit, graph: Graph, function: str, effects: EffectTable) -> None:
        self.unit = unit
        self.graph = graph
        self.function = function
        self.effects = effects
        self.terms = unit.terms
        self.operators = Operators(unit, graph.pending.append)
        self.typing = Typing(self)
        self.declarations = Declarations(unit, self.constant, self.typing.of)
        self.calls = Calls(self)
        self.statement_expression: Callable[[Node, bool], Value] = self._no_statements
        self._readers: dict[type, Callable[[Node], Value]] = {
            c.ID: self._identifier,
            c.Constant: self._constant,
            c.UnaryOp: self._unary,
            c.BinaryOp: self._binary,
            c.Assignment: lambda node: self._assignment(node, True),
            c.TernaryOp: lambda node: self._conditional(node, True),
            c.Cast: self._cast,
            c.FuncCall: lambda node: self.calls.call(node, True),
            c.ArrayRef: self._read_place,
            c.StructRef: self._read_place,
            c.ExprList: self._comma,
            c.Compound: lambda node: self.statement_expression(node, True),
            c.CompoundLiteral: self._compound_literal,
            c.GenericSelection: lambda node: self.value(self.typing.selected(node)),
            c.InitList: self._braced,
        }

    def _no_statements(self, node: Node, wanted: bool) -> Value:
        raise complain(node, "a statement expression outside a function")

    # ---- values -------------------------------------------------------------------------------------------

    def value(self, node: Node) -> Value:
        reader = self._readers.get(type(node))
        if reader is None:
            raise complain(node, f"no expression: {type(node).__name__}")
        return reader(node)

    def constant(self, node: Node) -> int | None:
        """The value of an integer constant expression; None for any other."""
        if self.effects.of(node) is not None:
            return None
        waiting = len(self.graph.pending)
        value = self.value(node)
        del self.graph.pending[waiting:]
        if value.term is None or value.term.op != "const" or not isinstance(value.type, Integer):
            return None
        number: int = value.term.payload
        return number - (1 << value.type.width) if value.type.signed and number > value.type.maximum else number

    def truth(self, node: Node) -> Term:
        return self.operators.truth(self.value(node), position_of(node))

    def _identifier(self, node: Node) -> Value:
        symbol = self.unit.scopes.find(node.name)
        match symbol:
            case Object():
                return self._read(self._object_place(symbol), node)
            case Enumerator():
                return self.operators.number(symbol.value, symbol.type)
            case FunctionName():
                type_ = self.unit.model.pointer(symbol.type)
                return self.operators.number(self.unit.address(symbol), type_)
        if node.name in literals.FUNCTION_NAMES:
            type_ = self.unit.model.pointer(self.unit.model["char"])
            return self.operators.number(self.unit.new_address(64), type_)
        if node.name == _FIXED_UNKNOWN:
            return self._read(self._object_place(self._fixed_unknown(node)), node)
        raise complain(node, f"{node.name} is not declared")

    def _fixed_unknown(self, node: Node) -> Object:
        symbol = Object(node.name, self.unit.model.int_, position_of(node), lasting=True, defined=False)
        self.unit.scopes.bind_global(node.name, symbol)
        return symbol

    def _constant(self, node: Node) -> Value:
        if node.type == "string" or node.value.endswith('"'):
            type_ = literals.string_type(node.value, self.unit.model)
            address = self.unit.new_address(self.unit.model.size(type_))
            return self.operators.number(address, self.unit.model.pointer(type_.element))
        number = literals.number(node, self.unit.model)
        if number is None:
            return self.operators.unknown(self.typing.of(node), position_of(node), "a floating-point number")
        return self.operators.number(*number)

    def _comma(self, node: Node) -> Value:
        for part in node.exprs[:-1]:
            self.effect(part)
        return self.value(node.exprs[-1])

    def _cast(self, node: Node) -> Value:
        type_ = self.declarations.type(node.to_type)
        if isinstance(type_, Void):
            self.effect(node.expr)
            return Value(None, VOID)
        return self.operators.convert(self.value(node.expr), type_, position_of(node))

    def _compound_literal(self, node: Node) -> Value:
        type_ = self.declarations.type(node.type)
        if isinstance(type_, Integer | Pointer) and len(node.init.exprs) == 1:
            return self.operators.convert(self.value(node.init.exprs[0]), type_, position_of(node))
        self.initialise_parts(node.init)
        return self.operators.unknown(decayed(self.unit, type_), position_of(node), f"a {type_}")

    def _braced(self, node: Node) -> Value:
        """A scalar may be initialised by an expression in braces (6.7.9, 11)."""
        if len(node.exprs or ()) != 1 or isinstance(node.exprs[0], c.NamedInitializer):
            raise complain(node, "a list where a value is needed")
        return self.value(node.exprs[0])

    def initialise_parts(self, node: Node) -> None:
        """Evaluate the initialiser of an array or structure for its effects; the parts are not modelled."""
        match node:
            case c.InitList():
                for part in node.exprs or ():
                    self.initialise_parts(part)
            case c.NamedInitializer():
                self.initialise_parts(node.expr)
            case _:
                self.effect(node)

    # ---- operators ----------------------------------------------------------------------------------------

    def _unary(self, node: Node) -> Value:
        op, position = node.op, position_of(node)
        if op in _INCREMENTS:
            return self._increment(node, True)
        if op == "&":
            return self._address(node.expr)
        if op == "*":
            return self._read_place(node)
        if op == "sizeof":
            return self._size(node)
        if op == "!":
            return self.operators.truth_value(self.terms.not_(self.truth(node.expr)))
        if op in ("-", "+", "~"):
            value = self.value(node.expr)
            if op == "+":
                return self.operators.promote(value, position)
            return self.operators.negate(value, position) if op == "-" else self.operators.complement(value, position)
        layout = self.unit.model.layout(self.declarations.type(node.expr))
        if layout is None:
            return self.operators.unknown(self.unit.model.size_type, position, f"{op} of an unknown layout")
        return self.operators.number(layout[1], self.unit.model.size_type)

    def _size(self, node: Node) -> Value:
        operand = node.expr
        type_ = self.declarations.type(operand) if isinstance(operand, c.Typename) else self.typing.undecayed(operand)
        size = self.unit.model.size(type_)
        if size is None:
            return self.operators.unknown(self.unit.model.size_type, position_of(node), f"sizeof of {type_}")
        return self.operators.number(size, self.unit.model.size_type)

    def _binary(self, node: Node) -> Value:
        op = node.op
        if op in ("&&", "||"):
            return self._logical(node)
        return self._operation(op, node.left, node.right, position_of(node))

    def _operation(self, op: str, left_node: Node, right_node: Node, position: Position) -> Value:
        left = self.value(left_node)
        right_effects = self.effects.of(right_node)
        if right_effects is not None:
            left = self.protect(left, right_effects, left_node)
        return self.operators.binary(op, left, self.value(right_node), position)

    def _logical(self, node: Node) -> Value:
        if self.effects.of(node.right) is not None:
            return self._branches_to_value(node)
        left = self.truth(node.left)
        waiting = len(self.graph.pending)
        right = self.truth(node.right)
        if node.op == "&&":
            self._guard(waiting, left)
            return self.operators.truth_value(self.terms.and_(left, right))
        self._guard(waiting, self.terms.not_(left))
        return self.operators.truth_value(self.terms.or_(left, right))

    def _guard(self, waiting: int, condition: Term) -> None:
        """What was required since ``waiting`` is required only where ``condition`` holds."""
        pending = self.graph.pending
        for index in range(waiting, len(pending)):
            old = pending[index]
            guarded = self.terms.implies(condition, old.check.condition)
            pending[index] = Pending(Check(guarded, old.check.kind, old.check.position), old.overflow)

    def _branches_to_value(self, node: Node) -> Value:
        """A condition with effects, as an ``int``."""
        position = position_of(node)
        result = self._temporary(self.unit.model.int_, position)
        yes, no, join = self.graph.point(), self.graph.point(), self.graph.point()
        self.condition(node, yes, no)
        for point, outcome in ((yes, 1), (no, 0)):
            self.graph.resume(point)
            self.graph.emit(Assign(result, self.terms.bv(outcome, 32)), position, f"{result.name} = {outcome}")
            self.graph.jump(join)
        self.graph.resume(join)
        return Value(result, self.unit.model.int_)

    def _conditional(self, node: Node, wanted: bool) -> Value:
        position = position_of(node)
        if is_elvis(node):
            return self._elvis(node)
        arms = (node.iftrue, node.iffalse)
        if self.effects.of_all(arms) is not None:
            return self._branching_conditional(node, wanted)
        condition = self.truth(node.cond)
        values = []
        for arm, guard in zip(arms, (condition, self.terms.not_(condition)), strict=True):
            waiting = len(self.graph.pending)
            values.append(self.value(arm))
            self._guard(waiting, guard)
        return self._either(condition, values[0], values[1], position)

    def _either(self, condition: Term, a: Value, b: Value, position: Position) -> Value:
        type_ = self.operators.conditional_type(a.type, b.type)
        a, b = self.operators.convert(a, type_, position), self.operators.convert(b, type_, position)
        if a.term is None or b.term is None:
            return Value(None, type_, a.refusal or b.refusal)
        return Value(self.terms.ite(condition, a.term, b.term), type_)

    def _elvis(self, node: Node) -> Value:
        """GNU's ``a ?: b``: a is evaluated once."""
        position = position_of(node)
        first = self.value(node.cond)
        if self.effects.of(node.iffalse) is None:
            condition = self.operators.truth(first, position)
            waiting = len(self.graph.pending)
            second = self.value(node.iffalse)
            self._guard(waiting, self.terms.not_(condition))
            return self._either(condition, first, second, position)
        type_ = self.operators.conditional_type(first.type, self.typing.of(node.iffalse))
        yes, no, join = self.graph.point(), self.graph.point(), self.graph.point()
        first = self.save(first, node.cond)
        result = self._temporary(type_, position) if isinstance(type_, Integer | Pointer) else None
        self.graph.branch(self.operators.truth(first, position), position, render(node.cond), yes, no)
        self.graph.resume(yes)
        self._keep(result, type_, first, node)
        self.graph.jump(join)
        self.graph.resume(no)
        self._keep(result, type_, self.value(node.iffalse), node)
        self.graph.resume(join)
        return Value(result, type_, Refusal(position, f"a {type_}"))

    def _branching_conditional(self, node: Node, wanted: bool) -> Value:
        position = position_of(node)
        type_ = self.operators.conditional_type(self.typing.of(node.iftrue), self.typing.of(node.iffalse))
        result = self._temporary(type_, position) if wanted and isinstance(type_, Integer | Pointer) else None
        yes, no, join = self.graph.point(), self.graph.point(), self.graph.point()
        self.condition(node.cond, yes, no)
        for point, arm in ((yes, node.iftrue), (no, node.iffalse)):
            self.graph.resume(point)
            if wanted and not isinstance(type_, Void):
                self._keep(result, type_, self.value(arm), arm)
            else:
                self.effect(arm)
            self.graph.jump(join)
        self.graph.resume(join)
        return Value(result, type_, Refusal(position, f"a {type_}"))

    def _keep(self, result: Term | None, type_: Type, value: Value, node: Node) -> None:
        position = position_of(node)
        value = self.operators.convert(value, type_, position)
        if result is not None:
            term = self.operators.term(value, position)
            self.graph.emit(Assign(result, term), position, f"{result.name} = {render(node)}")

    # ---- saving values ------------------------------------------------------------------------------------

    def _temporary(self, type_: Integer | Pointer, position: Position) -> Term:
        return self.unit.variable(self.function, "temp", type_, position)

    def save(self, value: Value, node: Node) -> Value:
        """The value as it is now, in a variable that nothing else writes."""
        if value.term is None or value.term.op == "const" or not isinstance(value.type, Integer | Pointer):
            return value
        position = position_of(node)
        saved = self._temporary(value.type, position)
        self.graph.emit(Assign(saved, value.term), position, f"{saved.name} = {render(node)}")
        return Value(saved, value.type)

    def protect(self, value: Value, effects: Effects, node: Node) -> Value:
        """Save the value if the effects, which come later, may change what it reads."""
        if value.term is None:
            return value
        if any(self._may_change(variable, effects) for variable in variables(value.term)):
            return self.save(value, node)
        return value

    def _may_change(self, variable: Term, effects: Effects) -> bool:
        symbol = self.unit.objects.get(variable)
        if symbol is None:
            # The result of a call is overwritten by the next call of the function; temporaries are written once.
            return effects.shared and self.unit.variables[variable].name == RESULT
        if symbol.name in effects.names:
            return True
        return effects.shared and (symbol.lasting or symbol.name in self.unit.addressed_names)

    # ---- places and assignment ----------------------------------------------------------------------------

    def _object_place(self, symbol: Object) -> Place:
        what = f"variable {symbol.name} of type {symbol.type}"
        return Place(symbol.type, symbol, False, what)

    def place(self, node: Node) -> Place:
        """What an lvalue designates; its parts are evaluated on the way."""
        match node:
            case c.ID():
                symbol = self.unit.scopes.find(node.name)
                if symbol is None and node.name == _FIXED_UNKNOWN:
                    symbol = self._fixed_unknown(node)
                if isinstance(symbol, Object):
                    return self._object_place(symbol)
                if symbol is None:
                    raise complain(node, f"{node.name} is not declared")
            case c.UnaryOp(op="*", expr=c.UnaryOp(op="&")):
                return self.place(node.expr.expr)
            case c.UnaryOp(op="*"):
                type_ = self.value(node.expr).type
                if not isinstance(type_, Pointer):
                    raise complain(node, f"{render(node.expr)} is not a pointer")
                return Place(type_.target, None, True, f"dereference {render(node)}")
            case c.ArrayRef():
                return self._element(node)
            case c.StructRef():
                return self._member(node)
        type_ = self.value(node).type
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
        if isinstance(self.typing.undecayed(base), Integer):
            base, index = index, base
        type_ = self.typing.undecayed(base)
        if isinstance(type_, Array):
            through = self.place(base).through_pointer
        elif isinstance(type_, Pointer):
            self.value(base)
            through = True
        else:
            raise complain(node, f"{render(base)} is neither an array nor a pointer")
        self.value(index)
        element = type_.element if isinstance(type_, Array) else type_.target
        return Place(element, None, through, f"array element {render(node)}")

    def _member(self, node: Node) -> Place:
        if node.type == "->":
            pointer = self.value(node.name).type
            record = pointer.target if isinstance(pointer, Pointer) else pointer
            through = True
        else:
            inner = self.place(node.name)
            record, through = inner.type, inner.through_pointer
        member = record.member(node.field.name) if isinstance(record, Record) else None
        if member is None:
            raise complain(node, f"no member {node.field.name} in {record}")
        return Place(member, None, through, f"member {render(node)}")

    def _read_place(self, node: Node) -> Value:
        return self._read(self.place(node), node)

    def _read(self, place: Place, node: Node) -> Value:
        model = self.unit.model
        if place.object is not None:
            if isinstance(place.type, Array):
                return self.operators.number(self.unit.address(place.object), model.pointer(place.type.element))
            term = self.unit.object_term(place.object)
            if term is not None:
                return Value(term, place.type)
        type_ = decayed(self.unit, place.type)
        return self.operators.unknown(type_, position_of(node), place.what)

    def _address(self, node: Node) -> Value:
        model = self.unit.model
        match node:
            case c.ID():
                symbol = self.unit.scopes.find(node.name)
                if isinstance(symbol, Object):
                    self.unit.object_term(symbol)
                    symbol.address_taken = True
                    return self.operators.number(self.unit.address(symbol), model.pointer(symbol.type))
                if isinstance(symbol, FunctionName):
                    return self._identifier(node)
            case c.UnaryOp(op="*"):
                return self.value(node.expr)
            case c.ArrayRef():
                return self._operation("+", node.name, node.subscript, position_of(node))
        place = self.place(node)
        return self.operators.unknown(model.pointer(place.type), position_of(node), f"address of {place.what}")

    def write(self, place: Place, value: Value, position: Position, text: str) -> None:
        """Assign a value that is already converted."""
        term = self.unit.object_term(place.object) if place.object is not None else None
        if term is not None:
            self.graph.emit(Assign(term, self.operators.term(value, position)), position, text)
        elif place.through_pointer:
            self.graph.emit(WildWrite(Refusal(position, f"write to {place.what}"), False), position, text)
        else:
            self.graph.flush(position, text)

    def store(self, place: Place, node: Node, position: Position, text: str) -> None:
        """Evaluate ``node`` and assign it; an arbitrary value goes directly where it is stored."""
        term = self.unit.object_term(place.object) if place.object is not None else None
        if term is None or not self.calls.choose_into(term, node, position, text):
            if isinstance(place.type, Array | Record) or isinstance(node, c.InitList):
                self._store_parts(place, node, position, text)
            else:
                value = self.operators.convert(self.value(node), place.type, position)
                self.write(place, value, position, text)

    def _store_parts(self, place: Place, node: Node, position: Position, text: str) -> None:
        if isinstance(place.type, Integer | Pointer):
            self.write(place, self.operators.convert(self._braced(node), place.type, position), position, text)
            return
        self.initialise_parts(node)
        self.write(place, Value(None, place.type), position, text)

    def _assignment(self, node: Node, wanted: bool) -> Value:
        position = position_of(node)
        place = self._assignable(node.lvalue)
        if node.op == "=" and place.object is not None:
            self.store(place, node.rvalue, position, render(node))
            return self._read(place, node.lvalue)
        if node.op == "=":
            value = self.value(node.rvalue)
        else:
            value = self._read(place, node.lvalue)
            right_effects = self.effects.of(node.rvalue)
            if right_effects is not None:
                value = self.protect(value, right_effects, node.lvalue)
            value = self.operators.binary(node.op[:-1], value, self.value(node.rvalue), position)
        return self._assigned(place, self.operators.convert(value, place.type, position), node, wanted)

    def _assigned(self, place: Place, value: Value, node: Node, wanted: bool) -> Value:
        if wanted and place.through_pointer:
            value = self.protect(value, Effects(shared=True), node)
        self.write(place, value, position_of(node), render(node))
        if place.object is not None and place.object.term is not None:
            return self._read(place, node)
        return value

    def _increment(self, node: Node, wanted: bool) -> Value:
        position = position_of(node)
        place = self._assignable(node.expr)
        old = self._read(place, node.expr)
        op = _INCREMENTS[node.op]
        postfix = wanted and node.op[0] == "p"
        step = self._step_of(place.type)
        if postfix and step is None:
            old = self.save(old, node.expr)
        one = self.operators.number(1, self.unit.model.int_)
        new = self.operators.convert(self.operators.binary(op, old, one, position), place.type, position)
        new = self._assigned(place, new, node, wanted)
        if not postfix:
            return new
        if step is None or new.term is None:
            return old
        # Modulo two to the width, the old value is the new one with the step undone.
        undo = "bvsub" if op == "+" else "bvadd"
        return Value(self.terms.bit(undo, new.term, self.terms.const(step, new.term.sort)), place.type)

    def _step_of(self, type_: Type) -> int | None:
        """By how much ``++`` changes the bits of a value, where that can be undone."""
        if isinstance(type_, Integer) and not type_.is_bool:
            return 1
        return self.unit.model.size(type_.target) if isinstance(type_, Pointer) else None

    # ---- effects and conditions ---------------------------------------------------------------------------

    def effect(self, node: Node) -> None:
        """Evaluate an expression whose value nobody needs."""
        match node:
            case c.Assignment():
                self._assignment(node, False)
            case c.UnaryOp() if node.op in _INCREMENTS:
                self._increment(node, False)
            case c.FuncCall():
                self.calls.call(node, False)
            case c.ExprList():
                for part in node.exprs:
                    self.effect(part)
            case c.Compound():
                self.statement_expression(node, False)
            case c.TernaryOp() if self.effects.of_all((node.iftrue, node.iffalse)) is not None:
                self._conditional(node, False)
            case c.Cast() if isinstance(self.declarations.type(node.to_type), Void):
                self.effect(node.expr)
            case c.BinaryOp(op="&&" | "||") if self.effects.of(node.right) is not None:
                right, join = self.graph.point(), self.graph.point()
                self.condition(node.left, *((right, join) if node.op == "&&" else (join, right)))
                self.graph.resume(right)
                self.effect(node.right)
                self.graph.resume(join)
            case _:
                self.value(node)
        self.graph.flush(position_of(node), render(node) if self.graph.pending else "")

    def condition(self, node: Node, yes: int, no: int) -> None:
        """Control goes to ``yes`` or ``no``; a condition without effects is one pair of edges."""
        match node:
            case c.UnaryOp(op="!"):
                self.condition(node.expr, no, yes)
            case c.BinaryOp(op="&&" | "||") if self.effects.of(node.right) is not None:
                right = self.graph.point()
                self.condition(node.left, *((right, no) if node.op == "&&" else (yes, right)))
                self.graph.resume(right)
                self.condition(node.right, yes, no)
            case c.ExprList():
                for part in node.exprs[:-1]:
                    self.effect(part)
                self.condition(node.exprs[-1], yes, no)
            case c.TernaryOp() if self.effects.of_all((node.iftrue, node.iffalse)) and not is_elvis(node):
                first, second = self.graph.point(), self.graph.point()
                self.condition(node.cond, first, second)
                self.graph.resume(first)
                self.condition(node.iftrue, yes, no)
                self.graph.resume(second)
                self.condition(node.iffalse, yes, no)
            case _:
                condition = self.truth(node)
                self.graph.branch(condition, position_of(node), render(node), yes, no)
