"""The typed form of a C program: between the parser's tree and the automaton, everything that C leaves unsaid is said.

The tree is *elaborated* into this form (``elaborate``), and the automaton is made of the form and of nothing else
(``lower``). The form is C again, of a very plain kind, and can be printed as such (``print``): compiled, it computes
what the original computes, which is how the elaboration is tested. In words:

* **Expressions** have a type and no effect. Every conversion is written out: integer promotions, the usual arithmetic
  conversions, conversions of arguments, results and assigned values, arrays and functions that become pointers. The
  operands of an arithmetic operator have its type, those of a comparison one type. ``&&``, ``||`` and ``?:`` are
  expressions where neither operand has an effect, and jumps otherwise.
* **Places** are what lvalues designate: objects, parts of places, what pointers lead to.
* **Statements** are the effects, one each, in the order in which they happen (left to right where C leaves it open):
  assignment, call, beginning of a lifetime, jump. A function is a list of them; loops and choices are jumps between
  the points of the list. What was read before a later effect of the same expression may change it is assigned to a
  temporary object. Jumps over declarations begin the lifetimes of what they jump over.

Types that the text does not mention (of ``sizeof``, ``typeof``, ``_Generic``, of an enumeration, of a narrow bit field
in arithmetic) have become types or numbers. What the form does not know is what is modelled: there are floating
numbers, bit fields and calls of whatever function in it.

Each part knows its ``original``: where and how it was written.
"""

from __future__ import annotations

from collections.abc import Iterator

from argosy.basics.records import dataclass
from argosy.frontends.c.library import ForeignReach
from argosy.frontends.c.original import Original
from argosy.frontends.c.symbols import FunctionName, Object
from argosy.frontends.c.types import VOID, Float, Function, Integer, Pointer, Type, Void

# ---- expressions ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class IntegerConstant:
    """A number; as a pointer it is an address that the text gives."""

    value: int
    type: Integer | Pointer
    original: Original


@dataclass(frozen=True, slots=True)
class FloatConstant:
    text: str
    type: Float
    original: Original


@dataclass(frozen=True, slots=True)
class SizeOf:
    """The size or the alignment ``of`` a type; ``value`` is None where it is not known. ``operator`` is the word."""

    operator: str
    of: Type
    value: int | None
    type: Integer
    original: Original


@dataclass(frozen=True, slots=True)
class Contents:
    """What a place holds."""

    place: Place
    type: Type
    original: Original


@dataclass(frozen=True, slots=True)
class AddressOf:
    """The address of a place; of the first element, where the place is an array and the pointer leads to its type."""

    place: Place
    type: Pointer
    original: Original


@dataclass(frozen=True, slots=True)
class FunctionAddress:
    function: FunctionName
    type: Pointer
    original: Original


@dataclass(frozen=True, slots=True)
class UnaryOperation:
    """``-``, ``~`` and ``!``; the operand has the type of the result but for ``!``."""

    op: str
    operand: Expression
    type: Type
    original: Original


@dataclass(frozen=True, slots=True)
class BinaryOperation:
    """Both operands have the type of the result, or one type where that is compared; the amount of a shift has its own,
    and so has the integer that is added to a pointer. What is ``exact`` is known to be defined."""

    op: str
    left: Expression
    right: Expression
    type: Type
    original: Original
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Cast:
    operand: Expression
    type: Type
    original: Original


@dataclass(frozen=True, slots=True)
class ShortCircuit:
    """``&&`` and ``||``: the right operand is evaluated only if the left one does not decide."""

    op: str
    left: Expression
    right: Expression
    type: Integer
    original: Original


@dataclass(frozen=True, slots=True)
class Selection:
    """``c ? a : b``: one of the two is evaluated."""

    condition: Expression
    yes: Expression
    no: Expression
    type: Type
    original: Original


@dataclass(frozen=True, slots=True)
class Comma:
    """The first operand is evaluated for nothing."""

    first: Expression
    second: Expression
    type: Type
    original: Original


