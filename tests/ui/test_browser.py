"""The workbench in a real browser: a program, a network, a controller and a circuit are asked about, watched, stepped
through and simulated; the server is restarted in the middle. The console stays empty, and nobody else is asked."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from argosy.backends.course import AbstractNode, Course
from argosy.basics.position import Position
from argosy.models.cfa import Location
from argosy.report.course import reached_graph
from tests.bench.browser import needs_browser
from tests.ui.browser import Browser, browsing
from tests.ui.served import Served
from tests.ui.test_server import BOMB, HOSTILE, PROGRAM

MISSING = [name for name in ("starlette", "uvicorn", "websockets") if find_spec(name) is None]
pytestmark = [needs_browser, pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")]

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
CONTROLLER = (
    "PROGRAM p\nVAR_INPUT go : BOOL; END_VAR\nVAR_OUTPUT n : INT; END_VAR\nIF go AND n < 5 THEN n := n + 1; END_IF;\n"
    "//#ASSERT n < 2 : few;\n//#ASSERT n >= 0 : not_negative;\nEND_PROGRAM\n"
)
MARKUP = (
    'int main(void) { char *s = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"; return s != 0; }\n'
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("work")
    (folder / "p.c").write_text(PROGRAM)
    (folder / HOSTILE).write_text(MARKUP)
    (folder / "bomb.c").write_text(BOMB)
    (folder / "long.c").write_text("\n".join(f"int x{k};" for k in range(20_000)) + "\nint main(void) { return 0; }\n")
    (folder / "p.st").write_text(CONTROLLER)
    for name in ("ta/fischer_bug.xml", "systems/fifo_overflow.btor2"):
        shutil.copy(EXAMPLES / name, folder)
    served = Served(folder)
    try:
        yield served
    finally:
        served.stop()


@pytest.fixture(scope="module")
def browser(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browsing(tmp_path_factory.mktemp("profile")) as found:
        found.size(1280, 900)
        found.open(served.address)
        yield found
        assert found.console == []
        assert [url for url in found.requests if not url.startswith(f"http://{served.host}/")] == []


VERDICT = "document.querySelector('.questions td.verdict .pill.{}') !== null"


def answered(browser: Browser) -> None:
    """The program's page, after its first question was asked: by this test, if by no other."""
    browser.go("#/file/p.c")
    if not browser.does(f"return {VERDICT.format('unsafe')};"):
        browser.click(".questions td:last-child button")
    browser.until(VERDICT.format("unsafe"))


def test_a_program_is_asked_about_and_stepped_through(browser: Browser, served: Served) -> None:
    browser.go("#/file/p.c")
    assert browser.text(".questions td.what code")[0] == "unreach-call"
    browser.click(".questions td:last-child button")
    browser.until(VERDICT.format("unsafe"))
    browser.click(".questions td.verdict a")
    browser.until("document.documentElement.dataset.ready === 'yes'", frame=True)
    assert browser.text("#verdict", frame=True) == ["Verdict: UNSAFE"]
    whole = browser.text("#where", frame=True)[0].split()[-1]
    browser.key("Home")
    browser.until("location.hash.includes('step%3D1')")
    browser.key("j")
    browser.until("location.hash.endsWith('step%3D2')")
    assert browser.text("#where", frame=True) == [f"step 2 of {whole}"]
    # The same place again, from its address.
    address = served.address + browser.does("return location.hash;")
    browser.open(served.address)
    browser.open(address)
    browser.until(f"document.getElementById('where')?.textContent === 'step 2 of {whole}'", frame=True)


def test_progress_is_watched_and_a_run_is_stopped(browser: Browser) -> None:
    browser.go("#/file/bomb.c")
    browser.does("const choice = document.getElementById('strategy'); choice.value = 'kinduction';")
    browser.click(".questions td:last-child button")
    browser.until("document.querySelector('#live .progress') !== null")
    # Another one waits; the folder's page has both, and stops either.
    browser.click(".questions tr:nth-child(2) td:last-child button")
    browser.go("#/")
    browser.until("document.querySelectorAll('#waiting tr').length === 2")
    browser.click("#waiting tr:nth-child(2) button")
    browser.until("document.querySelectorAll('#waiting tr').length === 1")
    browser.click("#waiting a")
    browser.until("[...document.querySelectorAll('.progress span')].some((each) => each.innerText === 'nodes')")
    browser.key("s")
    browser.until("document.querySelector('#message')?.innerText === 'stopped'")
    browser.key("h")
    browser.until("document.querySelectorAll('#recent tr').length >= 2")
    assert browser.text("#recent tr .pill")[:2] == ["stopped", "stopped"]


def test_two_strategies_are_compared(browser: Browser) -> None:
    answered(browser)
    browser.does("const choice = document.getElementById('strategy'); choice.value = 'lbe';")
    browser.click(".questions td:last-child button")
    browser.until("bench.live.length > 0")
    browser.until("bench.live.length === 0")
    browser.go("#/file/p.c?tab=runs")
    for box in (1, 2):
        browser.click(f"tbody tr:nth-child({box}) input")
    browser.click("#compare")
    browser.until("document.querySelector('#bars') !== null")
    assert browser.text("#changes") == ["Both give the same answers."]
    assert {"lbe", "auto"} <= set(browser.text("#bars span"))


