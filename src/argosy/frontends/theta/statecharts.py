"""Theta's extended symbolic transition systems (``.xsts``), in which Gamma writes statecharts: programs of one loop.

    type Mode : { ON, OFF }  var mode : Mode = OFF
    trans { assume mode == OFF; mode := ON; } or { mode := OFF; }  init { }  env { }

Executions begin with the values of the declarations, do ``init`` once, then ``env`` and ``trans`` in turns. A choice
takes a branch all of whose assumptions hold, the nested ones included; where there is none, the execution ends. The
property must hold in every state, which is before ``init`` and after each of the three, not within them.

Whether a variable is ``ctrl`` concerns Theta's product abstraction only. A local variable without a value is arbitrary
each time it is declared. The upper bound of a ``for`` is not included, both bounds are evaluated once before it.

Law: the automaton reaches its error iff a state in which the property does not hold is reachable.
"""

from __future__ import annotations

from collections.abc import Callable

from argosy.frontends.theta.dialects import STATECHARTS
from argosy.frontends.theta.expressions import ThetaParser
from argosy.frontends.theta.graph import ThetaGraph
from argosy.frontends.theta.lexer import ThetaText, ThetaToken
from argosy.frontends.theta.types import INTEGER, ThetaType, Typed, enumeration
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Assume, Location
from argosy.models.program import Program

# Loops with constant bounds are unrolled up to so many rounds, and so many in a whole model.
_ROUNDS, _ALL_ROUNDS = 64, 1000
_NESTING_LIMIT = 60

Declared = tuple[Term, ThetaType]


def read_statechart(
    path: str, content: str, terms: Terms, given: ThetaText | None, otherwise: Callable[[], ThetaText | None]
) -> tuple[Program, str, str]:
    """The program, the property as it is written, and the file where: ``given``, else at the end of the model,
    ``otherwise`` elsewhere."""
    return _Reader(ThetaText(path, content), terms).program(given, otherwise)


