"""What the experiments share: runs of ``argosy verify`` under limits, the paper's figures beside ours, CSV.

An experiment is a list of programs, a list of configurations (the columns) and what the paper reports for them. Every
run is a process of its own, so that one that goes wrong spoils nothing. With ``--csv`` each result is written at once,
and what the file has already is not measured again: an experiment can be stopped and continued.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fnmatch import fnmatch
from pathlib import Path
from statistics import median
from typing import Any

from collection import add_bench, checked, whereabouts

GRACE = 20.0  # argosy keeps its limits itself; a run that does not is ended after so many seconds more


@dataclass(frozen=True, slots=True)
class Program:
    """``name`` is the paper's. ``expected`` is safe, unsafe, or unknown where nobody told."""

    name: str
    path: Path
    expected: str


@dataclass(frozen=True, slots=True)
class Configuration:
    """A column: its heading and the options of ``argosy verify`` that it stands for."""

    name: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """What the paper reports for one program and one configuration, as printed there; "" where it reports nothing."""

    seconds: str = ""
    abstractions: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """What one run of ours gave; one row of the CSV file. ``seconds`` is wall-clock time, start-up included."""

    program: str
    configuration: str
    options: str
    limit_s: float
    memory_mb: int
    expected: str
    verdict: str
    reason: str
    certified: bool
    seconds: float
    cpu_s: float
    certify_s: float
    abstractions: int
    solver_checks: int
    refinements: int
    predicates: int

    @property
    def key(self) -> tuple[str, str, str, float, int]:
        return self.program, self.configuration, self.options, self.limit_s, self.memory_mb

    @property
    def wrong(self) -> bool:
        return {self.verdict, self.expected} == {"safe", "unsafe"}

    @property
    def solved(self) -> bool:
        return self.verdict in ("safe", "unsafe") and not self.wrong

    @property
    def time(self) -> str:
        """As the paper's tables have it."""
        if self.wrong:
            return "WRONG"
        if self.solved:
            return three_digits(self.seconds)
        if "memory limit" in self.reason:
            return "mo"
        return f">{self.limit_s:g}" if "time limit" in self.reason else "unknown"


@dataclass(frozen=True, slots=True)
class Experiment:
    """``programs`` finds the paper's programs in a folder, the one that ``part`` is called in the collection; ``paper``
    has its figures by program and configuration."""

    title: str
    programs: Callable[[Path], Sequence[Program]]
    part: str
    configurations: Sequence[Configuration]
    paper: Mapping[tuple[str, str], Figure]


def three_digits(seconds: float) -> str:
    """.483, 1.25, 12.5, 125, 1250: rounded to three significant digits, as in the papers."""
    digits = max(0, 3 - len(str(int(seconds)))) if seconds >= 1 else 3
    text = f"{seconds:.{digits}f}"
    return text[1:] if text.startswith("0.") else text


def arguments(experiment: Experiment) -> argparse.ArgumentParser:
    """The command line that every table has."""
    parser = argparse.ArgumentParser(description=experiment.title)
    add_bench(parser)
    parser.add_argument("--programs", metavar="GLOB", default="*", help="only those with such a name in the paper")
    parser.add_argument("--files", nargs="+", type=Path, metavar="FILE", help="these instead of the paper's programs")
    parser.add_argument(
        "--configurations", metavar="A,B", help="only these of " + ", ".join(c.name for c in experiment.configurations)
    )
    parser.add_argument("--limit", type=float, metavar="S", default=120.0, help="seconds for each run (120)")
    parser.add_argument("--memory", type=int, metavar="MB", default=4096, help="megabytes for each run (4096)")
    parser.add_argument("--options", metavar="TEXT", default="", help="further options of argosy verify")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write results here; those that it has are kept")
    return parser


def measure(experiment: Experiment, options: argparse.Namespace) -> list[Run]:
    """All runs, program by program. SystemExit, with a message, for what a user can put right."""
    chosen = experiment.configurations
    if options.configurations is not None:
        wanted = options.configurations.split(",")
        unknown = set(wanted) - {c.name for c in chosen}
        if unknown:
            raise SystemExit(f"no such configuration: {', '.join(sorted(unknown))}")
        chosen = [c for c in chosen if c.name in wanted]
    programs = _programs(experiment, options)
    known = {run.key: run for run in _read(options.csv)} if options.csv is not None else {}
    runs = []
    for program in programs:
        for configuration in chosen:
            words = (*configuration.options, *shlex.split(options.options))
            key = (program.name, configuration.name, shlex.join(words), options.limit, options.memory)
            run = known.get(key)
            if run is None:
                run = _run(program, configuration.name, words, options.limit, options.memory)
                if options.csv is not None:
                    _append(options.csv, run)
            print(f"{run.program}  {run.configuration}: {run.verdict} {run.time}", file=sys.stderr, flush=True)
            runs.append(run)
    return runs


