"""What a model declares, a line each, as its own language would say it: kind, name, and the rest."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from typing import Any

from argosy.logic.sorts import Sort
from argosy.models.network import Network
from argosy.models.program import Program
from argosy.models.transition import TransitionModel

Declared = tuple[str, str, str]


@singledispatch
def declarations(model: Any) -> Iterator[Declared]:
    """Nothing is known of models of other kinds."""
    yield from ()


@declarations.register
def _(model: Network) -> Iterator[Declared]:
    for clock in model.clocks[1:]:
        yield "clock", clock.name, ""
    for channel in model.channels:
        words = [word for word, applies in (("urgent", channel.urgent), ("broadcast", channel.broadcast)) if applies]
        yield " ".join((*words, "chan")), channel.name, ""
    for variable in model.variables:
        if variable.low == variable.high:
            yield "const", variable.name, f"= {variable.initial}"
        elif variable.boolean:
            yield "bool", variable.name, f"= {'true' if variable.initial else 'false'}"
        else:
            yield f"int[{variable.low}, {variable.high}]", variable.name, f"= {variable.initial}"


@declarations.register
def _(model: Program) -> Iterator[Declared]:
    for variable in model.cfa.variables:
        if variable.term not in model.cfa.opaque:
            where = f"in {variable.function}" if variable.function else ""
            yield _sort(variable.term.sort, variable.signed), variable.name, where


@declarations.register
def _(model: TransitionModel) -> Iterator[Declared]:
    seen: set[str] = set()
    for number in range(len(model.bad_names)):
        system = model.system(number)
        for role, variables in (("input", system.inputs), ("state", system.states)):
            for variable in variables:
                if variable.name not in seen:
                    seen.add(variable.name)
                    yield _sort(variable.term.sort, variable.signed), variable.name, role


def _sort(sort: Sort, signed: bool | None) -> str:
    if sort.is_bits:
        return f"{sort.width} bit{'' if sort.width == 1 else 's'}{', signed' if signed else ''}"
    return sort.kind
