"""ARMC's clauses (``.armc``, ``.pl``): text in, automaton out, and back."""

from __future__ import annotations

from argosy.frontends.armc.load import load, read

__all__ = ["load", "read"]
