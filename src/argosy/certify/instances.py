"""Claims about all indices: ``forall k: P(k)`` is taken by a proof for as many indices as it needs.

A quantified claim is a formula with ``bound`` variables, which the model does not have. Whatever the claim is worth at
the source of a block is a conjunction of instances; at the target it is denied for one value of the bound variables,
which keep their names for that (Skolem's constants). So the formula of the claim itself is the instance at this value,
and the others are those at the indices that the block reads or writes. Law: if a conjunction with some instances has no
model, the one with the quantified claim has none. (That no model is left with finitely many instances is not always
so where it is with all of them: then the claim is not certified.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice, product

from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import postorder, substitute, variables

# More instances than that are not tried: a solver has to look at all of them.
MOST = 48


def indices(formulas: Iterable[Term], bound: Sequence[Term]) -> list[Term]:
    """The terms at which arrays are read or written, of the sorts of the bound variables, without these themselves."""
    sorts = {variable.sort for variable in bound}
    found: dict[Term, None] = {}
    for sub in postorder(*formulas):
        if sub.op in ("select", "store"):
            # An index that is made of parts is one itself where an address is cut and joined.
            places = dict.fromkeys((sub.args[1], *parts(sub.args[1])))
            found.update(dict.fromkeys(place for place in places if place.sort in sorts and place not in bound))
    return list(found)


def parts(index: Term) -> list[Term]:
    """The index itself, or what it is concatenated of."""
    return [part for argument in index.args for part in parts(argument)] if index.op == "concat" else [index]


def instances(terms: Terms, claimed: Term, bound: Sequence[Term], formulas: Sequence[Term]) -> list[Term]:
    """``claimed`` at the indices of ``formulas``, and then at those that such instances read at."""
    if variables(claimed).isdisjoint(bound):
        return []
    found: dict[Term, None] = {}
    for _ in range(2):
        places = indices((*formulas, *found), bound)
        before = len(found)
        choices = product(*([v, *(place for place in places if place.sort is v.sort)] for v in bound))
        for choice in islice(choices, 1, MOST):
            found.setdefault(substitute(terms, claimed, dict(zip(bound, choice, strict=True))))
        if len(found) == before:
            break
    return list(found)
