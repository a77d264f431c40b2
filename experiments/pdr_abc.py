"""``pdr`` and ``auto`` beside ABC's ``pdr`` (Debian's package ``berkeley-abc``) on the AIGER files of the bench.

ABC is given the same circuit in the form that it takes without doubt: latches that start with 0, one output. A latch
that starts with 1 is complemented; one that starts with any value is an input in the first step; constraints become a
latch that remembers whether they have held so far; several bad states become their disjunction.

    python experiments/pdr_abc.py --time-limit 60 --out results/pdr_abc.csv
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
from array import array
from collections.abc import Iterator, Sequence
from math import exp, log
from pathlib import Path

from collection import MODELS, add_bench, checked, guarded, whereabouts

from argosy.frontends.aiger.reader import read_aiger
from argosy.frontends.aiger.writer import write_binary_aiger
from argosy.models.circuit import ARBITRARY, FALSE, TRUE, Circuit

# Shorter times are mostly those of starting a process.
LEAST = 0.01

FIELDS = ("file", "expected", "abc", "abc_s", "auto", "auto_s", "pdr", "pdr_s", "queries", "frames", "lemmas")


class Rewriting:
    """A circuit with all latches starting with 0 and one bad state, and nothing else."""

    def __init__(self, circuit: Circuit) -> None:
        self._old = circuit
        self._arbitrary = [k for k in range(circuit.latches) if circuit.reset[k] == ARBITRARY]
        self._inputs = circuit.inputs + len(self._arbitrary)
        self._latches = circuit.latches + 2
        self._gates = array("I")
        self._known: list[int] = [FALSE, TRUE]

    def circuit(self) -> Circuit:
        old = self._old
        started = self._latch(old.latches)
        failed = self._latch(old.latches + 1)
        for k in range(old.inputs):
            self._say(2 * (1 + k))
        choice = {k: 2 * (1 + old.inputs + n) for n, k in enumerate(self._arbitrary)}
        for k in range(old.latches):
            own = self._latch(k)
            if k in choice:
                # Before the first step is over it is what the input says.
                own = self._or(self._and(started, own), self._and(started ^ 1, choice[k]))
            self._say(own ^ (old.reset[k] == 1))
        gates = iter(old.gates)
        for left, right in zip(gates, gates, strict=True):
            self._say(self._and(self._known[left], self._known[right]))
        holds = TRUE
        for literal in old.constraints:
            holds = self._and(holds, self._known[literal])
        bad = FALSE
        for literal in old.bad:
            bad = self._or(bad, self._known[literal])
        bad = self._and(self._and(bad, holds), failed ^ 1)
        following = [self._known[literal] ^ (old.reset[k] == 1) for k, literal in enumerate(old.next)]
        following += [TRUE, self._or(failed, holds ^ 1)]
        return Circuit(self._inputs, array("I", following), bytes(self._latches), self._gates, (bad,))

    def _latch(self, k: int) -> int:
        return 2 * (1 + self._inputs + k)

    def _say(self, literal: int) -> None:
        self._known += (literal, literal ^ 1)

    def _and(self, a: int, b: int) -> int:
        if FALSE in (a, b) or a == b ^ 1:
            return FALSE
        if a in (TRUE, b):
            return b
        if b == TRUE:
            return a
        self._gates.extend((a, b))
        return 2 * (self._inputs + self._latches + len(self._gates) // 2)

    def _or(self, a: int, b: int) -> int:
        return self._and(a ^ 1, b ^ 1) ^ 1


def timed(command: Sequence[str], seconds: float) -> tuple[str, float]:
    """What it prints, and its processor time, those of its children included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=2 * seconds + 30)
        printed = done.stdout
    except subprocess.TimeoutExpired:
        printed = ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return printed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def by_abc(circuit: Circuit, seconds: float) -> tuple[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.aig")
        Path(path).write_bytes(outputs_for_bad(write_binary_aiger(Rewriting(circuit).circuit())))
        printed, taken = timed(["berkeley-abc", "-q", f"read_aiger {path}; pdr -T {seconds:.0f}"], seconds)
    proved, failed = "Property proved" in printed, "was asserted in frame" in printed
    return "safe" if proved else "unsafe" if failed else "unknown", taken


def outputs_for_bad(content: bytes) -> bytes:
    """The bad states of a file of AIGER 1.9 as the outputs of one of AIGER 1.0."""
    head, rest = content.split(b"\n", 1)
    magic, variables, inputs, latches, _, gates, bad = head.split()
    return b" ".join((magic, variables, inputs, latches, bad, gates)) + b"\n" + rest


def by_argosy(path: Path, strategy: str, seconds: float, argosy: str) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "result.json")
        command = [argosy, "verify", str(path), "--strategy", strategy, "--time-limit", f"{seconds:g}"]
        timed([*command, "--memory-limit", "4000", "--quiet", "--json", out], seconds)
        return dict(json.loads(Path(out).read_text())) if os.path.exists(out) else {}


