"""Programs of csmith (Yang et al., PLDI 2011), run by gcc, by clang and as the automaton of the front end.

A program of csmith is deterministic, and free of what C leaves undefined by its wrapper functions, which are written
here anew: whatever they compute, all three compute it. A checksum of all globals is shown at the end and before some
statements (``--step-hash-by-stmt``). Programs are small, without floats, volatile objects, packed structures and
arguments of ``main``; one in four has bit fields, which the front end may refuse.

    python -m tests.fuzz.csmith --count 200 --seed 1
"""

from __future__ import annotations

import argparse
import contextlib
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

from .compiled import SHOWN, Program
from .execution import Execution, compare
from .stepwise import truths

OPTIONS = (
    "--concise", "--no-argc", "--no-float", "--no-volatiles", "--no-volatile-pointers", "--no-packed-struct",
    "--no-vol-struct-union-fields", "--no-builtins", "--max-array-dim", "2", "--max-array-len-per-dim", "4",
    "--max-struct-fields", "5", "--max-union-fields", "4", "--max-pointer-depth", "2", "--step-hash-by-stmt",
)  # fmt: skip
SIZES = (
    ("--max-funcs", "1", "--max-block-depth", "2", "--max-block-size", "2", "--max-expr-complexity", "3"),
    ("--max-funcs", "2", "--max-block-depth", "2", "--max-block-size", "3", "--max-expr-complexity", "5"),
    ("--max-funcs", "3", "--max-block-depth", "3", "--max-block-size", "3", "--max-expr-complexity", "4"),
)
BATCH = 12
SHOWN_AFTER = 120
# Seconds for csmith, and places where a program shows a checksum before its end.
SECONDS = 3
SHOWN_AT_MOST = 6

# The names of csmith.h that programs use. ``n`` is what a checksum takes: the width of the value is part of it.
PRELUDE = f"""\
typedef signed char int8_t; typedef unsigned char uint8_t; typedef short int16_t; typedef unsigned short uint16_t;
typedef int int32_t; typedef unsigned int uint32_t; typedef long long int64_t; typedef unsigned long long uint64_t;
unsigned int r = 1, seen;
static int print_hash_value;
static void transparent_crc(uint64_t n, char *name, int flag)
{{ r = r * 31u + (unsigned int)n; r = r * 31u + (unsigned int)(n >> 32); }}
static void shows(void) {{ unsigned int h = r; {SHOWN} }}
#define crc32_gentab()
#define platform_main_begin()
#define platform_main_end(context, flag) shows()
"""
_STEP = "void step_hash(int stmt_id) { r = r * 31u + stmt_id; csmith_compute_hash(); shows(); }\n"
_EXPORTED = re.compile(
    r"\b(?:g_\d+|func_\d+|[SU]\d+|safe_\w+|u?int\d+_t|csmith_compute_hash|step_hash|transparent_crc|shows|"
    r"print_hash_value|seen|main|r)\b"
)
_WRAPPER = re.compile(r"safe_(unary_minus|add|sub|mul|div|mod|lshift|rshift)_func_(u?int(\d+)_t)_([su])(?:_([su]))?\b")
_SIGNS = {"+": "add", "-": "sub", "*": "mul"}


def available() -> bool:
    return all(shutil.which(tool) for tool in ("csmith", "gcc", "clang"))


def generate(seed: int) -> Program | None:
    """The program, with its prelude; None where csmith does not end soon."""
    with tempfile.TemporaryDirectory() as folder:  # csmith leaves a file where it runs
        fields = ("--bitfields" if seed % 4 == 0 else "--no-bitfields",)
        command = ["csmith", "--seed", str(seed), *OPTIONS, *fields, *SIZES[seed % len(SIZES)]]
        try:
            made = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=True)
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
            return None
    return program(made.stdout.replace('#include "csmith.h"', ""))


def program(text: str) -> Program:
    """A program as csmith writes it, which shows its checksum at a few places only."""
    text = re.sub(r"void step_hash\(int stmt_id\)\n\{.*?\n\}\n", lambda _: _STEP, text, flags=re.DOTALL)
    places = re.findall(r"\bstep_hash\((\d+)\);", text)
    kept = set(places[:: len(places) // SHOWN_AT_MOST + 1])
    text = re.sub(r"\bstep_hash\((\d+)\);", lambda m: m[0] if m[1] in kept else "", text)
    text = "\n".join((PRELUDE, *wrappers(text), text))
    return Program(text, tuple(dict.fromkeys(_EXPORTED.findall(text))))


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


@dataclass(frozen=True, slots=True)
class Outcome:
    """``kind``: agrees, discarded (no program, no end, or the compilers differ), or a kind of ``Finding``."""

    seed: int
    kind: str
    detail: str = ""

    @property
    def wrong(self) -> bool:
        return self.kind not in ("agrees", "discarded", "refused", "endless")


def outcomes(seeds: Sequence[int], data_model: str = "LP64") -> list[Outcome]:
    made = {seed: each for seed in seeds if (each := generate(seed)) is not None}
    found = dict(zip(made, truths(list(made.values()), data_model), strict=True))
    return [
        _outcome(seed, made[seed], found[seed], data_model) if seed in made else Outcome(seed, "discarded")
        for seed in seeds
    ]


def _outcome(seed: int, made: Program, truth: Sequence[Execution] | None, data_model: str) -> Outcome:
    if truth is None:
        return Outcome(seed, "discarded")
    finding = compare(made.text, truth, data_model)
    return Outcome(seed, finding.kind or "agrees", re.sub(r"program\.c:[\d:]+ ?", "", finding.detail))


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
    seeds = range(options.seed, options.seed + options.count)
    batches = [seeds[start : start + BATCH] for start in range(0, len(seeds), BATCH)]
    with contextlib.ExitStack() as stack:
        mapped: Iterator[list[Outcome]] = map(outcomes, batches)
        if options.jobs > 1:
            pool = stack.enter_context(ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")))
            mapped = pool.map(outcomes, batches)
        for number, found in enumerate((each for batch in mapped for each in batch), 1):
            kinds[found.kind] += 1
            if found.kind == "refused":
                reasons[re.sub(r"\b[lgp]_\w+|'\w+'|\d+", "", found.detail)[:90]] += 1
            if found.wrong:
                wrong += 1
                print(f"seed {found.seed}: {found.kind}: {found.detail}", flush=True)
                if options.failures:
                    options.failures.mkdir(parents=True, exist_ok=True)
                    failed = generate(found.seed)
                    assert failed is not None
                    (options.failures / f"csmith-{found.seed}.c").write_text(failed.text)
            if number % SHOWN_AFTER == 0:
                print(f"{number} programs in {time.monotonic() - started:.0f} s: {dict(kinds)}", flush=True)
    print(f"{options.count} programs in {time.monotonic() - started:.0f} s: {dict(kinds)}; {wrong} wrong")
    for reason, count in reasons.most_common(12):
        print(f"{count:7} refused: {reason}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
