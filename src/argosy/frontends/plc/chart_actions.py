"""The actions of a sequential function chart: when they run (IEC 61131-3, section 6.7.4.6, the block ACTION_CONTROL).

An action runs while ``Q`` of its control holds; where the dialect has a final scan, once more when it has ended. An
action that is a variable is that ``Q``. Each association with a step brings its part of the control:

    N  while the step is active          P, P1  when it becomes active      P0  when it ends
    S  from then on, until R             L  at most for a time              D  after a time
    SD stored, then after a time         DS after a time, then stored       SL stored, at most for a time
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from argosy.basics.choices import did_you_mean
from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.basics.records import dataclass, field
from argosy.frontends.elements import XmlElement
from argosy.frontends.plc.power import parsed
from argosy.frontends.plc.syntax import (
    PlcArgument,
    PlcAssignment,
    PlcBinary,
    PlcCall,
    PlcCallStatement,
    PlcDeclaration,
    PlcExpression,
    PlcIf,
    PlcJump,
    PlcLiteral,
    PlcMember,
    PlcName,
    PlcNamedType,
    PlcStatement,
    PlcUnary,
    inside,
)
from argosy.frontends.plc.tags import children, first, local, name_of

RunOf = Callable[[XmlElement], tuple[Sequence[PlcDeclaration], tuple[PlcStatement, ...]]]
_TIMED = ("L", "D", "SD", "DS", "SL")
_QUALIFIERS = ("N", "R", "S", "P", "P0", "P1", *_TIMED)


def name(text: str, at: Position) -> PlcName:
    return PlcName(text, at)


def active(step: str, at: Position) -> PlcExpression:
    return PlcMember(name(step, at), "X", at)


def hidden(text: str, type: str, at: Position) -> PlcDeclaration:
    """A variable that nobody wrote. Its name has a space, so that nobody else has it."""
    return PlcDeclaration(text, PlcNamedType(type, at), "VAR", at, qualifiers=frozenset({"HIDDEN"}))


def both(operator: str, parts: Sequence[PlcExpression], at: Position) -> PlcExpression:
    """All of them with an operator between; of none it is FALSE."""
    found: PlcExpression = parts[0] if parts else PlcLiteral("bool", False, at)
    for part in parts[1:]:
        found = PlcBinary(operator, found, part, at)
    return found


@dataclass(eq=False)
class ChartAction:
    """``body`` is what runs; a variable has none. ``uses`` are steps with qualifier and duration."""

    name: str
    position: Position
    body: tuple[PlcStatement, ...] | None
    uses: list[tuple[str, str, PlcExpression | None, Position]] = field(default_factory=list)


class ChartActions:
    """The actions of one chart. ``named`` are those that the unit declares, ``known`` its variables."""

    def __init__(
        self,
        path: str,
        elements: Mapping[str, XmlElement],
        steps: Mapping[str, XmlElement],
        named: Mapping[str, XmlElement],
        known: set[str],
        run_of: RunOf,
        final_scan: bool,
    ) -> None:
        self._path = path
        self._named = named
        self._known = known
        self._run_of = run_of
        self._final_scan = final_scan
        self.declared: list[PlcDeclaration] = []
        self._actions: dict[str, ChartAction] = {}
        for block in elements.values():
            if local(block) == "actionBlock":
                for step in self._steps_of(block, elements):
                    for action in children(block, "action"):
                        self._use(action, step)

    def statements(self) -> tuple[PlcStatement, ...]:
        """All controls first, then what they let run."""
        controls: list[PlcStatement] = []
        runs: list[PlcStatement] = []
        for number, action in enumerate(self._actions.values(), 1):
            self._control(f"action {number}", action, controls, runs)
        return (*controls, *runs)

    # ---- associations -------------------------------------------------------------------------------------

    def _steps_of(self, block: XmlElement, elements: Mapping[str, XmlElement]) -> list[str]:
        found = []
        for point in children(block, "connectionPointIn"):
            for connection in children(point, "connection"):
                step = elements.get(connection.attributes.get("refLocalId", ""))
                if step is None or local(step) != "step":
                    raise InputError(connection.position, "an action block belongs to a step")
                found.append(name_of(step))
        if not found:
            raise InputError(block.position, "an action block without a step")
        return found

    def _use(self, element: XmlElement, step: str) -> None:
        at = element.position
        qualifier = element.attributes.get("qualifier", "N")
        if qualifier not in _QUALIFIERS:
            close = did_you_mean(qualifier, _QUALIFIERS)
            raise InputError(at, f"no qualifier of actions is called {qualifier!r}{close}")
        if element.attributes.get("indicator"):
            raise UnsupportedError(at, "an action with an indicator variable")
        text = element.attributes.get("duration", "")
        if bool(text) != (qualifier in _TIMED):
            raise InputError(at, f"the qualifier {qualifier} has {'no' if text else 'a'} duration")
        duration = parsed(self._path, text, at) if text else None
        action = self._action(element)
        if qualifier in _TIMED[2:] and any(used == qualifier for _, used, _, _ in action.uses):
            raise UnsupportedError(at, f"an action with the qualifier {qualifier} twice")
        action.uses.append((step, qualifier, duration, at))

    def _action(self, element: XmlElement) -> ChartAction:
        at = element.position
        inline, reference = first(element, "inline"), first(element, "reference")
        if inline is not None:
            return self._actions.setdefault(f"{at.line}:{at.column}", ChartAction("", at, self._body(inline)))
        if reference is None:
            raise InputError(at, "an action that is neither a reference nor inline")
        wanted = name_of(reference)
        key = wanted.upper()
        if key not in self._actions:
            declared = self._named.get(key)
            body = None
            if declared is not None:
                holder = first(declared, "body")
                if holder is None:
                    raise InputError(declared.position, f"the action {wanted} has no body")
                body = self._body(holder)
            elif key not in self._known and wanted.isidentifier():
                close = did_you_mean(wanted, [*self._named, *self._known])
                raise InputError(at, f"no action and no variable is called {wanted}{close}")
            self._actions[key] = ChartAction(wanted, at, body)
        return self._actions[key]

    def _body(self, holder: XmlElement) -> tuple[PlcStatement, ...]:
        declared, statements = self._run_of(holder)
        for statement in inside(statements):
            if isinstance(statement, PlcJump) and statement.kind == "RETURN":
                raise UnsupportedError(statement.position, "RETURN in an action")
        self.declared.extend(declared)
        self._known.update(each.name.upper() for each in declared)
        return statements

    # ---- control ------------------------------------------------------------------------------------------

    def _control(self, label: str, action: ChartAction, controls: list[PlcStatement], runs: list[PlcStatement]) -> None:
        at = action.position

        def block(kind: str, type: str, output: str, **inputs: PlcExpression) -> PlcExpression:
            """The output of a standard block that is called with these inputs."""
            made = hidden(f"{label} {kind}", type, at)
            self.declared.append(made)
            given = tuple(PlcArgument(key, value, at) for key, value in inputs.items())
            controls.append(PlcCallStatement(PlcCall(name(made.name, at), given, at), at))
            return PlcMember(name(made.name, at), output, at)

        def steps(qualifier: str) -> list[PlcExpression]:
            return [active(step, where) for step, used, _, where in action.uses if used == qualifier]

        reset = both("OR", steps("R"), at)
        holds, pulses = steps("N"), []
        if steps("S"):
            holds.append(block("stored", "RS", "Q1", S=both("OR", steps("S"), at), R1=reset))
        for number, (step, qualifier, duration, where) in enumerate(action.uses, 1):
            x = active(step, where)
            time = {} if duration is None else {"PT": duration}
            match qualifier:
                case "P":
                    holds.append(block(f"pulse {number}", "R_TRIG", "Q", CLK=x))
                case "P1":
                    pulses.append(block(f"pulse {number}", "R_TRIG", "Q", CLK=x))
                case "P0":
                    pulses.append(block(f"pulse {number}", "SFC_FALL", "Q", CLK=x))
                case "L":
                    late = block(f"time {number}", "TON", "Q", IN=x, **time)
                    holds.append(PlcBinary("AND", x, PlcUnary("NOT", late, where), where))
                case "D":
                    holds.append(block(f"time {number}", "TON", "Q", IN=x, **time))
                case "SD":
                    stored = block("stored, delayed", "RS", "Q1", S=x, R1=reset)
                    holds.append(block(f"time {number}", "TON", "Q", IN=stored, **time))
                case "DS":
                    late = block(f"time {number}", "TON", "Q", IN=x, **time)
                    holds.append(block("delayed, stored", "RS", "Q1", S=late, R1=reset))
                case "SL":
                    stored = block("stored, limited", "RS", "Q1", S=x, R1=reset)
                    late = block(f"time {number}", "TON", "Q", IN=stored, **time)
                    holds.append(PlcBinary("AND", stored, PlcUnary("NOT", late, where), where))
        q = both("OR", holds, at)
        if steps("R"):
            q = PlcBinary("AND", PlcUnary("NOT", reset, at), q, at)
        self._run(label, action, q, pulses, controls, runs)

    def _run(
        self,
        label: str,
        action: ChartAction,
        q: PlcExpression,
        pulses: Sequence[PlcExpression],
        controls: list[PlcStatement],
        runs: list[PlcStatement],
    ) -> None:
        at = action.position
        held, wanted = name(f"{label} holds", at), name(f"{label} runs", at)
        self.declared.extend(hidden(each.text, "BOOL", at) for each in (held, wanted))
        if action.body is None:
            target = parsed(self._path, action.name, at)
            controls.append(PlcAssignment(wanted, both("OR", [q, *pulses], at), at))
            runs.append(PlcAssignment(target, wanted, at))
            return
        # What held in the cycle before and does not any more is run once more.
        scanned: list[PlcExpression] = [held] if self._final_scan else []
        controls.append(PlcAssignment(wanted, both("OR", [q, *scanned, *pulses], at), at))
        controls.append(PlcAssignment(held, q, at))
        runs.append(PlcIf(((wanted, action.body),), at))
