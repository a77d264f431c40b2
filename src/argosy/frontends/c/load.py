"""A C program becomes a control-flow automaton: the order of the passes over it.

The text is parsed, the tree elaborated into the typed form (``elaborate``: the file level first, then the functions
that the entry function calls, directly or not), the form lowered to templates (``lower``), pointers are followed when
all objects are known, and the templates become one automaton (``inline``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial

from pycparser import c_ast as c

from argosy.frontends.c.checkpoints import Checkpoint, placed
from argosy.frontends.c.elaborate.program import Elaboration
from argosy.frontends.c.elaborate.sequencing import Sequencing
from argosy.frontends.c.library import ERRORS, LABEL, ForeignReach
from argosy.frontends.c.lower.bodies import BodySteps
from argosy.frontends.c.lower.graph import Call, Template
from argosy.frontends.c.lower.inline import DEEPEST, START, inline, is_recursive
from argosy.frontends.c.lower.leaks import with_leaks
from argosy.frontends.c.lower.pointers import Pointers
from argosy.frontends.c.lower.points_to import PointsTo
from argosy.frontends.c.lower.procedures import procedures
from argosy.frontends.c.lower.start import Beginning
from argosy.frontends.c.memory import MOST_CELLS
from argosy.frontends.c.outline import outline
from argosy.frontends.c.outside import loop_sites, outside
from argosy.frontends.c.source import Node, Syntax, parse
from argosy.frontends.c.stack import on_own_stack
from argosy.frontends.c.symbols import Unit
from argosy.frontends.c.tree import walk
from argosy.frontends.c.types import data_model
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import variables
from argosy.models.cfa import Assign, Assume, Havoc, read, written
from argosy.models.errors import with_errors
from argosy.models.kinds import Errors, Undefined
from argosy.models.landmarks import Landmarks
from argosy.models.program import Program


def load(
    path: str,
    *,
    terms: Terms,
    errors: Errors | None = None,
    data_model: str = "ILP32",
    entry: str = "main",
    deepest: int = DEEPEST,
    text: str | None = None,
    undefined_functions: ForeignReach = ForeignReach.PURE,
    volatile: str = "arbitrary",
    checkpoints: Sequence[Checkpoint] = (),
    unbounded: bool = False,
    most_cells: int = MOST_CELLS,
) -> Program:
    """Read a C program, with at most ``deepest`` calls of one function active (a number of ``inline.DEPTHS``), from a
    file or from a ``text`` that ``path`` names. Without ``errors`` the program chooses them (``chosen``);
    ``undefined_functions`` says what those may change that no table knows. What is ``volatile`` has an ``arbitrary``
    value at each read, or is a ``plain`` object. ``checkpoints`` are what a witness says of places of the text. Where
    memory is ``unbounded``, calls of ``malloc`` make any number of objects, in blocks; arrays of more than
    ``most_cells`` are blocks anyway.
    Raises InputError for a text that is no program, UnsupportedError for one that is refused."""
    return on_own_stack(
        path,
        lambda: _load(
            path,
            text,
            terms,
            errors,
            data_model,
            entry,
            deepest,
            undefined_functions,
            volatile,
            checkpoints,
            unbounded,
            most_cells,
        ),
    )


def _load(
    path: str,
    text: str | None,
    terms: Terms,
    errors: Errors | None,
    model: str,
    entry: str,
    deepest: int,
    reach: ForeignReach,
    volatile: str,
    checkpoints: Sequence[Checkpoint],
    unbounded: bool,
    most_cells: int,
) -> Program:
    syntax = parse(path, model, text)
    arbitrary, points = volatile != "plain", placed(syntax, checkpoints, path)
    watched = frozenset[Undefined]() if errors is None else errors.watched
    make = partial(
        Unit,
        path,
        terms,
        data_model(model),
        syntax.lexed,
        reach=reach,
        volatile_is_arbitrary=arbitrary,
        points=points,
        most_cells=most_cells,
        unbounded=unbounded,
        watched=watched,
    )
    unit = make()
    templates, pointers = _read(syntax, unit, entry)
    if unit.shows_bits or (unit.pointers_as_numbers and unit.takes_addresses):
        unit = make(exact_casts=not (unit.pointers_as_numbers and unit.takes_addresses), one_nan=not unit.shows_bits)
        templates, pointers = _read(syntax, unit, entry)
    marked, deeper = inline(unit, templates, deepest)
    if unit.watched:
        marked = with_leaks(marked, unit, pointers.points_to)
    selected = chosen(syntax.tree) if errors is None else errors
    return Program(
        with_errors(marked, selected),
        path,
        marked,
        selected,
        {**dict.fromkeys(syntax.notes, ""), **_of_attributes(syntax), **unit.ledger},
        frozenset(unit.external),
        deeper=(deeper and deepest < DEEPEST) or unit.is_bounded,
        landmarks=Landmarks(
            loop_sites(unit),
            cache(partial(outline, syntax)),
            cache(partial(outside, unit, syntax.tree, model, entry)),
            syntax.in_place,
        ),
        # Contracts of functions say nothing of what is lost where loops go round or the program ends.
        contracted=cache(partial(procedures, unit, templates))
        if is_recursive(templates) and not unit.watched
        else None,
    )


def _of_attributes(syntax: Syntax) -> dict[str, str]:
    return {f"{position}: {assumption}": "" for assumption, position in syntax.lexed.assumptions.items()}


def chosen(tree: Node) -> Errors:
    """What the text itself takes for its errors: entering a function that verifiers know, else a label, else failing
    assertions."""
    labelled = False
    for node in walk(tree):
        if isinstance(node, c.ID) and node.name in ERRORS:
            return Errors(calls=ERRORS)
        labelled = labelled or (isinstance(node, c.Label) and node.name == LABEL)
    return Errors(labels=frozenset((LABEL,))) if labelled else Errors(assertions=True)


def _read(syntax: Syntax, unit: Unit, entry: str) -> tuple[dict[str, Template], Pointers]:
    program = Elaboration(syntax, unit, entry)
    beginning = Beginning(program, entry)
    templates: dict[str, Template] = {}
    work = [entry]
    while work:
        name = work.pop()
        if name not in templates:
            called_once = name == entry and name not in unit.cycles
            function = program.function(name)
            beginning.take_statics()
            template = templates[name] = BodySteps(unit, function, called_once).template()
            work.extend(s.action.function for s in template.steps if isinstance(s.action, Call))
    Sequencing(unit).note(templates)
    read = tuple(templates.values())
    pointers = Pointers(unit, lambda: PointsTo(unit, read, beginning.variables()))
    pointers.lay_out(read)
    pointers.give_up(read)
    if unit.watched:
        pointers.watch(read)
    templates = {name: pointers.complete(template) for name, template in templates.items()}
    templates[START] = pointers.complete(beginning.template(_mentioned(templates)))
    return templates, pointers


def _mentioned(templates: Mapping[str, Template]) -> set[Term]:
    """The variables that occur in code which control may reach."""
    found: set[Term] = set()
    for template in templates.values():
        for step in template.steps:
            if isinstance(step.action, Assume | Assign | Havoc):
                found.update(written(step.action), read(step.action))
            for check in step.checks:
                found.update(variables(check.condition))
    return found
