"""The virtual best: what ``auto`` decides and how soon, beside the best single strategy of each task.

    python experiments/virtual_best.py ../shared/bench/c/index.csv --where set=theta,abe --csv best.csv
    python experiments/virtual_best.py --csv best.csv                # the table of what was measured, nothing is run

For each task ``auto`` runs first, then one strategy after the other, each by itself. It is a race: a strategy runs for
as long as the best time so far (``--least`` at least, ``--undecided`` where nothing has decided the task yet), since
nobody who is later is the best. What is cut off is *censored*: it takes longer than that, and how much longer nobody
knows. Seconds are processor seconds of all processes of a run, certifying included, and limits are of these too, so
that a busy machine changes nothing. A program is read once, by a process that forks one for each strategy; reading
counts for each of them, starting does not. Where ``auto`` needs next to nothing after reading (``--nothing``), there is
nothing to win, and no strategy is tried.

The CSV file has a row for each run, written at once: stopped and started again, it goes on (``auto_table.py`` learns
from it). ``--sample`` takes that many tasks by a hash of their names.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

from auto_table import NAMES, look, read_features, task_of

from argosy.backends.contract import Plan
from argosy.backends.registry import KINDS
from argosy.basics.budget import CLOCK, SLOWEST, TIME_LIMIT, Budget
from argosy.basics.processes import processor_seconds
from argosy.models.features import Features
from argosy.problem.problem import Problem
from argosy.session.run import read
from argosy.session.warm import load_everything

AUTO = "auto"
SINGLE = (
    *("explicit", "kinduction", "bmc", "lbe", "explicit-all", "execution", "accelerated", "cells", "objects"),
    *("intervals", "product", "horn", "cells-horn", "polynomials", "closed-forms", "summaries"),
)
DECIDED = ("safe", "unsafe")
FEATURES = "features"
MEMORY = 4_000_000_000


@dataclass(frozen=True, slots=True)
class Run:
    """``limit`` is how long it had; ``stage`` decided, ``why`` says why it had its turn, or why nothing is decided."""

    set: str
    category: str
    model: str
    expected: str
    strategy: str
    limit: float
    verdict: str
    certified: bool
    cpu_s: float
    stage: str = ""
    why: str = ""

    @property
    def decided(self) -> bool:
        return self.verdict in DECIDED and self.certified

    @property
    def is_wrong(self) -> bool:
        return self.verdict in DECIDED and self.expected in DECIDED and self.verdict != self.expected


def sensible(features: Features) -> list[str]:
    """The strategies that are about what a model has."""
    without = set()
    if not features.loops:
        without |= {"accelerated", "execution", "intervals", "explicit-all"}
    if not features.counting:
        without |= {"polynomials", "closed-forms", "summaries"}
    if not features.accelerable:
        without.add("accelerated")
    if features.arrays:
        without.add("explicit-all")
    else:
        without |= {"cells", "cells-horn", "objects"}
    if not features.objects:
        without.add("objects")
    return [name for name in SINGLE if name not in without]


def race(
    problem: Problem,
    asked: Mapping[str, str],
    read_s: float,
    strategies: Sequence[str],
    done: Sequence[Run],
    options: argparse.Namespace,
) -> Iterator[Run]:
    """The runs of a task that are not ``done``."""
    runs = list(done)
    if not any(run.strategy == AUTO for run in runs):
        runs.append(_run(problem, asked, read_s, AUTO, options.limit))
        yield runs[-1]
    # Whatever decided it for ``auto`` sets the pace.
    [auto] = [run for run in runs if run.strategy == AUTO]
    if auto.decided and auto.cpu_s - read_s < options.nothing:
        return
    for strategy in sorted(strategies, key=lambda name: name != auto.stage):
        if any(run.strategy == strategy for run in runs):
            continue
        times = [run.cpu_s - read_s for run in runs if run.decided]
        cap = max(options.least, min(times)) if times else options.undecided
        runs.append(_run(problem, asked, read_s, strategy, min(cap, options.limit)))
        yield runs[-1]


@contextmanager
def failing(writer: int | None) -> Iterator[None]:
    """A process that fails says so, to whoever reads or to the user, and has no other end."""
    try:
        yield
    except (Exception, SystemExit) as error:  # noqa: BLE001
        what = f"{type(error).__name__}: {error}"[:200]
        if writer is None:
            print(f"left out: {what}", file=sys.stderr)
        else:
            os.write(writer, json.dumps(("failed", False, "", what)).encode())


def _run(problem: Problem, asked: Mapping[str, str], read_s: float, strategy: str, limit: float) -> Run:
    """A strategy in a process of its own."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        with failing(writer):
            # It keeps its limit itself; one that does not is ended.
            signal.setitimer(signal.ITIMER_PROF, 1.2 * limit + 1.0)
            signal.alarm(int(SLOWEST * limit) + 30)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            budget = Budget(CLOCK() + limit, None, CLOCK, time.monotonic() + SLOWEST * limit)
            [answer] = KINDS[problem.kind].backend()(problem, Plan(strategy, budget=budget))
            why = answer.reason or answer.strategy.get("why", "")
            said = (answer.verdict, answer.certificate is not None, answer.strategy.get("stage", ""), why)
            os.write(writer, json.dumps(said).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        text = file.read()
    _, status, usage = os.wait4(pid, 0)
    late = os.waitstatus_to_exitcode(status) in (-signal.SIGPROF, -signal.SIGALRM)
    ended = TIME_LIMIT if late else f"ended with {os.waitstatus_to_exitcode(status)}: perhaps out of memory"
    verdict, certified, stage, why = json.loads(text) if text else ("unknown", False, "", ended)
    cpu = round(read_s + usage.ru_utime + usage.ru_stime, 3)
    expected = "safe" if asked["expected"].lower().startswith("true") else "unsafe"
    return Run(
        asked.get("set", ""),
        asked.get("category", ""),
        asked["file"],
        expected,
        strategy,
        round(limit, 2),
        verdict,
        certified,
        cpu,
        stage,
        why,
    )


# ---- the tables -----------------------------------------------------------------------------------------------------


def best_of(runs: Iterable[Run]) -> Run | None:
    """The soonest of the single strategies; ``auto`` where none was sooner than it and what it did is one of them."""
    return min((run for run in runs if run.decided), key=lambda run: run.cpu_s, default=None)


def by_model(runs: Iterable[Run]) -> dict[str, list[Run]]:
    found: dict[str, list[Run]] = {}
    for run in runs:
        found.setdefault(run.model, []).append(run)
    return {model: each for model, each in found.items() if any(run.strategy == AUTO for run in each)}


def show(runs: Sequence[Run], worst: int) -> None:
    tasks = by_model(runs)
    print(f"{'set':<10} {'tasks':>5} {'auto':>5} {'best':>5} {'auto, s':>9} {'best, s':>9} {'ratio':>6}")
    losses = []
    for name in sorted({run.set for run in runs}):
        inside = {model: each for model, each in tasks.items() if each[0].set == name}
        autos, bests = 0, 0
        of_auto = of_best = 0.0
        for each in inside.values():
            auto = next(run for run in each if run.strategy == AUTO)
            best = best_of(each)
            autos += auto.decided
            bests += best is not None
            if best is not None and auto.decided:
                of_auto, of_best = of_auto + auto.cpu_s, of_best + best.cpu_s
            if best is not None and best is not auto:
                losses.append((auto.cpu_s - best.cpu_s, auto, best))
        ratio = of_auto / of_best if of_best else 1.0
        print(f"{name:<10} {len(inside):>5} {autos:>5} {bests:>5} {of_auto:>9.1f} {of_best:>9.1f} {ratio:>6.2f}")
    print("\nProcessor seconds on what both decide. Where auto loses most:")
    for _, auto, best in sorted(losses, key=lambda each: -each[0])[:worst]:
        how = f"{auto.cpu_s:.1f} s, {auto.stage}" if auto.decided else f"undecided after {auto.cpu_s:.1f} s"
        print(f"  {best.cpu_s:6.1f} s {best.strategy:<12} auto: {how:<28} {auto.model}")
    wrong = [run for run in runs if run.is_wrong]
    for run in wrong:
        print(f"WRONG: {run.strategy} says {run.verdict}: {run.model}")


def read_runs(path: Path) -> list[Run]:
    if not path.exists():
        return []
    with path.open(newline="") as file:
        found = []
        for row in csv.DictReader(file):
            values: dict[str, Any] = {**row, "certified": row["certified"] == "True"}
            values.update((name, float(row[name])) for name in ("limit", "cpu_s"))
            found.append(Run(**values))
        return found


def chosen(index: Path, where: Sequence[str], sample: int | None) -> list[dict[str, str]]:
    with index.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["expected"].lower().startswith(("true", "false"))]
    for each in where:
        key, _, values = each.partition("=")
        rows = [row for row in rows if row[key] in values.split(",")]
    if sample:
        rows = sorted(rows, key=lambda row: hashlib.sha1(row["file"].encode()).hexdigest())[:sample]
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("index", type=Path, nargs="?", help="index.csv of the tasks; without it nothing is run")
    parser.add_argument("--where", action="append", default=[], metavar="COLUMN=A,B", help="which tasks")
    parser.add_argument("--sample", type=int, help="so many of them, by a hash")
    parser.add_argument("--csv", type=Path, required=True, help="what was measured, and goes on being measured")
    parser.add_argument("--features", type=Path, help="what the automata look like (features.csv beside --csv)")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for auto (60)")
    parser.add_argument("--least", type=float, default=1.0, help="seconds that a strategy has at least (1)")
    parser.add_argument("--undecided", type=float, default=20.0, help="seconds where nothing has decided a task (20)")
    parser.add_argument(
        "--nothing", type=float, default=0.1, help="seconds after reading that are not worth a race (0.1)"
    )
    parser.add_argument("--only-auto", action="store_true", help="run auto and nothing else")
    parser.add_argument("--worst", type=int, default=25, help="how many losses are shown (25)")
    options = parser.parse_args()
    if options.index is not None:
        measure(options)
    show(read_runs(options.csv), options.worst)
    return 0