@dataclass(frozen=True, slots=True)
class NoValue:
    """Of what is ``void`` when its effects are done."""

    original: Original
    type: Void = VOID


Expression = (
    IntegerConstant
    | FloatConstant
    | SizeOf
    | Contents
    | AddressOf
    | FunctionAddress
    | UnaryOperation
    | BinaryOperation
    | Cast
    | ShortCircuit
    | Selection
    | Comma
    | NoValue
)

# ---- places ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ObjectPlace:
    """A whole object."""

    object: Object
    original: Original

    @property
    def type(self) -> Type:
        return self.object.type

    @property
    def qualifiers(self) -> frozenset[str]:
        return self.object.qualifiers


@dataclass(frozen=True, slots=True)
class TargetPlace:
    """What a pointer leads to."""

    pointer: Expression
    type: Type
    qualifiers: frozenset[str]
    original: Original


@dataclass(frozen=True, slots=True)
class ElementPlace:
    """An element of an array; the index is promoted."""

    array: Place
    index: Expression
    type: Type
    qualifiers: frozenset[str]
    original: Original


@dataclass(frozen=True, slots=True)
class MemberPlace:
    """A member of a structure or union, by a name that may be that of a member of a nameless member."""

    record: Place
    name: str
    type: Type
    qualifiers: frozenset[str]
    original: Original
    is_bit_field: bool = False


Place = ObjectPlace | TargetPlace | ElementPlace | MemberPlace

# ---- statements -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Assigning:
    """The value has the type of the place; what ``initialises`` an object may be written only once."""

    place: Place
    value: Expression
    original: Original
    initialises: bool = False


@dataclass(frozen=True, slots=True)
class Clearing:
    """All of a place but the ``given`` parts, which are assigned next, is zero."""

    place: Place
    given: tuple[Place, ...]
    original: Original


@dataclass(frozen=True, slots=True)
class Calling:
    """A call of a function by its name; afterwards the ``result`` has the value."""

    function: FunctionName
    arguments: tuple[Expression, ...]
    result: Object | None
    original: Original


@dataclass(frozen=True, slots=True)
class PointerCalling:
    """A call of the function that a pointer leads to."""

    pointer: Expression
    type: Function
    arguments: tuple[Expression, ...]
    result: Object | None
    original: Original


@dataclass(frozen=True, slots=True)
class NextArgument:
    """``va_arg``: the next argument of a list that is not known. Lists of the numbers that are ``missing`` have no such
    argument; control does not go on where such numbers are known. Where one is ``absent`` all are."""

    arguments: Expression
    result: Object
    original: Original
    missing: tuple[int, ...] = ()
    absent: bool = False


@dataclass(frozen=True, slots=True)
class AssemblerText:
    """What was written: the ``code`` behind the word ``asm``, the ``constraints`` of outputs and inputs with their
    names, and what is clobbered, None where the code has no operands."""

    code: str
    constraints: tuple[str, ...]
    clobbered: str | None


@dataclass(frozen=True, slots=True)
class AssemblerCode:
    """Its ``outputs`` get any values, and so does what it may ``reach``; without that it may do anything. Without a
    ``text`` it jumps, or is none that compilers know."""

    outputs: tuple[Place, ...]
    inputs: tuple[Expression, ...]
    text: AssemblerText | None
    reach: ForeignReach | None
    original: Original


