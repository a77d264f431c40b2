"""Where C leaves the order of evaluation open and it may matter: one line of the ledger each (C11 6.5, 2 and 3).

Operands of most operators, arguments and the items of initialisers are evaluated in any order; the model evaluates them
left to right. That matters where one operand changes what another one reads or changes, or ends an execution in which
another one fails. The footprint of an expression over-approximates what it touches, by the text: objects by their
names, and ``memory`` for whatever is reached through pointers. Functions count with all that they call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import combinations

from pycparser import c_ast as c

from argosy.basics.records import dataclass, replace
from argosy.frontends.c.elaborate.effects import lengths
from argosy.frontends.c.library import ERRORS, LABEL, OFFSETS, ForeignReach, Role, reach_of, role
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import FunctionName, Object, Unit, position_of
from argosy.frontends.c.tokens import ASSEMBLED, ASSEMBLED_IN_MEMORY
from argosy.frontends.c.tree import children
from argosy.frontends.c.types import Array, StructureType
from argosy.models.order import weak_topological_order

_MEMORY = "*"  # what pointers lead to; no name of C
_ENDS, _FAILS = "end", "fail"


@dataclass(frozen=True, slots=True)
class Footprint:
    """``direct`` are those of the ``writes`` that no call makes, ``control`` is whether it may end or fail."""

    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    direct: frozenset[str] = frozenset()
    control: frozenset[str] = frozenset()


_NOTHING = Footprint()

# What has parts in no order, and what only reads if its parts do.
_UNORDERED = frozenset((c.BinaryOp, c.ArrayRef, c.Assignment, c.FuncCall, c.InitList))
_READING = frozenset((c.BinaryOp, c.ArrayRef, c.StructRef, c.TernaryOp))
_SIGNS = frozenset("-+!~*&")


def _union(parts: Iterable[Footprint]) -> Footprint:
    present = [part for part in parts if part is not _NOTHING]
    if len(present) < 2:
        return present[0] if present else _NOTHING
    return Footprint(
        frozenset().union(*(p.reads for p in present)),
        frozenset().union(*(p.writes for p in present)),
        frozenset().union(*(p.direct for p in present)),
        frozenset().union(*(p.control for p in present)),
    )


class Sequencing:
    """The functions with a body, and what each of them may touch."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._shared = frozenset(s.name for s in unit.scopes.globals() if isinstance(s, Object))
        self._linked = frozenset(s.name for s in unit.scopes.globals() if isinstance(s, Object) and s.linked)
        objects = (symbol for symbol in unit.scopes.globals() if isinstance(symbol, Object))
        reached = {
            symbol.name for symbol in objects if isinstance(symbol.type, Array | StructureType) or symbol.address_taken
        }
        self._reached: Set[str] = unit.addressed_names | reached
        self._functions: dict[str, Footprint] = dict.fromkeys(unit.definitions, _NOTHING)
        self._bodies: dict[str, _Body] = {}
        self._is_solved = False

    def solve(self) -> None:
        """What calls touch grows until nothing changes; what a function calls is looked at before it."""
        if self._is_solved:
            return
        self._is_solved = True
        callers: dict[str, list[str]] = {name: [] for name in self._functions}
        for name, symbol in self._unit.definitions.items():
            nodes = self._unit.nodes(symbol.definition)
            named = {node.name for node in nodes if isinstance(node, c.ID)}
            called = named & self._functions.keys()
            if any(isinstance(node, c.FuncCall) and not self._is_direct(node) for node in nodes):
                called |= self._functions.keys() & set(self._unit.callable_by_pointer)
            for callee in sorted(called):
                callers[callee].append(name)
        order = weak_topological_order("", lambda at: callers[at] if at else list(callers))[0]
        work = [name for name in order if name]
        waiting = set(work)
        while waiting:
            for name in work:
                if name in waiting:
                    waiting.discard(name)
                    found = self._body(name).outside()
                    if found != self._functions[name]:
                        self._functions[name] = found
                        waiting.update(callers[name])

    def _body(self, name: str) -> _Body:
        known = self._bodies.get(name)
        if known is None:
            definition = self._unit.definitions[name].definition
            known = self._bodies[name] = _Body(self, definition, self._unit.nodes(definition))
        return known

    def _is_direct(self, node: Node) -> bool:
        return isinstance(node.name, c.ID) and self.is_function(node.name.name)

    def note(self, names: Iterable[str]) -> None:
        """Write to the ledger where the order matters in some functions."""
        lines: dict[tuple[str, int], tuple[str, str]] = {}
        for name in names:
            for node, what in self._body(name).conflicts():
                position = position_of(node)
                explored = id(node) in self._unit.explored_orders
                how = "in each order, one as a whole after the other" if explored else "left to right"
                if not explored or (position.file, position.line) not in lines:
                    lines[position.file, position.line] = what, how
        for (_, line), (what, how) in sorted(lines.items()):
            self._unit.note(f"operands at line {line} {what}: evaluated {how}")

    def open_orders(self) -> frozenset[int]:
        """The nodes whose parts have effects that meet."""
        return frozenset(id(node) for name in self._functions for node, _ in self._body(name).conflicts())

    def called(self, name: str) -> Footprint:
        known = self._functions.get(name)
        if known is not None:
            return known
        if name in ERRORS:
            return Footprint(control=frozenset((_FAILS,)))
        match role(name):
            case Role.ASSERT | Role.FAILED_ASSERT:
                return Footprint(control=frozenset((_FAILS,)))
            case Role.ASSUME | Role.END:
                return Footprint(control=frozenset((_ENDS,)))
            case Role.UNMODELLED | Role.INPUT:
                return Footprint(frozenset((_MEMORY,)), frozenset((_MEMORY,)))
            case Role.EXTERNAL if reach_of(self._unit.reach, name) is not ForeignReach.PURE:
                shared = self._linked if self._unit.reach is ForeignReach.REACHABLE else frozenset[str]()
                return Footprint(shared | {_MEMORY}, shared | {_MEMORY})
        return _NOTHING

    def by_pointer(self) -> Footprint:
        return _union(self.called(name) for name in self._unit.callable_by_pointer)

    def is_defined(self, name: str) -> bool:
        return name in self._functions

    def is_function(self, name: str) -> bool:
        return isinstance(self._unit.scopes.find_global(name), FunctionName)

    def outlives(self, name: str) -> bool:
        return name in self._shared or name == _MEMORY

    def is_shared_array(self, name: str) -> bool:
        symbol = self._unit.scopes.find_global(name)
        return isinstance(symbol, Object) and isinstance(symbol.type, Array)

    def common(self, a: Footprint, b: Footprint) -> Set[str]:
        """What one of two changes and the other touches; memory stands for all whose address is taken."""
        found = (a.writes & (b.reads | b.writes)) | (b.writes & (a.reads | a.writes))
        for one, other in ((a, b), (b, a)):
            if _MEMORY in one.writes:
                found |= (other.reads | other.writes) & self._reached
            found |= one.writes & self._reached if _MEMORY in other.reads | other.writes else frozenset()
        return found


