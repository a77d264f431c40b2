"""One piece of a function replaced by another: matching on syntax trees.

A pattern is Python: an expression, a statement, or a pattern of ``match`` behind the word ``case``. It matches what has
the same form; ``...`` matches any expression, or the whole body of a statement, and stands for the same in what comes
in its place. A name that means nothing in the function, neither a variable there nor one of its module nor a built-in
one, was a local variable when the pattern was written: it matches any local variable, everywhere the same.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

Piece = ast.expr | ast.stmt | ast.pattern
_UNIMPORTANT = ("ctx", "kind", "type_comment")


def parse(text: str) -> Piece:
    if text.startswith("case "):
        match = ast.parse(f"match _:\n    {text}:\n        pass").body[0]
        assert isinstance(match, ast.Match)
        return match.cases[0].pattern
    statements = ast.parse(text).body
    if len(statements) != 1:
        raise ValueError(f"{text!r} is not one piece")
    (only,) = statements
    return only.value if isinstance(only, ast.Expr) else only


def replaced(tree: ast.Module, old: str, new: str, nth: int, outer: Collection[str], where: str) -> ast.Module:
    """``tree``, which is that of a function, with the ``nth`` piece of that form replaced (0: the only one); ``outer``
    are the names that it finds outside. LookupError where there is none, or another one."""
    pattern, local = parse(old), _locals(tree)
    found = []
    for piece in _pieces(tree, pattern):
        match = Match(local, local | frozenset(outer) | frozenset(vars(builtins)))
        if match.agrees(pattern, piece):
            found.append((piece, match))
    if len(found) != 1 if nth == 0 else len(found) < nth:
        raise LookupError(f"{where} has {len(found)} times {old!r}; the mutant is outdated")
    piece, match = found[max(nth - 1, 0)]
    changed = _Replacement(piece, match.instance(parse(new))).visit(tree)
    assert isinstance(changed, ast.Module)
    return changed


def _locals(tree: ast.Module) -> frozenset[str]:
    names: set[str | None] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.MatchAs(name=name):
                names.add(name)
    return frozenset(name for name in names if name is not None)


def _pieces(tree: ast.AST, pattern: Piece) -> Iterator[ast.AST]:
    """The nodes of the pattern's kind, in the order of the text. An expression that is a statement is an expression."""
    kinds = (ast.stmt, ast.pattern, ast.expr)
    kind = next(kind for kind in kinds if isinstance(pattern, kind))
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, kind):
            yield child
        yield from _pieces(child, pattern)


def _is_gap(part: Any) -> bool:
    match part:
        case ast.Constant(value=value) | [ast.Expr(value=ast.Constant(value=value))]:
            return value is ...
    return False


@dataclass(slots=True)
class Match:
    """What the names that mean nothing stand for, and the gaps, in their order."""

    local: frozenset[str]
    known: frozenset[str]
    names: dict[str, str] = field(default_factory=dict)
    gaps: list[Any] = field(default_factory=list)

    def agrees(self, pattern: Any, part: Any) -> bool:
        """Whether a part of the tree has the form of the pattern."""
        if _is_gap(pattern):
            self.gaps.append(part)
            return True
        if isinstance(pattern, ast.Name) and pattern.id not in self.known:
            return (
                isinstance(part, ast.Name)
                and part.id in self.local
                and self.names.setdefault(pattern.id, part.id) == part.id
            )
        if type(pattern) is not type(part):
            return False
        if isinstance(pattern, list):
            return len(pattern) == len(part) and all(map(self.agrees, pattern, part))
        if isinstance(pattern, ast.AST):
            fields = [name for name in pattern._fields if name not in _UNIMPORTANT]
            return all(self.agrees(getattr(pattern, name, None), getattr(part, name, None)) for name in fields)
        return bool(pattern == part)

    def instance(self, piece: Any) -> Any:
        """A piece with everything it stands for in its place."""
        if _is_gap(piece):
            return self.gaps.pop(0)
        if isinstance(piece, list):
            return [self.instance(part) for part in piece]
        if isinstance(piece, ast.Name):
            piece.id = self.names.get(piece.id, piece.id)
        elif isinstance(piece, ast.AST):
            for name in piece._fields:
                setattr(piece, name, self.instance(getattr(piece, name, None)))
        return piece


class _Replacement(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: Piece) -> None:
        self._old = old
        self._new = new

    def visit(self, node: ast.AST) -> Any:
        if node is self._old or (
            isinstance(node, ast.Expr) and node.value is self._old and isinstance(self._new, ast.stmt)
        ):
            return self._new
        return self.generic_visit(node)
