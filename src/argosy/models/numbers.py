"""Bit-vector terms as numbers: the reading behind ``models/integers.py``.

Every bit-vector has two values, the unsigned and the signed one. A term is translated in the view that its context
asks for (``bvslt`` the signed one, ``bvudiv`` the unsigned one, an assignment that of its variable). Idealised, that
is exact only as long as nothing wraps in the *natural view* of the operation (unsigned as soon as an unsigned part
takes part, as C's conversions have it):

* ``bvadd``, ``bvsub``, ``bvmul``, ``bvneg`` and ``bvshl`` by a constant; a constant that is large as unsigned number
  but small as a negative one is read as negative (``x + 0xffffffff`` is ``x - 1``);
* truncation of a sum or product whose parts were all extended from the width it is truncated to (``c = c + 1`` for a
  ``char c``); any other truncation is exact.

Everything else is exact: constants, variables, change of view, division and remainder, shifts to the right by a
constant, masks, complement, extension, comparison. What has no such value (shift by a variable, ``&``, ``|``, ``^`` of
two variables unless their bits are plainly apart, arrays) is None, and the caller approximates it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from argosy.logic.intervals import Interval, Intervals, bits_range
from argosy.logic.semantics import signed as signed_value
from argosy.logic.sorts import BOOL, INT
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import postorder

_ARITHMETIC = frozenset(("bvadd", "bvsub", "bvmul", "bvneg", "bvshl"))
_UNSIGNED = frozenset(("bvudiv", "bvurem", "bvlshr", "concat"))
_SIGNED = frozenset(("bvsdiv", "bvsrem", "bvashr", "sign_extend"))
_INHERITED = frozenset(("bvadd", "bvsub", "bvmul", "bvneg", "bvnot", "bvand", "bvor", "bvxor", "ite"))
_MOST_RUNS = 3  # a mask with more runs of ones gives terms that no solver likes
_LARGEST_BY_RECURSION = 400


class Numbers:
    """Translates terms over bit-vector variables to terms over integer variables of the same names.

    ``signed`` says how each bit-vector variable is read: its natural view.
    """

    def __init__(self, terms: Terms, signed: Mapping[Term, bool]) -> None:
        self.terms = terms
        self._signed = signed
        self._of_name = {self.variable(v): bits_range(v.sort.width, s) for v, s in signed.items()}
        self._intervals = Intervals(self._of_name.get)
        self._values: dict[tuple[Term, bool], Term | None] = {}
        self._conditions: dict[Term, Term | None] = {}
        self._views: dict[Term, bool | None] = {}

    def variable(self, variable: Term) -> Term:
        return self.terms.var(variable.name, INT) if variable.sort.is_bits else variable

    def bounds(self, number: Term) -> Interval | None:
        """Bounds of a translated term as long as every variable keeps to the range of its type."""
        return self._intervals(number)

    # ---- views --------------------------------------------------------------------------------------------

    def view(self, term: Term) -> bool | None:
        """Whether the natural view of a bit-vector term is the signed one; None when both are equally good."""
        if term not in self._views:
            for sub in postorder(term):
                if sub.sort.is_bits:
                    self._view(sub)
        return self._views[term]

    def _view(self, term: Term) -> bool | None:
        """The view of a term whose arguments have been looked at."""
        if term not in self._views:
            self._views[term] = self._natural(term)
        return self._views[term]

    def _natural(self, term: Term) -> bool | None:
        if term.op == "var":
            return self._signed.get(term, False)
        if term.op in _UNSIGNED:
            return False
        if term.op in _SIGNED:
            return True
        if term.op == "bvshl":
            return self._views[term.args[0]]
        if term.op in _INHERITED:
            return common_view(*(self._views[a] for a in term.args if a.sort.is_bits))
        return None

    # ---- values -------------------------------------------------------------------------------------------

    def value(self, term: Term, signed: bool) -> Term | None:
        """The value of a bit-vector term in one of the two views, or None."""
        if (term, signed) not in self._values:
            self._prepare(term)
        return self._value(term, signed)

    def _value(self, term: Term, signed: bool) -> Term | None:
        key = (term, signed)
        if key not in self._values:
            self._values[key] = self._compute(term, signed)
        return self._values[key]

    def _prepare(self, term: Term) -> None:
        """Fill the tables bottom-up where a term is so large that recursion could get too deep."""
        order = list(postorder(term))
        if len(order) > _LARGEST_BY_RECURSION:
            for sub in order:
                if sub.sort.is_bits:
                    self._view(sub)
                    self._value(sub, True)
                    self._value(sub, False)
                elif sub.sort is BOOL:
                    self._condition(sub)

    def _compute(self, term: Term, signed: bool) -> Term | None:
        width = term.sort.width
        match term.op:
            case "const":
                return self.terms.integer(signed_value(term.payload, width) if signed else term.payload)
            case "ite":
                condition = self._condition(term.args[0])
                a, b = (self._value(x, signed) for x in term.args[1:])
                return None if condition is None or a is None or b is None else self.terms.ite(condition, a, b)
            case "extract":
                return self._extracted(term, signed)
            case "bvand" | "bvor" | "bvxor":
                return self._bitwise(term, signed)
        natural = self.view(term)
        view = signed if natural is None else natural
        value = self._in_natural_view(term, view)
        return None if value is None else self._changed(value, width, view, signed)

    def _changed(self, value: Term, width: int, view: bool, wanted: bool) -> Term:
        """A value of one view in the other. Ideal values beyond the range of the view stay as they are."""
        if view == wanted:
            return value
        t = self.terms
        low, high = self.bounds(value) or (None, None)
        if wanted:
            if high is not None and high < 1 << (width - 1):
                return value
            return t.ite(t.le(t.integer(1 << (width - 1)), value), t.sub(value, t.integer(1 << width)), value)
        if low is not None and low >= 0:
            return value
        return t.ite(t.lt(value, t.integer(0)), t.add(value, t.integer(1 << width)), value)

    def _in_natural_view(self, term: Term, view: bool) -> Term | None:
        t = self.terms
        width = term.sort.width
        match term.op:
            case "var":
                return self.variable(term)
            case "bvnot":
                value = self._value(term.args[0], view)
                return None if value is None else t.sub(t.integer(-1 if view else (1 << width) - 1), value)
            case "zero_extend":
                return self._value(term.args[0], False)
            case "sign_extend":
                return self._value(term.args[0], True)
            case "concat":
                high, low = self._value(term.args[0], False), self._value(term.args[1], False)
                if high is None or low is None:
                    return None
                return t.add(t.mul(t.integer(1 << term.args[1].sort.width), high), low)
            case "bvlshr" | "bvashr" | "bvshl":
                return self._shifted(term, view)
        if term.op in _ARITHMETIC:
            ideal: dict[str, Callable[..., Term]] = {"bvadd": t.add, "bvsub": t.sub, "bvmul": t.mul, "bvneg": t.neg}
            return _apply(ideal[term.op], [self._operand(a, view) for a in term.args])
        if not all(a.sort.is_bits for a in term.args):
            return None  # an element of an array
        args = [self._value(a, view) for a in term.args]
        match term.op:
            case "bvudiv":
                return _apply(t.div, args)
            case "bvurem":
                return _apply(t.mod, args)
            case "bvsdiv":
                return _apply(self._truncated(t.div), args)
            case "bvsrem":
                return _apply(self._truncated(t.mod), args)
        return None

    def _operand(self, term: Term, view: bool) -> Term | None:
        """An argument of a sum or product. A constant near the top of the unsigned range is a small negative one."""
        if term.op == "const":
            width = term.sort.width
            negative = term.payload >= 3 << (width - 2) if width > 1 else False
            return self.terms.integer(signed_value(term.payload, width) if view or negative else term.payload)
        return self._value(term, view)

    def _shifted(self, term: Term, view: bool) -> Term | None:
        t = self.terms
        amount = term.args[1]
        if amount.op != "const" or amount.payload >= term.sort.width:
            return None
        value = self._value(term.args[0], view)
        factor = t.integer(1 << amount.payload)
        return _apply(t.mul if term.op == "bvshl" else t.div, [value, factor])

    def _truncated(self, operator: Callable[[Term, Term], Term]) -> Callable[[Term, Term], Term]:
        """Division towards zero from Euclidean division: the sign of the dividend is taken off and put back."""
        t = self.terms

        def towards_zero(a: Term, b: Term) -> Term:
            bounds = self.bounds(a)
            if bounds is not None and bounds[0] >= 0:
                return operator(a, b)
            return t.ite(t.le(t.integer(0), a), operator(a, b), t.neg(operator(t.neg(a), b)))

        return towards_zero

    def _modulo(self, value: Term, modulus: int) -> Term:
        bounds = self.bounds(value)
        if bounds is not None and bounds[0] >= 0 and bounds[1] < modulus:
            return value
        return self.terms.mod(value, self.terms.integer(modulus))

    def _extracted(self, term: Term, signed: bool) -> Term | None:
        t = self.terms
        inner = term.args[0]
        high, low = term.payload
        width = high - low + 1
        natural = self.view(inner)
        value = self._value(inner, signed if natural is None else natural)
        if value is None:
            return None
        if low:
            value = t.div(value, t.integer(1 << low))
        least, most = bits_range(width, signed)
        bounds = self.bounds(value)
        if bounds is not None and least <= bounds[0] and bounds[1] <= most:
            return value
        if low == 0 and _made_from(inner, width):
            return value
        if signed:
            half = t.integer(1 << (width - 1))
            return t.sub(self._modulo(t.add(value, half), 1 << width), half)
        return self._modulo(value, 1 << width)

    def _bitwise(self, term: Term, signed: bool) -> Term | None:
        t = self.terms
        a, b = term.args
        if a.op == "const":
            a, b = b, a
        if b.op == "const":
            value, masked = self._value(a, signed), self._masked(a, b.payload, signed)
            if value is None or masked is None:
                return None
            constant = t.integer(signed_value(b.payload, b.sort.width) if signed else b.payload)
            match term.op:
                case "bvand":
                    return masked
                case "bvor":
                    return t.sub(t.add(value, constant), masked)
            return t.sub(t.add(value, constant), t.mul(t.integer(2), masked))
        x, y = self._value(a, False), self._value(b, False)
        if x is None or y is None:
            return None
        if self._below(x, b) or self._below(y, a):
            left, right = self._value(a, signed), self._value(b, signed)
            return t.integer(0) if term.op == "bvand" else _apply(t.add, [left, right])
        if self.bounds(x) != (0, 1) or self.bounds(y) != (0, 1):
            return None
        one, zero = t.integer(1), t.integer(0)
        holds = t.eq(x, one)
        match term.op:
            case "bvand":
                result = t.ite(holds, y, zero)
            case "bvor":
                result = t.ite(holds, one, y)
            case _:
                result = t.ite(holds, t.sub(one, y), y)
        return self._changed(result, term.sort.width, False, signed)

    def _below(self, number: Term, term: Term) -> bool:
        """Whether ``number`` has only bits that are zero in ``term``, all below those of ``term``."""
        bounds = self.bounds(number)
        return bounds is not None and bounds[0] >= 0 and bounds[1] < 1 << _trailing_zeros(term)

    def _masked(self, term: Term, mask: int, signed: bool) -> Term | None:
        """``term & mask``: the sum of the runs of ones in the mask, each cut out by division and remainder."""
        t = self.terms
        width = term.sort.width
        runs = _runs(mask)
        natural = self.view(term)
        # The lower bits of both views are the same.
        value = self._value(term, signed if natural is None else natural)
        wanted = self._value(term, signed)
        if value is None or wanted is None or len(runs) > _MOST_RUNS:
            return None
        result = t.integer(0)
        for low, high in runs:
            if high == width:
                # The run reaches the sign: what is below it goes.
                part = t.sub(wanted, self._modulo(wanted, 1 << low))
            else:
                part = t.div(value, t.integer(1 << low)) if low else value
                part = t.mul(t.integer(1 << low), self._modulo(part, 1 << (high - low)))
            result = t.add(result, part)
        return result

    # ---- conditions ---------------------------------------------------------------------------------------

    def condition(self, term: Term) -> Term | None:
        """The formula on numbers that says the same, or None."""
        if term not in self._conditions:
            self._prepare(term)
        return self._condition(term)

    def _condition(self, term: Term) -> Term | None:
        if term not in self._conditions:
            self._conditions[term] = self._truth(term)
        return self._conditions[term]

    def _truth(self, term: Term) -> Term | None:
        t = self.terms
        match term.op:
            case "not" | "and" | "or":
                parts = [self._condition(a) for a in term.args]
                found = [p for p in parts if p is not None]
                return t.app(term.op, tuple(found)) if len(found) == len(parts) else None
            case "bvslt" | "bvult":
                return _apply(t.lt, [self._value(a, term.op == "bvslt") for a in term.args])
            case "=" if term.args[0].sort.is_bits:
                view = common_view(*(self.view(a) for a in term.args))
                return _apply(t.eq, [self._value(a, view is not False) for a in term.args])
            case "=" if term.args[0].sort is BOOL:
                return _apply(t.eq, [self._condition(a) for a in term.args])
        return None if any(sub.sort.is_bits or sub.sort.kind == "array" for sub in postorder(term)) else term

    def weaker(self, term: Term) -> Term:
        """A formula on numbers that holds wherever ``term`` does: what cannot be said is left out."""
        return self._approximate(term, True)

    def _approximate(self, term: Term, above: bool) -> Term:
        exact = self.condition(term)
        if exact is not None:
            return exact
        match term.op:
            case "not":
                return self.terms.not_(self._approximate(term.args[0], not above))
            case "and" | "or":
                return self.terms.app(term.op, tuple(self._approximate(a, above) for a in term.args))
        return self.terms.boolean(above)


def common_view(*views: bool | None) -> bool | None:
    """C's rule for mixed operands: unsigned wins; None has no say."""
    if False in views:
        return False
    return True if True in views else None


