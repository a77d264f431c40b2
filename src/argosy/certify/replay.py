"""UNSAFE, certified: a path to the error is solved on bits, then walked step by step by the interpreter.

The solver only proposes initial values and nondeterministic choices; whether the error is reached is decided by
``certify.interpreter`` alone. The path is executed symbolically first (``certify.symbolic``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.position import Position
from argosy.basics.records import dataclass, replace
from argosy.certify.interpreter import Blocked, Interpreter, zero
from argosy.certify.meanings import sort_kind
from argosy.certify.symbolic import SymbolicPath
from argosy.logic.semantics import Value, signed
from argosy.logic.solver import Satisfiability, SolverError
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import Sort
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import substitute, variables
from argosy.models.cfa import Cfa, Edge, Reading, Refusal, Variable, written


@dataclass(frozen=True, slots=True)
class Choice:
    """The value that a nondeterministic operation took at a step (an index into the steps)."""

    step: int
    edge: Edge
    variable: str
    value: Value


@dataclass(frozen=True, slots=True)
class ReplayedStep:
    """One edge taken. ``values`` are the variables it changed, by the name of their term, as numbers in the reading
    of their declaration. ``rounds`` of the loop were executed right before it that are no steps of their own, in which
    these choices were ``skipped``."""

    edge: Edge
    position: Position
    text: str
    values: Mapping[str, Value]
    rounds: int = 0
    skipped: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Replayed:
    """The error was reached. ``initial`` holds the initial values that matter (all others are zero), ``unmodelled``
    what the front end could not model and a condition on the path depends on nevertheless."""

    steps: tuple[ReplayedStep, ...]
    choices: tuple[Choice, ...]
    initial: Mapping[str, Value]
    unmodelled: tuple[Refusal, ...] = ()

    @property
    def is_folded(self) -> bool:
        """Whether the steps leave rounds of a loop out."""
        return any(step.rounds for step in self.steps)


@dataclass(frozen=True, slots=True)
class Refuted:
    """The path is no counterexample. ``infeasible``: it has no execution; otherwise nothing is known about it
    (the solver gave no answer) or it is not a path at all."""

    reason: str
    infeasible: bool = False


def certify_unsafe(
    cfa: Cfa,
    path: Sequence[Edge],
    solvers: Solvers,
    reading: Reading,
    *,
    budget: Budget = UNLIMITED,
    interpreter: Interpreter | None = None,
) -> Replayed | Refuted:
    """Whether ``path``, edges of ``cfa`` from its initial to its error location, has an execution. An ``interpreter``
    of the automaton and the reading knows the edges that it has taken before."""
    broken = _not_a_path(cfa, path)
    if broken is not None:
        return Refuted(broken)
    execution = SymbolicPath(cfa, reading)
    for index, edge in enumerate(path):
        if not execution.take(index, edge):
            return _infeasible(cfa)
    try:
        model = _solve(execution, solvers, budget)
        if isinstance(model, Refuted):
            return model
        if _unmodelled(execution, model):
            # There may be another execution of the path, for which nothing matters that is not modelled.
            other = _solve(execution, solvers, budget, _whatever_is_unmodelled(execution))
            model = model if isinstance(other, Refuted) else other
    except SolverError as error:
        return Refuted(str(error))
    return replayed_model(cfa, path, reading, execution, model, interpreter)


def _infeasible(cfa: Cfa) -> Refuted:
    return Refuted("infeasible in bits" if sort_kind(cfa) == "bits" else "infeasible", infeasible=True)


def _not_a_path(cfa: Cfa, path: Sequence[Edge]) -> str | None:
    known = set(cfa.edges)
    at = cfa.initial
    for index, edge in enumerate(path):
        if edge not in known:
            return f"step {index} is not an edge of the model: {edge}"
        if edge.source is not at:
            return f"step {index} does not start where the path is: {edge}"
        at = edge.target
    return None if at is cfa.error else f"the path ends in {at}, not in the error location"


def _solve(
    execution: SymbolicPath, solvers: Solvers, budget: Budget, more: Iterable[Term] = ()
) -> dict[Term, Value] | Refuted:
    """Values for the initial values and choices that occur in the path's conditions, under ``more`` of these."""
    if not execution.conditions:
        return {}
    solver = solvers.create("certify", sort_kind(execution.cfa), time_limit=budget.seconds)
    for condition in (*execution.conditions, *more):
        solver.add(condition)
    answer = solver.check()
    if answer is Satisfiability.UNSAT:
        return _infeasible(execution.cfa)
    if answer is Satisfiability.UNKNOWN:
        return Refuted("the solver gave no answer")
    return {variable: solver.value(variable) for variable in execution.mentioned()}


