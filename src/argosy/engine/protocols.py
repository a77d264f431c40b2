"""The contracts of the engine. S is a state, A an action, P a precision.

States are immutable and hashable; only nodes of the reachability graph change. An analysis is a configurable
program analysis ([ABE], section II.B) whose transfer relation is split in two: ``successors`` is cheap and
syntactic, ``adjust`` does what costs (the abstraction), so that the engine can leave out what it already has.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from enum import Enum
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from argosy.basics.budget import Budget
from argosy.basics.records import dataclass
from argosy.engine.reached import Node, Reached

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable, covariant=True)
P = TypeVar("P")
Q = TypeVar("Q", contravariant=True)
T = TypeVar("T", contravariant=True)


class Analysis(Protocol[S, A, Q]):
    """What is explored. Write Conc(s) for the concrete states a state stands for."""

    def initial(self, precision: Q) -> Iterable[S]:
        """Law: every initial concrete state is in Conc(s) of some s."""
        ...

    def successors(self, state: S, precision: Q) -> Iterable[tuple[A, S]]:
        """Law: a concrete step from Conc(state) ends in Conc(t) of some (action, t)."""
        ...

    def adjust(self, state: S, precision: Q) -> S | None:
        """Give up detail that the precision does not ask for. Law: Conc grows; None only where Conc is empty."""
        ...

    def merges(self, state: S) -> bool:
        """May ``state`` be merged with another one at all? (Asked so that nothing is compared in vain.)"""
        ...

    def merge(self, new: S, old: S) -> S:
        """``old`` itself: the two stay apart. Otherwise a state above both. Law: covers(result, old)."""
        ...

    def covers(self, old: S, new: S) -> bool:
        """Law: a preorder; covers(old, new) implies that Conc(new) is included in Conc(old)."""
        ...

    def partition(self, state: S) -> Hashable:
        """Under which key a state is filed. Law: only states of one partition are merged."""
        ...

    def shelters(self, state: S) -> Iterable[Hashable]:
        """The partitions in which a state that covers ``state`` may be filed."""
        ...

    def is_target(self, state: S) -> bool: ...


# What follows are abilities that an analysis, a state or a precision may have besides: each is asked for by
# ``isinstance``, and who has it is seen by the type checker.


@runtime_checkable
class Claiming(Protocol[T]):
    """An analysis whose proofs can be certified says what a state claims: a location of the model and a formula
    that holds in all of Conc(state); None instead of a formula where it claims nothing (inside a block)."""

    def claim(self, state: T) -> tuple[Any, Any]: ...


@runtime_checkable
class Uniting(Protocol[S]):
    """An analysis whose states have unions gives fewer states with the same concrete ones: fewer claims to certify."""

    def unite(self, states: Iterable[S]) -> Iterable[S]: ...


@runtime_checkable
class Sheltering(Protocol[T]):
    """An analysis whose ``shelters`` are not symmetric says as well where the states are filed that ``state`` may
    cover. Asked for only where a new node may replace others, and then told so before anything is explored."""

    def remember_states(self) -> None: ...
    def sheltered(self, state: T) -> Iterable[Hashable]: ...


@runtime_checkable
class Diverging(Protocol[T]):
    """An analysis that can tell from the states it has reached that it will probably not come to an end."""

    def diverges(self, states: Iterable[T]) -> bool: ...


@runtime_checkable
class Abstracting(Protocol):
    """An analysis that counts the abstractions it has computed so far."""

    @property
    def abstractions(self) -> int: ...


@runtime_checkable
class OfAutomaton(Protocol):
    """An analysis of a control-flow automaton, which may have fewer locations than the one it was built for."""

    @property
    def cfa(self) -> Any: ...


@runtime_checkable
class Located(Protocol):
    """A state at a location of an automaton."""

    @property
    def location(self) -> Any: ...


@runtime_checkable
class TrackingTerms(Protocol):
    """A precision that tracks terms at locations."""

    def at(self, location: Any) -> Sequence[Any]: ...


class Frontier(Protocol):
    """The search order over waiting nodes. Law: ``pop`` returns each pushed node that was not removed, once."""

    def push(self, node: Node) -> None: ...
    def pop(self) -> Node: ...
    def remove(self, node: Node) -> None:
        """Forget a waiting node; a node that does not wait is ignored."""
        ...

    def subsumed(self, node: Node, by: Node) -> None:
        """``by`` has taken the place of ``node``; called before the edges move. Orders may act on it."""
        ...

    def __bool__(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Feasible:
    """The target is really reachable: ``trace`` is the sequence of actions, ``model`` whatever shows it."""

    trace: tuple[Any, ...]
    model: Any = None


@dataclass(frozen=True, slots=True)
class Refined(Generic[P]):
    """No target is reachable by the examined traces under ``precision``; ``pivots`` are the first nodes whose
    states must be computed again (none: everything is)."""

    precision: P
    pivots: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Stuck:
    """The refiner knows no precision that excludes the trace."""

    reason: str


class Refiner(Protocol[P]):
    def refine(self, reached: Reached, targets: Sequence[Node], precision: P) -> Feasible | Refined[P] | Stuck:
        """Law (progress): after Refined, at least one of the targets' traces is excluded by the new precision."""
        ...


