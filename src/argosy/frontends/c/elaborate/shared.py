"""What calls in an expression may change, by the text: before anything is elaborated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pycparser import c_ast as c

from argosy.frontends.c.elaborate.calls import names_function
from argosy.frontends.c.library import FORMAT_AT, ForeignReach, Role, reach_of, role, writes_count
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import Object, Unit
from argosy.frontends.c.tokens import ASSEMBLED, ASSEMBLED_IN_MEMORY, ASSEMBLER
from argosy.frontends.c.tree import walk
from argosy.frontends.c.types import Array, StructureType

_ASSEMBLER = (ASSEMBLER, ASSEMBLED, ASSEMBLED_IN_MEMORY)


def changes_shared(unit: Unit, node: Node) -> bool:
    """May the call write variables that it is not given?"""
    if not isinstance(node.name, c.ID):
        return True
    name = node.name.name
    if isinstance(unit.scopes.find(name), Object) or name in _ASSEMBLER or name in unit.definitions:
        return True
    arguments = node.args.exprs if node.args is not None else []
    if role(name) is Role.EXTERNAL:
        reach = reach_of(unit.reach, name)
        if reach is ForeignReach.REACHABLE or (reach is ForeignReach.ARGUMENTS and arguments):
            return True
    if role(name) is Role.INPUT or (role(name) is Role.NOTHING and _counts(name, arguments)):
        return True
    return role(name) in (Role.CONTROL, Role.UNMODELLED) or any(_gives_function(unit, a) for a in arguments)


def _counts(name: str, arguments: Sequence[Node]) -> bool:
    at = FORMAT_AT.get(name)
    form = None if at is None or at >= len(arguments) else arguments[at]
    text = form.value if isinstance(form, c.Constant) and form.type == "string" else None
    return writes_count(name, len(arguments), text)


def _gives_function(unit: Unit, node: Node) -> bool:
    """Whether an argument is written as a function, behind casts or as one of two."""
    match node:
        case c.Cast():
            return _gives_function(unit, node.expr)
        case c.TernaryOp():
            return _gives_function(unit, node.iftrue) or _gives_function(unit, node.iffalse)
        case c.ExprList():
            return _gives_function(unit, node.exprs[-1])
    return names_function(unit, node)


def given_names(unit: Unit, argument: Node) -> Iterator[str]:
    """The variables whose addresses an argument of a call may be or lead into."""
    for node in walk(argument):
        taken = node.expr if isinstance(node, c.UnaryOp) and node.op == "&" else None
        while isinstance(taken, c.StructRef | c.ArrayRef):
            taken = taken.name
        if isinstance(taken, c.ID):
            yield taken.name
        elif isinstance(node, c.ID):
            symbol = unit.scopes.find(node.name)
            if isinstance(symbol, Object) and isinstance(symbol.type, Array | StructureType):
                yield node.name
