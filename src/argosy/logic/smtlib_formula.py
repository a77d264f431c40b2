"""Scripts of SMT-LIB with declared predicates, quantifiers and defined functions: formulas out of S-expressions.

Reads what ``smtlib_parser`` reads and more; deep formulas do not deepen the call stack, and a function is expanded once
for each tuple of arguments, so that functions which call each other twice do not double the work with each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from argosy.basics.records import dataclass
from argosy.logic.formulas import Application, Binder, Formula, Predicate, complement, is_boolean, junction
from argosy.logic.smtlib_operators import OPERATORS
from argosy.logic.smtlib_parser import Expression, SmtList, SmtToken, TermReader, fail, sort_of
from argosy.logic.sorts import BOOL, INT, REAL, Sort
from argosy.logic.terms import Term, Terms


@dataclass(frozen=True, slots=True)
class DefinedFunction:
    """A function with its body, which is expanded where it is applied."""

    parameters: tuple[tuple[str, Sort], ...]
    sort: Sort
    body: Expression


@dataclass(frozen=True, slots=True)
class _Enter:
    name: str
    definition: DefinedFunction
    at: Expression


@dataclass(frozen=True, slots=True)
class _Leave:
    outside: dict[str, list[Any]]
    key: tuple[Any, ...]
    sort: Sort
    at: Expression


@dataclass(frozen=True, slots=True)
class _Close:
    universal: bool
    names: tuple[str, ...]
    variables: tuple[Term, ...]
    at: Expression


class FormulaReader(TermReader):
    """Formulas over ``predicates``, ``constants`` and ``definitions``, which may grow between two formulas. Each
    variable of a quantifier is one that ``fresh`` makes; ``sorts`` are sorts with a name."""

    def __init__(self, terms: Terms, fresh: Callable[[str, Sort], Term]) -> None:
        self.constants: dict[str, Term] = {}
        super().__init__(terms, self.constants)
        self.predicates: dict[str, Predicate] = {}
        self.definitions: dict[str, DefinedFunction] = {}
        self.sorts: dict[str, Sort] = {}
        self._fresh = fresh
        self._expanded: dict[tuple[Any, ...], Formula] = {}

    def formula(self, root: Expression) -> Formula:
        """The formula that ``root`` denotes."""
        self.work.clear()
        self.values.clear()
        self.bound = {}
        found: Formula = self.run(root)
        if not is_boolean(found):
            raise fail(f"expected a formula, not {_sort_of_value(found)}", root)
        return found

    def sort(self, expression: Expression) -> Sort:
        if isinstance(expression, SmtToken) and expression.text in self.sorts:
            return self.sorts[expression.text]
        return sort_of(expression)

    # ---- leaves and lists -----------------------------------------------------------------------------------

    def word(self, token: SmtToken) -> None:
        name = token.text
        if token.kind in ("symbol", "quoted") and not self.bound.get(name):
            if name in self.predicates:
                self.values.append(self._applied(self.predicates[name], (), token))
                return
            if name in self.definitions and not self.definitions[name].parameters:
                self.work.append(_Enter(name, self.definitions[name], token))
                return
        super().word(token)

    def compound(self, expression: SmtList) -> None:
        match expression.items:
            case (SmtToken("symbol", "forall" | "exists" as word), SmtList(bindings), body):
                self._quantifier(word == "forall", bindings, body, expression)
            case (SmtToken("symbol" | "quoted", name), *args) if name in self.definitions and not self.bound.get(name):
                self.work.append(_Enter(name, self.definitions[name], expression))
                self.work.extend(reversed(args))
                if len(args) != len(self.definitions[name].parameters):
                    raise fail(f"{name} has {len(self.definitions[name].parameters)} arguments", expression)
            case _:
                super().compound(expression)

    def _quantifier(self, universal: bool, bindings: Sequence[Expression], body: Expression, at: Expression) -> None:
        names, variables = [], []
        for binding in bindings:
            match binding:
                case SmtList((SmtToken("symbol" | "quoted", name), sort)):
                    names.append(name)
                    variables.append(self._fresh(name, self.sort(sort)))
                case _:
                    raise fail("expected (name sort)", binding)
        for name, variable in zip(names, variables, strict=True):
            self.bound.setdefault(name, []).append(variable)
        self.work.append(_Close(universal, tuple(names), tuple(variables), at))
        self.work.append(body)

    def other(self, step: Any) -> None:
        match step:
            case _Enter(name, definition, at):
                self._enter(name, definition, at)
            case _Leave(outside, key, sort, at):
                self.bound = outside
                self.values[-1] = self._expanded[key] = self._converted(self.values[-1], sort, at)
            case _Close(universal, names, variables, at):
                for name in names:
                    self.bound[name].pop()
                body = self.values[-1]
                if not is_boolean(body):
                    raise fail("expected a formula after a quantifier", at)
                if not (isinstance(body, Term) and body.is_const):
                    self.values[-1] = Binder(universal, variables, body)
            case _:
                super().other(step)

    def _enter(self, name: str, definition: DefinedFunction, at: Expression) -> None:
        count = len(definition.parameters)
        given = self.values[len(self.values) - count :]
        del self.values[len(self.values) - count :]
        pairs = zip(given, definition.parameters, strict=True)
        args = tuple(self._converted(value, sort, at) for value, (_, sort) in pairs)
        key = (name, *args)
        if key in self._expanded:
            self.values.append(self._expanded[key])
            return
        self.work.append(_Leave(self.bound, key, definition.sort, at))
        self.work.append(definition.body)
        names = zip(definition.parameters, args, strict=True)
        self.bound = {parameter: [value] for (parameter, _), value in names}

    def _converted(self, value: Formula, sort: Sort, at: Expression) -> Formula:
        """An integer where a rational belongs is one, as solvers accept it."""
        found = _sort_of_value(value)
        if found is INT and sort is REAL and isinstance(value, Term):
            return self.terms.to_real(value)
        if found is not sort:
            raise fail(f"expected {sort}, not {found}", at)
        return value

    # ---- operators ------------------------------------------------------------------------------------------

    def apply(self, head: Expression, args: tuple[Any, ...], at: Expression) -> Any:
        if isinstance(head, SmtToken) and head.kind in ("symbol", "quoted") and head.text in self.predicates:
            return self._applied(self.predicates[head.text], args, at)
        if all(isinstance(arg, Term) for arg in args):
            return super().apply(head, args, at)
        if not isinstance(head, SmtToken) or head.kind != "symbol" or head.text not in OPERATORS:
            raise fail("a predicate or quantifier inside a term", at)
        return self._connective(head.text, args, at)

    def _applied(self, predicate: Predicate, args: tuple[Any, ...], at: Expression) -> Application:
        if len(args) != len(predicate.sorts):
            raise fail(f"{predicate.name} has {len(predicate.sorts)} arguments, not {len(args)}", at)
        if not all(isinstance(arg, Term) for arg in args):
            raise fail("a predicate or quantifier inside a term", at)
        converted = (self._converted(arg, sort, at) for arg, sort in zip(args, predicate.sorts, strict=True))
        return Application(predicate, tuple(c for c in converted if isinstance(c, Term)))

    def _connective(self, word: str, args: tuple[Formula, ...], at: Expression) -> Formula:
        terms = self.terms
        if not all(map(is_boolean, args)):
            raise fail("a predicate or quantifier inside a term", at)

        def no(part: Formula) -> Formula:
            return complement(terms, part)

        def equivalent(one: Formula, other: Formula) -> Formula:
            either = (junction(terms, False, (no(one), other)), junction(terms, False, (one, no(other))))
            return junction(terms, True, either)

        match word, args:
            case (("and" | "or"), _):
                return junction(terms, word == "and", args)
            case "not", (one,):
                return no(one)
            case "=>", (*premises, last) if premises:
                return junction(terms, False, (*map(no, premises), last))
            case "ite", (condition, one, other):
                both = (junction(terms, False, (no(condition), one)), junction(terms, False, (condition, other)))
                return junction(terms, True, both)
            case "=", (one, other):
                return equivalent(one, other)
            case (("xor" | "distinct"), (one, other)):
                return equivalent(one, no(other))
        raise fail(f"a predicate or quantifier inside {word}", at)


def _sort_of_value(value: Formula) -> Sort:
    return value.sort if isinstance(value, Term) else BOOL


def parameters_of(reader: FormulaReader, expression: Expression) -> tuple[tuple[str, Sort], ...]:
    """``((name sort) ...)``."""
    if not isinstance(expression, SmtList):
        raise fail("expected ((name sort) ...)", expression)
    found: dict[str, Sort] = {}
    for item in expression.items:
        match item:
            case SmtList((SmtToken("symbol" | "quoted", name), sort)) if name not in found:
                found[name] = reader.sort(sort)
            case _:
                raise fail("expected (name sort), each name once", item)
    return tuple(found.items())
