"""Memory that is lost, and memory that is not given back: edges to the error where the program ends or goes round.

A block is *lost* when it is allocated and cannot be reached: no variable that exists points into it, nor does any block
that can itself be reached (the competitions: all allocated memory is tracked, that is pointed to or deallocated). What
is lost stays lost, so it is enough to look where executions end and, for those that do not, at the heads of loops. A
set of blocks is guessed of which none is pointed to from outside of it: that exists iff a block is lost.

A pointer anywhere into a block holds it. Variables in the text hold what they point to until their blocks end
(``ending``); what an expression computes on its way holds it as long as it may be needed.

``CLEANUP``: a block is allocated where the program ends by itself, by ``return`` from its first function or ``exit``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from argosy.basics.position import Position
from argosy.basics.records import replace
from argosy.frontends.c.lower.points_to import PointsTo
from argosy.frontends.c.symbols import RESULT, Object, Unit
from argosy.frontends.c.types import BOOL
from argosy.frontends.c.unsupported import Construct, refusal
from argosy.logic.terms import Term
from argosy.models.cfa import Assume, Cfa, Edge, Havoc, Location, Mark, Marked, Operation, Variable
from argosy.models.kinds import Undefined
from argosy.models.liveness import live_variables

# So many elements of an array of pointers are looked at one by one; of larger ones nobody knows whom they hold.
MOST_HOLDING = 16

# Ends that say that something is wrong already: nobody expects memory to be given back there.
_ABNORMAL = frozenset(("abort", "__builtin_abort", "__builtin_trap", "__VERIFIER_error", "__builtin_unreachable"))


def with_leaks(cfa: Cfa, unit: Unit, points_to: PointsTo, forgotten: bool = False) -> Cfa:
    """The automaton with an edge to its error wherever memory is lost or kept, as far as ``unit.watched`` asks. Cells
    that were ``forgotten`` may hold any block."""
    if not unit.allocations or unit.watched.isdisjoint((Undefined.LEAK, Undefined.CLEANUP)):
        return cfa
    return _Leaks(cfa, unit, points_to, forgotten).cfa()


class _Leaks:
    def __init__(self, cfa: Cfa, unit: Unit, points_to: PointsTo, forgotten: bool) -> None:
        self._cfa = cfa
        self._unit = unit
        self._terms = unit.terms
        self._points_to = points_to
        # What stands in code that is never executed is not allocated.
        declared = {variable.term for variable in cfa.variables}
        some = ((symbol, block) for symbol, block in unit.allocations.items() if not block.any_number)
        bits = ((symbol, block.allocated) for symbol, block in some)
        self._blocks = {symbol: bit for symbol, bit in bits if bit is not None and bit in declared}
        self._locations: list[Location] = list(cfa.locations)
        self._edges: list[Edge] = []
        self._variables: dict[Term, Variable] = {}
        self._doubt: Term | None = None
        # Arrays of pointers that may hold blocks; of some, nobody looks at the elements.
        self._arrays: list[tuple[Term, Sequence[Object], Object]] = []
        self._elsewhere = forgotten
        self._holders = list(self._find_holders())
        self._contents = [(t, o, h) for t, o, h in self._holders if h is not None]
        self._lost: Mapping[Object, Term] = {}
        if (self._contents or self._arrays) and Undefined.LEAK in unit.watched:
            self._lost = {o: self._bit(f"{o.name} is lost", o.position) for o in self._blocks}

    def _bit(self, name: str, position: Position) -> Term:
        term = self._unit.variable("", name, BOOL, position)
        self._variables[term] = self._unit.variables[term]
        return term

    # ---- who holds what -----------------------------------------------------------------------------------

    def _find_holders(self) -> Iterator[tuple[Term, Sequence[Object], Object | None]]:
        """The variables that may point into blocks, into which, and the block that they lie in themselves."""
        unit, width = self._unit, self._unit.model.pointer_width
        named = {term.name: term for term in unit.variables}
        for variable in self._cfa.variables:
            term = variable.term
            if term in self._cfa.opaque:
                continue
            if term.sort.element is not None:
                found = self._points_to.of(term)
                if unit.holds_pointers(term) if found is None else not found.isdisjoint(self._blocks):
                    self._note_array(term, [o for o in self._blocks if found is None or o in found])
            if not term.sort.is_bits or term.sort.width != width:
                continue
            # What a deeper call saves is what the variable itself may hold.
            origin = named.get(term.name.rpartition("~")[0], term) if term not in unit.objects else term
            found = self._points_to.of(origin)
            if found is None and not unit.is_pointer(origin):
                continue
            into = [o for o in self._blocks if found is None or o in found]
            if into:
                symbol = unit.objects.get(term)
                yield term, into, symbol if symbol in self._blocks else None

    def _note_array(self, term: Term, into: Sequence[Object]) -> None:
        symbol = self._unit.objects.get(term)
        block = None if symbol is None else symbol.block
        family = None if block is None else next((f for f, own in block.parts.items() if own is term), None)
        whole = term.sort.element is not None and term.sort.element.width == self._unit.model.pointer_width
        plain = family is not None and len(family.dimensions) == 1 and family.dimensions[0].stride > 0 and whole
        # What ends with a call is not noticed to hold nothing any more.
        exists = symbol in self._blocks or (symbol not in self._unit.allocations and bool(symbol and symbol.lasting))
        if symbol is None or block is None or not plain or not exists or block.bytes is not None or block.size is None:
            self._elsewhere = True
        else:
            self._arrays.append((term, into, symbol))

    def _elements(self, term: Term, symbol: Object) -> tuple[list[tuple[Term, Term]], Term]:
        """The first elements of an array, each with the condition that it is there, and that there are no others."""
        terms, block = self._terms, symbol.block
        assert block is not None and block.size is not None and term.sort.index is not None
        family = next(f for f, own in block.parts.items() if own is term)
        stride, length = family.dimensions[0].stride, family.dimensions[0].length
        size, own = block.size, self._unit.model.pointer_width // 8
        count = min(length, MOST_HOLDING) if length else MOST_HOLDING
        ends = [family.offset + number * stride + own for number in range(count + 1)]
        there = [terms.bit("bvule", terms.const(end, size.sort), size) for end in ends]
        elements = [
            (terms.select(term, terms.const(number, term.sort.index)), there[number]) for number in range(count)
        ]
        return elements, terms.true if length == count else terms.not_(there[count])

    def _holds(self, symbol: Object) -> Term:
        """Whether what lies in an object is reached, if it is a block."""
        if symbol not in self._blocks:
            return self._terms.true
        return self._terms.and_(self._is_allocated(symbol), self._terms.not_(self._is_lost(symbol)))

    def _is_passing(self, term: Term) -> bool:
        """Whether a variable is not in the text: it holds something only as long as it is needed."""
        symbol = self._unit.objects.get(term)
        return symbol is None or symbol.temporary or symbol.name in (RESULT, "temp")

    def _roots(self, live: frozenset[Term]) -> Iterator[tuple[Term, Sequence[Object]]]:
        for term, into, block in self._holders:
            if block is None and (term in live or not self._is_passing(term)):
                yield term, into

    # ---- conditions ---------------------------------------------------------------------------------------

    def _apart(self, pointer: Term, block: Object) -> Term:
        """Whether a pointer does not lead into a block."""
        terms, width, base = self._terms, pointer.sort.width, self._unit.address(block)
        low = self._unit.slot(block)
        start = terms.extract(terms.bv(base, width), width - 1, low)
        return terms.ne(terms.extract(pointer, width - 1, low), start)

    def _is_allocated(self, block: Object) -> Term:
        return self._terms.eq(self._blocks[block], self._terms.bv(1, 1))

    def _is_lost(self, block: Object) -> Term:
        return self._terms.eq(self._lost[block], self._terms.bv(1, 1))

    def _some_lost(self, live: frozenset[Term]) -> tuple[Term, Term]:
        """Whether some block is lost, and the address of one; the guessed set, if there is one, is in variables."""
        terms = self._terms
        apart: dict[Object, list[Term]] = {o: [] for o in self._blocks}
        for pointer, into in self._roots(live):
            for block in into:
                apart[block].append(self._apart(pointer, block))
        if not self._lost:
            each = {o: terms.conjunction((self._is_allocated(o), *apart[o])) for o in self._blocks}
            return terms.disjunction(each.values()), self._first(each)
        for pointer, into, around in self._contents:
            assert around is not None
            for block in into:
                apart[block].append(terms.implies(self._holds(around), self._apart(pointer, block)))
        for array, into, symbol in self._arrays:
            for element, there in self._elements(array, symbol)[0]:
                for block in into:
                    holds = terms.and_(self._holds(symbol), there)
                    apart[block].append(terms.implies(holds, self._apart(element, block)))
        guessed = {o: self._is_lost(o) for o in self._blocks}
        closed = (
            terms.implies(guessed[o], terms.conjunction((self._is_allocated(o), *apart[o]))) for o in self._blocks
        )
        return terms.conjunction((terms.disjunction(guessed.values()), *closed)), self._first(guessed)

    def _first(self, conditions: Mapping[Object, Term]) -> Term:
        """The address of the first block of which a condition holds."""
        terms, width = self._terms, self._unit.model.pointer_width
        address = terms.bv(0, width)
        for block, condition in reversed(list(conditions.items())):
            address = terms.ite(condition, terms.bv(self._unit.address(block), width), address)
        return address

    # ---- edges --------------------------------------------------------------------------------------------

    def cfa(self) -> Cfa:
        watched, ends = self._unit.watched, self._ends()
        if Undefined.CLEANUP in watched:
            kept = {o: self._is_allocated(o) for o in self._blocks}
            for edge, name in ends:
                if name not in _ABNORMAL:
                    condition = self._terms.disjunction(kept.values())
                    self._fail(edge.source, condition, Undefined.CLEANUP, edge.position, edge.text, self._first(kept))
        if Undefined.LEAK in watched:
            live = live_variables(self._cfa)
            places = {edge.source: (edge.position, edge.text) for edge, _ in ends}
            for head in sorted(self._cfa.loop_heads, key=lambda location: location.index):
                places.setdefault(head, (head.position, "one more round"))
            for location, (position, text) in places.items():
                condition, address = self._some_lost(live[location])
                self._fail(location, condition, Undefined.LEAK, position, text, address)
        new = {v.term: v for v in self._unit.variables.values() if v.term in self._variables}
        opaque = {**self._cfa.opaque}
        if self._doubt is not None:
            opaque[self._doubt] = self._unit.opaque[self._doubt]
            new[self._doubt] = self._unit.variables[self._doubt]
        return replace(
            self._cfa,
            locations=tuple(self._locations),
            edges=(*self._cfa.edges, *self._edges),
            variables=(*self._cfa.variables, *new.values()),
            opaque=opaque,
        )

    def _ends(self) -> list[tuple[Edge, str]]:
        return [(e, mark.name) for e in self._cfa.edges for mark in e.marks if mark.kind is Marked.END]

    def _fail(
        self, at: Location, condition: Term, kind: Undefined, position: Position, text: str, address: Term
    ) -> None:
        if condition is self._terms.false:
            return
        marks: tuple[Mark, ...] = (Mark(kind, "", position, text, address, 0, self._unit.places.addresses),)
        operations: list[Operation] = [Havoc(bit) for bit in self._lost.values()] if kind is Undefined.LEAK else []
        for operation in operations:
            after = Location(len(self._locations), at.function, position, "", -1, at.depth)
            self._locations.append(after)
            self._edges.append(Edge(at, after, operation, position, ""))
            at = after
        doubtful = self._terms.false if kind is not Undefined.LEAK else self._in_doubt()
        said = f"{kind.value} at {text}"
        if doubtful is not self._terms.true:
            sure = Assume(self._terms.and_(condition, self._terms.not_(doubtful)))
            self._edges.append(Edge(at, self._cfa.error, sure, position, said, marks=marks))
        if doubtful is not self._terms.false:
            guessed = Assume(self._terms.conjunction((condition, doubtful, self._doubted(position))))
            self._edges.append(Edge(at, self._cfa.error, guessed, position, said))

    def _in_doubt(self) -> Term:
        """Whether somebody may hold a block whom nobody looks at."""
        terms = self._terms
        if self._is_known_elsewhere():
            return terms.true
        others = ((symbol, self._elements(array, symbol)[1]) for array, _, symbol in self._arrays)
        return terms.disjunction(terms.and_(self._holds(symbol), terms.not_(all_)) for symbol, all_ in others)

    def _is_known_elsewhere(self) -> bool:
        """Whether somebody else may hold blocks: addresses went out, or became numbers."""
        return self._elsewhere or bool(self._unit.exposed) or self._points_to.may_be_held(self._blocks)

    def _doubted(self, position: Position) -> Term:
        if self._doubt is None:
            why = refusal(position, "who holds memory from malloc", Construct.HOLDERS, bound=True, arbitrary=True)
            self._doubt = self._unit.opaque_term(BOOL.sort, why, False)
        return self._terms.eq(self._doubt, self._terms.bv(1, 1))
