"""In which order the default strategy tries its parts, and when a part has had its turn."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from argosy.backends import verification
from argosy.backends.contract import Deaf, Plan
from argosy.backends.stages import NATIVE, Observation, Stage, stages_of
from argosy.backends.verification import Verification
from argosy.basics.budget import CLOCK, TIME_LIMIT, UNLIMITED, OutOfBudget
from argosy.basics.errors import UnsupportedError
from argosy.basics.position import NOWHERE
from argosy.domains.explicit import ExplicitAnalysis
from argosy.engine import protocols
from argosy.engine.protocols import Strategy
from argosy.engine.reached import Reached
from argosy.invariants.sampling import sample
from argosy.logic.solver import Counters, Solver
from argosy.logic.solvers import Solvers
from argosy.models.features import Features
from argosy.session.progress import Progress
from argosy.session.run import _Telling, decide
from argosy.session.task import Task
from argosy.strategies import STRATEGIES
from argosy.strategies.turns import Rule, chosen_turns

EXAMPLE = Path(__file__).parents[2] / "examples" / "c" / "lock.c"


def order(
    monkeypatch: pytest.MonkeyPatch, reason: str, path: Path = EXAMPLE, cut: str = "", refused: str = ""
) -> list[tuple[str, str]]:
    """The stages that are run if each ends for that reason, but one that is ``cut`` off, and one that is refused."""
    run: list[tuple[str, str]] = []

    def end(self: Verification, stage: Stage, attempt: int, alone: bool) -> None:
        run.append((stage.name, stage.arithmetic))
        if stage.name == refused:
            raise UnsupportedError(NOWHERE, reason.removeprefix("unsupported: "))
        self.reasons.append(TIME_LIMIT if stage.name == cut else reason)

    monkeypatch.setattr(Verification, "_run_stage", end)
    result = decide(Task(str(path), time_limit=1000)).result
    assert result.verdict == "unknown" and result.reason is not None and reason in result.reason
    return run


LAST = ("kinduction", "bits")
LATER = [LAST, ("horn", "int"), ("horn", "bits"), ("lbe", "int"), ("lbe", "bits"), ("product", "bits"), LAST]
UNWINDING = ("bmc", "bits")
EXECUTED = ("execution", "bits")
ACCELERATED = ("accelerated", "bits")
FOLLOWED = ("closed-forms", "bits")
ADDED = ("polynomials", "bits")
SUMMED = ("summaries", "bits")
LOOK = ("lbe", "int")
FIRST = [("explicit", "bits"), FOLLOWED, ADDED, SUMMED, LAST, LOOK]
ROUNDS = [*FIRST, UNWINDING, ("explicit", "bits")]
COUNTS = [*FIRST, ACCELERATED, UNWINDING, ("explicit", "bits")]
FAILING = [*FIRST, ("lbe", "bits"), ACCELERATED, UNWINDING, ("explicit", "bits")]


def test_what_takes_long_waits_for_its_next_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    first = [*COUNTS, ("lbe", "int"), EXECUTED, UNWINDING, ("product", "bits")]
    assert order(monkeypatch, TIME_LIMIT) == [*first, *LATER]


def test_what_fails_on_integers_is_tried_on_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    first = [*FAILING, ("lbe", "int"), ("lbe", "bits"), EXECUTED, UNWINDING, ("product", "bits")]
    assert order(monkeypatch, "no interpolants") == [*first, *LATER]


def test_what_is_left_of_the_time_goes_to_what_was_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = order(monkeypatch, "no interpolants")
    assert order(monkeypatch, "no interpolants", cut="horn") == [*whole, ("horn", "int"), ("horn", "bits")]


def test_contracts_go_on_where_copies_have_an_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "recursive.c"
    program.write_text(
        "void reach_error(void); int f(int n) { return n > 0 ? f(n - 1) : 7; }"
        "int main(int n, char **v) { if (f(n) != 7) reach_error(); }"
    )
    run = order(monkeypatch, "unsupported: too deep", program, cut="horn", refused="bmc")
    assert run[-2:] == [UNWINDING, ("horn", "int")]
    run = order(monkeypatch, "unsupported: too deep", program, refused="bmc")
    assert run[-1] == UNWINDING


def test_what_goes_on_for_ever_looks_at_whole_rounds_early_and_is_executed_late() -> None:
    turns = STRATEGIES["auto"].stages

    def first(**features: bool) -> list[str]:
        return [part for (part, _, _), _ in chosen_turns(turns, Features(cyclic=True, **features))[:5]]

    assert first() == ["explicit", "lbe", "kinduction", "bmc", "product"]
    assert first(closed=True) == ["explicit", "lbe", "kinduction", "bmc", "execution"]
    assert first(floats=True) == ["intervals", "explicit", "kinduction", "lbe", "bmc"]


def test_programs_without_loops_are_one_formula_early_and_recursion_has_contracts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = EXAMPLE.with_name("ackermann_bug.c")
    first = [("explicit", "bits"), ("horn", "int"), ("kinduction", "bits"), ("lbe", "int"), UNWINDING]
    assert order(monkeypatch, TIME_LIMIT, path) == [*first, ("product", "bits"), *LATER]


def test_loops_that_count_by_constants_are_unwound_early(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    counted, searching = tmp_path / "counted.c", tmp_path / "searching.c"
    body = "void reach_error(void); int nondet(void); int main(void) {{ int x = nondet(), s = 0; {} }}"
    loop = "for (int i = 0; i < 9; i++) { s += x; x = s ^ i; } if (s == 7) reach_error();"
    counted.write_text(body.format(loop), encoding="utf-8")
    searching.write_text(body.format("while (x != 5) { x = x * 3 + 1; s++; } if (s == 7) reach_error();"))
    assert order(monkeypatch, TIME_LIMIT, counted)[:10] == [*ROUNDS[:4], UNWINDING, *ROUNDS[4:], UNWINDING]
    assert order(monkeypatch, TIME_LIMIT, searching)[:9] == [*ROUNDS, ("lbe", "int")]


REACTING = """
void reach_error(void); int __VERIFIER_nondet_int(void); int mode = 1, flag = 0;
int main(void) {{ for (;;) {{ int in = __VERIFIER_nondet_int(); {}
  if (mode == 1 && in == 3) mode = 2; else if (mode == 2 && in == 1) {{ flag = 1; mode = 3; }}
  else if (in == 4) mode = 1;
  if (mode == 1 && flag == 5) reach_error(); }} }}
