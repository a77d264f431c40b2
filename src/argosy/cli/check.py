"""``argosy check WITNESS INPUT``: a witness of a C program, ours or that of others, against the program.

The options, the verdict line and the exit codes are those of ``verify``: SAFE and UNSAFE confirm the witness, and are
certified; a witness that is not right leaves UNKNOWN, with what is wrong in the reason.
"""

from __future__ import annotations

import argparse

from argosy.basics.errors import UsageError
from argosy.cli import verify


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("checked", metavar="WITNESS", help="format 2.0 (.yml) or 1.0 (.graphml)")
    verify.add_arguments(parser)


def run(options: argparse.Namespace, started: float) -> int:
    for name in ("summary", "each", "execute"):
        if getattr(options, name):
            raise UsageError(f"--{name} is for 'argosy verify'")
    return verify.run(options, started)
