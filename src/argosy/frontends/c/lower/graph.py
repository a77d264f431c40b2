"""The control flow of one function while it is being built, and the finished template of it.

A graph grows at its ``current`` point; ``None`` means that control does not get here. Points that control reaches
without doing anything in between are made one (union-find), so that joins, jumps and loops cost no edges. Conditions
under which an expression is defined wait in ``pending`` and go to the next edge that leaves the current point: its
source is the state in which the expression is evaluated.
"""

from __future__ import annotations

from collections.abc import Iterable

from argosy.basics.position import NOWHERE, Position
from argosy.basics.records import dataclass, replace
from argosy.frontends.c.library import ForeignReach
from argosy.frontends.c.memory import Access
from argosy.frontends.c.symbols import Object
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Assume, Check, Havoc, Mark, Marked, Operation, Refusal
from argosy.models.following import MISSED
from argosy.models.sources import ValueSource

ENTRY, EXIT, ERROR = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Call:
    """Control goes through a copy of the function. In a cycle of calls ``arguments`` are still to be passed: each
    parameter with the variable that has its value."""

    function: str
    arguments: tuple[tuple[Term, Term], ...] = ()


@dataclass(frozen=True, slots=True)
class WildWrite:
    """A write through a pointer: every variable whose address is taken may change, and with ``globals_too`` every
    variable that outlives a call."""

    refusal: Refusal
    globals_too: bool


@dataclass(frozen=True, slots=True)
class Store:
    """A write through a pointer to cells that are known when everything is read."""

    access: Access
    value: Term
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Pad:
    """A structure is written at an address as a whole: its bytes at ``offsets``, which are no member's, get values that
    nobody knows (C11 6.2.6.1, 6)."""

    address: Term
    offsets: tuple[int, ...]
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Foreign:
    """A call of a function without a body, which may change what it ``reach``es; its ``arguments`` are the scalars that
    it is given, each with whether it is a pointer. Where it only ``may`` do so, no counterexample is made of it."""

    function: str
    arguments: tuple[tuple[Term, bool], ...]
    reach: ForeignReach
    refusal: Refusal
    may: bool = False


@dataclass(frozen=True, slots=True)
class Release:
    """The block at an address is freed."""

    address: Term


@dataclass(frozen=True, slots=True)
class Expire:
    """Some objects end, those of the call if ``objects`` is None: what pointers to them hold is of no use any more."""

    objects: tuple[Object, ...] | None


Action = Operation | Call | WildWrite | Store | Pad | Foreign | Release | Expire


@dataclass(slots=True, eq=False)
class TemplateStep:
    source: int
    target: int
    action: Action
    position: Position = NOWHERE
    text: str = ""
    checks: tuple[Check, ...] = ()
    choice: ValueSource | None = None
    marks: tuple[Mark, ...] = ()


