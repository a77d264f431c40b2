"""Systems of words and their circuits reach the same bad states; invariants and runs go back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from argosy.kernel.pdr import CircuitProof, CircuitRefutation, decide
from argosy.logic.semantics import ArrayValue, Value
from argosy.logic.sorts import BOOL, Sort, array, bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate
from argosy.models.bitblast import BlastedSystem, bit_blast
from argosy.models.system import BadState, StateVariable, System, SystemInput

Valuation = dict[Term, Value]


def values_of(sort: Sort) -> list[Value]:
    if sort.kind == "bool":
        return [False, True]
    if sort.is_bits:
        return list(range(1 << sort.width))
    assert sort.index is not None and sort.element is not None
    elements = product(values_of(sort.element), repeat=1 << sort.index.width)
    return [ArrayValue(0, dict(enumerate(each))) for each in elements]


def valuations(variables: list[Term]) -> Iterator[Valuation]:
    for values in product(*(values_of(variable.sort) for variable in variables)):
        yield dict(zip(variables, values, strict=True))


class Explicit:
    """A system by its states: which may start, and which follow under some inputs."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.states = list(valuations([state.term for state in system.states]))
        self.inputs = list(valuations([each.term for each in system.inputs]))

    def may_start(self, state: Valuation) -> bool:
        parts = [] if self.system.initial is None else [self.system.initial]
        parts += [self.system.terms.eq(s.term, s.initial) for s in self.system.states if s.initial is not None]
        return all(evaluate(part, state) for part in parts)

    def steps(self, state: Valuation) -> Iterator[Valuation]:
        """State and inputs together, where the constraints allow them."""
        for inputs in self.inputs:
            values = state | inputs
            if all(evaluate(part, values) for part in self.system.constraints):
                yield values

    def may_follow(self, values: Valuation, following: Valuation) -> bool:
        for state in self.system.states:
            if state.next is not None and evaluate(state.next, values) != following[state.term]:
                return False
        if self.system.relation is None:
            return True
        new = {self.system.primed(state): following[state.term] for state in self.system.states}
        return bool(evaluate(self.system.relation, values | new))

    def reaches(self, bad: BadState) -> bool:
        frontier = [state for state in self.states if self.may_start(state)]
        left = [state for state in self.states if not self.may_start(state)]
        while frontier:
            state = frontier.pop()
            for values in self.steps(state):
                if evaluate(bad.term, values):
                    return True
                found = [other for other in left if self.may_follow(values, other)]
                left = [other for other in left if other not in found]
                frontier += found
        return False

    def is_run(self, run: list[Valuation], bad: BadState) -> bool:
        terms = [state.term for state in self.system.states]
        return (
            self.may_start(run[0])
            and all(evaluate(part, values) for values in run for part in self.system.constraints)
            and all(self.may_follow(run[k], {t: run[k + 1][t] for t in terms}) for k in range(len(run) - 1))
            and bool(evaluate(bad.term, run[-1]))
        )

    def is_invariant(self, claim: Term, bad: BadState) -> bool:
        claimed = [state for state in self.states if evaluate(claim, state)]
        other = [state for state in self.states if state not in claimed]
        return not any(self.may_start(state) for state in other) and not any(
            evaluate(bad.term, values) or any(self.may_follow(values, state) for state in other)
            for claimed_state in claimed
            for values in self.steps(claimed_state)
        )


def check(system: System) -> str:
    explicit = Explicit(system)
    blasted = bit_blast(system)
    verdicts = ""
    for index, bad in enumerate(system.bad):
        answer = decide(blasted.circuit, index)
        if explicit.reaches(bad):
            assert isinstance(answer, CircuitRefutation)
            assert explicit.is_run(list(blasted.values(answer.stimulus)), bad)
            verdicts += "u"
        else:
            assert isinstance(answer, CircuitProof)
            assert explicit.is_invariant(blasted.claim(answer.invariant), bad)
            verdicts += "s"
    return verdicts


