"""Which turns ``auto`` should have: the table of the source judged by measured runs, and what can be learned from them.

    python experiments/virtual_best.py index.csv --csv best.csv              # measures; features.csv lies beside it
    python experiments/auto_table.py best.csv --features features.csv

A row of ``best.csv`` says which strategy decides a task alone, and in how much processor time; or that it gave up; or
that it was cut off after so long (*censored*: it takes longer, and nobody knows how long: a turn that is longer than
that is taken to decide nothing). ``features.csv`` says what the automata look like (``models.features``). What a table
of rules would decide, and when, follows from that: each turn has its share of the time that is left, and begins from
the start. A matrix of ``argosy bench`` (``results.csv``) is read as well; with ``--tasks index.csv`` features that are
missing are found.

The rules are those of ``strategies.turns``, in their order. Learning changes them greedily: a rule is left out, comes
before the one above it, has half or twice its share, or there is one more; each time the change that gains most over
all tasks. It is judged on categories that it was not learned from: for each category the table is changed by what all
others say (leave one out). A change is *supported* where learning without a category finds it for most of them, and
what is held out does not become worse.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from argosy.backends.stages import features_of_program
from argosy.basics.budget import TIME_LIMIT
from argosy.basics.errors import InputError, UnsupportedError
from argosy.models.cfa import Reading
from argosy.models.features import Features
from argosy.models.program import Program
from argosy.models.reduce import reduce
from argosy.session.run import read
from argosy.session.task import Task as Asked
from argosy.strategies import STRATEGIES
from argosy.strategies.named import Turn
from argosy.strategies.turns import RULES, Rule, chosen_turns, words_of

NAMES = tuple(each.name for each in fields(Features))
DECIDED = ("safe", "unsafe")
SHARES = (0.02, 0.05, 0.15)
MOST_CHANGES = 6
LEAST_GAIN = 0.03
"""Of what the best would save: what is less may be noise."""

LOOKS: Mapping[int, float] = {300: 1.0, 400: 1.0, 2_000: 1.0, 4_000: 0.6, 20_000: 4.0, 200_000: 30.0}
"""How many seconds expansions take, about."""


@dataclass(frozen=True, slots=True)
class Tried:
    """``seconds`` until it decided (infinite: it did not), or after which it gave up."""

    seconds: float
    gave_up: float = math.inf


@dataclass(frozen=True, slots=True)
class Task:
    name: str
    category: str
    features: Features
    tried: Mapping[str, Tried]
    auto: float | None = None

    @property
    def best(self) -> float:
        return min((each.seconds for each in self.tried.values()), default=math.inf)


Table = tuple[Rule, ...]


def spent(turns: Iterable[Turn], task: Task, limit: float) -> float:
    """Seconds until the task is decided; infinite where it is not."""
    used = 0.0
    for strategy, share, expansions in turns:
        given = share * (limit - used)
        if expansions:
            given = min(given, LOOKS[expansions])
        tried = task.tried.get(strategy)
        if tried is not None and tried.seconds <= given:
            return used + tried.seconds
        used += given if tried is None else min(given, tried.gave_up)
    return math.inf


class Judge:
    """What tables are worth on some tasks. Those that look alike have the same turns."""

    def __init__(self, tasks: Sequence[Task], limit: float) -> None:
        self.limit = limit
        self._groups: dict[Features, list[Task]] = {}
        for task in tasks:
            self._groups.setdefault(task.features, []).append(task)
        self._words = {features: words_of(features, "program", "bits") for features in self._groups}
        self.best = sum(min(task.best, 2 * limit) for task in tasks)
        self._known: dict[tuple[Features, tuple[Turn, ...]], tuple[int, float]] = {}

    def score(self, table: Table) -> tuple[int, float]:
        """How many are decided, and the time for all; one that is not decided counts twice the limit."""
        parts = [self._part(features, table) for features in self._groups]
        return sum(decided for decided, _ in parts), sum(seconds for _, seconds in parts)

    def loss(self, table: Table) -> float:
        return self.score(table)[1]

    def concerns(self, rule: Rule) -> bool:
        return any(rule.applies(words) for words in self._words.values())

    def _part(self, features: Features, table: Table) -> tuple[int, float]:
        turns = tuple(turn for turn, _ in chosen_turns(STRATEGIES["auto"].stages, features, rules=table))
        key = features, turns
        if key not in self._known:
            times = [spent(turns, task, self.limit) for task in self._groups[features]]
            decided = sum(time < math.inf for time in times)
            self._known[key] = decided, sum(min(time, 2 * self.limit) for time in times)
        return self._known[key]


def changes(table: Table, judge: Judge) -> Iterable[tuple[str, Table]]:
    """Every table that is one change away, and what the change is."""
    for at, rule in enumerate(table):
        if not judge.concerns(rule):
            continue
        rest = (*table[:at], *table[at + 1 :])
        yield f"without {shown(rule)}", rest
        for above in range(at - 1, -1, -1):
            if table[above].place == rule.place and judge.concerns(table[above]):
                yield f"before {table[above].strategy}: {shown(rule)}", (*rest[:above], rule, *rest[above:])
        for factor, word in ((0.5, "half"), (2.0, "twice")):
            other = Rule(
                rule.where, rule.place, rule.strategy, min(0.8, rule.share * factor), rule.why, rule.expansions
            )
            yield f"{word} the share: {shown(rule)}", (*table[:at], other, *table[at + 1 :])
    known = dict.fromkeys(rule.where for rule in table)
    places = {name: f"program, {name}" for name in NAMES}
    strategies = sorted({name for tasks in judge._groups.values() for task in tasks for name in task.tried})
    for where in dict.fromkeys((*known, *places.values(), "program, loops, no closed")):
        for strategy in strategies:
            for share in SHARES:
                for last in (False, True):
                    rule = Rule(where, 0, strategy, share, "learned")
                    if judge.concerns(rule):
                        at = sum(each.place == 0 for each in table) if last else 0
                        yield f"{'then' if last else 'first'} {shown(rule)}", (*table[:at], rule, *table[at:])


def shown(rule: Rule) -> str:
    return f"{rule.strategy} ({rule.share:.0%}) where {rule.where}"


def learn(table: Table, judge: Judge, most: int = MOST_CHANGES) -> tuple[Table, list[str]]:
    """The table after the changes that gain most, and these."""
    found: list[str] = []
    loss = judge.loss(table)
    while len(found) < most:
        what, better = min(changes(table, judge), key=lambda change: judge.loss(change[1]), default=("", table))
        if loss - judge.loss(better) <= LEAST_GAIN * (loss - judge.best):
            break
        table, loss = better, judge.loss(better)
        found.append(what)
    return table, found


@dataclass(frozen=True, slots=True)
class Held:
    """What a table that was learned without a category does on it, and by which changes."""

    score: tuple[int, float]
    changes: tuple[str, ...]


def cross_validated(tasks: Sequence[Task], table: Table, limit: float) -> dict[str, Held]:
    found = {}
    for category in sorted({task.category for task in tasks}):
        others = Judge([task for task in tasks if task.category != category], limit)
        learned, what = learn(table, others)
        inside = Judge([task for task in tasks if task.category == category], limit)
        found[category] = Held(inside.score(learned), tuple(what))
    return found


# ---- reading --------------------------------------------------------------------------------------------------------


def read_matrix(path: Path, features: Mapping[str, Features]) -> list[Task]:
    """The tasks of a race (``virtual_best.py``), or those of a matrix that every strategy was tried on."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    race = bool(rows) and "cpu_s" in rows[0]
    found: dict[str, dict[str, Tried]] = {}
    autos: dict[str, float] = {}
    least: dict[str, float] = {}
    for row in rows if race else ():
        least[row["model"]] = min(least.get(row["model"], math.inf), float(row["cpu_s"]))
    categories: dict[str, str] = {}
    for row in rows:
        model, strategy = row["model"], row["strategy"]
        categories[model] = row["category"]
        found.setdefault(model, {})
        if race:
            # What the quickest takes is reading, which comes once.
            seconds = float(row["cpu_s"]) - 0.8 * least[model]
            decided = row["verdict"] in DECIDED and row["certified"] == "True"
            gave_up = math.inf if row["why"] in ("", TIME_LIMIT) else seconds
        else:
            decided = row["outcome"] in ("correct", "unchecked")
            seconds, gave_up = int(row["time_ms"]) / 1000, math.inf
        if strategy == "auto":
            autos[model] = seconds if decided else math.inf
            # Where there was nothing to win, nothing else was tried: what decided is what is known.
            if decided and row.get("stage") in STRATEGIES:
                found[model].setdefault(row["stage"], Tried(seconds))
        else:
            found[model][strategy] = Tried(seconds) if decided else Tried(math.inf, gave_up)
    most = 0 if race else max(map(len, found.values()), default=0)
    return [
        Task(name, categories[name], features[name], tried, autos.get(name))
        for name, tried in found.items()
        if len(tried) >= most and name in features
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
                features = look(read(task_of(tasks.parent / name, index[name])).model)
            except (InputError, UnsupportedError) as error:
                print(f"left out: {name}: {error}", file=sys.stderr)
                continue
            writer.writerow([name, *(int(getattr(features, each)) for each in NAMES)])
            out.flush()


def task_of(path: Path, row: Mapping[str, str]) -> Asked:
    """As the index says; widths of types, and functions without a body, as the benchmarks mean them."""
    asked = row.get("property") or None
    model = row.get("data_model") or ("LP64" if asked == "no-overflow" else "ILP32") if asked else None
    given = {"property": asked, "data_model": model, "undefined_functions": "pure" if asked else None}
    return Asked.of(str(path), **given)


def look(program: Program) -> Features:
    reading = Reading("undefined")
    return features_of_program(program, reduce(program.cfa, reading=reading).cfa, reading)


# ---- what came out --------------------------------------------------------------------------------------------------


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("results", type=Path, help="the CSV file of virtual_best.py, or results.csv of argosy bench")
    parser.add_argument("--tasks", type=Path, help="the index.csv that was measured")
    parser.add_argument("--features", type=Path, required=True, help="what the automata look like; written if missing")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds that a run has (60)")
    options = parser.parse_args()
    if options.tasks is not None:
        with options.results.open(newline="") as file:
            write_features(options.features, options.tasks, dict.fromkeys(row["model"] for row in csv.DictReader(file)))
    tasks = read_matrix(options.results, read_features(options.features))
    if not tasks:
        print("no task was tried with every strategy", file=sys.stderr)
        return 1
    limit = options.limit
    held = cross_validated(tasks, RULES, limit)
    learned, what = learn(RULES, Judge(tasks, limit))
    heads = ("held out", "no rules", "table", "learned", "best")
    print(f"{'category':<36} {'tasks':>5}" + "".join(f" {head:>10}" for head in heads))
    for category in (*sorted(held), "all"):
        inside = [task for task in tasks if category in (task.category, "all")]
        judge = Judge(inside, limit)
        scores = [each.score for name, each in held.items() if category in (name, "all")]
        best = [task.best for task in inside]
        columns = (
            (sum(n for n, _ in scores), sum(seconds for _, seconds in scores)),
            *(judge.score(table) for table in ((), RULES, learned)),
            (sum(each < math.inf for each in best), sum(min(each, 2 * limit) for each in best)),
        )
        print(f"{category:<36} {len(inside):>5}" + "".join(f" {n:>4}{seconds:>5.0f}s" for n, seconds in columns))
    print("\nDecided, and seconds for all (twice the limit where undecided). Changes, and in how many of the")
    print(f"{len(held)} tables learned without a category they are:")
    folds = Counter(change for each in held.values() for change in dict.fromkeys(each.changes))
    for change in dict.fromkeys((*what, *(change for change, _ in folds.most_common(10)))):
        print(f"  {folds[change]:>3} {'*' if change in what else ' '} {change}")
    out = [sum(each.score[part] for each in held.values()) for part in (0, 1)]
    now = Judge(tasks, limit).score(RULES)
    better = out[0] >= now[0] and out[1] < now[1]
    print(f"\nOn categories not learned from it is {'better than' if better else 'no better than'} the present rules.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
