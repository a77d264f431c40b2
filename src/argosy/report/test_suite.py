"""``--test-suite FILE.zip``: the inputs of counterexamples as a test suite in the exchange format of Test-Comp
(Beyer 2019, *International Competition on Software Testing*): ``metadata.xml`` and a ``testcase-N.xml`` for each
execution.

A pointer is no input of that format: an execution that was given one other than null is refused.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from argosy.basics.errors import UnsupportedError
from argosy.basics.version import VERSION
from argosy.models.landmarks import Landmarks
from argosy.models.program import Program
from argosy.problem.problem import Problem
from argosy.report.exporters import Decided, File
from argosy.report.recording import Recording, recordings

_METADATA = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE test-metadata PUBLIC "+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN" \
"https://sosy-lab.org/test-format/test-metadata-1.1.dtd">
"""
_TESTCASE = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE testcase PUBLIC "+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN" \
"https://sosy-lab.org/test-format/testcase-1.1.dtd">
"""
# The zip's own dates; one that does not change makes the file depend on its content only.
_DATE = (1980, 1, 1, 0, 0, 0)

SPECIFICATION = "COVER( init({entry}()), FQL(COVER EDGES(@CALL({error}))) )"


def suites(decided: Decided, path: str) -> Iterator[File]:
    """The suite; nothing where there is no execution."""
    found = [recording for _, recording in recordings(decided, "test-suite")]
    if found:
        yield path, suite(decided.problem, found)


def suite(problem: Problem, found: list[Recording]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        first = found[0]
        archive.writestr(zipfile.ZipInfo("metadata.xml", _DATE), metadata(problem, first.program, first.landmarks))
        for number, recording in enumerate(found, 1):
            archive.writestr(zipfile.ZipInfo(f"testcase-{number}.xml", _DATE), testcase(recording))
    return content.getvalue()


def metadata(problem: Problem, program: Program, landmarks: Landmarks) -> str:
    from datetime import UTC, datetime

    with open(problem.input, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    errors = sorted(program.errors.calls) or ["reach_error"]
    fields = {
        "sourcecodelang": "C",
        "producer": f"argosy {VERSION}",
        "specification": SPECIFICATION.format(entry=landmarks.outside().entry, error=errors[-1]),
        "programfile": problem.input,
        "programhash": digest,
        "entryfunction": landmarks.outside().entry,
        "architecture": "32bit" if landmarks.outside().data_model == "ILP32" else "64bit",
        "creationtime": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    lines = (f"  <{name}>{escape(value)}</{name}>\n" for name, value in fields.items())
    return f"{_METADATA}<test-metadata>\n{''.join(lines)}</test-metadata>\n"


def testcase(recording: Recording) -> str:
    """The inputs of the functions that the competitions know, in the order of the calls."""
    lines = []
    for call in recording.calls:
        if call.is_pointer and call.value:
            raise UnsupportedError(call.source.position, f"--test-suite: {call.source.text} gives an address")
        variable, type_ = call.variable.rpartition("::")[2], call.source.type
        given = f"variable={quoteattr(variable)} type={quoteattr(type_)}"
        if call.text is None:
            raise UnsupportedError(call.source.position, f"--test-suite: {call.source.text} gives no finite number")
        lines.append(f"  <input {given}>{call.text}</input>\n")
    return f'{_TESTCASE}<testcase coversError="true">\n{"".join(lines)}</testcase>\n'
