"""The kinds of models, one line each: which function decides a problem of that kind, and which draws its model.

A format names its kind; strategies say for which kinds they are. This module imports nothing heavy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from argosy.basics.naming import named


@dataclass(frozen=True, slots=True)
class Kind:
    """``decide`` is a ``contract.Backend`` and ``draw`` a function from a problem to graphs, as ``module:function``;
    ``states`` is what the nodes of its search are called, ``own_strategies`` whether strategies built in Python fit."""

    name: str
    title: str
    decide: str
    draw: str
    counts: tuple[tuple[str, str], ...]
    own_strategies: bool = True

    def backend(self) -> Any:
        return named(self.decide)

    def drawing(self) -> Any:
        return named(self.draw)


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            "program",
            "programs",
            "argosy.backends.program:decide",
            "argosy.report.graphs:of_program",
            (
                ("nodes", "node"),
                ("refinements", "refinement"),
                ("predicates", "predicate"),
                ("solver_checks", "solver check"),
            ),
        ),
        Kind(
            "network",
            "networks of timed automata",
            "argosy.backends.network:decide",
            "argosy.report.graphs:of_network",
            (("nodes", "stored state"), ("explored_states", "visited state"), ("transitions", "transition")),
            own_strategies=False,
        ),
    )
}
