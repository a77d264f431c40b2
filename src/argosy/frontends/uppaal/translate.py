"""Expressions: names are resolved, types checked, constants computed, quantifiers expanded.

Calls of functions are left to the subclass in ``functions``, which translates their bodies with the same class.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import cast

import argosy.frontends.uppaal.syntax as s
from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.uppaal.constraints import comparison, minus, plus
from argosy.frontends.uppaal.folding import (
    binary,
    conditional,
    conjunction,
    disjunction,
    total,
    truth,
    unary,
)
from argosy.frontends.uppaal.layout import SCRATCH, Layout
from argosy.frontends.uppaal.meanings import (
    ClockSum,
    FormulaMeaning,
    FunctionMeaning,
    IntegerMeaning,
    Known,
    Meaning,
    NameScope,
    ProcessMeaning,
    ProcessSet,
    Storage,
    describe,
    is_aggregate,
    is_clock,
    slots,
)
from argosy.frontends.uppaal.resolve import TypeResolver
from argosy.frontends.uppaal.types import (
    ArrayType,
    BooleanType,
    ClockType,
    IntegerType,
    NumberType,
    RecordType,
    ScalarType,
    Type,
    Value,
    extent,
    is_number,
    similar,
)
from argosy.models.network_expressions import (
    FALSE,
    TRUE,
    Assignment,
    AtLocation,
    Binary,
    BinaryOperator,
    Conditional,
    Constant,
    Expression,
    FunctionCall,
    Read,
    Unary,
)
from argosy.models.network_queries import And, Deadlock, Holds, Not, Or, StateFormula

_BOOLEAN = BooleanType()
_INTEGER = IntegerType()
_COMPARISONS = frozenset({"<", "<=", "==", "!=", ">=", ">"})
_CHAIN_LIMIT = 200
_EXPANSION_LIMIT = 200_000


class ExpressionTranslator(TypeResolver, ABC):
    """``pure``: effects are not allowed here (guards, invariants, queries); ``query``: ``deadlock`` is allowed.

    ``effects`` is set as soon as a slot of the state vector or a clock is written."""

    def __init__(self, layout: Layout, scope: NameScope, *, pure: bool = True, query: bool = False) -> None:
        super().__init__(layout, scope)
        self.pure = pure
        self.query = query
        self.effects = False

    @abstractmethod
    def call(self, function: FunctionMeaning, arguments: Sequence[s.Expression], position: Position) -> Meaning: ...

    @abstractmethod
    def inner(self, scope: NameScope, *, pure: bool) -> ExpressionTranslator: ...

    # What is expected

    def integer(self, expression: s.Expression) -> IntegerMeaning:
        return self.as_integer(self.meaning(expression), expression.position)

    def as_integer(self, meaning: Meaning, position: Position) -> IntegerMeaning:
        match meaning:
            case IntegerMeaning():
                return meaning
            case Storage(type_) if is_number(type_):
                return IntegerMeaning(Read(meaning.integers), type_)
        raise InputError(position, f"an integer expected, found {describe(meaning)}")

    def constant(self, expression: s.Expression) -> int:
        """A number that is known before the run."""
        inner = self.inner(self.scope, pure=True).integer(expression).expression
        return inner.value if isinstance(inner, Constant) else self.layout.evaluate(inner, expression.position)

    def formula(self, expression: s.Expression) -> StateFormula:
        return self._as_formula(self.meaning(expression), expression.position)

    def _as_formula(self, meaning: Meaning, position: Position) -> StateFormula:
        return (
            meaning.formula
            if isinstance(meaning, FormulaMeaning)
            else Holds(self.as_integer(meaning, position).expression)
        )

    def storage(self, expression: s.Expression) -> Storage:
        meaning = self.meaning(expression)
        if isinstance(meaning, Storage):
            return meaning
        raise InputError(expression.position, f"a variable expected, found {describe(meaning)}")

    def coerce(self, value: IntegerMeaning, type_: NumberType, position: Position) -> Expression:
        """The number to be stored into a slot of the type; its range is checked when it is stored."""
        if isinstance(type_, ScalarType) or isinstance(value.type, ScalarType):
            if value.type != type_:
                raise InputError(position, f"a value of type {value.type} does not fit type {type_}")
            return value.expression
        if isinstance(type_, BooleanType) and not isinstance(value.type, BooleanType):
            return truth(value.expression)
        return value.expression

    # Expressions

    def meaning(self, expression: s.Expression) -> Meaning:
        position = expression.position
        match expression:
            case s.NumberSyntax(value):
                return IntegerMeaning(Constant(value), _INTEGER)
            case s.Truth(value):
                return IntegerMeaning(TRUE if value else FALSE, _BOOLEAN)
            case s.NameSyntax(name):
                return self.named(name, position)
            case s.IndexSyntax(array, index):
                return self._index(self.meaning(array), self.integer(index), position)
            case s.Member(owner, name):
                return self._member(self.meaning(owner), name, position)
            case s.Apply(callee, arguments):
                return self._apply(callee, arguments, position)
            case s.Prefix("!", operand):
                return self._negated(self.meaning(operand), position)
            case s.Prefix(operator, operand):
                number = self._number(operand)
                return number if operator == "+" else IntegerMeaning(unary("-", number.expression, position), _INTEGER)
            case s.Infix():
                return self._chain(expression)
            case s.ChoiceSyntax(condition, then, otherwise):
                return self._choice(condition, then, otherwise)
            case s.AssignSyntax() | s.StepSyntax():
                return self._assignment(expression)
            case s.Quantified():
                return self._quantified(expression)
            case s.DeadlockTest():
                if not self.query:
                    raise InputError(position, "'deadlock' is allowed in queries only")
                return FormulaMeaning(Deadlock())
            case s.Rate():
                raise UnsupportedError(position, "clock rate, but for a conjunct x' == e of an invariant")
            case s.Refused(what):
                raise UnsupportedError(position, what)
            case s.Braces():
                raise InputError(position, "a list in braces is an initialiser only")

    def _number(self, expression: s.Expression) -> IntegerMeaning:
        value = self.integer(expression)
        if isinstance(value.type, ScalarType):
            raise InputError(expression.position, "scalars can only be assigned and compared for equality")
        return value

    def _index(self, array: Meaning, index: IntegerMeaning, position: Position) -> Meaning:
        type_ = array.type if isinstance(array, Storage | Known) else None
        if not isinstance(type_, ArrayType):
            raise InputError(position, f"an array expected, found {describe(array)}")
        if (isinstance(type_.index, ScalarType) or isinstance(index.type, ScalarType)) and index.type != type_.index:
            raise InputError(position, f"the array is indexed by {type_.index}, not by {index.type}")
        if isinstance(array, Known):
            if isinstance(index.expression, Constant) and 0 <= index.expression.value - type_.index.low < type_.size:
                number = index.expression.value
                return known(type_.element, array.value[number - type_.index.low], f"{array.name}[{number}]")
            array = self.layout.materialise(array, position)
        assert isinstance(array, Storage)
        return array.element(index.expression, position)

    def _member(self, owner: Meaning, name: str, position: Position) -> Meaning:
        match owner:
            case ProcessMeaning():
                if name in owner.locations:
                    place = owner.locations[name]
                    return IntegerMeaning(AtLocation(place.process, place.location), _BOOLEAN)
                meaning = owner.scope.own(name)
                if meaning is None:
                    raise InputError(position, f"process {owner.name} has no location or variable {name!r}")
                return meaning
            case Storage(RecordType()):
                member = owner.member(name)
                if member is not None:
                    return member
            case Known(RecordType(fields)):
                for (field, type_), value in zip(fields, owner.value, strict=True):
                    if field == name:
                        return known(type_, value, f"{owner.name}.{name}")
            case _:
                raise InputError(position, f"{describe(owner)} has no member {name!r}")
        raise InputError(position, f"the record has no field {name!r}")

    def _apply(self, callee: s.Expression, arguments: tuple[s.Expression, ...], position: Position) -> Meaning:
        if isinstance(callee, s.NameSyntax) and self.scope.lookup(callee.name) is None:
            if callee.name == "abs" and len(arguments) == 1:
                return self._absolute(arguments[0])
            raise InputError(position, f"unknown function {callee.name!r}")
        meaning = self.meaning(callee)
        if isinstance(meaning, FunctionMeaning):
            return self.call(meaning, arguments, position)
        if isinstance(meaning, ProcessSet):
            values = tuple(self.constant(argument) for argument in arguments)
            if values not in meaning.members:
                written = ", ".join(map(str, values))
                raise InputError(position, f"there is no process {meaning.name}({written})")
            return meaning.members[values]
        raise InputError(position, f"a function expected, found {describe(meaning)}")

    def _absolute(self, argument: s.Expression) -> Meaning:
        value = self._number(argument).expression
        if not is_pure(value):
            raise UnsupportedError(argument.position, "effects in the argument of abs")
        negative = binary("<", value, FALSE)
        return IntegerMeaning(conditional(negative, unary("-", value, argument.position), value), _INTEGER)

    def _negated(self, meaning: Meaning, position: Position) -> Meaning:
        if isinstance(meaning, FormulaMeaning):
            return FormulaMeaning(Not(meaning.formula))
        return IntegerMeaning(unary("!", self.as_integer(meaning, position).expression), _BOOLEAN)

    def _chain(self, expression: s.Infix) -> Meaning:
        """Long chains lean to the left in the syntax: walked without recursion."""
        spine: list[s.Infix] = []
        first: s.Expression = expression
        while isinstance(first, s.Infix):
            spine.append(first)
            first = first.left
        spine.reverse()
        left = self.meaning(first)
        at = arithmetic = 0
        while at < len(spine):
            operator, position = spine[at].operator, spine[at].position
            if operator in ("&&", "||"):
                operands = [(left, first.position)]
                while at < len(spine) and spine[at].operator == operator:
                    operands.append((self.meaning(spine[at].right), spine[at].right.position))
                    at += 1
                left = self._junction(operator, operands)
                continue
            arithmetic += 1
            if arithmetic > _CHAIN_LIMIT:
                raise UnsupportedError(position, f"an expression with more than {_CHAIN_LIMIT} operators in a row")
            right = self.meaning(spine[at].right)
            if operator == "imply":
                left = self._junction("||", [(self._negated(left, position), position), (right, position)])
            else:
                left = self._infix(operator, left, right, position)
            at += 1
        return left

    def _junction(self, operator: str, operands: list[tuple[Meaning, Position]]) -> Meaning:
        integers = [self.as_integer(m, p) for m, p in operands if not isinstance(m, FormulaMeaning)]
        combined = self._join(operator, integers)
        formulas = [m.formula for m, _ in operands if isinstance(m, FormulaMeaning)]
        if not formulas:
            return IntegerMeaning(combined, _BOOLEAN)
        kind = And if operator == "&&" else Or
        if isinstance(combined, Constant) and (combined.value != 0) is (operator == "||") and integers:
            return IntegerMeaning(combined, _BOOLEAN)
        parts: list[StateFormula] = [] if isinstance(combined, Constant) else [Holds(combined)]
        for formula in formulas:
            parts += formula.operands if isinstance(formula, kind) else (formula,)
        return FormulaMeaning(kind(tuple(parts)) if len(parts) > 1 else parts[0])

    @staticmethod
    def _join(operator: str, integers: list[IntegerMeaning]) -> Expression:
        """The junction of integers as 0 or 1; constants that do not decide it are left out."""
        neutral = operator == "&&"
        open_ = [
            i for i in integers if not (isinstance(i.expression, Constant) and (i.expression.value != 0) is neutral)
        ]
        if len(open_) == 1 and isinstance(open_[0].type, BooleanType):
            return open_[0].expression
        return truth((conjunction if neutral else disjunction)([i.expression for i in open_]))

    def _infix(self, operator: str, left: Meaning, right: Meaning, position: Position) -> Meaning:
        clocks = is_clock(left) or is_clock(right)
        if operator in _COMPARISONS:
            relation = cast(BinaryOperator, operator)
            if clocks:
                return FormulaMeaning(
                    comparison(relation, self._clock_sum(left, position), self._clock_sum(right, position), position)
                )
            if is_aggregate(left) or is_aggregate(right):
                return self._compare_aggregates(relation, left, right, position)
            return self._compare(relation, left, right, position)
        if clocks and operator in ("+", "-"):
            combine = plus if operator == "+" else minus
            return combine(self._clock_sum(left, position), self._clock_sum(right, position), position)
        a, b = self.as_integer(left, position), self.as_integer(right, position)
        if isinstance(a.type, ScalarType) or isinstance(b.type, ScalarType):
            raise InputError(position, "scalars can only be assigned and compared for equality")
        if operator == "xor":
            return IntegerMeaning(binary("!=", truth(a.expression), truth(b.expression), position), _BOOLEAN)
        return IntegerMeaning(binary(cast(BinaryOperator, operator), a.expression, b.expression, position), _INTEGER)

    def _compare(self, operator: BinaryOperator, left: Meaning, right: Meaning, position: Position) -> Meaning:
        a, b = self.as_integer(left, position), self.as_integer(right, position)
        if isinstance(a.type, ScalarType) or isinstance(b.type, ScalarType):
            if a.type != b.type:
                raise InputError(position, f"values of type {a.type} and {b.type} cannot be compared")
            if operator not in ("==", "!="):
                raise InputError(position, "scalars can only be assigned and compared for equality")
        return IntegerMeaning(binary(operator, a.expression, b.expression, position), _BOOLEAN)

    def _compare_aggregates(
        self, operator: BinaryOperator, left: Meaning, right: Meaning, position: Position
    ) -> Meaning:
        a, b = self.aggregate(left, position), self.aggregate(right, position)
        size = extent(a.type)
        if operator not in ("==", "!=") or not similar(a.type, b.type) or size.clocks or size.channels:
            raise InputError(position, f"values of type {a.type} and {b.type} cannot be compared by {operator!r}")
        pairs = zip(slots(a), slots(b), strict=True)
        same = conjunction([binary("==", Read(x), Read(y), position) for x, y in pairs])
        return IntegerMeaning(same if operator == "==" else unary("!", same), _BOOLEAN)

    def aggregate(self, meaning: Meaning, position: Position) -> Storage:
        """An array or record as storage."""
        if isinstance(meaning, Known):
            return self.layout.materialise(meaning, position)
        if isinstance(meaning, Storage) and isinstance(meaning.type, ArrayType | RecordType):
            return meaning
        raise InputError(position, f"an array or record expected, found {describe(meaning)}")

    def _clock_sum(self, meaning: Meaning, position: Position) -> ClockSum:
        match meaning:
            case ClockSum():
                return meaning
            case Storage(ClockType()):
                return ClockSum((meaning.clocks,))
        return ClockSum(offset=self.as_integer(meaning, position).expression)

    def _choice(self, condition: s.Expression, then: s.Expression, otherwise: s.Expression) -> Meaning:
        test = self.meaning(condition)
        a, b = self.meaning(then), self.meaning(otherwise)
        if isinstance(test, FormulaMeaning) or isinstance(a, FormulaMeaning) or isinstance(b, FormulaMeaning):
            holds = self._as_formula(test, condition.position)
            first = And((holds, self._as_formula(a, then.position)))
            return FormulaMeaning(Or((first, And((Not(holds), self._as_formula(b, otherwise.position))))))
        x, y = self.as_integer(a, then.position), self.as_integer(b, otherwise.position)
        if (isinstance(x.type, ScalarType) or isinstance(y.type, ScalarType)) and x.type != y.type:
            raise InputError(otherwise.position, f"the branches have types {x.type} and {y.type}")
        type_ = x.type if x.type == y.type else _INTEGER
        return IntegerMeaning(
            conditional(self.as_integer(test, condition.position).expression, x.expression, y.expression), type_
        )

    def _assignment(self, expression: s.AssignSyntax | s.StepSyntax) -> Meaning:
        """An assignment as an expression: has the value that was stored (``x++``: the one before)."""
        position = expression.position
        if self.pure:
            raise InputError(position, "an assignment is not allowed here")
        target = self.target(expression.target)
        if not is_number(target.type):
            raise InputError(position, f"a variable of type {target.type} cannot be assigned inside an expression")
        if target.base.integers < SCRATCH:
            self.effects = True
        old = Read(target.integers)
        if isinstance(expression, s.AssignSyntax) and not expression.operator:
            stored = self.coerce(self.integer(expression.value), target.type, position)
            return IntegerMeaning(Assignment(target.integers, stored, position), target.type)
        if not all(is_pure(selector.index) for selector in target.selectors):
            raise UnsupportedError(position, "effects in a subscript of a compound assignment")
        operator = cast(BinaryOperator, expression.operator)
        if isinstance(target.type, ScalarType):
            raise InputError(position, "scalars can only be assigned and compared for equality")
        operand = Constant(1) if isinstance(expression, s.StepSyntax) else self._number(expression.value).expression
        value = IntegerMeaning(Binary(operator, old, operand, position), _INTEGER)
        stored = self.coerce(value, target.type, position)
        assignment = Assignment(target.integers, stored, position)
        if isinstance(expression, s.AssignSyntax) or expression.before:
            return IntegerMeaning(assignment, target.type)
        if isinstance(target.type, BooleanType):
            raise UnsupportedError(position, "the value of a boolean before '++' or '--'")
        back: BinaryOperator = "-" if operator == "+" else "+"
        return IntegerMeaning(Binary(back, assignment, Constant(1), position), _INTEGER)

    def target(self, expression: s.Expression) -> Storage:
        target = self.storage(expression)
        if target.constant:
            raise InputError(expression.position, "a constant cannot be assigned")
        return target

    def _quantified(self, expression: s.Quantified) -> Meaning:
        found: list[tuple[Meaning, Position]] = []
        domain = self.domain(expression.type)
        self.layout.expansions += domain.high - domain.low + 1
        if self.layout.expansions > _EXPANSION_LIMIT:
            raise UnsupportedError(expression.position, f"quantifiers over more than {_EXPANSION_LIMIT} values in all")
        for value in range(domain.low, domain.high + 1):
            scope = NameScope(self.scope)
            scope.bind(expression.name, IntegerMeaning(Constant(value), domain))
            body = self.inner(scope, pure=True).meaning(expression.body)
            found.append((body, expression.body.position))
        if expression.kind == "sum":
            return IntegerMeaning(total([self.as_integer(m, p).expression for m, p in found]), _INTEGER)
        return self._junction("&&" if expression.kind == "forall" else "||", found)


def known(type_: Type, value: Value, name: str) -> Meaning:
    """The meaning of a constant of a type."""
    if isinstance(type_, ArrayType | RecordType):
        assert isinstance(value, tuple)
        return Known(type_, value, name)
    assert isinstance(value, int) and is_number(type_)
    return IntegerMeaning(Constant(value), type_)


def is_pure(expression: Expression) -> bool:
    """Whether evaluating it twice is the same as evaluating it once (calls are taken as effects)."""
    match expression:
        case Constant() | AtLocation():
            return True
        case Read(place):
            return all(is_pure(subscript.index) for subscript in place.subscripts)
        case Unary(_, operand):
            return is_pure(operand)
        case Binary(_, left, right):
            return is_pure(left) and is_pure(right)
        case Conditional(condition, then, otherwise):
            return is_pure(condition) and is_pure(then) and is_pure(otherwise)
        case Assignment() | FunctionCall():
            return False
