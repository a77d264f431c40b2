"""Functions of the C library that are modelled by their text, in C: the files in ``models/``.

A file is made of parts between empty lines, each of which defines one name. A program gets those parts that define what
it uses and does not define itself, and what these need, each in the line where it stands in its file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cache

from pycparser import c_ast as c

from argosy.basics.records import dataclass, replace
from argosy.frontends.c.library import LEAVE, PREFIX
from argosy.frontends.c.linking import names_of
from argosy.frontends.c.preprocessor import SourceFile
from argosy.frontends.c.signs import SIGN, with_signs
from argosy.frontends.c.source import Syntax
from argosy.frontends.c.tokens import MADE_UP
from argosy.frontends.c.tree import walk

FOLDER = os.path.join(os.path.dirname(__file__), "models")
# Compilers know these functions by other names too.
BUILT_IN = ("math.c", "string.c")
# Functions that a program does not name, with what it needs them for.
BEHIND = {"atexit": LEAVE, "on_exit": LEAVE}
# What the files are called in messages.
SHOWN = "libc/"

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_DEFINED = re.compile(r"(\w+)\s*(?:[(;=]|\[\d+\] =)")
_TYPE_NAME = re.compile(r"^typedef .*\b(\w+);$")
_WORD = re.compile(r"[A-Za-z_]\w*")
_OWN_SIGN = re.compile(rf"\b{SIGN}")


class ModelMismatch(Exception):
    """The program declares a function of the library with another type than the model has."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


@dataclass(frozen=True, slots=True)
class ModelPart:
    """What defines a ``name``: lines of a file, from one on."""

    name: str
    file: str
    first: int
    lines: tuple[str, ...]
    is_function: bool

    @property
    def words(self) -> frozenset[str]:
        return frozenset(_WORD.findall("\n".join(self.lines)))


@cache
def parts() -> dict[tuple[str, str], ModelPart]:
    """By file and name."""
    found: dict[tuple[str, str], ModelPart] = {}
    for name in sorted(name for name in os.listdir(FOLDER) if name.endswith(".c")):
        with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
            text = file.read()
        text = _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text)
        block: list[str] = []
        for number, line in enumerate([*text.splitlines(), ""], 1):
            if line.strip():
                block.append(line)
                continue
            if block:
                part = _part(name, number - len(block), block)
                found[part.file, part.name] = part
                if name in BUILT_IN:
                    for own in _built_in(part):
                        found[own.file, own.name] = own
            block = []
    return found


def _built_in(part: ModelPart) -> Iterator[ModelPart]:
    """The function as compilers have it, ``__builtin_strlen``, whatever the program means by ``strlen``."""
    file = f"{PREFIX}{part.file}"
    lines = tuple(_OWN_SIGN.sub(f"{SIGN}{PREFIX}", line) if SIGN in line else line for line in part.lines)
    if part.name.startswith(SIGN):
        yield replace(part, name=f"{SIGN}{PREFIX}{part.name.removeprefix(SIGN)}", file=file, lines=lines)
    elif not part.is_function or part.name.startswith(MADE_UP):
        yield replace(part, file=file)
    else:
        own = PREFIX + part.name
        head = _WORD.sub(lambda word: own if word[0] == part.name else word[0], lines[0])
        yield replace(part, name=own, file=file, lines=(head, *lines[1:]))


def _part(file: str, first: int, lines: Sequence[str]) -> ModelPart:
    names = _TYPE_NAME.findall(lines[0]) or _DEFINED.findall(lines[0])
    assert names, f"{file}:{first} defines something"
    return ModelPart(names[0], file, first, tuple(lines), lines[0].endswith("{") and "(" in lines[0])


@cache
def modelled() -> frozenset[str]:
    """The functions that have a text."""
    return frozenset(part.name for part in parts().values() if part.is_function)


def _used(syntax: Syntax) -> set[str]:
    """What a file may mean as functions that it does not define: names that it calls, or declares as functions. A local
    variable may be called ``remainder``."""
    named, functions = set[str](), set[str]()
    for node in walk(syntax.tree):
        if isinstance(node, c.ID):
            named.add(node.name)
        elif isinstance(node, c.FuncCall) and isinstance(node.name, c.ID):
            functions.add(node.name.name)
        elif isinstance(node, c.Decl) and isinstance(node.type, c.FuncDecl):
            functions.add(node.name)
    return named & functions


def models_for(files: Iterable[Syntax], refused: Set[str]) -> list[SourceFile]:
    """The texts that a program needs besides its own, without those of functions that are ``refused``."""
    files = list(files)
    said = {token.value for syntax in files for token in syntax.lexed.tokens}
    if said.isdisjoint(modelled()):
        return []
    defined = frozenset[str]().union(*(names_of(syntax).defined for syntax in files))
    known = parts()
    offered = {part.name: part for part in known.values() if part.is_function and part.name not in refused}
    comparing = {name.removeprefix(SIGN) for name in offered if name.startswith(SIGN)} & offered.keys() - defined
    used = set[str]()
    for syntax in files:
        with_signs(syntax.tree, comparing)
        used |= _used(syntax)
    work = [offered[name] for name in sorted(used - defined) if name in offered]
    taken: dict[ModelPart, None] = {}
    while work:
        part = work.pop()
        if part in taken:
            continue
        taken[part] = None
        words = part.words | ({BEHIND[part.name]} if part.name in BEHIND else set())
        for word in sorted(words - {part.name}):
            own = known.get((part.file, word))
            if own is not None and (not own.is_function or word.startswith(MADE_UP)):
                work.append(own)
            elif word in offered and word not in defined:
                work.append(offered[word])
    made = []
    for file in sorted({part.file for part in taken}):
        own_parts = sorted((part for part in taken if part.file == file), key=lambda part: part.first)
        lines: list[str] = []
        for part in own_parts:
            lines += [""] * (part.first - 1 - len(lines))
            lines += part.lines
        made.append(SourceFile(SHOWN + file, text="\n".join(lines) + "\n"))
    return made


def without(syntax: Syntax, files: Sequence[Syntax]) -> Syntax:
    """A library of the user's: its functions are those that the program does not define."""
    defined = frozenset[str]().union(*(names_of(each).defined for each in files))
    syntax.tree.ext = [
        node for node in syntax.tree.ext if not (isinstance(node, c.FuncDef) and node.decl.name in defined)
    ]
    return syntax
