"""Formulas of linear arithmetic as ARMC writes them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from argosy.logic.semantics import Value
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Operation
from argosy.models.effects import effect_of

Name = Callable[[Term], str]

_NEGATED = {"<=": ">", "<": ">=", "=": "=\\="}
_SHOWN = {"<=": "=<", "<": "<", "=": "="}


class NotLinear(Exception):
    """A term that is no linear constraint; the message says what it is."""


def constraint(terms: Terms, root: Term, name: Name) -> str:
    """A formula as a constraint. Raises NotLinear for one that is not made of linear comparisons."""
    shown: dict[tuple[Term, bool], str] = {}
    stack: list[tuple[Term, bool]] = [(root, True)]
    while stack:
        term, positive = key = stack[-1]
        if key in shown:
            stack.pop()
        elif term.op in ("and", "or"):
            missing = [(arg, positive) for arg in term.args if (arg, positive) not in shown]
            if missing:
                stack += missing
                continue
            operator = ", " if (term.op == "and") == positive else " ; "
            shown[key] = f"({operator.join(shown[arg, positive] for arg in term.args)})"
        elif term.op == "not":
            inner = (term.args[0], not positive)
            if inner not in shown:
                stack.append(inner)
                continue
            shown[key] = shown[inner]
        else:
            shown[key] = _literal(terms, term, positive, name)
    return shown[root, True]


def _literal(terms: Terms, term: Term, positive: bool, name: Name) -> str:
    if term.is_const:
        return "1 = 1" if bool(term.value) == positive else "1 = 0"
    if term.op not in _SHOWN or not term.args[0].sort.is_numeric:
        raise NotLinear(f"{term.op} is no comparison of numbers" if term.args else f"{term.name} is no number")
    left, right = term.args
    operator = _SHOWN[term.op] if positive else _NEGATED[term.op]
    return f"{expression(terms, left, name)} {operator} {expression(terms, right, name)}"


def expression(terms: Terms, term: Term, name: Name) -> str:
    """A linear expression, as a sum of multiples of variables."""
    coefficients, constant = terms.linear(term)
    parts: list[tuple[bool, str]] = []
    for part, factor in coefficients.items():
        if not part.is_var:
            raise NotLinear(f"{part.op} is not linear")
        size = abs(factor)
        parts.append((factor < 0, name(part) if size == 1 else f"{_number(size)}*{name(part)}"))
    if constant != 0 or not parts:
        parts.append((constant < 0, _number(abs(constant))))
    parts.sort(key=lambda part: part[0])  # 2*x - y reads better than -y + 2*x
    (negative, first), *others = parts
    text = f"-{first}" if negative else first
    return text + "".join(f" {'-' if negative else '+'} {part}" for negative, part in others)


def _number(value: Value) -> str:
    exact = Fraction(value)
    return str(exact.numerator) if exact.denominator == 1 else f"{exact.numerator}/{exact.denominator}"


def operation_text(terms: Terms, operation: Operation) -> str:
    """An operation as people read it: conditions and new values, without what stays as it is."""
    effect = effect_of(terms, operation)
    parts = [_shown(constraint, terms, part) for part in (*effect.guards, *effect.ties)]
    parts += [f"{variable.name}' = {_shown(expression, terms, value)}" for variable, value in effect.definitions]
    parts += [f"{variable.name}' = _" for variable in effect.havocs]
    return ", ".join(parts)


def _shown(how: Callable[[Terms, Term, Name], str], terms: Terms, term: Term) -> str:
    try:
        return how(terms, term, _plain)
    except NotLinear:
        return str(term)


def _plain(variable: Term) -> str:
    return variable.name
