"""Formulas as C expressions, weakened to what can be said at a place of the source.

A formula is brought into negation normal form; a comparison about something that has no name there, or that C cannot
evaluate in 64 bits, is replaced by *true*.

Law: the expression follows from the formula, has no side effect, and evaluating it is defined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from argosy.logic.terms import Term, Terms
from argosy.report.c_numbers import CNumber, CNumbers, CVariable, NotInC, common

_OPPOSITE = {"<": ">=", "==": "!="}
_MIRRORED = {"<": ">", ">=": "<=", "==": "==", "!=": "!="}


class CFormulas:
    def __init__(self, terms: Terms, variable: Callable[[Term], CVariable]) -> None:
        self._terms = terms
        self._numbers = CNumbers(variable)
        self._known: dict[tuple[Term, bool], str | None] = {}

    def weakened(self, formula: Term) -> Term:
        """What of a formula can be said."""
        return self._keep(formula, True)

    def text(self, formula: Term) -> str:
        """A formula that was weakened, as C has it."""
        return self._text(formula, True)[0]

    # ---- weakening ----------------------------------------------------------------------------------------

    def _keep(self, term: Term, positive: bool) -> Term:
        terms = self._terms
        match term.op:
            case "not":
                return self._keep(term.args[0], not positive)
            case "and" | "or":
                parts = [self._keep(part, positive) for part in term.args]
                return terms.conjunction(parts) if (term.op == "and") == positive else terms.disjunction(parts)
            case "ite":
                condition, yes, no = term.args
                first = terms.or_(self._keep(condition, False), self._keep(yes, positive))
                return terms.and_(first, terms.or_(self._keep(condition, True), self._keep(no, positive)))
            case "const":
                return terms.boolean(bool(term.payload) == positive)
            case "=" if term.args[0].sort is terms.true.sort:
                a, b = term.args
                first = terms.or_(self._keep(a, False), self._keep(b, positive))
                return terms.and_(first, terms.or_(self._keep(a, True), self._keep(b, not positive)))
        literal = term if positive else terms.not_(term)
        return terms.true if self._literal(term, positive) is None else literal

    # ---- text ---------------------------------------------------------------------------------------------

    def _text(self, term: Term, positive: bool) -> tuple[str, bool]:
        """The text and whether it has to be put into parentheses inside another."""
        match term.op:
            case "not":
                return self._text(term.args[0], not positive)
            case "and" | "or":
                sign = "&&" if (term.op == "and") == positive else "||"
                parts = term.args if sign == "||" else self._equalities(term.args)
                return _joined(sign, (self._text(part, positive) for part in parts))
            case "const":
                return ("1" if bool(term.payload) == positive else "0"), False
        found = self._literal(term, positive)
        assert found is not None, "weakened formulas have only what can be said"
        return found, True

    def _equalities(self, parts: Sequence[Term]) -> Sequence[Term]:
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
    listed = [f"({text})" if compound else text for text, compound in dict.fromkeys(parts)]
    return f" {sign} ".join(listed), len(listed) > 1


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
    return "1" if always == (sign in ("<", "==")) else "0"
