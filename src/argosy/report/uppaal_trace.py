"""A run of a network as XML, in the shape of the symbolic traces that UPPAAL writes and other programs read: the
system, then vectors of locations and variables, difference-bound matrices, the nodes that combine them, and the
transitions between nodes.

Names are UPPAAL's: what is global has the identity ``sys.NAME``, what belongs to a process ``PROCESS.NAME``; the
clock that is always 0 is ``sys.t(0)``; numbers start at 1. A matrix is written in full, row by row, in the order in
which the clocks are declared. Nothing is written between the bounds of a matrix or the labels of an edge, because some
readers take white space for one of them.

Only what the run meets is listed of the system. A node also has the time at which this run enters it, a transition
its delay; both are exact rationals.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from xml.etree import ElementTree as Xml

from argosy.kernel import dbm
from argosy.report.exporters import Decided, File

SYSTEM = "sys"
REFERENCE = "t(0)"

_CONSTRAINT = re.compile(r"(?P<left>\S+)(?: - (?P<right>\S+))? (?P<relation><=|<|==|>=|>) (?P<bound>-?\d+)")


def traces(decided: Decided, path: str) -> Iterator[File]:
    """One run is written to ``path`` itself; of several, that of query 2 is ``trace-2.xml`` for ``trace.xml``."""
    result = decided.result
    found = [(number, answer) for number, answer in enumerate(result.answers, 1) if answer["counterexample"]]
    for number, answer in found:
        stem, ending = os.path.splitext(path)
        where = path if len(found) == 1 else f"{stem}-{number}{ending}"
        model = os.path.basename(result.input)
        yield where, trace_xml(answer["counterexample"], model=model, query=answer["text"])


def trace_xml(steps: Sequence[Mapping[str, Any]], *, model: str, query: str) -> str:
    """The document; ``steps`` are those of ``report.runs``."""
    root = Xml.Element("trace", initial_node="State1", trace_options="symbolic", model=model, query=query)
    states = _states(steps)
    processes = [name for name, value in states[0].items() if isinstance(value, str)]
    clocks = _ordered(list(steps[0]["clocks"]), processes)
    _system(Xml.SubElement(root, "system"), steps, states, processes, clocks)
    for number, (step, state) in enumerate(zip(steps, states, strict=True), 1):
        locations = " ".join(f"{process}.{state[process]}" for process in processes)
        Xml.SubElement(root, "location_vector", id=f"LocVec{number}", locations=locations)
        variables = Xml.SubElement(root, "variable_vector", id=f"VarVec{number}")
        for name, value in state.items():
            if not isinstance(value, str):
                Xml.SubElement(variables, "variable_state", variable=_identity(name, processes), value=str(int(value)))
        _matrix(Xml.SubElement(root, "dbm_instance", id=f"DBM{number}"), step["zone"], clocks, processes)
        node = Xml.SubElement(root, "node", id=f"State{number}", time=step["time"])
        node.set("location_vector", f"LocVec{number}")
        node.set("dbm_instance", f"DBM{number}")
        node.set("variable_vector", f"VarVec{number}")
    for number, step in enumerate(steps[1:], 1):
        transition = Xml.SubElement(root, "transition", delay=step["delay"])
        transition.set("from", f"State{number}")
        transition.set("to", f"State{number + 1}")
        transition.set("edges", " ".join(_edge_identity(edge) for edge in step["edges"]))
    for spaced in (root, *root.iter("system"), *root.iter("process")):
        spaced.text = "\n"
        for child in spaced:
            child.tail = "\n"
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


def _ordered(names: Sequence[str], processes: Sequence[str]) -> list[str]:
    """Those of the system first, then those of each process."""
    owners = [_owner(name, processes) for name in names]
    return [name for process in (SYSTEM, *processes) for name, its in zip(names, owners, strict=True) if its == process]


def _owner(name: str, processes: Sequence[str]) -> str:
    return next((process for process in processes if name.startswith(f"{process}.")), SYSTEM)


def _identity(name: str, processes: Sequence[str]) -> str:
    return f"{SYSTEM}.{name}" if _owner(name, processes) == SYSTEM else name


def _edge_identity(edge: Mapping[str, Any]) -> str:
    return f"{edge['process']}.Edge{edge['edge'] + 1}"


def _system(
    system: Xml.Element,
    steps: Sequence[Mapping[str, Any]],
    states: Sequence[Mapping[str, Any]],
    processes: Sequence[str],
    clocks: Sequence[str],
) -> None:
    edges = {_edge_identity(edge): edge for step in steps for edge in step["edges"]}
    variables = [name for name in states[0] if name not in processes]
    Xml.SubElement(system, "clock", name=REFERENCE, id=f"{SYSTEM}.{REFERENCE}")
    _declared(system, SYSTEM, clocks, variables, processes)
    for process in processes:
        element = Xml.SubElement(system, "process", id=process, name=process)
        _declared(element, process, clocks, variables, processes)
        for location in dict.fromkeys(state[process] for state in states):
            Xml.SubElement(element, "location", id=f"{process}.{location}", name=location)
        for identity, edge in edges.items():
            if edge["process"] == process:
                child = Xml.SubElement(element, "edge", id=identity, line=str(edge["line"]))
                child.set("from", f"{process}.{edge['source']}")
                child.set("to", f"{process}.{edge['target']}")
                if edge["select"]:
                    child.set("select", edge["select"])
                Xml.SubElement(child, "guard").text = edge["guard"] or "1"
                Xml.SubElement(child, "sync").text = edge["synchronisation"] or "tau"
                Xml.SubElement(child, "update").text = edge["update"] or "1"


def _declared(
    parent: Xml.Element, owner: str, clocks: Sequence[str], variables: Sequence[str], processes: Sequence[str]
) -> None:
    for tag, names in (("clock", clocks), ("variable", variables)):
        for name in names:
            if _owner(name, processes) == owner:
                local = name.removeprefix(f"{owner}.")
                Xml.SubElement(parent, tag, name=local, id=_identity(name, processes))


def _matrix(instance: Xml.Element, zone: Sequence[str], clocks: Sequence[str], processes: Sequence[str]) -> None:
    """All bounds that follow from those of the zone, from 0 <= x for every clock, and from each other."""
    size = len(clocks) + 1
    rows = {name: row for row, name in enumerate(clocks, 1)}
    matrix = [dbm.INFINITY] * (size * size)
    for row in range(size):
        matrix[row] = matrix[row * size + row] = dbm.ZERO
    for constraint in zone:
        match = _CONSTRAINT.fullmatch(constraint)
        if match is None:
            raise ValueError(f"not a bound on clocks: {constraint}")
        left, right, constant = rows[match["left"]], rows.get(match["right"], 0), int(match["bound"])
        within = dbm.strict if match["relation"] in ("<", ">") else dbm.weak
        if match["relation"] in ("<", "<=", "=="):
            matrix[left * size + right] = min(matrix[left * size + right], within(constant))
        if match["relation"] in (">", ">=", "=="):
            matrix[right * size + left] = min(matrix[right * size + left], within(-constant))
    dbm.close(matrix, size)
    names = [f"{SYSTEM}.{REFERENCE}", *(_identity(name, processes) for name in clocks)]
    for index, bound in enumerate(matrix):
        shown = "inf" if bound == dbm.INFINITY else str(dbm.value(bound))
        comparison = "<=" if bound & 1 else "<"
        clock1, clock2 = names[index // size], names[index % size]
        Xml.SubElement(instance, "clockbound", clock1=clock1, clock2=clock2, bound=shown, comp=comparison)
