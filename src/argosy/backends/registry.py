"""The kinds of models, one line each: which function decides a problem of that kind, and which draws its model.

A format names its kind; strategies say for which kinds they are. This module imports nothing heavy.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from argosy.basics.budget import MEMORY_LIMIT, TIME_LIMIT
from argosy.basics.naming import named
from argosy.basics.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Kind:
    """``decide`` is a ``contract.Backend`` and ``draw`` a function from a problem to graphs, as ``module:function``;
    ``counts`` are the statistics that a report shows, with their nouns; ``advice`` says what is worth trying where a
    limit ended a run; ``own_strategies`` whether strategies built in Python fit."""

    name: str
    title: str
    decide: str
    draw: str
    counts: tuple[tuple[str, str], ...]
    advice: Mapping[str, str]
    own_strategies: bool = True

    def backend(self) -> Any:
        return named(self.decide)

    def drawing(self) -> Any:
        return named(self.draw)


_PROGRAM = Kind(
    "program",
    "programs",
    "argosy.backends.program:decide",
    "argosy.report.functions:of_program",
    (
        ("nodes", "node"),
        ("refinements", "refinement"),
        ("predicates", "predicate"),
        ("solver_checks", "solver check"),
    ),
    {
        TIME_LIMIT: "--strategy bmc looks for errors only, --strategy kinduction and --domain prod for proofs, "
        "and a longer --time-limit gives each part of auto more",
        MEMORY_LIMIT: "--domain expl with --search dfs keeps fewer formulas, --strategy bmc no abstraction",
    },
)

KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        _PROGRAM,
        # Clauses are decided as automata, by the strategies for programs.
        replace(
            _PROGRAM,
            name="clause",
            title="Horn clauses",
            decide="argosy.backends.clauses:decide",
            draw="argosy.report.graphs:of_clauses",
        ),
        Kind(
            "network",
            "networks of timed automata",
            "argosy.backends.network:decide",
            "argosy.report.graphs:of_network",
            (("nodes", "stored state"), ("explored_states", "visited state"), ("transitions", "transition")),
            {
                TIME_LIMIT: "--search random-dfs with another --seed, or --heuristic zones, may find a run sooner; "
                "--search largest proves soonest that there is none",
                MEMORY_LIMIT: "--search dfs or --heuristic zones may find a run with fewer stored states",
            },
            own_strategies=False,
        ),
        Kind(
            "system",
            "transition systems",
            "argosy.backends.system:decide",
            "argosy.report.graphs:of_system",
            (
                ("queries", "bit-level question"),
                ("lemmas", "clause"),
                ("nodes", "node"),
                ("refinements", "refinement"),
                ("solver_checks", "solver check"),
            ),
            {
                TIME_LIMIT: "--strategy bmc looks for errors only, --strategy kinduction for proofs, and a longer "
                "--time-limit gives each part of auto more",
                MEMORY_LIMIT: "--strategy bmc and --domain expl keep no abstraction",
            },
        ),
    )
}
