"""What can be wrong with a step of a program, by kind; and which of it a property calls an error.

A front end marks every place that some property may call an error, whatever is asked: a call, a label, a failing
assertion, an operation that C leaves undefined. A property selects (``Errors``), and ``models.errors`` makes the
automaton of the selection. This module is a leaf, so that properties can be named without loading a solver.
"""

from __future__ import annotations

from enum import Enum

from argosy.basics.records import dataclass


class Undefined(Enum):
    """Why an execution leaves the language. ``QUOTIENT`` is an overflow without a value to go on with."""

    SIGNED_OVERFLOW = "signed overflow"
    DIVISION = "division by zero"
    SHIFT = "shift by a negative amount or by the width or more"
    QUOTIENT = "quotient that is not representable (INT_MIN / -1)"
    CONVERSION = "conversion of a floating-point number to an integer type that does not hold it"
    BOUNDS = "access outside an object"
    POINTER = "pointer arithmetic that leaves its object"
    NULL = "null pointer that is followed"
    FREED = "use of memory after it was freed"
    ENDED = "use of an object after the end of its block or call"
    CONSTANT = "write to a const object or to a string literal"
    FAR = "pointer arithmetic that leaves its object by far"
    ARGUMENT = "va_arg without an argument of its type"
    FREE = "free of what is not the start of a block that is allocated"
    LEAK = "memory that nothing points to any more"
    CLEANUP = "memory that is still allocated at the end of the program"
    UNINITIALISED = "use of a value that was never written"


class MemoryKinds:
    """The kinds that the sub-properties of memory safety call errors. ``FAR`` is among them because nobody knows where
    such an address leads."""

    DEREFERENCE = frozenset(
        {Undefined.NULL, Undefined.BOUNDS, Undefined.FREED, Undefined.ENDED, Undefined.CONSTANT, Undefined.FAR}
    )
    FREE = frozenset({Undefined.FREE})
    TRACK = frozenset({Undefined.LEAK})
    CLEANUP = frozenset({Undefined.CLEANUP})
    INITIALISED = frozenset({Undefined.UNINITIALISED})
    ALL = DEREFERENCE | FREE | TRACK | CLEANUP | INITIALISED


class Marked(Enum):
    """What a step does that a property may forbid."""

    CALL = "call"
    LABEL = "label"
    ASSERTION = "assertion"
    END = "end of the program"
    CLAIM = "claim of a witness"
    WAYPOINT = "waypoint of a witness"


@dataclass(frozen=True, slots=True)
class Errors:
    """Entering one of the functions ``calls``, passing one of the ``labels``, failing any assertion, executing an
    operation that is undefined in one of the ways ``operations``, violating a claim of a witness. Empty: the model
    itself says what its error is.

    Whoever selects signed overflow selects a quotient that overflows."""

    calls: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    assertions: bool = False
    operations: frozenset[Undefined] = frozenset()
    claims: bool = False

    @property
    def about_memory(self) -> bool:
        """Whether lifetimes of objects matter: a front end keeps account of them only then."""
        return not self.operations.isdisjoint(MemoryKinds.ALL)

    @property
    def watched(self) -> frozenset[Undefined]:
        """The kinds about memory that matter: whoever asks for one of them wants to know where executions end."""
        return self.operations | MemoryKinds.DEREFERENCE | MemoryKinds.FREE if self.about_memory else frozenset()

    def selects(self, kind: Marked | Undefined, name: str = "") -> bool:
        match kind:
            case Marked.CALL:
                return name in self.calls
            case Marked.LABEL:
                return name in self.labels
            case Marked.ASSERTION:
                return self.assertions
            case Marked.CLAIM:
                return self.claims
            case Undefined.QUOTIENT if Undefined.SIGNED_OVERFLOW in self.operations:
                return True
        return kind in self.operations
