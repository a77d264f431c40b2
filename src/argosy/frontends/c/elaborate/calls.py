"""Calls: who is called, with which arguments, and where the result is (C11 6.5.2.2)."""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast as c

from argosy.basics.records import dataclass
from argosy.frontends.c.checkpoints import CheckpointKind
from argosy.frontends.c.elaborate.assembler import assembler_code
from argosy.frontends.c.elaborate.bits import folded, is_folded
from argosy.frontends.c.elaborate.builtins import builtin_type
from argosy.frontends.c.elaborate.divisions import divided
from argosy.frontends.c.elaborate.folding import number
from argosy.frontends.c.elaborate.orders import Orders
from argosy.frontends.c.elaborate.spelled_out import spelled_out
from argosy.frontends.c.elaborate.variadic import VARIABLE_ARGUMENT, VariableArguments, listed_values
from argosy.frontends.c.elaborate.whole import Elaborated
from argosy.frontends.c.library import (
    CHOICE_PREFIX,
    CHOICES,
    IS_CONSTANT,
    OFFSETS,
    Role,
    overflow_operator,
    overflow_type,
    role,
)
from argosy.frontends.c.mathematics import FUNCTIONS
from argosy.frontends.c.original import Original
from argosy.frontends.c.render import render
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import RESULT, BlockScope, FunctionName, Object, Unit, complain, position_of
from argosy.frontends.c.tokens import ALIGNMENT, ASSEMBLED, ASSEMBLED_IN_MEMORY, ASSEMBLER, COMPATIBLE
from argosy.frontends.c.typed import (
    Calling,
    Contents,
    Expression,
    IntegerConstant,
    NextArgument,
    NoValue,
    ObjectPlace,
    PointerCalling,
    SizeOf,
)
from argosy.frontends.c.types import (
    VOID,
    Array,
    DataModel,
    Function,
    Integer,
    Pointer,
    StructureType,
    Type,
    Void,
    compatible,
)
from argosy.frontends.c.unsupported import Construct, error


@dataclass(frozen=True, slots=True)
class Shape:
    """What callers and the body of a defined function share. ``scope`` has what the list of parameters declares besides
    them, which is in view in the body."""

    type: Function
    parameters: tuple[Object, ...]
    result: Object | None
    scope: BlockScope


def choice_type(unit: Unit, name: str) -> Type | None:
    """The type of values that a choice gives, by its name or else by its declaration."""
    ending, model = name.removeprefix(CHOICE_PREFIX), unit.model
    if ending == "size_t":
        return model.size_type
    if ending in CHOICES:
        return _choice(model, CHOICES[ending])
    symbol = unit.scopes.find_global(name)
    return symbol.type.result if isinstance(symbol, FunctionName) and isinstance(symbol.type, Function) else None


def _choice(model: DataModel, plain: str | None) -> Type:
    if plain is None:
        return model.pointer(VOID)
    return model.floats[plain] if plain in model.floats else model[plain]


def is_generic(name: str) -> bool:
    """Whether arguments are given as they are, of whatever type."""
    known = FUNCTIONS.get(name)
    return known is not None and known.generic


