"""What is kept account of when a property of memory is asked: lifetimes of objects, and demands on addresses.

A demand is a condition on an address that an access, ``free`` or arithmetic needs (C11 6.2.4, 6.5.3.2, 6.5.6, 7.22.3).
It speaks of the objects that the address may lead into, which are known when everything is read; until then a variable
stands for it (``lower.validity``). For other properties there are no demands, and no state for lifetimes.
"""

from __future__ import annotations

from argosy.basics.position import Position
from argosy.basics.records import dataclass
from argosy.logic.terms import Term
from argosy.models.cfa import Refusal
from argosy.models.kinds import Undefined

# Objects lie so far from both ends of their slots: close misses stay in the slot.
GUARD = 1 << 12

# What does not fit into a small slot has one of this size.
LARGE_SLOT = 1 << 24


@dataclass(frozen=True, slots=True)
class Demand:
    """What an operation needs of an address: for an access of ``size`` bytes that it is not outside (``BOUNDS``), not
    freed, not ended, not const; for ``FREE`` that a block starts there; for arithmetic from ``start`` (``POINTER``)
    that it does not leave the object, or (``FAR``) not by far: by ``amount`` elements. ``refusal`` says what is not
    known where nobody knows to which object it leads."""

    kind: Undefined
    address: Term
    size: int
    refusal: Refusal
    start: Term | None = None
    amount: Term | None = None


@dataclass(frozen=True, slots=True)
class Allocation:
    """Memory that the program asks for while it runs. ``allocated`` is a bit of the state; one that is ``automatic``
    (``alloca``) ends with the call of the ``function`` and has none. ``calls`` counts the calls that made such
    blocks. Of blocks in ``any_number`` it is an array, in which each of them has a bit at its address."""

    position: Position
    function: str
    calls: Term | None
    allocated: Term | None
    automatic: bool
    any_number: bool = False
