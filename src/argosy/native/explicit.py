"""Explicit values explored by the native kernel (``cpp/valuation_graph.hpp``): transfer, storage, covering, pruning.

The kernel has the graph, of which a node here is a picture: made when somebody looks at it, with the same picture for
the same node until the graph changes. It is handed the edges of a location when the first node is expanded there, the
slots that a precision keeps, and asks back where a solver must enumerate what is unknown. It comes back several times a
second, and whenever an observer wants to be told.

Law: node by node the graph is that of the loop with ``ExplicitAnalysis``, and so is all that is counted.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from typing import Any

from argosy.basics.records import dataclass
from argosy.domains.explicit import ExplicitAnalysis, ExplicitState
from argosy.domains.filing import Values
from argosy.domains.precision import Precision
from argosy.engine.protocols import Observer, Patient
from argosy.engine.reached import Node, Pruned, Reached
from argosy.kernel import _valuation
from argosy.logic.partial import Other
from argosy.logic.semantics import Value
from argosy.logic.sorts import BOOL
from argosy.models.cfa import Edge
from argosy.native.orders import CostOrder
from argosy.native.words import WordAssembler, are_words, is_word

# Seconds after which the kernel comes back at the latest: time, signals and whoever watches are looked at then.
SLICE = 0.02

ANY = 1 << 62

Known = Sequence[tuple[int, int, int]]


def explores(analysis: ExplicitAnalysis) -> bool:
    """Whether the kernel can do what the analysis does: all variables and operations are about words."""
    cfa = analysis.cfa
    if not all(is_word(v.sort) for v in analysis.variables):
        return False
    values = (value for edge in cfa.edges for _, value in analysis.effect(edge).definitions)
    if not are_words((*values, *(analysis.condition(edge) for edge in cfa.edges))):
        return False
    fixes = (fix for edge in cfa.edges for fix in analysis.fixes(edge))
    return not any(analysis.variables[slot].sort is BOOL and value.__class__ is Other for slot, value in fixes)


class KernelNode(Node):
    """A picture of the kernel's node ``number``."""

    __slots__ = ("number",)

    def __init__(
        self, number: int, id: int, state: Any, partition: Hashable, derivation: tuple[Node, Any] | None
    ) -> None:
        super().__init__(id, state, partition, derivation)
        self.number = number


