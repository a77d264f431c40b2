"""``--execute``: the counterexample in reality. The user's program is compiled with its harness and the sanitizers, and
run under limits; what it does is said beside what the replay of the model said, and changes no verdict.

Only the error itself confirms, and only where nothing on the way to it was left to chance: an uninitialised variable
may happen to have the value of the counterexample.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from argosy.basics.records import dataclass, replace
from argosy.report.answers import result_of
from argosy.report.exporters import Decided
from argosy.report.harness import BEYOND, EXCLUDED, REACHED, compile_flags, harness, observed_calls
from argosy.report.recording import Recording, recordings

COMPILERS = ("gcc", "clang", "cc")
SECONDS = 20
COMPILING_SECONDS = 60
OUTPUT = 16 << 20
MEMORY = 4 << 30
REACHED_WORD = "reached"

_REPORT = re.compile(rb"^(.*?):([0-9]+):[0-9]+: runtime error: (.*)$", re.MULTILINE)
_OVERFLOW = re.compile(r"overflow|cannot be represented")


@dataclass(frozen=True, slots=True)
class ExecutedRun:
    """How a process ended: its status (negative for a signal), None where it took too long; and its last words."""

    status: int | None
    complaints: bytes


def executed(decided: Decided) -> Decided:
    """The same, with what happened to each counterexample when it was run."""
    found = {number: _execute(recording) for number, recording in recordings(decided, "execute")}
    answers = [
        replace(answer, details={**answer.details, "execution": found[number]}) if number in found else answer
        for number, answer in enumerate(decided.answers, 1)
    ]
    shown = result_of(decided.problem, answers)
    return replace(decided, answers=answers, result=replace(decided.result, answers=shown.answers))


def _execute(recording: Recording) -> Mapping[str, Any]:
    """With the first compiler whose program reaches the error: sums of constants are folded by some before any
    sanitizer sees them."""
    runs: list[dict[str, Any]] = []
    for compiler in dict.fromkeys(filter(None, map(shutil.which, COMPILERS))):
        runs.append(_execute_with(compiler, recording))
        if runs[-1]["outcome"].startswith(REACHED_WORD):
            break
    else:
        # None does: what the first says counts.
        runs = runs[:1]
    if not runs:
        said: dict[str, Any] = {"confirmed": False, "compiler": None, "data_model": None, "exit_code": None}
        return {**said, "notes": [], "outcome": f"not compiled: none of {', '.join(COMPILERS)} is installed"}
    earlier = [f"with {each['compiler']}: {each['outcome']}" for each in runs[:-1]]
    return {**runs[-1], "notes": [*runs[-1]["notes"], *earlier]}


def _execute_with(compiler: str, recording: Recording) -> dict[str, Any]:
    said: dict[str, Any] = {"confirmed": False, "compiler": os.path.basename(compiler), "data_model": None}
    said |= {"exit_code": None, "notes": []}
    with tempfile.TemporaryDirectory(prefix="argosy-execute-") as folder:
        built = _build(compiler, recording, folder)
        if isinstance(built, str):
            return {**said, "outcome": f"not compiled: {built}"}
        said["data_model"] = built.data_model
        wanted = recording.landmarks.outside().data_model
        if built.data_model != wanted:
            said["notes"].append(f"compiled as {built.data_model}: this compiler has no {wanted}")
        ran = _run([built.path], folder, SECONDS)
    said["exit_code"] = ran.status
    outcome, reached = _outcome(recording, ran)
    said["notes"] += [f"nobody outside the program decides {reason}" for reason in recording.unforced]
    said["confirmed"] = reached and not recording.unforced
    return {**said, "outcome": outcome}


@dataclass(frozen=True, slots=True)
class _Built:
    path: str
    data_model: str


def _build(compiler: str, recording: Recording, folder: str) -> _Built | str:
    """The program with its harness; the compiler's first complaint where there is none."""
    text, target = os.path.join(folder, "harness.c"), os.path.join(folder, "error")
    with open(text, "w", encoding="utf-8") as file:
        file.write(harness(recording))
    program = os.path.abspath(recording.program.path)
    files = recording.landmarks.outside().files or ((program, ()),)
    if len({own for _, own in files}) > 1:
        return "the files of the program are compiled with different options"
    paths = [os.path.abspath(path) for path, _ in files]
    command = [compiler, "-x", "c", "-w", *compile_flags(recording), *files[0][1], "-o", target, *paths, text]
    model = recording.landmarks.outside().data_model
    last = b""
    for width, data_model in dict.fromkeys((("-m32" if model == "ILP32" else "-m64", model), ("-m64", "LP64"))):
        made = _run([*command, width], os.path.dirname(program), COMPILING_SECONDS)
        if made.status == 0:
            return _Built(target, data_model)
        last = made.complaints
    lines = [line for line in last.decode(errors="replace").splitlines() if "error" in line] or ["no message"]
    return lines[0]


def _run(command: Sequence[str], folder: str, seconds: int) -> ExecutedRun:
    def limit() -> None:
        limits = {resource.RLIMIT_CPU: seconds, resource.RLIMIT_FSIZE: OUTPUT, resource.RLIMIT_AS: MEMORY}
        limits[resource.RLIMIT_CORE] = 0
        for kind, most in limits.items():
            _, hard = resource.getrlimit(kind)
            resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))

    with tempfile.TemporaryFile() as complaints:
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=complaints,
                cwd=folder,
                preexec_fn=limit,
                timeout=seconds,
                check=False,
                env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
            )
            status: int | None = done.returncode
        except subprocess.TimeoutExpired:
            status = None
        complaints.seek(0)
        return ExecutedRun(status, complaints.read(1 << 20))


def _outcome(recording: Recording, ran: ExecutedRun) -> tuple[str, bool]:
    """In words, and whether it is the error that was reached."""
    errors = recording.program.errors
    report = _REPORT.search(ran.complaints)
    if ran.status is None:
        return f"not reached: the program ran for more than {SECONDS} s", False
    if errors.operations and report is not None:
        line, what = int(report[2]), report[3].decode(errors="replace")
        overflow = _OVERFLOW.search(what) is not None
        return f"{REACHED_WORD if overflow else 'not reached'}: the sanitizer reports line {line}, {what}", overflow
    if ran.status == REACHED and not errors.operations:
        return REACHED_WORD, True
    hidden = set(observed_calls(recording)) & recording.landmarks.outside().hidden
    if errors.labels or hidden:
        name = min(errors.labels | hidden)
        return f"not observed: {name} cannot be seen from outside the program", False
    if report is not None:
        what = report[3].decode(errors="replace")
        return f"not reached: the sanitizer stopped the program at line {int(report[2])}, {what}", False
    reasons = {
        BEYOND: "the program asked for more values than were recorded",
        EXCLUDED: "an assumption of the program does not hold",
    }
    return f"not reached: {reasons.get(ran.status, f'the program ended with {ran.status}')}", False
