"""Sorts of terms: booleans, integers, rationals, bit-vectors of any width, arrays.

A sort is a value: two sorts are the same when they compare equal, and ``bits(n)`` and ``array(i, e)``
return one object per argument, so that identity may be used for speed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Sort:
    """``kind`` is one of bool, int, real, bits, array; the other fields belong to bits and array."""

    kind: str
    width: int = 0
    index: Sort | None = None
    element: Sort | None = None

    def __str__(self) -> str:
        match self.kind:
            case "bool":
                return "Bool"
            case "int":
                return "Int"
            case "real":
                return "Real"
            case "bits":
                return f"(_ BitVec {self.width})"
            case _:
                return f"(Array {self.index} {self.element})"

    @property
    def is_bits(self) -> bool:
        return self.kind == "bits"

    @property
    def is_numeric(self) -> bool:
        return self.kind in ("int", "real")


BOOL = Sort("bool")
INT = Sort("int")
REAL = Sort("real")


@cache
def bits(width: int) -> Sort:
    if width < 1:
        raise ValueError(f"a bit-vector has at least one bit, not {width}")
    return Sort("bits", width)


@cache
def array(index: Sort, element: Sort) -> Sort:
    return Sort("array", 0, index, element)
