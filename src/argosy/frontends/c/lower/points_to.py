"""Which objects a pointer may lead to, wherever it is used: inclusion-based, without the order of statements.

Andersen, *Program Analysis and Specialization for the C Programming Language*, 1994, chapter 4: an assignment makes the
set of its variable include the sets of what is assigned. A set holds objects; the cells of an object are kept apart as
far as an access says which it may be at. Law: whenever an execution that stays in the language follows a pointer, it
leads into an object of the pointer's set, unless the set is ``None``, which stands for anything: values that are not
modelled.

Functions without a body know the addresses that reach them, in their arguments, through objects that other files know
by name, in what they know already (``escaped``). What they write is one of these, or leads out of the model.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping

from argosy.frontends.c.library import ForeignReach
from argosy.frontends.c.lower.graph import Call, Foreign, Store, Template, TemplateStep, WildWrite
from argosy.frontends.c.lower.inclusions import Inclusions
from argosy.frontends.c.lower.punning import punned
from argosy.frontends.c.memory import Access
from argosy.frontends.c.symbols import FunctionName, Object, Unit
from argosy.frontends.c.types import VOID, Pointer
from argosy.logic.terms import Term
from argosy.models.cfa import Assign, Havoc
from argosy.models.sources import SourceKind

Objects = frozenset[Object] | None
Named = Object | FunctionName
Node = Hashable

# What other files know, and write.
_ELSEWHERE = "elsewhere"


class PointsTo:
    """Sets for all variables of the templates. ``initial`` are the values that variables start with, None for any."""

    def __init__(self, unit: Unit, templates: Iterable[Template], initial: Iterable[tuple[Term, Term | None]]) -> None:
        self._unit = unit
        self._loaded_sets: dict[Term, set[Named] | None] = {}
        self._parts: dict[Term, tuple[frozenset[Named], tuple[Term, ...]]] = {}
        self._flows: list[tuple[Term, Term]] = []
        self._stores: list[tuple[Access, Term]] = []
        self._at: dict[Hashable, list[Term]] = {}
        self._calls: list[Foreign] = []
        self._nodes: set[Node] = set()
        self._written_elsewhere: set[Term] = set()
        self._known_elsewhere: set[Named] | None = set()
        self._wild = False
        open_: set[Term] = set(unit.opaque)
        for variable, value in initial:
            if value is None:
                open_.add(variable)
            else:
                self._flow(variable, value)
        for template in templates:
            for step in template.steps:
                match step.action:
                    case Assign(variable, value):
                        self._flow(variable, value)
                    case Havoc(variable) if variable in unit.chosen_slots:
                        # It says which of the addresses of a block, not of which block.
                        continue
                    case Havoc(variable) if not unit.watched or not _is_garbage(step):
                        open_.add(variable)
                    case Call(_, arguments):
                        self._flows.extend(arguments)
                    case Store(access, value, _):
                        self._stores.append((access, value))
                    case Foreign():
                        self._calls.append(step.action)
                    case WildWrite():
                        self._wild = True
        self._cells: Mapping[Object, list[Term]] = {o: unit.all_parts(o) for o in unit.addressed}
        if self._wild:
            open_.update(term for terms in self._cells.values() for term in terms)
            open_.update(term for term, o in unit.objects.items() if o.lasting)
        self._inclusions: Inclusions[Node, Named] = Inclusions(exact_when_open=bool(self._calls))
        self._sets, self._open, self._unknown = self._inclusions.sets, self._inclusions.open, self._inclusions.unknown
        for variable in open_:
            self._inclusions.lose(variable, self._wild or variable in unit.opaque)
        self._spreading: set[Node] = set()
        self._unsettled = list(self._cells)
        self._constrain()
        self._inclusions.solve()
        while self._calls and self._escape():
            self._loaded_sets.clear()
            self._inclusions.solve()

    def _flow(self, variable: Term, value: Term) -> None:
        if self._parts_of(value) != (frozenset(), ()):
            self._flows.append((variable, value))

    def of(self, term: Term) -> Objects:
        """The objects that an address may lead into; None if nothing is known."""
        found = self._named(term)
        return None if found is None else frozenset(each for each in found if isinstance(each, Object))

    def _named(self, term: Term) -> set[Named] | None:
        """The functions too."""
        objects, variables = self._parts_of(term)
        found = set(objects)
        for variable in variables:
            inside = self._of_variable(variable)
            if inside is None:
                return None
            found |= inside
        return found

    def _of_variable(self, variable: Term) -> set[Named] | None:
        if variable in self._open:
            return None
        load = self._unit.loads.get(variable)
        if load is None:
            return self._of_cell(variable)
        if variable not in self._loaded_sets:
            self._loaded_sets[variable] = self._of_load(load[0])
        return self._loaded_sets[variable]

    def _of_load(self, access: Access) -> set[Named] | None:
        found: set[Named] = set()
        where = self.of(access.address)
        if where is None:
            return None
        for symbol in where:
            cells = self._cells_at(symbol, access)
            if not cells:
                # What lies in an object that is not modelled cell by cell, or is read as something else, is not known.
                return None
            for cell in cells:
                inside = self._of_cell(cell)
                if inside is None:
                    return None
                found |= inside
        return found

    def _own(self, term: Term) -> set[Named] | None:
        """What of this file a value may lead to that may also come from elsewhere; None if nothing is known."""
        objects, variables = self._parts_of(term)
        found = set(objects)
        for variable in variables:
            cells: list[Term] | None = [variable]
            if variable in self._unit.loads:
                cells = self._loaded(self._unit.loads[variable][0])
            if cells is None or not self._unknown.isdisjoint(cells):
                return None
            found.update(*(self._sets.get(cell, ()) for cell in cells))
        return found

    def _loaded(self, access: Access) -> list[Term] | None:
        found: list[Term] = []
        where = self._own(access.address)
        for symbol in where or ():
            cells = self._cells_at(symbol, access) if isinstance(symbol, Object) else [symbol]
            if not cells:
                return None
            found.extend(cell for cell in cells if isinstance(cell, Term))
        return None if where is None else found

    def _of_cell(self, cell: Term) -> set[Named] | None:
        if cell in self._open:
            return None
        own = self._sets.get(cell, set())
        if cell not in self._written_elsewhere:
            return own
        return None if self._known_elsewhere is None else own | self._known_elsewhere

    def punned(self) -> set[Object]:
        """The objects that are accessed as something else, and those that pointers in there lead to."""
        self._note_loads()
        found = set(punned(self._unit, self.of))
        work = list(found)
        while work:
            for term, _ in self._contents(work.pop()):
                new = (self.of(term) or frozenset()) - found
                found |= new
                work.extend(new)
        return found

    def _note_loads(self) -> None:
        """A pointer that is read through a pointer may have been written as one to something else, in a union."""
        for load, (access, _) in self._unit.loads.items():
            target = access.type.target if isinstance(access.type, Pointer) else None
            for symbol in () if target is None else self.of(access.address) or ():
                for cell in self._unit.cells(symbol.type) if symbol.block is None else ():
                    if cell.in_union and isinstance(cell.type, Pointer) and access.may_be_at(cell):
                        self._unit.recasts[load, cell.type.target, target or VOID] = None
                for family in symbol.block.families if symbol.block is not None else ():
                    if family.in_union and isinstance(family.type, Pointer) and family.may_hold(access):
                        self._unit.recasts[load, family.type.target, target or VOID] = None

    # ---- what functions without a body know -----------------------------------------------------------------

    def reached(self, call: Foreign) -> set[Named] | None:
        """The objects and functions that a call may reach; None if that may be anything."""
        return self._known_elsewhere if call.reach is ForeignReach.REACHABLE else self._closure((call,), False)

    def may_be_held(self, objects: Iterable[Object]) -> bool:
        """Whether somebody outside of the model may hold the address of one of some objects."""
        return self._wild or self._known_elsewhere is None or not self._known_elsewhere.isdisjoint(objects)

    def _escape(self) -> bool:
        """Take what other files know into account; whether that changes anything."""
        linked = any(call.reach is ForeignReach.REACHABLE for call in self._calls)
        known = self._closure(self._calls, linked)
        written = set(self._linked() if linked else ())
        for symbol in self._cells if known is None else known:
            if isinstance(symbol, Object) and not symbol.constant:
                written.update(self._cells.get(symbol, ()))
        before = (self._known_elsewhere, self._written_elsewhere)
        self._known_elsewhere, self._written_elsewhere = known, written
        if known is None:
            self._inclusions.lose(_ELSEWHERE)
        else:
            self._inclusions.add(_ELSEWHERE, known)
        for cell in written:
            self._inclusions.include(_ELSEWHERE, cell)
        return before != (known, written)

    def _linked(self) -> Iterable[Term]:
        """The variables that other files know by name and may write."""
        return (term for term, o in self._unit.objects.items() if o.linked and not o.constant)

    def _closure(self, calls: Iterable[Foreign], linked: bool) -> set[Named] | None:
        """What calls are given, and whatever lies there."""
        found: set[Named] = set()
        work: list[tuple[Term, bool]] = [each for call in calls for each in call.arguments]
        further = any(call.reach is not ForeignReach.GIVEN for call in calls)
        work.extend((term, True) for term in self._unit.exposed if further)
        if linked:
            objects = (o for o in self._unit.scopes.globals() if isinstance(o, Object) and o.linked)
            work.extend(content for o in objects for content in self._contents(o))
        while work:
            term, is_pointer = work.pop()
            inside = self._own(term)
            if inside is None and is_pointer:
                return None
            new = (inside or set()) - found
            found |= new
            for symbol in new:
                if isinstance(symbol, Object) and further:
                    work.extend(self._contents(symbol))
        return found

    def _contents(self, symbol: Object) -> Iterable[tuple[Term, bool]]:
        for family, term in symbol.block.parts.items() if symbol.block is not None else ():
            yield term, isinstance(family.type, Pointer)
        for cell in self._unit.cells(symbol.type) if symbol.block is None else ():
            own = symbol.parts.get(cell.offset)
            if own is not None:
                yield own, isinstance(cell.type, Pointer)

    def _cells_at(self, symbol: Object, access: Access) -> list[Term]:
        """The cells of an object that an access may be at."""
        key = (symbol, access.type, access.record, access.offsets)
        known = self._at.get(key)
        if known is None and symbol.block is not None:
            # A block of one family may turn out to be one of bytes.
            parts, alone = symbol.block.parts, len(symbol.block.parts) == 1
            known = self._at[key] = [term for family, term in parts.items() if alone or family.may_hold(access)]
        elif known is None:
            own = self._cells.get(symbol)
            known = self._at[key] = [] if own is None else [own[i] for i in self._unit.fitting(symbol.type, access)]
        return known

    def _parts_of(self, term: Term) -> tuple[frozenset[Named], tuple[Term, ...]]:
        known = self._parts.get(term)
        if known is None:
            objects: list[Named] = []
            variables: list[Term] = []
            width = self._unit.model.pointer_width
            for sub in _values(term, self._unit.bases):
                if sub.op == "var" and sub in self._unit.origins:
                    objects.append(self._unit.origins[sub])
                elif sub.op == "var":
                    variables.append(sub)
                elif sub.op == "const" and sub.sort.is_bits and sub.sort.width == width:
                    at = self._unit.object_at(sub.payload)
                    function = self._unit.function_at(sub.payload)
                    if at is not None:
                        objects.append(at[0])
                    elif function is not None:
                        objects.append(function)
            known = self._parts[term] = (frozenset(objects), tuple(variables))
        return known

    # ---- constraints ----------------------------------------------------------------------------------------

    def _constrain(self) -> None:
        for variable, value in self._flows:
            self._inclusions.include(self._node(value), variable)
        for access, value in self._stores:
            self._store(access, self._node(value))

    def _node(self, term: Term) -> Node:
        """What stands for the values of a term."""
        if term in self._nodes:
            return term
        self._nodes.add(term)
        objects, variables = self._parts_of(term)
        if (objects, variables) == (frozenset(), (term,)):
            if term in self._unit.loads:
                self._load(term, self._unit.loads[term][0])
        else:
            self._inclusions.add(term, objects)
            for variable in variables:
                self._inclusions.include(self._node(variable), term)
        return term

    def _load(self, load: Term, access: Access) -> None:
        """It includes the cells that it may be read from. What lies in an object that is not modelled cell by cell, or
        is read as something else, is not known."""
        address = self._node(access.address)

        def each(symbol: Named) -> None:
            if isinstance(symbol, Object):
                cells = self._cells_at(symbol, access)
                for cell in cells:
                    self._inclusions.include(cell, load)
                if not cells:
                    self._inclusions.lose(load, unknown=True)

        self._inclusions.lose_with(address, load)
        self._inclusions.follow(address, each, lambda: None)

    def _store(self, access: Access, value: Node) -> None:
        """The cells that it may be written to include it; where nothing is known of the address, those of all
        objects: these stores have a node for each kind of access."""
        everywhere = (access.type, access.record, access.offsets)

        def each(symbol: Named) -> None:
            if isinstance(symbol, Object):
                for cell in self._cells_at(symbol, access) or self._unit.all_parts(symbol):
                    self._inclusions.include(value, cell)

        def opened() -> None:
            self._inclusions.include(value, everywhere)
            if everywhere not in self._nodes:
                self._nodes.add(everywhere)
                self._inclusions.follow(everywhere, lambda _: spread(), spread)

        def spread() -> None:
            self._spread(everywhere, access)

        self._inclusions.follow(self._node(access.address), each, opened)

    def _spread(self, everywhere: Node, access: Access) -> None:
        """What is stored at any address, if there is anything, may be in all cells that are not settled yet."""
        if everywhere not in self._spreading:
            self._spreading.add(everywhere)
            self._unsettled = [symbol for symbol in self._unsettled if self._is_unsettled(symbol)]
            for symbol in self._unsettled:
                for cell in self._cells_at(symbol, access) or self._unit.all_parts(symbol):
                    self._inclusions.include(everywhere, cell)

    def _is_unsettled(self, symbol: Object) -> bool:
        return any(not self._inclusions.is_settled(cell) for cell in self._unit.all_parts(symbol))


def _is_garbage(step: TemplateStep) -> bool:
    """Whether a variable is left without a value: who follows it leaves the language."""
    return step.choice is not None and step.choice.kind is SourceKind.UNINITIALISED


def _values(term: Term, bases: Mapping[Term, Term]) -> Iterator[Term]:
    """The parts of a term that its value is made of: not the conditions that choose between them, nor what is added to
    a pointer."""
    seen = {term}
    work = [term]
    while work:
        part = work.pop()
        yield part
        inside = part.args[1:] if part.op == "ite" else part.args
        if part in bases:
            inside = (bases[part],)
        new = [each for each in inside if each not in seen]
        seen.update(new)
        work.extend(new)
