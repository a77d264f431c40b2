"""Every query inside the UPPAAL models of a folder, as a table: what becomes of each.

    python experiments/zones_queries.py [FOLDER ...] [--argosy ARGOSY] [--time-limit S] [--memory-limit MB]

A query inside a model, or in the ``.q`` file beside it, is asked by itself: one run of ``argosy verify --query``. What
``zones_verdicts.py`` runs already can be left out with ``--skip``. CPU seconds are those of search and certificate.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

from collection import MODELS, add_bench, guarded, whereabouts

from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.uppaal import load


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", type=Path, nargs="*", help="folders of models (that of the collection)")
    add_bench(parser)
    parser.add_argument("--argosy", default="argosy")
    parser.add_argument("--time-limit", default="120")
    parser.add_argument("--memory-limit", default="8192")
    parser.add_argument("--skip", action="append", default=[], help="leave out paths with this text in them")
    arguments = parser.parse_args()
    folders = arguments.folders or [whereabouts(arguments.bench, MODELS) / "ta"]
    files = sorted(p for folder in folders for p in folder.rglob("*") if p.suffix in (".xml", ".xta", ".ta"))
    print("| model | query | answer | certificate | stored | CPU s |\n|---|---|---|---|---:|---:|")
    counted: Counter[str] = Counter()
    for file in files:
        if any(text in str(file) for text in arguments.skip):
            continue
        try:
            queries = load(str(file))[1]
        except (InputError, UnsupportedError) as error:
            print(f"| {file.stem} | | not read: {error.what} | | | |", flush=True)
            counted["not read"] += 1
            continue
        for text in dict.fromkeys(query.text for query in queries):
            command = [arguments.argosy, "verify", str(file), "--json", "-", "--query", text]
            command += ["--time-limit", arguments.time_limit, "--memory-limit", arguments.memory_limit]
            result = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
            for answer in result["queries"]:
                kind, words = told(answer)
                counted[kind] += 1
                shown = " ".join(text.split()).replace("|", "\\|")
                stored, seconds = (answer["statistics"] or {}).get("nodes", ""), result["statistics"]["cpu_s"]
                print(
                    f"| {file.stem} | `{shown}` | {words} | {answer['certificate'] or ''} | {stored} | {seconds:.1f} |",
                    flush=True,
                )
    print("\n" + ", ".join(f"{kind}: {count}" for kind, count in sorted(counted.items())))


def told(answer: dict[str, Any]) -> tuple[str, str]:
    if answer["verdict"] in ("safe", "unsafe"):
        extreme = answer.get("extreme")
        return "decided", extreme["words"] if extreme else answer["formula"] or answer["verdict"]
    reason = answer["reason"] or ""
    return ("refused" if reason.startswith(("unsupported", "cannot be read")) else "undecided"), reason


if __name__ == "__main__":
    guarded(main)
