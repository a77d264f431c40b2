"""Refinement by what any number of rounds of a loop comes to: closed forms of what is determined
(``invariants.trajectories``), inequalities from how much a round changes (``invariants.increments``), bounds that the
text gives (``invariants.textual``) and equations modulo 2^w (``invariants.polynomials``). Of all of these Houdini keeps
what is inductive; together it excludes the error, or there is no proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from argosy.basics.budget import CLOCK, UNLIMITED, Budget
from argosy.domains.interpreted import Interpretation
from argosy.domains.paths import Paths
from argosy.engine.protocols import Feasible, Observer, Refined, Stuck, Timed
from argosy.engine.reached import Node, Reached
from argosy.invariants import increments, textual
from argosy.invariants.houdini import Block, Houdini, Invariants
from argosy.invariants.polynomials import equations
from argosy.invariants.trajectories import said, trajectories
from argosy.logic.polynomials import Products
from argosy.logic.solver import Satisfiability
from argosy.logic.solvers import Solvers
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Cfa, Location, Reading
from argosy.refiners.polynomials import CollectingHoudini

_SECONDS_FOR_A_CHECK = 2.0
_SOON = 1.0
_MOMENT = 0.1  # for finding out that a fact is superfluous
_HEADS = 24
_BOUNDS = 40  # at a loop head

Facts = Mapping[Location, tuple[Term, ...]]


class SummariesRefiner:
    """``closed_only``: closed forms and bounds from the text are all that is tried, which takes a moment."""

    def __init__(
        self, cfa: Cfa, solvers: Solvers, reading: Reading, observer: Observer, closed_only: bool = False
    ) -> None:
        self._cfa = cfa
        self._solvers = solvers
        self._reading = reading
        self._observer = observer
        self._closed_only = closed_only

    def refine(
        self, reached: Reached, targets: Sequence[Node], precision: Interpretation
    ) -> Feasible | Refined[Interpretation] | Stuck:
        terms = self._cfa.terms
        if len(self._cfa.loop_heads) <= _HEADS:
            for needed in self._attempts():
                if needed is not None:
                    claims = {head: terms.conjunction(own) for head, own in needed.items() if own}
                    return Refined(Interpretation({**claims, self._cfa.error: terms.false}))
        return Stuck("what any number of rounds of loops comes to does not exclude the error")

    def _attempts(self) -> Iterator[Invariants | None]:
        """Proofs out of more and more facts, each of which holds at its loop head."""
        cfa, terms, reading = self._cfa, self._cfa.terms, self._reading
        budget = self._observer.budget if isinstance(self._observer, Timed) else UNLIMITED
        houdini = _Houdini(cfa, terms, Paths(terms, reading), self._solvers, budget)
        collecting = _Collecting(cfa, terms, Paths(terms, reading), self._solvers, budget)

        def needed(facts: Facts) -> Invariants | None:
            return collecting.needed(facts) or houdini.needed(facts)

        followed = trajectories(cfa, reading, budget)
        closed: Facts = {head: tuple(said(terms, each) for each in own.closed) for head, own in followed.items()}
        known: Facts = dict.fromkeys(cfa.loop_heads, ())
        if any(closed.values()):
            known = _joined(known, houdini.inductive(closed))
            yield houdini.needed(known)
        if self._closed_only:
            if any(closed.values()):
                known = _joined(known, self._bounds(houdini, known))
                known = _joined(known, houdini.inductive(closed, known=known))
                yield houdini.needed(known)
            return
        equal = equations(cfa, budget=budget)
        known = _joined(known, _without_products(equal))
        known = _joined(known, self._bounds(houdini, known))
        found = increments.changes(cfa, reading, houdini.solver, known)
        starts = increments.starts(cfa, {head: own.entry for head, own in followed.items()})
        easy, exact = increments.guesses(cfa, found, starts)
        known = _joined(known, houdini.inductive(easy, known=known))
        known = _joined(known, houdini.inductive(closed, known=known))
        yield needed(known)
        hoped = equations(cfa, hopefully=True, budget=budget)
        known = _joined(known, houdini.inductive(_without_products(hoped), known=known))
        if any(map(_has_products, (*equal.values(), *hoped.values()))):
            together = _joined(known, equal)
            collecting.hurries = False
            yield collecting.needed(_joined(together, collecting.inductive(hoped, known=together)))
        if any(exact.values()):
            yield needed(_joined(known, houdini.inductive(exact, known=known)))

    def _bounds(self, houdini: Houdini, known: Facts) -> Facts:
        """Comparisons that the text makes and that hold at the loop heads."""
        found: Facts = {}
        for some in textual.guesses(self._cfa):
            guessed = {head: tuple(g for g in own if _is_bound(g)) for head, own in some.items()}
            kept = houdini.inductive(guessed, known=_joined(known, found))
            found = _joined(found, kept)
        return {head: houdini.independent(own, _BOUNDS) for head, own in found.items()}


class _Collecting(CollectingHoudini):
    """Which asks no solver whether few facts are enough: where they are not, that takes the longest. ``hurries``:
    another way is tried afterwards."""

    hurries = True

    def _among_known(self, block: Block, goal: Term, facts: Sequence[Term]) -> list[Term] | None:
        self.asks_for_proofs = False
        try:
            return self._reasons(block, goal, facts)
        finally:
            self.asks_for_proofs = True

    def _follows(self, block: Block, facts: Sequence[Term], goal: Term, asks: bool = True) -> bool:
        if self.hurries:
            self._patience = min(self._patience, _SOON)
        return super()._follows(block, facts, goal, asks)


class _Houdini(Houdini):
    """Which is patient about proofs and not about what they can do without. Of a fact that has many cases it looks at
    one after the other: in each of them most is a constant."""

    def __init__(self, cfa: Cfa, terms: Terms, paths: Paths, solvers: Solvers, budget: Budget) -> None:
        self._patience = _SECONDS_FOR_A_CHECK
        self._case: dict[Term, Term] = {}
        self.solver = solvers.create("trace", "bits", time_limit=lambda: CLOCK.on_the_wall(self._patience))
        super().__init__(cfa, terms, paths, self.solver, budget)

    def _preserved(self, block: Block, left: Invariants, known: Invariants) -> tuple[Term, ...]:
        facts = [] if block.source is None else [f for some in (left, known) for f in some.get(block.source, ())]
        fact = next(filter(_has_cases, facts), None)
        goals = left[block.target]
        for case in () if fact is None else fact.args:
            self._case = {fact: case} if fact is not None else {}
            if self._follows(block, goals, left, known):
                continue
            goals = super()._preserved(block, {**left, block.target: goals}, known)
            if not goals or (block.source is block.target and fact in left[block.target] and fact not in goals):
                break
        self._case = {}
        return goals if fact is not None else super()._preserved(block, left, known)

    def _follows(self, block: Block, goals: Sequence[Term], *facts: Invariants) -> bool:
        """Nothing is assumed, all is said: what is said to be equal, a solver puts in."""
        self._solver.push()
        try:
            self._assume(block, *facts)
            missed = (self._terms.not_(self._paths.instantiate(goal, block.path.indices)) for goal in goals)
            self._solver.add(self._terms.disjunction(missed))
            return self._check([]) is Satisfiability.UNSAT
        finally:
            self._solver.pop()

    def _reasons(self, block: Block, goal: Term, facts: Sequence[Term]) -> list[Term] | None:
        fact = next(filter(_has_cases, facts), None)
        if fact is None or block.source is None:
            return super()._reasons(block, goal, facts)
        # What holds in each case because of the case alone needs nothing else.
        alone = {block.source: (fact,)}
        others = {block.source: tuple(facts)}
        for some in (alone, others):
            if all(self._follows_in(case, fact, block, goal, some) for case in fact.args):
                return list(some[block.source])
        return None

    def _follows_in(self, case: Term, fact: Term, block: Block, goal: Term, facts: Invariants) -> bool:
        self._case = {fact: case}
        try:
            return self._follows(block, (goal,), facts)
        finally:
            self._case = {}

    def _meaning(self, block: Block, fact: Term) -> Term:
        return self._case.get(fact, fact)

    def _smaller(self, core: list[Term]) -> list[Term]:
        self._patience = _MOMENT
        try:
            return super()._smaller(core)
        finally:
            self._patience = _SECONDS_FOR_A_CHECK


def _has_cases(fact: Term) -> bool:
    return fact.op == "or" and any(case.op == "and" for case in fact.args)


def _without_products(facts: Facts) -> Facts:
    """Those with which a solver has no trouble."""
    products = Products()
    return {head: tuple(fact for fact in own if fact not in products) for head, own in facts.items()}


def _has_products(facts: Sequence[Term]) -> bool:
    products = Products()
    return any(fact in products for fact in facts)


def _is_bound(guess: Term) -> bool:
    atom = guess.args[0] if guess.op == "not" else guess
    return atom.op in ("bvult", "bvslt")


def _joined(some: Facts, more: Facts) -> dict[Location, tuple[Term, ...]]:
    return {
        head: tuple(dict.fromkeys((*some.get(head, ()), *more.get(head, ())))) for head in dict.fromkeys((*some, *more))
    }