def replayed_model(
    cfa: Cfa,
    path: Sequence[Edge],
    reading: Reading,
    execution: SymbolicPath,
    model: Mapping[Term, Value],
    interpreter: Interpreter | None = None,
) -> Replayed | Refuted:
    start = {variable: value for variable, value in model.items() if variable in cfa.variable_of}
    chosen = {at: model[fresh] for at, fresh in execution.chosen.items() if fresh in model}
    replayed = replay_choices(cfa, path, reading, start, chosen, interpreter)
    return replace(replayed, unmodelled=_unmodelled(execution, model)) if isinstance(replayed, Replayed) else replayed


def replay_choices(
    cfa: Cfa,
    path: Sequence[Edge],
    reading: Reading,
    start: Mapping[Term, Value],
    chosen: Mapping[tuple[int, Term], Value],
    interpreter: Interpreter | None = None,
) -> Replayed | Refuted:
    """Walk ``path`` from the values ``start`` with the values ``chosen``, by step and variable, where it leaves them
    open; what is not given is zero."""
    broken = _not_a_path(cfa, path)
    if broken is not None:
        return Refuted(broken)
    interpreter = interpreter or Interpreter(cfa, reading)
    assert interpreter.cfa is cfa and interpreter.reading is reading
    declared = cfa.variable_of
    state = interpreter.start(start)
    steps: list[ReplayedStep] = []
    choices: list[Choice] = []

    def choose(edge: Edge, variable: Term) -> Value:
        at = (len(steps), variable)
        value = chosen[at] if at in chosen else zero(variable.sort)
        choices.append(Choice(len(steps), edge, variable.name, number_of(declared[variable], value)))
        return value

    for index, edge in enumerate(path):
        after = interpreter.step(edge, state, choose)
        if isinstance(after, Blocked):
            return Refuted(f"the replay stops at step {index}: {after.reason}")
        changed = {v.name: number_of(declared[v], interpreter.value(after, v)) for v in written(edge.operation)}
        steps.append(ReplayedStep(edge, edge.position, edge.text, changed))
        state = after
    if state.location is not cfa.error:
        return Refuted("the replay does not end in the error location")
    return Replayed(
        tuple(steps),
        tuple(choices),
        {v.name: number_of(declared[v], value) for v, value in start.items()},
    )


def _opaque(execution: SymbolicPath) -> dict[Term, Term]:
    """Initial values and choices that stand for what is not modelled, each with its variable."""
    cfa = execution.cfa
    found = {variable: variable for variable in cfa.opaque}
    found.update((fresh, variable) for (_, variable), fresh in execution.chosen.items() if variable in cfa.opaque)
    return found


def _whatever_is_unmodelled(execution: SymbolicPath) -> Iterator[Term]:
    """The conditions for two very different choices of all that is not modelled."""
    terms, opaque = execution.terms, _opaque(execution)
    for number in (0, -1):
        values = {variable: _everywhere(terms, number, variable.sort) for variable in opaque}
        memo: dict[Term, Term] = {}
        for condition in execution.conditions:
            if not opaque.keys().isdisjoint(variables(condition)):
                yield substitute(terms, condition, values, memo)


def _everywhere(terms: Terms, number: int, sort: Sort) -> Term:
    """A number, or an array of nothing else."""
    if sort.element is None:
        return terms.const(number, sort)
    return terms.const_array(sort, _everywhere(terms, number, sort.element))


def _unmodelled(execution: SymbolicPath, model: Mapping[Term, Value]) -> tuple[Refusal, ...]:
    """What the conditions still depend on when all that is modelled has its value."""
    cfa, terms = execution.cfa, execution.terms
    opaque = _opaque(execution)
    known = {v: terms.const(value, v.sort) for v, value in model.items() if v not in opaque}
    left: set[Term] = set()
    memo: dict[Term, Term] = {}
    for condition in execution.conditions:
        if not opaque.keys().isdisjoint(variables(condition)):
            open_ = variables(substitute(terms, condition, known, memo)) & opaque.keys()
            left.update(opaque[variable] for variable in open_)
    return tuple(refusal for variable, refusal in cfa.opaque.items() if variable in left)


def number_of(variable: Variable, value: Value) -> Value:
    return signed(value, variable.term.sort.width) if variable.signed and variable.term.sort.is_bits else value
