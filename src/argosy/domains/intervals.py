"""The domain of intervals (Cousot and Cousot, Abstract Interpretation, 1977): bounds of every variable, one state for
each location, widened at loop heads to the next constant of the program and then to all values.

A variable is read as a floating-point number where an operator on floats reads it, and otherwise as its type says. The
domain knows integers in bits and floats (``logic.ranges``) and asks no solver; it refines nothing: what it cannot
exclude it leaves to others.

Laws: those of the engine; a chain of merges at one location ends, because only loop heads close a circle and each bound
moves at most once to each constant.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from argosy.basics.records import dataclass
from argosy.domains.precision import Precision
from argosy.logic.floating import FLOAT_OPERATORS, FloatFormat, magnitude
from argosy.logic.intervals import bits_range
from argosy.logic.ranges import Environment, Reading, WordRanges, every, hull, key, pattern
from argosy.logic.semantics import signed as as_signed
from argosy.logic.terms import Term
from argosy.logic.traverse import postorder
from argosy.models.cfa import Cfa, Edge, Location
from argosy.models.cfa import Reading as OverflowReading
from argosy.models.effects import Effect, effect_of
from argosy.models.liveness import live_variables


@dataclass(frozen=True, slots=True)
class IntervalState:
    """``bounds`` of variables, in the order of the automaton's; those without any are left out."""

    location: Location
    bounds: tuple[tuple[Term, Any], ...]


