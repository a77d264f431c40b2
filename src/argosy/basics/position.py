"""Where something stands in a text. A leaf: everything may import it."""

from __future__ import annotations

from argosy.basics.records import dataclass, field


@dataclass(frozen=True, slots=True)
class Position:
    """``file`` and ``line`` as a ``#line`` marker has them, where there is one; ``physical_file`` and
    ``physical_line`` are then where the text really stands. A line 0 is the file as a whole."""

    file: str
    line: int
    column: int = 0
    physical_file: str = field(default="", compare=False)
    physical_line: int = field(default=0, compare=False)

    @property
    def physical(self) -> tuple[str, int]:
        """The file that was read, and the line in it."""
        return (self.physical_file or self.file, self.physical_line or self.line)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.column else f"{self.file}:{self.line}"


NOWHERE = Position("", 0)
