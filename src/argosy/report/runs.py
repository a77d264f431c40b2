"""A run of a network as the steps that results hold: the initial state, then one step for each action with the delay
before it. A step is plain data, so that texts, traces and pictures can be made of a result that was read from a file.

``values`` are the locations and variables that changed; ``edges`` are those that moved together, the sender first;
``time``, ``delay`` and ``clocks`` are exact rationals as text. ``zone`` has the bounds that all runs with the same
actions keep in this state (delays included), each as UPPAAL would read it. ``repeats`` is true of the steps that are
taken again and again.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from argosy.certify.timed_replay import Moment
from argosy.kernel.dbm import Zone
from argosy.models.network import Network, TimedEdge

INITIAL = "initial state"
DELAY = "delay"


def described(
    network: Network, moments: Sequence[Moment], zones: Sequence[Zone], repeats: int | None = None
) -> list[dict[str, Any]]:
    """The steps of a run; ``zones[k]`` belongs to the state after k actions. What comes after the moment ``repeats`` is
    taken again and again."""
    steps: list[dict[str, Any]] = []
    names = [clock.name for clock in network.clocks[1:]]
    known: dict[str, Any] = {}
    entered = moments[0].time
    actions = 0
    for number, moment in enumerate(moments):
        delays_only = number > 0 and moment.action is None
        if delays_only and number + 1 < len(moments) and number != repeats:
            continue
        values = valued(network, moment)
        edges = () if moment.action is None else moment.action.edges
        actions += bool(edges)
        steps.append(
            {
                "line": next((edge.position.line for edge in edges), 0),
                "operation": DELAY if delays_only else taken(network, edges) if edges else INITIAL,
                "values": {name: value for name, value in values.items() if known.get(name) != value},
                "delay": str(moment.time - entered),
                "time": str(moment.time),
                "clocks": {name: str(value) for name, value in zip(names, moment.state.clocks[1:], strict=True)},
                "zone": zones[actions].constraints(names) if actions < len(zones) else [],
                "edges": [] if moment.action is None else moved(network, edges, moment.action.channel),
                **({} if repeats is None else {"repeats": number > repeats}),
            }
        )
        known, entered = values, moment.time
    return steps


def failing(network: Network, edges: Sequence[TimedEdge], delay: Fraction, time: Fraction) -> dict[str, Any]:
    """A last action that ends in a model error: nothing is known of the state after it."""
    return {
        "line": next((edge.position.line for edge in edges), 0),
        "operation": taken(network, edges) or DELAY,
        "values": {},
        "delay": str(delay),
        "time": str(time),
        "clocks": {},
        "zone": [],
        "edges": moved(network, edges, None),
    }


def valued(network: Network, moment: Moment) -> dict[str, Any]:
    """Processes with their locations, and variables that are not constant; a process's name may also be a
    variable's, so locations are written ``P.location``. (If P has a variable of that name, it is written
    ``P.location (variable)``.)"""
    state = moment.state
    values: dict[str, Any] = {
        f"{process.name}.location": process.locations[location].name
        for process, location in zip(network.processes, state.locations, strict=True)
    }
    for variable, value in zip(network.variables, state.values, strict=True):
        if variable.low != variable.high and not variable.meta:
            name = variable.name if variable.name not in values else f"{variable.name} (variable)"
            values[name] = bool(value) if variable.boolean else value
    return values


def taken(network: Network, edges: Sequence[TimedEdge]) -> str:
    """The edges of an action as UPPAAL writes them; who only does not take part in a broadcast is left out."""
    shown = []
    for edge in edges:
        if edge.idle:
            continue
        process = network.processes[edge.process]
        source, target = process.locations[edge.source].name, process.locations[edge.target].name
        label = f" {edge.text.synchronisation}" if edge.text.synchronisation else ""
        shown.append(f"{process.name}.{source}->{process.name}.{target}{label}")
    return ", ".join(shown)


def moved(network: Network, edges: Sequence[TimedEdge], channel: int | None) -> list[dict[str, Any]]:
    """The edges of an action one by one, with the channel that was computed for them."""
    shown = []
    for edge in edges:
        if edge.idle:
            continue
        process = network.processes[edge.process]
        synchronisation = edge.text.synchronisation
        if channel is not None and edge.synchronisation is not None:
            synchronisation = network.channels[channel].name + ("!" if edge.synchronisation.sends else "?")
        shown.append(
            {
                "process": process.name,
                "source": process.locations[edge.source].name,
                "target": process.locations[edge.target].name,
                "edge": edge.index,
                "line": edge.position.line,
                "select": edge.text.select,
                "guard": edge.text.guard,
                "synchronisation": synchronisation,
                "update": edge.text.update,
            }
        )
    return shown
