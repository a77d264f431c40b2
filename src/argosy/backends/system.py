"""The backend of transition systems: one bad state at a time, each on its own cone of influence.

A system is read as an automaton with one loop (``models.system``), and everything that decides programs decides it:
``backends.program`` does the work and certifies it. Property-directed reachability works on its bits: the clauses it
finds are a claim at the loop head, certified like any other, and the run it finds is walked by the interpreter.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial

from argosy.backends.contract import SAFE, UNKNOWN, UNSAFE, Answer, Execution, Invariant, Path, Plan
from argosy.backends.program import Means, Verification
from argosy.backends.stages import IMPATIENCE, PATIENCE, Stage, stages_of
from argosy.basics.budget import INTERRUPTED, MEMORY_LIMIT, PENDING, TIME_LIMIT, Budget, OutOfBudget
from argosy.basics.errors import UnsupportedError
from argosy.basics.processes import MEGABYTE, peak_memory_mb
from argosy.basics.records import replace
from argosy.certify.certificate import certificate_text, confirmed
from argosy.certify.invariant import Certified, certify_safe
from argosy.certify.replay import Replayed, replay_choices
from argosy.kernel.pdr import BitCounts, CircuitProof, CircuitRefutation, PropertyDirectedReachability
from argosy.logic.semantics import Value
from argosy.logic.terms import Term
from argosy.models.bitblast import BlastedSystem
from argosy.models.bits import blasted
from argosy.models.cfa import Cfa, Edge, Location
from argosy.models.circuit import Stimulus
from argosy.models.transition import TransitionModel
from argosy.problem.problem import Problem, Subject
from argosy.strategies.table import AUTO

PDR = "pdr"

STOPPED = {"time": TIME_LIMIT, "memory": MEMORY_LIMIT, "interrupted": INTERRUPTED}

# What the solvers of a search on bits may have of the memory limit.
SHARE = 0.7


def decide(problem: Problem, plan: Plan) -> Sequence[Answer]:
    """An answer for each bad state that is asked about. They share the time that is left equally."""
    # Words of hardware wrap on purpose: integers that do not are no idealisation of them.
    plan = replace(plan, arithmetic="bits") if plan.arithmetic == "auto" else plan
    answers: list[Answer] = []
    for place, subject in enumerate(problem.subjects):
        waiting = problem.subjects[place:]
        answers.append(_answer(problem, plan, subject, 1 / len(waiting)))
        if len(waiting) > 1:
            pending = (Answer(each, UNKNOWN, PENDING) for each in waiting[1:])
            plan.listener.keep((*answers, *pending))
    return answers


def _answer(problem: Problem, plan: Plan, subject: Subject, share: float) -> Answer:
    if subject.asked is None:
        return Answer(subject, SAFE, certificate="nothing", notes=problem.ledger)
    budget = plan.budget if share == 1 else plan.budget.share(share)
    return SystemVerification(problem, plan, subject, budget).answer()


class SystemVerification(Verification):
    """One bad state on its way to an answer. The automaton is reduced when a stage asks for it."""

    def __init__(self, problem: Problem, plan: Plan, subject: Subject, budget: Budget) -> None:
        self.model: TransitionModel = problem.model
        self.system = self.model.system(subject.asked)
        part = replace(problem, model=self.system.as_program(), subjects=(subject,))
        super().__init__(Means(part, plan), subject, budget)
        self._search: PropertyDirectedReachability | None = None
        self._bits: BlastedSystem | None = None
        self._counts: BitCounts | None = None

    def _prepare(self) -> None:
        pass

    def _stages(self) -> Sequence[Stage]:
        # Numbers without bounds have no bits to search on: what is tried with programs is tried with them.
        if self.plan.strategy == AUTO and self.own != "bits":
            return stages_of(self.plan, self.own, loops=True, cyclic=True)
        return stages_of(self.plan, self.own, loops=True, kind="system")

    def _run_stage(self, stage: Stage, attempt: int, alone: bool) -> Answer | None:
        if stage.name == PDR:
            budget = self.budget if alone else self.budget.share(stage.share, PATIENCE * IMPATIENCE**attempt)
            return self._search_bits(stage, budget)
        if self.reduced is None:
            super()._prepare()
        return super()._run_stage(stage, attempt, alone)

    # ---- bits ---------------------------------------------------------------------------------------------

    def _search_bits(self, stage: Stage, budget: Budget) -> Answer | None:
        """A search that was stopped goes on where it was."""
        self._say("bits")
        try:
            if self._bits is None:
                self._bits = blasted(self.model, self.subject.asked, self.system, budget)
        except (UnsupportedError, OutOfBudget) as reason:
            self.reasons.append(TIME_LIMIT if isinstance(reason, OutOfBudget) else f"{PDR}: {reason.what}")
            return None
        if self._search is None:
            self._search = PropertyDirectedReachability(self._bits.circuit, 0)
        found = self._search.run(budget, store_bytes=self._store_limit(), tick=self._tick)
        self._counts = found.counts
        match found:
            case CircuitProof(clauses, _):
                return self._certify_clauses(stage, self._bits, clauses)
            case CircuitRefutation(stimulus, _):
                return self._certify_run(stage, self._bits, stimulus)
        self.reasons.append(STOPPED[found.reason])
        return None

    def _tick(self, frames: int, lemmas: int) -> None:
        if self.plan.listener.is_due(PDR):
            self.plan.listener.update(PDR, **self.observation.counts(), frames=frames, lemmas=lemmas)

    def _store_limit(self) -> int:
        limit = self.plan.budget.memory_mb
        return 0 if limit is None else max(MEGABYTE, int(SHARE * MEGABYTE * (limit - peak_memory_mb())))

    def _certify_clauses(self, stage: Stage, bits: BlastedSystem, clauses: Sequence[Sequence[int]]) -> Answer | None:
        head = loop_head(self.as_read)
        claims: dict[Location, Sequence[Term]] = {head: (bits.claim(clauses),)}
        if not self.plan.certify:
            return self._said(SAFE, stage=stage, evidence=Invariant(self.as_read, claims))
        self._say("certifying")
        begun = time.monotonic()
        answer = certify_safe(self.as_read, claims, self.solvers, self.reading, budget=self.budget, second_opinion=True)
        if isinstance(answer, Certified) and self.plan.certify_with is not None:
            answer = confirmed(answer, self.plan.certify_with, self.budget)
        self.certify_s += time.monotonic() - begun
        if not isinstance(answer, Certified):
            self.reasons.append(f"not certified: {answer.reason}")
            return None
        script = None if answer.proof is None else partial(certificate_text, answer.proof)
        return self._said(SAFE, stage=stage, evidence=Invariant(self.as_read, claims, script), certified=answer)

    def _certify_run(self, stage: Stage, bits: BlastedSystem, stimulus: Stimulus) -> Answer | None:
        values = list(bits.values(stimulus))
        path = tuple(path_of(self.as_read, len(values)))
        if not self.plan.certify:
            return self._said(UNSAFE, stage=stage, evidence=Path(self.as_read, path))
        self._say("replaying")
        begun = time.monotonic()
        answer = replay_choices(self.as_read, path, self.reading, values[0], chosen_along(self.as_read, path, values))
        self.certify_s += time.monotonic() - begun
        if isinstance(answer, Replayed):
            return self._said(UNSAFE, stage=stage, evidence=Execution(self.as_read, answer), certificate="replay")
        self.reasons.append(f"counterexample refuted: {answer.reason}")
        return None


# ---- the automaton of a system --------------------------------------------------------------------------------------


def loop_head(cfa: Cfa) -> Location:
    [head] = cfa.loop_heads
    return head


def path_of(cfa: Cfa, steps: int) -> Iterator[Edge]:
    """The path of a run of so many steps to the error."""
    head, at, passed = loop_head(cfa), cfa.initial, 0
    while at is not cfa.error:
        passed += at is head
        ends = passed == steps
        leaving = cfa.leaving[at]
        edge = leaving[0] if len(leaving) == 1 else next(e for e in leaving if (e.target is cfa.error) == ends)
        yield edge
        at = edge.target


def chosen_along(cfa: Cfa, path: Sequence[Edge], values: Sequence[dict[Term, Value]]) -> dict[tuple[int, Term], Value]:
    """The values of a run, step by step, as those that the edges of its path leave open: inputs where the step has
    begun, free state variables where the step before it ends."""
    head, passed = loop_head(cfa), 0
    chosen: dict[tuple[int, Term], Value] = {}
    for place, edge in enumerate(path):
        passed += edge.source is head
        now = passed if edge.target is head else passed - 1
        if 0 <= now < len(values):
            chosen.update(((place, variable), value) for variable, value in values[now].items())
    return chosen
