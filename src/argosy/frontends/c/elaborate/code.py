"""The statements of one function while they are being written down."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from argosy.frontends.c.original import Original
from argosy.frontends.c.typed import Branching, Expression, Jump, LabelPoint, Statement


class Code:
    """``statements`` so far; points are numbers that are unique in the function."""

    def __init__(self) -> None:
        self.statements: list[Statement] = []
        self._points = 0

    def point(self) -> int:
        self._points += 1
        return self._points

    def emit(self, statement: Statement) -> None:
        self.statements.append(statement)

    def at(self, point: int, loop: int | None = None) -> None:
        """Control goes on at the point, from here and from wherever jumps to it; the rounds of a loop begin there."""
        self.statements.append(LabelPoint(point, loop=loop))

    def jump(self, target: int) -> None:
        self.statements.append(Jump(target))

    def branch(self, condition: Expression, yes: int, no: int, original: Original) -> None:
        self.statements.append(Branching(condition, yes, no, original))

    @contextmanager
    def aside(self) -> Iterator[list[Statement]]:
        """What is written inside goes to a list of its own."""
        kept, inside = self.statements, list[Statement]()
        self.statements = inside
        try:
            yield inside
        finally:
            self.statements = kept
