"""Runs typed code, cycle by cycle: what a person can replay, and the oracle for everything else.

Nothing is arbitrary here: inputs and the time that passes are given. Floating point is computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.basics.records import dataclass
from argosy.frontends.plc.code import (
    PlcCheck,
    PlcChoose,
    PlcConstant,
    PlcDemand,
    PlcGoTo,
    PlcInstruction,
    PlcLoad,
    PlcProgram,
    PlcSkip,
    PlcStore,
    PlcSuppose,
    TypedExpression,
)
from argosy.frontends.plc.operators import evaluate
from argosy.frontends.plc.types import Cell, Value, rounded

MOST_STEPS = 2_000_000
"""Instructions in one cycle, beyond which a program is taken not to end."""


class Halted(Exception):
    """The controller stops: a division by zero, an index outside of its array, a cycle without an end."""

    def __init__(self, position: Position, what: str) -> None:
        super().__init__(position, what)
        self.position = position
        self.what = what

    def __str__(self) -> str:
        return f"{self.position}: {self.what}"


@dataclass(frozen=True, slots=True)
class CycleResult:
    """The values of all cells at the end of a cycle, and the requirements that did not hold in it."""

    values: Mapping[Cell, Value]
    violated: tuple[int, ...]


class Simulation:
    """A running program. ``values`` may be changed between cycles."""

    def __init__(self, program: PlcProgram) -> None:
        self._program = program
        self.values: dict[Cell, Value] = {cell: cell.initial for cell in program.cells}
        self._by_name = {cell.name.upper(): cell for cell in program.cells}
        self._steps = 0
        self._violated: list[int] = []
        self._first = True

    def cell(self, name: str) -> Cell | None:
        return self._by_name.get(name.upper())

    def cycle(self, inputs: Mapping[Cell, Value], passed: int | None = None) -> CycleResult:
        """One cycle with these inputs; an input that is not given keeps its value. Raises Halted."""
        program = self._program
        self.values.update(inputs)
        self.values[program.cycle_time] = program.times[0] if passed is None else passed
        self._steps = 0
        self._violated = []
        self.run(program.timers)
        for requirement in program.requirements:
            self.run(requirement.begin)
        self.run(program.body)
        for requirement in program.requirements:
            self.run(requirement.end)
            if requirement.condition is not None and not self.value(requirement.condition):
                self._violated.append(requirement.number)
        return CycleResult(dict(self.values), tuple(dict.fromkeys(self._violated)))

    def run(self, code: Sequence[PlcInstruction]) -> None:
        at, end = 0, len(code)
        values = self.values
        while at < end:
            self._steps += 1
            each = code[at]
            at += 1
            match each:
                case PlcStore():
                    values[each.cell] = self.value(each.value, each.position)
                case PlcSkip():
                    if not self.value(each.condition, each.position):
                        at = each.target
                case PlcGoTo():
                    at = each.target
                case PlcDemand():
                    if not self.value(each.condition, each.position):
                        raise Halted(each.position, f"{each.kind.value} (needed: {each.text})")
                case PlcCheck():
                    if not self.value(each.condition, each.position):
                        self._violated.append(each.requirement)
                case PlcSuppose():
                    if not self.value(each.condition, each.position):
                        raise Halted(each.position, f"an assumption of the program does not hold: {each.text}")
                case PlcChoose():
                    pass  # A value that may be any is the one that is there.
            if self._steps > MOST_STEPS:
                raise Halted(each.position, f"the cycle does not end within {MOST_STEPS} steps")

    def value(self, expression: TypedExpression, position: Position | None = None) -> Value:
        match expression:
            case PlcConstant(value):
                return value
            case PlcLoad(cell):
                return self.values[cell]
        operands = expression.operands
        if expression.operator == "if":
            chosen = operands[1] if self.value(operands[0], position) else operands[2]
            return self.value(chosen, position)
        if expression.operator in ("and", "or") and expression.type.kind == "bool":
            # What the first operand of AND_THEN or OR_ELSE decides is not evaluated: it may have no value.
            first = self.value(operands[0], position)
            return first if first is (expression.operator == "or") else self.value(operands[1], position)
        given = [self.value(operand, position) for operand in operands]
        try:
            return evaluate(expression.operator, [operand.type for operand in operands], expression.type, given)
        except ZeroDivisionError:
            raise Halted(position or expression.position, "division by zero") from None


def read_value(cell: Cell, given: Any, position: Position) -> Value:
    """A value as a trace has it: of JSON, or text of a table."""
    type = cell.type
    text = str(given).strip()
    match type.kind:
        case "bool":
            known = {"TRUE": True, "FALSE": False, "1": True, "0": False, "T": True, "F": False}
            if text.upper() in known:
                return known[text.upper()]
        case "real":
            try:
                return rounded(type, float(text))
            except ValueError:
                pass
        case "string":
            return text.strip("'")
        case "enumeration":
            for name, number in type.names:
                if text.upper().rpartition("#")[2] == name.upper():
                    return number
            whole = _whole(text, False)
            if whole in dict(type.names).values():
                return whole
    if type.is_word and type.kind != "enumeration":
        whole = _whole(text, type.kind == "time")
        if whole is not None and type.fits(whole):
            return whole
        if whole is not None and 0 <= whole < 1 << type.width:
            return type.wrapped(whole)
    raise InputError(position, f"{text or 'nothing'} is not a value of {type.name} ({cell.name})")


def any_value(cell: Cell, chance: Random) -> Value:
    """A value of an input's type: small ones, the ends of its range, or any."""
    type = cell.type
    match type.kind:
        case "bool":
            return chance.random() < 0.5
        case "real":
            return rounded(type, chance.choice([0.0, 1.0, -1.0, chance.uniform(-1000, 1000)]))
        case "string":
            return cell.initial
        case "enumeration":
            return chance.choice(type.names)[1]
    low, high = type.range if type.low is None or type.high is None else (type.low, type.high)
    near = chance.randint(max(low, -10), min(high, 10)) if low <= 10 and high >= -10 else low
    return chance.choice([low, high, near, chance.randint(low, high)])


def _whole(text: str, time: bool) -> int | None:
    """A whole number; a time is in milliseconds, or a duration."""
    from argosy.frontends.plc.literals import duration

    try:
        base, sharp, digits = text.partition("#")
        if sharp and base.isdigit():
            return int(digits.replace("_", ""), int(base))
        if time and not text.lstrip("-").isdigit():
            return duration(digits if sharp else text) // 1_000_000
        return int(float(text)) if "." in text else int(text)
    except (ValueError, OverflowError):
        return None
