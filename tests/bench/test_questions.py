"""The research questions of [Theta]: their configurations are those of Table 3, and they run."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from argosy.bench.matrix import matrix, split_strategies
from argosy.bench.tasks import read_tasks

ROOT = Path(__file__).parents[2]
EXPERIMENTS = ROOT / "experiments"

sys.path.insert(0, str(EXPERIMENTS))
import theta  # noqa: E402
import theta_rq1  # noqa: E402
import theta_rq2  # noqa: E402
import theta_rq3  # noqa: E402
import theta_rq4  # noqa: E402
import theta_rq5  # noqa: E402
import theta_rq6  # noqa: E402
import theta_sweep  # noqa: E402
import theta_sweep_rest  # noqa: E402

sys.path.remove(str(EXPERIMENTS))

QUESTIONS = [module.QUESTION for module in (theta_rq1, theta_rq2, theta_rq3, theta_rq4, theta_rq5, theta_rq6)]
# Section 4.2: levels of the factor times levels of the blocking factor.
SIZES = (6 * 2, 5 * 3, 3 * 3, 3 * 3, 2 * 3, 4 * 3)


@pytest.mark.parametrize(
    ("question", "size"), list(zip(QUESTIONS, SIZES, strict=True)), ids=lambda value: str(value)[15:18]
)
def test_configurations_are_those_of_the_paper(question: theta.Question, size: int) -> None:
    found = matrix([question.strategy], question.lists)
    assert len(found.configurations) == size and not found.impossible
    for configuration in found.configurations:
        parameters = configuration.parameters
        assert parameters["granularity"] == "global" and parameters.get("relations", "off") == "off"
        assert parameters["strategy"] == ("theta-expl-seq" if parameters["domain"] == "expl" else "theta-pred-seq")
        for name, values in question.lists.items():
            assert parameters.get(name, values[0]) in values
    for claim in question.claims:
        for levels in (claim.more, claim.less):
            assert any(levels.items() <= c.parameters.items() for c in found.configurations), claim.text


def test_the_small_version_has_its_programs() -> None:
    tasks = read_tasks([str(theta.SMALL)])
    assert len(tasks) == 6 and len({task.category for task in tasks}) == 4
    for task in tasks:
        assert f"Expected verdict: {(task.expected or '').upper()}" in Path(task.path).read_text()


def row(success: bool, category: str = "loops", **levels: str) -> dict[str, str]:
    return {"success": str(success).lower(), "category": category, **levels}


def test_claims_are_judged_by_numbers() -> None:
    rows = [row(True, max_enum="1"), row(True, max_enum="1"), row(True, max_enum="0"), row(False, max_enum="0")]
    more = theta.Claim("one", {"max-enum": "1"}, {"max-enum": "0"}, strict=True)
    assert more.judge(rows) == (True, 2, 1)
    assert theta.Claim("", {"max-enum": "0"}, {"max-enum": "1"}).judge(rows) == (False, 1, 2)
    assert theta.Claim("", {"max-enum": "1"}, {"max-enum": "1"}).judge(rows) == (True, 2, 2)
    assert theta.Claim("", {"max-enum": "1"}, {"max-enum": "1"}, strict=True).judge(rows) == (False, 2, 2)
    assert theta.Claim("", {"max-enum": "1"}, {"max-enum": "0"}, "eca").judge(rows) is None
    question = theta.Question("rq0", "", {}, claims=[more, theta.Claim("none", {"max-enum": "7"}, {})])
    assert theta.judge(question, rows) == ["holds: one, 2 against 1", "not measured: none"]


def test_a_question_runs(tmp_path: Path) -> None:
    command = [sys.executable, str(EXPERIMENTS / "theta_rq5.py"), "--tasks", str(ROOT / "examples/c/lock_bug.c")]
    command += ["--out", str(tmp_path), "--time-limit", "2", "--wall-limit", "300", "--domain", "expl,pred-cart"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("$ argosy bench ") and "not measured: predicates win on loops (loops)" in ran.stdout
    with (tmp_path / "results.csv").open(newline="") as file:
        found = list(csv.DictReader(file))
    levels = {(r["domain"], r["split"], r["refinement"]) for r in found}
    assert levels == {(*domain, r) for domain in (("expl", ""), ("pred-cart", "whole")) for r in ("seq", "multi-seq")}
    assert all(r["outcome"] != "wrong" for r in found)
    assert "RQ5" in (tmp_path / "index.html").read_text()


def test_without_the_programs_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ARGOSY_BENCH", str(tmp_path / "nowhere"))
    with pytest.raises(SystemExit, match=r"nowhere.*--small"):
        theta.run(QUESTIONS[0], [])


def test_a_study_that_was_stopped_decides_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whatever was measured until then: the other half may say the opposite."""

    def stopped(words: list[str]) -> int:
        (tmp_path / "results.csv").write_text("success,category,domain\ntrue,loops,expl\n")
        return 5

    monkeypatch.setattr("argosy.cli.main.main", stopped)
    said = io.StringIO()
    with redirect_stdout(said):
        assert theta.run(QUESTIONS[0], ["--small", "--out", str(tmp_path)]) == 5
    lines = [line for line in said.getvalue().splitlines() if line and not line.startswith("$")]
    assert lines and all(line.startswith("not decided, the study was stopped: ") for line in lines)


@pytest.mark.parametrize(("question", "size"), [(theta_sweep.QUESTION, 16), (theta_sweep_rest.QUESTION, 15)])
def test_what_is_claimed_about_the_sweeps_is_measured(question: theta.Question, size: int) -> None:
    found = matrix(split_strategies(question.strategy), question.lists).configurations
    assert len(found) == size and len({tuple(c.parameters.items()) for c in found}) == size
    for claim in question.claims:
        for levels in (claim.more, claim.less):
            assert len([c for c in found if levels.items() <= c.parameters.items()]) == 1, claim.text


def test_samples_are_stratified_and_lie_within_each_other() -> None:
    names = [f"{category}/p{number}.c" for category, size in (("eca", 30), ("locks", 13)) for number in range(size)]
    rows = [{"category": name.split("/")[0], "file": name} for name in names]
    samples = [[row["file"] for row in theta.sample(rows, every)] for every in (12, 6, 3)]
    assert samples[0] == ["eca/p0.c", "eca/p12.c", "eca/p24.c", "locks/p0.c", "locks/p12.c"]
    assert set(samples[0]) < set(samples[1]) < set(samples[2]) and len(samples[2]) == 10 + 5
    assert theta.sample(rows, 1) == rows
