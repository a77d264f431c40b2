"""``argosy strategies``: every named strategy and every option with its values and one line of advice."""

from __future__ import annotations

import argparse

from argosy.cli.ending import paint as terminal_paint
from argosy.frontends.registry import choose
from argosy.report.console import table
from argosy.strategies import OPTIONS, STRATEGIES
from argosy.strategies.networks import NETWORK_OPTIONS, NETWORKS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="show one strategy with what it chooses")


def run(options: argparse.Namespace, started: float) -> int:
    paint = terminal_paint()
    if options.name is not None:
        every = {**STRATEGIES, **NETWORKS}
        named = every[choose("strategies", options.name, list(every))]
        print(f"{paint.title(named.name)}: {named.advice}")
        table_of = NETWORK_OPTIONS if named.name in NETWORKS else OPTIONS
        rows = [(f"--{o.name}", named.defaults[o.name], o.values) for o in table_of if o.name in named.defaults]
        for line in table(("option", "value", "possible"), rows, paint, verbose=1):
            print(line)
        return 0
    print(paint.title("Strategies") + " (--strategy NAME)")
    for line in table(("name", "advice"), [(s.name, s.advice) for s in STRATEGIES.values()], paint, verbose=1):
        print(line)
    print()
    print(paint.title("Options") + " that override single choices of a strategy")
    for o in OPTIONS:
        print(f"  {paint.title(f'--{o.name}')} {o.values} ({o.default})\n      {o.advice}")
        for value, advice in o.each.items():
            print(f"        {value:13} {advice}")
    print()
    print(paint.title("Networks of timed automata") + " have strategies of their own")
    for line in table(("name", "advice"), [(s.name, s.advice) for s in NETWORKS.values()], paint, verbose=1):
        print(line)
    print()
    described = [(f"--{o.name}", o.values, o.default, o.advice) for o in NETWORK_OPTIONS]
    for line in table(("option", "values", "default", "advice"), described, paint, verbose=1):
        print(line)
    return 0
