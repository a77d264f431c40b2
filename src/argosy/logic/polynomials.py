"""Polynomials over bit-vectors, and contradictions that they show.

Sums, differences and products of words of one width are polynomials over the residues modulo 2^w, and so are their
lowest bits. Two that have the same coefficients are equal whatever the values are, which circuits of multipliers hide
from a solver:
``2*(s + i) = (i + 1)*i`` follows from ``2*s = i*(i - 1)`` by collecting terms.

Law: ``refuted`` is true only of formulas that have no model together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice

from argosy.logic.residues import Module
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts, postorder, substitute, variables

Monomial = tuple[Term, ...]
"""A product of terms that are no sums or products, in the order of their age; () is 1."""

Polynomial = Mapping[Monomial, int]

_PARTS = 200  # of a term that is looked at
_MONOMIALS = 120
_LITERALS = 400
_CASES = 48
_COLUMNS = 160
_DIVIDES = frozenset(("bvudiv", "bvurem", "bvsdiv", "bvsrem"))
_ORDERS = ("bvult", "bvslt")
_MULTIPLES = 128  # of an equation that are tried for a simple one


class NoPolynomial(Exception):
    """A term has too many parts to be looked at."""


def polynomial(terms: Terms, term: Term, width: int) -> Polynomial:
    """The lowest ``width`` bits of a term of at least so many. Raises NoPolynomial."""
    if sum(1 for _ in islice(postorder(term), _PARTS + 1)) > _PARTS:
        raise NoPolynomial
    return _Reading(terms).low(term, width)


class Products:
    """Which terms have a product of two parts in them that are not constant. Each term is looked at once."""

    def __init__(self) -> None:
        self._known: dict[Term, bool] = {}

    def __contains__(self, term: Term) -> bool:
        known = self._known
        waiting = [term]
        while waiting:
            each = waiting[-1]
            if each in known:
                waiting.pop()
            elif self._counts(each):
                known[each] = True
            else:
                new = [arg for arg in each.args if arg not in known]
                if not new:
                    known[each] = any(known[arg] for arg in each.args)
                waiting += new
        return known[term]

    def _counts(self, term: Term) -> bool:
        return term.op == "bvmul" and not any(arg.is_const for arg in term.args)


class Divisions(Products):
    """Which terms have a quotient or a remainder in them."""

    def _counts(self, term: Term) -> bool:
        return term.op in _DIVIDES


class _Reading:
    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._known: dict[tuple[Term, int], Polynomial] = {}

    def low(self, term: Term, width: int) -> Polynomial:
        key = term, width
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._low(term, width)
        return found

    def _low(self, term: Term, width: int) -> Polynomial:
        match term.op:
            case "const":
                return constant(int(term.value), width)
            case "bvadd":
                return added([(1, self.low(arg, width)) for arg in term.args], width)
            case "bvsub":
                return added([(s, self.low(a, width)) for s, a in zip((1, -1), term.args, strict=True)], width)
            case "bvneg":
                return added([(-1, self.low(term.args[0], width))], width)
            case "bvnot":
                return added([(-1, self.low(term.args[0], width)), (-1, constant(1, width))], width)
            case "bvmul":
                found = self.low(term.args[0], width)
                for arg in term.args[1:]:
                    found = multiplied(found, self.low(arg, width), width)
                return found
            case "bvshl" if term.args[1].is_const:
                by = int(term.args[1].value)
                return added([(1 << min(by, width), self.low(term.args[0], width))], width)
            case "extract" if term.payload[1] == 0:
                return self.low(term.args[0], width)
            case "zero_extend" | "sign_extend" if term.args[0].sort.width >= width:
                return self.low(term.args[0], width)
        atom = term if term.sort.width == width else self._terms.extract(term, width - 1, 0)
        return {(atom,): 1}


def constant(number: int, width: int) -> Polynomial:
    number %= 1 << width
    return {(): number} if number else {}


def added(parts: Iterable[tuple[int, Polynomial]], width: int) -> Polynomial:
    """The sum of polynomials times factors."""
    found: dict[Monomial, int] = {}
    mask = (1 << width) - 1
    for factor, part in parts:
        for monomial, coefficient in part.items():
            found[monomial] = found.get(monomial, 0) + factor * coefficient & mask
    return {monomial: coefficient for monomial, coefficient in found.items() if coefficient}


def multiplied(one: Polynomial, other: Polynomial, width: int) -> Polynomial:
    found: dict[Monomial, int] = {}
    mask = (1 << width) - 1
    if len(one) * len(other) > _MONOMIALS:
        raise NoPolynomial
    for left, a in one.items():
        for right, b in other.items():
            monomial = tuple(sorted((*left, *right), key=lambda atom: atom.id))
            found[monomial] = found.get(monomial, 0) + a * b & mask
    return {monomial: coefficient for monomial, coefficient in found.items() if coefficient}


def said(terms: Terms, polynomial: Polynomial, width: int) -> Term:
    """That a polynomial is 0, as simply as that can be said: by small factors, with one variable on the left where it
    has the factor 1."""
    half = 1 << width - 1
    multiples = (
        {m: (c * odd + half) % (2 * half) - half for m, c in polynomial.items()} for odd in range(1, _MULTIPLES, 2)
    )
    factors = min(multiples, key=lambda some: sum(abs(c).bit_length() for m, c in some.items() if m))
    alone = [m for m, c in factors.items() if len(m) == 1 and abs(c) == 1 and not _elsewhere(m[0], factors)]
    if alone:
        left = max(alone, key=lambda m: m[0].id)
        sign = -factors.pop(left)
        return terms.eq(left[0], _sum(terms, {m: sign * c for m, c in factors.items()}, width))
    positive = {m: c for m, c in factors.items() if c > 0}
    negative = {m: -c for m, c in factors.items() if c < 0}
    return terms.eq(_sum(terms, positive, width), _sum(terms, negative, width))


def _elsewhere(atom: Term, factors: Mapping[Monomial, int]) -> bool:
    return any(atom in monomial and len(monomial) > 1 for monomial in factors)


def _sum(terms: Terms, factors: Mapping[Monomial, int], width: int) -> Term:
    total: Term | None = None
    for monomial in sorted(factors, key=lambda m: (-len(m), [atom.id for atom in m])):
        factor = factors[monomial]
        part = terms.bv(abs(factor), width) if not monomial else monomial[0]
        for atom in monomial[1:]:
            part = terms.bit("bvmul", part, atom)
        if monomial and abs(factor) != 1:
            part = terms.bit("bvmul", terms.bv(abs(factor), width), part)
        if total is None:
            total = part if factor > 0 else terms.bit("bvneg", part)
        else:
            total = terms.bit("bvadd" if factor > 0 else "bvsub", total, part)
    return terms.bv(0, width) if total is None else total


# ---- contradictions ---------------------------------------------------------------------------------------------


def refuted(terms: Terms, parts: Sequence[Term], otherwise: Callable[[Sequence[Term]], bool] | None = None) -> bool:
    """Whether the conjunction of ``parts`` is seen to have no model: in each case of its disjunctions equations between
    polynomials contradict each other. What they do not decide in a case ``otherwise`` is asked, with what the case
    says."""
    return _Cases(terms, otherwise).refuted(parts)


class _Cases:
    def __init__(self, terms: Terms, otherwise: Callable[[Sequence[Term]], bool] | None) -> None:
        self._terms = terms
        self._otherwise = otherwise
        self._left = _CASES
        self._asking = False

    def refuted(self, parts: Sequence[Term]) -> bool:
        literals = self._flat(parts)
        if literals is None:
            return True
        if len(literals) > _LITERALS:
            return self._give_up(literals)
        try:
            contradictory = self._contradictory(list(literals))
        except NoPolynomial:
            contradictory = False
        if contradictory:
            return True
        choice = min((each for each in literals if self._ways(each)), key=lambda e: len(self._ways(e)), default=None)
        if choice is None:
            return self._refuted_by_choices(list(literals))
        rest = [literal for literal in literals if literal is not choice]
        for way in self._ways(choice):
            self._left -= 1
            if self._left < 0 or not self.refuted([*rest, way]):
                return False
        return True

    def _refuted_by_choices(self, literals: Sequence[Term]) -> bool:
        """Whether there is no model, by collecting terms in all cases of values that are chosen; what they leave is
        asked elsewhere, which takes longer."""
        if self._otherwise is None:
            return self._refuted_by_values(literals)
        if not self._asking:
            otherwise, left = self._otherwise, self._left
            self._otherwise = None
            refuted = self._refuted_by_values(literals)
            self._otherwise, self._left = otherwise, left
            if refuted:
                return True
        if self._otherwise(literals):
            return True
        asking, self._asking = self._asking, True
        refuted = self._refuted_by_values(literals)
        self._asking = asking
        return refuted

    def _refuted_by_values(self, literals: Sequence[Term]) -> bool:
        """Whether there is no model, whichever way a value is chosen: each of the two is a case of its own."""
        condition = _condition(literals)
        if condition is None:
            return False
        for way in (True, False):
            self._left -= 1
            if self._left < 0:
                return False
            memo: dict[Term, Term] = {}
            chosen = {condition: self._terms.boolean(way)}
            rest = [substitute(self._terms, literal, chosen, memo) for literal in literals]
            if not self.refuted([*rest, condition if way else self._terms.not_(condition)]):
                return False
        return True

    def _give_up(self, literals: Iterable[Term]) -> bool:
        return self._otherwise is not None and self._otherwise(list(literals))

    def _flat(self, parts: Iterable[Term]) -> dict[Term, None] | None:
        """The literals and disjunctions of a conjunction, without what the others decide; None where two contradict
        each other."""
        left: Iterable[Term] | None = parts
        found: dict[Term, None] | None = {}
        while left is not None and found is not None:
            found = self._conjuncts(left)
            left = None if found is None else self._decided(found)
        return found

    def _conjuncts(self, parts: Iterable[Term]) -> dict[Term, None] | None:
        terms = self._terms
        found: dict[Term, None] = {}
        waiting = list(reversed(list(parts)))
        while waiting:
            part = waiting.pop()
            if part is terms.false or terms.not_(part) in found:
                return None
            if part.op == "and":
                waiting.extend(reversed(part.args))
            elif part.op == "not" and part.args[0].op == "or":
                waiting.extend(terms.not_(arg) for arg in part.args[0].args)
            elif part is not terms.true:
                found[part] = None
        return found

    def _decided(self, found: Mapping[Term, None]) -> list[Term] | None:
        """The same without disjunctions that hold anyway, and without those of their parts that do not; None where
        there is none of these."""
        terms = self._terms
        fewer: list[Term] = []
        changed = False
        for each in found:
            ways = self._ways(each)
            if any(all(part in found for part in conjuncts(way)) for way in ways):
                changed = True
                continue
            open_ = [way for way in ways if all(terms.not_(part) not in found for part in conjuncts(way))]
            changed = changed or len(open_) < len(ways)
            fewer.append(each if len(open_) == len(ways) else terms.disjunction(open_))
        return fewer if changed else None

    def _ways(self, part: Term) -> Sequence[Term]:
        if part.op == "or":
            return part.args
        if part.op == "not" and part.args[0].op == "and":
            return [self._terms.not_(arg) for arg in part.args[0].args]
        return ()

    def _contradictory(self, literals: list[Term]) -> bool:
        """Whether the equations among the literals contradict each other or what is said to be unequal."""
        terms = self._terms
        literals = self._solved(literals)
        if any(literal is terms.false for literal in literals):
            return True
        if self._misordered(literals):
            return True
        equal: dict[int, list[Polynomial]] = {}
        unequal: dict[int, list[Polynomial]] = {}
        for literal in literals:
            atom, known = (literal.args[0], unequal) if literal.op == "not" else (literal, equal)
            if atom.op == "=" and atom.args[0].sort.is_bits:
                width = atom.args[0].sort.width
                sides = [polynomial(terms, side, width) for side in atom.args]
                known.setdefault(width, []).append(added(zip((1, -1), sides, strict=True), width))
        return any(_contradict(some, unequal.get(width, []), width) for width, some in equal.items()) or any(
            not each for some in unequal.values() for each in some
        )

    def _misordered(self, literals: Iterable[Term]) -> bool:
        """Whether a comparison of two polynomials is said and denied."""
        seen: dict[object, bool] = {}
        for literal in literals:
            atom = literal.args[0] if literal.op == "not" else literal
            if atom.op in _ORDERS:
                width = atom.args[0].sort.width
                sides = (frozenset(polynomial(self._terms, side, width).items()) for side in atom.args)
                if seen.setdefault((atom.op, *sides), atom is literal) is not (atom is literal):
                    return True
        return False

    def _solved(self, literals: list[Term]) -> list[Term]:
        """Variables that are said to be something else are replaced by that."""
        terms = self._terms
        found = list(dict.fromkeys((*literals, *self._between(literals))))
        tried: set[Term] = set()
        while True:
            chosen = next((pair for each in found if each not in tried and (pair := _definition(each))), None)
            if chosen is None:
                return found
            variable, value, literal = chosen
            tried.add(literal)
            memo: dict[Term, Term] = {}
            others = (each for each in found if each is not literal)
            found = [substitute(terms, each, {variable: value}, memo) for each in others]
            found += [each for each in self._between(found) if each not in found]

    def _between(self, literals: Sequence[Term]) -> Iterable[Term]:
        """What is neither below nor above something else is that, and so is what is above ``a`` and not above
        ``a + 1``."""
        terms = self._terms
        orders = [each for each in literals if each.op in _ORDERS]
        denied = dict.fromkeys(each.args[0] for each in literals if each.op == "not" and each.args[0].op in _ORDERS)
        for atom in denied:
            left, right = atom.args
            if terms.bit(atom.op, right, left) in denied:
                yield terms.eq(left, right)
            for order in orders:
                if order.op == atom.op and (
                    (order.args[1] is right and self._is_next(order.args[0], left))
                    or (order.args[0] is left and self._is_next(right, order.args[1]))
                ):
                    yield terms.eq(left, right)

    def _is_next(self, one: Term, other: Term) -> bool:
        """Whether ``other`` is ``one`` and 1."""
        if one.sort is not other.sort:
            return False
        width = one.sort.width
        sides = (polynomial(self._terms, side, width) for side in (other, one))
        return added(zip((1, -1), sides, strict=True), width) == {(): 1}


def _condition(literals: Iterable[Term]) -> Term | None:
    """By which a value in an equation is chosen, without another choice in it: of choices in choices the outer one,
    which may settle the others."""
    equations = [literal for literal in literals if literal.op == "=" or literal.op == "not"]
    choices = [sub for sub in postorder(*equations) if sub.op == "ite"] if equations else []
    return next((c.args[0] for c in reversed(choices) if all(sub.op != "ite" for sub in postorder(c.args[0]))), None)


def _definition(literal: Term) -> tuple[Term, Term, Term] | None:
    """A variable and what it is said to be, without itself."""
    if literal.op == "=" and literal.args[0].sort.is_bits:
        for variable, value in (literal.args, literal.args[::-1]):
            if variable.is_var and variable not in variables(value):
                return variable, value, literal
    return None


def _contradict(equal: Sequence[Polynomial], unequal: Sequence[Polynomial], width: int) -> bool:
    """Whether polynomials cannot all be 0 while none of the others is."""
    equal, unequal = _eliminated(list(equal), list(unequal), width)
    monomials = {monomial for each in (*equal, *unequal) for monomial in each}
    if len(monomials) > _COLUMNS:
        return False
    # The constant stands last: what is left of 1 = 0 leads there.
    order = {m: i for i, m in enumerate(sorted(monomials | {()}, key=lambda m: (-len(m), [atom.id for atom in m])))}

    def row(each: Polynomial) -> list[int]:
        found = [0] * len(order)
        for monomial, coefficient in each.items():
            found[order[monomial]] = coefficient
        return found

    module = Module(width, len(order), map(row, equal))
    if any(not any(basis[:-1]) and basis[-1] for basis in module):
        return True
    return any(row(each) in module for each in unequal)


def _eliminated(
    equal: list[Polynomial], unequal: list[Polynomial], width: int
) -> tuple[list[Polynomial], list[Polynomial]]:
    """Variables with an odd factor that stand alone in an equation are replaced by what it says of them."""
    while True:
        linear = ((e, m[0]) for e in equal for m, c in e.items() if len(m) == 1 and c & 1 and _alone(m[0], e))
        chosen = next(linear, None)
        if chosen is None:
            return equal, unequal
        equation, atom = chosen
        unit = pow(equation[(atom,)], -1, 1 << width)
        value = added([(-unit, {m: c for m, c in equation.items() if m != (atom,)})], width)
        equal = [_replaced(each, atom, value, width) for each in equal if each is not equation]
        unequal = [_replaced(each, atom, value, width) for each in unequal]
        equal = [each for each in equal if each]


def _alone(atom: Term, equation: Polynomial) -> bool:
    return all(monomial == (atom,) or atom not in monomial for monomial in equation)


def _replaced(each: Polynomial, atom: Term, value: Polynomial, width: int) -> Polynomial:
    if not any(atom in monomial for monomial in each):
        return each
    parts: list[tuple[int, Polynomial]] = []
    for monomial, coefficient in each.items():
        product: Polynomial = {tuple(other for other in monomial if other is not atom): 1}
        for _ in range(monomial.count(atom)):
            product = multiplied(product, value, width)
        parts.append((coefficient, product))
    return added(parts, width)
