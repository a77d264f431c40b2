"""``argosy config``: which settings are in force here, and where they come from."""

from __future__ import annotations

import argparse
import json
import os

from argosy.cli import verify
from argosy.cli.ending import paint
from argosy.cli.settings import FILES, apply, nearest
from argosy.report.console import table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="where one would work (here)")


def run(options: argparse.Namespace, started: float) -> int:
    settings = nearest(options.folder)
    if settings.path is None:
        print(f"no settings: neither {FILES[0]} nor a [tool.argosy] in {FILES[1]}, here or above")
        return 0
    parser = argparse.ArgumentParser()
    verify.add_arguments(parser)
    apply(parser, settings)
    print(paint().faint(os.path.relpath(settings.path)))
    rows = [(name, json.dumps(value)) for name, value in settings.values.items()]
    for line in table(("option of verify", "value"), rows, paint(), verbose=1):
        print(line)
    return 0
