"""Names and storage: what a program declares, as cells; constants by their declarations."""

from __future__ import annotations

from collections.abc import Iterable

from argosy.basics.choices import did_you_mean
from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.plc.code import PlcConstant
from argosy.frontends.plc.dialects import PlcDialect
from argosy.frontends.plc.frames import ConstantOf, PlcFrame
from argosy.frontends.plc.library import TIMERS, standard_blocks
from argosy.frontends.plc.named_types import NamedTypes
from argosy.frontends.plc.syntax import (
    PlcAggregate,
    PlcArrayType,
    PlcDeclaration,
    PlcExpression,
    PlcNamedType,
    PlcSource,
    PlcStructType,
    PlcType,
    PlcUnit,
)
from argosy.frontends.plc.types import (
    ELEMENTARY,
    ArrayOf,
    ArrayStorage,
    Cell,
    PlcScalar,
    PlcStorage,
    RecordOf,
    RecordStorage,
    Value,
    type_of,
)

LARGEST = 20_000
"""Cells, beyond which a program is refused."""


class PlcScopes(NamedTypes):
    """Units and variables of a text."""

    def __init__(self, source: PlcSource, dialect: PlcDialect, constant: ConstantOf) -> None:
        super().__init__(source, dialect, constant)
        self.units: dict[str, PlcUnit] = dict(standard_blocks(dialect))
        self.own: set[str] = set()
        self.cells: list[Cell] = []
        self.timers: list[RecordStorage] = []
        for unit in source.units:
            if unit.key in self.own:
                raise InputError(unit.position, f"{unit.name} is declared twice")
            if unit.key in self.units:
                self.note(f"{unit.name} is the one of this file, not the standard one")
            self.own.add(unit.key)
            self.units[unit.key] = unit

    def allocate(
        self,
        syntax: PlcType,
        name: str,
        section: str,
        position: Position,
        initial: PlcExpression | None,
        frame: PlcFrame,
    ) -> PlcStorage:
        """New cells for a variable of a type."""
        scalar = self._scalar(syntax)
        if scalar is not None:
            if initial is None and isinstance(syntax, PlcNamedType):
                declared = self._types.get(syntax.name.upper())
                initial = None if declared is None else declared.initial
            return self.cell(name, scalar, section, position, self._initial(scalar, initial, frame))
        match syntax:
            case PlcArrayType():
                return self._array(syntax, 0, name, section, position, initial, frame)
            case PlcStructType():
                return self._record("", syntax.fields, "", name, section, position, initial, frame)
            case PlcNamedType():
                return self._named(syntax, name, section, position, initial, frame)
        raise InputError(syntax.position, "a type is needed here")

    def cell(self, name: str, type: PlcScalar, section: str, position: Position, initial: Value | None = None) -> Cell:
        if len(self.cells) >= LARGEST:
            raise UnsupportedError(position, f"more than {LARGEST} elementary variables")
        made = Cell(name, type, section, type.default if initial is None else initial, position)
        self.cells.append(made)
        return made

    def _initial(self, type: PlcScalar, initial: PlcExpression | None, frame: PlcFrame) -> Value:
        if initial is None:
            return type.default
        if isinstance(initial, PlcAggregate):
            raise InputError(initial.position, f"a value of {type.name} is needed here")
        return self._constant(initial, frame, type).value

    def _array(
        self,
        syntax: PlcArrayType,
        dimension: int,
        name: str,
        section: str,
        position: Position,
        initial: PlcExpression | None,
        frame: PlcFrame,
    ) -> ArrayStorage:
        low, high = (self._bound(bound, frame) for bound in syntax.dimensions[dimension])
        if low > high:
            raise InputError(syntax.position, f"an array from {low} to {high} has no elements")
        count = high - low + 1
        if count > LARGEST:
            raise UnsupportedError(syntax.position, f"an array of {count} elements")
        values = self._elements(self._nested(syntax, dimension, initial, frame), count)
        last = dimension == len(syntax.dimensions) - 1
        elements: list[PlcStorage] = []
        for offset in range(count):
            # a[1][2] is a[1,2]: an inner dimension continues the brackets.
            inner = f"{name[:-1]},{low + offset}]" if dimension else f"{name}[{low + offset}]"
            value = values[offset] if offset < len(values) else None
            if last:
                elements.append(self.allocate(syntax.element, inner, section, position, value, frame))
            else:
                nested = value
                elements.append(self._array(syntax, dimension + 1, inner, section, position, nested, frame))
        return ArrayStorage(ArrayOf(low, high, type_of(elements[0])), tuple(elements))

    def _nested(
        self, syntax: PlcArrayType, dimension: int, initial: PlcExpression | None, frame: PlcFrame
    ) -> PlcExpression | None:
        """The values of all dimensions may stand in one list: the last index changes first."""
        inner = syntax.dimensions[dimension + 1 :]
        if not inner or not isinstance(initial, PlcAggregate):
            return initial
        if all(isinstance(value, PlcAggregate) for _, _, value in initial.elements):
            return initial
        size = 1
        for low, high in inner:
            size *= self._bound(high, frame) - self._bound(low, frame) + 1
        flat = [value for _, times, value in initial.elements for _ in range(min(times, LARGEST))]
        rows = [flat[start : start + size] for start in range(0, len(flat), size)]
        made = (PlcAggregate(tuple(("", 1, value) for value in row), initial.position) for row in rows)
        return PlcAggregate(tuple(("", 1, row) for row in made), initial.position)

    def _bound(self, bound: PlcExpression, frame: PlcFrame) -> int:
        value = self._constant(bound, frame, None).value
        if not isinstance(value, int) or isinstance(value, bool):
            raise InputError(bound.position, "a whole number is needed here")
        return value

    def _elements(self, initial: PlcExpression | None, count: int) -> list[PlcExpression | None]:
        if initial is None:
            return []
        if not isinstance(initial, PlcAggregate):
            raise InputError(initial.position, "the initial value of an array stands in brackets")
        found: list[PlcExpression | None] = []
        for name, times, value in initial.elements:
            if name:
                raise InputError(initial.position, "an array has elements, not fields")
            found.extend([value] * min(times, count + 1))
        if len(found) > count:
            raise InputError(initial.position, f"{len(found)} initial values for {count} elements")
        return found

    def _named(
        self,
        syntax: PlcNamedType,
        name: str,
        section: str,
        position: Position,
        initial: PlcExpression | None,
        frame: PlcFrame,
    ) -> PlcStorage:
        key = syntax.name.upper()
        if key in self._resolving:
            raise InputError(syntax.position, f"{syntax.name} contains itself")
        declared, unit = self._types.get(key), self.units.get(key)
        self._resolving.append(key)
        try:
            if declared is not None:
                value = initial if initial is not None else declared.initial
                if isinstance(declared.type, PlcStructType):
                    fields = declared.type.fields
                    return self._record(declared.name, fields, "", name, section, position, value, frame)
                return self.allocate(declared.type, name, section, position, value, frame)
            if unit is not None and unit.kind == "FUNCTION_BLOCK":
                return self._instance(unit, name, section, position, initial, frame)
        finally:
            self._resolving.pop()
        if key in self.source.refused:
            what, where = self.source.refused[key]
            raise UnsupportedError(where, what)
        known = [*ELEMENTARY, *(each.name for each in self.source.types), *(u.name for u in self.units.values())]
        raise InputError(syntax.position, f"no type is called {syntax.name}{did_you_mean(syntax.name, known)}")

    def _instance(
        self,
        unit: PlcUnit,
        name: str,
        section: str,
        position: Position,
        initial: PlcExpression | None,
        frame: PlcFrame,
    ) -> RecordStorage:
        kept = self.kept(unit)
        section = "memory" if section == "input" else section
        inner = PlcFrame(unit)
        self.constants(unit, inner)
        made = self._record(unit.name, kept, unit.key, name, section, position, initial, inner)
        if unit.key in TIMERS and unit.key not in self.own:
            self.timers.append(made)
        return made

    def _record(
        self,
        type: str,
        fields: Iterable[PlcDeclaration],
        block: str,
        name: str,
        section: str,
        position: Position,
        initial: PlcExpression | None,
        frame: PlcFrame,
    ) -> RecordStorage:
        values: dict[str, PlcExpression] = {}
        if initial is not None:
            if not isinstance(initial, PlcAggregate):
                raise InputError(initial.position, "the initial value of a structure is (field := value, ...)")
            values = {each.upper(): value for each, _, value in initial.elements}
        made: dict[str, PlcStorage] = {}
        for each in fields:
            key = each.name.upper()
            if key in made:
                raise InputError(each.position, f"{each.name} is declared twice")
            value = values.pop(key, each.initial)
            inner = block in TIMERS and key in ("RUNNING", "ELAPSED", "EXPIRED")
            shown = "hidden" if inner or "HIDDEN" in each.qualifiers else section
            made[key] = self.allocate(each.type, f"{name}.{each.name}", shown, each.position, value, frame)
        for key in values:
            raise InputError(position, f"{type or 'the structure'} has no field {key}")
        return RecordStorage(RecordOf(type, tuple((k, type_of(s)) for k, s in made.items()), block), made)

    def constants(self, unit: PlcUnit, frame: PlcFrame) -> None:
        """Gives the constants of a unit their values."""
        for declared in unit.declarations:
            if "CONSTANT" in declared.qualifiers and declared.section != "VAR_EXTERNAL":
                scalar = self._scalar(declared.type)
                if scalar is not None:
                    value = self._initial(scalar, declared.initial, frame)
                    frame.names[declared.name.upper()] = PlcConstant(value, scalar)

    def kept(self, unit: PlcUnit) -> list[PlcDeclaration]:
        """The variables that an instance has of its own, which last from call to call."""

        def is_kept(each: PlcDeclaration) -> bool:
            fixed = "CONSTANT" in each.qualifiers and self._scalar(each.type) is not None
            return each.section in ("VAR", "VAR_INPUT", "VAR_OUTPUT") and not fixed

        return [each for each in unit.declarations if is_kept(each)]
