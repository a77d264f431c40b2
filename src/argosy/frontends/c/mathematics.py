"""The functions of ``math.h``: their names, types, and what is known of what they give.

``EXACT`` functions have one result, which is computed. Of the ``OTHERS`` the standard promises little more than a range
(C11 7.12, Annex F.10): their results are arbitrary within it, and no counterexample is made of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from argosy.basics.records import dataclass


@dataclass(frozen=True, slots=True)
class Promise:
    """What is promised of a result: no number where the argument is none or outside of the ``domain``, and otherwise a
    number between ``low`` and ``high``. Nothing is promised of the functions in ``UNPROMISED``."""

    low: Fraction | None = None
    high: Fraction | None = None
    domain: tuple[Fraction | None, Fraction | None] = (None, None)
    finite: bool = False
    """Whether infinite arguments are outside of the domain."""


def _promise(
    low: int | None = None,
    high: int | None = None,
    least: int | None = None,
    most: int | None = None,
    finite: bool = False,
) -> Promise:
    bounds = [None if n is None else Fraction(n) for n in (low, high, least, most)]
    return Promise(bounds[0], bounds[1], (bounds[2], bounds[3]), finite)


# With ``f`` behind it a function is one of ``float``. The result comes first: ``d`` stands for the type, ``i`` for int,
# ``l`` and ``q`` for long and long long, ``p`` for a pointer to the type.
EXACT: Mapping[str, str] = {
    **dict.fromkeys(("fabs", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "roundeven", "sqrt"), "dd"),
    **dict.fromkeys(("fmin", "fmax", "fmod", "copysign", "fdim"), "ddd"),
    **dict.fromkeys(("lrint", "lround"), "ld"),
    **dict.fromkeys(("llrint", "llround"), "qd"),
    "modf": "ddp",
}
OTHERS: Mapping[str, tuple[str, Promise]] = {
    **{name: ("dd", _promise(-1, 1, finite=True)) for name in ("sin", "cos")},
    **{name: ("dd", _promise(-2, 2)) for name in ("atan",)},
    **{name: ("dd", _promise(-2, 2, -1, 1)) for name in ("asin",)},
    **{name: ("dd", _promise(0, 4, -1, 1)) for name in ("acos",)},
    **{name: ("dd", _promise(-1, 1)) for name in ("tanh", "erf")},
    **{name: ("dd", _promise(0)) for name in ("exp", "exp2", "exp10", "cosh")},
    **{name: ("dd", _promise(-1)) for name in ("expm1",)},
    **{name: ("dd", _promise(None, None, 0)) for name in ("log", "log2", "log10")},
    **{name: ("dd", _promise(None, None, -1)) for name in ("log1p",)},
    **{name: ("dd", _promise(0, 2)) for name in ("erfc",)},
    **{name: ("dd", _promise(finite=True)) for name in ("tan",)},
    **{name: ("dd", _promise()) for name in ("sinh", "asinh", "cbrt")},
    **{name: ("dd", Promise()) for name in ("acosh", "atanh", "tgamma", "lgamma", "gamma", "j0", "j1", "y0", "y1")},
    **{name: ("ddd", Promise()) for name in ("pow", "atan2", "hypot")},
}
# What the models in C (``models/math.c``) look into a number with: its bits, which nobody asks for of what is no number
# there, and the number that has some bits.
BITS: Mapping[str, tuple[str, bool]] = {
    "__argosy_bits": ("Qd", False),
    "__argosy_bitsf": ("ud", True),
    "__argosy_number": ("dQ", False),
    "__argosy_numberf": ("du", True),
}
# What these models are of; without them (where a program declares such a function in another way) it is not modelled.
IN_C = ["ldexp", "scalbn", "scalbln", "frexp", "ilogb", "logb", "nextafter", "remainder", "drem", "fma"]
# Nothing is known of these, nor of any function of ``long double``.
_UNKNOWN = ["remquo", "nexttoward", "sincos", "lgamma_r", "jn", "yn", "significand", "scalb", "pow10"]
# Of these even a number may give none.
UNPROMISED = frozenset(name for name, (form, _) in OTHERS.items() if form != "dd") | {"acosh", "atanh", "tgamma"}
UNPROMISED |= {"lgamma", "gamma", "j0", "j1", "y0", "y1"}

# What Annex F says of single arguments: of a zero the same zero, or 1; of 1 zero.
ZERO_AT_ZERO = frozenset(
    ("sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh", "erf", "cbrt", "expm1", "log1p")
)
ONE_AT_ZERO = frozenset(("cos", "cosh", "exp", "exp2", "exp10"))
ZERO_AT_ONE = frozenset(("log", "log2", "log10", "acos", "acosh"))

CLASSES = frozenset(("isnan", "isinf", "isfinite", "finite", "isnormal", "signbit", "fpclassify", "isinf_sign"))
ORDERS: Mapping[str, str] = {
    "isless": "<",
    "islessequal": "<=",
    "isgreater": ">",
    "isgreaterequal": ">=",
    "islessgreater": "<>",
    "isunordered": "?",
}
VALUES: Mapping[str, str] = {"inf": "d", "huge_val": "d", "nan": "dc", "nans": "dc"}
_PREFIX = "__builtin_"


@dataclass(frozen=True, slots=True)
class MathFunction:
    """``stem`` is the name without prefix and suffix. A ``generic`` one takes its arguments as they are."""

    stem: str
    form: str
    single: bool
    generic: bool = False


def _functions() -> dict[str, MathFunction]:
    found: dict[str, MathFunction] = {}
    forms = {**EXACT, **{name: form for name, (form, _) in OTHERS.items()}}
    for stem, form in forms.items():
        for suffix in ("", "f"):
            function = MathFunction(stem, form, suffix == "f")
            found[stem + suffix] = found[_PREFIX + stem + suffix] = function
    for stem, form in VALUES.items():
        for suffix in ("", "f"):
            found[_PREFIX + stem + suffix] = MathFunction(stem, form, suffix == "f")
    for name, (form, single) in BITS.items():
        found[name] = MathFunction(name, form, single)
    found["nan"], found["nanf"] = found["__builtin_nan"], found["__builtin_nanf"]
    for stem in (*CLASSES, *ORDERS):
        form = "idd" if stem in ORDERS else "id"
        generic = MathFunction(stem, form, False, generic=True)
        # As macros and builtins they take numbers of any type, as functions of the C library those of one.
        found[_PREFIX + stem] = found[stem] = generic
        for suffix in ("", "f"):
            own = MathFunction({"isinf": "isinf_sign"}.get(stem, stem), form, suffix == "f")
            found[f"__{stem}{suffix}"] = own
            if suffix:
                found[_PREFIX + stem + suffix] = found[stem + suffix] = MathFunction(stem, form, True)
    return found


FUNCTIONS: Mapping[str, MathFunction] = _functions()
"""By their names, ``__builtin_`` and those inside of the GNU C library included."""

UNMODELLED = frozenset(
    (
        *(name + suffix for name in (*IN_C, *_UNKNOWN) for suffix in ("", "f")),
        *(f"{name}l" for name in (*EXACT, *OTHERS, *IN_C, *_UNKNOWN)),
    )
)