class _Body:
    """One function: its names, and the footprints of its expressions."""

    def __init__(self, functions: Sequencing, definition: Node, nodes: Sequence[Node]) -> None:
        self._functions = functions
        self._definition = definition
        self._nodes = nodes
        self._known: dict[int, Footprint] = {}
        self._reading: dict[int, bool] = {}
        declared = [node for node in nodes if isinstance(node, c.Decl) and node.name is not None]
        static = {node.name for node in declared if "static" in node.storage or "extern" in node.storage}
        self._own = {node.name for node in declared} - static
        self._arrays = {node.name for node in declared if isinstance(node.type, c.ArrayDecl)}
        parameters = definition.decl.type.args
        for parameter in parameters.params if parameters is not None else ():
            self._arrays.discard(getattr(parameter, "name", None))

    def outside(self) -> Footprint:
        """What a call of the function touches that the caller knows, by what is known of its own calls."""
        self._known.clear()
        found = self.of(self._definition.body)
        # A name that is declared in an inner block only may be that of a global object elsewhere in the function.
        outer = {node.name for node in self._definition.body.block_items or () if isinstance(node, c.Decl)}
        parameters = self._definition.decl.type.args
        outer |= {getattr(p, "name", None) for p in (parameters.params if parameters is not None else ())}
        hidden = outer & self._own

        def kept(names: frozenset[str]) -> frozenset[str]:
            return frozenset(name for name in names if self._functions.outlives(name) and name not in hidden)

        return Footprint(kept(found.reads), kept(found.writes), frozenset(), found.control)

    # ---- footprints ---------------------------------------------------------------------------------------

    def of(self, node: Node) -> Footprint:
        known = self._known.get(id(node))
        if known is None:
            known = self._known[id(node)] = self._compute(node)
        return known

    def _below(self, node: Node) -> Footprint:
        return _union(self.of(child) for child in children(node))

    def _compute(self, node: Node) -> Footprint:
        match node:
            case c.ID():
                return _NOTHING if self._functions.is_function(node.name) else Footprint(frozenset((node.name,)))
            case c.Typename():
                return _union(self.of(length) for length in lengths(node))
            case c.UnaryOp(op="sizeof", expr=c.Typename()):
                return self.of(node.expr)
            case c.Constant() | c.UnaryOp(op="sizeof" | "_Alignof" | "__alignof__" | "__alignof"):
                return _NOTHING
            case c.UnaryOp(op="&"):
                return self._way(node.expr)
            case c.UnaryOp(op="++" | "--" | "p++" | "p--"):
                return _union((self._way(node.expr), self._accessed(node.expr, True, True)))
            case c.Assignment():
                accessed = self._accessed(node.lvalue, node.op != "=", True)
                return _union((self._way(node.lvalue), accessed, self.of(node.rvalue)))
            case c.UnaryOp(op="*") | c.ArrayRef() | c.StructRef():
                return _union((self._way(node), self._accessed(node, True, False)))
            case c.FuncCall():
                return self._call(node)
            case c.Label() if node.name == LABEL:
                return _union((self._below(node), Footprint(control=frozenset((_FAILS,)))))
            case c.Decl():
                written = frozenset((node.name,)) if node.init is not None else frozenset[str]()
                return _union((self._below(node), Footprint(writes=written, direct=written)))
        return self._below(node)

    def _way(self, lvalue: Node) -> Footprint:
        """What is touched to find out what an lvalue designates."""
        match lvalue:
            case c.ID():
                return _NOTHING
            case c.UnaryOp(op="*"):
                return self.of(lvalue.expr)
            case c.ArrayRef():
                base = self._way(lvalue.name) if self._is_array(lvalue.name) else self.of(lvalue.name)
                return _union((base, self.of(lvalue.subscript)))
            case c.StructRef():
                return self.of(lvalue.name) if lvalue.type == "->" else self._way(lvalue.name)
        return self.of(lvalue)

    def _is_array(self, node: Node) -> bool:
        """Whether what an index goes into is certainly an array, not a pointer."""
        while isinstance(node, c.ArrayRef):
            node = node.name
        if not isinstance(node, c.ID):
            return False
        if node.name in self._own:
            return node.name in self._arrays
        return self._functions.is_shared_array(node.name)

    def _accessed(self, lvalue: Node, reads: bool, writes: bool) -> Footprint:
        """The object that an lvalue is a part of; behind the index into a member it may be another one."""
        names = self._objects(lvalue)
        none = frozenset[str]()
        return Footprint(names if reads else none, names if writes else none, names if writes else none)

    def _objects(self, lvalue: Node) -> frozenset[str]:
        match lvalue:
            case c.ID():
                return frozenset((lvalue.name,))
            case c.StructRef(type="."):
                return self._objects(lvalue.name)
            case c.ArrayRef() if self._is_array(lvalue.name):
                return self._objects(lvalue.name)
            case c.ArrayRef(name=c.StructRef(type=".")):
                return self._objects(lvalue.name) | {_MEMORY}
        return frozenset((_MEMORY,))

    def _call(self, node: Node) -> Footprint:
        if isinstance(node.name, c.ID) and node.name.name in OFFSETS:
            return _NOTHING
        arguments = node.args.exprs if node.args is not None else []
        name = node.name
        while isinstance(name, c.UnaryOp) and name.op in "*&":
            name = name.expr
        direct = isinstance(name, c.ID) and name.name not in self._own and not self._functions.outlives(name.name)
        called = self._functions.called(name.name) if direct else self._functions.by_pointer()
        given = frozenset[str]()
        if direct and not self._functions.is_defined(name.name):
            given = frozenset(filter(None, map(_given, arguments)))
        parts = [self.of(argument) for argument in arguments]
        if direct and name.name in (ASSEMBLED, ASSEMBLED_IN_MEMORY):
            parts.extend(self._accessed(argument, True, True) for argument in arguments[1:])
        if not direct:
            parts.append(self.of(node.name))
        # What the arguments change is changed before the call, and so before what is done with its result.
        return replace(_union((*parts, called, Footprint(writes=given))), direct=frozenset())

    # ---- conflicts ----------------------------------------------------------------------------------------

    def conflicts(self) -> Iterator[tuple[Node, str]]:
        suspects = [node for node in self._nodes if type(node) in _UNORDERED and not self._only_reads(node)]
        if suspects:
            self._functions.solve()
        self._known.clear()
        for node in suspects:
            for a, b in self._unordered(node):
                what = self._conflict(a, b)
                if what:
                    yield node, what
                    break

    def _only_reads(self, node: Node) -> bool:
        """Whether it can be seen at once that no part changes what another one touches, ends or fails."""
        if type(node) is c.Assignment:
            called = type(node.rvalue) is c.FuncCall and type(node.lvalue) is c.ID and node.op == "="
            return called or self._changes_nothing((node.lvalue, node.rvalue))
        if type(node) is c.FuncCall:
            return self._changes_nothing((node.name, *(node.args.exprs if node.args is not None else ())))
        return self._changes_nothing(children(node))

    def _changes_nothing(self, nodes: Sequence[Node]) -> bool:
        for node in nodes:
            kind = type(node)
            if kind is not c.ID and kind is not c.Constant:
                known = self._reading.get(id(node))
                if known is None:
                    plain = kind in _READING or (kind is c.UnaryOp and node.op in _SIGNS)
                    known = self._reading[id(node)] = plain and self._changes_nothing(children(node))
                if not known:
                    return False
        return True

    def _conflict(self, a: Footprint, b: Footprint) -> str:
        common = self._functions.common(a, b)
        names = sorted(common - {_MEMORY})
        both = a.writes & b.writes
        if names:
            how = "change" if both & common else "read and change"
            return f"{how} the same object ({', '.join(names)})"
        if common:
            return "may change the same object through pointers"
        control = (a.control, b.control)
        if any(_ENDS in one and _FAILS in other for one, other in (control, control[::-1])):
            return "may end the execution or fail"
        return ""

    def _unordered(self, node: Node) -> Iterator[tuple[Footprint, Footprint]]:
        """Footprints of parts that are evaluated in any order."""
        match node:
            case c.BinaryOp() if node.op not in ("&&", "||"):
                yield self.of(node.left), self.of(node.right)
            case c.ArrayRef():
                yield self._way(node.name) if self._is_array(node.name) else self.of(node.name), self.of(node.subscript)
            case c.Assignment():
                right = self.of(node.rvalue)
                read = self._accessed(node.lvalue, node.op != "=", False)
                yield _union((self._way(node.lvalue), read)), right
                yield self._accessed(node.lvalue, False, True), Footprint(writes=right.direct)
            case c.FuncCall():
                arguments: Sequence[Node] = node.args.exprs if node.args is not None else ()
                yield from combinations([self.of(part) for part in (node.name, *arguments)], 2)
            case c.InitList():
                yield from combinations([self.of(part) for part in node.exprs or ()], 2)


def _given(argument: Node) -> str:
    """The name of the object whose address an argument is."""
    while isinstance(argument, c.Cast):
        argument = argument.expr
    if not (isinstance(argument, c.UnaryOp) and argument.op == "&"):
        return ""
    lvalue = argument.expr
    while isinstance(lvalue, c.StructRef | c.ArrayRef):
        lvalue = lvalue.name
    return lvalue.name if isinstance(lvalue, c.ID) else ""
