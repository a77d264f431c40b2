"""Labels as values (GCC's manual, 6.3), on tokens: what plain C can say of them.

The address of a label, ``&&again``, is that of an object of the function that nothing else knows. ``goto *p`` compares
what it is given with each label of the function whose address is taken, and goes there. That it is the address of one
of them is a line of the ledger: anything else has no meaning. Addresses of labels are numbers of the code, which nobody
knows: who computes with them is refused.
"""

from __future__ import annotations

from pycparser.c_lexer import Token

from argosy.frontends.c.expansions import expanded
from argosy.frontends.c.tokens import MADE_UP, OWN_FILE, Lexed, position_of_token
from argosy.frontends.c.unsupported import Construct, error

OWN_LABEL = "goto * is given the address of a label of its function"
_GIVEN = f"{MADE_UP}jump"
_CHOICE = f"{MADE_UP}choice"
_COMPUTING = frozenset(("PLUS", "MINUS", "LBRACKET", "LT", "GT", "LE", "GE", "PLUSPLUS", "MINUSMINUS"))
_MEASURED = frozenset(("SIZEOF", "_ALIGNOF", "TYPEOF", "TYPEOF_UNQUAL", "_ALIGNAS", "ID"))


class LabelValues:
    """Of the function under way: the labels whose address is taken, and where jumps choose between them."""

    def __init__(self, result: Lexed) -> None:
        self._result = result
        self._start = 0
        self._objects: dict[str, str] = {}
        self._choices: list[int] = []
        self._count = 0

    def begin(self) -> None:
        """The next token opens the body of a function."""
        self._start = len(self._result.tokens) + 1
        self._objects.clear()
        self._choices.clear()

    def address(self, label: str, at: Token, behind: str) -> list[Token]:
        """What stands for the address of a label, between what was read and a token of the kind ``behind``."""
        before = self._result.tokens[-1].type if self._result.tokens else ""
        if before in _COMPUTING - {"LBRACKET"} or behind in _COMPUTING:
            raise error(position_of_token(at), f"&&{label.partition(OWN_FILE)[0]} in arithmetic", Construct.COMPUTED)
        name = self._objects.setdefault(label, f"{MADE_UP}at_{label.replace(OWN_FILE, '_')}")
        return expanded(f"((void *)&{name})", (), 0, at)

    def jump(self, to: list[Token], at: Token) -> list[Token]:
        """What stands for ``goto *to;``, with a word in it that is replaced when the function ends."""
        self._result.assumptions.setdefault(OWN_LABEL, position_of_token(at))
        self._count += 1
        return expanded(f"{{ const void *{_GIVEN}% = (const void *)($1); {_CHOICE}%; }}", [to], self._count, at)

    def choose(self, token: Token) -> None:
        """The next token may be such a word."""
        if token.value.startswith(_CHOICE):
            self._choices.append(len(self._result.tokens))

    def end(self) -> None:
        """The next token closes the body of the function."""
        tokens = self._result.tokens
        for index in reversed(self._choices):
            at = tokens[index]
            number = at.value.removeprefix(_CHOICE)
            made: list[Token] = []
            for label, name in self._objects.items():
                way = Token("ID", label, at.lineno, at.column, at.filename)
                made += expanded(f"if ({_GIVEN}{number} == (const void *)&{name}) goto $1;", [[way]], 0, at)
            tokens[index : index + 1] = [*made, *expanded("__builtin_unreachable()", (), 0, at)]
        if self._objects:
            at = tokens[self._start - 1]
            tokens[self._start : self._start] = [
                token for name in self._objects.values() for token in expanded(f"static const char {name};", (), 0, at)
            ]
        self._objects.clear()
        self._choices.clear()


def is_type_before(tokens: list[Token], words: frozenset[str], types: frozenset[str]) -> bool:
    """Whether the bracket that was read last closes a cast, and not an operand."""
    depth = 0
    for index in range(len(tokens) - 1, 0, -1):
        depth += (tokens[index].type == "RPAREN") - (tokens[index].type == "LPAREN")
        if depth == 0:
            first = tokens[index + 1]
            is_type = first.type in words or (first.type == "ID" and first.value in types)
            return is_type and tokens[index - 1].type not in _MEASURED
    return False
