"""Functions by name: a table says ``module:function`` for what is imported only when it is needed. A leaf."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def named(function: str) -> Any:
    module, _, name = function.partition(":")
    return getattr(import_module(module), name)
