"""Formulas as SMT-LIB 2.6 text, exactly as they were written: nothing is evaluated, folded or put in another form.

The terms of the analysis are rewritten whenever one is built (``logic.terms``), and substitution builds new ones. An
obligation that someone else shall check must not depend on that. Here a formula is a term *as it stands in the model*
together with the names under which its variables are read (``Instance``), joined to others by a few connectives; no
term is ever built. Reading a variable under another name is therefore a matter of printing.

Law: the text of ``Instance(term, names)`` has, under every valuation of the names, the value that ``traverse.evaluate``
gives the term. The text is linear in the graph of the term: what is used more than once, or nests deeply, gets a name
by ``define-fun``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from argosy.basics.records import dataclass
from argosy.certify import plain_floats
from argosy.logic.floating import FLOAT_OPERATORS, FLOAT_PREDICATES
from argosy.logic.semantics import Value
from argosy.logic.sorts import BOOL, Sort
from argosy.logic.terms import Term
from argosy.logic.traverse import postorder

_SIMPLE = re.compile(r"[A-Za-z_][A-Za-z0-9_!.]*\Z")
_LONGEST = 400  # characters of a part that is written where it is used
_DEEPEST = 40


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """A symbol of the text. It is made by ``Names``, so that it is no word of SMT-LIB and no other name; and it is
    equal to itself only."""

    symbol: str
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """``term``, each of whose variables is read under a name."""

    term: Term
    names: Mapping[Term, Name]


@dataclass(frozen=True, slots=True)
class Joined:
    """Formulas under a connective of SMT-LIB: and, or, not, =>, =."""

    op: str
    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ForAll:
    """``part`` holds for all values of the names, which it has in common with nothing else."""

    names: tuple[Name, ...]
    part: Formula


Formula = Name | Instance | Joined | ForAll

TRUE = Joined("and", ())
FALSE = Joined("or", ())


def both(*parts: Formula) -> Formula:
    return _joined("and", parts)


def either(*parts: Formula) -> Formula:
    return _joined("or", parts)


def negated(part: Formula) -> Formula:
    return Joined("not", (part,))


def implied(premise: Formula, conclusion: Formula) -> Formula:
    return Joined("=>", (premise, conclusion))


def equal(one: Formula, other: Formula) -> Formula:
    return Joined("=", (one, other))


def _joined(op: str, parts: tuple[Formula, ...]) -> Formula:
    left = tuple(part for part in parts if part != Joined(op, ()))
    return left[0] if len(left) == 1 else Joined(op, left)


@dataclass(frozen=True, slots=True)
class Declare:
    """Any value of the name's sort."""

    name: Name


@dataclass(frozen=True, slots=True)
class Define:
    name: Name
    formula: Formula


@dataclass(frozen=True, slots=True)
class Assert:
    formula: Formula


@dataclass(frozen=True, slots=True)
class Comment:
    text: str


Statement = Declare | Define | Assert | Comment


@dataclass(frozen=True, slots=True)
class _Part:
    """What is said before it is used: ``symbol`` stands for ``text``, or, where that is ``implicit``, is the one value
    for which ``text`` is true."""

    symbol: str
    sort: Sort
    text: str
    implicit: bool = False

    def lines(self) -> Iterator[str]:
        if self.implicit:
            yield f"(declare-const {self.symbol} {self.sort})"
            yield f"(assert {self.text})"
        else:
            yield f"(define-fun {self.symbol} () {self.sort} {self.text})"

    def within(self, text: str) -> str:
        """A text that uses the symbol, with what it stands for. All values that there are for it are one value."""
        if self.implicit:
            return f"(forall (({self.symbol} {self.sort})) (=> {self.text} {text}))"
        return f"(let (({self.symbol} {self.text})) {text})"


class Names:
    """Names that are used once in a text. The number tells them apart, whatever the model calls its variables."""

    def __init__(self) -> None:
        self._count = 0

    def new(self, what: str, sort: Sort = BOOL) -> Name:
        self._count += 1
        return Name(f"{what.replace('|', '?').replace(chr(92), '?')}!{self._count}", sort)


