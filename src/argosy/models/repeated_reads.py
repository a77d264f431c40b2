"""Where an element is read again: on every way since the last loop head it was read already, and neither the array
nor the index was written since (available expressions). ``models.cells`` takes the value that was read before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from argosy.logic.terms import Term
from argosy.logic.traverse import postorder, variables
from argosy.models.cell_terms import Index, Splits, is_array
from argosy.models.cfa import Cfa, Edge, Location, written
from argosy.models.focus import terms_of

Element = tuple[Term, Index]
"""An array and an index that reads no array itself."""


def reads(edge: Edge, splits: Splits) -> frozenset[Element]:
    return frozenset(
        (array, index)
        for array, index in elements_of(edge, splits)
        if not any(is_array(v) for part in index for v in variables(part))
    )


def repeated_reads(cfa: Cfa, splits: Splits) -> Mapping[Location, frozenset[Element]]:
    """At each location the elements whose values were read and are still the same; none at loop heads."""
    found: dict[Location, frozenset[Element]] = {cfa.initial: frozenset()}
    for location in sorted(cfa.order, key=cfa.order.__getitem__):
        ways = [_after(edge, found, splits) for edge in cfa.entering[location] if edge.source in cfa.order]
        stops = location in cfa.loop_heads or location is cfa.initial or not ways
        found[location] = frozenset() if stops else frozenset.intersection(*ways)
    return found


def _after(edge: Edge, known: Mapping[Location, frozenset[Element]], splits: Splits) -> frozenset[Element]:
    changed = set(written(edge.operation))
    return frozenset(
        (array, index)
        for array, index in known.get(edge.source, frozenset()) | reads(edge, splits)
        if array not in changed and not any(v in changed for part in index for v in variables(part))
    )


def elements_of(edge: Edge, split: Splits) -> Iterator[tuple[Term, Index]]:
    """The elements that an edge reads: array and index."""
    for term in terms_of(edge):
        yield from elements_in(term, split)


def elements_in(term: Term, split: Splits) -> Iterator[tuple[Term, Index]]:
    for sub in postorder(term):
        array, index = element_of(sub, split)
        if array is not None:
            yield array, index


def element_of(term: Term, split: Splits) -> tuple[Term | None, Index]:
    """The array that an element is read from, and where; None for what is no element of a variable."""
    if term.op != "select" or is_array(term):
        return None, ()
    index: list[Term] = []
    while term.op == "select":
        index[:0] = split(term.args[1])
        term = term.args[0]
    return (term, tuple(index)) if term.is_var else (None, ())
