"""Table III of [ABE]: blocks larger than large blocks, on programs with a bug and on those with locks.

    python experiments/abe_table3.py [--bench DIR] [--limit S] [--programs GLOB] [--csv FILE]

Times are in seconds; the paper's are of 2010 (2.8 GHz, limits 1800 s and 4 GB; "mo" is out of memory). ``k=N`` ends a
block after N operations, wherever that is: a block that holds every path to the bug finds it without any abstraction.
The check whether the error location is reached is no abstraction, in the paper's numbers as in ours.
"""

from __future__ import annotations

from abe import DRIVERS_WITH_BUG, LBE, LOCKS, SSH_WITH_BUG, figures, programs
from collection import ABE, guarded
from tables import Configuration, Experiment, arguments, present

COLUMNS = (LBE, *(Configuration(f"k={k}", ("--strategy", "lbe", "--block", f"k={k}")) for k in range(50, 301, 50)))

PAPER = """
cdaudio1_BUG.sim.c   32.5  26989   451  49240   168  6428  11.1  444  12.9  114  15.9   105  13.4  181
floppy3_BUG.sim.c    11.1   4059  51.4   4697  20.1  1207  6.17  217  7.81   99  10.9   112  4.03   43
floppy4_BUG.sim.c    20.1  11066  87.7   7734  43.7  2491  11.8  177  14.2  167  10.4   161  6.63   55
kbfiltr2_BUG.sim.c   2.28    660  3.75    424  1.94    57  1.45   52  2.22   24  1.07     0  1.10    0
s3_clnt_1_BUG.sim.c  2.81     16  14.6    743    mo     -  5.39   38  3.63   33  4.67    10  6.57   20
s3_clnt_2_BUG.sim.c  2.06     20  3.70    146  2.94    51  3.41   28    mo    -  4.48     9  5.07   18
s3_clnt_3_BUG.sim.c  3.14     22  14.6    795    mo     -    mo    -  13.1   44  7.06     7  5.27    7
s3_clnt_4_BUG.sim.c  2.54     22  5.21    218  4.46    78    mo    -  13.2  125  5.32     9  6.17   19
s3_srvr_1_BUG.sim.c  1.62     13  6.01    303  1.28    38  3.24   10    mo    -  1.90     2  2.13    7
s3_srvr_2_BUG.sim.c  2.71     13  4.61    306    mo     -  2.24   10    mo    -  1.97     2  2.01    7
test_locks_5.c       .483      4  1.21     22  1.03    10  2.05    7  1.09    5  1.65     3  2.49    2
test_locks_6.c       .398      4  71.4   2258  2.26    84  2.22   40  2.18   12  1.11     1  1.47    1
test_locks_7.c       .875      4  3.17    120  2.48    17  1.11    1  1.66   10  7.16    26  5.90   60
test_locks_8.c       .437      4  3.33    180  .578     1  1.16   14  8.71  144  1.78     1  5.49    7
test_locks_9.c       .510      4  2.37     89  .880     2  11.2  192  3.49   19  2.62    10  15.5   47
test_locks_10.c      .746      4  1.83    118  .677    10  4.97  144  32.1  114  11.2    38  1.57    1
test_locks_11.c      .416      4  3.85    164  1.59    22  3.80   27  1.75   18  8.51    95  3.19   14
test_locks_12.c      .486      4  33.0   1985    mo     -  1.12    1  17.2   98  1.29     1   185  537
test_locks_13.c      .769      4  24.4    285   324  4628  .626    1  37.8  470  1.48     3  24.1  232
test_locks_14.c      .787      4   179     79  77.1  1202  1.01    2  10.0  220  4.43    22  27.8  107
test_locks_15.c      .896      4  1580   1268   154  2234  1.80   10  4.93   37   367  1255  1.28    1
"""

EXPERIMENT = Experiment(
    "Table III: LBE and blocks of k operations",
    lambda bench: programs(bench, DRIVERS_WITH_BUG + SSH_WITH_BUG + LOCKS),
    ABE,
    COLUMNS,
    figures(PAPER, COLUMNS),
)

if __name__ == "__main__":
    guarded(lambda: present(EXPERIMENT, arguments(EXPERIMENT).parse_args()))
