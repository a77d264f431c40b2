"""How the three languages spell their words and operators.

They have the same levels of precedence. Higher numbers bind more strongly; ``not`` stands between the connectives and
the comparisons.
"""

from __future__ import annotations

from collections.abc import Mapping

from argosy.basics.records import dataclass
from argosy.frontends.theta.types import INTEGER, RATIONAL, TRUTH, ThetaType

IFF, IMPLY, LARGER, OR, XOR, AND, NOT, EQUAL, ORDER, BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, PRODUCT, CONCAT = range(
    1, 17
)
RIGHT = frozenset((IFF, IMPLY, XOR))
SINGLE = frozenset((LARGER, EQUAL, ORDER, SHIFT))


def _levels(**spelt: str) -> Mapping[str, tuple[int, str]]:
    return {symbol: (globals()[level], symbol) for level, symbols in spelt.items() for symbol in symbols.split()}


_ARITHMETIC = _levels(ORDER="< <= > >=", SUM="+ -", PRODUCT="* / rem", XOR="xor")
_WORDED: Mapping[str, tuple[int, str]] = {
    **_ARITHMETIC,
    **_levels(IFF="iff", IMPLY="imply", OR="or", AND="and", EQUAL="= /=", PRODUCT="mod"),
}
_BITS = _levels(
    LARGER="fpmax fpmin",
    ORDER="bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge",
    BIT_OR="bvor",
    BIT_XOR="bvxor",
    BIT_AND="bvand",
    SHIFT="bvshl bvashr bvlshr bvrol bvror",
    SUM="bvadd bvsub fpadd fpsub",
    PRODUCT="bvmul bvudiv bvsdiv bvsmod bvurem bvsrem fprem fpmul fpdiv",
    CONCAT="++",
)
_UNARY_BITS = "bvpos bvneg bvnot fpabs fpisnan fproundtoint fpsqrt fptofp fptobv fpfrombv fppos fpneg"
_COMMON = "if then else true false forall exists default var"


@dataclass(frozen=True, slots=True)
class Dialect:
    """``binary`` gives for a token the level and the operator it stands for; ``types`` are the types that are words.
    ``rationals``: ``4 % 5`` is a number."""

    binary: Mapping[str, tuple[int, str]]
    unary: frozenset[str]
    negation: str
    types: Mapping[str, ThetaType]
    words: frozenset[str]
    rationals: bool = True


def _dialect(
    binary: Mapping[str, tuple[int, str]],
    unary: str,
    negation: str,
    types: Mapping[str, ThetaType],
    words: str,
    rationals: bool = True,
) -> Dialect:
    symbols = [each for each in (*binary, negation, *unary.split()) if each[0].isalpha()]
    own = frozenset((*symbols, *types, *words.split(), *_COMMON.split()))
    return Dialect(binary, frozenset(unary.split()), negation, types, own, rationals)


_TYPES = {"bool": TRUTH, "int": INTEGER, "rat": RATIONAL}

AUTOMATA = _dialect(
    {**_WORDED, **_BITS},
    f"+ - {_UNARY_BITS}",
    "not",
    _TYPES,
    "main process init final error loc assume havoc return bv fp bv_zero_extend bv_sign_extend",
)
SYSTEMS = _dialect(
    {**_WORDED, "equal": (IFF, "iff")},
    "+ -",
    "not",
    {**_TYPES, "integer": INTEGER, "boolean": TRUTH},
    "specification const property models G system invariant initial transition",
)
STATECHARTS = _dialect(
    {
        **_ARITHMETIC,
        "iff": (IFF, "iff"),
        "=>": (IMPLY, "imply"),
        "||": (OR, "or"),
        "&&": (AND, "and"),
        "==": (EQUAL, "="),
        "!=": (EQUAL, "/="),
        "%": (PRODUCT, "mod"),
    },
    "+ -",
    "!",
    {"boolean": TRUTH, "integer": INTEGER},
    "type ctrl local trans init env prop choice or assume havoc for from to do",
    rationals=False,
)
