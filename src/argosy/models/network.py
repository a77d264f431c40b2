"""Networks of timed automata as UPPAAL has them: instantiated processes over shared variables, clocks and channels.

Immutable, no analysis inside. Names follow UPPAAL's language reference (docs.uppaal.org, "Semantics", "Edges",
"Locations", "Priorities"); what it leaves open is decided here. ``network_semantics`` is this page as a program.

**State.** A location per process, a value per variable, a non-negative real per clock. Initially every process is in
its initial location, every variable and every clock has its ``initial`` value; the invariants must hold there
(otherwise the model is in error: there is no initial state).

**Invariant.** A state exists only if the invariants of all current locations hold.

**Enabled edge.** The process is in the edge's source and the guard holds. The target's invariant plays no part: it
decides whether the joint step leads to a state, not who takes part in it.

**Actions.**
- *internal*: one enabled edge without synchronisation.
- *binary*: an enabled edge ``c!`` and an enabled edge ``c?`` of two different processes with the same channel.
- *broadcast*: an enabled edge ``c!`` and, of every other process that has an edge ``c?`` from its current location
  whose integer condition holds, exactly one enabled such edge (a choice where there are several). Without clock atoms
  on receivers this is UPPAAL's rule: the sender never waits, and a receiver that can take part must. Where receivers
  have clock atoms, the front end adds ``idle`` edges, which are enabled exactly when no other receiving edge of the
  location is; taking one stands for not taking part.
Channel expressions and guards are evaluated in the state before the action. Guards of edges on urgent channels have
no clock atoms (the front end refuses others, as UPPAAL does).

**Updates** run in sequence: the sender's first, then the receivers' in the order of ``processes``. Afterwards the
locations change and the invariants of all locations of the new vector must hold, otherwise there is no such action.

**Committed.** If some process is in a committed location, an action takes place only if at least one participating
process (sender or receiver) leaves a committed location.

**Priorities.** An action has the priority (channel's priority, highest priority of its participants), compared in
this order; internal actions have ``Network.default_priority`` for the first. A larger number is a higher priority. An
action is blocked in a state (point of time included) where an action with strictly higher priority is possible, all
the rules above included (committed, target invariants). Delay neither blocks nor is blocked.

**Delay.** Time passes while all invariants hold throughout; it does not pass at all if some process is in an urgent
or committed location, or if a synchronisation on an urgent channel is enabled: for a binary channel an enabled sender
and an enabled receiver in different processes, for a broadcast channel an enabled sender. Priorities and target
invariants do not matter for this, so whether time may pass is decided by the discrete part of the state.

**Rates.** A clock grows by 1 per unit of time, but for ``rates`` of the current locations: there it grows by the
value that the expression has in the discrete state (0: the clock stands still). Only one process gives rates to a
clock, and a location one at most, so that there is no conflict; a negative value is a model error.

**Meta variables** are part of the vector while a step is computed; two states that differ in them only are equal.

**Deadlock.** A state from which, now and after any permitted delay, no action is possible.

**Maximal runs**, which ``E[]``, ``A<>`` and ``-->`` are about: a run is maximal if it has infinitely many actions; or
if it waits for ever after its last one, where invariants permit any delay; or if it ends in a deadlock and waits there
as long as it may. A formula holds always on a run if it holds in every state that the run passes, those inside delays
included. (Time that converges makes no run maximal by itself: who may act and waits ever shorter is not at an end.)

**Model errors** (see ``network_expressions``: range, index, division, shift, negative clock value, arithmetic
beyond 32 bits, endless loop) in a guard, synchronisation, update or invariant abort the verification, as in UPPAAL.
An error in an update counts although the target invariant might have failed afterwards. Guards of an edge are
evaluated only in its source location, and the integer condition of a guard before its clock atoms.
"""

from __future__ import annotations

from argosy.basics.position import NOWHERE, Position
from argosy.basics.records import dataclass, field
from argosy.models.network_expressions import (
    UNCONSTRAINED,
    Constraint,
    Expression,
    NetworkFunction,
    NetworkPlace,
    Statement,
)


@dataclass(frozen=True, slots=True)
class NetworkVariable:
    """One integer slot; a boolean has the range 0 .. 1, a scalar 0 .. n-1. ``name`` is complete: ``P(1).a[2].f``."""

    name: str
    low: int
    high: int
    initial: int
    meta: bool = False
    boolean: bool = False
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Clock:
    """``initial`` is not negative."""

    name: str
    position: Position = field(default=NOWHERE, compare=False)
    initial: int = 0


