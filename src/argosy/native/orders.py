"""Search orders for the native kernel: a cost that depends on how deep a node is and on the last edge to it."""

from __future__ import annotations

from collections.abc import Callable

from argosy.basics.records import dataclass
from argosy.models.cfa import Edge, Location


@dataclass(frozen=True, slots=True)
class CostOrder:
    """What waits in order of its cost: ``of_depth`` for each edge on the way to a node, and ``of_last`` for the last
    one (None: there is none) and the location that it leads to (None: the same for all). Among equals the oldest is
    first, or the ``newest``."""

    of_last: Callable[[Edge | None, Location], float] | None = None
    of_depth: float = 0
    newest: bool = False

    @property
    def is_equal(self) -> bool:
        return self.of_last is None and not self.of_depth

    def last(self, edge: Edge | None, location: Location) -> float:
        return 0.0 if self.of_last is None else float(self.of_last(edge, location))
