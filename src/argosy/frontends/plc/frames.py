"""A ``PlcFrame`` is one activation of a unit: what its names stand for, and where its jumps go."""

from __future__ import annotations

from collections.abc import Callable

from argosy.basics.records import dataclass, field
from argosy.frontends.plc.code import PlcConstant, TypedExpression
from argosy.frontends.plc.syntax import (
    PlcExpression,
    PlcUnit,
)
from argosy.frontends.plc.types import (
    PlcScalar,
    PlcStorage,
)


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
