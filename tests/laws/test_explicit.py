"""The explicit-value domain obeys its contract, and its loop agrees with brute force."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.domains.explicit import ExplicitAnalysis
from argosy.domains.precision import GRANULARITIES, Precision
from argosy.engine import engine
from argosy.engine.outcome import Safe, Unknown, Unsafe
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.models.cfa import Cfa, Reading
from argosy.strategies import configure
from argosy.strategies.setting import Setting
from tests.laws.laws import Laws
from tests.models.automata import automata, reachable


@given(cfa=automata(), reading=st.sampled_from(Reading), data=st.data())
@settings(max_examples=60, deadline=None)
def test_laws(cfa: Cfa, reading: Reading, data: st.DataObject) -> None:
    analysis = ExplicitAnalysis(cfa, reading)
    subsets = st.lists(st.sampled_from(analysis.variables), unique=True)
    precision = Precision("local").join((location, data.draw(subsets)) for location in cfa.locations)
    Laws(cfa, analysis, precision, reading).check()


@pytest.mark.parametrize("search", ["bfs", "dfs", "topological"])
@given(cfa=automata(), reading=st.sampled_from(Reading), granularity=st.sampled_from(GRANULARITIES))
@settings(max_examples=30, deadline=None)
def test_the_loop_agrees_with_brute_force(search: str, cfa: Cfa, reading: Reading, granularity: str) -> None:
    solvers = Solvers(cfa.terms, Counters())
    chosen = configure("explicit", {"search": search, "granularity": granularity})
    outcome = engine.check(chosen.build(Setting(cfa, solvers, reading, "bits")))
    truth = bool(reachable(cfa, [v.term for v in cfa.variables], reading)[cfa.error])
    match outcome:
        case Safe():
            assert not truth
        case Unsafe():
            assert truth
        case Unknown(reason):
            assert "cannot exclude" in reason
