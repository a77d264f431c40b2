"""Which steps of an execution matter for its end: a dynamic backward slice of the path (Korel and Laski 1988).

From the condition that fails, backwards: a step matters if it gives a variable the value that something behind it
needs, or is a condition about such a variable. What a step needs is what its value depends on in this execution: of a
choice between two values only the one that was taken, of the cells that a pointer may lead to only the one it leads to.
A write that changes nothing passes the question on to where the value came from.

A picture for people, not evidence: the replay walks all steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from argosy.backends.contract import Execution
from argosy.certify.interpreter import zero
from argosy.logic import semantics
from argosy.logic.semantics import Value
from argosy.logic.terms import Term
from argosy.logic.traverse import postorder, variables
from argosy.models.cfa import Assign, Assume, read, written

# Walking a very long execution twice takes longer than anybody waits for a picture.
LONGEST = 5_000


def matters(execution: Execution) -> Sequence[bool]:
    """For each step of the replay; all of them, where it is too long to say."""
    steps = execution.replayed.steps
    if len(steps) > LONGEST:
        return [True] * len(steps)
    needs = list(_needs(execution))
    found = [False] * len(steps)
    needed: set[Term] = set()
    for index in range(len(steps) - 1, -1, -1):
        operation = steps[index].edge.operation
        reads, changed = needs[index]
        if isinstance(operation, Assume):
            found[index] = not needed or not needed.isdisjoint(reads)
            if not needed:
                needed |= reads
        elif changed & needed:
            found[index] = True
            needed -= changed
            needed |= reads
    return found


def _needs(execution: Execution) -> Iterator[tuple[set[Term], set[Term]]]:
    """For each step what its values depend on, and the variables that it changes."""
    by_name = {variable.term.name: variable.term for variable in execution.cfa.variables}
    known = {term: zero(term.sort) for term in by_name.values()}
    _learn(known, by_name, execution.replayed.initial)
    unset = set(known)
    for step in execution.replayed.steps:
        operation = step.edge.operation
        match operation:
            case Assign(_, term) | Assume(term):
                reads = _dependencies(term, known)
            case _:
                reads = set(read(operation))
        before = {term: known[term] for term in written(operation)}
        _learn(known, by_name, step.values)
        changed = {term for term, value in before.items() if term in unset or known[term] != value}
        unset -= before.keys()
        yield reads, changed


def _learn(known: dict[Term, Value], by_name: Mapping[str, Term], values: Mapping[str, Value]) -> None:
    for name, value in values.items():
        term = by_name.get(name)
        if term is not None:
            # Signed numbers are what people see; terms compute with what the machine has.
            known[term] = value % (1 << term.sort.width) if term.sort.is_bits and isinstance(value, int) else value


def _dependencies(term: Term, known: Mapping[Term, Value]) -> set[Term]:
    """The variables that the value of a term depends on where the variables have these values."""
    if not any(sub.op == "ite" for sub in postorder(term)):
        return set(variables(term))
    values: dict[Term, Value] = {}
    for sub in postorder(term):
        if sub.op in ("const", "var"):
            values[sub] = sub.payload if sub.op == "const" else known[sub]
        else:
            arguments = tuple(values[argument] for argument in sub.args)
            values[sub] = semantics.apply(sub.op, sub.payload, tuple(a.sort for a in sub.args), arguments)
    found: set[Term] = set()
    stack, seen = [term], {term}
    while stack:
        sub = stack.pop()
        if sub.op == "var":
            found.add(sub)
        arguments = sub.args
        if sub.op == "ite":
            arguments = (sub.args[0], sub.args[1] if values[sub.args[0]] else sub.args[2])
        for argument in arguments:
            if argument not in seen:
                seen.add(argument)
                stack.append(argument)
    return found
