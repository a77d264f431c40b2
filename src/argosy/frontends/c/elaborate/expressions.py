"""Expressions: values and effects, in the order in which C evaluates them, left to right where C leaves it open (6.5).

What has no effect becomes one typed expression. Effects become statements; ``&&``, ``||`` and ``?:`` with effects on
the right become jumps. A value that a later effect in the same expression may change is saved in a temporary object;
one that it does not change is evaluated where it stands, and used later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pycparser import c_ast as c

from argosy.frontends.c import literals
from argosy.frontends.c.checkpoints import CheckpointKind
from argosy.frontends.c.elaborate.arithmetic import Arithmetic
from argosy.frontends.c.elaborate.calls import CallElaboration
from argosy.frontends.c.elaborate.code import Code
from argosy.frontends.c.elaborate.declarations import Declarations
from argosy.frontends.c.elaborate.effects import Effects, EffectTable, lengths
from argosy.frontends.c.elaborate.folding import number as number_of
from argosy.frontends.c.elaborate.initialisers import GivenPart, InitialiserLists
from argosy.frontends.c.elaborate.lasting import may_change
from argosy.frontends.c.elaborate.lvalues import FIXED_UNKNOWN, INCREMENTS, Lvalues
from argosy.frontends.c.elaborate.measured import measured
from argosy.frontends.c.elaborate.orders import Orders
from argosy.frontends.c.elaborate.points import emit_points
from argosy.frontends.c.elaborate.rows import is_measured
from argosy.frontends.c.elaborate.settled import SettledValues
from argosy.frontends.c.elaborate.unevaluated import Unevaluated
from argosy.frontends.c.original import Original
from argosy.frontends.c.parser import StatementExpression
from argosy.frontends.c.source import Node, is_elvis
from argosy.frontends.c.symbols import Enumerator, FunctionName, Object, Unit, complain, position_of
from argosy.frontends.c.tree import walk
from argosy.frontends.c.typed import (
    Assigning,
    Cast,
    Comma,
    Contents,
    Evaluation,
    Expression,
    FloatConstant,
    FunctionAddress,
    InitialPart,
    IntegerConstant,
    NoValue,
    ObjectPlace,
    Place,
    ShortCircuit,
    SizeOf,
    Statement,
    is_constant,
    parts,
)
from argosy.frontends.c.types import VOID, Array, Float, Integer, Pointer, Scalar, StructureType, Type, Vector, Void
from argosy.frontends.c.unsupported import Construct, error


class TypedExpressions:
    """The expressions of one function. Whoever reads statements sets ``statement_expression`` and ``literal``, which is
    told of compound literals."""

    def __init__(self, unit: Unit, code: Code, function: str, effects: EffectTable) -> None:
        self.unit = unit
        self.code = code
        self.function = function
        self.effects = effects
        self.arithmetic = Arithmetic(unit.model)
        self.initialisers = InitialiserLists(self)
        self.declarations = Declarations(
            unit, self.constant, self.type_of, self.qualifiers_of, self.initialisers.length
        )
        self._unevaluated = Unevaluated(self)
        self._settled = SettledValues(self, self.initial)
        self.orders = Orders(self)
        self.calls = CallElaboration(self, self.orders)
        self.lvalues = Lvalues(self, self.orders)
        self.statement_expression: Callable[[Node, bool], Expression] = self._no_statements
        self.literal: Callable[[Object], None] = lambda _: None
        self._readers: dict[type, Callable[[Node], Expression]] = {
            c.ID: self._identifier,
            c.Constant: self._constant,
            c.UnaryOp: self._unary,
            c.BinaryOp: self._binary,
            c.Assignment: lambda node: self.lvalues.assignment(node, True),
            c.TernaryOp: lambda node: self._conditional(node, True),
            c.Cast: self._cast,
            c.FuncCall: lambda node: self.calls.call(node, True),
            c.ArrayRef: self._lvalue,
            c.StructRef: self._lvalue,
            c.ExprList: self._comma,
            StatementExpression: lambda node: self.statement_expression(node, True),
            c.CompoundLiteral: self._compound_literal,
            c.GenericSelection: lambda node: self.value(self.selected(node)),
            c.InitList: self._braced,
        }

    def _no_statements(self, node: Node, wanted: bool) -> Expression:
        raise complain(node, "a statement expression outside a function")

    # ---- values -------------------------------------------------------------------------------------------

    def value(self, node: Node) -> Expression:
        reader = self._readers.get(type(node))
        if reader is None:
            raise complain(node, f"no expression: {type(node).__name__}")
        return reader(node)

    def witness_points(self, node: Node, kind: CheckpointKind, value: str = "", result: Object | None = None) -> None:
        if id(node) in self.unit.points:
            emit_points(self, node, kind, value, result)

    def constant(self, node: Node) -> int | None:
        """The value of an integer constant expression; None for any other."""
        if self.effects.of(node) is not None:
            return None
        with self.code.aside():
            value = self.value(node)
        return number_of(self.unit.model, value) if isinstance(value.type, Integer) else None

    def _identifier(self, node: Node) -> Expression:
        symbol = self.unit.scopes.find(node.name)
        original = Original(node)
        match symbol:
            case Object(number=int(number), type=Integer() as own):
                return IntegerConstant(number, own, original)
            case Object():
                return self.contents(ObjectPlace(symbol, original), node)
            case Enumerator():
                return IntegerConstant(symbol.value, symbol.type, original)
            case FunctionName():
                return FunctionAddress(symbol, self.unit.model.pointer(symbol.type), original)
        if node.name in literals.FUNCTION_NAMES:
            return self._lvalue(node)
        if node.name == FIXED_UNKNOWN:
            return self._lvalue(node)
        raise complain(node, f"{node.name} is not declared")

    def _constant(self, node: Node) -> Expression:
        if node.type == "string" or node.value.endswith('"'):
            return self._lvalue(node)
        if node.type == "nullptr_t":
            zero = self.arithmetic.integer(0, Original(node))
            return self.arithmetic.converted(zero, self.unit.model.pointer(VOID))
        known = literals.number(node, self.unit.model)
        if known is None:
            return FloatConstant(node.value, literals.float_type(node, self.unit.model), Original(node))
        return IntegerConstant(*known, Original(node))

    def _lvalue(self, node: Node) -> Expression:
        return self.contents(self.place(node), node)

    def place(self, node: Node) -> Place:
        return self.lvalues.place(node)

    def contents(self, place: Place, node: Node) -> Expression:
        """The value of an lvalue: arrays and functions are pointers by then (6.3.2.1)."""
        return self.lvalues.contents(place, Original(node))

    def store(self, place: Place, node: Node, position: Node, before: str, initialises: bool = False) -> None:
        self.lvalues.store(place, node, position, before, initialises)

    def _comma(self, node: Node) -> Expression:
        pure: list[Expression] = []
        for index, part in enumerate(node.exprs[:-1]):
            if self.effects.of(part) is not None:
                self.effect(part)
            else:
                own = self.value(part)
                if self.effects.of_all(node.exprs[index + 1 :]) is not None:
                    self.keep(own, part)
                else:
                    pure.append(own)
        value = self.value(node.exprs[-1])
        for own in reversed(pure):
            value = Comma(own, value, value.type, Original(node))
        return value

    def discard(self, node: Node) -> None:
        """Evaluate inside an expression what nobody needs."""
        if self.effects.of(node) is None:
            self.keep(self.value(node), node)
        else:
            self.effect(node)

    def lengths(self, node: Node) -> dict[int, Expression]:
        """Evaluate the lengths of arrays in a declaration or a type name, as far as they have effects; their values, by
        the nodes."""
        values = {}
        for length in lengths(node):
            if self.effects.of(length) is not None:
                values[id(length)] = self.save(self.value(length), length)
        return values

    def _cast(self, node: Node) -> Expression:
        saved = self.lengths(node.to_type)
        type_ = self.declarations.type(node.to_type)
        if not saved and self.function:
            type_ = measured(self, type_, node.to_type)
        if isinstance(type_, Void):
            if self.effects.of(node.expr) is not None:
                self.effect(node.expr)
                return NoValue(Original(node))
            return Cast(self.value(node.expr), VOID, Original(node))
        value = self.value(node.expr)
        made = self.arithmetic.converted(value, type_)
        counted = isinstance(type_, Pointer) and is_measured(type_.target)
        return Cast(value, type_, Original(node)) if made is not value or counted else value

    def _compound_literal(self, node: Node) -> Expression:
        self.lengths(node.type)
        type_ = self.declarations.type(node.type)
        plain = "volatile" not in self.declarations.qualifiers(node.type)
        if isinstance(type_, Scalar) and not isinstance(type_, Vector) and len(node.init.exprs) == 1 and plain:
            return self.arithmetic.converted(self.value(node.init.exprs[0]), type_)
        return self._lvalue(node)

    def _braced(self, node: Node) -> Expression:
        """A scalar may be initialised by an expression in braces (6.7.9, 11); empty ones are 0 (C23)."""
        first, *rest = self.unit.items(node)
        if isinstance(first, c.NamedInitializer):
            raise complain(node, "a list where a value is needed")
        self.leave_out(rest)
        return self.value(first)

    def leave_out(self, nodes: Sequence[Node]) -> None:
        """Initialisers that there is nothing for: compilers take no notice of them."""
        for node in nodes:
            if self.effects.of(node) is not None:
                raise complain(node, "one value too many, with an effect")

    # ---- types of what is not evaluated -------------------------------------------------------------------

    def type_of(self, node: Node) -> Type:
        return self._unevaluated.operand(node)[0]

    def qualifiers_of(self, node: Node) -> frozenset[str]:
        return self._unevaluated.operand(node)[1]

    def selected(self, node: Node) -> Node:
        """What an expression is once generic selections have chosen: that may be an lvalue, or name a function."""
        while isinstance(node, c.GenericSelection):
            node = self._unevaluated.selected(node)
        return node

    # ---- operators ----------------------------------------------------------------------------------------

    def _unary(self, node: Node) -> Expression:
        op = node.op
        if op in INCREMENTS:
            return self.lvalues.increment(node, True)
        if op == "&":
            return self.lvalues.address(node)
        if op == "*":
            return self._lvalue(node)
        if op == "sizeof":
            return self._unevaluated.size(node)
        if op in ("-", "+", "~", "!"):
            return self.arithmetic.unary(op, self.value(node.expr), Original(node))
        return self._unevaluated.alignment(node)

    def _binary(self, node: Node) -> Expression:
        if node.op in ("&&", "||"):
            return self._logical(node)
        if self.orders.are_open(node):
            left, right = self.orders.values((node.left, node.right), node)
            return self.arithmetic.binary(node.op, left, right, Original(node))
        left = self.value(node.left)
        left = self.protect(left, self.effects.of(node.right), node.left)
        return self.arithmetic.binary(node.op, left, self.value(node.right), Original(node))

    def _logical(self, node: Node) -> Expression:
        if self.effects.of(node.right) is not None:
            return self._branches_to_value(node)
        left, right = self.value(node.left), self.value(node.right)
        for side in (left, right):
            if not isinstance(side.type, Integer | Pointer | Float):
                raise complain(node, f"{node.op} needs numbers, not {side.type}")
        return ShortCircuit(node.op, left, right, self.unit.model.int_, Original(node))

    def _branches_to_value(self, node: Node) -> Expression:
        """A condition with effects, as an ``int``."""
        code, position = self.code, position_of(node)
        result = self.temporary(self.unit.model.int_, node)
        yes, no, join = code.point(), code.point(), code.point()
        self.condition(node, yes, no)
        for point, outcome in ((yes, 1), (no, 0)):
            code.at(point)
            original = Original.said(position, f"{result.name} = {outcome}")
            code.emit(Assigning(ObjectPlace(result, original), self.arithmetic.integer(outcome, original), original))
            code.jump(join)
        code.at(join)
        return Contents(ObjectPlace(result, Original(node)), result.type, Original(node))

    def _conditional(self, node: Node, wanted: bool) -> Expression:
        if is_elvis(node):
            return self._elvis(node)
        if self.effects.of_all((node.iftrue, node.iffalse)) is None:
            condition = self.value(node.cond)
            yes, no = self.value(node.iftrue), self.value(node.iffalse)
            if not isinstance(yes.type, StructureType):
                return self.arithmetic.selection(condition, yes, no, Original(node))
            return self._branched(node, condition, wanted)
        return self._branched(node, None, wanted)

    def _branched(self, node: Node, condition: Expression | None, wanted: bool) -> Expression:
        """One of two with effects, or of two structures."""
        code = self.code
        yes, no, join = code.point(), code.point(), code.point()
        if condition is None:
            self.condition(node.cond, yes, no)
        else:
            code.branch(condition, yes, no, Original(node.cond))
        arms = (node.iftrue, node.iffalse)
        if not wanted:
            for point, arm in ((yes, arms[0]), (no, arms[1])):
                code.at(point)
                self.effect(arm)
                code.jump(join)
            code.at(join)
            return NoValue(Original(node))
        values: list[Expression] = []
        written: list[list[Statement]] = []
        for arm in arms:
            with code.aside() as inside:
                values.append(self.value(arm))
            written.append(inside)
        return self._joined(arms, values, written, (yes, no, join), node)

    def _joined(
        self,
        arms: tuple[Node, Node],
        values: list[Expression],
        written: list[list[Statement]],
        points: tuple[int, int, int],
        node: Node,
    ) -> Expression:
        """The value of one of two arms, each with its own statements."""
        code = self.code
        type_ = self.arithmetic.selected_type(values[0], values[1])
        result = None if isinstance(type_, Void) else self.temporary(type_, node)
        for point, arm, value, inside in zip(points[:2], arms, values, written, strict=True):
            code.at(point)
            code.statements.extend(inside)
            if result is None:
                self.keep(value, arm, ends=True)
            else:
                original = Original(arm, before=f"{result.name} = ")
                kept = self.arithmetic.converted(value, type_)
                code.emit(Assigning(ObjectPlace(result, original), kept, original))
            code.jump(points[2])
        code.at(points[2])
        if result is None:
            return NoValue(Original(node))
        return Contents(ObjectPlace(result, Original(node)), type_, Original(node))

    def _elvis(self, node: Node) -> Expression:
        """GNU's ``a ?: b``: a is evaluated once."""
        first = self.value(node.cond)
        if self.effects.of(node.iffalse) is None:
            first = self.steady(first, node.cond)
            return self.arithmetic.selection(first, first, self.value(node.iffalse), Original(node))
        code = self.code
        first = self.save(first, node.cond)
        yes, no, join = code.point(), code.point(), code.point()
        code.branch(first, yes, no, Original(node.cond))
        with code.aside() as inside:
            second = self.value(node.iffalse)
        return self._joined((node.cond, node.iffalse), [first, second], [[], inside], (yes, no, join), node)

    # ---- saving values ------------------------------------------------------------------------------------

    def temporary(self, type_: Type, node: Node) -> Object:
        """An object that the text does not name."""
        return Object("temp", type_, position_of(node), self.function, temporary=True)

    def save(self, value: Expression, node: Node) -> Expression:
        """The value as it is now, in an object that nothing else writes."""
        if isinstance(value.type, Void) or (not isinstance(value.type, StructureType) and is_constant(value)):
            return value
        saved = self.temporary(value.type, node)
        original = Original(node, before=f"{saved.name} = ")
        self.code.emit(Assigning(ObjectPlace(saved, original), value, original))
        return Contents(ObjectPlace(saved, value.original), value.type, value.original)

    def steady(self, value: Expression, node: Node) -> Expression:
        """The value, to be used twice: what may change by itself is read once."""
        for part in parts(value):
            if isinstance(part, Contents) and "volatile" in part.place.qualifiers:
                return self.save(value, node)
        return value

    def protect(self, value: Expression, effects: Effects | None, node: Node) -> Expression:
        """Save the value if the effects, which come later, may change what it reads."""
        if effects is None or isinstance(value.type, Void):
            return value
        if isinstance(value.type, StructureType) or may_change(self.unit, value, effects):
            return self.save(value, node)
        self.keep(value, node)
        return value

    def keep(self, value: Expression, node: Node, ends: bool = False) -> None:
        """Evaluate the value here, whatever becomes of it."""
        if ends or not isinstance(value, IntegerConstant | FloatConstant | SizeOf | FunctionAddress | NoValue):
            self.code.emit(Evaluation(value, Original(node), ends))

    # ---- effects and conditions ---------------------------------------------------------------------------

    def effect(self, node: Node) -> None:
        """Evaluate an expression whose value nobody needs."""
        match node:
            case c.Assignment():
                self.lvalues.assignment(node, False)
            case c.UnaryOp() if node.op in INCREMENTS:
                self.lvalues.increment(node, False)
            case c.FuncCall():
                value = self.calls.call(node, False)
                if not isinstance(value, Contents | NoValue):
                    self.keep(value, node, ends=True)
            case c.ExprList():
                for part in node.exprs:
                    self.effect(part)
            case c.Compound():
                self.statement_expression(node, False)
            case c.TernaryOp() if self.effects.of_all((node.iftrue, node.iffalse)) is not None and not is_elvis(node):
                self._branched(node, None, False)
            case c.Cast() if isinstance(self.declarations.type(node.to_type), Void):
                self.effect(node.expr)
            case c.BinaryOp(op="&&" | "||") if self.effects.of(node.right) is not None:
                right, join = self.code.point(), self.code.point()
                self.condition(node.left, *((right, join) if node.op == "&&" else (join, right)))
                self.code.at(right)
                self.effect(node.right)
                self.code.at(join)
            case _:
                self.keep(self.value(node), node, ends=True)

    def condition(self, node: Node, yes: int, no: int) -> None:
        """Control goes to ``yes`` or ``no``; a condition without effects is one branch."""
        match node:
            case c.UnaryOp(op="!"):
                self.condition(node.expr, no, yes)
            case c.BinaryOp(op="&&" | "||") if self.effects.of(node.right) is not None:
                right = self.code.point()
                self.condition(node.left, *((right, no) if node.op == "&&" else (yes, right)))
                self.code.at(right)
                self.condition(node.right, yes, no)
            case c.ExprList():
                for part in node.exprs[:-1]:
                    self.effect(part)
                self.condition(node.exprs[-1], yes, no)
            case c.TernaryOp() if self.effects.of_all((node.iftrue, node.iffalse)) and not is_elvis(node):
                first, second = self.code.point(), self.code.point()
                self.condition(node.cond, first, second)
                self.code.at(first)
                self.condition(node.iftrue, yes, no)
                self.code.at(second)
                self.condition(node.iffalse, yes, no)
            case _:
                value = self.value(node)
                if not isinstance(value.type, Integer | Pointer | Float):
                    raise complain(node, f"a number is needed here, not {value.type}")
                self.code.branch(value, yes, no, Original(node))

    # ---- objects that live as long as the program -----------------------------------------------------------

    def initial(self, symbol: Object, node: Node) -> list[InitialPart]:
        """What an object has before the program starts, as far as its initialiser says."""
        given = list(self._given(ObjectPlace(symbol, Original(node)), node))
        inside = [part for item in given if not isinstance(item.value, int) for part in walk(item.value)]
        literals_there = any(isinstance(part, c.CompoundLiteral) for part in inside)
        effects = any(isinstance(part, c.FuncCall | c.Assignment | c.Compound) for part in inside)
        if literals_there and (self.function or effects):
            raise error(position_of(node), "a compound literal that lives as long as the program", Construct.STATIC)
        changes = (not isinstance(item.value, int) and self.effects.of(item.value) is not None for item in given)
        if not literals_there and any(changes):
            raise complain(node, f"the initialiser of {symbol.name} is not constant")
        made = []
        for item in given:
            if isinstance(item.value, int):
                assert isinstance(item.type, Integer)
                value: Expression = IntegerConstant(item.value, item.type, Original(node))
            else:
                with self.code.aside():
                    value = self.value(item.value)
                value = self._settled.value(self.arithmetic.converted(value, item.type))
            made.append(InitialPart(item.place(), value))
        return made

    def _given(self, place: Place, node: Node) -> Iterator[GivenPart]:
        """What an initialiser gives; where GNU C takes a compound literal as the value of a whole, its parts."""
        for item in self.initialisers.items(place, node):
            literal = item.value if isinstance(item.value, c.CompoundLiteral) else None
            whole = isinstance(item.type, StructureType | Array)
            if literal is not None and whole and self.type_of(literal) == item.type:
                yield from self._given(item.place(), literal.init)
            else:
                yield item
