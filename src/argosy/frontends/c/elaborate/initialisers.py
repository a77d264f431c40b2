"""Initialisers in braces: which expression goes to which part of an object (C11 6.7.9).

Braces around parts may be left out, designators go on from where they lead, a text initialises an array of
characters. What no item names is zero.
"""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast as c

from argosy.basics.records import dataclass
from argosy.frontends.c import literals
from argosy.frontends.c.elaborate.whole import Elaborated
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import complain, position_of
from argosy.frontends.c.typed import ElementPlace, IntegerConstant, MemberPlace, ObjectPlace, Place
from argosy.frontends.c.types import Array, Integer, StructureType, Type, Vector
from argosy.frontends.c.unsupported import Construct, error

# The way to a part: the numbers of elements and members.
_Path = tuple[int, ...]
_Given = tuple[_Path, int | None, Type, Node | int | None]


@dataclass(frozen=True, slots=True)
class GivenPart:
    """A part of a ``whole`` that an initialiser gives; ``value`` is an expression, or the code of a character in a
    text; None says that the part begins anew. ``offset`` is None where it is not known."""

    whole: Place
    path: _Path
    offset: int | None
    type: Type
    value: Node | int | None
    index_type: Integer

    def place(self) -> Place:
        place, type_, original = self.whole, self.whole.type, self.whole.original
        for number in self.path:
            if isinstance(type_, Array):
                index = IntegerConstant(number, self.index_type, original)
                type_ = type_.element
                place = ElementPlace(place, index, type_, place.qualifiers, original)
                continue
            assert isinstance(type_, StructureType)
            name, member = (type_.members or [])[number]
            if name:
                qualifiers = place.qualifiers | type_.qualifiers_of(name)
                place = MemberPlace(place, name, member, qualifiers, original, type_.is_bit_field(name))
            type_ = member
        return place

    def path_text(self) -> str:
        text, type_ = "", self.whole.type
        for number in self.path:
            if isinstance(type_, Array):
                text, type_ = f"{text}[{number}]", type_.element
            else:
                assert isinstance(type_, StructureType)
                name, type_ = (type_.members or [])[number]
                text = f"{text}.{name}" if name else text
        return text


