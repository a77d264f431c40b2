"""Conditions and effects of a network taken apart: conjuncts, the ways to meet a query, what is read and written.

An *item* is what a state consists of: the location of a process, a variable or a clock. Law: an expression's value, and
what a statement does, depend on no item outside ``reads``; a statement changes none outside ``writes``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from argosy.basics.records import dataclass
from argosy.kernel.ranges import Ranges
from argosy.models import network_expressions as expressions
from argosy.models.network import Network
from argosy.models.network_expressions import TRUE, ClockAtom, Expression, NetworkPlace, Statement
from argosy.models.network_queries import Goal

MANY_TARGETS = 512
"""A query with more ways to be met than this is not taken apart further."""

_OPPOSITE = {"<": ">=", "<=": ">", "==": "!=", "!=": "==", ">=": "<", ">": "<="}


@dataclass(frozen=True, slots=True, order=True)
class StateItem:
    """``kind``: ``process`` (its location), ``variable`` or ``clock``."""

    kind: str
    index: int

    def describe(self, network: Network) -> str:
        match self.kind:
            case "process":
                return network.processes[self.index].name
            case "clock":
                return network.clocks[self.index].name
            case _:
                return network.slot(self.index).name


Items = frozenset[StateItem]
NOTHING: Items = frozenset()


@dataclass(frozen=True, slots=True)
class Target:
    """One way to meet a query: all conditions and atoms. Deadlock is left to the search, which weakens the target."""

    conditions: tuple[Expression, ...]
    atoms: tuple[ClockAtom, ...] = ()


def targets(goals: Iterable[Goal]) -> tuple[Target, ...]:
    """The disjuncts of the goals. Law: a state that meets a goal meets one of the targets."""
    found: dict[Target, None] = {}
    for goal in goals:
        branches = _disjuncts(_normalised(goal.condition, True))
        if branches is None:
            branches = [(goal.condition,)]
        for branch in branches:
            conditions = tuple(dict.fromkeys(c for c in branch if c != TRUE))
            found[Target(conditions, goal.atoms)] = None
    return tuple(found)


def conjuncts(expression: Expression) -> tuple[Expression, ...]:
    """What must all hold for the expression not to be zero; negations are pushed inwards."""
    flat: list[Expression] = []
    stack = [_normalised(expression, True)]
    while stack:
        part = stack.pop()
        if isinstance(part, expressions.Binary) and part.operator == "&&":
            stack += [part.right, part.left]
        elif part != TRUE:
            flat.append(part)
    return tuple(flat)


def conjoined(conditions: Iterable[Expression]) -> Expression:
    result: Expression = TRUE
    for condition in conditions:
        result = condition if result == TRUE else expressions.Binary("&&", result, condition)
    return result


def _normalised(expression: Expression, positive: bool) -> Expression:
    match expression:
        case expressions.Unary("!", operand):
            return _normalised(operand, not positive)
        case expressions.Binary("&&" | "||", left, right, position):
            conjunction = (expression.operator == "&&") is positive
            first, second = _normalised(left, positive), _normalised(right, positive)
            return expressions.Binary("&&" if conjunction else "||", first, second, position)
        case expressions.Binary(operator, left, right, position) if operator in _OPPOSITE and not positive:
            return expressions.Binary(_OPPOSITE[operator], left, right, position)  # type: ignore[arg-type]
        case expressions.Constant(value):
            return expressions.Constant(int((value != 0) is positive))
    return expression if positive else expressions.Unary("!", expression)


def _disjuncts(expression: Expression) -> list[tuple[Expression, ...]] | None:
    if isinstance(expression, expressions.Binary) and expression.operator in ("&&", "||"):
        left, right = _disjuncts(expression.left), _disjuncts(expression.right)
        if left is None or right is None:
            return None
        if expression.operator == "||":
            branches = left + right
        elif len(left) * len(right) > MANY_TARGETS:
            return None
        else:
            branches = [first + second for first in left for second in right]
        return branches if len(branches) <= MANY_TARGETS else None
    return [] if expression == expressions.Constant(0) else [(expression,)]


@dataclass(frozen=True, slots=True)
class EdgeEffect:
    """What a statement writes, and what it reads for that. ``assigns`` where it puts a value into one variable."""

    statement: Statement
    writes: Items
    reads: Items
    assigns: tuple[int, Expression] | None = None


class Dependencies:
    """What expressions and statements of one network read and write."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.ranges = Ranges(network)

    def reads(self, expression: Expression | expressions.ArrayRun) -> Items:
        match expression:
            case expressions.Constant():
                return NOTHING
            case expressions.AtLocation(process, _):
                return frozenset({StateItem("process", process)})
            case expressions.Read(place):
                return self._place(place) | self._variables(self.ranges.addresses(place))
            case expressions.Unary(_, operand):
                return self.reads(operand)
            case expressions.Binary(_, left, right):
                return self.reads(left) | self.reads(right)
            case expressions.Conditional(condition, then, otherwise):
                return self.reads(condition) | self.reads(then) | self.reads(otherwise)
            case expressions.Assignment(target, value):
                return self._place(target) | self.reads(value)
            case expressions.ArrayRun(place, size):
                return self._place(place) | self._run(place, size)
            case expressions.FunctionCall(function, arguments):
                body = self.network.functions[function].body
                own = [self.reads(argument) for argument in arguments]
                return NOTHING.union(*own, *(self._statement(s)[1] for s in body))

    def reads_of_atom(self, atom: ClockAtom) -> Items:
        """Its clocks included."""
        clocks = {c for place in (atom.left, atom.right) for c in self.ranges.addresses(place) if c}
        others = self._place(atom.left) | self._place(atom.right) | self.reads(atom.bound) | self.reads(atom.condition)
        return others | {StateItem("clock", clock) for clock in clocks}

    def effects(self, statements: Iterable[Statement]) -> Iterator[EdgeEffect]:
        for statement in statements:
            match statement:
                case expressions.Evaluate(expressions.Assignment(NetworkPlace(base, ()), value)) if not self._writes(
                    value
                ):
                    yield EdgeEffect(statement, self._variables([base]), self.reads(value), (base, value))
                case expressions.Copy(NetworkPlace(to, ()), NetworkPlace(origin, ()), size, position):
                    for k in range(size):
                        value = expressions.Read(NetworkPlace(origin + k))
                        alone = expressions.Evaluate(expressions.Assignment(NetworkPlace(to + k), value, position))
                        written = self._variables([to + k])
                        yield EdgeEffect(alone, written, self._variables([origin + k]), (to + k, value))
                case _:
                    yield EdgeEffect(statement, *self._statement(statement))

    def _statement(self, statement: Statement) -> tuple[Items, Items]:
        match statement:
            case expressions.Evaluate(expression):
                return self._writes(expression), self.reads(expression)
            case expressions.Copy(target, source, size):
                return self._run(target, size), self._place(target) | self.reads(expressions.ArrayRun(source, size))
            case expressions.Reset(clock, value):
                clocks = frozenset(StateItem("clock", c) for c in self.ranges.addresses(clock))
                return clocks, self._place(clock) | self.reads(value)
            case expressions.If(condition, then, otherwise):
                inner = [self._statement(s) for s in (*then, *otherwise)]
                tested = condition
            case expressions.While(condition, body):
                inner = [self._statement(s) for s in body]
                tested = condition
            case expressions.Return(value):
                tested = TRUE if value is None else value
                inner = []
        writes = self._writes(tested).union(*(w for w, _ in inner))
        return writes, self.reads(tested).union(*(r for _, r in inner))

    def _writes(self, expression: Expression | expressions.ArrayRun) -> Items:
        match expression:
            case expressions.Assignment(target, value):
                return self._variables(self.ranges.addresses(target)) | self._writes(value)
            case expressions.FunctionCall(function, arguments):
                body = self.network.functions[function].body
                own = [self._writes(argument) for argument in arguments]
                return NOTHING.union(*own, *(self._statement(s)[0] for s in body))
            case expressions.Unary(_, operand):
                return self._writes(operand)
            case expressions.Binary(_, left, right):
                return self._writes(left) | self._writes(right)
            case expressions.Conditional(condition, then, otherwise):
                return self._writes(condition) | self._writes(then) | self._writes(otherwise)
            case _:
                return NOTHING

    def _place(self, place: NetworkPlace) -> Items:
        return NOTHING.union(*(self.reads(subscript.index) for subscript in place.subscripts))

    def _run(self, place: NetworkPlace, size: int) -> Items:
        return self._variables(a + k for a in self.ranges.addresses(place) for k in range(size))

    def _variables(self, slots: Iterable[int]) -> Items:
        """Of the state vector; what passes through a function's frame is attributed to the statement that calls it."""
        return frozenset(StateItem("variable", slot) for slot in slots if slot < len(self.network.variables))
