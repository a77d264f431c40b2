"""Theta's languages as formats."""

from __future__ import annotations

import os

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.basics.records import replace
from argosy.frontends.files import read_small, read_text
from argosy.frontends.programs import problem_of
from argosy.frontends.registry import Request
from argosy.frontends.systems import problem_of_system
from argosy.frontends.theta.automata import read_automaton
from argosy.frontends.theta.lexer import ThetaText
from argosy.frontends.theta.statecharts import read_statechart
from argosy.frontends.theta.systems import read_system
from argosy.logic.terms import Terms
from argosy.models.kinds import Errors
from argosy.problem.problem import Problem
from argosy.problem.property import Property

PROPERTY_SUFFIX = ".prop"
UNREACHABLE = Property("unreach-call", "the error location is not reached", Errors())


def read_automata(request: Request) -> Problem:
    program = read_automaton(request.path, _content(request), Terms())
    return problem_of("cfa", program, request, UNREACHABLE, (request.path,), read_automata)


def read_statecharts(request: Request) -> Problem:
    """The property stands in the file that is given or has the name of the model, in the model itself, or in the only
    file beside it."""
    path = request.options.get("property") or (None if request.text is not None else _own_property(request.path))
    given = None if path is None else ThetaText(path, read_small(path))
    program, shown, stated_in = read_statechart(
        request.path, _content(request), Terms(), given, lambda: _only_property(request)
    )
    property = Property("invariant", f"G ({shown})", Errors())
    inputs = tuple(dict.fromkeys((request.path, stated_in)))
    return problem_of("xsts", program, request, property, inputs, read_statecharts)


def _only_property(request: Request) -> ThetaText | None:
    found = property_files(request.path) if request.text is None else []
    if len(found) > 1:
        names = ", ".join(os.path.basename(each) for each in found)
        raise InputError(Position(request.path, 0), f"which property? Choose one with --property: {names}")
    return ThetaText(found[0], read_small(found[0])) if found else None


def read_systems(request: Request) -> Problem:
    """Each property of the system is a subject of its own."""
    system, formulas = read_system(request.path, _content(request), Terms(), request.options.get("property"))
    problem = problem_of_system("sts", system, request)
    subjects = (
        replace(subject, text=f"{name}: G ({formulas[name]})")
        for name, subject in zip(system.bad_names, problem.subjects, strict=True)
    )
    return replace(problem, subjects=tuple(subjects))


def property_files(path: str) -> list[str]:
    """The ``.prop`` file with the name of the model, else all that stand beside it."""
    own = _own_property(path)
    if own is not None:
        return [own]
    folder = os.path.dirname(path)
    names = sorted(name for name in os.listdir(folder or ".") if name.lower().endswith(PROPERTY_SUFFIX))
    return [os.path.join(folder, name) for name in names]


def _own_property(path: str) -> str | None:
    own = f"{os.path.splitext(path)[0]}{PROPERTY_SUFFIX}"
    return own if os.path.isfile(own) else None


def _content(request: Request) -> str:
    return read_text(request.path) if request.text is None else request.text
