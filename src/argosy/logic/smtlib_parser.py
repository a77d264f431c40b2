"""The reading half of ``smtlib``: tokens, S-expressions, sorts and terms. Deep terms do not deepen the call stack."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from argosy.basics.records import dataclass
from argosy.logic.smtlib_operators import OPERATORS, Mismatch, expect, indexed
from argosy.logic.smtlib_printer import RESERVED
from argosy.logic.sorts import BOOL, INT, REAL, Sort, array, bits
from argosy.logic.terms import Term, Terms


class SmtLibError(Exception):
    """Text that is not a term or a sort; ``line`` and ``column`` count from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"{line}:{column}: {message}")
        self.message = message
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # open, close, symbol, quoted, numeral, decimal, hexadecimal, binary, keyword, string, end
    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class _List:
    items: tuple[_Expression, ...]
    line: int
    column: int


_Expression = _Token | _List
Expression = _Expression
"""What was read and is no term yet."""

_TOKEN = re.compile(
    r"""(?P<space>(?:[ \t\r\n]+|;[^\n]*)+)
      | (?P<open>\()
      | (?P<close>\))
      | (?P<hexadecimal>\#x[0-9A-Fa-f]+)
      | (?P<binary>\#b[01]+)
      | (?P<decimal>[0-9]+\.[0-9]+)
      | (?P<numeral>[0-9]+)
      | (?P<quoted>\|[^|\\]*\|)
      | (?P<string>"(?:[^"]|"")*")
      | (?P<keyword>:[A-Za-z0-9~!@$%^&*_+=<>.?/-]+)
      | (?P<symbol>[A-Za-z~!@$%^&*_+=<>.?/-][A-Za-z0-9~!@$%^&*_+=<>.?/-]*)""",
    re.VERBOSE,
)

_BV = re.compile(r"bv[0-9]+\Z")
_DECIMAL = re.compile(r"(?:bv)?[0-9.]+")
# Python reads decimal numbers of up to 4300 digits, because it takes time that grows with the square.
_LONGEST_NUMBER = 4000


def _fail(message: str, at: _Expression) -> SmtLibError:
    return SmtLibError(message, at.line, at.column)


def _tokens(text: str) -> list[_Token]:
    tokens = []
    at, line, start = 0, 1, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise SmtLibError(f"unexpected character {text[at]!r}", line, at - start + 1)
        kind = match.lastgroup or ""
        piece = match.group()
        if kind != "space" and len(piece) > _LONGEST_NUMBER and _DECIMAL.fullmatch(piece):
            raise SmtLibError(f"a number of {len(piece)} digits", line, at - start + 1)
        if kind != "space":
            tokens.append(_Token(kind, piece[1:-1] if kind == "quoted" else piece, line, at - start + 1))
        if "\n" in piece:
            line += piece.count("\n")
            start = at + piece.rindex("\n") + 1
        at = match.end()
    tokens.append(_Token("end", "end of text", line, at - start + 1))
    return tokens


def _read(text: str) -> _Expression:
    """The one S-expression of ``text``."""
    return _read_all(text, one=True)[0]


def _read_all(text: str, one: bool = False) -> list[_Expression]:
    open_: list[tuple[_Token, list[_Expression]]] = []
    found: list[_Expression] = []
    for token in _tokens(text):
        if one and found and token.kind != "end":
            raise _fail("text after the end of the expression", token)
        expression: _Expression = token
        match token.kind:
            case "open":
                open_.append((token, []))
                continue
            case "close":
                if not open_:
                    raise _fail("')' without '('", token)
                bracket, items = open_.pop()
                expression = _List(tuple(items), bracket.line, bracket.column)
            case "end":
                if open_:
                    raise _fail("'(' without ')'", open_[-1][0])
                if one and not found:
                    raise _fail("expected an expression", token)
                break
        (open_[-1][1] if open_ else found).append(expression)
    return found


# ---- lists of terms ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entry:
    """``(head ...)``: a word and what follows it, which is not read as terms yet."""

    head: str
    items: tuple[Expression, ...]
    line: int
    column: int


def parse_entries(text: str) -> list[Entry]:
    """The entries that ``text`` is a sequence of."""
    entries = []
    for expression in _read_all(text):
        match expression:
            case _List((_Token("symbol", head), *items)):
                entries.append(Entry(head, tuple(items), expression.line, expression.column))
            case _:
                raise _fail("expected (word ...)", expression)
    return entries


def parse_word(expression: Expression) -> str:
    """A name or a number, as it is written."""
    if isinstance(expression, _Token) and expression.kind in ("symbol", "quoted", "numeral"):
        return expression.text
    raise _fail("expected a word", expression)


def parse_expression(terms: Terms, expression: Expression, variables: Mapping[str, Term]) -> Term:
    """As ``parse_term``."""
    return _Reader(terms, variables).term(expression)


# ---- sorts ------------------------------------------------------------------------------------------------


def parse_sort(text: str) -> Sort:
    return _sort(_read(text))


def _sort(expression: _Expression) -> Sort:
    if isinstance(expression, _Token):
        sort = {"Bool": BOOL, "Int": INT, "Real": REAL}.get(expression.text)
        if sort is None or expression.kind != "symbol":
            raise _fail(f"no such sort: {expression.text}", expression)
        return sort
    match expression.items:
        case (_Token("symbol", "_"), _Token("symbol", "BitVec"), _Token("numeral", width)) if int(width) > 0:
            return bits(int(width))
        case (_Token("symbol", "Array"), index, element):
            return array(_sort(index), _sort(element))
    raise _fail("no such sort", expression)


