"""The statements of a function become the steps of a template."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from argosy.basics.position import Position
from argosy.basics.records import replace
from argosy.frontends.c.blocks import MemoryBlock, dimensions, zero_of
from argosy.frontends.c.library import ForeignReach
from argosy.frontends.c.lower.calls import ModelCalls, Receiver
from argosy.frontends.c.lower.carriers import carried
from argosy.frontends.c.lower.graph import EXIT, Expire, FlowGraph, Template, finish
from argosy.frontends.c.lower.liveness import drop_dead_choices
from argosy.frontends.c.lower.operators import Value, Whereabouts
from argosy.frontends.c.lower.unions import leaves_bits_open, leaves_some_out
from argosy.frontends.c.lower.values import TermValues
from argosy.frontends.c.symbols import Object, Unit, note_constant
from argosy.frontends.c.tokens import MADE_UP
from argosy.frontends.c.typed import (
    AssemblerCode,
    Assigning,
    Branching,
    Calling,
    Cast,
    Clearing,
    Contents,
    Designation,
    ElementPlace,
    Ended,
    Evaluation,
    Expression,
    IntegerConstant,
    Jump,
    LabelPoint,
    Lifetime,
    MemberPlace,
    NextArgument,
    ObjectPlace,
    Place,
    PointerCalling,
    Returning,
    Statement,
    SwitchJump,
    TypedFunction,
    WitnessPoint,
)
from argosy.frontends.c.types import BOOL, Array, DataModel, Integer, Scalar, StructureType
from argosy.frontends.c.unsupported import Construct, refusal
from argosy.logic.terms import Term
from argosy.models.cfa import Assign, Assume, Havoc, Mark, Marked, Undefined
from argosy.models.sources import SourceKind, ValueSource


class BodySteps:
    """``called_once`` is the entry function, unless it calls itself: nobody asks for its result. Others may be called
    at most ``once`` too."""

    def __init__(self, unit: Unit, function: TypedFunction, called_once: bool, once: bool) -> None:
        self._unit = unit
        self._function = function
        self._name = function.function.name
        self._graph = FlowGraph(unit.terms)
        self._values = TermValues(unit, self._graph, self._name, carried(function, unit.model.pointer_width))
        self._places = self._values.places
        self._operators = self._values.operators
        self._repeats = repeated(function.statements)
        self._called_once = called_once
        self._calls = ModelCalls(
            unit,
            self._graph,
            self._values,
            self._name,
            lambda: not once or self._repeats[self._at],
            lambda: self._name in unit.cycles or self._repeats[self._at],
        )
        self._result = None if called_once else function.result
        self._points: dict[int, int] = {}
        self._uninitialised: dict[Term, str] = {}
        assigned = (s.place for s in function.statements if isinstance(s, Assigning))
        self._written = Counter(place.object for place in assigned if isinstance(place, ObjectPlace))
        self._at = 0
        # Where memory is watched, objects end on the way out.
        self._leaving = self._graph.point() if unit.watched else EXIT
        self._lay_out()
        self._handlers: dict[type, Callable[[Any], None]] = {
            Assigning: self._assign,
            Clearing: self._clear,
            Calling: self._call,
            PointerCalling: lambda statement: self._calls.through_pointer(statement),
            NextArgument: self._next_argument,
            AssemblerCode: self._assembler,
            Lifetime: self._begin,
            Ended: self._end,
            Evaluation: self._evaluate,
            Designation: lambda statement: self._places.hold(statement.place),
            LabelPoint: self._label,
            WitnessPoint: self._witness,
            Jump: lambda statement: self._graph.jump(self._point(statement.target)),
            Branching: self._branch,
            SwitchJump: self._switch,
            Returning: self._return,
        }

    def template(self) -> Template:
        statements = self._function.statements
        while self._at < len(statements):
            statement = statements[self._at]
            self._handlers[type(statement)](statement)
            self._at += 1
        if self._unit.watched:
            self._graph.resume(self._leaving)
            self._graph.emit(Expire(None), self._function.function.position, "")
            self._graph.jump(EXIT)
        live = drop_dead_choices(self._graph, self._uninitialised, self._unit)
        for term in live:
            self._unit.note(self._uninitialised[term])
        return finish(self._graph, self._name, self._function.function.position)

    def _point(self, number: int) -> int:
        known = self._points.get(number)
        if known is None:
            known = self._points[number] = self._graph.point()
        return known

    # ---- control ------------------------------------------------------------------------------------------

    def _label(self, statement: LabelPoint) -> None:
        point = self._point(statement.point)
        self._graph.resume(point)
        if statement.loop is not None:
            self._graph.loops.append((point, statement.loop))
            if self._unit.watched:
                # A loop that does nothing has an edge all the same: what is lost is looked for there.
                self._graph.mark(self._function.function.position, "", (Marked.LABEL, ""))
        if statement.name and statement.original is not None:
            self._graph.labels[point] = statement.name
            original = statement.original
            self._graph.mark(original.position, original.text, (Marked.LABEL, statement.name))

    def _witness(self, statement: WitnessPoint) -> None:
        """What must be the case for the condition to be defined is part of it."""
        graph, terms, original = self._graph, self._unit.terms, statement.original
        waiting = len(graph.pending)
        condition = terms.true if statement.condition is None else self._values.truth(statement.condition)
        condition = terms.conjunction((*(check.condition for check in graph.pending[waiting:]), condition))
        del graph.pending[waiting:]
        kind = Marked.CLAIM if statement.claim else Marked.WAYPOINT
        graph.witness(
            condition, original.position, original.text, Mark(kind, statement.name, original.position, original.text)
        )

    def _branch(self, statement: Branching) -> None:
        condition = self._values.truth(statement.condition)
        original = statement.original
        yes, no = self._point(statement.yes), self._point(statement.no)
        self._graph.branch(condition, original.position, original.text, yes, no)

    def _switch(self, statement: SwitchJump) -> None:
        position, subject = statement.original.position, statement.original.text
        value, terms, find = self._values.value(statement.value), self._unit.terms, self._graph.find
        assert isinstance(value.type, Integer)
        term, below = self._operators.term(value, position), "bvsle" if value.type.signed else "bvule"
        grouped: dict[int, list[tuple[Term, str]]] = {}
        conditions = []
        for case in statement.cases:
            low, high = terms.const(case.low, term.sort), terms.const(case.high, term.sort)
            condition, text = terms.eq(term, low), f"== {case.original.text}"
            if case.low != case.high:
                condition = terms.and_(terms.bit(below, low, term), terms.bit(below, term, high))
                text = f"in {case.original.text}"
            conditions.append(condition)
            grouped.setdefault(find(self._point(case.target)), []).append((condition, f"{subject} {text}"))
        other = self._point(statement.default)
        rest = terms.conjunction(terms.not_(condition) for condition in conditions)
        ways = []
        for point, members in grouped.items():
            if point == find(other):
                rest = terms.disjunction((rest, *(condition for condition, _ in members)))
            else:
                said = " || ".join(text for _, text in members)
                ways.append((terms.disjunction(condition for condition, _ in members), said, point))
        self._graph.choose(position, [*ways, (rest, f"{subject}: default", other)])

    def _return(self, statement: Returning, stored: bool = False) -> None:
        position, text = statement.original.position, statement.original.text
        if statement.value is None:
            why = "without return" if statement.falls else "without a value"
            for term in self._unit.all_parts(self._result) if self._result is not None else ():
                self._graph.emit(
                    Havoc(term), position, text, ValueSource(SourceKind.UNDETERMINED, f"{self._name} {why}")
                )
        elif not stored:
            result = self._result
            if result is not None and self._unit.cells(result.type):
                value = self._values.value(statement.value)
                self._places.write(self._object(result, statement), value, position, text)
            elif not statement.falls:
                self._dropped(self._values.value(statement.value), position, text)
                self._graph.flush(position, text)
        self._graph.jump(self._leaving)

    def _dropped(self, value: Value, position: Position, text: str) -> None:
        """A value that nobody keeps: what it is computed from is used all the same."""
        if Undefined.UNINITIALISED in self._unit.watched and value.term is not None and isinstance(value.type, Scalar):
            kept = self._unit.variable(self._name, "temp", value.type, position)
            self._graph.emit(Assign(kept, value.term), position, text)

    def _object(self, symbol: Object, statement: Returning) -> Whereabouts:
        return self._places.of_object(symbol, ObjectPlace(symbol, statement.original))

    # ---- values and objects -------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        """Local variables that have too many cells become blocks, if all their values are written here."""
        for statement in self._function.statements:
            match statement:
                case Lifetime(symbol):
                    if self._unit.model.size(symbol.type) is not None or statement.lengths:
                        block = self._unit.lay_out(symbol)
                        if block is not None and block.size is None:
                            self._lay_out_variable(symbol, block)
                case Clearing(place=ObjectPlace(symbol)):
                    if not symbol.lasting:
                        self._unit.lay_out(symbol)

    def _lay_out_variable(self, symbol: Object, block: MemoryBlock) -> None:
        """An array of variable length: its lengths are variables of the model."""
        unit, type_, count = self._unit, self._unit.model.size_type, dimensions(symbol.type)
        block.lengths = tuple(
            unit.variable(self._name, f"{symbol.name}.length", type_, symbol.position) for _ in range(count)
        )
        if unit.model.size(symbol.type.element) if isinstance(symbol.type, Array) else None:
            block.size = unit.variable(self._name, f"{symbol.name}.size", type_, symbol.position)

    def _begin(self, statement: Lifetime) -> None:
        symbol = statement.object
        if symbol.block is not None and symbol.block.lengths:
            self._begin_variable(statement, symbol, symbol.block)
        self._leave_open(symbol)

    def _begin_variable(self, statement: Lifetime, symbol: Object, block: MemoryBlock) -> None:
        """Lengths are positive (6.7.6.2, 5); the array fits into the address space."""
        unit, terms, graph, position = self._unit, self._unit.terms, self._graph, symbol.position
        if len(statement.lengths) != len(block.lengths):
            for length in block.lengths:
                source = ValueSource(SourceKind.UNDETERMINED, f"the length of {symbol.name}")
                graph.emit(Havoc(length), position, f"{unit.variables[length].name} = ?", source)
        for given, length in zip(statement.lengths, block.lengths, strict=False):
            value = self._values.value(given)
            assert isinstance(value.type, Integer)
            term = self._operators.term(value, position)
            if value.type.signed:
                positive = terms.bit("bvslt", terms.const(0, term.sort), term)
                self._operators.require(positive, Undefined.BOUNDS, position)
            size = self._operators.convert(value, unit.model.size_type, position).term
            assert size is not None
            graph.emit(Assign(length, size), position, f"{unit.variables[length].name} = {given.original.text}")
        limit = (1 << 27) - 1
        fits = [terms.bit("bvule", length, terms.const(limit, length.sort)) for length in block.lengths]
        fits += [terms.bit("bvult", terms.const(0, length.sort), length) for length in block.lengths]
        unit.note(f"{position}: {symbol.name} has less than 2^27 elements in each dimension")
        graph.emit(Assume(terms.conjunction(fits)), position, f"[{symbol.name} exists]")
        if block.size is not None and isinstance(symbol.type, Array):
            by = terms.const(unit.model.size(symbol.type.element) or 1, block.size.sort)
            graph.emit(Assign(block.size, terms.bit("bvmul", block.lengths[0], by)), position, "")
            if block.room_term is None:
                block.room_term = unit.constant_of_block("room")
            graph.emit(Assume(terms.bit("bvult", block.size, block.room_term)), position, "")

    def _evaluate(self, statement: Evaluation) -> None:
        if not statement.ends:
            self._values.hold(statement.value)
            return
        self._values.value(statement.value)
        original = statement.original
        self._graph.flush(original.position, original.text if self._graph.pending else "")

    def _assign(self, statement: Assigning) -> None:
        position, place = statement.original.position, statement.place
        if isinstance(place, ObjectPlace) and place.object.temporary:
            self._assign_temporary(statement, place.object, position)
            return
        where = self._places.where(place)
        if where.object is not None and where.object.constant and not statement.initialises:
            note_constant(self._unit, place.original.position)
            kind = Undefined.CONSTANT if self._unit.watched else Undefined.POINTER
            self._operators.never(kind, place.original.position)
        value = self._values.value(statement.value)
        self._places.write(where, value, position, statement.original.text)

    def _assign_temporary(self, statement: Assigning, symbol: Object, position: Position) -> None:
        value = self._values.value(statement.value)
        if self._calls.gives_function(statement.value):
            self._calls.functions_in.add(symbol)
        if value.term is None and not isinstance(symbol.type, StructureType):
            if self._written[symbol] == 1:
                self._values.results[symbol] = value
                return
            if not isinstance(symbol.type, Scalar):
                why = refusal(position, f"a {symbol.type}", Construct.RESULT)
                self._values.results[symbol] = Value(None, symbol.type, why)
                return
        where = self._places.of_object(symbol, statement.place)
        self._places.write(where, value, position, statement.original.text)

    def _clear(self, statement: Clearing) -> None:
        unit, position = self._unit, statement.original.position
        where = self._places.where(statement.place)
        if leaves_some_out(unit, statement.given, statement.place):
            unit.note(f"{position}: bytes of a union that its initialiser does not name are zero")
        if leaves_bits_open(unit, where.type):
            unit.note(f"{position}: bits that belong to no bit field are zero where a structure is initialised")
        if where.object is not None and where.object.block is not None and where.type is where.object.type:
            self._clear_block(where.object, statement)
            return
        scalars: dict[int, Scalar] = {cell.offset: cell.type for cell in unit.cells(where.type)}
        given: set[int] = set()
        for place in statement.given:
            offset = offset_in(unit.model, place, statement.place)
            if offset is None or is_bit_field(place):
                continue
            # What is given may be a part of a cell only, where there are unions.
            whole = (cell for cell in unit.cells(place.type) if cell.type == scalars.get(offset + cell.offset))
            given.update(offset + cell.offset for cell in whole)
        name = where.object.name if where.object is not None else where.what
        for cell, part in self._places.parts(where):
            if cell.offset not in given:
                zero = self._operators.number(0, cell.type)
                self._places.write(part, zero, position, f"{name}{cell.path} = 0")

    def _clear_block(self, symbol: Object, statement: Clearing) -> None:
        original = statement.original
        for term in self._unit.all_parts(symbol):
            zero = zero_of(self._unit.terms, term.sort)
            self._graph.emit(Assign(term, zero), original.position, f"{self._unit.variables[term].name} = 0")

    def _leave_open(self, symbol: Object) -> None:
        """The variable has any value from here."""
        for term in self._unit.all_parts(symbol):
            name = self._unit.variables[term].name
            said = f"{symbol.position}: {symbol.name} is not initialised: arbitrary value"
            if symbol.name.startswith(MADE_UP):
                pass
            elif symbol.block is None:
                self._uninitialised[term] = said
            else:
                self._unit.note(said)
            kind = SourceKind.OPEN if self._is_chosen(symbol) else SourceKind.UNINITIALISED
            source = ValueSource(kind, f"uninitialised {name}")
            self._graph.emit(Havoc(term), symbol.position, f"{name} = ?", source)

    def _is_chosen(self, symbol: Object) -> bool:
        """Whether what has no value at first is any number on purpose, as in the models of the library."""
        function = self._unit.definitions.get(symbol.function)
        modelled = function is not None and function.unit_file in self._unit.model_files
        return isinstance(symbol.type, Integer) and (modelled or symbol.name.startswith(MADE_UP))

    def _end(self, statement: Ended) -> None:
        if self._unit.watched:
            self._graph.emit(Expire(statement.objects), statement.objects[0].position, "")

    # ---- calls --------------------------------------------------------------------------------------------

    def _call(self, statement: Calling) -> None:
        following = self._function.statements[self._at + 1]
        receiver, wanted = None, statement.result is not None
        if isinstance(following, Returning) and _gives(following.value, statement.result):
            if self._called_once:
                wanted = False
            else:
                receiver = self._receiver(statement, following)
        elif isinstance(following, Assigning) and _gives(following.value, statement.result):
            receiver = self._receiver(statement, following)
        given = following.value if isinstance(following, Assigning | Returning) else None
        taken_for = given.type if given is not None and _gives(given, statement.result) else None
        self._calls.call(statement, receiver, wanted, taken_for)
        if receiver is not None:
            self._at += 1
            if isinstance(following, Returning):
                self._return(following, stored=True)

    def _receiver(self, call: Calling, following: Assigning | Returning) -> Receiver | None:
        """Where an arbitrary result is stored next, if it is as wide as the result: it is chosen there."""
        own = self._calls.arbitrary_result(call)
        if not isinstance(own, Scalar) or following.value is None:
            return None
        term = self._result_variable() if isinstance(following, Returning) else self._variable(following)
        if term is None or own.sort is not term.sort:
            return None
        value: Expression = following.value
        while isinstance(value, Cast):
            if not isinstance(value.type, Scalar) or value.type.sort is not term.sort:
                return None
            value = value.operand
        return Receiver(term, following.original)

    def _result_variable(self) -> Term | None:
        terms = [] if self._result is None else self._unit.all_parts(self._result)
        scalar = self._result is not None and isinstance(self._result.type, Scalar)
        return terms[0] if scalar and terms else None

    def _variable(self, statement: Assigning) -> Term | None:
        """The one variable that a statement assigns."""
        place = statement.place
        if _is_temporary(place) or not isinstance(place.type, Scalar):
            return None
        where = self._places.where(place)
        if where.object is None or where.bits is not None or (where.object.constant and not statement.initialises):
            return None
        spots = self._places.spots(where)
        return spots[0][1] if len(spots) == 1 else None

    def _next_argument(self, statement: NextArgument) -> None:
        position, result, text = statement.original.position, statement.result, statement.original.text
        if statement.absent:
            # Control goes on with what the machine takes, so that a proof says what it leaves out.
            self._values.operators.never(Undefined.ARGUMENT, position)
            self._graph.flush(position, text)
            return
        listed = self._values.value(statement.arguments).term
        why = refusal(position, "__builtin_va_arg", Construct.VARIADIC)
        if statement.missing:
            terms = self._unit.terms
            if listed is not None:
                others = [terms.ne(listed, terms.const(number, listed.sort)) for number in statement.missing]
                self._values.operators.require(terms.conjunction(others), Undefined.ARGUMENT, position)
            self._graph.flush(position, text)
            unknown = self._unit.opaque_term(BOOL.sort, replace(why, bound=True, arbitrary=True), False)
            self._graph.detour(terms.eq(unknown, terms.bv(1, 1)), position, text)
            self._graph.stop()
            return
        self._values.results[result] = Value(None, result.type, why)
        if isinstance(result.type, StructureType):
            for term in self._unit.all_parts(result):
                self._places.lose(term, why, position, text)

    def _assembler(self, statement: AssemblerCode) -> None:
        position = statement.original.position
        pure = statement.reach is ForeignReach.PURE
        if statement.reach is None or (not pure and any(map(self._calls.gives_function, statement.inputs))):
            self._calls.refuse(refusal(position, "asm", Construct.ASSEMBLER), position, "asm")
            return
        if not pure:
            self._calls.assembler(statement, statement.reach)
        for place in statement.outputs:
            where = self._places.where(place)
            if isinstance(place.type, Scalar):
                term = self._operators.arbitrary(place.type, position, "asm", Construct.ASSEMBLER)
                self._places.write(where, Value(term, place.type), position, "asm")
            else:
                lost = refusal(position, "asm", Construct.ASSEMBLER)
                self._places.write(where, Value(None, place.type, lost), position, "asm")


def offset_in(model: DataModel, place: Place, whole: Place) -> int | None:
    """Where a part of a place is that an initialiser names; None where that is not known."""
    offset = 0
    while place is not whole:
        if isinstance(place, ElementPlace) and isinstance(place.index, IntegerConstant):
            size = model.size(place.type)
            by = None if size is None else place.index.value * size
            place = place.array
        elif isinstance(place, MemberPlace) and isinstance(place.record.type, StructureType):
            by = model.offset(place.record.type, place.name)
            place = place.record
        else:
            return None
        if by is None:
            return None
        offset += by
    return offset


def is_bit_field(place: Place) -> bool:
    return isinstance(place, MemberPlace) and place.is_bit_field


def _is_temporary(place: Place) -> bool:
    return isinstance(place, ObjectPlace) and place.object.temporary


def _gives(value: Expression | None, result: Object | None) -> bool:
    """Whether a value is a result, converted or not."""
    while isinstance(value, Cast):
        value = value.operand
    if not isinstance(value, Contents) or not isinstance(value.place, ObjectPlace):
        return False
    return result is not None and value.place.object is result


def repeated(statements: Sequence[Statement]) -> list[bool]:
    """Which statements may be executed more than once in a call: those that a jump goes back over."""
    at = {s.point: index for index, s in enumerate(statements) if isinstance(s, LabelPoint)}
    depth = [0] * (len(statements) + 1)
    for index, statement in enumerate(statements):
        targets: tuple[int, ...] = ()
        match statement:
            case Jump(target):
                targets = (target,)
            case Branching():
                targets = (statement.yes, statement.no)
            case SwitchJump():
                targets = (statement.default, *(case.target for case in statement.cases))
        for target in targets:
            if at[target] <= index:
                depth[at[target]] += 1
                depth[index + 1] -= 1
    found, open_ = [], 0
    for change in depth[:-1]:
        open_ += change
        found.append(open_ > 0)
    return found
