"""Merging automata up to N locations (Draeger, Finkbeiner, Podelski: [Directed]'s [5]).

Components (automata, and variables with few values) are merged two by two. The next pair is one whose product has at
most N locations, if there is such a pair, else one with the smallest product; of equal pairs the one with most actions
in common comes first. So an automaton takes in its own counters before it meets others.

After each product, locations that are not reached are gone, actions that do the same to all other automata become one,
and locations are merged until N are left: those with different distances to a target are kept apart as long as that is
possible, nearest first, and of the same distance those whose actions lead to different locations.

Law: a run of the network is one of every merged automaton, so that a distance in it is a lower bound; automata without
an action in common may be summed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from math import inf

from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.records import dataclass
from argosy.directed.finite import FiniteAction, FiniteNetwork, Written, finite
from argosy.directed.parts import TooLarge
from argosy.kernel.heuristics import Combined, Component, JoinedAutomata, KernelHeuristic, MergedAutomata
from argosy.models.network import Network
from argosy.models.network_queries import Goal

BOUND = 50
TARGETS = 16
MOST_CASES = 64
CHEAP = 20_000

Pairs = frozenset[tuple[int, int]]
Moves = dict[int, Pairs]
"""For actions that concern an automaton: pairs of locations. Other actions leave it where it is."""


def merging(network: Network, goals: Iterable[Goal], bound: int = BOUND, budget: Budget = UNLIMITED) -> KernelHeuristic:
    model = finite(network, goals)
    merged = tuple(Merging(model, goal, bound).run(budget) for goal in model.goals[:TARGETS])
    return merged[0] if len(merged) == 1 else Combined(merged, tuple((k,) for k in range(len(merged))))


def is_cheap(network: Network, goals: Iterable[Goal]) -> bool:
    """Whether merging takes no more than some tenths of a second."""
    try:
        model = finite(network, goals)
    except TooLarge:
        return False
    return len(model.components) * len(model.actions) * min(len(model.goals), TARGETS) <= CHEAP


@dataclass
class Automaton:
    """``asked``: the query says something about it. ``steps`` find its location in a state of the network."""

    size: int
    initial: int
    goals: frozenset[int]
    moves: Moves
    asked: bool
    steps: tuple[Component | JoinedAutomata, ...]

    @property
    def distances(self) -> list[float]:
        return _distances(self.size, self.moves, self.goals)


class Merging:
    """For one target; ``target`` has components with the offsets they may have, as masks."""

    def __init__(self, model: FiniteNetwork, target: Sequence[tuple[int, int]], bound: int) -> None:
        self._bound = bound
        wanted = dict(target)
        actions = [case for action in model.actions for case in cases(action)]
        self.automata: list[Automaton] = []
        for number, component in enumerate(model.components):
            mask = wanted.get(number)
            self.automata.append(
                Automaton(
                    component.count,
                    model.initial[number],
                    frozenset(v for v in range(component.count) if mask is None or mask >> v & 1),
                    _concerned(component.count, {k: _pairs(number, component.count, a) for k, a in enumerate(actions)}),
                    mask is not None,
                    (component,),
                )
            )

    def run(self, budget: Budget = UNLIMITED) -> KernelHeuristic:
        """Ends early, with fewer components, where the budget does."""
        while not budget.is_over:
            pair = self._next()
            if pair is None:
                break
            self._join(*pair)
        asked = [automaton for automaton in self.automata if automaton.asked]
        apart = all(
            first.moves.keys().isdisjoint(second.moves) for k, first in enumerate(asked) for second in asked[:k]
        )
        merged = tuple(MergedAutomata(its.steps, tuple(its.distances)) for its in asked)
        return merged[0] if len(merged) == 1 else Combined(merged, sums=apart)

    def _next(self) -> tuple[int, int] | None:
        best: tuple[int, int, int, int] | None = None
        for j, second in enumerate(self.automata):
            for i, first in enumerate(self.automata[:j]):
                common = len(first.moves.keys() & second.moves.keys())
                if common:
                    pair = max(first.size * second.size, self._bound), -common, i, j
                    best = pair if best is None else min(best, pair)
        return None if best is None else best[2:]

    def _join(self, i: int, j: int) -> None:
        first, second = self.automata[i], self.automata[j]
        count = second.size
        product = Automaton(
            first.size * count,
            first.initial * count + second.initial,
            frozenset(a * count + b for a in first.goals for b in second.goals),
            _product(first, second),
            first.asked or second.asked,
            (),
        )
        others = [its for k, its in enumerate(self.automata) if k not in (i, j)]
        _unite_actions(product, others)
        classes = self._shrunk(product)
        product.size = max(classes) + 1
        product.initial = classes[product.initial]
        product.goals = frozenset(classes[goal] for goal in product.goals if classes[goal] >= 0)
        merged = {
            action: frozenset((classes[a], classes[b]) for a, b in pairs if classes[a] >= 0)
            for action, pairs in product.moves.items()
        }
        product.moves = _concerned(product.size, merged)
        # A location that is not reached is asked about by nobody; the nearest to the target will do.
        table = tuple(max(its, 0) for its in classes)
        product.steps = (*first.steps, *second.steps, JoinedAutomata(count, table))
        self.automata = [product, *others]

    def _shrunk(self, automaton: Automaton) -> list[int]:
        """The class of each location, of at most ``bound``; -1 where it is not reached."""
        distances = automaton.distances
        leaving: list[list[tuple[int, int]]] = [[] for _ in range(automaton.size)]
        for action, pairs in automaton.moves.items():
            for source, target in pairs:
                leaving[source].append((action, target))
        reached = _reached(automaton.initial, leaving)
        levels = sorted({distances[location] for location in reached})
        kept = {level: k for k, level in enumerate(levels[: self._bound - 1] if len(levels) > self._bound else levels)}
        classes = [-1] * automaton.size
        for location in reached:
            classes[location] = kept.get(distances[location], len(kept))
        count = max(classes) + 1
        refined = True
        while refined and count < self._bound:
            refined = False
            for level in range(count):
                groups: dict[frozenset[tuple[int, int]], list[int]] = {}
                for location in reached:
                    if classes[location] == level:
                        signature = frozenset((action, classes[target]) for action, target in leaving[location])
                        groups.setdefault(signature, []).append(location)
                for group in list(groups.values())[1:]:
                    if count >= self._bound:
                        return classes
                    for location in group:
                        classes[location] = count
                    count += 1
                    refined = True
        return classes


def cases(action: FiniteAction) -> list[FiniteAction]:
    """An action whose effect depends on values, as one for each of them: otherwise an automaton with the source and the
    target of an assignment would not know that they agree."""
    found: list[tuple[dict[int, int], list[Written]]] = [(dict(action.needs), [])]
    for written in action.writes:
        if written.unknown:
            found = [(needs, [*writes, written]) for needs, writes in found]
            continue
        grown = []
        for needs, writes in found:
            for given, offset in written.outcomes:
                own = dict(needs)
                for component, value in given:
                    own[component] = own.get(component, -1) & 1 << value
                if all(own.values()):
                    grown.append((own, [*writes, Written(written.component, (((), offset),))]))
        found = grown
        if len(found) > MOST_CASES:
            return [action]
    return [FiniteAction(tuple(sorted(needs.items())), tuple(writes)) for needs, writes in found]


def _pairs(component: int, count: int, action: FiniteAction) -> Pairs:
    """What the action does to a component."""
    mask = dict(action.needs).get(component, -1)
    written = [w for w in action.writes if w.component == component]
    sources = [v for v in range(count) if mask >> v & 1]
    if not written:
        return frozenset((v, v) for v in sources)
    if written[-1].unknown:
        return frozenset((v, w) for v in sources for w in range(count))
    return frozenset(
        (v, offset)
        for given, offset in written[-1].outcomes
        for v in sources
        if dict(given).get(component) in (None, v)
    )


def _concerned(size: int, moves: Moves) -> Moves:
    """Without the actions that leave every location where it is."""
    still = frozenset((location, location) for location in range(size))
    return {action: pairs for action, pairs in moves.items() if pairs != still}


def _product(first: Automaton, second: Automaton) -> Moves:
    still = [(location, location) for location in range(first.size)]
    stays = [(location, location) for location in range(second.size)]
    count = second.size
    return {
        action: frozenset(
            (a * count + c, b * count + d)
            for a, b in first.moves.get(action, still)
            for c, d in second.moves.get(action, stays)
        )
        for action in sorted(first.moves.keys() | second.moves.keys())
    }


def _unite_actions(automaton: Automaton, others: Sequence[Automaton]) -> None:
    """Actions that do the same to all others are one: no run of the product of them all can tell them apart."""
    alike: dict[tuple[Pairs | None, ...], list[int]] = {}
    for action in automaton.moves:
        alike.setdefault(tuple(other.moves.get(action) for other in others), []).append(action)
    for kept, *rest in alike.values():
        automaton.moves[kept] = automaton.moves[kept].union(*(automaton.moves.pop(action) for action in rest))
        for other in others:
            for action in rest:
                other.moves.pop(action, None)


def _reached(initial: int, leaving: Sequence[Iterable[tuple[int, int]]]) -> list[int]:
    found = {initial: None}
    queue = deque(found)
    while queue:
        for _, target in leaving[queue.popleft()]:
            if target not in found:
                found[target] = None
                queue.append(target)
    return sorted(found)


def _distances(size: int, moves: Moves, goals: Iterable[int]) -> list[float]:
    entering: list[set[int]] = [set() for _ in range(size)]
    for pairs in moves.values():
        for source, target in pairs:
            if source != target:
                entering[target].add(source)
    distances = [inf] * size
    queue = deque(sorted(goals))
    for goal in queue:
        distances[goal] = 0
    while queue:
        location = queue.popleft()
        for source in entering[location]:
            if distances[source] == inf:
                distances[source] = distances[location] + 1
                queue.append(source)
    return distances
