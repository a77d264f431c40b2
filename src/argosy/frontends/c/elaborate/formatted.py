"""``snprintf`` and ``sprintf`` with a format that stands in the text, written out where they are called (C11 7.21.6).

Plain characters, ``%d %i %u %x %X %o %c %s %%`` with lengths of integer types, widths, precisions and flags but
``#`` become statements that put one character after the other: exactly what the library
writes. Of other conversions of numbers it is known that so many characters are written at most and that a zero is
behind them; what they are is opaque.
The text is a statement expression of GNU C, as those of ``spelled_out``.
"""

from __future__ import annotations

import re

from argosy.basics.records import dataclass
from argosy.frontends.c.elaborate.whole import Elaborated
from argosy.frontends.c.library import OPAQUE
from argosy.frontends.c.source import Node
from argosy.frontends.c.types import Array, Float, Integer, Pointer, Type

# How many arguments stand before those that the format speaks of, and whether one of them says how much room there is.
FORMATTED = {"sprintf": 2, "snprintf": 3}

# More plain characters than these are not written one by one.
MOST_PLAIN = 200
# A wider field is not filled character by character.
MOST_WIDE = 64

_SIZE = "__typeof__(sizeof 0)"
_CONVERSION = re.compile(r"%([-+ #0]*)(\d{0,4})(?:\.(\d{0,4}))?(hh|h|ll|l|j|z|t|L|q)?([a-zA-Z%])")
_LENGTHS = {
    "": "int",
    "hh": "int",
    "h": "int",
    "l": "long",
    "ll": "long long",
    "z": "long",
    "t": "long",
    "j": "long long",
}
_SHORT = {"hh": "char", "h": "short"}
_NUMBERS = frozenset("diuxXocaAeEfFgG")


@dataclass(frozen=True, slots=True)
class _Piece:
    """Plain ``text``, or a conversion by its parts."""

    text: str = ""
    flags: str = ""
    width: str = ""
    precision: str | None = None
    length: str = ""
    kind: str = ""

    @property
    def is_exact(self) -> bool:
        if not self.kind:
            return len(self.text) <= MOST_PLAIN
        if int(self.width or 0) > MOST_WIDE or int(self.precision or 0) > MOST_WIDE:
            return False
        if self.kind in "diuxXo":
            return self.length in _LENGTHS and not (set(self.flags) - set("-+ 0" if self.kind in "di" else "-0"))
        good = set(self.flags) <= {"-"} and not self.length
        return good and (self.kind == "s" or (self.kind == "c" and self.precision is None))

    @property
    def longest(self) -> int:
        """More characters than the number can have: a ``long double`` has up to 4,933 digits before its point."""
        return (30 if self.kind in "diuxXoc" else 5_000) + int(self.precision or 6) + int(self.width or 0)


def text_of(whole: Elaborated, name: str, form: str, given: list[Node]) -> str | None:
    """The statement expression of a call, in which ``A1`` and so on stand for its arguments; None where nothing is
    known of the format, or the arguments are not of the types that it asks for."""
    pieces = _pieces(form)
    before = FORMATTED[name]
    if pieces is None:
        return None
    exact = all(piece.is_exact for piece in pieces)
    number, body, kept = before, list[str](), list[str]()
    for piece in pieces:
        if not piece.kind:
            body += [_put(f"(char) {ord(each)}") for each in piece.text] if exact else []
            continue
        number += 1
        if number > len(given):
            return None
        own = whole.type_of(given[number - 1])
        if exact:
            type_ = _type_of(whole, piece, own)
            if type_ is None:
                return None
            kept.append(f"{type_} __argosy_a{number} = A{number};")
            body.append(_converted(piece, f"__argosy_a{number}"))
        elif piece.kind not in _NUMBERS or not isinstance(own, Integer | Float):
            return None
    kept += [f"(void) (A{each});" for each in range(before + 1 if not exact else number + 1, len(given) + 1)]
    room = "A2" if name == "snprintf" else f"({_SIZE}) -1"
    head = f"""char *__argosy_to = (char *) (A1); {_SIZE} __argosy_most = {room}, __argosy_n = 0, __argosy_i;"""
    if exact:
        end = """if (__argosy_most) __argosy_to[__argosy_n < __argosy_most ? __argosy_n : __argosy_most - 1] = 0;
            (int) __argosy_n;"""
        return f"({{ {head} {' '.join(kept)} {' '.join(body)} {end} }})"
    return f"({{ {head} {' '.join(kept)} {_opaque(name, pieces)} }})"


def _pieces(form: str) -> list[_Piece] | None:
    found: list[_Piece] = []
    at = 0
    while at < len(form):
        if form[at] != "%":
            end = form.find("%", at)
            end = len(form) if end < 0 else end
            found.append(_Piece(form[at:end]))
            at = end
            continue
        match = _CONVERSION.match(form, at)
        if match is None:
            return None
        flags, width, precision, length, kind = match.groups()
        if kind == "%":
            if match[0] != "%%":
                return None
            found.append(_Piece("%"))
        else:
            found.append(_Piece("", flags, width, precision, length or "", kind))
        at = match.end()
    return found


