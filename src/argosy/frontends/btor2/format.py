"""BTOR2 as a format: every bad state is asked about."""

from __future__ import annotations

from argosy.frontends.btor2.reader import read_btor2
from argosy.frontends.files import read_text
from argosy.frontends.registry import Request
from argosy.frontends.systems import problem_of_system
from argosy.problem.problem import Problem


def read(request: Request) -> Problem:
    text = read_text(request.path) if request.text is None else request.text
    return problem_of_system("btor2", read_btor2(request.path, text), request)
