"""Reductions before analysis: what cannot matter to the property goes, before anyone pays for it.

In this order:

1. edges that lie on no path from the initial to the error location (``flow.between``);
2. constants are put in, and edges whose condition is false under them go (``constants``);
3. the slice for the property: irrelevant conditions, dead values, variables that do not matter (``slicing``);
4. edges that do nothing are contracted (``contraction``).

The reduced automaton has a subset of the locations of the given one; each of its edges names, as its ``trail``, the
edges as read that it stands for. It has more behaviour, never less, so SAFE carries over; an UNSAFE has to be
replayed along the trails, and may fail there where a sliced loop does not end or a sliced operation is undefined
(``slicing`` says when); reducing again with ``slice=False`` is exact.

Law (what makes a SAFE certifiable on the automaton as read): if state sets are inductive in the reduced automaton,
then ``lift`` of them is inductive in the given one, from cut to cut, under the reading that the reduction was made
for. The cuts are the initial location, the error and the loop heads of the given automaton; in between the reduced
automaton may lag behind in values that nobody reads (``residue``). ``facts`` are what the constants contributed to
that: at each location the values that were used there or are needed to establish those used further on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from argosy.basics.records import dataclass
from argosy.logic.terms import Term
from argosy.models.cfa import Cfa, Edge, Location, Reading, Refusal, written
from argosy.models.constants import Constants, Folded, operands
from argosy.models.contraction import contract_edges
from argosy.models.flow import Numbering, backward, between, standing_for
from argosy.models.return_points import passing_return_points
from argosy.models.slicing import Slice, slice_edges


@dataclass(frozen=True, slots=True, eq=False)
class Reduced:
    """The result. ``facts`` hold at every location of the given automaton as long as no execution has met the error,
    and are false where none arrives.

    ``representative`` maps each location that is still on a path to the error to the location of ``cfa`` that it was
    contracted to; ``cuts`` are the locations at which claims carry over. ``relevant`` are the variables that are left.
    With a ``refusal`` the verdict depends on something that was not modelled and ``cfa`` must not be analysed.
    ``summary`` counts what happened.
    """

    cfa: Cfa
    facts: Mapping[Location, Term]
    relevant: frozenset[Term]
    refusal: Refusal | None
    summary: dict[str, int]
    representative: Mapping[Location, Location]
    cuts: tuple[Location, ...]

    def lift(self, claims: Mapping[Location, Sequence[Term]]) -> dict[Location, tuple[Term, ...]]:
        """Claims (at each location, state sets that together hold there) as claims at the cuts of the given automaton.
        A cut whose representative has no claim has none; one that cannot reach the error claims its facts."""
        terms = self.cfa.terms
        lifted: dict[Location, tuple[Term, ...]] = {}
        for location in self.cuts:
            fact = self.facts[location]
            at = self.representative.get(location)
            if fact is terms.false:
                lifted[location] = ()
            elif at is None:
                lifted[location] = (fact,)
            elif at in claims:
                sets = (terms.and_(claim, fact) for claim in claims[at])
                lifted[location] = tuple(states for states in sets if states is not terms.false)
        return lifted


def reduce(
    cfa: Cfa, *, slice: bool = True, fold: bool = True, contract: bool = True, reading: Reading = Reading.WRAP
) -> Reduced:
    """Reduce ``cfa`` for its error location. A reduction for wrap-around holds under both readings; one for undefined
    overflow also drops edges that always overflow."""
    numbering = Numbering(variable.term for variable in cfa.variables)
    rank = cfa.order
    region = between(cfa.initial, cfa.error, cfa.edges)
    constants = None
    if fold:
        constants = Constants(
            cfa.terms,
            cfa.initial,
            cfa.error,
            region,
            reading=reading,
            rank=rank,
            numbering=numbering,
            # That a return point is a constant says little: one call of a body is left. That it is none after all would
            # be told to whatever the body calls, once for each of many bodies.
            opaque={*cfa.opaque, *passing_return_points(cfa)},
        )
    folding = _Folding(region, constants, numbering)
    left = between(cfa.initial, cfa.error, [folding.edges[edge] for edge in region if edge in folding.edges])
    sliced = slice_edges(
        cfa.terms, cfa.initial, cfa.error, left, cuts=cfa.loop_heads, rank=rank, numbering=numbering, exact=not slice
    )
    facts = folding.facts(cfa, sliced)
    edges = [sliced.edges[edge].edge for edge in left]
    ends = (cfa.initial, cfa.error)
    representative: Mapping[Location, Location]
    if contract:
        edges, representative = contract_edges(cfa.terms, ends, edges, cuts=cfa.loop_heads)
    else:
        met = (end for edge in edges for end in (edge.source, edge.target))
        representative = {location: location for location in (*ends, *met)}
    stay = set(representative.values())
    reduced = Cfa(
        cfa.terms,
        cfa.initial,
        cfa.error,
        tuple(location for location in cfa.locations if location in stay),
        tuple(edge if edge.trail else standing_for(edge, edge.operation, edge.checks) for edge in edges),
        tuple(variable for variable in cfa.variables if variable.term in sliced.variables),
        {variable: refusal for variable, refusal in cfa.opaque.items() if variable in sliced.variables},
        cfa.name,
    )
    summary = {
        "locations_before": len(cfa.locations),
        "locations_after": len(reduced.locations),
        "edges_before": len(cfa.edges),
        "edges_after": len(reduced.edges),
        "variables_before": len(cfa.variables),
        "variables_after": len(reduced.variables),
        "operations_folded": folding.changed,
        "edges_infeasible": len(folding.infeasible),
        "conditions_irrelevant": sliced.conditions_dropped,
        "values_dead": sliced.values_dropped,
    }
    cuts = tuple(location for location in cfa.locations if location in ends or location in cfa.loop_heads)
    return Reduced(reduced, facts, sliced.variables, _first_refusal(reduced), summary, representative, cuts)


def _first_refusal(cfa: Cfa) -> Refusal | None:
    firm = (refusal for refusal in cfa.opaque.values() if not refusal.arbitrary)
    refusals = sorted(firm, key=lambda r: (r.position.file, r.position.line, r.position.column, r.what))
    return refusals[0] if refusals else None


class _Folding:
    """The edges of ``region`` with constants put in, and what has to be known for that."""

    def __init__(self, region: Sequence[Edge], constants: Constants | None, numbering: Numbering) -> None:
        self._region = region
        self._constants = constants
        self._numbering = numbering
        self.edges: dict[Edge, Edge] = {}
        self.infeasible: dict[Edge, Term] = {}
        self.changed = 0
        self._known: dict[Edge, int] = {}
        if constants is None:
            self.edges = {edge: edge for edge in region}
            self._known = dict.fromkeys(region, 0)
            return
        for edge, environment, outcome in constants.walk():
            self._known[edge] = environment.bits
            if not isinstance(outcome, Folded):
                self.infeasible[edge] = outcome.condition
            elif outcome.operation is edge.operation and outcome.checks == edge.checks:
                self.edges[edge] = edge
            else:
                self.changed += 1
                self.edges[edge] = standing_for(edge, outcome.operation, outcome.checks)

    def facts(self, cfa: Cfa, sliced: Slice) -> dict[Location, Term]:
        """What is known at each location, as far as an edge that was dropped or changed relies on it."""
        facts = {location: cfa.terms.true if location in cfa.order else cfa.terms.false for location in cfa.locations}
        if self._constants is None:
            return facts
        for edge in self._region:
            facts[edge.source] = facts[edge.target] = cfa.terms.false
        facts.update(self._constants.facts(backward(self._region, cfa.order, self._needs(sliced))))
        return facts

    def _needs(self, sliced: Slice) -> Callable[[Edge, int], int]:
        """Which values must be known before an edge, given which must be known after it."""
        numbering = self._numbering

        def transfer(edge: Edge, after: int) -> int:
            known = self._known.get(edge)
            if not known:
                return 0
            condition = self.infeasible.get(edge)
            if condition is not None:
                return numbering.read(condition) & known
            changed = numbering.bits(written(edge.operation))
            before = after & ~changed
            used = 0
            if after & changed or before & ~known:
                # A value known after the edge and not before it was computed, or learned from a condition.
                used = operands(numbering, edge.operation)
            left = sliced.edges.get(self.edges[edge])
            if left is not None and left.reads:
                used |= operands(numbering, edge.operation)
                for check in edge.checks:
                    used |= numbering.read(check.condition)
            return (before | used) & known

        return transfer
