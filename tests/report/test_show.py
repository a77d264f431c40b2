"""``argosy show``: networks, programs, formats, and what cannot be drawn."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from argosy.basics.errors import UsageError
from argosy.cli import show as module
from argosy.cli.show import drawn, graphs
from argosy.frontends.uppaal import load
from argosy.report.graphs import graphs_of_network
from argosy.session.run import read
from argosy.session.task import Task

EXAMPLES = Path(__file__).parents[2] / "examples"


def argosy_show(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "argosy", "show", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_processes_that_look_the_same_share_a_graph() -> None:
    trains, gate = graphs_of_network(load(str(EXAMPLES / "ta" / "train_gate.xta"))[0])
    assert (trains.title, gate.title) == ("T: T(0), T(1)", "Gate")
    assert [vertex.lines[0].text for vertex in trains.vertices] == ["away", "coming", "crossing", "stopped", "starting"]
    assert trains.vertices[1].lines[1].text == "x <= 20" and trains.vertices[0].marks == ("initial",)
    assert gate.vertices[2].marks == ("committed",)
    # Five edges as written; select makes eight of them.
    assert len(gate.arcs) == 5 and len(trains.arcs) == 6
    assert [(line.kind, line.text) for line in gate.arcs[1].lines] == [
        ("select", "train : Train"),
        ("guard", "count == 0"),
        ("synchronisation", "near[train]?"),
        ("update", "enqueue(train)"),
    ]


def test_a_program() -> None:
    found = graphs(read(Task.of(str(EXAMPLES / "c" / "lock.c")), deep=True))
    assert [graph.title for graph in found][:2] == ["file level", "main"]
    marks = [vertex.marks for graph in found for vertex in graph.vertices]
    assert ("error",) in marks and "initial" in marks[0]
    assert any(line.text == "held = 1" for graph in found for arc in graph.arcs for line in arc.lines)


@pytest.mark.parametrize(
    ("name", "arguments", "start"),
    [
        (None, (), "<svg"),
        ("m.svg", (), "<svg"),
        ("m.html", (), "<!DOCTYPE html>"),
        ("m.dot", (), "digraph"),
        ("m.txt", ("--format", "dot"), "digraph"),
    ],
)
def test_formats(tmp_path: Path, name: str | None, arguments: tuple[str, ...], start: str) -> None:
    model = str(EXAMPLES / "ta" / "fischer.xml")
    out = () if name is None else ("--out", str(tmp_path / name))
    run = argosy_show(model, *out, *arguments)
    text = run.stdout if name is None else (tmp_path / name).read_text()
    assert run.returncode == 0 and run.stderr == "" and text.startswith(start)
    for name in ("http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml", "http-equiv"):
        text = text.replace(name, "")
    assert "http" not in text
    if start == "<svg":
        Xml.fromstring(text)


def test_what_cannot_be_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "broken.xta"
    broken.write_text("process P() { state a; init b; } system P;")
    run = argosy_show(str(broken))
    assert run.returncode == 2 and f"{broken}:1:" in run.stderr
    assert argosy_show(str(broken), "--format", "png").returncode == 1
    assert argosy_show(str(EXAMPLES / "c" / "lock.c"), "--out", str(tmp_path / "no" / "x.svg")).returncode == 1
    monkeypatch.setattr(module, "LARGEST", 3)
    lock = graphs(read(Task.of(str(EXAMPLES / "c" / "lock.c")), deep=True))
    with pytest.raises(UsageError, match="--format dot"):
        drawn(lock, "svg", "lock")
    assert drawn(lock, "dot", "lock").startswith("digraph")
