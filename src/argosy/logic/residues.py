"""Exact linear algebra on residues modulo 2^w: submodules of vectors, with a basis in Howell form.

The residues modulo 2^w are no field: twice a vector may be zero. In a basis in Howell form (Howell, *Spans in the
module (Z_m)^s*, 1986; as Müller-Olm and Seidl use it, *Analysis of modular arithmetic*, TOPLAS 2007) each leading entry
is a power of two, and of every row that multiple which makes it vanish is in the span of the rows below. So a vector is
in the span iff reducing it column by column leaves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

Row = tuple[int, ...]


def valuation(number: int) -> int:
    """How often 2 divides a number that is not 0."""
    return (number & -number).bit_length() - 1


class Module:
    """The span of some rows of ``columns`` residues modulo 2^``width``. Law: ``row in module`` iff the row is a sum of
    multiples of rows that were inserted."""

    def __init__(self, width: int, columns: int, rows: Iterable[Sequence[int]] = ()) -> None:
        self.width = width
        self.columns = columns
        self._pivots: dict[int, Row] = {}
        for row in rows:
            self.insert(row)

    def __iter__(self) -> Iterator[Row]:
        return (self._pivots[column] for column in sorted(self._pivots))

    def __len__(self) -> int:
        return len(self._pivots)

    def __contains__(self, row: Sequence[int]) -> bool:
        return not any(self.reduced(row))

    def copy(self) -> Module:
        other = Module(self.width, self.columns)
        other._pivots = dict(self._pivots)
        return other

    def reduced(self, row: Sequence[int]) -> Row:
        """The row less multiples of those of the basis, so that each leading entry divides nothing of it."""
        mask = (1 << self.width) - 1
        left = [number & mask for number in row]
        for column in range(self.columns):
            pivot = self._pivots.get(column) if left[column] else None
            if pivot is not None:
                left = _less(left, left[column] >> valuation(pivot[column]), pivot, mask)
        return tuple(left)

    def centred(self, row: Sequence[int]) -> Row:
        """A row of the basis, with numbers as near to 0 as other rows make them behind the first one."""
        mask = (1 << self.width) - 1
        left = list(row)
        first = next(i for i, number in enumerate(row) if number)
        for column in range(first + 1, self.columns):
            pivot = self._pivots.get(column) if left[column] else None
            if pivot is not None:
                own = valuation(pivot[column])
                left = _less(left, (left[column] + (1 << own >> 1)) >> own, pivot, mask)
        return tuple(left)

    def insert(self, row: Sequence[int]) -> bool:
        """Whether the row was none of the span, which it is now."""
        mask = (1 << self.width) - 1
        waiting = [tuple(number & mask for number in row)]
        larger = False
        while waiting:
            new = waiting.pop()
            for column in range(self.columns):
                if not new[column]:
                    continue
                pivot = self._pivots.get(column)
                own = valuation(new[column])
                if pivot is not None and valuation(pivot[column]) <= own:
                    new = tuple(_less(new, new[column] >> valuation(pivot[column]), pivot, mask))
                    continue
                # It leads here: as a power of two, and what was in its place goes on without this column.
                unit = pow(new[column] >> own, -1, 1 << self.width)
                new = tuple(number * unit & mask for number in new)
                self._pivots[column] = new
                larger = True
                if own:
                    waiting.append(tuple(number << self.width - own & mask for number in new))
                if pivot is not None:
                    waiting.append(pivot)
                break
        return larger

    def orthogonal(self) -> list[Row]:
        """Rows that span all those whose product with each row of the module is 0: what is linear and holds of it."""
        mask = (1 << self.width) - 1
        found = [tuple(int(i == j) for j in range(self.columns)) for i in range(self.columns)]
        for row in self:
            products = [sum(a * b for a, b in zip(each, row, strict=True)) & mask for each in found]
            chosen = min((i for i, p in enumerate(products) if p), key=lambda i: valuation(products[i]), default=None)
            if chosen is None:
                continue
            own, by = valuation(products[chosen]), found[chosen]
            unit = pow(products[chosen] >> own, -1, 1 << self.width)
            found = [
                each if i == chosen else tuple(_less(each, (products[i] >> own) * unit, by, mask))
                for i, each in enumerate(found)
            ]
            found[chosen] = tuple(number << self.width - own & mask for number in by)
            found = [each for each in found if any(each)]
        return found

    def constant(self, functional: Sequence[int]) -> int | None:
        """The product of every point with ``functional``, if it is the same for all."""
        mask = (1 << self.width) - 1
        first = self._pivots.get(0)
        if first is None:
            return None
        value = sum(a * b for a, b in zip(functional, first, strict=True)) & mask
        for row in self:
            if (sum(a * b for a, b in zip(functional, row, strict=True)) - value * row[0]) & mask:
                return None
        return value

    def where(self, functional: Sequence[int]) -> Module | None:
        """The points, which are the rows that begin with 1, whose product with ``functional`` is 0; None where there
        are none. The first column is that of the constant."""
        mask = (1 << self.width) - 1
        rows = list(self)
        products = [sum(a * b for a, b in zip(functional, row, strict=True)) & mask for row in rows]
        chosen = min((i for i, p in enumerate(products) if p), key=lambda i: valuation(products[i]), default=None)
        if chosen is None:
            return self
        own, by = valuation(products[chosen]), rows[chosen]
        unit = pow(products[chosen] >> own, -1, 1 << self.width)
        kept = [tuple(_less(row, (products[i] >> own) * unit, by, mask)) for i, row in enumerate(rows) if i != chosen]
        kept.append(tuple(number << self.width - own & mask for number in by))
        found = Module(self.width, self.columns, kept)
        first = found._pivots.get(0)
        return found if first is not None and first[0] == 1 else None


def _less(row: Sequence[int], factor: int, other: Sequence[int], mask: int) -> list[int]:
    return [(a - factor * b) & mask if b else a for a, b in zip(row, other, strict=True)]
