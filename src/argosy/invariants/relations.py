"""Relations between the variables of a loop, guessed from sampled states.

What a proof about a loop needs most often is simple and holds in every round: an affine equality (``x - y = i - j``), a
congruence (``i mod 2 = 0``), a bound of a variable, of a sum, a difference or a term that the program compares
(``k - j <= 0``), or one of these where a condition of the program holds (``x >= 50`` implies ``y = x``). All of these
that are true in the sampled states are guesses; ``heuristics.houdini`` finds out which of them are invariants.

Only loops that count are looked at, those which change a variable by arithmetic on its old value. Where variables are
flags and states, predicates come from the conditions of the program, and there is nothing to guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, combinations_with_replacement, product
from math import gcd
from typing import TypeVar

from argosy.basics.records import dataclass
from argosy.invariants.affine import Vector, holds, hull, relations
from argosy.invariants.sampling import State, operands
from argosy.logic.compile import compile_terms
from argosy.logic.sorts import INT
from argosy.logic.terms import Term
from argosy.logic.traverse import postorder, variables
from argosy.models.cfa import Assign, Cfa

T = TypeVar("T")

_COLUMNS = 12  # variables, and terms that are no sums, that are related to one another
_SOME_COLUMNS = 8  # of which all pairs and triples are looked at
_FACTORS = 6  # variables of which all products are looked at
_CONDITIONS = 10  # of the program under which relations are looked for
_EQUALITIES = 12  # under one condition
_MODULUS = 64
_FEW = 16  # values or states that are told apart
_MOST = 400  # guesses of one kind at one location
_ARITHMETIC = frozenset(("+", "*", "bvadd", "bvsub", "bvmul", "bvshl"))


class Vocabulary:
    """What a program speaks about: its comparisons, its terms that are no sums, what it assigns, by how much it
    counts."""

    def __init__(self, cfa: Cfa) -> None:
        self.terms = cfa.terms
        self.counters = counters(cfa)
        self.related = _related(cfa, self.counters)
        comparisons: dict[Term, None] = {}
        opaque: dict[Term, None] = {}
        assigned: dict[Term, None] = {}
        steps = {1}
        for edge in cfa.edges:
            inside: set[Term] = set()
            for sub in reversed(list(postorder(*operands(edge)))):
                if sub.op in ("<=", "=") and sub.args[0].sort is INT:
                    comparisons[sub] = None
                if sub in inside or _opaque(sub):
                    inside.update(sub.args)
                    if sub not in inside:
                        opaque[sub] = None
            if isinstance(edge.operation, Assign) and edge.operation.variable.sort is INT:
                variable, value = edge.operation.variable, edge.operation.value
                if variable not in variables(value):
                    assigned[self.terms.sub(variable, value)] = None
                else:
                    steps.update(abs(c.payload) for c in postorder(value) if c.is_const and c.sort is INT)
        self.multiplies = any(
            sub.op == "*" and not sub.args[0].is_const for edge in cfa.edges for sub in postorder(*operands(edge))
        )
        self.comparisons = tuple(filter(_total, comparisons))
        self.opaque = tuple(filter(_total, opaque))
        self.assigned = tuple(filter(_total, assigned))
        self.steps = tuple(sorted(s for s in steps if 0 < s <= _MODULUS)[:4])

    def counts(self, live: Iterable[Term]) -> bool:
        """Whether a loop at whose head these variables are live counts."""
        return not self.counters.isdisjoint(live)


def counters(cfa: Cfa) -> frozenset[Term]:
    """Variables that are changed by arithmetic on a value that depends on their own."""
    influences: dict[Term, set[Term]] = {}
    arithmetic: list[tuple[Term, frozenset[Term]]] = []
    for edge in cfa.edges:
        match edge.operation:
            case Assign(variable, value):
                for source in variables(value):
                    influences.setdefault(source, set()).add(variable)
                if any(sub.op in _ARITHMETIC for sub in postorder(value)):
                    arithmetic.append((variable, variables(value)))
    found: set[Term] = set()
    for variable, sources in arithmetic:
        after = _closure([variable], influences)
        if sources & after:
            found.update(v for v in after if variable in _closure([v], influences))
    return frozenset(v for v in found if v.sort is INT or v.sort.is_bits)


def _related(cfa: Cfa, some: Iterable[Term]) -> frozenset[Term]:
    """The variables that occur together with ``some`` in a comparison or an assignment, or with those, and so on."""
    together: dict[Term, set[Term]] = {}
    for edge in cfa.edges:
        groups = [variables(sub) for sub in postorder(*operands(edge)) if sub.op in ("<=", "=")]
        if isinstance(edge.operation, Assign):
            groups.append(variables(edge.operation.value) | {edge.operation.variable})
        for group in groups:
            for v in group:
                together.setdefault(v, set()).update(group)
    return frozenset(_closure(some, together))


def _closure(start: Iterable[Term], after: Mapping[Term, set[Term]]) -> set[Term]:
    seen = set(start)
    waiting = list(seen)
    while waiting:
        new = after.get(waiting.pop(), set()) - seen
        seen |= new
        waiting += new
    return seen


def _opaque(term: Term) -> bool:
    """Whether a term counts as a variable in sums, and its value is not just one of two constants."""
    if term.op == "ite":
        return term.sort is INT and not (term.args[1].is_const and term.args[2].is_const)
    return term.op in ("div", "mod")


def _total(term: Term) -> bool:
    """Whether a term over integers has a value everywhere that all agree on."""
    return all(
        (sub.op not in ("div", "mod") or (sub.args[1].is_const and sub.args[1].payload != 0)) for sub in postorder(term)
    )


@dataclass(frozen=True, slots=True)
class _Form:
    """A term, its values in all rows and the constants it is compared with."""

    term: Term
    values: tuple[int, ...]
    bounds: tuple[int, ...] = ()


class Guesses:
    """What the states in ``rows``, values of the variables ``live``, have in common. Law: every guess is true in all of
    them."""

    def __init__(self, vocabulary: Vocabulary, live: Sequence[Term], rows: Sequence[State]) -> None:
        self._vocabulary = vocabulary
        self._terms = vocabulary.terms
        self._layout = {v: i for i, v in enumerate(live)}
        self._rows = rows
        self._all_rows = (1 << len(rows)) - 1
        numbers = [v for v in live if v.sort is INT]
        if len(numbers) > _COLUMNS:
            numbers = [v for v in numbers if v in vocabulary.related]
        numbers.sort(key=lambda v: (v not in vocabulary.counters, v.id))
        self._variables = tuple(numbers[:_COLUMNS])
        self._columns = (self._variables + tuple(filter(self._expressible, vocabulary.opaque)))[:_COLUMNS]
        self._points = [tuple(map(int, row)) for row in map(compile_terms(self._columns, self._layout), rows)]

    def _expressible(self, term: Term) -> bool:
        own = variables(term)
        return bool(own) and own <= set(self._variables)

    # ---- everywhere ---------------------------------------------------------------------------------------

    def simple(self) -> tuple[Term, ...]:
        """Equalities, congruences, and bounds of one and of two variables."""
        pairs = [c for c in product((1, -1), repeat=2) if c[0] > 0]
        return _some(
            (*self._equalities(), *self._congruences(self._points), *self._bounds(self._forms), *self._sums(pairs))
        )

    @cached_property
    def _hull(self) -> list[Vector]:
        return hull(self._points)

    def _equalities(self) -> Iterator[Term]:
        for relation in relations(self._hull, len(self._columns), _EQUALITIES):
            yield self._equality(relation, self._columns)

    def _equality(self, relation: Vector, columns: Sequence[Term]) -> Term:
        return self._terms.eq(self._sum(relation[1:], columns), self._terms.integer(-relation[0]))

    def _sum(self, coefficients: Iterable[int], terms: Iterable[Term]) -> Term:
        parts = (self._terms.mul(self._terms.integer(c), t) for c, t in zip(coefficients, terms, strict=True))
        return self._terms.add(*parts)

    def _congruences(self, points: Sequence[Vector]) -> Iterator[Term]:
        open_: list[int] = []
        for i, variable in enumerate(self._variables):
            modulus = _modulus(point[i] for point in points)
            if modulus > 1:
                yield from self._congruent(variable, modulus, points[0][i])
            elif modulus == 1:
                open_.append(i)
        for i, j in combinations(open_, 2):
            modulus = _modulus(point[i] - point[j] for point in points)
            if modulus > 1:
                difference = self._terms.sub(self._variables[i], self._variables[j])
                yield from self._congruent(difference, modulus, points[0][i] - points[0][j])

    def _congruent(self, term: Term, modulus: int, value: int) -> Iterator[Term]:
        for m in dict.fromkeys((modulus, 2 if modulus % 2 == 0 else modulus)):
            yield self._terms.eq(self._terms.mod(term, self._terms.integer(m)), self._terms.integer(value % m))

    @cached_property
    def _forms(self) -> list[_Form]:
        """What the program compares, differences to what it assigns, and variables."""
        bounds: dict[Term, list[int]] = {}
        for atom in filter(self._expressible, self._vocabulary.comparisons):
            bounds.setdefault(atom.args[0], []).append(atom.args[1].payload)
        for term in (*filter(self._expressible, self._vocabulary.assigned), *self._variables):
            bounds.setdefault(term, [])
        return self._evaluated(bounds)

    def _evaluated(self, bounds: Mapping[Term, Sequence[int]]) -> list[_Form]:
        values = zip(*map(compile_terms(tuple(bounds), self._layout), self._rows), strict=True)
        return [_Form(t, own, tuple(bounds[t])) for t, own in zip(bounds, values, strict=True)]

    def _sums(self, signs: Iterable[tuple[int, ...]]) -> Iterator[Term]:
        """Bounds of variables added and subtracted."""
        some = self._variables[:_SOME_COLUMNS]
        terms = (self._sum(s, chosen) for s in signs for chosen in combinations(some, len(s)))
        return self._bounds(self._evaluated({t: () for t in terms if variables(t)}))

    def _bounds(self, forms: Iterable[_Form]) -> Iterator[Term]:
        for form in forms:
            low, high = min(form.values), max(form.values)
            if low < high:
                yield self._at_least(form.term, low)
                yield self._at_most(form.term, high)
            for bound, step in product(form.bounds, (0, *self._vocabulary.steps)):
                if high < bound + step:
                    yield self._at_most(form.term, bound + step)
                if low > bound + 1 - step:
                    yield self._at_least(form.term, bound + 1 - step)

    def _at_least(self, term: Term, bound: int) -> Term:
        return self._terms.ge(term, self._terms.integer(bound))

    def _at_most(self, term: Term, bound: int) -> Term:
        return self._terms.le(term, self._terms.integer(bound))

    # ---- where a condition holds --------------------------------------------------------------------------

    def conditional(self) -> tuple[Term, ...]:
        """Equalities and bounds where a condition of the program holds, pairs of conditions one of which does, and the
        whole sample where it is small."""
        conditions = self._conditions()
        return _some(
            (
                *(clause for c in conditions for clause in self._equalities_where(*c)),
                *self._alternatives(conditions),
                *(clause for c in conditions for clause in self._bounds_where(*c)),
                *self._enumeration(),
            )
        )

    def _enumeration(self) -> Iterator[Term]:
        points = dict.fromkeys(point[: len(self._variables)] for point in self._points)
        if len(points) <= _FEW:
            yield self._terms.disjunction(self._state(point) for point in points)

    def _state(self, point: Sequence[int]) -> Term:
        values = zip(self._variables, point, strict=True)
        return self._terms.conjunction(self._terms.eq(v, self._terms.integer(value)) for v, value in values)

    def cases(self) -> tuple[Term, ...]:
        """Equalities, congruences and bounds for each value of a variable that has few and does not count."""
        found: list[Term] = []
        for i, variable in enumerate(self._variables):
            values = sorted({point[i] for point in self._points})
            if variable in self._vocabulary.counters or not 1 < len(values) <= _FEW:
                continue
            for value in values:
                where = sum(1 << row for row, point in enumerate(self._points) if point[i] == value)
                case = self._terms.eq(variable, self._terms.integer(value))
                found += self._equalities_where(case, where)
                found += self._congruences_where(case, where)
                found += self._bounds_where(case, where)
        return _some(found)

    def _congruences_where(self, condition: Term, where: int) -> Iterator[Term]:
        for guess in self._congruences(list(_chosen(self._points, where))):
            yield self._terms.or_(self._terms.not_(condition), guess)

    def phases(self) -> tuple[Term, ...]:
        """A condition of the program that holds in all sampled states, or another one: what may come after as many
        rounds as were never executed."""
        always = [condition for condition, where in self._literals if where == self._all_rows]
        others = [condition for condition, _ in self._literals][: 4 * _CONDITIONS]
        for variable in self._variables:
            if variable in self._vocabulary.counters:
                for step in self._vocabulary.steps:
                    others += [g for value in range(step) for g in self._congruent(variable, step, value)]
        return _some(self._terms.or_(a, b) for a, b in product(always[:_CONDITIONS], others))

    @cached_property
    def _literals(self) -> list[tuple[Term, int]]:
        """Conditions of the program and their negations, with the set of rows in which they hold."""
        atoms = tuple(filter(self._expressible, self._vocabulary.comparisons))
        evaluated = zip(*map(compile_terms(atoms, self._layout), self._rows), strict=True)
        found = []
        for atom, values in zip(atoms, evaluated, strict=True):
            where = sum(1 << i for i, value in enumerate(values) if value)
            found += [(atom, where), (self._terms.not_(atom), self._all_rows ^ where)]
        return found

    def _conditions(self) -> list[tuple[Term, int]]:
        """Conditions that hold in some of the rows."""
        return [(c, where) for c, where in self._literals if 0 < where < self._all_rows][: 2 * _CONDITIONS]

    def _equalities_where(self, condition: Term, where: int) -> Iterator[Term]:
        own = hull(_chosen(self._points, where))
        if len(own) < len(self._hull):
            for relation in relations(own, len(self._columns), _EQUALITIES):
                if not holds(relation, self._hull):
                    yield self._terms.or_(self._terms.not_(condition), self._equality(relation, self._columns))

    def _alternatives(self, conditions: Sequence[tuple[Term, int]]) -> Iterator[Term]:
        for (a, in_a), (b, in_b) in combinations(conditions, 2):
            if in_a | in_b == self._all_rows:
                yield self._terms.or_(a, b)

    def _bounds_where(self, condition: Term, where: int) -> Iterator[Term]:
        otherwise = self._terms.not_(condition)
        for form in self._forms:
            for guess in self._bounds([_Form(form.term, tuple(_chosen(form.values, where)), form.bounds)]):
                yield self._terms.or_(otherwise, guess)

    # ---- more variables -----------------------------------------------------------------------------------

    def wide(self) -> tuple[Term, ...]:
        """Bounds of three variables added and subtracted, and of variables and what the program compares."""
        mixed: dict[Term, tuple[int, ...]] = {}
        for variable, form in product(self._variables[:_SOME_COLUMNS], self._forms):
            if not form.term.is_var:
                for sum_ in (self._terms.add(form.term, variable), self._terms.sub(form.term, variable)):
                    if variables(sum_):
                        mixed[sum_] = ()
        triples = [c for c in product((1, -1), repeat=3) if c[0] > 0]
        return _some((*self._sums(triples), *self._bounds(self._evaluated(mixed))))

    def polynomial(self) -> tuple[Term, ...]:
        """Equalities between variables and products of two, where the program multiplies variables."""
        if not self._vocabulary.multiplies:
            return ()
        some = self._variables[:_FACTORS]
        columns = (*some, *(self._terms.mul(a, b) for a, b in combinations_with_replacement(some, 2)))
        points = list(map(compile_terms(columns, self._layout), self._rows))
        found = relations(hull(points), len(columns), _EQUALITIES)
        return _some(self._equality(relation, columns) for relation in found)


def _some(guesses: Iterable[Term]) -> tuple[Term, ...]:
    return tuple(dict.fromkeys(guess for guess in guesses if not guess.is_const))[:_MOST]


def _chosen(items: Sequence[T], where: int) -> Iterator[T]:
    return (item for i, item in enumerate(items) if where >> i & 1)


def _modulus(values: Iterable[int]) -> int:
    """The largest m for which all values are congruent; 0 where they are equal, 1 where it is of no use."""
    numbers = iter(values)
    first = next(numbers)
    common = 0
    for value in numbers:
        common = gcd(common, value - first)
    return common if common <= _MODULUS else 1
