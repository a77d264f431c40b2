"""[Directed], Table 3: predicates from refinement on the C models, by split bound and rounds; ``auto`` is beyond it.

python experiments/directed_table3.py --columns b2-r0,b2-r4,b2-auto --models 'C[1-4]'
"""

from __future__ import annotations

from collection import guarded
from directed import SEGMENT, Measurement, table

BOUNDS = ("1", "2", "3", "4", "all")
ROUNDS = ("0", "1", "4", "7", "auto")


def name(bound: str, rounds: str) -> str:
    return ("all" if bound == "all" else f"b{bound}") + ("-auto" if rounds == "auto" else f"-r{rounds}")


COLUMNS = {
    name(bound, rounds): Measurement({"split-bound": bound, "refinements": rounds}, "refine-b3-r4")
    for bound in BOUNDS
    for rounds in ROUNDS
}

PAPER_TEXT = """
C1 1 0.8/19778/1.0 0.8/17330/1.0 1.6/2806/1.6 1.6/2806/1.6
C1 2 1.9/8769/2.0 2.6/8861/3.1 6.0/1508/6.0 6.0/1508/6.0
C1 3 1.7/8769/1.8 3.0/8861/3.1 10.8/1172/10.8 36.2/6362/36.2
C1 4 10.0/16291/10.3 32.9/12044/33.0 176.0/3630/174.3 -/
C1 all 30.2/8769/30.2 120.2/9627/120.2 -/ -/
C2 1 1.0/62046/1.4 1.2/59031/1.7 1.5/8143/1.6 1.5/8143/1.6
C2 2 1.7/39710/2.0 3.1/35245/3.4 6.3/4898/6.3 6.3/4898/6.3
C2 3 1.7/39710/2.0 4.1/35245/4.4 12.2/3256/12.2 38.2/25601/38.4
C2 4 2.1/39710/2.6 5.2/35245/5.5 17.2/3256/17.2 63.8/25601/63.9
C2 all 43.0/39710/43.1 189.1/40122/189.8 -/ -/
C3 1 0.9/88015/1.6 0.9/89194/1.6 1.6/10191/1.7 1.6/10191/1.7
C3 2 1.6/67166/2.2 3.1/53616/3.4 6.4/5583/6.4 6.4/5583/6.4
C3 3 1.6/67166/2.2 3.8/53616/4.2 12.5/4278/12.6 40.2/30407/40.4
C3 4 2.0/67166/2.5 5.2/53616/5.6 18.0/4278/18.0 67.6/30407/67.8
C3 all 44.6/67166/45.0 198.2/52042/198.9 -/ -/
C4 1 1.2/897900/6.8 1.5/872580/7.2 2.0/79069/2.7 2.0/79069/2.7
C4 2 2.1/516282/5.8 3.0/511180/6.8 6.8/41831/7.1 6.8/41831/7.1
C4 3 2.1/516282/5.8 4.8/511180/8.6 14.3/46837/14.8 45.6/279374/47.4
C4 4 2.1/516282/5.8 6.0/511180/9.9 20.6/46837/21.0 73.3/279374/74.9
C4 all 67.6/516282/71.2 288.9/540013/291.7 -/ -/
C5 1 1.1/9.0e+6/64.1 1.3/8.4e+6/61.0 2.4/1.1e+6/11.8 2.4/1.1e+6/11.8
C5 2 2.2/4.9e+6/38.8 3.2/6.8e+6/57.0 7.6/425264/11.6 7.6/425264/11.6
C5 3 2.2/4.9e+6/38.8 5.2/6.8e+6/59.1 15.4/473470/20.0 48.7/2.3e+6/66.2
C5 4 2.2/4.9e+6/38.8 7.0/6.8e+6/62.2 24.1/288614/26.7 79.9/1.9e+6/94.3
C5 all 94.1/4.9e+6/132.2 -/ -/ -/
C6 1 -/ -/ 2.4/4.4e+6/40.5 2.4/4.4e+6/40.5
C6 2 -/ -/ 7.9/2.8e+6/34.1 7.9/2.8e+6/34.1
C6 3 -/ -/ 16.5/2.6e+6/42.5 -/
C6 4 -/ -/ 30.5/3.8e+6/63.4 -/
C6 all -/ -/ -/ -/
"""

PAPER: dict[str, dict[str, str]] = {}
for model, bound, *figures in map(str.split, PAPER_TEXT.split("\n")[1:-1]):
    shown = {name(bound, rounds): figure for rounds, figure in zip(ROUNDS, figures, strict=False)}
    PAPER.setdefault(model, {}).update(shown)

if __name__ == "__main__":
    guarded(lambda: table("[Directed], Table 3", COLUMNS, SEGMENT, PAPER))
