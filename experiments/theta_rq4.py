"""[Theta], RQ4 (section 4.2.4, Figure 12): backward binary interpolation."""

from __future__ import annotations

from collection import guarded
from theta import Claim, Question, run

FORWARD = {"refinement": "fw-bin"}

QUESTION = Question(
    "rq4",
    "backward binary interpolation",
    {"domain": ("expl", "pred-bool", "pred-cart"), "refinement": ("bw-bin", "fw-bin", "seq")},
    {"max-enum": ("1",), "split": ("whole",), "search": ("bfs",)},
    [
        Claim("backward solves more than forward", {"refinement": "bw-bin"}, FORWARD, strict=True),
        Claim("sequences solve more than forward", {"refinement": "seq"}, FORWARD, strict=True),
        Claim(
            "explicit values: sequences solve at least as much as backward",
            {"domain": "expl", "refinement": "seq"},
            {"domain": "expl", "refinement": "bw-bin"},
            "eca",
        ),
    ],
)

if __name__ == "__main__":
    guarded(lambda: run(QUESTION))
