"""Witnesses in format 1.0: an automaton in GraphML (Beyer, Dangl, Dietsch, Heizmann, Lemberger, Tautschnig:
*Verification Witnesses*, TOSEM 2022).

A violation is a chain of the calls that gave values, which ends in the violation. In a proof there is a node for each
loop, with its invariant, which is entered at the loop's head.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from xml.etree import ElementTree

from argosy.report.loop_texts import NOTHING, LoopText
from argosy.report.witnesses import Content, ViolationContent, WitnessTask

KEYS: Sequence[tuple[str, str, str]] = (
    ("graph", "witness-type", "string"),
    ("graph", "sourcecodelang", "string"),
    ("graph", "producer", "string"),
    ("graph", "specification", "string"),
    ("graph", "programfile", "string"),
    ("graph", "programhash", "string"),
    ("graph", "architecture", "string"),
    ("graph", "creationtime", "string"),
    ("node", "entry", "boolean"),
    ("node", "violation", "boolean"),
    ("node", "invariant", "string"),
    ("node", "invariant.scope", "string"),
    ("edge", "startline", "int"),
    ("edge", "endline", "int"),
    ("edge", "assumption", "string"),
    ("edge", "assumption.scope", "string"),
    ("edge", "assumption.resultfunction", "string"),
    ("edge", "enterLoopHead", "boolean"),
)
_FLAGS = ("entry", "violation", "enterLoopHead")
NAMESPACE = "http://graphml.graphdrawing.org/xmlns"


def document(task: WitnessTask, content: Content) -> str:
    root = ElementTree.Element("graphml", {"xmlns": NAMESPACE})
    for what, name, type_ in KEYS:
        key = ElementTree.SubElement(root, "key", {"id": name, "for": what, "attr.name": name, "attr.type": type_})
        if name in _FLAGS:
            ElementTree.SubElement(key, "default").text = "false"
    graph = ElementTree.SubElement(root, "graph", edgedefault="directed")
    violation = isinstance(content, ViolationContent)
    _data(graph, _metadata(task, "violation_witness" if violation else "correctness_witness"))
    if isinstance(content, ViolationContent):
        _violation(graph, content)
    else:
        _proof(graph, content)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n{ElementTree.tostring(root, "unicode")}\n'


def _metadata(task: WitnessTask, kind: str) -> Mapping[str, str]:
    return {
        "witness-type": kind,
        "sourcecodelang": "C",
        "producer": f"{task.producer} {task.version}",
        "specification": task.specification,
        "programfile": task.input,
        "programhash": task.digest,
        "architecture": "32bit" if task.data_model == "ILP32" else "64bit",
        "creationtime": task.created,
    }


def _data(element: ElementTree.Element, values: Mapping[str, str]) -> None:
    for name, value in values.items():
        ElementTree.SubElement(element, "data", key=name).text = value


def _node(graph: ElementTree.Element, name: str, **values: str) -> None:
    _data(ElementTree.SubElement(graph, "node", id=name), values)


def _edge(graph: ElementTree.Element, source: str, target: str, line: int, values: Mapping[str, str]) -> None:
    edge = ElementTree.SubElement(graph, "edge", source=source, target=target)
    _data(edge, {"startline": str(line), "endline": str(line), **values})


def _violation(graph: ElementTree.Element, content: ViolationContent) -> None:
    _node(graph, "q0", entry="true")
    for number, value in enumerate(content.values, 1):
        _node(graph, f"q{number}")
        source = value.call.source
        said = {
            "assumption": f"\\result == {value.call.text};",
            "assumption.scope": value.function,
            "assumption.resultfunction": source.function,
        }
        _edge(graph, f"q{number - 1}", f"q{number}", source.position.physical[1], said)
    last = len(content.values)
    _node(graph, "violation", violation="true")
    _edge(graph, f"q{last}", "violation", content.target.line, {})


def _proof(graph: ElementTree.Element, texts: Sequence[LoopText]) -> None:
    """Control may go from any loop to any other."""
    names = list(_names(texts))
    _node(graph, "q0", entry="true")
    for name, each in names:
        _data(
            ElementTree.SubElement(graph, "node", id=name),
            {"invariant": each.text, "invariant.scope": each.loop.function},
        )
    for source in ("q0", *(name for name, _ in names)):
        for name, each in names:
            _edge(graph, source, name, each.loop.position.line, {"enterLoopHead": "true"})


def _names(texts: Sequence[LoopText]) -> Iterator[tuple[str, LoopText]]:
    said = [each for each in texts if each.text != NOTHING]
    return ((f"q{number}", each) for number, each in enumerate(said, 1))
