"""What lanes (``backends.beside``) tell each other while they run: predicates that one tracks, formulas that it found
to be inductive, and up to which bound it met no error.

Law: all of it are candidates. A predicate only says where to look; a formula is assumed by nobody before it is shown to
be inductive again; a bound says where unwinding may begin, and all errors before it are asked about then. So a lane
that says something wrong, or nothing, changes how long others take and no verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from argosy.basics.records import dataclass, field
from argosy.logic.terms import Term
from argosy.models.cfa import Location
from argosy.problem.problem import Subject

MOST = 6
"""Formulas that are taken from others at one location: abstractions become dearer with each."""


@dataclass(frozen=True, slots=True)
class Learned:
    """Formulas at locations of the model as it was read, over its variables or over integers in their place; and how
    many loop heads a path may pass without meeting an error of the ``subject``."""

    formulas: Mapping[Location, tuple[Term, ...]] = field(default_factory=dict)
    subject: Subject | None = None
    depth: int = 0


class Exchange(Protocol):
    """``heard`` gives each thing once, and waits for nothing."""

    def tell(self, learned: Learned) -> None: ...
    def heard(self) -> Iterable[Learned]: ...


class Alone:
    """Nobody else is there."""

    def tell(self, learned: Learned) -> None:
        pass

    def heard(self) -> Iterable[Learned]:
        return ()


class Hearsay:
    """What one lane has from the others, and has told them."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._formulas: dict[Location, dict[Term, None]] = {}
        self._depths: list[tuple[Subject, int]] = []
        self._told: dict[Location, set[Term]] = {}

    def tell(self, formulas: Mapping[Location, Iterable[Term]], subject: Subject | None = None, depth: int = 0) -> None:
        """What is new of it."""
        new: dict[Location, tuple[Term, ...]] = {}
        for location, some in formulas.items():
            told = self._told.setdefault(location, set())
            fresh = tuple(term for term in some if term not in told)
            told.update(fresh)
            if fresh:
                new[location] = fresh
        if new or depth:
            self._exchange.tell(Learned(new, subject, depth))

    def listen(self) -> None:
        for learned in self._exchange.heard():
            for location, terms in learned.formulas.items():
                self._formulas.setdefault(location, {}).update(dict.fromkeys(terms))
            if learned.subject is not None:
                self._depths.append((learned.subject, learned.depth))

    def formulas(self) -> Mapping[Location, tuple[Term, ...]]:
        """The newest last."""
        return {location: tuple(terms) for location, terms in self._formulas.items()}

    def depth(self, subject: Subject) -> int:
        return max((depth for asked, depth in self._depths if asked is subject), default=0)
