"""The page of a program: its source with the counterexample to step through, its invariants, its functions as graphs.

The data are what ``--json`` says, the text of the files, and drawings; ``program.js`` shows what is looked at and keeps
only that in the page. Law: whatever stands in a source, a name or a value, no part of it is read as markup.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from argosy.backends.contract import Answer, Execution, Invariant, Path
from argosy.models.cfa import Cfa, Edge
from argosy.report.answers import execution_rows
from argosy.report.course import lessons, phases, reached_graph
from argosy.report.exporters import Decided, File
from argosy.report.frame import Node, framed
from argosy.report.functions import FunctionGraph, graphs_by_function
from argosy.report.headline import depths, headline, inputs, short, shown_values
from argosy.report.infix import infix
from argosy.report.layers import draw
from argosy.report.memory import memory_graph
from argosy.report.pictures import picture
from argosy.report.result import Result

# A graph that nobody can read is not drawn; neither is more than a page can show at once.
LARGEST_GRAPH = 260
MOST_VERTICES = 2_000


def page(decided: Decided, path: str) -> Iterator[File]:
    yield path, program_page(decided)


def program_page(decided: Decided) -> str:
    return framed(("explorer", "program"), decided.result, content_of(decided))


def content_of(decided: Decided) -> Node:
    result = decided.result
    functions = _functions(decided.answers)
    answers = [_answer(entry, answer, functions) for entry, answer in zip(result.answers, decided.answers, strict=True)]
    last = decided.answers[-1].course
    return {
        "files": list(_files(result, answers)),
        "answers": answers,
        "functions": list(_drawn(functions, answers)),
        "phases": phases(last, result.statistics.get("wall_s", 0)),
        "lessons": lessons(last),
        "reached": reached_graph(last),
    }


def _answer(entry: Any, answer: Answer, functions: dict[str, FunctionGraph]) -> Node:
    rows = list(execution_rows(answer.evidence)) if isinstance(answer.evidence, Execution) else []
    edges: Sequence[Edge | None] = [edge for edge, _ in rows]
    if isinstance(answer.evidence, Path):
        edges = [edge for edge in answer.evidence.edges if edge.text]
    steps = entry["counterexample"]
    arcs = [_arc(edge, functions) for edge in edges] if len(edges) == len(steps) else [None] * len(steps)
    return {
        "text": entry["text"],
        "verdict": entry["verdict"],
        "colour": entry["verdict"],
        "said": headline(entry) or entry["reason"] or entry["verdict"].upper(),
        "line": entry["line"],
        "memory": _memory(answer),
        "steps": [
            {
                "text": step["operation"],
                "kind": step["kind"],
                "chosen": bool(inputs([step])),
                "matters": step.get("matters", True),
                "values": shown_values(step),
                "depth": depth,
                "arc": arc,
                **_where(step),
            }
            for step, depth, arc in zip(steps, depths(steps), arcs, strict=True)
        ],
        "claims": [
            {"text": infix(claim["formula"], short), "kind": claim["kind"], **_where(claim)}
            for claim in entry["invariant"]
        ]
        + [
            {"text": f"{word} {infix(contract[word], short)}", "kind": word, **_where(contract)}
            for contract in entry.get("contracts", ())
            for word in ("requires", "ensures")
        ],
    }


def _memory(answer: Answer) -> Node | None:
    """Objects and pointers where memory safety is violated."""
    graph = memory_graph(answer.evidence) if isinstance(answer.evidence, Execution) else None
    return None if graph is None else picture(draw(graph))


def _where(place: Any) -> Node:
    physical = place["physical"]
    return {"file": physical["file"], "line": physical["line"], "function": place["function"]}


def _functions(answers: Sequence[Answer]) -> dict[str, FunctionGraph]:
    automata: list[Cfa] = [
        answer.evidence.cfa for answer in answers if isinstance(answer.evidence, Invariant | Execution | Path)
    ]
    return graphs_by_function(automata[0]) if automata else {}


def _arc(edge: Edge | None, functions: dict[str, FunctionGraph]) -> tuple[str, int] | None:
    if edge is None or edge.source.function not in functions:
        return None
    number = functions[edge.source.function].arc(edge)
    return None if number is None else (edge.source.function, number)


def _files(result: Result, answers: Sequence[Node]) -> Iterator[Node]:
    """The text of the files that something stands in; those that cannot be read are named without it."""
    places = [each for answer in answers for each in (*answer["steps"], *answer["claims"])]
    names = dict.fromkeys([*(each["file"] for each in places if each["file"]), result.input])
    for name in names:
        if os.path.isfile(name):
            with open(name, encoding="utf-8", errors="replace") as file:
                yield {"name": name, "lines": file.read().splitlines()}
        else:
            yield {"name": name, "lines": []}


def _drawn(functions: dict[str, FunctionGraph], answers: Sequence[Node]) -> Iterator[Node]:
    """Functions that something is said of come first; what is too large to be read is only named."""
    wanted = dict.fromkeys(each["function"] for answer in answers for each in (*answer["steps"], *answer["claims"]))
    left = MOST_VERTICES
    for name in [*(name for name in wanted if name in functions), *(name for name in functions if name not in wanted)]:
        graph = functions[name].graph
        size = len(graph.vertices)
        if size <= min(LARGEST_GRAPH, left):
            left -= size
            yield {"name": name, "title": graph.title, **picture(draw(graph))}
        else:
            yield {"name": name, "title": graph.title, "size": size}
