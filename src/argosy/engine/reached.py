"""The abstract reachability graph: nodes, the cover index, pruning.

The graph is a DAG plus covering: merging gives a node several parents, and replacing one by another ([Subsumer]) may
close cycles. Each node keeps the derivation (parent, action) it was created by, so that a trace is always a real
abstract path and "ancestor" has a meaning, apart from the edges, which merging and replacing move.

Invariants, checked by ``Reached.validate`` in the tests:

* every node is exactly one of expanded, covered, target, waiting;
* a coverer is in the graph, is not itself covered, and lists the nodes it covers;
* the index holds exactly the nodes of the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from typing import Any

from argosy.basics.records import dataclass


class Node:
    """A state in the graph. ``pending`` lists the actions whose successors a pruning took away: a node that is
    expanded again computes only those (None: all)."""

    __slots__ = (
        "_offspring",
        "_parents",
        "children",
        "covered",
        "coverer",
        "depth",
        "derivation",
        "expanded",
        "id",
        "partition",
        "pending",
        "state",
        "target",
    )

    def __init__(self, id: int, state: Any, partition: Hashable, derivation: tuple[Node, Any] | None) -> None:
        self.id = id
        self.state = state
        self.partition = partition
        self.derivation = derivation
        self.depth: int = 0 if derivation is None else derivation[0].depth + 1
        self.children: dict[tuple[Any, Node], None] = {}
        # Most nodes never get another parent, nor lose a child to another node: what follows from the rest is not kept.
        self._parents: dict[tuple[Node, Any], None] | None = None
        self._offspring: list[Node] | None = None
        self.coverer: Node | None = None
        self.covered: dict[Node, None] = {}
        self.expanded = False
        self.target = False
        self.pending: set[Any] | None = None

    @property
    def parents(self) -> dict[tuple[Node, Any], None]:
        """Where edges come from; at first, from where the node was derived."""
        if self._parents is None:
            self._parents = {} if self.derivation is None else {self.derivation: None}
        return self._parents

    @property
    def offspring(self) -> list[Node]:
        """The nodes whose states were computed from this one's, wherever the edges have moved: they are outdated when
        it is."""
        return [child for _, child in self.children] if self._offspring is None else self._offspring

    def awaits(self, action: Any) -> bool:
        return self.pending is None or action in self.pending

    def ancestry(self) -> list[Node]:
        """The nodes of the derivation from the root to this node."""
        path = [self]
        while path[-1].derivation is not None:
            path.append(path[-1].derivation[0])
        path.reverse()
        return path

    def trace(self) -> tuple[Any, ...]:
        """The actions of the derivation from the root to this node."""
        return tuple(node.derivation[1] for node in self.ancestry() if node.derivation is not None)

    def __repr__(self) -> str:
        return f"n{self.id}({self.state})"


@dataclass(frozen=True, slots=True)
class Pruned:
    """``removed`` left the graph; ``reopened`` must be expanded again."""

    removed: tuple[Node, ...]
    reopened: tuple[Node, ...]


class Reached:
    """The graph with its cover index; ``partition`` is the analysis'."""

    def __init__(self, partition: Callable[[Any], Hashable]) -> None:
        self._partition = partition
        self._index: dict[Hashable, dict[Node, None]] = {}
        self._nodes: dict[Node, None] = {}
        self._targets: dict[Node, None] = {}
        self._initial: dict[Node, None] = {}
        self.created = 0

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[Node]:
        return iter(self._nodes)

    def __contains__(self, node: Node) -> bool:
        return node in self._nodes

    @property
    def targets(self) -> list[Node]:
        return list(self._targets)

    def states(self, locations: Collection[Any] | None = None) -> Iterator[Any]:
        """What stands for all that is reached: the states of nodes that no other covers, oldest first; those at some
        locations, where states have one."""
        for node in self._nodes:
            if node.coverer is None and (locations is None or node.state.location in locations):
                yield node.state

    def all_states(self) -> Iterable[Any]:
        """Those of covered nodes as well."""
        return (node.state for node in self._nodes)

    def at(self, partition: Hashable) -> Iterable[Node]:
        """The nodes filed under a partition, oldest first. Not to be kept while the graph changes."""
        return self._index.get(partition, ())

    def add(self, state: Any, derivation: tuple[Node, Any] | None = None) -> Node:
        node = Node(self.created, state, self._partition(state), derivation)
        self.created += 1
        self._nodes[node] = None
        self._index.setdefault(node.partition, {})[node] = None
        if derivation is None:
            self._initial[node] = None
        else:
            self._link(*derivation, node)
        return node

    def mark_target(self, node: Node) -> None:
        node.target = True
        self._targets[node] = None

    def cover(self, node: Node, by: Node) -> None:
        """``node``, which is not expanded, needs no successors: those of ``by`` stand for them."""
        assert not node.expanded and by.coverer is None
        # What the node covered (while it waited) is inside ``by`` as well, because covering is a preorder.
        for other in node.covered:
            other.coverer = by
            by.covered[other] = None
        node.covered.clear()
        node.coverer = by
        by.covered[node] = None

    def absorb(self, old: Node, state: Any, parent: Node, action: Any) -> Pruned:
        """Merging: ``old`` takes the state above both and a further parent; its descendants are outdated (the
        parent may be one of them, where a loop lies inside a block)."""
        below = self._descendants([old])
        del below[old]
        pruned = self._remove(below)
        old.state = state
        if parent in self._nodes:
            old.parents[parent, action] = None
            self._link(parent, action, old)
        old.expanded = False
        old.pending = None
        if old.coverer is not None:
            del old.coverer.covered[old]
            old.coverer = None
        return pruned

    def prune(self, pivots: Iterable[Node]) -> Pruned:
        """Remove the pivots and all below them. Reopened are their remaining parents and whatever the removed
        nodes covered. Where the place of an initial state is lost, everything goes."""
        removed = self._descendants(pivots)
        return self._remove(removed if self._initial.keys().isdisjoint(removed) else dict(self._nodes))

    def clear(self) -> Pruned:
        """Remove everything."""
        return self._remove(dict(self._nodes))

    def replace(self, node: Node, by: Node) -> None:
        """Subsumption ([Subsumer], Figure 2): the edges to and from ``node`` move to ``by``, which covers it, and
        ``node`` leaves the graph. What was derived from it stays, and stays derived from it."""
        assert node.coverer is None and not node.covered
        for moved in (node, by, *(parent for parent, _ in node.parents)):
            moved._offspring = moved.offspring
        edges = [(parent, action, node) for parent, action in node.parents]
        edges += [(node, action, child) for action, child in node.children]
        for source, action, target in edges:
            source.children.pop((action, target), None)
            target.parents.pop((source, action), None)
        for source, action, target in edges:
            source, target = (by if end is node else end for end in (source, target))
            source.children[action, target] = None
            target.parents[source, action] = None
        if node in self._initial:
            self._initial[by] = None
        self._leave(node)
        if node.derivation is not None and not node.offspring:
            origin = node.derivation[0]
            origin._offspring = [child for child in origin.offspring if child is not node]

    def discard(self, node: Node, by: Node) -> Pruned:
        """Remove what was derived from ``node``, which ``by`` has replaced. ``by`` stays if it is derived from it."""
        below = self._descendants(node.offspring)
        inside = below.pop(by, self) is None
        pruned = self._remove(below)
        if inside and by not in node.offspring:
            node._offspring = [*node.offspring, by]
        return pruned

    def _descendants(self, roots: Iterable[Node]) -> dict[Node, None]:
        found = dict.fromkeys(roots)
        stack = list(found)
        while stack:
            for child in stack.pop().offspring:
                if child not in found:
                    found[child] = None
                    stack.append(child)
        # What was replaced is no longer in the graph; what was derived from it is.
        return {node: None for node in found if node in self._nodes}

    def _link(self, parent: Node, action: Any, child: Node) -> None:
        parent.children[action, child] = None
        if parent._offspring is not None:
            parent._offspring.append(child)

    def _leave(self, node: Node) -> None:
        del self._nodes[node]
        del self._index[node.partition][node]
        self._initial.pop(node, None)

    def _remove(self, removed: dict[Node, None]) -> Pruned:
        reopened: dict[Node, None] = {}
        origins: dict[Node, None] = {}
        for node in removed:
            self._leave(node)
            self._targets.pop(node, None)
            for parent, action in node.parents:
                if parent in removed:
                    continue
                origins[parent] = None
                del parent.children[action, node]
                if parent.expanded:
                    parent.expanded = False
                    parent.pending = {action}
                    reopened[parent] = None
                elif parent.pending is not None:
                    # It waits already, for what this or an earlier pruning took away.
                    parent.pending.add(action)
            if node.derivation is not None:
                origins[node.derivation[0]] = None
            for action, child in node.children:
                if child not in removed:
                    del child.parents[node, action]
            if node.coverer is not None and node.coverer not in removed:
                del node.coverer.covered[node]
            for other in node.covered:
                if other not in removed:
                    other.coverer = None
                    reopened[other] = None
        for origin in origins:
            if origin not in removed and origin._offspring is not None:
                origin._offspring = [child for child in origin._offspring if child not in removed]
        return Pruned(tuple(removed), tuple(reopened))

    def validate(self) -> None:
        """Raise AssertionError where an invariant of the graph does not hold. For tests; linear."""
        for node in self._nodes:
            assert node.partition == self._partition(node.state), f"{node} is filed wrongly"
            assert node in self._index[node.partition], f"{node} is not in the index"
            if node.coverer is not None:
                assert not node.expanded and not node.target, f"{node} is covered and expanded"
                assert node.coverer in self._nodes, f"the coverer of {node} is gone"
                assert node.coverer.coverer is None, f"the coverer of {node} is covered itself"
                assert node in node.coverer.covered
            for other in node.covered:
                assert other in self._nodes and other.coverer is node
            for action, child in node.children:
                assert child in self._nodes, f"a child of {node} is gone"
                assert (node, action) in child.parents
            for parent, action in node.parents:
                assert parent in self._nodes and (action, node) in parent.children
        assert sum(map(len, self._index.values())) == len(self._nodes)
