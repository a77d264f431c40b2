"""Compiles a network and the goals of a query into the tables that the native search reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from argosy.basics.position import Position
from argosy.basics.records import dataclass
from argosy.kernel import _zones
from argosy.kernel.bounds import Bounds, Diagonal, Facts, Unsupported, analyse
from argosy.kernel.bytecode import Assembler
from argosy.kernel.dbm import EXACT, NO_BOUND, strict, weak
from argosy.kernel.ranges import Ranges
from argosy.models.network import Network, TimedEdge
from argosy.models.network_expressions import TRUE, ClockAtom, Constant, Constraint
from argosy.models.network_queries import Goal
from argosy.models.network_symmetry import AlikeFamily

RELATIONS = {"<": 0, "<=": 1, "==": 2, ">=": 3, ">": 4}

WIDEST_NARROW_BOUND = 32_000
"""Encoded bounds up to this fit the kernel's 16-bit zones."""

LARGEST_RATE = 1_000

AtomRow = tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Compiled:
    """A network ready for the search. ``positions`` maps addresses of the code to the source."""

    network: Network
    goals: tuple[Goal, ...]
    model: _zones.Model
    bounds: Bounds
    positions: dict[int, Position]


def compile_network(
    network: Network,
    goals: Iterable[Goal],
    literals: Iterable[Constraint] = (),
    measure_time: bool = False,
    bisimilar: bool = False,
    ticks: bool = False,
    families: Iterable[AlikeFamily] = (),
) -> Compiled:
    """``literals`` are what a pattern database asks of a state; ``measure_time`` adds a clock for absolute time,
    ``ticks`` one that is compared with 1 only. ``bisimilar``: see ``bounds.analyse``; ``families``: see ``Ranges``."""
    return _Compiler(network, tuple(goals), measure_time, bisimilar, ticks, tuple(families)).run(tuple(literals))


