"""A new input format: counters that rules change, and what must never hold. Numbers are integers without bounds.

    x = 0                       a counter and its first value
    (< x 5): x = (+ x 1)        a rule: where the condition holds, the counter may take the value
    never (= x 7)               what must not be reached

Inside the project this would be a package under ``frontends/`` and one line in ``frontends/registry.py``.
"""

import re
from dataclasses import dataclass, field

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.frontends.files import read_text
from argosy.frontends.programs import problem_of
from argosy.frontends.registry import Format, Request
from argosy.logic.smtlib import SmtLibError, parse_term
from argosy.logic.sorts import INT
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Location, Operation, Variable
from argosy.models.kinds import Errors
from argosy.models.program import Program
from argosy.problem.problem import Problem
from argosy.problem.property import Property

LINE = re.compile(r"never (?P<never>.+)|(?:(?P<guard>\(.+\)):)?\s*(?P<name>\w+) = (?P<value>.+)")


@dataclass
class Reader:
    path: str
    terms: Terms = field(default_factory=Terms)
    counters: dict[str, Term] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.start, self.loop, self.error = (Location(i, position=Position(self.path, 1)) for i in range(3))
        self.fresh = [Location(i, position=Position(self.path, 1)) for i in range(3, 1000)]

    def step(self, source: Location, target: Location, operation: Operation, number: int, text: str) -> Location:
        self.edges.append(Edge(source, target, operation, Position(self.path, number), text))
        return target

    def term(self, text: str, number: int) -> Term:
        try:
            return parse_term(self.terms, text, self.counters)
        except SmtLibError as error:
            raise InputError(Position(self.path, number, 1), str(error)) from None

    def program(self, text: str) -> Program:
        current = self.start
        lines = [(n, line.strip(), LINE.fullmatch(line.strip())) for n, line in enumerate(text.splitlines(), 1)]
        for number, line, found in lines:
            if found is None and line:
                raise InputError(Position(self.path, number, 1), "expected a counter, a rule, or never ...")
            if found and found["name"] and not found["guard"]:
                value = self.term(found["value"], number)
                self.counters[found["name"]] = self.terms.var(found["name"], INT)
                current = self.step(
                    current, self.fresh.pop(0), Assign(self.counters[found["name"]], value), number, line
                )
        self.step(current, self.loop, Assume(self.terms.true), 1, "start")
        for number, line, found in lines:
            if found and found["never"]:
                self.step(self.loop, self.error, Assume(self.term(found["never"], number)), number, line)
            elif found and found["guard"]:
                middle = self.step(
                    self.loop, self.fresh.pop(0), Assume(self.term(found["guard"], number)), number, line
                )
                operation = Assign(self.counters[found["name"]], self.term(found["value"], number))
                self.step(middle, self.loop, operation, number, line)
        places = dict.fromkeys(place for edge in self.edges for place in (edge.source, edge.target))
        variables = tuple(Variable(term, name) for name, term in self.counters.items())
        locations = tuple(dict.fromkeys((self.start, self.loop, self.error, *places)))
        cfa = Cfa(self.terms, self.start, self.error, locations, tuple(self.edges), variables)
        return Program(cfa, self.path, cfa)


def read(request: Request) -> Problem:
    text = read_text(request.path) if request.text is None else request.text
    never = Property("unreach-call", "never", Errors())
    return problem_of("counters", Reader(request.path).program(text), request, never, (request.path,), read)


COUNTERS = Format(
    "counters", "counters", (".counters",), f"{__name__}:read", "program", (), "x = 0\nnever (= x 0)\n", ""
)

if __name__ == "__main__":
    import sys

    import argosy

    print(argosy.verify(sys.argv[1], format=COUNTERS, time_limit=60).verdict_line)
