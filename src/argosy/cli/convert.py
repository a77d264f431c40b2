"""``argosy convert``: a model in another format, where both can say it."""

from __future__ import annotations

import argparse
import sys

from argosy.basics.errors import UnsupportedError
from argosy.basics.files import write_bytes, write_text
from argosy.basics.position import Position
from argosy.cli.ending import reporting
from argosy.frontends.registry import OPTIONS, kind_of
from argosy.problem.problem import REQUIREMENT
from argosy.report.conversions import CONVERSIONS, STANDARD_OUTPUT, conversion_for
from argosy.session.run import read
from argosy.session.task import Task

CHOICES = ("numbers", "arithmetic", "property", "data-model")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    suffixes = ", ".join(suffix for each in CONVERSIONS for suffix in each.suffixes)
    parser.add_argument("input", metavar="INPUT", help="what is read: see 'argosy formats'")
    parser.add_argument("output", metavar="OUTPUT", help=f"the file to write ({suffixes}); - is standard output")
    parser.add_argument(
        "--to", metavar="|".join(each.name for each in CONVERSIONS), help="the format, if no suffix says it"
    )
    for option in map(OPTIONS.__getitem__, CHOICES):
        parser.add_argument(f"--{option.name}", metavar=option.metavar, help=option.advice)


def run(options: argparse.Namespace, started: float) -> int:
    return reporting(lambda: _convert(options))


def _convert(options: argparse.Namespace) -> int:
    given = {name: getattr(options, name.replace("-", "_")) for name in CHOICES}
    chosen = {name: value for name, value in given.items() if value is not None}
    conversion = conversion_for(options.output, options.to or "")
    if kind_of(options.input) == "network":
        given["query"] = "E<> true"  # queries are not written, so that none is needed
    task = Task.of(options.input, **{name.replace("-", "_"): value for name, value in given.items()})
    problem = read(task, deep=True)
    if sum(subject.kind == REQUIREMENT for subject in problem.subjects) > 1:
        raise UnsupportedError(Position(options.input, 0), "several requirements, which have models of their own")
    content = conversion.write(problem, chosen)
    if options.output == STANDARD_OUTPUT:
        sys.stdout.flush()
        if isinstance(content, bytes):
            sys.stdout.buffer.write(content)
        else:
            print(content, end="")
    elif isinstance(content, bytes):
        write_bytes(options.output, content)
    else:
        write_text(options.output, content)
    return 0
