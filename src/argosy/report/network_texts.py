"""Networks as text: ``argosy convert model.xml model.xta`` and ``model.tck``.

What is written is the network as it was read: processes that are instantiated, global names with underscores
(``P(1).x`` is ``P_1_x``), one edge for each selected value. Where a network says what a format cannot (functions and
loops, priorities; for TChecker also urgent channels, disjunctions, guards of receivers of a broadcast), it is refused.

Law: the network that is read again has the same states and runs, but for the names.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence

from argosy.basics.errors import UnsupportedError
from argosy.basics.position import Position
from argosy.models.network import Channel, Clock, Network, NetworkVariable, TimedEdge, TimedProcess
from argosy.models.network_expressions import (
    TRUE,
    UNCONSTRAINED,
    Assignment,
    Binary,
    ClockAtom,
    Constant,
    Constraint,
    Evaluate,
    Expression,
    NetworkPlace,
    Read,
    Reset,
    Statement,
    Subscript,
    Unary,
)
from argosy.models.network_expressions import Conditional as ConditionalExpression
from argosy.problem.problem import Problem

RESERVED = frozenset(
    re.findall(
        r"\w+",
        """const int bool clock chan void scalar struct typedef urgent broadcast meta true false forall exists sum not
        and or xor imply for while do if else return break continue switch case default assert deadlock process state
        commit init trans system priority select guard sync assign before_update after_update event edge location local
        then end nop int8_t uint8_t int16_t uint16_t int32_t abs""",
    )
)
FLIPPED = {"<": ">", "<=": ">=", "==": "==", ">=": "<=", ">": "<"}


def xta(problem: Problem, chosen: Mapping[str, str]) -> str:
    return _Xta(problem).text()


def tck(problem: Problem, chosen: Mapping[str, str]) -> str:
    return _Tck(problem).text()


class _Names:
    """Names that occur once each in the text."""

    def __init__(self) -> None:
        self._taken = set(RESERVED)

    def fresh(self, name: str) -> str:
        plain = re.sub(r"\W+", "_", name).strip("_") or "v"
        plain = f"_{plain}" if plain[0].isdigit() else plain
        found, number = plain, 1
        while found in self._taken:
            number += 1
            found = f"{plain}_{number}"
        self._taken.add(found)
        return found


class _Slots:
    """The texts of the slots of one kind; those that are found by a computed index are elements of an array."""

    def __init__(self, slots: Sequence[NetworkVariable] | Sequence[Clock] | Sequence[Channel], names: _Names) -> None:
        self._slots = slots
        self._names = names
        self._arrays: dict[int, int] = {}
        self.texts: dict[int, str] = {}
        self.arrays: dict[int, str] = {}

    def find(self, place: NetworkPlace, position: Position) -> None:
        for subscript in place.subscripts:
            if len(place.subscripts) > 1 or subscript.stride != 1:
                raise UnsupportedError(position, "an array of arrays or records at a computed index")
            if self._arrays.setdefault(place.base, subscript.size) != subscript.size:
                raise UnsupportedError(position, "a part of an array at a computed index")

    def groups(self, first: int) -> Iterator[tuple[str, range, bool]]:
        """Name, slots and whether it is an array, for every variable to declare."""
        at = first
        while at < len(self._slots):
            size = self._arrays.get(at, 0)
            end = at + max(size, 1)
            inside = [begin for begin in self._arrays if at < begin < end]
            if inside:
                raise UnsupportedError(Position("", 0), "arrays at a computed index that overlap")
            whole = self._slots[at].name
            name = self._names.fresh(whole.rsplit("[", 1)[0] if size else whole)
            for slot in range(at, end):
                self.texts[slot] = f"{name}[{slot - at}]" if size else name
            if size:
                self.arrays[at] = name
            yield name, range(at, end), bool(size)
            at = end


class _Writer(ABC):
    def __init__(self, problem: Problem) -> None:
        network: Network = problem.model
        self.network = network
        self.source = Position(problem.input, 0)
        if network.has_priorities:
            raise UnsupportedError(self.source, "priorities of channels or processes")
        for rate in network.rated:
            raise UnsupportedError(rate.position, "stopwatches or clock rates")
        for clock in network.clocks:
            if clock.initial:
                raise UnsupportedError(clock.position, "a clock that does not begin at 0")
        self.names = _Names()
        self.processes = {process.index: self.names.fresh(process.name) for process in network.processes}
        self.variables = _Slots(network.variables, self.names)
        self.clocks = _Slots(network.clocks, self.names)
        self.channels = _Slots(network.channels, self.names)
        self.locations: dict[tuple[int, int], str] = {}
        for process in network.processes:
            own = _Names()
            for location in process.locations:
                self.locations[process.index, location.index] = own.fresh(location.name)
        for process in network.processes:
            for location in process.locations:
                self._find(location.invariant, location.position)
            for edge in process.edges:
                self._find(edge.guard, edge.position)
                if edge.synchronisation is not None:
                    self.channels.find(edge.synchronisation.channel, edge.position)
                for statement in edge.updates:
                    self._find_statement(statement, edge.position)

    @abstractmethod
    def text(self) -> str: ...

    # ---- which slots are elements of arrays -------------------------------------------------------------------

    def _find(self, constraint: Constraint, position: Position) -> None:
        self._walk(constraint.condition, position)
        for atom in constraint.atoms:
            self._walk(atom.condition, position)
            self._walk(atom.bound, position)
            for place in (atom.left, atom.right):
                self._place(self.clocks, place, position)

    def _find_statement(self, statement: Statement, position: Position) -> None:
        match statement:
            case Evaluate(expression):
                self._walk(expression, position)
            case Reset(clock, value):
                self._place(self.clocks, clock, position)
                self._walk(value, position)
            case _:
                raise UnsupportedError(position, "branches, loops or copies of arrays in an update")

    def _place(self, slots: _Slots, place: NetworkPlace, position: Position) -> None:
        slots.find(place, position)
        for subscript in place.subscripts:
            self._walk(subscript.index, position)

    def _walk(self, expression: Expression, position: Position) -> None:
        match expression:
            case Constant():
                pass
            case Read(place):
                self._place(self.variables, place, position)
            case Unary(_, operand):
                self._walk(operand, position)
            case Binary(_, left, right):
                self._walk(left, position)
                self._walk(right, position)
            case ConditionalExpression(condition, then, otherwise):
                for part in (condition, then, otherwise):
                    self._walk(part, position)
            case Assignment(target, value):
                self._place(self.variables, target, position)
                self._walk(value, position)
            case _:
                raise UnsupportedError(position, "a call of a function")

    # ---- texts ----------------------------------------------------------------------------------------------------

    def slot(self, slots: _Slots, place: NetworkPlace) -> str:
        if not place.subscripts:
            return slots.texts[place.base]
        [subscript] = place.subscripts
        return f"{slots.arrays[place.base]}[{self.index(subscript)}]"

    def index(self, subscript: Subscript) -> str:
        index = self.expression(subscript.index)
        return f"{index} - {subscript.low}" if subscript.low else index

    def expression(self, expression: Expression) -> str:
        match expression:
            case Constant(value):
                return str(value) if value >= 0 else f"({value})"
            case Read(place):
                return self.slot(self.variables, place)
            case Unary(operator, operand):
                return f"{operator}({self.expression(operand)})"
            case Binary(operator, left, right):
                return f"({self.expression(left)} {operator} {self.expression(right)})"
            case ConditionalExpression(condition, then, otherwise):
                return f"({self.expression(condition)} ? {self.expression(then)} : {self.expression(otherwise)})"
            case Assignment(target, value):
                return f"({self.slot(self.variables, target)} = {self.expression(value)})"
        raise AssertionError(expression)

    def atom(self, atom: ClockAtom) -> str:
        bound = self.expression(atom.bound)
        if atom.left == NetworkPlace(0):
            return f"{self.slot(self.clocks, atom.right)} {FLIPPED[atom.relation]} -({bound})"
        left = self.slot(self.clocks, atom.left)
        right = "" if atom.right == NetworkPlace(0) else f" - {self.slot(self.clocks, atom.right)}"
        return f"{left}{right} {atom.relation} {bound}"

    def statement(self, statement: Statement) -> str:
        match statement:
            case Reset(clock, value):
                return f"{self.slot(self.clocks, clock)} = {self.expression(value)}"
            case Evaluate(Assignment(target, value)):
                return f"{self.slot(self.variables, target)} = {self.expression(value)}"
            case Evaluate(expression):
                return self.expression(expression)
        raise AssertionError(statement)


class _Xta(_Writer):
    def text(self) -> str:
        lines = list(self._declarations())
        for process in self.network.processes:
            lines += self._process(process)
        lines.append(f"system {', '.join(self.processes.values())};")
        return "\n".join(lines) + "\n"

    def _declarations(self) -> Iterator[str]:
        for name, slots, array in self.variables.groups(0):
            its = [self.network.variables[slot] for slot in slots]
            low, high = min(v.low for v in its), max(v.high for v in its)
            if len({(v.low, v.high) for v in its if v.low != v.high}) > 1:
                raise UnsupportedError(its[0].position, "an array whose elements have different ranges")
            prefix = "meta " if its[0].meta else ""
            values = ", ".join(str(variable.initial) for variable in its)
            begin = f"[{len(its)}] = {{{values}}}" if array else f" = {values}"
            yield f"{prefix}int[{low}, {high}] {name}{begin};"
        for name, slots, array in self.clocks.groups(1):
            yield f"clock {name}{f'[{len(slots)}]' if array else ''};"
        for name, slots, array in self.channels.groups(0):
            channel = self.network.channels[slots[0]]
            words = ["urgent"] * channel.urgent + ["broadcast"] * channel.broadcast + ["chan"]
            yield f"{' '.join(words)} {name}{f'[{len(slots)}]' if array else ''};"

    def _process(self, process: TimedProcess) -> Iterator[str]:
        def name(location: int) -> str:
            return self.locations[process.index, location]

        yield f"process {self.processes[process.index]}() {{"
        states = []
        for location in process.locations:
            invariant = self._constraint(location.invariant)
            states.append(name(location.index) + (f" {{ {invariant} }}" if invariant else ""))
        yield f"    state {', '.join(states)};"
        for word, chosen in (("commit", "committed"), ("urgent", "urgent")):
            flagged = [name(location.index) for location in process.locations if getattr(location, chosen)]
            if flagged:
                yield f"    {word} {', '.join(flagged)};"
        yield f"    init {name(process.initial)};"
        edges = [self._edge(edge, name(edge.source), name(edge.target)) for edge in process.edges if not edge.idle]
        if edges:
            yield "    trans"
            yield ",\n".join(f"        {edge}" for edge in edges) + ";"
        yield "}"

    def _edge(self, edge: TimedEdge, source: str, target: str) -> str:
        labels = []
        if guard := self._constraint(edge.guard):
            labels.append(f"guard {guard};")
        if edge.synchronisation is not None:
            channel = self.slot(self.channels, edge.synchronisation.channel)
            labels.append(f"sync {channel}{'!' if edge.synchronisation.sends else '?'};")
        if edge.updates:
            labels.append(f"assign {', '.join(map(self.statement, edge.updates))};")
        return f"{source} -> {target} {{ {' '.join(labels)} }}"

    def _constraint(self, constraint: Constraint) -> str:
        parts = [] if constraint.condition == TRUE else [self.expression(constraint.condition)]
        for atom in constraint.atoms:
            text = self.atom(atom)
            parts.append(text if atom.condition == TRUE else f"({self.expression(atom.condition)} imply {text})")
        return " && ".join(parts)


class _Tck(_Writer):
    def text(self) -> str:
        lines = [f"system:{self.names.fresh(self.network.name)}", *self._declarations()]
        events = {}
        for name, slots, array in self.channels.groups(0):
            if array:
                raise UnsupportedError(self.source, "a channel at a computed index")
            events[slots[0]] = (self.names.fresh(f"{name}_out"), self.names.fresh(f"{name}_in"))
        alone = self.names.fresh("tau")
        lines += [f"event:{event}" for event in (alone, *(event for pair in events.values() for event in pair))]
        synchronisations, possible = self._synchronisations(events)
        for process in self.network.processes:
            lines += self._process(process, events, possible, alone)
        return "\n".join([*lines, *synchronisations]) + "\n"

    def _declarations(self) -> Iterator[str]:
        for name, slots, _ in self.variables.groups(0):
            its = [self.network.variables[slot] for slot in slots]
            if len({(variable.low, variable.high, variable.initial) for variable in its}) > 1:
                raise UnsupportedError(its[0].position, "an array whose elements begin with different values")
            yield f"int:{len(its)}:{its[0].low}:{its[0].high}:{its[0].initial}:{name}"
        for name, slots, _ in self.clocks.groups(1):
            yield f"clock:{len(slots)}:{name}"

    def _synchronisations(self, events: Mapping[int, tuple[str, str]]) -> tuple[list[str], set[tuple[int, str]]]:
        """The ``sync`` lines, and which processes take part in one with which events."""
        found: list[str] = []
        possible: set[tuple[int, str]] = set()
        edges: dict[tuple[int, bool], dict[int, list[TimedEdge]]] = {}
        for process in self.network.processes:
            for edge in process.edges:
                if edge.synchronisation is not None:
                    key = edge.synchronisation.channel.base, edge.synchronisation.sends
                    edges.setdefault(key, {}).setdefault(process.index, []).append(edge)
        for number, (out, into) in events.items():
            channel = self.network.channels[number]
            senders, receivers = edges.get((number, True), {}), edges.get((number, False), {})
            if channel.urgent and senders:
                raise UnsupportedError(self.source, f"the urgent channel {channel.name}")
            for sender, sending in senders.items():
                others = {other: its for other, its in receivers.items() if other != sender}
                for other, its in others.items():
                    self._check(channel, other < sender, sending, its)
                if channel.broadcast:
                    weak = "".join(f":{self.processes[other]}@{into}?" for other in others)
                    # Without a partner it is an event of its own.
                    if weak:
                        found.append(f"sync:{self.processes[sender]}@{out}{weak}")
                    possible.add((sender, out))
                    possible |= {(other, into) for other in others}
                    continue
                for other in others:
                    found.append(f"sync:{self.processes[sender]}@{out}:{self.processes[other]}@{into}")
                    possible |= {(sender, out), (other, into)}
        return found, possible

    def _check(self, channel: Channel, earlier: bool, sending: list[TimedEdge], receiving: list[TimedEdge]) -> None:
        for edge in receiving:
            if channel.broadcast and (edge.idle or edge.guard != UNCONSTRAINED):
                raise UnsupportedError(edge.position, "a guard of an edge that receives a broadcast")
            if earlier and edge.updates and any(each.updates for each in sending):
                raise UnsupportedError(edge.position, "updates of a receiver that is declared before the sender")

    def _process(
        self, process: TimedProcess, events: Mapping[int, tuple[str, str]], possible: set[tuple[int, str]], alone: str
    ) -> Iterator[str]:
        own = self.processes[process.index]
        yield f"process:{own}"
        for location in process.locations:
            attributes = ["initial:"] if location.index == process.initial else []
            if invariant := self._constraint(location.invariant, location.position):
                attributes.append(f"invariant:{invariant}")
            attributes += ["urgent:"] * location.urgent + ["committed:"] * location.committed
            yield f"location:{own}:{self.locations[process.index, location.index]}{{{' : '.join(attributes)}}}"
        for edge in process.edges:
            event = alone
            if edge.synchronisation is not None:
                event = events[edge.synchronisation.channel.base][0 if edge.synchronisation.sends else 1]
                if (process.index, event) not in possible:
                    continue  # nobody to synchronise with
            attributes = []
            if guard := self._constraint(edge.guard, edge.position):
                attributes.append(f"provided:{guard}")
            if edge.updates:
                attributes.append(f"do:{'; '.join(map(self.statement, edge.updates))}")
            ends = ":".join(self.locations[process.index, end] for end in (edge.source, edge.target))
            yield f"edge:{own}:{ends}:{event}{{{' : '.join(attributes)}}}"

    def _constraint(self, constraint: Constraint, position: Position) -> str:
        parts = [self._condition(part, position) for part in _conjuncts(constraint.condition) if part != TRUE]
        for atom in constraint.atoms:
            if atom.condition != TRUE:
                raise UnsupportedError(position, "a clock constraint under a condition")
            parts.append(self.atom(atom))
        return " && ".join(parts)

    def _condition(self, expression: Expression, position: Position) -> str:
        if isinstance(expression, Unary) and expression.operator == "!":
            return f"!({self._condition(expression.operand, position)})"
        if isinstance(expression, Binary) and expression.operator in ("==", "!=", "<", "<=", ">=", ">"):
            return f"{self.expression(expression.left)} {expression.operator} {self.expression(expression.right)}"
        return self.expression(expression)

    def expression(self, expression: Expression) -> str:
        """A term: comparisons stand outside of them."""
        match expression:
            case Binary(operator) if operator not in ("+", "-", "*", "/", "%"):
                raise UnsupportedError(expression.position, f"the operator {operator}")
            case ConditionalExpression() | Assignment():
                raise UnsupportedError(self.source, "a choice or an assignment inside an expression")
            case Unary("!"):
                raise UnsupportedError(expression.position, "the operator ! inside an expression")
        return super().expression(expression)

    def statement(self, statement: Statement) -> str:
        if isinstance(statement, Evaluate) and not isinstance(statement.expression, Assignment):
            raise UnsupportedError(self.source, "an update that is no assignment")
        return super().statement(statement)


def _conjuncts(expression: Expression) -> Iterator[Expression]:
    if isinstance(expression, Binary) and expression.operator == "&&":
        yield from _conjuncts(expression.left)
        yield from _conjuncts(expression.right)
    else:
        yield expression
