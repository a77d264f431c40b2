"""By how much a round of a loop changes what it changes, and what that comes to: linear inequalities about loop heads.

Of each loop, the inner ones first, a solver says between which two numbers ``x' - x`` lies in any round. A loop that is
done is one edge for the loops around it: in so many rounds as a variable counts, the others change within so many times
those numbers (Kroening, Sharygina, Tonetta, Tsitovich, Wintersteiger, *Loop summarization using abstract transformers*,
ATVA 2008; the transformers are monotone and linear updates). Guesses at a loop head are, with numbers that are wide
enough for no sum to wrap,

* ``x - x0`` between ``low * n`` and ``high * n``, where ``n`` is the number of rounds that a counter ``i`` has had,
  ``(i - i0) / step``; and in an inner loop the sum of that and of what the loop around it says;
* a bound of ``x`` that a condition of the loop gives, and what one more round adds to it.

Nothing depends on them but whether a proof is found: ``houdini`` finds out which of them hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from math import lcm

from argosy.basics.records import dataclass, replace
from argosy.domains.paths import PathFormula, Paths, blocks_from
from argosy.invariants.houdini import Invariants
from argosy.logic.residues import valuation
from argosy.logic.semantics import Value, signed
from argosy.logic.solver import Satisfiability, Solver
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import atoms, substitute, variables
from argosy.models.cfa import Cfa, Edge, Location, Reading, Relation, written
from argosy.models.effects import effect_of
from argosy.models.liveness import live_variables

_LARGEST = 1 << 36  # change in one round
_COLUMNS = 10  # variables of one loop
_COUNTERS = 2  # by which rounds are counted
_FEW_POWERS = 2  # of two, of which a factor is the sum or the difference


@dataclass(frozen=True, slots=True)
class Change:
    """A round of a loop changes a variable by at least ``low`` and at most ``high``."""

    low: int
    high: int


class _NotKnown(Exception):
    """The solver does not say."""


def changes(cfa: Cfa, reading: Reading, solver: Solver, known: Invariants) -> Mapping[Location, Mapping[Term, Change]]:
    """For each loop head the variables that each round changes within limits, where ``known`` holds at the heads."""
    return _Summaries(cfa, reading, solver, known).found


class _Summaries:
    def __init__(self, cfa: Cfa, reading: Reading, solver: Solver, known: Invariants) -> None:
        self._terms: Terms = cfa.terms
        self._paths = Paths(cfa.terms, reading)
        self._solver = solver
        self._known = known
        self._live = live_variables(cfa)
        self.found: dict[Location, Mapping[Term, Change]] = {}
        left = cfa
        for head in sorted(cfa.loop_heads, key=lambda at: -cfa.order[at]):
            heads = frozenset(left.loop_heads)
            path = blocks_from(left, head, heads | {left.error}, self._paths).get(head)
            self.found[head] = {} if path is None else self._changes(head, path)
            left = self._without(left, head)

    def _changes(self, head: Location, path: PathFormula) -> Mapping[Term, Change]:
        found: dict[Term, Change] = {}
        self._solver.push()
        try:
            self._solver.add(path.formula)
            for fact in self._known.get(head, ()):
                self._solver.add(fact)
            if self._solver.check() is not Satisfiability.SAT:
                return {}
            moved = [v for v in path.indices if path.indices[v] and v.sort.is_bits and v in self._live[head]]
            for variable in sorted(moved, key=lambda v: v.id)[:_COLUMNS]:
                after = self._paths.indexed(variable, path.indices[variable])
                change = self._change(self._terms.bit("bvsub", after, variable))
                if change is not None:
                    found[variable] = change
        finally:
            self._solver.pop()
        return found

    def _change(self, by: Term) -> Change | None:
        width = by.sort.width
        largest = min(_LARGEST, (1 << (width - 1)) - 1)
        # Of all numbers that one is its own negation.
        lowest = self._terms.eq(by, self._terms.bv(1 << (width - 1), width))
        if self._solver.check([lowest]) is not Satisfiability.UNSAT:
            return None
        high = self._greatest(by, largest)
        low = None if high is None else self._greatest(self._terms.bit("bvneg", by), largest)
        return None if high is None or low is None else Change(-low, high)

    def _greatest(self, by: Term, largest: int) -> int | None:
        """None where it is larger than that, or not known."""
        width = by.sort.width

        def is_more(than: int) -> int | None:
            """A larger value."""
            answer = self._solver.check([self._terms.bit("bvslt", self._terms.bv(than, width), by)])
            if answer is Satisfiability.UNKNOWN:
                raise _NotKnown
            return signed(int(self._solver.value(by)), width) if answer is Satisfiability.SAT else None

        try:
            good, bad = is_more(-largest - 1), largest + 1
            if good is None or good > largest:
                return None
            more = is_more(good)
            if more is None:
                return good
            if is_more(largest) is not None:
                return None
            good = more
            while bad - good > 1:
                more = is_more((good + bad) // 2 - 1)
                good, bad = (good, (good + bad) // 2) if more is None else (more, bad)
            return good
        except _NotKnown:
            return None

    def _without(self, left: Cfa, head: Location) -> Cfa:
        """The automaton with one edge in the place of a loop: what any number of rounds may change."""
        order = left.order
        body = range(order[head], left.loop_ends[head] + 1)
        behind = Location(max(at.index for at in left.locations) + 1, head.function, head.position, depth=head.depth)
        edges = []
        changed: dict[Term, None] = {}
        for edge in left.edges:
            if order.get(edge.source, -1) in body and order.get(edge.target, -1) in body:
                changed.update(dict.fromkeys(written(edge.operation)))
                if edge.target is head:
                    continue
            edges.append(replace(edge, source=behind) if edge.source is head else edge)
        primed = {v: self._terms.var(f"{v.name}'", v.sort) for v in changed}
        formula = self._terms.conjunction(
            (
                *(substitute(self._terms, fact, primed) for fact in self._known.get(head, ())),
                *self._together(head, primed),
            )
        )
        edges.append(
            Edge(head, behind, Relation(formula, tuple(primed.items())), head.position, "any number of rounds")
        )
        return replace(left, locations=(*left.locations, behind), edges=tuple(edges))

    def _together(self, head: Location, primed: Mapping[Term, Term]) -> Iterator[Term]:
        """How much the others change while a variable counts, if nothing wraps."""
        terms = self._terms
        for counter, step in counters(self.found[head]):
            for variable, change in self.found[head].items():
                if variable is counter:
                    continue
                most = max(abs(change.low), abs(change.high)) + abs(step)
                width = max(variable.sort.width, counter.sort.width) + most.bit_length() + 2
                by, rounds = (
                    terms.sign_extend(terms.bit("bvsub", primed[v], v), width - v.sort.width)
                    for v in (variable, counter)
                )
                yield from _between(terms, change, step, by, rounds)


def counters(changes: Mapping[Term, Change]) -> Iterator[tuple[Term, int]]:
    """The variables by which rounds are counted, and by how much they count."""
    counting = [(v, change.low) for v, change in changes.items() if change.low == change.high != 0]
    counting.sort(key=lambda each: (abs(each[1]), -each[0].sort.width, each[0].id))
    return islice(counting, _COUNTERS)


def _between(terms: Terms, change: Change, step: int, by: Term, rounds: Term) -> Iterator[Term]:
    """``change.low * n <= by <= change.high * n`` for ``rounds == step * n``."""
    scaled = _times(terms, abs(step), by)
    sign = 1 if step > 0 else -1
    yield terms.bit("bvsle", _times(terms, sign * change.low, rounds), scaled)
    yield terms.bit("bvsle", scaled, _times(terms, sign * change.high, rounds))


def _times(terms: Terms, factor: int, term: Term) -> Term:
    return terms.bit("bvmul", terms.bv(factor, term.sort.width), term)


def _powers(factor: int) -> Iterator[int]:
    """The fewest powers of two, and negated ones, that add up to a number: those of its non-adjacent form."""
    power = 1
    while factor:
        if factor & 1:
            digit = 2 - factor % 4
            yield digit * power
            factor -= digit
        factor //= 2
        power *= 2


def _is_easy(factor: int) -> bool:
    """Whether a product by it is the sum or the difference of few shifted numbers."""
    return len(list(_powers(factor))) <= _FEW_POWERS


def _power_of_two(factor: int, low: bool) -> int:
    """One that is not larger than a ``low`` limit, or not smaller than a high one."""
    if not factor:
        return 0
    power = 1 << (abs(factor).bit_length() - 1)
    if (factor > 0) is not low and power < abs(factor):
        power *= 2
    return power if factor > 0 else -power


# ---- guesses ----------------------------------------------------------------------------------------------------


Starts = Mapping[Location, Mapping[Term, Term]]
"""For each loop head what variables are where the loop is entered: constants, and what the loop leaves alone."""


def guesses(
    cfa: Cfa, found: Mapping[Location, Mapping[Term, Change]], starts: Starts
) -> Iterator[Mapping[Location, tuple[Term, ...]]]:
    """What the ``found`` changes come to at each loop head: what a solver sees easily, and then the rest."""
    guessing = _Guessing(cfa, found, starts)
    for kind in (guessing.easy, guessing.exact_sums):
        yield {head: tuple(dict.fromkeys(g for g in kind(head) if not g.is_const)) for head in found}


def starts(cfa: Cfa, entries: Mapping[Location, Mapping[Term, Value]]) -> Starts:
    """What is known where loops are entered, and the variables that are copied to others before a loop that leaves them
    alone."""
    found: dict[Location, dict[Term, Term]] = {}
    live = live_variables(cfa)
    for head in cfa.loop_heads:
        inside = _body(cfa, head)
        changed = {v for edge in inside for v in written(edge.operation)}
        own = found[head] = {}
        for edge in cfa.edges:
            if edge not in inside:
                for variable, value in effect_of(cfa.terms, edge.operation).definitions:
                    if value.is_var and value.sort.is_bits and value in live[head] and value not in changed:
                        own[variable] = value
        for variable, number in entries.get(head, {}).items():
            if variable.sort.is_bits:
                own[variable] = cfa.terms.bv(int(number), variable.sort.width)
    return found


def _body(cfa: Cfa, head: Location) -> frozenset[Edge]:
    body = range(cfa.order[head], cfa.loop_ends[head] + 1)
    return frozenset(
        edge for edge in cfa.edges if cfa.order.get(edge.source, -1) in body and cfa.order.get(edge.target, -1) in body
    )


class _Guessing:
    def __init__(self, cfa: Cfa, found: Mapping[Location, Mapping[Term, Change]], starts: Starts) -> None:
        self._cfa = cfa
        self._terms: Terms = cfa.terms
        self._found = found
        self._starts = starts
        self._live = live_variables(cfa)
        self._signed = {v.term for v in cfa.variables if v.signed}

    def easy(self, head: Location) -> Iterator[Term]:
        yield from self._bounds(head)
        yield from self._sides(head)
        yield from self._divisible(head)
        yield from self._sums(head, exactly=False)

    def exact_sums(self, head: Location) -> Iterator[Term]:
        """Products by numbers of many bits are hard, and without wrapping the harder the wider they are."""
        yield from self._sums(head, exactly=True)

    def _wide(self, term: Term, width: int, as_signed: bool) -> Term:
        extend = self._terms.sign_extend if as_signed else self._terms.zero_extend
        return extend(term, width - term.sort.width)

    def _bounds(self, head: Location) -> Iterator[Term]:
        """A condition that bounds what is changed, and what one more round adds."""
        terms, own = self._terms, self._found[head]
        inside = _body(self._cfa, head)
        changed = {v for edge in inside for v in written(edge.operation)}
        conditions: dict[Term, None] = {}
        for edge in inside:
            for guard in effect_of(terms, edge.operation).guards:
                conditions.update(dict.fromkeys(atom for atom in atoms(guard) if atom.op in ("bvult", "bvslt")))
        for atom in conditions:
            as_signed = atom.op == "bvslt"
            for low, (side, limit) in ((False, atom.args), (True, atom.args[::-1])):
                change = own.get(side)
                if (
                    change is None
                    or not changed.isdisjoint(variables(limit))
                    or not variables(limit) <= self._live[head]
                ):
                    continue
                width = side.sort.width + max(abs(change.low), abs(change.high)).bit_length() + 2
                value, bound = (self._wide(each, width, as_signed) for each in (side, limit))
                if not low and change.high > 0:
                    for more in (change.high - 1, change.high):
                        yield terms.bit("bvsle", value, terms.bit("bvadd", bound, terms.bv(more, width)))
                if low and change.low < 0:
                    for less in (change.low + 1, change.low):
                        yield terms.bit("bvsle", terms.bit("bvadd", bound, terms.bv(less, width)), value)

    def _sides(self, head: Location) -> Iterator[Term]:
        """What goes one way stays on one side of where it started."""
        for variable, change in self._found[head].items():
            start = self._starts[head].get(variable)
            if start is not None:
                order = "bvsle" if variable in self._signed else "bvule"
                if change.low >= 0:
                    yield self._terms.bit(order, start, variable)
                if change.high <= 0:
                    yield self._terms.bit(order, variable, start)

    def _divisible(self, head: Location) -> Iterator[Term]:
        """What changes by a number has changed by a multiple of it, without wrapping."""
        terms = self._terms
        for variable, change in self._found[head].items():
            start = self._starts[head].get(variable)
            if start is None or change.low != change.high or change.low == 0:
                continue
            width = variable.sort.width
            odd = abs(change.low) >> valuation(change.low)
            if odd > 1:
                by = terms.bit("bvsub", *((variable, start) if change.low > 0 else (start, variable)))
                rounds = terms.bit("bvmul", terms.bv(pow(odd, -1, 1 << width), width), by)
                yield terms.bit("bvule", rounds, terms.bv(((1 << width) - 1) // odd, width))

    def _sums(self, head: Location, exactly: bool) -> Iterator[Term]:
        """What all rounds of a loop and of those around it have changed; ``exactly`` what is not easy otherwise."""
        order = self._cfa.order
        around = [
            each
            for each in sorted(self._found, key=lambda at: order[at])
            if order[each] <= order[head] <= self._cfa.loop_ends[each]
        ]
        for variable in self._found[head]:
            start = self._starts[around[0]].get(variable)
            loops = [change for each in around if (change := self._found[each].get(variable)) is not None]
            if start is None or len(loops) < len(around) or all(change.low == change.high for change in loops):
                continue  # nothing is known, or it is an equation
            counting = [self._counters(each, head, variable) for each in around]
            for chosen in islice(product(*counting), _COUNTERS):
                yield from self._sum(variable, start, loops, chosen, exactly)

    def _counters(self, head: Location, at: Location, other: Term) -> list[tuple[Term, Term, int]]:
        """Counters of a loop with where they start and by how much they count."""
        return [
            (counter, self._starts[head][counter], step)
            for counter, step in counters(self._found[head])
            if counter is not other and counter in self._starts[head] and counter in self._live[at]
        ]

    def _sum(
        self,
        variable: Term,
        start: Term,
        changes: Sequence[Change],
        chosen: Sequence[tuple[Term, Term, int]],
        exactly: bool,
    ) -> Iterator[Term]:
        """``scale * (variable - start)`` between sums of factors times rounds. Where the variable is wider than what
        counts the rounds, products by numbers of many bits are hard; easy are weaker ones."""
        scale = lcm(*(abs(step) for _, _, step in chosen))
        rounds = [self._rounds(*each) for each in chosen]
        own = variable.sort.width
        widest = max(own, *(each.sort.width for each in rounds))
        for low in (True, False):
            factors = [
                (change.low if low else change.high) * scale // abs(step)
                for change, (_, _, step) in zip(changes, chosen, strict=True)
            ]
            if scale > 1 and not exactly:
                # A weaker one without a product on the left, which the stronger one needs so that nothing wraps.
                whole = [each // scale if low else -(-each // scale) for each in factors]
                yield from self._easily(variable, start, 1, list(zip(whole, rounds, strict=True)), low, widest)
            parts = list(zip(factors, rounds, strict=True))
            if not exactly:
                yield from self._easily(variable, start, scale, parts, low, widest)
            elif any(each.sort.width < widest for each in rounds) and not all(map(_is_easy, (scale, *factors))):
                width = widest + sum(map(abs, (scale, *factors))).bit_length() + 2
                yield self._inequality(variable, start, scale, parts, low, width)

    def _easily(
        self, variable: Term, start: Term, scale: int, rounds: list[tuple[int, Term]], low: bool, widest: int
    ) -> Iterator[Term]:
        width = widest
        if any(each.sort.width < widest for _, each in rounds):
            if scale == 1:
                rounds = [(each if _is_easy(each) else _power_of_two(each, low), count) for each, count in rounds]
            factors = [scale, *(each for each, _ in rounds)]
            if not all(map(_is_easy, factors)):
                return
            width += sum(map(abs, factors)).bit_length() + 2
        yield self._inequality(variable, start, scale, rounds, low, width)

    def _rounds(self, counter: Term, start: Term, step: int) -> Term:
        """How much a counter has counted, as a number that is not negative."""
        return self._terms.bit("bvsub", *((counter, start) if step > 0 else (start, counter)))

    def _inequality(
        self, variable: Term, start: Term, scale: int, rounds: Sequence[tuple[int, Term]], low: bool, width: int
    ) -> Term:
        """With nothing subtracted: it stands on the other side."""
        terms = self._terms
        as_signed = variable in self._signed
        sides = [_times(terms, scale, self._wide(each, width, as_signed)) for each in (variable, start)]
        for factor, count in rounds:
            wide = terms.zero_extend(count, width - count.sort.width)
            for part in (factor,) if width == max(variable.sort.width, count.sort.width) else _powers(factor):
                side = 1 if part > 0 else 0
                sides[side] = terms.bit("bvadd", sides[side], _times(terms, abs(part), wide))
        return terms.bit("bvsle" if as_signed else "bvule", *(reversed(sides) if low else sides))
