"""[Directed], Table 1: random depth-first search, the baselines, and the best configurations of predicate abstraction.

    python experiments/directed_table1.py --models 'C*' --csv table1.csv

``graph`` ([6]) and ``zones`` (this project's) have no column in the paper. [13] is there the better of two variants.
"""

from __future__ import annotations

from collection import guarded
from directed import BEYOND, FISCHER, MUTUAL, SEGMENT, Measurement, table

COLUMNS = {
    "RDF": Measurement({}, "rdf", seeds=5),
    "graph": Measurement({}, "graph"),
    "[13] layers": Measurement({"relaxation": "layers"}, "monotone"),
    "[13] plan": Measurement({}, "monotone"),
    "[5]-N50": Measurement({}, "merge-n50"),
    "Syntax-b2": Measurement({}, "syntax-b2"),
    "Refine-b3-r4": Measurement({}, "refine-b3-r4"),
    "zones": Measurement({}, "zone-databases"),
}

PAPER_TEXT = """
FA5 526/0.0 27/0.0 80/0.1 0.0/80/0.1 0.3/29/0.3
FA10 6371/0.4 42/0.0 130/0.2 0.0/130/0.1 0.4/44/0.4
FA15 20010/1.3 57/0.0 180/0.5 0.1/180/0.1 0.6/59/0.6
FB5 356/0.0 74/0.0 21/0.0 0.1/21/0.1 0.5/23/0.5
FB10 7885/0.5 274/0.0 36/0.1 0.3/36/0.3 0.5/38/0.5
FB15 58793/3.8 599/0.1 51/0.4 0.5/51/0.5 0.5/53/0.5
M1 29607/0.7 5656/0.7 19063/0.9 1.1/23257/1.8 3.9/12121/4.1
M2 118341/3.3 30743/2.8 46545/1.5 1.2/84475/3.9 4.0/50599/5.1
M3 102883/4.6 18431/2.0 64522/2.0 1.1/92548/4.4 4.0/28022/4.4
M4 543238/6.1 88537/9.9 168692/3.3 1.3/311049/11.4 4.5/116570/5.8
N1 41218/2.0 16335/2.4 27275/2.0 1.0/36030/3.8 7.3/12439/8.1
N2 199631/10.1 132711/9.9 102097/5.2 1.4/178333/14.0 7.8/97219/11.3
N3 195886/9.7 28889/3.3 135783/6.8 1.3/196535/15.4 7.5/43159/9.6
N4 878706/43.5 226698/23.1 483623/23.1 1.2/983344/75.1 8.2/469363/24.4
C1 25219/0.9 2368/0.8 871/0.5 2.8/1588/2.8 10.8/1172/10.8
C2 65388/1.0 5195/1.5 1600/0.6 3.0/3786/3.1 12.2/3256/12.2
C3 85940/1.7 6685/1.7 2481/0.8 2.6/3846/2.7 12.5/4278/12.5
C4 892327/9.7 55480/6.5 22223/1.4 4.6/30741/5.0 14.3/46837/14.8
C5 8.0e+6/81.9 465796/41.9 160951/3.2 5.0/185730/8.0 15.4/473470/20.0
C6 - 4.5e+6/353.0 1.7e+6/15.5 5.2/1.9e+6/33.9 16.5/2.6e+6/42.5
"""

PAPER = {
    name: {"RDF": rdf, "[13] plan": relaxed, "[5]-N50": merged, "Syntax-b2": syntax, "Refine-b3-r4": refined}
    for name, rdf, relaxed, merged, syntax, refined in map(str.split, PAPER_TEXT.split("\n")[1:-1])
}

if __name__ == "__main__":
    guarded(lambda: table("[Directed], Table 1", COLUMNS, (*FISCHER, *MUTUAL, *SEGMENT, *BEYOND), PAPER))
