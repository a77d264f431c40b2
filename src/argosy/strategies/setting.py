"""What a strategy is built from: the model it runs on and the means it may use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.records import dataclass, field
from argosy.domains.precision import Granularity, Precision
from argosy.engine.protocols import Observer, Silent, Timed
from argosy.logic.solver import Solver
from argosy.logic.solvers import Solvers, SortKind, Work
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Cfa, Location, Reading
from argosy.models.contracts import Procedures
from argosy.options.declared import Options
from argosy.options.values import Tracking

if TYPE_CHECKING:
    from argosy.invariants.discovery import Discovery
    from argosy.models.cells import Cells

O_co = TypeVar("O_co", bound=Options, covariant=True)

_NONE: Any = Options()


@dataclass(frozen=True)
class Setting(Generic[O_co]):
    """``cfa`` is the reduced automaton, over integers, rationals or bit-vectors as ``arithmetic`` says; ``options`` are
    those of the strategy (of one's own strategy: none); ``predicates`` are known from an earlier run and may start the
    precision; ``observer`` is for work that a part of the loop does with the loop itself. ``procedures`` is the same
    program without copies of the functions in a cycle of calls, on the same arithmetic, where there is such a cycle and
    the strategy can make use of it. ``cells`` are what stands for arrays in ``cfa``, where it has none because of
    them. ``candidates`` are formulas that somebody else found of use, and ``depth`` up to which bound others met no
    error: neither is to be believed. ``discoveries`` are the invariants that earlier stages found at locations, on
    integers: nobody looks for them twice."""

    cfa: Cfa
    solvers: Solvers
    reading: Reading
    arithmetic: SortKind
    options: O_co = _NONE
    predicates: Mapping[Location, tuple[Term, ...]] = field(default_factory=dict)
    observer: Observer = field(default_factory=Silent)
    procedures: Procedures | None = None
    cells: Cells | None = None
    candidates: Mapping[Location, tuple[Term, ...]] = field(default_factory=dict)
    depth: int = 0
    discoveries: dict[frozenset[Location], Discovery] = field(default_factory=dict)

    @property
    def terms(self) -> Terms:
        return self.cfa.terms

    @property
    def budget(self) -> Budget:
        """What a part of the loop may use; it is asked for when it is needed, since it is that of the stage."""
        return self.observer.budget if isinstance(self.observer, Timed) else UNLIMITED

    def solver(self, work: Work) -> Solver:
        """For questions that may be hard: none may take more than the stage has. Those about abstractions on integers
        are many and easy, and a clock for each of them costs more than it saves."""
        limited = work == "trace" or self.arithmetic == "bits"
        return self.solvers.create(work, self.arithmetic, time_limit=(lambda: self.budget.seconds) if limited else None)

    def precision(self, granularity: Tracking) -> Precision:
        """The initial precision: what is known already."""
        return Precision(cast(Granularity, granularity.word)).join(self.predicates.items())
