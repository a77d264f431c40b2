"""Runs of networks as XML and as pictures, from results as they are kept."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

import argosy
from argosy.report import sequence as pictures
from argosy.report.exporters import Decided, exported
from argosy.report.network_page import network_page
from argosy.report.sequence import resting, sequence
from argosy.report.uppaal_trace import trace_xml

pytest.importorskip("argosy.kernel._zones", reason="the native kernel is not built")

EXAMPLES = Path(__file__).parents[2] / "examples" / "ta"


def decided(name: str, query: str) -> argosy.Result:
    return argosy.verify(str(EXAMPLES / name), query=query, in_process=True, time_limit=60)


def files(result: argosy.Result, **exports: str) -> Iterator[tuple[str, str]]:
    for path, text in exported(Decided(SimpleNamespace(kind="network"), (), result), exports):
        assert isinstance(text, str)
        yield path, text


@pytest.fixture(scope="module")
def trains() -> argosy.Result:
    return decided("train_gate.xta", "E<> T(1).crossing && T(0).stopped\nA[] T(0).x < 0\nE<> T(0).x < 0")


def test_a_trace_as_xml(trains: argosy.Result) -> None:
    steps = trains.counterexample
    root = Xml.fromstring(trace_xml(steps, model="train_gate.xta", query="E<> a < b"))
    assert root.attrib["query"] == "E<> a < b"
    nodes = {node.attrib["id"]: node for node in root.iter("node")}
    assert list(nodes) == [f"State{k + 1}" for k in range(len(steps))] and root.attrib["initial_node"] == "State1"
    transitions = list(root.iter("transition"))
    assert [(t.attrib["from"], t.attrib["to"]) for t in transitions] == [
        (f"State{k + 1}", f"State{k + 2}") for k in range(len(steps) - 1)
    ]
    edges = {edge.attrib["id"]: edge for edge in root.iter("edge")}
    first = [edges[name] for name in transitions[0].attrib["edges"].split()]
    assert [edge.findtext("sync") for edge in first] == ["near[1]!", "near[1]?"]
    vectors = {vector.attrib["id"]: vector.attrib["locations"] for vector in root.iter("location_vector")}
    assert vectors[nodes["State1"].attrib["location_vector"]] == "T(0).away T(1).away Gate.free"
    assert (
        vectors[nodes[transitions[-1].attrib["to"]].attrib["location_vector"]]
        == "T(0).stopped T(1).crossing Gate.taken"
    )
    locations = {location.attrib["id"] for location in root.iter("location")}
    assert all(name in locations for vector in vectors.values() for name in vector.split())
    values = {
        vector.attrib["id"]: {state.attrib["variable"]: state.attrib["value"] for state in vector}
        for vector in root.iter("variable_vector")
    }
    assert values["VarVec1"]["Gate.count"] == "0" and values[f"VarVec{len(steps)}"]["Gate.count"] == "2"
    assert nodes["State3"].attrib["time"] == transitions[1].attrib["delay"] == "10"
    declared = [(clock.attrib["id"], clock.attrib["name"]) for clock in root.iter("clock")]
    assert declared == [("sys.t(0)", "t(0)"), ("T(0).x", "x"), ("T(1).x", "x")]
    assert [clock.attrib["name"] for clock in root.findall("system/process[@id='T(1)']/clock")] == ["x"]
    for instance in root.iter("dbm_instance"):
        rows = [(bound.attrib["clock1"], bound.attrib["clock2"]) for bound in instance]
        assert rows == [(first, second) for first, _ in declared for second, _ in declared]
        assert instance.text is None and all(bound.tail is None for bound in instance)


def test_bounds_of_a_zone_in_xml() -> None:
    step = {"operation": "", "line": 0, "values": {"P.location": "a", "n": 1, "P.b": True}, "delay": "0", "time": "0"}
    clocks = {"P.z": "0", "x": "3", "y": "2"}
    zone = ["x == 3", "y > 1", "P.z - x <= -2"]
    root = Xml.fromstring(trace_xml([{**step, "clocks": clocks, "edges": [], "zone": zone}], model="m", query="q"))
    bounds = [
        tuple(bound.attrib[name] for name in ("clock1", "clock2", "comp", "bound")) for bound in root.iter("clockbound")
    ]
    reference, x, y, z = "sys.t(0)", "sys.x", "sys.y", "P.z"
    assert bounds == [
        (reference, reference, "<=", "0"),
        (reference, x, "<=", "-3"),
        (reference, y, "<", "-1"),
        (reference, z, "<=", "0"),
        (x, reference, "<=", "3"),
        (x, x, "<=", "0"),
        (x, y, "<", "2"),
        (x, z, "<=", "3"),
        (y, reference, "<", "inf"),
        (y, x, "<", "inf"),
        (y, y, "<=", "0"),
        (y, z, "<", "inf"),
        (z, reference, "<=", "1"),
        (z, x, "<=", "-2"),
        (z, y, "<", "0"),
        (z, z, "<=", "0"),
    ]
    values = [(state.attrib["variable"], state.attrib["value"]) for state in root.iter("variable_state")]
    assert values == [("sys.n", "1"), ("P.b", "1")]
    with pytest.raises(ValueError, match="not a bound"):
        trace_xml([{**step, "clocks": {}, "edges": [], "zone": ["x"]}], model="m", query="q")


def parts(picture: str, tag: str, kind: str) -> list[Xml.Element]:
    return [e for e in Xml.fromstring(picture).iter() if e.tag.endswith(f"}}{tag}") and kind in e.get("class", "")]


def test_a_run_as_a_message_sequence(trains: argosy.Result) -> None:
    picture = sequence(trains.counterexample)
    assert [e.text for e in parts(picture, "text", "process")] == ["T(0)", "T(1)", "Gate"]
    assert [e.text for e in parts(picture, "text", "channel")] == ["near[1]", "near[0]", "stop[0]"]
    assert len(parts(picture, "line", "message")) == 3
    # Three initial locations; two, one, two and two that are entered.
    assert len(parts(picture, "rect", "box")) == 10
    assert [e.text for e in parts(picture, "text", "delay")] == ["+ 10"]
    ends = [(float(e.get("x1", 0)), float(e.get("x2", 0))) for e in parts(picture, "line", "message")]
    assert [start < end for start, end in ends] == [True, True, False]


def test_a_broadcast_has_an_arrow_to_each_receiver() -> None:
    result = decided("alarm.xta", "E<> Sense.rung && answered == 2")
    picture = sequence(result.counterexample)
    assert len(parts(picture, "line", "message")) == 1
    assert len(parts(picture, "path", "message")) == 1  # over the first receiver


def test_a_run_into_a_model_error(tmp_path: Path) -> None:
    for name, query in (("overflow.ta", None), ("first.xta", "E<> n == 2")):
        path = EXAMPLES / name
        if query is not None:
            path = tmp_path / name
            guard = "trans a -> a { guard 1 / n == 1; };"
            path.write_text(f"int[0, 3] n = 0; process P() {{ state a; init a; {guard} }} Q = P(); system Q;")
        result = argosy.verify(str(path), query=query, in_process=True, time_limit=60)
        assert result.verdict == "unknown" and result.counterexample
        Reader().feed(network_page(result))
        root = Xml.fromstring(trace_xml(result.counterexample, model=name, query="q"))
        assert len(list(root.iter("node"))) == len(result.counterexample)


def test_long_runs_lose_their_middle(trains: argosy.Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "LONGEST", 4)
    start, *steps = trains.counterexample
    picture = sequence([start, *steps * 3])
    assert "9 steps left out" in picture and picture.count("<g data-step=") == 4
    assert [int(row) for row in re.findall('data-step="([0-9]+)"', picture)] == [
        0,
        1,
        len(steps) * 3 - 1,
        len(steps) * 3,
    ]


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.scripts = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.scripts += tag == "script"
        if tag not in ("meta", "br", "th", "rect", "line", "path", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def content_of(page: str) -> Any:
    found = re.search('<script id="data" type="application/json">(.*?)</script>', page)
    assert found is not None
    return json.loads(found[1])


def test_the_page_has_every_query_and_no_markup_of_others(trains: argosy.Result) -> None:
    page = network_page(trains)
    reader = Reader()
    reader.feed(page)
    assert reader.open == [] and reader.scripts == 2
    answers = content_of(page)["answers"]
    assert [answer["text"] for answer in answers] == [query["query"] for query in trains.queries]
    assert [answer["colour"] for answer in answers] == ["safe", "unsafe", "unsafe"]
    assert answers[2]["said"] == "Formula is NOT satisfied. (certified by inductive zones)"
    assert "default-src 'none'" in page


def test_who_never_moves_is_said(tmp_path: Path) -> None:
    result = decided("fischer_bug.xml", "E<> P(1).critical")
    steps = result.counterexample
    assert resting(steps) == ["P(2)", "P(3)"] == content_of(network_page(result))["answers"][0]["resting"]
    assert [e.text for e in parts(sequence(steps), "text", "process")] == ["P(1)"]


def test_files_from_the_command_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "argosy", "verify", str(EXAMPLES / "fischer_bug.xml"), "--quiet"]
    run = subprocess.run([*command, "--output", str(tmp_path / "all")], capture_output=True, text=True, timeout=60)
    assert run.returncode == 10
    assert sorted(path.name for path in (tmp_path / "all").iterdir()) == ["report.html", "result.json", "trace.xml"]
    missing = str(tmp_path / "no" / "r.html")
    run = subprocess.run([*command, "--report", missing], capture_output=True, text=True, timeout=60)
    assert run.returncode == 1 and f"--report: cannot write {missing}" in run.stderr


def test_files_of_a_result(trains: argosy.Result) -> None:
    result = argosy.Result.from_json(trains.to_json())
    named = dict(files(result, report="r.html", witness="t.xml"))
    assert list(named) == ["r.html", "t-1.xml", "t-2.xml"]
    assert list(dict(files(result, output="out"))) == [
        "out/result.json",
        "out/report.html",
        "out/trace-1.xml",
        "out/trace-2.xml",
    ]
    safe = decided("train_gate.xta", "E<> T(0).x < 0")
    assert [path for path, _ in files(safe, witness="t.xml")] == []
    one = decided("train_gate.xta", "E<> T(0).coming")
    assert [path for path, _ in files(one, witness="t.xml")] == ["t.xml"]
