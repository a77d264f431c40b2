"""The contract of the backends: a problem and a plan in, an answer for each subject out.

A backend decides one kind of model. It returns claims and paths as objects (terms, locations, edges, values), never as
text, so that any exporter can be written from them. What it says was certified on the model as read, or is UNKNOWN with
a reason; ``Plan.certify`` switches that off.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from argosy.backends.course import Course
from argosy.backends.exchange import Alone, Exchange
from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.position import Position
from argosy.basics.records import dataclass, field
from argosy.certify.replay import Replayed
from argosy.logic.terms import Term
from argosy.models.cfa import Cfa, Edge, Location
from argosy.models.contracts import Contract, Signature
from argosy.problem.problem import REQUIREMENT, Problem, Subject

SAFE = "safe"
UNSAFE = "unsafe"
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Invariant:
    """What holds at the locations of the model as read: at each one of the formulas, for all values of the ``bound``
    variables. ``script`` gives the obligations as SMT-LIB, where they were checked. ``contracts`` are those of the
    functions that the automaton has no copies of, each with what it is about."""

    cfa: Cfa
    claims: Mapping[Location, Sequence[Term]]
    script: Callable[[], str] | None = None
    bound: tuple[Term, ...] = ()
    contracts: tuple[tuple[Signature, Contract], ...] = ()


@dataclass(frozen=True, slots=True)
class Execution:
    """An execution of the model as read, replayed step by step."""

    cfa: Cfa
    replayed: Replayed


@dataclass(frozen=True, slots=True)
class Path:
    """A path of the model as read that nobody replayed."""

    cfa: Cfa
    edges: Sequence[Edge]


@dataclass(frozen=True, slots=True)
class TimedRun:
    """A run of a ``models.network.Network`` with exact time stamps, as moments of ``certify.timed_replay``; the zone
    ``zones[k]`` belongs to the state after k actions. ``last`` are the edges of an action that ended in a model error,
    with the delay before them and the time. ``repeats`` is the moment from which on the run repeats itself for ever,
    and
    ``recurring`` the clock values (as zones) from which it can; ``ending`` says of a run that is maximal as it is why.
    (Programs do not load what networks are made of.)"""

    network: Any
    moments: Sequence[Any]
    zones: Sequence[Any]
    last: tuple[Sequence[Any], Any, Any] | None = None
    repeats: int | None = None
    recurring: Sequence[Any] = ()
    ending: str | None = None


Evidence = Invariant | Execution | Path | TimedRun


@dataclass(frozen=True, slots=True)
class Assumption:
    """Executions that do a thing of this kind at these places were not looked at."""

    kind: str
    positions: tuple[Position, ...]
    words: str
    check_with: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said of one subject. Law: a reason exactly where the verdict is unknown."""

    subject: Subject
    verdict: str
    reason: str | None = None
    certificate: str | None = None
    evidence: Evidence | None = None
    statistics: Mapping[str, float] = field(default_factory=dict)
    strategy: Mapping[str, str] = field(default_factory=dict)
    assumptions: tuple[Assumption, ...] = ()
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    course: Course = field(default_factory=Course, compare=False)

    def __post_init__(self) -> None:
        if (self.reason is None) != (self.verdict != UNKNOWN):
            raise ValueError("a reason belongs to an unknown verdict, and to no other")


class Listener(Protocol):
    """Who hears how far a run is; ``is_due`` says whether an update would be heard now. ``keep`` hands over what is
    answered so far, should the run have to be killed. ``look`` comes with an update where the course of a run is
    written down, with a way to see what was learned and the graph as it is: who watches takes it, nobody else pays."""

    def is_due(self, phase: str) -> bool: ...
    def update(self, phase: str, **counts: float) -> None: ...
    def keep(self, answers: Sequence[Answer]) -> None: ...
    def look(self, glance: Callable[[], Course]) -> None: ...


class Deaf:
    def is_due(self, phase: str) -> bool:
        return False

    def update(self, phase: str, **counts: float) -> None:
        pass

    def keep(self, answers: Sequence[Answer]) -> None:
        pass

    def look(self, glance: Callable[[], Course]) -> None:
        pass


Way = TypeVar("Way")


@dataclass(frozen=True, slots=True)
class Lane:
    """One of several runs side by side (``backends.beside``): which of the ways to an answer it goes."""

    number: int
    count: int

    def own(self, ways: Sequence[Way]) -> Sequence[Way]:
        """Every way belongs to one lane; where there are fewer of them than lanes, some are gone twice."""
        return ways[self.number :: self.count] or [ways[self.number % len(ways)]]

    @property
    def without_first(self) -> Lane | None:
        """The same lane, where the first one goes another way alone."""
        return Lane(self.number - 1, self.count - 1) if self.count > 2 else None


@dataclass(frozen=True, slots=True)
class Plan:
    """How a problem is to be decided. ``strategy`` is a name or, in the same process, a function that builds one;
    ``options`` override single choices of it. ``certify_with`` names a solver that has to confirm every SAFE from the
    text of its certificate. ``each``: every assertion has its own answer. ``record``: somebody wants to see how the run
    went. ``jobs`` is how many processes may work on it at the same time, ``lane`` which part of the strategy is this
    one's, and ``exchange`` what connects it with the others."""

    strategy: Any = "auto"
    options: Mapping[str, str] = field(default_factory=dict)
    arithmetic: str = "auto"
    signed_overflow: str = "undefined"
    budget: Budget = UNLIMITED
    seed: int = 0
    certify: bool = True
    certify_with: str | None = None
    each: bool = False
    record: bool = False
    listener: Listener = field(default_factory=Deaf)
    jobs: int = 1
    lane: Lane | None = None
    exchange: Exchange = field(default_factory=Alone)

    @property
    def strategy_name(self) -> str:
        if isinstance(self.strategy, str):
            return self.strategy
        return str(getattr(self.strategy, "__name__", type(self.strategy).__name__))


class Backend(Protocol):
    """Law: an answer for each subject of the problem (or, with ``each``, for each part of one), in their order."""

    def __call__(self, problem: Problem, plan: Plan) -> Sequence[Answer]: ...


def overall(answers: Sequence[Answer]) -> tuple[str, list[Answer]]:
    """UNSAFE if any is, else UNKNOWN if any is, else SAFE; and the answers that have this verdict. A requirement is
    unsafe where it is violated: a state that is to be reached, and is, does no harm."""

    def counted(answer: Answer) -> str:
        met = answer.subject.satisfied(answer.verdict) if answer.subject.kind == REQUIREMENT else None
        return answer.verdict if met is None else SAFE if met else UNSAFE

    verdicts = [counted(answer) for answer in answers]
    verdict = next((v for v in (UNSAFE, UNKNOWN) if v in verdicts), SAFE)
    return verdict, [answer for answer, own in zip(answers, verdicts, strict=True) if own == verdict]
