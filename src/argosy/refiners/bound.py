"""Bounded model checking and k-induction as refinement of a bound ([ABE], section IV.C; Sheeran, Singh and
Stålmarck, FMCAD 2000, for the induction).

Among the targets of ``domains.unrolling`` are error states and states beyond the bound. An error state that is feasible
is a counterexample; where none is, and no state beyond the bound is feasible, the unwinding is complete; otherwise the
bound grows. It grows by half, so that a solver is asked a number of times that is logarithmic in the depth.

With induction, a bound k at which no error is k loop heads away from *any* state at a loop head proves the program: an
error path with more than k loop heads would end in such a piece, and the shorter ones have been excluded. The precision
then says so, and the states beyond the bound are no targets any more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from argosy.domains.unrolling import Bound, Unrolling
from argosy.engine import engine
from argosy.engine.frontier import BestFirst, reopen
from argosy.engine.protocols import Feasible, Frontier, Observer, Refined, Stuck
from argosy.engine.reached import Node, Reached
from argosy.logic.solver import Satisfiability
from argosy.logic.solvers import Limit, Solvers, SortKind
from argosy.logic.terms import Term
from argosy.models.cfa import Cfa, Location, Reading


def unrolling_order(cfa: Cfa) -> Frontier:
    """Few loop heads first, and among equals in weak topological order: branches meet before a join is expanded."""
    return BestFirst(lambda node: (node.state.passed, cfa.order.get(node.state.location, 0)))


# Looking for invariants takes a second or two, in which many errors are found and many unwindings completed: it waits
# for so many loop heads or so many states, as long as no question takes longer than a moment.
LATER = 9
MANY = 4_000
MOMENT = 0.5


class Induction:
    """The inductive step: one unrolling from each loop head, which goes deeper from question to question. Where the
    step fails, ``discover`` is asked once for ``invariants`` at loop heads, which are assumed from then on; not before
    some is known of executions from the start. ``limit`` is how many seconds a question may take."""

    def __init__(
        self,
        cfa: Cfa,
        solvers: Solvers,
        reading: Reading,
        arithmetic: SortKind,
        observer: Observer,
        discover: Callable[[], Mapping[Location, Term]] | None = None,
        limit: Limit = None,
    ) -> None:
        self._model = cfa, solvers, reading, arithmetic, observer, limit
        self._hurries = self._new = False
        self._discover = discover
        self._begin({})

    @property
    def waits(self) -> bool:
        """Invariants have not been looked for, and there is no hurry."""
        return self._discover is not None and not self._hurries

    def hurry(self) -> None:
        """Look for invariants as soon as a step fails."""
        self._hurries = True

    def _begin(self, invariants: Mapping[Location, Term]) -> None:
        heads = sorted(self._model[0].loop_heads, key=lambda head: head.index)
        self.invariants = invariants
        self._steps = [_HeadStep(head, invariants, *self._model) for head in heads]

    def depth(self, most: int) -> int | None:
        """Some k up to ``most`` such that no error is exactly k loop heads away from any state at any loop head."""
        if self._holds(most):
            return most
        if self._discover is not None and (self._hurries or most >= LATER):
            self.discover()
        if self._new:
            self._new = False
            # Invariants mostly exclude the error at once, which is the easiest to see.
            return next((k for k in {0: None, most: None} if self._holds(k)), None)
        return None

    def discover(self) -> None:
        """Look for invariants now."""
        assert self._discover is not None
        invariants = self._discover()
        self._discover = None
        if invariants:
            self._begin(invariants)
            self._new = True

    def _holds(self, k: int) -> bool:
        for step in self._steps:
            answer = step.answer(k)
            if answer is not Satisfiability.UNSAT:
                if answer is Satisfiability.UNKNOWN:
                    self.hurry()
                # It is the first to be asked next time: most likely it fails again.
                self._steps.remove(step)
                self._steps.insert(0, step)
                return False
        return True


class _HeadStep:
    """The step from one loop head."""

    def __init__(
        self,
        head: Location,
        invariants: Mapping[Location, Term],
        cfa: Cfa,
        solvers: Solvers,
        reading: Reading,
        arithmetic: SortKind,
        observer: Observer,
        limit: Limit,
    ) -> None:
        solver = solvers.create("abstraction", arithmetic, time_limit=limit)
        self._analysis = Unrolling(cfa, cfa.terms, solver, reading, head, invariants)
        self._reached = Reached(self._analysis.partition)
        self._frontier = unrolling_order(cfa)
        self._observer = observer

    def answer(self, k: int) -> Satisfiability:
        """UNSAT where the step holds. ``k`` never gets smaller from call to call."""
        bound = Bound(k, quiet=k - 1)
        targets = engine.explore(self._analysis, self._reached, self._frontier, bound, 0, self._observer)
        errors = [node.state for node in targets if not node.state.cut]
        reopen(self._frontier, self._reached.prune(targets))
        return self._analysis.feasible(errors) if errors else Satisfiability.UNSAT


class BoundRefiner:
    """Raises the bound; asks ``induction``, where there is one, whether that is needed."""

    def __init__(self, analysis: Unrolling, induction: Induction | None = None) -> None:
        self._analysis = analysis
        self._induction = induction

    def refine(self, reached: Reached, targets: Sequence[Node], precision: Bound) -> Feasible | Refined[Bound] | Stuck:
        counterexample = self._counterexample([node for node in targets if not node.state.cut])
        if counterexample is not None:
            return counterexample
        bound = precision
        if self._goes_on([node for node in targets if node.state.cut]):
            if self._induction is not None and reached.created >= MANY:
                self._induction.hurry()
            depth = None if self._induction is None else self._induction.depth(precision.heads)
            if self._induction is not None and depth is not None:
                bound = Bound(depth, proven=True, invariants=self._induction.invariants)
            else:
                found = {} if self._induction is None else self._induction.invariants
                bound = Bound(precision.heads + max(1, precision.heads // 2), invariants=found)
        return Refined(bound, tuple(targets))

    def _counterexample(self, errors: Sequence[Node]) -> Feasible | Stuck | None:
        """One of the shortest that the solver's model has."""
        if not errors:
            return None
        answer = self._analysis.feasible([node.state for node in errors])
        if answer is Satisfiability.UNKNOWN and self._induction is not None and self._induction.waits:
            self._induction.discover()
            answer = self._analysis.feasible([node.state for node in errors])
        match answer:
            case Satisfiability.UNKNOWN:
                return Stuck("the solver does not know whether a counterexample is feasible")
            case Satisfiability.UNSAT:
                self._analysis.exclude(node.state for node in errors)
                return None
        for node in sorted(errors, key=lambda node: (node.state.passed, node.id)):
            path = self._analysis.taken(node.state)
            if path is not None:
                return Feasible(self._analysis.trace(path))
        return Stuck("the solver's model is no counterexample")

    def _goes_on(self, beyond: Sequence[Node]) -> bool:
        """Is a state beyond the bound feasible? Those that are not are excluded."""
        unsettled = [node.state for node in beyond if not self._analysis.certain(node.state)]
        some = len(unsettled) < len(beyond)
        while unsettled:
            match self._analysis.feasible(unsettled):
                case Satisfiability.UNKNOWN:
                    return True
                case Satisfiability.UNSAT:
                    self._analysis.exclude(unsettled)
                    return some
            some = True
            before = len(unsettled)
            unsettled = [state for state in unsettled if self._analysis.taken(state) is None]
            if len(unsettled) == before:
                return True
        return some
