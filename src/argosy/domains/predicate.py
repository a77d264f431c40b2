"""Predicate abstraction of a block ([Theta], section 2.1.2; [ABE], section II.C; [Subsumer], section 4.1).

``abstract(psi, phi, predicates)`` is the strongest combination of the predicates that ``psi and phi`` implies: for
the boolean abstraction any combination, a region (a BDD); for the cartesian one a conjunction of literals; for the
conjunctive one, which is ARMC's, a conjunction of predicates, negated only where a negation is tracked.

Few questions are asked. For the cartesian abstraction, a predicate that the block does not touch and that psi already
decides costs nothing, and each model answers every predicate at once: a literal that some model violates is not
entailed, so only literals on which all models so far agree are ever asked for.

For the boolean abstraction, a model takes one path through the block. Predicates about variables that this path does
not mention keep their values whatever these are: one model stands for all of them, and what psi says about them, given
the others, is carried over by an operation on diagrams. So models are enumerated per path and per valuation of the
predicates that the path concerns. Besides, the abstraction distributes over disjunction. Going round a loop, psi mostly
grows: what was computed for parts of it is looked up, and only the abstraction of the rest is computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.records import dataclass
from argosy.domains.paths import PathFormula, Paths
from argosy.logic.bdd import Region, Regions, RegionsFull
from argosy.logic.solver import Counters, Satisfiability, Solver, SolverError
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts, connected, variables
from argosy.models.cfa import Edge, read, written

Mode = Literal["boolean", "cartesian", "conjunctive"]

# Of the time that is left, so much may be spent on the models of one abstraction, which may be thousands.
ONE_ABSTRACTION = 0.3


class TooManyImages(Exception):
    """One abstraction takes too much of the time that is left."""


_TOO_LARGE: Mapping[type[Exception], str] = {
    RegionsFull: "its diagrams are too large",
    TooManyImages: "its images are too many",
}


@dataclass(slots=True)
class AbstractionCounters:
    """``computed`` abstractions, and how many were answered from the cache instead; what the last one cost."""

    computed: int = 0
    cached: int = 0
    last_checks: int = 0
    last_length: int = 0


@dataclass(frozen=True, slots=True)
class _Concerned:
    """The predicates ``before`` and ``after`` a block that a path concerns; those to be ``forgotten`` of the state
    before it; and the ``free`` ones, of which nothing is known after it."""

    before: tuple[Term, ...]
    after: tuple[Term, ...]
    forgotten: tuple[Term, ...]
    free: tuple[Term, ...]


class PredicateAbstraction:
    """Computes abstractions with one incremental solver and remembers them. Of a ``budget`` none takes all."""

    def __init__(
        self,
        terms: Terms,
        paths: Paths,
        regions: Regions,
        solver: Solver,
        counters: Counters,
        mode: Mode,
        budget: Budget = UNLIMITED,
    ) -> None:
        self._terms = terms
        self._paths = paths
        self.regions = regions
        self._solver = solver
        self._solver_counters = counters
        self._mode = mode
        self._budget = budget
        self._negates = mode != "conjunctive"
        self.counters = AbstractionCounters()
        self._results: dict[tuple[Region, Term, tuple[Term, ...], tuple[Term, ...]], Region | None] = {}
        self._feasible: dict[tuple[Region, Term], bool] = {}
        self._parts: dict[tuple[Term, tuple[Term, ...], tuple[Term, ...]], list[tuple[Region, Region]]] = {}
        self._impassable: dict[Term, Region] = {}
        self._mentioned: dict[Edge, frozenset[Term]] = {}
        self._mentioned_by: dict[tuple[Edge, ...], frozenset[Term]] = {}
        self._concerns: dict[tuple[frozenset[Term], tuple[Term, ...], tuple[Term, ...]], _Concerned] = {}
        self._possibilities: dict[tuple[Term, ...], Region] = {}

    def feasible(self, region: Region, path: PathFormula) -> bool:
        """Is there a state in ``region`` from which the block can be passed? Unknown counts as yes."""
        key = (region, path.formula)
        known = self._feasible.get(key)
        if known is None:
            impassable = self._impassable.get(path.formula, self.regions.false)
            rest = region & ~impassable
            known = path.formula is not self._terms.false and not rest.is_false
            if known:
                self._begin(rest, path)
                known = self._solver.check() is not Satisfiability.UNSAT
                self._solver.pop()
            if not known:
                self._impassable[path.formula] = impassable | region
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

    def literals(self, path: PathFormula, predicates: Sequence[Term]) -> dict[Term, bool] | None:
        """The predicates that are decided after ``path``, with their values; None if it cannot be passed."""
        self.counters.computed += 1
        self._begin(self.regions.true, path)
        try:
            answer = self._solver.check()
            if answer is Satisfiability.SAT:
                instances = {p: self._paths.instantiate(p, path.indices) for p in predicates}
                return self._literals(self.regions.true, instances)
            return None if answer is Satisfiability.UNSAT else {}
        finally:
            self._solver.pop()

    def _compute(self, region: Region, path: PathFormula, instances: Mapping[Term, Term]) -> Region | None:
        if path.formula is self._terms.false:
            return None
        if self._mode == "boolean":
            try:
                return self._images_of_parts(region, path, instances)
            except (SolverError, RegionsFull, TooManyImages) as reason:
                # Too hard or too large: the cartesian abstraction is weaker and sound.
                self._budget.check()
                place = "" if path.end is None else f" at {path.end.position}"
                why = "the solver gives up" if isinstance(reason, SolverError) else _TOO_LARGE[type(reason)]
                self._solver_counters.note(f"boolean abstraction gave way to the cartesian one{place}: {why}")
        self._begin(region, path)
        try:
            if self._solver.check() is Satisfiability.UNSAT:
                return None
            return self.regions.from_cube(self._literals(region, instances))
        finally:
            self._solver.pop()

    def _images_of_parts(self, region: Region, path: PathFormula, instances: Mapping[Term, Term]) -> Region | None:
        parts = self._parts.setdefault((path.formula, tuple(instances), tuple(instances.values())), [])
        known = [(part, result) for part, result in parts if part <= region]
        rest = region & ~self.regions.union(part for part, _ in known)
        total = self.regions.union(result for _, result in known)
        if not rest.is_false:
            total = total | self._images(rest, path, instances)
        # What this region includes will be included in its successors: one entry does for all.
        parts[:] = [pair for pair in parts if not pair[0] <= region]
        parts.append((region, total))
        return None if total.is_false else total

    def _begin(self, region: Region, path: PathFormula) -> None:
        self._solver.push()
        self._solver.add(self.regions.to_term(region))
        for part in conjuncts(path.formula):
            self._solver.add(part)

    def _images(self, region: Region, path: PathFormula, instances: Mapping[Term, Term]) -> Region:
        """The union of the images of ``region`` under the paths of the block; SolverError when the solver says
        unknown, and when they are too many."""
        images: list[tuple[Region, tuple[Term, ...]]] = []
        patience = self._budget.share(ONE_ABSTRACTION)
        before = self.regions.support(region)
        self._begin(region, path)
        try:
            while (answer := self._solver.check()) is Satisfiability.SAT:
                image, free, literals = self._image(region, path, instances, before)
                images.append((image, free))
                self._solver.add(self._terms.disjunction(map(self._terms.not_, literals)))
                if patience.is_over:
                    raise TooManyImages
        finally:
            self._solver.pop()
        if answer is Satisfiability.UNKNOWN:
            raise SolverError(f"{self._solver.name}: unknown")
        return self.regions.union(image & self._possible(free) for image, free in images)

    def _image(
        self,
        region: Region,
        path: PathFormula,
        instances: Mapping[Term, Term],
        before: Sequence[Term],
    ) -> tuple[Region, tuple[Term, ...], list[Term]]:
        """What the path of the solver's model makes of all states that agree with the model on the predicates which
        the path concerns, the predicates of which nothing is known, and the conjuncts of the image after the block."""
        model = self._paths.valuation(self._solver.value)
        concerned = self._concerned(tuple(self._paths.path(path, {}, model)), before, tuple(instances))
        count = len(concerned.before)
        values = model.together((*concerned.before, *(instances[p] for p in concerned.after)))
        old = self.regions.from_cube(dict(zip(concerned.before, values, strict=False)))
        new = dict(zip(concerned.after, values[count:], strict=True))
        kept = self.regions.exists(region & old, concerned.forgotten)
        literals = [instances[p] if value else self._terms.not_(instances[p]) for p, value in new.items()]
        literals.append(self._paths.instantiate(self.regions.to_term(kept), path.indices))
        return kept & self.regions.from_cube(new), concerned.free, literals

    def _possible(self, predicates: tuple[Term, ...]) -> Region:
        """The valuations of the predicates that some state has: regions consist of such, so that equal sets of states
        are equal regions."""
        known = self._possibilities.get(predicates)
        if known is None:
            known = self.regions.true
            for group in connected(predicates):
                own = self._possibilities.get(group)
                if own is None:
                    own = self.regions.from_rows(group, self._solver.all_sat(group))
                    self._possibilities[group] = own
                known = known & own
            self._possibilities[predicates] = known
        return known

    def _holds(self, formula: Term) -> bool:
        return bool(self._solver.value(formula))

    def _concerned(self, edges: tuple[Edge, ...], before: Sequence[Term], after: tuple[Term, ...]) -> _Concerned:
        mentioned = self._mentioned_by.get(edges)
        if mentioned is None:
            mentioned = self._mentioned_by[edges] = frozenset().union(*map(self._mentions, edges))
        key = (mentioned, tuple(before), after)
        known = self._concerns.get(key)
        if known is None:
            known = self._concerns[key] = _concern(*key)
        return known

    def _mentions(self, edge: Edge) -> frozenset[Term]:
        known = self._mentioned.get(edge)
        if known is None:
            terms = [check.condition for check in edge.checks]
            known = read(edge.operation).union(written(edge.operation), *map(variables, terms))
            self._mentioned[edge] = known
        return known

    def _literals(self, region: Region, instances: Mapping[Term, Term]) -> dict[Term, bool]:
        """The predicates that are decided after the block, with their values. Called when the solver has a model."""
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
                candidates[predicate] = self._holds(instance)
        while candidates:
            predicate, value = candidates.popitem()
            instance = instances[predicate]
            self._solver_counters.entailments += 1
            answer = self._solver.check([self._terms.not_(instance) if value else instance])
            if answer is Satisfiability.UNSAT:
                cube[predicate] = value
            elif answer is Satisfiability.SAT:
                candidates = {p: v for p, v in candidates.items() if self._holds(instances[p]) == v}
        return {p: value for p, value in cube.items() if value or self._negates}

    def _decided(self, region: Region, predicate: Term) -> bool | None:
        holds = self.regions.predicate(predicate)
        if region <= holds:
            return True
        return False if region <= ~holds else None


def _concern(mentioned: frozenset[Term], before: tuple[Term, ...], after: tuple[Term, ...]) -> _Concerned:
    """A path concerns the predicates about variables that it mentions, or that other such predicates do. A predicate
    that is new (psi does not speak about it) may follow from what psi says of the same variables, and is concerned if
    psi says anything of them; otherwise it may be true or false, whatever the others are."""
    known = set(before)
    spoken_of = {v for p in before for v in variables(p)}
    for predicate in after:
        if predicate not in known and not spoken_of.isdisjoint(variables(predicate)):
            mentioned |= variables(predicate)
    concerned: set[Term] = set()
    grows = True
    while grows:
        grows = False
        for predicate in (*before, *after):
            own = variables(predicate)
            if predicate not in concerned and not mentioned.isdisjoint(own):
                concerned.add(predicate)
                grows = grows or not own <= mentioned
                mentioned |= own
    return _Concerned(
        tuple(p for p in before if p in concerned),
        tuple(p for p in after if p in concerned),
        tuple(p for p in before if p in concerned or p not in after),
        tuple(p for p in after if p not in concerned and p not in known),
    )
