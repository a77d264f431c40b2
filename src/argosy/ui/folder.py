"""The folder that a workbench is opened on: which files of it can be asked about, and the way to one of them.

Law: whatever a name says (``..``, an absolute path, a symbolic link), no file outside the folder is named by ``path``,
and nothing below ``.argosy``, which is the workbench's own.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from typing import Any

from argosy.basics.records import dataclass
from argosy.frontends.registry import SUFFIXES, Format, by_suffix, files_of, suffix_of
from argosy.problem.property import SUFFIX
from argosy.session.task import Task

OWN = ".argosy"
MOST_FILES = 5_000
LARGEST_SHOWN = 8_000_000
"""Bytes of a source that is shown."""


class OutsideFolder(Exception):
    """What was named is no file of the folder."""


@dataclass(frozen=True, slots=True)
class FolderFile:
    """``stamp`` changes when the file does: size and time of its last change."""

    name: str
    format: Format
    stamp: tuple[int, int]


class Folder:
    """``root`` is free of symbolic links. Names are relative to it, with ``/``."""

    def __init__(self, root: str) -> None:
        self.root = os.path.realpath(root)
        self._hashes: dict[str, tuple[tuple[int, int], str]] = {}

    def path(self, name: str) -> str:
        """The file of a name, free of symbolic links. Raises OutsideFolder."""
        parts = name.split("/")
        if not name or "\0" in name or os.path.isabs(name) or any(part in ("", ".", "..", OWN) for part in parts):
            raise OutsideFolder(name)
        try:
            found = os.path.realpath(os.path.join(self.root, *parts))
        except (OSError, ValueError):
            raise OutsideFolder(name) from None
        if not self.holds(found) or not os.path.isfile(found):
            raise OutsideFolder(name)
        return found

    def holds(self, path: str) -> bool:
        """Whether a path, its links followed, lies in the folder and is not the workbench's own."""
        inner = os.path.relpath(os.path.realpath(path), self.root)
        first = inner.split(os.sep, 1)[0]
        return not os.path.isabs(inner) and first not in (os.pardir, OWN)

    def files(self) -> list[FolderFile]:
        """What can be asked about, sorted; hidden folders and names that are no text are left out."""
        found: list[FolderFile] = []
        for name in self._names():
            try:
                path = self.path(name)
                format = by_suffix(path)
                seen = os.stat(path)
            except (OutsideFolder, OSError):
                continue
            if format is not None:
                found.append(FolderFile(name, format, (seen.st_size, seen.st_mtime_ns)))
            if len(found) >= MOST_FILES:
                break
        return found

    def _names(self) -> Iterator[str]:
        for folder, inner, names in os.walk(self.root):
            inner[:] = sorted(each for each in inner if not each.startswith(".") and is_text(each))
            for name in sorted(names):
                if suffix_of(name) in SUFFIXES and is_text(name) and not name.startswith("."):
                    yield os.path.relpath(os.path.join(folder, name), self.root).replace(os.sep, "/")

    def text(self, name: str) -> str:
        """The source, as a person reads it; of a large one the beginning."""
        with open(self.path(name), "rb") as file:
            return file.read(LARGEST_SHOWN).decode("utf-8", errors="replace")

    def beside(self, name: str) -> Sequence[str]:
        """The files that a verdict depends on, relative to the folder. Raises OutsideFolder where one lies outside."""
        found = []
        for path in files_of(self.path(name)):
            real = os.path.realpath(path)
            if not self.holds(real):
                raise OutsideFolder(f"{name} reads {path}, which is not in this folder")
            found.append(os.path.relpath(real, self.root).replace(os.sep, "/"))
        return found

    def hashes(self, name: str) -> dict[str, Any]:
        """What the files of a verdict hold, by name."""
        return {each: self._hash(each) for each in self.beside(name)}

    def _hash(self, name: str) -> str:
        path = self.path(name)
        seen = os.stat(path)
        stamp = (seen.st_size, seen.st_mtime_ns)
        known = self._hashes.get(name)
        if known is None or known[0] != stamp:
            with open(path, "rb") as file:
                known = self._hashes[name] = stamp, hashlib.file_digest(file, "sha256").hexdigest()
        return known[1]

    def is_stale(self, name: str, hashes: dict[str, Any]) -> bool:
        """Whether anything has changed since these were taken."""
        try:
            return self.hashes(name) != hashes
        except (OutsideFolder, OSError):
            return True


def files_named(task: Task) -> Iterator[str]:
    """The files and folders that the choices of a task name, beside its input."""
    given = {**task.reading, **task.options}
    for name in ("link", "include", "library", "requirements", "precision", "save-precision"):
        yield from filter(None, str(given.get(name) or "").split("\n"))
    if str(given.get("property")).endswith(SUFFIX):
        yield str(given["property"])
    if task.witness is not None:
        yield task.witness


def is_text(name: str) -> bool:
    """A name in UTF-8 that has no control characters: others cannot be written into an address."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return name.isprintable()
