"""The preprocessor of a system that has no compiler: pcpp, in a child process that is given nothing but text.

The headers of the C library that such a system lacks are those in ``headers/``, as far as the front end knows what they
declare. ``main`` is the child: the program comes through standard input, its name and the switches are arguments.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

HEADERS = Path(__file__).parent / "headers"

_COMMON = {
    "__STDC__": "1",
    "__STDC_VERSION__": "201112L",
    "__STDC_HOSTED__": "1",
    "__CHAR_BIT__": "8",
    "__INT_MAX__": "2147483647",
    "__WCHAR_TYPE__": "int",
}
_WIDTHS = {
    "ILP32": {
        "__i386__": "1",
        "__ILP32__": "1",
        "__SIZE_TYPE__": "unsigned int",
        "__PTRDIFF_TYPE__": "int",
        "__INT64_TYPE__": "long long",
        "__LONG_MAX__": "2147483647L",
        "__SIZEOF_POINTER__": "4",
        "__SIZEOF_LONG__": "4",
    },
    "LP64": {
        "__x86_64__": "1",
        "__LP64__": "1",
        "_LP64": "1",
        "__SIZE_TYPE__": "unsigned long",
        "__PTRDIFF_TYPE__": "long",
        "__INT64_TYPE__": "long",
        "__LONG_MAX__": "9223372036854775807L",
        "__SIZEOF_POINTER__": "8",
        "__SIZEOF_LONG__": "8",
    },
}


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
    for macro, value in (_COMMON | _WIDTHS[data_model]).items():
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
    made.parse(sys.stdin.read(), name)
    made.write(sys.stdout)
    return int(made.return_code > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
