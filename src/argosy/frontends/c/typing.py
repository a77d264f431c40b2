"""Types of expressions that are not evaluated: operands of ``sizeof``, ``typeof`` and ``_Generic``, arms of ``?:``.

Law: for an expression that is evaluated, this is the type of the value that the reader of expressions gives.
"""

from __future__ import annotations

from pycparser import c_ast as c

from argosy.frontends.c import literals
from argosy.frontends.c.declarations import decayed
from argosy.frontends.c.render import render
from argosy.frontends.c.source import Node, is_elvis
from argosy.frontends.c.symbols import Enumerator, FunctionName, Object, complain
from argosy.frontends.c.types import UNQUALIFIED, VOID, Array, Integer, Pointer, StructureType, Type, Void
from argosy.frontends.c.whole import Whole

_TO_INT = frozenset(("<", ">", "<=", ">=", "==", "!=", "&&", "||"))


class Typing:
    def __init__(self, expressions: Whole) -> None:
        self._expressions = expressions
        self._unit = expressions.unit
        self._model = expressions.unit.model

    def of(self, node: Node) -> Type:
        """The type of the expression's value: arrays and functions are pointers by then."""
        type_ = self.undecayed(node)
        return decayed(self._unit, type_, self.qualifiers(node) if isinstance(type_, Array) else UNQUALIFIED)

    def qualifiers(self, node: Node) -> frozenset[str]:
        """Those of the lvalue that an expression is; a value has none (6.3.2.1, 2)."""
        match node:
            case c.ID():
                symbol = self._unit.scopes.find(node.name)
                return symbol.qualifiers if isinstance(symbol, Object) else UNQUALIFIED
            case c.UnaryOp(op="*"):
                return _of_target(self.of(node.expr))
            case c.ArrayRef():
                return _of_target(self.of(node.name)) | _of_target(self.of(node.subscript))
            case c.StructRef():
                inner = self.of(node.name)
                outer = _of_target(inner) if node.type == "->" else self.qualifiers(node.name)
                record = inner.target if node.type == "->" and isinstance(inner, Pointer) else inner
                own = record.qualifiers_of(node.field.name) if isinstance(record, StructureType) else UNQUALIFIED
                return outer | own
            case c.CompoundLiteral():
                return self._expressions.declarations.qualifiers(node.type)
            case c.GenericSelection():
                return self.qualifiers(self.selected(node))
        return UNQUALIFIED

    def undecayed(self, node: Node) -> Type:
        match node:
            case c.ID():
                return self._name(node)
            case c.Constant():
                return self._constant(node)
            case c.UnaryOp():
                return self._unary(node)
            case c.BinaryOp():
                return self._binary(node)
            case c.Assignment():
                return self.undecayed(node.lvalue)
            case c.TernaryOp():
                first = node.cond if is_elvis(node) else node.iftrue
                return self.conditional(self.of(first), self.of(node.iffalse), first, node.iffalse)
            case c.Cast():
                return self._expressions.declarations.type(node.to_type)
            case c.CompoundLiteral():
                declarations = self._expressions.declarations
                return declarations.completed(declarations.type(node.type), node)
            case c.FuncCall():
                return self._expressions.calls.result_type(node)
            case c.ArrayRef():
                return self._target(self.of(node.name), self.of(node.subscript), node)
            case c.StructRef():
                return self._member(node)
            case c.ExprList():
                return self.of(node.exprs[-1])
            case c.GenericSelection():
                return self.undecayed(self.selected(node))
            case c.Compound():
                return self._statements(node)
            case c.InitList() if len(node.exprs or ()) == 1:
                return self.of(node.exprs[0])
        raise complain(node, f"no type for {render(node)}")

    def conditional(self, a: Type, b: Type, first: Node, second: Node) -> Type:
        """The type of ``c ? a : b``: a pointer to ``void`` wins, unless it is a null pointer constant (6.5.15, 6)."""
        type_ = self._expressions.operators.conditional_type(a, b)
        if isinstance(a, Pointer) and isinstance(b, Pointer):
            for own, node in ((a, first), (b, second)):
                if isinstance(own.target, Void) and not self._is_null(node):
                    return self._model.pointer(VOID, a.qualifiers | b.qualifiers)
        return type_

    def _is_null(self, node: Node) -> bool:
        """Is this a null pointer constant (6.3.2.3, 3)?"""
        plain = self._model.pointer(VOID)
        while isinstance(node, c.Cast) and self._expressions.declarations.type(node.to_type) == plain:
            node = node.expr
        return isinstance(self.of(node), Integer) and self._expressions.constant(node) == 0

    def _name(self, node: Node) -> Type:
        symbol = self._unit.scopes.find(node.name)
        match symbol:
            case Object() | FunctionName() | Enumerator():
                return symbol.type
        if node.name in literals.FUNCTION_NAMES:
            return Array(self._model["char"], None)
        return self._expressions.value(node).type

    def _constant(self, node: Node) -> Type:
        if node.value.endswith('"'):
            return literals.string_type(node, self._model)
        number = literals.number(node, self._model)
        return literals.float_type(node, self._model) if number is None else number[1]

    def _unary(self, node: Node) -> Type:
        match node.op:
            case "&":
                return self._model.pointer(self.undecayed(node.expr), self.qualifiers(node.expr))
            case "*":
                return self._target(self.of(node.expr), self._model.int_, node)
            case "!":
                return self._model.int_
            case "++" | "--" | "p++" | "p--":
                return self.undecayed(node.expr)
            case "-" | "+" | "~":
                type_ = self.of(node.expr)
                return self._model.promote(type_) if isinstance(type_, Integer) else type_
        return self._model.size_type

    def _binary(self, node: Node) -> Type:
        if node.op in _TO_INT:
            return self._model.int_
        left, right = self.of(node.left), self.of(node.right)
        if node.op in ("<<", ">>"):
            return self._model.promote(left) if isinstance(left, Integer) else left
        if isinstance(left, Pointer) and isinstance(right, Pointer):
            return self._model.difference_type
        return self._expressions.operators.common_type(left, right)

    def _target(self, base: Type, index: Type, node: Node) -> Type:
        pointer = base if isinstance(base, Pointer) else index
        if not isinstance(pointer, Pointer):
            raise complain(node, f"{render(node)}: not a pointer")
        return pointer.target

    def _member(self, node: Node) -> Type:
        record = self.of(node.name)
        if node.type == "->" and isinstance(record, Pointer):
            record = record.target
        member = record.member(node.field.name) if isinstance(record, StructureType) else None
        if member is None:
            raise complain(node, f"no member {node.field.name} in {record}")
        return member

    def _statements(self, node: Node) -> Type:
        """The type of a statement expression: of its last statement, with the declarations before it in view."""
        items = node.block_items or []
        if not items:
            return VOID
        with self._unit.scopes.block():
            for item in items[:-1]:
                if isinstance(item, c.Decl):
                    self._expressions.declarations.declare(item, self._expressions.function)
                elif isinstance(item, c.Typedef):
                    self._expressions.declarations.typedef(item)
            last = items[-1]
            return self.of(last) if is_expression(last) else VOID

    def selected(self, node: Node) -> Node:
        """The expression that a generic selection chooses (6.5.1.1)."""
        type_, declarations = self.of(node.expr), self._expressions.declarations
        for association in node.associations:
            if association.type is None or declarations.qualifiers(association.type):
                continue
            if declarations.type(association.type) == type_:
                return association.expr
        for association in node.associations:
            if association.type is None:
                return association.expr
        raise complain(node, f"no association for {type_}")


def _of_target(type_: Type) -> frozenset[str]:
    return type_.qualifiers if isinstance(type_, Pointer) else UNQUALIFIED


_EXPRESSIONS = (
    c.ID, c.Constant, c.UnaryOp, c.BinaryOp, c.Assignment, c.TernaryOp, c.Cast, c.CompoundLiteral, c.FuncCall,
    c.ArrayRef, c.StructRef, c.ExprList, c.GenericSelection,
)  # fmt: skip


def is_expression(node: Node) -> bool:
    return isinstance(node, _EXPRESSIONS)
