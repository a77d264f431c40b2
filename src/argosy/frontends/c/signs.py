"""Comparisons of the C library of which only the sign is looked at.

``strcmp`` and its relatives return any number that is less than, equal to or greater than zero (C11 7.24.4). A program
that writes ``!strcmp(a, b)`` sees the sign only: such a call becomes one of the function that returns no more than
that, so that nothing is left open which nobody asks for, and values alone can follow it.

Law: the program means the same. Only calls of what the file declares as a function by that name, and as nothing else,
are touched; whether the program defines it itself is for the caller to know.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator

from pycparser import c_ast as c

from argosy.frontends.c.source import Node, is_elvis
from argosy.frontends.c.tokens import MADE_UP
from argosy.frontends.c.tree import walk

SIGN = f"{MADE_UP}sign_"
"""What stands before the name of a function that returns a sign."""

_COMPARED = frozenset(("==", "!=", "<", ">", "<=", ">="))
_JOINED = frozenset(("&&", "||"))
_ZERO = frozenset(("0", "0u", "0U", "0l", "0L"))


def with_signs(tree: Node, comparing: Collection[str]) -> None:
    """Let the calls of functions that are ``comparing`` return signs where that is all that is looked at."""
    declared = _declared(tree, comparing)
    named: dict[str, list[Node]] = {}
    for call in _looked_at(tree) if declared else ():
        if isinstance(call, c.FuncCall) and isinstance(call.name, c.ID) and call.name.name in declared:
            named.setdefault(call.name.name, []).append(call.name)
    for name, each in named.items():
        for identifier in each:
            identifier.name = SIGN + name
        tree.ext.insert(tree.ext.index(declared[name]), _renamed(declared[name]))


def _declared(tree: Node, comparing: Collection[str]) -> dict[str, Node]:
    """The first declaration of each name that is a function wherever the file declares it."""
    found = {
        node.name: node
        for node in reversed(tree.ext)
        if isinstance(node, c.Decl) and node.name in comparing and isinstance(node.type, c.FuncDecl)
    }
    for node in walk(tree) if found else ():
        if isinstance(node, c.Decl | c.Typedef | c.Enumerator) and not isinstance(getattr(node, "type", 0), c.FuncDecl):
            found.pop(node.name, None)
    return found


def _looked_at(tree: Node) -> Iterator[Node]:
    """The expressions of which nothing but the sign matters."""
    for node in walk(tree):
        match node:
            case c.UnaryOp(op="!"):
                yield node.expr
            case c.BinaryOp(op=op) if op in _COMPARED:
                for one, other in ((node.left, node.right), (node.right, node.left)):
                    if isinstance(other, c.Constant) and other.value in _ZERO:
                        yield one
            case c.BinaryOp(op=op) if op in _JOINED:
                yield node.left
                yield node.right
            case c.If() | c.While() | c.DoWhile() | c.For():
                yield node.cond
            case c.TernaryOp() if not is_elvis(node):
                yield node.cond


def _renamed(declaration: Node) -> Node:
    """The same declaration, of the function that returns a sign."""
    made = copy.deepcopy(declaration)
    made.name = SIGN + declaration.name
    kind = made.type
    while not isinstance(kind, c.TypeDecl):
        kind = kind.type
    kind.declname = made.name
    return made