class Printer:
    """Statements as lines of text. Names for what is shared come from ``names`` as well."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def lines(self, statement: Statement) -> Iterator[str]:
        before: list[_Part] = []
        match statement:
            case Declare(name):
                line = f"(declare-const {_symbol(name)} {name.sort})"
            case Define(name, formula):
                line = f"(define-fun {_symbol(name)} () {name.sort} {self._text(formula, before)})"
            case Assert(formula):
                line = f"(assert {self._text(formula, before)})"
            case Comment(text):
                line = f"; {' '.join(text.split())}" if text else ""
        for part in before:
            yield from part.lines()
        yield line

    def _text(self, formula: Formula, before: list[_Part]) -> str:
        """The formula; ``before`` gets the definitions that it needs."""
        match formula:
            case Name():
                return _symbol(formula)
            case Instance(term, names):
                return self._term(term, names, before)
            case ForAll(bound, part):
                return self._quantified(bound, part)
        if not formula.parts:
            return "true" if formula.op == "and" else "false"
        return f"({formula.op} {' '.join(self._text(part, before) for part in formula.parts)})"

    def _quantified(self, bound: tuple[Name, ...], part: Formula) -> str:
        """What is shared inside is named by ``let``: a definition outside could not speak of what is bound."""
        inner: list[_Part] = []
        text = self._text(part, inner)
        for shared in reversed(inner):
            text = shared.within(text)
        return f"(forall ({' '.join(f'({_symbol(name)} {name.sort})' for name in bound)}) {text})"

    def _term(self, root: Term, names: Mapping[Term, Name], before: list[_Part]) -> str:
        uses: dict[Term, int] = {}
        for term in postorder(root):
            for argument in term.args:
                uses[argument] = uses.get(argument, 0) + 1
        text: dict[Term, str] = {}
        depth: dict[Term, int] = {}
        for term in postorder(root):
            if term.op == "var":
                text[term] = _symbol(names[term])
            elif term.op == "const":
                text[term] = _constant(term.payload, term.sort)
            elif term.op in FLOAT_PREDICATES:
                text[term], depth[term] = plain_floats.predicate(term, [text[a] for a in term.args]), 1
            elif term.op in FLOAT_OPERATORS:
                name = self._names.new("float", term.sort)
                said = plain_floats.condition(term, [text[a] for a in term.args], _symbol(name))
                before.append(_Part(_symbol(name), term.sort, said, implicit=True))
                text[term], depth[term] = _symbol(name), 0
            else:
                text[term] = f"({_operator(term)} {' '.join(text[argument] for argument in term.args)})"
                depth[term] = 1 + max(depth.get(argument, 0) for argument in term.args)
                long = len(text[term]) > _LONGEST or depth[term] > _DEEPEST
                if term is not root and (long or (uses[term] > 1 and depth[term] > 1)):
                    name = self._names.new("part", term.sort)
                    before.append(_Part(_symbol(name), term.sort, text[term]))
                    text[term], depth[term] = _symbol(name), 0
        return text[root]


def _symbol(name: Name) -> str:
    return name.symbol if _SIMPLE.match(name.symbol) else f"|{name.symbol}|"


def _operator(term: Term) -> str:
    match term.op:
        case "extract":
            high, low = term.payload
            return f"(_ extract {high} {low})"
        case "zero_extend" | "sign_extend":
            return f"(_ {term.op} {term.payload})"
        case "const-array":
            return f"(as const {term.sort})"
    return term.op


def _constant(value: Value, sort: Sort) -> str:
    match sort.kind:
        case "bool":
            return "true" if value else "false"
        case "bits":
            return f"#b{value:0{sort.width}b}" if sort.width % 4 else f"#x{value:0{sort.width // 4}x}"
        case "int":
            return f"{value}" if value >= 0 else f"(- {-value})"
        case "real":
            number = Fraction(value)
            size = f"{abs(number.numerator)}.0"
            size = size if number.denominator == 1 else f"(/ {size} {number.denominator}.0)"
            return size if number >= 0 else f"(- {size})"
    raise ValueError(f"no constants of sort {sort}: arrays are built by store")
