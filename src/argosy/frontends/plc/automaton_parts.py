"""What automata of controllers are put together from: locations, edges, variables, and terms of typed expressions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from argosy.basics.position import Position
from argosy.frontends.plc.code import (
    PlcConstant,
    PlcLoad,
    PlcOperate,
    TypedExpression,
)
from argosy.frontends.plc.operators import constant, term
from argosy.frontends.plc.types import Cell, PlcScalar
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import (
    Assume,
    Check,
    Edge,
    Havoc,
    Location,
    Mark,
    Operation,
    Refusal,
    Variable,
)
from argosy.models.sources import ValueSource


class AutomatonParts:
    """An automaton on its way. ``strings`` are the numbers that stand for strings."""

    def __init__(self, name: str, terms: Terms) -> None:
        self._name = name
        self._terms = terms
        self._locations: list[Location] = []
        self._edges: list[Edge] = []
        self._variables: dict[Cell, Term] = {}
        self._opaque: dict[Term, Refusal] = {}
        self._declared: list[Variable] = []
        self._strings: dict[str, int] = {"": 0}
        self._names: set[str] = set()
        self._unmodelled: dict[str, None] = {}

    # ---- terms --------------------------------------------------------------------------------------------

    def _term(self, expression: TypedExpression, position: Position, at: Location) -> tuple[Location, Term]:
        """The term of an expression, and where one is when all that is not modelled in it has been chosen."""
        found: dict[int, Term] = {}
        stack: list[tuple[TypedExpression, bool]] = [(expression, False)]
        while stack:
            each, ready = stack.pop()
            if id(each) in found:
                continue
            match each:
                case PlcConstant():
                    found[id(each)] = self._constant(each.type, each.value)
                case PlcLoad():
                    found[id(each)] = self._variable(each.cell)
                case PlcOperate() if not ready:
                    stack.append((each, True))
                    stack.extend((operand, False) for operand in each.operands)
                case PlcOperate():
                    arguments = [found[id(operand)] for operand in each.operands]
                    types = [operand.type for operand in each.operands]
                    chosen: list[Term] = []
                    unknown = partial(self._arbitrary, chosen, each.position)
                    found[id(each)] = term(self._terms, each.operator, types, each.type, arguments, unknown)
                    for variable in chosen:
                        after = self._location(each.position)
                        self._edge(at, after, Havoc(variable), each.position)
                        at = after
        return at, found[id(expression)]

    def _arbitrary(self, chosen: list[Term], position: Position, type: PlcScalar, what: str) -> Term:
        variable = self._terms.var(f"arbitrary {len(self._opaque) + 1}", type.sort)
        self._declared.append(Variable(variable, variable.name, "", None, position))
        self._opaque[variable] = Refusal(position, what, arbitrary=True)
        self._unmodelled[f"any value, wherever it matters: {what}"] = None
        chosen.append(variable)
        return variable

    def _constant(self, type: PlcScalar, value: object) -> Term:
        if type.kind == "string":
            self._strings.setdefault(str(value), len(self._strings))
        return constant(self._terms, type, value, self._strings)

    def _variable(self, cell: Cell) -> Term:
        if cell not in self._variables:
            name = cell.name
            while name in self._names:
                name += "'"
            self._names.add(name)
            made = self._terms.var(name, cell.type.sort)
            self._variables[cell] = made
            signed = None if cell.type.kind in ("bool", "real", "string") else cell.type.signed
            self._declared.append(Variable(made, cell.name, "", signed, cell.position))
        return self._variables[cell]

    # ---- edges --------------------------------------------------------------------------------------------

    def _location(self, position: Position, label: str = "") -> Location:
        index = len(self._locations)
        made = Location(index, self._name, position, label, index)
        self._locations.append(made)
        return made

    def _edge(
        self,
        source: Location,
        target: Location,
        operation: Operation,
        position: Position,
        text: str = "",
        *,
        checks: tuple[Check, ...] = (),
        choice: ValueSource | None = None,
        marks: tuple[Mark, ...] = (),
    ) -> None:
        if isinstance(operation, Assume) and operation.condition is self._terms.false:
            return
        self._edges.append(Edge(source, target, operation, position, text, checks, choice, (), marks))

    def _chain(self, at: Location, steps: Sequence[tuple[Operation, Position, str]]) -> Location:
        for operation, position, text in steps:
            after = self._location(position)
            self._edge(at, after, operation, position, text)
            at = after
        return at
