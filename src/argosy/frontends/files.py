"""Reading a text file, or saying why it cannot be read."""

from __future__ import annotations

import os
import re

from argosy.basics.errors import InputError
from argosy.basics.position import Position

STANDARD_INPUT = "-"

_LARGEST = 64_000_000


def obstacle(path: str) -> str | None:
    """Why a path names nothing that could be read, as far as that can be seen without opening it."""
    if path == STANDARD_INPUT:
        return None
    if not os.path.exists(path):
        return "no such file"
    return "a directory" if os.path.isdir(path) else None


_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


def local_headers(path: str) -> list[str]:
    """The files that a C program includes by a name in quotes, and those that these include, looked for where the
    including file is. Which of the directives count is for the preprocessor to say: all are named here."""
    found, waiting = dict.fromkeys([path]), [path]
    while waiting:
        including = waiting.pop()
        with open(including, "rb") as file:
            names = map(os.fsdecode, _INCLUDE.findall(file.read(_LARGEST)))
        headers = [os.path.normpath(os.path.join(os.path.dirname(including), name)) for name in names]
        fresh = [header for header in headers if header not in found and os.path.isfile(header)]
        found.update(dict.fromkeys(fresh))
        waiting.extend(fresh)
    return list(found)[1:]


def read_bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            content = file.read(_LARGEST + 1)
    except OSError as error:
        raise InputError(Position(path, 0), f"cannot be read: {(error.strerror or str(error)).lower()}") from None
    if not content.strip():
        raise InputError(Position(path, 1, 1), "the file is empty")
    if len(content) > _LARGEST:
        raise InputError(Position(path, 1, 1), f"larger than {_LARGEST // 1_000_000} megabytes")
    return content


def read_text(path: str) -> str:
    content = read_bytes(path)
    if b"\0" in content:
        line = content[: content.index(b"\0")].count(b"\n") + 1
        raise InputError(Position(path, line, 1), "not a text file")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def is_unicode(path: str) -> bool:
    """Whether the bytes of a file that ``read_text`` has read are a text in UTF-8."""
    with open(path, "rb") as file:
        try:
            file.read(_LARGEST + 1).decode("utf-8")
        except UnicodeDecodeError:
            return False
    return True


SMALL = 20_000


def read_small(path: str) -> str:
    """A definition or property: text of which nobody writes much."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(SMALL + 1)
    except OSError as error:
        raise InputError(Position(path, 0), f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(Position(path, 1, 1), "not a text file") from None
    if len(text) > SMALL:
        raise InputError(Position(path, 1, 1), f"larger than {SMALL} characters")
    return text
