"""Guesses about all objects that a program has made: what is said of lists, trees and pools without a bound.

Memory that is handed out by a counter (``p = base + used; used += size``, as ``malloc`` does in a model without a
bound, or a program's own pool) is a *region*. What keeps a list together is that every pointer, in a variable or in an
object, is null or leads to an object of a region; what is claimed of its nodes is mostly what is asked of them in the
text, of every object that there is: ``inside(k) -> next[k] = 0 or inside(next[k])``, ``inside(k) -> value[k] > 0``.

These are formulas about a symbolic cell ``k`` and its elements (``models.cells``). Nothing depends on them but whether
a proof is found (``invariants.houdini`` drops what is not inductive).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import islice
from math import gcd

from argosy.basics.records import dataclass
from argosy.logic.sorts import BOOL
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import postorder, substitute, variables
from argosy.models.cell_predicates import accessed
from argosy.models.cell_terms import is_array
from argosy.models.cells import Cells
from argosy.models.cfa import Assume, Cfa, Location, written
from argosy.models.effects import effect_of
from argosy.models.focus import terms_of
from argosy.models.liveness import live_variables

# So many guesses are looked at for each loop head, and so many atoms of the text and known addresses among them.
MOST = 240
ATOMS = 16
ADDRESSES = 6

# What lies below is no address of an object.
_LOWEST = 0x10000


@dataclass(frozen=True, slots=True)
class ObjectRegion:
    """``base + used`` is the next address that is handed out; all are multiples of ``step`` beyond the base."""

    base: int
    used: Term
    step: int

    def inside(self, terms: Terms, address: Term) -> Term:
        """That the address is that of an object which there is."""
        offset = terms.bit("bvsub", address, terms.bv(self.base, address.sort.width))
        found = terms.bit("bvult", offset, self.used)
        if self.step > 1:
            low = self.step.bit_length() - 2
            found = terms.and_(found, terms.eq(terms.extract(offset, low, 0), terms.bv(0, low + 1)))
        return found


def regions(cfa: Cfa) -> list[ObjectRegion]:
    """The counters that addresses are made of."""
    defined = _definitions(cfa)
    found: dict[tuple[Term, int], ObjectRegion] = {}
    for used, values in defined.items():
        steps = [by for value in values if (by := _constant_beside(used, value))]
        counts = used.sort.is_bits and steps and all(v.is_const or _constant_beside(used, v) for v in values)
        if not counts:
            continue
        for other, those in defined.items():
            for value in those:
                base = None if other is used else _constant_beside(used, value)
                if base is not None and base >= _LOWEST:
                    step = reduce(gcd, steps)
                    found.setdefault((used, base), ObjectRegion(base, used, step & -step))
    return list(found.values())


def _definitions(cfa: Cfa) -> dict[Term, list[Term]]:
    """What each variable is given anywhere; itself where that is any value."""
    found: dict[Term, list[Term]] = {}
    for edge in cfa.edges:
        values = dict(effect_of(cfa.terms, edge.operation).definitions)
        for variable in written(edge.operation):
            found.setdefault(variable, []).append(values.get(variable, variable))
    return found


def _constant_beside(variable: Term, value: Term) -> int | None:
    """The number that is added to the variable."""
    if value.op == "bvadd" and len(value.args) == 2 and variable in value.args:
        [other] = [part for part in value.args if part is not variable] or [variable]
        return int(other.payload) if other.is_const else None
    return None


def guessed(cfa: Cfa, made: Cells) -> dict[Location, tuple[Term, ...]]:
    """At each loop head of ``cfa``, about the cells that stand for its arrays; nothing where there is no region."""
    return _Guesses(cfa, made).found()


class _Guesses:
    def __init__(self, cfa: Cfa, made: Cells) -> None:
        self._cfa = cfa
        self._terms = cfa.terms
        self._made = made
        self._regions = regions(cfa)
        self._defined = _definitions(cfa)
        self._addresses = list(islice(self._constants(), ADDRESSES))
        self._offsets: dict[Term, dict[int, None]] = {}
        for edge in cfa.edges:
            for array, index in accessed(edge, made.splits):
                if array is not None and len(index) == 1:
                    self._offsets.setdefault(array, {}).setdefault(_offset(index[0]))
        self._atoms = list(dict.fromkeys(self._conditions()))

    def found(self) -> dict[Location, tuple[Term, ...]]:
        if not self._regions:
            return {}
        live = live_variables(self._cfa)
        result: dict[Location, tuple[Term, ...]] = {}
        for head in sorted(self._cfa.loop_heads, key=lambda head: head.index):
            elements = {
                e for some in self._made.cells.values() for c in some for a, e in c.elements.items() if a in live[head]
            }
            here = live[head] | elements | set(self._made.bound) | {region.used for region in self._regions}
            some = dict.fromkeys(
                (*self._of_counters(), *self._of_pointers(live[head]), *self._of_elements(live[head]), *self._of_text())
            )
            result[head] = tuple(g for g in some if not g.is_const and variables(g) <= here)[:MOST]
        return result

    def _of_counters(self) -> Iterator[Term]:
        terms = self._terms
        for region in self._regions:
            if region.step > 1:
                low = region.step.bit_length() - 2
                yield terms.eq(terms.extract(region.used, low, 0), terms.bv(0, low + 1))

    def _of_pointers(self, live: Iterable[Term]) -> Iterator[Term]:
        """Every variable that may be a pointer is null, or leads to an object."""
        counters = {region.used for region in self._regions}
        for variable in sorted(live, key=lambda v: v.id):
            if variable not in counters:
                yield from self._leads(variable)

    def _leads(self, value: Term) -> Iterator[Term]:
        terms = self._terms
        own = [region.inside(terms, value) for region in self._regions if region.used.sort is value.sort]
        if not own:
            return
        null = terms.eq(value, terms.bv(0, value.sort.width))
        known = [terms.eq(value, terms.bv(address, value.sort.width)) for address in self._addresses]
        yield terms.or_(null, *own, *known)
        yield terms.or_(*own, *known)
        if known or len(own) > 1:
            for inside in own:
                yield terms.or_(null, inside)
                yield inside

    def _of_elements(self, live: Iterable[Term]) -> Iterator[Term]:
        """What is said of an element, of all objects that there are."""
        arrays = set(live)
        for form, some in self._made.cells.items():
            for cell in some:
                if len(form) != 1 or not form[0].is_bits:
                    continue
                for array, element in cell.elements.items():
                    if array in arrays:
                        said = list(dict.fromkeys((*self._leads(element), *self._said(array, element))))
                        for guard in self._guards(array, cell.index[0]):
                            yield from (self._terms.implies(guard, formula) for formula in said if not formula.is_const)

    def _guards(self, array: Term, index: Term) -> Iterator[Term]:
        for region in self._regions:
            if region.used.sort is index.sort:
                for offset in self._offsets.get(array, ()):
                    start = self._terms.bit("bvsub", index, self._terms.bv(offset, index.sort.width))
                    yield region.inside(self._terms, start)

        own = [region for region in self._regions if region.used.sort is index.sort]
        for offset in self._offsets.get(array, ()) if own and self._addresses else ():
            # A list may have nodes that are made by themselves, such as its first one.
            start = self._terms.bit("bvsub", index, self._terms.bv(offset, index.sort.width))
            known = (self._terms.eq(start, self._terms.bv(each, index.sort.width)) for each in self._addresses)
            yield self._terms.disjunction((*(region.inside(self._terms, start) for region in own), *known))

    def _said(self, array: Term, element: Term) -> Iterator[Term]:
        """What is asked of an element, what is asked of what is written there, and the numbers that are written."""
        terms = self._terms
        constants: dict[Term, None] = {}
        asked: list[tuple[Term, Term]] = []
        for value in self._stored(array):
            if value.is_const:
                constants.setdefault(terms.eq(element, value))
            elif value.is_var:
                yield terms.eq(element, value)
                asked.append((value, element))
        yield from constants
        if len(constants) > 1:
            yield terms.or_(*constants)
        for atom in self._atoms:
            reads = [sub for sub in postorder(atom) if sub.op == "select" and sub.args[0] is array]
            instead = (
                dict.fromkeys(reads, element) if reads else {old: new for old, new in asked if old in variables(atom)}
            )
            about = substitute(terms, atom, instead) if instead else None
            if about is not None and not any(is_array(v) for v in variables(about)):
                yield about
                yield terms.not_(about)

    def _stored(self, array: Term) -> Iterator[Term]:
        for value in self._defined.get(array, ()):
            while value.op == "store":
                yield value.args[2]
                value = value.args[0]

    def _conditions(self) -> Iterator[Term]:
        for edge in self._cfa.edges:
            if isinstance(edge.operation, Assume):
                for atom in postorder(*terms_of(edge)):
                    if atom.sort is BOOL and atom.op not in ("and", "or", "not", "const", "var", "ite"):
                        yield atom

    def _of_text(self) -> Iterator[Term]:
        plain = (atom for atom in self._atoms if not any(is_array(v) for v in variables(atom)))
        for atom in islice(plain, ATOMS):
            yield atom
            yield self._terms.not_(atom)

    def _constants(self) -> Iterator[int]:
        """Addresses of objects that have one of their own."""
        sorts = {region.used.sort for region in self._regions}
        values = (v for some in self._defined.values() for v in some)
        stored = (v for array in self._defined if is_array(array) for v in self._stored(array))
        numbers = dict.fromkeys(
            int(value.payload)
            for source in (values, stored)
            for value in source
            if value.is_const and value.sort in sorts
        )
        yield from (number for number in numbers if number >= _LOWEST)


def _offset(index: Term) -> int:
    """How far behind the start of an object an element lies."""
    if index.op == "bvadd":
        return sum(int(part.payload) for part in index.args if part.is_const)
    return 0
