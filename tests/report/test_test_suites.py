"""Test suites in Test-Comp's format: what is in the archive, and what TestCov says of it where that is installed."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from argosy.basics.errors import UnsupportedError
from argosy.frontends.registry import HOST_MODEL
from argosy.report.exporters import exported
from argosy.session.run import decide
from argosy.session.task import Task
from tests.report.evidence import UNSAFE, decided

# TestCov stands beside the Python that it is installed for; the others belong to the system.
BESIDE = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
TOOLS = ("testcov", "lcov", "clang-tidy")
MISSING = [name for name in TOOLS if shutil.which(name, path=BESIDE) is None]
# For TestCov the error is this call, and nothing else.
CALLING = [path for path in UNSAFE if "reach_error()" in path.read_text()]
GOAL = "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )\n"


def suite(path: Path, **choices: str) -> bytes:
    [(_, content)] = exported(decided(path, **choices), {"test-suite": "suite.zip"})
    assert isinstance(content, bytes)
    return content


def test_inputs_are_listed_in_the_order_of_the_calls(tmp_path: Path) -> None:
    path = tmp_path / "prog.c"
    path.write_text(
        "extern int __VERIFIER_nondet_int(void); extern _Bool __VERIFIER_nondet_bool(void); void reach_error(void);\n"
        "int main(void) { int x = __VERIFIER_nondet_int(); _Bool b = __VERIFIER_nondet_bool();\n"
        "  if (x == -6 && b && __VERIFIER_nondet_int() == 7) reach_error(); }\n"
    )
    with zipfile.ZipFile(io.BytesIO(suite(path))) as archive:
        assert archive.namelist() == ["metadata.xml", "testcase-1.xml"]
        metadata = ElementTree.fromstring(archive.read("metadata.xml"))
        testcase = ElementTree.fromstring(archive.read("testcase-1.xml"))
    assert testcase.get("coversError") == "true"
    given = [(each.get("variable"), each.get("type"), each.text) for each in testcase]
    assert given[:2] == [("x", "int", "-6"), ("b", "_Bool", "1")] and given[2][1:] == ("int", "7")
    said = {each.tag: each.text for each in metadata}
    width = "64bit" if HOST_MODEL == "LP64" else "32bit"
    assert (said["architecture"], said["entryfunction"], said["programfile"]) == (width, "main", str(path))
    assert said["specification"] == GOAL.strip()


def test_addresses_are_no_inputs(tmp_path: Path) -> None:
    path = tmp_path / "prog.c"
    path.write_text("extern int *where(void); void reach_error(void); int main(void) { if (where()) reach_error(); }")
    with pytest.raises(UnsupportedError, match="gives an address"):
        list(exported(decide(Task.of(str(path), time_limit=60)), {"test-suite": "suite.zip"}))


@pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)}")
@pytest.mark.parametrize("path", CALLING, ids=lambda path: path.stem)
def test_the_suite_covers_the_error(path: Path, tmp_path: Path) -> None:
    (tmp_path / "suite.zip").write_bytes(suite(path))
    (tmp_path / "coverage-error-call.prp").write_text(GOAL)
    # It writes what it preprocesses beside the program.
    program = shutil.copy(path, tmp_path)
    command = [str(shutil.which("testcov", path=BESIDE)), "--no-isolation", "--no-plots", "-64"]
    command += ["--goal", "coverage-error-call.prp", "--test-suite", "suite.zip", str(program)]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert "Coverage: 100.0%" in ran.stdout and "Result: TRUE" in ran.stdout, ran.stdout + ran.stderr
