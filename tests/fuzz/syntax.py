"""The shape of a generated program: phrases with holes, statements with blocks, and the two ways to write them down.

A program is written once for the verifier and once for the oracle (gcc). Both texts mean the same; the oracle's
differs where the verifier's text leaves something open (a nondeterministic value becomes a choice of the runtime)
and where the compiler would otherwise fold a constant before the sanitizer sees the operation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Phrase:
    """A piece of C with holes ``{0}``, ``{1}``, ... for its parts.

    ``oracle`` is the oracle's wording where it differs; ``domain`` lists the values of a nondeterministic choice,
    enough of them to stand for all.
    """

    form: str
    parts: tuple[Phrase, ...] = ()
    oracle: str | None = None
    domain: tuple[int, ...] = ()

    def text(self, for_oracle: bool = False) -> str:
        form = self.oracle if for_oracle and self.oracle is not None else self.form
        return form.format(*(part.text(for_oracle) for part in self.parts))

    def domains(self) -> Iterator[tuple[int, ...]]:
        if self.domain:
            yield self.domain
        for part in self.parts:
            yield from part.domains()


@dataclass(frozen=True, slots=True)
class Block:
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """Lines and blocks in the order they are written. ``point`` numbers a place where an assertion may go."""

    pieces: tuple[Phrase | Block, ...]
    point: int | None = None


@dataclass(frozen=True, slots=True)
class Point:
    """A place where values were watched: the names of the variables and how to write their values."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Source:
    """A program for the verifier, and for each line with nondeterministic choices the values they stand for."""

    text: str
    choices: Mapping[int, tuple[tuple[int, ...], ...]]


@dataclass(frozen=True)
class Program:
    """``exported`` are the names at file scope (the oracle renames them to put many programs in one file)."""

    seed: int
    data_model: str
    style: str
    statements: tuple[Statement, ...]
    exported: tuple[str, ...]
    points: Mapping[int, Point] = field(default_factory=dict)

    def source(self) -> Source:
        lines: list[str] = []
        choices: dict[int, tuple[tuple[int, ...], ...]] = {}
        for depth, phrase in _lines(self.statements, 0):
            text = phrase.text()
            if not text:
                continue
            lines.append("  " * depth + text)
            domains = tuple(phrase.domains())
            if domains:
                choices[len(lines)] = domains
        return Source("\n".join(lines) + "\n", choices)

    def oracle(self) -> str:
        lines = ("  " * depth + phrase.text(for_oracle=True) for depth, phrase in _lines(self.statements, 0))
        return "\n".join(line for line in lines if line.strip()) + "\n"

    def with_statements(self, statements: tuple[Statement, ...]) -> Program:
        return replace(self, statements=statements)


def _lines(statements: tuple[Statement, ...], depth: int) -> Iterator[tuple[int, Phrase]]:
    for statement in statements:
        for piece in statement.pieces:
            if isinstance(piece, Phrase):
                yield depth, piece
            else:
                yield from _lines(piece.statements, depth + 1)


def replace_points(statements: tuple[Statement, ...], by: Mapping[int, tuple[Statement, ...]]) -> tuple[Statement, ...]:
    """Put statements where the points are; a point without any disappears."""
    result: list[Statement] = []
    for statement in statements:
        if statement.point is not None:
            result.extend(by.get(statement.point, ()))
            continue
        pieces = tuple(
            Block(replace_points(piece.statements, by)) if isinstance(piece, Block) else piece
            for piece in statement.pieces
        )
        result.append(replace(statement, pieces=pieces))
    return tuple(result)


def line(form: str, *parts: Phrase, oracle: str | None = None, domain: tuple[int, ...] = ()) -> Statement:
    """A statement of one line."""
    return Statement((Phrase(form, parts, oracle, domain),))
