"""Value change dumps (IEEE 1364, section 18): signals that have a value in each of some steps, for waveform viewers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from argosy.basics.records import dataclass

_CODES = "".join(map(chr, range(33, 127)))


@dataclass(frozen=True, slots=True)
class Signal:
    """``kind`` is its type and width, as ``wire 8``, ``real 64`` or ``string 1``; ``scope`` the module that it is shown
    in, "" outside of all; ``values`` has one for each step as a dump writes it: 0, 1, b101, r1.5, sWORD."""

    name: str
    kind: str
    scope: str
    values: Sequence[str]


def waveform(signals: Sequence[Signal], steps: int, timescale: str = "1 ns") -> str:
    """The dump: a step is a unit of time."""
    return "".join(f"{line}\n" for line in _lines(signals, steps, timescale))


def _lines(signals: Sequence[Signal], steps: int, timescale: str) -> Iterator[str]:
    yield "$version Argosy $end"
    yield f"$timescale {timescale} $end"
    coded = list(zip(map(_code, count()), signals, strict=False))
    for scope in dict.fromkeys(signal.scope for signal in signals if signal.scope):
        yield f"$scope module {scope} $end"
        yield from (_declared(code, signal) for code, signal in coded if signal.scope == scope)
        yield "$upscope $end"
    yield from (_declared(code, signal) for code, signal in coded if not signal.scope)
    yield "$enddefinitions $end"
    for step in range(steps):
        yield f"#{step}"
        for code, signal in coded:
            value = signal.values[step]
            if not step or signal.values[step - 1] != value:
                yield f"{value}{code}" if value in ("0", "1") else f"{value} {code}"
    yield f"#{steps}"


def _declared(code: str, signal: Signal) -> str:
    width = int(signal.kind.rpartition(" ")[2]) if signal.kind.startswith("wire") else 1
    return f"$var {signal.kind} {code} {word(signal.name)}{f' [{width - 1}:0]' if width > 1 else ''} $end"


def _code(number: int) -> str:
    code = ""
    while True:
        number, digit = divmod(number, len(_CODES))
        code += _CODES[digit]
        if not number:
            return code
        number -= 1


def word(name: str) -> str:
    """Without blanks, which would end it."""
    return "_".join(name.split()) or "_"
