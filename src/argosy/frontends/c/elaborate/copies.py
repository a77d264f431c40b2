"""Copies of functions that allocate memory: what they make for one call in the text is apart from what they make for
another.

Calls of ``malloc`` are told apart by their places in the text. A wrapper has one such place for all its callers, and
the size that it is given is a number there, not a type. So a small function without loops that allocates, by itself or
through others, is a function of its own for each call that names it (heap cloning: Nystrom, Kim, Hwu, *Importance of
Heap Specialization in Pointer Analysis*, PASTE 2004). What it was given is known in the copy (``given``), where it
never assigns the parameter.

Functions with arguments behind ``...`` are copied for the types of those, and so are functions that are given a list of
such arguments (``elaborate.variadic``).

Law: a copy does what the function does; there is no difference between them but their variables' identities. So
functions are left alone that call themselves; those that allocate, if they keep something between calls (static
variables), or if their loops are spoken of by their places. Copies for lists of arguments share both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pycparser import c_ast as c

from argosy.basics.records import dataclass, replace
from argosy.frontends.c.elaborate.calls import Shape
from argosy.frontends.c.elaborate.variadic import ArgumentList, KnownLists, known_lists, takes_list
from argosy.frontends.c.library import ALLOCATING
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import BlockScope, FunctionName, Object, Unit
from argosy.frontends.c.tokens import ASSEMBLED, ASSEMBLED_IN_MEMORY, ASSEMBLER, COPY
from argosy.frontends.c.tree import walk
from argosy.frontends.c.typed import BinaryOperation, Cast, Contents, Expression, ObjectPlace
from argosy.frontends.c.types import Type

# How many copies there are in all, and how large a function is that is copied, in nodes of its tree.
MOST_COPIES = 100
MOST_WITH_LISTS = 1000
LARGEST_COPIED = 400

_LOOPS = (c.While, c.DoWhile, c.For)
_ASSEMBLERS = frozenset((ASSEMBLER, ASSEMBLED, ASSEMBLED_IN_MEMORY))
_PLACES = (*_LOOPS, c.Label, c.Goto)


@dataclass(frozen=True, slots=True)
class _Prototype:
    """A function that is copied, its shape before its body was read, and the parameters that it never changes."""

    symbol: FunctionName
    shape: Shape
    kept: frozenset[str]
    allocates: bool
    starts: bool
    takes: bool


class CallCopies:
    """Made when the file level is read, before any body is."""

    def __init__(self, unit: Unit, entry: str) -> None:
        self._unit = unit
        self._entry = entry
        allocating = set(self._allocating())
        known = (self._prototype(symbol, name in allocating) for name, symbol in unit.definitions.items())
        self._prototypes = {
            each.symbol.name: each
            for each in known
            if each.symbol.name not in {entry, *unit.cycles} and (each.allocates or each.starts or each.takes)
        }
        self._made: dict[tuple[object, ...], FunctionName] = {}
        self._with_lists = 0
        self._once: dict[str, bool] = {}
        # Of each definition, whether it has labels, and the calls in its loops: each call in its text asks for them.
        self._repeated: dict[int, tuple[bool, set[int]]] = {}
        self._callers: dict[str, tuple[str, Node]] = {}
        names: Counter[str] = Counter()
        for name, symbol in unit.definitions.items():
            for node in unit.nodes(symbol.definition):
                if isinstance(node, c.ID):
                    names[node.name] += 1
                elif isinstance(node, c.FuncCall) and isinstance(node.name, c.ID):
                    self._callers[node.name.name] = (name, node)
        self._named_once = {name for name, count in names.items() if count == 1 and name not in unit.named_as_values}

    # ---- which ----------------------------------------------------------------------------------------------

    def _allocating(self) -> Iterator[str]:
        unit = self._unit
        names = {
            name: {node.name for node in unit.nodes(symbol.definition) if isinstance(node, c.ID)}
            for name, symbol in unit.definitions.items()
        }
        allocating: set[str] = set()
        more = {name for name, own in names.items() if own & (ALLOCATING - unit.definitions.keys())}
        while more:
            allocating |= more
            more = {name for name, own in names.items() if name not in allocating and own & allocating}
        for name in unit.definitions:
            if name in allocating and self._is_plain(name):
                yield name

    def _is_plain(self, name: str) -> bool:
        nodes = self._unit.nodes(self._unit.definitions[name].definition)
        if len(nodes) > LARGEST_COPIED:
            return False
        kept = (isinstance(n, c.Decl) and bool({"static", "extern"} & set(n.storage or ())) for n in nodes[2:])
        return not any(kept) and not any(isinstance(node, _PLACES) for node in nodes)

    def _prototype(self, symbol: FunctionName, allocates: bool) -> _Prototype:
        shape: Shape = self._unit.signatures[symbol.name]
        scope = BlockScope(dict(shape.scope.names), dict(shape.scope.tags))
        changed = set(_changed(self._unit.nodes(symbol.definition)))
        kept = frozenset(p.name for p in shape.parameters if p.name not in changed)
        takes = takes_list([parameter.type for parameter in shape.parameters])
        return _Prototype(symbol, replace(shape, scope=scope), kept, allocates, shape.type.variadic, takes)

    # ---- copies ---------------------------------------------------------------------------------------------

    def of(self, callee: FunctionName, call: Node, caller: str, values: Sequence[Expression]) -> FunctionName:
        """The function that a call in the text calls, inside of a caller: a copy of its own, or the one for all."""
        prototype = self._prototypes.get(callee.name)
        if prototype is None or not caller:
            return callee
        if not prototype.allocates:
            return self._for_lists(prototype, caller, values)
        key = callee.name, id(call), caller
        known = self._made.get(key)
        if known is None:
            if len(self._made) - self._with_lists >= MOST_COPIES:
                return self._for_lists(prototype, caller, values) if prototype.starts or prototype.takes else callee
            known = self._made[key] = self._copied(prototype, len(self._made) + 1)
            self._listed(prototype, known, caller, values)
            self._once[known.name] = self.is_called_once(caller) and not self._repeats(call, caller)
            shape: Shape = self._unit.signatures[known.name]
            for parameter, value in zip(shape.parameters, values, strict=False):
                steady = not parameter.address_taken and "volatile" not in parameter.qualifiers
                if parameter.name in prototype.kept and steady:
                    self._unit.given[parameter] = self._known(value)
        return known

    def _for_lists(self, prototype: _Prototype, caller: str, values: Sequence[Expression]) -> FunctionName:
        """The copy that has such arguments behind ``...``, and is given what the caller knows."""
        key = (prototype.symbol.name, *self._signature(prototype, caller, values))
        known = self._made.get(key)
        if known is None:
            if self._with_lists >= MOST_WITH_LISTS:
                return prototype.symbol
            known = self._made[key] = self._copied(prototype, len(self._made) + 1)
            self._with_lists += 1
            self._listed(prototype, known, caller, values)
            self._once[known.name] = False
        return known

    def _signature(
        self, prototype: _Prototype, caller: str, values: Sequence[Expression]
    ) -> tuple[tuple[Type, ...], tuple[ArgumentList, ...]]:
        """The types of the arguments behind ``...``, and the lists that may be given."""
        behind = values[len(prototype.shape.parameters) :] if prototype.starts else ()
        lists = known_lists(self._unit, caller) if prototype.takes or takes_list([v.type for v in behind]) else None
        return tuple(value.type for value in behind), lists.all if lists is not None else ()

    def _listed(self, prototype: _Prototype, copy: FunctionName, caller: str, values: Sequence[Expression]) -> None:
        """The arguments behind ``...`` of a copy are parameters that last."""
        if not (prototype.starts or prototype.takes):
            return
        types, given = self._signature(prototype, caller, values)
        own = None
        if prototype.starts:
            objects = tuple(
                Object(f"...{number}", type_, copy.position, copy.name, lasting=True)
                for number, type_ in enumerate(types, 1)
            )
            own = ArgumentList(self._unit.next_argument, objects)
            self._unit.next_argument += len(objects) + 1
            shape: Shape = self._unit.signatures[copy.name]
            self._unit.signatures[copy.name] = replace(shape, parameters=(*shape.parameters, *objects))
        self._unit.argument_lists[copy.name] = KnownLists(own, given)

    def _known(self, value: Expression) -> Expression:
        """A value in terms of what the caller itself was given."""
        match value:
            case Contents(place=ObjectPlace(symbol)) if symbol in self._unit.given:
                known: Expression = self._unit.given[symbol]
                return known
            case Cast(operand):
                return replace(value, operand=self._known(operand))
            case BinaryOperation():
                return replace(value, left=self._known(value.left), right=self._known(value.right))
        return value

    def _copied(self, prototype: _Prototype, number: int) -> FunctionName:
        unit, symbol, shape = self._unit, prototype.symbol, prototype.shape
        name = f"{symbol.name}{COPY}{number}"
        copies: Mapping[Object, Object] = {p: replace(p, function=name, parts={}) for p in shape.parameters}
        names = {
            own: copies.get(known, known) if isinstance(known, Object) else known
            for own, known in shape.scope.names.items()
        }
        result = None if shape.result is None else replace(shape.result, function=name, parts={})
        scope = BlockScope(names, dict(shape.scope.tags))
        unit.signatures[name] = Shape(shape.type, tuple(copies.values()), result, scope)
        made = unit.definitions[name] = FunctionName(
            name, symbol.type, symbol.position, symbol.definition, None, symbol.unit_file
        )
        return made

    # ---- how often ------------------------------------------------------------------------------------------

    def is_called_once(self, name: str) -> bool:
        """Whether an execution calls a function at most once, by the text: from the entry on, nothing is repeated."""
        known = self._once.get(name)
        if known is None:
            known = self._once[name] = self._is_called_once(name)
        return known

    def _is_called_once(self, name: str) -> bool:
        if name in self._unit.cycles:
            return False
        if name == self._entry:
            return name not in self._unit.named_as_values and name not in self._callers
        if name not in self._named_once or name not in self._callers:
            return False
        caller, call = self._callers[name]
        return caller not in self._prototypes and self.is_called_once(caller) and not self._repeats(call, caller)

    def _repeats(self, call: Node, caller: str) -> bool:
        """Whether a call may be executed more than once by one call of the function that it stands in."""
        definition = self._unit.definitions[caller].definition
        known = self._repeated.get(id(definition))
        if known is None:
            nodes = self._unit.nodes(definition)
            inside = (part for node in nodes if isinstance(node, _LOOPS) for part in walk(node))
            calls = {id(part) for part in inside if isinstance(part, c.FuncCall)}
            known = self._repeated[id(definition)] = any(isinstance(node, c.Label) for node in nodes), calls
        jumps, repeated = known
        return jumps or id(call) in repeated


def _changed(nodes: Sequence[Node]) -> Iterator[str]:
    """The names that are assigned, by assembler code too, or whose address is taken."""
    for node in nodes:
        target = None
        if isinstance(node, c.FuncCall) and isinstance(node.name, c.ID) and node.name.name in _ASSEMBLERS:
            yield from (part.name for part in walk(node) if isinstance(part, c.ID))
        if isinstance(node, c.Assignment):
            target = node.lvalue
        elif isinstance(node, c.UnaryOp) and node.op in ("++", "--", "p++", "p--", "&"):
            target = node.expr
        while isinstance(target, c.StructRef | c.ArrayRef | c.Cast):
            target = target.name if not isinstance(target, c.Cast) else target.expr
        if isinstance(target, c.ID):
            yield target.name
