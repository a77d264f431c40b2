"""An automaton without its arrays: each array is one symbolic cell, an arbitrary but fixed index and its element.

Cell morphing ([Cells]) as a transformation of automata. An index ``k``, whose value is arbitrary at the beginning and
never changes, stands for any index; beside it stands, for every array ``a``, the element ``a[k]``
as a variable. A write ``a[i] := v`` is ``if i = k then a[k] := v``; a read of ``a[i]`` is ``a[k]`` where ``i = k`` and
any value elsewhere. What is proved of the result for an arbitrary ``k`` holds for all of them: the invariant ``P(k,
a[k])`` is the claim ``forall k: P(k, a[k])`` about the given automaton. Arrays with the same sorts of indices share
their cells, so that ``b[i] := a[i]`` is a copy of the element; arrays of arrays, and arrays at indices that are made of
parts, have a tuple of indices. Two cells say what holds of any two indices.

Law 1 (simulation): for every execution of the given automaton and every choice of the cells there is an execution of
the result along the edges that stand for its edges, with the same values of all other variables, in which ``a[k]`` has
the value that the execution has there. (By induction: a value that is read elsewhere is any value, so also this one.)

Where an element is read again, with nothing written in between that matters, it has the value that was read
(``models.repeated_reads``): so a value that is compared, elsewhere, is the one that is then taken.

Reads elsewhere would make every assertion about elements fail, so the cells look at those that matter (*focus*). The
region of the error are the paths to it from the last loop head, or from the start. Every index at which an edge of the
region reads belongs to a cell: the one read last before the error to the first, another one to the second. ``hit`` is
true as long as the last of the reads of a cell, since the region was entered, was at its index, and the error is
entered only where it is true for every cell.

Law 2 (no error is lost): if an execution reaches the error, there are cells for which the result does, by law 1 and
this choice: for each cell the index of the last of its reads since the last loop head, any index where there was none.
So a proof that the result is safe is one of the given automaton. An error of the result may be none: UNSAFE is never
concluded from it.

With ``instances`` a read keeps its index and its value in variables of its own: since the invariant holds of every
index, it may be assumed of this one (``models.program_clauses`` makes premises of them, the full form of cell morphing,
in which clauses are not linear; there nothing needs to be in focus, and law 1 is enough: what is derived there of all
indices holds of the one that is read).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from argosy.basics.records import dataclass, replace
from argosy.logic.sorts import BOOL, Sort
from argosy.logic.terms import Term
from argosy.logic.traverse import substitute, variables
from argosy.models.cell_terms import CellTerms, Index, Known, Splits, SymbolicCell, is_array
from argosy.models.cfa import Cfa, Check, Edge, Location, Operation, Reading, Variable
from argosy.models.effects import Effect, effect_of, rebuild
from argosy.models.focus import Focus, Signs, all_indices
from argosy.models.repeated_reads import Element, reads, repeated_reads
from argosy.models.system import distinct_name

Form = tuple[Sort, ...]
"""The sorts of the indices of an array."""


@dataclass(frozen=True, slots=True)
class ElementRead:
    """What an edge reads at an index: the names of the new values of variables that are there for this only."""

    form: Form
    index: tuple[Term, ...]
    values: Mapping[Term, Term]


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """``cfa`` has no arrays, which ``given`` has; ``cells`` are listed by the sorts of their indices. ``reads``
    has, by the number of an edge, what it reads elsewhere (with ``instances``). ``scratch`` are variables that mean
    nothing at loop heads, those that are true or false included."""

    given: Cfa
    cfa: Cfa
    splits: Splits
    cells: Mapping[Form, tuple[SymbolicCell, ...]]
    reads: Mapping[int, tuple[ElementRead, ...]]
    scratch: frozenset[Term]

    @property
    def bound(self) -> tuple[Term, ...]:
        """The indices: what a claim holds for all values of."""
        return tuple(index for some in self.cells.values() for cell in some for index in cell.index)

    def claim(self, formula: Term) -> Term:
        """A formula about a loop head of the result as one about the arrays. Of scratch nothing is claimed."""
        terms = self.cfa.terms
        for flag in sorted(variables(formula) & self.scratch, key=lambda v: v.id):
            if flag.sort is BOOL:
                formula = terms.or_(*(substitute(terms, formula, {flag: terms.boolean(b)}) for b in (True, False)))
        if not variables(formula).isdisjoint(self.scratch):
            parts = formula.args if formula.op == "and" else (formula,)
            formula = terms.conjunction(part for part in parts if variables(part).isdisjoint(self.scratch))
        return substitute(terms, formula, self.elements)

    @property
    def elements(self) -> Mapping[Term, Term]:
        """What the variables of elements stand for."""
        terms = self.cfa.terms
        found = {}
        for some in self.cells.values():
            for cell in some:
                for array, element in cell.elements.items():
                    value, left = array, cell.index
                    while left:
                        assert value.sort.index is not None
                        used = len(self.splits.parts(value.sort.index))
                        value = terms.select(value, self.splits.joined(value.sort.index, left[:used]))
                        left = left[used:]
                    found[element] = value
        return found


def cells(cfa: Cfa, count: int, reading: Reading, *, instances: bool = False) -> Cells:
    """``cfa`` with ``count`` cells for the arrays of each form (0: one, or two where a path to the error reads at two
    indices). ``reading`` says which executions of undefined operations there are."""
    return _Morphing(cfa, count, reading, instances).result()


class _Morphing:
    def __init__(self, cfa: Cfa, count: int, reading: Reading, instances: bool) -> None:
        self.cfa = cfa
        self.terms = cfa.terms
        self.reading = reading
        self.instances = instances
        self._taken = {v.term.name for v in cfa.variables} | {term.name for term in cfa.opaque}
        self._declared: list[Variable] = []
        self._scratch: dict[tuple[str, Sort], Term] = {}
        self.reads: dict[int, tuple[ElementRead, ...]] = {}
        self.splits = Splits(cfa.terms, all_indices(cfa))
        focus = Focus(cfa, self.splits)
        wanted = count or min(2, max(1, focus.most))
        signs = Signs(cfa, self.splits)
        forms: dict[Form, list[Variable]] = {}
        for variable in cfa.variables:
            if is_array(variable.term) and variable.term not in cfa.opaque:
                forms.setdefault(self.splits.form(variable.term.sort)[0], []).append(variable)
        self.cells: dict[Form, tuple[SymbolicCell, ...]] = {
            form: tuple(self._cell(form, some, number, signs) for number in range(wanted))
            for form, some in forms.items()
        }
        self.again: Mapping[Location, frozenset[Element]] = {} if instances else repeated_reads(cfa, self.splits)
        self.reread = frozenset(
            element
            for edge in cfa.edges
            for element in reads(edge, self.splits) & self.again.get(edge.source, frozenset())
        )
        self._kept_reads: dict[Element, Term] = {}
        self.focused = {} if instances else focus.reads(wanted)
        self.flags: dict[tuple[Form, int], Term] = {}
        for looked in self.focused.values():
            for form, number, _ in looked.reads:
                if form in self.cells and (form, number) not in self.flags:
                    self.flags[form, number] = self.scratch("hit", len(self.flags), BOOL)
        self.asked = self._flags_asked()

    def _flags_asked(self) -> dict[Location, frozenset[tuple[Form, int]]]:
        """The flags that a path to the error asks for before a read sets them, in the region."""
        asked: dict[Location, frozenset[tuple[Form, int]]] = {}
        order = self.cfa.order
        edges = [edge for edge in self.focused if edge.source in order]
        for edge in sorted(edges, key=lambda edge: -order[edge.source]):
            after = frozenset(self.flags) if edge.target is self.cfa.error else asked.get(edge.target, frozenset())
            needed = after.difference((form, number) for form, number, _ in self.focused[edge].reads)
            asked[edge.source] = asked.get(edge.source, frozenset()) | needed
        return asked

    def _declare(self, name: str, sort: Sort, signed: bool | None, like: Variable | None = None) -> Term:
        name = distinct_name(name, self._taken, "cell")
        term = self.terms.var(name, sort)
        signed = signed if sort.is_bits else None
        self._declared.append(Variable(term, name, "" if like is None else like.function, signed))
        return term

    def _cell(self, form: Form, arrays: Sequence[Variable], number: int, signs: Signs) -> SymbolicCell:
        letter = "kl"[number] if number < 2 else f"k{number}"
        index = tuple(
            self._declare(letter if len(form) == 1 else f"{letter}{place}", sort, signs.index(sort))
            for place, sort in enumerate(form)
        )
        shown = "][".join(term.name for term in index)
        elements = {}
        for array in arrays:
            sort = self.splits.form(array.term.sort)[1]
            elements[array.term] = self._declare(f"{array.term.name}[{shown}]", sort, signs.element(array), array)
        return SymbolicCell(index, elements)

    def scratch(self, what: str, number: int, sort: Sort) -> Term:
        """The same for all edges: it means nothing after any of them, or at loop heads."""
        key = (f"{what}{number}", sort)
        if key not in self._scratch:
            self._scratch[key] = self._declare(f"{what}{number}@", sort, True)
        return self._scratch[key]

    def kept_read(self, array: Term, index: Index, sort: Sort) -> Term:
        """The variable of an element that is read again."""
        if (array, index) not in self._kept_reads:
            self._kept_reads[array, index] = self.scratch("read", len(self._kept_reads), sort)
        return self._kept_reads[array, index]

    def result(self) -> Cells:
        edges = tuple(self._edge(number, edge) for number, edge in enumerate(self.cfa.edges))
        kept = tuple(v for v in self.cfa.variables if not is_array(v.term))
        opaque = {term: refusal for term, refusal in self.cfa.opaque.items() if not is_array(term)}
        made = replace(self.cfa, edges=edges, variables=(*kept, *self._declared), opaque=opaque)
        return Cells(self.cfa, made, self.splits, self.cells, self.reads, frozenset(self._scratch.values()))

    def _edge(self, number: int, edge: Edge) -> Edge:
        made = _EdgeMorphing(self, edge)
        operation = made.operation()
        if self.instances and made.read:
            self.reads[number] = tuple(made.read.values())
        return replace(edge, operation=operation, checks=made.checks, trail=edge.as_read)


class _EdgeMorphing:
    """What becomes of one edge."""

    def __init__(self, whole: _Morphing, edge: Edge) -> None:
        self._whole = whole
        self._terms = whole.terms
        self._edge = edge
        self._effect = effect_of(whole.terms, edge.operation)
        self._new = dict(self._effect.primed)
        self._changed: dict[Term, Term] = {}
        self.read: dict[Index, ElementRead] = {}
        self._counts: dict[Sort, int] = {}
        self._shared = frozenset() if whole.instances else reads(edge, whole.splits) & whole.reread
        self._translate = CellTerms(whole.terms, whole.splits, self._cells(), self._fresh)
        self.checks: tuple[Check, ...] = tuple(
            check for check in edge.checks if not any(is_array(v) for v in variables(check.condition))
        )

    def _cells(self) -> dict[Form, tuple[SymbolicCell, ...]]:
        """The cells, with the new values of the arrays that the edge writes."""
        arrays = [(old, new) for old, new in self._effect.primed if is_array(old)]
        if not arrays:
            return self._whole.cells

        def extended(cell: SymbolicCell) -> SymbolicCell:
            news = {new: self._primed(cell.elements[old]) for old, new in arrays if old in cell.elements}
            return SymbolicCell(cell.index, {**cell.elements, **news})

        return {form: tuple(map(extended, some)) for form, some in self._whole.cells.items()}

    def _primed(self, variable: Term) -> Term:
        return self._new.get(variable) or self._terms.var(f"{variable.name}'", variable.sort)

    def _scratch(self, what: str, sort: Sort) -> Term:
        """The new value of a variable that is there for this edge only."""
        number = self._counts[sort] = self._counts.get(sort, 0) + 1
        variable = self._whole.scratch(what, number, sort)
        new = self._changed[variable] = self._primed(variable)
        return new

    def _fresh(self, array: Term | None, index: Index, sort: Sort) -> Term:
        if (array, index) in self._shared:
            assert array is not None
            return self._shared_value(array, index, sort)
        value = self._scratch("any", sort)
        if array is not None and array in self._whole.cfa.variable_of and self._whole.instances:
            if index not in self.read:
                form = tuple(part.sort for part in index)
                names = tuple(self._scratch("at", part.sort) for part in index)
                self.read[index] = ElementRead(form, names, {})
            known = self.read[index]
            self.read[index] = replace(known, values={**known.values, array: value})
        return value

    def _shared_value(self, array: Term, index: Index, sort: Sort) -> Term:
        """What is read for the first time is kept, for when it is read again."""
        variable = self._whole.kept_read(array, index, sort)
        if (array, index) in self._whole.again.get(self._edge.source, ()):
            return variable
        new = self._changed[variable] = self._primed(variable)
        return new

    def operation(self) -> Operation:
        terms, effect, translate = self._terms, self._effect, self._translate
        seen = self._seen()
        guards = [translate(guard, seen) for guard in effect.guards]
        guards += [
            translate(check.condition, seen)
            for check in self._edge.checks
            if check not in self.checks and self._whole.reading.excludes(check)
        ]
        guards += self._consistent()
        ties = [translate(tie) for tie in effect.ties]
        definitions: list[tuple[Term, Term]] = []
        havocs: list[Term] = []
        tied: list[Term] = []
        for variable, value in effect.definitions:
            for cell in self._cells_of(variable):
                definitions.append((cell.elements[variable], translate.element(value, cell.index)))
            if not is_array(variable):
                definitions.append((variable, translate(value)))
        for variable in effect.havocs:
            havocs += self._parts(variable)
        for variable in effect.tied:
            tied += self._parts(variable)
        self._look(guards, definitions)
        guards += translate.guards
        guards += [
            terms.eq(name, part)
            for index, read in self.read.items()
            for name, part in zip(read.index, index, strict=True)
        ]
        return self._built(guards, definitions, havocs, ties, tied)

    def _cells_of(self, array: Term) -> list[SymbolicCell]:
        return [
            cell for cell in self._whole.cells.get(self._whole.splits.form(array.sort)[0], ()) if array in cell.elements
        ]

    def _parts(self, variable: Term) -> list[Term]:
        if not is_array(variable):
            return [variable]
        return [cell.elements[variable] for cell in self._cells_of(variable)]

    def _consistent(self) -> list[Term]:
        """At the beginning the elements of two cells at one index are one."""
        if self._edge.source is not self._whole.cfa.initial:
            return []
        terms = self._terms
        found = []
        for first, *others in self._whole.cells.values():
            for other in others:
                same = terms.conjunction(map(terms.eq, first.index, other.index))
                equal = (terms.eq(value, other.elements[array]) for array, value in first.elements.items())
                found.append(terms.implies(same, terms.conjunction(equal)))
        return found

    def _seen(self) -> Known:
        """On an edge into the error what cells look at is at their indices: otherwise it is not taken."""
        looked = self._whole.focused.get(self._edge)
        if looked is None or self._edge.target is not self._whole.cfa.error:
            return ()
        some = ((form, number, tuple(map(self._translate, index))) for form, number, index in looked.reads)
        return tuple((index, self._whole.cells[form][n]) for form, n, index in some if (form, n) in self._whole.flags)

    def _look(self, guards: list[Term], definitions: list[tuple[Term, Term]]) -> None:
        """What the reads of the edge are to the cells that look at them."""
        looked = self._whole.focused.get(self._edge)
        if looked is None:
            return
        terms = self._terms
        now: dict[tuple[Form, int], Term] = {}
        if looked.enters:
            now = dict.fromkeys(self._whole.flags, terms.true)
        for form, number, index in looked.reads:
            if (form, number) in self._whole.flags:
                place = tuple(map(self._translate, index))
                cell = self._whole.cells[form][number]
                now[form, number] = terms.conjunction(map(terms.eq, place, cell.index))
        if self._edge.target is self._whole.cfa.error:
            guards += [now.get(key, flag) for key, flag in self._whole.flags.items()]
        else:
            asked = self._whole.asked.get(self._edge.target, frozenset())
            definitions += [(self._whole.flags[key], value) for key, value in now.items() if key in asked]

    def _built(
        self,
        guards: list[Term],
        definitions: list[tuple[Term, Term]],
        havocs: list[Term],
        ties: list[Term],
        tied: list[Term],
    ) -> Operation:
        """The simplest operation; what depends on a value that is read is tied to it."""
        terms = self._terms
        news = frozenset(self._changed.values())
        plain = [(variable, value) for variable, value in definitions if variables(value).isdisjoint(news)]
        bound = [(variable, value) for variable, value in definitions if not variables(value).isdisjoint(news)]
        ties = [*ties, *(guard for guard in guards if not variables(guard).isdisjoint(news))]
        ties += [terms.eq(self._primed(variable), value) for variable, value in bound]
        changed = [*(v for v, _ in plain), *havocs, *tied, *(v for v, _ in bound), *self._changed]
        kept = Effect(
            guards=tuple(guard for guard in guards if variables(guard).isdisjoint(news) and guard is not terms.true),
            definitions=tuple((variable, value) for variable, value in plain if variable is not value),
            havocs=tuple(havocs),
            ties=tuple(ties),
            tied=(*tied, *(variable for variable, _ in bound), *self._changed),
            primed=tuple((variable, self._primed(variable)) for variable in dict.fromkeys(changed)),
        )
        return rebuild(terms, kept)
