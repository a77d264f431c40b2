"""What a witness says of a place of the text becomes a statement of the typed form that changes nothing."""

from __future__ import annotations

from argosy.basics.errors import InputError
from argosy.frontends.c.checkpoints import RESULT_NAME, Checkpoint, CheckpointKind
from argosy.frontends.c.elaborate.whole import Elaborated
from argosy.frontends.c.original import Original
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import Object, position_of
from argosy.frontends.c.typed import Expression, WitnessPoint
from argosy.frontends.c.types import Scalar


def emit_points(whole: Elaborated, node: Node, kind: CheckpointKind, value: str, result: Object | None) -> None:
    """Everything of this kind that is said of a node; of a branch, what is said of it with this ``value``."""
    for checkpoint, tree in whole.unit.points.get(id(node), ()):
        if checkpoint.kind is kind and (kind is not CheckpointKind.BRANCH or checkpoint.value == value):
            condition = None if tree is None else _condition(whole, checkpoint, tree, result)
            original = Original.said(position_of(node), checkpoint.value or checkpoint.kind.value)
            whole.code.emit(WitnessPoint(checkpoint.name, checkpoint.claim, condition, original))


def _condition(whole: Elaborated, checkpoint: Checkpoint, tree: Node, result: Object | None) -> Expression:
    """The expression in the scope of the place. Raises InputError where it has an effect or no value there."""
    before = len(whole.code.statements)
    with whole.unit.scopes.block():
        if result is not None:
            whole.unit.scopes.bind(RESULT_NAME, result)
        try:
            condition = whole.value(tree)
        except InputError as error:
            raise InputError(checkpoint.position, f"{checkpoint.value}: {error.what}") from None
    if len(whole.code.statements) != before:
        raise InputError(checkpoint.position, f"{checkpoint.value}: evaluating it has an effect")
    if not isinstance(condition.type, Scalar):
        raise InputError(checkpoint.position, f"{checkpoint.value}: not a condition")
    return condition
