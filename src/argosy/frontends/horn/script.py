"""Scripts of SMT-LIB whose assertions are Horn clauses, in both dialects.

The logic HORN of CHC-COMP: predicates by ``declare-fun``, clauses by ``assert``; and Z3's fixedpoint commands:
``declare-rel``, ``declare-var``, ``rule``, ``query``. What is to be shown is the same: that ``false``, or what a query
asks for, has no derivation. A command that does not change what is asked is passed over; every other one is refused by
its name.
"""

from __future__ import annotations

from collections.abc import Sequence

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.frontends.horn.clausify import clauses_of, predicates_of
from argosy.frontends.scripts import commands_of, placed
from argosy.logic.formulas import Application, Formula, Predicate
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
from argosy.models.clauses import ClauseSystem, HornClause

_PASSED_OVER = frozenset(
    [
        "set-info",
        "set-option",
        "check-sat",
        "get-model",
        "get-info",
        "get-option",
        "get-proof",
        "get-unsat-core",
        "echo",
    ]
)


def read_script(path: str, text: str, terms: Terms) -> ClauseSystem:
    """Raises InputError for what is no script, UnsupportedError for what is not modelled."""
    with placed(path):
        return _Script(path, terms).system(text)


class _Script:
    def __init__(self, path: str, terms: Terms) -> None:
        self._path = path
        self._terms = terms
        self._count = 0
        self._reader = FormulaReader(terms, self._fresh)
        self._clauses: list[HornClause] = []
        self._declared: list[Predicate] = []
        self._checked = False

    def _fresh(self, name: str, sort: Sort) -> Term:
        # No variable of the automaton has such a name.
        self._count += 1
        return self._terms.var(f"{name}@{self._count}", sort)

    def _position(self, at: Expression) -> Position:
        return Position(self._path, at.line, at.column)

    def system(self, text: str) -> ClauseSystem:
        commands = list(commands_of(text))
        if not commands:
            raise InputError(Position(self._path, 1, 1), "there is no command")
        for name, command, rest in commands:
            self._command(name, command, rest)
        predicates = predicates_of(self._clauses, self._declared)
        return ClauseSystem(self._terms, predicates, tuple(self._clauses), self._path)

    def _command(self, name: str, command: SmtList, rest: Sequence[Expression]) -> None:
        match name, rest:
            case "check-sat", ():
                self._checked = True
            case "set-logic", (SmtToken("symbol", logic),):
                if logic != "HORN":
                    raise self._unsupported(command, f"the logic {logic}; clauses are in the logic HORN")
            case "declare-fun", (SmtToken("symbol" | "quoted", symbol), SmtList(sorts), result):
                self._declare(symbol, sorts, result, command)
            case "declare-const", (SmtToken("symbol" | "quoted", symbol), result):
                self._declare(symbol, (), result, command)
            case "declare-rel", (SmtToken("symbol" | "quoted", symbol), SmtList(sorts), *_):
                self._declare(symbol, sorts, None, command)
            case "declare-var", (SmtToken("symbol" | "quoted", symbol), sort):
                self._new(symbol, command)
                self._reader.constants[symbol] = self._fresh(symbol, self._reader.sort(sort))
            case "define-fun", (SmtToken("symbol" | "quoted", symbol), parameters, sort, body):
                self._define(symbol, parameters, sort, body, command)
            case "define-const", (SmtToken("symbol" | "quoted", symbol), sort, body):
                self._define(symbol, SmtList((), command.line, command.column), sort, body, command)
            case "define-sort", (SmtToken("symbol" | "quoted", symbol), SmtList(()), sort):
                self._reader.sorts[symbol] = self._reader.sort(sort)
            case ("assert", (formula,)) | ("rule", (formula, *_)):
                self._state(self._reader.formula(formula), command)
            case "query", (asked, *_):
                self._query(asked, command)
            case _ if name in _PASSED_OVER:
                pass
            case (("declare-fun" | "declare-const" | "declare-rel" | "declare-var" | "define-fun" | "assert"), _):
                raise fail(f"not as {name} is written", command)
            case _:
                raise self._unsupported(command, f"the command {name}")

    def _unsupported(self, at: Expression, what: str) -> SmtLibUnsupported:
        return SmtLibUnsupported(what, at.line, at.column)

    def _new(self, symbol: str, at: Expression) -> None:
        reader = self._reader
        if symbol in reader.predicates or symbol in reader.definitions or symbol in reader.constants:
            raise fail(f"{symbol} is declared twice", at)

    def _declare(self, symbol: str, sorts: Sequence[Expression], result: Expression | None, command: SmtList) -> None:
        self._new(symbol, command)
        if result is not None and self._reader.sort(result) is not BOOL:
            raise self._unsupported(command, f"{symbol}, an unknown that is no predicate")
        places = tuple(self._reader.sort(sort) for sort in sorts)
        predicate = Predicate(symbol, places, command.line, command.column)
        self._reader.predicates[symbol] = predicate
        self._declared.append(predicate)

    def _define(
        self, symbol: str, parameters: Expression, sort: Expression, body: Expression, command: SmtList
    ) -> None:
        self._new(symbol, command)
        listed = parameters_of(self._reader, parameters)
        self._reader.definitions[symbol] = DefinedFunction(listed, self._reader.sort(sort), body)

    def _state(self, formula: Formula, command: SmtList) -> None:
        if self._checked:
            raise self._unsupported(command, "what is asserted after check-sat")
        self._clauses += clauses_of(self._terms, formula, self._position(command))

    def _query(self, asked: Expression, command: SmtList) -> None:
        predicate = self._reader.predicates.get(asked.text) if isinstance(asked, SmtToken) else None
        if predicate is not None:
            arguments = tuple(self._fresh("asked", sort) for sort in predicate.sorts)
            body = (Application(predicate, arguments),)
            self._clauses.append(HornClause(body, self._terms.true, None, self._position(command)))
        else:
            from argosy.logic.formulas import complement

            self._state(complement(self._terms, self._reader.formula(asked)), command)
