"""Reachability in a network by the native search: what is asked, and what comes back.

``shortest`` promises a trace with as few actions as possible; it holds for ``BREADTH_FIRST``, and for ``A_STAR`` with
a heuristic that never overestimates. ``FASTEST`` finds a trace that takes the least time (in the limit, where only
strict bounds separate it from that time).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf

from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.position import NOWHERE, Position
from argosy.basics.records import dataclass
from argosy.kernel import _zones
from argosy.kernel.bounds import Unsupported, symmetric_bounds
from argosy.kernel.graph import SymbolicState, full_zone
from argosy.kernel.heuristics import KernelHeuristic
from argosy.kernel.tables import compile_network
from argosy.models.network import Network, TimedEdge
from argosy.models.network_queries import Goal
from argosy.models.network_symmetry import Symmetry, composed, exchanges_of, identity, inverse

Order = _zones.Order
Ties = _zones.Ties

LEAST = 0.001
"""Seconds that a search gets at least, so that it says how far it is."""

Trace = tuple[tuple[TimedEdge, ...], ...]
"""The actions of a run: each the edges that move together, the sender first."""


Steps = list[tuple[int, int]]
"""The edges that move together, as (process, index)."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """``stored``: states kept at the end; ``visited``: states expanded; ``transitions``: successors computed.
    ``peak_bytes``: memory of the store at its highest; ``overhead``: what of it, per state, was neither packed vector
    nor bounds of a zone, then or at the end, whichever is more. ``waiting``: stored states still to be expanded."""

    stored: int
    visited: int
    transitions: int
    discrete_states: int
    peak_bytes: int
    seconds: float
    overhead: float = 0.0
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class GoalReached:
    goal: Goal
    trace: Trace
    statistics: Statistics


@dataclass(frozen=True, slots=True)
class Exhausted:
    """No goal is reachable; ``ZoneSearch.states`` is then an inductive set."""

    statistics: Statistics


@dataclass(frozen=True, slots=True)
class Stopped:
    """``reason``: ``time``, ``memory``, ``interrupted`` or ``visits``. The search can be run again and goes on."""

    reason: str
    statistics: Statistics


@dataclass(frozen=True, slots=True)
class Failed:
    """The model is in error after ``trace``, whose last action may be the one that fails."""

    fault: str
    position: Position
    trace: Trace
    statistics: Statistics


Outcome = GoalReached | Exhausted | Stopped | Failed


class ZoneSearch:
    """One search, within a ``budget`` of time and ``store_bytes`` of memory for its states (0: any). ``ties`` says
    which of two states with the same rank comes first; ``record`` keeps what ``recorded`` gives. ``by_simulation``: a
    zone covers all that it simulates up to the bounds of the clocks, not only what it includes; where these bounds
    are no simulation (clock differences, deadlocks, priorities), or clocks have rates, inclusion it is. ``threads``
    make ``BREADTH_FIRST`` faster and change nothing else. ``folder``: the states lie in a file there, and
    ``store_bytes`` limits what of the process is resident. ``symmetry``: states are replaced by representatives, by one
    thread; traces are those of the network all the same. It must have been proved, and not only for this class: where
    the bounds of clocks do not have it, there is none."""

    def __init__(
        self,
        network: Network,
        goals: Iterable[Goal],
        order: Order = Order.BREADTH_FIRST,
        *,
        shortest: bool = False,
        heuristic: KernelHeuristic | None = None,
        ties: Ties = Ties.OLDEST,
        seed: int = 0,
        budget: Budget = UNLIMITED,
        store_bytes: int = 0,
        record: bool = False,
        by_simulation: bool = False,
        threads: int = 1,
        folder: str = "",
        symmetry: Symmetry | None = None,
    ) -> None:
        if folder and sys.platform != "linux":
            raise Unsupported(NOWHERE, "states on disk, on another system than Linux")
        literals = heuristic.literals if heuristic is not None else ()
        self.network = network
        self.compiled = compile_network(
            network,
            goals,
            literals,
            measure_time=order is Order.FASTEST,
            families=() if symmetry is None else symmetry.families,
        )
        self.symmetry = self._kept(symmetry)
        simulates = not self.compiled.bounds.coarse and not network.rated and len(network.clocks) > 1
        self.by_simulation = by_simulation and simulates
        self._search = _zones.Search(
            self.compiled.model,
            order,
            shortest,
            seed,
            None if heuristic is None else heuristic.build(self.compiled),
            ties,
            self.by_simulation,
            threads if self.symmetry is None else 1,
            folder,
        )
        if self.symmetry is not None:
            variables = len(network.variables)
            self._search.reduce(
                [
                    (f.size, f.processes, f.slots, f.clocks, [(s, names) for s, names in f.values if s < variables])
                    for f in self.symmetry.families
                ]
            )
        self.folder = folder
        self._budget = budget
        self._store_bytes = store_bytes
        if record:
            self._search.record()

    def run(self, tick: Callable[[int, int], None] | None = None, pause_at: int = 0) -> Outcome:
        """Until there is an answer, or ``pause_at`` states were visited (0: no pause). Ctrl-C ends it with ``Stopped``;
        so does ``stop`` from another thread. ``tick`` is told some twenty times a second how many states are stored
        and visited."""
        self._search.limit(*processor_and_wall(self._budget), self._store_bytes)
        outcome = self._search.run(tick, pause_at)
        its = outcome.statistics
        statistics = Statistics(
            its.stored,
            its.visited,
            its.transitions,
            its.discrete_states,
            its.peak_bytes,
            its.seconds,
            its.overhead,
            its.waiting,
        )
        rows, goal = outcome.trace, outcome.goal
        if self.symmetry is not None and outcome.orders:
            rows, goal = unpermuted(self.symmetry, rows, outcome.orders, goal)
        trace = tuple(tuple(self.network.processes[process].edges[edge] for process, edge in step) for step in rows)
        match outcome.status:
            case "reached":
                return GoalReached(self.compiled.goals[goal], trace, statistics)
            case "exhausted":
                return Exhausted(statistics)
            case "stopped":
                return Stopped(outcome.reason, statistics)
            case _:
                position = self.compiled.positions.get(outcome.fault_pc, NOWHERE)
                return Failed(_zones.FAULTS[outcome.fault], position, trace, statistics)

    def _kept(self, symmetry: Symmetry | None) -> Symmetry | None:
        """Families of which the bounds of clocks know nothing that tells members apart: the zones of a state and of its
        image must have the same rows."""
        if symmetry is None:
            return None
        pairs = zip(symmetry.families, symmetry.exchanges, strict=True)
        kept = [(f, own) for f, own in pairs if f.size < 256 and symmetric_bounds(self.compiled.bounds, f)]
        return Symmetry(tuple(f for f, _ in kept), tuple(own for _, own in kept)) if kept else None

    def limit(self, budget: Budget, store_bytes: int) -> None:
        """Other limits from the next run on."""
        self._budget = budget
        self._store_bytes = store_bytes

    def stop(self) -> None:
        self._search.stop()

    def __len__(self) -> int:
        """How many nodes there are: those of the stored states, and those that lead to them."""
        return len(self._search)

    def recorded(self) -> list[float]:
        """The estimates of the states that were expanded, in their order."""
        return self._search.recorded

    def exported(self, first: int, end: int) -> bytes:
        """The states that are still stored, of those with numbers from ``first`` up to ``end``, for a certifier."""
        return self._search.exported(first, end)

    def states(self) -> Iterator[SymbolicState]:
        """The states that are stored, over all clocks of the network; not while the search runs."""
        dimension = len(self.network.clocks)
        for node in range(len(self._search)):
            stored = self._search.state(node)
            if stored is None:
                continue
            locations, values, clocks, bounds = stored
            yield SymbolicState(tuple(locations), tuple(values), full_zone(dimension, clocks, bounds))


def unpermuted(
    symmetry: Symmetry, trace: Sequence[Steps], orders: Sequence[Sequence[int]], goal: int
) -> tuple[list[Steps], int]:
    """The trace that a trace of representatives stands for, and the goal in which it ends. ``orders``: where members
    went in the first state, and after each step, family by family."""
    moved = [identity(family) for family in symmetry.families]
    found: list[Steps] = []
    for number, order in enumerate(orders):
        at = 0
        for which, family in enumerate(symmetry.families):
            moved[which] = composed(tuple(order[at : at + family.size]), moved[which])
            at += family.size
        back = [
            symmetry.exchanges[which][first]
            for which in range(len(symmetry.families))
            for first in exchanges_of(inverse(moved[which]))
        ]
        if number < len(trace):
            steps = list(trace[number])
            for exchange in back:
                steps = [exchange.edges.get(step, step) for step in steps]
            found.append([steps[0], *sorted(steps[1:])])
    if goal >= 0:
        for exchange in back:
            goal = exchange.goals[goal]
    return found, goal


def processor_and_wall(budget: Budget) -> tuple[float, float]:
    """As the native search has it: seconds of the processor and of the wall for one run; none at all are no limit."""
    if not budget.is_limited:
        return 0.0, 0.0
    wall = max(budget.wall_end - time.monotonic(), LEAST) if budget.wall_end != inf else 0.0
    return max(budget.end - budget.clock(), LEAST), wall
