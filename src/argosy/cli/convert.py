"""``argosy convert``: a model as ARMC clauses, which ``argosy verify`` reads back.

Clauses speak of numbers without a width, so a C program is written as its model over integers that do not wrap
(``--arithmetic int``), with a note for each place where that model allows more than the program does.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from argosy.basics.errors import UnsupportedError, UsageError
from argosy.basics.files import write_text
from argosy.basics.position import Position
from argosy.certify.meanings import sort_kind
from argosy.cli.ending import reporting
from argosy.frontends.armc import CannotBeWritten, write
from argosy.frontends.registry import BY_NAME, OPTIONS
from argosy.models.cfa import Reading
from argosy.models.integers import integers
from argosy.models.program import Program
from argosy.models.reduce import reduce
from argosy.session.run import read
from argosy.session.task import Task

CHOICES = ("numbers", "arithmetic", "property", "data-model")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", metavar="INPUT", help="ARMC clauses (.armc, .pl) or a C program (.c, .i, .yml)")
    parser.add_argument("output", metavar="OUTPUT", help="the file to write (.armc, .pl); - is standard output")
    for option in map(OPTIONS.__getitem__, CHOICES):
        parser.add_argument(f"--{option.name}", metavar=option.metavar, help=option.advice)


def run(options: argparse.Namespace, started: float) -> int:
    return reporting(lambda: _convert(options))


def _convert(options: argparse.Namespace) -> int:
    chosen = {name.replace("-", "_"): getattr(options, name.replace("-", "_")) for name in CHOICES}
    text = converted(Task.of(options.input, **chosen), options.output)
    if options.output == "-":
        print(text, end="")
    else:
        write_text(options.output, text)
    return 0


def converted(task: Task, output: str) -> str:
    """The text of ``output`` for the model of ``task``. Raises UnsupportedError where there is none."""
    clauses = BY_NAME["armc"].suffixes
    if output != "-" and Path(output).suffix.lower() not in clauses:
        raise UsageError(f"{output}: only ARMC clauses ({', '.join(clauses)}) are written")
    problem = read(task, deep=True)
    program = problem.model
    if not isinstance(program, Program):
        raise UnsupportedError(Position(task.input, 0), "a network of timed automata as clauses")
    cfa, predicates = program.cfa, program.predicates
    notes = [f"Converted from {Path(task.input).name}."]
    if sort_kind(cfa) == "bits":
        if task.reading.get("arithmetic") != "int":
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
