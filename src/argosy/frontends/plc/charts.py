"""Sequential function charts as statements (IEC 61131-3, section 6.7): steps, transitions, how a chart evolves.

In each cycle those transitions fire whose steps were all active before and whose conditions hold; then actions run
(``chart_actions``). A condition is first tested in the cycle after its steps became active: "testing of the successor
transitions of an active step shall not be performed until the effects of the step activation have propagated". All
that fire do so together; a step that is left and entered in the same cycle stays active. Of alternative branches one is
taken, by priority and then from left to right.

A step is a variable with ``X`` (it is active) and ``T`` (how long it has been).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.basics.records import dataclass
from argosy.frontends.elements import XmlElement
from argosy.frontends.plc.chart_actions import ChartActions, RunOf, active, both, hidden, name
from argosy.frontends.plc.diagrams import Diagram
from argosy.frontends.plc.syntax import (
    PlcAggregate,
    PlcAssignment,
    PlcCall,
    PlcCallStatement,
    PlcDeclaration,
    PlcExpression,
    PlcIf,
    PlcLiteral,
    PlcMember,
    PlcNamedType,
    PlcStatement,
    PlcUnary,
)
from argosy.frontends.plc.tags import by_id, children, every, first, local, name_of, place_of

NOTES = (
    "charts: a transition is tested from the cycle after its steps became active; actions run after the transitions,"
    " in the order of the file",
    "charts: of alternative branches the one with priority is taken, then the leftmost",
)
_PARTS = frozenset(
    {
        "step",
        "transition",
        "jumpStep",
        "actionBlock",
        "selectionDivergence",
        "selectionConvergence",
        "simultaneousDivergence",
        "simultaneousConvergence",
    }
)


@dataclass(frozen=True, slots=True, eq=False)
class ChartTransition:
    """``before`` and ``after`` are names of steps; ``order`` decides between alternatives."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    condition: PlcExpression
    order: tuple[int, float, int]
    position: Position


