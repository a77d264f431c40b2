"""Networks of timed automata from the file to the verdict line: words, exit codes, runs, limits, broken models."""

from __future__ import annotations

import argparse
import io
import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import argosy
from argosy.backends.contract import Plan
from argosy.backends.network import _Queries
from argosy.basics.budget import PENDING, UNLIMITED, Budget
from argosy.basics.errors import InputError, UsageError
from argosy.cli import simulate
from argosy.models.network_queries import Query, goals
from argosy.session.run import read
from argosy.session.task import Task

pytest.importorskip("argosy.kernel._zones", reason="the native kernel is not built")

from argosy.kernel.search import Exhausted, ZoneSearch

EXAMPLES = Path(__file__).parent.parent / "examples" / "ta"
MODELS = sorted(path for path in EXAMPLES.iterdir() if path.suffix in (".xml", ".xta", ".ta"))

CLOCK = """
clock x;
int[0, 9] n = 0;
process P() {{
    state a{invariant}, b;
    init a;
    trans a -> b {{ guard {guard}; assign n = 1; }};
}}
Q = P();
system Q;
"""

# Seven processes that count on their own: more states than a test can wait for.
LARGE = """
process P() {
    clock x;
    int[0, 9] n = 0;
    state a { x <= 10 };
    init a;
    trans a -> a { guard x >= 7; assign x = 0, n = (n + 1) % 10; };
}
A = P(); B = P(); C = P(); D = P(); E = P(); F = P(); G = P();
system A, B, C, D, E, F, G;
"""


@pytest.fixture
def model(tmp_path: Path) -> Callable[..., str]:
    def write(text: str, name: str = "model.xta", queries: str | None = None) -> str:
        path = tmp_path / name
        path.write_text(text)
        if queries is not None:
            path.with_suffix(".q").write_text(queries)
        return str(path)

    return write


def simple(guard: str = "x >= 3", invariant: str = " { x <= 5 }") -> str:
    return CLOCK.format(guard=guard, invariant=invariant)


def decided(path: str | Path, **choices: Any) -> argosy.Result:
    return argosy.verify(path, in_process=True, time_limit=60, **choices)


def argosy_run(*arguments: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "argosy", "verify", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)


def test_a_lasso_is_shown_with_what_repeats(model: Callable[..., str]) -> None:
    looping = simple().replace("trans a -> b", "trans a -> a { guard x >= 1; assign x = 0; }, a -> b")
    path = model(looping)
    result = decided(path, query="A<> Q.b")
    answer = result.queries[0]
    assert (result.verdict, result.certificate, answer["formula"]) == ("unsafe", "replay", "Formula is NOT satisfied.")
    assert [step["repeats"] for step in answer["counterexample"]][-1] and "recurring" in answer
    run = argosy_run(path, "--query", "A<> Q.b")
    assert "* Q.a->Q.a" in run.stdout and "repeated for ever" in run.stdout
    assert decided(path, query="A<> Q.b", non_zeno="on").verdict == "unsafe"
    zeno = model(simple().replace("trans a -> b", "trans a -> a { }, a -> b"), "zeno.xta")
    assert decided(zeno, query="A<> Q.b").verdict == "unsafe"
    assert decided(zeno, query="A<> Q.b", non_zeno="on").verdict == "safe"


def test_extreme_values_are_shown_with_a_run(model: Callable[..., str]) -> None:
    path = model(simple(guard="x > 3"))
    result = decided(path, query="bounds{Q.b}: x, n\nsup{Q.a}: x\nsup{n == 2}: x")
    values = [(q["extreme"]["value"], q["extreme"]["attained"]) for q in result.queries]
    assert values == [(3, False), (None, False), (1, True), (1, True), (5, True), (None, False)]
    assert [q["extreme"]["infinite"] for q in result.queries] == [False, True, False, False, False, False]
    assert (result.verdict, result.certified) == ("safe", True)
    certificates = [q["certificate"] for q in result.queries]
    assert certificates == ["graph", "replay", "graph", "graph", "graph", "graph"]
    assert result.queries[4]["counterexample"][-1]["clocks"]["x"] == "5" and result.queries[-1]["extreme"]["empty"]
    assert 3 < Fraction(result.queries[0]["counterexample"][-1]["clocks"]["x"]) < 4
    run = argosy_run(path, "--query", "sup{Q.a}: x\ninf{Q.b}: x\nA[] Q.a imply x <= 100\nA[] Q.b imply x > 1")
    assert run.returncode == 0
    for words in ("sup = 5 (x <= 5)", "inf = 3 (x > 3, approached)", "what holds: x <= 5", "what holds: x > 1"):
        assert words in run.stdout


