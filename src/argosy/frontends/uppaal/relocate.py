"""Moves scratch slots behind the state vector, once its length is known."""

from __future__ import annotations

from argosy.basics.records import replace
from argosy.frontends.uppaal.layout import SCRATCH
from argosy.models import network_expressions as e
from argosy.models.network import TimedEdge, TimedLocation, TimedProcess
from argosy.models.network_queries import And, ClockTest, Deadlock, Holds, Not, Or, StateFormula


class Relocation:
    def __init__(self, variables: int) -> None:
        self._shift = variables - SCRATCH

    def slot(self, slot: int) -> int:
        return slot + self._shift if slot >= SCRATCH else slot

    def place(self, place: e.NetworkPlace) -> e.NetworkPlace:
        subscripts = tuple(replace(x, index=self.expression(x.index)) for x in place.subscripts)
        return e.NetworkPlace(self.slot(place.base), subscripts)

    def expression(self, expression: e.Expression) -> e.Expression:
        match expression:
            case e.Constant() | e.AtLocation():
                return expression
            case e.Read(place):
                return e.Read(self.place(place))
            case e.Unary(_, operand):
                return replace(expression, operand=self.expression(operand))
            case e.Binary(_, left, right):
                return replace(expression, left=self.expression(left), right=self.expression(right))
            case e.Conditional(condition, then, otherwise):
                return e.Conditional(self.expression(condition), self.expression(then), self.expression(otherwise))
            case e.Assignment(target, value):
                return replace(expression, target=self.place(target), value=self.expression(value))
            case e.FunctionCall(_, arguments):
                return replace(expression, arguments=tuple(self._argument(argument) for argument in arguments))

    def _argument(self, argument: e.Expression | e.ArrayRun) -> e.Expression | e.ArrayRun:
        return (
            e.ArrayRun(self.place(argument.place), argument.size)
            if isinstance(argument, e.ArrayRun)
            else self.expression(argument)
        )

    def statement(self, statement: e.Statement) -> e.Statement:
        match statement:
            case e.Evaluate(expression):
                return e.Evaluate(self.expression(expression))
            case e.Copy(target, source):
                return replace(statement, target=self.place(target), source=self.place(source))
            case e.Reset(clock, value):
                return replace(statement, clock=self.place(clock), value=self.expression(value))
            case e.If(condition, then, otherwise):
                return e.If(self.expression(condition), self.statements(then), self.statements(otherwise))
            case e.While(condition, body):
                return replace(statement, condition=self.expression(condition), body=self.statements(body))
            case e.Return(value):
                return replace(statement, value=None if value is None else self.expression(value))

    def statements(self, statements: tuple[e.Statement, ...]) -> tuple[e.Statement, ...]:
        return tuple(self.statement(statement) for statement in statements)

    def function(self, function: e.NetworkFunction) -> e.NetworkFunction:
        parameters = tuple(e.Parameter(self.slot(p.slot), p.size) for p in function.parameters)
        return replace(function, parameters=parameters, body=self.statements(function.body))

    def atom(self, atom: e.ClockAtom) -> e.ClockAtom:
        return replace(
            atom,
            left=self.place(atom.left),
            right=self.place(atom.right),
            bound=self.expression(atom.bound),
            condition=self.expression(atom.condition),
        )

    def constraint(self, constraint: e.Constraint) -> e.Constraint:
        return e.Constraint(self.expression(constraint.condition), tuple(self.atom(atom) for atom in constraint.atoms))

    def location(self, location: TimedLocation) -> TimedLocation:
        rates = tuple(replace(rate, value=self.expression(rate.value)) for rate in location.rates)
        return replace(location, invariant=self.constraint(location.invariant), rates=rates)

    def edge(self, edge: TimedEdge) -> TimedEdge:
        synchronisation = edge.synchronisation
        if synchronisation is not None:
            synchronisation = replace(synchronisation, channel=self.place(synchronisation.channel))
        return replace(
            edge,
            guard=self.constraint(edge.guard),
            synchronisation=synchronisation,
            updates=self.statements(edge.updates),
        )

    def process(self, process: TimedProcess) -> TimedProcess:
        return replace(
            process,
            locations=tuple(self.location(location) for location in process.locations),
            edges=tuple(self.edge(edge) for edge in process.edges),
        )

    def formula(self, formula: StateFormula) -> StateFormula:
        match formula:
            case Holds(expression):
                return Holds(self.expression(expression))
            case ClockTest(atom):
                return ClockTest(self.atom(atom))
            case Deadlock():
                return formula
            case Not(operand):
                return Not(self.formula(operand))
            case And(operands):
                return And(tuple(self.formula(operand) for operand in operands))
            case Or(operands):
                return Or(tuple(self.formula(operand) for operand in operands))
