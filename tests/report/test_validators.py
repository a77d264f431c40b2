"""What is written for other programs, judged by programs that nobody here wrote."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

import argosy
from argosy.basics.version import VERSION
from argosy.report.formats import RESULT_FORMATS
from argosy.report.result import Result

ROOT = Path(__file__).parent.parent.parent
MULTITOOL = Path(sys.prefix) / "npm" / "node_modules"
SCHEMA = next(MULTITOOL.glob("@microsoft/sarif-multitool-*/sarif-2.1.0.json"), None)
EXAMPLES = ("c/overdraft.c", "ta/alarm.xta", "theta/counter_bug.sts")

needs_multitool = pytest.mark.skipif(SCHEMA is None, reason="make .venv/npm installs the SARIF multitool")


def needs(package: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(find_spec(package) is None, reason=f"{package} is not installed")


def ran(*command: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def sarif(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Violations of programs and of models, no verdict, an internal error, a file that cannot be read."""
    results = [argosy.verify(f"examples/{name}", in_process=True, time_limit=60) for name in EXAMPLES]
    results += [Result.unknown("time limit", input="slow.c"), Result.unknown("internal error, see x", input="bad.c")]
    results += [Result.unknown("cannot be read: gone.c: no such file", input="gone.c")]
    path = tmp_path_factory.mktemp("sarif") / "a.sarif"
    path.write_text(RESULT_FORMATS["sarif"].text(results))
    assert sum(result.verdict == "unsafe" for result in results) >= 3
    return path


@needs_multitool
@needs("check_jsonschema")
def test_sarif_is_what_its_schema_says(sarif: Path, tmp_path: Path) -> None:
    check = (sys.executable, "-m", "check_jsonschema", "--regex-variant", "python", "--schemafile", str(SCHEMA))
    said = ran(*check, str(sarif))
    assert said.returncode == 0, said.stdout
    wrong = json.loads(sarif.read_text())
    wrong["runs"][0]["results"][0]["level"] = "bad"
    (tmp_path / "wrong.sarif").write_text(json.dumps(wrong))
    assert ran(*check, str(tmp_path / "wrong.sarif")).returncode == 1, "the schema says something"


@needs_multitool
@pytest.mark.parametrize("kind", ["Sarif", "Ghas"])
def test_the_multitool_finds_no_error(sarif: Path, tmp_path: Path, kind: str) -> None:
    """It says "successfully" whatever it finds; so does it here, of a file with a mistake."""
    tool = str(MULTITOOL / ".bin" / "sarif-multitool")

    def found(path: Path) -> str:
        said = ran(tool, "validate", str(path), "--rule-kind", kind, cwd=tmp_path)
        return said.stdout + said.stderr

    assert "error" not in found(sarif).replace("_error", "").lower()
    wrong = json.loads(sarif.read_text())
    if kind == "Sarif":
        wrong["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    else:
        del wrong["runs"][0]["results"][0]["locations"]
    (tmp_path / "wrong.sarif").write_text(json.dumps(wrong))
    assert "error" in found(tmp_path / "wrong.sarif")


def test_sarif_does_not_call_a_crash_a_success(sarif: Path) -> None:
    (invocation,) = json.loads(sarif.read_text())["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    levels = {note["message"]["text"]: note["level"] for note in invocation["toolExecutionNotifications"]}
    assert [level for text, level in levels.items() if text.startswith("bad.c")] == ["error"]
    fine = json.loads(RESULT_FORMATS["sarif"].text([Result.unknown("time limit", input="slow.c")]))
    assert fine["runs"][0]["invocations"][0]["executionSuccessful"] is True


@needs("check_jsonschema")
def test_the_action_and_the_workflows_are_what_github_takes() -> None:
    check = (sys.executable, "-m", "check_jsonschema", "--builtin-schema")
    said = ran(*check, "vendor.github-actions", "action.yml")
    assert said.returncode == 0, said.stdout
    workflows = [str(path) for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))]
    said = ran(*check, "vendor.github-workflows", *workflows)
    assert workflows and said.returncode == 0, said.stdout


@needs("pre_commit")
def test_the_hooks_are_what_pre_commit_takes(tmp_path: Path) -> None:
    check = (sys.executable, "-m", "pre_commit", "validate-manifest")
    said = ran(*check, ".pre-commit-hooks.yaml")
    assert said.returncode == 0, said.stdout + said.stderr
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    del hooks[0]["entry"]
    (tmp_path / "wrong.yaml").write_text(yaml.safe_dump(hooks))
    assert ran(*check, str(tmp_path / "wrong.yaml")).returncode == 1


@needs("fm_weck")
def test_the_entry_of_fm_tools_is_what_fm_weck_takes() -> None:
    import fm_weck

    schema = Path(fm_weck.__file__).parent / "resources" / "fm_tools" / "schema.yml"
    check = (sys.executable, "-m", "check_jsonschema", "--regex-variant", "python", "--schemafile", str(schema))
    said = ran(*check, "fm-tools/argosy.yml")
    assert said.returncode == 0, said.stdout
    entry = yaml.safe_load((ROOT / "fm-tools" / "argosy.yml").read_text())
    assert entry["versions"][0]["version"] == VERSION and find_spec(entry["benchexec_toolinfo_module"]) is not None


def test_the_citation_is_of_this_version() -> None:
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == VERSION