# ---- examples --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_example(path: Path) -> None:
    match = re.search(r"Expected verdict: (SAFE|UNSAFE|UNKNOWN)\n", path.read_text())
    assert match, f"{path.name} does not say its verdict"
    result = decided(path)
    assert result.verdict == match[1].lower(), result.reason
    assert result.certified == (result.verdict != "unknown")
    assert bool(result.counterexample) == (result.verdict != "safe")


def test_the_answers_do_not_depend_on_the_order() -> None:
    for search in ("bfs", "dfs", "random-dfs"):
        for path in MODELS:
            answers = [(q["verdict"], q["formula"]) for q in decided(path, search=search, seed=7).queries]
            assert answers == [(q["verdict"], q["formula"]) for q in decided(path).queries]


# ---- words, verdicts and exit codes ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "words", "verdict"),
    [
        ("E<> Q.b", "Formula is satisfied.", "unsafe"),
        ("E<> Q.b && x < 3", "Formula is NOT satisfied.", "safe"),
        ("A[] n == 0", "Formula is NOT satisfied.", "unsafe"),
        ("A[] Q.b imply x >= 3", "Formula is satisfied.", "safe"),
        ("A[] x <= 5", "Formula is NOT satisfied.", "unsafe"),
        ("E<> deadlock", "Formula is satisfied.", "unsafe"),
        ("A[] Q.a imply not deadlock", "Formula is satisfied.", "safe"),
        ("E<> x == 4 && Q.a", "Formula is satisfied.", "unsafe"),
        ("A<> Q.b", "Formula is satisfied.", "safe"),
        ("A<> n == 0 && x == 7", "Formula is NOT satisfied.", "unsafe"),
        ("E[] x < 9", "Formula is NOT satisfied.", "safe"),
        ("E[] Q.a || x >= 3", "Formula is satisfied.", "unsafe"),
        ("Q.a --> Q.b", "Formula is satisfied.", "safe"),
        ("Q.a && x > 1 --> Q.b && x == 4", "Formula is NOT satisfied.", "unsafe"),
    ],
)
def test_words_and_verdicts(model: Callable[..., str], query: str, words: str, verdict: str) -> None:
    result = decided(model(simple()), query=query)
    assert (result.verdict, result.certified, result.queries[0]["formula"]) == (verdict, True, words)
    assert result.certificate == ("graph" if verdict == "safe" else "replay")


@pytest.mark.parametrize(
    ("queries", "verdicts", "verdict", "code"),
    [
        ("A[] x >= 0\nE<> Q.b\nsat: x\n", ["safe", "unsafe", "unknown"], "Verdict: UNSAFE", 10),
        ("A[] x >= 0\nA[] n <= 1\n", ["safe", "safe"], "Verdict: SAFE", 0),
        ("A[] x >= 0\nE<> Q.nowhere\n", ["safe", "unknown"], "Verdict: UNKNOWN (cannot be read: ", 5),
        ("A[] x >= 0\nsup: x + x\n", ["safe", "unknown"], "Verdict: UNKNOWN (unsupported: ", 5),
        ("A<> deadlock\nE[] not deadlock\n", ["safe", "safe"], "Verdict: SAFE", 0),
        ("A<> Q.b\nQ.a --> Q.b\nE[] x <= 5\n", ["safe", "safe", "safe"], "Verdict: SAFE", 0),
    ],
)
def test_several_queries(model: Callable[..., str], queries: str, verdicts: list[str], verdict: str, code: int) -> None:
    path = model(simple(), queries=queries)
    run = argosy_run(path, "--json", "-")
    assert run.returncode == code
    content = json.loads(run.stdout)
    assert argosy.Result.from_json(run.stdout).verdict_line.startswith(verdict)
    assert [query["verdict"] for query in content["queries"]] == verdicts
    assert [query["query"] for query in content["queries"]] == queries.splitlines()
    assert content["property"] == f"{len(verdicts)} queries"
    lines = argosy_run(path).stdout.splitlines()
    assert sum(line.startswith(" -- ") for line in lines) == len(verdicts)
    for query in content["queries"]:
        assert f" -- {query['formula'] or 'UNKNOWN (' + query['reason'] + ')'}" in lines


