"""The model on mathematical integers: fast to analyse, and never trusted (DESIGN.md, "Arithmetic").

Each variable ``x: bits(n)`` becomes ``x: Int`` of the same name, each edge one edge that stands for the same edges as
read (``trail``). Arithmetic is ideal: sums, differences and products do not wrap (``models/numbers.py`` says exactly
what is idealised). Where a term cannot be said on integers, the edge allows more than the one it stands for and is
listed in ``imprecise``.

Law: to every execution of the model as read in which no operation wraps in its natural view corresponds an execution
here, with the values that the bits stand for. Signed overflow is not looked at unless ``overflow_checks`` is set.
"""

from __future__ import annotations

from collections.abc import Iterable

from argosy.basics.records import dataclass, replace
from argosy.logic.intervals import bits_range
from argosy.logic.sorts import BOOL
from argosy.logic.terms import Term
from argosy.logic.traverse import postorder
from argosy.models.cfa import Assign, Assume, Cfa, Check, Edge, Havoc, Operation, Relation, Undefined
from argosy.models.liveness import live_variables
from argosy.models.numbers import Numbers

# Narrower variables are mostly flags and characters, whose range matters; that of an int rarely does.
_ALWAYS_BOUNDED = 16


@dataclass(frozen=True, slots=True)
class Integers:
    """The derived model, and the edges ("FILE:LINE: text") on which it allows more than ideal arithmetic would."""

    cfa: Cfa
    imprecise: tuple[str, ...]


def integers(cfa: Cfa, *, ranges: bool = False, overflow_checks: bool = False) -> Integers:
    """``ranges``: nondeterministic and initial values of any width keep to the range of their type, not only those
    of narrow and unsigned types. ``overflow_checks``: the edges keep their checks of signed overflow as well as
    those of division and shift."""
    derivation = _Derivation(cfa, ranges, overflow_checks)
    edges = tuple(derivation.edge(edge) for edge in cfa.edges)
    numbers = derivation.numbers
    derived = replace(
        cfa,
        edges=edges,
        variables=tuple(replace(v, term=numbers.variable(v.term)) for v in cfa.variables),
        opaque={numbers.variable(term): refusal for term, refusal in cfa.opaque.items()},
    )
    return Integers(derived, tuple(dict.fromkeys(derivation.imprecise)))


class _Derivation:
    def __init__(self, cfa: Cfa, ranges: bool, overflow_checks: bool) -> None:
        self.cfa = cfa
        self.terms = cfa.terms
        self.ranges = ranges
        self.overflow_checks = overflow_checks
        self.imprecise: list[str] = []
        self.signed = {v.term: v.signed is True for v in cfa.variables if v.term.sort.is_bits}
        for edge in cfa.edges:
            if isinstance(edge.operation, Relation):
                self.signed.update((new, self.signed[old]) for old, new in edge.operation.primed if old in self.signed)
        self.numbers = Numbers(self.terms, self.signed)
        live = live_variables(cfa)[cfa.initial]
        self.at_start = self.terms.conjunction(
            self._range(v.term, self.numbers.variable(v.term)) for v in cfa.variables if v.term in live
        )

    def edge(self, edge: Edge) -> Edge:
        operation = self._operation(edge)
        if edge.source is self.cfa.initial:
            operation = self._from_start(operation)
        return replace(edge, operation=operation, checks=tuple(self._checks(edge)), trail=edge.as_read)

    def _operation(self, edge: Edge) -> Operation:
        numbers = self.numbers
        match edge.operation:
            case Assume(condition):
                if numbers.condition(condition) is None:
                    self._note(edge)
                return Assume(numbers.weaker(condition))
            case Assign(variable, value):
                return self._assignment(edge, variable, value)
            case Havoc(variable):
                return self._any(variable)
            case Relation(formula, primed):
                if numbers.condition(formula) is None:
                    self._note(edge)
                news = tuple((numbers.variable(old), numbers.variable(new)) for old, new in primed)
                bounds = [self._range(old, numbers.variable(new)) for old, new in primed]
                return Relation(self.terms.and_(numbers.weaker(formula), *bounds), news)

    def _assignment(self, edge: Edge, variable: Term, value: Term) -> Operation:
        numbers = self.numbers
        target = numbers.variable(variable)
        if variable.sort.is_bits:
            number = numbers.value(value, self.signed[variable])
            if number is not None:
                return Assign(target, number)
            self._note(edge)
            new = self._primed(target)
            formula = self.terms.and_(self._one_of(value, self.signed[variable], new), self._range(variable, new))
            return Relation(formula, ((target, new),)) if formula is not self.terms.true else Havoc(target)
        if variable.sort is BOOL:
            condition = numbers.condition(value)
            if condition is not None:
                return Assign(target, condition)
        elif not any(sub.sort.is_bits for sub in postorder(value)):
            return edge.operation
        self._note(edge)
        return Havoc(target)

    def _one_of(self, value: Term, signed: bool, new: Term) -> Term:
        """What is known about ``new``, the number of ``value``, when a part of ``value`` has no number."""
        t = self.terms
        number = self.numbers.value(value, signed)
        if number is not None:
            return t.eq(new, number)
        match value.op:
            case "ite":
                condition, a, b = value.args
                yes, no = self.numbers.weaker(condition), self.numbers.weaker(t.not_(condition))
                return t.or_(t.and_(yes, self._one_of(a, signed, new)), t.and_(no, self._one_of(b, signed, new)))
            case "zero_extend":
                return self._one_of(value.args[0], False, new)
            case "sign_extend" if signed:
                return self._one_of(value.args[0], True, new)
        return t.true

    def _any(self, variable: Term) -> Operation:
        target = self.numbers.variable(variable)
        new = self._primed(target)
        bounds = self._range(variable, new)
        return Havoc(target) if bounds is self.terms.true else Relation(bounds, ((target, new),))

    def _primed(self, target: Term) -> Term:
        return self.terms.var(f"{target.name}'", target.sort)

    def _range(self, variable: Term, number: Term) -> Term:
        """The range of ``variable``'s type for ``number``, as far as it is of use."""
        if not variable.sort.is_bits:
            return self.terms.true
        width, signed = variable.sort.width, self.signed[variable]
        low, high = (self.terms.integer(end) for end in bits_range(width, signed))
        both = self.ranges or width <= _ALWAYS_BOUNDED
        lower = self.terms.le(low, number) if both or not signed else self.terms.true
        return self.terms.and_(lower, self.terms.le(number, high)) if both else lower

    def _from_start(self, operation: Operation) -> Operation:
        """The same operation, taken only from values that the types of the variables have."""
        bounds = self.at_start
        if bounds is self.terms.true:
            return operation
        match operation:
            case Assume(condition):
                return Assume(self.terms.and_(bounds, condition))
            case Assign(variable, value):
                new = self._primed(variable)
                return Relation(self.terms.and_(bounds, self.terms.eq(new, value)), ((variable, new),))
            case Havoc(variable):
                return Relation(bounds, ((variable, self._primed(variable)),))
            case Relation(formula, primed):
                return Relation(self.terms.and_(bounds, formula), primed)

    def _checks(self, edge: Edge) -> Iterable[Check]:
        for check in edge.checks:
            if self.overflow_checks or check.kind is not Undefined.SIGNED_OVERFLOW:
                condition = self.numbers.weaker(check.condition)
                if condition is not self.terms.true:
                    yield replace(check, condition=condition)

    def _note(self, edge: Edge) -> None:
        self.imprecise.append(f"{edge.position}: {edge.text}")
