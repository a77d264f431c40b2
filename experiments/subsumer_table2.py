"""Table 2 of [Subsumer]: the full loop from the empty abstraction, breadth-first and subsumer-first.

python experiments/subsumer_table2.py [--models GLOB] [--limit S] [--csv FILE] [--programs]
"""

from __future__ import annotations

from collection import guarded
from subsumer import arguments, inputs, measure, present

PAPER = """
The paper (13 models, ARMC, 3.16 GHz), iterations and predicates breadth-first / subsumer-first, reductions by
subsumer-first in per cent and its speed-up:
               iterations  predicates   time  queries  states  speed-up
odometry          65 / 37   218 / 153   92.7     82.8    56.6     13.6
odometryslb       32 / 29    97 / 102   51.7     57.7    62.5      2.07
triple2           65 / 45   254 / 219   84.6     67.7    52.2      6.50
odometryslb       20 / 22     72 / 83    0        9      49.3      1.0
odometryslub      37 / 33   157 / 257  -68.7     20.8   -14.8      0.59
gasburner         64 / 61   198 / 220   46.9     64.6    51.5      1.88
timing            14 / 14     14 / 14    3.9      0       1.4      1.04
rtalltcs          30 / 40     56 / 74    2.6      6.3    29.7      1.03
bakery3           34 / 36     67 / 58   73.3     65.4    37.6      3.75
model-test01      58 / 54   115 / 100   50       11.8   -29.7      2.0
model-test07      58 / 56   115 / 104   40        8.3   -38.6      1.67
model-test13      63 / 61   140 / 136   47       21.2    -1.8      1.89
model-test19      62 / 59   137 / 135  -21      -19.5   -54.8      0.83
mean                                    31       30.5    15.5      2.9
median                                  46.9     20.8    29.7      1.88
"""


def main() -> None:
    options = arguments(__doc__.splitlines()[0] if __doc__ else "")
    columns = options.columns.split(",")
    runs = [measure("full", path, c, options) for path in inputs(options) for c in columns]
    loops = [] if options.programs else [run for run in runs if run.column == columns[0]]
    present("Table 2: the full loop from the empty abstraction", runs, columns, True, PAPER, loops)


if __name__ == "__main__":
    guarded(main)