def test_the_command_line_overrides_the_file_and_the_file_the_model() -> None:
    path = EXAMPLES / "train_gate.xta"
    assert len(decided(path).queries) == 3
    assert [q["query"] for q in decided(path, query="E<> T(1).stopped").queries] == ["E<> T(1).stopped"]


def test_an_unsupported_query_says_where(model: Callable[..., str]) -> None:
    path = model(simple(), queries="E<> Q.b\nsat: x\n")
    reason = decided(path).queries[1]["reason"]
    assert reason.startswith(f"unsupported: {Path(path).with_suffix('.q')}:2:1: ")


# ---- runs ------------------------------------------------------------------------------------------------------


def test_a_run_has_exact_time_stamps_edges_and_changes(model: Callable[..., str]) -> None:
    result = decided(model(simple("x > 3")), query="E<> Q.b")
    start, step = result.counterexample
    assert start["values"] == {"Q.location": "a", "n": 0} and start["time"] == "0"
    assert (step["operation"], step["values"], step["line"]) == ("Q.a->Q.b", {"Q.location": "b", "n": 1}, 7)
    assert 3 < Fraction(step["time"]) <= 5 and step["delay"] == step["time"] == step["clocks"]["x"]
    assert result.queries[0]["counterexample"] == list(result.counterexample)
    assert start["zone"] == ["x <= 5"] and step["zone"] == ["x > 3"]
    assert start["edges"] == []
    [edge] = step["edges"]
    assert (edge["process"], edge["source"], edge["target"], edge["guard"]) == ("Q", "a", "b", "x > 3")


def test_a_variable_may_be_called_location(model: Callable[..., str]) -> None:
    text = (
        "process P() { int[0, 3] location = 2; state a, b; init a; trans a -> b { assign location = 3; }; } system P;"
    )
    start, step = decided(model(text), query="E<> P.b").counterexample
    assert start["values"] == {"P.location": "a", "P.location (variable)": 2}
    assert step["values"] == {"P.location": "b", "P.location (variable)": 3}


def test_a_run_ends_with_the_delay_that_its_goal_needs(model: Callable[..., str]) -> None:
    result = decided(model(simple("x >= 3 && x <= 4")), query="E<> Q.b && x >= 100")
    assert [step["operation"] for step in result.counterexample] == ["initial state", "Q.a->Q.b", "delay"]
    assert result.counterexample[-1]["time"] == "100" and result.counterexample[-1]["values"] == {}


def test_a_trace_is_some_the_shortest_or_the_fastest(model: Callable[..., str]) -> None:
    """One action and ten time units, or three actions at once."""
    path = model(
        "clock x; process P() { state a, b, c, d; init a; trans a -> d { guard x >= 10; }, a -> b { },"
        " b -> c { }, c -> d { guard x <= 1; }; } Q = P(); system Q;"
    )
    shortest = decided(path, query="E<> Q.d", trace="shortest").counterexample
    fastest = decided(path, query="E<> Q.d", trace="fastest").counterexample
    assert (len(shortest), shortest[-1]["time"]) == (2, "10")
    assert (len(fastest), fastest[-1]["time"]) == (4, "0")
    assert decided(path, query="E<> Q.d", trace="some", search="dfs").verdict == "unsafe"


