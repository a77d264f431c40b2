"""The pass over raw tokens that leaves what pycparser's grammar knows: one loop, which gives each word to its part.

Alternate spellings of keywords, extended floats and ranges of cases are dealt with here, and what people leave out of
declarations. Law: what the grammar knows passes as it is; what it does not know, and means something, is said in other
tokens, kept aside in ``Lexed`` or refused.
"""

from __future__ import annotations

from pycparser.c_lexer import Token

from argosy.frontends.c.expansions import NAMES
from argosy.frontends.c.gnu.assembler import read_assembler
from argosy.frontends.c.gnu.attributes import Attributes
from argosy.frontends.c.gnu.brackets import CLOSING, OPENING
from argosy.frontends.c.gnu.cleanups import Cleanups
from argosy.frontends.c.gnu.labels import Labels
from argosy.frontends.c.gnu.packing import Packing
from argosy.frontends.c.gnu.replacements import align_expression, expand, infer, infers
from argosy.frontends.c.gnu.token_pass import TokenPass
from argosy.frontends.c.gnu.words import (
    ASSEMBLER_WORDS,
    ATTRIBUTE,
    BUILTIN_TYPES,
    COMPLEX,
    FLOATS,
    QUALIFIERS,
    SCALAR_WORDS,
    SPECIAL,
)
from argosy.frontends.c.modern import speak_modern
from argosy.frontends.c.tokens import BUILTIN, KEYWORDS, PUNCTUATION, Lexed, position_of_token
from argosy.frontends.c.types import EXTENDED_FLOATS
from argosy.frontends.c.unsupported import Construct, error

# How the grammar spells keywords, where the tree shows them.
_PLAIN = {"CONST": "const", "VOLATILE": "volatile", "SIGNED": "signed", "_COMPLEX": "_Complex", "INLINE": "inline"}
# What a declaration without a type begins with, and what is behind the name in it.
_STORAGE = frozenset(("STATIC", "EXTERN", "REGISTER", "AUTO", "INLINE", "CONST", "VOLATILE"))
# Most of what the grammar knows and nothing else is said with.
_WORDS_AS_THEY_ARE = """
    EQ NE LT GT LE GE PLUS MINUS TIMES DIVIDE MOD EQUALS LOR LNOT OR INT IF ELSE RETURN PERIOD ARROW STRUCT
    INT_CONST_DEC INT_CONST_OCT INT_CONST_HEX
"""
_AS_THEY_ARE = frozenset(_WORDS_AS_THEY_ARE.split())
_BEHIND_NAMES = frozenset(("SEMI", "EQUALS", "COMMA", "LBRACKET", "LPAREN"))


