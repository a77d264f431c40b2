"""How a run went, for people who want to see it: its phases with their time, what each refinement learned, and the last
abstract reachability graph. A picture, not evidence; only the phases are kept where nobody asked for more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from argosy.basics.records import dataclass
from argosy.logic.terms import Term
from argosy.models.cfa import Location


@dataclass(frozen=True, slots=True)
class PhaseRun:
    """A stage of the analysis, or what comes before and after: reducing, certifying, shortening."""

    name: str
    seconds: float
    nodes: int = 0
    refinements: int = 0


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a refinement added to the precision, by location: predicates, or variables whose values are tracked."""

    phase: str
    number: int
    terms: Mapping[Location, Sequence[Term]]


@dataclass(frozen=True, slots=True)
class AbstractNode:
    """``parents`` are indices into the graph, each with the text of the step from there, the one that it was derived
    from first; ``coverer`` is one, too. ``passed``: it lies on the way to the target. ``first`` and ``last`` are the
    numbers of the graphs that have it (see ``Course.graphs``)."""

    number: int
    location: Location | None
    formula: Term | None
    parents: tuple[tuple[int, str], ...]
    coverer: int | None
    target: bool
    passed: bool
    first: int = 1
    last: int = 1


@dataclass(frozen=True, slots=True)
class Course:
    """``size`` is how many nodes the last graph had, of which ``graph`` has all, or the oldest. Where it is not too
    much, it also has what refinements took away: of ``graphs`` graphs, each but the last is what a refinement found."""

    phases: Sequence[PhaseRun] = ()
    lessons: Sequence[Lesson] = ()
    graph: Sequence[AbstractNode] = ()
    size: int = 0
    graphs: int = 1