class _Compiler:
    def __init__(
        self,
        network: Network,
        goals: tuple[Goal, ...],
        measure_time: bool,
        bisimilar: bool,
        ticks: bool,
        families: tuple[AlikeFamily, ...],
    ) -> None:
        self._network = network
        self._goals = goals
        self._measures_time = measure_time
        self._ticks = ticks
        self._ranges = Ranges(network, goals, families)
        self._check_rates("the fastest run" if measure_time else "queries about whole runs" if bisimilar else None)
        self._bounds = analyse(network, goals, self._ranges, bisimilar, families)
        self._assembler = Assembler(network)
        self._model = _zones.Model()
        everywhere = [self._bounds.goals, *(facts for own in self._bounds.locations for facts in own)]
        self._diagonals: dict[Diagonal, int] = {}
        for diagonal in sorted({d for facts in everywhere for d in facts.diagonals}):
            self._diagonals[diagonal] = len(self._diagonals)
            self._model.add_diagonal(*diagonal)

    def _check_rates(self, exact: str | None) -> None:
        """Zones contain more than what clocks with rates reach by delay, which a proof may rely on and nothing else."""
        for rate in self._network.rated:
            low, high = self._ranges.of(rate.value)
            if low < 0 or high > LARGEST_RATE:
                raise Unsupported(rate.position, f"a clock rate outside 0 .. {LARGEST_RATE}")
            if exact is not None:
                raise Unsupported(rate.position, f"stopwatches or clock rates: {exact}")
            if any(goal.deadlock is not None for goal in self._goals):
                raise Unsupported(rate.position, "stopwatches or clock rates: queries with 'deadlock'")

    def run(self, literals: Sequence[Constraint]) -> Compiled:
        network, model = self._network, self._model
        model.clocks = len(network.clocks)
        model.default_priority = network.default_priority
        model.priorities = network.has_priorities
        model.coarse = list(self._bounds.coarse)
        for slot in (*network.variables, *network.scratch):
            model.add_slot(slot.low, slot.high, slot.initial)
        for channel in network.channels:
            model.add_channel(channel.urgent, channel.broadcast, channel.priority)
        for index, function in enumerate(network.functions):
            parameters = [p.slot + offset for p in function.parameters for offset in range(p.size)]
            model.add_function(self._assembler.entries[index], function.low, function.high, parameters)
        for clock, its in enumerate(network.clocks):
            if its.initial:
                model.add_initial_clock(clock, its.initial)
        self._processes()
        for goal in self._goals:
            deadlock = -1 if goal.deadlock is None else int(goal.deadlock)
            model.add_goal(self._assembler.condition(goal.condition), self._atoms(goal.atoms), deadlock)
        for literal in literals:
            model.add_literal(self._assembler.condition(literal.condition), self._atoms(literal.atoms))
        self._asked_everywhere()
        model.code = self._assembler.code or [0]
        model.stack_size = self._assembler.stack_size
        model.wide_zones = (
            self._measures_time
            or bool(network.rated)
            or 2 * model.clocks * self._bounds.largest + 1 > WIDEST_NARROW_BOUND
        )
        model.pack(self._ranges.variables)
        return Compiled(network, self._goals, model, self._bounds, self._assembler.positions)

    def _processes(self) -> None:
        for process in self._network.processes:
            self._model.add_process(process.initial, process.priority)
            for location in process.locations:
                facts = self._bounds.locations[process.index][location.index]
                self._model.add_location(
                    process.index,
                    location.urgent,
                    location.committed,
                    self._assembler.condition(location.invariant.condition),
                    self._atoms(location.invariant.atoms),
                    facts.rows,
                    self._live(facts),
                    [(rate.clock, self._assembler.value(rate.value)) for rate in location.rates],
                )
            for edge in process.edges:
                self._edge(edge)

    def _edge(self, edge: TimedEdge) -> None:
        channel = code = -1
        urgent = False
        if edge.synchronisation is not None:
            place = edge.synchronisation.channel
            kinds = [self._network.channels[c] for c in self._ranges.addresses(place)]
            urgent = any(kind.urgent for kind in kinds)
            if edge.guard.atoms and urgent:
                raise Unsupported(edge.position, "a clock guard on an edge with an urgent channel")
            if place.subscripts:
                code = self._assembler.address(place)
            else:
                channel = place.base
        self._model.add_edge(
            edge.process,
            edge.index,
            edge.source,
            edge.target,
            self._assembler.condition(edge.guard.condition),
            self._atoms(edge.guard.atoms),
            edge.synchronisation is not None,
            edge.synchronisation is not None and edge.synchronisation.sends,
            channel,
            code,
            urgent,
            self._assembler.update(edge.updates),
        )

    def _asked_everywhere(self) -> None:
        facts = self._bounds.goals
        rows = facts.rows
        if self._measures_time:
            self._model.time_clock = self._model.clocks
            self._model.clocks += 1
            rows.append((self._model.time_clock, NO_BOUND, EXACT))
        if self._ticks:
            rows.append((self._model.clocks, 1, 1))
            self._model.clocks += 1
        self._model.set_goal_bounds(rows)
        self._model.goal_diagonals = self._live(facts)

    def _live(self, facts: Facts) -> list[int]:
        return sorted(self._diagonals[diagonal] for diagonal in facts.diagonals)

    def _atoms(self, atoms: Iterable[ClockAtom]) -> list[AtomRow]:
        """Atoms with constant clocks and bounds become bounds of a matrix; the others are computed at run time."""
        rows: list[AtomRow] = []
        for atom in atoms:
            fixed = atom.condition == TRUE and not atom.left.subscripts and not atom.right.subscripts
            if not fixed or not isinstance(atom.bound, Constant):
                rows.append((0, 0, 0, self._assembler.atom(atom), RELATIONS[atom.relation]))
                continue
            left, right, constant = atom.left.base, atom.right.base, atom.bound.value
            if atom.relation in ("<", "<=", "=="):
                rows.append((left, right, strict(constant) if atom.relation == "<" else weak(constant), -1, 0))
            if atom.relation in (">", ">=", "=="):
                rows.append((right, left, strict(-constant) if atom.relation == ">" else weak(-constant), -1, 0))
        return rows
