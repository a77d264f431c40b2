"""The explicit-value domain: the values of tracked variables, unknown otherwise (paper 002, section 2.1.1).

A state is a location and a tuple with one entry per variable of the automaton, None where nothing is known. The
transfer evaluates compiled operations three-valued (``logic.partial``); an assumed ``v = constant`` fixes v, and an
assumed ``v != constant`` is remembered where nothing else is known of v. It never asks a solver, so the domain runs
on bit-vectors, the model as it was read.

A variable that is dead at a location is not kept there, whatever the precision says.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from argosy.domains.precision import Precision
from argosy.logic.partial import Evaluator, Other, compile_partial
from argosy.logic.semantics import Value
from argosy.logic.terms import Term
from argosy.logic.traverse import conjuncts
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Havoc, Location, Reading, Relation
from argosy.models.liveness import live_variables

Values = tuple[Value, ...]


class ExplicitState(NamedTuple):
    location: Location
    values: Values


@dataclass(frozen=True, slots=True)
class Transfer:
    """An operation made ready: ``condition`` must not be false; ``fixes`` are the values that an assumption
    decides, ``writes`` the slots that change with what they change to (None: unknown)."""

    condition: Evaluator | None
    fixes: tuple[tuple[int, Value], ...]
    writes: tuple[tuple[int, Evaluator | None], ...]

    def __call__(self, values: Values) -> list[Value] | None:
        """Everything that is known after the operation; None if it cannot be taken."""
        if self.condition is not None:
            holds = self.condition(values)
            if holds is False:
                return None
            after = list(values)
            if holds is None:
                for slot, value in self.fixes:
                    if after[slot] is None or value.__class__ is not Other:
                        after[slot] = value
        else:
            after = list(values)
        for slot, evaluator in self.writes:
            after[slot] = None if evaluator is None else evaluator(values)
        return after


class ExplicitAnalysis:
    """The analysis of one automaton. Precisions track variables."""

    def __init__(self, cfa: Cfa, reading: Reading) -> None:
        self.cfa = cfa
        self._reading = reading
        self.variables = tuple(v.term for v in cfa.variables)
        self.slots = {term: slot for slot, term in enumerate(self.variables)}
        self._unknown: Values = (None,) * len(self.variables)
        self._live = live_variables(cfa)
        self._transfers: dict[Edge, Transfer] = {}
        self._precision: Precision | None = None
        self._kept: dict[Location, frozenset[int]] = {}
        self._patterns: dict[Location, dict[tuple[int, ...], None]] = {}

    def transfer(self, edge: Edge) -> Transfer:
        transfer = self._transfers.get(edge)
        if transfer is None:
            transfer = self._transfers[edge] = self._prepare(edge)
        return transfer

    def condition(self, edge: Edge) -> Term:
        """Under which condition an edge can be taken."""
        guard = edge.guard(self.cfa.terms, self._reading)
        assumed = edge.operation.condition if isinstance(edge.operation, Assume) else self.cfa.terms.true
        return self.cfa.terms.and_(guard, assumed)

    def _prepare(self, edge: Edge) -> Transfer:
        terms, slots = self.cfa.terms, self.slots
        condition = self.condition(edge)
        writes: list[tuple[int, Evaluator | None]] = []
        match edge.operation:
            case Assign(variable, value):
                writes.append((slots[variable], compile_partial(value, slots)))
            case Havoc(variable):
                writes.append((slots[variable], None))
            case Relation(_, primed):
                writes.extend((slots[variable], None) for variable, _ in primed)
        fixes = []
        for part in conjuncts(condition):
            fixed = _fixed(part)
            if fixed is not None:
                fixes.append((slots[fixed[0]], fixed[1]))
        compiled = None if condition is terms.true else compile_partial(condition, slots)
        return Transfer(compiled, tuple(fixes), tuple(writes))

    def kept(self, location: Location, precision: Precision) -> frozenset[int]:
        """The slots that are tracked and live at a location."""
        if precision is not self._precision:
            self._precision, self._kept = precision, {}
        kept = self._kept.get(location)
        if kept is None:
            live = self._live[location]
            tracked = frozenset(self.slots[v] for v in precision.at(location) if v in live)
            kept = self._kept[location] = tracked
        return kept

    def initial(self, precision: Precision) -> Iterable[ExplicitState]:
        yield ExplicitState(self.cfa.initial, self._unknown)

    def successors(self, state: ExplicitState, precision: Precision) -> Iterable[tuple[Edge, ExplicitState]]:
        before = state.values
        for edge in self.cfa.leaving[state.location]:
            after = self.transfer(edge)(before)
            if after is None:
                continue
            kept = self.kept(edge.target, precision)
            for slot, value in enumerate(after):
                if value is not None and slot not in kept:
                    after[slot] = None
            yield edge, ExplicitState(edge.target, tuple(after))

    def adjust(self, state: ExplicitState, precision: Precision) -> ExplicitState | None:
        return state

    def merges(self, state: ExplicitState) -> bool:
        return False

    def merge(self, new: ExplicitState, old: ExplicitState) -> ExplicitState:
        return old

    def covers(self, old: ExplicitState, new: ExplicitState) -> bool:
        return old.location is new.location and all(
            o is None or o == n for o, n in zip(old.values, new.values, strict=True)
        )

    def partition(self, state: ExplicitState) -> Hashable:
        """A state is filed under all it says, and the pattern of its known slots is remembered."""
        pattern = tuple(slot for slot, value in enumerate(state.values) if value is not None)
        self._patterns.setdefault(state.location, {})[pattern] = None
        return state

    def shelters(self, state: ExplicitState) -> Iterable[Hashable]:
        """A coverer knows a part of what ``state`` knows: one look-up for each pattern that occurs."""
        values = state.values
        for pattern in self._patterns.get(state.location, ()):
            weaker: list[Value] = list(self._unknown)
            for slot in pattern:
                weaker[slot] = values[slot]
                if values[slot] is None:
                    break
            else:
                yield ExplicitState(state.location, tuple(weaker))

    def is_target(self, state: ExplicitState) -> bool:
        return state.location is self.cfa.error

    def claim(self, state: ExplicitState) -> tuple[Location, Term]:
        terms = self.cfa.terms
        known = (
            terms.ne(variable, terms.const(value.excluded, variable.sort))
            if isinstance(value, Other)
            else terms.eq(variable, terms.const(value, variable.sort))
            for variable, value in zip(self.variables, state.values, strict=True)
            if value is not None
        )
        return state.location, terms.conjunction(known)


def _fixed(part: Term) -> tuple[Term, Value] | None:
    """The variable that an assumed conjunct ``v = constant`` (or its negation, or a boolean literal) tells about, and
    what it tells."""
    if part.op == "var":
        return part, True
    if part.op == "not" and part.args[0].op == "var":
        return part.args[0], False
    equal = part.args[0] if part.op == "not" else part
    if equal.op == "=":
        one, other = equal.args
        if one.op == "const":
            one, other = other, one
        if one.op == "var" and other.op == "const":
            return one, other.payload if equal is part else Other(other.payload)
    return None
