"""How often Python looks for garbage that refers to itself. A leaf.

Modules and what they define stay, and terms, nodes and edges hardly ever form cycles: looking seldom takes a tenth off
the time of an analysis, and costs no memory that was seen.
"""

from __future__ import annotations

import gc


def look_seldom() -> None:
    gc.set_threshold(50_000, 20, 20)


def keep_what_is_there() -> None:
    """What exists now is not looked at again."""
    gc.freeze()
