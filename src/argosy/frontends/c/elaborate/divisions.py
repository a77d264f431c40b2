"""``div``, ``ldiv``, ``lldiv`` and ``imaxdiv`` (C11 7.22.6.2, 7.8.2.2): quotient and remainder in a structure, whose
type is the one that the program declares."""

from __future__ import annotations

from argosy.frontends.c.elaborate.whole import Elaborated
from argosy.frontends.c.original import Original
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import FunctionName
from argosy.frontends.c.typed import Assigning, BinaryOperation, Contents, Expression, MemberPlace, ObjectPlace
from argosy.frontends.c.types import UNQUALIFIED, Function, Integer, StructureType

DIVISIONS = {"div": "int", "ldiv": "long", "lldiv": "long long", "imaxdiv": "long long"}
_PARTS = (("quot", "/"), ("rem", "%"))


def divided(whole: Elaborated, callee: FunctionName, node: Node) -> Expression | None:
    """What a call gives; None where its type is not that of the standard."""
    if callee.name not in DIVISIONS or not isinstance(callee.type, Function):
        return None
    record, arguments = callee.type.result, node.args.exprs if node.args is not None else []
    if not isinstance(record, StructureType) or len(arguments) != 2:
        return None
    asked = whole.unit.model[DIVISIONS[callee.name]]
    members = [record.member(name) for name, _ in _PARTS]
    if not all(isinstance(member, Integer) and member.width == asked.width and member.signed for member in members):
        return None
    left = whole.value(arguments[0])
    left = whole.protect(left, whole.effects.of(arguments[1]), arguments[0])
    sides = [whole.arithmetic.converted(each, asked) for each in (left, whole.value(arguments[1]))]
    number, by = (whole.save(side, node) for side in sides)
    result, original = whole.temporary(record, node), Original(node)
    for (name, op), member in zip(_PARTS, members, strict=True):
        assert isinstance(member, Integer)
        value = BinaryOperation(op, number, by, asked, original)
        place = MemberPlace(ObjectPlace(result, original), name, member, UNQUALIFIED, original)
        whole.code.emit(Assigning(place, whole.arithmetic.converted(value, member), original))
    return Contents(ObjectPlace(result, original), record, original)
