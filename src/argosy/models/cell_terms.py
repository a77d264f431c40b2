"""Terms about arrays as terms about symbolic cells: what ``models.cells`` makes of the terms of one edge.

Law: take any values of the variables, arrays included, and any index for each cell. If the variable of a cell's element
has the value that its array has at the index, and each value that was ``read`` elsewhere is the one that the array has
there, then ``guards`` hold, and the translation of a term has the value of the term.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

from argosy.basics.records import dataclass
from argosy.logic.semantics import signed
from argosy.logic.sorts import BOOL, Sort, bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import postorder

Index = tuple[Term, ...]
"""The indices of one element: one for each dimension."""

Fresh = Callable[[Term | None, Index, Sort], Term]
"""A name for any value of a sort: that of an array at an index, or any at all."""


@dataclass(frozen=True, slots=True, eq=False)
class SymbolicCell:
    """One cell: its ``index``, and the variable of the element of each array there."""

    index: Index
    elements: Mapping[Term, Term]


Known = tuple[tuple[Index, SymbolicCell], ...]
"""Indices that are those of cells, as far as a case distinction has said so."""


def is_array(term: Term) -> bool:
    return term.sort.element is not None


class Splits:
    """Indices that are always made of the same parts (``a[i][j]`` at ``concat(i, j)``) are as many indices: their
    equality is that of the parts. ``widths`` are those of the parts, from the highest bits down, by the sort."""

    def __init__(self, terms: Terms, indices: Iterable[Term]) -> None:
        self._terms = terms
        cuts: dict[Sort, frozenset[int]] = {}
        for index in indices:
            if index.sort.is_bits and not index.is_const:
                found = frozenset(low for _, low in self._leaves(index))
                cuts[index.sort] = cuts.get(index.sort, found) & found
        self._lows = {sort: sorted(lows, reverse=True) for sort, lows in cuts.items() if len(lows) > 1}

    def _leaves(self, index: Term) -> list[tuple[Term, int]]:
        """What bits are concatenated of, each with the place of its lowest bit."""
        found: list[tuple[Term, int]] = []
        waiting = [(index, 0)]
        while waiting:
            term, low = waiting.pop()
            if term.op == "concat":
                waiting += [(term.args[1], low), (term.args[0], low + term.args[1].sort.width)]
            elif term.op == "zero_extend" and term.args[0].op == "concat":
                inner = term.args[0]
                waiting += [(inner, low), (self._terms.bv(0, term.payload), low + inner.sort.width)]
            else:
                found.append((term, low))
        return found

    def __call__(self, index: Term) -> Index:
        lows = self._lows.get(index.sort)
        if lows is None:
            return (index,)
        if index.is_const:
            tops = [index.sort.width, *lows]
            return tuple(self._terms.extract(index, top - 1, low) for top, low in pairwise(tops))
        parts: dict[int, Term] = {}
        for leaf, place in self._leaves(index):
            low = max(low for low in lows if low <= place)
            parts[low] = leaf if low not in parts else self._terms.concat(parts[low], leaf)
        return tuple(parts[low] for low in lows)

    def joined(self, sort: Sort, index: Index) -> Term:
        """The index of that sort that has these parts."""
        whole, *rest = index
        for part in rest:
            whole = self._terms.concat(whole, part)
        assert whole.sort is sort
        return whole

    def parts(self, sort: Sort) -> tuple[Sort, ...]:
        """The sorts of the parts of an index."""
        lows = self._lows.get(sort)
        return (sort,) if lows is None else tuple(bits(top - low) for top, low in pairwise([sort.width, *lows]))

    def form(self, sort: Sort) -> tuple[tuple[Sort, ...], Sort]:
        """The sorts of the indices of an array, and that of its elements."""
        indices: list[Sort] = []
        while sort.element is not None:
            assert sort.index is not None
            indices += self.parts(sort.index)
            sort = sort.element
        return tuple(indices), sort


class CellTerms:
    """The terms of one edge. ``cells`` are listed by the sorts of their indices, and know the arrays of the edge."""

    def __init__(
        self, terms: Terms, splits: Splits, cells: Mapping[tuple[Sort, ...], tuple[SymbolicCell, ...]], fresh: Fresh
    ) -> None:
        self._terms = terms
        self._split = splits
        self._cells = cells
        self._fresh = fresh
        self._translated: dict[tuple[Term, Known], Term] = {}
        self._elements: dict[tuple[Term, Index, Known], Term] = {}
        self._reads: dict[tuple[Term, Index], Term] = {}
        self.guards: list[Term] = []

    def __call__(self, term: Term, known: Known = ()) -> Term:
        """A term that is no array, without any."""
        done = self._translated
        for sub in postorder(term):
            if (sub, known) in done or is_array(sub):
                continue
            if sub.op == "select":
                image = self.element(sub.args[0], self._split(done[sub.args[1], known]), known)
            elif any(is_array(argument) for argument in sub.args):
                image = self._compared(sub.args[0], sub.args[1], known)
            elif sub.args:
                arguments = tuple(done[argument, known] for argument in sub.args)
                same = all(a is b for a, b in zip(arguments, sub.args, strict=True))
                image = sub if same else self._terms.app(sub.op, arguments, sub.payload, sub.sort)
            else:
                image = sub
            done[sub, known] = image
        return done[term, known]

    def element(self, array: Term, index: Index, known: Known = ()) -> Term:
        """What stands in ``array`` at ``index``, which is without arrays already."""
        key = (array, index, known)
        if key not in self._elements:
            self._elements[key] = self._element(array, index, known)
        return self._elements[key]

    def _element(self, array: Term, index: Index, known: Known) -> Term:
        terms = self._terms
        writes: list[tuple[Term, Term]] = []
        while array.op == "store":
            place = self._split(self(array.args[1], known))
            same = terms.conjunction(map(terms.eq, index[: len(place)], place))
            if same is not terms.false:
                writes.append((same, self._written(array.args[2], place, index, known)))
            if same is terms.true:
                break
            array = array.args[0]
        found = writes.pop()[1] if array.op == "store" else self._unwritten(array, index, known)
        for same, value in reversed(writes):
            found = terms.ite(same, value, found)
        return found

    def _written(self, value: Term, place: Index, index: Index, known: Known) -> Term:
        """The value of a write to ``place``, where that is ``index``; if ``index`` is a cell's, so is ``place``."""
        if len(index) > len(place):
            return self.element(value, index[len(place) :], known)
        for some in self._cells.values():
            for cell in some:
                if cell.index == index:
                    return self(value, (*known, (place, cell)))
        return self(value, known)

    def _unwritten(self, array: Term, index: Index, known: Known) -> Term:
        match array.op:
            case "ite":
                condition, a, b = array.args
                return self._terms.ite(
                    self(condition, known), self.element(a, index, known), self.element(b, index, known)
                )
            case "const-array":
                [value] = array.args
                assert array.sort.index is not None
                used = len(self._split.parts(array.sort.index))
                return self.element(value, index[used:], known) if len(index) > used else self(value, known)
            case "select":
                row, place = array.args
                return self.element(row, (*self._split(self(place, known)), *index), known)
        return self._read(array, index, known)

    def _read(self, array: Term, index: Index, known: Known) -> Term:
        indices, sort = self._split.form(array.sort)
        some = [cell for cell in self._cells.get(indices, ()) if array in cell.elements]
        for cell in some:
            if cell.index == index or (index, cell) in known:
                return cell.elements[array]
        value = self._reads.get((array, index))
        if value is None:
            value = self._reads[array, index] = self._fresh(array if some else None, index, sort)
            for cell in some:
                same = self._terms.conjunction(map(self._terms.eq, index, cell.index))
                self.guards.append(self._terms.implies(same, self._terms.eq(value, cell.elements[array])))
        return value

    def _compared(self, one: Term, other: Term, known: Known) -> Term:
        """Whether two arrays are equal: any answer, but they are not where elements differ."""
        equal = self._fresh(None, (), BOOL)
        for cell in self._cells.get(self._split.form(one.sort)[0], ()):
            same = self._terms.eq(self.element(one, cell.index, known), self.element(other, cell.index, known))
            self.guards.append(self._terms.implies(equal, same))
        return equal


