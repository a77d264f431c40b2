"""Constructors of expressions that compute what is already known.

Law: the folded expression has the same value, effects and model errors as the plain one; an operation that has no
value (a division by zero) is left as it is, for it may never be evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from argosy.basics.position import NOWHERE, Position
from argosy.models.network_evaluation import ModelError, negate, operate
from argosy.models.network_expressions import (
    FALSE,
    TRUE,
    Assignment,
    AtLocation,
    Binary,
    BinaryOperator,
    Conditional,
    Constant,
    Expression,
    FunctionCall,
    Read,
    Unary,
    UnaryOperator,
)

_TRUTHS = frozenset({"<", "<=", "==", "!=", ">=", ">", "&&", "||"})


def is_truth(expression: Expression) -> bool:
    """Whether the value is certainly 0 or 1."""
    match expression:
        case Constant(value):
            return value in (0, 1)
        case Unary(operator):
            return operator == "!"
        case Binary(operator):
            return operator in _TRUTHS
        case AtLocation():
            return True
        case Conditional(_, then, otherwise):
            return is_truth(then) and is_truth(otherwise)
        case Read() | Assignment() | FunctionCall():
            return False


def truth(expression: Expression) -> Expression:
    """The same condition, as 0 or 1."""
    return expression if is_truth(expression) else binary("!=", expression, FALSE)


def unary(operator: UnaryOperator, operand: Expression, position: Position = NOWHERE) -> Expression:
    if isinstance(operand, Constant):
        if operator == "!":
            return FALSE if operand.value else TRUE
        try:
            return Constant(negate(operand.value, position))
        except ModelError:
            return Unary(operator, operand, position)
    if operator == "!" and isinstance(operand, Unary) and operand.operator == "!" and is_truth(operand.operand):
        return operand.operand
    return Unary(operator, operand, position)


def binary(operator: BinaryOperator, left: Expression, right: Expression, position: Position = NOWHERE) -> Expression:
    if operator in ("&&", "||"):
        return _junction(operator, left, right, position)
    if isinstance(left, Constant) and isinstance(right, Constant):
        try:
            return Constant(operate(operator, left.value, right.value, position))
        except ModelError:
            return Binary(operator, left, right, position)
    if operator in ("+", "-") and right == FALSE:
        return left
    if operator == "+" and left == FALSE:
        return right
    return Binary(operator, left, right, position)


def _junction(operator: BinaryOperator, left: Expression, right: Expression, position: Position) -> Expression:
    decisive = operator == "||"
    if isinstance(left, Constant):
        return Constant(int(decisive)) if (left.value != 0) is decisive else truth(right)
    if isinstance(right, Constant) and (right.value != 0) is not decisive:
        return truth(left)
    return Binary(operator, left, right, position)


def conditional(condition: Expression, then: Expression, otherwise: Expression) -> Expression:
    if isinstance(condition, Constant):
        return then if condition.value else otherwise
    return Conditional(condition, then, otherwise)


def balanced(
    combine: Callable[[Expression, Expression], Expression], operands: Sequence[Expression], empty: Expression
) -> Expression:
    """Combines many operands in order with a tree of logarithmic depth."""
    level = list(operands) or [empty]
    while len(level) > 1:
        pairs = [combine(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
        level = pairs + level[len(pairs) * 2 :]
    return level[0]


def conjunction(operands: Sequence[Expression]) -> Expression:
    return balanced(lambda a, b: binary("&&", a, b), operands, TRUE)


def disjunction(operands: Sequence[Expression]) -> Expression:
    return balanced(lambda a, b: binary("||", a, b), operands, FALSE)


def total(operands: Sequence[Expression]) -> Expression:
    return balanced(lambda a, b: binary("+", a, b), operands, FALSE)