"""


def test_all_states_of_what_reacts_to_inputs_come_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    reacting, counting, many = tmp_path / "reacting.c", tmp_path / "counting.c", tmp_path / "many.c"
    reacting.write_text(REACTING.format(""), encoding="utf-8")
    assert decide(Task(str(reacting))).result.strategy["stage"] == "explicit-all"
    counting.write_text(REACTING.format("flag = flag * 3 + 1;"), encoding="utf-8")
    inputs = "int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); if (a == 1) flag = 2; if (b == 1) flag = 3;"
    many.write_text(REACTING.format(inputs), encoding="utf-8")
    first = [order(monkeypatch, TIME_LIMIT, path)[0] for path in (reacting, counting, many)]
    assert first == [("explicit-all", "bits"), ("explicit", "bits"), ("explicit", "bits")]


def test_what_takes_long_to_certify_waits_for_short_looks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """All states of a sum that does not overflow are soon explored, and are many; what is proved of it is short. Where
    the short looks find nothing the claim is certified after all."""
    program = tmp_path / "sum.c"
    program.write_text(
        "void reach_error(void); int nondet(void); int main(void) { int step = 0, sum = 0;"
        "while (nondet() && step < 300) { step++; sum = sum + step; if (sum < step) reach_error(); } }"
    )
    monkeypatch.setattr(verification, "MANY_NODES", 100)
    short = ("closed-forms", "polynomials", "summaries", "kinduction")
    assert decide(Task(str(program))).result.strategy["stage"] in short
    monkeypatch.setattr(verification, "MANY_NODES", 1_000_000)
    assert decide(Task(str(program))).result.strategy["stage"] == "explicit"
    monkeypatch.setattr(verification, "MANY_NODES", 100)
    run_stage = Verification._run_stage

    def fails(self: Verification, stage: Stage, attempt: int, alone: bool) -> Any:
        if stage.name == "explicit":
            return run_stage(self, stage, attempt, alone)
        self.reasons.append(stage.name)
        return None

    monkeypatch.setattr(Verification, "_run_stage", fails)
    result = decide(Task(str(program))).result
    assert (result.verdict, result.strategy["stage"]) == ("safe", "explicit")


def test_loops_over_arrays_are_guessed_about_and_executed_early(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "arrays.c"
    program.write_text(
        "void reach_error(void); int nondet(void); int main(void) { int n = nondet(); if (n < 1 || n > 9999) return 0;"
        "int a[n]; for (int i = 0; i < n; i++) a[i] = nondet(); if (a[n - 1] == 7) reach_error(); }"
    )
    first = [("lbe", "int"), ("cells", "bits"), EXECUTED, ("kinduction", "bits")]
    assert order(monkeypatch, TIME_LIMIT, program)[:8] == [*first, FOLLOWED, ADDED, SUMMED, ("explicit", "bits")]


@pytest.mark.parametrize(("strategy", "least"), [("kinduction", 2), ("lbe", 1), ("explicit", 1), ("product", 2)])
def test_no_question_takes_more_than_its_stage(monkeypatch: pytest.MonkeyPatch, strategy: str, least: int) -> None:
    """But those of abstractions on integers, which are many and easy."""
    limits: list[float | None] = []
    create = Solvers.create

    def created(self: Solvers, work: Any, arithmetic: Any, **options: Any) -> Solver:
        if work == "trace" or (work == "abstraction" and arithmetic == "bits"):
            limit = options["time_limit"]
            limits.append(limit() if callable(limit) else limit)
        return create(self, work, arithmetic, **options)

    monkeypatch.setattr(Solvers, "create", created)
    decide(Task(str(EXAMPLE), strategy=strategy, time_limit=100))
    assert len(limits) >= least and all(limit is not None and 0 < limit <= 100 for limit in limits)


HARD = """
void reach_error(void); unsigned nondet(void);
int main(void) { unsigned x = nondet(), y = nondet(), i = 0, s = 0;
  while (i < 60000 && s != x * y) { s += x ^ y; i += 3; }
  if (i % 3 || (x * y == 4294967291u && x > 1 && y > 1 && x < 65536 && y < 65536)) reach_error(); }
