"""Where the members of structures and unions lie: gcc's rules for the System V ABI of i386 and x86-64.

The ABI (*System V Application Binary Interface*, i386 and AMD64 supplements, "Aggregates and Unions" and "Bit-Fields")
says where bit fields go, GCC's manual (6.34, "Type Attributes" and "Variable Attributes"; 6.62.11, "Structure-Layout
Pragmas") what ``packed``, ``aligned`` and ``#pragma pack`` change. Laws: a member begins where the one before it ends,
at the next multiple of its alignment; a bit field does so at the next bit, unless it would then lie in more units of
the alignment of its type than its type has, and with ``packed`` or under the pragma always; one of no width lets the
next one begin at a multiple of the alignment of its type, whatever is packed.

Bit fields that share a byte lie in one *storage*, of the bytes that they touch and no others.
"""

from __future__ import annotations

from collections.abc import Sequence

from argosy.basics.records import dataclass


@dataclass(frozen=True, slots=True)
class Placement:
    """What is said of where a member lies: its ``width`` if it is a bit field, whether it is ``packed``, an alignment
    that it has by itself (``aligned``), and one that its type has by its name (``by_name``)."""

    width: int | None = None
    packed: bool = False
    aligned: int | None = None
    by_name: int | None = None


@dataclass(frozen=True, slots=True)
class MemberSize:
    """A member: ``size`` and ``alignment`` of its type in bytes, and whether it has a name."""

    size: int
    alignment: int
    named: bool
    said: Placement


@dataclass(frozen=True, slots=True)
class FieldStorage:
    """Bytes in which bit fields lie: at an ``offset``, and of so many."""

    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class RecordLayout:
    """``starts`` has the first bit of each member. ``storages`` has, for each bit field that has a name, the bytes that
    it shares with others; None for what is no bit field."""

    size: int
    alignment: int
    starts: tuple[int, ...]
    storages: tuple[FieldStorage | None, ...]


def lay_out(parts: Sequence[MemberSize], union: bool, packed: bool, pack: int | None, aligned: int) -> RecordLayout:
    """Of a structure, or of a ``union``, that is ``packed`` or not, under ``#pragma pack(pack)``, and has at least the
    alignment ``aligned``."""
    starts: list[int] = []
    alignment, end, largest = max(1, aligned), 0, 0
    for part in parts:
        start, own = _placed(part, 0 if union else end, packed or part.said.packed, pack)
        starts.append(start)
        alignment = max(alignment, own)
        end = start + (8 * part.size if part.said.width is None else part.said.width)
        largest = max(largest, end)
    size = aligned_to(-(-largest // 8), alignment)
    return RecordLayout(size, alignment, tuple(starts), tuple(_storages(parts, starts, union)))


def aligned_to(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment


def _placed(part: MemberSize, end: int, packed: bool, pack: int | None) -> tuple[int, int]:
    """The first bit of a member behind bit ``end``, and the alignment that the whole has because of it."""
    said = part.said
    natural = said.by_name or part.alignment
    if said.width is None:
        if said.aligned is not None:
            needed = said.aligned if packed else max(natural, said.aligned)
        else:
            needed = 1 if packed else natural
        needed = needed if pack is None else min(needed, pack)
        return aligned_to(end, 8 * needed), needed
    if said.width == 0:
        return aligned_to(end, 8 * natural), 1
    unit = 8 * natural
    if not packed and pack is None:
        touched = -(-(end + said.width) // unit) - end // unit
        if touched > 8 * part.size // unit:
            end = aligned_to(end, unit)
    if not part.named:
        return end, 1
    return end, min(natural, pack) if pack is not None else 1 if packed else natural


def _storages(parts: Sequence[MemberSize], starts: Sequence[int], union: bool) -> list[FieldStorage | None]:
    """The bytes of bit fields; where two share one, both have the bytes of both."""
    found: list[FieldStorage | None] = [None] * len(parts)
    together: list[int] = []
    first = last = 0
    for index, (part, start) in enumerate(zip(parts, starts, strict=True)):
        if not part.said.width or not part.named:
            continue
        begin, end = start // 8, -(-(start + part.said.width) // 8)
        if not together or union or begin >= last:
            together, first, last = [], begin, end
        together.append(index)
        last = max(last, end)
        for each in together:
            found[each] = FieldStorage(first, last - first)
    return found
