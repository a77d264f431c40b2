"""Words and punctuation of C as tokens for pycparser's grammar, where they stand, and what is kept aside of a text."""

from __future__ import annotations

from typing import Self

from pycparser.c_lexer import Token

from argosy.basics.position import Position
from argosy.basics.records import dataclass, field
from argosy.frontends.c.unsupported import Obstacle

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

# The file of declarations that nobody writes.
BUILTIN = "<builtin>"

# What no program calls anything by.
MADE_UP = "__argosy_"

# Identifiers that the grammar is given in place of what it does not know.
SAME_AS_CONDITION = "__argosy_same_as_condition"
ASSEMBLER = "__argosy_assembler"
# Before the size of a vector, among the modes of declared names.
VECTOR_MODE = "vector_size "
COMPATIBLE = "__argosy_types_compatible"  # of the types in two operators sizeof
ALIGNMENT = "__argosy_alignment"  # of the expression in an operator sizeof
ASSEMBLED = "__argosy_assembled"  # of its outputs, how many they are, and inputs
ASSEMBLED_IN_MEMORY = "__argosy_assembled_in_memory"  # which changes what functions without a body change

PUNCTUATION = {
    "...": "ELLIPSIS", "<<=": "LSHIFTEQUAL", ">>=": "RSHIFTEQUAL", "++": "PLUSPLUS", "--": "MINUSMINUS",
    "->": "ARROW", "&&": "LAND", "||": "LOR", "<<": "LSHIFT", ">>": "RSHIFT", "<=": "LE", ">=": "GE", "==": "EQ",
    "!=": "NE", "*=": "TIMESEQUAL", "/=": "DIVEQUAL", "%=": "MODEQUAL", "+=": "PLUSEQUAL", "-=": "MINUSEQUAL",
    "&=": "ANDEQUAL", "|=": "OREQUAL", "^=": "XOREQUAL", "=": "EQUALS", "+": "PLUS", "-": "MINUS", "*": "TIMES",
    "/": "DIVIDE", "%": "MOD", "|": "OR", "&": "AND", "~": "NOT", "^": "XOR", "!": "LNOT", "<": "LT", ">": "GT",
    "?": "CONDOP", "(": "LPAREN", ")": "RPAREN", "[": "LBRACKET", "]": "RBRACKET", "{": "LBRACE", "}": "RBRACE",
    ",": "COMMA", ".": "PERIOD", ";": "SEMI", ":": "COLON",
}  # fmt: skip

# What one of several files keeps to itself has the name of the file behind this, where another file has the name too.
OWN_FILE = "@"

# What stands for the calls of a function from one place has the number of the place behind this.
# Before the number of a label: behind it stands what is called where control leaves the block (``cleanup``).
CLEANUP = "__argosy_cleanup"
COPY = "#"

# The tag of the structure that a va_list leads to.
ARGUMENT_LIST = "__argosy_arguments"

Spot = tuple[str, int, int]  # file, line and column, as the parser keeps them


@dataclass(frozen=True, slots=True)
class PackPragma:
    """``#pragma pack`` before the token of this number: ``operation`` is what it does to the stack of values, ``value``
    the new one, None where the pragma names none. An ``unknown`` one is not understood."""

    before: int
    operation: str
    value: int | None
    name: str
    position: Position
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class LayoutWords:
    """What attributes and pragmas say of what a token names. Of where members lie: ``alignments`` are expressions,
    nothing stands for the largest one; ``pack`` is the value of the pragma; an ``unknown`` one is not understood. Of an
    enumeration, that it is ``packed``; of a declared name, its ``mode``. Places in the text do not tell tokens apart: a
    header may be included twice, with other macros."""

    packed: bool = False
    alignments: tuple[tuple[Token, ...], ...] = ()
    pack: int | None = None
    unknown: Obstacle | None = None
    mode: str = ""


@dataclass
class Lexed:
    """The tokens of a text and what was kept aside: ``constructors`` run before ``main``, in the order of their
    numbers, ``destructors`` after it, in the opposite order. ``packs`` are pragmas.
    ``layout`` decides the layout of all structures in ways that are not known; whether something is ``aligned`` by an
    attribute or ``_Alignas``, or some member. ``directive`` is the first one that asks for a preprocessor;
    ``words_to_check`` are the program's own words where its headers may be those of another data model."""

    tokens: list[Token] = field(default_factory=list)
    noreturn: set[str] = field(default_factory=set)
    returns_twice: set[str] = field(default_factory=set)
    constructors: dict[str, int] = field(default_factory=dict)
    destructors: dict[str, int] = field(default_factory=dict)
    assumptions: dict[str, Position] = field(default_factory=dict)
    # What is weak; what assembler names say which symbol a function or an object is, and where.
    weak: set[str] = field(default_factory=set)
    # What is inline as in GNU C before C99, by an attribute or, in the whole text, by the edition of the language.
    gnu_inline: set[str] = field(default_factory=set)
    old_inline: bool = False
    symbols: dict[str, tuple[str, Position]] = field(default_factory=dict)
    packs: list[PackPragma] = field(default_factory=list)
    layout: Obstacle | None = None
    aligned: bool = False
    aligned_member: bool = False
    directive: Position | None = None
    words_to_check: frozenset[str] = frozenset()


def as_written(name: str) -> str:
    """A name as it stands in its file."""
    return name.partition(OWN_FILE)[0].partition(COPY)[0]


def uncopied(name: str) -> str:
    """The function that one stands for."""
    return name.partition(COPY)[0]


class _File(str):
    """The name of a file that says more. It never changes, and a copy of a tree has the same: pycparser copies types
    (``_Atomic(T)``)."""

    def __deepcopy__(self, memo: object) -> Self:
        return self


class NamedFile(_File):
    """The file that a marker names. ``file`` is the one that was read, in which lines are ``behind`` by so many."""

    file: str
    behind: int

    def __new__(cls, name: str, file: str, behind: int) -> NamedFile:
        made = super().__new__(cls, name)
        made.file, made.behind = file, behind
        return made


class AnnotatedFile(_File):
    """The file of a token, with what attributes say of the layout of what the token names: the parser keeps it."""

    file: str
    words: LayoutWords

    def __new__(cls, file: str, words: LayoutWords) -> AnnotatedFile:
        made = super().__new__(cls, file)
        made.file, made.words = file, words
        return made


NO_WORDS = LayoutWords()


def layout_words(file: object) -> LayoutWords:
    return file.words if isinstance(file, AnnotatedFile) else NO_WORDS


def annotate(token: Token, words: LayoutWords) -> None:
    """Say of what a token names all that was said before, and these."""
    file = token.filename
    if isinstance(file, AnnotatedFile):
        before, file = file.words, file.file
        alignments = before.alignments + words.alignments
        packed, pack = before.packed or words.packed, words.pack if before.pack is None else before.pack
        words = LayoutWords(packed, alignments, pack, before.unknown or words.unknown, words.mode or before.mode)
    if words != NO_WORDS:
        token.filename = AnnotatedFile(file, words)


def position(file: str, line: int, column: int) -> Position:
    if isinstance(file, AnnotatedFile):
        file = file.file
    if isinstance(file, NamedFile):
        return Position(str(file), line, column, file.file, line + file.behind)
    return Position(file, line, column)


def spot(token: Token) -> Spot:
    return token.filename, token.lineno, token.column


def position_of_token(token: Token) -> Position:
    return position(token.filename, token.lineno, token.column)
