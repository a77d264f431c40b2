"""Witnesses in format 1.0: automata in GraphML. Of the automaton of a violation the shortest way from its entry to a
violation is read; of an edge, its line with its assumption or with the branch that is taken, which become waypoints. Of
a proof the invariants of nodes that are entered at a loop's head are read: those of other nodes hold along one way
only, and nothing is claimed of them.

What else an edge says (functions that are entered, threads, offsets) narrows the search of others and no verdict here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.basics.records import dataclass
from argosy.frontends.elements import XmlElement, read_elements
from argosy.frontends.witnesses.records import AFTER, FOLLOW, TARGET, Waypoint, Witness, WitnessInvariant

ARCHITECTURES = {"32bit": "ILP32", "64bit": "LP64"}
_KINDS = {"violation_witness": True, "correctness_witness": False}
_BRANCHES = {"condition-true": "true", "condition-false": "false"}


@dataclass(frozen=True, slots=True)
class WitnessEdge:
    source: str
    target: str
    data: Mapping[str, str]
    position: Position

    @property
    def line(self) -> int:
        """0 where nothing is said."""
        said = self.data.get("startline", "0")
        if not said.isdecimal() or len(said) > 9:
            raise InputError(self.position, f"no number of a line: {said}")
        return int(said)


def read_graphml(path: str, text: str) -> Witness:
    root = read_elements(path, text.encode())
    graph = root.first("graph")
    if root.name != "graphml" or graph is None:
        raise InputError(root.position, "not GraphML: an element graphml with a graph is expected")
    names = {key.attributes.get("id", ""): key.attributes.get("attr.name", "") for key in root.all("key")}
    said = _data(graph, names)
    kind = said.get("witness-type", "")
    if kind not in _KINDS:
        raise InputError(graph.position, f"no type of a witness: {kind or 'nothing'}")
    nodes = {node.attributes.get("id", ""): (node, _data(node, names)) for node in graph.all("node")}
    edges = [
        WitnessEdge(e.attributes.get("source", ""), e.attributes.get("target", ""), _data(e, names), e.position)
        for e in graph.all("edge")
    ]
    for edge in edges:
        if edge.source not in nodes or edge.target not in nodes:
            raise InputError(edge.position, "an edge from or to a node that is not there")
    invariants: tuple[WitnessInvariant, ...] = ()
    segments: tuple[tuple[Waypoint, ...], ...] = ()
    if _KINDS[kind]:
        segments = tuple((waypoint,) for waypoint in _violation(graph, nodes, edges))
    else:
        invariants = tuple(_invariants(nodes, edges))
    digest = said.get("programhash", "").lower()
    return Witness(
        path,
        _KINDS[kind],
        invariants,
        segments,
        said.get("specification", ""),
        ARCHITECTURES.get(said.get("architecture", ""), ""),
        (digest,) if len(digest) == 64 else (),
    )


def _data(element: XmlElement, names: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in element.all("data"):
        key = each.attributes.get("key", "")
        found[key if key in KNOWN else names.get(key, key)] = each.text.strip()
    return {_ALIASES.get(name, name): value for name, value in found.items()}


# The names of keys as tools write them, beside those of the format.
_ALIASES = {"isEntryNode": "entry", "isViolationNode": "violation"}
KNOWN = frozenset(("entry", "violation", "invariant", "startline", "assumption", "control", "enterLoopHead"))


def _violation(
    graph: XmlElement, nodes: Mapping[str, tuple[XmlElement, Mapping[str, str]]], edges: Sequence[WitnessEdge]
) -> Iterator[Waypoint]:
    entry = next((name for name, (_, data) in nodes.items() if data.get("entry") == "true"), None)
    violations = {name for name, (_, data) in nodes.items() if data.get("violation") == "true"}
    if entry is None or not violations:
        raise InputError(graph.position, "a violation without a node of entry, or without one of violation")
    way = _shortest(entry, violations, edges)
    if way is None:
        raise InputError(graph.position, "no way leads from the entry to a violation")
    for edge in way:
        yield from _waypoints(edge)
    at = way[-1].position if way else graph.position
    yield Waypoint(at, TARGET, FOLLOW, way[-1].line if way else 0, 0)


def _shortest(entry: str, targets: set[str], edges: Sequence[WitnessEdge]) -> list[WitnessEdge] | None:
    leaving: dict[str, list[WitnessEdge]] = {}
    for edge in edges:
        leaving.setdefault(edge.source, []).append(edge)
    by: dict[str, WitnessEdge | None] = {entry: None}
    queue = [entry]
    for node in queue:
        if node in targets:
            way: list[WitnessEdge] = []
            last = by[node]
            while last is not None:
                way.append(last)
                last = by[last.source]
            return way[::-1]
        for edge in leaving.get(node, ()):
            if edge.target not in by:
                by[edge.target] = edge
                queue.append(edge.target)
    return None


def _waypoints(edge: WitnessEdge) -> Iterator[Waypoint]:
    assumption, control = edge.data.get("assumption", ""), edge.data.get("control", "")
    if not assumption and not control:
        return
    if not edge.line:
        raise UnsupportedError(edge.position, "an edge with a constraint and without a line")
    if control:
        if control not in _BRANCHES:
            raise UnsupportedError(edge.position, f"a branch that is taken with {control}")
        yield Waypoint(edge.position, "branching", FOLLOW, edge.line, 0, _BRANCHES[control])
    parts = [part.strip() for part in assumption.split(";") if part.strip()]
    of_result = [part for part in parts if "\\result" in part]
    others = [part for part in parts if "\\result" not in part]
    for type_, said in (("function_return", of_result), (AFTER, others)):
        if said:
            yield Waypoint(edge.position, type_, FOLLOW, edge.line, 0, " && ".join(f"({part})" for part in said))


def _invariants(
    nodes: Mapping[str, tuple[XmlElement, Mapping[str, str]]], edges: Sequence[WitnessEdge]
) -> Iterator[WitnessInvariant]:
    for name, (node, data) in nodes.items():
        entered = {e.line: e for e in edges if e.target == name and e.data.get("enterLoopHead") == "true"}
        if "invariant" in data and len(entered) == 1 and 0 not in entered:
            [line] = entered
            yield WitnessInvariant(node.position, True, line, 0, data["invariant"])
