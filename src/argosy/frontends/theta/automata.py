"""Theta's control-flow automata (``.cfa``, and ``.theta`` as PLCverif writes them).

    main process p { var x : int  init loc A  error loc E  A -> E { x := 0  assume x > 0  havoc x } }

The statements of an edge are executed in order. The error location of the main process must not be reached. Nothing in
the language calls another process: those that are not main are read and never executed.

Law: the automaton has exactly the executions of the main process, for any values of its variables at the beginning.
"""

from __future__ import annotations

from collections.abc import Mapping

from argosy.basics.records import dataclass, field
from argosy.frontends.theta.dialects import AUTOMATA
from argosy.frontends.theta.expressions import ThetaParser
from argosy.frontends.theta.graph import ThetaGraph
from argosy.frontends.theta.lexer import ThetaText, ThetaToken
from argosy.frontends.theta.types import ThetaType, Typed
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Assign, Assume, Havoc, Location, Operation
from argosy.models.program import Program


@dataclass(frozen=True, slots=True)
class _Statement:
    operation: Operation
    offset: int
    text: str


@dataclass(frozen=True, slots=True)
class _Edge:
    source: ThetaToken
    target: ThetaToken
    statements: tuple[_Statement, ...]


@dataclass
class _Process:
    name: ThetaToken
    main: bool
    variables: dict[str, tuple[Term, ThetaType]] = field(default_factory=dict)
    locations: dict[str, Location] = field(default_factory=dict)
    special: dict[str, ThetaToken] = field(default_factory=dict)
    edges: list[_Edge] = field(default_factory=list)


def read_automaton(path: str, content: str, terms: Terms) -> Program:
    return _Reader(ThetaText(path, content), terms).program()


