"""Predicates that claims about all elements are mostly made of, read off the text of a program.

Where a loop goes through an array by an index ``i``, what is said of ``i`` and of ``a[i]`` is said of one element after
the other; the claim says it of an arbitrary one, the cell ``k``: ``k < n`` for the condition ``i < n``, ``a[k] = 0``
for ``a[i] := 0`` and for ``assert(a[i] == 0)``, and beside that how far the loop has got, ``i <= k``. They are where a
precision starts; nothing depends on them but how soon a proof is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, permutations, product

from argosy.basics.records import replace
from argosy.logic.semantics import signed
from argosy.logic.sorts import BOOL, Sort
from argosy.logic.terms import Term
from argosy.logic.traverse import conjuncts, postorder, substitute, variables
from argosy.models.cell_pairs import pairs, solved_for
from argosy.models.cell_terms import CellTerms, Index, Splits, SymbolicCell, counted, is_array
from argosy.models.cells import Cells
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Location, written
from argosy.models.effects import effect_of
from argosy.models.focus import terms_of
from argosy.models.liveness import live_variables
from argosy.models.numbers import Numbers

# More predicates than that at a loop head are too many to begin with.
MOST = 14
FLAGS = 3

_ORDERS = frozenset(("bvult", "bvule", "bvslt", "bvsle", "<", "<="))


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
        # The number of an element, and that of the cell.
        self._walks: dict[Edge, list[tuple[Term, Term]]] = {}
        self._pairs = pairs(cfa, made)
        for edge in cfa.edges:
            for array, index in accessed(edge, made.splits):
                for cell in made.cells.get(tuple(part.sort for part in index), ()):
                    if array is None or self._pairs.matters(cell, array):
                        self._see(edge, index, cell)
        # The variables that are given different numbers, and nothing else, at different places.
        values: dict[Term, set[Term]] = {}
        for edge in cfa.edges:
            defined = dict(effect_of(self._terms, edge.operation).definitions)
            for variable in written(edge.operation):
                values.setdefault(variable, set()).add(defined.get(variable, variable))
        self._set = {v for v, some in values.items() if len(some) > 1 and all(each.is_const for each in some)}
        self._walking = {v for walks in self._walks.values() for part, _ in walks for v in variables(part)}

    def _see(self, edge: Edge, index: Index, cell: SymbolicCell) -> None:
        for part, own in zip(index, cell.index, strict=True):
            if part.is_const or any(is_array(v) for v in variables(part)):
                continue
            self._walks.setdefault(edge, []).append(counted(self._terms, part, own))
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
                            image = images[variable]
                            cell = next(iter(variables(image)))
                            yield cell, self._at_most(value, image, image if image.sort is not cell.sort else cell)

    def found(self) -> dict[Location, tuple[Term, ...]]:
        starts = [(of, bound) for of, bound in self._of_starts() if not bound.is_const]
        low = [bound for of, bound in starts if of not in self._cfa.variable_of]
        conditions = list(dict.fromkeys((*self._of_conditions(), *low)))
        everywhere = dict.fromkeys((*self._of_writes(), *self._together(conditions, low)))
        both = (*self._pairs.said, *self._pairs.linked, *islice(dict.fromkeys(self._flags()), FLAGS))
        settled = tuple(self._settled())
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
            some = dict.fromkeys((*both, *self._kept(body), *self._in_step(body), *own, *everywhere, *settled))
            result[head] = tuple(predicate for predicate in some if variables(predicate) <= here)[:MOST]
        return result

    def _settled(self) -> Iterator[Term]:
        """Bounds of numbers that no loop changes and that accesses depend on, such as the size of a block: what was
        asked of them before holds as long as they do."""
        order, ends = self._cfa.order, self._cfa.loop_ends
        inside = {at for head in self._cfa.loop_heads for at in range(order[head], ends[head] + 1)}
        looping = {edge for edge in self._cfa.edges if order.get(edge.source, -1) in inside}
        changed = {variable for edge in looping for variable in written(edge.operation)}
        limits = {v for edge in self._walks for check in edge.checks for v in variables(check.condition)} - changed
        for edge in self._cfa.edges:
            if edge not in looping and isinstance(edge.operation, Assume):
                for atom in postorder(edge.operation.condition):
                    if atom.op in _ORDERS and variables(atom) <= limits:
                        yield atom

    def _flags(self) -> Iterator[Term]:
        """What a loop has found out about elements is mostly kept as a number that is asked for later."""
        for edge in self._cfa.edges:
            if isinstance(edge.operation, Assume):
                for atom in conjuncts(edge.operation.condition):
                    atom = atom.args[0] if atom.op == "not" else atom
                    about = variables(atom)
                    if atom.op == "=" and len(about) == 1 and any(part.is_const for part in atom.args):
                        [variable] = about
                        if variable in self._set and variable not in self._walking:
                            yield atom

    def _kept(self, body: range) -> Iterator[Term]:
        """An index that a loop leaves alone keeps the number that it was given for a later one."""
        order, ends = self._cfa.order, self._cfa.loop_ends
        around = [range(order[head], ends[head] + 1) for head in self._cfa.loop_heads]
        outer = min((some for some in around if body.start in some), key=lambda some: some.start)
        inside = [edge for edge in self._cfa.edges if order.get(edge.source, -1) in outer]
        changed = {variable for edge in inside for variable in written(edge.operation)}
        for edge in self._cfa.edges:
            match edge.operation:
                case Assign(variable, value) if value.is_const and variable in self._walking - changed:
                    if order.get(edge.source, body.start) < body.start:
                        yield self._terms.eq(variable, value)

    def _in_step(self, body: range) -> Iterator[Term]:
        """Two numbers that a loop counts by constants, of which one is an index: how they are related."""
        order, terms = self._cfa.order, self._terms
        started: dict[Term, tuple[int, Term]] = {}
        stepped: dict[Term, list[int | None]] = {}
        for edge in self._cfa.edges:
            at = order.get(edge.source, body.stop)
            defined = dict(effect_of(terms, edge.operation).definitions)
            for variable in written(edge.operation):
                value = defined.get(variable)
                if at in body:
                    stepped.setdefault(variable, []).append(None if value is None else _step(variable, value))
                elif at < body.start and value is not None and at >= started.get(variable, (-1, value))[0]:
                    started[variable] = at, value
        counted = {v: steps[0] for v, steps in stepped.items() if len(steps) == 1 and steps[0] and v in started}
        for (one, by), (other, step) in permutations(counted.items(), 2):
            starts = started[one][1], started[other][1]
            fits = one.sort is other.sort and all(start.is_const for start in starts)
            if not fits or self._walking.isdisjoint((one, other)) or not by or not step or by % step:
                continue
            if by != step or one.id < other.id:
                yield self._line(one, other, by // step, starts)

    def _line(self, one: Term, other: Term, factor: int, starts: tuple[Term, Term]) -> Term:
        terms, sort = self._terms, one.sort
        offset = int(starts[0].payload) - factor * int(starts[1].payload)
        if sort.is_bits:
            many = terms.bit("bvmul", other, terms.bv(factor, sort.width))
            return terms.eq(one, terms.bit("bvadd", many, terms.bv(offset, sort.width)))
        return terms.eq(one, terms.add(terms.mul(terms.const(factor, sort), other), terms.const(offset, sort)))

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
        """The order of the numbers that the bits of ``like`` are meant to be; an extended cell has no sign."""
        if one.sort.is_bits:
            return self._terms.bit("bvsle" if self._signed.get(like) else "bvule", one, other)
        return self._terms.le(one, other)

    def _of_writes(self) -> Iterator[Term]:
        """Elements have the values that are written to them."""
        for edge in self._cfa.edges:
            for array, value in effect_of(self._terms, edge.operation).definitions:
                if is_array(array) and value.op == "store":
                    for cell in self._made.cells.get(self._made.splits.form(array.sort)[0], ()):
                        if array in cell.elements and self._pairs.matters(cell, array):
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
                    indices = (index for _, index in accessed(edge, self._made.splits))
                    known = tuple((tuple(map(translate, index)), cell) for index in indices)
                    yield from self._said(cell, translate(atom, known))

    def _translation(self) -> CellTerms:
        return CellTerms(self._terms, self._made.splits, self._made.cells, self._fresh)

    def _fresh(self, array: Term | None, index: Index, sort: Sort) -> Term:
        name = self._terms.var(f"unknown{len(self._unknown)}@", sort)
        self._unknown.add(name)
        return name

    def _said(self, cell: SymbolicCell, formula: Term) -> Iterator[Term]:
        """The formula about the cell, if it is about nothing that is unknown."""
        kept = self._made.cfa.variable_of.keys() - self._made.scratch
        for images in self._readings(formula, self._images.get(cell, {})):
            image = substitute(self._terms, formula, images)
            if image.op == "not":
                image = image.args[0]
            about = variables(image)
            matters = all(v not in about or self._pairs.matters(cell, array) for array, v in cell.elements.items())
            own = not about.isdisjoint((*cell.index, *cell.elements.values()))
            if not image.is_const and about <= kept and own and matters:
                yield image

    def _readings(self, formula: Term, images: Mapping[Term, Term]) -> Iterator[dict[Term, Term]]:
        """Which variables stand for the cell. Where two of them go through the same indices, as in ``j < i``, one
        is the cell and the other is how far a loop has got."""
        own = {v: image for v, image in images.items() if v in variables(formula)}
        of_part: dict[frozenset[Term], list[Term]] = {}
        for variable, image in own.items():
            of_part.setdefault(frozenset(variables(image)), []).append(variable)
        for chosen in product(*(sorted(some, key=lambda v: v.id) for some in of_part.values())):
            yield {v: own[v] for v in chosen}


def _step(variable: Term, value: Term) -> int | None:
    """By which number a variable is changed; None where it is not by a number."""
    if value.op in ("bvadd", "bvsub", "+") and len(value.args) == 2 and variable in value.args:
        [other] = [part for part in value.args if part is not variable] or [variable]
        if other.is_const and (value.op != "bvsub" or value.args[0] is variable) and isinstance(other.payload, int):
            number = other.payload
            if value.sort.is_bits:
                number = signed(number, value.sort.width)
            return -number if value.op == "bvsub" else number
    return None


def accessed(edge: Edge, split: Splits) -> Iterator[tuple[Term | None, Index]]:
    """The indices at which an edge reads or writes elements, with the array where it is a variable."""
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
        yield base if base.is_var else None, tuple(index)
