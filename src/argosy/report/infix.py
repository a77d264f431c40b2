"""Formulas as people read them: SMT-LIB text turned into the operators of C, for display only.

Signed and unsigned comparisons look the same here, as they do in C, and so does a number that was widened; of several
bounds the strongest is left. Results keep the exact text. What has no operator in C is written as a function; what
``let`` binds is put in its place, unless that is too long to be read anyway: then the text stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate

from argosy.logic.floating import DOUBLE, SINGLE, FloatFormat, decimal

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
    "bvsub": ("-", 5),
    "*": ("*", 6),
    "bvmul": ("*", 6),
    "bvudiv": ("/", 6),
    "bvsdiv": ("/", 6),
    "bvurem": ("%", 6),
    "bvsrem": ("%", 6),
}
_COMPARES = 3
_FLOATING = {"fp.lt": ("<", 3), "fp.leq": ("<=", 3), "fp.eq": ("==", 3)}
_FLOATING |= {"fp.add": ("+", 5), "fp.sub": ("-", 5), "fp.mul": ("*", 6), "fp.div": ("/", 6)}
_SIGNED = {"bvslt", "bvsdiv", "bvsrem", "bvadd", "bvmul"}
_ATOM = 9

# Nodes of an expression with everything written out that somebody may still read, and how deep they may lie.
_LONGEST, _DEEPEST = 3_000, 150


def infix(text: str, name: Callable[[str], str] = str) -> str:
    """``text`` in C's operators; ``name`` says what a variable is called."""
    tokens = _TOKEN.findall(text)
    if max(accumulate({"(": 1, ")": -1}.get(token, 0) for token in tokens), default=0) > _DEEPEST:
        return text
    extents: dict[int, tuple[int, int]] = {}
    expression = _unbound(_parse(tokens), {}, extents)
    size, depth = (1, 1) if isinstance(expression, str) else extents[id(expression)]
    return text if size > _LONGEST or depth > _DEEPEST else _render(expression, name)[0]


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


def _unbound(
    expression: Expression, bound: Mapping[str, Expression], extents: dict[int, tuple[int, int]]
) -> Expression:
    """With what ``let`` names in the place of the names. The parts are shared; ``extents`` says of each how many nodes
    it has when it is written out, and how deep."""
    match expression:
        case str(atom):
            return bound.get(atom, atom)
        case ["let", list(bindings), body]:
            inner = dict(bound)
            for binding in bindings:
                inner[str(binding[0])] = _unbound(binding[1], bound, extents)
            return _unbound(body, inner, extents)
    made: Expression = [_unbound(part, bound, extents) for part in expression]
    parts = [(1, 1) if isinstance(part, str) else extents[id(part)] for part in made]
    extents[id(made)] = 1 + sum(size for size, _ in parts), 1 + max((depth for _, depth in parts), default=0)
    return made


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
                arguments = _strongest(_equalities(arguments))
            parts = [
                _inside(argument, name, max(strength + 1, _COMPARES), operator in _SIGNED) for argument in arguments
            ]
            return f" {sign} ".join(parts).replace("+ -", "- "), strength if len(parts) > 1 else 0
        case ["forall", list(bindings), body]:
            return f"for all {', '.join(name(str(binding[0])) for binding in bindings)}: {_render(body, name)[0]}", 0
        case ["select", array, index]:
            return f"{_inside(array, name, _ATOM)}[{_render(index, name)[0]}]", _ATOM
        case [["_", "sign_extend" | "zero_extend" as function, _], argument]:
            return _render(argument, name, function == "sign_extend")
        case [["_", str(function), str(exponent), str(significand)], left, right] if function in _FLOATING:
            sign, strength = _FLOATING[function]
            format_ = FloatFormat(int(exponent), int(significand))
            sides = (_number(side, name, format_, strength + 1) for side in (left, right))
            return f" {sign} ".join(sides), strength
        case [["_", str(function), *indices], *arguments]:
            shown = ", ".join(_render(argument, name)[0] for argument in [*arguments, *indices])
            return f"{function}({shown})", _ATOM
        case [str(function), *arguments]:
            return f"{function}({', '.join(_render(argument, name)[0] for argument in arguments)})", _ATOM
    return str(expression), _ATOM


def _number(expression: Expression, name: Callable[[str], str], format_: FloatFormat, least: int) -> str:
    """An operand that is a floating-point number."""
    if isinstance(expression, str) and expression.startswith(("#x", "#b")):
        value = int(expression[2:], 16 if expression[1] == "x" else 2)
        return decimal(format_, value) if format_ in (SINGLE, DOUBLE) else expression
    return _inside(expression, name, least)


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


def _strongest(conjuncts: list[Expression]) -> list[Expression]:
    """Of several constant bounds on one side of the same thing one says it all."""
    best: dict[object, int] = {}
    shown: list[Expression] = []
    values: list[int] = []
    for conjunct in conjuncts:
        side, value = _bound(conjunct)
        at = None if side is None else best.get(side)
        if at is None:
            if side is not None:
                best[side] = len(shown)
            shown.append(conjunct)
            values.append(value)
        elif value < values[at]:
            shown[at], values[at] = conjunct, value
    return shown


def _bound(conjunct: Expression) -> tuple[object, int]:
    """What is bounded on which side, and a number that is smaller the stronger the bound is; None for anything else."""
    match conjunct:
        case ["not", ["bvult" | "bvslt" as operator, left, right]]:
            negated = True
        case ["bvult" | "bvslt" as operator, left, right]:
            negated = False
        case _:
            return None, 0
    for thing, limit, upper in ((left, right, not negated), (right, left, negated)):
        number = _constant(limit, operator == "bvslt") if isinstance(limit, str) else None
        if number is not None:
            # Twice the number, and one less for a bound that is not reached.
            return (str(thing), operator, upper), (2 if upper else -2) * int(number) - (not negated)
    return None, 0


def _constant(atom: str, signed: bool) -> str | None:
    """A number in decimal; None for what is not a number."""
    if atom[:2] in ("#x", "#b"):
        width = (len(atom) - 2) * (4 if atom[1] == "x" else 1)
        value = int(atom[2:], 16 if atom[1] == "x" else 2)
        return str(value - (1 << width) if signed and value >> (width - 1) else value)
    return atom if atom[:1].isdigit() else None
