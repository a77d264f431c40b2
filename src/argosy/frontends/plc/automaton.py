"""From typed code to an automaton whose one loop is the cycle: one automaton for each requirement.

    start ── initial values ──► cycle ── inputs, time, timers, body, end of the cycle ──► cycle
                                                                        └─ not required ──► error

What is not modelled (the sine of a REAL, the content of a string) is an arbitrary value: what is proved holds for every
one, and a counterexample that depends on one is none (``models.cfa.Refusal``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from argosy.basics.position import Position
from argosy.frontends.plc.automaton_parts import AutomatonParts
from argosy.frontends.plc.code import (
    PlcCheck,
    PlcChoose,
    PlcConstant,
    PlcDemand,
    PlcGoTo,
    PlcInstruction,
    PlcProgram,
    PlcRequirement,
    PlcSkip,
    PlcStore,
    PlcSuppose,
    TypedExpression,
    loaded,
    parts,
    read_by,
)
from argosy.frontends.plc.cone import what_matters
from argosy.frontends.plc.types import Cell, PlcScalar, of_pattern
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import (
    Assign,
    Assume,
    Cfa,
    Check,
    Havoc,
    Location,
    Mark,
    Marked,
)
from argosy.models.cyclic import Column, CyclicProgram
from argosy.models.kinds import Errors
from argosy.models.sources import SourceKind, ValueSource

SAMPLED = ValueSource(SourceKind.INPUT, "input")
CYCLE_TIME = ValueSource(SourceKind.TIME, "cycle time")
HAVOC = ValueSource(SourceKind.UNDETERMINED, "havoc")


def automaton(program: PlcProgram, requirement: PlcRequirement, terms: Terms) -> CyclicProgram:
    return _Builder(program, requirement, terms).program()


class _Builder(AutomatonParts):
    def __init__(self, program: PlcProgram, requirement: PlcRequirement, terms: Terms) -> None:
        super().__init__(program.name, terms)
        self._program = program
        self._requirement = requirement
        self._pieces = what_matters(program, requirement)

    # ---- the automaton ------------------------------------------------------------------------------------

    def program(self) -> CyclicProgram:
        program, requirement, terms = self._program, self._requirement, self._terms
        start = program.position
        initial = self._location(start, "start")
        head = self._location(start, "cycle")
        error = self._location(start, "error")
        used = self._used()
        self._know_strings()
        at = self._chain(
            initial,
            [
                (Assign(self._variable(cell), self._constant(cell.type, cell.initial)), cell.position, "")
                for cell in program.cells
                if cell in used and cell.section != "input"
            ],
        )
        self._edge(at, head, Assume(terms.true), start)
        at = self._sample(head, used)
        for piece in self._pieces:
            at = self._code(piece, at, error)
        if requirement.condition is not None:
            at = self._check(requirement.condition, requirement.position, at, error)
        self._edge(at, head, Assume(terms.true), start, "end of the cycle")
        notes = dict.fromkeys((*program.notes, *self._unmodelled), "")
        cfa = Cfa(
            terms,
            initial,
            error,
            tuple(self._locations),
            tuple(self._edges),
            tuple(self._declared),
            self._opaque,
            program.name,
        )
        return CyclicProgram(
            cfa,
            program.path,
            cfa,
            Errors(assertions=True),
            notes,
            cyclic=True,
            head=head,
            columns=tuple(self._columns(used)),
            cycle_time=self._time_column(),
        )

    def _columns(self, used: set[Cell]) -> list[Column]:
        return [
            Column(cell.name, cell.section, self._variables[cell].name, self._shown(cell.type), cell.type.signed)
            for cell in self._program.cells
            if cell.section != "hidden" and cell in self._variables
        ]

    def _shown(self, type: PlcScalar) -> Callable[[Any], str]:
        """How a value of the automaton is written."""
        match type.kind:
            case "real":
                return lambda bits: type.shown(of_pattern(type, bits))
            case "string":
                texts = self._strings
                return lambda number: next((f"'{t}'" for t, n in texts.items() if n == number), f"(string {number})")
        return type.shown

    def _time_column(self) -> Column | None:
        cell = self._program.cycle_time
        low, _ = self._program.times
        if cell not in self._variables:
            return Column(cell.name, "time", "", cell.type.shown, cell.type.signed, low)
        return Column(cell.name, "time", self._variables[cell].name, cell.type.shown, cell.type.signed, low)

    def _used(self) -> set[Cell]:
        """The cells that some instruction mentions: nothing else is part of the model."""
        found: set[Cell] = set()
        requirement = self._requirement
        for piece in self._pieces:
            for each in piece:
                match each:
                    case PlcStore(cell, value):
                        found.add(cell)
                        found.update(loaded(value))
                    case PlcChoose(cell):
                        found.add(cell)
                    case PlcSkip(condition) | PlcDemand(condition) | PlcSuppose(condition):
                        found.update(loaded(condition))
                    case PlcCheck(condition, number) if number == requirement.number:
                        found.update(loaded(condition))
        if requirement.condition is not None:
            found.update(loaded(requirement.condition))
        return found

    def _sample(self, head: Location, used: set[Cell]) -> Location:
        """Inputs take any value of their types; the cycle takes any time of its range."""
        program = self._program
        at = head
        for cell in program.inputs:
            if cell in used:
                at = self._choose(cell, cell.position, f"{cell.name} is sampled", at, SAMPLED)
        passed = program.cycle_time
        low, high = program.times
        if passed in used and low != high:
            at = self._choose(passed, program.position, "time passes", at, CYCLE_TIME, (low, high))
        return at

    def _choose(
        self,
        cell: Cell,
        position: Position,
        text: str,
        at: Location,
        choice: ValueSource,
        range: tuple[int, int] | None = None,
    ) -> Location:
        variable = self._variable(cell)
        after = self._location(position)
        self._edge(at, after, Havoc(variable), position, text, choice=choice)
        type = cell.type
        if type.kind == "string":
            return self._short(variable, type, position, after)
        if range is None and type.low is not None and type.high is not None and type.is_word:
            range = (type.low, type.high)
        if range is None:
            return after
        terms, compare = self._terms, "bvsle" if type.signed else "bvule"
        inside = [
            terms.bit(compare, terms.const(range[0], type.sort), variable),
            terms.bit(compare, variable, terms.const(range[1], type.sort)),
        ]
        if type.kind == "enumeration" and len(type.names) < type.high - type.low + 1:  # type: ignore[operator]
            inside = [terms.disjunction(terms.eq(variable, terms.const(n, type.sort)) for _, n in type.names)]
        bounded = self._location(position)
        self._edge(after, bounded, Assume(terms.conjunction(inside)), position)
        return bounded

    def _know_strings(self) -> None:
        """The strings that the text compares with have numbers; all other strings are numbers beyond."""
        asked = self._requirement.condition
        found = [expression for piece in self._pieces for each in piece for expression in read_by(each)]
        for known in parts(*found, *([asked] if asked is not None else [])):
            if isinstance(known, PlcConstant) and known.type.kind == "string":
                self._constant(known.type, known.value)

    def _short(self, variable: Term, type: PlcScalar, position: Position, at: Location) -> Location:
        """A string is none of those that are longer than it may be."""
        terms = self._terms
        longer = [number for text, number in self._strings.items() if len(text) > type.length]
        others = (terms.ne(variable, terms.bv(number, type.width)) for number in longer)
        bounded = self._location(position)
        self._edge(at, bounded, Assume(terms.conjunction(others)), position)
        return bounded

    # ---- code ---------------------------------------------------------------------------------------------

    def _code(self, code: Sequence[PlcInstruction], at: Location, error: Location) -> Location:
        """The instructions from ``at``; where they end."""
        targets = {each.target for each in code if isinstance(each, PlcSkip | PlcGoTo)}
        reached: dict[int, Location] = {}

        def place(index: int, position: Position) -> Location:
            if index not in reached:
                reached[index] = self._location(position)
            return reached[index]

        end = self._program.position
        here: Location | None = at
        for index, each in enumerate(code):
            if index in targets:
                label = place(index, each.position)
                if here is not None:
                    self._edge(here, label, Assume(self._terms.true), each.position)
                here = label
            if here is None:
                continue
            match each:
                case PlcGoTo():
                    self._edge(here, place(each.target, each.position), Assume(self._terms.true), each.position)
                    here = None
                case PlcSkip():
                    here, condition = self._term(each.condition, each.position, here)
                    after = self._location(each.position)
                    self._edge(here, after, Assume(condition), each.position, each.text)
                    negated = self._terms.not_(condition)
                    text = f"not: {each.text}" if each.text else ""
                    self._edge(here, place(each.target, each.position), Assume(negated), each.position, text)
                    here = after
                case _:
                    here = self._step(each, here, error)
        last = place(len(code), end) if len(code) in targets else self._location(end)
        if here is not None:
            self._edge(here, last, Assume(self._terms.true), end)
        return last

    def _step(self, each: PlcInstruction, at: Location, error: Location) -> Location:
        match each:
            case PlcStore():
                at, value = self._term(each.value, each.position, at)
                after = self._location(each.position)
                self._edge(at, after, Assign(self._variable(each.cell), value), each.position, each.text)
                return after
            case PlcDemand():
                at, condition = self._term(each.condition, each.position, at)
                after = self._location(each.position)
                check = Check(condition, each.kind, each.position)
                self._edge(at, after, Assume(self._terms.true), each.position, each.text, checks=(check,))
                return after
            case PlcSuppose():
                at, condition = self._term(each.condition, each.position, at)
                after = self._location(each.position)
                self._edge(at, after, Assume(condition), each.position, each.text)
                return after
            case PlcChoose():
                return self._choose(each.cell, each.position, each.text, at, HAVOC)
            case PlcCheck() if each.requirement == self._requirement.number:
                return self._check(each.condition, each.position, at, error)
        return at

    def _check(self, condition: TypedExpression, position: Position, at: Location, error: Location) -> Location:
        """The requirement holds here, or the error is reached."""
        requirement = self._requirement
        at, required = self._term(condition, position, at)
        after = self._location(position)
        text = f"{requirement.name}: {requirement.text}"
        mark = Mark(Marked.ASSERTION, requirement.name, position, requirement.text)
        self._edge(at, error, Assume(self._terms.not_(required)), position, text, marks=(mark,))
        self._edge(at, after, Assume(required), position, text)
        return after
