"""Guesses about all blocks whose lifetimes are kept account of: what is said of lists that are made and freed.

Where there is an array of bits that says of each address whether a block is allocated there, blocks are handed out as
``allocated[base | (chosen & slots)] := 1``. What keeps a list together then is that pointers, in variables and in
blocks, are null or lead to what is allocated; and what keeps it apart is an *inverse*: another array of addresses leads
back, ``allocated[k] -> next[k] = 0 or owner[next[k]] = k``, so that no two pointers lead to one block. Freeing the
first node of a list leaves all others what they were.

These are formulas about a variable ``k`` that the automaton does not have. Nothing depends on them but whether a proof
is found (``invariants.quantified`` drops what is not inductive).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice, product

from argosy.basics.records import dataclass
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import postorder, variables
from argosy.models.cfa import Cfa, Location
from argosy.models.effects import effect_of
from argosy.models.focus import terms_of
from argosy.models.liveness import live_variables

# So many guesses are looked at for each loop head, and about so many pointers; constants below are no addresses.
MOST = 600
POINTERS = 10
MOST_TOGETHER = 6
_LOWEST = 16


@dataclass(frozen=True, slots=True)
class Slots:
    """The addresses of a call: those that have the bits of ``base``, and any of ``slots``."""

    base: int
    slots: int

    def start(self, terms: Terms, address: Term) -> Term:
        """Where the slot begins that an address lies in."""
        low = (self.slots & -self.slots).bit_length() - 1
        return terms.concat(terms.extract(address, address.sort.width - 1, low), terms.bv(0, low))

    def holds(self, terms: Terms, address: Term) -> Term:
        width = address.sort.width
        low = (self.slots & -self.slots).bit_length() - 1
        high = self.slots.bit_length()
        top = terms.extract(address, width - 1, high)
        near = terms.eq(top, terms.extract(terms.bv(self.base, width), width - 1, high))
        return near if low == 0 else terms.and_(near, terms.eq(terms.extract(address, low - 1, 0), terms.bv(0, low)))


def has_lifetimes(cfa: Cfa) -> bool:
    return _allocated(cfa) is not None


def _allocated(cfa: Cfa) -> Term | None:
    """The array of bits in which blocks begin to be allocated."""
    begun = cfa.terms.bv(1, 1)
    for edge in cfa.edges:
        for variable, value in effect_of(cfa.terms, edge.operation).definitions:
            if value.op == "store" and value.args[0] is variable and value.args[2] is begun:
                return variable
    return None


def guessed(cfa: Cfa, bound: Sequence[Term]) -> dict[Location, tuple[Term, ...]]:
    """At each loop head; nothing where no lifetimes are kept account of. One of the variables that are ``bound`` is the
    address of any block."""
    allocated = _allocated(cfa)
    if allocated is None:
        return {}
    own = [variable for variable in bound if variable.sort is allocated.sort.index]
    return _Guesses(cfa, allocated, own[0]).found() if own else {}


class _Guesses:
    def __init__(self, cfa: Cfa, allocated: Term, block: Term) -> None:
        self._cfa = cfa
        self._terms = cfa.terms
        self._allocated = allocated
        self._block = block
        self._pointer = block.sort
        self._slots: dict[Slots, None] = {}
        self._offsets: dict[Term, dict[int, None]] = {}
        self._marks: dict[Term, dict[Term, None]] = {}
        for edge in cfa.edges:
            for term in postorder(*terms_of(edge)):
                self._look_at(term)

    def _look_at(self, term: Term) -> None:
        """Where blocks lie, where in them pointers lie, and which constants are stored that are no addresses."""
        if term.op == "bvor" and len(term.args) == 2:
            [*constants] = [part for part in term.args if part.is_const]
            [*chosen] = [part for part in term.args if part.op == "bvand"]
            masks = [part for each in chosen for part in each.args if part.is_const]
            if len(constants) == 1 and len(masks) == 1:
                self._slots.setdefault(Slots(int(constants[0].payload), int(masks[0].payload)))
        elif term.op in ("select", "store"):
            array = term.args[0]
            while array.op == "store":
                array = array.args[0]
            if array.is_var and array.sort.element is self._pointer and array.sort.index is self._pointer:
                self._offsets.setdefault(array, {}).setdefault(_offset(term.args[1]))
                if term.op == "store":
                    for part in postorder(term.args[2]):
                        if part.is_const and part.sort is self._pointer and 0 < int(part.payload) < _LOWEST:
                            self._marks.setdefault(array, {}).setdefault(part)

    def found(self) -> dict[Location, tuple[Term, ...]]:
        live = live_variables(self._cfa)
        result = {}
        for head in sorted(self._cfa.loop_heads, key=lambda head: head.index):
            here = live[head] | {self._block}
            pointers = self._pointers(live[head])
            some = dict.fromkeys((*self._of_variables(pointers), *self._of_blocks(pointers), *self._of_pairs(pointers)))
            result[head] = tuple(islice((g for g in some if not g.is_const and variables(g) <= here), MOST))
        return result

    # ---- what an address is -------------------------------------------------------------------------------

    def _is_allocated(self, address: Term) -> Term:
        return self._terms.eq(self._terms.select(self._allocated, address), self._terms.bv(1, 1))

    def _leads(self, address: Term) -> Iterator[Term]:
        """To a block that is allocated: of one call, or of any."""
        terms, places = self._terms, list(self._slots)
        if len(places) > 1:
            some = terms.disjunction(place.holds(terms, address) for place in places)
            yield terms.and_(some, self._is_allocated(address))
        for place in places:
            yield terms.and_(place.holds(terms, address), self._is_allocated(address))

    def _is_null(self, address: Term) -> Term:
        return self._terms.eq(address, self._terms.const(0, address.sort))

    def _pointers(self, live: Iterable[Term]) -> list[Term]:
        found = (variable for variable in live if variable.sort is self._pointer)
        return sorted(found, key=lambda v: v.id)[:POINTERS]

    def _of_variables(self, pointers: Sequence[Term]) -> Iterator[Term]:
        terms = self._terms
        for pointer in pointers:
            null = self._is_null(pointer)
            yield null
            yield terms.not_(null)
            yield from (terms.or_(null, leads) for leads in self._leads(pointer))
            for array, marks in self._marks.items():
                yield from (terms.or_(null, terms.eq(terms.select(array, pointer), mark)) for mark in marks)
            for array, offset in self._links():
                yield terms.or_(null, self._is_null(self._at(array, pointer, offset)))

    def _of_pairs(self, pointers: Sequence[Term]) -> Iterator[Term]:
        """What two variables have to do with each other: they are one, or one is behind the other."""
        terms = self._terms
        for one, other in combinations(pointers, 2):
            same = terms.eq(one, other)
            yield same
            yield terms.or_(self._is_null(one), terms.not_(same))
            for first, second in ((one, other), (other, one)):
                null = self._is_null(first)
                yield terms.or_(null, same)
                yield terms.or_(null, terms.not_(self._is_null(second)))
                for array, offset in self._links():
                    yield terms.or_(null, terms.eq(self._at(array, first, offset), second))
            if len(pointers) <= MOST_TOGETHER:
                others = (third for third in pointers if third is not one and third is not other)
                yield from (terms.or_(terms.not_(self._is_null(third)), same) for third in others)

    def _links(self) -> Iterator[tuple[Term, int]]:
        """Where pointers of the program lie in blocks."""
        for array, offsets in self._offsets.items():
            if array not in self._marks:
                yield from ((array, offset) for offset in offsets)

    def _at(self, array: Term, block: Term, offset: int) -> Term:
        width = block.sort.width
        return self._terms.select(array, self._terms.bit("bvadd", block, self._terms.bv(offset, width)))

    def _of_blocks(self, pointers: Sequence[Term]) -> Iterator[Term]:
        """What is said of every block that is allocated."""
        terms, block = self._terms, self._block
        here = self._is_allocated(block)
        inside = {place: terms.and_(here, place.holds(terms, block)) for place in self._slots}
        yield terms.implies(here, terms.disjunction(place.holds(terms, block) for place in self._slots))
        for array, marks in self._marks.items():
            for mark in marks:
                marked = terms.and_(here, terms.eq(terms.select(array, block), mark))
                for count in (0, 1, 2):
                    for some in combinations(pointers, count):
                        yield terms.implies(marked, terms.disjunction(terms.eq(block, each) for each in some))
                yield terms.implies(marked, terms.disjunction(terms.eq(block, each) for each in pointers))
            yield from self._led_back(array, list(marks))
            for pointer, (_, offset) in product(pointers, self._links()):
                cell = terms.bit("bvadd", pointer, terms.bv(offset, pointer.sort.width))
                none = terms.not_(terms.eq(terms.select(array, block), cell))
                yield terms.or_(self._is_null(pointer), terms.implies(here, none))
        for array, offset in self._links():
            value = self._at(array, block, offset)
            null = self._is_null(value)
            said = [*self._leads(value), *self._inverse(value, offset)]
            for guard in (*inside.values(), *((here,) if len(inside) > 1 else ())):
                yield terms.implies(guard, null)
                yield terms.implies(guard, terms.not_(null))
                yield from (terms.implies(guard, terms.or_(null, each)) for each in said)

    def _led_back(self, array: Term, marks: Sequence[Term]) -> Iterator[Term]:
        """What leads back to a block lies in a block that is allocated, and is a pointer to it."""
        terms, here = self._terms, self._is_allocated(self._block)
        back = terms.select(array, self._block)
        marked = terms.disjunction(terms.eq(back, mark) for mark in marks)
        starts = dict.fromkeys(place.start(terms, back) for place in self._slots)
        yield from (terms.implies(here, terms.or_(marked, self._is_allocated(start))) for start in starts)
        holders = [terms.eq(terms.select(each, back), self._block) for each in self._offsets if each not in self._marks]
        yield from (terms.implies(here, terms.or_(marked, holds)) for holds in holders)
        if len(holders) > 1:
            yield terms.implies(here, terms.or_(marked, *holders))

    def _inverse(self, value: Term, offset: int) -> Iterator[Term]:
        """Another array leads back from there, to the block or to the pointer in it."""
        terms, width = self._terms, self._pointer.width
        cell = terms.bit("bvadd", self._block, terms.bv(offset, width))
        yield from (terms.eq(terms.select(array, value), cell) for array in self._marks)
        yield from (terms.eq(self._at(array, value, other), self._block) for array, other in self._links())


def _offset(index: Term) -> int:
    """How far behind the start of a block a pointer lies."""
    if index.op == "bvadd":
        return sum(int(part.payload) for part in index.args if part.is_const)
    return 0
