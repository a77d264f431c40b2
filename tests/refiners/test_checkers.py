"""What a refutation says about a counterexample, checked with a solver of its own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.basics.budget import OutOfBudget
from argosy.domains.explicit import ExplicitAnalysis
from argosy.domains.paths import Paths
from argosy.domains.precision import Precision
from argosy.engine import engine
from argosy.engine.frontier import Fifo
from argosy.engine.protocols import Silent
from argosy.engine.reached import Node, Reached
from argosy.logic.interpolation import Interpolation
from argosy.logic.solver import Counters, Satisfiability
from argosy.logic.solvers import Solvers
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Cfa, Reading
from argosy.options.declared import named
from argosy.options.values import Explaining
from argosy.refiners.checkers import Refutation
from argosy.refiners.counterexample import Counterexample, explicit_reader
from argosy.strategies.refinement import trace_checker
from argosy.strategies.setting import Setting
from tests.models.automata import automata


class Enough(Silent):
    def expanded(self, node: Node, reached: Reached) -> None:
        if reached.created > 60:
            raise OutOfBudget("enough")


def infeasible(cfa: Cfa, setting: Setting[Any]) -> list[Counterexample]:
    """Infeasible counterexamples of an abstraction in which some variable is tracked."""
    analysis = ExplicitAnalysis(cfa, setting.reading)
    reached = Reached(analysis.partition)
    precision = Precision("global").join([(cfa.initial, analysis.variables[:1])])
    with suppress(OutOfBudget):
        engine.explore(analysis, reached, Fifo(), precision, 3, Enough())
    read = explicit_reader(analysis, Paths(cfa.terms, setting.reading))
    found = [read(target) for target in reached.targets]
    return [c for c in found if not satisfiable(setting, c.steps)]


def satisfiable(setting: Setting[Any], formulas: Sequence[Term]) -> bool:
    solver = setting.solvers.create("trace", "bits")
    for formula in formulas:
        solver.add(formula)
    return solver.check() is Satisfiability.SAT


def at(counterexample: Counterexample, fact: Term, index: int) -> Term:
    return counterexample.paths.instantiate(fact, counterexample.bases[index])


def refutations(cfa: Cfa, reading: Reading, name: str) -> tuple[Setting[Any], list[Refutation]]:
    solvers = Solvers(cfa.terms, Counters())
    setting: Setting[Any] = Setting(cfa, solvers, reading, "bits")
    checker = trace_checker(
        named(Explaining, name), setting, Interpolation(cfa.terms, solvers, ["newton", "newton-wp", "bitwuzla"])
    )
    answers = [checker.refute(counterexample) for counterexample in infeasible(cfa, setting)]
    return setting, [answer for answer in answers if isinstance(answer, Refutation)]


@pytest.mark.parametrize("name", ["seq", "newton-sp", "newton-wp"])
@given(cfa=automata(), reading=st.sampled_from(Reading))
@settings(max_examples=20, deadline=None)
def test_sequences(name: str, cfa: Cfa, reading: Reading) -> None:
    """A fact and the next step imply the next fact; true before the first, false after the last."""
    setting, found = refutations(cfa, reading, name)
    for refutation in found:
        counterexample, facts = refutation.counterexample, refutation.facts
        known = cfa.terms.true
        for i, step in enumerate(counterexample.steps):
            own = facts[i + 1]
            before_first, gone = i + 1 < refutation.pivot, not any(facts[i + 1 :])
            after = at(counterexample, own[0], i + 1) if own else cfa.terms.true if before_first else cfa.terms.false
            assert own or before_first or gone
            assert not satisfiable(setting, [known, step, cfa.terms.not_(after)])
            known = after


@given(cfa=automata(), reading=st.sampled_from(Reading))
@settings(max_examples=20, deadline=None)
def test_forward(cfa: Cfa, reading: Reading) -> None:
    """The fact follows from a feasible prefix, states included, and excludes the next step."""
    setting, found = refutations(cfa, reading, "fw-bin")
    for refutation in found:
        counterexample, i = refutation.counterexample, refutation.pivot
        fact = at(counterexample, refutation.facts[i][0], i)
        states = [counterexample.state(k) for k in range(len(counterexample.nodes))]
        prefix = [*counterexample.steps[:i], *states[: i + 1]]
        assert satisfiable(setting, prefix)
        assert not satisfiable(setting, [*prefix, cfa.terms.not_(fact)])
        assert not satisfiable(setting, [fact, counterexample.steps[i], states[i + 1]])


@given(cfa=automata(), reading=st.sampled_from(Reading))
@settings(max_examples=20, deadline=None)
def test_backward(cfa: Cfa, reading: Reading) -> None:
    """The fact follows from the state and the step before it, and excludes a suffix that is feasible by itself."""
    setting, found = refutations(cfa, reading, "bw-bin")
    for refutation in found:
        counterexample, i = refutation.counterexample, refutation.pivot
        fact = at(counterexample, refutation.facts[i][0], i)
        states = [counterexample.state(k) for k in range(len(counterexample.nodes))]
        suffix = [*counterexample.steps[i:], *states[i:-1]]
        assert satisfiable(setting, suffix)
        assert not satisfiable(setting, [*suffix, fact])
        before = [states[i - 1], counterexample.steps[i - 1]]
        assert not satisfiable(setting, [*before, cfa.terms.not_(fact)])


@given(cfa=automata(), reading=st.sampled_from(Reading))
@settings(max_examples=20, deadline=None)
def test_pruning_by_index(cfa: Cfa, reading: Reading) -> None:
    pivots = {}
    for name in ("fw-bin", "bw-bin", "min-prune", "max-prune"):
        _, found = refutations(cfa, reading, name)
        pivots[name] = {r.counterexample.steps: r.pivot for r in found}
    for steps in pivots["fw-bin"].keys() & pivots["bw-bin"].keys():
        both = [pivots["fw-bin"][steps], pivots["bw-bin"][steps]]
        assert (pivots["min-prune"][steps], pivots["max-prune"][steps]) == (min(both), max(both))


@given(cfa=automata(), reading=st.sampled_from(Reading))
@settings(max_examples=20, deadline=None)
def test_cores_have_the_variables_of_interpolants(cfa: Cfa, reading: Reading) -> None:
    """The facts are variables that are written or assumed on before their node and read after it."""
    _, found = refutations(cfa, reading, "unsat-core")
    for refutation in found:
        counterexample = refutation.counterexample
        for i, facts in enumerate(refutation.facts):
            said = {v for step in counterexample.steps[:i] for v in variables(step)}
            used = {v for step in counterexample.steps[i:] for v in variables(step)}
            for variable in facts:
                assert variable.is_var and at(counterexample, variable, i) in said & used
