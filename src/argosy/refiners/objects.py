"""Refinement by guesses about all objects: what is claimed at the loop heads is guessed once, and what is not inductive
is dropped (``invariants.objects``, ``invariants.quantified``). What is left excludes the error, or there is no proof.
"""

from __future__ import annotations

from collections.abc import Sequence

from argosy.basics.budget import UNLIMITED
from argosy.domains.interpreted import Interpretation
from argosy.domains.paths import Paths
from argosy.engine.protocols import Feasible, Observer, Refined, Stuck, Timed
from argosy.engine.reached import Node, Reached
from argosy.invariants.lifetimes import guessed as lifetimes_guessed
from argosy.invariants.lifetimes import has_lifetimes
from argosy.invariants.members import guessed as members_guessed
from argosy.invariants.objects import guessed
from argosy.invariants.quantified import QuantifiedHoudini
from argosy.logic.solver import Solver
from argosy.logic.solvers import Solvers
from argosy.logic.traverse import substitute
from argosy.models.cells import Cells
from argosy.models.cfa import Reading

# Seconds for a single question: a guess that is harder is no guess.
_SECONDS_FOR_A_CHECK = 10.0


class ObjectsRefiner:
    """``cells`` stand for the arrays in the automaton that is analysed, None where it has no arrays."""

    def __init__(self, cells: Cells | None, solvers: Solvers, reading: Reading, observer: Observer) -> None:
        self._cells = cells
        self._solvers = solvers
        self._reading = reading
        self._observer = observer

    def refine(
        self, reached: Reached, targets: Sequence[Node], precision: Interpretation
    ) -> Feasible | Refined[Interpretation] | Stuck:
        made = self._cells
        guesses = {} if made is None else guessed(made.given, made)
        if made is None or not (any(guesses.values()) or has_lifetimes(made.given)):
            return Stuck("no memory is handed out object by object")
        terms, elements = made.cfa.terms, made.elements
        about = {at: {substitute(terms, guess, elements): guess for guess in some} for at, some in guesses.items()}
        for further in (lifetimes_guessed, members_guessed):
            for at, some in further(made.given, made.bound).items():
                about.setdefault(at, {}).update((guess, guess) for guess in some)
        budget = self._observer.budget if isinstance(self._observer, Timed) else UNLIMITED
        solver = self._solvers.create("trace", "bits", time_limit=_SECONDS_FOR_A_CHECK)
        paths = Paths(terms, self._reading)
        houdini = QuantifiedHoudini(made.given, paths, solver, budget, made.bound, self._second)
        needed = houdini.needed(houdini.inductive({at: tuple(some) for at, some in about.items()}))
        if needed is None:
            return Stuck("what is guessed about all objects does not exclude the error")
        claims = {at: terms.conjunction(about[at][fact] for fact in some) for at, some in needed.items()}
        return Refined(Interpretation({**claims, made.cfa.error: terms.false}))

    def _second(self) -> Solver:
        return self._solvers.create("trace", "bits", time_limit=_SECONDS_FOR_A_CHECK, name="z3")
