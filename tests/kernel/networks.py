"""Small networks built by hand, without a front end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from argosy.models.network import (
    REFERENCE_CLOCK,
    Channel,
    Clock,
    Network,
    NetworkVariable,
    Synchronisation,
    TimedEdge,
    TimedLocation,
    TimedProcess,
)
from argosy.models.network_expressions import (
    TRUE,
    Assignment,
    AtLocation,
    Binary,
    ClockAtom,
    ClockRelation,
    Constant,
    Constraint,
    Evaluate,
    Expression,
    NetworkFunction,
    NetworkPlace,
    Read,
    Reset,
    Statement,
)
from argosy.models.network_queries import Goal


def number(value: int | Expression) -> Expression:
    return Constant(value) if isinstance(value, int) else value


def read(slot: int) -> Expression:
    return Read(NetworkPlace(slot))


def equals(slot: int, value: int) -> Expression:
    return Binary("==", read(slot), Constant(value))


def both(*conditions: Expression) -> Expression:
    result = conditions[0]
    for condition in conditions[1:]:
        result = Binary("&&", result, condition)
    return result


def put(slot: int, value: int | Expression) -> Statement:
    return Evaluate(Assignment(NetworkPlace(slot), number(value)))


def reset(clock: int, value: int | Expression = 0) -> Statement:
    return Reset(NetworkPlace(clock), number(value))


def atom(left: int, relation: ClockRelation, bound: int | Expression, right: int = 0) -> ClockAtom:
    return ClockAtom(NetworkPlace(left), NetworkPlace(right), relation, number(bound))


def when(condition: Expression = TRUE, *atoms: ClockAtom) -> Constraint:
    return Constraint(condition, tuple(atoms))


def at(process: int, location: int) -> Expression:
    return AtLocation(process, location)


@dataclass
class Draft:
    """A process under construction."""

    locations: list[TimedLocation] = field(default_factory=list)
    edges: list[TimedEdge] = field(default_factory=list)
    priority: int = 0

    def location(
        self, name: str, invariant: Constraint | None = None, urgent: bool = False, committed: bool = False
    ) -> int:
        index = len(self.locations)
        self.locations.append(TimedLocation(index, name, invariant or Constraint(), urgent, committed))
        return index

    def edge(
        self,
        source: int,
        target: int,
        guard: Constraint | None = None,
        sync: tuple[int | NetworkPlace, str] | None = None,
        updates: Iterable[Statement] = (),
    ) -> None:
        made = None
        if sync is not None:
            place = NetworkPlace(sync[0]) if isinstance(sync[0], int) else sync[0]
            made = Synchronisation(place, sync[1] == "!")
        self.edges.append(
            TimedEdge(len(self.edges), -1, source, target, guard or Constraint(), made, tuple(updates), len(self.edges))
        )


def network(
    drafts: Sequence[Draft],
    variables: Sequence[NetworkVariable] = (),
    clocks: int = 0,
    channels: Sequence[Channel] = (),
    functions: Sequence[NetworkFunction] = (),
    scratch: Sequence[NetworkVariable] = (),
    default_priority: int = 0,
) -> Network:
    processes = []
    for index, draft in enumerate(drafts):
        edges = tuple(
            TimedEdge(e.index, index, e.source, e.target, e.guard, e.synchronisation, e.updates, e.origin)
            for e in draft.edges
        )
        processes.append(TimedProcess(index, f"P{index}", "P", tuple(draft.locations), edges, 0, draft.priority))
    return Network(
        "test",
        tuple(processes),
        tuple(variables),
        tuple(scratch),
        (REFERENCE_CLOCK, *(Clock(f"x{k}") for k in range(1, clocks + 1))),
        tuple(channels),
        tuple(functions),
        default_priority,
    )


def fischer(count: int, delay: int = 10, mutual: bool = True) -> tuple[Network, tuple[Goal, ...]]:
    """Fischer's protocol; the waiting time is too short by one strictness where not ``mutual``."""
    drafts = []
    for pid in range(1, count + 1):
        draft = Draft()
        idle = draft.location("A")
        request = draft.location("req", when(TRUE, atom(pid, "<=", delay)))
        wait = draft.location("wait")
        critical = draft.location("cs")
        draft.edge(idle, request, when(equals(0, 0)), updates=[reset(pid)])
        draft.edge(request, wait, when(TRUE, atom(pid, "<=", delay)), updates=[reset(pid), put(0, pid)])
        draft.edge(wait, request, when(equals(0, 0)), updates=[reset(pid)])
        relation: ClockRelation = ">" if mutual else ">="
        draft.edge(wait, critical, when(equals(0, pid), atom(pid, relation, delay)))
        draft.edge(critical, idle, updates=[put(0, 0)])
        drafts.append(draft)
    made = network(drafts, [NetworkVariable("id", 0, count, 0)], count)
    pairs = [(i, j) for i in range(count) for j in range(i + 1, count)]
    return made, tuple(Goal(both(at(i, 3), at(j, 3))) for i, j in pairs)


def token_ring(count: int) -> tuple[Network, tuple[Goal, ...]]:
    """A token with timed rotation. A station that gets it early may keep it until the previous rotation is a full one;
    it measures rotations with two clocks by turns. Zones grow as the ring turns: most are found again, and larger."""
    rotation, least = 50 * count, 20
    drafts = []
    for pid in range(count):
        holding, clocks = 3 * pid + 1, (3 * pid + 2, 3 * pid + 3)
        draft = Draft()
        waiting = [draft.location(f"waiting{k}") for k in range(2)]
        passing = [put(0, (pid + 1) % count), reset(3 * count + 1)]
        for phase, (measured, other) in enumerate((clocks, clocks[::-1])):
            late = draft.location(f"late{phase}", when(TRUE, atom(holding, "<=", least)))
            early = draft.location(f"early{phase}", when(TRUE, atom(holding, "<=", least)))
            keeping = draft.location(f"keeping{phase}", when(TRUE, atom(other, "<=", rotation + least)))
            got = [reset(holding), reset(measured)]
            at_once = atom(3 * count + 1, "<=", 0)
            draft.edge(waiting[phase], late, when(equals(0, pid), atom(holding, ">=", rotation), at_once), None, got)
            draft.edge(waiting[phase], early, when(equals(0, pid), atom(holding, "<", rotation), at_once), None, got)
            draft.edge(late, waiting[1 - phase], when(TRUE, atom(holding, ">=", least)), None, passing)
            draft.edge(early, keeping, when(TRUE, atom(holding, ">=", least)))
            draft.edge(keeping, waiting[1 - phase], None, None, passing)
        drafts.append(draft)
    made = network(drafts, [NetworkVariable("turn", 0, count - 1, 0)], 3 * count + 1)
    return made, (Goal(both(*(at(pid, 5) for pid in range(count)))),)
