"""Arguments behind ``...`` (C11 7.16): a list of them is the number of its next argument.

A function that is called by its name with arguments behind ``...`` is copied for the types of those
(``elaborate.copies``); each of them is an object that lasts, which the call assigns. All these objects have numbers,
those of one call in a row, and behind the last one there is a number without an object. ``va_start`` assigns the first
number, ``va_arg`` chooses the object by the number and adds one. Functions that are given a list are copied too, and
know the objects of all lists that their caller knows.

Law: what ``va_arg`` gives is the argument that the machine gives. A number without an object, and an object whose type
is not that of ``va_arg``, leave the language (7.16.1.1, 2); a number of none of the known lists is refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from argosy.basics.records import dataclass
from argosy.frontends.c.elaborate.whole import Elaborated
from argosy.frontends.c.original import Original
from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import Object, Unit
from argosy.frontends.c.typed import (
    Assigning,
    BinaryOperation,
    Contents,
    Expression,
    IntegerConstant,
    NextArgument,
    NoValue,
    ObjectPlace,
    Place,
)
from argosy.frontends.c.types import Integer, Pointer, Type, Void, compatible, is_list

VARIABLE_ARGUMENT = "__builtin_va_arg"
START, COPIED, END = "__builtin_va_start", "__builtin_va_copy", "__builtin_va_end"
LIST_MACROS = frozenset((VARIABLE_ARGUMENT, START, COPIED, END))


@dataclass(frozen=True, slots=True)
class ArgumentList:
    """The arguments behind ``...`` of calls with one signature, numbered from ``first`` on."""

    first: int
    objects: tuple[Object, ...]

    @property
    def behind(self) -> int:
        return self.first + len(self.objects)


@dataclass(frozen=True, slots=True)
class KnownLists:
    """What a copy of a function knows: the list of its ``own`` arguments, if it has any, and those it may be given."""

    own: ArgumentList | None
    given: tuple[ArgumentList, ...] = ()

    @property
    def all(self) -> tuple[ArgumentList, ...]:
        return self.given if self.own is None else (self.own, *self.given)


def takes_list(parameters: Sequence[Type]) -> bool:
    """Whether a function is given a list, or a pointer to one."""
    return any(is_list(each) or (isinstance(each, Pointer) and is_list(each.target)) for each in parameters)


def known_lists(unit: Unit, function: str) -> KnownLists | None:
    found: KnownLists | None = unit.argument_lists.get(function)
    return found


def listed_values(unit: Unit, function: str, values: Sequence[Expression]) -> list[Expression]:
    """What a function without a body is given besides, where a list is among its arguments: what is in there."""
    lists = known_lists(unit, function)
    if lists is None or not takes_list([value.type for value in values]):
        return []
    original = values[0].original
    objects = [each for known in lists.all for each in known.objects]
    return [Contents(ObjectPlace(each, original), each.type, original) for each in objects]


class VariableArguments:
    """``va_start``, ``va_arg``, ``va_copy`` and ``va_end`` in one function."""

    def __init__(self, whole: Elaborated) -> None:
        self._whole = whole

    def call(self, name: str, node: Node) -> Expression | None:
        """The value of one of the four, where the lists are known; None otherwise."""
        lists = known_lists(self._whole.unit, self._whole.function)
        given = node.args.exprs if node.args is not None else []
        if lists is None or not lists.all or not given or name not in LIST_MACROS:
            return None
        place, original = self._whole.place(given[0]), Original(node)
        if not is_list(place.type):
            return None
        if name == VARIABLE_ARGUMENT:
            return self._next(lists, place, self._whole.declarations.type(given[1]), node)
        value: Expression | None = None
        if name == START and lists.own is not None:
            value = _number(place, lists.own.first, original)
        elif name == END:
            value = _number(place, 0, original)
        elif name == COPIED:
            value = self._whole.value(given[1])
        if value is None:
            return None
        self._whole.code.emit(Assigning(place, value, original))
        return NoValue(original)

    def forget(self, values: Sequence[Expression], node: Node) -> None:
        """A list that was given to a function has no value any more (7.16, 3)."""
        if known_lists(self._whole.unit, self._whole.function) is None:
            return
        for value in values:
            if is_list(value.type) and isinstance(value, Contents):
                original = Original(node)
                self._whole.code.emit(Assigning(value.place, _number(value.place, 0, original), original))

    def _next(self, lists: KnownLists, place: Place, type_: Type, node: Node) -> Expression:
        whole, code, original = self._whole, self._whole.code, Original(node)
        at = Contents(place, place.type, original)
        result, end = whole.temporary(type_, node), code.point()
        kept = ObjectPlace(result, original)
        missing = [known.behind for known in lists.all]
        for known in lists.all:
            for number, symbol in enumerate(known.objects, known.first):
                if not fits(type_, symbol.type):
                    missing.append(number)
                    continue
                yes, no = code.point(), code.point()
                code.branch(self._equal(at, _number(place, number, original), original), yes, no, original)
                code.at(yes)
                value: Expression = Contents(ObjectPlace(symbol, original), symbol.type, original)
                self._same_number(at, value, type_, original)
                code.emit(Assigning(kept, whole.arithmetic.converted(value, type_), original))
                code.emit(Assigning(place, _number(place, number + 1, original), original))
                code.jump(end)
                code.at(no)
        code.emit(NextArgument(at, whole.temporary(type_, node), original, tuple(missing)))
        code.at(end)
        return Contents(kept, type_, original)

    def _same_number(self, at: Expression, value: Expression, type_: Type, original: Original) -> None:
        """An integer that is taken for one of the other sign has to be a number of both types."""
        if not isinstance(type_, Integer) or not isinstance(value.type, Integer) or type_.signed == value.type.signed:
            return
        code, arithmetic = self._whole.code, self._whole.arithmetic
        signed = value if value.type.signed else arithmetic.converted(value, type_)
        yes, no = code.point(), code.point()
        code.branch(arithmetic.binary("<", signed, arithmetic.integer(0, original), original), no, yes, original)
        code.at(no)
        nothing = Object("temp", type_, original.position, self._whole.function, temporary=True)
        code.emit(NextArgument(at, nothing, original, absent=True))
        code.at(yes)

    def _equal(self, left: Expression, right: Expression, original: Original) -> Expression:
        return BinaryOperation("==", left, right, self._whole.unit.model.int_, original)


def fits(wanted: Type, given: Type) -> bool:
    """Whether an argument is there for ``va_arg`` of a type (7.16.1.1, 2; qualifiers of targets as in C23)."""
    if isinstance(wanted, Integer) and isinstance(given, Integer):
        return (wanted.width, wanted.rank) == (given.width, given.rank)
    if isinstance(wanted, Pointer) and isinstance(given, Pointer):
        either = isinstance(wanted.target, Void) or isinstance(given.target, Void)
        return either or compatible(wanted.target, given.target)
    return compatible(wanted, given)


def _number(place: Place, value: int, original: Original) -> IntegerConstant:
    assert isinstance(place.type, Pointer)
    return IntegerConstant(value, place.type, original)
