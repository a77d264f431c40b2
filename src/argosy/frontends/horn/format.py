"""Horn clauses as formats: what must not be derived is ``false``, or what a query asks for.

The strategies are those for programs; ``backends.clauses`` makes an automaton of the clauses.
"""

from __future__ import annotations

from argosy.frontends.files import read_text
from argosy.frontends.horn.prolog import read_prolog
from argosy.frontends.horn.script import read_script
from argosy.frontends.registry import Request
from argosy.logic.terms import Terms
from argosy.models.clauses import ClauseSystem
from argosy.models.kinds import Errors
from argosy.problem.problem import Problem, Subject
from argosy.problem.property import Property

SATISFIABLE = Property("unreach-call", "false is not derived: the clauses are satisfiable", Errors())


def read(request: Request) -> Problem:
    text = read_text(request.path) if request.text is None else request.text
    return problem_of_clauses("horn", read_script(request.path, text, Terms()), request)


def read_as_prolog(request: Request) -> Problem:
    text = read_text(request.path) if request.text is None else request.text
    return problem_of_clauses("prolog", read_prolog(request.path, text, Terms()), request)


def problem_of_clauses(format: str, system: ClauseSystem, request: Request) -> Problem:
    asked = any(clause.head is None for clause in system.clauses)
    return Problem(
        "clause",
        format,
        request.path,
        system,
        (Subject("property", SATISFIABLE.formula, SATISFIABLE, asked=SATISFIABLE.errors),),
        system.notes,
        (request.path,),
        nothing=None if asked else "nothing to check: no clause has false for its conclusion",
        options=request.options,
    )
