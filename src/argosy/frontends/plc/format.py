"""Programs of controllers as a format: every requirement is a subject of its own, with an automaton of its own."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.files import read_text
from argosy.frontends.plc.automaton import automaton
from argosy.frontends.plc.code import PlcProgram, PlcRequirement
from argosy.frontends.plc.declarations import parse
from argosy.frontends.plc.dialects import DIALECTS, PlcDialect
from argosy.frontends.plc.elaborate import elaborate
from argosy.frontends.plc.literals import duration
from argosy.frontends.plc.requirement_files import RequirementFile, beside, read_requirements
from argosy.frontends.plc.requirements import PlacedCondition, RequirementPattern
from argosy.frontends.plc.syntax import PlcSource
from argosy.frontends.programs import problem_of
from argosy.frontends.properties import read_property
from argosy.frontends.registry import Request
from argosy.logic.terms import Terms
from argosy.models.cfa import Refusal
from argosy.models.kinds import Errors
from argosy.models.program import Program
from argosy.problem.problem import REQUIREMENT, Problem, Subject
from argosy.problem.property import Property

REQUIRED = Property("requirements", "every requirement holds", Errors(assertions=True))


def read(request: Request) -> Problem:
    """A program that nobody requires anything of is an error: whoever gives one has a question."""
    program, inputs = program_of(request)
    asked = request.options.get("property")
    if asked is not None and (property := read_property(asked)).errors is not None:
        return _operations(program, property, request, inputs)
    if not program.requirements:
        raise InputError(
            Position(request.path, 0),
            "no requirement: write //#ASSERT e; into the program, give --require, or a requirement file",
        )
    terms = Terms()
    subjects = tuple(subject_of(program, each, terms) for each in program.requirements)
    model = next((s.asked for s in subjects if not isinstance(s.asked, Refusal)), None)
    if model is None:
        refused = subjects[0].asked
        raise UnsupportedError(refused.position, refused.what)
    return Problem("program", "plc", request.path, model, subjects, program.notes, inputs, options=request.options)


def _operations(program: PlcProgram, property: Property, request: Request, inputs: tuple[str, ...]) -> Problem:
    """What operations must not do, whatever is required."""
    made = automaton(program, PlcRequirement(-1, "", "", program.position), Terms())
    marked = Program(made.cfa, made.path, made.marked, notes=made.notes)
    return problem_of("plc", marked.select(property.errors or Errors()), request, property, inputs, read)


def subject_of(program: PlcProgram, requirement: PlcRequirement, terms: Terms) -> Subject:
    asked = (
        Refusal(requirement.position, requirement.refused)
        if requirement.refused
        else automaton(program, requirement, terms)
    )
    return Subject(
        REQUIREMENT,
        f"{requirement.name}: {requirement.text}",
        REQUIRED,
        requirement.position,
        program.name,
        "unsafe" if requirement.reach else "safe",
        asked,
    )


def program_of(request: Request) -> tuple[PlcProgram, tuple[str, ...]]:
    """The program of a request with its requirements, and the files that were read."""
    text = read_text(request.path) if request.text is None else request.text
    dialect = dialect_of(request)
    source = source_of(request.path, text, dialect)
    files = [read_requirements(path) for path in requirement_files(request)]
    patterns = [pattern for file in files for pattern in file.patterns]
    asked = request.options.get("require", "")
    for number, condition in enumerate(filter(None, asked.split("\n")), 1):
        where = Position("--require", number, 1)
        patterns.append(RequirementPattern("invariant", (PlacedCondition(condition, where),), where))
    entry = request.options.get("entry") or _entry(source, files)
    times = cycle_times(request.option("cycle-time") if "cycle-time" in request.options else source.interval or "10ms")
    program = elaborate(source, text, dialect, entry, times, patterns)
    return program, (request.path, *(file.path for file in files))


def _entry(source: PlcSource, files: Sequence[RequirementFile]) -> str:
    return next((file.entry for file in files if file.entry), "")


def requirement_files(request: Request) -> tuple[str, ...]:
    named = request.options.get("requirements")
    if named is not None:
        return (named,)
    return () if request.text is not None or "require" in request.options else beside(request.path)


def dialect_of(request: Request) -> PlcDialect:
    """What was asked for; SCL is Siemens'."""
    scl = os.path.splitext(request.path)[1].lower() == ".scl"
    return DIALECTS[request.options.get("dialect") or ("siemens" if scl else "iec")]


def source_of(path: str, text: str, dialect: PlcDialect) -> PlcSource:
    if text.lstrip("\ufeff \t\r\n").startswith("<"):
        from argosy.frontends.plc.plcopen import parse_xml

        return parse_xml(path, text, dialect)
    return parse(path, text, quoted_names=dialect.quoted_names)


def cycle_times(text: str) -> tuple[int, int]:
    """``10ms``, or ``1ms..100ms``, in nanoseconds."""
    low, dots, high = text.partition("..")
    try:
        found = [
            duration(re.sub(r"^(?:T|TIME)#", "", each.strip(), flags=re.IGNORECASE)) for each in (low, high or low)
        ]
    except ValueError:
        found = [-1, -1]
    if (dots and not high) or not 0 <= found[0] <= found[1] or not text.strip():
        raise InputError(Position("--cycle-time", 0), f"{text} is no time; write 10ms, or 1ms..100ms")
    return found[0], found[1]