# ---- terms ------------------------------------------------------------------------------------------------


def parse_term(terms: Terms, text: str, variables: Mapping[str, Term]) -> Term:
    """The term that ``text`` denotes, with its free symbols looked up in ``variables``."""
    return _Reader(terms, variables).term(_read(text))


@dataclass(frozen=True, slots=True)
class _Bind:
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Unbind:
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Apply:
    head: _Expression
    count: int
    at: _Expression


class _Reader:
    """A stack machine: ``work`` is what is still to do, ``values`` are the terms that are done."""

    def __init__(self, terms: Terms, variables: Mapping[str, Term]) -> None:
        self.terms = terms
        self.variables = variables
        self.bound: dict[str, list[Term]] = {}
        self.work: list[_Expression | _Bind | _Unbind | _Apply] = []
        self.values: list[Term] = []

    def term(self, root: _Expression) -> Term:
        self.work.append(root)
        while self.work:
            step = self.work.pop()
            match step:
                case _Token():
                    self.values.append(self._leaf(step))
                case _List():
                    self._list(step)
                case _Apply(head, count, at):
                    args = tuple(self.values[len(self.values) - count :])
                    del self.values[len(self.values) - count :]
                    self.values.append(self._apply(head, args, at))
                case _Bind(names):
                    done = self.values[len(self.values) - len(names) :]
                    del self.values[len(self.values) - len(names) :]
                    for name, value in zip(names, done, strict=True):
                        self.bound.setdefault(name, []).append(value)
                case _Unbind(names):
                    for name in names:
                        self.bound[name].pop()
        return self.values.pop()

    def _leaf(self, token: _Token) -> Term:
        match token.kind:
            case "numeral":
                return self.terms.integer(int(token.text))
            case "decimal":
                return self.terms.rational(Fraction(token.text))
            case "hexadecimal":
                return self.terms.bv(int(token.text[2:], 16), 4 * (len(token.text) - 2))
            case "binary":
                return self.terms.bv(int(token.text[2:], 2), len(token.text) - 2)
            case "symbol" | "quoted":
                if token.kind == "symbol" and token.text in ("true", "false"):
                    return self.terms.boolean(token.text == "true")
                if self.bound.get(token.text):
                    return self.bound[token.text][-1]
                if token.text in self.variables:
                    return self.variables[token.text]
                raise _fail(f"unknown symbol {token.text}", token)
        raise _fail(f"not a term: {token.text}", token)

    def _list(self, expression: _List) -> None:
        match expression.items:
            case ():
                raise _fail("an empty list is no term", expression)
            case (_Token("symbol", "let"), _List(bindings), body) if bindings:
                self._let(bindings, body)
            case (_Token("symbol", "!"), inner, *_):
                self.work.append(inner)
            case (_Token("symbol", "_"), _Token("symbol", text), _Token("numeral", width)) if _BV.match(text):
                if int(width) < 1:
                    raise _fail("a bit-vector has at least one bit", expression)
                self.values.append(self.terms.bv(int(text[2:]), int(width)))
            case (_Token("symbol", text), *_) if text in RESERVED:
                raise _fail(f"not supported here: {text}", expression)
            case (head, *args):
                self.work.append(_Apply(head, len(args), expression))
                self.work.extend(reversed(args))

    def _let(self, bindings: Sequence[_Expression], body: _Expression) -> None:
        names: list[str] = []
        values: list[_Expression] = []
        for binding in bindings:
            match binding:
                case _List((_Token("symbol" | "quoted", name), value)):
                    if name in names:
                        raise _fail(f"{name} is bound twice", binding)
                    names.append(name)
                    values.append(value)
                case _:
                    raise _fail("expected (name term)", binding)
        self.work.append(_Unbind(tuple(names)))
        self.work.append(body)
        self.work.append(_Bind(tuple(names)))
        self.work.extend(reversed(values))

    def _apply(self, head: _Expression, args: tuple[Term, ...], at: _Expression) -> Term:
        if not args:
            raise _fail("an operator needs arguments", at)
        try:
            return self._operator(head, args)
        except Mismatch as mismatch:
            raise _fail(str(mismatch), at) from None

    def _operator(self, head: _Expression, args: tuple[Term, ...]) -> Term:
        terms = self.terms
        match head:
            case _Token("symbol", name):
                if name not in OPERATORS:
                    raise _fail(f"unknown operator {name}", head)
                return OPERATORS[name](terms, args)
            case _List((_Token("symbol", "as"), _Token("symbol", "const"), of)):
                sort = _sort(of)
                expect(sort.element is not None, "const needs an array sort")
                expect(len(args) == 1 and args[0].sort == sort.element, f"expected one argument of sort {sort.element}")
                return terms.const_array(sort, args[0])
            case _List((_Token("symbol", "_"), _Token("symbol", name), *indices)):
                numbers = [int(i.text) for i in indices if isinstance(i, _Token) and i.kind == "numeral"]
                expect(len(numbers) == len(indices), "an index is a numeral")
                return indexed(terms, name, numbers, args)
        raise _fail("not an operator", head)
