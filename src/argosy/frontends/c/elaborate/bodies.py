"""Statements: the body of a function becomes a list of effects and jumps (C11 6.8).

Jumps over declarations, into a block or inside one, leave those objects without a value, and not with the one that they
had when control was there before (6.2.4, 6): the jump goes through the beginnings of their lifetimes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from pycparser import c_ast as c

from argosy.basics.errors import InputError
from argosy.basics.records import dataclass, field
from argosy.frontends.c.checkpoints import CheckpointKind
from argosy.frontends.c.elaborate.calls import Shape
from argosy.frontends.c.elaborate.code import Code
from argosy.frontends.c.elaborate.declarations import take_addresses
from argosy.frontends.c.elaborate.effects import EffectTable, lengths
from argosy.frontends.c.elaborate.expressions import TypedExpressions
from argosy.frontends.c.elaborate.measured import measured
from argosy.frontends.c.original import Original
from argosy.frontends.c.parser import StatementExpression
from argosy.frontends.c.render import render
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import FunctionName, Object, OpenLoop, Symbol, Unit, complain, position_of
from argosy.frontends.c.tokens import CLEANUP, MADE_UP, as_written
from argosy.frontends.c.tree import walk
from argosy.frontends.c.typed import (
    Ended,
    Expression,
    LabelPoint,
    Lifetime,
    NoValue,
    ObjectPlace,
    Returning,
    SwitchCase,
    SwitchJump,
    TypedFunction,
)
from argosy.frontends.c.types import Array, Integer, StructureType, Void
from argosy.frontends.c.unsupported import Construct, error


@dataclass(eq=False, slots=True)
class _Block:
    """``within`` are statement expressions' objects and compound literals, which end with the block around them;
    ``cleanups`` are calls for when control leaves the block, with what the names in there mean."""

    declared: list[Object] = field(default_factory=list)
    within: list[Object] = field(default_factory=list)
    cleanups: list[tuple[Node, tuple[Symbol, ...]]] = field(default_factory=list)


# The blocks around a place in the text, and how many of their declarations and cleanups come before it.
_Declared = tuple[tuple[_Block, int, int], ...]


@dataclass(frozen=True, slots=True)
class _Way:
    """Where a jump may go: a point, and what was declared before it in the blocks around it."""

    point: int
    around: _Declared


@dataclass(frozen=True, slots=True)
class _Exit:
    """Where ``break`` or ``continue`` goes, and how many blocks are open there."""

    point: int
    blocks: int


@dataclass(slots=True, eq=False)
class _Switch:
    type: Integer
    cases: list[tuple[int, int, Original, _Way]] = field(default_factory=list)
    default: _Way | None = None
    seen: set[int] = field(default_factory=set)


_EXPRESSIONS = (
    c.ID, c.Constant, c.UnaryOp, c.BinaryOp, c.Assignment, c.TernaryOp, c.Cast, c.CompoundLiteral, c.FuncCall,
    c.ArrayRef, c.StructRef, c.ExprList, c.GenericSelection, StatementExpression,
)  # fmt: skip


_LAST = (*_EXPRESSIONS, c.Label)


class FunctionBody:
    """The statements of one function."""

    def __init__(self, unit: Unit, effects: EffectTable, symbol: FunctionName) -> None:
        self._unit = unit
        self._symbol = symbol
        self._code = Code()
        self.expressions = TypedExpressions(unit, self._code, symbol.name, effects)
        self.expressions.statement_expression = self._statement_expression
        self.expressions.literal = self._literal
        self._shape: Shape = unit.signatures[symbol.name]
        self._blocks: list[_Block] = []
        self._labels: dict[str, _Way] = {}
        self._gotos: list[tuple[int, _Declared, Node]] = []
        self._breaks: list[_Exit] = []
        self._continues: list[_Exit] = []
        self._switches: list[_Switch] = []
        self._handlers: dict[type, Callable[[Node], None]] = {
            c.Compound: self._compound,
            c.Decl: self._declaration,
            c.Typedef: self._typedef,
            c.DeclList: lambda node: self._each(node.decls),
            c.If: self._if,
            c.While: self._while,
            c.DoWhile: self._do,
            c.For: self._for,
            c.Switch: self._switch,
            c.Case: self._case,
            c.Default: self._case,
            c.Label: self._label,
            c.Goto: self._goto,
            c.Break: lambda node: self._leave(self._breaks, node),
            c.Continue: lambda node: self._leave(self._continues, node),
            c.Return: self._return,
            c.EmptyStatement: lambda node: None,
            c.Pragma: lambda node: None,
            c.StaticAssert: self.expressions.declarations.assertion,
            c.AttributeDeclaration: lambda node: None,
        }

    def elaborate(self) -> TypedFunction:
        with self._unit.scopes.block(self._shape.scope):
            self._blocks.append(_Block())
            for parameter in self._shape.parameters:
                self._unit.scopes.bind(parameter.name, parameter)
            for declared in self._declared_parameters():
                saved = self.expressions.lengths(declared)
                symbol = self._unit.scopes.find_here(getattr(declared, "name", None) or "")
                if isinstance(symbol, Object) and not saved:
                    symbol.type = measured(self.expressions, symbol.type, declared, parameter=True)
            self._each(self._symbol.definition.body.block_items or ())
            self._clean_up(self._blocks)
            self._blocks.pop()
        self._fall_off()
        self._resolve_gotos()
        return TypedFunction(self._symbol, self._shape.parameters, self._shape.result, tuple(self._code.statements))

    def _declared_parameters(self) -> Iterable[Node]:
        declared = self._symbol.definition.decl.type.args
        old_style = self._symbol.definition.param_decls or ()
        return (*(declared.params if declared is not None else ()), *old_style)

    def _fall_off(self) -> None:
        """The end of ``main`` gives 0 (5.1.2.2.3), to a caller inside the program as well."""
        original = Original.said(self._symbol.position, f"{self._symbol.name} ends")
        value: Expression | None = None
        if self._symbol.name == "main" and isinstance(self._shape.type.result, Integer):
            zero = self.expressions.arithmetic.integer(0, original)
            value = self.expressions.arithmetic.converted(zero, self._shape.type.result)
        self._code.emit(Returning(value, original, falls=True))

    # ---- blocks and declarations --------------------------------------------------------------------------

    def _each(self, items: Iterable[Node]) -> None:
        for item in items:
            self._statement(item)

    def _statement(self, node: Node) -> None:
        self.expressions.witness_points(node, CheckpointKind.STATEMENT)
        handler = self._handlers.get(type(node))
        if handler is not None:
            handler(node)
        else:
            self.expressions.effect(node)
        self.expressions.witness_points(node, CheckpointKind.AFTER)

    def _compound(self, node: Node) -> None:
        with self._unit.scopes.block():
            self._blocks.append(_Block())
            self._each(node.block_items or ())
            self._clean_up(self._blocks[-1:])
            self._end(self._blocks.pop())

    def _end(self, *blocks: _Block) -> None:
        """Control leaves some blocks."""
        objects = tuple(symbol for block in blocks for symbol in (*block.declared, *block.within))
        if objects:
            self._code.emit(Ended(objects))

    def _literal(self, symbol: Object) -> None:
        """A compound literal lives as long as the block around it (6.5.2.5, 5)."""
        self._blocks[-1].within.append(symbol)

    def _statement_expression(self, node: Node, wanted: bool) -> Expression:
        items = list(node.block_items or ())
        while items and isinstance(items[-1], c.EmptyStatement):
            items.pop()  # compilers take no notice of them
        result: Expression = NoValue(Original(node))
        with self._unit.scopes.block():
            self._blocks.append(_Block())
            for item in items:
                while item is items[-1] and isinstance(item, c.Label) and isinstance(item.stmt, _LAST):
                    self._label(c.Label(item.name, c.EmptyStatement(item.coord), item.coord))
                    items = [item := item.stmt]
                if wanted and item is items[-1] and isinstance(item, _EXPRESSIONS):
                    result = self.expressions.arithmetic.apart(self.expressions.value(item))
                else:
                    self._statement(item)
            if self._blocks[-1].cleanups:
                result = self.expressions.save(result, node)
                self._clean_up(self._blocks[-1:])
            # The value may be read in the rest of the expression, and then the objects are still needed.
            inner = self._blocks.pop()
            self._blocks[-1].within.extend((*inner.declared, *inner.within))
        return result

    def _typedef(self, node: Node) -> None:
        self.expressions.lengths(node)
        self.expressions.declarations.typedef(node)

    def _declaration(self, node: Node) -> None:
        expressions = self.expressions
        saved = expressions.lengths(node)
        symbol = expressions.declarations.declare(node, self._symbol.name)
        if not isinstance(symbol, Object) or "extern" in node.storage:
            return
        if not symbol.lasting and not saved:
            symbol.type = measured(expressions, symbol.type, node)
        if symbol.lasting:
            known = self._unit.local_statics.setdefault(id(node), symbol)
            if known is symbol:
                self._static(symbol, node)
            else:
                self._unit.scopes.bind(symbol.name, known)
            return
        self._blocks[-1].declared.append(symbol)
        if node.init is None:
            self._code.emit(Lifetime(symbol, self._variable_lengths(symbol, node, saved)))
            return
        if any(isinstance(n, c.ID) and n.name == symbol.name for n in walk(node.init)):
            self._code.emit(Lifetime(symbol))
        place = ObjectPlace(symbol, Original(node))
        expressions.store(place, node.init, node, f"{symbol.name} = ", True)

    def _variable_lengths(self, symbol: Object, node: Node, saved: Mapping[int, Expression]) -> tuple[Expression, ...]:
        """How many elements an array has whose length is not constant, in each dimension; none where that is not
        said here. Those that have effects were ``saved``; all are where somebody asks for the size."""
        if not isinstance(symbol.type, Array) or self._unit.model.size(symbol.type) is not None:
            return ()
        expressions, measured = self.expressions, self._is_measured(symbol)
        values = []
        for length in lengths(node):
            value = saved.get(id(length)) or expressions.value(length)
            if not isinstance(value.type, Integer):
                raise InputError(value.original.position, f"the length of array {symbol.name} is no integer")
            values.append(expressions.save(value, length) if measured and id(length) not in saved else value)
        if measured:
            symbol.lengths = tuple(values)
        return tuple(values)

    def _is_measured(self, symbol: Object) -> bool:
        """Whether ``sizeof`` is asked of an object of this name."""
        if symbol.name.startswith(MADE_UP):
            return True
        asked = (
            n.expr for n in self._unit.nodes(self._symbol.definition) if isinstance(n, c.UnaryOp) and n.op == "sizeof"
        )
        return any(isinstance(each, c.ID) and each.name == symbol.name for each in asked)

    def _static(self, symbol: Object, node: Node) -> None:
        """A local variable that is initialised once, before the program starts."""
        take_addresses(self._unit, node.init)
        given = [] if node.init is None else self.expressions.initial(symbol, node.init)
        self._unit.static_objects.append((symbol, given))

    # ---- jumps --------------------------------------------------------------------------------------------

    def _declared(self) -> _Declared:
        return tuple((block, len(block.declared), len(block.cleanups)) for block in self._blocks)

    def _way(self) -> _Way:
        return _Way(self._code.point(), self._declared())

    def _jumped_over(self, way: _Way, declared: _Declared) -> list[Object]:
        """What a jump from a place where so much is ``declared`` leaves without a value."""
        before = {block: counts for block, *counts in declared}
        skipped: list[Object] = []
        for block, count, cleanups in way.around:
            known, registered = before.get(block, (0, 0))
            skipped.extend(block.declared[known:count])
            for call, _ in block.cleanups[registered:cleanups]:
                raise error(position_of(call), "a jump over the attribute cleanup", Construct.ATTRIBUTE)
        return skipped

    def _arrive(self, way: _Way, declared: _Declared) -> int:
        """The point at which a jump from a place where so much is ``declared`` goes its way."""
        skipped = self._jumped_over(way, declared)
        if not skipped:
            return way.point
        arrival = self._code.point()
        self._code.at(arrival)
        for symbol in skipped:
            self._code.emit(Lifetime(symbol))
        self._code.jump(way.point)
        return arrival

    def _label(self, node: Node) -> None:
        if node.name.startswith(CLEANUP):
            self._register(node.stmt)
            return
        if not self._unit.evaluates:
            self._statement(node.stmt)
            return
        if node.name in self._labels:
            raise complain(node, f"label {node.name} is defined twice")
        way = self._labels[node.name] = self._way()
        name = as_written(node.name)
        self._code.emit(LabelPoint(way.point, name, Original.said(position_of(node), f"{name}:")))
        self._statement(node.stmt)

    def _goto(self, node: Node) -> None:
        if not self._unit.evaluates:
            return
        departure = self._code.point()
        self._code.jump(departure)
        self._gotos.append((departure, self._declared(), node))

    def _resolve_gotos(self) -> None:
        """Every jump to a label goes to a point of its own first, where it begins what it jumps over."""
        for departure, declared, node in self._gotos:
            way = self._labels.get(node.name)
            if way is None:
                raise complain(node, f"no label {node.name}")
            self._code.at(departure)
            around = {block: cleanups for block, _, cleanups in way.around}
            for block, _, cleanups in reversed(declared):
                self._run(block.cleanups[around.get(block, 0) : cleanups])
            self._end(*(block for block, _, _ in declared if block not in around))
            for symbol in self._jumped_over(way, declared):
                self._code.emit(Lifetime(symbol))
            self._code.jump(way.point)

    def _leave(self, targets: list[_Exit], node: Node) -> None:
        if not targets:
            raise complain(node, f"{type(node).__name__.lower()} outside a loop")
        self._clean_up(self._blocks[targets[-1].blocks :])
        self._end(*self._blocks[targets[-1].blocks :])
        self._code.jump(targets[-1].point)

    def _return(self, node: Node) -> None:
        original = Original(node, node.expr, "return " if node.expr is not None else "return")
        result = self._shape.type.result
        if node.expr is None:
            self._clean_up(self._blocks)
            self._code.emit(Returning(None, Original.said(position_of(node), "return")))
        elif isinstance(result, Void):
            self.expressions.effect(node.expr)
            self._clean_up(self._blocks)
            self._code.emit(Returning(None, original))
        else:
            value = self.expressions.arithmetic.converted(self.expressions.value(node.expr), result)
            if any(block.cleanups for block in self._blocks):
                if isinstance(result, StructureType) and isinstance(node.expr, c.ID):
                    # clang returns the object itself, after the cleanups, and gcc a copy from before.
                    raise error(
                        position_of(node), "a structure returned beside the attribute cleanup", Construct.ATTRIBUTE
                    )
                value = self.expressions.save(value, node)
                self._clean_up(self._blocks)
            self._code.emit(Returning(value, original))

    # ---- what is called where control leaves a block (GCC's manual, 6.34.1) ------------------------------

    def _register(self, node: Node) -> None:
        """``f(&x)``, for a variable that ends with its block: one that lasts is not given to anybody."""
        names = {each.name for each in walk(node) if isinstance(each, c.ID)}
        found = [self._unit.scopes.find(name) for name in sorted(names)]
        symbols = tuple(symbol for symbol in found if symbol is not None)
        if not any(isinstance(symbol, Object) and symbol.lasting for symbol in symbols):
            self._blocks[-1].cleanups.append((node, symbols))

    def _clean_up(self, blocks: Sequence[_Block]) -> None:
        """Control leaves blocks, from the innermost outwards."""
        for block in reversed(blocks):
            self._run(block.cleanups)

    def _run(self, cleanups: Sequence[tuple[Node, tuple[Symbol, ...]]]) -> None:
        """The last one first, by what their names meant where they stand."""
        for call, symbols in reversed(cleanups):
            with self._unit.scopes.block():
                for symbol in symbols:
                    assert isinstance(symbol, Object | FunctionName)
                    self._unit.scopes.bind(symbol.name, symbol)
                self.expressions.effect(call)

    # ---- selection and iteration --------------------------------------------------------------------------

    def _if(self, node: Node) -> None:
        code = self._code
        yes, no, join = code.point(), code.point(), code.point()
        self.expressions.condition(node.cond, yes, no)
        code.at(yes)
        self.expressions.witness_points(node, CheckpointKind.BRANCH, "true")
        self._inner(node.iftrue)
        code.jump(join)
        code.at(no)
        self.expressions.witness_points(node, CheckpointKind.BRANCH, "false")
        if node.iffalse is not None:
            self._inner(node.iffalse)
        code.at(join)

    def _inner(self, node: Node) -> None:
        """A statement that is a block of its own whether or not it has braces (6.8.4, 3 and 6.8.5, 5)."""
        if isinstance(node, c.Compound):
            self._compound(node)
        elif node is not None:
            self._blocks.append(_Block())
            self._statement(node)
            self._end(self._blocks.pop())

    def _loop(self, word: str, node: Node) -> int | None:
        """The number of a loop, with what is in scope before it begins; None of one that is not in the text."""
        unit = self._unit
        if id(node) in unit.made_up:
            return None
        known = unit.loop_numbers.setdefault(id(node), len(unit.loops))
        if known == len(unit.loops):
            unit.loops.append(OpenLoop(word, position_of(node), self._symbol.name, unit.scopes.local_names()))
        return known

    def _loop_condition(self, node: Node, body: int, leave: int) -> None:
        """One more round or none; where a witness asks which, each way has a point of its own."""
        if id(node) not in self._unit.points:
            self.expressions.condition(node.cond, body, leave)
            return
        code = self._code
        yes, no = code.point(), code.point()
        self.expressions.condition(node.cond, yes, no)
        code.at(no)
        self.expressions.witness_points(node, CheckpointKind.BRANCH, "false")
        code.jump(leave)
        code.at(yes)
        self.expressions.witness_points(node, CheckpointKind.BRANCH, "true")
        code.jump(body)

    def _loop_body(self, node: Node, leave: int, again: int) -> None:
        self._breaks.append(_Exit(leave, len(self._blocks)))
        self._continues.append(_Exit(again, len(self._blocks)))
        self._inner(node)
        self._breaks.pop()
        self._continues.pop()

    def _while(self, node: Node) -> None:
        code = self._code
        head, body, leave = code.point(), code.point(), code.point()
        code.at(head, self._loop("while", node))
        self.expressions.witness_points(node, CheckpointKind.LOOP)
        self._loop_condition(node, body, leave)
        code.at(body)
        self._loop_body(node.stmt, leave, head)
        code.jump(head)
        code.at(leave)

    def _do(self, node: Node) -> None:
        code = self._code
        body, test, leave = code.point(), code.point(), code.point()
        loop = self._loop("do", node)
        code.at(body, loop)
        self._loop_body(node.stmt, leave, test)
        code.at(test, None if loop is None else ~loop)
        # What validators take for the head of a loop is where its condition is evaluated.
        self.expressions.witness_points(node, CheckpointKind.LOOP)
        self._loop_condition(node, body, leave)
        code.at(leave)

    def _for(self, node: Node) -> None:
        code = self._code
        head, body, again, leave = code.point(), code.point(), code.point(), code.point()
        loop = self._loop("for", node)
        with self._unit.scopes.block():
            self._blocks.append(_Block())
            if node.init is not None:
                self._statement(node.init)
            code.at(head, loop)
            self.expressions.witness_points(node, CheckpointKind.LOOP)
            if node.cond is not None:
                self._loop_condition(node, body, leave)
            code.at(body)
            self._loop_body(node.stmt, leave, again)
            code.at(again)
            if node.next is not None:
                self.expressions.effect(node.next)
            code.jump(head)
            block = self._blocks.pop()
        code.at(leave)
        self._end(block)

    def _switch(self, node: Node) -> None:
        code = self._code
        value = self.expressions.arithmetic.promoted(self.expressions.value(node.cond))
        if not isinstance(value.type, Integer):
            raise complain(node, f"switch needs an integer, not {value.type}")
        switch = _Switch(value.type)
        leave, declared = code.point(), self._declared()
        # The ways out of here are known when the body is read.
        dispatch = code.point()
        code.jump(dispatch)
        self._switches.append(switch)
        self._breaks.append(_Exit(leave, len(self._blocks)))
        self._inner(node.stmt)
        self._breaks.pop()
        self._switches.pop()
        code.jump(leave)
        cases = tuple(
            SwitchCase(low, high, self._arrive(way, declared), original) for low, high, original, way in switch.cases
        )
        default = leave if switch.default is None else self._arrive(switch.default, declared)
        code.at(dispatch)
        code.emit(SwitchJump(value, cases, default, Original(node, node.cond)))
        code.at(leave)

    def _case(self, node: Node) -> None:
        if not self._switches:
            raise complain(node, "case outside a switch")
        switch = self._switches[-1]
        way = self._way()
        if isinstance(node, c.Default):
            if switch.default is not None:
                raise complain(node, "two defaults in one switch")
            switch.default = way
        else:
            switch.cases.append((*self._case_bounds(switch, node), Original(node, node.expr), way))
        self._code.at(way.point)
        self._each(node.stmts or ())

    def _case_bounds(self, switch: _Switch, node: Node) -> tuple[int, int]:
        if isinstance(node.expr, c.BinaryOp) and node.expr.op == "...":
            low, high = (self._case_value(switch, part, node) for part in (node.expr.left, node.expr.right))
            return low, high
        value = self._case_value(switch, node.expr, node)
        if value in switch.seen:
            raise complain(node, f"case {render(node.expr)} stands twice in one switch")
        switch.seen.add(value)
        return value, value

    def _case_value(self, switch: _Switch, expression: Node, node: Node) -> int:
        value = self.expressions.constant(expression)
        if value is None:
            raise complain(node, f"case {render(expression)} is not constant")
        type_ = switch.type
        value &= (1 << type_.width) - 1
        return value - (1 << type_.width) if type_.signed and value > type_.maximum else value
