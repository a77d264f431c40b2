"""Predicates that claims about all elements are mostly made of, read off the text of a program.

Where a loop goes through an array by an index ``i``, what is said of ``i`` and of ``a[i]`` is said of one element after
the other; the claim says it of an arbitrary one, the cell ``k``: ``k < n`` for the condition ``i < n``, ``a[k] = 0``
for ``a[i] := 0`` and for ``assert(a[i] == 0)``, and beside that how far the loop has got, ``i <= k``. They are where a
precision starts; nothing depends on them but how soon a proof is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from argosy.basics.records import replace
from argosy.logic.sorts import BOOL, Sort
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts, postorder, substitute, variables
from argosy.models.cell_terms import CellTerms, Index, Splits, SymbolicCell, is_array
from argosy.models.cells import Cells
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Location
from argosy.models.effects import effect_of, solve
from argosy.models.focus import terms_of
from argosy.models.liveness import live_variables
from argosy.models.numbers import Numbers

# More predicates than that at a loop head are too many to begin with.
MOST = 14


def guessed(cfa: Cfa, made: Cells) -> dict[Location, tuple[Term, ...]]:
    """At each loop head, over the variables of ``made``, the cells of ``cfa``."""
    return _Guesses(cfa, made).found()


def as_numbers(made: Cells, found: Mapping[Location, tuple[Term, ...]]) -> dict[Location, tuple[Term, ...]]:
    """The same about numbers, as far as it can be said."""
    signed = {v.term: v.signed is True for v in made.cfa.variables if v.term.sort.is_bits}
    numbers = Numbers(made.cfa.terms, signed)
    said = {at: (numbers.condition(predicate) for predicate in some) for at, some in found.items()}
    return {at: tuple(p for p in some if p is not None and not p.is_const) for at, some in said.items()}


class _Guesses:
    def __init__(self, cfa: Cfa, made: Cells) -> None:
        self._cfa = cfa
        self._terms = cfa.terms
        self._made = made
        self._signed = {v.term: v.signed is True for v in made.cfa.variables}
        self._unknown: set[Term] = set()
        # Rows are walked through one after the other: beside those that are done there is the one that is begun.
        self._inner = {part for some in made.cells.values() for cell in some for part in cell.index[:-1]}
        self._rounds = self._conditions_of_rounds()
        self._images: dict[SymbolicCell, dict[Term, Term]] = {}
        self._walks: dict[Edge, list[tuple[Term, Term]]] = {}
        for edge in cfa.edges:
            for index in accessed(edge, made.splits):
                for cell in made.cells.get(tuple(part.sort for part in index), ()):
                    self._see(edge, index, cell)

    def _see(self, edge: Edge, index: Index, cell: SymbolicCell) -> None:
        for part, own in zip(index, cell.index, strict=True):
            if part.is_const or any(is_array(v) for v in variables(part)):
                continue
            self._walks.setdefault(edge, []).append((part, own))
            solved = solved_for(self._terms, part, own)
            if solved is not None:
                self._images.setdefault(cell, {}).setdefault(*solved)

    def _of_starts(self) -> Iterator[tuple[Term, Term]]:
        """An index that begins with a number is not below it, and neither is the cell; with the index."""
        for edge in self._cfa.edges:
            match edge.operation:
                case Assign(variable, value) if value.is_const:
                    for images in self._images.values():
                        if variable in images and variable.sort is not BOOL:
                            yield variable, self._at_most(value, variable, variable)
                            cell = next(iter(variables(images[variable])))
                            yield cell, self._at_most(value, images[variable], cell)

    def found(self) -> dict[Location, tuple[Term, ...]]:
        starts = [(of, bound) for of, bound in self._of_starts() if not bound.is_const]
        low = [bound for of, bound in starts if of not in self._cfa.variable_of]
        conditions = list(dict.fromkeys((*self._of_conditions(), *low)))
        everywhere = dict.fromkeys((*self._of_writes(), *self._together(conditions, low)))
        live = live_variables(self._cfa)
        order, ends = self._cfa.order, self._cfa.loop_ends
        result: dict[Location, tuple[Term, ...]] = {}
        for head in sorted(self._cfa.loop_heads, key=lambda head: head.index):
            body = range(order[head], ends[head] + 1)
            own: dict[Term, None] = {}
            for edge, walks in self._walks.items():
                if order.get(edge.source, -1) in body:
                    own.update((self._at_most(part, cell, cell), None) for part, cell in walks)
                    own.update((self._terms.eq(part, cell), None) for part, cell in walks if cell in self._inner)
                    walking = frozenset().union(*(variables(part) for part, _ in walks))
                    own.update((bound, None) for of, bound in starts if of in walking)
            for outer, literals in self._rounds.items():
                if outer is not head and order[head] in range(order[outer], ends[outer] + 1):
                    own.update(dict.fromkeys(literals))
            here = live[head].union(*(self._elements_of(live[head])), self._made.bound)
            some = dict.fromkeys((*own, *everywhere))
            result[head] = tuple(predicate for predicate in some if variables(predicate) <= here)[:MOST]
        return result

    def _elements_of(self, arrays: Iterable[Term]) -> Iterator[list[Term]]:
        for some in self._made.cells.values():
            for cell in some:
                yield [cell.elements[array] for array in arrays if array in cell.elements]

    def _together(self, conditions: list[Term], low: list[Term]) -> Iterator[Term]:
        """Where an index has several parts, what is said of all of them in turn is one predicate: that the cell is
        inside."""
        if not self._inner:
            yield from conditions
            return
        rounds = [literal for some in self._rounds.values() for literal in some]
        ranges: dict[Term, None] = {}
        for some in self._made.cells.values():
            for cell in some:
                images = (substitute(self._terms, literal, self._images.get(cell, {})) for literal in rounds)
                inside = [c for c in (*images, *low) if not c.is_const and variables(c) <= set(cell.index)]
                ranges.update(dict.fromkeys(inside))
                yield self._terms.conjunction(inside)
        said = {self._terms.not_(c) for c in ranges} | ranges.keys()
        yield from (condition for condition in conditions if condition not in said)

    def _conditions_of_rounds(self) -> dict[Location, list[Term]]:
        """For each loop head the literals under which the loop goes round once more."""
        order, ends = self._cfa.order, self._cfa.loop_ends
        found: dict[Location, list[Term]] = {}
        for head in self._cfa.loop_heads:
            for edge in self._cfa.leaving[head]:
                inside = order.get(edge.target, -1) in range(order[head], ends[head] + 1)
                if inside and isinstance(edge.operation, Assume):
                    plain = (c for c in conjuncts(edge.operation.condition) if not any(map(is_array, variables(c))))
                    found.setdefault(head, []).extend(plain)
        return found

    def _at_most(self, one: Term, other: Term, like: Term) -> Term:
        """The order of the numbers that the bits of ``like`` are meant to be."""
        if one.sort.is_bits:
            return self._terms.bit("bvsle" if self._signed[like] else "bvule", one, other)
        return self._terms.le(one, other)

    def _of_writes(self) -> Iterator[Term]:
        """Elements have the values that are written to them."""
        for edge in self._cfa.edges:
            for array, value in effect_of(self._terms, edge.operation).definitions:
                if is_array(array) and value.op == "store":
                    for cell in self._made.cells.get(self._made.splits.form(array.sort)[0], ()):
                        if array in cell.elements:
                            written = self._written(value, cell)
                            yield from self._said(cell, self._terms.eq(cell.elements[array], written))

    def _written(self, value: Term, cell: SymbolicCell) -> Term:
        """What a write writes, where that is at the cell."""
        known: list[Term] = []
        while value.op == "store" and len(known) < len(cell.index):
            known += self._made.splits(value.args[1])
            value = value.args[2]
        translate = self._translation()
        return translate(value, ((tuple(map(translate, known)), cell),))

    def _of_conditions(self) -> Iterator[Term]:
        """What is asked of an index or of an element there."""
        for edge in self._cfa.edges:
            for atom in postorder(*terms_of(replace(edge, checks=()))):
                if atom.sort is not BOOL or atom.op in ("and", "or", "not", "const", "var"):
                    continue
                for cell, images in self._images.items():
                    if images.keys().isdisjoint(variables(atom)):
                        continue
                    translate = self._translation()
                    known = tuple((tuple(map(translate, index)), cell) for index in accessed(edge, self._made.splits))
                    yield from self._said(cell, translate(atom, known))

    def _translation(self) -> CellTerms:
        return CellTerms(self._terms, self._made.splits, self._made.cells, self._fresh)

    def _fresh(self, array: Term | None, index: Index, sort: Sort) -> Term:
        name = self._terms.var(f"unknown{len(self._unknown)}@", sort)
        self._unknown.add(name)
        return name

    def _said(self, cell: SymbolicCell, formula: Term) -> Iterator[Term]:
        """The formula about the cell, if it is about nothing that is unknown."""
        terms = self._terms
        image = substitute(terms, formula, self._images.get(cell, {}))
        if image.op == "not":
            image = image.args[0]
        kept = self._made.cfa.variable_of.keys() - self._made.scratch
        about = variables(image)
        if not image.is_const and about <= kept and not about.isdisjoint((*cell.index, *cell.elements.values())):
            yield image


def accessed(edge: Edge, split: Splits) -> Iterator[Index]:
    """The indices at which an edge reads or writes elements."""
    for sub in postorder(*terms_of(edge)):
        index: list[Term] = []
        base = sub
        if sub.op == "store" and not is_array(sub.args[2]):
            index, base = list(split(sub.args[1])), sub.args[0]
        elif sub.op != "select" or is_array(sub):
            continue
        while base.op == "select":
            index[:0] = split(base.args[1])
            base = base.args[0]
        yield tuple(index)


def solved_for(terms: Terms, index: Term, cell: Term) -> tuple[Term, Term] | None:
    """A variable of ``index`` and its value where ``index`` is ``cell``."""
    value = cell
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