class Gnu:
    """``run`` writes the tokens of ``result``, and keeps aside there what they do not say."""

    def __init__(self, raw: list[Token], result: Lexed) -> None:
        self._text = TokenPass(raw, result)
        self._labels = Labels(self._text)
        self._packing = Packing(self._text)
        self._cleanups = Cleanups(self._text)
        self._attributes = Attributes(self._text, self._cleanups)

    def run(self) -> None:
        text, labels = self._text, self._labels
        raw, out, packs = text.raw, text.out, text.result.packs
        self._prelude()
        speak_modern(raw, text.types)
        while text.at < len(raw):
            token = raw[text.at]
            kind = token.type
            if text.pragmas_read < len(packs):
                self._packing.read()
            if kind in _AS_THEY_ARE:
                out.append(token)
                text.at += 1
                continue
            if kind in OPENING:
                labels.enter()
            elif kind in CLOSING:
                labels.leave()
            if kind == "ID" or kind == "RESTRICT":
                if token.value in SPECIAL:
                    self._special(token)
                    continue
                if token.value in NAMES and text.next_is("LPAREN") and expand(text, token):
                    continue
                if token.value == "_BitInt" and text.next_is("LPAREN"):
                    raise error(position_of_token(token), "a number of type _BitInt", Construct.TYPE)
                if token.value in COMPLEX and text.at + 1 < len(raw) and raw[text.at + 1].type != "RPAREN":
                    raise error(position_of_token(token), f"{token.value} of a complex number", Construct.FLOAT)
                if token.value == "__auto_type":
                    infer(text, token)
                    continue
                self._name(token)
            elif kind in ("SEMI", "LBRACE", "RBRACE", "COMMA"):
                self._boundary(kind)
            elif kind == "CASE":
                labels.in_case = True
            elif kind == "CONSTEXPR":
                out.append(Token("CONST", "const", token.lineno, token.column, token.filename))
            elif kind == "AUTO" and infers(text):
                infer(text, token)
                continue
            elif kind == "_ALIGNAS":
                self._attributes.aligns()
            elif kind == "_ALIGNOF" and text.next_is("LPAREN") and align_expression(text):
                continue
            elif kind == "LAND" and labels.is_address():
                labels.address(token)
                continue
            elif kind == "GOTO" and text.next_is("TIMES"):
                self._cleanups.compute(token)
                labels.jump(token)
                continue
            elif kind == "CONDOP":
                labels.question()
            elif kind == "COLON":
                labels.colon(token)
            elif kind == "ELLIPSIS" and labels.in_case:
                # A range of cases is read as the weakest binary operator between its bounds.
                token = Token("LOR", "...", token.lineno, token.column, token.filename)
            elif kind == "LBRACKET" and text.next_is("LBRACKET"):
                self._attributes.read(text.balanced())
                continue
            elif kind in _PLAIN:
                token.value = _PLAIN[kind]
            out.append(token)
            text.at += 1
            if kind == "SEMI":
                self._cleanups.register()

    def _prelude(self) -> None:
        text = self._text
        used = {token.value for token in text.raw if token.value in BUILTIN_TYPES}
        for name in sorted(used):
            for word in ("typedef", *BUILTIN_TYPES[name].split(), name, ";"):
                kind = KEYWORDS.get(word) or PUNCTUATION.get(word) or "ID"
                text.out.append(Token(kind, word, 0, 0, BUILTIN))

    # ---- names ------------------------------------------------------------------------------------------------

    def _name(self, token: Token) -> None:
        """A function that is defined without a type has ``int``."""
        text, out = self._text, self._text.out
        before = out[-1].type if out else "SEMI"
        if not text.braces:
            begins = before == "SEMI" or (before == "RBRACE" and not text.closed.word)
            if begins and text.next_is("LPAREN") and token.value not in text.types:
                out.append(Token("INT", "int", token.lineno, token.column, token.filename))
                return
        self._without_a_type(token)
        if text.braces:
            self._labels.read(token)

    def _without_a_type(self, token: Token) -> None:
        """``static n;`` declares an ``int``: of a declaration there are storage and qualifiers, and then a name."""
        text = self._text
        behind = text.raw[text.at + 1].type if text.at + 1 < len(text.raw) else ""
        first = text.out[text.start].type if text.start < len(text.out) else ""
        if behind not in _BEHIND_NAMES or first not in _STORAGE or token.value in text.types or self._behind_type():
            return
        if all(each.type in _STORAGE for each in text.out[text.start :]):
            text.out.append(Token("INT", "int", token.lineno, token.column, token.filename))

    def _behind_type(self) -> bool:
        """Whether the declaration under way goes on behind the braces of its type: ``struct s { ... } const x``."""
        text = self._text
        before = text.out[text.start - 1].type if 0 < text.start <= len(text.out) else ""
        return before == "RBRACE" and bool(text.closed.word)

    def _special(self, token: Token) -> None:
        text, word = self._text, token.value
        before = text.out[-1].type if text.out else ""
        if word in EXTENDED_FLOATS and before != "_COMPLEX":
            text.out.append(token)
        elif word in FLOATS and before not in ("FLOAT", "DOUBLE"):
            for name in FLOATS[word].split():
                text.out.append(Token(KEYWORDS[name], name, token.lineno, token.column, token.filename))
        elif word in FLOATS:
            text.out.append(token)
        elif word == "_Noreturn":
            self._attributes.never_returns()
        text.at += 1
        if word in ATTRIBUTE:
            if text.at < len(text.raw) and text.raw[text.at].type == "LPAREN":
                self._attributes.read(text.balanced())
        elif word in ASSEMBLER_WORDS:
            read_assembler(text, token)
        elif word == "__label__":
            self._labels.declare()

    # ---- ends of declarations ---------------------------------------------------------------------------------

    def _boundary(self, kind: str) -> None:
        """The end of a declarator, and of its declaration but for a comma."""
        text = self._text
        self._attributes.settle(kind)
        if kind == "LBRACE":
            if text.braces and text.out[-1].type == "RPAREN":
                self._refuse_nested()
            self._labels.open()
            self._attributes.open()
        elif kind == "RBRACE":
            self._close()
        if kind == "SEMI" and self._declares_nothing():
            del text.out[text.start :]
        if kind != "COMMA":
            text.start = len(text.out) + 1
            self._attributes.end(kind)

    def _close(self) -> None:
        text = self._text
        text.close()
        if not text.braces:
            self._cleanups.end()
        self._labels.close()
        self._attributes.close()
        if text.closed.name is not None:
            self._packing.say(text.closed.name)

    def _refuse_nested(self) -> None:
        """``int f(int x) {`` inside of a function: only a definition has a name before the brackets before a brace."""
        text, out = self._text, self._text.out
        depth, index = 0, len(out)
        while index > text.start:
            index -= 1
            depth += (out[index].type == "RPAREN") - (out[index].type == "LPAREN")
            if not depth:
                break
        name = out[index - 1] if index > text.start else None
        if name is not None and name.type == "ID" and index - 1 > text.start:
            raise error(position_of_token(name), f"function {name.value}", Construct.NESTED)

    def _declares_nothing(self) -> bool:
        """Whether a member is only a type that defines nothing, ``char;``: compilers take no notice of it."""
        text = self._text
        if not text.in_record:
            return False
        words = {token.type for token in text.out[text.start :]}
        return not SCALAR_WORDS.isdisjoint(words) and words <= SCALAR_WORDS | QUALIFIERS
