"""What demands on addresses come to, when the objects are known that an address may lead into (C11 6.2.4, 7.22.3).

Each object lies in a slot of its own, away from its ends: an address that misses the object by little is still in the
slot, and arithmetic that leaves the slot was refused before (``operators``). A block is allocated or not by a bit; an
object that has ended is followed by nobody who does not hold the address of its ghost (``ending``).

Law: where it is known which objects an address may lead into, a demand is false iff C does not allow the operation.
Where it is not, a demand that holds allows the operation, and nothing follows from one that does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from argosy.frontends.c.lower.points_to import Objects
from argosy.frontends.c.memory import SLOT
from argosy.frontends.c.symbols import Object, Unit
from argosy.frontends.c.watching import Demand
from argosy.logic.terms import Term
from argosy.models.kinds import Undefined


class Validity:
    """``leads_to`` are the objects that an address may lead into, ``resolve`` puts in what loads stand for; ``ended``
    are the objects whose ghosts somebody may hold."""

    def __init__(
        self, unit: Unit, leads_to: Callable[[Term], Objects], resolve: Callable[[Term], Term], ended: set[Object]
    ) -> None:
        self._unit = unit
        self._terms = unit.terms
        self._leads_to = leads_to
        self._resolve = resolve
        self._ended = ended
        self._known: dict[Term, Term] = {}

    def is_open(self, demand: Demand) -> bool:
        """Whether it is not known where the address leads, or how large that is."""
        found = self._leads_to(demand.address if demand.start is None else demand.start)
        return found is None or any(self._unit.bytes_of(symbol) is None for symbol in found)

    def condition(self, demand: Term) -> Term:
        """The condition that a variable stands for."""
        known = self._known.get(demand)
        if known is None:
            known = self._known[demand] = self._made(self._unit.demands[demand])
        return known

    def certain(self, variable: Term) -> Term:
        """What is certain of a demand, wherever the address leads: null is followed, whatever a member's offset is."""
        demand = self._unit.demands[variable]
        if demand.kind is not Undefined.NULL:
            return self._terms.true
        pointer = demand.address
        while pointer in self._unit.bases:
            pointer = self._unit.bases[pointer]
        pointer = self._resolve(pointer)
        return self._terms.ne(pointer, self._terms.const(0, pointer.sort))

    def _made(self, demand: Demand) -> Term:
        terms, address = self._terms, self._resolve(demand.address)
        found = self._leads_to(demand.address if demand.start is None else demand.start)
        objects = sorted(self._unit.addressed if found is None else found, key=self._unit.address)
        match demand.kind:
            case Undefined.NULL:
                return terms.bit("bvule", terms.const(SLOT, address.sort), address)
            case Undefined.FREED:
                return terms.conjunction(self._not_freed(address, objects))
            case Undefined.ENDED:
                ghosts = (each for each in objects if each in self._ended)
                return terms.conjunction(terms.not_(self._at_ghost(address, each)) for each in ghosts)
            case Undefined.CONSTANT:
                fixed = (each for each in objects if each.constant)
                return terms.conjunction(terms.not_(self._in_slot(address, each)) for each in fixed)
            case Undefined.FAR:
                assert demand.start is not None and demand.amount is not None
                start, amount = self._resolve(demand.start), self._resolve(demand.amount)
                return terms.conjunction(self._near(start, address, amount, demand.size, objects))
            case Undefined.FREE:
                null = terms.eq(address, terms.const(0, address.sort))
                return terms.disjunction((null, *self._freeable(address, objects)))
            case Undefined.POINTER:
                start = address if demand.start is None else self._resolve(demand.start)
                inside = (self._inside(address, each, 0, start) for each in objects)
                plain = terms.bit("bvult", start, terms.const(self._unit.first_address, start.sort))
                return terms.disjunction((plain, *inside))
        return terms.disjunction(self._inside(address, each, demand.size) for each in objects)

    def _in_slot(self, address: Term, symbol: Object) -> Term:
        return self._shares(address, self._unit.address(symbol), self._unit.slot(symbol))

    def slot_of(self, address: Term) -> Term:
        """Where the slot begins that an address lies in, of blocks in any number."""
        return slot_of(self._unit, address)

    def _at_ghost(self, address: Term, symbol: Object) -> Term:
        return self._shares(address, self._unit.ghost(symbol), SLOT.bit_length() - 1)

    def _shares(self, address: Term, start: int, low: int) -> Term:
        terms, width = self._terms, address.sort.width
        return terms.eq(terms.extract(address, width - 1, low), terms.extract(terms.bv(start, width), width - 1, low))

    def _near(self, start: Term, end: Term, amount: Term, size: int, objects: Iterable[Object]) -> Iterator[Term]:
        """That arithmetic stays in the slot from which it starts, or where no object is."""
        terms, width = self._terms, start.sort.width
        first = terms.const(self._unit.first_address, start.sort)
        yield terms.implies(terms.bit("bvult", start, first), terms.bit("bvult", end, first))
        for each in objects:
            most = (1 << self._unit.slot(each)) // size
            short = (
                terms.bit("bvsle", terms.bv(-most, width), amount),
                terms.bit("bvsle", amount, terms.bv(most, width)),
            )
            own = self._in_slot(end, each)
            if each.block is not None and each.block.slots is not None:
                own = terms.eq(self.slot_of(start), self.slot_of(end))
            stays = terms.conjunction((own, *short))
            yield terms.implies(self._in_slot(start, each), stays)
            if each in self._ended:
                yield terms.implies(self._at_ghost(start, each), self._at_ghost(end, each))

    def _not_freed(self, address: Term, objects: Iterable[Object]) -> Iterable[Term]:
        terms = self._terms
        for each in objects:
            block = self._unit.allocations.get(each)
            if block is not None and block.allocated is not None:
                bit = block.allocated
                if block.any_number:
                    bit = terms.select(bit, self.slot_of(address))
                allocated = terms.eq(bit, terms.bv(1, 1))
                yield terms.implies(self._in_slot(address, each), allocated)

    def _freeable(self, address: Term, objects: Iterable[Object]) -> Iterable[Term]:
        terms = self._terms
        for each in objects:
            block = self._unit.allocations.get(each)
            if block is not None and block.any_number and block.allocated is not None:
                begins = terms.eq(address, self.slot_of(address))
                allocated = terms.eq(terms.select(block.allocated, address), terms.bv(1, 1))
                yield terms.conjunction((self._in_slot(address, each), begins, allocated))
            elif block is not None and block.allocated is not None:
                start = terms.const(self._unit.address(each), address.sort)
                yield terms.and_(terms.eq(address, start), terms.eq(block.allocated, terms.bv(1, 1)))

    def _inside(self, address: Term, symbol: Object, size: int, start: Term | None = None) -> Term:
        """Whether so many bytes from an address on lie in an object, into whose slot ``start`` leads."""
        terms, whole, base = self._terms, self._unit.bytes_of(symbol), self._unit.address(symbol)
        near = terms.true if start is None else self._in_slot(start, symbol)
        if symbol.block is not None and symbol.block.slots is not None:
            if start is not None:
                near = terms.and_(near, terms.eq(self.slot_of(start), self.slot_of(address)))
            near, base = terms.and_(near, self._in_slot(address, symbol)), 0
            address = terms.bit("bvsub", address, self.slot_of(address))
        if whole is None:
            # Of what other files define in another size nothing is known but where it starts.
            return terms.and_(near, terms.eq(address, terms.const(base, address.sort))) if size == 0 else terms.false
        offset = terms.bit("bvsub", address, terms.const(base, address.sort))
        if whole.op == "const":
            if whole.payload < size:
                return terms.false
            return terms.and_(near, terms.bit("bvule", offset, terms.const(whole.payload - size, address.sort)))
        whole = self._resolve(whole)
        own = terms.const(size, address.sort)
        room = terms.bit("bvsub", whole, own)
        return terms.conjunction((near, terms.bit("bvule", own, whole), terms.bit("bvule", offset, room)))


def slot_of(unit: Unit, address: Term) -> Term:
    """Where the slot begins that an address lies in, of blocks in any number: these all have one size."""
    terms, low = unit.terms, unit.any_slot.bit_length() - 1
    return terms.concat(terms.extract(address, address.sort.width - 1, low), terms.bv(0, low))
