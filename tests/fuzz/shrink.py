"""Makes a failing program small: greedy deletion of statements, then of parts of expressions.

Every candidate is judged afresh (the oracle compiles it again), so that nothing is believed about a smaller program
that was true of the larger. A nondeterministic choice is kept with what restricts it, or goes as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from .expressions import literal
from .reduction import attempts as countdown
from .reduction import smallest
from .syntax import Block, Phrase, Program, Statement

Statements = tuple[Statement, ...]


def shrink(program: Program, fails: Callable[[Program], bool], attempts: int = 600) -> Program:
    """A smaller program for which ``fails`` still holds. ``fails(program)`` is assumed."""
    return smallest(program, _candidates, fails, goes_on=countdown(attempts))


def _candidates(program: Program) -> Iterator[Program]:
    for statements in _fewer(program.statements):
        yield program.with_statements(statements)
    for statements in _simpler(program.statements):
        yield program.with_statements(statements)


def _fewer(statements: Statements) -> Iterator[Statements]:
    """Without a run of statements, longest runs first; with a statement replaced by what is inside it."""
    size = len(statements)
    while size:
        for start in range(0, len(statements) - size + 1, size):
            yield statements[:start] + statements[start + size :]
        size //= 2
    for index, statement in enumerate(statements):
        before, after = statements[:index], statements[index + 1 :]
        for piece in statement.pieces:
            if isinstance(piece, Block):
                yield before + piece.statements + after
        for position, piece in enumerate(statement.pieces):
            if isinstance(piece, Block):
                for inner in _fewer(piece.statements):
                    yield (*before, _with_piece(statement, position, Block(inner)), *after)


def _simpler(statements: Statements) -> Iterator[Statements]:
    for index, statement in enumerate(statements):
        before, after = statements[:index], statements[index + 1 :]
        for position, piece in enumerate(statement.pieces):
            if isinstance(piece, Block):
                for inner in _simpler(piece.statements):
                    yield (*before, _with_piece(statement, position, Block(inner)), *after)
            else:
                for simpler in _parts(piece):
                    yield (*before, _with_piece(statement, position, simpler), *after)


def _with_piece(statement: Statement, position: int, piece: Phrase | Block) -> Statement:
    pieces = statement.pieces
    return replace(statement, pieces=(*pieces[:position], piece, *pieces[position + 1 :]))


def _parts(phrase: Phrase) -> Iterator[Phrase]:
    """The phrase with one part (at any depth) replaced by something smaller."""
    for index, part in enumerate(phrase.parts):
        for simpler in (*_instead(part), *_parts(part)):
            yield replace(phrase, parts=(*phrase.parts[:index], simpler, *phrase.parts[index + 1 :]))


def _instead(part: Phrase) -> Iterator[Phrase]:
    if part.parts or len(part.form) > 1:
        yield literal("0")
        yield literal("1")
    if not any(part.domains()):
        yield from part.parts
