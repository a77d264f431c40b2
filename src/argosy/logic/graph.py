"""Terms as graphs, whatever is in their nodes: the printer, by which terms show themselves, needs no more of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, Self, TypeVar

from argosy.logic.semantics import Value
from argosy.logic.sorts import Sort


class Subterm(Protocol):
    """What a term looks like from below."""

    op: str
    payload: Value
    sort: Sort

    @property
    def args(self) -> tuple[Self, ...]: ...


N = TypeVar("N", bound=Subterm)


def postorder(*roots: N) -> Iterator[N]:
    """Every subterm once, arguments before the terms they occur in."""
    seen: set[N] = set()
    stack: list[tuple[N, bool]] = [(root, False) for root in reversed(roots)]
    while stack:
        term, done = stack.pop()
        if done:
            yield term
        elif term not in seen:
            seen.add(term)
            stack.append((term, True))
            stack.extend((arg, False) for arg in reversed(term.args) if arg not in seen)
