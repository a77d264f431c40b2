"""Constants of the source text: their values and types (C11 6.4.4, 6.4.5)."""

from __future__ import annotations

import re

from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import complain
from argosy.frontends.c.types import Array, DataModel, Float, Integer

# No type is wider than 128 bits, and Python refuses to read decimal numbers of more than some thousand digits.
LONGEST_NUMBER = 1_000

FUNCTION_NAMES = frozenset(("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"))

_SIMPLE = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27, "0": 0}
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]+)|([0-7]{1,3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(\n)|(.))|(.)", re.DOTALL)
_FRAGMENT = re.compile(r'(L|u8|u|U)?"((?:[^"\\]|\\.)*)"', re.DOTALL)
_CHARACTERS = {"L": "int", "u": "unsigned short", "U": "unsigned int"}


def number(node: Node, model: DataModel) -> tuple[int, Integer] | None:
    """Value and type of an integer or character constant; None for a floating one."""
    text: str = node.value
    if text.endswith("'"):
        return _character(node, text, model)
    if "float" in node.type or "double" in node.type:
        return None
    digits = text.rstrip("uUlL")
    suffix = text[len(digits) :].lower()
    base = 16 if digits[:2] in ("0x", "0X") else 2 if digits[:2] in ("0b", "0B") else 8 if digits[0] == "0" else 10
    if len(digits) > LONGEST_NUMBER:
        raise complain(node, f"{text[:20]}... ({len(digits)} digits) fits no integer type")
    value = int(digits, base)
    type_ = model.constant_type(value, suffix, base == 10)
    if type_ is None:
        raise complain(node, f"{text} fits no integer type")
    return value, type_


def float_type(node: Node, model: DataModel) -> Float:
    return model.floats.get(node.type, model.floats["double"])


def _character(node: Node, text: str, model: DataModel) -> tuple[int, Integer]:
    prefix, _, inner = text[:-1].partition("'")
    numbers = _codes(inner)
    if prefix in _CHARACTERS:
        return numbers[-1], model[_CHARACTERS[prefix]]
    if len(numbers) == 1:
        byte = numbers[0] & 0xFF
        return (byte - 0x100 if byte > 0x7F else byte), model.int_
    value = 0
    for code in numbers:
        value = (value << 8 | code & 0xFF) & 0xFFFFFFFF
    return (value - (1 << 32) if value >> 31 else value), model.int_


def string_type(text: str, model: DataModel) -> Array:
    """The array that a string literal is."""
    prefix = next((own for own, _ in _FRAGMENT.findall(text) if own), "")
    return Array(model[_CHARACTERS.get(prefix, "char")], len(codes(text)))


def codes(text: str) -> list[int]:
    """The numbers of a string literal, the last one 0; fragments stand side by side."""
    return [code for _, inner in _FRAGMENT.findall(text) for code in _codes(inner)] + [0]


def _codes(inner: str) -> list[int]:
    """The bytes of a literal; a character beyond ASCII counts as its bytes in UTF-8."""
    found: list[int] = []
    for hexadecimal, octal, short, long, newline, simple, plain in _ESCAPE.findall(inner):
        if newline:
            continue
        if hexadecimal or octal:
            found.append(int(hexadecimal, 16) if hexadecimal else int(octal, 8))
        elif short or long:
            found.extend(chr(int(short or long, 16)).encode("utf-8", "replace"))
        elif simple:
            found.append(_SIMPLE.get(simple, ord(simple)))
        else:
            found.extend(plain.encode("utf-8", "replace"))
    return found
