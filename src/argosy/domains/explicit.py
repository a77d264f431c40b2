"""The explicit-value domain: the values of tracked variables, top otherwise ([Theta], sections 2.2.1 and 3.1.1).

A state is a location and a tuple with one entry per variable of the automaton, None (top) where nothing is known. The
transfer evaluates compiled operations three-valued (``logic.partial``); an assumed ``v = constant`` fixes v, and an
assumed ``v != constant`` is remembered where nothing else is known of v. It asks no solver, so the domain runs on
bit-vectors, the model as it was read.

With an ``Enumeration`` a solver is asked where a result is *unknown*: an assumption that could not be decided, the new
value of a kept variable that could not be computed, a relation. A nondeterministic assignment gives top, which is not
unknown; neither is an assumption that holds once the values it fixes are in place.

A variable that is dead at a location is not kept there, whatever the precision says.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol, runtime_checkable

from argosy.basics.records import dataclass
from argosy.domains.enumeration import Assignment, Enumeration, more_values
from argosy.domains.filing import Filing, Values, knows_less
from argosy.domains.precision import Precision
from argosy.logic.partial import OPEN, Elements, Evaluator, Other, compile_partial
from argosy.logic.semantics import Value
from argosy.logic.terms import Term
from argosy.logic.traverse import conjuncts, variables
from argosy.models.cfa import Cfa, Edge, Location, Reading, read, written
from argosy.models.effects import Effect, effect_of
from argosy.models.liveness import live_variables

# Modes, flags and small enumerations take no more values than this.
FEW = 64


class ExplicitState(NamedTuple):
    location: Location
    values: Values


@dataclass(frozen=True, slots=True)
class Transfer:
    """An operation made ready: ``condition`` must not be false; ``fixes`` are the values that an assumption
    decides, ``writes`` the slots that change with what they change to (None: anything). Under a ``relation`` some new
    values depend on others in a way that is not followed."""

    condition: Evaluator | None
    fixes: tuple[tuple[int, Value], ...]
    writes: tuple[tuple[int, Evaluator | None], ...]
    relation: bool = False

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

    def unconditionally(self, values: Values) -> list[Value]:
        """What is known after the operation if its condition is left out."""
        after = list(values)
        for slot, evaluator in self.writes:
            after[slot] = None if evaluator is None else evaluator(values)
        return after

    def leaves_unknown(self, values: Values, after: Sequence[Value], kept: frozenset[int]) -> bool:
        """Whether ``after``, which the operation gave, has an unknown value (sp' of the paper) that is not top."""
        if self.relation:
            return True
        for slot, evaluator in self.writes:
            if evaluator is not None and slot in kept and after[slot].__class__ in OPEN:
                return True
        if self.condition is None or self.condition(values) is not None:
            return False
        fixed = list(values)
        for slot, value in self.fixes:
            if fixed[slot] is None or value.__class__ is not Other:
                fixed[slot] = value
        return self.condition(fixed) is not True


@runtime_checkable
class Spreading(Protocol):
    """States of which somebody can say whether some variable has more than ``limit`` values in them; that nothing is
    known of it is one of these."""

    def spreads(self, limit: int) -> bool: ...


class EdgePlan(NamedTuple):
    """How an edge is taken under a precision: ``drops`` are the slots that may be known and are not kept."""

    edge: Edge
    transfer: Transfer
    kept: frozenset[int]
    drops: tuple[int, ...]


class ExplicitAnalysis:
    """The analysis of one automaton. Precisions track variables."""

    def __init__(self, cfa: Cfa, reading: Reading, enumeration: Enumeration | None = None) -> None:
        self.cfa = cfa
        self._enumeration = enumeration
        self._reading = reading
        self.variables: tuple[Term, ...] = tuple(v.term for v in cfa.variables)
        self.slots = {term: slot for slot, term in enumerate(self.variables)}
        self._unknown: Values = (None,) * len(self.variables)
        self._live = live_variables(cfa)
        self._transfers: dict[Edge, Transfer] = {}
        self._effects: dict[Edge, Effect] = {}
        # Who executes traces faster.
        self.executor: Callable[[Sequence[Edge]], tuple[list[Values], list[int]]] | None = None
        self._conditions: dict[Edge, Term] = {}
        self._precision: Precision | None = None
        self._plans: dict[Location, tuple[EdgePlan, ...]] = {}
        self._filing = Filing()
        self._slots_of: dict[frozenset[Term], tuple[int, ...]] = {}
        self._told: dict[tuple[tuple[int, ...], Values], Term] = {}

    def transfer(self, edge: Edge) -> Transfer:
        transfer = self._transfers.get(edge)
        if transfer is None:
            transfer = self._transfers[edge] = self._prepare(edge)
        return transfer

    def condition(self, edge: Edge) -> Term:
        """Under which condition an edge can be taken."""
        condition = self._conditions.get(edge)
        if condition is None:
            guard = edge.guard(self.cfa.terms, self._reading)
            condition = self._conditions[edge] = self.cfa.terms.and_(guard, *self.effect(edge).guards)
        return condition

    @cached_property
    def counters(self) -> frozenset[Term]:
        """Variables whose new value somewhere depends on their old one."""
        definitions = (definition for edge in self.cfa.edges for definition in self.effect(edge).definitions)
        return frozenset(variable for variable, value in definitions if variable in variables(value))

    def diverges(self, states: Iterable[ExplicitState]) -> bool:
        """Whether some variable has taken so many values that it will probably take many more."""
        if isinstance(states, Spreading):
            return states.spreads(FEW)
        rows = [state.values for state in states]
        return any(len(set(column)) > FEW for column in zip(*rows, strict=True))

    def effect(self, edge: Edge) -> Effect:
        effect = self._effects.get(edge)
        if effect is None:
            effect = self._effects[edge] = effect_of(self.cfa.terms, edge.operation)
        return effect

    def _prepare(self, edge: Edge) -> Transfer:
        terms, slots = self.cfa.terms, self.slots
        condition, effect = self.condition(edge), self.effect(edge)
        writes: list[tuple[int, Evaluator | None]] = []
        writes += [(slots[variable], compile_partial(value, slots)) for variable, value in effect.definitions]
        writes += [(slots[variable], None) for variable in (*effect.havocs, *effect.tied)]
        compiled = None if condition is terms.true else compile_partial(condition, slots)
        return Transfer(compiled, tuple(self.fixes(edge)), tuple(writes), bool(effect.ties))

    def execute(self, edges: Sequence[Edge]) -> tuple[list[Values], list[int]]:
        """What is known before each edge of a trace (and at the end) when everything is tracked, and which edges are
        impossible. Of these the condition is left out, so that what follows is judged for itself."""
        if self.executor is not None:
            return self.executor(edges)
        history: list[Values] = [self._unknown]
        impossible: list[int] = []
        for position, edge in enumerate(edges):
            transfer = self.transfer(edge)
            after = transfer(history[-1])
            if after is None:
                impossible.append(position)
                after = transfer.unconditionally(history[-1])
            history.append(tuple(after))
        return history, impossible

    def fixes(self, edge: Edge) -> Iterable[tuple[int, Value]]:
        """The slots whose values the condition of an edge decides, and what it says of them."""
        for part in conjuncts(self.condition(edge)):
            fixed = _fixed(part)
            if fixed is not None:
                yield self.slots[fixed[0]], fixed[1]

    def kept(self, location: Location, precision: Precision) -> frozenset[int]:
        """The slots that are tracked and live at a location."""
        live = self._live[location]
        return frozenset(self.slots[v] for v in precision.at(location) if v in live)

    def _planned(self, location: Location, precision: Precision) -> tuple[EdgePlan, ...]:
        if precision is not self._precision:
            self._precision, self._plans = precision, {}
        plans = self._plans.get(location)
        if plans is None:
            plans = self._plans[location] = tuple(self._plan(edge, precision) for edge in self.cfa.leaving[location])
        return plans

    def _plan(self, edge: Edge, precision: Precision) -> EdgePlan:
        """Precisions grow, so a state knows no more than what is kept at its location now."""
        transfer = self.transfer(edge)
        kept = self.kept(edge.target, precision)
        known = self.kept(edge.source, precision) | {slot for slot, _ in (*transfer.fixes, *transfer.writes)}
        return EdgePlan(edge, transfer, kept, tuple(sorted(known - kept)))

    @property
    def unknown(self) -> Values:
        """Nothing is known of any variable."""
        return self._unknown

    def initial(self, precision: Precision) -> Iterable[ExplicitState]:
        # Asked for when nothing is reached: nothing is filed under any pattern.
        self._filing.clear()
        yield ExplicitState(self.cfa.initial, self._unknown)

    def successors(self, state: ExplicitState, precision: Precision) -> Iterable[tuple[Edge, ExplicitState]]:
        before, enumeration = state.values, self._enumeration
        for plan in self._planned(state.location, precision):
            edge, transfer, kept, drops = plan
            after = transfer(before)
            if after is None:
                continue
            if enumeration is not None and transfer.leaves_unknown(before, after, kept):
                found = self._enumerated(enumeration, plan, before, after)
                if found is not None:
                    yield from ((edge, ExplicitState(edge.target, values)) for values in found)
                    continue
            for slot in drops:
                after[slot] = None
            yield edge, ExplicitState(edge.target, tuple(after))

    @property
    def enumerates(self) -> bool:
        """Whether a solver is asked where something is unknown."""
        return self._enumeration is not None

    def enumerated(self, edge: Edge, before: Values, precision: Precision) -> list[Values] | None:
        """The successors of an edge that leaves something unknown, one by one; None where there are too many."""
        plan = next(plan for plan in self._planned(edge.source, precision) if plan.edge is edge)
        after = plan.transfer(before)
        assert self._enumeration is not None and after is not None
        return self._enumerated(self._enumeration, plan, before, after)

    def _enumerated(
        self, enumeration: Enumeration, plan: EdgePlan, before: Values, after: Sequence[Value]
    ) -> list[Values] | None:
        """The successors one by one; None where there are too many."""
        edge, limit = plan.edge, enumeration.limit
        changed = written(edge.operation)
        involved = variables(self.condition(edge)) | read(edge.operation)
        open_ = [s for s in sorted(plan.kept) if self.variables[s] in changed or before[s].__class__ in OPEN]
        free = [s for s in open_ if self.variables[s] not in changed and self.variables[s] not in involved]
        if any(more_values(self.variables[s].sort, limit) for s in free) and limit:
            # A variable that has nothing to do with the operation takes too many values: is the operation possible?
            open_ = []
        elif not limit:
            # Without a limit nothing is counted, and what has nothing to do with the operation may stay as it is.
            open_, free = [s for s in open_ if s not in free], []
        asked = [self.variables[s] for s in open_]
        relevant = ((s, before[s]) for s, v in enumerate(self.variables) if v in involved or v in asked)
        found = enumeration.after(edge, self._formula(relevant), asked)
        if found and free and not open_:
            return None
        return found and [self._assigned(plan, after, open_, assignment) for assignment in found]

    def _assigned(self, plan: EdgePlan, after: Sequence[Value], slots: Sequence[int], assignment: Assignment) -> Values:
        values = list(after)
        for slot in plan.drops:
            values[slot] = None
        for slot, value in zip(slots, assignment, strict=True):
            values[slot] = value
        return tuple(values)

    def adjust(self, state: ExplicitState, precision: Precision) -> ExplicitState | None:
        return state

    def merges(self, state: ExplicitState) -> bool:
        return False

    def merge(self, new: ExplicitState, old: ExplicitState) -> ExplicitState:
        return old

    def covers(self, old: ExplicitState, new: ExplicitState) -> bool:
        return old.location is new.location and knows_less(old.values, new.values)

    def partition(self, state: ExplicitState) -> Hashable:
        return self._filing.key(*state)

    def shelters(self, state: ExplicitState) -> Iterable[Hashable]:
        return self._filing.shelters(*state)

    def remember_states(self) -> None:
        self._filing.remember()

    def sheltered(self, state: ExplicitState) -> Iterable[Hashable]:
        return self._filing.sheltered(*state)

    def is_target(self, state: ExplicitState) -> bool:
        return state.location is self.cfa.error

    def claim(self, state: ExplicitState) -> tuple[Location, Term]:
        return state.location, self._formula(enumerate(state.values))

    def about(self, state: ExplicitState, mentioned: frozenset[Term]) -> Term:
        """What a state says about some variables."""
        slots = self._slots_of.get(mentioned)
        if slots is None:
            slots = self._slots_of[mentioned] = tuple(slot for slot, v in enumerate(self.variables) if v in mentioned)
        known = tuple(state.values[slot] for slot in slots)
        said = self._told.get((slots, known))
        if said is None:
            said = self._told[slots, known] = self._formula(zip(slots, known, strict=True))
        return said

    def _formula(self, known: Iterable[tuple[int, Value]]) -> Term:
        """What slots and their values say."""
        terms = self.cfa.terms
        parts: list[Term] = []
        for slot, value in known:
            if value is None:
                continue
            variable = self.variables[slot]
            if isinstance(value, Elements):
                parts.append(self._of_elements(variable, value))
            elif isinstance(value, Other):
                parts.append(terms.ne(variable, terms.const(value.excluded, variable.sort)))
            else:
                parts.append(terms.eq(variable, terms.const(value, variable.sort)))
        return terms.conjunction(parts)

    def _of_elements(self, variable: Term, known: Elements) -> Term:
        """What is known of an array; its other elements are its own."""
        terms, sort = self.cfa.terms, variable.sort
        assert sort.index is not None and sort.element is not None
        indices = [(terms.const(index, sort.index), value) for index, value in sorted(known.stored.items())]
        if known.default is None:
            found = [(terms.select(variable, at), terms.const(v, sort.element)) for at, v in indices if v is not None]
            return terms.conjunction(terms.eq(own, value) for own, value in found)
        whole = terms.const_array(sort, terms.const(known.default, sort.element))
        for at, value in indices:
            element = terms.select(variable, at) if value is None else terms.const(value, sort.element)
            whole = terms.store(whole, at, element)
        return terms.eq(variable, whole)


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
