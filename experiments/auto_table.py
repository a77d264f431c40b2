"""Which turns ``auto`` should have: learned from measured runs, held against the present ones.

    argosy bench index.csv --strategies explicit,lbe,bmc,product,kinduction,horn,execution --time-limit 10 --out matrix
    python experiments/auto_table.py matrix/results.csv --tasks index.csv --features features.csv

A row of the matrix says which strategy decides a task alone, and in how much processor time; ``features.csv`` says what
the automaton looks like (``models.features``; it is written where it is missing). A *decision list* is a sequence of
rules "where a model has this feature, this strategy has a turn here, with this share"; what a list would decide, and
when, follows from the matrix: each turn has its share of the time that is left, and begins from the start.

The list is learned greedily: each time the rule that decides most more, or the same sooner. It is judged on categories
that it was not learned from: for each category one list is learned from all others (leave one out). The present rules
are ``backends.stages.chosen_turns``. ``--write FILE`` writes the learned list as a Python module, if it was better.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from argosy.backends.stages import chosen_turns
from argosy.basics.errors import InputError, UnsupportedError
from argosy.models.features import Features, features_of, has_arrays
from argosy.strategies import STRATEGIES

Turns = tuple[tuple[str, float], ...]

NAMES = tuple(each.name for each in fields(Features))
SHARES = (0.05, 0.1, 0.2, 0.4)
PLACES = (0, 1, 2)
MOST_RULES = 8
LEAST_GAIN = 0.01
"""Of the score: what is less may be noise."""


@dataclass(frozen=True, slots=True)
class Task:
    name: str
    category: str
    features: Features
    seconds: Mapping[str, float]  # by strategy; infinite where it did not decide


@dataclass(frozen=True, slots=True)
class Rule:
    feature: str
    holds: bool
    strategy: str
    place: int
    share: float

    def __str__(self) -> str:
        where = self.feature if self.holds else f"no {self.feature}"
        return f"{where:<14} {self.strategy:<10} as turn {self.place + 1}, {self.share:.0%} of the time"

    def applies(self, features: Features) -> bool:
        return bool(getattr(features, self.feature)) is self.holds


def base() -> Turns:
    """The turns that every program has."""
    return tuple((name, share) for name, share, _ in STRATEGIES["auto"].stages)


def present(task: Task) -> Turns:
    turns, _ = chosen_turns(STRATEGIES["auto"].stages, task.features)
    return tuple((name, share) for name, share, _ in turns if name in task.seconds)


def learned(rules: Sequence[Rule], task: Task) -> Turns:
    turns = base()
    for rule in reversed([rule for rule in rules if rule.applies(task.features)]):
        turns = (*turns[: rule.place], (rule.strategy, rule.share), *turns[rule.place :])
    return turns


def spent(turns: Turns, task: Task, limit: float) -> float:
    """Seconds until the task is decided; infinite where it is not."""
    used = 0.0
    for strategy, share in turns:
        given = share * (limit - used)
        if task.seconds.get(strategy, math.inf) <= given:
            return used + task.seconds[strategy]
        used += given
    return math.inf


def score(choose: Callable[[Task], Turns], tasks: Iterable[Task], limit: float) -> tuple[int, float]:
    """How many are decided, and the time for all; one that is not decided counts twice the limit."""
    times = [spent(choose(task), task, limit) for task in tasks]
    return sum(time < math.inf for time in times), sum(min(time, 2 * limit) for time in times)


def learn(tasks: Sequence[Task], limit: float) -> list[Rule]:
    strategies = sorted({name for task in tasks for name in task.seconds})
    rules: list[Rule] = []
    _, best = score(lambda task: learned(rules, task), tasks, limit)
    candidates = [
        Rule(feature, holds, strategy, place, share)
        for feature in NAMES
        for holds in (True, False)
        if 0 < sum(bool(getattr(task.features, feature)) is holds for task in tasks) < len(tasks)
        for strategy in strategies
        for place in PLACES
        for share in SHARES
    ]
    while len(rules) < MOST_RULES:

        def loss(rule: Rule) -> float:
            return score(lambda task: learned([*rules, rule], task), tasks, limit)[1]

        found = min(candidates, key=loss, default=None)
        if found is None or loss(found) > best * (1 - LEAST_GAIN):
            break
        rules.append(found)
        best = loss(found)
    return rules


def cross_validated(tasks: Sequence[Task], limit: float) -> dict[str, tuple[int, float]]:
    """What lists that were learned without a category do on it."""
    found = {}
    for category in sorted({task.category for task in tasks}):
        rules = learn([task for task in tasks if task.category != category], limit)
        inside = [task for task in tasks if task.category == category]
        found[category] = score(lambda task, rules=rules: learned(rules, task), inside, limit)  # type: ignore[misc]
    return found


# ---- reading --------------------------------------------------------------------------------------------------------


def read_matrix(path: Path, features: Mapping[str, Features]) -> list[Task]:
    """The tasks that every strategy of the matrix was tried on."""
    found: dict[str, dict[str, float]] = {}
    categories: dict[str, str] = {}
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            decided = row["outcome"] in ("correct", "unchecked")
            found.setdefault(row["model"], {})[row["strategy"]] = int(row["time_ms"]) / 1000 if decided else math.inf
            categories[row["model"]] = row["category"]
    most = max(map(len, found.values()), default=0)
    return [
        Task(name, categories[name], features[name], times)
        for name, times in found.items()
        if len(times) == most and name in features
    ]


def read_features(path: Path) -> dict[str, Features]:
    with path.open(newline="") as file:
        return {row.pop("model"): Features(*(row[name] == "1" for name in NAMES)) for row in csv.DictReader(file)}


def write_features(path: Path, tasks: Path, wanted: Iterable[str]) -> None:
    """Read every program of the matrix, as the index of the tasks says, and look at its automaton."""
    with tasks.open(newline="") as file:
        index = {row["file"]: row for row in csv.DictReader(file)}
    known = read_features(path) if path.exists() else {}
    with path.open("a", newline="") as out:
        writer = csv.writer(out)
        if not known:
            writer.writerow(["model", *NAMES])
        for name in wanted:
            if name in known or name not in index:
                continue
            try:
                features = _look(tasks.parent / name, index[name])
            except (InputError, UnsupportedError) as error:
                print(f"left out: {name}: {error}", file=sys.stderr)
                continue
            writer.writerow([name, *(int(getattr(features, each)) for each in NAMES)])
            out.flush()


def _look(path: Path, row: Mapping[str, str]) -> Features:
    from argosy.models.cfa import Reading
    from argosy.models.contracts import Procedures
    from argosy.models.reduce import reduce
    from argosy.session.run import read
    from argosy.session.task import Task as Asked

    given = {"property": row.get("property") or None, "data_model": row.get("data_model") or None}
    program = read(Asked.of(str(path), **given)).model
    cfa = reduce(program.cfa, reading=Reading("undefined")).cfa
    return features_of(
        cfa,
        recursive=isinstance(program.procedures, Procedures),
        cyclic=program.cyclic,
        arrays=has_arrays(cfa),
        memory=program.errors.about_memory,
    )


# ---- what came out --------------------------------------------------------------------------------------------------

HEADER = '''"""Which further turns ``auto`` has, by what a program looks like. Generated: do not edit.

