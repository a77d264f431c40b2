"""Results in BenchExec's XML, one file for each configuration, so that ``table-generator`` reads them.

The format is what BenchExec's own output has (``benchexec/outputhandler.py``): a ``result`` with its limits, and a
``run`` for each task with ``column`` elements; units stand in the values. No system is described, because the runs may
come from several.
"""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from xml.etree import ElementTree

from argosy.basics.processes import MEGABYTE
from argosy.basics.version import VERSION
from argosy.bench.records import CORRECT, EXCEPTION, WRONG, RunRecord
from argosy.bench.study import Study
from argosy.bench.summary import COUNTS, StudySummary
from argosy.report.result import SAFE, UNKNOWN
from argosy.session.watch import MEMORY, TIME

_STATUS = {TIME: "TIMEOUT", MEMORY: "OUT OF MEMORY", EXCEPTION: "ERROR", UNKNOWN: "unknown"}
_SHOWN = ("status", "cputime", "walltime", "memory", *COUNTS)


def run_sets(study: Study, summary: StudySummary) -> dict[str, str]:
    """The XML by file name."""
    now = datetime.now(UTC).replace(microsecond=0).isoformat()
    files = {}
    for number, configuration in enumerate(study.configurations, 1):
        root = ElementTree.Element(
            "result",
            benchmarkname=study.title,
            name=configuration.label,
            date=now,
            starttime=now,
            tool="argosy",
            version=VERSION,
            options=" ".join((*configuration.arguments, *study.options)),
            memlimit=f"{study.limits.memory_mb * MEGABYTE}B",
            timelimit=f"{study.limits.cpu_s:g}s",
            generator=f"argosy bench {VERSION}",
        )
        columns = ElementTree.SubElement(root, "columns")
        for title in _SHOWN:
            ElementTree.SubElement(columns, "column", title=title)
        for record in summary.of(configuration.label):
            root.append(_run(record))
        ElementTree.indent(root)
        name = re.sub(r"[^\w.+*=,-]+", "_", configuration.label)
        declaration = '<?xml version="1.0" encoding="utf-8"?>\n'
        files[f"{number:03}.{name}.results.xml"] = declaration + ElementTree.tostring(root, "unicode") + "\n"
    return files


def _run(record: RunRecord) -> ElementTree.Element:
    task, measured = record.task, record.measurement
    element = ElementTree.Element("run", name=task.name, files=f"[{os.path.basename(task.path)}]")
    element.set("properties", task.property or "unreach-call")
    if task.expected is not None:
        element.set("expectedVerdict", str(task.expected == SAFE).lower())
    values = {
        "status": _status(record),
        "cputime": f"{measured.cpu_s}s",
        "walltime": f"{measured.wall_s}s",
        "memory": f"{round(measured.memory_mb * MEGABYTE)}B",
        **{name: str(measured.statistics.get(key, "")) for name, key in COUNTS.items()},
    }
    for title, value in values.items():
        ElementTree.SubElement(element, "column", title=title, value=value)
    ElementTree.SubElement(element, "column", title="category", value=_category(record), hidden="true")
    return element


def _status(record: RunRecord) -> str:
    measured = record.measurement
    if not measured.result:
        return _STATUS[measured.termination]
    return "true" if measured.result == SAFE else f"false({measured.part or record.task.property or 'unreach-call'})"


def _category(record: RunRecord) -> str:
    """In BenchExec's words."""
    if record.outcome in (CORRECT, WRONG):
        return record.outcome
    if record.measurement.result:
        return "missing"
    return "unknown" if record.measurement.termination == UNKNOWN else "error"
