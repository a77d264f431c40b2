"""Block operators (paper 004, section IV): where a block ends.

``sbe``                every edge is a block;
``lbe``                at loop heads, function entries and exits;
``k=N``                when the longest path of the block has N operations;
``lbe+k=N``            whichever of the two comes first;
``structure+k=N``      at the first join or loop head after N operations (suggested in the paper's conclusion);
``adaptive``           at loop heads, and at joins once the path formula has grown too large to be cheap.
"""

from __future__ import annotations

import re

from argosy.domains.blocks import BlockOperator
from argosy.models.cfa import Cfa

VALUES = "sbe, lbe, k=N, lbe+k=N, structure+k=N, adaptive"
_FORM = re.compile(r"(?:(sbe|lbe|adaptive)|(lbe\+|structure\+)?k=([1-9]\d*))$")

# An abstraction over this many conjuncts and disjuncts costs more than ending the block earlier does.
ADAPTIVE_LENGTH = 120


def block_operator(cfa: Cfa, name: str) -> BlockOperator:
    """The operator of that name. ValueError for a name that does not exist."""
    form = _FORM.match(name)
    if form is None:
        raise ValueError(f"no such block operator: {name} (there are {VALUES})")
    plain, prefix, length = form.groups()
    large = cfa.loop_heads | cfa.function_borders
    if plain == "sbe":
        return lambda location, path: True
    if plain == "lbe":
        return lambda location, path: location in large
    joins = cfa.loop_heads | {location for location in cfa.locations if len(cfa.entering[location]) > 1}
    if plain == "adaptive":
        return lambda location, path: (
            location in cfa.loop_heads or (path.length >= ADAPTIVE_LENGTH and location in joins)
        )
    k = int(length)
    if prefix == "structure+":
        return lambda location, path: path.length >= k and location in joins
    if prefix == "lbe+":
        return lambda location, path: path.length >= k or location in large
    return lambda location, path: path.length >= k
