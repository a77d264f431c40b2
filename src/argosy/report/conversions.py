"""The formats that models are written in: one line each. A new one is a module beside this one and a line here.

A conversion is a function from a problem and what was chosen to the content of one file, text or bytes. It writes what
both formats can say, and raises UnsupportedError for the rest. This module imports nothing heavy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from argosy.basics.choices import choose
from argosy.basics.errors import UnsupportedError, UsageError
from argosy.basics.naming import named
from argosy.basics.position import Position
from argosy.basics.records import dataclass

STANDARD_OUTPUT = "-"


@dataclass(frozen=True, slots=True)
class WrittenFormat:
    """``writer`` is ``module:function``, from a ``problem.Problem`` and the options that were given to the content;
    ``kinds`` are the kinds of models that it writes."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    kinds: tuple[str, ...]
    writer: str

    def write(self, problem: Any, chosen: Mapping[str, str]) -> str | bytes:
        if problem.kind not in self.kinds:
            raise UnsupportedError(Position(problem.input, 0), f"a {problem.kind} as {self.title}")
        content: str | bytes = named(self.writer)(problem, chosen)
        return content


CONVERSIONS: Sequence[WrittenFormat] = (
    WrittenFormat("armc", "clauses of ARMC", (".armc", ".pl"), ("program", "system"), "argosy.report.clauses:armc"),
    WrittenFormat("horn", "Horn clauses", (".smt2",), ("program", "clause"), "argosy.report.clauses:horn"),
    WrittenFormat("vmt", "VMT", (".vmt",), ("system",), "argosy.report.vmt:vmt"),
    WrittenFormat("aiger", "AIGER, as text", (".aag",), ("system",), "argosy.report.system_files:aiger_text"),
    WrittenFormat("aiger-binary", "AIGER, binary", (".aig",), ("system",), "argosy.report.system_files:aiger_binary"),
    WrittenFormat("btor2", "BTOR2", (".btor2", ".btor"), ("system",), "argosy.report.system_files:btor2"),
    WrittenFormat("xta", "UPPAAL, as text", (".xta",), ("network",), "argosy.report.network_texts:xta"),
    WrittenFormat("tchecker", "TChecker", (".tck",), ("network",), "argosy.report.network_texts:tck"),
    WrittenFormat("c", "plain C", (".c",), ("program",), "argosy.report.plain_c:plain_c"),
)


def conversion_for(output: str, name: str = "") -> WrittenFormat:
    """By its name where one is given, else by the suffix of the file. Raises UsageError."""
    if name:
        choose("--to", name, [each.name for each in CONVERSIONS])
        return next(each for each in CONVERSIONS if each.name == name)
    if output == STANDARD_OUTPUT:
        return CONVERSIONS[0]
    found = next((each for each in CONVERSIONS if output.lower().endswith(each.suffixes)), None)
    if found is None:
        known = "; ".join(f"{each.title} ({', '.join(each.suffixes)})" for each in CONVERSIONS)
        raise UsageError(f"{output}: what is written is {known}")
    return found
