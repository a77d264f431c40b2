"""How often Python looks for garbage that refers to itself. A leaf.

Modules and what they define stay, and terms, nodes and edges hardly ever form cycles: looking seldom takes a tenth off
the time of an analysis, and costs no memory that was seen.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_SELDOM = (400_000, 10, 5)
_HARDLY = (2_000_000, 10, 10)


def look_seldom() -> None:
    gc.set_threshold(*_SELDOM)


def keep_what_is_there() -> None:
    """What exists now is not looked at again."""
    gc.freeze()


@contextmanager
def while_reading() -> Iterator[None]:
    """Trees and automata grow, and next to nothing of them is garbage before all is read: looking is in vain, and takes
    an eighth of the time of reading."""
    before = gc.get_threshold()
    gc.set_threshold(*_HARDLY)
    try:
        yield
    finally:
        gc.set_threshold(*before)