REFERENCE_CLOCK = Clock("0")


@dataclass(frozen=True, slots=True)
class Channel:
    name: str
    urgent: bool = False
    broadcast: bool = False
    priority: int = 0
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Synchronisation:
    channel: NetworkPlace
    sends: bool
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class EdgeText:
    """The labels as written, for drawings; ``select`` shows the chosen values (``i = 2``), ``nails`` are where the edge
    bends in its author's drawing."""

    select: str = ""
    guard: str = ""
    synchronisation: str = ""
    update: str = ""
    nails: tuple[tuple[float, float], ...] = field(default=(), compare=False)


UNLABELLED = EdgeText()


@dataclass(frozen=True, slots=True)
class ClockRate:
    """How fast a clock runs: ``x' == value``."""

    clock: int
    value: Expression
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class TimedLocation:
    """``index`` counts within the process; ``at`` is where its author has drawn it."""

    index: int
    name: str
    invariant: Constraint = UNCONSTRAINED
    urgent: bool = False
    committed: bool = False
    text: str = ""
    position: Position = field(default=NOWHERE, compare=False)
    at: tuple[float, float] | None = field(default=None, compare=False)
    rates: tuple[ClockRate, ...] = ()


@dataclass(frozen=True, slots=True)
class TimedEdge:
    """One edge for each combination of selected values, and for each disjunct of a guard that has several.

    ``index`` counts within the process, ``origin`` is the same for all edges made of one edge of the source;
    ``source`` and ``target`` are indices of locations of ``process``. ``idle``: a loop that stands for not taking
    part in a broadcast (traces leave it out).
    """

    index: int
    process: int
    source: int
    target: int
    guard: Constraint = UNCONSTRAINED
    synchronisation: Synchronisation | None = None
    updates: tuple[Statement, ...] = ()
    origin: int = -1
    text: EdgeText = UNLABELLED
    position: Position = field(default=NOWHERE, compare=False)
    idle: bool = False


@dataclass(frozen=True, slots=True)
class TimedProcess:
    index: int
    name: str
    template: str
    locations: tuple[TimedLocation, ...]
    edges: tuple[TimedEdge, ...]
    initial: int
    priority: int = 0
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Network:
    """``clocks[0]`` is the reference clock. ``scratch`` (functions' frames) continues the numbering of ``variables``.

    A constant array that is read at a computed index is a run of variables whose range is a single value. ``notes``
    says where the text left something open and how it was read."""

    name: str
    processes: tuple[TimedProcess, ...]
    variables: tuple[NetworkVariable, ...] = ()
    scratch: tuple[NetworkVariable, ...] = ()
    clocks: tuple[Clock, ...] = (REFERENCE_CLOCK,)
    channels: tuple[Channel, ...] = ()
    functions: tuple[NetworkFunction, ...] = ()
    default_priority: int = 0
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Clock guards on urgent edges would make urgency depend on time; the rules above do not cover them. Nor do
        they say what becomes of a clock with two rates."""
        owners: dict[int, int] = {}
        for process in self.processes:
            for location in process.locations:
                clocks = [rate.clock for rate in location.rates]
                if len(set(clocks)) < len(clocks) or any(
                    owners.setdefault(c, process.index) != process.index for c in clocks
                ):
                    raise ValueError(f"{process.name}.{location.name}: a clock has two rates")
        for process in self.processes:
            for edge in process.edges:
                if edge.synchronisation is None or not edge.guard.atoms:
                    continue
                channel = self.channels[edge.synchronisation.channel.base]
                if channel.urgent:
                    raise ValueError(f"{process.name}: clock guard on an edge of the urgent channel {channel.name}")

    def slot(self, index: int) -> NetworkVariable:
        """The variable behind an integer slot of the state vector or of the scratch memory."""
        count = len(self.variables)
        return self.variables[index] if index < count else self.scratch[index - count]

    @property
    def rated(self) -> tuple[ClockRate, ...]:
        """All rates: where there are none, every clock measures time."""
        return tuple(rate for process in self.processes for location in process.locations for rate in location.rates)

    @property
    def has_priorities(self) -> bool:
        return (
            len({p.priority for p in self.processes}) > 1
            or len({self.default_priority, *(c.priority for c in self.channels)}) > 1
        )
