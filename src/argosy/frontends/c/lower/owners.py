"""Who owns each of any number of blocks: a ghost that makes lost memory a matter of single steps.

Nobody can look at all blocks at once to see which of them is reached. So each block in any number (``Unit.any_number``)
has an *owner*: either the variables of the program together, or one pointer in one other block. The owner changes only
in ways that keep four things true of every block that is allocated, in every execution that took no edge to the error:

1. If the variables own it, one of them leads into it.
2. If a pointer in a block owns it, that block is allocated, and the pointer leads into it.
3. No chain of owners comes back to where it began.
4. An owner is a pointer of its own block's type, in the variable of the model where that lies.

By 1 to 3 every chain of owners ends at a variable: nothing is lost, anywhere. Where a step cannot keep this, because a
variable or a pointer changes that was the last one known to hold a block, there is an edge to the error, in doubt: that
no owner is known does not mean that there is none. So a proof is one that no memory is lost, and no counterexample is
made of these edges. Where lost memory is no violation there are these edges all the same if the program frees any: a
proof that some block is still there when another one is freed needs owners.

When a pointer is written in a block, the block that it leads to may get a new owner; chains stay without end because

* it belonged to the variables, and owns nothing itself; or
* it belonged to the variables, as does the block in which is written: these are two trees; or
* it was owned by what the pointer led to before (a list without one of its nodes): that is not above; or
* it belonged to the variables, owns nothing, and has a pointer to what the pointer led to before (a node that is
  inserted): then it becomes the owner of that.

That the owner of the next node is this one says that no other leads there: what a loop needs to know that frees a list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from argosy.basics.records import replace
from argosy.frontends.c.lower.points_to import PointsTo
from argosy.frontends.c.lower.validity import slot_of
from argosy.frontends.c.symbols import RESULT, Object, Unit
from argosy.frontends.c.types import VOID, Pointer
from argosy.frontends.c.unsupported import Construct, refusal
from argosy.logic.sorts import array
from argosy.logic.terms import Term
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Havoc, Location, Mark, Marked, Operation, written
from argosy.models.kinds import Undefined
from argosy.models.liveness import live_variables

# The owner that stands for the variables of the program; no pointer in a block has this address.
VARIABLES = 1
# More pointers than that are not looked at in an array of a structure.
MOST_IN_ARRAY = 8

# Ends that say that something is wrong already: nobody expects memory to be given back there.
_ABNORMAL = frozenset(("abort", "__builtin_abort", "__builtin_trap", "__VERIFIER_error", "__builtin_unreachable"))


def with_owners(cfa: Cfa, unit: Unit, points_to: PointsTo, variable: Callable[[Term], Term]) -> Cfa:
    """The automaton with owners of the blocks in any number, if there are any, and with an edge to the error wherever
    an owner is lost; ``variable`` is where a family of a block lies."""
    if unit.allocated is None or unit.allocated not in {each.term for each in cfa.variables}:
        return cfa
    return _Owners(cfa, unit, points_to, variable).cfa()


class _Owners:
    def __init__(self, cfa: Cfa, unit: Unit, points_to: PointsTo, variable: Callable[[Term], Term]) -> None:
        self._cfa = cfa
        self._unit = unit
        self._terms = unit.terms
        self._points_to = points_to
        self._live = live_variables(cfa)
        self._locations: list[Location] = list(cfa.locations)
        self._edges: list[Edge] = []
        assert unit.allocated is not None
        self._allocated = unit.allocated
        pointer = unit.model.pointer(VOID)
        sort = array(pointer.sort, pointer.sort)
        self._owners = unit.array_variable("", "owners of blocks", sort, cfa.initial.position, pointer)
        self._new = [self._owners]
        self._doubt: Term | None = None
        self._index: Term | None = None
        self._blocks = [o for o, b in unit.allocations.items() if b.any_number]
        # Where pointers lie in blocks, and in which block at which offset.
        self._cells: dict[tuple[Term, int], list[Object]] = {}
        declared = {each.term for each in cfa.variables}
        for symbol in self._blocks:
            for part, offset in self._pointers_in(symbol):
                if variable(part) not in declared:
                    # Nobody writes there.
                    continue
                self._cells.setdefault((variable(part), offset), []).append(symbol)
        self._arrays = {part for part, _ in self._cells}
        self._roots = list(self._find_roots())
        # Where only accesses matter, owners say which blocks are still there when others are freed.
        self._matters = Undefined.LEAK in unit.watched or any(self._frees(edge) for edge in cfa.edges)

    def _frees(self, edge: Edge) -> bool:
        operation = edge.operation
        begins = isinstance(operation, Assign) and operation.value.args[-1:] == (self._terms.bv(1, 1),)
        return self._allocated in written(operation) and not begins

    def _pointers_in(self, symbol: Object) -> Iterator[tuple[Term, int]]:
        assert symbol.block is not None
        for family, part in symbol.block.parts.items():
            plain = isinstance(family.type, Pointer) and part.sort.element is not None and not family.in_union
            if not plain or symbol.block.bytes is not None:
                continue
            if not family.dimensions:
                yield part, family.offset
            elif len(family.dimensions) == 1 and 0 < family.dimensions[0].length <= MOST_IN_ARRAY:
                own = family.dimensions[0]
                yield from ((part, family.offset + number * own.stride) for number in range(own.length))

    def _find_roots(self) -> Iterator[Term]:
        """The variables that may lead into blocks; none that lies in a block itself, or that a call has saved."""
        unit, width, blocks = self._unit, self._unit.model.pointer_width, set(self._blocks)
        for variable in self._cfa.variables:
            term = variable.term
            if term in self._cfa.opaque or not term.sort.is_bits or term.sort.width != width:
                continue
            symbol = unit.objects.get(term)
            inside = None if symbol is None else unit.allocations.get(symbol)
            if (inside is not None and not inside.automatic) or (symbol is None and "~" in term.name):
                continue
            found = self._points_to.of(term)
            if unit.is_pointer(term) if found is None else not found.isdisjoint(blocks):
                yield term

    def _is_passing(self, term: Term) -> bool:
        """Whether a variable is not in the text: it holds something only as long as it is needed."""
        symbol = self._unit.objects.get(term)
        return symbol is None or symbol.temporary or symbol.name in (RESULT, "temp")

    def _roots_at(self, at: Location) -> list[Term]:
        live = self._live[at]
        return [term for term in self._roots if term in live or not self._is_passing(term)]

    # ---- conditions ---------------------------------------------------------------------------------------

    def _slot(self, address: Term) -> Term:
        return slot_of(self._unit, address)

    def _is_live(self, address: Term) -> Term:
        """Whether an address leads into a block that is allocated."""
        return self._terms.eq(self._terms.select(self._allocated, self._slot(address)), self._terms.bv(1, 1))

    def _owner(self, block: Term) -> Term:
        return self._terms.select(self._owners, block)

    def _is_rooted(self, block: Term) -> Term:
        return self._terms.eq(self._owner(block), self._terms.const(VARIABLES, block.sort))

    def _is_held(self, block: Term, values: Sequence[Term]) -> Term:
        return self._terms.disjunction(self._terms.eq(self._slot(value), block) for value in values)

    def _owns_nothing(self, block: Term) -> Term:
        terms = self._terms
        found = []
        for (part, _), cell in zip(self._cells, self._cells_of(block), strict=True):
            inside = terms.select(part, cell)
            owned = terms.and_(self._is_live(inside), terms.eq(self._owner(self._slot(inside)), cell))
            found.append(terms.not_(owned))
        return terms.conjunction(found)

    def _cells_of(self, block: Term) -> list[Term]:
        terms, width = self._terms, block.sort.width
        return [terms.bit("bvadd", block, terms.bv(offset, width)) for _, offset in self._cells]

    def _may_own(self, part: Term, cell: Term) -> Term:
        """Whether at an address in a variable there is a pointer in a block that is allocated."""
        terms, width, found = self._terms, cell.sort.width, []
        low = self._unit.any_slot.bit_length() - 1
        for (array_, offset), symbols in self._cells.items():
            if array_ is not part:
                continue
            here = terms.eq(terms.extract(cell, low - 1, 0), terms.bv(offset, low))
            for symbol in symbols:
                room = self._unit.slot(symbol)
                base = terms.bv(self._unit.address(symbol), width)
                near = terms.eq(terms.extract(cell, width - 1, room), terms.extract(base, width - 1, room))
                found.append(terms.and_(here, near))
        return terms.and_(terms.disjunction(found), self._is_live(cell))

    # ---- edges --------------------------------------------------------------------------------------------

    def cfa(self) -> Cfa:
        for edge in self._cfa.edges:
            self._take(edge)
        if Undefined.CLEANUP in self._unit.watched:
            self._watch_ends()
        opaque = dict(self._cfa.opaque)
        if self._doubt is not None:
            opaque[self._doubt] = self._unit.opaque[self._doubt]
            self._new.append(self._doubt)
        return replace(
            self._cfa,
            locations=tuple(self._locations),
            edges=tuple(self._edges),
            variables=(*self._cfa.variables, *(self._unit.variables[term] for term in self._new)),
            opaque=opaque,
        )

    def _point(self, near: Location) -> Location:
        made = Location(len(self._locations), near.function, near.position, "", -1, near.depth)
        self._locations.append(made)
        return made

    def _take(self, edge: Edge) -> None:
        """An edge, with what it means for owners before and after it."""
        operation = edge.operation
        before, live = None, self._live[edge.source]
        if isinstance(operation, Assign | Havoc) and operation.variable in self._roots:
            self._leaves(edge, operation)
        elif isinstance(operation, Assign) and operation.variable is self._allocated:
            before = self._of_lifetime(edge, operation.value)
        elif isinstance(operation, Assign) and operation.variable in self._arrays:
            before = self._of_write(edge, operation.variable, operation.value)
        elif not {*self._arrays, *self._roots, self._allocated}.isdisjoint(written(operation)):
            self._fail(edge.source, self._terms.true, edge)
        if before is not None:
            middle = self._point(edge.source)
            self._edges.append(Edge(edge.source, middle, Assign(self._owners, before), edge.position, ""))
            edge = replace(edge, source=middle)
        self._edges.extend(self._dying(edge, operation, live))

    def _dying(self, edge: Edge, operation: Operation, live: frozenset[Term]) -> Iterator[Edge]:
        """The edge, and behind it whether variables that are not needed any more were the last ones to hold a block."""
        later = self._live[edge.target]
        gone = [
            term
            for term in self._roots
            if self._is_passing(term) and term not in later and (term in live or term in written(operation))
        ]
        if not gone or edge.target is self._cfa.error:
            yield edge
            return
        middle, roots = self._point(edge.target), self._roots_at(edge.target)
        yield replace(edge, target=middle)
        lost = (self._is_lost(term, roots) for term in gone)
        self._fail(middle, self._terms.disjunction(lost), edge)
        yield Edge(middle, edge.target, Assume(self._terms.true), edge.position, "")

    def _is_lost(self, pointer: Term, values: Sequence[Term]) -> Term:
        """Whether the block that a pointer led into belongs to the variables, and none of these values leads there."""
        block = self._slot(pointer)
        return self._terms.conjunction(
            (self._is_live(pointer), self._is_rooted(block), self._terms.not_(self._is_held(block, values)))
        )

    def _leaves(self, edge: Edge, operation: Assign | Havoc) -> None:
        """A variable gets another value."""
        changed = operation.variable
        if self._is_passing(changed) and changed not in self._live[edge.source]:
            return
        others = [term for term in self._roots_at(edge.target) if term is not changed]
        if isinstance(operation, Assign) and (changed in self._live[edge.target] or not self._is_passing(changed)):
            others.append(operation.value)
        self._fail(edge.source, self._is_lost(changed, others), edge)

    def _of_lifetime(self, edge: Edge, value: Term) -> Term | None:
        """The owners when a block begins or ends."""
        terms = self._terms
        if value.op != "store" or value.args[0] is not self._allocated or not value.args[2].is_const:
            if value.op != "const-array":
                self._fail(edge.source, terms.true, edge)
            return None
        _, block, bit = value.args
        width = block.sort.width
        if bit is terms.bv(1, 1):
            return terms.store(self._owners, block, terms.bv(VARIABLES, width))
        freed = terms.eq(terms.select(self._allocated, block), terms.bv(1, 1))
        owners, roots = self._owners, self._roots_at(edge.target)
        for (part, _), cell in zip(self._cells, self._cells_of(block), strict=True):
            inside = terms.select(part, cell)
            child = self._slot(inside)
            left = terms.conjunction((freed, self._is_live(inside), terms.eq(self._owner(child), cell)))
            self._fail(edge.source, terms.and_(left, terms.not_(self._is_held(child, roots))), edge)
            new = terms.ite(left, terms.bv(VARIABLES, width), terms.select(owners, child))
            owners = terms.store(owners, child, new)
        return terms.store(owners, block, terms.ite(freed, terms.bv(0, width), terms.select(owners, block)))

    def _of_write(self, edge: Edge, part: Term, value: Term) -> Term | None:
        """The owners when a pointer in a block is written."""
        terms, condition = self._terms, self._terms.true
        if value.op == "ite" and value.args[2] is part:
            condition, value = value.args[0], value.args[1]
        if value.op != "store" or value.args[0] is not part:
            if value.op != "const-array":
                self._fail(edge.source, terms.true, edge)
            return None
        _, cell, new = value.args
        width = cell.sort.width
        old, around = terms.select(part, cell), self._slot(cell)
        was, becomes = self._slot(old), self._slot(new)
        lost = terms.conjunction(
            (condition, self._is_live(old), terms.eq(self._owner(was), cell), terms.ne(was, becomes))
        )
        takes = terms.conjunction((condition, self._is_live(new), self._may_own(part, cell), terms.ne(becomes, around)))
        free, alone = self._is_rooted(becomes), self._owns_nothing(becomes)
        # A node is inserted before the one that was here.
        there = terms.bv(0, width)
        for (other, _), further in reversed(list(zip(self._cells, self._cells_of(becomes), strict=True))):
            leads = terms.eq(self._slot(terms.select(other, further)), was)
            there = terms.ite(terms.and_(leads, self._may_own(other, further)), further, there)
        has = terms.ne(there, terms.bv(0, width))
        inserted = terms.conjunction((lost, takes, free, alone, has))
        # The node that was here is left out.
        unlinked = terms.conjunction((lost, takes, terms.eq(self._slot(self._owner(becomes)), was)))
        linked = terms.conjunction((takes, free, terms.or_(alone, self._is_rooted(around))))
        held = self._is_held(was, self._roots_at(edge.target))
        self._fail(edge.source, terms.conjunction((lost, terms.not_(inserted), terms.not_(held))), edge)
        left = terms.ite(inserted, there, terms.bv(VARIABLES, width))
        owners = terms.store(self._owners, was, terms.ite(lost, left, self._owner(was)))
        moved = terms.disjunction((inserted, unlinked, linked))
        return terms.store(owners, becomes, terms.ite(moved, cell, terms.select(owners, becomes)))

    def _fail(self, at: Location, condition: Term, edge: Edge) -> None:
        if condition is self._terms.false or not self._matters:
            return
        if self._doubt is None:
            why = refusal(edge.position, "who holds memory from malloc", Construct.HOLDERS, bound=True, arbitrary=True)
            self._doubt = self._unit.opaque_term(self._terms.bv(0, 1).sort, why, False)
        doubtful = self._terms.and_(condition, self._terms.eq(self._doubt, self._terms.bv(1, 1)))
        self._edges.append(Edge(at, self._cfa.error, Assume(doubtful), edge.position, "memory that may be lost"))

    def _watch_ends(self) -> None:
        """Any block that is allocated where the program ends was not given back."""
        terms, unit = self._terms, self._unit
        pointer = unit.model.pointer(VOID)
        index = unit.variable("", "block that is left", pointer, self._cfa.initial.position)
        self._new.append(index)
        left = terms.eq(terms.select(self._allocated, index), terms.bv(1, 1))
        if self._matters:
            # Where there is any, there is one that belongs to the variables.
            left = terms.and_(left, self._is_rooted(index))
        for edge in self._cfa.edges:
            for mark in edge.marks:
                if mark.kind is Marked.END and mark.name not in _ABNORMAL:
                    found = Mark(Undefined.CLEANUP, "", edge.position, edge.text, index, 0, unit.places.addresses)
                    middle = self._point(edge.source)
                    said = f"{Undefined.CLEANUP.value} at {edge.text}"
                    self._edges.append(Edge(edge.source, middle, Havoc(index), edge.position, ""))
                    error = self._cfa.error
                    self._edges.append(Edge(middle, error, Assume(left), edge.position, said, marks=(found,)))
