"""``argosy convert`` among transition systems: the bits of a system as AIGER, its words as BTOR2."""

from __future__ import annotations

from collections.abc import Mapping

from argosy.frontends.aiger.writer import write_binary_aiger, write_text_aiger
from argosy.frontends.btor2.writer import write_btor2
from argosy.models.bitblast import bit_blast
from argosy.models.bits import CircuitModel
from argosy.models.circuit import Circuit
from argosy.problem.problem import Problem


def aiger_text(problem: Problem, chosen: Mapping[str, str]) -> str:
    return write_text_aiger(_circuit(problem))


def aiger_binary(problem: Problem, chosen: Mapping[str, str]) -> bytes:
    return write_binary_aiger(_circuit(problem))


def btor2(problem: Problem, chosen: Mapping[str, str]) -> str:
    model = problem.model
    return write_btor2(model.whole_system() if isinstance(model, CircuitModel) else model)


def _circuit(problem: Problem) -> Circuit:
    model = problem.model
    return model.circuit if isinstance(model, CircuitModel) else bit_blast(model).circuit
