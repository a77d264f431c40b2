"""Which variables without an initialiser are read before they are written: backward data flow on a graph.

Giving an arbitrary value to a variable that is always written first changes nothing: such steps go, so that traces
and the ledger speak only of values that matter.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from argosy.frontends.c.lower.graph import FlowGraph, Foreign, Pad, Release, Store, TemplateStep
from argosy.frontends.c.symbols import Unit
from argosy.logic.terms import Term
from argosy.models.cfa import Assign, Assume, Havoc
from argosy.models.sources import SourceKind

Reads = Callable[[Term], Iterable[Term]]


def drop_dead_choices(graph: FlowGraph, candidates: Collection[Term], unit: Unit) -> list[Term]:
    """Remove the havocs of candidates that nothing reads; return the candidates of the others, in order. Candidates
    are local variables: only steps of this graph read them, or pointers."""
    bit = {term: 1 << index for index, term in enumerate(candidates) if not unit.is_reached_by_pointers(term)}
    live = _live_points(graph, bit, unit.reads)
    kept: dict[Term, None] = {}
    steps: list[TemplateStep] = []
    dead: list[TemplateStep] = []
    for step in graph.steps:
        action = step.action
        if isinstance(action, Havoc) and action.variable in candidates and _leaves_open(step):
            if (
                action.variable in bit
                and not live.get(graph.find(step.target), 0) & bit[action.variable]
                and not step.checks
            ):
                dead.append(step)
                continue
            kept[action.variable] = None
        steps.append(step)
    graph.steps = steps
    for step in dead:
        graph.current = step.source
        graph.jump(step.target)
    return list(kept)


def _leaves_open(step: TemplateStep) -> bool:
    return step.choice is not None and step.choice.kind in (SourceKind.UNINITIALISED, SourceKind.OPEN)


def _live_points(graph: FlowGraph, bit: dict[Term, int], reads: Reads) -> dict[int, int]:
    """For each point the set of candidates, as bits, that may be read before they are written from there."""
    entering: dict[int, list[tuple[int, int, int]]] = {}
    live: dict[int, int] = {}
    for step in graph.steps:
        source, target = graph.find(step.source), graph.find(step.target)
        read, kept = _flow(step, bit, reads)
        entering.setdefault(target, []).append((source, read, kept))
        live[source] = live.get(source, 0) | read
    work = list(live)
    while work:
        point = work.pop()
        after = live.get(point, 0)
        for source, read, kept in entering.get(point, ()):
            before = live[source] | read | (after & kept)
            if before != live[source]:
                live[source] = before
                work.append(source)
    return live


def _flow(step: TemplateStep, bit: dict[Term, int], reads: Reads) -> tuple[int, int]:
    """What a step reads, and what it does not overwrite."""
    read = _mask((check.condition for check in step.checks), bit, reads)
    kept = -1
    match step.action:
        case Assume(condition):
            read |= _mask((condition,), bit, reads)
        case Assign(variable, value):
            read |= _mask((value,), bit, reads)
            kept = ~bit.get(variable, 0)
        case Store(access, value, _):
            read |= _mask((*access.terms, value), bit, reads)
        case Release(address) | Pad(address):
            read |= _mask((address,), bit, reads)
        case Foreign(_, arguments):
            read |= _mask((term for term, _ in arguments), bit, reads)
        case Havoc(variable):
            kept = ~bit.get(variable, 0)
    return read, kept


def _mask(terms: Iterable[Term], bit: dict[Term, int], reads: Reads) -> int:
    mask = 0
    for term in terms:
        for variable in reads(term):
            mask |= bit.get(variable, 0)
    return mask
