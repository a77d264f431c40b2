"""What a result says at places of the source: remarks, and hints beside lines. Nothing here knows the protocol.

Lines and columns count from 1 in code points, as in results; a line 0 is the file as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Any

from argosy.basics.errors import InputError
from argosy.basics.records import dataclass
from argosy.report.headline import inputs, short, shown_values, told
from argosy.report.infix import infix
from argosy.report.result import SAFE, UNKNOWN, UNSAFE, Result

MOST_STEPS = 100
MOST_VALUES = 5
LONGEST = 100

Entry = Mapping[str, Any]


class Weight(IntEnum):
    """How much a remark matters; the numbers are the protocol's."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a file that was read, which need not be the one that a ``#line`` marker names."""

    file: str
    line: int
    column: int = 0


@dataclass(frozen=True, slots=True)
class Remark:
    """Something said at a place; ``trace`` are the steps that lead there, each at its own. ``stale`` is what was said
    of a text that has been edited since."""

    spot: Spot
    weight: Weight
    text: str
    rule: str = ""
    trace: Sequence[tuple[Spot, str]] = ()
    stale: bool = False


@dataclass(frozen=True, slots=True)
class SideNote:
    """Something shown beside a line; ``text`` is short, ``whole`` is not."""

    spot: Spot
    text: str
    whole: str


def remarks_of(result: Result) -> Iterator[Remark]:
    """Violations with their traces; no verdict, at the place that its reason names; what a SAFE assumes."""
    for answer in result.answers:
        if answer["verdict"] == UNSAFE:
            yield _violation(result, answer)
    if result.verdict == UNKNOWN:
        yield refusal(result, f"no verdict: {result.reason}", Weight.WARNING)
    if result.verdict == SAFE:
        for assumption in result.assumptions:
            how = f" (check it with --property {assumption['check_with']})" if assumption["check_with"] else ""
            for position in assumption["positions"]:
                text = f"SAFE, assuming {assumption['words']} here{how}"
                yield Remark(_spot(position, result), Weight.INFORMATION, text, assumption["kind"])
    if result.nothing is not None:
        yield Remark(Spot(result.input, 0), Weight.INFORMATION, result.nothing, result.property)


def refusal(result: Result, text: str, weight: Weight) -> Remark:
    """A reason that begins with a place of the input stands there, any other at the top of the file."""
    for file in dict.fromkeys((*result.inputs, result.input)):
        found = re.search(rf"{re.escape(file)}:(\d+)(?::(\d+))?", text)
        if found is not None:
            return Remark(Spot(file, int(found[1]), int(found[2] or 0)), weight, text, result.property)
    return Remark(Spot(result.input, 0), weight, text, result.property)


def unreadable(error: InputError) -> Remark:
    file, line = error.position.physical
    return Remark(Spot(file, line, error.position.column), Weight.ERROR, error.what, "input")


def _violation(result: Result, answer: Entry) -> Remark:
    steps = answer["counterexample"]
    last = next((step for step in reversed(steps) if step.get("line")), None)
    spot = _spot(answer.get("violation") or last or answer, result)
    if answer["satisfied"]:  # the states of an E<> are reached, which is what was hoped for
        return Remark(spot, Weight.INFORMATION, f"{answer['text']}: {answer['words']}", "query", _trace(steps, result))
    violation, count = answer.get("violation"), len(inputs(steps))
    what = violation["what"] if violation is not None else f"{answer['text']}: violated"
    text = f"{what}, after {count or 'no'} input{'' if count == 1 else 's'}"
    return Remark(spot, Weight.ERROR, text, answer["property"] or "requirement", _trace(steps, result))


def _trace(steps: Sequence[Entry], result: Result) -> list[tuple[Spot, str]]:
    kept = [step for step in steps if step.get("matters", True)]
    if len(kept) > MOST_STEPS:
        kept = [*kept[: MOST_STEPS // 2], *kept[-MOST_STEPS // 2 :]]
    return [(_spot(step, result), told(step)) for step in kept]


def _spot(place: Entry, result: Result) -> Spot:
    physical = place.get("physical") or {"file": place.get("file"), "line": place.get("line")}
    return Spot(physical["file"] or result.input, physical["line"] or 0, place.get("column") or 0)


def notes_of(result: Result) -> Iterator[SideNote]:
    """The values that the lines of a counterexample gave to variables, in the order of the visits; the invariants."""
    for answer in result.answers:
        yield from _values(answer["counterexample"], result)
        for claim in answer["invariant"]:
            whole = infix(claim["formula"], short)
            spot = _spot(claim, result)
            if spot.line:
                text = whole if len(whole) <= LONGEST else f"{whole[:LONGEST]}…"
                yield SideNote(spot, f"invariant: {text}", f"{claim['kind']} invariant: {whole}")


def _values(steps: Sequence[Entry], result: Result) -> Iterator[SideNote]:
    lines: dict[Spot, dict[str, list[str]]] = {}
    for step in steps:
        spot = _spot(step, result)
        if spot.line:
            seen = lines.setdefault(Spot(spot.file, spot.line), {})
            for name, value in shown_values(step).items():
                seen.setdefault(short(name), []).append(value)
    for spot, seen in lines.items():
        if seen:
            text = "; ".join(f"{name} = {', '.join(_few(values))}" for name, values in seen.items())
            whole = "; ".join(f"{name} = {', '.join(values)}" for name, values in seen.items())
            yield SideNote(spot, text if len(text) <= LONGEST else f"{text[:LONGEST]}…", whole)


def _few(values: Sequence[str]) -> Sequence[str]:
    return values if len(values) <= MOST_VALUES else [*values[: MOST_VALUES - 2], "…", values[-1]]
