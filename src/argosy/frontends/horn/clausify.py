"""From a formula to clauses: disjunctions of applications and terms, one at a time.

An assertion is a conjunction of clauses, written in many ways: ``=>``, ``or`` and ``not``, nested quantifiers,
conjunctions on the right-hand side. A partial clause is a list of what is still to be taken apart; a conjunction in it
is one partial clause for each of its parts. Nothing is recursive.
"""

from __future__ import annotations

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.logic.formulas import Application, Binder, Complement, Formula, Junction, Predicate
from argosy.logic.graph import postorder
from argosy.logic.terms import Term, Terms
from argosy.models.clauses import HornClause

# Conjunctions inside disjunctions multiply.
MOST_CLAUSES = 20_000
MOST_STEPS = 500_000

# What is still to be taken apart, as a list without copies: a formula, whether it counts as it is, and the rest.
_Pending = tuple[Formula, bool, "_Pending | None"]
_Partial = tuple["_Pending | None", tuple[Application, ...], tuple[Application, ...], tuple[Term, ...]]


def clauses_of(terms: Terms, formula: Formula, position: Position) -> list[HornClause]:
    """The clauses whose conjunction is the formula, closed under universal quantification."""
    found: list[HornClause] = []
    waiting: list[_Partial] = [((formula, True, None), (), (), ())]
    steps = 0
    while waiting:
        pending, body, heads, pure = waiting.pop()
        while pending is not None:
            steps += 1
            if steps > MOST_STEPS or len(found) + len(waiting) > MOST_CLAUSES:
                raise UnsupportedError(position, f"an assertion of more than {MOST_CLAUSES} clauses")
            part, positive, pending = pending
            match part:
                case Term():
                    pure = (*pure, part if positive else terms.not_(part))
                case Application():
                    if positive:
                        heads = (*heads, part)
                    else:
                        body = (*body, part)
                case Complement(of):
                    pending = (of, not positive, pending)
                case Binder(universal, _, of):
                    if universal != positive:
                        word = "forall" if universal else "exists"
                        raise UnsupportedError(position, f"{word} where a clause would need the other quantifier")
                    pending = (of, positive, pending)
                case Junction(conjunctive, parts) if conjunctive == positive:
                    for each in reversed(parts[1:]):
                        waiting.append(((each, positive, pending), body, heads, pure))
                    pending = (parts[0], positive, pending)
                case Junction(_, parts):
                    for each in reversed(parts):
                        pending = (each, positive, pending)
        clause = _clause(terms, body, heads, pure, position)
        if clause is not None:
            found.append(clause)
    return found


def _clause(
    terms: Terms,
    body: tuple[Application, ...],
    heads: tuple[Application, ...],
    pure: tuple[Term, ...],
    position: Position,
) -> HornClause | None:
    heads = tuple(dict.fromkeys(heads))
    if len(heads) > 1:
        names = " and ".join(dict.fromkeys(head.predicate.name for head in heads))
        raise InputError(position, f"not a Horn clause: {names} on its right-hand side")
    constraint = terms.not_(terms.disjunction(pure))
    if constraint is terms.false:
        return None
    check_division(constraint, position)
    for application in (*body, *heads):
        for argument in application.arguments:
            check_division(argument, position)
    return HornClause(tuple(dict.fromkeys(body)), constraint, heads[0] if heads else None, position)


def check_division(term: Term, position: Position) -> None:
    """Numbers are divided by what is not zero only: SMT-LIB leaves open what else would be."""
    for sub in postorder(term):
        if sub.op in ("div", "mod", "/") and not (sub.args[1].is_const and sub.args[1].value != 0):
            raise UnsupportedError(position, "division by what may be zero, which has any value in SMT-LIB")


def predicates_of(clauses: list[HornClause], declared: list[Predicate]) -> tuple[Predicate, ...]:
    """Those that are declared and used."""
    used = {each.predicate for c in clauses for each in (*c.body, *((c.head,) if c.head is not None else ()))}
    return tuple(predicate for predicate in declared if predicate in used)