def test_a_synchronisation_is_one_step_and_names_sender_and_receivers() -> None:
    result = decided(EXAMPLES / "alarm.xta", query="E<> Sense.rung && answered == 2")
    step = result.counterexample[-1]
    assert step["operation"] == (
        "Sense.quiet->Sense.rung ring!, Ada.awake->Ada.running ring?, Ben.awake->Ben.running ring?"
    )
    assert step["values"]["answered"] == 2


def test_text_of_a_run() -> None:
    out = argosy_run(str(EXAMPLES / "fischer_bug.xml"), "-v").stdout
    assert "Run, 6 steps, time 4" in out and "P(1).x = " in out
    assert re.search(r"^\s+2\s+2\s+P\((\d)\)\.waiting->P\(\1\)\.critical", out, re.MULTILINE)
    assert out.splitlines()[-1] == "Verdict: UNSAFE"


# ---- what is believed ------------------------------------------------------------------------------------------


def test_the_fastest_run_to_a_bound(model: Callable[..., str]) -> None:
    """In b the clock is 10 after ten units, in c after three."""
    path = model(
        "clock x, y;\nprocess P() {\n  state a { y <= 9 }, b { x <= 10 }, c { x <= 10 };\n  init a;\n"
        "  trans a -> b { assign x = 0; }, a -> c { guard y >= 3; assign x = 10; };\n}\nQ = P();\nsystem Q;\n"
    )
    query = "sup{Q.b or Q.c}: x"
    for trace, time in (("some", "10"), ("fastest", "3")):
        result = decided(path, query=query, trace=trace)
        assert (result.verdict, result.queries[0]["extreme"]["value"]) == ("safe", 10)
        assert result.queries[0]["counterexample"][-1]["time"] == time


def test_the_run_that_settles_first(model: Callable[..., str]) -> None:
    """b is entered from 2 on, c from 4 on; nothing leaves them."""
    path = model(
        "clock x;\nprocess P() {\n  state a { x <= 9 }, b, c;\n  init a;\n"
        "  trans a -> b { guard x >= 2; }, a -> c { guard x > 4; };\n}\nQ = P();\nsystem Q;\n"
    )
    for query, time, least, attained in (("E[] true", "2", 2, True), ("E[] not Q.b", None, 4, False)):
        result = decided(path, query=query, trace="fastest")
        its = result.queries[0]["settles"]
        assert (result.verdict, its["least"], its["attained"]) == ("unsafe", least, attained)
        assert time is None or result.queries[0]["counterexample"][-1]["time"] == its["time"] == time
        assert not any("not shown" in note or "some run" in note for note in result.ledger)
    some = decided(path, query="E[] true", trace="shortest")
    assert "settles" not in some.queries[0] and any("some run" in note for note in some.ledger)


