"""TypedExpression code: what an elaborated program does in one cycle, as a list of instructions over cells.

This is the tree between the parser and everything that runs a program: types are known, names are cells, functions and
function blocks are inlined, loops with constant bounds are unrolled, and the order of evaluation is the order of the
list. ``automaton`` and ``interpreter`` are both made from it, and neither asks for a type.
"""

from __future__ import annotations

from collections.abc import Iterator

from argosy.basics.position import NOWHERE, Position
from argosy.basics.records import dataclass, field
from argosy.frontends.plc.types import Cell, PlcScalar, Value
from argosy.models.kinds import Undefined

# ---- expressions ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class PlcConstant:
    """A constant."""

    value: Value
    type: PlcScalar


@dataclass(frozen=True, slots=True, eq=False)
class PlcLoad:
    cell: Cell

    @property
    def type(self) -> PlcScalar:
        return self.cell.type


@dataclass(frozen=True, slots=True, eq=False)
class PlcOperate:
    """An operator of ``operators`` on values."""

    operator: str
    operands: tuple[TypedExpression, ...]
    type: PlcScalar
    position: Position = NOWHERE


TypedExpression = PlcConstant | PlcLoad | PlcOperate


def parts(*expressions: TypedExpression) -> Iterator[TypedExpression]:
    """Expressions and all that is inside of them, each once."""
    stack = list(expressions)
    seen = set()
    while stack:
        each = stack.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        if isinstance(each, PlcOperate):
            stack.extend(each.operands)


def loaded(*expressions: TypedExpression) -> Iterator[Cell]:
    """The cells that expressions read."""
    return (each.cell for each in parts(*expressions) if isinstance(each, PlcLoad))


# ---- instructions ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class PlcStore:
    cell: Cell
    value: TypedExpression
    position: Position
    text: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class PlcSkip:
    """Goes to ``target`` unless the condition holds. Targets are indices of instructions."""

    condition: TypedExpression
    target: int
    position: Position
    text: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class PlcGoTo:
    target: int
    position: Position


@dataclass(frozen=True, slots=True, eq=False)
class PlcDemand:
    """Where the condition does not hold, the controller stops: the cycle has no end, and nothing is known after it."""

    condition: TypedExpression
    kind: Undefined
    position: Position
    text: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class PlcCheck:
    """The requirement of that number must hold here."""

    condition: TypedExpression
    requirement: int
    position: Position


@dataclass(frozen=True, slots=True, eq=False)
class PlcSuppose:
    """Runs in which the condition does not hold are not looked at: the program says so itself."""

    condition: TypedExpression
    position: Position
    text: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class PlcChoose:
    """The cell takes any value of its type, within its range."""

    cell: Cell
    position: Position
    text: str = ""


PlcInstruction = PlcStore | PlcSkip | PlcGoTo | PlcDemand | PlcCheck | PlcSuppose | PlcChoose


def read_by(instruction: PlcInstruction) -> Iterator[TypedExpression]:
    """The expressions that an instruction evaluates."""
    match instruction:
        case PlcStore(_, value):
            yield value
        case PlcSkip(condition) | PlcDemand(condition) | PlcCheck(condition) | PlcSuppose(condition):
            yield condition


@dataclass(frozen=True, slots=True)
class PlcRequirement:
    """What must hold. ``begin`` runs where inputs have been sampled, ``end`` at the end of a cycle, then ``condition``
    is asked there (None: a check inside the code). ``reach``: the condition is to be reached, and its negation is what
    the search excludes. Cells of monitors start with their initial values. ``refused`` says why it is not decided."""

    number: int
    name: str
    text: str
    position: Position
    begin: tuple[PlcInstruction, ...] = ()
    end: tuple[PlcInstruction, ...] = ()
    condition: TypedExpression | None = None
    reach: bool = False
    refused: str = ""


@dataclass(frozen=True, slots=True)
class PlcProgram:
    """A program as it runs. ``start`` happens once, ``timers`` at the beginning of each cycle after ``inputs`` were
    sampled and ``cycle_time`` has passed, then ``body``. ``times`` is the range of a cycle in units of TIME."""

    name: str
    path: str
    position: Position
    cells: tuple[Cell, ...]
    inputs: tuple[Cell, ...]
    cycle_time: Cell
    times: tuple[int, int]
    timers: tuple[PlcInstruction, ...]
    body: tuple[PlcInstruction, ...]
    requirements: tuple[PlcRequirement, ...] = ()
    notes: tuple[str, ...] = ()
    strings: tuple[str, ...] = field(default=())