class Chart:
    """One body. ``declared`` are the steps and whatever else it needs."""

    def __init__(
        self,
        path: str,
        pou: XmlElement,
        body: XmlElement,
        declarations: Sequence[PlcDeclaration],
        condition_of: Callable[[XmlElement], PlcExpression],
        run_of: RunOf,
        final_scan: bool,
    ) -> None:
        self._pou = pou
        self._condition_of = condition_of
        self.declared: list[PlcDeclaration] = []
        parts = [each for each in body.children if local(each) in _PARTS]
        for each in parts:
            if "localId" not in each.attributes:
                raise InputError(each.position, f"{each.name} without a localId")
        for each in every(body, "macroStep"):
            raise UnsupportedError(each.position, "a macro step")
        self._elements = by_id(parts)
        self._steps = self._named(declarations)
        self._diagram = Diagram(path, body, declarations, _PARTS)
        self._before: list[PlcStatement] = []
        named = {name_of(each).upper(): each for each in children(first(pou, "actions"), "action")}
        known = {each.name.upper() for each in declarations}
        self._actions = ChartActions(path, self._elements, self._steps, named, known, run_of, final_scan)

    def statements(self) -> tuple[PlcStatement, ...]:
        transitions = self._transitions()
        self.declared.extend(self._diagram.declared)
        evolution = self._evolution(transitions)
        at = next(iter(self._steps.values())).position
        self.declared.append(hidden("chart runs", "BOOL", at))
        start = PlcAssignment(name("chart runs", at), PlcLiteral("bool", True, at), at)
        moves = PlcIf(((name("chart runs", at), evolution), (None, (start,))), at)
        timed = [
            PlcCallStatement(PlcCall(name(name_of(step), step.position), (), step.position), step.position)
            for step in self._steps.values()
        ]
        acted = self._actions.statements()
        self.declared.extend(self._actions.declared)
        # The time of a step is up to date where conditions are tested, and where actions run.
        return (*timed, *self._before, moves, *timed, *acted)

    # ---- steps --------------------------------------------------------------------------------------------

    def _named(self, declarations: Sequence[PlcDeclaration]) -> dict[str, XmlElement]:
        """The steps by name, declared."""
        found: dict[str, XmlElement] = {}
        taken = {each.name.upper() for each in declarations}
        for step in self._elements.values():
            if local(step) != "step":
                continue
            key, at = name_of(step).upper(), step.position
            if key in found or key in taken:
                raise InputError(at, f"{name_of(step)} is declared twice")
            found[key] = step
            starts = PlcLiteral("bool", step.attributes.get("initialStep") == "true", at)
            initial = PlcAggregate((("X", 1, starts),), at)
            self.declared.append(PlcDeclaration(name_of(step), PlcNamedType("SFC_STEP", at), "VAR", at, initial))
        if not any(step.attributes.get("initialStep") == "true" for step in found.values()):
            raise InputError(self._pou.position, "a chart without an initial step")
        return found

    # ---- links --------------------------------------------------------------------------------------------

    def _sources(self, element: XmlElement) -> list[XmlElement]:
        """What an element is linked to above."""
        found = []
        for point in children(element, "connectionPointIn"):
            for connection in children(point, "connection"):
                id = connection.attributes.get("refLocalId", "")
                if id not in self._elements:
                    raise InputError(connection.position, f"no element of the chart has the localId {id}")
                found.append(self._elements[id])
        if not found:
            raise InputError(element.position, f"nothing is above this {local(element)}")
        return found

    def _steps_above(self, element: XmlElement, passed: tuple[XmlElement, ...] = ()) -> tuple[str, ...]:
        """The steps that must be active for what is below this element."""
        sources = self._sources(element)
        if local(element) != "simultaneousConvergence" and len(sources) > 1:
            raise InputError(element.position, f"several links lead to this {local(element)}")
        found: list[str] = []
        for source in sources:
            match local(source):
                case "step":
                    found.append(name_of(source))
                case "selectionDivergence" | "simultaneousConvergence" if source not in passed:
                    found.extend(self._steps_above(source, (*passed, source)))
                case kind:
                    raise InputError(source.position, f"a {kind} above a {local(element)}: a step is needed between")
        return tuple(dict.fromkeys(found))

    def _transitions_above(self, element: XmlElement, passed: tuple[XmlElement, ...] = ()) -> list[XmlElement]:
        """The transitions each of which makes active what is below this element."""
        found = []
        for source in self._sources(element):
            match local(source):
                case "transition":
                    found.append(source)
                case "selectionConvergence" | "simultaneousDivergence" if source not in passed:
                    found.extend(self._transitions_above(source, (*passed, source)))
                case kind:
                    raise InputError(
                        source.position, f"a {kind} above a {local(element)}: a transition is needed between"
                    )
        return found

    # ---- transitions --------------------------------------------------------------------------------------

    def _transitions(self) -> list[ChartTransition]:
        entered: dict[str, list[str]] = {}
        for element in self._elements.values():
            match local(element):
                case "step" if next(every(element, "connection"), None) is not None:
                    target = name_of(element)
                case "jumpStep":
                    target = element.attributes.get("targetName", "")
                    if target.upper() not in self._steps:
                        raise InputError(element.position, f"no step is called {target}")
                case _:
                    continue
            for transition in self._transitions_above(element):
                entered.setdefault(transition.attributes["localId"], []).append(target)
        found: list[ChartTransition] = []
        for id, element in self._elements.items():
            if local(element) == "transition":
                after = tuple(dict.fromkeys(entered.get(id, ())))
                found.append(self._transition(element, after, len(found)))
        return sorted(found, key=lambda each: each.order)

    def _transition(self, element: XmlElement, after: tuple[str, ...], number: int) -> ChartTransition:
        if not after:
            raise InputError(element.position, "no step is below this transition")
        priority = element.attributes.get("priority", "")
        order = (int(priority) if priority.isdecimal() else 1 << 31, place_of(element)[0], number)
        return ChartTransition(self._steps_above(element), after, self._condition(element), order, element.position)

    def _condition(self, element: XmlElement) -> PlcExpression:
        condition = first(element, "condition")
        inner = next((each for each in condition.children if local(each) != "addData"), None) if condition else None
        if inner is None:
            raise InputError(element.position, "a transition without a condition")
        negated = condition is not None and condition.attributes.get("negated") == "true"
        match local(inner):
            case "inline":
                found = self._condition_of(inner)
            case "reference":
                wanted = name_of(inner)
                declared = children(first(self._pou, "transitions"), "transition")
                named = next((each for each in declared if name_of(each).upper() == wanted.upper()), None)
                body = first(named, "body") if named is not None else None
                found = self._condition_of(body) if body is not None else name(wanted, inner.position)
            case "connectionPointIn" | "connection":
                holder = inner if local(inner) == "connectionPointIn" else condition
                assert holder is not None
                found, calls = self._diagram.fed(holder)
                self._before.extend(calls)
            case kind:
                raise UnsupportedError(inner.position, f"a condition that is a {kind}")
        return PlcUnary("NOT", found, element.position) if negated else found

    # ---- evolution ----------------------------------------------------------------------------------------

    def _evolution(self, transitions: Sequence[ChartTransition]) -> tuple[PlcStatement, ...]:
        """Which transitions fire is decided before any of them does."""
        decided: list[PlcStatement] = []
        left: list[PlcStatement] = []
        entered: list[PlcStatement] = []
        for number, each in enumerate(transitions):
            at = each.position
            fires = name(f"transition {number + 1} fires", at)
            self.declared.append(hidden(fires.text, "BOOL", at))
            enabled: list[PlcExpression] = [active(step, at) for step in each.before]
            for other, rival in enumerate(transitions[:number]):
                if set(rival.before) & set(each.before):
                    enabled.append(PlcUnary("NOT", name(f"transition {other + 1} fires", at), at))
            test = PlcAssignment(fires, each.condition, at)
            decided.append(PlcAssignment(fires, PlcLiteral("bool", False, at), at))
            decided.append(PlcIf(((both("AND", enabled, at), (test,)),), at))
            left.append(PlcIf(((fires, tuple(_set(step, False, at) for step in each.before)),), at))
            entered.append(PlcIf(((fires, tuple(_set(step, True, at) for step in each.after)),), at))
        return (*decided, *left, *entered)


def _set(step: str, value: bool, at: Position) -> PlcStatement:
    return PlcAssignment(PlcMember(name(step, at), "X", at), PlcLiteral("bool", value, at), at)
