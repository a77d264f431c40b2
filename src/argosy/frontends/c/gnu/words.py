"""Words of C by what they are for, as the kinds of tokens have them, and those that compilers add, as they are written.

Law: a word of ``SPECIAL`` never reaches the parser as it stands, but for the names of types that it is told.
"""

from __future__ import annotations

from argosy.frontends.c.tokens import ARGUMENT_LIST
from argosy.frontends.c.types import EXTENDED_FLOATS

_DROPPED = frozenset(("__extension__", "__restrict", "__restrict__", "restrict"))
ATTRIBUTE = frozenset(("__attribute__", "__attribute", "__declspec"))
ASSEMBLER_WORDS = frozenset(("asm", "__asm", "__asm__"))
FLOATS = {
    "_Float32": "float",
    "_Float32x": "double",
    "_Float64": "double",
    "_Float64x": "long double",
    "_Float128": "long double",
    "__float128": "long double",
}
COMPLEX = frozenset(("__real__", "__imag__", "__real", "__imag"))
SPECIAL = _DROPPED | ATTRIBUTE | ASSEMBLER_WORDS | FLOATS.keys() | {"_Noreturn", "__label__"}

# Type names that exist without a declaration.
BUILTIN_TYPES = {
    "__builtin_va_list": f"struct {ARGUMENT_LIST} *",
    "__int128_t": "__int128",
    "__uint128_t": "unsigned __int128",
    **dict.fromkeys(EXTENDED_FLOATS, "float"),
}

RECORDS = frozenset(("STRUCT", "UNION"))
SCALAR_WORDS = frozenset(
    ("CHAR", "SHORT", "INT", "LONG", "SIGNED", "UNSIGNED", "FLOAT", "DOUBLE", "VOID", "_BOOL", "_COMPLEX", "__INT128")
)
QUALIFIERS = frozenset(("CONST", "VOLATILE", "RESTRICT", "_ATOMIC"))
TYPE_WORDS = SCALAR_WORDS | QUALIFIERS | {"STRUCT", "UNION", "ENUM", "TYPEOF", "TYPEOF_UNQUAL"}
