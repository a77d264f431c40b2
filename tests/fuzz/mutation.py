"""Mutations of real files, at the level of bytes, tokens and lines. The same seed gives the same mutant."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

LARGEST = 40_000

_TOKEN = re.compile(rb"[A-Za-z_]\w*|\d+|\s+|.", re.DOTALL)
# What tools trip over, whatever the format.
_PIECES = (
    b"0", b"1", b"-1", b"2147483648", b"-9223372036854775808", b"18446744073709551616", b"1" * 400, b"9" * 5000,
    b"0x", b"1e999", b"0.0", b"'", b'"', b"\\", b"(", b")", b"{", b"}", b"[", b"]", b"<", b">", b"&", b"|", b"%s", b"%",
    b";", b":", b",", b"#", b"/*", b"*/", b"//", b"--", b"<!--", b"]]>", b"\0", b"\r", b"\n", b"\t", b"\x0c", b"\xff",
    b"\xef\xbb\xbf", "é".encode(), "\u2028".encode(), "😀".encode(), b"\xed\xa0\x80", b"\x1a", b"$", b"@", b"~", b"`",
    b"(" * 300, b"[" * 300, b"{" * 300, b"- " * 300, b"true", b"int", b"void", b"main", b"if", b"struct", b"NULL",
    b"nan", b"?", b"=", b"==", b"!=", b"<=", b"*", b"/", b"/0", b"%0", b"<<65", b"?:", b"&&", b"||", b"->", b"...",
)  # fmt: skip


def mutated(content: bytes, others: Sequence[bytes], seed: str) -> bytes:
    """``content`` with one to four changes; ``others`` lend pieces."""
    random = Random(seed)
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
        content = random.choice(_LEVELS)(content, others, random)[:LARGEST]
    return content


def _bytes(content: bytes, others: Sequence[bytes], random: Random) -> bytes:
    at = random.randrange(len(content) + 1)
    length = min(random.choice((1, 1, 2, 5, 50)), len(content) - at)
    piece = content[at : at + length]
    match random.randrange(6):
        case 0:
            new = bytes([random.randrange(256)])
        case 1:
            new = b""
        case 2:
            new = piece + piece
        case 3:
            new = bytes(byte ^ 1 << random.randrange(8) for byte in piece)
        case 4:
            new = random.choice(_PIECES) + piece
        case _:
            return content[:at]
    return content[:at] + new + content[at + length :]


def _tokens(content: bytes, others: Sequence[bytes], random: Random) -> bytes:
    tokens = _TOKEN.findall(content)
    solid = [index for index, token in enumerate(tokens) if not token.isspace()]
    if not solid:
        return content + random.choice(_PIECES)
    at = random.choice(solid)
    match random.randrange(6):
        case 0:
            tokens[at] = b""
        case 1:
            tokens[at] = tokens[random.choice(solid)]
        case 2:
            tokens[at] = random.choice(_PIECES)
        case 3:
            with_ = random.choice(solid)
            tokens[at], tokens[with_] = tokens[with_], tokens[at]
        case 4:
            tokens[at] = (tokens[at] + b" ") * random.choice((2, 2, 3, 200))
        case _:
            lent = [token for token in _TOKEN.findall(random.choice(others)) if not token.isspace()]
            tokens[at] = random.choice(lent or [b""])
    return b"".join(tokens)


def _lines(content: bytes, others: Sequence[bytes], random: Random) -> bytes:
    lines = content.split(b"\n")
    at = random.randrange(len(lines))
    match random.randrange(6):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, random.choice(lines))
        case 2:
            with_ = random.randrange(len(lines))
            lines[at], lines[with_] = lines[with_], lines[at]
        case 3:
            lines.insert(at, random.choice(random.choice(others).split(b"\n")))
        case 4:
            lines[at : at + 1] = lines[at : at + 1] * random.choice((2, 10, 100))
        case _:
            del lines[at : at + random.randrange(1, 8)]
    return b"\n".join(lines)


_LEVELS: tuple[Callable[[bytes, Sequence[bytes], Random], bytes], ...] = (_bytes, _tokens, _tokens, _lines)
