"""Estimates of the distance to a goal that the native search understands.

The first two are tables that it reads by itself; a Python function is called for every stored state, which is for
experiments. Law: infinity says that no goal can be reached; such states are explored last, not left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from argosy.kernel import _zones
from argosy.kernel.graph import SymbolicState, full_zone
from argosy.kernel.tables import Compiled
from argosy.models.network_expressions import Constraint


class KernelHeuristic(Protocol):
    @property
    def literals(self) -> tuple[Constraint, ...]:
        """What has to be compiled with the network; referred to by index."""
        ...

    def build(self, compiled: Compiled) -> _zones.Heuristic: ...


@dataclass(frozen=True, slots=True)
class LocationDistances:
    """``distances[p][l]`` of every process and location, summed up or (``sums`` false) maximised."""

    distances: tuple[tuple[float, ...], ...]
    sums: bool = True

    @property
    def literals(self) -> tuple[Constraint, ...]:
        return ()

    def build(self, compiled: Compiled) -> _zones.Heuristic:
        if [len(row) for row in self.distances] != [len(p.locations) for p in compiled.network.processes]:
            raise ValueError("one distance is needed for every location of every process")
        return _zones.LocationDistances(self.distances, self.sums)


@dataclass(frozen=True, slots=True)
class Part:
    """Sets of literals (by index) with their distances; ``otherwise`` where no set is contained in a state."""

    sets: tuple[tuple[tuple[int, ...], float], ...]
    otherwise: float


@dataclass(frozen=True, slots=True)
class LiteralDatabase:
    """A pattern database (paper 003): the parts' least distances of sets that may hold in a state, summed up."""

    literals: tuple[Constraint, ...]
    parts: tuple[Part, ...]

    def build(self, compiled: Compiled) -> _zones.Heuristic:
        database = _zones.LiteralDatabase(compiled.model)
        for part in self.parts:
            if any(not 0 <= literal < len(self.literals) for literals, _ in part.sets for literal in literals):
                raise ValueError("a set of the database names a literal that does not exist")
            database.add_part(part.sets, part.otherwise)
        return database


@dataclass(frozen=True, slots=True)
class FromPython:
    """Any function of the state."""

    function: Callable[[SymbolicState], float]

    @property
    def literals(self) -> tuple[Constraint, ...]:
        return ()

    def build(self, compiled: Compiled) -> _zones.Heuristic:
        dimension = compiled.model.clocks

        def call(locations: list[int], values: list[int], clocks: list[int], bounds: list[int]) -> float:
            zone = full_zone(dimension, clocks, bounds)
            return self.function(SymbolicState(tuple(locations), tuple(values), zone))

        return _zones.PythonHeuristic(compiled.model, call)
