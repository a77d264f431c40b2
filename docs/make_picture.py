"""Draws the pictures of the README from real runs: ``make picture``.

A program is verified inside a pseudo-terminal; what it prints, colours included, becomes an SVG.
"""

from __future__ import annotations

import io
import os
import pty
import re
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parent.parent
WIDTH = 100


def recorded(command: list[str]) -> str:
    """What the command writes to a terminal, without the progress line that it erases at the end."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(ROOT)
        os.environ.update(TERM="xterm-256color", COLUMNS=str(WIDTH))
        os.environ.pop("NO_COLOR", None)
        os.execv(sys.executable, [sys.executable, "-m", *command])
    output = b""
    try:
        while chunk := os.read(terminal, 4096):
            output += chunk
    except OSError:
        pass  # how Linux reports the end of a terminal
    os.waitpid(process, 0)
    lines = output.decode().replace("\r\n", "\n").split("\n")
    return "\n".join(re.sub(r"^.*\r\x1b\[K", "", line) for line in lines)


def draw(target: Path, *commands: str) -> None:
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    for i, command in enumerate(commands):
        if i:
            console.print()
        console.print(Text.assemble(("$ ", "bold green"), (command, "bold")))
        console.print(Text.from_ansi(recorded(command.split()).rstrip()))
    target.parent.mkdir(exist_ok=True)
    drawing = console.export_svg(title="argosy", unique_id=target.stem)
    drawing = re.sub(r"@font-face \{.*?\}|<!--.*?-->", "", drawing, flags=re.DOTALL)  # no fonts from elsewhere
    target.write_text("\n".join(line.rstrip() for line in drawing.splitlines() if line.strip()) + "\n")


if __name__ == "__main__":
    draw(
        ROOT / "docs" / "images" / "verify.svg",
        "argosy verify examples/c/overdraft.c",
        "argosy verify examples/c/two_counters.c --strategy lbe",
    )
