"""What a strategy is built from: the model it runs on and the means it may use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from argosy.domains.precision import Precision
from argosy.logic.solvers import Solvers
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Cfa, Location, Reading


@dataclass(frozen=True)
class Setting:
    """``cfa`` is the reduced automaton, over integers or over bit-vectors as ``arithmetic`` says; ``counterpart``
    is the same automaton over integers where there is one: its edges stand for the same edges as read.
    ``predicates`` are known from an earlier run and may start the precision."""

    cfa: Cfa
    solvers: Solvers
    reading: Reading
    arithmetic: Literal["int", "bits"]
    options: Mapping[str, str] = field(default_factory=dict)
    predicates: Mapping[Location, tuple[Term, ...]] = field(default_factory=dict)
    time_left: float | None = None

    @property
    def terms(self) -> Terms:
        return self.cfa.terms

    def precision(self, granularity: str) -> Precision:
        """The initial precision: what is known already."""
        assert granularity in ("local", "function", "global")
        return Precision(granularity).join(self.predicates.items())  # type: ignore[arg-type]
