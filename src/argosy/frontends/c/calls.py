"""Calls: of functions with a body, of functions that the text does not define, through pointers (C11 6.5.2.2).

A call of a defined function assigns the parameters and leaves a ``Call`` step, which becomes a copy of the function's
template when everything is read. Every assumption about a function without a body goes to the ledger.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pycparser import c_ast as c

from argosy.basics.position import Position
from argosy.frontends.c.effects import walk
from argosy.frontends.c.graph import Call, Foreign, WildWrite
from argosy.frontends.c.heap import ALLOCATORS, Heap
from argosy.frontends.c.library import (
    CHOICE_PREFIX,
    CHOICES,
    DEADLY,
    FORMAT_AT,
    SIGNALS,
    ForeignReach,
    Role,
    reach_of,
    role,
    writes_count,
)
from argosy.frontends.c.operators import Value
from argosy.frontends.c.render import render
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import RESULT, BlockScope, FunctionName, Object, Unit, complain, position_of
from argosy.frontends.c.tokens import ASSEMBLER
from argosy.frontends.c.types import BOOL, VOID, Array, Float, Function, Integer, Pointer, StructureType, Type
from argosy.frontends.c.unsupported import Construct, refusal
from argosy.frontends.c.whole import Whole
from argosy.logic.terms import Term
from argosy.logic.traverse import postorder
from argosy.models.cfa import Assign, Assume, Havoc, Marked, Refusal

_OFFSETS = frozenset(("offsetof", "__builtin_offsetof"))
_VARIABLE_ARGUMENT = "__builtin_va_arg"
_CHANGES = {
    ForeignReach.PURE: "no side effects",
    ForeignReach.ARGUMENTS: "may change what its arguments lead to",
    ForeignReach.REACHABLE: "may change whatever it can reach",
}


@dataclass(frozen=True, slots=True)
class Signature:
    """What callers and the body of a defined function share. ``scope`` has what the list of parameters declares besides
    them, which is in view in the body."""

    type: Function
    parameters: tuple[Object, ...]
    result: Object | None
    scope: BlockScope


class Calls:
    def __init__(self, expressions: Whole) -> None:
        self._expressions = expressions
        self._operators = expressions.operators
        self._unit = expressions.unit
        self._graph = expressions.graph
        self._terms = expressions.terms
        self._heap = Heap(expressions)

    # ---- who is called ------------------------------------------------------------------------------------

    def _callee(self, node: Node) -> FunctionName | None:
        """The function that a call names; None for a call through a pointer."""
        name = node.name
        while isinstance(name, c.UnaryOp) and name.op in "*&" and self._names_function(name.expr):
            name = name.expr
        if not isinstance(name, c.ID):
            return None
        symbol = self._unit.scopes.find(name.name)
        if isinstance(symbol, FunctionName):
            return symbol
        if symbol is None and name.name != ASSEMBLER:
            return self._implicit(name)
        return None

    def _names_function(self, node: Node) -> bool:
        return names_function(self._unit, node)

    def _implicit(self, name: Node) -> FunctionName:
        """``int f()``, as before C99."""
        result: Type = self._unit.model.int_
        if role(name.name) is Role.CHOICE:
            result = self._choice_type(name.name) or result
        elif role(name.name) is Role.EXPECT:
            result = self._unit.model["long"]
        elif role(name.name) is Role.EXTERNAL:
            self._unit.note(f"implicit declaration: int {name.name}()", name.name)
        symbol = FunctionName(name.name, Function(result, None), position_of(name))
        self._unit.scopes.bind_global(name.name, symbol)
        return symbol

    def result_type(self, node: Node) -> Type:
        name = node.name.name if isinstance(node.name, c.ID) else ""
        if name in _OFFSETS:
            return self._unit.model.size_type
        if name == _VARIABLE_ARGUMENT:
            return self._expressions.declarations.type(node.args.exprs[1])
        callee = self._callee(node)
        if callee is not None:
            type_ = callee.type
        elif name == ASSEMBLER:
            return VOID
        else:
            type_ = self._expressions.typing.of(node.name)
            while isinstance(type_, Pointer):
                type_ = type_.target
        if not isinstance(type_, Function):
            raise complain(node, f"{render(node.name)} is not a function")
        return type_.result

    # ---- the call -----------------------------------------------------------------------------------------

    def call(self, node: Node, wanted: bool) -> Value:
        special = self._special_form(node)
        if special is not None:
            return special
        callee = self._callee(node)
        if callee is None:
            return self._through_pointer(node)
        return self._enter(node, callee, self._evaluate(node, callee), wanted)

    def _enter(self, node: Node, callee: FunctionName, values: Sequence[Value], wanted: bool) -> Value:
        """A call of a function that is known, its arguments evaluated."""
        if callee.name in self._unit.definitions:
            return self._defined(node, callee, values)
        return self._undefined(node, callee, values, wanted, None)

    def _special_form(self, node: Node) -> Value | None:
        """What only looks like a call, because an operand is a type."""
        name = node.name.name if isinstance(node.name, c.ID) else ""
        if name == _VARIABLE_ARGUMENT:
            self._expressions.value(node.args.exprs[0])
        if name in _OFFSETS or name == _VARIABLE_ARGUMENT:
            construct = Construct.VARIADIC if name == _VARIABLE_ARGUMENT else Construct.LAYOUT
            return self._operators.unknown(self.result_type(node), position_of(node), name, construct)
        return None

    def _arguments(self, node: Node) -> list[Node]:
        return node.args.exprs if node.args is not None else []

    def _evaluate(self, node: Node, callee: FunctionName | None = None) -> list[Value]:
        """The arguments, left to right, each as it was before the effects of those to its right."""
        expressions = self._expressions
        arguments = self._arguments(node)
        if callee is not None and callee.name not in self._unit.definitions and role(callee.name) is Role.FAILED_ASSERT:
            # Texts for a message are not made objects of the program.
            arguments = [argument for argument in arguments if not isinstance(argument, c.Constant)]
        values = []
        for index, argument in enumerate(arguments):
            value = expressions.value(argument)
            later = expressions.effects.of_all(arguments[index + 1 :])
            values.append(value if later is None else expressions.protect(value, later, argument))
        return values

    def _defined(self, node: Node, callee: FunctionName, values: Sequence[Value]) -> Value:
        position = position_of(node)
        shape = signature(self._unit, callee, self._expressions)
        given, needed = len(values), len(shape.parameters)
        if shape.type.parameters is not None and (given < needed or (given > needed and not shape.type.variadic)):
            raise complain(node, f"{callee.name} takes {needed} arguments, not {given}")
        passed: list[tuple[Term, Term]] = []
        recursive = callee.name in self._unit.cycles.get(self._expressions.function, ())
        for index, parameter in enumerate(shape.parameters):
            target = parameter
            if recursive:
                # The parameter may still be needed, as that of the caller.
                target = Object("temp", parameter.type, position, self._expressions.function)
                passed.extend(zip(self._unit.all_parts(parameter), self._unit.all_parts(target), strict=True))
            if index >= given:
                self._unit.note(f"{position}: {callee.name} is called without its parameter {parameter.name}")
                for term in self._unit.all_parts(target):
                    self._graph.emit(Havoc(term), position, f"{parameter.name} = ?", f"argument {parameter.name}")
                continue
            value = self._operators.convert(values[index], parameter.type, position)
            if self._unit.cells(parameter.type):
                text = f"{parameter.name} = {render(self._arguments(node)[index])}"
                self._expressions.places.write(self._expressions.places.of_object(target), value, position, text)
        self._graph.flush(position, render(node) if self._graph.pending else "")
        self._graph.mark(position, render(node), (Marked.CALL, callee.name))
        self._graph.emit(Call(callee.name, tuple(passed)), position, render(node))
        if shape.result is not None:
            return self._expressions.places.read(self._expressions.places.of_object(shape.result), node)
        subject = f"the result of {callee.name}, a {shape.type.result}"
        return Value(None, shape.type.result, refusal(position, subject, _why_no_value(shape.type.result)))

    def _through_pointer(self, node: Node) -> Value:
        position = position_of(node)
        if isinstance(node.name, c.ID) and node.name.name == ASSEMBLER:
            self._refuse(refusal(position, "asm", Construct.ASSEMBLER), position, "asm")
            return Value(None, VOID)
        result = self.result_type(node)
        pointer = self._expressions.value(node.name)
        given = self._expressions.effects.of_all(self._arguments(node))
        if given is not None:
            pointer = self._expressions.protect(pointer, given, node.name)
        values = self._evaluate(node)
        elsewhere = refusal(position, f"call through a pointer, {render(node)}", Construct.POINTER_CALL)
        callees = self._possible(pointer, values)
        if pointer.term is None or not callees:
            self._refuse(elsewhere, position, render(node))
            return Value(None, result, elsewhere)
        places = self._expressions.places
        kept = Object("temp", result, position, self._expressions.function) if self._unit.cells(result) else None
        join = self._graph.point()
        for callee in callees:
            yes, no = self._graph.point(), self._graph.point()
            condition = self._terms.eq(pointer.term, self._terms.const(self._unit.address(callee), pointer.term.sort))
            self._graph.branch(condition, position, f"{render(node.name)} == {callee.name}", yes, no)
            self._graph.resume(yes)
            value = self._operators.convert(self._enter(node, callee, values, kept is not None), result, position)
            if kept is not None:
                places.write(places.of_object(kept), value, position, f"temp = {render(node)}")
            self._graph.jump(join)
            self._graph.resume(no)
        # Whatever else is called may do anything, and nothing is known of what comes after it.
        self._operators.not_null(pointer.term, position)
        self._graph.flush(position, render(node))
        unknown = self._unit.opaque_term(BOOL.sort, replace(elsewhere, bound=True, arbitrary=True), False)
        self._graph.detour(self._terms.eq(unknown, self._terms.bv(1, 1)), position, render(node))
        self._graph.stop()
        self._graph.resume(join)
        return places.read(places.of_object(kept), node) if kept is not None else Value(None, result, elsewhere)

    def _possible(self, pointer: Value, values: Sequence[Value]) -> list[FunctionName]:
        """The functions that a pointer may lead to, called with these arguments."""
        type_ = pointer.type.target if isinstance(pointer.type, Pointer) else pointer.type
        if isinstance(type_, Pointer):
            type_ = type_.target
        if not isinstance(type_, Function):
            return []
        found = []
        for name in self._unit.callable_by_pointer:
            callee = self._unit.scopes.find_global(name)
            if not isinstance(callee, FunctionName) or not isinstance(callee.type, Function):
                continue
            own, wanted = callee.type, callee.type.parameters
            if name in self._unit.definitions:
                wanted = tuple(p.type for p in signature(self._unit, callee, self._expressions).parameters)
            fits = wanted is None or (
                (len(values) == len(wanted) or own.variadic)
                and all(_fits(value.type, parameter) for value, parameter in zip(values, wanted, strict=False))
            )
            if fits and _fits(own.result, type_.result):
                found.append(callee)
        return found

    def _refuse(self, why: Refusal, position: Position, text: str) -> None:
        """Control may do anything here: it may reach the error, and it may change whatever it can reach."""
        bit = self._unit.opaque_term(BOOL.sort, why, False)
        self._graph.detour(self._terms.eq(bit, self._terms.bv(1, 1)), position, text)
        self._graph.emit(WildWrite(why, True), position, text)

    # ---- functions without a body -------------------------------------------------------------------------

    def choose_into(self, target: Term, node: Node, position: Position, text: str) -> bool:
        """If ``node`` is a call whose result is arbitrary and as wide as ``target``, choose the value there."""
        expressions = self._expressions
        while isinstance(node, c.Cast):
            type_ = expressions.declarations.type(node.to_type)
            if not isinstance(type_, Integer | Pointer) or type_.sort is not target.sort:
                return False
            node = node.expr
        if not isinstance(node, c.FuncCall) or not isinstance(node.name, c.ID):
            return False
        if node.name.name in _OFFSETS or node.name.name == _VARIABLE_ARGUMENT:
            return False
        callee = self._callee(node)
        if callee is None or callee.name in self._unit.definitions:
            return False
        if any(gives_function(self._unit, each) for each in self._arguments(node)):
            return False
        own = self._choice_type(callee.name) if role(callee.name) is Role.CHOICE else self.result_type(node)
        arbitrary = role(callee.name) in (Role.CHOICE, Role.EXTERNAL, Role.NOTHING)
        if not arbitrary or not isinstance(own, Integer | Pointer) or own.sort is not target.sort:
            return False
        self._undefined(node, callee, self._evaluate(node), True, (target, position, text))
        return True

    def _choice_type(self, name: str) -> Type | None:
        """The type of values that a choice gives, by its name or else by its declaration."""
        ending = name.removeprefix(CHOICE_PREFIX)
        model = self._unit.model
        if ending == "size_t":
            return model.size_type
        if ending in CHOICES:
            plain = CHOICES[ending]
            if plain is None:
                return model.pointer(VOID)
            return model.floats[plain] if plain in model.floats else model[plain]
        symbol = self._unit.scopes.find_global(name)
        return symbol.type.result if isinstance(symbol, FunctionName) and isinstance(symbol.type, Function) else None

    def _undefined(
        self,
        node: Node,
        callee: FunctionName,
        values: Sequence[Value],
        wanted: bool,
        into: tuple[Term, Position, str] | None,
    ) -> Value:
        position = position_of(node)
        result = self.result_type(node)
        kind = Role.CONTROL if callee.name in self._unit.lexed.returns_twice else role(callee.name)
        if callee.name in SIGNALS and values and values[0].term is not None and values[0].term.op == "const":
            kind = Role.END if values[0].term.payload in DEADLY else kind
        if kind is Role.EXPECT and values:
            return self._operators.convert(values[0], self._unit.model["long"], position)
        self._graph.mark(position, render(node), (Marked.CALL, callee.name))
        if kind in (Role.ASSUME, Role.ASSERT) and values:
            self._assume_or_assert(node, callee, values[0], kind)
            return Value(None, result, refusal(position, f"the result of {callee.name}", Construct.RESULT))
        if kind is Role.FAILED_ASSERT:
            self._graph.mark(position, render(node), (Marked.ASSERTION, callee.name), said=_asserted(node))
            self._graph.stop()
        elif kind is Role.END:
            self._graph.stop()
        elif kind is Role.CONTROL or any(gives_function(self._unit, each) for each in self._arguments(node)):
            moved = refusal(position, f"call of {callee.name}", Construct.CONTROL)
            self._refuse(moved, position, render(node))
            return Value(None, result, moved)
        elif kind is Role.UNMODELLED:
            modelled = self._heap.call(callee.name, node, values)
            if modelled is not None:
                return self._operators.convert(modelled, result, position)
            self._unmodelled_writes(node, values)
            construct = Construct.ALLOCATION if callee.name in ALLOCATORS else Construct.LIBRARY
            return self._operators.unknown(result, position, f"library function {callee.name}", construct)
        elif kind is Role.EXTERNAL:
            self._external(node, callee, values)
        elif kind is Role.INPUT or (kind is Role.NOTHING and writes_count(callee.name, self._arguments(node))):
            self._input(node, callee, values)
        elif kind is Role.RELEASE:
            given_back = f"line {position.line}: what {callee.name} gives back"
            self._unit.note(f"{given_back} is not used afterwards, nor freed again")
        if kind is Role.CHOICE:
            chosen = self._arbitrary(self._choice_type(callee.name) or result, node, into, True)
            return self._operators.convert(chosen, result, position)
        return self._arbitrary(result, node, into, wanted)

    def _arbitrary(self, type_: Type, node: Node, into: tuple[Term, Position, str] | None, wanted: bool) -> Value:
        """Any value of the type: a step of its own that names where the value comes from."""
        position = position_of(node)
        if into is not None:
            target, at, text = into
            self._graph.emit(Havoc(target), at, text, render(node))
            return Value(target, type_)
        self._graph.flush(position, render(node) if self._graph.pending else "")
        if not wanted or not isinstance(type_, Integer | Pointer):
            subject = f"the result of {render(node)}, a {type_}"
            return self._operators.unknown(type_, position, subject, _why_no_value(type_))
        term = self._unit.variable(self._expressions.function, "temp", type_, position)
        self._graph.emit(Havoc(term), position, f"{term.name} = {render(node)}", render(node))
        return Value(term, type_)

    def _external(self, node: Node, callee: FunctionName, values: Sequence[Value]) -> None:
        name = callee.name
        self._unit.external.add(name)
        noreturn = name in self._unit.lexed.noreturn
        result = self.result_type(node)
        arbitrary = "" if noreturn or result == VOID else ": result arbitrary"
        reach = reach_of(self._unit.reach, name)
        self._unit.note(
            f"undefined function {name}{arbitrary or ':'}{', ' if arbitrary else ' '}{_CHANGES[reach]}", name
        )
        if reach is not ForeignReach.PURE:
            self._unit.note("functions without a body call no function of this file that they are not given", name)
            self._foreign(node, callee, values, reach)
        if noreturn:
            self._graph.stop()

    def _input(self, node: Node, callee: FunctionName, values: Sequence[Value]) -> None:
        """A function of the library that writes any value where its arguments point: one number, or characters."""
        position = position_of(node)
        self._unit.note(f"library function {callee.name}: may write any value where its arguments point")
        texts = []
        for value in values[FORMAT_AT.get(callee.name, -1) + 1 :]:
            target = value.type.target if isinstance(value.type, Pointer) else VOID
            if callee.name in FORMAT_AT and isinstance(target, Integer) and target.width > 8:
                number = self._arbitrary(target, node, None, True)
                self._expressions.places.write_at(value, number, node, render(node))
            else:
                texts.append(value)
        if any(isinstance(value.type, Pointer) and not _is_null(value) for value in texts):
            self._foreign(node, callee, texts, ForeignReach.GIVEN)
        self._graph.flush(position, render(node))

    def _foreign(self, node: Node, callee: FunctionName, values: Sequence[Value], reach: ForeignReach) -> None:
        position = position_of(node)
        given: list[tuple[Term, bool]] = []
        for value in values:
            if isinstance(value.type, Integer | Pointer):
                is_pointer = isinstance(value.type, Pointer)
                if is_pointer or value.term is not None:
                    given.append((self._operators.term(value, position), is_pointer))
            elif value.place is not None:
                for part in self._expressions.places.scalars(value.place, position):
                    given.append((self._operators.term(part, position), isinstance(part.type, Pointer)))
        why = refusal(position, f"call of {callee.name}", Construct.FOREIGN)
        self._graph.emit(Foreign(callee.name, tuple(given), reach, why), position, render(node))

    def _unmodelled_writes(self, node: Node, values: Sequence[Value]) -> None:
        """A library function may write where its pointers point."""
        position = position_of(node)
        why = refusal(position, f"library function {render(node.name)}", Construct.LIBRARY)
        for value in values:
            if not isinstance(value.type, Pointer) or (value.term is not None and value.term.op == "const"):
                for symbol in self._given(value):
                    for term in self._unit.all_parts(symbol):
                        opaque = self._unit.opaque_term(term.sort, why, self._unit.variables[term].signed)
                        self._graph.emit(Assign(term, opaque), position, f"{self._unit.variables[term].name} = ?")
            else:
                self._graph.emit(WildWrite(why, False), position, render(node))

    def _given(self, value: Value) -> list[Object]:
        """The objects whose addresses occur in a value."""
        if value.term is None or not isinstance(value.type, Pointer):
            return []
        numbers = (sub.payload for sub in postorder(value.term) if sub.op == "const" and sub.sort is value.term.sort)
        found = (self._unit.object_at(number) for number in numbers)
        return [at[0] for at in found if at is not None and not at[0].constant]

    def _assume_or_assert(self, node: Node, callee: FunctionName, value: Value, kind: Role) -> None:
        position = position_of(node)
        text = render(self._arguments(node)[0])
        if isinstance(callee.type, Function) and callee.type.parameters:
            value = self._operators.convert(value, callee.type.parameters[0], position)
        condition = self._operators.truth(value, position)
        if kind is Role.ASSERT:
            holds, fails = self._graph.point(), self._graph.point()
            self._graph.branch(condition, position, text, holds, fails)
            self._graph.resume(fails)
            self._graph.mark(position, render(node), (Marked.ASSERTION, callee.name))
            self._graph.stop()
            self._graph.resume(holds)
        elif condition is self._terms.false:
            self._graph.stop()
        elif condition is self._terms.true:
            self._graph.flush(position, render(node) if self._graph.pending else "")
        else:
            self._graph.emit(Assume(condition), position, f"[{text}]")


def _is_null(value: Value) -> bool:
    return value.term is not None and value.term.op == "const" and value.term.payload == 0


def _why_no_value(type_: Type) -> Construct:
    return Construct.FLOAT if isinstance(type_, Float) else Construct.RESULT


def names_function(unit: Unit, node: Node) -> bool:
    while isinstance(node, c.UnaryOp) and node.op in "*&":
        node = node.expr
    return isinstance(node, c.ID) and isinstance(unit.scopes.find(node.name), FunctionName)


def gives_function(unit: Unit, node: Node) -> bool:
    """Whether an argument is written as a function, behind casts or as one of two."""
    match node:
        case c.Cast():
            return gives_function(unit, node.expr)
        case c.TernaryOp():
            return gives_function(unit, node.iftrue) or gives_function(unit, node.iffalse)
        case c.ExprList():
            return gives_function(unit, node.exprs[-1])
    return names_function(unit, node)


def _fits(given: Type, wanted: Type) -> bool:
    """Whether a call is possible where the prototypes differ: numbers are converted, the rest is what it is."""
    if isinstance(given, Integer | Pointer) and isinstance(wanted, Integer | Pointer):
        return isinstance(given, Integer) == isinstance(wanted, Integer)
    return type(given) is type(wanted) and (not isinstance(given, StructureType) or given is wanted)


def given_names(unit: Unit, argument: Node) -> Iterator[str]:
    """The variables whose addresses an argument of a call may be or lead into."""
    for node in walk(argument):
        taken = node.expr if isinstance(node, c.UnaryOp) and node.op == "&" else None
        while isinstance(taken, c.StructRef | c.ArrayRef):
            taken = taken.name
        if isinstance(taken, c.ID):
            yield taken.name
        elif isinstance(node, c.ID):
            symbol = unit.scopes.find(node.name)
            if isinstance(symbol, Object) and isinstance(symbol.type, Array | StructureType):
                yield node.name


def changes_shared(unit: Unit, node: Node) -> bool:
    """May the call write variables that it is not given?"""
    if not isinstance(node.name, c.ID):
        return True
    name = node.name.name
    if isinstance(unit.scopes.find(name), Object) or name == ASSEMBLER or name in unit.definitions:
        return True
    arguments = node.args.exprs if node.args is not None else []
    if role(name) is Role.EXTERNAL:
        reach = reach_of(unit.reach, name)
        if reach is ForeignReach.REACHABLE or (reach is ForeignReach.ARGUMENTS and arguments):
            return True
    if role(name) is Role.INPUT or (role(name) is Role.NOTHING and writes_count(name, arguments)):
        return True
    return role(name) in (Role.CONTROL, Role.UNMODELLED) or any(gives_function(unit, a) for a in arguments)


def _asserted(node: Node) -> str:
    """``assert(x > 0)`` for what its macro has become, a call with the text of the condition."""
    first = node.args.exprs[0] if node.args is not None and node.args.exprs else None
    if isinstance(first, c.Constant) and first.type == "string":
        return f"assert({first.value[1:-1]})"
    return ""


def signature(unit: Unit, callee: FunctionName, expressions: Whole) -> Signature:
    """The signature of a defined function, which is made where it is defined: names mean there what they mean for the
    function, and not for its callers. Its parameters become variables here."""
    known: Signature | None = unit.signatures.get(callee.name)
    if known is not None:
        return known
    node = callee.definition
    declarations = expressions.declarations
    type_ = callee.type
    assert isinstance(type_, Function)
    listed = node.decl.type.args.params if node.decl.type.args is not None else []
    old_style = {d.name: d for d in node.param_decls or () if isinstance(d, c.Decl)}
    parameters: list[Object] = []
    with unit.scopes.block() as scope:
        for item in listed:
            if isinstance(item, c.ID) and item.name in old_style:
                parameters.append(declarations.parameter_object(old_style[item.name], item.name, callee.name))
            elif isinstance(item, c.ID):
                parameters.append(Object(item.name, unit.model.int_, position_of(item), callee.name))
            elif isinstance(item, c.Decl):
                parameters.append(declarations.parameter_object(item, item.name, callee.name))
            elif isinstance(item, c.Typename) and declarations.type(item) != VOID:
                parameters.append(declarations.parameter_object(item, f"unnamed{len(parameters)}", callee.name))
            if parameters:
                unit.scopes.bind(parameters[-1].name, parameters[-1])
    result = None
    if unit.cells(type_.result):
        result = Object(RESULT, type_.result, callee.position, callee.name)
    unit.signatures[callee.name] = made = Signature(type_, tuple(parameters), result, scope)
    return made
