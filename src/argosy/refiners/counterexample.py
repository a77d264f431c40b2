"""An abstract counterexample as formulas, whatever domain it comes from ([Theta], section 2.2.2).

A counterexample is a chain of nodes with a formula between each two of them: an operation, or a whole block. Variables
are indexed along the path, so that counterexamples with a common prefix have the same terms there. What a node says is
a formula at its own indices, made when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from argosy.basics.records import dataclass
from argosy.domains.blocks import BlockAnalysis
from argosy.domains.paths import Indices, PathFormula, Paths, chain
from argosy.engine.protocols import Claiming
from argosy.engine.reached import Node
from argosy.logic.semantics import Value
from argosy.logic.terms import Term
from argosy.models.cfa import Edge

Valuation = Callable[[Term], Value]


@dataclass(frozen=True, slots=True)
class Counterexample:
    """``steps[i]`` leads from ``nodes[i]`` to ``nodes[i + 1]``; ``bases[i]`` are the indices at ``nodes[i]``. ``says``
    is what a node claims, over program variables; ``taken`` turns a model of all steps into the edges it takes."""

    nodes: tuple[Node, ...]
    steps: tuple[Term, ...]
    bases: tuple[Indices, ...]
    paths: Paths
    says: Callable[[Node], Term]
    taken: Callable[[Valuation], Sequence[Edge]]

    def state(self, index: int) -> Term:
        """What ``nodes[index]`` says, at its place in the path."""
        return self.paths.instantiate(self.says(self.nodes[index]), self.bases[index])

    def plain(self, fact: Term) -> Term:
        """A fact about one place of the path as a fact about program variables."""
        return self.paths.abstract_indices(fact)


Reader = Callable[[Node], Counterexample]
"""Reads the counterexample that ends in a target."""


def blocks_reader(analysis: BlockAnalysis) -> Reader:
    """The nodes are those at which a block ends, the steps are the blocks between them."""
    paths, regions = analysis.paths, analysis.abstraction.regions

    def says(node: Node) -> Term:
        return regions.to_term(node.state.abstraction.region)

    def read(target: Node) -> Counterexample:
        at = {node.state.abstraction: node for node in target.ancestry() if node.state.is_abstraction}
        points = target.state.abstraction.chain()
        blocks = [point.block for point in points if point.block is not None]
        bases: list[Indices] = [{}]
        for block in blocks:
            bases.append(chain(bases[-1], block.indices))
        steps = tuple(paths.shifted(block.formula, base) for block, base in zip(blocks, bases, strict=False))

        def taken(value: Valuation) -> list[Edge]:
            return [e for block, base in zip(blocks, bases, strict=False) for e in paths.path(block, base, value)]

        return Counterexample(tuple(at[point] for point in points), steps, tuple(bases), paths, says, taken)

    return read


def explicit_reader(analysis: Claiming[Any], paths: Paths) -> Reader:
    """The nodes are all on the way to the target, the steps are the edges between them."""

    def says(node: Node) -> Term:
        formula: Term = analysis.claim(node.state)[1]
        return formula

    def read(target: Node) -> Counterexample:
        edges: tuple[Edge, ...] = target.trace()
        bases: list[Indices] = [{}]
        steps: list[Term] = []
        for edge in edges:
            step = paths.extend(PathFormula(paths.empty.formula, bases[-1], 0), edge)
            steps.append(step.formula)
            bases.append(step.indices)
        return Counterexample(tuple(target.ancestry()), tuple(steps), tuple(bases), paths, says, lambda value: edges)

    return read
