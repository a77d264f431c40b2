"""What an analysis of a reduced model says, as evidence about the model as it was read; ``certify`` is asked about it.

Law: nothing here believes the analysis. Claims are lifted from the reduced model to the one that was read, and written
on bits; whether they hold is asked there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from argosy.backends.contract import Assumption
from argosy.basics.budget import Budget
from argosy.basics.records import dataclass
from argosy.certify.assumptions import by_kind, name_of, wording
from argosy.certify.invariant import Certified, NotCertified, certify_safe
from argosy.certify.loops import excluded
from argosy.certify.proof import Proof
from argosy.domains.unrolling import Bound
from argosy.engine.protocols import Claiming, Located, OfAutomaton, Uniting
from argosy.engine.reached import Reached
from argosy.logic.solvers import Solvers
from argosy.logic.terms import Term
from argosy.logic.widen import to_bits
from argosy.models.cfa import Cfa, Edge, Location, Reading, Variable, written
from argosy.models.counting import counting_locations
from argosy.models.reduce import Reduced

if TYPE_CHECKING:
    from argosy.models.cells import Cells


@dataclass(frozen=True, slots=True)
class Ground:
    """What evidence stands on: the model as it was read, and the reduced one that was analysed. ``declared`` are the
    variables of the first, by their names."""

    as_read: Cfa
    reduced: Reduced
    solvers: Solvers
    reading: Reading
    budget: Budget
    declared: Mapping[str, Variable]

    def invariant(self, claims: Mapping[Location, Sequence[Term]], bound: Sequence[Term]) -> Certified | NotCertified:
        """Whether claims are inductive, for all values of the ``bound`` variables."""
        return certify_safe(
            self.as_read,
            claims,
            self.solvers,
            self.reading,
            lemmas=self.reduced.facts,
            budget=self.budget,
            second_opinion=True,
            bound=bound,
        )

    def unwound(self, bound: Bound, analysis: Any) -> Certified | NotCertified:
        """Unwind the loops that the analysed model has, on the model as read; what other loops do is left open."""
        from argosy.certify.unwinding import certify_k_induction, certify_unwinding

        kept = {edge for step in analysis.cfa.edges for edge in step.as_read}
        means: dict[str, Any] = {
            "loops": counting_locations(self.as_read, kept, self._impossible(analysis.cfa, kept)),
            "lemmas": self.reduced.facts,
            "budget": self.budget,
            "second_opinion": True,
        }
        model = self.as_read, bound.heads, self.solvers, self.reading
        if not bound.proven:
            return certify_unwinding(*model, **means)
        found = {at: to_bits(self.as_read.terms, fact, self.declared) for at, fact in bound.invariants.items()}
        lifted = {at: found.get(by) for at, by in self.reduced.representative.items()}
        invariants = {at: fact for at, fact in lifted.items() if fact is not None}
        return certify_k_induction(*model, invariants=invariants, **means)

    def _impossible(self, analysed: Cfa, kept: Collection[Edge]) -> set[Edge]:
        """Edges that were left out because no execution takes them: by the facts, or because they write what matters,
        which no loop does that was left out because it does not matter."""
        facts, false = self.reduced.facts, self.as_read.terms.false
        found = {edge for edge in self.as_read.edges if facts.get(edge.target) is false}
        found.update(excluded(self.as_read, facts))
        known = analysed.variable_of.keys()
        left_out = (edge for edge in self.as_read.edges if edge not in kept)
        return found | {edge for edge in left_out if not known.isdisjoint(written(edge.operation))}

    def claims(self, analysis: Claiming[Any], reached: Reached, cells: Cells | None) -> dict[Location, Sequence[Term]]:
        """What the graph claims at the loop heads of the model as read, on bits, the facts that reducing used
        included; nothing where it has no node."""
        # A strategy may have left out locations: there it says nothing, instead of that nothing gets there.
        explored: Cfa = analysis.cfa if isinstance(analysis, OfAutomaton) else self.reduced.cfa
        found: dict[Location, dict[Term, None]] = {location: {} for location in explored.locations}
        silent: set[Location] = set()
        wanted = {self.reduced.representative.get(head) for head in self.as_read.loop_heads}
        # Fewer, larger claims are quicker to check, where the domain has unions.
        # States of one analysis are of one kind: that is asked once.
        located = all(isinstance(state, Located) for state in islice(reached.all_states(), 1))
        asked = reached.states(wanted - {None} if located else None)
        declared = self.declared
        if cells is not None:
            declared = {**declared, **{v.term.name: v for v in cells.cfa.variables}}
        for state in analysis.unite(asked) if isinstance(analysis, Uniting) else asked:
            location, formula = analysis.claim(state)
            if formula is None:
                silent.add(location)
            else:
                widened = to_bits(self.as_read.terms, formula, declared) or self.as_read.terms.true
                found[location][widened if cells is None else cells.claim(widened)] = None
        claims = {location: tuple(formulas) for location, formulas in found.items() if location not in silent}
        lifted = self.reduced.lift(claims)
        return {location: lifted[location] for location in self.as_read.loop_heads if location in lifted}


def script_of(certified: Certified) -> Callable[[], str] | None:
    """The proof as a text, for those who ask for it."""
    return None if certified.proof is None else partial(_script, certified.proof)


def _script(proof: Proof) -> str:
    from argosy.certify.certificate import certificate_text

    return certificate_text(proof)


def confirmed(answer: Certified | NotCertified, solver: str | None, budget: Budget) -> Certified | NotCertified:
    """What a solver of the user's choice says of a proof, where there are both."""
    if solver is None or isinstance(answer, NotCertified):
        return answer
    from argosy.certify import certificate

    return certificate.confirmed(answer, solver, budget)


def checked(bound: Bound) -> int:
    """Up to which bound there is no error, when the analysis was stopped at this one (``refiners.bound`` raises it)."""
    return max((h for h in range(bound.heads) if h + max(1, h // 2) <= bound.heads), default=0)


def assumptions(certified: Certified | None) -> tuple[Assumption, ...]:
    """What a proof left out, by kind."""
    if certified is None or not certified.assumes:
        return ()
    return tuple(
        Assumption(name_of(kind), positions, wording(kind).words, wording(kind).property)
        for kind, positions in by_kind(certified.assumes).items()
    )
