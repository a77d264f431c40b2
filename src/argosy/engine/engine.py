"""The loop. Everything Argosy does is this page with other parts plugged in.

``check`` is counterexample-guided abstraction refinement ([Theta], Algorithm 1); ``explore`` builds the abstract
reachability graph until a target turns up (Algorithm 2; the CPA algorithm of [ABE], section II.B, with lazy
covering); ``expand`` adds the successors of one node, ``place`` gives each its place in the graph. What a new node does
to those it covers is in ``subsumption``, the parts are in ``protocols``, the graph in ``reached``. Where a strategy has
an ``Explorer``, the native kernel builds the graph instead, the same one.

Three rules keep it right. An expansion is finished before a target is returned, so that no successor is ever
lost. Covering concerns only nodes that are not expanded. What a pruning uncovers is expanded again.
"""

from __future__ import annotations

from typing import Any

from argosy.basics.budget import OutOfBudget
from argosy.engine.frontier import reopen
from argosy.engine.outcome import Outcome, Safe, Unknown, Unsafe
from argosy.engine.protocols import (
    Analysis,
    Feasible,
    Frontier,
    Observer,
    Refined,
    Silent,
    Strategy,
    Stuck,
    Subsumption,
)
from argosy.engine.reached import Node, Reached
from argosy.engine.subsumption import find_coverer, settle


def check(strategy: Strategy[Any, Any, Any], observer: Observer | None = None) -> Outcome:
    """Explore, and refine the precision as long as a target is reached by a trace that is not feasible."""
    observer = observer or Silent()
    analysis, precision, subsumption = strategy.analysis, strategy.precision, strategy.subsumption
    explorer = None if strategy.explorer is None else strategy.explorer()
    reached = Reached(analysis.partition) if explorer is None else explorer.reached
    frontier = strategy.frontier()
    try:
        while True:
            if explorer is None:
                targets = explore(analysis, reached, frontier, precision, strategy.targets, observer, subsumption)
            else:
                targets = explorer.explore(precision, strategy.targets, observer)
            if not targets:
                return Safe(reached, precision)
            match strategy.refiner.refine(reached, targets, precision):
                case Feasible(trace, model):
                    return Unsafe(trace, model)
                case Stuck(reason):
                    return Unknown(reason, reached, precision)
                case Refined(precision, pivots):
                    reopen(frontier, reached.prune(pivots) if pivots else reached.clear())
            observer.refined(reached, precision)
    except OutOfBudget as budget:
        return Unknown(str(budget), reached, precision)


def explore(
    analysis: Analysis[Any, Any, Any],
    reached: Reached,
    frontier: Frontier,
    precision: Any,
    stop_after: int,
    observer: Observer,
    subsumption: Subsumption = Subsumption.KEEP,
) -> list[Node]:
    """Expand waiting nodes until ``stop_after`` targets are in the graph (0: until nothing waits)."""
    if not reached:
        for state in analysis.initial(precision):
            place(analysis, reached, frontier, subsumption, state, None)
    while frontier and not 0 < stop_after <= len(reached.targets):
        node = frontier.pop()
        # A node that lost some of its successors is not covered: what covers it may be one of the others.
        coverable = subsumption is Subsumption.KEEP and node.pending is None
        coverer = find_coverer(analysis, reached, node) if coverable else None
        if coverer is not None:
            reached.cover(node, coverer)
        else:
            expand(analysis, reached, frontier, subsumption, precision, node)
            observer.expanded(node, reached)
    return reached.targets


def expand(
    analysis: Analysis[Any, Any, Any],
    reached: Reached,
    frontier: Frontier,
    subsumption: Subsumption,
    precision: Any,
    node: Node,
) -> None:
    """Add the successors of ``node``: those that it lacks. A merge may remove the node or give it another state (a
    loop inside a block), a successor may replace it: what stands for it now has all its successors before it. A merge
    may also take away a successor that was just added: then the node waits for that one again."""
    expanded = node.state
    awaited = [(action, state) for action, state in analysis.successors(expanded, precision) if node.awaits(action)]
    node.pending = set()
    for action, successor in awaited:
        state = analysis.adjust(successor, precision)
        if state is not None:
            place(analysis, reached, frontier, subsumption, state, (node, action))
            if node not in reached or node.state is not expanded:
                return
    if node.pending:
        frontier.push(node)
    else:
        node.expanded = True
        node.pending = None


def place(
    analysis: Analysis[Any, Any, Any],
    reached: Reached,
    frontier: Frontier,
    subsumption: Subsumption,
    state: Any,
    derivation: tuple[Node, Any] | None,
) -> None:
    """Merge the state into a node of the graph, or let it be a node of its own."""
    if derivation is not None and analysis.merges(state):
        for old in reached.at(analysis.partition(state)):
            merged = analysis.merge(state, old.state)
            if merged is not old.state:
                reopen(frontier, reached.absorb(old, merged, *derivation))
                settle(analysis, reached, frontier, subsumption, old)
                return
    node = reached.add(state, derivation)
    if analysis.is_target(state):
        reached.mark_target(node)
    else:
        settle(analysis, reached, frontier, subsumption, node)
