"""Rounds of loops, executed as far as values are known.

A state has the values of all variables, None where one is not known. Where paths meet, what they agree on is known, and
what another loop on the way changes is not, unless it is known in which state that one is left.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from argosy.basics.records import dataclass
from argosy.logic.partial import OPEN, Evaluator, compile_partial
from argosy.logic.semantics import Value
from argosy.logic.traverse import atoms, postorder
from argosy.models.cfa import Cfa, Edge, Location, Reading, written
from argosy.models.effects import effect_of

_COMPARE = ("=", "bvult", "bvslt")

State = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class _Step:
    """An edge, compiled."""

    condition: Evaluator | None
    definitions: tuple[tuple[int, Evaluator], ...]
    lost: tuple[int, ...]

    def __call__(self, before: State) -> list[Value] | None:
        """None where the edge cannot be taken."""
        if self.condition is not None and self.condition(before) is False:
            return None
        after = list(before)
        for slot in self.lost:
            after[slot] = None
        for slot, value in self.definitions:
            new = value(before)
            after[slot] = None if new.__class__ in OPEN else new
        return after


class PartialRounds:
    """Executes the rounds of the loops of one automaton. Law: each state that an execution of the automaton comes to
    agrees with what is known of it."""

    def __init__(self, cfa: Cfa, reading: Reading) -> None:
        self._cfa = cfa
        self._reading = reading
        self.slots = {v.term: i for i, v in enumerate(cfa.variables)}
        self._steps: dict[Edge, _Step] = {}
        self._ends: dict[Location, State] = {}
        self._comparisons: dict[Location, Sequence[tuple[Evaluator, Evaluator, int]]] = {}
        self._bodies = {head: range(cfa.order[head], cfa.loop_ends[head] + 1) for head in cfa.loop_heads}
        self._changed = {
            head: frozenset(
                self.slots[v]
                for edge in cfa.edges
                if self._is_in(edge.source, body) and self._is_in(edge.target, body)
                for v in written(edge.operation)
            )
            for head, body in self._bodies.items()
        }

    def _is_in(self, location: Location, body: range) -> bool:
        return self._cfa.order.get(location, -1) in body

    def _step(self, edge: Edge) -> _Step:
        step = self._steps.get(edge)
        if step is None:
            terms, slots = self._cfa.terms, self.slots
            effect = effect_of(terms, edge.operation)
            condition = terms.conjunction((*effect.guards, edge.guard(terms, self._reading)))
            step = self._steps[edge] = _Step(
                None if condition is terms.true else compile_partial(condition, slots),
                tuple((slots[v], compile_partial(value, slots)) for v, value in effect.definitions),
                tuple(slots[v] for v in (*effect.havocs, *effect.tied)),
            )
        return step

    def entry(self, head: Location) -> State | None:
        """What is known whenever a loop is entered; None where it is not."""
        return self._arriving(self._cfa.initial, (None,) * len(self.slots), head)

    def round(self, head: Location, state: State) -> State | None:
        """What is known after a round that begins in a state; None where there is none."""
        return self._arriving(head, state, head)

    def ended(self, head: Location, state: State) -> None:
        """A loop is left in a state, as far as that is known."""
        self._ends[head] = state

    def _arriving(self, start: Location, state: State, end: Location) -> State | None:
        """What is known of all states in which ``end`` is come to; None where it is not come to. On the way what other
        loops change is not known, unless it is known where they end."""
        order = self._cfa.order
        waiting: dict[Location, State] = {start: state}
        queue = [(order[start], start.index, start)]
        arrived: State | None = None
        while queue:
            position, _, location = heapq.heappop(queue)
            own = waiting.pop(location)
            if location is not start and location in self._bodies:
                own = self._behind(location, own, end)
            for edge in self._cfa.leaving[location]:
                target = edge.target
                if target is not end and order.get(target, -1) <= position:
                    continue
                after = self._step(edge)(own)
                if after is None:
                    continue
                new = tuple(after)
                if target is end:
                    arrived = new if arrived is None else _both(arrived, new)
                elif target in waiting:
                    waiting[target] = _both(waiting[target], new)
                else:
                    waiting[target] = new
                    heapq.heappush(queue, (order[target], target.index, target))
        return arrived

    def _behind(self, head: Location, state: State, end: Location) -> State:
        """What is known when a loop is left that was entered in a state."""
        at_end = None if self._is_in(end, self._bodies[head]) else self._ends.get(head)
        changed = self._changed[head]
        return tuple(
            value if i not in changed else None if at_end is None else at_end[i] for i, value in enumerate(state)
        )

    # ---- what is asked about a loop -----------------------------------------------------------------------------

    def comparisons(self, head: Location) -> Sequence[tuple[Evaluator, Evaluator, int]]:
        """The sides of the comparisons of words that a loop makes, and their width."""
        known = self._comparisons.get(head)
        if known is None:
            body = self._bodies[head]
            effects = [effect_of(self._cfa.terms, e.operation) for e in self._cfa.edges if self._is_in(e.source, body)]
            values = [value for effect in effects for _, value in effect.definitions]
            choices = [sub.args[0] for sub in postorder(*values) if sub.op == "ite"] if values else []
            found = dict.fromkeys(
                atom
                for condition in (*choices, *(guard for effect in effects for guard in effect.guards))
                for atom in atoms(condition)
                if atom.op in _COMPARE and atom.args[0].sort.is_bits
            )
            known = self._comparisons[head] = [
                (compile_partial(left, self.slots), compile_partial(right, self.slots), left.sort.width)
                for left, right in (atom.args for atom in found)
            ]
        return known

    def edges(self, head: Location) -> int:
        """How many edges a loop has."""
        return sum(1 for edge in self._cfa.edges if self._is_in(edge.source, self._bodies[head]))

    def changes(self, head: Location) -> frozenset[int]:
        """The slots of what a loop changes."""
        return self._changed[head]


def _both(one: State, other: State) -> State:
    return tuple(a if a == b and a.__class__ is b.__class__ else None for a, b in zip(one, other, strict=True))
