"""Values seen at another width than they were written with: bytes of cells (C11 6.2.6.1), the first byte the lowest.

Law: a view is exact. Each of its bytes is one of a cell; none is padding, a truth value, whose other bits are nobody's,
or a part of a pointer, whose number means nothing. So what is read is what the cells hold, and what is written is in
them afterwards, with their other bytes as they were.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from argosy.basics.records import dataclass
from argosy.frontends.c.lower.operators import with_field
from argosy.frontends.c.memory import Access, MemoryCell, same_kind
from argosy.frontends.c.symbols import Object, Unit
from argosy.frontends.c.types import Integer, Pointer, Scalar, Type
from argosy.logic.terms import Term, Terms

# An access that may be at more bytes than these is not seen as views.
MOST_VIEWS = 128


@dataclass(frozen=True, slots=True)
class Piece:
    """``width`` bits of a cell from ``low`` on, which are those of the view from ``at`` on."""

    cell: Term
    low: int
    at: int
    width: int


@dataclass(frozen=True, slots=True)
class View:
    """What lies at an offset of an object, from its lowest bits to the highest."""

    offset: int
    pieces: tuple[Piece, ...]

    def read(self, terms: Terms) -> Term:
        value: Term | None = None
        for piece in self.pieces:
            part = terms.extract(piece.cell, piece.low + piece.width - 1, piece.low)
            value = part if value is None else terms.concat(part, value)
        assert value is not None
        return value

    def written(self, terms: Terms, value: Term) -> Iterator[tuple[Term, Term]]:
        """The cells, each with what is in it afterwards."""
        for piece in self.pieces:
            part = terms.extract(value, piece.at + piece.width - 1, piece.at)
            yield piece.cell, with_field(terms, piece.cell, piece.low, part)


def view_at(unit: Unit, symbol: Object, offset: int, type_: Scalar) -> View | None:
    """A value of a type at an offset of an object that has cells; None where not all of it is known."""
    width = type_.sort.width
    if isinstance(type_, Pointer) or width % 8 or symbol.block is not None:
        return None
    pieces: list[Piece] = []
    here, end = offset, offset + width // 8
    for cell in unit.cells(symbol.type):
        if cell.offset <= here < _end(cell) and here < end:
            if isinstance(cell.type, Pointer) or cell.type.sort.width % 8:
                return None
            unit.see(cell.type, type_)
            until = min(end, _end(cell))
            term = unit.part_of_cell(symbol, cell)
            pieces.append(Piece(term, 8 * (here - cell.offset), 8 * (here - offset), 8 * (until - here)))
            here = until
    return View(offset, tuple(pieces)) if here == end else None


def views(unit: Unit, symbol: Object, access: Access) -> list[View]:
    """All that an access may see in an object, where it is aligned: a member as its structure is, which ``packed`` may
    put anywhere."""
    size, own = unit.model.size(symbol.type) or 0, access.type.sort.width // 8
    step, record = _alignment(unit, access.type), access.record
    starts = range(0, size - own + 1, step)
    if record is not None:
        step_of_record = _alignment(unit, record)
        if step_of_record < step or any(offset % step for offset in access.offsets):
            inside = {at for first in access.offsets for at in range(first % step_of_record, size, step_of_record)}
            return _all_at(unit, symbol, sorted(at for at in inside if at <= size - own), access.type)
    return _all_at(unit, symbol, starts, access.type)


def _all_at(unit: Unit, symbol: Object, offsets: Sequence[int], type_: Scalar) -> list[View]:
    if len(offsets) > MOST_VIEWS:
        return []
    found = (view_at(unit, symbol, offset, type_) for offset in offsets)
    return [view for view in found if view is not None]


def _alignment(unit: Unit, type_: Type) -> int:
    layout = unit.model.layout(type_)
    return 1 if layout is None else layout[1]


def is_mixed(unit: Unit, symbol: Object, type_: Scalar) -> bool:
    """Whether an object has cells that are of another kind than an access."""
    return isinstance(type_, Integer) and any(not same_kind(cell.type, type_) for cell in unit.cells(symbol.type))


def after_writing(terms: Terms, chosen: Sequence[tuple[Term, View]], value: Term) -> Mapping[Term, Term]:
    """What is in the cells of some views after a value is written to that one whose condition holds."""
    after: dict[Term, Term] = {}
    for condition, view in reversed(chosen):
        for cell, new in view.written(terms, value):
            after[cell] = terms.ite(condition, new, after.get(cell, cell))
    return after


def _end(cell: MemoryCell) -> int:
    return cell.offset + -(-cell.type.sort.width // 8)
