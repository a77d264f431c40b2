"""What the front ends that give control-flow automata have in common: an automaton and a property make a problem."""

from __future__ import annotations

from collections.abc import Callable

from argosy.basics.records import replace
from argosy.frontends.registry import Request
from argosy.models.kinds import Errors
from argosy.models.program import Program
from argosy.problem.problem import Problem, Subject
from argosy.problem.property import Property


def problem_of(
    format: str,
    program: Program,
    request: Request,
    property: Property,
    inputs: tuple[str, ...],
    again: Callable[[Request], Problem],
) -> Problem:
    """``again`` reads the same input for another request, where the bounds of this one may be too small."""
    deeper = (lambda: again(replace(request, deep=True))) if program.deeper else None
    return Problem(
        "program",
        format,
        request.path,
        program,
        (Subject("property", said(property, program.errors), property, asked=program.errors),),
        program.ledger,
        inputs,
        program.absent,
        _nothing(program),
        request.options,
        deeper,
    )


def said(property: Property, errors: Errors) -> str:
    """What the property forbids, in the words of the formula or, where the program chose, of the choice."""
    if property.errors is not None:
        return property.formula
    if errors.calls:
        return "no call of " + " or ".join(sorted(errors.calls))
    if errors.labels:
        return "no way to the label " + " or ".join(sorted(errors.labels))
    return "no assertion fails" if errors.assertions else property.formula


def _nothing(program: Program) -> str | None:
    """Why there is nothing to check, if so: an automaton whose error nothing enters is safe without a word."""
    if program.cfa.entering[program.cfa.error]:
        return None
    return "nothing to check: no place that the property is about can be reached"
