"""Programs as people wrote them, compiled and as the model that the front end makes of them, compared step by step.

Every call of ``__VERIFIER_nondet_...`` becomes a marker: before the choice, a checksum of the integers among the
globals is shown. What gcc -O0 and clang -O2 show for a sequence of inputs, and how a run ends, the model's execution
shows as well, unless it comes to something that it says is not modelled.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from argosy.basics.errors import InputError, UnsupportedError
from argosy.certify.interpreter import Interpreter
from argosy.frontends.c.elaborate.program import Elaboration
from argosy.frontends.c.load import load
from argosy.frontends.c.source import parse
from argosy.frontends.c.stack import on_own_stack
from argosy.frontends.c.symbols import Object, Unit
from argosy.frontends.c.types import Array, Integer, StructureType, Type, data_model
from argosy.logic.terms import Terms
from argosy.models.cfa import Reading
from tests.fuzz.compiled import CLANG, GCC, INPUTS, SHOWN
from tests.fuzz.execution import DEEPEST, SEQUENCES, Execution, execute

RUNTIME = Path(__file__).with_name("executed.c")
FLAGS = (
    "-std=gnu11", "-w", "-fwrapv", "-fno-strict-aliasing", "-fno-builtin", "-lm",
    "-Wl,--unresolved-symbols=ignore-all", "-no-pie", "-fno-pie",
)  # fmt: skip
SANITIZERS = ("gcc", "-O0", "-fsanitize=undefined,address", "-fno-sanitize-recover=all", "-static-libasan")
_CHOICE = re.compile(r"\b__VERIFIER_nondet_(\w+)\b")
_ERROR = re.compile(r"\b((?:reach_error|__VERIFIER_error)\s*\(\s*(?:void)?\s*\)\s*\{)")
_TYPES = {
    "bool": "_Bool", "char": "char", "uchar": "unsigned char", "short": "short", "ushort": "unsigned short",
    "int": "int", "uint": "unsigned", "unsigned": "unsigned", "unsigned_int": "unsigned", "long": "long",
    "ulong": "unsigned long", "longlong": "long long", "ulonglong": "unsigned long long", "size_t": "unsigned long",
    "loff_t": "long long", "u8": "unsigned char", "u16": "unsigned short", "u32": "unsigned",
    "u64": "unsigned long long", "pointer": "void *",
}  # fmt: skip
ELEMENTS = 16
SHOWN_GLOBALS = 400


@dataclass(frozen=True, slots=True)
class Judgement:
    """``kind``: same, refused, not run (compilers refuse it, differ, or it shows nothing and ends nowhere), different;
    ``steps`` that were compared."""

    kind: str
    said: str = ""
    steps: int = 0


def instrumented(path: Path, text: str, data: str = "LP64") -> str | None:
    """The program with a marker at each choice; None where it defines the choices itself."""
    names = sorted(set(_CHOICE.findall(text)))
    if any(name not in _TYPES for name in names):
        return None
    if re.search(r"\b__VERIFIER_nondet_\w+\s*\([^()]*\)\s*\{", text):
        return None
    shown = "".join(f"  h = h * 31u + (unsigned)({place});\n" for place in _integers(path, text, data))
    choices = "".join(
        f"{_TYPES[n]} __VERIFIER_nondet_{n}(void);\n"
        f"{_TYPES[n]} marked_{n}(void) {{ show_globals(); return __VERIFIER_nondet_{n}(); }}\n"
        for n in names
    )
    head = "unsigned seen; static void show_globals(void);\n"
    marked = _CHOICE.sub(r"marked_\1", text)
    return f"{head}{marked}\nstatic void show_globals(void) {{ unsigned h = 7;\n{shown}{SHOWN} }}\n{choices}"


def _integers(path: Path, text: str, data: str) -> list[str]:
    def read() -> list[str]:
        syntax = parse(str(path), data, text)
        unit = Unit(str(path), Terms(), data_model(data), syntax.lexed)
        Elaboration(syntax, unit, "main")
        objects = (s for s in unit.scopes.globals() if isinstance(s, Object) and s.defined)
        return [part for symbol in objects for part in _parts(symbol.name, symbol.type)]

    return on_own_stack(str(path), read)[:SHOWN_GLOBALS]


def _parts(name: str, type_: Type) -> Iterator[str]:
    match type_:
        case Integer():
            yield name
        case Array(element, int(length)):
            for index in range(min(length, ELEMENTS)):
                yield from _parts(f"{name}[{index}]", element)
        case StructureType(kind="struct", members=list(members)):
            for member, own in members:
                if member:
                    yield from _parts(f"{name}.{member}", own)


def compiled_runs(text: str, compiler: tuple[str, ...], beside: Path) -> list[Execution] | str:
    """The executions; what the compiler says where it refuses."""
    shows = text.replace(SHOWN, f"{SHOWN} recorded(seen);")
    shows = "void recorded(unsigned); void entered_error(void);\n" + _ERROR.sub(r"\1 entered_error();", shows)
    with tempfile.TemporaryDirectory() as folder:
        program, runtime, executable = (Path(folder) / name for name in ("program.c", "runtime.c", "program"))
        program.write_text(shows, encoding="utf-8", errors="surrogateescape")
        runtime.write_text(INPUTS + RUNTIME.read_text())
        command = [*compiler, f"-I{beside}", str(program), str(runtime), *FLAGS, "-o", str(executable)]
        built = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120, check=False)
        if built.returncode != 0:
            return next((line for line in built.stderr.splitlines() if "error" in line), built.stderr[:200])
        return [_run(executable, sequence) for sequence in range(SEQUENCES)]


def _run(executable: Path, sequence: int) -> Execution:
    environment = {**os.environ, "SEQUENCE": str(sequence), "ASAN_OPTIONS": "detect_leaks=0:handle_segv=0"}
    try:
        ran = subprocess.run(
            [str(executable)], stdin=subprocess.DEVNULL, capture_output=True, timeout=20, check=False,
            env=environment, cwd=executable.parent,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return Execution((), "late")
    last = ran.stdout.rsplit(b"\n", 2)[-2:-1]
    words = last[0].decode(errors="replace").split() if last else []
    if not words or words[0] not in ("ended", "late", "crashed", "error"):
        return Execution((), "crashed")
    return Execution(tuple(map(int, words[1:])), words[0])


def judge(path: Path, data: str = "LP64") -> Judgement:
    original = path.read_text(encoding="utf-8", errors="surrogateescape")
    try:
        text = instrumented(path, original, data)
        if text is None:
            return Judgement("not run", "it defines what is chosen, or chooses what is no number")
        interpreter = Interpreter(
            load(str(path), text=text, terms=Terms(), data_model=data, volatile="plain", deepest=DEEPEST).cfa,
            Reading.WRAP,
        )
    except (InputError, UnsupportedError) as refused:
        return Judgement("refused", str(refused))
    opinions = [compiled_runs(text, compiler, path.parent) for compiler in (GCC, CLANG)]
    steps = 0
    for sequence in range(SEQUENCES):
        truths = [runs[sequence] for runs in opinions if not isinstance(runs, str)]
        if not truths:
            return Judgement("not run", str(opinions[0]))
        said, same = _difference(interpreter, sequence, truths)
        if said:
            sanitized = compiled_runs(text, SANITIZERS, path.parent)
            if not isinstance(sanitized, str) and sanitized[sequence].ending == "crashed":
                return Judgement("not run", f"undefined in C: {said}")
            return Judgement("different", f"sequence {sequence}: {said}", steps)
        steps += same
    return Judgement("same", steps=steps)


def _difference(interpreter: Interpreter, sequence: int, truths: list[Execution]) -> tuple[str, int]:
    """How the model's execution differs from what each compiler shows; how many steps were the same."""
    found, known = (_markers(execute(interpreter, sequence, modelled)) for modelled in (False, True))
    said = ""
    for truth in truths:
        length = min(len(found.seen), len(truth.seen))
        same = next((i for i in range(length) if found.seen[i] != truth.seen[i]), length)
        if known.ending == "open" and same >= len(known.seen):  # what comes then is not modelled
            return "", same
        open_end = found.ending == "endless" or truth.ending in ("late", "crashed")
        if same == length and (open_end or (_end(found) == truth.ending and len(found.seen) == len(truth.seen))):
            return "", same
        ends = f"{found.ending or 'ends'} after {len(found.seen)}, not {truth.ending} after {len(truth.seen)}"
        said = f"{ends}, the same up to step {same} ({len(known.seen)} are modelled)"
    return said, 0


def _markers(found: Execution) -> Execution:
    """Without the value at the start."""
    return Execution(found.seen[1:], found.ending)


def _end(found: Execution) -> str:
    return "ended" if found.ending in ("", "stops") else found.ending.split(":")[0]
