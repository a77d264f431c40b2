"""Models written in the tests themselves."""

from __future__ import annotations

from argosy.frontends.uppaal import read
from argosy.frontends.uppaal.lexer import PlacedText
from argosy.models.network import Network, NetworkVariable, TimedProcess
from argosy.models.network_queries import AnyQuery, Query
from argosy.models.network_semantics import NetworkState, Semantics

SINGLE = "process P() { state A; init A; }\nsystem P;\n"


def network(text: str) -> Network:
    return read("model.xta", text.encode())[0]


def queries(text: str, *formulas: str) -> list[AnyQuery]:
    return read("model.xta", text.encode(), PlacedText("model.q", "\n".join(formulas)))[1]


def holds(text: str, formula: str) -> bool:
    """Whether the formula of a query is true in the initial state."""
    model, (query,) = read("model.xta", text.encode(), PlacedText("model.q", f"E<> {formula}"))
    assert isinstance(query, Query), query
    semantics = Semantics(model)
    return semantics.satisfies(semantics.initial(), query.target)


def after(text: str, *names: str) -> dict[str, int]:
    """The variables after the one enabled action of the initial state."""
    model = network(text)
    semantics = Semantics(model)
    state = semantics.initial()
    (action,) = semantics.enabled(state)
    return values(model, semantics.fire(state, action))


def values(model: Network, state: NetworkState) -> dict[str, int]:
    return {variable.name: value for variable, value in zip(model.variables, state.values, strict=True)}


def variable(model: Network, name: str) -> NetworkVariable:
    return next(variable for variable in model.variables if variable.name == name)


def process(model: Network, name: str) -> TimedProcess:
    return next(process for process in model.processes if process.name == name)


def step(declarations: str, update: str) -> dict[str, int]:
    """The variables after one edge with the update."""
    return after(
        f"{declarations}\nprocess P() {{ state A, B; init A; trans A -> B {{ assign {update}; }}; }}\nsystem P;"
    )


def xml(
    template: str, declaration: str = "", system: str = "system T;", queries: str = "", prologue: str = ""
) -> bytes:
    return f"""<?xml version="1.0" encoding="utf-8"?>
{prologue}<nta>
<declaration>{declaration}</declaration>
<template><name>T</name>{template}</template>
<system>{system}</system>
<queries>{queries}</queries>
</nta>
""".encode()
