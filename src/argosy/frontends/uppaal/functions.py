"""Functions and statements.

A function is translated once for each way in which its reference parameters are bound: a reference is the place it
stands for, and where that place has computed subscripts, their values are parameters of the translated function,
evaluated when it is called. Functions do not recur, so every translated function has one fixed frame.

``break`` and ``continue`` set a slot, and what they jump over is done only where it is not set; a ``switch`` finds the
number of its case first and does those that are not before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import argosy.frontends.uppaal.syntax as s
from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.basics.records import dataclass
from argosy.frontends.uppaal.folding import binary, conditional, conjunction
from argosy.frontends.uppaal.layout import SCRATCH, Layout, default
from argosy.frontends.uppaal.meanings import (
    EffectMeaning,
    FunctionMeaning,
    FunctionVersion,
    IntegerMeaning,
    Known,
    Meaning,
    NamedType,
    NameScope,
    Returned,
    Selector,
    Storage,
    describe,
)
from argosy.frontends.uppaal.resolve import arrange
from argosy.frontends.uppaal.translate import ExpressionTranslator, is_pure, known
from argosy.frontends.uppaal.types import (
    ArrayType,
    BooleanType,
    ChannelType,
    ClockType,
    IntegerType,
    RecordType,
    ScalarType,
    Type,
    Value,
    VoidType,
    extent,
    similar,
)
from argosy.models.network_expressions import (
    INTEGER_HIGH,
    INTEGER_LOW,
    ArrayRun,
    Assignment,
    Binary,
    Constant,
    Copy,
    Evaluate,
    Expression,
    FunctionCall,
    If,
    NetworkFunction,
    Parameter,
    Read,
    Reset,
    Return,
    Statement,
    While,
)

RUNNING, CONTINUED, BROKEN = Constant(0), Constant(1), Constant(2)
"""How the body of a loop or switch is left, in its ``_Breakable.slot``."""


@dataclass(slots=True, eq=False)
class _Breakable:
    """A loop or a ``switch`` around what is translated; it has a slot once something leaves its body early."""

    is_loop: bool
    slot: Storage | None = None


class Translator(ExpressionTranslator):
    """``result`` is what the function being translated returns (None outside functions)."""

    def __init__(
        self,
        layout: Layout,
        scope: NameScope,
        *,
        pure: bool = True,
        query: bool = False,
        frame: str = "",
        result: Type | None = None,
        result_storage: Storage | None = None,
    ) -> None:
        super().__init__(layout, scope, pure=pure, query=query)
        self._frame = frame
        self._result = result
        self._result_storage = result_storage
        self._around: list[_Breakable] = []
        self._left: set[_Breakable] = set()

    def inner(self, scope: NameScope, *, pure: bool) -> Translator:
        return Translator(self.layout, scope, pure=pure, query=self.query, frame=self._frame)

    # Calls

    def call(self, function: FunctionMeaning, arguments: Sequence[s.Expression], position: Position) -> Meaning:
        parameters = function.declaration.parameters
        if len(arguments) != len(parameters):
            raise InputError(position, f"{function.name} takes {len(parameters)} arguments, found {len(arguments)}")
        signature = Translator(self.layout, function.scope)
        passed: list[Expression | ArrayRun] = []
        bound: list[Storage | None] = []
        for parameter, argument in zip(parameters, arguments, strict=True):
            type_ = signature.declared(parameter.type, parameter.declarator)
            reference = self._reference(parameter, type_, argument)
            bound.append(reference)
            if reference is None:
                passed.append(self._passed(type_, argument))
            else:
                passed += [x.index for x in reference.selectors if not isinstance(x.index, Constant)]
        version = self._version(function, bound, position)
        if version.effects:
            if self.pure:
                raise InputError(position, f"{function.name} changes the state, which is not allowed here")
            self.effects = True
        call = FunctionCall(version.index, tuple(passed), position)
        if version.storage is not None:
            return Returned(call, version.storage)
        if isinstance(version.result, IntegerType | BooleanType | ScalarType):
            return IntegerMeaning(call, version.result)
        return EffectMeaning(call)

    def _reference(self, parameter: s.ParameterDeclaration, type_: Type, argument: s.Expression) -> Storage | None:
        """The storage that a reference parameter stands for; None for what is passed by value."""
        if not parameter.reference and not isinstance(type_, ClockType | ChannelType):
            return None
        meaning = self.meaning(argument)
        constant = "const" in parameter.type.prefixes
        if isinstance(meaning, Known):
            meaning = self.layout.materialise(meaning, argument.position)
        if not isinstance(meaning, Storage):
            if constant:
                return None
            raise InputError(argument.position, f"a variable expected for a reference, found {describe(meaning)}")
        if not similar(type_, meaning.type):
            raise InputError(argument.position, f"an argument of type {type_} expected, found {meaning.type}")
        if meaning.constant and not constant:
            raise InputError(argument.position, "a constant cannot be passed as a reference that may be changed")
        return Storage(meaning.type, meaning.base, meaning.selectors, constant)

    def _passed(self, type_: Type, argument: s.Expression) -> Expression | ArrayRun:
        position = argument.position
        if isinstance(type_, IntegerType | BooleanType | ScalarType):
            return self.coerce(self.integer(argument), type_, position)
        storage = self.aggregate(self.meaning(argument), position)
        if not similar(type_, storage.type):
            raise InputError(position, f"an argument of type {type_} expected, found {storage.type}")
        return ArrayRun(storage.integers, extent(type_).integers)

    def _version(self, function: FunctionMeaning, bound: list[Storage | None], position: Position) -> FunctionVersion:
        key = tuple(
            None
            if b is None
            else (
                b.type,
                b.base,
                tuple(
                    (x.index.value if isinstance(x.index, Constant) else None, x.low, x.size, x.stride)
                    for x in b.selectors
                ),
            )
            for b in bound
        )
        if key in function.versions:
            return function.versions[key]
        if function.active:
            raise InputError(position, f"{function.name} calls itself")
        function.active = True
        try:
            version = self._translate(function, bound)
        finally:
            function.active = False
        function.versions[key] = version
        return version

    def _translate(self, function: FunctionMeaning, bound: list[Storage | None]) -> FunctionVersion:
        declaration = function.declaration
        scope = NameScope(function.scope)
        signature = Translator(self.layout, function.scope)
        parameters: list[Parameter] = []
        for parameter, reference in zip(declaration.parameters, bound, strict=True):
            name, position = parameter.declarator.name, parameter.position
            if scope.own(name) is not None:
                raise InputError(position, f"parameter {name!r} is declared twice")
            if reference is not None:
                scope.bind(name, self._bound(reference, f"{function.name}::{name}", parameters))
                continue
            type_ = signature.declared(parameter.type, parameter.declarator)
            constant = "const" in parameter.type.prefixes
            local = self._local(type_, f"{function.name}::{name}", position)
            parameters.append(Parameter(local.base.integers, extent(type_).integers))
            scope.bind(name, Storage(type_, local.base, constant=constant))
        result = signature.type(declaration.type)
        storage: Storage | None = None
        if isinstance(result, RecordType):
            storage = self._local(result, f"{function.name}::result", declaration.position)
        elif not isinstance(result, IntegerType | BooleanType | ScalarType | VoidType):
            raise InputError(declaration.position, f"a function cannot return a {result}")
        translator = Translator(
            self.layout,
            scope,
            pure=False,
            frame=f"{function.name}::",
            result=result,
            result_storage=storage,
        )
        # The place is taken before the functions that the body calls take theirs.
        index = len(self.layout.functions)
        self.layout.functions.append(NetworkFunction(function.name, (), (), 0, 0, False))
        body = translator.statement(declaration.body)
        low, high = (result.low, result.high) if isinstance(result, IntegerType | BooleanType | ScalarType) else (0, 0)
        self.layout.functions[index] = NetworkFunction(
            function.name, tuple(parameters), body, low, high, translator.effects, declaration.position
        )
        return FunctionVersion(index, translator.effects, result, storage)

    def _bound(self, reference: Storage, name: str, parameters: list[Parameter]) -> Storage:
        selectors: list[Selector] = []
        for selector in reference.selectors:
            index = selector.index
            if not isinstance(index, Constant):
                range_ = IntegerType(selector.low, selector.low + selector.size - 1)
                slot = self._local(range_, f"{name}[]", selector.position)
                parameters.append(Parameter(slot.base.integers))
                index = Read(slot.integers)
            selectors.append(Selector(index, selector.low, selector.size, selector.stride, selector.position))
        return Storage(reference.type, reference.base, tuple(selectors), reference.constant)

    def _local(self, type_: Type, name: str, position: Position) -> Storage:
        size = extent(type_)
        if size.clocks or size.channels:
            raise InputError(position, "a function cannot have clocks or channels of its own")
        return self.layout.allocate(type_, name, _lowest(type_), position, scratch=True)

    # Statements

    def statement(self, statement: s.Statement) -> tuple[Statement, ...]:
        position = statement.position
        match statement:
            case s.BlockSyntax(declarations, statements):
                return self._block(declarations, statements)
            case s.Do(expressions):
                return self.updates(expressions)
            case s.Branch(condition, then, otherwise):
                other = () if otherwise is None else self.statement(otherwise)
                return (If(self.integer(condition).expression, self.statement(then), other),)
            case s.LoopSyntax(condition, body, test_first):
                return self._loop(self.integer(condition).expression, body, (), test_first, position)
            case s.For(first, condition, each, body):
                test = self.integer(condition).expression
                return (*self.updates(first), *self._loop(test, body, self.updates(each), True, position))
            case s.Iterate():
                return self._iterate(statement)
            case s.Leave(value):
                return self._leave(value, position)
            case s.JumpSyntax(leaves):
                return self._jump(leaves, position)
            case s.SwitchSyntax():
                return self._switch(statement)
            case s.Refused(what):
                raise UnsupportedError(position, what)

    def _block(self, declarations: Sequence[s.Declaration], statements: Sequence[s.Statement]) -> tuple[Statement, ...]:
        outer = self.scope
        self.scope = NameScope(outer)
        found: list[Statement] = []
        for declaration in declarations:
            match declaration:
                case s.VariableDeclaration(type_, declarators):
                    for declarator in declarators:
                        found += self._declare(type_, declarator)
                case s.TypeDeclaration(type_, declarators):
                    for declarator in declarators:
                        self.scope.bind(declarator.name, NamedType(self.declared(type_, declarator)))
                case _:
                    raise InputError(declaration.position, "only variables and types can be declared in a function")
        found += self._sequence(statements)
        self.scope = outer
        return tuple(found)

    def _sequence(self, statements: Sequence[s.Statement]) -> list[Statement]:
        """What stands behind a statement that may leave a loop is done only where it has not."""
        found: list[Statement] = []
        for number, statement in enumerate(statements, 1):
            before, self._left = self._left, set()
            found += self.statement(statement)
            left, self._left = self._left, self._left | before
            if left and number < len(statements):
                rest = self._sequence(statements[number:])
                return [*found, If(self._still(left), tuple(rest))] if rest else found
        return found

    def _still(self, left: Iterable[_Breakable]) -> Expression:
        """Whether none of them was left."""
        return conjunction([binary("==", Read(b.slot.integers), RUNNING) for b in left if b.slot is not None])

    def _jump(self, leaves: bool, position: Position) -> tuple[Statement, ...]:
        inner = next((b for b in reversed(self._around) if leaves or b.is_loop), None)
        if inner is None:
            raise InputError(position, "'break' outside a loop or switch" if leaves else "'continue' outside a loop")
        if inner.slot is None:
            inner.slot = self._local(IntegerType(0, BROKEN.value), f"{self._frame}left", position)
        self._left.add(inner)
        return (Evaluate(Assignment(inner.slot.integers, BROKEN if leaves else CONTINUED, position)),)

    def _inside(self, around: _Breakable, body: Callable[[], Iterable[Statement]]) -> tuple[Statement, ...]:
        self._around.append(around)
        found = tuple(body())
        self._around.pop()
        self._left.discard(around)
        return found

    def _loop(
        self, test: Expression, body: s.Statement, each: tuple[Statement, ...], test_first: bool, position: Position
    ) -> tuple[Statement, ...]:
        """``each`` follows every round, ``continue`` or not."""
        around = _Breakable(is_loop=True)
        inside = self._inside(around, lambda: self.statement(body))
        if around.slot is None:
            return (While(test, (*inside, *each), test_first, position),)
        goes_on = binary("!=", Read(around.slot.integers), BROKEN)
        begin = Evaluate(Assignment(around.slot.integers, RUNNING, position))
        following = (If(goes_on, each),) if each else ()
        loop = While(Binary("&&", goes_on, test, position), (begin, *inside, *following), test_first, position)
        return (begin, loop)

    def _switch(self, statement: s.SwitchSyntax) -> tuple[Statement, ...]:
        """As in C: from the case with the value on (else from ``default``), through the cases behind it."""
        position, count = statement.position, len(statement.cases)
        value = self._local(IntegerType(INTEGER_LOW, INTEGER_HIGH), f"{self._frame}switch", position)
        first = self._local(IntegerType(0, count), f"{self._frame}case", position)
        entry: Expression = Constant(count)
        labels: dict[int | None, int] = {}
        for number, (label, _) in enumerate(statement.cases):
            constant = None if label is None else self.constant(label)
            if constant in labels:
                raise InputError(position if label is None else label.position, "a case occurs twice")
            labels[constant] = number
        if None in labels:
            entry = Constant(labels.pop(None))
        for constant, number in labels.items():
            assert constant is not None
            entry = conditional(binary("==", Read(value.integers), Constant(constant)), Constant(number), entry)
        around = _Breakable(is_loop=False)

        def body() -> Iterator[Statement]:
            before, self._left = self._left, set()
            for number, (_, statements) in enumerate(statement.cases):
                reached = binary("<=", Read(first.integers), Constant(number))
                still = self._still(self._left)
                inside = self._block((), statements)
                yield If(conjunction([reached, still]), inside)
            self._left |= before

        cases = self._inside(around, body)
        given = self.integer(statement.value).expression
        begin: list[Statement] = [Evaluate(Assignment(value.integers, given, position))]
        begin.append(Evaluate(Assignment(first.integers, entry, position)))
        if around.slot is not None:
            begin.append(Evaluate(Assignment(around.slot.integers, RUNNING, position)))
        return (*begin, *cases)

    def _declare(self, type_expression: s.TypeExpression, declarator: s.Declarator) -> list[Statement]:
        type_ = self.declared(type_expression, declarator)
        name, position = declarator.name, declarator.position
        if self.scope.own(name) is not None:
            raise InputError(position, f"{name!r} is declared twice")
        constant = "const" in type_expression.prefixes
        if constant and declarator.initial is None:
            raise InputError(position, f"the constant {name!r} needs a value")
        if constant and isinstance(type_, IntegerType | BooleanType) and declarator.initial is not None:
            value = self.inner(self.scope, pure=True).integer(declarator.initial).expression
            if isinstance(value, Constant):
                self.scope.bind(name, known(type_, self.initial(type_, declarator.initial, name, position), name))
                return []
        storage = self._local(type_, self._frame + name, position)
        found = self._initialise(storage, declarator.initial, position)
        self.scope.bind(name, Storage(type_, storage.base, constant=constant))
        return found

    def _initialise(self, storage: Storage, initialiser: s.Expression | None, position: Position) -> list[Statement]:
        """A local variable starts anew whenever its declaration is executed."""
        if initialiser is None:
            return _store_all(storage, default(storage.type, position), position)
        if isinstance(initialiser, s.Braces):
            found: list[Statement] = []
            for number, (_, _, item) in enumerate(arrange(storage.type, initialiser)):
                found += self._initialise(_part(storage, number), item, item.position)
            return found
        return self._store(storage, self.inner(self.scope, pure=True).meaning(initialiser), initialiser.position)

    def _iterate(self, statement: s.Iterate) -> tuple[Statement, ...]:
        domain, position = self.domain(statement.type), statement.position
        # The slot holds one value more than the domain: the one at which the loop ends.
        slot = self._local(IntegerType(domain.low, domain.high + 1), self._frame + statement.name, position)
        outer = self.scope
        self.scope = NameScope(outer)
        self.scope.bind(statement.name, IntegerMeaning(Read(slot.integers), domain))
        following = binary("+", Read(slot.integers), Constant(1), position)
        step = Evaluate(Assignment(slot.integers, following, position))
        test = binary("<=", Read(slot.integers), Constant(domain.high), position)
        loop = self._loop(test, statement.body, (step,), True, position)
        self.scope = outer
        first = Evaluate(Assignment(slot.integers, Constant(domain.low), position))
        return (first, *loop)

    def _leave(self, value: s.Expression | None, position: Position) -> tuple[Statement, ...]:
        result = self._result
        if result is None:
            raise InputError(position, "'return' outside a function")
        if isinstance(result, VoidType) != (value is None):
            raise InputError(position, "a function that returns a value must return one, and no other does")
        if value is None:
            return (Return(None, position),)
        if self._result_storage is not None:
            return (*self._store(self._result_storage, self.meaning(value), position), Return(None, position))
        assert isinstance(result, IntegerType | BooleanType | ScalarType)
        return (Return(self.coerce(self.integer(value), result, position), position),)

    # Expressions evaluated for their effects

    def updates(self, expressions: Sequence[s.Expression]) -> tuple[Statement, ...]:
        return tuple(statement for expression in expressions for statement in self._effect(expression))

    def _effect(self, expression: s.Expression) -> list[Statement]:
        if isinstance(expression, s.AssignSyntax) and not expression.operator:
            target = self.target(expression.target)
            if not isinstance(target.type, IntegerType | BooleanType | ScalarType):
                return self._assign(target, expression)
        if isinstance(expression, s.StepSyntax | s.AssignSyntax) and isinstance(
            self.storage(expression.target).type, ClockType
        ):
            raise InputError(expression.position, "a clock can only be set to a value by '='")
        meaning = self.meaning(expression)
        if isinstance(meaning, Returned | EffectMeaning):
            return [Evaluate(meaning.call)]
        value = self.as_integer(meaning, expression.position).expression
        return [] if is_pure(value) and not isinstance(value, Read) else [Evaluate(value)]

    def _assign(self, target: Storage, expression: s.AssignSyntax) -> list[Statement]:
        value = expression.value
        if isinstance(value, s.AssignSyntax) and not value.operator:
            before = self._effect(value)
            last: s.Expression = value
            while isinstance(last, s.AssignSyntax):
                last = last.value
            if isinstance(target.type, ClockType) and not is_pure(self.integer(last).expression):
                raise UnsupportedError(expression.position, "effects in a chain of assignments to clocks")
            source = last if isinstance(target.type, ClockType) else value.target
            return [*before, *self._store(target, self.meaning(source), expression.position)]
        return self._store(target, self.meaning(value), expression.position)

    def _store(self, target: Storage, value: Meaning, position: Position) -> list[Statement]:
        type_ = target.type
        if isinstance(type_, ClockType):
            self.effects = True
            return [Reset(target.clocks, self.as_integer(value, position).expression, position)]
        if target.base.integers < SCRATCH:
            self.effects = True
        if isinstance(type_, IntegerType | BooleanType | ScalarType):
            stored = self.coerce(self.as_integer(value, position), type_, position)
            return [Evaluate(Assignment(target.integers, stored, position))]
        size = extent(type_)
        if size.clocks or size.channels:
            raise InputError(position, f"a value of type {type_} cannot be assigned")
        before: list[Statement] = []
        if isinstance(value, Returned):
            before, value = [Evaluate(value.call)], value.storage
        source = self.aggregate(value, position)
        if not similar(type_, source.type):
            raise InputError(position, f"a value of type {type_} expected, found {source.type}")
        return [*before, Copy(target.integers, source.integers, size.integers, position)]


def _part(storage: Storage, number: int) -> Storage:
    if isinstance(storage.type, ArrayType):
        return storage.element(Constant(number + storage.type.index.low), Position("", 0))
    assert isinstance(storage.type, RecordType)
    member = storage.member(storage.type.fields[number][0])
    assert member is not None
    return member


def _store_all(storage: Storage, value: Value, position: Position) -> list[Statement]:
    if isinstance(value, int):
        return [Evaluate(Assignment(storage.integers, Constant(value), position))]
    return [
        statement
        for number, inner in enumerate(value)
        for statement in _store_all(_part(storage, number), inner, position)
    ]


def _lowest(type_: Type) -> Value:
    """Some value of the type, for scratch slots, which are written before they are read."""
    match type_:
        case ArrayType():
            return (_lowest(type_.element),) * type_.size
        case RecordType(fields):
            return tuple(_lowest(inner) for _, inner in fields)
        case IntegerType(low):
            return low
    return 0
