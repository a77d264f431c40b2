"""What the backend of transition systems asks of a model, be it words (``system``) or bits (``bits``)."""

from __future__ import annotations

from typing import Protocol

from argosy.basics.position import Position
from argosy.models.system import System


class TransitionModel(Protocol):
    """A model with numbered bad states. ``system`` is the cone of one of them at word level."""

    @property
    def notes(self) -> tuple[str, ...]: ...
    @property
    def bad_names(self) -> tuple[str, ...]: ...
    def position(self, number: int) -> Position: ...
    def system(self, number: int) -> System: ...
