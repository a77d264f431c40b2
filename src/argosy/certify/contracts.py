"""SAFE, certified by contracts: each function of a cycle of calls under the contracts of those that it calls.

The model as read is a ``models.contracts.Procedures``. Its automaton relative to the contracts has calls of such
functions as single steps, and begins with the program or with any of the functions inside its precondition; that it
reaches no error is certified like an invariant (``certify.invariant``), with a cut where each function begins, so that
no obligation is about two of them. Nothing about the contracts is believed: not what they mention, not that they hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.records import replace
from argosy.certify.invariant import Certified, NotCertified, certify_safe
from argosy.logic.solvers import Solvers
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.logic.widen import to_bits
from argosy.models.cfa import Location, Reading
from argosy.models.contracts import Contract, Procedures

CONTRACTS = "contracts"


def on_bits(procedures: Procedures, contracts: Mapping[str, Contract]) -> Mapping[str, Contract] | NotCertified:
    """The contracts over the variables of the model as read."""
    declared = {variable.term.name: variable for variable in procedures.cfa.variables}
    found = {}
    for name, contract in contracts.items():
        if name not in procedures.signatures:
            return NotCertified(procedures.cfa.initial, f"a contract of {name}, which has none")
        said = []
        for formula, ends in ((contract.requires, False), (contract.ensures, True)):
            allowed = frozenset(procedures.formals(name, ends))
            widened = to_bits(procedures.cfa.terms, formula, declared)
            if widened is None:
                return NotCertified(procedures.cfa.initial, f"the contract of {name} cannot be said on bits")
            if not variables(widened) <= allowed:
                other = min(v.name for v in variables(widened) - allowed)
                return NotCertified(procedures.cfa.initial, f"the contract of {name} mentions {other}")
            said.append(widened)
        found[name] = Contract(*said)
    return found


def certify_contracts(
    procedures: Procedures,
    contracts: Mapping[str, Contract],
    claims: Mapping[Location, Sequence[Term]],
    solvers: Solvers,
    reading: Reading,
    *,
    budget: Budget = UNLIMITED,
    second_opinion: bool = False,
) -> Certified | NotCertified:
    """Whether ``contracts``, and ``claims`` at loop heads, prove that the program never reaches its error."""
    widened = on_bits(procedures, contracts)
    if isinstance(widened, NotCertified):
        return widened
    answer = certify_safe(
        procedures.relative_to(widened),
        {**claims, **_beginnings(procedures, widened)},
        solvers,
        reading,
        budget=budget,
        second_opinion=second_opinion,
    )
    if not isinstance(answer, Certified) or answer.proof is None:
        return answer
    return replace(answer, kind=CONTRACTS, proof=replace(answer.proof, kind=CONTRACTS))


def _beginnings(procedures: Procedures, contracts: Mapping[str, Contract]) -> dict[Location, Sequence[Term]]:
    """Where a function begins, its precondition holds; where the program does, anything may."""
    true = procedures.cfa.terms.true
    return {
        at: (contracts[name].requires if name in contracts else true,) for at, name in procedures.beginnings().items()
    }
