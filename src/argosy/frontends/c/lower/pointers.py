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
from argosy.frontends.c.library import ForeignReach
from argosy.frontends.c.lower.ending import Endings
from argosy.frontends.c.lower.graph import (
    ERROR,
    Call,
    Expire,
    Foreign,
    Pad,
    Release,
    Store,
    Template,
    TemplateStep,
    WildWrite,
)
from argosy.frontends.c.lower.points_to import Objects, PointsTo
from argosy.frontends.c.lower.regions import BlockRegions, BlockSpot
from argosy.frontends.c.lower.undetermined import PointedCell, ReadAside, Undetermined
from argosy.frontends.c.lower.validity import Validity
from argosy.frontends.c.lower.views import MOST_VIEWS, after_writing, is_mixed, views
from argosy.frontends.c.memory import IN_A_ROW, SLOT, Access, MemoryCell, obstacle
from argosy.frontends.c.symbols import FunctionName, Object, SameObject, SizeOfBlock, Unit, note_constant
from argosy.frontends.c.types import BOOL, Integer, Pointer
from argosy.frontends.c.unsupported import Construct, refusal, subject
from argosy.logic.sorts import Sort
from argosy.logic.terms import Term
from argosy.logic.traverse import substitute, variables
from argosy.models.cfa import Assign, Assume, Check, Havoc, Operation, Refusal
from argosy.models.sources import SourceKind, ValueSource

# An access that may lead to more cells is not modelled.
MOST_TARGETS = 256
# Nor are cells that many such accesses may change, in as many steps as this.
MOST_WRITTEN = 20_000


class Pointers:
    """Made when all functions are read; ``complete`` is then applied to each template, after ``give_up``."""

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

    def complete(self, template: Template) -> Template:
        """The template without loads, stores and wild writes."""
        if len(self.regions.constants) < len(self._unit.blocks):
            self.regions.lay_out(())
        expansion = _Expansion(self, self._unit, template)
        return expansion.run()

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


