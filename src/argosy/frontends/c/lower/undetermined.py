"""What pointers lead to that never got a value, in memory from ``malloc``: their values are any, and so are those of
some object.

Such a pointer may be null or lead nowhere; there is one object of each type that it may lead to as well, with any
contents. Other pointers of which nothing is known may lead there, too: what they write is written, what they read is
any value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from argosy.basics.position import Position
from argosy.basics.records import dataclass
from argosy.frontends.c.lower.graph import Foreign, Store, Template, WildWrite
from argosy.frontends.c.lower.points_to import Objects
from argosy.frontends.c.lower.views import View
from argosy.frontends.c.memory import Access, MemoryCell
from argosy.frontends.c.symbols import Object, Unit
from argosy.frontends.c.types import Type
from argosy.logic.terms import Term


@dataclass(frozen=True, slots=True)
class PointedCell:
    """A cell that an access may be at, with its address, or what it sees there: ``term`` is what is read."""

    object: Object
    cell: MemoryCell
    term: Term
    address: Term
    view: View | None = None

    @property
    def cells(self) -> tuple[Term, ...]:
        """The variables that it is made of."""
        return (self.term,) if self.view is None else tuple(piece.cell for piece in self.view.pieces)


@dataclass(frozen=True, slots=True)
class ReadAside:
    """What is read at an address: one of some cells, or the value ``outside`` of them."""

    address: Term
    cells: tuple[PointedCell, ...]
    outside: Term


class Undetermined:
    """The objects of one program, by their types."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._objects: dict[Type, Object] = {}
        self._blurred: dict[Type, set[int]] = {}

    def find(self, templates: Iterable[Template], of: Callable[[Access], Objects]) -> None:
        """Make the objects that reads through pointers without a value need, when it is known who writes where."""
        unit = self._unit
        actions = [step.action for template in templates for step in template.steps]
        if unit.watched or any(isinstance(action, WildWrite | Foreign) for action in actions):
            return
        stores = [action.access for action in actions if isinstance(action, Store) and action.access.direct is None]
        anywhere = [access for access in stores if not of(access)]
        for access, refusal in unit.loads.values():
            type_ = access.record or access.type
            if type_ not in self._objects and access.direct is None and unit.cells(type_) and of(access) == frozenset():
                symbol = self._objects[type_] = Object(f"any {type_}", type_, refusal.position, "", lasting=True)
                blurred = (set(self._touched(type_, each)) - set(unit.fitting(type_, each)) for each in anywhere)
                self._blurred[symbol.type] = set().union(*blurred)

    def read(self, access: Access, position: Position) -> list[PointedCell]:
        """What a read through a pointer without a value may be at."""
        type_ = access.record or access.type
        numbers = self._unit.fitting(type_, access) if type_ in self._objects else ()
        if not numbers or not self._blurred[type_].isdisjoint(numbers):
            return []
        self._unit.note(f"{position}: a pointer that has no value may lead to an object of its type, with any contents")
        return self._cells(self._objects[type_], numbers)

    def written(self, access: Access) -> list[PointedCell]:
        """What a write through a pointer may change of which nothing is known, or which has no value."""
        if access.direct is not None:
            return []
        fitting = ((symbol, self._unit.fitting(type_, access)) for type_, symbol in self._objects.items())
        return [cell for symbol, numbers in fitting for cell in self._cells(symbol, numbers)]

    def _cells(self, symbol: Object, numbers: Sequence[int]) -> list[PointedCell]:
        unit = self._unit
        all_, start, width = unit.cells(symbol.type), unit.address(symbol), unit.model.pointer_width
        return [
            PointedCell(symbol, cell, unit.part_of_cell(symbol, cell), unit.terms.bv(start + cell.offset, width))
            for cell in (all_[number] for number in numbers)
        ]

    def _touched(self, type_: Type, write: Access) -> tuple[int, ...]:
        """The cells of an object of a type that a write may change; characters may be parts of anything."""
        if write.type.sort.is_bits and write.type.sort.width == 8:
            return tuple(range(len(self._unit.cells(type_))))
        return self._unit.overlapping(type_, write.type)
