"""The page of a study, in a real browser: it shows what was measured, and can be used."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from argosy.bench.page import content, page
from argosy.bench.records import RunRecord
from argosy.bench.study import RunLimits, Study
from argosy.bench.summary import StudySummary
from argosy.bench.tasks import BenchTask
from tests.bench.browser import needs_browser, script, use
from tests.bench.fakes import configuration, record, task

CONFIGURATIONS = [configuration("expl bfs", domain="expl"), configuration("pred dfs", domain="pred-bool")]
HOSTILE = "</script><script>document.title='taken'</script><b>&amp;\u2028'\"`"


def study(tasks: list[BenchTask], records: list[RunRecord], title: str = "RQ2") -> str:
    made = Study(title, tasks, CONFIGURATIONS, RunLimits(20, 20, 900))
    return page(made, StudySummary(tasks, CONFIGURATIONS, records))


@pytest.fixture(scope="module")
def example() -> str:
    tasks = [task(f"loops/l{n}.c", "safe" if n % 2 else "unsafe") for n in range(6)]
    tasks += [task(f"locks/k{n}.c", "safe", "locks") for n in range(4)]
    records = []
    for number, one in enumerate(tasks):
        expected = one.expected or ""
        records.append(record(one, CONFIGURATIONS[0], expected, 0.5 * 2**number, 40 + number))
        records.append(record(one, CONFIGURATIONS[1], expected if number % 3 else "", 3.0, 100))
    return study(tasks, records)


def test_nothing_is_fetched(example: str) -> None:
    assert "default-src 'none'" in example
    markup = re.sub(r"<script.*?</script>|<style.*?</style>", "", example, flags=re.S)
    assert not re.search(r"\b(src|href)\s*=", markup)
    assert not re.search(r"\b(fetch|import|XMLHttpRequest|WebSocket)\s*\(|@import|url\(", example)


def test_no_data_is_read_as_markup() -> None:
    tasks = [task(HOSTILE)]
    text = study(tasks, [record(tasks[0], CONFIGURATIONS[0])], HOSTILE)
    assert text.count("<script") == 2 and text.count("</script>") == 2
    data = re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.S)
    assert data is not None and json.loads(data[1])["tasks"][0][0] == HOSTILE


def test_cells_and_curves_come_computed() -> None:
    tasks = [task("a.c"), task("b.c")]
    records = [record(tasks[0], CONFIGURATIONS[0], "safe", 2.0), record(tasks[1], CONFIGURATIONS[0], "safe", 1.0)]
    made = Study("x", tasks, CONFIGURATIONS)
    found = content(made, StudySummary(tasks, CONFIGURATIONS, records))
    assert found["cactus"]["expl bfs"] == [1.0, 2.0] and found["heatmap"]["pred dfs"]["all"]["solved"] == 0
    assert len(found["rows"][0]) == len(found["columns"]) and found["runs"] == 4


@needs_browser
def test_what_the_page_shows(example: str, tmp_path: Path) -> None:
    seen = use(
        example,
        script("shows"),
        tmp_path,
    )
    assert seen["title"] == "RQ2" and seen["alarm"] == []
    assert seen["tiles"] == ["10", "2", "20", "10", "10", "0"]
    assert seen["head"] == ["configuration", "loops6 tasks", "locks4 tasks", "all10 tasks"]
    assert seen["names"] == ["expl bfs", "pred dfs", "virtual best"]
    assert seen["solved"].startswith("6") and "18 s" in seen["solved"] and "100 MB" in seen["solved"]
    assert seen["best"].startswith("6")
    assert seen["curves"] == [["expl bfs", 10], ["pred dfs", 6], ["virtual best", 10]]
    assert seen["marks"] == 10
    assert seen["note"].startswith("6 solved by both: expl bfs needs less on 2, pred dfs on 4. Only expl bfs solves 4,")
    assert seen["axes"] == ["expl bfs: processor time", "pred dfs: processor time"]
    assert {"solved tasks", "processor time for each", "1 s", "10 s", "10"} <= set(seen["ticks"])
    assert seen["rows"] == 20 and seen["first"][:6] == ["loops/l0.c", "loops", "expl bfs", "correct", "unsafe", "0.50"]
    assert seen["wide"], "the page itself does not scroll sideways"


@needs_browser
def test_the_page_can_be_used(example: str, tmp_path: Path) -> None:
    seen = use(
        example,
        script("used"),
        tmp_path,
    )
    assert (seen["time"], seen["memory"]) == ("18 s", "100 MB")
    assert seen["down"] == ["expl bfs", "pred dfs", "virtual best"]
    assert seen["up"] == ["pred dfs", "expl bfs", "virtual best"], "the virtual best stays below"
    assert seen["linear"] and seen["hidden"] == 2
    assert seen["axes"] == ["virtual best: nodes", "pred dfs: nodes"]
    assert seen["rising"] == sorted(seen["rising"]) and seen["falling"] == sorted(seen["rising"], reverse=True)
    assert seen["words"] == ["locks/k3.c", "locks/k3.c"]
    assert seen["late"] == ["loops/l0.c", "loops/l3.c", "locks/k0.c", "locks/k3.c"]
    assert seen["all"] == 20
    assert seen["clicked"] == [f"locks/k{n}.c" for n in range(4)]
    assert seen["marked"] == ["loops/l1.c", "loops/l1.c"]
    assert seen["tooltip"] == [False, "loops/l0.c"]
    assert seen["theme"] == [True, "dark"]


@needs_browser
def test_wrong_verdicts_stand_at_the_top_in_red(tmp_path: Path) -> None:
    tasks = [task("a.c"), task("b.c"), task(HOSTILE, None)]
    records = [record(t, c, "safe") for t in tasks[:2] for c in CONFIGURATIONS]
    records[1] = record(tasks[0], CONFIGURATIONS[1], "unsafe")
    records += [record(tasks[2], c, r) for c, r in zip(CONFIGURATIONS, ("safe", "unsafe"), strict=True)]
    seen = use(
        study(tasks, records, HOSTILE),
        script("wrong"),
        tmp_path,
    )
    assert seen["lines"] == [
        "a.c is safe, and pred dfs says unsafe",
        f"{HOSTILE} is safe for expl bfs and unsafe for pred dfs",
    ]
    assert seen["top"] and seen["red"] and seen["tile"] == ["1"] and seen["pill"] == ["wrong"]
    assert seen["title"] == HOSTILE


@needs_browser
def test_little_is_shown_too(tmp_path: Path) -> None:
    one = [task("a.c")]
    made = Study("nothing yet", one, CONFIGURATIONS[:1])
    empty = page(made, StudySummary(one, CONFIGURATIONS[:1], []))
    seen = use(empty, 'return [text(".tile b"), text("#runs-note"), text("#heatmap td.name")];', tmp_path, dark=True)
    assert seen == [["1", "1", "0", "0", "0"], ["0 of 0 runs, 0 of them solved"], ["expl bfs"]]


@needs_browser
def test_what_is_not_measured_yet_is_not_shown_as_unsolved(tmp_path: Path) -> None:
    tasks = [task("a.c"), task("b.c"), task("k.c", "safe", "locks")]
    some = [configuration("expl:search=dfs:prune=full"), *CONFIGURATIONS]
    records = [record(tasks[0], some[0]), record(tasks[0], some[1], ""), record(tasks[1], some[1], "")]
    made = page(Study("half", tasks, some), StudySummary(tasks, some, records))
    shown = 'return [text("#heatmap td.name"), text("#heatmap tbody tr:nth-child(-n+3) td.cell")];'
    names, cells = use(made, shown, tmp_path)
    assert names == ["expl search=dfs prune=full", "expl bfs", "pred dfs", "virtual best"]
    assert cells[0].startswith("1") and cells[0].endswith("of 1 so far")
    assert cells[1] == "" and cells[2].endswith("of 1 so far")
    assert cells[3:6] == ["0", "", "0of 2 so far"]
    assert cells[6:] == ["", "", ""]
