"""A C program becomes a control-flow automaton: the order of the passes over it.

The text is parsed, the tree elaborated into the typed form (``elaborate``: the file level first, then the functions
that the entry function calls, directly or not), the form lowered to templates (``lower``), pointers are followed when
all objects are known, and the templates become one automaton (``inline``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache, partial

from pycparser import c_ast as c

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.frontends.c.checkpoints import Checkpoint, placed
from argosy.frontends.c.elaborate.copies import CallCopies
from argosy.frontends.c.elaborate.program import Elaboration
from argosy.frontends.c.elaborate.sequencing import Sequencing
from argosy.frontends.c.library import ERRORS, LABEL, ForeignReach
from argosy.frontends.c.library_models import ModelMismatch, models_for, without
from argosy.frontends.c.linking import linked, needed
from argosy.frontends.c.lower.bodies import BodySteps
from argosy.frontends.c.lower.completion import completed
from argosy.frontends.c.lower.graph import Call, Template
from argosy.frontends.c.lower.inline import DEEPEST, START, inline, is_recursive
from argosy.frontends.c.lower.pointers import Pointers
from argosy.frontends.c.lower.points_to import PointsTo
from argosy.frontends.c.lower.procedures import procedures
from argosy.frontends.c.lower.start import ANYWHERE, Beginning, GivenPointers
from argosy.frontends.c.memory import MOST_CELLS
from argosy.frontends.c.outline import outline
from argosy.frontends.c.outside import loop_sites, outside
from argosy.frontends.c.preprocessor import NO_SWITCHES, SourceFile, Switches
from argosy.frontends.c.source import Syntax, parse
from argosy.frontends.c.stack import on_own_stack
from argosy.frontends.c.symbols import Unit
from argosy.frontends.c.tokens import OWN_FILE, as_written
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
    evaluation_order: str = "left",
    checkpoints: Sequence[Checkpoint] = (),
    unbounded: bool = False,
    any_number: bool = False,
    most_cells: int = MOST_CELLS,
    switches: Switches = NO_SWITCHES,
    others: Sequence[SourceFile] = (),
    as_needed: bool = False,
    given: GivenPointers = ANYWHERE,
    libraries: Sequence[SourceFile] = (),
) -> Program:
    """Read a C program, with at most ``deepest`` calls of one function active (a number of ``inline.DEPTHS``), from a
    file or from a ``text`` that ``path`` names. Without ``errors`` the program chooses them (``chosen``);
    ``undefined_functions`` says what those may change that no table knows. What is ``volatile`` has an ``arbitrary``
    value at each read, or is a ``plain`` object. ``checkpoints`` are what a witness says of places of the text. Where
    memory is ``unbounded``, calls of ``malloc`` make any number of objects, in blocks; arrays of more than
    ``most_cells`` are blocks anyway. Where lifetimes are kept account of, blocks of constant size are in ``any_number``
    if that is asked for. ``switches`` are the preprocessor's; the ``others`` are linked with the file, all
    of them or those that are needed for what begins with ``entry``; ``given`` is where its arguments lead.
    Operands are evaluated from the ``left`` on or in ``all`` orders (``evaluation_order``).
    Functions that none of them defines are those of the ``libraries``, or of the C library as far as it is modelled.
    Raises InputError for a text that is no program, UnsupportedError for one that is refused."""
    return on_own_stack(
        path,
        lambda: _load(
            path,
            terms,
            errors,
            data_model,
            entry,
            deepest,
            undefined_functions,
            volatile,
            evaluation_order,
            checkpoints,
            unbounded,
            any_number,
            most_cells,
            (SourceFile(path, switches, text), *others),
            as_needed,
            given,
            libraries,
        ),
    )


def _load(
    path: str,
    terms: Terms,
    errors: Errors | None,
    model: str,
    entry: str,
    deepest: int,
    reach: ForeignReach,
    volatile: str,
    evaluation_order: str,
    checkpoints: Sequence[Checkpoint],
    unbounded: bool,
    any_number: bool,
    most_cells: int,
    files: Sequence[SourceFile],
    as_needed: bool,
    given: GivenPointers,
    libraries: Sequence[SourceFile],
) -> Program:
    refused: set[str] = set()
    while True:
        try:
            return _load_with(
                path,
                terms,
                errors,
                model,
                entry,
                deepest,
                reach,
                volatile,
                evaluation_order,
                checkpoints,
                unbounded,
                any_number,
                most_cells,
                files,
                as_needed,
                given,
                libraries,
                refused,
            )
        except ModelMismatch as mismatch:
            refused.add(mismatch.name)


def _load_with(
    path: str,
    terms: Terms,
    errors: Errors | None,
    model: str,
    entry: str,
    deepest: int,
    reach: ForeignReach,
    volatile: str,
    evaluation_order: str,
    checkpoints: Sequence[Checkpoint],
    unbounded: bool,
    any_number: bool,
    most_cells: int,
    files: Sequence[SourceFile],
    as_needed: bool,
    given: GivenPointers,
    libraries: Sequence[SourceFile],
    refused: Set[str],
) -> Program:
    parsed = [parse(file.path, model, file.text, file.switches) for file in files]
    if as_needed:
        parsed = needed(parsed, entry, path)
    taken = tuple(file for each in parsed for file in files if file.path == each.path)
    for library in libraries:
        parsed.append(without(parse(library.path, model, library.text, library.switches), parsed))
    own = len(parsed)
    parsed += [parse(file.path, model, file.text) for file in models_for(parsed, refused)]
    syntax = linked(parsed)
    path = syntax.path
    entry = _entry(syntax, entry)
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
        all_orders=evaluation_order == "all",
        points=points,
        most_cells=most_cells,
        unbounded=unbounded,
        any_number=any_number,
        watched=watched,
        model_files=frozenset(range(own, len(parsed))),
    )
    unit = make()
    followed = _read(syntax, unit, entry, given)
    while followed is None or (unit.one_nan and unit.shows_bits):
        unit = make(
            exact_casts=unit.exact_casts and not unit.looks_at_addresses, one_nan=unit.one_nan and not unit.shows_bits
        )
        followed = _read(syntax, unit, entry, given)
    templates, pointers = followed
    inlined = inline(unit, templates, deepest)
    marked = inlined.cfa
    if unit.watched:
        from argosy.frontends.c.lower.leaks import with_leaks
        from argosy.frontends.c.lower.owners import with_owners

        marked = with_leaks(marked, unit, pointers.points_to, pointers.forgets)
        marked = with_owners(marked, unit, pointers.points_to, pointers.regions.variable)
    if Undefined.UNINITIALISED in unit.watched:
        from argosy.models.initialisation import with_initialisation

        marked = with_initialisation(marked, [t for t, o in unit.objects.items() if o in unit.allocations])
    selected = chosen(syntax) if errors is None else errors
    return Program(
        with_errors(marked, selected),
        path,
        marked,
        selected,
        {**dict.fromkeys((*_parts(taken, as_needed), *syntax.notes), ""), **_of_attributes(syntax), **unit.ledger},
        frozenset(unit.external),
        deeper=inlined.deeper or unit.is_bounded or unit.allocated is not None,
        steep=inlined.steep,
        repeats_allocation=unit.is_bounded and not inlined.deeper,
        any_number=unit.allocated is not None,
        landmarks=Landmarks(
            loop_sites(unit),
            cache(partial(outline, syntax)),
            cache(partial(outside, unit, syntax.tree, model, entry, taken)),
            syntax.in_place,
        ),
        # Contracts of functions say nothing of what is lost where loops go round or the program ends.
        contracted=cache(partial(procedures, unit, templates))
        if is_recursive(templates) and not unit.watched
        else None,
    )


def _parts(files: Sequence[SourceFile], as_needed: bool) -> Iterator[str]:
    if as_needed:
        yield f"of the project, these files are the program: {', '.join(file.path for file in files)}"


def _entry(syntax: Syntax, entry: str) -> str:
    """The function that a user means who does not know which of the files' own functions have got other names."""
    names = [node.decl.name for node in syntax.tree.ext if isinstance(node, c.FuncDef)]
    found = [name for name in names if as_written(name) == entry]
    if len(found) > 1:
        said = ", ".join(name if OWN_FILE in name else f"{name} (the first)" for name in found)
        raise InputError(Position(syntax.path, 1, 1), f"several files have a function {entry}: {said}")
    return found[0] if found else entry


