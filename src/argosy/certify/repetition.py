"""Rounds of a loop, executed natively: conditions and updates as straight-line code (``cpp/repetition.hpp``).

Law: ``Repetition.run`` does what executing the rounds one by one with ``logic.compile`` does (``by_hand``, its twin).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from sys import byteorder

from argosy.basics.records import dataclass
from argosy.kernel import _repetition
from argosy.logic.compile import compile_update
from argosy.logic.semantics import ArrayValue, Value
from argosy.logic.sorts import BOOL, Sort, bits
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
    """A round, compiled. NotStraight where it is about other values than words of up to 128 bits, booleans, and arrays
    of these at such indices, several of them side by side for arrays of arrays."""

    def __init__(self, round: LoopRound) -> None:
        self.variables = round.variables
        self._arrays = [variable for variable in self.variables if variable.sort.element is not None]
        self._tables = {variable: Flat(variable.sort) for variable in self._arrays}
        self._registers: dict[Term, int] = {}
        self._elements: dict[tuple[Term, tuple[int, ...]], int] = {}
        self._start: list[int] = []
        self._widest = max([1, *(table.index_width for table in self._tables.values())])
        self._body = array("I")
        self._written = array("I")
        for variable in self.variables:
            if variable not in self._tables:
                self._new(variable.sort, 0, variable)
        for condition in round.conditions:
            self._emit("require", 1, 0, self._translated(condition))
        found = [(v, self._translated(value)) for v, value in round.updates if v not in self._tables]
        self._after = array("I", [register for v, new in found for register in (self._registers[v], new)])
        self._always = self._new(BOOL, 1)
        for variable, value in round.updates:
            if variable in self._tables:
                self._write(variable, value, variable, (), self._always)

    def run(
        self, values: Mapping[Term, Value], most: int, is_over: Callable[[], bool] = lambda: False
    ) -> tuple[int, dict[Term, Value]]:
        """How many rounds there are, at most ``most``, and the values after them. ``is_over`` is asked now and then.
        No round where the rows of an array do not agree about what was never written."""
        registers = list(self._start)
        words = [variable for variable in self.variables if variable not in self._tables]
        for variable in words:
            registers[self._registers[variable]] = int(values[variable])
        size, run = (8, _repetition.run) if self._widest <= WORD else (16, _repetition.run_wide)
        start = b"".join(value.to_bytes(size, byteorder) for value in registers)
        tables = [self._tables[variable].packed(values[variable], size) for variable in self._arrays]
        if any(table is None for table in tables):
            return 0, {variable: values[variable] for variable in self.variables}
        body, after, written = self._body.tobytes(), self._after.tobytes(), self._written.tobytes()
        rounds, end, left = run(body, after, written, start, [t for t in tables if t is not None], most, is_over)
        places = {variable: size * self._registers[variable] for variable in words}
        found = {variable: int.from_bytes(end[at : at + size], byteorder) for variable, at in places.items()}
        result = {v: bool(value) if v.sort is BOOL else value for v, value in found.items()}
        changed = set(self._written[::4])
        for number, variable in enumerate(self._arrays):
            kept = number not in changed
            result[variable] = values[variable] if kept else self._tables[variable].unpacked(left[number], size)
        return rounds, result

    def _new(self, sort: Sort, value: int, term: Term | None = None) -> int:
        self._widest = max(self._widest, _width(sort))
        register = len(self._start)
        if term is not None:
            self._registers[term] = register
        self._start.append(value)
        return register

    def _emit(self, op: str, width: int, to: int, a: int, b: int = 0, c: int = 0) -> None:
        self._body.extend((_OP[op], width, to, a, b, c))

    def _translated(self, root: Term) -> int:
        for term in postorder(root):
            if term not in self._registers and term.sort.element is None:
                self._translate(term)
        return self._registers[root]

    def _translate(self, term: Term) -> None:
        if term.op == "const":
            self._new(term.sort, int(term.payload), term)
            return
        if term.op == "select":
            self._registers[term] = self._element(term.args[0], (self._registers[term.args[1]],))
            return
        if any(argument.sort.element is not None for argument in term.args):
            raise NotStraight(f"{term.op} of whole arrays is not for words")
        known = [self._registers[argument] for argument in term.args]
        sort = term.args[0].sort if term.args else term.sort
        width, to = _width(sort), self._new(term.sort, 0, term)
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
            case op if op in _OP and op not in ("copy", "require", "load"):
                self._emit(op, width, to, *known)
            case op:
                raise NotStraight(f"{op} is not for words")

    # ---- arrays ---------------------------------------------------------------------------------------------

    def _element(self, array: Term, index: tuple[int, ...]) -> int:
        """The register of an element, at as many indices as it takes to get to a word. All terms that ``array`` is
        made of and that are words have registers already."""
        key = (array, index)
        if key not in self._elements:
            self._elements[key] = self._read(array, index)
        return self._elements[key]

    def _read(self, array: Term, index: tuple[int, ...]) -> int:
        match array.op:
            case "select":
                return self._element(array.args[0], (self._registers[array.args[1]], *index))
            case "ite":
                condition, a, b = array.args
                return self._chosen(self._registers[condition], self._element(a, index), self._element(b, index), array)
            case "store":
                before, at, value = array.args
                here = self._new(BOOL, 0)
                self._emit("=", _width(at.sort), here, index[0], self._registers[at])
                new = self._registers[value] if len(index) == 1 else self._element(value, index[1:])
                return self._chosen(here, new, self._element(before, index), array)
            case "const-array":
                value = array.args[0]
                return self._registers[value] if len(index) == 1 else self._element(value, index[1:])
            case "var":
                table = self._tables[array]
                to = self._new(table.element, 0)
                self._emit("load", 1, to, self._packed(table, index), 0, self._arrays.index(array))
                return to
        raise NotStraight(f"{array.op} of arrays is not for words")

    def _chosen(self, condition: int, a: int, b: int, array: Term) -> int:
        to = self._new(Flat(array.sort).element, 0)
        self._emit("ite", 1, to, condition, a, b)
        return to

    def _packed(self, table: Flat, index: tuple[int, ...]) -> int:
        """Indices side by side in one word."""
        whole, width = index[0], table.widths[0]
        for part, own in zip(index[1:], table.widths[1:], strict=True):
            to = self._new(bits(width + own), 0)
            self._emit("concat", own, to, whole, part)
            whole, width = to, width + own
        return whole

    def _write(self, variable: Term, value: Term, base: Term, index: tuple[int, ...], when: int) -> None:
        """``value`` is ``base``, the whole of ``variable`` or its row at ``index``, with some writes."""
        for term in postorder(value):
            if term.sort.element is None:
                self._translated(term)
        if value is base:
            return
        match value.op:
            case "ite":
                condition = self._registers[value.args[0]]
                for way, part in zip((True, False), value.args[1:], strict=True):
                    asked = condition
                    if not way:
                        asked = self._new(BOOL, 0)
                        self._emit("bvnot", 1, asked, condition)
                    both = self._new(BOOL, 0)
                    self._emit("bvand", 1, both, when, asked)
                    self._write(variable, part, base, index, both)
            case "store":
                before, at, new = value.args
                self._write(variable, before, base, index, when)
                place = (*index, self._registers[at])
                if new.sort.element is None:
                    packed = self._packed(self._tables[variable], place)
                    self._written.extend((self._arrays.index(variable), packed, self._registers[new], when))
                else:
                    self._write(variable, new, self._row(before, at, new), place, when)
            case _:
                raise NotStraight("an array becomes another one")

    def _row(self, before: Term, at: Term, new: Term) -> Term:
        """What the row at an index was before: what ``new`` is made of, if that is this row."""
        while new.op == "store":
            new = new.args[0]
        if new.op != "select" or new.args[0] is not before or new.args[1] is not at:
            raise NotStraight("a row of an array becomes another one")
        return new


class Flat:
    """How an array of words, or of such arrays, is one table: its indices side by side."""

    def __init__(self, sort: Sort) -> None:
        self.widths: list[int] = []
        while sort.element is not None:
            assert sort.index is not None
            self.widths.append(_width(sort.index))
            sort = sort.element
        self.element = sort
        self.index_width = sum(self.widths)
        if self.index_width > WIDEST or _width(sort) > WIDEST:
            raise NotStraight(f"indices of {self.index_width} bits do not fit a word")

    def packed(self, value: Value, size: int) -> bytes | None:
        """None where rows differ in what was never written."""
        otherwise = value
        for _ in self.widths:
            if otherwise is not value and otherwise.stored:
                return None
            otherwise = otherwise.default
        if len(self.widths) == 1 and size == 8:
            packed = array("Q", bytes(8 * (2 * len(value.stored) + 1)))
            packed[0] = int(otherwise)
            packed[1::2] = array("Q", value.stored)
            packed[2::2] = array("Q", value.stored.values())
            return packed.tobytes()
        words = [int(otherwise)]
        rows: list[tuple[int, Value]] = [(0, value)]
        for own in self.widths[:-1]:
            expected = rows[0][1].default
            rows = [(whole << own | int(at), row) for whole, some in rows for at, row in some.stored.items()]
            if any(row.default != expected.default for _, row in rows):
                return None
            if not rows:
                rows = [(0, expected)]
        for whole, row in rows:
            for at, element in row.stored.items():
                words += (whole << self.widths[-1] | int(at), int(element))
        if size == 8:
            return array("Q", words).tobytes()
        return b"".join(word.to_bytes(size, byteorder) for word in words)

    def unpacked(self, data: bytes, size: int) -> Value:
        if size == 8:
            found = array("Q", data).tolist()
        else:
            found = [int.from_bytes(data[at : at + size], byteorder) for at in range(0, len(data), size)]
        elements = [bool(word) for word in found[2::2]] if self.element is BOOL else found[2::2]
        otherwise: Value = bool(found[0]) if self.element is BOOL else found[0]
        return self._nested(zip(found[1::2], elements, strict=True), otherwise, 0)

    def _nested(self, entries: Iterable[tuple[int, Value]], otherwise: Value, depth: int) -> ArrayValue:
        left = sum(self.widths[depth + 1 :])
        if not left:
            return ArrayValue(otherwise, dict(entries))
        empty: Value = otherwise
        for _ in self.widths[depth + 1 :]:
            empty = ArrayValue(empty)
        rows: dict[int, list[tuple[int, Value]]] = {}
        for at, element in entries:
            rows.setdefault(at >> left, []).append((at & ((1 << left) - 1), element))
        return ArrayValue(empty, {at: self._nested(some, otherwise, depth + 1) for at, some in rows.items()})


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
