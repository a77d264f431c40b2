"""Constants of the source text: their values and types (C11 6.4.4, 6.4.5)."""

from __future__ import annotations

import re

from argosy.frontends.c.source import Node
from argosy.frontends.c.symbols import complain, position_of
from argosy.frontends.c.types import BOOL, Array, DataModel, Float, Integer
from argosy.frontends.c.unsupported import Construct, error

# No type is wider than 128 bits, and Python refuses to read decimal numbers of more than some thousand digits.
LONGEST_NUMBER = 1_000

_FLOAT_SUFFIXES = {"": "double", "f": "float", "l": "long double", "f32": "float", "f64": "double", "f32x": "double"}
FLOAT_SUFFIX = re.compile(r"(?:f(?:32x?|64x?|128)?|l)$", re.IGNORECASE)
_FLOAT_SUFFIXES |= {"f64x": "long double", "f128": "long double"}

FUNCTION_NAMES = frozenset(("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"))

_SIMPLE = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27, "E": 27, "0": 0}
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]+)|([0-7]{1,3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))|(.)", re.DOTALL)
_FRAGMENT = re.compile(r'(L|u8|u|U)?"((?:[^"\\]|\\.)*)"', re.DOTALL)
_LAST_CHARACTER = 0x10FFFF
_SURROGATES = range(0xD800, 0xE000)
_CHARACTERS = {"L": "int", "u": "unsigned short", "U": "unsigned int"}
# Decimal constants of fewer digits fit an int.
_SURELY_INT = 10


def number(node: Node, model: DataModel) -> tuple[int, Integer] | None:
    """Value and type of an integer or character constant; None for a floating one."""
    text: str = node.value
    if len(text) < _SURELY_INT and text.isdecimal() and (text[0] != "0" or text == "0"):
        return int(text), model.int_
    if node.type == "bool":
        return int(text == "true"), BOOL
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
    """By the suffix (6.4.4.2, 4), those of the extended types of TS 18661-3 included."""
    suffix = FLOAT_SUFFIX.search(node.value.lower())
    return model.floats[_FLOAT_SUFFIXES[suffix.group() if suffix is not None else ""]]


def _character(node: Node, text: str, model: DataModel) -> tuple[int, Integer]:
    prefix, _, inner = text[:-1].partition("'")
    numbers = _codes(node, inner, prefix)
    if prefix in _CHARACTERS:
        type_ = model[_CHARACTERS[prefix]]
        if len(numbers) > 1:
            raise error(position_of(node), f"{text}, a constant of several units", Construct.RESULT)
        return (numbers[0] - (1 << type_.width) if numbers[0] > type_.maximum else numbers[0]), type_
    if prefix == "u8":
        if len(numbers) > 1:
            raise complain(node, f"{text} is more than one unit")
        return numbers[0], model["unsigned char"]
    if len(numbers) == 1:
        byte = numbers[0] & 0xFF
        return (byte - 0x100 if byte > 0x7F else byte), model.int_
    value = 0
    for code in numbers:
        value = (value << 8 | code & 0xFF) & 0xFFFFFFFF
    return (value - (1 << 32) if value >> 31 else value), model.int_


def string_type(node: Node, model: DataModel) -> Array:
    """The array that a string literal is."""
    return Array(model[_CHARACTERS.get(_prefix(node.value), "char")], len(codes(node)))


def codes(node: Node) -> list[int]:
    """The numbers of a string literal, the last one 0; fragments stand side by side, one prefix counts for all."""
    prefix = _prefix(node.value)
    return [code for _, inner in _FRAGMENT.findall(node.value) for code in _codes(node, inner, prefix)] + [0]


def _prefix(text: str) -> str:
    return next((own for own, _ in _FRAGMENT.findall(text) if own), "")


def _codes(node: Node, inner: str, prefix: str) -> list[int]:
    """The units of a literal: bytes of UTF-8, units of UTF-16 behind ``u``, characters behind ``L`` and ``U``."""
    found: list[int] = []
    for hexadecimal, octal, short, long, simple, plain in _ESCAPE.findall(inner):
        if hexadecimal or octal:
            found.append(_numeric(node, hexadecimal, octal, prefix))
        elif short or long:
            found.extend(_units(_universal(node, int(short or long, 16)), prefix))
        elif simple in ("x", "u", "U", "N"):
            raise complain(node, f"no escape sequence: \\{simple}")
        elif simple:
            found.append(_SIMPLE.get(simple, ord(simple)))
        else:
            found.extend(_units(plain, prefix))
    return found


def _numeric(node: Node, hexadecimal: str, octal: str, prefix: str) -> int:
    value = int(hexadecimal, 16) if hexadecimal else int(octal, 8)
    if value >> {"L": 32, "U": 32, "u": 16}.get(prefix, 8):
        raise complain(node, "an escape sequence beyond its type")
    return value


def _universal(node: Node, code: int) -> str:
    """The character of a universal name (6.4.3)."""
    if code > _LAST_CHARACTER or code in _SURROGATES:
        raise complain(node, f"no character: U+{code:04X}")
    return chr(code)


def _units(character: str, prefix: str) -> list[int]:
    if prefix in ("L", "U"):
        return [ord(character)]
    if prefix == "u":
        units = character.encode("utf-16-le", "surrogatepass")
        return [units[at] | units[at + 1] << 8 for at in range(0, len(units), 2)]
    return list(character.encode("utf-8", "surrogatepass"))