def numbered(terms: Terms, index: Term) -> Term:
    """The number of an element, where an index is the offset of its bytes, divided: ``i`` for ``4 * i >> 2``. That is
    the same unless the offset overflows."""
    if index.op == "zero_extend" and index.args[0].op == "extract":
        inner = index.args[0]
        [offset] = inner.args
        high, low = inner.payload
        if offset.sort is index.sort and high == offset.sort.width - 1:
            return _divided(terms, offset, low) or index
    return index


def counted(terms: Terms, index: Term, cell: Term) -> tuple[Term, Term]:
    """The number of an element and that of the cell, both as wide as the program counts: blocks have fewer elements
    than indices have values, so that of a wide number only the lower part is there."""
    number = numbered(terms, index)
    if number.op == "extract" and number.payload[1] == 0:
        number = number.args[0]
        return number, terms.zero_extend(cell, number.sort.width - cell.sort.width)
    return number, cell


def _divided(terms: Terms, offset: Term, by: int) -> Term | None:
    match offset.op:
        case "const" if offset.payload % (1 << by) == 0:
            width = offset.sort.width
            return terms.bv(signed(offset.payload, width) >> by, width)
        case "bvmul":
            factor, other = sorted(offset.args, key=lambda part: not part.is_const)
            if factor.is_const and factor.payload % (1 << by) == 0:
                return terms.bit("bvmul", other, terms.bv(factor.payload >> by, factor.sort.width))
        case "bvadd" | "bvsub":
            parts = [_divided(terms, part, by) for part in offset.args]
            known = [part for part in parts if part is not None]
            if len(known) == len(parts):
                return terms.bit(offset.op, *known)
    return None
