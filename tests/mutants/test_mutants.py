"""Every mutant is noticed by its detector, and no detector cries without one."""

from __future__ import annotations

import pytest

from . import loops
from .mutation import Detector, Mutant, caught, mutated

LOOP = [
    Mutant("prune forgets what the pruned nodes covered", "argosy.reached:Reached._remove",
           "reopened[other] = None", "pass", loops.graphs_drawn_by_hand),
    Mutant("prune forgets what was covered, in the loop", "argosy.reached:Reached._remove",
           "reopened[other] = None", "pass", loops.a_covered_node_below_another_branch_is_explored_again),
    Mutant("prune leaves a coverer that is gone", "argosy.reached:Reached._remove",
           "other.coverer = None", "pass", loops.loop_agrees_with_brute_force),
    Mutant("prune reopens no parent", "argosy.reached:Reached._remove",
           "reopened[parent] = None", "pass", loops.loop_agrees_with_brute_force),
    Mutant("prune awaits only the last lost successor", "argosy.reached:Reached._remove",
           "parent.pending.add(action)", "pass", loops.graphs_drawn_by_hand),
    Mutant("prune keeps targets", "argosy.reached:Reached._remove",
           "self._targets.pop(node, None)", "pass", loops.loop_agrees_with_brute_force),
    Mutant("prune keeps the covered in its coverer", "argosy.reached:Reached._remove",
           "del node.coverer.covered[node]", "pass", loops.graphs_drawn_by_hand),
    Mutant("prune removes children only", "argosy.reached:Reached._descendants",
           "stack.append(child)", "pass", loops.loop_agrees_with_brute_force),
    Mutant("a coverer that gets covered keeps what it covered", "argosy.reached:Reached.cover",
           "for other in node.covered:", "for other in ():", loops.graphs_drawn_by_hand),
    Mutant("a merged node is not expanded again", "argosy.reached:Reached.absorb",
           "old.expanded = False", "pass", loops.graphs_drawn_by_hand),
    Mutant("a merged node keeps its old state", "argosy.reached:Reached.absorb",
           "old.state = state", "pass", loops.merging_agrees_with_brute_force),
    Mutant("a merged node stays covered", "argosy.reached:Reached.absorb",
           "old.coverer = None", "pass", loops.merging_agrees_with_brute_force),
    Mutant("what stood below a merged node stays", "argosy.reached:Reached.absorb",
           "pruned = self._remove(below)", "pruned = self._remove({})", loops.graphs_drawn_by_hand),
    Mutant("a node covers itself", "argosy.engine:find_coverer",
           "old is not node and ", "", loops.loop_agrees_with_brute_force),
    Mutant("covering goes in circles", "argosy.engine:find_coverer",
           "old.coverer is None and ", "", loops.loop_agrees_with_brute_force),
    Mutant("the smaller covers the larger", "argosy.engine:find_coverer",
           "analysis.covers(old.state, node.state)", "analysis.covers(node.state, old.state)",
           loops.loop_agrees_with_brute_force),
    Mutant("everything is covered", "argosy.engine:find_coverer",
           "analysis.covers(old.state, node.state)", "True", loops.loop_agrees_with_brute_force),
    Mutant("an expansion stops at a target", "argosy.engine:expand",
           "or node.state is not expanded:", "or node.state is not expanded or reached.targets:",
           loops.loop_agrees_with_brute_force),
    Mutant("a pruned successor is not computed again", "argosy.engine:expand",
           "if node.awaits(action)]", "if node.pending is None]", loops.loop_agrees_with_brute_force),
    Mutant("a node that merges with itself goes on as it was", "argosy.engine:expand",
           "or node.state is not expanded:", "or False:", loops.merging_agrees_with_brute_force),
    Mutant("a successor lost during the expansion stays lost", "argosy.engine:expand",
           "if node.pending:", "if False:", loops.a_successor_lost_during_an_expansion_is_added_again),
    Mutant("a merged node is not queued", "argosy.engine:place",
           "frontier.push(old)", "pass", loops.merging_agrees_with_brute_force),
    Mutant("what a merge uncovers is forgotten", "argosy.engine:place",
           "reopen(frontier, reached.absorb(old, merged, *derivation))", "reached.absorb(old, merged, *derivation)",
           loops.merging_agrees_with_brute_force),
    Mutant("what a pruning reopens is not queued", "argosy.engine:reopen",
           "frontier.push(node)", "pass", loops.loop_agrees_with_brute_force),
    Mutant("what a pruning removes stays queued", "argosy.engine:reopen",
           "frontier.remove(node)", "pass", loops.loop_agrees_with_brute_force),
    Mutant("a refinement without pivots prunes nothing", "argosy.engine:check",
           "reached.prune(pivots or list(reached))", "reached.prune(pivots)",
           loops.full_pruning_agrees_with_brute_force),
    Mutant("a removed node is popped", "argosy.frontier:BestFirst.pop",
           "if self._waiting.get(node) == order:\n            del self._waiting[node]",
           "if True:\n            self._waiting.pop(node, None)",
           loops.removed_nodes_are_never_popped),
]  # fmt: skip

MUTANTS = LOOP


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_the_mutant_is_caught(mutant: Mutant) -> None:
    assert caught(mutant)


@pytest.mark.parametrize("detector", {m.detector: None for m in MUTANTS}, ids=lambda d: d.__name__)
def test_the_detector_is_silent_without_a_mutant(detector: Detector) -> None:
    detector()


def test_a_mutant_is_gone_afterwards() -> None:
    with mutated(MUTANTS[0]), pytest.raises(AssertionError):
        MUTANTS[0].detector()
    MUTANTS[0].detector()


def test_an_outdated_mutant_is_an_error() -> None:
    outdated = Mutant("outdated", MUTANTS[0].target, "no such text", "", MUTANTS[0].detector)
    with pytest.raises(LookupError), mutated(outdated):
        pass
