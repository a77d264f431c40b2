"""A program, or a system with one bad state, as clauses of ARMC or of SMT-LIB's logic HORN, which are read back.

Clauses of ARMC speak of numbers without a width, so a C program is written as its model over integers that do not wrap
(``--arithmetic int``), with a note for each place where that model allows more than the program does.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from argosy.basics.errors import UnsupportedError
from argosy.basics.position import Position
from argosy.certify.meanings import sort_kind
from argosy.frontends.armc import CannotBeWritten, write
from argosy.models.cfa import Reading
from argosy.models.clause_script import script
from argosy.models.clauses import ClauseSystem
from argosy.models.integers import integers
from argosy.models.program import Program
from argosy.models.program_clauses import clauses_of_program
from argosy.models.reduce import reduce
from argosy.problem.problem import Problem


def armc(problem: Problem, chosen: Mapping[str, str]) -> str:
    program = problem.model if problem.kind == "program" else _only_bad_state(problem)
    cfa, predicates = program.cfa, program.predicates
    notes = [f"Converted from {Path(problem.input).name}."]
    if sort_kind(cfa) == "bits":
        if chosen.get("arithmetic") != "int":
            what = "machine arithmetic as clauses (--arithmetic int writes the model over integers that do not wrap)"
            raise UnsupportedError(Position(problem.input, 0), what)
        derived = integers(reduce(cfa, reading=Reading.UNDEFINED).cfa)
        cfa = derived.cfa
        notes.append("Integers that do not wrap stand for machine words, reduced to what matters for the property.")
        notes += [f"More is possible here than there: {edge}" for edge in derived.imprecise]
    try:
        text = write(cfa, predicates)
    except CannotBeWritten as reason:
        raise UnsupportedError(Position(problem.input, 0), f"no clauses can say it: {reason}") from None
    return "".join(f"% {' '.join(note.split())}\n" for note in (*notes, *program.ledger)) + text


def horn(problem: Problem, chosen: Mapping[str, str]) -> str:
    """A predicate for each location, machine words as bit-vectors; clauses are written as they were read. Executions
    that leave the language are left out."""
    model: Program | ClauseSystem = problem.model
    notes = [f"Converted from {Path(problem.input).name}.", *problem.ledger]
    if isinstance(model, ClauseSystem):
        system = model
    else:
        for refusal in model.cfa.opaque.values():
            raise UnsupportedError(refusal.position, refusal.what)
        system = clauses_of_program(model.cfa, Reading.UNDEFINED).system
    return "".join(f"; {' '.join(note.split())}\n" for note in notes) + script(system)


def _only_bad_state(problem: Problem) -> Program:
    """Clauses have one error location."""
    model = problem.model
    if len(model.bad_names) != 1:
        raise UnsupportedError(Position(problem.input, 0), f"{len(model.bad_names)} bad states as clauses")
    program: Program = model.system(0).as_program()
    return program
