"""Properties as values: what a formula says, what counts as its error, how it is written and how a verdict on it reads.

SV-COMP writes ``CHECK( init(main()), LTL(G ! call(reach_error())) )`` into a ``.prp`` file. Such a file is obeyed to
the letter. A name without a file (``unreach-call``) is one of ``NAMED``; what is known and not decided yet is in
``LATER``, with words that say so. Imports nothing heavy: the command line checks names here.

Law: ``read(path, property.text)`` is the property again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.basics.records import dataclass, field, replace
from argosy.models.kinds import Errors, Marked, MemoryKinds, Undefined

CHOICE = "a call of reach_error or __VERIFIER_error, else the label ERROR, else assertions"


@dataclass(frozen=True, slots=True)
class Property:
    """``name`` is what users and scripts call it, ``formula`` what it says. ``errors`` is what a program must not do;
    None lets the program choose (``CHOICE``). ``entry`` is the function with which executions begin."""

    name: str
    formula: str
    errors: Errors | None = field(default=None)
    entry: str = "main"

    @property
    def text(self) -> str:
        """As a ``.prp`` file has it: a line for each part of the formula."""
        parts = self.formula.split(AND)
        return "\n".join(f"CHECK( init({self.entry}()), LTL({part}) )" for part in parts)

    def violated(self, kind: Marked | Undefined | None) -> str:
        """The name of what is violated by an error of a kind: of a property with parts the part."""
        if self.name != MEMORY_SAFETY:
            return self.name
        parts = (part for part in PARTS if isinstance(kind, Undefined) and kind in PARTS[part])
        return next(parts, self.name)

    def status(self, verdict: str, kind: Marked | Undefined | None = None) -> str:
        """As the competitions write a verdict: ``true``, ``false(unreach-call)``, ``unknown``; an error of a kind may
        say which part of the property is violated, as in ``false(valid-deref)``."""
        return {"safe": "true", "unsafe": f"false({self.violated(kind)})"}.get(verdict, "unknown")


ARITHMETIC = frozenset(
    {Undefined.SIGNED_OVERFLOW, Undefined.QUOTIENT, Undefined.DIVISION, Undefined.SHIFT, Undefined.CONVERSION}
)
"""What arithmetic alone can do wrong: no memory is involved, and every such operation carries a check."""

AND = " && "

PARTS: Mapping[str, frozenset[Undefined]] = {
    "valid-deref": MemoryKinds.DEREFERENCE,
    "valid-free": MemoryKinds.FREE,
    "valid-memtrack": MemoryKinds.TRACK,
}
"""The parts of memory safety, in the order in which a violation is looked for."""

MEMORY_SAFETY = "valid-memsafety"

UNDEFINED = ARITHMETIC | MemoryKinds.DEREFERENCE | MemoryKinds.FREE | {Undefined.POINTER, Undefined.ARGUMENT}
"""Everything that C leaves undefined and that carries a check. To lose memory is not undefined."""

NAMED: Mapping[str, Property] = {
    each.name: each
    for each in (
        Property("unreach-call", "G ! call(reach_error())"),
        Property("no-overflow", "G ! overflow", Errors(operations=frozenset({Undefined.SIGNED_OVERFLOW}))),
        Property("defined-arithmetic", "G ! undefined-arithmetic", Errors(operations=ARITHMETIC)),
        Property(
            MEMORY_SAFETY,
            AND.join(f"G {part}" for part in ("valid-free", "valid-deref", "valid-memtrack")),
            Errors(operations=frozenset[Undefined]().union(*PARTS.values())),
        ),
        *(Property(part, f"G {part}", Errors(operations=kinds)) for part, kinds in PARTS.items()),
        Property("valid-memcleanup", "G valid-memcleanup", Errors(operations=MemoryKinds.CLEANUP)),
        Property("initialised", "G ! uninitialised-use", Errors(operations=MemoryKinds.INITIALISED)),
        Property("undefined-behaviour", "G def-behavior", Errors(operations=UNDEFINED)),
    )
}

# Formulas and names that are known and not decided yet, in words.
LATER: Mapping[str, str] = {
    "G ! data-race": "data races (no-data-race)",
    "F end": "termination",
}
LATER_NAMES: Mapping[str, str] = {
    "termination": "termination",
    "no-data-race": "data races",
    "coverage-error-call": "test generation (coverage-error-call)",
    "coverage-branches": "test generation (coverage-branches)",
}
SUFFIX = ".prp"

_NAME = r"[A-Za-z_]\w*"
_CHECK = re.compile(rf"CHECK\(init\(({_NAME})\(\)\),LTL\((.*?)\)\)(?=CHECK|COVER|$)")
_CALL = re.compile(rf"G!call\(({_NAME})\(\)\)")
_LABEL = re.compile(rf"G!label\(({_NAME})\)")


def named(name: str, position: Position) -> Property:
    """The property of that name. Raises UnsupportedError for one that is known and not decided."""
    if name in NAMED:
        return NAMED[name]
    raise UnsupportedError(position, f"property {LATER_NAMES.get(name, name)}")


def read(path: str, text: str) -> Property:
    """The property that the text of a ``.prp`` file states. Raises InputError where it states none, and
    UnsupportedError, in words, where it states one that is not decided."""
    position = Position(path, 1, 1)
    compact = re.sub(r"\s+", "", re.sub(r"(?m)^\s*(//|#).*$", "", text))
    checks = _CHECK.findall(compact)
    if "COVER(" in compact:
        raise UnsupportedError(position, "property of test generation (COVER)")
    if not checks or _CHECK.sub("", compact):
        raise InputError(position, "not a property: CHECK( init(main()), LTL(...) ) is expected")
    if len(checks) > 1:
        return _several(position, checks)
    entry, formula = checks[0]
    return replace(_stated(position, formula), entry=entry)


def _several(position: Position, checks: Sequence[tuple[str, str]]) -> Property:
    """Parts of memory safety, all of which must hold."""
    stated = {_compact(f"G {part}"): part for part in PARTS}
    entries = {entry for entry, _ in checks}
    if len(entries) > 1 or not all(formula in stated for _, formula in checks):
        said = " and ".join(dict.fromkeys(_worded(formula) for _, formula in checks))
        raise UnsupportedError(position, f"several properties in one file: {said}")
    whole = NAMED[MEMORY_SAFETY]
    chosen = {stated[formula] for _, formula in checks}
    parts = [part for part in whole.formula.split(AND) if stated[_compact(part)] in chosen]
    kinds = frozenset[Undefined]().union(*(PARTS[part] for part in chosen))
    name = whole.name if len(parts) > 1 else parts[0].removeprefix("G ")
    return Property(name, AND.join(parts), Errors(operations=kinds), entries.pop())


def _stated(position: Position, formula: str) -> Property:
    if call := _CALL.fullmatch(formula):
        return Property("unreach-call", f"G ! call({call[1]}())", Errors(calls=frozenset({call[1]})))
    if label := _LABEL.fullmatch(formula):
        return Property("unreach-call", f"G ! label({label[1]})", Errors(labels=frozenset({label[1]})))
    for each in NAMED.values():
        if formula == _compact(each.formula):
            return each
    raise UnsupportedError(position, f"property {_worded(formula)}")


def _worded(formula: str) -> str:
    stated = next((each.name for each in NAMED.values() if formula == _compact(each.formula)), None)
    if stated is not None:
        return stated
    later = next((words for known, words in LATER.items() if formula == _compact(known)), None)
    return later or f"the formula {formula}"


def _compact(formula: str) -> str:
    return re.sub(r"\s+", "", formula)


def by_file_name(path: str) -> Property:
    """A property file that is absent is recognised by its base name: the competitions distribute them apart."""
    return named(os.path.splitext(os.path.basename(path))[0], Position(path, 0))
