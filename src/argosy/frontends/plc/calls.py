"""Calls of functions and blocks, inlined: what is given, the body, what is taken back.

An instance keeps its variables; what a function or a block has besides is one set of cells for each unit, since nothing
is recursive.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.frontends.plc.code import (
    PlcConstant,
    PlcGoTo,
    PlcSkip,
    PlcStore,
    TypedExpression,
)
from argosy.frontends.plc.frames import PlcFrame, Reference, Selected
from argosy.frontends.plc.functions import FunctionCode, is_nobody
from argosy.frontends.plc.syntax import (
    PlcAnnotation,
    PlcArgument,
    PlcAssignment,
    PlcBit,
    PlcCall,
    PlcCallStatement,
    PlcDeclaration,
    PlcMember,
    PlcName,
    PlcStatement,
    PlcUnit,
)
from argosy.frontends.plc.types import BOOLEAN, Cell, RecordStorage, cells_of


class CallCode(FunctionCode):
    """Code that knows calls."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__()
        self._lines = lines
        self._active: list[str] = []
        self._locals: dict[str, PlcFrame] = {}
        self.assertions: list[PlcAnnotation] = []
        self.stated: dict[int, int] = {}

    @abstractmethod
    def statements(self, body: Sequence[PlcStatement], frame: PlcFrame) -> None:
        """The instructions of a body."""

    def text(self, position: Position) -> str:
        """The line of the source that a statement begins in."""
        if not 1 <= position.line <= len(self._lines) or position.file.startswith("<"):
            return ""
        line = self._lines[position.line - 1].partition("//")[0].strip()
        return line.partition("(*")[0].strip()[:100] if not line.startswith("(*") else ""

    def skip(self, condition: TypedExpression, target: int, position: Position, text: str) -> None:
        """Goes on only where the condition holds."""
        if isinstance(condition, PlcConstant):
            if not condition.value:
                self.emit(PlcGoTo(target, position))
        else:
            self.emit(PlcSkip(condition, target, position, text))

    def assign_bit(self, target: PlcBit, value: TypedExpression, frame: PlcFrame, text: str) -> None:
        at = target.position
        base = self.reference(target.base, frame)
        old = self.load(base, at)
        type = old.type
        if type.kind not in ("bits", "integer") or not 0 <= target.number < type.width:
            raise InputError(at, f"{type.name} has no bit {target.number}")
        mask = type.wrapped(1 << target.number)
        on = self.operate("or", old, PlcConstant(mask, type), type=type, at=at)
        off = self.operate("and", old, PlcConstant(type.wrapped(~mask), type), type=type, at=at)
        self.store(base, self.operate("if", value, on, off, type=type, at=at), at, text)

    def call_statement(self, call: PlcCall, frame: PlcFrame) -> None:
        if isinstance(call.callee, PlcName):
            unit = self.scopes.units.get(call.callee.key)
            stored = self.find(call.callee.key, frame)
            if stored is None and unit is not None and unit.kind == "FUNCTION":
                self.call_function(unit, call.arguments, frame, call.position)
                return
            if stored is None and unit is not None:
                raise InputError(call.position, f"{unit.name} is a type of blocks: declare an instance and call that")
            if stored is None:
                self.expression(call, frame)
                return
        self._on_instance(
            self.reference(call.callee, frame),
            call.position,
            lambda instance: self.call_block(instance, call.arguments, frame, call.position),
        )

    def _on_instance(self, reference: Reference, at: Position, work: Callable[[RecordStorage], None]) -> None:
        """An element of an array of instances is found first."""
        match reference:
            case RecordStorage() if reference.type.block:
                work(reference)
            case Selected():
                after = self.label()
                index = self.temporary(reference.index, at)
                for number, option in enumerate(reference.options, reference.low):
                    following = self.label()
                    self.skip(self._is(index, number, at), following, at, self.text(at))
                    self._on_instance(option, at, work)
                    self.emit(PlcGoTo(after, at))
                    self.mark(following)
                self.mark(after)
            case _:
                raise InputError(at, "only functions and instances of function blocks can be called")

    def call_block(
        self, instance: RecordStorage, arguments: Sequence[PlcArgument], frame: PlcFrame, at: Position
    ) -> None:
        unit = self.scopes.units[instance.type.block]
        if unit.key == "F_TRIG" and unit.key not in self.scopes.own:
            self.scopes.note(self.scopes.dialect.notes()["F_TRIG"])
        inner = self._local_frame(unit)
        inner.names.update(instance.fields)
        self._invoke(unit, inner, arguments, frame, at)

    def call_function(
        self, unit: PlcUnit, arguments: Sequence[PlcArgument], frame: PlcFrame, at: Position
    ) -> Reference | None:
        inner = self._local_frame(unit)
        self._invoke(unit, inner, arguments, frame, at)
        return inner.names.get("(RESULT)")

    def _local_frame(self, unit: PlcUnit) -> PlcFrame:
        """A frame with what does not last from call to call: the same cells for each call of a unit."""
        if unit.key not in self._locals:
            local = PlcFrame(unit)
            self.scopes.constants(unit, local)
            function = unit.kind == "FUNCTION"
            for each in unit.declarations:
                if each.section == "VAR_TEMP" or (function and each in self.scopes.kept(unit)):
                    name = f"{unit.name}.{each.name}"
                    storage = self.scopes.allocate(each.type, name, "hidden", each.position, each.initial, local)
                    local.names[each.name.upper()] = storage
            if unit.result is not None:
                local.names["(RESULT)"] = self.scopes.allocate(
                    unit.result, unit.name, "hidden", unit.position, None, local
                )
            self._locals[unit.key] = local
        kept = self._locals[unit.key]
        return PlcFrame(unit, dict(kept.names))

    def _invoke(
        self, unit: PlcUnit, inner: PlcFrame, arguments: Sequence[PlcArgument], frame: PlcFrame, at: Position
    ) -> None:
        if unit.key in self._active:
            raise InputError(at, f"{unit.name} calls itself: {' -> '.join([*self._active, unit.key])}")
        parameters = [each for each in unit.declarations if each.section in _PARAMETERS]
        given = self._bound_arguments(unit, parameters, arguments)
        enable, done = given.pop("EN", None), given.pop("ENO", None)
        after = self.label()
        enabled: TypedExpression = PlcConstant(True, BOOLEAN)
        if enable is not None:
            enabled = self.temporary(self.condition(enable.value, frame), at)
        if done is not None and not is_nobody(done.value):
            self.store(self.reference(done.value, frame), enabled, at, self.text(at))
        self.skip(enabled, after, at, self.text(at))
        self._pass_in(unit, parameters, given, inner, frame, at)
        self._active.append(unit.key)
        self.run(unit, inner)
        self._active.pop()
        self._pass_out(parameters, given, inner, frame)
        self.mark(after)

    def _bound_arguments(
        self, unit: PlcUnit, parameters: Sequence[PlcDeclaration], arguments: Sequence[PlcArgument]
    ) -> dict[str, PlcArgument]:
        known = {each.name.upper() for each in parameters}
        order = iter([each for each in parameters if each.section != "VAR_OUTPUT" or unit.kind == "FUNCTION"])
        given: dict[str, PlcArgument] = {}
        for argument in arguments:
            key = argument.name.upper()
            if not key:
                following = next(order, None)
                if following is None:
                    raise InputError(argument.position, f"{unit.name} has no more than {len(parameters)} parameters")
                key = following.name.upper()
            if key not in known and key not in ("EN", "ENO"):
                names = ", ".join(each.name for each in parameters)
                raise InputError(argument.position, f"{unit.name} has no parameter {argument.name}; it has {names}")
            if key in given:
                raise InputError(argument.position, f"{argument.name or key} is given twice")
            given[key] = argument
        return given

    def _pass_in(
        self,
        unit: PlcUnit,
        parameters: Sequence[PlcDeclaration],
        given: dict[str, PlcArgument],
        inner: PlcFrame,
        frame: PlcFrame,
        at: Position,
    ) -> None:
        values: list[tuple[Reference, TypedExpression, Position]] = []
        whole: list[tuple[Reference, Reference, Position]] = []
        for each in parameters:
            key = each.name.upper()
            argument = given.get(key)
            if each.section == "VAR_IN_OUT":
                if argument is None:
                    raise InputError(at, f"{unit.name} needs a variable for {each.name}")
                inner.names[key] = self._still(self.reference(argument.value, frame), at)
            elif each.section == "VAR_INPUT" and argument is not None:
                if argument.output:
                    raise InputError(argument.position, f"{each.name} is an input: write {each.name} := ...")
                target = inner.names[key]
                if is_scalar(target):
                    values.append((target, self.expression(argument.value, frame), argument.position))
                else:
                    whole.append((target, self.reference(argument.value, frame), argument.position))
        self._reset(inner, {each.name.upper() for each in parameters if each.name.upper() in given})
        for target, value, position in values:
            self.store(target, value, position, self.text(position))
        for target, source, position in whole:
            self.copy(target, source, position, self.text(position))

    def _still(self, reference: Reference, at: Position) -> Reference:
        """A reference whose indices do not change while a block works with it."""
        if isinstance(reference, Selected):
            index = self.temporary(reference.index, at)
            return Selected(index, reference.low, tuple(self._still(each, at) for each in reference.options))
        return reference

    def _reset(self, inner: PlcFrame, given: set[str]) -> None:
        """What does not last starts anew: all of a function but the inputs that it is given, of a block what is
        temporary."""
        sections = {each.name.upper(): each.section for each in inner.unit.declarations}
        for key, reference in self._locals[inner.unit.key].names.items():
            if isinstance(reference, PlcConstant | Selected):
                continue
            if sections.get(key) == "VAR_INPUT" and key in given:
                continue
            for cell in cells_of(reference):
                self.emit(PlcStore(cell, PlcConstant(cell.initial, cell.type), inner.unit.position))

    def _pass_out(
        self, parameters: Sequence[PlcDeclaration], given: dict[str, PlcArgument], inner: PlcFrame, frame: PlcFrame
    ) -> None:
        for each in parameters:
            argument = given.get(each.name.upper())
            if each.section != "VAR_OUTPUT" or argument is None or is_nobody(argument.value):
                continue
            at, text = argument.position, self.text(argument.position)
            source = inner.names[each.name.upper()]
            if argument.negated:
                value = self.truth("not", self.load(source, at), at=at)
                self.store(self.reference(argument.value, frame), value, at, text)
            elif isinstance(argument.value, PlcBit):
                self.assign_bit(argument.value, self.load(source, at), frame, text)
            else:
                self.copy(self.reference(argument.value, frame), source, at, text)

    def run(self, unit: PlcUnit, frame: PlcFrame) -> None:
        """The body of a unit."""
        for note in unit.notes:
            self.scopes.note(note)
        for each in unit.declarations:
            if each.section == "VAR_EXTERNAL":
                key = each.name.upper()
                if key not in self.scopes.everywhere.names:
                    raise InputError(each.position, f"no global variable is called {each.name}")
                frame.names[key] = self.scopes.everywhere.names[key]
        frame.leave = self.label()
        edges = [each for each in unit.declarations if each.qualifiers & {"R_EDGE", "F_EDGE"}]
        for each in edges:
            self.statements(_seen_as_edge(each), frame)
        self.statements(unit.body, frame)
        for label, number in frame.labels.items():
            if label not in frame.placed:
                raise InputError(unit.position, f"{unit.name} has no label {label}")
            assert number in self.marks
        self.mark(frame.leave)
        for each in edges:
            level = PlcName(f"{each.name} level", each.position)
            self.statements((PlcAssignment(PlcName(each.name, each.position), level, each.position),), frame)


def _seen_as_edge(declared: PlcDeclaration) -> tuple[PlcStatement, ...]:
    """Inside of the unit the input is TRUE where it has an edge; afterwards it is again what it was given."""
    at = declared.position
    own, level, edge = (PlcName(f"{declared.name}{suffix}", at) for suffix in ("", " level", " edge"))
    call = PlcCall(edge, (PlcArgument("CLK", level, at),), at)
    return (
        PlcAssignment(level, own, at),
        PlcCallStatement(call, at),
        PlcAssignment(own, PlcMember(edge, "Q", at), at),
    )


_PARAMETERS = ("VAR_INPUT", "VAR_OUTPUT", "VAR_IN_OUT")


def is_scalar(reference: Reference) -> bool:
    if isinstance(reference, Selected):
        return is_scalar(reference.options[0])
    return isinstance(reference, Cell | PlcConstant)
