"""Files that are written for a user. A leaf."""

from __future__ import annotations

import os
from typing import IO

from argosy.basics.errors import UsageError


def write_text(path: str, text: str, option: str = "") -> None:
    """Raises ``UsageError`` where that cannot be done; ``option`` is the one that asked for the file."""
    try:
        with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError as error:
        said = f"{option}: " if option else ""
        raise UsageError(f"{said}cannot write {path}: {error.strerror}") from None


def write_bytes(path: str, content: bytes) -> None:
    """Raises ``UsageError`` where that cannot be done."""
    try:
        with open(path, "wb") as file:
            file.write(content)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


def nameless() -> IO[bytes]:
    """A file to write and read that is gone when it is closed. What the system does at once costs no module."""
    folder = os.environ.get("TMPDIR") or "/tmp"
    try:
        return open(os.open(folder, os.O_TMPFILE | os.O_RDWR | os.O_EXCL, 0o600), "w+b")
    except (AttributeError, OSError):
        import tempfile

        return tempfile.TemporaryFile()


def write_fault(text: str) -> str:
    """What a bug report needs, in a file of its own: its path."""
    import tempfile

    descriptor, path = tempfile.mkstemp(prefix="argosy-fault-", suffix=".txt")
    with open(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)
    return path
