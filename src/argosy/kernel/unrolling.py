"""Circuits step after step by the native engine (``cpp/unrolling.hpp``): bounded model checking and k-induction.

Biere, Cimatti, Clarke, Zhu, "Symbolic Model Checking without BDDs" (1999); Eén, Sörensson, "Temporal Induction by
Incremental SAT Solving" (2003). Laws: the stimulus of a refutation is as short as any; ``depth`` steps reach no bad
state. Both searches go on where they were when they are run again.
"""

from __future__ import annotations

from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.records import dataclass
from argosy.kernel import _pdr
from argosy.kernel.pdr import (
    BitCounts,
    CircuitPause,
    CircuitRefutation,
    Tick,
    counts_of,
    native_circuit,
    seconds_of,
)
from argosy.models.circuit import Circuit, Stimulus

DEPTH = "depth"


@dataclass(frozen=True, slots=True)
class CircuitInduction:
    """The bad state never follows ``k`` states that are not bad, and no run of ``k`` steps reaches it. ``facts`` are
    clauses over latches, an invariant by themselves, that were used; with ``simple_path`` the states were taken to be
    different."""

    k: int
    simple_path: bool
    facts: tuple[tuple[int, ...], ...]
    counts: BitCounts


class BoundedModelChecking:
    """The runs that reach one bad state of a circuit, shorter ones first."""

    def __init__(self, circuit: Circuit, bad: int) -> None:
        self._search = _pdr.BoundedSearch(native_circuit(circuit, bad))

    def run(
        self, budget: Budget = UNLIMITED, *, most: int = 0, store_bytes: int = 0, tick: Tick | None = None
    ) -> CircuitRefutation | CircuitPause:
        """Runs of at most ``most`` steps, 0 being any number."""
        answer = self._search.run(*seconds_of(budget), store_bytes, most, tick)
        if answer.status == "unsafe":
            return CircuitRefutation(Stimulus(answer.latches, tuple(answer.inputs)), self.counts)
        return CircuitPause(answer.reason or DEPTH, self.counts)

    @property
    def depth(self) -> int:
        """So many steps reach no bad state."""
        return self._search.depth

    @property
    def counts(self) -> BitCounts:
        return counts_of(self._search.statistics)


class KInduction:
    """Base and step in turns, k growing by one."""

    def __init__(self, circuit: Circuit, bad: int, *, simple_path: bool = False) -> None:
        native = native_circuit(circuit, bad)
        self._base = _pdr.BoundedSearch(native)
        self._step = _pdr.InductionStep(native, simple_path)
        self._simple_path = simple_path

    def run(
        self, budget: Budget = UNLIMITED, *, most: int = 0, store_bytes: int = 0, tick: Tick | None = None
    ) -> CircuitInduction | CircuitRefutation | CircuitPause:
        """For every k up to ``most``, 0 being any number."""
        while not most or self._base.depth <= most:
            k = self._base.depth
            if self._step.k <= k:
                step = self._step.run(*seconds_of(budget), store_bytes, k, tick)
                if step.status == "safe" and self._step.k <= k:
                    facts = tuple(tuple(clause) for clause in step.invariant)
                    return CircuitInduction(self._step.k, self._simple_path, facts, counts_of(self._step.statistics))
                if step.status == "stopped":
                    return CircuitPause(step.reason, counts_of(self._step.statistics))
            base = self._base.run(*seconds_of(budget), store_bytes, k + 1, tick)
            if base.status == "unsafe":
                return CircuitRefutation(Stimulus(base.latches, tuple(base.inputs)), counts_of(self._base.statistics))
            if base.status == "stopped":
                return CircuitPause(base.reason, counts_of(self._base.statistics))
        return CircuitPause(DEPTH, counts_of(self._step.statistics))
