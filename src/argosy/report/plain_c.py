"""A C program as C of a plain kind: every conversion written out, every effect a statement of its own."""

from __future__ import annotations

from collections.abc import Mapping

from argosy.basics.errors import UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.c.print import print_program
from argosy.frontends.registry import OPTIONS
from argosy.problem.problem import Problem


def plain_c(problem: Problem, chosen: Mapping[str, str]) -> str:
    if problem.format != "c":
        raise UnsupportedError(Position(problem.input, 0), f"{problem.format} as plain C")
    model = problem.options.get("data-model") or OPTIONS["data-model"].default
    assert model is not None
    return print_program(problem.input, model)
