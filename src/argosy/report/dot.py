"""Graphs in Graphviz' language, for those who want another drawing or another tool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from argosy.report.graphs import Graph, Text

_COLOURS = {"error": "red", "initial": "blue"}
_STYLES = {"committed": "dotted", "urgent": "dashed"}


def dot(graphs: Sequence[Graph]) -> str:
    """One digraph; every graph of the model is a cluster of it."""
    return "\n".join(
        ("digraph model {", '  node [shape=box, style=rounded, fontname="monospace"];', *_body(graphs), "}", "")
    )


def _body(graphs: Sequence[Graph]) -> Iterator[str]:
    for number, graph in enumerate(graphs):
        yield f"  subgraph cluster_{number} {{"
        yield f"    label={_quoted(graph.title)};"
        for index, vertex in enumerate(graph.vertices):
            styles = ",".join(("rounded", *(_STYLES[mark] for mark in vertex.marks if mark in _STYLES)))
            colour = next((_COLOURS[mark] for mark in _COLOURS if mark in vertex.marks), "black")
            yield f'    g{number}_{index} [label={_label(vertex.lines)}, style="{styles}", color={colour}];'
        for arc in graph.arcs:
            yield f"    g{number}_{arc.source} -> g{number}_{arc.target} [label={_label(arc.lines)}];"
        yield "  }"


def _label(lines: Sequence[Text]) -> str:
    return _quoted("\n".join(line.text for line in lines))


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