@dataclass(frozen=True, slots=True)
class Lifetime:
    """An object begins to exist and has any value. Of an array of variable length the ``lengths`` are those of all its
    dimensions, where no effect is needed to know them."""

    object: Object
    lengths: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Ended:
    """Control leaves the blocks of some objects, which end there. What ends with the call is not named."""

    objects: tuple[Object, ...]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The value is computed here. At the end of a statement nobody needs it; elsewhere it is that of an operand, and
    the same when later effects are done."""

    value: Expression
    original: Original
    ends: bool = True


@dataclass(frozen=True, slots=True)
class Designation:
    """What a place designates is found here, and is the same when later effects are done."""

    place: Place
    original: Original


@dataclass(frozen=True, slots=True)
class LabelPoint:
    """A point that jumps may go to; ``name`` is that of a label of the text, ``loop`` the number of the loop whose
    rounds begin here; of a loop that is tested at its end, ``~loop`` is where it is tested."""

    point: int
    name: str = ""
    original: Original | None = None
    loop: int | None = None


@dataclass(frozen=True, slots=True)
class WitnessPoint:
    """A place that a witness speaks of, and the condition there: a ``claim`` is to hold whenever control is here, a
    waypoint is passed where it does. It changes nothing."""

    name: str
    claim: bool
    condition: Expression | None
    original: Original


@dataclass(frozen=True, slots=True)
class Jump:
    target: int


@dataclass(frozen=True, slots=True)
class Branching:
    """Control goes to ``yes`` if the condition is not zero, and to ``no`` otherwise."""

    condition: Expression
    yes: int
    no: int
    original: Original


@dataclass(frozen=True, slots=True)
class SwitchCase:
    """Values from ``low`` to ``high``, both of the type of the switch."""

    low: int
    high: int
    target: int
    original: Original


@dataclass(frozen=True, slots=True)
class SwitchJump:
    value: Expression
    cases: tuple[SwitchCase, ...]
    default: int
    original: Original


@dataclass(frozen=True, slots=True)
class Returning:
    """``value`` has the type of the result. Control may ``fall`` off the end without one."""

    value: Expression | None
    original: Original
    falls: bool = False


Statement = (
    Assigning
    | Clearing
    | Calling
    | PointerCalling
    | NextArgument
    | AssemblerCode
    | Lifetime
    | Ended
    | Evaluation
    | Designation
    | LabelPoint
    | WitnessPoint
    | Jump
    | Branching
    | SwitchJump
    | Returning
)


@dataclass(frozen=True, slots=True)
class InitialPart:
    """A part of an object that lives as long as the program, with the constant that it starts with."""

    place: Place
    value: Expression


@dataclass(frozen=True, slots=True)
class TypedFunction:
    """A function with a body: its statements, and what callers share with it."""

    function: FunctionName
    parameters: tuple[Object, ...]
    result: Object | None
    statements: tuple[Statement, ...]


# ---- looking at it --------------------------------------------------------------------------------------------------


def operands(part: Expression | Place) -> tuple[Expression | Place, ...]:
    """The parts directly below."""
    match part:
        case Contents() | AddressOf():
            return (part.place,)
        case UnaryOperation() | Cast():
            return (part.operand,)
        case BinaryOperation() | ShortCircuit():
            return (part.left, part.right)
        case Selection():
            return (part.condition, part.yes, part.no)
        case Comma():
            return (part.first, part.second)
        case TargetPlace():
            return (part.pointer,)
        case ElementPlace():
            return (part.array, part.index)
        case MemberPlace():
            return (part.record,)
    return ()


def roots(statement: Statement) -> tuple[Expression | Place, ...]:
    """The expressions and places of a statement."""
    match statement:
        case Assigning():
            return (statement.place, statement.value)
        case Clearing():
            return (statement.place, *statement.given)
        case Calling():
            return statement.arguments
        case PointerCalling():
            return (statement.pointer, *statement.arguments)
        case NextArgument():
            return (statement.arguments,)
        case Evaluation() | SwitchJump():
            return (statement.value,)
        case Designation():
            return (statement.place,)
        case Branching():
            return (statement.condition,)
        case AssemblerCode():
            return (*statement.outputs, *statement.inputs)
        case Lifetime():
            return statement.lengths
        case WitnessPoint(condition=condition) if condition is not None:
            return (condition,)
        case Returning(value) if value is not None:
            return (value,)
    return ()


def parts(whole: Expression | Place) -> Iterator[Expression | Place]:
    """The whole and everything below, in the order of the text."""
    stack = [whole]
    while stack:
        part = stack.pop()
        yield part
        stack.extend(reversed(operands(part)))


def is_constant(value: Expression) -> bool:
    """Whether the value is one for all executions: nothing is read for it."""
    return not any(isinstance(part, Contents) for part in parts(value))
