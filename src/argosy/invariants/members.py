"""Guesses about members of one object: what the text asks of several members of a node together.

``invariants.objects`` says of each member by itself what is asked of it. Of a node of which two members are compared
(``order <= stock``), or asked for one after the other (``kind == 1 && size > 500``), the claim is about both: what is
asked through one pointer is said of every object that there is, each condition by itself and one or another of two.

An object is known by the address of the member that comes first in a guess: a proof takes the guess at the addresses
that a block reads and writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice

from argosy.basics.records import dataclass
from argosy.invariants.objects import ObjectRegion, regions
from argosy.logic.sorts import BOOL
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import postorder, substitute, variables
from argosy.models.cell_terms import is_array
from argosy.models.cfa import Assume, Cfa, Location
from argosy.models.focus import terms_of
from argosy.models.liveness import live_variables

# So many conditions are combined, and so many guesses are looked at for each loop head.
ATOMS = 10
MOST = 200


@dataclass(frozen=True, slots=True)
class AskedOfMembers:
    """A condition on members of the object to which a pointer leads: what is read, and how far behind the pointer."""

    atom: Term
    reads: tuple[tuple[Term, int], ...]

    def of(self, terms: Terms, address: Term, first: int) -> Term:
        """The condition on the object whose member ``first`` bytes behind its start lies at an address."""
        width = address.sort.width
        instead = {}
        for read, offset in self.reads:
            at = terms.bit("bvadd", address, terms.bv((offset - first) % (1 << width), width))
            instead[read] = terms.select(read.args[0], at if offset != first else address)
        return substitute(terms, self.atom, instead)

    @property
    def members(self) -> frozenset[tuple[Term, int]]:
        return frozenset((read.args[0], offset) for read, offset in self.reads)


def guessed(cfa: Cfa, bound: Sequence[Term]) -> dict[Location, tuple[Term, ...]]:
    """At each loop head; nothing where memory is not handed out object by object."""
    handed_out = regions(cfa)
    own = [variable for variable in bound if any(variable.sort is region.used.sort for region in handed_out)]
    if not own:
        return {}
    live, known = live_variables(cfa), {own[0], *(region.used for region in handed_out)}
    guesses = list(dict.fromkeys(_guesses(cfa.terms, _asked(cfa), handed_out, own[0])))
    return {
        head: tuple(islice((g for g in guesses if not g.is_const and variables(g) <= live[head] | known), MOST))
        for head in cfa.loop_heads
    }


def _guesses(
    terms: Terms, asked: Sequence[AskedOfMembers], handed_out: Iterable[ObjectRegion], address: Term
) -> Iterator[Term]:
    for region in handed_out:
        if region.used.sort is not address.sort:
            continue
        for some in (*((each,) for each in asked if len(each.members) > 1), *combinations(asked, 2)):
            if len(frozenset().union(*(each.members for each in some))) < 2:
                # Of one member by itself the other guesses say enough.
                continue
            first = some[0].reads[0][1]
            start = terms.bit("bvsub", address, terms.bv(first, address.sort.width))
            here = region.inside(terms, start)
            said = [each.of(terms, address, first) for each in some]
            for signs in range(1 << len(said)):
                clause = [s if signs >> number & 1 else terms.not_(s) for number, s in enumerate(said)]
                yield terms.implies(here, terms.disjunction(clause))


def _asked(cfa: Cfa) -> list[AskedOfMembers]:
    """What the text asks through one pointer, those conditions first that lead to the error."""
    found: dict[tuple[Term, frozenset[tuple[Term, int]]], AskedOfMembers] = {}
    distance = cfa.error_distance
    edges = (edge for edge in cfa.edges if isinstance(edge.operation, Assume) and edge.source in distance)
    for edge in sorted(edges, key=lambda edge: distance[edge.source]):
        for atom in postorder(*terms_of(edge)):
            asked = _taken_apart(atom) if atom.sort is BOOL and atom.op not in _CONNECTIVES else None
            if asked is not None:
                # The same condition through another pointer is the same.
                sign = asked.of(cfa.terms, cfa.terms.var("any object", asked.reads[0][0].args[1].sort), 0)
                found.setdefault((sign, asked.members), asked)
    return list(found.values())[:ATOMS]


_CONNECTIVES = ("and", "or", "not", "const", "var", "ite")


def _taken_apart(atom: Term) -> AskedOfMembers | None:
    reads = [sub for sub in postorder(atom) if sub.op == "select"]
    places = [_split(read.args[1]) for read in reads]
    plain = all(read.args[0].is_var and place is not None for read, place in zip(reads, places, strict=True))
    if not reads or not plain or len({place[0] for place in places if place is not None}) != 1:
        return None
    left = {read: read for read in reads}
    others = {v for v in variables(atom) if is_array(v)} - {read.args[0] for read in left}
    if others:
        return None
    return AskedOfMembers(
        atom, tuple((read, place[1]) for read, place in zip(reads, places, strict=True) if place is not None)
    )


def _split(index: Term) -> tuple[Term, int] | None:
    """A pointer, and how far behind it an address lies."""
    if not index.sort.is_bits or index.is_const:
        return None
    if index.op == "bvadd" and len(index.args) == 2:
        constants = [part for part in index.args if part.is_const]
        others = [part for part in index.args if not part.is_const]
        if len(constants) == 1:
            return others[0], int(constants[0].payload)
    return index, 0
