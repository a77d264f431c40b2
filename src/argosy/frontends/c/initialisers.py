"""Initialisers in braces: which expression goes to which part of an object (C11 6.7.9).

Braces around parts may be left out, designators go on from where they lead, a text initialises an array of
characters. What no item names is zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pycparser import c_ast as c

from argosy.frontends.c import literals
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import complain, position_of
from argosy.frontends.c.types import Array, Integer, Record, Type
from argosy.frontends.errors import UnsupportedError

if TYPE_CHECKING:
    from argosy.frontends.c.expressions import Expressions


@dataclass(frozen=True, slots=True)
class Item:
    """``value`` is an expression, or the code of a character in a text. ``offset`` is None where it is not known."""

    offset: int | None
    type: Type
    value: Node | int


class Initialisers:
    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        self._model = expressions.unit.model

    def items(self, type_: Type, node: Node) -> Iterator[Item]:
        """The items of an initialiser for an object of this type, in the order of the text."""
        yield from self._fill(type_, 0, node)

    def length(self, element: Type, node: Node) -> int | None:
        """How many elements an array without a length has by its initialiser (6.7.9, 22)."""
        text = _text(Array(element, None), node)
        if text is not None:
            return literals.string_type(text.value, self._model).length
        if not isinstance(node, c.InitList):
            return None
        size = self._model.size(element)
        if not size:
            return None
        items = self.items(Array(element, None), node)
        return max((0 if item.offset is None else item.offset // size + 1 for item in items), default=0)

    def _fill(self, type_: Type, offset: int | None, node: Node) -> Iterator[Item]:
        text = _text(type_, node)
        if text is not None and isinstance(type_, Array) and isinstance(type_.element, Integer):
            codes = literals.codes(text.value)
            size = self._model.size(type_.element) or 1
            for number, code in enumerate(codes if type_.length is None else codes[: type_.length]):
                yield Item(None if offset is None else offset + number * size, type_.element, code)
        elif isinstance(type_, Array | Record) and isinstance(node, c.InitList):
            rest = list(reversed(node.exprs or ()))
            yield from self._list(type_, offset, rest, True)
            if rest:
                raise complain(rest[-1], f"too many values for {type_}")
        elif isinstance(node, c.InitList):
            if len(node.exprs or ()) != 1:
                raise complain(node, "a list where a value is needed")
            yield from self._fill(type_, offset, node.exprs[0])
        else:
            yield Item(offset, type_, node)

    def _list(self, type_: Array | Record, offset: int | None, rest: list[Node], braced: bool) -> Iterator[Item]:
        """Items for the parts of an aggregate, one after the other; ``rest`` has the next one last."""
        at = 0
        nested = False
        while rest:
            item = rest[-1]
            if isinstance(item, c.NamedInitializer):
                if not braced:
                    return
                at = self._designated(type_, item.name[0])
                part = self._part(type_, offset, at)
                if part is None:
                    raise complain(item, "no such part")
                for designator in item.name[1:]:
                    part = self._part(part[0], part[1], self._designated(part[0], designator))
                    if part is None:
                        raise complain(item, "no such part")
                nested = len(item.name) > 1
                rest.pop()
                yield from self._fill(*part, item.expr)
            else:
                part = self._part(type_, offset, at)
                if part is None:
                    return
                if nested:
                    raise UnsupportedError(position_of(item), "a value after a designator of several steps")
                if self._takes_one(part[0], item):
                    rest.pop()
                    yield from self._fill(*part, item)
                else:
                    inner, start = part
                    assert isinstance(inner, Array | Record)
                    before = len(rest)
                    yield from self._list(inner, start, rest, False)
                    if len(rest) == before:
                        raise complain(item, f"no value for {inner}")
            at += 1
            if isinstance(type_, Record) and type_.kind == "union" and not braced:
                return

    def _takes_one(self, type_: Type, item: Node) -> bool:
        """Whether one item initialises the whole part."""
        if not isinstance(type_, Array | Record) or isinstance(item, c.InitList) or _text(type_, item) is not None:
            return True
        return isinstance(type_, Record) and self._expressions.typing.of(item) is type_

    def _designated(self, type_: Type, designator: Node) -> int:
        if isinstance(type_, Record) and isinstance(designator, c.ID):
            for at, (name, member) in enumerate(type_.members or ()):
                if name == designator.name:
                    return at
                if not name and isinstance(member, Record) and member.member(designator.name) is not None:
                    raise UnsupportedError(position_of(designator), "a designator inside an anonymous structure")
            raise complain(designator, f"no member {designator.name} in {type_}")
        number = designator.expr if isinstance(designator, c.ArrayDesignator) else designator
        index = self._expressions.constant(number) if isinstance(type_, Array) else None
        if index is None or index < 0:
            raise complain(designator, f"no such part of {type_}")
        return index

    def _part(self, type_: Type, offset: int | None, index: int) -> tuple[Type, int | None] | None:
        """Type and offset of a part, None behind the last one."""
        if isinstance(type_, Array):
            size = self._model.size(type_.element)
            if type_.length is not None and index >= type_.length:
                return None
            return type_.element, None if offset is None or size is None else offset + index * size
        if not isinstance(type_, Record) or index >= len(type_.members or ()):
            return None
        if type_.kind == "union" and index > 0:
            offset = None  # only the first member counts, unless one is designated; none of them is modelled
        laid_out = self._model.members(type_)
        member = (type_.members or ())[index][1]
        return member, None if laid_out is None or offset is None else offset + laid_out[index][2]


def _text(type_: Type, node: Node) -> Node | None:
    """The text that initialises an array of characters, in braces or not (6.7.9, 14)."""
    if not isinstance(type_, Array) or not isinstance(type_.element, Integer):
        return None
    if isinstance(node, c.InitList) and len(node.exprs or ()) == 1:
        node = node.exprs[0]
    is_text = isinstance(node, c.Constant) and (node.type == "string" or node.value.endswith('"'))
    return node if is_text else None
