"""C programs as a format: a program and the property that is asked of it become a problem."""

from __future__ import annotations

from collections.abc import Sequence

from argosy.basics.errors import UsageError
from argosy.basics.records import replace
from argosy.frontends.c.library import ForeignReach
from argosy.frontends.c.load import load
from argosy.frontends.c.lower.inline import DEEPEST
from argosy.frontends.c.lower.start import GivenPointers
from argosy.frontends.c.preprocessor import SourceFile, Switches, switches_of
from argosy.frontends.c.unsupported import MOST_IN_OBJECT
from argosy.frontends.programs import problem_of
from argosy.frontends.properties import read_property
from argosy.frontends.registry import Request
from argosy.logic.terms import Terms
from argosy.problem.problem import Problem
from argosy.problem.property import NAMED, Property

# Recursive programs are read with so many calls of a function at first.
SHALLOW = 25


def read(request: Request) -> Problem:
    asked = request.options.get("property")
    chosen = NAMED["unreach-call"] if asked is None else read_property(asked)
    files = (request.path,) if asked is None or asked in NAMED else (request.path, asked)
    return problem(request, chosen, (*files, *lines(request, "link")))


def lines(request: Request, option: str) -> tuple[str, ...]:
    """What was given for an option that may be given several times."""
    return tuple(request.options.get(option, "").split("\n")) if request.options.get(option) else ()


def _given(request: Request) -> GivenPointers:
    where, count = request.option("entry-pointers"), request.option("entry-objects")
    if not count.isdigit() or not 1 <= int(count) <= MOST_IN_OBJECT:
        raise UsageError(f"--entry-objects must be a number from 1 to {MOST_IN_OBJECT}, not {count[:40]}")
    return GivenPointers(where in ("any", "null"), where in ("any", "shared"), int(count))


def problem(
    request: Request, property: Property, inputs: tuple[str, ...], project: Sequence[SourceFile] | None = None
) -> Problem:
    """The problem of a program and a property that is known already. The files of a ``project`` are taken as far as
    they are needed."""
    own = switches_of(lines(request, "include"), lines(request, "define"), lines(request, "undefine"))
    others = lines(request, "link")
    first = SourceFile(request.path, own, request.text)
    if project is None:
        files = [first, *(SourceFile(path, own) for path in others)]
    else:
        files = [replace(file, switches=Switches((*file.switches.words, *own.words))) for file in project]
    program = load(
        files[0].path,
        terms=Terms(),
        errors=property.errors,
        data_model=request.option("data-model"),
        entry=request.options.get("entry") or property.entry,
        deepest=DEEPEST if request.deep else SHALLOW,
        unbounded=request.deep,
        any_number=request.any_number,
        text=files[0].text,
        undefined_functions=ForeignReach(request.option("undefined-functions")),
        volatile=request.option("volatile"),
        evaluation_order=request.option("evaluation-order"),
        checkpoints=request.checkpoints,
        switches=files[0].switches,
        others=files[1:],
        as_needed=project is not None,
        given=_given(request),
        libraries=[SourceFile(path, own) for path in lines(request, "library")],
    )

    def again(deep: Request) -> Problem:
        # Blocks in any number are for proofs; after that there are some more than at first.
        any_number = program.repeats_allocation and not request.deep and property.errors is not None
        return problem(replace(deep, any_number=any_number), property, inputs, project)

    found = problem_of("c", program, request, property, inputs, again)
    return replace(found, data_model=request.option("data-model"))
