"""Traversals of terms: iterative (terms get deep) and memoised (terms are graphs)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from operator import is_

from argosy.logic import semantics
from argosy.logic.graph import postorder
from argosy.logic.semantics import Value
from argosy.logic.sorts import BOOL
from argosy.logic.terms import Term, Terms

__all__ = ["atoms", "conjuncts", "connected", "evaluate", "postorder", "substitute", "variables"]

_NOTHING: frozenset[Term] = frozenset()


def variables(term: Term) -> frozenset[Term]:
    """The free variables; kept on the term."""
    stack = [term]
    while stack:
        top = stack[-1]
        if top._variables is None:
            missing = [arg for arg in top.args if arg._variables is None]
            if missing:
                stack += missing
                continue
            if top.op == "var":
                top._variables = frozenset((top,))
            elif not top.args:
                top._variables = _NOTHING
            else:
                top._variables = _union([arg._variables or _NOTHING for arg in top.args])
        stack.pop()
    assert term._variables is not None
    return term._variables


def _union(sets: list[frozenset[Term]]) -> frozenset[Term]:
    """Where one contains the others it is their union itself: the terms of a large circuit share few sets."""
    if len(sets) == 1:
        return sets[0]
    largest = max(sets, key=len)
    return largest if all(one <= largest for one in sets) else largest.union(*sets)


def substitute(
    terms: Terms, term: Term, mapping: Mapping[Term, Term], memo: MutableMapping[Term, Term] | None = None
) -> Term:
    """Replace variables (or whole subterms) at once, simplifying on the way. A ``memo`` may be shared between
    calls with the same ``mapping``."""
    if memo is None:
        memo = {}
    known = memo.get(term)
    if known is not None:
        return known
    stack = [term]
    places: dict[Term, int] = {}
    while stack:
        top = stack[-1]
        if top in memo:
            stack.pop()
            continue
        image = mapping.get(top)
        if image is not None:
            memo[top] = image
        elif not top.args:
            memo[top] = top
        elif top.op == "and" or top.op == "or":
            zero = terms.true if top.op == "or" else terms.false
            args, at = top.args, places.get(top, 0)
            while at < len(args) and (image := memo.get(args[at])) is not None and image is not zero:
                at += 1
            if at < len(args) and image is None:
                places[top] = at
                stack.append(args[at])
                continue
            # One part may decide the whole: the others are not looked at.
            memo[top] = zero if at < len(args) else _same_or(terms, top, memo)
        else:
            missing = [a for a in top.args if a not in memo]
            if missing:
                stack.extend(missing)
                continue
            memo[top] = _same_or(terms, top, memo)
        stack.pop()
    return memo[term]


def _same_or(terms: Terms, term: Term, memo: Mapping[Term, Term]) -> Term:
    """The term, or one with what became of its arguments."""
    args = tuple([memo[a] for a in term.args])
    same = all(map(is_, args, term.args))
    return term if same else terms.app(term.op, args, term.payload, term.sort)


def atoms(term: Term) -> list[Term]:
    """The boolean subterms that are neither constants nor built from booleans by connectives, oldest first."""
    found = [
        sub
        for sub in _boolean_part(term)
        if sub.op not in ("not", "and", "or", "const") and not (sub.op == "=" and sub.args[0].sort is BOOL)
    ]
    return sorted(found, key=lambda t: t.id)


def _boolean_part(term: Term) -> Iterator[Term]:
    seen = {term}
    stack = [term]
    while stack:
        top = stack.pop()
        yield top
        for arg in top.args:
            if arg.sort is BOOL and arg not in seen:
                seen.add(arg)
                stack.append(arg)


def conjuncts(term: Term) -> tuple[Term, ...]:
    return term.args if term.op == "and" else (term,)


def evaluate(term: Term, valuation: Mapping[Term, Value]) -> Value:
    """The value of ``term`` when its variables have the given values. KeyError for a variable without one."""
    values: dict[Term, Value] = {}
    for sub in postorder(term):
        if sub.op == "const":
            values[sub] = sub.payload
        elif sub.op == "var":
            values[sub] = valuation[sub]
        else:
            sorts = tuple(a.sort for a in sub.args)
            values[sub] = semantics.apply(sub.op, sub.payload, sorts, tuple(values[a] for a in sub.args))
    return values[term]


def connected(parts: Sequence[Term]) -> list[tuple[Term, ...]]:
    """The parts in groups that share no variables, in the order of their first parts, each in the order of ids."""
    leaders = list(range(len(parts)))

    def leader(number: int) -> int:
        while leaders[number] != number:
            leaders[number] = leaders[leaders[number]]
            number = leaders[number]
        return number

    seen: dict[Term, int] = {}
    for number, part in enumerate(parts):
        for variable in variables(part):
            one, other = leader(seen.setdefault(variable, number)), leader(number)
            leaders[max(one, other)] = min(one, other)
    groups: dict[int, list[Term]] = {}
    for number, part in enumerate(parts):
        groups.setdefault(leader(number), []).append(part)
    return [tuple(sorted(group, key=lambda part: part.id)) for group in groups.values()]
