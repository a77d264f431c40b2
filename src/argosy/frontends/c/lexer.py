"""Tokens of C and of the GNU dialect, with positions in the original file, for pycparser's grammar.

pycparser reads preprocessed ISO C. What compilers and system headers add to it is resolved here, on tokens:
comments, ``#line`` and ``# n "file"`` markers, alternate spellings of keywords, ``__attribute__``, ``asm``, ``a ?: b``
and ranges of cases. Attributes that matter to the meaning are kept aside: ``noreturn`` by the name that it belongs to,
``mode`` by the declaration, ``packed`` by the enumeration; those that change what a program does in ways the front end
does not follow are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pycparser.c_lexer import Token

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.frontends.c.unsupported import Construct, Obstacle, error

_WORDS = """
    auto break case char const continue default do double else enum extern float for goto if inline int long register
    offsetof restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
    __int128 _Bool _Complex _Generic _Thread_local _Static_assert _Atomic _Alignof _Alignas
"""
KEYWORDS = {word: word.upper() for word in _WORDS.split()}
_SPELLINGS = {
    "__inline": "INLINE",
    "__inline__": "INLINE",
    "__const": "CONST",
    "__const__": "CONST",
    "__volatile": "VOLATILE",
    "__volatile__": "VOLATILE",
    "__signed": "SIGNED",
    "__signed__": "SIGNED",
    "__thread": "_THREAD_LOCAL",
    "__complex__": "_COMPLEX",
    "__alignof": "_ALIGNOF",
    "__alignof__": "_ALIGNOF",
    "typeof": "TYPEOF",
    "__typeof": "TYPEOF",
    "__typeof__": "TYPEOF",
    "__builtin_offsetof": "OFFSETOF",
    "__builtin_va_arg": "__BUILTIN_VA_ARG",
}
KEYWORDS.update(_SPELLINGS)
# How the grammar spells the words above, where the tree shows them.
_PLAIN = {"CONST": "const", "VOLATILE": "volatile", "SIGNED": "signed", "_COMPLEX": "_Complex", "INLINE": "inline"}
_DROPPED = frozenset(("__extension__", "__restrict", "__restrict__", "restrict"))
_ATTRIBUTE = frozenset(("__attribute__", "__attribute", "__declspec"))
_ASSEMBLER = frozenset(("asm", "__asm", "__asm__"))
_FLOATS = {
    "_Float16": "float",
    "_Float32": "float",
    "_Float32x": "double",
    "_Float64": "double",
    "_Float64x": "long double",
    "_Float128": "long double",
    "__float128": "long double",
}
_SPECIAL = _DROPPED | _ATTRIBUTE | _ASSEMBLER | _FLOATS.keys() | {"_Noreturn", "__label__"}
_STARTS = re.compile(r"\.(?:pre)?(?:init|fini)|\.[cd]tors")  # sections of what runs before and after main
_REFUSED = frozenset(("alias", "cleanup", "constructor", "destructor", "ifunc", "vector_size", "weakref"))
_LAYOUT = frozenset(("aligned", "packed", "ms_struct", "scalar_storage_order"))

# Type names that exist without a declaration.
BUILTIN_TYPES = {
    "__builtin_va_list": "void *",
    "__int128_t": "__int128",
    "__uint128_t": "unsigned __int128",
}

# Identifiers that the grammar is given in place of what it does not know.
SAME_AS_CONDITION = "__argosy_same_as_condition"
ASSEMBLER = "__argosy_assembler"

PUNCTUATION = {
    "...": "ELLIPSIS", "<<=": "LSHIFTEQUAL", ">>=": "RSHIFTEQUAL", "++": "PLUSPLUS", "--": "MINUSMINUS",
    "->": "ARROW", "&&": "LAND", "||": "LOR", "<<": "LSHIFT", ">>": "RSHIFT", "<=": "LE", ">=": "GE", "==": "EQ",
    "!=": "NE", "*=": "TIMESEQUAL", "/=": "DIVEQUAL", "%=": "MODEQUAL", "+=": "PLUSEQUAL", "-=": "MINUSEQUAL",
    "&=": "ANDEQUAL", "|=": "OREQUAL", "^=": "XOREQUAL", "=": "EQUALS", "+": "PLUS", "-": "MINUS", "*": "TIMES",
    "/": "DIVIDE", "%": "MOD", "|": "OR", "&": "AND", "~": "NOT", "^": "XOR", "!": "LNOT", "<": "LT", ">": "GT",
    "?": "CONDOP", "(": "LPAREN", ")": "RPAREN", "[": "LBRACKET", "]": "RBRACKET", "{": "LBRACE", "}": "RBRACE",
    ",": "COMMA", ".": "PERIOD", ";": "SEMI", ":": "COLON",
}  # fmt: skip
_DIGRAPHS = {"<:": "[", ":>": "]", "<%": "{", "%>": "}"}

_TOKEN = re.compile(
    r"""(?P<space>[ \t\f\v\r]+)
      | (?P<newline>\n)
      | (?P<word>(?!(?:L|u8|u|U)["'])[A-Za-z_$\u0080-\U0010ffff][\w$]*)
      | (?P<number>\.?[0-9](?:[eEpP][+-]|[\w.])*)
      | (?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<open>/\*)
      | (?P<string>(?:L|u8|u|U)?"(?:[^"\\\n]|\\[^\n])*")
      | (?P<character>(?:L|u8|u|U)?'(?:[^'\\\n]|\\[^\n])+')
      | (?P<directive>\#[^\n]*)
      | (?P<punctuation>\.\.\.|<<=|>>=|\+\+|--|->|&&|\|\||<<|>>|[<>=!*/%+\-&|^]=|<:|:>|<%|%>
        |[-=+*/%|&~^!<>?()[\]{},.;:])
    """,
    re.VERBOSE | re.DOTALL,
)
# A backslash at the end of a line goes on with the next one, wherever it stands (C11 5.1.1.2, phase 2); compilers allow
# blanks behind it.
_SPLICE = re.compile(r"\\[ \t\f\v]*\r?\n")
_LONGEST_NUMBER = 9
_MARKER = re.compile(r'#\s*(?:line\s+)?([0-9]+)(?:\s+"((?:[^"\\\n]|\\.)*)")?')
_SUFFIX = r"(?:[uU](?:ll|LL|[lL])?|(?:ll|LL|[lL])[uU]?)?"
_NUMBERS = {
    "INT_CONST_HEX": re.compile(r"0[xX][0-9a-fA-F]+" + _SUFFIX),
    "INT_CONST_BIN": re.compile(r"0[bB][01]+" + _SUFFIX),
    "INT_CONST_OCT": re.compile(r"0[0-7]*" + _SUFFIX),
    "INT_CONST_DEC": re.compile(r"[1-9][0-9]*" + _SUFFIX),
    "FLOAT_CONST": re.compile(
        r"(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]+)?(?:[fFlL]|[fF][0-9]+x?)?"
    ),
    "HEX_FLOAT_CONST": re.compile(r"0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+[fFlL]?"),
}


Spot = tuple[str, int, int]  # file, line and column, as the parser keeps them


@dataclass
class Lexed:
    """The tokens of a text and what was kept aside: ``modes`` by the place of the declared name, ``packed`` by that of
    the word ``enum``. ``layout`` is an attribute or pragma that decides the layout of
    structures. ``directive`` is the first one that asks for a preprocessor;
    ``words_to_check`` are the program's own words where its headers may be those of another data model."""

    tokens: list[Token] = field(default_factory=list)
    noreturn: set[str] = field(default_factory=set)
    modes: dict[Spot, str] = field(default_factory=dict)
    packed: set[Spot] = field(default_factory=set)
    layout: Obstacle | None = None
    directive: Position | None = None
    words_to_check: frozenset[str] = frozenset()


class NamedFile(str):
    """The file that a marker names. ``file`` is the one that was read, in which lines are ``behind`` by so many."""

    file: str
    behind: int

    def __new__(cls, name: str, file: str, behind: int) -> NamedFile:
        made = super().__new__(cls, name)
        made.file, made.behind = file, behind
        return made


def position(file: str, line: int, column: int) -> Position:
    if isinstance(file, NamedFile):
        return Position(str(file), line, column, file.file, line + file.behind)
    return Position(file, line, column)


def lex(text: str, file: str, name: Callable[[str], str] | None = None) -> Lexed:
    """The tokens of ``text``; of one that went through the preprocessor, ``name`` says what a file is called that a
    marker names. Raises InputError at what is not a token."""
    result = Lexed()
    raw = _raw(text, file, result, name)
    if result.directive is None:
        _Gnu(raw, result).run()
    return result


def _raw(text: str, file: str, result: Lexed, name: Callable[[str], str] | None) -> list[Token]:
    read, physical = file, 1
    text, splices = _spliced(text)
    tokens: list[Token] = []
    match = _TOKEN.match
    at_next, line, start = 0, 1, 0
    fresh_line = True
    while at_next < len(text):
        found = match(text, at_next)
        kind = found.lastgroup if found else None
        if found is None or kind == "open":
            raise InputError(position(file, line, at_next - start + 1), _complaint(text, at_next))
        value = found.group()
        at, at_next = at_next, found.end()
        while splices and splices[-1] <= at:
            start = max(start, splices.pop())
            line += 1
            physical += 1
        if kind == "word":
            tokens.append(Token(KEYWORDS.get(value, "ID"), value, line, at - start + 1, file))
        elif kind == "punctuation":
            value = _DIGRAPHS.get(value, value)
            tokens.append(Token(PUNCTUATION[value], value, line, at - start + 1, file))
        elif kind == "newline":
            line += 1
            physical += 1
            start = at_next
            fresh_line = True
            continue
        elif kind == "number":
            tokens.append(
                Token(_number(value, position(file, line, at - start + 1)), value, line, at - start + 1, file)
            )
        elif kind == "string":
            tokens.append(
                Token(_PREFIXES[value[: value.index('"')]] + "STRING_LITERAL", value, line, at - start + 1, file)
            )
        elif kind == "character":
            tokens.append(Token("CHAR_CONST", value, line, at - start + 1, file))
        elif kind == "directive":
            if not fresh_line:
                raise InputError(position(file, line, at - start + 1), "a # inside a line")
            marker = _MARKER.match(value)
            if marker:
                if len(marker[1]) > _LONGEST_NUMBER:
                    raise InputError(position(file, line, at - start + 1), "no number of a line")
                line = int(marker[1]) - 1
                said = file if marker[2] is None else re.sub(r"\\(.)", r"\1", marker[2])
                file = NamedFile(said, read, physical - line) if name is None else name(said)
                start = at_next
                while splices and splices[-1] < at_next:
                    splices.pop()
                    physical += 1
                continue
            _directive(value, position(file, line, at - start + 1), result)
        fresh_line = fresh_line and kind in ("space", "comment")
        newlines = value.count("\n")
        if newlines:
            line += newlines
            physical += newlines
            start = at + value.rindex("\n") + 1
    return tokens


def _spliced(text: str) -> tuple[str, list[int]]:
    """The text in logical lines, and where in it further lines of the file began, the last one first."""
    pieces = _SPLICE.split(text)
    splices: list[int] = []
    length = 0
    for piece in pieces[:-1]:
        length += len(piece)
        splices.append(length)
    return "".join(pieces), splices[::-1]


_PREFIXES = {"": "", "L": "W", "u8": "U8", "u": "U16", "U": "U32"}


def _complaint(text: str, position: int) -> str:
    character = text[position]
    if text.startswith("/*", position):
        return "a comment that does not end"
    if character in "\"'":
        return f"a {'string' if character == chr(34) else 'character constant'} that does not end"
    return f"no token of C: {character!r}" if character.isprintable() else "not a text file"


def _number(value: str, position: Position) -> str:
    for kind, pattern in _NUMBERS.items():
        if pattern.fullmatch(value):
            return kind
    raise InputError(position, f"no number: {value}")


def _directive(value: str, position: Position, result: Lexed) -> None:
    words = value[1:].split()
    if words and words[0] == "pragma":
        if "pack" in value and result.layout is None:
            result.layout = Obstacle(position, "#pragma pack", Construct.LAYOUT)
    elif words and words[0] not in ("ident", "sccs") and result.directive is None:
        result.directive = position


class _Gnu:
    """The pass over raw tokens that leaves what pycparser's grammar knows."""

    def __init__(self, raw: list[Token], result: Lexed) -> None:
        self.raw = raw
        self.result = result
        self.out = result.tokens
        self.at = 0
        self.braces = 0
        # The declaration under way: where it starts, whether an attribute waits for the name of a declarator, or is
        # one for all its declarators.
        self.start = 0
        self.noreturn = self.all_noreturn = False
        self.mode = self.all_mode = ""
        # The words that open what is in braces, where they are ``enum``, and that of the last ones that closed.
        self.opened: list[Token | None] = []
        self.closed: Token | None = None
        self.in_case = False

    def run(self) -> None:
        raw, out = self.raw, self.out
        self._prelude()
        while self.at < len(raw):
            token = raw[self.at]
            kind = token.type
            if kind == "ID" or kind == "RESTRICT":
                if token.value in _SPECIAL:
                    self._special(token)
                    continue
            elif kind in ("SEMI", "LBRACE", "RBRACE", "COMMA"):
                self._boundary(kind)
            elif kind == "CASE":
                self.in_case = True
            elif kind == "COLON":
                self.in_case = False
                if out and out[-1].type == "CONDOP":
                    out.append(Token("ID", SAME_AS_CONDITION, token.lineno, token.column, token.filename))
            elif kind == "ELLIPSIS" and self.in_case:
                # A range of cases is read as the weakest binary operator between its bounds.
                token = Token("LOR", "...", token.lineno, token.column, token.filename)
            elif kind == "LBRACKET" and self._next_is("LBRACKET"):
                self._attribute(self._balanced())
                continue
            elif kind in _PLAIN:
                token.value = _PLAIN[kind]
            out.append(token)
            self.at += 1

    def _prelude(self) -> None:
        used = {token.value for token in self.raw if token.value in BUILTIN_TYPES}
        for name in sorted(used):
            for word in ("typedef", *BUILTIN_TYPES[name].split(), name, ";"):
                kind = KEYWORDS.get(word) or PUNCTUATION.get(word) or "ID"
                self.out.append(Token(kind, word, 0, 0, "<builtin>"))

    def _next_is(self, kind: str) -> bool:
        return self.at + 1 < len(self.raw) and self.raw[self.at + 1].type == kind

    def _balanced(self) -> list[Token]:
        """The tokens of a bracketed group that starts here; ``at`` moves behind it."""
        depth = 0
        first = self.at
        for index in range(first, len(self.raw)):
            kind = self.raw[index].type
            if kind in ("LPAREN", "LBRACKET", "LBRACE"):
                depth += 1
            elif kind in ("RPAREN", "RBRACKET", "RBRACE"):
                depth -= 1
                if depth == 0:
                    self.at = index + 1
                    return self.raw[first : index + 1]
        raise InputError(_position(self.raw[first]), "a bracket that does not close")

    def _special(self, token: Token) -> None:
        word = token.value
        if word in _FLOATS and not (self.out and self.out[-1].type in ("FLOAT", "DOUBLE")):
            for name in _FLOATS[word].split():
                self.out.append(Token(KEYWORDS[name], name, token.lineno, token.column, token.filename))
        elif word in _FLOATS:
            self.out.append(token)
        elif word == "_Noreturn":
            self.all_noreturn = True
        self.at += 1
        if word in _ATTRIBUTE:
            if self.at < len(self.raw) and self.raw[self.at].type == "LPAREN":
                self._attribute(self._balanced())
        elif word in _ASSEMBLER:
            self._assembler(token)
        elif word == "__label__":
            while self.at < len(self.raw) and self.raw[self.at].type != "SEMI":
                self.at += 1

    def _attribute(self, group: list[Token]) -> None:
        names = self._outer_names()
        following = self.raw[self.at].type if self.at < len(self.raw) else "SEMI"
        for_all = names is not None and names.first and following not in _BEHIND_DECLARATORS
        for index, token in enumerate(group):
            name = token.value.strip("_")
            if name == "noreturn" and names is not None:
                self.all_noreturn, self.noreturn = self.all_noreturn or for_all, self.noreturn or not for_all
            elif name == "packed" and self._enumeration() is not None:
                self.result.packed.add(_spot(self._enumeration()))
            elif name in _LAYOUT:
                found = Obstacle(_position(token), f"attribute '{name}'", Construct.LAYOUT)
                self.result.layout = self.result.layout or found
            elif name == "mode" and index + 2 < len(group):
                mode = group[index + 2].value.strip("_")
                if names is None:
                    raise error(_position(token), f"attribute mode({mode}) here", Construct.ATTRIBUTE)
                self.all_mode, self.mode = (mode, self.mode) if for_all else (self.all_mode, mode)
            elif name == "section" and any(_STARTS.search(each.value) for each in group[index + 1 : index + 3]):
                raise error(_position(token), f"attribute {name}({group[index + 2].value})", Construct.ATTRIBUTE)
            elif name in _REFUSED:
                raise error(_position(token), f"attribute {name}", Construct.ATTRIBUTE)

    def _assembler(self, token: Token) -> None:
        """Behind a declarator it names a symbol and is dropped; as a statement it becomes a call that is refused."""
        while self.at < len(self.raw) and self.raw[self.at].type in ("VOLATILE", "INLINE", "GOTO"):
            self.at += 1
        if self.at < len(self.raw) and self.raw[self.at].type == "LPAREN":
            self._balanced()
        before = self.out[-1].type if self.out else "SEMI"
        if self.braces and before not in ("ID", "RBRACKET"):
            for kind, value in (("ID", ASSEMBLER), ("LPAREN", "("), ("RPAREN", ")")):
                self.out.append(Token(kind, value, token.lineno, token.column, token.filename))

    def _boundary(self, kind: str) -> None:
        """The end of a declarator: attributes that wait belong to the name in it."""
        noreturn, mode = self.noreturn or self.all_noreturn, self.mode or self.all_mode
        names = self._outer_names() if noreturn or mode else None
        if names is not None:
            if noreturn and names.function is not None:
                self.result.noreturn.add(names.function.value)
            if mode and names.last is not None:
                self.result.modes[_spot(names.last)] = mode
            self.noreturn, self.mode = False, ""
        if kind == "LBRACE":
            if self.all_mode and self.out[-1].type == "EQUALS":
                said = f"attribute mode({self.all_mode}) of declarations with braces"
                raise error(_position(self.out[-1]), said, Construct.ATTRIBUTE)
            self.braces += 1
            words = self.out[-2:]
            self.opened.append(next((word for word in words if word.type == "ENUM"), None))
        elif kind == "RBRACE":
            self.braces -= 1
            self.closed = self.opened.pop() if self.opened else None
        if kind != "COMMA":
            self.start = len(self.out) + 1
            self.all_noreturn, self.all_mode = False, ""

    def _enumeration(self) -> Token | None:
        """The word ``enum`` that an attribute here belongs to."""
        before = self.out[-1] if self.out else None
        if before is not None and before.type == "RBRACE":
            return self.closed
        return before if before is not None and before.type == "ENUM" else None

    def _outer_names(self) -> _Names | None:
        depth = 0
        last = function = None
        first, initialised = True, False
        for index in range(self.start, len(self.out)):
            token = self.out[index]
            if token.type in ("LPAREN", "LBRACKET"):
                if depth == 0 and token.type == "LPAREN" and self.out[index - 1].type == "ID" and not initialised:
                    function = self.out[index - 1]
                depth += 1
            elif token.type in ("RPAREN", "RBRACKET"):
                depth -= 1
            elif depth == 0 and token.type == "COMMA":
                last = function = None
                first = initialised = False
            elif depth == 0 and token.type in ("EQUALS", "COLON"):
                initialised = True
            elif token.type == "ID" and depth == 0 and not initialised:
                last = token
        return None if depth > 0 else _Names(last, function, first)


@dataclass(frozen=True, slots=True)
class _Names:
    """Of the declarator under way the last identifier outside brackets, and the last one there that a parameter list
    follows; whether it is the first of its declaration. There are none while the declarator is inside brackets."""

    last: Token | None
    function: Token | None
    first: bool


# What may follow an attribute that belongs to one declarator; others belong to the whole declaration.
_BEHIND_DECLARATORS = frozenset(("SEMI", "COMMA", "EQUALS", "COLON", "RPAREN"))


def _spot(token: Token) -> Spot:
    return token.filename, token.lineno, token.column


def _position(token: Token) -> Position:
    return position(token.filename, token.lineno, token.column)


class TokenSource:
    """What pycparser takes for its lexer: it hands out tokens that were read before."""

    tokens: Any = ()

    def __init__(self, error_func: Any, **_: Any) -> None:
        self.filename = ""
        self.last: Token | None = None
        self._iterator = iter(())

    def input(self, text: Any, filename: str = "") -> None:
        """``text`` is the list of tokens."""
        self.filename = filename
        self._iterator = iter(text)

    def token(self) -> Token | None:
        token = next(self._iterator, None)
        if token is not None:
            self.last = token
            self.filename = token.filename
        return token
