"""[Theta], RQ6 (section 4.2.6, Figure 14): forward or backward, whichever prunes less or more."""

from __future__ import annotations

from collection import guarded
from theta import Claim, Question, run

QUESTION = Question(
    "rq6",
    "forward or backward interpolation by what they prune",
    {
        "domain": ("expl", "pred-bool", "pred-cart"),
        "refinement": ("bw-bin", "fw-bin", "max-prune", "min-prune"),
    },
    {"max-enum": ("1",), "split": ("whole",), "search": ("bfs",)},
    [
        Claim("backward solves more than forward", {"refinement": "bw-bin"}, {"refinement": "fw-bin"}, strict=True),
        Claim("backward solves at least as much as min-prune", {"refinement": "bw-bin"}, {"refinement": "min-prune"}),
        Claim(
            "min-prune solves more than max-prune",
            {"refinement": "min-prune"},
            {"refinement": "max-prune"},
            strict=True,
        ),
    ],
)

if __name__ == "__main__":
    guarded(lambda: run(QUESTION))
