"""A transition system as VMT, which ``argosy verify`` and nuXmv read.

First values and next-state functions are equations. A constraint ends a run where it does not hold: it is part of the
step, and a property speaks of states in which the constraints hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from argosy.basics.errors import UnsupportedError
from argosy.basics.position import Position
from argosy.logic.smtlib_printer import symbol, to_smtlib
from argosy.logic.sorts import Sort
from argosy.logic.terms import Term
from argosy.models.system import System
from argosy.models.transition import TransitionModel
from argosy.problem.problem import Problem


def vmt(problem: Problem, chosen: Mapping[str, str]) -> str:
    model: TransitionModel = problem.model
    systems = [model] if isinstance(model, System) else [model.system(i) for i in range(len(model.bad_names))]
    if len({id(system.terms) for system in systems}) != 1:
        raise UnsupportedError(Position(problem.input, 0), "this system as VMT")
    return "".join(f"; {' '.join(note.split())}\n" for note in problem.ledger) + text_of(systems)


def text_of(systems: Sequence[System]) -> str:
    """Cones of one system as one script; what they have in common is said once."""
    terms = systems[0].terms
    states = {state.term: (system, state) for system in systems for state in system.states}
    inputs = {each.term: each for system in systems for each in system.inputs}
    names: dict[Term, str] = {}
    lines: list[str] = []

    def declare(term: Term, name: str, sort: Sort) -> None:
        plain = "".join("_" if c in "|\\" or not c.isprintable() else c for c in name) or "v"
        while symbol(plain) in names.values():
            plain += "_"
        names[term] = symbol(plain)
        lines.append(f"(declare-fun {names[term]} () {sort})")

    for term, (system, state) in states.items():
        declare(term, state.name, term.sort)
        declare(system.primed(state), f"{state.name}.next", term.sort)
    for term, each in inputs.items():
        declare(term, each.name, term.sort)
    for number, (term, (system, state)) in enumerate(states.items()):
        new = names[system.primed(state)]
        lines.append(f"(define-fun .sv{number} () {term.sort} (! {names[term]} :next {new}))")
    first = [terms.eq(term, state.initial) for term, (_, state) in states.items() if state.initial is not None]
    first += [system.initial for system in systems if system.initial is not None]
    pairs = ((system.primed(state), state.next) for system, state in states.values())
    step = [terms.eq(new, value) for new, value in pairs if value is not None]
    step += [system.relation for system in systems if system.relation is not None]
    constraints = [part for system in systems for part in system.constraints]
    for name, parts, what in ((".init", first, ":init"), (".trans", [*step, *constraints], ":trans")):
        lines.append(f"(define-fun {name} () Bool (! {to_smtlib(terms.conjunction(parts), names)} {what} true))")
    for number, bad in enumerate(bad for system in systems for bad in system.bad):
        fine = terms.not_(terms.conjunction((*constraints, bad.term)))
        lines.append(f"(define-fun .property{number} () Bool (! {to_smtlib(fine, names)} :invar-property {number}))")
    return "\n".join((*lines, "(assert true)", ""))
