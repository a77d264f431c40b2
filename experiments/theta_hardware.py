"""[Theta], research questions 2 to 6 on hardware (sections 4.2.2 to 4.2.6, the category ``hwmcc``), and next to the
paper's configurations what wins the competitions of hardware model checking: ``pdr``, ``bmc``, ``kinduction``.

What needs statements or locations does not apply to transition systems (section 4.1): the enumeration of explicit
values and the search that heads for the error. Of the paper's 300 models at most 84 were solved within 300 s by one
configuration.

    python experiments/theta_hardware.py --time-limit 60 --jobs 2
    python experiments/theta_hardware.py --small
    python experiments/theta_hardware.py --questions rq4,engines --where set=theta-integration
"""

from __future__ import annotations

import argparse
import csv
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from collection import MODELS, STOPPED, add_bench, checked, guarded, whereabouts
from theta import ROOT, Claim, Question, index_rows, judge

from argosy.cli import main as cli

SMALL = ROOT / "examples" / "systems"
CATEGORIES = ("aiger", "btor2", "btor2-array")

DOMAINS = ("expl", "pred-bool", "pred-cart")
WHOLE: Mapping[str, Sequence[str]] = {"split": ("whole",), "search": ("bfs",)}
ATOMS = {"split": "atoms"}

QUESTIONS = (
    Question("rq2", "search orders", {"domain": DOMAINS, "search": ("bfs", "dfs")}, {"split": ("whole",)}),
    Question(
        "rq3",
        "splitting predicates and states",
        {"domain": ("pred-bool", "pred-cart", "pred-split"), "split": ("atoms", "conjuncts", "whole")},
        {"search": ("bfs",), "refinement": ("seq",)},
        [
            Claim(
                "atoms work with boolean abstraction only",
                {**ATOMS, "domain": "pred-bool"},
                {**ATOMS, "domain": "pred-cart"},
            )
        ],
    ),
    Question(
        "rq4",
        "backward binary interpolation",
        {"domain": DOMAINS, "refinement": ("bw-bin", "fw-bin", "seq")},
        WHOLE,
        [
            Claim("backward solves more than forward", {"refinement": "bw-bin"}, {"refinement": "fw-bin"}, strict=True),
            Claim(
                "forward: explicit values solve at least as much as predicates",
                {"refinement": "fw-bin", "domain": "expl"},
                {"refinement": "fw-bin", "domain": "pred-bool"},
            ),
        ],
    ),
    Question("rq5", "several counterexamples", {"domain": DOMAINS, "refinement": ("multi-seq", "seq")}, WHOLE),
    Question(
        "rq6",
        "forward or backward by what they prune",
        {"domain": DOMAINS, "refinement": ("bw-bin", "fw-bin", "max-prune", "min-prune")},
        WHOLE,
    ),
)
ENGINES = "engines"


def main(arguments: Sequence[str] | None = None) -> int:
    names = [*(question.name for question in QUESTIONS), ENGINES]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", default=",".join(names), help=f"which of {', '.join(names)}")
    add_bench(parser)
    parser.add_argument("--tasks", nargs="+", metavar="TASKS", help="instead of the hardware of the bench")
    parser.add_argument("--small", action="store_true", help="the examples, five seconds each")
    parser.add_argument("--out", metavar="DIR", default="results/theta_hardware", help="where results go")
    options, others = parser.parse_known_args(arguments)
    asked = options.questions.split(",")
    code = 0
    for question in QUESTIONS:
        if question.name in asked:
            command = [word for word in question.command(others) if not word.startswith(("--granularity", "--prune"))]
            ended = _run(options, question.name, command)
            code = max(code, ended)
            print("", *judge(question, _rows(options, question.name), stopped=ended == STOPPED), sep="\n")
    if ENGINES in asked:
        command = ["--strategies", "auto,pdr,bmc,kinduction", "--title", "Engines for hardware", *others]
        code = max(code, _run(options, ENGINES, command))
    return code


def _run(options: argparse.Namespace, name: str, command: Sequence[str]) -> int:
    limits = ["--time-limit", "5", "--wall-limit", "20"] if options.small else []
    words = ["bench", *_tasks(options), "--out", str(_folder(options, name)), *limits, *command]
    print(f"$ argosy {shlex.join(words)}", flush=True)
    return cli.main(words)


def _tasks(options: argparse.Namespace) -> list[str]:
    if options.tasks:
        return list(options.tasks)
    if options.small:
        return [str(path) for path in sorted(SMALL.iterdir())]
    folder = whereabouts(options.bench, MODELS, "--tasks names other models, --small runs the examples")
    wanted = [row["file"] for row in index_rows(folder / "index.csv") if row["category"] in CATEGORIES]
    checked(folder, MODELS, wanted, options.any_version)
    return [str(folder / "index.csv"), "--where", f"category={','.join(CATEGORIES)}"]


def _folder(options: argparse.Namespace, name: str) -> Path:
    return Path(options.out) / name


def _rows(options: argparse.Namespace, name: str) -> list[dict[str, str]]:
    results = _folder(options, name) / "results.csv"
    if not results.exists():
        return []
    with results.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    guarded(main)
