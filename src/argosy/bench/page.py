"""The page of a study: its data, ready to be shown. How it looks is ``argosy.report``'s business."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from typing import Any

from argosy.basics.records import asdict
from argosy.basics.version import VERSION
from argosy.bench.matrix import PARAMETERS
from argosy.bench.records import RunRecord
from argosy.bench.study import Study
from argosy.bench.summary import ALL, COUNTS, VIRTUAL_BEST, StudySummary
from argosy.report.pages import assemble

_COLUMNS = (
    *("task", "configuration", "outcome", "termination", "result", "cpu_s", "wall_s", "memory_mb"),
    *COUNTS,
    *("certificate", "reason"),
)


def page(study: Study, summary: StudySummary) -> str:
    return assemble(("bench",), study.title, content(study, summary))


def content(study: Study, summary: StudySummary) -> dict[str, Any]:
    """Everything the page shows. Cells and curves are computed here; the page only draws, sorts and filters."""
    tasks = {task.name: number for number, task in enumerate(study.tasks)}
    labels = {configuration.label: number for number, configuration in enumerate(study.configurations)}
    return {
        "title": study.title,
        "made": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "argosy": VERSION,
        "machine": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        "limits": asdict(study.limits),
        "options": list(study.options),
        "starved": summary.starved(study.limits.cpu_s),
        "all": ALL,
        "best": VIRTUAL_BEST,
        "categories": summary.categories,
        "tasks": [[task.name, task.category, task.expected or ""] for task in study.tasks],
        "configurations": [
            {
                "label": configuration.label,
                "parameters": {name: configuration.parameters.get(name, "") for name in PARAMETERS},
                "arguments": " ".join(configuration.arguments),
            }
            for configuration in study.configurations
        ],
        "runs": len(study.runs()),
        "heatmap": {
            label: {category: asdict(cell) for category, cell in row.items()}
            for label, row in summary.heatmap().items()
        },
        "cactus": summary.cactus(),
        "columns": list(_COLUMNS),
        "rows": [_row(record, tasks, labels) for record in summary.records],
        "contradictions": {name: list(sides) for name, sides in summary.contradictions().items()},
    }


def _row(record: RunRecord, tasks: dict[str, int], labels: dict[str, int]) -> list[Any]:
    measured = record.measurement
    return [
        tasks[record.task.name],
        labels[record.configuration.label],
        record.outcome,
        measured.termination,
        measured.result,
        measured.cpu_s,
        measured.wall_s,
        measured.memory_mb,
        *(measured.statistics.get(key) for key in COUNTS.values()),
        measured.certificate,
        measured.reason,
    ]
