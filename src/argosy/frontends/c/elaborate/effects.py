"""Which expressions change something, and what: decides what stays a term and what becomes steps.

An expression without effects is one term. Where an operand has effects, the value of the operands to its left must be
saved if those effects may change it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pycparser import c_ast as c

from argosy.basics.records import dataclass
from argosy.frontends.c.elaborate.bits import is_folded
from argosy.frontends.c.library import IS_CONSTANT, OFFSETS
from argosy.frontends.c.source import Node
from argosy.frontends.c.tokens import ALIGNMENT, ASSEMBLED, ASSEMBLED_IN_MEMORY, COMPATIBLE
from argosy.frontends.c.tree import children

# What looks like a call, and whose operands are only looked at.
_NOT_EVALUATED = frozenset((*OFFSETS, COMPATIBLE, ALIGNMENT, IS_CONSTANT))

_LEAVES = frozenset((c.ID, c.Constant))
# What has the effects of its parts.
_PLAIN = frozenset((c.BinaryOp, c.ArrayRef, c.TernaryOp))


@dataclass(frozen=True, slots=True)
class Effects:
    """``names`` are written directly; ``shared`` stands for whatever a call or a pointer may change."""

    names: frozenset[str] = frozenset()
    shared: bool = False


def lengths(node: Node) -> Iterator[Node]:
    """The lengths of arrays in a declaration or a type name, which are evaluated where control gets there (6.7.6.2, 5).
    Those in a prototype are not; what ``typeof`` is asked about is, if it is a type."""
    while node is not None:
        if isinstance(node, c.ArrayDecl) and node.dim is not None:
            yield node.dim
        if isinstance(node, c.TypeOf):
            node = node.expr if isinstance(node.expr, c.Typename) else None
        elif isinstance(node, c.Decl | c.Typedef | c.Typename | c.TypeDecl | c.PtrDecl | c.ArrayDecl):
            node = node.type
        else:
            return


class EffectTable:
    """The effects of expressions, computed once per node. ``changes_shared`` tells calls that may write variables
    which they are not given, ``given`` the names of the variables whose addresses an argument gives to a call."""

    def __init__(
        self, changes_shared: Callable[[Node], bool], given: Callable[[Node], Iterable[str]] = lambda node: ()
    ) -> None:
        self._changes_shared = changes_shared
        self._given = given
        self._known: dict[int, Effects | None] = {}

    def of(self, node: Node) -> Effects | None:
        """None for an expression without effects."""
        if type(node) in _LEAVES:
            return None
        key = id(node)
        if key not in self._known:
            plain = type(node) in _PLAIN
            self._known[key] = _union(map(self.of, children(node))) if plain else self._compute(node)
        return self._known[key]

    def of_all(self, nodes: Iterable[Node]) -> Effects | None:
        return _union(self.of(node) for node in nodes)

    def _compute(self, node: Node) -> Effects | None:
        match node:
            case c.Typename():
                return _union(self.of(length) for length in lengths(node))
            case c.UnaryOp(op="sizeof", expr=c.Typename()):
                return self.of(node.expr)
            case c.UnaryOp(op="sizeof" | "_Alignof" | "__alignof__" | "__alignof"):
                return None
            case c.UnaryOp(op="++" | "--" | "p++" | "p--"):
                return _union((self.of(node.expr), _written(node.expr)))
            case c.Assignment():
                return _union((self.of(node.lvalue), self.of(node.rvalue), _written(node.lvalue)))
            case c.FuncCall():
                return self._call(node)
            case c.CompoundLiteral():
                # It fills an object, which takes steps.
                return _union((Effects(), self.of(node.init)))
            case c.StructRef(name=c.TernaryOp() | c.ExprList()):
                # A structure by choice is copied, which takes steps too.
                return _union((Effects(), self.of(node.name)))
            case c.Compound():
                return _union((Effects(shared=True), *(self.of(child) for child in children(node))))
        return _union(self.of(child) for child in children(node))

    def _call(self, node: Node) -> Effects | None:
        arguments = node.args.exprs if node.args is not None else []
        inner = _union(self.of(argument) for argument in arguments)
        if isinstance(node.name, c.ID) and node.name.name in _NOT_EVALUATED:
            return None
        if isinstance(node.name, c.ID) and (node.name.name == "__builtin_expect" or is_folded(node)):
            return inner
        if isinstance(node.name, c.ID) and node.name.name in (ASSEMBLED, ASSEMBLED_IN_MEMORY):
            return _union((inner, Effects(shared=True), *map(_written, arguments)))
        if self._changes_shared(node):
            return _union((inner, self.of(node.name), Effects(shared=True)))
        return _union((inner, Effects(frozenset(name for a in arguments for name in self._given(a)))))


def _written(lvalue: Node) -> Effects:
    """A part of a variable counts as the variable; behind an index there may be a pointer."""
    shared = False
    while isinstance(lvalue, c.StructRef | c.ArrayRef):
        shared = shared or isinstance(lvalue, c.ArrayRef) or lvalue.type == "->"
        lvalue = lvalue.name
    if isinstance(lvalue, c.ID):
        return Effects(frozenset((lvalue.name,)), shared)
    return Effects(shared=True)


def _union(parts: Iterable[Effects | None]) -> Effects | None:
    present = [part for part in parts if part is not None]
    if len(present) <= 1:
        return present[0] if present else None
    return Effects(frozenset().union(*(p.names for p in present)), any(p.shared for p in present))
