"""Horn clauses in Prolog's syntax, as Eldarica reads them: ``p(X, Y) :- q(X, Z), Y = Z + 1, \\+(Z = 0).``

Not Prolog in two ways: any identifier may name a predicate or a variable, and which of them it is, its place tells; a
predicate is its name with the number of its arguments. Numbers are integers; ``/`` and ``mod`` are Euclidean, as
``div`` and ``mod`` of SMT-LIB. Terms are read by the strength of their operators, on a stack: deep ones do not deepen
the call stack.
"""

from __future__ import annotations

import re
from typing import Any

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.basics.records import dataclass
from argosy.frontends.horn.clausify import clauses_of, predicates_of
from argosy.logic.formulas import Application, Formula, Predicate, complement, is_boolean, junction
from argosy.logic.sorts import INT
from argosy.logic.terms import Term, Terms
from argosy.models.clauses import ClauseSystem, HornClause

_TOKEN = re.compile(
    r"""(?P<space>(?:\s+|%[^\n]*|/\*.*?\*/)+)
      | (?P<number>[0-9]+)
      | (?P<name>[A-Za-z_$][A-Za-z0-9_$\#@!']*|'[^'\n]+')
      | (?P<operator>:-|=<|>=|=:=|=\\=|\\=|\\\+|[-+*/=<>,;()]|\.(?=\s|%|$))""",
    re.VERBOSE | re.DOTALL,
)
_LONGEST_NUMBER = 4000

# How strongly an operator binds; a prefix operator is written with a mark.
_STRENGTH = {
    ":-": 1,
    ";": 2,
    ",": 3,
    "\\+": 4,
    **dict.fromkeys(("=", "=:=", "\\=", "=\\=", "<", ">", "=<", ">="), 5),
    "+": 6,
    "-": 6,
    "*": 7,
    "/": 7,
    "mod": 7,
    "negative": 8,
}
_BOTTOM = ("(", "call")


@dataclass(frozen=True, slots=True)
class _Word:
    kind: str
    text: str
    offset: int


@dataclass(frozen=True, slots=True)
class _Open:
    """A bracket or the operator of a term that is not complete; a call has the name of its predicate."""

    operator: str
    offset: int
    name: str = ""
    below: int = 0


def read_prolog(path: str, text: str, terms: Terms) -> ClauseSystem:
    """Raises InputError for what is no clause, UnsupportedError for what is not modelled."""
    return _Clauses(path, text, terms).system()


