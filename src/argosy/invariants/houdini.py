"""Which guesses are invariants: the largest inductive subset of a set of formulas.

Houdini (Flanagan, Leino: *Houdini, an annotation assistant for ESC/Java*, 2001): assume all guesses at all loop heads,
and drop those that a block from head to head violates, until no block does. Each model of a violation drops every
guess that it makes false. What is left is inductive; ``needed`` keeps of it what a proof of the whole program uses.

Law: what is left holds at its location in every execution of the automaton under the given reading.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from argosy.basics.budget import Budget
from argosy.basics.records import dataclass
from argosy.domains.paths import PathFormula, Paths, blocks_from
from argosy.logic.compile import compile_terms
from argosy.logic.solver import Satisfiability, Solver
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts, variables
from argosy.models.cfa import Cfa, Location

Invariants = Mapping[Location, tuple[Term, ...]]


@dataclass(frozen=True, slots=True)
class Block:
    """All paths from ``source`` (None: the start) to ``target`` that pass no cut in between."""

    source: Location | None
    path: PathFormula
    target: Location


def blocks_between(cfa: Cfa, paths: Paths, cuts: frozenset[Location]) -> list[Block]:
    """The blocks from the start and from every cut to the next cuts and to the error. All loop heads are cuts."""
    ends = cuts | {cfa.error}
    found = []
    sources: list[Location | None] = [None, *(c for c in cfa.order if c in cuts and c is not cfa.error)]
    for source in sources:
        start = cfa.initial if source is None else source
        if source is None and start in ends:
            found.append(Block(None, paths.empty, start))
            continue
        found += [Block(source, path, target) for target, path in blocks_from(cfa, start, ends, paths).items()]
    return found


class Houdini:
    """Checks guesses at the loop heads of one automaton. When the budget is used up it ends by OutOfBudget."""

    def __init__(self, cfa: Cfa, terms: Terms, paths: Paths, solver: Solver, budget: Budget) -> None:
        self._terms = terms
        self._paths = paths
        self._solver = solver
        self._error = cfa.error
        self._budget = budget
        self._blocks = blocks_between(cfa, paths, cfa.loop_heads)

    def inductive(self, guesses: Invariants, known: Invariants | None = None) -> Invariants:
        """The largest subset of the guesses that is inductive, where ``known`` holds anyway."""
        left = {location: tuple(own) for location, own in guesses.items()}
        known = known or {}
        waiting = dict.fromkeys(block for block in self._blocks if block.target in left)
        while waiting:
            block = next(iter(waiting))
            del waiting[block]
            kept = self._preserved(block, left, known)
            if len(kept) < len(left[block.target]):
                left[block.target] = kept
                waiting.update((b, None) for b in self._blocks if b.source is block.target and b.target in left)
        return left

    def _preserved(self, block: Block, left: Invariants, known: Invariants) -> tuple[Term, ...]:
        """The guesses at the block's target that hold after the block."""
        goal = left[block.target]
        own = sorted({v for guess in goal for v in variables(guess)}, key=lambda v: v.id)
        # Values of arrays are nothing to compute with: the solver says itself what they make of a guess.
        plain = all(v.sort.element is None for v in own)
        evaluated = compile_terms(goal, {v: i for i, v in enumerate(own)}) if plain else None
        instances = [self._paths.indexed(v, block.path.indices.get(v, 0)) for v in own]
        self._solver.push()
        try:
            self._assume(block, left, known)
            while goal:
                violated = {g: self._terms.not_(self._paths.instantiate(g, block.path.indices)) for g in goal}
                answer = self._check([self._terms.disjunction(violated.values())])
                if answer is Satisfiability.UNKNOWN:
                    return tuple(g for g in goal if self._check([violated[g]]) is Satisfiability.UNSAT)
                if answer is Satisfiability.UNSAT:
                    break
                if evaluated is None:
                    true = {guess for guess in goal if not self._solver.value(violated[guess])}
                else:
                    values = evaluated([self._solver.value(v) for v in instances])
                    true = {guess for guess, value in zip(left[block.target], values, strict=True) if value}
                fewer = tuple(guess for guess in goal if guess in true)
                # Where the solver means another value (of a division by zero, say), no guess is safe.
                goal = fewer if len(fewer) < len(goal) else ()
        finally:
            self._solver.pop()
        return goal

    def _assume(self, block: Block, *invariants: Invariants) -> None:
        for part in conjuncts(block.path.formula):
            self._solver.add(part)
        if block.source is not None:
            for some in invariants:
                for fact in some.get(block.source, ()):
                    self._solver.add(self._meaning(block, fact))

    def _meaning(self, block: Block, fact: Term) -> Term:
        """What a block may take from a fact at its source."""
        return fact

    def _check(self, assumptions: Sequence[Term]) -> Satisfiability:
        self._budget.check()
        return self._solver.check(assumptions)

    def needed(self, invariants: Invariants, wanted: Invariants | None = None) -> Invariants | None:
        """A small inductive part of the invariants that excludes the error, and includes those ``wanted``; None where
        all of them do not exclude it."""
        found: dict[Location, dict[Term, None]] = {location: {} for location in invariants}
        waiting: list[tuple[Block, Term]] = [(b, self._terms.false) for b in self._blocks if b.target is self._error]
        for location, own in (wanted or {}).items():
            found[location].update(dict.fromkeys(own))
            waiting += [(b, fact) for b in self._blocks if b.target is location for fact in own]
        while waiting:
            block, goal = waiting.pop()
            facts = invariants.get(block.source, ()) if block.source is not None else ()
            known = [fact for fact in facts if block.source is not None and fact in found[block.source]]
            reasons = self._among_known(block, goal, known)
            if reasons is None:
                reasons = self._reasons(block, goal, facts)
            if reasons is None:
                return None
            for reason in reasons:
                assert block.source is not None
                if reason not in found[block.source]:
                    found[block.source][reason] = None
                    waiting += [(b, reason) for b in self._blocks if b.target is block.source]
        return {location: tuple(f for f in own if f in found[location]) for location, own in invariants.items()}

    def _reasons(self, block: Block, goal: Term, facts: Sequence[Term]) -> list[Term] | None:
        """Of facts at the block's source those from which ``goal`` follows after the block; None where it does not."""
        self._solver.push()
        try:
            self._assume(block)
            self._solver.add(self._terms.not_(self._paths.instantiate(goal, block.path.indices)))
            meant = {self._meaning(block, fact): fact for fact in facts}
            if self._check(list(meant)) is not Satisfiability.UNSAT:
                return None
            return [meant[fact] for fact in self._smaller(self._solver.core())]
        finally:
            self._solver.pop()

    def _among_known(self, block: Block, goal: Term, facts: Sequence[Term]) -> list[Term] | None:
        """The same, where more facts may do if these do not."""
        return self._reasons(block, goal, facts)

    def _smaller(self, core: list[Term]) -> list[Term]:
        """A core from which nothing can be left out, of the most promising guesses."""
        for fact in reversed(core):
            rest = [other for other in core if other is not fact]
            if self._check(rest) is Satisfiability.UNSAT:
                core = rest
        return core

    def independent(self, facts: Sequence[Term], most: int) -> tuple[Term, ...]:
        """Of facts about one location at most ``most`` that do not follow from those before."""
        found: list[Term] = []
        self._solver.push()
        try:
            for fact in facts:
                if len(found) == most:
                    break
                if self._check([self._terms.not_(fact)]) is not Satisfiability.UNSAT:
                    self._solver.add(fact)
                    found.append(fact)
        finally:
            self._solver.pop()
        return tuple(found)
