"""Small random clauses with two meanings of their own: text in SMT-LIB, and Python functions over all values.

The derivable facts are a fixpoint over explicit values, computed without anything of the project. Integers have small
ranges, said in every clause.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

Values = Sequence[int]
Test = Callable[[Values], bool]


@dataclass(frozen=True)
class Domain:
    """``values`` are numbers, with a sort and a text of their own."""

    sort: str
    values: tuple[int, ...]
    text: Callable[[int], str]
    plus: str = "+"
    less: str = "<"


BOOLEANS = Domain("Bool", (0, 1), lambda v: "true" if v else "false")
INTEGERS = Domain("Int", (-1, 0, 1, 2), lambda v: str(v) if v >= 0 else f"(- {-v})")
WORDS = Domain("(_ BitVec 2)", (0, 1, 2, 3), lambda v: f"#b{v:02b}", "bvadd", "bvult")


@dataclass(frozen=True)
class RandomClause:
    body: tuple[tuple[str, tuple[int, ...]], ...]
    head: tuple[str, tuple[int, ...]] | None
    conditions: tuple[Test, ...]
    text: str


@dataclass(frozen=True)
class RandomSystem:
    domain: Domain
    arities: dict[str, int]
    clauses: tuple[RandomClause, ...]
    variables: int

    @property
    def text(self) -> str:
        lines = ["(set-logic HORN)"]
        for name, arity in self.arities.items():
            lines.append(f"(declare-fun {name} ({' '.join([self.domain.sort] * arity)}) Bool)")
        lines += [clause.text for clause in self.clauses]
        return "\n".join((*lines, "(check-sat)", ""))

    def derives_false(self) -> bool:
        known: set[tuple[str, tuple[int, ...]]] = set()
        while True:
            new = set()
            for clause in self.clauses:
                for values in product(self.domain.values, repeat=self.variables):
                    if all(test(values) for test in clause.conditions) and all(
                        (name, tuple(values[i] for i in args)) in known for name, args in clause.body
                    ):
                        if clause.head is None:
                            return True
                        new.add((clause.head[0], tuple(values[i] for i in clause.head[1])))
            if new <= known:
                return False
            known |= new


def random_system(seed: int, *, linear: bool) -> RandomSystem:
    rng = random.Random(seed)
    domain = rng.choice((BOOLEANS, INTEGERS, WORDS))
    arities = {f"p{i}": rng.choice((0, 1, 1, 2)) for i in range(rng.randint(1, 3))}
    variables = 3
    clauses = [_clause(rng, domain, arities, variables, linear, fact=True)]
    clauses += [_clause(rng, domain, arities, variables, linear) for _ in range(rng.randint(2, 5))]
    clauses.append(_clause(rng, domain, arities, variables, linear, query=True))
    return RandomSystem(domain, arities, tuple(clauses), variables)


def _clause(
    rng: random.Random,
    domain: Domain,
    arities: dict[str, int],
    variables: int,
    linear: bool,
    *,
    fact: bool = False,
    query: bool = False,
) -> RandomClause:
    def application() -> tuple[str, tuple[int, ...]]:
        name = rng.choice(list(arities))
        return name, tuple(rng.randrange(variables) for _ in range(arities[name]))

    size = 0 if fact else 1 if linear else rng.choice((1, 2, 2))
    body = tuple(application() for _ in range(size))
    head = None if query else application()
    tests, texts = [], []
    if domain is INTEGERS:
        low, high = domain.text(domain.values[0]), domain.text(domain.values[-1])
        texts += [f"(<= {low} v{i} {high})" for i in range(variables)]
    for _ in range(rng.randint(1, 3)):
        test, text = _condition(rng, domain, variables)
        tests.append(test)
        texts.append(text)
    bound = " ".join(f"(v{i} {domain.sort})" for i in range(variables))
    premise = " ".join((*map(_applied, body), *texts))
    conclusion = "false" if head is None else _applied(head)
    return RandomClause(body, head, tuple(tests), f"(assert (forall ({bound}) (=> (and {premise}) {conclusion})))")


def _applied(application: tuple[str, tuple[int, ...]]) -> str:
    name, args = application
    return f"({name} {' '.join(f'v{i}' for i in args)})" if args else name


def _condition(rng: random.Random, domain: Domain, variables: int) -> tuple[Test, str]:
    i, j = rng.randrange(variables), rng.randrange(variables)
    constant = rng.choice(domain.values)
    shown = domain.text(constant)
    modulus = len(domain.values)
    kind = rng.randrange(4)
    if kind == 0:
        return (lambda v: v[i] == constant), f"(= v{i} {shown})"
    if kind == 1:
        return (lambda v: v[i] != v[j]), f"(distinct v{i} v{j})"
    if domain is BOOLEANS:
        return (lambda v: bool(v[i] or v[j])), f"(or v{i} v{j})"
    if kind == 2:
        return (lambda v: v[i] < v[j]), f"({domain.less} v{i} v{j})"
    text = f"(= v{i} ({domain.plus} v{j} {shown}))"
    if domain is WORDS:
        return (lambda v: v[i] == (v[j] + constant) % modulus), text
    return (lambda v: v[i] == v[j] + constant), text
