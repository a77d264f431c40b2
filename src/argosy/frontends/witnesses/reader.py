"""A witness from a file, and what of it the front end of C is told."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from argosy.basics.errors import UnsupportedError
from argosy.basics.naming import named
from argosy.basics.position import Position
from argosy.frontends.c.checkpoints import Checkpoint, CheckpointKind
from argosy.frontends.files import read_text
from argosy.frontends.witnesses.records import AFTER, TARGET, Witness

READERS: Mapping[str, str] = {
    ".yml": "argosy.frontends.witnesses.yaml_reader:read_yaml",
    ".yaml": "argosy.frontends.witnesses.yaml_reader:read_yaml",
    ".graphml": "argosy.frontends.witnesses.graphml_reader:read_graphml",
    ".xml": "argosy.frontends.witnesses.graphml_reader:read_graphml",
}

_KINDS = {
    "assumption": CheckpointKind.STATEMENT,
    "branching": CheckpointKind.BRANCH,
    "function_enter": CheckpointKind.ENTER,
    "function_return": CheckpointKind.RETURN,
    AFTER: CheckpointKind.AFTER,
}


def read_witness(path: str) -> Witness:
    """Raises InputError for a file that is no witness, UnsupportedError for one that says what is not read."""
    ending = os.path.splitext(path)[1].lower()
    if ending not in READERS:
        raise UnsupportedError(Position(path, 0), f"a witness is one of {', '.join(READERS)}")
    witness: Witness = named(READERS[ending])(path, read_text(path))
    return witness


def checkpoints(witness: Witness) -> Iterator[Checkpoint]:
    """What is said of places of the text. Invariants are named by their place in the witness, waypoints by that of
    their segment and in it."""
    for number, each in enumerate(witness.invariants):
        kind = CheckpointKind.LOOP if each.loop else CheckpointKind.STATEMENT
        yield Checkpoint(str(number), kind, each.line, each.column, each.value, each.position, claim=True)
    for number, segment in enumerate(witness.segments):
        for index, waypoint in enumerate(segment):
            if waypoint.type != TARGET:
                name = waypoint_name(number, index)
                at = (waypoint.line, waypoint.column)
                yield Checkpoint(name, _KINDS[waypoint.type], *at, waypoint.value, waypoint.position)


def waypoint_name(segment: int, index: int) -> str:
    return f"{segment}.{index}"
