"""What is written into a witness is read again, as others read it, and has to follow from what was proved.

The texts go through the front end once more, as claims at the places that the witness names. A text whose place is not
found again, or whose meaning does not follow from the formula that it was made of, at every copy of its loop, is left
out.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.basics.records import replace
from argosy.frontends.c.checkpoints import Checkpoint, CheckpointKind
from argosy.frontends.c.library import ForeignReach
from argosy.frontends.c.load import load
from argosy.frontends.c.preprocessor import NO_SWITCHES, SourceFile, Switches
from argosy.frontends.registry import Request
from argosy.logic.solver import Counters, Satisfiability, SolverError
from argosy.logic.solvers import Solvers
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Assume
from argosy.models.kinds import Marked
from argosy.models.landmarks import Landmarks
from argosy.problem.problem import Problem
from argosy.report.loop_texts import NOTHING, LoopText

_SECONDS = 5.0


def confirmed(problem: Problem, landmarks: Landmarks, terms: Terms, texts: Sequence[LoopText]) -> list[LoopText]:
    """The texts, with *true* for each that could not be read again as what it was meant to say."""
    files = landmarks.outside().files
    first = files[0][0] if files else problem.input
    # Places are looked for in the first of several files.
    texts = [each if each.loop.position.file == first else _unsaid(each, terms) for each in texts]
    said = [(index, each) for index, each in enumerate(texts) if each.text != NOTHING]
    meanings = _meanings(problem, landmarks, terms, said) if said else {}
    solver = Solvers(terms, Counters()).create("certify", "bits", time_limit=_SECONDS)
    made = list(texts)
    for index, each in said:
        meaning = meanings.get(index)
        follows = meaning is not None
        with suppress(SolverError):
            for formula in each.formulas.values():
                if not follows or meaning is None:
                    break
                solver.push()
                solver.add(formula)
                solver.add(terms.not_(meaning))
                follows = solver.check() is Satisfiability.UNSAT
                solver.pop()
        if not follows:
            made[index] = _unsaid(each, terms)
    return made


def _unsaid(text: LoopText, terms: Terms) -> LoopText:
    return replace(text, text=NOTHING, formulas=dict.fromkeys(text.formulas, terms.true))


def _meanings(
    problem: Problem, landmarks: Landmarks, terms: Terms, texts: Sequence[tuple[int, LoopText]]
) -> dict[int, Term]:
    """What each text says, on the variables of the model. All copies of a loop share them."""
    checkpoints = [
        Checkpoint(str(index), CheckpointKind.LOOP, at.line, at.column, each.text, Position("witness", 0), claim=True)
        for index, each in texts
        for at in (each.loop.position,)
    ]
    request = Request(problem.input, problem.options)
    files = [SourceFile(path, Switches(words)) for path, words in landmarks.outside().files]
    try:
        program = load(
            files[0].path if len(files) > 1 else problem.input,
            terms=terms,
            data_model=landmarks.outside().data_model,
            entry=landmarks.outside().entry,
            undefined_functions=ForeignReach(request.option("undefined-functions")),
            volatile=request.option("volatile"),
            evaluation_order=request.option("evaluation-order"),
            checkpoints=checkpoints,
            switches=files[0].switches if files else NO_SWITCHES,
            others=files[1:],
            deepest=1,  # one copy of each function is enough to read conditions
        )
    except (InputError, UnsupportedError):
        return {}
    found: dict[int, Term] = {}
    for edge in program.marked.edges:
        for mark in edge.marks:
            if mark.kind is Marked.CLAIM and isinstance(edge.operation, Assume):
                found[int(mark.name)] = terms.not_(edge.operation.condition)
    for index, each in texts:
        # A claim that cannot be violated has no edge.
        if index not in found and each.text != NOTHING:
            found[index] = terms.true
    return found
