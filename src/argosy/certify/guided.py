"""An execution that conditions guide: walked step by step by the interpreter, without a solver.

Where a value is open, the conditions that come next say which one is meant (``x == 5``); else it is zero. A violation
sequence that fixes the inputs is followed this way as fast as the program runs. What is found is a replay like any
other; that nothing is found means nothing.
"""

from __future__ import annotations

from argosy.basics.budget import Budget
from argosy.certify.interpreter import Blocked, Choose, ConcreteState, Interpreter, zero
from argosy.certify.meanings import determined
from argosy.certify.replay import Replayed, replay_choices
from argosy.logic.semantics import Value
from argosy.logic.terms import Term
from argosy.logic.traverse import conjuncts
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Location, Reading, read

_MOST_STEPS = 2_000_000
_STEPS_BETWEEN_LOOKS = 5_000
_AHEAD = 4


def guided(cfa: Cfa, reading: Reading, budget: Budget) -> Replayed | None:
    """An execution into the error, if this walk ends there."""
    interpreter = Interpreter(cfa, reading)
    hints: dict[tuple[Edge, Term], Value | None] = {}
    path: list[Edge] = []
    chosen: dict[tuple[int, Term], Value] = {}

    def choose(edge: Edge, variable: Term) -> Value:
        key = (edge, variable)
        if key not in hints:
            hints[key] = _hint(cfa, edge.target, variable, _AHEAD)
        hint = hints[key]
        value = zero(variable.sort) if hint is None else hint
        chosen[len(path), variable] = value
        return value

    state = interpreter.start({})
    while state.location is not cfa.error:
        if len(path) >= _MOST_STEPS or (len(path) % _STEPS_BETWEEN_LOOKS == 0 and budget.is_over):
            return None
        after = _next(interpreter, state, choose)
        if after is None or not cfa.opaque.keys().isdisjoint(read(after[0].operation)):
            return None
        path.append(after[0])
        state = after[1]
    replayed = replay_choices(cfa, path, reading, {}, chosen)
    return replayed if isinstance(replayed, Replayed) else None


def _next(interpreter: Interpreter, state: ConcreteState, choose: Choose) -> tuple[Edge, ConcreteState] | None:
    """A step that can be taken, into the error if one can."""
    leaving = interpreter.cfa.leaving[state.location]
    for edge in sorted(leaving, key=lambda edge: edge.target is not interpreter.cfa.error):
        after = interpreter.step(edge, state, choose)
        if not isinstance(after, Blocked):
            return edge, after
    return None


def _hint(cfa: Cfa, at: Location, variable: Term, ahead: int) -> Value | None:
    """The value that a condition behind a location asks for."""
    if not ahead:
        return None
    for edge in cfa.leaving[at]:
        if isinstance(edge.operation, Assume):
            for part in conjuncts(edge.operation.condition):
                fixed = determined(cfa.terms, part)
                if fixed is not None and fixed[0] is variable:
                    return fixed[1].payload
    if len(cfa.leaving[at]) == 1:
        [edge] = cfa.leaving[at]
        if isinstance(edge.operation, Assign) and edge.operation.value is variable:
            return _hint(cfa, edge.target, edge.operation.variable, ahead - 1)
        if isinstance(edge.operation, Assign | Assume):
            return _hint(cfa, edge.target, variable, ahead - 1)
    return None
