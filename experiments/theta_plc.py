"""[Theta] on programs of controllers (section 4.2, the category ``plc``): research questions 1, 2, 3 and 5.

The paper's PLC programs are not part of the bench. What has requirements here is asked instead, each requirement as a
task of its own under one limit of processor time: a process is forked once everything is imported, and the kernel ends
it. So load on the machine does not count, and one requirement that is hard does not hide the others of its file.
Results are added to a file, and what is in it is not run again.

    python experiments/theta_plc.py --time-limit 2
    python experiments/theta_plc.py --programs examples/plc/door.st
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import json
import os
import resource
import sys
import tempfile
import traceback
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import product
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

from collection import CONTROLLERS, add_bench, checked, guarded, whereabouts
from theta import FIXED, Claim, Question, judge

import argosy
from argosy.frontends.plc.requirement_files import beside
from argosy.session.run import decide
from argosy.session.task import Task

DOMAINS = ("expl", "pred-bool", "pred-cart")
WHOLE: Mapping[str, Sequence[str]] = {"split": ("whole",), "search": ("bfs",), "max-enum": ("1",)}
ONE: Mapping[str, Sequence[str]] = {"refinement": ("seq",)}
PREDICATES = {"domain": "pred-bool"}, {"domain": "expl"}

QUESTIONS = (
    Question(
        "rq1",
        "how many successors the explicit domain enumerates",
        {"max-enum": ("1*", "1", "5", "10", "50", "0")},
        {"domain": ("expl",), "search": ("bfs",), "split": ("whole",), **ONE},
        [
            Claim(f"k = {bound} solves more than {other}", {"max-enum": bound}, {"max-enum": other}, strict=True)
            for bound in ("5", "10", "50")
            for other in ("1*", "0")
        ],
    ),
    Question(
        "rq2",
        "search that heads for the error location",
        {"domain": DOMAINS, "search": ("bfs", "err")},
        {"split": ("whole",), "max-enum": ("1",), **ONE},
        [Claim("predicates are better than values", *PREDICATES, strict=True)],
    ),
    Question(
        "rq3",
        "splitting predicates",
        {"domain": DOMAINS[1:], "split": ("atoms", "whole")},
        {"search": ("bfs",), "max-enum": ("1",), **ONE},
        [
            Claim(
                "atoms are poor with cartesian abstraction",
                {"domain": "pred-cart", "split": "whole"},
                {"domain": "pred-cart", "split": "atoms"},
                strict=True,
            )
        ],
    ),
    Question(
        "rq5",
        "refinement from several counterexamples",
        {"domain": DOMAINS, "refinement": ("multi-seq", "seq")},
        WHOLE,
        [Claim("predicates are better than values", *PREDICATES, strict=True)],
    ),
)
FACTORS = ("domain", "max-enum", "search", "split", "refinement")
LEVELS = tuple(name.replace("-", "_") for name in FACTORS)
COLUMNS = ("category", "file", "requirement", *LEVELS, "success", "verdict", "cpu_s")
Configuration = tuple[str, ...]


def configurations(question: Question) -> Iterator[Configuration]:
    levels = {**question.fixed, **question.factors}
    yield from product(*(levels[name] for name in FACTORS))


def requirements(path: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """Each property of the file beside a program, in a file of its own."""
    for name in beside(str(path)):
        content = _content(Path(name))
        key = next(key for key in ("properties_to_be_validated", "properties", "requirements") if key in content)
        for number, each in enumerate(content[key], 1):
            alone = folder / f"{path.stem}-{number}.json"
            alone.write_text(json.dumps({key: [each]}))
            yield str(number), alone


def _content(path: Path) -> Any:
    if path.suffix == ".json":
        return json.loads(path.read_text())
    import yaml

    return yaml.safe_load(path.read_text())


def run(path: Path, asked: Path, configuration: Configuration, seconds: int) -> tuple[str, float]:
    """The certified verdict, and the processor time that it took; in a process of its own."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(out)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        try:
            fixed = {name: values[0] for name, values in FIXED.items()}
            chosen = {**fixed, **dict(zip(FACTORS, configuration, strict=True))}
            # Values are enumerated, predicates are split.
            del chosen["split" if configuration[0] == "expl" else "max-enum"]
            given = {name.replace("-", "_"): value for name, value in chosen.items()}
            task = Task.of(
                str(path), strategy="theta-pred-seq", requirements=str(asked), time_limit=100 * seconds, **given
            )
            answer = decide(task).answers[-1]  # behind the assertions of the text
            os.write(into, (answer.verdict if answer.certificate is not None else "unknown").encode())
        except BaseException:  # noqa: BLE001 (nothing of the child goes on in the parent)
            traceback.print_exc()
            os.write(into, b"failed")
        finally:
            os._exit(0)
    os.close(into)
    with os.fdopen(out, "rb") as pipe:
        verdict = pipe.read().decode()
    _, _, usage = os.wait4(child, 0)
    return verdict or "stopped", usage.ru_utime + usage.ru_stime


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_bench(parser)
    parser.add_argument("--programs", nargs="+", type=Path, help="instead of what has requirements in the bench")
    parser.add_argument("--questions", default=",".join(each.name for each in QUESTIONS), help="which of them")
    parser.add_argument("--time-limit", type=int, default=2, metavar="S", help="whole seconds of processor time")
    parser.add_argument("--out", type=Path, default=Path("results/theta_plc"), help="where results go")
    options = parser.parse_args(arguments)
    programs = options.programs or _programs(options)
    _import_everything()
    options.out.mkdir(parents=True, exist_ok=True)
    file = options.out / f"results-{options.time_limit}s.csv"
    asked = [each for each in QUESTIONS if each.name in options.questions.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        tasks = [(path, *each) for path in programs for each in requirements(path, Path(folder))]
        for question in asked:
            _measure(tasks, question, options.time_limit, file)
            _report(question, _rows(file), len(tasks))
    return 0


def _programs(options: argparse.Namespace) -> list[Path]:
    folder = whereabouts(options.bench, CONTROLLERS, "--programs names others")
    files = sorted(path.relative_to(folder).as_posix() for kind in ("*.st", "*.ld") for path in folder.rglob(kind))
    return checked(folder, CONTROLLERS, files, options.any_version)


def _import_everything() -> None:
    """What runs need is here before they are forked: importing does not count."""
    for module in walk_packages(argosy.__path__, "argosy."):
        if not module.name.endswith(("__main__", "_worker")):
            with contextlib.suppress(ImportError):  # what belongs to a solver that is not here
                import_module(module.name)


def _measure(tasks: Sequence[tuple[Path, str, Path]], question: Question, seconds: int, file: Path) -> None:
    done = {tuple(row[column] for column in COLUMNS[:8]) for row in _rows(file)}
    with file.open("a", newline="", encoding="utf-8") as written:
        writer = csv.writer(written)
        if not done:
            writer.writerow(COLUMNS)
        for configuration in configurations(question):
            for path, number, asked in tasks:
                if ("plc", path.name, number, *configuration) in done:
                    continue
                verdict, spent = run(path, asked, configuration, seconds)
                if verdict == "failed":
                    raise SystemExit(f"{path}, requirement {number}, {' '.join(configuration)}: see above")
                success = str(verdict in ("safe", "unsafe")).lower()
                writer.writerow(("plc", path.name, number, *configuration, success, verdict, f"{spent:.2f}"))
                written.flush()


def _rows(file: Path) -> list[dict[str, str]]:
    if not file.exists():
        return []
    with file.open(newline="", encoding="utf-8") as opened:
        return list(csv.DictReader(opened))


def _report(question: Question, rows: Sequence[Mapping[str, str]], count: int) -> None:
    """How many each configuration solved, what the paper claims, and verdicts that contradict each other."""
    print(f"{question.heading} ({count} requirements)")
    for configuration in configurations(question):
        mine = [row for row in rows if tuple(row[column] for column in LEVELS) == configuration]
        solved = sum(row["success"] == "true" for row in mine)
        spent = sum(float(row["cpu_s"]) for row in mine)
        print(f"  {' '.join(configuration):40} {solved:4} of {len(mine):3} in {spent:6.1f} s")
    asked = set(configurations(question))
    print(*judge(question, [row for row in rows if tuple(row[column] for column in LEVELS) in asked]), sep="\n")
    verdicts: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        if row["success"] == "true":
            verdicts.setdefault((row["file"], row["requirement"]), set()).add(row["verdict"])
    for (name, number), found in verdicts.items():
        if len(found) > 1:
            print(f"CONTRADICTION: {name}, requirement {number}: {', '.join(sorted(found))}", file=sys.stderr)


if __name__ == "__main__":
    guarded(main)
