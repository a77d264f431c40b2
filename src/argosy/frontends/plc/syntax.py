"""What a text says, as it was written: the tree that the parsers make and ``elaborate`` reads.

Nothing here has a type yet. Every node knows where it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from argosy.basics.position import Position
from argosy.basics.records import dataclass, field

# ---- expressions ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlcLiteral:
    """``kind`` is integer, real, bool, duration, date, string; ``type`` is what stands before ``#``, if anything does.
    Durations are in nanoseconds."""

    kind: str
    value: Any
    position: Position
    type: str = ""


@dataclass(frozen=True, slots=True)
class PlcName:
    text: str
    position: Position

    @property
    def key(self) -> str:
        return self.text.upper()


@dataclass(frozen=True, slots=True)
class PlcAddress:
    """``%IX0.0``: a place of the process image or of memory."""

    text: str
    position: Position


@dataclass(frozen=True, slots=True)
class PlcEnumLiteral:
    type: str
    name: str
    position: Position


@dataclass(frozen=True, slots=True)
class PlcMember:
    base: PlcExpression
    name: str
    position: Position


@dataclass(frozen=True, slots=True)
class PlcBit:
    """PlcBit ``number`` of a bit string: ``w.%X3``, ``w.3``."""

    base: PlcExpression
    number: int
    position: Position


@dataclass(frozen=True, slots=True)
class PlcIndex:
    base: PlcExpression
    indices: tuple[PlcExpression, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class PlcUnary:
    operator: str
    operand: PlcExpression
    position: Position


@dataclass(frozen=True, slots=True)
class PlcBinary:
    operator: str
    left: PlcExpression
    right: PlcExpression
    position: Position


@dataclass(frozen=True, slots=True)
class PlcArgument:
    """``name := value``, ``name => value`` (``output``), ``NOT name => value`` (``negated``), or a value by
    position."""

    name: str
    value: PlcExpression
    position: Position
    output: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True)
class PlcCall:
    callee: PlcExpression
    arguments: tuple[PlcArgument, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class PlcAggregate:
    """An initial value of an array ``[1, 2(0)]`` or of a structure ``(x := 1)``; repeated elements are ``repeats``."""

    elements: tuple[tuple[str, int, PlcExpression], ...]
    position: Position


PlcExpression = (
    PlcLiteral
    | PlcName
    | PlcAddress
    | PlcEnumLiteral
    | PlcMember
    | PlcBit
    | PlcIndex
    | PlcUnary
    | PlcBinary
    | PlcCall
    | PlcAggregate
)

# ---- statements -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlcAssignment:
    target: PlcExpression
    value: PlcExpression
    position: Position


@dataclass(frozen=True, slots=True)
class PlcCallStatement:
    call: PlcCall
    position: Position


@dataclass(frozen=True, slots=True)
class PlcIf:
    """Branches with their conditions; the last may have None: ELSE."""

    branches: tuple[tuple[PlcExpression | None, tuple[PlcStatement, ...]], ...]
    position: Position


@dataclass(frozen=True, slots=True)
class PlcCase:
    """Each branch has labels: a value, or a range of two."""

    selector: PlcExpression
    branches: tuple[tuple[tuple[tuple[PlcExpression, PlcExpression | None], ...], tuple[PlcStatement, ...]], ...]
    otherwise: tuple[PlcStatement, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class PlcFor:
    variable: PlcExpression
    first: PlcExpression
    last: PlcExpression
    step: PlcExpression | None
    body: tuple[PlcStatement, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class PlcWhile:
    condition: PlcExpression
    body: tuple[PlcStatement, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class PlcRepeat:
    body: tuple[PlcStatement, ...]
    until: PlcExpression
    position: Position


@dataclass(frozen=True, slots=True)
class PlcJump:
    """EXIT, CONTINUE, RETURN, or GOTO ``label``."""

    kind: str
    position: Position
    label: str = ""


@dataclass(frozen=True, slots=True)
class PlcLabelled:
    label: str
    position: Position


@dataclass(frozen=True, slots=True)
class PlcAnnotation:
    """ASSERT, ASSUME (``expression``) or HAVOC (a variable)."""

    kind: str
    expression: PlcExpression
    name: str
    text: str
    position: Position


PlcStatement = (
    PlcAssignment
    | PlcCallStatement
    | PlcIf
    | PlcCase
    | PlcFor
    | PlcWhile
    | PlcRepeat
    | PlcJump
    | PlcLabelled
    | PlcAnnotation
)


def inside(body: Sequence[PlcStatement]) -> Iterator[PlcStatement]:
    """Statements and those inside of them."""
    for statement in body:
        yield statement
        match statement:
            case PlcIf():
                for _, inner in statement.branches:
                    yield from inside(inner)
            case PlcCase():
                for _, inner in statement.branches:
                    yield from inside(inner)
                yield from inside(statement.otherwise)
            case PlcFor() | PlcWhile() | PlcRepeat():
                yield from inside(statement.body)


# ---- declarations ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlcNamedType:
    name: str
    position: Position
    length: PlcExpression | None = None


@dataclass(frozen=True, slots=True)
class PlcSubrangeType:
    base: str
    low: PlcExpression
    high: PlcExpression
    position: Position


@dataclass(frozen=True, slots=True)
class PlcEnumType:
    names: tuple[tuple[str, PlcExpression | None], ...]
    position: Position
    base: str = ""


@dataclass(frozen=True, slots=True)
class PlcArrayType:
    dimensions: tuple[tuple[PlcExpression, PlcExpression], ...]
    element: PlcType
    position: Position


@dataclass(frozen=True, slots=True)
class PlcStructType:
    fields: tuple[PlcDeclaration, ...]
    position: Position


PlcType = PlcNamedType | PlcSubrangeType | PlcEnumType | PlcArrayType | PlcStructType


@dataclass(frozen=True, slots=True)
class PlcDeclaration:
    """One variable. ``section`` is VAR, VAR_INPUT, ...; ``qualifiers`` are CONSTANT, RETAIN, ..., R_EDGE, F_EDGE,
    and HIDDEN for what no text declares."""

    name: str
    type: PlcType
    section: str
    position: Position
    initial: PlcExpression | None = None
    address: str = ""
    qualifiers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PlcTypeDeclaration:
    name: str
    type: PlcType
    position: Position
    initial: PlcExpression | None = None


@dataclass(frozen=True, slots=True)
class PlcUnit:
    """A program organisation unit: ``kind`` is PROGRAM, FUNCTION_BLOCK or FUNCTION; ``result`` the type of a
    function, ``notes`` what a reader has to know about how it runs."""

    kind: str
    name: str
    declarations: tuple[PlcDeclaration, ...]
    body: tuple[PlcStatement, ...]
    position: Position
    result: PlcType | None = None
    notes: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return self.name.upper()


@dataclass(frozen=True, slots=True)
class PlcSource:
    """A whole text. ``refused`` are units of kinds that are not modelled (classes), by name, with what they are."""

    path: str
    units: tuple[PlcUnit, ...]
    types: tuple[PlcTypeDeclaration, ...]
    globals: tuple[PlcDeclaration, ...]
    refused: Mapping[str, tuple[str, Position]] = field(default_factory=dict)
    programs: tuple[tuple[str, str, Position], ...] = ()
    interval: str = ""
