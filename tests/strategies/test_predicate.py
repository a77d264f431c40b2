"""Predicate abstraction end to end on small automata: what each block operator costs and gives."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.domains.blocks import AbstractionPoint, BlockAnalysis, BlockState
from argosy.domains.predicate import PredicateAbstraction, TooManyImages
from argosy.engine import engine
from argosy.engine.outcome import Outcome, Safe, Unsafe
from argosy.logic.bdd import Region, RegionsFull
from argosy.logic.solver import Counters, SolverError
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import INT
from argosy.logic.terms import Term
from argosy.models.cfa import Cfa, Location, Reading
from argosy.session.run import decide
from argosy.session.task import Task
from argosy.strategies import configure
from argosy.strategies.setting import Setting
from tests.laws.test_blocks import BLOCKS, predicates_of
from tests.models.automata import Sketch, automata


def counting(limit: int, error_at: int) -> Cfa:
    """i := 0; while (i < limit) i := i + 1; error if i = error_at."""
    sketch = Sketch(6, i=INT)
    terms, i = sketch.terms, sketch.i
    sketch.assign(0, 1, i, terms.integer(0))
    sketch.branch(1, terms.lt(i, terms.integer(limit)), 2, 3)
    sketch.assign(2, 1, i, terms.add(i, terms.integer(1)))
    sketch.assume(3, 5, terms.eq(i, terms.integer(error_at)))
    return sketch.cfa()


def run(cfa: Cfa, **options: str) -> tuple[Outcome, BlockAnalysis]:
    strategy = configure("lbe", options).build(Setting(cfa, Solvers(cfa.terms, Counters()), Reading.WRAP, "int"))
    outcome = engine.check(strategy)
    assert isinstance(strategy.analysis, BlockAnalysis)
    return outcome, strategy.analysis


@pytest.mark.parametrize("block", BLOCKS)
def test_every_block_operator_gives_the_same_verdict(block: str) -> None:
    assert isinstance(run(counting(3, 4), block=block)[0], Safe)
    assert isinstance(run(counting(3, 3), block=block)[0], Unsafe)


def test_a_block_beyond_every_path_finds_a_bug_without_abstraction() -> None:
    outcome, analysis = run(counting(3, 3), block="k=60")
    assert isinstance(outcome, Unsafe)
    assert [edge.source.index for edge in outcome.trace] == [0, 1, 2, 1, 2, 1, 2, 1, 3]
    assert analysis.abstraction.counters.computed == 0


def test_path_invariants_need_no_unwinding() -> None:
    """Interpolants of single paths would take a refinement for each of the million rounds."""
    outcome, _ = run(counting(1_000_000, 1_000_001))
    assert isinstance(outcome, Safe)
    assert len(outcome.precision) < 8


@given(cfa=automata(), reading=st.sampled_from(Reading))
@settings(max_examples=25, deadline=None)
def test_large_blocks_are_at_least_as_strong_as_single_ones(cfa: Cfa, reading: Reading) -> None:
    """Under one fixed global precision: what is claimed at a loop head under lbe implies what is claimed under sbe."""
    claims = {block: fixed_point(cfa, reading, block) for block in ("sbe", "lbe")}
    solver = Solvers(cfa.terms, Counters()).create("entailment", "bits")
    for head in cfa.loop_heads:
        solver.push()
        solver.add(claims["lbe"].get(head, cfa.terms.false))
        solver.add(cfa.terms.not_(claims["sbe"].get(head, cfa.terms.false)))
        assert solver.check().value == "unsat"
        solver.pop()


def fixed_point(cfa: Cfa, reading: Reading, block: str) -> dict[Location, Term]:
    from argosy.domains.paths import Paths
    from argosy.domains.precision import Precision
    from argosy.domains.predicate import PredicateAbstraction
    from argosy.engine.frontier import Fifo
    from argosy.engine.protocols import Silent
    from argosy.engine.reached import Reached
    from argosy.logic.bdd import Regions
    from argosy.options.values import parse_blocks
    from argosy.strategies.blocks import block_operator

    terms, solvers, paths = cfa.terms, Solvers(cfa.terms, Counters()), Paths(cfa.terms, reading)
    solver = solvers.create("abstraction", "bits")
    abstraction = PredicateAbstraction(terms, paths, Regions(terms), solver, solvers.counters, "boolean")
    analysis = BlockAnalysis(cfa, terms, paths, abstraction, block_operator(cfa, parse_blocks(block)))
    precision = Precision("global").join([(cfa.initial, predicates_of(cfa)[:5])])
    reached = Reached(analysis.partition)
    engine.explore(analysis, reached, Fifo(), precision, 0, Silent())
    claims: dict[Location, Term] = {}
    for node in reached:
        location, formula = analysis.claim(node.state)
        if formula is not None and node.coverer is None:
            claims[location] = terms.or_(claims.get(location, terms.false), formula)
    return claims


def test_united_states_claim_what_they_claimed_together() -> None:
    _, analysis = run(counting(3, 4))
    cfa, regions = analysis.cfa, analysis.abstraction.regions
    i = next(iter(cfa.variables)).term
    small, large = (regions.predicate(cfa.terms.le(i, cfa.terms.integer(n))) for n in (1, 2))
    one, other = cfa.locations[1:3]

    def end(location: Location, region: Region) -> BlockState:
        return BlockState(location, AbstractionPoint(location, region, None, None, 0), analysis.paths.empty)

    united = list(analysis.unite([end(one, small), end(other, small), end(one, ~large)]))
    assert {s.location: s.abstraction.region for s in united} == {one: small | ~large, other: small}
    assert len(united) == 2


def test_states_whose_union_is_too_large_stay_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome, analysis = run(counting(3, 4))
    assert isinstance(outcome, Safe)
    states = [node.state for node in outcome.reached if node.state.is_abstraction]

    def refuse(_: object) -> Region:
        raise RegionsFull

    monkeypatch.setattr(analysis.abstraction.regions, "union", refuse)
    assert set(analysis.unite(states)) == set(states)


@pytest.mark.parametrize(
    "failure", [RegionsFull("more than 7 nodes of decision diagrams"), SolverError("more than 7 nodes of anything")]
)
def test_what_a_stage_cannot_do_leaves_the_program_undecided(
    monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    def refuse(*_: object) -> bool:
        raise failure

    monkeypatch.setattr(PredicateAbstraction, "feasible", refuse)
    example = Path(__file__).parents[2] / "examples" / "c" / "lock.c"
    result = decide(Task(str(example), strategy="lbe", time_limit=60)).result
    assert result.verdict == "unknown"
    assert "more than 7 nodes" in (result.reason or "")


@pytest.mark.parametrize(
    ("failure", "why"),
    [
        (RegionsFull("more than 7 nodes"), "its diagrams are too large"),
        (SolverError("unknown"), "the solver gives up"),
        (TooManyImages(), "its images are too many"),
    ],
)
def test_an_abstraction_that_gives_way_is_in_the_ledger(
    monkeypatch: pytest.MonkeyPatch, failure: Exception, why: str
) -> None:
    """The program is decided all the same; where, why and how often is said."""

    def refuse(*_: object) -> Region:
        raise failure

    example = Path(__file__).parents[2] / "examples" / "c" / "lock.c"
    plain = decide(Task(str(example), strategy="lbe", time_limit=60)).result
    monkeypatch.setattr(PredicateAbstraction, "_images_of_parts", refuse)
    result = decide(Task(str(example), strategy="lbe", time_limit=60)).result
    assert (plain.verdict, result.verdict) == ("safe", "safe")
    notes = [line for line in result.ledger if line not in plain.ledger]
    assert notes and all(n.startswith("boolean abstraction gave way to the cartesian one at ") for n in notes)
    assert all(why in note for note in notes) and any(note.endswith(" times)") for note in notes)
