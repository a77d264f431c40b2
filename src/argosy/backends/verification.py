"""One selection of errors on its way to an answer: reduce, analyse, certify, and go on where the certificate fails.

The analysis may run on integers, on a reduced model, under any strategy: nothing it says is believed. SAFE and
UNSAFE are said after ``certify`` agreed on the model as it was read, bit-precisely (``evidence``). A claim that is
refuted is the end of a stage, not of the run: the next stage goes on bit-precisely with the predicates found so far, or
with the next strategy of a sequence.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from argosy.backends.contract import (
    SAFE,
    UNKNOWN,
    UNSAFE,
    Answer,
    Evidence,
    Execution,
    Invariant,
    Path,
    Plan,
)
from argosy.backends.evidence import Ground, assumptions, checked, confirmed, script_of
from argosy.backends.exchange import MOST, Hearsay
from argosy.backends.predicates import in_bits, remember, suggested
from argosy.backends.recorder import CourseRecorder
from argosy.backends.stages import (
    IMPATIENCE,
    PATIENCE,
    Observation,
    Stage,
    changes_of,
    features_of_program,
    stages_of,
)
from argosy.basics.budget import PENDING, TIME_LIMIT, Budget
from argosy.basics.errors import UnsupportedError
from argosy.basics.records import replace
from argosy.certify.invariant import Certified, NotCertified
from argosy.certify.meanings import sort_kind
from argosy.certify.replay import Replayed, certify_unsafe
from argosy.domains.interpreted import Interpretation
from argosy.domains.unrolling import Bound
from argosy.engine.engine import check
from argosy.engine.outcome import Safe, Unknown, Unsafe
from argosy.engine.protocols import Claiming, Strategy, TrackingTerms
from argosy.engine.reached import Reached
from argosy.logic.bdd import RegionsFull
from argosy.logic.solver import Counters, SolverError
from argosy.logic.solvers import Solvers, SortKind
from argosy.logic.terms import Term
from argosy.logic.traverse import conjuncts, variables
from argosy.logic.widen import to_bits
from argosy.models.cfa import Cfa, Edge, Location, Reading, Refusal, within_bounds
from argosy.models.contracts import Contract, Procedures
from argosy.models.errors import Site, only, sites_of
from argosy.models.features import has_arrays
from argosy.models.integers import integers
from argosy.models.program import Program
from argosy.models.reduce import Reduced, reduce
from argosy.models.rounds import Chosen, Part, parts_as_read
from argosy.options.programs import ArrayOptions, BoundedOptions, ObjectOptions, PredicateOptions, SolvingOptions
from argosy.options.values import Arrays
from argosy.problem.problem import Problem, Subject
from argosy.strategies import STRATEGIES
from argosy.strategies.setting import Setting
from argosy.strategies.table import AUTO

if TYPE_CHECKING:
    from argosy.invariants.discovery import Discovery
    from argosy.models.cells import Cells

# A graph of so many nodes takes seconds to certify: where a stage had a short look, of at most such a share of time,
# other short looks come first.
MANY_NODES = 100_000
LOOK_SHARE = 0.1


class Means:
    """What the verifications of one problem share: the plan, solvers, counts, and the predicates found so far."""

    def __init__(self, problem: Problem, plan: Plan) -> None:
        self.problem = problem
        self.plan = plan
        self.counters = Counters()
        self.solvers = Solvers(problem.model.cfa.terms, self.counters, seed=plan.seed)
        self.observation = Observation(plan.listener, self.counters, recorder=CourseRecorder(plan.record))
        self.predicates: dict[Location, tuple[Term, ...]] = {}
        self.hearsay = Hearsay(plan.exchange)

    def keep(self, answers: Mapping[Site, Answer], subjects: Mapping[Site, Subject]) -> None:
        """Should the run have to be killed, what was answered is not lost."""
        pending = (answers.get(site) or Answer(subject, UNKNOWN, PENDING) for site, subject in subjects.items())
        self.plan.listener.keep(tuple(pending))


class Verification:
    """One selection of errors on its way to an answer."""

    def __init__(self, means: Means, subject: Subject, budget: Budget, chosen: Sequence[Site] | None = None) -> None:
        self.means = means
        self.problem, self.plan = means.problem, means.plan
        self.subject = subject
        self.budget = budget
        self.chosen = chosen
        self.solvers = means.solvers
        self.reading = Reading(self.plan.signed_overflow)
        self.observation = means.observation
        self.certify_s = 0.0
        self.reasons: list[str] = []
        self.predicates = means.predicates
        self.reduced: Reduced | None = None
        self.beyond: Refusal | None = None
        self.sliced = True
        self.other_model = False
        self.arrays = False
        self.reached: tuple[Site, ...] = ()
        self.depth: int | None = None
        self.discoveries: dict[frozenset[Location], Discovery] = {}
        self.cells: Cells | None = None
        self.searching = False
        self.postponed: Callable[[], Answer | None] | None = None
        self.contracts_ahead = False
        self.closed = False
        self._take()

    def _take(self) -> None:
        """The model of the problem, with the errors that were chosen."""
        self.program: Program = self.problem.model
        cfa = self.program.cfa
        self.as_read = self.modelled = cfa if self.chosen is None else only(cfa, self.chosen)
        self.terms = cfa.terms
        self.variables = {v.term.name: v for v in self.as_read.variables}
        # The arithmetic of the model itself. Unbounded numbers need no idealisation, and none is made.
        self.own = sort_kind(self.as_read)

    def _say(self, phase: str) -> None:
        self.observation.enter(phase)
        self.plan.listener.update(phase, **self.observation.counts())

    def answer(self) -> Answer:
        try:
            return self._answer()
        except UnsupportedError as error:
            return self._said(UNKNOWN, reason=f"unsupported: {error}")

    def _prepare(self) -> None:
        """What stages work on: the reduced model."""
        self._say("reducing")
        self.reduced = reduce(self.as_read, reading=self.reading)
        if self.reduced.refusal is not None:
            raise UnsupportedError(self.reduced.refusal.position, self.reduced.refusal.what)
        remember(self.predicates, suggested(self.program, self.reduced))

    def _stages(self) -> Sequence[Stage]:
        assert self.reduced is not None
        cfa = self.reduced.cfa
        self.arrays = has_arrays(cfa)
        features = features_of_program(self.program, cfa, self.reading, self.plan.strategy == AUTO)
        self.closed = features.closed
        stages = stages_of(self.plan, self.own, features, self.problem.kind)
        if self.program.any_number:
            stages = [stage for stage in stages if isinstance(stage.options, ObjectOptions)]
            if not stages:
                self._grow()
                return self._stages()
        return stages

    def _answer(self) -> Answer:
        self._prepare()
        stages = self._stages()
        cut: list[Stage] = []
        try:
            found = self._turns(stages, cut)
        except UnsupportedError as error:
            # What needs no copies of functions does not care how deep these go.
            found = self._again([stage for stage in cut if stage.contracts])
            if found is None:
                raise error
        if found is None and self.reasons[-1:] != [TIME_LIMIT]:
            found = self._caught_up() or self._again(cut)
        if found is not None:
            return found
        return self._said(UNKNOWN, reason="; ".join(dict.fromkeys(self.reasons)), stage=stages[-1])

    def _turns(self, stages: Sequence[Stage], cut: list[Stage]) -> Answer | None:
        """Each stage has its turn; ``cut`` are those whose time ended before they did."""
        for attempt in count():
            self.reasons = []
            waits = ""
            for number, stage in enumerate(stages):
                self.contracts_ahead = any(later.contracts for later in stages[number + 1 :]) and attempt == 0
                if stage.returns and stage.name == waits:
                    continue
                answer = self._caught_up() if stage.share > LOOK_SHARE else None
                if answer is None:
                    answer = self._run_stage(stage, attempt, alone=len(stages) == 1)
                while answer is None and self.other_model:
                    answer = self._run_stage(stage, attempt, alone=len(stages) == 1)
                if answer is not None:
                    return answer
                if self.program.any_number and isinstance(stage.options, ObjectOptions):
                    # Blocks in any number are there to be proved. Errors are looked for among some of them.
                    self._grow()
                    later = self._stages()
                    if any(not isinstance(stage.options, ObjectOptions) for stage in later):
                        return self._turns(later, cut)
                if len(stages) > 1 and self.reduced is not None and self.arrays != has_arrays(self.reduced.cfa):
                    # Memory without a bound has turns of its own.
                    return self._turns(self._stages(), cut)
                if self.budget.is_over:
                    self.reasons.append(TIME_LIMIT)
                    break
                waits = stage.name if self.reasons[-1:] == [TIME_LIMIT] else ""
                if waits and stage.share < 1.0:
                    cut.append(stage)
            # Without a limit, what had no chance for lack of patience gets another one.
            if self.budget.is_limited or TIME_LIMIT not in self.reasons:
                break
        return None

    def _caught_up(self) -> Answer | None:
        """What was postponed is done now."""
        waiting, self.postponed = self.postponed, None
        return None if waiting is None else waiting()

    def _again(self, cut: Sequence[Stage]) -> Answer | None:
        """What is left of a limited time goes to what it was cut off for."""
        cut = cut if self.budget.is_limited else ()
        for number, stage in enumerate(cut):
            if self.budget.is_over:
                break
            answer = self._run_stage(replace(stage, share=1 / (len(cut) - number), expansions=0), 0, alone=False)
            if answer is not None:
                return answer
        return None

    def _run_stage(self, stage: Stage, attempt: int, alone: bool) -> Answer | None:
        """A certified result, or None with the reason noted."""
        assert self.reduced is not None
        if isinstance(stage.options, ObjectOptions) and self.problem.deeper is not None and not self.program.any_number:
            self._grow()
        self.other_model = False
        cfa = self.reduced.cfa
        self.cells = self._morphed(stage, cfa)
        if self.cells is not None:
            cfa = self.cells.cfa
        if stage.arithmetic != self.own:
            cfa = integers(cfa).cfa
        budget = self.budget if alone else self.budget.share(stage.share, PATIENCE * IMPATIENCE**attempt)
        if stage.contracts and self.searching:
            # That there is an error is known: it is looked for.
            stage = replace(stage, build=STRATEGIES["bmc"].build, options=BoundedOptions(), contracts=False)
        procedures = self._procedures(stage) if stage.contracts else None
        setting = Setting(
            cfa,
            self.solvers,
            self.reading,
            stage.arithmetic,
            stage.options,
            self._starting(stage, cfa),
            self.observation,
            procedures,
            self.cells,
            self._candidates(cfa, stage.arithmetic),
            self.means.hearsay.depth(self.subject),
            self.discoveries,
        )
        # What is built for the stage may ask how long it has.
        self.observation.budget = budget
        strategy = stage.build(setting)
        allowance = stage.expansions * IMPATIENCE**attempt
        self.observation.begin(f"{stage.name} ({stage.arithmetic})", budget, allowance, strategy)
        self.observation.recorder.watch(strategy.analysis, cfa.locations)
        try:
            outcome = check(self.observation.recorder.noting(strategy), self.observation)
        except (RegionsFull, SolverError) as failure:
            # A question that had no answer in time is no other failure.
            self.reasons.append(TIME_LIMIT if budget.is_over else f"{stage.name}: {failure}")
            return None
        match outcome:
            case Safe(_, Interpretation(formulas, contracts)) if procedures is not None:
                return self._certify_contracts(stage, contracts, formulas)
            case Safe(reached, precision):
                self._remember(precision)
                if stage.share <= LOOK_SHARE and len(reached) > MANY_NODES and self.plan.certify and not alone:
                    # Others may be done in less time than the certificate takes.
                    self.postponed = partial(self._certify_safe, stage, strategy, reached, precision)
                    self.reasons.append(f"{stage.name}: to certify {len(reached):,} nodes takes long")
                    return None
                return self._certify_safe(stage, strategy, reached, precision)
            case Unsafe(trace, model):
                self.searching = self.searching or procedures is not None
                return self._certify_unsafe(stage, trace, model if isinstance(model, Chosen) else None)
            case Unknown(reason, _, precision):
                if not (self.arrays and stage.share <= LOOK_SHARE):
                    # What a short look tracks about arrays would only multiply the images of claims about elements.
                    self._remember(precision)
                if isinstance(precision, Bound):
                    self.depth = max(self.depth or 0, checked(precision))
                self.reasons.append(reason if reason == TIME_LIMIT else f"{stage.name}: {reason}")
        return None

    def _morphed(self, stage: Stage, cfa: Cfa) -> Cells | None:
        """The reduced model with symbolic cells in the place of its arrays, where the stage asks for them."""
        options = stage.options
        if not isinstance(options, ArrayOptions) or options.arrays is Arrays.THEORY or not has_arrays(cfa):
            return None
        from argosy.models.cells import cells

        return cells(cfa, options.arrays.count, self.reading, instances=isinstance(options, SolvingOptions))

    def _starting(self, stage: Stage, cfa: Cfa) -> Mapping[Location, tuple[Term, ...]]:
        """What is tracked from the beginning: what is known already, as far as the model can say it, and guesses about
        its cells."""
        known = self._inherited(stage) if stage.inherits else self._known(stage)
        if self.cells is None and isinstance(stage.options, PredicateOptions):
            others = self._candidates(cfa, stage.arithmetic)
            known = {at: tuple(dict.fromkeys((*known.get(at, ()), *others.get(at, ())))) for at in {**known, **others}}
        if self.cells is None:
            return known
        from argosy.models.cell_predicates import as_numbers, guessed

        variables_of = cfa.variable_of.keys()
        found = {at: tuple(p for p in some if variables(p) <= variables_of) for at, some in known.items()}
        assert self.reduced is not None
        guesses = guessed(self.reduced.cfa, self.cells)
        if stage.arithmetic != self.own:
            guesses = as_numbers(self.cells, guesses)
        return {at: tuple(dict.fromkeys((*found.get(at, ()), *guesses.get(at, ())))) for at in {**found, **guesses}}

    def _candidates(self, cfa: Cfa, arithmetic: SortKind) -> Mapping[Location, tuple[Term, ...]]:
        """What others found of use at the loop heads of this model, as far as it can be said on an arithmetic."""
        self.means.hearsay.listen()
        found: dict[Location, tuple[Term, ...]] = {}
        for at, formulas in self.means.hearsay.formulas().items():
            if at not in cfa.loop_heads or self.cells is not None:
                continue
            if arithmetic == self.own:
                widened = (to_bits(self.terms, formula, self.variables) for formula in formulas)
                formulas = tuple(w for w in widened if w is not None)
            own = (f for f in formulas if not f.is_const and variables(f) <= cfa.variable_of.keys())
            found[at] = tuple(dict.fromkeys(own))[-MOST:]
        return {at: formulas for at, formulas in found.items() if formulas}

    def _procedures(self, stage: Stage) -> Procedures | None:
        """The program with contracts in place of copies, on the arithmetic of a stage, where there is recursion."""
        found = self._contracted()
        return found if found is None or stage.arithmetic == self.own else found.on_integers()

    def _contracted(self) -> Procedures | None:
        found = self.program.procedures
        if isinstance(found, str):
            self.reasons.append(f"no contracts: {found}")
        if not isinstance(found, Procedures):
            return None
        return found if self.chosen is None else replace(found, cfa=only(found.cfa, self.chosen))

    def _remember(self, precision: Any) -> None:
        """Keep predicates for a stage that goes on with them; none about cells, which others do not have."""
        if self.cells is not None:
            return
        for location in self.reduced.cfa.locations if self.reduced is not None else ():
            terms = [t for t in precision.at(location) if not t.is_var] if isinstance(precision, TrackingTerms) else []
            remember(self.predicates, {location: tuple(terms)})
        self._tell(precision)

    def _tell(self, precision: Any) -> None:
        """Others hear what was tracked at loop heads, and how far there is no error."""
        assert self.reduced is not None
        heads = self.reduced.cfa.loop_heads
        if isinstance(precision, Bound):
            formulas = {at: conjuncts(fact) for at, fact in precision.invariants.items() if at in heads}
            self.means.hearsay.tell(formulas, self.subject, checked(precision) if self.chosen is None else 0)
        else:
            self.means.hearsay.tell({at: self.predicates[at] for at in heads if at in self.predicates})

    def _inherited(self, stage: Stage) -> dict[Location, tuple[Term, ...]]:
        """All predicates that were found anywhere, at every loop head."""
        assert self.reduced is not None
        everywhere = tuple(dict.fromkeys(p for predicates in self.predicates.values() for p in predicates))
        if stage.arithmetic == self.own:
            found = in_bits(self.terms, everywhere, self.variables)
        else:
            numbers = {v.term for v in self.as_read.variables}
            found = tuple(p for p in everywhere if variables(p).isdisjoint(numbers))
        return dict.fromkeys(self.reduced.cfa.loop_heads, found)

    def _known(self, stage: Stage) -> dict[Location, tuple[Term, ...]]:
        if stage.arithmetic != self.own:
            return {}
        return {at: in_bits(self.terms, found, self.variables) for at, found in self.predicates.items()}

    # ---- certification ------------------------------------------------------------------------------------

    def _ground(self) -> Ground:
        assert self.reduced is not None
        return Ground(self.as_read, self.reduced, self.solvers, self.reading, self.budget, self.variables)

    def _certify_safe(
        self, stage: Stage, strategy: Strategy[Any, Any, Any], reached: Reached, precision: Any
    ) -> Answer | None:
        if self.beyond is not None:
            if stage.arithmetic == self.own:
                if self.problem.deeper is None:
                    raise UnsupportedError(self.beyond.position, self.beyond.what)
                self._grow()
                return None
            # Integers found no error, and bits may.
            self.reasons.append(f"{stage.name}: {self.beyond.what}")
            return None
        analysis = strategy.analysis
        claims = self._ground().claims(analysis, reached, self.cells) if isinstance(analysis, Claiming) else {}
        bound = () if self.cells is None else self.cells.bound
        if not self.plan.certify:
            return self._said(SAFE, stage=stage, evidence=Invariant(self.as_read, claims, bound=bound))
        self._say("certifying")
        begun = time.monotonic()
        assert self.reduced is not None
        if isinstance(precision, Bound):
            answer = self._ground().unwound(precision, strategy.analysis)
        else:
            answer = self._ground().invariant(claims, bound)
        answer = confirmed(answer, self.plan.certify_with, self.budget)
        self.certify_s += time.monotonic() - begun
        if isinstance(answer, Certified):
            script = script_of(answer)
            evidence = Invariant(self.as_read, claims, script, bound)
            return self._said(SAFE, stage=stage, evidence=evidence, certified=answer)
        self.reasons.append(f"not certified: {answer.reason}")
        return None

    def _certify_contracts(
        self, stage: Stage, contracts: Mapping[str, Contract], formulas: Mapping[Location, Term]
    ) -> Answer | None:
        """Contracts are about the program as read, without copies, whatever bound these have."""
        from argosy.certify.contracts import certify_contracts, on_bits

        procedures = self._contracted()
        assert procedures is not None
        said = on_bits(procedures, contracts)
        if isinstance(said, NotCertified):
            self.reasons.append(f"not certified: {said.reason}")
            return None
        cfa = procedures.relative_to(said)
        refusal = reduce(cfa, reading=self.reading).refusal
        if refusal is not None:
            self.reasons.append(f"no contracts: {UnsupportedError(refusal.position, refusal.what)}")
            return None
        declared = {v.term.name: v for v in cfa.variables}
        widened = {at: to_bits(self.terms, formulas[at], declared) for at in cfa.loop_heads if at in formulas}
        claims = {at: (formula,) for at, formula in widened.items() if formula is not None}
        shown = tuple((procedures.signatures[name], contract) for name, contract in said.items())
        if not self.plan.certify:
            return self._said(SAFE, stage=stage, evidence=Invariant(cfa, claims, contracts=shown))
        self._say("certifying")
        begun = time.monotonic()
        answer = certify_contracts(
            procedures, said, claims, self.solvers, self.reading, budget=self.budget, second_opinion=True
        )
        answer = confirmed(answer, self.plan.certify_with, self.budget)
        self.certify_s += time.monotonic() - begun
        if isinstance(answer, NotCertified):
            self.reasons.append(f"not certified: {answer.reason}")
            return None
        script = script_of(answer)
        return self._said(SAFE, stage=stage, evidence=Invariant(cfa, claims, script, contracts=shown), certified=answer)

    def _certify_unsafe(self, stage: Stage, trace: Sequence[Part], chosen: Chosen | None) -> Answer | None:
        """``chosen`` is what was chosen at which step, where that is known; otherwise a solver finds it."""
        parts = parts_as_read(trace)
        path = tuple(part for part in parts if isinstance(part, Edge))
        assert self.reduced is not None
        if not self.plan.certify and not self.reduced.cfa.opaque and self.cells is None and path == parts:
            # What was not modelled is never blamed: where there is something, the replay tells.
            return self._said(UNSAFE, stage=stage, evidence=Path(self.as_read, path))
        self._say("replaying")
        begun = time.monotonic()
        if chosen is None:
            answer = certify_unsafe(self.as_read, path, self.solvers, self.reading, budget=self.budget)
        else:
            from argosy.certify.long_replay import replay_long

            answer = replay_long(self.as_read, parts, self.reading, chosen.as_read(trace), budget=self.budget)
        self.certify_s += time.monotonic() - begun
        if isinstance(answer, Replayed):
            if answer.unmodelled:
                self._stay_within_bounds(answer.unmodelled)
                return None
            self.reached = sites_of(path[-1]) if path else ()
            return self._said(UNSAFE, stage=stage, evidence=Execution(self.as_read, answer), certificate="replay")
        if self.cells is not None:
            self.reasons.append(f"{stage.name}: elements at other indices may have any values")
        elif self.sliced and stage.arithmetic == self.own:
            # What the slice left out may be what excludes the path: the model without it decides.
            self.sliced = False
            self._reduce()
        else:
            self.reasons.append(f"counterexample refuted: {answer.reason}")
        return None

    def _stay_within_bounds(self, unmodelled: Sequence[Refusal]) -> None:
        """A counterexample leaves the model: the model grows, if it can, where that is steep after what is there was
        looked at. An error that is found before it ends is one; that there is none does not follow any more. Where
        there is one execution, it is the one that leaves: nothing else is there to be looked at."""
        first = unmodelled[0]
        if self.contracts_ahead and not self.closed and isinstance(self.program.procedures, Procedures):
            # Contracts need no copies: they have their turn before more of these are made.
            self.reasons.append(f"{first.what}: contracts are tried first")
            return
        bound = next((refusal for refusal in unmodelled if refusal.bound), None)
        steep = self.program.steep and not self.closed
        if bound is not None and self.beyond is None and (self.problem.deeper is None or steep):
            self.beyond = bound
            self.modelled = within_bounds(self.as_read)
            self._reduce()
        elif bound is not None and self.problem.deeper is not None:
            self._grow()
        else:
            raise UnsupportedError(first.position, first.what)

    def _grow(self) -> None:
        """Read the program once more, with the largest bounds or none."""
        assert self.problem.deeper is not None
        self.beyond = None
        self.predicates.clear()
        self._say("reading")
        self.problem = self.means.problem = self.problem.deeper()
        self.solvers = self.means.solvers = Solvers(
            self.problem.model.cfa.terms, self.means.counters, seed=self.plan.seed
        )
        self._take()
        self._reduce()

    def _reduce(self) -> None:
        """The same stage goes on with another model."""
        self.other_model = True
        self.postponed = None
        self.reduced = reduce(self.modelled, slice=self.sliced, reading=self.reading)
        if self.reduced.refusal is not None:
            raise UnsupportedError(self.reduced.refusal.position, self.reduced.refusal.what)

    # ---- the answer ---------------------------------------------------------------------------------------

    def _said(
        self,
        verdict: str,
        *,
        reason: str | None = None,
        stage: Stage | None = None,
        evidence: Evidence | None = None,
        certified: Certified | None = None,
        certificate: str | None = None,
    ) -> Answer:
        notes = [*self.problem.ledger, *changes_of(self.plan, self.problem.kind), *self.observation.counters.noted()]
        certificate = certified.kind if certified is not None else certificate
        if verdict != UNKNOWN and certificate is None:
            notes.append("not certified: --no-certify was given")
        strategy = {"name": self.plan.strategy_name}
        if stage is not None:
            strategy.update(stage=stage.name, arithmetic=stage.arithmetic, **stage.options.to_strings())
            if stage.why:
                strategy["why"] = stage.why
        counts = self.observation.counts()
        return Answer(
            self.subject,
            verdict,
            reason,
            certificate,
            evidence,
            {**counts, "certify_s": round(self.certify_s, 3)},
            strategy,
            assumptions(certified),
            tuple(notes),
            {} if self.depth is None or verdict != UNKNOWN else {"depth": self.depth},
            self.observation.recorder.course(counts["nodes"], counts["refinements"]),
        )
