"""Where the values come from that an execution does not compute, and what a program expects from outside.

A harness, a test suite and a witness give each call of a function without a body the value that it had, in the order of
the calls: so a source says which function was called, of which type the value is and where the call stands.
"""

from __future__ import annotations

from enum import Enum

from argosy.basics.position import NOWHERE, Position
from argosy.basics.records import dataclass


class SourceKind(Enum):
    """``FOREIGN`` is what a function without a body left in an object, ``UNDETERMINED`` what has no value by the rules
    of the language, and ``OPEN`` is a value that these, or a library, leave open."""

    CALL = "call"
    EXTERN = "extern"
    INPUT = "input"
    TIME = "time"
    UNINITIALISED = "uninitialised"
    VOLATILE = "volatile"
    FOREIGN = "foreign"
    UNDETERMINED = "undetermined"
    OPEN = "open"
    UNMODELLED = "unmodelled"


@dataclass(frozen=True, slots=True)
class ValueSource:
    """``text`` is what a person sees; ``function`` is the one that was called, ``type`` that of the value as the
    language writes it and ``position`` the place of the call."""

    kind: SourceKind
    text: str
    function: str = ""
    type: str = ""
    position: Position = NOWHERE

    def __str__(self) -> str:
        return self.text


class Duty(Enum):
    """What a function without a body has to do."""

    VALUE = "gives a value"
    NOTHING = "does nothing"
    ASSUME = "ends the execution where its argument is zero"
    ASSERT = "is the error where its argument is zero"
    END = "ends the execution"


@dataclass(frozen=True, slots=True)
class OutsideFunction:
    """A function that the program declares or calls and does not define; ``result`` is the type of its result as the
    language writes it, "" where it cannot be written outside the program."""

    name: str
    result: str
    duty: Duty


@dataclass(frozen=True, slots=True)
class OutsideCell:
    """A number in an object or the number that a parameter is; ``variable`` is its name in the model."""

    offset: int
    size: int
    variable: str
    pointer: bool = False


@dataclass(frozen=True, slots=True)
class OutsideObject:
    """An object that another file defines; ``size`` in bytes."""

    name: str
    size: int
    cells: tuple[OutsideCell, ...]


@dataclass(frozen=True, slots=True)
class OutsideParameter:
    """A parameter of the entry function; ``type`` as the language writes it."""

    name: str
    type: str
    cells: tuple[OutsideCell, ...]


@dataclass(frozen=True, slots=True)
class Outside:
    """What a program needs to run. ``defined`` are the functions that it defines itself, ``hidden`` those of them that
    no other file can name. ``files`` are those that it is made of, each with what its compiler has to be told."""

    data_model: str
    entry: str
    functions: tuple[OutsideFunction, ...] = ()
    objects: tuple[OutsideObject, ...] = ()
    parameters: tuple[OutsideParameter, ...] = ()
    defined: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()
    files: tuple[tuple[str, tuple[str, ...]], ...] = ()
