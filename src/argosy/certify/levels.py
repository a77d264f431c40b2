"""All executions of the model, one loop head after the other, as formulas whose size is linear in their length.

The states that have passed n loop heads are the *front* of level n: for each loop head a guard (some execution is
there now) and the values of the variables. The next front is computed from it by executing the blocks between loop
heads (``certify.encoding``). So that terms stay small, guards and values get names, and what a name stands for is
*told*; a guard's name only implies what it stands for, so a model may leave out executions but not invent any.

Law: some execution from the start reaches the error after exactly n loop heads iff the first ``ends[n]`` facts that are
``told`` and ``errors[n]`` have a common model, and then all facts and it have one; some execution passes ``level`` loop
heads iff ``told`` and a guard of the front have one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from argosy.basics.records import dataclass
from argosy.certify.encoding import Arrival, CutBlock
from argosy.certify.meanings import Meanings
from argosy.logic.sorts import BOOL, Sort
from argosy.logic.terms import Term
from argosy.logic.traverse import conjuncts, substitute, variables
from argosy.models.cfa import Cfa, Edge, Location

# Different stores kept apart where paths meet inside a block: constants of the front steer the execution.
_APART = 1


class Pieces:
    """The blocks between ``heads``, which cut every cycle among the locations ``inside``. ``lemmas`` may be assumed
    at heads."""

    def __init__(
        self,
        meanings: Meanings,
        heads: Collection[Location],
        inside: Collection[Location],
        lemmas: Mapping[Location, Term],
    ) -> None:
        self.cfa: Cfa = meanings.cfa
        self.meanings = meanings
        self.heads = sorted(heads, key=lambda location: location.index)
        self.lemmas = lemmas
        self._inside = inside
        self._cuts = {*heads, self.cfa.error}
        told = {cut: variables(self.lemma(cut)) for cut in self._cuts}
        live = _live(meanings, inside, told)
        self._wanted = {cut: live.get(cut, frozenset()) | told[cut] for cut in self._cuts}
        self._blocks: dict[Location, CutBlock] = {}

    def lemma(self, location: Location) -> Term:
        return self.lemmas.get(location, self.cfa.terms.true)

    def start(self, location: Location) -> tuple[Term, ...]:
        """The variables of a store with which an execution may go on from ``location``."""
        wanted = self._wanted.get(location, frozenset()).union(self.block(location).at_source)
        return tuple(sorted(wanted, key=lambda variable: variable.id))

    def block(self, location: Location) -> CutBlock:
        block = self._blocks.get(location)
        if block is None:
            block = CutBlock(self.meanings, location, self._cuts, self._inside, self._wanted)
            self._blocks[location] = block
        return block


def _live(
    meanings: Meanings, inside: Collection[Location], told: Mapping[Location, frozenset[Term]]
) -> dict[Location, frozenset[Term]]:
    """The variables whose values matter at each location: some way to the error reads them, or to a location of which
    something is ``told`` about them."""
    cfa = meanings.cfa
    known = cfa.variable_of.keys() - cfa.opaque.keys()
    live: dict[Location, frozenset[Term]] = {location: frozenset() for location in inside}
    waiting = dict.fromkeys(sorted(inside, key=lambda location: -cfa.order.get(location, 0)))
    while waiting:
        location = next(iter(waiting))
        del waiting[location]
        needed: set[Term] = set(told.get(location, ()))
        for edge in cfa.leaving[location] if location is not cfa.error else ():
            if edge.target in live:
                meaning = meanings[edge]
                after = live[edge.target]
                needed |= variables(meaning.condition)
                needed |= after.difference(variable for variable, _ in meaning.values)
                needed = needed.union(*(variables(value) for variable, value in meaning.values if variable in after))
        if not needed & known <= live[location]:
            live[location] = frozenset(needed & known)
            waiting.update((edge.source, None) for edge in cfa.entering[location] if edge.source in live)
    return live


@dataclass(frozen=True, slots=True)
class Front:
    """The states at one loop head: where ``guard`` is true, an execution is there with ``values``."""

    guard: Term
    values: Mapping[Term, Term]


class Levels:
    """Executions from the initial location in any state or, with ``anywhere``, from any state at any loop head that
    satisfies its lemma; then lemmas are assumed at every loop head on the way. ``name`` tells the names of one such
    object from those of another."""

    def __init__(self, pieces: Pieces, name: str, *, anywhere: bool = False) -> None:
        self.level = 0
        self.told: list[Term] = []
        self.errors: list[Term] = []
        self.ends: list[int] = []
        self.front: dict[Location, Front] = {}
        self._pieces = pieces
        self._terms = pieces.cfa.terms
        self._anywhere = anywhere
        self._mark = "!"
        while any(self._mark in variable.term.name for variable in pieces.cfa.variables):
            self._mark += "!"
        self._mark += name
        # What occurs in the values and guards of fronts; other names in the result of a block are its choices.
        self._own: set[Term] = {variable.term for variable in pieces.cfa.variables}
        for start in pieces.heads if anywhere else (pieces.cfa.initial,):
            guard = self._name("start", "", start, BOOL) if anywhere else self._terms.true
            self._enter(start, guard, {variable: variable for variable in pieces.start(start)})

    def advance(self, still_time: Callable[[], object]) -> None:
        """From the front to the next loop heads, and to the error. ``still_time`` may raise."""
        arrived: dict[Location, list[Arrival]] = {}
        order: dict[Location, tuple[Term, ...]] = {}
        for head, front in self.front.items():
            block = self._pieces.block(head)
            bindings = {variable: front.values[variable] for variable in block.at_source}
            guards = () if front.guard is self._terms.true else conjuncts(front.guard)
            for target, some in block.execute(bindings, guards, _APART, still_time).items():
                arrived.setdefault(target, []).extend(self._made_unique(head, some))
                order[target] = block.live[target]
        ends = arrived.pop(self._pieces.cfa.error, [])
        self.errors.append(self._terms.disjunction(self._condition(arrival) for arrival in ends))
        self.level += 1
        self.front = {}
        for target in sorted(arrived, key=lambda location: location.index):
            if arrived[target]:
                self._join(target, order[target], arrived[target])
        self.ends.append(len(self.told))

    @property
    def literals(self) -> Mapping[Term, Edge]:
        """While one of them is true, its edge is taken without signed overflow."""
        return self._pieces.meanings.literals

    def passed(self) -> Term:
        """Some execution is at a loop head of the front."""
        return self._terms.disjunction(front.guard for front in self.front.values())

    def _made_unique(self, head: Location, arrivals: list[Arrival]) -> list[Arrival]:
        """The choices inside a block are others at every level."""
        mentioned = frozenset().union(*(variables(term) for a in arrivals for term in (*a.conditions, *a.store)))
        choices = [variable for variable in mentioned if variable not in self._own and variable not in self.literals]
        if not choices:
            return arrivals
        renamed = {c: self._name("choice", c.name, head, c.sort) for c in sorted(choices, key=lambda c: c.id)}
        memo: dict[Term, Term] = {}
        return [
            Arrival(
                frozenset(substitute(self._terms, condition, renamed, memo) for condition in arrival.conditions),
                tuple(substitute(self._terms, value, renamed, memo) for value in arrival.store),
            )
            for arrival in arrivals
        ]

    def _join(self, target: Location, order: tuple[Term, ...], arrivals: list[Arrival]) -> None:
        """The front at ``target``. An execution comes along one of the ways: where several seem possible a model may
        choose, and the values are those of the first that it chooses."""
        terms = self._terms
        values = list(arrivals[-1].store)
        if len(arrivals) == 1:
            guard = self._named_guard("at", target, self._condition(arrivals[0]))
        else:
            ways = [
                self._named_guard(f"way {number}", target, self._condition(arrival), always=True)
                for number, arrival in enumerate(arrivals)
            ]
            guard = terms.disjunction(ways)
            for way, arrival in zip(reversed(ways[:-1]), reversed(arrivals[:-1]), strict=True):
                values = [terms.ite(way, one, other) for one, other in zip(arrival.store, values, strict=True)]
        named = {variable: self._named(variable, value, target) for variable, value in zip(order, values, strict=True)}
        self._enter(target, guard, named)

    def _enter(self, location: Location, guard: Term, values: Mapping[Term, Term]) -> None:
        if self._anywhere:
            lemma = substitute(self._terms, self._pieces.lemma(location), values)
            self._tell_under(guard, lemma)
        self.front[location] = Front(guard, values)

    def _named_guard(self, what: str, target: Location, condition: Term, *, always: bool = False) -> Term:
        if condition.op in ("var", "const") and not always:
            return condition
        name = self._name("guard", what, target, BOOL)
        self._tell_under(name, condition)
        return name

    def _named(self, variable: Term, value: Term, target: Location) -> Term:
        """A short term for ``value``: itself where it is one (a counter that started somewhere stays a sum)."""
        if not any(argument.args for argument in value.args):
            return value
        name = self._name("value", variable.name, target, value.sort)
        self.told.append(self._terms.eq(name, value))
        return name

    def _tell_under(self, guard: Term, condition: Term) -> None:
        if condition is not self._terms.true:
            self.told += [self._terms.implies(guard, part) for part in conjuncts(condition)]

    def _name(self, kind: str, what: str, location: Location, sort: Sort) -> Term:
        """A name that was never used. The mark is in no name of the model."""
        name = self._terms.var(f"{what}{self._mark}{kind}{self.level}.{location.index}", sort)
        self._own.add(name)
        return name

    def _condition(self, arrival: Arrival) -> Term:
        return self._terms.conjunction(sorted(arrival.conditions, key=lambda condition: condition.id))
