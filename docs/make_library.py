"""Writes docs/library.md, the reference of the C library that is modelled, from the tables of the front end.

python docs/make_library.py
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from argosy.frontends.c.elaborate.divisions import DIVISIONS
from argosy.frontends.c.elaborate.formatted import FORMATTED
from argosy.frontends.c.elaborate.printed import PRINTING, PUTTING
from argosy.frontends.c.elaborate.scanned import SCANNED
from argosy.frontends.c.elaborate.spelled_out import TEXTS
from argosy.frontends.c.elaborate.streams import STREAMS
from argosy.frontends.c.library import (
    ALLOCATORS,
    CHOICE_PREFIX,
    CHOICES,
    DEADLY,
    ERRORS,
    OFFSETS,
    ROLES,
    SIGNALS,
    Role,
)
from argosy.frontends.c.library_models import modelled
from argosy.frontends.c.lower.heap import COPIERS, FILLERS, INSTANCES, ZEROED
from argosy.frontends.c.mathematics import CLASSES, EXACT, ORDERS, OTHERS, VALUES

PAGE = Path(__file__).parent / "library.md"

# Modelled where they are given whole objects, and listed by what they do.
MEMORY = ALLOCATORS | FILLERS | COPIERS | {"realloc"}

# The roles in the order of the page; a role that is not here is a mistake, which the test of this page finds.
SECTIONS = {
    Role.ASSUME: ("Assumptions", "An execution in which the argument is zero ends there, and counts for nothing."),
    Role.ASSERT: (
        "Assertions",
        "An error where the argument is zero, in a program that names no error function and no label `ERROR`; "
        "elsewhere the execution ends.",
    ),
    Role.FAILED_ASSERT: ("Failed assertions", "What `assert` of a library expands to: reached, the assertion failed."),
    Role.END: ("The end", "The execution ends. (`__VERIFIER_error` is the error where that is asked, see above.)"),
    Role.EXPECT: ("Hints to the compiler", "The value of the first argument."),
    Role.NOTHING: (
        "Output, and what changes nothing that is modelled",
        "They return any value: `rand`, `random` and `lrand48` one that is not negative, `getchar`, `getc` and `fgetc` "
        "one from -1 to 255, `putchar`, `putc` and `fputc` the character or -1, `fclose`, `fflush`, `fseek` and "
        "`usleep` 0 or -1, `fwrite` and `write` no more than they were given. `printf` and `fprintf` with `%n` write "
        "any number to where it points.",
    ),
    Role.INPUT: (
        "Input",
        "They return any value, those that count no more than they were asked for, and write any value to where their "
        "arguments point.",
    ),
    Role.RELEASE: (
        "Giving memory back",
        "Memory is not used again; that the program does not use it either is assumed.",
    ),
    Role.MATHEMATICS: (
        "Mathematics",
        "Of `double`, and of `float` with `f` behind the name. Computed bit for bit: "
        f"{', '.join(f'`{name}`' for name in sorted((*EXACT, *CLASSES, *ORDERS, *VALUES)))}. "
        "Of the others, below, only what the standard promises is known (NaN of NaN, ranges such as -1 to 1 of `sin`). "
        "The value "
        "is arbitrary within that, a proof may rest on it, and a counterexample that depends on it is none; for the "
        "arguments of which Annex F says it (`sin(0)`, `log(1)`, `pow(x, 0)`) it is known. "
        "`signbit` of a negative number is some number but 0, the same one for each type. "
        "Floating-point exceptions are left alone. Functions of `long double` are not modelled.",
    ),
    Role.COMPUTED: (
        "Functions of one number",
        "Computed, in the C locale. What is left open is any value: the number other than 0 by which `isalpha` and its "
        "relatives say yes, `__builtin_clz(0)`. `__builtin_add_overflow`, `..._sub_...`, `..._mul_...`, their variants "
        "for one type and those with `_p` are computed too.",
    ),
    Role.UNMODELLED: (
        "Known and not modelled",
        "The value is opaque: a program whose property depends on it is refused with its place, any other is verified. "
        "The same holds of all other `__builtin_`, `__sync_` and `__atomic_` functions.",
    ),
    Role.CONTROL: (
        "Refused where they are reached",
        "They move control in ways that are not followed: jumps between functions, threads, signals, callbacks. "
        f"{' and '.join(f'`{name}`' for name in sorted(SIGNALS))} with the number of a signal that ends the process "
        f"({', '.join(map(str, sorted(DEADLY)))}) are the end of the execution.",
    ),
}

HEAD = """# The C library

Made by `docs/make_library.py` from the tables of the front end
([`library.py`](../src/argosy/frontends/c/library.py), [`heap.py`](../src/argosy/frontends/c/lower/heap.py)); a test
sees to it that it is up to date.

