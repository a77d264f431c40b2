"""``argosy simulate`` for networks of timed automata: a run at random (``--random``), by given choices (``--choices``),
or step by step on the terminal. The run is written like a counterexample, to the same pages and files.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator

from argosy.basics.errors import InputError, UsageError
from argosy.basics.files import write_text
from argosy.basics.position import Position
from argosy.cli.ending import complain, paint
from argosy.frontends.uppaal.load import load
from argosy.models.network import Network
from argosy.models.network_evaluation import ModelError
from argosy.models.network_semantics import ImpossibleStep
from argosy.models.network_simulation import HELP, NetworkSimulation, OfferedAction, interval_text, obey
from argosy.report.console import execution
from argosy.report.network_page import page
from argosy.report.runs import taken
from argosy.report.uppaal_trace import traces
from argosy.session.simulated import simulated

MODEL_ERROR = 5
STEPS = 20


def simulate_network(options: argparse.Namespace) -> int:
    for name in ("inputs", "csv", "cycles"):
        if getattr(options, name) is not None:
            raise UsageError(f"--{name} is for programs of controllers")
    network, _ = load(options.input)
    simulation = _begun(options.input, network)
    try:
        if options.random:
            chance = random.Random(options.seed)
            count = STEPS if options.steps is None else options.steps
            if not 0 < count <= 1_000_000:
                raise UsageError("--steps is a number from 1 to 1000000")
            while len(simulation.steps) < count and simulation.draw(chance):
                pass
        elif options.choices is not None:
            for number, text in enumerate(filter(None, map(str.strip, options.choices.split(","))), 1):
                try:
                    obey(simulation, text)
                except (ImpossibleStep, ValueError) as error:
                    raise UsageError(f"--choices, number {number} ({text}): {error}") from None
        else:
            _talk(network, simulation)
    except ModelError as error:
        _show(options, network, simulation)
        complain(f"model error: {error}")
        return MODEL_ERROR
    _show(options, network, simulation)
    return 0


def _begun(path: str, network: Network) -> NetworkSimulation:
    try:
        return NetworkSimulation(network)
    except ModelError as error:
        raise InputError(error.position if error.position.line else Position(path, 0), error.what) from None


def _talk(network: Network, simulation: NetworkSimulation) -> None:
    print(f"  {HELP}")
    while True:
        choices = simulation.choices()
        print(f"time {simulation.time}: " + ", ".join(_where(network, simulation)))
        for line in _offered(network, simulation, choices):
            print(f"  {line}")
        print("> ", end="", flush=True)
        line = sys.stdin.readline()
        if line.strip() in ("", "q"):
            print()
            return
        try:
            obey(simulation, line.strip())
        except (ImpossibleStep, ValueError) as error:
            print(f"  not possible: {error}")


def _where(network: Network, simulation: NetworkSimulation) -> Iterator[str]:
    state = simulation.state
    for process, location in zip(network.processes, state.locations, strict=True):
        yield f"{process.name}.{process.locations[location].name}"
    for variable, value in zip(network.variables, state.values, strict=True):
        if variable.low != variable.high and not variable.meta:
            yield f"{variable.name} = {value}"
    for clock, reading in zip(network.clocks[1:], state.clocks[1:], strict=True):
        yield f"{clock.name} = {reading}"


def _offered(network: Network, simulation: NetworkSimulation, choices: list[OfferedAction]) -> Iterator[str]:
    for number, choice in enumerate(choices, 1):
        yield f"{number}  {taken(network, choice.action.edges)}  after {interval_text(choice.delays)}"
    if not choices:
        yield "nothing is possible any more"
    waits = simulation.waits()
    if waits.high is None or waits.high > 0:
        yield f"w  wait, {interval_text(waits)}"


def _show(options: argparse.Namespace, network: Network, simulation: NetworkSimulation) -> None:
    decided = simulated(options.input, network, simulation.steps)
    result = decided.result
    shown = {**result.answers[0], "reason": None}
    for line in execution(shown, paint(), 1 if options.all else 0):
        print(line)
    for name, exporter in (("report", page), ("witness", traces)):
        path = getattr(options, name)
        if path is not None:
            for where, content in exporter(decided, path):
                assert isinstance(content, str)
                write_text(where, content, f"--{name}")
    if options.json is not None:
        write_text(options.json, result.to_json(), "--json")
