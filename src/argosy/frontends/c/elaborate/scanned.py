"""``sscanf``, ``scanf`` and ``fscanf`` with a format that stands in the text, written out where they are called (C11
7.21.6.2).

``sscanf`` reads the characters of its text: ``%d %i %u %x %o %c %s %[...] %n %%`` with widths, lengths and ``*`` become
statements that take one character after the other, as the GNU C library does. A number beyond its type leaves the
language: the value is opaque, and so is all that other conversions give. Where ``0x`` has no digit behind it, and of
``0b``, libraries of different age differ. ``scanf`` and ``fscanf`` read any input: as
many targets as the result says get any value that their conversion may give.
"""

from __future__ import annotations

import re

from argosy.basics.records import dataclass
from argosy.frontends.c.elaborate.whole import Elaborated
from argosy.frontends.c.library import BEYOND, OPAQUE
from argosy.frontends.c.source import Node
from argosy.frontends.c.types import Array, BinaryFloat, Integer, Pointer, Type

# By the name: how many arguments stand before those that are written to, and whether a text is read.
_PREFIXES = ("", "__isoc99_", "__isoc23_")
_NAMES = {"scanf": (1, False), "fscanf": (2, False), "sscanf": (2, True)}
SCANNED = {prefix + name: of for prefix in _PREFIXES for name, of in _NAMES.items()}
# More characters than these are not taken one by one.
MOST_WIDE = 64

_CONVERSION = re.compile(r"%(\*?)(\d{0,4})(hh|h|ll|l|j|z|t|L|q)?(\[\^?\]?[^]]*\]|[a-zA-Z%])")
_INTEGERS = {"": "int", "hh": "signed char", "h": "short", "l": "long", "ll": "long long", "j": "long long"}
_BASES = {"d": 10, "i": 10, "u": 10, "x": 16, "X": 16, "o": 8}
_FLOATS = {"": "float", "l": "double"}
_SPACE = "({0} == 32 || ({0} >= 9 && {0} <= 13))"
_AT = "__argosy_at"
_FAILS = f"if (!*{_AT}) {{ if (!__argosy_done) __argosy_done = -1; break; }}"


@dataclass(frozen=True, slots=True)
class _Piece:
    """White space, one plain ``text`` character, or a conversion by its parts; ``target`` is the number of its
    argument."""

    text: str = ""
    width: int = 0
    length: str = ""
    kind: str = ""
    target: int | None = None

    @property
    def counts(self) -> bool:
        return self.target is not None and self.kind != "n"

    @property
    def pointer(self) -> str:
        return f"__argosy_p{self.target}"


def text_of(whole: Elaborated, name: str, form: str, given: list[Node]) -> str | None:
    """The statement expression of a call, in which ``A1`` and so on stand for its arguments; None where nothing is
    known of the format, or the arguments are not of the types that it asks for."""
    before, reads_text = SCANNED[name]
    pieces = _pieces(form, before)
    if pieces is None:
        return None
    targets = [piece for piece in pieces if piece.target is not None]
    if len(targets) > len(given) - before:
        return None
    if not all(_suits(whole, piece, whole.type_of(given[(piece.target or 0) - 1])) for piece in targets):
        return None
    kept = [f"__typeof__(&*(A{piece.target})) {piece.pointer} = A{piece.target};" for piece in targets]
    kept += [f"(void) (A{number});" for number in range(before + len(targets) + 1, len(given) + 1)]
    if not reads_text:
        kept += ["(void) (A1);"] if before == 2 else []
        return f"({{ {' '.join(kept)} {_any(whole, pieces, given, '__VERIFIER_nondet_')} }})"
    if not all(_is_exact(piece) for piece in pieces):
        return f"({{ (void) (A1); {' '.join(kept)} {_any(whole, pieces, given, OPAQUE)} }})"
    body = " ".join(_taken(whole, piece, given) for piece in pieces)
    return f"""({{ const char *{_AT} = A1, *__argosy_start = {_AT}; int __argosy_done = 0; {" ".join(kept)}
        do {{ {body} }} while (0); __argosy_done; }})"""


def _pieces(form: str, before: int) -> list[_Piece] | None:
    found: list[_Piece] = []
    at, target = 0, before
    while at < len(form):
        if form[at] != "%":
            found.append(_Piece(" " if form[at] in " \t\n\v\f\r" else form[at]))
            at += 1
            continue
        match = _CONVERSION.match(form, at)
        if match is None:
            return None
        suppressed, width, length, kind = match.groups()
        if kind == "%":
            if match[0] != "%%":
                return None
            found += [_Piece(" "), _Piece("%")]
        else:
            target += not suppressed
            number = None if suppressed else target
            found.append(_Piece("", int(width or 0), length or "", kind, number))
        at = match.end()
    return found