def random_system(random: Random) -> System:
    """Two words and a flag, with an input; first values, functions and formulas as they come."""
    terms = Terms()
    x, y, p = terms.var("x", bits(2)), terms.var("y", bits(2)), terms.var("p", BOOL)
    i = terms.var("i", bits(2))

    def word(depth: int, leaves: tuple[Term, ...]) -> Term:
        if depth == 0 or random.random() < 0.2:
            return random.choice((*leaves, terms.bv(random.randrange(4), 2)))
        if random.random() < 0.25:
            return terms.ite(formula(depth - 1, leaves), word(depth - 1, leaves), word(depth - 1, leaves))
        op = random.choice(("bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor", "bvshl", "bvudiv", "bvsrem"))
        return terms.bit(op, word(depth - 1, leaves), word(depth - 1, leaves))

    def formula(depth: int, leaves: tuple[Term, ...]) -> Term:
        a, b = word(depth, leaves), word(depth, leaves)
        made = random.choice((terms.eq(a, b), terms.bit("bvult", a, b), terms.bit("bvslt", a, b), p))
        return terms.not_(made) if random.random() < 0.4 else made

    everything = (x, y, i)
    primed = tuple(terms.var(f"{name}'", bits(2)) for name in "xy")
    states = (
        StateVariable(
            x,
            "x",
            random.choice((None, terms.bv(random.randrange(4), 2))),
            random.choice((None, word(2, everything), word(2, everything))),
        ),
        StateVariable(
            y,
            "y",
            random.choice((None, terms.bv(0, 2), terms.bit("bvadd", x, terms.bv(1, 2)))),
            random.choice((None, word(2, everything), word(2, everything))),
        ),
        StateVariable(p, "p", random.choice((None, terms.false)), random.choice((formula(1, everything), p))),
    )
    bad = [
        BadState(f"bad {k}", terms.conjunction(formula(1, everything) for _ in range(random.choice((1, 2, 3)))))
        for k in range(2)
    ]
    constraints = (formula(1, everything),) if random.random() < 0.3 else ()
    initial = formula(1, (x, y)) if random.random() < 0.4 else None
    relation = formula(1, (*everything, *primed)) if random.random() < 0.5 else None
    return System(terms, states, (SystemInput(i, "i"),), tuple(bad), constraints, initial, relation)


def test_random_systems() -> None:
    verdicts = "".join(check(random_system(Random(seed))) for seed in range(60))
    assert verdicts.count("s") > 20 and verdicts.count("u") > 20


def memory(wrong: bool) -> System:
    """A memory of four places, each a bit, that is written where the input says; a flag that remembers the last place,
    and what is there."""
    terms = Terms()
    sort = array(bits(2), bits(1))
    m, i, v = terms.var("m", sort), terms.var("i", bits(2)), terms.var("v", bits(1))
    at, last = terms.var("at", bits(2)), terms.var("last", bits(1))
    zero = terms.bv(0, 1)
    states = (
        StateVariable(m, "m", terms.const_array(sort, zero), terms.store(m, i, v)),
        StateVariable(at, "at", None, i),
        StateVariable(last, "last", zero, terms.bit("bvnot", v) if wrong else v),
    )
    bad = BadState("kept", terms.ne(terms.select(m, at), last))
    return System(terms, states, (SystemInput(i, "i"), SystemInput(v, "v")), (bad,))


@pytest.mark.parametrize(("wrong", "verdict"), [(False, "s"), (True, "u")])
def test_a_memory(wrong: bool, verdict: str) -> None:
    assert check(memory(wrong)) == verdict


def test_names_of_bits() -> None:
    circuit = bit_blast(memory(False)).circuit
    assert circuit.latch_names[:5] == ("m[0][0]", "m[1][0]", "m[2][0]", "m[3][0]", "at[0]")
    assert circuit.input_names == ("i[0]", "i[1]", "v[0]") and circuit.bad_names == ("kept",)


def test_a_relation_does_not_bind_the_last_state() -> None:
    """No step is possible from 3, and 3 is bad."""
    terms = Terms()
    x, new = terms.var("x", bits(2)), terms.var("x'", bits(2))
    relation = terms.and_(terms.eq(new, terms.bit("bvadd", x, terms.bv(1, 2))), terms.ne(x, terms.bv(3, 2)))
    states = (StateVariable(x, "x", terms.bv(0, 2)),)
    system = System(terms, states, (), (BadState("three", terms.eq(x, terms.bv(3, 2))),), relation=relation)
    assert check(system) == "u"
    blasted: BlastedSystem = bit_blast(system)
    answer = decide(blasted.circuit, 0)
    assert isinstance(answer, CircuitRefutation)
    assert [values[x] for values in blasted.values(answer.stimulus)] == [0, 1, 2, 3]
