"""The backend of programs: reduce, analyse, certify, and go on where the certificate fails.

The analysis may run on integers, on a reduced model, under any strategy: nothing it says is believed. SAFE and
UNSAFE are printed after ``certify`` agreed on the model as it was read, bit-precisely. A claim that is refuted is
the end of a stage, not of the run: the next stage goes on bit-precisely with the predicates found so far, or with
the next strategy of a sequence.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import count, islice
from typing import TYPE_CHECKING, Any

from argosy.backends.contract import (
    SAFE,
    UNKNOWN,
    UNSAFE,
    Answer,
    Assumption,
    Evidence,
    Execution,
    Invariant,
    Path,
    Plan,
)
from argosy.backends.exchange import MOST, Hearsay
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
from argosy.certify.assumptions import by_kind, name_of, wording
from argosy.certify.invariant import Certified, NotCertified, certify_safe
from argosy.certify.meanings import sort_kind
from argosy.certify.proof import Proof
from argosy.certify.replay import Replayed, certify_unsafe
from argosy.domains.interpreted import Interpretation
from argosy.domains.unrolling import Bound
from argosy.engine.engine import check
from argosy.engine.outcome import Safe, Unknown, Unsafe
from argosy.engine.protocols import Claiming, Located, OfAutomaton, Strategy, TrackingTerms, Uniting
from argosy.engine.reached import Reached
from argosy.invariants.discovery import Discovery
from argosy.logic.bdd import RegionsFull
from argosy.logic.solver import Counters, SolverError
from argosy.logic.solvers import Solvers, SortKind
from argosy.logic.terms import Term
from argosy.logic.traverse import conjuncts, variables
from argosy.logic.widen import to_bits
from argosy.models.cfa import Cfa, Edge, Location, Reading, Refusal, within_bounds
from argosy.models.contracts import Contract, Procedures
from argosy.models.counting import counting_locations
from argosy.models.errors import Site, only, sites, sites_of
from argosy.models.features import has_arrays
from argosy.models.integers import integers
from argosy.models.program import Program
from argosy.models.reduce import Reduced, reduce
from argosy.models.rounds import Chosen, Part, parts_as_read
from argosy.options.programs import ArrayOptions, BoundedOptions, ObjectOptions, PredicateOptions, SolvingOptions
from argosy.options.values import Arrays
from argosy.problem.problem import REQUIREMENT, Problem, Subject
from argosy.strategies import STRATEGIES
from argosy.strategies.setting import Setting
from argosy.strategies.table import AUTO

if TYPE_CHECKING:
    from argosy.models.cells import Cells

# What all assertions together get of the time, where each is to have its own answer.
TOGETHER = 0.5


def decide(problem: Problem, plan: Plan) -> Sequence[Answer]:
    """The answer to the property or, with ``plan.each``, to each of the places where it may be violated; to each of the
    requirements, where these have models of their own."""
    if any(subject.kind == REQUIREMENT for subject in problem.subjects):
        return by_requirement(problem, plan)
    means = Means(problem, plan)
    if plan.each and sites(problem.model.cfa):
        return each(means)
    [subject] = problem.subjects
    return [Verification(means, subject, plan.budget).answer()]


def by_requirement(problem: Problem, plan: Plan) -> list[Answer]:
    """Each subject with the model that it asks about (a ``Program``, or a ``Refusal`` that says why there is none).
    What one requirement leaves of the time is there for the others."""
    answers: list[Answer] = []
    for number, subject in enumerate(problem.subjects):
        left = (Answer(each, UNKNOWN, PENDING) for each in problem.subjects[number:])
        plan.listener.keep((*answers, *left))
        if isinstance(subject.asked, Refusal):
            refusal = UnsupportedError(subject.asked.position, subject.asked.what)
            answers.append(Answer(subject, UNKNOWN, f"unsupported: {refusal}", notes=problem.ledger))
        else:
            program: Program = subject.asked
            alone = replace(problem, model=program, subjects=(subject,), ledger=program.ledger)
            budget = plan.budget.share(1 / (len(problem.subjects) - number))
            answers.append(Verification(Means(alone, plan), subject, budget).answer())
    return answers


def each(means: Means) -> list[Answer]:
    """All places together first: what proves them proves each. A place that is reached is answered, and the others go
    on without it. What is left without an answer is looked at place by place. Predicates are shared throughout.

    The places are those of the model as it is read at the moment: where it is read again with a larger bound, there may
    be more of them."""
    [whole] = means.problem.subjects
    answers: dict[Site, Answer] = {}

    def subjects() -> dict[Site, Subject]:
        return {site: _of_site(site, whole) for site in sites(means.problem.model.cfa)}

    def waiting() -> list[Site]:
        return [site for site in subjects() if site not in answers]

    while len(left := waiting()) > 1:
        verification = Verification(means, whole, means.plan.budget.share(TOGETHER, PATIENCE), left)
        answer = verification.answer()
        if answer.verdict == UNSAFE and verification.reached:
            answers.update((site, replace(answer, subject=_of_site(site, whole))) for site in verification.reached)
        elif answer.verdict == SAFE:
            answers.update((site, replace(answer, subject=_of_site(site, whole))) for site in left)
        else:
            break
        means.keep(answers, subjects())
    while late := waiting():
        budget = means.plan.budget.share(1 / len(late))
        answers[late[0]] = Verification(means, _of_site(late[0], whole), budget, late[:1]).answer()
        means.keep(answers, subjects())
    return [answers[site] for site in subjects()]


def _of_site(site: Site, whole: Subject) -> Subject:
    return Subject("assertion", site.text, whole.property, site.position, asked=site)


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
        self.contracts_ahead = False
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
        self._remember_all(self._suggested(self.reduced))

    def _stages(self) -> Sequence[Stage]:
        assert self.reduced is not None
        cfa = self.reduced.cfa
        self.arrays = has_arrays(cfa)
        features = features_of_program(self.program, cfa, self.reading, self.plan.strategy == AUTO)
        return stages_of(self.plan, self.own, features, self.problem.kind)

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
            found = self._again(cut)
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
                answer = self._run_stage(stage, attempt, alone=len(stages) == 1)
                while answer is None and self.other_model:
                    answer = self._run_stage(stage, attempt, alone=len(stages) == 1)
                if answer is not None:
                    return answer
                if len(stages) > 1 and self.reduced is not None and self.arrays < has_arrays(self.reduced.cfa):
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
        if isinstance(stage.options, ObjectOptions) and self.problem.deeper is not None:
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
                return self._certify_safe(stage, strategy, reached, precision)
            case Unsafe(trace, model):
                self.searching = self.searching or procedures is not None
                return self._certify_unsafe(stage, trace, model if isinstance(model, Chosen) else None)
            case Unknown(reason, _, precision):
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
        known = self._inherited(stage.arithmetic) if stage.inherits else self._known(stage.arithmetic)
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
            self._remember_all({location: tuple(terms)})
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

    def _remember_all(self, found: Mapping[Location, tuple[Term, ...]]) -> None:
        for location, predicates in found.items():
            known = dict.fromkeys((*self.predicates.get(location, ()), *predicates))
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
    ) -> Answer | None:
        if self.beyond is not None:
            if stage.arithmetic == self.own:
                raise UnsupportedError(self.beyond.position, self.beyond.what)
            # Integers found no error, and bits may.
            self.reasons.append(f"{stage.name}: {self.beyond.what}")
            return None
        analysis = strategy.analysis
        claims = self._claims(analysis, reached) if isinstance(analysis, Claiming) else {}
        bound = () if self.cells is None else self.cells.bound
        if not self.plan.certify:
            return self._said(SAFE, stage=stage, evidence=Invariant(self.as_read, claims, bound=bound))
        self._say("certifying")
        begun = time.monotonic()
        assert self.reduced is not None
        if isinstance(precision, Bound):
            answer = self._certify_bound(precision, strategy.analysis)
        else:
            facts = self.reduced.facts
            answer = certify_safe(
                self.as_read,
                claims,
                self.solvers,
                self.reading,
                lemmas=facts,
                budget=self.budget,
                second_opinion=True,
                bound=bound,
            )
        if isinstance(answer, Certified) and self.plan.certify_with is not None:
            answer = _confirmed(answer, self.plan.certify_with, self.budget)
        self.certify_s += time.monotonic() - begun
        if isinstance(answer, Certified):
            script = None if answer.proof is None else partial(_script, answer.proof)
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
        if isinstance(answer, Certified) and self.plan.certify_with is not None:
            answer = _confirmed(answer, self.plan.certify_with, self.budget)
        self.certify_s += time.monotonic() - begun
        if isinstance(answer, NotCertified):
            self.reasons.append(f"not certified: {answer.reason}")
            return None
        script = None if answer.proof is None else partial(_script, answer.proof)
        return self._said(SAFE, stage=stage, evidence=Invariant(cfa, claims, script, contracts=shown), certified=answer)

    def _certify_bound(self, bound: Bound, analysis: Any) -> Certified | NotCertified:
        """Unwind the loops that the analysed model has, on the model as read; what other loops do is left open."""
        from argosy.certify.unwinding import certify_k_induction, certify_unwinding

        assert self.reduced is not None
        means: dict[str, Any] = {
            "loops": counting_locations(self.as_read, {e for step in analysis.cfa.edges for e in step.as_read}),
            "lemmas": self.reduced.facts,
            "budget": self.budget,
            "second_opinion": True,
        }
        model = self.as_read, bound.heads, self.solvers, self.reading
        if not bound.proven:
            return certify_unwinding(*model, **means)
        found = {at: to_bits(self.terms, fact, self.variables) for at, fact in bound.invariants.items()}
        lifted = {at: found.get(by) for at, by in self.reduced.representative.items()}
        invariants = {at: fact for at, fact in lifted.items() if fact is not None}
        return certify_k_induction(*model, invariants=invariants, **means)

    def _claims(self, analysis: Claiming[Any], reached: Reached) -> dict[Location, Sequence[Term]]:
        """What the graph claims at the loop heads of the model as read, on bits, the facts that reducing used
        included; nothing where it has no node."""
        assert self.reduced is not None
        # A strategy may have left out locations: there it says nothing, instead of that nothing gets there.
        explored: Cfa = analysis.cfa if isinstance(analysis, OfAutomaton) else self.reduced.cfa
        found: dict[Location, dict[Term, None]] = {location: {} for location in explored.locations}
        silent: set[Location] = set()
        wanted = {self.reduced.representative.get(head) for head in self.as_read.loop_heads}
        # Fewer, larger claims are quicker to check, where the domain has unions.
        # States of one analysis are of one kind: that is asked once.
        located = all(isinstance(state, Located) for state in islice(reached.all_states(), 1))
        asked = reached.states(wanted - {None} if located else None)
        declared = self.variables
        if self.cells is not None:
            declared = {v.term.name: v for v in self.cells.cfa.variables}
        for state in analysis.unite(asked) if isinstance(analysis, Uniting) else asked:
            location, formula = analysis.claim(state)
            if formula is None:
                silent.add(location)
            else:
                widened = to_bits(self.terms, formula, declared) or self.terms.true
                found[location][widened if self.cells is None else self.cells.claim(widened)] = None
        claims = {location: tuple(formulas) for location, formulas in found.items() if location not in silent}
        lifted = self.reduced.lift(claims)
        return {location: lifted[location] for location in self.as_read.loop_heads if location in lifted}

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
        """A counterexample leaves the model: the model grows, if it can. An error that is found before it ends is one;
        that there is none does not follow any more."""
        first = unmodelled[0]
        if self.contracts_ahead and isinstance(self.program.procedures, Procedures):
            # Contracts need no copies: they have their turn before more of these are made.
            self.reasons.append(f"{first.what}: contracts are tried first")
            return
        bound = next((refusal for refusal in unmodelled if refusal.bound), None)
        if self.beyond is not None or bound is None:
            raise UnsupportedError(first.position, first.what)
        if self.problem.deeper is not None:
            self._grow()
        else:
            self.beyond = bound
            self.modelled = within_bounds(self.as_read)
            self._reduce()

    def _grow(self) -> None:
        """Read the program once more, with the largest bounds or none."""
        assert self.problem.deeper is not None
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


def _script(proof: Proof) -> str:
    from argosy.certify.certificate import certificate_text

    return certificate_text(proof)


def _confirmed(answer: Certified, solver: str, budget: Budget) -> Certified | NotCertified:
    from argosy.certify.certificate import confirmed

    return confirmed(answer, solver, budget)


def checked(bound: Bound) -> int:
    """Up to which bound there is no error, when the analysis was stopped at this one (``refiners.bound`` raises it)."""
    return max((h for h in range(bound.heads) if h + max(1, h // 2) <= bound.heads), default=0)


def assumptions(certified: Certified | None) -> tuple[Assumption, ...]:
    """What a proof left out, by kind."""
    if certified is None or not certified.assumes:
        return ()
    return tuple(
        Assumption(name_of(kind), positions, wording(kind).words, wording(kind).property)
        for kind, positions in by_kind(certified.assumes).items()
    )
