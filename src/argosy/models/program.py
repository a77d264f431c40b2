"""What a front end hands over: a model as it was read, and what is known about it besides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from argosy.basics.records import dataclass, field, replace
from argosy.logic.terms import Term
from argosy.models.cfa import Cfa, Location
from argosy.models.contracts import Procedures
from argosy.models.errors import entered, with_errors
from argosy.models.kinds import Errors
from argosy.models.landmarks import Landmarks


@dataclass(frozen=True)
class Program:
    """The automaton ``cfa`` whose error is what ``errors`` selects in ``marked``, and the predicates that the input
    itself suggests at its locations. ``notes`` are the assumptions made while reading, each with the function that it
    is about, if any; ``external`` are the functions that have neither a body here nor a model. ``deeper``: it may be
    read again with a larger bound; ``steep``: as another kind of model, in which what is before this bound is harder to
    find. ``repeats_allocation``: what bounds it is how many blocks there are whose lifetimes are kept account of, and
    nothing else; ``any_number``: there is no such bound, and it is there to be proved, not to find errors. ``cyclic``:
    it does the same for ever, and the rounds of that loop are its steps.
    ``landmarks`` lead back to the text. ``contracted`` gives, where calls make a cycle, the functions of the program
    with everything marked that may be an error, or why there is no such model."""

    cfa: Cfa
    path: str
    marked: Cfa
    errors: Errors = field(default_factory=Errors)
    notes: Mapping[str, str] = field(default_factory=dict)
    external: frozenset[str] = frozenset()
    predicates: Mapping[Location, tuple[Term, ...]] = field(default_factory=dict)
    deeper: bool = False
    steep: bool = False
    repeats_allocation: bool = False
    any_number: bool = False
    cyclic: bool = False
    landmarks: Landmarks | None = None
    contracted: Callable[[], Procedures | str] | None = None

    @cached_property
    def procedures(self) -> Procedures | str | None:
        """The same program with contracts in place of copies of the functions in a cycle of calls."""
        found = None if self.contracted is None else self.contracted()
        return replace(found, cfa=with_errors(found.cfa, self.errors)) if isinstance(found, Procedures) else found

    @cached_property
    def absent(self) -> tuple[str, ...]:
        """The functions that may be entered and have neither a body nor a model."""
        return tuple(sorted(self.external & entered(self.marked, self.errors)))

    @cached_property
    def ledger(self) -> tuple[str, ...]:
        """Every assumption made while reading what may be executed before an error."""
        return tuple(note for note, function in self.notes.items() if not function or function in self.absent)

    def select(self, errors: Errors) -> Program:
        """The same program, asked for other errors. Predicates belong to locations, which are others then."""
        return replace(self, cfa=with_errors(self.marked, errors), errors=errors, predicates={})
