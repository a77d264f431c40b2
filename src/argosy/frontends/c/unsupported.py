"""What is not modelled, in words: which construct it is, why, and what a user can do about it. One table for all.

A value that is not modelled is refused only where it matters, which may be far from the construct that is the reason: a
member is read in one file, an attribute in a header decides where it lies. An ``Obstacle`` is the construct with its
place; its ``refusal`` names that place, the reason, and the line where it matters.
"""

from __future__ import annotations

from enum import Enum

from argosy.basics.errors import UnsupportedError
from argosy.basics.position import Position
from argosy.basics.records import dataclass
from argosy.models.cfa import Refusal

# An array of more cells is a block, and so is a structure of more than these.
MOST_CELLS = 256
MOST_IN_OBJECT = 1_024


class Construct(Enum):
    WIDE_BIT_FIELD = (
        "wider than int, or the value of x++ or ({ x; }), it has its own width for gcc and that of its type for clang; "
        "convert it first"
    )
    LAYOUT = "it decides where members lie, in a way that is not modelled; remove it if nothing depends on it"
    FOREIGN_HEADERS = "headers of another data model do not tell where members lie; preprocess it with the right ones"
    INCOMPLETE = "the type is not defined here"
    LARGE_ARRAY = f"more than {MOST_CELLS} elements are no value of a structure, nor watched for memory safety"
    LARGE_OBJECT = f"more than {MOST_IN_OBJECT} scalars are no value of a structure, nor watched for memory safety"
    LENGTH = "arrays whose length is not known here are not modelled; give it a length"
    FLOAT = "extended and complex floating-point numbers are not modelled; use double"
    VECTOR = "vectors may be declared and copied, and what is computed with them is not modelled; use arrays"
    OTHER_TYPE = "it is accessed as another type than it has, which is not modelled yet"
    POINTER = "the pointer may lead where nothing is modelled, or to something of another type"
    FAR = "it may leave its object by far, and where that leads is not known"
    HOLDERS = "its address has left the model, so whether somebody else holds it is not known"
    POINTER_CALL = "what the pointer leads to has no body here"
    ADDRESS = "addresses are made up, so that as numbers they mean nothing"
    VARIADIC = "which arguments behind ... these are is not known here: call the function by its name, not recursively"
    OPTIMISED = "whether compilers take that for a constant depends on how far they optimise"
    LIBRARY = "this library function is not modelled yet; give it a body"
    PROMISED = "the standard promises little of its result, and no counterexample is made of it; give it a body"
    ALLOCATION = "such a block of memory is not modelled yet; say what it is made of, with sizeof"
    REQUEST = "there is no room for them in the addresses that are modelled; say how many there may be at most"
    COMPUTED = "addresses of labels are not numbers that are known; use a table of them, or switch"
    CONTROL = "threads, signals, jumps between functions and functions given to others are not followed"
    ROUNDING = "floats are rounded to the nearest; other modes are not modelled"
    FOREIGN = "it has no body here, so what it does is not known; give it one, or say --undefined-functions pure"
    WEAK = "it is weak and not defined here, so whether it has an address is not known; define it"
    ASSEMBLER = "assembler code is not modelled; write it in C"
    RESULT = "its value is not modelled"
    PART = "its bytes are not modelled; allocate whole elements"
    ATTRIBUTE = "this attribute may change what the program does, which is not modelled"
    NESTED = "functions inside of functions are not modelled; define it outside, with what it uses as arguments"
    TYPE = "this type is not modelled"
    STATIC = "such an initialiser is not modelled yet; assign it at the start of main"
    OVERRIDDEN = "gcc forgets the rest of that whole, clang keeps it; assign the part afterwards"
    WIDTH = "the text was preprocessed for another data model; choose that one with --data-model"
    INSTANCES = "more are not modelled; a proof needs that there are no more"
    DEPTH = "deeper calls are not copied; a proof needs that there are none"
    ORDER = "its parts have effects that meet, in too many orders to explore; write them one after the other"
    SIZE = "the program is too large with all calls copied"


@dataclass(frozen=True, slots=True)
class Obstacle:
    position: Position
    subject: str
    construct: Construct

    def refusal(self, use: Position, how: str, *, bound: bool = False, arbitrary: bool = False) -> Refusal:
        """``how`` the use at another place needs it, as in ``reads f.mode``."""
        what = f"{self.subject}: {self.construct.value}"
        if (use.file, use.line) != (self.position.file, self.position.line):
            where = f"line {use.line}" if use.file == self.position.file else f"{use.file}:{use.line}"
            what += f"; it matters because {where} {how}"
        return Refusal(self.position, what, bound, arbitrary)


def refusal(
    position: Position, subject: str, construct: Construct, *, bound: bool = False, arbitrary: bool = False
) -> Refusal:
    """Of something that is not modelled where it stands."""
    return Obstacle(position, subject, construct).refusal(position, "", bound=bound, arbitrary=arbitrary)


def error(position: Position, subject: str, construct: Construct) -> UnsupportedError:
    """For what cannot wait until it matters."""
    return UnsupportedError(position, f"{subject}: {construct.value}")


def subject(refusal: Refusal) -> str:
    """What is not modelled, without the reason."""
    return refusal.what.partition(": ")[0]
