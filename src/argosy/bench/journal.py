"""The journal: one line for each finished run, written so that nothing that was finished is lost or measured again.

A line is appended in one piece and forced to the disk before the run counts as finished. Whoever is killed while
writing leaves at most one torn line at the end, which is cut off before anything else is written. A journal is locked
while it is in use: two benches that write into one folder would measure everything twice.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from argosy.basics.errors import UsageError
from argosy.bench.records import Measurement, Run


class Journal:
    """``finished`` has the measurements by the key of their run."""

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._descriptor)
            raise UsageError(f"another bench is writing to {path.parent}") from None
        self._finished: dict[str, Measurement] = {}
        self._read(path)

    @property
    def finished(self) -> Mapping[str, Measurement]:
        return self._finished

    def append(self, run: Run, measured: Measurement) -> None:
        line = {"key": run.key, "model": run.task.name, "configuration": run.configuration.label}
        content = json.dumps({**line, **measured.to_json()}).encode() + b"\n"
        if os.write(self._descriptor, content) != len(content):
            raise OSError("the journal cannot be written: is the disk full?")
        os.fsync(self._descriptor)
        self._finished[run.key] = measured

    def close(self) -> None:
        os.close(self._descriptor)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _read(self, path: Path) -> None:
        content = path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.ftruncate(self._descriptor, whole)
        for line in content[:whole].splitlines():
            try:
                fields = json.loads(line)
                key = fields.pop("key")
                # Journals of earlier versions do not say which part was violated.
                fields.setdefault("part", "")
                measured = Measurement(**{name: fields[name] for name in Measurement.__dataclass_fields__})
            except (ValueError, KeyError, AttributeError):
                continue  # a disk that lost power may hold a damaged line: that run is measured again
            self._finished[key] = measured
