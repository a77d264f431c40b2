"""``argosy show``: the model of an input as a picture (SVG, a page around it) or in Graphviz' language."""

from __future__ import annotations

import argparse
import os
import sys

from argosy.backends.registry import KINDS
from argosy.basics.choices import choose
from argosy.basics.errors import UsageError
from argosy.basics.files import write_text
from argosy.cli.ending import reporting
from argosy.frontends.registry import OPTIONS, recognise
from argosy.problem.problem import Problem
from argosy.report.declarations import declarations
from argosy.report.dot import dot
from argosy.report.graphs import Graph, size
from argosy.report.pages import assemble
from argosy.report.pictures import picture
from argosy.report.placed import drawn as placed
from argosy.report.svg import svg
from argosy.session.run import read
from argosy.session.task import Task

FORMATS = ("svg", "html", "dot")

LARGEST = 6_000
"""Larger models (vertices and arcs) are nothing for the eye; they are only written for Graphviz."""


ANYTHING = "A[] true"
"""A picture needs no question, and a network is not read without one."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", metavar="INPUT", help="what 'argosy verify' takes")
    parser.add_argument("--out", metavar="FILE", help="where to; without it the picture goes to standard output")
    parser.add_argument(
        "--format", metavar="|".join(FORMATS), help="svg, html (a page around it) or dot (Graphviz); else as FILE ends"
    )
    option = OPTIONS["data-model"]
    parser.add_argument(f"--{option.name}", metavar=option.metavar, help=option.advice)


def run(options: argparse.Namespace, started: float) -> int:
    return reporting(lambda: show(options))


def show(options: argparse.Namespace) -> int:
    """InputError and UnsupportedError are for the caller to report."""
    format = _format(options)
    asks = "query" in recognise(options.input, "").options
    task = Task.of(options.input, data_model=options.data_model, query=ANYTHING if asks else None)
    problem = read(task, deep=True)
    text = drawn(graphs(problem), format, os.path.basename(task.input), problem.model)
    if options.out is None:
        sys.stdout.write(text)
    else:
        write_text(options.out, text, "--out")
    return 0


def graphs(problem: Problem) -> list[Graph]:
    """The model of a problem as pictures."""
    found: list[Graph] = KINDS[problem.kind].drawing()(problem)
    return found


def drawn(graphs: list[Graph], format: str, title: str, model: object = None) -> str:
    if format == "dot":
        return dot(graphs)
    if (count := size(graphs)) > LARGEST:
        raise UsageError(f"{count:,} locations and edges are too many for a picture; --format dot has them all")
    return svg(graphs) if format == "svg" else model_page(graphs, title, model)


def model_page(graphs: list[Graph], title: str, model: object) -> str:
    vertices, arcs = sum(len(graph.vertices) for graph in graphs), sum(len(graph.arcs) for graph in graphs)
    content = {
        "input": title,
        "about": f"{vertices:,} locations, {arcs:,} edges",
        "answers": [],
        "graphs": [picture(placed(graph)) for graph in graphs],
        "declarations": list(declarations(model)),
    }
    return assemble(("widgets", "frame", "show"), title, content)


def _format(options: argparse.Namespace) -> str:
    if options.format is not None:
        return choose("--format", options.format, FORMATS)
    ending = os.path.splitext(options.out or "")[1].lower().lstrip(".")
    return {"htm": "html", "gv": "dot"}.get(ending, ending) if ending in (*FORMATS, "htm", "gv") else "svg"
