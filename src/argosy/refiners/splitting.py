"""How an interpolant becomes predicates (paper 002, section 3.1.3): atoms, conjuncts, or the whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from argosy.logic.terms import Term
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
