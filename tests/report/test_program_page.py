"""The page of a program, as data and in a real browser."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from argosy.report.exporters import Decided
from argosy.report.functions import graphs_by_function
from argosy.report.program_page import content_of, program_page
from argosy.session.run import decide
from argosy.session.task import Task
from tests.bench.browser import needs_browser, use

PROGRAM = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int limit = 3;
int check(int value) {
  if (value > limit) { reach_error(); }
  return value + 1;
}
int main(void) {
  int i = 0, n = __VERIFIER_nondet_int();
  check(0);
  while (i < n) {
    i = check(i);
  }
  return 0;
}
"""


LEARNING = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), locked = 0;
  while (__VERIFIER_nondet_int()) {
    if (n > 0) { locked = 1; }
    if (n <= 0 && locked == 1) { reach_error(); }
    locked = 0;
  }
  return 0;
}
"""


def decided(folder: Path, text: str, name: str = "p.c", strategy: str = "auto", **choices: Any) -> Decided:
    path = folder / name
    path.write_text(text)
    return decide(Task.of(str(path), strategy=strategy, time_limit=60, **choices))


@pytest.fixture(scope="module")
def unsafe(tmp_path_factory: pytest.TempPathFactory) -> Decided:
    return decided(tmp_path_factory.mktemp("page"), PROGRAM)


@pytest.fixture(scope="module")
def safe(tmp_path_factory: pytest.TempPathFactory) -> Decided:
    return decided(tmp_path_factory.mktemp("page"), PROGRAM.replace("value > limit", "value < 0"), strategy="lbe")


def test_a_function_is_drawn_once_however_often_it_is_called(unsafe: Decided) -> None:
    graphs = graphs_by_function(unsafe.problem.model.cfa)
    check = graphs["check"].graph
    texts = [line.text for arc in check.arcs for line in arc.lines]
    assert texts.count("[value > limit]") == texts.count("[!(value > limit)]") == 1
    calls = [vertex for vertex in graphs["main"].graph.vertices if "call" in vertex.marks]
    assert [vertex.lines[0].text for vertex in calls] == ["check()", "check()"]
    main = graphs["main"].graph
    for number, vertex in enumerate(main.vertices):
        if "call" in vertex.marks:
            assert any(arc.source == number for arc in main.arcs), "a call comes back"


def test_both_ways_of_a_condition_lead_to_different_places(safe: Decided) -> None:
    graphs = graphs_by_function(safe.problem.model.cfa)
    targets = [arc.target for arc in graphs["check"].graph.arcs if "value < 0" in arc.lines[0].text]
    assert len(targets) == len(set(targets)) == 2


def test_every_step_has_its_line_its_depth_and_its_arc(unsafe: Decided) -> None:
    (answer,) = content_of(unsafe)["answers"]
    steps = answer["steps"]
    assert steps[-1]["line"] == 5 and steps[-1]["depth"] == 1 and steps[-1]["function"] == "check"
    functions = {each["name"]: each for each in content_of(unsafe)["functions"]}
    for step in steps:
        function, arc = step["arc"]
        labels = [route["text"] for route in functions[function]["routes"] if route["arc"] == arc]
        assert labels == [[("operation", step["text"])]]


def test_what_is_not_initialised_is_no_input(tmp_path: Path) -> None:
    text = PROGRAM.replace("int main(void) {", "int main(void) { int junk; if (junk) limit = 3;")
    found = decided(tmp_path, text)
    (answer,) = content_of(found)["answers"]
    assert [step["text"] for step in answer["steps"] if step["chosen"]] == ["n = __VERIFIER_nondet_int()"]
    assert answer["said"].endswith("after 1 input") and any(step["text"] == "junk = ?" for step in answer["steps"])


def test_an_invariant_stands_at_its_loop(safe: Decided) -> None:
    (answer,) = content_of(safe)["answers"]
    assert not answer["steps"]
    assert [claim["line"] for claim in answer["claims"] if claim["kind"] == "loop"] == [11]


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Decided:
    """By predicates, with everything written down that a report shows."""
    path = tmp_path_factory.mktemp("page") / "p.c"
    path.write_text(LEARNING)
    return decide(Task.of(str(path), strategy="lbe", arithmetic="int", time_limit=60, exports={"report": "r.html"}))


def test_what_was_learned_is_told_in_the_words_of_the_language(learned: Decided) -> None:
    content = content_of(learned)
    told = [each for lesson in content["lessons"] for each in lesson["learned"]]
    assert len(content["lessons"]) == learned.result.statistics["refinements"] > 0
    assert any(each["text"].startswith("locked ") and 5 in each["lines"] for each in told)
    assert [lesson["number"] for lesson in content["lessons"]] == list(range(1, len(content["lessons"]) + 1))


def test_the_time_of_each_stage_adds_up(learned: Decided) -> None:
    phases = {phase["name"]: phase for phase in content_of(learned)["phases"]}
    assert {"reducing", "lbe (int)", "certifying"} <= phases.keys()
    assert phases["lbe (int)"]["refinements"] == learned.result.statistics["refinements"]
    assert sum(phase["nodes"] for phase in phases.values()) == learned.result.statistics["nodes"]


def test_the_abstract_reachability_graph_is_there_by_refinement(learned: Decided) -> None:
    graph = content_of(learned)["reached"]
    size, last = len(graph["number"]), graph["graphs"]
    assert last == learned.result.statistics["refinements"] + 1
    assert sum(each == last for each in graph["last"]) == graph["size"] < size == learned.result.statistics["nodes"]
    assert all(1 <= first <= end <= last for first, end in zip(graph["first"], graph["last"], strict=True))
    assert not graph["parents"][0] and graph["marks"][0] & 1
    for number in range(1, last + 1):
        there = [n for n in range(size) if graph["first"][n] <= number <= graph["last"][n]]
        # What a refinement found has an error in it, the proof has none; whoever covers is there, at the same place.
        assert any(graph["marks"][n] & 2 for n in there) == (number < last)
        for node in there:
            assert all(parent < node and parent in there for parent in graph["parents"][node][:1])
            assert graph["coverer"][node] < 0 or graph["line"][node] == graph["line"][graph["coverer"][node]]
    assert any(graph["coverer"][node] >= 0 for node in there)


def test_of_a_large_graph_the_oldest_nodes_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("argosy.backends.recorder.MOST_NODES", 5)
    (tmp_path / "p.c").write_text(LEARNING)
    task = Task.of(str(tmp_path / "p.c"), strategy="lbe", arithmetic="int", time_limit=60, exports={"report": "r.html"})
    graph = content_of(decide(task))["reached"]
    assert graph["graphs"] == 1 and len(graph["number"]) == 5 < graph["size"]
    assert graph["number"] == sorted(graph["number"]) and not graph["parents"][0]


def test_who_asks_for_no_report_has_nothing_written_down(safe: Decided) -> None:
    content = content_of(safe)
    assert content["lessons"] == [] and content["reached"] is None and content["phases"]


@needs_browser
def test_how_a_run_went(learned: Decided, tmp_path: Path) -> None:
    content = content_of(learned)
    graph = content["reached"]
    covered = next(n for n, by in enumerate(graph["coverer"]) if by >= 0 and graph["last"][n] == graph["graphs"])
    seen = use(
        program_page(learned),
        """const seen = { learned: text("#lessons li").length, stages: text("#phases td:first-child"),
          nodes: text("#reached .legend li")[0], note: text("#reached-note")[0] };
        const surface = document.querySelector("#reached canvas");
        const press = (key) => surface.dispatchEvent(new KeyboardEvent("keydown", { key }));
        press("ArrowDown");
        seen.root = text("#reached h3")[0];
        choose("node-search", "COVERED");
        seen.found = text("#node-hits")[0];
        seen.covered = text("#reached dd");
        seen.address = location.hash;
        press("c");
        seen.coverer = text("#reached h3")[0];
        choose("node-graph", "1");
        seen.earlier = text("#reached .when")[0];
        press("Escape");
        seen.before = text("#reached .legend li");
        click("#lessons li button");
        seen.shown = text("#source .row .number").length > 0;
        return seen;""".replace("COVERED", f"node {graph['number'][covered]}"),
        tmp_path,
    )
    assert seen["learned"] >= len(content["lessons"]) and "lbe (int)" in seen["stages"] and seen["shown"]
    assert seen["nodes"] == f"{graph['size']} nodes" and seen["root"] == f"Node {graph['number'][0]}"
    coverer = graph["number"][graph["coverer"][covered]]
    assert seen["found"] == "1 of 1" and seen["address"] == f"#node={graph['number'][covered]}"
    assert any(each.startswith(str(coverer)) and "every state of this node" in each for each in seen["covered"])
    assert seen["coverer"] == f"Node {coverer}" and seen["earlier"] == "what refinement 1 found"
    there = [mark for mark, first in zip(graph["marks"], graph["first"], strict=True) if first == 1]
    assert seen["before"][0] == f"{len(there)} nodes" and seen["before"][3].startswith("1 ")


CALLS = """int count, limit;
void inner(void) { count = count + 1; }
void outer(void) { inner(); }
void other(void) { limit = limit + 1; }
int down(int n) { if (n > 0) { n = down(n - 1); } return n; }
int main(void) { count = 1; outer(); other(); count = 2; down(3); assert(count == 2); return 0; }
"""


def test_calls_stand_in_their_callers(tmp_path: Path) -> None:
    """Steps that come back from two calls at once, that end one call and begin another, and calls of oneself."""
    graphs = graphs_by_function(decided(tmp_path, CALLS).problem.model.cfa)

    def called(name: str) -> set[str]:
        return {v.lines[0].text for v in graphs[name].graph.vertices if "call" in v.marks} if name in graphs else set()

    # Nothing happens in outer before it calls, nor behind that.
    assert called("main") == {"inner()", "other()", "down()"}
    assert called("down") == {"down()"}
    assert not called("inner") and not called("other")
    for graph in (each for name, each in graphs.items() if name):
        calls = [place for place, vertex in enumerate(graph.graph.vertices) if "call" in vertex.marks]
        assert all(any(arc.source == call for arc in graph.graph.arcs) for call in calls), "a call comes back"


STEPS = """
const seen = { verdict: text("#verdict"), headline: text("#headline"), where: text("#where") };
seen.stack = text("#stack li");
const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
press("Home"); press("j"); press("j");
seen.third = [...text("#where"), ...text("#source .row.here .number"), location.hash];
press("Home"); press("i");
seen.input = text("#steps .row.here .chosen");
press("End"); press("j"); press("k");
seen.end = text("#where");
seen.passed = document.querySelectorAll("#graph path.passed").length > 0;
seen.fits = document.documentElement.scrollWidth <= innerWidth;
click("#theme");
seen.dark = document.documentElement.dataset.theme;
return seen;
"""


@needs_browser
def test_stepping_by_keys(unsafe: Decided, tmp_path: Path) -> None:
    count = len(unsafe.result.counterexample)
    seen = use(program_page(unsafe), STEPS, tmp_path)
    assert seen["verdict"] == ["Verdict: UNSAFE"] and "p.c:5 in check" in seen["headline"][0]
    assert seen["where"] == [f"step {count} of {count}"]
    assert [each.split(",")[0] for each in seen["stack"]] == ["main", "check"]
    third = unsafe.result.counterexample[2]
    assert seen["third"] == [f"step 3 of {count}", str(third["line"]), "#step=3"]
    assert seen["input"] == ["n = __VERIFIER_nondet_int()"]
    assert seen["end"] == [f"step {count - 1} of {count}"]
    assert seen["passed"] and seen["fits"] and seen["dark"] in ("light", "dark")


HOSTILE = '<script>alert(1)</script></script><img src=x onerror="document.title=1">'


@needs_browser
def test_no_text_is_markup(unsafe: Decided, tmp_path: Path) -> None:
    answer = dict(unsafe.result.answers[0])
    answer["counterexample"] = [{**step, "operation": HOSTILE} for step in answer["counterexample"]]
    result = replace(unsafe.result, input=f"{HOSTILE}.c", answers=[answer], ledger=[HOSTILE])
    seen = use(
        program_page(replace(unsafe, result=result)),
        "return { images: document.images.length, title: text('#title'), ledger: text('#ledger li') };",
        tmp_path,
    )
    assert seen == {"images": 0, "title": [f"{HOSTILE}.c"], "ledger": [HOSTILE]}


@needs_browser
def test_of_a_long_text_only_what_is_seen_is_in_the_page(unsafe: Decided, tmp_path: Path) -> None:
    path = tmp_path / "long.c"
    path.write_text("\n".join(f"line {number};" for number in range(1, 10_001)))
    place = {"file": str(path), "physical": {"file": str(path), "line": 9000}, "line": 9000}
    steps = [{**unsafe.result.counterexample[-1], **place} for _ in range(5000)]
    answer = {**unsafe.result.answers[0], "counterexample": steps}
    result = replace(unsafe.result, input=str(path), answers=[answer])
    seen = use(
        program_page(replace(unsafe, result=result)),
        """const start = performance.now();
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "k", bubbles: true }));
        return { elements: document.querySelectorAll(".row").length, here: text("#source .row.here .number"),
          all: document.querySelectorAll("*").length, took: performance.now() - start };""",
        tmp_path,
    )
    assert seen["here"] == ["9000"] and seen["elements"] < 300 and seen["all"] < 2500


FREED = """extern void *malloc(unsigned long); extern void free(void *);
struct n { struct n *next; int v; };
struct n *list;
int main(void) {
  struct n *p = malloc(sizeof *p), *q = malloc(sizeof *q);
  p->next = q; q->next = p; q->v = 3; list = p;
  free(p);
  q->next->v = 4;
  return 0;
}
"""


def test_memory_is_drawn_where_its_safety_is_violated(tmp_path: Path) -> None:
    path = tmp_path / "freed.c"
    path.write_text(FREED)
    found = decide(Task.of(str(path), strategy="bmc", property="valid-memsafety", data_model="ILP32", time_limit=60))
    (answer,) = content_of(found)["answers"]
    drawn = answer["memory"]
    lines = [[text for _, text in box["text"]] for box in drawn["boxes"]]
    (wrong,) = [number for number, box in enumerate(drawn["boxes"]) if "error" in box["marks"]]
    assert lines[wrong][0] == "the block from malloc at line 5 (8 bytes)" and "freed" in lines[wrong]
    assert "use of memory after it was freed" in lines[wrong] and "at offset 4" in lines[wrong]
    # What leads there, by its name: two pointers of the program, and a member of the other block.
    arcs = [(route["text"], route["arc"]) for route in drawn["routes"]]
    assert ["next"] in [[text for _, text in texts] for texts, _ in arcs]
    assert {"list", "main::p", "main::q"} <= {line for box in lines for line in box}
    assert any("v = 3" in box for box in lines)


def test_other_violations_have_no_picture_of_memory(unsafe: Decided) -> None:
    (answer,) = content_of(unsafe)["answers"]
    assert answer["memory"] is None