def _type_of(whole: Elaborated, piece: _Piece, own: Type) -> str | None:
    """The type that an argument is kept as; None where it has another one than the conversion asks for."""
    if piece.kind == "s":
        target = own.element if isinstance(own, Array) else own.target if isinstance(own, Pointer) else None
        return "const char *" if isinstance(target, Integer) and target.width == 8 else None
    named = _LENGTHS[piece.length]
    asked = whole.unit.model[named]
    if piece.length in ("z", "t"):
        asked = whole.unit.model.size_type
    if not isinstance(own, Integer) or whole.unit.model.promote(own).width != asked.width:
        return None
    return f"{'' if piece.kind in 'dic' else 'unsigned '}{_LENGTHS['ll'] if asked.width == 64 else 'int'}"


def _put(value: str) -> str:
    return f"if (__argosy_n + 1 < __argosy_most) __argosy_to[__argosy_n] = {value}; __argosy_n++;"


def _converted(piece: _Piece, value: str) -> str:
    width, left = int(piece.width or 0), "-" in piece.flags
    if piece.kind == "c":
        return _padded(_put(f"(char) {value}"), "1", width, left)
    if piece.kind == "s":
        most = "" if piece.precision is None else f"__argosy_i < {int(piece.precision or 0)} && "
        text = f"for (__argosy_i = 0; {most}{value}[__argosy_i]; __argosy_i++) {{ {_put(f'{value}[__argosy_i]')} }}"
        if not width:
            return text
        count = f"for (__argosy_i = 0; {most}{value}[__argosy_i]; __argosy_i++) ; __argosy_l = (int) __argosy_i;"
        return f"{{ int __argosy_l; {count} {_padded(text, '__argosy_l', width, left)} }}"
    unsigned = f"unsigned {'long long' if piece.length in ('l', 'll', 'z', 't', 'j') else 'int'}"
    if piece.length in _SHORT:
        sign = "signed" if piece.kind in "di" else "unsigned"
        value = f"({sign} {_SHORT[piece.length]}) {value}"
    base = {"x": 16, "X": 16, "o": 8}.get(piece.kind, 10)
    digit = f"48 + __argosy_v % {base}"
    if base == 16:
        letter = 55 if piece.kind == "X" else 87
        digit = f"(__argosy_v % 16 < 10 ? 48 : {letter}) + __argosy_v % 16"
    negative = f"({value}) < 0" if piece.kind in "di" else "0"
    magnitude = f"{negative} ? 0 - ({unsigned}) ({value}) : ({unsigned}) ({value})"
    # A precision says how many digits there are at least, and the flag 0 nothing then; no digits stand for 0 with 0.
    zeros = "0" in piece.flags and not left and piece.precision is None
    least = 1 if piece.precision is None else int(piece.precision or 0)
    sign, signed = "", piece.kind in "di"
    if signed:
        other = "43" if "+" in piece.flags else "32" if " " in piece.flags else ""
        sign = f"if (__argosy_minus) {{ {_put('45')} }} " + (f"else {{ {_put(other)} }}" if other else "")
    room = f"__argosy_m + {'1' if signed and set('+ ') & set(piece.flags) else '__argosy_minus'}"
    fill = ""
    if width:
        fill = f"for (__argosy_i = {room}; __argosy_i < {width}; __argosy_i++)"
        fill += f" {{ {_put('48' if zeros else '32')} }}"
    more = f"for (__argosy_i = __argosy_k; __argosy_i < {least}; __argosy_i++) {{ {_put('48')} }}" if least > 1 else ""
    longer = f"__argosy_k < {least} ? {least} : __argosy_k" if least > 1 else "__argosy_k"
    before = "" if left else sign + fill if zeros else fill + sign
    behind = fill if left else ""
    return f"""{{ {unsigned} __argosy_v = {magnitude}; int __argosy_minus = {negative}, __argosy_k = 0, __argosy_m;
        char __argosy_d[24];
        {"while (__argosy_v)" if not least else "do"} {{
            __argosy_d[__argosy_k++] = (char) ({digit}); __argosy_v /= {base}; }}
        {"" if not least else "while (__argosy_v);"}
        __argosy_m = {longer};
        {before or (sign if left else "")} {more}
        while (__argosy_k > 0) {{ __argosy_k--; {_put("__argosy_d[__argosy_k]")} }} {behind} }}"""


def _padded(text: str, count: str, width: int, left: bool) -> str:
    """Characters, so many as said, with spaces up to a width before or behind them."""
    if not width:
        return text
    spaces = f"for (__argosy_i = {count}; __argosy_i < {width}; __argosy_i++) {{ {_put('32')} }}"
    return f"{text} {spaces}" if left else f"{spaces} {text}"


def _opaque(name: str, pieces: list[_Piece]) -> str:
    """Any characters, no more than the conversions make, and a zero behind them. Numbers have no encoding that could
    fail, so that the result is not negative."""
    plain = sum(len(piece.text) for piece in pieces)
    most = plain + sum(piece.longest for piece in pieces if piece.kind)
    return f"""int __argosy_count = {OPAQUE}{name}();
        __VERIFIER_assume(__argosy_count >= {plain} && __argosy_count <= {most});
        for (__argosy_i = 0; __argosy_i < (unsigned) __argosy_count && __argosy_i + 1 < __argosy_most; __argosy_i++)
            __argosy_to[__argosy_i] = (char) {OPAQUE}{name}();
        if (__argosy_most) __argosy_to[__argosy_i] = 0;
        __argosy_count;"""
