"""[Theta], section 4: many configurations under a short limit, on a stratified sample of the programs.

The sample is every N-th program of each category, in the order of the index, the first included; the sample of 12 lies
within that of 6, and that within that of 3, so that a sweep can be made denser without measuring anything twice.

    python experiments/theta_sweep.py --every 12 --time-limit 20 --wall-limit 600
    python experiments/theta_sweep.py --every 6 --time-limit 20 --wall-limit 600      # goes on from there
"""

from __future__ import annotations

from collection import guarded
from theta import Claim, Question, run

PREDICATES = (
    "theta-pred-seq",
    "theta-pred-seq:split=conjuncts",
    "theta-pred-seq:split=whole",
    "theta-pred-seq:split=whole:refinement=bw-bin",
    "theta-pred-seq:split=whole:refinement=fw-bin",
    "theta-pred-seq:split=whole:refinement=multi-seq",
    "theta-pred-bw",
    "theta-pred-seq:domain=pred-bool:split=whole",
)
VALUES = (
    "theta-expl-seq",
    "theta-expl-seq:max-enum=1",
    "theta-expl-seq:max-enum=0",
    "theta-expl-seq:max-enum=1:refinement=bw-bin",
    "theta-expl-seq:max-enum=1:refinement=fw-bin",
    "theta-expl-seq:max-enum=1:refinement=multi-seq",
    "theta-expl-seq:max-enum=1:search=err",
    "theta-expl-multiseq",
)

CARTESIAN = {"domain": "pred-cart", "search": "bfs", "split": "whole", "refinement": "seq"}
EXPLICIT = {"domain": "expl", "search": "bfs", "max-enum": "1", "refinement": "seq"}
ATOMS = {**CARTESIAN, "split": "atoms"}

QUESTION = Question(
    "sweep",
    "many configurations on a sample, a short time each",
    {},
    claims=[
        *(
            Claim(f"{domain}: {name} solves more than fw-bin", {**levels, "refinement": name}, forward, strict=True)
            for domain, levels in (("predicates", CARTESIAN), ("explicit values", EXPLICIT))
            for forward in [{**levels, "refinement": "fw-bin"}]
            for name in ("bw-bin", "seq")
        ),
        Claim("cartesian: conjuncts solve at least as much as atoms", {**ATOMS, "split": "conjuncts"}, ATOMS),
        Claim("cartesian: the whole solves at least as much as atoms", CARTESIAN, ATOMS),
        Claim(
            "asking a solver (1) solves at least as much as not asking (1*)", EXPLICIT, {**EXPLICIT, "max-enum": "1*"}
        ),
        Claim("some bound (1) solves at least as much as none (0)", EXPLICIT, {**EXPLICIT, "max-enum": "0"}),
        Claim("err solves at least as much as bfs", {**EXPLICIT, "search": "err"}, EXPLICIT),
        Claim("explicit values win", EXPLICIT, CARTESIAN, "eca", strict=True),
        Claim("explicit values win", EXPLICIT, CARTESIAN, "ssh-simplified", strict=True),
        Claim("predicates win", CARTESIAN, EXPLICIT, "loops", strict=True),
        Claim(
            "explicit values: several counterexamples help",
            {**EXPLICIT, "refinement": "multi-seq"},
            EXPLICIT,
            "eca",
            strict=True,
        ),
    ],
    strategy=",".join((*PREDICATES, *VALUES)),
)

if __name__ == "__main__":
    guarded(lambda: run(QUESTION))
