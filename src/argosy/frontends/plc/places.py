"""What variables, fields and elements stand for, how they are read, and how they are assigned.

An element whose index is not known is one of several (``frames.Selected``): reading it chooses among them, assigning it
assigns each of them, if it is meant.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from argosy.basics.choices import did_you_mean
from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.plc.addresses import PlcLocation, located, overlap
from argosy.frontends.plc.code import (
    PlcConstant,
    PlcLoad,
    PlcStore,
    TypedExpression,
    loaded,
)
from argosy.frontends.plc.conversions import Conversions
from argosy.frontends.plc.frames import PlcFrame, Reference, Selected
from argosy.frontends.plc.syntax import (
    PlcAddress,
    PlcExpression,
    PlcIndex,
    PlcMember,
    PlcName,
)
from argosy.frontends.plc.types import (
    BOOLEAN,
    ELEMENTARY,
    ArrayStorage,
    Cell,
    PlcStorage,
    RecordStorage,
    type_name,
)
from argosy.models.kinds import Undefined


class PlaceCode(Conversions, ABC):
    """Code that knows variables."""

    @abstractmethod
    def expression(self, syntax: PlcExpression, frame: PlcFrame) -> TypedExpression:
        """The value of an expression."""

    def reference(self, syntax: PlcExpression, frame: PlcFrame) -> Reference:
        """What a variable, a field or an element stands for."""
        match syntax:
            case PlcName():
                return self._name(syntax, frame)
            case PlcAddress():
                return self.address(syntax.text, syntax.position)
            case PlcMember(PlcName() as base) if (constant := self._enumerator_of(base, syntax, frame)) is not None:
                return constant
            case PlcMember():
                return self._member(self.reference(syntax.base, frame), syntax)
            case PlcIndex():
                found = self.reference(syntax.base, frame)
                for index in syntax.indices:
                    found = self._element(found, self._index(index, frame), syntax.position)
                return found
        raise InputError(syntax.position, "a variable is needed here")

    def _enumerator_of(self, base: PlcName, syntax: PlcMember, frame: PlcFrame) -> PlcConstant | None:
        """``colour.red``, where no variable is called so."""
        if self.find(base.key, frame) is not None or base.key == frame.unit.key:
            return None
        type = self.scopes.find_scalar(base.text)
        for name, number in type.names if type is not None else ():
            if name.upper() == syntax.name.upper():
                return PlcConstant(number, type)  # type: ignore[arg-type]
        return None

    def find(self, key: str, frame: PlcFrame) -> Reference | None:
        found = frame.names.get(key)
        return self.scopes.everywhere.names.get(key) if found is None else found

    def _name(self, syntax: PlcName, frame: PlcFrame) -> Reference:
        if syntax.key == frame.unit.key and "(RESULT)" in frame.names:
            return frame.names["(RESULT)"]
        found = self.find(syntax.key, frame)
        if found is None:
            enumerator = self.scopes.enumerators.get(syntax.key)
            if enumerator is not None:
                return PlcConstant(enumerator[1], enumerator[0])
            if syntax.key in self.scopes.enumerators:
                raise InputError(syntax.position, f"several enumerations have {syntax.text}: write TYPE#{syntax.text}")
            close = did_you_mean(syntax.text, [key for key in frame.names if not key.startswith("(")])
            raise InputError(syntax.position, f"no variable is called {syntax.text}{close}")
        return found

    def _member(self, base: Reference, syntax: PlcMember) -> Reference:
        match base:
            case RecordStorage():
                field = base.fields.get(syntax.name.upper())
                if field is None:
                    names = ", ".join(name.rpartition(".")[2] for name in base.fields)
                    raise InputError(
                        syntax.position, f"{type_name(base.type)} has no field {syntax.name}; it has {names}"
                    )
                return field
            case Selected():
                return Selected(base.index, base.low, tuple(self._member(each, syntax) for each in base.options))
        raise InputError(syntax.position, f"there are no fields before .{syntax.name}")

    def _index(self, syntax: PlcExpression, frame: PlcFrame) -> TypedExpression:
        index = self.expression(syntax, frame)
        if not index.type.is_word:
            raise InputError(syntax.position, f"an index is a whole number, not {index.type.name}")
        return index

    def _element(self, base: Reference, index: TypedExpression, position: Position) -> Reference:
        match base:
            case ArrayStorage():
                low, high = base.type.low, base.type.high
                if isinstance(index, PlcConstant):
                    if not low <= index.value <= high:
                        raise InputError(position, f"the index {index.value} is outside of {low}..{high}")
                    return base.elements[int(index.value) - low]
                self._demand_index(index, low, high, position)
                return Selected(index, low, base.elements)
            case Selected():
                options = tuple(self._element(each, index, position) for each in base.options)
                return Selected(base.index, base.low, options)
        raise InputError(position, "only arrays have elements")

    def _demand_index(self, index: TypedExpression, low: int, high: int, position: Position) -> None:
        type, inside = index.type, []
        least, most = type.range
        if low > most or high < least:
            raise InputError(position, f"{type.name} has no value from {low} to {high}")
        if low > least:
            inside.append(self.truth("le", PlcConstant(low, type), index, at=position))
        if high < most:
            inside.append(self.truth("le", index, PlcConstant(high, type), at=position))
        for condition in inside:
            self.demand(condition, Undefined.BOUNDS, position, f"index within {low}..{high}")

    def address(self, text: str, position: Position) -> Cell:
        """The variable at an address of the process image."""
        place = located(text, position)
        if place.key not in self.addresses:
            section = {"I": "input", "Q": "output", "M": "memory"}[place.area]
            made = self.scopes.cell(place.key, ELEMENTARY[place.type], section, position)
            self.put(place, made, position)
        found = self.addresses[place.key]
        if not isinstance(found, Cell):
            raise UnsupportedError(position, f"the address {place.key}, where a whole {type_name(found.type)} is")
        return found

    def put(self, place: PlcLocation, storage: PlcStorage, position: Position) -> None:
        """A variable is at an address from now on. What would share bits with another one is refused."""
        if place.key in self.addresses:
            raise UnsupportedError(position, f"two variables at the address {place.key}")
        dialect = self.scopes.dialect
        if place.size != "X" and place.area == "M":
            self.scopes.note(dialect.notes()["addresses"])
        span = place.spread(storage)
        for key, (other, taken) in self._places.items():
            if overlap(place, span, other, taken, dialect.addresses):
                raise UnsupportedError(position, f"the addresses {place.key} and {key}, which overlap")
        self.addresses[place.key] = storage
        self._places[place.key] = (place, span)

    def load(self, reference: Reference, position: Position) -> TypedExpression:
        match reference:
            case Cell():
                if reference in self.known:
                    return PlcConstant(self.known[reference], reference.type)
                if self.pure and reference in self.frozen:
                    return PlcConstant(self.frozen[reference], reference.type)
                return PlcLoad(reference)
            case PlcConstant():
                return reference
            case Selected():
                options = [self.load(each, position) for each in reference.options]
                found = options[-1]
                for number, option in reversed(list(enumerate(options[:-1], reference.low))):
                    here = self._is(reference.index, number, position)
                    found = self.operate("if", here, option, found, type=option.type, at=position)
                return found
        raise InputError(position, f"a single value is needed here, not {type_name(reference.type)}")

    def _is(self, index: TypedExpression, number: int, position: Position) -> TypedExpression:
        if not index.type.fits(number):
            return PlcConstant(False, BOOLEAN)
        return self.truth("eq", index, PlcConstant(number, index.type), at=position)

    def store(self, reference: Reference, value: TypedExpression, position: Position, text: str) -> None:
        """Assigns a scalar. A stored value that is selected by an index is stored at each place, if it is meant."""
        match reference:
            case Cell():
                self.emit(PlcStore(reference, self.convert(value, reference.type, position), position, text))
            case Selected():
                targets = list(_targets(reference))
                indices = {id(index): index for _, conditions in targets for index, _ in conditions}
                cells = {cell for cell, _ in targets}
                fixed = {
                    key: self.temporary(index, position) if cells & set(loaded(index)) else index
                    for key, index in indices.items()
                }
                kept = self.convert(value, targets[0][0].type, position)
                if cells & set(loaded(kept)):
                    kept = self.temporary(kept, position)
                for cell, conditions in targets:
                    here: TypedExpression = PlcConstant(True, BOOLEAN)
                    for index, number in conditions:
                        here = self.truth("and", here, self._is(fixed[id(index)], number, position), at=position)
                    chosen = self.operate("if", here, kept, PlcLoad(cell), type=cell.type, at=position)
                    self.emit(PlcStore(cell, chosen, position, text))
            case PlcConstant():
                raise InputError(position, "a constant cannot be assigned")
            case _:
                raise InputError(position, f"a single value is assigned here to {type_name(reference.type)}")

    def copy(self, target: Reference, source: Reference, position: Position, text: str) -> None:
        """Assigns a whole array or structure."""
        if _is_single(target):
            self.store(target, self.load(source, position), position, text)
            return
        into, out_of = _parts(target), _parts(source)
        if len(into) != len(out_of):
            raise InputError(position, "the two sides have different types")
        for left, right in zip(into, out_of, strict=True):
            self.copy(left, right, position, text)


def _targets(
    reference: Reference, conditions: tuple[tuple[TypedExpression, int], ...] = ()
) -> list[tuple[Cell, tuple[tuple[TypedExpression, int], ...]]]:
    """The cells that a reference may mean, each with the indices under which it does."""
    if isinstance(reference, Cell):
        return [(reference, conditions)]
    assert isinstance(reference, Selected)
    found = []
    for number, option in enumerate(reference.options, reference.low):
        found.extend(_targets(option, (*conditions, (reference.index, number))))
    return found


def _is_single(reference: Reference) -> bool:
    if isinstance(reference, Selected):
        return _is_single(reference.options[0])
    return isinstance(reference, Cell | PlcConstant)


def _parts(reference: Reference) -> list[Reference]:
    match reference:
        case ArrayStorage():
            return list(reference.elements)
        case RecordStorage():
            return list(reference.fields.values())
        case Selected():
            columns = zip(*(_parts(each) for each in reference.options), strict=True)
            return [Selected(reference.index, reference.low, column) for column in columns]
    return []
