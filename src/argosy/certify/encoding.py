"""Blocks of the model as terms: the symbolic execution of all paths from one cut point to the next.

A *block* holds every path from its source to cut points that passes no cut point in between; it has no cycles. It is
executed forwards, in topological order: a *store* maps the live variables to terms over the values at the source and
over nondeterministic choices, and a set of *conditions* says which of them get there. Where paths meet, equal stores
become one and, beyond ``limit`` different ones, all become one by case distinction (``ite``), so that the result is
linear in the block however many paths it has; what the source fixes folds away, paths that it excludes included.

Law: a state at the source and choices lead to a state at a target iff some arrival at the target has true conditions,
and then its store has that state's values. Two arrivals of one location never both have true conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from argosy.basics.records import dataclass
from argosy.certify.few_variables import FewVariables
from argosy.certify.meanings import Meaning, Meanings, determined
from argosy.logic.compile import compile_term
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts, substitute, variables
from argosy.models.cfa import Edge, Location

Store = tuple[Term, ...]

_DEEPEST = 40  # connectives below this depth are not walked one by one
_OFTEN = 20
_LARGE = 500  # more connectives than that are not walked at all
_LOOK = 16  # locations between two looks at the clock, which take longer than a location where little is to be done


@dataclass(frozen=True, slots=True)
class Arrival:
    """``conditions`` are meant as a conjunction; ``store`` stands parallel to the live variables of the location."""

    conditions: frozenset[Term]
    store: Store


class CutBlock:
    """All paths from ``source`` to the next cut points.

    Locations that are not ``inside`` do not matter (the error cannot be reached from them); ``wanted`` has the
    variables whose values are asked for at each cut point. ``live`` has the variables of the stores of each location,
    ``at_source`` those of the store at the start (the source may be a target as well).
    """

    def __init__(
        self,
        meanings: Meanings,
        source: Location,
        cuts: Collection[Location],
        inside: Collection[Location],
        wanted: Mapping[Location, frozenset[Term]],
    ) -> None:
        self.source = source
        self.terms = meanings.terms
        self.few = FewVariables()
        self.atoms: Atoms = {}
        self._cuts = cuts
        leaving = meanings.cfa.leaving
        edges = {source: [e for e in leaving[source] if e.target in inside]}
        for location in self._inner(source, edges, leaving, inside):
            edges.setdefault(location, [e for e in leaving[location] if e.target in inside])
        self.order = self._topological(edges)
        ends = dict.fromkeys(e.target for some in edges.values() for e in some if e.target in cuts)
        self.targets = tuple(sorted(ends, key=lambda location: location.index))
        self.live = self._liveness(meanings, edges, wanted)
        self._transfers = {location: self._transfers_of(location, meanings, some) for location, some in edges.items()}

    def _transfers_of(self, location: Location, meanings: Meanings, edges: Sequence[Edge]) -> list[_Transfer]:
        before = self.at_source if location is self.source else self.live[location]
        slots = {variable: i for i, variable in enumerate(before)}
        told_apart = self._told_apart(meanings, edges)
        transfers = [
            _Transfer(self, meanings[edge], edge, choice, slots, meanings.connectives) for edge, choice in told_apart
        ]
        for transfer, (one, _), (other, _) in zip(transfers[1:], told_apart, told_apart[1:], strict=False):
            transfer.otherwise = meanings[other].condition is self.terms.not_(meanings[one].condition)
        return transfers

    def _inner(
        self,
        source: Location,
        edges: Mapping[Location, list[Edge]],
        leaving: Mapping[Location, Sequence[Edge]],
        inside: Collection[Location],
    ) -> Iterable[Location]:
        seen = {e.target: None for e in edges[source] if e.target not in self._cuts}
        waiting = list(seen)
        for location in waiting:
            for edge in leaving[location]:
                if edge.target in inside and edge.target not in self._cuts and edge.target not in seen:
                    seen[edge.target] = None
                    waiting.append(edge.target)
        return waiting

    def _topological(self, edges: Mapping[Location, list[Edge]]) -> list[Location]:
        """The inner locations, each after those that lead to it. Raises ValueError when there is a cycle."""
        entering = dict.fromkeys(edges, 0)
        for some in edges.values():
            for edge in some:
                if edge.target not in self._cuts:
                    entering[edge.target] += 1
        order = [self.source]
        for location in order:
            for edge in edges[location]:
                if edge.target not in self._cuts:
                    entering[edge.target] -= 1
                    if not entering[edge.target]:
                        order.append(edge.target)
        if len(order) != len(edges):
            raise ValueError("a cycle without a cut point")
        return order

    def _liveness(
        self,
        meanings: Meanings,
        edges: Mapping[Location, list[Edge]],
        wanted: Mapping[Location, frozenset[Term]],
    ) -> dict[Location, tuple[Term, ...]]:
        known = meanings.cfa.variable_of.keys() - meanings.cfa.opaque.keys()
        live: dict[Location, frozenset[Term]] = {target: wanted[target] & known for target in self.targets}
        at_targets = dict(live)
        for location in reversed(self.order):
            needed: set[Term] = set()
            for edge in edges[location]:
                meaning = meanings[edge]
                after = at_targets[edge.target] if edge.target in self._cuts else live[edge.target]
                needed |= variables(meaning.condition)
                needed |= after.difference(variable for variable, _ in meaning.values)
                for variable, value in meaning.values:
                    if variable in after:
                        needed |= variables(value)
            live[location] = frozenset(needed & known)
        live_at_source = live[self.source]
        live.update(at_targets)
        slots = {v.term: i for i, v in enumerate(meanings.cfa.variables)}
        ordered = {location: tuple(sorted(some, key=slots.__getitem__)) for location, some in live.items()}
        self.at_source = tuple(sorted(live_at_source, key=slots.__getitem__))
        return ordered

    def _told_apart(self, meanings: Meanings, edges: Sequence[Edge]) -> list[tuple[Edge, tuple[Term, ...]]]:
        """Each edge with literals that exclude all other edges, where their own conditions do not."""
        if len(edges) < 2 or _exclusive(self.terms, [meanings[e].condition for e in edges]):
            return [(edge, ()) for edge in edges]
        names = [meanings.literal("branch", e) for e in edges[:-1]]
        others = [self.terms.not_(name) for name in names]
        return [(edge, (*others[:i], *names[i : i + 1])) for i, edge in enumerate(edges)]

    def execute(
        self,
        bindings: Mapping[Term, Term],
        conditions: Iterable[Term],
        limit: int,
        still_time: Callable[[], object],
    ) -> Mapping[Location, list[Arrival]]:
        """The arrivals at the targets from the states in which the variables of ``bindings`` have these values and
        ``conditions`` hold. ``still_time`` is called now and then and may raise."""
        start = Arrival(frozenset(conditions), tuple(bindings.get(v, v) for v in self.at_source))
        waiting: dict[Location, list[Arrival]] = {}
        arrived: dict[Location, list[Arrival]] = {target: [] for target in self.targets}
        passed = 0
        for location in self.order:
            found = [start] if location is self.source else waiting.pop(location, None)
            if found is None:
                continue
            passed += 1
            if passed % _LOOK == 1:
                still_time()
            for arrival in merged(self.terms, found, limit):
                condition = self.terms.true
                for transfer in self._transfers[location]:
                    condition = self.terms.not_(condition) if transfer.otherwise else transfer.condition(arrival.store)
                    after = transfer(arrival, condition)
                    if after is not None:
                        where = arrived if transfer.target in arrived else waiting
                        where.setdefault(transfer.target, []).append(after)
        return {target: merged(self.terms, some, limit) for target, some in arrived.items()}


class _Transfer:
    """One edge of a block, from stores of its source to stores of its target. What a term becomes depends on the
    variables in it alone, so the results are kept by their values: a thousand claims that agree on them cost one
    substitution. ``condition`` is what it asks of a store; it is taken ``otherwise`` where that is the opposite of what
    the edge before it asks, which need not be computed again."""

    __slots__ = ("_extra", "_few", "_gather", "_missing", "_terms", "_updates", "condition", "otherwise", "target")

    def __init__(
        self,
        block: CutBlock,
        meaning: Meaning,
        edge: Edge,
        extra: tuple[Term, ...],
        slots: Mapping[Term, int],
        sizes: dict[Term, int],
    ) -> None:
        values = dict(meaning.values)
        after = block.live[edge.target]
        self.target = edge.target
        self._terms = block.terms
        self._extra = extra
        self._few = block.few
        shared = _Shared(block.terms, slots, sizes, block.atoms)
        self.condition = _evaluation(block.terms, meaning.condition, slots, shared)
        self.otherwise = False
        # The place of a variable that the edge writes is filled with anything, and then with the new value.
        self._gather = _reader([slots.get(variable, 0) for variable in after] if slots else [])
        self._missing = () if slots else (block.terms.true,) * len(after)
        self._updates = [
            (i, _evaluation(block.terms, values[variable], slots, shared))
            for i, variable in enumerate(after)
            if variable in values
        ]

    def __call__(self, arrival: Arrival, condition: Term) -> Arrival | None:
        """``condition`` is what it asks of the store that arrives."""
        terms = self._terms
        store = arrival.store
        if condition is terms.false:
            return None
        conditions = arrival.conditions
        learned: dict[Term, Term] = {}
        if condition is not terms.true or self._extra:
            added = [part for part in (*self._extra, *conjuncts(condition)) if part is not terms.true]
            added = [part for part in added if part not in conditions]
            if any(terms.not_(part) in conditions for part in added):
                return None
            conditions = conditions.union(added)
            for part in added:
                fixed = determined(terms, part)
                if fixed is not None:
                    learned[fixed[0]] = fixed[1]
        gathered = self._gather(store) + self._missing
        if self._updates:
            changed = list(gathered)
            for i, value in self._updates:
                changed[i] = value(store)
            gathered = tuple(changed)
        if learned:
            gathered = tuple(
                value if self._few.isdisjoint(value, learned) else substitute(terms, value, learned)
                for value in gathered
            )
        return Arrival(conditions, gathered)


Evaluation = Callable[[Store], Term]


def _evaluation(terms: Terms, term: Term, slots: Mapping[Term, int], shared: _Shared, depth: int = 0) -> Evaluation:
    """``term`` in a store. Connectives are walked, so that one decided part may decide the whole; where they are too
    many to be walked one by one, since they share their parts, they are one."""
    if depth == 0 and shared.is_large(term):
        return lambda store: shared(term, store)
    if depth < _DEEPEST:
        match term.op:
            case "and" | "or":
                parts = sorted(term.args, key=lambda part: (len(variables(part)), part.id))
                walked = [_evaluation(terms, part, slots, shared, depth + 1) for part in parts]
                return _Junction(terms, term.op, walked)
            case "not":
                inner = _evaluation(terms, term.args[0], slots, shared, depth + 1)
                return lambda store: terms.not_(inner(store))
    return _in_store(terms, term, slots, shared.atoms)


class _Shared:
    """Large terms of one edge in a store: what they have in common is done once for each store."""

    __slots__ = ("_last", "_mapping", "_memo", "_sizes", "_slots", "_terms", "atoms")

    def __init__(self, terms: Terms, slots: Mapping[Term, int], sizes: dict[Term, int], atoms: Atoms) -> None:
        self.atoms = atoms
        self._terms = terms
        self._slots = slots
        self._sizes = sizes
        self._last: Store | None = None
        self._mapping: dict[Term, Term] = {}
        self._memo: dict[Term, Term] = {}

    def is_large(self, term: Term) -> bool:
        """Whether it has many connectives when shared ones are counted wherever they occur."""
        sizes = self._sizes
        stack = [term]
        while stack:
            sub = stack[-1]
            below = sub.args if sub.op in ("and", "or", "not") else ()
            missing = [arg for arg in below if arg not in sizes] if sub not in sizes else []
            if missing:
                stack += missing
                continue
            sizes[sub] = min(1 + sum(sizes[arg] for arg in below), _LARGE)
            stack.pop()
        return sizes[term] >= _LARGE

    def __call__(self, term: Term, store: Store) -> Term:
        if store is not self._last:
            self._last = store
            self._mapping = {v: store[slot] for v, slot in self._slots.items() if store[slot] is not v}
            self._memo = {}
        return substitute(self._terms, term, self._mapping, self._memo)


class _Junction:
    __slots__ = ("_parts", "_unit", "_whole", "_zero")

    def __init__(self, terms: Terms, op: str, parts: Sequence[Evaluation]) -> None:
        self._parts = parts
        self._whole = terms.and_ if op == "and" else terms.or_
        self._unit = terms.boolean(op == "and")
        self._zero = terms.boolean(op == "or")

    def __call__(self, store: Store) -> Term:
        undecided = []
        for part in self._parts:
            value = part(store)
            if value is self._zero:
                return value
            if value is not self._unit:
                undecided.append(value)
        return self._whole(*undecided)


class _Atom:
    """A term by the values of its variables, which are kept for all edges of a block that ask for it; compiled when it
    is often asked about constants. Others than those it ``reads`` stay as they are."""

    __slots__ = ("_compiled", "_term", "_terms", "known", "reads")

    def __init__(self, terms: Terms, term: Term, reads: tuple[Term, ...]) -> None:
        self._terms = terms
        self._term = term
        self.reads = reads
        self.known: dict[Store, Term] = {}
        self._compiled: Callable[[Any], Any] | None = None

    def value(self, key: Store) -> Term:
        """The values are those of the variables that it reads."""
        found = self.known[key] = self._evaluate(key)
        return found

    def _evaluate(self, key: Store) -> Term:
        if len(self.known) > _OFTEN and len(self.reads) == len(variables(self._term)) and _all_constant(key):
            if self._compiled is None:
                self._compiled = compile_term(self._term, {v: i for i, v in enumerate(self.reads)})
            return self._terms.const(self._compiled([constant.payload for constant in key]), self._term.sort)
        return substitute(self._terms, self._term, dict(zip(self.reads, key, strict=True)))


Atoms = dict[tuple[Term, tuple[Term, ...]], _Atom]


def _in_store(terms: Terms, term: Term, slots: Mapping[Term, int], atoms: Atoms) -> Evaluation:
    reads = tuple(sorted((v for v in variables(term) if v in slots), key=_age))
    atom = atoms.get((term, reads))
    if atom is None:
        atom = atoms[term, reads] = _Atom(terms, term, reads)
    known, value = atom.known.get, atom.value
    if len(reads) == 1:
        only = slots[reads[0]]

        def of_one(store: Store) -> Term:
            key = (store[only],)
            found = known(key)
            return value(key) if found is None else found

        return of_one
    reader = _reader([slots[v] for v in reads])

    def of_all(store: Store) -> Term:
        key = reader(store)
        found = known(key)
        return value(key) if found is None else found

    return of_all


def _age(term: Term) -> int:
    return term.id


def _all_constant(values: Store) -> bool:
    return all(value.op == "const" for value in values)


def _reader(positions: Sequence[int]) -> Callable[[Any], Store]:
    """The values at these positions, as a tuple whatever their number."""
    match len(positions):
        case 0:
            return lambda _: ()
        case 1:
            only = positions[0]
            return lambda store: (store[only],)
    return itemgetter(*positions)


# ---- where paths meet ---------------------------------------------------------------------------------------


def merged(terms: Terms, arrivals: list[Arrival], limit: int) -> list[Arrival]:
    """The same arrivals, at most ``limit``: first those with equal stores become one, then all."""
    if len(arrivals) < 2:
        return arrivals
    by_store: dict[Store, list[frozenset[Term]]] = {}
    for arrival in arrivals:
        by_store.setdefault(arrival.store, []).append(arrival.conditions)
    some = [Arrival(_either(terms, conditions), store) for store, conditions in by_store.items()]
    if len(some) <= limit:
        return some
    some.sort(key=lambda arrival: -len(arrival.conditions))
    result = some[0]
    for arrival in some[1:]:
        result = _joined(terms, result, arrival)
    return [result]


def _either(terms: Terms, many: list[frozenset[Term]]) -> frozenset[Term]:
    """The disjunction of conjunctions. The longest come first: branches of a chain of tests meet in the order in
    which their complementary literals cancel."""
    if len(many) > 1:
        many = sorted(many, key=lambda conditions: -len(conditions))
    result = many[0]
    for conditions in many[1:]:
        result = _disjunction(terms, result, conditions)
    return result


def _disjunction(terms: Terms, a: frozenset[Term], b: frozenset[Term]) -> frozenset[Term]:
    common = a & b
    left, right = terms.conjunction(_sorted(a - common)), terms.conjunction(_sorted(b - common))
    rest = terms.true if left is terms.not_(right) else terms.or_(left, right)
    return common if rest is terms.true else common | {rest}


def _joined(terms: Terms, a: Arrival, b: Arrival) -> Arrival:
    """Two arrivals as one. Their conditions exclude each other, so what only one of them asks for tells them
    apart wherever one of them holds."""
    common = a.conditions & b.conditions
    only_a, only_b = a.conditions - common, b.conditions - common
    if len(only_a) <= len(only_b):
        selector = terms.conjunction(_sorted(only_a))
    else:
        selector = terms.not_(terms.conjunction(_sorted(only_b)))
    store = tuple(x if x is y else terms.ite(selector, x, y) for x, y in zip(a.store, b.store, strict=True))
    return Arrival(_disjunction(terms, a.conditions, b.conditions), store)


def _sorted(conditions: Iterable[Term]) -> list[Term]:
    return sorted(conditions, key=lambda term: term.id)


def _exclusive(terms: Terms, conditions: Sequence[Term]) -> bool:
    """Whether it is plain to see that at most one of the conditions holds."""
    if len(conditions) > 16:
        return False
    return all(
        a is terms.not_(b) or terms.and_(a, b) is terms.false
        for i, a in enumerate(conditions)
        for b in conditions[i + 1 :]
    )
