"""[Theta], RQ2 (section 4.2.2, Figure 10): search that heads for the error location."""

from __future__ import annotations

from collection import guarded
from theta import Claim, Question, run

QUESTION = Question(
    "rq2",
    "search that heads for the error location",
    {"domain": ("expl", "pred-bool", "pred-cart"), "search": ("bfs", "dfs", "err", "dfs-err", "err-dfs")},
    {"max-enum": ("1",), "split": ("whole",), "refinement": ("seq",)},
    [
        Claim("err solves at least as much as bfs", {"search": "err"}, {"search": "bfs"}),
        Claim("err solves at least as much as dfs", {"search": "err"}, {"search": "dfs"}),
        Claim("explicit values win on ssh", {"domain": "expl"}, {"domain": "pred-bool"}, "ssh-simplified", strict=True),
        Claim("predicates win on loops", {"domain": "pred-bool"}, {"domain": "expl"}, "loops", strict=True),
    ],
)

if __name__ == "__main__":
    guarded(lambda: run(QUESTION))
