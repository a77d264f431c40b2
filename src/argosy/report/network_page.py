"""The page of a network: every query with its answer, and its run to step through: messages, clocks over time, the
state after each step, the automata with what was taken.

Law: whatever stands in the result, no part of it is read as markup.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from argosy.models.network import Network
from argosy.report.exporters import Decided, File
from argosy.report.frame import COLOURS, Node, certified_by, framed
from argosy.report.graphs import template_graphs
from argosy.report.headline import written
from argosy.report.pictures import picture
from argosy.report.placed import drawn
from argosy.report.result import Result
from argosy.report.sequence import resting, sequence

# A graph that nobody can read is not drawn; neither is more than a page can show at once.
LARGEST_GRAPH = 200
MOST_VERTICES = 1_000


def page(decided: Decided, path: str) -> Iterator[File]:
    model = getattr(decided.problem, "model", None)
    yield path, network_page(decided.result, model if isinstance(model, Network) else None)


def network_page(result: Result, network: Network | None = None) -> str:
    """The page of a result that has queries; with the automata of the network, where it is there."""
    runs = [
        (number, answer["counterexample"]) for number, answer in enumerate(result.answers) if answer["counterexample"]
    ]
    body = "".join(f'<div data-answer="{number}" hidden>{sequence(steps, number)}</div>' for number, steps in runs)
    content = {
        "answers": list(map(_answer, result.answers)),
        "automata": [] if network is None else list(automata(network)),
    }
    return framed(("network",), result, content, body)


def _answer(answer: Mapping[str, Any]) -> Node:
    words = answer["words"] or f"UNKNOWN ({answer['reason']})"
    steps = answer["counterexample"]
    return {
        "text": answer["text"],
        "line": answer["line"],
        "colour": COLOURS[answer["satisfied"]],
        "said": f"{words} ({certified_by(answer['certificate'])})" if answer["verdict"] != "unknown" else words,
        "resting": resting(steps) if steps else [],
        "steps": list(map(_step, steps)),
    }


def _step(step: Mapping[str, Any]) -> Node:
    return {
        "text": step["operation"],
        "time": step["time"],
        "delay": step["delay"],
        "values": {name: written(value) for name, value in step["values"].items()},
        "clocks": step["clocks"],
        "zone": step["zone"],
        "edges": [
            {"process": edge["process"], "edge": edge["edge"], "target": edge["target"]} for edge in step["edges"]
        ],
    }


def automata(network: Network) -> Iterator[Node]:
    """One picture for all processes that look the same, and which vertices and arcs of it are a process's."""
    left = MOST_VERTICES
    for each in template_graphs(network):
        size = len(each.graph.vertices)
        names = [process.name for process in each.processes]
        about: Node = {"title": each.graph.title, "processes": names, "size": size}
        if size <= min(left, LARGEST_GRAPH):
            left -= size
            first = each.processes[0]
            at = {first.locations[location].name: vertex for location, vertex in each.vertices.items()}
            about |= {"locations": at, "arcs": dict(each.arcs), **picture(drawn(each.graph))}
        yield about
