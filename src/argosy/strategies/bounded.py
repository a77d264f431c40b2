"""Bounded model checking with a growing bound, and k-induction on the same unrolling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from argosy.basics.budget import OutOfBudget
from argosy.basics.records import replace
from argosy.domains.paths import Paths
from argosy.domains.unrolling import Bound, UnrolledState, Unrolling
from argosy.engine.protocols import Refiner, Strategy
from argosy.invariants import textual, words
from argosy.invariants.discovery import discover
from argosy.invariants.houdini import Houdini, Invariants
from argosy.logic.interpolation import Interpolation
from argosy.logic.solver import SolverError
from argosy.logic.terms import Term
from argosy.logic.widen import to_bits
from argosy.models.cfa import Cfa, Edge, Location
from argosy.models.features import has_arrays
from argosy.models.integers import integers
from argosy.models.tightening import tightened
from argosy.options.programs import BoundedOptions, InductionOptions
from argosy.refiners.bound import MOMENT, BoundRefiner, Induction, unrolling_order
from argosy.strategies.acceleration import Expanding, accelerated
from argosy.strategies.setting import Setting

# For the question which invariants of the idealised model hold on bits.
_SECONDS = 2.0
_SECONDS_WITH_ARRAYS = 8.0
_SECONDS_FOR_WORDS = 5.0
_SHARE = 0.5  # of the time that there is
_FOR_WORDS = 0.8


def bounded(setting: Setting[BoundedOptions]) -> Strategy[UnrolledState, Edge, Bound]:
    """``bmc``; with the option ``induction`` also ``kinduction``, with ``relations`` helped by invariants."""
    cfa, representative = tightened(setting.cfa)
    solvers, reading, arithmetic = setting.solvers, setting.reading, setting.arithmetic
    faster = accelerated(cfa, reading, solvers, arithmetic) if setting.options.acceleration else None

    induction: Induction | None = None

    # Few questions, and each may be a hard one: none may take more than all have together.
    def limit() -> float | None:
        left = setting.budget.seconds
        waits = induction is not None and induction.waits
        return left if not waits else MOMENT if left is None else min(left, MOMENT)

    model, shortcuts = (cfa, ()) if faster is None else (faster.cfa, faster.chosen_by)
    solver = solvers.create("abstraction", arithmetic, time_limit=limit)
    analysis = Unrolling(model, setting.terms, solver, reading, shortcuts=shortcuts)
    if setting.options.induction:

        def discovered() -> Mapping[Location, Term]:
            found = invariants(replace(setting, cfa=cfa))
            return {at: found[by] for at, by in representative.items() if by in found}

        helped = isinstance(setting.options, InductionOptions) and setting.options.relations
        guessed = discovered if helped else None
        induction = Induction(cfa, solvers, reading, arithmetic, setting.observer, guessed, limit)
        if has_arrays(cfa):
            # What the text says is guessed soon, and rounds of loops over arrays take long.
            induction.hurry()
    refiner: Refiner[Bound] = BoundRefiner(analysis, induction)
    if faster is not None:
        refiner = Expanding(refiner, faster, solvers, limit())
    # Where the step of an induction is asked at each bound, small ones are the easiest.
    begun = Bound(1 if setting.options.induction else max(1, setting.depth))
    return Strategy(analysis, lambda: unrolling_order(model), refiner, begun, targets=0)


def invariants(setting: Setting[Any]) -> Mapping[Location, Term]:
    """Formulas that hold at loop heads: those of the model over integers or, on bits, what is inductive of them; where
    there are arrays, of what the text says, and where a loop computes on words, a proof out of guesses about these."""
    terms = setting.terms
    on_bits = setting.arithmetic == "bits"
    if on_bits and has_arrays(setting.cfa):
        # The model over integers has none.
        left = setting.budget.seconds
        return _inductive(
            setting, textual.guesses(setting.cfa), _SECONDS_WITH_ARRAYS if left is None else _SHARE * left
        )
    if on_bits and words.are_computed(setting.cfa):
        proof = _proof_in_words(setting)
        if proof is not None:
            return {head: terms.conjunction(facts) for head, facts in proof.items() if facts}
    model = integers(setting.cfa).cfa if on_bits else setting.cfa
    found = _discovered(setting, model)
    if on_bits:
        declared = {v.term.name: v for v in setting.cfa.variables}
        said = {head: (to_bits(terms, fact, declared) for fact in facts) for head, facts in found.items()}
        guessed = [{head: tuple(f for f in own if f is not None) for head, own in said.items()}]
        own_heads = setting.cfa.loop_heads
        others = {head: terms for head, terms in setting.candidates.items() if head in own_heads and terms}
        return _inductive(setting, [*guessed, others] if others else guessed)
    return {head: terms.conjunction(facts) for head, facts in found.items() if facts}


def _proof_in_words(setting: Setting[Any]) -> Invariants | None:
    """Invariants that exclude the error, among what is guessed about bit-vectors."""
    left = setting.budget.seconds
    budget = setting.budget.at_most(_SECONDS_FOR_WORDS if left is None else min(_SECONDS_FOR_WORDS, _FOR_WORDS * left))
    solver = setting.solvers.create("trace", "bits", time_limit=lambda: budget.seconds)
    houdini = Houdini(setting.cfa, setting.terms, Paths(setting.terms, setting.reading), solver, budget)
    found: Invariants = {}
    try:
        for guessed in words.guesses(setting.cfa, setting.reading, setting.solvers.seed):
            kept = houdini.inductive(guessed, known=found)
            found = {head: (*found.get(head, ()), *own) for head, own in kept.items()}
            needed = houdini.needed(found)
            if needed is not None:
                return needed
    except (OutOfBudget, SolverError):
        pass
    return None


def _discovered(setting: Setting[Any], model: Cfa) -> Mapping[Location, tuple[Term, ...]]:
    """Of the model over integers: what a stage before has found at all heads, or else is found now."""
    heads = model.loop_heads
    if setting.cells is None:
        for known in setting.discoveries.values():
            if heads <= known.invariants.keys():
                return {head: known.invariants[head] for head in heads}
    interpolation = Interpolation(setting.terms, setting.solvers, within=lambda: setting.budget)
    found = discover(model, setting.reading, setting.solvers, interpolation, heads, setting.budget)
    return found.invariants


def _inductive(
    setting: Setting[Any], guessed: Sequence[Invariants], seconds: float = _SECONDS
) -> Mapping[Location, Term]:
    """What of some guesses about bits, or else of more, is inductive: what a proof needs, or all that is found soon."""
    terms = setting.terms
    solver = setting.solvers.create("trace", "bits", time_limit=min(seconds, _SECONDS))
    houdini = Houdini(setting.cfa, terms, Paths(terms, setting.reading), solver, setting.budget.at_most(seconds))
    found: Invariants = {}
    try:
        for some in guessed:
            tried = {head: tuple(g for g in own if g not in found.get(head, ())) for head, own in some.items()}
            kept = houdini.inductive(tried, known=found)
            found = {head: (*found.get(head, ()), *own) for head, own in kept.items()}
            needed = houdini.needed(found) if len(guessed) > 1 else None
            if needed is not None:
                found = needed
                break
    except (OutOfBudget, SolverError):
        pass
    return {head: terms.conjunction(facts) for head, facts in found.items() if facts}
