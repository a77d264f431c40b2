"""Runs on a Ray cluster: the same orders, each executed by a warden on whichever machine has a processor free; those of
the bench, and the lanes of one task (``portfolio``).

Inputs travel with the orders, so the machines need no common file system; Argosy has to be installed on each. A run is
given back to the cluster when its machine is lost. When the driver ends, Ray ends its workers, and their wardens kill
what they watch.

Ray (the extra ``cluster``) is imported here and nowhere else, and only when a cluster is asked for.
"""

from __future__ import annotations

import logging
import re
import socket
import time
from collections.abc import Generator, Iterable
from typing import Any, Generic, TypeVar

from argosy.basics.errors import UsageError
from argosy.basics.processes import MEGABYTE
from argosy.basics.records import dataclass
from argosy.bench.limits import Outcome, RunOrder
from argosy.bench.records import Run
from argosy.bench.study import Finished, LostRun, Started
from argosy.bench.wardens import run

_TICK = 0.2
_PATIENCE = 10.0
_RETRIES = 2


Of = TypeVar("Of")


@dataclass(frozen=True, slots=True)
class Began(Generic[Of]):
    of: Of


@dataclass(frozen=True, slots=True)
class Came(Generic[Of]):
    """An order was carried out, with this outcome (None: whoever watched it was killed), or is ``lost``: why."""

    of: Of
    begun: float
    outcome: Outcome | None = None
    lost: str | None = None


class Cluster:
    """``jobs`` runs at a time, or as many as the cluster has processors; each has ``memory_mb`` to itself, if that is
    said."""

    with_input = True

    def __init__(self, address: str, jobs: int | None, memory_mb: int | None) -> None:
        self._ray = ray = _ray()
        try:
            _knock(address)
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, ignore_reinit_error=True)
        except (OSError, ValueError, RuntimeError) as error:
            raise UsageError(f"--cluster {address}: {' '.join(str(error).split())}") from None
        memory = None if memory_mb is None else memory_mb * MEGABYTE
        if memory is not None and not any(
            node["Resources"].get("memory", 0) >= memory for node in ray.nodes() if node["Alive"]
        ):
            raise UsageError(f"--cluster {address}: no machine there has {memory_mb} MB to give")
        self.jobs = jobs or max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._execute = ray.remote(num_cpus=1, memory=memory, max_retries=_RETRIES)(execute)

    def execute(
        self, orders: Iterable[tuple[Run, RunOrder]]
    ) -> Generator[Started | Finished | LostRun | None, None, None]:
        for event in self.outcomes(orders):
            match event:
                case Began(of):
                    yield Started(of)
                case Came(of, begun, outcome, None):
                    yield Finished.since(begun, of, outcome)
                case Came(of, lost=str(reason)):
                    yield LostRun(of, reason)
                case _:
                    yield None

    def outcomes(self, orders: Iterable[tuple[Of, RunOrder]]) -> Generator[Began[Of] | Came[Of] | None, None, None]:
        """What becomes of orders, each for something; None now and then. Closing the iterator ends what is running."""
        ray = self._ray
        waiting = iter(orders)
        active: dict[Any, tuple[Of, float]] = {}
        try:
            while True:
                while len(active) < self.jobs and (pair := next(waiting, None)) is not None:
                    active[self._execute.remote(pair[1].to_json())] = (pair[0], time.monotonic())
                    yield Began(pair[0])
                if not active:
                    return
                for reference in ray.wait(list(active), num_returns=1, timeout=_TICK)[0]:
                    of, begun = active.pop(reference)
                    try:
                        outcome = _outcome(ray.get(reference))
                    except ray.exceptions.RayError as error:
                        yield Came(of, begun, lost=" ".join(str(error).split())[:300])
                    else:
                        yield Came(of, begun, outcome)
                yield None
        finally:
            for reference in active:
                ray.cancel(reference, force=True)
            ray.shutdown()


def execute(order: str) -> str | None:
    """What a worker of the cluster does."""
    outcome = run(RunOrder.from_json(order))
    return None if outcome is None else outcome.to_json()


def _outcome(text: str | None) -> Outcome | None:
    return None if text is None else Outcome.from_json(text)


def _knock(address: str) -> None:
    """Raises ``OSError`` where nobody answers: Ray itself would try for minutes."""
    place = re.fullmatch(r"(?:ray://)?([^:/]+):(\d+)", address)
    if place is not None:
        socket.create_connection((place[1], int(place[2])), timeout=_PATIENCE).close()


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise UsageError("--cluster needs Ray: pip install 'argosy[cluster]'") from None
    return ray
