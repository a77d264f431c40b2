"""``python -m tests.frontends.c.printing_all FOLDER ...``: prints every C program below the folders and compares.

Says what is refused, what does not compile or is converted by the compiler itself, and what behaves differently.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from argosy.basics.errors import InputError, UnsupportedError

from .printing import conversions, difference, form, object_file
from .well_typed import check, functions


def judged(path: Path, model: str, run: bool) -> tuple[str, str]:
    """What becomes of a program, and what there is to say about it."""
    original = path.read_text(encoding="utf-8", errors="surrogateescape")
    try:
        printed = form(path, model)
        for function in functions(path, model):
            check(function)
    except (InputError, UnsupportedError) as refused:
        return ("refused" if object_file(original, model, "-w").ok else "no program"), str(refused)
    said = conversions(printed, model)
    if said:
        return ("converts" if object_file(original, model, "-w").ok else "no program"), said[0]
    found = difference(original, printed) if run and model == "LP64" else ""
    if found:
        return "different", found
    return ("compiles" if found == "" else "same"), ""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.frontends.c.printing_all", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--data-model", default="LP64", choices=("LP64", "ILP32"))
    parser.add_argument("--compile-only", action="store_true", help="do not run anything")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    for folder in options.folders:
        for path in sorted(p for p in folder.rglob("*") if p.suffix in (".c", ".i")):
            kind, said = judged(path, options.data_model, not options.compile_only)
            counts[kind] += 1
            if said and kind != "no program":
                print(f"{path}: {kind}: {said}", flush=True)
    print(dict(counts))
    return 1 if counts["different"] or counts["converts"] else 0


if __name__ == "__main__":
    sys.exit(main())
