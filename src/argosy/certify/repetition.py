"""Rounds of a loop, executed natively: conditions and updates as straight-line code (``cpp/repetition.hpp``).

Law: ``Repetition.run`` does what executing the rounds one by one with ``logic.compile`` does (``by_hand``, its twin).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from sys import byteorder

from argosy.basics.records import dataclass
from argosy.kernel import _repetition
from argosy.logic.compile import compile_update
from argosy.logic.semantics import Value
from argosy.logic.sorts import BOOL, Sort
from argosy.logic.terms import Term
from argosy.logic.traverse import postorder

WORD, WIDEST = 64, 128

_OP = _repetition.OPCODES
_CONNECTIVES = {"and": "bvand", "or": "bvor"}


class NotStraight(Exception):
    """What is computed in a round is no matter of words."""


@dataclass(frozen=True, slots=True)
class LoopRound:
    """What a round demands of the values before it, and the new values of the variables that it changes."""

    conditions: tuple[Term, ...]
    updates: tuple[tuple[Term, Term], ...]

    @property
    def variables(self) -> list[Term]:
        found = postorder(*self.conditions, *(value for _, value in self.updates))
        return list(dict.fromkeys([*(term for term in found if term.op == "var"), *(v for v, _ in self.updates)]))


class Repetition:
    """A round, compiled. NotStraight where it is about other values than words of up to 128 bits and booleans."""

    def __init__(self, round: LoopRound) -> None:
        self.variables = round.variables
        self._registers: dict[Term, int] = {}
        self._start: list[int] = []
        self._widest = 1
        self._body = array("I")
        for variable in self.variables:
            self._new(variable, 0)
        for condition in round.conditions:
            self._emit("require", 1, 0, self._translated(condition))
        found = [(self._registers[variable], self._translated(value)) for variable, value in round.updates]
        self._after = array("I", [register for move in found for register in move])

    def run(
        self, values: Mapping[Term, Value], most: int, is_over: Callable[[], bool] = lambda: False
    ) -> tuple[int, dict[Term, Value]]:
        """How many rounds there are, at most ``most``, and the values after them. ``is_over`` is asked now and then."""
        registers = list(self._start)
        for variable in self.variables:
            registers[self._registers[variable]] = int(values[variable])
        size, run = (8, _repetition.run) if self._widest <= WORD else (16, _repetition.run_wide)
        start = b"".join(value.to_bytes(size, byteorder) for value in registers)
        rounds, end = run(self._body.tobytes(), self._after.tobytes(), start, most, is_over)
        places = {variable: size * self._registers[variable] for variable in self.variables}
        found = {variable: int.from_bytes(end[at : at + size], byteorder) for variable, at in places.items()}
        return rounds, {v: bool(value) if v.sort is BOOL else value for v, value in found.items()}

    def _new(self, term: Term, value: int) -> int:
        self._widest = max(self._widest, _width(term.sort))
        register = self._registers[term] = len(self._start)
        self._start.append(value)
        return register

    def _emit(self, op: str, width: int, to: int, a: int, b: int = 0, c: int = 0) -> None:
        self._body.extend((_OP[op], width, to, a, b, c))

    def _translated(self, root: Term) -> int:
        for term in postorder(root):
            if term not in self._registers:
                self._translate(term)
        return self._registers[root]

    def _translate(self, term: Term) -> None:
        if term.op == "const":
            self._new(term, int(term.payload))
            return
        known = [self._registers[argument] for argument in term.args]
        sort = term.args[0].sort if term.args else term.sort
        width, to = _width(sort), self._new(term, 0)
        match term.op:
            case "and" | "or":
                self._emit("copy", 1, to, known[0])
                for argument in known[1:]:
                    self._emit(_CONNECTIVES[term.op], 1, to, to, argument)
            case "not":
                self._emit("bvnot", 1, to, known[0])
            case "ite":
                self._emit("ite", 1, to, *known)
            case "zero_extend":
                self._emit("copy", width, to, known[0])
            case "sign_extend":
                self._emit("sign_extend", width, to, known[0], 0, _width(term.sort))
            case "extract":
                self._emit("extract", _width(term.sort), to, known[0], 0, term.payload[1])
            case "concat":
                self._emit("concat", _width(term.args[1].sort), to, *known)
            case op if op in _OP and op not in ("copy", "require"):
                self._emit(op, width, to, *known)
            case op:
                raise NotStraight(f"{op} is not for words")


def _width(sort: Sort) -> int:
    if sort is BOOL:
        return 1
    if not sort.is_bits or sort.width > WIDEST:
        raise NotStraight(f"values of {sort} do not fit a word")
    return sort.width


def by_hand(round: LoopRound, values: Mapping[Term, Value], most: int) -> tuple[int, dict[Term, Value]]:
    """The same, by Python: the twin."""
    variables: Sequence[Term] = round.variables
    slots = {variable: slot for slot, variable in enumerate(variables)}
    assignments = [(slots[variable], value) for variable, value in round.updates]
    update = compile_update(round.conditions, assignments, slots, len(slots))
    state: tuple[Value, ...] = tuple(values[variable] for variable in variables)
    rounds = 0
    while rounds < most:
        after = update(state)
        if isinstance(after, int):
            break
        state = after
        rounds += 1
    return rounds, dict(zip(variables, state, strict=True))
