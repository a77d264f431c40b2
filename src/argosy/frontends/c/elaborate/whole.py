"""What the parts of the elaboration of expressions need of one another.

Expressions refer to lvalues, calls and initialisers, and those to expressions again, as the grammar of C does. The
parts know the whole by this protocol only, so that imports point one way: ``expressions`` puts the parts together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from argosy.frontends.c.checkpoints import CheckpointKind
from argosy.frontends.c.elaborate.arithmetic import Arithmetic
from argosy.frontends.c.elaborate.code import Code
from argosy.frontends.c.elaborate.declarations import Declarations
from argosy.frontends.c.elaborate.effects import Effects, EffectTable
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import Object, Unit
from argosy.frontends.c.typed import Expression, Place
from argosy.frontends.c.types import Type


class Elaborated(Protocol):
    """The elaboration of the expressions of one function, as its parts see it."""

    unit: Unit
    code: Code
    function: str
    effects: EffectTable
    arithmetic: Arithmetic
    declarations: Declarations
    literal: Callable[[Object], None]

    def value(self, node: Node) -> Expression: ...
    def effect(self, node: Node) -> None: ...
    def leave_out(self, nodes: Sequence[Node]) -> None: ...
    def discard(self, node: Node) -> None: ...
    def constant(self, node: Node) -> int | None: ...
    def type_of(self, node: Node) -> Type: ...
    def lengths(self, node: Node) -> None: ...
    def place(self, node: Node) -> Place: ...
    def contents(self, place: Place, node: Node) -> Expression: ...
    def store(self, place: Place, node: Node, position: Node, before: str, initialises: bool = False) -> None: ...
    def temporary(self, type_: Type, node: Node) -> Object: ...
    def save(self, value: Expression, node: Node) -> Expression: ...
    def steady(self, value: Expression, node: Node) -> Expression: ...
    def protect(self, value: Expression, effects: Effects | None, node: Node) -> Expression: ...
    def witness_points(
        self, node: Node, kind: CheckpointKind, value: str = "", result: Object | None = None
    ) -> None: ...
