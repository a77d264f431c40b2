"""What a study shows: for each configuration and category what was solved, in what time and with what memory; the
virtual best; the order of times that a cactus plot draws; contradictions.

[Theta], section 4.2.1 and Figures 9-14: a cell counts the successful measurements and adds up their processor time;
its memory is the largest peak among them. The virtual best takes for each task the successful configuration that was
fastest. Everything is a function of the records, so that the terminal, the CSV file and the page say the same.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from argosy.basics.processes import MEGABYTE
from argosy.basics.records import dataclass
from argosy.bench.matrix import PARAMETERS, Configuration
from argosy.bench.records import WRONG, RunRecord
from argosy.bench.tasks import BenchTask
from argosy.session.watch import TIME

VIRTUAL_BEST = "virtual best"
ALL = "all"

_FORMULA = re.compile(r"[=+\-@\t\n]")
_NUMBERS = re.compile(r"[-+]?[\d.,-]+")

COUNTS = {
    "iterations": "refinements",
    "precision_size": "predicates",
    "nodes": "nodes",
    "solver_checks": "solver_checks",
}

COLUMNS: tuple[str, ...] = (
    "model",
    "category",
    "configuration",
    *(name.replace("-", "_") for name in PARAMETERS),
    "success",
    "termination",
    "result",
    "time_ms",
    "memory",
    *COUNTS,
    "expected",
    "outcome",
    "reason",
    "certified",
    "certificate",
    "wall_ms",
    "certify_ms",
    "exit_code",
)


@dataclass(frozen=True, slots=True)
class StudyCell:
    """Of one configuration and one category; seconds and megabytes of what was solved. What is not measured yet is not
    solved."""

    tasks: int = 0
    measured: int = 0
    solved: int = 0
    wrong: int = 0
    cpu_s: float = 0.0
    memory_mb: float = 0.0


def cell(records: Iterable[RunRecord], tasks: int) -> StudyCell:
    solved = []
    measured = wrong = 0
    for record in records:
        measured += 1
        wrong += record.outcome == WRONG
        if record.success:
            solved.append(record.measurement)
    return StudyCell(
        tasks,
        measured,
        len(solved),
        wrong,
        round(sum(one.cpu_s for one in solved), 3),
        max((one.memory_mb for one in solved), default=0.0),
    )


class StudySummary:
    """The records of a study, looked at from several sides. A task that a configuration was not yet run on, or cannot
    be run on, counts as not solved."""

    def __init__(
        self, tasks: Sequence[BenchTask], configurations: Sequence[Configuration], records: Sequence[RunRecord]
    ) -> None:
        self.tasks = tasks
        self.configurations = configurations
        self.records = records
        self.categories = list(dict.fromkeys(task.category for task in tasks))
        self._of: dict[str, list[RunRecord]] = {configuration.label: [] for configuration in configurations}
        for record in records:
            self._of[record.configuration.label].append(record)

    def of(self, label: str) -> Sequence[RunRecord]:
        """The records of a configuration, the virtual best included."""
        return self.virtual_best() if label == VIRTUAL_BEST else self._of[label]

    def virtual_best(self) -> list[RunRecord]:
        best: dict[str, RunRecord] = {}
        for record in self.records:
            known = best.get(record.task.name)
            if record.success and (known is None or record.measurement.cpu_s < known.measurement.cpu_s):
                best[record.task.name] = record
        return list(best.values())

    def heatmap(self) -> dict[str, dict[str, StudyCell]]:
        """Cells by configuration and category; ``ALL`` is every category."""
        return {label: self._row(label) for label in (*self._of, VIRTUAL_BEST)}

    def _row(self, label: str) -> dict[str, StudyCell]:
        records = self.of(label)
        sizes = {c: sum(task.category == c for task in self.tasks) for c in self.categories}
        row = {c: cell((r for r in records if r.task.category == c), sizes[c]) for c in self.categories}
        return {**row, ALL: cell(records, len(self.tasks))}

    def cactus(self) -> dict[str, list[float]]:
        """For each configuration the processor times of what it solved, in order."""
        return {
            label: sorted(r.measurement.cpu_s for r in self.of(label) if r.success)
            for label in (*self._of, VIRTUAL_BEST)
        }

    @property
    def wrong(self) -> list[RunRecord]:
        return [record for record in self.records if record.outcome == WRONG]

    def starved(self, cpu_s: float) -> int:
        """How many runs came to the end of their time with less than half of the processor time they were allowed: the
        machine was busy with something else."""
        late = [r.measurement for r in self.records if r.measurement.termination == TIME]
        return sum(measured.cpu_s < cpu_s / 2 for measured in late)

    def contradictions(self) -> dict[str, tuple[list[str], list[str]]]:
        """Tasks without an expected verdict that some configurations call safe and others unsafe, with these: one side
        is wrong."""
        found: dict[str, tuple[list[str], list[str]]] = {}
        for record in self.records:
            if record.measurement.result and record.task.expected is None:
                sides = found.setdefault(record.task.name, ([], []))
                sides[record.measurement.result == "unsafe"].append(record.configuration.label)
        return {name: sides for name, sides in found.items() if all(sides)}


def rows(records: Iterable[RunRecord]) -> Iterator[Mapping[str, object]]:
    """``results.csv``: Table 2 of the paper (time in milliseconds of processor time, memory in bytes), then ours."""
    for record in records:
        measured = record.measurement
        yield {
            "model": record.task.name,
            "category": record.task.category,
            "configuration": record.configuration.label,
            **{name.replace("-", "_"): record.configuration.parameters.get(name, "") for name in PARAMETERS},
            "success": str(record.success).lower(),
            "termination": measured.termination,
            "result": measured.result,
            "time_ms": round(measured.cpu_s * 1000),
            "memory": round(measured.memory_mb * MEGABYTE),
            **{name: measured.statistics.get(key, "") for name, key in COUNTS.items()},
            "expected": record.task.expected or "",
            "outcome": record.outcome,
            "reason": measured.reason,
            "certified": str(measured.certified).lower(),
            "certificate": measured.certificate,
            "wall_ms": round(measured.wall_s * 1000),
            "certify_ms": round(measured.statistics.get("certify_s", 0.0) * 1000),
            "exit_code": measured.exit_code,
        }


def to_csv(records: Iterable[RunRecord]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in rows(records):
        writer.writerow({name: harmless(cell) if isinstance(cell, str) else cell for name, cell in row.items()})
    return text.getvalue()


def harmless(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: names of tasks and reasons come from files of others (OWASP, *CSV
    Injection*). A carriage return, which some readers take for the end of a row, becomes visible."""
    cell = cell.replace("\r", "\\r")
    return f"'{cell}" if _FORMULA.match(cell) and not _NUMBERS.fullmatch(cell) else cell
