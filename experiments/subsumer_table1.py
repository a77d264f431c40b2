"""Table 1 of [Subsumer]: the fixpoint under a fixed set of predicates, breadth-first and subsumer-first.

    python experiments/subsumer_table1.py [--models GLOB] [--limit S] [--csv FILE] [--programs]

The predicates are those of the last iteration of the full loop under the first of the columns, which is breadth-first
search as the paper describes it.
"""

from __future__ import annotations

from collection import guarded
from subsumer import arguments, inputs, measure, precisions, present

PAPER = """
The paper (16 models, ARMC, 3.16 GHz), reductions by subsumer-first in per cent and its speed-up:
                time  queries  states  speed-up                    time  queries  states  speed-up
odometrys4lb    37.2     48.6    45.9      1.59   odometry11b      50       50      37.6      2.0
odometrys2lb    54.2     51.9    52.5      2.18   triple2           0        9      14.8      1.0
odometrys1ub    68.7     66.2    63.8      3.19   odometry         33.3     35.7    21.5      1.5
odometrys1ub    44.1     56.2    50.2      1.79   bakery3           9       24      24.8      1.1
timing           0        2.5     1.4      1.0    model-test01      9.4      0       0.8      1.1
gasburner       47       51.4    45.9      1.89   model-test07      5.1      4       4.8      1.05
odometry11b     66.7     62.5    56        3.0    model-test13      0       16.7    16.9      1.0
rtalltcs        50       60      55.5      2.0    model-test19     33.3     33.3    33.4      1.5
mean            31.8     35.8    32.9      1.68
median          33.3     42.1    35.5      1.54
"""


def main() -> None:
    options = arguments(__doc__.splitlines()[0] if __doc__ else "")
    columns = options.columns.split(",")
    runs, loops = [], []
    with precisions(options) as folder:
        for path in inputs(options):
            file = folder / f"{path.stem}.{columns[0]}.precision"
            save = {"save-precision": str(file)}
            loops.append(measure("full", path, columns[0], options, again=not file.exists(), **save))
            if loops[-1].done:
                runs += [measure("1", path, c, options, precision=str(file)) for c in columns]
    present(
        "Table 1: the fixpoint under fixed predicates", runs, columns, False, PAPER, [] if options.programs else loops
    )


if __name__ == "__main__":
    guarded(main)
