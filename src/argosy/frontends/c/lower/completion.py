"""Templates without loads, stores and wild writes: what each step through a pointer comes to, when all is known.

A write becomes a row of assignments, one for each cell that it may change (``pointers``), each under the condition that
the address is that of the cell; values are chosen before for what is arbitrary. Law: whatever a step of the program may
do, the steps here do at some of these values, and a write that is at no cell changes every cell that it may reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from argosy.basics.records import replace
from argosy.frontends.c.library import ForeignReach
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
from argosy.frontends.c.lower.pointers import MOST_TARGETS, Pointers
from argosy.frontends.c.lower.regions import BlockSpot
from argosy.frontends.c.lower.undetermined import PointedCell, ReadAside
from argosy.frontends.c.lower.views import after_writing
from argosy.frontends.c.memory import SLOT, Access
from argosy.frontends.c.symbols import FunctionName, Object, Unit, note_constant
from argosy.frontends.c.types import BOOL, Integer
from argosy.frontends.c.unsupported import Construct, refusal, subject
from argosy.logic.sorts import Sort
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Assign, Assume, Havoc, Operation, Refusal
from argosy.models.sources import SourceKind, ValueSource


def completed(pointers: Pointers, unit: Unit, template: Template) -> Template:
    """The template without loads, stores and wild writes."""
    if len(pointers.regions.constants) < len(unit.blocks):
        pointers.regions.lay_out(())
    return _Completion(pointers, unit, template).run()


class _Completion:
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
        source = self._sources.get(step.source)
        if source is not None or step.checks:
            checked = (each for check in step.checks for each in self._pointers.checked(check))
            step = replace(step, source=step.source if source is None else source, checks=tuple(checked))
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
                resolved = resolve(condition)
                self._steps.append(step if resolved is condition else replace(step, action=Assume(resolved)))
            case Havoc(variable) if variable in self._pointers.regions.bytes_of:
                self._steps.append(replace(step, action=Havoc(self._pointers.regions.bytes_of[variable])))
            case Assign(variable, value) if variable in self._pointers.regions.bytes_of:
                whole = self._pointers.regions.as_bytes(variable, value)
                assert whole is not None
                self._steps.append(replace(step, action=Assign(*whole)))
            case Assign(variable, value):
                resolved = resolve(value)
                self._steps.append(step if resolved is value else replace(step, action=Assign(variable, resolved)))
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
