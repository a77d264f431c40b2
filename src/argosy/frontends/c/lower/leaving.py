"""What runs when a program ends by ``exit`` or by the end of ``main``: the handlers of ``atexit``, the last one first
(C11 7.22.4.2), and then the functions with the attribute ``destructor`` (GCC's manual, 6.33.1)."""

from __future__ import annotations

from argosy.basics.position import Position
from argosy.frontends.c.library import LEAVE
from argosy.frontends.c.lower.graph import Call, FlowGraph
from argosy.frontends.c.symbols import Unit
from argosy.frontends.c.tokens import as_written
from argosy.models.cfa import Marked


def leave(unit: Unit, graph: FlowGraph, position: Position) -> None:
    """Run them, here."""
    for name in unit.leaving:
        text = f"{as_written(name)}()"
        if name == LEAVE:
            unit.note("atexit does not fail")
        else:
            unit.note(
                f"{as_written(name)} runs when the program ends; of several, in the opposite order of constructors"
            )
            graph.mark(position, text, (Marked.CALL, as_written(name)))
        graph.emit(Call(name), position, text)
