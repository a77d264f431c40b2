"""AIGER as a format: every bad state is asked about."""

from __future__ import annotations

from argosy.basics.position import Position
from argosy.frontends.aiger.reader import read_aiger
from argosy.frontends.files import read_bytes
from argosy.frontends.registry import Request
from argosy.frontends.systems import problem_of_system
from argosy.models.bits import CircuitModel
from argosy.problem.problem import Problem


def read(request: Request) -> Problem:
    content = read_bytes(request.path) if request.text is None else request.text.encode("latin-1", "replace")
    file = read_aiger(request.path, content)
    positions = tuple(Position(request.path, line, 1) for line in file.bad_lines)
    model = CircuitModel(file.circuit, request.path, positions)
    return problem_of_system("aiger", model, request)
