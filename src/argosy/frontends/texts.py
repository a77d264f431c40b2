"""A text and the places in it, for readers that know how far they are by the number of characters."""

from __future__ import annotations

import re
from bisect import bisect_left

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position


class WholeText:
    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self._newlines = [match.start() for match in re.finditer("\n", text)]

    def position(self, offset: int) -> Position:
        line = bisect_left(self._newlines, offset)
        return Position(self.file, line + 1, offset - (self._newlines[line - 1] if line else -1))

    def error(self, offset: int, what: str) -> InputError:
        return InputError(self.position(offset), what)

    def unsupported(self, offset: int, what: str) -> UnsupportedError:
        return UnsupportedError(self.position(offset), what)
