"""What literals stand for: numbers to a base, durations, strings with escapes (IEC 61131-3, section 6.3.3)."""

from __future__ import annotations

import re

from argosy.basics.errors import InputError
from argosy.frontends.plc.lexer import PlcToken
from argosy.frontends.plc.syntax import PlcLiteral

_NANOSECONDS = {
    "d": 86_400_000_000_000,
    "h": 3_600_000_000_000,
    "m": 60_000_000_000,
    "s": 1_000_000_000,
    "ms": 1_000_000,
    "us": 1_000,
    "ns": 1,
}
_LONGEST = 1000
_PART = re.compile(r"([0-9][0-9_]*)(?:\.([0-9_]+))?(ms|us|ns|d|h|m|s)_?", re.IGNORECASE)
_ESCAPES = {"L": "\n", "N": "\n", "P": "\f", "R": "\r", "T": "\t", "$": "$", "'": "'", '"': '"'}


def literal(token: PlcToken) -> PlcLiteral:
    """The value that a token stands for."""
    if len(token.text) > _LONGEST and token.kind not in ("string", "wide"):
        raise InputError(token.position, f"a {token.kind} of {len(token.text)} characters")
    text = token.text.replace("_", "")
    match token.kind:
        case "integer":
            return PlcLiteral("integer", int(text), token.position)
        case "based":
            base, _, digits = text.partition("#")
            try:
                return PlcLiteral("integer", int(digits, int(base)), token.position)
            except ValueError:
                raise InputError(token.position, f"{token.text} is no number to the base {base}") from None
        case "real":
            return PlcLiteral("real", float(text), token.position)
        case "duration":
            return PlcLiteral("duration", duration(token.text.partition("#")[2]), token.position, _clock(token.key))
        case "date":
            return PlcLiteral("date", token.text.partition("#")[2], token.position, token.key.partition("#")[0])
    return PlcLiteral("string", unescaped(token.text[1:-1]), token.position, "WSTRING" if token.kind == "wide" else "")


def _clock(key: str) -> str:
    return "LTIME" if key.startswith("L") else "TIME"


def duration(text: str) -> int:
    """``1d2h3m4s5ms`` in nanoseconds; ValueError for what is none."""
    sign = -1 if text.startswith("-") else 1
    total, at, text = 0, 0, text.lstrip("-")
    while at < len(text):
        part = _PART.match(text, at)
        if part is None:
            raise ValueError(text)
        whole, fraction, unit = part.groups()
        scale = _NANOSECONDS[unit.lower()]
        total += int(whole) * scale
        if fraction:
            digits = fraction.replace("_", "")
            total += int(digits) * scale // 10 ** len(digits)
        at = part.end()
    return sign * total


def unescaped(text: str) -> str:
    return re.sub(
        r"\$([0-9A-Fa-f]{2}|.)",
        lambda found: _ESCAPES.get(found[1].upper()) or (chr(int(found[1], 16)) if len(found[1]) == 2 else found[1]),
        text,
    )
