"""The monotone relaxation (Kupferschmid et al.: [Directed]'s [13]): values accumulate. Solved by the kernel, per state.

``plan`` false counts layers, true the actions of a relaxed plan: the paper's two variants.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

from argosy.directed.abstraction import values_of
from argosy.directed.finite import FiniteAction, FiniteNetwork, finite
from argosy.kernel.heuristics import Operator, Relaxation
from argosy.models.network import Network
from argosy.models.network_queries import Goal


def monotone(network: Network, goals: Iterable[Goal], plan: bool = True) -> Relaxation:
    return relaxed(finite(network, goals), plan)


def relaxed(model: FiniteNetwork, plan: bool) -> Relaxation:
    first = [0, *accumulate(component.count for component in model.components)]
    operators = [
        operator for number, action in enumerate(model.actions) for operator in _operators(model, first, number, action)
    ]
    goals = tuple(tuple(_facts(first, component, mask) for component, mask in goal) for goal in model.goals)
    return Relaxation(model.components, tuple(operators), goals, plan)


def _facts(first: list[int], component: int, mask: int) -> tuple[int, ...]:
    return tuple(values_of(mask, first[component]))


def _operators(model: FiniteNetwork, first: list[int], number: int, action: FiniteAction) -> Iterable[Operator]:
    """One for what is certain, and one for each value that depends on others."""
    needs = tuple(_facts(first, component, mask) for component, mask in action.needs)
    adds: list[int] = []
    for written in action.writes:
        if written.unknown:
            adds += range(first[written.component], first[written.component + 1])
            continue
        for given, offset in written.outcomes:
            if not given:
                adds.append(first[written.component] + offset)
                continue
            sources = tuple((first[component] + value,) for component, value in given)
            yield Operator(needs + sources, (first[written.component] + offset,), number)
    if adds:
        yield Operator(needs, tuple(adds), number)
