"""The pages of all kinds of models in a real browser: no message, no request, no markup of others, keys."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import argosy
from argosy.cli.show import drawn, graphs
from argosy.report.controller_page import cycles_page
from argosy.report.exporters import Decided, exported
from argosy.report.frame import framed
from argosy.report.graphs import Arc, Graph, Text, Vertex
from argosy.report.network_page import network_page
from argosy.report.placed import drawn as placed
from argosy.report.svg import svg
from argosy.session.run import decide, read
from argosy.session.task import Task
from tests.bench.browser import needs_browser, use

EXAMPLES = Path(__file__).parents[2] / "examples"
HOSTILE = '<script>alert(1)</script></script><img src=x onerror="document.title=1">'
QUERIES = "E<> T(1).crossing && T(0).stopped\nA[] T(0).x < 0\nE<> T(0).x < 0"


@pytest.fixture(scope="module")
def trains() -> Decided:
    pytest.importorskip("argosy.kernel._zones", reason="the native kernel is not built")
    return decide(Task.of(str(EXAMPLES / "ta" / "train_gate.xta"), query=QUERIES, time_limit=60))


ALONG = """
const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const seen = { answers: text("#answer-table tbody td:nth-child(3)"), where: text("#where"), note: text("#resting") };
press("Home"); press("j");
seen.second = [...text("#where"), ...text("#steps .row.here .number"), location.hash];
seen.moved = text("#state tr.changed td:first-child");
seen.band = [...document.querySelectorAll("#sequence g.here")].map((group) => group.dataset.step);
seen.clocks = document.querySelectorAll("#chart path.clock").length;
seen.now = document.querySelectorAll("#chart line.now").length;
seen.here = document.querySelectorAll("#graph rect.here").length;
seen.passed = document.querySelectorAll("#graph path.here").length;
click("#answer-table tbody tr:nth-child(3) button");
seen.proved = document.querySelector("#run-card").hidden;
seen.fits = document.documentElement.scrollWidth <= innerWidth;
return seen;
"""


@needs_browser
def test_along_the_run_of_a_network(trains: Decided, tmp_path: Path) -> None:
    [page] = dict(exported(trains, {"report": "r.html"})).values()
    seen = use(str(page), ALONG, tmp_path)
    count = len(trains.result.counterexample)
    assert [words.split(" (")[0] for words in seen["answers"]] == [
        "Formula is satisfied.",
        "Formula is NOT satisfied.",
        "Formula is NOT satisfied.",
    ]
    assert seen["where"] == [f"step {count} of {count}"] and seen["note"] == [""]
    assert seen["second"] == [f"step 2 of {count}", "2", "#answer=1&step=2"]
    assert seen["moved"][:2] == ["T(1)", "Gate"] and seen["band"] == ["1"]
    assert seen["clocks"] == 2 and seen["now"] == 1 and seen["here"] == 1 and seen["passed"] == 1
    assert seen["proved"] is True and seen["fits"] is True


@needs_browser
def test_no_text_of_a_network_is_markup(trains: Decided, tmp_path: Path) -> None:
    def hostile(step: Any) -> Any:
        edges = [{**edge, "process": HOSTILE, "target": HOSTILE, "synchronisation": HOSTILE} for edge in step["edges"]]
        values = {f"{HOSTILE}.location": HOSTILE, HOSTILE: 1, **step["values"]}
        return {
            **step,
            "operation": HOSTILE,
            "values": values,
            "edges": edges,
            "zone": [HOSTILE],
            "clocks": {HOSTILE: "1"},
        }

    answers = [
        {**answer, "text": HOSTILE, "counterexample": [hostile(step) for step in answer["counterexample"]]}
        for answer in trains.result.answers
    ]
    result = replace(trains.result, input=HOSTILE, answers=answers, ledger=[HOSTILE])
    seen = use(
        network_page(result),
        "return { images: document.images.length, scripts: document.scripts.length, title: text('#title') };",
        tmp_path,
    )
    assert seen == {"images": 0, "scripts": 3, "title": [HOSTILE]}


@needs_browser
@pytest.mark.parametrize("name", ["systems/fifo_overflow.btor2", "plc"])
def test_pages_that_are_drawn_already_have_the_same_frame(name: str, tmp_path: Path) -> None:
    if name == "plc":
        cycle = {"cycle": 1, "time": "T#0ms", "passed": "", "inputs": {HOSTILE: "TRUE"}, "outputs": {}, "memory": {}}
        entry = {"text": HOSTILE, "line": 1, "satisfied": False, "words": "VIOLATED", "verdict": "unsafe"}
        answer = {**entry, "reason": None, "certificate": "replay", "cycles": [{**cycle, "changed": []}]}
        page = cycles_page(argosy.Result("unsafe", input=HOSTILE, answers=[answer, answer]))
    else:
        [page] = map(str, dict(exported(decide(Task.of(str(EXAMPLES / name))), {"report": "r.html"})).values())
    seen = use(
        page,
        """click("#answer-table tbody button");
        return { verdict: text("#verdict"), images: document.images.length,
          pictures: document.querySelectorAll(".picture svg").length,
          fits: document.documentElement.scrollWidth <= innerWidth };""",
        tmp_path,
    )
    pictures = 2 if name == "plc" else 1
    assert seen == {"verdict": ["Verdict: UNSAFE"], "images": 0, "pictures": pictures, "fits": True}


LOOKED_AT = """
const width = () => Number(document.querySelector("#graph svg").getAttribute("width"));
const seen = { titles: text("#graph h3"), before: width() };
document.querySelector("#graph").dispatchEvent(new KeyboardEvent("keydown", { key: "+", bubbles: true }));
seen.larger = width() > seen.before;
choose("search", "count");
seen.found = text("#declared .row");
seen.images = document.images.length;
return seen;
"""


@needs_browser
def test_the_page_of_show_has_titles_declarations_and_zoom(tmp_path: Path) -> None:
    problem = read(Task.of(str(EXAMPLES / "ta" / "train_gate.xta"), query="A[] true"), deep=True)
    seen = use(drawn(graphs(problem), "html", HOSTILE, problem.model), LOOKED_AT, tmp_path)
    assert seen["titles"] == ["T: T(0), T(1)", "Gate"] and seen["larger"] is True and seen["images"] == 0
    assert [re.sub(r"\s", "", row) for row in seen["found"]] == ["int[0,2]Gate.count=0"]


def test_a_frame_without_a_page_is_a_page() -> None:
    assert framed((), argosy.Result("safe", input=HOSTILE), {}).count("<script>") == 1


# ---- coordinates of an editor ---------------------------------------------------------------------------------------

XML = """<nta><declaration>clock x;</declaration><template><name>P</name>
<location id="a" x="0" y="0"><name>first</name></location>
<location id="b" x="200" y="0"><name>second</name></location>
<location id="c" x="200" y="150"><name>third</name></location><init ref="a"/>
<transition><source ref="a"/><target ref="b"/><label kind="guard">x &gt; 1</label></transition>
<transition><source ref="b"/><target ref="c"/><nail x="260" y="75"/></transition>
<transition><source ref="c"/><target ref="a"/></transition>
</template><system>system P;</system></nta>"""


def test_coordinates_of_an_editor_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "p.xml"
    path.write_text(XML)
    [graph] = graphs(read(Task.of(str(path), query="A[] true"), deep=True))
    assert [vertex.at for vertex in graph.vertices] == [(0, 0), (200, 0), (200, 150)]
    drawing = placed(graph)
    (ax, ay, *_), (bx, by, *_), (cx, cy, *_) = drawing.boxes
    assert drawing.straight and ay == by and bx == cx and (bx - ax) / (cy - by) == pytest.approx(200 / 150)
    middle = next(route for route in drawing.routes if route.arc.nails)
    assert len(middle.points) == 3 and middle.points[1][0] > bx
    lines = [line for line in svg([graph]).splitlines() if 'class="arc"' in line]
    assert sum(line.count(" L") for line in lines) == 4, "two lines, and one with a bend"
    path.write_text(XML.replace('x="0" y="0"', 'x="left"'))
    [graph] = graphs(read(Task.of(str(path), query="A[] true"), deep=True))
    assert not placed(graph).straight, "in layers where a place is missing"


def test_boxes_that_an_editor_has_close_together_move_apart() -> None:
    def box(name: str, at: tuple[float, float]) -> Vertex:
        return Vertex((Text("name", name),), (), at)

    graph = Graph("g", (box("a long name", (0, 0)), box("another long name", (100, 10))), (Arc(0, 1),))
    (ax, _, aw, _), (bx, _, bw, _) = placed(graph).boxes
    assert bx - ax >= (aw + bw) / 2
    same = Graph("g", (box("a", (0, 0)), box("b", (0, 0))), ())
    assert not placed(same).straight
