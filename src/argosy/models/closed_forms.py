"""Many rounds of a loop at once: closed forms of what a round demands and does.

Kroening, Lewis, Weissenbacher, "Under-Approximating Loops in C Programs for Fast Counterexample Detection" (CAV 2013),
sections 3 and 4; Finkel, Leroux, "How to Compose Presburger-Accelerations" (FSTTCS 2002) for the translations. A round
is a conjunction of conditions and simultaneous updates over the values before it. A variable that is *stable* keeps its
value; one that *moves* has the value ``v + k*slope + k*(k-1)/2*curve`` when round k begins (rounds are counted from 0),
where slope and curve are stable; one that is *set* gets a value that does not depend on its old one. Any other variable
has no closed form, and neither has the round. What is chosen in a round is the same in all of them.

A bit-vector moves modulo its width, which is exact with wrap-around. A comparison holds in all rounds because it holds
in the first and in the last one and its sides go one way in between: that they do not wrap on the way is demanded.
Remainders by a divisor of the slope are stable.

Law: where ``condition`` holds for the values before, the choices and ``count`` >= 2, the rounds can be taken ``count``
times with these choices, and ``updates`` are the values afterwards. The converse holds of rounds on whose way nothing
that is compared wraps, and which begin with what the rounds set (``tests/models/test_closed_forms.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from argosy.basics.records import dataclass
from argosy.logic.semantics import signed
from argosy.logic.sorts import INT
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts, substitute, variables

COUNT_WIDTH = 32
"""Bits of the number of rounds, which is not negative when they are read as signed."""


class NoClosedForm(Exception):
    """A round whose repetition is not understood."""


@dataclass(frozen=True, slots=True)
class ClosedForm:
    """``count`` rounds, at least two: when they can be taken, and what the variables that they change are then; both
    over the values before, ``count`` and what is chosen."""

    condition: Term
    updates: tuple[tuple[Term, Term], ...]


@dataclass(frozen=True, slots=True)
class _Course:
    """``base + k*slope + k*(k-1)/2*curve`` as round k has it, if ``demand`` holds."""

    base: Term
    slope: Term
    curve: Term
    demand: Term


def closed_form(
    terms: Terms, conditions: Sequence[Term], updates: Sequence[tuple[Term, Term]], count: Term
) -> ClosedForm:
    """Of a round; raises NoClosedForm. ``count`` is of 32 bits or an integer, as the numbers of the round are."""
    return _Rounds(terms, conditions, updates, count).form()


class _Rounds:
    def __init__(
        self, terms: Terms, conditions: Sequence[Term], updates: Sequence[tuple[Term, Term]], count: Term
    ) -> None:
        self._terms = terms
        self._conditions = conditions
        known = {atom: terms.boolean(holds) for c in conditions for atom, holds in _literals(c)}
        self._updates = {variable: substitute(terms, value, known) for variable, value in updates}
        self._count = count
        self._last = terms.sub(count, terms.integer(1)) if count.sort is INT else self._less_one(count)
        self._courses: dict[Term, _Course] = {}
        self._set: dict[Term, _Course] = {}
        self._start: list[Term] = []
        self._memo: dict[Term, _Course] = {}

    def _less_one(self, count: Term) -> Term:
        return self._terms.bit("bvsub", count, self._terms.bv(1, count.sort.width))

    def form(self) -> ClosedForm:
        terms = self._terms
        self._classify()
        held = [self._always(condition, True) for condition in self._conditions]
        after = [(variable, self._after(variable)) for variable in self._updates]
        demands = [course.demand for course in (*self._set.values(), *self._courses.values())]
        condition = terms.conjunction((self._several(), *self._start, *held, *demands))
        if condition is terms.false:
            raise NoClosedForm("never twice")
        return ClosedForm(condition, tuple((v, value) for v, value in after if value is not v))

    def _several(self) -> Term:
        terms, count = self._terms, self._count
        if count.sort is INT:
            return terms.ge(count, terms.integer(2))
        return terms.bit("bvslt", terms.bv(1, count.sort.width), count)

    # ---- variables ------------------------------------------------------------------------------------------

    def _classify(self) -> None:
        """The courses of all variables that are changed, from those that depend on none of the others on."""
        left = {variable: value for variable, value in self._updates.items() if value is not variable}
        while left:
            found = False
            for variable, value in list(left.items()):
                others = (variables(value) & left.keys()) - {variable}
                if others or not self._is_understood(variable, value):
                    continue
                del left[variable]
                found = True
            if not found:
                raise NoClosedForm(f"{next(iter(left)).name} has no closed form")

    def _is_understood(self, variable: Term, value: Term) -> bool:
        if variable not in variables(value):
            self._is_set(variable, value)
            return True
        rest = self._added(variable, value)
        if rest is None:
            return False
        step = self._course(rest)
        if step.curve is not self._zero(variable):
            raise NoClosedForm(f"{variable.name} moves faster and faster")
        if variable.sort is INT and not (step.base.is_const and step.slope is self._zero(variable)):
            raise NoClosedForm(f"{variable.name} does not move by a constant")
        self._courses[variable] = _Course(variable, step.base, step.slope, step.demand)
        return True

    def _is_set(self, variable: Term, value: Term) -> None:
        """What a round sets is there when the next one begins. Where a round looks at it, the first one has to find it
        as well."""
        course = self._course(value)
        self._set[variable] = course
        if not self._is_read(variable):
            # Nobody asks for it.
            self._courses[variable] = self._stable(variable)
            return
        if self._is_stable(course):
            self._start.append(self._terms.eq(variable, course.base))
            self._courses[variable] = self._stable(variable, course.demand)
            return
        if course.curve is not self._zero(variable):
            raise NoClosedForm(f"{variable.name} follows what moves faster and faster")
        self._start.append(self._terms.eq(variable, self._difference(course.base, course.slope)))
        self._courses[variable] = _Course(variable, course.slope, course.curve, course.demand)

    def _is_read(self, variable: Term) -> bool:
        return any(variable in variables(condition) for condition in self._conditions) or any(
            variable in variables(value) for other, value in self._updates.items() if other is not variable
        )

    def _after(self, variable: Term) -> Term:
        """The value after all rounds."""
        if variable in self._set:
            return self._at(self._set[variable], self._last)
        if variable not in self._courses:
            return variable
        return self._at(self._courses[variable], self._count)

    def _added(self, variable: Term, value: Term) -> Term | None:
        """What is added to a variable, if that is what happens to it."""
        terms = self._terms
        if variable.sort is INT:
            rest = terms.sub(value, variable)
            return None if variable in variables(rest) else rest
        if not variable.sort.is_bits:
            return None
        parts = _sum(terms, value, variable.sort.width)
        if parts.pop(variable, 0) != 1 or any(variable in variables(part) for part in parts):
            return None
        return _added_up(terms, parts, variable.sort.width)

    # ---- terms ----------------------------------------------------------------------------------------------

    def _zero(self, like: Term) -> Term:
        return self._terms.const(0, like.sort)

    def _difference(self, a: Term, b: Term) -> Term:
        return self._terms.sub(a, b) if a.sort is INT else self._terms.bit("bvsub", a, b)

    def _stable(self, term: Term, demand: Term | None = None) -> _Course:
        zero = term if not _is_number(term) else self._zero(term)
        return _Course(term, zero, zero, demand or self._terms.true)

    def _is_stable(self, course: _Course) -> bool:
        if not _is_number(course.base):
            return True
        zero = self._zero(course.base)
        return course.slope is zero and course.curve is zero

    def _course(self, term: Term) -> _Course:
        found = self._memo.get(term)
        if found is None:
            found = self._memo[term] = self._computed(term)
        return found

    def _computed(self, term: Term) -> _Course:
        if term.is_var:
            if term in self._updates and self._updates[term] is not term:
                if term not in self._courses:
                    raise NoClosedForm(f"{term.name} is not known yet")
                return self._courses[term]
            return self._stable(term)
        if not term.args:
            return self._stable(term)
        if term.sort.kind == "bool":
            if any(not self._is_stable(self._course(part)) for part in term.args):
                raise NoClosedForm("a truth value that changes")
            return self._rebuilt(term)
        parts = [self._course(part) for part in term.args]
        if all(self._is_stable(part) for part in parts):
            return self._rebuilt(term)
        demand = self._terms.conjunction(part.demand for part in parts)
        match term.op:
            case "bvadd" | "bvsub" | "bvneg" | "+":
                return self._by_parts(term, parts, demand)
            case "bvnot":
                one = self._terms.bv(1, term.sort.width)
                [part] = parts
                turned = [self._terms.bit("bvneg", each) for each in (part.base, part.slope, part.curve)]
                return _Course(self._terms.bit("bvsub", turned[0], one), turned[1], turned[2], demand)
            case "ite":
                return self._either(parts, demand)
            case "bvmul" | "*" if len(parts) == 2:
                return self._product(parts, demand)
            case "bvshl" if term.args[1].is_const and term.args[1].value < term.sort.width:
                factor = self._stable(self._terms.bv(1 << term.args[1].value, term.sort.width))
                return self._product([parts[0], factor], demand)
            case "sign_extend" | "zero_extend":
                return self._extended(term, parts[0])
            case "extract":
                return self._extracted(term, parts[0], demand)
            case "bvurem" | "bvsrem" | "bvand" | "mod":
                return self._remainder(term, parts, demand)
        raise NoClosedForm(f"{term.op} of what moves")

    def _rebuilt(self, term: Term) -> _Course:
        parts = [self._course(part) for part in term.args]
        rebuilt = self._terms.app(term.op, tuple(part.base for part in parts), term.payload, term.sort)
        return self._stable(rebuilt, self._terms.conjunction(part.demand for part in parts))

    def _by_parts(self, term: Term, parts: Sequence[_Course], demand: Term) -> _Course:
        def apply(some: Iterable[Term]) -> Term:
            return self._terms.app(term.op, tuple(some), term.payload, term.sort)

        return _Course(
            apply(part.base for part in parts),
            apply(part.slope for part in parts),
            apply(part.curve for part in parts),
            demand,
        )

    def _either(self, parts: Sequence[_Course], demand: Term) -> _Course:
        which, *ways = parts
        bases, slopes, curves = ([getattr(way, name) for way in ways] for name in ("base", "slope", "curve"))
        choose = self._terms.ite
        return _Course(choose(which.base, *bases), choose(which.base, *slopes), choose(which.base, *curves), demand)

    def _product(self, parts: Sequence[_Course], demand: Term) -> _Course:
        moving, factor = parts if self._is_stable(parts[1]) else (parts[1], parts[0])
        if not self._is_stable(factor):
            raise NoClosedForm("a product of what moves")

        def times(part: Term) -> Term:
            if part.sort is INT:
                return self._terms.mul(part, factor.base)
            return self._terms.bit("bvmul", part, factor.base)

        return _Course(times(moving.base), times(moving.slope), times(moving.curve), demand)

    def _extended(self, term: Term, inner: _Course) -> _Course:
        """A value that does not wrap goes the same way among more numbers."""
        by, as_signed = term.payload, term.op == "sign_extend"
        extend = self._terms.sign_extend
        base = self._terms.app(term.op, (inner.base,), by)
        demand = self._terms.and_(inner.demand, self._goes_straight(inner, as_signed))
        return _Course(base, extend(inner.slope, by), extend(inner.curve, by), demand)

    def _extracted(self, term: Term, inner: _Course, demand: Term) -> _Course:
        high, low = term.payload
        extract = self._terms.extract
        if low == 0:
            return _Course(
                extract(inner.base, high, 0), extract(inner.slope, high, 0), extract(inner.curve, high, 0), demand
            )
        if self._divides(1 << (high + 1), inner):
            return self._stable(extract(inner.base, high, low), demand)
        raise NoClosedForm("bits of what moves")

    def _remainder(self, term: Term, parts: Sequence[_Course], demand: Term) -> _Course:
        """Where steps are multiples of the divisor, the remainder stays."""
        terms = self._terms
        moving, divisor = parts
        if term.op == "bvand" and self._is_stable(moving):
            moving, divisor = divisor, moving
        if not self._is_stable(divisor):
            raise NoClosedForm(f"{term.op} by what moves")
        if term.op == "bvand":
            if divisor.base.is_const and self._divides(1 << int(divisor.base.value).bit_length(), moving):
                return self._stable(terms.bit("bvand", moving.base, divisor.base), demand)
            raise NoClosedForm("bits of what moves")
        number = divisor.base.value if divisor.base.is_const else 0
        if term.op == "bvsrem" and number:
            number = signed(number, divisor.base.sort.width)
        if not number or not self._divides(abs(number), moving):
            raise NoClosedForm("a remainder of what moves")
        base = terms.app(term.op, (moving.base, divisor.base), term.payload, term.sort)
        if term.op == "mod":
            return self._stable(base, demand)
        straight = self._goes_straight(moving, term.op == "bvsrem")
        if term.op == "bvsrem":
            zero, ends = self._zero(moving.base), (moving.base, self._at(moving, self._last))
            sides = [[terms.bit("bvsle", *pair) for pair in ((zero, end), (end, zero))] for end in ends]
            straight = terms.and_(straight, terms.disjunction(terms.and_(*way) for way in zip(*sides, strict=True)))
        return self._stable(base, terms.and_(demand, straight))

    def _divides(self, number: int, course: _Course) -> bool:
        if not course.slope.is_const or not course.curve.is_const:
            return False
        steps = (course.slope, course.curve)
        values = [s.value if s.sort is INT else signed(s.value, s.sort.width) for s in steps]
        return all(value % number == 0 for value in values)

    # ---- on the way -----------------------------------------------------------------------------------------

    def _at(self, course: _Course, round: Term) -> Term:
        """The value when a round begins: ``count`` - 1 is the last one."""
        terms = self._terms
        zero = self._zero(course.base) if _is_number(course.base) else None
        if zero is None or (course.slope is zero and course.curve is zero):
            return course.base
        if course.base.sort is INT:
            if course.curve is not zero:
                raise NoClosedForm("squares of integers")
            return terms.add(course.base, terms.mul(round, course.slope))
        width = course.base.sort.width
        value = terms.bit("bvadd", course.base, terms.bit("bvmul", self._sized(round, width), course.slope))
        if course.curve is zero:
            return value
        return terms.bit("bvadd", value, terms.bit("bvmul", self._triangle(round, width), course.curve))

    def _sized(self, round: Term, width: int) -> Term:
        own = round.sort.width
        return self._terms.extract(round, width - 1, 0) if width <= own else self._terms.zero_extend(round, width - own)

    def _triangle(self, round: Term, width: int) -> Term:
        """round * (round - 1) / 2."""
        terms = self._terms
        wide = self._sized(round, width + 1)
        product = terms.bit("bvmul", wide, terms.bit("bvsub", wide, terms.bv(1, width + 1)))
        return terms.extract(product, width, 1)

    def _goes_straight(self, course: _Course, as_signed: bool) -> Term:
        """Up or down from the first round to the last one, without leaving the numbers of its width."""
        terms = self._terms
        if course.base.sort is INT or self._is_stable(course):
            if not self._is_stable(course) and course.curve is not self._zero(course.base):
                raise NoClosedForm("squares of integers")
            return terms.true
        width, curved = course.base.sort.width, course.curve is not self._zero(course.base)
        wide = width + COUNT_WIDTH * (2 if curved else 1) + 2
        extend = terms.sign_extend if as_signed else terms.zero_extend
        base = extend(course.base, wide - width)
        slope, curve = (terms.sign_extend(part, wide - width) for part in (course.slope, course.curve))
        end = self._at(_Course(base, slope, curve, terms.true), self._last)
        low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if as_signed else (0, (1 << width) - 1)
        inside = (
            terms.bit("bvsle", terms.bv(low, wide), end),
            terms.bit("bvsle", end, terms.bv(high, wide)),
        )
        if not curved:
            return terms.and_(*inside)
        zero = terms.bv(0, wide)
        step = terms.bit("bvadd", slope, terms.bit("bvmul", self._sized(self._last, wide), curve))
        up = (terms.bit("bvsle", zero, each) for each in (slope, step))
        down = (terms.bit("bvsle", each, zero) for each in (slope, step))
        return terms.and_(*inside, terms.or_(terms.and_(*up), terms.and_(*down)))

    # ---- conditions -----------------------------------------------------------------------------------------

    def _always(self, condition: Term, wanted: bool) -> Term:
        """What implies that a condition is ``wanted`` in all rounds."""
        terms = self._terms
        if condition.op == "not":
            return self._always(condition.args[0], not wanted)
        if condition.op in ("and", "or"):
            parts = [self._always(part, wanted) for part in condition.args]
            return terms.conjunction(parts) if (condition.op == "and") is wanted else terms.disjunction(parts)
        if condition.is_var or not condition.args or not _is_number(condition.args[0]):
            held = self._course(condition)
            return terms.and_(held.demand, held.base if wanted else terms.not_(held.base))
        if condition.op == "=":
            return self._equal(condition, wanted)
        if condition.op in ("bvslt", "bvult", "<=", "<"):
            left, right = (self._course(part) for part in condition.args)
            return self._compared(condition.op, left, right, wanted)
        held = self._rebuilt_condition(condition)
        return terms.and_(held.demand, held.base if wanted else terms.not_(held.base))

    def _rebuilt_condition(self, condition: Term) -> _Course:
        if any(not self._is_stable(self._course(part)) for part in condition.args):
            raise NoClosedForm(f"{condition.op} of what moves")
        return self._rebuilt(condition)

    def _compared(self, op: str, left: _Course, right: _Course, wanted: bool) -> Term:
        terms = self._terms
        sides = left, right
        demands = [side.demand for side in sides]
        demands += (self._goes_straight(side, op == "bvslt") for side in sides)
        firsts = left.base, right.base
        lasts = self._at(left, self._last), self._at(right, self._last)
        pairs = [firsts, lasts]
        if any(not self._is_stable(side) and side.curve is not self._zero(side.base) for side in sides):
            # Both go one way, and what is between them may not.
            pairs = [(a, b) for a in (firsts[0], lasts[0]) for b in (firsts[1], lasts[1])]
        atoms = (terms.app(op, pair) for pair in dict.fromkeys(pairs))
        return terms.conjunction((*demands, *(atom if wanted else terms.not_(atom) for atom in atoms)))

    def _equal(self, condition: Term, wanted: bool) -> Term:
        terms = self._terms
        left, right = (self._course(part) for part in condition.args)
        same = terms.and_(terms.eq(left.slope, right.slope), terms.eq(left.curve, right.curve))
        at_first = terms.eq(left.base, right.base)
        demand = terms.and_(left.demand, right.demand)
        if wanted:
            return terms.and_(demand, same, at_first)
        apart = [terms.and_(demand, same, terms.not_(at_first))]
        if not (self._is_stable(left) and self._is_stable(right)):
            ops = ("<",) if left.base.sort is INT else ("bvslt", "bvult")
            for op in ops:
                apart += (self._below(op, *pair) for pair in ((left, right), (right, left)))
        return terms.disjunction(apart)

    def _below(self, op: str, left: _Course, right: _Course) -> Term:
        return self._compared(op, left, right, True)


def _literals(condition: Term) -> Iterable[tuple[Term, bool]]:
    """The atoms that a condition decides, and how."""
    for part in conjuncts(condition):
        yield (part.args[0], False) if part.op == "not" else (part, True)


def _is_number(term: Term) -> bool:
    return term.sort.is_bits or term.sort is INT


def _sum(terms: Terms, term: Term, width: int) -> dict[Term, int]:
    """The lowest ``width`` bits of a term as a sum of terms of that width with factors; one is added so often as the
    constant 1 has a factor."""
    found: dict[Term, int] = {}
    stack = [(term, 1)]
    modulus = 1 << width
    while stack:
        part, factor = stack.pop()
        match part.op:
            case "const":
                one = terms.bv(1, width)
                found[one] = (found.get(one, 0) + factor * part.value) % modulus
            case "bvadd":
                stack.extend((each, factor) for each in part.args)
            case "bvsub":
                stack += ((part.args[0], factor), (part.args[1], -factor))
            case "bvneg":
                stack.append((part.args[0], -factor))
            case "bvmul" if any(each.is_const for each in part.args):
                constant, other = sorted(part.args, key=lambda each: not each.is_const)
                stack.append((other, factor * constant.value))
            case "extract" if part.payload[1] == 0 and part.payload[0] + 1 >= width:
                stack.append((part.args[0], factor))
            case "sign_extend" | "zero_extend" if part.args[0].sort.width >= width:
                stack.append((part.args[0], factor))
            case _:
                low = terms.extract(part, width - 1, 0)
                found[low] = (found.get(low, 0) + factor) % modulus
    return {part: factor for part, factor in found.items() if factor}


def _added_up(terms: Terms, parts: Mapping[Term, int], width: int) -> Term:
    total = terms.bv(0, width)
    for part, factor in parts.items():
        total = terms.bit("bvadd", total, terms.bit("bvmul", terms.bv(factor, width), part))
    return total