class CallElaboration:
    def __init__(self, whole: Elaborated, orders: Orders) -> None:
        self._whole = whole
        self._orders = orders
        self._unit = whole.unit
        self._arithmetic = whole.arithmetic
        self._variable = VariableArguments(whole)

    # ---- who is called ------------------------------------------------------------------------------------

    def _callee(self, node: Node) -> FunctionName | None:
        """The function that a call names; None for a call through a pointer."""
        name = node.name
        while isinstance(name, c.UnaryOp) and name.op in "*&" and names_function(self._unit, name.expr):
            name = name.expr
        if not isinstance(name, c.ID):
            return None
        symbol = self._unit.scopes.find(name.name)
        if isinstance(symbol, FunctionName):
            return symbol
        return self._implicit(name) if symbol is None else None

    def _implicit(self, name: Node) -> FunctionName:
        """``int f()``, as before C99, unless compilers know it, or another file does."""
        known_elsewhere = self._unit.scopes.find_global(name.name)
        if isinstance(known_elsewhere, FunctionName):
            self._unit.note(f"implicit declaration: int {name.name}()", name.name)
            self._unit.scopes.bind_global(name.name, known_elsewhere)
            return known_elsewhere
        result: Type = self._unit.model.int_
        if role(name.name) is Role.CHOICE:
            result = choice_type(self._unit, name.name) or result
        elif role(name.name) is Role.EXPECT:
            result = self._unit.model["long"]
        elif role(name.name) is Role.EXTERNAL:
            self._unit.note(f"implicit declaration: int {name.name}()", name.name)
        known = builtin_type(self._unit.model, name.name)
        symbol = FunctionName(name.name, known or Function(result, None), position_of(name))
        self._unit.scopes.bind_global(name.name, symbol)
        return symbol

    # ---- the call -----------------------------------------------------------------------------------------

    def call(self, node: Node, wanted: bool) -> Expression:
        node.name = self._whole.selected(node.name)
        name = node.name.name if isinstance(node.name, c.ID) else ""
        if name in OFFSETS:
            return self._offset(node)
        listed = self._variable.call(name, node)
        if listed is not None:
            return listed
        if name == VARIABLE_ARGUMENT:
            return self._next_argument(node)
        if name == COMPATIBLE:
            return self._compatible(node)
        if name == ALIGNMENT:
            return self._whole.value(c.UnaryOp("_Alignof", node.args.exprs[0].expr, node.coord))
        if name in (ASSEMBLER, ASSEMBLED, ASSEMBLED_IN_MEMORY):
            self._whole.code.emit(assembler_code(self._whole, node))
            return NoValue(Original(node))
        if name == IS_CONSTANT and node.args is not None:
            return self._known_to_compilers(node)
        if is_folded(node) and (constant := self._of_bits(name, node)) is not None:
            return constant
        callee = self._callee(node)
        if callee is None:
            return self._through_pointer(node, wanted)
        if self._unit.spells_out and callee.name not in self._unit.definitions and self._whole.function:
            written = spelled_out(self._whole, callee, node)
            if written is not None and self._orders.are_open(node):
                self._orders.refuse(node)
            if written is not None:
                return self._whole.value(written)
            parts = None if self._orders.are_open(node) else divided(self._whole, callee, node)
            if parts is not None:
                return parts
        return self._direct(node, callee, wanted)

    def _known_to_compilers(self, node: Node) -> Expression:
        """``__builtin_constant_p`` looks at its operand and evaluates nothing of it. Every compiler knows what constant
        expressions are, and none takes what has effects for a constant; nor anything else where it needs the answer to
        compile. What else is one depends on optimisation: proofs are for both answers, counterexamples for neither."""
        operand, original = node.args.exprs[0], Original(node)
        if isinstance(operand, c.Constant) or self._whole.constant(operand) is not None:
            return self._arithmetic.integer(1, original)
        if not self._unit.evaluates or self._whole.effects.of(operand) is not None:
            return self._arithmetic.integer(0, original)
        callee = self._callee(node)
        assert callee is not None
        result = self._whole.temporary(self._unit.model.int_, node)
        self._whole.code.emit(Calling(callee, (), result, original))
        return self._result(result, node)

    def _of_bits(self, name: str, node: Node) -> Expression | None:
        """What compilers know of the bits of a constant."""
        type_ = builtin_type(self._unit.model, name)
        if type_ is None or not type_.parameters or len(node.args.exprs) != 1:
            return None
        parameter, result = type_.parameters[0], type_.result
        assert isinstance(parameter, Integer) and isinstance(result, Integer)
        given = number(self._unit.model, self._arithmetic.converted(self._whole.value(node.args.exprs[0]), parameter))
        value = None if given is None else folded(name, given, parameter.width)
        return None if value is None else IntegerConstant(value, result, Original(node))

    def _offset(self, node: Node) -> Expression:
        """The offset of a part of a structure, which the parser gives as a type and the way to it."""
        type_ = self._whole.declarations.type(node.args.exprs[0])
        way = node.args.exprs[1]
        found = self._way(type_, way)
        operator = f"__builtin_offsetof {render(way)}"
        return SizeOf(operator, type_, None if found is None else found[1], self._unit.model.size_type, Original(node))

    def _compatible(self, node: Node) -> Expression:
        """Whether two types are compatible, whatever their qualifiers (GCC's manual, 6.59)."""
        first, second = (self._whole.declarations.type(each.expr) for each in node.args.exprs)
        enumerations = [each.enumerators for each in (first, second) if isinstance(each, Integer) and each.enumerators]
        if len(enumerations) == 2 and enumerations[0] != enumerations[1]:
            raise error(position_of(node), "__builtin_types_compatible_p of two enumerations", Construct.TYPE)
        if isinstance(first, StructureType):
            return self._arithmetic.integer(int(first is second), Original(node))
        return self._arithmetic.integer(int(compatible(first, second)), Original(node))

    def _way(self, type_: Type, way: Node) -> tuple[Type, int] | None:
        """Type and offset of a part of a type; None where that is not known."""
        model = self._unit.model
        if isinstance(way, c.ID):
            outer, name = (type_, 0), way.name
        elif isinstance(way, c.StructRef):
            inner = self._way(type_, way.name)
            if inner is None:
                return None
            outer, name = inner, way.field.name
        elif isinstance(way, c.ArrayRef):
            inner, index = self._way(type_, way.name), self._whole.constant(way.subscript)
            if inner is None or index is None or not isinstance(inner[0], Array):
                return None
            size = model.size(inner[0].element)
            return None if size is None else (inner[0].element, inner[1] + index * size)
        else:
            return None
        if not isinstance(outer[0], StructureType):
            raise complain(way, f"no member {name} in {outer[0]}")
        member, offset = outer[0].member(name), model.offset(outer[0], name)
        if member is None:
            raise complain(way, f"no member {name} in {outer[0]}")
        return None if offset is None else (member, outer[1] + offset)

    def _next_argument(self, node: Node) -> Expression:
        type_ = self._whole.declarations.type(node.args.exprs[1])
        listed = self._whole.value(node.args.exprs[0])
        result = self._whole.temporary(type_, node)
        self._whole.code.emit(NextArgument(listed, result, Original(node)))
        return Contents(ObjectPlace(result, Original(node)), type_, Original(node))

    def _direct(self, node: Node, callee: FunctionName, wanted: bool) -> Expression:
        type_ = callee.type
        if not isinstance(type_, Function):
            raise complain(node, f"{render(node.name)} is not a function")
        values = self._evaluated(node)
        defined = callee.name in self._unit.definitions
        if not defined and role(callee.name) is Role.EXPECT and values:
            return self._arithmetic.converted(values[0], type_.result)
        result: Object | None = None
        if defined:
            shape: Shape = self._unit.signatures[callee.name]
            self._check_count(node, callee, shape, len(values))
            values = self._converted(values, tuple(p.type for p in shape.parameters))
            callee = self._unit.copy_of(callee, node, self._whole.function, values)
            result = self._unit.signatures[callee.name].result
        else:
            if overflow_operator(callee.name) is not None:
                values = self._exact_operands(callee.name, values)
            elif not is_generic(callee.name):
                values = self._converted(values, type_.parameters)
            if (wanted or id(node) in self._unit.points) and not isinstance(type_.result, Void):
                result = self._whole.temporary(type_.result, node)
        self._whole.witness_points(node, CheckpointKind.ENTER)
        more = [] if defined else listed_values(self._unit, self._whole.function, values)
        self._whole.code.emit(Calling(callee, (*values, *more), result, Original(node)))
        self._variable.forget(values, node)
        self._whole.witness_points(node, CheckpointKind.RETURN, result=result)
        return self._result(result, node)

    def _result(self, result: Object | None, node: Node) -> Expression:
        original = Original(node)
        return NoValue(original) if result is None else Contents(ObjectPlace(result, original), result.type, original)

    def _check_count(self, node: Node, callee: FunctionName, shape: Shape, given: int) -> None:
        needed = len(shape.parameters)
        if shape.type.parameters is not None and (given < needed or (given > needed and not shape.type.variadic)):
            raise complain(node, f"{callee.name} takes {needed} arguments, not {given}")

    def _converted(self, values: Sequence[Expression], parameters: Sequence[Type] | None) -> list[Expression]:
        """The arguments as the function gets them (6.5.2.2, 6 and 7)."""
        made = []
        for index, value in enumerate(values):
            if parameters is not None and index < len(parameters):
                made.append(self._arithmetic.converted(value, parameters[index]))
            else:
                made.append(self._arithmetic.passed(value))
        return made

    def _exact_operands(self, name: str, values: Sequence[Expression]) -> list[Expression]:
        """Of a builtin that tells overflows: none is promoted (GCC's manual, 6.56)."""
        type_ = overflow_type(name)
        if type_ is None:
            return list(values)
        own = self._unit.model[type_]
        return [*(self._arithmetic.converted(value, own) for value in values[:2]), *values[2:]]

    def _evaluated(self, node: Node) -> list[Expression]:
        """The arguments, left to right, each as it was before the effects of those to its right."""
        whole = self._whole
        arguments = node.args.exprs if node.args is not None else []
        if self._orders.are_open(node):
            return self._orders.values(arguments, node)
        values = []
        for index, argument in enumerate(arguments):
            later = whole.effects.of_all(arguments[index + 1 :])
            values.append(whole.protect(whole.value(argument), later, argument))
        return values

    def _through_pointer(self, node: Node, wanted: bool) -> Expression:
        whole = self._whole
        arguments = node.args.exprs if node.args is not None else []
        if self._orders.are_open(node):
            pointer, *given = self._orders.values((node.name, *arguments), node)
        else:
            pointer = whole.protect(whole.value(node.name), whole.effects.of_all(arguments), node.name)
            given = self._evaluated(node)
        type_: Type = pointer.type
        while isinstance(type_, Pointer):
            type_ = type_.target
        if not isinstance(type_, Function):
            raise complain(node, f"{render(node.name)} is not a function")
        values = self._converted(given, type_.parameters)
        result = None if isinstance(type_.result, Void) else whole.temporary(type_.result, node)
        whole.code.emit(PointerCalling(pointer, type_, tuple(values), result, Original(node)))
        return self._result(result, node)


def names_function(unit: Unit, node: Node) -> bool:
    while isinstance(node, c.UnaryOp) and node.op in "*&":
        node = node.expr
    return isinstance(node, c.ID) and isinstance(unit.scopes.find(node.name), FunctionName)


def shape_of(unit: Unit, callee: FunctionName, whole: Elaborated) -> Shape:
    """What a defined function looks like to its callers, made where it is defined: names mean there what they mean for
    the function, and not for its callers."""
    node = callee.definition
    declarations = whole.declarations
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
    if not isinstance(type_.result, Void):
        result = Object(RESULT, type_.result, callee.position, callee.name)
    unit.signatures[callee.name] = made = Shape(type_, tuple(parameters), result, scope)
    return made
