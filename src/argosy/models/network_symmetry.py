"""Permutations of a network: families of members that are alike, and how exchanging members changes a state.

A family has ``size`` members. A *column* lists one thing for each member: the process, variable, clock or channel
that is its own. A variable of ``values`` holds the names of members: ``names[i]`` stands for the i-th one, every
other number for itself. A permutation of the members moves what is in the columns and renames what such variables
hold; that is an action of the symmetric group, so whatever holds for the exchanges of neighbours holds for all
permutations (Ip and Dill, "Better Verification through Symmetry", 1996; Hendriks, Behrmann, Larsen, Niebert,
Vaandrager, "Adding Symmetry Reduction to UPPAAL", FORMATS 2003).

Nothing here says that a network does not change under a permutation: ``certify/symmetry`` checks that. An initial
state that does change is no obstacle: what is reachable from its image is the image of what is reachable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from argosy.basics.records import dataclass

Column = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AlikeFamily:
    """``processes[0]`` are the members themselves; slots of ``values`` may be scratch memory."""

    processes: tuple[Column, ...]
    slots: tuple[Column, ...] = ()
    clocks: tuple[Column, ...] = ()
    channels: tuple[Column, ...] = ()
    values: tuple[tuple[int, Column], ...] = ()

    @property
    def size(self) -> int:
        return len(self.processes[0])

    @property
    def columns(self) -> tuple[tuple[Column, ...], ...]:
        return self.processes, self.slots, self.clocks, self.channels

    def among(self, first: int, end: int) -> AlikeFamily:
        """The same for some of its members that stand together."""
        processes, slots, clocks, channels = (tuple(c[first:end] for c in columns) for columns in self.columns)
        return AlikeFamily(processes, slots, clocks, channels, tuple((s, names[first:end]) for s, names in self.values))


Permutation = tuple[int, ...]
"""Where each member goes."""


def identity(family: AlikeFamily) -> Permutation:
    return tuple(range(family.size))


def neighbours(family: AlikeFamily, first: int) -> Permutation:
    """The exchange of a member and the next one."""
    order = list(range(family.size))
    order[first], order[first + 1] = first + 1, first
    return tuple(order)


def moved(columns: Sequence[Column], permutation: Permutation) -> dict[int, int]:
    """Where things go; what stays is left out."""
    return {
        column[member]: column[goes]
        for column in columns
        for member, goes in enumerate(permutation)
        if column[member] != column[goes]
    }


def renamed(family: AlikeFamily, permutation: Permutation) -> dict[int, dict[int, int]]:
    """By slot that holds names: what names become."""
    return {slot: dict(moved((names,), permutation)) for slot, names in family.values}


def permuted(values: Sequence[int], goes: Mapping[int, int]) -> tuple[int, ...]:
    result = list(values)
    for before, after in goes.items():
        result[after] = values[before]
    return tuple(result)


def image(
    family: AlikeFamily, permutation: Permutation, locations: Sequence[int], values: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Locations and variables after a permutation of the members."""
    names = renamed(family, permutation)
    called = [names[slot].get(value, value) if slot in names else value for slot, value in enumerate(values)]
    return permuted(locations, moved(family.processes, permutation)), permuted(called, moved(family.slots, permutation))


@dataclass(frozen=True, slots=True)
class NeighbourExchange:
    """What becomes of the edges, as (process, index), and of the goals when a member and the next one are exchanged."""

    edges: Mapping[tuple[int, int], tuple[int, int]]
    goals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Symmetry:
    """Families under whose permutations a network and the goals of a query do not change; for each of them, the
    exchanges of its neighbours."""

    families: tuple[AlikeFamily, ...]
    exchanges: tuple[tuple[NeighbourExchange, ...], ...]


def exchanges_of(permutation: Permutation) -> list[int]:
    """Exchanges of neighbours, given by the first of the two, which one after the other are the permutation."""
    left, found = list(permutation), []
    for end in range(len(left) - 1, 0, -1):
        for first in range(end):
            if left[first] > left[first + 1]:
                left[first], left[first + 1] = left[first + 1], left[first]
                found.append(first)
    return found


def composed(later: Permutation, earlier: Permutation) -> Permutation:
    return tuple(later[goes] for goes in earlier)


def inverse(permutation: Permutation) -> Permutation:
    result = [0] * len(permutation)
    for member, goes in enumerate(permutation):
        result[goes] = member
    return tuple(result)
