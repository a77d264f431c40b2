"""Standard output and standard error that may be closed or full: what cannot be written is lost, the exit code is not.

A verdict is worth more than the page it was to be printed on. Installed by the command only, never by the library.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import Any


class Output(io.FileIO):
    """A descriptor whose first error ends the writing, not the program; ``lost`` is that error."""

    lost: OSError | None = None

    def write(self, content: Any) -> int:
        if self.lost is None:
            try:
                return super().write(content) or 0
            except OSError as error:
                self.lost = error
        return len(content)


def open_closed() -> None:
    """Descriptors that the caller closed become the null device: the next file that is opened must not get their
    numbers, or our output goes into it."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free is this one


def guard() -> tuple[Output, Output]:
    """Put outputs that do not raise where standard output and standard error are."""
    outputs = (Output(1, "w", closefd=False), Output(2, "w", closefd=False))
    sys.stdout, sys.stderr = (
        io.TextIOWrapper(
            io.BufferedWriter(output),
            encoding=stream.encoding if stream is not None else "utf-8",
            # A name that the terminal cannot show is no reason to lose a verdict.
            errors="backslashreplace",
            line_buffering=number == 2 or output.isatty(),
        )
        for number, (output, stream) in enumerate(zip(outputs, (sys.stdout, sys.stderr), strict=True), 1)
    )
    return outputs


def problem(output: Output) -> str | None:
    """Why output was lost, if it was and somebody still wants it."""
    sys.stdout.flush()
    if output.lost is None or output.lost.errno == errno.EPIPE:
        return None
    return output.lost.strerror or str(output.lost)
