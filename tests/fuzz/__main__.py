"""``python -m tests.fuzz --count 5000 --seed 1 --jobs 2``: random programs against the truth, for as long as asked.

Exit code 1 when anything disagrees; the smallest program found for each disagreement is printed, and saved with
``--failures``.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from .campaign import Job, work
from .compare import Disagreement
from .corpus import BATCH
from .statements import LARGE, SMALL, TINY
from .truth import available

PROFILES = {"tiny": TINY, "small": SMALL, "large": LARGE}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=5000, help="programs")
    parser.add_argument("--seed", type=int, default=1, help="of the first program")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--profile", choices=PROFILES, default="tiny", help="how large the programs are")
    parser.add_argument("--strategies", default="auto", help="comma-separated; empty: only the model is compared")
    parser.add_argument("--each", type=int, default=1, help="strategies per program, taking turns")
    parser.add_argument("--time-limit", type=float, default=10.0, help="seconds per verification")
    parser.add_argument("--attempts", type=int, default=600, help="programs tried to make a failing one smaller")
    parser.add_argument("--failures", type=Path, help="directory for the programs that disagree")
    options = parser.parse_args(arguments)
    if not available("LP64"):
        parser.error("gcc for Linux on x86-64 is needed to know the truth")
    strategies = tuple(name for name in options.strategies.split(",") if name)
    jobs = [
        Job(
            range(start, min(start + BATCH, options.seed + options.count)),
            PROFILES[options.profile],
            strategies,
            options.each,
            options.time_limit,
            options.attempts,
        )
        for start in range(options.seed, options.seed + options.count, BATCH)
    ]
    total: Counter[str] = Counter()
    wrong = 0
    started = time.monotonic()
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        for done in as_completed([pool.submit(work, job) for job in jobs]):
            counts, found = done.result()
            total += counts
            wrong += len(found)
            for disagreement in found:
                print(disagreement, flush=True)
                if options.failures:
                    _save(options.failures, disagreement)
            print(f"{time.monotonic() - started:.0f} s: {total['programs']} programs, {wrong} disagree", flush=True)
    for name in sorted(total):
        print(f"{total[name]:7} {name}")
    print(f"{wrong:7} disagreements")
    return 1 if wrong else 0


def _save(directory: Path, found: Disagreement) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    stem = f"{found.case.name}-{found.label}-{found.reading}"
    (directory / f"{stem}.c").write_text(found.case.source.text)
    (directory / f"{stem}.txt").write_text(str(found))


if __name__ == "__main__":
    sys.exit(main())
