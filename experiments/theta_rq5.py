"""[Theta], RQ5 (section 4.2.5, Figure 13): refinement from several counterexamples."""

from __future__ import annotations

from collection import guarded
from theta import Claim, Question, run

QUESTION = Question(
    "rq5",
    "refinement from several counterexamples",
    {"domain": ("expl", "pred-bool", "pred-cart"), "refinement": ("multi-seq", "seq")},
    {"max-enum": ("1",), "split": ("whole",), "search": ("bfs",)},
    [
        Claim(
            "explicit values: several counterexamples solve at least as much as one",
            {"domain": "expl", "refinement": "multi-seq"},
            {"domain": "expl", "refinement": "seq"},
            "eca",
        ),
        Claim("explicit values win on eca", {"domain": "expl"}, {"domain": "pred-bool"}, "eca", strict=True),
        Claim("explicit values win on ssh", {"domain": "expl"}, {"domain": "pred-bool"}, "ssh-simplified", strict=True),
        Claim("predicates win on loops", {"domain": "pred-bool"}, {"domain": "expl"}, "loops", strict=True),
    ],
)

if __name__ == "__main__":
    guarded(lambda: run(QUESTION))
