"""What the research questions of [Theta] (*Efficient Strategies for CEGAR-based Model Checking*) share.

A question is a command line of ``argosy bench``, built from the levels of its factors (Table 3), and claims: what the
paper found, as comparisons of how many tasks were solved. After the runs each claim is said to hold here or not, with
the numbers. Whatever stands behind the options below is passed on to ``argosy bench``.

    python experiments/theta_rq4.py --jobs 2 --time-limit 20
    python experiments/theta_rq4.py --every 6 --time-limit 20     # every sixth program of each category
    python experiments/theta_rq4.py --small
"""

from __future__ import annotations

import argparse
import csv
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from collection import PROGRAMS, STOPPED, add_bench, checked, whereabouts

from argosy.cli import main as cli

ROOT = Path(__file__).resolve().parent.parent
SMALL = ROOT / "experiments" / "theta_small.csv"

# What the paper keeps fixed for programs (Table 3): the parts of its tool without what else Argosy would do.
FIXED: Mapping[str, Sequence[str]] = {"granularity": ("global",), "prune": ("lazy",)}

Levels = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Claim:
    """Configurations with the levels ``more`` solve at least as many tasks as those with ``less``, or more where it
    is ``strict``; in one category, or in all."""

    text: str
    more: Levels
    less: Levels
    category: str | None = None
    strict: bool = False

    def judge(self, rows: Sequence[Mapping[str, str]]) -> tuple[bool, int, int] | None:
        """Whether it holds, and the numbers; None where nothing was measured that it speaks about."""
        mine = [row for row in rows if self.category in (None, row["category"])]
        more, less = (_matching(mine, levels) for levels in (self.more, self.less))
        if not more or not less:
            return None
        a, b = (sum(row["success"] == "true" for row in side) for side in (more, less))
        return (a > b if self.strict else a >= b), a, b


@dataclass(frozen=True, slots=True)
class Question:
    """``factors`` are varied, in the order in which configurations are named; ``fixed`` says what else is set."""

    name: str
    title: str
    factors: Mapping[str, Sequence[str]]
    fixed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    claims: Sequence[Claim] = ()
    strategy: str = "theta-pred-seq"

    @property
    def heading(self) -> str:
        return f"{self.name.upper()}: {self.title}" if self.name.startswith("rq") else self.title.capitalize()

    @property
    def lists(self) -> dict[str, Sequence[str]]:
        return {**self.factors, **FIXED, **self.fixed}

    def command(self, others: Sequence[str] = ()) -> list[str]:
        """Options of ``argosy bench``; ``others`` come instead of those of the question that have the same name."""
        given = {word.partition("=")[0] for word in others}
        words = ["--strategies", self.strategy, "--title", self.heading]
        lists = [f"--{name}={','.join(values)}" for name, values in self.lists.items() if f"--{name}" not in given]
        return [*words, *lists, *others]


def run(question: Question, arguments: Sequence[str] | None = None) -> int:
    """The whole experiment; the exit code is that of ``argosy bench``."""
    parser = argparse.ArgumentParser(
        description=question.title, epilog="Further options are those of 'argosy bench'.", allow_abbrev=False
    )
    add_bench(parser)
    parser.add_argument("--tasks", nargs="+", metavar="TASKS", help="instead of the paper's programs")
    parser.add_argument("--every", type=int, metavar="N", help="only every N-th of the paper's programs, by category")
    parser.add_argument("--small", action="store_true", help="a few of the examples, five seconds each")
    parser.add_argument("--out", metavar="DIR", help=f"where results go (results/theta_{question.name})")
    options, others = parser.parse_known_args(arguments)
    out = options.out or f"results/theta_{question.name}{'_small' if options.small else ''}"
    limits = ["--time-limit", "5", "--wall-limit", "20"] if options.small else []
    words = ["bench", *_tasks(options), "--out", out, *limits, *question.command(others)]
    print(f"$ argosy {shlex.join(words)}", flush=True)
    code = cli.main(words)
    results = Path(out) / "results.csv"
    if code in (0, 5, 10) and results.exists():
        with results.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        print("", *judge(question, rows, stopped=code == STOPPED), sep="\n")
    return code


def judge(question: Question, rows: Sequence[Mapping[str, str]], *, stopped: bool = False) -> list[str]:
    """A line for each claim; nothing is said for or against one by a study that was stopped before its end."""
    if stopped:
        return [f"not decided, the study was stopped: {claim.text}" for claim in question.claims]
    lines = []
    for claim in question.claims:
        judged = claim.judge(rows)
        where = f" ({claim.category})" if claim.category else ""
        if judged is None:
            lines.append(f"not measured: {claim.text}{where}")
        else:
            holds, more, less = judged
            lines.append(f"{'holds' if holds else 'DOES NOT HOLD'}: {claim.text}{where}, {more} against {less}")
    return lines


def _tasks(options: argparse.Namespace) -> list[str]:
    if options.tasks:
        return list(options.tasks)
    if options.small:
        return [str(SMALL)]
    instead = "--tasks names other programs, --small runs a few of the examples"
    folder = whereabouts(options.bench, PROGRAMS, instead)
    rows = [row for row in index_rows(folder / "index.csv") if row["set"] == "theta"]
    chosen = rows if options.every is None else sample(rows, options.every)
    checked(folder, PROGRAMS, [row["file"] for row in chosen], options.any_version)
    some = [] if options.every is None else ["--where", f"file={','.join(row['file'] for row in chosen)}"]
    return [str(folder / "index.csv"), "--where", "set=theta", *some]


def index_rows(index: Path) -> list[dict[str, str]]:
    """The rows of an index of the collection. SystemExit, in one line, where there is none, or not such a one."""
    if not index.is_file():
        raise SystemExit(f"no such file: {index} (an index of the collection: set, category, file, expected)")
    with index.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if not rows or not {"set", "category", "file"} <= rows[0].keys():
        raise SystemExit(f"{index}: no index of the collection: columns set, category and file are missing")
    return rows


def sample(rows: Sequence[dict[str, str]], every: int) -> list[dict[str, str]]:
    """Every so many rows of each category, the first of them included."""
    if every < 1:
        raise SystemExit("--every must be a positive number")
    categories = dict.fromkeys(row["category"] for row in rows)
    return [row for name in categories for row in [r for r in rows if r["category"] == name][::every]]


def _matching(rows: Sequence[Mapping[str, str]], levels: Levels) -> list[Mapping[str, str]]:
    return [row for row in rows if all(row[name.replace("-", "_")] == value for name, value in levels.items())]
