"""The preprocessor of a system that has no compiler: pcpp, in a child process that is given nothing but text.

The headers of the C library that such a system lacks are those in ``headers/``, as far as the front end knows what they
declare. ``main`` is the child: the program comes through standard input, its name and the switches are arguments.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

HEADERS = Path(__file__).parent / "headers"

_COMMON = {
    "__STDC__": "1",
    "__STDC_VERSION__": "201112L",
    "__STDC_HOSTED__": "1",
    "__linux__": "1",
    "__unix__": "1",
    "__ORDER_LITTLE_ENDIAN__": "1234",
    "__ORDER_BIG_ENDIAN__": "4321",
    "__ORDER_PDP_ENDIAN__": "3412",
    "__BYTE_ORDER__": "__ORDER_LITTLE_ENDIAN__",
    "__FLOAT_WORD_ORDER__": "__ORDER_LITTLE_ENDIAN__",
    "__CHAR_BIT__": "8",
    "__SIZEOF_FLOAT__": "4",
    "__SIZEOF_DOUBLE__": "8",
    "__SIZEOF_WCHAR_T__": "4",
    "__FLT_RADIX__": "2",
    "__FLT_MANT_DIG__": "24",
    "__FLT_DIG__": "6",
    "__FLT_EPSILON__": "0x1p-23F",
    "__FLT_MIN__": "0x1p-126F",
    "__FLT_MAX__": "0x1.fffffep127F",
    "__DBL_MANT_DIG__": "53",
    "__DBL_DIG__": "15",
    "__DBL_EPSILON__": "0x1p-52",
    "__DBL_MIN__": "0x1p-1022",
    "__DBL_MAX__": "0x1.fffffffffffffp1023",
    "__WCHAR_TYPE__": "int",
    "__WCHAR_MAX__": "2147483647",
    "__WINT_TYPE__": "unsigned int",
    "__CHAR16_TYPE__": "unsigned short",
    "__CHAR32_TYPE__": "unsigned int",
}
_LINE = re.compile(r"^[ \t]*#[ \t]*(?:line\b|[0-9])", re.MULTILINE)
_MACHINES = {
    "ILP32": ("i386", "__i386", "__i386__", "__ILP32__"),
    "LP64": ("__x86_64", "__x86_64__", "__amd64", "__amd64__", "__LP64__", "_LP64"),
}
_SUFFIXES = {"long": "L", "long long": "LL"}


def predefined(data_model: str) -> dict[str, str]:
    """What compilers define for a data model: by such macros programs ask for the machine."""
    wide = data_model == "LP64"
    found = _COMMON | dict.fromkeys(_MACHINES[data_model], "1")
    if wide:
        found["__SIZEOF_INT128__"] = "16"
    word, double = ("long", "long") if wide else ("int", "long long")
    sizes = {"signed char": 1, "short": 2, "int": 4, "long": 8 if wide else 4, "long long": 8}
    for name, own in (("SCHAR", "signed char"), ("SHRT", "short"), ("INT", "int"), ("LONG", "long")):
        found[f"__{name}_MAX__"] = _largest(own, sizes[own])
    found["__LONG_LONG_MAX__"] = _largest("long long", 8)
    for own, size in sizes.items():
        if own != "signed char":
            found[f"__SIZEOF_{own.upper().replace(' ', '_')}__"] = str(size)
    for name in ("POINTER", "SIZE_T", "PTRDIFF_T"):
        found[f"__SIZEOF_{name}__"] = str(sizes[word])
    exact = {"8": "signed char", "16": "short", "32": "int", "64": double}
    names = exact | {f"_LEAST{bits}_": own for bits, own in exact.items()} | {"MAX_": double, "PTR_": word}
    names |= {"_FAST8_": "signed char", "_FAST16_": word, "_FAST32_": word, "_FAST64_": double}
    for name, own in names.items():
        stem, size = name.strip("_"), sizes[own]
        before = "_" if name.startswith("_") else ""
        found[f"__INT{before}{stem}_TYPE__"] = own
        found[f"__INT{before}{stem}_MAX__"] = _largest(own, size)
        found[f"__UINT{before}{stem}_TYPE__"] = f"unsigned {own.removeprefix('signed ')}"
        found[f"__UINT{before}{stem}_MAX__"] = _largest(own, size, unsigned=True)
    found |= {"__PTRDIFF_TYPE__": word, "__PTRDIFF_MAX__": _largest(word, sizes[word])}
    return found | {"__SIZE_TYPE__": f"unsigned {word}", "__SIZE_MAX__": _largest(word, sizes[word], unsigned=True)}


def _largest(own: str, size: int, unsigned: bool = False) -> str:
    suffix = _SUFFIXES.get(own, "")
    narrow = own in ("signed char", "short")
    return f"{(1 << 8 * size - (not unsigned)) - 1}{'U' if unsigned and not narrow else ''}{suffix}"


def command(name: str, folder: str, data_model: str, words: Sequence[str]) -> list[str]:
    """What starts the child: the name of the program in markers, its folder, and the switches of a compiler."""
    return [sys.executable, "-P", "-m", __name__, name, folder, data_model, *words]


def main(name: str, folder: str, data_model: str, *words: str) -> int:
    import pcpp

    class Preprocessor(pcpp.Preprocessor):  # type: ignore[misc]
        """Complains as compilers do, so that one reader of complaints serves all."""

        def on_error(self, file: str, line: int, message: str) -> None:
            print(f"{file}:{line}: error: {message}", file=sys.stderr)
            self.return_code += 1

        def on_include_not_found(
            self, is_malformed: bool, is_system_include: bool, curdir: str, includepath: str
        ) -> None:
            self.on_error(self.lastdirective.source, self.lastdirective.lineno, f"{includepath}: no such header")
            raise pcpp.OutputDirective(pcpp.Action.IgnoreAndRemove)

    made = Preprocessor()
    made.line_directive = "#"
    for macro, value in predefined(data_model).items():
        made.define(f"{macro} {value}")
    forgotten = [word[2:] for word in words if word.startswith("-U")]
    for word in words:
        if word.startswith("-D"):
            macro, _, value = word[2:].partition("=")
            made.define(f"{macro} {value if '=' in word else '1'}")
        elif word.startswith("-I"):
            made.add_path(word[2:])
        elif not word.startswith("-U"):
            print(f"{name}:1: error: without a compiler the option {word} is not understood", file=sys.stderr)
            return 1
    for macro in forgotten:
        made.undef(macro)
    made.add_path(folder)
    made.add_path(str(HEADERS))
    made.rewrite_paths = []
    text = sys.stdin.read()
    moved = _LINE.search(text)
    if moved and "__LINE__" in text:
        line = text.count("\n", 0, moved.start()) + 1
        print(f"{name}:{line}: error: without a compiler __LINE__ behind #line is not understood", file=sys.stderr)
        return 1
    made.parse(text, name)
    made.write(sys.stdout)
    return int(made.return_code > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
