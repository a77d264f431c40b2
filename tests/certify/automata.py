"""Small automata for the tests of certification: written by hand or drawn at random, always executable in full."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from hypothesis import strategies as st

from argosy.basics.position import Position
from argosy.certify.interpreter import ConcreteState, reachable_states
from argosy.logic.semantics import Value
from argosy.logic.sorts import bits
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import (
    Assign,
    Assume,
    Cfa,
    Check,
    Edge,
    Havoc,
    Location,
    Operation,
    Reading,
    Refusal,
    Relation,
    Undefined,
    Variable,
)


class Builder:
    """Locations are numbered; 0 is initial and ``error`` the error."""

    def __init__(self, locations: int, error: int, terms: Terms | None = None) -> None:
        self.terms = terms or Terms()
        self.locations = [Location(i, position=Position("t.c", i)) for i in range(locations)]
        self.error = self.locations[error]
        self.variables: list[Variable] = []
        self.edges: list[Edge] = []
        self.opaque: dict[Term, Refusal] = {}

    def variable(self, name: str, width: int = 32, signed: bool = True) -> Term:
        term = self.terms.var(name, bits(width))
        self.variables.append(Variable(term, name, signed=signed))
        return term

    def edge(self, source: int, target: int, operation: Operation, *checks: Check) -> Edge:
        position = Position("t.c", len(self.edges) + 1)
        text = f"edge {len(self.edges)}"
        edge = Edge(self.locations[source], self.locations[target], operation, position, text, checks)
        self.edges.append(edge)
        return edge

    def branch(self, source: int, yes: int, no: int, condition: Term) -> tuple[Edge, Edge]:
        other = self.edge(source, no, Assume(self.terms.not_(condition)))
        return self.edge(source, yes, Assume(condition)), other

    def add(self, variable: Term, value: int) -> tuple[Term, Check]:
        """``variable + value`` and the check that it does not overflow as a signed sum."""
        t = self.terms
        width = variable.sort.width
        wide = t.bit("bvadd", t.sign_extend(variable, 1), t.bv(value, width + 1))
        fits = t.eq(t.sign_extend(t.extract(wide, width - 1, 0), 1), wide)
        check = Check(fits, Undefined.SIGNED_OVERFLOW, Position("t.c", len(self.edges) + 1))
        return t.bit("bvadd", variable, t.bv(value, width)), check

    def build(self) -> Cfa:
        return Cfa(
            self.terms,
            self.locations[0],
            self.error,
            tuple(self.locations),
            tuple(self.edges),
            tuple(self.variables),
            self.opaque,
        )


def every_value(_: Edge, variable: Term) -> Iterable[Value]:
    return range(1 << variable.sort.width)


def all_states(cfa: Cfa, reading: Reading) -> list[ConcreteState]:
    """The reachable states of an automaton whose variables have few bits, by execution."""
    names = [v.term for v in cfa.variables]
    starts = (dict(zip(names, values, strict=True)) for values in product(*(range(1 << n.sort.width) for n in names)))
    return list(reachable_states(cfa, reading, every_value, starts))


@st.composite
def automata(draw: st.DrawFn) -> Cfa:
    """Automata over three variables of two or three bits."""
    count = draw(st.integers(3, 6))
    builder = Builder(count, count - 1)
    t = builder.terms
    x, y = builder.variable("x", 3, True), builder.variable("y", 3, False)
    z = builder.variable("z", 2, True)
    sources = [*range(count - 1), *draw(st.lists(st.integers(0, count - 2), max_size=5))]
    for source in sources:
        target = draw(st.integers(0, count - 1))
        a, b = draw(st.sampled_from([(x, y), (y, x), (x, x), (z, z)]))
        width = a.sort.width
        constant = t.bv(draw(st.integers(0, 7)), width)
        other = draw(st.sampled_from([b, constant]))
        match draw(
            st.sampled_from(["branch", "branch", "assume", "assign", "add", "add", "havoc", "relation", "divide"])
        ):
            case "branch":
                condition = t.app(draw(st.sampled_from(["=", "bvult", "bvslt"])), (a, other))
                builder.branch(source, target, draw(st.integers(0, count - 2)), condition)
            case "assume":
                builder.edge(source, target, Assume(t.ne(a, other)))
            case "assign":
                op = draw(st.sampled_from(["bvadd", "bvsub", "bvmul", "bvand", "bvxor"]))
                builder.edge(source, target, Assign(a, t.bit(op, b, constant)))
            case "add":
                value, check = builder.add(a, draw(st.integers(-2, 2)))
                builder.edge(source, target, Assign(a, value), check)
            case "havoc":
                builder.edge(source, target, Havoc(a))
            case "relation":
                new = t.var(a.name + "'", a.sort)
                builder.edge(source, target, Relation(t.bit("bvult", new, other), ((a, new),)))
            case "divide":
                check = Check(t.ne(b, t.bv(0, width)), Undefined.DIVISION, Position("t.c", len(builder.edges) + 1))
                builder.edge(source, target, Assign(a, t.bit("bvudiv", constant, b)), check)
    return builder.build()
