"""Mutants of real inputs: whatever a file holds, a run ends with an answer, in time.

Each mutant is read and decided in a process that is forked once and kept, because starting one would cost more than
most runs take. An exception that is no answer to a user is a fault (exit code 6). A run that does not end soon, or
takes its process along, is repeated as a user would have it, under supervision: there limits hold to the second.

    python -m tests.fuzz.inputs --format c --count 2000 --seed 1
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import gc
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from pkgutil import walk_packages

import argosy
from argosy.basics.errors import InputError, UnsupportedError, UsageError

from . import controllers
from .mutation import mutated

ROOT = Path(__file__).parents[2]
PLACES = (ROOT / "examples", *(above / "shared" / "bench" for above in ROOT.parents))
LARGEST_SEED = 6_000
SHOWN_AFTER = 500

# Seconds for a run in a kept process, and when it is repeated under supervision.
QUICK, PATIENCE = 0.05, 3.0
TIME_LIMIT, MEMORY_LIMIT = 2, 1500
LATE = 1.0
ADDRESS_SPACE = 16 << 30

PROGRAM = b"""extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) { int x = 0, n = __VERIFIER_nondet_int(); while (x < n) x++; if (x < 0) reach_error(); return 0; }
"""
DEFINITION = b"""format_version: '2.0'
input_files: 'program.c'
properties:
  - property_file: unreach-call.prp
    expected_verdict: true
options:
  language: C
  data_model: ILP32
"""
PROPERTY = b"CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
PRECISIONS = (
    b"""; a loop
