"""ARMC's clauses as a format: the clauses say themselves what must not be reached."""

from __future__ import annotations

from argosy.frontends.armc.load import load
from argosy.frontends.armc.load import read as read_clauses
from argosy.frontends.programs import problem_of
from argosy.frontends.registry import Request
from argosy.logic.terms import Terms
from argosy.models.kinds import Errors
from argosy.problem.problem import Problem
from argosy.problem.property import Property

UNREACHABLE = Property("unreach-call", "the error location is not reached", Errors())


def read(request: Request) -> Problem:
    numbers = request.option("numbers")
    chosen = None if numbers == "auto" else numbers
    if request.text is None:
        program = load(request.path, terms=Terms(), numbers=chosen)
    else:
        program = read_clauses(request.path, request.text, terms=Terms(), numbers=chosen)
    return problem_of("armc", program, request, UNREACHABLE, (request.path,), read)
