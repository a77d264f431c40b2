"""``argosy simulate`` for networks of timed automata: a run at random (``--random``), by given choices (``--choices``),
or step by step on the terminal. The run is written like a counterexample, to the same pages and files.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from fractions import Fraction

from argosy.backends.contract import UNKNOWN, Answer, TimedRun
from argosy.basics.errors import InputError, UsageError
from argosy.basics.files import write_text
from argosy.basics.position import Position
from argosy.certify.timed_replay import TimedStep, replay
from argosy.cli.ending import complain, paint
from argosy.frontends.uppaal.load import load
from argosy.kernel.concretise import follow
from argosy.kernel.graph import ZoneGraph
from argosy.models.network import Network
from argosy.models.network_evaluation import ModelError
from argosy.models.network_semantics import ImpossibleStep, Interval
from argosy.models.network_simulation import NetworkSimulation, OfferedAction
from argosy.problem.problem import Problem, Subject
from argosy.report.answers import result_of
from argosy.report.console import execution
from argosy.report.exporters import Decided
from argosy.report.network_page import page
from argosy.report.runs import taken
from argosy.report.uppaal_trace import traces

SIMULATED = "a simulation says nothing about other runs"
MODEL_ERROR = 5
STEPS = 20
HELP = "N: take it as early as possible; N DELAY: after that delay; w DELAY: wait; b: back; q or an empty line: end"


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
                    _obey(simulation, text)
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
            _obey(simulation, line.strip())
        except (ImpossibleStep, ValueError) as error:
            print(f"  not possible: {error}")


def _obey(simulation: NetworkSimulation, text: str) -> None:
    """One choice, as a person types it."""
    words = text.split()
    if words == ["b"]:
        if not simulation.back():
            raise ValueError("this is the initial state")
        return
    try:
        delay = Fraction(words[1]) if len(words) > 1 else None
        number = None if words[0] == "w" else int(words[0])
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"what is {text!r}? {HELP}") from None
    if len(words) > 2 or (number is None and delay is None):
        raise ValueError(f"what is {text!r}? {HELP}")
    if number is None:
        assert delay is not None
        simulation.do(None, delay)
        return
    choices = simulation.choices()
    if not 1 <= number <= len(choices):
        raise ValueError(f"there is no choice {number}")
    chosen = choices[number - 1]
    simulation.do(chosen.action, _earliest(chosen.delays) if delay is None else delay)


def _earliest(window: Interval) -> Fraction:
    """Where the first moment is excluded: half-way to the end, or to one unit later."""
    if not window.low_open:
        return window.low
    return (window.low + window.high) / 2 if window.high is not None else window.low + 1


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
        yield f"{number}  {taken(network, choice.action.edges)}  after {_interval(choice.delays)}"
    if not choices:
        yield "nothing is possible any more"
    waits = simulation.waits()
    if waits.high is None or waits.high > 0:
        yield f"w  wait, {_interval(waits)}"


def _interval(window: Interval) -> str:
    if window.high is not None and window.low == window.high:
        return str(window.low)
    high = "..." if window.high is None else str(window.high)
    closed = window.high is None or window.high_open
    return f"{'(' if window.low_open else '['}{window.low}, {high}{')' if closed else ']'}"


def _show(options: argparse.Namespace, network: Network, simulation: NetworkSimulation) -> None:
    steps = [TimedStep(delay, () if action is None else action.edges) for delay, action in simulation.steps]
    moments = replay(network, steps)
    zones = [state.zone for state in follow(ZoneGraph(network), [step.edges for step in steps if step.edges])]
    subject = Subject("query", "simulation")
    answer = Answer(subject, UNKNOWN, SIMULATED, None, TimedRun(network, moments, zones))
    problem = Problem("network", "uppaal", options.input, network, (subject,), network.notes, (options.input,))
    result = result_of(problem, [answer])
    shown = {**result.answers[0], "reason": None}
    for line in execution(shown, paint(), 1 if options.all else 0):
        print(line)
    decided = Decided(problem, [answer], result)
    for name, exporter in (("report", page), ("witness", traces)):
        path = getattr(options, name)
        if path is not None:
            for where, content in exporter(decided, path):
                assert isinstance(content, str)
                write_text(where, content, f"--{name}")
    if options.json is not None:
        write_text(options.json, result.to_json(), "--json")