class IntervalAnalysis:
    def __init__(self, cfa: Cfa, reading: OverflowReading) -> None:
        self.cfa = cfa
        self._terms = cfa.terms
        self._effects: dict[Edge, Effect] = {edge: effect_of(cfa.terms, edge.operation) for edge in cfa.edges}
        self._guards = {
            edge: cfa.terms.and_(edge.guard(cfa.terms, reading), *self._effects[edge].guards) for edge in cfa.edges
        }
        self._live = live_variables(cfa)
        self._heads = frozenset(cfa.loop_heads)
        self._readings = self._read()
        self._thresholds = self._constants()
        self._order = {variable.term: place for place, variable in enumerate(cfa.variables)}

    def _formulas(self) -> Iterable[Term]:
        for edge in self.cfa.edges:
            yield self._guards[edge]
            yield from (value for _, value in self._effects[edge].definitions)

    def _read(self) -> Mapping[Term, Reading]:
        found: dict[Term, Reading] = {
            v.term: bool(v.signed) for v in self.cfa.variables if v.term.sort.is_bits and v.signed is not None
        }
        copied: dict[Term, list[Term]] = {}
        for edge in self.cfa.edges:
            for variable, value in self._effects[edge].definitions:
                if value.is_var:
                    copied.setdefault(value, []).append(variable)
                    copied.setdefault(variable, []).append(value)
        waiting: list[tuple[Term, FloatFormat]] = []
        for formula in self._formulas():
            for sub in postorder(formula):
                if sub.op in FLOAT_OPERATORS and not sub.op.startswith("fp.from_"):
                    format_ = FloatFormat(*sub.payload[:2])
                    waiting += [(arg, format_) for arg in sub.args if arg.is_var]
        while waiting:
            variable, format_ = waiting.pop()
            if not isinstance(found.get(variable), FloatFormat):
                found[variable] = format_
                waiting += [(other, format_) for other in copied.get(variable, ())]
        return found

    def _constants(self) -> Mapping[Reading | tuple[bool, int], Sequence[int]]:
        """Where widening stops, by reading and width: constants of the program, and what lies beside them."""
        seen: dict[Any, set[int]] = {}
        for formula in self._formulas():
            for sub in postorder(formula):
                if sub.op != "const" or not sub.sort.is_bits:
                    continue
                width = sub.sort.width
                for signed in (False, True):
                    number = as_signed(sub.payload, width) if signed else sub.payload
                    seen.setdefault(signed, set()).update((number - 1, number, number + 1))
                for format_ in {r for r in self._readings.values() if isinstance(r, FloatFormat)}:
                    if format_.width == width and magnitude(format_, sub.payload) <= format_.infinity:
                        place = key(format_, sub.payload)
                        seen.setdefault(format_, set()).update((place, -place - 1))
        return {reading: sorted(numbers) for reading, numbers in seen.items()}

    # ---- the analysis -------------------------------------------------------------------------------------

    def _state(self, location: Location, environment: Environment) -> IntervalState:
        live, readings = self._live[location], self._readings
        kept = ((v, r) for v, r in environment.items() if v in live and r != self._whole(v, readings[v]))
        return IntervalState(location, tuple(sorted(kept, key=lambda pair: self._order[pair[0]])))

    def _whole(self, variable: Term, reading: Reading) -> Any:
        return every(reading) if isinstance(reading, FloatFormat) else bits_range(variable.sort.width, reading)

    def initial(self, precision: Precision) -> Iterable[IntervalState]:
        yield IntervalState(self.cfa.initial, ())

    def successors(self, state: IntervalState, precision: Precision) -> Iterable[tuple[Edge, IntervalState]]:
        before: Environment = dict(state.bounds)
        for edge in self.cfa.leaving[state.location]:
            environment = WordRanges(self._readings, before).refined(self._guards[edge])
            if environment is None:
                continue
            effect = self._effects[edge]
            ranges = WordRanges(self._readings, environment)
            after = dict(environment)
            for variable in (*effect.havocs, *effect.tied):
                after.pop(variable, None)
            for variable, value in effect.definitions:
                after.pop(variable, None)
                reading = self._readings.get(variable)
                if isinstance(reading, FloatFormat):
                    after[variable] = ranges.floating(value, reading)
                elif reading is not None:
                    after[variable] = ranges.number(value, reading)
            yield edge, self._state(edge.target, after)

    def adjust(self, state: IntervalState, precision: Precision) -> IntervalState | None:
        return state

    def merges(self, state: IntervalState) -> bool:
        return state.location is not self.cfa.error

    def merge(self, new: IntervalState, old: IntervalState) -> IntervalState:
        if self.covers(old, new):
            return old
        ours, theirs = dict(old.bounds), dict(new.bounds)
        found: Environment = {}
        for variable, own in ours.items():
            other = theirs.get(variable)
            if other is not None:
                both = hull(own, other)
                found[variable] = self._widened(variable, own, both) if old.location in self._heads else both
        return self._state(old.location, found)

    def _widened(self, variable: Term, old: Any, new: Any) -> Any:
        """A bound that moved goes on to the next constant, or to the end."""
        reading = self._readings[variable]
        low, high = self._whole(variable, reading)[:2]
        stops = self._thresholds.get(reading, ())
        if new[0] < old[0]:
            at = bisect_right(stops, new[0]) - 1
            low = max(low, stops[at]) if at >= 0 else low
        else:
            low = old[0]
        if new[1] > old[1]:
            at = bisect_left(stops, new[1])
            high = min(high, stops[at]) if at < len(stops) else high
        else:
            high = old[1]
        return (low, high, *new[2:])

    def covers(self, old: IntervalState, new: IntervalState) -> bool:
        if old.location is not new.location:
            return False
        ours = dict(new.bounds)
        return all(variable in ours and hull(own, ours[variable]) == own for variable, own in old.bounds)

    def partition(self, state: IntervalState) -> Hashable:
        return state.location

    def shelters(self, state: IntervalState) -> Iterable[Hashable]:
        yield state.location

    def is_target(self, state: IntervalState) -> bool:
        return state.location is self.cfa.error

    def about(self, state: IntervalState, mentioned: frozenset[Term]) -> Term:
        """What a state says about some variables: what follows in a product is told (``product``)."""
        return self._terms.conjunction(self._said(v, range_) for v, range_ in state.bounds if v in mentioned)

    def claim(self, state: IntervalState) -> tuple[Location, Term]:
        parts = [self._said(variable, range_) for variable, range_ in state.bounds]
        return state.location, self._terms.conjunction(parts)

    def _said(self, variable: Term, range_: Any) -> Term:
        terms, reading, width = self._terms, self._readings[variable], variable.sort.width
        if isinstance(reading, FloatFormat):
            return self._said_of_float(variable, reading, *range_)
        less = "bvsle" if reading else "bvule"
        low, high = (terms.bv(bound, width) for bound in range_)
        return terms.and_(terms.bit(less, low, variable), terms.bit(less, variable, high))

    def _said_of_float(self, variable: Term, format_: FloatFormat, low: int, high: int, nan: bool) -> Term:
        terms, payload = self._terms, format_.payload
        if low == 0 or high == -1:
            return self._said_of_patterns(variable, format_, low, high, nan)
        least, most = (terms.const(pattern(format_, place), variable.sort) for place in (low, high))
        if nan:
            below, above = (
                terms.floating("fp.lt", payload, variable, least),
                terms.floating("fp.lt", payload, most, variable),
            )
            return terms.and_(terms.not_(below), terms.not_(above))
        return terms.and_(
            terms.floating("fp.leq", payload, least, variable), terms.floating("fp.leq", payload, variable, most)
        )

    def _said_of_patterns(self, variable: Term, format_: FloatFormat, low: int, high: int, nan: bool) -> Term:
        """Where one of the zeros is left out: by the order of unsigned numbers, in which negative ones go down."""
        terms, width, ways = self._terms, format_.width, []
        for least, most in ((min(high, -1), low), (max(low, 0), high)):
            if (least < 0) == (most < 0) and low <= least <= high:
                ends = (terms.bv(pattern(format_, place), width) for place in (least, most))
                first, last = ends
                ways.append(terms.and_(terms.bit("bvule", first, variable), terms.bit("bvule", variable, last)))
        if nan:
            size = terms.extract(variable, width - 2, 0)
            ways.append(terms.bit("bvult", terms.bv(format_.infinity, width - 1), size))
        return terms.disjunction(ways)
