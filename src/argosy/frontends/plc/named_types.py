"""Types by their names: elementary ones, those that a text declares, enumerations and their values."""

from __future__ import annotations

from collections.abc import Mapping

from argosy.basics.errors import InputError
from argosy.basics.position import NOWHERE, Position
from argosy.basics.records import replace
from argosy.frontends.plc.dialects import PlcDialect
from argosy.frontends.plc.frames import ConstantOf, PlcFrame
from argosy.frontends.plc.syntax import (
    PlcEnumType,
    PlcNamedType,
    PlcSource,
    PlcSubrangeType,
    PlcType,
    PlcUnit,
)
from argosy.frontends.plc.types import (
    ALIASES,
    ELEMENTARY,
    PlcScalar,
    subrange,
)


class NamedTypes:
    """The types of a text. ``constant`` evaluates constant expressions (the elaboration of expressions, which asks back
    here)."""

    def __init__(self, source: PlcSource, dialect: PlcDialect, constant: ConstantOf) -> None:
        self.source = source
        self.dialect = dialect
        self.notes: dict[str, None] = {}
        self.enumerators: dict[str, tuple[PlcScalar, int] | None] = {}
        self._constant = constant
        self._types = {declared.name.upper(): declared for declared in source.types}
        self._scalars: dict[int, PlcScalar] = {}
        self._resolving: list[str] = []
        time = replace(ELEMENTARY["TIME"], signed=dialect.signed_time)
        self.elementary: Mapping[str, PlcScalar] = {**ELEMENTARY, "TIME": time}
        self.everywhere = PlcFrame(PlcUnit("GLOBAL", "", (), (), Position(source.path, 1, 1)))
        self._enumerate()

    def note(self, text: str) -> None:
        self.notes[text] = None

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
