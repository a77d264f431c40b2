"""Guesses about bit-vectors, from what a program demands and from sampled states.

``relations`` guesses about numbers that do not wrap; remainders by variables, shifts and conversions have none. Here
the guesses at a loop head are formulas over bit-vectors:

* what the way from there to the error demands: its weakest precondition (Dijkstra 1975), which an inductive invariant
  that excludes the error implies;
* comparisons of two variables, of one with the negation of another and with zero;
* the atoms of the program, with another variable in the place of one of theirs;
* each of these, and then one or another of them, where something is demanded, as far as the loop does not change that
  (``y > 0`` implies ``b <= y``).

What is not demanded is guessed if it holds in all sampled states. ``houdini`` finds out which of the guesses are
invariants; nothing depends on them but how soon a proof is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, permutations

from argosy.invariants.sampling import State, is_sampled, sample
from argosy.logic.compile import compile_terms
from argosy.logic.terms import Term
from argosy.logic.traverse import atoms, conjuncts, postorder, substitute, variables
from argosy.models.cfa import Cfa, Edge, Location, Reading, written
from argosy.models.effects import effect_of

_COLUMNS = 8  # variables that are compared with one another
_ATOMS = 16  # of the program, those of what is demanded first
_CASES = 4
_FEWEST = 4  # states that say anything
_MOST = 1_000  # guesses at one location
_LARGEST = 400  # parts of a formula
_EDGES = 3_000

_ON_WORDS = frozenset(("bvand", "bvor", "bvxor", "bvnot"))
_BY_VARIABLES = frozenset(("bvudiv", "bvsdiv", "bvurem", "bvsrem", "bvshl", "bvlshr", "bvashr"))

Guessed = dict[Location, tuple[Term, ...]]


def guesses(cfa: Cfa, reading: Reading, seed: int = 0) -> Iterator[Guessed]:
    """At each loop head: what is demanded and compared, then alternatives. Nothing where a variable is of a sort that
    is not executed."""
    if not is_sampled(cfa) or len(cfa.edges) > _EDGES:
        return
    samples = sample(cfa, reading, seed)
    if samples.path:
        return
    demanded = demands(cfa, reading)
    clauses = [clause for demand in demanded.values() for clause in conjuncts(demand)]
    words = {
        head: _Words(cfa, samples.live[head], states, demanded.get(head, cfa.terms.true), _cases(cfa, head, clauses))
        for head, states in samples.states.items()
        if len(states) >= _FEWEST
    }
    for kind in (_Words.simple, _Words.alternatives):
        yield {
            head: tuple(islice((g for g in dict.fromkeys(kind(own)) if not g.is_const), _MOST))
            for head, own in words.items()
        }


def _cases(cfa: Cfa, head: Location, clauses: Iterable[Term]) -> list[Term]:
    """Where something is demanded, as far as the loop does not change it: what it keeps is kept in each case."""
    body = range(cfa.order[head], cfa.loop_ends[head] + 1)
    changed = {
        v
        for edge in cfa.edges
        if cfa.order.get(edge.source, -1) in body and cfa.order.get(edge.target, -1) in body
        for v in written(edge.operation)
    }
    found: dict[Term, None] = {}
    for clause in clauses:
        parts = clause.args if clause.op == "or" else (clause,)
        case = cfa.terms.conjunction(cfa.terms.not_(part) for part in parts if variables(part).isdisjoint(changed))
        if not case.is_const:
            found[case] = None
    return list(found)[:_CASES]


def are_computed(cfa: Cfa) -> bool:
    """Whether a loop computes what linear arithmetic cannot say: quotients and remainders by variables, shifts by them,
    single bits."""
    order, heads = cfa.order, cfa.loop_heads
    bodies = [range(order[head], cfa.loop_ends[head] + 1) for head in heads]
    values = (
        value
        for edge in cfa.edges
        if any(order.get(edge.source, -1) in body and order.get(edge.target, -1) in body for body in bodies)
        for _, value in effect_of(cfa.terms, edge.operation).definitions
    )
    return any(
        sub.op in _ON_WORDS or (sub.op in _BY_VARIABLES and not sub.args[1].is_const)
        for value in values
        for sub in postorder(value)
    )


def demands(cfa: Cfa, reading: Reading) -> Mapping[Location, Term]:
    """At each loop head a formula without which the error is reached from there before another loop head; nothing where
    it is a large one, or about values that are still to be chosen."""
    terms = cfa.terms
    before: dict[Location, Term] = {cfa.error: terms.false}
    found: dict[Location, Term] = {}
    for location in sorted(cfa.order, key=lambda at: -cfa.order[at]):
        if location is cfa.error:
            continue
        parts = []
        for edge in cfa.leaving[location]:
            after = terms.true if edge.target in cfa.loop_heads else before.get(edge.target, terms.true)
            parts.append(_demand(cfa, edge, after, reading))
        demand = terms.conjunction(parts)
        if _is_large(demand):
            demand = terms.true
        if location in cfa.loop_heads:
            found[location] = demand
        before[location] = demand
    return {location: demand for location, demand in found.items() if demand is not terms.true}


def _demand(cfa: Cfa, edge: Edge, after: Term, reading: Reading) -> Term:
    """What has to hold so that ``after`` holds when the edge was taken."""
    terms = cfa.terms
    if after is terms.true:
        return after
    effect = effect_of(terms, edge.operation)
    if effect.ties or not variables(after).isdisjoint(effect.havocs):
        return terms.true
    taken = terms.conjunction((edge.guard(terms, reading), *effect.guards))
    return terms.implies(taken, substitute(terms, after, dict(effect.definitions)))


def _is_large(term: Term) -> bool:
    return sum(1 for _ in islice(postorder(term), _LARGEST + 1)) > _LARGEST


class _Words:
    """What the states in ``rows``, values of the variables ``live``, have in common. ``cases`` are conditions under
    which something may be demanded, over variables that the loop does not change."""

    def __init__(
        self, cfa: Cfa, live: Sequence[Term], rows: Sequence[State], demand: Term, cases: Iterable[Term]
    ) -> None:
        self._terms = cfa.terms
        self._signed = {v.term for v in cfa.variables if v.signed}
        self._layout = {v: i for i, v in enumerate(live)}
        self._rows = rows
        self._all_rows = (1 << len(rows)) - 1
        self._demand = demand
        self._variables = [v for v in live if v.sort.is_bits][:_COLUMNS]
        said = (
            atom for edge in cfa.edges for guard in effect_of(cfa.terms, edge.operation).guards for atom in atoms(guard)
        )
        known = islice(filter(self._is_live, dict.fromkeys((*atoms(demand), *said))), _ATOMS)
        self._atoms = tuple(known)
        self._comparisons = self._evaluated(dict.fromkeys((*self._orders(), *self._elsewhere())))
        self._cases = {cfa.terms.true: self._all_rows, **self._evaluated(dict.fromkeys(filter(self._is_live, cases)))}

    def _is_live(self, term: Term) -> bool:
        own = variables(term)
        return bool(own) and own <= self._layout.keys()

    def _evaluated(self, formulas: Mapping[Term, None]) -> dict[Term, int]:
        """Each formula with the set of rows in which it holds."""
        evaluated = zip(*map(compile_terms(tuple(formulas), self._layout), self._rows), strict=True)
        return {
            formula: sum(1 << i for i, value in enumerate(values) if value)
            for formula, values in zip(formulas, evaluated, strict=True)
        }

    # ---- formulas -----------------------------------------------------------------------------------------

    def _orders(self) -> Iterator[Term]:
        terms = self._terms
        for x in self._variables:
            zero = terms.bv(0, x.sort.width)
            if x in self._signed:
                yield from (terms.not_(terms.bit("bvslt", x, zero)), terms.not_(terms.bit("bvslt", zero, x)))
            yield from (terms.eq(x, zero), terms.not_(terms.eq(x, zero)))
        for x, y in permutations(self._variables, 2):
            if x.sort is not y.sort:
                continue
            both = x in self._signed and y in self._signed
            order = "bvslt" if both else "bvult"
            yield from (terms.bit(order, x, y), terms.not_(terms.bit(order, y, x)), terms.eq(x, y))
            if both:
                negated = terms.bit("bvneg", y)
                yield from (terms.not_(terms.bit("bvslt", x, negated)), terms.not_(terms.bit("bvslt", negated, x)))

    def _elsewhere(self) -> Iterator[Term]:
        """The atoms, and what they say of other variables."""
        for atom in self._atoms:
            yield from (atom, self._terms.not_(atom))
            for one in sorted(variables(atom), key=lambda v: v.id):
                for other in self._variables:
                    if other.sort is one.sort and other not in variables(atom):
                        said = substitute(self._terms, atom, {one: other})
                        yield from (said, self._terms.not_(said))

    # ---- guesses ------------------------------------------------------------------------------------------

    def simple(self) -> Iterator[Term]:
        """What is demanded, and comparisons that hold in a case."""
        yield self._demand
        for case, where in self._cases.items():
            less = self._all_rows if case is not self._terms.true else 0
            for formula, holds in self._comparisons.items():
                if not where & ~holds and (not less or less & ~holds):
                    yield self._in_case(case, formula)

    def alternatives(self) -> Iterator[Term]:
        """One or another comparison that holds in a case."""
        for case, where in self._cases.items():
            some = {f: where & holds for f, holds in self._comparisons.items() if 0 < where & holds < where}
            for (one, in_one), (other, in_other) in combinations(some.items(), 2):
                if in_one | in_other == where:
                    yield self._in_case(case, self._terms.or_(one, other))

    def _in_case(self, case: Term, formula: Term) -> Term:
        return self._terms.or_(self._terms.not_(case), formula)
