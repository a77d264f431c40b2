"""Statements as instructions.

A loop whose bounds and step are known, whose variable nobody else writes and that is not too long is unrolled, so that
the cycle stays the only loop; all others become loops of the code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.basics.records import replace
from argosy.frontends.plc.calls import CallCode, is_scalar
from argosy.frontends.plc.code import (
    PlcCheck,
    PlcChoose,
    PlcConstant,
    PlcGoTo,
    PlcLoad,
    PlcStore,
    PlcSuppose,
    TypedExpression,
)
from argosy.frontends.plc.conversions import UNTYPED
from argosy.frontends.plc.frames import PlcFrame, Reference, Selected
from argosy.frontends.plc.functions import is_nobody
from argosy.frontends.plc.syntax import (
    PlcAnnotation,
    PlcArgument,
    PlcAssignment,
    PlcBit,
    PlcCall,
    PlcCallStatement,
    PlcCase,
    PlcExpression,
    PlcFor,
    PlcIf,
    PlcJump,
    PlcLabelled,
    PlcName,
    PlcRepeat,
    PlcStatement,
    PlcWhile,
    inside,
)
from argosy.frontends.plc.types import BOOLEAN, ELEMENTARY, Cell, PlcScalar, cells_of

_ENABLES = ("EN", "ENO")
UNROLLED = 200
"""Rounds up to which a loop is unrolled."""


class StatementCode(CallCode):
    """Everything that stands in a body."""

    def statements(self, body: Sequence[PlcStatement], frame: PlcFrame) -> None:
        for statement in body:
            self.statement(statement, frame)

    def statement(self, statement: PlcStatement, frame: PlcFrame) -> None:
        match statement:
            case PlcAssignment():
                self._assignment(statement, frame)
            case PlcCallStatement():
                self.call_statement(statement.call, frame)
            case PlcIf():
                self._if(statement, frame)
            case PlcCase():
                self._case(statement, frame)
            case PlcFor():
                self._for(statement, frame)
            case PlcWhile():
                self._while(statement, frame)
            case PlcRepeat():
                self._repeat(statement, frame)
            case PlcJump():
                self._jump(statement, frame)
            case PlcLabelled():
                key = statement.label.upper()
                if key in frame.placed:
                    raise InputError(statement.position, f"the label {statement.label} stands here twice")
                frame.placed.add(key)
                self.mark(frame.labels.setdefault(key, self.label()))
            case PlcAnnotation():
                self._annotation(statement, frame)

    # ---- assignments --------------------------------------------------------------------------------------

    def _assignment(self, statement: PlcAssignment, frame: PlcFrame) -> None:
        at, text = statement.position, self.text(statement.position)
        if isinstance(statement.target, PlcBit):
            value = self.condition(statement.value, frame)
            self.assign_bit(statement.target, value, frame, text)
            return
        if isinstance(statement.value, PlcCall):
            enabled = {each.name.upper(): each for each in statement.value.arguments if each.name.upper() in _ENABLES}
            if enabled:
                self._enabled(statement, statement.value, enabled, frame)
                return
        target = self._target(statement.target, frame)
        if is_scalar(target):
            self.store(target, self.expression(statement.value, frame), at, text)
        else:
            self.copy(target, self._whole(statement.value, frame), at, text)

    def _whole(self, value: PlcExpression, frame: PlcFrame) -> Reference:
        """An array or structure: a variable, or what a function returns."""
        if isinstance(value, PlcCall) and isinstance(value.callee, PlcName):
            unit = self.scopes.units.get(value.callee.key)
            if unit is not None and unit.kind == "FUNCTION":
                result = self.call_function(unit, value.arguments, frame, value.position)
                if result is not None:
                    return result
        return self.reference(value, frame)

    def _enabled(
        self, statement: PlcAssignment, call: PlcCall, enabled: Mapping[str, PlcArgument], frame: PlcFrame
    ) -> None:
        """``x := F(EN := e, ..., ENO => done)``: nothing is assigned unless e holds."""
        at = statement.position
        condition: TypedExpression = PlcConstant(True, BOOLEAN)
        if "EN" in enabled:
            condition = self.temporary(self.condition(enabled["EN"].value, frame), at)
        if "ENO" in enabled and not is_nobody(enabled["ENO"].value):
            self.store(self.reference(enabled["ENO"].value, frame), condition, at, self.text(at))
        after = self.label()
        self.skip(condition, after, at, self.text(at))
        arguments = tuple(each for each in call.arguments if each.name.upper() not in _ENABLES)
        self._assignment(replace(statement, value=replace(call, arguments=arguments)), frame)
        self.mark(after)

    def _target(self, syntax: PlcExpression, frame: PlcFrame) -> Reference:
        if isinstance(syntax, PlcName) and syntax.key in ("ENO", "OK") and syntax.key not in frame.names:
            raise UnsupportedError(syntax.position, f"an assignment of {syntax.text}")
        return self.reference(syntax, frame)

    # ---- branches -----------------------------------------------------------------------------------------

    def _if(self, statement: PlcIf, frame: PlcFrame) -> None:
        after = self.label()
        for syntax, body in statement.branches:
            if syntax is None:
                self.statements(body, frame)
                break
            condition = self.condition(syntax, frame)
            if isinstance(condition, PlcConstant) and not condition.value and not _has_label(body):
                continue
            following = self.label()
            self.skip(condition, following, syntax.position, self.text(syntax.position))
            self.statements(body, frame)
            if isinstance(condition, PlcConstant) and condition.value:
                self.mark(following)
                break
            self.emit(PlcGoTo(after, syntax.position))
            self.mark(following)
        self.mark(after)

    def _case(self, statement: PlcCase, frame: PlcFrame) -> None:
        at = statement.position
        selector = self.expression(statement.selector, frame)
        if not selector.type.is_word:
            raise InputError(statement.selector.position, f"CASE is about whole numbers, not {selector.type.name}")
        if not isinstance(selector, PlcConstant | PlcLoad):
            selector = self.temporary(selector, at)
        after = self.label()
        for labels, body in statement.branches:
            condition: TypedExpression = PlcConstant(False, BOOLEAN)
            for low, high in labels:
                condition = self.truth("or", condition, self._within(selector, low, high, frame), at=low.position)
            if isinstance(condition, PlcConstant) and not condition.value and not _has_label(body):
                continue
            following = self.label()
            position = labels[0][0].position
            self.skip(condition, following, position, self.text(position))
            self.statements(body, frame)
            self.emit(PlcGoTo(after, position))
            self.mark(following)
            if isinstance(condition, PlcConstant) and condition.value:
                self.mark(after)
                return
        self.statements(statement.otherwise, frame)
        self.mark(after)

    def _within(
        self, selector: TypedExpression, low: PlcExpression, high: PlcExpression | None, frame: PlcFrame
    ) -> TypedExpression:
        first = self.constant(low, frame)
        if high is None:
            return self.binary("=", selector, first, low.position)
        last = self.constant(high, frame)
        above = self.binary(">=", selector, first, low.position)
        return self.truth("and", above, self.binary("<=", selector, last, low.position), at=low.position)

    # ---- loops --------------------------------------------------------------------------------------------

    def _for(self, statement: PlcFor, frame: PlcFrame) -> None:
        variable = self.reference(statement.variable, frame)
        if not isinstance(variable, Cell) or variable.type.kind != "integer":
            raise InputError(statement.variable.position, "the variable of a loop is a single integer")
        rounds = self._rounds(statement, variable, frame)
        if rounds is not None and len(rounds) <= UNROLLED and self._unrolled(statement, variable, rounds, frame):
            return
        self._counted(statement, variable, frame)

    def _rounds(self, statement: PlcFor, variable: Cell, frame: PlcFrame) -> range | None:
        """The values of the variable, where they are known."""
        if _has_label(statement.body) or variable in self.known:
            return None
        try:
            first, last = (int(self.constant(each, frame).value) for each in (statement.first, statement.last))
            step = int(self.constant(statement.step, frame).value) if statement.step else 1
        except InputError:
            return None
        if step == 0:
            raise InputError(statement.position, "a loop with the step 0")
        found = range(first, last + (1 if step > 0 else -1), step)
        beyond = found[-1] + step if len(found) else first
        return found if variable.type.fits(first) and variable.type.fits(beyond) else None

    def _unrolled(self, statement: PlcFor, variable: Cell, rounds: range, frame: PlcFrame) -> bool:
        """False, and nothing is emitted, where the body itself writes the variable."""
        at, text = statement.position, self.text(statement.position)
        begun, loops = len(self.code), len(frame.exits)
        after = self.label()
        for value in rounds:
            self.emit(PlcStore(variable, PlcConstant(value, variable.type), at, text))
            following, inside = self.label(), len(self.code)
            self.known[variable] = value
            self._loop_body(statement.body, frame, after, following)
            del self.known[variable]
            if any(isinstance(each, PlcStore | PlcChoose) and each.cell is variable for each in self.code[inside:]):
                del self.code[begun:], frame.exits[loops:], frame.continues[loops:]
                return False
            self.mark(following)
        beyond = rounds[-1] + rounds.step if len(rounds) else rounds.start
        self.emit(PlcStore(variable, PlcConstant(beyond, variable.type), at, text))
        self.mark(after)
        return True

    def _counted(self, statement: PlcFor, variable: Cell, frame: PlcFrame) -> None:
        """Bounds and step are read once."""
        at, text = statement.position, self.text(statement.position)
        type = variable.type
        first = self.convert(self.expression(statement.first, frame), type, at)
        last = self._kept(self._bound(statement.last, type, frame), at)
        step: TypedExpression = PlcConstant(1, type)
        if statement.step is not None:
            step = self._kept(self._bound(statement.step, type, frame), at)
        if isinstance(step, PlcConstant) and step.value == 0:
            raise InputError(at, "a loop with the step 0")
        if isinstance(step, PlcConstant) and isinstance(last, PlcConstant) and not type.fits(last.value + step.value):
            self.scopes.note(f"{at.line}: {type.name} wraps around at {last.value}: only EXIT or RETURN ends the loop")
        self.emit(PlcStore(variable, first, at, text))
        head, after, following = self.label(), self.label(), self.label()
        self.mark(head)
        up = self.binary("<=", PlcLoad(variable), last, at)
        down = self.binary(">=", PlcLoad(variable), last, at)
        falling = self.binary("<", step, PlcConstant(0, UNTYPED), at)
        self.skip(self.operate("if", falling, down, up, type=BOOLEAN, at=at), after, at, text)
        self._loop_body(statement.body, frame, after, following)
        self.mark(following)
        stepped = self.binary("+", PlcLoad(variable), step, at)
        self.emit(PlcStore(variable, self.operate("convert", stepped, type=type, at=at), at, text))
        self.emit(PlcGoTo(head, at))
        self.mark(after)

    def _bound(self, syntax: PlcExpression, type: PlcScalar, frame: PlcFrame) -> TypedExpression:
        found = self.expression(syntax, frame)
        if isinstance(found, PlcConstant) and found.type == UNTYPED:
            return self.convert(found, type if type.fits(found.value) else ELEMENTARY["LINT"], syntax.position)
        if found.type.kind != "integer":
            raise InputError(syntax.position, f"a bound of a loop is an integer, not {found.type.name}")
        return found

    def _kept(self, value: TypedExpression, at: Position) -> TypedExpression:
        return value if isinstance(value, PlcConstant) else self.temporary(value, at)

    def _loop_body(self, body: Sequence[PlcStatement], frame: PlcFrame, after: int, following: int) -> None:
        frame.exits.append(after)
        frame.continues.append(following)
        self.statements(body, frame)
        frame.exits.pop()
        frame.continues.pop()

    def _while(self, statement: PlcWhile, frame: PlcFrame) -> None:
        at = statement.position
        head, after = self.label(), self.label()
        self.mark(head)
        self.skip(self.condition(statement.condition, frame), after, at, self.text(at))
        self._loop_body(statement.body, frame, after, head)
        self.emit(PlcGoTo(head, at))
        self.mark(after)

    def _repeat(self, statement: PlcRepeat, frame: PlcFrame) -> None:
        at = statement.until.position
        head, after, following = self.label(), self.label(), self.label()
        self.mark(head)
        self._loop_body(statement.body, frame, after, following)
        self.mark(following)
        self.skip(self.condition(statement.until, frame), head, at, self.text(at))
        self.mark(after)

    def _jump(self, statement: PlcJump, frame: PlcFrame) -> None:
        at = statement.position
        match statement.kind:
            case "RETURN":
                target = frame.leave
            case "GOTO":
                target = frame.labels.setdefault(statement.label.upper(), self.label())
            case kind:
                loops = frame.exits if kind == "EXIT" else frame.continues
                if not loops:
                    raise InputError(at, f"{kind} outside of a loop")
                target = loops[-1]
        self.emit(PlcGoTo(target, at))

    def _annotation(self, statement: PlcAnnotation, frame: PlcFrame) -> None:
        at = statement.position
        if statement.kind == "HAVOC":
            target = self.reference(statement.expression, frame)
            if isinstance(target, Selected | PlcConstant):
                raise UnsupportedError(at, "HAVOC of an element that is not known")
            for cell in cells_of(target):
                self.emit(PlcChoose(cell, at, f"havoc {cell.name}"))
            return
        condition = self.condition(statement.expression, frame)
        if statement.kind == "ASSUME":
            self.scopes.note(f"{at.line}: assumed by the program itself: {statement.text}")
            self.emit(PlcSuppose(condition, at, f"assume {statement.text}"))
            return
        number = self.stated.setdefault(id(statement), len(self.assertions))
        if number == len(self.assertions):
            self.assertions.append(statement)
        self.emit(PlcCheck(condition, number, at))


def _has_label(body: Sequence[PlcStatement]) -> bool:
    return any(isinstance(statement, PlcLabelled) for statement in inside(body))
