"""The formats that are read: one line each. A new one is a package beside this file and a line in ``FORMATS``.

A format says by which suffixes it is recognised, which function reads it, which options it has, and which kind of model
it gives (the kinds are the backends'). Nothing else in Argosy asks what an input is. This module imports nothing heavy.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

from argosy.basics.choices import choose, did_you_mean
from argosy.basics.errors import InputError, UsageError
from argosy.basics.naming import named
from argosy.basics.position import Position
from argosy.basics.records import dataclass, field
from argosy.frontends.files import STANDARD_INPUT, obstacle
from argosy.problem.problem import Problem
from argosy.problem.property import NAMED, SUFFIX


@dataclass(frozen=True, slots=True)
class InputOption:
    """An option of a format. ``values`` are all there are, or what a person reads where there are too many. One that
    ``repeats`` may be given several times: its value has a line for each."""

    name: str
    values: tuple[str, ...]
    default: str | None
    advice: str
    closed: bool = True
    group: str = "input"
    repeats: bool = False
    short: str = ""

    @property
    def metavar(self) -> str:
        return "|".join(self.values)

    def check(self, value: str) -> None:
        if self.closed:
            choose(f"--{self.name}", value, self.values)


@dataclass(frozen=True, slots=True)
class Request:
    """What a loader is asked for: ``text`` is the content where it does not stand in the file ``path``; ``options``
    are those that were given, ``deep`` asks for the largest bounds, and ``any_number`` for blocks of memory in any
    number where lifetimes are kept account of; ``checkpoints`` are what a witness says of places of a C program."""

    path: str
    options: Mapping[str, str] = field(default_factory=dict)
    text: str | None = None
    deep: bool = False
    any_number: bool = False
    checkpoints: tuple[Any, ...] = ()

    def option(self, name: str) -> str:
        """What was given, or the default of an option that has one."""
        return self.options.get(name) or OPTIONS[name].default or ""


@dataclass(frozen=True, slots=True)
class Format:
    """``loader`` is ``module:function``, a function from a ``Request`` to a ``Problem``; ``kind`` is the kind of model;
    ``example`` is a small text in the format, with an error that can be reached. ``beside`` is a function from a path
    to the files that are read along with it, where there may be any. ``property_files`` is the suffix of the files that
    state a property; without one, the properties that there are have names in the input itself. Where several formats
    have a suffix, the one whose ``marker`` stands near the beginning of the file is meant, else the one without."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    loader: str
    kind: str
    options: tuple[str, ...]
    example: str
    page: str
    beside: str = ""
    property_files: str = SUFFIX
    marker: str = ""

    def load(self, request: Request) -> Problem:
        problem: Problem = named(self.loader)(request)
        return problem


# Types are as wide as on this machine, unless a text says otherwise.
HOST_MODEL = "LP64" if sys.maxsize > 1 << 32 else "ILP32"

