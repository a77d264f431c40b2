"""What may be any value and does not matter for a requirement is left out of its automaton.

A counterexample must not go through a branch on a value that is not modelled (the sine of a REAL). Such a branch
matters only if the requirement depends on it: by values, or by what it lets run (control dependence,
``models.dependence``). Assumptions, operations that may stop the controller and the ends of loops always matter.

Law: an instruction is left out only if it depends on what is not modelled and the requirement does not depend on it.
Both are closures over one relation, so what is left reads nothing that was left out, and the requirement holds in the
same runs.
"""

from __future__ import annotations

from collections.abc import Sequence

from argosy.frontends.plc.code import (
    PlcCheck,
    PlcChoose,
    PlcDemand,
    PlcGoTo,
    PlcInstruction,
    PlcOperate,
    PlcProgram,
    PlcRequirement,
    PlcSkip,
    PlcStore,
    PlcSuppose,
    TypedExpression,
    loaded,
    parts,
    read_by,
)
from argosy.frontends.plc.operators import term
from argosy.frontends.plc.types import Cell, PlcScalar
from argosy.logic.terms import Term, Terms
from argosy.models.dependence import control_dependence

Pieces = tuple[Sequence[PlcInstruction], ...]


def what_matters(program: PlcProgram, requirement: PlcRequirement) -> Pieces:
    """The instructions of a cycle, in their four pieces, without what cannot be told and is not asked."""
    pieces: Pieces = (program.timers, requirement.begin, program.body, requirement.end)
    wild = _Unmodelled()
    if not any(wild.inside(expression) for piece in pieces for each in piece for expression in read_by(each)):
        return pieces
    cone = _Cone(pieces, requirement)
    left_out = cone.unknown(wild) - cone.relevant()
    return tuple(
        tuple(
            PlcGoTo(index + 1, each.position) if (number, index) in left_out and not isinstance(each, PlcGoTo) else each
            for index, each in enumerate(piece)
        )
        for number, piece in enumerate(pieces)
    )


class _NotKnown(Exception):
    pass


def _refuse(type: PlcScalar, what: str) -> Term:
    raise _NotKnown


class _Unmodelled:
    """Tells which operators may have any value; each combination of types is tried once."""

    def __init__(self) -> None:
        self._terms = Terms()
        self._known: dict[tuple[str, PlcScalar, tuple[PlcScalar, ...]], bool] = {}

    def inside(self, expression: TypedExpression) -> bool:
        return any(isinstance(each, PlcOperate) and self._is(each) for each in parts(expression))

    def _is(self, each: PlcOperate) -> bool:
        types = tuple(operand.type for operand in each.operands)
        if not {type.kind for type in (*types, each.type)} & {"real", "string"}:
            return False
        key = (each.operator, each.type, types)
        if key not in self._known:
            arguments = [self._terms.var(f"x{number}", type.sort) for number, type in enumerate(types)]
            try:
                term(self._terms, each.operator, types, each.type, arguments, _refuse)
                self._known[key] = False
            except _NotKnown:
                self._known[key] = True
        return self._known[key]


class _Cone:
    """Dependence among the instructions of a cycle: (piece, index)."""

    def __init__(self, pieces: Pieces, requirement: PlcRequirement) -> None:
        self._pieces = pieces
        self._requirement = requirement
        self._governed = [_governed(piece) for piece in pieces]
        self._every = [(number, index) for number, piece in enumerate(pieces) for index in range(len(piece))]

    def _at(self, place: tuple[int, int]) -> PlcInstruction:
        return self._pieces[place[0]][place[1]]

    def relevant(self) -> set[tuple[int, int]]:
        """What the requirement depends on."""
        writers: dict[Cell, list[tuple[int, int]]] = {}
        for place in self._every:
            match self._at(place):
                case PlcStore(cell) | PlcChoose(cell):
                    writers.setdefault(cell, []).append(place)
        condition = self._requirement.condition
        waiting = [] if condition is None else [place for c in loaded(condition) for place in writers.get(c, ())]
        waiting.extend(place for place in self._every if self._always(place))
        found: set[tuple[int, int]] = set()
        while waiting:
            place = waiting.pop()
            if place in found:
                continue
            found.add(place)
            number, index = place
            waiting.extend((number, branch) for branch in self._governed[number][index])
            for cell in loaded(*read_by(self._at(place))):
                waiting.extend(writers.get(cell, ()))
        return found

    def _always(self, place: tuple[int, int]) -> bool:
        match self._at(place):
            case PlcSuppose() | PlcDemand():
                return True
            case PlcCheck(_, number):
                return number == self._requirement.number
            case PlcGoTo(target) | PlcSkip(_, target):
                return target <= place[1]
        return False

    def unknown(self, wild: _Unmodelled) -> set[tuple[int, int]]:
        """What depends on values that are not modelled."""
        readers: dict[Cell, list[tuple[int, int]]] = {}
        decides: dict[tuple[int, int], list[tuple[int, int]]] = {}
        waiting = []
        for place in self._every:
            number, index = place
            expressions = list(read_by(self._at(place)))
            for cell in set(loaded(*expressions)):
                readers.setdefault(cell, []).append(place)
            for branch in self._governed[number][index]:
                decides.setdefault((number, branch), []).append(place)
            if any(map(wild.inside, expressions)):
                waiting.append(place)
        found: set[tuple[int, int]] = set()
        while waiting:
            place = waiting.pop()
            if place in found:
                continue
            found.add(place)
            waiting.extend(decides.get(place, ()))
            match self._at(place):
                case PlcStore(cell) | PlcChoose(cell):
                    waiting.extend(readers.get(cell, ()))
        return found


def _governed(piece: Sequence[PlcInstruction]) -> list[list[int]]:
    """For each instruction the branches that decide whether it runs. A loop need not end: what goes back may be the
    last that happens."""
    sink = len(piece)
    successors: list[list[int]] = [[] for _ in range(sink + 1)]
    for index, each in enumerate(piece):
        match each:
            case PlcGoTo(target):
                successors[index].append(target)
            case PlcSkip(_, target):
                successors[index].extend({index + 1, target})
            case _:
                successors[index].append(index + 1)
        if any(after <= index for after in successors[index]):
            successors[index].append(sink)
    return [[branch for branch in branches if branch < sink] for branches in control_dependence(successors, sink)]