def test_a_trace_that_does_not_replay_is_no_verdict(model: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    from argosy.kernel import concretise

    honest = concretise.concretise

    def early(*arguments: Any) -> Any:
        return [replace(step, delay=Fraction(1)) for step in honest(*arguments)]

    monkeypatch.setattr(concretise, "concretise", early)
    result = decided(model(simple()), query="E<> Q.b")
    assert result.verdict == "unknown" and result.reason is not None
    assert result.reason.startswith("not certified: the trace is refuted: step 0: the guard")


@pytest.mark.parametrize("covering", ["inclusion", "simulation"])
def test_a_search_that_forgets_states_is_no_verdict(
    model: Callable[..., str], monkeypatch: pytest.MonkeyPatch, covering: str
) -> None:
    from argosy.kernel import search

    honest, exported = search.ZoneSearch.states, search.ZoneSearch.exported
    monkeypatch.setattr(search.ZoneSearch, "states", lambda self: list(honest(self))[:1])
    monkeypatch.setattr(search.ZoneSearch, "exported", lambda self, first, end: exported(self, 0, 1))
    options = {"covering": covering}
    result = decided(model(simple()), query="E<> Q.b && x < 3", options=options)
    assert (result.verdict, result.certified) == ("unknown", False)
    assert result.reason is not None and result.reason.startswith("not certified: a successor of")
    assert decided(model(simple()), query="E<> Q.b && x < 3", certify=False, options=options).ledger == (
        "not certified: --no-certify was given",
    )


def test_a_model_error_has_a_run(model: Callable[..., str]) -> None:
    result = decided(EXAMPLES / "overflow.ta")
    assert result.reason is not None and re.match(r"model error: .*overflow\.ta:10:\d+: the value 4 is", result.reason)
    last = result.counterexample[-1]
    assert (last["time"], last["delay"], last["operation"]) == ("20", "5", "Counter.counting->Counter.counting")
    assert [step["values"].get("rounds") for step in result.counterexample] == [0, 1, 2, 3, None]


def test_a_model_error_in_the_first_state(model: Callable[..., str]) -> None:
    path = model(
        "int[0, 3] n = 0; process P() { state a; init a; trans a -> a { guard 1 / n == 1; }; } Q = P(); system Q;"
    )
    result = decided(path, query="E<> n == 2")
    assert result.verdict == "unknown" and result.reason is not None
    assert result.reason.startswith(f"model error: {path}:1:")


def test_a_model_error_in_the_query(model: Callable[..., str]) -> None:
    result = decided(model(simple()), query="E<> 1 / n == 1")
    assert result.verdict == "unknown" and result.reason == "model error: query:1:7: division by zero"
    assert [step["operation"] for step in result.counterexample] == ["initial state"]


# ---- limits ----------------------------------------------------------------------------------------------------


def test_time_limit(model: Callable[..., str]) -> None:
    """The kernel stops by itself; that a child which does not is killed is tested with the supervisor."""
    result = argosy.verify(model(LARGE), query="E<> A.n == 9 && A.n == 8", time_limit=1.5, in_process=True)
    assert (result.verdict, result.reason, result.queries[0]["reason"]) == ("unknown", "time limit", "time limit")
    assert result.statistics["explored_states"] > 100 and result.statistics["cpu_s"] < 10


def test_memory_limit(model: Callable[..., str]) -> None:
    query = "E<> A.n == 9 && A.n == 8"
    run = argosy_run(model(LARGE), "--query", query, "--memory-limit", "60", "--time-limit", "30", "--json", "-")
    content = json.loads(run.stdout)
    assert (content["verdict"], content["reason"], run.returncode) == ("unknown", "memory limit", 5)
    assert content["statistics"]["nodes"] > 100


def test_one_hard_query_leaves_time_for_the_others(model: Callable[..., str]) -> None:
    result = argosy.verify(model(LARGE), query="E<> A.n == 9 && A.n == 8\nE<> A.n == 1", time_limit=3, in_process=True)
    assert [query["verdict"] for query in result.queries] == ["unknown", "unsafe"]


def test_ctrl_c_gives_statistics_and_a_verdict(model: Callable[..., str]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "argosy", "verify", model(LARGE), "--query", "E<> A.n == 9 && A.n == 8"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert any(line.startswith("searching: ") and "nodes" in line for line in process.stderr)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert (out.splitlines()[-1], process.returncode) == ("Verdict: UNKNOWN (interrupted)", 5)
    assert not out.splitlines()[-3].startswith("0 ")


def test_answers_survive_the_end_of_the_run(model: Callable[..., str], tmp_path: Path) -> None:
    out = tmp_path / "result.json"
    path = model(LARGE, queries="E<> A.n == 1\nE<> A.n == 9 && A.n == 8\nE<> B.n == 1\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "argosy", "verify", path, "--json", str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert any(line.startswith("searching: ") for line in process.stderr)
    process.send_signal(signal.SIGINT)
    printed, _ = process.communicate(timeout=30)
    assert (printed.splitlines()[-1], process.returncode) == ("Verdict: UNSAFE", 10)
    content = json.loads(out.read_text())
    assert [query["verdict"] for query in content["queries"]] == ["unsafe", "unknown", "unknown"]
    assert [query["reason"] for query in content["queries"]] == [None, "interrupted", "interrupted"]
    assert content["certified"] and content["counterexample"] and content["statistics"]["explored_states"] > 1000


def test_what_is_pending_ends_with_the_run() -> None:
    pending: dict[str, Any] = {"verdict": "unknown", "reason": PENDING}
    told: list[dict[str, Any]] = [{"verdict": "safe", "reason": None}, pending]
    kept = argosy.Result("unknown", PENDING, answers=told, queries=told)
    ended = kept.ended("time limit")
    assert ended.reason == "time limit"
    assert ended.queries[1]["reason"] == ended.answers[1]["reason"] == "time limit"
    other = argosy.Result("unknown", "x", answers=[{"verdict": "unknown", "reason": "unsupported: y"}, pending])
    assert other.ended("memory limit").reason == "unsupported: y; memory limit"


# ---- usage and broken models -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("--property", "unreach-call"),
        ("--data-model", "LP64"),
        ("--arithmetic", "bits"),
        ("--signed-overflow", "wrap"),
        ("--strategy", "lbe"),
        ("--search", "topological"),
        ("--domain", "expl"),
        ("--trace", "longest"),
        ("--trace", "shortest", "--search", "dfs"),
    ],
)
def test_wrong_usage(model: Callable[..., str], arguments: tuple[str, ...]) -> None:
    run = argosy_run(model(simple()), "--query", "E<> Q.b", *arguments)
    assert (run.stdout, run.returncode) == ("Verdict: UNKNOWN (wrong usage)\n", 1)
    assert arguments[-2] in run.stderr or arguments[-1] in run.stderr


def test_queries_and_traces_are_not_for_programs() -> None:
    program = str(EXAMPLES.parent / "c" / "lock.c")
    with pytest.raises(UsageError, match="--query is for networks"):
        Task.of(program, query="E<> x")
    with pytest.raises(UsageError, match="trace"):
        Task.of(program, options={"trace": "some"})
    with pytest.raises(UsageError, match="one's own"):
        Task.of(str(EXAMPLES / "alarm.xta"), strategy=lambda setting: setting)


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("m.xta", "process P() { state a; init a; } Q = P(); system R;", ":1:50: "),
        ("m.xta", "clock x\nprocess P() { state a; init a; } system P;", ":2:1: "),
        ("m.xta", "int n = true + clock;\nsystem ;", ":1:"),
        ("m.xml", "<nta><declaration>clock x;</declaration><template>", ":1:"),
        ("m.xml", '<!DOCTYPE nta [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><nta>&c;</nta>', ":1:"),
        ("m.ta", "", ":1:1: "),
    ],
)
def test_broken_models(model: Callable[..., str], name: str, text: str, place: str) -> None:
    path = model(text, name)
    run = argosy_run(path, "--query", "E<> true")
    assert run.returncode == 2 and f"{path}{place}" in run.stderr, run.stderr
    assert run.stdout.splitlines()[-1].startswith("Verdict: UNKNOWN (cannot be read: ")


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("m.xta", f"const int N = {'9' * 5000};\nsystem ;", ":1:15: number 99999999999999999999... (5000 digits)"),
        ("m.xta", "process P(int[0, 3] i) { state a; init a; } Q = P(1, 2); system Q;", ":1:45: P takes 1 arg"),
        ("m.xta", "process P() { state a; init a; trans a -> a { guard y > 3; }; } system P;", ":1:53: "),
        ("m.xta", "clock x; process P() { state a; init a; trans a -> a { assign x = true + x; }; } system P;", ":1:"),
        ("m.xml", "<nta><declaration/><system>system;</system></nta>", ":1:"),
    ],
)
def test_more_broken_models(model: Callable[..., str], name: str, text: str, place: str) -> None:
    path = model(text, name)
    with pytest.raises(InputError) as error:
        decided(path, query="E<> true")
    assert f"{path}{place}" in str(error.value)


