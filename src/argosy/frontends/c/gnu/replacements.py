"""What compilers let people write in place of something longer that C has words for: it is replaced by that.

Calls of what is built in (``expansions``), ``_Alignof`` of an expression, and declarations whose type is that of the
initialiser: ``__auto_type`` (GCC's manual, 6.7) and ``auto`` (C23 6.7.10). Law: the replacement is read as if it had
been written there; what it takes for granted is an assumption.
"""

from __future__ import annotations

from pycparser.c_lexer import Token

from argosy.basics.errors import InputError
from argosy.frontends.c.expansions import (
    NEVER_FAILS,
    ONE_THREAD,
    alignment_of,
    expanded,
    expansion,
    is_atomic,
    may_fail,
)
from argosy.frontends.c.gnu.brackets import parts, up_to
from argosy.frontends.c.gnu.token_pass import TokenPass
from argosy.frontends.c.gnu.words import TYPE_WORDS
from argosy.frontends.c.tokens import position_of_token

INFERRED = "auto without a type is that of the initialiser, as C23 has it (int in older C)"
_BESIDE_AUTO = frozenset(("CONST", "VOLATILE", "_ATOMIC", "STATIC", "REGISTER", "_THREAD_LOCAL", "CONSTEXPR"))


def expand(text: TokenPass, token: Token) -> bool:
    """Put what a call stands for in its place; whether there is something."""
    start = text.at
    text.at += 1
    group = text.balanced()
    arguments = [] if len(group) == 2 else parts(group[1:-1], "COMMA")
    said = expansion(token.value, arguments)
    if said is None:
        text.at = start
        return False
    if is_atomic(token.value):
        text.result.assumptions.setdefault(ONE_THREAD, position_of_token(token))
    if may_fail(token.value, arguments):
        text.result.assumptions.setdefault(NEVER_FAILS, position_of_token(token))
    text.put(start, text.at, expanded(said, arguments, text.number(), token))
    text.at = start
    return True


def align_expression(text: TokenPass) -> bool:
    """Put what ``_Alignof (e)`` stands for in its place; whether ``e`` is no type."""
    token, start = text.raw[text.at], text.at
    text.at += 1
    group = text.balanced()
    first = group[1]
    if first.type in TYPE_WORDS or (first.type == "ID" and first.value in text.types):
        text.at = start
        return False
    text.put(start, text.at, alignment_of(group[1:-1], token))
    text.at = start
    return True


def infer(text: TokenPass, token: Token) -> None:
    """``__auto_type x = e`` is of the type that ``e`` has as a value."""
    raw, at = text.raw, text.at
    name = at + 1
    while name < len(raw) and raw[name].type in _BESIDE_AUTO:
        name += 1
    if name + 1 >= len(raw) or (raw[name].type, raw[name + 1].type) != ("ID", "EQUALS"):
        raise InputError(position_of_token(token), f"a name and an initialiser are needed behind {token.value}")
    value = up_to(raw[name + 2 :], ("COMMA", "SEMI"))
    said = "__typeof__(({ $1; }))" if text.braces else "__typeof__((0, $1))"
    text.put(at, at + 1, expanded(said, [value], 0, token))


def infers(text: TokenPass) -> bool:
    """Whether ``auto`` stands for the type of the initialiser (C23 6.7.10): no type is beside it."""
    raw, at, out = text.raw, text.at + 1, text.out
    while at < len(raw) and raw[at].type in _BESIDE_AUTO:
        at += 1
    plain = at + 1 < len(raw) and (raw[at].type, raw[at + 1].type) == ("ID", "EQUALS")
    index = len(out)
    while index and out[index - 1].type in _BESIDE_AUTO:
        index -= 1
    before = out[index - 1] if index else None
    typed = before is not None and (before.type in TYPE_WORDS or before.value in text.types)
    if plain and not typed:
        text.result.assumptions.setdefault(INFERRED, position_of_token(raw[text.at]))
    return plain and not typed