OPTIONS: Mapping[str, InputOption] = {
    option.name: option
    for option in (
        InputOption(
            "property",
            (*NAMED, f"FILE{SUFFIX}"),
            None,
            "what to verify; a file is obeyed to the letter; without it a program is searched for a call of "
            "reach_error, else a label ERROR, else assertions",
            closed=False,
            group="property",
        ),
        InputOption(
            "query",
            ("QUERY",),
            None,
            "what to ask of a network, 'E<> ...' or 'A[] ...'; else its .q file or the queries inside it are asked",
            closed=False,
            group="property",
        ),
        InputOption("entry", ("FUNCTION",), "main", "the function with which executions begin (main)", closed=False),
        InputOption(
            "entry-pointers",
            ("any", "null", "shared", "valid"),
            "any",
            "where pointers lead that an entry function other than main is given: to an object of their type, which "
            "several may share, or nowhere (any, the default); to one of their own or nowhere (null); to one that "
            "several may share (shared); to one of their own (valid)",
        ),
        InputOption(
            "entry-objects",
            ("N",),
            "1",
            "how many objects stand in a row where such a pointer leads (1)",
            closed=False,
        ),
        InputOption(
            "link",
            ("FILE",),
            None,
            "another file of the same C program, as further inputs are without --summary; may be given several times",
            closed=False,
            repeats=True,
        ),
        InputOption(
            "include",
            ("FOLDER",),
            None,
            "where the headers of a C program are looked for; may be given several times",
            closed=False,
            repeats=True,
            short="I",
        ),
        InputOption(
            "define",
            ("NAME", "NAME=VALUE"),
            None,
            "a macro of a C program; may be given several times",
            closed=False,
            repeats=True,
            short="D",
        ),
        InputOption(
            "undefine",
            ("NAME",),
            None,
            "what is no macro of a C program, whatever --define says; may be given several times",
            closed=False,
            repeats=True,
            short="U",
        ),
        InputOption(
            "library",
            ("FILE",),
            None,
            "a file in C with functions that a program uses and does not define; may be given several times",
            closed=False,
            repeats=True,
        ),
        InputOption(
            "data-model",
            ("ILP32", "LP64"),
            HOST_MODEL,
            f"the machine's widths ({HOST_MODEL}, as here; ILP32 for task definitions that say nothing)",
        ),
        InputOption(
            "signed-overflow",
            ("undefined", "wrap"),
            "undefined",
            "is an execution that overflows outside the language (undefined, the default), or does it go on",
        ),
        InputOption(
            "undefined-functions",
            ("reachable", "arguments", "pure"),
            "reachable",
            "what functions without a body change: all that they can reach (reachable, the default), what their "
            "arguments lead to, nothing (pure, the default for task definitions)",
        ),
        InputOption(
            "volatile",
            ("arbitrary", "plain"),
            "arbitrary",
            "does each read of a volatile object give any value (arbitrary, the default, but for task definitions), or "
            "is it an object as others are (plain)",
        ),
        InputOption(
            "evaluation-order",
            ("left", "all"),
            "left",
            "where C leaves the order of operands open and it matters: left to right, which the ledger says (left, the "
            "default), or each order of whole operands (all)",
        ),
        InputOption(
            "numbers",
            ("auto", "int", "rational"),
            "auto",
            "which numbers clauses speak of: what the file says or integers (auto), integers, rationals",
        ),
        InputOption(
            "require",
            ("CONDITION",),
            None,
            "what must hold at the end of every cycle of a controller; may be given several times",
            closed=False,
            group="property",
            repeats=True,
        ),
        InputOption(
            "requirements",
            ("FILE",),
            None,
            "requirements of a controller (.json, .yaml); else the file beside the program is read",
            closed=False,
            group="property",
        ),
        InputOption(
            "cycle-time",
            ("TIME", "TIME..TIME"),
            "10ms",
            "how long each cycle of a controller takes (10ms), or from which to which time",
            closed=False,
        ),
        InputOption(
            "dialect",
            ("iec", "siemens", "codesys"),
            "iec",
            "what a controller does where the standard leaves it open (iec; siemens for .scl)",
        ),
        InputOption(
            "witness-style",
            ("function_return", "assumption"),
            "function_return",
            "how a witness of a violation (--witness FILE.yml) says what a call gave: of the result itself, or of the "
            "variable, at the next statement",
            group="output",
        ),
        InputOption(
            "arithmetic",
            ("auto", "int", "bits"),
            "auto",
            "what the analysis of a program computes with",
            group="strategy",
        ),
    )
}

_PROGRAM = (
    "property",
    "entry",
    "entry-pointers",
    "entry-objects",
    "link",
    "include",
    "define",
    "undefine",
    "library",
    "data-model",
    "signed-overflow",
    "undefined-functions",
    "volatile",
    "evaluation-order",
    "witness-style",
    "arithmetic",
)

