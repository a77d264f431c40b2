"""Types of Theta's languages: booleans, integers, rationals, bit-vectors, floating point, arrays, enumerations.

A type is more than the sort of its terms: a value of an enumeration is an integer within bounds, a floating-point
number is its bits.
"""

from __future__ import annotations

from argosy.basics.records import dataclass
from argosy.logic.sorts import BOOL, INT, REAL, Sort, array, bits
from argosy.logic.terms import Term


@dataclass(frozen=True, slots=True)
class ThetaType:
    """``name`` is how it is written. ``literals`` belong to an enumeration, ``exponent`` and ``significand`` (the
    hidden bit included) to floating point, ``index`` and ``element`` to arrays."""

    name: str
    sort: Sort
    literals: tuple[str, ...] = ()
    exponent: int = 0
    significand: int = 0
    index: ThetaType | None = None
    element: ThetaType | None = None

    @property
    def is_floating(self) -> bool:
        return self.exponent > 0

    @property
    def is_bits(self) -> bool:
        return self.sort.is_bits and not self.is_floating

    @property
    def is_number(self) -> bool:
        return self in (INTEGER, RATIONAL)

    @property
    def is_plain(self) -> bool:
        """Every value of the sort stands for a value of its own, and equality of terms is that of values."""
        if self.index is not None and self.element is not None:
            return self.index.is_plain and self.element.is_plain
        return not self.literals and not self.is_floating


TRUTH = ThetaType("bool", BOOL)
INTEGER = ThetaType("int", INT)
RATIONAL = ThetaType("rat", REAL)

# Wider ones are refused: an operation on them is bit-blasted.
WIDEST = 1 << 16


def vector(width: int) -> ThetaType:
    return ThetaType(f"bv[{width}]", bits(width))


def floating(exponent: int, significand: int) -> ThetaType:
    return ThetaType(
        f"fp[{exponent}:{significand}]", bits(exponent + significand), exponent=exponent, significand=significand
    )


def array_of(index: ThetaType, element: ThetaType) -> ThetaType:
    return ThetaType(f"[{index.name}] -> {element.name}", array(index.sort, element.sort), index=index, element=element)


def enumeration(name: str, literals: tuple[str, ...]) -> ThetaType:
    return ThetaType(name, INT, literals)


@dataclass(frozen=True, slots=True)
class Typed:
    """A term with its type. A literal that several enumerations have in common has no term until it meets a value of
    one of them: ``candidates`` are these enumerations."""

    term: Term
    type: ThetaType
    offset: int
    literal: str = ""
    candidates: tuple[ThetaType, ...] = ()