A function that the program defines is an ordinary function, whatever its name. Of functions without a body, those below
are known; any other returns anything and may change what it can reach (`--undefined-functions`, see
[C programs](c.md#functions-without-a-body)), and the ledger names it.
"""


def page() -> str:
    return HEAD + "\n" + "\n".join(line for part in parts() for line in part) + "\n"


def parts() -> Iterator[list[str]]:
    yield ["## The error", "", f"{names(ERRORS)}: entering one of them is the error of `unreach-call`.", ""]
    yield [
        "## Nondeterministic values",
        "",
        f"`{CHOICE_PREFIX}...()` is any value of its type, a new one at each call:",
        "",
        "| function | type |",
        "|---|---|",
        *(f"| `{CHOICE_PREFIX}{end}` | {described(type_)} |" for end, type_ in CHOICES.items()),
        "",
        f"`{CHOICE_PREFIX}size_t` is a `size_t`; with another ending the type is that of the declaration. "
        "A floating-point number may be infinite, or none at all.",
        "",
    ]
    yield [
        "## Memory",
        "",
        f"* {names(ALLOCATORS)}: each call in the text makes up to {INSTANCES} objects of the type in `sizeof` (one in "
        f"`main` outside of loops), of a constant size; it does not fail. {names(ZEROED)} fill them with zeros.",
        "* `realloc`: another object, with a copy of the elements that are kept ([c.md](c.md#memory)).",
        f"* {names(FILLERS)}: of whole objects, with a constant.",
        f"* {names(COPIERS)}: of whole objects.",
        f"* {names(set(TEXTS))}: written out as loops where they are called with pointers to what is sorted, copied or "
        "filled ([`spelled_out.py`](../src/argosy/frontends/c/elaborate/spelled_out.py)); equal elements get any "
        "order.",
        f"* {names(FORMATTED)}, with a format that stands in the text: written out where they are called "
        "([`formatted.py`](../src/argosy/frontends/c/elaborate/formatted.py)). Plain characters and "
        "`%d %i %u %x %X %o %c %s %%`, with lengths of integer types, widths, precisions and flags, are exact. Of "
        "other conversions of numbers it is known how many characters there are at most, and that a zero is behind "
        "them. With any other format `snprintf` and `vsnprintf` write any characters, no more than there is room for; "
        "that of `sprintf` is not modelled.",
        f"* {names({**PRINTING, **PUTTING})}: where violations of memory are asked for, the texts that they print are "
        "followed to their ends ([`printed.py`](../src/argosy/frontends/c/elaborate/printed.py)).",
        f"* {names(SCANNED)}, with a format that stands in the text: written out where they are called "
        "([`scanned.py`](../src/argosy/frontends/c/elaborate/scanned.py)). Of a text `%d %i %u %x %o %c %s %[...] %n "
        "%%`, with widths, lengths and `*`, are read exactly; a number beyond its type, and what other conversions "
        "give, is opaque. Of a stream as many targets as the result says get any value that their conversion may give.",
        f"* {names(STREAMS)}: written out where they are called with pointers to characters, to numbers, or with an "
        "object as a whole ([`streams.py`](../src/argosy/frontends/c/elaborate/streams.py)). Any input may come; as "
        "many bytes are written as the result says, and `fgets` writes a line. What `fgets` leaves where it fails is "
        "opaque, and so is what lies where other pointers lead.",
        f"* {names(DIVISIONS)}: quotient and remainder.",
        f"* {names(OFFSETS)}: a number.",
        "",
        "What they are given besides that is refused where it matters.",
        "",
    ]
    yield [
        "## Texts in C",
        "",
        "These are read as a part of the program, where it uses them and does not define them, from "
        "[`models/`](../src/argosy/frontends/c/models); the trace shows their steps in `libc/string.c` and so on. What "
        "the standard leaves open (how much less a string is) is any value. A program that declares one of them with "
        "another type than the standard has does without. `strtod` and its relatives are exact for decimal numerals of "
        "some 16 digits and exponents to 22 (`strtof` 7 and 10); others are opaque, hexadecimal ones and `inf` are "
        "refused where they are read.",
        "",
        names(sorted(name for name in modelled() if not name.startswith(("__argosy_", "__builtin_")))),
        "",
        "Those of `string.h` and `math.h` are known with `__builtin_` before the name, too. `atexit` and `on_exit` do "
        "not fail; their handlers run at `exit` and at the end of `main`, the last one first. `errno` is opaque: "
        "programs that clear it and look at it are read, and what depends on it is refused.",
        "",
        "`--library mine.c` gives a program functions of your own: those that it uses and does not define.",
        "",
    ]
    for role, (title, meaning) in SECTIONS.items():
        listed = [name for name, its in ROLES.items() if its is role and name not in MEMORY | modelled()]
        if role is Role.MATHEMATICS:
            listed = list(OTHERS)
        yield [f"## {title}", "", meaning, "", names(listed), ""]


def names(listed: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(listed))


def described(type_: str | None) -> str:
    return "a pointer, which leads where nothing is modelled" if type_ is None else f"`{type_}`"


if __name__ == "__main__":
    PAGE.write_text(page().rstrip("\n") + "\n", encoding="utf-8")
