"""``argosy strategies``: every named strategy and every option with its values and one line of advice."""

from __future__ import annotations

import argparse

from argosy.basics.choices import choose
from argosy.cli.ending import paint as terminal_paint
from argosy.report.console import table
from argosy.strategies import STRATEGIES, options_for, strategies_for


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="show one strategy with what it chooses")


def run(options: argparse.Namespace, started: float) -> int:
    paint = terminal_paint()
    if options.name is not None:
        named = STRATEGIES[choose("strategies", options.name, STRATEGIES)]
        print(f"{paint.title(named.name)}: {named.advice}")
        chosen = named.options.to_strings()
        rows = [(f"--{o.name}", chosen[o.name], o.values) for o in named.options.declared().values()]
        for line in table(("option", "value", "possible"), rows, paint, verbose=1):
            print(line)
        return 0
    print(paint.title("Strategies") + " (--strategy NAME)")
    advised = [(s.name, s.advice) for s in strategies_for("program").values()]
    for line in table(("name", "advice"), advised, paint, verbose=1):
        print(line)
    print()
    print(paint.title("Options") + " that override single choices of a strategy")
    for o in options_for("program").values():
        print(f"  {paint.title(f'--{o.name}')} {o.values} ({o.default})\n      {o.advice}")
        for value, advice in o.each.items():
            print(f"        {value:13} {advice}")
    print()
    print(paint.title("Transition systems") + " have all of these, and strategies of their own")
    advised = [(s.name, s.advice) for s in STRATEGIES.values() if s.kind == "system"]
    for line in table(("name", "advice"), advised, paint, verbose=1):
        print(line)
    print()
    print(paint.title("Horn clauses") + " have those of programs, and")
    advised = [(s.name, s.advice) for s in STRATEGIES.values() if s.kind == "clause"]
    for line in table(("name", "advice"), advised, paint, verbose=1):
        print(line)
    print()
    print(paint.title("Networks of timed automata") + " have strategies of their own")
    advised = [(s.name, s.advice) for s in STRATEGIES.values() if s.kind == "network"]
    for line in table(("name", "advice"), advised, paint, verbose=1):
        print(line)
    print()
    described = [(f"--{o.name}", o.values, o.default, o.advice) for o in options_for("network").values()]
    for line in table(("option", "values", "default", "advice"), described, paint, verbose=1):
        print(line)
    return 0