def test_two_versions_are_compared(browser: Browser, served: Served) -> None:
    for holds, verdict in (("0", "safe"), ("1", "unsafe")):
        text = f"void reach_error(void); int main(void) {{ if ({holds}) reach_error(); }}\n"
        (served.folder / "versions.c").write_text(text)
        browser.go("#/")
        browser.go("#/file/versions.c")
        browser.click(".questions td:last-child button")
        browser.until(VERDICT.format(verdict))
    browser.go("#/file/versions.c?tab=runs")
    for box in (1, 2):
        browser.click(f"tbody tr:nth-child({box}) input")
    browser.click("#compare")
    browser.until("document.querySelector('#changes h2')?.innerText === 'Answers that differ'")
    assert "Two versions: versions.c changed in between." in browser.text(".title-line p")


def test_a_network_is_asked_about_and_its_run_is_left(browser: Browser) -> None:
    browser.go("#/file/fischer_bug.xml")
    browser.key("a")
    browser.until(VERDICT.format("unsafe"))
    browser.key("o")
    browser.click("#leave")
    browser.until("document.querySelector('#where')?.innerText.startsWith('step')")
    steps = int(browser.text("#where")[0].split()[-1])
    assert sum("critical" in each for each in browser.text(".values-table tr")) == 2
    # The chart has a row for each step, with the locations that are entered in it.
    names = "[...document.querySelectorAll('#messages .here .name')].map((each) => each.textContent).join()"
    browser.until(f"{names} === 'critical'")
    browser.until(f"document.querySelectorAll('#messages .time').length === {steps}")
    browser.key("k")
    browser.until(f"document.querySelector('#where').innerText === 'step {steps - 1} of {steps}'")
    browser.does(
        "[...document.querySelectorAll('#view .title-line button')].find((each) => each.id === 'leave').click();"
    )
    browser.until(f"document.querySelector('#where').innerText === 'step {steps - 1} of {steps - 1}'")
    browser.until("document.querySelectorAll('#offers button').length > 0")
    assert len(browser.text(".clocks .track")) == 3 and browser.text("#zone code")
    assert browser.does("return document.querySelectorAll('.clocks .zone').length;") == 3
    browser.key("1")
    browser.until(f"document.querySelector('#where').innerText === 'step {steps} of {steps}'")
    browser.key("e")
    browser.until("document.querySelectorAll('.files a').length === 4")


def test_a_controller_is_asked_about_and_simulated(browser: Browser) -> None:
    browser.go("#/file/p.st")
    browser.key("a")
    browser.until(VERDICT.format("unsafe"))
    assert browser.text(".questions td.verdict") == ["UNSAFE", "SAFE"]
    browser.go("#/file/p.st?tab=simulate")
    browser.click("#new")
    browser.click("#inputs input")
    for cycle in (1, 2):
        browser.click("#step")
        browser.until(f"document.querySelector('#where').innerText === 'step {cycle} of {cycle}'")
    assert "violated in cycle 2: few: n < 2" in browser.text("#view .unsafe")
    browser.click("#waves")
    assert browser.does("return document.querySelectorAll('#cycles .wave .up').length;") == 2
    assert browser.text("#cycles .bus span") == ["1", "2"]
    browser.does("location.reload();")
    browser.until("document.querySelector('#where')?.innerText === 'step 2 of 2'")


def test_a_circuit_of_ten_thousand_cycles_is_fast(browser: Browser) -> None:
    """Every interaction is over within a tenth of a second, layout included."""
    browser.go("#/file/fifo_overflow.btor2")
    browser.until("document.querySelector('.questions') !== null")
    browser.key("a")
    browser.until(VERDICT.format("unsafe"))
    browser.go("#/file/fifo_overflow.btor2?tab=simulate")
    browser.click("#new")
    browser.until("document.querySelector('#many') !== null")
    browser.does("document.getElementById('many').value = 10000; document.getElementById('play').click();")
    browser.until("document.querySelector('#where').innerText === 'step 10000 of 10000'")
    stepped = """
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "KEY", bubbles: true }));
        document.body.getBoundingClientRect();"""
    keys = ["k", "k", "Home", "j", "j", "End", "k"]
    assert spent(browser, [stepped.replace("KEY", key) for key in keys]) < 0.1
    assert browser.does("return document.querySelectorAll('#steps .row').length;") < 200
    browser.go("#/file/long.c?tab=source")
    scrolled = """
        const pane = document.getElementById("source");
        pane.scrollTop = TOP;
        pane.dispatchEvent(new Event("scroll"));
        pane.getBoundingClientRect();"""
    tops = [200000, 399000, 100000, 0, 500000]
    assert spent(browser, [scrolled.replace("TOP", str(top)) for top in tops]) < 0.1
    assert browser.text("#source .row .number")[-1] == "20001"
    # A line has an address.
    browser.click("#source .row:last-child .number")
    browser.until("location.hash.endsWith('&line=20001')")
    browser.key("k")
    browser.until("location.hash.endsWith('&line=20000') && document.querySelector('#source .row.here') !== null")


