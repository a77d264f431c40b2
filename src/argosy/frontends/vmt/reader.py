"""From a script of VMT to a transition system (nuXmv's and MathSAT's format, vmt-lib.org).

A term that is annotated says what it is: ``(! x :next y)`` that y is the next value of x, ``:init true`` the first
states, ``:trans true`` the step, ``:invar-property n`` what must hold in every state. What is declared and has no next
value is an input: any value in every step. A liveness property is refused by its name; an annotation of another kind
changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.frontends.horn.clausify import check_division
from argosy.frontends.scripts import commands_of, placed
from argosy.logic.formulas import Formula
from argosy.logic.smtlib_formula import DefinedFunction, FormulaReader, parameters_of
from argosy.logic.smtlib_parser import (
    Expression,
    SmtLibUnsupported,
    SmtList,
    SmtToken,
    fail,
)
from argosy.logic.sorts import BOOL, Sort
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import variables
from argosy.models.system import BadState, StateVariable, System, SystemInput

_PASSED_OVER = frozenset(("set-logic", "set-info", "set-option", "check-sat", "get-model", "echo"))
_MEANT = (":next", ":init", ":trans", ":invar-property", ":live-property")


def read_vmt(path: str, text: str, terms: Terms) -> System:
    """Raises InputError for what is no script, UnsupportedError for what is not modelled."""
    with placed(path):
        return _Script(path, terms).system(text)


class _Script:
    def __init__(self, path: str, terms: Terms) -> None:
        self._path = path
        self._terms = terms
        self._count = 0
        self._reader = FormulaReader(terms, self._fresh)
        self._names: dict[Term, str] = {}
        self._taken: set[str] = set()
        self._positions: dict[Term, Position] = {}
        self._next: dict[Term, Term] = {}
        self._initial: Term | None = None
        self._relation: Term | None = None
        self._properties: dict[int, BadState] = {}

    def _fresh(self, name: str, sort: Sort) -> Term:
        self._count += 1
        return self._terms.var(f"{name}~{self._count}", sort)

    def _position(self, at: Expression) -> Position:
        return Position(self._path, at.line, at.column)

    def system(self, text: str) -> System:
        for name, command, rest in commands_of(text):
            self._command(name, command, rest)
        for what, found in ((":init", self._initial), (":trans", self._relation)):
            if found is None:
                raise InputError(Position(self._path, 1, 1), f"nothing is annotated {what}")
        assert self._initial is not None and self._relation is not None
        return self._built(self._initial, self._relation)

    def _command(self, name: str, command: SmtList, rest: Sequence[Expression]) -> None:
        match name, rest:
            case "declare-fun", (SmtToken("symbol" | "quoted", symbol), SmtList(()), sort):
                self._declare(symbol, sort, command)
            case "declare-const", (SmtToken("symbol" | "quoted", symbol), sort):
                self._declare(symbol, sort, command)
            case "define-sort", (SmtToken("symbol" | "quoted", symbol), SmtList(()), sort):
                self._reader.sorts[symbol] = self._reader.sort(sort)
            case "define-fun", (SmtToken("symbol" | "quoted", symbol), parameters, sort, body):
                self._new(symbol, command)
                listed = parameters_of(self._reader, parameters)
                inner = self._annotated(body, symbol, alone=not listed)
                self._reader.definitions[symbol] = DefinedFunction(listed, self._reader.sort(sort), inner)
            case "assert", (body,):
                if self._term(self._annotated(body, "", alone=True), body) is not self._terms.true:
                    raise SmtLibUnsupported("an assertion that says something", command.line, command.column)
            case _ if name in _PASSED_OVER:
                pass
            case (("declare-const" | "define-fun" | "assert"), _):
                raise fail(f"not as {name} is written", command)
            case _:
                raise SmtLibUnsupported(f"the command {name}, so used", command.line, command.column)

    def _new(self, symbol: str, at: Expression) -> None:
        if symbol in self._reader.definitions or symbol in self._reader.constants:
            raise fail(f"{symbol} is declared twice", at)

    def _declare(self, symbol: str, sort: Expression, command: SmtList) -> None:
        self._new(symbol, command)
        # Instances and new values of variables are told by marks, which their names must not have.
        plain = "".join("_" if c in "@'|\\~" else c for c in symbol) or "unnamed"
        while plain in self._taken:
            plain += "_"
        self._taken.add(plain)
        term = self._terms.var(plain, self._reader.sort(sort))
        self._reader.constants[symbol] = term
        self._names[term] = symbol
        self._positions[term] = self._position(command)

    # ---- annotations ----------------------------------------------------------------------------------------

    def _annotated(self, body: Expression, symbol: str, *, alone: bool) -> Expression:
        """The term without its annotations, which are obeyed."""
        match body:
            case SmtList((SmtToken("symbol", "!"), inner, *attributes)):
                self._without(inner)
                self._obey(inner, attributes, body, symbol, alone)
                return inner
        self._without(body)
        return body

    def _without(self, expression: Expression) -> None:
        """Further inside, an annotation that means something is none that is obeyed: it is refused."""
        waiting = [expression]
        while waiting:
            each = waiting.pop()
            if isinstance(each, SmtList):
                waiting.extend(each.items)
            elif each.kind == "keyword" and each.text in _MEANT:
                raise SmtLibUnsupported(f"{each.text} inside a term", each.line, each.column)

    def _obey(
        self, inner: Expression, attributes: Sequence[Expression], at: Expression, symbol: str, alone: bool
    ) -> None:
        given = list(attributes)
        while given:
            word = given.pop(0)
            if not isinstance(word, SmtToken) or word.kind != "keyword":
                raise fail("expected an attribute", word)
            valued = given and not (isinstance(given[0], SmtToken) and given[0].kind == "keyword")
            value = given.pop(0) if valued else None
            if word.text in _MEANT and not alone:
                raise SmtLibUnsupported(f"{word.text} of a function with parameters", at.line, at.column)
            match word.text:
                case ":next":
                    self._pair(self._term(inner, inner), value, word)
                case ":init":
                    self._initial = self._only(self._initial, inner, word)
                case ":trans":
                    self._relation = self._only(self._relation, inner, word)
                case ":invar-property":
                    self._property(inner, value, word, symbol)
                case ":live-property":
                    raise SmtLibUnsupported("a liveness property (:live-property)", word.line, word.column)

    def _term(self, expression: Expression, at: Expression) -> Term:
        # A term of any sort: what ``FormulaReader.formula`` refuses may be one.
        self._reader.work.clear()
        self._reader.values.clear()
        self._reader.bound = {}
        found: Formula = self._reader.run(expression)
        if not isinstance(found, Term):
            raise SmtLibUnsupported("a quantifier", at.line, at.column)
        check_division(found, self._position(at))
        return found

    def _truth(self, expression: Expression) -> Term:
        found = self._term(expression, expression)
        if found.sort is not BOOL:
            raise fail(f"expected a formula, not {found.sort}", expression)
        return found

    def _pair(self, old: Term, value: Expression | None, at: SmtToken) -> None:
        new = None
        if isinstance(value, SmtToken):
            new = self._reader.constants.get(value.text)
        if old not in self._names or new is None:
            raise fail("expected (! VARIABLE :next VARIABLE), both declared", at)
        if new.sort is not old.sort:
            raise fail(f"sorts differ: {old.sort} and {new.sort}", at)
        if old in self._next or new in self._next or new in self._next.values() or old is new:
            raise fail("a variable has one next value, which is no other's", at)
        if old in self._next.values():
            raise fail("the next value of one variable has a next value itself", at)
        self._next[old] = new

    def _only(self, before: Term | None, inner: Expression, at: SmtToken) -> Term:
        if before is not None:
            raise fail(f"a second {at.text}", at)
        return self._truth(inner)

    def _property(self, inner: Expression, value: Expression | None, at: SmtToken, symbol: str) -> None:
        if not isinstance(value, SmtToken) or value.kind != "numeral":
            raise fail("expected the number of the property", at)
        number = int(value.text)
        if number in self._properties:
            raise fail(f"a second property {number}", at)
        term = self._terms.not_(self._truth(inner))
        self._properties[number] = BadState(symbol or f"property {number}", term, self._position(inner))

    # ---- the system -----------------------------------------------------------------------------------------

    def _built(self, initial: Term, relation: Term) -> System:
        primed = set(self._next.values())
        bad = tuple(self._properties[number] for number in sorted(self._properties))
        for what, formula, at in (
            (":init", initial, None),
            *(("a property", each.term, each.position) for each in bad),
        ):
            for variable in variables(formula) & primed:
                where = at or self._positions[variable]
                raise InputError(where, f"{what} speaks of the next value {self._names[variable]}")
        states, inputs = [], []
        for term, name in self._names.items():
            position = self._positions[term]
            if term in self._next:
                states.append(StateVariable(term, name, primed=self._next[term], position=position))
            elif term not in primed:
                # An input that the first state depends on is a state variable that is free in every step.
                if term in variables(initial):
                    new = self._fresh(term.name, term.sort)
                    states.append(StateVariable(term, name, primed=new, position=position))
                else:
                    inputs.append(SystemInput(term, name, position=position))
        return System.of_relation(
            self._terms, states, inputs, bad, initial=initial, relation=relation, name=self._path, path=self._path
        )
