"""Witness circuits: a proof that a circuit is safe, as a circuit whose property is inductive.

Yu, Biere, Heljanko, *Progress in Certifying Hardware Model Checking Results* (CAV 2021), in the form of the
certificates of HWMCC. The witness of an inductive invariant is the model itself with a stronger property: its bad
state is the bad state of the model or a state outside the invariant. The names of its inputs and latches say which
literals of the model they stand for.
"""

from __future__ import annotations

from argosy.logic.terms import Term
from argosy.models.circuit import Circuit
from argosy.models.gates import Gates
from argosy.models.words import Words


def witness_circuit(circuit: Circuit, bad: int, invariant: Term, latches: dict[Term, int]) -> Circuit:
    """The witness for the bad state of this index; ``latches`` are the places of the variables of ``invariant``."""
    gates = Gates()
    leaves = [gates.leaf() for _ in range(circuit.inputs + circuit.latches)]
    literals = [0, 1]
    for leaf in leaves:
        literals += (leaf, leaf ^ 1)
    sides = iter(circuit.gates)
    for left, right in zip(sides, sides, strict=True):
        made = gates.and_(literals[left], literals[right])
        literals += (made, made ^ 1)
    words = Words(gates, {term: (leaves[circuit.inputs + place],) for term, place in latches.items()})
    outside = words.literal(invariant) ^ 1
    return gates.circuit(
        leaves[: circuit.inputs],
        [
            (leaf, literals[following], reset)
            for leaf, following, reset in zip(leaves[circuit.inputs :], circuit.next, circuit.reset, strict=True)
        ],
        [gates.or_(literals[circuit.bad[bad]], outside)],
        [literals[literal] for literal in circuit.constraints],
        input_names=[f"= {circuit.input_literal(k)}" for k in range(circuit.inputs)],
        latch_names=[f"= {circuit.latch_literal(k)}" for k in range(circuit.latches)],
        bad_names=[circuit.bad_names[bad] if circuit.bad_names else None],
    )
