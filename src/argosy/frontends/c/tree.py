"""Walks over the parser's tree."""

from __future__ import annotations

from collections.abc import Iterator

from argosy.frontends.c.source import Node

_FIELDS: dict[type, tuple[str, ...]] = {}


def _fields(kind: type) -> tuple[str, ...]:
    skipped = {"coord", "__weakref__", "attributes", *kind.attr_names}  # type: ignore[attr-defined]
    slots = (name for base in kind.__mro__ for name in getattr(base, "__slots__", ()))
    fields = _FIELDS[kind] = tuple(name for name in slots if name not in skipped)
    return fields


def children(node: Node) -> list[Node]:
    """The nodes directly below a node of the syntax tree, in the order of the source."""
    kind = type(node)
    found: list[Node] = []
    names = _FIELDS.get(kind)
    for name in _fields(kind) if names is None else names:
        child = getattr(node, name)
        if type(child) is list:
            found += child
        elif child is not None:
            found.append(child)
    return found


def walk(root: Node) -> Iterator[Node]:
    """Every node of a tree, parents first."""
    stack = [root]
    fields = _FIELDS
    while stack:
        node = stack.pop()
        yield node
        kind = type(node)
        names = fields.get(kind)
        for name in (_fields(kind) if names is None else names)[::-1]:
            child = getattr(node, name)
            if type(child) is list:
                stack += child[::-1]
            elif child is not None:
                stack.append(child)
