"""Initialisers in braces: which expression goes to which part of an object (C11 6.7.9).

Braces around parts may be left out, designators go on from where they lead, a text initialises an array of
characters. What no item names is zero.
"""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast as c

from argosy.frontends.c import literals
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import complain
from argosy.frontends.c.types import Array, Integer, StructureType, Type
from argosy.frontends.c.whole import InitialiserItem, Whole


class Initialisers:
    def __init__(self, expressions: Whole) -> None:
        self._expressions = expressions
        self._model = expressions.unit.model

    def items(self, type_: Type, node: Node) -> Iterator[InitialiserItem]:
        """The items of an initialiser for an object of this type, in the order of the text. Where one for a whole part
        follows others for the same part, those do not count (6.7.9, 19)."""
        found: list[InitialiserItem] = []
        last = -1
        for item in self._fill(type_, 0, node):
            size = self._model.size(item.type)
            if item.value is not None:
                found.append(item)
                last = max(last, item.offset or 0)
            elif item.offset is not None and item.offset <= last and size is not None:
                end = item.offset + size
                found = [f for f in found if f.offset is None or not item.offset <= f.offset < end]
        yield from found

    def length(self, element: Type, node: Node) -> int | None:
        """How many elements an array without a length has by its initialiser (6.7.9, 22)."""
        text = _text(Array(element, None), node)
        if text is not None:
            return literals.string_type(text, self._model).length
        if not isinstance(node, c.InitList):
            return None
        size = self._model.size(element)
        if not size:
            return None
        items = self.items(Array(element, None), node)
        return max((0 if item.offset is None else item.offset // size + 1 for item in items), default=0)

    def _fill(self, type_: Type, offset: int | None, node: Node) -> Iterator[InitialiserItem]:
        if isinstance(type_, Array | StructureType):
            yield InitialiserItem(offset, type_, None)
        text = _text(type_, node)
        if text is not None and isinstance(type_, Array) and isinstance(type_.element, Integer):
            codes = literals.codes(text)
            size = self._model.size(type_.element) or 1
            for number, code in enumerate(codes if type_.length is None else codes[: type_.length]):
                yield InitialiserItem(None if offset is None else offset + number * size, type_.element, code)
        elif isinstance(type_, Array | StructureType) and isinstance(node, c.InitList):
            rest = list(reversed(node.exprs or ()))
            yield from self._list(type_, offset, rest, True)
            if rest:
                raise complain(rest[-1], f"too many values for {type_}")
        elif isinstance(node, c.InitList):
            if len(node.exprs or ()) != 1:
                raise complain(node, "a list where a value is needed")
            yield from self._fill(type_, offset, node.exprs[0])
        else:
            yield InitialiserItem(offset, type_, node)

    def _list(
        self, type_: Array | StructureType, offset: int | None, rest: list[Node], braced: bool, at: int = 0
    ) -> Iterator[InitialiserItem]:
        """Items for the parts of an aggregate, one after the other from part ``at``; ``rest`` has the next one last."""
        while rest:
            item = rest[-1]
            if isinstance(item, c.NamedInitializer):
                if not braced:
                    return
                rest.pop()
                path = self._path(type_, item)
                yield from self._designated(type_, offset, path, item, rest)
                at = path[0]
            else:
                part = self._part(type_, offset, at)
                if part is None or (isinstance(type_, StructureType) and type_.kind == "union" and at > 0):
                    return
                if self._takes_one(part[0], item):
                    rest.pop()
                    yield from self._fill(*part, item)
                else:
                    inner, start = part
                    assert isinstance(inner, Array | StructureType)
                    before = len(rest)
                    yield from self._list(inner, start, rest, False)
                    if len(rest) == before:
                        raise complain(item, f"no value for {inner}")
            at += 1
            if isinstance(type_, StructureType) and type_.kind == "union" and not braced:
                return

    def _designated(
        self, type_: Array | StructureType, offset: int | None, path: list[int], item: Node, rest: list[Node]
    ) -> Iterator[InitialiserItem]:
        """The item at the end of a path, and those that follow it inside."""
        part = self._part(type_, offset, path[0])
        if part is None:
            raise complain(item, f"no such part of {type_}")
        inner, start = part
        if len(path) == 1:
            yield from self._fill(inner, start, item.expr)
            return
        assert isinstance(inner, Array | StructureType)
        yield from self._designated(inner, start, path[1:], item, rest)
        yield from self._list(inner, start, rest, False, path[1] + 1)

    def _path(self, type_: Type, item: Node) -> list[int]:
        """The numbers of the parts that designators lead through, anonymous structures included."""
        path: list[int] = []
        for designator in item.name:
            for number in self._steps(type_, designator):
                path.append(number)
                part = self._part(type_, 0, number)
                if part is None:
                    raise complain(item, f"no such part of {type_}")
                type_ = part[0]
        return path

    def _steps(self, type_: Type, designator: Node) -> list[int]:
        if isinstance(type_, StructureType) and isinstance(designator, c.ID):
            for number, (name, member) in enumerate(type_.members or ()):
                if name == designator.name:
                    return [number]
                if not name and isinstance(member, StructureType) and member.member(designator.name) is not None:
                    return [number, *self._steps(member, designator)]
            raise complain(designator, f"no member {designator.name} in {type_}")
        number_node = designator.expr if isinstance(designator, c.ArrayDesignator) else designator
        index = self._expressions.constant(number_node) if isinstance(type_, Array) else None
        if index is None or index < 0:
            raise complain(designator, f"no such part of {type_}")
        return [index]

    def _takes_one(self, type_: Type, item: Node) -> bool:
        """Whether one item initialises the whole part."""
        if (
            not isinstance(type_, Array | StructureType)
            or isinstance(item, c.InitList)
            or _text(type_, item) is not None
        ):
            return True
        return isinstance(type_, StructureType) and self._expressions.typing.of(item) is type_

    def _part(self, type_: Type, offset: int | None, index: int) -> tuple[Type, int | None] | None:
        """Type and offset of a part, None behind the last one."""
        if isinstance(type_, Array):
            size = self._model.size(type_.element)
            if type_.length is not None and index >= type_.length:
                return None
            return type_.element, None if offset is None or size is None else offset + index * size
        if not isinstance(type_, StructureType) or index >= len(type_.members or ()):
            return None
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
