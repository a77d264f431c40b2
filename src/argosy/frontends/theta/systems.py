"""Theta's symbolic transition systems (``.sts``, ``.system``).

    specification S { property p : { var x : int  initial x = 0  transition x' = x + 1 } models G(x >= 0) }

A state satisfies every ``invariant``, an initial one every ``initial`` besides, a step every ``transition``; a primed
expression is its value in the next state. Systems may have names and parameters. A constant without a value is any
value, the same one for ever.

Law: a bad state is reached iff a state is reachable in which the property does not hold.
"""

from __future__ import annotations

from collections.abc import Sequence

from argosy.basics.errors import UnsupportedError
from argosy.basics.records import dataclass, field
from argosy.frontends.theta.dialects import SYSTEMS
from argosy.frontends.theta.expressions import ThetaParser
from argosy.frontends.theta.lexer import ThetaText, ThetaToken
from argosy.frontends.theta.types import ThetaType, Typed
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import substitute, variables
from argosy.models.system import PRIME, BadState, StateVariable, System

_DEEPEST = 50


@dataclass(frozen=True, slots=True)
class _Property:
    """``at`` is where its system begins."""

    name: ThetaToken
    at: int


@dataclass
class _Definition:
    """A system while its parts are read. ``known`` are the names that it can use."""

    known: dict[str, Typed]
    states: list[StateVariable] = field(default_factory=list)
    initial: list[Term] = field(default_factory=list)
    invariant: list[Term] = field(default_factory=list)
    steps: list[Term] = field(default_factory=list)


def read_system(path: str, content: str, terms: Terms, asked: str | None) -> tuple[System, dict[str, str]]:
    """The system with a bad state for each property, or for the one that is ``asked``; and the properties as they are
    written, by name."""
    reader = _Reader(ThetaText(path, content), terms)
    return reader.system(asked), reader.formulas


