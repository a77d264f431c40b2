"""Random programs, compiled and as the model that the front end makes of them, compared step by step.

Two compilers say what a program shows at its markers; where they differ it is not looked at. The model is executed on
the same inputs. Where it differs from both, sanitizers are asked whether the program is one whose meaning C defines.
With ``--printed`` it is not executed: what the front end prints, its typed form as C, is compiled and run instead.

    python -m tests.fuzz.stepwise --generator all --count 500 --seed 1
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path

from argosy.basics.errors import InputError, UnsupportedError
from argosy.models.cfa import Reading

from . import arithmetic, floats, memory, records
from .compiled import CLANG, GCC, SANITIZERS, TRAPS, Program, available, executions, names
from .execution import Execution, Finding, compare, compare_blocks
from .reduction import fewer_lines, seconds, smallest

BATCH = 25
SHOWN_AFTER = 100
MODELS = ("LP64", "ILP32")

Generate = Callable[[int], Program]
Judge = Callable[[str, Sequence[Execution], str, Reading], Finding]


def _memory(seed: int) -> Program:
    # Functions that are called through pointers and do so themselves may call one another: of recursion the front end
    # models one call where a function takes the address of a variable.
    avoid = frozenset({"pointers in operations"}) if seed % 4 else frozenset[str]()
    return memory.generate(seed, memory.Profile(heap=seed % 5 == 0, avoid=avoid))


def _blocks(seed: int) -> Program:
    avoid = frozenset({"pointers in operations"}) if seed % 4 else frozenset[str]()
    return memory.generate(seed, memory.Profile(heap=seed % 2 == 0, avoid=avoid))


GENERATORS: Mapping[str, Generate] = {
    "memory": _memory,
    "blocks": _blocks,
    "arithmetic": arithmetic.generate,
    "floats": floats.generate,
    "records": records.generate,
}
JUDGES: Mapping[str, Judge] = {"blocks": compare_blocks}
# Without SSE, as programs for ILP32 are compiled here, intermediate results have more digits.
ONLY: Mapping[str, tuple[str, ...]] = {"floats": ("LP64",)}


@dataclass(frozen=True, slots=True)
class Disagreement:
    generator: str
    seed: int
    data_model: str
    finding: Finding
    program: Program


@dataclass
class Campaign:
    """How many comparisons there were, and how many programs said nothing: refused, too long for the interpreter, or
    discarded (not compiled, endless, undefined, or the compilers differ)."""

    kinds: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    discarded: list[int] = field(default_factory=list)
    disagreements: list[Disagreement] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    @property
    def compared(self) -> int:
        return self.kinds["agrees"] + len(self.disagreements)

    def __str__(self) -> str:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.kinds.items()))
        return f"{self.compared} compared ({kinds}), {len(self.disagreements)} disagree"


def reading_of(program: Program) -> Reading:
    return Reading.WRAP if program.wraps else Reading.UNDEFINED


def compare_printed(text: str, expected: Sequence[Execution], data_model: str, reading: Reading) -> Finding:
    """What the front end prints of a program, compiled, against the program."""
    try:
        form = import_module("argosy.frontends.c.print").print_program("program.c", data_model, text=text)
    except UnsupportedError as error:
        return Finding("refused", str(error))
    except InputError as error:
        return Finding("crash", str(error))
    complaints: list[str] = []
    program = Program(form, names(form), reading is Reading.WRAP)
    [shown] = executions([program], data_model, complaints=complaints)
    if shown == tuple(expected):
        return Finding("")
    return Finding("wrong", "".join(complaints)[:2000] or "the print shows something else")


def truths(
    programs: Sequence[Program], data_model: str, careful: bool = False, complaints: list[str] | None = None
) -> list[tuple[Execution, ...] | None]:
    """What the programs show; None where the compilers differ or there is nothing to see. ``careful`` asks the
    sanitizers as well."""
    opinions = [GCC, *((CLANG,) if available(data_model, CLANG) else ())]
    if careful:
        opinions.append(SANITIZERS if data_model == "LP64" else TRAPS)
    found = executions(programs, data_model, opinions[0], complaints)
    for compiler in opinions[1:]:
        # What the first did not compile or end is not worth asking the others.
        kept = [index for index, each in enumerate(found) if each is not None]
        others = executions([programs[index] for index in kept], data_model, compiler, complaints)
        for index, other in zip(kept, others, strict=True):
            if other != found[index]:
                found[index] = None
    return found


def campaign(
    generator: str,
    seeds: Sequence[int],
    models: Sequence[str] = MODELS,
    report: Callable[[Disagreement], None] = lambda _: None,
    careful: bool = False,
    done: Campaign | None = None,
    printed: bool = False,
) -> Campaign:
    """Compare the programs of some seeds, and add up what came of it."""
    done = done or Campaign()
    judge = compare_printed if printed else JUDGES.get(generator, compare)
    generate = GENERATORS[generator]
    for start in range(0, len(seeds), BATCH):
        numbers = seeds[start : start + BATCH]
        programs = [generate(seed) for seed in numbers]
        for model in (m for m in models if m in ONLY.get(generator, MODELS)):
            found = truths(programs, model, careful, done.complaints)
            for seed, program, truth in zip(numbers, programs, found, strict=True):
                _judge(done, Disagreement(generator, seed, model, Finding(""), program), truth, report, judge)
    return done


def _judge(
    done: Campaign,
    case: Disagreement,
    truth: Sequence[Execution] | None,
    report: Callable[[Disagreement], None],
    judge: Judge = compare,
) -> None:
    program, model = case.program, case.data_model
    finding = Finding("discarded")
    if truth is not None:
        finding = judge(program.text, truth, model, reading_of(program))
        if finding.disagrees and truths([program], model, careful=True, complaints=done.complaints) == [None]:
            finding = Finding("discarded")
    done.kinds[finding.kind or "agrees"] += 1
    if finding.kind == "discarded":
        done.discarded.append(case.seed)
    elif finding.kind == "refused":
        done.reasons[re.sub(r"program\.c:[\d:]+ ?|'\w+'|\d+", "", finding.detail)[:90]] += 1
    elif finding.disagrees:
        found = replace(case, finding=finding)
        done.disagreements.append(found)
        report(found)


def reduced(found: Disagreement, limit: float = 60, judge: Judge = compare) -> tuple[str, Finding]:
    """A smaller program on which the front end is wrong in the same way, as far as the time goes."""
    key = _key(found.finding)
    last = found.finding

    def fails(lines: Sequence[str]) -> bool:
        nonlocal last
        program = replace(found.program, text="\n".join(lines) + "\n")
        reading = reading_of(program)
        quick = judge(program.text, (), found.data_model, reading)
        if key[0] == "crash" and _key(quick) != key:
            return False
        if key[0] != "crash" and quick.kind in ("crash", "refused"):
            return False
        [truth] = truths([program], found.data_model, careful=True)
        if truth is None:
            return False
        own = judge(program.text, truth, found.data_model, reading)
        if _key(own) != key:
            return False
        last = own
        return True

    start: Sequence[str] = found.program.text.splitlines()
    lines = smallest(start, fewer_lines, fails, seconds(limit))
    return "\n".join(lines), last


def _key(finding: Finding) -> tuple[str, str]:
    detail = ""
    if finding.kind == "crash":
        detail = finding.detail.split(":")[0] + finding.detail[finding.detail.rfind("(") :]
    if finding.kind == "undefined":
        detail = re.sub(r"\d+", "", finding.detail.split(" after ")[0])
    return finding.kind, detail


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.stepwise", description=__doc__)
    parser.add_argument("--generator", choices=[*GENERATORS, "all"], default="all")
    parser.add_argument("--count", type=int, default=200, help="programs, of each generator")
    parser.add_argument("--seed", type=int, default=1, help="of the first program")
    parser.add_argument("--model", choices=MODELS, action="append", help="a data model; all that can be built")
    parser.add_argument("--reduce", type=float, default=60, metavar="SECONDS", help="for each disagreement")
    parser.add_argument("--careful", action="store_true", help="ask the sanitizers about every program")
    parser.add_argument("--printed", action="store_true", help="compile what the front end prints, execute no model")
    parser.add_argument("--failures", type=Path, help="directory for the programs that disagree")
    parser.add_argument("--show", action="store_true", help="print the first program and end")
    options = parser.parse_args(arguments)
    chosen = list(GENERATORS) if options.generator == "all" else [options.generator]
    if options.show:
        print(GENERATORS[chosen[0]](options.seed).text)
        return 0
    if not available("LP64"):
        parser.error("gcc for Linux on x86-64 is needed")
    models = options.model or [m for m in MODELS if available(m)]

    def report(found: Disagreement) -> None:
        text, finding = found.program.text, found.finding
        if options.reduce:
            judge = compare_printed if options.printed else JUDGES.get(found.generator, compare)
            text, finding = reduced(found, options.reduce, judge)
        stem = f"{found.generator}-{found.seed}-{found.data_model}"
        print(f"==== {stem}: {found.finding.kind}: {found.finding.detail}", flush=True)
        print(f"---- reduced: {finding.detail}\n{text}\n", flush=True)
        if options.failures:
            options.failures.mkdir(parents=True, exist_ok=True)
            (options.failures / f"{stem}.c").write_text(found.program.text)

    wrong = 0
    for name in chosen:
        started = time.monotonic()
        done = Campaign()
        for start in range(options.seed, options.seed + options.count, SHOWN_AFTER):
            seeds = range(start, min(start + SHOWN_AFTER, options.seed + options.count))
            campaign(name, seeds, models, report, options.careful, done, options.printed)
            spent = time.monotonic() - started
            print(f"{name}: {done} in {spent:.0f} s", flush=True)
        wrong += len(done.disagreements)
        for reason, count in done.reasons.most_common(12):
            print(f"{count:7} refused: {reason}")
        if done.discarded:
            print(f"  discarded: {done.discarded[:20]}")
            print("\n".join(complaint[:1200] for complaint in done.complaints[:4]), file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
