"""``python -m tests.frontends.c.executing_all FOLDER ...``: executes the model of every C program below the folders.

The compiled program runs beside it; what differs is said.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections import Counter
from pathlib import Path

from .executing import Judgement, judge


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.frontends.c.executing_all", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    steps = 0
    for folder in options.folders:
        paths = [folder] if folder.is_file() else sorted(p for p in folder.rglob("*") if p.suffix in (".c", ".i"))
        for path in paths:
            try:
                found = judge(path)
            except Exception:  # noqa: BLE001 (a crash is a finding about this program only)
                found = Judgement("crash", traceback.format_exc(limit=-2))
            counts[found.kind] += 1
            steps += found.steps
            if found.said:
                print(f"{path}: {found.kind}: {found.said}", flush=True)
    print(dict(counts), f"{steps} steps compared")
    return 1 if counts["different"] or counts["crash"] else 0


if __name__ == "__main__":
    sys.exit(main())
