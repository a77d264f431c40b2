"""The laws of the typed form: nothing is converted unsaid, and what is jumped to exists."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from argosy.frontends.c.elaborate.program import Elaboration
from argosy.frontends.c.source import parse
from argosy.frontends.c.stack import on_own_stack
from argosy.frontends.c.symbols import FunctionName, Unit
from argosy.frontends.c.typed import (
    AddressOf,
    Assigning,
    BinaryOperation,
    Branching,
    Calling,
    Contents,
    ElementPlace,
    Expression,
    FunctionAddress,
    Jump,
    LabelPoint,
    MemberPlace,
    Place,
    PointerCalling,
    Returning,
    Selection,
    ShortCircuit,
    Statement,
    SwitchJump,
    TargetPlace,
    TypedFunction,
    UnaryOperation,
    parts,
    roots,
)
from argosy.frontends.c.types import (
    Array,
    Float,
    Function,
    Integer,
    Pointer,
    StructureType,
    Type,
    Void,
    data_model,
)
from argosy.logic.terms import Terms

_COMPARISONS = frozenset(("<", ">", "<=", ">=", "==", "!="))
_SCALARS = (Integer, Pointer, Float)


def functions(path: Path, model: str = "LP64", text: str | None = None) -> list[TypedFunction]:
    """The functions that ``main`` asks for, directly or not."""

    def read() -> list[TypedFunction]:
        syntax = parse(str(path), model, text)
        unit = Unit(str(path), Terms(), data_model(model), syntax.lexed)
        program = Elaboration(syntax, unit, "main")
        found: dict[str, TypedFunction] = {}
        work = ["main"]
        while work:
            name = work.pop()
            if name in unit.definitions and name not in found:
                found[name] = program.function(name)
                work.extend(symbol.name for symbol in _asked(found[name]))
        return list(found.values())

    return on_own_stack(str(path), read)


def _asked(function: TypedFunction) -> Iterator[FunctionName]:
    for statement in function.statements:
        if isinstance(statement, Calling):
            yield statement.function
        for root in roots(statement):
            yield from (part.function for part in parts(root) if isinstance(part, FunctionAddress))


def check(function: TypedFunction) -> None:
    """Raises AssertionError where a law is broken."""
    points = [s.point for s in function.statements if isinstance(s, LabelPoint)]
    assert len(points) == len(set(points))
    for statement in function.statements:
        for root in roots(statement):
            for part in parts(root):
                _check_part(part)
        _check_statement(statement, function, frozenset(points))


def _check_statement(statement: Statement, function: TypedFunction, points: frozenset[int]) -> None:
    match statement:
        case Assigning():
            assert _same(statement.value.type, statement.place.type), statement.original
            assert not isinstance(statement.place.type, Array | Function | Void), statement.original
        case Calling():
            type_ = statement.function.type
            assert isinstance(type_, Function)
            for argument, wanted in zip(statement.arguments, type_.parameters or (), strict=False):
                assert _same(argument.type, wanted), statement.original
            if statement.result is not None:
                assert _same(statement.result.type, type_.result), statement.original
        case PointerCalling():
            for argument, wanted in zip(statement.arguments, statement.type.parameters or (), strict=False):
                assert _same(argument.type, wanted), statement.original
        case Branching():
            assert isinstance(statement.condition.type, _SCALARS), statement.original
            assert {statement.yes, statement.no} <= points
        case SwitchJump():
            assert isinstance(statement.value.type, Integer), statement.original
            assert {statement.default, *(case.target for case in statement.cases)} <= points
        case Jump(target):
            assert target in points
        case Returning(value) if value is not None:
            assert function.result is not None
            assert _same(value.type, function.result.type), statement.original


def _check_part(part: Expression | Place) -> None:
    match part:
        case BinaryOperation():
            _check_binary(part)
        case UnaryOperation():
            assert part.op == "!" or _same(part.operand.type, part.type), part.original
        case ShortCircuit():
            assert isinstance(part.left.type, _SCALARS), part.original
            assert isinstance(part.right.type, _SCALARS), part.original
        case Selection():
            assert _same(part.yes.type, part.type), part.original
            assert _same(part.no.type, part.type), part.original
        case Contents():
            assert not isinstance(part.type, Array | Function), part.original
        case AddressOf():
            inner = part.place.type
            assert part.type.target == inner or (isinstance(inner, Array) and part.type.target == inner.element)
        case TargetPlace():
            assert isinstance(part.pointer.type, Pointer), part.original
            assert part.pointer.type.target == part.type, part.original
        case ElementPlace():
            assert isinstance(part.array.type, Array), part.original
            assert isinstance(part.index.type, Integer), part.original
        case MemberPlace():
            assert isinstance(part.record.type, StructureType), part.original
            assert part.record.type.member(part.name) == part.type, part.original


def _check_binary(part: BinaryOperation) -> None:
    left, right = part.left.type, part.right.type
    if part.op in _COMPARISONS:
        assert _same(left, right), part.original
    elif isinstance(left, Pointer):
        assert isinstance(right, Integer | Pointer), part.original
    elif part.op in ("<<", ">>"):
        assert _same(left, part.type), part.original
    else:
        assert _same(left, part.type), part.original
        assert _same(right, part.type), part.original


def _same(a: Type, b: Type) -> bool:
    return a is b or a == b