class _Expansion:
    """One template on its way."""

    def __init__(self, pointers: Pointers, unit: Unit, template: Template) -> None:
        self._pointers = pointers
        self._unit = unit
        self._terms = unit.terms
        self._template = template
        self._points = template.points
        self._steps: list[TemplateStep] = []
        self._sources: dict[int, int] = {}

    def run(self) -> Template:
        chosen: dict[int, dict[Term, None]] = {}
        for step in self._template.steps:
            for term in self._pointers.chosen(_terms_of(step)):
                chosen.setdefault(step.source, {})[term] = None
        for source, terms in chosen.items():
            self._sources[source] = self._choose(source, tuple(terms))
        for step in self._template.steps:
            self._expand(step)
        return replace(self._template, steps=tuple(self._steps), points=self._points)

    def _point(self) -> int:
        self._points += 1
        return self._points - 1

    def _choose(self, source: int, chosen: Sequence[Term]) -> int:
        """Where control goes on from a point, after values for the terms are chosen."""
        for term in chosen:
            aside = self._pointers.read_aside(term)
            if aside is not None:
                source = self._read_aside(source, term, aside)
                continue
            refusal = self._unit.opaque[term]
            target = self._point()
            what = subject(refusal)
            of = ValueSource(SourceKind.UNMODELLED, what)
            step = TemplateStep(source, target, Havoc(term), refusal.position, f"unmodelled: {what}", (), of)
            self._steps.append(step)
            source = target
        return source

    def _read_aside(self, source: int, variable: Term, aside: ReadAside) -> int:
        """A variable gets what lies at an address: in one of some cells, or where nothing is modelled."""
        terms, refusal, end = self._terms, self._unit.opaque[aside.outside], self._point()
        text = subject(refusal)

        def way(condition: Term, *operations: Operation) -> None:
            step = TemplateStep(source, end, Assume(condition), refusal.position, text)
            self._sequence(step, (Assume(condition), *operations))

        at = [terms.eq(aside.address, cell.address) for cell in aside.cells]
        for condition, cell in zip(at, aside.cells, strict=True):
            way(condition, Assign(variable, cell.term))
        way(terms.not_(terms.disjunction(at)), Havoc(aside.outside), Assign(variable, aside.outside))
        return end

    def _expand(self, step: TemplateStep) -> None:
        resolve = self._pointers.resolve
        step = replace(step, source=self._sources.get(step.source, step.source))
        if step.checks:
            checked = (each for check in step.checks for each in self._pointers.checked(check))
            step = replace(step, checks=tuple(checked))
        match step.action:
            case Store():
                self._store(step, step.action)
            case WildWrite(refusal, globals_too):
                self._outside(step, self._terms.true, self._pointers.wild(globals_too), refusal)
            case Pad():
                self._pad(step, step.action)
            case Foreign():
                self._foreign(step, step.action)
            case Release(address):
                found = self._pointers.points_to.of(address)
                endings, address = self._pointers.endings, resolve(address)
                self._sequence(step, [*endings.release(address, found), *endings.release_any(address, found)])
            case Expire():
                if self._pointers.endings.is_in_doubt(step.action, self._template.function):
                    self._detour(step)
                self._sequence(step, list(self._pointers.endings.expire(step.action, self._template.function)))
            case Assign(variable, _) | Havoc(variable) if self._pointers.is_lost(variable):
                self._steps.append(replace(step, action=Assume(self._terms.true)))
            case Assume(condition):
                self._steps.append(replace(step, action=Assume(resolve(condition))))
            case Havoc(variable) if variable in self._pointers.regions.bytes_of:
                self._steps.append(replace(step, action=Havoc(self._pointers.regions.bytes_of[variable])))
            case Assign(variable, value) if variable in self._pointers.regions.bytes_of:
                whole = self._pointers.regions.as_bytes(variable, value)
                assert whole is not None
                self._steps.append(replace(step, action=Assign(*whole)))
            case Assign(variable, value):
                self._steps.append(replace(step, action=Assign(variable, resolve(value))))
            case _:
                self._steps.append(step)

    def _detour(self, step: TemplateStep) -> None:
        """Nobody knows what pointers in arrays lead to when an object has ended."""
        why = refusal(step.position, "pointers in arrays to what ends", Construct.HOLDERS, bound=True, arbitrary=True)
        bit = self._unit.opaque_term(BOOL.sort, why, False)
        condition = self._terms.eq(bit, self._terms.bv(1, 1))
        self._steps.append(TemplateStep(step.source, ERROR, Assume(condition), step.position, ""))

    def _sequence(self, step: TemplateStep, operations: Sequence[Operation]) -> None:
        """The operations one after the other, from the source of the step to its target."""
        if not operations:
            operations = (Assume(self._terms.true),)
        source, checks = step.source, step.checks
        for index, operation in enumerate(operations):
            assert not isinstance(operation, Call)
            target = step.target if index == len(operations) - 1 else self._point()
            choice = step.choice if isinstance(operation, Havoc) else None
            self._steps.append(TemplateStep(source, target, operation, step.position, step.text, checks, choice))
            source, checks = target, ()

    # ---- functions without a body ---------------------------------------------------------------------------

    def _foreign(self, step: TemplateStep, call: Foreign) -> None:
        """What is certainly within reach gets any value. What may be, by an analysis that does not know the order of
        statements, gets an arbitrary one: no counterexample is made of it."""
        reached = self._pointers.points_to.reached(call)
        functions = self._unit.callable_by_pointer if reached is None else ()
        if functions or any(isinstance(symbol, FunctionName) for symbol in reached or ()):
            self._call_back(step, call)
            return
        left = ValueSource(SourceKind.FOREIGN, step.text, call.function, position=step.position)
        step = replace(step, choice=left)
        operations: list[Operation] = []
        changed: dict[Term, None] = {}
        if call.reach is ForeignReach.REACHABLE:
            linked = (o for o in self._unit.scopes.globals() if isinstance(o, Object) and o.linked and not o.constant)
            changed.update(dict.fromkeys(term for symbol in linked for term in symbol.parts.values()))
            for term in (term for term in changed if not self._pointers.is_lost(term)):
                blurred = Assign(term, self._blurred(term, operations, call)) if call.may else None
                operations.append(blurred or Havoc(term))
        near = {o: cells for o, cells in self._objects(reached).items() if not changed.keys() & {t.term for t in cells}}
        given = set[tuple[Object, int]]() if call.may else self._given(step, call, near, operations)
        for symbol, cells in near.items():
            for target in cells:
                if (symbol, target.cell.offset) not in given:
                    operations.append(Assign(target.term, self._blurred(target.term, operations, call)))
        for term in self._pointers.blocks_near(reached):
            if term not in changed and not self._pointers.is_lost(term):
                operations.append(Assign(term, self._blurred(term, operations, call)))
        self._sequence(step, operations)

    def _objects(self, reached: Iterable[Object | FunctionName] | None) -> dict[Object, list[PointedCell]]:
        """The cells within reach that may be written."""
        near: dict[Object, list[PointedCell]] = {}
        for target in self._pointers.addressed():
            is_near = reached is None or target.object in reached
            if is_near and not target.object.constant and not self._pointers.is_lost(target.term):
                near.setdefault(target.object, []).append(target)
        return near

    def _given(
        self, step: TemplateStep, call: Foreign, near: dict[Object, list[PointedCell]], operations: list[Operation]
    ) -> set[tuple[Object, int]]:
        """Any values where arguments point: to the whole object, or to the cell of a function that reads input. Gives
        the cells that are done with."""
        terms, done = self._terms, set[tuple[Object, int]]()
        arguments = [self._pointers.resolve(term) for term, is_pointer in call.arguments if is_pointer]
        cells = {target.term for targets in near.values() for target in targets}
        arguments = [self._kept(step, argument, cells, operations) for argument in arguments]
        whole = call.reach is not ForeignReach.GIVEN
        high, low = self._unit.model.pointer_width - 1, (SLOT.bit_length() - 1 if whole else 0)
        for symbol, targets in near.items():
            size = self._unit.model.size(symbol.type)
            if size is None or size >= SLOT:
                continue
            for target in targets:
                there = terms.extract(target.address, high, low)
                leads = terms.disjunction(terms.eq(terms.extract(a, high, low), there) for a in arguments)
                if leads is terms.true:
                    operations.append(Havoc(target.term))
                    done.add((symbol, target.cell.offset))
                elif leads is not terms.false:
                    type_ = target.cell.type
                    fresh = self._unit.variable(self._template.function, "temp", type_, step.position)
                    operations.append(Havoc(fresh))
                    otherwise = self._blurred(target.term, operations, call)
                    operations.append(Assign(target.term, terms.ite(leads, fresh, otherwise)))
                    done.add((symbol, target.cell.offset))
        return done

    def _blurred(self, term: Term, operations: list[Operation], call: Foreign) -> Term:
        """What is in a cell that may have been written, arbitrary."""
        refusal = replace(call.refusal, arbitrary=True)
        opaque = self._unit.opaque_term(term.sort, refusal, self._unit.variables[term].signed)
        operations.append(Havoc(opaque))
        return opaque

    def _call_back(self, step: TemplateStep, call: Foreign) -> None:
        """A function of this file may be called from there: control may do anything."""
        bit = self._unit.opaque_term(BOOL.sort, call.refusal, False)
        condition = self._terms.eq(bit, self._terms.bv(1, 1))
        step = self._assume(step, self._terms.true)
        self._steps.append(replace(step, target=ERROR, action=Assume(condition)))
        self._outside(step, self._terms.true, self._pointers.wild(True), call.refusal)

    def _store(self, step: TemplateStep, store: Store) -> None:
        terms, resolve = self._terms, self._pointers.resolve
        address, value = resolve(store.access.address), resolve(store.value)
        fixed = [t for t in self._pointers.targets(store.access) if t.object.constant]
        targets = [t for t in self._pointers.targets(store.access) if not t.object.constant]
        apart = self._pointers.undetermined(store.access)
        targets += apart
        spots = self._pointers.regions.spots(store.access)
        blurred = self._pointers.blurred(store.access)
        touched = self._pointers.touched(store.access) if store.access.direct is None else []
        kept = [spot.condition for spot in spots if spot.object.constant]
        if (fixed or kept) and not self._unit.watched and len(touched) <= MOST_TARGETS:
            note_constant(self._unit, step.position)
            kept.extend(self._at_constants(address, fixed))
            step = self._assume(step, terms.not_(terms.disjunction(kept)))
        spots = [spot for spot in spots if not spot.object.constant]
        if len(touched) > MOST_TARGETS:
            self._outside(step, terms.true, [*blurred, *(cell.term for cell in apart)], store.refusal)
            return
        touched = [target for target in touched if not self._pointers.is_lost(target.term)]
        inside = terms.disjunction(terms.eq(address, target.address) for target in targets)
        inside = terms.disjunction((inside, *(spot.condition for spot in spots)))
        exact = bool(spots) and self._pointers.regions.is_exact(store.access)
        if inside is not terms.true and not exact:
            self._outside(
                step,
                terms.not_(inside),
                [*(t.term for t in touched), *blurred],
                # A counterexample may do without, where the write may lead to a cell.
                replace(store.refusal, bound=inside is not terms.false),
            )
        if inside is terms.false:
            if exact:
                # Nothing is written, and nothing comes afterwards; what is demanded is demanded all the same.
                self._sequence(step, (Assume(terms.false),))
            return
        step = step if exact else self._assume(step, inside)
        written = [t for t in targets if terms.eq(address, t.address) is not terms.false]
        changed = {*(term for t in written for term in t.cells), *(spot.variable for spot in spots)}
        operations: list[Operation] = []
        if len(changed) > 1 or len(spots) > 1:
            address = self._kept(step, address, changed, operations)
            value = self._kept(step, value, changed, operations)
            spots = [self._kept_spot(step, spot, changed, operations) for spot in spots]
        seen = [(terms.eq(address, t.address), t.view) for t in written if t.view is not None]
        after = dict(after_writing(terms, seen, value))
        for target in written:
            if target.view is None:
                there = after.get(target.term, target.term)
                after[target.term] = terms.ite(terms.eq(address, target.address), value, there)
        operations.extend(Assign(cell, new) for cell, new in after.items() if not self._pointers.is_lost(cell))
        only = exact and len(spots) == 1 and not written
        for spot in spots:
            if self._pointers.is_lost(spot.variable):
                continue
            stored = self._pointers.regions.written(spot, value)
            new = stored if only else terms.ite(spot.condition, stored, spot.variable)
            operations.append(Assign(spot.variable, new))
        self._sequence(step, operations)

    def _pad(self, step: TemplateStep, pad: Pad) -> None:
        """Only what is accessed as another type has anything there."""
        terms, unit, byte = self._terms, self._unit, self._unit.model["unsigned char"]
        start, operations = self._pointers.resolve(pad.address), list[Operation]()
        for cells in self._pointers.padded(pad.address):
            for target in cells:
                own = terms.bv(-(-target.term.sort.width // 8), start.sort.width)
                behind = terms.bit("bvsub", start, target.address)
                places = (terms.bit("bvadd", behind, terms.bv(offset, own.sort.width)) for offset in pad.offsets)
                hit = terms.disjunction(terms.bit("bvult", place, own) for place in places)
                if hit is not terms.false:
                    lost = unit.opaque_term(target.term.sort, pad.refusal, unit.variables[target.term].signed)
                    operations.append(Assign(target.term, terms.ite(hit, lost, target.term)))
        for offset in pad.offsets:
            moved = terms.bit("bvadd", pad.address, terms.bv(offset, start.sort.width))
            for spot in self._pointers.padded_blocks(Access(moved, byte)):
                lost = self._pointers.regions.written(spot, unit.opaque_term(byte.sort, pad.refusal, False))
                operations.append(Assign(spot.variable, terms.ite(spot.condition, lost, spot.variable)))
        self._sequence(step, operations)

    def _at_constants(self, address: Term, fixed: Sequence[PointedCell]) -> Iterator[Term]:
        """When an address is one of some cells, or, of many, in an object of theirs."""
        terms, width = self._terms, address.sort.width
        if len(fixed) <= MOST_TARGETS:
            yield from (terms.eq(address, target.address) for target in fixed)
            return
        for symbol in dict.fromkeys(target.object for target in fixed):
            start = self._unit.address(symbol)
            end = start + (self._unit.model.size(symbol.type) or 0)
            below, above = (terms.bit("bvult", address, terms.bv(each, width)) for each in (start, end))
            yield terms.and_(terms.not_(below), above)

    def _kept_spot(
        self, step: TemplateStep, spot: BlockSpot, changed: set[Term], operations: list[Operation]
    ) -> BlockSpot:
        """A spot that stays what it is while others are written."""
        condition = spot.condition
        if not changed.isdisjoint(variables(condition)):
            one, zero = self._terms.bv(1, 1), self._terms.bv(0, 1)
            saved = self._kept(step, self._terms.ite(condition, one, zero), changed, operations)
            condition = self._terms.eq(saved, one)
        index = spot.index
        if index is not None and not changed.isdisjoint(variables(index)):
            saved = self._unit.array_variable(
                self._template.function, "temp", index.sort, step.position, self._unit.model["unsigned int"]
            )
            operations.append(Assign(saved, index))
            index = saved
        return replace(spot, condition=condition, index=index)

    def _kept(self, step: TemplateStep, term: Term, changed: set[Term], operations: list[Operation]) -> Term:
        if changed.isdisjoint(variables(term)):
            return term
        width = term.sort.width
        known = (t for t in self._unit.model.integers.values() if t.width == width)
        # Storages of bit fields have any number of bytes.
        type_ = next(known, Integer(f"{width} bits", width, False, 0))
        saved = self._unit.variable(self._template.function, "temp", type_, step.position)
        operations.append(Assign(saved, term))
        return saved

    def _assume(self, step: TemplateStep, condition: Term) -> TemplateStep:
        """What is left of a step after a condition, which comes with its checks."""
        if condition is self._terms.true:
            return step
        target = self._point()
        self._steps.append(replace(step, target=target, action=Assume(condition), text=""))
        return replace(step, source=target, checks=())

    def _outside(self, step: TemplateStep, condition: Term, touched: Sequence[Term], refusal: Refusal) -> None:
        """What may have been written by something that is not modelled gets any value."""
        step = self._assume(step, condition)
        operations: list[Operation] = []
        opaque: dict[Sort, Term] = {}
        refusal = replace(refusal, arbitrary=True)
        for term in touched:
            if self._pointers.is_lost(term):
                continue
            sort = term.sort
            if sort not in opaque:
                opaque[sort] = self._unit.opaque_term(sort, refusal, self._unit.variables[term].signed)
            operations.extend((Havoc(opaque[sort]), Assign(term, opaque[sort])))
        self._sequence(step, operations)


def _terms_of(step: TemplateStep) -> tuple[Term, ...]:
    """The terms that a step evaluates."""
    own: tuple[Term, ...] = ()
    match step.action:
        case Assume(condition):
            own = (condition,)
        case Assign(_, value):
            own = (value,)
        case Store(access, value, _):
            own = (*access.terms, value)
        case Release(address) | Pad(address):
            own = (address,)
        case Foreign(_, arguments):
            own = tuple(term for term, _ in arguments)
    return (*own, *(check.condition for check in step.checks))
