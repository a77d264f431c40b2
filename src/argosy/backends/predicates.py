"""Predicates that are carried from one stage of a run to the next: found by refinement, or given with the input."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import variables
from argosy.logic.widen import to_bits
from argosy.models.cfa import Location, Variable
from argosy.models.program import Program
from argosy.models.reduce import Reduced


def remember(known: dict[Location, tuple[Term, ...]], found: Mapping[Location, tuple[Term, ...]]) -> None:
    for location, predicates in found.items():
        both = dict.fromkeys((*known.get(location, ()), *predicates))
        if both:
            known[location] = tuple(both)


def in_bits(terms: Terms, predicates: Iterable[Term], declared: Mapping[str, Variable]) -> tuple[Term, ...]:
    """Those of them that bits can say, and that say something there."""
    widened = (to_bits(terms, predicate, declared) for predicate in predicates)
    return tuple(dict.fromkeys(w for w in widened if w is not None and not w.is_const))


def suggested(program: Program, reduced: Reduced) -> dict[Location, tuple[Term, ...]]:
    """The predicates of the input, where the reduced model can track them."""
    found: dict[Location, dict[Term, None]] = {}
    for location, predicates in program.predicates.items():
        at = reduced.representative.get(location)
        if at is not None:
            kept = (p for p in predicates if variables(p) <= reduced.relevant)
            found.setdefault(at, {}).update(dict.fromkeys(kept))
    return {location: tuple(predicates) for location, predicates in found.items() if predicates}
