"""``argosy convert``: a model in another format.

ARMC's clauses are written. They are over unbounded numbers, so a C program is converted on request only
(``arithmetic="int"``): machine words become integers that do not wrap, and what cannot matter to the property is left
out first, pointers and the like included. That is another model, which its first lines say; nothing is claimed about
the program.
"""

from __future__ import annotations

from pathlib import Path

from argosy.backends.program import load
from argosy.basics.errors import UnsupportedError, UsageError
from argosy.basics.position import Position
from argosy.frontends.armc import CannotBeWritten, write
from argosy.logic.terms import Terms
from argosy.models.cfa import Reading
from argosy.models.integers import integers
from argosy.models.reduce import reduce
from argosy.session.task import CLAUSES, Task


def converted(task: Task, output: str) -> str:
    """The text of ``output`` for the model of ``task``. Raises UnsupportedError where there is none."""
    if output != "-" and Path(output).suffix.lower() not in CLAUSES:
        raise UsageError(f"{output}: only ARMC clauses ({', '.join(CLAUSES)}) are written")
    if task.is_network:
        raise UnsupportedError(Position(task.input, 0), "a network of timed automata as clauses")
    program = load(task, Terms())
    cfa, predicates = program.cfa, program.predicates
    notes = [f"Converted from {Path(task.input).name}."]
    if not task.is_clauses:
        if task.arithmetic != "int":
            what = "machine arithmetic as clauses (--arithmetic int writes the model over integers that do not wrap)"
            raise UnsupportedError(Position(task.input, 0), what)
        derived = integers(reduce(cfa, reading=Reading.UNDEFINED).cfa)
        cfa = derived.cfa
        notes.append("Integers that do not wrap stand for machine words, reduced to what matters for the property.")
        notes += [f"More is possible here than there: {edge}" for edge in derived.imprecise]
    try:
        text = write(cfa, predicates)
    except CannotBeWritten as reason:
        raise UnsupportedError(Position(task.input, 0), f"no clauses can say it: {reason}") from None
    return "".join(f"% {' '.join(note.split())}\n" for note in (*notes, *program.ledger)) + text
