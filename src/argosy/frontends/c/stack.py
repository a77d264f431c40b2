"""The parser and the passes over its tree recurse with the nesting of the text: they run on a stack of their own."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from argosy.basics.errors import InputError
from argosy.basics.position import Position

_STACK = 512 << 20
_FRAMES = 60_000

_T = TypeVar("_T")


class _Reading(threading.Thread, Generic[_T]):
    """A thread that keeps what a function gave, or raised."""

    def __init__(self, read: Callable[[], _T]) -> None:
        super().__init__(name="c front end")
        self._read = read
        self._given: list[_T] = []
        self._raised: BaseException | None = None

    def run(self) -> None:
        try:
            self._given.append(self._read())
        except BaseException as error:  # noqa: BLE001 - raised again where somebody waits for it
            self._raised = error

    def found(self) -> _T:
        if self._raised is not None:
            raise self._raised
        return self._given[0]


def on_own_stack(path: str, read: Callable[[], _T]) -> _T:
    """What ``read`` gives. Raises InputError for a text that is nested beyond the stack."""
    frames, stack = sys.getrecursionlimit(), threading.stack_size(_STACK)
    try:
        sys.setrecursionlimit(max(frames, _FRAMES))
        reading = _Reading(read)
        reading.start()
        reading.join()
        return reading.found()
    except RecursionError:
        raise InputError(Position(path, 1, 1), "the program is nested too deeply") from None
    finally:
        threading.stack_size(stack)
        sys.setrecursionlimit(frames)
