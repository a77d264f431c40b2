"""``argosy lsp``: a language server for editors, on standard input and output; see ``argosy.lsp``."""

from __future__ import annotations

import argparse
import io
import os
import sys
from importlib.util import find_spec

from argosy.basics.records import replace
from argosy.cli import verify
from argosy.cli.ending import UNKNOWN, complain
from argosy.cli.settings import apply, nearest, of_a_project
from argosy.cli.streams import Output
from argosy.frontends.registry import by_suffix
from argosy.session.task import Task

# Nobody at an editor waits longer, where nothing is said about limits.
TIME_LIMIT = 60.0

# Of what is printed, and of nothing that an editor shows.
_PRINTED = ("output-format", "summary", "exit-by", "fail-on", "quiet", "verbose")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``verify`` that a project may set; what is not given here is left to the settings of the folder
    that a file is in."""
    parser.add_argument("--stdio", action="store_true", help="serve on standard input and output, as always")
    asked = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    verify.add_arguments(asked)
    group = parser.add_argument_group("options of 'argosy verify'", "They win over the settings of a project.")
    for name, action in of_a_project(asked).items():
        if name not in _PRINTED:
            action.default = argparse.SUPPRESS
            group._add_action(action)


def run(options: argparse.Namespace, started: float) -> int:
    if find_spec("pygls") is None:
        complain("argosy lsp needs pygls: pip install 'argosy[lsp]'")
        return UNKNOWN
    from argosy.lsp.server import serve

    chosen = {name: value for name, value in vars(options).items() if name not in ("command", "own_process", "stdio")}
    # The protocol has a stream of its own: what anything else prints must not get into it.
    sys.stdout.flush()
    with io.BufferedWriter(Output(os.dup(1), "w")) as sink:
        os.dup2(2, 1)
        serve(lambda path: task_for(path, chosen), lambda path: by_suffix(path) is not None, sys.stdin.buffer, sink)
    return 0


def task_for(path: str, chosen: dict[str, object]) -> Task:
    """How a file is verified: as ``argosy verify`` in its folder would, with what was chosen for all files."""
    parser = argparse.ArgumentParser()
    verify.add_arguments(parser)
    apply(parser, nearest(os.path.dirname(path)))
    options = parser.parse_args([path], argparse.Namespace(**chosen))
    if options.time_limit is None:
        options.time_limit = TIME_LIMIT
    task = verify.task_of(options, path)
    return replace(task, jobs=task.jobs or 1)