(arithmetic int)
(everywhere (<= |main::x| |main::n|) (not (= |main::x| 3)))
(everywhere (and (>= (+ |main::x| (* 2 |main::n|)) (- 1)) (or (< |main::x| |main::n|) true)))
(in main (>= |main::n| 0) (= (mod |main::x| 2) (ite (< |main::n| 0) 1 0)))
(line 3 (let ((y (+ |main::x| 1))) (< y |main::n|)))
""",
    b"(arithmetic bits)\n(everywhere (bvsle |main::x| |main::n|) (= |main::x| #x00000003))\n"
    b"(in main (bvslt (bvadd |main::x| (_ bv1 32)) |main::n|) (= ((_ extract 7 0) |main::n|) #b00000001))\n",
    b"(in main (< (- |main::n| |main::x|) 7) (=> (= |main::x| 0) (distinct |main::n| 1 2)))\n",
)
INDEX = b"file,category,property,expected,data_model\nprogram.c,loops,unreach-call,true,ILP32\ntask.yml,,,false,LP64\n"

AUTOMATON = b"""var g : [int] -> bv[4]
main process p { var x : int var f : fp[5:11] init loc A loc B final loc C error loc E
  A -> B { x := (-7 rem 3) mod 2  g := [0 <- 4'd1, default <- 4'b0000]  f := 5'd15.10'd0 fpadd[RNE] 5'd16.10'd0 }
  B -> B { assume x < 5 and not (g[x] bvult 4'd0)  x := if x = 3 then 5 else x + 1  havoc f }
  B -> E { assume x >= 5 imply 1 % 2 > 1 % 3 } }
"""
STATECHART = b"""type M : { ON, OFF } ctrl var m : M = OFF var x : integer = 0 var a : [integer] -> M
trans { assume m == OFF; m := ON; } or { choice { x := x % 4 + 1; } or { havoc m; a[x] := m; }
  for i from 0 to 3 do x := i; }
init { if (x == 0) { local var t : integer = 2; x := t; } else m := a[1]; } env { }
prop { x < 9 => m != M.ON || x >= 0 }
"""

CIRCUIT = b"aig 5 1 2 0 2 1 1\n8 1\n11 6\n10\n3\n\x02\x02\x02\x05i0 go\nl0 ready\nb0 done\nc\na comment\n"

# By format: the suffixes of real files, and texts of our own.
FORMATS: Mapping[str, tuple[tuple[str, ...], tuple[bytes, ...]]] = {
    "c": ((".c", ".i"), (PROGRAM,)),
    "xml": ((".xml",), ()),
    "xta": ((".xta", ".ta"), ()),
    "armc": ((".armc", ".pl"), ()),
    "smt2": ((".smt2",), ()),
    "horn": ((".horn",), ()),
    "vmt": ((".vmt",), ()),
    "aag": ((".aag",), ()),
    "aig": ((".aig",), (CIRCUIT,)),
    "btor2": ((".btor2", ".btor"), ()),
    "cfa": ((".cfa", ".theta"), (AUTOMATON,)),
    "sts": ((".sts", ".system"), ()),
    "xsts": ((".xsts",), (STATECHART,)),
    "yml": ((".yml",), (DEFINITION,)),
    "csv": ((), (INDEX,)),
    "prp": ((), (PROPERTY, b"CHECK( init(main()), LTL(G ! overflow) )\n")),
    "precision": ((), PRECISIONS),
    "st": ((".st",), (controllers.STRUCTURED,)),
    "scl": ((".scl",), (controllers.SCL,)),
    "plcopen": ((".ld", ".xml"), (controllers.LADDER, controllers.CHART)),
    "patterns": ((), controllers.PATTERNS),
    "patterns-yaml": ((), controllers.YAML),
    "trace": ((), (controllers.TRACE,)),
}
NAMES = {
    "prp": "mutant.prp",
    "precision": "mutant.txt",
    "plcopen": "mutant.ld",
    "patterns": "mutant.json",
    "patterns-yaml": "mutant.yaml",
    "trace": "mutant.csv",
}
ALLOWED = (0, 2, 5, 10)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended: an exit code, and where it is a fault, why and where; -1 is a run that was stopped."""

    code: int
    reason: str = ""


@dataclass
class Campaign:
    """What came of many mutants. ``faults`` has one mutant for each place that failed; ``late`` those that passed the
    time limit by more than a second, under supervision."""

    codes: Counter[int] = field(default_factory=Counter)
    faults: dict[str, bytes] = field(default_factory=dict)
    repeated: int = 0
    late: list[bytes] = field(default_factory=list)

    def __str__(self) -> str:
        counts = ", ".join(f"{code}: {count}" for code, count in sorted(self.codes.items()))
        wrong = f"{len(self.faults)} faults, {self.repeated} repeated, {len(self.late)} late"
        return f"{self.codes.total()} ({counts}), {wrong}"


@functools.cache
def seeds(format: str, places: Sequence[Path] = PLACES) -> list[bytes]:
    suffixes, own = FORMATS[format]
    found = [
        path.read_bytes()
        for place in places
        if place.is_dir() and suffixes
        for path in sorted(place.rglob("*"))
        if path.suffix in suffixes and path.is_file() and path.stat().st_size <= LARGEST_SEED
    ]
    if format in ("xml", "plcopen"):  # one suffix, two formats
        found = [content for content in found if (b"plcopen.org" in content) == (format == "plcopen")]
    if format == "yml":  # what they name is not here
        found = [re.sub(rb"(?m)^input_files:.*$", b"input_files: 'program.c'", content) for content in found]
    return [*own, *found]


def mutants(format: str, numbers: Sequence[int], places: Sequence[Path] = PLACES) -> Iterator[bytes]:
    real = seeds(format, places)
    for number in numbers:
        yield mutated(real[number % len(real)], real, f"{format} {number}")


# ---- one run -------------------------------------------------------------------------------------------------


def lay_out(folder: Path, format: str, content: bytes) -> list[str]:
    """Write a mutant where a run finds it, with what belongs to it; the arguments of ``argosy`` follow."""
    for name, text in (("program.c", PROGRAM), ("task.yml", DEFINITION), ("door.st", controllers.DOOR)):
        (folder / name).write_bytes(text)
    path = folder / NAMES.get(format, f"mutant.{format}")
    path.write_bytes(content)
    match format:
        case "prp":
            return ["verify", str(folder / "program.c"), "--property", str(path)]
        case "precision":
            bits = ["--arithmetic", "bits"] if b"(arithmetic bits)" in content else []
            return ["verify", str(folder / "program.c"), "--strategy", "lbe", "--precision", str(path), *bits]
        case "xta":  # the queries stand in another file
            return ["verify", str(path), "--query", "E<> false"]
        case "csv":
            return ["bench", str(path), "--strategies", "lbe", "--out", str(folder / "out")]
        case "st" | "scl" | "plcopen":
            return ["verify", str(path), "--require", "TRUE"]
        case "patterns" | "patterns-yaml":
            return ["verify", str(folder / "door.st"), "--requirements", str(path)]
        case "trace":
            return ["simulate", str(folder / "door.st"), "--inputs", str(path)]
    return ["verify", str(path)]


def run_here(arguments: Sequence[str]) -> Ended:
    """What the command would end with, without starting it."""
    command, path, *rest = arguments
    options = {name.removeprefix("--"): value for name, value in zip(rest[::2], rest[1::2], strict=True)}
    try:
        if command == "bench":
            from argosy.bench.tasks import read_tasks

            read_tasks([path])
            return Ended(0)
        if command == "simulate":
            from argosy.cli.main import main as command_line

            with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
                return Ended(command_line(list(arguments)))
        result = argosy.verify(path, time_limit=QUICK, in_process=True, **options)  # type: ignore[arg-type]
        return Ended(result.exit_code)
    except InputError:
        return Ended(2)
    except UsageError:
        return Ended(1)
    except UnsupportedError:
        return Ended(5)
    except MemoryError:
        return Ended(-1, "memory")
    except Exception as error:  # noqa: BLE001 (a fault of any kind is what is looked for)
        return Ended(6, _place(error))


def _place(error: BaseException) -> str:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "argosy" in f.filename]
    where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno} {frames[-1].name}" if frames else "?"
    return f"{type(error).__name__} at {where}: {str(error)[:120]}"


