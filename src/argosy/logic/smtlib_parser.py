"""The reading half of ``smtlib``: tokens, S-expressions, sorts and terms. Deep terms do not deepen the call stack."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from argosy.basics.records import dataclass
from argosy.logic.smtlib_operators import OPERATORS, WIDEST, Mismatch, Unmodelled, expect, indexed
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


class SmtLibUnsupported(SmtLibError):
    """Text that has a meaning, which is not modelled."""


@dataclass(frozen=True, slots=True)
class SmtToken:
    """A word of the text."""

    kind: str  # open, close, symbol, quoted, numeral, decimal, hexadecimal, binary, keyword, string, end
    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class SmtList:
    """What stands between brackets."""

    items: tuple[Expression, ...]
    line: int
    column: int


Expression = SmtToken | SmtList
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
_DEEPEST_SORT = 20
# Sorts of theories that are not modelled.
_OTHER_SORTS = frozenset(
    ["String", "RegLan", "RoundingMode", "FloatingPoint", "Float16", "Float32", "Float64", "Float128"]
)


def fail(message: str, at: Expression) -> SmtLibError:
    """The error that something at this place is."""
    return SmtLibError(message, at.line, at.column)


def _tokens(text: str) -> list[SmtToken]:
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
            tokens.append(SmtToken(kind, piece[1:-1] if kind == "quoted" else piece, line, at - start + 1))
        if "\n" in piece:
            line += piece.count("\n")
            start = at + piece.rindex("\n") + 1
        at = match.end()
    tokens.append(SmtToken("end", "end of text", line, at - start + 1))
    return tokens


def _read(text: str) -> Expression:
    """The one S-expression of ``text``."""
    return read_expressions(text, one=True)[0]


def read_expressions(text: str, one: bool = False) -> list[Expression]:
    """The S-expressions that ``text`` is a sequence of."""
    open_: list[tuple[SmtToken, list[Expression]]] = []
    found: list[Expression] = []
    for token in _tokens(text):
        if one and found and token.kind != "end":
            raise fail("text after the end of the expression", token)
        expression: Expression = token
        match token.kind:
            case "open":
                open_.append((token, []))
                continue
            case "close":
                if not open_:
                    raise fail("')' without '('", token)
                bracket, items = open_.pop()
                expression = SmtList(tuple(items), bracket.line, bracket.column)
            case "end":
                if open_:
                    raise fail("'(' without ')'", open_[-1][0])
                if one and not found:
                    raise fail("expected an expression", token)
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
    for expression in read_expressions(text):
        match expression:
            case SmtList((SmtToken("symbol", head), *items)):
                entries.append(Entry(head, tuple(items), expression.line, expression.column))
            case _:
                raise fail("expected (word ...)", expression)
    return entries


def parse_word(expression: Expression) -> str:
    """A name or a number, as it is written."""
    if isinstance(expression, SmtToken) and expression.kind in ("symbol", "quoted", "numeral"):
        return expression.text
    raise fail("expected a word", expression)


def parse_expression(terms: Terms, expression: Expression, variables: Mapping[str, Term]) -> Term:
    """As ``parse_term``."""
    return TermReader(terms, variables).term(expression)


# ---- sorts ------------------------------------------------------------------------------------------------


def parse_sort(text: str) -> Sort:
    return sort_of(_read(text))


def sort_of(expression: Expression, depth: int = 0) -> Sort:
    """The sort that is written there; ``depth`` is how many arrays it is inside of."""
    if depth > _DEEPEST_SORT:
        raise fail("arrays of arrays, too deep", expression)
    if isinstance(expression, SmtToken):
        sort = {"Bool": BOOL, "Int": INT, "Real": REAL}.get(expression.text)
        if expression.text in _OTHER_SORTS:
            raise SmtLibUnsupported(f"the sort {expression.text}", expression.line, expression.column)
        if sort is None or expression.kind != "symbol":
            raise fail(f"no such sort: {expression.text}", expression)
        return sort
    match expression.items:
        case (SmtToken("symbol", "_"), SmtToken("symbol", "BitVec"), SmtToken("numeral", width)) if int(width) > 0:
            if int(width) > WIDEST:
                raise fail(f"a bit-vector has at most {WIDEST} bits here", expression)
            return bits(int(width))
        case (SmtToken("symbol", "Array"), index, element):
            return array(sort_of(index, depth + 1), sort_of(element, depth + 1))
        case (SmtToken("symbol", "_" | "Seq" | "Set" | "Bag"), *_):
            raise SmtLibUnsupported("this sort", expression.line, expression.column)
    raise fail("no such sort", expression)


# ---- terms ------------------------------------------------------------------------------------------------


def parse_term(terms: Terms, text: str, variables: Mapping[str, Term]) -> Term:
    """The term that ``text`` denotes, with its free symbols looked up in ``variables``."""
    return TermReader(terms, variables).term(_read(text))


@dataclass(frozen=True, slots=True)
class Bind:
    """The values that were read last are what the names mean from here on."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unbind:
    """The names mean again what they meant before."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ApplyOperator:
    """The operator is applied to as many of the values that were read last."""

    head: Expression
    count: int
    at: Expression


class TermReader:
    """A stack machine: ``work`` is what is still to do, ``values`` are the terms that are done."""

    def __init__(self, terms: Terms, variables: Mapping[str, Term]) -> None:
        self.terms = terms
        self.variables = variables
        self.bound: dict[str, list[Any]] = {}
        self.work: list[Any] = []
        self.values: list[Any] = []

    def term(self, root: Expression) -> Term:
        found = self.run(root)
        assert isinstance(found, Term)
        return found

    def run(self, root: Expression) -> Any:
        self.work.append(root)
        while self.work:
            step = self.work.pop()
            match step:
                case SmtToken():
                    self.word(step)
                case SmtList():
                    self.compound(step)
                case ApplyOperator(head, count, at):
                    args = tuple(self.values[len(self.values) - count :])
                    del self.values[len(self.values) - count :]
                    self.values.append(self.apply(head, args, at))
                case Bind(names):
                    done = self.values[len(self.values) - len(names) :]
                    del self.values[len(self.values) - len(names) :]
                    for name, value in zip(names, done, strict=True):
                        self.bound.setdefault(name, []).append(value)
                case Unbind(names):
                    for name in names:
                        self.bound[name].pop()
                case _:
                    self.other(step)
        return self.values.pop()

    def other(self, step: Any) -> None:
        """A step of a reader that reads more than terms."""
        raise TypeError(step)

    def word(self, token: SmtToken) -> None:
        self.values.append(self.leaf(token))

    def leaf(self, token: SmtToken) -> Term:
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
                    bound: Term = self.bound[token.text][-1]
                    return bound
                if token.text in self.variables:
                    return self.variables[token.text]
                raise fail(f"unknown symbol {token.text}", token)
        raise fail(f"not a term: {token.text}", token)

    def compound(self, expression: SmtList) -> None:
        match expression.items:
            case ():
                raise fail("an empty list is no term", expression)
            case (SmtToken("symbol", "let"), SmtList(bindings), body) if bindings:
                self._let(bindings, body)
            case (SmtToken("symbol", "!"), inner, *_):
                self.work.append(inner)
            case (SmtToken("symbol", "_"), SmtToken("symbol", text), SmtToken("numeral", width)) if _BV.match(text):
                if not 1 <= int(width) <= WIDEST:
                    raise fail(f"a bit-vector has at least one bit, and at most {WIDEST} here", expression)
                self.values.append(self.terms.bv(int(text[2:]), int(width)))
            case (SmtToken("symbol", text), *_) if text in RESERVED:
                raise fail(f"not supported here: {text}", expression)
            case (head, *args):
                self.work.append(ApplyOperator(head, len(args), expression))
                self.work.extend(reversed(args))

    def _let(self, bindings: Sequence[Expression], body: Expression) -> None:
        names: list[str] = []
        values: list[Expression] = []
        for binding in bindings:
            match binding:
                case SmtList((SmtToken("symbol" | "quoted", name), value)):
                    if name in names:
                        raise fail(f"{name} is bound twice", binding)
                    names.append(name)
                    values.append(value)
                case _:
                    raise fail("expected (name term)", binding)
        self.work.append(Unbind(tuple(names)))
        self.work.append(body)
        self.work.append(Bind(tuple(names)))
        self.work.extend(reversed(values))

    def apply(self, head: Expression, args: tuple[Term, ...], at: Expression) -> Term:
        if not args:
            raise fail("an operator needs arguments", at)
        try:
            return self._operator(head, args)
        except Unmodelled as reason:
            raise SmtLibUnsupported(str(reason), at.line, at.column) from None
        except Mismatch as mismatch:
            raise fail(str(mismatch), at) from None

    def _operator(self, head: Expression, args: tuple[Term, ...]) -> Term:
        terms = self.terms
        match head:
            case SmtToken("symbol", name):
                if name not in OPERATORS:
                    raise fail(f"unknown operator {name}", head)
                return OPERATORS[name](terms, args)
            case SmtList((SmtToken("symbol", "as"), SmtToken("symbol", "const"), of)):
                sort = sort_of(of)
                expect(sort.element is not None, "const needs an array sort")
                expect(len(args) == 1 and args[0].sort == sort.element, f"expected one argument of sort {sort.element}")
                return terms.const_array(sort, args[0])
            case SmtList((SmtToken("symbol", "_"), SmtToken("symbol", name), *indices)):
                numbers = [int(i.text) for i in indices if isinstance(i, SmtToken) and i.kind == "numeral"]
                expect(len(numbers) == len(indices), "an index is a numeral")
                return indexed(terms, name, numbers, args)
        raise fail("not an operator", head)
