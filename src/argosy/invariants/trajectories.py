"""Where a loop goes when its rounds are determined: closed forms of many rounds, as claims about the loop head.

From where a loop is entered its rounds are executed, as far as values are known. What changes by the same number every
``p`` rounds is a *stretch*: the states ``first + m * step`` for ``m = 0, 1, ...`` up to where a condition goes the
other way, which is found by doubling ``m`` and halving, not by going there. Translations are stretches with ``p = 1``;
toggles, positions in a ring, counters that begin again have one for each place in the period; phases
(``if (i < 50000000)``) follow each other. Where executions come to an end, or to a stretch that goes on for ever, the
stretches are all that the loop comes to: the accelerated path of Kroening, Lewis and Weissenbacher (CAV 2013), as a set
of states. ``m`` is said in terms of a variable that moves: of a step ``2^a * q`` with an odd ``q`` it is the difference
to the first value divided by both, the inverse of ``q`` modulo 2^w doing the second (Granlund and Montgomery, *Division
by invariant integers using multiplication*, PLDI 1994), so that a remainder costs no division.

What is not determined, because something chosen or another loop has a part in it, is left out; where what is left has
no end, so are the variables that count on and on. All of it is a guess: between the values of ``m`` that were tried a
condition may have gone another way, and what was left out may matter.

Law: each state that executing the rounds reaches from the entry satisfies what is said, as far as it was executed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.records import dataclass
from argosy.invariants.partial_rounds import PartialRounds, State
from argosy.logic.partial import OPEN
from argosy.logic.residues import valuation
from argosy.logic.semantics import Value, signed
from argosy.logic.sorts import BOOL
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Cfa, Location, Reading
from argosy.models.liveness import live_variables

_EDGES = 400
_EDGES_OF_A_LOOP = 150  # loops that go round very often are small
_PERIOD = 64
_STRETCHES = 96  # of one loop
_TURNS = 12  # of stretches that follow each other
_ROUNDS = 20_000  # that are executed for one loop
_LEFT_OUT = 3  # variables that count on, one of which is left out
_ENOUGH = 1_000  # periods after which no longer period is looked for


@dataclass(frozen=True, slots=True)
class Stretch:
    """``first + m * step`` for each ``m`` up to ``times``, modulo the width of each variable. Booleans have steps of
    0."""

    first: Mapping[Term, int]
    step: Mapping[Term, int]
    times: int


class _TooFar(Exception):
    """A loop takes more rounds than are executed."""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """``entry``: what is known whenever a loop is entered. Each of ``closed`` is said to contain all states that come
    to its head."""

    entry: Mapping[Term, Value]
    closed: Sequence[Sequence[Stretch]] = ()


def trajectories(cfa: Cfa, reading: Reading, budget: Budget = UNLIMITED) -> Mapping[Location, Trajectory]:
    """For each loop head that is reached; of small loops."""
    execution = PartialRounds(cfa, reading)
    live = live_variables(cfa)
    found: dict[Location, Trajectory] = {}
    heads = cfa.loop_heads if len(cfa.edges) <= _EDGES else ()
    for head in sorted(heads, key=lambda at: cfa.order[at]):
        entry = execution.entry(head) if execution.edges(head) <= _EDGES_OF_A_LOOP else None
        if entry is not None:
            known = {v: entry[slot] for v, slot in execution.slots.items() if entry[slot].__class__ not in OPEN}
            slots = [execution.slots[v] for v in known if v in live[head] and (v.sort is BOOL or v.sort.is_bits)]
            found[head] = Trajectory(known, _closed(cfa, execution, head, entry, slots, budget))
    return found


def _closed(
    cfa: Cfa, execution: PartialRounds, head: Location, entry: State, slots: Sequence[int], budget: Budget
) -> list[Sequence[Stretch]]:
    whole = _Following(cfa, execution, head, entry, slots, budget)
    if whole.end is not None:
        execution.ended(head, whole.end)
    if whole.is_closed:
        return [whole.stretches]
    # What counts on and on hides that the rest comes round again.
    found: list[Sequence[Stretch]] = []
    for counting in sorted(whole.moving)[:_LEFT_OUT]:
        others = tuple(slot for slot in whole.slots if slot != counting)
        part = _Following(cfa, execution, head, entry, others, budget)
        if part.is_closed and part.slots == others:
            found.append(part.stretches)
    return found


def said(terms: Terms, stretches: Iterable[Stretch]) -> Term:
    """That the state is in one of them."""
    return terms.disjunction(_said(terms, stretch) for stretch in stretches)


def _said(terms: Terms, stretch: Stretch) -> Term:
    moving = [v for v, step in stretch.step.items() if step]
    parts = [_is(terms, v, value) for v, value in stretch.first.items() if not stretch.step[v]]
    if not moving or not stretch.times:
        parts += [_is(terms, v, stretch.first[v]) for v in moving]
        return terms.conjunction(parts)
    # What tells the most rounds apart says how many there were.
    counter = max(moving, key=lambda v: (v.sort.width - valuation(stretch.step[v]), -abs(stretch.step[v]), -v.id))
    width, by = counter.sort.width, stretch.step[counter]
    shift = valuation(by)
    since = terms.bit("bvsub", counter, terms.bv(stretch.first[counter], width))
    rounds = terms.bit("bvmul", terms.bv(pow(by >> shift, -1, 1 << width), width), since)
    if shift:
        parts.append(terms.eq(terms.extract(rounds, shift - 1, 0), terms.bv(0, shift)))
        rounds = terms.extract(rounds, width - 1, shift)
    if stretch.times < (1 << (width - shift)) - 1:
        parts.append(terms.bit("bvule", rounds, terms.bv(stretch.times, width - shift)))
    for v in moving:
        if v is not counter:
            own = v.sort.width
            wide = terms.zero_extend(rounds, max(0, own - rounds.sort.width))
            low = terms.extract(wide, own - 1, 0) if wide.sort.width > own else wide
            gone = terms.bit("bvmul", terms.bv(stretch.step[v], own), low)
            parts.append(terms.eq(v, terms.bit("bvadd", terms.bv(stretch.first[v], own), gone)))
    return terms.conjunction(parts)


def _is(terms: Terms, variable: Term, value: int) -> Term:
    if variable.sort is BOOL:
        return variable if value else terms.not_(variable)
    return terms.eq(variable, terms.bv(value, variable.sort.width))


class _Following:
    """The states at a loop head that follow each other, as values of the variables in some ``slots``: those of which
    all is known that a round makes of them. ``moving`` are those that count from the first round to the last."""

    def __init__(
        self, cfa: Cfa, execution: PartialRounds, head: Location, entry: State, slots: Iterable[int], budget: Budget
    ) -> None:
        self._cfa = cfa
        self._execution = execution
        self._head = head
        self._entry = entry
        self._budget = budget
        self._rounds = 0
        self._changed = execution.changes(head)
        self.slots = tuple(sorted(slots))
        self.stretches: list[Stretch] = []
        self.moving: frozenset[int] = frozenset()
        self.end: State | None = None
        self.is_closed = False
        try:
            while self.slots and not self._follow():
                pass
        except _TooFar:
            self.is_closed = False

    @property
    def _variables(self) -> Sequence[Term]:
        return [self._cfa.variables[slot].term for slot in self.slots]

    # ---- executing ----------------------------------------------------------------------------------------------

    def _round(self, state: State) -> State | None:
        """The next state; None where there is none."""
        self._rounds += 1
        if self._rounds > _ROUNDS:
            raise _TooFar
        if not self._rounds % 256:
            self._budget.check()
        after = self._execution.round(self._head, self._whole(state))
        return None if after is None else tuple(after[slot] for slot in self.slots)

    def _whole(self, state: State) -> State:
        """The values of all variables: what is not followed is known only if the loop leaves it alone."""
        whole = [None if slot in self._changed else value for slot, value in enumerate(self._entry)]
        for slot, value in zip(self.slots, state, strict=True):
            whole[slot] = value
        return tuple(whole)

    def _follow(self) -> bool:
        """Whether what is known stayed known."""
        self.stretches = []
        self.moving = frozenset(self.slots)
        state: State | None = tuple(self._entry[slot] for slot in self.slots)
        seen: set[State] = set()
        for _ in range(_TURNS):
            if state is None or state in seen:
                self.is_closed = True
                break
            seen.add(state)
            states = [state]
            while len(states) <= 3 * _PERIOD and (after := self._round(states[-1])) is not None:
                known = [value is not None for value in after]
                if not all(known):
                    self.slots = tuple(slot for slot, is_known in zip(self.slots, known, strict=True) if is_known)
                    return False
                states.append(after)
            is_at_end = len(states) <= 3 * _PERIOD
            found = self._period(states)
            # The first state is where a stretch ended, if there was one.
            for each in states[1 if self.stretches else 0 : len(states) if found is None else found[0]]:
                self._add(each, each, 0)
            if found is None:
                self.is_closed = is_at_end
                self.end = self._whole(states[-1]) if is_at_end else None
                break
            state = self._stretched(states, *found)
            if len(self.stretches) > _STRETCHES:
                break
        return True

    # ---- stretches ----------------------------------------------------------------------------------------------

    def _period(self, states: Sequence[State]) -> tuple[int, int, int] | None:
        """The first state with which something begins that repeats, after how many rounds, and how often: as long as
        can be."""
        for start in range(min(len(states), _STRETCHES)):
            best: tuple[int, int] | None = None
            reach: dict[int, int] = {}
            for period in range(1, min(_PERIOD, (len(states) - 1 - start) // 2) + 1):
                own = reach[period] = self._reach(states[start:], period)
                # What repeats in shorter periods as far as that is no longer one.
                if own <= period or any(
                    period % shorter == 0 and reach[shorter] >= own for shorter in range(1, period)
                ):
                    continue
                times = self._times(states[start : start + period + 1])
                if best is None or period * (times + 1) > best[0] * (best[1] + 1):
                    best = period, times
                if times > _ENOUGH:
                    break
            if best is not None:
                return (start, *best)
        return None

    def _reach(self, states: Sequence[State], period: int) -> int:
        """From how many of the first states a period leads to as much more."""
        step = self._step(states[0], states[period])
        far = 0
        while far + period < len(states) and self._step(states[far], states[far + period]) == step:
            far += 1
        return far if step is not None else 0

    def _stretched(self, states: Sequence[State], start: int, period: int, times: int) -> State | None:
        """Adds the stretches of a period; where they end, or None where they do not."""
        pairs = [(states[i], states[i + period]) for i in range(start, start + period)]
        is_endless = times >= self._without_wrapping(*pairs[0])
        for number, (one, other) in enumerate(pairs):
            most = times if is_endless or number else times + 1
            self._add(one, other, min(most, self._without_wrapping(one, other)))
        return None if is_endless else self._moved(*pairs[0], times + 1)

    def _times(self, period: Sequence[State]) -> int:
        """How often a period is gone through, after the first time, until something is otherwise."""
        first, after = period[0], period[-1]
        if first == after:
            return _ENOUGH + 1

        def follows(times: int) -> bool:
            state: State | None = self._moved(first, after, times)
            for each in period[1:]:
                state = None if state is None else self._round(state)
                if state != self._ahead(each, first, after, times):
                    return False
            return True

        limit = self._without_wrapping(first, after)
        for times in sorted(self._crossings(first, after)):
            if times <= limit and not follows(times):
                limit = times - 1
                break
        return _largest(follows, limit)

    def _crossings(self, one: State, other: State) -> set[int]:
        """After about how many periods values may be equal that are compared."""
        found: set[int] = set()
        wholes = self._whole(one), self._whole(other)
        for left, right, width in self._execution.comparisons(self._head):
            before, after = ((left(whole), right(whole)) for whole in wholes)
            if OPEN.isdisjoint(value.__class__ for value in (*before, *after)):
                modulus = 1 << width
                apart = (before[0] - before[1]) % modulus
                by = (after[0] - after[1] - apart) % modulus
                if by:
                    times = (modulus - apart) // by if by <= modulus // 2 else apart // (modulus - by)
                    found.update(each for each in (times - 1, times, times + 1) if each > 0)
        return found

    # ---- states -------------------------------------------------------------------------------------------------

    def _step(self, one: State, other: State) -> tuple[int, ...] | None:
        """By how much each variable moves, the shorter way; None where a boolean changes."""
        found: list[int] = []
        for variable, before, after in zip(self._variables, one, other, strict=True):
            if variable.sort is BOOL:
                if before is not after:
                    return None
                found.append(0)
            else:
                found.append(signed((after - before) % (1 << variable.sort.width), variable.sort.width))
        return tuple(found)

    def _moved(self, one: State, other: State, times: int) -> State:
        """``one`` with ``times`` the difference to ``other`` more."""
        return self._ahead(one, one, other, times)

    def _ahead(self, state: State, one: State, other: State, times: int) -> State:
        step = self._step(one, other)
        assert step is not None
        return tuple(
            (value + times * by) % (1 << variable.sort.width) if by else value
            for variable, value, by in zip(self._variables, state, step, strict=True)
        )

    def _without_wrapping(self, one: State, other: State) -> int:
        """How often all can be moved so that the widest variables that move do not wrap, one of them at least."""
        limits: dict[int, int] = {}
        for slot, value, by in zip(self.slots, one, self._step(one, other) or (), strict=True):
            if by:
                variable = self._cfa.variables[slot]
                width = variable.term.sort.width
                low, high = 0, (1 << width) - 1
                if variable.signed:
                    low, high, value = -(1 << (width - 1)), (1 << (width - 1)) - 1, signed(value, width)
                limits[width] = max(limits.get(width, 0), (high - value) // by if by > 0 else (value - low) // -by)
        return limits[max(limits)] if limits else 0

    def _add(self, one: State, other: State, times: int) -> None:
        step = self._step(one, other)
        assert step is not None
        if times:
            self.moving = frozenset(
                slot for slot, by in zip(self.slots, step, strict=True) if by and slot in self.moving
            )
        self.stretches.append(
            Stretch(
                dict(zip(self._variables, map(int, one), strict=True)),
                dict(zip(self._variables, step, strict=True)),
                times,
            )
        )


def _largest(holds: Callable[[int], bool], limit: int) -> int:
    """The largest number up to a limit for which something holds, if it holds up to there and for no larger one."""
    good, bad = 0, 1
    while bad <= limit and holds(bad):
        good, bad = bad, 2 * bad
    bad = min(bad, limit + 1)
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if holds(middle) else (good, middle)
    return good
