"""Parser of types and expressions, by precedence climbing; terms are built on the way.

As in the grammars, ``not`` binds weaker than comparisons (``not x = 1`` is ``not (x = 1)``), comparisons and shifts do
not chain, and ``if`` needs parentheses inside an operation.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from argosy.basics.errors import InputError
from argosy.basics.records import dataclass, field
from argosy.frontends.theta.dialects import CONCAT, EQUAL, IFF, NOT, RIGHT, SINGLE, Dialect
from argosy.frontends.theta.lexer import ThetaText, ThetaToken
from argosy.frontends.theta.operations import Operations
from argosy.frontends.theta.types import (
    RATIONAL,
    TRUTH,
    WIDEST,
    ThetaType,
    Typed,
    array_of,
    floating,
    vector,
)
from argosy.logic.float_circuits import Rounding
from argosy.logic.terms import Terms

_NESTING_LIMIT = 100


@dataclass
class ThetaParser:
    """A cursor over the tokens of one text; every method consumes what it names. ``resolve`` says what a name stands
    for, ``prime`` what a value is in the next state, ``named_types`` are the types that the text declares."""

    text: ThetaText
    terms: Terms
    dialect: Dialect
    resolve: Callable[[ThetaToken], Typed] = field(init=False)
    prime: Callable[[Typed], Typed] | None = None
    named_types: dict[str, ThetaType] = field(default_factory=dict)
    operations: Operations = field(init=False)

    def __post_init__(self) -> None:
        self._tokens = self.text.tokens(self.dialect.words)
        self.at = 0
        self._depth = 0
        self.operations = Operations(self.text, self.terms)

    # ---- the cursor ---------------------------------------------------------------------------------------

    @property
    def token(self) -> ThetaToken:
        return self._tokens[self.at]

    def following(self, distance: int = 1) -> ThetaToken:
        return self._tokens[min(self.at + distance, len(self._tokens) - 1)]

    def fail(self, expected: str) -> InputError:
        return self.text.error(self.token.offset, f"expected {expected}, found {self.token.text}")

    def accept(self, kind: str) -> ThetaToken | None:
        if self.token.kind != kind:
            return None
        return self.take()

    def take(self) -> ThetaToken:
        token = self.token
        self.at = min(self.at + 1, len(self._tokens) - 1)
        return token

    def expect(self, kind: str, what: str = "") -> ThetaToken:
        if self.token.kind != kind:
            raise self.fail(what or kind)
        return self.take()

    def name(self, what: str) -> ThetaToken:
        return self.expect("name", what)

    def shown(self, start: int) -> str:
        """The text from an offset to the token before the cursor, in one line."""
        last = self._tokens[self.at - 1]
        return " ".join(self.text.text[start : last.offset + len(last.text)].split())

    # ---- types --------------------------------------------------------------------------------------------

    def type(self) -> ThetaType:
        token = self.token
        if token.kind in self.dialect.types:
            return self.dialect.types[self.take().kind]
        if token.kind == "name" and token.text in self.named_types:
            return self.named_types[self.take().text]
        if token.kind == "bv":
            return self._vector()
        if token.kind == "fp":
            self.take()
            return self._floating()
        if token.kind == "(":
            raise self.text.unsupported(token.offset, "a function type")
        if token.kind == "[":
            return self._array()
        raise self.fail("a type")

    def _array(self) -> ThetaType:
        """``[K] -> V``; the brackets of nested arrays are counted by ``type`` itself."""
        start = self.expect("[")
        self._deeper(start)
        index = self.type()
        if self.token.kind == ",":
            raise self.text.unsupported(start.offset, "an array with several indices")
        self.expect("]")
        self.expect("->")
        element = self.type()
        self._depth -= 1
        return array_of(index, element)

    def _vector(self) -> ThetaType:
        self.expect("bv")
        self.expect("[")
        width = self._size("bits", 1)
        self.expect("]")
        return vector(width)

    def _floating(self) -> ThetaType:
        """``[E:S]``, or with a comma as older versions have it."""
        self.expect("[")
        exponent = self._size("bits of the exponent", 2)
        if self.accept(",") is None:
            self.expect(":")
        significand = self._size("bits of the significand", 2)
        self.expect("]")
        return floating(exponent, significand)

    def _size(self, what: str, least: int) -> int:
        token = self.expect("number", f"the number of {what}")
        if len(token.text) > len(str(WIDEST)) or int(token.text) > WIDEST:
            raise self.text.unsupported(token.offset, f"more than {WIDEST} {what}")
        if int(token.text) < least:
            raise self.text.error(token.offset, f"at least {least} {what} are needed")
        return int(token.text)

    # ---- expressions --------------------------------------------------------------------------------------

    def _deeper(self, token: ThetaToken) -> None:
        self._depth += 1
        if self._depth > _NESTING_LIMIT:
            raise self.text.error(token.offset, "nested too deeply")

    def truth(self) -> Typed:
        """An expression that is true or false."""
        value = self.expression()
        self.operations.truth(value)
        return value

    def expression(self) -> Typed:
        """``if c then a else if d then b else e`` is read without recursion: programs write long chains of it."""
        start = self.token
        self._deeper(start)
        branches: list[tuple[Typed, Typed]] = []
        while self.accept("if"):
            condition = self.expression()
            self.expect("then")
            then = self.expression()
            self.expect("else")
            branches.append((condition, then))
        value = self._binary(IFF)
        for condition, then in reversed(branches):
            value = self.operations.conditional(condition, then, value, start.offset)
        self._depth -= 1
        return value

    def _binary(self, level: int) -> Typed:
        left = self._prefix(level)
        before = 0
        while (found := self.dialect.binary.get(self.token.kind)) is not None and found[0] >= level:
            own, op = found
            if own in SINGLE and own == before:
                raise self.text.error(self.token.offset, f"{self.token.text} does not chain: write parentheses")
            if op in ("and", "or"):
                left = self._junction(self.token, own, op, left)
            else:
                token = self.take()
                rounding = self._rounding() if op.startswith("fp") else Rounding.RNE
                right = self._binary(own if own in RIGHT else own + 1)
                left = self.operations.binary(op, left, right, token.offset, rounding)
            before = own
        return left

    def _junction(self, token: ThetaToken, level: int, op: str, first: Typed) -> Typed:
        operands = [first]
        while self.accept(token.kind):
            operands.append(self._binary(level + 1))
        return self.operations.junction(op, operands, token.offset)

    def _prefix(self, level: int) -> Typed:
        token = self.token
        self._deeper(token)
        if token.kind == self.dialect.negation:
            if level > NOT:
                raise self.text.error(token.offset, f"{token.text} in an operand needs parentheses")
            self.take()
            # The operand of a negation is a comparison; a negation of a negation is plain all the same.
            inner = NOT if self.token.kind == self.dialect.negation else EQUAL
            value = self.operations.negation(self._binary(inner), token.offset)
        elif token.kind in self.dialect.unary:
            value = self._unary(self.take())
        elif token.kind in ("forall", "exists"):
            raise self.text.unsupported(token.offset, f"the quantifier {token.kind}")
        else:
            value = self._postfix()
            if self.token.kind in ("bv_zero_extend", "bv_sign_extend"):
                operator = self.take()
                value = self.operations.extended(operator.kind, value, self._vector(), operator.offset)
        self._depth -= 1
        return value

    def _unary(self, token: ThetaToken) -> Typed:
        operations, op = self.operations, token.kind
        if op in ("fpsqrt", "fproundtoint", "fptobv"):
            raise self.text.unsupported(token.offset, f"the operator {op} on floating-point numbers")
        if op not in ("fptofp", "fpfrombv"):
            if op.startswith("fp"):
                self._rounding()
            return operations.unary(op, self._prefix(CONCAT + 1), token.offset)
        target = self._floating()
        signed = False
        if op == "fpfrombv":
            self.expect("[")
            sign = self.name("u or s")
            if sign.text not in ("u", "s"):
                raise self.text.error(sign.offset, f"expected u or s, found {sign.text}")
            signed = sign.text == "s"
            self.expect("]")
        rounding = self._rounding()
        operand = self._prefix(CONCAT + 1)
        if operand.type.is_bits and op == "fpfrombv":
            term = operations.floats.from_bits(operand.term, target, signed, rounding)
        elif operand.type.is_floating and op == "fptofp":
            term = operations.floats.converted(operand.type, operand.term, target, rounding)
        else:
            raise self.text.error(token.offset, f"{op} is not defined on {operand.type.name}")
        return Typed(term, target, token.offset)

    def _rounding(self) -> Rounding:
        token = self.following()
        if self.token.kind != "[" or token.text not in Rounding.__members__:
            return Rounding.RNE
        self.take()
        self.take()
        self.expect("]")
        return Rounding[token.text]

    def _postfix(self) -> Typed:
        value = self._primary()
        while True:
            token = self.token
            if token.kind == "[":
                value = self._access(value)
            elif token.kind == "'":
                if self.prime is None:
                    raise self.text.error(token.offset, "no next state is spoken of here")
                self.take()
                value = self.prime(value)
            elif token.kind == "(":
                raise self.text.unsupported(token.offset, "the application of a function")
            else:
                return value

    def _access(self, value: Typed) -> Typed:
        """``a[i]``, ``a[i <- v]``, or bits ``x[until:from]`` with constants."""
        start = self.expect("[")
        if self.token.kind == "number" and self.following().kind == ":":
            until = self._place()
            self.expect(":")
            first = self._place()
            self.expect("]")
            return self.operations.extracted(value, until, first, start.offset)
        index = self.expression()
        if self.token.kind == ",":
            raise self.text.unsupported(start.offset, "an array with several indices")
        if self.accept("<-"):
            value = self.operations.stored(value, index, self.expression(), start.offset)
        else:
            value = self.operations.element(value, index, start.offset)
        self.expect("]")
        return value

    def _place(self) -> int:
        token = self.expect("number", "the number of a bit")
        return int(token.text)

    def _primary(self) -> Typed:
        token = self.token
        match token.kind:
            case "true" | "false":
                self.take()
                return Typed(self.terms.boolean(token.kind == "true"), TRUTH, token.offset)
            case "number":
                return self._number()
            case "bits":
                return self._bits()
            case "name":
                return self.resolve(self.take())
            case "[":
                return self._array_literal()
            case "(":
                if self.following().kind == ")" or self.following(2).kind == ":":
                    raise self.text.unsupported(token.offset, "a function literal")
                self.take()
                value = self.expression()
                self.expect(")")
                return value
        if token.kind == "if":
            raise self.text.error(token.offset, "if in an operand needs parentheses")
        raise self.fail("an expression")

    def _number(self) -> Typed:
        token = self.take()
        if self.dialect.rationals and self.token.kind == "%":
            self.take()
            denominator = self.expect("number", "the denominator of a rational number")
            if int(denominator.text) == 0:
                raise self.text.error(denominator.offset, "the denominator is 0")
            value = Fraction(int(token.text), int(denominator.text))
            return Typed(self.terms.rational(value), RATIONAL, token.offset)
        return self.operations.integer(int(token.text), token.offset)

    def _bits(self) -> Typed:
        """``4'b0101``, ``4'd5``, ``4'x5``; followed by a point and another one, a floating-point number."""
        token = self.token
        width, value = self._bit_literal()
        if self.token.kind != ".":
            return Typed(self.terms.bv(value, width), vector(width), token.offset)
        self.take()
        if self.token.kind != "bits":
            raise self.fail("the fraction of a floating-point number")
        fraction_width, fraction = self._bit_literal()
        if width < 2:
            raise self.text.error(token.offset, "at least 2 bits of the exponent are needed")
        target = floating(width, fraction_width + 1)
        return Typed(self.operations.floats.literal(target, False, value, fraction), target, token.offset)

    def _bit_literal(self) -> tuple[int, int]:
        token = self.take()
        size, _, content = token.text.partition("'")
        if len(size) > len(str(WIDEST)) or int(size) > WIDEST:
            raise self.text.unsupported(token.offset, f"more than {WIDEST} bits")
        width = int(size)
        value = int(content[1:], {"b": 2, "d": 10, "x": 16}[content[0]])
        written = {"b": 1, "x": 4}.get(content[0], 0) * len(content[1:])
        if width < 1 or written > width or not -(1 << width >> 1) <= value < 1 << width:
            raise self.text.error(token.offset, f"{token.text} does not fit into {width} bits")
        return width, value

    def _array_literal(self) -> Typed:
        """``[0 <- 1, 1 <- x, default <- 0]``, or ``[<int>default <- 0]`` without elements."""
        start = self.expect("[")
        pairs: list[tuple[Typed, Typed]] = []
        while self.token.kind not in ("<", "default"):
            key = self.expression()
            self.expect("<-")
            pairs.append((key, self.expression()))
            self.expect(",")
        index: ThetaType | None = None
        if self.accept("<"):
            index = self.type()
            self.expect(">")
        elif not pairs:
            raise self.text.error(
                start.offset, "an array without elements says what its indices are: [<int>default <- 0]"
            )
        self.expect("default")
        self.expect("<-")
        value = self.operations.array_literal(pairs, index, self.expression(), start.offset)
        self.expect("]")
        return value
