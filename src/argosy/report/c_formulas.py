"""Formulas as C expressions, weakened to what can be said at a place of the source.

A formula is brought into negation normal form; a comparison about something that has no name there, or that C cannot
evaluate in 64 bits, is replaced by *true*.

Law: the expression follows from the formula, has no side effect, and evaluating it is defined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from argosy.basics.records import replace
from argosy.logic.semantics import signed as signed_value
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts
from argosy.report.c_numbers import CNumber, CNumbers, CVariable, NotInC, common, range_of

TRUE, FALSE = "1", "0"
_MIRRORED = {"<": ">", ">=": "<=", "==": "==", "!=": "!="}


Bounds = dict[Term, tuple[int, int]]


class CFormulas:
    """Where a formula is a conjunction with bounds of variables, these come first: the rest is evaluated only where
    they hold, and need not wrap around there."""

    def __init__(self, terms: Terms, variable: Callable[[Term], CVariable]) -> None:
        self._terms = terms
        self._variable = variable
        self._inside: dict[frozenset[tuple[Term, tuple[int, int]]], _Within] = {}

    def weakened(self, formula: Term) -> Term:
        """What of a formula can be said."""
        bounds, rest = self._apart(formula)
        kept = self._within({}).keep(self._terms.conjunction(bounds), True)
        return self._terms.and_(kept, self._within(self._ranges(bounds)).keep(self._terms.conjunction(rest), True))

    def text(self, formula: Term) -> str:
        """A formula that was weakened, as C has it."""
        bounds, rest = self._apart(formula)
        plain, inside = self._within({}), self._within(self._ranges(bounds))
        parts = [plain.text(part, True) for part in plain.equalities(bounds)]
        parts += (inside.text(part, True) for part in inside.equalities(rest))
        return _joined("&&", parts)[0] if parts else TRUE

    def _within(self, bounds: Bounds) -> _Within:
        key = frozenset(bounds.items())
        if key not in self._inside:
            self._inside[key] = _Within(self._terms, partial(self._bounded, bounds))
        return self._inside[key]

    def _bounded(self, bounds: Bounds, term: Term) -> CVariable:
        own = self._variable(term)
        return replace(own, low=bounds[term][0], high=bounds[term][1]) if term in bounds else own

    def _apart(self, formula: Term) -> tuple[list[Term], list[Term]]:
        """The bounds of variables among the conjuncts, and the others."""
        bounds: list[Term] = []
        rest: list[Term] = []
        for part in conjuncts(formula):
            (rest if self._bound(part) is None else bounds).append(part)
        return bounds, [part for part in rest if part is not self._terms.true]

    def _bound(self, literal: Term) -> tuple[Term, int | None, int | None] | None:
        """A variable with a bound from below or from above."""
        negative = literal.op == "not"
        atom = literal.args[0] if negative else literal
        if atom.op not in ("bvslt", "bvult"):
            return None
        small, large = atom.args
        variable, constant = (small, large) if small.is_var else (large, small)
        if not variable.is_var or constant.op != "const":
            return None
        try:
            if self._variable(variable).signed != (atom.op == "bvslt"):
                return None
        except NotInC:
            return None
        width = variable.sort.width
        number = signed_value(constant.payload, width) if atom.op == "bvslt" else constant.payload
        if variable is small:
            return (variable, number, None) if negative else (variable, None, number - 1)
        return (variable, None, number) if negative else (variable, number + 1, None)

    def _ranges(self, bounds: Iterable[Term]) -> Bounds:
        found: Bounds = {}
        for part in bounds:
            bound = self._bound(part)
            assert bound is not None
            variable, low, high = bound
            known = found.get(variable, range_of(variable.sort.width, self._variable(variable).signed))
            found[variable] = (
                known[0] if low is None else max(known[0], low),
                known[1] if high is None else min(known[1], high),
            )
        return {variable: known for variable, known in found.items() if known[0] <= known[1]}


class _Within:
    """Formulas where variables are in known ranges."""

    def __init__(self, terms: Terms, variable: Callable[[Term], CVariable]) -> None:
        self._terms = terms
        self._numbers = CNumbers(variable)
        self._known: dict[tuple[Term, bool], str | None] = {}

    # ---- weakening ----------------------------------------------------------------------------------------

    def keep(self, term: Term, positive: bool) -> Term:
        terms = self._terms
        match term.op:
            case "not":
                return self.keep(term.args[0], not positive)
            case "and" | "or":
                parts = [self.keep(part, positive) for part in term.args]
                return terms.conjunction(parts) if (term.op == "and") == positive else terms.disjunction(parts)
            case "ite":
                condition, yes, no = term.args
                first = terms.or_(self.keep(condition, False), self.keep(yes, positive))
                return terms.and_(first, terms.or_(self.keep(condition, True), self.keep(no, positive)))
            case "const":
                return terms.boolean(bool(term.payload) == positive)
            case "=" if term.args[0].sort is terms.true.sort:
                a, b = term.args
                first = terms.or_(self.keep(a, False), self.keep(b, positive))
                return terms.and_(first, terms.or_(self.keep(a, True), self.keep(b, not positive)))
        said = self._literal(term, positive)
        if said in (None, TRUE):
            return terms.true
        if said == FALSE:
            return terms.false
        return term if positive else terms.not_(term)

    # ---- text ---------------------------------------------------------------------------------------------

    def text(self, term: Term, positive: bool) -> tuple[str, bool]:
        """The text and whether it has to be put into parentheses inside another."""
        match term.op:
            case "not":
                return self.text(term.args[0], not positive)
            case "and" | "or":
                sign = "&&" if (term.op == "and") == positive else "||"
                parts = term.args if sign == "||" else self.equalities(term.args)
                return _joined(sign, (self.text(part, positive) for part in parts))
            case "const":
                return (TRUE if bool(term.payload) == positive else FALSE), False
        found = self._literal(term, positive)
        assert found is not None, "weakened formulas have only what can be said"
        return found, True

    def equalities(self, parts: Sequence[Term]) -> Sequence[Term]:
        """Neither less nor greater is equal."""
        left = dict.fromkeys(parts)
        for part in parts:
            if part.op == "not" and part.args[0].op in ("bvslt", "bvult") and part in left:
                smaller, larger = part.args[0].args
                opposite = self._terms.not_(self._terms.bit(part.args[0].op, larger, smaller))
                equal = self._terms.eq(smaller, larger)
                if opposite in left and opposite is not part and self._literal(equal, True) is not None:
                    del left[part], left[opposite]
                    left[equal] = None
        return list(left)

    def _literal(self, term: Term, positive: bool) -> str | None:
        key = (term, positive)
        if key not in self._known:
            try:
                self._known[key] = self._comparison(term, positive)
            except NotInC:
                self._known[key] = None
        return self._known[key]

    def _comparison(self, term: Term, positive: bool) -> str:
        match term.op:
            case "bvslt" | "bvult":
                a, b = (self._numbers.of(part, term.op == "bvslt") for part in term.args)
                return _compared(a, "<" if positive else ">=", b)
            case "=" if term.args[0].sort.kind == "bits":
                found = []
                for signed in (True, False):
                    try:
                        a, b = (self._numbers.of(part, signed) for part in term.args)
                        found.append(_compared(a, "==" if positive else "!=", b))
                    except NotInC:
                        continue
                if found:
                    return min(found, key=len)
        raise NotInC


def _joined(sign: str, parts: Iterable[tuple[str, bool]]) -> tuple[str, bool]:
    found = list(dict.fromkeys(parts))
    if len(found) == 1:
        return found[0]
    return f" {sign} ".join(f"({text})" if compound else text for text, compound in found), True


def _compared(a: CNumber, sign: str, b: CNumber) -> str:
    """A constant goes to the right; what the types decide is no question (compilers warn of it)."""
    decided = _decided(a, sign, b)
    if decided is not None:
        return decided
    if a.low == a.high:
        a, b, sign = b, a, _MIRRORED[sign]
    a, b = common(a, b)
    return f"{a.text} {sign} {b.text}"


def _decided(a: CNumber, sign: str, b: CNumber) -> str | None:
    if sign in ("<", ">="):
        always, never = a.high < b.low, a.low >= b.high
    else:
        always, never = a.low == a.high == b.low == b.high, a.high < b.low or b.high < a.low
    if not always and not never:
        return None
    return TRUE if always == (sign in ("<", "==")) else FALSE