class InitialiserLists:
    def __init__(self, whole: Elaborated) -> None:
        self._whole = whole
        self._model = whole.unit.model

    def items(self, whole: Place, node: Node) -> Iterator[GivenPart]:
        """The items of an initialiser for a place, in the order of the text. Where one for a whole part follows others
        for the same part, those do not count (6.7.9, 19)."""
        found: list[GivenPart] = []
        last, whole_to = -1, 0
        for path, offset, type_, value in self._fill(whole.type, 0, (), node):
            size = self._model.size(type_)
            if value is not None:
                if offset is not None and offset < whole_to:
                    self._refuse_parts_of(found, offset, node)
                if isinstance(type_, StructureType):
                    whole_to = max(whole_to, (offset or 0) + (size or 0))
                found.append(GivenPart(whole, path, offset, type_, value, self._model.int_))
                last = max(last, offset or 0)
            elif offset is not None and offset <= last and size is not None:
                end = offset + size
                found = [f for f in found if f.offset is None or not offset <= f.offset < end]
        yield from found

    def _refuse_parts_of(self, found: list[GivenPart], offset: int, node: Node) -> None:
        """A structure that was given as a whole, and one of its parts behind it: by the committee (DR 413) the rest of
        the whole stays, and compilers differ."""
        for part in found:
            if not isinstance(part.type, StructureType) or part.offset is None:
                continue
            if part.offset <= offset < part.offset + (self._model.size(part.type) or 0):
                whole = part.whole.object.name if isinstance(part.whole, ObjectPlace) else part.whole.original.text
                subject = f"a part of {whole}{part.path_text()}, which has a value as a whole"
                raise error(position_of(node), subject, Construct.OVERRIDDEN)

    def length(self, element: Type, node: Node) -> int | None:
        """How many elements an array without a length has by its initialiser (6.7.9, 22)."""
        text = _text(Array(element, None), node)
        if text is not None:
            return literals.string_type(text, self._model).length
        if not isinstance(node, c.InitList):
            return None
        return max(
            (path[0] + 1 for path, _, _, _ in self._fill(Array(element, None), None, (), node) if path), default=0
        )

    def _fill(self, type_: Type, offset: int | None, path: _Path, node: Node) -> Iterator[_Given]:
        if isinstance(type_, Array | StructureType):
            yield path, offset, type_, None
        if isinstance(type_, Vector):
            raise error(position_of(node), "the initialiser of a vector", Construct.VECTOR)
        text = _text(type_, node)
        if isinstance(type_, Array) and type_.length == 0 and (text or node.exprs):
            raise error(position_of(node), "values of an array at the end of a structure", Construct.STATIC)
        if text is not None and isinstance(type_, Array) and isinstance(type_.element, Integer):
            codes = literals.codes(text)
            size = self._model.size(type_.element) or 1
            for number, code in enumerate(codes if type_.length is None else codes[: type_.length]):
                yield (*path, number), None if offset is None else offset + number * size, type_.element, code
        elif isinstance(type_, Array | StructureType) and isinstance(node, c.InitList):
            rest = list(reversed(node.exprs or ()))
            yield from self._list(type_, offset, path, rest, True)
            if any(isinstance(each, c.NamedInitializer) for each in rest):
                raise complain(rest[-1], f"too many values for {type_}")
            self._whole.leave_out(rest)
        elif isinstance(node, c.InitList):
            if not node.exprs:
                raise complain(node, "a list where a value is needed")
            self._whole.leave_out(node.exprs[1:])
            yield from self._fill(type_, offset, path, node.exprs[0])
        else:
            yield path, offset, type_, node

    def _list(
        self, type_: Array | StructureType, offset: int | None, path: _Path, rest: list[Node], braced: bool, at: int = 0
    ) -> Iterator[_Given]:
        """Items for the parts of an aggregate, one after the other from part ``at``; ``rest`` has the next one last."""
        while rest:
            item = rest[-1]
            if isinstance(item, c.NamedInitializer):
                if not braced:
                    return
                rest.pop()
                way = self._path(type_, item)
                yield from self._designated(type_, offset, path, way, item, rest)
                at = way[0]
            else:
                at = _named_from(type_, at)
                part = self._part(type_, offset, at)
                if part is None or (_is_union(type_) and at > _named_from(type_, 0)):
                    return
                if self._takes_one(part[0], item):
                    rest.pop()
                    yield from self._fill(*part, (*path, at), item)
                else:
                    inner, start = part
                    assert isinstance(inner, Array | StructureType)
                    before = len(rest)
                    if isinstance(inner, Array) and inner.length == 0:
                        raise error(position_of(item), "values of an array at the end of a structure", Construct.STATIC)
                    yield from self._list(inner, start, (*path, at), rest, False)
                    if len(rest) == before:
                        raise complain(item, f"no value for {inner}")
            at += 1
            if isinstance(type_, StructureType) and type_.kind == "union" and not braced:
                return

    def _designated(
        self,
        type_: Array | StructureType,
        offset: int | None,
        path: _Path,
        way: list[int],
        item: Node,
        rest: list[Node],
    ) -> Iterator[_Given]:
        """The item at the end of a way, and those that follow it inside."""
        part = self._part(type_, offset, way[0])
        if part is None:
            raise complain(item, f"no such part of {type_}")
        inner, start = part
        here = (*path, way[0])
        if len(way) == 1:
            yield from self._fill(inner, start, here, item.expr)
            return
        assert isinstance(inner, Array | StructureType)
        yield from self._designated(inner, start, here, way[1:], item, rest)
        yield from self._list(inner, start, here, rest, False, way[1] + 1)

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
        index = self._whole.constant(number_node) if isinstance(type_, Array) else None
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
        return isinstance(type_, StructureType) and self._whole.type_of(item) is type_

    def _part(self, type_: Type, offset: int | None, index: int) -> tuple[Type, int | None] | None:
        """Type and offset of a part, None behind the last one."""
        if isinstance(type_, Array):
            size = self._model.size(type_.element)
            if type_.length is not None and index >= type_.length:
                return None
            return type_.element, None if offset is None or size is None else offset + index * size
        if not isinstance(type_, StructureType) or index >= len(type_.members or ()):
            return None
        starts = self._model.starts(type_)
        member = (type_.members or ())[index][1]
        return member, None if starts is None or offset is None else offset + starts[index]


def _is_union(type_: Type) -> bool:
    return isinstance(type_, StructureType) and type_.kind == "union"


def _named_from(type_: Type, at: int) -> int:
    """Bit fields without a name have no value (6.7.9, 9)."""
    if isinstance(type_, StructureType):
        members = type_.members or ()
        while at < len(members) and not members[at][0] and not isinstance(members[at][1], StructureType):
            at += 1
    return at


def _text(type_: Type, node: Node) -> Node | None:
    """The text that initialises an array of characters, in braces or not (6.7.9, 14)."""
    if not isinstance(type_, Array) or not isinstance(type_.element, Integer):
        return None
    if isinstance(node, c.InitList) and len(node.exprs or ()) == 1:
        node = node.exprs[0]
    is_text = isinstance(node, c.Constant) and (node.type == "string" or node.value.endswith('"'))
    return node if is_text else None
