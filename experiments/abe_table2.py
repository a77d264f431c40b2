"""Table II of [ABE]: blocks from single edges to whole loops; and Figure 5, its part about locks, as a plot.

    python experiments/abe_table2.py [--bench DIR] [--limit S] [--programs GLOB] [--csv FILE] [--plot FILE.svg]

Times are in seconds; the paper's are of 2010 (2.8 GHz, limits 1800 s and 4 GB; "mo" is out of memory). ``SBE`` is
cartesian abstraction after every edge, which the paper found best for single edges, ``SBE bool`` the boolean one;
``k=N`` abstracts at loop heads, calls, and where a block has N operations; ``LBE`` at loop heads and calls only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from abe import LBE, figures, programs
from collection import ABE, guarded
from curves import Panel, Point, draw
from tables import Configuration, Experiment, Run, arguments, present

PRINTED = (
    Configuration("SBE", ("--strategy", "cartesian")),
    *(Configuration(f"k={k}", ("--strategy", "lbe", "--block", f"lbe+k={k}")) for k in range(10, 101, 10)),
    LBE,
)
COLUMNS = (Configuration("SBE bool", ("--strategy", "sbe")), *PRINTED)

PAPER = """
test_locks_5.c        6.36   3.42   1.02   1.29  .367  .695  .397  .292  .587  .468  .507  .483
test_locks_6.c        13.1   3.03   1.90   1.36  .690  .334  .527  .428  .637  .790  .323  .398
test_locks_7.c        34.8   5.71   1.30   3.26  .516  1.06  .800  .326  .591  .355  .807  .875
test_locks_8.c         102   25.8   3.82   1.86  1.20  1.27  .414  .392  .670  .575  .680  .437
test_locks_9.c         298   67.7   12.4   6.97  1.67  1.63  .543  .454  .551  .667  .705  .510
test_locks_10.c       1250    109   7.53   6.59  3.79  1.24  .679  .588  .805  .845  .993  .746
test_locks_11.c      >1800    244   26.7   4.71  6.73  1.71  .906  .992  1.20  .905  .418  .416
test_locks_12.c      >1800  >1800   88.5   20.6  3.08  5.31  1.32  1.04  .995  1.35  .728  .486
test_locks_13.c      >1800     mo    134   71.5  7.12  2.78  2.29  1.48  1.77  1.05  1.09  .769
test_locks_14.c      >1800     mo  >1800    580  19.6  17.6  4.61  2.25  2.07  1.13  .915  .787
test_locks_15.c      >1800  >1800  >1800  >1800  32.2  22.3  23.1  5.56  2.71  2.46  1.40  .896
cdaudio1.sim.c          mo    210    119   51.9  52.9  54.5  49.0  52.6  58.1  53.8  53.5  51.5
diskperf1.sim.c         mo    855    155    171   163   168   158   152   154   146   167   146
floppy3.sim.c          559   80.5   23.6   19.3  25.5  23.1  20.0  21.0  21.1  19.8  17.9  20.1
floppy4.sim.c           mo    212   54.0   28.8  41.4  39.2  35.2  31.7  32.6  32.8  44.6  32.2
kbfiltr1.sim.c        48.2   10.1   3.72   2.66  3.28  2.82  2.15  2.49  1.83  1.89  2.81  2.57
kbfiltr2.sim.c         128   59.1   10.2   5.26  5.90  7.93  4.12  4.56  4.19  4.67  3.94  3.75
cdaudio1_BUG.sim.c     158    106    151   32.6  36.7  38.6  32.7  35.5  40.0  33.4  31.9  32.5
floppy3_BUG.sim.c     75.8   45.9   13.9   12.1  13.9  11.3  11.2  9.38  9.11  10.5  10.4  11.1
floppy4_BUG.sim.c     77.4    150   39.0   16.9  30.4  31.3  26.1  21.3  22.2  23.3  23.1  20.1
kbfiltr2_BUG.sim.c     156   16.5   3.25   4.16  3.22  3.37  2.89  3.22  2.19  2.36  2.27  2.28
s3_clnt_1.sim.c         mo     mo     mo     mo    mo  41.3  27.8  13.4  10.8   445  45.0  14.6
s3_clnt_2.sim.c         mo     mo     mo     mo    mo  34.4  45.0  16.2  12.8   569  49.1  35.4
s3_clnt_3.sim.c         mo     mo     mo     mo    mo  45.7   238   309  24.6    mo  36.4  17.8
s3_clnt_4.sim.c         mo     mo     mo     mo    mo  38.1  17.7  24.2  9.53   441  28.4  9.59
s3_srvr_1.sim.c      >1800     mo     mo     mo    mo  43.7    mo   712   113    mo  47.8  31.2
s3_srvr_2.sim.c         mo     mo     mo     mo    mo   462  33.2    mo   340    mo  98.5  86.7
s3_srvr_3.sim.c      >1800     mo     mo     mo    mo  32.9  11.5  31.1  24.7    mo    mo  14.1
s3_srvr_4.sim.c      >1800     mo     mo     mo    mo   325  56.4  12.1  22.0    mo  45.6   160
s3_srvr_6.sim.c      >1800     mo     mo     mo    mo    mo  83.8   638    mo  50.8    mo  45.7
s3_srvr_7.sim.c      >1800     mo     mo     mo    mo    mo   133   458    mo    mo   315   136
s3_srvr_8.sim.c      >1800     mo     mo     mo    mo    mo  18.9  42.7  26.8   155   565  21.2
s3_clnt_1_BUG.sim.c    667   67.5   20.4   8.78  11.8  3.82  2.39  2.25  2.16  7.87  4.19  2.81
s3_clnt_2_BUG.sim.c    677    135   26.6   14.2  10.2  3.93  3.05  1.94  2.59  6.47  3.58  2.06
s3_clnt_3_BUG.sim.c    653   55.3   18.6   19.6  6.20  3.62  2.72  3.27  1.93  9.87  3.45  3.14
s3_clnt_4_BUG.sim.c    646   78.0   33.8   15.2  5.42  3.73  2.35  1.86  2.68  8.91  3.64  2.54
s3_srvr_1_BUG.sim.c   42.2   14.9   9.44   2.03  3.01  1.49  2.64  2.32  2.35  5.22  1.47  1.62
s3_srvr_2_BUG.sim.c   35.6   60.4   6.18   2.72  4.80  2.65  1.09  2.03  1.61  5.00  3.32  2.71
"""

EXPERIMENT = Experiment(
    "Table II: SBE, LBE with at most k operations in a block, LBE", programs, ABE, COLUMNS, figures(PAPER, PRINTED)
)


def main() -> None:
    parser = arguments(EXPERIMENT)
    parser.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw the curves of Figure 5")
    options = parser.parse_args()
    runs = present(EXPERIMENT, options)
    if options.plot is not None:
        options.plot.write_text(figure_5(runs, options.limit))


def figure_5(runs: Sequence[Run], limit: float) -> str:
    """Time over the number of locks, a curve for each configuration: the paper's and ours."""
    paper = [(name, column, figure.seconds) for (name, column), figure in EXPERIMENT.paper.items()]
    ours = [(run.program, run.configuration, run.time) for run in runs]
    panels = [Panel("[ABE] (2010)", curves(paper), 1800.0), Panel("Argosy", curves(ours), limit)]
    return draw("Figure 5: programs with locks", panels, "number of locks", "seconds")


def curves(times: Iterable[tuple[str, str, str]]) -> dict[str, list[Point]]:
    """The points of each configuration; a run without a verdict is one at the limit."""
    found: dict[str, list[Point]] = {column.name: [] for column in COLUMNS}
    for name, column, time in times:
        locks = re.match(r"test_locks_(\d+)\.c$", name)
        if locks and time:
            solved = re.match(r"[\d.]", time)
            found[column].append(Point(int(locks[1]), float(time) if solved else None))
    return {column: sorted(points, key=lambda point: point.x) for column, points in found.items() if points}


if __name__ == "__main__":
    guarded(main)
