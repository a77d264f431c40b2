"""Expressions become terms and steps, in the order in which C evaluates them, left to right where C leaves it open.

An expression without effects is one term, with the conditions under which it is defined guarded by the operands that
short-circuit them. Effects become steps; ``&&``, ``||`` and ``?:`` with effects on the right become branches. A value
that was read before a later effect in the same expression may change it is saved in a temporary variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from pycparser import c_ast as c

from argosy.basics.position import Position
from argosy.frontends.c import literals
from argosy.frontends.c.calls import Calls
from argosy.frontends.c.declarations import Declarations
from argosy.frontends.c.effects import Effects, EffectTable, lengths, walk
from argosy.frontends.c.graph import FlowGraph
from argosy.frontends.c.initialisers import Initialisers
from argosy.frontends.c.memory import MemoryCell, obstacle
from argosy.frontends.c.operators import Operators, Value, with_bits
from argosy.frontends.c.places import FIXED_UNKNOWN, INCREMENTS, Places
from argosy.frontends.c.render import render
from argosy.frontends.c.source import Node, is_elvis
from argosy.frontends.c.symbols import RESULT, Enumerator, FunctionName, Object, Unit, complain, position_of
from argosy.frontends.c.types import VOID, Array, Integer, Pointer, StructureType, Type, Void
from argosy.frontends.c.typing import Typing
from argosy.frontends.c.unsupported import Construct, error, refusal
from argosy.frontends.c.whole import InitialiserItem
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Assign, Refusal


class Expressions:
    """The expressions of one function. ``statement_expression`` is set by whoever reads statements, and so is
    ``repeats``: whether what is being read may be executed more than once."""

    def __init__(self, unit: Unit, graph: FlowGraph, function: str, effects: EffectTable) -> None:
        self.unit = unit
        self.graph = graph
        self.function = function
        self.effects = effects
        self.terms = unit.terms
        self.operators = Operators(unit, graph.pending.append)
        self.typing = Typing(self)
        self.initialisers = Initialisers(self)
        self.declarations = Declarations(
            unit, self.constant, self.typing.undecayed, self.typing.qualifiers, self.initialisers.length
        )
        self.calls = Calls(self)
        self.places = Places(self)
        self.repeats: Callable[[], bool] = lambda: True
        self.statement_expression: Callable[[Node, bool], Value] = self._no_statements
        self._readers: dict[type, Callable[[Node], Value]] = {
            c.ID: self._identifier,
            c.Constant: self._constant,
            c.UnaryOp: self._unary,
            c.BinaryOp: self._binary,
            c.Assignment: lambda node: self.places.assignment(node, True),
            c.TernaryOp: lambda node: self._conditional(node, True),
            c.Cast: self._cast,
            c.FuncCall: lambda node: self.calls.call(node, True),
            c.ArrayRef: self.places.value,
            c.StructRef: self.places.value,
            c.ExprList: self._comma,
            c.Compound: lambda node: self.statement_expression(node, True),
            c.CompoundLiteral: self._compound_literal,
            c.GenericSelection: lambda node: self.value(self.typing.selected(node)),
            c.InitList: self.braced,
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
                return self.places.read(self.places.of_object(symbol), node)
            case Enumerator():
                return self.operators.number(symbol.value, symbol.type)
            case FunctionName():
                type_ = self.unit.model.pointer(symbol.type)
                return self.operators.number(self.unit.address(symbol), type_)
        if node.name in literals.FUNCTION_NAMES:
            type_ = self.unit.model.pointer(self.unit.model["char"])
            return self.operators.number(self.unit.new_address(64), type_)
        if node.name == FIXED_UNKNOWN:
            return self.places.value(node)
        raise complain(node, f"{node.name} is not declared")

    def _constant(self, node: Node) -> Value:
        if node.type == "string" or node.value.endswith('"'):
            return self.places.value(node)
        number = literals.number(node, self.unit.model)
        if number is None:
            return self.operators.unknown(
                self.typing.of(node), position_of(node), "a floating-point number", Construct.FLOAT
            )
        return self.operators.number(*number)

    def _comma(self, node: Node) -> Value:
        for part in node.exprs[:-1]:
            self.discard(part)
        return self.value(node.exprs[-1])

    def discard(self, node: Node) -> None:
        """Evaluate inside an expression what nobody needs. Without effects it leaves no step: it may stand where
        another operand decides whether it is evaluated at all."""
        if self.effects.of(node) is None:
            self.value(node)
        else:
            self.effect(node)

    def lengths(self, node: Node) -> None:
        """Evaluate the lengths of arrays in a declaration or a type name, as far as they have effects."""
        for length in lengths(node):
            if self.effects.of(length) is not None:
                self.effect(length)

    def _cast(self, node: Node) -> Value:
        self.lengths(node.to_type)
        type_ = self.declarations.type(node.to_type)
        if isinstance(type_, Void):
            self.discard(node.expr)
            return Value(None, VOID)
        return self.operators.convert(self.value(node.expr), type_, position_of(node))

    def _compound_literal(self, node: Node) -> Value:
        self.lengths(node.type)
        type_ = self.declarations.type(node.type)
        plain = "volatile" not in self.declarations.qualifiers(node.type)
        if isinstance(type_, Integer | Pointer) and len(node.init.exprs) == 1 and plain:
            return self.operators.convert(self.value(node.init.exprs[0]), type_, position_of(node))
        return self.places.value(node)

    def braced(self, node: Node) -> Value:
        """A scalar may be initialised by an expression in braces (6.7.9, 11)."""
        if len(node.exprs or ()) != 1 or isinstance(node.exprs[0], c.NamedInitializer):
            raise complain(node, "a list where a value is needed")
        return self.value(node.exprs[0])

    def initial_values(self, symbol: Object, node: Node) -> Iterator[tuple[Term, Term, str]]:
        """The values that an object has before the program starts: variable, value, text."""
        for part in walk(node) if node is not None else ():
            if isinstance(part, c.CompoundLiteral):
                raise error(position_of(part), "a compound literal that lives as long as the program", Construct.STATIC)
        cells = self.unit.cells(symbol.type)
        given: dict[int, tuple[Term, str]] = {}
        for item in self.initialisers.items(symbol.type, node) if node is not None and cells else ():
            if isinstance(item.type, StructureType):
                raise error(symbol.position, f"{symbol.name} is initialised by a structure", Construct.STATIC)
            cell = self._cell_around(symbol, item)
            if cell is None or item.offset is None:
                continue
            term = self._initial_term(symbol, item, cell)
            if not self.unit.loads.keys().isdisjoint(variables(term)):
                raise complain(item.value, f"the initialiser of {symbol.name} is not constant")
            text = str(item.value) if isinstance(item.value, int) else render(item.value)
            if term.sort is not cell.type.sort:
                before, texts = given.get(cell.offset, (self.terms.const(0, cell.type.sort), ""))
                term = with_bits(self.terms, before, 8 * (item.offset - cell.offset), term)
                text = f"{texts}, {text}" if texts else text
            given[cell.offset] = term, text
        for cell in cells:
            term = self.unit.part_of_cell(symbol, cell)
            value_term, text = given.get(cell.offset, (self.terms.const(0, term.sort), "0"))
            yield term, value_term, f"{symbol.name}{cell.path} = {text}"

    def _cell_around(self, symbol: Object, item: InitialiserItem) -> MemoryCell | None:
        """The cell that an item of an initialiser lies in; None where there is none."""
        size = self.unit.model.size(item.type)
        for cell in self.unit.cells(symbol.type) if item.offset is not None and size else ():
            start, end = cell.offset, cell.offset + (self.unit.model.size(cell.type) or 0)
            if item.offset is None or size is None or item.offset >= end or item.offset + size <= start:
                continue
            whole = item.offset == start and isinstance(item.type, Integer | Pointer)
            if whole and item.type.sort is cell.type.sort:  # type: ignore[union-attr]
                return cell
            if item.offset < start or item.offset + size > end or cell.type.sort.width == 1:
                said = f"{symbol.name} is initialised by a part of another type"
                raise error(symbol.position, said, Construct.STATIC)
            return cell
        return None

    def _initial_term(self, symbol: Object, item: InitialiserItem, cell: MemoryCell) -> Term:
        if not isinstance(item.type, Integer | Pointer):
            why = refusal(symbol.position, f"the initialiser of {symbol.name}", Construct.FLOAT)
            return self.unit.opaque_term(cell.type.sort, why, False)
        if isinstance(item.value, int):
            return self.terms.const(item.value, item.type.sort)
        waiting = len(self.graph.pending)
        value = self.operators.convert(self.value(item.value), item.type, symbol.position)
        if isinstance(item.type, Pointer) and isinstance(cell.type, Integer):
            value = self.operators.convert(value, self.unit.model.size_type, symbol.position)
        del self.graph.pending[waiting:]
        return self.operators.term(value, symbol.position)

    # ---- operators ----------------------------------------------------------------------------------------

    def _unary(self, node: Node) -> Value:
        op, position = node.op, position_of(node)
        if op in INCREMENTS:
            return self.places.increment(node, True)
        if op == "&":
            return self.places.address(node.expr)
        if op == "*":
            return self.places.value(node)
        if op == "sizeof":
            return self._size(node)
        if op == "!":
            return self.operators.truth_value(self.terms.not_(self.truth(node.expr)))
        if op in ("-", "+", "~"):
            value = self.value(node.expr)
            if op == "+":
                return self.operators.promote(value, position)
            return self.operators.negate(value, position) if op == "-" else self.operators.complement(value, position)
        return self._alignment(node)

    def _alignment(self, node: Node) -> Value:
        """``_Alignof`` of a type, and ``__alignof__``, which may be of an object that an attribute aligns."""
        named, model = isinstance(node.expr, c.Typename), self.unit.model
        type_ = self.declarations.type(node.expr) if named else self.typing.undecayed(node.expr)
        layout = model.layout(type_)
        needed = None if layout is None else layout[1]
        found = needed if node.op == "_Alignof" else model.preferred_alignment(type_)
        if found is None or (not named and (found != needed or self.unit.lexed.layout is not None)):
            return Value(None, model.size_type, self._no_layout(type_, node.op, node))
        return self.operators.number(found, model.size_type)

    def _size(self, node: Node) -> Value:
        operand = node.expr
        type_ = self.declarations.type(operand) if isinstance(operand, c.Typename) else self.typing.undecayed(operand)
        if isinstance(operand, c.Typename):
            self.lengths(operand)
        size = self.unit.model.size(type_)
        if size is None and not isinstance(operand, c.Typename) and self.effects.of(operand) is not None:
            raise error(position_of(node), f"{render(node)}, which is evaluated", Construct.LENGTH)
        if size is None:
            return Value(None, self.unit.model.size_type, self._no_layout(type_, "sizeof", node))
        return self.operators.number(size, self.unit.model.size_type)

    def _no_layout(self, type_: Type, op: str, node: Node) -> Refusal:
        position = position_of(node)
        why = obstacle(self.unit.model, type_, str(type_), position)
        if why is None:
            return refusal(position, f"{op} of {type_}", Construct.RESULT)
        return why.refusal(position, f"asks for {op} of {type_}")

    def _binary(self, node: Node) -> Value:
        op = node.op
        if op in ("&&", "||"):
            return self._logical(node)
        if op in ("==", "!="):
            sides = (node.left, node.right)
            behind = [self._address_behind(side) for side in sides]
            others = [side for side, own in zip(sides, behind, strict=True) if own is None]
            if len(others) < 2 and all(self.constant(side) is not None for side in others):
                left, right = (own or side for side, own in zip(sides, behind, strict=True))
                return self.operation(op, left, right, position_of(node))
        return self.operation(op, node.left, node.right, position_of(node))

    def _address_behind(self, node: Node) -> Node | None:
        """The pointer of which an operand is the number: numbers are equal if pointers are. CIL likes such casts."""
        if not isinstance(node, c.Cast):
            return None
        type_, own = self.declarations.type(node.to_type), self.typing.of(node.expr)
        wide = isinstance(type_, Integer) and type_.width >= self.unit.model.pointer_width
        return node.expr if wide and isinstance(own, Pointer) else None

    def operation(self, op: str, left_node: Node, right_node: Node, position: Position) -> Value:
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
            pending[index] = replace(old, condition=self.terms.implies(condition, old.condition))

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
        if self.effects.of_all(arms) is not None or isinstance(self.typing.of(node.iftrue), StructureType):
            return self._branching_conditional(node, wanted)
        condition = self.truth(node.cond)
        values = []
        for arm, guard in zip(arms, (condition, self.terms.not_(condition)), strict=True):
            waiting = len(self.graph.pending)
            values.append(self.value(arm))
            self._guard(waiting, guard)
        type_ = self.typing.conditional(values[0].type, values[1].type, *arms)
        return self._either(condition, values[0], values[1], type_, position)

    def _either(self, condition: Term, a: Value, b: Value, type_: Type, position: Position) -> Value:
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
            type_ = self.typing.conditional(first.type, second.type, node.cond, node.iffalse)
            return self._either(condition, first, second, type_, position)
        type_ = self.typing.conditional(first.type, self.typing.of(node.iffalse), node.cond, node.iffalse)
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
        return Value(result, type_, refusal(position, f"a {type_}", Construct.RESULT))

    def _branching_conditional(self, node: Node, wanted: bool) -> Value:
        position = position_of(node)
        type_ = self.typing.of(node)
        result = self._temporary(type_, position) if wanted and isinstance(type_, Integer | Pointer) else None
        place = self.places.of_object(Object("temp", type_, position, self.function))
        yes, no, join = self.graph.point(), self.graph.point(), self.graph.point()
        self.condition(node.cond, yes, no)
        for point, arm in ((yes, node.iftrue), (no, node.iffalse)):
            self.graph.resume(point)
            if wanted and isinstance(type_, StructureType):
                self.places.write(place, self.value(arm), position, f"temp = {render(arm)}")
            elif wanted and not isinstance(type_, Void):
                self._keep(result, type_, self.value(arm), arm)
            else:
                self.effect(arm)
            self.graph.jump(join)
        self.graph.resume(join)
        why = refusal(position, f"a {type_}", Construct.RESULT)
        return Value(result, type_, why, place if isinstance(type_, StructureType) else None)

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
        if value.place is not None:
            return self._saved_structure(value, node)
        if value.term is None:
            return value
        if any(self._may_change(variable, effects) for variable in variables(value.term)):
            return self.save(value, node)
        return value

    def _saved_structure(self, value: Value, node: Node) -> Value:
        position = position_of(node)
        place = self.places.of_object(Object("temp", value.type, position, self.function))
        self.places.write(place, value, position, f"temp = {render(node)}")
        return Value(None, value.type, value.refusal, place)

    def _may_change(self, variable: Term, effects: Effects) -> bool:
        if variable in self.unit.loads:
            return True
        symbol = self.unit.objects.get(variable)
        if symbol is None:
            # The result of a call is overwritten by the next call of the function; temporaries are written once.
            return effects.shared and self.unit.variables[variable].name == RESULT
        if symbol.name in effects.names:
            return True
        # The address of an array, or of one in a structure, is taken without a word.
        may_be_reached = symbol.lasting or symbol.name in self.unit.addressed_names or symbol.address_taken
        may_be_reached = may_be_reached or isinstance(symbol.type, Array | StructureType)
        return effects.shared and (may_be_reached or symbol.name == RESULT)

    # ---- effects and conditions ---------------------------------------------------------------------------

    def effect(self, node: Node) -> None:
        """Evaluate an expression whose value nobody needs."""
        match node:
            case c.Assignment():
                self.places.assignment(node, False)
            case c.UnaryOp() if node.op in INCREMENTS:
                self.places.increment(node, False)
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
