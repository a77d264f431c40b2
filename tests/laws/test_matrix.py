"""The splitting domain, enumerated values and every refiner keep their laws, and the loop agrees with brute force."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.domains.blocks import BlockAnalysis, BlockState
from argosy.domains.enumeration import Enumeration
from argosy.domains.explicit import ExplicitAnalysis
from argosy.domains.literals import LiteralAnalysis
from argosy.domains.minterms import SplittingAnalysis
from argosy.domains.paths import Paths
from argosy.domains.precision import Precision
from argosy.domains.predicate import PredicateAbstraction
from argosy.domains.product import ProductAnalysis
from argosy.engine import engine
from argosy.engine.outcome import Safe, Unknown, Unsafe
from argosy.logic.bdd import Regions
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.models.cfa import Cfa, Edge, Reading
from argosy.options.values import CHECKERS, parse_blocks
from argosy.strategies import configure
from argosy.strategies.blocks import block_operator
from argosy.strategies.setting import Setting
from tests.laws.laws import Laws
from tests.laws.test_blocks import predicates_of
from tests.models.automata import automata, reachable
from tests.strategies.test_bounded import feasible

SEARCHES = ["bfs", "dfs", "err", "dfs-err", "err-dfs", "topological", "1,0", "-1,2", "0,-1"]
REASONS = ("cannot express", "cannot exclude", "no interpolants", "no state on it could know", "is impossible")


def split_domains(cfa: Cfa, reading: Reading, block: str) -> tuple[BlockAnalysis, SplittingAnalysis]:
    """Boolean abstraction, whole and split, over the same diagrams."""
    solvers, paths = Solvers(cfa.terms, Counters()), Paths(cfa.terms, reading)
    solver = solvers.create("abstraction", "bits")
    abstraction = PredicateAbstraction(cfa.terms, paths, Regions(cfa.terms), solver, Counters(), "boolean")
    operator = block_operator(cfa, parse_blocks(block), abstraction)
    whole, split = (kind(cfa, cfa.terms, paths, abstraction, operator) for kind in (BlockAnalysis, SplittingAnalysis))
    return whole, split  # type: ignore[return-value]


def some_predicates(cfa: Cfa, data: st.DataObject) -> Precision:
    candidates = predicates_of(cfa)
    subsets = st.lists(st.sampled_from(candidates), unique=True, max_size=3) if candidates else st.just([])
    return Precision("local").join((location, data.draw(subsets)) for location in cfa.locations)


@pytest.mark.parametrize("block", ["sbe", "lbe"])
@given(cfa=automata(), reading=st.sampled_from(Reading), data=st.data())
@settings(max_examples=12, deadline=None)
def test_laws_of_the_splitting_domain(block: str, cfa: Cfa, reading: Reading, data: st.DataObject) -> None:
    _, split = split_domains(cfa, reading, block)
    Laws(cfa, split, some_predicates(cfa, data), reading).check()


@given(cfa=automata(), reading=st.sampled_from(Reading), data=st.data())
@settings(max_examples=20, deadline=None)
def test_the_states_after_an_edge_are_disjoint_and_make_up_the_boolean_abstraction(
    cfa: Cfa, reading: Reading, data: st.DataObject
) -> None:
    """Each decides every tracked predicate."""
    whole, split = split_domains(cfa, reading, "sbe")
    precision, regions = some_predicates(cfa, data), whole.abstraction.regions
    state = next(iter(whole.initial(precision)))
    for _ in range(4):
        together: list[tuple[Edge, BlockState]] = []
        for edge, inside in whole.successors(state, precision):
            ended = whole.adjust(inside, precision)
            if ended is not None:
                together.append((edge, ended))
        apart = list(split.successors(state, precision))
        assert {edge for edge, _ in apart} == {edge for edge, _ in together}
        for edge, ended in together:
            parts = [after.abstraction.region for action, after in apart if action is edge]
            assert regions.union(parts) == ended.abstraction.region
            assert all((a & b).is_false for i, a in enumerate(parts) for b in parts[:i])
            if ended.location is not cfa.error:
                for predicate in precision.at(ended.location):
                    holds = regions.predicate(predicate)
                    assert all(part <= holds or part <= ~holds for part in parts)
        onwards = [after for _, after in apart if after.location is not cfa.error]
        if not onwards:
            break
        state = data.draw(st.sampled_from(onwards))


@pytest.mark.parametrize("limit", [0, 1, 3])
@given(cfa=automata(), reading=st.sampled_from(Reading), data=st.data())
@settings(max_examples=20, deadline=None)
def test_laws_of_enumerated_values(limit: int, cfa: Cfa, reading: Reading, data: st.DataObject) -> None:
    solver = Solvers(cfa.terms, Counters()).create("abstraction", "bits")
    enumeration = Enumeration(cfa.terms, Paths(cfa.terms, reading), solver, limit)
    analysis = ExplicitAnalysis(cfa, reading, enumeration)
    subsets = st.lists(st.sampled_from(analysis.variables), unique=True)
    precision = Precision("local").join((location, data.draw(subsets)) for location in cfa.locations)
    Laws(cfa, analysis, precision, reading).check()


@given(cfa=automata(), reading=st.sampled_from(Reading), data=st.data())
@settings(max_examples=40, deadline=None)
def test_laws_of_the_product(cfa: Cfa, reading: Reading, data: st.DataObject) -> None:
    """Any variables and predicates are tracked anywhere; the precision grows while states are at hand."""
    solvers, paths = Solvers(cfa.terms, Counters()), Paths(cfa.terms, reading)
    solver = solvers.create("abstraction", "bits")
    abstraction = PredicateAbstraction(cfa.terms, paths, Regions(cfa.terms), solver, Counters(), "cartesian")
    analysis = ProductAnalysis(ExplicitAnalysis(cfa, reading), LiteralAnalysis(cfa, reading, paths, abstraction))
    variables = st.lists(st.sampled_from([v.term for v in cfa.variables]), unique=True)
    precision = some_predicates(cfa, data)
    Laws(cfa, analysis, precision, reading).check()
    larger = precision.join((location, data.draw(variables)) for location in cfa.locations)
    Laws(cfa, analysis, larger, reading).check()


@given(cfa=automata(), reading=st.sampled_from(Reading), data=st.data())
@settings(max_examples=20, deadline=None)
def test_laws_of_predicates_that_nobody_helps(cfa: Cfa, reading: Reading, data: st.DataObject) -> None:
    """What is a component of the product is an analysis by itself."""
    solver = Solvers(cfa.terms, Counters()).create("abstraction", "bits")
    paths = Paths(cfa.terms, reading)
    abstraction = PredicateAbstraction(cfa.terms, paths, Regions(cfa.terms), solver, Counters(), "cartesian")
    Laws(cfa, LiteralAnalysis(cfa, reading, paths, abstraction), some_predicates(cfa, data), reading).check()


@pytest.mark.parametrize("domain", ["expl", "prod", "pred-split", "pred-cart", "pred-bool"])
@given(cfa=automata(), reading=st.sampled_from(Reading), data=st.data())
@settings(max_examples=25, deadline=None)
def test_the_loop_agrees_with_brute_force(domain: str, cfa: Cfa, reading: Reading, data: st.DataObject) -> None:
    """Under any combination of choices. What is unknown has a reason."""
    checkers = [r.word for r in CHECKERS if r.word != "unsat-core" or domain == "expl"]
    several = st.sampled_from(["", "multi-"] if domain != "prod" else [""])
    chosen = {
        "domain": domain,
        "refinement": data.draw(several) + data.draw(st.sampled_from(checkers)),
        "search": data.draw(st.sampled_from(SEARCHES)),
        "granularity": data.draw(st.sampled_from(["local", "global"])),
        "prune": data.draw(st.sampled_from(["lazy", "full", "adaptive"])),
        "interpolation": "newton+newton-wp+bitwuzla",
    }
    if domain != "prod":
        chosen["initial-precision"] = data.draw(st.sampled_from(["empty", "all-assumes"]))
    if domain == "expl":
        chosen["max-enum"] = data.draw(st.sampled_from(["1*", "1", "2", "0"]))
    else:
        chosen["split"] = data.draw(st.sampled_from(["atoms", "conjuncts", "whole"]))
    if domain.startswith("pred"):
        chosen["block"] = data.draw(st.sampled_from(["sbe", "lbe", "k=3"]))
    configured = configure("theta-expl-seq" if domain == "expl" else "theta-pred-seq", chosen)
    truth = bool(reachable(cfa, [v.term for v in cfa.variables], reading)[cfa.error])
    match engine.check(configured.build(Setting(cfa, Solvers(cfa.terms, Counters()), reading, "bits"))):
        case Safe(reached, _):
            reached.validate()
            assert not truth
        case Unsafe(trace, _):
            assert feasible(cfa, trace, reading)
        case Unknown(reason):
            assert any(known in reason for known in REASONS), reason
            # Numbers of two or three bits and all their values: enumeration proves everything in the end.
            assert not (domain == "expl" and configured.options.to_strings()["max-enum"] == "0" and truth)
