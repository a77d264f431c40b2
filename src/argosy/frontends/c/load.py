"""A C program becomes a control-flow automaton: the order of the passes over it.

The file level is read first (types, functions, globals), then the functions that the entry function calls, directly
or not, then the initialisers of the globals that those use. The parser and the readers recurse with the nesting of
the text; they run on a stack of their own, and what is nested beyond it is refused.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from concurrent.futures import ThreadPoolExecutor

from pycparser import c_ast as c

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.frontends.c.calls import changes_shared, given_names, signature
from argosy.frontends.c.declarations import take_addresses
from argosy.frontends.c.effects import EffectTable, walk
from argosy.frontends.c.expressions import Expressions
from argosy.frontends.c.graph import EXIT, Call, FlowGraph, Template, finish
from argosy.frontends.c.inline import DEEPEST, START, inline
from argosy.frontends.c.library import ERRORS, LABEL, ForeignReach
from argosy.frontends.c.places import FIXED_UNKNOWN
from argosy.frontends.c.pointers import Pointers
from argosy.frontends.c.points_to import PointsTo
from argosy.frontends.c.sequencing import Sequencing
from argosy.frontends.c.source import Node, Syntax, parse
from argosy.frontends.c.statements import Body
from argosy.frontends.c.symbols import FunctionName, Object, Unit, complain, position_of
from argosy.frontends.c.types import Function, Integer, data_model
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import variables
from argosy.models.cfa import Assign, Assume, Havoc, Marked, read, written
from argosy.models.errors import with_errors
from argosy.models.kinds import Errors
from argosy.models.program import Program

_STACK = 512 << 20
_FRAMES = 60_000


def load(
    path: str,
    *,
    terms: Terms,
    errors: Errors | None = None,
    data_model: str = "ILP32",
    entry: str = "main",
    deepest: int = DEEPEST,
    text: str | None = None,
    undefined_functions: ForeignReach = ForeignReach.PURE,
    volatile: str = "arbitrary",
) -> Program:
    """Read a C program, with at most ``deepest`` calls of one function active (a number of ``inline.DEPTHS``), from a
    file or from a ``text`` that ``path`` names. Without ``errors`` the program chooses them (``chosen``);
    ``undefined_functions`` says what those may change that no table knows. What is ``volatile`` has an ``arbitrary``
    value at each read, or is a ``plain`` object. Raises InputError for a text that is no program, UnsupportedError for
    one that is refused."""
    frames, stack = sys.getrecursionlimit(), threading.stack_size(_STACK)
    try:
        sys.setrecursionlimit(max(frames, _FRAMES))
        with ThreadPoolExecutor(1, "c front end") as executor:
            reading = executor.submit(
                _load, path, text, terms, errors, data_model, entry, deepest, undefined_functions, volatile
            )
            return reading.result()
    except RecursionError:
        raise InputError(Position(path, 1, 1), "the program is nested too deeply") from None
    finally:
        threading.stack_size(stack)
        sys.setrecursionlimit(frames)


def _load(
    path: str,
    text: str | None,
    terms: Terms,
    errors: Errors | None,
    model: str,
    entry: str,
    deepest: int,
    reach: ForeignReach,
    volatile: str,
) -> Program:
    syntax = parse(path, model, text)
    arbitrary = volatile != "plain"
    unit = Unit(path, terms, data_model(model), syntax.lexed, reach=reach, volatile_is_arbitrary=arbitrary)
    templates = _read(syntax, unit, entry)
    if unit.pointers_as_numbers and unit.takes_addresses:
        unit = Unit(
            path,
            terms,
            data_model(model),
            syntax.lexed,
            exact_casts=False,
            reach=reach,
            volatile_is_arbitrary=arbitrary,
        )
        templates = _read(syntax, unit, entry)
    marked, deeper = inline(unit, templates, deepest)
    selected = chosen(syntax.tree) if errors is None else errors
    return Program(
        with_errors(marked, selected),
        path,
        marked,
        selected,
        {**dict.fromkeys(syntax.notes, ""), **_of_attributes(syntax), **unit.ledger},
        frozenset(unit.external),
        deeper=deeper and deepest < DEEPEST,
    )


def _of_attributes(syntax: Syntax) -> dict[str, str]:
    return {f"{position}: {assumption}": "" for assumption, position in syntax.lexed.assumptions.items()}


def chosen(tree: Node) -> Errors:
    """What the text itself takes for its errors: entering a function that verifiers know, else a label, else failing
    assertions."""
    labelled = False
    for node in walk(tree):
        if isinstance(node, c.ID) and node.name in ERRORS:
            return Errors(calls=ERRORS)
        labelled = labelled or (isinstance(node, c.Label) and node.name == LABEL)
    return Errors(labels=frozenset((LABEL,))) if labelled else Errors(assertions=True)


def _read(syntax: Syntax, unit: Unit, entry: str) -> dict[str, Template]:
    effects = EffectTable(lambda node: changes_shared(unit, node), lambda node: given_names(unit, node))
    _survey(syntax.tree, unit)
    start = FlowGraph(unit.terms)
    file_level = Expressions(unit, start, "", effects)
    _read_file_level(syntax.tree, file_level)
    if entry not in unit.definitions:
        raise InputError(Position(unit.path, 1, 1), f"no function {entry}")
    unit.callable_by_pointer = tuple(_functions(unit, unit.named_as_values))
    unit.cycles = _cycles(unit)
    templates: dict[str, Template] = {}
    work = [entry]
    while work:
        name = work.pop()
        if name not in templates:
            template = templates[name] = Body(unit, effects, unit.definitions[name], name == entry).template()
            work.extend(s.action.function for s in template.steps if isinstance(s.action, Call))
    Sequencing(unit).note(templates)
    read = tuple(templates.values())
    pointers = Pointers(unit, lambda: PointsTo(unit, read, _initial(file_level, entry)))
    pointers.give_up(read)
    templates = {name: pointers.complete(template) for name, template in templates.items()}
    _start(file_level, entry, _mentioned(templates))
    templates[START] = finish(start, START, unit.definitions[entry].position)
    return templates


def _cycles(unit: Unit) -> dict[str, frozenset[str]]:
    """For each function that may call itself, by the names in its text, the functions on the way."""
    names = {}
    for name, symbol in unit.definitions.items():
        names[name] = {node.name for node in walk(symbol.definition) if isinstance(node, c.ID)}
        if any(_calls_by_pointer(unit, node) for node in walk(symbol.definition)):
            names[name].update(unit.callable_by_pointer)
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
    if not isinstance(node, c.FuncCall):
        return False
    return not isinstance(node.name, c.ID) or not isinstance(unit.scopes.find_global(node.name.name), FunctionName)


def _functions(unit: Unit, names: Set[str]) -> Iterator[str]:
    """Those names of functions among some, first those of functions with a body."""
    yield from (name for name in unit.definitions if name in names)
    symbols = (symbol for symbol in unit.scopes.globals() if isinstance(symbol, FunctionName))
    yield from (symbol.name for symbol in symbols if symbol.name in names and symbol.name not in unit.definitions)


def _survey(tree: Node, unit: Unit) -> None:
    """What must be known before anything is read: whose address is taken somewhere."""
    addressed: set[str] = set()
    named: Counter[str] = Counter()
    for node in walk(tree):
        if isinstance(node, c.ID):
            named[node.name] += 1
        elif isinstance(node, c.UnaryOp) and node.op == "&":
            addressed.add(_root(node.expr))
        elif isinstance(node, c.FuncCall) and isinstance(node.name, c.ID):
            named[node.name.name] -= 1
    unit.addressed_names = frozenset(addressed)
    unit.named_as_values = frozenset(name for name, count in named.items() if count > 0)


def _root(lvalue: Node) -> str:
    """The name of the variable that an lvalue is a part of, if it has one."""
    while isinstance(lvalue, c.StructRef | c.ArrayRef):
        lvalue = lvalue.name
    return lvalue.name if isinstance(lvalue, c.ID) else ""


def _read_file_level(tree: Node, expressions: Expressions) -> None:
    declarations, unit = expressions.declarations, expressions.unit
    for node in tree.ext:
        if isinstance(node, c.Typedef):
            declarations.typedef(node)
        elif isinstance(node, c.Decl):
            declarations.declare(node, "")
        elif isinstance(node, c.StaticAssert):
            declarations.assertion(node)
        elif isinstance(node, c.FuncDef):
            name = node.decl.name
            if name in unit.definitions:
                raise complain(node.decl, f"{name} is defined twice")
            type_ = declarations.type(node.decl.type)
            if not isinstance(node.decl.type, c.FuncDecl) or not isinstance(type_, Function):
                raise complain(node.decl, f"{name} has a body and is no function")
            symbol = declarations.function(name, type_, position_of(node.decl))
            symbol.type, symbol.definition = type_, node
            symbol.position = position_of(node.decl)
            unit.definitions[name] = symbol
            signature(unit, symbol, expressions)
    for known in list(unit.scopes.globals()):
        if isinstance(known, Object):
            take_addresses(unit, known.initialiser)


def _mentioned(templates: Mapping[str, Template]) -> set[Term]:
    """The variables that occur in code which control may reach."""
    found: set[Term] = set()
    for template in templates.values():
        for step in template.steps:
            if isinstance(step.action, Assume | Assign | Havoc):
                found.update(written(step.action), read(step.action))
            for check in step.checks:
                found.update(variables(check.condition))
    return found


def _initial(expressions: Expressions, entry: str) -> Iterator[tuple[Term, Term | None]]:
    """The variables that the program starts with, each with its value, None where that is arbitrary. Memory from
    ``malloc`` has no value yet: who follows a pointer that lies there leaves the language."""
    unit = expressions.unit
    for parameter in signature(unit, unit.definitions[entry], expressions).parameters:
        yield from ((term, None) for term in unit.all_parts(parameter))
    yield from ((term, value) for _, term, value, _ in unit.statics)
    for symbol in unit.scopes.globals():
        if not isinstance(symbol, Object) or not (symbol.address_taken or symbol.parts or _leads_on(unit, symbol)):
            continue
        if symbol.defined:
            _refuse_effects(expressions, symbol)
            yield from ((term, value) for term, value, _ in expressions.initial_values(symbol, symbol.initialiser))
        else:
            yield from ((term, None) for term in unit.all_parts(symbol))


def _leads_on(unit: Unit, symbol: Object) -> bool:
    """Whether functions without a body find addresses in an object that nothing here reads."""
    if unit.reach is not ForeignReach.REACHABLE or not symbol.linked or symbol.initialiser is None:
        return False
    named = (unit.scopes.find_global(n.name) for n in walk(symbol.initialiser) if isinstance(n, c.ID))
    return any(isinstance(each, Object | FunctionName) for each in named)


def _refuse_effects(expressions: Expressions, symbol: Object) -> None:
    if any(isinstance(part, c.CompoundLiteral) for part in (walk(symbol.initialiser) if symbol.initialiser else ())):
        return
    if symbol.initialiser is not None and expressions.effects.of(symbol.initialiser) is not None:
        raise complain(symbol.initialiser, f"the initialiser of {symbol.name} is not constant")


def _start(expressions: Expressions, entry: str, mentioned: Set[Term]) -> None:
    """Initial values, then the call of the entry function."""
    unit, graph = expressions.unit, expressions.graph
    objects = (symbol for symbol in unit.scopes.globals() if isinstance(symbol, Object))
    for symbol in (*objects, *unit.texts.values()):
        if not mentioned.isdisjoint(symbol.parts.values()):
            _initialise(expressions, symbol, mentioned)
    for symbol, term, value, text in unit.statics:
        if term in mentioned:
            graph.emit(Assign(term, value), symbol.position, text)
    _arguments(expressions, entry)
    symbol_of_entry = unit.definitions[entry]
    graph.mark(symbol_of_entry.position, f"{entry}()", (Marked.CALL, entry))
    graph.emit(Call(entry), symbol_of_entry.position, f"{entry}()")
    graph.jump(EXIT)


def _initialise(expressions: Expressions, symbol: Object, mentioned: Set[Term]) -> None:
    unit, graph = expressions.unit, expressions.graph
    if symbol.name == FIXED_UNKNOWN and symbol.initialiser is None:
        unit.note(f"{symbol.name} is one fixed unknown value")
        return
    if not symbol.defined:
        if unit.cells(symbol.type):
            unit.note(f"{symbol.position}: extern {symbol.name} is not defined here: arbitrary value")
        for term in unit.all_parts(symbol):
            if term in mentioned:
                name = unit.variables[term].name
                graph.emit(Havoc(term), symbol.position, f"{name} = ?", f"extern {name}")
        return
    _refuse_effects(expressions, symbol)
    for term, value, text in expressions.initial_values(symbol, symbol.initialiser):
        if term in mentioned:
            graph.emit(Assign(term, value), symbol.position, text)


def _arguments(expressions: Expressions, entry: str) -> None:
    """The entry function's parameters are arbitrary; their number is not negative (5.1.2.2.1)."""
    unit, terms = expressions.unit, expressions.terms
    symbol = unit.definitions[entry]
    parameters = signature(unit, symbol, expressions).parameters
    for parameter in parameters:
        unit.note(f"parameter {parameter.name} of {entry} is arbitrary")
    if entry == "main" and len(parameters) > 1:
        count = parameters[0]
        term = unit.part(count, 0, count.type)
        if term is not None and isinstance(count.type, Integer) and count.type.signed:
            condition = terms.bit("bvsle", terms.const(0, term.sort), term)
            expressions.graph.emit(Assume(condition), count.position, f"[0 <= {count.name}]")
