"""The types of IEC 61131-3 (table 10), and the storage that variables of them have.

A scalar has a width and a reading; everything else is made of scalars. Values are Python's: ``bool``, ``int`` (in the
reading of the type), ``float``, ``str``.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping
from typing import Any

from argosy.basics.position import NOWHERE, Position
from argosy.basics.records import dataclass, field, replace
from argosy.logic.sorts import BOOL, Sort, bits

Value = Any  # bool | int | float | str


@dataclass(frozen=True, slots=True)
class PlcScalar:
    """``kind`` is one of bool, integer, bits (a bit string), time, date, real, string, enumeration. ``low`` and
    ``high`` are those of a subrange or an enumeration, ``names`` the values of an enumeration, ``length`` that of a
    string."""

    name: str
    kind: str
    width: int
    signed: bool = False
    low: int | None = None
    high: int | None = None
    names: tuple[tuple[str, int], ...] = ()
    length: int = 254

    @property
    def is_number(self) -> bool:
        return self.kind in ("integer", "real", "bits")

    @property
    def is_word(self) -> bool:
        """Whether values are whole numbers of some bits."""
        return self.kind in ("integer", "bits", "time", "date", "enumeration")

    @property
    def sort(self) -> Sort:
        return BOOL if self.kind == "bool" else bits(self.width)

    @property
    def range(self) -> tuple[int, int]:
        """All that the bits can hold."""
        return (-(1 << (self.width - 1)), (1 << (self.width - 1)) - 1) if self.signed else (0, (1 << self.width) - 1)

    def fits(self, value: int) -> bool:
        low, high = self.range
        return low <= value <= high

    def wrapped(self, value: int) -> int:
        value &= (1 << self.width) - 1
        return value - (1 << self.width) if self.signed and value >> (self.width - 1) else value

    @property
    def default(self) -> Value:
        match self.kind:
            case "bool":
                return False
            case "real":
                return 0.0
            case "string":
                return ""
            case "enumeration":
                return self.names[0][1]
        return self.low if self.low is not None and not self.low <= 0 <= (self.high or 0) else 0

    def shown(self, value: Value) -> str:
        """As a person writes it."""
        match self.kind:
            case "bool":
                return "TRUE" if value else "FALSE"
            case "enumeration":
                return next((name for name, number in self.names if number == value), str(value))
            case "time":
                return duration_text(value * (1 if self.width == 64 else 1_000_000))
            case "bits":
                return f"16#{value:0{self.width // 4}X}"
            case "string":
                return f"'{value}'"
            case "real" if self.width == 32:
                return _shortest(value)
        return str(value)


def duration_text(nanoseconds: int) -> str:
    sign, left = ("-", -nanoseconds) if nanoseconds < 0 else ("", nanoseconds)
    parts = []
    for unit, scale in (("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 10**9)):
        if left >= scale:
            parts.append(f"{left // scale}{unit}")
            left %= scale
    for unit, scale in (("ms", 10**6), ("us", 10**3), ("ns", 1)):
        if left >= scale:
            parts.append(f"{left // scale}{unit}")
            left %= scale
    return f"T#{sign}{''.join(parts) or '0ms'}"


def _shortest(value: float) -> str:
    """The fewest digits that are rounded to a REAL."""
    if not math.isfinite(value):
        return str(value)
    texts = (f"{value:.{digits}g}" for digits in range(6, 18))
    own = struct.pack("<f", value)
    return str(float(next(text for text in texts if abs(float(text)) < 3.4028236e38 and _packed(text) == own)))


def _packed(text: str) -> bytes:
    return struct.pack("<f", float(text))


def rounded(type: PlcScalar, value: float) -> float:
    """The nearest value that the type has; beyond the largest it is infinite."""
    if type.width == 64:
        return value
    try:
        found: float = struct.unpack("<f", struct.pack("<f", value))[0]
        return found
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def pattern(type: PlcScalar, value: float) -> int:
    """The bits of a floating-point value (IEEE 754)."""
    wide = type.width == 64
    found: int = struct.unpack("<Q" if wide else "<I", struct.pack("<d" if wide else "<f", rounded(type, value)))[0]
    return found


def of_pattern(type: PlcScalar, number: int) -> float:
    wide = type.width == 64
    found: float = struct.unpack("<d" if wide else "<f", struct.pack("<Q" if wide else "<I", number))[0]
    return found


def _integers() -> Iterator[PlcScalar]:
    for prefix, width in (("S", 8), ("", 16), ("D", 32), ("L", 64)):
        yield PlcScalar(f"{prefix}INT", "integer", width, True)
        yield PlcScalar(f"U{prefix}INT", "integer", width)
    for name, width in (("BYTE", 8), ("WORD", 16), ("DWORD", 32), ("LWORD", 64)):
        yield PlcScalar(name, "bits", width)


BOOLEAN = PlcScalar("BOOL", "bool", 1)
ELEMENTARY: Mapping[str, PlcScalar] = {
    type.name: type
    for type in (
        BOOLEAN,
        *_integers(),
        PlcScalar("REAL", "real", 32),
        PlcScalar("LREAL", "real", 64),
        PlcScalar("TIME", "time", 32, True),
        PlcScalar("LTIME", "time", 64, True),
        PlcScalar("DATE", "date", 32),
        PlcScalar("TIME_OF_DAY", "date", 32),
        PlcScalar("DATE_AND_TIME", "date", 64),
        PlcScalar("STRING", "string", 16),
        PlcScalar("WSTRING", "string", 16),
        PlcScalar("CHAR", "bits", 8),
        PlcScalar("WCHAR", "bits", 16),
    )
}
ALIASES: Mapping[str, str] = {"TOD": "TIME_OF_DAY", "DT": "DATE_AND_TIME", "LDT": "DATE_AND_TIME", "LDATE": "DATE"}


@dataclass(frozen=True, slots=True)
class ArrayOf:
    low: int
    high: int
    element: StoredType


@dataclass(frozen=True, slots=True)
class RecordOf:
    """A structure, or the instance of a function block (``block`` is its name then)."""

    name: str
    fields: tuple[tuple[str, StoredType], ...]
    block: str = ""


StoredType = PlcScalar | ArrayOf | RecordOf


# ---- storage --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """A scalar variable of the running program. ``section`` is input, output, memory or hidden (nobody wrote it)."""

    name: str
    type: PlcScalar
    section: str
    initial: Value
    position: Position = NOWHERE


@dataclass(frozen=True, slots=True, eq=False)
class ArrayStorage:
    type: ArrayOf
    elements: tuple[PlcStorage, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RecordStorage:
    """``fields`` by upper-case name."""

    type: RecordOf
    fields: Mapping[str, PlcStorage] = field(default_factory=dict)


PlcStorage = Cell | ArrayStorage | RecordStorage


def cells_of(storage: PlcStorage) -> Iterator[Cell]:
    match storage:
        case Cell():
            yield storage
        case ArrayStorage():
            for element in storage.elements:
                yield from cells_of(element)
        case RecordStorage():
            for each in storage.fields.values():
                yield from cells_of(each)


def type_of(storage: PlcStorage) -> StoredType:
    return storage.type


def type_name(type: StoredType) -> str:
    match type:
        case ArrayOf():
            return f"ARRAY[{type.low}..{type.high}] OF {type_name(type.element)}"
        case RecordOf():
            return type.name or "STRUCT"
    return type.name


def subrange(base: PlcScalar, low: int, high: int, name: str = "") -> PlcScalar:
    return replace(base, name=name or base.name, low=low, high=high)
