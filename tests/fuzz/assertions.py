"""An assertion for a generated program, chosen from the values its executions were seen to have.

Some assertions are meant to hold, some to fail. What is meant is no verdict: the finished program is run
again, and that run is the truth.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from .expressions import spell
from .syntax import Phrase, Program, Statement, line, replace_points
from .truth import Truth

# An assertion that lists more than so many combinations of values is left out.
LISTED = 40


def with_assertion(program: Program, truth: Truth) -> Program:
    """The program with one assertion (sometimes two) in place of its points."""
    random = Random(f"assertion {program.seed}")
    points = sorted(program.points)
    chosen = random.sample(points, 2 if len(points) > 1 and random.random() < 0.15 else 1)
    statements = {point: (_statement(random, program, _condition(random, program, point, truth)),) for point in chosen}
    return program.with_statements(replace_points(program.statements, statements))


def with_exact_assertions(program: Program, truth: Truth) -> Program:
    """The program with an assertion at every point that lists all the values seen there; sometimes one is left out."""
    random = Random(f"exact {program.seed}")
    reached = [point for point in program.points if truth.watched.get(point)]
    short = random.choice(reached) if reached and random.random() < 0.3 else None
    statements = {}
    for point in program.points:
        rows = list(truth.watched.get(point, ()))
        if len(rows) > LISTED:
            continue
        if point == short:
            rows.pop(random.randrange(len(rows)))
        names = program.points[point].names
        listed = (" && ".join(f"{n} == {spell(v)}" for n, v in zip(names, row, strict=True)) for row in rows)
        statements[point] = (_statement(random, program, " || ".join(f"({row or 1})" for row in listed) or "0"),)
    return program.with_statements(replace_points(program.statements, statements))


def _condition(random: Random, program: Program, point: int, truth: Truth) -> str:
    names = program.points[point].names
    rows = truth.watched.get(point, ())
    if not names or not rows:
        return random.choice(("0", f"{names[0]} == {random.randint(-3, 9)}")) if names else "0"
    holds = random.random() < 0.4
    condition = (
        _single(random, names, rows, holds)
        if random.random() < 0.6 or len(names) < 2
        else _pair(random, names, rows, holds)
    )
    if random.random() < 0.1:
        condition = f"(({condition}) != 0)"
    return condition


def _single(random: Random, names: Sequence[str], rows: Sequence[tuple[int, ...]], holds: bool) -> str:
    column = random.randrange(len(names))
    name, values = names[column], sorted({row[column] for row in rows})
    low, high = values[0], values[-1]
    kind = random.randrange(6)
    if kind == 0:
        return f"{name} <= {spell(high if holds else _other(random, values, high, high - 1))}"
    if kind == 1:
        return f"{name} >= {spell(low if holds else _other(random, values, low, low + 1))}"
    if kind == 2:
        return f"{name} != {spell(_outside(random, values) if holds else random.choice(values))}"
    if kind == 3:
        kept = values if holds or len(values) == 1 else values[:-1]
        if len(kept) > 4:
            return f"!({name} > {spell(high)} || {name} < {spell(low if holds else low + 1)})"
        return " || ".join(f"{name} == {spell(value)}" for value in kept)
    if kind == 4:
        mask = random.choice((1, 2, 4, 7))
        remainder = {value & mask for value in values}
        free = [r for r in range(mask + 1) if r & ~mask == 0 and r not in remainder]
        wanted = random.choice(free) if holds and free else random.choice(sorted(remainder))
        return f"({name} & {mask}) != {wanted}"
    return f"{spell(low)} <= {name} && {name} {'<=' if holds else '<'} {spell(high)}"


def _pair(random: Random, names: Sequence[str], rows: Sequence[tuple[int, ...]], holds: bool) -> str:
    first, second = random.sample(range(len(names)), 2)
    a, b = names[first], names[second]
    kind = random.randrange(4)
    differences = sorted({row[first] - row[second] for row in rows})
    if kind == 0 and abs(differences[-1]) < 1 << 40:
        bound = differences[-1] if holds else differences[-1] - 1
        return f"(long long){a} - {b} <= {spell(bound)}"
    if kind == 1 and abs(differences[0]) < 1 << 40:
        wanted = _outside(random, differences) if holds else random.choice(differences)
        return f"(long long){a} != (long long){b} + {spell(wanted)}"
    row = random.choice(rows)
    same = sorted({r[second] for r in rows if r[first] == row[first]})
    if kind == 2:
        bound = same[-1] if holds else same[-1] - 1
        return f"{a} != {spell(row[first])} || {b} <= {spell(max(bound, -(1 << 63)))}"
    wanted = _outside(random, same) if holds else random.choice(same)
    return f"!({a} == {spell(row[first])} && {b} == {spell(wanted)})"


def _other(random: Random, values: Sequence[int], edge: int, near: int) -> int:
    rest = [value for value in values if value != edge]
    return random.choice([*rest, near]) if -(1 << 63) <= near < 1 << 63 else edge


def _outside(random: Random, values: Sequence[int]) -> int:
    near = {v + d for v in values for d in (-1, 1)} - set(values)
    usable = sorted(v for v in near if -(1 << 63) <= v < 1 << 63)
    return random.choice(usable) if usable else 12345


def _statement(random: Random, program: Program, condition: str) -> Statement:
    names = {name for point in program.points.values() for name in point.names}
    phrase = Phrase(condition, oracle=re.sub(r"\w+", lambda m: f"V({m[0]})" if m[0] in names else m[0], condition))
    match program.style:
        case "reach_error":
            form = random.choice(
                (
                    "if (!({0})) reach_error();",
                    "if (!({0})) {{ reach_error(); abort(); }}",
                    "if ({0}) {{}} else {{ reach_error(); }}",
                    "({0}) ? (void)0 : reach_error();",
                )
            )

            return line(form, phrase)
        case "verifier_assert":
            return line("__VERIFIER_assert({0});", phrase)
        case "verifier_error":
            return line("if (!({0})) __VERIFIER_error();", phrase)
        case "label":
            return line("if (!({0})) goto ERROR;", phrase)
        case "assert":
            return line("assert({0});", phrase)
    return line('if (!({0})) __assert_fail("x", "x.c", 1, "main");', phrase)
