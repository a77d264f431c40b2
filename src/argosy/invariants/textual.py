"""Guesses about bits and arrays that are read off the text of a program.

What keeps an access inside an array is mostly said somewhere: by a condition (``i < n``), by the demand on the access
itself, by where a variable starts and which way it steps, by what was written to the last element. So the guesses at a
loop head are, over the variables that are live there,

* each comparison of the program, its negation and what is a little weaker (``i <= n`` for ``i < n`` and ``i != n``),
  about the variables that step in the loop as well;
* ``x = e`` where a value was assigned before the loop, and ``e <= x`` where ``x`` steps upwards from there;
* that two variables step together: ``d * x - c * y`` stays what it was, where the steps are ``c`` and ``d``;
* ``a[i] = v`` where that was written.

Copies (``x := y``) and constants are put in for variables that are not live any more. ``houdini`` finds out which of
the guesses are invariants; nothing depends on them but how soon a proof is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from math import gcd

from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import atoms, postorder, substitute, variables
from argosy.models.cfa import Cfa, Edge, Location
from argosy.models.effects import Effect, effect_of
from argosy.models.liveness import live_variables

_MOST = 600  # guesses at one location
_WAYS = 6  # in which a guess is said about live variables
_ORDERS = ("bvslt", "bvult")


def guesses(cfa: Cfa) -> list[dict[Location, tuple[Term, ...]]]:
    """At each loop head: what is said there, and then with what is said elsewhere."""
    text = _Text(cfa)
    return [text.found(everywhere=False), text.found(everywhere=True)]


class _Text:
    def __init__(self, cfa: Cfa) -> None:
        self._cfa = cfa
        self._terms: Terms = cfa.terms
        self._effects: dict[Edge, Effect] = {edge: effect_of(cfa.terms, edge.operation) for edge in cfa.edges}
        self._live = live_variables(cfa)
        self._atoms = dict.fromkeys(
            atom
            for effect in self._effects.values()
            for part in (*effect.guards, *_choices(effect))
            for atom in atoms(part)
            if atom.op in ("=", *_ORDERS) and atom.args[0].sort.is_bits and variables(atom).isdisjoint(cfa.opaque)
        )
        self._sources: dict[Term, dict[Term, None]] = {}
        self._copies: dict[Term, dict[Term, None]] = {}
        for _, variable, value in self._definitions():
            if value.is_var or (value.is_const and value.sort.is_bits):
                self._sources.setdefault(variable, {})[value] = None
                self._copies.setdefault(value, {})[variable] = None
        self._others: dict[Term, list[Term]] = {}

    def _same(self, variable: Term) -> list[Term]:
        """What may stand for a variable: what it is copied to, what it is a copy of; constants last, zero behind them
        (pointers that have ended are zero)."""
        known = self._others.get(variable)
        if known is None:
            found: dict[Term, None] = {}
            for relation in (self._copies, self._sources):
                waiting = [variable]
                while waiting:
                    new = [other for other in relation.get(waiting.pop(), ()) if other not in found]
                    found.update(dict.fromkeys(new))
                    waiting += [other for other in new if not other.is_const]
            known = sorted(found, key=lambda other: (other.is_const, other.is_const and other.payload == 0))
            self._others[variable] = known
        return known

    def _definitions(self) -> Iterator[tuple[Edge, Term, Term]]:
        for edge, effect in self._effects.items():
            for variable, value in effect.definitions:
                yield edge, variable, value

    def found(self, everywhere: bool) -> dict[Location, tuple[Term, ...]]:
        heads = sorted(self._cfa.loop_heads, key=lambda location: location.index)
        raw = {head: dict.fromkeys(islice(self._at(head), _MOST)) for head in heads}
        # What holds in one loop may hold in the next one, of copies.
        others = [guess for some in raw.values() for guess in some] if everywhere else []
        return {head: tuple(self._live_ones(chain(raw[head], others), head)) for head in heads}

    def _live_ones(self, guesses: Iterable[Term], head: Location) -> dict[Term, None]:
        found: dict[Term, None] = {}
        for guess in guesses:
            for known in self._known(guess, head):
                if not known.is_const:
                    found[known] = None
            if len(found) >= _MOST:
                break
        return found

    def _at(self, head: Location) -> Iterator[Term]:
        order = self._cfa.order
        body = range(order[head], self._cfa.loop_ends[head] + 1)
        inside = {edge for edge in self._cfa.edges if order.get(edge.source, -1) in body}
        inside = {edge for edge in inside if order.get(edge.target, -1) in body}
        changed = {v for edge, v, _ in self._definitions() if edge in inside}
        steps = dict(self._steps(head, inside))
        starts = [
            (variable, value)
            for edge, variable, value in self._definitions()
            if edge not in inside and value.sort.is_bits and variable not in variables(value)
        ]
        yield from self._bounds(starts, steps)
        yield from self._together(starts, steps)
        yield from self._elements()
        for atom in self._atoms:
            yield from self._around(atom)
        for atom in self._atoms:
            # What is asked of one variable of the loop may hold of one that steps.
            for variable in variables(atom) & changed:
                for other in steps:
                    if other is not variable and other.sort is variable.sort:
                        yield from self._around(substitute(self._terms, atom, {variable: other}))

    def _steps(self, head: Location, inside: Iterable[Edge]) -> Iterator[tuple[Term, int]]:
        """The variables that a loop changes by a constant, and by which."""
        for variable in self._live[head]:
            by: set[int | None] = set()
            for edge in inside:
                for written, value in self._effects[edge].definitions:
                    if written is variable and value is not variable:
                        by.add(_step(variable, value))
                if variable in (*self._effects[edge].havocs, *self._effects[edge].tied):
                    by.add(None)
            if len(by) == 1 and None not in by:
                (step,) = by
                assert step is not None
                yield variable, step

    def _known(self, term: Term, head: Location) -> list[Term]:
        """The same about what is live, in all ways that there are; not too many."""
        live = self._live[head]
        found = [term]
        for variable in sorted(variables(term) - live, key=lambda v: v.id):
            others = [other for other in self._same(variable) if other.is_const or other in live]
            ways = ((each, other) for each in found for other in others)
            found = [substitute(self._terms, each, {variable: other}) for each, other in islice(ways, _WAYS)]
        return found

    def _around(self, atom: Term) -> Iterator[Term]:
        terms = self._terms
        yield atom
        yield terms.not_(atom)
        if any(side.op == "extract" for side in atom.args):
            return
        if atom.op in _ORDERS:
            yield terms.not_(terms.bit(atom.op, atom.args[1], atom.args[0]))
        elif atom.op == "=" and atom.args[0].sort.is_bits:
            for operator in _ORDERS:
                yield terms.not_(terms.bit(operator, atom.args[0], atom.args[1]))
                yield terms.not_(terms.bit(operator, atom.args[1], atom.args[0]))

    def _bounds(self, starts: Iterable[tuple[Term, Term]], steps: Mapping[Term, int]) -> Iterator[Term]:
        terms = self._terms
        for variable, value in starts:
            yield terms.eq(variable, value)
            step = steps.get(variable, 0)
            for operator in _ORDERS if step else ():
                low, high = (variable, value) if step > 0 else (value, variable)
                yield terms.not_(terms.bit(operator, low, high))

    def _together(self, starts: Iterable[tuple[Term, Term]], steps: Mapping[Term, int]) -> Iterator[Term]:
        """That what steps together stays together."""
        terms = self._terms
        known = [(variable, value) for variable, value in starts if variable in steps]
        for number, (one, start) in enumerate(known):
            for other, begin in known[number + 1 :]:
                if one is other or one.sort is not other.sort:
                    continue
                by = steps[one], steps[other]
                yield terms.eq(self._apart(one, other, *by), self._apart(start, begin, *by))

    def _apart(self, x: Term, y: Term, c: int, d: int) -> Term:
        """``d * x - c * y``, as simple as it can be said."""
        terms, common = self._terms, gcd(c, d) if d > 0 else -gcd(c, d)
        times, by = d // common, c // common
        left = x if times == 1 else terms.bit("bvmul", terms.bv(times, x.sort.width), x)
        right = y if abs(by) == 1 else terms.bit("bvmul", terms.bv(abs(by), y.sort.width), y)
        return terms.bit("bvsub" if by > 0 else "bvadd", left, right)

    def _elements(self) -> Iterator[Term]:
        terms = self._terms
        for _, array, value in self._definitions():
            while value.op == "store":
                whole, index, element = value.args
                if array not in variables(index) and array not in variables(element) and not element.sort.element:
                    yield terms.eq(terms.select(array, index), element)
                value = whole


def _choices(effect: Effect) -> Iterator[Term]:
    """The conditions by which values are chosen: what is handed to a function is a number, which is compared there."""
    values = [value for _, value in effect.definitions]
    return (sub.args[0] for sub in postorder(*values) if sub.op == "ite") if values else iter(())


def _step(variable: Term, value: Term) -> int | None:
    """By which constant a value is another one than that of the variable."""
    if value.op not in ("bvadd", "bvsub") or len(value.args) != 2:
        return None
    one, other = value.args
    if value.op == "bvadd" and other is variable:
        one, other = other, one
    if one is not variable or not other.is_const:
        return None
    half = 1 << (variable.sort.width - 1)
    number = (int(other.payload) + half) % (2 * half) - half
    return number if value.op == "bvadd" else -number
