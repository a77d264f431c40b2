"""[Theta], RQ1 (section 4.2.1, Figure 9): the explicit domain, with more and more successors enumerated."""

from __future__ import annotations

from collection import guarded
from theta import Claim, Question, run

QUESTION = Question(
    "rq1",
    "how many successors the explicit domain enumerates",
    {"search": ("bfs", "dfs"), "max-enum": ("1*", "1", "5", "10", "50", "0")},
    {"domain": ("expl",), "refinement": ("seq",)},
    [
        Claim("asking a solver (1) solves at least as much as not asking (1*)", {"max-enum": "1"}, {"max-enum": "1*"}),
        Claim("some bound (10) solves at least as much as none (0)", {"max-enum": "10"}, {"max-enum": "0"}),
        Claim("breadth-first solves at least as much as depth-first", {"search": "bfs"}, {"search": "dfs"}),
    ],
)

if __name__ == "__main__":
    guarded(lambda: run(QUESTION))
