"""Moves scratch slots behind the state vector, once its length is known."""

from __future__ import annotations

from dataclasses import replace

from argosy.frontends.uppaal.layout import SCRATCH
from argosy.models.network import Edge, Location, Process
from argosy.models.network_expressions import (
    Assignment,
    AtLocation,
    Binary,
    Call,
    ClockAtom,
    Conditional,
    Constant,
    Constraint,
    Copy,
    Evaluate,
    Expression,
    Function,
    If,
    Parameter,
    Place,
    Read,
    Reset,
    Return,
    Run,
    Statement,
    Unary,
    While,
)
from argosy.models.network_queries import And, ClockTest, Deadlock, Holds, Not, Or, StateFormula


class Relocation:
    def __init__(self, variables: int) -> None:
        self._shift = variables - SCRATCH

    def slot(self, slot: int) -> int:
        return slot + self._shift if slot >= SCRATCH else slot

    def place(self, place: Place) -> Place:
        subscripts = tuple(replace(x, index=self.expression(x.index)) for x in place.subscripts)
        return Place(self.slot(place.base), subscripts)

    def expression(self, expression: Expression) -> Expression:
        match expression:
            case Constant() | AtLocation():
                return expression
            case Read(place):
                return Read(self.place(place))
            case Unary(_, operand):
                return replace(expression, operand=self.expression(operand))
            case Binary(_, left, right):
                return replace(expression, left=self.expression(left), right=self.expression(right))
            case Conditional(condition, then, otherwise):
                return Conditional(self.expression(condition), self.expression(then), self.expression(otherwise))
            case Assignment(target, value):
                return replace(expression, target=self.place(target), value=self.expression(value))
            case Call(_, arguments):
                return replace(expression, arguments=tuple(self._argument(argument) for argument in arguments))

    def _argument(self, argument: Expression | Run) -> Expression | Run:
        return (
            Run(self.place(argument.place), argument.size) if isinstance(argument, Run) else self.expression(argument)
        )

    def statement(self, statement: Statement) -> Statement:
        match statement:
            case Evaluate(expression):
                return Evaluate(self.expression(expression))
            case Copy(target, source):
                return replace(statement, target=self.place(target), source=self.place(source))
            case Reset(clock, value):
                return replace(statement, clock=self.place(clock), value=self.expression(value))
            case If(condition, then, otherwise):
                return If(self.expression(condition), self.statements(then), self.statements(otherwise))
            case While(condition, body):
                return replace(statement, condition=self.expression(condition), body=self.statements(body))
            case Return(value):
                return replace(statement, value=None if value is None else self.expression(value))

    def statements(self, statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
        return tuple(self.statement(statement) for statement in statements)

    def function(self, function: Function) -> Function:
        parameters = tuple(Parameter(self.slot(p.slot), p.size) for p in function.parameters)
        return replace(function, parameters=parameters, body=self.statements(function.body))

    def atom(self, atom: ClockAtom) -> ClockAtom:
        return replace(
            atom,
            left=self.place(atom.left),
            right=self.place(atom.right),
            bound=self.expression(atom.bound),
            condition=self.expression(atom.condition),
        )

    def constraint(self, constraint: Constraint) -> Constraint:
        return Constraint(self.expression(constraint.condition), tuple(self.atom(atom) for atom in constraint.atoms))

    def location(self, location: Location) -> Location:
        return replace(location, invariant=self.constraint(location.invariant))

    def edge(self, edge: Edge) -> Edge:
        synchronisation = edge.synchronisation
        if synchronisation is not None:
            synchronisation = replace(synchronisation, channel=self.place(synchronisation.channel))
        return replace(
            edge,
            guard=self.constraint(edge.guard),
            synchronisation=synchronisation,
            updates=self.statements(edge.updates),
        )

    def process(self, process: Process) -> Process:
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
