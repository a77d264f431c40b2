"""Pre-processed large-block encoding: an automaton whose edges are whole blocks ([ABE], sections I and IV.A, after
Beyer, Cimatti, Griggio, Keremoglu, Sebastiani: *Software model checking via large-block encoding*, FMCAD 2009).

Only the locations at which a large block ends are left; an edge stands for *all* paths between two of them that meet
no third, as one relation between old and new values. Where a path writes a variable more than once, the values in
between are auxiliary variables of the relation: it gives them new values like any other, and nobody reads them.

Law: an edge relates two states exactly if some path it stands for leads from the one to the other, undefined operations
read as asked. A location that is left is the same object as before, so that claims need no translation.
"""

from __future__ import annotations

from argosy.basics.records import dataclass, replace
from argosy.domains.paths import PathFormula, Paths, blocks_from
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import substitute, variables
from argosy.models.cfa import Assume, Cfa, Edge, Location, Operation, Reading, Relation, Variable


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """The summarised automaton, and its path formulas, which know the paths that its edges stand for."""

    cfa: Cfa
    paths: SummaryPaths


class SummaryPaths(Paths):
    """Path formulas of a summarised automaton. The block that an edge was made from is used as it is: it is the same
    term as on-the-fly encoding builds, and a model of it is told as a path of the automaton that was summarised."""

    def __init__(self, terms: Terms, reading: Reading) -> None:
        super().__init__(terms, reading)
        self.blocks: dict[Edge, PathFormula] = {}

    def extend(self, before: PathFormula, edge: Edge) -> PathFormula:
        block = self.blocks.get(edge)
        if block is None:
            return super().extend(before, edge)
        if before is not self.empty:
            raise ValueError("an edge of a summarised automaton is a whole block")
        return block


def summarise(cfa: Cfa, keep: frozenset[Location], reading: Reading) -> Summary:
    """The automaton between the locations ``keep``, the initial and the error location. ValueError where a cycle avoids
    them."""
    ends = keep | {cfa.initial, cfa.error}
    paths = SummaryPaths(cfa.terms, reading)
    names = _RelationNames(cfa, paths)
    for start in cfa.order:
        if start not in ends or start is cfa.error:
            continue
        for end, path in blocks_from(cfa, start, ends, paths).items():
            text = f"block of up to {path.length} operations"
            paths.blocks[Edge(start, end, names.operation(path), start.position, text)] = path
    summarised = replace(
        cfa,
        locations=tuple(location for location in cfa.locations if location in ends),
        edges=tuple(paths.blocks),
        variables=(*cfa.variables, *names.auxiliary.values()),
    )
    return Summary(summarised, paths)


class _RelationNames:
    """How the indexed variables of a path formula are called in a relation: ``x`` at its last index is the new value
    ``x'``, at an index in between the new value ``x!i'`` of an auxiliary variable ``x!i``."""

    def __init__(self, cfa: Cfa, paths: Paths) -> None:
        self._terms: Terms = cfa.terms
        self._variables = cfa.variable_of
        self._paths = paths
        self.auxiliary: dict[Term, Variable] = {}

    def operation(self, path: PathFormula) -> Operation:
        primed = {v: self._new(v) for v, i in sorted(path.indices.items(), key=lambda item: item[0].id) if i}
        names: dict[Term, Term] = {}
        for instance in sorted(variables(path.formula), key=lambda v: v.id):
            variable, index = self._paths.plain(instance)
            if not index:
                continue
            if index < path.indices[variable]:
                variable = self._between(variable, index)
                primed[variable] = self._new(variable)
            names[instance] = primed[variable]
        formula = substitute(self._terms, path.formula, names)
        return Relation(formula, tuple(primed.items())) if primed else Assume(formula)

    def _new(self, variable: Term) -> Term:
        return self._terms.var(f"{variable.name}'", variable.sort)

    def _between(self, variable: Term, index: int) -> Term:
        auxiliary = self._terms.var(f"{variable.name}!{index}", variable.sort)
        if auxiliary not in self.auxiliary:
            name = f"{self._variables[variable].name}!{index}"
            self.auxiliary[auxiliary] = replace(self._variables[variable], term=auxiliary, name=name)
        return auxiliary
