"""Tokens of C, with positions in the original file, for pycparser's grammar.

pycparser reads preprocessed ISO C. Lines are joined, comments and ``#line`` and ``# n "file"`` markers are resolved
here; what compilers add to the language is resolved in ``gnu``.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pycparser.c_lexer import Token

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.frontends.c.columns import restore_columns
from argosy.frontends.c.designators import designated
from argosy.frontends.c.gnu.dialect import Gnu
from argosy.frontends.c.tokens import KEYWORDS, PUNCTUATION, Lexed, NamedFile, PackPragma, position, position_of_token
from argosy.frontends.c.unsupported import Construct, Obstacle, error

_DIGRAPHS = {"<:": "[", ":>": "]", "<%": "{", "%>": "}"}

# A word begins with a letter of ASCII, _, $ or anything beyond ASCII; sets are compiled soonest by what is not in them.
_TOKEN = re.compile(
    r"""(?P<mark>[()[\]{},;~?]|==?|!=?|&&|\|\|)
      | (?P<word>(?!(?:L|u8|u|U)["'])(?:[^\x00-#%-@\[-^`{-\x7f]|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})
                (?:[\w$]|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})*)
      | (?P<space>[ \t\f\v\r]+)
      | (?P<newline>\n)
      | (?P<number>\.?[0-9](?:[eEpP][+-]|'(?=\w)|[\w.])*)
      | (?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<open>/\*)
      | (?P<string>(?:L|u8|u|U)?"(?:[^"\\\n]|\\[^\n])*")
      | (?P<character>(?:L|u8|u|U)?'(?:[^'\\\n]|\\[^\n])+')
      | (?P<directive>\#[^\n]*)
      | (?P<punctuation>\.\.\.|<<=|>>=|\+\+|--|->|<<|>>|[<>*/%+\-&|^]=|<:|:>|<%|%>
        |[-+*/%|&^<>.:])
    """,
    re.VERBOSE | re.DOTALL,
)
# A backslash at the end of a line goes on with the next one, wherever it stands (C11 5.1.1.2, phase 2); compilers allow
# blanks behind it.
_SPLICE = re.compile(r"\\[ \t\f\v]*\r?\n")
_LONGEST_NUMBER = 9
_MARKER = re.compile(r'#\s*(?:line\s+)?([0-9]+)(?:\s+"((?:[^"\\\n]|\\.)*)")?')
_PLAIN = {"0": "INT_CONST_OCT", **{str(number): "INT_CONST_DEC" for number in range(1, 100)}}
_SUFFIX = r"(?:[uU](?:ll|LL|[lL])?|(?:ll|LL|[lL])[uU]?)?"
_NUMBERS = {
    "INT_CONST_HEX": r"0[xX][0-9a-fA-F]+" + _SUFFIX,
    "INT_CONST_BIN": r"0[bB][01]+" + _SUFFIX,
    "INT_CONST_OCT": r"0[0-7]*" + _SUFFIX,
    "INT_CONST_DEC": r"[1-9][0-9]*" + _SUFFIX,
    "FLOAT_CONST": r"(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]+)?(?:[fFlL]|[fF][0-9]+x?)?",
    "HEX_FLOAT_CONST": r"0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+[fFlL]?",
}


def lex(text: str, file: str, name: Callable[[str], str] | None = None, given: str | None = None) -> Lexed:
    """The tokens of ``text``; of one that went through the preprocessor, ``name`` says what a file is called that a
    marker names, and ``given`` is the text before. Raises InputError at what is not a token."""
    result = Lexed()
    raw = _raw(text, file, result, name)
    if given is not None:
        restore_columns(raw, given, file)
    if result.directive is None:
        Gnu(raw, result).run()
        result.tokens = designated(result.tokens)
    return result


def _raw(text: str, file: str, result: Lexed, name: Callable[[str], str] | None) -> list[Token]:
    read, physical = file, 1
    text, splices = _spliced(text)
    tokens: list[Token] = []
    match = _TOKEN.scanner(text).match  # type: ignore[attr-defined]
    behind, line, start = 0, 1, 0
    fresh_line = True
    while (found := match()) is not None and (kind := found.lastgroup) != "open":
        value = found[0]
        at, behind = behind, behind + len(value)
        while splices and splices[-1] <= at:
            start = max(start, splices.pop())
            line += 1
            physical += 1
        # What is read most often comes first, and is within a line.
        if kind == "mark":
            tokens.append(Token(PUNCTUATION[value], value, line, at - start + 1, file))
            fresh_line = False
            if value == ")" and len(tokens) > 3 and tokens[-4].value == "_Pragma":
                _pragma(tokens, result)
            continue
        if kind == "word":
            if "\\" in value:
                value = _UNIVERSAL.sub(_named, value)
            tokens.append(Token(KEYWORDS.get(value, "ID"), value, line, at - start + 1, file))
            fresh_line = False
            continue
        if kind == "newline":
            line += 1
            physical += 1
            start = behind
            fresh_line = True
            continue
        if kind == "number":
            value = value.replace("'", "")  # between digits (C23 6.4.4.1)
            own = _PLAIN.get(value) or _number(value, position(file, line, at - start + 1))
            tokens.append(Token(own, value, line, at - start + 1, file))
        elif kind == "punctuation":
            value = _DIGRAPHS.get(value, value)
            tokens.append(Token(PUNCTUATION[value], value, line, at - start + 1, file))
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
                start = behind
                while splices and splices[-1] < behind:
                    splices.pop()
                    physical += 1
                continue
            _directive(value, position(file, line, at - start + 1), result, len(tokens))
            if result.directive is not None:
                return tokens  # the rest need not be tokens before the preprocessor has seen it
        fresh_line = fresh_line and kind in ("space", "comment")
        newlines = value.count("\n")
        if newlines:
            line += newlines
            physical += newlines
            start = at + value.rindex("\n") + 1
    if behind < len(text):
        raise InputError(position(file, line, behind - start + 1), _complaint(text, behind))
    return tokens


# Characters of names by their numbers (C11 6.4.3), as preprocessors write them.
_UNIVERSAL = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))")


def _named(found: re.Match[str]) -> str:
    code = int(found[1] or found[2], 16)
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code < 0xE000 else found[0]


def _spliced(text: str) -> tuple[str, list[int]]:
    """The text in logical lines, and where in it further lines of the file began, the last one first."""
    if "\\" not in text:
        return text, []
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


# Of complex numbers, as ``I`` in <complex.h> is one (GCC's manual, 6.11).
_IMAGINARY = r"[0-9a-fA-FxX.]+(?:[eEpP][+-]?[0-9]+)?[fFlLuU]*[ijIJ][fFlLuU]*"


def _number(value: str, position: Position) -> str:
    if value.isdecimal() and value.isascii() and value[0] != "0":
        return "INT_CONST_DEC"
    for kind, pattern in _NUMBERS.items():
        if re.fullmatch(pattern, value):
            return kind
    if re.fullmatch(_IMAGINARY, value):
        raise error(position, f"the imaginary number {value}", Construct.FLOAT)
    raise InputError(position, f"no number: {value}")


# Pragmas that change how structures are laid out, but for ``pack``.
_LAYOUT_PRAGMAS = ("ms_struct", "scalar_storage_order", "options", "align")
_PACK = r"#\s*pragma\s+pack\s*\(([^)]*)\)"


def _directive(value: str, position: Position, result: Lexed, before: int) -> None:
    words = re.findall(r"\w+", value[1:])
    if words and words[0] == "pragma":
        if words[1:2] == ["pack"]:
            result.packs.append(_pack(value, position, before))
        elif words[1:2] == ["weak"] and len(words) == 3:
            result.weak.add(words[2])
        elif words[1:2] and words[1] in ("weak", "redefine_extname"):
            raise error(position, f"#pragma {words[1]}", Construct.ATTRIBUTE)
        elif words[1:2] and words[1] in _LAYOUT_PRAGMAS and result.layout is None:
            result.layout = Obstacle(position, f"#pragma {words[1]}", Construct.LAYOUT)
    elif words and words[0] not in ("ident", "sccs") and result.directive is None:
        result.directive = position


def _pragma(tokens: list[Token], result: Lexed) -> None:
    """``_Pragma("pack(1)")`` is a directive (C11 6.10.9). The word is the last token but three."""
    if tokens[-2].type != "STRING_LITERAL":
        return
    said = re.sub(r'\\(["\\])', r"\1", tokens[-2].value[1:-1])
    place = position_of_token(tokens[-4])
    del tokens[-4:]
    _directive(f"#pragma {said}", place, result, len(tokens))


def _pack(value: str, position: Position, before: int) -> PackPragma:
    """``pack()``, ``pack(4)``, ``pack(push)``, ``pack(push, name, 4)``, ``pack(pop, name)``."""
    found = re.match(_PACK, value)
    words = [word.strip() for word in found[1].split(",")] if found and found[1].strip() else []
    operation = words.pop(0) if words and words[0] in ("push", "pop") else "set"
    name = words.pop(0) if operation != "set" and words and not words[0].isdigit() else ""
    given = words.pop(0) if words and words[0] in ("0", "1", "2", "4", "8", "16") else None
    unknown = found is None or bool(words) or (operation == "pop" and given is not None)
    return PackPragma(before, operation, None if given is None else int(given), name, position, unknown)
