"""A circuit as AIGER 1.9, as text or binary; ``read_aiger`` reads it back as it was."""

from __future__ import annotations

from collections.abc import Iterable

from argosy.models.circuit import ARBITRARY, Circuit


def write_text_aiger(circuit: Circuit, comments: Iterable[str] = ()) -> str:
    lines = [_header(circuit, "aag")]
    lines += (str(circuit.input_literal(k)) for k in range(circuit.inputs))
    lines += (f"{circuit.latch_literal(k)} {_latch(circuit, k)}" for k in range(circuit.latches))
    lines += (str(literal) for literal in (*circuit.bad, *circuit.constraints))
    gates = circuit.gates
    for place, own in zip(range(0, len(gates), 2), range(circuit.first_gate, circuit.variables), strict=True):
        lines.append(f"{2 * own} {max(gates[place : place + 2])} {min(gates[place : place + 2])}")
    return "".join(f"{line}\n" for line in (*lines, *_ending(circuit, comments)))


def write_binary_aiger(circuit: Circuit, comments: Iterable[str] = ()) -> bytes:
    lines = [_header(circuit, "aig")]
    lines += (_latch(circuit, k) for k in range(circuit.latches))
    lines += (str(literal) for literal in (*circuit.bad, *circuit.constraints))
    content = bytearray("".join(f"{line}\n" for line in lines).encode())
    gates = circuit.gates
    for place, own in zip(range(0, len(gates), 2), range(circuit.first_gate, circuit.variables), strict=True):
        high, low = max(gates[place : place + 2]), min(gates[place : place + 2])
        for difference in (2 * own - high, high - low):
            while difference > 127:
                content.append(difference & 127 | 128)
                difference >>= 7
            content.append(difference)
    content += "".join(f"{line}\n" for line in _ending(circuit, comments)).encode()
    return bytes(content)


def _header(circuit: Circuit, magic: str) -> str:
    counts = [circuit.variables - 1, circuit.inputs, circuit.latches, 0, circuit.gate_count, len(circuit.bad)]
    counts += [len(circuit.constraints)] if circuit.constraints else []
    return f"{magic} {' '.join(map(str, counts))}"


def _latch(circuit: Circuit, k: int) -> str:
    reset = circuit.reset[k]
    first = f" {circuit.latch_literal(k)}" if reset == ARBITRARY else " 1" if reset else ""
    return f"{circuit.next[k]}{first}"


def _ending(circuit: Circuit, comments: Iterable[str]) -> Iterable[str]:
    for letter, names in (("i", circuit.input_names), ("l", circuit.latch_names), ("b", circuit.bad_names)):
        for place, name in enumerate(names):
            if name:
                yield f"{letter}{place} {' '.join(name.split())}"
    said = list(comments)
    if said:
        yield "c"
        yield from said
