"""Types of functions that compilers know without a declaration.

A call of one of them gives what its name says, not an ``int``, whether it is written with ``__builtin_`` in front or as
the function of the library that it is.
"""

from __future__ import annotations

from argosy.frontends.c.library import overflow_operator
from argosy.frontends.c.mathematics import FUNCTIONS, MathFunction
from argosy.frontends.c.types import BOOL, VOID, DataModel, Function, Type

_PREFIX = "__builtin_"

# The result, then the parameters: v void, p a pointer to void, c one to characters, i int, u unsigned, l long,
# L unsigned long, q long long, Q unsigned long long, h unsigned short, W uint64_t, z size_t, d double, f float; a dot
# stands for further arguments.
_TYPES = """
    alloca pz  malloc pz  calloc pzz  realloc ppz  free vp  aligned_alloc pzz  memset ppiz  memcpy pppz  memmove pppz
    mempcpy pppz  memcmp ippz  memchr ppiz  strlen zc  strnlen zcz  strcpy ccc  strncpy cccz  strcat ccc  strncat cccz
    stpcpy ccc  strcmp icc  strncmp iccz  strcasecmp icc  strncasecmp iccz  strchr cci  strrchr cci  strstr ccc
    strspn zcc  strcspn zcc  strpbrk ccc  strdup cc  strndup ccz  abs ii  labs ll  llabs qq  abort v  exit vi  _exit vi
    printf ic.  fprintf ipc.  sprintf icc.  snprintf iczc.  puts ic  putchar ii  scanf ic.  sscanf icc.
    isalpha ii  isdigit ii  isalnum ii  isspace ii  isblank ii  isupper ii  islower ii  ispunct ii  isprint ii
    iscntrl ii  isxdigit ii  isgraph ii  toupper ii  tolower ii  clrsb ii  clrsbl il  clrsbll iq
    bswap16 hh  bswap32 uu  bswap64 WW  clz iu  ctz iu  popcount iu  parity iu  ffs ii  clzl iL  ctzl iL  popcountl iL
    parityl iL  ffsl il  clzll iQ  ctzll iQ  popcountll iQ  parityll iQ  ffsll iq  object_size zpi
    __argosy_kept zpp  return_address pu  frame_address pu  assume_aligned ppz.  unreachable v  trap v  prefetch vp.
"""
_KNOWN = dict(zip(_TYPES.split()[::2], _TYPES.split()[1::2], strict=True))
_NAMES = {
    "i": "int",
    "u": "unsigned int",
    "l": "long",
    "L": "unsigned long",
    "q": "long long",
    "Q": "unsigned long long",
    "h": "unsigned short",
}


def builtin_type(model: DataModel, name: str) -> Function | None:
    """The type of a function that is called without a declaration; None where compilers know no better than ``int``."""
    form = _KNOWN.get(name.removeprefix(_PREFIX))
    function = FUNCTIONS.get(name)
    if function is not None:
        if function.generic:
            return Function(model.int_, None)
        return _mathematical(model, function)
    if overflow_operator(name) is not None:
        return Function(BOOL, None)
    if form is None:
        return None
    variadic = form.endswith(".")
    types = [_type(model, letter) for letter in form.removesuffix(".")]
    return Function(types[0], tuple(types[1:]), variadic)


def _mathematical(model: DataModel, function: MathFunction) -> Function:
    own = "f" if function.single else "d"
    letters = function.form.replace("d", own)
    types = [model.pointer(_type(model, own)) if letter == "p" else _type(model, letter) for letter in letters]
    return Function(types[0], tuple(types[1:]))


def _type(model: DataModel, letter: str) -> Type:
    match letter:
        case "v":
            return VOID
        case "p":
            return model.pointer(VOID)
        case "c":
            return model.pointer(model["char"])
        case "z":
            return model.size_type
        case "W":
            return model["unsigned long" if model["unsigned long"].width == 64 else "unsigned long long"]
        case "d" | "f":
            return model.floats["double" if letter == "d" else "float"]
    return model[_NAMES[letter]]