def test_a_refused_construct_has_line_and_column(model: Callable[..., str]) -> None:
    path = model("hybrid clock x;\nprocess P() { state a; init a; }\nQ = P(); system Q;\n")
    run = argosy_run(path, "--query", "E<> Q.a")
    assert run.returncode == 5
    assert re.match(rf"Verdict: UNKNOWN \(unsupported: {re.escape(path)}:1:\d+: .*\)", run.stdout.splitlines()[-1])


def test_no_query_and_only_broken_queries(model: Callable[..., str]) -> None:
    with pytest.raises(InputError, match="no query: give --query"):
        decided(model(simple()))
    with pytest.raises(InputError, match="query:1:"):
        decided(model(simple()), query="E<> Q.b &&")


def test_without_the_kernel_the_refusal_says_so(model: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "argosy.kernel._zones", None)
    result = decided(model(simple()), query="E<> Q.b")
    assert result.reason is not None and "native kernel" in result.reason


def test_queries_of_a_network_are_in_its_json_only() -> None:
    assert "queries" not in json.loads(argosy.Result("safe").to_json())
    result = decided(EXAMPLES / "alarm.xta")
    assert argosy.Result.from_json(result.to_json()) == result


@pytest.mark.parametrize("processes", ["A", "A, B, C, D"])
def test_the_time_of_a_certificate_is_limited(model: Callable[..., str], processes: str) -> None:
    """Checked by the twin, and by the native pass."""
    text = LARGE.replace("A, B, C, D, E, F, G;", f"{processes};").replace("9", "4").replace("10;", "5;")
    problem = read(Task.of(model(text), query="E<> A.n == 3 && A.n == 4"))
    [subject] = problem.subjects
    assert isinstance(subject.asked, Query)
    search = ZoneSearch(problem.model, goals(subject.asked.target))
    assert isinstance(search.run(), Exhausted) and (len(search) > 1000) == (len(processes) > 1)
    queries = _Queries(problem, Plan())
    assert queries._exhausted(subject, search, Budget(end=0.0)).reason == "time limit"
    assert queries._exhausted(subject, search, UNLIMITED).verdict == "safe"


