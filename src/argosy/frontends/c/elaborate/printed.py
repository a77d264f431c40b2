"""Functions that print, where violations of memory are asked for: the texts that they are given are followed to their
ends (C11 7.21.6.1, 8; 7.21.7.4), written out where they are called.

What is printed is nobody's business, so that all that is left of a call with a format is the reading of its texts, the
evaluation of its arguments, and a call that prints nothing, whose result is that of any other. ``%p`` and the
conversions of numbers follow nothing. A format that is not in the text, and one that asks for other characters than
those of ``char``, is left to the caller, for whom nothing is known then.
"""

from __future__ import annotations

from pycparser import c_ast as c

from argosy.frontends.c.elaborate.formatted import FormatPiece, pieces
from argosy.frontends.c.elaborate.whole import Elaborated
from argosy.frontends.c.source import Node
from argosy.frontends.c.types import Array, Integer, Pointer, Type, Void

# By the name: how many arguments stand before those that the format speaks of, and where a text is that has no format.
PRINTING = {"printf": 1, "fprintf": 2}
PUTTING = {"puts": 1, "fputs": 1, "perror": 1}

_FOLLOWS_NOTHING = frozenset("diuxXocaAeEfFgGp")
# A text that nobody gives leads nowhere.
_NOTHING = "{ const char *__argosy_s; if (*__argosy_s) ; }"


def text_of(whole: Elaborated, name: str, form: str, given: list[Node]) -> str | None:
    """The statement expression of a call, in which ``A1`` and so on stand for its arguments; None where it may be read
    as a call: no argument is a pointer, or nothing is known of the format."""
    before = PRINTING[name]
    behind = given[before:]
    found = pieces(form)
    if found is None:
        return None
    pointers = any(isinstance(whole.type_of(node), Array | Pointer) for node in behind)
    if not pointers and not any(piece.kind == "s" for piece in found):
        return None
    number, body = before, list[str]()
    for piece in found:
        asked = [each for each in (piece.width, piece.precision) if each == "*"]
        room = ""
        for _ in asked:
            number += 1
            if number > len(given) or not isinstance(whole.type_of(given[number - 1]), Integer):
                return None
            body.append(f"int __argosy_a{number} = A{number};")
        if piece.precision == "*":
            room = f"(__argosy_a{number} < 0 || __argosy_i < __argosy_a{number}) && "
        elif piece.precision is not None:
            room = f"__argosy_i < {int(piece.precision or 0)} && "
        if not piece.kind:
            continue
        number += 1
        if number > len(given):
            body.append(_NOTHING if piece.kind == "s" else "")
            continue
        written = _followed(whole, piece, number, given[number - 1], room)
        if written is None:
            return None
        body.append(written)
    body += [f"(void) (A{each});" for each in range(number + 1, len(given) + 1)]
    first = "(A1), " if before == 2 else ""
    return f'({{ __typeof__(sizeof 0) __argosy_i; {" ".join(body)} {name}({first}""); }})'


def text_of_putting(whole: Elaborated, name: str, given: list[Node]) -> str | None:
    if len(given) != (2 if name == "fputs" else 1) or isinstance(given[0], c.Constant):
        return None
    if not _is_text(whole.type_of(given[0])):
        return None
    rest = ", (A2)" if name == "fputs" else ""
    return f'({{ __typeof__(sizeof 0) __argosy_i; {_read("(A1)", "")} {name}(""{rest}); }})'


def _followed(whole: Elaborated, piece: FormatPiece, number: int, node: Node, room: str) -> str | None:
    if piece.kind in _FOLLOWS_NOTHING:
        return f"(void) (A{number});"
    own = whole.type_of(node)
    if piece.kind != "s" or piece.length or not (_is_text(own) or isinstance(own, Integer)):
        return None
    return "" if isinstance(node, c.Constant) else _read(f"(A{number})", room)


def _read(value: str, room: str) -> str:
    return f"""{{ const char *__argosy_s = (const char *) {value};
        for (__argosy_i = 0; {room}__argosy_s[__argosy_i]; __argosy_i++) ; }}"""


def _is_text(type_: Type) -> bool:
    target = type_.element if isinstance(type_, Array) else type_.target if isinstance(type_, Pointer) else None
    return isinstance(target, Void) or (isinstance(target, Integer) and target.width == 8)
