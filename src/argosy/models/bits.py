"""From a circuit to a transition system over booleans, and what both have in common.

Every latch and input of the cone of a bad state is a boolean variable, every gate a term; gates that are used more than
once are shared. ``Terms`` makes one conjunction of nested ones, which would copy a shared gate into all that use it: a
gate is a conjunction or the negation of a disjunction, whichever keeps the shared gates below it whole.

Law: the system of a bad state of a circuit has the runs of the circuit's cone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.position import NOWHERE, Position
from argosy.basics.records import dataclass
from argosy.logic.sorts import BOOL
from argosy.logic.terms import Term, Terms
from argosy.models.bitblast import Bits, BlastedSystem, bit_blast
from argosy.models.circuit import ARBITRARY, Circuit
from argosy.models.system import BadState, StateVariable, System, SystemInput, distinct_name
from argosy.models.transition import TransitionModel


@dataclass(frozen=True)
class CircuitModel:
    """A circuit as it was read: ``positions`` of its bad states, the ``names`` of everything in it."""

    circuit: Circuit
    path: str = ""
    positions: Sequence[Position] = ()
    notes: tuple[str, ...] = ()

    @cached_property
    def terms(self) -> Terms:
        return Terms()

    @property
    def bad_names(self) -> tuple[str, ...]:
        given = self.circuit.bad_names
        return tuple((given[k] if given else None) or f"bad state {k}" for k in range(len(self.circuit.bad)))

    @cached_property
    def input_names(self) -> tuple[str, ...]:
        return self._names[0]

    @cached_property
    def latch_names(self) -> tuple[str, ...]:
        return self._names[1]

    @cached_property
    def _names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """All different, whatever the file calls them."""
        circuit = self.circuit
        taken: set[str] = set()

        def chosen(given: Sequence[str | None], letter: str, count: int) -> tuple[str, ...]:
            own = (f"{letter}{k}" for k in range(count))
            wanted = given or (None,) * count
            return tuple(distinct_name(name or short, taken, short) for name, short in zip(wanted, own, strict=True))

        inputs = chosen(circuit.input_names, "i", circuit.inputs)
        return inputs, chosen(circuit.latch_names, "l", circuit.latches)

    def position(self, number: int) -> Position:
        return self.positions[number] if self.positions else NOWHERE

    def system(self, number: int) -> System:
        """The system of the bad state of this number, over its cone."""
        cone = self.circuit.cone((number,))
        inputs = [self.input_names[k] for k in cone.inputs]
        return self._system(cone.circuit, (number,), inputs, [self.latch_names[k] for k in cone.latches])

    def whole_system(self) -> System:
        """The system of all bad states."""
        return self._system(self.circuit, range(len(self.circuit.bad)), self.input_names, self.latch_names)

    def _system(
        self, part: Circuit, numbers: Sequence[int], input_names: Sequence[str], latch_names: Sequence[str]
    ) -> System:
        terms = self.terms
        inputs = [terms.var(name, BOOL) for name in input_names]
        latches = [terms.var(name, BOOL) for name in latch_names]
        literals = literal_terms(terms, part, inputs, latches)
        states = tuple(
            StateVariable(
                latch,
                latch.name,
                None if reset == ARBITRARY else terms.boolean(bool(reset)),
                literals[following],
            )
            for latch, reset, following in zip(latches, part.reset, part.next, strict=True)
        )
        bad = tuple(
            BadState(self.bad_names[number], literals[literal], self.position(number))
            for number, literal in zip(numbers, part.bad, strict=True)
        )
        return System(
            terms,
            states,
            tuple(SystemInput(term, term.name) for term in inputs),
            bad,
            tuple(literals[literal] for literal in part.constraints),
            path=self.path,
            notes=self.notes,
        )


def literal_terms(terms: Terms, circuit: Circuit, inputs: Sequence[Term], latches: Sequence[Term]) -> list[Term]:
    """The term of every literal, at its own index."""
    uses = bytearray(circuit.variables)
    for literal in (*circuit.gates, *circuit.next, *circuit.bad, *circuit.constraints):
        uses[literal >> 1] = min(2, uses[literal >> 1] + 1)
    found = [terms.false, terms.true]
    for term in (*inputs, *latches):
        found += (term, terms.not_(term))
    gates = iter(circuit.gates)
    for left, right in zip(gates, gates, strict=True):
        a, b = found[left], found[right]
        nots = found[left ^ 1], found[right ^ 1]
        if _copied(uses, "and", (left, a), (right, b)) <= _copied(uses, "or", (left, nots[0]), (right, nots[1])):
            positive = terms.and_(a, b)
            found += (positive, terms.not_(positive))
        else:
            negative = terms.or_(*nots)
            found += (terms.not_(negative), negative)
    return found


def _copied(uses: bytearray, op: str, *sides: tuple[int, Term]) -> int:
    """How many arguments of shared terms a junction would copy."""
    return sum(len(term.args) for literal, term in sides if term.op == op and uses[literal >> 1] > 1)


def blasted(model: TransitionModel, number: int, system: System, budget: Budget = UNLIMITED) -> BlastedSystem:
    """The bits of ``system``, which is that of a bad state of ``model``. A circuit has them already."""
    if not isinstance(model, CircuitModel):
        return bit_blast(system, budget)
    circuit = model.circuit.cone((number,)).circuit
    states = tuple(Bits(state.term, place) for place, state in enumerate(system.states))
    inputs = tuple(Bits(each.term, place) for place, each in enumerate(system.inputs))
    return BlastedSystem(system, circuit, states, inputs, None, None)
