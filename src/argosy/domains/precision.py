"""Precisions: which predicates (or variables) are tracked where ([Theta], sections 2.1.3 and 2.2.3).

One class serves both domains, since a precision is a set of terms per scope: predicates are boolean terms, tracked
variables are variable terms. The granularity says what a scope is.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Literal

from argosy.basics.records import dataclass, field
from argosy.logic.terms import Term
from argosy.models.cfa import Location

Granularity = Literal["local", "function", "global"]
GRANULARITIES: tuple[Granularity, ...] = ("local", "function", "global")


@dataclass(frozen=True, slots=True)
class Precision:
    """An immutable map from scopes to terms, oldest first. Law: ``join`` only adds."""

    granularity: Granularity = "local"
    tracked: Mapping[Hashable, tuple[Term, ...]] = field(default_factory=dict)

    def scope(self, location: Location) -> Hashable:
        match self.granularity:
            case "local":
                return location
            case "function":
                return location.function
        return None

    def at(self, location: Location) -> tuple[Term, ...]:
        return self.tracked.get(self.scope(location), ())

    def join(self, additions: Iterable[tuple[Location, Iterable[Term]]]) -> Precision:
        """This precision and more; itself where there is nothing new."""
        tracked = dict(self.tracked)
        grown = False
        for location, terms in additions:
            scope = self.scope(location)
            known = dict.fromkeys(tracked.get(scope, ()))
            before = len(known)
            known.update(dict.fromkeys(terms))
            if len(known) > before:
                tracked[scope] = tuple(known)
                grown = True
        return Precision(self.granularity, tracked) if grown else self

    def terms(self) -> list[Term]:
        """Everything tracked anywhere, without repetition."""
        return list(dict.fromkeys(term for terms in self.tracked.values() for term in terms))

    def __len__(self) -> int:
        return len(self.terms())
