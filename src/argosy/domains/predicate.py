"""Predicate abstraction of a block (paper 002, section 2.1.2; paper 004, section II.C; paper 000, section 4.1).

``abstract(psi, phi, predicates)`` is the strongest combination of the predicates that ``psi and phi`` implies: for
the boolean abstraction any combination, a region (a BDD); for the cartesian one a conjunction of literals; for the
conjunctive one, which is ARMC's, a conjunction of predicates, negated only where a negation is tracked.

Few questions are asked. A predicate that the block does not touch and that psi already decides costs nothing.
Each model answers every predicate at once: a literal that some model violates is not entailed, so only literals
on which all models so far agree are ever asked for. Only the predicates left open after that are enumerated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from argosy.domains.paths import PathFormula, Paths
from argosy.logic.bdd import Region, Regions, RegionsFull
from argosy.logic.solver import Answer, Counters, Solver, SolverError
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts

Mode = Literal["boolean", "cartesian", "conjunctive"]


@dataclass(slots=True)
class AbstractionCounters:
    """``computed`` abstractions, and how many were answered from the cache instead; what the last one cost."""

    computed: int = 0
    cached: int = 0
    last_checks: int = 0
    last_length: int = 0


class PredicateAbstraction:
    """Computes abstractions with one incremental solver and remembers them."""

    def __init__(
        self, terms: Terms, paths: Paths, regions: Regions, solver: Solver, counters: Counters, mode: Mode
    ) -> None:
        self._terms = terms
        self._paths = paths
        self.regions = regions
        self._solver = solver
        self._solver_counters = counters
        self._mode = mode
        self._negates = mode != "conjunctive"
        self.counters = AbstractionCounters()
        self._results: dict[tuple[Region, Term, tuple[Term, ...], tuple[Term, ...]], Region | None] = {}
        self._feasible: dict[tuple[Region, Term], bool] = {}

    def feasible(self, region: Region, path: PathFormula) -> bool:
        """Is there a state in ``region`` from which the block can be passed? Unknown counts as yes."""
        key = (region, path.formula)
        known = self._feasible.get(key)
        if known is None:
            known = path.formula is not self._terms.false and not region.is_false
            if known:
                self._begin(region, path)
                known = self._solver.check() is not Answer.UNSAT
                self._solver.pop()
            self._feasible[key] = known
        return known

    def abstract(self, region: Region, path: PathFormula, predicates: Sequence[Term]) -> Region | None:
        """The abstraction of the states after ``path`` from ``region``; None if there are none."""
        instances = tuple(self._paths.instantiate(p, path.indices) for p in predicates)
        key = (region, path.formula, tuple(predicates), instances)
        if key in self._results:
            self.counters.cached += 1
            self._solver_counters.cached += len(predicates)
            return self._results[key]
        if predicates:
            before = self._solver_counters.checks
            result = self._compute(region, path, dict(zip(predicates, instances, strict=True)))
            self.counters.computed += 1
            self.counters.last_checks = self._solver_counters.checks - before
            self.counters.last_length = path.length
        else:
            result = self.regions.true if self.feasible(region, path) else None
        self._results[key] = result
        return result

    def _begin(self, region: Region, path: PathFormula) -> None:
        self._solver.push()
        self._solver.add(self.regions.to_term(region))
        for part in conjuncts(path.formula):
            self._solver.add(part)

    def _compute(self, region: Region, path: PathFormula, instances: Mapping[Term, Term]) -> Region | None:
        if path.formula is self._terms.false:
            return None
        self._begin(region, path)
        try:
            if self._solver.check() is Answer.UNSAT:
                return None
            cube, open_ = self._literals(region, instances)
            if open_ and self._mode == "boolean":
                return self._enumerate(cube, {p: instances[p] for p in open_})
            return self.regions.from_cube(cube)
        finally:
            self._solver.pop()

    def _literals(self, region: Region, instances: Mapping[Term, Term]) -> tuple[dict[Term, bool], list[Term]]:
        """The predicates that are decided after the block, with their values, and those that are not. Called when
        the solver has a model of the block."""
        cube: dict[Term, bool] = {}
        candidates: dict[Term, bool] = {}
        support = set(self.regions.support(region))
        for predicate, instance in instances.items():
            if instance is self._terms.true or instance is self._terms.false:
                cube[predicate] = instance is self._terms.true
            elif not self._negates and not self._solver.value(instance):
                continue
            elif (
                instance is predicate
                and predicate in support
                and (known := self._decided(region, predicate)) is not None
            ):
                cube[predicate] = known
            else:
                candidates[predicate] = self._solver.value(instance)
        open_: list[Term] = []
        while candidates:
            predicate, value = candidates.popitem()
            instance = instances[predicate]
            self._solver_counters.entailments += 1
            answer = self._solver.check([self._terms.not_(instance) if value else instance])
            if answer is Answer.UNSAT:
                cube[predicate] = value
                continue
            open_.append(predicate)
            if answer is Answer.SAT:
                refuted = [p for p, v in candidates.items() if self._solver.value(instances[p]) != v]
                for other in refuted:
                    del candidates[other]
                open_.extend(refuted)
        return {p: value for p, value in cube.items() if value or self._negates}, open_

    def _decided(self, region: Region, predicate: Term) -> bool | None:
        holds = self.regions.predicate(predicate)
        if region <= holds:
            return True
        return False if region <= ~holds else None

    def _enumerate(self, cube: Mapping[Term, bool], open_: Mapping[Term, Term]) -> Region:
        decided = self.regions.from_cube(cube)
        try:
            return decided & self.regions.from_rows(list(open_), self._solver.all_sat(list(open_.values())))
        except (SolverError, RegionsFull):
            # Too hard or too large: what is decided is the cartesian abstraction, which is weaker and sound.
            return decided
