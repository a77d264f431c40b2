"""What the parts of the reader of expressions (places, calls, the heap, types, initialisers) need of one another.

Expressions refer to all of these and they to expressions again, as the grammar of C does. The parts know the whole by
these protocols only, so that imports point one way: ``expressions`` puts the parts together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from argosy.basics.position import Position
from argosy.frontends.c.declarations import Declarations
from argosy.frontends.c.effects import Effects, EffectTable
from argosy.frontends.c.graph import FlowGraph
from argosy.frontends.c.operators import Operators, Place, Value
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import Object, Unit
from argosy.frontends.c.types import Type
from argosy.logic.terms import Term, Terms


@dataclass(frozen=True, slots=True)
class InitialiserItem:
    """``value`` is an expression, or the code of a character in a text; None says that the part begins anew. ``offset``
    is None where it is not known."""

    offset: int | None
    type: Type
    value: Node | int | None


class TypingPart(Protocol):
    def of(self, node: Node) -> Type: ...
    def undecayed(self, node: Node) -> Type: ...


class InitialisersPart(Protocol):
    def items(self, type_: Type, node: Node) -> Iterator[InitialiserItem]: ...


class CallsPart(Protocol):
    def result_type(self, node: Node) -> Type: ...
    def choose_into(self, target: Term, node: Node, position: Position, text: str) -> bool: ...


class PlacesPart(Protocol):
    def of_object(self, symbol: Object) -> Place: ...
    def read(self, place: Place, node: Node) -> Value: ...
    def read_at(self, place: Place, position: Position) -> Value: ...
    def write(self, place: Place, value: Value, position: Position, text: str) -> None: ...
    def write_at(self, pointer: Value, value: Value, node: Node, text: str) -> None: ...
    def scalars(self, place: Place, position: Position) -> Iterator[Value]: ...


class Whole(Protocol):
    """The reader of the expressions of one function, as its parts see it."""

    unit: Unit
    graph: FlowGraph
    terms: Terms
    function: str
    effects: EffectTable
    operators: Operators
    declarations: Declarations
    repeats: Callable[[], bool]

    @property
    def typing(self) -> TypingPart: ...
    @property
    def initialisers(self) -> InitialisersPart: ...
    @property
    def calls(self) -> CallsPart: ...
    @property
    def places(self) -> PlacesPart: ...

    def value(self, node: Node) -> Value: ...
    def constant(self, node: Node) -> int | None: ...
    def braced(self, node: Node) -> Value: ...
    def discard(self, node: Node) -> None: ...
    def operation(self, op: str, left_node: Node, right_node: Node, position: Position) -> Value: ...
    def save(self, value: Value, node: Node) -> Value: ...
    def protect(self, value: Value, effects: Effects, node: Node) -> Value: ...
