"""Arrays of variable length in the print of a program: one row of elements, and variables for the lengths.

An array is a pointer to the memory that it gets where its lifetime begins. Where only the first length is variable,
that are its elements; otherwise the array is flat, and a subscript for each dimension leads to an element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from argosy.basics.records import dataclass
from argosy.frontends.c.spelling import Spelling
from argosy.frontends.c.symbols import Object
from argosy.frontends.c.typed import AddressOf, ElementPlace
from argosy.frontends.c.types import Array, DataModel, Type
from argosy.frontends.c.unsupported import Construct, error


def is_variable(symbol: Object) -> bool:
    """Whether it is an array of variable length."""
    return not symbol.lasting and has_open_length(symbol.type)


def has_open_length(type_: Type) -> bool:
    """Whether it is an array with a length that its type does not say."""
    return isinstance(type_, Array) and (type_.length is None or has_open_length(type_.element))


class VariableArray:
    """``dimensions`` are those that are not part of the ``element``; ``lengths`` are the variables for all but the
    first one."""

    def __init__(self, symbol: Object, name: str, fresh: Callable[[str], str]) -> None:
        self.symbol, self.name = symbol, name
        self.element: Type = symbol.type
        self.dimensions = 0
        while isinstance(self.element, Array) and (not self.dimensions or has_open_length(self.element)):
            self.element, self.dimensions = self.element.element, self.dimensions + 1
        self.lengths = [fresh(f"{name}_length") for _ in range(1, self.dimensions)]

    def declared(self, spell: Spelling, model: DataModel) -> Iterator[str]:
        yield f"{spell.declared(model.pointer(self.element), self.name)};"
        yield from (f"unsigned long {length};" for length in self.lengths)

    def begin(self, counts: Sequence[str], spell: Spelling) -> Iterator[str]:
        """What is done where the lifetime begins, with the lengths in all dimensions."""
        if len(counts) < self.dimensions:
            raise error(self.symbol.position, f"array '{self.symbol.name}'", Construct.LENGTH)
        for length, count in zip(self.lengths, counts[1:], strict=False):
            yield f"{length} = {count};"
        factors = [f"sizeof({spell(self.element)})", counts[0], *self.lengths]
        yield f"{self.name} = __builtin_alloca({' * '.join(factors)});"


@dataclass(frozen=True, slots=True)
class VariableElement:
    """What some subscripts lead to in an array of variable length."""

    array: VariableArray
    indices: tuple[str, ...]

    def place(self, written: ElementPlace) -> str:
        inner = self.indices[self.array.dimensions :]
        if len(self.indices) < self.array.dimensions:
            raise error(written.original.position, f"{written.original.text}, in a print", Construct.LENGTH)
        return f"{self._flat()}{''.join(f'[{index}]' for index in inner)}"

    def address(self, written: AddressOf) -> str:
        """The address of what the subscripts lead to, or of its first element."""
        place, array = written.place, self.array
        first = isinstance(place.type, Array) and written.type.target != place.type
        missing = array.dimensions - len(self.indices)
        if missing <= 0 and isinstance(place, ElementPlace):
            return f"(&{self.place(place)}{'[0]' if first else ''})"
        if array.dimensions == 1:
            return array.name
        if missing > 1 or not first:
            raise error(written.original.position, f"{written.original.text}, in a print", Construct.LENGTH)
        return f"(&{VariableElement(array, (*self.indices, '0'))._flat()})"

    def _flat(self) -> str:
        text = self.indices[0]
        for length, index in zip(self.array.lengths, self.indices[1:], strict=False):
            text = f"((long){text} * (long){length} + (long){index})"
        return f"{self.array.name}[{text}]"
