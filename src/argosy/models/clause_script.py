"""Clauses as a script of SMT-LIB's logic HORN, which solvers of Horn clauses read; a solution as ``define-fun``s."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count

from argosy.logic.float_meanings import without_floats
from argosy.logic.formulas import Application, Predicate
from argosy.logic.smtlib_printer import symbol, to_smtlib
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import variables
from argosy.models.clauses import ClauseSystem, HornClause


def names_of(predicates: Iterable[Predicate]) -> dict[Predicate, str]:
    """A symbol for each predicate: its name, unless that is another's or one that SMT-LIB has no symbol for."""
    found: dict[Predicate, str] = {}
    taken: set[str] = set()
    for predicate in predicates:
        plain = "".join(c if c.isprintable() and c not in "|\\" else "_" for c in predicate.name) or "predicate"
        name = next(n for n in (plain, *(f"{plain}_{i}" for i in range(2, 3 + len(taken)))) if n not in taken)
        taken.add(name)
        found[predicate] = symbol(name)
    return found


def script(system: ClauseSystem) -> str:
    """The clauses as text; Law: what is read from it has the same derivations of false."""
    names = names_of(system.predicates)
    lines = ["(set-logic HORN)"]
    for predicate in system.predicates:
        lines.append(f"(declare-fun {names[predicate]} ({' '.join(map(str, predicate.sorts))}) Bool)")
    lines += [f"(assert {_clause(system.terms, clause, names)})" for clause in system.clauses]
    lines += ["(check-sat)", ""]
    return "\n".join(lines)


def _clause(terms: Terms, clause: HornClause, names: Mapping[Predicate, str]) -> str:
    free = variables(clause.constraint)
    for application in (*clause.body, *(() if clause.head is None else (clause.head,))):
        free = free.union(*map(variables, application.arguments))
    numbers = count()
    own = {variable: f"v{next(numbers)}" for variable in sorted(free, key=lambda v: v.id)}
    premises = [_application(terms, application, names, own) for application in clause.body]
    constraint = to_smtlib(without_floats(terms, clause.constraint), own)
    body = f"(and {' '.join((*premises, constraint))})" if premises else constraint
    head = "false" if clause.head is None else _application(terms, clause.head, names, own)
    implication = f"(=> {body} {head})"
    if not own:
        return implication
    return f"(forall ({' '.join(f'({name} {variable.sort})' for variable, name in own.items())}) {implication})"


def _application(
    terms: Terms, application: Application, names: Mapping[Predicate, str], own: Mapping[Term, str]
) -> str:
    name = names[application.predicate]
    if not application.arguments:
        return name
    return f"({name} {' '.join(to_smtlib(without_floats(terms, argument), own) for argument in application.arguments)})"


Solution = Mapping[Predicate, tuple[tuple[Term, ...], Term]]
"""For each predicate its parameters, and a formula over these: it holds wherever the formula does."""


def definitions(system: ClauseSystem, solution: Solution) -> str:
    """The solution as ``define-fun``s in the order of the predicates; other variables than the parameters are
    existentially quantified."""
    names = names_of(system.predicates)
    lines = []
    for predicate in system.predicates:
        parameters, formula = solution[predicate]
        own = {parameter: f"x{i}" for i, parameter in enumerate(parameters)}
        others = sorted(variables(formula) - set(parameters), key=lambda v: v.id)
        own |= {variable: f"y{i}" for i, variable in enumerate(others)}
        listed = " ".join(f"({own[p]} {p.sort})" for p in parameters)
        body = to_smtlib(without_floats(system.terms, formula), own)
        if others:
            body = f"(exists ({' '.join(f'({own[v]} {v.sort})' for v in others)}) {body})"
        lines.append(f"(define-fun {names[predicate]} ({listed}) Bool {body})\n")
    return "".join(lines)
