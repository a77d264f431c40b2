"""SAFE, certified without any claim about states: by complete unwinding, or by k-induction.

*Unwinding*: no execution reaches the error within n loop heads, and none passes more than n (Biere, Cimatti, Clarke and
Zhu, TACAS 1999; the second half is the unwinding assertion of Clarke, Kroening and Lerda, TACAS 2004).

*k-induction* (Sheeran, Singh and Stålmarck, FMCAD 2000): no execution from the start reaches the error within k loop
heads, and none from any state at any loop head does after exactly k. An execution that reaches the error after n > k
loop heads would contain one of the second kind, from its loop head number n - k on.

Both are checked on the model as read. Which loops are unwound is the caller's choice, and only a choice: what the other
loops may have done is left open (``certify.loops``). An obligation that fails with signed overflow wrapping is tried
again without signed overflow, where the reading allows it, and the lines that needed it are named. A bound that is too
small is raised: the model as read may need another one than the model that was analysed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from argosy.basics.budget import UNLIMITED, Budget, OutOfBudget
from argosy.certify.invariant import (
    Certified,
    NotCertified,
    all_assumptions,
    excluded_part,
    in_order,
    lemma_parts,
    locations_that_matter,
    prove_lemmas,
)
from argosy.certify.levels import Levels, Pieces
from argosy.certify.loops import without_unclaimed_loops
from argosy.certify.meanings import Meanings, sort_kind
from argosy.certify.passage import Guards, Reach
from argosy.certify.proof import InductionStep, Proof, ProofPart, Unwinding, holds_always, on_the_way
from argosy.certify.refuter import Disagreement, Inquiry, Refuter
from argosy.certify.within import nothing_is_violated
from argosy.logic.solver import Satisfiability, SolverError
from argosy.logic.solvers import Solvers
from argosy.logic.terms import Term
from argosy.models.cfa import Cfa, Check, Location, Reading, Undefined

# So many seconds for all levels at once. What takes longer is asked level by level, or in so many questions: each has
# what was learnt from those before it, which makes it easier.
_MOMENT = 0.5
_QUESTIONS = 16


def certify_unwinding(
    cfa: Cfa,
    heads: int,
    solvers: Solvers,
    reading: Reading,
    *,
    loops: Collection[Location] | None = None,
    lemmas: Mapping[Location, Term] | None = None,
    at_most: int | None = None,
    budget: Budget = UNLIMITED,
    second_opinion: bool = False,
    moment: float = _MOMENT,
) -> Certified | NotCertified:
    """Whether every execution of ``cfa`` ends, or goes where it does not matter, within a number of loop heads, and
    none reaches the error. ``heads`` is tried first, then larger numbers up to ``at_most``.

    ``loops`` are the locations that count as loop heads (all of the model's, unless given); a cycle through none of
    them may do anything with what it writes, except that ``lemmas`` hold, if they do. For a ``moment`` all loop heads
    are asked about at once, then one after the other.
    """
    proof = _Proof(cfa, solvers, reading, loops, lemmas or {}, {}, budget, second_opinion, moment)
    return proof.attempt(lambda pieces: proof.unwinding(pieces, heads, _most(heads, at_most)))


def certify_k_induction(
    cfa: Cfa,
    k: int,
    solvers: Solvers,
    reading: Reading,
    *,
    loops: Collection[Location] | None = None,
    lemmas: Mapping[Location, Term] | None = None,
    invariants: Mapping[Location, Term] | None = None,
    at_most: int | None = None,
    budget: Budget = UNLIMITED,
    second_opinion: bool = False,
    moment: float = _MOMENT,
) -> Certified | NotCertified:
    """Whether the error is unreachable by k-induction; ``k`` is tried first, then larger numbers up to ``at_most``.
    ``lemmas``, and ``invariants`` at the loop heads that count, are assumed there, if they can be proved: lemmas at all
    loop heads of the model, invariants where the other loops may do anything. The rest is as for
    ``certify_unwinding``."""
    proof = _Proof(cfa, solvers, reading, loops, lemmas or {}, invariants or {}, budget, second_opinion, moment)
    return proof.attempt(lambda pieces: proof.k_induction(pieces, k, _most(k, at_most)))


def _most(bound: int, at_most: int | None) -> int:
    return 4 * bound + 64 if at_most is None else max(bound, at_most)


def _ordered(literals: Collection[Term]) -> Sequence[Term]:
    return sorted(literals, key=lambda literal: literal.id)


def _next(bound: int, most: int) -> int:
    """A larger bound; so much larger that the sum of all that are tried is linear in the last."""
    return min(most, bound + max(1, bound // 2))


# The part of the time left, and at most so many seconds, for seeing that there is nothing to assume.
_SHARE, _PATIENCE = 0.1, 10.0

# With more parts than this, a second solver takes longer than the first and its patience together.
_LARGE = 100


class _Proof:
    """One model, one reading, and what its obligations took."""

    def __init__(
        self,
        cfa: Cfa,
        solvers: Solvers,
        reading: Reading,
        loops: Collection[Location] | None,
        lemmas: Mapping[Location, Term],
        invariants: Mapping[Location, Term],
        budget: Budget,
        second_opinion: bool,
        moment: float,
    ) -> None:
        self._as_read = cfa
        self._solvers = solvers
        self._reading = reading
        self._loops = cfa.loop_heads if loops is None else frozenset(loops)
        self._lemmas = lemmas
        self._invariants = invariants
        self._budget = budget
        self._moment = moment
        self._refuter = Refuter(cfa.terms, solvers, sort_kind(cfa), budget, second_opinion)
        self._inquiries: dict[Levels, list[Inquiry]] = {}
        self._needed: set[Check] = set()
        self._obligations = 0
        self._parts: list[ProofPart] = []
        self._inside: set[Location] = set()
        self._uncovered: Collection[Check] = ()

    def attempt(self, prove: Callable[[Pieces], Certified | NotCertified]) -> Certified | NotCertified:
        initial = self._as_read.initial
        if initial is self._as_read.error:
            return NotCertified(initial, "the initial location is the error location", refuted=True)
        try:
            return prove(self._pieces())
        except (OutOfBudget, SolverError, Disagreement) as stop:
            return NotCertified(initial, str(stop))

    def _pieces(self) -> Pieces:
        """The pieces between the chosen loop heads, of a model in which these cut every cycle."""
        cfa = self._as_read
        inside = locations_that_matter(cfa)
        heads = (self._loops & inside) - {cfa.error}
        if any(edge.source in inside for edge in cfa.entering[cfa.initial]):
            # A loop that is not unwound has to be entered: this one begins inside.
            heads |= {cfa.initial}
        lemmas = self._proved(cfa, self._lemmas, cfa.loop_heads | heads, inside)
        self._parts.append(excluded_part(cfa, lemmas))
        summarised = without_unclaimed_loops(cfa, {*heads, cfa.initial, cfa.error}, inside, lemmas)
        self._inside = on_the_way(cfa, inside, summarised)
        cuts = {*heads, cfa.error}
        if summarised is not cfa:
            cfa, inside = summarised, locations_that_matter(summarised)
            if not heads <= inside:
                # Loops that no part unwinds, since they do not lead to the error any more.
                beyond = (edge for at in self._inside - inside for edge in cfa.leaving[at])
                self._uncovered = [check for edge in beyond for check in Guards()(edge)]
            heads &= inside
        self._reach = Reach(cfa, cuts, inside)
        if self._invariants:
            true = cfa.terms.true
            both = {h: cfa.terms.and_(lemmas.get(h, true), self._invariants.get(h, true)) for h in heads}
            lemmas = {**lemmas, **self._proved(cfa, both, heads, inside)}
        meanings = Meanings(cfa, defined=self._reading is Reading.UNDEFINED)
        return Pieces(meanings, heads, inside, lemmas)

    def _proved(
        self, cfa: Cfa, lemmas: Mapping[Location, Term], cuts: Collection[Location], inside: Collection[Location]
    ) -> Mapping[Location, Term]:
        self._budget.check()
        proved, needed = prove_lemmas(cfa, lemmas, cuts, inside, self._solvers, self._reading, self._budget)
        self._needed.update(needed)
        self._parts += lemma_parts(cfa, proved, inside)
        return proved

    def unwinding(self, pieces: Pieces, heads: int, most: int) -> Certified | NotCertified:
        levels = Levels(pieces, "base")
        while True:
            failed = self._no_error_within(levels, heads)
            if failed is not None:
                return failed
            match self._impossible(levels, levels.passed()):
                case Satisfiability.UNSAT:
                    return self._certified("unwinding", heads, Unwinding(self._reach, heads))
                case Satisfiability.UNKNOWN:
                    return self._no_answer()
            if heads >= most:
                return self._refuted(f"more than {heads} loop heads can be passed")
            heads = _next(heads, most)

    def k_induction(self, pieces: Pieces, k: int, most: int) -> Certified | NotCertified:
        base = Levels(pieces, "base")
        step = Levels(pieces, "step", anywhere=True)
        while True:
            failed = self._no_error_within(base, k)
            if failed is not None:
                return failed
            self._advance(step, k)
            match self._impossible(step, step.errors[k]):
                case Satisfiability.UNSAT:
                    self._parts.append(Unwinding(self._reach, k, complete=False))
                    return self._certified("k-induction", k, InductionStep(self._reach, pieces.heads, k, pieces.lemmas))
                case Satisfiability.UNKNOWN:
                    return self._no_answer()
            if k >= most:
                return self._refuted(f"{k} loop heads after some state at a loop head the error can be reached")
            k = _next(k, most)

    def _no_error_within(self, levels: Levels, bound: int) -> NotCertified | None:
        """Levels that were asked about before are not looked at again. The others are asked about at once or, where
        that is no matter of a moment, one after the other."""
        known = levels.level
        self._advance(levels, bound)
        terms = self._as_read.terms
        answer = Satisfiability.UNKNOWN
        if bound == known or (self._moment and levels not in self._inquiries):
            patience = self._moment if bound > known else None
            answer = self._impossible(levels, terms.disjunction(levels.errors[known:]), patience)
        if answer is Satisfiability.UNKNOWN and bound > known:
            few = -(-(bound + 1 - known) // _QUESTIONS)
            for first in range(known, bound + 1, few):
                last = min(first + few, bound + 1)
                answer = self._in_turn(levels, terms.disjunction(levels.errors[first:last]), levels.ends[last - 1])
                if answer is not Satisfiability.UNSAT:
                    break
        match answer:
            case Satisfiability.SAT:
                return self._refuted(f"the error can be reached within {bound} loop heads")
            case Satisfiability.UNKNOWN:
                return self._no_answer()
        return None

    def _advance(self, levels: Levels, bound: int) -> None:
        """Go on until every execution has passed more than ``bound`` loop heads, or ended."""
        while levels.level <= bound:
            levels.advance(self._budget.check)

    def _impossible(self, levels: Levels, what: Term, patience: float | None = None) -> Satisfiability:
        """UNSAT when no execution does ``what``: with signed overflow wrapping or, where the reading has it so,
        without signed overflow. UNKNOWN after so many seconds of ``patience``, if any."""
        if levels in self._inquiries:
            return self._in_turn(levels, what, len(levels.told))
        self._obligations += 1
        self._refuter.renew(patience)
        self._look_at_size(levels)
        parts = (what, *levels.told)
        answer = self._refuter.refute(parts)
        if answer is Satisfiability.SAT and levels.literals:
            self._refuter.renew(patience)
            answer = self._refuter.refute(parts, _ordered(levels.literals))
            self._note(levels, self._refuter.core)
        return answer

    def _in_turn(self, levels: Levels, what: Term, told: int) -> Satisfiability:
        """The same after all that was asked of these ``levels`` in this way before, which is remembered; ``what`` is
        about the first so many facts that are ``told``."""
        self._obligations += 1
        self._look_at_size(levels)
        facts = levels.told[:told]
        inquiries = self._inquiries.setdefault(levels, [])
        if not inquiries:
            inquiries.append(self._refuter.inquiry())
        answer = inquiries[0].refute(facts, what)
        if answer is Satisfiability.SAT and levels.literals:
            if len(inquiries) == 1:
                inquiries.append(self._refuter.inquiry())
            answer = inquiries[1].refute(facts, what, _ordered(levels.literals))
            self._note(levels, inquiries[1].core)
        return answer

    def _look_at_size(self, levels: Levels) -> None:
        if len(levels.told) > _LARGE:
            self._refuter.ask_no_other()

    def _note(self, levels: Levels, core: Sequence[Term]) -> None:
        """The lines that must not overflow: those of a ``core``."""
        for literal in core:
            edge = levels.literals[literal]
            self._needed.update(c for c in edge.checks if c.kind is Undefined.SIGNED_OVERFLOW)

    def _certified(self, kind: str, depth: int, main: ProofPart) -> Certified:
        needed = in_order(self._needed)
        proof = Proof(self._as_read, kind, depth, self._parts, main, self._inside, needed, self._uncovered)
        assumes = () if self._stays_inside(proof) else all_assumptions(proof, self._solvers, self._budget)
        refuter = self._refuter
        return Certified(kind, self._obligations, refuter.queries, refuter.agreeing, assumes, depth, proof)

    def _stays_inside(self, proof: Proof) -> bool:
        """Whether a complete unwinding needs and leaves no assumption, as is seen soon."""
        if not isinstance(proof.main, Unwinding) or proof.assumed or not all(map(holds_always, proof.uncovered)):
            return False
        patience = self._budget.share(_SHARE, _PATIENCE)
        return nothing_is_violated(proof.main.reach, self._inside, proof.main.depth, patience, self._solvers.seed)

    def _refuted(self, reason: str) -> NotCertified:
        return NotCertified(self._as_read.initial, reason, refuted=True)

    def _no_answer(self) -> NotCertified:
        return NotCertified(self._as_read.initial, "the solver gave no answer")
