"""``argosy formats``: what can be read, how it is recognised, and which options it has."""

from __future__ import annotations

import argparse

from argosy.backends.registry import KINDS
from argosy.basics.choices import choose
from argosy.cli.ending import paint
from argosy.frontends.registry import BY_NAME, FORMATS, OPTIONS, Format
from argosy.report.console import table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="show one format with its options and an example")


def run(options: argparse.Namespace, started: float) -> int:
    if options.name is not None:
        choose("formats", options.name, list(BY_NAME))
        return _one(BY_NAME[options.name])
    rows = [(f.name, ", ".join(f.suffixes), f.title, " ".join(f"--{option}" for option in f.options)) for f in FORMATS]
    for line in table(("name", "suffixes", "what", "options of its own"), rows, paint(), verbose=1):
        print(line)
    return 0


def _one(format: Format) -> int:
    print(f"{paint().title(format.name)}: {format.title} ({', '.join(format.suffixes)}), {KINDS[format.kind].title}")
    print(f"Explained in {format.page}.\n")
    options = [OPTIONS[name] for name in format.options]
    rows = [(f"--{option.name}", option.metavar, option.advice) for option in options]
    for line in table(("option", "values", "what it does"), rows, paint(), verbose=1):
        print(line)
    print("\nAn example:\n")
    print("\n".join(f"    {line}" for line in format.example.splitlines()))
    return 0
