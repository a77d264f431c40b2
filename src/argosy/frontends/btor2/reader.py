"""BTOR2 line by line into a transition system; what the reference parser (btor2tools) refuses is refused here.

A state without ``next`` is free in every step, one without ``init`` in the first; ``-n`` negates every bit; an array
that is initialised with a word has it everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.basics.records import replace
from argosy.frontends.btor2.operators import (
    BINARY,
    EQUALITIES,
    OF_BITS,
    OF_ONE_BIT,
    SAME_SORT,
    UNARY,
    ArraySort,
    BtorSort,
    SortedTerm,
    WordOperators,
    WordSort,
)
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import variables
from argosy.models.system import BadState, StateVariable, System, SystemInput, distinct_name

WIDEST = 1 << 16
"""Wider words are refused: constants of so many bits alone take the memory."""

_NUMBER = re.compile(r"[1-9][0-9]{0,17}")
_INDEX = re.compile(r"0|[1-9][0-9]{0,17}")
_OPERAND = re.compile(r"-?[1-9][0-9]{0,17}")
_CONSTANTS = frozenset({"const", "constd", "consth", "one", "ones", "zero"})
_DIGITS = {"const": re.compile(r"[01]+"), "constd": re.compile(r"-?[0-9]+"), "consth": re.compile(r"[0-9a-fA-F]+")}


def read_btor2(path: str, text: str, terms: Terms | None = None) -> System:
    """State variables and inputs are in the order of the file, in which witnesses count them. Raises InputError for
    what is no BTOR2, UnsupportedError for justice, fairness and what is too large."""
    return _Reader(path, terms or Terms()).system(text)


class _Reader:
    def __init__(self, path: str, terms: Terms) -> None:
        self._path = path
        self._terms = terms
        self._operators = WordOperators(terms)
        self._sorts: dict[int, BtorSort] = {}
        self._values: dict[int, SortedTerm] = {}
        self._states: dict[int, StateVariable] = {}
        self._inputs: list[SystemInput] = []
        self._input_terms: set[Term] = set()
        self._bad: list[BadState] = []
        self._constraints: list[Term] = []
        self._names: set[str] = set()
        self._last = 0
        self._line = 0

    # ---- errors -------------------------------------------------------------------------------------------

    @property
    def _position(self) -> Position:
        return Position(self._path, self._line, 1)

    def _error(self, what: str) -> InputError:
        return InputError(self._position, what)

    # ---- lines --------------------------------------------------------------------------------------------

    def system(self, text: str) -> System:
        for number, line in enumerate(text.splitlines(), 1):
            self._line = number
            words = self._words(line)
            if words:
                self._read(words)
        return System(
            self._terms,
            tuple(self._states.values()),
            tuple(self._inputs),
            tuple(self._bad),
            tuple(self._constraints),
            path=self._path,
        )

    @staticmethod
    def _words(line: str) -> list[str]:
        """Without the comment: it begins with a semicolon that begins a word."""
        words = line.split()
        for place, word in enumerate(words):
            if word.startswith(";"):
                return words[:place]
        return words

    def _read(self, words: list[str]) -> None:
        if not _NUMBER.fullmatch(words[0]):
            raise self._error(f"a line begins with its number, not with {words[0][:40]}")
        own = int(words[0])
        if own <= self._last:
            raise self._error(f"line number {own} comes after {self._last}")
        self._last = own
        if len(words) < 2:
            raise self._error("nothing behind the number of the line")
        tag, rest = words[1], words[2:]
        match tag:
            case "sort":
                self._sorts[own] = self._sort(rest)
            case "bad" | "constraint" | "output" | "fair":
                self._property(own, tag, rest)
            case "justice":
                raise UnsupportedError(self._position, "justice properties of BTOR2: only bad states are decided")
            case "init" | "next":
                self._defined(tag, rest)
            case _:
                self._node(own, tag, rest)

    def _sort(self, words: list[str]) -> BtorSort:
        match words:
            case ["bitvec", width, *rest] if _NUMBER.fullmatch(width):
                self._end(rest)
                if int(width) > WIDEST:
                    raise UnsupportedError(self._position, f"words of {width} bits (at most {WIDEST})")
                return WordSort(int(width))
            case ["array", index, element, *rest]:
                self._end(rest)
                sorts = (self._known_sort(index), self._known_sort(element))
                if not (isinstance(sorts[0], WordSort) and isinstance(sorts[1], WordSort)):
                    raise UnsupportedError(self._position, "arrays of arrays")
                return ArraySort(sorts[0], sorts[1])
        raise self._error("a sort is 'bitvec WIDTH' or 'array INDEX ELEMENT'")

    def _known_sort(self, word: str) -> BtorSort:
        if not _NUMBER.fullmatch(word) or int(word) not in self._sorts:
            raise self._error(f"{word[:40]} is no sort")
        return self._sorts[int(word)]

    def _operand(self, word: str) -> SortedTerm:
        if not _OPERAND.fullmatch(word):
            raise self._error(f"{word[:40]} is no operand")
        number = int(word)
        value = self._values.get(abs(number))
        if value is None:
            raise self._error(f"operand {abs(number)} is not defined")
        if number > 0:
            return value
        if isinstance(value.sort, ArraySort):
            raise self._error(f"{word} negates an array")
        return self._operators.negated(value)

    def _operands(self, words: list[str], count: int, tag: str) -> tuple[list[SortedTerm], list[str]]:
        if len(words) < count:
            raise self._error(f"{tag} needs {count} operand{'' if count == 1 else 's'}")
        return [self._operand(word) for word in words[:count]], words[count:]

    def _end(self, rest: Sequence[str]) -> str | None:
        """The symbol at the end of a line, if there is one."""
        if len(rest) > 1:
            raise self._error(f"unexpected {rest[1][:40]} behind the symbol {rest[0][:40]}")
        return rest[0] if rest else None

    # ---- what is asked ------------------------------------------------------------------------------------

    def _property(self, own: int, tag: str, words: list[str]) -> None:
        [value], rest = self._operands(words, 1, tag)
        symbol = self._end(rest)
        if tag == "output":
            return
        if value.sort != WordSort(1):
            raise self._error(f"{tag} needs one bit, not {value.sort}")
        if tag == "fair":
            raise UnsupportedError(self._position, "fairness constraints of BTOR2: only bad states are decided")
        if tag == "bad":
            self._bad.append(BadState(symbol or f"bad state {len(self._bad)}", value.term, self._position))
        else:
            self._constraints.append(value.term)

    def _defined(self, tag: str, words: list[str]) -> None:
        """``init`` and ``next`` of a state."""
        if len(words) < 3:
            raise self._error(f"{tag} needs a sort, a state and a value")
        sort = self._known_sort(words[0])
        state = self._states.get(int(words[1])) if _NUMBER.fullmatch(words[1]) else None
        if state is None:
            raise self._error(f"{words[1][:40]} is no state")
        own = self._values[int(words[1])]
        value = self._operand(words[2])
        self._end(words[3:])
        if own.sort != sort:
            raise self._error(f"the state has the sort {own.sort}, not {sort}")
        if tag == "init" and isinstance(sort, ArraySort) and value.sort == sort.element:
            value = self._operators.filled(sort, value)
        if value.sort != sort:
            raise self._error(f"{tag} gives the sort {value.sort} to a state of the sort {sort}")
        if (state.initial if tag == "init" else state.next) is not None:
            raise self._error(f"{tag} of state {words[1]} is given twice")
        if tag == "next":
            self._states[int(words[1])] = replace(state, next=value.term)
            return
        if abs(int(words[2])) > int(words[1]):
            raise self._error("the first value of a state stands before the state")
        if not self._input_terms.isdisjoint(variables(value.term)):
            raise self._error("the first value of a state depends on an input")
        self._states[int(words[1])] = replace(state, initial=value.term)

    # ---- nodes --------------------------------------------------------------------------------------------

    def _node(self, own: int, tag: str, words: list[str]) -> None:
        if tag not in _NODES:
            raise self._error(f"unknown operator {tag[:40]}")
        if not words:
            raise self._error(f"{tag} needs a sort")
        sort, words = self._known_sort(words[0]), words[1:]
        if tag in ("input", "state"):
            value = self._variable(own, tag, sort, words)
        elif tag in _CONSTANTS:
            value = self._constant(tag, sort, words)
        else:
            value, rest = self._applied(tag, sort, words)
            self._end(rest)
        if value.sort != sort:
            raise self._error(f"{tag} gives the sort {value.sort}, not {sort}")
        self._values[own] = value

    def _variable(self, own: int, tag: str, sort: BtorSort, words: list[str]) -> SortedTerm:
        name = distinct_name(self._end(words) or f"{tag}{own}", self._names, str(own))
        term = self._terms.var(name, sort.of_variables)
        if tag == "input":
            self._inputs.append(SystemInput(term, name, None, self._position))
            self._input_terms.add(term)
        else:
            self._states[own] = StateVariable(term, name, position=self._position)
        return SortedTerm(sort, term)

    def _constant(self, tag: str, sort: BtorSort, words: list[str]) -> SortedTerm:
        if not isinstance(sort, WordSort):
            raise self._error(f"{tag} is a word, not {sort}")
        width = sort.width
        if tag in ("zero", "one", "ones"):
            self._end(words)
            return self._operators.constant({"zero": 0, "one": 1, "ones": -1}[tag], width)
        if not words or not _DIGITS[tag].fullmatch(words[0]):
            raise self._error(f"{tag} needs digits")
        digits = words[0]
        self._end(words[1:])
        fits = len(digits) == width if tag == "const" else len(digits) <= width + 2
        number = int(digits, {"const": 2, "consth": 16}.get(tag, 10)) if fits and len(digits) <= 4000 else None
        if number is None and tag == "const" and fits:
            number = int(digits, 2)
        if number is None or not -(1 << (width - 1)) <= number < 1 << width:
            raise self._error(f"{digits[:40]} does not fit into {width} bit{'' if width == 1 else 's'}")
        return self._operators.constant(number, width)

    def _applied(self, tag: str, sort: BtorSort, words: list[str]) -> tuple[SortedTerm, list[str]]:
        operators = self._operators
        if tag in ("uext", "sext", "slice"):
            return self._indexed(tag, words)
        if tag in UNARY:
            [a], rest = self._operands(words, 1, tag)
            self._of_words(tag, a)
            return operators.unary(tag, a), rest
        if tag in BINARY:
            [a, b], rest = self._operands(words, 2, tag)
            self._check_binary(tag, a, b)
            return operators.read(a, b) if tag == "read" else operators.binary(tag, a, b), rest
        [a, b, c], rest = self._operands(words, 3, tag)
        if tag == "ite":
            if a.sort != WordSort(1) or b.sort != c.sort:
                raise self._error(f"ite needs a bit and two of one sort, not {a.sort}, {b.sort} and {c.sort}")
            return operators.choice(a, b, c), rest
        if not isinstance(a.sort, ArraySort) or (b.sort, c.sort) != (a.sort.index, a.sort.element):
            raise self._error(f"write does not fit: {a.sort}, {b.sort}, {c.sort}")
        return operators.write(a, b, c), rest

    def _indexed(self, tag: str, words: list[str]) -> tuple[SortedTerm, list[str]]:
        [a], rest = self._operands(words, 1, tag)
        self._of_words(tag, a)
        count = 2 if tag == "slice" else 1
        if len(rest) < count or not all(_INDEX.fullmatch(word) for word in rest[:count]):
            raise self._error(f"{tag} needs {count} number{'' if count == 1 else 's'} behind its operand")
        numbers = [int(word) for word in rest[:count]]
        if tag != "slice":
            if a.width + numbers[0] > WIDEST:
                raise UnsupportedError(self._position, f"words of {a.width + numbers[0]} bits (at most {WIDEST})")
            return self._operators.extended(tag, a, numbers[0]), rest[count:]
        high, low = numbers
        if not low <= high < a.width:
            raise self._error(f"bits {high} down to {low} of {a.sort}")
        return self._operators.slice(a, high, low), rest[count:]

    def _of_words(self, tag: str, *values: SortedTerm) -> None:
        for value in values:
            if not isinstance(value.sort, WordSort):
                raise self._error(f"{tag} is for words, not for {value.sort}")

    def _check_binary(self, tag: str, a: SortedTerm, b: SortedTerm) -> None:
        if tag == "read":
            if not isinstance(a.sort, ArraySort) or b.sort != a.sort.index:
                raise self._error(f"read does not fit: {a.sort}, {b.sort}")
            return
        if tag not in EQUALITIES:
            self._of_words(tag, a, b)
        if tag != "concat" and a.sort != b.sort:
            raise self._error(f"{tag} needs two of one sort, not {a.sort} and {b.sort}")
        if tag in OF_BITS and a.sort != WordSort(1):
            raise self._error(f"{tag} is for bits, not for {a.sort}")


_NODES: Mapping[str, None] = dict.fromkeys(
    [
        *("input", "state", "uext", "sext", "slice", "ite", "write"),
        *_CONSTANTS,
        *UNARY,
        *BINARY,
        *SAME_SORT,
        *OF_ONE_BIT,
    ]
)
