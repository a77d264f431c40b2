"""ARMC's clauses (``.armc``, ``.pl``): text in, automaton out, and back."""

from __future__ import annotations

from argosy.frontends.armc.load import load, read
from argosy.frontends.armc.writer import CannotBeWritten, write

__all__ = ["CannotBeWritten", "load", "read", "write"]
