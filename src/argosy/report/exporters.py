"""What can be written besides the verdict: one line each. A new output is a module beside this one and a line here.

An exporter is a function from what was decided (``Decided``: problem, answers with their evidence as objects, result)
and a path to the files that belong there. It runs in the process of the analysis, where the objects are. This module
imports nothing heavy.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from argosy.basics.errors import UnsupportedError
from argosy.basics.naming import named
from argosy.basics.position import NOWHERE
from argosy.basics.records import dataclass
from argosy.report.result import Result

File = tuple[str, str | bytes]
"""A path and what belongs there."""


@dataclass(frozen=True, slots=True)
class Decided:
    """``problem`` is a ``problem.Problem`` and ``answers`` are ``backends.contract.Answer``s: the evidence."""

    problem: Any
    answers: Sequence[Any]
    result: Result


@dataclass(frozen=True, slots=True)
class Exporter:
    """``writer`` writes for the models of these kinds what the option ``name`` asks for; ``file`` is its name in
    ``--output DIR``, None where it is not part of that. ``formats`` are those for which there is something, where that
    is not every one of the kinds."""

    name: str
    metavar: str
    advice: str
    writer: str
    kinds: tuple[str, ...]
    file: str | None = None
    formats: tuple[str, ...] = ()

    def fits(self, kind: str, format: str) -> bool:
        return kind in self.kinds and (not self.formats or not format or format in self.formats)

    def write(self, decided: Decided, path: str) -> Iterator[File]:
        yield from named(self.writer)(decided, path)


EXPORTERS: Sequence[Exporter] = (
    Exporter(
        "report",
        "FILE.html",
        "a page with every run as a picture",
        "argosy.report.network_page:page",
        ("network",),
        "report.html",
    ),
    Exporter(
        "report",
        "FILE.html",
        "a page with every violation of a controller's requirements as a timing diagram",
        "argosy.report.controller_page:page",
        ("program",),
        "report.html",
        ("plc",),
    ),
    Exporter(
        "report",
        "FILE.html",
        "a page with the source and the counterexample to step through, the invariant, the automaton",
        "argosy.report.program_page:page",
        ("program",),
        "report.html",
    ),
    Exporter(
        "report",
        "FILE.html",
        "a page with the run to a bad state as a waveform",
        "argosy.report.system_page:page",
        ("system",),
        "report.html",
    ),
    Exporter(
        "witness",
        "FILE.xml",
        "the run, as UPPAAL writes traces in XML",
        "argosy.report.uppaal_trace:traces",
        ("network",),
        "trace.xml",
    ),
    Exporter(
        "witness",
        "FILE.wit",
        "the run to a bad state as aigsim or btorsim read it",
        "argosy.report.system_witness:witnesses",
        ("system",),
        "witness.wit",
    ),
    Exporter(
        "witness",
        "FILE.yml",
        "the proof or the counterexample of a C program as a software verification witness (FILE.yml: format 2.0; "
        "FILE.graphml: 1.0)",
        "argosy.report.witnesses:witnesses",
        ("program",),
        "witness.yml",
        ("c", "definition"),
    ),
    Exporter(
        "harness",
        "FILE.c",
        "a counterexample of a C program that runs: what it gets from outside, to be compiled with it",
        "argosy.report.harness:harnesses",
        ("program",),
        "harness.c",
        ("c", "definition"),
    ),
    Exporter(
        "test-suite",
        "FILE.zip",
        "the inputs of a counterexample of a C program as a test suite in Test-Comp's format",
        "argosy.report.test_suite:suites",
        ("program",),
        "test-suite.zip",
        ("c", "definition"),
    ),
    Exporter(
        "vcd",
        "FILE.vcd",
        "the run to a bad state for waveform viewers",
        "argosy.report.vcd:dumps",
        ("system",),
        "run.vcd",
    ),
    Exporter(
        "vcd",
        "FILE.vcd",
        "the violation of a controller's requirement for waveform viewers",
        "argosy.report.controller_cycles:waveforms",
        ("program",),
        "cycles.vcd",
        ("plc",),
    ),
    Exporter(
        "csv",
        "FILE.csv",
        "the violation of a controller's requirement, a row for each cycle",
        "argosy.report.controller_cycles:tables",
        ("program",),
        "cycles.csv",
        ("plc",),
    ),
    Exporter(
        "certificate",
        "FILE.aag",
        "the proof of a SAFE on a circuit as a witness circuit (FILE.aag, FILE.aig), on others as SMT-LIB text",
        "argosy.report.witness_circuits:certificates",
        ("system",),
        "certificate.smt2",
    ),
    Exporter(
        "certificate",
        "FILE.smt2",
        "the proof of a SAFE as SMT-LIB text that z3, cvc5 or bitwuzla check",
        "argosy.report.certificates:certificates",
        ("program", "clause"),
        "certificate.smt2",
    ),
    Exporter(
        "model",
        "FILE.smt2",
        "the solution of Horn clauses that are satisfiable, as define-funs",
        "argosy.report.solutions:solutions",
        ("clause",),
        "model.smt2",
    ),
    Exporter(
        "output",
        "DIR",
        "result.json and every other file that there is for the input, into DIR",
        "argosy.report.exporters:everything",
        ("network", "program", "clause", "system"),
    ),
)

SHOW_THE_COURSE = frozenset(("report", "output"))
"""Those that tell how the run went: somebody has to write it down."""

NAMES: Sequence[str] = tuple(dict.fromkeys(exporter.name for exporter in EXPORTERS))


def explained() -> Iterator[tuple[str, str, str]]:
    """The options, each with its placeholder and what it gives for which kind of model."""
    for name in NAMES:
        lines = [exporter for exporter in EXPORTERS if exporter.name == name]
        metavar = "|".join(dict.fromkeys(exporter.metavar for exporter in lines))
        yield name, metavar, "; ".join(dict.fromkeys(exporter.advice for exporter in lines))


def exporter_of(name: str, kind: str, format: str = "") -> Exporter | None:
    """The first that writes it for the models of a kind, and of a format where one is named."""
    return next((each for each in EXPORTERS if each.name == name and each.fits(kind, format)), None)


def check_exports(exports: Mapping[str, str], kind: str, format: str, title: str) -> None:
    """Raises UnsupportedError for an output that the kind of model does not have."""
    for name in exports:
        if exporter_of(name, kind) is None:
            raise UnsupportedError(NOWHERE, f"--{name} for {title}")
        if exporter_of(name, kind, format) is None:
            raise UnsupportedError(NOWHERE, f"--{name} for what is read as {format}")


def exported(decided: Decided, exports: Mapping[str, str]) -> Iterator[File]:
    for name, path in exports.items():
        exporter = exporter_of(name, decided.problem.kind, decided.result.format)
        if exporter is not None:  # ``check_exports`` has refused the others
            yield from exporter.write(decided, path)


def everything(decided: Decided, directory: str) -> Iterator[File]:
    yield os.path.join(directory, "result.json"), decided.result.to_json(indent=1) + "\n"
    for name in NAMES:
        exporter = exporter_of(name, decided.problem.kind, decided.result.format)
        if exporter is not None and exporter.file is not None:
            try:
                yield from exporter.write(decided, os.path.join(directory, exporter.file))
            except UnsupportedError:
                # What there is for the input: a form that its format does not have is not among it.
                continue
