"""Polynomial equations that hold at the heads of loops, modulo 2^w, found by following the program and not by guessing.

At each location the values of some monomials (``1``, ``i``, ``s``, ``i*i``, ...) are vectors, and all vectors that may
occur there lie in the module that the analysis computes: an assignment of a polynomial is a linear map of them, where
paths meet the spans are joined, and a condition that says that a polynomial is 0 leaves those out that it excludes.
What is orthogonal to the module are the equations (Müller-Olm and Seidl: *Analysis of modular arithmetic*, TOPLAS 2007,
section 4; *Computing polynomial program invariants*, IPL 2004, for monomials as variables). Wrapping of numbers is part
of it.

A loop that counts to a number ends, as a rule, when it is there: *hopefully* one reads ``not i < n`` behind the loop as
``i = n``. What follows from that is a guess, which has to be shown with a bound of ``i``.

Law: where nothing is hoped for, each equation holds at its location in all executions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement

from argosy.basics.budget import UNLIMITED, Budget
from argosy.invariants.relations import counters
from argosy.logic.polynomials import (
    Monomial,
    NoPolynomial,
    Polynomial,
    Products,
    added,
    multiplied,
    polynomial,
    refuted,
    said,
)
from argosy.logic.residues import Module, Row, valuation
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts, postorder, substitute, variables
from argosy.models.cfa import Cfa, Edge, Location, written
from argosy.models.effects import effect_of
from argosy.models.liveness import live_variables

_LARGEST = 2_000  # edges of an automaton in which equations are looked for
_EDGES = 600
_NARROWEST = 2
_COLUMNS = 48
_DEGREE = 3
_MORE_COLUMNS = 84
_LARGER_DEGREE = 6
_VARIABLES = 20
_EXTENSIONS = 6  # of narrower variables, which are followed like variables
_CHOICES = 3  # distinctions of cases in an edge
_ROUNDS = 4_000

_PHASES = 4  # conditions of loops that are followed apart

Equations = Mapping[Location, tuple[Term, ...]]


def equations(cfa: Cfa, hopefully: bool = False, closely: bool = False, budget: Budget = UNLIMITED) -> Equations:
    """At each loop head that is reached. Looked at ``closely`` there are products of more factors, and variables that
    others define (``y = 3*n*n + 3*n + 1``) are said so."""
    return _found(cfa, hopefully, None, budget, closely)


def phases(cfa: Cfa, budget: Budget = UNLIMITED) -> Iterator[Equations]:
    """The same where a condition holds that a loop tests, and where it does not: formulas that say both. It is hoped
    that the condition changes once, from one round to the next, and then by one."""
    bodies = _bodies(cfa).values()
    stepped = frozenset(counters(cfa))
    conditions: dict[Term, None] = {}
    for edge in cfa.edges:
        source, target = (cfa.order.get(at, -1) for at in (edge.source, edge.target))
        if any(source in body and target in body for body in bodies):
            effect = effect_of(cfa.terms, edge.operation)
            for part in (*effect.guards, *_choices(dict(effect.definitions))):
                for literal in conjuncts(part):
                    atom = literal.args[0] if literal.op == "not" else literal
                    if atom.op in ("bvult", "bvslt") and not stepped.isdisjoint(variables(atom)):
                        conditions[atom] = None
    for condition in list(conditions)[:_PHASES]:
        for ends in (True, False):
            yield _found(cfa, True, (condition, ends), budget)


def _found(
    cfa: Cfa, hopefully: bool, phase: tuple[Term, bool] | None, budget: Budget, closely: bool = False
) -> Equations:
    if not cfa.loop_heads or len(cfa.edges) > _EDGES:
        return {}
    stepped = [v for v in counters(cfa) if v.sort.is_bits]
    found: dict[Location, dict[Term, None]] = {}
    for width in sorted({v.sort.width for v in stepped if v.sort.width >= _NARROWEST}):
        chosen = _chosen(cfa, stepped, width)
        if not chosen or (phase is not None and phase[0].args[0].sort.width != width):
            continue
        for head, own in _Following(cfa, width, chosen, hopefully, phase, budget, closely).found().items():
            found.setdefault(head, {}).update(dict.fromkeys(own))
    return {head: tuple(own) for head, own in found.items()}


def _choices(defined: Mapping[Term, Term]) -> Iterable[Term]:
    """The conditions by which values are chosen."""
    parts = postorder(*defined.values()) if defined else ()
    return dict.fromkeys(sub.args[0] for sub in parts if sub.op == "ite")


def _independent(terms: Terms, facts: Iterable[Term]) -> list[Term]:
    """Those that are not seen to follow from the simpler ones."""
    found: list[Term] = []
    products = Products()
    for fact in sorted(facts, key=lambda fact: fact in products):
        if not refuted(terms, [*found, terms.not_(fact)]):
            found.append(fact)
    return found


def counts(cfa: Cfa) -> bool:
    """Whether there is something to find: a variable of bits that is changed by sums and products of what it was, in
    an automaton that is not so large that looking for it takes the time of others."""
    return bool(cfa.loop_heads) and len(cfa.edges) <= _LARGEST and any(v.sort.is_bits for v in counters(cfa))


def _bodies(cfa: Cfa) -> Mapping[Location, range]:
    return {head: range(cfa.order[head], cfa.loop_ends[head] + 1) for head in cfa.loop_heads}


def _chosen(cfa: Cfa, stepped: Iterable[Term], width: int) -> list[Term]:
    """The variables that are followed: those that are stepped, and what occurs together with them, those first that
    occur with them the most often."""
    together = {v: 1_000_000 for v in stepped if v.sort.width >= width}
    if not together:
        return []
    own = frozenset(together)
    for edge in cfa.edges:
        effect = effect_of(cfa.terms, edge.operation)
        groups = [variables(part) for guard in effect.guards for part in conjuncts(guard)]
        groups += [variables(value) | {variable} for variable, value in effect.definitions]
        for group in groups:
            if not own.isdisjoint(group):
                for v in group:
                    if v.sort.is_bits and v.sort.width >= width:
                        together[v] = together.get(v, 0) + 1
    # What a followed variable is copied from or to counts as well.
    for edge in cfa.edges:
        for variable, value in effect_of(cfa.terms, edge.operation).definitions:
            if value.is_var and (variable in together) is not (value in together):
                for v in (variable, value):
                    if v.sort.width >= width:
                        together.setdefault(v, 0)
    ranked = sorted(together, key=lambda v: (-together[v], v.id))
    return sorted(ranked[:_VARIABLES], key=lambda v: v.id)


def _extensions(cfa: Cfa, width: int, chosen: Iterable[Term]) -> list[Term]:
    """Narrower variables as numbers of this width, as far as they are computed or compared with."""
    own = frozenset(chosen)
    found: dict[Term, None] = {}
    for edge in cfa.edges:
        effect = effect_of(cfa.terms, edge.operation)
        parts = [value for variable, value in effect.definitions if variable in own]
        parts += [guard for guard in effect.guards if not own.isdisjoint(variables(guard))]
        for part in postorder(*parts) if parts else ():
            if part.op in ("sign_extend", "zero_extend") and part.sort.width == width and part.args[0].is_var:
                found[part] = None
    return list(found)[:_EXTENSIONS]


class _Following:
    """The analysis of one automaton, of the lowest ``width`` bits of the ``chosen`` variables."""

    def __init__(
        self,
        cfa: Cfa,
        width: int,
        chosen: Sequence[Term],
        hopefully: bool,
        phase: tuple[Term, bool] | None,
        budget: Budget,
        closely: bool = False,
    ) -> None:
        self._cfa = cfa
        self._terms: Terms = cfa.terms
        self._width = width
        self._hopefully = hopefully
        self._phase = phase
        self._budget = budget
        self._closely = closely
        self._atoms = {v: v if v.sort.width == width else cfa.terms.extract(v, width - 1, 0) for v in chosen}
        self._of = {atom: variable for variable, atom in self._atoms.items()}
        self._extensions: dict[Term, list[Term]] = {}
        for extension in _extensions(cfa, width, chosen):
            self._of[extension] = extension.args[0]
            self._extensions.setdefault(extension.args[0], []).append(extension)
        atoms = sorted(self._of, key=lambda atom: atom.id)
        most, columns = (_LARGER_DEGREE, _MORE_COLUMNS) if closely else (_DEGREE, _COLUMNS)
        degree = 1
        while degree < most and _number(len(atoms), degree + 1) <= columns:
            degree += 1
        monomials: list[Monomial] = [()]
        for size in range(1, degree + 1):
            monomials += combinations_with_replacement(atoms, size)
        self._degree = degree
        self._column = {monomial: i for i, monomial in enumerate(monomials)}
        self._monomials = monomials
        self._bodies = _bodies(cfa)
        self._steps: dict[Edge, list[_Step]] = {}

    def found(self) -> dict[Location, list[Term]]:
        cfa, columns = self._cfa, len(self._monomials)
        # Nothing is known at the start.
        anything = Module(self._width, columns, (tuple(int(i == j) for j in range(columns)) for i in range(columns)))
        sides: tuple[bool | None, ...] = (None,) if self._phase is None else (True, False)
        known: dict[tuple[Location, bool | None], Module] = {(cfa.initial, side): anything for side in sides}
        waiting = {cfa.initial}
        rounds = 0
        while waiting:
            self._budget.check()
            rounds += 1
            if rounds > _ROUNDS:
                return {}
            location = min(waiting, key=lambda at: cfa.order.get(at, 0))
            waiting.remove(location)
            for edge in cfa.leaving[location]:
                if edge.target is cfa.error:
                    continue
                for side in sides:
                    before = known.get((location, side))
                    if before is None:
                        continue
                    for step in self._of_edge(edge):
                        for after, rows in step(before, side):
                            node = edge.target, after
                            if node not in known:
                                known[node] = Module(self._width, columns)
                            if [row for row in rows if known[node].insert(row)]:
                                waiting.add(edge.target)
        live = live_variables(cfa)
        found: dict[Location, list[Term]] = {}
        for head in cfa.loop_heads:
            own = {side: known[head, side] for side in sides if (head, side) in known}
            if self._phase is None and own:
                found[head] = _independent(self._terms, self._said(own[None], live[head]))
            elif self._phase is not None and own and variables(self._phase[0]) <= live[head]:
                found[head] = [self._in_phases(own, live[head])]
        return found

    def _in_phases(self, own: Mapping[bool | None, Module], live: Iterable[Term]) -> Term:
        """What holds in each of the two phases; one that there is none of is excluded."""
        assert self._phase is not None
        terms, condition = self._terms, self._phase[0]
        ways = []
        for side, literal in ((True, condition), (False, terms.not_(condition))):
            if side in own:
                ways.append(terms.conjunction([literal, *_independent(terms, self._said(own[side], live))]))
        return terms.disjunction(ways)

    def crossing(self, after: Module, before: bool, now: bool) -> Module | None:
        """What is possible where the condition was as it was ``before`` and is as it is ``now``."""
        assert self._phase is not None
        condition, ends = self._phase
        left, right = (self._read(side) for side in condition.args)
        rows = [None if side is None else self.row(side) for side in (left, right)]
        if rows[0] is None or rows[1] is None or left is None or right is None:
            return after
        values = [after.constant(row) for row in rows if row is not None]
        if None not in values:
            numbers = (self._terms.bv(value, self._width) for value in values if value is not None)
            return after if self._terms.bit(condition.op, *numbers) is self._terms.boolean(now) else None
        if before is now:
            return after
        if now is ends:
            return None
        by = 1 if now else 0
        row = self.row(added([(1, left), (-1, right), (by, {(): 1})], self._width))
        return after if row is None else after.where(row)

    # ---- edges --------------------------------------------------------------------------------------------------

    def _of_edge(self, edge: Edge) -> list[_Step]:
        found = self._steps.get(edge)
        if found is None:
            found = self._steps[edge] = list(self._taken_apart(edge))
        return found

    def _taken_apart(self, edge: Edge) -> Iterator[_Step]:
        """An edge for each outcome of the distinctions in what it assigns."""
        terms = self._terms
        effect = effect_of(terms, edge.operation)
        defined = {v: value for v, value in effect.definitions if v in self._atoms or v in self._extensions}
        choices = _choices(defined)
        cases: list[tuple[dict[Term, Term], list[Term]]] = [(defined, list(effect.guards))]
        for choice in list(choices)[:_CHOICES]:
            cases = [
                (
                    {v: substitute(terms, value, {choice: terms.boolean(way)}) for v, value in values.items()},
                    [*guards, choice if way else terms.not_(choice)],
                )
                for values, guards in cases
                for way in (True, False)
            ]
        lost = set(written(edge.operation))
        leaves = any(
            self._cfa.order.get(edge.source, -1) in body and self._cfa.order.get(edge.target, -1) not in body
            for body in self._bodies.values()
        )
        for values, guards in cases:
            parts = [part for guard in guards for part in conjuncts(guard)]
            zeros = [zero for part in parts for zero in self._zeros(part, leaves)]
            rows = [row for zero in zeros for row in self._functionals(zero)]
            sides: set[bool | None] = {None, True, False}
            moves = False
            if self._phase is not None:
                condition = self._phase[0]
                sides -= {False for part in parts if part is condition}
                sides -= {True for part in parts if part is terms.not_(condition)}
                moves = not variables(condition).isdisjoint(written(edge.operation))
            yield _Step(self, self._new(values, lost), rows, sides, moves)

    def _new(self, values: Mapping[Term, Term], lost: Iterable[Term]) -> dict[Term, Polynomial | None]:
        """The new values of the atoms that change; None where that is no polynomial of the old ones."""
        new: dict[Term, Polynomial | None] = {self._atoms[v]: None for v in lost if v in self._atoms}
        new.update((extension, None) for v in lost for extension in self._extensions.get(v, ()))
        for variable, value in values.items():
            if value is variable:
                continue
            if variable in self._atoms:
                new[self._atoms[variable]] = self._read(value)
            for extension in self._extensions.get(variable, ()):
                new[extension] = self._read(substitute(self._terms, extension, {variable: value}))
        return new

    def _read(self, term: Term) -> Polynomial | None:
        try:
            found = polynomial(self._terms, term, self._width)
        except NoPolynomial:
            return None
        return found if all(atom in self._of for monomial in found for atom in monomial) else None

    def _zeros(self, part: Term, leaves: bool) -> Iterator[Polynomial]:
        """What a condition says to be 0."""
        atom = part.args[0] if part.op == "not" else part
        if not atom.args or not atom.args[0].sort.is_bits or atom.args[0].sort.width < self._width:
            return
        by = 0
        if part.op == "not":
            if atom.op not in ("bvult", "bvslt") or not (leaves and self._hopefully):
                return
        elif atom.op in ("bvult", "bvslt"):
            if not (leaves and self._hopefully):
                return
            by = 1
        elif atom.op != "=":
            return
        left, right = (self._read(side) for side in atom.args)
        if left is not None and right is not None:
            yield added([(1, left), (-1, right), (by, {(): 1})], self._width)

    def _functionals(self, zero: Polynomial) -> Iterator[Row]:
        """A polynomial that is 0, and its multiples, as linear in the monomials."""
        for monomial in self._monomials:
            if len(monomial) < self._degree and len(zero) <= len(self._monomials):
                row = self.row(multiplied(zero, {monomial: 1}, self._width))
                if row is not None:
                    yield row

    def row(self, each: Polynomial) -> Row | None:
        found = [0] * len(self._monomials)
        for monomial, coefficient in each.items():
            column = self._column.get(monomial)
            if column is None:
                return None
            found[column] = coefficient
        return tuple(found)

    def image(self, new: Mapping[Term, Polynomial | None]) -> list[Row | None]:
        """Each monomial afterwards, as linear in the monomials before; None where that is not known."""
        found: list[Row | None] = []
        for monomial in self._monomials:
            product: Polynomial | None = {(): 1}
            for atom in monomial:
                value = new.get(atom, {(atom,): 1})
                try:
                    product = None if product is None or value is None else multiplied(product, value, self._width)
                except NoPolynomial:
                    product = None
            found.append(None if product is None else self.row(product))
        return found

    # ---- what is said -------------------------------------------------------------------------------------------

    def _said(self, module: Module, live: Iterable[Term]) -> Iterator[Term]:
        """The equations between what is live, in echelon form: products first, and variables before those that are
        compared with others."""
        present = frozenset(live)
        alive = {atom for atom, variable in self._of.items() if variable in present}
        kept = [i for i, m in enumerate(self._monomials) if all(atom in alive for atom in m)]
        known = module.copy()
        for i in set(range(len(self._monomials))).difference(kept):
            known.insert(tuple(int(i == j) for j in range(len(self._monomials))))
        uses = {atom: self._uses(atom) for atom in alive}
        if self._closely:
            yield from self._definitions(known, sorted(alive, key=lambda atom: (uses[atom], -atom.id)), kept)
        kept.sort(key=lambda i: self._rank(self._monomials[i], uses))
        ordered = Module(self._width, len(kept), ([row[i] for i in kept] for row in known.orthogonal()))
        for row in map(ordered.centred, ordered):
            found = {self._monomials[kept[j]]: c for j, c in enumerate(row) if c}
            products = [c for m, c in found.items() if len(m) > 1]
            if products and min(map(valuation, found.values())) > self._width // 2:
                continue  # of all numbers some products are even
            yield said(self._terms, found, self._width)

    def _definitions(self, known: Module, atoms: Iterable[Term], kept: Sequence[int]) -> Iterator[Term]:
        """Variables as polynomials of others, none of them in terms of one before it."""
        defined: set[Term] = set()
        orthogonal = list(known.orthogonal())
        for atom in atoms:
            others = defined | {atom}
            excluded = [i for i in kept if self._monomials[i] != (atom,) and not others.isdisjoint(self._monomials[i])]
            order = [*excluded, self._column[atom,]]
            order += [i for i in kept if others.isdisjoint(self._monomials[i])]
            for row in Module(self._width, len(order), ([row[i] for i in order] for row in orthogonal)):
                if not any(row[: len(excluded)]) and row[len(excluded)] & 1:
                    found = {self._monomials[order[j]]: c for j, c in enumerate(row) if c}
                    unit = pow(found.pop((atom,)), -1, 1 << self._width)
                    defined.add(atom)
                    yield said(self._terms, added([(1, {(atom,): 1}), (unit, found)], self._width), self._width)
                    break

    def _rank(self, monomial: Monomial, uses: Mapping[Term, int]) -> tuple[object, ...]:
        return -len(monomial), [(uses[atom], -atom.id) for atom in monomial]

    def _uses(self, atom: Term) -> int:
        """In how many conditions a variable occurs: what is compared is what others are said in terms of."""
        variable = self._of[atom]
        effects = (
            effect_of(self._terms, edge.operation) for edge in self._cfa.edges if edge.target is not self._cfa.error
        )
        return sum(1 for effect in effects for guard in effect.guards if variable in variables(guard))


class _Step:
    """One way through an edge. It begins on some ``sides`` of the condition that tells phases apart, and may come to
    the other one where it ``moves`` the condition's variables."""

    def __init__(
        self,
        following: _Following,
        new: Mapping[Term, Polynomial | None],
        zeros: Sequence[Row],
        sides: Collection[bool | None],
        moves: bool,
    ) -> None:
        self._following = following
        image = following.image(new) if new else None
        # Most monomials are sums of few.
        self._image = None if image is None else [_sparse(row) for row in image]
        self._zeros = zeros
        self._sides = sides
        self._moves = moves

    def __call__(self, before: Module, side: bool | None) -> Iterator[tuple[bool | None, Iterable[Row]]]:
        """Rows that span what is possible afterwards, on each side."""
        if side not in self._sides:
            return
        for zero in self._zeros:
            left = before.where(zero)
            if left is None:
                return
            before = left
        rows = self._moved(before)
        if side is None or not self._moves:
            yield side, rows
            return
        after = Module(before.width, before.columns, rows)
        for now in (True, False):
            crossed = self._following.crossing(after, side, now)
            if crossed is not None:
                yield now, crossed

    def _moved(self, before: Module) -> Iterable[Row]:
        if self._image is None:
            return before
        mask = (1 << before.width) - 1
        rows = [
            tuple(
                0 if image is None else sum(factor * row[column] for column, factor in image) & mask
                for image in self._image
            )
            for row in before
        ]
        # What is not known is anything.
        lost = [i for i, image in enumerate(self._image) if image is None]
        return [*rows, *(tuple(int(i == j) for j in range(before.columns)) for i in lost)]


def _sparse(row: Row | None) -> list[tuple[int, int]] | None:
    return None if row is None else [(column, factor) for column, factor in enumerate(row) if factor]


def _number(atoms: int, degree: int) -> int:
    found, size = 1, 1
    for k in range(1, degree + 1):
        size = size * (atoms + k - 1) // k
        found += size
    return found
