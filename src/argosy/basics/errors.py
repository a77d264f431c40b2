"""One error for each thing that a user can do something about: what was asked, what was read, what is not modelled."""

from __future__ import annotations

from argosy.basics.position import Position


class UsageError(ValueError):
    """An option or value that does not exist; the message names those that do."""


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
        place = self.position if self.position.line else self.position.file
        return f"{place}: {self.what}" if place else self.what
