"""Expressions that are not evaluated: operands of ``sizeof``, ``typeof`` and ``_Generic`` have a type and no effect."""

from __future__ import annotations

from pycparser import c_ast as c

from argosy.frontends.c import literals
from argosy.frontends.c.elaborate.arithmetic import is_bit_field_type
from argosy.frontends.c.elaborate.rows import elements, is_measured
from argosy.frontends.c.elaborate.spelled_out import written_out
from argosy.frontends.c.elaborate.whole import Elaborated
from argosy.frontends.c.original import Original
from argosy.frontends.c.render import render
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import FunctionName, Object, complain, position_of
from argosy.frontends.c.tokens import as_written
from argosy.frontends.c.typed import Expression, IntegerConstant, SizeOf
from argosy.frontends.c.types import CONSTANT, UNQUALIFIED, Array, Pointer, Type, has_list
from argosy.frontends.c.unsupported import Construct, error

_LVALUES = (c.ArrayRef, c.StructRef, c.CompoundLiteral)


class Unevaluated:
    def __init__(self, whole: Elaborated) -> None:
        self._whole = whole
        self._unit = whole.unit

    def operand(self, node: Node) -> tuple[Type, frozenset[str]]:
        """Type and qualifiers of an expression that is not evaluated; arrays and functions stay what they are."""
        node = self._whole.selected(node)
        if isinstance(node, c.ID):
            symbol = self._unit.scopes.find(node.name)
            if isinstance(symbol, FunctionName):
                return symbol.type, UNQUALIFIED
            if isinstance(symbol, Object):
                return symbol.type, symbol.qualifiers
            if symbol is None and node.name in literals.FUNCTION_NAMES:
                return Array(self._unit.model["char"], len(as_written(self._whole.function)) + 1), CONSTANT
        with self._unit.unevaluated(), self._whole.code.aside():
            is_text = isinstance(node, c.Constant) and node.value.endswith('"')
            if isinstance(node, _LVALUES) or is_text or (isinstance(node, c.UnaryOp) and node.op == "*"):
                place = self._whole.place(node)
                return place.type, place.qualifiers if self._is_lvalue(node) else UNQUALIFIED
            return self._whole.value(node).type, UNQUALIFIED

    def _is_lvalue(self, node: Node) -> bool:
        """Members of what is only a value are none, and not as qualified as what the value was read from."""
        node = self._whole.selected(node)
        if isinstance(node, c.StructRef) and node.type == ".":
            return self._is_lvalue(node.name)
        return isinstance(node, (c.ID, c.Constant, c.UnaryOp, *_LVALUES))

    def type_of(self, node: Node) -> Type:
        return self.operand(node)[0]

    def qualifiers_of(self, node: Node) -> frozenset[str]:
        return self.operand(node)[1]

    def selected(self, node: Node) -> Node:
        """The expression that a generic selection chooses (6.5.1.1)."""
        with self._unit.unevaluated(), self._whole.code.aside():
            type_ = self._whole.value(node.expr).type
        for association in node.associations:
            if association.type is None or self._whole.declarations.qualifiers(association.type):
                continue
            if self._whole.declarations.type(association.type) == type_:
                return association.expr
        for association in node.associations:
            if association.type is None:
                return association.expr
        if isinstance(type_, Pointer) and isinstance(type_.target, Array) and type_.target.length is None:
            raise complain(node, "the choice needs a number that is constant")
        raise complain(node, f"no association for {type_}")

    def alignment(self, node: Node) -> Expression:
        """``_Alignof`` of a type, and ``__alignof__``, which may be of an object that an attribute aligns."""
        named, model = isinstance(node.expr, c.Typename), self._unit.model
        type_ = self._whole.declarations.type(node.expr) if named else self.type_of(node.expr)
        layout = model.layout(type_)
        needed = None if layout is None else layout[1]
        found = needed if node.op == "_Alignof" else model.preferred_alignment(type_)
        lexed, is_object = self._unit.lexed, isinstance(node.expr, c.ID)
        symbol = self._unit.scopes.find(node.expr.name) if is_object else None
        said = symbol.alignment if isinstance(symbol, Object) else None
        aligned = lexed.layout is not None or lexed.aligned or (lexed.aligned_member and not is_object)
        if said is not None and lexed.layout is None:
            found = said or None
        elif not named and (found != needed or aligned):
            found = None
        by_name = self._whole.declarations.alignment_by_name(node.expr) if named else None
        if by_name is not None:
            found = by_name or None
        return SizeOf(node.op, type_, found, model.size_type, Original(node))

    def _is_own(self, node: Node) -> bool:
        """Whether an expression names an object that is no parameter."""
        symbol = self._unit.scopes.find(node.name) if isinstance(node, c.ID) else None
        shape = self._unit.signatures.get(self._whole.function)
        return isinstance(symbol, Object) and (shape is None or symbol not in shape.parameters)

    def _declared(self, operand: Node, node: Node) -> Node | None:
        """The size of an array of variable length that has no name: that of one that has, whose lengths are evaluated
        where control gets there (6.5.3.4, 2)."""
        lengths, inner = list[Node](), operand.type
        while isinstance(inner, c.ArrayDecl) and inner.dim is not None:
            lengths.append(inner.dim)
            inner = inner.type
        if not lengths or not isinstance(inner, c.TypeDecl | c.PtrDecl):
            return None
        given = {f"A{number}": each for number, each in enumerate(lengths, 1)}
        given["A0"] = c.Typename(None, [], None, inner, operand.coord)
        self._unit.made_up[id(given["A0"])] = given["A0"]
        brackets = "".join(f"[A{number}]" for number in range(1, len(lengths) + 1))
        text = f"({{ __typeof__(A0) __argosy_sized{brackets}; sizeof __argosy_sized; }})"
        return written_out(self._whole, text, given, node)

    def _product(self, symbol: Object, node: Node) -> Expression:
        """The size of an array of variable length: the lengths that it began with, times the size of an element."""
        element, arithmetic, model = symbol.type, self._whole.arithmetic, self._unit.model
        for _ in symbol.lengths:
            assert isinstance(element, Array)
            element = element.element
        size = model.size(element)
        if size is None:
            raise error(position_of(node), render(node), Construct.LENGTH)
        product: Expression = IntegerConstant(size, model.size_type, Original(node))
        for length in symbol.lengths:
            product = arithmetic.binary("*", product, arithmetic.converted(length, model.size_type), Original(node))
        return product

    def _measured(self, type_: Type, node: Node) -> Expression:
        """The size of an array that a pointer leads to which knows its lengths."""
        model, original = self._unit.model, Original(node)
        count, element = elements(model, type_, original)
        size = model.size(element)
        if size is None:
            raise error(position_of(node), render(node), Construct.LENGTH)
        converted = self._whole.arithmetic.converted(count, model.size_type)
        factor = IntegerConstant(size, model.size_type, original)
        return self._whole.arithmetic.binary("*", factor, converted, original)

    def _hidden(self, operand: Node) -> Node:
        """In ``int T = sizeof(T);`` the name is that of the object already (6.2.1, 7), and no type any more."""
        inner = operand.type.type if isinstance(operand, c.Typename) and isinstance(operand.type, c.TypeDecl) else None
        if not isinstance(inner, c.IdentifierType) or len(inner.names) != 1:
            return operand
        symbol = self._unit.scopes.find(inner.names[0])
        return c.ID(inner.names[0], operand.coord) if isinstance(symbol, Object) else operand

    def size(self, node: Node) -> Expression:
        operand = self._hidden(node.expr)
        named = isinstance(operand, c.Typename)
        type_ = self._whole.declarations.type(operand) if named else self.type_of(operand)
        if not named and is_bit_field_type(type_) and isinstance(operand, c.StructRef):
            raise complain(node, f"a bit field has no size: {render(operand)}")
        size = self._unit.model.size(type_)
        if named and size is None and self._whole.function:
            array = self._declared(operand, node)
            if array is not None:
                return self._whole.value(array)
        if named:
            self._whole.lengths(operand)
        if has_list(type_) and self._unit.model.pointer_width == 64:
            # By the System V ABI a list is an array of 24 bytes, and as a parameter a pointer.
            size = None if isinstance(type_, Array) or not (named or self._is_own(operand)) else 24
        if size is None and isinstance(operand, c.ID):
            symbol = self._unit.scopes.find(operand.name)
            if isinstance(symbol, Object) and symbol.lengths:
                return self._product(symbol, node)
        if size is None and is_measured(type_) and self._whole.effects.of(operand) is None:
            return self._measured(type_, node)
        if size is None and not named and self._whole.effects.of(operand) is not None:
            raise error(position_of(node), f"{render(node)}, which is evaluated", Construct.LENGTH)
        return SizeOf("sizeof", type_, size, self._unit.model.size_type, Original(node))
