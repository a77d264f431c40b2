"""Names and storage: what a program declares, as cells; types and constants by their declarations.

``PlcScopes`` knows the whole text. A ``PlcFrame`` is one activation of a unit: what its names stand for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from argosy.basics.choices import did_you_mean
from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import NOWHERE, Position
from argosy.basics.records import dataclass, field, replace
from argosy.frontends.plc.code import PlcConstant, TypedExpression
from argosy.frontends.plc.dialects import PlcDialect
from argosy.frontends.plc.library import TIMERS, standard_blocks
from argosy.frontends.plc.syntax import (
    PlcAggregate,
    PlcArrayType,
    PlcDeclaration,
    PlcEnumType,
    PlcExpression,
    PlcNamedType,
    PlcSource,
    PlcStructType,
    PlcSubrangeType,
    PlcType,
    PlcUnit,
)
from argosy.frontends.plc.types import (
    ALIASES,
    ELEMENTARY,
    ArrayOf,
    ArrayStorage,
    Cell,
    PlcScalar,
    PlcStorage,
    RecordOf,
    RecordStorage,
    Value,
    subrange,
    type_of,
)

LARGEST = 20_000
"""Cells, beyond which a program is refused."""


@dataclass(frozen=True, slots=True, eq=False)
class Selected:
    """One of several references, by the value of ``index``: an element of an array that is not known yet."""

    index: TypedExpression
    low: int
    options: tuple[Reference, ...]


Reference = PlcStorage | Selected | PlcConstant


@dataclass(eq=False)
class PlcFrame:
    """An activation of a unit. ``exits`` and ``continues`` are the labels of the loops around, ``result`` is where a
    function leaves its value, ``leave`` where RETURN goes."""

    unit: PlcUnit
    names: dict[str, Reference] = field(default_factory=dict)
    leave: int = -1
    exits: list[int] = field(default_factory=list)
    continues: list[int] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    placed: set[str] = field(default_factory=set)


ConstantOf = Callable[[PlcExpression, PlcFrame, PlcScalar | None], PlcConstant]


class PlcScopes:
    """Units, types, enumerations and global variables of a text. ``constant`` evaluates constant expressions (the
    elaboration of expressions, which asks back here)."""

    def __init__(self, source: PlcSource, dialect: PlcDialect, constant: ConstantOf) -> None:
        self.source = source
        self.dialect = dialect
        self.units: dict[str, PlcUnit] = dict(standard_blocks(dialect))
        self.own: set[str] = set()
        self.cells: list[Cell] = []
        self.timers: list[RecordStorage] = []
        self.notes: dict[str, None] = {}
        self.enumerators: dict[str, tuple[PlcScalar, int] | None] = {}
        self._constant = constant
        self._types = {declared.name.upper(): declared for declared in source.types}
        self._scalars: dict[int, PlcScalar] = {}
        self._resolving: list[str] = []
        for unit in source.units:
            if unit.key in self.own:
                raise InputError(unit.position, f"{unit.name} is declared twice")
            if unit.key in self.units:
                self.notes[f"{unit.name} is the one of this file, not the standard one"] = None
            self.own.add(unit.key)
            self.units[unit.key] = unit
        time = replace(ELEMENTARY["TIME"], signed=dialect.signed_time)
        self.elementary: Mapping[str, PlcScalar] = {**ELEMENTARY, "TIME": time}
        self.everywhere = PlcFrame(PlcUnit("GLOBAL", "", (), (), Position(source.path, 1, 1)))
        self._enumerate()

    def note(self, text: str) -> None:
        self.notes[text] = None

    # ---- types --------------------------------------------------------------------------------------------

    def _enumerate(self) -> None:
        """Names of enumeration values may stand alone where only one enumeration has them."""
        named: list[PlcType] = [
            PlcNamedType(each.name, each.position) for each in self.source.types if isinstance(each.type, PlcEnumType)
        ]
        declared = (each for unit in self.source.units for each in unit.declarations)
        unnamed = [each.type for each in (*declared, *self.source.globals) if isinstance(each.type, PlcEnumType)]
        for type in (*named, *{id(each): each for each in unnamed}.values()):
            scalar = self.scalar(type)
            for name, number in scalar.names:
                key = name.upper()
                self.enumerators[key] = None if key in self.enumerators else (scalar, number)

    def scalar(self, syntax: PlcType) -> PlcScalar:
        """The scalar type that is meant. Raises InputError for anything else."""
        found = self._scalar(syntax)
        if found is None:
            raise InputError(syntax.position, "an elementary type is needed here")
        return found

    def find_scalar(self, name: str) -> PlcScalar | None:
        """The scalar type of that name, if there is one."""
        return self._scalar(PlcNamedType(name, NOWHERE))

    def named_scalar(self, name: str, position: Position) -> PlcScalar:
        return self.scalar(PlcNamedType(name, position))

    def _scalar(self, syntax: PlcType) -> PlcScalar | None:
        match syntax:
            case PlcNamedType():
                key = syntax.name.upper()
                key = ALIASES.get(key, key)
                declared = self._types.get(key)
                if declared is None:
                    found = self.elementary.get(key)
                    if found is not None and syntax.length is not None:
                        length = self._constant(syntax.length, self.everywhere, None)
                        return replace(found, length=int(length.value))
                    return found
                if key in self._resolving:
                    raise InputError(syntax.position, f"the type {syntax.name} contains itself")
                self._resolving.append(key)
                inner = self._scalar(declared.type)
                self._resolving.pop()
                return None if inner is None else replace(inner, name=declared.name)
            case PlcSubrangeType():
                base = self.scalar(PlcNamedType(syntax.base, syntax.position))
                low = self._constant(syntax.low, self.everywhere, None).value
                high = self._constant(syntax.high, self.everywhere, None).value
                if not (isinstance(low, int) and isinstance(high, int) and low <= high and base.is_word):
                    raise InputError(syntax.position, "a range of whole numbers is needed here, from low to high")
                self.note("values of subrange types are not checked when they are assigned; inputs stay within theirs")
                return subrange(base, low, high)
            case PlcEnumType():
                if id(syntax) not in self._scalars:
                    self._scalars[id(syntax)] = self._enumeration(syntax)
                return self._scalars[id(syntax)]
        return None

    def _enumeration(self, syntax: PlcEnumType) -> PlcScalar:
        base = self.named_scalar(syntax.base or "INT", syntax.position)
        names: list[tuple[str, int]] = []
        following = 0
        for name, value in syntax.names:
            number = following if value is None else int(self._constant(value, self.everywhere, None).value)
            names.append((name, number))
            following = number + 1
        numbers = [number for _, number in names]
        return PlcScalar(
            "enumeration", "enumeration", base.width, base.signed, min(numbers), max(numbers), tuple(names)
        )

    # ---- storage ------------------------------------------------------------------------------------------

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
