"""The example of [ABE], Figures 1 to 4: int i = 0; while (i < 2) i++; if (i != 2) ERROR.

The automaton has the paper's locations 2 to 7; the precision is {i = 0, i = 1, i = 2} everywhere.
"""

from __future__ import annotations

import pytest

from argosy.domains.blocks import BlockAnalysis, BlockState
from argosy.domains.paths import Paths
from argosy.domains.precision import Precision
from argosy.domains.predicate import PredicateAbstraction
from argosy.engine import engine
from argosy.engine.protocols import Silent
from argosy.engine.reached import Reached
from argosy.logic.bdd import Regions
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import INT
from argosy.models.cfa import Cfa, Reading
from argosy.options.values import SearchOrder, parse_blocks
from argosy.strategies.blocks import block_operator
from argosy.strategies.search import block_order
from tests.models.automata import Sketch


def figure_2() -> Cfa:
    sketch = Sketch(8, i=INT)
    terms, i = sketch.terms, sketch.i
    sketch.assign(2, 3, i, terms.integer(0))
    sketch.branch(3, terms.lt(i, terms.integer(2)), 4, 6)
    sketch.assign(4, 5, i, terms.add(i, terms.integer(1)))
    sketch.skip(5, 3)
    sketch.assume(6, 7, terms.ne(i, terms.integer(2)))
    return sketch.cfa(initial=2, error=7)


def explore(block: str, mode: str = "boolean") -> tuple[Reached, BlockAnalysis]:
    cfa = figure_2()
    terms, i = cfa.terms, cfa.variables[0].term
    solvers, paths = Solvers(terms, Counters()), Paths(terms, Reading.WRAP)
    solver = solvers.create("abstraction", "int")
    abstraction = PredicateAbstraction(terms, paths, Regions(terms), solver, solvers.counters, mode)  # type: ignore[arg-type]
    analysis = BlockAnalysis(cfa, terms, paths, abstraction, block_operator(cfa, parse_blocks(block)))
    predicates = [terms.eq(i, terms.integer(n)) for n in range(3)]
    precision = Precision("global").join([(cfa.initial, predicates)])
    reached = Reached(analysis.partition)
    frontier = block_order(SearchOrder.TOPOLOGICAL, cfa)
    assert engine.explore(analysis, reached, frontier, precision, 0, Silent()) == []
    reached.validate()
    return reached, analysis


def values(analysis: BlockAnalysis, state: BlockState) -> set[int | None]:
    """The values of i in an abstraction state; None stands for all values but 0, 1 and 2."""
    terms = analysis.cfa.terms
    i = analysis.cfa.variables[0].term
    regions = analysis.abstraction.regions
    found: set[int | None] = set()
    for value in (0, 1, 2, None):
        cube = {terms.eq(i, terms.integer(n)): n == value for n in range(3)}
        if not (state.abstraction.region & regions.from_cube(cube)).is_false:
            found.add(value)
    return found


def abstraction_states(block: str) -> list[tuple[int, set[int | None]]]:
    reached, analysis = explore(block)
    return [
        (node.state.location.index, values(analysis, node.state))
        for node in reached
        if node.state.is_abstraction and node.derivation is not None
    ]


def test_figure_3_large_blocks_end_at_the_loop_head() -> None:
    assert abstraction_states("lbe") == [(3, {0}), (3, {1}), (3, {2})]


def test_figure_3_counts_only_costly_abstractions() -> None:
    """The grey nodes: three at location 3, the unreachable fourth; the error location is not counted."""
    _, analysis = explore("lbe")
    assert analysis.abstraction.counters.computed == 4


def test_figure_4_blocks_of_length_seven() -> None:
    assert abstraction_states("k=7") == [(3, {1, 2}), (6, {2})]


def test_figure_4_merged_states_replace_the_older_ones() -> None:
    """Inside the first block two unwindings are in one state: location 3 holds the paths 2-3 and 2-3-4-5-3."""
    reached, _ = explore("k=7")
    lengths = {
        node.state.location.index: node.state.path.length
        for node in reached
        if not node.state.is_abstraction and node.state.abstraction.before is None
    }
    assert lengths == {3: 4, 4: 5, 5: 6, 6: 5}


@pytest.mark.parametrize("block", ["sbe", "lbe", "k=7", "lbe+k=2", "structure+k=3"])
def test_abstraction_states_form_a_tree(block: str) -> None:
    reached, _ = explore(block)
    assert all(len(node.parents) <= 1 for node in reached if node.state.is_abstraction)
