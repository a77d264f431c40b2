"""One batch of a long run: which candidates a program is compared with, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from .assertions import with_assertion, with_exact_assertions
from .compare import Candidate, Disagreement, disagreements, minimise, model, pipeline
from .corpus import cases
from .statements import Profile


@dataclass(frozen=True, slots=True)
class Job:
    """One batch of seeds; the strategies take turns, so that each program is verified by ``each`` of them."""

    seeds: range
    profile: Profile
    strategies: tuple[str, ...]
    each: int
    time_limit: float
    attempts: int

    def candidates(self, seed: int) -> Iterator[tuple[str, Candidate]]:
        yield "model", model
        for turn in range(min(self.each, len(self.strategies))):
            strategy = self.strategies[(seed + turn) % len(self.strategies)]
            yield strategy, pipeline(strategy, self.time_limit)


def work(job: Job) -> tuple[Counter[str], list[Disagreement]]:
    counts: Counter[str] = Counter()
    found: list[Disagreement] = []
    # Without an analysis there is no reason to ask for less than everything that is known.
    finish = with_assertion if job.strategies else with_exact_assertions
    for case in cases(job.seeds, job.profile, finish):
        counts["programs"] += 1
        counts.update(f"truth {reading} {truth.verdict}" for reading, truth in case.truths.items())
        for label, candidate in job.candidates(case.program.seed):
            wrong, outcomes = disagreements(case, label, candidate)
            counts.update(f"{label} {outcome.verdict}" for outcome in outcomes.values())
            found += [minimise(disagreement, candidate, job.attempts) for disagreement in wrong[:1]]
            if wrong:
                break
    return counts, found
