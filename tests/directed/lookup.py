"""The lookup of a pattern database in pure Python: the oracle of ``cpp/literal_database.hpp``.

Nothing is clever here: every literal is asked whether it may hold in the state, every stored set whether all of its
literals do.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from argosy.kernel.graph import SymbolicState, ZoneGraph
from argosy.kernel.heuristics import LiteralDatabase
from argosy.models.network import Network
from argosy.models.network_queries import Goal


class Lookup:
    def __init__(self, network: Network, database: LiteralDatabase) -> None:
        self._graph = ZoneGraph(network)
        self._database = database

    def present(self, state: SymbolicState) -> frozenset[int]:
        """The literals that some valuation of the state satisfies."""
        return frozenset(
            number
            for number, literal in enumerate(self._database.literals)
            if self._graph.met(state, Goal(literal.condition, literal.atoms))
        )

    def value(self, state: SymbolicState) -> float:
        present = self.present(state)
        values = [least_subset(part.sets, present, part.otherwise) for part in self._database.parts]
        combine = sum if self._database.sums else _largest
        return min((combine(values[part] for part in choice) for choice in self._database.choices), default=inf)


def least_subset(sets: Iterable[tuple[tuple[int, ...], float]], present: frozenset[int], otherwise: float) -> float:
    """The least distance of a set that is contained in what is present."""
    return min((distance for literals, distance in sets if present.issuperset(literals)), default=otherwise)


def _largest(values: Iterable[float]) -> float:
    return max(values, default=0.0)
