"""Circuits as AIGER files, for tests: written from the description of the format, with nothing of the reader."""

from __future__ import annotations

from argosy.models.circuit import ARBITRARY, Circuit


def _header(circuit: Circuit, magic: str) -> str:
    used = circuit.variables - 1
    counts = (used, circuit.inputs, circuit.latches, 0, circuit.gate_count, len(circuit.bad), len(circuit.constraints))
    return f"{magic} {' '.join(map(str, counts))}\n"


def _latch(circuit: Circuit, k: int) -> str:
    own = circuit.latch_literal(k)
    reset = circuit.reset[k]
    return f"{circuit.next[k]} {own if reset == ARBITRARY else reset}"


def text(circuit: Circuit) -> bytes:
    lines = [f"{circuit.input_literal(k)}\n" for k in range(circuit.inputs)]
    lines += [f"{circuit.latch_literal(k)} {_latch(circuit, k)}\n" for k in range(circuit.latches)]
    lines += [f"{literal}\n" for literal in (*circuit.bad, *circuit.constraints)]
    for k in range(circuit.gate_count):
        lines.append(f"{2 * (circuit.first_gate + k)} {circuit.gates[2 * k]} {circuit.gates[2 * k + 1]}\n")
    return (_header(circuit, "aag") + "".join(lines)).encode()


def binary(circuit: Circuit) -> bytes:
    lines = [f"{_latch(circuit, k)}\n" for k in range(circuit.latches)]
    lines += [f"{literal}\n" for literal in (*circuit.bad, *circuit.constraints)]
    content = bytearray((_header(circuit, "aig") + "".join(lines)).encode())
    for k in range(circuit.gate_count):
        own = 2 * (circuit.first_gate + k)
        left, right = sorted(circuit.gates[2 * k : 2 * k + 2], reverse=True)
        for delta in (own - left, left - right):
            while delta > 127:
                content.append(delta & 127 | 128)
                delta >>= 7
            content.append(delta)
    return bytes(content)