def _suits(whole: Elaborated, piece: _Piece, own: Type) -> bool:
    """Whether an argument leads to what the conversion writes."""
    target = own.element if isinstance(own, Array) else own.target if isinstance(own, Pointer) else None
    if isinstance(own, Pointer) and "const" in own.qualifiers:
        return False
    if piece.kind in ("c", "s") or piece.kind.startswith("["):
        plain = isinstance(target, Integer) and target.width == 8 and not piece.length
        return plain and piece.width <= MOST_WIDE
    if piece.kind in "efgaEFGA":
        name = _FLOATS.get(piece.length)
        return isinstance(target, BinaryFloat) and target.name == name and not piece.width
    if piece.kind not in "diuxXon":
        return False
    asked = whole.unit.model.size_type if piece.length in "zt" and piece.length else None
    if asked is None and piece.length not in _INTEGERS:
        return False
    asked = asked or whole.unit.model[_INTEGERS[piece.length]]
    return isinstance(target, Integer) and not target.is_bool and target.width == asked.width


def _is_exact(piece: _Piece) -> bool:
    if piece.target is None and piece.kind and piece.length:
        return False
    if piece.kind == "c":
        return piece.width <= 1
    return not piece.kind or piece.kind in "duixXosn" or piece.kind.startswith("[")


def _width_of(whole: Elaborated, piece: _Piece) -> int:
    if piece.length in ("z", "t"):
        return whole.unit.model.size_type.width
    return whole.unit.model[_INTEGERS[piece.length]].width


def _member(kind: str, value: str) -> str:
    """Whether a character is in the set of a conversion ``[...]``."""
    inside = kind[1:-1]
    negated = inside.startswith("^")
    inside = inside[negated:]
    parts, at = [], 0
    while at < len(inside):
        low = high = ord(inside[at])
        if at + 2 < len(inside) and inside[at + 1] == "-":
            high = ord(inside[at + 2])
            at += 2
        at += 1
        parts.append(f"((unsigned char) {value} >= {low} && (unsigned char) {value} <= {high})")
    found = " || ".join(parts) or "0"
    return f"!({found})" if negated else f"({found})"


# ---- what a text says ------------------------------------------------------------------------------------------


def _taken(whole: Elaborated, piece: _Piece, given: list[Node]) -> str:
    """Statements in a loop of one round, which a failure leaves."""
    skip = f"while ({_SPACE.format(f'*{_AT}')}) {_AT}++;"
    counted = "__argosy_done++;" if piece.counts else ""
    if not piece.kind:
        if piece.text == " ":
            return skip
        return f"{_FAILS} if (*{_AT} != (char) {ord(piece.text)}) break; {_AT}++;"
    if piece.kind == "n":
        return "" if piece.target is None else f"*{piece.pointer} = {_AT} - __argosy_start;"
    if piece.kind == "c":
        put = "" if piece.target is None else f"*{piece.pointer} = *{_AT};"
        return f"{_FAILS} {put} {_AT}++; {counted}"
    if piece.kind in _BASES:
        return f"{skip} {_FAILS} {_number(whole, piece)} {counted}"
    within = f"!{_SPACE.format(f'*{_AT}')}" if piece.kind == "s" else _member(piece.kind, f"*{_AT}")
    room = f" && __argosy_n < {piece.width}" if piece.width else ""
    put = "" if piece.target is None else f"{piece.pointer}[__argosy_n] = *{_AT};"
    end = "" if piece.target is None else f"{piece.pointer}[__argosy_n] = 0;"
    return f"""{skip if piece.kind == "s" else ""} {_FAILS} {{ unsigned __argosy_n = 0;
        while (*{_AT} && {within}{room}) {{ {put} {_AT}++; __argosy_n++; }}
        if (!__argosy_n) break; {end} }} {counted}"""


def _number(whole: Elaborated, piece: _Piece) -> str:
    signed, base = piece.kind in "di", _BASES[piece.kind]
    width = 32 if piece.target is None else _width_of(whole, piece)
    most = (1 << (width - signed)) - 1
    room = f"__argosy_n < {piece.width} && " if piece.width else ""
    limit = f"{most}ull + __argosy_minus" if signed else f"{most}ull"
    put = ""
    if piece.target is not None:
        opaque = f"((unsigned long long) {OPAQUE}sscanf() << 32 | (unsigned) {OPAQUE}sscanf())"
        put = f"""if (__argosy_over || __argosy_v > {limit}) __argosy_v = {opaque};
            *{piece.pointer} = __argosy_minus ? 0 - __argosy_v : __argosy_v;"""
    # Before one more digit is taken: what is no larger has room for one of any base up to this.
    largest = ((1 << 64) - 1) // base - (base == 10) if piece.kind != "i" else (1 << 60) - 1
    return f"""{{ unsigned long long __argosy_v = 0; int __argosy_minus = *{_AT} == 45, __argosy_over = 0;
        int __argosy_any = 0; unsigned __argosy_n = 0, __argosy_base = {base}; char __argosy_d;
        if (*{_AT} == 45 || *{_AT} == 43) {{ {_AT}++; __argosy_n++; }}
        {_prefix(piece, room)}
        while ({room}(__argosy_d = {_digit(piece)}) >= 0 && __argosy_d < __argosy_base) {{
            __argosy_any = 1;
            if (__argosy_v > {largest}ull) __argosy_over = 1;
            else __argosy_v = __argosy_v * __argosy_base + __argosy_d;
            {_AT}++; __argosy_n++;
        }}
        if (!__argosy_any) break; {put} }}"""


