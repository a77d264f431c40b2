"""The result of a run, or of several, in the formats that other programs read: one line each.

A format is a function from results to the text of one document. It needs the results only, so that it says something of
a run that was killed too. This module imports nothing heavy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from argosy.basics.naming import named
from argosy.basics.records import dataclass
from argosy.report.result import Result

TEXT = "text"


@dataclass(frozen=True, slots=True)
class ResultFormat:
    """``whole``: the document is all that stands on standard output, no verdict line follows."""

    name: str
    advice: str
    writer: str
    whole: bool = True

    def text(self, results: Sequence[Result]) -> str:
        written: str = named(self.writer)(results)
        return written


RESULT_FORMATS: Mapping[str, ResultFormat] = {
    each.name: each
    for each in (
        ResultFormat("json", "the result as JSON (docs/json.md); a list for several", "argosy.report.formats:json"),
        ResultFormat(
            "github", "an annotation for each violation, as GitHub reads them", "argosy.report.annotations:lines", False
        ),
        ResultFormat("sarif", "SARIF 2.1.0, as code scanning and editors read it", "argosy.report.sarif:document"),
        ResultFormat("junit", "a test case for each answer, as CI servers read them", "argosy.report.junit:document"),
    )
}


def json(results: Sequence[Result]) -> str:
    if len(results) == 1:
        return results[0].to_json()
    return "[\n" + ",\n".join(result.to_json() for result in results) + "\n]"
