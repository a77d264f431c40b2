"""Clock constraints: comparisons become atoms, conditions become guards and invariants.

A guard or invariant is convex in the clocks: a conjunction of atoms, each possibly under an integer condition
(``i == 1 imply x <= 5``). A guard with a disjunction between clocks is split into several, one per edge.
"""

from __future__ import annotations

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.uppaal.folding import binary, conjunction, disjunction, unary
from argosy.frontends.uppaal.meanings import ClockSum
from argosy.models.network_expressions import (
    FALSE,
    TRUE,
    BinaryOperator,
    ClockAtom,
    ClockRelation,
    Constraint,
    Expression,
    NetworkPlace,
)
from argosy.models.network_queries import And, ClockTest, Deadlock, Holds, Not, Or, StateFormula, goal_count, goals

_FLIPPED: dict[ClockRelation, ClockRelation] = {"<": ">", "<=": ">=", "==": "==", ">=": "<=", ">": "<"}
_MIRRORED: dict[BinaryOperator, BinaryOperator] = {"<": ">", "<=": ">=", ">=": "<=", ">": "<"}
_OPPOSITE: dict[ClockRelation, ClockRelation] = {"<": ">=", "<=": ">", ">=": "<", ">": "<="}
_DISJUNCT_LIMIT = 1_000
_REFERENCE = NetworkPlace(0)


def plus(left: ClockSum, right: ClockSum, position: Position) -> ClockSum:
    offset = binary("+", left.offset, right.offset, position)
    return ClockSum(left.plus + right.plus, left.minus + right.minus, offset)


def minus(left: ClockSum, right: ClockSum, position: Position) -> ClockSum:
    offset = binary("-", left.offset, right.offset, position)
    return ClockSum(left.plus + right.minus, left.minus + right.plus, offset)


def comparison(operator: BinaryOperator, left: ClockSum, right: ClockSum, position: Position) -> StateFormula:
    """``left operator right`` as an atom ``x - y ~ bound``."""
    if not (left.plus or left.minus):
        left, right, operator = right, left, _MIRRORED.get(operator, operator)
    positive = [*left.plus, *right.minus]
    negative = [*left.minus, *right.plus]
    for clock in list(positive):
        if clock in negative:
            positive.remove(clock)
            negative.remove(clock)
    if len(positive) > 1 or len(negative) > 1 or not (positive or negative):
        raise InputError(position, "a clock constraint compares one clock or one difference of clocks with an integer")
    relation: ClockRelation
    match operator:
        case "<" | "<=" | "==" | ">=" | ">":
            relation = operator
        case "!=":
            relation = "=="
        case _:
            raise InputError(position, f"operator {operator!r} does not apply to clocks")
    if positive:
        bound = binary("-", right.offset, left.offset, position)
        atom = ClockAtom(positive[0], negative[0] if negative else _REFERENCE, relation, bound, position=position)
    else:
        bound = binary("-", left.offset, right.offset, position)
        atom = ClockAtom(negative[0], _REFERENCE, _FLIPPED[relation], bound, position=position)
    return Not(ClockTest(atom)) if operator == "!=" else ClockTest(atom)


def invariant(formula: StateFormula, position: Position) -> Constraint:
    constraint = _convex(formula, True)
    if constraint is None:
        raise InputError(position, "an invariant must be a conjunction as far as clocks are concerned")
    return constraint


def guards(formula: StateFormula, position: Position) -> tuple[Constraint, ...]:
    """Constraints of which at least one holds exactly where the formula does."""
    constraint = _convex(formula, True)
    if constraint is not None:
        return () if constraint.condition == FALSE else (constraint,)
    if goal_count(formula) > _DISJUNCT_LIMIT:
        raise UnsupportedError(position, f"a guard with more than {_DISJUNCT_LIMIT} disjuncts over clocks")
    return tuple(Constraint(goal.condition, goal.atoms) for goal in goals(formula) if goal.condition != FALSE)


def _convex(formula: StateFormula, positive: bool) -> Constraint | None:
    """The formula (or its negation) as one constraint; None if it is not convex by its form."""
    match formula:
        case Holds(expression):
            return Constraint(expression if positive else unary("!", expression))
        case ClockTest(atom):
            if positive:
                return Constraint(TRUE, (atom,))
            if atom.relation == "==":
                return None
            return Constraint(TRUE, (_opposite(atom),))
        case Not(operand):
            return _convex(operand, not positive)
        case And(operands) if positive:
            return _all([_convex(operand, positive) for operand in operands])
        case Or(operands) if not positive:
            return _all([_convex(operand, positive) for operand in operands])
        case And(operands) | Or(operands):
            return _any([_convex(operand, positive) for operand in operands])
        case Deadlock():
            return None


def _opposite(atom: ClockAtom) -> ClockAtom:
    return ClockAtom(atom.left, atom.right, _OPPOSITE[atom.relation], atom.bound, position=atom.position)


def _all(parts: list[Constraint | None]) -> Constraint | None:
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    atoms = tuple(dict.fromkeys(atom for part in known for atom in part.atoms))
    return Constraint(conjunction([part.condition for part in known]), atoms)


def _any(parts: list[Constraint | None]) -> Constraint | None:
    """A disjunction is convex if at most one part has atoms: they count where no other part holds."""
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    timed = [part for part in known if part.atoms]
    if not timed:
        return Constraint(disjunction([part.condition for part in known]))
    if len(timed) > 1:
        return None
    others = disjunction([part.condition for part in known if not part.atoms])
    if others == TRUE:
        return Constraint()
    neither = unary("!", others)
    atoms = tuple(_under(neither, atom) for atom in timed[0].atoms)
    # Where the timed part has no integer condition, the others are evaluated with its atoms only.
    condition = TRUE if timed[0].condition == TRUE else disjunction([others, timed[0].condition])
    return Constraint(condition, atoms)


def _under(condition: Expression, atom: ClockAtom) -> ClockAtom:
    under = condition if atom.condition == TRUE else conjunction([condition, atom.condition])
    return ClockAtom(atom.left, atom.right, atom.relation, atom.bound, under, atom.position)
