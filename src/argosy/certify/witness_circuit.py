"""The six questions about a witness circuit (``models.witness_circuit``), each put to a solver.

For a model with reset R, constraints C, transitions F and property P (no bad state) and a witness with R', C', F', P',
which share inputs and latches: where all six formulas are valid, the model is safe.

    reset        R => R'                        constraint   C => C'
    transition   F and C and C after => F'      property     C and C' and P' => P
    base         R' and C' => P'                step         P' and F' and C' and C' after => P' after

Law: no name of a signal, no analysis takes part; the shared signals are those that the witness names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from argosy.basics.budget import UNLIMITED, Budget
from argosy.logic.solver import Counters, Satisfiability
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import BOOL
from argosy.logic.terms import Term, Terms
from argosy.models.bits import literal_terms
from argosy.models.circuit import ARBITRARY, Circuit

CHECKS = ("reset", "constraint", "transition", "property", "base", "step")

_SIMULATED = re.compile(r"=\s*(\d+)")


def failing_check(model: Circuit, bad: int, witness: Circuit, budget: Budget = UNLIMITED) -> str | None:
    """The first of ``CHECKS`` that the witness does not pass; None where it proves the model safe."""
    terms = Terms()
    solvers = Solvers(terms, Counters())
    for name, premises, conclusion in _questions(terms, model, bad, witness):
        solver = solvers.create("certify", "bits", time_limit=budget.seconds)
        for premise in premises:
            solver.add(premise)
        solver.add(terms.not_(conclusion))
        if solver.check() is not Satisfiability.UNSAT:
            return name
    return None


class _Copy:
    """A circuit at one time, over given values of its inputs and latches."""

    def __init__(
        self, terms: Terms, circuit: Circuit, inputs: Sequence[Term], latches: Sequence[Term], bad: int
    ) -> None:
        literals = literal_terms(terms, circuit, inputs, latches)
        self.constraint = terms.conjunction(literals[literal] for literal in circuit.constraints)
        self.property = terms.not_(literals[circuit.bad[bad]])
        self.following = [literals[literal] for literal in circuit.next]
        given = zip(latches, circuit.reset, strict=True)
        self.resets = [
            terms.true if reset == ARBITRARY else terms.eq(latch, terms.boolean(bool(reset))) for latch, reset in given
        ]


def _questions(terms: Terms, model: Circuit, bad: int, witness: Circuit) -> list[tuple[str, Sequence[Term], Term]]:
    def named(what: str, count: int) -> list[Term]:
        return [terms.var(f"{what}{k}", BOOL) for k in range(count)]

    model_latches, later_latches = named("latch", model.latches), named("later latch", model.latches)
    model_inputs, later_inputs = named("input", model.inputs), named("later input", model.inputs)
    own_latches, own_later = named("own latch", witness.latches), named("own later latch", witness.latches)
    own_inputs, own_later_inputs = named("own input", witness.inputs), named("own later input", witness.inputs)
    shared: list[tuple[int, int]] = []
    for place, name in enumerate(witness.latch_names):
        simulated = _place(name, model.inputs + 1, model.latches)
        if simulated is not None:
            own_latches[place], own_later[place] = model_latches[simulated], later_latches[simulated]
            shared.append((simulated, place))
    for place, name in enumerate(witness.input_names):
        simulated = _place(name, 1, model.inputs)
        if simulated is not None:
            own_inputs[place], own_later_inputs[place] = model_inputs[simulated], later_inputs[simulated]
    now = _Copy(terms, model, model_inputs, model_latches, bad)
    later = _Copy(terms, model, later_inputs, later_latches, bad)
    own = _Copy(terms, witness, own_inputs, own_latches, 0)
    own_after = _Copy(terms, witness, own_later_inputs, own_later, 0)

    def steps(copy: _Copy, latches: Sequence[Term], places: Sequence[int]) -> Term:
        return terms.conjunction(terms.eq(latches[place], copy.following[place]) for place in places)

    def resets(copy: _Copy, places: Sequence[int]) -> Term:
        return terms.conjunction(copy.resets[place] for place in places)

    in_model, in_witness = [one for one, _ in shared], [other for _, other in shared]
    every = range(witness.latches)
    return [
        ("reset", [resets(now, in_model), now.constraint], resets(own, in_witness)),
        ("constraint", [now.constraint], own.constraint),
        (
            "transition",
            [steps(now, later_latches, in_model), now.constraint, later.constraint, own.constraint],
            steps(own, own_later, in_witness),
        ),
        ("property", [now.constraint, own.constraint, own.property], now.property),
        ("base", [resets(own, every), own.constraint], own.property),
        (
            "step",
            [own.property, steps(own, own_later, every), own.constraint, own_after.constraint],
            own_after.property,
        ),
    ]


def _place(name: str | None, first: int, count: int) -> int | None:
    """Which input or latch of the model, whose variables begin with ``first``, a signal of the witness stands for."""
    match = _SIMULATED.fullmatch(name or "")
    if match is None:
        return None
    literal = int(match[1])
    place = (literal >> 1) - first
    return place if not literal & 1 and 0 <= place < count else None