# ---- simulation ------------------------------------------------------------------------------------------------


def simulated(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    simulate.add_arguments(parser)
    return simulate.run(parser.parse_args(arguments), 0.0)


def test_a_random_run_is_the_same_for_the_same_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(EXAMPLES / "train_gate.xta")
    page, trace, data = (tmp_path / name for name in ("run.html", "run.xml", "run.json"))
    written = ("--report", str(page), "--witness", str(trace), "--json", str(data))
    assert simulated(path, "--random", "--seed", "3", "--steps", "12", *written) == 0
    first = capsys.readouterr().out
    assert first.startswith("Run, 12 steps")
    assert simulated(path, "--random", "--seed", "3", "--steps", "12") == 0
    assert capsys.readouterr().out == first
    simulated(path, "--random", "--seed", "4", "--steps", "12")
    assert capsys.readouterr().out != first
    steps = json.loads(data.read_text())["answers"][0]["counterexample"]
    assert len(steps) == 13 and "<html" in page.read_text() and "<trace" in trace.read_text()


def test_given_choices_are_taken(model: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    path = model(simple())
    assert simulated(path, "--choices", "w 1/2, 1") == 0
    out = capsys.readouterr().out
    assert out.startswith("Run, 1 step, time 3\n") and "Q.a->Q.b" in out and "n = 1" in out
    for wrong in (("--choices", "1 2"), ("--choices", "7"), ("--inputs", "trace.csv")):
        with pytest.raises(UsageError):
            simulated(path, *wrong)


def test_step_by_step_with_a_step_back(
    model: Callable[..., str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("1 4\nb\n1 9\n1\n\n"))
    assert simulated(model(simple())) == 0
    out = capsys.readouterr().out
    assert "1  Q.a->Q.b  after [3, 5]" in out and "w  wait, [0, 5]" in out
    assert "not possible: an invariant" in out
    assert "nothing is possible any more" in out
    assert "Run, 1 step, time 3" in out


def test_a_model_error_ends_a_simulation(model: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    path = model(simple().replace("assign n = 1", "assign n = n + 20"))
    assert simulated(path, "--choices", "w 1, 1") == 5
    assert "model error" in capsys.readouterr().err
