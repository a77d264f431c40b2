"""What a front end says about an input it cannot use. Both errors know where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argosy.models.cfa import Position


class InputError(Exception):
    """The input cannot be read: it is missing, not in its language, or ill-formed."""

    def __init__(self, position: Position, what: str) -> None:
        super().__init__(position, what)
        self.position = position
        self.what = what

    def __str__(self) -> str:
        return f"{self.position if self.position.line else self.position.file}: {self.what}"


class UnsupportedError(Exception):
    """The input may be fine, but says something that is not modelled."""

    def __init__(self, position: Position, what: str) -> None:
        super().__init__(position, what)
        self.position = position
        self.what = what

    def __str__(self) -> str:
        place = f"{self.position.file}:{self.position.line}" if self.position.line else self.position.file
        return f"{place}: {self.what}"
