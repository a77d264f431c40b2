"""Parser of expressions and types (utap's ``parser.y``), by precedence climbing.

UPPAAL changed the precedence of the keywords ``not``, ``and``, ``or`` and ``imply``: up to version 4.0 they bind
weaker than assignment, later as strongly as ``!``, ``&&`` and ``||``. An expression that the two readings parse
differently (``not a == b``, ``a and b || c``) is refused: whichever reading was meant, the other would be wrong.
"""

from __future__ import annotations

import argosy.frontends.uppaal.syntax as s
from argosy.basics.errors import InputError
from argosy.basics.records import dataclass
from argosy.frontends.uppaal.lexer import PlacedText, UppaalToken, tokens

_NESTING_LIMIT = 100
_NUMBER_LIMIT = 2**31

_SYMBOLIC = {
    "||": 6,
    "&&": 7,
    "|": 8,
    "^": 9,
    "&": 10,
    "==": 11,
    "!=": 11,
    "<": 12,
    "<=": 12,
    ">=": 12,
    ">": 12,
    "<?": 13,
    ">?": 13,
    "<<": 14,
    ">>": 14,
    "+": 15,
    "-": 15,
    "*": 16,
    "/": 16,
    "%": 16,
}
_UNARY, _POSTFIX = 17, 18
_ASSIGNMENT, _CHOICE = 4, 5
_ASSIGNMENTS = frozenset(["=", ":=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>="])
_KEYWORD_OPERATORS = {"and": "&&", "or": "||", "imply": "imply", "xor": "xor"}


@dataclass(frozen=True)
class _Precedences:
    binary: dict[str, int]
    negation: int


_CURRENT = _Precedences({**_SYMBOLIC, "and": 7, "or": 6, "imply": 6, "xor": 6}, _UNARY)
_CLASSIC = _Precedences({**_SYMBOLIC, "and": 2, "or": 1, "imply": 1, "xor": 1}, 3)

_PREFIX_WORDS = frozenset({"urgent", "broadcast", "meta", "const"})
_TYPE_WORDS = _PREFIX_WORDS | {"int", "bool", "clock", "chan", "void", "scalar", "struct", "double"}


