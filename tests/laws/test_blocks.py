"""Predicate abstraction obeys the contract under every block operator, and its loop agrees with brute force."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.domains.blocks import BlockAnalysis
from argosy.domains.paths import Paths
from argosy.domains.precision import Precision
from argosy.domains.predicate import PredicateAbstraction
from argosy.engine import engine
from argosy.engine.outcome import Safe, Unknown, Unsafe
from argosy.logic.bdd import Regions
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.terms import Term
from argosy.logic.traverse import atoms
from argosy.models.cfa import Assume, Cfa, Reading
from argosy.options.values import parse_blocks
from argosy.strategies import configure
from argosy.strategies.blocks import block_operator
from argosy.strategies.setting import Setting
from tests.laws.laws import Laws
from tests.models.automata import automata, reachable
from tests.strategies.test_bounded import feasible

BLOCKS = ["sbe", "lbe", "k=1", "k=3", "k=20", "lbe+k=2", "structure+k=2", "adaptive"]


def predicates_of(cfa: Cfa) -> list[Term]:
    conditions = [e.operation.condition for e in cfa.edges if isinstance(e.operation, Assume)]
    return list(dict.fromkeys(atom for condition in conditions for atom in atoms(condition)))


@pytest.mark.parametrize("mode", ["boolean", "cartesian", "conjunctive"])
@pytest.mark.parametrize("block", ["sbe", "lbe", "k=3"])
@given(cfa=automata(), reading=st.sampled_from(Reading), data=st.data())
@settings(max_examples=15, deadline=None)
def test_laws(mode: str, block: str, cfa: Cfa, reading: Reading, data: st.DataObject) -> None:
    solvers = Solvers(cfa.terms, Counters())
    paths = Paths(cfa.terms, reading)
    solver = solvers.create("abstraction", "bits")
    abstraction = PredicateAbstraction(cfa.terms, paths, Regions(cfa.terms), solver, Counters(), mode)  # type: ignore[arg-type]
    analysis = BlockAnalysis(cfa, cfa.terms, paths, abstraction, block_operator(cfa, parse_blocks(block), abstraction))
    candidates = predicates_of(cfa)
    subsets = st.lists(st.sampled_from(candidates), unique=True, max_size=4) if candidates else st.just([])
    precision = Precision("local").join((location, data.draw(subsets)) for location in cfa.locations)
    Laws(cfa, analysis, precision, reading).check()


@pytest.mark.parametrize("block", BLOCKS)
@given(
    cfa=automata(),
    reading=st.sampled_from(Reading),
    search=st.sampled_from(["bfs", "dfs", "topological"]),
    prune=st.sampled_from(["lazy", "full", "adaptive"]),
    granularity=st.sampled_from(["local", "global"]),
    split=st.sampled_from(["atoms", "conjuncts", "whole"]),
)
@settings(max_examples=12, deadline=None)
def test_the_loop_agrees_with_brute_force(
    block: str, cfa: Cfa, reading: Reading, search: str, prune: str, granularity: str, split: str
) -> None:
    chosen = configure(
        "lbe",
        {
            "block": block,
            "search": search,
            "prune": prune,
            "granularity": granularity,
            "split": split,
            "interpolation": "newton+newton-wp+bitwuzla",
        },
    )
    truth = bool(reachable(cfa, [v.term for v in cfa.variables], reading)[cfa.error])
    match engine.check(chosen.build(Setting(cfa, Solvers(cfa.terms, Counters()), reading, "bits"))):
        case Safe():
            assert not truth
        case Unsafe(trace, _):
            assert feasible(cfa, trace, reading)
        case Unknown(reason):
            assert "no interpolants" in reason or "trivial" in reason
