"""Property-directed reachability on circuits by the native engine (``cpp/pdr.hpp``): what is asked, what comes back.

Bradley, "SAT-Based Model Checking without Unrolling" (2011). Laws: the ``invariant`` of a proof is a set of clauses
over literals of the circuit's latches that holds at the start, is kept by every step that the constraints allow, and
excludes the bad state under the constraints; the ``stimulus`` of a refutation reaches the bad state
(``Circuit.reaches``). A search that was paused goes on when it is run again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf

from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.records import dataclass
from argosy.kernel import _pdr
from argosy.models.circuit import Circuit, Stimulus

LEAST = 0.001
"""Seconds that a search gets at least, so that it says how far it is."""

Tick = Callable[[int, int], None]
"""Told some twenty times a second: how many frames there are, and how many lemmas were found."""


@dataclass(frozen=True, slots=True)
class BitCounts:
    """``queries`` of the solver, and what it did for them; ``frames`` that were opened, ``lemmas`` that were added,
    ``obligations`` to block a cube; ``bytes`` that the solvers take. Of an unrolling ``frames`` are its steps."""

    seconds: float
    frames: int
    lemmas: int
    obligations: int
    queries: int
    decisions: int
    conflicts: int
    propagations: int
    bytes: int


@dataclass(frozen=True, slots=True)
class CircuitProof:
    """No stimulus reaches the bad state."""

    invariant: tuple[tuple[int, ...], ...]
    counts: BitCounts


@dataclass(frozen=True, slots=True)
class CircuitRefutation:
    stimulus: Stimulus
    counts: BitCounts


@dataclass(frozen=True, slots=True)
class CircuitPause:
    """``reason``: ``time``, ``memory``, ``interrupted``, or ``depth`` where no more steps were to be looked at."""

    reason: str
    counts: BitCounts


CircuitAnswer = CircuitProof | CircuitRefutation | CircuitPause


class PropertyDirectedReachability:
    """The search for one bad state of a circuit, ``bad`` being its index."""

    def __init__(self, circuit: Circuit, bad: int) -> None:
        self._pdr = _pdr.Pdr(native_circuit(circuit, bad))

    def run(self, budget: Budget = UNLIMITED, *, store_bytes: int = 0, tick: Tick | None = None) -> CircuitAnswer:
        """Within ``budget`` and ``store_bytes`` of memory for its solvers (0: any). Ctrl-C pauses it."""
        answer = self._pdr.run(*seconds_of(budget), store_bytes, tick)
        counts = self.counts
        match answer.status:
            case "safe":
                return CircuitProof(tuple(tuple(clause) for clause in answer.invariant), counts)
            case "unsafe":
                return CircuitRefutation(Stimulus(answer.latches, tuple(answer.inputs)), counts)
            case _:
                return CircuitPause(answer.reason, counts)

    @property
    def counts(self) -> BitCounts:
        return counts_of(self._pdr.statistics)


def decide(
    circuit: Circuit, bad: int, budget: Budget = UNLIMITED, *, store_bytes: int = 0, tick: Tick | None = None
) -> CircuitAnswer:
    """Whether any stimulus reaches the bad state of this index."""
    return PropertyDirectedReachability(circuit, bad).run(budget, store_bytes=store_bytes, tick=tick)


def counts_of(its: _pdr.Statistics) -> BitCounts:
    return BitCounts(
        its.seconds,
        its.frames,
        its.lemmas,
        its.obligations,
        its.queries,
        its.decisions,
        its.conflicts,
        its.propagations,
        its.bytes,
    )


def native_circuit(circuit: Circuit, bad: int) -> _pdr.Circuit:
    return _pdr.Circuit(
        circuit.inputs,
        circuit.next.tobytes(),
        circuit.reset,
        circuit.gates.tobytes(),
        circuit.bad[bad],
        circuit.constraints,
    )


def seconds_of(budget: Budget) -> tuple[float, float]:
    """As the native engine has it: seconds of the processor and of the wall for one run; none at all are no limit."""
    if not budget.is_limited:
        return 0.0, 0.0
    wall = max(budget.wall_end - time.monotonic(), LEAST) if budget.wall_end != inf else 0.0
    return max(budget.end - budget.clock(), LEAST), wall