class _Reader:
    def __init__(self, text: ThetaText, terms: Terms) -> None:
        self._text = text
        self._terms = terms
        self._parser = ThetaParser(text, terms, STATECHARTS)
        self._parser.resolve = self._resolve
        self._operations = self._parser.operations
        self._graph = ThetaGraph(self._operations)
        self._literals: dict[str, list[ThetaType]] = {}
        self._scopes: list[dict[str, Declared]] = [{}]
        self._rounds = 0
        self._depth = 0

    # ---- the whole ----------------------------------------------------------------------------------------

    def program(self, given: ThetaText | None, otherwise: Callable[[], ThetaText | None]) -> tuple[Program, str, str]:
        parser, graph = self._parser, self._graph
        while parser.token.kind == "type":
            self._type()
        initial = at = graph.location(0, "declarations")
        while parser.token.kind in ("var", "ctrl"):
            at = self._variable(at)
        blocks: dict[str, tuple[ThetaToken, int]] = {}
        while parser.token.kind in ("trans", "init", "env"):
            block = parser.take()
            if block.kind in blocks:
                raise self._text.error(block.offset, f"there is a second {block.kind}")
            blocks[block.kind] = block, parser.at
            self._skip_block()
        missing = [kind for kind in ("trans", "init", "env") if kind not in blocks]
        if missing:
            raise parser.fail(f"{missing[0]} {{ ... }}")
        after = parser.at
        before, loop, turn = at, graph.location(0, "after trans"), graph.location(0, "after env")
        for kind, source, target in (("init", before, loop), ("env", loop, turn), ("trans", turn, loop)):
            block, parser.at = blocks[kind]
            graph.skip(self._alternatives(source, block), target, block.offset, f"end of {kind}")
        parser.at = after
        condition, shown, offset, where = self._property(given, otherwise)
        error = graph.location(0, "error")
        for source, moment in ((before, "before init"), (loop, "after init or trans"), (turn, "after env")):
            operation = Assume(self._terms.not_(condition))
            graph.violation(source, error, operation, where.position(offset), f"not ({shown}) {moment}")
        return graph.program(initial, error, (), cyclic=True), shown, where.file

    def _property(
        self, given: ThetaText | None, otherwise: Callable[[], ThetaText | None]
    ) -> tuple[Term, str, int, ThetaText]:
        """The condition, its text, and where it stands."""
        parser = self._parser
        if parser.token.kind not in ("prop", "end"):
            raise parser.fail("prop { ... } or the end of the file")
        inside = self._stated(parser) if parser.token.kind == "prop" else None
        if inside is not None and given is None:
            return inside
        stated = given or otherwise()
        if stated is None:
            what = "no property: give --property FILE.prop, or a .prop file beside the model"
            raise self._text.error(parser.token.offset, what)
        other = ThetaParser(stated, self._terms, STATECHARTS)
        other.resolve, other.named_types = self._resolver(stated), parser.named_types
        found = self._stated(other)
        self._operations.opaque.update(other.operations.opaque)
        return found

    def _stated(self, parser: ThetaParser) -> tuple[Term, str, int, ThetaText]:
        parser.expect("prop")
        parser.expect("{")
        start = parser.token.offset
        condition = parser.operations.truth(parser.truth())
        shown = parser.shown(start)
        parser.expect("}")
        if parser.token.kind != "end":
            raise parser.fail("the end of the file")
        return condition, shown, start, parser.text

    # ---- declarations -------------------------------------------------------------------------------------

    def _type(self) -> None:
        parser = self._parser
        parser.expect("type")
        name = parser.name("the name of a type")
        if name.text in parser.named_types:
            raise self._text.error(name.offset, f"there are two types {name.text}")
        parser.expect(":")
        parser.expect("{")
        literals = [parser.name("a literal").text]
        while parser.accept(","):
            literals.append(parser.name("a literal").text)
        parser.expect("}")
        if len(set(literals)) < len(literals):
            raise self._text.error(name.offset, f"the type {name.text} has a literal twice")
        declared = parser.named_types[name.text] = enumeration(name.text, tuple(literals))
        for literal in literals:
            self._literals.setdefault(literal, []).append(declared)

    def _variable(self, at: Location) -> Location:
        parser = self._parser
        parser.accept("ctrl")
        parser.expect("var")
        name = parser.name("the name of a variable")
        parser.expect(":")
        type_ = parser.type()
        value: Term | None = None
        if parser.accept("="):
            value = self._operations.as_type(parser.expression(), type_)
        variable = self._declare(name, type_)
        return self._initialised(at, name, variable, type_, value)

    def _declare(self, name: ThetaToken, type_: ThetaType, scope: str = "") -> Term:
        if name.text in self._literals:
            raise self._text.error(name.offset, f"{name.text} is a literal of {self._literals[name.text][0].name}")
        if any(name.text in declared for declared in self._scopes):
            raise self._text.error(name.offset, f"{name.text} is declared twice")
        variable = self._graph.declare(name.text, type_, name.offset, scope)
        self._scopes[-1][name.text] = variable, type_
        return variable

    def _initialised(
        self, at: Location, name: ThetaToken, variable: Term, type_: ThetaType, value: Term | None
    ) -> Location:
        shown = self._parser.shown(name.offset)
        if value is None:
            return self._graph.choose(at, variable, type_, name.offset, shown)
        return self._graph.assign(at, variable, value, name.offset, shown)

    def _resolver(self, text: ThetaText) -> Callable[[ThetaToken], Typed]:
        def resolve(name: ThetaToken) -> Typed:
            for declared in reversed(self._scopes):
                if name.text in declared:
                    return Typed(*declared[name.text], name.offset)
            types = self._literals.get(name.text, [])
            if len(types) > 1:
                return Typed(self._terms.true, types[0], name.offset, name.text, tuple(types))
            literal = name.text
            if not types:
                qualifier, _, literal = name.text.rpartition(".")
                types = [each for each in self._literals.get(literal, []) if each.name == qualifier]
            if not types:
                raise text.error(name.offset, f"{name.text} is not declared")
            return Typed(self._terms.integer(types[0].literals.index(literal)), types[0], name.offset)

        return resolve

    def _resolve(self, name: ThetaToken) -> Typed:
        return self._resolver(self._text)(name)

    # ---- statements ---------------------------------------------------------------------------------------

    def _skip_block(self) -> None:
        """To the end of the alternatives of ``trans``, ``init`` or ``env``, which are translated later."""
        parser, depth = self._parser, 0
        while parser.token.kind != "end" and not (depth == 0 and parser.token.kind in ("trans", "init", "env", "prop")):
            depth += {"{": 1, "}": -1}.get(parser.take().kind, 0)

    def _alternatives(self, at: Location, start: ThetaToken) -> Location:
        """Statements with ``or`` between them: where the execution goes on after any one of them."""
        ends = [self._statement(at)]
        while self._parser.accept("or"):
            ends.append(self._statement(at))
        return self._joined(ends, start)

    def _joined(self, ends: list[Location], start: ThetaToken) -> Location:
        if len(ends) == 1:
            return ends[0]
        join = self._graph.location(start.offset)
        for end in ends:
            self._graph.skip(end, join, start.offset)
        return join

    def _statement(self, at: Location) -> Location:
        parser = self._parser
        token = parser.token
        self._depth += 1
        if self._depth > _NESTING_LIMIT:
            raise self._text.error(token.offset, "statements nested too deeply")
        match token.kind:
            case "{":
                at = self._block(at)
            case "choice":
                parser.take()
                at = self._alternatives(at, token)
            case "if":
                at = self._if(at)
            case "for":
                at = self._for(at)
            case "local":
                at = self._local(at)
            case _:
                at = self._simple(at)
                parser.expect(";")
        self._depth -= 1
        return at

    def _block(self, at: Location) -> Location:
        parser = self._parser
        parser.expect("{")
        self._scopes.append({})
        while parser.accept("}") is None:
            at = self._statement(at)
        self._scopes.pop()
        return at

    def _simple(self, at: Location) -> Location:
        parser, operations, graph = self._parser, self._operations, self._graph
        start = parser.token
        if parser.accept("assume"):
            condition = operations.truth(parser.truth())
            return graph.assume(at, condition, start.offset, parser.shown(start.offset))
        if parser.accept("havoc"):
            variable, type_ = self._assignable(parser.name("the name of a variable"))
            return graph.choose(at, variable, type_, start.offset, parser.shown(start.offset))
        name = parser.name("a statement")
        variable, type_ = self._assignable(name)
        if parser.accept("["):
            index = parser.expression()
            parser.expect("]")
            parser.expect(":=")
            whole = Typed(variable, type_, name.offset)
            value = operations.stored(whole, index, parser.expression(), name.offset).term
        else:
            parser.expect(":=")
            value = operations.as_type(parser.expression(), type_)
        return graph.assign(at, variable, value, start.offset, parser.shown(start.offset))

    def _assignable(self, name: ThetaToken) -> Declared:
        for declared in reversed(self._scopes):
            if name.text in declared:
                return declared[name.text]
        raise self._text.error(name.offset, f"{name.text} is not declared")

    def _local(self, at: Location) -> Location:
        parser = self._parser
        parser.expect("local")
        parser.expect("var")
        name = parser.name("the name of a variable")
        parser.expect(":")
        type_ = parser.type()
        value = self._operations.as_type(parser.expression(), type_) if parser.accept("=") else None
        at = self._initialised(at, name, self._declare(name, type_, "local"), type_, value)
        parser.expect(";")
        return at

    def _if(self, at: Location) -> Location:
        """A statement that is no block has a scope of its own all the same: it is one alternative of two."""
        parser, graph, terms = self._parser, self._graph, self._terms
        start = parser.expect("if")
        parser.expect("(")
        condition = self._operations.truth(parser.truth())
        parser.expect(")")
        shown = parser.shown(start.offset)
        then = self._scoped(graph.step(at, Assume(condition), start.offset, shown))
        otherwise = graph.step(at, Assume(terms.not_(condition)), start.offset, f"not {shown}")
        if parser.accept("else"):
            otherwise = self._scoped(otherwise)
        return self._joined([then, otherwise], start)

    def _scoped(self, at: Location) -> Location:
        self._scopes.append({})
        at = self._statement(at)
        self._scopes.pop()
        return at

    # ---- loops --------------------------------------------------------------------------------------------

    def _for(self, at: Location) -> Location:
        parser, operations = self._parser, self._operations
        start = parser.expect("for")
        name = parser.name("the variable of the loop")
        parser.expect("from")
        first = operations.as_type(parser.expression(), INTEGER)
        parser.expect("to")
        end = operations.as_type(parser.expression(), INTEGER)
        parser.expect("do")
        body = parser.at
        self._scopes.append({})
        own = self._declare(name, INTEGER, "local")
        rounds = end.value - first.value if first.is_const and end.is_const else None
        if rounds is not None and rounds <= _ROUNDS and self._rounds + rounds <= _ALL_ROUNDS:
            at = self._unrolled(at, own, range(first.value, end.value), body, start)
        else:
            at = self._looped(at, own, first, end, start)
        self._scopes.pop()
        return at

    def _unrolled(self, at: Location, own: Term, values: range, body: int, start: ThetaToken) -> Location:
        parser, graph = self._parser, self._graph
        if not values:
            # It is read all the same, from a location that nothing enters.
            self._scoped(graph.location(start.offset))
        for value in values:
            self._rounds += 1
            parser.at = body
            at = graph.assign(at, own, self._terms.integer(value), start.offset, f"{own.name} := {value}")
            at = self._scoped(at)
        return at

    def _looped(self, at: Location, own: Term, first: Term, end: Term, start: ThetaToken) -> Location:
        """Counted apart from the variable of the loop, which the body may change."""
        graph, terms, offset = self._graph, self._terms, start.offset
        count = graph.declare(f"{own.name}.count", INTEGER, offset, "local")
        bound = graph.declare(f"{own.name}.bound", INTEGER, offset, "local")
        at = graph.assign(at, bound, end, offset, f"{bound.name} := {end}")
        at = graph.assign(at, count, first, offset, f"{count.name} := {first}")
        head = graph.location(offset)
        graph.skip(at, head, offset)
        inside = terms.lt(count, bound)
        at = graph.step(head, Assume(inside), offset, f"{own.name} in range")
        at = graph.assign(at, own, count, offset, f"{own.name} := {count.name}")
        at = self._scoped(at)
        at = graph.assign(at, count, terms.add(count, terms.integer(1)), offset, f"next {own.name}")
        graph.skip(at, head, offset)
        return graph.step(head, Assume(terms.not_(inside)), offset, f"{own.name} out of range")
