"""What users type and get: the last line on standard output, exit codes, JSON, messages."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import argosy
from argosy.basics.errors import InputError, UsageError
from argosy.cli import main as cli
from argosy.report.console import Paint
from argosy.report.result import STATISTICS, Result
from argosy.session import supervisor
from argosy.session.task import Task

ROOT = Path(__file__).parent.parent
ARGOSY = (sys.executable, "-m", "argosy")
SAFE = str(ROOT / "examples" / "c" / "lock.c")
UNSAFE = str(ROOT / "examples" / "c" / "overdraft.c")

# Growing formulas: no strategy here is done with it soon.
ENDLESS = """
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned int a = 0, b = 1, n = __VERIFIER_nondet_uint();
    for (unsigned int i = 0; i < n; i++) { unsigned int c = a * b + i; a = b * b ^ c; b = c * c + a; }
    if (a * a * a == b * b + 77 && a > 1000 && b > 100000) reach_error();
    return 0;
}
"""


def argosy_run(*arguments: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*ARGOSY, *arguments], capture_output=True, text=True, timeout=timeout, check=False)


def last_line(stdout: str) -> str:
    assert stdout.endswith("\n")
    return stdout.splitlines()[-1]


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., str]:
    def write(text: str | bytes = "int main(void) { return 0; }\n", name: str = "prog.c") -> str:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return str(path)

    return write


@pytest.fixture
def answered(monkeypatch: pytest.MonkeyPatch) -> Callable[[Result], None]:
    """Let the analysis answer what the test wants: how it is shown is what is tested."""

    def answer(result: Result) -> None:
        monkeypatch.setattr(supervisor, "supervise", lambda *_, **__: result)

    return answer


# ---- real runs -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("path", "verdict", "code"), [(SAFE, "SAFE", 0), (UNSAFE, "UNSAFE", 10)])
def test_verdict_is_the_last_line_and_the_exit_code(path: str, verdict: str, code: int) -> None:
    run = argosy_run("verify", path, "--time-limit", "60")
    assert (last_line(run.stdout), run.returncode) == (f"Verdict: {verdict}", code)
    assert ("Counterexample" in run.stdout) == (verdict == "UNSAFE")
    quiet = argosy_run("verify", path, "--time-limit", "60", "--quiet")
    assert (quiet.stdout, quiet.stderr, quiet.returncode) == (f"Verdict: {verdict}\n", "", code)


def test_json_on_standard_output_is_json_and_nothing_else() -> None:
    run = argosy_run("verify", UNSAFE, "--json", "-", "--time-limit", "60")
    content = json.loads(run.stdout)
    assert run.returncode == 10
    assert list(content)[:13] == [
        *("schema", "verdict", "reason", "certified", "certificate", "input", "property", "strategy", "statistics"),
        *("invariant", "counterexample", "ledger", "assumes"),
    ]
    assert (content["schema"], content["verdict"], content["certified"]) == (2, "unsafe", True)
    assert content["certificate"] == "replay" and content["strategy"]["name"] == "auto"
    assert set(STATISTICS) <= set(content["statistics"])
    assert all({"line", "operation", "values"} <= set(step) for step in content["counterexample"])


def test_library_returns_what_json_prints(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    argosy_run("verify", SAFE, "--json", str(path), "--time-limit", "60")
    printed = Result.from_json(path.read_text())
    returned = argosy.verify(SAFE, time_limit=60)
    timeless = {"wall_s": 0, "cpu_s": 0, "certify_s": 0, "peak_memory_mb": 0}

    def without_times(result: Result) -> Result:
        answers = [{**a, "statistics": {**a["statistics"], "certify_s": 0}} for a in result.answers]
        return replace(result.with_statistics(**timeless), answers=answers)

    assert without_times(printed) == without_times(returned)
    assert without_times(argosy.verify(SAFE, in_process=True)) == without_times(returned)


def test_time_limit_of_a_real_run(program: Callable[..., str]) -> None:
    run = argosy_run("verify", program(ENDLESS), "--time-limit", "2", "--json", "-")
    content = json.loads(run.stdout)
    assert (content["verdict"], run.returncode) == ("unknown", 5)
    assert "time limit" in content["reason"].split("; "), "beside what turns that came to an end say"
    assert 2 <= content["statistics"]["wall_s"] < 60, "it would never end"


def test_ctrl_c_gives_statistics_and_a_verdict(program: Callable[..., str]) -> None:
    process = subprocess.Popen(
        [*ARGOSY, "verify", program(ENDLESS)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )
    assert process.stderr is not None
    assert any("nodes" in line for line in iter(process.stderr.readline, ""))
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=10)
    assert (last_line(out), process.returncode) == ("Verdict: UNKNOWN (interrupted)", 5)
    assert "nodes" in out and "Traceback" not in out + err


def test_ctrl_c_while_modules_are_loaded() -> None:
    script = (
        "import builtins, os, signal, sys, argosy.__main__ as command\n"
        "load = builtins.__import__\n"
        "def interrupt(name, *rest, **others):\n"
        "    if name.startswith('argosy'):\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "    return load(name, *rest, **others)\n"
        "builtins.__import__ = interrupt\n"
        "sys.exit(command.main())\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr, run.returncode) == ("Verdict: UNKNOWN (interrupted)\n", "", 5)


def test_terminal_gets_a_live_line_and_colours() -> None:
    """Inside a pseudo-terminal, progress is written over itself; the verdict is still the last line."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm", COLUMNS="100")
        os.environ.pop("NO_COLOR", None)
        os.execv(sys.executable, [*ARGOSY, "verify", UNSAFE, "--time-limit", "60"])
    output = b""
    try:
        while chunk := os.read(terminal, 4096):
            output += chunk
    except OSError:
        pass  # how Linux reports the end of a terminal
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 10
    text = output.decode()
    assert "\r\x1b[K" in text and "\x1b[1;31mVerdict: UNSAFE" in text
    plain = re.sub(r"\x1b\[[0-9;]*[mK]", "", text)
    assert plain.rstrip().splitlines()[-1] == "Verdict: UNSAFE"


