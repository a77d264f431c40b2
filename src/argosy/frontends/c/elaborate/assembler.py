"""Assembler code with operands (GCC's manual, 6.48.2), which the lexer gives as a call (``gnu``)."""

from __future__ import annotations

import re

from pycparser import c_ast as c

from argosy.frontends.c.elaborate.whole import Elaborated
from argosy.frontends.c.library import ForeignReach
from argosy.frontends.c.original import Original
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import Unit, position_of
from argosy.frontends.c.tokens import ASSEMBLED, ASSEMBLED_IN_MEMORY
from argosy.frontends.c.tree import walk
from argosy.frontends.c.typed import AssemblerCode, AssemblerText, Expression


def assembler_code(whole: Elaborated, node: Node) -> AssemblerCode:
    """What code does that is given as a call. Memory beside its outputs is what functions without a body may change, if
    it names none of the program's objects and functions and is not told where its inputs lie."""
    if node.args is None:
        return AssemblerCode((), (), None, None, Original(node))
    unit, line = whole.unit, position_of(node).line
    count, code, *rest = node.args.exprs
    constraints, operands, number = [_text(each) for each in rest[:-1:2]], rest[1:-1:2], int(count.value)
    reach: ForeignReach | None = ForeignReach.PURE
    if node.name.name != ASSEMBLED:
        named = any(_names(unit, word) for word in _NAME.findall(_text(code)))
        told = any(not _MEMORY.isdisjoint(_words(each)) for each in constraints[number:])
        by_convention = unit.reach is ForeignReach.PURE and node.name.name == ASSEMBLED_IN_MEMORY
        reach = unit.reach if by_convention or not (named or told) else None
        changes = "its outputs only" if reach is ForeignReach.PURE else "its outputs and what it can reach"
        if reach is not None:
            unit.note(f"line {line}: assembler code changes {changes}, as functions without a body do, and goes on")
    outputs = tuple(whole.place(each) for each in operands[:number])
    inputs = tuple(_input(whole, each) for each in operands[number:])
    text = AssemblerText(_text(code), tuple(constraints), _text(rest[-1]) if rest else None)
    return AssemblerCode(outputs, inputs, text, reach, Original(node))


# Names that code may use; a variable inside of a function has a number behind its name, which is refused.
_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:\.[\w.$]+)?")
# Constraints of operands in memory (GCC's manual, 6.48.3).
_MEMORY = frozenset("moVgX<>")


def _names(unit: Unit, word: str) -> bool:
    """Whether a word of the code may be an object or a function of the program."""
    if "." in word:
        return word.rpartition(".")[2].isdigit()
    return any(unit.scopes.find_global(each) is not None for each in (word, word.removeprefix("_")))


def _words(constraint: str) -> str:
    """The letters of a constraint, without a name before it."""
    return constraint.rpartition("]")[2]


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
