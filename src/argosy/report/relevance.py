"""Which steps of an execution matter for its end: a dynamic backward slice of the path (Korel and Laski 1988).

From the error, backwards: a step matters if it gives a variable the value that something behind it needs, or if it is
the branch by which the execution came to something that matters: the last one that this place depends on (control
dependence). A loop whose rounds change nothing of interest matters in no round. What a step needs is what its value
depends on in this execution: of a choice between two values only the one that was taken, of the cells that a pointer
may lead to only the one it leads to, of a conjunction that fails one part that fails. A write that changes nothing
passes the question on to where the value came from.

A picture for people, not evidence: the replay walks all steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from argosy.backends.contract import Execution
from argosy.certify.interpreter import zero
from argosy.certify.replay import ReplayedStep
from argosy.logic import semantics
from argosy.logic.semantics import Value
from argosy.logic.terms import Term
from argosy.logic.traverse import postorder, variables
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Location, read, written
from argosy.models.dependence import control_dependence

# Walking a very long execution twice takes longer than anybody waits for a picture.
LONGEST = 5_000


def matters(execution: Execution) -> Sequence[bool]:
    """For each step of the replay; all of them, where it is too long to say."""
    steps = execution.replayed.steps
    if len(steps) > LONGEST:
        return [True] * len(steps)
    needs = list(_needs(execution))
    branches = _branches(execution.cfa)
    found = [False] * len(steps)
    needed: set[Term] = set()
    # Of each of these sets of branches the last one that was passed is looked for.
    awaited: set[frozenset[Location]] = set()
    for index in range(len(steps) - 1, -1, -1):
        place = steps[index].edge.source
        reads, changed = needs[index]
        decided = {among for among in awaited if place in among}
        if index == len(steps) - 1 or decided or changed & needed:
            found[index] = True
            needed -= changed
            needed |= reads
            awaited -= decided
            awaited.add(branches.get(place, frozenset()))
    return found


def moments(execution: Execution) -> Iterator[tuple[ReplayedStep, Mapping[Term, Value]]]:
    """Each step with the values of all variables before it."""
    by_name = {variable.term.name: variable.term for variable in execution.cfa.variables}
    known = {term: zero(term.sort) for term in by_name.values()}
    _learn(known, by_name, execution.replayed.initial)
    for step in execution.replayed.steps:
        yield step, known
        _learn(known, by_name, step.values)


def reads(edge: Edge, known: Mapping[Term, Value]) -> set[Term]:
    """What the effect of a step depends on where the variables have these values."""
    match edge.operation:
        case Assign(_, term) | Assume(term):
            return dependencies(term, known)
    return set(read(edge.operation))


def _needs(execution: Execution) -> Iterator[tuple[set[Term], set[Term]]]:
    """For each step what its values depend on, and the variables that it changes."""
    unset = {variable.term for variable in execution.cfa.variables}
    before: dict[Term, Value] = {}
    needed: set[Term] | None = None
    for step, known in moments(execution):
        if needed is not None:
            yield needed, _changed(before, known, unset)
        before = {term: known[term] for term in written(step.edge.operation)}
        needed = reads(step.edge, known)
    # Behind the last step, which is the error, nobody asks what it changed.
    if needed is not None:
        yield needed, set()


def _changed(before: Mapping[Term, Value], after: Mapping[Term, Value], unset: set[Term]) -> set[Term]:
    changed = {term for term, value in before.items() if term in unset or after[term] != value}
    unset -= before.keys()
    return changed


def _branches(cfa: Cfa) -> Mapping[Location, frozenset[Location]]:
    """For each location the branches that decide whether it is reached. A condition without an alternative is a branch
    too (the execution may end there), and so is a loop that only the error leaves: going round for ever avoids it."""
    node_of = {location: node for node, location in enumerate(cfa.locations)}
    sink = len(node_of)
    successors = [[node_of[edge.target] for edge in cfa.leaving[location]] for location in cfa.locations]
    successors.append([])
    ends = [location for location in cfa.locations if location != cfa.error and _may_end(cfa.leaving[location])]
    for location in (*ends, cfa.error):
        successors[node_of[location]].append(sink)
    avoidable = _leading_to(cfa, ends)
    for edge in cfa.edges:
        if edge.source not in avoidable and cfa.order.get(edge.target, 0) <= cfa.order.get(edge.source, 0):
            successors[node_of[edge.source]].append(sink)
    for location in set(cfa.locations) - _leading_to(cfa, (*ends, cfa.error)):
        successors[node_of[location]].append(sink)
    dependence = control_dependence(successors, sink)
    return {
        location: frozenset(cfa.locations[branch] for branch in dependence[node]) for location, node in node_of.items()
    }


def _may_end(leaving: Sequence[Edge]) -> bool:
    if len(leaving) != 1:
        return not leaving
    operation = leaving[0].operation
    return isinstance(operation, Assume) and operation.condition.op != "const"


def _leading_to(cfa: Cfa, goals: Sequence[Location]) -> set[Location]:
    seen, waiting = set(goals), list(goals)
    while waiting:
        for edge in cfa.entering[waiting.pop()]:
            if edge.source not in seen:
                seen.add(edge.source)
                waiting.append(edge.source)
    return seen


def _learn(known: dict[Term, Value], by_name: Mapping[str, Term], values: Mapping[str, Value]) -> None:
    for name, value in values.items():
        term = by_name.get(name)
        if term is not None:
            # Signed numbers are what people see; terms compute with what the machine has.
            known[term] = value % (1 << term.sort.width) if term.sort.is_bits and isinstance(value, int) else value


def dependencies(term: Term, known: Mapping[Term, Value]) -> set[Term]:
    """The variables that the value of a term depends on where the variables have these values."""
    order = list(postorder(term))
    if not any(sub.op in ("ite", "and", "or") for sub in order):
        return set(variables(term))
    values: dict[Term, Value] = {}
    for sub in order:
        if sub.op in ("const", "var"):
            values[sub] = sub.payload if sub.op == "const" else known[sub]
        elif sub.op == "=" and sub.args[0].sort.is_bits:
            values[sub] = values[sub.args[0]] == values[sub.args[1]]
        elif sub.op == "not":
            values[sub] = not values[sub.args[0]]
        elif sub.op == "and":
            values[sub] = all(values[argument] for argument in sub.args)
        elif sub.op == "or":
            values[sub] = any(values[argument] for argument in sub.args)
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
        elif sub.op in ("and", "or") and bool(values[sub]) is (sub.op == "or"):
            # One part decides; the first is the one that short-circuit evaluation stops at.
            arguments = (next(argument for argument in sub.args if bool(values[argument]) is (sub.op == "or")),)
        for argument in arguments:
            if argument not in seen:
                seen.add(argument)
                stack.append(argument)
    return found
