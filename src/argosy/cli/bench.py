"""``argosy bench``: see ``argosy.bench.command``."""

from __future__ import annotations

import argparse

from argosy.bench import command
from argosy.bench.command import add_arguments
from argosy.cli.ending import reporting

__all__ = ["add_arguments", "run"]


def run(options: argparse.Namespace, started: float) -> int:
    return reporting(lambda: command.run(options))
