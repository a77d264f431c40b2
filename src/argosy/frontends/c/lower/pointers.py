"""What pointers lead to: reads and writes through them get their cells, when all objects are known.

A pointer leads to a cell of an object that it may point to (``points_to``), of the type of the access (C11 6.5, 7); an
access to a member leads to that member of a structure of this type. Reading chooses between these cells by the address,
writing writes the one that has it. An address that none of them has leads to memory that is not modelled: what is read
there is any value, a write there may change every cell of the type in these objects. Such values are opaque and
arbitrary: what is proved for all of them holds, a counterexample that depends on one is none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence

from argosy.basics.records import replace
from argosy.frontends.c.lower.ending import Endings
from argosy.frontends.c.lower.graph import Expire, Store, Template, WildWrite
from argosy.frontends.c.lower.points_to import Objects, PointsTo
from argosy.frontends.c.lower.regions import BlockRegions, BlockSpot
from argosy.frontends.c.lower.undetermined import PointedCell, ReadAside, Undetermined
from argosy.frontends.c.lower.validity import Validity
from argosy.frontends.c.lower.views import MOST_VIEWS, is_mixed, views
from argosy.frontends.c.memory import IN_A_ROW, Access, MemoryCell, obstacle
from argosy.frontends.c.symbols import FunctionName, Object, SameObject, SizeOfBlock, Unit
from argosy.frontends.c.types import BOOL, Integer, Pointer
from argosy.logic.terms import Term
from argosy.logic.traverse import substitute, variables
from argosy.models.cfa import Check, Refusal

# An access that may lead to more cells is not modelled.
MOST_TARGETS = 256
# Nor are cells that many such accesses may change, in as many steps as this.
MOST_WRITTEN = 20_000


class Pointers:
    """Made when all functions are read; after ``give_up`` each template is ``completed`` (``completion``)."""

    def __init__(self, unit: Unit, points_to: Callable[[], PointsTo]) -> None:
        self._unit = unit
        self._solve = points_to
        self._points_to: PointsTo | None = None
        self._terms = unit.terms
        self._resolved: dict[Term, Term] = {}
        self._chosen: dict[Term, tuple[Term, ...]] = {}
        self._targets: list[PointedCell] = []
        self._by_object: dict[Object, list[PointedCell]] = {}
        self._found: dict[Hashable, list[PointedCell]] = {}
        self._seen: dict[Hashable, list[PointedCell]] = {}
        self._punned: set[Object] | None = None
        self._ghosts: set[Object] = set()
        self._validity: Validity | None = None
        self.endings = Endings(unit, lambda term: self.points_to.of(term))
        self._lost: dict[Term, Refusal] = {}
        self._lost_values: dict[Term, Term] = {}
        self._undetermined = Undetermined(unit)
        self._read_aside: dict[Term, ReadAside] = {}
        self.regions = BlockRegions(unit, lambda term: self.points_to.of(term), self._is_clean, self.resolve)

    def _is_clean(self, symbol: Object) -> bool:
        return symbol not in self._punned_objects()

    def _punned_objects(self) -> set[Object]:
        if self._punned is None:
            self._punned = self.points_to.punned()
        return self._punned

    def lay_out(self, templates: Iterable[Template]) -> None:
        """Give blocks their places, if there are any."""
        if self._unit.blocks:
            _ = self.points_to
            stores = (s.action.access for t in templates for s in t.steps if isinstance(s.action, Store))
            self.regions.lay_out((*(access for access, _ in self._unit.loads.values()), *stores))

    def addressed(self) -> list[PointedCell]:
        """All cells that pointers may lead to. Their addresses are made up where a pointer is followed at all."""
        if len(self._by_object) == len(self._unit.addressed):
            return self._targets
        self._found.clear()
        self._seen.clear()
        for symbol in self._unit.addressed:
            if symbol not in self._by_object:
                own = self._by_object[symbol] = []
                for cell in self._unit.cells(symbol.type) if symbol.block is None else ():
                    address = self._terms.bv(self._unit.address(symbol) + cell.offset, self._unit.model.pointer_width)
                    own.append(PointedCell(symbol, cell, self._unit.part_of_cell(symbol, cell), address))
                self._targets.extend(own)
        return self._targets

    # ---- reading ------------------------------------------------------------------------------------------

    def resolve(self, term: Term) -> Term:
        """The term with what its loads stand for."""
        reads = variables(term)
        values = {load: self._value(load) for load in reads & self._unit.loads.keys()}
        values.update((cell, self._lost_value(cell)) for cell in reads & self._lost.keys())
        if self._unit.claims:
            values.update((claim, self._claimed(claim)) for claim in reads & self._unit.claims.keys())
        if self._unit.blocks:
            values.update((each, self.regions.constants[each]) for each in reads & self.regions.constants.keys())
        return substitute(self._terms, term, values) if values else term

    def chosen(self, terms: Iterable[Term]) -> tuple[Term, ...]:
        """The arbitrary values that the loads in some terms may come to."""
        found: dict[Term, None] = {}
        for term in terms:
            reads = variables(term)
            for demand in sorted(reads & self._unit.demands.keys(), key=lambda t: t.id):
                about = self._unit.demands[demand]
                addresses = (about.address,) if about.start is None else (about.address, about.start)
                found.update(dict.fromkeys(self.chosen(addresses)))
            for load in sorted(reads & self._unit.loads.keys(), key=lambda t: t.id):
                self._value(load)
                found.update(dict.fromkeys(self._chosen[load]))
            for cell in sorted(reads & self._lost.keys(), key=lambda t: t.id):
                found[self._lost_value(cell)] = None
            for claim in sorted(reads & self._unit.claims.keys(), key=lambda t: t.id):
                if not self._unit.loads.keys().isdisjoint(self._unit.reads(claim)):
                    found.update(dict.fromkeys(self.chosen(self._unit.claims[claim].terms)))
        return tuple(found)

    def _claimed(self, claim: Term) -> Term:
        """What a claim comes to."""
        known = self._resolved.get(claim)
        if known is None:
            what = self._unit.claims[claim]
            match what:
                case Access():
                    known = self.regions.claim(what)
                case SameObject():
                    known = self.regions.same(what)
                case SizeOfBlock():
                    known = self.regions.size_at(what)
            self._resolved[claim] = known
        return known

    def _value(self, load: Term) -> Term:
        known = self._resolved.get(load)
        if known is not None:
            return known
        access, refusal = self._unit.loads[load]
        address = self.resolve(access.address)
        targets, spots = self.targets(access), self.regions.spots(access)
        signed = access.type.signed if isinstance(access.type, Integer) else False
        modelled = self.is_modelled(access, targets, spots)
        if not targets and not spots and self._objects(access) == frozenset():
            pointed = self._undetermined.read(access, refusal.position)
            if pointed:
                return self._at_any_object(load, address, pointed)
        own: tuple[Term, ...] = ()
        if spots and modelled and self.regions.is_exact(access):
            last = self.regions.read(spots.pop(), load.sort.width)
            value = self._chosen_by(address, sorted(targets, key=lambda target: target.address.payload), last)
        else:
            if not modelled:
                refusal = self._named(access, refusal, "reads")
            value = outside = self._unit.opaque_term(load.sort, replace(refusal, arbitrary=True), signed)
            if modelled:
                value = self._chosen_by(address, sorted(targets, key=lambda target: target.address.payload), outside)
            own = (outside,)
        for spot in spots if modelled else ():
            value = self._terms.ite(spot.condition, self.regions.read(spot, load.sort.width), value)
        self._resolved[load] = value
        own = own if not variables(value).isdisjoint(own) else ()
        self._chosen[load] = (*self.chosen(access.terms), *own)
        return value

    def _at_any_object(self, load: Term, address: Term, pointed: Sequence[PointedCell]) -> Term:
        """What is read through a pointer that has no value: it may lead to an object of its type. A counterexample
        stays with that."""
        access, refusal = self._unit.loads[load]
        value = self._unit.variable("", "temp", access.type, refusal.position)
        why = replace(refusal, bound=True, arbitrary=True)
        outside = self._unit.opaque_term(load.sort, why, self._unit.variables[value].signed)
        self._read_aside[value] = ReadAside(address, tuple(pointed), outside)
        self._resolved[load] = value
        self._chosen[load] = (*self.chosen(access.terms), value)
        return value

    def undetermined(self, access: Access) -> list[PointedCell]:
        """What a write may change that pointers without a value lead to."""
        return [] if self._objects(access) else self._undetermined.written(access)

    def read_aside(self, variable: Term) -> ReadAside | None:
        return self._read_aside.get(variable)

    def _chosen_by(self, address: Term, targets: Sequence[PointedCell], outside: Term) -> Term:
        """The cell with the address; of many, which lie in the order of their addresses, by halves."""
        terms = self._terms
        if len(targets) > IN_A_ROW:
            half = len(targets) // 2
            first, second = (self._chosen_by(address, t, outside) for t in (targets[:half], targets[half:]))
            return terms.ite(terms.bit("bvult", address, targets[half].address), first, second)
        value = outside
        for target in reversed(targets):
            value = terms.ite(terms.eq(address, target.address), target.term, value)
        return value

    @property
    def points_to(self) -> PointsTo:
        if self._points_to is None:
            self._points_to = self._solve()
        return self._points_to

    def _objects(self, access: Access) -> Objects:
        return self.points_to.of(access.address)

    def _within_reach(
        self, access: Access, fits: Callable[[Object], Iterable[int]], key: Hashable
    ) -> list[PointedCell]:
        """The cells of the objects that an access may lead into which fit, by their numbers in their objects; the same
        for the same key."""
        self.addressed()
        objects = self._objects(access)
        found = self._found.get((objects, key))
        if found is None:
            near = (each for each in self._by_object.items() if each[1] and (objects is None or each[0] in objects))
            found = self._found[objects, key] = [own[number] for symbol, own in near for number in fits(symbol)]
        return found

    def targets(self, access: Access) -> list[PointedCell]:
        key = (access.type, access.record, access.offsets)

        def fits(symbol: Object) -> tuple[int, ...]:
            numbers = self._unit.fitting(symbol.type, access)
            cells = self._unit.cells(symbol.type)
            for number in numbers:
                self._unit.see(cells[number].type, access.type)
            return numbers

        found = self._within_reach(access, fits, key)
        objects = self._objects(access)
        if objects is None or access.direct is not None or isinstance(access.type, Pointer):
            return found
        seen = self._seen.get((objects, key))
        if seen is None:
            seen = self._seen[objects, key] = [*found, *self._views(access, objects, found)]
        return seen

    def _views(self, access: Access, objects: Collection[Object], found: Sequence[PointedCell]) -> list[PointedCell]:
        """What an access sees in objects that have cells of other kinds, unless that is too much."""
        taken, fitting = {target.address for target in found}, {target.object for target in found}
        punned, width = self._punned_objects(), self._unit.model.pointer_width
        more: list[PointedCell] = []
        for symbol, own in self._by_object.items():
            if symbol not in objects or not own:
                continue
            byte = access.record is None and access.type.sort.width == 8 and is_mixed(self._unit, symbol, access.type)
            if symbol in fitting and symbol not in punned and not byte:
                continue
            for view in views(self._unit, symbol, access):
                address = self._terms.bv(self._unit.address(symbol) + view.offset, width)
                if address not in taken:
                    cell = MemoryCell(view.offset, access.type, "")
                    more.append(PointedCell(symbol, cell, view.read(self._terms), address, view))
            if len(more) + len(found) > MOST_VIEWS:
                return []
        return more

    def give_up(self, templates: Sequence[Template]) -> None:
        """Forget the cells of objects that writes may change which may go almost anywhere, one of them to too many
        cells or all of them together to too many."""
        steps = [step.action for template in templates for step in template.steps]
        stores = [action for action in steps if isinstance(action, Store)]
        wild = [action for action in steps if isinstance(action, WildWrite)]
        self._undetermined.find(templates, self._objects)
        anywhere = [store for store in stores if store.access.direct is None and self._objects(store.access) is None]
        taken = [target for target in self.addressed() if not target.object.constant] if wild else []
        together = len(taken) * len(wild) + sum(len(self.touched(store.access)) for store in anywhere) > MOST_WRITTEN
        seen: set[int] = set()
        for store in stores:
            reached = self.touched(store.access)
            at_once = len(reached) > MOST_TARGETS or (together and self._objects(store.access) is None)
            if at_once and id(reached) not in seen:
                seen.add(id(reached))
                for target in reached:
                    self._lost.setdefault(target.term, store.refusal)
        for target in taken if together else ():
            self._lost.setdefault(target.term, wild[0].refusal)
        self._give_up_blocks([*(store.refusal for store in anywhere), *(action.refusal for action in wild)])

    def _give_up_blocks(self, writes: Sequence[Refusal]) -> None:
        """The same for the variables of blocks, each of which ``writes`` to anywhere may change. Where memory is
        watched, it has to be known what blocks hold."""
        blocks = [o for o in self._unit.blocks if o.address_taken and not o.constant]
        found = {self.regions.variable(part) for symbol in blocks for part in self._unit.all_parts(symbol)}
        if self._unit.watched or len(found) * len(writes) <= MOST_WRITTEN:
            return
        for symbol in self._unit.blocks:
            for part in self._unit.all_parts(symbol):
                whole = self.regions.variable(part)
                if whole in found:
                    self._lost.setdefault(whole, writes[0])
                    self._lost.setdefault(part, writes[0])

    def watch(self, templates: Iterable[Template]) -> None:
        """Find out what may be followed after its end."""
        for symbol, allocation in self._unit.allocations.items():
            name, line = symbol.name.partition("@")[0], allocation.position.line
            start = self._unit.address(symbol)
            self._unit.places.words[start] = f"the block from {name} at line {line}"
            if allocation.allocated is not None and not allocation.any_number:
                self._unit.places.lifetimes[start] = allocation.allocated.name
        for symbol in self._unit.blocks:
            self._unit.places.objects[self._unit.address(symbol)] = symbol.name, symbol.type, None
        for term, symbol in self._unit.objects.items():
            if symbol in self._unit.addressed:
                self._unit.places.holders[term.name] = self._unit.address(symbol)
        ending = ((s.action, t.function) for t in templates for s in t.steps if isinstance(s.action, Expire))
        self._ghosts = self.endings.ghosts(ending)

    @property
    def validity(self) -> Validity:
        if self._validity is None:
            self.addressed()
            self._validity = Validity(self._unit, lambda term: self.points_to.of(term), self.resolve, self._ghosts)
        return self._validity

    def checked(self, check: Check) -> Iterator[Check]:
        """What a check comes to; where it is not known to which object an address leads, nothing is blamed."""
        demands = variables(check.condition) & self._unit.demands.keys()
        about = None if check.about is None else self.resolve(check.about)
        check = replace(check, about=about)
        if not demands:
            condition = self.resolve(check.condition)
            if condition is not self._terms.true:
                yield replace(check, condition=condition)
            return
        values = {demand: self.validity.condition(demand) for demand in demands}
        condition = self.resolve(substitute(self._terms, check.condition, values))
        unknown = next((self._unit.demands[c] for c in demands if self.validity.is_open(self._unit.demands[c])), None)
        doubt = check.doubt
        if unknown is not None and condition is not self._terms.true:
            sure = substitute(self._terms, check.condition, {d: self.validity.certain(d) for d in demands})
            if sure is not self._terms.true:
                yield replace(check, condition=self.resolve(sure))
            doubt = self._unit.opaque_term(BOOL.sort, unknown.refusal, False)
        if condition is not self._terms.true:
            yield replace(check, condition=condition, doubt=doubt)

    @property
    def forgets(self) -> bool:
        """Whether there are cells of which nothing is known."""
        return bool(self._lost)

    def is_lost(self, term: Term) -> bool:
        return term in self._lost

    def _lost_value(self, term: Term) -> Term:
        """What stands for a forgotten cell."""
        known = self._lost_values.get(term)
        if known is None:
            signed = self._unit.variables[term].signed
            why = replace(self._lost[term], arbitrary=True)
            known = self._lost_values[term] = self._unit.opaque_term(term.sort, why, signed)
        return known

    def is_modelled(self, access: Access, targets: Sequence[PointedCell], spots: Sequence[BlockSpot] = ()) -> bool:
        """Whether an access may lead to a cell, or only to what leaves the language. Too many cells are none."""
        if any(term in self._lost for target in targets for term in target.cells):
            return False
        if any(spot.variable in self._lost for spot in spots):
            return False
        if len(targets) <= MOST_TARGETS and (targets or spots):
            return True
        return self._objects(access) == frozenset()

    def _named(self, access: Access, refusal: Refusal, how: str) -> Refusal:
        """The refusal of an access that nothing is modelled for, by what the pointer leads to, where that is known."""
        found = self._objects(access)
        for symbol in sorted(found or (), key=lambda symbol: (symbol.position.line, symbol.name)):
            why = obstacle(self._unit.model, symbol.type, symbol.name, symbol.position)
            if why is not None:
                return why.refusal(refusal.position, f"{how} it through a pointer")
        return refusal

    def touched(self, access: Access) -> list[PointedCell]:
        """What a write may change that leads to no cell: characters may be parts of anything, anything of a union or of
        what pointers of other types lead to."""
        byte = isinstance(access.type, Integer) and access.type.width == 8
        punned = self._punned_objects()

        def fits(symbol: Object) -> Iterable[int]:
            if symbol.constant:
                return ()
            if byte or symbol in punned:
                return range(len(self._by_object[symbol]))
            return self._unit.overlapping(symbol.type, access.type)

        return self._within_reach(access, fits, access.type)

    def padded(self, address: Term) -> list[list[PointedCell]]:
        """The cells of each object that a structure of another type may be written to."""
        self.addressed()
        objects, punned = self.points_to.of(address), self._punned_objects()
        found = ((o, cells) for o, cells in self._by_object.items() if o in punned and not o.constant)
        near = (cells for o, cells in found if objects is None or o in objects)
        return [[cell for cell in cells if cell.term not in self._lost] for cells in near]

    def padded_blocks(self, access: Access) -> list[BlockSpot]:
        """The same in blocks."""
        punned = self._punned_objects()
        near = punned and any(symbol in punned for symbol in self.regions.blocks(access))
        spots = self.regions.spots(access) if near else []
        return [spot for spot in spots if spot.object in punned and spot.variable not in self._lost]

    def wild(self, globals_too: bool) -> list[Term]:
        """The variables that something which is not modelled at all may change."""
        self.addressed()
        objects = self._unit.objects.items()
        found = (t for t, o in objects if (o.address_taken or (globals_too and o.lasting)) and not o.constant)
        return list(dict.fromkeys(map(self.regions.variable, found)))

    def blurred(self, access: Access) -> list[Term]:
        """The variables of blocks that a write may change which is at none of their cells."""
        found = (t for o in self.regions.blocks(access) if not o.constant for t in self._unit.all_parts(o))
        return list(dict.fromkeys(map(self.regions.variable, found)))

    def blocks_near(self, reached: Iterable[Object | FunctionName] | None) -> list[Term]:
        """The variables of blocks that a function without a body may change."""
        near = (o for o in self._unit.blocks if o.address_taken and not o.constant)
        found = (t for o in near if reached is None or o in reached for t in self._unit.all_parts(o))
        return list(dict.fromkeys(map(self.regions.variable, found)))
