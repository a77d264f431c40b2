"""Which reads of arrays symbolic cells look at, and how their indices and elements are read as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from argosy.basics.records import dataclass
from argosy.logic.sorts import Sort
from argosy.logic.terms import Term
from argosy.logic.traverse import postorder
from argosy.models.cell_terms import Index, Splits, counted, is_array
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Relation, Variable
from argosy.models.numbers import Numbers, common_view

Form = tuple[Sort, ...]


@dataclass(frozen=True, slots=True)
class Looked:
    """An edge of the region of the error: whether it ``enters`` the region, and its reads, each with the number of the
    cell that looks at it."""

    enters: bool
    reads: tuple[tuple[Form, int, Index], ...]


class Focus:
    """The reads on the paths to the error from the last loop head, or from the start. They are numbered for each edge
    into the error, from the error backwards: what is read at the same index, as a term, has the same number."""

    def __init__(self, cfa: Cfa, splits: Splits) -> None:
        self._cfa = cfa
        self._split = splits
        self._stops = cfa.loop_heads | {cfa.initial}
        self._numbered = [self._number(edge) for edge in cfa.entering[cfa.error]]

    def _number(self, last: Edge) -> dict[Edge, list[tuple[Form, int, Index]]]:
        found: dict[Edge, list[tuple[Form, int, Index]]] = {}
        numbers: dict[Form, dict[Index, int]] = {}
        waiting = [last]
        for edge in waiting:
            if edge in found:
                continue
            reads = found[edge] = []
            for index in dict.fromkeys(read_indices(edge, self._split)):
                form = tuple(part.sort for part in index)
                own = numbers.setdefault(form, {})
                reads.append((form, own.setdefault(index, len(own)), index))
            if edge.source not in self._stops:
                waiting += self._cfa.entering[edge.source]
        return found

    @property
    def most(self) -> int:
        """At how many indices a path to the error reads, at most."""
        return max((n + 1 for some in self._numbered for reads in some.values() for _, n, _ in reads), default=0)

    def reads(self, cells: int) -> Mapping[Edge, Looked]:
        """What each edge of the region reads that so many cells look at."""
        found: dict[Edge, dict[tuple[Form, int, Index], None]] = {}
        for some in self._numbered:
            for edge, reads in some.items():
                found.setdefault(edge, {}).update((read, None) for read in reads if read[1] < cells)
        return {edge: Looked(edge.source in self._stops, tuple(reads)) for edge, reads in found.items()}


def read_indices(edge: Edge, split: Splits) -> Iterator[Index]:
    """The indices at which an edge reads elements, as terms."""
    for sub in postorder(*terms_of(edge)):
        if sub.op == "select" and not is_array(sub):
            index: list[Term] = []
            while sub.op == "select":
                index[:0] = split(sub.args[1])
                sub = sub.args[0]
            if sub.op != "const-array":
                yield tuple(index)


def terms_of(edge: Edge) -> Iterable[Term]:
    for check in edge.checks:
        yield check.condition
    match edge.operation:
        case Assume(term) | Assign(_, term) | Relation(term, _):
            yield term


def all_indices(cfa: Cfa) -> Iterator[Term]:
    """The indices at which arrays are read or written, anywhere."""
    for edge in cfa.edges:
        for sub in postorder(*terms_of(edge)):
            if sub.op in ("select", "store"):
                yield sub.args[1]


class Signs:
    """Whether the bits of indices and elements are meant as signed numbers, from what they are computed from."""

    def __init__(self, cfa: Cfa, split: Splits) -> None:
        signed = {v.term: v.signed is True for v in cfa.variables if v.term.sort.is_bits}
        for edge in cfa.edges:
            if isinstance(edge.operation, Relation):
                signed.update((new, signed[old]) for old, new in edge.operation.primed if old in signed)
        numbers = Numbers(cfa.terms, signed)
        self._indices: dict[Sort, bool | None] = {}
        self._elements: dict[Term, bool | None] = {}
        for edge in cfa.edges:
            for sub in postorder(*terms_of(edge)):
                if sub.op in ("select", "store") and sub.args[1].sort.is_bits:
                    for part in split(sub.args[1]):
                        number, _ = counted(cfa.terms, part, part)
                        self._indices[part.sort] = common_view(self._indices.get(part.sort), numbers.view(number))
                if sub.op == "store" and sub.args[2].sort.is_bits:
                    base = sub
                    while base.op == "store":
                        base = base.args[0]
                    self._elements[base] = common_view(self._elements.get(base), numbers.view(sub.args[2]))

    def index(self, sort: Sort) -> bool:
        return self._indices.get(sort) is not False

    def element(self, array: Variable) -> bool:
        if array.signed is not None:
            return array.signed
        return self._elements.get(array.term) is not False
