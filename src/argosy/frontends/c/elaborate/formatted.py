"""``snprintf`` and ``sprintf`` with a format that stands in the text, written out where they are called (C11 7.21.6).

Plain characters, ``%d %i %u %x %X %o %c %s %%`` with lengths of integer types, widths, precisions and flags become
statements that put one character after the other: exactly what the library writes. Of other conversions of numbers it
is known that so many characters are written at most and that a zero is behind them; what they are is opaque. Of
``snprintf`` and ``vsnprintf`` with any other format it is known that they write no more than there is room for.
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
_CONVERSION = re.compile(r"%([-+ #0]*)(\*|\d{0,4})(?:\.(\*|\d{0,4}))?(hh|h|ll|l|j|z|t|L|q)?([a-zA-Z%])")
# In the text of a literal: ``%n``, which writes to where an argument points, or what may be it behind an escape.
COUNT_STORED = re.compile(r"%[-+ #0'*$\d.hljztLq]*(?:n|\\[x0-7uU])|\\(?:x25|0?45)")
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

# Of any text, as far as there is room for it; the list of arguments has no value afterwards (7.16, 3).
_CUT = f"""({{ char *__argosy_to = (char *) (A1); {_SIZE} __argosy_most = A2, __argosy_i; (void) (A3); REST
    int __argosy_count = {OPAQUE}snprintf();
    for (__argosy_i = 0; __argosy_count > 0 && __argosy_i < (unsigned) __argosy_count
         && __argosy_i + 1 < __argosy_most; __argosy_i++)
        __argosy_to[__argosy_i] = (char) {OPAQUE}snprintf();
    if (__argosy_most && __argosy_count >= 0) __argosy_to[__argosy_i] = 0;
    __argosy_count; }})"""


@dataclass(frozen=True, slots=True)
class FormatPiece:
    """Plain ``text``, or a conversion by its parts; a width or precision that is a star is an argument."""

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
        if any(each not in (None, "", "*") and int(each) > MOST_WIDE for each in (self.width, self.precision)):
            return False
        if self.kind in "diuxXo":
            good = {"d": "-+ 0", "i": "-+ 0", "u": "-0"}.get(self.kind, "-0#")
            return self.length in _LENGTHS and self.precision != "*" and set(self.flags) <= set(good)
        plain = set(self.flags) <= {"-"} and not self.length
        return plain and (self.kind == "s" or (self.kind == "c" and self.precision is None))

    @property
    def longest(self) -> int | None:
        """More characters than the number can have: a ``long double`` has up to 4,933 digits before its point."""
        if "*" in (self.width, self.precision):
            return None
        return (30 if self.kind in "diuxXoc" else 5_000) + int(self.precision or 6) + int(self.width or 0)


def text_of(whole: Elaborated, name: str, form: str, given: list[Node]) -> str | None:
    """The statement expression of a call, in which ``A1`` and so on stand for its arguments; None where nothing is
    known of the format, or the arguments are not of the types that it asks for."""
    found = pieces(form)
    before = FORMATTED[name]
    if found is None:
        return None
    exact = all(piece.is_exact for piece in found)
    number, body, kept = before, list[str](), list[str]()
    for piece in found:
        if not piece.kind:
            body += [_put(f"(char) {ord(each)}") for each in piece.text] if exact else []
            continue
        stars = [each for each in (piece.width, piece.precision) if each == "*"]
        number += len(stars) + 1
        if number > len(given):
            return None
        own = whole.type_of(given[number - 1])
        if exact:
            type_ = _type_of(whole, piece, own)
            sizes = [whole.type_of(given[at]) for at in range(number - 1 - len(stars), number - 1)]
            if type_ is None or not all(_is_int(whole, each) for each in sizes):
                return None
            kept += [f"int __argosy_a{at} = A{at};" for at in range(number - len(stars), number)]
            kept.append(f"{type_} __argosy_a{number} = A{number};")
            stated = [f"__argosy_a{at}" for at in range(number - len(stars), number)]
            width = stated.pop(0) if piece.width == "*" else piece.width
            precision = stated.pop(0) if piece.precision == "*" else piece.precision
            body.append(_converted(piece, f"__argosy_a{number}", width, precision))
        elif piece.kind not in _NUMBERS or not isinstance(own, Integer | Float) or piece.longest is None:
            return None
    kept += [f"(void) (A{each});" for each in range(before + 1 if not exact else number + 1, len(given) + 1)]
    room = "A2" if name == "snprintf" else f"({_SIZE}) -1"
    head = f"""char *__argosy_to = (char *) (A1); {_SIZE} __argosy_most = {room}, __argosy_n = 0, __argosy_i;"""
    if exact:
        end = """if (__argosy_most) __argosy_to[__argosy_n < __argosy_most ? __argosy_n : __argosy_most - 1] = 0;
            (int) __argosy_n;"""
        return f"({{ {head} {' '.join(kept)} {' '.join(body)} {end} }})"
    return f"({{ {head} {' '.join(kept)} {_opaque(name, found)} }})"


def cut_text_of(whole: Elaborated, name: str, given: list[Node]) -> str | None:
    """The statement expression of a call with a format of which nothing is known; None where what it follows matters,
    or where there may be any number of characters. It writes nothing else if no text of the program is a format with
    ``%n``; that none is put together at run time is assumed."""
    if name not in ("snprintf", "vsnprintf") or len(given) < (3 if name == "snprintf" else 4):
        return None
    if whole.unit.watched or whole.unit.stores_counts:
        return None
    whole.unit.note(f"no format of {name} has %n")
    rest = "__builtin_va_end(A4);"
    if name == "snprintf":
        rest = " ".join(f"(void) (A{number});" for number in range(4, len(given) + 1))
    return _CUT.replace("REST", rest)


def pieces(form: str) -> list[FormatPiece] | None:
    """What a format consists of; None where it is none that we know."""
    found: list[FormatPiece] = []
    at = 0
    while at < len(form):
        if form[at] != "%":
            end = form.find("%", at)
            end = len(form) if end < 0 else end
            found.append(FormatPiece(form[at:end]))
            at = end
            continue
        match = _CONVERSION.match(form, at)
        if match is None:
            return None
        flags, width, precision, length, kind = match.groups()
        if kind == "%":
            if match[0] != "%%":
                return None
            found.append(FormatPiece("%"))
        else:
            found.append(FormatPiece("", flags, width, precision, length or "", kind))
        at = match.end()
    return found


def _is_int(whole: Elaborated, own: Type) -> bool:
    return isinstance(own, Integer) and whole.unit.model.promote(own) == whole.unit.model.int_


def _type_of(whole: Elaborated, piece: FormatPiece, own: Type) -> str | None:
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


def _converted(piece: FormatPiece, value: str, width: str, precision: str | None) -> str:
    """Statements that put the characters of a value; a width or precision in the text is a number, and otherwise the
    name of a variable."""
    if piece.kind == "c":
        return _padded(_put(f"(char) {value}"), "1", width, piece)
    if piece.kind == "s":
        most = ""
        if precision is not None:
            plain = not precision or precision.isdigit()
            most = f"__argosy_i < {int(precision or 0)}" if plain else f"({precision} < 0 || __argosy_i < {precision})"
            most += " && "
        text = f"for (__argosy_i = 0; {most}{value}[__argosy_i]; __argosy_i++) {{ {_put(f'{value}[__argosy_i]')} }}"
        if not width:
            return text
        count = f"for (__argosy_i = 0; {most}{value}[__argosy_i]; __argosy_i++) ; __argosy_l = (int) __argosy_i;"
        return f"{{ int __argosy_l; {count} {_padded(text, '__argosy_l', width, piece)} }}"
    return _number(piece, value, width)


def _number(piece: FormatPiece, value: str, width: str) -> str:
    signed = piece.kind in "di"
    unsigned = f"unsigned {'long long' if piece.length in ('l', 'll', 'z', 't', 'j') else 'int'}"
    if piece.length in _SHORT:
        value = f"({'signed' if signed else 'unsigned'} {_SHORT[piece.length]}) {value}"
    base = {"x": 16, "X": 16, "o": 8}.get(piece.kind, 10)
    digit = f"48 + __argosy_v % {base}"
    if base == 16:
        letter = 55 if piece.kind == "X" else 87
        digit = f"(__argosy_v % 16 < 10 ? 48 : {letter}) + __argosy_v % 16"
    negative = f"({value}) < 0" if signed else "0"
    magnitude = f"{negative} ? 0 - ({unsigned}) ({value}) : ({unsigned}) ({value})"
    # A precision says how many digits there are at least, and the flag 0 nothing then; no digits stand for 0 with 0.
    zeros = "0" in piece.flags and "-" not in piece.flags and piece.precision is None
    least = 1 if piece.precision is None else int(piece.precision or 0)
    digits = f"__argosy_k < {least} ? {least} : __argosy_k" if least > 1 else "__argosy_k"
    sign, taken = "", "0"
    if signed:
        other = "43" if "+" in piece.flags else "32" if " " in piece.flags else ""
        sign = f"if (__argosy_minus) {{ {_put('45')} }} " + (f"else {{ {_put(other)} }}" if other else "")
        taken = "1" if other else "__argosy_minus"
    elif "#" in piece.flags and base == 16:
        sign, taken = f"if (__argosy_some) {{ {_put('48')} {_put(str(ord(piece.kind)))} }}", "2 * __argosy_some"
    elif "#" in piece.flags:
        # The first digit is a zero, whatever the number is.
        digits = (
            f"__argosy_k < {max(least, 1)} ? {max(least, 1)} : __argosy_k + __argosy_some * (__argosy_k >= {least})"
        )
    more = f"for (__argosy_i = __argosy_k; __argosy_i < __argosy_m; __argosy_i++) {{ {_put('48')} }}"
    body = f"while (__argosy_k > 0) {{ __argosy_k--; {_put('__argosy_d[__argosy_k]')} }}"
    body = f"{more} {body}" if digits != "__argosy_k" else body
    filled = _filled(sign, body, f"__argosy_m + {taken}", width, piece, zeros)
    loop = f"{{ __argosy_d[__argosy_k++] = (char) ({digit}); __argosy_v /= {base}; }}"
    return f"""{{ {unsigned} __argosy_v = {magnitude};
        int __argosy_minus = {negative}, __argosy_some = __argosy_v != 0, __argosy_k = 0, __argosy_m;
        char __argosy_d[24];
        {f"do {loop} while (__argosy_v);" if least else f"while (__argosy_v) {loop}"}
        __argosy_m = {digits}; {filled} }}"""


def _filled(sign: str, text: str, count: str, width: str, piece: FormatPiece, zeros: bool) -> str:
    """A sign and characters, so many as said, with spaces up to a width before or behind them, or zeros between."""
    if not width:
        return f"{sign} {text}"
    if width.isdigit():
        left, least = str(int("-" in piece.flags)), width
    else:
        # A negative width is a flag and a width (7.21.6.1, 5).
        left, least = f"({int('-' in piece.flags)} || {width} < 0)", f"({width} < 0 ? 0u - {width} : {width})"

    def fill(character: str, when: str) -> str:
        each = f"for (__argosy_i = {count}; __argosy_i < {least}; __argosy_i++) {{ {_put(character)} }}"
        return "" if when == "0" else each if when == "1" else f"if ({when}) {{ {each} }}"

    right = {"0": "1", "1": "0"}.get(left, f"!{left}")
    before = f"{sign} {fill('48', right)}" if zeros else f"{fill('32', right)} {sign}"
    return f"{before} {text} {fill('32', left)}"


def _padded(text: str, count: str, width: str, piece: FormatPiece) -> str:
    return _filled("", text, count, width, piece, zeros=False)


def _opaque(name: str, found: list[FormatPiece]) -> str:
    """Any characters, no more than the conversions make, and a zero behind them. Numbers have no encoding that could
    fail, so that the result is not negative."""
    plain = sum(len(piece.text) for piece in found)
    most = plain + sum(piece.longest or 0 for piece in found if piece.kind)
    return f"""int __argosy_count = {OPAQUE}{name}();
        __VERIFIER_assume(__argosy_count >= {plain} && __argosy_count <= {most});
        for (__argosy_i = 0; __argosy_i < (unsigned) __argosy_count && __argosy_i + 1 < __argosy_most; __argosy_i++)
            __argosy_to[__argosy_i] = (char) {OPAQUE}{name}();
        if (__argosy_most) __argosy_to[__argosy_i] = 0;
        __argosy_count;"""
