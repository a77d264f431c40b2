"""Labels, and what their colons are told from: cases, ranges of cases, ``a ?: b``, members and designators.

Labels have names of their own (C11 6.2.3). Law: one that is also the name of a type, or that a block keeps to itself
(``__label__``, GCC's manual, 6.2), is written in another way, wherever it is declared, jumped to or its address taken.
"""

from __future__ import annotations

from pycparser.c_lexer import Token

from argosy.frontends.c.computed import LabelValues, is_type_before
from argosy.frontends.c.gnu.brackets import up_to
from argosy.frontends.c.gnu.token_pass import TokenPass
from argosy.frontends.c.gnu.words import TYPE_WORDS
from argosy.frontends.c.tokens import OWN_FILE, SAME_AS_CONDITION

# What a label comes behind, and what ends an operand.
_BEFORE_LABELS = frozenset(("SEMI", "LBRACE", "RBRACE", "COLON", "RPAREN", "ELSE", "DO"))
_OPERANDS = frozenset(
    (
        "ID",
        "RPAREN",
        "RBRACKET",
        "RBRACE",
        "CHAR_CONST",
        "BOOL_CONST",
        "NULLPTR",
        "STRING_LITERAL",
        "WSTRING_LITERAL",
        "U8STRING_LITERAL",
        "U16STRING_LITERAL",
        "U32STRING_LITERAL",
        "FLOAT_CONST",
        "PLUSPLUS",
        "MINUSMINUS",
        "INT_CONST_DEC",
        "INT_CONST_OCT",
        "INT_CONST_HEX",
        "INT_CONST_BIN",
        "HEX_FLOAT_CONST",
    )
)


class Labels:
    """Of the text under way: its labels, and which colons are still to come."""

    def __init__(self, text: TokenPass) -> None:
        self._text = text
        # Whether the colon of a case is still to come.
        self.in_case = False
        # How many ``?`` wait for their colon, by the brackets around.
        self._choices = [0]
        # Words that may be labels; those that blocks keep to themselves, with their numbers.
        self._named = _labels(text.raw)
        self._own: list[dict[str, int]] = []
        self._values = LabelValues(text.result)

    # ---- colons -----------------------------------------------------------------------------------------------

    def enter(self) -> None:
        """A bracket opens."""
        self._choices.append(0)

    def leave(self) -> None:
        """A bracket closes."""
        if len(self._choices) > 1:
            self._choices.pop()

    def question(self) -> None:
        self._choices[-1] += 1

    def colon(self, token: Token) -> None:
        """Of ``a ?: b`` something stands for what is left out."""
        out = self._text.out
        self.in_case = self.in_case and self._choices[-1] > 0
        self._choices[-1] = max(self._choices[-1] - 1, 0)
        if out and out[-1].type == "CONDOP":
            out.append(Token("ID", SAME_AS_CONDITION, token.lineno, token.column, token.filename))

    # ---- names ------------------------------------------------------------------------------------------------

    def read(self, token: Token) -> None:
        """A name in the body of a function, which may be that of a label."""
        out = self._text.out
        before = out[-1].type if out else "SEMI"
        if before == "GOTO" or self._is_label(before):
            token.value = self._name(token.value)
        self._values.choose(token)

    def _is_label(self, before: str) -> bool:
        """Whether a name before a colon is a label: no operand of ``?:``, member or case."""
        if not self._text.next_is("COLON") or self.in_case or self._text.in_record:
            return False
        return before in _BEFORE_LABELS and not self._choices[-1]

    def _name(self, name: str) -> str:
        own = next((names[name] for names in reversed(self._own) if name in names), None)
        return name if own is None and name not in self._text.types else f"{name}{OWN_FILE}{own or 0}"

    def declare(self) -> None:
        """``__label__ a, b;``: what is in force up to the end of the block."""
        text = self._text
        while text.at < len(text.raw) and text.raw[text.at].type != "SEMI":
            if text.raw[text.at].type == "ID" and self._own:
                self._own[-1][text.raw[text.at].value] = text.number()
            text.at += 1

    # ---- labels as values -------------------------------------------------------------------------------------

    def is_address(self) -> bool:
        """Whether ``&&`` has a label behind it, and no operand before it."""
        text, out = self._text, self._text.out
        if not text.next_is("ID"):
            return False
        if not out or out[-1].type not in _OPERANDS:
            return True
        known = text.raw[text.at + 1].value in self._named
        return known and out[-1].type == "RPAREN" and is_type_before(out, TYPE_WORDS, text.types)

    def address(self, token: Token) -> None:
        """``&&label``."""
        text = self._text
        behind = text.raw[text.at + 2].type if text.at + 2 < len(text.raw) else ""
        text.out.extend(self._values.address(self._name(text.raw[text.at + 1].value), token, behind))
        text.at += 2

    def jump(self, token: Token) -> None:
        """``goto *to;``."""
        text = self._text
        to = up_to(text.raw[text.at + 2 :], ("SEMI",))
        text.put(text.at, text.at + 3 + len(to), self._values.jump(to, token))

    # ---- blocks -----------------------------------------------------------------------------------------------

    def open(self) -> None:
        """The brace that comes next."""
        if not self._text.braces:
            self._values.begin()
        self._own.append({})

    def close(self) -> None:
        """The brace that comes next, which has closed."""
        if not self._text.braces:
            self._values.end()
        if self._own:
            self._own.pop()


def _labels(raw: list[Token]) -> frozenset[str]:
    """Words that may be labels."""
    return frozenset(
        token.value
        for index, token in enumerate(raw[1:-1], 1)
        if token.type == "ID" and raw[index + 1].type == "COLON" and raw[index - 1].type in _BEFORE_LABELS
    )
