"""The verdicts that an index of UPPAAL models expects, as a table.

    python experiments/zones_verdicts.py INDEX.csv [--argosy ARGOSY] [--time-limit S] [--memory-limit MB]

The index has the columns ``file`` (beside it), ``expected`` and ``notes``. A model counts if what is expected says
``satisfied``, ``unsatisfied``, ``holds`` or ``violated`` and is not marked as unconfirmed. Each gets one run of
``argosy verify`` without further options; where a depth is noted, breadth-first search with the promise of shortest
traces runs as well. CPU seconds and memory are those of the whole process.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from collection import MODELS, add_bench, guarded, whereabouts

from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.uppaal import load

EXPECTED = {"unsatisfied": "safe", "satisfied": "unsafe", "holds": "safe", "violated": "unsafe"}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("index", type=Path, nargs="?", help="an index of models (that of the collection)")
    add_bench(parser)
    parser.add_argument("--argosy", default="argosy")
    parser.add_argument("--time-limit", default="120")
    parser.add_argument("--memory-limit", default="8192")
    arguments = parser.parse_args()
    if arguments.index is None:
        arguments.index = whereabouts(arguments.bench, MODELS) / "index.csv"
    command = [arguments.argosy, "verify", "--quiet", "--time-limit", arguments.time_limit]
    command += ["--memory-limit", arguments.memory_limit]
    with arguments.index.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["file"].endswith((".xta", ".ta", ".xml"))]
    rows = [row for row in rows if row["set"].startswith("ta/")]
    read, refused = 0, []
    for row in rows:
        try:
            load(str(arguments.index.parent / row["file"]))
            read += 1
        except (InputError, UnsupportedError) as error:
            refused.append(f"{error.position}: {error.what}".removeprefix(f"{arguments.index.parent}/"))
    print(f"{read} of {len(rows)} models are read; the others:\n", *refused, sep="\n")
    print("\n| model | expected | verdict | certificate | visited | CPU s | MB | depth noted | breadth-first |")
    print("|---|---|---|---|---:|---:|---:|---:|---:|")
    met = asked = 0
    for row in rows:
        word = next((word for word in EXPECTED if re.search(rf"\b{word}\b", row["expected"])), None)
        if word is None or "UNCONFIRMED" in row["expected"]:
            continue
        asked += 1
        path = str(arguments.index.parent / row["file"])
        result, seconds, megabytes = run([*command, path])
        noted = re.search(r"depth[ =](\d+)", row["expected"] + row["notes"])
        found = ""
        if noted is not None and result["verdict"] == "unsafe":
            found = str(run([*command, path, "--search", "bfs", "--trace", "shortest"])[0]["depth"])
        met += result["verdict"] == EXPECTED[word]
        depth = noted[1] if noted else ""
        print(
            f"| {Path(path).stem} | {EXPECTED[word]} | {result['verdict']} | {result['certificate'] or ''} "
            f"| {result['visited']:,} | {seconds:.1f} | {megabytes:.0f} | {depth} | {found} |",
            flush=True,
        )
    print(f"\n{met} of {asked} expected verdicts are met.")


def run(command: list[str]) -> tuple[dict[str, Any], float, float]:
    """What the JSON says, CPU seconds, megabytes."""
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "result.json"
        process = subprocess.Popen([*command, "--json", str(out)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if not out.exists():
            return {"verdict": f"exit {process.returncode}", "certificate": None, "visited": 0, "depth": ""}, 0, 0
        result = json.loads(out.read_text())
    actions = [step for step in result["counterexample"] if step.get("edges")]
    statistics = result["statistics"]
    shown = {"verdict": result["verdict"], "certificate": result["certificate"], "depth": len(actions)}
    shown["visited"] = statistics.get("explored_states", 0)
    return shown, usage.ru_utime + usage.ru_stime, statistics["peak_memory_mb"]


if __name__ == "__main__":
    guarded(main)