FORMATS: tuple[Format, ...] = (
    Format(
        "c",
        "C programs",
        (".c", ".i"),
        "argosy.frontends.c.format:read",
        "program",
        _PROGRAM,
        "extern void reach_error(void);\nint main(void) { reach_error(); return 0; }\n",
        "docs/c.md",
        "argosy.frontends.files:local_headers",
    ),
    Format(
        "project",
        "compilation databases of C projects",
        (".json",),
        "argosy.frontends.c.project:read",
        "program",
        _PROGRAM,
        '[{"directory": "", "file": "prog.c", "arguments": ["cc", "-c", "prog.c"]}]\n',
        "docs/c.md",
        "argosy.frontends.c.project:files",
    ),
    Format(
        "definition",
        "task definitions of SV-COMP",
        (".yml",),
        "argosy.frontends.definition:read",
        "program",
        _PROGRAM,
        "format_version: '2.0'\ninput_files: prog.c\nproperties:\n  - property_file: unreach-call.prp\n",
        "docs/c.md",
        "argosy.frontends.definition:named_files",
    ),
    Format(
        "armc",
        "clauses of ARMC",
        (".armc", ".pl"),
        "argosy.frontends.armc.format:read",
        "program",
        ("numbers",),
        "r(p(pc(start), data(X)), p(pc(error), data(X)), [], [], 1).\nstart(pc(start)).\nerror(pc(error)).\n",
        "docs/families/armc.md",
    ),
    Format(
        "horn",
        "Horn clauses in SMT-LIB",
        (".smt2",),
        "argosy.frontends.horn.format:read",
        "clause",
        (),
        "(set-logic HORN)\n(declare-fun p (Int) Bool)\n(assert (p 0))\n"
        "(assert (forall ((x Int)) (=> (p x) (> x 0))))\n(check-sat)\n",
        "docs/horn.md",
    ),
    Format(
        "prolog",
        "Horn clauses in Prolog's syntax",
        (".horn",),
        "argosy.frontends.horn.format:read_as_prolog",
        "clause",
        (),
        "p(X) :- X = 0.\nfalse :- p(X), X =< 0.\n",
        "docs/horn.md",
    ),
    Format(
        "vmt",
        "transition systems in VMT",
        (".vmt",),
        "argosy.frontends.vmt.format:read",
        "system",
        (),
        "(declare-fun x () Int)\n(declare-fun y () Int)\n(define-fun s () Int (! x :next y))\n"
        "(define-fun i () Bool (! (= x 0) :init true))\n(define-fun t () Bool (! (= y (+ x 1)) :trans true))\n"
        "(define-fun p () Bool (! (< x 3) :invar-property 0))\n",
        "docs/horn.md",
    ),
    Format(
        "plc",
        "programs of controllers (IEC 61131-3)",
        (".st", ".scl", ".ld", ".xml"),
        "argosy.frontends.plc.format:read",
        "program",
        ("require", "requirements", "property", "entry", "cycle-time", "dialect", "arithmetic"),
        "PROGRAM p\nVAR_INPUT i : BOOL; END_VAR\n//#ASSERT NOT i : off;\nEND_PROGRAM\n",
        "docs/plc.md",
        "argosy.frontends.plc.requirement_files:beside",
        marker="http://www.plcopen.org/xml/tc6",
    ),
    Format(
        "uppaal",
        "networks of timed automata",
        (".xml", ".xta", ".ta"),
        "argosy.frontends.uppaal.format:read",
        "network",
        ("query",),
        "process P() { state a, b; init a; trans a -> b { }; }\nsystem P;\n",
        "docs/timed.md",
        "argosy.frontends.uppaal:query_files",
    ),
    Format(
        "tchecker",
        "networks of timed automata of TChecker",
        (".tck",),
        "argosy.frontends.uppaal.format:read_tchecker",
        "network",
        ("query",),
        "system:s\nevent:e\nprocess:P\nlocation:P:a{initial:}\nlocation:P:b{}\nedge:P:a:b:e\n",
        "docs/timed.md",
        "argosy.frontends.uppaal:query_files",
    ),
    Format(
        "aiger",
        "circuits of AIGER",
        (".aag", ".aig"),
        "argosy.frontends.aiger.format:read",
        "system",
        (),
        "aag 1 0 1 0 0 1\n2 3\n2\n",
        "docs/systems.md",
    ),
    Format(
        "cfa",
        "control-flow automata of Theta",
        (".cfa", ".theta"),
        "argosy.frontends.theta.format:read_automata",
        "program",
        (),
        "main process p { init loc A  error loc E  A -> E }\n",
        "docs/theta-formats.md",
    ),
    Format(
        "sts",
        "transition systems of Theta",
        (".sts", ".system"),
        "argosy.frontends.theta.format:read_systems",
        "system",
        ("property",),
        "specification S { property p : { var x : int initial x = 0 transition x' = x + 1 } models G(x < 3) }\n",
        "docs/theta-formats.md",
        property_files="",
    ),
    Format(
        "xsts",
        "statecharts of Theta",
        (".xsts",),
        "argosy.frontends.theta.format:read_statecharts",
        "program",
        ("property",),
        "var x : integer = 0\ntrans { x := x + 1; } init { } env { }\nprop { x < 3 }\n",
        "docs/theta-formats.md",
        "argosy.frontends.theta.format:property_files",
        property_files=".prop",
    ),
    Format(
        "btor2",
        "transition systems of BTOR2",
        (".btor2", ".btor"),
        "argosy.frontends.btor2.format:read",
        "system",
        (),
        "1 sort bitvec 1\n2 state 1\n3 zero 1\n4 next 1 2 -2\n5 bad 2\n",
        "docs/systems.md",
    ),
)

