"""Records behave as the classes that the standard library would make of the same text."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from argosy.basics import records

Thing = TypeVar("Thing")
Decorator = Callable[..., Any]


def classes(dataclass: Decorator) -> dict[str, Any]:
    @dataclass(frozen=True, slots=True)
    class Plain:
        """Words."""

        number: int
        word: str = "none"
        many: list[int] = dataclasses.field(default_factory=list)
        shared: ClassVar[int] = 7

        @property
        def double(self) -> int:
            return 2 * self.number

    @dataclass(frozen=True, slots=True)
    class Longer(Plain):
        extra: int = 5
        quiet: int = dataclasses.field(default=0, repr=False, compare=False)

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Named:
        left: int
        right: int = 1

    @dataclass(frozen=True, slots=True, eq=False)
    class Identity:
        number: int

    @dataclass(frozen=True, slots=True)
    class Empty:
        pass

    @dataclass(frozen=True, slots=True)
    class Own:
        number: int

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Own) and self.number % 10 == other.number % 10

        def __hash__(self) -> int:
            return self.number % 10

        def __repr__(self) -> str:
            return "own"

    @dataclass(frozen=True, slots=True)
    class OwnEquality:
        number: int

        def __eq__(self, other: object) -> bool:
            return True

    @dataclass(frozen=True, slots=True)
    class Checked:
        number: int
        square: int = dataclasses.field(init=False, default=0)

        def __post_init__(self) -> None:
            if self.number < 0:
                raise ValueError("negative")
            object.__setattr__(self, "square", self.number**2)

    @dataclass(slots=True)
    class Open:
        number: int
        many: list[int] = dataclasses.field(default_factory=list)

    @dataclass(slots=True, eq=False)
    class OpenIdentity:
        number: int = 0

    @dataclass(frozen=True, slots=True)
    class Of(Generic[Thing]):
        thing: Thing

    return {name: made for name, made in locals().items() if isinstance(made, type)}


def _changed(thing: Any) -> Any:
    thing.number = 2
    return thing


OURS, THEIRS = classes(records.dataclass), classes(dataclasses.dataclass)

CALLS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "text": lambda c: repr(c["Plain"](1)) + repr(c["Longer"](2, quiet=3)) + repr(c["Empty"]()) + repr(c["Own"](1)),
    "equal": lambda c: (c["Plain"](1) == c["Plain"](1), c["Plain"](1) == c["Plain"](2), c["Plain"](1) == 1),
    "classes_differ": lambda c: c["Plain"](1) == c["Longer"](1),
    "not_compared": lambda c: c["Longer"](1, quiet=1) == c["Longer"](1, quiet=2),
    "hash": lambda c: hash(c["Named"](left=1)) == hash(c["Named"](left=1, right=1)),
    "unhashable_field": lambda c: hash(c["Plain"](1)),
    "identity": lambda c: (c["Identity"](1) == c["Identity"](1), len({c["Identity"](1), c["Identity"](1)})),
    "empty": lambda c: (c["Empty"]() == c["Empty"](), hash(c["Empty"]()) == hash(c["Empty"]())),
    "own_equality_and_hash": lambda c: (c["Own"](1) == c["Own"](11), hash(c["Own"](11))),
    "hash_beside_own_equality": lambda c: isinstance(hash(c["OwnEquality"](1)), int),
    "defaults_are_fresh": lambda c: c["Plain"](1).many is c["Plain"](1).many,
    "open": lambda c: (_changed(c["Open"](1)) == c["Open"](2), repr(_changed(c["Open"](1)))),
    "open_is_not_hashed": lambda c: hash(c["Open"](1)),
    "open_has_no_others": lambda c: setattr(c["Open"](1), "other", 2),
    "open_copy": lambda c: copy.deepcopy(c["Open"](1, [2])) == c["Open"](1, [2]),
    "open_identity": lambda c: (len({c["OpenIdentity"](), c["OpenIdentity"]()}), _changed(c["OpenIdentity"]()).number),
    "set": lambda c: setattr(c["Plain"](1), "number", 2),
    "delete": lambda c: delattr(c["Plain"](1), "number"),
    "no_dictionary": lambda c: c["Plain"](1).__dict__,
    "slots": lambda c: (c["Plain"].__slots__, c["Longer"].__slots__),
    "missing": lambda c: c["Plain"](),
    "too_many": lambda c: c["Plain"](1, "a", [], 4),
    "unknown_keyword": lambda c: c["Plain"](1, other=2),
    "by_position": lambda c: c["Named"](1),
    "post_init": lambda c: (c["Checked"](3).square, c["Checked"](-1)),
    "square": lambda c: c["Checked"](3).square,
    "not_given": lambda c: c["Checked"](3, 4),
    "replace": lambda c: repr(dataclasses.replace(c["Longer"](1, extra=9), number=2)),
    "fields": lambda c: [(f.name, f.type, f.repr, f.compare, f.kw_only) for f in dataclasses.fields(c["Longer"])],
    "dictionary": lambda c: dataclasses.asdict(c["Longer"](1)),
    "is_dataclass": lambda c: dataclasses.is_dataclass(c["Named"]),
    "match": lambda c: (c["Plain"].__match_args__, c["Longer"].__match_args__, c["Named"].__match_args__),
    "class_variable": lambda c: (c["Plain"].shared, c["Plain"](3).double),
    "documentation": lambda c: c["Plain"].__doc__,
    "copy": lambda c: repr(copy.deepcopy(c["Longer"](1, many=[2]))),
    "generic": lambda c: repr(c["Of"](1)),
    "name": lambda c: (c["Plain"].__name__, c["Plain"].__qualname__.split(".")[-1], c["Plain"].__module__),
}


@pytest.mark.parametrize("call", CALLS)
def test_as_the_standard_library(call: str) -> None:
    def outcome(classes: dict[str, Any]) -> Any:
        try:
            return CALLS[call](classes)
        except (TypeError, ValueError, AttributeError) as error:
            return type(error)

    assert outcome(OURS) == outcome(THEIRS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(records, "_FEW", 0)
        assert outcome(classes(records.dataclass)) == outcome(THEIRS)


def test_later_objects_are_made_like_the_first() -> None:
    def outcome(number: int) -> Any:
        try:
            return (
                repr(ours["Longer"](number, many=[number])),
                ours["Checked"](number).square,
                ours["Open"](number).many,
            )
        except TypeError as error:
            return str(error)

    ours = classes(records.dataclass)
    first = [outcome(1) for _ in range(100)]
    assert first == first[:1] * 100
    assert ours["Open"](1).many is not ours["Open"](1).many


@records.dataclass(frozen=True, slots=True)
class Kept:
    number: int


def test_pickles() -> None:
    assert pickle.loads(pickle.dumps(Kept(3))) == Kept(3)


def test_what_the_standard_library_of_3_11_gets_wrong() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError, match="other"):
        OURS["Plain"](1).other = 2
    assert OURS["Of"][int](1) == OURS["Of"](1)


def test_a_default_that_could_be_changed_is_an_error() -> None:
    with pytest.raises(ValueError, match="default_factory"):

        @records.dataclass(frozen=True, slots=True)
        class Wrong:
            many: list[int] = []  # noqa: RUF012


def test_a_frozen_class_has_no_own_assignment() -> None:
    with pytest.raises(TypeError, match="frozen"):

        @records.dataclass(frozen=True, slots=True)
        class Wrong:
            def __setattr__(self, name: str, value: object) -> None:
                raise AssertionError


def test_others_are_the_standard_librarys() -> None:
    @records.dataclass
    class Open:
        number: int

    @records.dataclass(frozen=True, slots=True, order=True)
    class Ordered:
        number: int

    opened = Open(1)
    opened.number = 2
    assert opened == Open(2) and Ordered(1) < Ordered(2)
