"""What demands on addresses come to, when the objects are known that an address may lead into (C11 6.2.4, 7.22.3).

Each object lies in a slot of its own, away from its ends: an address that misses the object by little is still in the
slot, and arithmetic that leaves the slot was refused before (``operators``). A block is allocated or not by a bit; an
object that has ended is followed by nobody who does not hold the address of its ghost (``ending``).

Law: where it is known which objects an address may lead into, a demand is false iff C does not allow the operation. Where
it is not, a demand that holds allows the operation, and nothing follows from one that does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from argosy.frontends.c.lower.points_to import Objects
from argosy.frontends.c.symbols import Object, Unit
from argosy.frontends.c.watching import Demand
from argosy.logic.terms import Term
from argosy.models.kinds import Undefined


class Validity:
    """``leads_to`` are the objects that an address may lead into, ``resolve`` puts in what loads stand for; ``ended`` are
    the objects whose ghosts somebody may hold."""

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
        """Whether it is not known where the address leads."""
        return self._leads_to(demand.address if demand.start is None else demand.start) is None

    def condition(self, demand: Term) -> Term:
        """The condition that a variable stands for."""
        known = self._known.get(demand)
        if known is None:
            known = self._known[demand] = self._made(self._unit.demands[demand])
        return known

    def _made(self, demand: Demand) -> Term:
        terms, address = self._terms, self._resolve(demand.address)
        found = self._leads_to(demand.address if demand.start is None else demand.start)
        objects = sorted(self._unit.addressed if found is None else found, key=self._unit.address)
        match demand.kind:
            case Undefined.FREED:
                return terms.conjunction(self._not_freed(address, objects))
            case Undefined.ENDED:
                ghosts = (self._unit.ghost(each) for each in objects if each in self._ended)
                return terms.conjunction(terms.not_(self._in_slot(address, ghost)) for ghost in ghosts)
            case Undefined.CONSTANT:
                fixed = (each for each in objects if each.constant)
                return terms.conjunction(terms.not_(self._in_slot(address, self._unit.address(o))) for o in fixed)
            case Undefined.FREE:
                null = terms.eq(address, terms.const(0, address.sort))
                return terms.disjunction((null, *self._freeable(address, objects)))
            case Undefined.POINTER:
                start = address if demand.start is None else self._resolve(demand.start)
                inside = (self._inside(address, each, 0, start) for each in objects)
                plain = terms.bit("bvult", start, terms.const(self._unit.first_address, start.sort))
                return terms.disjunction((plain, *inside))
        return terms.disjunction(self._inside(address, each, demand.size) for each in objects)

    def _in_slot(self, address: Term, start: int) -> Term:
        terms, width, low = self._terms, address.sort.width, self._unit.slot(start)
        return terms.eq(terms.extract(address, width - 1, low), terms.extract(terms.bv(start, width), width - 1, low))

    def _not_freed(self, address: Term, objects: Iterable[Object]) -> Iterable[Term]:
        terms = self._terms
        for each in objects:
            block = self._unit.allocations.get(each)
            if block is not None and block.allocated is not None:
                allocated = terms.eq(block.allocated, terms.bv(1, 1))
                yield terms.implies(self._in_slot(address, self._unit.address(each)), allocated)

    def _freeable(self, address: Term, objects: Iterable[Object]) -> Iterable[Term]:
        terms = self._terms
        for each in objects:
            block = self._unit.allocations.get(each)
            if block is not None and block.allocated is not None:
                start = terms.const(self._unit.address(each), address.sort)
                yield terms.and_(terms.eq(address, start), terms.eq(block.allocated, terms.bv(1, 1)))

    def _inside(self, address: Term, symbol: Object, size: int, start: Term | None = None) -> Term:
        """Whether so many bytes from an address on lie in an object, into whose slot ``start`` leads."""
        terms, whole, base = self._terms, self._unit.model.size(symbol.type), self._unit.address(symbol)
        near = terms.true if start is None else self._in_slot(start, base)
        if whole is None:
            # Of what other files define in another size nothing is known but where it starts.
            return terms.and_(near, terms.eq(address, terms.const(base, address.sort))) if size == 0 else terms.false
        if whole < size:
            return terms.false
        offset = terms.bit("bvsub", address, terms.const(base, address.sort))
        return terms.and_(near, terms.bit("bvule", offset, terms.const(whole - size, address.sort)))
