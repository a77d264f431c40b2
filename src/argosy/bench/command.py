"""``argosy bench``: what users type, what they see, and the exit code.

| exit code | meaning |
|---|---|
| 0 | everything is measured, and no verdict is wrong |
| 10 | everything is measured, and a verdict contradicts what was expected or another verdict |
| 5 | stopped before everything was measured; the same command goes on from there |
| 1, 2, 6 | wrong usage; tasks that cannot be read; a fault of the program |

The last line on standard output says how many were solved.
"""

from __future__ import annotations

import argparse
import os
import select
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from argosy.basics.errors import UsageError
from argosy.bench.display import Lines, Silence, StudyDisplay, Tally, Terminal, complaint
from argosy.bench.matrix import matrix, split_strategies, split_values
from argosy.bench.output import write
from argosy.bench.records import Run, RunRecord
from argosy.bench.study import ARGOSY, JOURNAL, WARM_ARGOSY, Executor, RunLimits, Study, carry_out, patience
from argosy.bench.summary import ALL, VIRTUAL_BEST, StudySummary
from argosy.bench.tasks import read_tasks
from argosy.report.console import Paint, table
from argosy.session.task import check_positive
from argosy.session.watch import interruptions
from argosy.strategies import option_names

COMPLETE = 0
STOPPED = 5
WRONG_VERDICT = 10

_REFRESH_S = 60.0
_NAMES = option_names()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "tasks", nargs="+", metavar="TASKS", help="an index.csv, a folder, .set and .yml files, programs or networks"
    )
    chosen = parser.add_argument_group("which tasks")
    chosen.add_argument(
        "--where", metavar="COLUMN=A,B", action="append", default=[], help="only rows of an index with such a value"
    )
    chosen.add_argument("--sample", metavar="N", type=int, help="only N of the tasks, always the same")
    chosen.add_argument("--property", metavar="unreach-call|no-overflow|FILE.prp", help="what to verify")
    limits = parser.add_argument_group("limits of each run")
    limits.add_argument("--time-limit", metavar="S", type=float, default=60.0, help="seconds of processor time (60)")
    limits.add_argument(
        "--wall-limit", metavar="S", type=float, help="seconds on the clock (10 more than 1.5 times the time limit)"
    )
    limits.add_argument("--memory-limit", metavar="MB", type=int, default=4000, help="megabytes (4000)")
    running = parser.add_argument_group("running and writing")
    running.add_argument(
        "--jobs", metavar="N", type=int, help="runs at a time (1; on a cluster, one for each processor)"
    )
    running.add_argument("--cluster", metavar="ADDRESS", help="run on the Ray cluster there ('auto' finds one)")
    running.add_argument("--out", metavar="DIR", default="results/bench", help="where results go (results/bench)")
    running.add_argument("--title", metavar="TEXT", help="the heading of the page")
    running.add_argument("--benchexec", action="store_true", help="write BenchExec's XML too, for table-generator")
    running.add_argument("--options", metavar="TEXT", default="", help="further options of argosy verify")
    running.add_argument("--argosy", metavar="COMMAND", help="another argosy than this one, to compare versions")
    running.add_argument(
        "--warm",
        action="store_true",
        help="fork runs off a process that has everything loaded: a fifth of a second less each, which is not measured",
    )
    running.add_argument("--quiet", action="store_true", help="print the last line only")
    strategies = parser.add_argument_group(
        "the matrix", "Every strategy with every combination of values; 'argosy strategies' explains them."
    )
    strategies.add_argument(
        "--strategies",
        metavar="A,B",
        action="append",
        help="names, or names with options of their own, explicit:search=dfs:prune=full (auto)",
    )
    for name in _NAMES:
        strategies.add_argument(f"--{name}", metavar="A,B", action="append", help=f"values of {name}")


def run(options: argparse.Namespace) -> int:
    """The whole command. Raises ``UsageError`` and ``InputError``."""
    paint = Paint.of(sys.stdout)
    study, impossible = study_of(options)
    if not options.quiet:
        for line in impossible:
            print(f"left out: {line}", file=sys.stderr)
    check_positive("jobs", options.jobs)
    try:
        os.makedirs(options.out, exist_ok=True)
        open(os.path.join(options.out, JOURNAL), "a").close()
    except OSError as error:
        raise UsageError(f"--out: cannot write to {options.out}: {error.strerror}") from None
    if options.warm and (options.argosy or options.cluster):
        raise UsageError("--warm is for this argosy on this machine, not with --argosy or --cluster")
    jobs, executor = _executor(options)
    tally = Tally(jobs)
    records = measure(study, Path(options.out), executor, _display(options, tally), benchexec=options.benchexec)
    summary = StudySummary(study.tasks, study.configurations, records)
    if not options.quiet:
        for line in report(summary, paint):
            print(line)
        starved = summary.starved(study.limits.cpu_s)
        if starved:
            print(
                f"\n{starved} of the runs ended at {study.limits.wall_s:g} s on the clock with less than half of their "
                "processor time:\nthe machine was busy. Measure again with a larger --wall-limit or fewer --jobs."
            )
        if tally.own:
            print(f"\nThe bench itself took {sum(tally.own) / len(tally.own):.2f} s per run.")
        print(f"Results are in {os.path.join(options.out, 'results.csv')}, the page is {_page(options.out)}")
    return _end(summary, len(study.runs()), paint)


