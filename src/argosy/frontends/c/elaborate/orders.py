"""Operands in every order, where C leaves that open and it may matter (C11 6.5, 3; 6.5.2.2, 10).

Where the effects of operands meet (``sequencing``), an uninitialised object chooses between the orders. Each of them is
written down: its operands one after the other, each as a whole, into objects of their own. That C allows the parts of
two operands to take turns is not explored, which the ledger says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import factorial

from pycparser import c_ast as c

from argosy.frontends.c.elaborate.whole import Elaborated
from argosy.frontends.c.original import Original
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import Object, position_of
from argosy.frontends.c.tokens import MADE_UP
from argosy.frontends.c.tree import walk
from argosy.frontends.c.typed import (
    Assigning,
    BinaryOperation,
    Contents,
    Expression,
    IntegerConstant,
    Lifetime,
    ObjectPlace,
)
from argosy.frontends.c.unsupported import Construct, error

# How often an operand is written down at most, with all orders around it.
MOST_ORDERS = 48


class Orders:
    def __init__(self, whole: Elaborated) -> None:
        self._whole = whole
        self._around = 1

    def are_open(self, node: Node) -> bool:
        return id(node) in self._whole.unit.open_orders

    def values(self, operands: Sequence[Node], node: Node) -> list[Expression]:
        """The values of the operands of a node, which are evaluated in any order."""
        whole, saved = self._whole, dict[int, Object]()
        orders = list(permutations(range(len(operands)))) if factorial(len(operands)) <= MOST_ORDERS else []
        for number in self.arms(len(orders), node):
            for index in orders[number]:
                value, original = whole.value(operands[index]), Original(operands[index])
                kept = saved.setdefault(index, whole.temporary(value.type, operands[index]))
                whole.code.emit(Assigning(ObjectPlace(kept, original), value, original))
        made: list[Expression] = []
        for index, operand in enumerate(operands):
            original = Original(operand)
            made.append(Contents(ObjectPlace(saved[index], original), saved[index].type, original))
        return made

    def arms(self, count: int, node: Node) -> Iterator[int]:
        """One of some ways is taken; what is written down while a number is out belongs to that one."""
        whole, code, original = self._whole, self._whole.code, Original(node)
        repeated = any(isinstance(part, c.Label | c.Case | c.Default) for part in walk(node))
        if not 0 < count * self._around <= MOST_ORDERS or repeated:
            self.refuse(node)
        type_ = whole.unit.model["unsigned char"]
        chooser = Object(f"{MADE_UP}order", type_, position_of(node), whole.function)
        code.emit(Lifetime(chooser))
        whole.unit.explored_orders.add(id(node))
        self._around *= count
        join = code.point()
        for number in range(count):
            other = code.point()
            if number < count - 1:
                chosen = Contents(ObjectPlace(chooser, original), type_, original)
                equal = BinaryOperation(
                    "==", chosen, IntegerConstant(number, type_, original), whole.unit.model.int_, original
                )
                yes = code.point()
                code.branch(equal, yes, other, original)
                code.at(yes)
            yield number
            code.jump(join)
            if number < count - 1:
                code.at(other)
        code.at(join)
        self._around //= count

    def refuse(self, node: Node) -> None:
        raise error(position_of(node), "an expression whose order of evaluation matters", Construct.ORDER)
