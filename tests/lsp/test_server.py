"""``argosy lsp`` as an editor sees it: saved, edited, cancelled, over standard input and output."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from argosy.lsp.findings import Weight
from argosy.lsp.names import CANCEL
from tests.lsp.editor import Editor
from tests.test_supervisor import all_die

FADED = 1  # DiagnosticTag.Unnecessary

EXAMPLES = Path(__file__).parent.parent.parent / "examples"

UNSAFE = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  /* ß𝔘 */ int x = __VERIFIER_nondet_int();
  if (x == 7) {
    /* 𝔘 */ reach_error();
  }
  return 0;
}
"""
SAFE = """extern void reach_error(void);
int main(void) {
  unsigned x = 0, y = 0;
  while (x < 1000u) { x++; y++; }
  if (x != y) reach_error();
  return 0;
}
"""
# Two factors of a product of large primes: no solver finds them within the test.
HARD = """extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void reach_error(void);
int main(void) {
  unsigned long long x = __VERIFIER_nondet_ulonglong(), y = __VERIFIER_nondet_ulonglong();
  if (x > 1 && x < 4294967296u && y > 1 && y < 4294967296u && x * y == 18446743979220271189u) reach_error();
  return 0;
}
"""


def below(pid: int) -> list[int]:
    """The processes that a process started, and those that these started."""
    table = subprocess.run(["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = {int(child): int(parent) for child, parent in map(str.split, table.splitlines())}
    found = [pid]
    for each in found:
        found += [child for child, parent in parents.items() if parent == each]
    return found[1:]


def drive(steps: Callable[[Editor], Awaitable[None]], *arguments: str) -> None:
    """An editor from its start to its end."""

    async def session() -> None:
        editor = Editor()
        await editor.start(*arguments)
        try:
            await steps(editor)
        finally:
            await editor.leave()
        assert editor.process.returncode == 0

    asyncio.run(session())


def test_a_violation_is_a_diagnostic_with_its_trace_and_values_until_it_is_edited(tmp_path: Path) -> None:
    path = tmp_path / "a b.c"
    path.write_text(UNSAFE, encoding="utf-8")

    async def steps(editor: Editor) -> None:
        editor.open(path)
        assert await editor.verdict(path) == "UNSAFE"
        (found,) = editor.about(path)
        assert int(found.severity or 0) == Weight.ERROR and found.code == "unreach-call"
        assert found.message == "reach_error is called, after 1 input"
        # UTF-16 code units: the letter outside of the basic plane counts twice.
        assert (found.range.start.line, found.range.start.character) == (5, 13)
        trace = found.related_information or []
        assert "x = 7" in trace[0].message and trace[0].location.range.start.line == 3
        assert trace[-1].location.range.start.line == 5 and trace[0].location.uri == path.as_uri()
        (hint,) = await editor.hints(path)
        assert (hint.label, hint.position.line) == ("x = 7", 3)
        assert hint.position.character == len(UNSAFE.splitlines()[3].encode("utf-16-le")) // 2
        # A line above: what was said moves along, and is marked.
        editor.edit(path, (0, 0), (0, 0), "/* new */\n")
        await editor.until(lambda: "stale" in editor.about(path)[0].message)
        (stale,) = editor.about(path)
        assert stale.range.start.line == 6 and int(stale.severity or 0) == Weight.INFORMATION
        assert list(stale.tags or ()) == [FADED]
        (hint,) = await editor.hints(path)
        assert (hint.label, hint.position.line) == ("(stale) x = 7", 4)
        # Undone, it is as good as before.
        editor.edit(path, (0, 0), (1, 0), "")
        await editor.until(lambda: "stale" not in editor.about(path)[0].message)
        assert editor.about(path) == [found]
        editor.close(path)
        await editor.until(lambda: not editor.about(path))

    drive(steps)


def test_a_proof_shows_its_invariant_and_takes_back_what_was_said_before(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(UNSAFE, encoding="utf-8")

    async def steps(editor: Editor) -> None:
        editor.open(path)
        assert await editor.verdict(path) == "UNSAFE"
        path.write_text(SAFE)
        editor.edit(path, (0, 0), (100, 0), SAFE)
        assert await editor.verdict(path) == "SAFE"
        assert editor.about(path) == []
        hints = await editor.hints(path)
        assert [hint.position.line for hint in hints] == [3] and str(hints[0].label).startswith("invariant: ")
        begin = editor.progress[editor.stages().index("begin")]
        assert begin["cancellable"] and "p.c" in begin["title"]

    drive(steps, "--strategy", "lbe")


@pytest.mark.parametrize("way", ["progress", "command", "leave"])
def test_a_run_is_cancelled_and_the_server_answers_meanwhile(tmp_path: Path, way: str) -> None:
    path = tmp_path / "hard.c"
    path.write_text(HARD)
    started: list[int] = []

    async def steps(editor: Editor) -> None:
        editor.open(path)
        editor.save(path)
        await editor.until(lambda: "report" in editor.stages())
        assert await editor.hints(path) == []
        started.extend(below(editor.process.pid))
        assert len(started) >= 2
        if way == "progress":
            editor.cancel()
        elif way == "command":
            await editor.command(CANCEL, path)
        else:
            return
        await editor.until(lambda: editor.stages()[-1] == "end")
        assert editor.progress[-1]["message"] == "cancelled" and editor.about(path) == []

    drive(steps, "--time-limit", "600")
    assert all_die(started)


BROKEN = [
    ("syntax.c", "int main(void) {\n  int x = ;\n}\n", "syntax error", (1, 10), 1),
    ("jump.c", "#include <setjmp.h>\nint main(void) { jmp_buf b; return setjmp(b); }\n", "setjmp", (1, 35), 2),
    ("bug.sts", (EXAMPLES / "theta" / "counter_bug.sts").read_text(), "exact fails, after 3 inputs", (3, 13), 1),
    ("alarm.xta", (EXAMPLES / "ta" / "alarm.xta").read_text(), "Formula is satisfied.", (10, 4), 3),
]


def test_every_format_has_diagnostics(tmp_path: Path) -> None:
    (tmp_path / "alarm.q").write_text((EXAMPLES / "ta" / "alarm.q").read_text())

    async def steps(editor: Editor) -> None:
        for name, text, said, place, severity in BROKEN:
            path = tmp_path / name
            path.write_text(text)
            editor.open(path)
            await editor.verdict(path)
            (found,) = editor.about(path)
            assert said in found.message and found.severity == severity
            assert (found.range.start.line, found.range.start.character) == place

    drive(steps)


def test_a_violation_in_a_header_is_shown_there_and_taken_back(tmp_path: Path) -> None:
    header, path = tmp_path / "check.h", tmp_path / "use.c"
    header.write_text("extern void reach_error(void);\nstatic void must(int c) {\n  if (!c) reach_error();\n}\n")
    path.write_text('#include "check.h"\nint main(void) {\n  must(1 < 0);\n  return 0;\n}\n')

    async def steps(editor: Editor) -> None:
        editor.open(path)
        assert await editor.verdict(path) == "UNSAFE"
        (found,) = editor.about(header)
        assert (found.range.start.line, editor.about(path)) == (2, [])
        assert [step.location.uri for step in found.related_information or ()][-1] == header.as_uri()
        editor.edit(path, (2, 7), (2, 12), "0 < 1")
        await editor.until(lambda: "stale" in editor.about(header)[0].message)
        path.write_text(path.read_text().replace("1 < 0", "0 < 1"))
        assert await editor.verdict(path) == "SAFE"
        assert editor.about(header) == []

    drive(steps)


def test_a_project_s_settings_are_those_of_the_file_and_what_is_wrong_is_said(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(UNSAFE, encoding="utf-8")
    (tmp_path / "argosy.toml").write_text('stratgy = "lbe"\n')
    other = tmp_path / "notes.txt"
    other.write_text("words")

    async def steps(editor: Editor) -> None:
        editor.open(other)
        editor.save(other)
        editor.open(path)
        assert await editor.verdict(path) == "wrong settings"
        assert "no setting 'stratgy'" in editor.about(path)[0].message
        assert editor.about(other) == []

    drive(steps)
