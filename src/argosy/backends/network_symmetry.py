"""Symmetry reduction for one query: what is proposed, what of it is proved, and what is said about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from argosy.basics.records import dataclass
from argosy.certify.symmetry import proved
from argosy.models.network import Network
from argosy.models.network_queries import Goal
from argosy.models.network_symmetry import AlikeFamily, Symmetry


@dataclass(frozen=True, slots=True)
class FoundSymmetry:
    """``reasons``: why processes that look alike are not exchanged."""

    symmetry: Symmetry | None
    reasons: tuple[str, ...] = ()


NOT_ASKED = FoundSymmetry(None)


def found_symmetry(network: Network, goals: Sequence[Goal]) -> FoundSymmetry:
    from argosy.kernel.symmetry import propose

    proposed = propose(network, goals)
    symmetry, reasons = proved(network, goals, proposed)
    members = {process for family in proposed for column in family.processes for process in column}
    alone: dict[str, list[str]] = defaultdict(list)
    for process in network.processes:
        if process.index not in members:
            alone[process.template].append(process.name)
    for template, names in alone.items():
        if len(names) > 1 and not any(p.index in members and p.template == template for p in network.processes):
            reasons.append(
                f"{names[0]} and {names[1]} are told apart by the query, or by what is done with their numbers: those "
                "of a scalar set are only assigned, compared for equality and used as subscripts"
            )
    return FoundSymmetry(symmetry if symmetry.families else None, tuple(reasons))


def entry(network: Network, found: FoundSymmetry, used: Symmetry | None) -> dict[str, Any]:
    """As the result has it."""

    def names(family: AlikeFamily) -> list[str]:
        return [network.processes[process].name for process in family.processes[0]]

    families = () if used is None else used.families
    reasons = [*found.reasons]
    if found.symmetry is not None and len(families) < len(found.symmetry.families):
        reasons.append("the bounds of the clocks of some processes are not symmetric")
    return {"used": bool(families), "families": [names(family) for family in families], "reasons": reasons}
