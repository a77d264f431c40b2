"""Predicates about two symbolic cells, read off the text of a program: where an assertion reads at two indices.

``assert(a[j] == b[4 * j + 1])`` reads ``a`` at one cell, ``k``, and ``b`` at the other, ``l``. What it says of them is
``a[k] = b[l]``. Both indices are made of ``j``: so ``l = 4 * k + 1``, and what is not so is of no interest. A loop that
writes ``a[j] := b[i]`` does the one for the other where ``i = 4 * j + 1``. Where the indices have nothing in common, as
in ``a[i] <= a[j]``, the assertion is said of two cells, and nothing of how they are related.

As with all guesses, nothing depends on them but how soon a proof is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product

from argosy.basics.records import dataclass
from argosy.logic.sorts import BOOL
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import postorder, substitute, variables
from argosy.models.cell_terms import Index, Splits, SymbolicCell, counted, is_array
from argosy.models.cells import Cells
from argosy.models.cfa import Cfa, Edge, written
from argosy.models.effects import effect_of, solve
from argosy.models.focus import Focus, terms_of
from argosy.models.repeated_reads import element_of, elements_in, elements_of

# So many pairs of indices are looked at.
MOST_PAIRS = 4


@dataclass(frozen=True, slots=True, eq=False)
class CellPairs:
    """``said`` of two cells, ``linked`` where an equation relates their indices, with what follows for the indices of
    the program. ``arrays`` are those that matter of each cell, where they are linked."""

    said: tuple[Term, ...]
    linked: tuple[Term, ...]
    arrays: Mapping[SymbolicCell, frozenset[Term]]

    def matters(self, cell: SymbolicCell, array: Term) -> bool:
        return cell not in self.arrays or array in self.arrays[cell]


def pairs(cfa: Cfa, made: Cells) -> CellPairs:
    """What a program says of the two cells of each form, where there are two."""
    terms, split = cfa.terms, made.splits
    regions = Focus(cfa, split).reads(2)
    said: dict[Term, None] = {}
    linked: dict[Term, None] = {}
    arrays: dict[SymbolicCell, frozenset[Term]] = {}
    changing = _changing(cfa)
    for form, some in made.cells.items():
        if len(some) != 2:
            continue
        read: tuple[dict[Index, None], dict[Index, None]] = ({}, {})
        for looked in regions.values():
            for own, number, index in looked.reads:
                if own == form:
                    read[number].setdefault(index)
        equations: dict[Term, None] = {}
        solved: list[dict[Term, Term]] = []
        for one, other in islice(product(*read), MOST_PAIRS):
            images = _images(terms, (one, other), some)
            solved.append(images)
            equations.update(dict.fromkeys(_equations(terms, other, some, images, changing)))
            for edge in regions:
                said.update(dict.fromkeys(_assertions(terms, made, edge, (one, other), some, images)))
        if equations:
            matter = _mattering(cfa, split, regions, read)
            arrays.update(zip(some, matter, strict=True))
            linked.update(equations)
            for images in solved:
                linked.update(dict.fromkeys(_inside(terms, regions, images, some)))
            for edge in cfa.edges:
                linked.update(dict.fromkeys(_followed(terms, split, edge, some, matter, equations)))
    return CellPairs(tuple(said), tuple(linked), arrays)


def _images(terms: Terms, pair: Iterable[Index], cells: Iterable[SymbolicCell]) -> dict[Term, Term]:
    """The variables of the indices, where these are the indices of the cells; the first cell has the first word."""
    found: dict[Term, Term] = {}
    for index, cell in zip(pair, cells, strict=True):
        for part, own in zip(index, cell.index, strict=True):
            solved = solved_for(terms, part, own)
            if solved is not None:
                found.setdefault(*solved)
    return found


def _equations(
    terms: Terms,
    index: Index,
    cells: tuple[SymbolicCell, ...],
    images: Mapping[Term, Term],
    changing: frozenset[Term],
) -> Iterator[Term]:
    """The parts of the second index in terms of the first cell, where they are that, and what no loop changes."""
    one, other = cells
    for part, own in zip(index, other.index, strict=True):
        image = substitute(terms, part, images)
        about = variables(image)
        if not about.isdisjoint(one.index) and about.isdisjoint(changing | set(other.index)):
            yield terms.eq(own, image)


def _changing(cfa: Cfa) -> frozenset[Term]:
    """The variables that some loop writes."""
    order, ends = cfa.order, cfa.loop_ends
    inside = [range(order[head], ends[head] + 1) for head in cfa.loop_heads]
    edges = [edge for edge in cfa.edges if any(order.get(edge.source, -1) in body for body in inside)]
    return frozenset(variable for edge in edges for variable in written(edge.operation))


def _assertions(
    terms: Terms,
    made: Cells,
    edge: Edge,
    pair: tuple[Index, Index],
    cells: tuple[SymbolicCell, ...],
    images: Mapping[Term, Term],
) -> Iterator[Term]:
    """What an edge asks of elements at both indices."""
    places = dict(zip(pair, cells, strict=True))
    for atom in postorder(*terms_of(edge)):
        if atom.sort is not BOOL or atom.op in ("and", "or", "not", "const", "var"):
            continue
        elements: dict[Term, Term] = {}
        seen: set[SymbolicCell] = set()
        for sub in postorder(atom):
            array, index = element_of(sub, made.splits)
            if array is not None and index in places and array in places[index].elements:
                elements[sub] = places[index].elements[array]
                seen.add(places[index])
        if len(seen) < 2:
            continue
        image = substitute(terms, _replaced(terms, atom, elements), images)
        if variables(image) <= made.cfa.variable_of.keys():
            yield image.args[0] if image.op == "not" else image


def _inside(
    terms: Terms, regions: Iterable[Edge], images: Mapping[Term, Term], cells: tuple[SymbolicCell, ...]
) -> Iterator[Term]:
    """What is demanded of an index is so of the cell, or what is read there is of no interest: an equation between
    words holds of other numbers than are meant."""
    indices = {part for cell in cells for part in cell.index}
    for edge in regions:
        for atom in postorder(*(check.condition for check in edge.checks)):
            if atom.sort is BOOL and atom.op not in ("and", "or", "not", "const", "var"):
                image = substitute(terms, atom, images)
                if variables(image) and variables(image) <= indices and not any(part.args for part in image.args):
                    yield image


def _replaced(terms: Terms, term: Term, images: Mapping[Term, Term]) -> Term:
    done: dict[Term, Term] = {}
    for sub in postorder(term):
        if sub in images:
            done[sub] = images[sub]
        elif sub.args:
            done[sub] = terms.app(sub.op, tuple(done[argument] for argument in sub.args), sub.payload, sub.sort)
        else:
            done[sub] = sub
    return done[term]


def _mattering(
    cfa: Cfa, split: Splits, regions: Iterable[Edge], read: tuple[Mapping[Index, None], ...]
) -> list[frozenset[Term]]:
    """Of each cell the arrays that the assertion reads there, and those that their elements are copied from."""
    found: list[set[Term]] = [set(), set()]
    for edge in regions:
        for array, index in elements_of(edge, split):
            for own, places in zip(found, read, strict=True):
                if index in places:
                    own.add(array)
    before = -1
    while before != (before := sum(map(len, found))):
        for edge in cfa.edges:
            for array, value in effect_of(cfa.terms, edge.operation).definitions:
                if not is_array(array):
                    continue
                written = [split(sub.args[1]) for sub in postorder(value) if sub.op == "store"]
                for number, own in enumerate(found):
                    if array in own:
                        for source, index in elements_in(value, split):
                            found[number if index in written else 1 - number].add(source)
                        own.update(_whole(value))
    return [frozenset(own) for own in found]


def _whole(value: Term) -> Iterator[Term]:
    """The arrays that an array may be but for some writes."""
    match value.op:
        case "var":
            yield value
        case "store":
            yield from _whole(value.args[0])
        case "ite":
            for way in value.args[1:]:
                yield from _whole(way)


def _followed(
    terms: Terms,
    split: Splits,
    edge: Edge,
    cells: tuple[SymbolicCell, ...],
    matter: list[frozenset[Term]],
    equations: Iterable[Term],
) -> Iterator[Term]:
    """An edge that writes at one cell what it reads at the other: the equations hold of its indices."""
    for array, value in effect_of(terms, edge.operation).definitions:
        if not is_array(array) or value.op != "store":
            continue
        place = split(value.args[1])
        for source, index in elements_in(value, split):
            for one, other in ((0, 1), (1, 0)):
                if array in matter[one] and source in matter[other] and index != place and len(index) == len(place):
                    images = dict(zip(cells[one].index, place, strict=True))
                    images.update(zip(cells[other].index, index, strict=True))
                    yield from (substitute(terms, equation, images) for equation in equations)


def solved_for(terms: Terms, index: Term, cell: Term) -> tuple[Term, Term] | None:
    """A variable of ``index`` and its value where ``index`` is ``cell``."""
    index, value = counted(terms, index, cell)
    while not index.is_var:
        match index.op:
            case "zero_extend" | "sign_extend":
                index = index.args[0]
                value = terms.extract(value, index.sort.width - 1, 0)
            case "bvadd" | "bvsub" if index.args[1].is_const:
                value = terms.bit("bvsub" if index.op == "bvadd" else "bvadd", value, index.args[1])
                index = index.args[0]
            case "bvadd" if index.args[0].is_const:
                value = terms.bit("bvsub", value, index.args[0])
                index = index.args[1]
            case "+" | "*":
                equation = terms.eq(index, cell)
                for variable in sorted(variables(index), key=lambda v: v.id):
                    solution = solve(terms, equation, variable)
                    if solution is not None and variables(solution) == {cell}:
                        return variable, solution
                return None
            case _:
                return None
    return index, value
