"""The parser and the passes over its tree recurse with the nesting of the text: they run on a stack of their own."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argosy.basics.errors import InputError
from argosy.basics.position import Position

_STACK = 512 << 20
_FRAMES = 60_000

_T = TypeVar("_T")


def on_own_stack(path: str, read: Callable[[], _T]) -> _T:
    """What ``read`` gives. Raises InputError for a text that is nested beyond the stack."""
    frames, stack = sys.getrecursionlimit(), threading.stack_size(_STACK)
    try:
        sys.setrecursionlimit(max(frames, _FRAMES))
        with ThreadPoolExecutor(1, "c front end") as executor:
            return executor.submit(read).result()
    except RecursionError:
        raise InputError(Position(path, 1, 1), "the program is nested too deeply") from None
    finally:
        threading.stack_size(stack)
        sys.setrecursionlimit(frames)
