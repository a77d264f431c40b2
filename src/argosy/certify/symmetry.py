"""The check that exchanging two members of a family changes nothing: it maps the network, and the goals of a query,
to themselves.

All is compared as the front end has read it: every process with the one to which it moves, location by location and
edge by edge (in any order), the ranges of variables, the kinds of channels, the functions that are called, and the
goals; ``image_keys`` says what being the same means. Receivers of a broadcast act in the order of the processes,
which an exchange changes: their updates must have nothing in common. Initial values are not looked at
(``models/network_symmetry`` says why).

Since the permutations of a family are products of exchanges of neighbours, all of them are automorphisms then: a
state meets a goal exactly if its image does, and has a step exactly if its image has the image of the step.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from argosy.certify.image_keys import ImageKeys, Key, Moves, NotSymmetric, closed_under
from argosy.certify.network_texts import places_in
from argosy.kernel.bounds import Bounds
from argosy.models.network import Network, TimedEdge
from argosy.models.network_expressions import (
    ArrayRun,
    Assignment,
    Copy,
    Evaluate,
    Expression,
    FunctionCall,
    If,
    NetworkPlace,
    Reset,
    Return,
    Statement,
    While,
)
from argosy.models.network_queries import Goal
from argosy.models.network_symmetry import AlikeFamily, NeighbourExchange, Symmetry, moved, neighbours, renamed

__all__ = ["NotSymmetric", "exchanged", "proved", "refuted"]


def proved(network: Network, goals: Sequence[Goal], families: Sequence[AlikeFamily]) -> tuple[Symmetry, list[str]]:
    """What of the proposed families holds: those of their members that stand together and can be exchanged. Then the
    reasons why others cannot. No two of them move the same thing: it does not matter which is permuted first."""
    kept: list[AlikeFamily] = []
    exchanges: list[tuple[NeighbourExchange, ...]] = []
    reasons: list[str] = []
    for family in families:
        run: list[NeighbourExchange] = []
        first = 0
        for member in range(family.size):
            found: NeighbourExchange | None = None
            if member + 1 < family.size:
                try:
                    found = exchanged(network, goals, family, member)
                except NotSymmetric as reason:
                    pair = [network.processes[p].name for p in family.processes[0][member : member + 2]]
                    reasons.append(f"{' and '.join(pair)} cannot be exchanged: {reason}")
            if found is not None:
                run.append(found)
                continue
            part = family.among(first, member + 1)
            if run and not any(_meet(part, other) for other in kept):
                kept.append(part)
                exchanges.append(tuple(run))
            first, run = member + 1, []
    return Symmetry(tuple(kept), tuple(exchanges)), reasons


def _meet(first: AlikeFamily, second: AlikeFamily) -> bool:
    for mine, its in zip(first.columns, second.columns, strict=True):
        if {thing for column in mine for thing in column} & {thing for column in its for thing in column}:
            return True
    names = dict(second.values)
    return any({*own} & {*names.get(slot, ())} for slot, own in first.values)


def refuted(network: Network, goals: Sequence[Goal], symmetry: Symmetry, margins: Bounds | None) -> str | None:
    """Why the families are not what they are said to be; None if they are."""
    for family in symmetry.families:
        for member in range(family.size - 1):
            try:
                exchanged(network, goals, family, member)
            except NotSymmetric as reason:
                return f"the network is not symmetric: {reason}"
        if margins is not None and not _symmetric_margins(margins, family):
            return "the bounds of clocks are not symmetric"
    return None


def _symmetric_margins(margins: Bounds, family: AlikeFamily) -> bool:
    """Whether clocks matter up to the same constants when members are exchanged: then a simulation stays one."""
    rows = {(p, place): {*facts.rows} for p, own in enumerate(margins.locations) for place, facts in enumerate(own)}
    rows[-1, -1] = {*margins.goals.rows}
    for member in range(family.size - 1):
        exchange = neighbours(family, member)
        clocks, processes = moved(family.clocks, exchange), moved(family.processes, exchange)
        for (process, location), own in rows.items():
            images = {(clocks.get(clock, clock), lower, upper) for clock, lower, upper in own}
            if images != rows.get((processes.get(process, process), location)):
                return False
    return True


def exchanged(network: Network, goals: Sequence[Goal], family: AlikeFamily, member: int) -> NeighbourExchange:
    """What becomes of edges and goals; raises ``NotSymmetric``."""
    moves = _moves(network, family, member)
    image, same = ImageKeys(network, moves), ImageKeys(network, Moves())
    try:
        _same_kinds(network, moves)
        _receivers_in_any_order(network, moves)
        edges = _edges(network, moves, image, same)
        places: dict[Key, int] = {}
        for number, goal in enumerate(goals):
            places.setdefault(same.goal(goal), number)
        targets = [places.get(image.goal(goal)) for goal in goals]
    except RecursionError:
        raise NotSymmetric("an expression is too deep to be looked at") from None
    if None in targets:
        raise NotSymmetric("the query tells them apart")
    return NeighbourExchange(edges, tuple(t for t in targets if t is not None))


def _moves(network: Network, family: AlikeFamily, member: int) -> Moves:
    sizes = (len(network.processes), len(network.variables), len(network.clocks), len(network.channels))
    for columns, size, least in zip(family.columns, sizes, (0, 0, 1, 0), strict=True):
        mentioned = [thing for column in columns for thing in column]
        if len(set(mentioned)) < len(mentioned) or any(len(column) != family.size for column in columns):
            raise NotSymmetric("something belongs to two members")
        if any(not least <= thing < size for thing in mentioned):
            raise NotSymmetric("something belongs to another network")
    named = [slot for slot, _ in family.values]
    scratch = len(network.variables) + len(network.scratch)
    if len(set(named)) < len(named) or any(not 0 <= slot < scratch for slot in named):
        raise NotSymmetric("a variable holds names twice")
    if any(len(set(names)) != family.size or len(names) != family.size for _, names in family.values):
        raise NotSymmetric("two members have the same name")
    tables = dict(family.values)
    if any(len({tables.get(slot) for slot in column}) > 1 for column in family.slots):
        raise NotSymmetric("variables that belong to members hold names of others")
    exchange = neighbours(family, member)
    processes, slots, clocks, channels = (moved(columns, exchange) for columns in family.columns)
    return Moves(processes, slots, clocks, channels, renamed(family, exchange))


def _same_kinds(network: Network, moves: Moves) -> None:
    for slot, goes in moves.slots.items():
        before, after = network.variables[slot], network.variables[goes]
        if (before.low, before.high, before.meta) != (after.low, after.high, after.meta):
            raise NotSymmetric(f"{before.name} and {after.name} have different ranges")
        if moves.names.get(slot, {}) != moves.names.get(goes, {}):
            raise NotSymmetric(f"{before.name} and {after.name} hold names of others")
    for slot, names in moves.names.items():
        closed_under(names, network.slot(slot).low, network.slot(slot).high)
    for channel, goes in moves.channels.items():
        first, second = network.channels[channel], network.channels[goes]
        if (first.urgent, first.broadcast, first.priority) != (second.urgent, second.broadcast, second.priority):
            raise NotSymmetric(f"{first.name} and {second.name} are channels of different kinds")


def _edges(network: Network, moves: Moves, image: ImageKeys, same: ImageKeys) -> dict[tuple[int, int], tuple[int, int]]:
    """Where each edge goes, those that stay aside. Of edges that are all alike, each goes to one."""
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for process in network.processes:
        there = network.processes[moves.processes.get(process.index, process.index)]
        names = f"{process.name} and {there.name}"
        if len(process.locations) != len(there.locations) or process.priority != there.priority:
            raise NotSymmetric(f"{names} are different processes")
        for location, other in zip(process.locations, there.locations, strict=True):
            if image.location(location) != same.location(other):
                raise NotSymmetric(f"{names} differ in location {location.name}")
        waiting: dict[Key, list[TimedEdge]] = defaultdict(list)
        for edge in there.edges:
            waiting[same.edge(edge)].append(edge)
        for edge in process.edges:
            alike = waiting[image.edge(edge)]
            if not alike:
                raise NotSymmetric(f"{names} differ in an edge from {process.locations[edge.source].name}")
            goes = alike.pop(0)
            if (edge.process, edge.index) != (goes.process, goes.index):
                found[edge.process, edge.index] = goes.process, goes.index
        if len(process.edges) != len(there.edges):
            raise NotSymmetric(f"{names} have different numbers of edges")
    return found


def _receivers_in_any_order(network: Network, moves: Moves) -> None:
    reads: dict[int, set[tuple[str, int]]] = defaultdict(set)
    writes: dict[int, set[tuple[str, int]]] = defaultdict(set)
    for process in network.processes:
        for edge in process.edges:
            its = edge.synchronisation
            if its is None or its.sends or not edge.updates:
                continue
            if any(network.channels[c].broadcast for c in _all(its.channel)):
                for kind, address, stored in _touched(network, edge.updates):
                    (writes if stored else reads)[process.index].add((kind, address))
    for one, effects in writes.items():
        for other in {*reads, *writes} - {one}:
            if one not in moves.processes and other not in moves.processes:
                continue
            if effects & (reads[other] | writes[other]):
                names = f"{network.processes[one].name} and {network.processes[other].name}"
                raise NotSymmetric(f"the order matters in which {names} receive a broadcast")


def _all(place: NetworkPlace) -> range:
    """Whatever it may be; a little more where strides leave gaps."""
    return range(place.base, place.base + sum((s.size - 1) * s.stride for s in place.subscripts) + 1)


def _touched(network: Network, statements: Sequence[Statement]) -> Iterator[tuple[str, int, bool]]:
    """Variables and clocks that statements read or (True) write, the functions that they call included. Scratch memory
    is not looked at: functions set theirs before they read it."""
    count = len(network.variables)

    def expression(e: Expression) -> Iterator[tuple[str, int, bool]]:
        for place in places_in(e):
            yield from (("slot", slot, False) for slot in _all(place) if slot < count)
        for inside in _inside(e):
            match inside:
                case Assignment(target, _):
                    yield from (("slot", slot, True) for slot in _all(target) if slot < count)
                case FunctionCall(function, _):
                    yield from _touched(network, network.functions[function].body)

    for statement in statements:
        match statement:
            case Evaluate(e):
                yield from expression(e)
            case Return(value):
                if value is not None:
                    yield from expression(value)
            case Copy(target, source, size):
                for place, stored in ((target, True), (source, False)):
                    yield from (("slot", s + k, stored) for s in _all(place) for k in range(size) if s + k < count)
                    for subscript in place.subscripts:
                        yield from expression(subscript.index)
            case Reset(clock, value):
                yield from (("clock", c, True) for c in _all(clock))
                yield from expression(value)
                for subscript in clock.subscripts:
                    yield from expression(subscript.index)
            case If(condition, then, otherwise):
                yield from expression(condition)
                yield from _touched(network, (*then, *otherwise))
            case While(condition, body):
                yield from expression(condition)
                yield from _touched(network, body)


def _inside(e: Expression) -> Iterator[Expression]:
    """The expression and all in it."""
    yield e
    parts: list[object] = []
    for name in ("operand", "left", "right", "condition", "then", "otherwise", "value"):
        parts.append(getattr(e, name, None))
    if isinstance(e, FunctionCall):
        parts += e.arguments
    places = [getattr(e, "place", None), getattr(e, "target", None)]
    if isinstance(e, FunctionCall):
        places += [argument.place for argument in e.arguments if isinstance(argument, ArrayRun)]
    for place in places:
        if isinstance(place, NetworkPlace):
            parts += [subscript.index for subscript in place.subscripts]
    for part in parts:
        if isinstance(part, Expression):
            yield from _inside(part)
