"""The 38 programs of [ABE] (*Predicate Abstraction with Adjustable-Block Encoding*, FMCAD 2010), section IV: how
the paper calls them, and where they are in the benchmarks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from tables import Configuration, Figure, Program

LOCKS = [f"test_locks_{n}.c" for n in range(5, 16)]
DRIVERS = [f"{name}.sim.c" for name in ("cdaudio1", "diskperf1", "floppy3", "floppy4", "kbfiltr1", "kbfiltr2")]
DRIVERS_WITH_BUG = [f"{name}_BUG.sim.c" for name in ("cdaudio1", "floppy3", "floppy4", "kbfiltr2")]
SSH = [f"s3_clnt_{n}.sim.c" for n in (1, 2, 3, 4)] + [f"s3_srvr_{n}.sim.c" for n in (1, 2, 3, 4, 6, 7, 8)]
SSH_WITH_BUG = [f"s3_clnt_{n}_BUG.sim.c" for n in (1, 2, 3, 4)] + [f"s3_srvr_{n}_BUG.sim.c" for n in (1, 2)]
ALL = LOCKS + DRIVERS + DRIVERS_WITH_BUG + SSH + SSH_WITH_BUG

LBE = Configuration("LBE", ("--strategy", "lbe"))


def program(bench: Path, name: str) -> Program:
    if name.startswith("test_locks"):
        path = f"locks/{name}"
    elif name.startswith("s3_"):
        path = f"ssh-simplified/{name.removesuffix('.sim.c')}.cil.c"
    else:
        path = "ntdrivers-simplified/" + re.sub(r"(\d)(_BUG)?\.sim\.c$", r"_simpl\1\2.cil.c", name)
    return Program(name, bench / path, "unsafe" if "_BUG" in name else "safe")


def programs(bench: Path, names: Sequence[str] = ALL) -> list[Program]:
    return [program(bench, name) for name in names]


def figures(text: str, columns: Sequence[Configuration]) -> dict[tuple[str, str], Figure]:
    """A table as it is printed, with a time for each configuration, or a time and a number of abstractions."""
    found = {}
    for line in text.split("\n"):
        name, *cells = line.split() or [""]
        each = len(cells) // len(columns)
        for i, column in enumerate(columns):
            if cells:
                found[name, column.name] = Figure(*cells[i * each : (i + 1) * each])
    return found
