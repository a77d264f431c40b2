"""Random C expressions without unsequenced effects.

Every expression is drafted together with the variables it reads and writes. Two operands whose order C leaves open
must not disturb each other: what the first writes the second neither reads nor writes, and the reverse. Operators
with a sequence point (``&&``, ``||``, ``?:``, comma) are free of this restriction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from .syntax import Phrase


@dataclass(frozen=True, slots=True)
class CType:
    """An integer type of C as gcc on x86 has it; ``choice`` is the suffix of its ``__VERIFIER_nondet_`` function."""

    name: str
    width: int
    signed: bool
    choice: str = ""

    @property
    def low(self) -> int:
        return -(1 << (self.width - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        return (1 << (self.width - 1)) - 1 if self.signed else (1 << self.width) - 1

    def wrap(self, value: int) -> int:
        return (value - self.low) % (1 << self.width) + self.low


def c_types(data_model: str) -> tuple[CType, ...]:
    long = 64 if data_model == "LP64" else 32
    return (
        CType("int", 32, True, "int"),
        CType("unsigned int", 32, False, "uint"),
        CType("char", 8, True, "char"),
        CType("signed char", 8, True),
        CType("unsigned char", 8, False, "uchar"),
        CType("short", 16, True, "short"),
        CType("unsigned short", 16, False, "ushort"),
        CType("long", long, True, "long"),
        CType("unsigned long", long, False, "ulong"),
        CType("long long", 64, True, "longlong"),
        CType("unsigned long long", 64, False, "ulonglong"),
        CType("_Bool", 1, False, "bool"),
    )


@dataclass(eq=False, slots=True)
class Name:
    """A variable in scope. ``locked`` counts the loops that rely on nobody else writing it. What lies in an array or a
    structure counts as one variable, with many ``spellings``."""

    text: str
    ctype: CType
    writable: bool = True
    locked: int = 0
    spellings: tuple[str, ...] = ()

    def spelt(self, random: Random) -> str:
        return random.choice(self.spellings) if self.spellings else self.text


Names = frozenset[Name]
NONE: Names = frozenset()


@dataclass(eq=False, slots=True)
class Routine:
    """A function that may be called: what it reads and writes outside itself, what it calls included.

    ``asserts``: the error may be reached inside, so that nothing undefined may stand unsequenced beside a call.
    """

    text: str
    result: CType | None
    parameters: tuple[CType, ...]
    reads: frozenset[Name] = frozenset()
    writes: frozenset[Name] = frozenset()
    asserts: bool = False
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Draft:
    phrase: Phrase
    reads: frozenset[Name] = frozenset()
    writes: frozenset[Name] = frozenset()


@dataclass(slots=True)
class Scope:
    """What an expression may mention: the visible variables by name, functions, enumerators."""

    layers: list[dict[str, Name]] = field(default_factory=lambda: [{}])
    routines: list[Routine] = field(default_factory=list)
    enumerators: list[str] = field(default_factory=list)

    def visible(self) -> list[Name]:
        names: dict[str, Name] = {}
        for layer in self.layers:
            names.update(layer)
        return list(names.values())


def literal(text: str) -> Phrase:
    """A constant. The oracle reads it, as it reads variables, through volatile storage (K, V), and stores the result
    of every operation (W): gcc folds ``-x == x`` and narrows ``(char)(a * b)`` before the sanitizer sees them."""
    return Phrase(text, oracle=f"K({text})")


def spell(value: int) -> str:
    """A constant expression of the given value, of whatever type C gives it."""
    if value == -(1 << 63):
        return "(-9223372036854775807LL - 1)"
    suffix = "ULL" if value > (1 << 63) - 1 else "LL" if abs(value) > (1 << 31) - 1 else ""
    return f"({value}{suffix})" if value < 0 else f"{value}{suffix}"


_LARGE = (
    "2147483647",
    "(-2147483647 - 1)",
    "4294967295U",
    "0x80000000",
    "9223372036854775807LL",
    "18446744073709551615ULL",
    "2147483648",
    "0x7fff",
    "65535",
    "(-32768)",
    "0xffffffffL",
)
_SMALL = (
    "0", "1", "2", "3", "4", "5", "7", "8", "10", "(-1)", "(-2)", "(-3)", "1U", "3UL", "2LL", "'a'", "'\\xff'", "017",
)  # fmt: skip
_MEDIUM = ("100", "127", "128", "200", "255", "256", "0x1F", "1000", "(-128)", "(-100)", "40000", "'~'", "070")


def _stored(form: str) -> str:
    """How the oracle writes ``(a op b)``. The operands of a division are promoted and stored as well: gcc divides a
    _Bool by a _Bool as such, and then does not check the divisor."""
    left, operator, right = form[1:-1].split(" ", 2)
    return f"W(W(+{left}) {operator} W(+{right}))" if operator in "/%" else f"W{form}"


@dataclass(slots=True)
class Expressions:
    """Draws expressions over a scope. ``choice_budget`` nondeterministic values may still be used on this line."""

    random: Random
    scope: Scope
    types: tuple[CType, ...]
    call_budget: int = 0
    choice_budget: int = 0

    def draw(self, depth: int, no_read: Names = NONE, no_write: Names = NONE) -> Draft:
        """An expression that reads nothing in ``no_read`` and writes nothing in ``no_write``."""
        if depth <= 0 or self.random.random() < 0.15:
            return self._leaf(no_read)
        kind = self.random.choices(
            ("arithmetic", "compare", "logic", "unary", "cast", "divide", "shift", "conditional", "comma", "assign",
             "step", "call", "sizeof", "expect", "bits", "choice"),
            (26, 14, 10, 8, 8, 5, 6, 5, 3, 6, 10, 10, 2, 1, 10, 4),
        )[0]  # fmt: skip
        drafted = getattr(self, f"_{kind}")(depth - 1, no_read, no_write)
        return drafted if drafted is not None else self._leaf(no_read)

    def pure(self, depth: int) -> Draft:
        """An expression without effects and without calls."""
        calls, choices = self.call_budget, self.choice_budget
        self.call_budget = self.choice_budget = 0
        drafted = self.draw(depth, frozenset(), frozenset(self.scope.visible()))
        self.call_budget, self.choice_budget = calls, choices
        return drafted

    def condition(self, depth: int) -> Draft:
        if self.random.random() < 0.6:
            return self._compare(depth, frozenset(), frozenset())
        return self.draw(depth)

    def constant(self) -> str:
        pool = self.random.choices((_SMALL, _MEDIUM, _LARGE), (80, 14, 6))[0]
        return self.random.choice(pool)

    # ---- leaves -------------------------------------------------------------------------------------------

    def _leaf(self, no_read: frozenset[Name]) -> Draft:
        names = [name for name in self.scope.visible() if name not in no_read]
        if names and self.random.random() < 0.72:
            name = self.random.choice(names)
            text = name.spelt(self.random)
            return Draft(Phrase(text, oracle=f"V({text})"), frozenset((name,)))
        if self.scope.enumerators and self.random.random() < 0.15:
            return Draft(literal(self.random.choice(self.scope.enumerators)))
        return Draft(literal(self.constant()))

    def _choice(self, depth: int, no_read: Names, no_write: Names) -> Draft | None:
        """A nondeterministic value of which the expression uses so little that a few values stand for all."""
        if self.choice_budget <= 0:
            return None
        self.choice_budget -= 1
        ctype = self.random.choice([t for t in self.types if t.choice])
        if ctype.width == 1:
            return Draft(choice(ctype, (0, 1)))
        mask = self.random.choice((1, 3, 2, 5))
        domain = tuple(v for v in range(mask + 1) if v & ~mask == 0)
        return Draft(Phrase("({0} & {1})", (choice(ctype, domain), literal(str(mask)))))

    def _sizeof(self, depth: int, no_read: Names, no_write: Names) -> Draft:
        if self.random.random() < 0.5:
            return Draft(literal(f"sizeof({self.random.choice(self.types).name})"))
        # The operand is not evaluated: its effects must not happen. It is dropped from reads and writes.
        calls, choices = self.call_budget, self.choice_budget
        self.call_budget = self.choice_budget = 0
        operand = self.draw(depth, frozenset(), frozenset())
        self.call_budget, self.choice_budget = calls, choices
        return Draft(Phrase("sizeof({0})", (operand.phrase,)))

    # ---- operators ----------------------------------------------------------------------------------------

    def _binary(self, form: str, depth: int, no_read: Names, no_write: Names, right: Draft | None = None) -> Draft:
        left = self.draw(depth, no_read, no_write)
        if right is None:
            right = self.draw(depth, no_read | left.writes, no_write | left.reads | left.writes)
        phrase = Phrase(form, (left.phrase, right.phrase), _stored(form))
        return Draft(phrase, left.reads | right.reads, left.writes | right.writes)

    def _arithmetic(self, depth: int, no_read: Names, no_write: Names) -> Draft:
        operator = self.random.choices(("+", "-", "*"), (5, 4, 2))[0]
        return self._binary(f"({{0}} {operator} {{1}})", depth, no_read, no_write)

    def _bits(self, depth: int, no_read: Names, no_write: Names) -> Draft:
        operator = self.random.choice("&|^")
        return self._binary(f"({{0}} {operator} {{1}})", depth, no_read, no_write)

    def _compare(self, depth: int, no_read: Names, no_write: Names) -> Draft:
        operator = self.random.choice(("<", "<=", ">", ">=", "==", "!="))
        return self._binary(f"({{0}} {operator} {{1}})", depth, no_read, no_write)

    def _divide(self, depth: int, no_read: Names, no_write: Names) -> Draft:
        operator = self.random.choice("/%")
        style = self.random.random()
        if style < 0.5:
            divisor = Draft(
                literal(self.random.choice(("2", "3", "4", "(-2)", "(-1)", "7", "5U", "(-3)", "256", "10LL")))
            )
            return self._binary(f"({{0}} {operator} {{1}})", depth, no_read, no_write, divisor)
        return self._binary(f"({{0}} {operator} ({{1}}{' | 1' if style < 0.92 else ''}))", depth, no_read, no_write)

    def _shift(self, depth: int, no_read: Names, no_write: Names) -> Draft:
        operator = self.random.choice((">>", ">>", "<<"))
        style = self.random.random()
        if style < 0.5:
            amount = Draft(literal(self.random.choice(("0", "1", "1", "2", "2", "3", "7", "8", "16", "31", "1U"))))
            return self._binary(f"({{0}} {operator} {{1}})", depth, no_read, no_write, amount)
        return self._binary(f"({{0}} {operator} ({{1}}{' & 7' if style < 0.97 else ''}))", depth, no_read, no_write)

    def _unary(self, depth: int, no_read: Names, no_write: Names) -> Draft:
        operand = self.draw(depth, no_read, no_write)
        operator = self.random.choice("-~!!+")
        form = f"({operator}{{0}})"
        return Draft(Phrase(form, (operand.phrase,), f"W{form}"), operand.reads, operand.writes)

    def _cast(self, depth: int, no_read: Names, no_write: Names) -> Draft:
        operand = self.draw(depth, no_read, no_write)
        ctype = self.random.choice(self.types)
        return Draft(Phrase(f"(({ctype.name}){{0}})", (operand.phrase,)), operand.reads, operand.writes)

    def _expect(self, depth: int, no_read: Names, no_write: Names) -> Draft:
        operand = self.draw(depth, no_read, no_write)
        return Draft(Phrase("__builtin_expect({0}, 1)", (operand.phrase,)), operand.reads, operand.writes)

    def _sequenced(self, form: str, count: int, depth: int, no_read: Names, no_write: Names) -> Draft:
        drafts = [self.draw(depth, no_read, no_write) for _ in range(count)]
        return Draft(
            Phrase(form, tuple(d.phrase for d in drafts)),
            frozenset().union(*(d.reads for d in drafts)),
            frozenset().union(*(d.writes for d in drafts)),
        )

    def _logic(self, depth: int, no_read: Names, no_write: Names) -> Draft:
        return self._sequenced(f"({{0}} {self.random.choice(('&&', '||'))} {{1}})", 2, depth, no_read, no_write)

    def _conditional(self, depth: int, no_read: Names, no_write: Names) -> Draft:
        return self._sequenced("({0} ? {1} : {2})", 3, depth, no_read, no_write)

    def _comma(self, depth: int, no_read: Names, no_write: Names) -> Draft:
        return self._sequenced("({0}, {1})", 2, depth, no_read, no_write)

    # ---- effects ------------------------------------------------------------------------------------------

    def writable(self, no_write: Names = NONE) -> list[Name]:
        return [n for n in self.scope.visible() if n.writable and not n.locked and n not in no_write]

    def assignment(self, target: Name, depth: int, no_read: Names = NONE, no_write: Names = NONE) -> Draft:
        operators = ("", "+", "-", "*", "|", "&", "^", "<<", ">>", "/", "%")
        operator = self.random.choices(operators, (60, 15, 10, 4, 4, 4, 4, 1, 2, 1, 1))[0]
        value = self.draw(depth, no_read, no_write | {target})
        # The oracle writes compound assignments out, for the same reason as W.
        text = target.spelt(self.random)
        oracle = f"{text} = {_stored(f'(V({text}) {operator} {{0}})')}" if operator else None
        reads = value.reads | {target} if operator else value.reads
        phrase = Phrase(f"{text} {operator}= {{0}}", (value.phrase,), oracle)
        return Draft(phrase, reads, value.writes | {target})

    def _assign(self, depth: int, no_read: Names, no_write: Names) -> Draft | None:
        names = self.writable(no_write | no_read)
        if not names:
            return None
        drafted = self.assignment(self.random.choice(names), depth, no_read, no_write)
        return Draft(Phrase("({0})", (drafted.phrase,)), drafted.reads, drafted.writes)

    def _step(self, depth: int, no_read: Names, no_write: Names) -> Draft | None:
        names = self.writable(no_write | no_read)
        if not names:
            return None
        name = self.random.choice(names)
        text = self.random.choice(("({}++)", "(++{})", "({}--)", "(--{})")).format(name.spelt(self.random))
        return Draft(Phrase(text), frozenset((name,)), frozenset((name,)))

    def callable(self, no_read: Names, no_write: Names, with_error: bool = False) -> list[Routine]:
        return [
            routine
            for routine in self.scope.routines
            if routine.weight <= self.call_budget
            and (with_error or not routine.asserts)
            and not routine.reads & no_read
            and not routine.writes & (no_write | no_read)
            and not any(name.locked for name in routine.writes)
        ]

    def _call(self, depth: int, no_read: Names, no_write: Names) -> Draft | None:
        routines = [r for r in self.callable(no_read, no_write) if r.result is not None]
        if not routines:
            return None
        return self.call(self.random.choice(routines), depth, no_read, no_write)

    def call(self, routine: Routine, depth: int, no_read: Names, no_write: Names) -> Draft:
        self.call_budget -= routine.weight
        reads, writes, arguments = routine.reads, routine.writes, []
        seen_reads: frozenset[Name] = frozenset()
        seen_writes: frozenset[Name] = frozenset()
        for _ in routine.parameters:
            if routine.asserts:
                argument = self._leaf(no_read)
            else:
                argument = self.draw(depth, no_read | seen_writes, no_write | seen_reads | seen_writes)
            arguments.append(argument.phrase)
            seen_reads |= argument.reads
            seen_writes |= argument.writes
        holes = ", ".join(f"{{{i}}}" for i in range(len(arguments)))
        return Draft(Phrase(f"{routine.text}({holes})", tuple(arguments)), reads | seen_reads, writes | seen_writes)


def choice(ctype: CType, domain: Sequence[int], call: str = "") -> Phrase:
    """A nondeterministic value of a type; ``domain`` must stand for all values of the type."""
    values = ", ".join(spell(value) for value in domain)
    oracle = f"(({ctype.name})PICK({values}))"
    return Phrase(call or f"__VERIFIER_nondet_{ctype.choice}()", oracle=oracle, domain=tuple(domain))
