"""What C programs show when they are compiled and run: two compilers, and the sanitizers for a third opinion.

Many programs share one translation unit, because starting a compiler costs more than compiling a program. For ILP32
no C library is needed: the runtime has what the compilers call.
"""

from __future__ import annotations

import functools
import os
import platform
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .execution import SEQUENCES, Execution

COMPILE_SECONDS = RUN_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Program:
    """``exported`` are the names that would clash where several programs stand in one file. The line ``SHOWN`` of
    ``text`` is where a program shows a step. ``wraps``: signed overflow is meant to wrap around."""

    text: str
    exported: tuple[str, ...]
    wraps: bool = False


# Words of C, and names that mean something outside of a program.
_RESERVED = frozenset(
    ("char", "short", "int", "long", "unsigned", "signed", "_Bool", "void", "const", "volatile", "static", "extern",
     "typedef", "struct", "union", "enum", "sizeof", "if", "else", "while", "do", "for", "switch", "case", "default",
     "break", "continue", "goto", "return", "_Generic", "_Alignof", "memcpy", "memset", "malloc", "calloc", "free",
     "packed", "inline", "float", "double", "memmove", "L")
)  # fmt: skip
SHOWN = "seen = h;"

GCC = ("gcc", "-O0")
CLANG = ("clang", "-O2", "-fno-strict-aliasing")
SANITIZERS = ("gcc", "-O0", "-fsanitize=undefined,address", "-fno-sanitize-recover=all", "-fno-strict-aliasing")
# Without a library, for ILP32: what is undefined traps.
TRAPS = ("gcc", "-O0", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error", "-fno-strict-aliasing")
# What would be undefined without being seen by the sanitizers.
_STRICT = (
    "-w", "-Werror=return-type", "-Werror=int-conversion", "-Werror=incompatible-pointer-types",
    "-Werror=implicit-function-declaration",
)  # fmt: skip
_FREESTANDING = (
    "-m32", "-ffreestanding", "-nostdlib", "-static", "-fno-pie", "-no-pie", "-fno-stack-protector", "-mno-sse",
)  # fmt: skip

# ``execution.inputs`` is the same in Python.
INPUTS = """
static unsigned long long input_state;
static unsigned long long input(void) {
  input_state = input_state * 6364136223846793005ull + 1442695040888963407ull;
  switch (input_state >> 61) {
    case 0: return 0;
    case 1: return -1;
    case 2: case 3: case 4: return (input_state >> 33) & 7;
  }
  return input_state >> 16;
}
_Bool __VERIFIER_nondet_bool(void) { return input() & 1; }
char __VERIFIER_nondet_char(void) { return input(); }
unsigned char __VERIFIER_nondet_uchar(void) { return input(); }
short __VERIFIER_nondet_short(void) { return input(); }
unsigned short __VERIFIER_nondet_ushort(void) { return input(); }
int __VERIFIER_nondet_int(void) { return input(); }
unsigned __VERIFIER_nondet_uint(void) { return input(); }
long __VERIFIER_nondet_long(void) { return input(); }
unsigned long __VERIFIER_nondet_ulong(void) { return input(); }
long long __VERIFIER_nondet_longlong(void) { return input(); }
unsigned long long __VERIFIER_nondet_ulonglong(void) { return input(); }

static unsigned shown_values[1 << 16], shown_count;
static void shown(unsigned value) { if (shown_count < 1 << 16) shown_values[shown_count++] = value; }
static void put(char c);
static void number(unsigned n) { if (n > 9) number(n / 10); put('0' + n % 10); }
static void show(int index, int sequence) {
  number(index); put(' '); number(sequence);
  for (unsigned i = 0; i < shown_count; i++) { put(' '); number(shown_values[i]); }
  put('\\n');
}
"""
_HOSTED = """
#include <stdio.h>
#include <unistd.h>
#include <sys/wait.h>
static void put(char c) { putchar(c); }
static void run(int index, int sequence, int (*program)(void)) {
  fflush(stdout);
  if (fork() == 0) {
    alarm(3); input_state = sequence; program(); show(index, sequence); fflush(stdout); _exit(0);
  }
  wait(0);
}
"""
_FREE = """
void *memcpy(void *to, const void *from, __SIZE_TYPE__ size) {
  for (__SIZE_TYPE__ i = 0; i < size; i++) ((volatile char *)to)[i] = ((const char *)from)[i];
  return to;
}
void *memmove(void *to, const void *from, __SIZE_TYPE__ size) {
  if ((char *)to <= (char *)from) return memcpy(to, from, size);
  while (size--) ((volatile char *)to)[size] = ((const char *)from)[size];
  return to;
}
void *memset(void *to, int value, __SIZE_TYPE__ size) {
  for (__SIZE_TYPE__ i = 0; i < size; i++) ((volatile char *)to)[i] = (char)value;
  return to;
}
int memcmp(const void *a, const void *b, __SIZE_TYPE__ size) {
  for (__SIZE_TYPE__ i = 0; i < size; i++) {
    int d = ((volatile unsigned char *)a)[i] - ((volatile unsigned char *)b)[i];
    if (d) return d;
  }
  return 0;
}
static char heap[1 << 20];
static unsigned long used;
void *malloc(__SIZE_TYPE__ size) { used += (size + 15) / 16 * 16; return heap + used - (size + 15) / 16 * 16; }
void *realloc(void *old, __SIZE_TYPE__ size) {
  volatile char *to = malloc(size), *from = old;
  for (__SIZE_TYPE__ i = 0; from && i < size; i++) to[i] = from[i];
  return (void *)to;
}
void free(void *p) {}
unsigned long long __udivmoddi4(unsigned long long a, unsigned long long b, unsigned long long *rest) {
  unsigned long long quotient = 0, left = 0;
  for (int i = 63; i >= 0; i--) {
    left = left << 1 | (a >> i & 1);
    if (left >= b) { left -= b; quotient |= 1ull << i; }
  }
  if (rest) *rest = left;
  return quotient;
}
unsigned long long __udivdi3(unsigned long long a, unsigned long long b) { return __udivmoddi4(a, b, 0); }
unsigned long long __umoddi3(unsigned long long a, unsigned long long b) {
  unsigned long long rest;
  __udivmoddi4(a, b, &rest);
  return rest;
}
long long __divdi3(long long a, long long b) {
  unsigned long long q = __udivmoddi4(a < 0 ? 0ull - a : a, b < 0 ? 0ull - b : b, 0);
  return (a < 0) != (b < 0) ? 0ull - q : q;
}
long long __moddi3(long long a, long long b) {
  unsigned long long rest;
  __udivmoddi4(a < 0 ? 0ull - a : a, b < 0 ? 0ull - b : b, &rest);
  return a < 0 ? 0ull - rest : rest;
}
static long call(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
  return result;
}
static char line[1 << 20];
static unsigned length;
static void put(char c) {
  line[length++] = c;
  if (c == '\\n') { call(4, 1, (long)line, length); length = 0; }
}
static void run(int index, int sequence, int (*program)(void)) {
  if (call(2, 0, 0, 0) == 0) {
    call(27, 3, 0, 0); input_state = sequence; program(); show(index, sequence); call(1, 0, 0, 0);
  }
  call(7, -1, 0, 0);
}
"""


@functools.cache
def available(data_model: str, compiler: Sequence[str] = GCC) -> bool:
    """Whether the compiler can build and run programs for the data model here."""
    if shutil.which(compiler[0]) is None or platform.machine() != "x86_64" or platform.system() != "Linux":
        return False
    text = f"unsigned seen; static unsigned long long h = 7;\nint main(void) {{ h /= seen + 1;\n{SHOWN}\nreturn 0; }}\n"
    found = executions([Program(text, ("main", "seen", "h"))], data_model, compiler)[0]
    return found is not None and found[0].seen == (0, 7)


def executions(
    programs: Sequence[Program], data_model: str, compiler: Sequence[str] = GCC, complaints: list[str] | None = None
) -> list[tuple[Execution, ...] | None]:
    """The executions of each program, one for each sequence of inputs; None where it is not compiled, a sanitizer
    complains or it does not end soon. All programs take signed overflow for the same. What compilers and sanitizers
    say goes to ``complaints``."""
    if not programs:
        return []
    free = data_model == "ILP32"
    calls = "".join(f"  run({i}, {s}, main_{i});\n" for i in range(len(programs)) for s in range(SEQUENCES))
    entry = f"int main(void) {{\n{calls}  return 0;\n}}\n"
    if free:
        entry = f"__attribute__((force_align_arg_pointer)) void _start(void) {{\n{calls}  call(1, 0, 0, 0);\n}}\n"
    wraps = ["-fwrapv"] if programs[0].wraps else []
    if wraps and compiler in (SANITIZERS, TRAPS):
        wraps.append("-fno-sanitize=shift-base")
    with tempfile.TemporaryDirectory() as directory:
        source, executable = Path(directory) / "programs.c", Path(directory) / "programs"
        parts = (INPUTS, _FREE if free else _HOSTED, *map(_renamed, programs, range(len(programs))), entry)
        source.write_text("".join(parts))
        flags = (*_STRICT, *wraps, *(_FREESTANDING if free else ()))
        command = [*compiler, "-std=gnu11", *flags, "-o", str(executable), str(source), *(() if free else ("-lm",))]
        built = subprocess.run(command, capture_output=True, text=True, timeout=COMPILE_SECONDS, check=False)
        if built.returncode != 0:
            if len(programs) > 1:
                alone = (executions([program], data_model, compiler, complaints)[0] for program in programs)
                return list(alone)
            if complaints is not None:
                complaints.append(built.stderr)
            return [None]
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
        ran = subprocess.run(
            [str(executable)], capture_output=True, text=True, timeout=RUN_SECONDS, env=environment, check=False
        )
    if ran.stderr and complaints is not None:
        complaints.append(ran.stderr)
    found = _read(ran.stdout)
    return [found.get(index) for index in range(len(programs))]


def _read(output: str) -> Mapping[int, tuple[Execution, ...]]:
    """The executions of those programs all of whose runs ended. ``seen`` is zero at the start."""
    rows: dict[int, list[Execution]] = {}
    for line in output.splitlines():
        index, sequence, *values = map(int, line.split())
        runs = rows.setdefault(index, [])
        if len(runs) == sequence:
            runs.append(Execution((0, *values)))
    return {index: tuple(runs) for index, runs in rows.items() if len(runs) == SEQUENCES}


def names(text: str) -> tuple[str, ...]:
    """All names in a text, as they may be exported: each may as well be another one, wherever it stands."""
    words = dict.fromkeys(re.findall(r"\b(?<!\\)[A-Za-z_]\w*", text))
    return tuple(word for word in words if word not in _RESERVED and word[:2] != "__")


def _renamed(program: Program, index: int) -> str:
    defined = "".join(f"#define {name} {name}_{index}\n" for name in program.exported)
    undefined = "".join(f"#undef {name}\n" for name in program.exported)
    text = program.text.replace(SHOWN, f"{SHOWN} shown(seen);")
    return f'{defined}#line 1 "program {index}"\n{text}\n{undefined}'
