"""Small transition systems, drawn from a seed, and what they reach by exhaustive search.

Nothing here knows the automaton of a system: a step is defined by evaluating the functions on every state and input.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from random import Random

from argosy.logic.semantics import Value
from argosy.logic.sorts import BOOL, Sort, bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate
from argosy.models.system import BadState, StateVariable, System, SystemInput

Valuation = tuple[Value, ...]


def values_of(sort: Sort) -> range | tuple[bool, ...]:
    return (False, True) if sort is BOOL else range(1 << sort.width)


def reached_after(system: System, bad: BadState) -> int | None:
    """The number of steps of a shortest run that ends in the bad state; None if there is none."""
    states = [state.term for state in system.states]
    inputs = [each.term for each in system.inputs]
    open_inputs = list(product(*(values_of(term.sort) for term in inputs)))

    def allowed(valuation: Mapping[Term, Value]) -> bool:
        return all(evaluate(part, valuation) for part in system.constraints)

    layer = list(_first(system))
    seen = set(layer)
    steps = 1
    while layer:
        successors: dict[Valuation, None] = {}
        for state in layer:
            for chosen in open_inputs:
                valuation = dict(zip((*states, *inputs), (*state, *chosen), strict=True))
                if not allowed(valuation):
                    continue
                if evaluate(bad.term, valuation):
                    return steps
                successors.update(dict.fromkeys(_after(system, valuation)))
        layer = [state for state in successors if state not in seen]
        seen.update(layer)
        steps += 1
    return None


def _first(system: System) -> Iterator[Valuation]:
    for state in product(*(values_of(each.term.sort) for each in system.states)):
        valuation = {each.term: value for each, value in zip(system.states, state, strict=True)}
        given = {each.term: each.initial for each in system.states if each.initial is not None}
        fits = all(evaluate(first, valuation) == valuation[term] for term, first in given.items())
        if fits and (system.initial is None or evaluate(system.initial, valuation)):
            yield state


def _after(system: System, valuation: Mapping[Term, Value]) -> Iterator[Valuation]:
    choices = [
        values_of(state.term.sort) if state.next is None else (evaluate(state.next, valuation),)
        for state in system.states
    ]
    for after in product(*choices):
        if system.relation is None:
            yield after
            continue
        new = {system.primed(state): value for state, value in zip(system.states, after, strict=True)}
        if evaluate(system.relation, {**valuation, **new}):
            yield after


def random_system(seed: int, *, words: bool = True, relations: bool = True) -> System:
    """A few state variables and inputs; some are free, some start anywhere, some by expression; some constraints, a
    relation now and then, one to three bad states."""
    random = Random(seed)
    terms = Terms()
    sorts: tuple[Sort, ...] = (BOOL, BOOL, bits(1), bits(2), bits(3)) if words else (BOOL,)
    states = [terms.var(f"s{i}", random.choice(sorts)) for i in range(random.randint(1, 4))]
    inputs = [terms.var(f"i{i}", random.choice(sorts[:4])) for i in range(random.randint(0, 2))]
    drawing = _Drawing(random, terms, (*states, *inputs))
    made = []
    for place, state in enumerate(states):
        draw = random.random()
        initial = None
        if draw < 0.7:
            initial = terms.const(random.choice(list(values_of(state.sort))), state.sort)
        elif draw < 0.8 and place:
            initial = _Drawing(random, terms, states[:place]).of(state.sort, 1)
        following = None if random.random() < 0.1 else drawing.of(state.sort, 3)
        made.append(StateVariable(state, state.name, initial, following))
    bad = tuple(BadState(f"bad {i}", drawing.rare(2 + i)) for i in range(random.randint(1, 3)))
    constraints = tuple(terms.not_(drawing.rare(2)) for _ in range(random.choice((0, 0, 1, 2))))
    system = System(
        terms,
        tuple(made),
        tuple(SystemInput(term, term.name) for term in inputs),
        bad,
        constraints,
    )
    if relations and random.random() < 0.3:
        news = [system.primed(state) for state in made]
        relation = terms.not_(_Drawing(random, terms, (*states, *inputs, *news)).rare(2))
        initial = terms.not_(_Drawing(random, terms, states).rare(2))
        system = System(terms, tuple(made), system.inputs, bad, constraints, initial, relation)
    return system


class _Drawing:
    """Random terms over some variables."""

    def __init__(self, random: Random, terms: Terms, variables: tuple[Term, ...] | list[Term]) -> None:
        self._random = random
        self._terms = terms
        self._variables = list(variables)

    def rare(self, parts: int) -> Term:
        """A condition that mostly does not hold."""
        return self._terms.conjunction(self.of(BOOL, 2) for _ in range(parts))

    def of(self, sort: Sort, depth: int) -> Term:
        random, terms = self._random, self._terms
        own = [variable for variable in self._variables if variable.sort is sort]
        if depth == 0 or random.random() < 0.15:
            if own and random.random() < 0.85:
                return random.choice(own)
            return terms.const(random.choice(list(values_of(sort))), sort)
        if sort is BOOL:
            return self._condition(depth - 1)
        a, b = self.of(sort, depth - 1), self.of(sort, depth - 1)
        match random.randrange(5):
            case 0:
                return terms.ite(self.of(BOOL, depth - 1), a, b)
            case 1:
                return terms.bit("bvnot", a)
            case _:
                return terms.bit(random.choice(("bvadd", "bvsub", "bvand", "bvor", "bvxor", "bvmul", "bvudiv")), a, b)

    def _condition(self, depth: int) -> Term:
        random, terms = self._random, self._terms
        match random.randrange(6):
            case 0:
                return terms.not_(self.of(BOOL, depth))
            case 1:
                return terms.or_(self.of(BOOL, depth), self.of(BOOL, depth))
            case 2:
                return terms.and_(self.of(BOOL, depth), self.of(BOOL, depth))
            case 3:
                return terms.eq(self.of(BOOL, depth), self.of(BOOL, depth))
        words = [variable.sort for variable in self._variables if variable.sort.is_bits]
        if not words:
            return terms.not_(self.of(BOOL, depth))
        sort = random.choice(words)
        a, b = self.of(sort, depth), self.of(sort, depth)
        return terms.eq(a, b) if random.random() < 0.4 else terms.bit(random.choice(("bvult", "bvslt")), a, b)