class _Reader:
    def __init__(self, text: ThetaText, terms: Terms) -> None:
        self._text = text
        self._parser = ThetaParser(text, terms, AUTOMATA)
        self._graph = ThetaGraph(self._parser.operations)
        self._terms = terms
        self._globals: dict[str, tuple[Term, ThetaType]] = {}
        self._process: _Process | None = None

    def program(self) -> Program:
        parser = self._parser
        if parser.token.kind == "(":
            raise self._text.unsupported(parser.token.offset, "the syntax of Theta's automata with parentheses (Lisp)")
        self._declare_globals()
        processes: dict[str, _Process] = {}
        while parser.token.kind != "end":
            if parser.token.kind == "var":
                self._skip_variable()
                continue
            process = self._read_process()
            if process.name.text in processes:
                raise self._text.error(process.name.offset, f"there are two processes {process.name.text}")
            processes[process.name.text] = process
        mains = [process for process in processes.values() if process.main]
        if len(mains) != 1:
            offset = mains[1].name.offset if mains else len(self._text.text)
            raise self._text.error(offset, "there is more than one main process" if mains else "no main process")
        return self._program(mains[0], [name for name, process in processes.items() if not process.main])

    # ---- declarations -------------------------------------------------------------------------------------

    def _declare_globals(self) -> None:
        """Variables may be declared after the processes that use them: they are read first."""
        parser, depth = self._parser, 0
        while parser.token.kind != "end":
            if parser.token.kind == "var" and depth == 0:
                self._declare(self._globals, "")
                continue
            depth += {"{": 1, "}": -1}.get(parser.take().kind, 0)
        parser.at = 0

    def _skip_variable(self) -> None:
        parser = self._parser
        parser.expect("var")
        parser.name("the name of a variable")
        parser.expect(":")
        parser.type()

    def _declare(self, among: dict[str, tuple[Term, ThetaType]], scope: str) -> None:
        self._parser.expect("var")
        self._declaration(among, scope)

    def _declaration(self, among: dict[str, tuple[Term, ThetaType]], scope: str) -> None:
        parser = self._parser
        name = parser.name("the name of a variable")
        parser.expect(":")
        type_ = parser.type()
        if name.text in among:
            raise self._text.error(name.offset, f"{name.text} is declared twice")
        among[name.text] = self._graph.declare(name.text, type_, name.offset, scope), type_

    def _read_process(self) -> _Process:
        parser = self._parser
        main = parser.accept("main") is not None
        parser.expect("process", "a process or a variable")
        process = self._process = _Process(parser.name("the name of a process"), main)
        parser.resolve = self._resolve
        scope = process.name.text
        if parser.accept("("):
            while parser.token.kind != ")":
                self._declaration(process.variables, scope)
                if parser.accept(",") is None:
                    break
            parser.expect(")")
        start = parser.expect("{").offset
        body = parser.at
        # Variables and locations may be declared after the edges that use them.
        self._declarations(process)
        parser.at = body
        while parser.accept("}") is None:
            self._part(process)
        if "init" not in process.special:
            raise self._text.error(start, f"the process {scope} has no initial location: init loc NAME")
        self._process = None
        return process

    def _declarations(self, process: _Process) -> None:
        parser, depth = self._parser, 0
        while parser.token.kind != "end" and not (depth == 0 and parser.token.kind == "}"):
            if parser.token.kind == "var" and depth == 0:
                self._declare(process.variables, process.name.text)
            elif parser.token.kind in ("init", "final", "error", "loc") and depth == 0:
                self._location(process)
            else:
                depth += {"{": 1, "}": -1}.get(parser.take().kind, 0)

    def _location(self, process: _Process) -> None:
        parser = self._parser
        special = parser.take() if parser.token.kind != "loc" else None
        parser.expect("loc")
        name = parser.name("the name of a location")
        if name.text in process.locations:
            raise self._text.error(name.offset, f"there are two locations {name.text}")
        process.locations[name.text] = self._graph.location(name.offset, name.text, process.name.text)
        if special is not None:
            if special.kind in process.special:
                raise self._text.error(special.offset, f"there is more than one {special.kind} location")
            process.special[special.kind] = name

    def _part(self, process: _Process) -> None:
        """What ``_declarations`` read already is passed over."""
        parser = self._parser
        if parser.token.kind == "var":
            self._skip_variable()
        elif parser.token.kind in ("init", "final", "error", "loc"):
            if parser.take().kind != "loc":
                parser.expect("loc")
            parser.take()
        else:
            process.edges.append(self._edge(process))

    # ---- edges --------------------------------------------------------------------------------------------

    def _edge(self, process: _Process) -> _Edge:
        parser = self._parser
        source = self._known(process, parser.name("a location, a variable or an edge"))
        parser.expect("->")
        target = self._known(process, parser.name("the target of the edge"))
        statements: list[_Statement] = []
        if parser.accept("{"):
            while parser.accept("}") is None:
                statements.append(self._statement())
                parser.accept(";")
        return _Edge(source, target, tuple(statements))

    def _known(self, process: _Process, name: ThetaToken) -> ThetaToken:
        if name.text not in process.locations:
            raise self._text.error(name.offset, f"there is no location {name.text}")
        return name

    def _statement(self) -> _Statement:
        parser = self._parser
        start = parser.token
        if parser.accept("assume"):
            condition = parser.operations.truth(parser.truth())
            return _Statement(Assume(condition), start.offset, parser.shown(start.offset))
        if parser.accept("havoc"):
            variable, _ = self._variable(parser.name("the name of a variable"))
            return _Statement(Havoc(variable), start.offset, parser.shown(start.offset))
        if parser.token.kind == "return":
            raise self._text.unsupported(start.offset, "the statement return")
        variable, type_ = self._variable(parser.name("a statement"))
        parser.expect(":=")
        value = parser.operations.as_type(parser.expression(), type_)
        return _Statement(Assign(variable, value), start.offset, parser.shown(start.offset))

    def _variable(self, name: ThetaToken) -> tuple[Term, ThetaType]:
        own: Mapping[str, tuple[Term, ThetaType]] = self._process.variables if self._process is not None else {}
        found = own.get(name.text) or self._globals.get(name.text)
        if found is None:
            raise self._text.error(name.offset, f"{name.text} is not declared")
        return found

    def _resolve(self, name: ThetaToken) -> Typed:
        term, type_ = self._variable(name)
        return Typed(term, type_, name.offset)

    # ---- the automaton ------------------------------------------------------------------------------------

    def _program(self, process: _Process, others: list[str]) -> Program:
        graph = self._graph
        for edge in process.edges:
            at = process.locations[edge.source.text]
            target = process.locations[edge.target.text]
            for statement in edge.statements[:-1]:
                at = graph.step(at, statement.operation, statement.offset, statement.text)
            if edge.statements:
                last = edge.statements[-1]
                graph.edge(at, target, last.operation, last.offset, last.text)
            else:
                graph.skip(at, target, edge.source.offset)
        initial = process.locations[process.special["init"].text]
        marked = process.special.get("error")
        notes = [f"the process {name} is not main: it is never executed" for name in others]
        if marked is None:
            # Nothing enters it: the problem says that there is nothing to check.
            error = graph.location(process.name.offset, "error", process.name.text)
        else:
            error = process.locations[marked.text]
        return graph.program(initial, error, notes)