def _digit(piece: _Piece) -> str:
    """The value of a character as a digit; -1 of any other."""
    found = f"*{_AT} >= 48 && *{_AT} <= 57 ? *{_AT} - 48 : "
    if piece.kind in "ixX":
        found += f"*{_AT} >= 97 && *{_AT} <= 102 ? *{_AT} - 87 : *{_AT} >= 65 && *{_AT} <= 70 ? *{_AT} - 55 : "
    return f"({found}-1)"


def _prefix(piece: _Piece, room: str) -> str:
    if piece.kind not in "ixX":
        return ""
    of_one = "__argosy_base = 16;" if piece.kind == "i" else ""
    others = ""
    if piece.kind == "i":
        binary = f'if ({room}(*{_AT} | 32) == 98) {BEYOND}("a number that begins with 0b");'
        others = f"else {{ {binary} __argosy_base = 8; }}"
    digit = f"({_digit(piece)}) < 0"
    bare = f"!({room or '1 && '}!({digit}))"
    return f"""if ({room}*{_AT} == 48) {{
            __argosy_any = 1; {_AT}++; __argosy_n++;
            if ({room}(*{_AT} | 32) == 120) {{
                {_AT}++; __argosy_n++; {of_one}
                if ({bare}) {BEYOND}("0x without a digit");
            }} {others}
        }}"""


# ---- any input ----------------------------------------------------------------------------------------------------


def _any(whole: Elaborated, pieces: list[_Piece], given: list[Node], source: str) -> str:
    """As many targets as the result says get any value; ``source`` is what begins the names of those that choose."""
    opaque = source == OPAQUE
    number = f"{OPAQUE}sscanf()" if opaque else f"{source}int()"
    count = sum(piece.counts for piece in pieces)
    body, done = list[str](), 0
    for piece in pieces:
        if piece.target is None:
            continue
        if piece.kind == "n":
            choose = (
                f"{{ int __argosy_n = {number}; __VERIFIER_assume(__argosy_n >= 0); *{piece.pointer} = __argosy_n; }}"
            )
            body.append(f"if (__argosy_done > {done} || (__argosy_done == {done} && {number} == 0)) {choose}")
            continue
        body.append(f"if (__argosy_done > {done}) {{ {_chosen(whole, piece, number, opaque)} }}")
        done += 1
    return f"""int __argosy_done = {number}; __VERIFIER_assume(__argosy_done >= -1 && __argosy_done <= {count});
        {" ".join(body)} __argosy_done;"""


def _chosen(whole: Elaborated, piece: _Piece, number: str, opaque: bool) -> str:
    bits = f"((unsigned long long) {number} << 32 | (unsigned) {number})"
    if piece.kind in "efgaEFGA":
        if piece.length == "l":
            return f"*{piece.pointer} = __argosy_number({bits});"
        return f"*{piece.pointer} = __argosy_numberf((unsigned) {number});"
    if piece.kind in _BASES:
        value = bits if _width_of(whole, piece) > 32 else f"(long long) {number}"
        return f"unsigned long long __argosy_v = {value}; {_within(whole, piece)} *{piece.pointer} = __argosy_v;"
    if piece.kind == "c":
        width = piece.width or 1
        return f"""for (unsigned __argosy_n = 0; __argosy_n < {width}; __argosy_n++)
            {piece.pointer}[__argosy_n] = (char) {number};"""
    value = "__argosy_c"
    within = f"!{_SPACE.format(value)}" if piece.kind == "s" else _member(piece.kind, value)
    room = f"__argosy_n < {piece.width} && " if piece.width else ""
    return f"""unsigned __argosy_n = 0;
        do {{ char {value} = (char) {number}; __VERIFIER_assume({value} != 0 && {within});
            {piece.pointer}[__argosy_n++] = {value}; }} while ({room}{number} != 0);
        {piece.pointer}[__argosy_n] = 0;"""


def _within(whole: Elaborated, piece: _Piece) -> str:
    """What so many characters may say; a sign is one of them."""
    if not piece.width or piece.width > 18:
        return ""
    base = _BASES[piece.kind]
    most, least = base**piece.width, base ** (piece.width - 1)
    if most.bit_length() > _width_of(whole, piece) - 1:
        return ""
    return f"__VERIFIER_assume(__argosy_v < {most}ull || 0 - __argosy_v < {least}ull);"
