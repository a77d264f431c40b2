"""Property files (``.prp``), and properties by name."""

from __future__ import annotations

import os

from argosy.basics.errors import UsageError
from argosy.basics.position import Position
from argosy.frontends.files import read_small
from argosy.problem.property import LATER_NAMES, NAMED, SUFFIX, Property, by_file_name, named, read


def read_property(asked: str) -> Property:
    """The property of a name, or that a file states."""
    if asked.lower().endswith(SUFFIX):
        return read(asked, read_small(asked))
    if asked in NAMED or asked in LATER_NAMES:
        return named(asked, Position(asked, 0))
    from argosy.basics.choices import did_you_mean

    known = ", ".join((*NAMED, f"FILE{SUFFIX}"))
    raise UsageError(f"--property cannot be {asked}{did_you_mean(asked, list(NAMED))}; it is one of {known}")


def property_of_file(path: str) -> Property:
    """What a property file states or, where it is absent, what its base name stands for."""
    return read(path, read_small(path)) if os.path.exists(path) else by_file_name(path)