class _Clauses:
    def __init__(self, path: str, text: str, terms: Terms) -> None:
        self._path = path
        self._text = text
        self._terms = terms
        self._predicates: dict[tuple[str, int], Predicate] = {}
        self._variables: dict[str, Term] = {}
        self._count = 0
        self._clauses: list[HornClause] = []

    def position(self, offset: int) -> Position:
        line = self._text.count("\n", 0, offset) + 1
        return Position(self._path, line, offset - self._text.rfind("\n", 0, offset))

    def _error(self, offset: int, what: str) -> InputError:
        return InputError(self.position(offset), what)

    def system(self) -> ClauseSystem:
        sentence: list[_Word] = []
        for word in self._words():
            if word.text == "." and word.kind == "operator":
                self._clause(sentence, word)
                sentence = []
            else:
                sentence.append(word)
        if sentence:
            raise self._error(sentence[0].offset, "a clause without a full stop")
        if not self._clauses and not self._predicates:
            raise InputError(Position(self._path, 1, 1), "there is no clause")
        clauses = self._clauses
        used = predicates_of(clauses, list(self._predicates.values()))
        return ClauseSystem(self._terms, used, tuple(clauses), self._path)

    def _words(self) -> list[_Word]:
        words = []
        at = 0
        while at < len(self._text):
            match = _TOKEN.match(self._text, at)
            if match is None:
                raise self._error(at, f"unexpected character {self._text[at]!r}")
            kind = match.lastgroup or ""
            if kind == "number" and len(match.group()) > _LONGEST_NUMBER:
                raise self._error(at, f"a number of {len(match.group())} digits")
            if kind != "space":
                words.append(_Word(kind, match.group(), at))
            at = match.end()
        return words

    def _clause(self, sentence: list[_Word], end: _Word) -> None:
        if not sentence:
            raise self._error(end.offset, "a clause that says nothing")
        self._variables = {}
        cut = next((i for i, word in enumerate(sentence) if word.text == ":-"), len(sentence))
        head = sentence[:cut]
        body = sentence[cut + 1 :]
        if not head or (cut < len(sentence) and not body):
            raise self._error(sentence[0].offset, "expected HEAD :- BODY")
        conclusion = self._formula(head, body[0] if body else end)
        if not isinstance(conclusion, Application) and conclusion is not self._terms.false:
            raise self._error(head[0].offset, "expected a predicate or false before :-")
        premise = self._formula(body, end) if body else self._terms.true
        implication = junction(self._terms, False, (complement(self._terms, premise), conclusion))
        self._clauses += clauses_of(self._terms, implication, self.position(sentence[0].offset))

    # ---- terms ----------------------------------------------------------------------------------------------

    def _formula(self, words: list[_Word], end: _Word) -> Formula:
        values: list[Any] = []
        open_: list[_Open] = []
        operand = True  # is a term expected, or an operator?
        for index, word in enumerate(words):
            following = words[index + 1].text if index + 1 < len(words) else ""
            operand = self._operand(word, following, values, open_) if operand else self._operator(word, values, open_)
        if operand:
            raise self._error(end.offset, "a term is missing here")
        while open_:
            if open_[-1].operator in _BOTTOM:
                raise self._error(open_[-1].offset, "'(' without ')'")
            self._reduce(values, open_)
        return self._as_formula(values.pop(), words[0].offset)

    def _operand(self, word: _Word, following: str, values: list[Any], open_: list[_Open]) -> bool:
        if word.kind == "number":
            values.append(self._terms.integer(int(word.text)))
        elif word.kind == "name" and following == "(":
            open_.append(_Open("call", word.offset, word.text, len(values)))
            return True
        elif word.kind == "name":
            values.append(word)
        elif word.text == "(":
            # The bracket of a call was opened with its name.
            if not (open_ and open_[-1].operator == "call" and self._opens(open_[-1], word)):
                open_.append(_Open("(", word.offset))
            return True
        elif word.text in ("-", "+", "\\+"):
            if word.text != "+":
                open_.append(_Open("negative" if word.text == "-" else "\\+", word.offset))
            return True
        else:
            raise self._error(word.offset, f"a term is expected, not {word.text}")
        return False

    def _opens(self, call: _Open, bracket: _Word) -> bool:
        between = self._text[call.offset + len(call.name) : bracket.offset]
        return not between.strip()

    def _operator(self, word: _Word, values: list[Any], open_: list[_Open]) -> bool:
        text = word.text
        if text == ")":
            while open_ and open_[-1].operator not in _BOTTOM:
                self._reduce(values, open_)
            if not open_:
                raise self._error(word.offset, "')' without '('")
            bracket = open_.pop()
            if bracket.operator == "call":
                self._apply(bracket, values)
            return False
        if text not in _STRENGTH or text in (":-", "\\+", "negative"):
            raise self._error(word.offset, f"an operator is expected, not {text}")
        while open_ and open_[-1].operator not in _BOTTOM and _STRENGTH[open_[-1].operator] >= _STRENGTH[text]:
            self._reduce(values, open_)
        if text == "," and open_ and open_[-1].operator == "call":
            return True
        open_.append(_Open(text, word.offset))
        return True

    def _apply(self, call: _Open, values: list[Any]) -> None:
        arguments = tuple(self._as_number(value, call.offset) for value in values[call.below :])
        del values[call.below :]
        values.append(Application(self._predicate(call.name, len(arguments), call.offset), arguments))

    def _predicate(self, name: str, count: int, offset: int) -> Predicate:
        found = self._predicates.get((name, count))
        if found is None:
            where = self.position(offset)
            plain = name.strip("'")
            found = self._predicates[name, count] = Predicate(plain, (INT,) * count, where.line, where.column)
        return found

    def _reduce(self, values: list[Any], open_: list[_Open]) -> None:
        step = open_.pop()
        right = values.pop()
        terms, at = self._terms, step.offset
        if step.operator == "negative":
            values.append(terms.neg(self._as_number(right, at)))
            return
        if step.operator == "\\+":
            values.append(complement(terms, self._as_formula(right, at)))
            return
        left = values.pop()
        if step.operator in (",", ";"):
            both = (self._as_formula(left, at), self._as_formula(right, at))
            values.append(junction(terms, step.operator == ",", both))
            return
        values.append(self._computed(step.operator, self._as_number(left, at), self._as_number(right, at)))

    def _computed(self, operator: str, a: Term, b: Term) -> Term:
        terms = self._terms
        match operator:
            case "+":
                return terms.add(a, b)
            case "-":
                return terms.sub(a, b)
            case "*":
                return terms.mul(a, b)
            case "/":
                return terms.div(a, b)
            case "mod":
                return terms.mod(a, b)
            case "<":
                return terms.lt(a, b)
            case ">":
                return terms.gt(a, b)
            case "=<":
                return terms.le(a, b)
            case ">=":
                return terms.ge(a, b)
            case "\\=" | "=\\=":
                return terms.ne(a, b)
        return terms.eq(a, b)

    def _as_number(self, value: Any, offset: int) -> Term:
        if isinstance(value, _Word):
            if value.text == "_":
                return self._fresh("any")
            if value.text not in self._variables:
                self._variables[value.text] = self._fresh(value.text)
            return self._variables[value.text]
        if isinstance(value, Term) and not is_boolean(value):
            return value
        raise self._error(offset, "a formula where a number belongs")

    def _fresh(self, name: str) -> Term:
        self._count += 1
        return self._terms.var(f"{name}@{self._count}", INT)

    def _as_formula(self, value: Any, offset: int) -> Formula:
        if isinstance(value, _Word):
            if value.text in ("true", "false"):
                return self._terms.boolean(value.text == "true")
            return Application(self._predicate(value.text, 0, value.offset), ())
        if not is_boolean(value):
            raise self._error(offset, "a number where a formula belongs")
        found: Formula = value
        return found
