"""What a C program expects from other files: functions and objects that it does not define, the parameters of its entry
function. Also what its loops see: which variables have which names where a loop begins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from pycparser import c_ast as c

from argosy.frontends.c.elaborate.calls import Shape, choice_type
from argosy.frontends.c.library import LIBRARY_OBJECTS, SUPPLIED, Role, role
from argosy.frontends.c.preprocessor import SourceFile
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import FunctionName, Object, OpenLoop, Symbol, Unit
from argosy.frontends.c.tokens import as_written, uncopied
from argosy.frontends.c.tree import walk
from argosy.frontends.c.types import Float, Function, Integer, Pointer, Type, Void
from argosy.models.landmarks import LoopSite, VisibleCell, physical
from argosy.models.sources import (
    Duty,
    Outside,
    OutsideCell,
    OutsideFunction,
    OutsideObject,
    OutsideParameter,
)

_DUTIES = {
    Role.ASSUME: Duty.ASSUME,
    Role.ASSERT: Duty.ASSERT,
    Role.CHOICE: Duty.VALUE,
    Role.EXTERNAL: Duty.VALUE,
}
_OF_VERIFIERS = ("__VERIFIER_", "__CPROVER_", "assume_abort_if_not")


def outside(unit: Unit, tree: Node, data_model: str, entry: str, files: Sequence[SourceFile] = ()) -> Outside:
    """Headers declare much that nobody uses, and that is somebody else's to define."""
    used = {node.name for node in walk(tree) if isinstance(node, c.ID)}
    shape: Shape = unit.signatures[entry]
    parameters = (
        OutsideParameter(parameter.name, _spelled(parameter.type) or "int", tuple(_cells(unit, parameter)))
        for parameter in shape.parameters
    )
    hidden = (name for name, symbol in unit.definitions.items() if "static" in (symbol.definition.decl.storage or ()))
    return Outside(
        data_model,
        entry,
        tuple(_functions(unit, used)),
        tuple(_objects(unit, used)),
        tuple(parameters),
        frozenset(unit.definitions),
        frozenset(hidden),
        tuple((file.path, file.switches.words) for file in files),
    )


def _functions(unit: Unit, used: Set[str]) -> Iterator[OutsideFunction]:
    """Those that are no part of the C library, and those of the library that can be replaced."""
    for symbol in unit.scopes.globals():
        if not isinstance(symbol, FunctionName) or symbol.name in unit.definitions or symbol.name not in used:
            continue
        name, kind = symbol.name, role(symbol.name)
        own = kind in (Role.CHOICE, Role.EXTERNAL) or name in SUPPLIED or name.startswith(_OF_VERIFIERS)
        if not own or not isinstance(symbol.type, Function):
            continue
        result: Type = symbol.type.result
        if kind is Role.CHOICE:
            result = choice_type(unit, name) or result
        duty = Duty.VALUE if name in SUPPLIED else _DUTIES.get(kind, Duty.NOTHING)
        if name in unit.lexed.noreturn:
            duty = Duty.END
        elif duty is Duty.VALUE and isinstance(result, Void):
            duty = Duty.NOTHING
        yield OutsideFunction(name, _spelled(result), duty)


def _spelled(type_: Type) -> str:
    """A type that needs no definition; "" for others."""
    if isinstance(type_, Pointer):
        return "void *"
    return str(type_) if isinstance(type_, Integer | Float | Void) else ""


def _objects(unit: Unit, used: Set[str]) -> Iterator[OutsideObject]:
    for symbol in unit.scopes.globals():
        if isinstance(symbol, Object) and not symbol.defined and symbol.name in used - LIBRARY_OBJECTS:
            yield OutsideObject(symbol.name, unit.model.size(symbol.type) or 1, tuple(_cells(unit, symbol)))


def _cells(unit: Unit, symbol: Object) -> Iterator[OutsideCell]:
    for cell in unit.cells(symbol.type):
        term = symbol.parts.get(cell.offset)
        if term is not None:
            size = unit.model.size(cell.type) or 1
            yield OutsideCell(cell.offset, size, term.name, isinstance(cell.type, Pointer))


# ---- loops ----------------------------------------------------------------------------------------------------------


def loop_sites(unit: Unit) -> tuple[LoopSite, ...]:
    return tuple(_loop_site(unit, loop) for loop in unit.loops)


def _loop_site(unit: Unit, loop: OpenLoop) -> LoopSite:
    return LoopSite(
        loop.word, physical(loop.position), uncopied(loop.function), lambda: visible_cells(unit, loop.names)
    )


def visible_cells(unit: Unit, local: Mapping[str, Symbol]) -> dict[str, VisibleCell]:
    """The variables that can be named where these local names are in scope."""
    symbols = [symbol for symbol in local.values() if isinstance(symbol, Object)]
    for symbol in unit.scopes.globals():
        if isinstance(symbol, Object) and symbol.name not in local:
            symbols.append(symbol)
    found: dict[str, VisibleCell] = {}
    for symbol in symbols:
        if symbol.temporary or not symbol.name.isidentifier():
            continue
        for cell in unit.cells(symbol.type) if symbol.parts else ():
            term = symbol.parts.get(cell.offset)
            if term is not None:
                settled = "volatile" not in symbol.qualifiers and not cell.in_union
                text = as_written(symbol.name) + cell.path
                found[term.name] = VisibleCell(text, isinstance(cell.type, Pointer), settled)
    return found
