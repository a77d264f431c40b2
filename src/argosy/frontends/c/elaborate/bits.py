"""What compilers compute of the bits of a constant, which is a constant again (GCC's manual, 6.59): ``case
__builtin_bswap16(0x800):``."""

from __future__ import annotations

import re

from pycparser import c_ast as c

from argosy.frontends.c.source import Node
from argosy.frontends.c.tree import walk

_NAME = re.compile(r"__builtin_(?:(clz|ctz|clrsb|ffs|parity|popcount)(?:l|ll)?|bswap(?:16|32|64))")


def is_folded(node: Node) -> bool:
    """Whether a call is one of these, of numbers that stand there."""
    if not isinstance(node.name, c.ID) or _NAME.fullmatch(node.name.name) is None or node.args is None:
        return False
    plain = (c.Constant, c.UnaryOp, c.BinaryOp, c.Cast, c.Typename, c.TypeDecl, c.IdentifierType, c.ExprList)
    return all(isinstance(part, plain) for part in walk(node.args))


def folded(name: str, value: int, width: int) -> int | None:
    """The result for an argument of so many bits; None where there is none."""
    found = _NAME.fullmatch(name)
    assert found is not None
    bits = value & ((1 << width) - 1)
    match found[1]:
        case "clz":
            return width - bits.bit_length() if bits else None
        case "ctz":
            return (bits & -bits).bit_length() - 1 if bits else None
        case "clrsb":
            return width - 1 - (bits ^ ((1 << width) - 1) if bits >> (width - 1) else bits).bit_length()
        case "ffs":
            return (bits & -bits).bit_length()
        case "popcount":
            return bits.bit_count()
        case "parity":
            return bits.bit_count() & 1
    return int.from_bytes(bits.to_bytes(width // 8, "little"), "big")
