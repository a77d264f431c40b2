"""The options of strategies that are for transition systems alone."""

from __future__ import annotations

from typing import ClassVar

from argosy.basics.records import dataclass
from argosy.options.declared import Options


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemOptions(Options):
    """Of whatever works on the functions and bits of a system instead of the automaton that it can be read as."""

    kind: ClassVar[str] = "system"
