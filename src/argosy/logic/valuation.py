"""The values of terms in a solver's models, where few of many variables matter, as on one path of a large block.

Reading a model costs more than finding it if every question is taken to the solver, or if every term is interpreted
anew for each model. A term that is asked for again and again, the condition at a branch or a predicate, is therefore
compiled once; others are interpreted, and only as far as their value is not clear.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from argosy.logic import semantics
from argosy.logic.compile import compile_term, compile_terms
from argosy.logic.semantics import Value
from argosy.logic.terms import Term
from argosy.logic.traverse import variables

_OFTEN = 4  # the models after which compiling a term pays
_LARGE = 300  # variables: of a larger term little matters in most models


class Functions:
    """The compiled terms, shared by the valuations of many models."""

    def __init__(self) -> None:
        self.compiled: dict[Term, Callable[[Any], Value]] = {}
        self.rows: dict[tuple[Term, ...], Callable[[Any], tuple[Value, ...]]] = {}
        self.variables: dict[int, Term] = {}
        self._asked: dict[Term | tuple[Term, ...], int] = {}

    def asked(self, term: Term) -> None:
        if self._often(term) and len(variables(term)) <= _LARGE:
            self.compiled[term] = compile_term(term, self._slots(term))

    def asked_together(self, terms: tuple[Term, ...]) -> None:
        if self._often(terms):
            self.rows[terms] = compile_terms(terms, self._slots(*terms))

    def _often(self, what: Term | tuple[Term, ...]) -> bool:
        count = self._asked[what] = self._asked.get(what, 0) + 1
        return count == _OFTEN

    def _slots(self, *terms: Term) -> dict[Term, int]:
        slots = {v: v.id for term in terms for v in variables(term)}
        self.variables.update((v.id, v) for v in slots)
        return slots


class _State(dict[int, Value]):
    """The values of the variables, read when they are first needed."""

    __slots__ = ("_variables", "_value")

    def __init__(self, variables: dict[int, Term], value: Callable[[Term], Value]) -> None:
        self._variables = variables
        self._value = value

    def __missing__(self, key: int) -> Value:
        value = self[key] = self._value(self._variables[key])
        return value


class Valuation:
    """The values of terms in a model, on demand: a connective is left where its value is clear, and ``value`` is asked
    for each variable at most once, and for what has no value of its own (a number divided by 0)."""

    def __init__(self, value: Callable[[Term], Value], functions: Functions | None = None) -> None:
        self._value = value
        self._known: dict[Term, Value] = {}
        self._functions = functions or Functions()
        self._state = _State(self._functions.variables, self._variable)

    def __call__(self, term: Term) -> Value:
        if term.op == "var":
            return self._variable(term)
        function = self._functions.compiled.get(term)
        if function is not None:
            try:
                return function(self._state)
            except ZeroDivisionError:
                pass  # The solver knows what it made of the division.
        else:
            self._functions.asked(term)
        return self._interpret(term)

    def together(self, terms: tuple[Term, ...]) -> tuple[Value, ...]:
        """The values of several terms."""
        function = self._functions.rows.get(terms)
        if function is not None:
            try:
                return function(self._state)
            except ZeroDivisionError:
                pass
        else:
            self._functions.asked_together(terms)
        return tuple(map(self, terms))

    def _variable(self, variable: Term) -> Value:
        known = self._known.get(variable)
        if known is None:
            known = self._known[variable] = self._value(variable)
        return known

    def _interpret(self, root: Term) -> Value:
        known = self._known
        stack: list[tuple[Term, int]] = [(root, 0)]
        while stack:
            term, position = stack.pop()
            if term in known:
                continue
            op, args = term.op, term.args
            if op == "var":
                known[term] = self._value(term)
            elif op == "const":
                known[term] = term.payload
            elif op == "and" or op == "or":
                decisive = op == "or"
                while position < len(args) and args[position] in known and known[args[position]] is not decisive:
                    position += 1
                if position == len(args) or args[position] in known:
                    known[term] = decisive if position < len(args) else not decisive
                else:
                    stack += ((term, position), (args[position], 0))
            elif op == "ite" and args[0] not in known:
                stack += ((term, 0), (args[0], 0))
            else:
                needed = (args[1] if known[args[0]] else args[2],) if op == "ite" else args
                unknown = [(arg, 0) for arg in needed if arg not in known]
                if unknown:
                    stack += ((term, 0), *unknown)
                elif op == "ite":
                    known[term] = known[needed[0]]
                else:
                    sorts = tuple(a.sort for a in args)
                    try:
                        known[term] = semantics.apply(op, term.payload, sorts, tuple(known[a] for a in args))
                    except ZeroDivisionError:
                        known[term] = self._value(term)
        return known[root]
