"""Slotted records: ``dataclasses.dataclass`` for the kind of class that nearly all of ours are, made when it is needed.

The standard decorator writes and compiles six methods for each class as soon as its module is loaded; for some two
hundred classes that was a third of the processor time of a small ``argosy verify``. Here ``__init__`` is compiled when
some objects were made, and all other methods are shared. The fields are those of the standard library, so that
``replace``, ``fields`` and ``match`` see no difference, and neither does a type checker. Classes that are not
``slots=True`` are left to the standard library.

Law (tests/basics/test_records.py): such a class behaves as the one that ``dataclasses.dataclass`` would make.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, asdict, field, fields, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any

__all__ = ["Field", "asdict", "dataclass", "field", "fields", "replace"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, **options: bool) -> Any:
        if cls is not None:
            return dataclasses.dataclass(cls)
        if options.get("slots") and not options.keys() - _CHOICES:
            frozen, eq, keywords = (options.get(name, default) for name, default in _CHOSEN)
            return lambda cls: _record(cls, frozen, eq, keywords)
        return dataclasses.dataclass(**options)


# Writing ``__init__`` takes as long as filling so many objects field by field.
_FEW = 12

_CHOSEN = (("frozen", False), ("eq", True), ("kw_only", False))
_CHOICES = frozenset({"slots", *(name for name, _ in _CHOSEN)})


@dataclasses.dataclass(frozen=True)
class _Model:
    """What the standard library says of a frozen class and of an ordinary field of it."""

    ordinary: int


@dataclasses.dataclass
class _Open:
    """The same of one that is not frozen."""


_PARAMETERS = {frozen: kind.__dict__["__dataclass_params__"] for frozen, kind in ((True, _Model), (False, _Open))}
_ORDINARY = _Model.__dict__["__dataclass_fields__"]["ordinary"]._field_type


def _record(cls: type, frozen: bool, eq: bool, keywords: bool) -> type:
    own = {name: each for name, each in cls.__dict__.items() if name not in ("__dict__", "__weakref__")}
    known: dict[str, Field[Any]] = {}
    for base in reversed(cls.__mro__[1:]):
        known.update(base.__dict__.get("__dataclass_fields__", {}))
    inherited = set(known)
    for name, annotation in own.get("__annotations__", {}).items():
        if "ClassVar" not in annotation:
            known[name] = _field(name, annotation, own.pop(name, MISSING), keywords)
    own["__slots__"] = tuple(name for name in known if name not in inherited)
    own["__dataclass_fields__"] = known
    own["__dataclass_params__"] = _PARAMETERS[frozen]
    own.setdefault("__match_args__", tuple(each.name for each in known.values() if each.init and not each.kw_only))
    own.setdefault("__repr__", _text)
    if frozen:
        if "__setattr__" in own or "__delattr__" in own:
            raise TypeError(f"{cls.__name__} is frozen")
        own.update(__setattr__=_set, __delattr__=_delete)
        own.setdefault("__getstate__", _state)
        own.setdefault("__setstate__", _restore)
    if eq:
        compared = [each for each in known.values() if each.compare]
        explicit = own.get("__hash__") is not None or ("__hash__" in own and "__eq__" not in own)
        own.setdefault("__eq__", _equality(_values(compared)))
        if not explicit:
            hashed = [each for each in compared if each.hash is not False]
            own["__hash__"] = _hash(_values(hashed)) if frozen else None
    made: type
    if "__init__" not in own:
        own["__init__"] = _at_first(lambda: made)
    made = type(cls)(cls.__name__, cls.__bases__, own)
    made.__qualname__ = cls.__qualname__
    return made


def _field(name: str, annotation: str, default: Any, keywords: bool) -> Field[Any]:
    found: Field[Any] = default if isinstance(default, Field) else field(default=default)
    if isinstance(found.default, list | dict | set):
        raise ValueError(f"the default of {name} could be changed: say how it is made (default_factory)")
    found.name, found.type = name, annotation
    found._field_type = _ORDINARY  # type: ignore[attr-defined]
    if found.kw_only is MISSING:
        found.kw_only = keywords
    return found


def _at_first(made: Callable[[], Any]) -> Callable[..., None]:
    """The first few objects are filled field by field; most classes have no more in a small run. For further ones
    ``__init__`` is written, and where something is wrong with what is given, which it says as Python does."""
    left = _FEW

    def __init__(self: Any, *given: Any, **named: Any) -> None:
        nonlocal left
        left -= 1
        cls = made()
        values = _values_of(cls, given, named) if left >= 0 else None
        if values is None:
            _initialiser(cls)(self, *given, **named)
            return
        for name, value in zip(cls.__dataclass_fields__, values, strict=True):
            object.__setattr__(self, name, value)
        if hasattr(cls, "__post_init__"):
            self.__post_init__()

    return __init__


def _values_of(cls: Any, given: tuple[Any, ...], named: dict[str, Any]) -> list[Any] | None:
    """The values of all fields, in order; None where that is not seen at once."""
    fields: dict[str, Field[Any]] = cls.__dataclass_fields__
    if len(given) > len(fields) or not named.keys() <= fields.keys():
        return None
    values = list(given)
    for place, (name, each) in enumerate(fields.items()):
        if not each.init or each.kw_only or (place < len(given) and name in named):
            return None
        if place < len(given):
            continue
        if name in named:
            values.append(named[name])
        elif each.default is not MISSING:
            values.append(each.default)
        elif each.default_factory is not MISSING:
            values.append(each.default_factory())
        else:
            return None
    return values


def _initialiser(cls: Any) -> Callable[..., None]:
    """Writes ``cls.__init__``. The slots are set through their descriptors, which a frozen class does not forbid."""
    known: dict[str, Field[Any]] = cls.__dataclass_fields__
    scope: dict[str, Any] = {"_MISSING": MISSING}
    positional: list[str] = []
    keyword: list[str] = []
    body: list[str] = []
    for name, each in known.items():
        scope[f"_set_{name}"] = getattr(cls, name).__set__
        value, parameter = name, name
        if each.default is not MISSING:
            scope[f"_default_{name}"] = each.default
            parameter = f"{name}=_default_{name}"
        elif each.default_factory is not MISSING:
            scope[f"_make_{name}"] = each.default_factory
            parameter = f"{name}=_MISSING"
            value = f"_make_{name}() if {name} is _MISSING else {name}"
        if each.init:
            (keyword if each.kw_only else positional).append(parameter)
        elif parameter != name:
            value = f"_default_{name}" if each.default is not MISSING else f"_make_{name}()"
        else:
            continue
        body.append(f"_set_{name}(_self, {value})")
    if hasattr(cls, "__post_init__"):
        body.append("_self.__post_init__()")
    parameters = ", ".join(["_self", *positional, *(["*", *keyword] if keyword else [])])
    exec(f"def __init__({parameters}):\n " + "\n ".join(body or ["pass"]), scope)
    initialiser: Callable[..., None] = scope["__init__"]
    initialiser.__qualname__ = f"{cls.__qualname__}.__init__"
    cls.__init__ = initialiser
    return initialiser


def _values(compared: list[Field[Any]]) -> Callable[[Any], Any]:
    return attrgetter(*(each.name for each in compared)) if compared else lambda self: ()


def _equality(values: Callable[[Any], Any]) -> Callable[[Any, Any], bool]:
    def __eq__(self: Any, other: Any) -> Any:
        if other.__class__ is self.__class__:
            return values(self) == values(other)
        return NotImplemented

    return __eq__


def _hash(values: Callable[[Any], Any]) -> Callable[[Any], int]:
    return lambda self: hash(values(self))


def _text(self: Any) -> str:
    shown = (f"{name}={getattr(self, name)!r}" for name, each in self.__dataclass_fields__.items() if each.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _set(self: Any, name: str, value: Any) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self.__dataclass_fields__]


def _restore(self: Any, state: list[Any]) -> None:
    for name, value in zip(self.__dataclass_fields__, state, strict=True):
        object.__setattr__(self, name, value)