class FlowGraph:
    """Points are numbers; ``ENTRY``, ``EXIT`` and ``ERROR`` exist from the start."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.steps: list[TemplateStep] = []
        self.pending: list[Check] = []
        self.labels: dict[int, str] = {}
        self.loops: list[tuple[int, int]] = []
        self.current: int | None = ENTRY
        self._parents = [ENTRY, EXIT, ERROR]

    def point(self) -> int:
        self._parents.append(len(self._parents))
        return len(self._parents) - 1

    def find(self, point: int) -> int:
        parents = self._parents
        while parents[point] != point:
            parents[point] = parents[parents[point]]
            point = parents[point]
        return point

    def _unite(self, a: int, b: int) -> None:
        a, b = self.find(a), self.find(b)
        self._parents[max(a, b)] = min(a, b)

    # ---- control ------------------------------------------------------------------------------------------

    def jump(self, target: int) -> None:
        """Control goes on at ``target`` and nowhere else."""
        if self.current is not None:
            self.flush(NOWHERE)
            self._unite(self.current, target)
            self.current = None

    def resume(self, point: int) -> None:
        """Control goes on at ``point``, from here (if control gets here) and from wherever jumps to it."""
        self.jump(point)
        self.current = point

    def stop(self) -> None:
        """Control ends here."""
        if self.current is not None:
            self.flush(NOWHERE)
            self.current = None

    def mark(self, position: Position, text: str, *marks: tuple[Marked, str], said: str = "") -> None:
        """Control passes something that a property may call an error; ``said`` is what people call the place."""
        made = tuple(Mark(kind, name, position, said or text) for kind, name in marks)
        self.emit(Assume(self.terms.true), position, text, marks=made)

    # ---- steps --------------------------------------------------------------------------------------------

    def _step(
        self,
        target: int,
        action: Action,
        position: Position,
        text: str,
        checks: tuple[Check, ...],
        choice: ValueSource | None = None,
        marks: tuple[Mark, ...] = (),
    ) -> None:
        assert self.current is not None
        self.steps.append(TemplateStep(self.current, target, action, position, text, checks, choice, marks))

    def _taken(self) -> tuple[Check, ...]:
        """The checks that wait, each once: a place that is read and written has its own twice."""
        if not self.pending:
            return ()
        checks = dict.fromkeys(check for check in self.pending if check.condition is not self.terms.true)
        self.pending.clear()
        return tuple(checks)

    def emit(
        self,
        action: Action,
        position: Position,
        text: str,
        choice: ValueSource | None = None,
        marks: tuple[Mark, ...] = (),
    ) -> None:
        checks = self._taken()
        if self.current is not None:
            target = self.point()
            self._step(target, action, position, text, checks, choice, marks)
            self.current = target

    def choose_aside(self, variable: Term, position: Position, text: str, choice: ValueSource) -> None:
        """A new variable gets any value. The checks that wait do not read it and go on waiting: what guards them may
        not be known yet."""
        if self.current is not None:
            target = self.point()
            self._step(target, Havoc(variable), position, text, (), choice)
            self.current = target

    def flush(self, position: Position, text: str = "") -> None:
        """A step that does nothing, if a check waits."""
        checks = self._taken()
        if checks and self.current is not None:
            target = self.point()
            position = position if position.line else checks[0].position
            self._step(target, Assume(self.terms.true), position, text or "evaluate", checks)
            self.current = target

    def branch(self, condition: Term, position: Position, text: str, yes: int, no: int) -> None:
        """Control goes to ``yes`` where the condition holds and to ``no`` where it does not."""
        if condition.op == "const":
            self.flush(position, text)
            self.jump(yes if condition.payload else no)
            return
        checks = self._taken()
        if self.current is not None:
            self._step(yes, Assume(condition), position, f"[{text}]", checks)
            self._step(no, Assume(self.terms.not_(condition)), position, f"[!({text})]", checks)
            self.current = None

    def witness(self, condition: Term, position: Position, text: str, mark: Mark) -> None:
        """Control goes on here whether or not the condition holds; a claim is marked where it does not, a waypoint
        both ways (``models.following``)."""
        checks = self._taken()
        if self.current is None:
            return
        after, claim = self.point(), mark.kind is Marked.CLAIM
        missed = mark if claim else replace(mark, name=f"{MISSED}{mark.name}")
        passed = (condition, f"[{text}]", () if claim else (mark,))
        for holds, said, marks in (passed, (self.terms.not_(condition), f"[!({text})]", (missed,))):
            # A waypoint that nobody asks for at the moment is passed whatever holds.
            if holds is not self.terms.false or not claim:
                self._step(after, Assume(holds), position, said, checks, marks=marks)
        self.current = after

    def choose(self, position: Position, ways: Iterable[tuple[Term, str, int]]) -> None:
        """Control goes each way whose condition holds; the conditions exclude each other and cover everything."""
        possible = [way for way in ways if way[0] is not self.terms.false]
        if len(possible) == 1:
            self.flush(position)
            self.jump(possible[0][2])
            return
        checks = self._taken()
        if self.current is not None:
            for condition, text, target in possible:
                self._step(target, Assume(condition), position, f"[{text}]", checks)
            self.current = None

    def detour(self, condition: Term, position: Position, text: str) -> None:
        """Control may reach the error, whatever that is, where ``condition`` holds, and goes on here all the same."""
        if self.current is not None:
            self.flush(position)
            self._step(ERROR, Assume(condition), position, text, ())


@dataclass(frozen=True)
class Template:
    """A finished graph without unreachable points. Control enters at ``ENTRY`` and leaves at ``exit``, which is the
    same point where there is nothing in between. ``labels`` and ``loops`` are those of the source."""

    function: str
    points: int
    exit: int
    steps: tuple[TemplateStep, ...]
    labels: dict[int, str]
    loops: tuple[tuple[int, int], ...]
    position: Position


def finish(graph: FlowGraph, function: str, position: Position) -> Template:
    """The template of a graph: points that are one become one, what control cannot reach goes."""
    find = graph.find
    leaving: dict[int, list[TemplateStep]] = {}
    for step in graph.steps:
        step.source, step.target = find(step.source), find(step.target)
        leaving.setdefault(step.source, []).append(step)
    number = {find(ENTRY): ENTRY}
    number.setdefault(find(EXIT), EXIT)
    number.setdefault(find(ERROR), ERROR)
    fresh = 3
    kept: list[TemplateStep] = []
    stack = [find(ENTRY)]
    seen = {find(ENTRY)}
    while stack:
        for step in leaving.get(stack.pop(), ()):
            kept.append(step)
            if step.target not in seen:
                seen.add(step.target)
                stack.append(step.target)
                if step.target not in number:
                    number[step.target] = fresh
                    fresh += 1
    labels = {number[find(p)]: text for p, text in graph.labels.items() if find(p) in number}
    for step in kept:
        step.source, step.target = number[step.source], number[step.target]
    loops = tuple((number[find(point)], loop) for point, loop in graph.loops if find(point) in number)
    return Template(function, fresh, number[find(EXIT)], tuple(kept), labels, loops, position)