def _of_attributes(syntax: Syntax) -> dict[str, str]:
    return {f"{position}: {assumption}": "" for assumption, position in syntax.lexed.assumptions.items()}


def chosen(syntax: Syntax) -> Errors:
    """What the text itself takes for its errors: entering a function that verifiers know, else a label, else failing
    assertions."""
    labelled = False
    if any(as_written(name) in ERRORS for name in (*syntax.lexed.constructors, *syntax.lexed.destructors)):
        return Errors(calls=ERRORS)
    for node in walk(syntax.tree):
        if isinstance(node, c.ID) and as_written(node.name) in ERRORS:
            return Errors(calls=ERRORS)
        labelled = labelled or (isinstance(node, c.Label) and as_written(node.name) == LABEL)
    return Errors(labels=frozenset((LABEL,))) if labelled else Errors(assertions=True)


def _read(syntax: Syntax, unit: Unit, entry: str, given: GivenPointers) -> tuple[dict[str, Template], Pointers] | None:
    """The templates; None as soon as it is known that addresses are looked at as numbers, which they are not."""
    program = Elaboration(syntax, unit, entry)
    if unit.all_orders:
        unit.open_orders = Sequencing(unit).open_orders()
    copies = CallCopies(unit, entry)
    unit.copy_of = copies.of
    unit.spells_out = True
    beginning = Beginning(program, entry, given)
    templates: dict[str, Template] = {}
    work = [entry, *beginning.constructors, *unit.leaving]
    while work:
        name = work.pop()
        if name not in templates:
            called_once = name == entry and name not in unit.cycles
            function = program.function(name)
            beginning.take_statics()
            once = called_once or copies.is_called_once(name)
            template = templates[name] = BodySteps(unit, function, called_once, once).template()
            work.extend(s.action.function for s in template.steps if isinstance(s.action, Call))
    if unit.looks_at_addresses:
        return None
    Sequencing(unit).note(templates)
    read = tuple(templates.values())
    for symbol in list(unit.addressed):
        # What only an initialiser leads to is a block before pointers are followed.
        if symbol.lasting and symbol.block is None and unit.model.size(symbol.type) is not None:
            unit.lay_out(symbol)
    pointers = Pointers(unit, lambda: PointsTo(unit, read, beginning.variables()))
    pointers.lay_out(read)
    pointers.give_up(read)
    if unit.watched:
        pointers.watch(read)
    templates = {name: completed(pointers, unit, template) for name, template in templates.items()}
    templates[START] = completed(pointers, unit, beginning.template(_mentioned(templates)))
    return None if unit.looks_at_addresses else (templates, pointers)


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
