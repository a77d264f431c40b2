"""Which members of a network look alike: proposes families for symmetry reduction.

A guess, made from the instantiated network whatever types its author has used (scalar sets, integer ranges, one
template per process), and proved or refuted elsewhere (``certify/symmetry``). Variables are first sorted into those
that hold names and those that hold numbers: numbers are what arithmetic, order or a truth value is asked of, and what
is assigned to or compared with them. Then everything that an exchange could move (processes, variables, clocks,
channels, functions, arrays, names) gets a colour, and colours are refined until things of the same colour stand in
the same places of the same texts (Weisfeiler and Leman). To exchange two processes of the same colour, one of them is
coloured red and the other one blue, and then the other way round: what is where red things were is where they go.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, product
from math import prod

from argosy.kernel.naming import Sorts
from argosy.models.network import Network
from argosy.models.network_expressions import (
    ArrayRun,
    Assignment,
    AtLocation,
    Binary,
    ClockAtom,
    Conditional,
    Constant,
    Constraint,
    Copy,
    Evaluate,
    Expression,
    FunctionCall,
    If,
    NetworkPlace,
    Read,
    Reset,
    Return,
    Statement,
    Unary,
    While,
)
from argosy.models.network_queries import Goal
from argosy.models.network_symmetry import AlikeFamily, Column

Symbol = tuple[str, int, int]
"""What an exchange may move: its kind, then its number (of a name: the class of variables that hold it, and itself)."""

Tree = Symbol | tuple[object, ...]
"""A word, whether the order of the parts matters, the parts."""

LARGEST = 200_000
"""Parts of trees that are looked at; more are not worth it."""


class _TooLarge(Exception):
    pass


def propose(network: Network, goals: Iterable[Goal]) -> list[AlikeFamily]:
    asked = tuple(goals)
    if len({(len(p.locations), len(p.edges)) for p in network.processes}) == len(network.processes):
        return []
    try:
        return _Proposals(network, asked).families()
    except (_TooLarge, RecursionError):
        return []


class _Trees:
    """Texts of a network as trees over symbols."""

    def __init__(self, network: Network, goals: Sequence[Goal]) -> None:
        self._network = network
        self.sorts = Sorts(network, goals)
        self.facts: list[Tree] = []
        self._arrays: set[Symbol] = set()
        self._called: set[int] = set()
        for process in network.processes:
            own: Symbol = ("process", process.index, 0)
            self.facts.append(("priority", True, own, process.priority))
            for location in process.locations:
                kind = (location.index, location.urgent, location.committed)
                self.facts.append(("location", True, own, *kind, self._constraint(location.invariant)))
                for rate in location.rates:
                    clock = ("clock", rate.clock, 0)
                    self.facts.append(("rate", True, own, location.index, clock, self._plain(rate.value)))
            for edge in process.edges:
                sync: tuple[object, ...] = ()
                if edge.synchronisation is not None:
                    sync = edge.synchronisation.sends, self._place(edge.synchronisation.channel, "channel")
                labels = (self._constraint(edge.guard), *sync, self._block(edge.updates))
                self.facts.append(("edge", True, own, edge.source, edge.target, edge.idle, *labels))
        for goal in goals:
            self.facts.append(("goal", True, self._constraint(Constraint(goal.condition, goal.atoms)), goal.deadlock))
        for slot, variable in enumerate(network.variables):
            ranges = (variable.low, variable.high, variable.meta, self.sorts.holds_names(slot))
            self.facts.append(("variable", True, ("slot", slot, 0), *ranges))
        for number, channel in enumerate(network.channels):
            attributes = (channel.urgent, channel.broadcast, channel.priority)
            self.facts.append(("channel", True, ("channel", number, 0), *attributes))

    def _constraint(self, constraint: Constraint) -> Tree:
        return (
            "constraint",
            True,
            self._plain(constraint.condition),
            ("atoms", False, *map(self._atom, constraint.atoms)),
        )

    def _atom(self, atom: ClockAtom) -> Tree:
        sides = [self._place(side, "clock") for side in (atom.left, atom.right)]
        return atom.relation, True, *sides, self._plain(atom.bound), self._plain(atom.condition)

    def _block(self, statements: Sequence[Statement]) -> Tree:
        return "block", False, *(self._statement(s) for s in statements)

    def _statement(self, statement: Statement) -> Tree:
        match statement:
            case Evaluate(expression):
                return "do", True, self._expression(expression, self.sorts.of(expression))
            case Copy(target, source, size):
                return "copy", True, self._place(target, "slot"), self._place(source, "slot"), size
            case Reset(clock, value):
                return "reset", True, self._place(clock, "clock"), self._plain(value)
            case If(condition, then, otherwise):
                return "if", True, self._plain(condition), self._block(then), self._block(otherwise)
            case While(condition, body, test_first):
                return "while", True, self._plain(condition), self._block(body), test_first
            case Return(value):
                return "return", True, None if value is None else self._expression(value, self.sorts.of(value))

    def _plain(self, expression: Expression) -> Tree:
        return self._expression(expression, None)

    def _expression(self, expression: Expression, names: int | None) -> Tree:
        """``names``: the class of names that the value is one of."""
        match expression:
            case Constant(value):
                return ("constant", True, value) if names is None else ("name", names, value)
            case Read(place):
                return "read", True, self._place(place, "slot")
            case Unary(operator, operand):
                return "unary", True, operator, self._plain(operand)
            case Binary("==" | "!=" as operator, left, right):
                both = self.sorts.of(left) if self.sorts.of(left) is not None else self.sorts.of(right)
                return operator, True, self._expression(left, both), self._expression(right, both)
            case Binary("&&" | "||" | "+" as operator, _, _):
                return operator, False, *(self._plain(part) for part in _flat(operator, expression))
            case Binary(operator, left, right):
                return operator, True, self._plain(left), self._plain(right)
            case Conditional(condition, then, otherwise):
                parts = self._expression(then, names), self._expression(otherwise, names)
                return "choice", True, self._plain(condition), *parts
            case Assignment(target, value):
                stored = self.sorts.of_place(target)
                return "assign", True, self._place(target, "slot"), self._expression(value, stored)
            case FunctionCall(function, arguments):
                slots = [p.slot for p in self._network.functions[function].parameters]
                given = [self._argument(a, slot) for a, slot in zip(arguments, slots, strict=True)]
                if function not in self._called:
                    self._called.add(function)
                    body = self._block(self._network.functions[function].body)
                    self.facts.append(("function", True, ("function", function, 0), body))
                return "call", True, ("function", function, 0), *given
            case AtLocation(process, location):
                return "at", True, ("process", process, 0), location

    def _argument(self, argument: Expression | ArrayRun, slot: int) -> Tree:
        if isinstance(argument, ArrayRun):
            return "run", True, self._place(argument.place, "slot"), argument.size
        return "given", True, self._expression(argument, self.sorts.of_slot(slot))

    def _place(self, place: NetworkPlace, kind: str) -> Tree:
        if kind == "slot" and place.base >= len(self._network.variables):
            # Frames of functions move with them.
            return "scratch", True, *(self._expression(s.index, self.sorts.of(s.index)) for s in place.subscripts)
        if not place.subscripts:
            return kind, place.base, 0
        classes = [self.sorts.of(s.index) for s in place.subscripts]
        shape = [(s.low, s.size, s.stride) for s in place.subscripts]
        array: Symbol = (f"array {kind} {shape}", place.base, 0)
        if array not in self._arrays:
            self._arrays.add(array)
            if prod(s.size for s in place.subscripts) > LARGEST // 10:
                raise _TooLarge
            for chosen in product(*(range(s.low, s.low + s.size) for s in place.subscripts)):
                address = place.base + sum(
                    (c - s.low) * s.stride for c, s in zip(chosen, place.subscripts, strict=True)
                )
                which = [c if own is None else ("name", own, c) for c, own in zip(chosen, classes, strict=True)]
                self.facts.append(("element", True, array, (kind, address, 0), *which))
        indices = [self._expression(s.index, own) for s, own in zip(place.subscripts, classes, strict=True)]
        return "indexed", True, array, *indices


def _flat(operator: str, expression: Expression) -> Iterator[Expression]:
    if isinstance(expression, Binary) and expression.operator == operator:
        yield from _flat(operator, expression.left)
        yield from _flat(operator, expression.right)
    else:
        yield expression


KINDS = ("process", "slot", "clock", "channel", "function", "name")


def _is_symbol(tree: object) -> bool:
    return (
        isinstance(tree, tuple)
        and len(tree) == 3
        and isinstance(tree[0], str)
        and (tree[0] in KINDS or tree[0].startswith("array "))
        and not isinstance(tree[1], bool)
    )


class _Proposals:
    def __init__(self, network: Network, goals: Sequence[Goal]) -> None:
        self._network = network
        self._trees = _Trees(network, goals)
        self._words: dict[object, int] = {}
        self._symbols: dict[Symbol, int] = {}
        self._shapes: list[tuple[object, list[int]]] = []
        parts = 0
        for fact in self._trees.facts:
            inside: list[int] = []
            shape, size = self._shape(fact, inside)
            parts += size * max(len(set(inside)), 1)
            if parts > LARGEST * 20:
                raise _TooLarge
            self._shapes.append((shape, sorted(set(inside))))
        self._all = list(self._symbols)

    def _word(self, word: object) -> int:
        return self._words.setdefault(word, len(self._words) + 1)

    def _shape(self, tree: object, inside: list[int]) -> tuple[object, int]:
        """Symbols as (number,), words as numbers, else (word, ordered, parts); and how many parts there are."""
        if _is_symbol(tree):
            number = self._symbols.setdefault(tree, len(self._symbols))  # type: ignore[arg-type]
            inside.append(number)
            return (number,), 1
        if isinstance(tree, tuple) and len(tree) >= 2 and isinstance(tree[1], bool):
            found = [self._shape(part, inside) for part in tree[2:]]
            return (self._word(tree[0]), tree[1], [f[0] for f in found]), 1 + sum(f[1] for f in found)
        return self._word(("leaf", tree)), 1

    def _hash(self, shape: object, colours: list[int], marked: int) -> int:
        if isinstance(shape, int):
            return hash((1, shape))
        assert isinstance(shape, tuple)
        if len(shape) == 1:
            return hash((2, colours[shape[0]], shape[0] == marked))
        parts = [self._hash(part, colours, marked) for part in shape[2]]
        return hash((3, shape[0], *(parts if shape[1] else sorted(parts))))

    def _refined(self, colours: list[int]) -> list[int]:
        count = len(set(colours))
        while True:
            seen: list[list[int]] = [[] for _ in colours]
            for shape, inside in self._shapes:
                for symbol in inside:
                    seen[symbol].append(self._hash(shape, colours, symbol))
            colours = [hash((colour, *sorted(own))) for colour, own in zip(colours, seen, strict=True)]
            now = len(set(colours))
            if now <= count:
                return colours
            count = now

    def families(self) -> list[AlikeFamily]:
        start = [self._word(symbol[0]) for symbol in self._all]
        base = self._refined(start)
        groups: dict[int, list[int]] = defaultdict(list)
        for number, symbol in enumerate(self._all):
            if symbol[0] == "process":
                groups[base[number]].append(number)
        found: list[AlikeFamily] = []
        taken: set[int] = set()
        for members in groups.values():
            members.sort(key=lambda number: self._all[number][1])
            if len(members) < 2 or any(self._all[m][1] in taken for m in members):
                continue
            swaps = [self._swap(base, first, second) for first, second in pairwise(members)]
            for family in self._together(members, swaps):
                found.append(family)
                taken |= {process for column in family.processes for process in column}
        return found

    def _swap(self, base: list[int], first: int, second: int) -> dict[int, int]:
        """Where symbols go; those that stay are left out."""
        red, blue = self._word("red"), self._word("blue")

        def coloured(one: int, other: int, fixed: Iterable[int]) -> list[int]:
            colours = list(base)
            for number in fixed:
                colours[number] = hash((4, number))
            colours[one], colours[other] = red, blue
            return self._refined(colours)

        there, back = coloured(first, second, ()), coloured(second, first, ())
        fixed = [
            number
            for number, symbol in enumerate(self._all)
            if symbol[0] == "process" and number not in (first, second) and there[number] == back[number]
        ]
        if fixed:
            there, back = coloured(first, second, fixed), coloured(second, first, fixed)
        homes: dict[int, list[int]] = defaultdict(list)
        for number, colour in enumerate(back):
            homes[colour].append(number)
        goes: dict[int, int] = {}
        for number, colour in enumerate(there):
            if back[number] == colour:
                homes[colour].remove(number)
        for number, colour in enumerate(there):
            if back[number] == colour:
                continue
            if not homes[colour]:
                return {}
            goes[number] = homes[colour].pop(0)
        return goes

    def _together(self, members: list[int], swaps: list[dict[int, int]]) -> Iterator[AlikeFamily]:
        """Families of neighbours with a swap each."""
        first = 0
        for end in range(1, len(members) + 1):
            if end < len(members) and swaps[end - 1]:
                continue
            if end - first > 1:
                family = self._family(members[first:end], swaps[first : end - 1])
                if family is not None:
                    yield family
            first = end

    def _family(self, members: list[int], swaps: list[dict[int, int]]) -> AlikeFamily | None:
        columns: dict[str, list[Column]] = defaultdict(list)
        values: list[tuple[int, Column]] = []
        placed: set[int] = set()
        moving = sorted({number for swap in swaps for number in swap}, key=lambda number: self._all[number])
        firsts = [n for n in moving if n in swaps[0] and (len(swaps) == 1 or n not in swaps[1])]
        firsts.sort(key=lambda number: number != members[0])
        for number in firsts:
            if number in placed:
                continue
            column = [number]
            for swap in swaps:
                column.append(swap.get(column[-1], column[-1]))
            if len(set(column)) < len(column) or placed & set(column):
                return None
            placed |= set(column)
            kinds = {self._all[n][0] for n in column}
            if len(kinds) > 1:
                return None
            kind = kinds.pop()
            if kind == "name":
                sort = self._all[number][1]
                names = tuple(self._all[n][2] for n in column)
                values += [(slot, names) for slot in self._trees.sorts.slots_of(sort)]
            elif kind in KINDS and kind != "function":
                columns[kind].append(tuple(self._all[n][1] for n in column))
        if set(moving) - placed or not columns["process"]:
            return None
        return AlikeFamily(
            tuple(columns["process"]),
            tuple(columns["slot"]),
            tuple(columns["clock"]),
            tuple(columns["channel"]),
            tuple(sorted(values)),
        )
