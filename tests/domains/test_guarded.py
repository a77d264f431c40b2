"""Guarded paths describe exactly the executions, and a model of a guard is one of them."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.domains.guarded import GuardedPath, GuardedPaths
from argosy.logic.solver import Counters, Satisfiability, Solver
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import bits
from argosy.logic.terms import Term
from argosy.models.cfa import Cfa, Edge, Location, Reading
from tests.models.automata import Sketch, Steps, automata, everything, reachable


def executed(cfa: Cfa, reading: Reading, forget: bool) -> tuple[Solver, GuardedPaths, dict[Location, GuardedPath]]:
    """All paths to each location of an automaton whose edges go to locations with larger numbers."""
    solver = Solvers(cfa.terms, Counters()).create("abstraction", "bits")
    ways = GuardedPaths(cfa.terms, reading, solver.add)
    arriving: dict[Location, list[GuardedPath]] = {cfa.initial: [ways.start]}
    joined = {}
    variables = [v.term for v in cfa.variables]
    for location in cfa.locations:
        if location in arriving:
            path = joined[location] = ways.join(arriving[location], () if forget else variables)
            for edge in cfa.leaving[location]:
                after = ways.extend(path, edge)
                if after is not None:
                    arriving.setdefault(edge.target, []).append(after)
    return solver, ways, joined


@settings(max_examples=40, deadline=None)
@given(automata(acyclic=True), st.sampled_from(Reading), st.data())
def test_states_and_traces_are_those_of_the_automaton(cfa: Cfa, reading: Reading, data: st.DataObject) -> None:
    variables = [v.term for v in cfa.variables]
    found = reachable(cfa, variables, reading)
    solver, ways, joined = executed(cfa, reading, forget=False)
    location = data.draw(st.sampled_from(cfa.locations[1:]))
    if location not in joined:
        assert not found[location]
        return
    path = joined[location]
    steps = Steps(cfa, variables, reading)
    for state in everything(variables):
        goal = [
            cfa.terms.eq(path.store.get(v, v), cfa.terms.const(value, v.sort))
            for v, value in zip(variables, state, strict=True)
        ]
        assert (solver.check([path.guard, *goal]) is Satisfiability.SAT) == (state in found[location])
        if state in found[location]:
            assert leads_to(cfa, steps, ways.trace(path, solver.value), location, state)


def leads_to(cfa: Cfa, steps: Steps, trace: list[Edge], location: Location, state: tuple[object, ...]) -> bool:
    at, states = cfa.initial, set(everything([v.term for v in cfa.variables]))
    for edge in trace:
        assert edge.source is at
        at, states = edge.target, {after for before in states for after in steps.after(edge, before)}
    return at is location and state in states


def test_what_is_not_live_is_forgotten() -> None:
    sketch = Sketch(3, x=bits(4), y=bits(4))
    sketch.assign(0, 1, sketch.x, sketch.number(1, sketch.x))
    sketch.assign(0, 1, sketch.x, sketch.number(2, sketch.x))
    sketch.skip(1, 2)
    cfa = sketch.cfa()
    assert not executed(cfa, Reading.WRAP, forget=True)[2][cfa.locations[1]].store
    assert executed(cfa, Reading.WRAP, forget=False)[2][cfa.locations[1]].store


def test_constants_decide_branches_without_a_solver() -> None:
    """x := 3; if (x < 5) y := 1 else y := 2: one way only, and nothing is open."""
    sketch = Sketch(5, x=bits(4), y=bits(4))
    sketch.assign(0, 1, sketch.x, sketch.number(3, sketch.x))
    sketch.branch(1, sketch.below(sketch.x, 5), 2, 3)
    sketch.assign(2, 4, sketch.y, sketch.number(1, sketch.y))
    sketch.assign(3, 4, sketch.y, sketch.number(2, sketch.y))
    cfa = sketch.cfa()
    end = executed(cfa, Reading.WRAP, forget=False)[2][cfa.error]
    assert end.guard is cfa.terms.true and end.store[sketch.y] is sketch.number(1, sketch.y)


def test_branches_that_meet_leave_no_condition() -> None:
    """A chain of tests of an input: all its branches together are everything."""
    sketch = Sketch(6, x=bits(4), y=bits(4))
    t = sketch.terms
    one, two = sketch.is_(sketch.x, 1), sketch.is_(sketch.x, 2)
    for value, condition in enumerate((one, t.and_(t.not_(one), two), t.and_(t.not_(one), t.not_(two)))):
        sketch.assume(0, 1 + value, condition)
        sketch.assign(1 + value, 4, sketch.y, sketch.number(value, sketch.y))
    sketch.skip(4, 5)
    cfa = sketch.cfa()
    told: list[Term] = []
    ways = GuardedPaths(t, Reading.WRAP, told.append)
    branches = []
    for first in cfa.leaving[cfa.initial]:
        path = ways.extend(ways.start, first)
        assert path is not None
        path = ways.extend(path, cfa.leaving[first.target][0])
        assert path is not None
        branches.append(path)
    joined = ways.join(branches, [sketch.y])
    assert joined.guard is t.true and not told
