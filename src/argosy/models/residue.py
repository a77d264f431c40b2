"""What is left of an edge once it is known which conditions decide something and which values are live.

A condition that decides nothing becomes true. A value that is live is computed as before. A value that is not cannot
simply be left out: where the variable keeps its old value in the slice and gets a new one in the automaton as read, a
claim about the variable that is inductive in the one is not in the other. So a dead value is *forgotten*, the
variable becomes arbitrary; and that is needed only where a claim could see the difference. Claims are made at the
*cuts*, a set of locations on every cycle, hence a dead value need not be forgotten

* if the variable is written again on every path before the next cut, or
* if nothing has read or set the variable since the start, where all its values are possible: it still is arbitrary,
  and the same is true of a value that is live but arbitrary.

Law: take sets of states that are inductive from cut to cut in the residue. They are, over the variables that are left,
inductive from cut to cut in what the residue is left of.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from argosy.basics.records import dataclass
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Edge, Location
from argosy.models.effects import Effect, effect_of, rebuild
from argosy.models.flow import Numbering, backward, grouped, standing_for, target

_ALL = -1


@dataclass(slots=True, eq=False)
class Part:
    """An edge's effect, in bits. ``decided`` says whether its conditions decide something; ``strict``, whether its
    checks stay whatever else does."""

    edge: Edge
    effect: Effect
    conditions: int
    definitions: tuple[tuple[int, int], ...]
    written: int
    tied: int
    checks: int
    decided: bool
    strict: bool

    @property
    def blocks(self) -> bool:
        return bool(self.effect.guards or self.effect.ties)

    def reads(self, after: int) -> bool:
        """Whether the edge still depends on any value or check, ``after`` being live after it."""
        return (self.decided and self.blocks) or bool(after & self.written) or (self.strict and bool(self.edge.checks))

    def operands(self, after: int) -> int:
        """What the edge still reads."""
        found = self.conditions if self.decided else 0
        for variable, value in self.definitions:
            if after & variable:
                found |= value
        return found | self.checks if self.reads(after) else found

    def settled(self, after: int) -> int:
        """Which variables the edge gives a value that is not arbitrary."""
        found = self.tied if self.decided else 0
        for variable, _ in self.definitions:
            found |= variable & after
        return found


def part_of(terms: Terms, numbering: Numbering, edge: Edge, *, exact: bool) -> Part:
    effect = effect_of(terms, edge.operation)
    definitions = tuple((numbering.bit(variable), numbering.read(value)) for variable, value in effect.definitions)
    conditions = 0
    for guard in effect.guards:
        conditions |= numbering.read(guard)
    tied = numbering.bits(effect.tied)
    if effect.ties:
        new = numbering.bits(name for _, name in effect.primed)
        for tie in effect.ties:
            conditions |= numbering.read(tie) & ~new
    written = tied | numbering.bits(effect.havocs)
    for variable, _ in definitions:
        written |= variable
    checks = 0
    for check in edge.checks:
        checks |= numbering.read(check.condition)
    return Part(edge, effect, conditions, definitions, written, tied, checks, exact, exact)


@dataclass(frozen=True, slots=True)
class Left:
    """``edge`` is what is left of an edge; ``reads`` says whether it still depends on any value or check."""

    edge: Edge
    reads: bool


class Residue:
    """What is left of ``parts`` when ``live`` says what is live at each location. ``rank`` orders the locations so that
    an edge that does not go up ends in a cut."""

    def __init__(
        self,
        terms: Terms,
        numbering: Numbering,
        initial: Location,
        parts: Mapping[Edge, Part],
        live: Mapping[Location, int],
        *,
        cuts: Collection[Location],
        rank: Mapping[Location, int],
    ) -> None:
        self._terms = terms
        self._bit = numbering.bit
        self._live = live
        self._cuts = cuts
        self._parts = parts
        variables = 0
        for bits in live.values():
            variables |= bits
        for part in parts.values():
            # A condition that stays speaks about the new values that it ties, read later or not.
            variables |= part.tied if part.decided else 0
        self._variables = variables
        self._seen = backward(list(parts), rank, self._seen_before)
        self._arbitrary = self._arbitrary_since_the_start(initial, rank)
        self.edges = {edge: self._left(part) for edge, part in parts.items()}
        self.variables = frozenset(numbering.members(variables))

    def _seen_at(self, location: Location) -> int:
        return _ALL if location in self._cuts else self._seen.get(location, 0)

    def _seen_before(self, edge: Edge, after: int) -> int:
        """Which variables keep their values up to the next cut on some path."""
        at_target = self._variables if edge.target in self._cuts else after
        return at_target & ~self._parts[edge].written

    def _arbitrary_since_the_start(self, initial: Location, rank: Mapping[Location, int]) -> dict[Location, int]:
        entering = grouped(self._parts, target)
        found = {initial: _ALL}
        for location in sorted(entering, key=rank.__getitem__):
            if location is initial:
                continue
            common = 0 if location in self._cuts else _ALL
            for edge in entering[location] if common else ():
                part, after = self._parts[edge], self._live.get(location, 0)
                common &= found[edge.source] & ~part.operands(after) & ~part.settled(after)
            found[location] = common
        return found

    def _left(self, part: Part) -> Left:
        edge, effect = part.edge, part.effect
        after = self._live.get(edge.target, 0)
        decided, bit = part.decided, self._bit
        untouched = self._arbitrary[edge.source] & ~part.operands(after)
        forgotten = self._variables & ~untouched & (after | self._seen_at(edge.target))
        candidates: list[Term] = [*effect.havocs]
        candidates += [variable for variable, _ in effect.definitions if not after & bit(variable)]
        candidates += effect.tied if not decided else ()
        rest = Effect(
            guards=effect.guards if decided else (),
            definitions=tuple(pair for pair in effect.definitions if after & bit(pair[0])),
            havocs=tuple(variable for variable in candidates if forgotten & bit(variable)),
            ties=effect.ties if decided else (),
            tied=effect.tied if decided else (),
            primed=effect.primed,
        )
        reads = part.reads(after)
        checks = edge.checks if reads else ()
        operation = rebuild(self._terms, rest)
        if operation == edge.operation and checks == edge.checks:
            return Left(edge, reads)
        return Left(standing_for(edge, operation, checks), reads)