BY_NAME: Mapping[str, Format] = {format.name: format for format in FORMATS}
SUFFIXES: tuple[str, ...] = tuple(dict.fromkeys(suffix for format in FORMATS for suffix in format.suffixes))


def recognise(path: str, name: str | Format = "") -> Format:
    """The format of an input, by ``name`` where one is given (or the format itself), else by its suffix. Raises
    InputError for what nobody reads."""
    if isinstance(name, Format):
        found: Format | None = name
    elif name:
        choose("--format", name, list(BY_NAME))
        found = BY_NAME[name]
    else:
        if path == STANDARD_INPUT:
            raise UsageError(f"standard input has no suffix: say with --format what it is ({', '.join(BY_NAME)})")
        found = by_suffix(path)
    problem = obstacle(path)
    if problem is not None:
        raise InputError(Position(path, 0), problem)
    if found is not None:
        return found
    raise InputError(
        Position(path, 0), f"unknown suffix; known are {', '.join(SUFFIXES)}, and --format says what it is"
    )


def files_of(path: str) -> tuple[str, ...]:
    """The files that a verdict on this input depends on, as far as they exist: itself, and what its format reads along
    with it (headers, queries, the program and the properties of a definition). Only regular files are opened."""
    format = by_suffix(path)
    beside = "" if format is None else format.beside
    found = (path, *(named(beside)(path) if beside and os.path.isfile(path) else ()))
    return tuple(dict.fromkeys(each for each in found if os.path.isfile(each)))


def check_options(path: str, format: Format, options: Mapping[str, str]) -> None:
    """Raises UsageError for an option that is not one of the format, or a value that it does not have."""
    for name, value in options.items():
        if name not in OPTIONS:
            raise UsageError(f"no such option: {name}{did_you_mean(name, list(OPTIONS))}")
        if name not in format.options:
            whose = [each.title for each in FORMATS if name in each.options]
            has = ", ".join(f"--{option}" for option in format.options)
            raise UsageError(f"--{name} is for {' and '.join(whose)}; {path} is read as {format.title} ({has})")
        OPTIONS[name].check(value)


def kind_of(path: str) -> str | None:
    """The kind of model that an input gives, by its suffix; None for one that no format reads."""
    format = by_suffix(path)
    return None if format is None else format.kind


_BEGINNING = 4096


def by_suffix(path: str) -> Format | None:
    """The format that has the suffix; where several have it, the file is looked into."""
    suffix = suffix_of(path)
    found = [format for format in FORMATS if suffix in format.suffixes]
    if len(found) > 1:
        beginning = ""
        if os.path.isfile(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                beginning = file.read(_BEGINNING)
        marked = [format for format in found if format.marker and format.marker in beginning]
        found = marked or [format for format in found if not format.marker]
    return found[0] if found else None


def suffix_of(path: str) -> str:
    return os.path.splitext(path)[1].lower()
