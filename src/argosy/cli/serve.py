"""``argosy serve``: a process in which everything is loaded, for other commands of the same user; see
``argosy.session.warm``."""

from __future__ import annotations

import argparse
import os

from argosy.session.starting import SERVER
from argosy.session.warm import default_path, served


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--socket",
        metavar="PATH",
        default=default_path(),
        help="where to listen, in a folder that is yours alone (%(default)s)",
    )


def run(options: argparse.Namespace, started: float) -> int:
    served(os.path.abspath(options.socket), _say)
    return 0


def _say(path: str) -> None:
    print(
        f"{SERVER}={path}\nCommands that have this in their environment are answered here (Ctrl-C ends it)", flush=True
    )
