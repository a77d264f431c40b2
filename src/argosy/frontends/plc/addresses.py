"""Addresses of the process image and of memory, ``%IX0.0`` (IEC 61131-3, section 6.5.5), and which of them share bits.

What a number counts is the choice of a family (``PlcDialect.addresses``): bytes (``%MW2`` is bytes 2 and 3), units of
its own size (``%MW2`` is bytes 4 and 5), or nothing that is known: then addresses of one size are apart, and those of
different sizes must be apart in both readings.
"""

from __future__ import annotations

import re

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.basics.records import dataclass
from argosy.frontends.plc.types import PlcStorage, cells_of

WIDTHS = {"X": 1, "B": 8, "W": 16, "D": 32, "L": 64}
_TYPES = {"X": "BOOL", "B": "BYTE", "W": "WORD", "D": "DWORD", "L": "LWORD"}
_FORM = re.compile(r"%?([IQM])([XBWDL]?)([0-9]{1,9}(?:\.[0-9]{1,9})*)")


@dataclass(frozen=True, slots=True)
class PlcLocation:
    """``numbers`` are those between the dots; the last of a bit is its place in a byte."""

    area: str
    size: str
    numbers: tuple[int, ...]

    @property
    def key(self) -> str:
        return f"%{self.area}{self.size}{'.'.join(map(str, self.numbers))}"

    @property
    def type(self) -> str:
        return _TYPES[self.size]

    def spread(self, storage: PlcStorage) -> int:
        """How many bits a variable has from here on, at the most: a structure may have gaps."""
        cells = list(cells_of(storage))
        if len(cells) == 1:
            return max(WIDTHS[self.size], cells[0].type.width if self.size != "X" else 1)
        return sum(2 * max(cell.type.width, 16) for cell in cells)

    def start(self, counts: str) -> int:
        """The first bit."""
        if self.size == "X":
            return self.numbers[0] * 8 + (self.numbers[1] if len(self.numbers) > 1 else 0)
        return self.numbers[0] * (WIDTHS[self.size] if counts == "units" else 8)


def located(text: str, position: Position) -> PlcLocation:
    """What an address says."""
    found = _FORM.fullmatch(text.upper())
    if found is None:
        raise InputError(position, f"{text} is no address; one is %IX0.0, %QW4, %MD8")
    return PlcLocation(found[1], found[2] or "X", tuple(map(int, found[3].split("."))))


def overlap(one: PlcLocation, span: int, other: PlcLocation, taken: int, counts: str) -> bool:
    """Whether two addresses may share bits."""
    if one.area != other.area:
        return False
    if max(len(one.numbers), len(other.numbers)) > 2:
        # Modules and channels: what is of one form and size is apart, what is not and begins alike may not be.
        alike = (one.size, len(one.numbers)) == (other.size, len(other.numbers))
        return not alike and one.numbers[0] == other.numbers[0]
    plain = span == WIDTHS[one.size] and taken == WIDTHS[other.size]
    if counts == "unknown" and plain and one.size == other.size:
        return one.numbers == other.numbers
    for reading in ("bytes", "units") if counts == "unknown" else (counts,):
        first, second = one.start(reading), other.start(reading)
        if first < second + taken and second < first + span:
            return True
    return False
