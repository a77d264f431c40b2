"""The model of a C program, executed on concrete values: no analysis takes part.

A program writes a checksum of all its globals to the global ``seen`` whenever it passes a marker; the values that
``seen`` takes, one after the other, are what the execution shows. The same program, compiled, shows the same
(``compiled``). What ``__VERIFIER_nondet_...`` gives is one of a few fixed sequences, the same on both sides.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from argosy.basics.errors import UnsupportedError
from argosy.certify.interpreter import Blocked, ConcreteState, Interpreter
from argosy.frontends.c.load import load
from argosy.frontends.c.memory import MOST_CELLS
from argosy.logic.semantics import ArrayValue, Value
from argosy.logic.sorts import Sort
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import variables
from argosy.models.cfa import Assign, Assume, Cfa, Check, Edge, Havoc, Reading
from argosy.models.program import Program

STEPS = 60_000
# Calls of one function that are active; programs that call themselves do so less often.
DEEPEST = 10
SEEN = "seen"
# How often a program is run, each time with another sequence of inputs.
SEQUENCES = 2
_NONDET = "__VERIFIER_nondet_"
_PATTERN = 0x5A5B_A5A7_5A5B_A5A7_5A5B_A5A7_5A5B_A5A7


def inputs(sequence: int) -> Iterator[int]:
    """Numbers of 64 bits; ``compiled.INPUTS`` computes them as well."""
    state = sequence
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        match state >> 61:
            case 0:
                yield 0
            case 1:
                yield (1 << 64) - 1
            case 2 | 3 | 4:
                yield (state >> 33) & 7
            case _:
                yield state >> 16


@dataclass(frozen=True, slots=True)
class Execution:
    """What was seen, and how it ended: ``ending`` is empty at the end of the program, else error, stops (nowhere to
    go), open (more than one way to go), endless, or undefined with a line and what C leaves undefined there."""

    seen: tuple[int, ...]
    ending: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """``kind``: wrong, undefined, stops (before the end), open, error, endless, crash, refused; empty where the model
    and the compiled program agree."""

    kind: str
    detail: str = ""

    @property
    def disagrees(self) -> bool:
        """Refused, or longer than the interpreter has patience for: nothing is said about such a program."""
        return self.kind not in ("", "refused", "endless")


def compare_blocks(text: str, expected: Sequence[Execution], data_model: str, reading: Reading) -> Finding:
    """As ``compare``, with as much memory as possible in blocks: every array, and all that ``malloc`` gives."""
    return compare(text, expected, data_model, reading, blocks=True)


def compare(
    text: str,
    expected: Sequence[Execution],
    data_model: str,
    reading: Reading = Reading.UNDEFINED,
    blocks: bool = False,
) -> Finding:
    """The model's executions, one for each sequence of inputs, against those of the compiled program (or one that ends
    as ``undefined``). Where they differ behind a step that depends on what is not modelled, nothing is said."""
    try:
        cfa = model(text, data_model, blocks).cfa
        interpreter = Interpreter(cfa, reading)
        for sequence, truth in enumerate(expected):
            found = execute(interpreter, sequence)
            if found.ending == "endless":
                return Finding("endless")
            if (found.seen, found.ending.split(":")[0]) != (truth.seen, truth.ending):
                same = _same(found, truth)
                if same >= len(execute(interpreter, sequence, modelled=True).seen):
                    return Finding("refused", f"not modelled: {_unmodelled(cfa)}")
                detail = f"{found.ending or 'ends'} after {len(found.seen)} steps of {len(truth.seen)}"
                return Finding(found.ending.split(":")[0] or "wrong", f"{detail}, the same up to step {same}")
    except UnsupportedError as error:
        return Finding("refused", str(error))
    except Exception as error:  # noqa: BLE001 (whatever the front end raises is a finding)
        frames = [f for f in traceback.extract_tb(error.__traceback__) if "frontends" in f.filename]
        where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno} {frames[-1].name}" if frames else ""
        return Finding("crash", f"{type(error).__name__}: {error} ({where})")
    return Finding("")


def _same(found: Execution, truth: Execution) -> int:
    pairs = enumerate(zip(found.seen, truth.seen, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(found.seen), len(truth.seen)))


def model(text: str, data_model: str, blocks: bool = False) -> Program:
    return load(
        "program.c",
        text=text,
        terms=Terms(),
        data_model=data_model,
        volatile="plain",
        deepest=DEEPEST,
        unbounded=blocks,
        most_cells=1 if blocks else MOST_CELLS,
    )


def _pattern(sort: Sort) -> Value:
    """Some bits for what is left open."""
    return ArrayValue(_pattern(sort.element)) if sort.element is not None else _PATTERN % (1 << sort.width)


def execute(interpreter: Interpreter, sequence: int, modelled: bool = False) -> Execution:
    """The one execution for a sequence of inputs; whatever else the model leaves open has some bits. ``modelled``: only
    as far as nothing that is seen depends on those; what comes at the end is a step as well, then."""
    cfa = interpreter.cfa
    state = interpreter.start({t: _pattern(t.sort) for t in cfa.opaque if t in interpreter.slots})
    slot = next((slot for term, slot in interpreter.slots.items() if term.name == SEEN), None)
    choose = _choices(sequence)
    seen: list[int] = []
    unknown: set[Term] = set(cfa.opaque)
    check: Check | None = None
    for _ in range(STEPS):
        if state.location is cfa.error:
            return Execution(tuple(seen), "error")
        if modelled and any(_depends(edge, unknown) for edge in cfa.leaving[state.location]):
            return Execution(tuple(seen), "open")
        taken: list[tuple[Edge, ConcreteState]] = []
        check = None
        for edge in cfa.leaving[state.location]:
            outcome = interpreter.step(edge, state, choose)
            if isinstance(outcome, ConcreteState):
                taken.append((edge, outcome))
            elif isinstance(outcome, Blocked) and outcome.check is not None:
                check = outcome.check
        if not taken:
            break
        if len(taken) > 1:
            return Execution(tuple(seen), f"open: two edges are enabled at {state.location}")
        [(edge, state)] = taken
        if modelled:
            _follow(edge, unknown)
        if slot is not None and isinstance(edge.operation, Assign) and edge.operation.variable.name == SEEN:
            if edge.operation.variable in unknown:
                return Execution(tuple(seen), "open")
            value = state.values[slot]
            assert isinstance(value, int)
            seen.append(value)
    else:
        return Execution(tuple(seen), "endless")
    ending = "stops" if cfa.leaving[state.location] else ""
    if check is not None:
        ending = f"undefined: {check.position.line} {check.kind.value}"
    return Execution((*seen, 0) if modelled else tuple(seen), ending)


def _depends(edge: Edge, unknown: Set[Term]) -> bool:
    """Whether it depends on what is unknown that the edge is taken."""
    conditions = [check.condition for check in edge.checks]
    if isinstance(edge.operation, Assume):
        conditions.append(edge.operation.condition)
    return any(not unknown.isdisjoint(variables(condition)) for condition in conditions)


def _follow(edge: Edge, unknown: set[Term]) -> None:
    """What is unknown after an edge."""
    match edge.operation:
        case Assign(variable, value):
            (unknown.discard if unknown.isdisjoint(variables(value)) else unknown.add)(variable)
        case Havoc(variable):
            (unknown.discard if str(edge.choice).startswith(_NONDET) else unknown.add)(variable)


def _choices(sequence: int) -> Callable[[Edge, Term], Value]:
    given = inputs(sequence)

    def choose(edge: Edge, variable: Term) -> Value:
        if not str(edge.choice).startswith(_NONDET):
            return _pattern(variable.sort)
        if str(edge.choice).startswith(f"{_NONDET}pointer"):
            return 0
        value = next(given)
        return value & 1 if str(edge.choice).startswith(f"{_NONDET}bool") else value % (1 << variable.sort.width)

    return choose


def _unmodelled(cfa: Cfa) -> str:
    return ", ".join(sorted({refusal.what for refusal in cfa.opaque.values()}))[:200]
