"""What ends: objects of blocks and calls, and memory that is given back.

A pointer to an object that has ended has no value that may be used (C11 6.2.4, 2), even if the block or the call is
entered again and the object exists anew. So when an object ends, every pointer to it that is still there is changed
into a pointer to its *ghost*: an address of its own at which nothing lies, with the same offset. Who follows it is told
what it was. Pointers that are gone themselves (variables of the same call or of one that has returned) are left alone.

A block is freed by a bit. A pointer variable that has ended holds no block any more (``leaks``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from argosy.frontends.c.lower.graph import Expire
from argosy.frontends.c.lower.points_to import Objects
from argosy.frontends.c.memory import SLOT
from argosy.frontends.c.symbols import RESULT, Object, Unit
from argosy.logic.terms import Term
from argosy.models.cfa import Assign
from argosy.models.kinds import Undefined


class Endings:
    """``leads_to`` are the objects that a value may lead into."""

    def __init__(self, unit: Unit, leads_to: Callable[[Term], Objects]) -> None:
        self._unit = unit
        self._terms = unit.terms
        self._leads_to = leads_to
        self._holding: dict[Object, list[Term]] | None = None
        self._anywhere: list[Term] = []

    def release(self, address: Term, objects: Objects) -> Iterator[Assign]:
        """The block that starts at an address is not allocated any more."""
        terms = self._terms
        for symbol in sorted(self._unit.allocations if objects is None else objects, key=self._unit.address):
            block = self._unit.allocations.get(symbol)
            if block is not None and block.allocated is not None and not block.any_number:
                here = terms.eq(address, terms.const(self._unit.address(symbol), address.sort))
                yield Assign(block.allocated, terms.ite(here, terms.bv(0, 1), block.allocated))

    def release_any(self, address: Term, objects: Objects) -> Iterator[Assign]:
        """The same of blocks in any number."""
        terms, allocated = self._terms, self._unit.allocated
        near = self._unit.allocations if objects is None else objects
        if allocated is not None and any(b.block is not None and b.block.slots is not None for b in near):
            yield Assign(allocated, terms.store(allocated, address, terms.bv(0, 1)))

    def ghosts(self, steps: Iterable[tuple[Expire, str]]) -> set[Object]:
        """The objects whose ghosts somebody may hold, by what ends in which function."""
        found: set[Object] = set()
        for expire, function in steps:
            found.update(o for o in self._ending(expire, function) if self._holders(o, expire, function))
        return found

    def expire(self, expire: Expire, function: str) -> Iterator[Assign]:
        unit, terms = self._unit, self._terms
        for symbol in self._ending(expire, function):
            base, ghost = unit.address(symbol), unit.ghost(symbol)
            for holder in self._holders(symbol, expire, function):
                width, low = holder.sort.width, unit.slot(symbol)
                start = terms.extract(terms.bv(base, width), width - 1, low)
                leads = terms.eq(terms.extract(holder, width - 1, low), start)
                moved = terms.bit("bvadd", holder, terms.bv(ghost - base, width))
                if low > SLOT.bit_length() - 1:
                    moved = terms.bv(ghost, width)
                yield Assign(holder, terms.ite(leads, moved, holder))
        if expire.objects is None:
            counters = (b.calls for b in unit.allocations.values() if b.automatic and b.function == function)
            yield from (Assign(e, terms.const(0, e.sort)) for e in dict.fromkeys(counters) if e is not None)
        if Undefined.LEAK in unit.watched:
            yield from (Assign(term, terms.const(0, term.sort)) for term in self._gone(expire, function))

    def is_in_doubt(self, expire: Expire, function: str) -> bool:
        """Whether pointers to what ends may be in arrays, where they are not changed."""
        for array in (t for t in self._unit.objects if t.sort.element is not None):
            found = self._leads_to(array)
            ending = self._ending(expire, function)
            held = self._unit.holds_pointers(array) if found is None else not found.isdisjoint(ending)
            if held and ending:
                return True
        return False

    def _ending(self, expire: Expire, function: str) -> Sequence[Object]:
        """The objects that end and that pointers lead to."""
        addressed, blocks = self._unit.addressed, self._unit.allocations
        if expire.objects is not None:
            return [symbol for symbol in expire.objects if symbol in addressed]
        local = [o for o in addressed if o.function == function and not o.lasting]
        return [*local, *(o for o, block in blocks.items() if block.automatic and block.function == function)]

    def _holders(self, symbol: Object, expire: Expire, function: str) -> list[Term]:
        """The variables that may hold a pointer to an object when it ends, and that are still there afterwards."""
        if self._holding is None:
            self._find_holders()
        assert self._holding is not None
        own = set(symbol.parts.values())
        ends = {term for each in expire.objects or () for term in each.parts.values()} | own
        candidates = (*self._holding.get(symbol, ()), *self._anywhere)
        return [term for term in candidates if term not in ends and self._stays(term, expire, function)]

    def _stays(self, term: Term, expire: Expire, function: str) -> bool:
        """Whether a variable is still there after the end of a block of a function, or of its call."""
        holder, owner = self._unit.objects.get(term), self._unit.variables[term].function
        if expire.objects is not None and owner == function:
            return True
        if holder is None:
            return False
        if holder.lasting or owner == "" or holder.name == RESULT:
            return holder.name != RESULT or owner == function
        return holder.address_taken and owner != function

    def _find_holders(self) -> None:
        unit = self._unit
        self._holding = {}
        for term in list(unit.variables):
            if term in unit.opaque or not term.sort.is_bits or term.sort.width != unit.model.pointer_width:
                continue
            found = self._leads_to(term)
            if found is None:
                if self._unit.is_pointer(term):
                    self._anywhere.append(term)
            else:
                for symbol in found:
                    self._holding.setdefault(symbol, []).append(term)

    def _gone(self, expire: Expire, function: str) -> Iterator[Term]:
        """The variables of what ends that may hold the address of a block."""
        blocks = self._unit.allocations.keys()
        for term, symbol in list(self._unit.objects.items()):
            if not self._ends(symbol, expire, function):
                continue
            if not term.sort.is_bits or term.sort.width != self._unit.model.pointer_width:
                continue
            found = self._leads_to(term)
            holds = self._unit.is_pointer(term) if found is None else not found.isdisjoint(blocks)
            if holds:
                yield term

    def _ends(self, symbol: Object, expire: Expire, function: str) -> bool:
        """Whether an object ends that holds something until then."""
        if symbol.function != function or symbol.name == RESULT or symbol.temporary:
            return False
        if expire.objects is not None:
            return symbol in expire.objects
        block = self._unit.allocations.get(symbol)
        return not symbol.lasting or (block is not None and block.automatic)
