"""What the two tables of [Subsumer] (*Subsumer-First: Steering Symbolic Reachability Analysis*) share: models, columns,
measuring, and the summary.

Each run is a process of its own. Its seconds are those of the processor in the loop, and in the process that finds
interpolants: start-up, reading and certification are left out. The limit, too, is one of the processor's seconds: what
else the machine does is of no matter. Means and medians are over the models that need a second or more, those whose
full loop, breadth-first as the paper describes it, takes that long. Columns:

    append   breadth-first as the paper describes it: a new state is appended, and all that waits is explored
    keep     breadth-first as Argosy does it: what waits is not explored if something covers it by then
    first    subsumer-first
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from fnmatch import fnmatch
from math import ceil
from pathlib import Path
from statistics import mean, median
from typing import Any

from collection import PROGRAMS as C_PROGRAMS
from collection import add_bench, checked, whereabouts

ROOT = Path(__file__).resolve().parent.parent
MODELS = ROOT / "examples" / "armc"
COLUMNS = ("append", "keep", "first")
LEAST = 1.0
# On a machine that does much else, a second of the processor may take this many.
PATIENCE = 30.0

# Fixed before anything was measured: all of one kind, or the first of it, from small to large.
PROGRAMS = (
    *(f"abe/locks/test_locks_{n}.c" for n in (5, 6, 7, 8)),
    *(f"abe/ssh-simplified/s3_clnt_{n}.cil.c" for n in (1, 2, 3, 4)),
    *(f"abe/ssh-simplified/s3_srvr_{n}.cil.c" for n in (1, 2, 3)),
    "abe/ntdrivers-simplified/kbfiltr_simpl1.cil.c",
    "abe/ntdrivers-simplified/floppy_simpl3.cil.c",
    "theta/loops/count_up_down-1.c",
    "theta/loops/trex02-1.c",
    *(f"theta/loops/{name}.i" for name in ("count_by_2", "cggmp2005b", "css2003", "half", "hhk2008")),
)


@dataclass(frozen=True, slots=True)
class Run:
    """One row of the CSV file. ``queries`` are entailment queries, one for each predicate that a solver was asked of;
    ``states`` were expanded."""

    table: str
    model: str
    column: str
    limit_s: float
    verdict: str
    reason: str
    seconds: float
    queries: int
    cached: int
    states: int
    nodes: int
    refinements: int
    predicates: int

    @property
    def done(self) -> bool:
        return self.verdict in ("safe", "unsafe")


def arguments(title: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=title)
    parser.add_argument("--models", metavar="GLOB", default="*", help="only those with such a name")
    parser.add_argument("--files", nargs="+", type=Path, metavar="FILE", help="these instead of examples/armc")
    parser.add_argument("--programs", action="store_true", help="the list of C programs instead, from --bench")
    add_bench(parser)
    parser.add_argument("--columns", metavar="A,B", default=",".join(COLUMNS), help="only these")
    parser.add_argument("--options", metavar="A=B,C=D", default="", help="further options of the strategy armc-bfs")
    parser.add_argument("--limit", type=float, metavar="S", default=300.0, help="processor seconds for each run (300)")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write results here; those that it has are kept")
    return parser.parse_args()


def inputs(options: argparse.Namespace) -> list[Path]:
    """The safe models: a fixpoint is what is compared."""
    if options.files:
        return list(options.files)
    if options.programs:
        folder = whereabouts(options.bench, C_PROGRAMS, "without --programs the examples are measured")
        found = checked(folder, C_PROGRAMS, PROGRAMS, options.any_version)
    else:
        with (MODELS / "index.csv").open(newline="") as file:
            found = [MODELS / row["file"] for row in csv.DictReader(file) if row["expected"] == "safe"]
    return [path for path in found if fnmatch(path.stem, options.models)]


def measure(
    table: str, path: Path, column: str, options: argparse.Namespace, *, again: bool = False, **choices: str
) -> Run:
    """One run, in a process of its own; ``again``: even if its result is in the CSV file."""
    known = {(r.table, r.model, r.column, r.limit_s): r for r in _read(options.csv)}
    key = (table, path.stem, column, options.limit)
    if again or key not in known:
        given = dict(pair.split("=", 1) for pair in options.options.split(",") if pair)
        chosen = {**given, "subsumption": column, **choices}
        order = json.dumps({"path": str(path), "limit": options.limit, "options": chosen})
        command = [sys.executable, __file__, order]
        found: dict[str, object] = {}
        try:
            ran = subprocess.run(command, capture_output=True, text=True, timeout=options.limit * PATIENCE)
            lines = [line for line in ran.stdout.splitlines() if line.startswith("{")]
            if ran.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
                found = {"reason": "time limit"}
            else:
                found = json.loads(lines[-1]) if lines else {"reason": ran.stderr.strip()[-200:]}
        except subprocess.TimeoutExpired:
            found = {"reason": "time limit"}
        defaults = {f.name: "unknown" if f.name == "verdict" else "" if f.type == "str" else 0 for f in fields(Run)}
        row = {**defaults, **found, "table": table, "model": path.stem, "column": column, "limit_s": options.limit}
        known[key] = run = Run(**row)
        _append(options.csv, run)
    run = known[key]
    print(f"{run.model} {run.column}: {run.verdict} {run.reason} {run.seconds:.2f} s", file=sys.stderr, flush=True)
    return run


def one(order: str) -> None:
    """Run the analysis in this process, and print what it took."""
    from argosy.backends import verification as pipeline
    from argosy.basics.budget import CLOCK
    from argosy.engine import engine
    from argosy.logic.solver import Counters
    from argosy.logic.solvers import Solvers
    from argosy.logic.terms import Terms
    from argosy.session.run import decide
    from argosy.session.task import Task

    wanted = json.loads(order)
    resource.setrlimit(resource.RLIMIT_CPU, (ceil(wanted["limit"]), ceil(wanted["limit"]) + 5))
    task = Task.of(
        wanted["path"],
        strategy="armc-bfs",
        options=wanted["options"],
        arithmetic=None if wanted["path"].endswith(".armc") else "int",
        time_limit=wanted["limit"] * PATIENCE,
        certify=False,
    )
    Solvers(Terms(), Counters()).create("abstraction", "int")  # so that its package is there
    seconds = 0.0

    def timed(*arguments: Any) -> Any:
        nonlocal seconds
        # The clock of budgets: the process that computes interpolants is charged to it.
        before = CLOCK()
        try:
            return engine.check(*arguments)
        finally:
            seconds += CLOCK() - before

    vars(pipeline)["check"] = timed
    result = decide(task).result
    counts = result.statistics
    print(
        json.dumps(
            {
                "verdict": result.verdict,
                "reason": result.reason or "",
                "seconds": round(seconds, 3),
                "queries": counts["entailment_queries"],
                "cached": counts["cached_entailments"],
                "states": counts["explored_states"],
                "nodes": counts["nodes"],
                "refinements": counts["refinements"],
                "predicates": counts["predicates"],
            }
        ),
        flush=True,
    )
    os._exit(0)


def _read(path: Path | None) -> list[Run]:
    if path is None or not path.exists():
        return []
    readers: dict[str, Callable[[str], object]] = {"int": int, "float": float}
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    try:
        return [Run(**{f.name: readers.get(str(f.type), str)(row[f.name]) for f in fields(Run)}) for row in rows]  # type: ignore[arg-type]
    except (KeyError, ValueError):
        raise SystemExit(f"{path}: no file of results of this experiment") from None


def _append(path: Path | None, run: Run) -> None:
    if path is None:
        return
    fresh = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.writer(file)
        if fresh:
            writer.writerow([f.name for f in fields(Run)])
        writer.writerow([getattr(run, f.name) for f in fields(Run)])


# ---- the table ----------------------------------------------------------------------------------------------


def reduction(base: float, better: float) -> float:
    """In per cent, as the paper has it."""
    return 100 * (base - better) / base if base else 0.0


def present(
    title: str, runs: Sequence[Run], columns: Sequence[str], full: bool, paper: str, loops: Sequence[Run] = ()
) -> None:
    """``loops`` are the full loops that tell which models count (none: all do)."""
    small = {run.model for run in loops if run.done and run.seconds < LEAST}
    found = {(run.model, run.column): run for run in runs}
    head = f"{'model':22}{'column':9}{'s':>9}{'queries':>10}{'cached':>9}{'states':>8}"
    head += f"{'iterations':>11}{'predicates':>11}" if full else ""
    print(title, "", head, "-" * len(head), sep="\n")
    for model in dict.fromkeys(run.model for run in runs):
        for column in columns:
            run = found[model, column]
            row = f"{f'({model})' if model in small else model:22}{column:9}"
            if run.done:
                row += f"{run.seconds:9.2f}{run.queries:10}{run.cached:9}{run.states:8}"
                row += f"{run.refinements + 1:11}{run.predicates:11}" if full else ""
            else:
                row += f"  {run.reason}"
            print(row)
    for base in columns:
        if base != "first" and "first" in columns:
            print("", *_summary(base, [run for run in runs if run.model not in small]), sep="\n")
    if small:
        print("", f"(in brackets: the full loop takes less than {LEAST:.0f} s, not counted)", sep="\n")
    print("", paper.strip(), sep="\n")


def _summary(base: str, runs: Sequence[Run]) -> list[str]:
    found = {(run.model, run.column): run for run in runs}
    models = dict.fromkeys(run.model for run in runs)
    pairs = [(found[m, base], found[m, "first"]) for m in models if (m, base) in found and (m, "first") in found]
    both = [(a, b) for a, b in pairs if a.done and b.done]
    lines = [f"first against {base}: {len(both)} of {len(pairs)} models are decided by both"]
    if both:
        for name, of in (("time", "seconds"), ("queries", "queries"), ("states", "states")):
            each = [reduction(getattr(a, of), getattr(b, of)) for a, b in both]
            lines.append(f"  reduction of {name:8} mean {mean(each):6.1f} %   median {median(each):6.1f} %")
        speed = [a.seconds / b.seconds for a, b in both if b.seconds]
        lines.append(f"  speed-up              mean {mean(speed):6.2f}     median {median(speed):6.2f}")
    return lines


@contextmanager
def precisions(options: argparse.Namespace) -> Iterator[Path]:
    """Where precisions are kept: beside the CSV file, or for the length of the run."""
    if options.csv is not None:
        folder = options.csv.with_suffix(".precisions")
        folder.mkdir(exist_ok=True)
        yield folder
    else:
        with tempfile.TemporaryDirectory() as name:
            yield Path(name)


if __name__ == "__main__":
    one(sys.argv[1])
