"""Where a part of the typed form was written, and how: for messages, traces and the ledger, never for the meaning."""

from __future__ import annotations

from argosy.basics.position import Position
from argosy.frontends.c.render import render
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import position_of


class Original:
    """The place in the source and the text there; both are made when somebody asks for them. ``before`` is put in front
    of the text, which may be that of another node than the one that has the position."""

    __slots__ = ("_before", "_node", "_position", "_text", "_text_node")

    def __init__(self, node: Node, text_node: Node = None, before: str = "") -> None:
        self._node = node
        self._text_node = node if text_node is None else text_node
        self._before = before
        self._position: Position | None = None
        self._text: str | None = None

    @staticmethod
    def said(position: Position, text: str) -> Original:
        """What has no node of its own."""
        made = Original(None)
        made._position, made._text = position, text
        return made

    @property
    def position(self) -> Position:
        if self._position is None:
            self._position = position_of(self._node)
        return self._position

    @property
    def text(self) -> str:
        if self._text is None:
            self._text = self._before + render(self._text_node)
        return self._text

    def __repr__(self) -> str:
        return f"{self.position}: {self.text}"