def _programs(experiment: Experiment, options: argparse.Namespace) -> Sequence[Program]:
    if options.files:
        programs = [Program(path.name, path, "unknown") for path in options.files]
    else:
        folder = whereabouts(options.bench, experiment.part, "--files names others")
        programs = [p for p in experiment.programs(folder) if fnmatch(p.name, options.programs)]
        if not programs:
            raise SystemExit(f"no program of the paper is called {options.programs}")
        names = [p.path.relative_to(folder).as_posix() for p in programs]
        checked(folder, experiment.part, names, options.any_version)
    missing = [str(p.path) for p in programs if not p.path.is_file()]
    if missing:
        raise SystemExit(f"no such file: {', '.join(missing)}")
    return programs


def _run(program: Program, configuration: str, words: Sequence[str], limit: float, memory: int) -> Run:
    command = [sys.executable, "-m", "argosy", "verify", str(program.path), *words, "--quiet", "--json", "-"]
    command += ["--time-limit", f"{limit:g}", "--memory-limit", str(memory)]
    started = time.monotonic()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        output, errors = process.communicate(timeout=limit + GRACE)
    except subprocess.TimeoutExpired:
        output, errors = "", "argosy did not keep its time limit"
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    seconds = time.monotonic() - started
    if process.returncode == 1:
        raise SystemExit(errors.strip())
    result = _result(output)
    statistics = result.get("statistics", {})
    return Run(
        program.name,
        configuration,
        shlex.join(words),
        limit,
        memory,
        program.expected,
        result.get("verdict", "unknown"),
        result.get("reason") or ("" if result else errors.strip()[-200:]),
        result.get("certified", False),
        round(seconds, 3),
        statistics.get("cpu_s", 0.0),
        statistics.get("certify_s", 0.0),
        *(statistics.get(name, 0) for name in ("abstractions", "solver_checks", "refinements", "predicates")),
    )


def _result(output: str) -> dict[str, Any]:
    """The JSON that argosy printed before its verdict; nothing where it came to no result."""
    line = next((line for line in output.splitlines() if line.startswith("{")), "{}")
    result: dict[str, Any] = json.loads(line)
    return result


def _read(path: Path) -> Iterable[Run]:
    if not path.exists():
        return
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            try:
                yield Run(**{f.name: _READERS.get(str(f.type), str)(row[f.name]) for f in fields(Run)})
            except (KeyError, ValueError):
                raise SystemExit(f"{path}: no file of results of this experiment") from None


_READERS: Mapping[str, Callable[[str], Any]] = {"int": int, "float": float, "bool": lambda text: text == "True"}


def _append(path: Path, run: Run) -> None:
    names = [f.name for f in fields(Run)]
    fresh = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.writer(file)
        if fresh:
            writer.writerow(names)
        writer.writerow([getattr(run, name) for name in names])


def table(experiment: Experiment, runs: Sequence[Run]) -> str:
    """For each program the paper's figures and ours, one column for each configuration."""
    found = {(run.program, run.configuration): run for run in runs}
    chosen = [c.name for c in experiment.configurations if any(run.configuration == c.name for run in runs)]
    lines = [["program", "", *chosen]]
    for program in dict.fromkeys(run.program for run in runs):
        figures = [experiment.paper.get((program, name), Figure()) for name in chosen]
        ours = [found[program, name] for name in chosen]
        rows = [
            ("paper, s", [figure.seconds for figure in figures]),
            ("ours, s", [run.time for run in ours]),
            ("paper, abstractions", [figure.abstractions for figure in figures]),
            ("ours, abstractions", [str(run.abstractions) for run in ours]),
            ("solver checks", [str(run.solver_checks) for run in ours]),
        ]
        for label, cells in rows:
            if any(cells):
                lines.append([program, label, *(cell or "-" for cell in cells)])
                program = ""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    texts = [
        "  ".join(
            cell.ljust(w) if i < 2 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    ]
    return "\n".join([experiment.title, "", texts[0], "-" * len(texts[0]), *(text.rstrip() for text in texts[1:])])


def summary(runs: Sequence[Run]) -> str:
    """A line for each configuration: how many are solved, how many wrong, and the median time of those solved."""
    lines = []
    for name in dict.fromkeys(run.configuration for run in runs):
        own = [run for run in runs if run.configuration == name]
        solved = [run.seconds for run in own if run.solved]
        middle = f", median {three_digits(median(solved))} s" if solved else ""
        wrong = sum(run.wrong for run in own)
        lines.append(f"{name}: {len(solved)} of {len(own)} solved{middle}, {wrong} wrong")
    return "\n".join(lines)


def present(experiment: Experiment, options: argparse.Namespace) -> list[Run]:
    """Measure, and print the table."""
    runs = measure(experiment, options)
    print(table(experiment, runs), summary(runs), sep="\n\n")
    return runs
