"""The options of strategies for Horn clauses: none but those of programs, which clauses are read as."""

from __future__ import annotations

from typing import ClassVar

from argosy.basics.records import dataclass
from argosy.options.declared import Options


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseOptions(Options):
    """Of what is for clauses only."""

    kind: ClassVar[str] = "clause"
