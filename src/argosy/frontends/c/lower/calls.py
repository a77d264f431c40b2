"""Calls in the model: of functions with a body, of functions that the text does not define, through pointers.

A call of a defined function assigns the parameters and leaves a ``Call`` step, which becomes a copy of the function's
template when everything is read. Every assumption about a function without a body goes to the ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from argosy.basics.position import Position
from argosy.basics.records import dataclass, replace
from argosy.frontends.c.elaborate.calls import Shape, choice_type
from argosy.frontends.c.elaborate.variadic import LIST_MACROS, known_lists, takes_list
from argosy.frontends.c.library import (
    ALLOCATORS,
    AT_MOST,
    DEADLY,
    ECHOES,
    FORMAT_AT,
    GIVERS,
    IS_CONSTANT,
    LEAVING,
    LINES,
    OPAQUE,
    RANGES,
    ROUNDING,
    SIGNALS,
    SUPPLIED,
    ForeignReach,
    Role,
    overflow_operator,
    reach_of,
    role,
    writes_count,
)
from argosy.frontends.c.lower.graph import Call, FlowGraph, Foreign, Release, WildWrite
from argosy.frontends.c.lower.heap import COPIERS, FILLERS, LibraryMemory
from argosy.frontends.c.lower.integer_calls import IntegerCalls
from argosy.frontends.c.lower.leaving import leave
from argosy.frontends.c.lower.mathematics import MathCalls
from argosy.frontends.c.lower.operators import Value
from argosy.frontends.c.lower.values import TermValues
from argosy.frontends.c.mathematics import FUNCTIONS
from argosy.frontends.c.original import Original
from argosy.frontends.c.symbols import FunctionName, Object, Unit
from argosy.frontends.c.tokens import COPY, as_written
from argosy.frontends.c.typed import (
    AddressOf,
    AssemblerCode,
    Calling,
    Cast,
    Comma,
    Contents,
    Expression,
    FunctionAddress,
    ObjectPlace,
    PointerCalling,
    Selection,
    TargetPlace,
)
from argosy.frontends.c.types import (
    BOOL,
    VOID,
    BinaryFloat,
    Float,
    Function,
    Integer,
    Pointer,
    Scalar,
    StructureType,
    Type,
    Void,
)
from argosy.frontends.c.unsupported import Construct, refusal
from argosy.logic.terms import Term
from argosy.logic.traverse import postorder
from argosy.models.cfa import Assign, Assume, Havoc, Marked, Refusal
from argosy.models.sources import SourceKind, ValueSource

_CHANGES = {
    ForeignReach.PURE: "no side effects",
    ForeignReach.ARGUMENTS: "may change what its arguments lead to",
    ForeignReach.REACHABLE: "may change whatever it can reach",
}


@dataclass(frozen=True, slots=True)
class Receiver:
    """The variable that an arbitrary value is chosen for, as the statement that assigns it says."""

    term: Term
    original: Original


class ModelCalls:
    def __init__(
        self,
        unit: Unit,
        graph: FlowGraph,
        values: TermValues,
        function: str,
        repeats: Callable[[], bool],
        loops: Callable[[], bool],
    ) -> None:
        """``repeats`` says whether a call is executed more than once, ``loops`` whether by one call of the function."""
        self._unit = unit
        self._graph = graph
        self._terms = unit.terms
        self._values = values
        self._places = values.places
        self._operators = values.operators
        self._function = function
        self._math = MathCalls(values.operators)
        self._integers = IntegerCalls(values.operators)
        self._heap = LibraryMemory(unit, graph, values, function, repeats, loops)
        # Temporary objects that hold the address of a function.
        self.functions_in: set[Object] = set()

    # ---- calls --------------------------------------------------------------------------------------------

    def call(self, call: Calling, into: Receiver | None, wanted: bool, taken_for: Type | None = None) -> None:
        """``into`` receives the result where that is arbitrary; ``taken_for`` is the type that it is converted to."""
        name = call.function.name
        wanted_there = taken_for.target if isinstance(taken_for, Pointer) else None
        if wanted_there is None or isinstance(wanted_there, Void):
            # What a copy of a function returns is what its one caller takes it for.
            wanted_there = self._unit.taken_for.get(self._function, wanted_there)
        self._heap.wanted = wanted_there
        if name in self._unit.definitions:
            if wanted_there is not None and COPY in name:
                self._unit.taken_for[name] = wanted_there
            self._defined(call, call.function, [self._values.value(a) for a in call.arguments])
            return
        arguments = call.arguments
        kind = role(name)
        if kind in (Role.FAILED_ASSERT, Role.BOUND):
            # Texts for a message are not made objects of the program.
            arguments = tuple(argument for argument in arguments if self._text(argument) is None)
        elif kind is Role.UNMODELLED:
            arguments = tuple(map(_as_it_is, arguments))
        values = [self._values.value(argument) for argument in arguments]
        result = self._undefined(call, call.function, values, wanted, into)
        if call.result is not None:
            self._keep(call.result, result, call.original)

    def _keep(self, result: Object, value: Value, original: Original) -> None:
        """A temporary object has the value from here on."""
        if isinstance(result.type, StructureType):
            for term in self._unit.all_parts(result):
                why = value.refusal or refusal(original.position, f"the result of {original.text}", Construct.RESULT)
                self._places.lose(term, why, original.position, original.text)
        else:
            self._values.results[result] = self._operators.convert(value, result.type, original.position)

    def arbitrary_result(self, call: Calling) -> Type | None:
        """The type of the result, where that is any value; None for all other calls."""
        name = call.function.name
        if name in self._unit.definitions or any(map(self.gives_function, call.arguments)):
            return None
        kind = role(name)
        if kind not in (Role.CHOICE, Role.EXTERNAL, Role.NOTHING) or call.result is None:
            return None
        return choice_type(self._unit, name) if kind is Role.CHOICE else call.result.type

    def _hides_arguments(self, name: str, arguments: Sequence[Expression]) -> bool:
        """Whether a function without a body is given a list of arguments that are not known here."""
        if name in LIST_MACROS or self._unit.reach is ForeignReach.PURE:
            return False
        given = takes_list([argument.type for argument in arguments])
        return given and known_lists(self._unit, self._function) is None

    def gives_function(self, argument: Expression) -> bool:
        """Whether an argument is written as a function, behind casts or as one of two."""
        match argument:
            case Cast(operand):
                return self.gives_function(operand)
            case Selection():
                return self.gives_function(argument.yes) or self.gives_function(argument.no)
            case Comma():
                return self.gives_function(argument.second)
            case Contents(place=ObjectPlace(symbol)):
                return symbol in self.functions_in
        return isinstance(argument, FunctionAddress)

    def _text(self, argument: Expression) -> str | None:
        """The string literal that an argument is."""
        while isinstance(argument, Cast):
            argument = argument.operand
        if isinstance(argument, AddressOf) and isinstance(argument.place, ObjectPlace):
            return self._unit.text_of(argument.place.object)
        return None

    def _defined(
        self, call: Calling | PointerCalling, callee: FunctionName, values: Sequence[Value], converts: bool = False
    ) -> None:
        position, text = call.original.position, call.original.text
        shape: Shape = self._unit.signatures[callee.name]
        passed: list[tuple[Term, Term]] = []
        recursive = callee.name in self._unit.cycles.get(self._function, ())
        for index, parameter in enumerate(shape.parameters):
            target = parameter
            if recursive:
                # The parameter may still be needed, as that of the caller.
                target = Object("temp", parameter.type, position, self._function)
                passed.extend(zip(self._unit.all_parts(parameter), self._unit.all_parts(target), strict=True))
            if index >= len(values):
                self._unit.note(f"{position}: {callee.name} is called without its parameter {parameter.name}")
                for term in self._unit.all_parts(target):
                    source = ValueSource(SourceKind.UNDETERMINED, f"argument {parameter.name}")
                    self._graph.emit(Havoc(term), position, f"{parameter.name} = ?", source)
                continue
            value = self._operators.convert(values[index], parameter.type, position) if converts else values[index]
            if self._unit.cells(parameter.type):
                said = f"{parameter.name} = {call.arguments[index].original.text}"
                where = self._places.of_object(target, ObjectPlace(target, call.original))
                self._places.write(where, value, position, said)
        self._graph.flush(position, text if self._graph.pending else "")
        self._graph.mark(position, text, (Marked.CALL, as_written(callee.name)))
        self._graph.emit(Call(callee.name, tuple(passed)), position, text)
        result = shape.result
        if result is not None and not self._unit.cells(result.type):
            subject = f"the result of {callee.name}, a {result.type}"
            why = refusal(position, subject, _why_no_value(result.type))
            self._values.results[result] = Value(None, result.type, why)

    def through_pointer(self, call: PointerCalling) -> None:
        position, text, graph = call.original.position, call.original.text, self._graph
        pointer = self._values.value(call.pointer)
        values = [self._values.value(argument) for argument in call.arguments]
        elsewhere = refusal(position, f"call through a pointer, {text}", Construct.POINTER_CALL)
        callees = self._possible(call.type, values)
        kept = call.result
        if kept is not None and not self._unit.cells(kept.type):
            self._values.results[kept] = Value(None, kept.type, elsewhere)
            kept = None
        if pointer.term is None or not callees:
            self.refuse(elsewhere, position, text)
            if kept is not None:
                self._keep(kept, Value(None, kept.type, elsewhere), call.original)
            return
        join = graph.point()
        for callee in callees:
            yes, no = graph.point(), graph.point()
            condition = self._terms.eq(pointer.term, self._terms.const(self._unit.address(callee), pointer.term.sort))
            graph.branch(condition, position, f"{call.pointer.original.text} == {callee.name}", yes, no)
            graph.resume(yes)
            value = self._enter(call, callee, values, kept is not None)
            if kept is not None:
                value = self._operators.convert(value, kept.type, position)
                where = self._places.of_object(kept, ObjectPlace(kept, call.original))
                self._places.write(where, value, position, f"temp = {text}")
            graph.jump(join)
            graph.resume(no)
        # Whatever else is called may do anything, and nothing is known of what comes after it.
        self._operators.not_null(pointer.term, position)
        graph.flush(position, text)
        unknown = self._unit.opaque_term(BOOL.sort, replace(elsewhere, bound=True, arbitrary=True), False)
        graph.detour(self._terms.eq(unknown, self._terms.bv(1, 1)), position, text)
        graph.stop()
        graph.resume(join)

    def _enter(self, call: PointerCalling, callee: FunctionName, values: Sequence[Value], wanted: bool) -> Value:
        """One of the functions that a pointer may lead to."""
        if callee.name not in self._unit.definitions:
            return self._undefined(call, callee, values, wanted, None)
        self._defined(call, callee, values, converts=True)
        result = self._unit.signatures[callee.name].result
        if result is None:
            return Value(None, VOID)
        known = self._values.results.get(result)
        where = self._places.of_object(result, ObjectPlace(result, call.original))
        return known or self._places.read(where, call.original.position)

    def _possible(self, type_: Function, values: Sequence[Value]) -> list[FunctionName]:
        """The functions that a pointer may lead to, called with these arguments."""
        found = []
        for name in self._unit.callable_by_pointer:
            callee = self._unit.scopes.find_global(name)
            if not isinstance(callee, FunctionName) or not isinstance(callee.type, Function):
                continue
            own, wanted = callee.type, callee.type.parameters
            if name in self._unit.definitions:
                wanted = tuple(p.type for p in self._unit.signatures[name].parameters)
            fits = wanted is None or (
                (len(values) == len(wanted) or own.variadic)
                and all(_fits(value.type, parameter) for value, parameter in zip(values, wanted, strict=False))
            )
            if fits and _fits(own.result, type_.result):
                found.append(callee)
        return found

    def refuse(self, why: Refusal, position: Position, text: str) -> None:
        """Control may do anything here: it may reach the error, and it may change whatever it can reach."""
        bit = self._unit.opaque_term(BOOL.sort, why, False)
        self._graph.detour(self._terms.eq(bit, self._terms.bv(1, 1)), position, text)
        self._graph.emit(WildWrite(why, True), position, text)

    # ---- functions without a body -------------------------------------------------------------------------

    def _undefined(
        self,
        call: Calling | PointerCalling,
        callee: FunctionName,
        values: Sequence[Value],
        wanted: bool,
        into: Receiver | None,
    ) -> Value:
        position, text, name = call.original.position, call.original.text, callee.name
        assert isinstance(callee.type, Function)
        result = callee.type.result
        kind = Role.CONTROL if name in self._unit.lexed.returns_twice else role(name)
        if name in SIGNALS and values and values[0].term is not None and values[0].term.op == "const":
            kind = Role.END if values[0].term.payload in DEADLY else kind
        if name == "fesetround" and values and values[0].term is not None and values[0].term.op == "const":
            kind = kind if values[0].term.payload else Role.UNMODELLED
        if kind is Role.EXPECT and values:
            return self._operators.convert(values[0], result, position)
        self._graph.mark(position, text, (Marked.CALL, name))
        if kind in (Role.ASSUME, Role.ASSERT) and values:
            self._assume_or_assert(call, callee, values[0], kind)
            return Value(None, result, refusal(position, f"the result of {name}", Construct.RESULT))
        if kind is Role.FAILED_ASSERT:
            said = self._text(call.arguments[0]) if call.arguments else None
            asserted = "" if said is None else f"assert({said[1:-1]})"
            self._graph.mark(position, text, (Marked.ASSERTION, name), said=asserted)
            self._aborts(position, text)
        elif kind is Role.BOUND:
            what = (self._text(call.arguments[0]) or '""')[1:-1]
            beyond = refusal(position, what, Construct.INSTANCES, bound=True, arbitrary=True)
            unknown = self._unit.opaque_term(BOOL.sort, beyond, False)
            self._graph.detour(self._terms.eq(unknown, self._terms.bv(1, 1)), position, text)
            self._graph.stop()
        elif kind is Role.END:
            if name in LEAVING:
                leave(self._unit, self._graph, position)
            if self._unit.watched:
                self._graph.mark(position, text, (Marked.END, name))
            self._graph.stop()
        elif self._hides_arguments(name, call.arguments):
            hidden = refusal(position, f"call of {name} with a va_list", Construct.VARIADIC)
            self.refuse(hidden, position, text)
            return Value(None, result, hidden)
        elif kind is Role.CONTROL or any(map(self.gives_function, call.arguments)):
            construct = Construct.ROUNDING if name in ROUNDING else Construct.CONTROL
            moved = refusal(position, f"call of {name}", construct)
            self.refuse(moved, position, text)
            return Value(None, result, moved)
        elif kind is Role.MATHEMATICS:
            return self._mathematics(call, name, values, result)
        elif kind is Role.COMPUTED:
            computed = self._integers.value(name, values, position)
            if computed is None:
                return self._operators.unknown(result, position, f"library function {name}", Construct.LIBRARY)
            return self._operators.convert(computed, result, position)
        elif kind is Role.UNMODELLED and overflow_operator(name) is not None:
            return self._overflowing(call, name, values)
        elif kind is Role.UNMODELLED:
            modelled = self._heap.call(name, call, values)
            if modelled is not None:
                return self._operators.convert(modelled, result, position)
            self._watch_library(call, name, values)
            self._unmodelled_writes(call, name, values)
            construct = Construct.ALLOCATION if name in ALLOCATORS else Construct.LIBRARY
            construct = Construct.OPTIMISED if name == IS_CONSTANT else construct
            what = f"library function {name.removeprefix(OPAQUE)}"
            if isinstance(result, Scalar) and (not self._unit.watched or name.startswith(OPAQUE)):
                return Value(self._operators.arbitrary(result, position, what, construct), result)
            return self._operators.unknown(result, position, what, construct)
        elif kind is Role.EXTERNAL:
            self._external(call, callee, values)
        elif name in LINES:
            # A pointer to a new block, or to the old one; in any case not any pointer.
            self._watch_library(call, name, values)
            self._unmodelled_writes(call, name, values[:2])
        elif kind is Role.INPUT or (kind is Role.NOTHING and self._writes_count(name, call)):
            self._input(call, name, values)
        elif kind is Role.NOTHING and self._unit.watched and not self._writes_count(name, call):
            self._watch_output(call, name, values)
        elif kind is Role.RELEASE and self._unit.watched and values:
            self._release(call, name, values[0])
        elif kind is Role.RELEASE:
            given_back = f"line {position.line}: what {name} gives back"
            self._unit.note(f"{given_back} is not used afterwards, nor freed again")
        if kind is Role.CHOICE:
            chosen = self._arbitrary(choice_type(self._unit, name) or result, call, name, into, True)
            return self._operators.convert(chosen, result, position)
        # Whoever gives the values in the order of the calls counts those whose result nobody uses.
        given = self._arbitrary(result, call, name, into, wanted or kind is Role.EXTERNAL or name in SUPPLIED)
        if given.term is not None and isinstance(given.type, Integer):
            promised = self._promised(name, given.term, given.type, values, position)
            if promised is not None:
                self._graph.emit(Assume(promised), position, f"[{text} gives such a number]")
        return given

    def _promised(
        self, name: str, term: Term, type_: Integer, values: Sequence[Value], position: Position
    ) -> Term | None:
        """What is known of the number that a function of the library gives; None where nothing is."""
        terms = self._terms
        if name in RANGES:
            low, high = RANGES[name]
            above = terms.bit("bvsle", terms.const(low, term.sort), term)
            if high is None:
                return above
            return terms.conjunction((above, terms.bit("bvsle", term, terms.const(high, term.sort))))
        least, at = AT_MOST.get(name, (-1, 0))
        if (
            (name not in AT_MOST and name not in ECHOES)
            or at >= len(values)
            or not isinstance(values[at].type, Integer)
        ):
            return None
        failed = terms.eq(term, terms.const(least, term.sort))
        if name in ECHOES:
            shown = self._operators.convert(values[at], self._unit.model["unsigned char"], position)
            given = self._operators.convert(shown, type_, position).term
            return None if given is None else terms.disjunction((terms.eq(term, given), failed))
        most = self._operators.convert(values[at], type_, position).term
        order = "bvsle" if type_.signed else "bvule"
        if most is None:
            return None
        within = (terms.bit(order, terms.const(0, term.sort), term), terms.bit(order, term, most))
        return terms.disjunction((failed, terms.conjunction(within)))

    def _overflowing(self, call: Calling | PointerCalling, name: str, values: Sequence[Value]) -> Value:
        """``__builtin_add_overflow`` writes what is left of the result where its last argument leads, and tells whether
        it is all."""
        position, found = call.original.position, overflow_operator(name)
        last = values[2].type if len(values) == 3 else None
        target = last.target if isinstance(last, Pointer) else last
        known = [value for value in values[:2] if value.term is not None and isinstance(value.type, Integer)]
        if found is None or len(known) < 2 or not isinstance(target, Integer):
            self._unmodelled_writes(call, name, values)
            return self._operators.unknown(BOOL, position, f"library function {name}", Construct.LIBRARY)
        result, overflows = self._integers.overflowing(found[0], known[0], known[1], target)
        told = self._operators.convert(self._operators.truth_value(overflows), BOOL, position)
        if not found[1]:
            saved = self._unit.variable(self._function, "temp", BOOL, position)
            assert told.term is not None
            self._graph.emit(Assign(saved, told.term), position, f"{saved.name} = {call.original.text}")
            told = Value(saved, told.type)
            place = TargetPlace(call.arguments[2], target, frozenset(), call.original)
            where = self._places.target(values[2], place)
            self._places.write(where, Value(result, target), position, call.original.text)
        return told

    def _aborts(self, position: Position, text: str) -> None:
        """The program ends because something is wrong."""
        if self._unit.watched:
            self._graph.mark(position, text, (Marked.END, "abort"))
        self._graph.stop()

    def _watch_output(self, call: Calling | PointerCalling, name: str, values: Sequence[Value]) -> None:
        """Functions that print may follow what they are given, but for texts; files are theirs."""
        pairs = zip(values, call.arguments, strict=False)
        given = [value for value, argument in pairs if self._text(argument) is None and not _is_file(value.type)]
        self._watch_library(call, name, given)

    def _release(self, call: Calling | PointerCalling, name: str, value: Value) -> None:
        position, text = call.original.position, call.original.text
        address = self._operators.term(value, position)
        self._operators.may_free(address, position, text)
        self._graph.emit(Release(address), position, text)

    def _watch_library(self, call: Calling | PointerCalling, name: str, values: Sequence[Value]) -> None:
        """What a function of the library does to memory that is not modelled is in doubt; but for those that access so
        many bytes as they are told."""
        if self._unit.watched and name in FILLERS | COPIERS and self._watch_bytes(call, values, 1 + (name in COPIERS)):
            return
        follows = any(isinstance(value.type, Pointer) and not _is_null(value) for value in values)
        if self._unit.watched and (follows or name in ALLOCATORS or name in GIVERS):
            position = call.original.position
            why = refusal(position, f"library function {name}", Construct.LIBRARY)
            self._operators.unknown_access(position, why)

    def _watch_bytes(self, call: Calling | PointerCalling, values: Sequence[Value], pointers: int) -> bool:
        """Require that the first arguments lead to as many bytes as the third one says; whether that is known."""
        size = values[2].term if len(values) == 3 else None
        addresses = [value.term for value in values[:pointers] if isinstance(value.type, Pointer)]
        if size is None or size.op != "const" or len(addresses) < pointers:
            return False
        for number, address in enumerate(addresses):
            if address is None:
                return False
            if size.payload:
                position, text = call.original.position, call.original.text
                self._operators.may_access(address, size.payload, number == 0, position, text)
        return True

    def _mathematics(self, call: Calling | PointerCalling, name: str, values: Sequence[Value], result: Type) -> Value:
        function, position = FUNCTIONS[name], call.original.position
        text = self._text(call.arguments[0]) if function.form == "dc" and call.arguments else None
        if name == "__builtin_fpclassify" and values:
            numbers = [v.term for v in values[:-1] if v.term is not None and v.type == self._unit.model.int_]
            chosen = self._math.chosen(values[-1], numbers)
            made = None if chosen is None else Value(chosen, self._unit.model.int_)
        elif function.stem == "modf":
            made = self._parts_of_number(call, values)
        else:
            made = self._math.value(function, name, values, text, position)
        if made is None:
            self._unmodelled_writes(call, name, values)
            made = self._operators.unknown(result, position, f"library function {name}", Construct.LIBRARY)
        return self._operators.convert(made, result, position)

    def _parts_of_number(self, call: Calling | PointerCalling, values: Sequence[Value]) -> Value | None:
        """``modf`` writes the integral part where its pointer leads."""
        if len(values) != 2 or not isinstance(values[1].type, Pointer):
            return None
        number, target = values[0], values[1].type.target
        if not isinstance(target, BinaryFloat) or number.type != target or number.term is None:
            return None
        rest, whole = (
            self._operators.computed(target, part, call.original.position)
            for part in self._math.modf(target, number.term)
        )
        saved = self._unit.variable(self._function, "temp", target, call.original.position)
        self._graph.emit(Assign(saved, rest), call.original.position, f"{saved.name} = {call.original.text}")
        place = TargetPlace(call.arguments[1], target, frozenset(), call.original)
        where = self._places.target(values[1], place)
        self._places.write(where, Value(whole, target), call.original.position, call.original.text)
        return Value(saved, target)

    def _writes_count(self, name: str, call: Calling | PointerCalling) -> bool:
        at = FORMAT_AT.get(name)
        form = None if at is None or at >= len(call.arguments) else self._text(call.arguments[at])
        return writes_count(name, len(call.arguments), form)

    def _arbitrary(
        self, type_: Type, call: Calling | PointerCalling, callee: str, into: Receiver | None, wanted: bool
    ) -> Value:
        """Any value of the type: a step of its own that names where the value comes from."""
        position, text = call.original.position, call.original.text
        source = ValueSource(SourceKind.CALL, text, callee, str(type_), position)
        if into is not None:
            self._graph.emit(Havoc(into.term), into.original.position, into.original.text, source)
            return Value(into.term, type_)
        self._graph.flush(position, text if self._graph.pending else "")
        if not wanted or not isinstance(type_, Scalar):
            subject = f"the result of {text}, a {type_}"
            return self._operators.unknown(type_, position, subject, _why_no_value(type_))
        term = self._unit.variable(self._function, "temp", type_, position)
        self._graph.emit(Havoc(term), position, f"{term.name} = {text}", source)
        return Value(term, type_)

    def _external(self, call: Calling | PointerCalling, callee: FunctionName, values: Sequence[Value]) -> None:
        name = callee.name
        assert isinstance(callee.type, Function)
        self._unit.external.add(name)
        noreturn = name in self._unit.lexed.noreturn
        arbitrary = "" if noreturn or callee.type.result == VOID else ": result arbitrary"
        reach = reach_of(self._unit.reach, name)
        self._unit.note(
            f"undefined function {name}{arbitrary or ':'}{', ' if arbitrary else ' '}{_CHANGES[reach]}", name
        )
        if self._unit.watched:
            if reach is ForeignReach.PURE:
                self._unit.note(f"undefined function {name}: follows and frees no pointer", name)
            elif any(isinstance(value.type, Pointer) and not _is_null(value) for value in values):
                position = call.original.position
                self._operators.unknown_access(position, refusal(position, f"call of {name}", Construct.FOREIGN))
        if reach is not ForeignReach.PURE:
            self._unit.note("functions without a body call no function of this file that they are not given", name)
            self._foreign(call, name, values, reach)
        if noreturn:
            self._aborts(call.original.position, call.original.text)

    def _input(self, call: Calling | PointerCalling, name: str, values: Sequence[Value]) -> None:
        """A function of the library that writes any value where its arguments point, if that is not ``const``: one
        number, or characters."""
        position, text = call.original.position, call.original.text
        self._unit.note(f"library function {name}: may write any value where its arguments point")
        if name not in FORMAT_AT:
            self._watch_library(call, name, values)
        texts = []
        first = FORMAT_AT.get(name, -1) + 1
        for value, argument in zip(values[first:], call.arguments[first:], strict=True):
            target = value.type.target if isinstance(value.type, Pointer) else VOID
            if name in FORMAT_AT and isinstance(target, Integer) and target.width > 8:
                number = self._arbitrary(target, call, name, None, True)
                place = TargetPlace(argument, target, frozenset(), call.original)
                self._places.write(self._places.target(value, place), number, position, text)
            elif not (isinstance(value.type, Pointer) and "const" in value.type.qualifiers):
                texts.append(value)
        if name in FORMAT_AT:
            self._watch_library(call, name, texts)
        if any(isinstance(value.type, Pointer) and not _is_null(value) for value in texts):
            self._foreign(call, name, texts, ForeignReach.GIVEN)
        self._graph.flush(position, text)

    def assembler(self, code: AssemblerCode, reach: ForeignReach) -> None:
        """Code that may change memory as a function without a body does, which is given its inputs."""
        position, values = code.original.position, [self._values.value(each) for each in code.inputs]
        if self._unit.watched and any(isinstance(value.type, Pointer) and not _is_null(value) for value in values):
            self._operators.unknown_access(position, refusal(position, "asm", Construct.ASSEMBLER))
        self._foreign(code, "asm", values, reach)

    def _foreign(
        self,
        call: Calling | PointerCalling | AssemblerCode,
        name: str,
        values: Sequence[Value],
        reach: ForeignReach,
    ) -> None:
        position = call.original.position
        given: list[tuple[Term, bool]] = []
        for value in values:
            if isinstance(value.type, Scalar):
                is_pointer = isinstance(value.type, Pointer)
                if is_pointer or value.term is not None:
                    given.append((self._operators.term(value, position), is_pointer))
            elif value.place is not None:
                for part in self._places.scalars(value.place, position):
                    given.append((self._operators.term(part, position), isinstance(part.type, Pointer)))
        is_code = isinstance(call, AssemblerCode)
        why = refusal(position, *(("asm", Construct.ASSEMBLER) if is_code else (f"call of {name}", Construct.FOREIGN)))
        text = name if is_code else call.original.text
        self._graph.emit(Foreign(name, tuple(given), reach, why, may=is_code), position, text)

    def _unmodelled_writes(self, call: Calling | PointerCalling, name: str, values: Sequence[Value]) -> None:
        """A library function may write where its pointers point."""
        position = call.original.position
        why = refusal(position, f"library function {name}", Construct.LIBRARY)
        for value in values:
            if not isinstance(value.type, Pointer) or (value.term is not None and value.term.op == "const"):
                for symbol in self._given(value):
                    for term in self._unit.all_parts(symbol):
                        self._places.lose(term, why, position, f"{self._unit.variables[term].name} = ?")
            else:
                self._graph.emit(WildWrite(why, False), position, call.original.text)

    def _given(self, value: Value) -> list[Object]:
        """The objects whose addresses occur in a value."""
        if value.term is None or not isinstance(value.type, Pointer):
            return []
        numbers = (sub.payload for sub in postorder(value.term) if sub.op == "const" and sub.sort is value.term.sort)
        found = (self._unit.object_at(number) for number in numbers)
        return [at[0] for at in found if at is not None and not at[0].constant]

    def _assume_or_assert(self, call: Calling | PointerCalling, callee: FunctionName, value: Value, kind: Role) -> None:
        position, text = call.original.position, call.arguments[0].original.text
        condition = self._operators.truth(value, position)
        if kind is Role.ASSERT:
            holds, fails = self._graph.point(), self._graph.point()
            self._graph.branch(condition, position, text, holds, fails)
            self._graph.resume(fails)
            self._graph.mark(position, call.original.text, (Marked.ASSERTION, callee.name))
            self._aborts(position, call.original.text)
            self._graph.resume(holds)
        elif condition is self._terms.false:
            self._graph.stop()
        elif condition is self._terms.true:
            self._graph.flush(position, call.original.text if self._graph.pending else "")
        else:
            self._graph.emit(Assume(condition), position, f"[{text}]")


def _as_it_is(argument: Expression) -> Expression:
    """An argument without its conversion to ``void *``."""
    while isinstance(argument, Cast) and isinstance(argument.type, Pointer) and argument.type.target == VOID:
        if not isinstance(argument.operand.type, Pointer):
            break
        argument = argument.operand
    return argument


def _is_file(type_: Type) -> bool:
    """Whether a pointer leads to what only the library knows."""
    return isinstance(type_, Pointer) and isinstance(type_.target, StructureType)


def _is_null(value: Value) -> bool:
    return value.term is not None and value.term.op == "const" and value.term.payload == 0


def _why_no_value(type_: Type) -> Construct:
    return Construct.FLOAT if isinstance(type_, Float) else Construct.RESULT


def _fits(given: Type, wanted: Type) -> bool:
    """Whether a call is possible where the prototypes differ: numbers are converted, the rest is what it is."""
    if isinstance(given, Integer | Pointer) and isinstance(wanted, Integer | Pointer):
        return isinstance(given, Integer) == isinstance(wanted, Integer)
    return type(given) is type(wanted) and (not isinstance(given, StructureType) or given is wanted)
