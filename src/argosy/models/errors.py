from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from argosy.basics.position import Position
from argosy.models.cfa import Cfa, Edge


@dataclass(frozen=True, slots=True)
class Site:
    kind: str
    position: Position
    text: str
    function: str = ""


def site_of(edge: Edge) -> Site:
    return Site("", edge.position, edge.text, edge.source.function)


def sites(cfa: Cfa) -> tuple[Site, ...]:
    return tuple(dict.fromkeys(site_of(edge) for edge in cfa.entering[cfa.error]))


def only(cfa: Cfa, chosen: Sequence[Site]) -> Cfa:
    from dataclasses import replace

    keep = set(chosen)
    return replace(cfa, edges=tuple(e for e in cfa.edges if e.target is not cfa.error or site_of(e) in keep))
