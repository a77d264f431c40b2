"""A system without its arrays: what is read from one is any value.

A read of a written array is a case distinction over the writes, and a read of an array variable is an input, the same
for the same place in the same step; array variables and their functions go. That has more runs than the system, so an
invariant that excludes the bad state here is an invariant there; a run to the bad state may be none there.
"""

from __future__ import annotations

from argosy.basics.records import replace
from argosy.logic.graph import postorder
from argosy.logic.sorts import BOOL
from argosy.logic.terms import Term
from argosy.models.system import StateVariable, System, SystemInput, distinct_name


def without_arrays(system: System) -> System:
    """The system itself where it has none."""
    if not any(_is_array(each.term) for each in (*_terms(system.states), *system.inputs)):
        return system
    return _Forgetting(system).system()


def _terms(states: tuple[StateVariable, ...]) -> list[SystemInput]:
    return [SystemInput(state.term, state.name) for state in states]


def _is_array(term: Term) -> bool:
    return term.sort.element is not None


class _Forgetting:
    def __init__(self, system: System) -> None:
        self._system = system
        self._terms = system.terms
        self._taken = {state.name for state in system.states} | {each.name for each in system.inputs}
        self._known: dict[Term, Term] = {}
        self._read: dict[tuple[Term, Term], Term] = {}
        self._inputs: list[SystemInput] = []

    def system(self) -> System:
        system = self._system
        states = tuple(
            replace(
                state,
                # A first value that depends on an array is any value.
                initial=None if state.initial is None or self._mentions(state.initial) else state.initial,
                next=None if state.next is None else self._without(state.next),
            )
            for state in system.states
            if not _is_array(state.term)
        )
        bad = tuple(replace(each, term=self._without(each.term)) for each in system.bad)
        constraints = tuple(map(self._without, system.constraints))
        initial = None if system.initial is None or self._mentions(system.initial) else system.initial
        relation = None if system.relation is None or self._mentions(system.relation) else system.relation
        inputs = tuple(each for each in system.inputs if not _is_array(each.term))
        return replace(
            system,
            states=states,
            inputs=(*inputs, *self._inputs),
            bad=bad,
            constraints=constraints,
            initial=initial,
            relation=relation,
        )

    @staticmethod
    def _mentions(term: Term) -> bool:
        return any(_is_array(sub) for sub in postorder(term))

    def _without(self, term: Term) -> Term:
        terms, known = self._terms, self._known
        for sub in postorder(term):
            if sub in known or _is_array(sub):
                continue
            if sub.op == "select":
                known[sub] = self._element(sub.args[0], known[sub.args[1]])
            elif any(_is_array(arg) for arg in sub.args):
                known[sub] = self._any("compared arrays", sub, sub)
            elif sub.args:
                known[sub] = terms.app(sub.op, tuple(known[arg] for arg in sub.args), sub.payload, sub.sort)
            else:
                known[sub] = sub
        return known[term]

    def _element(self, array: Term, index: Term) -> Term:
        """What stands in ``array`` at ``index``, which is without arrays already."""
        terms = self._terms
        writes: list[tuple[Term, Term]] = []
        while array.op == "store":
            writes.append((self._known[array.args[1]], self._known[array.args[2]]))
            array = array.args[0]
        match array.op:
            case "ite":
                condition, a, b = array.args
                found = terms.ite(self._known[condition], self._element(a, index), self._element(b, index))
            case "const-array":
                found = self._known[array.args[0]]
            case _:
                found = self._any(f"{array.payload}[]", array, index)
        for place, value in reversed(writes):
            found = terms.ite(terms.eq(index, place), value, found)
        return found

    def _any(self, name: str, array: Term, index: Term) -> Term:
        """The input that stands for what is read."""
        key = (array, index)
        if key not in self._read:
            sort = BOOL if array.sort.element is None else array.sort.element
            name = distinct_name(name, self._taken, str(len(self._read)))
            self._read[key] = self._terms.var(name, sort)
            self._inputs.append(SystemInput(self._read[key], name))
        return self._read[key]
