"""The address at which an execution violates memory safety, in words, and what pointers hold at that step."""

from __future__ import annotations

from typing import Any

from argosy.backends.contract import Execution
from argosy.certify.replay import ReplayedStep
from argosy.logic.semantics import ArrayValue, Value
from argosy.logic.terms import Term
from argosy.logic.traverse import evaluate, variables
from argosy.models.cfa import Cfa, Mark
from argosy.models.kinds import Undefined

MOST_POINTERS = 40

_ACCESSES = frozenset({Undefined.NULL, Undefined.BOUNDS, Undefined.FREED, Undefined.ENDED, Undefined.CONSTANT})


def followed(evidence: Execution, mark: Mark) -> dict[str, Any]:
    """What JSON says besides of a violation: ``place`` in words, ``address``, ``bytes``, the line at which the block
    was freed, and the ``pointers`` of the program at that step with what they lead to."""
    assert mark.about is not None
    cfa, steps = evidence.cfa, evidence.replayed.steps
    state, address = state_at_end(evidence), address_at_end(evidence, mark.about)
    words = None if mark.places is None else mark.places.text(address)
    lifetime = None if mark.places is None else mark.places.lifetime(address)
    freed = None if lifetime is None or state.get(lifetime, 0) else _freed(steps, lifetime)
    said = words or hex(address)
    if mark.kind in _ACCESSES and mark.size:
        said = f"{mark.size} byte{'s' if mark.size != 1 else ''} at {said}"
    if freed is not None:
        said += f", freed at line {freed}"
    kind = mark.kind.value
    what = f"{kind} in {mark.text}: {said}" if mark.text else f"{kind}: {said}"
    found: dict[str, Any] = {"what": what, "place": words, "address": address, "bytes": mark.size, "freed_at": freed}
    return {**found, "pointers": _pointers(cfa, state)}


def state_at_end(evidence: Execution) -> dict[str, int]:
    """The numbers that variables have when the execution enters the error."""
    return {name: int(value) for name, value in _values_at_end(evidence).items() if isinstance(value, int)}


def address_at_end(evidence: Execution, about: Term) -> int:
    """What an address is when the execution enters the error."""
    reached = _values_at_end(evidence)
    values = {v: _value(v, reached.get(v.name)) for v in variables(about)}
    return int(evaluate(about, values)) % (1 << about.sort.width)


def _values_at_end(evidence: Execution) -> dict[str, Value]:
    state: dict[str, Value] = dict(evidence.replayed.initial)
    for step in evidence.replayed.steps:
        state.update(step.values)
    return state


def _value(variable: Term, value: Value | None) -> Value:
    """A value as terms have it: no number is negative, and what nobody wrote is zero."""
    sort = variable.sort
    if sort.element is None:
        return int(value) % (1 << sort.width) if isinstance(value, int) else 0
    if not isinstance(value, ArrayValue):
        return ArrayValue(0)
    modulo = 1 << sort.element.width
    stored = {index: element % modulo for index, element in value.stored.items() if isinstance(element, int)}
    return ArrayValue(value.default % modulo if isinstance(value.default, int) else 0, stored)


def _freed(steps: tuple[ReplayedStep, ...], lifetime: str) -> int | None:
    """The line of the last step that ended the life of a block."""
    lines = [step.position.line for step in steps if step.values.get(lifetime) == 0 and step.text]
    return lines[-1] if lines else None


def _pointers(cfa: Cfa, state: dict[str, int]) -> dict[str, str]:
    """What the pointers that were assigned lead to."""
    found: dict[str, str] = {}
    for variable in cfa.variables:
        name = variable.term.name
        if variable.notation is not None and name in state and not variable.name.startswith("temp"):
            text = variable.notation.text(state[name] % (1 << variable.term.sort.width))
            if text is not None and text.startswith(("&", "NULL", "(char *)&", "0x", '"')):
                found[name] = text
    return dict(list(found.items())[:MOST_POINTERS])
