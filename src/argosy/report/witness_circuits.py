"""``--certificate FILE`` for transition systems: a witness circuit where the model is a circuit and the file is to be
one (``.aag``, ``.aig``), SMT-LIB text otherwise.

A witness circuit is written after its six questions were answered (``certify.witness_circuit``). It is text whatever
the suffix: readers of AIGER tell by the first line.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from argosy.backends.contract import Invariant
from argosy.basics.errors import UnsupportedError
from argosy.basics.position import NOWHERE
from argosy.certify.witness_circuit import failing_check
from argosy.frontends.aiger.writer import write_text_aiger
from argosy.models.bits import CircuitModel
from argosy.models.witness_circuit import witness_circuit
from argosy.report.certificates import certificates as scripts
from argosy.report.cycles import numbered
from argosy.report.exporters import Decided, File


def certificates(decided: Decided, path: str) -> Iterator[File]:
    model = decided.problem.model
    if os.path.splitext(path)[1].lower() not in (".aag", ".aig"):
        yield from scripts(decided, path)
        return
    if not isinstance(model, CircuitModel):
        raise UnsupportedError(NOWHERE, f"{path}: a witness circuit is for AIGER; FILE.smt2 is for every system")
    proved = [(n, answer) for n, answer in enumerate(decided.answers, 1) if isinstance(answer.evidence, Invariant)]
    for number, answer in proved:
        evidence: Any = answer.evidence
        text = _text(model, answer.subject.asked, evidence)
        yield numbered(path, number, len(proved)), text


def _text(model: CircuitModel, bad: int, evidence: Invariant) -> str:
    if not evidence.claims:
        raise UnsupportedError(NOWHERE, "a witness circuit for a proof by k-induction (--strategy pdr gives one)")
    terms = evidence.cfa.terms
    [head] = evidence.cfa.loop_heads
    place = {name: number for number, name in enumerate(model.latch_names)}
    latches = {v.term: place[v.term.name] for v in evidence.cfa.variables if v.term.name in place}
    witness = witness_circuit(model.circuit, bad, terms.disjunction(evidence.claims[head]), latches)
    failed = failing_check(model.circuit, bad, witness)
    if failed is not None:
        raise UnsupportedError(NOWHERE, f"a witness circuit: its check '{failed}' fails")
    return write_text_aiger(witness, [f"WITNESS b{bad} {os.path.basename(model.path)}"])
