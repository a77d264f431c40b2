"""Existential quantification of variables in a conjunction, as far as it is cheap.

A variable is eliminated, in this order: by an equation that can be solved for it (over integers and rationals, where
its coefficient allows; over bit-vectors by undoing invertible operations); over integers and rationals by combining
lower with upper bounds (Fourier and Motzkin; over integers this is the real shadow, to which the divisibility of an
equation with a coefficient is added); over any sort by treating each disjunct of a disjunction on its own; otherwise
by dropping the conjuncts it occurs in.

Law: the result is implied by the conjunction and does not mention the variables. It is equivalent to the
quantification only when nothing was dropped and no shadow was inexact, so its users validate what they need.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction
from typing import Any

from argosy.basics.records import dataclass
from argosy.logic.sorts import BOOL, INT
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts, substitute, variables

Fallback = Callable[[Term, Sequence[Term]], Term | None]
_PAIRS = 64  # so many new conjuncts at most from the bounds of one variable
_CASES = 64  # so many disjuncts at most are treated apart for one variable


@dataclass(frozen=True, slots=True)
class Solution:
    """``variable`` equals ``value`` under the condition ``rest``, which no longer mentions the variable."""

    variable: Term
    value: Term
    rest: Term


def project(
    terms: Terms,
    parts: Iterable[Term],
    quantified: Collection[Term],
    fallback: Fallback | None = None,
    cases: int = _CASES,
) -> list[Term]:
    """The conjunction of ``parts`` without the variables ``quantified``. ``fallback`` is asked to eliminate a
    variable from the conjuncts that only dropping would be left for; its None means drop. ``cases`` bounds the
    disjuncts that are treated apart."""
    hidden = frozenset(quantified)
    current = _solve(terms, _flat(terms, parts), hidden)
    for variable in sorted(hidden & _mentioned(current), key=lambda v: v.id):
        about = [part for part in current if variable in variables(part)]
        if not about:
            continue
        without = _combine(terms, variable, about)
        if without is None:
            without = _distribute(terms, variable, about, fallback, cases)
        if without is None and fallback is not None:
            exact = fallback(variable, about)
            without = None if exact is None else [exact]
        if without is None:
            without = _combine(terms, variable, [part for part in about if _bound(terms, variable, part) is not None])
        others = [part for part in current if variable not in variables(part)]
        current = _solve(terms, _flat(terms, others + (without or [])), hidden)
    return current


def _distribute(
    terms: Terms, variable: Term, about: Sequence[Term], fallback: Fallback | None, cases: int
) -> list[Term] | None:
    """Eliminate ``variable`` in each disjunct of a disjunction, together with what else is known of it."""
    choice = min((p for p in about if p.op == "or"), key=lambda p: len(p.args), default=None)
    if choice is None or len(choice.args) > cases:
        return None
    others = [part for part in about if part is not choice]
    share = cases // len(choice.args)
    return [
        terms.disjunction(
            terms.conjunction(project(terms, [*others, disjunct], (variable,), fallback, share))
            for disjunct in choice.args
        )
    ]


def _mentioned(parts: Iterable[Term]) -> frozenset[Term]:
    return frozenset().union(*(variables(part) for part in parts))


def _flat(terms: Terms, parts: Iterable[Term]) -> list[Term]:
    """The conjuncts, each once; [false] if they contradict one another syntactically."""
    whole = terms.conjunction(parts)
    return [] if whole is terms.true else list(conjuncts(whole))


# ---- equations --------------------------------------------------------------------------------------------


def _solve(terms: Terms, parts: list[Term], hidden: frozenset[Term]) -> list[Term]:
    """Use up every equation that can be solved for a hidden variable."""
    while True:
        solutions = [(part, _solution(terms, part, hidden & variables(part))) for part in parts]
        usable = [(part, solution) for part, solution in solutions if solution is not None]
        if not usable:
            return parts
        # A known value spreads without making anything larger, so it goes first.
        used, best = min(usable, key=lambda pair: (not pair[1].value.is_const, pair[1].rest is not terms.true))
        mapping = {best.variable: best.value}
        memo: dict[Term, Term] = {}
        moved = [
            substitute(terms, part, mapping, memo) if best.variable in variables(part) else part
            for part in parts
            if part is not used
        ]
        parts = _flat(terms, [*moved, best.rest])


def _solution(terms: Terms, part: Term, candidates: frozenset[Term]) -> Solution | None:
    if not candidates:
        return None
    if part.sort is BOOL and part.is_var:
        return Solution(part, terms.true, terms.true)
    if part.op == "not" and part.args[0].is_var:
        return Solution(part.args[0], terms.false, terms.true)
    if part.op != "=":
        return None
    left, right = part.args
    for variable in sorted(candidates, key=lambda v: v.id):
        if left.sort.is_numeric:
            solution = _solve_linear(terms, variable, left, right)
        else:
            solution = _invert(terms, variable, left, right) or _invert(terms, variable, right, left)
        if solution is not None:
            return solution
    return None


def _solve_linear(terms: Terms, variable: Term, left: Term, right: Term) -> Solution | None:
    difference = terms.sub(left, right)
    coefficients, constant = terms.linear(difference)
    factor = coefficients.get(variable)
    if factor is None or (left.sort is INT and abs(factor) != 1):
        return None
    if any(variable in variables(t) for t in coefficients if t is not variable):
        return None
    scale = -1 / Fraction(factor)
    pieces = [terms.mul(terms.const(scale * c, left.sort), t) for t, c in coefficients.items() if t is not variable]
    return Solution(variable, terms.add(terms.const(scale * constant, left.sort), *pieces), terms.true)


def _invert(terms: Terms, variable: Term, term: Term, value: Term) -> Solution | None:
    """Solve ``term = value`` for ``variable``, which occurs in ``term`` along one path of invertible operations."""
    if variable in variables(value):
        return None
    rest = terms.true
    while term is not variable:
        holders = [i for i, arg in enumerate(term.args) if variable in variables(arg)]
        if len(holders) != 1:
            return None
        index = holders[0]
        inner, others = term.args[index], [arg for i, arg in enumerate(term.args) if i != index]
        width = term.sort.width
        match term.op:
            case "not":
                value = terms.not_(value)
            case "=" if inner.sort is BOOL:
                value = terms.eq(value, others[0])
            case "bvadd":
                value = terms.bit("bvsub", value, others[0])
            case "bvsub":
                value = terms.bit("bvadd", value, others[0]) if index == 0 else terms.bit("bvsub", others[0], value)
            case "bvxor":
                value = terms.bit("bvxor", value, others[0])
            case "bvneg" | "bvnot":
                value = terms.bit(term.op, value)
            case "bvmul" if others[0].is_const and others[0].value % 2 == 1:
                value = terms.bit("bvmul", value, terms.bv(pow(others[0].value, -1, 1 << width), width))
            case "zero_extend" | "sign_extend":
                low = terms.extract(value, inner.sort.width - 1, 0)
                rest = terms.and_(rest, terms.eq(terms.app(term.op, (low,), term.payload), value))
                value = low
            case "concat":
                cut = term.args[1].sort.width
                high, low = terms.extract(value, width - 1, cut), terms.extract(value, cut - 1, 0)
                value, other = (high, low) if index == 0 else (low, high)
                rest = terms.and_(rest, terms.eq(others[0], other))
            case _:
                return None
        term = inner
    return Solution(variable, value, rest)


# ---- bounds -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LinearBound:
    """``factor * variable + term`` is at most zero (below zero if ``strict``, zero if ``equal``)."""

    factor: Any
    term: Term
    strict: bool = False
    equal: bool = False


def _combine(terms: Terms, variable: Term, parts: Sequence[Term]) -> list[Term] | None:
    """What the bounds in ``parts`` say without ``variable``; None when a part is no bound or there are too many."""
    if not variable.sort.is_numeric:
        return None
    bounds = []
    for part in parts:
        bound = _bound(terms, variable, part)
        if bound is None:
            return None
        bounds.append(bound)
    result = []
    for bound in bounds:
        if bound.equal and variable.sort is INT:
            divisor = terms.integer(abs(bound.factor))
            result.append(terms.eq(terms.mod(bound.term, divisor), terms.integer(0)))
    uppers = [b for b in bounds if b.factor > 0 or b.equal]
    lowers = [b for b in bounds if b.factor < 0 or b.equal]
    if len(uppers) * len(lowers) > _PAIRS:
        return None
    for upper in uppers:
        for lower in lowers:
            if upper is not lower:
                result.append(_shadow(terms, upper, lower))
    return result


def _shadow(terms: Terms, upper: LinearBound, lower: LinearBound) -> Term:
    up, low = abs(upper.factor), abs(lower.factor)
    # An equation may stand on either side: it is turned so that the variable cancels.
    above = upper.term if upper.factor > 0 else terms.neg(upper.term)
    below = lower.term if lower.factor < 0 else terms.neg(lower.term)
    sort = above.sort
    total = terms.add(terms.mul(terms.const(low, sort), above), terms.mul(terms.const(up, sort), below))
    zero = terms.const(0, sort)
    if upper.equal and lower.equal:
        return terms.eq(total, zero)
    return terms.lt(total, zero) if upper.strict or lower.strict else terms.le(total, zero)


def _bound(terms: Terms, variable: Term, part: Term) -> LinearBound | None:
    negated = part.op == "not"
    atom = part.args[0] if negated else part
    if atom.op not in ("<=", "<", "=") or not atom.args[0].sort.is_numeric or (negated and atom.op == "="):
        return None
    difference = terms.sub(*atom.args)
    if negated:
        difference = terms.neg(difference)
    coefficients, _ = terms.linear(difference)
    factor = coefficients.get(variable)
    if factor is None or any(variable in variables(t) for t in coefficients if t is not variable):
        return None
    term = terms.sub(difference, terms.mul(terms.const(factor, variable.sort), variable))
    strict = (atom.op == "<") != negated and atom.op != "="
    if strict and variable.sort is INT:
        return LinearBound(factor, terms.add(term, terms.integer(1)))
    return LinearBound(factor, term, strict, atom.op == "=")
