"""Random rounds of loops over small words and integers, and whether their closed forms agree with iteration: for every
state, and for every number of rounds up to some.

``python -m tests.models.random_rounds --count 5000 --seed 1``
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import product
from random import Random

from argosy.basics.records import dataclass
from argosy.logic.compile import compile_term, compile_update
from argosy.logic.semantics import Value
from argosy.logic.sorts import INT, bits
from argosy.logic.terms import Term, Terms
from argosy.models.closed_forms import COUNT_WIDTH, ClosedForm, NoClosedForm, closed_form

MOST = 21
STATES = 60


@dataclass(frozen=True, slots=True)
class RandomRound:
    """``x`` and ``y`` are changed, ``s`` is not, ``t`` may be set; ``checked``: no sum overflows as signed."""

    terms: Terms
    variables: tuple[Term, ...]
    conditions: tuple[Term, ...]
    updates: tuple[tuple[Term, Term], ...]
    count: Term


class _Draw:
    def __init__(self, random: Random, terms: Terms) -> None:
        self.random = random
        self.terms = terms
        self.width = random.choice((3, 4, 5))
        self.numbers = random.random() < 0.15
        self.sort = INT if self.numbers else bits(self.width)
        self.x, self.y, self.s, self.t = (terms.var(name, self.sort) for name in "xyst")

    def constant(self) -> Term:
        return self.terms.const(self.random.choice((-3, -2, -1, 1, 1, 2, 3, 4, 5)), self.sort)

    def plus(self, a: Term, b: Term) -> Term:
        return self.terms.add(a, b) if self.numbers else self.terms.bit(self.random.choice(("bvadd", "bvsub")), a, b)

    def round(self) -> RandomRound:
        terms, random = self.terms, self.random
        step = random.choice((self.constant, self.constant, self.constant, lambda: self.s))
        updates = {self.x: self.plus(self.x, step())}
        way = random.random()
        if way < 0.3:
            updates[self.y] = self.plus(self.y, self.constant())
        elif way < 0.55:
            updates[self.y] = self.plus(self.y, self.part())
        elif way < 0.7:
            updates[self.y] = self.part()
        if random.random() < 0.3:
            updates[self.t] = random.choice((self.s, self.x, self.constant(), self.plus(self.x, self.constant())))
        conditions = [self.condition() for _ in range(random.choice((1, 1, 2, 3)))]
        if not self.numbers and random.random() < 0.4:
            conditions += (self.no_overflow(value) for value in updates.values() if value.op in ("bvadd", "bvsub"))
        count = terms.var("count", INT if self.numbers else bits(COUNT_WIDTH))
        return RandomRound(
            terms,
            (self.x, self.y, self.s, self.t),
            tuple(c for c in conditions if c is not terms.true),
            tuple((v, value) for v, value in updates.items() if value is not v),
            count,
        )

    def no_overflow(self, value: Term) -> Term:
        """As the front end of C writes it: among more numbers."""
        terms = self.terms
        wide = terms.bit(value.op, *(terms.sign_extend(part, 1) for part in value.args))
        return (
            terms.eq(wide, terms.sign_extend(value, 1))
            if self.random.random() < 0.2
            else terms.and_(
                terms.bit("bvsle", terms.bv(-(1 << (self.width - 1)), self.width + 1), wide),
                terms.bit("bvsle", wide, terms.bv((1 << (self.width - 1)) - 1, self.width + 1)),
            )
        )

    def part(self) -> Term:
        terms, random = self.terms, self.random
        variable = random.choice((self.x, self.x, self.y, self.s, self.t))
        if self.numbers:
            rest = terms.mod(variable, terms.integer(random.choice((2, 3))))
            return random.choice((variable, self.plus(variable, self.constant()), rest))
        divisor = terms.bv(random.choice((2, 3, 4)), self.width)
        shapes = (
            lambda: variable,
            lambda: self.plus(variable, self.constant()),
            lambda: terms.bit("bvmul", variable, self.constant()),
            lambda: terms.bit("bvneg", variable),
            lambda: terms.bit("bvnot", variable),
            lambda: terms.bit("bvshl", variable, terms.bv(1, self.width)),
            lambda: terms.bit(random.choice(("bvurem", "bvsrem", "bvand")), variable, divisor),
            lambda: terms.extract(
                self.plus(terms.zero_extend(variable, 2), terms.bv(1, self.width + 2)), self.width - 1, 0
            ),
        )
        return random.choice(shapes)()

    def condition(self) -> Term:
        terms, random = self.terms, self.random
        a, b = self.part(), random.choice((self.part, self.constant, lambda: self.s))()
        if not self.numbers and random.random() < 0.25:
            extend = random.choice((terms.zero_extend, terms.sign_extend))
            a, b = extend(a, 2), random.choice((terms.zero_extend, terms.sign_extend))(b, 2)
            if random.random() < 0.5:
                a = self.plus(a, extend(self.part(), 2))
        ops = ("<=", "<", "=") if self.numbers else ("bvslt", "bvult", "bvslt", "bvult", "=")
        op = random.choice(ops)
        atom = terms.eq(a, b) if op == "=" else terms.app(op, (a, b)) if op != "<" else terms.lt(a, b)
        atom = random.choice((atom, terms.not_(atom)))
        return terms.or_(atom, self.condition()) if random.random() < 0.15 else atom


def drawn(random: Random) -> RandomRound:
    return _Draw(random, Terms()).round()


def iterated(round: RandomRound, state: tuple[Value, ...], most: int) -> list[tuple[Value, ...]]:
    """The states after 0, 1, 2, ... rounds, as far as they can be taken."""
    slots = {variable: slot for slot, variable in enumerate(round.variables)}
    update = compile_update(round.conditions, [(slots[v], value) for v, value in round.updates], slots, len(slots))
    states = [state]
    while len(states) <= most:
        after = update(states[-1])
        if isinstance(after, int):
            break
        states.append(after)
    return states


def states_of(round: RandomRound, random: Random) -> list[tuple[Value, ...]]:
    sort = round.variables[0].sort
    values = range(-6, 7) if sort is INT else range(1 << sort.width)
    every = list(product(values, repeat=len(round.variables)))
    return random.sample(every, STATES)


def disagreement(
    round: RandomRound, form: ClosedForm, states: Sequence[tuple[Value, ...]], found: list[int]
) -> str | None:
    """Where the closed form says something else than iteration; ``found`` counts how often it can be taken, and how
    often it cannot where rounds can."""
    slots = {variable: slot for slot, variable in enumerate((*round.variables, round.count))}
    asked = compile_term(form.condition, slots)
    updates = dict(form.updates)
    after = [compile_term(updates.get(variable, variable), slots) for variable in round.variables]
    for state in states:
        way = iterated(round, state, MOST)
        for count in range(MOST + 1):
            taken = asked((*state, count))
            if taken and count < 2:
                return f"{count} rounds from {state}"
            if taken and count >= len(way):
                return f"{count} rounds from {state}, where {len(way) - 1} can be taken"
            if taken and tuple(value((*state, count)) for value in after) != way[count]:
                return f"{count} rounds from {state} lead to {way[count]}"
            if 2 <= count < len(way):
                found[0 if taken else 1] += 1
    return None


def compared(seed: int, found: list[int]) -> str | None:
    random = Random(seed)
    round = drawn(random)
    try:
        form = closed_form(round.terms, round.conditions, round.updates, round.count)
    except NoClosedForm:
        return None
    wrong = disagreement(round, form, states_of(round, random), found)
    return None if wrong is None else f"seed {seed}: {wrong}: {round.conditions} {round.updates}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    found, wrong = [0, 0], 0
    for seed in range(options.seed, options.seed + options.count):
        said = compared(seed, found)
        if said is not None:
            wrong += 1
            print(said)
    print(f"{options.count} rounds, {wrong} disagree; taken {found[0]} times, not taken where rounds can be {found[1]}")


if __name__ == "__main__":
    main()
