"""Predicates about discrete variables, found without a solver.

A *discrete* variable only ever gets constants, copies of discrete variables or nondeterministic values: a protocol's
state, a flag, a mode. Programs that are steered by them make hard interpolation problems (every block is a large case
distinction) with simple solutions: which value a variable has at a block end. So one path through the blocks of an
infeasible counterexample is executed with all values tracked, as in ``refiners.values``. If the values of discrete
variables alone make it impossible, the predicates ``x = c`` for those variables and all their constants are tracked at
the block ends concerned. There are finitely many, so this cannot go on for ever; what it does not explain is left to
interpolation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

from argosy.domains.blocks import AbstractionPoint
from argosy.domains.explicit import ExplicitAnalysis
from argosy.domains.paths import PathFormula
from argosy.domains.precision import Precision
from argosy.logic.terms import Term
from argosy.logic.traverse import postorder, variables
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Reading, Relation
from argosy.protocols import Refined
from argosy.reached import Node
from argosy.refiners.invariants import node_of
from argosy.refiners.values import explain

# A variable with more constants than this is a number rather than a mode.
MOST_CONSTANTS = 64


class DiscreteValues:
    """An explanation of infeasible counterexamples of one automaton by values of its discrete variables."""

    def __init__(self, cfa: Cfa, reading: Reading) -> None:
        self._cfa = cfa
        self._explicit = ExplicitAnalysis(cfa, reading)
        self._constants = {v: c for v, c in discrete_constants(cfa).items() if len(c) <= MOST_CONSTANTS}

    def refine(
        self, target: Node, points: Sequence[AbstractionPoint], precision: Precision
    ) -> Refined[Precision] | None:
        """None where values of discrete variables do not explain it, or are tracked already."""
        pieces = [some_path(point.block) for point in points[1:] if point.block is not None]
        edges = [edge for piece in pieces for edge in piece]
        _, needed = explain(self._explicit, edges)
        if needed is None or any(v not in self._constants for some in needed for v in some):
            return None
        ends = list(accumulate(len(piece) for piece in pieces))
        additions = [
            (point, self._predicates(needed[end]))
            for point, end in zip(points[1:-1], ends, strict=False)
            if end < len(needed) and needed[end]
        ]
        larger = precision.join((point.location, predicates) for point, predicates in additions)
        if larger is precision:
            return None
        return Refined(larger, (node_of(target, additions[0][0]),))

    def _predicates(self, needed: set[Term]) -> list[Term]:
        terms = self._cfa.terms
        ordered = sorted(needed, key=lambda v: v.id)
        return [terms.eq(v, constant) for v in ordered for constant in self._constants[v]]


def some_path(block: PathFormula) -> list[Edge]:
    """The edges of one of the paths that a block stands for."""
    edges: list[Edge] = []
    while block.made_of:
        block, step = block.made_of
        if isinstance(step, Edge):
            edges.append(step)
    edges.reverse()
    return edges


def discrete_constants(cfa: Cfa) -> Mapping[Term, tuple[Term, ...]]:
    """The discrete variables, each with the constants that are assigned to it or compared with it, directly or by
    way of copies."""
    copies: dict[Term, set[Term]] = {v.term: set() for v in cfa.variables if v.term.sort.kind != "array"}
    constants: dict[Term, dict[Term, None]] = {v: {} for v in copies}
    ruled_out: set[Term] = set()
    for edge in cfa.edges:
        match edge.operation:
            case Assign(variable, value):
                if variable not in copies:
                    continue
                if value.is_const:
                    constants[variable][value] = None
                elif value in copies:
                    copies[variable].add(value)
                    copies[value].add(variable)
                else:
                    ruled_out.add(variable)
            case Assume(condition):
                _compared(condition, constants, ruled_out)
            case Relation(formula, primed):
                # A new value that the relation does not speak of is nondeterministic.
                ruled_out.update(variable for variable, new in primed if new in variables(formula))
        for check in edge.checks:
            _compared(check.condition, constants, ruled_out)
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


def _compared(condition: Term, constants: Mapping[Term, dict[Term, None]], ruled_out: set[Term]) -> None:
    """Note comparisons of a variable with a constant. A variable inside a larger term or compared with another one
    may need relations, which values do not give."""
    for sub in postorder(condition):
        if sub.op in ("and", "or", "not") or not sub.args:
            continue
        inner = [arg for arg in sub.args if arg.is_var]
        if len(inner) == 1 and all(arg.is_var or arg.is_const for arg in sub.args) and len(sub.args) == 2:
            other = next(arg for arg in sub.args if arg.is_const)
            if inner[0] in constants and sub.op in ("=", "<=", "<", "bvult", "bvslt"):
                constants[inner[0]][other] = None
                continue
        ruled_out.update(inner)