def searched(path: Path, seconds: float) -> tuple[str, float, dict[str, int]]:
    """The search alone, as ABC's is one: neither Python's start nor the certificate."""
    code = (
        "import sys, time; from argosy.basics.budget import Budget\n"
        "from argosy.frontends.aiger.reader import read_aiger\n"
        "from argosy.kernel.pdr import CircuitProof, CircuitRefutation, PropertyDirectedReachability\n"
        "circuit = read_aiger('x', open(sys.argv[1], 'rb').read()).circuit\n"
        "begun, said, counts = time.process_time(), 'safe', [0, 0, 0]\n"
        "for number in range(len(circuit.bad)):\n"
        "    search = PropertyDirectedReachability(circuit.cone([number]).circuit, 0)\n"
        "    found = search.run(Budget.of(float(sys.argv[2])))\n"
        "    c = found.counts; counts = [a + b for a, b in zip(counts, (c.queries, c.frames, c.lemmas))]\n"
        "    if isinstance(found, CircuitRefutation): said = 'unsafe'\n"
        "    elif not isinstance(found, CircuitProof) and said == 'safe': said = 'unknown'\n"
        "print(said, time.process_time() - begun, *counts)\n"
    )
    printed, _ = timed([sys.executable, "-c", code, str(path), f"{seconds:g}"], seconds)
    if not printed:
        return "unknown", seconds, {}
    said, taken, *counts = printed.split()
    return said, float(taken), dict(zip(("queries", "frames", "lemmas"), map(int, counts), strict=True))


def measured(folder: Path, options: argparse.Namespace) -> Iterator[dict[str, object]]:
    seconds, argosy = options.time_limit, options.argosy
    with (folder / "index.csv").open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["category"] == "aiger" and row["expected"]]
    paths = checked(folder, MODELS, (row["file"] for row in rows), options.any_version)
    for row, path in zip(rows, paths, strict=True):
        abc, abc_s = by_abc(read_aiger(str(path), path.read_bytes()).circuit, seconds)
        ours = by_argosy(path, "auto", seconds, argosy)
        statistics = ours.get("statistics")
        auto_s = statistics["cpu_s"] if isinstance(statistics, dict) else None
        pdr, pdr_s, counts = searched(path, seconds) if abc != "unknown" else ("not asked", 0.0, {})
        yield {
            "file": row["file"],
            "expected": row["expected"],
            "abc": abc,
            "abc_s": round(abc_s, 3),
            "auto": ours.get("verdict") if ours.get("certified") else "unknown",
            "auto_s": auto_s,
            "pdr": pdr,
            "pdr_s": round(pdr_s, 3),
            **counts,
        }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_bench(parser)
    parser.add_argument("--time-limit", type=float, default=60.0)
    beside = Path(sys.executable).parent / "argosy"
    parser.add_argument("--argosy", default=str(beside), help="the command to measure")
    parser.add_argument("--out", type=Path, default=Path("results/pdr_abc.csv"))
    options = parser.parse_args()
    folder = whereabouts(options.bench, MODELS)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    found = []
    with options.out.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        for row in measured(folder, options):
            found.append(row)
            writer.writerow(row)
            file.flush()
            print(*row.values(), flush=True)
    for name in ("abc", "auto"):
        print(f"{name}: {sum(row[name] in ('safe', 'unsafe') for row in found)} of {len(found)}")
    both = [row for row in found if row["abc"] in ("safe", "unsafe") and row["pdr"] == row["abc"]]
    ratios = [log(max(LEAST, float(str(row["pdr_s"]))) / max(LEAST, float(str(row["abc_s"])))) for row in both]
    if ratios:
        mean = exp(sum(ratios) / len(ratios))
        print(f"pdr over ABC on {len(ratios)} files that both solve: geometric mean {mean:.2f}")
    return 0


if __name__ == "__main__":
    guarded(main)
