"""Which names a declaration declares, on tokens, before anybody has parsed it.

Law: a word is taken for the name of a type wherever a typedef may declare it, in whichever scope; no name of a
parameter, tag, member or attribute is one.
"""

from __future__ import annotations

from collections.abc import Iterator

from pycparser.c_lexer import Token

from argosy.basics.records import dataclass
from argosy.frontends.c.gnu.brackets import CLOSING, behind_group, deeper
from argosy.frontends.c.gnu.words import ATTRIBUTE, BUILTIN_TYPES, SPECIAL


@dataclass(frozen=True, slots=True)
class DeclaredNames:
    """Of the declarator under way the last identifier outside brackets, and the last one there that a parameter list
    follows; whether it is the first of its declaration, and whether it has ``brackets``."""

    last: Token | None
    function: Token | None
    first: bool
    brackets: bool


def outer_names(tokens: list[Token], start: int) -> DeclaredNames | None:
    """Those of the declaration that starts there and is not read to its end; none while the declarator is inside
    brackets."""
    depth = 0
    last = function = None
    first, initialised, brackets = True, False, False
    for index in range(start, len(tokens)):
        token = tokens[index]
        if token.type in ("LPAREN", "LBRACKET"):
            if depth == 0 and token.type == "LPAREN" and tokens[index - 1].type == "ID" and not initialised:
                function = tokens[index - 1]
            behind_word = tokens[index - 1].type in ("_ALIGNAS", "TYPEOF", "TYPEOF_UNQUAL")
            brackets = brackets or (token.type == "LPAREN" and not initialised and not behind_word)
            depth += 1
        elif token.type in ("RPAREN", "RBRACKET"):
            depth -= 1
        elif depth == 0 and token.type == "COMMA":
            last = function = None
            first = initialised = brackets = False
        elif depth == 0 and token.type in ("EQUALS", "COLON"):
            initialised = True
        elif token.type == "ID" and depth == 0 and not initialised:
            last = token
    return None if depth > 0 else DeclaredNames(last, function, first, brackets)


def declared_alone(raw: list[Token], at: int) -> Token | None:
    """The name that the declaration under way declares, of which the rest begins here; None where it declares several,
    or where brackets are around it."""
    found, depth, initialised = None, 0, False
    for index in range(at, len(raw)):
        token = raw[index]
        depth += deeper(token)
        if depth or token.type in CLOSING:
            continue
        if token.type == "SEMI":
            return found
        if token.type == "COMMA":
            return None
        initialised = initialised or token.type == "EQUALS"
        if token.type == "ID" and not initialised and token.value not in SPECIAL:
            found = token
    return None


def type_names(raw: list[Token]) -> frozenset[str]:
    """Words that a typedef may declare: no names of parameters, tags, members or attributes."""
    found = set(BUILTIN_TYPES)
    for index, token in enumerate(raw):
        if token.type == "TYPEDEF":
            found.update(_declared(raw, index + 1))
    return frozenset(found)


def _declared(raw: list[Token], at: int) -> Iterator[str]:
    """The identifiers of a declaration from a token on, outside of what describes a type in brackets."""
    while at < len(raw) and raw[at].type != "SEMI":
        before, token = raw[at - 1], raw[at]
        described = before.value in ATTRIBUTE or before.type in ("TYPEOF", "TYPEOF_UNQUAL", "_ALIGNAS")
        if token.type in ("LBRACE", "LBRACKET") or (token.type == "LPAREN" and (described or _lists(raw, at))):
            at = behind_group(raw, at)
            continue
        if token.type == "ID" and before.type not in ("STRUCT", "UNION", "ENUM"):
            yield token.value
        at += 1


def _lists(raw: list[Token], at: int) -> bool:
    """Whether a bracket behind a name or a declarator opens a list of parameters, and no declarator in brackets."""
    if raw[at - 1].type not in ("ID", "RPAREN", "RBRACKET"):
        return False
    inside, behind = raw[at + 1 : at + 2], raw[(end := behind_group(raw, at)) : end + 1]
    return [t.type for t in inside] != ["TIMES"] and not any(t.type in ("LPAREN", "LBRACKET") for t in behind)
