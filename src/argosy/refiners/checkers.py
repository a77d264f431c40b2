"""Why is a counterexample infeasible? The trace checkers of [Theta] (sections 2.2.2, 3.2.1, 3.2.3), and three more.

A *refutation* has, for each inner node of an infeasible counterexample, the facts that must be known there for the
abstraction to see it: interpolants over program variables, or the variables themselves; nothing where the interpolant
is true or false. Law: an abstraction that knows the facts of all nodes exactly does not have the counterexample, or
(binary refutations) has it one step shorter.

The states of the nodes are part of a binary question (Figure 6): a path can be infeasible at a node because an earlier
refinement split that node's state off.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from argosy.basics.records import dataclass, field
from argosy.engine.protocols import Stuck
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import variables
from argosy.refiners.counterexample import Counterexample
from argosy.refiners.incremental import PathSolver, longest_feasible

if TYPE_CHECKING:
    from argosy.logic.interpolation import Interpolation

Facts = tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Refutation:
    """``facts[i]`` belong to ``nodes[i]`` of the counterexample; ``pivot`` is the first index that has any."""

    counterexample: Counterexample
    facts: tuple[Facts, ...]

    @property
    def pivot(self) -> int:
        return next(index for index, own in enumerate(self.facts) if own)


class TraceChecker(Protocol):
    def refute(self, counterexample: Counterexample) -> Refutation | Stuck:
        """A refutation of a counterexample whose steps contradict one another."""
        ...


def _refutation(counterexample: Counterexample, facts: Sequence[Facts]) -> Refutation | Stuck:
    """From the facts of the inner nodes."""
    if not any(facts):
        return Stuck("a counterexample is infeasible for a reason that no state on it could know")
    return Refutation(counterexample, ((), *facts, ()))


def _interpolated(counterexample: Counterexample, interpolants: Sequence[Term]) -> Refutation | Stuck:
    return _refutation(counterexample, [() if i.is_const else (counterexample.plain(i),) for i in interpolants])


def _unexplained(interpolation: Interpolation) -> Stuck:
    reasons = "; ".join(dict.fromkeys(interpolation.reasons))
    return Stuck(f"no interpolants were found for an infeasible counterexample ({reasons})")


@dataclass(frozen=True, slots=True)
class SequenceInterpolants:
    """One interpolant at each cut; with Newton's methods strongest postconditions or weakest preconditions."""

    interpolation: Interpolation

    def refute(self, counterexample: Counterexample) -> Refutation | Stuck:
        interpolants = self.interpolation.sequence(counterexample.steps)
        if interpolants is None:
            return _unexplained(self.interpolation)
        return _interpolated(counterexample, interpolants)


@dataclass(frozen=True, slots=True)
class ForwardBinary:
    """An interpolant between the longest feasible prefix and the next transition.

    A domain that keeps states whole may compute the same state again with the interpolant tracked: it does not follow
    from the state before. Where that was tried and the node is another one since, the part of its state that
    contradicts the interpolant takes the place of the state, as it would in a domain that splits states, and the prefix
    ends one node earlier."""

    terms: Terms
    solver: PathSolver
    interpolation: Interpolation
    _tried: dict[tuple[tuple[Term, ...], Facts], int] = field(default_factory=dict)

    def refute(self, counterexample: Counterexample) -> Refutation | Stuck:
        last = len(counterexample.steps)
        parts = [
            self.terms.and_(counterexample.steps[i], counterexample.state(i + 1) if i + 1 < last else self.terms.true)
            for i in range(last)
        ]
        first: Refutation | Stuck | None = None
        while parts:
            length = longest_feasible(self.solver, parts)
            interpolant = self.interpolation.binary(self.terms.conjunction(parts[:length]), parts[length])
            if interpolant is None:
                return first or _unexplained(self.interpolation)
            found = _at(counterexample, length, interpolant)
            if isinstance(found, Stuck):
                return first or found
            key, node = (counterexample.steps[:length], found.facts[length]), counterexample.nodes[length]
            if self._tried.setdefault(key, node.id) == node.id:
                return found
            first = first or found
            parts = parts[:length]
            parts[-1] = self.terms.and_(parts[-1], self.terms.not_(interpolant))
        return first or Stuck("the first operation of a counterexample is impossible")


@dataclass(frozen=True, slots=True)
class BackwardBinary:
    """An interpolant between the longest feasible suffix and the transition before it. It is a consequence of the
    suffix; what is true of the path is its negation."""

    terms: Terms
    solver: PathSolver
    interpolation: Interpolation

    def refute(self, counterexample: Counterexample) -> Refutation | Stuck:
        last = len(counterexample.steps)
        parts = [self.terms.and_(counterexample.steps[i], counterexample.state(i)) for i in reversed(range(last))]
        length = longest_feasible(self.solver, parts)
        interpolant = self.interpolation.binary(self.terms.conjunction(parts[:length]), parts[length])
        if interpolant is None:
            return _unexplained(self.interpolation)
        return _at(counterexample, last - length, self.terms.not_(interpolant))


def _at(counterexample: Counterexample, index: int, interpolant: Term) -> Refutation | Stuck:
    """A binary interpolant in its place: true before it, false after it."""
    facts: list[Facts] = [()] * (len(counterexample.nodes) - 2)
    if not interpolant.is_const:
        facts[index - 1] = (counterexample.plain(interpolant),)
    return _refutation(counterexample, facts)


@dataclass(frozen=True, slots=True)
class ByPruneIndex:
    """Several refutations of one counterexample; ``choose`` takes that with the smallest or the largest pivot."""

    checkers: tuple[TraceChecker, ...]
    choose: Callable[..., Refutation]

    def refute(self, counterexample: Counterexample) -> Refutation | Stuck:
        answers = [checker.refute(counterexample) for checker in self.checkers]
        found = [answer for answer in answers if isinstance(answer, Refutation)]
        return self.choose(found, key=lambda refutation: refutation.pivot) if found else answers[0]


@dataclass(frozen=True, slots=True)
class FirstOf:
    """The refutation of the first checker that has one."""

    checkers: tuple[TraceChecker, ...]

    def refute(self, counterexample: Counterexample) -> Refutation | Stuck:
        answer: Refutation | Stuck = Stuck("no trace checker was asked")
        for checker in self.checkers:
            answer = checker.refute(counterexample)
            if isinstance(answer, Refutation):
                break
        return answer


@dataclass(frozen=True, slots=True)
class UnsatisfiableCore:
    """The variables that the contradiction is about: those whose value is said in one part of an unsatisfiable core and
    used in a later one, at the nodes between the two."""

    interpolation: Interpolation

    def refute(self, counterexample: Counterexample) -> Refutation | Stuck:
        core = self.interpolation.unsat_core(counterexample.steps)
        if core is None:
            return _unexplained(self.interpolation)
        said: dict[Term, tuple[int, int]] = {}
        for index, part in enumerate(core):
            for instance in variables(part):
                said[instance] = (said.get(instance, (index, index))[0], index)
        paths = counterexample.paths
        at: list[set[Term]] = [set() for _ in counterexample.steps[1:]]
        for instance, (first, final) in said.items():
            for own in at[first:final]:
                own.add(paths.plain(instance)[0])
        return _refutation(counterexample, [tuple(sorted(own, key=lambda v: v.id)) for own in at])