def _apply(operator: Callable[..., Term], args: list[Term | None]) -> Term | None:
    found = [a for a in args if a is not None]
    return operator(*found) if len(found) == len(args) else None


def _made_from(term: Term, width: int) -> bool:
    """Whether ``term`` is a sum or product of constants and of values extended from at most ``width`` bits."""
    if term.op not in _ARITHMETIC:
        return False
    stack = [term]
    while stack:
        top = stack.pop()
        if top.op in _ARITHMETIC:
            stack.extend(top.args)
        elif not (top.op == "const" or (top.op in ("zero_extend", "sign_extend") and top.args[0].sort.width <= width)):
            return False
    return True


def _trailing_zeros(term: Term) -> int:
    """A number of low bits that are zero whatever the variables are."""
    zeros = 0
    while True:
        if term.op == "bvshl" and term.args[1].op == "const":
            zeros += term.args[1].payload
            term = term.args[0]
        elif term.op in ("zero_extend", "sign_extend"):
            term = term.args[0]
        else:
            return zeros


def _runs(mask: int) -> list[tuple[int, int]]:
    """The maximal runs of ones as (first bit, bit after the last)."""
    runs = []
    low = 0
    while mask >> low:
        while not mask >> low & 1:
            low += 1
        high = low
        while mask >> high & 1:
            high += 1
        runs.append((low, high))
        low = high
    return runs