def run_supervised(arguments: Sequence[str]) -> tuple[Ended, float]:
    """The exit code of the command itself, and by how much it passed the time limit."""
    limits = ["--time-limit", str(TIME_LIMIT), "--memory-limit", str(MEMORY_LIMIT), "--quiet"]
    started = time.monotonic()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "argosy", *arguments, *limits], capture_output=True, timeout=60, check=False
        )
    except subprocess.TimeoutExpired:
        return Ended(6, "does not end"), 60.0
    reason = done.stderr.decode(errors="replace").partition("\n")[0] if done.returncode not in ALLOWED else ""
    return Ended(done.returncode, reason), time.monotonic() - started - TIME_LIMIT


def _starting() -> float:
    """What a command takes that does nothing: on a busy machine more than the second that a limit may be passed by."""
    started = time.monotonic()
    subprocess.run([sys.executable, "-m", "argosy", "--version"], capture_output=True, timeout=60, check=False)
    return time.monotonic() - started


# ---- many runs -----------------------------------------------------------------------------------------------


def _serve(connection: Connection, format: str) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(EOFError, KeyboardInterrupt):
        while True:
            connection.send(run_here(lay_out(Path(folder), format, connection.recv())))
            gc.collect()  # managers of decision diagrams map a gigabyte each


class _Worker:
    """A forked process, and what it is busy with."""

    def __init__(self, format: str) -> None:
        context = get_context("fork")
        self.connection, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(other, format), daemon=True)
        self.process.start()
        other.close()
        self.content = b""
        self.deadline = float("inf")

    def start(self, content: bytes) -> None:
        self.content, self.deadline = content, time.monotonic() + PATIENCE
        self.connection.send(content)

    def stop(self) -> None:
        if self.process.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGKILL)
        self.process.join(5)
        self.connection.close()


def campaign(
    format: str, numbers: Sequence[int], jobs: int = 2, places: Sequence[Path] = PLACES, done: Campaign | None = None
) -> Campaign:
    """Run all mutants; those that do not end soon, or kill their process, once more under supervision. What came of
    it is added up."""
    _warm_up()
    done = done or Campaign()
    todo = mutants(format, numbers, places)
    workers = [_Worker(format) for _ in range(jobs)]
    again: list[bytes] = []
    busy: list[_Worker] = []

    def give(worker: _Worker) -> None:
        content = next(todo, None)
        if content is None:
            worker.stop()
        else:
            worker.start(content)
            busy.append(worker)

    for worker in workers:
        give(worker)
    while busy:
        ready = wait([worker.connection for worker in busy], timeout=0.5)
        for worker in list(busy):
            if worker.connection in ready:
                busy.remove(worker)
                try:
                    ended: Ended = worker.connection.recv()
                except (EOFError, ConnectionResetError):
                    again.append(worker.content)
                    worker.stop()
                    give(_Worker(format))
                    continue
                if ended.code == -1:
                    again.append(worker.content)
                else:
                    _note(done, ended, worker.content)
                give(worker)
            elif time.monotonic() > worker.deadline:
                busy.remove(worker)
                again.append(worker.content)
                worker.stop()
                give(_Worker(format))
    for content in again:
        done.repeated += 1
        with tempfile.TemporaryDirectory() as folder:
            arguments = lay_out(Path(folder), format, content)
            ended, over = run_supervised(arguments)
            if over > LATE:
                over = min(over, *(run_supervised(arguments)[1] for _ in range(2))) - _starting()
        if over > LATE:
            done.late.append(content)
        _note(done, ended, content)
    return done


def _note(done: Campaign, ended: Ended, content: bytes) -> None:
    done.codes[ended.code] += 1
    if ended.code not in ALLOWED:
        done.faults.setdefault(f"{ended.code} {ended.reason}", content)


@functools.cache
def _warm_up() -> None:
    """What every run imports is imported before the processes are forked. No solver may run here: their threads do not
    live on in a fork."""
    for module in walk_packages(argosy.__path__, "argosy."):
        if not module.name.endswith(("__main__", "_worker")):
            with contextlib.suppress(ImportError):  # what belongs to a solver that is not here
                import_module(module.name)
    # Modules are not garbage: collecting after each run looks at what the run left behind only.
    gc.collect()
    gc.freeze()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.inputs", description=__doc__)
    parser.add_argument("--format", choices=[*FORMATS, "all"], default="all", help="which files are mutated")
    parser.add_argument("--count", type=int, default=1000, help="mutants, for each format")
    parser.add_argument("--seed", type=int, default=1, help="of the first mutant")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--failures", type=Path, help="directory for the mutants that fail")
    options = parser.parse_args(arguments)
    _warm_up()
    wrong = 0
    for format in FORMATS if options.format == "all" else [options.format]:
        started = time.monotonic()
        done = Campaign()
        last = options.seed + options.count
        for start in range(options.seed, last, SHOWN_AFTER):
            campaign(format, range(start, min(start + SHOWN_AFTER, last)), options.jobs, done=done)
            print(f"{format}: {done} in {time.monotonic() - started:.0f} s", flush=True)
        found = [*done.faults.items(), *(("late", content) for content in done.late)]
        for number, (reason, content) in enumerate(found):
            wrong += 1
            print(f"  {reason} ({len(content)} bytes)", flush=True)
            if options.failures:
                options.failures.mkdir(parents=True, exist_ok=True)
                (options.failures / f"{format}-{options.seed}-{number}.{format}").write_bytes(content)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
