"""UPPAAL's and TChecker's networks as formats: every query becomes a subject of its own."""

from __future__ import annotations

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.frontends.registry import Request
from argosy.frontends.uppaal.load import load, read_text
from argosy.models.network_queries import AnyQuery, UnsupportedQuery
from argosy.problem.problem import Problem, Subject


def read(request: Request) -> Problem:
    return _read(request, "uppaal")


def read_tchecker(request: Request) -> Problem:
    return _read(request, "tchecker")


def _read(request: Request, format: str) -> Problem:
    """A network that nobody asks anything about is an error: whoever gives one has a question."""
    queries = request.options.get("query")
    if request.text is None:
        network, found = load(request.path, queries)
    else:
        network, found = read_text(request.path, request.text, queries)
    if not found:
        raise InputError(Position(request.path, 0), "no query: give --query, or a .q file beside the model")
    broken = [query for query in found if isinstance(query, UnsupportedQuery) and query.malformed]
    if len(broken) == len(found):
        raise InputError(broken[0].position, broken[0].what)
    subjects = tuple(map(subject, found))
    return Problem(
        "network", format, request.path, network, subjects, network.notes, (request.path,), options=request.options
    )


def subject(query: AnyQuery) -> Subject:
    return Subject("query", query.text, position=query.position, satisfied_by=query.satisfied_by, asked=query)
