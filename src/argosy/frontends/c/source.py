"""From a file to a syntax tree: reading, preprocessing where it is asked for, parsing with pycparser.

A text with directives other than markers and pragmas, or with macros that compilers define themselves, goes through
the system's preprocessor. Where that has to take
headers of another data model, ``Syntax.notes`` says so, and type names of the program whose width then contradicts the
data model are refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from pycparser import c_ast
from pycparser.c_lexer import Token
from pycparser.c_parser import ParseError

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.basics.records import dataclass, field
from argosy.frontends.c.columns import moves_lines
from argosy.frontends.c.lexer import lex
from argosy.frontends.c.parser import FAILURES, PlainParser, QuickParser, TokenSource, is_raised_by_the_parser
from argosy.frontends.c.preprocessor import NO_SWITCHES, Switches, preprocess
from argosy.frontends.c.tokens import SAME_AS_CONDITION, Lexed, position
from argosy.frontends.c.unsupported import Construct, Obstacle
from argosy.frontends.files import is_unicode, read_text

Node = Any  # pycparser's nodes carry no types

# Macros that a compiler has without a directive, as ``__SIZE_TYPE__``. Names of functions are none.
_PREDEFINED = re.compile(r"\b__(?!FUNCTION__|PRETTY_FUNCTION__)[A-Z][A-Z0-9_]{2,}__\b")
_LOCATED = re.compile(r"^(.*):([0-9]+):([0-9]+): (.*)$", re.DOTALL)


@dataclass
class Syntax:
    """``in_place`` is false where the lines of the file as it was given are not known any more. Of several files
    (``linking``) ``starts`` says where each begins in the tree, and ``groups`` which definition of a tag each has."""

    tree: Node
    lexed: Lexed
    notes: tuple[str, ...] = ()
    in_place: bool = True
    path: str = ""
    starts: tuple[int, ...] = (0,)
    groups: Mapping[tuple[int, str, str], int] = field(default_factory=dict)


def parse(path: str, data_model: str, text: str | None = None, switches: Switches = NO_SWITCHES) -> Syntax:
    """The syntax tree of the file, or of a text that ``path`` is only the name of. Raises InputError when there is
    none."""
    bytes_only = False
    if text is None:
        text = read_text(path)
        bytes_only = not text.isascii() and not is_unicode(path)
    lexed = lex(text, path)
    notes: tuple[str, ...] = ()
    directive = lexed.directive
    if directive is None and (switches.matter or _PREDEFINED.search(text)):
        directive = Position(path, 1, 1)
    if directive is not None:
        preprocessed = preprocess(path, text, data_model, directive, switches)
        notes = preprocessed.notes
        lexed = lex(preprocessed.text, path, preprocessed.name, text)
        if lexed.directive is not None:
            raise InputError(lexed.directive, "the preprocessor left a directive")
        if notes:
            asked = Obstacle(directive, "system headers of the host", Construct.FOREIGN_HEADERS)
            lexed.layout = lexed.layout or asked
            lexed.words_to_check = frozenset(token.value for token in lexed.tokens if token.filename == path)
    lexed.old_inline = switches.old_inline
    if bytes_only:
        _keep_bytes(lexed)
    if not lexed.tokens:
        raise InputError(Position(path, 1, 1), "the file holds no program")
    return Syntax(_parse(lexed, path), lexed, notes, directive is None or not moves_lines(text), path)


def _keep_bytes(lexed: Lexed) -> None:
    """In a text of an older encoding a character of a literal is the byte that it was: one escape sequence."""
    for token in lexed.tokens:
        if token.type.endswith(("STRING_LITERAL", "CHAR_CONST")) and not token.value.isascii():
            token.value = re.sub(r"[\x80-\xff]", lambda found: f"\\{ord(found[0]):03o}", token.value)


def _parse(lexed: Lexed, path: str) -> Node:
    with suppress(*FAILURES):
        return QuickParser().of(lexed.tokens)
    parser = PlainParser()
    try:
        return parser.parse(lexed.tokens, path)
    except ParseError as error:
        raise _syntax_error(str(error), parser.clex, path) from None
    except FAILURES as error:
        if not is_raised_by_the_parser(error):
            raise
        raise _syntax_error(str(error), parser.clex, path) from None


def expression_of(tokens: Sequence[Token], types: Sequence[str], path: str) -> Node | None:
    """The tree of an expression in which some names are those of types; None where it is none."""
    known = "".join(f"typedef int {name};" for name in types)
    before, behind = lex(f"{known}int __argosy = (", path).tokens, lex(");", path).tokens
    try:
        tree = PlainParser().parse([*before, *tokens, *behind], path)
    except ParseError:
        return None
    # The names of types, and those that the lexer declares because they are among them.
    *named, found = tree.ext
    return found.init if all(isinstance(each, c_ast.Typedef) for each in named) else None


def _syntax_error(message: str, source: TokenSource, path: str) -> InputError:
    located = _LOCATED.match(message)
    last = source.last
    if located:
        same = last is not None and (last.filename, last.lineno) == (located[1], int(located[2]))
        file = last.filename if same and last is not None else located[1]
        at = position(file, int(located[2]), int(located[3]))
        complaint = located[4]
        before = re.fullmatch(r"before: (.*)", complaint, re.DOTALL)
        complaint = f"unexpected {before[1]!r}" if before else complaint[:1].lower() + complaint[1:]
    else:
        at = position(last.filename, last.lineno, last.column) if last else Position(path, 1, 1)
        complaint = "the file ends too early" if "end of input" in message else f"near {last.value!r}" if last else ""
    return InputError(at, f"syntax error: {complaint}")


def is_elvis(node: Node) -> bool:
    """Is this TernaryOp GNU's ``a ?: b``?"""
    return getattr(node.iftrue, "name", None) == SAME_AS_CONDITION
