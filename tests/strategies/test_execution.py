"""Executions: errors that are many rounds away are found, and replayed round by round."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from argosy.backends.contract import Execution
from argosy.basics.records import replace
from argosy.certify.interpreter import ConcreteState, Interpreter
from argosy.certify.long_replay import replay_long
from argosy.certify.replay import Refuted, Replayed
from argosy.logic.terms import Term
from argosy.models.cfa import Cfa, Edge, Location, Reading, written
from argosy.models.program import Program
from argosy.models.rounds import Chosen, Part, Progression, Rounds
from argosy.report.recording import recorded
from argosy.session.run import decide, read
from argosy.session.task import Task
from argosy.strategies.executions import WATCHED, ExecutionAnalysis, _Walk

HEADER = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n"

DOWN = """int main(void) {
  unsigned x = 30000001;
  while (x > 1) x -= 2;
  if (x == %s) reach_error();
}"""

PHASES = """int main(void) {
  unsigned x = 0, parity = 0;
  while (x < 9000000) {
    if (x < 1000) x += 1; else x += 3;
    parity = !parity;
  }
  if (x > %s) reach_error();
}"""

NESTED = """int main(void) {
  unsigned x = 0, y, z = 1;
  while (x < 5000000) {
    for (y = 0; y < 7; y++) ;
    z = (z * 5 + y) %% 1000003;
    x++;
  }
  if (x + y == %s) reach_error();
}"""

AFTER_INPUT = """int main(void) {
  int n = __VERIFIER_nondet_int(), big = __VERIFIER_nondet_int();
  long long sum = 0;
  if (n != 4711) return 0;
  for (int i = 0; i < 3000000; i++) sum += n;
  if (sum == %s) reach_error();
}"""

FILLED = """int main(void) {
  int a[40000], b[40000], n = 0;
  for (int i = 0; i < 40000; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 40000; i++) if (a[i] >= 0) b[n++] = a[i];
  for (int i = 0; i < n; i++) if (b[i] %s) reach_error();
}"""

DISTINCT = """int main(void) {
  unsigned a[20000], largest = 0;
  for (int i = 0; i < 20000; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 20000; i++) if (a[i] > largest) largest = a[i];
  for (int i = 0; i < 19999; i++) if (a[i] >= a[i + 1]) return 0;
  if (largest %s a[19999]) reach_error();
}"""

ROWS = """int main(void) {
  int n = 900, m = 1100;
  char grid[n][m];
  for (int i = 0; i < m; i++) grid[i %% 7][i] = __VERIFIER_nondet_int();
  for (int i = 0; i < m; i++) grid[i %% 7][i] ^= 1;
  if (grid[5][5 + 7 * 150] %s) reach_error();
}"""

WITH_INPUTS = {
    "filled": (FILLED, ">= 0", "< 0"),
    "distinct": (DISTINCT, "==", "<"),
    "rows": (ROWS, "== 1", "!= (grid[5][1055] | 0)"),
}

PROGRAMS = {
    "down": (DOWN, "1", "0"),
    "phases": (PHASES, "9000000", "9000002"),
    "nested": (NESTED, "5000007", "5000008"),
    "after input": (AFTER_INPUT, "14133000000LL", "14133000001LL"),
}


def task(folder: Path, text: str, **choices: str) -> Task:
    path = folder / "program.c"
    path.write_text(HEADER + text)
    return Task(str(path), strategy="execution", options=choices)


@pytest.mark.parametrize("name", PROGRAMS)
def test_errors_behind_many_rounds(name: str, tmp_path: Path) -> None:
    text, reached, _ = PROGRAMS[name]
    [answer] = decide(task(tmp_path, text % reached, executions="200")).answers
    assert answer.verdict == "unsafe" and answer.certificate == "replay"
    assert isinstance(answer.evidence, Execution) and answer.evidence.replayed.is_folded
    assert len(answer.evidence.replayed.steps) < 400
    assert sum(step.rounds for step in answer.evidence.replayed.steps) > 1_000_000


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_proved(name: str, tmp_path: Path) -> None:
    text, _, never = PROGRAMS[name]
    [answer] = decide(task(tmp_path, text % never, executions="3")).answers
    assert answer.verdict == "unknown"
    assert answer.reason is not None and "no error in" in answer.reason


@pytest.mark.parametrize("name", WITH_INPUTS)
def test_rounds_that_write_arrays_and_take_inputs(name: str, tmp_path: Path) -> None:
    text, reached, never = WITH_INPUTS[name]
    decided = decide(task(tmp_path, text % reached, executions="12"))
    [answer] = decided.answers
    assert answer.verdict == "unsafe" and answer.certificate == "replay"
    assert isinstance(answer.evidence, Execution)
    replayed = answer.evidence.replayed
    assert replayed.is_folded and len(replayed.steps) < 1_000
    # Every call has its value, so that the program can be run with these.
    assert isinstance(decided.problem.model, Program) and decided.problem.model.landmarks is not None
    recording = recorded(decided.problem.model, decided.problem.model.landmarks, answer, answer.evidence)
    values = [call.number for call in recording.calls]
    assert len(values) == {"filled": 40_000, "distinct": 20_000, "rows": 1_100}[name]
    if name == "distinct":
        assert values == list(range(1, 20_001))
    [answer] = decide(task(tmp_path, text % never, executions="3")).answers
    assert answer.verdict == "unknown"


def test_rounds_with_other_inputs_are_refuted(tmp_path: Path) -> None:
    text = """int main(void) {
      unsigned sum = 0;
      for (unsigned i = 0; i < 1000; i++) { sum ^= i; if (__VERIFIER_nondet_int() != 7 * (int)i - 3) return 0; }
      if (sum == 0) reach_error();
    }"""
    cfa = read(task(tmp_path, text)).model.cfa
    reading = Reading("undefined")
    interpreter = Interpreter(cfa, reading)
    state, edges = interpreter.start({}), list[Edge]()
    while len(edges) < 200:
        value = (7 * sum(edge.choice is not None for edge in edges) - 3) % 2**32
        after = [(e, interpreter.step(e, state, partial(chosen, value))) for e in cfa.leaving[state.location]]
        edge, state = next((e, s) for e, s in after if isinstance(s, ConcreteState))
        edges.append(edge)
    head = max(cfa.loop_heads, key=lambda at: sum(edge.source is at for edge in edges))
    first, second = [number for number, edge in enumerate(edges) if edge.source is head][:2]
    cycle = tuple(edges[first:second])
    [place] = [number for number, edge in enumerate(cycle) if edge.choice is not None]
    [variable] = written(cycle[place].operation)

    def path(*inputs: Progression, times: int = 1000) -> list[Part]:
        return [*edges[:first], Rounds(cycle, times, inputs), *leaving(cfa, head)]

    good = Progression(place, variable, 2**32 - 3, 7)
    found = replay_long(cfa, path(good), reading, Chosen())
    assert isinstance(found, Replayed) and [choice.value for choice in found.choices] == [
        7 * n - 3 for n in range(1000)
    ]
    for bad in (
        path(),
        path(times=1),
        path(good, times=999),
        path(good, times=1001),
        path(replace(good, step=8)),
        path(replace(good, first=5)),
        path(replace(good, place=place + 1)),
    ):
        assert isinstance(replay_long(cfa, bad, reading, Chosen()), Refuted)


def chosen(value: int, edge: Edge, variable: Term) -> int:
    return value


def leaving(cfa: Cfa, head: Location) -> list[Edge]:
    """The way from a loop head into the error that goes round no more."""
    ways: list[list[Edge]] = [[edge] for edge in cfa.leaving[head]]
    return next(way for way in ways if way[-1].target is cfa.error or _grown(cfa, way, head, ways))


def _grown(cfa: Cfa, way: list[Edge], head: Location, ways: list[list[Edge]]) -> bool:
    ways.extend([*way, edge] for edge in cfa.leaving[way[-1].target] if edge.target is not head)
    return False


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    result = decide(task(tmp_path, DOWN % "1")).result
    told = [step["operation"] for step in result.counterexample if "more rounds" in step["operation"]]
    assert len(told) == 1 and told[0].startswith("after 14,999,9")


def test_a_path_with_another_number_of_rounds_is_refuted(tmp_path: Path) -> None:
    text = "int main(void) { unsigned x = 100000; while (x > 0) x -= 2; if (x == 0) reach_error(); }"
    asked = task(tmp_path, text)
    cfa = read(asked).model.cfa
    reading = Reading("undefined")
    path = folded(decide(asked).answers[0].evidence, cfa.edges)
    good = replay_long(cfa, path, reading, Chosen())
    assert isinstance(good, Replayed)
    [at] = [number for number, part in enumerate(path) if isinstance(part, Rounds)]
    rounds = path[at]
    assert isinstance(rounds, Rounds)
    for changed in (rounds.times - 1, rounds.times + 1, 2, 10_000_000):
        bad = replay_long(cfa, [*path[:at], Rounds(rounds.edges, changed), *path[at + 1 :]], reading, Chosen())
        assert isinstance(bad, Refuted), changed
    for edges in (rounds.edges[:1], rounds.edges[::-1], rounds.edges[1:]):
        bad = replay_long(cfa, [*path[:at], Rounds(edges, rounds.times), *path[at + 1 :]], reading, Chosen())
        assert isinstance(bad, Refuted), edges
    assert isinstance(replay_long(cfa, path[:-1], reading, Chosen()), Refuted)


def folded(evidence: object, known: tuple[Edge, ...]) -> list[Part]:
    """The path of an execution whose one loop was repeated, on the edges ``known`` by their places and texts."""
    assert isinstance(evidence, Execution)
    own = {(edge.position, edge.text, str(edge.source), str(edge.target)): edge for edge in known}
    steps = evidence.replayed.steps
    edges = [own[s.edge.position, s.edge.text, str(s.edge.source), str(s.edge.target)] for s in steps]
    [at] = [number for number, step in enumerate(steps) if step.rounds]
    size = next(n for n in range(1, at) if edges[at - n] is edges[at])
    rounds = Rounds(tuple(edges[at - size : at]), steps[at].rounds + 3)
    return [*edges[: at - 2 * size], rounds, *edges[at + size :]]


LISTS = """extern void *malloc(unsigned long); extern void free(void *);
struct n { struct n *next; int v; };
int main(void) {
  struct n *list = 0;
  do { struct n *p = malloc(sizeof *p); p->next = list; p->v = __VERIFIER_nondet_int(); list = p; }
  while (__VERIFIER_nondet_int());
  while (list) { struct n *next = list->next; %s free(list); list = next; }
}"""


@pytest.mark.parametrize(("step", "verdict"), [("if (list->v != 1)", "unsafe"), ("", "unknown")])
def test_memory_that_is_lost_is_noticed(step: str, verdict: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(HEADER + LISTS % step)
    [answer] = decide(Task(str(path), strategy="execution", reading={"property": "valid-memsafety"})).answers
    assert answer.verdict == verdict


NOT_MODELLED = """extern void *malloc(unsigned long);
struct n { struct n *next; long double x; int v; };
int main(void) {
  struct n a, *p = &a; int n = 0, y = 0;
  a.v = 1; a.x = 0;
  while (n < 3) { n++; p->v++; %s }
  if (p->v == 4 && y == 0) reach_error();
}"""


@pytest.mark.parametrize(
    ("step", "verdict"), [("", "unsafe"), ("y = p->x > 1;", "unknown"), ("int w = p->x > 1;", "unsafe")]
)
def test_what_is_not_modelled_is_passed_and_never_used(step: str, verdict: str, tmp_path: Path) -> None:
    [answer] = decide(task(tmp_path, NOT_MODELLED % step)).answers
    assert answer.verdict == verdict


@pytest.mark.parametrize("late", [False, True])
def test_the_clock_is_looked_at_inside_of_a_leg(late: bool, tmp_path: Path) -> None:
    text = "int main(void) { int x = 1; while (x != 0) x = 5 * x + 2 * __VERIFIER_nondet_int(); reach_error(); }"
    cfa = read(task(tmp_path, text)).model.cfa
    walk = _Walk(analysis := ExecutionAnalysis(cfa, Reading("wrap"), 9, 0, lambda: late), analysis._start(8))
    walk.go()
    assert (len(walk.path) < WATCHED) == late
