"""From a task to a certified result: read, reduce, analyse, certify, and go on where the certificate fails.

The analysis may run on integers, on a reduced model, under any strategy: nothing it says is believed. SAFE and
UNSAFE are printed after ``certify`` agreed on the model as it was read, bit-precisely. A claim that is refuted is
the end of a stage, not of the run: the next stage goes on bit-precisely with the predicates found so far, or with
the next strategy of a sequence.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from argosy.backends.stages import IMPATIENCE, PATIENCE, TIME_IS_UP, Observation, Stage, stages_of
from argosy.basics.errors import UnsupportedError
from argosy.certify.invariant import Certified, NotCertified, certify_safe
from argosy.certify.meanings import sort_kind
from argosy.certify.replay import Replayed, certify_unsafe
from argosy.certify.unwinding import certify_k_induction, certify_unwinding
from argosy.domains.unrolling import Bound
from argosy.engine.engine import check
from argosy.engine.outcome import Safe, Unknown, Unsafe
from argosy.engine.protocols import Strategy
from argosy.engine.reached import Reached
from argosy.logic.bdd import RegionsFull
from argosy.logic.solver import Counters, SolverError
from argosy.logic.solvers import Solvers, SortKind
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import variables
from argosy.logic.widen import to_bits
from argosy.models.cfa import Cfa, Edge, Location, Reading, Refusal, within_bounds
from argosy.models.counting import counting_locations
from argosy.models.errors import Errors
from argosy.models.integers import integers
from argosy.models.kinds import Undefined
from argosy.models.program import Program
from argosy.models.reduce import Reduced, reduce
from argosy.report import shown
from argosy.session.progress import Progress
from argosy.session.result import SAFE, UNSAFE, Result
from argosy.session.task import Task
from argosy.strategies.setting import Setting

# Recursive programs are read with so many calls of a function at first.
SHALLOW = 25


def run(task: Task, progress: Progress | None = None) -> Result:
    """Decide a task. InputError and UnsupportedError are for the caller to report."""
    if task.is_network:
        from argosy.backends import network as networks

        return networks.run(task, progress)
    return Verification(task, progress).result()


def load(task: Task, terms: Terms, *, shallow: bool = False) -> Program:
    """``shallow``: with few calls of one function active at a time."""
    if task.is_clauses:
        from argosy.frontends import armc

        return armc.load(task.input, terms=terms, numbers=None if task.numbers == "auto" else task.numbers)
    from argosy.frontends import c

    deepest = SHALLOW if shallow else c.DEEPEST
    errors = Errors(operations=frozenset({Undefined.SIGNED_OVERFLOW})) if task.property == "no-overflow" else None
    return c.load(task.input, terms=terms, errors=errors, data_model=task.data_model, deepest=deepest)


class Verification:
    """One task on its way to a result."""

    def __init__(self, task: Task, progress: Progress | None) -> None:
        self.task = task
        self.deadline = None if task.time_limit is None else time.monotonic() + task.time_limit
        self.terms = Terms()
        self.counters = Counters()
        self.solvers = Solvers(self.terms, self.counters, seed=task.seed)
        self.reading = Reading(task.signed_overflow)
        self.progress = progress
        self.observation = Observation(progress, self.counters)
        self.certify_s = 0.0
        self.reasons: list[str] = []
        self.predicates: dict[Location, tuple[Term, ...]] = {}
        self.reduced: Reduced | None = None
        self.beyond: Refusal | None = None
        self.sliced = True
        self.other_model = False
        self._read(shallow=True)

    def _read(self, *, shallow: bool) -> None:
        self._say("reading")
        self.program = load(self.task, self.terms, shallow=shallow)
        self.as_read = self.modelled = self.program.cfa
        self.variables = {v.term.name: v for v in self.as_read.variables}
        # The arithmetic of the model itself. Unbounded numbers need no idealisation, and none is made.
        self.own = sort_kind(self.as_read)

    def _say(self, phase: str) -> None:
        if self.progress is not None:
            self.progress.update(phase, **self.observation.counts())

    def result(self) -> Result:
        self._say("reducing")
        self.reduced = reduce(self.as_read, reading=self.reading)
        if self.reduced.refusal is not None:
            raise UnsupportedError(self.reduced.refusal.position, self.reduced.refusal.what)
        self.predicates = self._suggested(self.reduced)
        assert self.reduced is not None
        stages = stages_of(self.task, self.own, loops=bool(self.reduced.cfa.loop_heads))
        for attempt in count():
            self.reasons = []
            waits = ""
            for stage in stages:
                if stage.returns and stage.name == waits:
                    continue
                result = self._run_stage(stage, attempt, alone=len(stages) == 1)
                while result is None and self.other_model:
                    result = self._run_stage(stage, attempt, alone=len(stages) == 1)
                if result is not None:
                    return result
                if self._time_left() == 0.0:
                    self.reasons.append(TIME_IS_UP)
                    break
                waits = stage.name if self.reasons[-1:] == [TIME_IS_UP] else ""
            # Without a limit, what had no chance for lack of patience gets another one.
            if self.deadline is not None or TIME_IS_UP not in self.reasons:
                break
        return self._result("unknown", reason="; ".join(dict.fromkeys(self.reasons)), stage=stage)

    def _time_left(self) -> float | None:
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    def _run_stage(self, stage: Stage, attempt: int, alone: bool) -> Result | None:
        """A certified result, or None with the reason noted."""
        assert self.reduced is not None
        self.other_model = False
        cfa = self.reduced.cfa
        if stage.arithmetic != self.own:
            cfa = integers(cfa).cfa
        left = self._time_left()
        patience = stage.share * (PATIENCE * IMPATIENCE**attempt if left is None else left)
        end = None if left is None and alone else time.monotonic() + patience
        setting = Setting(
            cfa,
            self.solvers,
            self.reading,
            stage.arithmetic,
            stage.options,
            self._inherited(stage.arithmetic) if stage.inherits else self._known(stage.arithmetic),
            self.observation,
        )
        strategy = stage.build(setting)
        allowance = stage.expansions * IMPATIENCE**attempt
        self.observation.begin(f"{stage.name} ({stage.arithmetic})", end, allowance, strategy)
        try:
            outcome = check(strategy, self.observation)
        except (RegionsFull, SolverError) as failure:
            self.reasons.append(f"{stage.name}: {failure}")
            return None
        match outcome:
            case Safe(reached, precision):
                self._remember(precision)
                return self._certify_safe(stage, strategy, reached, precision)
            case Unsafe(trace, _):
                return self._certify_unsafe(stage, trace)
            case Unknown(reason, _, precision):
                self._remember(precision)
                self.reasons.append(reason if reason == TIME_IS_UP else f"{stage.name}: {reason}")
        return None

    def _remember(self, precision: Any) -> None:
        """Keep predicates for a stage that goes on with them."""
        for location in self.reduced.cfa.locations if self.reduced is not None else ():
            terms = [t for t in precision.at(location) if not t.is_var] if hasattr(precision, "at") else []
            known = dict.fromkeys((*self.predicates.get(location, ()), *terms))
            if known:
                self.predicates[location] = tuple(known)

    def _suggested(self, reduced: Reduced) -> dict[Location, tuple[Term, ...]]:
        """The predicates of the input, where the reduced model can track them."""
        found: dict[Location, dict[Term, None]] = {}
        for location, predicates in self.program.predicates.items():
            at = reduced.representative.get(location)
            if at is not None:
                kept = (p for p in predicates if variables(p) <= reduced.relevant)
                found.setdefault(at, {}).update(dict.fromkeys(kept))
        return {location: tuple(predicates) for location, predicates in found.items() if predicates}

    def _inherited(self, arithmetic: SortKind) -> dict[Location, tuple[Term, ...]]:
        assert self.reduced is not None
        everywhere = dict.fromkeys(p for predicates in self.predicates.values() for p in predicates)
        found = tuple(everywhere)
        if arithmetic == self.own:
            widened = (to_bits(self.terms, p, self.variables) for p in found)
            found = tuple(dict.fromkeys(w for w in widened if w is not None and not w.is_const))
        else:
            numbers = {v.term for v in self.as_read.variables}
            found = tuple(p for p in found if variables(p).isdisjoint(numbers))
        return dict.fromkeys(self.reduced.cfa.loop_heads, found)

    def _known(self, arithmetic: SortKind) -> dict[Location, tuple[Term, ...]]:
        if arithmetic != self.own:
            return {}
        known = {}
        for location, predicates in self.predicates.items():
            widened = (to_bits(self.terms, p, self.variables) for p in predicates)
            known[location] = tuple(dict.fromkeys(w for w in widened if w is not None and not w.is_const))
        return known

    # ---- certification ------------------------------------------------------------------------------------

    def _certify_safe(
        self, stage: Stage, strategy: Strategy[Any, Any, Any], reached: Reached, precision: Any
    ) -> Result | None:
        if self.beyond is not None:
            if stage.arithmetic == self.own:
                raise UnsupportedError(self.beyond.position, self.beyond.what)
            # Integers found no error, and bits may.
            self.reasons.append(f"{stage.name}: {self.beyond.what}")
            return None
        claims = {} if isinstance(precision, Bound) else self._claims(strategy.analysis, reached)
        if not self.task.certify:
            return self._result(SAFE, stage=stage, claims=claims)
        self._say("certifying")
        begun = time.monotonic()
        left = self._time_left()
        assert self.reduced is not None
        if isinstance(precision, Bound):
            answer = self._certify_bound(precision, strategy.analysis, left)
        else:
            facts = self.reduced.facts
            answer = certify_safe(
                self.as_read,
                claims,
                self.solvers,
                self.reading,
                lemmas=facts,
                time_limit=left,
                second_opinion=True,
            )
        self.certify_s += time.monotonic() - begun
        if isinstance(answer, Certified):
            return self._result(SAFE, stage=stage, claims=claims, certified=answer)
        self.reasons.append(f"not certified: {answer.reason}")
        return None

    def _certify_bound(self, bound: Bound, analysis: Any, time_limit: float | None) -> Certified | NotCertified:
        """Unwind the loops that the analysed model has, on the model as read; what other loops do is left open."""
        assert self.reduced is not None
        means: dict[str, Any] = {
            "loops": counting_locations(self.as_read, {e for step in analysis.cfa.edges for e in step.as_read}),
            "lemmas": self.reduced.facts,
            "time_limit": time_limit,
            "second_opinion": True,
        }
        model = self.as_read, bound.heads, self.solvers, self.reading
        if not bound.proven:
            return certify_unwinding(*model, **means)
        found = {at: to_bits(self.terms, fact, self.variables) for at, fact in bound.invariants.items()}
        lifted = {at: found.get(by) for at, by in self.reduced.representative.items()}
        invariants = {at: fact for at, fact in lifted.items() if fact is not None}
        return certify_k_induction(*model, invariants=invariants, **means)

    def _claims(self, analysis: Any, reached: Reached) -> dict[Location, Sequence[Term]]:
        """What the graph claims at the loop heads of the model as read, on bits, the facts that reducing used
        included; nothing where it has no node."""
        assert self.reduced is not None
        # A strategy may have left out locations: there it says nothing, instead of that nothing gets there.
        explored: Cfa = getattr(analysis, "cfa", self.reduced.cfa)
        found: dict[Location, dict[Term, None]] = {location: {} for location in explored.locations}
        silent: set[Location] = set()
        wanted = {self.reduced.representative.get(head) for head in self.as_read.loop_heads}
        states = (node.state for node in reached if node.coverer is None)
        # Fewer, larger claims are quicker to check, where the domain has unions.
        unite = getattr(analysis, "unite", iter)
        for state in unite(s for s in states if not hasattr(s, "location") or s.location in wanted):
            location, formula = analysis.claim(state)
            if formula is None:
                silent.add(location)
            else:
                widened = to_bits(self.terms, formula, self.variables)
                found[location][self.terms.true if widened is None else widened] = None
        claims = {location: tuple(formulas) for location, formulas in found.items() if location not in silent}
        lifted = self.reduced.lift(claims)
        return {location: lifted[location] for location in self.as_read.loop_heads if location in lifted}

    def _certify_unsafe(self, stage: Stage, trace: Sequence[Edge]) -> Result | None:
        path = tuple(edge for step in trace for edge in step.as_read)
        assert self.reduced is not None
        if not self.task.certify and not self.reduced.cfa.opaque:
            # What was not modelled is never blamed: where there is something, the replay tells.
            return self._result(UNSAFE, stage=stage, path=path)
        self._say("replaying")
        begun = time.monotonic()
        answer = certify_unsafe(self.as_read, path, self.solvers, self.reading, time_limit=self._time_left())
        self.certify_s += time.monotonic() - begun
        if isinstance(answer, Replayed):
            if answer.unmodelled:
                self._stay_within_bounds(answer.unmodelled)
                return None
            return self._result(UNSAFE, stage=stage, replayed=answer)
        if self.sliced and stage.arithmetic == self.own:
            # What the slice left out may be what excludes the path: the model without it decides.
            self.sliced = False
            self._reduce()
        else:
            self.reasons.append(f"counterexample refuted: {answer.reason}")
        return None

    def _stay_within_bounds(self, unmodelled: Sequence[Refusal]) -> None:
        """A counterexample leaves the model: the model grows, if it can. An error that is found before it ends is one;
        that there is none does not follow any more."""
        first = unmodelled[0]
        if self.beyond is not None or not all(refusal.bound for refusal in unmodelled):
            raise UnsupportedError(first.position, first.what)
        if self.program.deeper:
            self.predicates = {}
            self._read(shallow=False)
        else:
            self.beyond = first
            self.modelled = within_bounds(self.as_read)
        self._reduce()

    def _reduce(self) -> None:
        """The same stage goes on with another model."""
        self.other_model = True
        self.reduced = reduce(self.modelled, slice=self.sliced, reading=self.reading)
        if self.reduced.refusal is not None:
            raise UnsupportedError(self.reduced.refusal.position, self.reduced.refusal.what)

    # ---- the result ---------------------------------------------------------------------------------------

    def _result(
        self,
        verdict: str,
        *,
        stage: Stage,
        reason: str | None = None,
        claims: Mapping[Location, Sequence[Term]] | None = None,
        certified: Certified | None = None,
        replayed: Replayed | None = None,
        path: Sequence[Edge] = (),
    ) -> Result:
        ledger = list(self.program.ledger)
        assumes: list[str] = []
        if certified is not None and certified.assumes:
            assumes.append("no-signed-overflow")
            lines = ", ".join(dict.fromkeys(str(p) for p in certified.assumes))
            ledger.append(f"no signed overflow at {lines} (check it with --property no-overflow)")
        if verdict != "unknown" and certified is None and replayed is None:
            ledger.append("not certified: --no-certify was given")
        return Result(
            verdict,
            reason=reason,
            certified=certified is not None or replayed is not None,
            certificate=certified.kind if certified is not None else "replay" if replayed is not None else None,
            input=self.task.input,
            property=self.task.property,
            strategy={
                "name": self.task.strategy_name,
                "stage": stage.name,
                "arithmetic": stage.arithmetic,
                **stage.options,
            },
            statistics={**self.observation.counts(), "certify_s": round(self.certify_s, 3)},
            invariant=shown.invariant(self.terms, claims or {}),
            counterexample=[
                *self._start(replayed),
                *shown.counterexample(replayed, path, {term.name for term in self.as_read.opaque}),
            ],
            ledger=ledger,
            assumes=assumes,
        )

    def _start(self, replayed: Replayed | None) -> list[dict[str, Any]]:
        """The values that an execution starts with, where the model itself says that they are arbitrary."""
        if replayed is None or not replayed.initial or self.own == "bits":
            return []
        values = {name: shown.number(value) for name, value in replayed.initial.items()}
        return [{"line": self.as_read.initial.position.line, "operation": "start", "values": values}]
