"""The preprocessor, as a child process that is given nothing but text: the system's, or else the embedded one.

The program goes through standard input, under a name that a marker in its first line says; what the child is told on
its command line are options of ours and absolute paths of folders. So no name of a file is ever read as an option or
as a file of options, and a program that is given by somebody else cannot make the compiler's driver run commands. The
child has limits of time, memory and output.
"""

from __future__ import annotations

import os
import re
import resource
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.basics.records import dataclass

if TYPE_CHECKING:
    import subprocess

PREPROCESSORS = ("cc", "gcc", "clang", "cpp")
SECONDS = 60
MEMORY = 4 << 30
OUTPUT = 256 << 20

_NAMELESS = "<input>"
# Between the digits of a number a quote begins no character in C23, which older preprocessors are to be told.
_SEPARATED = re.compile(r"\b[0-9][0-9a-fA-FxX]*'[0-9a-fA-F]")
_DIAGNOSTIC = re.compile(r"^(.+?):([0-9]+):(?:([0-9]+):)? *(?:fatal )?error: *(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Preprocessed:
    """``name`` gives back the user's name of a file for the one that a marker has."""

    text: str
    notes: tuple[str, ...]
    name: Callable[[str], str]


# Editions of C before C99.
_EDITIONS = ("c89", "c90", "gnu89", "gnu90", "iso9899:1990", "iso9899:199409")
_OLD = frozenset(("-ansi", *(f"-std={edition}" for edition in _EDITIONS)))


@dataclass(frozen=True, slots=True)
class Switches:
    """What is said to the preprocessor besides the text. Each of the ``words`` is one argument, whatever stands in it,
    and every path in there an absolute one."""

    words: tuple[str, ...] = ()

    @property
    def matter(self) -> bool:
        """Whether they change a text without directives."""
        return any(word.startswith(("-D", "-include")) for word in self.words)

    @property
    def old_inline(self) -> bool:
        """Whether ``inline`` means what it does in GNU C before C99; the last word counts."""
        old = False
        for word in self.words:
            old = word in _OLD if word.startswith("-std=") or word == "-ansi" else old
        return old or "-fgnu89-inline" in self.words


def switches_of(folders: Sequence[str], macros: Sequence[str], forgotten: Sequence[str]) -> Switches:
    """Folders to look for headers in, macros as ``NAME`` or ``NAME=VALUE``, names that are to be none."""
    words = (f"-I{os.path.abspath(folder)}" for folder in folders)
    return Switches((*words, *(f"-D{macro}" for macro in macros), *(f"-U{name}" for name in forgotten)))


NO_SWITCHES = Switches()


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of a program; ``text`` is its content where that does not stand in it."""

    path: str
    switches: Switches = NO_SWITCHES
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Ran:
    status: int
    output: bytes
    complaints: str


def preprocess(
    path: str, text: str, data_model: str, directive: Position, switches: Switches = NO_SWITCHES
) -> Preprocessed:
    """The text after preprocessing. For a data model that is not the host's, headers of that model are asked for;
    where the system has only the host's, it is read with them, and a note says so."""
    import shutil
    import tempfile

    program = next(filter(None, map(shutil.which, PREPROCESSORS)), None)
    names = _Names(path)
    if program is None:
        return _embedded(path, text, data_model, directive, switches, names)
    program = os.path.abspath(program)
    marked = f'# 1 "{names.alias}"\n{text}'.encode(errors="replace")
    edition = ["-std=gnu2x"] if _SEPARATED.search(text) else []
    options = ["-E", "-x", "c", *edition, "-iquote", names.folder, *switches.words]
    width = "-m32" if data_model == "ILP32" else "-m64"
    with tempfile.TemporaryDirectory() as scratch:
        headers = _headers(program, scratch)
        attempt = run([program, *options, width, *headers, "-"], path, marked, scratch)
        if attempt.status == 0:
            return Preprocessed(attempt.output.decode("utf-8", "replace"), (), names.name)
        plain = run([program, *options, "-"], path, marked, scratch)
    if plain.status != 0:
        raise _complaint(plain.complaints, directive, names)
    note = f"system headers were read as the host has them, not as {data_model} has them"
    return Preprocessed(plain.output.decode("utf-8", "replace"), (note,), names.name)


def _embedded(
    path: str, text: str, data_model: str, directive: Position, switches: Switches, names: _Names
) -> Preprocessed:
    import tempfile

    from argosy.frontends.c.embedded import command

    with tempfile.TemporaryDirectory() as scratch:
        name = os.path.abspath(path) if names.alias == path else names.alias
        words = command(name, names.folder, data_model, switches.words)
        done = run(words, path, text.encode(errors="replace"), scratch)
    if done.status != 0:
        raise _complaint(done.complaints, directive, names)
    return Preprocessed(done.output.decode("utf-8", "replace"), (), names.name)


class _Names:
    """What files are called. The program's name is said in a marker, unless that would have to quote it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.folder = os.path.dirname(os.path.abspath(path))
        plain = path.isprintable() and not set(path) & set('"\\')
        self.alias = path if plain else _NAMELESS
        self._given = os.path.dirname(path)

    def name(self, said: str) -> str:
        if said in (self.alias, "<stdin>"):
            return self.path
        inside = said.removeprefix(self.folder.rstrip("/") + "/")
        return said if inside == said else os.path.join(self._given, inside)


def _headers(program: str, scratch: str) -> list[str]:
    """Where a 64-bit system keeps headers that serve both widths: searched last. The one header that exists per
    width lists unimplemented functions and may be empty."""
    os.mkdir(os.path.join(scratch, "gnu"))
    for name in ("stubs-32.h", "stubs-64.h"):
        with open(os.path.join(scratch, "gnu", name), "w", encoding="ascii"):
            pass
    found = run([program, "-print-multiarch"], program, b"", scratch)
    shared = os.path.join("/usr/include", found.output.decode().strip()) if found.status == 0 else ""
    return [*(("-idirafter", shared) if shared.rstrip("/") != "/usr/include" else ()), "-idirafter", scratch]


def run(command: list[str], path: str, content: bytes, folder: str) -> Ran:
    """Files rather than pipes hold what the child reads and writes: the system itself then ends one that writes too
    much."""
    import subprocess
    import tempfile

    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as complaints:
        source.write(content)
        source.seek(0)
        try:
            child = subprocess.Popen(
                command, stdin=source, stdout=output, stderr=complaints, cwd=folder, preexec_fn=_limit
            )
        except OSError as error:
            raise InputError(Position(path, 0), f"the preprocessor cannot be run: {error.strerror}") from None
        try:
            status = child.wait(SECONDS)
        except subprocess.TimeoutExpired:
            raise InputError(Position(path, 0), f"the preprocessor took more than {SECONDS} s") from None
        finally:
            _end(child)
        if os.fstat(output.fileno()).st_size >= OUTPUT:
            raise InputError(Position(path, 0), f"the preprocessor wrote more than {OUTPUT >> 20} MB")
        output.seek(0)
        complaints.seek(0)
        return Ran(status, output.read(), complaints.read().decode("utf-8", "replace"))


def _limit() -> None:
    """In the child, and so in what the child starts."""
    for kind, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_FSIZE, OUTPUT), (resource.RLIMIT_CPU, SECONDS)):
        _, hard = resource.getrlimit(kind)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, hard))


def _end(child: subprocess.Popen[bytes]) -> None:
    """A driver that is killed leaves the compiler proper behind, which may wait for input that never comes."""
    if child.poll() is not None:
        return
    for pid in (*_started_by(child.pid), child.pid):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    child.wait()


def _started_by(pid: int) -> list[int]:
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(word) for word in file.read().split()]
    except OSError:  # another system: the limits of processor time end it
        return []


def _complaint(complaints: str, directive: Position, names: _Names) -> InputError:
    found = _DIAGNOSTIC.search(complaints)
    if found:
        return InputError(Position(names.name(found[1]), int(found[2]), int(found[3] or 0)), found[4])
    lines = complaints.strip().splitlines()
    return InputError(directive, f"the preprocessor failed: {lines[0] if lines else 'no message'}")