def measure(options: argparse.Namespace) -> None:
    place: Path = options.features or options.csv.with_name("features.csv")
    rows = chosen(options.index, options.where, options.sample)
    known = read_features(place) if place.exists() else {}
    done = by_model(read_runs(options.csv))
    load_everything()
    with options.csv.open("a", newline="") as file, place.open("a", newline="") as of_features:
        writer, features_writer = csv.writer(file), csv.writer(of_features)
        if not file.tell():
            writer.writerow([each.name for each in fields(Run)])
        if not of_features.tell():
            features_writer.writerow(["model", *NAMES])
        for number, row in enumerate(rows, 1):
            for said in apart(lambda row=row: of_task(row, done.get(row["file"], ()), options)):  # type: ignore[misc]
                if said[0] == FEATURES:
                    if row["file"] not in known:
                        features_writer.writerow([row["file"], *said[1:]])
                        of_features.flush()
                    continue
                writer.writerow(said)
                file.flush()
                run = Run(*said)
                print(
                    f"{number:>4} of {len(rows)} {run.strategy:<12} {run.verdict:<8} {run.cpu_s:6.2f} s "
                    f"{run.stage:<12} {run.model} {'' if run.decided else run.why}",
                    flush=True,
                )


def of_task(row: Mapping[str, str], done: Sequence[Run], options: argparse.Namespace) -> Iterator[Sequence[object]]:
    """The features of a task, and each run that is new."""
    before = processor_seconds()
    problem = read(task_of(options.index.parent / row["file"], row))
    read_s = processor_seconds() - before
    features = look(problem.model)
    yield [FEATURES, *(int(getattr(features, each)) for each in NAMES)]
    strategies = [] if options.only_auto else sensible(features)
    yield from (astuple(run) for run in race(problem, row, read_s, strategies, done, options))


def apart(say: Callable[[], Iterator[Sequence[object]]]) -> Iterator[list[Any]]:
    """What is said in a process of its own, line by line."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        with failing(None):
            for line in say():
                os.write(writer, (json.dumps(line) + "\n").encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as file:
        yield from map(json.loads, file)
    os.waitpid(pid, 0)


if __name__ == "__main__":
    raise SystemExit(main())
