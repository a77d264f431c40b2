"""A run of a network as XML, in the shape of UPPAAL's symbolic traces: the system, then vectors of locations and
variables, difference-bound matrices, the nodes that combine them, and the transitions between nodes.

Only what the run meets is listed of the system. A node also has the time at which this run enters it, a transition
its delay; both are exact rationals.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree as Xml

REFERENCE = "t(0)"
"""UPPAAL's name for the clock that is always 0."""

_CONSTRAINT = re.compile(r"(?P<left>\S+)(?: - (?P<right>\S+))? (?P<relation><=|<|==|>=|>) (?P<bound>-?\d+)")


def trace_xml(steps: Sequence[Mapping[str, Any]], *, model: str, query: str) -> str:
    """The document; ``steps`` are those of ``report.runs``."""
    root = Xml.Element("trace", initial_node="State0", trace_options="symbolic", model=model, query=query)
    states = _states(steps)
    _system(Xml.SubElement(root, "system"), steps, states)
    for number, (step, state) in enumerate(zip(steps, states, strict=True)):
        locations = " ".join(f"{process}.{name}" for process, name in state.items() if isinstance(name, str))
        Xml.SubElement(root, "location_vector", id=f"Locations{number}", locations=locations)
        variables = Xml.SubElement(root, "variable_vector", id=f"Variables{number}")
        for name, value in state.items():
            if not isinstance(value, str):
                Xml.SubElement(variables, "variable_state", variable=name, value=str(int(value)))
        zone = Xml.SubElement(root, "dbm_instance", id=f"Zone{number}")
        for constraint in step["zone"]:
            _bounds(zone, constraint)
        node = Xml.SubElement(root, "node", id=f"State{number}", time=step["time"])
        node.set("location_vector", f"Locations{number}")
        node.set("variable_vector", f"Variables{number}")
        node.set("dbm_instance", f"Zone{number}")
    for number, step in enumerate(steps[1:], 1):
        transition = Xml.SubElement(root, "transition", delay=step["delay"])
        transition.set("from", f"State{number - 1}")
        transition.set("to", f"State{number}")
        transition.set("edges", " ".join(_identity(edge) for edge in step["edges"]))
    Xml.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{Xml.tostring(root, encoding="unicode")}\n'


def _states(steps: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Locations (as text, by process) and variables after every step."""
    states: list[dict[str, Any]] = []
    known: dict[str, Any] = {}
    for step in steps:
        changes = {
            name.removesuffix(".location") if isinstance(value, str) else name: value
            for name, value in step["values"].items()
        }
        known = {**known, **changes}
        states.append(known)
    return states


def _system(system: Xml.Element, steps: Sequence[Mapping[str, Any]], states: Sequence[Mapping[str, Any]]) -> None:
    processes = [name for name, value in states[0].items() if isinstance(value, str)]
    edges = {_identity(edge): edge for step in steps for edge in step["edges"]}
    for name in states[0]:
        if name not in processes:
            Xml.SubElement(system, "variable", id=name, name=name)
    for name in (REFERENCE, *steps[0]["clocks"]):
        Xml.SubElement(system, "clock", id=name, name=name)
    for process in processes:
        element = Xml.SubElement(system, "process", id=process, name=process)
        for location in dict.fromkeys(state[process] for state in states):
            Xml.SubElement(element, "location", id=f"{process}.{location}", name=location)
        for identity, edge in edges.items():
            if edge["process"] == process:
                child = Xml.SubElement(element, "edge", id=identity, line=str(edge["line"]))
                child.set("from", f"{process}.{edge['source']}")
                child.set("to", f"{process}.{edge['target']}")
                for label, key in (("select", "select"), ("guard", "guard"), ("sync", "synchronisation")):
                    Xml.SubElement(child, label).text = edge[key]
                Xml.SubElement(child, "update").text = edge["update"]


def _identity(edge: Mapping[str, Any]) -> str:
    return f"{edge['process']}.Edge{edge['edge']}"


def _bounds(zone: Xml.Element, constraint: str) -> None:
    match = _CONSTRAINT.fullmatch(constraint)
    if match is None:
        raise ValueError(f"not a bound on clocks: {constraint}")
    left, right, bound = match["left"], match["right"] or REFERENCE, int(match["bound"])
    if match["relation"] in ("<", "<=", "=="):
        comparison = "<" if match["relation"] == "<" else "<="
        Xml.SubElement(zone, "clockbound", clock1=left, clock2=right, bound=str(bound), comp=comparison)
    if match["relation"] in (">", ">=", "=="):
        comparison = "<" if match["relation"] == ">" else "<="
        Xml.SubElement(zone, "clockbound", clock1=right, clock2=left, bound=str(-bound), comp=comparison)
