"""The native search for a maximal run that stays among the states of a formula (``cpp/lasso.hpp``): what is asked of it
and what comes back.

First with zones that stand for all smaller ones: that is quick, and a graph without cycles is a proof. What it finds
may have no run (``kernel/lasso`` tells); then the search is made once more, with zones that stand for themselves only,
where every cycle has one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import IntEnum

from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.position import NOWHERE
from argosy.basics.records import dataclass
from argosy.kernel import _zones
from argosy.kernel.dbm import INFINITY
from argosy.kernel.search import Failed, Statistics, Stopped, processor_and_wall
from argosy.kernel.tables import compile_network
from argosy.models.network import Network, TimedEdge
from argosy.models.network_queries import Stay


class Micro(IntEnum):
    """What happens at one moment. The parts of the formula are numbered; a run enters one where it begins to stay
    (``ARM``) and comes into another by an action or by waiting: then the moment between them belongs to the part before
    it, or to the one after it."""

    ACTION = 0
    ARM = 1
    CROSS_BEFORE = 2
    CROSS_AFTER = 3
    TICK = 4


@dataclass(frozen=True, slots=True)
class MicroStep:
    """``part``: where the run is afterwards; -1 before it begins to stay."""

    kind: Micro
    part: int
    edges: tuple[TimedEdge, ...] = ()


@dataclass(frozen=True, slots=True)
class StayFound:
    """A path, and a cycle from where it ends; without one the run may end there. With a deadline: the run has settled
    after the first ``settles`` steps of the path."""

    prefix: tuple[MicroStep, ...]
    cycle: tuple[MicroStep, ...]
    statistics: Statistics
    settles: int = 0


@dataclass(frozen=True, slots=True)
class NoneStays:
    """There is no such run; what is stored shows it."""

    statistics: Statistics


StayOutcome = StayFound | NoneStays | Stopped | Failed


class ZoneMerging(IntEnum):
    """The two searches."""

    INCLUDED = 0
    EXACT = 1

    @property
    def words(self) -> str:
        return ("depth-first, inclusion", "depth-first, equality")[self]


class StaySearch:
    """With a ``deadline`` (a bound as in ``dbm``) only runs count that have settled by then (``cpp/settling.hpp``);
    what is stored is no certificate then."""

    CHUNK = 4_000

    def __init__(
        self,
        network: Network,
        stay: Stay,
        *,
        merging: ZoneMerging = ZoneMerging.EXACT,
        budget: Budget = UNLIMITED,
        store_bytes: int = 0,
        deadline: int = INFINITY,
    ) -> None:
        self.network = network
        self.stay = stay
        premises, parts, dead = stay.premises, stay.parts, stay.dead_parts
        goals = (*premises, *parts, *(dead or ()))
        hurries = deadline < INFINITY
        self.compiled = compile_network(network, goals, measure_time=hurries, bisimilar=True, ticks=stay.diverging)
        self._search = _zones.LassoSearch(
            self.compiled.model,
            len(premises),
            len(parts),
            dead is not None,
            merging < ZoneMerging.EXACT,
            len(network.clocks) + hurries if stay.diverging else 0,
            deadline,
        )
        self._budget = budget
        self._store_bytes = store_bytes

    def run(self, tick: Callable[[int, int], None] | None = None) -> StayOutcome:
        outcome = self._search.run(*processor_and_wall(self._budget), self._store_bytes, tick)
        statistics = Statistics(
            outcome.stored, outcome.visited, outcome.transitions, 0, outcome.bytes, outcome.seconds, 0.0, 0
        )
        match outcome.status:
            case "none":
                return NoneStays(statistics)
            case "stopped":
                return Stopped(outcome.reason, statistics)
            case "error":
                position = self.compiled.positions.get(outcome.fault_pc, NOWHERE)
                trace = tuple(map(self._edges, outcome.trace))
                return Failed(_zones.FAULTS[outcome.fault], position, trace, statistics)
            case _:
                return StayFound(self._steps(outcome.prefix), self._steps(outcome.cycle), statistics, outcome.settles)

    def exported(self) -> Iterator[bytes]:
        """What is stored, for a certifier, in portions."""
        for first in range(0, len(self._search), self.CHUNK):
            yield self.portion(first, min(first + self.CHUNK, len(self._search)))

    def portion(self, first: int, end: int) -> bytes:
        """What is stored with numbers from ``first`` up to ``end``."""
        return self._search.exported(first, end)

    def __len__(self) -> int:
        return len(self._search)

    def _steps(self, rows: list[tuple[int, int, list[tuple[int, int]]]]) -> tuple[MicroStep, ...]:
        """An action with a tick is two steps, at one moment or not: between them nothing happens."""
        steps: list[MicroStep] = []
        before = rows[-1][1] if rows else -1
        for kind, part, edges in rows:
            if kind == Micro.TICK:
                steps.append(MicroStep(Micro.TICK, before))
            steps.append(MicroStep(Micro.ACTION if edges else Micro(kind), part, self._edges(edges)))
            before = part
        return tuple(steps)

    def _edges(self, steps: list[tuple[int, int]]) -> tuple[TimedEdge, ...]:
        return tuple(self.network.processes[process].edges[edge] for process, edge in steps)
