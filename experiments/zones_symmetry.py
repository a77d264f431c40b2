"""Families of models with and without symmetry reduction, as a table.

    python experiments/zones_symmetry.py MODEL SIZES [--query Q] [--symmetry auto,off] [--time-limit S] [--jobs N]

``SIZES`` are numbers with commas between them; each takes the place of that in ``const int N = ...;``. Every size
gets one run of ``argosy verify --search largest`` for each way; CPU seconds and memory are those of the whole
process, certification included, of which the wall-clock time is in a column of its own.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import tempfile
from pathlib import Path

from collection import guarded


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("sizes")
    parser.add_argument("--query")
    parser.add_argument("--symmetry", default="auto,off")
    parser.add_argument("--argosy", default="argosy")
    parser.add_argument("--jobs", default="1")
    parser.add_argument("--time-limit", default="120")
    parser.add_argument("--memory-limit", default="8192")
    arguments = parser.parse_args()
    text = arguments.model.read_text(encoding="utf-8")
    query = arguments.query or arguments.model.with_suffix(".q").read_text(encoding="utf-8")
    print("| model | symmetry | verdict | stored | transitions | CPU s | wall s | certificate, wall s | MB |")
    print("|---|---|---|---:|---:|---:|---:|---:|---:|")
    for size in arguments.sizes.split(","):
        sized, count = re.subn(r"const int N = \d+;", f"const int N = {size};", text)
        if count != 1:
            raise SystemExit(f"{arguments.model} has no line 'const int N = ...;'")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"model{arguments.model.suffix}"
            path.write_text(sized, encoding="utf-8")
            for way in arguments.symmetry.split(","):
                command = [arguments.argosy, "verify", str(path), "--query", query, "--json", "-", "--symmetry", way]
                command += ["--search", "largest", "--covering", "inclusion", "--time-limit", arguments.time_limit]
                command += ["--memory-limit", arguments.memory_limit, "--jobs", arguments.jobs]
                ran = subprocess.run(command, capture_output=True, text=True, check=False)
                result = json.loads(ran.stdout)
                its = result["statistics"]
                verdict = result["verdict"] if result["certified"] else f"{result['verdict']} ({result['reason']})"
                counts = f"{its['nodes']:,} | {its.get('transitions', 0):,}"
                costs = f"{its['cpu_s']:.1f} | {its['wall_s']:.1f} | {its.get('certify_s', 0):.1f}"
                costs += f" | {its['peak_memory_mb']:.0f}"
                name = f"{arguments.model.stem}, N = {size}"
                print(f"| {name} | {way} | {verdict} | {counts} | {costs} |", flush=True)


if __name__ == "__main__":
    guarded(main)
