"""Which objects a pointer may lead to, wherever it is used: inclusion-based, without the order of statements.

Andersen, *Program Analysis and Specialization for the C Programming Language*, 1994, chapter 4: an assignment makes the
set of its variable include the sets of what is assigned. A set holds objects; the cells of an object are kept apart as
far as an access says which it may be at. Law: whenever an execution that stays in the language follows a pointer, it
leads into an object of the pointer's set, unless the set is ``None``, which stands for anything: values that are not
modelled.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from argosy.frontends.c.graph import Call, Store, Template, WildWrite
from argosy.frontends.c.memory import Access
from argosy.frontends.c.symbols import Object, Unit
from argosy.logic.terms import Term
from argosy.logic.traverse import postorder
from argosy.models.cfa import Assign, Havoc

Objects = frozenset[Object] | None


class PointsTo:
    """Sets for all variables of the templates. ``initial`` are the values that variables start with, None for any."""

    def __init__(self, unit: Unit, templates: Iterable[Template], initial: Iterable[tuple[Term, Term | None]]) -> None:
        self._unit = unit
        self._sets: dict[Term, set[Object]] = {}
        self._open: set[Term] = set()
        self._parts: dict[Term, tuple[frozenset[Object], tuple[Term, ...]]] = {}
        self._flows: list[tuple[Term, Term]] = []
        self._stores: list[tuple[Access, Term]] = []
        self._at: dict[Hashable, list[Term]] = {}
        self._wild = False
        for variable, value in initial:
            if value is None:
                self._open.add(variable)
            else:
                self._flow(variable, value)
        for template in templates:
            for step in template.steps:
                match step.action:
                    case Assign(variable, value):
                        self._flow(variable, value)
                    case Havoc(variable):
                        self._open.add(variable)
                    case Call(_, arguments):
                        self._flows.extend(arguments)
                    case Store(access, value, _):
                        self._stores.append((access, value))
                    case WildWrite():
                        self._wild = True
        self._cells: Mapping[Object, list[Term]] = {o: unit.all_parts(o) for o in unit.addressed}
        self._open.update(unit.opaque)
        if self._wild:
            self._open.update(term for terms in self._cells.values() for term in terms)
            self._open.update(term for term, o in unit.objects.items() if o.lasting)
        self._solve()

    def _flow(self, variable: Term, value: Term) -> None:
        if self._parts_of(value) != (frozenset(), ()):
            self._flows.append((variable, value))

    def of(self, term: Term) -> Objects:
        """The objects that an address may lead into; None if nothing is known."""
        found: set[Object] = set()
        objects, variables = self._parts_of(term)
        found |= objects
        for variable in variables:
            inside = self._of_variable(variable)
            if inside is None:
                return None
            found |= inside
        return frozenset(found)

    def _of_variable(self, variable: Term) -> set[Object] | None:
        if variable in self._open:
            return None
        load = self._unit.loads.get(variable)
        if load is None:
            return self._sets.get(variable, set())
        found: set[Object] = set()
        where = self.of(load[0].address)
        if where is None:
            return None
        for symbol in where:
            cells = self._cells_at(symbol, load[0])
            if not cells:
                # What lies in an object that is not modelled cell by cell, or is read as something else, is not known.
                return None
            for cell in cells:
                if cell in self._open:
                    return None
                found |= self._sets.get(cell, set())
        return found

    def _cells_at(self, symbol: Object, access: Access) -> list[Term]:
        """The cells of an object that an access may be at."""
        key = (symbol, access.type, access.record, access.offsets)
        known = self._at.get(key)
        if known is None:
            cells = zip(self._unit.cells(symbol.type), self._cells.get(symbol, ()), strict=False)
            known = self._at[key] = [term for cell, term in cells if access.may_be_at(cell)]
        return known

    def _parts_of(self, term: Term) -> tuple[frozenset[Object], tuple[Term, ...]]:
        known = self._parts.get(term)
        if known is None:
            objects, variables = [], []
            width = self._unit.model.pointer_width
            for sub in postorder(term):
                if sub.op == "var":
                    variables.append(sub)
                elif sub.op == "const" and sub.sort.is_bits and sub.sort.width == width:
                    at = self._unit.object_at(sub.payload)
                    if at is not None:
                        objects.append(at[0])
            known = self._parts[term] = (frozenset(objects), tuple(variables))
        return known

    def _solve(self) -> None:
        changed = True
        while changed:
            changed = False
            for variable, value in self._flows:
                changed |= self._include(variable, self.of(value))
            for access, value in self._stores:
                what = self.of(value)
                if what == frozenset():
                    continue
                where = self.of(access.address)
                for symbol in self._cells if where is None else where:
                    for cell in self._cells_at(symbol, access) or self._cells.get(symbol, []):
                        changed |= self._include(cell, what)

    def _include(self, variable: Term, objects: Objects) -> bool:
        if variable in self._open:
            return False
        if objects is None:
            self._open.add(variable)
            return True
        own = self._sets.setdefault(variable, set())
        before = len(own)
        own |= objects
        return len(own) > before
