"""Transition systems: state variables, inputs, a first state, a step, constraints, and bad states.

The model of hardware and of Theta's symbolic transition systems ([Theta], section 2.1): words of any sort. A state
variable has a next-state function, or is free in every step but for what ``relation`` says of old and new values; it
has a first value, or is free but for what ``initial`` says. Inputs are free in every step. ``circuit`` is the model at
bit level, ``models.bitblast`` goes from here to there.

Laws:

* A bad state is reached iff there is a run, from a state that ``initial`` and the first values allow, in which every
  constraint holds in every step up to and including the last, and the bad state holds in the last step, under the
  inputs of that step; a run of one step counts.
* ``cone`` keeps exactly that: constraints, ``initial`` and ``relation`` can end a run, and belong to every cone;
  functions never end one.
* ``as_program`` reaches its error iff the bad state is reached, after as many rounds of its loop as a run has steps
  up to its first bad state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from argosy.basics.position import NOWHERE, Position
from argosy.basics.records import dataclass, replace
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts, substitute, variables
from argosy.models.cfa import Assume, Cfa, Edge, Location, Mark, Operation, Relation, Variable
from argosy.models.effects import effect_of, rebuild
from argosy.models.kinds import Marked
from argosy.models.program import Program
from argosy.models.sources import SourceKind, ValueSource

PRIME = "'"


_NO_SYMBOL = str.maketrans({"|": "/", "\\": "/", **{chr(code): " " for code in range(32)}})


def distinct_name(name: str, taken: set[str], own: str) -> str:
    """A name for a variable that no other has, which is added to those that are ``taken``: ``name`` as it is, if that
    is free and can be written in SMT-LIB, and ``own`` makes it so."""
    name = name.translate(_NO_SYMBOL)
    while name in taken or name.endswith(PRIME):
        name += f"_{own}"
    taken.add(name)
    return name


@dataclass(frozen=True, slots=True)
class StateVariable:
    """``initial`` is its first value, over state variables that stand before it; ``next`` its value in the next step,
    over state variables and inputs. None: any value. ``primed`` is the new value where a relation speaks of it."""

    term: Term
    name: str
    initial: Term | None = None
    next: Term | None = None
    primed: Term | None = None
    signed: bool | None = None
    position: Position = NOWHERE


@dataclass(frozen=True, slots=True)
class SystemInput:
    term: Term
    name: str
    signed: bool | None = None
    position: Position = NOWHERE


@dataclass(frozen=True, slots=True)
class BadState:
    """What must never hold, over state variables and inputs."""

    name: str
    term: Term
    position: Position = NOWHERE


@dataclass(frozen=True)
class System:
    """``constraints`` are over state variables and inputs; ``initial`` over state variables; ``relation`` over state
    variables, inputs and the primed state variables. ``notes`` are the assumptions made while reading."""

    terms: Terms
    states: tuple[StateVariable, ...]
    inputs: tuple[SystemInput, ...]
    bad: tuple[BadState, ...]
    constraints: tuple[Term, ...] = ()
    initial: Term | None = None
    relation: Term | None = None
    name: str = ""
    path: str = ""
    notes: tuple[str, ...] = ()

    @cached_property
    def state_of(self) -> Mapping[Term, StateVariable]:
        return {state.term: state for state in self.states}

    @property
    def bad_names(self) -> tuple[str, ...]:
        return tuple(bad.name for bad in self.bad)

    def position(self, number: int) -> Position:
        return self.bad[number].position

    def system(self, number: int) -> System:
        """The cone of the bad state of this number."""
        return self.cone(self.bad[number])

    def primed(self, state: StateVariable) -> Term:
        """The new value of a state variable."""
        return state.primed or self.terms.var(state.name + PRIME, state.term.sort)

    @classmethod
    def of_relation(
        cls,
        terms: Terms,
        states: Sequence[StateVariable],
        inputs: Sequence[SystemInput],
        bad: Sequence[BadState],
        *,
        initial: Term,
        relation: Term,
        constraints: Sequence[Term] = (),
        name: str = "",
        path: str = "",
        notes: Sequence[str] = (),
    ) -> System:
        """The system of two formulas. What they say about single variables becomes first values and functions; every
        state variable has its ``primed`` name."""
        pairs = tuple((state.term, _given(state)) for state in states)
        effect = effect_of(terms, Relation(relation, pairs))
        values = dict(effect.definitions)
        # What stays as it is does not count as changed.
        changed = {variable for variable, _ in effect.primed}
        values.update((state.term, state.term) for state in states if state.term not in changed)
        first: dict[Term, Term] = {}
        left: list[Term] = []
        for part in conjuncts(initial):
            fixed = _constant(terms, part)
            if fixed is not None and fixed[0] not in first:
                first[fixed[0]] = fixed[1]
            elif part is not terms.true:
                left.append(part)
        rest = (*effect.guards, *effect.ties)
        return cls(
            terms,
            tuple(replace(s, initial=first.get(s.term, s.initial), next=values.get(s.term, s.next)) for s in states),
            tuple(inputs),
            tuple(bad),
            tuple(constraints),
            terms.conjunction(left) if left else None,
            terms.conjunction(rest) if rest else None,
            name,
            path,
            tuple(notes),
        )

    # ---- the cone of influence ----------------------------------------------------------------------------

    def cone(self, bad: BadState) -> System:
        """The system of one bad state, with the variables that it depends on."""
        unprimed = {self.primed(state): state.term for state in self.states}
        roots = [bad.term, *self.constraints, *(part for part in (self.initial, self.relation) if part is not None)]
        needed: set[Term] = set()
        waiting = [unprimed.get(free, free) for root in roots for free in variables(root)]
        state_of = self.state_of
        while waiting:
            variable = waiting.pop()
            if variable in needed:
                continue
            needed.add(variable)
            state = state_of.get(variable)
            if state is not None:
                waiting += (
                    free for part in (state.initial, state.next) if part is not None for free in variables(part)
                )
        return replace(
            self,
            states=tuple(state for state in self.states if state.term in needed),
            inputs=tuple(each for each in self.inputs if each.term in needed),
            bad=(bad,),
        )

    # ---- functions only -----------------------------------------------------------------------------------

    def functional(self) -> System:
        """The same runs without ``initial`` and ``relation``. A state that is not the first has ``started``, which
        the condition on first states is a constraint without; a run that has taken a step outside the relation has
        lost ``valid``, which the bad states need; new values that the relation speaks of are inputs."""
        terms = self.terms
        states, inputs, bad, constraints = list(self.states), list(self.inputs), self.bad, list(self.constraints)
        if self.initial is not None:
            started = self._extra("started", terms.false, terms.true)
            states.append(started)
            constraints.append(terms.or_(started.term, self.initial))
        if self.relation is not None:
            news: dict[Term, Term] = {}
            for place, state in enumerate(self.states):
                new = self.primed(state)
                if state.next is not None:
                    news[new] = state.next
                else:
                    inputs.append(SystemInput(new, new.name, state.signed, state.position))
                    states[place] = replace(state, next=new)
            step = substitute(terms, self.relation, news)
            valid = self._extra("valid", terms.true, terms.false)
            valid = replace(valid, next=terms.and_(valid.term, step))
            states.append(valid)
            bad = tuple(replace(each, term=terms.and_(each.term, valid.term)) for each in bad)
        return replace(
            self,
            states=tuple(states),
            inputs=tuple(inputs),
            bad=bad,
            constraints=tuple(constraints),
            initial=None,
            relation=None,
        )

    def _extra(self, name: str, initial: Term, following: Term) -> StateVariable:
        """A state variable whose name no other has."""
        taken = {state.name for state in self.states} | {each.name for each in self.inputs}
        while name in taken:
            name += "_"
        return StateVariable(self.terms.var(name, initial.sort), name, initial, following)

    # ---- the reading as an automaton ----------------------------------------------------------------------

    def as_program(self, bad: BadState | None = None) -> Program:
        """The system as an automaton with one loop, whose error is the bad state (of several: the one that is given):
        first values, then at the loop head the inputs of a step under the constraints, then the error or the step."""
        wanted = self.bad[0] if bad is None else bad
        cfa = _Automaton(self, wanted).cfa()
        return Program(cfa, self.path, cfa, notes=dict.fromkeys(self.notes, ""))


def _given(state: StateVariable) -> Term:
    if state.primed is None:
        raise ValueError(f"{state.name} has no name for its new value")
    return state.primed


def _constant(terms: Terms, part: Term) -> tuple[Term, Term] | None:
    """The variable and the constant of ``variable = constant``."""
    if part.op == "var":
        return part, terms.true
    if part.op == "not" and part.args[0].op == "var":
        return part.args[0], terms.false
    if part.op == "=":
        for side, other in (part.args, part.args[::-1]):
            if side.op == "var" and other.op == "const":
                return side, other
    return None


class _Automaton:
    """The automaton in the making. Places: where the first values are given, the loop head, behind the inputs."""

    def __init__(self, system: System, bad: BadState) -> None:
        self._system = system
        self._terms = system.terms
        self._bad = bad
        self._locations: list[Location] = []
        self._edges: list[Edge] = []

    def _location(self, label: str, position: Position = NOWHERE) -> Location:
        location = Location(len(self._locations), "", position, label, len(self._locations))
        self._locations.append(location)
        return location

    def _edge(
        self,
        source: Location,
        target: Location,
        operation: Operation,
        text: str,
        position: Position = NOWHERE,
        choice: ValueSource | None = None,
        marks: tuple[Mark, ...] = (),
    ) -> None:
        self._edges.append(Edge(source, target, operation, position, text, choice=choice, marks=marks))

    def cfa(self) -> Cfa:
        system, terms, bad = self._system, self._terms, self._bad
        start = self._location("start")
        at = start
        for values in self._levels():
            after = self._location("first values")
            self._edge(at, after, self._related(values), "first values")
            at = after
        head = self._location("step")
        self._edge(at, head, Assume(terms.true if system.initial is None else system.initial), "start")
        chosen = head
        if system.inputs or system.constraints:
            chosen = self._location("inputs")
            self._edge(head, chosen, self._inputs(), "inputs", choice=ValueSource(SourceKind.INPUT, "input"))
        error = self._location(bad.name or "bad", bad.position)
        mark = Mark(Marked.ASSERTION, bad.name, bad.position, bad.name)
        self._edge(chosen, error, Assume(bad.term), bad.name or "bad", bad.position, marks=(mark,))
        self._edge(chosen, head, self._step(), "next step")
        declared = [Variable(s.term, s.name, signed=s.signed, position=s.position) for s in system.states]
        declared += [Variable(i.term, i.name, signed=i.signed, position=i.position) for i in system.inputs]
        return Cfa(
            terms,
            start,
            error,
            tuple(self._locations),
            tuple(self._edges),
            tuple(declared),
            name=system.name or "system",
        )

    def _levels(self) -> Iterator[dict[Term, Term]]:
        """First values, each after those that it is made of."""
        level: dict[Term, int] = {}
        found: dict[int, dict[Term, Term]] = {}
        for state in self._system.states:
            if state.initial is not None:
                height = 1 + max((level.get(free, 0) for free in variables(state.initial)), default=0)
                level[state.term] = height
                found.setdefault(height, {})[state.term] = state.initial
        for height in sorted(found):
            yield found[height]

    def _related(self, values: Mapping[Term, Term], free: Iterable[Term] = (), rest: Term | None = None) -> Operation:
        terms, system = self._terms, self._system
        new_of = {state.term: system.primed(state) for state in system.states}
        equations = [terms.eq(new_of[variable], value) for variable, value in values.items()]
        formula = terms.conjunction((*equations, *(() if rest is None else (rest,))))
        pairs = tuple((variable, new_of[variable]) for variable in (*values, *free))
        return rebuild(terms, effect_of(terms, Relation(formula, pairs)))

    def _inputs(self) -> Operation:
        """New inputs, under which every constraint holds."""
        terms, system = self._terms, self._system
        new_of = {each.term: terms.var(each.name + PRIME, each.term.sort) for each in system.inputs}
        memo: dict[Term, Term] = {}
        formula = terms.conjunction(substitute(terms, part, new_of, memo) for part in system.constraints)
        return rebuild(terms, effect_of(terms, Relation(formula, tuple(new_of.items()))))

    def _step(self) -> Operation:
        """A run ends with its first bad state: so induction over steps knows that the steps before were good."""
        states = self._system.states
        values = {state.term: state.next for state in states if state.next is not None}
        free = [state.term for state in states if state.next is None]
        good = self._terms.not_(self._bad.term)
        relation = self._system.relation
        return self._related(values, free, good if relation is None else self._terms.and_(good, relation))
