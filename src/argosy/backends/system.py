"""The backend of transition systems: one bad state at a time, each on its own cone of influence.

A system is read as an automaton with one loop (``models.system``), and everything that decides programs decides it:
``backends.verification`` does the work and certifies it. Property-directed reachability, bounded model checking and
k-induction work on its bits, where it has them: clauses are a claim at the loop head, certified like any other, and a
run is walked by the interpreter.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial

from argosy.backends.contract import SAFE, UNKNOWN, UNSAFE, Answer, Execution, Invariant, Path, Plan
from argosy.backends.stages import IMPATIENCE, PATIENCE, Stage, stages_of
from argosy.backends.verification import Means, Verification
from argosy.basics.budget import INTERRUPTED, MEMORY_LIMIT, PENDING, TIME_LIMIT, Budget, OutOfBudget
from argosy.basics.errors import UnsupportedError
from argosy.basics.processes import MEGABYTE, peak_memory_mb
from argosy.basics.records import replace
from argosy.certify.certificate import certificate_text, confirmed
from argosy.certify.invariant import Certified, NotCertified, certify_safe
from argosy.certify.replay import Replayed, replay_choices
from argosy.certify.unwinding import certify_k_induction
from argosy.kernel.pdr import BitCounts, CircuitProof, CircuitRefutation, PropertyDirectedReachability
from argosy.kernel.unrolling import BoundedModelChecking, CircuitInduction, KInduction
from argosy.logic.semantics import Value
from argosy.logic.terms import Term
from argosy.models.arrays import without_arrays
from argosy.models.bitblast import BlastedSystem, bit_blast
from argosy.models.bits import blasted
from argosy.models.cfa import Cfa, Edge, Location
from argosy.models.circuit import Circuit, Stimulus
from argosy.models.features import Features, has_arrays
from argosy.models.transition import TransitionModel
from argosy.problem.problem import Problem, Subject
from argosy.strategies.table import AUTO

PDR = "pdr"

# Strategies that work on bits, where a system has them and nothing else was chosen.
BitSearch = PropertyDirectedReachability | BoundedModelChecking | KInduction
SEARCHES: Mapping[str, Callable[[Circuit, int], BitSearch]] = {
    PDR: PropertyDirectedReachability,
    "bmc": BoundedModelChecking,
    "kinduction": KInduction,
}

STOPPED = {"time": TIME_LIMIT, "memory": MEMORY_LIMIT, "interrupted": INTERRUPTED}

COUNTED = ("queries", "lemmas", "frames", "conflicts")

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
        # Without a bad state every state is allowed: true is the invariant.
        return Answer(subject, SAFE, certificate="invariant", notes=problem.ledger)
    budget = plan.budget if share == 1 else plan.budget.share(share)
    return SystemVerification(problem, plan, subject, budget).answer()


class SystemVerification(Verification):
    """One bad state on its way to an answer. The automaton is reduced when a stage asks for it."""

    def __init__(self, problem: Problem, plan: Plan, subject: Subject, budget: Budget) -> None:
        self.model: TransitionModel = problem.model
        self.system = self.model.system(subject.asked)
        part = replace(problem, model=self.system.as_program(), subjects=(subject,))
        super().__init__(Means(part, plan), subject, budget)
        self._bits: BlastedSystem | None = None
        self._no_bits: str | None = None
        self._weaker: BlastedSystem | None = None
        self._searches: dict[tuple[str, bool], BitSearch] = {}
        self._counts: dict[tuple[str, bool], BitCounts] = {}

    def _prepare(self) -> None:
        pass

    def _stages(self) -> Sequence[Stage]:
        # Numbers without bounds have no bits to search on: what is tried with programs is tried with them.
        if self.plan.strategy == AUTO and self.own != "bits":
            return stages_of(self.plan, self.own, Features(cyclic=True, arrays=has_arrays(self.as_read)))
        return stages_of(self.plan, self.own, Features(), "system")

    def _run_stage(self, stage: Stage, attempt: int, alone: bool) -> Answer | None:
        budget = self.budget if alone else self.budget.share(stage.share, PATIENCE * IMPATIENCE**attempt)
        if stage.name in SEARCHES and not self.plan.options:
            self._find_bits()
            if stage.name == PDR and self._weaker is not None:
                answer = self._search_bits(stage, self._weaker, budget)
                if answer is not None or self._weaker is not None:
                    return answer
            if self._bits is not None:
                return self._search_bits(stage, self._bits, budget)
        if stage.name == PDR:
            self.reasons.append(f"{PDR}: {self._no_bits}")
            return None
        if self.reduced is None:
            super()._prepare()
        return super()._run_stage(stage, attempt, alone)

    # ---- bits ---------------------------------------------------------------------------------------------

    def _find_bits(self) -> None:
        """Make the system bits, where it has any: numbers without a width and large arrays have none. Without its
        arrays it is smaller and may be safe all the same, which ``pdr`` tries first: a proof is certified with them."""
        if self._bits is not None or self._no_bits is not None:
            return
        self._say("bits")
        try:
            self._bits = blasted(self.model, self.subject.asked, self.system, self.budget)
        except UnsupportedError as reason:
            self._no_bits = reason.what
        except OutOfBudget as reason:
            self._no_bits = str(reason)
        forgetful = without_arrays(self.system)
        if forgetful is not self.system:
            with suppress(UnsupportedError, OutOfBudget):
                self._weaker = bit_blast(forgetful, self.budget)

    def _search_bits(self, stage: Stage, bits: BlastedSystem, budget: Budget) -> Answer | None:
        """A search that was stopped goes on where it was."""
        self._say(stage.name)
        key = (stage.name, bits is self._weaker)
        search = self._searches.get(key)
        if search is None:
            search = self._searches[key] = SEARCHES[stage.name](bits.circuit, 0)
        found = search.run(budget, store_bytes=self._store_limit(), tick=partial(self._tick, stage.name))
        self._counts[key] = found.counts
        match found:
            case CircuitProof(clauses, _):
                return self._certify_clauses(stage, bits, clauses)
            case CircuitInduction(k, _, facts, _):
                return self._certify_induction(stage, bits, k, facts)
            case CircuitRefutation() if bits is self._weaker:
                # Where arrays may hold anything there is a run: it needs them.
                self._weaker = None
                return None
            case CircuitRefutation(stimulus, _):
                return self._certify_run(stage, bits, stimulus)
        if isinstance(search, BoundedModelChecking):
            self.depth = max(self.depth or 0, search.depth)
        self.reasons.append(STOPPED[found.reason])
        return None

    def _tick(self, phase: str, steps: int, lemmas: int) -> None:
        if self.plan.listener.is_due(phase):
            self.plan.listener.update(phase, steps=steps, lemmas=lemmas)

    def _store_limit(self) -> int:
        limit = self.plan.budget.memory_mb
        return 0 if limit is None else max(MEGABYTE, int(SHARE * MEGABYTE * (limit - peak_memory_mb())))

    def _certify_clauses(self, stage: Stage, bits: BlastedSystem, clauses: Sequence[Sequence[int]]) -> Answer | None:
        claims: dict[Location, Sequence[Term]] = {loop_head(self.as_read): (bits.claim(clauses),)}
        if not self.plan.certify:
            return self._said(SAFE, stage=stage, evidence=Invariant(self.as_read, claims))
        self._say("certifying")
        begun = time.monotonic()
        means = self.solvers, self.reading
        answer = certify_safe(self.as_read, claims, *means, budget=self.budget, second_opinion=True)
        return self._proved(stage, claims, answer, begun)

    def _certify_induction(
        self, stage: Stage, bits: BlastedSystem, k: int, facts: Sequence[Sequence[int]]
    ) -> Answer | None:
        if not self.plan.certify:
            return self._said(SAFE, stage=stage, evidence=Invariant(self.as_read, {}))
        self._say("certifying")
        begun = time.monotonic()
        known = {loop_head(self.as_read): bits.claim(facts)} if facts else {}
        model = self.as_read, k, self.solvers, self.reading
        answer = certify_k_induction(*model, invariants=known, budget=self.budget, second_opinion=True)
        return self._proved(stage, {}, answer, begun)

    def _proved(
        self,
        stage: Stage,
        claims: Mapping[Location, Sequence[Term]],
        answer: Certified | NotCertified,
        begun: float,
    ) -> Answer | None:
        if isinstance(answer, Certified) and self.plan.certify_with is not None:
            answer = confirmed(answer, self.plan.certify_with, self.budget)
        self.certify_s += time.monotonic() - begun
        if not isinstance(answer, Certified):
            self.reasons.append(f"not certified: {answer.reason}")
            return None
        script = None if answer.proof is None else partial(certificate_text, answer.proof)
        return self._said(SAFE, stage=stage, evidence=Invariant(self.as_read, claims, script), certified=answer)

    def answer(self) -> Answer:
        """With what the searches on bits have counted."""
        answer = super().answer()
        counts = [(each.queries, each.lemmas, each.frames, each.conflicts) for each in self._counts.values()]
        counted = {name: sum(column) for name, column in zip(COUNTED, zip(*counts, strict=True), strict=False)}
        return replace(answer, statistics={**answer.statistics, **counted}) if self._counts else answer

    def _certify_run(self, stage: Stage, bits: BlastedSystem, stimulus: Stimulus) -> Answer | None:
        values = list(bits.values(stimulus))[: first_bad(bits.circuit, stimulus)]
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


def first_bad(circuit: Circuit, stimulus: Stimulus) -> int:
    """The number of steps up to the first bad state: a stimulus may pass one on its way."""
    latches: Sequence[int] = stimulus.latches
    for step, inputs in enumerate(stimulus.inputs, 1):
        values = circuit.values(latches, inputs)
        if values[circuit.bad[0]]:
            return step
        latches = circuit.successor(values)
    return len(stimulus)


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