Made by experiments/auto_table.py from {tasks} tasks of {categories} categories, with a limit of {limit:g} s.
On categories that it was not learned from it decides {held} of them, the rules before it {before}.
"""

RULES = (
{rules}
)
'''


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("results", type=Path, help="results.csv of argosy bench")
    parser.add_argument("--tasks", type=Path, help="the index.csv that was measured")
    parser.add_argument("--features", type=Path, required=True, help="what the automata look like; written if missing")
    parser.add_argument("--limit", type=float, default=24.0, help="seconds that a run has (24)")
    parser.add_argument("--write", type=Path, metavar="FILE", help="where the list is written, if it is better")
    options = parser.parse_args()
    if options.tasks is not None:
        with options.results.open(newline="") as file:
            write_features(options.features, options.tasks, dict.fromkeys(row["model"] for row in csv.DictReader(file)))
    tasks = read_matrix(options.results, read_features(options.features))
    if not tasks:
        print("no task was tried with every strategy", file=sys.stderr)
        return 1
    limit = options.limit
    held = cross_validated(tasks, limit)
    rules = learn(tasks, limit)
    columns: dict[str, Callable[[Task], Turns]] = {
        "no rules": lambda task: base(),
        "present": present,
        "learned": lambda task: learned(rules, task),
        "best": lambda task: ((min(task.seconds, key=lambda name: task.seconds[name]), 1.0),),
    }
    print(f"{'category':<42} {'tasks':>5} {'held out':>9}" + "".join(f" {name:>9}" for name in columns))
    for category in (*sorted(held), "all"):
        inside = [task for task in tasks if category in (task.category, "all")]
        apart = held[category] if category in held else _sum(held.values())
        shown = [apart, *(score(choose, inside, limit) for choose in columns.values())]
        print(f"{category:<42} {len(inside):>5}" + "".join(f" {n:>3}{seconds:>5.0f}s" for n, seconds in shown))
    print("\nDecided, and seconds for all (twice the limit where undecided). The list learned from all:")
    for rule in rules:
        print(f"  {rule}")
    out, now = _sum(held.values()), score(present, tasks, limit)
    better = out[0] >= now[0] and out[1] < now[1]
    print(f"\nOn categories not learned from it is {'better than' if better else 'no better than'} the present rules.")
    if better and options.write is not None:
        text = "\n".join(f"    {(r.feature, r.holds, r.strategy, r.place, r.share)}," for r in rules)
        facts = {"tasks": len(tasks), "categories": len(held), "limit": limit, "held": out[0], "before": now[0]}
        options.write.write_text(HEADER.format(rules=text, **facts))
    return 0


def _sum(scores: Iterable[tuple[int, float]]) -> tuple[int, float]:
    numbers, seconds = zip(*scores, strict=True)
    return sum(numbers), sum(seconds)


if __name__ == "__main__":
    raise SystemExit(main())
