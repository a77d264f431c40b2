"""Programs of csmith (Yang et al., PLDI 2011), run by gcc, by clang and as the automaton of the front end.

A program of csmith is deterministic, and free of what C leaves undefined by its wrapper functions, which are written
here anew: whatever they compute, all three compute it. The checksum of all globals at the end goes to ``r``. Programs
are small, without floats, volatile objects, packed structures and arguments of ``main``.

    python -m tests.fuzz.csmith --count 200 --seed 1
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from argosy.frontends.c.load import load
from argosy.logic.terms import Terms

from .memory import Finding, compare

OPTIONS = (
    "--concise", "--no-argc", "--no-float", "--no-volatiles", "--no-volatile-pointers", "--no-packed-struct",
    "--no-vol-struct-union-fields", "--no-builtins", "--max-array-dim", "2", "--max-array-len-per-dim", "4",
    "--max-struct-fields", "5", "--max-union-fields", "4", "--max-pointer-depth", "2",
)  # fmt: skip
SIZES = (
    ("--max-funcs", "1", "--max-block-depth", "2", "--max-block-size", "2", "--max-expr-complexity", "3"),
    ("--max-funcs", "2", "--max-block-depth", "2", "--max-block-size", "3", "--max-expr-complexity", "5"),
    ("--max-funcs", "3", "--max-block-depth", "3", "--max-block-size", "3", "--max-expr-complexity", "4"),
)
COMPILERS = (("gcc", "-O0"), ("clang", "-O2", "-fno-strict-aliasing"))
SECONDS = 3

# The names of csmith.h that programs use. ``n`` is what a checksum takes: the width of the value is part of it.
PRELUDE = """\
typedef signed char int8_t; typedef unsigned char uint8_t; typedef short int16_t; typedef unsigned short uint16_t;
typedef int int32_t; typedef unsigned int uint32_t; typedef long long int64_t; typedef unsigned long long uint64_t;
unsigned int r = 1;
static void transparent_crc(uint64_t n, char *name, int flag)
{ r = r * 31u + (unsigned int)n; r = r * 31u + (unsigned int)(n >> 32); }
#define crc32_gentab()
#define crc32_context 0
#define platform_main_begin()
#define platform_main_end(context, flag) (r = r * 31u)
"""
ENDING = """
#undef main
extern int printf(const char *, ...);
int main(void) { program(); printf("%u\\n", r); return 0; }
"""
_WRAPPER = re.compile(r"safe_(unary_minus|add|sub|mul|div|mod|lshift|rshift)_func_(u?int(\d+)_t)_([su])(?:_([su]))?\b")
_SIGNS = {"+": "add", "-": "sub", "*": "mul"}


def available() -> bool:
    return all(shutil.which(tool) for tool in ("csmith", "gcc", "clang"))


def generate(seed: int) -> str | None:
    """The text, with its prelude; None where csmith does not end soon."""
    with tempfile.TemporaryDirectory() as folder:  # csmith leaves a file where it runs
        command = ["csmith", "--seed", str(seed), *OPTIONS, *SIZES[seed % len(SIZES)]]
        try:
            made = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=True)
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
            return None
    text = made.stdout.replace('#include "csmith.h"', "")
    return "\n".join((PRELUDE, *wrappers(text), text))


def wrappers(text: str) -> Iterator[str]:
    """The wrapper functions that a text calls: operations that are defined for all operands."""
    for name, operation, type_, width, _, of_amount in sorted(
        {(m[0], m[1], m[2], m[3], m[4], m[5]) for m in _WRAPPER.finditer(text)}
    ):
        signed = not type_.startswith("u")
        if operation == "unary_minus":
            yield f"static {type_} {name}({type_} a) {{ return ({type_})(0u - (uint64_t)a); }}"
            continue
        shift = operation in ("lshift", "rshift")
        second = ("int" if of_amount == "s" else "unsigned int") if shift else type_
        match operation:
            case "div" | "mod":
                sign = "/" if operation == "div" else "%"
                least = f" || (b == -1 && a == ({type_})(1ull << {int(width) - 1}))" if signed else ""
                value = f"b == 0{least} ? a : ({type_})(a {sign} b)"
            case "lshift" | "rshift":
                negative = " || a < 0" if signed else ""
                below = "b < 0 || " if of_amount == "s" else ""
                moved = f"({type_})((uint64_t)a << b)" if operation == "lshift" else f"({type_})(a >> b)"
                value = f"{below}b >= {width}{negative} ? a : {moved}"
            case _:
                sign = next(sign for sign, named in _SIGNS.items() if named == operation)
                value = f"({type_})((uint64_t)a {sign} (uint64_t)b)"
        yield f"static {type_} {name}({type_} a, {second} b) {{ return {value}; }}"


def result(text: str, compiler: Sequence[str]) -> int | None:
    """The checksum that the compiled program prints; None where it does not end soon."""
    with tempfile.TemporaryDirectory() as folder:
        source, executable = Path(folder) / "program.c", Path(folder) / "program"
        source.write_text(f"#define main program\n{text}{ENDING}")
        command = [*compiler, "-std=gnu11", "-w", "-o", str(executable), str(source)]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        try:
            done = subprocess.run([str(executable)], capture_output=True, text=True, timeout=SECONDS, check=True)
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
            return None
    return int(done.stdout)


@dataclass(frozen=True, slots=True)
class Outcome:
    """``kind``: agrees, discarded (no program, or no end), compilers (disagree), refused (``detail`` says what is not
    modelled), or a kind of ``memory.Finding`` that is a disagreement."""

    seed: int
    kind: str
    detail: str = ""

    @property
    def wrong(self) -> bool:
        return self.kind not in ("agrees", "discarded", "compilers", "refused", "endless")


def outcome(seed: int) -> Outcome:
    text = generate(seed)
    values = [result(text, compiler) for compiler in COMPILERS] if text is not None else [None]
    if text is None or None in values:
        return Outcome(seed, "discarded")
    if len(set(values)) > 1:
        return Outcome(seed, "compilers", str(values))
    assert values[0] is not None
    return judged(seed, compare(text, values[0], "LP64"), text)


def judged(seed: int, finding: Finding, text: str) -> Outcome:
    if finding.kind == "crash" and finding.detail.startswith("UnsupportedError"):
        return Outcome(seed, "refused", re.sub(r"^.*?program\.c:[\d:]+ ?", "", finding.detail))
    if finding.kind == "opaque":
        return Outcome(seed, "refused", f"not modelled: {_unmodelled(text)}")
    return Outcome(seed, finding.kind or "agrees", finding.detail)


def _unmodelled(text: str) -> str:
    """What the front end left open, without names."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(text)
        refusals = load(str(path), terms=Terms(), data_model="LP64").cfa.opaque.values()
    kinds = Counter(re.sub(r"[lgp]_\w+|\bf\d+|:.*", "", refusal.what).strip()[:40] for refusal in refusals)
    return ", ".join(sorted(kinds))[:80]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.csmith", description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="programs")
    parser.add_argument("--seed", type=int, default=1, help="of the first program")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--failures", type=Path, help="directory for the programs that disagree")
    options = parser.parse_args(arguments)
    if not available():
        parser.error("csmith, gcc and clang are needed")
    kinds: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    wrong = 0
    started = time.monotonic()
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        for found in pool.map(outcome, range(options.seed, options.seed + options.count)):
            kinds[found.kind] += 1
            if found.kind == "refused":
                reasons[re.sub(r"\d+", "N", found.detail)[:80]] += 1
            if found.wrong:
                wrong += 1
                print(f"seed {found.seed}: {found.kind}: {found.detail}", flush=True)
                if options.failures:
                    options.failures.mkdir(parents=True, exist_ok=True)
                    (options.failures / f"csmith-{found.seed}.c").write_text(generate(found.seed) or "")
    print(f"{options.count} programs in {time.monotonic() - started:.0f} s: {dict(kinds)}; {wrong} wrong")
    for reason, count in reasons.most_common(12):
        print(f"{count:7} refused: {reason}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
