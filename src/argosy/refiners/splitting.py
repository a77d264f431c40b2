"""How an interpolant becomes predicates ([Theta], section 3.1.3): atoms, conjuncts, or the whole.

A predicate and its negation are one predicate, except for a conjunctive abstraction, which tracks what it is given:
``signed_splits`` keep the sign with which a part occurs, and make two bounds of an equation between numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from argosy.logic.sorts import INT, REAL
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import atoms, conjuncts

Split = Callable[[Term], list[Term]]


def positive(term: Term) -> Term:
    """A predicate and its negation are one predicate."""
    return term.args[0] if term.op == "not" else term


def whole(term: Term) -> list[Term]:
    return [positive(term)]


def by_conjuncts(term: Term) -> list[Term]:
    return list(dict.fromkeys(positive(part) for part in conjuncts(term)))


SPLITS: Mapping[str, Split] = {"atoms": atoms, "conjuncts": by_conjuncts, "whole": whole}


def literals(terms: Terms, term: Term) -> list[Term]:
    """The atoms of ``term``, with the signs that they have in its negation normal form."""
    found: dict[Term, None] = {}
    seen: set[tuple[Term, bool]] = set()
    stack = [(term, True)]
    while stack:
        part, sign = stack.pop()
        if (part, sign) in seen:
            continue
        seen.add((part, sign))
        match part.op:
            case "not":
                stack.append((part.args[0], not sign))
            case "and" | "or":
                stack.extend((arg, sign) for arg in reversed(part.args))
            case _:
                inner = [atom for atom in atoms(part) if atom is not part]
                if inner:
                    # Below an equivalence or a choice both signs occur.
                    found.update(dict.fromkeys((*inner, *map(terms.not_, inner))))
                else:
                    found.update(dict.fromkeys(bounds(terms, part if sign else terms.not_(part))))
    return [literal for literal in found if not literal.is_const]


def bounds(terms: Terms, part: Term) -> list[Term]:
    """An equation between numbers as two bounds, anything else as it is."""
    if part.op == "=" and part.args[0].sort in (INT, REAL):
        one, other = part.args
        return [terms.le(one, other), terms.le(other, one)]
    return [part]


def signed_splits(terms: Terms) -> Mapping[str, Split]:
    """The splits by name, with signs. A conjunction of literals does not say what a disjunction of them says: that is
    kept beside its atoms."""

    def by_literals(term: Term) -> list[Term]:
        compound = [part for part in conjuncts(term) if len(literals(terms, part)) > len(bounds(terms, part))]
        return list(dict.fromkeys((*literals(terms, term), *compound)))

    def by_signed_conjuncts(term: Term) -> list[Term]:
        return list(dict.fromkeys(bound for part in conjuncts(term) for bound in bounds(terms, part)))

    return {"atoms": by_literals, "conjuncts": by_signed_conjuncts, "whole": lambda term: [term]}
