"""Failing programs become small: greedy search among smaller ones, for trees (``shrink``) and for lines of text."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

Candidate = TypeVar("Candidate")


def smallest(
    start: Candidate,
    smaller: Callable[[Candidate], Iterable[Candidate]],
    fails: Callable[[Candidate], bool],
    goes_on: Callable[[], bool],
) -> Candidate:
    """The first smaller one that ``fails``, and so on, as long as one does and it ``goes_on``. Whatever was true of a
    larger one is asked again."""
    found: Candidate | None = start
    while found is not None:
        start, found = found, None
        for candidate in smaller(start):
            if not goes_on():
                return start
            if fails(candidate):
                found = candidate
                break
    return start


def attempts(count: int) -> Callable[[], bool]:
    left = iter(range(count))
    return lambda: next(left, None) is not None


def seconds(count: float) -> Callable[[], bool]:
    limit = time.monotonic() + count
    return lambda: time.monotonic() < limit


def fewer_lines(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    """Texts with something left out, larger parts first; every block starts at the end of a line."""
    spans = [(start, _block(lines, start)) for start in range(len(lines)) if not lines[start].strip().startswith("}")]
    for start, end in sorted(spans, key=lambda span: span[0] - span[1]):
        yield [*lines[:start], *lines[end:]]
    for start, end in spans:
        if end - start > 2:
            yield [*lines[:start], *lines[start + 1 : end - 1], *lines[end:]]
    for at, line in enumerate(lines):
        for start, end in _groups(line):
            for new in ("0", "1", line[start + 1 : end - 1]):
                if len(new) < end - start:
                    yield [*lines[:at], line[:start] + new + line[end:], *lines[at + 1 :]]
        for match in re.finditer(r", [^,(){}]+| [-+*^&|]=? \d+u?|\(unsigned\)|\b\d\d+(?=u?\b)", line):
            new = "7" if match[0][0].isdigit() else ""
            yield [*lines[:at], line[: match.start()] + new + line[match.end() :], *lines[at + 1 :]]


def _block(lines: Sequence[str], start: int) -> int:
    """The end of what starts on a line: the line itself, or a block."""
    depth = 0
    for at in range(start, len(lines)):
        line = lines[at].strip()
        depth += line.endswith("{") - line.startswith("}")
        if depth <= 0:
            return at + 1
    return len(lines)


def _groups(line: str) -> Iterator[tuple[int, int]]:
    stack = []
    for at, char in enumerate(line):
        if char in "({[":
            stack.append(at)
        elif char in ")}]" and stack:
            start = stack.pop()
            if char == ")":
                yield start, at + 1
