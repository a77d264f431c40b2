"""The certificate that no goal is reachable in a network: a set of states with zones that is inductive.

Three things are checked. The initial state with its delays is inside the set; what any state of the set reaches by
one action and delay is inside it again; no state meets a goal. Nothing of how the set was found matters: the zones
may be as large as they are, and neither the bounds of clocks nor the inactivity of one is looked at. A model error
on the way refutes the certificate.

``TWIN_LIMIT`` states are checked by the zone graph in Python; more by a second native pass (``kernel/cpp/certifier``),
which shares no code with the search: it walks the expressions of the network itself and keeps matrices of its own.

Where the search covers by simulation, being inside means being simulated by a valuation that is; the native pass then
also checks the constants up to which clocks are said to matter (``kernel/cpp/margins.hpp``). Where it stores
representatives, being inside means that an image is, under a permutation of members of the network: ``symmetry`` checks
that these change nothing, and the native pass looks for a permutation of its own (``kernel/cpp/orbits.hpp``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from argosy.basics.records import dataclass
from argosy.certify.symmetry import refuted
from argosy.kernel.certifier import NativeCertifier
from argosy.kernel.dbm import Zone
from argosy.kernel.graph import SymbolicState, ZoneGraph
from argosy.kernel.search import ZoneSearch
from argosy.models.network import Network
from argosy.models.network_evaluation import ModelError
from argosy.models.network_queries import Goal

TWIN_LIMIT = 1_000

Discrete = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Inductive:
    """The set is inductive; ``checker`` is ``twin`` or ``native``."""

    states: int
    transitions: int
    checker: str


@dataclass(frozen=True, slots=True)
class NotInductive:
    reason: str


def certify(
    search: ZoneSearch, tick: Callable[[], None] | None = None, threads: int = 1, resident: int = 0
) -> Inductive | NotInductive:
    """Checks what an exhausted search has stored, with the twin if it is small. ``tick`` is called now and then; it
    may raise to end the check. ``resident``: bytes of the process (0: any), where the search is on disk."""
    states = len(search)
    families = () if search.symmetry is None else search.symmetry.families
    if states <= TWIN_LIMIT and not search.by_simulation and not families:
        return check(search.network, search.compiled.goals, search.states(), tick)
    margins = search.compiled.bounds if search.by_simulation else None
    if search.symmetry is not None:
        reason = refuted(search.network, search.compiled.goals, search.symmetry, margins)
        if reason is not None:
            return NotInductive(reason)
    certifier = NativeCertifier(search.network, search.compiled.goals, margins, families)
    if search.folder:
        certifier.keep_on_disk(search.folder, resident)
    certifier.add_all(search, tick)
    failure = certifier.check(tick, threads)
    if failure is not None:
        return NotInductive(failure)
    return Inductive(certifier.states, certifier.transitions, "native")


def check(
    network: Network, goals: Iterable[Goal], states: Iterable[SymbolicState], tick: Callable[[], None] | None = None
) -> Inductive | NotInductive:
    """The check itself, in Python."""
    graph = ZoneGraph(network)
    asked = tuple(goals)
    inside: dict[Discrete, list[Zone]] = {}
    count = transitions = 0
    for state in states:
        inside.setdefault(state.discrete, []).append(state.zone)
        count += 1
    try:
        if not covered(graph.start(), inside):
            return NotInductive("the initial state is not in the set")
        for discrete, zones in inside.items():
            for zone in zones:
                if tick is not None:
                    tick()
                state = SymbolicState(discrete[0], discrete[1], zone)
                if any(graph.met(state, goal) for goal in asked):
                    return NotInductive(f"a goal is met in {discrete}")
                for step in graph.exact_successors(state):
                    transitions += 1
                    if not covered(step.target, inside):
                        return NotInductive(f"a successor of {discrete} in {step.target.discrete} is not in the set")
    except ModelError as error:
        return NotInductive(f"model error: {error}")
    return Inductive(count, transitions, "twin")


def covered(state: SymbolicState, inside: dict[Discrete, list[Zone]]) -> bool:
    """Is every valuation of the state in one of the zones? One zone mostly holds them all; else what is left after
    taking away one zone after the other must be nothing."""
    zones = inside.get(state.discrete, [])
    if any(zone.includes(state.zone) for zone in zones):
        return True
    rest = [state.zone]
    for zone in zones:
        rest = [piece for part in rest for piece in part.subtracted(zone)]
    return not rest
