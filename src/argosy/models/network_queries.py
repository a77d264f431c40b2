"""Queries about a network: ``E<> p`` and ``A[] p`` over state formulas.

``A[] p`` is ``not E<> not p``: both are decided by whether a state of ``Query.target`` is reachable.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from itertools import product
from math import prod

from argosy.basics.position import NOWHERE, Position
from argosy.basics.records import dataclass, field
from argosy.models.network_expressions import (
    FALSE,
    TRUE,
    Binary,
    ClockAtom,
    ClockRelation,
    Expression,
    Unary,
)


class Quantifier(Enum):
    POSSIBLY = "E<>"
    INVARIANTLY = "A[]"

    @property
    def satisfied_by(self) -> str:
        """The verdict under which a query is satisfied: that a run was found, or that there is none."""
        return "unsafe" if self is Quantifier.POSSIBLY else "safe"


@dataclass(frozen=True, slots=True)
class Holds:
    """An integer expression (location tests are ``AtLocation`` inside it) is not zero."""

    expression: Expression


@dataclass(frozen=True, slots=True)
class ClockTest:
    """A clock atom whose ``condition`` is always true."""

    atom: ClockAtom


@dataclass(frozen=True, slots=True)
class Deadlock:
    pass


@dataclass(frozen=True, slots=True)
class Not:
    operand: StateFormula


@dataclass(frozen=True, slots=True)
class And:
    operands: tuple[StateFormula, ...]


@dataclass(frozen=True, slots=True)
class Or:
    operands: tuple[StateFormula, ...]


StateFormula = Holds | ClockTest | Deadlock | Not | And | Or


@dataclass(frozen=True, slots=True)
class Query:
    quantifier: Quantifier
    formula: StateFormula
    text: str
    position: Position = field(default=NOWHERE, compare=False)

    @property
    def target(self) -> StateFormula:
        """The states whose reachability decides the query."""
        return self.formula if self.quantifier is Quantifier.POSSIBLY else Not(self.formula)

    @property
    def satisfied_by(self) -> str:
        return self.quantifier.satisfied_by


@dataclass(frozen=True, slots=True)
class UnsupportedQuery:
    """A query that is refused; ``malformed`` tells a broken text from a construct that is not supported."""

    text: str
    position: Position
    what: str
    malformed: bool = False

    @property
    def satisfied_by(self) -> None:
        """No verdict: nothing is said about it."""
        return None

    @property
    def reason(self) -> str:
        """Why there is no answer, in words."""
        return f"{'cannot be read' if self.malformed else 'unsupported'}: {self.position}: {self.what}"


@dataclass(frozen=True, slots=True)
class Goal:
    """A conjunction: the integer condition, every atom, and ``deadlock`` (None: does not matter)."""

    condition: Expression
    atoms: tuple[ClockAtom, ...] = ()
    deadlock: bool | None = None


_OPPOSITE: dict[ClockRelation, tuple[ClockRelation, ...]] = {
    "<": (">=",),
    "<=": (">",),
    "==": ("<", ">"),
    ">=": ("<",),
    ">": ("<=",),
}


def goals(formula: StateFormula, positive: bool = True) -> tuple[Goal, ...]:
    """The disjuncts of ``formula`` (of its negation where not ``positive``); an empty tuple is unsatisfiable.

    Law: a state satisfies ``formula`` exactly if it satisfies one of the goals.
    """
    match formula:
        case Holds(expression):
            return (Goal(expression if positive else Unary("!", expression)),)
        case ClockTest(atom):
            if positive:
                return (Goal(TRUE, (atom,)),)
            return tuple(
                Goal(
                    TRUE,
                    (
                        ClockAtom(
                            atom.left,
                            atom.right,
                            relation,
                            atom.bound,
                            position=atom.position,
                        ),
                    ),
                )
                for relation in _OPPOSITE[atom.relation]
            )
        case Deadlock():
            return (Goal(TRUE, deadlock=positive),)
        case Not(operand):
            return goals(operand, not positive)
        case And(operands):
            return _all(operands, positive) if positive else _any(operands, positive)
        case Or(operands):
            return _any(operands, positive) if positive else _all(operands, positive)


def goal_count(formula: StateFormula, positive: bool = True) -> int:
    """An upper bound of how many goals there are, without making them."""
    match formula:
        case ClockTest(atom) if not positive:
            return len(_OPPOSITE[atom.relation])
        case Holds() | ClockTest() | Deadlock():
            return 1
        case Not(operand):
            return goal_count(operand, not positive)
        case And(operands) | Or(operands):
            counts = [goal_count(operand, positive) for operand in operands]
            return prod(counts) if isinstance(formula, And) is positive else sum(counts)


def _any(operands: Iterable[StateFormula], positive: bool) -> tuple[Goal, ...]:
    return tuple(dict.fromkeys(goal for operand in operands for goal in goals(operand, positive)))


def _all(operands: Iterable[StateFormula], positive: bool) -> tuple[Goal, ...]:
    found: dict[Goal, None] = {}
    for choice in product(*(goals(operand, positive) for operand in operands)):
        goal = Goal(TRUE)
        for part in choice:
            goal = _both(goal, part)
        if goal.condition != FALSE:
            found[goal] = None
    return tuple(found)


def _both(left: Goal, right: Goal) -> Goal:
    if left.deadlock is not None and right.deadlock is not None and left.deadlock != right.deadlock:
        return Goal(FALSE)
    if FALSE in (left.condition, right.condition):
        return Goal(FALSE)
    if left.condition == TRUE or left.condition == right.condition:
        condition = right.condition
    elif right.condition == TRUE:
        condition = left.condition
    else:
        condition = Binary("&&", left.condition, right.condition)
    deadlock = left.deadlock if right.deadlock is None else right.deadlock
    atoms = tuple(dict.fromkeys((*left.atoms, *right.atoms)))
    return Goal(condition, atoms, deadlock)
