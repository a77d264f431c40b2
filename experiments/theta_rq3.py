"""[Theta], RQ3 (section 4.2.3, Figure 11): splitting predicates, and splitting states."""

from __future__ import annotations

from collection import guarded
from theta import Claim, Question, run

ATOMS = {"domain": "pred-cart", "split": "atoms"}

QUESTION = Question(
    "rq3",
    "splitting predicates and states",
    {"domain": ("pred-bool", "pred-cart", "pred-split"), "split": ("atoms", "conjuncts", "whole")},
    {"search": ("bfs",), "refinement": ("seq",)},
    [
        Claim("cartesian: conjuncts solve at least as much as atoms", {**ATOMS, "split": "conjuncts"}, ATOMS),
        Claim("cartesian: the whole solves at least as much as atoms", {**ATOMS, "split": "whole"}, ATOMS),
        Claim("one state solves at least as much as split states", {"domain": "pred-bool"}, {"domain": "pred-split"}),
    ],
)

if __name__ == "__main__":
    guarded(lambda: run(QUESTION))
