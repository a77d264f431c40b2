"""What a certificate claims at one location, prepared for being checked.

A claim is a formula; the states of the location are claimed to be in the union of its claims. Claims that fix
variables to constants (explicit values, most predicates of state machines) are found by looking up these constants,
so that thousands of them at one location cost a solver nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from argosy.basics.records import dataclass
from argosy.certify.encoding import Store
from argosy.certify.meanings import determined
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts, substitute, variables


@dataclass(frozen=True, slots=True)
class Claim:
    """``index`` is its place in the certificate; ``bindings`` are the variables it fixes, ``rest`` its other conjuncts,
    in which these values are put in."""

    index: int
    formula: Term
    bindings: Mapping[Term, Term]
    rest: tuple[Term, ...]


def taken_apart(terms: Terms, index: int, formula: Term) -> Claim:
    bindings: dict[Term, Term] = {}
    rest: list[Term] = []
    for part in conjuncts(formula):
        fixed = determined(terms, part)
        if fixed is None or fixed[0] in bindings:
            rest.append(part)
        else:
            bindings[fixed[0]] = fixed[1]
    remaining = substitute(terms, terms.conjunction(rest), bindings)
    return Claim(index, formula, bindings, () if remaining is terms.true else conjuncts(remaining))


class Claims:
    """The claims of one location."""

    def __init__(self, terms: Terms, formulas: Iterable[Term]) -> None:
        self.terms = terms
        kept: dict[Term, int] = {}
        for index, formula in enumerate(formulas):
            if formula is not terms.false:
                kept.setdefault(formula, index)
        self.claims: Sequence[Claim] = [taken_apart(terms, index, formula) for formula, index in kept.items()]
        self.everything = terms.true in kept
        self.variables: frozenset[Term] = frozenset().union(*(variables(formula) for formula in kept))
        self._groups: dict[tuple[Term, ...], dict[Store, list[Claim]]] = {}
        for claim in self.claims:
            names = tuple(sorted(claim.bindings, key=lambda variable: variable.id))
            values = tuple(claim.bindings[name] for name in names)
            self._groups.setdefault(names, {}).setdefault(values, []).append(claim)

    def outside(self, live: Sequence[Term], store: Store) -> Term:
        """The condition under which the state in ``store`` (the values of ``live``) is in none of the claims."""
        if self.everything:
            return self.terms.false
        mapping = dict(zip(live, store, strict=True))
        memo: dict[Term, Term] = {}
        inside: list[Term] = []
        for claim in self._candidates(mapping):
            held = substitute(self.terms, claim.formula, mapping, memo)
            if held is self.terms.true:
                return self.terms.false
            inside.append(held)
        return self.terms.not_(self.terms.disjunction(inside))

    def _candidates(self, mapping: Mapping[Term, Term]) -> Iterable[Claim]:
        """The claims whose constants do not contradict those of the store; the certain ones come first."""
        uncertain: list[Claim] = []
        for names, table in self._groups.items():
            values = tuple(mapping.get(name, name) for name in names)
            constant = [i for i, value in enumerate(values) if value.op == "const"]
            if len(constant) == len(names):
                found = table.get(values, ())
                uncertain.extend(claim for claim in found if claim.rest)
                yield from (claim for claim in found if not claim.rest)
            else:
                for key, claims in table.items():
                    if all(key[i] is values[i] for i in constant):
                        uncertain.extend(claims)
        yield from uncertain
