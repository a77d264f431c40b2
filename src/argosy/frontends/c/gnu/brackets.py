"""Groups of tokens in brackets: where one ends, and what stands between separators outside of all of them.

Law: brackets of all kinds count alike; that they fit each other is for the parser to see.
"""

from __future__ import annotations

from pycparser.c_lexer import Token

OPENING = frozenset(("LPAREN", "LBRACKET", "LBRACE"))
CLOSING = frozenset(("RPAREN", "RBRACKET", "RBRACE"))


def deeper(token: Token) -> int:
    """By how many brackets what follows is deeper than what is before."""
    return (token.type in OPENING) - (token.type in CLOSING)


def behind_group(tokens: list[Token], at: int) -> int:
    """Where a group in brackets ends that starts here."""
    depth = 0
    while at < len(tokens):
        depth += deeper(tokens[at])
        at += 1
        if not depth:
            break
    return at


def up_to(tokens: list[Token], ends: tuple[str, ...]) -> list[Token]:
    """What is before the first token of these kinds outside brackets."""
    depth = 0
    for index, token in enumerate(tokens):
        depth += deeper(token)
        if depth == 0 and token.type in ends:
            return tokens[:index]
    return tokens


def parts(tokens: list[Token], separator: str) -> list[list[Token]]:
    """Parts between separators outside brackets; between commas there are none of nothing."""
    found: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += deeper(token)
        if depth == 0 and token.type == separator:
            found.append([])
        else:
            found[-1].append(token)
    return found if separator == "COLON" or found != [[]] else []