@pytest.mark.parametrize(
    ("asked", "coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": ""}, False),
        ({"FORCE_COLOR": "0"}, False),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        ({"NO_COLOR": "", "FORCE_COLOR": "1"}, True),
    ],
)
def test_colours_are_asked_for_by_the_environment(asked: dict[str, str], coloured: bool) -> None:
    """Standard output is no terminal here."""
    ran = subprocess.run([*ARGOSY, "formats", "c"], env={**os.environ, **asked}, capture_output=True, text=True)
    assert ("\x1b[" in ran.stdout) == coloured


def test_no_color_is_obeyed_in_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    assert Paint.of(stream).colours
    monkeypatch.setenv("NO_COLOR", "1")
    assert not Paint.of(stream).colours


# ---- input that cannot be read, or is refused -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("truncated.c", "int main(void) { if (1"),
        ("binary.c", bytes(range(256)) * 16),
        ("empty.c", ""),
        ("no_main.c", "int f(void) { return 0; }\n"),
        ("prog.txt", "int main(void) { return 0; }\n"),
        ("broken.yml", "format_version: '2.0'\ninput_files: [\n"),
        ("scalar.yml", "hello\n"),
    ],
)
def test_unreadable_input(program: Callable[..., str], name: str, text: str | bytes) -> None:
    path = program(text, name)
    run = argosy_run("verify", path, "--quiet")
    assert run.returncode == 2
    assert last_line(run.stdout).startswith("Verdict: UNKNOWN (")
    assert len(run.stderr.splitlines()) == 1 and path in run.stderr
    assert "Traceback" not in run.stdout + run.stderr


def test_syntax_error_has_file_line_and_column(program: Callable[..., str]) -> None:
    path = program("int main(void) {\n    return 0 +;\n}\n")
    assert re.search(re.escape(path) + r":2:\d+: ", argosy_run("verify", path).stderr)


