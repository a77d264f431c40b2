"""A sequential circuit at bit level: an and-inverter graph with latches, numbered as in binary AIGER.

Biere, Heljanko, Wieringa, "AIGER 1.9 And Beyond" (2011). A literal is ``2 v`` or, negated, ``2 v + 1``; variable 0 is
false, so that literal 0 is false and 1 is true. Variables ``1 .. I`` are the inputs, ``I + 1 .. I + L`` the latches,
and the gates follow in topological order: both sides of a gate are smaller than the gate.

Laws: a latch with reset ``ARBITRARY`` starts with any value. A *stimulus* reaches a bad state where every constraint
holds in every step up to and including the last, and the bad literal holds in the last, under the inputs of that
step; a stimulus of one step counts. ``cone`` keeps exactly the stimuli that reach its bad states.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from argosy.basics.records import dataclass

FALSE, TRUE = 0, 1
ARBITRARY = 2
"""The reset of a latch that starts with any value."""

Bits = Sequence[int]
"""One number per input or per latch. Bit k of each of them is the k-th of several runs side by side."""


@dataclass(frozen=True, slots=True)
class Stimulus:
    """``latches``: the first value of each latch, 0 or 1; ``inputs``: per step one value of each input."""

    latches: bytes
    inputs: tuple[bytes, ...]

    def __len__(self) -> int:
        return len(self.inputs)


@dataclass(frozen=True, slots=True, eq=False)
class Circuit:
    """``next`` and ``reset`` have one entry per latch, ``gates`` has two literals per gate. Names are as many as there
    are things to name, or none at all; None is a thing without a name."""

    inputs: int
    next: array[int]
    reset: bytes
    gates: array[int]
    bad: tuple[int, ...]
    constraints: tuple[int, ...] = ()
    input_names: tuple[str | None, ...] = ()
    latch_names: tuple[str | None, ...] = ()
    bad_names: tuple[str | None, ...] = ()

    @property
    def latches(self) -> int:
        return len(self.next)

    @property
    def gate_count(self) -> int:
        return len(self.gates) // 2

    @property
    def first_gate(self) -> int:
        """The variable of the first gate."""
        return 1 + self.inputs + self.latches

    @property
    def variables(self) -> int:
        """How many there are, the constant included."""
        return self.first_gate + self.gate_count

    def input_literal(self, index: int) -> int:
        return 2 * (1 + index)

    def latch_literal(self, index: int) -> int:
        return 2 * (1 + self.inputs + index)

    def values(self, latches: Bits, inputs: Bits, mask: int = 1) -> list[int]:
        """The value of every literal, at its own index. ``mask`` has a bit for each of the runs side by side."""
        values = [0, mask]
        for value in (*inputs, *latches):
            values += (value, value ^ mask)
        gates = iter(self.gates)
        for left, right in zip(gates, gates, strict=True):
            value = values[left] & values[right]
            values += (value, value ^ mask)
        return values

    def successor(self, values: Sequence[int]) -> list[int]:
        """The latches of the next step, from the ``values`` of this one."""
        return [values[literal] for literal in self.next]

    def may_start(self, latches: Bits) -> bool:
        """One run: whether these are first values of the latches."""
        pairs = zip(latches, self.reset, strict=True)
        return all(value in (0, 1) and reset in (value, ARBITRARY) for value, reset in pairs)

    def reaches(self, stimulus: Stimulus, bad: int) -> bool:
        """Whether the stimulus ends in the bad state of this index: simulation, step by step."""
        latches: Bits = stimulus.latches
        if len(latches) != self.latches or not self.may_start(latches):
            return False
        for place, inputs in enumerate(stimulus.inputs, 1):
            if len(inputs) != self.inputs:
                return False
            values = self.values(latches, inputs)
            if not all(values[literal] for literal in self.constraints):
                return False
            if place == len(stimulus):
                return bool(values[self.bad[bad]])
            latches = self.successor(values)
        return False

    def cone(self, bad: Iterable[int]) -> Cone:
        """What these bad states depend on, the constraints included, as a circuit of its own."""
        kept = tuple(bad)
        roots = [self.bad[index] for index in kept]
        needed = bytearray(self.variables)
        first_latch, first_gate = 1 + self.inputs, self.first_gate
        stack = [literal >> 1 for literal in (*roots, *self.constraints)]
        while stack:
            variable = stack.pop()
            if needed[variable]:
                continue
            needed[variable] = 1
            if variable >= first_gate:
                place = 2 * (variable - first_gate)
                stack += (self.gates[place] >> 1, self.gates[place + 1] >> 1)
            elif variable >= first_latch:
                stack.append(self.next[variable - first_latch] >> 1)
        number = array("I", bytes(4 * self.variables))
        count = 0
        for variable in range(1, self.variables):
            if needed[variable]:
                count += 1
                number[variable] = count

        def renamed(literal: int) -> int:
            return 2 * number[literal >> 1] + (literal & 1)

        inputs = array("I", (k for k in range(self.inputs) if needed[1 + k]))
        latches = array("I", (k for k in range(self.latches) if needed[first_latch + k]))
        gates = array("I")
        for variable in range(first_gate, self.variables):
            if needed[variable]:
                place = 2 * (variable - first_gate)
                gates.extend((renamed(self.gates[place]), renamed(self.gates[place + 1])))
        circuit = Circuit(
            inputs=len(inputs),
            next=array("I", (renamed(self.next[k]) for k in latches)),
            reset=bytes(self.reset[k] for k in latches),
            gates=gates,
            bad=tuple(renamed(literal) for literal in roots),
            constraints=tuple(renamed(literal) for literal in self.constraints),
            input_names=tuple(self.input_names[k] for k in inputs) if self.input_names else (),
            latch_names=tuple(self.latch_names[k] for k in latches) if self.latch_names else (),
            bad_names=tuple(self.bad_names[k] for k in kept) if self.bad_names else (),
        )
        return Cone(self, circuit, inputs, latches)


@dataclass(frozen=True, slots=True, eq=False)
class Cone:
    """A part of a circuit: ``inputs`` and ``latches`` say which of the whole they are."""

    whole: Circuit
    circuit: Circuit
    inputs: array[int]
    latches: array[int]

    def lifted(self, stimulus: Stimulus) -> Stimulus:
        """A stimulus of the whole that does in the cone what this one does. What is not in the cone is 0, or what its
        reset says."""
        latches = bytearray(value & 1 for value in self.whole.reset)
        for place, value in zip(self.latches, stimulus.latches, strict=True):
            latches[place] = value
        steps = []
        for values in stimulus.inputs:
            inputs = bytearray(self.whole.inputs)
            for place, value in zip(self.inputs, values, strict=True):
                inputs[place] = value
            steps.append(bytes(inputs))
        return Stimulus(bytes(latches), tuple(steps))

    def lifted_clause(self, clause: Iterable[int]) -> tuple[int, ...]:
        """A clause over literals of the cone's latches as one over those of the whole."""
        first = self.circuit.inputs + 1
        return tuple(self.whole.latch_literal(self.latches[(k >> 1) - first]) + (k & 1) for k in clause)
