"""Terms as SMT-LIB 2.6 text: the writing half of ``smtlib``.

A term that shares much is printed with ``let``, so that text is linear in the graph; deep terms do not deepen the call
stack. Names are quoted with ``|`` where SMT-LIB asks for it and where a name is also that of an operator.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from argosy.logic.graph import N, Subterm, postorder
from argosy.logic.semantics import Value
from argosy.logic.sorts import Sort

# Words that are no names of variables, and those of operators (``smtlib_operators`` says what these mean).
_RESERVED = "_ ! as let exists forall match par BINARY DECIMAL HEXADECIMAL NUMERAL STRING true false"
_OPERATORS = (
    "not and or => xor = distinct ite + - * / div mod abs <= < >= > to_real to_int is_int select store concat "
    "bvnot bvneg bvadd bvmul bvand bvor bvxor bvsub bvudiv bvurem bvsdiv bvsrem bvshl bvlshr bvashr bvult bvule bvslt "
    "bvsle bvugt bvuge bvsgt bvsge bvnand bvnor bvxnor bvcomp bvsmod bv2nat ubv_to_int sbv_to_int bv2int"
)
RESERVED = frozenset(_RESERVED.split())
OPERATORS = frozenset(_OPERATORS.split())

_SIMPLE = re.compile(r"[A-Za-z~!$%^&*_+=<>?/-][A-Za-z0-9~!@$%^&*_+=<>.?/-]*\Z")
_HUGE = 1 << 40  # tree sizes double with every level of sharing
_SMALL = 150  # a tree of so many nodes is easier to read than any let


def symbol(name: str) -> str:
    """``name`` as an SMT-LIB symbol."""
    if _SIMPLE.match(name) and name not in OPERATORS and name not in RESERVED:
        return name
    if "|" in name or "\\" in name:
        raise ValueError(f"SMT-LIB has no symbol for the name {name!r}")
    return f"|{name}|"


def to_smtlib(term: N, names: Mapping[N, str] | None = None) -> str:
    """``names`` has symbols to use for variables in place of their own; none of them begins with ``?``."""
    given = names or {}
    shared = _shared(term)
    if not shared:
        return _text(term, given)
    prefix = "?"
    while any(sub.op == "var" and str(sub.payload).startswith(prefix) for sub in postorder(term)):
        prefix += "?"
    bound = {sub: f"{prefix}{i}" for i, sub in enumerate(shared, 1)}
    names = {**given, **bound}
    layers: dict[int, list[N]] = {}
    depth: dict[N, int] = {}
    for sub in postorder(term):
        below = max((depth[a] for a in sub.args), default=0)
        depth[sub] = below + (sub in bound)
        if sub in bound:
            layers.setdefault(depth[sub], []).append(sub)
    pieces = []
    for layer in layers.values():
        bindings = " ".join(f"({names[sub]} {_text(sub, names)})" for sub in layer)
        pieces.append(f"(let ({bindings}) ")
    pieces.append(_text(term, names))
    pieces.append(")" * len(layers))
    return "".join(pieces)


def _shared(term: N) -> list[N]:
    """The subterms worth a name: none if the tree is hardly larger than the graph."""
    sizes: dict[N, int] = {}
    uses: dict[N, int] = {}
    for sub in postorder(term):
        sizes[sub] = min(1 + sum(sizes[a] for a in sub.args), _HUGE)
        for arg in sub.args:
            uses[arg] = uses.get(arg, 0) + 1
    if sizes[term] <= max(_SMALL, 2 * len(sizes)):
        return []
    return [sub for sub in sizes if sub.args and uses.get(sub, 0) > 1]


def _text(root: N, names: Mapping[N, str]) -> str:
    """``root`` with variables and proper subterms replaced by their names."""
    pieces: list[str] = []
    stack: list[N | str] = [root]
    while stack:
        top = stack.pop()
        if isinstance(top, str):
            pieces.append(top)
        elif top in names and (top is not root or top.op == "var"):
            pieces.append(names[top])
        elif top.op == "var":
            pieces.append(symbol(str(top.payload)))
        elif top.op == "const":
            pieces.append(_constant(top.payload, top.sort))
        else:
            pieces.append(f"({_head(top)}")
            stack.append(")")
            for arg in reversed(top.args):
                stack.append(arg)
                stack.append(" ")
    return "".join(pieces)


def _head(term: Subterm) -> str:
    match term.op:
        case "extract":
            return f"(_ extract {term.payload[0]} {term.payload[1]})"
        case "zero_extend" | "sign_extend":
            return f"(_ {term.op} {term.payload})"
        case "const-array":
            return f"(as const {term.sort})"
    if term.op.startswith("fp."):
        # No word of SMT-LIB: who shall read this elsewhere is given ``float_meanings.without_floats``.
        return f"(_ {term.op} {' '.join(map(str, term.payload))})"
    return term.op


def _constant(value: Value, sort: Sort) -> str:
    match sort.kind:
        case "bool":
            return "true" if value else "false"
        case "int":
            return str(value) if value >= 0 else f"(- {-value})"
        case "real":
            return _rational(value)
        case "bits":
            return f"#x{value:0{sort.width // 4}x}" if sort.width % 4 == 0 else f"#b{value:0{sort.width}b}"
    raise ValueError(f"no constants of sort {sort}: arrays are built by store")


def _rational(value: Fraction) -> str:
    sign = value < 0
    numerator, denominator = abs(value.numerator), value.denominator
    text = f"{numerator}.0" if denominator == 1 else f"(/ {numerator}.0 {denominator}.0)"
    return f"(- {text})" if sign else text
