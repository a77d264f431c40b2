"""The C front end: ``load`` reads a program, with or without preprocessing, into a control-flow automaton."""

from argosy.frontends.c.inline import DEEPEST
from argosy.frontends.c.load import load

__all__ = ["DEEPEST", "load"]
