"""[Theta], section 4: what ``theta_sweep.py`` leaves out, and what is ours, on a stratified sample as there.

python experiments/theta_sweep_rest.py --every 12 --time-limit 20 --wall-limit 600
"""

from __future__ import annotations

from collection import guarded
from theta import Claim, Question, run

PREDICATES = (
    "theta-pred-seq:split=whole:refinement=min-prune",
    "theta-pred-seq:split=whole:refinement=max-prune",
    "theta-pred-seq:domain=pred-split:split=whole",
    "theta-pred-seq:split=whole:search=dfs",
    "theta-pred-seq:split=whole:search=err",
    "theta-pred-seq:split=whole:prune=adaptive",
)
VALUES = (
    "theta-expl-seq:max-enum=1:refinement=min-prune",
    "theta-expl-seq:max-enum=1:refinement=max-prune",
    "theta-expl-seq:max-enum=1:search=dfs",
    "theta-expl-seq:max-enum=1:search=dfs-err",
    "theta-expl-seq:max-enum=1:search=err-dfs",
    "theta-expl-seq:max-enum=10",
    "theta-expl-seq:prune=adaptive",
    "explicit",
    "product",
)

CARTESIAN = {"domain": "pred-cart", "search": "bfs", "split": "whole", "refinement": "min-prune"}
EXPLICIT = {"domain": "expl", "search": "bfs", "max-enum": "1", "refinement": "min-prune"}

QUESTION = Question(
    "sweep_rest",
    "pruning indices, splitting of states, search orders, and parts of our own, on a sample",
    {},
    claims=[
        Claim(
            f"{domain}: min-prune solves more than max-prune",
            levels,
            {**levels, "refinement": "max-prune"},
            strict=True,
        )
        for domain, levels in (("predicates", CARTESIAN), ("explicit values", EXPLICIT))
    ],
    strategy=",".join((*PREDICATES, *VALUES)),
)

if __name__ == "__main__":
    guarded(lambda: run(QUESTION))
