"""The commands that stand in the documentation, with the files that they speak of.

``python -m tests.documents`` runs all of them, under limits, and says which do not do what they should.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]

# What commands end with: a verdict, or nothing at all.
ENDINGS = (0, 5, 10)
TIME_LIMIT = 20

# The files that the pages call so, each with an example that is what they mean.
STAND_INS = {
    "prog.c": "examples/c/lock.c",
    "model.xta": "examples/ta/train_gate.xta",
    "model.q": "examples/ta/train_gate.q",
    "model.armc": "examples/armc/crossing1.armc",
    "model.pl": "examples/armc/crossing1.armc",
    "model.btor2": "examples/systems/fifo.btor2",
    "circuit.aig": "examples/systems/token_ring.aag",
    "clauses.smt2": "examples/horn/two_loops.smt2",
    "door.st": "examples/plc/door.st",
    "tests/lock.c": "examples/c/lock.c",
    "tests/lock_bug.c": "examples/c/lock_bug.c",
    "tasks/lock.c": "examples/c/lock.c",
    "tasks/loops/lock.c": "examples/c/lock.c",
}
TRACE = "call_up,call_down,at_top,at_bottom\n1,0,0,1\n0,0,1,0\n"
TEXTS = {
    "unreach-call.prp": "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
    "task.yml": "format_version: '2.0'\ninput_files: 'prog.c'\nproperties:\n"
    "  - property_file: unreach-call.prp\n    expected_verdict: true\noptions:\n  data_model: ILP32\n  language: C\n",
    "include/stack.h": "int push(int value);\n",
    "main.c": '#include "stack.h"\nextern void reach_error(void); int check_door(int *p) { return p ? push(*p) : 0; }\n'
    "int main(void) { if (push(2) != 3) reach_error(); return 0; }\n",
    "stack.c": '#include "stack.h"\nint push(int value) { return value + 1; }\n',
    "compile_commands.json": '[{"directory": ".", "file": "main.c", "command": "cc -Iinclude -c main.c"},\n'
    '{"directory": ".", "file": "stack.c", "command": "cc -Iinclude -c stack.c"}]\n',
    "tasks/index.csv": "file,expected\nlock.c,safe\n",
    "trace.csv": TRACE,
    "violation.csv": TRACE,
}


def blocks(text: str) -> Iterator[str]:
    """Code blocks, fenced or indented, as they are printed."""
    fence: str | None = None
    block: list[str] = []
    for line in [*text.splitlines(), ""]:
        if fence is None and line.startswith("```"):
            fence, block = line[3:].strip(), []
        elif fence is not None and line.startswith("```"):
            yield "\n".join(block)
            fence, block = None, []
        elif fence is not None:
            block.append(line)
        elif line.startswith("    "):
            yield line[4:]


def commands() -> list[str]:
    """Every ``argosy ...`` of the pages, once, without its remark."""
    found = {}
    for page in PAGES:
        for block in blocks(page.read_text(encoding="utf-8")):
            for line in re.sub(r"\\\n\s*", " ", block).splitlines():
                words = line.strip().removeprefix("$ ")
                if words.startswith("argosy ") and "..." not in words and "…" not in words:
                    found[re.sub(r"\s+#.*$", "", words).strip()] = page.name
    return list(found)


def furnish(folder: Path) -> None:
    """Everything that the commands name."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    for name, example in STAND_INS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / example, folder / name)
    for name, text in TEXTS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """As it is printed, in a shell, with a time limit of our own where it has none."""
    if command.startswith("argosy verify") and "--time-limit" not in command:
        command = command.replace("argosy verify", f"argosy verify --time-limit {TIME_LIMIT}", 1)
    if command.startswith("argosy bench") and "--time-limit" not in command:
        command += f" --time-limit {TIME_LIMIT}"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command, shell=True, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=300
    )


def main() -> int:
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        furnish(Path(name))
        for command in commands():
            if shlex.split(command)[1] in ("lsp", "ui"):
                continue  # it serves until somebody leaves
            ran = run(command, Path(name))
            if ran.returncode not in ENDINGS:
                failed += 1
                print(f"{ran.returncode}  {command}\n{ran.stderr}", flush=True)
    print(f"{len(commands())} commands, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
