"""A translation unit: the file level is read at once, the bodies of functions when somebody asks for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Set

from pycparser import c_ast as c

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.frontends.c.elaborate.bodies import FunctionBody
from argosy.frontends.c.elaborate.calls import Shape, shape_of
from argosy.frontends.c.elaborate.code import Code
from argosy.frontends.c.elaborate.declarations import take_addresses
from argosy.frontends.c.elaborate.effects import EffectTable
from argosy.frontends.c.elaborate.expressions import TypedExpressions
from argosy.frontends.c.elaborate.formatted import COUNT_STORED
from argosy.frontends.c.elaborate.shared import changes_shared, given_names
from argosy.frontends.c.library import LEAVE, LEAVING
from argosy.frontends.c.source import Node, Syntax
from argosy.frontends.c.symbols import FunctionName, Object, Unit, complain, position_of
from argosy.frontends.c.tokens import as_written
from argosy.frontends.c.tree import walk
from argosy.frontends.c.typed import InitialPart, TypedFunction
from argosy.frontends.c.types import Array, Function
from argosy.frontends.c.unsupported import Construct, error


class Elaboration:
    """The typed form of a program, function by function."""

    def __init__(self, syntax: Syntax, unit: Unit, entry: str) -> None:
        self.unit = unit
        self._effects = EffectTable(lambda node: changes_shared(unit, node), lambda node: given_names(unit, node))
        self._file_level = TypedExpressions(unit, Code(), "", self._effects)
        self._functions: dict[str, TypedFunction] = {}
        self._initial: dict[Object, list[InitialPart]] = {}
        unit.groups = syntax.groups
        _survey(syntax.tree, unit)
        self._read(syntax)
        if entry not in unit.definitions:
            raise InputError(Position(unit.path, 1, 1), f"no function {entry}")
        unit.callable_by_pointer = tuple(_functions(unit, unit.named_as_values))
        destructors = ordered(unit, unit.lexed.destructors)[::-1]
        unit.leaving = (*((LEAVE,) if LEAVE in unit.definitions else ()), *destructors)
        unit.cycles = _cycles(unit)
        for name in destructors:
            if name in unit.cycles:
                said = f"destructor {as_written(name)} that may end the program"
                raise error(unit.definitions[name].position, said, Construct.ATTRIBUTE)

    def function(self, name: str) -> TypedFunction:
        known = self._functions.get(name)
        if known is None:
            symbol = self.unit.definitions[name]
            with self.unit.scopes.inside(symbol.unit_file):
                known = self._functions[name] = FunctionBody(self.unit, self._effects, symbol).elaborate()
        return known

    def shape(self, name: str) -> Shape:
        made: Shape = self.unit.signatures[name]
        return made

    def initial(self, symbol: Object) -> list[InitialPart]:
        """What a global object or a string literal starts with, as far as its initialiser says."""
        known = self._initial.get(symbol)
        if known is None:
            with self.unit.scopes.inside(symbol.unit_file):
                known = [] if symbol.initialiser is None else self._file_level.initial(symbol, symbol.initialiser)
            self._initial[symbol] = known
        return known

    def _read(self, syntax: Syntax) -> None:
        declarations, unit = self._file_level.declarations, self.unit
        file_at = {start: file for file, start in enumerate(syntax.starts)}
        for number, node in enumerate(syntax.tree.ext):
            if number in file_at:
                unit.scopes.enter(file_at[number])
            if isinstance(node, c.Typedef):
                declarations.typedef(node)
            elif isinstance(node, c.Decl):
                declarations.declare(node, "")
            elif isinstance(node, c.StaticAssert):
                declarations.assertion(node)
            elif isinstance(node, c.FuncDef):
                self._define(node)
        for known in list(unit.scopes.globals()):
            if isinstance(known, Object):
                _complete(known)
                with unit.scopes.inside(known.unit_file):
                    take_addresses(unit, known.initialiser)
        self._refuse_symbols(syntax)
        self._take_literals()

    def _refuse_symbols(self, syntax: Syntax) -> None:
        """What assembler names make the same symbol as another function or object of the program."""
        unit = self.unit
        for name, (label, position) in unit.lexed.symbols.items():
            known = unit.scopes.find_global(label)
            defined = known is not None and (unit.is_defined(label) or unit.is_defined(name))
            if label != name and defined and (not self._is_inline_only(label) or self._named(syntax, label, name)):
                raise error(position, f"{as_written(name)}, of which the symbol is {label}", Construct.ASSEMBLER)

    def _is_inline_only(self, name: str) -> bool:
        """Whether what has this name is there to be put into its callers only."""
        known = self.unit.definitions.get(name)
        return known is not None and self._gives_way(known.definition)

    def _named(self, syntax: Syntax, label: str, name: str) -> bool:
        """Whether one of both is named outside of the function ``label``. As long as headers only define it (glibc's
        ``error``), nothing depends on whose symbol it is, about which compilers disagree."""
        others = (n for n in syntax.tree.ext if not isinstance(n, c.FuncDef) or n.decl.name != label)
        return any(isinstance(node, c.ID) and node.name in (label, name) for part in others for node in walk(part))

    def _take_literals(self) -> None:
        """Compound literals outside of functions are objects as others are, and so are those inside of them."""
        work = [each for each in self.unit.scopes.globals() if isinstance(each, Object)]
        while work:
            known = set(self.unit.scopes.globals())
            for symbol in work:
                given = symbol.initialiser
                if given is not None and any(isinstance(node, c.CompoundLiteral) for node in walk(given)):
                    self.initial(symbol)
            new = [each for each in self.unit.scopes.globals() if each not in known]
            work = [each for each in new if isinstance(each, Object)]

    def _define(self, node: Node) -> None:
        declarations, unit, name = self._file_level.declarations, self.unit, node.decl.name
        if name in unit.definitions and not self._gives_way(unit.definitions[name].definition):
            first = unit.definitions[name].position
            raise complain(node.decl, f"{as_written(name)} is defined twice, the first time at {first}")
        type_ = declarations.type(node.decl.type)
        declarations.with_mode(node.decl, type_)
        declarations.check_linked(node.decl, type_)
        if not isinstance(node.decl.type, c.FuncDecl) or not isinstance(type_, Function):
            raise complain(node.decl, f"{name} has a body and is no function")
        symbol = declarations.function(name, type_, position_of(node.decl))
        symbol.type, symbol.definition = type_, node
        symbol.position = position_of(node.decl)
        unit.definitions[name] = symbol
        symbol.unit_file = unit.scopes.file
        shape_of(unit, symbol, self._file_level)

    def _gives_way(self, definition: Node) -> bool:
        """Whether a definition is there to be put into its callers only, beside another one of the same file: extern
        and inline, as GNU C before C99 has it."""
        declaration, lexed = definition.decl, self.unit.lexed
        only = "extern" in (declaration.storage or ()) and "inline" in (declaration.funcspec or ())
        return only and (lexed.old_inline or declaration.name in lexed.gnu_inline)


def _complete(symbol: Object) -> None:
    """``int a[];`` defines one element where nothing says more (6.9.2, 2)."""
    if symbol.defined and symbol.initialiser is None and isinstance(symbol.type, Array) and symbol.type.length is None:
        symbol.type = Array(symbol.type.element, 1)


def ordered(unit: Unit, numbers: Mapping[str, int]) -> list[str]:
    """The functions with a body that attributes give numbers, in the order of those and of the text."""
    return sorted((name for name in unit.definitions if name in numbers), key=lambda name: numbers[name])


def _survey(tree: Node, unit: Unit) -> None:
    """What must be known before anything is read: whose address is taken somewhere."""
    addressed: set[str] = set()
    named: Counter[str] = Counter()
    for node in (n for part in tree.ext for n in (unit.nodes(part) if isinstance(part, c.FuncDef) else walk(part))):
        if isinstance(node, c.ID):
            named[node.name] += 1
        elif isinstance(node, c.UnaryOp) and node.op == "&":
            addressed.add(_root(node.expr))
        elif isinstance(node, c.FuncCall) and isinstance(node.name, c.ID):
            named[node.name.name] -= 1
        elif isinstance(node, c.Constant) and node.value.endswith('"') and COUNT_STORED.search(node.value):
            unit.stores_counts = True
    unit.addressed_names = frozenset(addressed)
    unit.named_as_values = frozenset(name for name, count in named.items() if count > 0)


def _root(lvalue: Node) -> str:
    """The name of the variable that an lvalue is a part of, if it has one."""
    while isinstance(lvalue, c.StructRef | c.ArrayRef):
        lvalue = lvalue.name
    return lvalue.name if isinstance(lvalue, c.ID) else ""


def _functions(unit: Unit, names: Set[str]) -> Iterator[str]:
    """Those names of functions among some, first those of functions with a body."""
    yield from (name for name in unit.definitions if name in names)
    symbols = (symbol for symbol in unit.scopes.globals() if isinstance(symbol, FunctionName))
    yield from (symbol.name for symbol in symbols if symbol.name in names and symbol.name not in unit.definitions)


def _cycles(unit: Unit) -> dict[str, frozenset[str]]:
    """For each function that may call itself, by the names in its text, the functions on the way."""
    names = {}
    for name, symbol in unit.definitions.items():
        nodes = unit.nodes(symbol.definition)
        names[name] = {node.name for node in nodes if isinstance(node, c.ID)}
        if any(isinstance(node, c.FuncCall) and _calls_by_pointer(unit, node) for node in nodes):
            names[name].update(unit.callable_by_pointer)
        if not names[name].isdisjoint(LEAVING):
            names[name].update(unit.leaving)
        names[name] &= unit.definitions.keys()
    reached: dict[str, set[str]] = {}
    for name, own in names.items():
        found = reached[name] = set(own)
        work = list(own)
        while work:
            new = names[work.pop()] - found
            found |= new
            work.extend(new)
    return {
        name: frozenset(other for other in found if name in reached[other])
        for name, found in reached.items()
        if name in found
    }


def _calls_by_pointer(unit: Unit, node: Node) -> bool:
    return not isinstance(node.name, c.ID) or not isinstance(unit.scopes.find_global(node.name.name), FunctionName)
