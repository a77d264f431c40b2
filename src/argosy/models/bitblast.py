"""A system of words as a circuit of bits, with the way back for invariants and runs.

Each bit of a state variable is a latch; so is each bit of each element of an array, where arrays are small. What a
circuit cannot say directly is said by two latches of their own:

* ``started`` is false in the first step only. A first value that is no constant, and the system's ``initial``, is a
  constraint on that step; the latches it speaks of have arbitrary resets.
* ``valid`` is false as soon as a step was taken that ``relation`` does not allow. The bad states of the circuit need
  it: ``relation`` binds steps, and the last state of a run takes none.

Laws: a stimulus reaches a bad state of the circuit iff the run that ``values`` reads from it reaches that of the
system; an invariant of the circuit is one of the system by ``claim``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.records import dataclass
from argosy.logic.semantics import ArrayValue, Value
from argosy.logic.sorts import Sort
from argosy.logic.terms import Term
from argosy.models.circuit import ARBITRARY, TRUE, Circuit, Stimulus
from argosy.models.gates import Gates, Word
from argosy.models.system import System
from argosy.models.words import Words, width_of


@dataclass(frozen=True, slots=True)
class Bits:
    """The bits of a variable begin at ``first`` among the inputs or the latches."""

    term: Term
    first: int

    def value(self, bits: bytes) -> Value:
        width = width_of(self.term.sort)
        return decoded(bits[self.first : self.first + width], self.term.sort)


@dataclass(frozen=True, slots=True)
class BlastedSystem:
    """``states`` are in latches, ``inputs`` in inputs. ``started`` and ``valid`` are places of latches, or None."""

    system: System
    circuit: Circuit
    states: tuple[Bits, ...]
    inputs: tuple[Bits, ...]
    started: int | None
    valid: int | None

    def values(self, stimulus: Stimulus) -> Iterator[dict[Term, Value]]:
        """The values of state variables and inputs, step by step."""
        latches = stimulus.latches
        for inputs in stimulus.inputs:
            yield {its.term: its.value(latches) for its in self.states} | {
                its.term: its.value(inputs) for its in self.inputs
            }
            latches = bytes(self.circuit.successor(self.circuit.values(latches, inputs)))

    def claim(self, clauses: Iterable[Iterable[int]]) -> Term:
        """What an invariant of the circuit says of the state variables: it holds of every state of a run, the first
        included."""
        terms = self.system.terms
        first_step, other_steps = [], []
        for clause in clauses:
            first, other = self._said(clause, 0), self._said(clause, 1)
            first_step.append(first)
            other_steps.append(other)
        later = terms.conjunction(other_steps)
        if self.started is None:
            return later
        return terms.or_(terms.conjunction((*self._first_conditions(), *first_step)), later)

    def _said(self, clause: Iterable[int], started: int) -> Term:
        terms = self.system.terms
        said = []
        for literal in clause:
            place = (literal >> 1) - 1 - self.circuit.inputs
            if place in (self.started, self.valid):
                value = started if place == self.started else 1
                if value != literal & 1:
                    return terms.true
            else:
                bit = self._bit(place)
                said.append(terms.not_(bit) if literal & 1 else bit)
        return terms.disjunction(said)

    def _first_conditions(self) -> Iterator[Term]:
        terms = self.system.terms
        if self.system.initial is not None:
            yield self.system.initial
        for state in self.system.states:
            if state.initial is not None:
                yield terms.eq(state.term, state.initial)

    def _bit(self, place: int) -> Term:
        terms = self.system.terms
        low, high = 0, len(self.states)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.states[middle].first <= place else (low, middle)
        term, place = self.states[low].term, place - self.states[low].first
        if term.sort.index is not None and term.sort.element is not None:
            element, place = divmod(place, width_of(term.sort.element))
            index = (
                terms.boolean(bool(element))
                if term.sort.index.kind == "bool"
                else terms.const(element, term.sort.index)
            )
            term = terms.select(term, index)
        if term.sort.kind == "bool":
            return term
        return terms.eq(terms.extract(term, place, place), terms.bv(1, 1))


def decoded(bits: bytes, sort: Sort) -> Value:
    """The value of bits, the least significant first."""
    if sort.index is not None and sort.element is not None:
        width = width_of(sort.element)
        elements = [decoded(bits[k : k + width], sort.element) for k in range(0, len(bits), width)]
        places: Iterable[Value] = (False, True) if sort.index.kind == "bool" else range(len(elements))
        stored = {place: value for place, value in zip(places, elements, strict=True) if value != elements[0]}
        return ArrayValue(elements[0], stored)
    number = sum(value << place for place, value in enumerate(bits))
    return bool(number) if sort.kind == "bool" else number


def bit_blast(system: System, budget: Budget = UNLIMITED) -> BlastedSystem:
    """Raises ``UnsupportedError`` for what has no bits, or too many; ``OutOfBudget`` where it takes too long."""
    return _Blasting(system, budget).run()


class _Blasting:
    def __init__(self, system: System, budget: Budget) -> None:
        self._system = system
        self._gates = Gates()
        self._inputs: list[int] = []
        self._input_names: list[str | None] = []
        self._words_of: dict[Term, Word] = {}
        self._input_bits = [self._input(each.term, each.name) for each in system.inputs]
        self._states: list[Bits] = []
        self._latches: list[int] = []
        self._latch_names: list[str | None] = []
        for state in system.states:
            self._states.append(Bits(state.term, len(self._latches)))
            leaves = tuple(self._gates.leaf() for _ in range(width_of(state.term.sort, state.position)))
            self._latches += leaves
            self._latch_names += bit_names(state.name, state.term.sort)
            self._words_of[state.term] = leaves
        # A state without a function takes any next value, which the relation may speak of.
        for state in system.states:
            if state.next is None:
                self._input(system.primed(state), state.name + "'")
        self._words = Words(self._gates, self._words_of, budget)

    def _input(self, term: Term, name: str) -> Bits:
        bits = Bits(term, len(self._inputs))
        leaves = tuple(self._gates.leaf() for _ in range(width_of(term.sort)))
        self._inputs += leaves
        self._input_names += bit_names(name, term.sort)
        self._words_of[term] = leaves
        return bits

    def run(self) -> BlastedSystem:
        system, gates = self._system, self._gates
        following: list[int] = []
        resets: list[int] = []
        first: list[int] = []
        relation: list[int] = []
        for state in system.states:
            word = self._words_of[state.term]
            primed = system.primed(state)
            following += self._words.word(primed if state.next is None else state.next, state.position)
            if state.next is not None and system.relation is not None:
                # The relation may speak of the new value all the same.
                self._words.define(primed, tuple(following[-len(word) :]))
            if state.initial is None:
                resets += (ARBITRARY,) * len(word)
                continue
            for leaf, value in zip(word, self._words.word(state.initial, state.position), strict=True):
                resets.append(value if value <= TRUE else ARBITRARY)
                if value > TRUE:
                    first.append(gates.xor(leaf, value) ^ 1)
        if system.initial is not None:
            first.append(self._words.literal(system.initial))
        if system.relation is not None:
            relation.append(self._words.literal(system.relation))
        constraints = [self._words.literal(part) for part in system.constraints]
        bad = [self._words.literal(each.term, each.position) for each in system.bad]
        started = valid = None
        if first:
            started = len(self._latches)
            leaf = self._latch("started", resets, 0)
            following.append(TRUE)
            constraints.append(gates.or_(leaf, gates.all_of(first)))
        if relation:
            valid = len(self._latches)
            leaf = self._latch("valid", resets, 1)
            following.append(gates.and_(leaf, relation[0]))
            bad = [gates.and_(leaf, literal) for literal in bad]
        circuit = gates.circuit(
            self._inputs,
            list(zip(self._latches, following, resets, strict=True)),
            bad,
            constraints,
            input_names=self._input_names,
            latch_names=self._latch_names,
            bad_names=[each.name for each in system.bad],
        )
        return BlastedSystem(system, circuit, tuple(self._states), tuple(self._input_bits), started, valid)

    def _latch(self, name: str, resets: list[int], reset: int) -> int:
        leaf = self._gates.leaf()
        self._latches.append(leaf)
        self._latch_names.append(name)
        resets.append(reset)
        return leaf


def bit_names(name: str, sort: Sort) -> list[str]:
    if sort.kind == "bool":
        return [name]
    if sort.index is not None and sort.element is not None:
        return [
            each
            for element in range(1 << width_of(sort.index))
            for each in bit_names(f"{name}[{element}]", sort.element)
        ]
    return [f"{name}[{place}]" for place in range(sort.width)]