def spent(browser: Browser, interactions: list[str], frame: bool = False) -> float:
    """Seconds of processor time of the page for the longest of them, painting included: others may use the machine."""
    session = browser.frame if frame else None
    browser.send("Performance.enable", session, timeDomain="threadTicks")

    def used() -> float:
        metrics = browser.send("Performance.getMetrics", session)["metrics"]
        return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))

    longest = 0.0
    for each in interactions:
        begun = used()
        browser.does(each + "await new Promise((done) => setTimeout(done, 50));", frame)
        longest = max(longest, used() - begun)
    return longest


def twenty_thousand_nodes() -> Course:
    """A loop that is unrolled, with exits, some of which are covered by earlier ones; the last node is an error."""
    size = 20_000

    def node(number: int) -> AbstractNode:
        exit_, last = number % 3 == 2, number == size - 1
        parent = number - 2 if number % 3 == 0 else number - 1
        location = Location(number % 3, "main", Position("p.c", 3 + number % 3))
        coverer = number - 3 if exit_ and number > 10 and not last else None
        parents = ((parent, f"x = {number}"),) if number else ()
        return AbstractNode(number, location, None, parents, coverer, last, False, 1 if number < 5000 else 2, 2)

    return Course((), (), [node(number) for number in range(size)], size, 2)


def test_twenty_thousand_nodes_are_browsed(browser: Browser, served: Served) -> None:
    """In the report of a run, opened at the address of a node; searched, walked through, by refinement."""
    answered(browser)
    browser.go("#/file/p.c?tab=runs")
    run = served.asks("file", name="p.c")["runs"][0]["id"]
    report = served.folder / ".argosy" / "runs" / run / "report.html"
    before, data = report.read_text(), '<script id="data" type="application/json">'
    head, _, rest = before.partition(data)
    old, _, tail = rest.partition("</script>")
    content = {**json.loads(old), "reached": reached_graph(twenty_thousand_nodes())}
    report.write_text(head + data + json.dumps(content).replace("<", "\\u003c") + "</script>" + tail)
    try:
        browser.go(f"#/run/{run}?at=node%3D11")
        browser.until("document.querySelector('#reached h3')?.innerText === 'Node 11'", frame=True)
        assert "8\n\nat the same location" in "\n".join(browser.text("#reached dd", frame=True))
        pressed = "const pane = document.querySelector('#reached canvas'); pane.focus();" + (
            "pane.dispatchEvent(new KeyboardEvent('keydown', { key: 'KEY' }));"
        )
        told = "const field = document.getElementById('ID'); field.value = 'TEXT';" + (
            "field.dispatchEvent(new Event('input'));"
        )
        interactions = [pressed.replace("KEY", key) for key in ("c", "ArrowUp", "ArrowDown", "0", "+", "+", "-")]
        interactions += [told.replace("ID", "node-search").replace("TEXT", text) for text in ("line 5", "node 19999")]
        interactions += [told.replace("ID", "node-graph").replace("TEXT", text) for text in ("1", "2")]
        assert spent(browser, interactions[:9], frame=True) < 0.1
        assert browser.text("#reached h3", frame=True) == ["Node 19999"]
        browser.until("location.hash.endsWith('node%3D19999')")
        assert spent(browser, interactions[9:], frame=True) < 0.1
        assert browser.does("return document.querySelectorAll('#reached *').length;", frame=True) < 100
    finally:
        report.write_text(before)


def test_a_hostile_name_and_program_are_text(browser: Browser) -> None:
    listed = browser.text("#listed a")
    assert HOSTILE in listed
    browser.does(f"[...document.querySelectorAll('#listed a')][{listed.index(HOSTILE)}].click();")
    browser.until("document.querySelector('h1')?.innerText.startsWith('<img')")
    browser.click("[data-tab='2']")
    browser.until("document.querySelector('#source .row') !== null")
    assert "<script>alert(1)</script>" in browser.text("#source .row")[0]
    assert browser.does("return document.querySelectorAll('#view img, #view script, #listed img').length;") == 0


def test_a_restart_in_the_middle_loses_nothing(browser: Browser, served: Served) -> None:
    answered(browser)
    served.stop()
    browser.until("!document.getElementById('notice').hidden")
    served.start()
    browser.until("document.getElementById('notice').hidden")
    browser.until(VERDICT.format("unsafe"))
    (served.folder / "p.c").write_text(PROGRAM.replace("x == 7", "x == 9"))
    browser.until("document.querySelector('.questions .stale-mark') !== null")
    # That nobody answered is what the browser itself wrote down.
    browser.console[:] = [line for line in browser.console if "ERR_" not in line]
