"""What the front ends that give transition systems have in common: every bad state is a subject of its own."""

from __future__ import annotations

from argosy.frontends.registry import Request
from argosy.models.transition import TransitionModel
from argosy.problem.problem import Problem, Subject
from argosy.problem.property import Property

NEVER = Property("unreach-call", "no bad state is reached")


def problem_of_system(format: str, model: TransitionModel, request: Request) -> Problem:
    subjects = tuple(
        Subject("property", name, NEVER, model.position(number), asked=number)
        for number, name in enumerate(model.bad_names)
    )
    nothing = None if subjects else "nothing to check: the file has no bad state"
    return Problem(
        "system",
        format,
        request.path,
        model,
        subjects or (Subject("property", "no bad state", NEVER),),
        model.notes,
        (request.path,),
        nothing=nothing,
        options=request.options,
    )
