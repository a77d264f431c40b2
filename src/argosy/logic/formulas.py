"""Formulas in which predicates and quantifiers occur: what Horn clauses are written in before they are clauses.

A part without predicates and quantifiers is a ``Term``, as large as can be. Nothing here decides anything: such a
formula is taken apart (``frontends.horn``) until only terms and applications are left.
"""

from __future__ import annotations

from collections.abc import Iterable

from argosy.basics.records import dataclass
from argosy.logic.sorts import BOOL, Sort
from argosy.logic.terms import Term, Terms


@dataclass(frozen=True, slots=True, eq=False)
class Predicate:
    """An unknown relation over values of the given sorts. Identity is the predicate."""

    name: str
    sorts: tuple[Sort, ...]
    line: int = 0
    column: int = 0

    def __repr__(self) -> str:
        return f"{self.name}/{len(self.sorts)}"


@dataclass(frozen=True, slots=True)
class Application:
    """The predicate holds of the arguments."""

    predicate: Predicate
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Junction:
    """All of the parts (``conjunctive``), or one of them."""

    conjunctive: bool
    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Complement:
    of: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Binder:
    """For all values of the variables (``universal``), or for some. The variables occur nowhere else."""

    universal: bool
    variables: tuple[Term, ...]
    of: Formula


Formula = Term | Application | Junction | Complement | Binder


def complement(terms: Terms, formula: Formula) -> Formula:
    match formula:
        case Term():
            return terms.not_(formula)
        case Complement(of):
            return of
    return Complement(formula)


def junction(terms: Terms, conjunctive: bool, parts: Iterable[Formula]) -> Formula:
    """The terms among the parts are one part."""
    own = list(parts)
    pure = [part for part in own if isinstance(part, Term)]
    others: list[Formula] = [part for part in own if not isinstance(part, Term)]
    together = terms.conjunction(pure) if conjunctive else terms.disjunction(pure)
    if not others or together is terms.boolean(not conjunctive):
        return together
    if together is not terms.boolean(conjunctive):
        others.append(together)
    return others[0] if len(others) == 1 else Junction(conjunctive, tuple(others))


def is_boolean(formula: Formula) -> bool:
    return not isinstance(formula, Term) or formula.sort is BOOL
