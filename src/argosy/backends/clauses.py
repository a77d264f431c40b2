"""The backend of Horn clauses: those that are an automaton are decided as one.

Where a clause needs two predicates that need its head in turn, Z3's Spacer is asked for a solution, which is not
believed: the clauses relative to it (``models.derivations``) are a program that is proved and certified like any other.
Where there is none, derivations inside one another are followed to a depth that grows, and one that is found is
replayed like any other execution.
"""

from __future__ import annotations

from collections.abc import Sequence

from argosy.backends import program
from argosy.backends.contract import SAFE, UNKNOWN, UNSAFE, Answer, Plan
from argosy.basics.budget import TIME_LIMIT, Budget
from argosy.basics.records import replace
from argosy.logic.formulas import Predicate
from argosy.logic.spacer import Derivable, Unanswered, Worker
from argosy.models.cfa import Cfa
from argosy.models.clause_script import Solution, names_of, script
from argosy.models.clauses import ClauseSystem, linear_automaton
from argosy.models.derivations import TooMany, automaton_of, relative_to, shortened
from argosy.models.program import Program
from argosy.problem.problem import Problem

# What a solution of recursive clauses, and the proof from it, get of the time.
SOLVING = 0.6
PATIENCE = 120.0
DEPTHS = (1, 2, 3, 5, 8, 13)


def decide(problem: Problem, plan: Plan) -> Sequence[Answer]:
    system: ClauseSystem = problem.model
    if not system.is_recursive:
        try:
            return program.decide(as_program(problem, automaton_of(system)), plan)
        except TooMany:
            pass
    return recursive(problem, system, plan)


def as_program(problem: Problem, cfa: Cfa) -> Problem:
    """The same problem, about an automaton."""
    notes = dict.fromkeys(problem.ledger, "")
    return replace(problem, model=Program(cfa, problem.input, cfa, notes=notes))


def recursive(problem: Problem, system: ClauseSystem, plan: Plan) -> Sequence[Answer]:
    """A solution first, then derivations; of several lanes those after the first one follow derivations at once."""
    [subject] = problem.subjects
    reasons: list[str] = []
    lane = plan.lane
    inner = replace(plan, each=False, lane=None if lane is None or lane.number == 0 else lane.without_first)
    answer = None
    derivable = False
    if lane is None or lane.number == 0:
        try:
            answer = _by_solution(problem, system, inner, reasons)
        except Derivable:
            derivable = True
    if answer is None:
        answer = _by_derivations(problem, system, inner, reasons, derivable)
    unknown = Answer(subject, UNKNOWN, "; ".join(dict.fromkeys(reasons)), strategy={"name": plan.strategy_name})
    return [answer or unknown]


def _by_solution(problem: Problem, system: ClauseSystem, plan: Plan, reasons: list[str]) -> Answer | None:
    """A proof of the clauses relative to a solution. Raises ``Derivable``."""
    short = shortened(system)
    try:
        solution = solve(short, plan.budget.share(SOLVING, PATIENCE))
    except Unanswered as reason:
        reasons.append(str(reason))
        return None
    cfa, _ = linear_automaton(relative_to(short, solution))
    budget = plan.budget.share(SOLVING, PATIENCE)
    [answer] = program.decide(as_program(problem, cfa), replace(plan, budget=budget))
    if answer.verdict == SAFE:
        return replace(answer, notes=(*answer.notes, RELATIVE))
    reasons.append(answer.reason or "the solution that was found is none")
    return None


def _by_derivations(
    problem: Problem, system: ClauseSystem, plan: Plan, reasons: list[str], derivable: bool
) -> Answer | None:
    for depth in DEPTHS:
        try:
            cfa = automaton_of(system, depth)
        except TooMany:
            reasons.append("clauses that need themselves twice, and too many copies of them")
            break
        budget = plan.budget if derivable else plan.budget.share(0.5, PATIENCE)
        [answer] = program.decide(as_program(problem, cfa), replace(plan, budget=budget))
        if answer.verdict in (SAFE, UNSAFE):
            return answer
        reasons.append(answer.reason or "")
        if plan.budget.is_over:
            reasons.append(TIME_LIMIT)
            break
    return None


RELATIVE = "clauses that need several predicates were proved with a solution in place of all but one of these"


def solve(system: ClauseSystem, budget: Budget) -> Solution:
    """What Spacer takes for a solution of those predicates that clauses need beside their trunks. Raises ``Derivable``
    and ``Unanswered``."""
    needed = {side.predicate for clause in system.clauses for side in system.sides(clause)}
    return solved(system, [predicate for predicate in system.predicates if predicate in needed], budget)


def solved(system: ClauseSystem, asked: Sequence[Predicate], budget: Budget) -> Solution:
    """What Spacer takes for a solution, of the predicates that are asked for. Raises ``Derivable`` and
    ``Unanswered``."""
    names = names_of(system.predicates)
    parameters = {
        predicate: tuple(system.terms.var(f"p{i}@{place}", sort) for place, sort in enumerate(predicate.sorts))
        for i, predicate in enumerate(asked)
    }
    relations = [(names[predicate].strip("|"), parameters[predicate]) for predicate in asked]
    worker = Worker(system.terms)
    try:
        for inline in (True, False):
            found = worker.solve(script(system), relations, budget, inline=inline)
            pairs = zip(asked, found, strict=True)
            solution = {predicate: (parameters[predicate], f) for predicate, f in pairs if f is not None}
            if len(solution) == len(asked):
                return solution
    finally:
        worker.close()
    raise Unanswered("spacer: a solution with quantifiers")
