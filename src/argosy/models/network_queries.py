"""Queries about a network: ``E<> p``, ``A[] p``, ``E[] p``, ``A<> p`` and ``p --> q`` over state formulas.

``A[] p`` is ``not E<> not p``: both are decided by whether a state of ``Query.target`` is reachable. The others are
about maximal runs (``models/network`` says which these are): ``E[] p`` asks for one that stays in p, ``A<> p`` says
that none stays outside p, and ``p --> q`` that none which begins in a reachable state of p stays outside q. All three
are decided by whether there is a run of ``Query.stay``. ``sup{p}: e`` and ``inf{p}: e`` ask how far e goes in the
reachable states of p (``ExtremeQuery``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
    Constant,
    Expression,
    NetworkPlace,
    Unary,
)


class Quantifier(Enum):
    POSSIBLY = "E<>"
    INVARIANTLY = "A[]"
    PERMANENTLY = "E[]"
    EVENTUALLY = "A<>"
    LEADS_TO = "-->"

    @property
    def satisfied_by(self) -> str:
        """The verdict under which a query is satisfied: that a run was found, or that there is none."""
        return "unsafe" if self in (Quantifier.POSSIBLY, Quantifier.PERMANENTLY) else "safe"

    @property
    def is_liveness(self) -> bool:
        """Whether it is about whole runs."""
        return self in (Quantifier.PERMANENTLY, Quantifier.EVENTUALLY, Quantifier.LEADS_TO)


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
class Stay:
    """The maximal runs on which ``kept`` always holds, from the initial state, or (with a ``premise``) from any
    reachable state of the premise; ``diverging``: only those in which time diverges.

    A state is in deadlock for ever once it is: nothing but waiting follows. So a run with infinitely many actions is in
    deadlock nowhere, and any other stays where ``kept`` holds without deadlock (``parts``) until it is in deadlock, and
    then where it holds with one (``dead_parts``)."""

    kept: StateFormula
    premise: StateFormula | None = None
    diverging: bool = False

    @property
    def premises(self) -> tuple[Goal, ...]:
        """None of them: the run begins at the start. (A premise that nothing satisfies is one goal that is never
        met.)"""
        return () if self.premise is None else goals(self.premise) or (Goal(FALSE),)

    @property
    def parts(self) -> tuple[Goal, ...]:
        """Where states are kept that are not in deadlock. Disjoint: time then passes through each of them at most
        once."""
        return disjoint(_decided(self.kept, Deadlock(), _CONSTANTS[False]))

    @property
    def dead_parts(self) -> tuple[Goal, ...] | None:
        """Where those are kept that are in deadlock; None where that makes no difference."""
        if not has_deadlock(self.kept):
            return None
        parts = disjoint(_decided(self.kept, Deadlock(), _CONSTANTS[True]))
        return tuple(Goal(part.condition, part.atoms, deadlock=True) for part in parts)


@dataclass(frozen=True, slots=True)
class Query:
    """``premise`` is what stands before ``-->``, ``formula`` what stands behind it."""

    quantifier: Quantifier
    formula: StateFormula
    text: str
    position: Position = field(default=NOWHERE, compare=False)
    premise: StateFormula | None = None

    @property
    def target(self) -> StateFormula:
        """The states whose reachability decides the query."""
        return self.formula if self.quantifier is Quantifier.POSSIBLY else Not(self.formula)

    @property
    def evaluated(self) -> StateFormula | None:
        """What is asked of each state: where it cannot be evaluated, the model is in error."""
        return None if self.quantifier.is_liveness else self.target

    def stay(self, diverging: bool = False) -> Stay:
        """The runs whose existence decides a query about whole runs."""
        kept = self.formula if self.quantifier is Quantifier.PERMANENTLY else Not(self.formula)
        return Stay(kept, self.premise, diverging)

    @property
    def satisfied_by(self) -> str:
        return self.quantifier.satisfied_by


Height = tuple[int, bool]
"""A constant, and whether it is attained or only approached from below: in this order, ``(5, False)`` is a little less
than ``(5, True)``."""


class Extremum(Enum):
    SUP = "sup"
    INF = "inf"


@dataclass(frozen=True, slots=True)
class ClockMeasure:
    """``left - right``, where one of them may be the reference clock."""

    left: NetworkPlace
    right: NetworkPlace


@dataclass(frozen=True, slots=True)
class ExtremeQuery:
    """How large (``INF``: how small) a clock, a difference of clocks or an integer is in the reachable states of
    ``formula``. Its *height* is what is to become as large as possible: the value, or for ``INF`` the value negated. It
    is answered by a height that a run comes to, and by a proof that no state of ``beyond`` it is reachable."""

    extremum: Extremum
    formula: StateFormula
    measured: ClockMeasure | Expression
    expression: str
    text: str
    position: Position = field(default=NOWHERE, compare=False)

    @property
    def climbing(self) -> ClockMeasure | None:
        """The difference of clocks that is the height; None where an integer is measured."""
        if not isinstance(self.measured, ClockMeasure):
            return None
        if self.extremum is Extremum.SUP:
            return self.measured
        return ClockMeasure(self.measured.right, self.measured.left)

    def beyond(self, height: Height) -> StateFormula:
        """The states of the formula that are higher."""
        constant, attained = height
        if isinstance(self.measured, ClockMeasure):
            climbing = self.climbing
            assert climbing is not None
            atom = ClockAtom(climbing.left, climbing.right, ">" if attained else ">=", Constant(constant))
            return And((self.formula, ClockTest(atom)))
        if self.extremum is Extremum.SUP:
            higher = Binary(">" if attained else ">=", self.measured, Constant(constant))
        else:
            higher = Binary("<" if attained else "<=", self.measured, Constant(-constant))
        return And((self.formula, Holds(higher)))

    @property
    def evaluated(self) -> StateFormula:
        """What is asked of each state: where it cannot be evaluated, the model is in error."""
        return self.beyond((0, True))

    @property
    def satisfied_by(self) -> str:
        """Whoever asks for a value is satisfied by one beyond which nothing goes."""
        return "safe"


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


AnyQuery = Query | ExtremeQuery | UnsupportedQuery


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


MOST_PARTS = 200
"""Disjoint parts of one formula."""


class TooManyParts(Exception):
    """The formula has too many disjuncts over clocks to be cut into disjoint ones."""


def disjoint(formula: StateFormula) -> tuple[Goal, ...]:
    """Goals that no state meets two of, and one of which is met exactly where the formula (without ``deadlock``) holds:
    a tree of cases, for one clock test after the other; the leaves say what is left of the formula."""
    found: list[Goal] = []
    waiting: list[tuple[StateFormula, tuple[ClockAtom, ...]]] = [(formula, ())]
    while waiting:
        rest, atoms = waiting.pop()
        test = next(_tests(rest), None)
        if test is None:
            condition = _expression(rest)
            if condition != FALSE:
                found.append(Goal(condition, atoms))
        else:
            for relation in (test.relation, *_OPPOSITE[test.relation]):
                case = ClockAtom(test.left, test.right, relation, test.bound, position=test.position)
                holds = Holds(TRUE if relation == test.relation else FALSE)
                waiting.append((_decided(rest, ClockTest(test), holds), (*atoms, case)))
        if len(found) + len(waiting) > MOST_PARTS:
            raise TooManyParts
    return tuple(found)


def has_deadlock(formula: StateFormula) -> bool:
    match formula:
        case Deadlock():
            return True
        case Not(operand):
            return has_deadlock(operand)
        case And(operands) | Or(operands):
            return any(map(has_deadlock, operands))
        case _:
            return False


def _tests(formula: StateFormula) -> Iterator[ClockAtom]:
    match formula:
        case ClockTest(atom):
            yield atom
        case Not(operand):
            yield from _tests(operand)
        case And(operands) | Or(operands):
            for operand in operands:
                yield from _tests(operand)
        case _:
            pass


def _decided(formula: StateFormula, test: ClockTest | Deadlock, outcome: Holds) -> StateFormula:
    """The formula where a test has this outcome, without what no longer matters."""
    match formula:
        case ClockTest() | Deadlock():
            return outcome if formula == test else formula
        case Not(operand):
            inner = _decided(operand, test, outcome)
            return _CONSTANTS[inner == _CONSTANTS[False]] if inner in _CONSTANTS else Not(inner)
        case And(operands) | Or(operands):
            absorbing = _CONSTANTS[isinstance(formula, Or)]
            left = [_decided(operand, test, outcome) for operand in operands]
            if absorbing in left:
                return absorbing
            left = [each for each in left if each not in _CONSTANTS]
            return formula.__class__(tuple(left)) if left else _CONSTANTS[isinstance(formula, And)]
        case _:
            return formula


_CONSTANTS = (Holds(FALSE), Holds(TRUE))


def _expression(formula: StateFormula) -> Expression:
    match formula:
        case Holds(expression):
            return expression
        case Not(operand):
            return Unary("!", _expression(operand))
        case And(operands) | Or(operands):
            parts = [_expression(operand) for operand in operands]
            result = parts[0]
            for part in parts[1:]:
                result = Binary("&&" if isinstance(formula, And) else "||", result, part)
            return result
        case _:
            raise ValueError("a formula that is not about integers only")


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
