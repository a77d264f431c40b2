"""Blocks that pass over loop heads: exploration ends, whatever the order."""

from __future__ import annotations

import pytest

from argosy.basics.budget import OutOfBudget
from argosy.engine import engine
from argosy.engine.outcome import Safe
from argosy.engine.reached import Node, Reached
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import bits
from argosy.models.cfa import Cfa, Havoc, Reading
from argosy.strategies import configure
from argosy.strategies.setting import Setting
from tests.models.automata import Sketch

ENOUGH = 2_000


class Limited:
    """A budget of expansions, far above what these automata need."""

    def __init__(self) -> None:
        self.expansions = 0

    def expanded(self, node: Node, reached: Reached) -> None:
        self.expansions += 1
        if self.expansions > ENOUGH:
            raise OutOfBudget("it does not end")

    def refined(self, reached: Reached, precision: object) -> None:
        pass


def loop_on_itself() -> Cfa:
    """What follows the loop is a successor of its head, and of each unwinding of it: a merge takes it away again."""
    sketch = Sketch(5, a=bits(3), b=bits(2))
    sketch.assign(0, 1, sketch.b, sketch.number(0, sketch.b))
    sketch.assign(1, 2, sketch.a, sketch.plus(sketch.a, 1))
    sketch.step(1, 1, Havoc(sketch.a))
    sketch.step(2, 2, Havoc(sketch.a))
    sketch.skip(2, 3)
    sketch.assume(3, 4, sketch.is_(sketch.b, 1))
    return sketch.cfa()


def nested_loops() -> Cfa:
    """Two loops with a join in common, entered in the middle by a block that starts there."""
    sketch = Sketch(8, a=bits(3), b=bits(2))
    sketch.assign(0, 1, sketch.b, sketch.number(0, sketch.b))
    sketch.branch(1, sketch.is_(sketch.a, 0), 2, 3)
    sketch.assign(2, 3, sketch.a, sketch.plus(sketch.a, 1))
    sketch.skip(3, 4)
    sketch.skip(3, 5)
    sketch.step(3, 1, Havoc(sketch.a))
    sketch.skip(4, 6)
    sketch.assign(5, 6, sketch.a, sketch.plus(sketch.a, 2))
    sketch.step(6, 1, Havoc(sketch.a))
    sketch.step(6, 6, Havoc(sketch.a))
    sketch.assume(6, 7, sketch.is_(sketch.b, 1))
    return sketch.cfa()


@pytest.mark.parametrize("make", [loop_on_itself, nested_loops])
@pytest.mark.parametrize("search", ["bfs", "dfs", "topological"])
@pytest.mark.parametrize("block", ["k=3", "k=20", "structure+k=3"])
def test_exploration_ends(make: object, search: str, block: str) -> None:
    cfa = make()  # type: ignore[operator]
    chosen = configure("lbe", {"block": block, "search": search, "relations": "off"})
    strategy = chosen.build(Setting(cfa, Solvers(cfa.terms, Counters()), Reading.WRAP, "bits"))
    assert isinstance(engine.check(strategy, Limited()), Safe)
