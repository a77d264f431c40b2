"""Abstract syntax of UPPAAL's language, as parsed: names are not resolved, nothing is typed.

Positions do not take part in comparisons, so that two readings of one text can be compared.
"""

from __future__ import annotations

from collections.abc import Mapping

from argosy.basics.position import NOWHERE, Position
from argosy.basics.records import dataclass, field
from argosy.frontends.uppaal.lexer import PlacedText


@dataclass(frozen=True, slots=True)
class SyntaxNode:
    position: Position = field(default=NOWHERE, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class NumberSyntax(SyntaxNode):
    value: int


@dataclass(frozen=True, slots=True)
class Truth(SyntaxNode):
    value: bool


@dataclass(frozen=True, slots=True)
class Refused(SyntaxNode):
    """An expression that parses but is not supported wherever it is used."""

    what: str


@dataclass(frozen=True, slots=True)
class NameSyntax(SyntaxNode):
    name: str


@dataclass(frozen=True, slots=True)
class IndexSyntax(SyntaxNode):
    array: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Member(SyntaxNode):
    owner: Expression
    name: str


@dataclass(frozen=True, slots=True)
class Apply(SyntaxNode):
    callee: Expression
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Prefix(SyntaxNode):
    """``operator``: ``-``, ``+`` or ``!``."""

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Infix(SyntaxNode):
    """Keywords are replaced by their symbols, except ``imply`` and ``xor``, which have none."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class ChoiceSyntax(SyntaxNode):
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class AssignSyntax(SyntaxNode):
    """``operator`` is "" for plain assignment, else the operator of the compound assignment."""

    operator: str
    target: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class StepSyntax(SyntaxNode):
    """``++`` or ``--``; the value is the new one where ``before``, else the old one."""

    operator: str
    before: bool
    target: Expression


@dataclass(frozen=True, slots=True)
class Quantified(SyntaxNode):
    """``forall``, ``exists`` or ``sum``."""

    kind: str
    name: str
    type: TypeExpression
    body: Expression


@dataclass(frozen=True, slots=True)
class Rate(SyntaxNode):
    clock: Expression


@dataclass(frozen=True, slots=True)
class DeadlockTest(SyntaxNode):
    pass


@dataclass(frozen=True, slots=True)
class Braces(SyntaxNode):
    """An initialiser ``{a, f: b}``; the names of fields are "" where absent."""

    items: tuple[tuple[str, Expression], ...]


Expression = (
    NumberSyntax
    | Truth
    | Refused
    | NameSyntax
    | IndexSyntax
    | Member
    | Apply
    | Prefix
    | Infix
    | ChoiceSyntax
    | AssignSyntax
    | StepSyntax
    | Quantified
    | Rate
    | DeadlockTest
    | Braces
)


@dataclass(frozen=True, slots=True)
class TypeExpression(SyntaxNode):
    """``base``: int, bool, clock, chan, void, scalar, struct, or "" for a named type (``name``).

    ``bounds`` are the range of an int (low, high) or the size of a scalar set.
    """

    base: str
    prefixes: frozenset[str] = frozenset()
    name: str = ""
    bounds: tuple[Expression, ...] = ()
    fields: tuple[VariableDeclaration, ...] = ()


@dataclass(frozen=True, slots=True)
class Declarator(SyntaxNode):
    """A dimension that is an expression may still turn out to name a type."""

    name: str
    dimensions: tuple[Expression | TypeExpression, ...] = ()
    initial: Expression | None = None


@dataclass(frozen=True, slots=True)
class VariableDeclaration(SyntaxNode):
    type: TypeExpression
    declarators: tuple[Declarator, ...]


@dataclass(frozen=True, slots=True)
class TypeDeclaration(SyntaxNode):
    type: TypeExpression
    declarators: tuple[Declarator, ...]


@dataclass(frozen=True, slots=True)
class ParameterDeclaration(SyntaxNode):
    """``old``: read as UPPAAL 3 reads it, where a parameter that is not const is a reference."""

    type: TypeExpression
    declarator: Declarator
    reference: bool
    old: bool = False


@dataclass(frozen=True, slots=True)
class FunctionDeclaration(SyntaxNode):
    type: TypeExpression
    name: str
    parameters: tuple[ParameterDeclaration, ...]
    body: BlockSyntax


@dataclass(frozen=True, slots=True)
class Instantiation(SyntaxNode):
    name: str
    parameters: tuple[ParameterDeclaration, ...]
    template: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class PriorityDeclaration(SyntaxNode):
    """Levels of channels, lowest first; None stands for ``default``."""

    levels: tuple[tuple[Expression | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Select(SyntaxNode):
    name: str
    type: TypeExpression


@dataclass(frozen=True, slots=True)
class LocationSyntax(SyntaxNode):
    name: str
    invariant: Expression | None = None
    urgent: bool = False
    committed: bool = False
    text: str = ""
    at: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class SynchronisationSyntax(SyntaxNode):
    channel: Expression
    sends: bool


@dataclass(frozen=True, slots=True)
class EdgeSyntax(SyntaxNode):
    """Source and target are names of locations."""

    source: str
    target: str
    selects: tuple[Select, ...] = ()
    guard: Expression | None = None
    synchronisation: SynchronisationSyntax | None = None
    updates: tuple[Expression, ...] = ()
    texts: tuple[str, str, str, str] = ("", "", "", "")
    nails: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class TemplateDeclaration(SyntaxNode):
    """``refusal``: a part that is not supported and matters as soon as the template is used."""

    name: str
    parameters: tuple[ParameterDeclaration, ...]
    declarations: tuple[Declaration, ...]
    locations: tuple[LocationSyntax, ...]
    initial: str | None
    edges: tuple[EdgeSyntax, ...]
    refusal: Refused | None = None


@dataclass(frozen=True, slots=True)
class UpdateHook(SyntaxNode):
    """``before_update`` or ``after_update``: what every action does besides the updates of its edges."""

    before: bool
    expressions: tuple[Expression, ...]


Declaration = (
    VariableDeclaration
    | TypeDeclaration
    | FunctionDeclaration
    | Instantiation
    | PriorityDeclaration
    | TemplateDeclaration
    | UpdateHook
    | Refused
)


@dataclass(frozen=True, slots=True)
class BlockSyntax(SyntaxNode):
    declarations: tuple[Declaration, ...]
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Do(SyntaxNode):
    """Expressions evaluated for their effects, in order; none for an empty statement."""

    expressions: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class For(SyntaxNode):
    first: tuple[Expression, ...]
    condition: Expression
    each: tuple[Expression, ...]
    body: Statement


@dataclass(frozen=True, slots=True)
class Iterate(SyntaxNode):
    name: str
    type: TypeExpression
    body: Statement


@dataclass(frozen=True, slots=True)
class LoopSyntax(SyntaxNode):
    """``while`` where ``test_first``, else ``do ... while``."""

    condition: Expression
    body: Statement
    test_first: bool


@dataclass(frozen=True, slots=True)
class Branch(SyntaxNode):
    condition: Expression
    then: Statement
    otherwise: Statement | None


@dataclass(frozen=True, slots=True)
class Leave(SyntaxNode):
    value: Expression | None


@dataclass(frozen=True, slots=True)
class JumpSyntax(SyntaxNode):
    """``break`` where it ``leaves`` the loop or ``switch``, else ``continue``."""

    leaves: bool


@dataclass(frozen=True, slots=True)
class SwitchSyntax(SyntaxNode):
    """Each case has its label (None: ``default``) and the statements up to the next one."""

    value: Expression
    cases: tuple[tuple[Expression | None, tuple[Statement, ...]], ...]


Statement = BlockSyntax | Do | For | Iterate | LoopSyntax | Branch | Leave | JumpSyntax | SwitchSyntax | Refused


@dataclass(frozen=True, slots=True)
class SystemLine(SyntaxNode):
    """Levels of priority, lowest first; each is a list of names with their positions."""

    levels: tuple[tuple[NameSyntax, ...], ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A file as parsed. ``scenarios`` are names of live sequence charts, which are no part of the system; ``labels``
    those of locations (process and name), which queries may speak of."""

    file: str
    declarations: tuple[Declaration, ...]
    system: SystemLine
    queries: tuple[PlacedText, ...] = ()
    scenarios: frozenset[str] = frozenset()
    labels: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
