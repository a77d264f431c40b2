"""Expressions as C text, for people who read traces. Parentheses stand only where precedence needs them."""

from __future__ import annotations

from pycparser import c_ast as c

from argosy.frontends.c.signs import SIGN
from argosy.frontends.c.source import Node, is_elvis

_BINARY = {
    "*": 10, "/": 10, "%": 10, "+": 9, "-": 9, "<<": 8, ">>": 8, "<": 7, "<=": 7, ">": 7, ">=": 7,
    "==": 6, "!=": 6, "&": 5, "^": 4, "|": 3, "&&": 2, "||": 1, "...": 1,
}  # fmt: skip
_COMMA, _ASSIGN, _CONDITIONAL, _UNARY, _POSTFIX = -2, -1, 0, 11, 12
_LONGEST = 400


def render(node: Node) -> str:
    """The text of an expression, cut where it gets longer than a screen."""
    text = _text(node, _COMMA)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


def _text(node: Node, least: int) -> str:
    text, own = _parts(node)
    return text if own >= least else f"({text})"


def _parts(node: Node) -> tuple[str, int]:
    match node:
        case c.ID():
            return node.name.removeprefix(SIGN), _POSTFIX
        case c.Constant():
            return node.value, _POSTFIX
        case c.BinaryOp():
            own = _BINARY.get(node.op, 1)
            return f"{_text(node.left, own)} {node.op} {_text(node.right, own + 1)}", own
        case c.Assignment():
            return f"{_text(node.lvalue, _UNARY)} {node.op} {_text(node.rvalue, _ASSIGN)}", _ASSIGN
        case c.UnaryOp(op="p++" | "p--"):
            return f"{_text(node.expr, _POSTFIX)}{node.op[1:]}", _POSTFIX
        case c.UnaryOp():
            if node.op.isidentifier():
                return f"{node.op}({_text(node.expr, _COMMA)})", _UNARY
            inner = _text(node.expr, _UNARY)
            space = " " if inner[:1] == node.op[-1:] and node.op in "+-&" else ""
            return f"{node.op}{space}{inner}", _UNARY
        case c.FuncCall():
            arguments = node.args.exprs if node.args is not None else []
            return f"{_text(node.name, _POSTFIX)}({', '.join(_text(a, _ASSIGN) for a in arguments)})", _POSTFIX
        case c.TernaryOp():
            chosen = "" if is_elvis(node) else f" {_text(node.iftrue, _COMMA)} "
            return f"{_text(node.cond, 1)} ?{chosen}: {_text(node.iffalse, _CONDITIONAL)}", _CONDITIONAL
        case c.Cast():
            return f"({type_text(node.to_type)}) {_text(node.expr, _UNARY)}", _UNARY
        case c.ArrayRef():
            return f"{_text(node.name, _POSTFIX)}[{_text(node.subscript, _COMMA)}]", _POSTFIX
        case c.StructRef():
            return f"{_text(node.name, _POSTFIX)}{node.type}{node.field.name}", _POSTFIX
        case c.ExprList():
            return ", ".join(_text(e, _ASSIGN) for e in node.exprs), _COMMA
        case c.Typename():
            return type_text(node), _POSTFIX
        case c.Compound():
            return "({ ... })", _POSTFIX
        case c.InitList():
            return "{ ... }", _POSTFIX
    return "...", _POSTFIX


def type_text(node: Node) -> str:
    match node:
        case c.IdentifierType():
            return " ".join(node.names)
        case c.PtrDecl():
            return f"{type_text(node.type)} *"
        case c.ArrayDecl():
            return f"{type_text(node.type)} []"
        case c.FuncDecl():
            return f"{type_text(node.type)} ()"
        case c.Struct() | c.Union() | c.Enum():
            return f"{type(node).__name__.lower()} {node.name or '...'}"
        case c.Typename() | c.TypeDecl() | c.AttributedType():
            return type_text(node.type)
    return "..."
