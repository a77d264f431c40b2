"""SAFE, certified: the claims at the cut points contain every state that can be reached, and no error.

A certificate is a set of formulas for each of some locations. It is checked on the model as read: the initial location
may have any state; whatever leaves a claim along a block (``certify.encoding``) must be inside the claims of the cut
point it arrives at; no block may arrive at the error. With claims at the loop heads that is an inductive invariant,
with claims everywhere it is the reachability graph, each of its edges derived again and each covering implied.

Claims over integers are widened to bits first. Every obligation is tried with signed overflow wrapping; only where
that fails, and the reading allows it, executions with signed overflow are excluded, and the lines that needed it are
named. Nothing about the claims is believed: not their variables, not that their locations cut the loops.

A claim may be about all values of ``bound`` variables, which the model does not have (``certify.instances``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from argosy.basics.budget import UNLIMITED, Budget, OutOfBudget
from argosy.basics.records import dataclass, replace
from argosy.certify.assumptions import possible_violations
from argosy.certify.claims import Claim, Claims
from argosy.certify.encoding import Arrival, CutBlock
from argosy.certify.instances import instances
from argosy.certify.loops import excluded, without_unclaimed_loops
from argosy.certify.meanings import Meanings, sort_kind
from argosy.certify.passage import Reach
from argosy.certify.proof import ExcludedEdges, InductiveClaims, Proof, ProofPart, on_the_way
from argosy.certify.refuter import Disagreement, Refuter
from argosy.logic.solver import Satisfiability, SolverError
from argosy.logic.solvers import Solvers
from argosy.logic.terms import Term
from argosy.logic.traverse import conjuncts, connected, variables
from argosy.logic.widen import to_bits
from argosy.models.cfa import Cfa, Check, Location, Reading, Undefined, Variable

# Different stores kept apart where paths meet: many when the source fixes constants, since these then steer the
# execution, few when the solver has to find out anyway.
_APART_WHEN_BOUND = 16
_APART = 1
# Of the time that is left, for asking what a proof does not exclude; and of so many seconds where there is no limit.
_SHARE, _PATIENCE = 0.5, 120.0


@dataclass(frozen=True, slots=True)
class Certified:
    """The error is unreachable. ``kind`` is "invariant" or, with claims at every location that matters, "graph"; or
    "unwinding" or "k-induction" (``certify.unwinding``), with the number of loop heads as ``depth``.
    ``obligations`` counts claims times blocks, ``solved`` the queries that needed a solver, ``by`` names the solvers
    that agreed on all of them. ``assumes`` are the checks that an execution is taken not to violate: for signed
    overflow those without which there is no proof, otherwise those that the proof does not exclude. ``proof`` says what
    was shown (``certify.certificate`` writes it down)."""

    kind: str
    obligations: int
    solved: int
    by: tuple[str, ...]
    assumes: tuple[Check, ...] = ()
    depth: int = 0
    proof: Proof | None = None


@dataclass(frozen=True, slots=True)
class NotCertified:
    """An obligation failed: from claim number ``claim`` of ``location`` the claims of ``target`` can be left (or the
    error be reached), or nothing is known. ``refuted`` tells the first case from the second."""

    location: Location
    reason: str
    claim: int | None = None
    target: Location | None = None
    refuted: bool = False


def certify_safe(
    cfa: Cfa,
    claims: Mapping[Location, Sequence[Term]],
    solvers: Solvers,
    reading: Reading,
    *,
    lemmas: Mapping[Location, Term] | None = None,
    budget: Budget = UNLIMITED,
    second_opinion: bool = False,
    bound: Sequence[Term] = (),
) -> Certified | NotCertified:
    """Whether ``claims`` prove that ``cfa`` never reaches its error. The states of a location are claimed to be in the
    union of its formulas, for all values of the ``bound`` variables; an empty sequence claims that it is never
    reached. A loop without any claim may do
    anything with the variables it writes, except that ``lemmas`` hold at its locations; they are proved first, and
    left aside where that fails.
    The initial location may have any state, whatever is claimed there. ``budget`` holds for the whole.
    """
    if cfa.initial is cfa.error:
        return NotCertified(cfa.initial, "the initial location is the error location", refuted=True)
    if not {variable.name for variable in bound}.isdisjoint(v.term.name for v in cfa.variables):
        return NotCertified(cfa.initial, "a bound variable of the claims is one of the model")
    cfa = with_bound(cfa, bound)
    inside = locations_that_matter(cfa)
    prepared: dict[Location, Claims] = {}
    for location in sorted(claims.keys() & inside, key=lambda location: location.index):
        formulas = _on_bits(cfa, location, claims[location])
        if isinstance(formulas, NotCertified):
            return formulas
        prepared[location] = Claims(cfa.terms, formulas)
    claimed = len(prepared.keys() - {cfa.initial, cfa.error})
    kind = "graph" if claimed and claimed == len(inside - {cfa.initial, cfa.error}) else "invariant"
    prepared[cfa.initial] = Claims(cfa.terms, (cfa.terms.true,))
    prepared[cfa.error] = Claims(cfa.terms, ())
    as_read, on_the_way_as_read = cfa, inside
    parts: list[ProofPart] = []
    if not inside <= prepared.keys() and not cfa.loop_heads <= prepared.keys():
        proved, _ = prove_lemmas(cfa, lemmas or {}, cfa.loop_heads, inside, solvers, Reading.WRAP, budget)
        parts = [*lemma_parts(cfa, proved, inside), excluded_part(cfa, proved)]
        summarised = without_unclaimed_loops(cfa, prepared.keys(), inside, proved)
        if summarised is not cfa:
            cfa, inside = summarised, locations_that_matter(summarised)
    check = _Check(cfa, prepared, inside, solvers, reading, budget, second_opinion, bound)
    failed = check.all_locations()
    if failed is not None:
        return failed
    said = {location: [claim.formula for claim in some.claims] for location, some in prepared.items()}
    main = InductiveClaims("the invariant", Reach(cfa, said.keys(), inside), said, tuple(bound))
    matter = on_the_way(as_read, on_the_way_as_read, cfa)
    proof = Proof(as_read, kind, 0, parts, main, matter, check.assumes())
    assumes = all_assumptions(proof, solvers, budget)
    return Certified(kind, check.obligations, check.solved, check.by, assumes, 0, proof)


def with_bound(cfa: Cfa, bound: Sequence[Term]) -> Cfa:
    """The model with the bound variables of claims: nothing reads or writes them, so that they have any values, and the
    same ones everywhere."""
    if not bound:
        return cfa
    return replace(cfa, variables=(*cfa.variables, *(Variable(term, term.name) for term in bound)))


def all_assumptions(proof: Proof, solvers: Solvers, budget: Budget) -> tuple[Check, ...]:
    """Everything that an execution is taken not to violate: what the proof needs, and what it could not exclude."""
    patience = budget.share(_SHARE, _PATIENCE)
    return in_order({*proof.assumed, *possible_violations(proof, solvers.seed, patience)})


def lemma_parts(cfa: Cfa, proved: Mapping[Location, Term], inside: Collection[Location]) -> list[ProofPart]:
    """What proves lemmas."""
    if not proved:
        return []
    claims = {location: () if lemma is cfa.terms.false else (lemma,) for location, lemma in proved.items()}
    return [InductiveClaims("the lemmas", Reach(cfa, claims.keys(), inside), claims)]


def excluded_part(cfa: Cfa, proved: Mapping[Location, Term]) -> ProofPart:
    """What lemmas exclude before loops are left open."""
    return ExcludedEdges({edge: proved[edge.source] for edge in excluded(cfa, proved)})


def prove_lemmas(
    cfa: Cfa,
    lemmas: Mapping[Location, Term],
    cuts: Collection[Location],
    inside: Collection[Location],
    solvers: Solvers,
    reading: Reading,
    budget: Budget,
) -> tuple[Mapping[Location, Term], tuple[Check, ...]]:
    """``lemmas`` at the ``cuts``, which cut every cycle, if they are inductive there, whether or not the error is
    reachable, and the checks for signed overflow that had to hold; otherwise nothing."""
    true = cfa.terms.true
    known = {v.term for v in cfa.variables if v.term not in cfa.opaque}
    said = {cut: lemmas.get(cut, true) for cut in sorted(cuts, key=lambda cut: cut.index) if cut in inside}
    said[cfa.initial] = true  # where any state is possible
    if all(lemma is true for lemma in said.values()) or not all(variables(lemma) <= known for lemma in said.values()):
        return {}, ()
    claims = {cut: Claims(cfa.terms, () if f is cfa.terms.false else (f,)) for cut, f in said.items()}
    check = _Check(cfa, claims, inside, solvers, reading, budget, False)
    return (said, check.assumes()) if check.all_locations() is None else ({}, ())


def in_order(checks: Iterable[Check]) -> tuple[Check, ...]:
    return tuple(sorted(checks, key=lambda c: (c.position.file, c.position.line, c.position.column, c.condition.id)))


def locations_that_matter(cfa: Cfa) -> set[Location]:
    """Those on a path from the initial location to the error, by the graph."""
    seen = {cfa.initial}
    waiting = [cfa.initial]
    for location in waiting:
        for edge in cfa.leaving[location]:
            if edge.target in cfa.error_distance and edge.target not in seen:
                seen.add(edge.target)
                waiting.append(edge.target)
    return seen


def _on_bits(cfa: Cfa, location: Location, formulas: Sequence[Term]) -> list[Term] | NotCertified:
    """The claims over the variables of the model as read."""
    declared = {v.term.name: v for v in cfa.variables}
    known = {v.term for v in cfa.variables if v.term not in cfa.opaque}
    result = []
    for index, formula in enumerate(formulas):
        if formula.sort is not cfa.terms.true.sort:
            return NotCertified(location, "a claim is not a formula", index)
        widened: Term | None = formula
        if not variables(formula) <= known:
            unknown = [
                v.name for v in variables(formula) if v.name not in declared or declared[v.name].term not in known
            ]
            if unknown:
                return NotCertified(location, f"a claim mentions {min(unknown)}, which the model does not know", index)
            widened = to_bits(cfa.terms, formula, declared)
        if widened is None or not variables(widened) <= known:
            return NotCertified(location, "a claim cannot be said on bits", index)
        result.append(widened)
    return result


class _Check:
    """The obligations of all locations, and what they took."""

    def __init__(
        self,
        cfa: Cfa,
        claims: Mapping[Location, Claims],
        inside: Collection[Location],
        solvers: Solvers,
        reading: Reading,
        budget: Budget,
        second_opinion: bool,
        bound: Sequence[Term] = (),
    ) -> None:
        self.cfa = cfa
        self.terms = cfa.terms
        self.claims = claims
        self.bound = bound
        self.wanted = {location: some.variables for location, some in claims.items()}
        self.inside = inside
        self.reading = reading
        self.budget = budget
        self.obligations = 0
        self._wrapping = Meanings(cfa, defined=False)
        self._defined = Meanings(cfa, defined=True)
        self._refuter = Refuter(cfa.terms, solvers, sort_kind(cfa), budget, second_opinion)
        self._needed: set[Check] = set()

    @property
    def solved(self) -> int:
        return self._refuter.queries

    @property
    def by(self) -> tuple[str, ...]:
        return self._refuter.agreeing

    def assumes(self) -> tuple[Check, ...]:
        return in_order(self._needed)

    def all_locations(self) -> NotCertified | None:
        """The first obligation that fails."""
        for location in sorted(self.claims, key=lambda location: location.index):
            if location is not self.cfa.error:
                try:
                    failed = self.location(location)
                except (OutOfBudget, SolverError, Disagreement) as stop:
                    return NotCertified(location, str(stop))
                if failed is not None:
                    return failed
        return None

    def location(self, location: Location) -> NotCertified | None:
        """Every obligation of the claims at ``location``."""
        here = self.claims[location]
        if not here.claims:
            return None
        self._refuter.renew()
        wrapping = _Obligations(self, self._wrapping, location)
        defined: _Obligations | None = None
        for claim in here.claims:
            for target in wrapping.block.targets:
                self.obligations += 1
                answer = self._prove(wrapping, claim, target)
                if answer is Satisfiability.SAT and self.reading is Reading.UNDEFINED:
                    defined = defined or _Obligations(self, self._defined, location)
                    answer = self._prove(defined, claim, target)
                if answer is Satisfiability.SAT:
                    return self._failure(location, claim, target)
                if answer is Satisfiability.UNKNOWN:
                    return NotCertified(location, "the solver gave no answer", claim.index, target)
        return None

    def _failure(self, location: Location, claim: Claim, target: Location) -> NotCertified:
        if target is self.cfa.error:
            reason = "the error can be reached from the claim"
        elif not self.claims[target].claims:
            reason = f"{target} can be reached from the claim, and nothing is claimed there"
        else:
            reason = f"the claims at {target} can be left from the claim"
        return NotCertified(location, reason, claim.index, target, refuted=True)

    def _prove(self, obligations: _Obligations, claim: Claim, target: Location) -> Satisfiability:
        """UNSAT when the obligation holds."""
        for parts in obligations.violations(claim, target):
            # What follows without instances does so with them, and what does not may be hard to tell.
            known = self._instances(obligations, claim, parts) if self.bound else []
            answer = self._refuted(obligations, (*parts, *known))
            if answer is not Satisfiability.UNSAT:
                return answer
        return Satisfiability.UNSAT

    def _instances(self, obligations: _Obligations, claim: Claim, parts: Sequence[Term]) -> list[Term]:
        """What is claimed at the source, of the indices in ``parts``; in one of the alternatives the state is."""
        claimed = self.terms.disjunction(c.formula for c in self.claims[obligations.block.source].claims)
        return [claim.formula, *instances(self.terms, claimed, self.bound, parts)]

    def _refuted(self, obligations: _Obligations, parts: Sequence[Term]) -> Satisfiability:
        """UNSAT when the conjunction has no model. Parts that have no variables in common with the others are asked for
        themselves: they have a model together if each has one, and the same ones occur again and again."""
        answers = []
        for group in connected(tuple(dict.fromkeys(c for part in parts for c in conjuncts(part)))):
            mentioned = frozenset().union(*(variables(part) for part in group))
            literals = sorted((v for v in mentioned if v in obligations.meanings.literals), key=lambda v: v.id)
            answer = self._refuter.refute(group, literals)
            if answer is Satisfiability.UNSAT:
                for literal in self._refuter.core:
                    edge = obligations.meanings.literals[literal]
                    self._needed.update(c for c in edge.checks if c.kind is Undefined.SIGNED_OVERFLOW)
                return answer
            answers.append(answer)
        return Satisfiability.UNKNOWN if Satisfiability.UNKNOWN in answers else Satisfiability.SAT


class _Obligations:
    """What must not happen on the block of one location, under one reading of signed overflow."""

    def __init__(self, check: _Check, meanings: Meanings, location: Location) -> None:
        self.meanings = meanings
        self.block = CutBlock(meanings, location, check.claims.keys(), check.inside, check.wanted)
        self._check = check
        self._terms = check.terms
        self._general: Mapping[Location, list[Arrival]] | None = None
        self._general_violations: dict[Location, list[tuple[Term, ...]]] = {}
        self._last: tuple[Claim, Mapping[Location, list[Arrival]]] | None = None

    def violations(self, claim: Claim, target: Location) -> list[tuple[Term, ...]]:
        """Conjunctions, one of which is satisfiable iff from ``claim`` a state outside the claims of ``target`` is
        reached."""
        if claim.bindings:
            return self._outside(target, self._from_claim(claim)[target])
        if target not in self._general_violations:
            if self._general is None:
                self._general = self.block.execute({}, (), _APART, self._check.budget.check)
            self._general_violations[target] = self._outside(target, self._general[target])
        return [(claim.formula, *violation) for violation in self._general_violations[target]]

    def _from_claim(self, claim: Claim) -> Mapping[Location, list[Arrival]]:
        if self._last is None or self._last[0] is not claim:
            arrivals = self.block.execute(claim.bindings, claim.rest, _APART_WHEN_BOUND, self._check.budget.check)
            self._last = claim, arrivals
        return self._last[1]

    def _outside(self, target: Location, arrivals: Sequence[Arrival]) -> list[tuple[Term, ...]]:
        terms = self._terms
        claims = self._check.claims[target]
        result = []
        for arrival in arrivals:
            outside = claims.outside(self.block.live[target], arrival.store)
            if outside is not terms.false:
                conditions = sorted(arrival.conditions, key=lambda condition: condition.id)
                if terms.and_(*conditions, outside) is not terms.false:
                    result.append((outside, *conditions))
        return result
