"""Assembler code with operands (GCC's manual, 6.48.2), which the lexer gives as a call (``gnu``)."""

from __future__ import annotations

from pycparser import c_ast as c

from argosy.frontends.c.elaborate.whole import Elaborated
from argosy.frontends.c.library import ForeignReach
from argosy.frontends.c.original import Original
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import position_of
from argosy.frontends.c.tokens import ASSEMBLED_IN_MEMORY, ASSEMBLER
from argosy.frontends.c.tree import walk
from argosy.frontends.c.typed import AssemblerCode, AssemblerText, Expression


def assembler_code(whole: Elaborated, node: Node) -> AssemblerCode:
    """What code does that is given as a call. Memory beside its outputs is what functions without a body may change."""
    if node.args is None:
        return AssemblerCode((), (), None, False, Original(node))
    count, code, *rest = node.args.exprs
    if not rest:
        return AssemblerCode((), (), AssemblerText(_text(code), (), None), False, Original(node))
    confined = node.name.name != ASSEMBLER
    if node.name.name == ASSEMBLED_IN_MEMORY:
        confined = whole.unit.reach is ForeignReach.PURE
        if confined:
            line = position_of(node).line
            whole.unit.note(f"line {line}: assembler code changes its outputs only, as functions without a body do")
    constraints, operands, number = [_text(each) for each in rest[:-1:2]], rest[1:-1:2], int(count.value)
    outputs = tuple(whole.place(each) for each in operands[:number])
    inputs = tuple(_input(whole, each) for each in operands[number:])
    text = AssemblerText(_text(code), tuple(constraints), _text(rest[-1]))
    return AssemblerCode(outputs, inputs, text, confined, Original(node))


def _text(node: Node) -> str:
    """What was written, of which the lexer made a text in quotation marks."""
    return str(node.value[1:-1])


def _input(whole: Elaborated, node: Node) -> Expression:
    """Its value, evaluated here if that may have an effect or be undefined."""
    value = whole.value(node)
    if whole.effects.of(node) is not None:
        return whole.save(value, node)
    if not _is_plain(node):
        whole.keep(value, node)
    return value


def _is_plain(node: Node) -> bool:
    """Whether an input is a name, a member, an address or a constant: it has a value whatever happens."""
    return all(
        isinstance(part, c.ID | c.Constant)
        or (isinstance(part, c.UnaryOp) and part.op == "&")
        or (isinstance(part, c.StructRef) and part.type == ".")
        for part in walk(node)
    )
