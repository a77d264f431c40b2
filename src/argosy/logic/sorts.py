"""Sorts of terms: booleans, integers, rationals, bit-vectors of any width, arrays.

There is one object for each sort, however it is made: equality is identity, and a sort is hashed as fast as anything
can be. Every term is looked up by its sort.
"""

from __future__ import annotations

from functools import cache

from argosy.basics.records import dataclass

_SORTS: dict[tuple[str, int, Sort | None, Sort | None], Sort] = {}


@dataclass(frozen=True, slots=True, eq=False)
class Sort:
    """``kind`` is one of bool, int, real, bits, array; the other fields belong to bits and array."""

    kind: str
    width: int = 0
    index: Sort | None = None
    element: Sort | None = None

    def __new__(cls, kind: str, width: int = 0, index: Sort | None = None, element: Sort | None = None) -> Sort:
        key = (kind, width, index, element)
        return _SORTS.get(key) or _SORTS.setdefault(key, object.__new__(cls))

    def __reduce__(self) -> tuple[type[Sort], tuple[str, int, Sort | None, Sort | None]]:
        return Sort, (self.kind, self.width, self.index, self.element)

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


def array(index: Sort, element: Sort) -> Sort:
    return Sort("array", 0, index, element)
