"""Refinement by polynomial equations: what the rounds of loops add up to (``invariants.polynomials``), with the bounds
that conditions of the text give (``invariants.textual``). Together they exclude the error, or there is no proof.

An obligation between equations is decided by collecting terms (``logic.polynomials``), for which circuits of
multipliers are hopeless, and the rest by a solver, which is told of no products first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from argosy.basics.budget import CLOCK, UNLIMITED, Budget
from argosy.domains.interpreted import Interpretation
from argosy.domains.paths import Paths
from argosy.engine.protocols import Feasible, Observer, Refined, Stuck, Timed
from argosy.engine.reached import Node, Reached
from argosy.invariants import textual
from argosy.invariants.houdini import Block, Houdini, Invariants
from argosy.invariants.polynomials import Equations, equations, phases
from argosy.logic.polynomials import Products, refuted
from argosy.logic.solver import Satisfiability, SolverError
from argosy.logic.solvers import Solvers
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts, postorder, substitute, variables
from argosy.models.cfa import Cfa, Location, Reading
from argosy.models.effects import effect_of

_SECONDS_FOR_A_CHECK = 2.0
_MOMENT = 0.3  # for a guess, and for finding out that a fact is superfluous
_BOUNDS = 60  # at a loop head

Facts = dict[Location, tuple[Term, ...]]


class PolynomialsRefiner:
    def __init__(self, cfa: Cfa, solvers: Solvers, reading: Reading, observer: Observer) -> None:
        self._cfa = cfa
        self._solvers = solvers
        self._reading = reading
        self._observer = observer

    def refine(
        self, reached: Reached, targets: Sequence[Node], precision: Interpretation
    ) -> Feasible | Refined[Interpretation] | Stuck:
        terms = self._cfa.terms
        for needed in self._attempts():
            if needed is not None:
                claims = {head: terms.conjunction(own) for head, own in needed.items() if own}
                return Refined(Interpretation({**claims, self._cfa.error: terms.false}))
        return Stuck("what rounds of loops add up to does not exclude the error")

    def _attempts(self) -> Iterator[Invariants | None]:
        """Proofs out of more and more facts, each of which holds at its loop head."""
        cfa = self._cfa
        budget = self._observer.budget if isinstance(self._observer, Timed) else UNLIMITED
        paths = Paths(cfa.terms, self._reading)
        collecting = CollectingHoudini(cfa, cfa.terms, paths, self._solvers, budget)
        found = equations(cfa, budget=budget)
        known: Facts = {head: found.get(head, ()) for head in cfa.loop_heads}
        bounds: Facts | None = None
        if _multiplies(cfa):
            closer = equations(cfa, closely=True, budget=budget)
            collecting.asks_for_proofs = collecting.asks_about_products = False
            for facts in (known, {head: closer.get(head, ()) for head in cfa.loop_heads}):
                if any(facts.values()):
                    yield collecting.needed(facts)
            collecting.asks_for_proofs = True
            bounds = self._bounds(paths, known, budget)
            close: Facts = {head: (*closer.get(head, ()), *bounds.get(head, ())) for head in cfa.loop_heads}
            yield collecting.needed(close)
            unless = self._unless_skipped(paths, close, budget)
            close = {head: (*own, *unless.get(head, ())) for head, own in close.items()}
            yield collecting.needed(close)
            hoped = collecting.inductive(equations(cfa, hopefully=True, closely=True, budget=budget), known=close)
            yield collecting.needed({head: (*own, *hoped.get(head, ())) for head, own in close.items()})
            collecting.asks_about_products = True
        if any(known.values()):
            yield collecting.needed(known)
        bounds = self._bounds(paths, known, budget) if bounds is None else bounds
        known = {head: (*own, *bounds.get(head, ())) for head, own in known.items()}
        yield collecting.needed(known)
        # Which phase follows is a question for a solver; what a loop comes to, if it is easy to see, is none.
        guesses = ((some, asks) for asks in (False, True) for some in self._guesses(asks, budget))
        for some, collecting.asks in guesses:
            new = {head: tuple(f for f in some.get(head, ()) if f not in own) for head, own in known.items()}
            kept = collecting.inductive(new, known=known)
            if any(kept.values()):
                yield collecting.needed({head: (*own, *kept[head]) for head, own in known.items()})

    def _guesses(self, asks: bool, budget: Budget) -> Iterator[Equations]:
        yield equations(self._cfa, hopefully=True, budget=budget)
        if asks:
            yield from phases(self._cfa, budget)

    def _bounds(self, paths: Paths, known: Facts, budget: Budget) -> Facts:
        """Comparisons that hold at the loop heads, of those that the text makes, where the equations that are ``known``
        hold; those without products, with which a solver has no trouble."""
        cfa, terms = self._cfa, self._cfa.terms
        houdini, known = self._without_products(paths, known, budget)
        found: Facts = {}
        for some in textual.guesses(cfa):
            guessed = {head: tuple(_bounds(terms, own, found.get(head, ()))) for head, own in some.items()}
            both = {head: (*own, *found.get(head, ())) for head, own in known.items()}
            kept = houdini.inductive(guessed, known=both)
            found = {head: (*found.get(head, ()), *own) for head, own in kept.items()}
        return {head: houdini.independent(own, _BOUNDS) for head, own in found.items()}

    def _unless_skipped(self, paths: Paths, known: Facts, budget: Budget) -> Facts:
        """Comparisons that hold unless a loop was never entered, so that a variable has the number that it began
        with (``i == 0 or i <= n``)."""
        cfa, terms = self._cfa, self._cfa.terms
        houdini, known = self._without_products(paths, known, budget)
        starts: dict[Term, dict[Term, None]] = {}
        for edge in cfa.edges:
            for variable, value in effect_of(terms, edge.operation).definitions:
                if value.is_const:
                    starts.setdefault(variable, {})[value] = None
        guessed: dict[Location, dict[Term, None]] = {head: {} for head in cfa.loop_heads}
        for some in textual.guesses(cfa):
            for head, own in some.items():
                for bound in _bounds(terms, own, known.get(head, ())):
                    for variable in sorted(variables(bound) & starts.keys(), key=lambda v: v.id):
                        for value in starts[variable]:
                            guessed[head][terms.or_(terms.eq(variable, value), bound)] = None
        kept = houdini.inductive({head: tuple(own) for head, own in guessed.items()}, known=known)
        return {head: houdini.independent(own, _BOUNDS) for head, own in kept.items()}

    def _without_products(self, paths: Paths, known: Facts, budget: Budget) -> tuple[Houdini, Facts]:
        solver = self._solvers.create("trace", "bits", time_limit=_MOMENT)
        products = Products()
        houdini = _OpenProducts(self._cfa, self._cfa.terms, paths, solver, budget)
        return houdini, {head: tuple(fact for fact in own if fact not in products) for head, own in known.items()}


def _multiplies(cfa: Cfa) -> bool:
    """Whether something depends on products."""
    products = Products()
    effects = [effect_of(cfa.terms, edge.operation) for edge in cfa.edges]
    values = [value for effect in effects for _, value in effect.definitions]
    choices = [sub.args[0] for sub in postorder(*values) if sub.op == "ite"] if values else []
    return any(part in products for part in (*choices, *(guard for effect in effects for guard in effect.guards)))


def _bounds(terms: Terms, guesses: Iterable[Term], known: Collection[Term]) -> Iterable[Term]:
    """Comparisons that are not known, and what holds one step after them; none of products."""
    found: dict[Term, None] = {}
    products = Products()
    for guess in guesses:
        atom = guess.args[0] if guess.op == "not" else guess
        if atom.op in ("bvult", "bvslt") and atom not in products:
            found[guess] = None
            left, right = atom.args
            found[terms.not_(terms.bit(atom.op, terms.bit("bvadd", left, terms.bv(1, left.sort.width)), right))] = None
    return [guess for guess in found if not guess.is_const and guess not in known]


class _OpenProducts(Houdini):
    """For which products of variables may have any values: what is inductive all the same is soon shown."""

    def _assume(self, block: Block, *invariants: Invariants) -> None:
        parts = list(conjuncts(block.path.formula))
        for some in invariants if block.source is not None else ():
            assert block.source is not None
            parts += some.get(block.source, ())
        terms = self._terms
        opened = {
            sub: terms.var(f"product {number} of {sub.sort.width}", sub.sort)
            for number, sub in enumerate(postorder(*parts))
            if sub.op == "bvmul" and not any(arg.is_const for arg in sub.args)
        }
        memo: dict[Term, Term] = {}
        for part in parts:
            self._solver.add(substitute(terms, part, opened, memo) if opened else part)


class CollectingHoudini(Houdini):
    """Whose obligations are decided by collecting terms where that is enough. ``asks``: a solver is asked about guesses
    where it is not; ``asks_for_proofs``: it is asked about what a proof needs;
    ``asks_about_products``: with the products that there are."""

    def __init__(self, cfa: Cfa, terms: Terms, paths: Paths, solvers: Solvers, budget: Budget) -> None:
        self.asks = False
        self.asks_for_proofs = self.asks_about_products = True
        self._patience = _SECONDS_FOR_A_CHECK
        solver = solvers.create("trace", "bits", time_limit=lambda: CLOCK.on_the_wall(self._patience))
        super().__init__(cfa, terms, paths, solver, budget)
        self._products = Products()

    def _preserved(self, block: Block, left: Invariants, known: Invariants) -> tuple[Term, ...]:
        facts = [] if block.source is None else [f for some in (left, known) for f in some.get(block.source, ())]
        self._patience = _MOMENT
        try:
            return tuple(goal for goal in left[block.target] if self._follows(block, facts, goal, self.asks))
        finally:
            self._patience = _SECONDS_FOR_A_CHECK

    def _reasons(self, block: Block, goal: Term, facts: Sequence[Term]) -> list[Term] | None:
        """None where the goal is not seen to follow; otherwise facts of which none is seen to be superfluous soon."""
        kept = list(facts)
        asks = not self._follows(block, kept, goal, asks=False)
        if asks and (not self.asks_for_proofs or not self._follows(block, kept, goal)):
            return None
        self._patience = _MOMENT
        try:
            return self._fewer(block, kept, goal, asks)
        finally:
            self._patience = _SECONDS_FOR_A_CHECK

    def _fewer(self, block: Block, kept: list[Term], goal: Term, asks: bool) -> list[Term]:
        """What is left when facts are left out, the last ones first, many at once and then one by one."""
        size = max(1, len(kept) // 2)
        while kept:
            end = len(kept)
            while end > 0:
                fewer = kept[: max(0, end - size)] + kept[end:]
                if self._follows(block, fewer, goal, asks):
                    kept = fewer
                end -= size
            if size == 1:
                break
            size //= 2
        return kept

    def _follows(self, block: Block, facts: Sequence[Term], goal: Term, asks: bool = True) -> bool:
        """``asks``: a solver is asked where collecting terms is not enough."""
        self._budget.check()
        missed = self._terms.not_(self._paths.instantiate(goal, block.path.indices))
        parts = [*conjuncts(block.path.formula), *facts, missed]
        return refuted(self._terms, parts, self._excluded if asks else None)

    def _excluded(self, literals: Sequence[Term]) -> bool:
        easy = [literal for literal in literals if literal not in self._products]
        for some in (easy, literals) if len(easy) < len(literals) and self.asks_about_products else (easy,):
            self._budget.check()
            self._solver.push()
            try:
                for literal in some:
                    self._solver.add(literal)
                if self._solver.check() is Satisfiability.UNSAT:
                    return True
            except SolverError:
                return False
            finally:
                self._solver.pop()
        return False
