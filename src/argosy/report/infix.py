"""Formulas as people read them: SMT-LIB text turned into the operators of C, for display only.

Signed and unsigned comparisons look the same here, as they do in C; results keep the exact text. What has no operator
in C is written as a function, and text that is bound by ``let`` is too long to be read anyway and stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

Expression = str | list["Expression"]

_TOKEN = re.compile(r"\(|\)|\|[^|]*\||[^\s()]+")

_COMPARISONS = {"bvult": "<", "bvslt": "<", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "=": "==", "distinct": "!="}
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

# Operators by how strongly they bind.
_OPERATORS = {
    "or": ("||", 1),
    "and": ("&&", 2),
    "bvor": ("|", 4),
    "bvxor": ("^", 4),
    "bvand": ("&", 4),
    "bvshl": ("<<", 4),
    "bvlshr": (">>", 4),
    "bvashr": (">>", 4),
    "+": ("+", 5),
    "-": ("-", 5),
    "bvadd": ("+", 5),
    "*": ("*", 6),
    "bvmul": ("*", 6),
    "bvudiv": ("/", 6),
    "bvsdiv": ("/", 6),
    "bvurem": ("%", 6),
    "bvsrem": ("%", 6),
}
_COMPARES = 3
_SIGNED = {"bvslt", "bvsdiv", "bvsrem", "bvadd", "bvmul"}
_ATOM = 9


def infix(text: str, name: Callable[[str], str] = str) -> str:
    """``text`` in C's operators; ``name`` says what a variable is called."""
    if "(let " in text:
        return text
    return _render(_parse(_TOKEN.findall(text)), name)[0]


def _parse(tokens: Sequence[str]) -> Expression:
    open_: list[list[Expression]] = [[]]
    for token in tokens:
        if token == "(":
            open_.append([])
        elif token == ")":
            closed = open_.pop()
            open_[-1].append(closed)
        else:
            open_[-1].append(token)
    return open_[0][0]


def _render(expression: Expression, name: Callable[[str], str], signed: bool = False) -> tuple[str, int]:
    """The text and how strongly its outermost operator binds."""
    match expression:
        case str(atom):
            return _constant(atom, signed) or name(atom.strip("|")), _ATOM
        case ["not", [str(operator), left, right]] if operator in _COMPARISONS:
            return _comparison(_NEGATED[_COMPARISONS[operator]], left, right, name, operator in _SIGNED)
        case [str(operator), left, right] if operator in _COMPARISONS:
            return _comparison(_COMPARISONS[operator], left, right, name, operator in _SIGNED)
        case ["not", argument]:
            return f"!{_inside(argument, name, _ATOM)}", _ATOM
        case ["-" | "bvneg", argument]:
            return f"-{_inside(argument, name, _ATOM)}", _ATOM
        case [str(operator), *arguments] if operator in _OPERATORS and len(arguments) > 1:
            sign, strength = _OPERATORS[operator]
            if operator == "and":
                arguments = _equalities(arguments)
            parts = [
                _inside(argument, name, max(strength + 1, _COMPARES), operator in _SIGNED) for argument in arguments
            ]
            return f" {sign} ".join(parts).replace("+ -", "- "), strength if len(parts) > 1 else 0
        case [["_", str(function), *indices], *arguments]:
            shown = ", ".join(_render(argument, name)[0] for argument in [*arguments, *indices])
            return f"{function}({shown})", _ATOM
        case [str(function), *arguments]:
            return f"{function}({', '.join(_render(argument, name)[0] for argument in arguments)})", _ATOM
    return str(expression), _ATOM


def _inside(expression: Expression, name: Callable[[str], str], least: int, signed: bool = False) -> str:
    text, strength = _render(expression, name, signed)
    return text if strength >= least else f"({text})"


def _comparison(
    sign: str, left: Expression, right: Expression, name: Callable[[str], str], signed: bool
) -> tuple[str, int]:
    """A constant goes to the right."""
    if isinstance(left, str) and _constant(left, signed) is not None:
        left, right, sign = right, left, _MIRRORED[sign]
    first, second = (_inside(side, name, _COMPARES + 1, signed) for side in (left, right))
    return f"{first} {sign} {second}", _COMPARES


def _equalities(conjuncts: list[Expression]) -> list[Expression]:
    """Neither less nor greater is equal."""
    shown: list[Expression] = []
    for conjunct in conjuncts:
        match conjunct:
            case ["not", ["bvult" | "bvslt" as operator, left, right]]:
                opposite: Expression = ["not", [operator, right, left]]
                if opposite in shown:
                    shown[shown.index(opposite)] = ["=", left, right]
                    continue
        shown.append(conjunct)
    return shown


def _constant(atom: str, signed: bool) -> str | None:
    """A number in decimal; None for what is not a number."""
    if atom[:2] in ("#x", "#b"):
        width = (len(atom) - 2) * (4 if atom[1] == "x" else 1)
        value = int(atom[2:], 16 if atom[1] == "x" else 2)
        return str(value - (1 << width) if signed and value >> (width - 1) else value)
    return atom if atom[:1].isdigit() else None
