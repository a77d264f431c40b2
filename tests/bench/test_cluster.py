"""The same matrix on a Ray cluster: a real one, on this machine. Starting it takes longest: one test does it all."""

from __future__ import annotations

import importlib.util
import os
import re
import secrets
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from argosy.bench.cluster import execute
from argosy.bench.limits import Outcome, RunOrder
from tests.bench.fakes import Fake, bench_command
from tests.bench.test_study import rows

EXAMPLES = Path(__file__).parents[2] / "examples" / "c"
RAY = importlib.util.find_spec("ray") is not None
needs_ray = pytest.mark.skipif(not RAY, reason="Ray is not installed (pip install 'argosy[cluster]')")


def test_what_a_worker_does() -> None:
    text = execute(RunOrder(["cat", "{scratch}/input"], files={"input": "sent along"}).to_json())
    assert text is not None and Outcome.from_json(text).output == "sent along"


@pytest.mark.skipif(RAY, reason="Ray is installed")
def test_without_ray_it_says_what_to_install(tmp_path: Path) -> None:
    fake = Fake(tmp_path)
    path = fake.task("t.c")
    ran = subprocess.run(bench_command(fake, path, "--cluster", "auto"), capture_output=True, text=True, timeout=60)
    assert ran.returncode == 1 and "pip install 'argosy[cluster]'" in ran.stderr


@dataclass(frozen=True, slots=True)
class Local:
    """A cluster, and the environment in which its token is known: the tests made it up."""

    address: str
    environment: Mapping[str, str]


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Local]:
    """One machine with two processors, until its head process ends."""
    start = (
        "import ray, sys; context = ray.init(num_cpus=2, include_dashboard=False, _memory=4_000_000_000, "
        f"object_store_memory=80_000_000, _temp_dir={str(tmp_path_factory.mktemp('ray'))!r}); "
        "print(context.address_info['gcs_address'], flush=True); sys.stdin.read()"
    )
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(16)}
    environment = {**os.environ, **token, "RAY_USAGE_STATS_ENABLED": "0"}
    head = subprocess.Popen(
        [sys.executable, "-c", start],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    )
    assert head.stdin is not None and head.stdout is not None
    impatient = threading.Timer(60, head.kill)
    impatient.start()
    try:
        lines = (line.strip() for line in head.stdout)
        address = next((line for line in lines if re.fullmatch(r"[\w.]+:\d+", line)), None)
        impatient.cancel()
        if address is None:
            pytest.skip("Ray is installed, and does not start on this machine")
        yield Local(address, environment)
    finally:
        impatient.cancel()
        head.stdin.close()
        head.wait(timeout=30)


def run(cluster: Local, fake: Fake, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = bench_command(fake, *arguments)
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=cluster.environment)


@needs_ray
def test_the_matrix_on_a_cluster(cluster: Local, tmp_path: Path) -> None:
    fake = Fake(tmp_path)
    for number in range(4):
        fake.task(f"tasks/t{number}.c", "verdict=safe", "safe")
    fake.task("tasks/late.c", "sleep 60", "safe")
    arguments = (
        *(tmp_path / "tasks", "--strategies", "lbe,sbe", "--cluster", cluster.address, "--out", tmp_path / "out"),
        *("--time-limit", 5, "--wall-limit", 1, "--memory-limit", 500),
    )
    ran = run(cluster, fake, *arguments)
    assert ran.returncode == 0, ran.stderr
    found = rows(tmp_path / "out")
    assert len(found) == 10 and sum(row["success"] == "true" for row in found) == 8
    assert {row["termination"] for row in found if row["model"] == "late.c"} == {"time"}
    assert not any(str(tmp_path / "tasks") in line for line in fake.started()), "inputs travel with the orders"
    again = run(cluster, fake, *arguments)
    assert again.returncode == 0 and "10 of 10 runs are finished already" in again.stderr
    path = fake.task("t.c")
    for words, message in (
        (("--cluster", cluster.address, "--memory-limit", 900_000), "no machine there has 900000 MB"),
        (("--cluster", "127.0.0.1:1"), "--cluster 127.0.0.1:1: "),
    ):
        refused = run(cluster, fake, path, *words, "--out", tmp_path / "refused")
        assert refused.returncode == 1 and message in refused.stderr, refused.stderr
    verified = subprocess.run(
        [sys.executable, "-P", "-m", "argosy", "verify", str(EXAMPLES / "lock_bug.c"), "--cluster", cluster.address],
        capture_output=True,
        text=True,
        timeout=120,
        env=cluster.environment,
    )
    assert verified.returncode == 10, verified.stderr
    assert "UNSAFE was found and certified on " in verified.stdout and verified.stdout.endswith("Verdict: UNSAFE\n")
