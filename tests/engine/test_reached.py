"""Pruning, covering and merging on graphs drawn by hand."""

from __future__ import annotations

import pytest

from argosy.engine.reached import Node, Reached


def graph() -> tuple[Reached, dict[str, Node]]:
    """root -> a -> b, root -> c; c is covered by b."""
    reached = Reached(lambda state: None)
    nodes = {"root": reached.add("root")}
    for name, parent in (("a", "root"), ("b", "a"), ("c", "root")):
        nodes[name] = reached.add(name, (nodes[parent], name))
    for name in ("root", "a"):
        nodes[name].expanded = True
    reached.cover(nodes["c"], nodes["b"])
    reached.validate()
    return reached, nodes


def test_pruning_reopens_what_the_pruned_nodes_covered() -> None:
    reached, nodes = graph()
    pruned = reached.prune([nodes["b"]])
    assert pruned.removed == (nodes["b"],)
    assert set(pruned.reopened) == {nodes["a"], nodes["c"]}
    assert nodes["c"].coverer is None
    reached.validate()


def test_pruning_reaches_below_and_uncovers_across_branches() -> None:
    reached, nodes = graph()
    pruned = reached.prune([nodes["a"]])
    assert set(pruned.removed) == {nodes["a"], nodes["b"]}
    assert set(pruned.reopened) == {nodes["root"], nodes["c"]}
    reached.validate()


def test_a_reopened_parent_awaits_only_the_lost_actions() -> None:
    reached, nodes = graph()
    reached.prune([nodes["a"]])
    root = nodes["root"]
    assert not root.expanded
    assert root.awaits("a") and not root.awaits("c")


def test_two_lost_children_are_both_awaited() -> None:
    reached, nodes = graph()
    reached.prune([nodes["a"], nodes["c"]])
    assert nodes["root"].awaits("a") and nodes["root"].awaits("c")
    reached.validate()


def test_a_waiting_parent_computes_everything_when_it_is_expanded() -> None:
    reached = Reached(lambda state: None)
    root = reached.add("root")
    child = reached.add("a", (root, "a"))  # added while the expansion of the root is under way
    pruned = reached.prune([child])
    assert pruned.reopened == ()
    assert root.pending is None


def test_a_pruned_covered_node_leaves_its_coverer() -> None:
    reached, nodes = graph()
    reached.prune([nodes["c"]])
    assert not nodes["b"].covered
    reached.validate()


def test_a_node_inside_the_pruned_part_is_not_reopened() -> None:
    reached, nodes = graph()
    inner = reached.add("d", (nodes["a"], "d"))
    reached.cover(inner, nodes["b"])
    pruned = reached.prune([nodes["a"]])
    assert inner not in pruned.reopened
    reached.validate()


def test_pruning_the_root_empties_the_graph() -> None:
    reached, nodes = graph()
    reached.mark_target(nodes["b"])
    pruned = reached.prune([nodes["root"]])
    assert len(reached) == 0 and not reached.targets and pruned.reopened == ()
    reached.validate()


def test_pruning_a_shared_child_reopens_every_parent() -> None:
    reached, nodes = graph()
    shared = reached.add("s", (nodes["a"], "s"))
    other = reached.add("o", (nodes["root"], "o"))
    other.expanded = True
    pruned = reached.absorb(shared, "s+", other, "t")
    assert pruned.removed == ()
    reached.validate()
    pruned = reached.prune([nodes["a"]])
    assert shared in pruned.removed
    assert other in pruned.reopened and other.awaits("t")
    reached.validate()


def test_absorbing_removes_what_stood_below_and_uncovers_it() -> None:
    reached, nodes = graph()
    new_parent = reached.add("p", (nodes["root"], "p"))
    new_parent.expanded = True
    pruned = reached.absorb(nodes["a"], "a+", new_parent, "x")
    assert pruned.removed == (nodes["b"],)
    assert nodes["c"] in pruned.reopened
    assert nodes["a"].state == "a+" and not nodes["a"].expanded and nodes["a"].pending is None
    reached.validate()


def test_absorbing_from_below_removes_the_parent_itself() -> None:
    reached, nodes = graph()
    pruned = reached.absorb(nodes["a"], "a+", nodes["b"], "back")
    assert nodes["b"] in pruned.removed
    assert nodes["b"] not in [parent for parent, _ in nodes["a"].parents]
    reached.validate()


def test_covering_a_coverer_hands_its_covered_nodes_on() -> None:
    reached, nodes = graph()
    wide = reached.add("wide", (nodes["root"], "wide"))
    reached.cover(nodes["b"], wide)
    assert nodes["c"].coverer is wide
    reached.validate()
    pruned = reached.prune([wide])
    assert {nodes["b"], nodes["c"]} <= set(pruned.reopened)


def test_a_covered_node_cannot_cover() -> None:
    reached, nodes = graph()
    late = reached.add("late", (nodes["root"], "late"))
    with pytest.raises(AssertionError):
        reached.cover(late, nodes["c"])


def test_traces_follow_the_derivation() -> None:
    _, nodes = graph()
    assert nodes["b"].trace() == ("a", "b")
    assert [n.state for n in nodes["b"].ancestry()] == ["root", "a", "b"]