class ExpressionParser:
    """A cursor over the tokens of one source; every method consumes what it names."""

    def __init__(self, source: PlacedText, *, query: bool = False) -> None:
        self.source = source
        self._tokens = tokens(source, leads_to=query)
        self._at = 0
        self._depth = 0
        self._braces = 0
        self._operators: list[int] = []
        self._precedences = _CURRENT

    @property
    def token(self) -> UppaalToken:
        return self._tokens[self._at]

    def following(self, distance: int = 1) -> UppaalToken:
        return self._tokens[min(self._at + distance, len(self._tokens) - 1)]

    def fail(self, expected: str) -> InputError:
        found = self.token.text if self.token.kind != "end" else "end of text"
        return InputError(self.token.position, f"syntax error: {expected} expected, found {found!r}")

    def advance(self) -> UppaalToken:
        token = self.token
        if token.kind != "end":
            self._at += 1
        return token

    def accept(self, *kinds: str) -> UppaalToken | None:
        return self.advance() if self.token.kind in kinds else None

    def expect(self, *kinds: str) -> UppaalToken:
        if self.token.kind not in kinds:
            raise self.fail(" or ".join(f"'{kind}'" for kind in kinds))
        return self.advance()

    def name(self) -> UppaalToken:
        if self.token.kind != "name":
            raise self.fail("a name")
        return self.advance()

    def finish(self) -> None:
        if self.token.kind != "end":
            raise self.fail("end of text")

    def text_since(self, start: UppaalToken) -> str:
        """The text from a token up to the last one consumed, blanks collapsed."""
        end = self._tokens[self._at - 1].end
        return " ".join(self.source.text[start.start : end].split())

    def expression(self) -> s.Expression:
        if self._depth:
            return self._parse(0)
        start = self._at
        read, shape = self._shaped()
        end = self._at
        if any(token.kind == "not" or token.kind in _KEYWORD_OPERATORS for token in self._tokens[start:end]):
            self._at, self._precedences = start, _CLASSIC
            _, classic = self._shaped()
            self._precedences = _CURRENT
            if (classic, self._at) != (shape, end):
                raise InputError(
                    self._tokens[start].position,
                    "UPPAAL 4 and 5 read this expression differently (precedence of not, and, or, imply): "
                    "write parentheses",
                )
        return read

    def _shaped(self) -> tuple[s.Expression, list[int]]:
        """An expression and its operators in postorder, which together with the text determine its structure."""
        self._operators = []
        return self._parse(0), self._operators

    def expressions(self, *closing: str) -> tuple[s.Expression, ...]:
        """A list separated by commas, empty where a closing token follows at once (which is not consumed)."""
        found: list[s.Expression] = []
        while not found or self.accept(","):
            if not found and self.token.kind in closing:
                break
            found.append(self.expression())
        return tuple(found)

    def channel(self) -> s.Expression:
        """An expression without operators, as before ``!`` and ``?`` of a synchronisation."""
        return self._postfix()

    def _parse(self, minimum: int) -> s.Expression:
        self._depth += 1
        if self._depth > _NESTING_LIMIT:
            raise InputError(self.token.position, "expression nested too deeply")
        left = self._prefix()
        while True:
            token = self.token
            if token.kind in _ASSIGNMENTS and minimum <= _ASSIGNMENT:
                self.advance()
                operator = "" if token.kind in ("=", ":=") else token.kind[:-1]
                left = s.AssignSyntax(operator, left, self._parse(_ASSIGNMENT), position=token.position)
                self._operators.append(token.start)
            elif token.kind == "?" and minimum <= _CHOICE:
                self.advance()
                then = self._parse(0)
                self.expect(":")
                left = s.ChoiceSyntax(left, then, self._parse(_ASSIGNMENT), position=token.position)
                self._operators.append(token.start)
            elif (power := self._precedences.binary.get(token.kind, -1)) >= minimum:
                self.advance()
                operator = _KEYWORD_OPERATORS.get(token.kind, token.kind)
                left = s.Infix(operator, left, self._parse(power + 1), position=token.position)
                self._operators.append(token.start)
            else:
                self._depth -= 1
                return left

    def _prefix(self) -> s.Expression:
        start = self.token.start
        value = self._prefixed()
        self._operators.append(start)
        return value

    def _prefixed(self) -> s.Expression:
        token = self.token
        if token.kind in ("forall", "exists", "sum"):
            self.advance()
            self.expect("(")
            name = self.name().text
            self.expect(":")
            type_ = self.type()
            self.expect(")")
            return s.Quantified(token.kind, name, type_, self._parse(0), position=token.position)
        if token.kind == "not":
            self.advance()
            return s.Prefix("!", self._parse(self._precedences.negation), position=token.position)
        if token.kind in ("-", "+", "!"):
            self.advance()
            if token.kind == "-" and self.token.text == str(_NUMBER_LIMIT):
                self.advance()
                return s.NumberSyntax(-_NUMBER_LIMIT, position=token.position)
            return s.Prefix(token.kind, self._parse(_UNARY), position=token.position)
        if token.kind in ("++", "--"):
            self.advance()
            return s.StepSyntax(token.kind[0], True, self._parse(_UNARY), position=token.position)
        return self._postfix()

    def _postfix(self) -> s.Expression:
        value = self._primary()
        while True:
            token = self.token
            match token.kind:
                case "[":
                    self.advance()
                    value = s.IndexSyntax(value, self._parse(0), position=token.position)
                    self.expect("]")
                case ".":
                    self.advance()
                    value = s.Member(value, self.name().text, position=token.position)
                case "(":
                    self.advance()
                    value = s.Apply(value, self._arguments(), position=value.position)
                case "++" | "--":
                    self.advance()
                    value = s.StepSyntax(token.kind[0], False, value, position=token.position)
                case "'":
                    self.advance()
                    value = s.Rate(value, position=token.position)
                case _:
                    return value

    def _arguments(self) -> tuple[s.Expression, ...]:
        found: list[s.Expression] = []
        while not self.accept(")"):
            if found:
                self.expect(",")
            found.append(self._parse(0))
        return tuple(found)

    def _primary(self) -> s.Expression:
        token = self.token
        match token.kind:
            case "number":
                # Python refuses to read numbers of some thousand digits, so the length is looked at first.
                digits = token.text.lstrip("0") or "0"
                if len(digits) > len(str(_NUMBER_LIMIT)) or int(digits) >= _NUMBER_LIMIT:
                    shown = digits if len(digits) <= 20 else f"{digits[:20]}... ({len(digits)} digits)"
                    raise InputError(token.position, f"number {shown} does not fit into 32 bits")
                self.advance()
                return s.NumberSyntax(int(digits), position=token.position)
            case "floating":
                self.advance()
                return s.Refused("floating-point number", position=token.position)
            case "string":
                self.advance()
                return s.Refused("string", position=token.position)
            case "true" | "false":
                self.advance()
                return s.Truth(token.kind == "true", position=token.position)
            case "deadlock":
                self.advance()
                return s.DeadlockTest(position=token.position)
            case "(":
                self.advance()
                inner = self._parse(0)
                self.expect(")")
                return inner
            case "name":
                self.advance()
                if token.text in ("spawn", "exit", "numOf") and self.token.kind in ("name", "("):
                    self.accept("name")
                    self.expect("(")
                    self._arguments()
                    return s.Refused("dynamic templates", position=token.position)
                return s.NameSyntax(token.text, position=token.position)
        raise self.fail("an expression")

    def at_type(self) -> bool:
        """Whether a type starts here: a word of the language, or a name that is followed by a name."""
        token, after = self.token, self.following()
        if token.kind == "name":
            return after.kind == "name" or (token.text == "hybrid" and after.kind == "clock")
        return token.kind in _TYPE_WORDS

    def type(self) -> s.TypeExpression:
        start = self.token
        prefixes: set[str] = set()
        while self.token.kind in _PREFIX_WORDS or (self.token.text == "hybrid" and self.following().kind == "clock"):
            prefixes.add(self.advance().text)
        token = self.advance()
        name, bounds, fields = "", [], []
        match token.kind:
            case "bool" | "clock" | "chan" | "void" | "double":
                pass
            case "int":
                if self.accept("["):
                    low: s.Expression = s.NumberSyntax(-32768, position=token.position)
                    high: s.Expression = s.NumberSyntax(32767, position=token.position)
                    if self.token.kind != ",":
                        low = self.expression()
                    self.expect(",")
                    if self.token.kind != "]":
                        high = self.expression()
                    self.expect("]")
                    bounds = [low, high]
            case "scalar":
                self.expect("[")
                bounds = [self.expression()]
                self.expect("]")
            case "struct":
                self.expect("{")
                while not self.accept("}"):
                    fields.append(self.variables())
            case "name":
                name = token.text
            case _:
                self._at -= token.kind != "end"
                raise self.fail("a type")
        base = "" if token.kind == "name" else token.kind
        return s.TypeExpression(base, frozenset(prefixes), name, tuple(bounds), tuple(fields), position=start.position)

    def variables(self) -> s.VariableDeclaration:
        start = self.token
        type_ = self.type()
        declarators = [self.declarator()]
        while self.accept(","):
            declarators.append(self.declarator())
        self.expect(";")
        return s.VariableDeclaration(type_, tuple(declarators), position=start.position)

    def declarator(self) -> s.Declarator:
        name = self.name()
        dimensions = self.dimensions()
        initial = self.initialiser() if self.accept("=", ":=") else None
        return s.Declarator(name.text, dimensions, initial, position=name.position)

    def dimensions(self) -> tuple[s.Expression | s.TypeExpression, ...]:
        found: list[s.Expression | s.TypeExpression] = []
        while self.accept("["):
            found.append(self.type() if self.at_type() else self.expression())
            self.expect("]")
        return tuple(found)

    def initialiser(self) -> s.Expression:
        start = self.token
        if not self.accept("{"):
            return self.expression()
        self._braces += 1
        if self._braces > _NESTING_LIMIT:
            raise InputError(start.position, "initialiser nested too deeply")
        items: list[tuple[str, s.Expression]] = []
        while not self.accept("}"):
            if items:
                self.expect(",")
            field = ""
            if self.token.kind == "name" and self.following().kind == ":":
                field = self.advance().text
                self.advance()
            items.append((field, self.initialiser()))
        self._braces -= 1
        return s.Braces(tuple(items), position=start.position)
