"""What a result shows: the invariant and the counterexample as JSON has them (CONTRACT.md)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from argosy.certify.replay import Replayed, Step
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Assume, Edge, Location

# Numbers of more bits are written in hexadecimal: Python refuses to write them in decimal.
LONGEST = 10_000


def invariant(terms: Terms, claims: Mapping[Location, Sequence[Term]]) -> list[dict[str, Any]]:
    return [
        {"location": repr(location), "line": location.position.line, "formula": str(terms.disjunction(formulas))}
        for location, formulas in sorted(claims.items(), key=lambda item: item[0].index)
    ]


def counterexample(replayed: Replayed | None, path: Sequence[Edge], opaque: Collection[str]) -> list[dict[str, Any]]:
    if replayed is None:
        return [{"line": e.position.line, "operation": e.text, "values": {}} for e in path if e.text]
    rows = []
    known: dict[str, Any] = {}
    for steps in _statements(replayed.steps):
        values = {name: value for step in steps for name, value in step.values.items() if name not in opaque}
        if len(steps) > 1:
            # One statement that may write several variables: those that it changed.
            values = {name: value for name, value in values.items() if known.get(name) != value}
        elif steps[0].values and not values:
            continue
        known.update(values)
        if steps[0].text:
            shown = {name: number(value) for name, value in values.items()}
            rows.append({"line": steps[0].position.line, "operation": steps[0].text, "values": shown})
    return rows


def _statements(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """Steps of one statement together: they stand at the same place, say the same and are different edges."""
    group: list[Step] = []
    for step in steps:
        same = group and (step.position, step.text) == (group[0].position, group[0].text)
        if not same or isinstance(step.edge.operation, Assume) or step.edge in [s.edge for s in group]:
            if group:
                yield group
            group = []
        group.append(step)
    if group:
        yield group


def number(value: Any) -> Any:
    """JSON has no rationals, and no number of thousands of digits is read by anybody."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    return hex(value) if isinstance(value, int) and value.bit_length() > LONGEST else value
