"""The typed form as C text: a plain subset, in which nothing is converted unsaid and every effect is a statement.

Law: compiled, the text computes what the original computes. Qualifiers and attributes are left out, as is what control
never asks for: functions that nobody calls or names. Objects of a function are declared at its start.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from argosy.basics.position import Position
from argosy.frontends.c.elaborate.program import Elaboration
from argosy.frontends.c.library import IS_CONSTANT
from argosy.frontends.c.literals import FUNCTION_NAMES
from argosy.frontends.c.source import Syntax, parse
from argosy.frontends.c.spelling import Spelling
from argosy.frontends.c.stack import on_own_stack
from argosy.frontends.c.symbols import RESULT, FunctionName, Object, Unit
from argosy.frontends.c.typed import (
    AddressOf,
    AssemblerCode,
    Assigning,
    BinaryOperation,
    Branching,
    Calling,
    Cast,
    Clearing,
    Comma,
    Contents,
    Designation,
    ElementPlace,
    Ended,
    Evaluation,
    Expression,
    FloatConstant,
    FunctionAddress,
    InitialPart,
    IntegerConstant,
    Jump,
    LabelPoint,
    Lifetime,
    MemberPlace,
    NextArgument,
    NoValue,
    ObjectPlace,
    Place,
    PointerCalling,
    Returning,
    Selection,
    ShortCircuit,
    SizeOf,
    Statement,
    SwitchJump,
    TargetPlace,
    TypedFunction,
    UnaryOperation,
    WitnessPoint,
)
from argosy.frontends.c.types import (
    Array,
    Float,
    Function,
    Integer,
    Pointer,
    StructureType,
    Type,
    Void,
    data_model,
    is_list,
)
from argosy.frontends.c.unsupported import Construct, error
from argosy.frontends.c.variable_arrays import VariableArray, VariableElement, has_open_length, is_variable
from argosy.logic.terms import Terms

_SUFFIXES = {
    "int": "", "unsigned int": "u", "long": "l", "unsigned long": "ul", "long long": "ll", "unsigned long long": "ull"
}  # fmt: skip


def printed(syntax: Syntax, unit: Unit, entry: str = "main") -> str:
    """The text of a program, from the functions that the entry function asks for. Raises UnsupportedError for what
    cannot be said in the subset."""
    return _Printer(Elaboration(syntax, unit, entry), entry).text()


class _Printer:
    def __init__(self, program: Elaboration, entry: str) -> None:
        self._program = program
        self._unit = program.unit
        self._spell = Spelling()
        self._entry = entry
        self._functions: dict[FunctionName, None] = {}
        self._globals: dict[Object, str] = {}
        self._taken = {s.name for s in self._unit.scopes.globals() if isinstance(s, Object | FunctionName)}
        self._locals: dict[Object, str] = {}
        self._names: set[str] = set()
        self._variable: dict[Object, VariableArray] = {}
        self._needs_no_value = False

    def text(self) -> str:
        bodies: list[str] = []
        initialised: list[str] = []
        self._function(self._unit.definitions[self._entry])
        for symbol in self._unit.scopes.globals():
            if isinstance(symbol, Object) and symbol.linked and symbol.defined:
                self._object(symbol)
        done: set[FunctionName] = set()
        shown: set[Object] = set()
        while len(done) < len(self._functions) or len(shown) < len(self._globals):
            for symbol in [f for f in self._functions if f not in done]:
                done.add(symbol)
                if symbol.name in self._unit.definitions:
                    bodies.append(self._body(self._program.function(symbol.name)))
            for known in [o for o in self._globals if o not in shown]:
                shown.add(known)
                parts = self._parts(known)
                if parts:
                    head = self._spell.declared(known.type, self._globals[known])
                    initialised.append(f"{self._storage(known)}{head} = {self._initialiser(known, parts)};")
        declared = [self._declaration(symbol) for symbol in self._globals]
        prototypes = [self._prototype(symbol) for symbol in self._functions]
        lines = [*declared, *filter(None, prototypes), *initialised, *bodies]
        return "\n".join([*self._spell.definitions(), *lines, ""])

    # ---- the file level -----------------------------------------------------------------------------------

    def _parts(self, symbol: Object) -> Sequence[InitialPart]:
        for own, parts in self._unit.static_objects:
            if own is symbol:
                return parts
        return self._program.initial(symbol) if not symbol.function else ()

    def _storage(self, symbol: Object) -> str:
        return "static " if symbol.function else ""

    def _declaration(self, symbol: Object) -> str:
        storage = "extern " if not symbol.defined and symbol.name != "__BLAST_NONDET" else self._storage(symbol)
        return f"{storage}{self._spell.declared(symbol.type, self._globals[symbol])};"

    def _prototype(self, symbol: FunctionName) -> str:
        if symbol.name in self._unit.definitions:
            return f"{self._head(self._program.function(symbol.name), named=False)};"
        if symbol.name.startswith("__builtin_"):
            return ""
        return f"extern {self._spell.declared(symbol.type, symbol.name)};"

    def _head(self, function: TypedFunction, named: bool) -> str:
        type_ = function.function.type
        assert isinstance(type_, Function)
        for parameter in function.parameters:
            _refuse_rows(parameter.type, parameter.position)
        spelled = [self._spell.declared(p.type, self._local(p) if named else "") for p in function.parameters]
        if type_.variadic:
            spelled.append("...")
        return self._spell.declared(type_.result, f"{function.function.name}({', '.join(spelled) or 'void'})")

    def _initialiser(self, symbol: Object, parts: Sequence[InitialPart]) -> str:
        items = [(_designators(part.place), self._value(part.value)) for part in parts]
        if len(items) == 1 and not items[0][0]:
            return items[0][1]
        return f"{{ {', '.join(f'{way} = {value}' for way, value in items)} }}"

    # ---- names --------------------------------------------------------------------------------------------

    def _function(self, symbol: FunctionName) -> str:
        self._functions.setdefault(symbol)
        return symbol.name

    def _object(self, symbol: Object) -> str:
        if symbol.lasting:
            known = self._globals.get(symbol)
            if known is None:
                known = (
                    symbol.name if not symbol.function else self._fresh(f"{symbol.function}_{symbol.name}", self._taken)
                )
                self._globals[symbol] = known
                self._taken.add(known)
            return known
        return self._local(symbol)

    def _local(self, symbol: Object) -> str:
        known = self._locals.get(symbol)
        if known is None:
            base = f"{RESULT}_{symbol.function}" if symbol.name == RESULT else symbol.name
            known = self._locals[symbol] = self._fresh_local(base)
        return known

    def _fresh_local(self, base: str) -> str:
        name = self._fresh(base, self._names, self._taken)
        self._names.add(name)
        return name

    def _fresh(self, base: str, *taken: set[str]) -> str:
        name, count = base, 1
        while any(name in names for names in taken):
            count += 1
            name = f"{base}_{count}"
        return name

    # ---- functions ----------------------------------------------------------------------------------------

    def _body(self, function: TypedFunction) -> str:
        self._locals, self._names, self._variable = {}, set(FUNCTION_NAMES), {}
        self._needs_no_value = False
        head = self._head(function, named=True)
        statements = [line for statement in function.statements for line in self._statement(statement, function)]
        declared: list[str] = []
        for symbol, name in self._locals.items():
            if symbol in function.parameters:
                continue
            array = self._variable.get(symbol)
            if array is not None:
                declared.extend(f"  {line}" for line in array.declared(self._spell, self._unit.model))
            else:
                _refuse_rows(symbol.type, symbol.position)
                declared.append(f"  {self._spell.declared(symbol.type, name)};")
        if self._needs_no_value and function.result is not None:
            declared.append(f"  {self._spell.declared(function.result.type, 'no_value')};")
        return "\n".join([f"{head} {{", *declared, *(f"  {line}" for line in statements), "}"])

    def _statement(self, statement: Statement, function: TypedFunction) -> Iterator[str]:
        match statement:
            case Assigning():
                yield f"{self._place(statement.place)} = {self._value(statement.value)};"
            case Clearing():
                place = self._place(statement.place)
                yield f"__builtin_memset(&{place}, 0, sizeof({place}));"
            case Calling():
                yield self._call(statement)
            case PointerCalling():
                arguments = ", ".join(map(self._value, statement.arguments))
                yield f"{self._into(statement.result)}(*{self._value(statement.pointer)})({arguments});"
            case NextArgument():
                taken = f"__builtin_va_arg({self._value(statement.arguments)}, {self._spell(statement.result.type)})"
                yield f"{self._into(statement.result)}{taken};"
            case AssemblerCode():
                yield self._assembler(statement)
            case Lifetime():
                yield from self._lifetime(statement)
            case Evaluation():
                value = statement.value
                yield f"{self._value(value) if isinstance(value.type, Void) else f'(void){self._value(value)}'};"
            case Designation() | WitnessPoint() | Ended():
                pass
            case LabelPoint():
                yield f"{_label(statement.point)}: ;"
            case Jump():
                yield f"goto {_label(statement.target)};"
            case Branching():
                condition = self._value(statement.condition)
                yield f"if ({condition}) goto {_label(statement.yes)}; else goto {_label(statement.no)};"
            case SwitchJump():
                yield from self._switch(statement)
            case Returning():
                yield self._return(statement, function)

    def _assembler(self, statement: AssemblerCode) -> str:
        text = statement.text
        if text is None:
            raise error(statement.original.position, "asm", Construct.ASSEMBLER)
        if text.clobbered is None:
            return f"__asm__ {text.code});"
        count = len(statement.outputs)
        outputs = zip(text.constraints[:count], map(self._place, statement.outputs), strict=True)
        inputs = zip(text.constraints[count:], map(self._assembler_input, statement.inputs), strict=True)
        sections = [", ".join(f"{how} ({what})" for how, what in each) for each in (outputs, inputs)]
        clobbered = f" : {text.clobbered}" if text.clobbered else ""
        return f"__asm__ {text.code} : {sections[0]} : {sections[1]}{clobbered});"

    def _assembler_input(self, value: Expression) -> str:
        """Arrays and functions themselves may be operands in memory."""
        if (
            isinstance(value, AddressOf)
            and isinstance(value.place.type, Array)
            and value.type.target != value.place.type
        ):
            return self._place(value.place)
        return self._function(value.function) if isinstance(value, FunctionAddress) else self._value(value)

    def _into(self, result: Object | None) -> str:
        if result is None:
            return ""
        # What compilers take for the type of a function of their own may differ from ours.
        cast = f"({self._spell(result.type)})" if _is_scalar(result.type) else ""
        return f"{self._object(result)} = {cast}"

    def _call(self, call: Calling) -> str:
        name = self._function(call.function)
        arguments = list(map(self._value, call.arguments))
        if name == IS_CONSTANT and not arguments:
            # The operand was only looked at: any that is no constant will do.
            arguments = ["*(volatile int *)0"]
        if name in self._unit.definitions:
            # A call without a prototype may give too many or too few.
            shape = self._program.shape(name)
            missing = shape.parameters[len(arguments) :]
            arguments += [f"({self._spell(each.type)})0" for each in missing]
            if not shape.type.variadic:
                arguments = arguments[: len(shape.parameters)]
        return f"{self._into(call.result)}{name}({', '.join(arguments)});"

    def _lifetime(self, statement: Lifetime) -> Iterator[str]:
        symbol = statement.object
        name = self._object(symbol)
        if is_variable(symbol):
            array = self._variable.get(symbol)
            if array is None:
                array = self._variable[symbol] = VariableArray(symbol, name, self._fresh_local)
            counts = [f"(unsigned long){self._value(length)}" for length in statement.lengths]
            yield from array.begin(counts, self._spell)

    def _switch(self, statement: SwitchJump) -> Iterator[str]:
        type_ = statement.value.type
        assert isinstance(type_, Integer)
        yield f"switch ({self._value(statement.value)}) {{"
        for case in statement.cases:
            if case.low <= case.high:
                low, high = _integer(case.low, type_), _integer(case.high, type_)
                bounds = low if case.low == case.high else f"{low} ... {high}"
                yield f"  case {bounds}: goto {_label(case.target)};"
        yield f"  default: goto {_label(statement.default)}; }}"

    def _return(self, statement: Returning, function: TypedFunction) -> str:
        if statement.value is not None:
            return f"return {self._value(statement.value)};"
        if function.result is None:
            return "return;"
        self._needs_no_value = True
        return "return no_value;"

    # ---- expressions --------------------------------------------------------------------------------------

    def _value(self, value: Expression) -> str:
        match value:
            case IntegerConstant(number, type_):
                if isinstance(type_, Pointer):
                    return f"(({self._spell(type_)}){number & (1 << type_.width) - 1}ul)"
                return _integer(number, type_)
            case FloatConstant():
                return value.text
            case SizeOf():
                return self._size(value)
            case Contents():
                return self._place(value.place)
            case AddressOf():
                return self._address(value)
            case FunctionAddress():
                return f"(&{self._function(value.function)})"
            case UnaryOperation():
                return f"({value.op}{self._value(value.operand)})"
            case BinaryOperation():
                return self._binary(value)
            case Cast() if is_list(value.type) and self._unit.model.pointer_width == 64:
                # An array, which is no type to cast to: the one that the pointer leads to, which decays to it.
                return f"(*({self._spell(value.type)} *){self._value(value.operand)})"
            case Cast():
                _refuse_rows(value.type, value.original.position)
                return f"(({self._spell(value.type)}){self._value(value.operand)})"
            case ShortCircuit():
                return f"({self._value(value.left)} {value.op} {self._value(value.right)})"
            case Selection():
                arms = f"{self._value(value.yes)} : {self._value(value.no)}"
                return f"({self._value(value.condition)} ? {arms})"
            case Comma():
                return f"((void){self._value(value.first)}, {self._value(value.second)})"
            case NoValue():
                return "((void)0)"

    def _binary(self, value: BinaryOperation) -> str:
        for operand in (value.left, value.right):
            if isinstance(operand.type, Pointer) and has_open_length(operand.type.target) and value.op in ("+", "-"):
                raise error(value.original.position, f"arithmetic with '{operand.type}'", Construct.LENGTH)
        text = f"({self._value(value.left)} {value.op} {self._value(value.right)})"
        narrow = isinstance(value.type, Integer) and value.type.width < self._unit.model.int_.width
        return f"(({self._spell(value.type)}){text})" if narrow or value.exact else text

    def _size(self, value: SizeOf) -> str:
        if value.value is not None:
            return _integer(value.value, value.type)
        word, _, way = value.operator.partition(" ")
        if word in ("_Alignof", "__alignof__", "__alignof") or is_list(value.of) or isinstance(value.of, StructureType):
            # Of a member it is not that of its type, nor is the size of a parameter; attributes may change a layout.
            raise error(value.original.position, f"{word} of {value.of}", Construct.RESULT)
        if isinstance(value.of, Array) and value.of.length is None:
            raise error(value.original.position, f"sizeof({value.of})", Construct.LENGTH)
        return f"(({self._spell(value.type)}){word}({self._spell(value.of)}{f', {way}' if way else ''}))"

    def _address(self, value: AddressOf) -> str:
        place = value.place
        element = self._element(place)
        if element is not None:
            return element.address(value)
        return f"(&{self._place(place)}{'[0]' if _is_first(value) else ''})"

    def _place(self, place: Place) -> str:
        match place:
            case ObjectPlace(symbol):
                if self._unit.texts and any(symbol is text for text in self._unit.texts.values()):
                    return str(symbol.initialiser.value) if symbol.initialiser is not None else ""
                return self._object(symbol)
            case TargetPlace():
                return f"(*{self._value(place.pointer)})"
            case ElementPlace():
                element = self._element(place)
                if element is not None:
                    return element.place(place)
                return f"{self._place(place.array)}[{self._value(place.index)}]"
            case MemberPlace():
                return f"{self._place(place.record)}.{place.name}"

    def _element(self, place: Place) -> VariableElement | None:
        """The part of an array of variable length that a place is; None of any other place."""
        indices: list[str] = []
        while isinstance(place, ElementPlace):
            indices.insert(0, self._value(place.index))
            place = place.array
        array = self._variable.get(place.object) if isinstance(place, ObjectPlace) else None
        return None if array is None else VariableElement(array, tuple(indices))


def _label(point: int) -> str:
    return f"at_{point}"


def _is_scalar(type_: Type) -> bool:
    return isinstance(type_, Integer | Pointer | Float)


def _is_first(address: AddressOf) -> bool:
    """Whether it is the address of the first element."""
    return isinstance(address.place.type, Array) and address.type.target != address.place.type


def _refuse_rows(type_: Type, position: Position) -> None:
    """A pointer to arrays in which a second length is not known has no type in plain C."""
    target: Type = type_.target if isinstance(type_, Pointer) else type_
    inner = target.element if isinstance(target, Array) and isinstance(type_, Pointer) else None
    if inner is not None and has_open_length(inner):
        raise error(position, f"'{type_}'", Construct.LENGTH)


def _integer(value: int, type_: Integer) -> str:
    """A constant that compilers give this type."""
    if type_.width == 128:
        high, low = value >> 64 & (1 << 64) - 1, value & (1 << 64) - 1
        return f"(({type_.name})((unsigned __int128){high}ull << 64 | {low}ull))"
    if value == type_.minimum and type_.signed and type_.width >= 32:
        suffix = _SUFFIXES[type_.name]
        return f"(({type_.name})(-{-(value + 1)}{suffix} - 1{suffix}))"
    if type_.name not in _SUFFIXES:
        return f"(({type_.name}){value})"
    suffix = _SUFFIXES[type_.name]
    return f"(-{-value}{suffix})" if value < 0 else f"{value}{suffix}"


def _designators(place: Place) -> str:
    """The way from an object to a part of it."""
    match place:
        case ElementPlace(index=IntegerConstant(value)):
            return f"{_designators(place.array)}[{value}]"
        case MemberPlace():
            return f"{_designators(place.record)}.{place.name}"
    return ""


def print_program(path: str, model: str, text: str | None = None) -> str:
    """The print of a program, in a file or in a ``text`` that ``path`` names."""

    def read() -> str:
        syntax = parse(path, model, text)
        if syntax.lexed.constructors or syntax.lexed.destructors:
            raise error(Position(path, 1, 1), "a constructor or destructor, in a print", Construct.ATTRIBUTE)
        return printed(syntax, Unit(path, Terms(), data_model(model), syntax.lexed))

    return on_own_stack(path, read)
