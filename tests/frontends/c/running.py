"""Reads snippets of C and executes their automata, so that tests can speak about what a program computes."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from argosy.certify.interpreter import Blocked, ConcreteState, Interpreter, zero
from argosy.frontends.c.load import load
from argosy.frontends.c.unsupported import subject as subject
from argosy.logic.semantics import Value, signed
from argosy.logic.terms import Terms
from argosy.models.cfa import Cfa, Check, Edge, Reading
from argosy.models.program import Program

STEPS = 20_000


def read(source: str, name: str = "program.c", **options: Any) -> Program:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(source)
        return load(str(path), terms=Terms(), **options)


@dataclass
class Outcome:
    """How an execution ended: in the error, outside the language (``undefined``), or where no edge leaves."""

    error: bool
    undefined: Check | None
    values: dict[str, int]
    trace: list[Edge] = field(default_factory=list)

    def __getitem__(self, name: str) -> int:
        return self.values[name]


def run(source: str, choices: Sequence[int] = (), reading: Reading = Reading.UNDEFINED, **options: Any) -> Outcome:
    """The one execution of a program whose choices are given, in order; those that are missing are 0."""
    return execute(read(source, **options).cfa, choices, reading)


def execute(cfa: Cfa, choices: Sequence[int] = (), reading: Reading = Reading.UNDEFINED) -> Outcome:
    interpreter = Interpreter(cfa, reading)
    state = interpreter.start({})
    left = list(choices)
    trace: list[Edge] = []
    undefined: Check | None = None

    def choose(edge: Edge, variable: Any) -> Value:
        if not variable.sort.is_bits:
            return zero(variable.sort)
        return int((left.pop(0) if left else 0) % (1 << variable.sort.width))

    for _ in range(STEPS):
        if state.location is cfa.error:
            break
        after = []
        undefined = None
        for edge in cfa.leaving[state.location]:
            outcome = interpreter.step(edge, state, choose)
            if isinstance(outcome, ConcreteState):
                after.append((edge, outcome))
            elif isinstance(outcome, Blocked) and outcome.check is not None:
                undefined = outcome.check
        if not after:
            break
        assert len(after) == 1, f"two edges are enabled at {state.location}: {after}"
        undefined = None
        trace.append(after[0][0])
        state = after[0][1]
    else:
        raise AssertionError("the execution does not end")
    values = {}
    for variable, value in zip(cfa.variables, state.values, strict=True):
        width = variable.term.sort.width
        number = variable.signed and variable.term.sort.is_bits
        values[variable.term.name] = signed(value, width) if number else value
    return Outcome(state.location is cfa.error, undefined, values, trace)


def value_of(expression: str, declarations: str = "", **options: Any) -> int:
    """The value of an expression, as a ``long long``."""
    outcome = run(f"{declarations}\nlong long result;\nint main(void) {{ result = {expression}; }}", **options)
    assert outcome.undefined is None, outcome.undefined
    return outcome["result"]


def final(body: str, before: str = "", choices: Sequence[int] = (), **options: Any) -> Outcome:
    """The outcome of a ``main`` with this body."""
    return run(f"{before}\nint main(void) {{ {body} }}", choices, **options)