class Heuristic(Protocol[T]):
    def __call__(self, state: T) -> float:
        """An estimate of the distance to a target; infinity is a dead end."""
        ...


class Observer(Protocol):
    """Statistics, progress, limits. An observer may raise OutOfBudget, and changes nothing."""

    def expanded(self, node: Node, reached: Reached) -> None: ...
    def refined(self, reached: Reached, precision: Any) -> None: ...


@runtime_checkable
class Timed(Protocol):
    """An observer that knows how much time there is."""

    @property
    def budget(self) -> Budget: ...


@runtime_checkable
class Patient(Protocol):
    """An observer that need not see every node: it is told after so many expansions (``patience``), after one with
    which the graph has had so many nodes, and several times a second."""

    def patience(self) -> tuple[int, int]: ...
    def expanded_some(self, number: int, reached: Reached) -> None: ...


class Silent:
    """The observer that does nothing."""

    def expanded(self, node: Node, reached: Reached) -> None:
        pass

    def refined(self, reached: Reached, precision: Any) -> None:
        pass


class Subsumption(Enum):
    """What becomes of reached nodes that a new node covers ([Subsumer], section 2)."""

    KEEP = "keep"
    """They stay; those that still wait are covered when their turn comes."""
    APPEND = "append"
    """They stay, and whatever waits is expanded; a new node is covered when it is created, or never."""
    PRUNE = "prune"
    """The new node replaces them, and all that was derived from them leaves the graph."""
    REPLACE = "replace"
    """The new node replaces them, and what was derived from them stays. Law, as for PRUNE: except for targets, no
    node of the graph covers another."""

    @property
    def replaces(self) -> bool:
        return self in (Subsumption.PRUNE, Subsumption.REPLACE)


class Explorer(Protocol[Q]):
    """Explores in the place of an analysis and a frontier, in a graph of its own: that of the native kernel. Law: node
    by node it is the graph that ``engine.explore`` builds with these, which are its twin."""

    @property
    def reached(self) -> Reached: ...
    def explore(self, precision: Q, stop_after: int, observer: Observer) -> list[Node]:
        """Until ``stop_after`` targets are in the graph (0: until nothing waits). What a pruning takes away waits
        again without being told."""
        ...


@dataclass(frozen=True, slots=True)
class Strategy(Generic[S, A, P]):
    """One configuration of the loop. ``targets`` is the number of targets after which exploration stops to
    refine; 0 means all of them. ``explorer`` makes what explores natively, where there is something."""

    analysis: Analysis[S, A, P]
    frontier: Callable[[], Frontier]
    refiner: Refiner[P]
    precision: P
    targets: int = 1
    subsumption: Subsumption = Subsumption.KEEP
    explorer: Callable[[], Explorer[P]] | None = None