class KernelGraph(Reached):
    """The graph that the kernel has. Nobody else changes it."""

    def __init__(self, analysis: ExplicitAnalysis, order: CostOrder) -> None:
        super().__init__(analysis.partition)
        cfa = analysis.cfa
        self._analysis = analysis
        self._locations = cfa.locations
        self._number = {location: number for number, location in enumerate(cfa.locations)}
        self._edges = cfa.edges
        self._edge_number = {edge: number for number, edge in enumerate(cfa.edges)}
        self._order = order
        self._booleans = [v.sort is BOOL for v in analysis.variables]
        self._assembler = WordAssembler(analysis.slots)
        self._precision: Precision | None = None
        self._pictures: dict[int, KernelNode] = {}
        self.kernel = _valuation.Graph(
            [1 if v.sort is BOOL else v.sort.width for v in analysis.variables],
            len(cfa.locations),
            self._number[cfa.initial],
            self._number[cfa.error],
            order.newest,
            order.is_equal,
            order.of_depth,
            order.last(None, cfa.initial),
        )

    def _refuse(self, *_: Any) -> Any:
        raise TypeError("this graph is the kernel's")

    _refused: Any = _refuse
    add = mark_target = cover = absorb = replace = discard = _refused

    # ---- growing ------------------------------------------------------------------------------------------------

    def grow(self, precision: Precision, targets: int, expansions: int, most: int) -> tuple[bool, int, int]:
        """Whether it is finished, how many nodes were expanded, and which was the last one."""
        self._pictures.clear()
        if precision is not self._precision:
            self._precision = precision
            for number, location in enumerate(self._locations):
                self.kernel.keep(number, sorted(self._analysis.kept(location, precision)))
        enumerate_ = self._enumerated if self._analysis.enumerates else None
        try:
            return self.kernel.explore(self._prepare, enumerate_, targets, expansions, most, SLICE)
        finally:
            self.created = self.kernel.created

    def execute(self, edges: Sequence[Edge]) -> tuple[list[Values], list[int]]:
        """What ``ExplicitAnalysis.execute`` says."""
        numbers = [(self._number[edge.source], self._edge_number[edge]) for edge in edges]
        history: list[Values] = [self._analysis.unknown]
        impossible: list[int] = []
        for position, (is_possible, changed) in enumerate(self.kernel.trace(self._prepare, numbers)):
            if not is_possible:
                impossible.append(position)
            history.append(self._values(changed, history[-1]) if changed else history[-1])
        return history, impossible

    def _prepare(self, number: int) -> None:
        """Tell the kernel of the edges that leave a location."""
        analysis, assembler, kernel = self._analysis, self._assembler, self.kernel
        for edge in analysis.cfa.leaving[self._locations[number]]:
            effect = analysis.effect(edge)
            writes = [(analysis.slots[v], value) for v, value in effect.definitions]
            code = assembler.edge(
                analysis.condition(edge),
                [*writes, *((analysis.slots[v], None) for v in (*effect.havocs, *effect.tied))],
            )
            for constant in assembler.constants:
                kernel.add_constant(*constant)
            assembler.constants.clear()
            kernel.add_edge(
                number,
                assembler.registers,
                self._edge_number[edge],
                self._number[edge.target],
                self._order.last(edge, edge.target),
                code.instructions,
                code.condition,
                self._packed(analysis.fixes(edge)),
                code.writes,
                bool(effect.ties),
            )

    def _enumerated(self, edge: int, before: Known) -> list[Known] | None:
        assert self._precision is not None
        found = self._analysis.enumerated(self._edges[edge], self._values(before), self._precision)
        if found is None:
            return None
        return [self._packed((slot, v) for slot, v in enumerate(values) if v is not None) for values in found]

    def _packed(self, values: Iterable[tuple[int, Value]]) -> list[tuple[int, int, int]]:
        return [
            (slot, _valuation.OTHER, int(value.excluded))
            if value.__class__ is Other
            else (slot, _valuation.KNOWN, int(value))
            for slot, value in values
        ]

    # ---- reading ------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return self.kernel.alive

    def __iter__(self) -> Iterator[Node]:
        return iter([self.picture(number) for number in self.kernel.nodes()])

    def __contains__(self, node: Node) -> bool:
        return isinstance(node, KernelNode) and self.kernel.node(node.number)[0] == node.id

    @property
    def targets(self) -> list[Node]:
        return [self.picture(number) for number in self.kernel.targets]

    def at(self, partition: Hashable) -> Iterable[Node]:
        return [node for node in self if node.partition == partition]

    def states(self, locations: Collection[Any] | None = None) -> Iterator[Any]:
        wanted = (
            self._number.values() if locations is None else [self._number[at] for at in locations if at in self._number]
        )
        for number in self.kernel.uncovered(list(wanted)):
            yield self.state(number)

    def all_states(self) -> Iterable[Any]:
        return KernelStates(self)

    def state(self, number: int) -> ExplicitState:
        location = self._locations[self.kernel.node(number)[3]]
        return ExplicitState(location, self._values(self.kernel.known(number)))

    def picture(self, number: int) -> KernelNode:
        """The node with this number of the kernel, and all before it."""
        way: list[int] = []
        above: int | None = number
        while above is not None and above not in self._pictures:
            way.append(above)
            above = self.kernel.node(above)[1]
        for one in reversed(way):
            self._pictures[one] = self._picture(one)
        for one in reversed(way):
            coverer = self.kernel.node(one)[4]
            if coverer is not None:
                self._pictures[one].coverer = self.picture(coverer)
        return self._pictures[number]

    def _picture(self, number: int) -> KernelNode:
        id_, parent, edge, _, _, expanded, target = self.kernel.node(number)
        derivation = None if parent is None or edge is None else (self._pictures[parent], self._edges[edge])
        state = self.state(number)
        node = KernelNode(number, id_, state, self._partition(state), derivation)
        node.expanded, node.target = expanded, target
        return node

    def _values(self, known: Known, before: Values | None = None) -> Values:
        """What is known, besides what was known ``before``."""
        values: list[Value] = list(self._analysis.unknown if before is None else before)
        for slot, tag, word in known:
            value: Value = bool(word) if self._booleans[slot] else word
            values[slot] = value if tag == _valuation.KNOWN else Other(value) if tag == _valuation.OTHER else None
        return tuple(values)

    # ---- pruning ------------------------------------------------------------------------------------------------

    def prune(self, pivots: Iterable[Node]) -> Pruned:
        """The kernel itself knows what waits again."""
        self.kernel.prune([node.number for node in pivots if isinstance(node, KernelNode)])
        self._pictures.clear()
        return Pruned((), ())

    def clear(self) -> Pruned:
        self.kernel.clear()
        self._pictures.clear()
        return Pruned((), ())


@dataclass(frozen=True, slots=True)
class KernelStates:
    """The states of a graph; how many values they have the kernel counts."""

    graph: KernelGraph

    def __iter__(self) -> Iterator[ExplicitState]:
        return (self.graph.state(number) for number in self.graph.kernel.nodes())

    def spreads(self, limit: int) -> bool:
        return self.graph.kernel.spreads(limit)


class KernelExplorer:
    """Lets the kernel explore, in slices of time."""

    def __init__(self, analysis: ExplicitAnalysis, order: CostOrder) -> None:
        self._graph = KernelGraph(analysis, order)
        analysis.executor = self._graph.execute

    @property
    def reached(self) -> Reached:
        return self._graph

    def explore(self, precision: Precision, stop_after: int, observer: Observer) -> list[Node]:
        graph = self._graph
        patient = observer if isinstance(observer, Patient) else None
        finished = False
        while not finished:
            expansions, most = patient.patience() if patient is not None else (1, ANY)
            finished, expanded, last = graph.grow(precision, stop_after, expansions, most)
            if patient is not None:
                patient.expanded_some(expanded, graph)
            elif expanded:
                observer.expanded(graph.picture(last), graph)
        return graph.targets
