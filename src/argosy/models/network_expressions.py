"""Integer expressions, clock constraints and statements of a network of timed automata.

Everything is resolved: a name has become a slot, an array element an offset with a bounds check, a record a run of
consecutive slots, a constant its value, a quantifier the conjunction, disjunction or sum it stands for.

**Places.** Integer variables, clocks and channels are each numbered in one sequence. A ``NetworkPlace`` names one of
them: ``base`` plus, for each subscript, ``(index - low) * stride``. An index outside ``low .. low + size - 1`` is a
model error. Integer slots below ``len(network.variables)`` are the state vector; the slots after them are scratch
memory for parameters and locals of functions (functions do not recur, so each has one fixed frame). Clock 0 is the
reference clock, which is always zero.

**Values** are integers. Every operation is exact on mathematical integers, and a result outside the signed 32-bit
range is a model error, as are division and remainder by zero and a negative shift count. ``/`` rounds towards zero
and ``%`` takes the sign of the dividend (as in C); ``>>`` is arithmetic; comparisons and the logical operators give 0
or 1; ``&&``, ``||`` and ``?:`` do not evaluate what they do not need. Operands, arguments and subscripts are evaluated
from left to right; in an assignment the subscripts of the target come before the value.

**Range.** Storing a value outside the range of its slot (assignment, copy, parameter) and returning a value outside
the range of the result are model errors. Storing into a boolean goes through ``!= 0``, which the front end writes out.
"""

from __future__ import annotations

from typing import Literal

from argosy.basics.position import NOWHERE, Position
from argosy.basics.records import dataclass, field

UnaryOperator = Literal["-", "!"]
BinaryOperator = Literal[
    "+",
    "-",
    "*",
    "/",
    "%",
    "&",
    "|",
    "^",
    "<<",
    ">>",
    "<?",
    ">?",
    "<",
    "<=",
    "==",
    "!=",
    ">=",
    ">",
    "&&",
    "||",
]
ClockRelation = Literal["<", "<=", "==", ">=", ">"]

INTEGER_LOW = -(2**31)
INTEGER_HIGH = 2**31 - 1
LOOP_LIMIT = 1_000_000
"""Rounds of loops that one evaluation of a guard, invariant or transition may take before it is a model error."""


@dataclass(frozen=True, slots=True)
class Subscript:
    index: Expression
    low: int
    size: int
    stride: int
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class NetworkPlace:
    base: int
    subscripts: tuple[Subscript, ...] = ()


@dataclass(frozen=True, slots=True)
class Constant:
    value: int


@dataclass(frozen=True, slots=True)
class Read:
    place: NetworkPlace


@dataclass(frozen=True, slots=True)
class Unary:
    operator: UnaryOperator
    operand: Expression
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Binary:
    operator: BinaryOperator
    left: Expression
    right: Expression
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Conditional:
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Assignment:
    """An expression with an effect: stores ``value`` and has the stored value. Occurs in updates and functions only."""

    target: NetworkPlace
    value: Expression
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class ArrayRun:
    """``size`` consecutive slots handed by value to a parameter that is an array or a record."""

    place: NetworkPlace
    size: int


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """All arguments are evaluated, then stored into the parameters' slots, then the body runs.

    ``function`` indexes ``Network.functions``. A void function (and one that ends without return) gives 0."""

    function: int
    arguments: tuple[Expression | ArrayRun, ...]
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class AtLocation:
    """1 if the process is in the location, else 0. Occurs in queries only."""

    process: int
    location: int


Expression = Constant | Read | Unary | Binary | Conditional | Assignment | FunctionCall | AtLocation

TRUE = Constant(1)
FALSE = Constant(0)


@dataclass(frozen=True, slots=True)
class ClockAtom:
    """``condition`` implies ``left - right relation bound``, where left and right are clocks (0: the reference clock).

    ``x < 5`` is ``x - 0 < 5``. Subscripts and bound are evaluated only where ``condition`` is not zero.
    """

    left: NetworkPlace
    right: NetworkPlace
    relation: ClockRelation
    bound: Expression
    condition: Expression = TRUE
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Constraint:
    """A guard or an invariant: the integer condition and every atom; where the condition is 0 no atom is evaluated."""

    condition: Expression = TRUE
    atoms: tuple[ClockAtom, ...] = ()


UNCONSTRAINED = Constraint()


@dataclass(frozen=True, slots=True)
class Evaluate:
    """An assignment, or a call for its effect."""

    expression: Expression


@dataclass(frozen=True, slots=True)
class Copy:
    """Both places are evaluated once (target first), then ``size`` slots are copied in order, each with its range."""

    target: NetworkPlace
    source: NetworkPlace
    size: int
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Reset:
    """The clock takes an integer value; a negative one is a model error. The last reset of a clock in a step counts."""

    clock: NetworkPlace
    value: Expression
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class If:
    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class While:
    """``test_first`` is false for ``do ... while``. ``for`` loops are written out with this one."""

    condition: Expression
    body: tuple[Statement, ...]
    test_first: bool = True
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Return:
    value: Expression | None = None
    position: Position = field(default=NOWHERE, compare=False)


Statement = Evaluate | Copy | Reset | If | While | Return


@dataclass(frozen=True, slots=True)
class Parameter:
    """``size`` slots of scratch memory from ``slot``; reference parameters are resolved and have no slot."""

    slot: int
    size: int = 1


@dataclass(frozen=True, slots=True)
class NetworkFunction:
    """``low`` and ``high`` bound the result; a void function has (0, 0). ``effects``: writes state slots or clocks."""

    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...]
    low: int
    high: int
    effects: bool
    position: Position = field(default=NOWHERE, compare=False)
