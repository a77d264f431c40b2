"""Block operators ([ABE], section IV): where a block ends.

``sbe``                every edge is a block;
``lbe``                at loop heads, function entries and exits;
``loops``              at loop heads only;
``k=N``                when the longest path of the block has N operations;
``lbe+k=N``            whichever of the two comes first;
``structure+k=N``      at the first join or loop head after N operations (suggested in the paper's conclusion);
``adaptive``           at loop heads, and at joins after as many operations as were cheap to abstract so far: the
                       limit is halved when an abstraction becomes expensive (suggested in section III.B).
"""

from __future__ import annotations

from argosy.domains.blocks import BlockOperator
from argosy.domains.paths import PathFormula
from argosy.domains.predicate import PredicateAbstraction
from argosy.models.cfa import Cfa, Location
from argosy.options.values import BlockEnd, Blocks

# Solver checks after which an abstraction counts as expensive, and the shortest blocks that are made of it.
EXPENSIVE = 200
SHORTEST = 10


class Adaptive:
    """Blocks are as long as their abstraction is cheap, counted in solver checks, which repeat from run to run."""

    def __init__(self, cfa: Cfa, abstraction: PredicateAbstraction) -> None:
        self._heads = cfa.loop_heads
        self._joins = frozenset(location for location in cfa.locations if len(cfa.entering[location]) > 1)
        self._abstraction = abstraction
        self._seen = 0
        self.limit: int | None = None

    def __call__(self, location: Location, path: PathFormula) -> bool:
        counters = self._abstraction.counters
        if counters.computed != self._seen:
            self._seen = counters.computed
            if counters.last_checks > EXPENSIVE:
                self.limit = max(SHORTEST, min(self.limit or counters.last_length, counters.last_length) // 2)
        if location in self._heads:
            return True
        return self.limit is not None and path.length >= self.limit and location in self._joins


def large_block_ends(cfa: Cfa) -> frozenset[Location]:
    return cfa.loop_heads | cfa.function_borders


def block_operator(cfa: Cfa, blocks: Blocks, abstraction: PredicateAbstraction | None = None) -> BlockOperator:
    """``adaptive`` watches ``abstraction``."""
    large, k = large_block_ends(cfa), blocks.operations
    joins = cfa.loop_heads | {location for location in cfa.locations if len(cfa.entering[location]) > 1}
    match blocks.end:
        case BlockEnd.SBE:
            return lambda location, path: True
        case BlockEnd.LBE:
            return lambda location, path: location in large
        case BlockEnd.LOOPS:
            return lambda location, path: location in cfa.loop_heads
        case BlockEnd.LENGTH:
            return lambda location, path: path.length >= k
        case BlockEnd.LBE_OR_LENGTH:
            return lambda location, path: path.length >= k or location in large
        case BlockEnd.JOIN_AFTER_LENGTH:
            return lambda location, path: path.length >= k and location in joins
        case BlockEnd.ADAPTIVE:
            if abstraction is None:
                raise ValueError("adaptive needs an abstraction to watch")
            return Adaptive(cfa, abstraction)
