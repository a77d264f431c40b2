"""Loops about which nothing is claimed: what they may have done, instead of how often they went round.

An analysis has no claims inside a loop that does not matter to the property. There the model is replaced by one with
more behaviour and no cycle. Take a strongly connected component C of the model without its cut points. Between
entering and leaving C only variables that some edge of C writes change. So every edge into C ends in a new location,
from which those variables take any values, and then control is anywhere in C where the component can be entered or
one of its loops begins; edges that close a loop end where nothing goes on, and so do those that a lemma excludes (what
they are checked for still counts).

Law: every execution of the model has an execution of the result that passes the same cut points with the same states.
(Cut the execution inside C at the edges that close a loop: each piece starts where the result may start one, with
values that differ from those at the entry in written variables only, and the last piece leaves C.)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from argosy.basics.records import replace
from argosy.certify.meanings import determined
from argosy.logic.terms import Term
from argosy.logic.traverse import conjuncts, substitute
from argosy.models.cfa import Assume, Cfa, Edge, Location, Relation, written
from argosy.models.order import weak_topological_order


def without_unclaimed_loops(
    cfa: Cfa, cuts: Collection[Location], inside: Collection[Location], lemmas: Mapping[Location, Term]
) -> Cfa:
    """A model with more behaviour in which every cycle ``inside`` passes one of ``cuts``; ``cfa`` itself where that
    is so already. ``lemmas`` hold whenever control is at their location; what they exclude goes first."""
    gone = set(excluded(cfa, lemmas))
    dead_end = Location(1 + max(location.index for location in cfa.locations), label="round again")
    if gone:
        edges = tuple(replace(edge, target=dead_end) if edge in gone else edge for edge in cfa.edges)
        cfa = replace(cfa, locations=(*cfa.locations, dead_end), edges=edges)
    inner = [location for location in cfa.locations if location in inside and location not in cuts]
    components = _cyclic_components(cfa, inner)
    if not components:
        return cfa
    home = {location: number for number, component in enumerate(components) for location in component}
    locations = [*cfa.locations, *(() if gone else (dead_end,))]
    free = max(location.index for location in locations) + 1
    entrances = [Location(free + number, label=f"loop {number}") for number in range(len(components))]
    starts: list[dict[Location, None]] = [{} for _ in components]
    closing = {edge for component in components for edge in _closing(cfa, component)}
    left: list[Edge] = []
    for edge in cfa.edges:
        number = home.get(edge.target)
        if number is not None and home.get(edge.source) == number:
            if edge in closing:
                starts[number][edge.target] = None
                left.append(replace(edge, target=dead_end))
            else:
                left.append(edge)
        elif number is not None:
            starts[number][edge.target] = None
            left.append(replace(edge, target=entrances[number]))
        else:
            left.append(edge)
    for component, entrance, begins in zip(components, entrances, starts, strict=True):
        changed = _written(cfa, component)
        forgotten = Location(free + len(components) + entrance.index, label=f"after {entrance.label}")
        locations += [entrance, forgotten]
        primed = tuple((v, cfa.terms.var(f"{v.name}'", v.sort)) for v in changed)
        left.append(Edge(entrance, forgotten, Relation(cfa.terms.true, primed)))
        left += [Edge(forgotten, location, Assume(lemmas.get(location, cfa.terms.true))) for location in begins]
    return replace(cfa, locations=tuple(locations), edges=tuple(left))


def excluded(cfa: Cfa, lemmas: Mapping[Location, Term]) -> list[Edge]:
    """The assumptions that the values in a lemma at their source contradict: a loop that is never entered."""
    known = {
        location: dict(filter(None, (determined(cfa.terms, part) for part in conjuncts(lemma))))
        for location, lemma in lemmas.items()
    }

    def contradicted(edge: Edge) -> bool:
        values = known.get(edge.source)
        if not values or not isinstance(edge.operation, Assume):
            return False
        return substitute(cfa.terms, edge.operation.condition, values) is cfa.terms.false

    return [edge for edge in cfa.edges if contradicted(edge)]


def _cyclic_components(cfa: Cfa, inner: list[Location]) -> list[list[Location]]:
    """The strongly connected components that have a cycle, of the graph restricted to ``inner``."""
    allowed = set(inner)
    graph = {location: [e.target for e in cfa.leaving[location] if e.target in allowed] for location in inner}
    return [c for c in _components(graph) if len(c) > 1 or c[0] in graph[c[0]]]


def _components(graph: Mapping[Location, list[Location]]) -> list[list[Location]]:
    """Kosaraju's algorithm, iterative: depth-first finishing times, then the reversed graph."""
    finished: list[Location] = []
    seen: set[Location] = set()
    for root in graph:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(graph[root]))]
        while stack:
            location, rest = stack[-1]
            for after in rest:
                if after not in seen:
                    seen.add(after)
                    stack.append((after, iter(graph[after])))
                    break
            else:
                stack.pop()
                finished.append(location)
    reversed_graph: dict[Location, list[Location]] = {location: [] for location in graph}
    for location, successors in graph.items():
        for after in successors:
            reversed_graph[after].append(location)
    assigned: set[Location] = set()
    components = []
    for root in reversed(finished):
        if root in assigned:
            continue
        assigned.add(root)
        component = [root]
        for location in component:
            for before in reversed_graph[location]:
                if before not in assigned:
                    assigned.add(before)
                    component.append(before)
        components.append(component)
    return components


def _closing(cfa: Cfa, component: list[Location]) -> list[Edge]:
    """Edges inside a component without which it has no cycle: those that go back in a weak topological order."""
    inside = set(component)

    def after(location: Location) -> list[Location]:
        return [edge.target for edge in cfa.leaving[location] if edge.target in inside]

    position = {location: i for i, location in enumerate(weak_topological_order(component[0], after)[0])}
    return [
        edge
        for location in component
        for edge in cfa.leaving[location]
        if edge.target in inside and position[edge.target] <= position[location]
    ]


def _written(cfa: Cfa, component: list[Location]) -> list[Term]:
    inside = set(component)
    found = {
        variable: None
        for location in component
        for edge in cfa.leaving[location]
        if edge.target in inside
        for variable in written(edge.operation)
    }
    return list(found)
