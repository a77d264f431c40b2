"""VMT as a format: every invariant property is asked about."""

from __future__ import annotations

from argosy.frontends.files import read_text
from argosy.frontends.registry import Request
from argosy.frontends.systems import problem_of_system
from argosy.frontends.vmt.reader import read_vmt
from argosy.logic.terms import Terms
from argosy.problem.problem import Problem


def read(request: Request) -> Problem:
    text = read_text(request.path) if request.text is None else request.text
    return problem_of_system("vmt", read_vmt(request.path, text, Terms()), request)
