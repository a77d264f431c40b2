"""Predicates about discrete variables, found without interpolation.

A *discrete* variable only ever gets constants, copies of discrete variables or nondeterministic values: a protocol's
state, a flag, a mode. Programs that are steered by them make hard interpolation problems (every block is a large case
distinction) with simple solutions: which value a variable has at a block end. So one path through the blocks of a
counterexample, one that the abstraction allows (``refiners.deception``), is executed with all values tracked, as in
``refiners.values``. If the values of discrete variables alone make it impossible, the predicates ``x = c`` for their
values there are tracked at the block ends concerned, and for all their constants where a few were not enough. There
are finitely many, so this cannot go on for ever; what it does not explain is left to interpolation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

from argosy.domains.blocks import AbstractionPoint
from argosy.domains.explicit import ExplicitAnalysis
from argosy.domains.filing import Values
from argosy.domains.precision import Precision
from argosy.engine.protocols import Refined
from argosy.engine.reached import Node
from argosy.logic.terms import Term
from argosy.logic.traverse import postorder
from argosy.models.cfa import Cfa, Reading
from argosy.models.effects import effect_of
from argosy.refiners.deception import Deception
from argosy.refiners.invariants import node_of
from argosy.refiners.values import explain

# A variable with more constants than this is a number rather than a mode.
MOST_CONSTANTS = 64


# A counterexample has many paths: so many of them are explained at once, as long as each adds something.
AT_ONCE = 8

# With so many values of a variable tracked, the others are wanted as well.
ENOUGH = 3


class DiscreteValues:
    """An explanation of infeasible counterexamples of one automaton by values of its discrete variables."""

    def __init__(self, cfa: Cfa, reading: Reading, deception: Deception) -> None:
        self._cfa = cfa
        self._deception = deception
        self._explicit = ExplicitAnalysis(cfa, reading)
        self._constants = {v: c for v, c in discrete_constants(cfa).items() if len(c) <= MOST_CONSTANTS}

    def refine(
        self, target: Node, points: Sequence[AbstractionPoint], precision: Precision
    ) -> Refined[Precision] | None:
        """None where values of discrete variables do not explain it, or are tracked already."""
        larger, first = precision, len(points)
        for attempt in range(AT_ONCE):
            found = self._explain(points, larger, strict=attempt > 0)
            if found is None or found[0] is larger:
                break
            larger, first = found[0], min(first, found[1])
        return None if larger is precision else Refined(larger, (node_of(target, points[first]),))

    def _explain(
        self, points: Sequence[AbstractionPoint], precision: Precision, strict: bool
    ) -> tuple[Precision, int] | None:
        """A precision that excludes one path, and the first point concerned."""
        pieces = self._deception.path(points, precision, strict)
        if pieces is None:
            return None
        edges = [edge for piece in pieces for edge in piece]
        history, needed = explain(self._explicit, edges)
        if needed is None or any(v not in self._constants for some in needed for v in some):
            return None
        ends = list(accumulate(len(piece) for piece in pieces))
        concerned = [i for i, end in enumerate(ends[:-1]) if end < len(needed) and needed[end]]
        if not concerned:
            return None
        larger = precision.join(
            (point.location, self._predicates(needed[end], history[end], precision.at(point.location)))
            for point, end in ((points[i + 1], ends[i]) for i in concerned)
        )
        return larger, concerned[0] + 1

    def _predicates(self, needed: set[Term], values: Values, tracked: Sequence[Term]) -> list[Term]:
        terms = self._cfa.terms
        known = set(tracked)
        found = []
        for variable in sorted(needed, key=lambda v: v.id):
            all_values = [terms.eq(variable, constant) for constant in self._constants[variable]]
            value = values[self._explicit.slots[variable]]
            own = terms.eq(variable, terms.const(value, variable.sort)) if isinstance(value, int) else None
            if own is None or own in known or len(known.intersection(all_values)) >= ENOUGH:
                found += all_values
            else:
                found.append(own)
        return found


def discrete_constants(cfa: Cfa) -> Mapping[Term, tuple[Term, ...]]:
    """The discrete variables, each with the constants that are assigned to it or compared with it, directly or by
    way of copies."""
    copies: dict[Term, set[Term]] = {v.term: set() for v in cfa.variables if v.term.sort.kind != "array"}
    constants: dict[Term, dict[Term, None]] = {v: {} for v in copies}
    ruled_out: set[Term] = set()
    for edge in cfa.edges:
        effect = effect_of(cfa.terms, edge.operation)
        for variable, value in effect.definitions:
            if variable not in copies:
                continue
            if value.is_const:
                constants[variable][value] = None
            elif value in copies:
                copies[variable].add(value)
                copies[value].add(variable)
            else:
                ruled_out.add(variable)
        for condition in effect.guards:
            _compared(condition, constants, copies, ruled_out)
        ruled_out.update(effect.tied)
        for check in edge.checks:
            _compared(check.condition, constants, copies, ruled_out)
    groups: dict[Term, tuple[Term, ...]] = {}
    seen: set[Term] = set()
    for start in copies:
        if start in seen:
            continue
        group = [start]
        seen.add(start)
        for variable in group:
            fresh = [v for v in sorted(copies[variable], key=lambda v: v.id) if v not in seen]
            seen.update(fresh)
            group.extend(fresh)
        if ruled_out.isdisjoint(group):
            shared = tuple(sorted({c for v in group for c in constants[v]}, key=lambda c: c.id))
            groups.update(dict.fromkeys(group, shared))
    return groups


def _compared(
    condition: Term,
    constants: Mapping[Term, dict[Term, None]],
    copies: Mapping[Term, set[Term]],
    ruled_out: set[Term],
) -> None:
    """Note comparisons of a variable with a constant, and of two variables for equality, which then share their
    constants. A variable inside a larger term or in another order may need relations, which values do not give."""
    accepted: set[Term] = set()
    for sub in reversed(list(postorder(condition))):
        if sub.op in ("and", "or", "not") or not sub.args or sub in accepted:
            accepted.update(sub.args if sub in accepted else ())
            continue
        inner = [arg for arg in sub.args if arg in constants]
        if len(sub.args) == 2 and sub.op in ("=", "<=", "<", "bvult", "bvslt"):
            one, other = sub.args
            if len(inner) == 2 and sub.op == "=":
                copies[one].add(other)
                copies[other].add(one)
                continue
            if len(inner) == 1 and (one.is_const or other.is_const):
                constants[inner[0]][other if one is inner[0] else one] = None
                continue
            # On integers, an equality of two variables is x - y = 0.
            if sub.op == "=" and other.is_const and _difference(one, constants) is not None:
                pair = _difference(one, constants)
                assert pair is not None
                copies[pair[0]].add(pair[1])
                copies[pair[1]].add(pair[0])
                accepted.add(one)
                continue
        ruled_out.update(inner)


def _difference(term: Term, known: Mapping[Term, object]) -> tuple[Term, Term] | None:
    """x and y of the normal form ``x + -1 * y``."""
    if term.op == "+" and len(term.args) == 2:
        x, rest = term.args
        if (
            x in known
            and rest.op == "*"
            and rest.args[0].is_const
            and rest.args[0].value == -1
            and rest.args[1] in known
        ):
            return x, rest.args[1]
    return None
