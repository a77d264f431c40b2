"""C programs as a format: a program and the property that is asked of it become a problem."""

from __future__ import annotations

from argosy.frontends.c.library import ForeignReach
from argosy.frontends.c.load import load
from argosy.frontends.c.lower.inline import DEEPEST
from argosy.frontends.programs import problem_of
from argosy.frontends.properties import read_property
from argosy.frontends.registry import Request
from argosy.logic.terms import Terms
from argosy.problem.problem import Problem
from argosy.problem.property import NAMED, Property

# Recursive programs are read with so many calls of a function at first.
SHALLOW = 25


def read(request: Request) -> Problem:
    asked = request.options.get("property")
    chosen = NAMED["unreach-call"] if asked is None else read_property(asked)
    files = (request.path,) if asked is None or asked in NAMED else (request.path, asked)
    return problem(request, chosen, files)


def problem(request: Request, property: Property, inputs: tuple[str, ...]) -> Problem:
    """The problem of a program and a property that is known already."""
    program = load(
        request.path,
        terms=Terms(),
        errors=property.errors,
        data_model=request.option("data-model"),
        entry=request.options.get("entry") or property.entry,
        deepest=DEEPEST if request.deep else SHALLOW,
        unbounded=request.deep,
        text=request.text,
        undefined_functions=ForeignReach(request.option("undefined-functions")),
        volatile=request.option("volatile"),
        checkpoints=request.checkpoints,
    )
    return problem_of("c", program, request, property, inputs, lambda deep: problem(deep, property, inputs))
