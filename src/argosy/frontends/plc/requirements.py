"""What engineers require of a controller: PLCverif's patterns, as conditions at the end of a cycle with monitors.

A monitor is a variable of its own that is brought up to date at the beginning or the end of each cycle; what it has to
say is an invariant. Repeatability (from everywhere a state can be reached again) is about branching time and refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.basics.records import dataclass
from argosy.frontends.plc.code import (
    PlcConstant,
    PlcInstruction,
    PlcLoad,
    PlcRequirement,
    PlcStore,
    TypedExpression,
)
from argosy.frontends.plc.expression_parser import PlcExpressionParser
from argosy.frontends.plc.frames import PlcFrame
from argosy.frontends.plc.lexer import tokens
from argosy.frontends.plc.types import BOOLEAN, ELEMENTARY, Cell, PlcScalar, RecordOf, RecordStorage

if TYPE_CHECKING:
    from argosy.frontends.plc.statements import StatementCode

KINDS: Mapping[str, tuple[int, str]] = {
    "invariant": (1, "always {0}"),
    "forbidden": (1, "never {0}"),
    "implication": (2, "if {0} at the end of a cycle, then {1}"),
    "change-within-cycle": (2, "if {0} at the beginning of a cycle, then {1} at its end"),
    "change-between-cycles": (3, "if {0} at the end of a cycle and {1} at the end of the next one, then {2} there"),
    "preceded-by": (2, "if {0} at the end of a cycle, then {1} at the end of an earlier one"),
    "leads-to": (2, "if {0} at the end of a cycle, then {1} within {within}"),
    "reachable": (1, "{0} can be true at the end of a cycle"),
    "repeatable": (1, "{0} can always become true again"),
}
"""The patterns: how many conditions each has, and what it says."""


@dataclass(frozen=True, slots=True)
class PlacedCondition:
    """The text of a condition and where it stands. ``c_operators``: ``!``, ``&&`` and ``||`` may be used."""

    text: str
    position: Position


@dataclass(frozen=True, slots=True)
class RequirementPattern:
    """``within`` is a number of cycles or, where it is a text, a duration. ``broken`` says what is wrong with it."""

    kind: str
    conditions: tuple[PlacedCondition, ...]
    position: Position
    name: str = ""
    within: int | str | None = None

    @property
    def text(self) -> str:
        within = f"{self.within} cycles" if isinstance(self.within, int) else str(self.within)
        shown = [" ".join(condition.text.split()) for condition in self.conditions]
        return KINDS[self.kind][1].format(*shown, within=within)


def longest(type: PlcScalar) -> int:
    """What is added to at most as much never wraps around."""
    return type.range[1] // 4


class Monitors:
    """Makes requirements of patterns, in the scope of the unit that runs."""

    def __init__(
        self,
        code: StatementCode,
        frame: PlcFrame,
        passed: Cell,
        resolved: Callable[[], tuple[PlcInstruction, ...]],
    ) -> None:
        self._code = code
        self._passed = passed
        self._resolved = resolved
        fields: dict[str, Any] = {key: found for key, found in frame.names.items() if not key.startswith("(")}
        whole = RecordStorage(RecordOf(frame.unit.name, ()), fields)
        # PLCverif calls the instance that is verified "instance".
        self._frame = PlcFrame(frame.unit, {"INSTANCE": whole, frame.unit.key: whole, **frame.names})

    def requirement(self, number: int, pattern: RequirementPattern) -> PlcRequirement:
        """Raises InputError where a condition is none."""
        name = pattern.name or f"requirement {number + 1}"
        wanted = KINDS[pattern.kind][0]
        if len(pattern.conditions) != wanted:
            raise InputError(pattern.position, f"{pattern.kind} has {wanted} conditions, not {len(pattern.conditions)}")
        if pattern.kind == "repeatable":
            what = "repeatability (branching time: from every state another one can be reached)"
            return PlcRequirement(number, name, pattern.text, pattern.position, refused=what)
        begin, end, condition = self._parts(number, pattern)
        reach = pattern.kind == "reachable"
        return PlcRequirement(number, name, pattern.text, pattern.position, begin, end, condition, reach)

    def _parts(
        self, number: int, pattern: RequirementPattern
    ) -> tuple[tuple[PlcInstruction, ...], tuple[PlcInstruction, ...], TypedExpression]:
        code, at = self._code, pattern.position
        texts = pattern.conditions
        begin: tuple[PlcInstruction, ...] = ()

        def monitor(label: str) -> Cell:
            return code.scopes.cell(f"({label} of {number + 1})", BOOLEAN, "hidden", at)

        match pattern.kind:
            case "invariant":
                condition = self._condition(texts[0])
            case "forbidden" | "reachable":
                condition = code.truth("not", self._condition(texts[0]), at=at)
            case "implication":
                condition = code.binary("->", self._condition(texts[0]), self._condition(texts[1]), at)
            case "change-within-cycle":
                before = monitor("before")
                code.emit(PlcStore(before, self._condition(texts[0]), at))
                begin = self._resolved()
                condition = code.binary("->", PlcLoad(before), self._condition(texts[1]), at)
            case "change-between-cycles":
                before, held = monitor("before"), monitor("held")
                first = self._condition(texts[0])
                both = code.truth("and", PlcLoad(before), self._condition(texts[1]), at=at)
                holds = code.temporary(code.binary("->", both, self._condition(texts[2]), at), at)
                code.emit(PlcStore(held, holds, at))
                code.emit(PlcStore(before, first, at))
                condition = PlcLoad(held)
            case "preceded-by":
                earlier, held = monitor("earlier"), monitor("held")
                holds = code.binary("->", self._condition(texts[0]), PlcLoad(earlier), at)
                code.emit(PlcStore(held, holds, at))
                seen = code.truth("or", PlcLoad(earlier), self._condition(texts[1]), at=at)
                code.emit(PlcStore(earlier, seen, at))
                condition = PlcLoad(held)
            case _:
                condition = self._leads_to(number, pattern)
        return begin, self._resolved(), condition

    def _leads_to(self, number: int, pattern: RequirementPattern) -> TypedExpression:
        """``waiting`` while something is due; ``age`` is how long the oldest of it has been, in cycles or in time. What
        comes when the age is over is late, and so is what does not come."""
        code, at = self._code, pattern.position
        trigger, response = (self._condition(each) for each in pattern.conditions)
        if pattern.within is None:
            what = "leads-to without a bound (within so many cycles, or a time): it is about liveness"
            raise UnsupportedError(at, what)
        if isinstance(pattern.within, int):
            type = ELEMENTARY["UDINT"]
            step: TypedExpression = PlcConstant(1, type)
            limit = PlcConstant(pattern.within, type)
        else:
            type, step = self._passed.type, PlcLoad(self._passed)
            bound = PlcExpressionParser(at.file, tokens(at.file, pattern.within, start=at)).expression()
            limit = code.constant(bound, self._frame, type)
        if not 0 <= limit.value <= longest(type):
            raise InputError(at, f"{pattern.within} is no bound that could be counted to")
        waiting = code.scopes.cell(f"(waiting of {number + 1})", BOOLEAN, "hidden", at)
        late = code.scopes.cell(f"(late of {number + 1})", BOOLEAN, "hidden", at)
        age = code.scopes.cell(f"(age of {number + 1})", type, "hidden", at)
        grown = code.operate("add", PlcLoad(age), step, type=type, at=at)
        started = code.operate("if", PlcLoad(waiting), grown, PlcConstant(0, type), type=type, at=at)
        code.emit(PlcStore(age, started, at))
        over = code.truth("lt", limit, PlcLoad(age), at=at)
        code.emit(PlcStore(late, code.truth("and", PlcLoad(waiting), over, at=at), at))
        due = code.truth("or", PlcLoad(waiting), trigger, at=at)
        code.emit(PlcStore(waiting, code.truth("and", due, code.truth("not", response, at=at), at=at), at))
        return code.truth("not", PlcLoad(late), at=at)

    def _condition(self, condition: PlacedCondition) -> TypedExpression:
        where = condition.position
        quoted = self._code.scopes.dialect.quoted_names
        given = tokens(where.file, condition.text, quoted_names=quoted, start=where)
        parser = PlcExpressionParser(where.file, given, c_operators=True)
        found = self._code.condition(parser.expression(), self._frame)
        if not parser.is_at_end:
            parser.fail("the end of the condition")
        return found
