"""Guarded paths: all paths to a place as a guard and the values of variables, for unrolling without abstraction.

A path formula of ``domains.paths`` names every value, which an abstraction needs and a deep unrolling does not. Here
the values are terms over the values at the start and over nondeterministic choices (Clarke, Kroening, Lerda: *A tool
for checking ANSI-C programs*, TACAS 2004), so that constants are propagated as the paths grow and most branches of a
deterministic program are decided without any solver. Where paths meet, a value is a case distinction; a guard that
gets long is given a name that implies it, and the solver is told once.

Law: a model of the guard and of all that was told is an execution along the path that ``trace`` reads from it, and
every execution along one of the paths has such a model.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import count

from argosy.basics.records import dataclass, replace
from argosy.logic.semantics import Value
from argosy.logic.sorts import BOOL, Sort
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts, substitute
from argosy.models.cfa import Assign, Assume, Edge, Havoc, Reading, Relation
from argosy.models.effects import Effect, effect_of

Store = Mapping[Term, Term]

# A guard with more conjuncts is given a name.
_LONGEST = 24


@dataclass(frozen=True, slots=True, eq=False)
class GuardedPath:
    """``store`` has the variables written so far. ``step`` is what an extension was made of. Where paths have met,
    ``ways`` has each of them with a selector: an execution came along the first whose selector is true."""

    guard: Term
    store: Store
    step: tuple[GuardedPath, Edge] | None = None
    ways: tuple[tuple[Term, GuardedPath], ...] = ()


class GuardedPaths:
    """Builds guarded paths; ``tell`` is called with what names imply."""

    def __init__(self, terms: Terms, reading: Reading, tell: Callable[[Term], None]) -> None:
        self._terms = terms
        self._reading = reading
        self._tell = tell
        self._numbers = count()
        self._conditions: dict[Edge, Term] = {}
        self._effects: dict[Edge, Effect] = {}
        self.start = GuardedPath(terms.true, {})

    def extend(self, before: GuardedPath, edge: Edge) -> GuardedPath | None:
        """The paths that go on along the edge; None where the values say that none does."""
        terms, store = self._terms, before.store
        condition = self._conditions.get(edge)
        if condition is None:
            condition = self._conditions[edge] = self._condition(edge)
        held = substitute(terms, condition, store)
        match edge.operation:
            case Assign(variable, value):
                store = {**store, variable: substitute(terms, value, store)}
            case Havoc(variable):
                store = {**store, variable: self._fresh(variable.name, variable.sort)}
            case Relation():
                effect = self._effects.get(edge)
                if effect is None:
                    effect = self._effects[edge] = effect_of(terms, edge.operation)
                memo: dict[Term, Term] = {}
                after = {v: substitute(terms, value, store, memo) for v, value in effect.definitions}
                new = {name: self._fresh(v.name, v.sort) for v, name in effect.primed if v not in after}
                said = terms.conjunction((*effect.guards, *effect.ties))
                held = terms.and_(held, substitute(terms, said, {**store, **new}))
                store = {**store, **after, **{v: new[name] for v, name in effect.primed if name in new}}
        guard = held if before.guard is terms.true else terms.and_(before.guard, held)
        return None if guard is terms.false else GuardedPath(guard, store, (before, edge))

    def _condition(self, edge: Edge) -> Term:
        guard = edge.guard(self._terms, self._reading)
        return self._terms.and_(guard, edge.operation.condition) if isinstance(edge.operation, Assume) else guard

    def assume(self, path: GuardedPath, fact: Term) -> GuardedPath | None:
        """The paths after which ``fact`` holds."""
        guard = self._terms.and_(path.guard, substitute(self._terms, fact, path.store))
        return None if guard is self._terms.false else replace(path, guard=guard)

    def named(self, path: GuardedPath) -> GuardedPath:
        """The same paths under a short guard."""
        if path.guard.op in ("const", "var"):
            return path
        return replace(path, guard=self._name(path.guard))

    def join(self, paths: Sequence[GuardedPath], live: Collection[Term]) -> GuardedPath:
        """All the paths as one; values of variables that are not ``live`` are forgotten."""
        if len(paths) == 1:
            joined = paths[0]
        else:
            # Branches that meet again cancel pairwise if the innermost come first.
            left = sorted(paths, key=lambda path: -len(conjuncts(path.guard)))
            apart: list[GuardedPath] = []
            joined = left[0]
            for path in left[1:]:
                both = self._branches(joined, path, live)
                if both is None:
                    apart.append(joined)
                joined = both or path
            if apart:
                joined = self._ways([*apart, joined], live)
        return self.named(joined) if len(conjuncts(joined.guard)) > _LONGEST else joined

    def _branches(self, one: GuardedPath, other: GuardedPath, live: Collection[Term]) -> GuardedPath | None:
        """Two paths that differ by one condition, which is true for one and false for the other."""
        terms = self._terms
        first, second = dict.fromkeys(conjuncts(one.guard)), dict.fromkeys(conjuncts(other.guard))
        mine = terms.conjunction(part for part in first if part not in second)
        if mine is not terms.not_(terms.conjunction(part for part in second if part not in first)):
            return None
        common = terms.conjunction(part for part in first if part in second)
        return GuardedPath(common, self._choice([mine], [one, other], live), ways=((mine, one), (terms.true, other)))

    def _ways(self, paths: Sequence[GuardedPath], live: Collection[Term]) -> GuardedPath:
        """A model may choose between paths of which several are possible: an execution has one of them."""
        ways = [self._name(path.guard) for path in paths]
        store = self._choice(ways[:-1], paths, live)
        return GuardedPath(self._terms.disjunction(ways), store, ways=tuple(zip(ways, paths, strict=True)))

    def _choice(self, selectors: Sequence[Term], paths: Sequence[GuardedPath], live: Collection[Term]) -> Store:
        """For each variable the value of the first path whose selector is true, or of the last path."""
        written = dict.fromkeys(variable for path in paths for variable in path.store if variable in live)
        return {v: self._chosen(selectors, [path.store.get(v, v) for path in paths]) for v in written}

    def _chosen(self, selectors: Sequence[Term], values: Sequence[Term]) -> Term:
        result = values[-1]
        for selector, value in zip(reversed(selectors), reversed(values[:-1]), strict=True):
            result = self._terms.ite(selector, value, result)
        return result

    def _name(self, guard: Term) -> Term:
        name = self._fresh("path", BOOL)
        for part in conjuncts(guard):
            self._tell(self._terms.implies(name, part))
        return name

    def _fresh(self, what: str, sort: Sort) -> Term:
        return self._terms.var(f"{what}@{next(self._numbers)}!", sort)

    def trace(self, path: GuardedPath, value: Callable[[Term], Value]) -> list[Edge]:
        """The edges of the path that a model takes; ``value`` gives the model's values of terms."""
        edges: list[Edge] = []
        while True:
            if path.step is not None:
                path, edge = path.step
                edges.append(edge)
            elif path.ways:
                path = next(way for selector, way in path.ways if selector.is_const or value(selector))
            else:
                edges.reverse()
                return edges