def test_missing_file_and_directory(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.c", tmp_path):
        run = argosy_run("verify", str(path))
        assert run.returncode == 2 and str(path) in run.stderr


def test_a_witness_of_a_program_has_a_suffix() -> None:
    run = argosy_run("verify", SAFE, "--witness", "x")
    said = "x: a witness of a program is FILE.yml or FILE.graphml"
    assert (last_line(run.stdout), run.returncode) == (f"Verdict: UNKNOWN (unsupported: {said})", 5)


def test_a_witness_is_written_and_checked(tmp_path: Path) -> None:
    witness = str(tmp_path / "w.yml")
    assert argosy_run("verify", SAFE, "--witness", witness).returncode == 0
    run = argosy_run("check", witness, SAFE)
    assert (last_line(run.stdout), run.returncode) == ("Verdict: SAFE", 0) and "Witness confirmed" in run.stdout
    run = argosy_run("check", witness, SAFE, "--each")
    assert run.returncode == 1 and "--each is for 'argosy verify'" in run.stderr
    run = argosy_run("check", SAFE, SAFE)
    assert run.returncode == 5 and "a witness is one of .yml" in run.stdout


# ---- usage -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["verify"], "INPUT"),
        (["verify", SAFE, "--domian", "expl"], "did you mean --domain?"),
        (["verify", SAFE, "--domain", "pred-bol"], "did you mean pred-bool?"),
        (["verify", SAFE, "--strategy", "explicite"], "did you mean explicit?"),
        (["verify", SAFE, "--property", "memsafety"], "did you mean valid-memsafety?"),
        (["verify", SAFE, "--data-model", "ILP64"], "ILP32, LP64"),
        (["verify", SAFE, "--arithmetic", "real"], "auto, int, bits"),
        (["verify", SAFE, "--time-limit", "soon"], "--time-limit"),
        (["verify", SAFE, "--time-limit", "-1"], "--time-limit"),
        (["verify", SAFE, "--memory-limit", "0"], "--memory-limit"),
        (["verify", SAFE, "model.btor2"], "one too many: model.btor2"),
        (["verify", SAFE, "--json", "/no/such/directory/x.json"], "/no/such/directory/x.json"),
        (["strategies", "explicite"], "did you mean explicit?"),
        (["verfy", SAFE], "verfy"),
        ([], "COMMAND"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(arguments) == 1
    out, err = capsys.readouterr()
    assert message in err
    assert out == ("Verdict: UNKNOWN (wrong usage)\n" if arguments[:1] == ["verify"] else "")


def test_library_says_the_same() -> None:
    with pytest.raises(UsageError, match="did you mean pred-bool"):
        argosy.verify(SAFE, domain="pred-bol")
    with pytest.raises(UsageError, match="memory limit"):
        argosy.verify(SAFE, in_process=True, memory_limit=100)
    with pytest.raises(InputError):
        argosy.verify("missing.c")


def test_strategies_are_listed_with_advice(capsys: pytest.CaptureFixture[str]) -> None:
    from argosy.strategies import MODEL_KINDS, STRATEGIES, options_for

    assert cli.main(["strategies"]) == 0
    out = capsys.readouterr().out
    assert all(s.name in out and s.advice in out for s in STRATEGIES.values())
    for option in (option for kind in MODEL_KINDS for option in options_for(kind).values()):
        assert f"--{option.name}" in out and option.values in out and option.advice in out
        assert all(value in out and advice in out for value, advice in option.each.items())
    for name in STRATEGIES:
        assert cli.main(["strategies", name]) == 0


def test_help_and_version_are_quick_and_load_no_solver() -> None:
    code = "import sys, argosy.cli.main; print(sorted({'z3', 'bitwuzla', 'cvc5', 'yaml', 'rich'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = argosy_run("--help")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert run.returncode == 0 and "verify" in run.stdout
    # Processor time: a busy machine does not change it.
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.3
    assert argosy_run("--version").stdout == f"argosy {argosy.__version__}\n"


# ---- how results are shown ---------------------------------------------------------------------------------------


def test_counterexample_shows_what_changes(
    answered: Callable[[Result], None], capsys: pytest.CaptureFixture[str]
) -> None:
    steps = [
        {"line": 9, "operation": "x = 1", "values": {"main::x": 1}},
        {"line": 10, "operation": "y = x", "values": {"main::x": 1, "main::y": 1}},
        {"line": 0, "operation": "y = 2", "values": {"f::y": 2}},
    ]
    answered(Result("unsafe", certified=True, certificate="replay", counterexample=steps, ledger=["f is unknown"]))
    assert cli.main(["verify", SAFE]) == 10
    out = capsys.readouterr().out
    assert "   9  x = 1      x = 1\n    10  y = x      main::y = 1\n        y = 2      f::y = 2\n" in out
    assert "f is unknown" in out and last_line(out) == "Verdict: UNSAFE"


def test_long_counterexamples_lose_their_middle(
    answered: Callable[[Result], None], capsys: pytest.CaptureFixture[str]
) -> None:
    steps = [{"line": i, "operation": f"step {i}", "values": {}} for i in range(1, 501)]
    answered(Result("unsafe", certified=True, certificate="replay", counterexample=steps))
    cli.main(["verify", SAFE])
    out = capsys.readouterr().out
    assert "step 1\n" in out and "step 500\n" in out and "step 250\n" not in out and "476 more" in out
    cli.main(["verify", SAFE, "-v"])
    assert "step 250\n" in capsys.readouterr().out


def test_reason_stays_on_the_verdict_line(
    answered: Callable[[Result], None], capsys: pytest.CaptureFixture[str]
) -> None:
    answered(Task("prog.c").unknown("refinement stuck:\n  no interpolant"))
    assert cli.main(["verify", SAFE]) == 5
    assert last_line(capsys.readouterr().out) == "Verdict: UNKNOWN (refinement stuck: no interpolant)"


def test_crash_asks_for_a_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def crash(*_: object, **__: object) -> Result:
        raise supervisor.Fault("SIGSEGV in a solver", "the-file.txt")

    monkeypatch.setattr(supervisor, "supervise", crash)
    path = tmp_path / "result.json"
    assert cli.main(["verify", SAFE, "--json", str(path)]) == 6
    out, err = capsys.readouterr()
    assert last_line(out) == "Verdict: UNKNOWN (internal error, see the-file.txt)"
    assert "report" in err and "the-file.txt" in err and "Traceback" not in err
    assert Result.from_json(path.read_text()).verdict == "unknown"


def test_a_fault_of_the_command_line_itself_is_reported_too() -> None:
    code = "import sys; from argosy.cli import main as cli; cli._parse = lambda *_: 1 // 0; sys.exit(cli.main())"
    run = subprocess.run([sys.executable, "-c", code, "verify", SAFE], capture_output=True, text=True, check=False)
    assert run.returncode == 6 and "Traceback" not in run.stderr
    path = re.search(r"file (\S+)", run.stderr)
    assert path and "ZeroDivisionError" in Path(path[1]).read_text()
    assert last_line(run.stdout) == f"Verdict: UNKNOWN (internal error, see {path[1]})"
    os.unlink(path[1])


def test_a_reader_that_goes_away_is_no_crash() -> None:
    process = subprocess.Popen([*ARGOSY, "strategies"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.wait()


# ---- results -----------------------------------------------------------------------------------------------------


def test_results_survive_json() -> None:
    result = Result(
        "unsafe",
        certified=True,
        certificate="replay",
        counterexample=[{"line": 1, "operation": "x", "values": {"y": 2}}],
    )
    assert Result.from_json(result.to_json()) == result
    with pytest.raises(ValueError, match="schema"):
        Result.from_json(json.dumps({**json.loads(result.to_json()), "schema": 1}))


@pytest.mark.parametrize(
    "fields",
    [
        {"verdict": "perhaps"},
        {"verdict": "unknown"},
        {"verdict": "safe", "reason": "time limit"},
        {"verdict": "unknown", "reason": "x", "certified": True},
    ],
)
def test_results_that_contradict_themselves(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        Result(**fields)  # type: ignore[arg-type]
