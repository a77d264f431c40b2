"""AIGER 1.9, as text (``aag``) and binary (``aig``), into a circuit.

Biere, *The AIGER And-Inverter Graph (AIG) Format* (2007); Biere, Heljanko, Wieringa, *AIGER 1.9 And Beyond* (2011). A
reset that is omitted is 0, the latch itself is any value. Where a file has no bad states its outputs are the bad
states. In a text gates may stand in any order, and variables may be numbered at will.

What is announced is believed only as far as the file has it: memory is bounded by the size of the file. Errors name the
line and, behind the text of a binary file, the byte.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.basics.records import dataclass
from argosy.models.circuit import ARBITRARY, Circuit

_HEADER = re.compile(rb"(aag|aig)((?: \d{1,10}){5,9})\r?")
_NUMBERS = {count: re.compile(rb" ".join([rb"(\d{1,10})"] * count) + rb"\r?") for count in (1, 2, 3)}
_SYMBOL = re.compile(rb"([ilobcjf])(\d{1,10}) (.*?)\r?")
_SECTIONS = ("variables", "inputs", "latches", "outputs", "gates", "bad states", "constraints", "justice", "fairness")


@dataclass(frozen=True, slots=True)
class AigerFile:
    """``bad_lines`` says in which line each bad state stands; ``outputs``: whether they are the outputs of the file."""

    circuit: Circuit
    bad_lines: tuple[int, ...]
    outputs: bool


def read_aiger(path: str, content: bytes) -> AigerFile:
    """Raises InputError for what is no AIGER, UnsupportedError for justice and fairness."""
    return _Reader(path, content).file()


class _Reader:
    """``_at`` is the byte and ``_line`` the number of the line that is read next."""

    def __init__(self, path: str, content: bytes) -> None:
        self._path = path
        self._content = content
        self._at = 0
        self._line = 1

    # ---- lines --------------------------------------------------------------------------------------------

    def _error(self, what: str, line: int | None = None) -> InputError:
        return InputError(Position(self._path, self._line if line is None else line, 1), what)

    def _next_line(self, what: str) -> bytes:
        if self._at >= len(self._content):
            raise self._error(f"the file ends before {what}")
        end = self._content.find(b"\n", self._at)
        end = len(self._content) if end < 0 else end
        line = self._content[self._at : end]
        self._at = end + 1
        self._line += 1
        return line

    def _numbers(self, counts: Sequence[int], what: str) -> list[int]:
        """A line of as many numbers as one of ``counts`` says."""
        line = self._next_line(what)
        for count in counts:
            match = _NUMBERS[count].fullmatch(line)
            if match is not None:
                return [int(number) for number in match.groups()]
        wanted = " or ".join(str(count) for count in counts)
        self._line -= 1
        raise self._error(f"{wanted} number{'' if wanted == '1' else 's'} expected for {what}")

    def _literal(self, number: int, what: str, line: int | None = None) -> int:
        if number > 2 * self.variables + 1:
            where = self._line - 1 if line is None else line
            raise self._error(f"literal {number} of {what} is larger than {2 * self.variables + 1}", where)
        return number

    # ---- the parts of a file ------------------------------------------------------------------------------

    def file(self) -> AigerFile:
        self._read_header()
        defined: dict[int, int] = {0: 0}
        self._defined = defined
        self._read_inputs()
        latches = self._read_latches()
        outputs = [self._single("an output") for _ in range(self.output_count)]
        bad = [self._single("a bad state") for _ in range(self.bad_count)]
        constraints = [self._single("a constraint") for _ in range(self.constraint_count)]
        gates = self._read_binary_gates() if self.binary else self._read_gates()
        names = self._read_symbols()
        used_outputs = not bad
        chosen = outputs if used_outputs else bad
        letter = "o" if used_outputs else "b"
        circuit = Circuit(
            inputs=self.input_count,
            next=array("I", (self._mapped(following, "the next state", line) for following, _, line in latches)),
            reset=bytes(reset for _, reset, _ in latches),
            gates=gates,
            bad=tuple(self._mapped(literal, "a bad state", line) for literal, line in chosen),
            constraints=tuple(self._mapped(literal, "a constraint", line) for literal, line in constraints),
            input_names=_listed(names["i"], self.input_count),
            latch_names=_listed(names["l"], self.latch_count),
            bad_names=_listed(names[letter], len(chosen)),
        )
        if not used_outputs:
            for literal, line in outputs:
                self._mapped(literal, "an output", line)
        return AigerFile(circuit, tuple(line for _, line in chosen), used_outputs)

    def _read_header(self) -> None:
        line = self._next_line("the header")
        match = _HEADER.fullmatch(line)
        if match is None:
            raise self._error("no header of AIGER: 'aag M I L O A [B C J F]' is expected", 1)
        numbers = [int(number) for number in match[2].split()]
        numbers += [0] * (9 - len(numbers))
        self.binary = match[1] == b"aig"
        self.variables, self.input_count, self.latch_count, self.output_count, self.gate_count = numbers[:5]
        self.bad_count, self.constraint_count, justice, fairness = numbers[5:]
        counted = self.input_count + self.latch_count + self.gate_count
        if counted > self.variables or (self.binary and counted != self.variables):
            sign = "" if self.binary else "at least "
            raise self._error(f"{self.variables} variables are announced, and {sign}{counted} are needed", 1)
        # A line has two bytes at least, and so has a binary gate.
        lines = sum(numbers[1:4]) - (self.input_count if self.binary else 0) + sum(numbers[4:7])
        if 2 * lines > len(self._content) + 2:
            largest = max(range(1, 7), key=numbers.__getitem__)
            raise self._error(f"{numbers[largest]} {_SECTIONS[largest]} are announced, and the file is too short", 1)
        for count, what in ((justice, "justice properties"), (fairness, "fairness constraints")):
            if count:
                raise UnsupportedError(Position(self._path, 1, 1), f"{what} of AIGER: only bad states are decided")

    def _define(self, number: int, what: str) -> int:
        """The new variable for a literal that is defined in the line before."""
        line = self._line - 1
        self._literal(number, what)
        if number & 1 or number == 0:
            raise self._error(f"literal {number} cannot be {what}", line)
        if number >> 1 in self._defined:
            raise self._error(f"literal {number} is defined twice", line)
        new = self._defined[number >> 1] = len(self._defined)
        return new

    def _read_inputs(self) -> None:
        for k in range(self.input_count):
            if self.binary:
                self._defined[k + 1] = k + 1
            else:
                [number] = self._numbers((1,), "an input")
                self._define(number, "an input")

    def _read_latches(self) -> list[tuple[int, int, int]]:
        """Next state, reset and line of each."""
        found = []
        for k in range(self.latch_count):
            line = self._line
            if self.binary:
                own, (following, *reset) = 2 * (1 + self.input_count + k), self._numbers((1, 2), "a latch")
                self._defined[own >> 1] = own >> 1
            else:
                own, following, *reset = self._numbers((2, 3), "a latch")
                self._define(own, "a latch")
            self._literal(following, "the next state")
            first = reset[0] if reset else 0
            if first not in (0, 1, own):
                raise self._error(f"the reset of latch {own} is 0, 1 or {own}, not {first}", line)
            found.append((following, ARBITRARY if first == own else first, line))
        return found

    def _single(self, what: str) -> tuple[int, int]:
        line = self._line
        [number] = self._numbers((1,), what)
        return self._literal(number, what), line

    # ---- gates --------------------------------------------------------------------------------------------

    def _read_gates(self) -> array[int]:
        numbers: list[int] = []
        first = self._line
        match = _NUMBERS[3].fullmatch
        limit = 2 * self.variables + 1
        for _ in range(self.gate_count):
            found = match(self._next_line("a gate"))
            if found is None:
                self._line -= 1
                raise self._error("3 numbers expected for a gate")
            own, left, right = map(int, found.groups())
            if own > limit or left > limit or right > limit:
                self._literal(max(own, left, right), "a gate")
            numbers += (own, left, right)
        return self._ordered(numbers, first)

    def _ordered(self, numbers: Sequence[int], first: int) -> array[int]:
        """The gates after those that they are made of, with new numbers."""
        place: dict[int, int] = {}
        defined = self._defined
        for k in range(0, len(numbers), 3):
            own = numbers[k]
            if own & 1 or own == 0:
                raise self._error(f"literal {own} cannot be a gate", first + k // 3)
            if own >> 1 in defined or own >> 1 in place:
                raise self._error(f"literal {own} is defined twice", first + k // 3)
            place[own >> 1] = k
        gates = array("I")
        waiting: set[int] = set()
        for k in range(0, len(numbers), 3):
            stack = [numbers[k] >> 1]
            while stack:
                variable = stack[-1]
                if variable in defined:
                    stack.pop()
                    continue
                at = place[variable]
                left, right = numbers[at + 1], numbers[at + 2]
                missing = [side >> 1 for side in (left, right) if side >> 1 not in defined]
                if not missing:
                    gates.append(2 * defined[left >> 1] + (left & 1))
                    gates.append(2 * defined[right >> 1] + (right & 1))
                    defined[variable] = len(defined)
                    waiting.discard(variable)
                    stack.pop()
                    continue
                waiting.add(variable)
                for side in missing:
                    if side not in place:
                        raise self._error(f"variable {side} of a gate is not defined", first + at // 3)
                    if side in waiting:
                        raise self._error(f"gate {2 * side} depends on itself", first + place[side] // 3)
                stack += missing
        return gates

    def _read_binary_gates(self) -> array[int]:
        content, at, end = self._content, self._at, len(self._content)
        gates = array("I")
        own = 2 * (1 + self.input_count + self.latch_count)
        defined = self._defined
        for _ in range(self.gate_count):
            sides = []
            above = own
            for _ in range(2):
                begun, delta, shift = at, 0, 0
                while True:
                    if at >= end:
                        raise self._byte_error(at, f"the file ends in gate {own}")
                    byte = content[at]
                    at += 1
                    delta |= (byte & 0x7F) << shift
                    if byte < 0x80:
                        break
                    shift += 7
                    if shift > 28:
                        raise self._byte_error(begun, f"a number of gate {own} is too long")
                if delta > above or (delta == 0 and above == own):
                    raise self._byte_error(begun, f"the difference {delta} of gate {own} leads to no literal below")
                above -= delta
                sides.append(above)
            gates.extend(sides)
            defined[own >> 1] = own >> 1
            own += 2
        self._at = at
        return gates

    def _byte_error(self, at: int, what: str) -> InputError:
        return InputError(Position(self._path, 0), f"byte {at}: {what}")

    def _mapped(self, literal: int, what: str, line: int) -> int:
        new = self._defined.get(literal >> 1)
        if new is None:
            raise self._error(f"literal {literal} of {what} is not defined", line)
        return 2 * new + (literal & 1)

    # ---- symbols ------------------------------------------------------------------------------------------

    def _read_symbols(self) -> dict[str, dict[int, str]]:
        """Names by kind and number; the comment behind them is skipped."""
        counts = {"i": self.input_count, "l": self.latch_count, "o": self.output_count, "b": self.bad_count}
        counts.update(c=self.constraint_count, j=0, f=0)
        names: dict[str, dict[int, str]] = {letter: {} for letter in counts}
        while self._at < len(self._content):
            line = self._next_line("a symbol")
            if line.rstrip() == b"c":
                break
            match = _SYMBOL.fullmatch(line)
            if match is None:
                if not line.strip() and not self._content[self._at :].strip():
                    break
                what = "a symbol or the comment is expected"
                raise (
                    self._byte_error(self._at - len(line) - 1, what)
                    if self.binary
                    else self._error(what, self._line - 1)
                )
            letter, number = match[1].decode(), int(match[2])
            if number >= counts[letter]:
                what = f"there is no {letter}{number} to be named"
                raise (
                    self._byte_error(self._at - len(line) - 1, what)
                    if self.binary
                    else self._error(what, self._line - 1)
                )
            names[letter].setdefault(number, match[3].decode("utf-8", "replace"))
        return names

    def _symbol_error(self, line: bytes, what: str) -> InputError:
        return self._byte_error(self._at - len(line) - 1, what) if self.binary else self._error(what, self._line - 1)


def _listed(names: dict[int, str], count: int) -> tuple[str | None, ...]:
    return tuple(names.get(number) for number in range(count)) if names else ()
