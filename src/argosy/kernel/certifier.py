"""Writes a network down as plain trees for the native certifier (``cpp/certifier.hpp``), which walks them.

A tree is a run of numbers; a number that stands for another tree is the index of its first number. Each form below
is the list of numbers of one kind of tree, in the order in which the certifier reads them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable

from argosy.kernel._certifier import Certifier, EventualCertifier
from argosy.kernel.bounds import Bounds
from argosy.kernel.graph import SymbolicState
from argosy.kernel.search import ZoneSearch
from argosy.models import network_expressions as e
from argosy.models.network import Network
from argosy.models.network_queries import Goal, Stay
from argosy.models.network_symmetry import AlikeFamily

OPERATIONS = [*"+-*/%&|^", "<<", ">>", "<?", ">?", "<", "<=", "==", "!=", ">=", ">", "&&", "||"]
RELATIONS = ["<", "<=", "==", ">=", ">"]


class Trees:
    def __init__(self) -> None:
        self.numbers: list[int] = []

    def _write(self, *numbers: int) -> int:
        start = len(self.numbers)
        self.numbers += numbers
        return start

    def expression(self, expression: e.Expression) -> int:
        match expression:
            case e.Constant(value):
                return self._write(0, value)
            case e.Read(place):
                return self._write(1, self.place(place))
            case e.Unary(operator, operand):
                return self._write(2, 0 if operator == "-" else 1, self.expression(operand))
            case e.Binary(operator, left, right):
                return self._write(3, OPERATIONS.index(operator), self.expression(left), self.expression(right))
            case e.Conditional(condition, then, otherwise):
                parts = [self.expression(part) for part in (condition, then, otherwise)]
                return self._write(4, *parts)
            case e.Assignment(target, value):
                return self._write(5, self.place(target), self.expression(value))
            case e.FunctionCall(function, arguments):
                given: list[int] = []
                for argument in arguments:
                    if isinstance(argument, e.ArrayRun):
                        given += (self.place(argument.place), argument.size)
                    else:
                        given += (self.expression(argument), 0)
                return self._write(6, function, len(arguments), *given)
            case e.AtLocation(process, location):
                return self._write(7, process, location)

    def place(self, place: e.NetworkPlace) -> int:
        subscripts: list[int] = []
        for subscript in place.subscripts:
            subscripts += (self.expression(subscript.index), subscript.low, subscript.size, subscript.stride)
        return self._write(place.base, len(place.subscripts), *subscripts)

    def constraint(self, condition: e.Expression, atoms: Iterable[e.ClockAtom]) -> int:
        rows: list[int] = []
        for atom in atoms:
            rows += (self.place(atom.left), self.place(atom.right), RELATIONS.index(atom.relation))
            rows += (self.expression(atom.bound), self.expression(atom.condition))
        return self._write(self.expression(condition), len(rows) // 5, *rows)

    def of(self, constraint: e.Constraint) -> int:
        return self.constraint(constraint.condition, constraint.atoms)

    def block(self, statements: Iterable[e.Statement]) -> int:
        parts = [self._statement(statement) for statement in statements]
        return self._write(len(parts), *parts)

    def _statement(self, statement: e.Statement) -> int:
        match statement:
            case e.Evaluate(expression):
                return self._write(0, self.expression(expression))
            case e.Copy(target, source, size):
                return self._write(1, self.place(target), self.place(source), size)
            case e.Reset(clock, value):
                return self._write(2, self.place(clock), self.expression(value))
            case e.If(condition, then, otherwise):
                parts = [self.expression(condition), self.block(then), self.block(otherwise)]
                return self._write(3, *parts)
            case e.While(condition, body, test_first):
                parts = [self.expression(condition), self.block(body)]
                return self._write(4, *parts, int(test_first))
            case e.Return(value):
                return self._write(5, -1 if value is None else self.expression(value))


class NativeCertifier:
    """Checks whether states form an inductive set without goals; ``certify/zones`` says what that means."""

    CHUNK = 400_000
    """How many numbers are handed over at a time, so that a request to stop does not wait for all of them."""

    def __init__(
        self,
        network: Network,
        goals: Iterable[Goal],
        margins: Bounds | None = None,
        families: Iterable[AlikeFamily] = (),
    ) -> None:
        """``margins``: the states stand for all that they simulate up to these bounds, which are checked too.
        ``families``: they also stand for their images under permutations, which someone else has checked."""
        self._certifier = Certifier()
        write_network(self._certifier, network, goals)
        for family in families:
            values = [(slot, names) for slot, names in family.values if slot < len(network.variables)]
            self._certifier.add_family(family.size, family.processes, family.slots, family.clocks, values)
        if margins is not None:
            self._certifier.add_margin(-1, -1, 0, 0, 0)
            for row in margins.goals.rows:
                self._certifier.add_margin(-1, -1, *row)
            for process, locations in enumerate(margins.locations):
                for location, facts in enumerate(locations):
                    for row in facts.rows:
                        self._certifier.add_margin(process, location, *row)

    @property
    def states(self) -> int:
        return self._certifier.states

    @property
    def transitions(self) -> int:
        return self._certifier.transitions

    def add(self, state: SymbolicState) -> None:
        clocks = range(state.zone.dimension)
        numbers = (*state.locations, *state.values, len(clocks), *clocks, *state.zone.bounds)
        self._certifier.add_states(array("i", numbers).tobytes())

    def keep_on_disk(self, folder: str, limit: int) -> None:
        """The states, of which none was added, lie in a file; what of the process is resident is kept below a limit of
        bytes (0: none)."""
        self._certifier.keep_on_disk(folder, limit)

    def add_all(self, search: ZoneSearch, tick: Callable[[], None] | None = None) -> None:
        """Everything that a finished search has stored."""
        network = search.network
        longest = len(network.processes) + len(network.variables) + (len(network.clocks) + 1) ** 2
        step = max(1, self.CHUNK // longest)
        for first in range(0, len(search), step):
            if tick is not None:
                tick()
            self._certifier.add_states(search.exported(first, min(first + step, len(search))))

    def check(self, tick: Callable[[], None] | None = None, threads: int = 1) -> str | None:
        """None if all is well, else what is wrong. ``tick`` is called now and then and may raise."""
        return self._certifier.check(tick, threads)


class EventualNativeCertifier:
    """Checks that no maximal run stays among the states of a formula; ``cpp/eventual.hpp`` says how."""

    def __init__(self, network: Network, stay: Stay) -> None:
        self._certifier = EventualCertifier()
        write_network(self._certifier, network, (), stay)

    @property
    def states(self) -> int:
        return self._certifier.states

    @property
    def transitions(self) -> int:
        return self._certifier.transitions

    def add(self, states: bytes) -> None:
        """As ``StaySearch.exported`` gives them: part and rank, then the state."""
        self._certifier.add_ranked(states)

    def check(self, tick: Callable[[], None] | None = None) -> str | None:
        return self._certifier.check_eventual(tick)


def write_network(certifier: Certifier, network: Network, goals: Iterable[Goal], stay: Stay | None = None) -> None:
    trees = Trees()
    clocks = len(network.clocks) + (stay is not None and stay.diverging)
    certifier.set_sizes(len(network.variables), clocks, network.default_priority)
    for slot in (*network.variables, *network.scratch):
        certifier.add_slot(slot.low, slot.high, slot.initial)
    for number, clock in enumerate(network.clocks):
        if clock.initial:
            certifier.add_initial_clock(number, clock.initial)
    for channel in network.channels:
        certifier.add_channel(channel.urgent, channel.broadcast, channel.priority)
    for function in network.functions:
        slots = [p.slot + offset for p in function.parameters for offset in range(p.size)]
        certifier.add_function(slots, trees.block(function.body), function.low, function.high)
    for process in network.processes:
        certifier.add_process(process.initial, process.priority)
        for location in process.locations:
            certifier.add_location(location.urgent, location.committed, trees.of(location.invariant))
            for rate in location.rates:
                certifier.add_rate(rate.clock, trees.expression(rate.value))
        for edge in process.edges:
            kind, channel_place = 0, -1
            if edge.synchronisation is not None:
                kind = 1 if edge.synchronisation.sends else 2
                channel_place = trees.place(edge.synchronisation.channel)
            guard, update = trees.of(edge.guard), trees.block(edge.updates)
            certifier.add_edge(edge.source, edge.target, guard, update, kind, channel_place)
    for goal in goals:
        certifier.add_goal(trees.constraint(goal.condition, goal.atoms), _deadlock(goal))
    if isinstance(certifier, EventualCertifier) and stay is not None:
        certifier.begins_at_start = stay.premise is None
        certifier.tick_clock = len(network.clocks) if stay.diverging else 0
        for premise in stay.premises:
            certifier.add_premise(trees.constraint(premise.condition, premise.atoms), _deadlock(premise))
        for part in stay.parts:
            certifier.add_part(trees.constraint(part.condition, part.atoms))
        dead = stay.dead_parts
        certifier.deadlocks = dead is not None
        for part in dead or ():
            certifier.add_dead_part(trees.constraint(part.condition, part.atoms))
    certifier.set_tree(trees.numbers)


def _deadlock(goal: Goal) -> int:
    return -1 if goal.deadlock is None else int(goal.deadlock)
