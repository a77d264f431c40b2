"""Path formulas: the strongest postcondition of a block, over indexed variables, built edge by edge.

[ABE], section II.A: SP of an operation, with a fresh index where a variable is written. A block starts at
index 0, and a variable with index 0 is the plain program variable, so that an abstraction formula is put in front
of a block without renaming and equal blocks are equal terms wherever they occur. ``x`` written once is ``x@1``.

A path formula remembers how it was made (extended by an edge, merged from two): a model of it is turned back into
a path through the automaton by walking that record (``Paths.path``), without any help of the solver.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from argosy.basics.records import dataclass
from argosy.logic.semantics import Value
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts, substitute, variables
from argosy.logic.valuation import Functions, Valuation
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Havoc, Location, Reading, Relation

Indices = Mapping[Term, int]

_NESTED = 20  # joins within joins that are looked into for what tells two paths apart


@dataclass(frozen=True, slots=True, eq=False)
class PathFormula:
    """``formula`` over indexed variables, the index of every variable written so far, and the longest path.

    ``made_of`` is () for the empty block, (before, edge) for an extension, (one, other) for a merge; ``merged`` are
    the formulas, each with its indices, that were merged into it."""

    formula: Term
    indices: Indices
    length: int
    made_of: tuple[PathFormula, Edge] | tuple[PathFormula, PathFormula] | tuple[()] = ()
    merged: frozenset[tuple[Term, frozenset[tuple[Term, int]]]] = frozenset()

    @property
    def key(self) -> tuple[Term, frozenset[tuple[Term, int]]]:
        """Equal for path formulas that say the same in the same words."""
        return self.formula, frozenset(self.indices.items())

    @property
    def end(self) -> Location | None:
        """Where the paths lead; None for the empty block."""
        made_of = self.made_of
        while made_of and isinstance(made_of[1], PathFormula):
            made_of = made_of[1].made_of
        return made_of[1].target if made_of and isinstance(made_of[1], Edge) else None

    def includes(self, other: PathFormula) -> bool:
        """A syntactic check: the other is this one, or was merged into it."""
        return (self.formula is other.formula and self.indices == other.indices) or (
            bool(self.merged) and other.key in self.merged
        )


class Paths:
    """Builds path formulas over one table of terms, reading undefined operations as ``reading`` says."""

    def __init__(self, terms: Terms, reading: Reading) -> None:
        self._terms = terms
        self._reading = reading
        self.empty = PathFormula(terms.true, {}, 0)
        self._indexed: dict[tuple[Term, int], Term] = {}
        self._instances: dict[tuple[Term, tuple[int, ...]], Term] = {}
        self._plain: dict[Term, tuple[Term, int]] = {}
        self._effects: dict[Edge, Term] = {}
        self._order: dict[Term, tuple[Term, ...]] = {}
        self._functions = Functions()
        self._tests: dict[PathFormula, tuple[Term, bool]] = {}
        self._extended: dict[tuple[PathFormula, Edge], PathFormula] = {}
        self._merged: dict[tuple[PathFormula, PathFormula], PathFormula] = {}

    def indexed(self, variable: Term, index: int) -> Term:
        if index == 0:
            return variable
        key = (variable, index)
        instance = self._indexed.get(key)
        if instance is None:
            instance = self._indexed[key] = self._terms.var(f"{variable.name}@{index}", variable.sort)
            self._plain[instance] = key
        return instance

    def plain(self, instance: Term) -> tuple[Term, int]:
        """The program variable and the index of an indexed variable."""
        return self._plain.get(instance, (instance, 0))

    def instantiate(self, term: Term, indices: Indices) -> Term:
        """``term``, which speaks about program variables, at the given indices."""
        own = self._order.get(term)
        if own is None:
            own = self._order[term] = tuple(sorted(variables(term), key=lambda v: v.id))
        at = tuple(indices.get(v, 0) for v in own)
        if not any(at):
            return term
        key = (term, at)
        instance = self._instances.get(key)
        if instance is None:
            mapping = {v: self.indexed(v, i) for v, i in zip(own, at, strict=True) if i}
            instance = self._instances[key] = substitute(self._terms, term, mapping)
        return instance

    def abstract_indices(self, term: Term) -> Term:
        """``term`` with every indexed variable read as its program variable."""
        mapping = {v: self._plain[v][0] for v in variables(term) if v in self._plain}
        return substitute(self._terms, term, mapping) if mapping else term

    def extend(self, before: PathFormula, edge: Edge) -> PathFormula:
        """SP of the edge's operation (guarded by its checks) after ``before``. A block that is passed again, from
        another abstract state, is looked up."""
        known = self._extended.get((before, edge))
        if known is None:
            known = self._extended[before, edge] = self._extend(before, edge)
        return known

    def _extend(self, before: PathFormula, edge: Edge) -> PathFormula:
        terms, indices = self._terms, before.indices
        parts = [before.formula]
        if edge.checks:
            guard = self._effects.get(edge)
            if guard is None:
                guard = self._effects[edge] = edge.guard(terms, self._reading)
            parts.append(self.instantiate(guard, indices))
        match edge.operation:
            case Assume(condition):
                parts.append(self.instantiate(condition, indices))
            case Assign(variable, value):
                old_value = self.instantiate(value, indices)
                indices = {**indices, variable: indices.get(variable, 0) + 1}
                parts.append(terms.eq(self.indexed(variable, indices[variable]), old_value))
            case Havoc(variable):
                indices = {**indices, variable: indices.get(variable, 0) + 1}
            case Relation(formula, primed):
                new = {**indices, **{v: indices.get(v, 0) + 1 for v, _ in primed}}
                names = {p: self.indexed(v, new[v]) for v, p in primed}
                names.update({v: self.indexed(v, i) for v in variables(formula) if (i := indices.get(v, 0))})
                parts.append(substitute(terms, formula, names))
                indices = new
        return PathFormula(terms.conjunction(parts), indices, before.length + 1, (before, edge))

    def merge(self, one: PathFormula, other: PathFormula) -> PathFormula:
        """The disjunction; an index is introduced only where the branches differ, and what they have in common
        stays outside of the disjunction."""
        known = self._merged.get((one, other))
        if known is None:
            known = self._merged[one, other] = self._merge(one, other)
        return known

    def _merge(self, one: PathFormula, other: PathFormula) -> PathFormula:
        terms = self._terms
        indices = dict(one.indices)
        for variable, index in other.indices.items():
            indices[variable] = max(index, indices.get(variable, 0))
        common = set(conjuncts(one.formula)) & set(conjuncts(other.formula))
        sides = [
            terms.conjunction(
                [*(c for c in conjuncts(side.formula) if c not in common), *self._lifting(side.indices, indices)]
            )
            for side in (one, other)
        ]
        formula = terms.conjunction([*common, terms.or_(*sides)])
        merged = one.merged | other.merged | {one.key, other.key}
        return PathFormula(formula, indices, max(one.length, other.length), (one, other), merged)

    def _lifting(self, old: Indices, new: Indices) -> Iterable[Term]:
        for variable, index in new.items():
            before = old.get(variable, 0)
            if before != index:
                yield self._terms.eq(self.indexed(variable, index), self.indexed(variable, before))

    def shifted(self, term: Term, base: Indices) -> Term:
        """A block's formula when the block starts at the indices ``base`` instead of 0."""
        mapping = {}
        for instance in sorted(variables(term), key=lambda v: v.id):
            variable, index = self.plain(instance)
            start = base.get(variable, 0)
            if start:
                mapping[instance] = self.indexed(variable, start + index)
        return substitute(self._terms, term, mapping) if mapping else term

    def valuation(self, value: Callable[[Term], Value]) -> Valuation:
        """The values of all terms in a model, of which ``value`` gives those of the variables at least."""
        return Valuation(value, self._functions)

    def path(self, formula: PathFormula, base: Indices, value: Callable[[Term], Value]) -> list[Edge]:
        """The edges of the path that a model takes through a block which starts at ``base``; ``value`` gives the
        model's values, of variables at least, and of all terms where the block starts at 0."""
        holds = value if not base else self.valuation(lambda term: value(self.shifted(term, base)))
        edges: list[Edge] = []
        while formula.made_of:
            before, step = formula.made_of
            if isinstance(step, Edge):
                edges.append(step)
                formula = before
            else:
                test, first = self._test(formula, before, step)
                formula = before if bool(holds(test)) is first else step
        edges.reverse()
        return edges

    def _test(self, merged: PathFormula, one: PathFormula, other: PathFormula) -> tuple[Term, bool]:
        """A formula, and its value in the models of ``merged`` that are models of ``one``; with the other value they
        are models of ``other``. Where paths part at a branch its condition is enough."""
        known = self._tests.get(merged)
        if known is None:
            sides = [
                dict.fromkeys((*conjuncts(side.formula), *self._lifting(side.indices, merged.indices)))
                for side in (one, other)
            ]
            known = self._difference(sides)
            self._tests[merged] = known
        return known

    def _difference(self, sides: Sequence[Mapping[Term, None]]) -> tuple[Term, bool]:
        """What ``_test`` says, of two conjunctions: conjuncts of the one that contradict the other, or else whatever
        only one of them says."""
        denied = [{part.args[0] for part in side if part.op == "not"} for side in sides]
        refuting = [self._refuting(tuple(sides[1 - i]), sides[i], denied[i], {}, _NESTED) for i in (0, 1)]
        if refuting[0] is not None and (refuting[1] is None or len(refuting[0]) <= len(refuting[1])):
            return self._terms.conjunction(refuting[0]), True
        if refuting[1] is not None:
            return self._terms.conjunction(refuting[1]), False
        own, others = ([part for part in sides[i] if part not in sides[1 - i]] for i in (0, 1))
        first = len(own) <= len(others)
        return self._terms.conjunction(own if first else others), first

    def _refuting(
        self,
        parts: Sequence[Term],
        facts: Collection[Term],
        denied: Collection[Term],
        known: dict[Term, frozenset[Term] | None],
        depth: int,
    ) -> frozenset[Term] | None:
        """Some ``facts`` that contradict the conjunction of ``parts``: the negation of a part, or for a disjunction
        such facts for each case. ``denied`` is what facts are the negations of."""
        for part in parts:
            if part.op == "not" and part.args[0] in facts:
                return frozenset(part.args)
            if part in denied:
                return frozenset((self._terms.not_(part),))
        for part in parts:
            if part.op == "or" and depth:
                if part not in known:
                    known[part] = None
                    found: set[Term] = set()
                    for case in part.args:
                        refuting = self._refuting(conjuncts(case), facts, denied, known, depth - 1)
                        if refuting is None:
                            break
                        found |= refuting
                    else:
                        known[part] = frozenset(found)
                if (result := known[part]) is not None:
                    return result
        return None


def chain(base: Indices, block: Indices) -> Indices:
    """The indices after a block that starts at ``base``."""
    return {**base, **{v: base.get(v, 0) + i for v, i in block.items()}}


def blocks_from(cfa: Cfa, start: Location, ends: frozenset[Location], paths: Paths) -> dict[Location, PathFormula]:
    """The path formulas from ``start`` to each of ``ends`` that is met first, branches merged where they meet.
    ValueError where a cycle avoids them."""
    found: dict[Location, PathFormula] = {}
    inside = {start: paths.empty}
    waiting = [(cfa.order[start], start.index, start)]
    while waiting:
        position, _, location = heapq.heappop(waiting)
        before = inside.pop(location)
        for edge in cfa.leaving[location]:
            path = paths.extend(before, edge)
            if path.formula is cfa.terms.false:
                continue
            target = edge.target
            if target in ends:
                found[target] = paths.merge(found[target], path) if target in found else path
            elif cfa.order[target] <= position:
                raise ValueError(f"a cycle through {target} meets no location that is kept")
            elif target in inside:
                inside[target] = paths.merge(inside[target], path)
            else:
                inside[target] = path
                heapq.heappush(waiting, (cfa.order[target], target.index, target))
    return found
