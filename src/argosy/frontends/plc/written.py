"""Which variables statements may write, by their names: a variable that nobody
writes keeps its initial value.

Names are compared without their place: a field of the same name counts too. What is said is never too little.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from argosy.frontends.plc.syntax import (
    PlcAnnotation,
    PlcAssignment,
    PlcBinary,
    PlcBit,
    PlcCall,
    PlcCallStatement,
    PlcCase,
    PlcExpression,
    PlcFor,
    PlcIf,
    PlcIndex,
    PlcMember,
    PlcName,
    PlcRepeat,
    PlcStatement,
    PlcUnary,
    PlcWhile,
)


def written_names(body: Sequence[PlcStatement]) -> Iterator[str]:
    for statement in body:
        match statement:
            case PlcAssignment():
                yield from _names(statement.target)
                yield from _in_calls(statement.target)
                yield from _in_calls(statement.value)
            case PlcCallStatement():
                yield from _in_calls(statement.call)
            case PlcIf():
                for condition, inner in statement.branches:
                    if condition is not None:
                        yield from _in_calls(condition)
                    yield from written_names(inner)
            case PlcCase():
                yield from _in_calls(statement.selector)
                for _, inner in statement.branches:
                    yield from written_names(inner)
                yield from written_names(statement.otherwise)
            case PlcFor():
                yield from _names(statement.variable)
                for bound in (statement.first, statement.last, statement.step):
                    if bound is not None:
                        yield from _in_calls(bound)
                yield from written_names(statement.body)
            case PlcWhile():
                yield from _in_calls(statement.condition)
                yield from written_names(statement.body)
            case PlcRepeat():
                yield from _in_calls(statement.until)
                yield from written_names(statement.body)
            case PlcAnnotation() if statement.kind == "HAVOC":
                yield from _names(statement.expression)


def _names(target: PlcExpression) -> Iterator[str]:
    """Every name of a target but those inside of indices."""
    match target:
        case PlcName():
            yield target.key
        case PlcMember():
            yield target.name.upper()
            yield from _names(target.base)
        case PlcIndex() | PlcBit():
            yield from _names(target.base)


def _in_calls(expression: PlcExpression) -> Iterator[str]:
    """What calls inside an expression may write: all that they are given as a variable."""
    match expression:
        case PlcCall():
            for argument in expression.arguments:
                if argument.name and not argument.output:
                    yield argument.name.upper()
                yield from _names(argument.value)
                yield from _in_calls(argument.value)
        case PlcBinary():
            yield from _in_calls(expression.left)
            yield from _in_calls(expression.right)
        case PlcUnary():
            yield from _in_calls(expression.operand)
        case PlcMember() | PlcBit():
            yield from _in_calls(expression.base)
        case PlcIndex():
            yield from _in_calls(expression.base)
            for index in expression.indices:
                yield from _in_calls(index)
