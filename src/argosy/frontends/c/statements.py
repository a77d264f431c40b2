"""Statements: the body of a function becomes a graph (C11 6.8).

Jumps over declarations, into a block or inside one, leave those variables without a value, and not with the one that
they had when control was there before (6.2.4, 6): the jump goes through steps that give them any value, as a
declaration without an initialiser does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from pycparser import c_ast as c

from argosy.basics.position import Position
from argosy.frontends.c.calls import Signature, signature
from argosy.frontends.c.declarations import take_addresses
from argosy.frontends.c.effects import EffectTable, walk
from argosy.frontends.c.expressions import Expressions
from argosy.frontends.c.graph import EXIT, FlowGraph, Template, finish
from argosy.frontends.c.liveness import drop_dead_choices
from argosy.frontends.c.operators import Value
from argosy.frontends.c.render import render
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import FunctionName, Object, Unit, complain, position_of
from argosy.frontends.c.types import VOID, Integer, Void
from argosy.frontends.c.typing import is_expression
from argosy.logic.terms import Term
from argosy.models.cfa import Assign, Havoc, Marked


@dataclass(eq=False, slots=True)
class _Block:
    declared: list[Object] = field(default_factory=list)


# The blocks around a place in the text, and how many of their declarations come before it.
_Declared = tuple[tuple[_Block, int], ...]


@dataclass(frozen=True, slots=True)
class _Target:
    """Where a jump may go: a point, and what was declared before it in the blocks around it."""

    point: int
    around: _Declared


@dataclass(slots=True, eq=False)
class _Switch:
    type: Integer
    value: Term
    cases: list[tuple[Term, str, _Target]] = field(default_factory=list)
    default: _Target | None = None
    seen: set[int] = field(default_factory=set)


class Body:
    """The statements of one function."""

    def __init__(self, unit: Unit, effects: EffectTable, symbol: FunctionName, is_entry: bool) -> None:
        self.unit = unit
        self.symbol = symbol
        self.graph = FlowGraph(unit.terms)
        self.expressions = Expressions(unit, self.graph, symbol.name, effects)
        self.expressions.statement_expression = self._statement_expression
        labelled = any(isinstance(node, c.Label) for node in walk(symbol.definition))
        called_once = is_entry and symbol.name not in unit.cycles
        self.expressions.repeats = lambda: labelled or not called_once or bool(self._continues)
        self.signature: Signature = signature(unit, symbol, self.expressions)
        self._result = None if called_once else self.signature.result
        self._called_once = called_once
        self._blocks: list[_Block] = []
        self._labels: dict[str, _Target] = {}
        self._gotos: list[tuple[int, _Declared, Node]] = []
        self._breaks: list[int] = []
        self._continues: list[int] = []
        self._switches: list[_Switch] = []
        self._uninitialised: dict[Term, str] = {}
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

    def template(self) -> Template:
        with self.unit.scopes.block(self.signature.scope):
            self._blocks.append(_Block())
            for parameter in self.signature.parameters:
                self.unit.scopes.bind(parameter.name, parameter)
            for parameter in self._declared_parameters():
                self.expressions.lengths(parameter)
            self._each(self.symbol.definition.body.block_items or ())
            self._blocks.pop()
        self._fall_off()
        self._resolve_gotos()
        live = drop_dead_choices(self.graph, self._uninitialised, self.unit)
        for term in live:
            self.unit.note(self._uninitialised[term])
        return finish(self.graph, self.symbol.name, self.symbol.position)

    def _declared_parameters(self) -> Iterable[Node]:
        declared = self.symbol.definition.decl.type.args
        old_style = self.symbol.definition.param_decls or ()
        return (*(declared.params if declared is not None else ()), *old_style)

    def _fall_off(self) -> None:
        name = self.symbol.name
        if name == "main" and self._result is not None and isinstance(self._result.type, Integer):
            # The end of main gives 0 (5.1.2.2.3), to a caller inside the program as well.
            for term in self.unit.all_parts(self._result):
                self.graph.emit(Assign(term, self.unit.terms.const(0, term.sort)), self.symbol.position, "main ends")
        else:
            self._no_result(self.symbol.position, f"{name} ends", f"{name} without return")
        self.graph.jump(EXIT)

    def _no_result(self, position: Position, text: str, choice: str) -> None:
        for term in self.unit.all_parts(self._result) if self._result is not None else ():
            self.graph.emit(Havoc(term), position, text, choice)

    # ---- blocks and declarations --------------------------------------------------------------------------

    def _each(self, items: Iterable[Node]) -> None:
        for item in items:
            self.statement(item)

    def statement(self, node: Node) -> None:
        handler = self._handlers.get(type(node))
        if handler is not None:
            handler(node)
        else:
            self.expressions.effect(node)

    def _compound(self, node: Node) -> None:
        with self.unit.scopes.block():
            self._blocks.append(_Block())
            self._each(node.block_items or ())
            self._blocks.pop()

    def _statement_expression(self, node: Node, wanted: bool) -> Value:
        items = node.block_items or []
        result = Value(None, VOID)
        with self.unit.scopes.block():
            self._blocks.append(_Block())
            for item in items:
                if wanted and item is items[-1] and is_expression(item):
                    result = self.expressions.value(item)
                else:
                    self.statement(item)
            self._blocks.pop()
        return result

    def _typedef(self, node: Node) -> None:
        self.expressions.lengths(node)
        self.expressions.declarations.typedef(node)

    def _declaration(self, node: Node) -> None:
        expressions = self.expressions
        expressions.lengths(node)
        symbol = expressions.declarations.declare(node, self.symbol.name)
        if not isinstance(symbol, Object) or "extern" in node.storage:
            return
        if symbol.lasting:
            self._static(symbol, node)
            return
        self._blocks[-1].declared.append(symbol)
        if node.init is None:
            self._leave_open(symbol)
            return
        if any(isinstance(n, c.ID) and n.name == symbol.name for n in walk(node.init)):
            self._leave_open(symbol)
        place = expressions.places.of_object(symbol)
        expressions.places.store(place, node.init, position_of(node), f"{symbol.name} = {render(node.init)}")

    def _leave_open(self, symbol: Object) -> None:
        """The variable has any value from here."""
        for term in self.unit.all_parts(symbol):
            name = self.unit.variables[term].name
            self._uninitialised[term] = f"{symbol.position}: {symbol.name} is not initialised: arbitrary value"
            self.graph.emit(Havoc(term), symbol.position, f"{name} = ?", f"uninitialised {name}")

    def _static(self, symbol: Object, node: Node) -> None:
        """A local variable that is initialised once, before the program starts."""
        take_addresses(self.unit, node.init)
        literal = node.init is not None and any(isinstance(part, c.CompoundLiteral) for part in walk(node.init))
        if node.init is not None and not literal and self.expressions.effects.of(node.init) is not None:
            raise complain(node, f"the initialiser of {symbol.name} is not constant")
        for term, value, text in self.expressions.initial_values(symbol, node.init):
            self.unit.statics.append((symbol, term, value, text))

    # ---- jumps --------------------------------------------------------------------------------------------

    def _declared(self) -> _Declared:
        return tuple((block, len(block.declared)) for block in self._blocks)

    def _target(self) -> _Target:
        return _Target(self.graph.point(), self._declared())

    def _jumped_over(self, target: _Target, declared: _Declared) -> list[Object]:
        """What a jump from a place where so much is ``declared`` leaves without a value."""
        before = dict(declared)
        skipped: list[Object] = []
        for block, count in target.around:
            skipped.extend(block.declared[before.get(block, 0) : count])
        return skipped

    def _arrive(self, target: _Target, declared: _Declared) -> int:
        """The point at which a jump from a place where so much is ``declared`` reaches the target."""
        skipped = self._jumped_over(target, declared)
        if not skipped:
            return target.point
        before = self.graph.current
        arrival = self.graph.current = self.graph.point()
        for symbol in skipped:
            self._leave_open(symbol)
        self.graph.jump(target.point)
        self.graph.current = before
        return arrival

    def _label(self, node: Node) -> None:
        if node.name in self._labels:
            raise complain(node, f"label {node.name} is defined twice")
        target = self._labels[node.name] = self._target()
        self.graph.labels[target.point] = node.name
        self.graph.resume(target.point)
        self.graph.mark(position_of(node), f"{node.name}:", (Marked.LABEL, node.name))
        self.statement(node.stmt)

    def _goto(self, node: Node) -> None:
        departure = self.graph.point()
        self.graph.jump(departure)
        self._gotos.append((departure, self._declared(), node))

    def _resolve_gotos(self) -> None:
        for departure, declared, node in self._gotos:
            target = self._labels.get(node.name)
            if target is None:
                raise complain(node, f"no label {node.name}")
            arrival = self._arrive(target, declared)
            self.graph.current = departure
            self.graph.jump(arrival)

    def _leave(self, targets: list[int], node: Node) -> None:
        if not targets:
            raise complain(node, f"{type(node).__name__.lower()} outside a loop")
        self.graph.jump(targets[-1])

    def _return(self, node: Node) -> None:
        position = position_of(node)
        if node.expr is not None:
            text = f"return {render(node.expr)}"
            result = self.signature.type.result
            if self._result is not None:
                places = self.expressions.places
                places.store(places.of_object(self._result), node.expr, position, text)
            elif isinstance(result, Void) or self._called_once:
                self.expressions.effect(node.expr)
            else:
                self.expressions.value(node.expr)
                self.graph.flush(position, text)
        else:
            self._no_result(position, "return", f"{self.symbol.name} without a value")
        self.graph.jump(EXIT)

    # ---- selection and iteration --------------------------------------------------------------------------

    def _if(self, node: Node) -> None:
        graph = self.graph
        yes, no, join = graph.point(), graph.point(), graph.point()
        self.expressions.condition(node.cond, yes, no)
        graph.resume(yes)
        self._inner(node.iftrue)
        graph.jump(join)
        graph.resume(no)
        if node.iffalse is not None:
            self._inner(node.iffalse)
        graph.resume(join)

    def _inner(self, node: Node) -> None:
        """A statement that is a block of its own whether or not it has braces (6.8.4, 3 and 6.8.5, 5)."""
        if isinstance(node, c.Compound):
            self._compound(node)
        elif node is not None:
            self.statement(node)

    def _loop_body(self, node: Node, leave: int, again: int) -> None:
        self._breaks.append(leave)
        self._continues.append(again)
        self._inner(node)
        self._breaks.pop()
        self._continues.pop()

    def _while(self, node: Node) -> None:
        graph = self.graph
        head, body, leave = graph.point(), graph.point(), graph.point()
        graph.resume(head)
        self.expressions.condition(node.cond, body, leave)
        graph.resume(body)
        self._loop_body(node.stmt, leave, head)
        graph.jump(head)
        graph.resume(leave)

    def _do(self, node: Node) -> None:
        graph = self.graph
        body, test, leave = graph.point(), graph.point(), graph.point()
        graph.resume(body)
        self._loop_body(node.stmt, leave, test)
        graph.resume(test)
        self.expressions.condition(node.cond, body, leave)
        graph.resume(leave)

    def _for(self, node: Node) -> None:
        graph = self.graph
        head, body, again, leave = graph.point(), graph.point(), graph.point(), graph.point()
        with self.unit.scopes.block():
            self._blocks.append(_Block())
            if node.init is not None:
                self.statement(node.init)
            graph.resume(head)
            if node.cond is not None:
                self.expressions.condition(node.cond, body, leave)
            graph.resume(body)
            self._loop_body(node.stmt, leave, again)
            graph.resume(again)
            if node.next is not None:
                self.expressions.effect(node.next)
            graph.jump(head)
            self._blocks.pop()
        graph.resume(leave)

    def _switch(self, node: Node) -> None:
        graph, operators = self.graph, self.expressions.operators
        position = position_of(node)
        value = operators.promote(self.expressions.value(node.cond), position)
        if not isinstance(value.type, Integer):
            raise complain(node, f"switch needs an integer, not {value.type}")
        switch = _Switch(value.type, operators.term(value, position))
        leave = graph.point()
        # The ways out of here are known when the body is read.
        dispatch, waiting = graph.current, list(graph.pending)
        graph.pending.clear()
        graph.current = None
        self._switches.append(switch)
        self._breaks.append(leave)
        self._inner(node.stmt)
        self._breaks.pop()
        self._switches.pop()
        graph.jump(leave)
        graph.current = dispatch
        ways = self._ways(switch, render(node.cond), leave, self._declared())
        graph.pending.extend(waiting)
        graph.choose(position, ways)
        graph.resume(leave)

    def _ways(self, switch: _Switch, subject: str, leave: int, declared: _Declared) -> list[tuple[Term, str, int]]:
        terms = self.unit.terms
        grouped: dict[int, list[tuple[Term, str]]] = {}
        for condition, text, target in switch.cases:
            point = self.graph.find(self._arrive(target, declared))
            grouped.setdefault(point, []).append((condition, f"{subject} {text}"))
        other = leave if switch.default is None else self._arrive(switch.default, declared)
        rest = terms.conjunction(terms.not_(condition) for condition, _, _ in switch.cases)
        ways = []
        for point, members in grouped.items():
            if point == self.graph.find(other):
                rest = terms.disjunction((rest, *(condition for condition, _ in members)))
            else:
                text = " || ".join(text for _, text in members)
                ways.append((terms.disjunction(condition for condition, _ in members), text, point))
        return [*ways, (rest, f"{subject}: default", other)]

    def _case(self, node: Node) -> None:
        if not self._switches:
            raise complain(node, "case outside a switch")
        switch = self._switches[-1]
        target = self._target()
        if isinstance(node, c.Default):
            if switch.default is not None:
                raise complain(node, "two defaults in one switch")
            switch.default = target
        else:
            switch.cases.append((*self._case_condition(switch, node), target))
        self.graph.resume(target.point)
        self._each(node.stmts or ())

    def _case_condition(self, switch: _Switch, node: Node) -> tuple[Term, str]:
        terms = self.unit.terms
        if isinstance(node.expr, c.BinaryOp) and node.expr.op == "...":
            low = self._case_value(switch, node.expr.left, node)
            high = self._case_value(switch, node.expr.right, node)
            below = "bvsle" if switch.type.signed else "bvule"
            inside = terms.and_(terms.bit(below, low, switch.value), terms.bit(below, switch.value, high))
            return inside, f"in {render(node.expr)}"
        value = self._case_value(switch, node.expr, node)
        if value.payload in switch.seen:
            raise complain(node, f"case {render(node.expr)} stands twice in one switch")
        switch.seen.add(value.payload)
        return terms.eq(switch.value, value), f"== {render(node.expr)}"

    def _case_value(self, switch: _Switch, expression: Node, node: Node) -> Term:
        value = self.expressions.constant(expression)
        if value is None:
            raise complain(node, f"case {render(expression)} is not constant")
        return self.unit.terms.const(value, switch.type.sort)
