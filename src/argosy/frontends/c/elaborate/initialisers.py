"""Initialisers in braces: which expression goes to which part of an object (C11 6.7.9).

Braces around parts may be left out, designators go on from where they lead, a text initialises an array of
characters. What no item names is zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pycparser import c_ast as c

from argosy.basics.records import dataclass
from argosy.frontends.c import literals
from argosy.frontends.c.elaborate.whole import Elaborated
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import complain, position_of
from argosy.frontends.c.typed import Contents, ElementPlace, IntegerConstant, MemberPlace, ObjectPlace, Place, parts
from argosy.frontends.c.types import Array, Integer, StructureType, Type, Vector
from argosy.frontends.c.unsupported import Construct, error

# The way to a part: the numbers of elements and members.
_Path = tuple[int, ...]
# From the first number to the last one: designators of GNU C may name several elements.
_Range = tuple[int, int]
_MOST = 65536
_Given = tuple[_Path, Type, Node | int | None]


@dataclass(frozen=True, slots=True)
class GivenPart:
    """A part of a ``whole`` that an initialiser gives; ``value`` is an expression, or the code of a character in a
    text."""

    whole: Place
    path: _Path
    type: Type
    value: Node | int
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

    @property
    def text(self) -> str:
        whole = self.whole.object.name if isinstance(self.whole, ObjectPlace) else self.whole.original.text
        return f"{whole}{self.path_text()}"

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
        """The items of an initialiser for a place that count, in the order of the text. One for a part stands for those
        before it for the same part, and for all of other members of a union that it lies in (6.7.9, 19): compilers
        do not evaluate these, and the union begins anew."""
        kept: dict[_Path, GivenPart] = {}
        chosen: dict[_Path, int] = {}
        furthest: _Path = ()
        for path, type_, value in self._fill(whole.type, (), node):
            for union, member in _unions(whole.type, path):
                if chosen.setdefault(union, member) != member:
                    chosen[union] = member
                    self._drop(kept, union)
            self._refuse_part_of_whole(kept, path, node)
            if path <= furthest:
                self._drop(kept, path)
            if value is not None:
                kept[path] = GivenPart(whole, path, type_, value, self._model.int_)
                furthest = max(furthest, path)
        yield from kept.values()

    def _drop(self, kept: dict[_Path, GivenPart], way: _Path) -> None:
        """What was given of the part at the end of a way does not count."""
        for path in [path for path in kept if path[: len(way)] == way]:
            part = kept.pop(path)
            if not isinstance(part.value, int) and self._whole.effects.of(part.value) is not None:
                said = "overridden by a later one and not evaluated"
                self._whole.unit.note(f"{position_of(part.value)}: the value of {part.text} is {said}")

    def _refuse_part_of_whole(self, kept: Mapping[_Path, GivenPart], path: _Path, node: Node) -> None:
        """A structure that was given as a whole, and one of its parts behind it: by the committee (DR 413) the rest of
        the whole stays, and compilers differ."""
        for length in range(len(path)):
            part = kept.get(path[:length])
            if part is not None:
                subject = f"a part of {part.text}, which has a value as a whole"
                raise error(position_of(node), subject, Construct.OVERRIDDEN)

    def length(self, element: Type, node: Node) -> int | None:
        """How many elements an array without a length has by its initialiser (6.7.9, 22)."""
        node = self._whole.selected(node)
        text = _text(Array(element, None), node)
        if text is not None:
            return literals.string_type(text, self._model).length
        if not isinstance(node, c.InitList):
            return None
        return max((path[0] + 1 for path, _, _ in self._fill(Array(element, None), (), node) if path), default=0)

    def _fill(self, type_: Type, path: _Path, node: Node) -> Iterator[_Given]:
        """The parts that are given, in the order of the text; one without a value begins anew."""
        if isinstance(type_, Array | StructureType):
            yield path, type_, None
        if isinstance(type_, Vector):
            raise error(position_of(node), "the initialiser of a vector", Construct.VECTOR)
        text = _text(type_, node)
        if isinstance(type_, Array) and type_.length == 0 and (text or node.exprs):
            raise error(position_of(node), "values of an array at the end of a structure", Construct.STATIC)
        if text is not None and isinstance(type_, Array) and isinstance(type_.element, Integer):
            codes = literals.codes(text)
            for number, code in enumerate(codes if type_.length is None else codes[: type_.length]):
                yield (*path, number), type_.element, code
        elif isinstance(type_, Array | StructureType) and isinstance(node, c.InitList):
            rest = list(reversed(node.exprs or ()))
            yield from self._list(type_, path, rest, True)
            if any(isinstance(each, c.NamedInitializer) for each in rest):
                raise complain(rest[-1], f"too many values for {type_}")
            self._whole.leave_out(rest)
        elif isinstance(node, c.InitList):
            first, *rest = self._whole.unit.items(node)
            self._whole.leave_out(rest)
            yield from self._fill(type_, path, first)
        else:
            yield path, type_, node

    def _list(
        self, type_: Array | StructureType, path: _Path, rest: list[Node], braced: bool, at: int = 0
    ) -> Iterator[_Given]:
        """Items for the parts of an aggregate, one after the other from part ``at``; ``rest`` has the next one last."""
        while rest:
            item = rest[-1]
            if isinstance(item, c.NamedInitializer):
                if not braced:
                    return
                rest.pop()
                way = self._path(type_, item)
                if any(low < high for low, high in way):
                    self._refuse_shared(item.expr)
                yield from self._designated(type_, path, way, item, rest)
                at = way[0][1]
            else:
                at = _named_from(type_, at)
                inner = self._part(type_, at)
                if inner is None or (_is_union(type_) and at > _named_from(type_, 0)):
                    return
                if self._takes_one(inner, item):
                    rest.pop()
                    yield from self._fill(inner, (*path, at), item)
                else:
                    assert isinstance(inner, Array | StructureType)
                    before = len(rest)
                    if isinstance(inner, Array) and inner.length == 0:
                        raise error(position_of(item), "values of an array at the end of a structure", Construct.STATIC)
                    yield from self._list(inner, (*path, at), rest, False)
                    if len(rest) == before:
                        raise complain(item, f"no value for {inner}")
            at += 1
            if isinstance(type_, StructureType) and type_.kind == "union" and not braced:
                return

    def _refuse_shared(self, value: Node) -> None:
        """The value of a range is evaluated once, says GCC: an effect in there happens once, and what is volatile is
        read once."""
        if isinstance(value, c.InitList | c.NamedInitializer):
            for item in (value.exprs or ()) if isinstance(value, c.InitList) else (value.expr,):
                self._refuse_shared(item)
            return
        effects = self._whole.effects.of(value)
        if isinstance(value, c.CompoundLiteral) and isinstance(self._whole.type_of(value), StructureType):
            self._refuse_shared(value.init)
        elif effects is not None or self._reads_volatile(value):
            raise error(position_of(value), "an effect in the value of a range of elements", Construct.STATIC)

    def _reads_volatile(self, value: Node) -> bool:
        with self._whole.unit.unevaluated(), self._whole.code.aside():
            read = parts(self._whole.value(value))
        return any(isinstance(part, Contents) and "volatile" in part.place.qualifiers for part in read)

    def _designated(
        self,
        type_: Array | StructureType,
        path: _Path,
        way: list[_Range],
        item: Node,
        rest: list[Node],
    ) -> Iterator[_Given]:
        """The item at the end of a way, for all elements of a range, and those behind it inside of the last one."""
        (low, high), *behind = way
        inner = self._part(type_, high)
        assert inner is not None
        for number in range(low, high + 1):
            here = (*path, number)
            if not behind:
                yield from self._fill(inner, here, item.expr)
                continue
            assert isinstance(inner, Array | StructureType)
            following = rest if number == high else []
            yield from self._designated(inner, here, behind, item, following)
            yield from self._list(inner, here, following, False, behind[0][1] + 1)

    def _path(self, type_: Type, item: Node) -> list[_Range]:
        """The numbers of the parts that designators lead through, anonymous structures included."""
        path: list[_Range] = []
        for designator in item.name:
            for numbers in self._steps(type_, designator):
                path.append(numbers)
                part = self._part(type_, numbers[1])
                if part is None:
                    raise complain(item, f"no such part of {type_}")
                type_ = part
        return path

    def _steps(self, type_: Type, designator: Node) -> list[_Range]:
        if isinstance(type_, StructureType) and isinstance(designator, c.ID):
            for number, (name, member) in enumerate(type_.members or ()):
                if name == designator.name:
                    return [(number, number)]
                if not name and isinstance(member, StructureType) and member.member(designator.name) is not None:
                    return [(number, number), *self._steps(member, designator)]
            raise complain(designator, f"no member {designator.name} in {type_}")
        index = designator.expr if isinstance(designator, c.ArrayDesignator) else designator
        is_range = isinstance(index, c.BinaryOp) and index.op == "..."
        bounds = (index.left, index.right) if is_range else (index,)
        numbers = [self._whole.constant(bound) for bound in bounds] if isinstance(type_, Array) else []
        low, high = (numbers[0], numbers[-1]) if numbers else (None, None)
        if low is None or high is None or low < 0 or high < low:
            raise complain(designator, f"no such part of {type_}")
        if high - low >= _MOST:
            raise error(position_of(designator), f"a range of more than {_MOST} elements", Construct.STATIC)
        return [(low, high)]

    def _takes_one(self, type_: Type, item: Node) -> bool:
        """Whether one item initialises the whole part."""
        if (
            not isinstance(type_, Array | StructureType)
            or isinstance(item, c.InitList)
            or _text(type_, item) is not None
        ):
            return True
        return isinstance(type_, StructureType) and self._whole.type_of(item) is type_

    def _part(self, type_: Type, index: int) -> Type | None:
        """The type of a part; None behind the last one."""
        if isinstance(type_, Array):
            return type_.element if type_.length is None or index < type_.length else None
        if not isinstance(type_, StructureType) or index >= len(type_.members or ()):
            return None
        return (type_.members or ())[index][1]


def _unions(type_: Type, path: _Path) -> Iterator[tuple[_Path, int]]:
    """The unions on the way to a part, each by its own way, with the number of the member that the part lies in."""
    for at, number in enumerate(path):
        if isinstance(type_, Array):
            type_ = type_.element
        else:
            assert isinstance(type_, StructureType)
            if type_.kind == "union":
                yield path[:at], number
            type_ = (type_.members or [])[number][1]


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
