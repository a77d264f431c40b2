"""Every header of the C library that a compiler can include alone can be read, and a trivial program with it.

python -m tests.frontends.c.headers
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.c.load import load
from argosy.logic.terms import Terms

INCLUDE = Path("/usr/include")
# Those of the standard (C11 7.1.2) and of POSIX that programs include.
WORDS = """assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg
    stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype fcntl poll
    pthread strings sys/socket sys/stat sys/time sys/types unistd netinet/in error"""
STANDARD = tuple(WORDS.split())


def program(name: str) -> str:
    return f"#include <{name}.h>\nint main(void) {{ return 0; }}\n"


def refused(name: str, data_model: str = "LP64") -> str | None:
    """What the front end says against a header; None where it reads it."""
    try:
        load("header.c", terms=Terms(), text=program(name), data_model=data_model)
    except (InputError, UnsupportedError) as error:
        return str(error)
    return None


def _installed() -> Iterator[str]:
    for folder in ("", "sys", "net", "netinet", "arpa", "bits/types"):
        for path in sorted((INCLUDE / folder).glob("*.h")) if (INCLUDE / folder).is_dir() else ():
            yield os.path.relpath(path, INCLUDE).removesuffix(".h")


def _compiles(name: str) -> bool:
    command = ["gcc", "-w", "-fsyntax-only", "-x", "c", "-"]
    return subprocess.run(command, input=program(name), text=True, capture_output=True).returncode == 0


def main() -> int:
    count = wrong = 0
    for name in dict.fromkeys((*STANDARD, *_installed())):
        if _compiles(name):
            count += 1
            said = refused(name)
            if said is not None:
                wrong += 1
                print(f"{name}.h: {said}", flush=True)
    print(f"{count} headers, {wrong} not read")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
