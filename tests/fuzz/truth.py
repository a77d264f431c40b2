"""What a program does, by running it: gcc compiles it twice, once per reading of signed overflow.

Undefined: the sanitizer reports overflow, shifts and divisions; an execution that leaves the language ends there.
Wrap: ``-fwrapv``; shift amounts and divisions are still reported, overflow and the base of a left shift wrap.
Many programs share one file, because starting the compiler costs more than compiling a program; ``runtime.c`` runs
each of them over all its choices.
"""

from __future__ import annotations

import functools
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .syntax import Program

READINGS = ("undefined", "wrap")
RUNS = 400
_RUNTIME = Path(__file__).with_name("runtime.c")
_SANITIZER: Mapping[str, tuple[str, ...]] = {
    "undefined": ("-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero",),
    # The sanitizer's signed-integer-overflow means INT_MIN / -1 only where -fwrapv defines the rest.
    "wrap": ("-fwrapv", "-fsanitize=signed-integer-overflow,shift-exponent,integer-divide-by-zero"),
}
_MACHINE: Mapping[str, tuple[str, ...]] = {"LP64": ("-m64",), "ILP32": ("-m32",)}


class OracleError(Exception):
    """gcc refused a program, or the executable did not finish."""


@dataclass(frozen=True, slots=True)
class Truth:
    """How the executions of a program ended. ``overflows`` are undefined as well; ``complete`` is false when there
    were too many executions, or one was too long."""

    runs: int
    returned: int
    left: int
    undefined: int
    overflows: int
    errors: int
    complete: bool
    watched: Mapping[int, Sequence[tuple[int, ...]]] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        return "unsafe" if self.errors else "safe"


@functools.cache
def available(data_model: str) -> bool:
    """Whether gcc is here, on a machine the runtime knows, and can build and run for the data model."""
    if shutil.which("gcc") is None or platform.machine() != "x86_64" or platform.system() != "Linux":
        return False
    try:
        return _execute("", [], data_model, "wrap") == {}
    except OracleError:
        return False


def observe(programs: Sequence[Program], reading: str, runs: int = RUNS) -> list[Truth]:
    """The truth about each program under one reading. All programs have the same data model."""
    if not programs:
        return []
    found = _execute(_together(programs), range(len(programs)), programs[0].data_model, reading, runs)
    return [found[index] for index in range(len(programs))]


def _together(programs: Sequence[Program]) -> str:
    parts = []
    for index, program in enumerate(programs):
        names = ("main", *program.exported)
        parts.append("\n".join(f"#define {name} {name}_{index}" for name in names))
        parts.append(program.oracle())
        parts.append("\n".join(f"#undef {name}" for name in names))
    return "\n".join(parts)


def _execute(text: str, indices: Sequence[int], data_model: str, reading: str, runs: int = RUNS) -> dict[int, Truth]:
    calls = "".join(f"  run({index}, main_{index});\n" for index in indices)
    leave = '"int $0x80" :: "a"(1), "b"(0)' if data_model == "ILP32" else '"syscall" :: "a"(231), "D"(0)'
    entry = f"ENTRY {{\n  start();\n{calls}  flush();\n  __asm__ volatile({leave});\n  for (;;);\n}}\n"
    with tempfile.TemporaryDirectory() as directory:
        source, executable = Path(directory) / "programs.c", Path(directory) / "programs"
        source.write_text(f"#define RUNS {runs}\n{_RUNTIME.read_text()}\n{text}\n{entry}")
        command = [
            "gcc", *_MACHINE[data_model], "-std=gnu11", "-O0", "-w", "-ffreestanding", "-nostdlib", "-static",
            "-no-pie", "-fno-pie", "-fno-stack-protector", "-fno-asynchronous-unwind-tables", "-mno-sse",
            *_SANITIZER[reading], "-fno-sanitize-recover=all", "-o", str(executable), str(source),
        ]  # fmt: skip
        try:
            # -nostdlib keeps the sanitizer's library out: the runtime has the handlers.
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
            output = subprocess.run([str(executable)], check=True, capture_output=True, text=True, timeout=120).stdout
        except subprocess.CalledProcessError as error:
            raise OracleError(f"{Path(error.cmd[0]).name}: {error.returncode}: {str(error.stderr)[:2000]}") from error
        except (subprocess.TimeoutExpired, OSError) as error:
            raise OracleError(str(error)) from error
    return _read(output, runs)


def _read(output: str, runs: int) -> dict[int, Truth]:
    watched: dict[int, dict[int, list[tuple[int, ...]]]] = {}
    truths: dict[int, Truth] = {}
    for row in output.splitlines():
        kind, *fields = row.split()
        numbers = [_signed(int(field, 16)) for field in fields]
        if kind == "watch":
            program, point, *values = numbers
            watched.setdefault(program, {}).setdefault(point, []).append(tuple(values))
        else:
            program, count, returned, left, other, overflows, errors, too_long = numbers
            complete = too_long == 0 and count <= runs
            truths[program] = Truth(
                count, returned, left, other + overflows, overflows, errors, complete, watched.get(program, {})
            )
    return truths


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value