class _Reader:
    def __init__(self, text: ThetaText, terms: Terms) -> None:
        self._text = text
        self._terms = terms
        self._parser = ThetaParser(text, terms, SYSTEMS)
        self._parser.resolve = self._resolve
        self._known: dict[str, Typed] = {}
        self._systems: dict[str, int] = {}
        self._properties: list[_Property] = []
        self._outside = _Definition(self._known)
        self._next: dict[Term, Term] = {}
        self.formulas: dict[str, str] = {}

    # ---- the specification --------------------------------------------------------------------------------

    def system(self, asked: str | None) -> System:
        self._specification()
        chosen = self._chosen(asked)
        definition, bad = _Definition({}), list[BadState]()
        for place, property in enumerate(chosen):
            self._parser.at = property.at
            if place == 0:
                definition = self._definition(self._inside(), 0)
            else:
                self._skip_system()
            bad.append(self._bad_state(property, definition))
        return self._built(definition, bad)

    def _specification(self) -> None:
        parser = self._parser
        if parser.token.kind == "(":
            raise self._text.unsupported(parser.token.offset, "the syntax of Theta's systems with parentheses (Lisp)")
        parser.expect("specification")
        parser.name("the name of the specification")
        if parser.accept("(") and parser.accept(")") is None:
            raise self._text.unsupported(parser.token.offset, "a specification with parameters")
        parser.expect("{")
        while parser.accept("}") is None:
            match parser.token.kind:
                case "const" | "var":
                    self._variable(self._outside)
                case "system":
                    self._named_system()
                case "property":
                    self._property()
                case _:
                    raise parser.fail("const, var, system or property")
        parser.expect("end", "the end of the file")

    def _inside(self) -> _Definition:
        """A system that knows what stands outside of it."""
        outside = self._outside
        return _Definition(dict(outside.known), list(outside.states), steps=list(outside.steps))

    def _named_system(self) -> None:
        parser = self._parser
        parser.expect("system")
        name = parser.name("the name of a system")
        if name.text in self._systems:
            raise self._text.error(name.offset, f"there are two systems {name.text}")
        self._systems[name.text] = parser.at
        if parser.token.kind == "(":
            self._skip("(", ")")
        parser.expect(":=")
        self._skip_system()

    def _property(self) -> None:
        parser = self._parser
        parser.expect("property")
        name = parser.name("the name of a property")
        if any(each.name.text == name.text for each in self._properties):
            raise self._text.error(name.offset, f"there are two properties {name.text}")
        parser.expect(":")
        self._properties.append(_Property(name, parser.at))
        self._skip_system()
        parser.expect("models")
        parser.expect("G")
        self._skip("(", ")")

    def _skip(self, opening: str, closing: str) -> None:
        parser, depth = self._parser, 1
        start = parser.expect(opening)
        while depth:
            if parser.token.kind == "end":
                raise self._text.error(start.offset, f"{start.text} not closed")
            depth += {opening: 1, closing: -1}.get(parser.take().kind, 0)

    def _skip_system(self) -> None:
        if self._parser.token.kind == "{":
            self._skip("{", "}")
            return
        self._parser.name("a system or the name of one")
        if self._parser.token.kind == "(":
            self._skip("(", ")")

    def _chosen(self, asked: str | None) -> list[_Property]:
        """The property that is asked for and all others of the same system; that is one that only has a name."""
        if not self._properties:
            raise self._text.error(len(self._text.text), "there is no property")
        names = ", ".join(each.name.text for each in self._properties)
        chosen = self._properties
        if asked is not None:
            chosen = [each for each in chosen if each.name.text == asked]
            if not chosen:
                raise self._text.error(0, f"there is no property {asked}; there are: {names}")
        systems = [self._system_name(each) for each in chosen]
        if len(chosen) > 1 and (None in systems or len(set(systems)) > 1):
            what = f"properties of several systems: choose one of them with --property ({names})"
            raise self._text.unsupported(chosen[1].name.offset, what)
        return chosen

    def _system_name(self, property: _Property) -> str | None:
        """The name of its system, unless it is written out or has arguments."""
        parser = self._parser
        parser.at = property.at
        named = parser.token.kind == "name" and parser.following().kind != "("
        return parser.token.text if named else None

    # ---- systems ------------------------------------------------------------------------------------------

    def _definition(self, definition: _Definition, depth: int) -> _Definition:
        parser = self._parser
        if parser.token.kind != "{":
            return self._reference(definition, depth)
        self._parser_knows(definition)
        start = parser.expect("{")
        body = parser.at
        # Variables may be declared after the formulas that speak of them.
        while parser.token.kind != "}":
            if parser.token.kind == "end":
                raise self._text.error(start.offset, "{ not closed")
            if parser.token.kind in ("var", "const"):
                self._variable(definition)
            else:
                parser.take()
        parser.at = body
        while parser.accept("}") is None:
            self._part(definition)
        return definition

    def _part(self, definition: _Definition) -> None:
        parser = self._parser
        token = parser.take()
        match token.kind:
            case "var" | "const":
                parser.take()
                parser.expect(":")
                parser.type()
                if parser.accept(":="):
                    parser.expression()
            case "initial":
                definition.initial.append(self._truth())
            case "invariant":
                definition.invariant.append(self._truth())
            case "transition":
                definition.steps.append(self._truth(primes=True))
            case _:
                parser.at -= 1
                raise parser.fail("var, const, invariant, initial, transition or }")

    def _reference(self, definition: _Definition, depth: int) -> _Definition:
        """The arguments are expressions over what is known here; the body speaks of the parameters."""
        parser = self._parser
        name = parser.name("a system or the name of one")
        if name.text not in self._systems:
            raise self._text.error(name.offset, f"there is no system {name.text}")
        if depth > _DEEPEST:
            raise self._text.error(name.offset, f"the system {name.text} is defined by itself")
        self._parser_knows(definition)
        arguments: list[Typed] = []
        if parser.accept("("):
            while parser.token.kind != ")":
                arguments.append(parser.expression())
                if parser.accept(",") is None:
                    break
            parser.expect(")")
        after, parser.at = parser.at, self._systems[name.text]
        parameters = self._parameters()
        if len(parameters) != len(arguments):
            what = f"{name.text} has {len(parameters)} parameters, not {len(arguments)}"
            raise self._text.error(name.offset, what)
        for (parameter, type_), argument in zip(parameters, arguments, strict=True):
            term = parser.operations.as_type(argument, type_)
            definition.known[parameter.text] = Typed(term, type_, parameter.offset)
        parser.expect(":=")
        self._definition(definition, depth + 1)
        parser.at = after
        return definition

    def _parameters(self) -> list[tuple[ThetaToken, ThetaType]]:
        parser = self._parser
        found: list[tuple[ThetaToken, ThetaType]] = []
        if parser.accept("("):
            while parser.token.kind != ")":
                name = parser.name("the name of a parameter")
                parser.expect(":")
                found.append((name, parser.type()))
                if parser.accept(",") is None:
                    break
            parser.expect(")")
        return found

    # ---- declarations and formulas ------------------------------------------------------------------------

    def _variable(self, definition: _Definition) -> None:
        """Declares a variable, or a constant: a value, or a variable that keeps its value."""
        parser, terms = self._parser, self._terms
        constant = parser.take().kind == "const"
        name = parser.name("the name of a variable")
        parser.expect(":")
        type_ = parser.type()
        if name.text in definition.known:
            raise self._text.error(name.offset, f"{name.text} is declared twice")
        if parser.token.kind == ":=":
            if not constant:
                what = "a variable with a value: write initial and what is meant"
                raise self._text.unsupported(parser.token.offset, what)
            parser.take()
            self._parser_knows(definition)
            value = parser.operations.as_type(parser.expression(), type_)
            definition.known[name.text] = Typed(value, type_, name.offset)
            return
        term = terms.var(name.text, type_.sort)
        primed = terms.var(f"{name.text}{PRIME}", type_.sort)
        definition.known[name.text] = Typed(term, type_, name.offset)
        self._next[term] = primed
        position = self._text.position(name.offset)
        definition.states.append(StateVariable(term, name.text, primed=primed, position=position))
        if constant:
            definition.steps.append(terms.eq(primed, term))

    def _parser_knows(self, definition: _Definition) -> None:
        self._known = definition.known

    def _resolve(self, name: ThetaToken) -> Typed:
        found = self._known.get(name.text)
        if found is None:
            raise self._text.error(name.offset, f"{name.text} is not declared")
        return Typed(found.term, found.type, name.offset)

    def _truth(self, primes: bool = False) -> Term:
        parser = self._parser
        parser.prime = self._primed if primes else None
        term = parser.operations.truth(parser.truth())
        for refusal in parser.operations.opaque.values():
            raise UnsupportedError(refusal.position, "division by a value that may be 0")
        return term

    def _primed(self, value: Typed) -> Typed:
        if not variables(value.term).isdisjoint(self._next.values()):
            raise self._text.unsupported(value.offset, "a value two steps ahead")
        return Typed(substitute(self._terms, value.term, self._next), value.type, value.offset)

    # ---- the model ----------------------------------------------------------------------------------------

    def _bad_state(self, property: _Property, definition: _Definition) -> BadState:
        parser = self._parser
        parser.expect("models")
        parser.expect("G")
        parser.expect("(")
        self._parser_knows(definition)
        start = parser.token.offset
        condition = self._truth()
        self.formulas[property.name.text] = parser.shown(start)
        parser.expect(")")
        position = self._text.position(property.name.offset)
        return BadState(property.name.text, self._terms.not_(condition), position)

    def _built(self, definition: _Definition, bad: Sequence[BadState]) -> System:
        terms = self._terms
        return System.of_relation(
            terms,
            definition.states,
            (),
            bad,
            initial=terms.conjunction(definition.initial),
            relation=terms.conjunction(definition.steps),
            constraints=tuple(part for part in definition.invariant if part is not terms.true),
            name=self._text.file,
            path=self._text.file,
        )
