"""What a strategy is built from: the model it runs on and the means it may use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from argosy.domains.precision import Precision
from argosy.engine.protocols import Observer, Silent
from argosy.logic.solvers import Solvers, SortKind
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Cfa, Location, Reading


@dataclass(frozen=True)
class Setting:
    """``cfa`` is the reduced automaton, over integers, rationals or bit-vectors as ``arithmetic`` says; ``predicates``
    are known from an earlier run and may start the precision; ``observer`` is for work that a part of the loop does
    with the loop itself."""

    cfa: Cfa
    solvers: Solvers
    reading: Reading
    arithmetic: SortKind
    options: Mapping[str, str] = field(default_factory=dict)
    predicates: Mapping[Location, tuple[Term, ...]] = field(default_factory=dict)
    observer: Observer = field(default_factory=Silent)

    @property
    def terms(self) -> Terms:
        return self.cfa.terms

    def precision(self, granularity: str) -> Precision:
        """The initial precision: what is known already."""
        assert granularity in ("local", "function", "global")
        return Precision(granularity).join(self.predicates.items())  # type: ignore[arg-type]