def study_of(options: argparse.Namespace) -> tuple[Study, Sequence[str]]:
    """What is asked for, and a line for each combination that is impossible."""
    for name, limit in (
        ("time-limit", options.time_limit),
        ("wall-limit", options.wall_limit),
        ("memory-limit", options.memory_limit),
        ("sample", options.sample),
    ):
        check_positive(name, limit)
    strategies = [item for text in options.strategies or ["auto"] for item in split_strategies(text)]
    given = {name: getattr(options, name.replace("-", "_")) for name in _NAMES}
    lists = {n: [v for text in texts for v in split_values(n, text)] for n, texts in given.items() if texts}
    chosen = matrix(strategies, lists)
    where: dict[str, list[str]] = {}
    for condition in options.where:
        column, equals, values = condition.partition("=")
        if not equals:
            raise UsageError(f"--where is COLUMN=A,B, not {condition}")
        where.setdefault(column, []).extend(values.split(","))
    tasks = read_tasks(options.tasks, where=where, sample=options.sample, property=options.property)
    if not tasks:
        raise UsageError("no tasks" + (" are left by --where" if where else ""))
    study = Study(
        options.title or "Argosy bench",
        tasks,
        chosen.configurations,
        RunLimits(options.time_limit, options.wall_limit or patience(options.time_limit), options.memory_limit),
        tuple(shlex.split(options.options)),
        tuple(shlex.split(options.argosy)) if options.argosy else WARM_ARGOSY if options.warm else ARGOSY,
    )
    if not study.runs():
        raise UsageError("none of the strategies is for any of the tasks (networks have strategies of their own)")
    return study, chosen.impossible


def measure(
    study: Study, out: Path, executor: Executor, display: StudyDisplay, *, benchexec: bool = False
) -> Sequence[RunRecord]:
    """Measure what is missing in ``out``, and write the results there, now and then and at the end. Ctrl-C stops it;
    what was running then is not counted."""
    with interruptions() as interrupted:
        page = _Refresh(display, study, out)
        try:
            records = carry_out(study, out, executor, page, lambda: bool(select.select([interrupted], [], [], 0)[0]))
        finally:
            display.close()
    write(study, records, out, benchexec=benchexec)
    return records


def report(summary: StudySummary, paint: Paint) -> Iterator[str]:
    """Wrong verdicts first, then a line for each configuration."""
    for record in summary.wrong:
        yield paint(complaint(record), 1, 31)
    for name, (safe, unsafe) in summary.contradictions().items():
        yield paint(f"CONTRADICTION: {name} is safe for {', '.join(safe)}, unsafe for {', '.join(unsafe)}", 1, 31)
    yield ""
    rows = []
    for label, cells in summary.heatmap().items():
        every = cells[ALL]
        of_categories = [str(cells[category].solved) for category in summary.categories]
        figures = [f"{every.cpu_s:.1f} s", f"{every.memory_mb:.0f} MB", str(every.wrong)]
        if label != VIRTUAL_BEST or len(summary.configurations) > 1:
            rows.append([label, *of_categories, f"{every.solved} of {every.tasks}", *figures])
    titles = ["configuration", *summary.categories, "solved", "time", "memory", "wrong"]
    yield from table(titles, rows, paint, verbose=1)


def _end(summary: StudySummary, runs: int, paint: Paint) -> int:
    done, wrong = len(summary.records), len(summary.wrong)
    solved = sum(record.success for record in summary.records)
    contradictions = summary.contradictions()
    line = f"solved {solved} of {runs} runs, wrong {wrong}"
    if done < runs:
        line += f", {runs - done} not measured: the same command goes on from there"
    print(paint(line, 1, 31 if wrong or contradictions else 33 if done < runs else 32))
    sys.stdout.flush()
    if done < runs:
        return STOPPED
    return WRONG_VERDICT if wrong or contradictions else COMPLETE


def _executor(options: argparse.Namespace) -> tuple[int, Executor]:
    if options.cluster is not None:
        from argosy.bench.cluster import Cluster

        cluster = Cluster(options.cluster, options.jobs, options.memory_limit)
        return cluster.jobs, cluster
    from argosy.bench.local import Local

    jobs = options.jobs or 1
    return jobs, Local(jobs, options.warm)


def _display(options: argparse.Namespace, tally: Tally) -> StudyDisplay:
    if options.quiet:
        return Silence(tally)
    if sys.stderr.isatty():
        return Terminal(sys.stderr, tally, Paint.of(sys.stderr))
    return Lines(sys.stderr, tally)


def _page(out: str) -> str:
    return os.path.join(out, "index.html")


class _Refresh:
    """Passes on what happens to a display, and writes the results again every minute, for who looks at the page."""

    def __init__(self, display: StudyDisplay, study: Study, out: Path) -> None:
        self._display = display
        self._study = study
        self._out = out
        self._records: list[RunRecord] = []
        self._due = time.monotonic() + _REFRESH_S

    def begin(self, done: Sequence[RunRecord], remaining: Sequence[Run]) -> None:
        self._records.extend(done)
        self._display.begin(done, remaining)

    def started(self, run: Run) -> None:
        self._display.started(run)

    def finished(self, record: RunRecord, own_s: float) -> None:
        self._records.append(record)
        self._display.finished(record, own_s)

    def lost(self, run: Run, reason: str) -> None:
        self._display.lost(run, reason)

    def tick(self) -> None:
        self._display.tick()
        if time.monotonic() >= self._due:
            begun = time.monotonic()
            write(self._study, self._records, self._out)
            # A page of many thousand runs takes a while; it gets a fiftieth of the time.
            self._due = time.monotonic() + max(_REFRESH_S, 50 * (time.monotonic() - begun))
