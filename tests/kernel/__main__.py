"""``python -m tests.kernel COUNT [FIRST [live|settling|extremes|rates|symmetry]]``: compares zones with regions on many
random networks; ``live``: the maximal runs of them; ``settling``: when the first of these settles; ``extremes``: the
largest and smallest values of clocks and integers; ``rates``: with stopwatches and clock rates; ``symmetry``: processes
that are alike, with and without reduction."""

from __future__ import annotations

import sys
from collections import Counter

from tests.kernel import extreme_compare, live_compare, rated_compare, symmetric_compare
from tests.kernel.compare import check


def main() -> int:
    count = int(sys.argv[1])
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    kinds: Counter[str] = Counter()
    for seed in range(first, first + count):
        if sys.argv[3:] == ["live"]:
            kinds.update(live_compare.check(seed))
        elif sys.argv[3:] == ["settling"]:
            kinds.update(live_compare.check_settling(seed))
        elif sys.argv[3:] == ["extremes"]:
            kinds.update(extreme_compare.check(seed))
        elif sys.argv[3:] == ["rates"]:
            kinds.update(rated_compare.check(seed))
        elif sys.argv[3:] == ["symmetry"]:
            kinds[symmetric_compare.check(seed)] += 1
        else:
            kinds[check(seed)] += 1
        if (seed - first + 1) % 100 == 0:
            print(f"{seed - first + 1} networks: {dict(kinds)}", flush=True)
    print(f"no disagreement in {count} networks: {dict(kinds)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