"""


@pytest.mark.parametrize("strategy", ["lbe", "product", "kinduction"])
def test_a_stage_keeps_its_time_whatever_it_asks(strategy: str, tmp_path: Path) -> None:
    """Invariants are guessed at, interpolants looked for and products compared, none of it for longer than there is."""
    program = tmp_path / "hard.c"
    program.write_text(HARD)
    before = CLOCK()
    decide(Task(str(program), strategy=strategy, time_limit=0.7))
    assert CLOCK() - before < 2.0


def test_invariants_are_looked_for_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whatever becomes of the proof: each stage has them from the first that looked."""
    looked: list[object] = []
    certify = Verification._certify_safe

    def believed(self: Verification, stage: Stage, *arguments: Any) -> Any:
        if stage.name == "kinduction":
            return certify(self, stage, *arguments)
        self.reasons.append("not believed")
        return None

    def sampled(*arguments: Any) -> Any:
        looked.append(arguments)
        return sample(*arguments)

    monkeypatch.setattr("argosy.invariants.discovery.sample", sampled)
    monkeypatch.setattr(Verification, "_certify_safe", believed)
    program = tmp_path / "sum.c"
    program.write_text(
        "void reach_error(void); int main(void) { int i = 0, s = 0;"
        "while (i < 100000) { i++; s += 2; } if (s != 200000) reach_error(); }"
    )
    rules = (Rule("loops", 0, "lbe", 0.3, "first"), Rule("loops", 0, "kinduction", 0.3, "then"))
    monkeypatch.setattr("argosy.strategies.turns.RULES", rules)
    result = decide(Task(str(program), time_limit=20)).result
    assert (result.strategy.get("stage"), len(looked)) == ("kinduction", 1)


def test_a_domain_that_diverges_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked after 20,000 nodes, 40,000, ... and only where its expansions are counted."""
    asked: list[int] = []

    class Diverging:
        def diverges(self, states: Iterable[object]) -> bool:
            asked.append(reached.created)
            return reached.created >= 40_000

    strategy: Strategy[object, object, object] = Strategy(Diverging(), None, None, None)  # type: ignore[arg-type]
    observation = Observation(Deaf(), Counters())
    reached = Reached(lambda state: state)
    for expansions in (1_000_000, 0):
        observation.begin("explicit", UNLIMITED, expansions, strategy)
        reached.created = 0
        try:
            for reached.created in range(1, 100_000):
                observation.expanded(None, reached)  # type: ignore[arg-type]
        except OutOfBudget:
            assert expansions
        else:
            assert not expansions
    assert asked == [20_000, 40_000]
    assert issubclass(ExplicitAnalysis, protocols.Diverging)


def test_the_kernel_has_as_many_more_nodes_as_it_is_faster() -> None:
    """And a refinement counts for as many more of them."""
    observation = Observation(Deaf(), Counters())
    reached = Reached(lambda state: state)
    used = []
    for explorer in (None, lambda: None):
        strategy: Strategy[object, object, object] = Strategy(
            None,  # type: ignore[arg-type]
            None,  # type: ignore[arg-type]
            None,  # type: ignore[arg-type]
            None,
            explorer=explorer,  # type: ignore[arg-type]
        )
        observation.begin("explicit", UNLIMITED, 1_000, strategy)
        observation.refined(reached, None)
        used.append(observation.patience()[0])
        observation.expanded_some(used[-1] - 1, reached)
        with pytest.raises(OutOfBudget):
            observation.expanded_some(1, reached)
    assert used == [960, NATIVE * 960]


def test_what_is_shown_is_counted_when_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not after each of many thousand expansions."""
    now, sent, counted = [0.0], list[float](), list[int]()
    progress = Progress(lambda phase, counts: sent.append(counts["explored_states"]), 10, lambda: now[0])
    observation = Observation(_Telling(progress, lambda answers: None), Counters())  # type: ignore[arg-type, return-value]
    counts = Observation.counts

    def counting(self: Observation) -> dict[str, int]:
        counted.append(self.expanded_nodes)
        return counts(self)

    monkeypatch.setattr(Observation, "counts", counting)
    reached = Reached(lambda state: state)
    for _ in range(40):
        now[0] += 1
        observation.expanded(None, reached)  # type: ignore[arg-type]
    assert sent == counted == [1, 11, 21, 31]


@pytest.mark.parametrize(
    "features", [Features(), Features(recursive=True), Features(arrays=True), Features(loops=False)]
)
def test_every_turn_has_a_reason(features: Features) -> None:
    stages = stages_of(Plan(), "bits", features)
    assert all(stage.why for stage in stages)
    assert any(stage.why.startswith("turn ") for stage in stages)
