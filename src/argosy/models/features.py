"""What a model looks like: the handful of facts by which ``auto`` chooses among its turns (``backends.stages``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from argosy.basics.records import dataclass
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Cfa, Edge, Havoc, Location, Relation, written
from argosy.models.effects import effect_of
from argosy.models.liveness import live_variables
from argosy.models.return_points import has_loops
from argosy.models.sources import SourceKind

FEW_INPUTS = 2
"""Of a reactive program: what it reads in a round, and what else is open."""

_OWN = frozenset((SourceKind.OPEN, SourceKind.UNMODELLED, SourceKind.UNDETERMINED, SourceKind.UNINITIALISED))
"""What is open in a program without anything coming from outside of it."""


@dataclass(frozen=True, slots=True)
class Features:
    """``loops``: are there any that executions go round? ``counted``: does each of them step a variable by a constant
    until a condition about that variable alone ends it? ``recursive``: do functions call themselves that need not be
    copied? ``cyclic``: are the rounds of one loop the steps of the model? ``arrays``: does it have array-valued
    variables? ``floats``: does it compute with floating-point numbers? ``closed``: does it have one execution, because
    nothing in it is open? ``given``: does nothing come from outside, so that little is open but what a library leaves
    open? ``memory``: is it asked about memory safety? ``reactive``: does it loop, take few inputs, and
    assign nothing but constants and the values of other variables, so that its states are finitely many, and no more
    than its modes? ``accelerable``: does a loop have a closed form? ``objects``: is memory handed out object by
    object (``invariants.objects``)? ``counting``: do loops count or add up (``invariants.polynomials``)?"""

    loops: bool = True
    counted: bool = False
    recursive: bool = False
    cyclic: bool = False
    arrays: bool = False
    floats: bool = False
    closed: bool = False
    memory: bool = False
    reactive: bool = False
    accelerable: bool = False
    objects: bool = False
    counting: bool = False
    given: bool = False


def features_of(
    cfa: Cfa, *, recursive: bool = False, cyclic: bool = False, arrays: bool = False, memory: bool = False
) -> Features:
    heads = cfa.loop_heads
    counted = bool(heads) and all(_is_counted(cfa, head) for head in heads)
    return Features(
        has_loops(cfa),
        counted,
        recursive,
        cyclic,
        arrays,
        cfa.terms.floats,
        _is_closed(cfa),
        memory,
        _is_reactive(cfa),
        given=_is_given(cfa),
    )


def has_arrays(cfa: Cfa) -> bool:
    return any(variable.term.sort.element is not None for variable in cfa.variables)


def _is_closed(cfa: Cfa) -> bool:
    """What stands for calls beyond a bound is not open: the one execution goes that far, or it does not."""
    beyond = {term for term, refusal in cfa.opaque.items() if refusal.bound}
    return (
        not any(isinstance(edge.operation, Havoc | Relation) for edge in cfa.edges)
        and live_variables(cfa)[cfa.initial] <= beyond
    )


def _is_given(cfa: Cfa) -> bool:
    """Every choice is of something that is not modelled, or says that its value does not come from outside. What is
    chosen once, before anything reads it, may be a value at the beginning instead."""

    def own(step: Edge) -> bool:
        opaque = isinstance(step.operation, Havoc) and step.operation.variable in cfa.opaque
        return opaque or (step.choice is not None and step.choice.kind in _OWN)

    read = [step for edge in cfa.edges for step in edge.as_read if isinstance(step.operation, Havoc | Relation)]
    foreign = {variable for step in read if not own(step) for variable in written(step.operation)}
    left_open = {variable for step in read if own(step) for variable in written(step.operation)}
    effects = [effect_of(cfa.terms, edge.operation) for edge in cfa.edges]
    chosen = {variable for effect in effects for variable in (*effect.havocs, *effect.tied)}
    first = live_variables(cfa)[cfa.initial]
    # What lies in a block of memory before it is written.
    blocks = {variable for variable in first if variable.sort.element is not None}
    return not foreign & (chosen | first) and first <= left_open | blocks | cfa.opaque.keys()


def _is_reactive(cfa: Cfa) -> bool:
    if not cfa.loop_heads:
        return False
    effects = [effect_of(cfa.terms, edge.operation) for edge in cfa.edges]
    inputs = {variable for effect in effects for variable in (*effect.havocs, *effect.tied)}
    values = (value for effect in effects for _, value in effect.definitions)
    return len(inputs) <= FEW_INPUTS and all(value.is_const or value.is_var for value in values)


def _is_counted(cfa: Cfa, head: Location) -> bool:
    first, last = cfa.order[head], cfa.loop_ends[head]
    body = {location for location, position in cfa.order.items() if first <= position <= last}
    edges = [edge for location in body for edge in cfa.leaving[location]]
    inside = [edge for edge in edges if edge.target in body]
    # An edge to the error is no way out that a round has to come to.
    out = [edge for edge in edges if edge.target not in body and edge.target is not cfa.error]
    return any(_is_stepped(cfa, variable, inside) for variable in _tested(cfa, out))


def _tested(cfa: Cfa, edges: Iterable[Edge]) -> Iterator[Term]:
    """The variables each of which alone decides about leaving."""
    for edge in edges:
        for guard in effect_of(cfa.terms, edge.operation).guards:
            mentioned = variables(guard)
            if len(mentioned) == 1:
                yield from mentioned


def _is_stepped(cfa: Cfa, variable: Term, edges: Iterable[Edge]) -> bool:
    """Whether a loop changes a variable by constants, and does change it."""
    stepped = False
    for edge in edges:
        if variable not in written(edge.operation):
            continue
        value = dict(effect_of(cfa.terms, edge.operation).definitions).get(variable)
        if value is None or value.op not in ("bvadd", "bvsub", "+"):
            return False
        others = [part for part in value.args if part is not variable]
        if len(others) != len(value.args) - 1 or not all(part.is_const for part in others):
            return False
        stepped = True
    return stepped
